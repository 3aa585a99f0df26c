//! Finds compilers, installs the library for them, and runs what they make.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// How to call a compiler.
#[derive(Clone)]
pub struct Compiler {
    command: String,
    name: String,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    C,
    Cpp,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Linking {
    Shared,
    Static,
}

/// The library installed into a folder of its own.
pub struct Toolbox {
    prefix: PathBuf,
}

impl Toolbox {
    /// Installs what cargo built for this test, once.
    pub fn get() -> &'static Self {
        static TOOLBOX: OnceLock<Toolbox> = OnceLock::new();
        TOOLBOX.get_or_init(|| {
            let test = env::current_exe().unwrap().file_name().unwrap().to_owned();
            let prefix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rpc-server-{}", test.display()));
            let _ = std::fs::remove_dir_all(&prefix);
            let toolbox = Toolbox { prefix };
            let install = toolbox.source("install.sh");
            toolbox.run(&install, &[toolbox.prefix.to_str().unwrap(), &built(".")]);
            toolbox
        })
    }

    /// A file of this crate.
    pub fn source(&self, path: &str) -> String {
        format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
    }

    /// A library that cargo built for this test.
    pub fn built(&self, name: &str) -> String {
        built(name)
    }

    /// An installed library.
    pub fn lib(&self, name: &str) -> String {
        self.prefix.join("lib").join(name).display().to_string()
    }

    /// Where the library is installed.
    pub fn prefix(&self) -> String {
        self.prefix.display().to_string()
    }

    /// Makes a file beside the installed library.
    pub fn write(&self, path: &str, text: &str) -> String {
        let path = self.prefix.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// A program that a variable names, or the path holds.
    pub fn find(&self, name: &str, variable: &str) -> Option<String> {
        env::var(variable).ok().or_else(|| self.in_path(name))
    }

    fn in_path(&self, name: &str) -> Option<String> {
        let path = env::var_os("PATH")?;
        let found = env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())?;
        Some(found.display().to_string())
    }

    /// The compilers at hand, for C++ there may be none: gcc from the path, clang from there or from TEST_CLANG_DIR. One line says which
    /// is missing.
    pub fn compilers(&self, language: Language) -> Vec<Compiler> {
        let (gcc, clang) = match language {
            Language::C => ("gcc", "clang"),
            Language::Cpp => ("g++", "clang++"),
        };
        let named = env::var("TEST_CLANG_DIR").map(|folder| format!("{folder}/{clang}"));
        let found = [
            (gcc, self.in_path(gcc), "it is not in the path"),
            (
                clang,
                named.ok().or_else(|| self.in_path(clang)),
                "it is neither in the path nor in TEST_CLANG_DIR",
            ),
        ];
        let mut compilers = Vec::new();
        for (name, command, missing) in found {
            match command {
                Some(command) if language == Language::Cpp && !self.has_standard_library(&command) => {
                    eprintln!("not tested with {name}: it finds no C++ standard library");
                }
                Some(command) => compilers.push(Compiler {
                    command,
                    name: name.into(),
                }),
                None => eprintln!("not tested with {name}: {missing}"),
            }
        }
        compilers
    }

