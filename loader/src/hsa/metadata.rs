//! What a code object says about its kernels: the note that the HSA runtime's loader ignores.
//!
//! Format: LLVM's User Guide for AMDGPU Backend, "Code Object V3 and above Metadata": a note named
//! `AMDGPU` of type 32, whose content is a MessagePack map. Versions 3 to 6 differ in details that
//! do not matter here, as every hidden argument is found by its own name and offset.

use std::collections::HashMap;

use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use rmpv::ValueRef;

use crate::error::{Error, Result};

/// Type of the note (`NT_AMDGPU_METADATA`).
const NOTE: u32 = 32;
/// Most bytes of arguments that are believed.
const LARGEST_KERNARG: usize = 64 << 10;

/// What a hidden argument is to be filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    /// Whole work-groups in a dimension, `u32`.
    BlockCount(usize),
    /// Work-items of a work-group in a dimension, `u16`.
    GroupSize(usize),
    /// Work-items of the last, partial work-group, `u16`: none, as launches are made of whole ones.
    Remainder,
    /// Work-groups' offset in a dimension, `u64`: 0.
    GlobalOffset,
    /// Dimensions of the grid, `u16`.
    GridDims,
    /// Dynamic group memory, `u32`.
    DynamicLdsSize,
    /// The queue's address.
    QueuePtr,
    /// What this loader does not have (a buffer of other runtimes, for instance): null.
    Null,
}

impl Hidden {
    fn of(kind: &str) -> Hidden {
        match kind {
            "hidden_block_count_x" => Hidden::BlockCount(0),
            "hidden_block_count_y" => Hidden::BlockCount(1),
            "hidden_block_count_z" => Hidden::BlockCount(2),
            "hidden_group_size_x" => Hidden::GroupSize(0),
            "hidden_group_size_y" => Hidden::GroupSize(1),
            "hidden_group_size_z" => Hidden::GroupSize(2),
            "hidden_remainder_x" | "hidden_remainder_y" | "hidden_remainder_z" => Hidden::Remainder,
            "hidden_global_offset_x" | "hidden_global_offset_y" | "hidden_global_offset_z" => Hidden::GlobalOffset,
            "hidden_grid_dims" => Hidden::GridDims,
            "hidden_dynamic_lds_size" => Hidden::DynamicLdsSize,
            "hidden_queue_ptr" => Hidden::QueuePtr,
            _ => Hidden::Null,
        }
    }
}

/// A hidden argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HiddenArgument {
    /// Where it lies among the kernel's arguments, bytes.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
    /// What it is.
    pub value: Hidden,
}

/// What a kernel needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KernelMetadata {
    /// Bytes of all its arguments.
    pub kernarg_bytes: usize,
    /// Bytes that explicit arguments can take: what lies before the first hidden one.
    pub explicit_bytes: usize,
    /// Its hidden arguments.
    pub hidden: Vec<HiddenArgument>,
    /// Lanes of its wavefronts.
    pub wavefront_size: u32,
    /// Bytes of group memory.
    pub group_bytes: u32,
    /// Bytes of private memory for each work-item.
    pub private_bytes: u32,
    /// Whether it may need more private memory than that.
    pub dynamic_stack: bool,
    /// Vector registers.
    pub vector_registers: u32,
    /// Scalar registers.
    pub scalar_registers: u32,
    /// Most work-items of a work-group.
    pub max_threads_per_block: u32,
}

/// What a code object says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// Processor and features: `gfx90a:xnack-`.
    pub target: String,
    /// Its kernels, by name.
    pub kernels: HashMap<String, KernelMetadata>,
}

impl Metadata {
    /// Reads it.
    pub fn of(image: &[u8]) -> Result<Metadata> {
        let note = note(image)
            .map_err(|error| bad(&error.to_string()))?
            .ok_or_else(|| bad("it is missing"))?;
        Metadata::parse(note)
    }

