//! LLVM's own offload library, as somebody else's client of the emulated HSA runtime and somebody else's server of our calls.
//!
//! `client.c` loads an image for gfx90a and launches its kernels; the library finds `__llvm_rpc_client` in the image and serves its calls
//! with LLVM's server. `llvm-gpu-loader`, which is in no package, has the same server: that of LLVM 22 talks with the HSA runtime itself,
//! later ones are clients of this library too. What comes out must be what `gpu-loader` lets out, from usual images and from
//! those that `build-gpu --llvm-loader` makes. The library is Debian's `liboffload-22`, which `cargo xtask test e2e` unpacks beside the GPU
//! compiler where it can; without it, or without `GPU_LOADER` and `GPU_IMAGES`, this is skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// What the test needs from outside.
struct Parts {
    /// The folder of LLVM 22.
    llvm: PathBuf,
    /// Where libraries of the system lie that LLVM needs.
    system: PathBuf,
    loader: PathBuf,
    images: PathBuf,
}

impl Parts {
    fn find() -> Result<Self, String> {
        let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
            return Err("GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them".into());
        };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let toolchain = env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
            || workspace.join("target/gpu-toolchain"),
            |folder| workspace.join(folder),
        );
        let libraries = toolchain.join("root/usr/lib");
        let parts = Self {
            llvm: libraries.join("llvm-22"),
            system: libraries.join("x86_64-linux-gnu"),
            loader: loader.into(),
            images: images.into(),
        };
        let header = parts.llvm.join("include/offload/OffloadAPI.h");
        for needed in [&header, &parts.images.join(RUNS[0].0)] {
            if !needed.exists() {
                return Err(format!("there is no {}", needed.display()));
            }
        }
        Ok(parts)
    }

    /// Builds the client against Debian's header and library.
    fn client(&self) -> PathBuf {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("offload-client");
        let status = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-isystem"])
            .arg(self.llvm.join("include/offload"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offload_llvm/client.c"))
            .arg("-o")
            .arg(&program)
            .arg("-L")
            .arg(self.llvm.join("lib"))
            // What the library itself needs lies in folders that only the loader of programs is told of.
            .args(["-l:libLLVMOffload.so.22.1", "-Wl,--allow-shlib-undefined"])
            .status()
            .expect("a C compiler");
        assert!(status.success(), "client.c does not compile");
        program
    }

    /// Runs an image under LLVM's library.
    fn theirs(&self, client: &Path, image: &Path, arguments: &[&str]) -> Output {
        let emulator = self.loader.parent().expect("a folder").join("emulator");
        let libraries = [emulator, self.llvm.join("lib"), self.system.clone()];
        let mut command = Command::new("timeout");
        command.arg("60").arg(client).arg(image).args(arguments);
        command.env("LD_LIBRARY_PATH", env::join_paths(libraries).expect("no colon"));
        command.env("GPU_EMULATOR_HSA_ISA", "gfx90a");
        command.output().expect("a program")
    }
}

/// What is run, from the folder of the images: with which arguments, what comes out last on standard output and standard error, and the
/// exit code.
const RUNS: [(&str, &[&str], &str, &str, i32); 5] = [
    ("hello.gfx90a.hsaco", WORDS, "", "two words\n\né\n", 127),
    ("llvm-loader/hello.gfx90a.hsaco", WORDS, "", "two words\n\né\n", 127),
    ("llvm-loader/no_calls.gfx90a.hsaco", WORDS, "", "", 5),
    (
        "llvm-loader/panics.gfx90a.hsaco",
        WORDS,
        "",
        "unknown mode \"two words\"\n",
        101,
    ),
    // The host ends without flushing what it holds back for a pipe, unless it is told to.
    ("exit_codes.gfx90a.hsaco", &["exit", "9"], "at exit\n", "", 9),
];
const WORDS: &[&str] = &["two words", "", "é"];

#[test]
fn llvms_server_serves_our_calls_on_the_emulated_runtime() {
    let parts = match Parts::find() {
        Ok(parts) => parts,
        Err(reason) => {
            eprintln!("skipped: {reason}");
            return;
        }
    };
    let client = parts.client();
    for (name, arguments, stdout, stderr, code) in RUNS {
        let image = parts.images.join(name);
        let bytes = fs::read(&image).unwrap_or_else(|error| panic!("{}: {error}", image.display()));
        // llvm-gpu-loader runs no image without it, be there calls or not.
        let symbol = b"__llvm_rpc_client";
        assert!(bytes.windows(symbol.len()).any(|window| window == symbol), "{name}");
        let theirs = parts.theirs(&client, &image, arguments);
        let mut ours = Command::new(&parts.loader);
        ours.args(["--backend", "emulator"]);
        if name.starts_with("llvm-loader/") {
            // What llvm-gpu-loader gives a thread.
            ours.args(["--stack-size", "3K"]);
        }
        ours.arg(&image).args(arguments);
        let ours = ours.output().expect("the loader");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&theirs.stderr), text(&ours.stderr), "{name}");
        assert_eq!(text(&theirs.stdout), text(&ours.stdout), "{name}");
        assert_eq!(theirs.status.code(), ours.status.code(), "{name}");
        assert!(
            text(&theirs.stdout).ends_with(stdout),
            "{name}: {}",
            text(&theirs.stdout)
        );
        assert!(
            text(&theirs.stderr).ends_with(stderr),
            "{name}: {}",
            text(&theirs.stderr)
        );
        assert_eq!(theirs.status.code(), Some(code), "{name}");
    }
}
