//! Code: readers of code objects, executables, and their symbols.

use std::collections::BTreeMap;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex};

use hsa_sys::*;

use crate::agent::Gpu;
use crate::border::{lock, say};
use crate::handle::{Kind, Table};
use crate::image::{Image, LoadError, Symbol};
use crate::status::{Result, Status};

/// Readers, executables and what is in them.
pub struct Code {
    /// Code object readers.
    pub readers: Table<Reader>,
    /// Executables.
    pub executables: Table<Executable>,
    /// Code objects that were loaded.
    pub loaded: Table<Loaded>,
    /// Symbols of loaded code objects.
    pub symbols: Table<LoadedSymbol>,
}

impl Default for Code {
    fn default() -> Code {
        Code {
            readers: Table::new(Kind::Reader),
            executables: Table::new(Kind::Executable),
            loaded: Table::new(Kind::LoadedCodeObject),
            symbols: Table::new(Kind::Symbol),
        }
    }
}

/// Where a code object came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Memory of the program's, at this address.
    Memory(u64),
    /// A file of the program's, and the offset in it.
    File(i32, u64),
}

/// A code object that can be loaded.
pub struct Reader {
    /// Its bytes: a copy, so that nothing can change under the loader.
    pub bytes: Arc<[u8]>,
    /// Where it came from.
    pub storage: Storage,
}

/// Largest code object that is read from a file.
const LARGEST_FILE: u64 = 4 << 30;

impl Reader {
    /// Reads a file, or `len` bytes of it, from `offset` on.
    pub fn from_file(file: i32, offset: u64, len: Option<u64>) -> Result<Reader> {
        if file < 0 {
            return Err(Status::FILE);
        }
        // SAFETY: the program's file; it stays open, and is not closed here.
        let opened = ManuallyDrop::new(unsafe { File::from_raw_fd(file) });
        let size = opened.metadata().map_err(|_| Status::FILE)?.len();
        let rest = size.checked_sub(offset).ok_or(Status::FILE)?;
        let len = len.unwrap_or(rest);
        if len == 0 || len > rest.min(LARGEST_FILE) {
            return Err(Status::FILE);
        }
        let mut bytes = vec![0; len as usize];
        opened.read_exact_at(&mut bytes, offset).map_err(|_| Status::FILE)?;
        Ok(Reader {
            bytes: bytes.into(),
            storage: Storage::File(file, offset),
        })
    }
}

/// Code objects that were loaded together.
pub struct Executable {
    /// As it was made.
    pub profile: hsa_profile_t,
    /// As it was made.
    pub rounding: hsa_default_float_rounding_mode_t,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    frozen: bool,
    loaded: Vec<u64>,
    /// Symbols by name and GPU.
    symbols: BTreeMap<(String, usize), u64>,
    /// Addresses that the program gave for variables, by name; for one GPU or for all.
    defined: BTreeMap<(String, Option<usize>), u64>,
}

/// A code object on a GPU.
pub struct Loaded {
    /// The executable that it belongs to.
    pub executable: u64,
    /// Where it runs.
    pub gpu: Arc<Gpu>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Where they came from.
    pub storage: Storage,
    /// What it became in the GPU's memory.
    pub image: Arc<Image>,
}

/// A symbol of a code object on a GPU.
pub struct LoadedSymbol {
    /// The executable that it belongs to.
    pub executable: u64,
    /// Where it can be used.
    pub gpu: Arc<Gpu>,
    /// What it is.
    pub symbol: Symbol,
    /// Keeps what it names.
    _image: Arc<Image>,
}

impl Executable {
    /// An empty one.
    pub fn new(profile: hsa_profile_t, rounding: hsa_default_float_rounding_mode_t) -> Executable {
        Executable {
            profile,
            rounding,
            state: Mutex::default(),
        }
    }

    /// Whether nothing more can be loaded.
    pub fn is_frozen(&self) -> bool {
        lock(&self.state).frozen
    }

    /// Lets nothing more be loaded.
    pub fn freeze(&self) -> Result {
        let mut state = lock(&self.state);
        if state.frozen {
            return Err(Status::FROZEN);
        }
        state.frozen = true;
        Ok(())
    }

