//! Code objects in a GPU's memory.
//!
//! A code object is an ELF shared object for the machine AMDGPU. Loading it is what the runtime's
//! own loader does: one block of memory for all its segments, relocations against its own symbols
//! and those that the program defined, and a list of what can be asked for by name.
//!
//! Numbers: LLVM's User Guide for AMDGPU Backend, chapters "ELF Code Object" and "Kernel
//! Descriptor".

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use emulator::amdgcn::code_object::{CodeObject, CodeObjectError, Function};
use emulator::amdgcn::descriptor::Descriptor;
use emulator::amdgcn::program::{Program, ProgramError};
use emulator::amdgcn::target::Target;
use emulator::memory::Kind;
use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader, Rela, SectionHeader, Sym, SymbolTable};

use crate::agent::Gpu;
use crate::border::lock;
use crate::isa::Isa;

/// A symbol of a loaded code object.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name in the file; kernels end in `.kd`.
    pub name: String,
    /// Where it is on the GPU; a kernel's is its descriptor.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: SymbolKind,
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A kernel.
    Kernel {
        /// Bytes of arguments.
        kernarg: u32,
        /// Bytes of group memory.
        group: u32,
        /// Bytes of private memory for each work-item.
        private: u32,
        /// Whether it may need more private memory than that.
        dynamic_stack: bool,
    },
    /// A variable.
    Variable {
        /// Whether it lies in a segment that is not for writing.
        constant: bool,
    },
}

/// A kernel that a GPU can be told to run.
#[derive(Debug)]
pub struct Kernel {
    /// Its name, without `.kd`.
    pub name: String,
    /// Where its descriptor is.
    pub descriptor: u64,
    /// First address of the code object that it belongs to.
    pub base: u64,
    /// Bytes of that in the GPU's memory.
    pub len: u64,
    /// The functions of that, by their distance from the first address.
    pub functions: Arc<BTreeMap<u64, Function>>,
    /// The code object as a file.
    pub file: Arc<[u8]>,
}

/// Why a code object cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It is none, or is damaged.
    Malformed(String),
    /// It is for another instruction set.
    OtherIsa {
        /// The instruction set that it is for.
        image: String,
        /// The GPU's.
        agent: String,
    },
    /// It needs a variable that nobody defined.
    Undefined(String),
    /// The GPU has no room for it.
    NoMemory(String),
    /// It has instructions that are unknown.
    Unknown(ProgramError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Malformed(what) | LoadError::NoMemory(what) => f.write_str(what),
            LoadError::OtherIsa { image, agent } => write!(f, "it is for {image}, the agent has {agent}"),
            LoadError::Unknown(error) => write!(f, "the emulator cannot decode all of it: {error}"),
            LoadError::Undefined(name) => write!(f, "it needs {name}, which nobody defines"),
        }
    }
}

impl From<object::read::Error> for LoadError {
    fn from(error: object::read::Error) -> LoadError {
        LoadError::Malformed(error.to_string())
    }
}

