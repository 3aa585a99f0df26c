//! Code objects and machine code of AMD GPUs.
//!
//! | module | job |
//! |---|---|
//! | [`target`] | the four processors and what differs between them |
//! | [`code_object`] | what an ELF file contains: kernels, functions, code |
//! | [`descriptor`], [`metadata`], [`msgpack`] | what it says about its kernels |
//! | [`inst`] | the decoded form of an instruction |
//! | [`ops`] | the tables of operations |
//! | [`decode`] | machine code to instructions |
//! | [`program`] | all instructions of a code object |
//! | [`disasm`] | instructions to LLVM's text |
//! | [`exec`] | runs them: wavefronts in lockstep |

pub mod code_object;
pub mod decode;
pub mod descriptor;
pub mod disasm;
pub mod exec;
pub mod inst;
pub mod metadata;
pub mod msgpack;
pub mod ops;
pub mod program;
pub mod target;
