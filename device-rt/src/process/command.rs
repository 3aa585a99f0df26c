//! Commands of the host, as far as the loader was told to grant them (`--allow-run`).

use alloc::vec::Vec;

use rpc_proto::Opcode;

use crate::io::{self, Error, Result, Write};
use crate::{express, rpc};

/// A command to be run by the host, without a shell.
#[derive(Clone, Debug)]
pub struct Command {
    /// Program and arguments, each with its NUL.
    strings: Vec<u8>,
    count: u64,
    input: Vec<u8>,
}

impl Command {
    /// A command without arguments. A name without a slash is looked for where the host looks for programs.
    pub fn new(program: impl AsRef<[u8]>) -> Self {
        let command = Self {
            strings: Vec::new(),
            count: 0,
            input: Vec::new(),
        };
        command.arg(program)
    }

    /// Adds an argument. A NUL ends it.
    pub fn arg(mut self, argument: impl AsRef<[u8]>) -> Self {
        let argument = argument.as_ref();
        let end = argument.iter().position(|&byte| byte == 0).unwrap_or(argument.len());
        self.strings.extend_from_slice(&argument[..end]);
        self.strings.push(0);
        self.count += 1;
        self
    }

    /// Adds several.
    pub fn args(self, arguments: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    /// What the command finds on its standard input; nothing unless told.
    pub fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.input = bytes.as_ref().to_vec();
        self
    }

    /// Runs the command to its end and returns what it printed.
    pub fn output(&self) -> Result<Output> {
        if !rpc::has_services() {
            return Err(Error::NO_SERVICES);
        }
        let mut request = Vec::new();
        request.write_all(&self.count.to_le_bytes())?;
        request.write_all(&self.strings)?;
        request.write_all(&self.input)?;
        // What it prints comes after what was printed before.
        express::flush();
        let client = rpc::client();
        let mut port = client.open(Opcode::RUN);
        port.send_n(&request);
        let words = port.recv(|packet| packet.load().data);
        drop(port);
        Error::check(words[0])?;
        Ok(Output {
            status: ExitStatus(words[1] as i32),
            stdout: collect(words[2], words[3])?,
            stderr: collect(words[4], words[5])?,
        })
    }

    /// Runs the command to its end. What it prints is thrown away.
    pub fn status(&self) -> Result<ExitStatus> {
        Ok(self.output()?.status)
    }
}

/// Reads and closes the file in which the host has put what a command printed.
fn collect(file: u64, size: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == 0 {
        return Ok(bytes);
    }
    let outcome = io::read_exactly(file, size, &mut bytes);
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_CLOSE);
    port.send(|packet| packet.set(0, file));
    port.recv(|_| ());
    outcome.map(|()| bytes)
}

/// What a command left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed to standard output.
    pub stdout: Vec<u8>,
    /// What it printed to standard error.
    pub stderr: Vec<u8>,
}

/// How a command ended, as `wait` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitStatus(i32);

impl ExitStatus {
    /// It ended on its own, with 0.
    pub const fn success(self) -> bool {
        self.0 == 0
    }

    /// Its exit code, unless a signal ended it.
    pub const fn code(self) -> Option<i32> {
        match self.0 & 0x7f {
            0 => Some(self.0 >> 8 & 0xff),
            _ => None,
        }
    }

    /// The signal that ended it.
    pub const fn signal(self) -> Option<i32> {
        match self.0 & 0x7f {
            0 => None,
            signal => Some(signal),
        }
    }
}
