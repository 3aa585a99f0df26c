//! The linker of images from bitcode: rustc calls it under the name [`NAME`] for NVIDIA, and `build-gpu` for programs in C.
//!
//! rustc's linker for `nvptx64-nvidia-cuda` takes bitcode and writes PTX. This one has the
//! arguments of the program that rustc expects (`llvm-bitcode-linker`) and does the work with LLVM's own
//! tools: `llvm-link` merges all modules, `opt` makes everything but the exported symbols internal,
//! drops what is not reached and optimises, `llc` writes PTX. Then it reads the PTX: a symbol that
//! is declared and nowhere defined would only show when a driver loads the image.
//!
//! For `amdgcn-amd-amdhsa` `llc` writes an object and `lld` makes it an image. (rustc calls `lld` itself there, or at level 0 through
//! [`reached`].)

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::{exec, reached};

/// The name under which rustc finds this executable.
pub const NAME: &str = "gpu-bitcode-linker";
/// The environment variable with the directory of LLVM's tools.
pub const LLVM_BIN: &str = "GPU_LLVM_BIN";
/// Among the arguments of the linker: leave undefined symbols to the driver.
pub const ALLOW_UNDEFINED: &str = "--allow-undefined";

/// Among the arguments of the linker: the largest block that the kernels are launched with, in threads.
pub const MAX_BLOCK_THREADS: &str = "--max-block-threads";
/// The largest block of any device so far.
pub const DEVICE_BLOCK_THREADS: u32 = 1024;

/// LLVM inlines on GPUs what is eleven times as large as elsewhere: a copy of formatting code at each `assert!`, which a driver then
/// compiles at each start, a megabyte of PTX in half a minute. These limits, which LLVM multiplies by eleven, are those of a
/// CPU. What has to be inlined for speed says so.
pub const INLINING: [&str; 2] = ["-inline-threshold=20", "-inlinehint-threshold=30"];

/// For AMD, where anything is optimised: how LLVM finds registers for the scalars that it parks in lanes of vector registers.
///
/// Those registers are copied with all lanes on. The default allocator makes such copies before it places the values of single lanes, and
/// LLVM 22 then puts copies of these between switching the lanes on and off: lanes that are elsewhere lose what they had in the
/// register. This allocator copies none, so that there is no such place.
pub const PARKED_SCALARS: &str = "-wwm-regalloc=basic";

/// The constant by which `device-rt` knows whether to look for constructors and destructors.
const HAS_CALLBACKS: &str = "device_rt_has_callbacks";
/// How the names of objects begin that stand for such functions: those of Rust and of LLVM's C library, and those of C and C++.
const CALLBACKS: [&str; 4] = [
    "__init_array_object_",
    "__fini_array_object_",
    "llvm.global_ctors",
    "llvm.global_dtors",
];

/// Functions that the CUDA driver itself puts into a module.
const DRIVER_FUNCTIONS: &[&str] = &["vprintf", "malloc", "free", "__assertfail"];

/// Whether we were started by rustc to link.
pub fn called_by_rustc() -> bool {
    let name = env::args_os().next().map(PathBuf::from);
    name.is_some_and(|path| path.file_name().is_some_and(|name| name == NAME))
}

