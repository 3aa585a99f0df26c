//! Code objects: what an AMDGPU ELF file contains.
//!
//! Reading one checks all that running its kernels relies on: the machine, the ABI's version, that each kernel has a
//! descriptor, metadata and an entry inside the code, and that they agree. A damaged or hostile file gives one
//! [`CodeObjectError`].
//!
//! Numbers: LLVM's User Guide for AMDGPU Backend, "ELF Code Object".

use std::collections::BTreeMap;
use std::ops::Range;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, Sym};

use super::descriptor::Descriptor;
use super::metadata::{KernelMetadata, Metadata, MetadataError};
use super::target::Target;

/// Whether code was compiled for a feature of the processor that can be on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The processor does not have it.
    Unsupported,
    /// It works either way.
    Any,
    /// It has to be off.
    Off,
    /// It has to be on.
    On,
}

/// A function in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its (mangled) name.
    pub name: String,
    /// Its address in the file's own numbering.
    pub address: u64,
    /// Bytes of code.
    pub size: u64,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name, without `.kd`.
    pub name: String,
    /// Address of its descriptor in the file's own numbering.
    pub address: u64,
    /// Address of its first instruction.
    pub entry: u64,
    /// Its descriptor.
    pub descriptor: Descriptor,
    /// What the metadata says about it.
    pub metadata: KernelMetadata,
}

/// The code of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Address of its first byte in the file's own numbering.
    pub address: u64,
    /// Where it is in the file.
    pub bytes: Range<usize>,
}

/// A code object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObject {
    /// The processor it is for.
    pub target: Target,
    /// Whether it expects page faults to be retried.
    pub xnack: Feature,
    /// Whether it expects memory with error correction.
    pub sramecc: Feature,
    /// Version of the code object: 4, 5 or 6.
    pub version: u8,
    /// Its kernels by name.
    pub kernels: BTreeMap<String, Kernel>,
    /// Its functions by address: from the full symbol table if it is there, else those that are exported.
    pub functions: BTreeMap<u64, Function>,
    /// Its code, one for each executable segment.
    pub code: Vec<Code>,
    /// Addresses of its array of constructors.
    pub init_array: Option<Range<u64>>,
    /// Addresses of its array of destructors.
    pub fini_array: Option<Range<u64>>,
}

/// Why a file is no code object that can be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeObjectError {
    /// The ELF structure is damaged.
    #[error("the code object is damaged: {0}")]
    Damaged(String),
    /// Another machine's.
    #[error("the file is not for AMD GPUs and the HSA runtime")]
    OtherMachine,
    /// A version of the ABI before 4 or after 6.
    #[error("the code object has ABI version {0}; versions 2 to 4 (code objects 4 to 6) are known")]
    Version(u8),
    /// A processor that is not emulated.
    #[error(
        "the code object is for a processor that is not emulated (flags {0:#x}); gfx90a, gfx942, gfx1030 and gfx1100 are"
    )]
    OtherProcessor(u32),
    /// There is no metadata.
    #[error("the code object has no metadata note")]
    NoMetadata,
    /// The metadata is damaged.
    #[error("the code object is damaged: {0}")]
    Metadata(#[from] MetadataError),
    /// A kernel is incomplete.
    #[error("kernel {name} of the code object is damaged: {what}")]
    Kernel {
        /// Its name.
        name: String,
        /// What is wrong.
        what: String,
    },
}

impl From<object::read::Error> for CodeObjectError {
    fn from(error: object::read::Error) -> CodeObjectError {
        CodeObjectError::Damaged(error.to_string())
    }
}

/// Operating system of the ELF header: the HSA runtime.
const OSABI_HSA: u8 = 64;
/// `EI_ABIVERSION` of code object 4; 5 and 6 count on.
const ABI_VERSION_4: u8 = 2;
/// Type of the metadata note, whose owner is `AMDGPU`.
const NT_AMDGPU_METADATA: u32 = 32;

type Header = FileHeader64<LE>;

fn damaged<T>(what: impl Into<String>) -> Result<T, CodeObjectError> {
    Err(CodeObjectError::Damaged(what.into()))
}

