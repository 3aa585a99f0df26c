//! The services of the opcode table, one file for each family.
//!
//! A handler receives what the lanes sent, does each lane's work in turn, and answers. Work that may take as long as
//! somebody else likes (a terminal, a pipe, a command, a function of the embedding program) goes to a thread of its
//! own while the conversation waits, so that one server thread serves all other ports meanwhile.

mod bulk;
mod command;
mod context;
mod errno;
mod express;
mod files;
mod fs;
mod functions;
mod hostcall;
mod memory;
mod printf;
mod process;
mod streams;
mod test;
mod time;
mod worker;

use std::sync::Arc;

use crate::{Opcode, Port, Registry};

pub use context::Services;

/// The handlers of every opcode that has a name, for a program without grants.
pub fn standard() -> Registry {
    Services::new(crate::Grants::none()).registry()
}

/// Answers `opcode` with a handler that shares the services' state.
fn on<F>(
    registry: &mut Registry,
    services: &Arc<Services>,
    opcode: Opcode,
    handler: impl Fn(Arc<Services>, Port) -> F + Send + Sync + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let services = services.clone();
    registry.on(opcode, move |port| handler(services.clone(), port));
}

/// An integer result as it travels: all 64 bits, with the sign extended.
fn signed(value: impl Into<i64>) -> u64 {
    value.into() as u64
}
