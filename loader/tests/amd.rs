//! `gpu-loader` as a process over the emulated HSA runtime: what images for AMD are promised, on each processor and in both versions of
//! their format.
//!
//! Skipped without clang in the folder of the GPU compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod common;

/// The processors, and what makes clang choose the wider of two wavefronts.
const PROCESSORS: [&str; 4] = ["gfx90a", "gfx942", "gfx1030", "gfx1100"];
const WIDE: &str = "-mwavefrontsize64";

/// `amd.c` for a processor, or nothing where clang is missing.
fn image(processor: &str, options: &[&str]) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let toolchain = std::env::var_os("GPU_TOOLCHAIN_DIR")
        .map_or_else(|| root.join("target/gpu-toolchain"), |folder| root.join(folder));
    let libraries = toolchain.join("root/usr/lib");
    let clang = libraries.join("llvm-22/bin/clang-22");
    if !clang.exists() {
        eprintln!("skipped: no {}; run `cargo xtask setup`", clang.display());
        return None;
    }
    let name = format!("amd.{processor}{}.hsaco", options.concat().replace(['=', ','], "-"));
    let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Tests run side by side and share images: each builds its own and puts it into place at once.
    let own = image.with_extension(format!("{:?}", std::thread::current().id()));
    let folders = [libraries.join("x86_64-linux-gnu"), libraries.join("llvm-22/lib")];
    let built = Command::new(clang)
        .env("LD_LIBRARY_PATH", std::env::join_paths(folders).unwrap())
        .args([
            "--target=amdgcn-amd-amdhsa",
            "-nogpulib",
            "-nostdlib",
            "-O1",
            "-Wall",
            "-Werror",
        ])
        .args(["-fvisibility=default", "-mcode-object-version=5"])
        .arg(format!("-mcpu={processor}"))
        .args(options)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/amd.c"))
        .arg("-o")
        .arg(&own)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    std::fs::rename(own, &image).unwrap();
    Some(image)
}

/// The exit code and what was written to stderr, on the emulator unless the options say otherwise.
fn outcome(image: &Path, options: &[&str], args: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    let backend: &[_] = if options.contains(&"--backend") {
        &[]
    } else {
        &["--backend", "emulator"]
    };
    let output = Command::new(env!("CARGO_BIN_EXE_gpu-loader"))
        .env("GPU_EMULATOR_DIR", common::emulator("amd"))
        .envs(environment.iter().copied())
        .args(backend)
        .args(options)
        .arg(image)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty() && !stderr.contains("panicked"), "{stderr}");
    (output.status.code().expect("ended by a signal"), stderr)
}

/// What a run that succeeds ends with.
fn code(image: &Path, options: &[&str], args: &[&str]) -> i32 {
    let (code, stderr) = outcome(image, options, args, &[]);
    assert_eq!(stderr, "", "{} {args:?}", image.display());
    code
}

#[test]
fn every_processor_runs_images_of_both_versions() {
    for processor in PROCESSORS {
        for version in ["-mcode-object-version=5", "-mcode-object-version=6"] {
            let Some(image) = image(processor, &[version]) else {
                return;
            };
            let environment = ["--no-inherit-env", "--env", "!NAME=value"];
            assert_eq!(code(&image, &environment, &["arguments", "", "x"]), 4 + i32::from(b'!'));
            assert_eq!(code(&image, &["--threads", "2", "--blocks", "3"], &["bits"]), 0b11_1111);
            // All GPUs that are emulated count 100 MHz.
            assert_eq!(code(&image, &[], &["clock"]), 100);
        }
    }
}

#[test]
fn hidden_arguments_are_filled() {
    for processor in PROCESSORS {
        for version in ["-mcode-object-version=5", "-mcode-object-version=6"] {
            let Some(image) = image(processor, &[version]) else {
                return;
            };
            let shape = ["--blocks", "5", "--threads", "6,2,3"];
            assert_eq!(
                code(&image, &shape, &["hidden"]),
                0,
                "{processor} {version}: a bit for each that is wrong"
            );
        }
    }
}

#[test]
fn the_width_of_wavefronts_is_the_kernels() {
    for (processor, options, lanes) in [
        ("gfx90a", &[][..], 64),
        ("gfx942", &[], 64),
        ("gfx1030", &[], 32),
        ("gfx1030", &[WIDE], 64),
        ("gfx1100", &[], 32),
        ("gfx1100", &[WIDE], 64),
    ] {
        let Some(image) = image(processor, options) else { return };
        assert_eq!(code(&image, &[], &["width"]), lanes, "{processor} {options:?}");
    }
}

