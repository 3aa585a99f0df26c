//! LLVM's own offload library, as somebody else's client of the emulated HSA runtime and somebody else's server of our calls.
//!
//! `client.c` loads an image for gfx90a and launches its kernels, as `llvm-gpu-loader` does, which is a client of the same library and in
//! no package; the library finds `__llvm_rpc_client` in the image and serves its calls with LLVM's server. What comes out must be what
//! `gpu-loader` lets out, from the usual image of `hello` and from those that `build-gpu --llvm-loader` makes. The library is Debian's `liboffload-22`,
//! which `cargo xtask test e2e` unpacks beside the GPU compiler where it can; without it, or without `GPU_LOADER` and `GPU_IMAGES`,
//! this is skipped.

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
        for needed in [&header, &parts.images.join(IMAGES[0])] {
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
    fn theirs(&self, client: &Path, image: &Path) -> Output {
        let emulator = self.loader.parent().expect("a folder").join("emulator");
        let libraries = [emulator, self.llvm.join("lib"), self.system.clone()];
        let mut command = Command::new("timeout");
        command.arg("60").arg(client).arg(image).args(ARGUMENTS);
        command.env("LD_LIBRARY_PATH", env::join_paths(libraries).expect("no colon"));
        command.env("GPU_EMULATOR_HSA_ISA", "gfx90a");
        command.output().expect("a program")
    }
}

const ARGUMENTS: [&str; 3] = ["two words", "", "é"];

/// What is run, from the folder of the images.
const IMAGES: [&str; 4] = [
    "hello.gfx90a.hsaco",
    "llvm-loader/hello.gfx90a.hsaco",
    "llvm-loader/no_calls.gfx90a.hsaco",
    "llvm-loader/panics.gfx90a.hsaco",
];

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
    for name in IMAGES {
        let image = parts.images.join(name);
        let bytes = fs::read(&image).unwrap_or_else(|error| panic!("{}: {error}", image.display()));
        // llvm-gpu-loader runs no image without it, be there calls or not.
        let symbol = b"__llvm_rpc_client";
        assert!(bytes.windows(symbol.len()).any(|window| window == symbol), "{name}");
        let theirs = parts.theirs(&client, &image);
        let mut ours = Command::new(&parts.loader);
        ours.args(["--backend", "emulator"]).arg(&image).args(ARGUMENTS);
        let ours = ours.output().expect("the loader");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&theirs.stderr), text(&ours.stderr), "{name}");
        assert_eq!(text(&theirs.stdout), text(&ours.stdout), "{name}");
        assert_eq!(theirs.status.code(), ours.status.code(), "{name}");
        let (end, code) = match name {
            _ if name.contains("no_calls") => ("", 5),
            _ if name.contains("panics") => ("unknown mode \"two words\"\n", 101),
            _ => ("two words\n\né\n", 127),
        };
        assert!(text(&theirs.stderr).ends_with(end), "{name}: {}", text(&theirs.stderr));
        assert_eq!(theirs.status.code(), Some(code), "{name}");
    }
}
