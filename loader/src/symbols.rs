//! What an image contains, found without a driver.
//!
//! Answers whether the image makes calls, where its startup kernels are, and which constructors
//! it has: PTX is scanned for its module-level directives, ELF files have a symbol table.

use host_server::ClientObject;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, Sym};
use object::{Endianness, SectionIndex};

use crate::error::{Error, Result};
use crate::image::{Code, Format, Tokens};

/// Client object of the base protocol; its presence says that the image makes calls.
pub use host_server::offload::CLIENT;
/// What our extensions need; see [`rpc_proto::ext`].
pub use host_server::offload::EXTENSION_CLIENT;
/// Client pointer of LLVM 17 to 19, whose packets are laid out otherwise.
pub const OLD_CLIENT: &str = "__llvm_libc_rpc_client";
/// Frequency of the steady clock, filled by the loader on AMD.
pub const CLOCK_FREQUENCY: &str = "__llvm_libc_clock_freq";
/// Kernel that runs the constructors.
pub const BEGIN: &str = "_begin";
/// Kernel that runs `main`.
pub const START: &str = "_start";
/// Kernel that runs the callbacks of `atexit` and the destructors.
pub const END: &str = "_end";

/// A callback that an NVIDIA image names instead of listing it in an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// The variable that holds the function's device address.
    pub symbol: String,
    /// Lower ones come first.
    pub priority: u64,
}

/// The names that an image defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    kernels: Vec<String>,
    /// Those of the kernels that are known to take parameters.
    with_parameters: Vec<String>,
    globals: Vec<(String, u64)>,
}

impl Symbols {
    /// Reads them from a piece of device code; `image` is how messages call it.
    pub fn of(code: &Code, image: &str) -> Result<Symbols> {
        match code.format {
            Format::Ptx => Ok(Symbols::of_ptx(&code.bytes)),
            Format::Cubin | Format::CodeObject => Symbols::of_elf(&code.bytes, code.format).map_err(|error| {
                Error::Image(format!(
                    "{image}: has a damaged symbol table ({error}); build or copy it again"
                ))
            }),
        }
    }