    /// clang takes the library that g++ comes with.
    fn has_standard_library(&self, compiler: &str) -> bool {
        let arguments = ["-fsyntax-only", "-x", "c++", "-include", "memory", "/dev/null"];
        let mut trial = self.command(compiler, &arguments);
        trial
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// Compiles a file of this crate, strictly. Returns the program.
    pub fn compile(&self, compiler: &Compiler, language: Language, source: &str, linking: Linking) -> String {
        let stem = Path::new(source).file_stem().unwrap().to_str().unwrap();
        let kind = if linking == Linking::Shared { "shared" } else { "static" };
        // Several tests may want the same program at the same time.
        let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
        let program = self.prefix.join(format!("{stem}-{}-{kind}-{thread}", compiler.name));
        let program = program.display().to_string();
        let flags = self.flags(linking == Linking::Shared);
        let source = self.source(source);
        let mut arguments = strict(language);
        arguments.extend(["-g", &source]);
        arguments.extend(flags.split_whitespace());
        let archive = self.lib("librpc_server.a");
        if linking == Linking::Static {
            arguments.extend([&archive, "-lm"]);
        }
        let tests = self.source("tests");
        arguments.extend(["-I", &tests, "-pthread", "-ldl", "-o", &program]);
        self.run(&compiler.command, &arguments);
        program
    }

    /// What compilers need to find the library, as pkg-config says it.
    fn flags(&self, to_link: bool) -> String {
        let Some(pkg_config) = self.find("pkg-config", "PKG_CONFIG") else {
            eprintln!("not tested with pkg-config: it is not in the path, and PKG_CONFIG names none");
            let folder = &self.prefix();
            let libraries = if to_link {
                format!("-L{folder}/lib -lrpc_server")
            } else {
                String::new()
            };
            return format!("-I{folder}/include {libraries}");
        };
        let what: &[&str] = if to_link {
            &["--cflags", "--libs"]
        } else {
            &["--cflags"]
        };
        self.run(&pkg_config, &[what, &["rpc_server"]].concat())
    }

    /// Checks that a file compiles, strictly.
    pub fn check(&self, compiler: &Compiler, language: Language, source: &str) {
        let flags = self.flags(false);
        let mut arguments = strict(language);
        if language == Language::Cpp {
            arguments.extend(["-x", "c++"]);
        }
        arguments.extend(flags.split_whitespace());
        arguments.extend(["-fsyntax-only", source]);
        self.run(&compiler.command, &arguments);
    }

    /// Runs a program under valgrind, if that is installed: no invalid access, nothing lost.
    pub fn valgrind(&self, program: &str) {
        let Some(valgrind) = self.find("valgrind", "VALGRIND") else {
            eprintln!("skipped: valgrind is not installed");
            return;
        };
        // What the C library keeps of threads that were joined looks "possibly lost" to valgrind.
        let leaks = "--errors-for-leak-kinds=definite";
        self.run(
            &valgrind,
            &[
                "-q",
                "--fair-sched=yes",
                "--leak-check=full",
                "--show-leak-kinds=definite",
                leaks,
                "--error-exitcode=9",
                program,
            ],
        );
    }

    /// Runs a command to its good end and returns what it printed.
    pub fn run(&self, command: &str, arguments: &[&str]) -> String {
        self.run_with(command, arguments, &[])
    }

    /// The same with more variables.
    pub fn run_with(&self, command: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        String::from_utf8(self.output(command, arguments, variables).stdout).unwrap()
    }

    /// Runs a program to its good end and returns all that it printed, what went to standard error last.
    pub fn run_aloud(&self, program: &str) -> String {
        let Output { mut stdout, stderr, .. } = self.output(program, &[], &[]);
        stdout.extend(stderr);
        String::from_utf8(stdout).unwrap()
    }

    fn output(&self, command: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let output = self
            .command(command, arguments)
            .envs(variables.iter().copied())
            .output()
            .unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(
            output.status.success(),
            "{command} {arguments:?}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }

    /// Runs a program and returns its exit code, if it has one.
    pub fn status(&self, program: &str) -> Option<i32> {
        self.command(program, &[]).status().unwrap().code()
    }

    fn command(&self, command: &str, arguments: &[&str]) -> Command {
        let mut libraries = self.prefix.join("lib").into_os_string();
        if command.contains("llvm-") {
            // The unpacked compiler brings its own libraries.
            let root = Path::new(command).ancestors().nth(5).unwrap();
            libraries.push(format!(
                ":{}/usr/lib/x86_64-linux-gnu:{}/usr/lib/llvm-22/lib",
                root.display(),
                root.display()
            ));
        }
        let mut prepared = Command::new(command);
        prepared
            .args(arguments)
            .env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"))
            .env("LD_LIBRARY_PATH", libraries)
            .stdin(Stdio::null());
        prepared
    }
}

fn built(name: &str) -> String {
    // Cargo puts libraries beside the test that needs them.
    env::current_exe().unwrap().with_file_name(name).display().to_string()
}

/// The flags under which the header must be clean.
fn strict(language: Language) -> Vec<&'static str> {
    let standard = match language {
        Language::C => "-std=c11",
        Language::Cpp => "-std=c++17",
    };
    vec![standard, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pedantic"]
}
