//! Runs GPU images as programs.

pub mod device;
mod error;
pub mod exit;

pub use error::{Error, Result};
