//! ELF files of both vendors, and of neither.

use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, LittleEndian};

use super::{Code, Format, amdgpu};

/// The first bytes of any ELF file.
pub(super) const MAGIC: &[u8] = b"\x7fELF";

/// OS/ABI byte of the cubins that CUDA 13's tools write.
const OSABI_CUDA_V2: u8 = 0x41;
/// Cubins of this ABI version and later keep the SM number in bits 8 to 15 of `e_flags`.
const ABI_VERSION_CUDA_V2: u8 = 8;

pub(super) fn recognise(bytes: &[u8]) -> Result<Code, String> {
    let truncated =
        |what: &str| format!("is truncated: an ELF file whose {what} lies beyond its end; build or copy it again");
    // Class and byte order come first, so that a file of another machine is named as that.
    if bytes.len() >= 6 && bytes[4] == 1
    /* ELFCLASS32 */
    {
        return Err("is a 32-bit ELF file; GPU images are 64-bit".into());
    }
    let header = FileHeader64::<Endianness>::parse(bytes).map_err(|_| {
        if bytes.len() < size_of::<FileHeader64<LittleEndian>>() {
            truncated("header")
        } else {
            "is a damaged ELF file: its header makes no sense; build or copy it again".into()
        }
    })?;
    let endian = header
        .endian()
        .map_err(|_| "is a damaged ELF file: unknown byte order".to_string())?;
    let flags = header.e_flags(endian).0;
    let (format, architecture) = match header.e_machine(endian) {
        elf::EM_CUDA => (Format::Cubin, cuda_architecture(header.e_ident(), flags)),
        elf::EM_AMDGPU => match amdgpu::processor(flags) {
            Some(name) => (Format::CodeObject, name.to_string()),
            None => {
                return Err(format!(
                    "is an amdgcn ELF file for an unknown processor (e_flags {flags:#x})"
                ));
            }
        },
        machine => {
            return Err(format!(
                "is an ELF file for {}, not a GPU image; build it for nvptx64 or amdgcn",
                machine_name(machine)
            ));
        }
    };
    // A file cut short would be found out by the driver too, but not named as that.
    let sections = header
        .section_headers(endian, bytes)
        .map_err(|_| truncated("section table"))?;
    if sections.iter().any(|section| section.data(endian, bytes).is_err())
        || header.program_headers(endian, bytes).is_err()
    {
        return Err(truncated("content"));
    }
    Ok(Code {
        format,
        architecture,
        bytes: bytes.to_vec(),
    })
}

/// Old cubins keep the SM number in the low byte of `e_flags` (LLVM's `EF_CUDA_SM`), those of
/// CUDA 13 in the byte above it. Whether the code needs this very architecture (`sm_90a`) does not
/// matter: cubins never leave their major version anyway.
fn cuda_architecture(ident: &elf::Ident, flags: u32) -> String {
    let new = ident.os_abi.0 == OSABI_CUDA_V2 || ident.abi_version >= ABI_VERSION_CUDA_V2;
    format!("sm_{}", if new { flags >> 8 & 0xff } else { flags & 0xff })
}

fn machine_name(machine: elf::Machine) -> String {
    match machine {
        elf::EM_X86_64 => "x86-64 (the host)".into(),
        elf::EM_386 => "x86".into(),
        elf::EM_AARCH64 => "AArch64".into(),
        elf::EM_ARM => "Arm".into(),
        elf::EM_RISCV => "RISC-V".into(),
        elf::EM_PPC64 => "PowerPC".into(),
        elf::EM_BPF => "BPF".into(),
        other => format!("machine number {}", other.0),
    }
}
