//! The shared words of a remote procedure call between a GPU and its host.
//!
//! The GPU is the client, the host the server. They talk through *ports*: mailboxes, headers and packets in memory that
//! both can reach. This crate has the layout of that memory, the names of the services, and the two state machines; it
//! neither allocates nor waits on anything but the other side. The base protocol is byte for byte that of LLVM libc 22.
//!
//! Everything is generic over [`Memory`] (how the shared words are read and written) and [`Lanes`] (who runs together).
//! [`raw::RawMemory`] and [`OneLane`] are what a CPU needs; the crate's README builds a client and a server from them.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

#[cfg(test)]
extern crate std;

pub mod bulk;
pub mod client;
pub mod express;
pub mod ext;
pub mod lanes;
pub mod layout;
pub mod memory;
pub mod opcode;
pub mod pool;
pub mod raw;
pub mod server;
pub mod stream;
#[cfg(target_arch = "x86_64")]
mod vectors;

pub use client::{Client, Port};
pub use lanes::{Lanes, OneLane};
pub use layout::{Buffer, ClientObject, Header, Layout};
pub use memory::{Memory, Packet, Shadow};
pub use opcode::Opcode;
pub use server::{Server, ServerPort, Turn};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