    fn parse(mut note: &[u8]) -> Result<Metadata> {
        let root = rmpv::decode::read_value_ref(&mut note).map_err(|error| bad(&error.to_string()))?;
        let target = text(&root, "amdhsa.target").unwrap_or_default();
        let mut metadata = Metadata {
            target: target.rsplit("--").next().unwrap_or_default().to_string(),
            kernels: HashMap::new(),
        };
        for kernel in list(&root, "amdhsa.kernels") {
            let symbol = text(kernel, ".symbol").ok_or_else(|| bad("a kernel has no symbol"))?;
            let name = symbol.strip_suffix(".kd").unwrap_or(symbol).to_string();
            let read = KernelMetadata::read(kernel).map_err(|what| bad(&format!("kernel {name} {what}")))?;
            metadata.kernels.insert(name, read);
        }
        Ok(metadata)
    }
}

impl KernelMetadata {
    fn read(kernel: &ValueRef) -> std::result::Result<KernelMetadata, String> {
        let demand = |key| number(kernel, key).ok_or_else(|| format!("has no {key}"));
        let kernarg_bytes = demand(".kernarg_segment_size")? as usize;
        if kernarg_bytes > LARGEST_KERNARG {
            return Err(format!("has {kernarg_bytes} bytes of arguments"));
        }
        let mut hidden = Vec::new();
        for argument in list(kernel, ".args") {
            let kind = text(argument, ".value_kind").unwrap_or_default();
            if !kind.starts_with("hidden_") {
                continue;
            }
            let place = number(argument, ".offset").zip(number(argument, ".size"));
            let (offset, size) = place.ok_or("has an argument without a place")?;
            let (offset, size) = (offset as usize, size as usize);
            if offset.checked_add(size).is_none_or(|end| end > kernarg_bytes) {
                return Err(format!("has an argument {kind} outside of its {kernarg_bytes} bytes"));
            }
            let value = Hidden::of(kind);
            hidden.push(HiddenArgument { offset, size, value });
        }
        let first = hidden.iter().map(|argument| argument.offset).min();
        Ok(KernelMetadata {
            kernarg_bytes,
            explicit_bytes: first.unwrap_or(kernarg_bytes),
            hidden,
            wavefront_size: match demand(".wavefront_size")? {
                size @ (32 | 64) => size as u32,
                size => return Err(format!("has wavefronts of {size} lanes")),
            },
            group_bytes: demand(".group_segment_fixed_size")? as u32,
            private_bytes: demand(".private_segment_fixed_size")? as u32,
            dynamic_stack: field(kernel, ".uses_dynamic_stack").is_some_and(|value| *value == ValueRef::Boolean(true)),
            vector_registers: number(kernel, ".vgpr_count").unwrap_or(0) as u32,
            scalar_registers: number(kernel, ".sgpr_count").unwrap_or(0) as u32,
            max_threads_per_block: number(kernel, ".max_flat_workgroup_size").unwrap_or(0) as u32,
        })
    }
}

/// The symbols that an image needs and nobody defines.
pub(super) fn undefined(image: &[u8]) -> Vec<String> {
    let find = || -> object::read::Result<Vec<String>> {
        let header = FileHeader64::<Endianness>::parse(image)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, image)?;
        let table = sections.symbols(endian, image, elf::SHT_DYNSYM)?;
        let mut names = Vec::new();
        for symbol in table.iter() {
            let name = symbol.name(endian, table.strings())?;
            if symbol.st_shndx(endian) == elf::SHN_UNDEF && symbol.st_bind() == elf::STB_GLOBAL && !name.is_empty() {
                names.push(String::from_utf8_lossy(name).into_owned());
            }
        }
        Ok(names)
    };
    // A damaged file is refused by the runtime, with its own words.
    find().unwrap_or_default()
}

fn bad(what: &str) -> Error {
    Error::Image(format!(
        "its description of its kernels cannot be used: {what}; build it again"
    ))
}

/// The content of the note.
fn note(image: &[u8]) -> object::read::Result<Option<&[u8]>> {
    let header = FileHeader64::<Endianness>::parse(image)?;
    let endian = header.endian()?;
    for segment in header.program_headers(endian, image)? {
        let Some(mut notes) = segment.notes(endian, image)? else {
            continue;
        };
        while let Some(note) = notes.next()? {
            if note.name() == b"AMDGPU" && note.n_type(endian).0 == NOTE {
                return Ok(Some(note.desc()));
            }
        }
    }
    Ok(None)
}