    /// Names of its kernels, in the order of the image.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(String::as_str)
    }

    /// Whether it has a kernel of this name.
    pub fn has_kernel(&self, name: &str) -> bool {
        self.kernels.iter().any(|kernel| kernel == name)
    }

    /// Whether a kernel is known to take parameters. Of machine code it is not known.
    pub fn takes_parameters(&self, kernel: &str) -> bool {
        self.with_parameters.iter().any(|name| name == kernel)
    }

    /// Size in bytes of a variable, if the image defines it.
    pub fn global(&self, name: &str) -> Option<u64> {
        let found = self.globals.iter().find(|(global, _)| global == name);
        found.map(|&(_, bytes)| bytes)
    }

    /// Constructors of an NVIDIA image, in the order in which they run.
    pub fn constructors(&self) -> Vec<Callback> {
        self.callbacks("__init_array_object_")
    }

    /// Destructors of an NVIDIA image, in the order of the array (they run backwards).
    pub fn destructors(&self) -> Vec<Callback> {
        self.callbacks("__fini_array_object_")
    }

    fn callbacks(&self, prefix: &str) -> Vec<Callback> {
        let mut found: Vec<Callback> = self
            .globals
            .iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .map(|(name, _)| Callback {
                symbol: name.clone(),
                // Names without a number come last, as functions without a priority do.
                priority: name
                    .rsplit('_')
                    .next()
                    .and_then(|digits| digits.parse().ok())
                    .unwrap_or(65_535),
            })
            .collect();
        found.sort_by_key(|callback| callback.priority);
        found
    }

    /// Refuses images whose calls nobody here understands.
    pub fn check_protocol(&self, image: &str) -> Result<()> {
        let size = size_of::<ClientObject>() as u64;
        match self.global(CLIENT) {
            None if self.global(OLD_CLIENT).is_some() => Err(Error::Image(format!(
                "{image}: makes calls in the format of LLVM 17 to 19 ({OLD_CLIENT}); rebuild it with LLVM 20 or newer"
            ))),
            Some(found) if found != 0 && found != size => Err(Error::Image(format!(
                "{image}: its {CLIENT} has {found} bytes instead of {size}, so its calls have another format; rebuild it with LLVM 20 or newer"
            ))),
            _ => Ok(()),
        }
    }

    fn of_ptx(text: &[u8]) -> Symbols {
        let mut symbols = Symbols::default();
        let mut tokens = Tokens::new(text);
        // A statement at module level: its words so far, and whether they lead to an initialiser.
        let mut statement: Vec<&[u8]> = Vec::new();
        let mut is_initialised = false;
        while let Some(token) = tokens.next() {
            match token {
                // Function bodies and initialisers.
                b"{" => {
                    tokens.skip_block();
                    if is_initialised {
                        continue; // the declaration goes on to its semicolon
                    }
                    symbols.add_ptx_statement(&statement);
                    statement.clear();
                }
                b";" => {
                    symbols.add_ptx_statement(&statement);
                    statement.clear();
                    is_initialised = false;
                }
                _ => {
                    is_initialised |= token == b"=";
                    statement.push(token);
                }
            }
        }
        symbols
    }

    /// Takes note of `.entry NAME (…)` and `.global … TYPE NAME[N]`.
    fn add_ptx_statement(&mut self, statement: &[&[u8]]) {
        let text = |token: &[u8]| String::from_utf8_lossy(token).into_owned();
        if statement.contains(&b".extern".as_slice()) {
            return;
        }
        // Directives without an end (`.target …`) stand before the first statement.
        let position = |word: &[u8]| statement.iter().position(|token| *token == word);
        if let Some(entry) = position(b".entry") {
            if let Some(name) = statement.get(entry + 1) {
                self.kernels.push(text(name));
                if statement[entry + 2..].contains(&b".param".as_slice()) {
                    self.with_parameters.push(text(name));
                }
            }
        } else if let Some(space) = position(b".global").or_else(|| position(b".const")) {
            let mut vector = 1;
            let mut element = 0;
            let mut rest = statement[space + 1..].iter();
            let name = loop {
                match rest.next() {
                    None => return,
                    Some(&b".align") => drop(rest.next()),
                    Some(&b".v2") => vector = 2,
                    Some(&b".v4") => vector = 4,
                    Some(token) if token.starts_with(b".") => {
                        let digits = token.iter().rev().take_while(|b| b.is_ascii_digit());
                        let bits = std::str::from_utf8(&token[token.len() - digits.count()..]);
                        element = bits.ok().and_then(|bits| bits.parse().ok()).unwrap_or(0) / 8;
                    }
                    // `.attribute(.managed)`
                    Some(&b"(" | &b")") => {}
                    Some(name) => break name,
                }
            };
            let mut count = 1u64;
            while let Some(&b"[") = rest.next() {
                let Some(length) = rest.next() else { break };
                let length = std::str::from_utf8(length).unwrap_or_default();
                count = count.saturating_mul(length.parse().unwrap_or(0));
                rest.next(); // `]`
            }
            self.globals.push((text(name), count.saturating_mul(element * vector)));
        }
    }

    fn of_elf(bytes: &[u8], format: Format) -> std::result::Result<Symbols, Box<dyn std::error::Error>> {
        let header = FileHeader64::<Endianness>::parse(bytes)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let mut symbols = Symbols::default();
        // Linkers let names share their endings, but not so that all of them are longer than the file.
        let mut left = bytes.len();
        // Stripped code objects keep what they export in the dynamic table only.
        for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
            let table = sections.symbols(endian, bytes, kind)?;
            for symbol in table.iter() {
                if symbol.st_shndx(endian) == elf::SHN_UNDEF || symbol.st_bind() == elf::STB_LOCAL {
                    continue;
                }
                let name = symbol.name(endian, table.strings())?;
                left = left.checked_sub(name.len()).ok_or("its names overlap")?;
                let name = String::from_utf8_lossy(name).into_owned();
                symbols.add_elf_symbol(name, symbol, endian, format);
            }
            if table.section() != SectionIndex(0) {
                break;
            }
        }
        Ok(symbols)
    }

    fn add_elf_symbol(&mut self, name: String, symbol: &elf::Sym64<Endianness>, endian: Endianness, format: Format) {
        /// Marks the functions that can be launched, as cuobjdump shows it.
        const STO_CUDA_ENTRY: u8 = 0x10;
        let kind = symbol.st_type();
        match format {
            Format::Cubin if kind == elf::STT_FUNC && symbol.st_other().0 & STO_CUDA_ENTRY != 0 => {
                self.kernels.push(name);
            }
            Format::CodeObject if name.ends_with(".kd") => {
                self.kernels.push(name[..name.len() - 3].to_string());
            }
            _ if kind == elf::STT_OBJECT => {
                self.globals.push((name, symbol.st_size(endian)));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
