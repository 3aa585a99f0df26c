//! The services of the opcode table, one file for each family.

mod memory;
mod process;
mod streams;
mod test;

use crate::Registry;

/// The handlers of every opcode that has a name.
pub fn standard() -> Registry {
    let mut registry = Registry::new();
    process::register(&mut registry);
    streams::register(&mut registry);
    memory::register(&mut registry);
    test::register(&mut registry);
    registry
}
