//! The NVIDIA front: PTX text in, launches out.
//!
//! ```text
//! Module::parse(text) ──▶ Module ──load(memory)──▶ LoadedModule ──launch(kernel, …)──▶ Stats or Fault
//! ```

mod code;
mod exec;
mod load;
mod lower;
mod parse;
mod types;

use std::fmt;
use std::sync::Arc;

use crate::fault::Fault;
use crate::grid::{Dim3, Launch, Stats};
use crate::memory::Memory;
use lower::Image;

/// Something in a PTX text that cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line of the text, from 1; 0 = the text as a whole.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

/// A parsed and decoded PTX text.
#[derive(Debug)]
pub struct Module {
    image: Image,
}

/// Why a module cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// An external symbol that nothing defines.
    #[error("unresolved external symbol {0}")]
    Unresolved(String),
    /// A kernel that no device could run.
    #[error("kernel {kernel} needs {need} bytes of {what}, devices have {most}")]
    TooMuch {
        /// Symbol.
        kernel: String,
        /// Of which memory.
        what: &'static str,
        /// Bytes.
        need: u32,
        /// Bytes.
        most: u32,
    },
    /// Not enough memory for the module's variables.
    #[error("no memory for the module's variables: {0}")]
    Memory(#[from] crate::memory::AllocError),
}

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Offset in the parameter buffer, bytes.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Bytes.
    pub align: u32,
}

/// A kernel of a module, and what a driver says about it.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Symbol.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Bytes of all parameters.
    pub param_size: u32,
    /// Bytes of shared memory that the kernel declares (itself and through calls).
    pub static_shared: u32,
    /// Bytes of stack per thread that the kernel needs itself and through calls, where its call graph tells; otherwise what
    /// the kernel's own frame needs.
    pub local_size: u32,
    /// Whether `local_size` covers all calls. If not, [`Launch::stack_size`] bounds the stack.
    pub stack_is_known: bool,
    /// Bytes of constant memory of the module.
    pub const_size: u32,
    /// Largest number of threads per block (`.maxntid`, `.reqntid`, else 1024).
    pub max_threads: u32,
    /// Block size that the kernel demands (`.reqntid`).
    pub required_block: Option<Dim3>,
    /// Registers per thread, an estimate: 32-bit registers live at once, at least 16, at most 255.
    pub registers: u32,
}

/// A global variable of a loaded module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Symbol.
    pub name: String,
    /// Address.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// A module with its variables in memory. Dropping it frees them: no launch may be under way then.
#[derive(Debug)]
pub struct LoadedModule {
    image: Image,
    memory: Arc<Memory>,
    kernels: Vec<Kernel>,
    globals: Vec<Global>,
    /// Everything allocated for the module.
    allocations: Vec<u64>,
    /// Address of the first function.
    code: u64,
}

impl Module {
    /// Parses and decodes a PTX text. A NUL ends it.
    ///
    /// # Errors
    /// Everything that is wrong with it: at least one diagnostic, each with its line; unknown instructions are named.
    pub fn parse(text: &[u8]) -> Result<Module, Vec<Diagnostic>> {
        let text = text.split(|&c| c == 0).next().unwrap_or(text);
        let text = std::str::from_utf8(text).map_err(|error| {
            let before = &text[..error.valid_up_to()];
            vec![Diagnostic {
                line: 1 + before.iter().filter(|&&c| c == b'\n').count() as u32,
                message: "the text is not UTF-8: this is no PTX".to_owned(),
            }]
        })?;
        let ast = parse::parse(text)?;
        Ok(Module {
            image: lower::lower(&ast)?,
        })
    }

    /// Puts the module's variables into memory.
    ///
    /// # Errors
    /// When a symbol is unresolved, or memory is short.
    pub fn load(self, memory: &Arc<Memory>) -> Result<LoadedModule, LoadError> {
        load::load(self.image, memory)
    }
}

impl LoadedModule {
    /// All kernels, in the order of the text.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// All global and constant variables, in the order of the text.
    pub fn globals(&self) -> &[Global] {
        &self.globals
    }

    /// The variable of that name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().find(|global| global.name == name)
    }

    /// Runs a kernel to its end. `params` holds the parameters at the offsets of [`Kernel::params`]; missing bytes are zero.
    /// May be called from any number of threads at once.
    ///
    /// Limits of the device (block size, shared memory) are the caller's to check.
    ///
    /// # Errors
    /// The fault that ended the launch.
    ///
    /// # Panics
    /// When there is no kernel of that name.
    pub fn launch(&self, kernel: &str, launch: &Launch, params: &[u8]) -> Result<Stats, Box<Fault>> {
        load::launch(self, kernel, launch, params)
    }
}

impl Drop for LoadedModule {
    fn drop(&mut self) {
        load::unload(self);
    }
}
