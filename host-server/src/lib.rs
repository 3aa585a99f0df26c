//! Answers the calls of a program that runs on a GPU.
//!
//! A [`Server`] watches one shared region. For each call it starts a *conversation*: an `async fn` that receives and
//! sends through its [`Port`] and is polled by the scan loop whenever the device has given the port back, so that no
//! handler ever holds a thread while it waits for a device. What handlers may touch of the outside world is behind the
//! [`Host`] trait. Nothing here ends the process: exit is a value that the embedding code gets.
//!
//! The device may be wrong or hostile. Every value that it wrote is copied out, checked against a bound, then used; a
//! bad one gives that call an error and becomes a [`Fault`].
#![deny(unsafe_code)]

pub mod bulk;
#[allow(unsafe_code, reason = "it touches the express region")]
mod express;
mod fault;
pub mod files;
pub mod format;
pub mod functions;
mod grants;
pub mod heap;
mod host;
#[allow(unsafe_code, reason = "vector reads of shared memory")]
mod lines;
mod lock;
#[allow(unsafe_code, reason = "memory of devices")]
pub mod offload;
mod output;
mod place;
mod port;
#[allow(unsafe_code, reason = "the one place that touches the shared region")]
mod region;
mod registry;
mod relay;
mod server;
pub mod services;
mod threads;

pub use fault::{Fault, FaultKind};
pub use grants::{Grants, Refusal};
pub use host::{Exit, Host, RecordingHost, StdHost, Stream};
pub use place::Place;
pub use port::{Bytes, PerLane, Port, TooLong};
pub use registry::{ExpressHandler, Handler, Registry};
pub use rpc_proto::express::{Message, Shape};
pub use rpc_proto::{Buffer, ClientObject, Layout, Opcode, layout};
pub use server::{Drained, ExpressContext, Server};
pub use threads::{Idle, ServerThreads};

/// Bytes that one lane may send in one call unless the [`Registry`] says [otherwise](Registry::limit_streams) or a handler
/// sets a smaller bound: 1 GiB.
pub const STREAM_LIMIT: u64 = 1 << 30;
