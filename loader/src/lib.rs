//! Runs GPU images as programs, and single kernels of them, while the calls that they make are answered.
//!
//! An [`Image`](image::Image) is a file that was recognised, a [`Runtime`] the device that runs it, a [`Program`] the
//! image on that device with a server for its calls. The rest is what they are made of: [`symbols`] reads what an image
//! contains, [`device`] is the seam behind which [`cuda`] and [`hsa`] lie, [`cli`] is `gpu-loader`.
//!
//! A program from its first constructor to its exit code:
//!
//! ```no_run
//! use loader::{Options, Runtime, image::Image, runtime::Backend, device::LaunchShape};
//!
//! let image = Image::open("hello.ptx".as_ref())?;
//! let runtime = Runtime::open(&image, Backend::Auto, 0)?;
//! let program = runtime.load(&image, Options::default())?;
//! let ended = program.run(&["hello", "argument"], &["NAME=value"], LaunchShape::SINGLE)?;
//! std::process::exit(ended.exit_code().into());
//! # Ok::<(), loader::Error>(())
//! ```
//!
//! One kernel of one's own, its output captured, on a stream beside others:
//!
//! ```no_run
//! # use loader::{Options, Runtime, image::Image, runtime::Backend, device::LaunchShape};
//! use std::sync::Arc;
//! use host_server::RecordingHost;
//! use loader::Parameters;
//!
//! # let image = Image::open("saxpy.ptx".as_ref())?;
//! # let runtime = Runtime::open(&image, Backend::Auto, 0)?;
//! let output = Arc::new(RecordingHost::default());
//! let options = Options { host: output.clone(), ..Options::default() };
//! let program = runtime.load(&image, options)?;
//! let device = program.device();
//! let numbers = device.alloc_device(4 * 1024)?;
//! let shape = LaunchShape { grid: [4, 1, 1], block: [256, 1, 1], shared_bytes: 0 };
//! let parameters = Parameters::new().with(2.5f32).with(numbers).with(1024u32);
//! let stream = program.create_stream()?;
//! // SAFETY: the kernel takes a float, a pointer to as many floats as the third parameter says, and that number; the
//! // memory stays until the kernel has ended.
//! let launch = unsafe { program.launch("saxpy", shape, parameters.bytes(), Some(stream))? };
//! launch.wait()?;
//! print!("{}", String::from_utf8_lossy(&output.seen().stdout));
//! # Ok::<(), loader::Error>(())
//! ```
//!
//! Whatever is launched, calls are answered by threads of the program; nobody needs to wait or poll for output to
//! appear. What the process ends with is up to the embedding code: an `exit` on the device is a value here.

mod binding;
mod bulk;
mod calls;
pub mod cli;
pub mod cuda;
pub mod device;
mod diagnostics;
mod error;
pub mod exit;
#[cfg(test)]
mod fake;
mod gate;
pub mod hsa;
pub mod image;
pub mod launcher;
mod near;
mod parameters;
mod program;
mod ranges;
pub mod runtime;
mod startup;
pub mod symbols;

pub use error::{Error, Result};
pub use parameters::{Parameter, Parameters};
pub use program::{Ended, Launch, Options, Program};
pub use runtime::Runtime;