/// A stack that no metadata can tell the size of: what is reserved is what the user says.
#[test]
fn kernels_with_a_dynamic_stack_get_what_is_asked_for() {
    for processor in PROCESSORS {
        let Some(image) = image(processor, &[]) else { return };
        assert_eq!(code(&image, &["--stack-size", "128K"], &["depth"]), 200);
        let (code, stderr) = outcome(&image, &["--stack-size", "8K"], &["depth"], &[]);
        assert_eq!(code, 134, "{processor}: {stderr}");
        assert!(
            stderr.contains("kernel _start") && stderr.contains("--stack-size"),
            "{stderr}"
        );
    }
}

#[test]
fn faults_name_the_kernel_and_the_cause() {
    for processor in PROCESSORS {
        let Some(image) = image(processor, &[]) else { return };
        for (case, cause) in [("trap", "trap"), ("null", "0x40 is a null pointer")] {
            let (code, stderr) = outcome(&image, &[], &[case], &[]);
            assert_eq!(code, 134, "{processor}: {stderr}");
            assert!(stderr.contains("kernel _start") && stderr.contains(cause), "{stderr}");
        }
        let (code, stderr) = outcome(&image, &["--timeout", "0.3"], &["endless"], &[]);
        assert_eq!((code, stderr.lines().count()), (124, 1), "{processor}: {stderr}");
        assert!(stderr.contains("kernel _start still ran"), "{stderr}");
    }
}

#[test]
fn limits_are_named() {
    let Some(image) = image("gfx90a", &[]) else { return };
    for (options, words) in [
        (&["--threads", "1025"][..], &["1025 threads", "allows 1024"][..]),
        (
            &["--kernel", "narrow", "--threads", "65"],
            &["narrow", "65 threads", "allows 64"],
        ),
        (&["--shared-mem", "1M"], &["1048576 bytes", "the device has 65536"]),
        (
            &["--blocks", "4294967295", "--threads", "2"],
            &["8589934590 threads", "use another dimension"],
        ),
    ] {
        let (code, stderr) = outcome(&image, options, &[], &[]);
        assert_eq!((code, stderr.lines().count()), (125, 1), "{stderr}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{stderr}");
    }
    assert_eq!(code(&image, &["--kernel", "narrow", "--threads", "64"], &[]), 0);
}

#[test]
fn an_image_of_another_processor_names_both() {
    let Some(image) = image("gfx1030", &[]) else { return };
    let (code, stderr) = outcome(&image, &[], &["bits"], &[("GPU_EMULATOR_HSA_ISA", "gfx90a")]);
    assert_eq!((code, stderr.lines().count()), (126, 1), "{stderr}");
    assert!(
        stderr.contains("built for gfx1030") && stderr.contains("which is gfx90a"),
        "{stderr}"
    );
}

#[test]
fn what_nothing_defines_is_named() {
    let Some(image) = image("gfx90a", &["-DUNDEFINED", "-Wl,--unresolved-symbols=ignore-all"]) else {
        return;
    };
    let (code, stderr) = outcome(&image, &[], &[], &[]);
    assert_eq!((code, stderr.lines().count()), (126, 1), "{stderr}");
    assert!(stderr.contains("nowhere_to_be_found"), "{stderr}");
}

/// Where there is no runtime of AMD's: one line says that the emulator runs instead, unless the runtime was asked for.
#[test]
fn only_auto_falls_back_to_the_emulator() {
    let Some(image) = image("gfx90a", &[]) else { return };
    let (code, stderr) = outcome(&image, &["--backend", "hsa"], &["bits"], &[]);
    if code == 1 {
        eprintln!("skipped: this machine has a runtime and a device");
        return;
    }
    assert_eq!((code, stderr.lines().count()), (125, 1), "{stderr}");
    assert!(stderr.contains("--backend emulator"), "{stderr}");
    let (code, stderr) = outcome(&image, &["--backend", "auto"], &["bits"], &[]);
    assert_eq!((code, stderr.lines().count()), (1, 1), "{stderr}");
    assert!(stderr.contains("runs in the emulator"), "{stderr}");
}
