//! LLVM's programs, for tests that need them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use emulator::amdgcn::target::{Target, Wave};

/// LLVM's programs.
pub struct Llvm {
    root: PathBuf,
}

impl Llvm {
    /// LLVM 22 in the GPU toolchain's folder. Says so where there is none.
    pub fn find() -> Option<Llvm> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
        let toolchain = env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
            || workspace.join("target/gpu-toolchain"),
            |folder| workspace.join(folder),
        );
        let root = toolchain.join("root/usr/lib");
        let found = root.join("llvm-22/bin/llvm-objdump").exists();
        if !found {
            eprintln!(
                "skipped: no LLVM 22 in {}; run `cargo xtask setup`",
                toolchain.display()
            );
        }
        found.then_some(Llvm { root })
    }

    /// One of its programs.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.root.join("llvm-22/bin").join(program));
        let libraries = [self.root.join("x86_64-linux-gnu"), self.root.join("llvm-22/lib")];
        command.env(
            "LD_LIBRARY_PATH",
            env::join_paths(libraries).expect("no colon in the path"),
        );
        command
    }

    /// Runs one of its programs to success.
    pub fn run(&self, program: &str, arguments: &[&str]) {
        let status = self
            .command(program)
            .args(arguments)
            .status()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(status.success(), "{program} {arguments:?} failed");
    }

    /// Compiles `tests/amdgcn/PROGRAM.cpp` to an image; answers where it is.
    pub fn compile(&self, program: &str, target: Target, wave: Wave, flags: &[&str]) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/amdgcn/{program}.cpp"));
        // Tests of one executable run at the same time and may want the same program.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let image = temporary(&format!(
            "{program}.{target}.{}{}.{number}",
            wave.lanes(),
            flags.concat()
        ));
        let mcpu = format!("-mcpu={target}");
        let mut arguments = vec!["--target=amdgcn-amd-amdhsa", &mcpu, "-nogpulib", "-nostdlib"];
        if target.default_wave() == Wave::W32 && wave == Wave::W64 {
            arguments.push("-mwavefrontsize64");
        }
        arguments.extend(flags);
        let output = image.to_str().expect("a path in UTF-8");
        arguments.extend(["-o", output, source.to_str().expect("a path in UTF-8")]);
        self.run("clang++", &arguments);
        image
    }
}

/// A file for tests.
pub fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