    /// Gives the address of a variable that code objects only declare.
    pub fn define(&self, name: &str, gpu: Option<&Gpu>, address: u64) -> Result {
        let mut state = lock(&self.state);
        if state.frozen {
            return Err(Status::FROZEN);
        }
        let key = (name.to_owned(), gpu.map(|gpu| gpu.index));
        if state.defined.contains_key(&key) {
            return Err(Status::VARIABLE_DEFINED);
        }
        state.defined.insert(key, address);
        Ok(())
    }

    /// Finds a symbol on a GPU, or on the first that has it.
    pub fn symbol(&self, name: &str, gpu: Option<&Gpu>) -> Option<u64> {
        let state = lock(&self.state);
        match gpu {
            Some(gpu) => state.symbols.get(&(name.to_owned(), gpu.index)).copied(),
            None => {
                let from = (name.to_owned(), 0)..=(name.to_owned(), usize::MAX);
                state.symbols.range(from).next().map(|(_, handle)| *handle)
            }
        }
    }

    /// All symbols with the position of their GPU.
    pub fn symbols(&self) -> Vec<(usize, u64)> {
        let state = lock(&self.state);
        state.symbols.iter().map(|((_, gpu), handle)| (*gpu, *handle)).collect()
    }

    /// All code objects.
    pub fn loaded(&self) -> Vec<u64> {
        lock(&self.state).loaded.clone()
    }
}

impl Code {
    /// Finds an executable.
    pub fn executable(&self, executable: hsa_executable_t) -> Result<Arc<Executable>> {
        self.executables.get(executable.handle).ok_or(Status::EXECUTABLE)
    }

    /// Loads a code object onto a GPU and returns its handle.
    pub fn load(&self, executable: hsa_executable_t, gpu: &Arc<Gpu>, reader: &Reader) -> Result<u64> {
        let into = self.executable(executable)?;
        let mut state = lock(&into.state);
        if state.frozen {
            return Err(Status::FROZEN);
        }
        let given = |name: &str| {
            let of_gpu = state.defined.get(&(name.to_owned(), Some(gpu.index)));
            of_gpu.or_else(|| state.defined.get(&(name.to_owned(), None))).copied()
        };
        let image = Image::load(gpu, &reader.bytes, &given).map_err(|error| {
            say(&format!("a code object cannot be loaded: {error}"));
            match error {
                LoadError::Malformed(_) | LoadError::Unknown(_) => Status::CODE_OBJECT,
                LoadError::OtherIsa { .. } => Status::INCOMPATIBLE,
                LoadError::Undefined(_) => Status::VARIABLE_UNDEFINED,
                LoadError::NoMemory(_) => Status::OUT_OF_RESOURCES,
            }
        })?;
        let image = Arc::new(image);
        for symbol in image.symbols() {
            let key = (symbol.name.clone(), gpu.index);
            if state.symbols.contains_key(&key) {
                say(&format!("{} is in two code objects of one executable", symbol.name));
                return Err(Status::VARIABLE_DEFINED);
            }
        }
        for symbol in image.symbols() {
            let handle = self.symbols.insert(LoadedSymbol {
                executable: executable.handle,
                gpu: gpu.clone(),
                symbol: symbol.clone(),
                _image: image.clone(),
            });
            state.symbols.insert((symbol.name.clone(), gpu.index), handle);
        }
        let handle = self.loaded.insert(Loaded {
            executable: executable.handle,
            gpu: gpu.clone(),
            bytes: reader.bytes.clone(),
            storage: reader.storage,
            image,
        });
        state.loaded.push(handle);
        Ok(handle)
    }

    /// Ends an executable: its symbols and its code are gone.
    pub fn destroy(&self, executable: hsa_executable_t) -> Result {
        self.executables.remove(executable.handle).ok_or(Status::EXECUTABLE)?;
        self.symbols
            .remove_where(|symbol| symbol.executable == executable.handle);
        self.loaded
            .remove_where(|loaded| loaded.executable == executable.handle);
        Ok(())
    }
}
