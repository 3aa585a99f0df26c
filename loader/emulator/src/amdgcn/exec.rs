//! Runs kernels: wavefronts in lockstep under the exec mask.
//!
//! | module | job |
//! |---|---|
//! | [`kernel`] | a dispatch, and the registers a wavefront begins with |
//! | `code` | instructions, decoded when first reached |
//! | `wave` | the registers of a wavefront, and operands |
//! | `run` | the loop over instructions, branches, barriers |
//! | `scalar` | the scalar unit |
//! | `vector` | the vector unit |
//! | `lanes` | exchange between lanes: DPP, SDWA, permutations |
//! | `packed` | operations on two values in a register |
//! | `float` | floating-point operations that the host has not |
//! | `memory` | addresses: global, LDS, scratch |
//!
//! What an instruction needs that is not implemented ends the launch with a fault that names it.
#![allow(clippy::precedence, reason = "shifts and masks read as the ISA manuals write them")]

mod code;
mod float;
pub mod kernel;
mod lanes;
mod memory;
mod packed;
mod run;
mod scalar;
mod vector;
mod wave;

pub use kernel::{Dispatch, Image, launch};
