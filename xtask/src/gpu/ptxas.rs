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
    let cubin = image.with_extension(format!("{cpu}.cubin"));
    exec::capture(
        Command::new(ptxas)
            .arg(format!("-arch={cpu}"))
            .arg(image)
            .arg("-o")
            .arg(&cubin),
    )?;
    Ok(cubin)
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