/// Links as the command line says.
pub fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if let Some(real) = reached::asked_for(&arguments) {
        return reached::link(&real, arguments);
    }
    let job = Job::parse(arguments.into_iter())?;
    job.link()
        .with_context(|| format!("cannot link {}", job.output.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What rustc wants linked.
#[derive(Debug)]
struct Job {
    inputs: Vec<PathBuf>,
    output: PathBuf,
    exported: Vec<String>,
    target: String,
    cpu: String,
    features: String,
    level: Level,
    allow_undefined: bool,
    max_block_threads: u32,
}

impl Default for Job {
    fn default() -> Job {
        Job {
            inputs: Vec::new(),
            output: PathBuf::new(),
            exported: Vec::new(),
            target: String::new(),
            cpu: String::new(),
            features: String::new(),
            level: Level('0'),
            allow_undefined: false,
            max_block_threads: DEVICE_BLOCK_THREADS,
        }
    }
}

/// An optimisation level, by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level(char);

impl Job {
    fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Job> {
        let mut job = Job::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            let (name, inline) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (text.as_ref(), None),
            };
            let mut value = || match &inline {
                Some(value) => Ok(value.clone()),
                None => match arguments.next() {
                    Some(value) => Ok(value.to_string_lossy().into_owned()),
                    None => bail!("{NAME}: {name} needs a value"),
                },
            };
            match name {
                "-o" | "--output" => job.output = value()?.into(),
                "--export-symbol" => job.exported.push(value()?),
                "--target" => job.target = value()?,
                "--target-cpu" => job.cpu = value()?,
                "--target-feature" | "--feature" => job.features = value()?,
                // There are no libraries to search, and no older architecture to fall back to.
                "-L" | "--fallback-arch" => drop(value()?),
                "--debug" => {}
                ALLOW_UNDEFINED => job.allow_undefined = true,
                MAX_BLOCK_THREADS => job.max_block_threads = value()?.parse()?,
                _ if name.starts_with("-O") => job.level = Level::parse(&name[2..])?,
                _ if name.starts_with('-') => bail!("{NAME}: unknown option {text}"),
                _ => job.inputs.push(argument.into()),
            }
        }
        if job.output.as_os_str().is_empty() || job.inputs.is_empty() {
            bail!("{NAME} is started by rustc, with files to link and -o");
        }
        Ok(job)
    }

    fn link(&self) -> Result<()> {
        // rustc removes the output's temporary neighbours only when it knows them: these are ours.
        let merged = self.output.with_extension("merged.bc");
        let optimised = self.output.with_extension("optimised.bc");
        let object = self.output.with_extension("o");
        let result = self.link_through(&merged, &optimised, &object);
        for file in [&merged, &optimised, &object] {
            // A file that was never written is no failure.
            let _ = fs::remove_file(file);
        }
        result
    }

    fn link_through(&self, merged: &Path, optimised: &Path, object: &Path) -> Result<()> {
        self.merge(&self.inputs, merged)?;
        self.say_whether_callbacks(merged)?;
        let mut exported = self.exported.clone();
        exported.retain(|name| name != HAS_CALLBACKS);
        exec::capture(
            tool("opt")?
                .arg(format!("--passes={}", self.level.passes()))
                .arg(format!("--internalize-public-api-list={}", exported.join(",")))
                .args(self.machine())
                .args(INLINING)
                .arg(merged)
                .arg("-o")
                .arg(optimised),
        )?;
        if self.target.starts_with("amdgcn") {
            self.link_amdgcn(optimised, object)
        } else {
            self.write_ptx(optimised)
        }
    }

    fn merge(&self, inputs: &[PathBuf], merged: &Path) -> Result<()> {
        exec::capture(
            tool("llvm-link")?
                // An rlib also holds rustc's metadata, which is no bitcode.
                .arg("--ignore-non-bitcode")
                .args(inputs)
                .arg("-o")
                .arg(merged),
        )?;
        Ok(())
    }

    /// Answers what `device-rt` asks for on NVIDIA: whether the module has constructors or destructors.
    fn say_whether_callbacks(&self, merged: &Path) -> Result<()> {
        let bitcode = fs::read(merged)?;
        // Names lie in bitcode as they are.
        let names = String::from_utf8_lossy(&bitcode);
        let has = |name: &str| names.contains(name);
        if !has(HAS_CALLBACKS) {
            return Ok(());
        }
        let answer = self.output.with_extension("callbacks.ll");
        let value = u8::from(CALLBACKS.iter().copied().any(has));
        fs::write(&answer, format!("@{HAS_CALLBACKS} = constant i8 {value}\n"))?;
        let result = self.merge(&[merged.to_owned(), answer.clone()], merged);
        fs::remove_file(&answer)?;
        result
    }

    fn write_ptx(&self, optimised: &Path) -> Result<()> {
        exec::capture(
            tool("llc")?
                .arg(self.level.of_llc())
                .args(self.machine())
                // Constructors of C and C++ become the objects that a loader collects; Rust's are such objects already. The
                // kernels that LLVM would add to call them are `_begin` and `_end` here.
                .arg("-nvptx-emit-init-fini-kernel=false")
                .arg(optimised)
                .arg("-o")
                .arg(&self.output),
        )?;
        let ptx = fs::read_to_string(&self.output)?;
        fs::write(&self.output, bound_blocks(&ptx, self.max_block_threads))?;
        if !self.allow_undefined {
            let undefined = undefined_symbols(&ptx);
            if !undefined.is_empty() {
                bail!(
                    "undefined symbols: {} (define them, or build with {ALLOW_UNDEFINED})",
                    undefined.join(", ")
                );
            }
        }
        Ok(())
    }

    fn link_amdgcn(&self, optimised: &Path, object: &Path) -> Result<()> {
        exec::capture(
            tool("llc")?
                .arg(self.level.of_llc())
                .args(self.level.optimises().then_some(PARKED_SCALARS))
                .args(self.machine())
                .args(["-filetype=obj", "-relocation-model=pic"])
                .arg(optimised)
                .arg("-o")
                .arg(object),
        )?;
        let undefined = if self.allow_undefined {
            "--unresolved-symbols=ignore-all"
        } else {
            "--no-undefined"
        };
        exec::capture(
            tool("ld.lld")?
                .args(["-shared", "--gc-sections", undefined])
                .arg(object)
                .arg("-o")
                .arg(&self.output),
        )?;
        Ok(())
    }

    fn machine(&self) -> [String; 3] {
        [
            format!("-mtriple={}", self.target),
            format!("-mcpu={}", self.cpu),
            // rustc names what it knows as implied, down to features that LLVM does not have.
            format!("-mattr={}", self.features),
        ]
    }
}

impl Level {
    fn parse(text: &str) -> Result<Level> {
        match text {
            "0" | "1" | "2" | "3" | "s" | "z" => Ok(Level(text.chars().next().unwrap_or('0'))),
            _ => bail!("{NAME}: unknown optimisation level -O{text}"),
        }
    }

