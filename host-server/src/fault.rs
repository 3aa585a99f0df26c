//! What a device did wrong.

use rpc_proto::Opcode;
use thiserror::Error;

/// A breach of the protocol, or a value that no call may carry. The call got an error; the run goes on.
#[derive(Clone, Debug, Error)]
#[error("device fault in {}: {kind}", self.call())]
pub struct Fault {
    /// The port of the call; `None` when it came by express.
    pub port: Option<u32>,
    /// The call; `None` when it could not be made out.
    pub opcode: Option<Opcode>,
    /// What was wrong with it.
    pub kind: FaultKind,
}

impl Fault {
    fn call(&self) -> String {
        let opcode = self.opcode.map_or("a call".into(), |opcode| opcode.to_string());
        match self.port {
            Some(port) => format!("{opcode} on port {port}"),
            None => format!("{opcode} by express"),
        }
    }
}

/// What was wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// Nobody answers this opcode.
    #[error("no handler for this opcode; the call was answered with zeros (register a handler for it)")]
    UnknownOpcode,
    /// The header names no lane, or lanes that cannot exist.
    #[error("the lane mask {0:#x} names no lane, or lanes that the region has no room for")]
    BadMask(u64),
    /// A lane announced more than may be sent.
    #[error("lane {lane} sends {announced} bytes where {limit} are allowed; the excess was discarded")]
    TooLong {
        /// The lane.
        lane: u32,
        /// What it announced.
        announced: u64,
        /// What is allowed.
        limit: u64,
    },
    /// A value that the call must not carry.
    #[error("{0}")]
    BadValue(String),
    /// The device did not come back to a call that it had begun.
    #[error(
        "the kernel ended in the middle of this call, for which later calls on this port may have been taken; check that the client \
         makes all sends of the call"
    )]
    CutOff,
    /// A handler of the embedding program panicked.
    #[error("the handler panicked; the call was abandoned")]
    HandlerPanicked,
}