impl From<CodeObjectError> for LoadError {
    fn from(error: CodeObjectError) -> LoadError {
        LoadError::Malformed(error.to_string())
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, LoadError> {
    Err(LoadError::Malformed(what.into()))
}

/// A code object in a GPU's memory, until it is dropped.
pub struct Image {
    gpu: Arc<Gpu>,
    base: u64,
    len: u64,
    symbols: Vec<Symbol>,
}

impl Drop for Image {
    fn drop(&mut self) {
        let here = self.base..self.base + self.len;
        lock(&self.gpu.kernels).retain(|descriptor, _| !here.contains(descriptor));
        // It was allocated by `load`, and only once freed.
        let _ = self.gpu.memory.free(self.base, &[Kind::Global]);
    }
}

type Header = FileHeader64<LE>;
type Segments<'a> = &'a [ProgramHeader64<LE>];
type Symbols<'a> = SymbolTable<'a, Header>;

/// No segment ends behind this.
const LARGEST: u64 = 1 << 30;
/// Operating system of the ELF header: the HSA runtime.
const OSABI_HSA: u8 = 64;
/// First and last version of the ABI (`EI_ABIVERSION`) that is known: code objects 4 to 6.
const ABI_VERSIONS: std::ops::RangeInclusive<u8> = 2..=4;

/// Types of relocations, as far as shared objects have them.
mod relocation {
    pub const NONE: u32 = 0;
    pub const ABS32_LO: u32 = 1;
    pub const ABS32_HI: u32 = 2;
    pub const ABS64: u32 = 3;
    pub const REL32: u32 = 4;
    pub const REL64: u32 = 5;
    pub const ABS32: u32 = 6;
    pub const REL32_LO: u32 = 10;
    pub const REL32_HI: u32 = 11;
    pub const RELATIVE64: u32 = 13;
}

impl Image {
    /// Loads a code object. `given` knows the addresses of variables that the program defined.
    pub fn load(gpu: &Arc<Gpu>, file: &Arc<[u8]>, given: &dyn Fn(&str) -> Option<u64>) -> Result<Image, LoadError> {
        let bytes: &[u8] = file;
        let header = Header::parse(bytes)?;
        let endian = header.endian()?;
        let ident = header.e_ident();
        if header.e_machine(endian) != elf::EM_AMDGPU || ident.os_abi.0 != OSABI_HSA {
            return malformed("it is not an ELF file for AMD GPUs and the HSA runtime");
        }
        if !ABI_VERSIONS.contains(&ident.abi_version) {
            return malformed(format!(
                "its ABI version {} is unknown; code object versions 4 to 6 are known",
                ident.abi_version
            ));
        }
        check_isa(header.e_flags(endian).0, gpu.isa)?;
        let object = CodeObject::parse(bytes)?;
        check_code(&object, bytes)?;
        let segments = header.program_headers(endian, bytes)?;
        let len = span(segments, endian)?;
        let base = gpu
            .memory
            .alloc(Kind::Global, len, 4096, "code object")
            .map_err(|error| LoadError::NoMemory(error.to_string()))?;
        // From here on, dropping it frees the memory.
        let mut image = Image {
            gpu: gpu.clone(),
            base,
            len,
            symbols: Vec::new(),
        };
        image.fill(segments, endian, bytes)?;
        let sections = header.sections(endian, bytes)?;
        let symbols = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
        for section in sections.iter() {
            if let Some((relocations, _)) = section.rela(endian, bytes)? {
                for relocation in relocations {
                    image.relocate(relocation, &symbols, endian, given)?;
                }
            }
        }
        image.symbols = image.collect(&symbols, segments, endian)?;
        image.announce(file, Arc::new(object.functions));
        Ok(image)
    }

    /// Its symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// First address and length.
    pub fn range(&self) -> (u64, u64) {
        (self.base, self.len)
    }

    /// Copies the segments to their places; everything else is zero.
    fn fill(&self, segments: Segments, endian: LE, bytes: &[u8]) -> Result<(), LoadError> {
        self.clear()?;
        for segment in segments.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD) {
            let data = segment
                .data(endian, bytes)
                .map_err(|()| LoadError::Malformed("a segment lies outside of the file".into()))?;
            if data.len() as u64 > segment.p_memsz(endian) {
                return malformed("a segment has more bytes in the file than in memory");
            }
            self.write(segment.p_vaddr(endian), data)?;
        }
        Ok(())
    }

    /// Zeroes the memory where an earlier owner left something. Fresh pages are only read, so that
    /// a huge segment costs no memory before it is used.
    fn clear(&self) -> Result<(), LoadError> {
        const PIECE: u64 = 64 << 10;
        let zeros = vec![0; PIECE as usize];
        let mut piece = zeros.clone();
        for at in (0..self.len).step_by(PIECE as usize) {
            let size = PIECE.min(self.len - at) as usize;
            let read = self.gpu.memory.read(self.base + at, &mut piece[..size]);
            read.map_err(|error| LoadError::Malformed(error.to_string()))?;
            if piece[..size] != zeros[..size] {
                self.write(at, &zeros[..size])?;
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), LoadError> {
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > self.len) {
            return malformed("a relocation lies outside of its segments");
        }
        let written = self.gpu.memory.write(self.base + offset, bytes);
        written.map_err(|error| LoadError::Malformed(error.to_string()))
    }

    fn read<const N: usize>(&self, offset: u64) -> Result<[u8; N], LoadError> {
        if offset.checked_add(N as u64).is_none_or(|end| end > self.len) {
            return malformed("a symbol lies outside of its segments");
        }
        let mut bytes = [0; N];
        let read = self.gpu.memory.read(self.base + offset, &mut bytes);
        read.map_err(|error| LoadError::Malformed(error.to_string()))
            .map(|()| bytes)
    }

    fn relocate(
        &self,
        relocation: &elf::Rela64<LE>,
        symbols: &Symbols,
        endian: LE,
        given: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<(), LoadError> {
        let place = relocation.r_offset(endian);
        let addend = relocation.r_addend(endian) as u64;
        let value = match relocation.symbol(endian, false) {
            None => self.base.wrapping_add(addend),
            Some(index) => self
                .resolve(symbols.symbol(index)?, symbols, endian, given)?
                .wrapping_add(addend),
        };
        let distance = value.wrapping_sub(self.base.wrapping_add(place));
        match relocation.r_type(endian, false).0 {
            relocation::NONE => Ok(()),
            relocation::ABS64 | relocation::RELATIVE64 => self.write(place, &value.to_le_bytes()),
            relocation::ABS32 | relocation::ABS32_LO => self.write(place, &(value as u32).to_le_bytes()),
            relocation::ABS32_HI => self.write(place, &((value >> 32) as u32).to_le_bytes()),
            relocation::REL64 => self.write(place, &distance.to_le_bytes()),
            relocation::REL32 | relocation::REL32_LO => self.write(place, &(distance as u32).to_le_bytes()),
            relocation::REL32_HI => self.write(place, &((distance >> 32) as u32).to_le_bytes()),
            other => malformed(format!("it has a relocation of the unknown type {other}")),
        }
    }

    /// The address of a symbol: its own, or one that the program defined.
    fn resolve(
        &self,
        symbol: &elf::Sym64<LE>,
        symbols: &Symbols,
        endian: LE,
        given: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<u64, LoadError> {
        if symbol.st_shndx(endian) != elf::SHN_UNDEF {
            return Ok(self.base.wrapping_add(symbol.st_value(endian)));
        }
        let name = String::from_utf8_lossy(symbol.name(endian, symbols.strings())?).into_owned();
        match given(&name) {
            Some(address) => Ok(address),
            None if symbol.st_bind() == elf::STB_WEAK => Ok(0),
            None => Err(LoadError::Undefined(name)),
        }
    }

    /// What can be asked for by name.
    fn collect(&self, symbols: &Symbols, segments: Segments, endian: LE) -> Result<Vec<Symbol>, LoadError> {
        let mut found = Vec::new();
        for symbol in symbols.iter() {
            let here = symbol.st_shndx(endian) != elf::SHN_UNDEF && symbol.st_bind() != elf::STB_LOCAL;
            if !here || symbol.st_type() != elf::STT_OBJECT {
                continue;
            }
            let name = String::from_utf8_lossy(symbol.name(endian, symbols.strings())?).into_owned();
            let (value, size) = (symbol.st_value(endian), symbol.st_size(endian));
            if value.checked_add(size).is_none_or(|end| end > self.len) {
                return malformed(format!("its symbol {name} lies outside of its segments"));
            }
            let kind = if name.ends_with(".kd") && size == Descriptor::SIZE as u64 {
                self.kernel(value)?
            } else {
                SymbolKind::Variable {
                    constant: !is_writable(segments, endian, value),
                }
            };
            found.push(Symbol {
                name,
                address: self.base + value,
                size,
                kind,
            });
        }
        Ok(found)
    }

    /// Lets the GPU be told to run the kernels.
    fn announce(&self, file: &Arc<[u8]>, functions: Arc<BTreeMap<u64, Function>>) {
        let mut kernels = lock(&self.gpu.kernels);
        for symbol in self
            .symbols
            .iter()
            .filter(|symbol| matches!(symbol.kind, SymbolKind::Kernel { .. }))
        {
            let kernel = Kernel {
                name: symbol.name.trim_end_matches(".kd").to_owned(),
                descriptor: symbol.address,
                base: self.base,
                len: self.len,
                functions: functions.clone(),
                file: file.clone(),
            };
            kernels.insert(symbol.address, Arc::new(kernel));
        }
    }

    /// What a kernel's descriptor says that it needs.
    fn kernel(&self, at: u64) -> Result<SymbolKind, LoadError> {
        let descriptor = Descriptor::parse(&self.read(at)?);
        Ok(SymbolKind::Kernel {
            group: descriptor.group_segment_size,
            private: descriptor.private_segment_size,
            kernarg: descriptor.kernarg_size,
            dynamic_stack: descriptor.uses_dynamic_stack(),
        })
    }
}

/// Bytes from address 0 to the end of the last segment.
fn span(segments: Segments, endian: LE) -> Result<u64, LoadError> {
    let mut end = 0;
    for segment in segments.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD) {
        match segment.p_vaddr(endian).checked_add(segment.p_memsz(endian)) {
            Some(this) if this <= LARGEST => end = end.max(this),
            _ => return malformed("a segment ends behind the first GiB"),
        }
    }
    if end == 0 {
        malformed("it has nothing to load")
    } else {
        Ok(end)
    }
}

/// Whether all code can be decoded, for the wavefronts that the kernels want: what is unknown is named before anything runs.
fn check_code(object: &CodeObject, bytes: &[u8]) -> Result<(), LoadError> {
    let waves: BTreeSet<_> = object.kernels.values().map(|kernel| kernel.descriptor.wave()).collect();
    for wave in waves {
        Program::decode(object, bytes, wave).map_err(LoadError::Unknown)?;
    }
    Ok(())
}

fn is_writable(segments: Segments, endian: LE, address: u64) -> bool {
    segments.iter().any(|segment| {
        segment.p_type(endian) == elf::PT_LOAD
            && address.wrapping_sub(segment.p_vaddr(endian)) < segment.p_memsz(endian)
            && segment.p_flags(endian).0 & elf::PF_W.0 != 0
    })
}

/// Whether the GPU runs code for what the header's flags say.
fn check_isa(flags: u32, agent: Isa) -> Result<(), LoadError> {
    // Two bits each: unsupported, any, off, on.
    let feature = |shift: u32| match flags >> shift & 3 {
        2 => Some(false),
        3 => Some(true),
        _ => None,
    };
    let other = |image: String| {
        Err(LoadError::OtherIsa {
            image,
            agent: agent.to_string(),
        })
    };
    let Some(target) = Target::from_elf_mach(flags as u8) else {
        return other(format!(
            "a processor that the emulator does not know (flags {flags:#x})"
        ));
    };
    let image = Isa {
        target,
        xnack: feature(8),
        sramecc: feature(10),
    };
    if image.runs_on(agent) {
        Ok(())
    } else {
        other(image.to_string())
    }
}
