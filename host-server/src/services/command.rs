//! Commands of the host: opcodes 29 and `r` 16. Both only where granted.

use std::ffi::OsStr;
use std::io::{self, Cursor, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::Arc;

use rpc_proto::{Buffer, Opcode};

use super::context::Services;
use super::errno::{error, failure};
use super::files::until_nul;
use super::{on, signed};
use crate::files::{Mode, OpenFile, Source};
use crate::grants::Refusal;
use crate::{Host, PerLane, Port, Registry, Stream};

/// The longest command line, its NUL included: what Linux lets one argument of a program have.
const COMMAND_LIMIT: u64 = 128 << 10;

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::SYSTEM, system);
    on(registry, services, Opcode::RUN, run);
}

/// Runs a command of the host's shell. The answer is what C's `system` gives: the status of `wait`, or -1.
async fn system(services: Arc<Services>, mut port: Port) {
    let commands = port.recv_n(COMMAND_LIMIT).await;
    let mut results = PerLane::new(port.mask(), -1);
    for lane in port.lanes() {
        let Ok(command) = &commands[lane] else { continue };
        let command = until_nul(command).to_vec();
        let (services, host) = (services.clone(), port.host());
        if services.may_run(&*host, &command) {
            results[lane] = services
                .workers
                .clone()
                .run(move || services.shell(&*host, &command))
                .await
                .flatten()
                .unwrap_or(-1);
        }
    }
    port.send_word(|lane| signed(results[lane])).await;
}

/// Runs a program whose output is kept for the device to read.
async fn run(services: Arc<Services>, mut port: Port) {
    let requests = port.recv_n(port.stream_limit()).await;
    let most = port.stream_limit();
    let mut answers = PerLane::new(port.mask(), Buffer::default());
    for lane in port.lanes() {
        let outcome = match &requests[lane] {
            Err(_) => Err(error(libc::E2BIG)),
            Ok(request) => {
                let (services, host, request) = (services.clone(), port.host(), request.clone());
                services
                    .workers
                    .clone()
                    .run(move || services.run(&*host, &request, most))
                    .await
                    .flatten()
            }
        };
        answers[lane].data = match outcome {
            Ok([status, stdout, stdout_size, stderr, stderr_size]) => {
                [0, status, stdout, stdout_size, stderr, stderr_size, 0, 0]
            }
            Err(error) => [failure(&error), 0, 0, 0, 0, 0, 0, 0],
        };
    }
    port.send(|lane| answers[lane]).await;
}

impl Services {
    /// Whether a command may be run; if not, that is said.
    fn may_run(&self, host: &dyn Host, command: &[u8]) -> bool {
        if !self.grants.may_run() {
            self.grants
                .refuse(host, Refusal::Run, &String::from_utf8_lossy(command));
        }
        self.grants.may_run()
    }

    /// Runs a command line whose output goes where the program's goes.
    fn shell(&self, host: &dyn Host, command: &[u8]) -> io::Result<i32> {
        let mut child = self
            .grants
            .command(OsStr::new("/bin/sh"))
            .arg("-c")
            .arg(OsStr::from_bytes(command))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| pass_on(stdout, host, Stream::Stdout));
            pass_on(stderr, host, Stream::Stderr);
        });
        Ok(child.wait()?.into_raw())
    }

    /// The status, then a handle and a size each for standard output and standard error, of each of which no more than `most` bytes are
    /// kept.
    fn run(&self, host: &dyn Host, request: &[u8], most: u64) -> io::Result<[u64; 5]> {
        let (strings, input) = parse(request).ok_or_else(|| error(libc::EINVAL))?;
        let (program, arguments) = strings.split_first().ok_or_else(|| error(libc::EINVAL))?;
        if !self.may_run(host, program) {
            return Err(error(libc::EACCES));
        }
        let mut command = self.grants.command(OsStr::from_bytes(program));
        command.args(arguments.iter().map(|argument| OsStr::from_bytes(argument)));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = std::thread::scope(|scope| {
            // A program need not read what it is given.
            scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(input)));
            let stdout = scope.spawn(|| keep(stdout, most));
            let stderr = keep(stderr, most);
            (stdout.join().unwrap_or_default(), stderr)
        });
        let status = child.wait()?.into_raw();
        let sizes = [&stdout, &stderr].map(|bytes| bytes.len() as u64);
        let stdout = self.keep_bytes(stdout)?;
        let stderr = self
            .keep_bytes(stderr)
            .inspect_err(|_| drop(self.files.remove(stdout)))?;
        Ok([signed(status), stdout, sizes[0], stderr, sizes[1]])
    }

    /// A handle of bytes to be read; none for no bytes.
    fn keep_bytes(&self, bytes: Vec<u8>) -> io::Result<u64> {
        if bytes.is_empty() {
            return Ok(0);
        }
        self.keep(OpenFile::new(
            Source::Memory(Cursor::new(bytes)),
            Mode {
                read: true,
                ..Mode::default()
            },
        ))
    }
}

/// The strings of a request and what follows them.
fn parse(request: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let (count, mut rest) = request.split_first_chunk()?;
    let mut strings = Vec::new();
    for _ in 0..u64::from_le_bytes(*count) {
        let end = rest.iter().position(|&byte| byte == 0)?;
        strings.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    Some((strings, rest))
}

/// Everything that a command prints, up to `most` bytes; it is read to its end in any case.
fn keep(from: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.by_ref().take(most).read_to_end(&mut bytes);
        let _ = io::copy(&mut from, &mut io::sink());
    }
    bytes
}

/// Passes on what a command prints, until it closes its stream.
fn pass_on(from: Option<impl Read>, host: &dyn Host, to: Stream) {
    let Some(mut from) = from else { return };
    let mut buffer = [0; 8192];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            // A program whose output nobody takes goes on, as it would with a file that is full.
            Ok(count) => _ = host.write(to, &buffer[..count]).and_then(|()| host.flush()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
