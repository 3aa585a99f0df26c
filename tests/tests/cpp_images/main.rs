//! Images that clang makes of C++: virtual functions, recursion, function pointers, arrays on the stack, LDS and barriers, arithmetic of
//! all widths with half precision among them; for every processor of AMD, with wavefronts of both sizes where it has two, and for three
//! generations of NVIDIA's, optimised and not. What they compute is what the same source computes on the host, bit by bit.
//!
//! Skipped without `GPU_LOADER` (`cargo xtask test e2e` sets it) and without clang in the folder of the GPU compiler.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Options, Parameters, Runtime};

const ITEMS: u32 = 128;

/// clang of the GPU compiler.
struct Clang {
    usr: PathBuf,
}

impl Clang {
    fn find() -> Option<Self> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let toolchain = env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
            || workspace.join("target/gpu-toolchain"),
            |folder| workspace.join(folder),
        );
        let usr = toolchain.join("root/usr");
        usr.join("lib/llvm-22/bin/clang++").exists().then_some(Self { usr })
    }

    fn compile(&self, arguments: &[&str], output: &str) -> PathBuf {
        let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(output);
        let libraries = [self.usr.join("lib/x86_64-linux-gnu"), self.usr.join("lib/llvm-22/lib")];
        let status = Command::new(self.usr.join("lib/llvm-22/bin/clang++"))
            .env("LD_LIBRARY_PATH", env::join_paths(libraries).expect("no colon"))
            .args([
                "-std=c++17",
                "-fno-rtti",
                "-fno-exceptions",
                "-ffp-contract=off",
                "-Xclang",
                "-ffloat16-excess-precision=none",
            ])
            .args(arguments)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp_images/portable.cpp"))
            .arg("-o")
            .arg(&output)
            .status()
            .expect("clang++");
        assert!(status.success(), "clang++ {arguments:?} failed");
        output
    }
}

/// What the host computes: the words of all items, then their sum. It needs no C++ library, which the system may lack.
fn expected(clang: &Clang) -> Vec<u32> {
    let program = clang.compile(&["-O1", "-DHOST", "-nostdlib++"], "portable-host");
    let output = Command::new(program).output().expect("a program of the host");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

fn run(path: &Path, words: usize) -> Vec<u32> {
    let image = Image::open(path).expect("an image");
    let runtime = Runtime::open(&image, Backend::Emulator, 0).expect("the emulator");
    let program = runtime.load(&image, Options::default()).expect("it loads");
    let out = program.device().alloc_device(4 * words).expect("memory");
    let shape = LaunchShape {
        grid: [1, 1, 1],
        block: [ITEMS, 1, 1],
        shared_bytes: 0,
    };
    for kernel in ["compute", "reduce"] {
        // SAFETY: the kernel takes the address of as many words as were allocated, which stay.
        let launch = unsafe { program.launch(kernel, shape, Parameters::new().with(out).bytes(), None) };
        launch
            .and_then(|launch| launch.wait())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let mut bytes = vec![0; 4 * words];
    program.device().read(out, &mut bytes).expect("results");
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    bytes.as_chunks().0.iter().map(word).collect()
}

#[test]
fn every_processor_computes_what_the_host_does() {
    let Some(loader) = env::var_os("GPU_LOADER") else {
        eprintln!("skipped: GPU_LOADER is not set; `cargo xtask test e2e` sets it");
        return;
    };
    let Some(clang) = Clang::find() else {
        eprintln!("skipped: no clang++ in the folder of the GPU compiler");
        return;
    };
    if env::var_os("GPU_EMULATOR_DIR").is_none() {
        // SAFETY: the only test of this program; no other thread reads the environment yet.
        unsafe { env::set_var("GPU_EMULATOR_DIR", Path::new(&loader).with_file_name("emulator")) };
    }
    let expected = expected(&clang);
    for (image, name) in amd_images(&clang).into_iter().chain(nvidia_images(&clang)) {
        let words = run(&image, expected.len());
        let wrong = words.iter().zip(&expected).position(|(is, should)| is != should);
        assert_eq!(wrong, None, "{name}: the first word that differs from the host's");
    }
}

/// Optimised and not.
const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// For AMD, each with what it was built for.
fn amd_images(clang: &Clang) -> Vec<(PathBuf, String)> {
    let mut images = Vec::new();
    for (processor, waves) in [
        ("gfx90a", &[""][..]),
        ("gfx942", &[""]),
        ("gfx1030", &["-mno-wavefrontsize64", "-mwavefrontsize64"]),
        ("gfx1100", &["-mno-wavefrontsize64", "-mwavefrontsize64"]),
    ] {
        for (wave, level) in waves.iter().flat_map(|wave| LEVELS.map(|level| (wave, level))) {
            let cpu = format!("-mcpu={processor}");
            let mut arguments = vec!["--target=amdgcn-amd-amdhsa", &cpu, "-nogpulib", "-nostdlib", level];
            // The loader finds kernels by name; everything else stays inside.
            arguments.push("-mcode-object-version=5");
            arguments.extend([*wave].into_iter().filter(|wave| !wave.is_empty()));
            let name = format!("{processor}{wave}{level}");
            images.push((clang.compile(&arguments, &format!("portable.{name}.hsaco")), name));
        }
    }
    images
}

/// For NVIDIA, likewise.
fn nvidia_images(clang: &Clang) -> Vec<(PathBuf, String)> {
    let mut images = Vec::new();
    for processor in ["sm_70", "sm_80", "sm_90"] {
        for level in LEVELS {
            let cpu = format!("-march={processor}");
            let mut arguments = vec!["--target=nvptx64-nvidia-cuda", &cpu, "-nogpulib", "-S", level];
            // Without CUDA's headers clang does not know which version of PTX it may write.
            arguments.extend(["-Xclang", "-target-feature", "-Xclang", "+ptx80"]);
            let name = format!("{processor}{level}");
            images.push((clang.compile(&arguments, &format!("portable.{name}.ptx")), name));
        }
    }
    images
}
