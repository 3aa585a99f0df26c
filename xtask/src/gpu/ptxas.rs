//! PTX into NVIDIA's machine code, with the CUDA toolkit's assembler where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, iter};

use anyhow::{Result, bail};

use crate::exec;

/// Assembles `image.ptx` for one processor and returns the cubin, which lies beside it.
pub fn to_cubin(image: &Path, cpu: &str) -> Result<PathBuf> {
    let Some(ptxas) = find() else {
        bail!(
            "an ELF image for NVIDIA needs ptxas of a CUDA toolkit, and neither PATH nor CUDA_HOME \
             has it; {} is its PTX",
            image.display()
        );
    };
    let cubin = cubin_of(image, cpu);
    exec::capture(
        Command::new(ptxas)
            .arg(format!("-arch={cpu}"))
            .arg(image)
            .arg("-o")
            .arg(&cubin),
    )?;
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
    fn a_cubin_names_its_processor_once() {
        let name = |image: &str, cpu: &str| cubin_of(Path::new(image), cpu);
        assert_eq!(name("a.b/hello.ptx", "sm_70"), Path::new("a.b/hello.sm_70.cubin"));
        assert_eq!(name("hello.sm_90.ptx", "sm_90"), Path::new("hello.sm_90.cubin"));
        assert_eq!(name("hello.sm_90.O0.ptx", "sm_90"), Path::new("hello.sm_90.O0.cubin"));
        assert_eq!(name("hello.sm_80.ptx", "sm_90"), Path::new("hello.sm_80.sm_90.cubin"));
    }
}
