//! PTX into NVIDIA's machine code, with the CUDA toolkit's assembler where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, iter};

use anyhow::{Context, Result, bail};

use crate::exec;

/// A cubin of `image.ptx` for the GPUs of this machine, which a driver need not compile: where ptxas is at hand, all GPUs are of one kind
/// and their driver is not older than ptxas.
pub fn for_this_machine(image: &Path) -> Result<Option<PathBuf>> {
    let Some(ptxas) = find() else { return Ok(None) };
    let ask = |program: &Path, arguments: &[&str]| exec::capture_text(Command::new(program).args(arguments)).ok();
    let smi = Path::new("nvidia-smi");
    let kinds = ask(smi, &["--query-gpu=compute_cap", "--format=csv,noheader"]);
    let Some(cpu) = kinds.as_deref().and_then(processor) else {
        return Ok(None);
    };
    let takes = ask(smi, &[]).and_then(|text| major_version(&text, "CUDA Version:"));
    let makes = ask(&ptxas, &["--version"]).and_then(|text| major_version(&text, ", release"));
    match (makes, takes) {
        (Some(makes), Some(takes)) if makes <= takes => to_cubin(image, &cpu).map(Some),
        _ => Ok(None),
    }
}

/// What the compiler calls the GPUs whose capabilities (`9.0`) these lines are, if they are all of one kind.
fn processor(capabilities: &str) -> Option<String> {
    let mut lines = capabilities.lines().map(str::trim);
    let first = lines.next()?;
    let (major, minor) = first.split_once('.')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    (is_number(major) && is_number(minor) && lines.all(|line| line == first)).then(|| format!("sm_{major}{minor}"))
}

/// The major number of the version behind `word`.
fn major_version(text: &str, word: &str) -> Option<u32> {
    let (_, behind) = text.split_once(word)?;
    behind.trim_start().split('.').next()?.parse().ok()
}

/// Assembles `image.ptx` for one processor and returns the cubin, which lies beside it. One that is not older than the PTX stays.
pub fn to_cubin(image: &Path, cpu: &str) -> Result<PathBuf> {
    let Some(ptxas) = find() else {
        bail!(
            "an ELF image for NVIDIA needs ptxas of a CUDA toolkit, and neither PATH nor CUDA_HOME \
             has it; {} is its PTX",
            image.display()
        );
    };
    let cubin = cubin_of(image, cpu);
    let changed = |file: &Path| fs::metadata(file).and_then(|data| data.modified());
    if changed(&cubin).is_ok_and(|cubin| changed(image).is_ok_and(|ptx| ptx <= cubin)) {
        return Ok(cubin);
    }
    // Put into place at once: one that was begun is newer than the PTX, too.
    let partial = cubin.with_added_extension(std::process::id().to_string());
    exec::capture(
        Command::new(ptxas)
            .arg(format!("-arch={cpu}"))
            .arg(image)
            .arg("-o")
            .arg(&partial),
    )?;
    fs::rename(&partial, &cubin).with_context(|| format!("cannot make {}", cubin.display()))?;
    Ok(cubin)
}

/// The name of an image for another processor than the default one says which already.
fn cubin_of(image: &Path, cpu: &str) -> PathBuf {
    let stem = image.with_extension("");
    let name = stem.file_name().unwrap_or_default().to_string_lossy();
    if name.split('.').any(|part| part == cpu) {
        stem.with_added_extension("cubin")
    } else {
        stem.with_added_extension(format!("{cpu}.cubin"))
    }
}

fn find() -> Option<PathBuf> {
    let home = ["CUDA_HOME", "CUDA_PATH"]
        .iter()
        .filter_map(|name| Some(Path::new(&env::var_os(name)?).join("bin")));
    let path = env::var_os("PATH").unwrap_or_default();
    home.chain(env::split_paths(&path))
        .chain(iter::once("/usr/local/cuda/bin".into()))
        .map(|folder| folder.join("ptxas"))
        .find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tools_say_is_understood() {
        assert_eq!(processor("9.0\n9.0\n").as_deref(), Some("sm_90"));
        assert_eq!(processor("12.0").as_deref(), Some("sm_120"));
        for text in ["9.0\n8.0\n", "", "[N/A]", "9", "Failed to initialize NVML: 1.2"] {
            assert_eq!(processor(text), None, "{text}");
        }
        let smi = "| NVIDIA-SMI 580.159.04    Driver Version: 580.159.04   CUDA Version: 13.0     |";
        assert_eq!(major_version(smi, "CUDA Version:"), Some(13));
        let ptxas = "Cuda compilation tools, release 12.8, V12.8.93";
        assert_eq!(major_version(ptxas, ", release"), Some(12));
        assert_eq!(major_version("CUDA Version: N/A", "CUDA Version:"), None);
    }

    #[test]
    fn a_cubin_names_its_processor_once() {
        let name = |image: &str, cpu: &str| cubin_of(Path::new(image), cpu);
        assert_eq!(name("a.b/hello.ptx", "sm_70"), Path::new("a.b/hello.sm_70.cubin"));
        assert_eq!(name("hello.sm_90.ptx", "sm_90"), Path::new("hello.sm_90.cubin"));
        assert_eq!(name("hello.sm_90.O0.ptx", "sm_90"), Path::new("hello.sm_90.O0.cubin"));
        assert_eq!(name("hello.sm_80.ptx", "sm_90"), Path::new("hello.sm_80.sm_90.cubin"));
    }
}
