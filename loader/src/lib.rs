//! Runs GPU images as programs.

pub mod backend;
mod calls;
pub mod cli;
pub mod cuda;
pub mod device;
mod error;
pub mod exit;
#[cfg(test)]
mod fake;
pub mod image;
mod program;
mod startup;
pub mod symbols;

pub use error::{Error, Result};
pub use program::{Ended, Launch, Options, Program};
