//! Runs every device program as it was built for every target and level, and compares output and exit code with what its
//! `programs/NAME.toml` says.
//!
//! `cargo xtask test e2e` builds what is needed and calls this. By hand: `GPU_LOADER` is the loader, `GPU_IMAGES` the folder with the
//! images, `GPU_BACKEND` (`auto`) what the loader gets as `--backend`; `GPU_LARGE=1` adds the runs that take long on an emulator, and
//! `GPU_SEEDS=20` repeats the others under so many seeds of the emulator's scheduler, each a different order of lanes, warps and blocks.
//! `BLESS=1` writes what programs print into those files that name one (`stdout_file`). Arguments are those of any Rust test.

mod checks;
mod expectation;
mod image;
mod output;
mod run;
mod template;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use include_dir::{Dir, include_dir};
use libtest_mimic::{Arguments, Trial};

use expectation::Expectation;
use image::Image;
use run::Machine;

/// The expectations travel inside this executable, so that it runs on a machine without the sources.
static PROGRAMS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/programs");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("programs: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        eprintln!("programs: nothing to run: GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them");
        return Ok(Vec::new());
    };
    let machine = Machine {
        loader: PathBuf::from(loader),
        backend: env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into()),
        large: env::var_os("GPU_LARGE").is_some_and(|value| value != "0"),
        bless: env::var_os("BLESS").is_some_and(|value| value != "0"),
        seeds: match env::var("GPU_SEEDS") {
            Ok(count) => count
                .parse()
                .map_err(|_| format!("GPU_SEEDS={count} is not a number"))?,
            Err(_) => 0,
        },
    };
    let images = PathBuf::from(images);
    let mut images: Vec<Image> = fs::read_dir(&images)
        .map_err(|error| format!("cannot read {}: {error}", images.display()))?
        .filter_map(|entry| Image::from_path(entry.ok()?.path()))
        .collect();
    images.sort_by(|a, b| a.path.cmp(&b.path));

    // A compiler without clang builds none of these: the tests then count as ignored.
    let any_c = images.iter().any(|image| is_c(&image.program));
    let mut trials = Vec::new();
    for file in PROGRAMS.files() {
        let Some(program) = file.path().to_str().and_then(|name| name.strip_suffix(".toml")) else {
            continue;
        };
        // Cargo.toml lies here too.
        if program == "Cargo" {
            continue;
        }
        let expectation = Expectation::parse(program, file.contents_utf8().unwrap_or_default())?;
        let before = trials.len();
        for image in images.iter().filter(|image| image.program == program) {
            trials.extend(run::trials(&machine, &expectation, image));
        }
        if trials.len() == before {
            // A program that nobody built would otherwise be a test that nobody misses.
            let message = format!("no image of {program} in GPU_IMAGES");
            let trial = Trial::test(format!("{program}/built"), || Err(message.into()));
            trials.push(trial.with_ignored_flag(is_c(program) && !any_c));
        }
    }
    Ok(trials)
}

/// Whether a program is in C or C++, by its name.
fn is_c(program: &str) -> bool {
    program.starts_with("c_") || program.starts_with("cxx_")
}
