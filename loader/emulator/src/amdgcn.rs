//! Code objects and machine code of AMD GPUs.
//!
//! | module | job |
//! |---|---|
//! | [`target`] | the four processors and what differs between them |
//! | [`inst`] | the decoded form of an instruction |
//! | [`ops`] | the tables of operations |

pub mod inst;
pub mod ops;
pub mod target;
