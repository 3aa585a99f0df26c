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
        let optional = |key| -> std::result::Result<Option<u32>, String> {
            let value =
                number(kernel, key).map(|value| u32::try_from(value).map_err(|_| format!("has a {key} of {value}")));
            value.transpose()
        };
        let demand = |key| optional(key)?.ok_or_else(|| format!("has no {key}"));
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
            let place = usize::try_from(offset).ok().zip(usize::try_from(size).ok());
            let inside =
                place.filter(|&(offset, size)| offset.checked_add(size).is_some_and(|end| end <= kernarg_bytes));
            let (offset, size) =
                inside.ok_or_else(|| format!("has an argument {kind} outside of its {kernarg_bytes} bytes"))?;
            let value = Hidden::of(kind);
            hidden.push(HiddenArgument { offset, size, value });
        }
        let first = hidden.iter().map(|argument| argument.offset).min();
        Ok(KernelMetadata {
            kernarg_bytes,
            explicit_bytes: first.unwrap_or(kernarg_bytes),
            hidden,
            wavefront_size: match demand(".wavefront_size")? {
                size @ (32 | 64) => size,
                size => return Err(format!("has wavefronts of {size} lanes")),
            },
            group_bytes: demand(".group_segment_fixed_size")?,
            private_bytes: demand(".private_segment_fixed_size")?,
            dynamic_stack: field(kernel, ".uses_dynamic_stack").is_some_and(|value| *value == ValueRef::Boolean(true)),
            vector_registers: optional(".vgpr_count")?.unwrap_or(0),
            scalar_registers: optional(".sgpr_count")?.unwrap_or(0),
            max_threads_per_block: optional(".max_flat_workgroup_size")?.unwrap_or(0),
        })
    }
}

/// The symbols that an image needs and nobody defines, the first few.
pub(super) fn undefined(image: &[u8]) -> Vec<String> {
    const FEW: usize = 8;
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
                if names.len() == FEW {
                    break;
                }
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
fn note(image: &[u8]) -> std::result::Result<Option<&[u8]>, Box<dyn std::error::Error>> {
    let header = FileHeader64::<Endianness>::parse(image)?;
    let endian = header.endian()?;
    let mut left = image.len() as u64;
    for segment in header.program_headers(endian, image)? {
        let Some(mut notes) = segment.notes(endian, image)? else {
            continue;
        };
        // Otherwise a small file could have any number of notes.
        left = left
            .checked_sub(segment.p_filesz(endian))
            .ok_or("its segments of notes overlap")?;
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
    use proptest::prelude::*;
    use rmpv::Value;

    use super::*;
    use crate::image::tests::{change, elf, within_time};

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
        note_of(vec![
            (".symbol", "_start.kd".into()),
            (".kernarg_segment_size", kernarg_bytes.into()),
            (".wavefront_size", wavefront.into()),
            (".group_segment_fixed_size", 128.into()),
            (".private_segment_fixed_size", 64.into()),
            (".uses_dynamic_stack", true.into()),
            (".vgpr_count", 40.into()),
            (".sgpr_count", 16.into()),
            (".max_flat_workgroup_size", 1024.into()),
            (".args", Value::Array(args)),
        ])
    }

    /// A note with one kernel.
    fn note_of(kernel: Vec<(&str, Value)>) -> Vec<u8> {
        let kernel = map(kernel);
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
    fn numbers_that_do_not_fit_are_refused() {
        let sizes = [
            ".kernarg_segment_size",
            ".wavefront_size",
            ".group_segment_fixed_size",
            ".private_segment_fixed_size",
            ".vgpr_count",
            ".sgpr_count",
            ".max_flat_workgroup_size",
        ];
        for wide in sizes {
            // The low half alone would do.
            let value = |key| Value::from(if key == wide { 1 << 32 | 64 } else { 64u64 });
            let mut kernel = vec![(".symbol", Value::from("k.kd"))];
            kernel.extend(sizes.map(|key| (key, value(key))));
            let error = Metadata::parse(&note_of(kernel)).unwrap_err().to_string();
            assert!(
                error.contains(&format!("kernel k has a {wide} of 4294967360")),
                "{error}"
            );
        }
    }

    /// A code object with this note; `repeated` says how often its program headers show it.
    fn code_object(note: &[u8], repeated: u16) -> Vec<u8> {
        let mut file = elf(224, 64, 4, 0x3f, &[("_start.kd", 0x11, 0, 64)]);
        file.resize(file.len().next_multiple_of(8), 0);
        let headers_at = file.len() as u64;
        let note_at = headers_at + 56 * u64::from(repeated);
        let size = 12 + 8 + note.len() as u64;
        for _ in 0..repeated {
            file.extend(4u32.to_le_bytes()); // PT_NOTE
            file.extend(4u32.to_le_bytes()); // readable
            for word in [note_at, 0, 0, size, size, 4] {
                file.extend(word.to_le_bytes());
            }
        }
        for word in [7, note.len() as u32, NOTE] {
            file.extend(word.to_le_bytes());
        }
        file.extend(b"AMDGPU\0\0");
        file.extend(note);
        file[32..40].copy_from_slice(&headers_at.to_le_bytes());
        file[56..58].copy_from_slice(&repeated.to_le_bytes());
        file
    }

    #[test]
    fn the_note_is_found_once() {
        let note = note(16, 64, vec![]);
        assert!(
            Metadata::of(&code_object(&note, 1))
                .unwrap()
                .kernels
                .contains_key("_start")
        );
        // Found in the first segment, whatever the others claim.
        assert!(Metadata::of(&code_object(&note, 9)).is_ok());
        let mut others = code_object(&note, 9);
        let name = others.windows(6).rposition(|window| window == b"AMDGPU").unwrap();
        others[name] = b'a';
        let error = Metadata::of(&others).unwrap_err().to_string();
        assert!(error.contains("segments of notes overlap"), "{error}");
    }

    proptest! {
        #[test]
        fn hostile_code_objects_get_an_answer(
            changes in prop::collection::vec(change(), 1..6),
            repeated in 1..4u16,
        ) {
            let args = vec![argument("hidden_block_count_x", 8, 4), argument("by_value", 0, 8)];
            let mut file = code_object(&note(16, 64, args), repeated);
            changes.iter().for_each(|change| change.apply(&mut file));
            within_time(move || {
                let _ = (Metadata::of(&file), undefined(&file));
            });
        }

        #[test]
        fn hostile_notes_get_an_answer(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        ) {
            let mut bytes = note(16, 64, vec![argument("hidden_block_count_x", 8, 4)]);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            within_time(move || {
                let _ = Metadata::parse(&bytes);
            });
        }
    }

    #[test]
    fn files_without_a_note_are_refused() {
        let error = Metadata::of(b"\x7fELF").unwrap_err();
        assert!(matches!(error, Error::Image(_)), "{error}");
        assert!(undefined(b"").is_empty());
    }
}
