//! Files that hold device code for several devices.
//!
//! Offsets and sizes in them are claims: each is checked before it is used.

use super::{Code, Format, elf, ptx};

/// LLVM's offload binary (`llvm/Object/OffloadBinary.h`).
pub(super) const OFFLOAD_MAGIC: &[u8] = &[0x10, 0xFF, 0x10, 0xAD];
/// CUDA's fatbin.
pub(super) const FATBIN_MAGIC: &[u8] = &0xBA55_ED50_u32.to_le_bytes();
/// What precedes a fatbin inside a host program; points to it by address.
pub(super) const FATBIN_WRAPPER_MAGIC: &[u8] = &0x4662_43B1_u32.to_le_bytes();

type Parsed<T> = Result<T, String>;

fn slice(bytes: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(size).ok()?)?)
}

fn number<const N: usize>(bytes: &[u8], offset: u64) -> Option<u64> {
    let mut word = [0; 8];
    word[..N].copy_from_slice(slice(bytes, offset, N as u64)?);
    Some(u64::from_le_bytes(word))
}

/// Reads all the images of an offload binary, versions 1 and 2 (several of version 1 may follow
/// each other), 3 if not compressed.
pub(super) fn offload_binary(bytes: &[u8]) -> Parsed<Vec<Code>> {
    let mut found = Vec::new();
    let mut first_other = None;
    let mut rest = bytes;
    while rest.starts_with(OFFLOAD_MAGIC) {
        let size = one_offload_binary(rest, &mut found, &mut first_other)?;
        // The next one starts at a multiple of 8.
        rest = rest.get(size.next_multiple_of(8)..).unwrap_or_default();
    }
    if found.is_empty() {
        return Err(match first_other {
            Some(reason) => {
                format!("is an LLVM offload binary without a usable image; its first one {reason}")
            }
            None => "is an LLVM offload binary without a device image".into(),
        });
    }
    Ok(found)
}

/// Reads the first offload binary of `bytes` and returns its size, which is more than 0.
fn one_offload_binary(bytes: &[u8], found: &mut Vec<Code>, first_other: &mut Option<String>) -> Parsed<usize> {
    let truncated = || "is a truncated LLVM offload binary; build or copy it again".to_string();
    let damaged = || "is a damaged LLVM offload binary; build or copy it again".to_string();
    let version = number::<4>(bytes, 4).ok_or_else(truncated)?;
    let size = number::<8>(bytes, 8).ok_or_else(truncated)?;
    let entries = number::<8>(bytes, 16).ok_or_else(truncated)?;
    let (header_size, count) = match version {
        // The field holds the size of the only entry.
        1 => (32, 1),
        2 => (32, number::<8>(bytes, 24).ok_or_else(truncated)?),
        3 => (40, number::<8>(bytes, 24).ok_or_else(truncated)?),
        _ => {
            return Err(format!(
                "is an LLVM offload binary of version {version}; versions 1 to 3 are known"
            ));
        }
    };
    if version == 3 && number::<8>(bytes, 32).ok_or_else(truncated)? != 0 {
        return Err("is a compressed LLVM offload binary; build it without compression".into());
    }
    let bytes = slice(bytes, 0, size).ok_or_else(truncated)?;
    if size < header_size {
        return Err(damaged());
    }
    // Images do not overlap: otherwise a small file could claim any number of copies of itself.
    let mut left = bytes.len();
    for index in 0..count {
        // kind u16, producer u16, flags u32, strings u64 ×2, image offset u64, image size u64
        let entry = index
            .checked_mul(40)
            .and_then(|at| at.checked_add(entries))
            .and_then(|at| slice(bytes, at, 40))
            .ok_or_else(truncated)?;
        let field = |at| number::<8>(entry, at).unwrap_or(0);
        let image = slice(bytes, field(24), field(32)).ok_or_else(truncated)?;
        left = left.checked_sub(image.len()).ok_or_else(damaged)?;
        // The image says itself what it is; the strings (triple, arch) only repeat it.
        if !image.is_empty() && !image.starts_with(OFFLOAD_MAGIC) {
            match super::recognise(image) {
                Ok(codes) => found.extend(codes),
                Err(reason) => {
                    first_other.get_or_insert(reason);
                }
            }
        }
    }
    Ok(bytes.len())
}

const FATBIN_KIND_PTX: u64 = 1;
const FATBIN_KIND_ELF: u64 = 2;
const FATBIN_COMPRESSED: u64 = 0x2000 | 0x8000;

/// Reads the uncompressed pieces of a fatbin.
pub(super) fn fatbin(bytes: &[u8]) -> Parsed<Vec<Code>> {
    if bytes.starts_with(FATBIN_WRAPPER_MAGIC) {
        return Err("is only the wrapper of a CUDA fatbin; give the fatbin itself (nvcc --fatbin)".into());
    }
    let truncated = || "is a truncated CUDA fatbin; build or copy it again".to_string();
    let damaged = || "is a damaged CUDA fatbin; build or copy it again".to_string();
    let header_size = number::<2>(bytes, 6).ok_or_else(truncated)?;
    let size = number::<8>(bytes, 8).ok_or_else(truncated)?;
    if header_size < 16 {
        return Err(damaged());
    }
    let mut rest = slice(bytes, header_size, size).ok_or_else(truncated)?;
    let mut found = Vec::new();
    let mut compressed = false;
    while !rest.is_empty() {
        // kind u16, version u16, header size u32, payload size u64, …, flags u64 at 40
        let kind = number::<2>(rest, 0).ok_or_else(truncated)?;
        let header = number::<4>(rest, 4).ok_or_else(truncated)?;
        let payload_size = number::<8>(rest, 8).ok_or_else(truncated)?;
        let flags = number::<8>(rest, 40).ok_or_else(truncated)?;
        if header < 48 {
            return Err(damaged());
        }
        let payload = slice(rest, header, payload_size).ok_or_else(truncated)?;
        if flags & FATBIN_COMPRESSED != 0 {
            compressed = true;
        } else if kind == FATBIN_KIND_ELF {
            found.push(elf::recognise(payload)?);
        } else if kind == FATBIN_KIND_PTX {
            let end = payload.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
            let text = &payload[..end];
            if let Some(architecture) = ptx::target(text)? {
                found.push(Code {
                    format: Format::Ptx,
                    architecture,
                    bytes: text.to_vec(),
                });
            }
        }
        rest = &rest[header as usize + payload.len()..];
    }
    if found.is_empty() {
        return Err(if compressed {
            "is a CUDA fatbin with compressed content only; build it with --no-compress".into()
        } else {
            "is a CUDA fatbin without PTX or cubin".to_string()
        });
    }
    Ok(found)
}