    /// Dropping what is unreachable comes first: of `compiler_builtins` nearly all is.
    fn passes(self) -> String {
        match self.0 {
            '0' => "internalize,globaldce".into(),
            level => format!("internalize,globaldce,default<O{level}>,globaldce"),
        }
    }

    fn optimises(self) -> bool {
        self.0 != '0'
    }

    /// llc knows speed levels only; size is asked for by attributes that rustc has set.
    fn of_llc(self) -> String {
        match self.0 {
            's' | 'z' => "-O2".into(),
            level => format!("-O{level}"),
        }
    }
}

/// One of LLVM's tools.
pub fn tool(name: &str) -> Result<Command> {
    let folder =
        env::var_os(LLVM_BIN).with_context(|| format!("{LLVM_BIN} is not set: start {NAME} through `cargo xtask`"))?;
    Ok(Command::new(Path::new(&folder).join(name)))
}

/// Says for each kernel how many threads its largest block has, unless it says so itself.
///
/// Without it the driver gives a kernel as many registers as it likes, and a block that has too few of them cannot be
/// launched at all. It is what AMD's compiler assumes unasked.
fn bound_blocks(ptx: &str, threads: u32) -> String {
    let mut text = String::with_capacity(ptx.len() + 256);
    let mut unbound = false;
    for line in ptx.lines() {
        if line.starts_with(".visible .entry") || line.starts_with(".entry") {
            unbound = true;
        } else if line.starts_with(".maxntid") || line.starts_with(".reqntid") {
            unbound = false;
        } else if line == "{" && unbound {
            text += &format!(".maxntid {threads}\n");
            unbound = false;
        }
        text += line;
        text.push('\n');
    }
    text
}

/// Symbols that the PTX declares as external and never defines.
///
/// Declarations of functions and variables start with `.extern`; the name follows the return value
/// or the type. External *shared* memory is no symbol to resolve: it is the launch's dynamic part.
fn undefined_symbols(ptx: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in ptx.lines() {
        let Some(declaration) = line.trim_start().strip_prefix(".extern ") else {
            continue;
        };
        let declaration = declaration.trim_start();
        if declaration.starts_with(".shared") {
            continue;
        }
        let name = match declaration.strip_prefix(".func") {
            Some(function) => {
                let function = function.trim_start();
                let after_result = match function.strip_prefix('(') {
                    Some(result) => result.split_once(')').map_or("", |(_, rest)| rest),
                    None => function,
                };
                after_result.trim_start()
            }
            // `.global .align 8 .u64 name[4];`
            None => declaration.split_whitespace().last().unwrap_or(""),
        };
        let end = name
            .find(|c: char| !(c.is_alphanumeric() || "_$".contains(c)))
            .unwrap_or(name.len());
        let name = &name[..end];
        if !name.is_empty() && !DRIVER_FUNCTIONS.contains(&name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Job> {
        Job::parse(line.split(' ').map(OsString::from))
    }

    #[test]
    fn takes_the_arguments_of_rustc() {
        let job = parse(
            "--export-symbol _start --export-symbol _end a.o b.rlib -L /x --target nvptx64-nvidia-cuda \
             --target-cpu sm_70 --target-feature=+ptx77,+ptx78 -o out.ptx -Os --debug",
        )
        .unwrap();
        assert_eq!(job.exported, ["_start", "_end"]);
        assert_eq!(job.inputs, [Path::new("a.o"), Path::new("b.rlib")]);
        assert_eq!(job.output, Path::new("out.ptx"));
        assert_eq!((job.cpu.as_str(), job.features.as_str()), ("sm_70", "+ptx77,+ptx78"));
        assert_eq!(job.level, Level('s'));
        assert!(!job.allow_undefined);
        assert_eq!(job.max_block_threads, 1024);
        assert_eq!(parse("a.o -o b --max-block-threads=64").unwrap().max_block_threads, 64);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(parse("a.o -o out.ptx --frobnicate").is_err());
        assert!(parse("a.o -o out.ptx -O9").is_err());
        assert!(parse("a.o -o").is_err());
        assert!(parse("a.o").is_err());
    }

    #[test]
    fn bounds_the_blocks_of_kernels_that_are_not() {
        let ptx = "\
.visible .entry _start(
\t.param .u32 p
)
{
\tret;
}
.visible .entry tuned() // @tuned
.maxntid 64
{
}
.func helper()
{
}
";
        let bound = ptx.replacen("\n{", "\n.maxntid 256\n{", 1);
        assert_eq!(bound_blocks(ptx, 256), bound);
    }

    #[test]
    fn finds_undefined_symbols() {
        let ptx = "\
.visible .global .align 8 .b8 __llvm_rpc_client[552];
.extern .func  (.param .b32 func_retval0) vprintf
(
\t.param .b64 vprintf_param_0
)
;
.extern .func  (.param .b64 func_retval0) strlen
.extern .func abandon
.extern .func abandon
.extern .shared .align 16 .b8 dynamic[];
.extern .global .align 4 .u32 counter;
.extern .global .align 8 .b8 table[64];
";
        assert_eq!(undefined_symbols(ptx), ["strlen", "abandon", "counter", "table"]);
    }
}
