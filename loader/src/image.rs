//! What is this file, and which device can run it?
//!
//! Files are told apart by their content. A file holds one piece of device code, or is a container
//! of several for different devices ([`Image::candidates`]); [`Image::select`] takes the one for
//! the device at hand. Every file that cannot be run gets one line that says what it is instead.

mod amdgpu;
mod containers;
mod elf;
mod ptx;

pub(crate) use ptx::Tokens;

use std::fs::{File, FileType};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::device::{Properties, Vendor};
use crate::error::{Error, Result};

/// What a piece of device code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// PTX text, compiled by the driver.
    Ptx,
    /// An ELF file with machine code of NVIDIA.
    Cubin,
    /// An ELF file with machine code of AMD, also called code object.
    CodeObject,
}

impl Format {
    /// Whose devices run it.
    pub fn vendor(self) -> Vendor {
        match self {
            Format::Ptx | Format::Cubin => Vendor::Nvidia,
            Format::CodeObject => Vendor::Amd,
        }
    }
}

/// One piece of device code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// What it is.
    pub format: Format,
    /// What it was made for: `sm_90`, `sm_90a`, `gfx90a`, `gfx11-generic`.
    pub architecture: String,
    /// The code itself, without container and without a terminating NUL.
    pub bytes: Vec<u8>,
}

/// No file with device code is larger, whatever it claims.
const LARGEST: u64 = 4 << 30;

/// A file with device code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// How messages call it: the path as it was given.
    pub name: String,
    /// Its pieces, in the order of the file; at least one.
    pub candidates: Vec<Code>,
}

impl Image {
    /// Reads and recognises a file.
    pub fn open(path: &Path) -> Result<Image> {
        let name = path.display().to_string();
        let problem = |text: String| Error::Image(format!("{name}: {text}"));
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => problem("there is no such file; give the path of a GPU image".into()),
            _ => problem(format!("cannot be opened: {error}")),
        })?;
        if !metadata.is_file() {
            return Err(problem(format!("is {}", other_than_a_file(metadata.file_type()))));
        }
        if metadata.len() > LARGEST {
            return Err(problem(format!("is larger than {} GiB; no image is", LARGEST >> 30)));
        }
        let mut bytes = Vec::new();
        // Some files of the system have more than they say, without end.
        File::open(path)
            .and_then(|file| file.take(metadata.len()).read_to_end(&mut bytes))
            .map_err(|error| problem(format!("cannot be read: {error}; check its permissions")))?;
        Image::parse(name, &bytes)
    }

    /// Recognises the content of a file that messages shall call `name`.
    pub fn parse(name: impl Into<String>, bytes: &[u8]) -> Result<Image> {
        let name = name.into();
        match recognise(bytes) {
            Ok(candidates) => Ok(Image { name, candidates }),
            Err(text) => Err(Error::Image(format!("{name}: {text}"))),
        }
    }

    /// Whether a device of this vendor may be able to run it.
    pub fn is_for(&self, vendor: Vendor) -> bool {
        self.candidates.iter().any(|code| code.format.vendor() == vendor)
    }

    /// The piece that fits the device best: its very architecture before a compatible one, machine
    /// code before PTX. `ptx_only` asks for PTX, which is what an interpreter runs.
    pub fn select(&self, device: &Properties, ptx_only: bool) -> Result<&Code> {
        let best = self
            .candidates
            .iter()
            .filter(|code| !(ptx_only && code.format == Format::Cubin))
            .filter_map(|code| Some((fitness(code, device)?, code)))
            .max_by_key(|&(fitness, _)| fitness);
        if let Some((_, code)) = best {
            return Ok(code);
        }
        if ptx_only && self.candidates.iter().all(|c| c.format == Format::Cubin) {
            return Err(Error::Image(format!(
                "{}: the emulator interprets PTX and cannot run a cubin; give it the image as PTX",
                self.name
            )));
        }
        let mut found: Vec<&str> = self.candidates.iter().map(|code| code.architecture.as_str()).collect();
        found.dedup();
        Err(Error::Image(format!(
            "{}: was built for {} and cannot run on device {} ({}), which is {}; build it for that architecture{}",
            self.name,
            found.join(", "),
            device.ordinal,
            device.name,
            device.architecture,
            if device.vendor == Vendor::Nvidia {
                " or an older one as PTX"
            } else {
                ""
            },
        )))
    }
}

/// What has a name in the file system and no content that could be an image; to read from it might never end.
fn other_than_a_file(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a directory; give the path of the image file in it"
    } else if kind.is_fifo() {
        "a pipe; write the image into a file first"
    } else if kind.is_socket() {
        "a socket; give the path of an image file"
    } else {
        "a device; give the path of an image file"
    }
}

/// How well `code` fits `device`: `None` if it cannot run there, else a rank (greater is better).
fn fitness(code: &Code, device: &Properties) -> Option<u32> {
    if code.format.vendor() != device.vendor {
        return None;
    }
    match code.format {
        Format::CodeObject => amdgpu::fitness(&code.architecture, &device.architecture),
        Format::Cubin | Format::Ptx => {
            let wanted = ptx::SmName::parse(&code.architecture)?;
            let present = ptx::SmName::parse(&device.architecture)?;
            if code.format == Format::Cubin {
                // Machine code runs on its own major version, from its own minor version on.
                (wanted.major() == present.major() && wanted.number <= present.number).then_some(1_000 + wanted.number)
            } else {
                wanted.ptx_runs_on(present).then_some(wanted.number)
            }
        }
    }
}

fn recognise(bytes: &[u8]) -> std::result::Result<Vec<Code>, String> {
    if bytes.is_empty() {
        return Err("is empty; was the build interrupted?".into());
    }
    if bytes.starts_with(elf::MAGIC) {
        return elf::recognise(bytes).map(|code| vec![code]);
    }
    if bytes.starts_with(containers::OFFLOAD_MAGIC) {
        return containers::offload_binary(bytes);
    }
    if bytes.starts_with(containers::FATBIN_MAGIC) || bytes.starts_with(containers::FATBIN_WRAPPER_MAGIC) {
        return containers::fatbin(bytes);
    }
    for (magic, what) in [
        (b"BC\xC0\xDE".as_slice(), "LLVM bitcode; link it into an image first"),
        (b"!<arch>\n", "a static library; link it into an image first"),
        (
            b"__CLANG_OFFLOAD_BUNDLE__",
            "a clang offload bundle; extract the image with clang-offload-bundler first",
        ),
        (
            b"CCOB",
            "a compressed clang offload bundle; extract the image with clang-offload-bundler first",
        ),
        (b"\x1F\x8B", "gzip-compressed; unpack it first"),
        (b"\x28\xB5\x2F\xFD", "zstd-compressed; unpack it first"),
        (b"MZ", "a Windows program, not a GPU image"),
        (b"#!", "a script, not a GPU image"),
    ] {
        if bytes.starts_with(magic) {
            return Err(format!("is {what}"));
        }
    }
    if bytes.len() < 4 && elf::MAGIC.starts_with(bytes) {
        return Err("is truncated: an ELF file of less than its header; build or copy it again".into());
    }
    let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    if let Some(architecture) = ptx::target(text)? {
        return Ok(vec![Code {
            format: Format::Ptx,
            architecture,
            bytes: text.to_vec(),
        }]);
    }
    Err(match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            "is a text file but not PTX (which begins with a .version directive)".into()
        }
        _ => "is no GPU image; PTX, cubin, amdgcn ELF, LLVM offload binary and CUDA fatbin are known".to_string(),
    })
}

#[cfg(test)]
pub(crate) mod tests;
