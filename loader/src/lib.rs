//! Runs GPU images as programs.

pub mod cuda;
pub mod device;
mod error;
pub mod exit;
pub mod image;
pub mod symbols;

pub use error::{Error, Result};
