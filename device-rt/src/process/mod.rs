//! The end of the program, and what it says to whoever started it; commands of the host.

mod command;

pub use command::{Command, ExitStatus, Output};

use rpc_proto::{Client, Lanes, Memory, Opcode};

use crate::{arch, express, init, io, rpc};

/// The exit code of a program that panicked.
pub(crate) const PANICKED: i32 = 101;

/// Ends the program with `code` after the functions registered with [`at_exit`](crate::at_exit) and the destructors have run.
///
/// Output that threads have handed to the host by then is kept; what the other threads were about to do is not done. Where several
/// lanes call this together, the code is that of the lowest one.
pub fn exit(code: i32) -> ! {
    init::finish_early();
    quick_exit(code)
}

/// Ends the program with `code`, at once.
pub fn quick_exit(code: i32) -> ! {
    express::flush();
    tell_exit(rpc::client(), code);
    arch::exit_thread()
}

/// Ends the program abnormally: the exit code is that of an abort, and nothing registered runs.
pub fn abort() -> ! {
    express::flush();
    let client = rpc::client();
    io::flush_host(&client);
    let mut port = client.open(Opcode::ABORT);
    port.send_and_recv(|_| (), |_| ());
    port.send(|_| ());
    port.close();
    arch::exit_thread()
}

/// Ends the program with a fault of the device, as an illegal instruction would. The loader reports the kernel and a code that is not 0.
pub fn trap() -> ! {
    express::flush();
    arch::trap()
}

/// Tells the host to end the program, as a lane on its own.
#[inline(never)]
pub(crate) fn tell_exit_lone(code: i32) {
    express::flush_lone();
    tell_exit(rpc::lone_client(), code);
}

/// Tells the host to end the program. Returns: the thread has to stop on its own.
fn tell_exit(client: Client<impl Memory, impl Lanes>, code: i32) {
    io::flush_host(&client);
    let mut port = client.open(Opcode::EXIT);
    // The host's answer says that all output before this has been taken.
    port.send_and_recv(|_| (), |_| ());
    port.send(|packet| packet.set(0, code as u32 as u64));
    port.close();
}

/// How a program ended, as `main` may return it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitCode(i32);

impl ExitCode {
    /// The program did what it was asked for: 0.
    pub const SUCCESS: Self = Self(0);
    /// It did not: 1.
    pub const FAILURE: Self = Self(1);

    /// The number that the loader makes its exit code of.
    pub const fn to_i32(self) -> i32 {
        self.0
    }
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code.into())
    }
}

/// What `main` may return. The codes of all threads are OR-ed together.
pub trait Termination {
    /// The exit code. An error is first written to standard error.
    fn report(self) -> ExitCode;
}

impl Termination for () {
    fn report(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl Termination for i32 {
    fn report(self) -> ExitCode {
        ExitCode(self)
    }
}

impl Termination for ExitCode {
    fn report(self) -> ExitCode {
        self
    }
}

impl Termination for core::convert::Infallible {
    fn report(self) -> ExitCode {
        match self {}
    }
}

impl<T: Termination, E: core::fmt::Debug> Termination for Result<T, E> {
    fn report(self) -> ExitCode {
        match self {
            Ok(value) => value.report(),
            Err(error) => {
                crate::eprintln!("Error: {error:?}");
                ExitCode::FAILURE
            }
        }
    }
}
