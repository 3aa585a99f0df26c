//! Code objects and machine code of AMD GPUs.
//!
//! | module | job |
//! |---|---|
//! | [`target`] | the four processors and what differs between them |
//! | [`inst`] | the decoded form of an instruction |
//! | [`ops`] | the tables of operations |
//! | [`decode`] | machine code to instructions |
//! | [`disasm`] | instructions to LLVM's text |

pub mod decode;
pub mod disasm;
pub mod inst;
pub mod ops;
pub mod target;
