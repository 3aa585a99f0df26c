//! Images: what a caller hands over to be loaded, and the PTX in it.

use std::ffi::{CStr, c_char};

use crate::border::In;
use crate::status::{Result, Status};

/// The beginnings that tell images apart.
const ELF: &[u8] = b"\x7fELF";
const FATBIN: u32 = 0xba55_ed50;
/// What compilers put around the address of a fat binary.
const FATBIN_WRAPPER: u32 = 0x4662_43b1;

/// Bytes of the header of a fat binary: magic, version, its own size, size of all entries.
const FATBIN_HEADER: usize = 16;
/// The kind of an entry that holds PTX.
const ENTRY_PTX: u16 = 1;
/// Bytes of an entry's header up to its flags.
const ENTRY_HEADER: usize = 0x30;
/// Flags of an entry whose content is compressed, one per method.
const COMPRESSED: u64 = 0x1000 | 0x2000 | 0x8000;

/// Why an image cannot be run, for the error log.
pub type Reason = &'static str;

const CUBIN: Reason = "the image is a cubin (machine code of a GPU), which cannot run here: use PTX";
const NO_PTX: Reason = "the fat binary holds no PTX, and its machine code cannot run here: add PTX \
                        (nvcc: -gencode arch=compute_XX,code=compute_XX)";
const PACKED: Reason = "the PTX in the fat binary is compressed: build it with --no-compress";
const BROKEN: Reason = "the fat binary is damaged";

/// The PTX of an image whose size only the image itself tells.
///
/// # Errors
/// A status, and the reason for the log.
pub fn ptx_at<'a>(image: In<u8>) -> std::result::Result<&'a [u8], (Status, Reason)> {
    if image.0.is_null() {
        return Err((Status::INVALID_VALUE, "there is no image"));
    }
    let mut begin = Vec::new();
    while begin.len() < 4 && begin.last() != Some(&0) {
        // SAFETY: no image is shorter than its magic, PTX included: a shorter text ends with NUL,
        // where the reading stops.
        begin.push(unsafe { image.0.add(begin.len()).read() });
    }
    if begin == ELF {
        return Err((Status::NO_BINARY_FOR_GPU, CUBIN));
    }
    let magic = <[u8; 4]>::try_from(&*begin).map_or(0, u32::from_le_bytes);
    match magic {
        FATBIN_WRAPPER => {
            // Magic, version, and the address of the fat binary.
            let wrapped = In(image.0.cast::<[usize; 2]>())
                .get()
                .map_err(|status| (status, BROKEN))?;
            fatbin(wrapped[1] as *const u8)
        }
        FATBIN => fatbin(image.0),
        // SAFETY: a text, which by the contract of the entry points ends with NUL.
        _ => Ok(unsafe { CStr::from_ptr(image.0.cast::<c_char>()) }.to_bytes()),
    }
}

/// The PTX of a fat binary whose size only its header tells.
fn fatbin<'a>(start: *const u8) -> std::result::Result<&'a [u8], (Status, Reason)> {
    let header = In(start.cast::<[u8; FATBIN_HEADER]>())
        .get()
        .map_err(|status| (status, BROKEN))?;
    let size = u64::from_le_bytes(*header[8..].first_chunk().expect("8 bytes")) as usize;
    let header_size = usize::from(u16::from_le_bytes([header[6], header[7]]));
    let whole = header_size
        .checked_add(size)
        .filter(|whole| *whole <= isize::MAX as usize);
    let whole = whole.ok_or((Status::INVALID_IMAGE, BROKEN))?;
    // SAFETY: the header says how long the fat binary is, and there is no other place to ask.
    ptx_of(unsafe { std::slice::from_raw_parts(start, whole) })
}

/// The PTX of an image.
///
/// # Errors
/// A status, and the reason for the log.
pub fn ptx_of(image: &[u8]) -> std::result::Result<&[u8], (Status, Reason)> {
    if image.starts_with(ELF) {
        return Err((Status::NO_BINARY_FOR_GPU, CUBIN));
    }
    if !image.starts_with(&FATBIN.to_le_bytes()) {
        // A text; what follows a NUL is not part of it.
        return Ok(image.split(|byte| *byte == 0).next().unwrap_or_default());
    }
    entries_of(image).ok_or((Status::INVALID_IMAGE, BROKEN))?
}

/// Looks through a fat binary for the PTX of the newest architecture. `None` if it is damaged.
fn entries_of(image: &[u8]) -> Option<std::result::Result<&[u8], (Status, Reason)>> {
    let header = usize::from(u16::from_le_bytes(*image.get(6..)?.first_chunk()?));
    let mut rest = image.get(header.max(FATBIN_HEADER)..)?;
    let mut best: Option<(u32, &[u8])> = None;
    let mut packed = false;
    while rest.len() >= ENTRY_HEADER {
        let kind = u16::from_le_bytes(*rest.first_chunk()?);
        let header = u32::from_le_bytes(*rest[4..].first_chunk()?) as usize;
        let size = usize::try_from(u64::from_le_bytes(*rest[8..].first_chunk()?)).ok()?;
        let architecture = u32::from_le_bytes(*rest[0x1c..].first_chunk()?);
        let flags = u64::from_le_bytes(*rest[0x28..].first_chunk()?);
        let end = header.checked_add(size).filter(|_| header >= ENTRY_HEADER)?;
        let content = rest.get(header..end)?;
        if kind == ENTRY_PTX && flags & COMPRESSED != 0 {
            packed = true;
        } else if kind == ENTRY_PTX && best.is_none_or(|(known, _)| architecture >= known) {
            best = Some((
                architecture,
                content.split(|byte| *byte == 0).next().unwrap_or_default(),
            ));
        }
        rest = &rest[end..];
    }
    Some(match best {
        Some((_, text)) => Ok(text),
        None => Err((Status::NO_BINARY_FOR_GPU, if packed { PACKED } else { NO_PTX })),
    })
}