fn field<'a, 'b>(map: &'a ValueRef<'b>, key: &str) -> Option<&'a ValueRef<'b>> {
    match map {
        ValueRef::Map(entries) => entries
            .iter()
            .find(|(name, _)| matches!(name, ValueRef::String(name) if name.as_str() == Some(key)))
            .map(|(_, value)| value),
        _ => None,
    }
}

fn text<'a>(map: &'a ValueRef<'_>, key: &str) -> Option<&'a str> {
    match field(map, key)? {
        ValueRef::String(text) => text.as_str(),
        _ => None,
    }
}

fn number(map: &ValueRef, key: &str) -> Option<u64> {
    match field(map, key)? {
        ValueRef::Integer(number) => number.as_u64(),
        _ => None,
    }
}

fn list<'a, 'b>(map: &'a ValueRef<'b>, key: &str) -> &'a [ValueRef<'b>] {
    match field(map, key) {
        Some(ValueRef::Array(values)) => values,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmpv::Value;

    fn map(entries: Vec<(&str, Value)>) -> Value {
        Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    fn argument(kind: &str, offset: u32, size: u32) -> Value {
        map(vec![
            (".value_kind", kind.into()),
            (".offset", offset.into()),
            (".size", size.into()),
        ])
    }

    fn note(kernarg_bytes: u32, wavefront: u32, args: Vec<Value>) -> Vec<u8> {
        let kernel = map(vec![
            (".symbol", "_start.kd".into()),
            (".kernarg_segment_size", kernarg_bytes.into()),
            (".wavefront_size", wavefront.into()),
            (".group_segment_fixed_size", 128.into()),
            (".private_segment_fixed_size", 64.into()),
            (".uses_dynamic_stack", true.into()),
            (".vgpr_count", 40.into()),
            (".max_flat_workgroup_size", 1024.into()),
            (".args", Value::Array(args)),
        ]);
        let root = map(vec![
            ("amdhsa.target", "amdgcn-amd-amdhsa--gfx90a:xnack-".into()),
            ("amdhsa.kernels", Value::Array(vec![kernel])),
        ]);
        let mut bytes = Vec::new();
        rmpv::encode::write_value(&mut bytes, &root).unwrap();
        bytes
    }

    #[test]
    fn kernels_are_described() {
        let args = vec![
            argument("by_value", 0, 4),
            argument("global_buffer", 8, 8),
            argument("hidden_block_count_x", 16, 4),
            argument("hidden_group_size_x", 28, 2),
            argument("hidden_hostcall_buffer", 96, 8),
        ];
        let metadata = Metadata::parse(&note(272, 32, args)).unwrap();
        assert_eq!(metadata.target, "gfx90a:xnack-");
        let kernel = &metadata.kernels["_start"];
        assert_eq!((kernel.kernarg_bytes, kernel.explicit_bytes), (272, 16));
        assert_eq!(
            (kernel.wavefront_size, kernel.group_bytes, kernel.private_bytes),
            (32, 128, 64)
        );
        assert!(kernel.dynamic_stack);
        let hidden: Vec<_> = kernel.hidden.iter().map(|argument| argument.value).collect();
        assert_eq!(hidden, [Hidden::BlockCount(0), Hidden::GroupSize(0), Hidden::Null]);
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |bytes: &[u8]| Metadata::parse(bytes).unwrap_err().to_string();
        let whole = note(16, 64, vec![]);
        for end in 0..whole.len() {
            refused(&whole[..end]);
        }
        assert!(refused(&note(16, 48, vec![])).contains("wavefronts of 48 lanes"));
        assert!(refused(&note(u32::MAX, 64, vec![])).contains("bytes of arguments"));
        let outside = vec![argument("hidden_block_count_x", u32::MAX, 4)];
        assert!(refused(&note(16, 64, outside)).contains("outside of its 16 bytes"));
        // Deeply nested arrays must not overflow the stack.
        refused(&[0x91; 100_000]);
    }

    #[test]
    fn files_without_a_note_are_refused() {
        let error = Metadata::of(b"\x7fELF").unwrap_err();
        assert!(matches!(error, Error::Image(_)), "{error}");
        assert!(undefined(b"").is_empty());
    }
}