fn feature(flags: u32, shift: u32) -> Feature {
    match flags >> shift & 3 {
        0 => Feature::Unsupported,
        1 => Feature::Any,
        2 => Feature::Off,
        _ => Feature::On,
    }
}

impl CodeObject {
    /// Reads a code object.
    ///
    /// # Errors
    /// When the file is none, is damaged, or is for a processor that is not emulated.
    pub fn parse(bytes: &[u8]) -> Result<CodeObject, CodeObjectError> {
        let header = Header::parse(bytes)?;
        let endian = header.endian()?;
        let ident = header.e_ident();
        if header.e_machine(endian) != elf::EM_AMDGPU || ident.os_abi.0 != OSABI_HSA {
            return Err(CodeObjectError::OtherMachine);
        }
        let version = match ident.abi_version.checked_sub(ABI_VERSION_4) {
            Some(since @ 0..=2) => since + 4,
            _ => return Err(CodeObjectError::Version(ident.abi_version)),
        };
        let flags = header.e_flags(endian).0;
        let target = Target::from_elf_mach(flags as u8).ok_or(CodeObjectError::OtherProcessor(flags))?;

        let file = File::new(header, endian, bytes)?;
        let metadata = file.metadata()?.ok_or(CodeObjectError::NoMetadata)?;
        let metadata = Metadata::parse(metadata)?;
        let (functions, objects) = file.symbols()?;
        let code = file.code()?;
        let mut kernels = BTreeMap::new();
        for metadata in metadata.kernels {
            let kernel = file.kernel(metadata, &objects, &code)?;
            kernels.insert(kernel.name.clone(), kernel);
        }
        let [init_array, fini_array] = file.arrays()?;
        Ok(CodeObject {
            target,
            xnack: feature(flags, 8),
            sramecc: feature(flags, 10),
            version,
            kernels,
            functions,
            code,
            init_array,
            fini_array,
        })
    }

    /// The kernel whose descriptor is at `address` (in the file's own numbering).
    pub fn kernel_at(&self, address: u64) -> Option<&Kernel> {
        self.kernels.values().find(|kernel| kernel.address == address)
    }

    /// The function that `address` lies in.
    pub fn function_at(&self, address: u64) -> Option<&Function> {
        let (_, function) = self.functions.range(..=address).next_back()?;
        (address - function.address < function.size.max(1)).then_some(function)
    }
}

/// The parts of an ELF file that are asked for again and again.
struct File<'a> {
    bytes: &'a [u8],
    endian: LE,
    header: &'a Header,
    segments: &'a [elf::ProgramHeader64<LE>],
}

type Functions = BTreeMap<u64, Function>;
type Objects = BTreeMap<String, u64>;

