//! Running decoded functions.

pub(crate) mod bits;
mod block;
mod call;
pub(crate) mod lanes;
pub(crate) mod memory;
mod printf;
pub(crate) mod program;
pub(crate) mod round;
mod run;
mod sync;
mod warp;
