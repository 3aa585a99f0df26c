//! What can go wrong, sorted by who has to act.
//!
//! Each error is one line that says who, what, and what to do about it; behind the first line of a
//! fault the emulator may have put one for each caller. The kind decides the
//! exit code of `gpu-loader`, so that a test suite can tell a failed test from a failed machine.

/// Why an image did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The vendor's driver is not installed. `--backend auto` answers this with the emulator.
    #[error("{0}")]
    NoDriver(String),
    /// The driver is there but offers no device at all. `--backend auto` answers this with the
    /// emulator.
    #[error("{0}")]
    NoDevice(String),
    /// The image cannot run here: not a GPU image, for another device, or incomplete.
    #[error("{0}")]
    Image(String),
    /// A driver call, an allocation or a launch was refused: the machine or the options, not the
    /// program.
    #[error("{0}")]
    Host(String),
    /// The program itself ended on the device: a trap, an illegal address, a stack overflow.
    #[error("{0}")]
    Fault(String),
}

/// Shorthand for this crate's results.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The exit code that `gpu-loader` reports for this error; see [`crate::exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Image(_) => crate::exit::CANNOT_RUN,
            Error::Fault(_) => crate::exit::FAULT,
            Error::NoDriver(_) | Error::NoDevice(_) | Error::Host(_) => crate::exit::LOADER_FAILED,
        }
    }

    /// The same error, with what it is about in front.
    pub(crate) fn within(self, what: &str) -> Error {
        let within = |text: String| format!("{what}{text}");
        match self {
            Error::NoDriver(text) => Error::NoDriver(within(text)),
            Error::NoDevice(text) => Error::NoDevice(within(text)),
            Error::Image(text) => Error::Image(within(text)),
            Error::Host(text) => Error::Host(within(text)),
            Error::Fault(text) => Error::Fault(within(text)),
        }
    }

    /// Whether a machine without a GPU explains the error, in which case the emulator can help.
    pub fn is_absent_device(&self) -> bool {
        matches!(self, Error::NoDriver(_) | Error::NoDevice(_))
    }
}
