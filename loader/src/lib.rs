//! Runs GPU images as programs.

pub mod cuda;
pub mod device;
mod error;
pub mod exit;
#[cfg(test)]
mod fake;
pub mod image;
mod startup;
pub mod symbols;

pub use error::{Error, Result};