impl<'a> File<'a> {
    fn new(header: &'a Header, endian: LE, bytes: &'a [u8]) -> Result<File<'a>, CodeObjectError> {
        let segments = header.program_headers(endian, bytes)?;
        Ok(File {
            bytes,
            endian,
            header,
            segments,
        })
    }

    fn loaded(&self) -> impl Iterator<Item = &'a elf::ProgramHeader64<LE>> {
        let endian = self.endian;
        self.segments
            .iter()
            .filter(move |segment| segment.p_type(endian) == elf::PT_LOAD)
    }

    fn metadata(&self) -> Result<Option<&'a [u8]>, CodeObjectError> {
        for segment in self.segments {
            let Some(mut notes) = segment.notes(self.endian, self.bytes)? else {
                continue;
            };
            while let Some(note) = notes.next()? {
                if note.name() == b"AMDGPU" && note.n_type(self.endian).0 == NT_AMDGPU_METADATA {
                    return Ok(Some(note.desc()));
                }
            }
        }
        Ok(None)
    }

    /// Functions by address, and addresses of objects by name.
    fn symbols(&self) -> Result<(Functions, Objects), CodeObjectError> {
        let sections = self.header.sections(self.endian, self.bytes)?;
        let (mut functions, mut objects) = (Functions::new(), Objects::new());
        // The exported names first: where both tables have a function, the full one says the same.
        for kind in [elf::SHT_DYNSYM, elf::SHT_SYMTAB] {
            let symbols = sections.symbols(self.endian, self.bytes, kind)?;
            for symbol in symbols.iter() {
                if symbol.st_shndx(self.endian) == elf::SHN_UNDEF {
                    continue;
                }
                let name = symbol.name(self.endian, symbols.strings())?;
                let name = String::from_utf8_lossy(name).into_owned();
                let address = symbol.st_value(self.endian);
                match symbol.st_type() {
                    elf::STT_FUNC => {
                        let size = symbol.st_size(self.endian);
                        functions.entry(address).or_insert(Function { name, address, size });
                    }
                    elf::STT_OBJECT => {
                        objects.entry(name).or_insert(address);
                    }
                    _ => {}
                }
            }
        }
        Ok((functions, objects))
    }

    fn code(&self) -> Result<Vec<Code>, CodeObjectError> {
        let mut code = Vec::new();
        for segment in self.loaded() {
            if segment.p_flags(self.endian).0 & elf::PF_X.0 == 0 {
                continue;
            }
            let (start, size) = segment.file_range(self.endian);
            let end = start.checked_add(size).filter(|&end| end <= self.bytes.len() as u64);
            let address = segment.p_vaddr(self.endian);
            let (Some(end), Some(_)) = (end, address.checked_add(size)) else {
                return damaged("a segment lies outside of the file");
            };
            code.push(Code {
                address,
                bytes: start as usize..end as usize,
            });
        }
        Ok(code)
    }

    /// The bytes at an address, as far as the file has them.
    fn at(&self, address: u64, count: usize) -> Option<&'a [u8]> {
        self.loaded().find_map(|segment| {
            let offset = address.checked_sub(segment.p_vaddr(self.endian))?;
            let offset = usize::try_from(offset).ok()?;
            let data = segment.data(self.endian, self.bytes).ok()?;
            data.get(offset..offset.checked_add(count)?)
        })
    }

    fn kernel(&self, metadata: KernelMetadata, objects: &Objects, code: &[Code]) -> Result<Kernel, CodeObjectError> {
        let name = metadata.name.clone();
        let wrong = |what: &str| CodeObjectError::Kernel {
            name: metadata.name.clone(),
            what: what.into(),
        };
        let address = *objects
            .get(&metadata.symbol)
            .ok_or_else(|| wrong("it has no descriptor"))?;
        let bytes = self
            .at(address, Descriptor::SIZE)
            .and_then(|bytes| bytes.first_chunk())
            .ok_or_else(|| wrong("its descriptor lies outside of the file"))?;
        let descriptor = Descriptor::parse(bytes);
        if descriptor.wave() != metadata.wave {
            return Err(wrong("descriptor and metadata differ about the size of a wavefront"));
        }
        let entry = address.wrapping_add_signed(descriptor.entry_offset);
        let is_inside = |code: &Code| entry.wrapping_sub(code.address) < code.bytes.len() as u64;
        if entry % 4 != 0 || !code.iter().any(is_inside) {
            return Err(wrong("its entry lies outside of the code"));
        }
        Ok(Kernel {
            name,
            address,
            entry,
            descriptor,
            metadata,
        })
    }

    /// The arrays of constructors and destructors, from the dynamic section.
    fn arrays(&self) -> Result<[Option<Range<u64>>; 2], CodeObjectError> {
        let sections = self.header.sections(self.endian, self.bytes)?;
        let entries = match sections.dynamic(self.endian, self.bytes)? {
            Some((entries, _)) => entries,
            None => &[],
        };
        let value = |tag: elf::DynamicTag| {
            entries
                .iter()
                .find(|entry| entry.d_tag(self.endian) == tag)
                .map(|entry| entry.d_val(self.endian))
        };
        let array = |start, size| match (value(start), value(size)) {
            (Some(start), Some(size)) => match u64::checked_add(start, size) {
                Some(end) => Ok(Some(start..end)),
                None => damaged("an array of constructors lies outside of memory"),
            },
            _ => Ok(None),
        };
        Ok([
            array(elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ)?,
            array(elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ)?,
        ])
    }
}