/// What a PTX text says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `.version`, as 10 × major + minor.
    pub version: u32,
    /// `.target`, as 10 × major + minor of the compute capability.
    pub target: u32,
}

impl Header {
    /// Reads the first directives; what is not there or not understood is 0.
    pub fn of(text: &[u8]) -> Header {
        let mut header = Header::default();
        for line in text.split(|byte| *byte == b'\n') {
            let Ok(line) = str::from_utf8(line) else { break };
            let mut words = line.split("//").next().unwrap_or_default().split_whitespace();
            while let Some(word) = words.next() {
                match word {
                    ".version" => {
                        let version = words.next().unwrap_or_default();
                        let digits: String = version.chars().filter(char::is_ascii_digit).collect();
                        header.version = digits.parse().unwrap_or(0);
                    }
                    ".target" => {
                        let target = words.next().unwrap_or_default();
                        let name = target.strip_prefix("sm_").unwrap_or_default();
                        let end = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
                        header.target = name[..end].parse().unwrap_or(0);
                        return header;
                    }
                    _ => {}
                }
            }
        }
        header
    }

    /// Whether a device of this compute capability is too old for the text.
    pub fn check(&self, capability: (u32, u32)) -> Result {
        let device = 10 * capability.0 + capability.1;
        if self.target > device {
            Err(Status::INVALID_PTX)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: u16, architecture: u32, flags: u64, content: &[u8]) -> Vec<u8> {
        let mut entry = vec![0; 0x40];
        entry[..2].copy_from_slice(&kind.to_le_bytes());
        entry[4..8].copy_from_slice(&0x40u32.to_le_bytes());
        entry[8..16].copy_from_slice(&(content.len() as u64).to_le_bytes());
        entry[0x1c..0x20].copy_from_slice(&architecture.to_le_bytes());
        entry[0x28..0x30].copy_from_slice(&flags.to_le_bytes());
        entry.extend_from_slice(content);
        entry
    }

    fn fatbin_of(entries: &[Vec<u8>]) -> Vec<u8> {
        let body = entries.concat();
        let mut image = FATBIN.to_le_bytes().to_vec();
        image.extend([1, 0, 16, 0]);
        image.extend((body.len() as u64).to_le_bytes());
        image.extend(body);
        image
    }

    #[test]
    fn fat_binaries_give_their_newest_ptx() {
        let image = fatbin_of(&[
            entry(2, 90, 0, b"\x7fELF"),
            entry(1, 80, 0, b".version 7.8\0\0"),
            entry(1, 90, 0, b".version 8.0\0"),
            entry(1, 75, 0, b".version 7.0\0"),
        ]);
        assert_eq!(ptx_of(&image).unwrap(), b".version 8.0");
        assert_eq!(ptx_at(In(image.as_ptr())).unwrap(), b".version 8.0");
        let wrapper = [u64::from(FATBIN_WRAPPER) | 1 << 32, image.as_ptr() as u64, 0];
        assert_eq!(ptx_at(In(wrapper.as_ptr().cast())).unwrap(), b".version 8.0");
    }

    #[test]
    fn what_cannot_run_is_named() {
        let reason = |image: &[u8]| ptx_of(image).unwrap_err();
        assert_eq!(reason(b"\x7fELF\x02\x01"), (Status::NO_BINARY_FOR_GPU, CUBIN));
        let packed = fatbin_of(&[entry(1, 90, 0x2000, b"abc")]);
        assert_eq!(reason(&packed), (Status::NO_BINARY_FOR_GPU, PACKED));
        let none = fatbin_of(&[entry(2, 90, 0, b"abc")]);
        assert_eq!(reason(&none), (Status::NO_BINARY_FOR_GPU, NO_PTX));
        let cut = &packed[..packed.len() - 1];
        assert_eq!(reason(cut), (Status::INVALID_IMAGE, BROKEN));
    }

    #[test]
    fn headers_of_texts() {
        let header = Header::of(b"//\n.version 7.8\n.target sm_90a, debug\n.address_size 64");
        assert_eq!(
            header,
            Header {
                version: 78,
                target: 90
            }
        );
        assert_eq!(Header::of(b".version 7.8 .target sm_90a, debug"), header);
        assert!(header.check((9, 0)).is_ok() && header.check((8, 6)).is_err());
        assert_eq!(Header::of(b"nonsense"), Header::default());
    }
}
