//! Calls of host functions by address (opcodes 12 and `o` 0), and commands of the host (29).

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::Services;
use super::files::until_nul;
use super::{on, signed};
use crate::grants::Refusal;
use crate::{FaultKind, Host, PerLane, Port, Registry, STREAM_LIMIT, Stream};

/// The longest command line, its NUL included: what Linux lets one argument of a program have.
const COMMAND_LIMIT: u64 = 128 << 10;

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::HOST_CALL, call);
    on(registry, services, Opcode::OFFLOAD_HOST_CALL, call);
    on(registry, services, Opcode::SYSTEM, system);
}

/// Calls a function of this process, `u64 function(void *arguments)`, on a copy of the arguments. 0 where that is refused.
async fn call(services: Arc<Services>, mut port: Port) {
    let mut arguments = port.recv_n(STREAM_LIMIT).await;
    let functions = port.recv_word().await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let Ok(bytes) = std::mem::replace(&mut arguments[lane], Ok(Vec::new())) else {
            continue;
        };
        let function = functions[lane];
        if !services.grants.may_call_host() {
            services
                .grants
                .refuse(&*port.host(), Refusal::HostCall, &format!("{function:#x}"));
        } else if function == 0 {
            port.fault(FaultKind::BadValue(format!("lane {lane} calls a null function")));
        } else {
            results[lane] = services
                .workers
                .run(move || call_address(function, &bytes))
                .await
                .unwrap_or(0);
        }
    }
    port.send_word(|lane| results[lane]).await;
}

#[allow(unsafe_code, reason = "granted by whoever runs the program")]
fn call_address(function: u64, arguments: &[u8]) -> u64 {
    // The device laid out a structure, so the copy is aligned for any.
    let mut copy = vec![0u128; arguments.len().div_ceil(size_of::<u128>())];
    for (chunk, word) in arguments.chunks(size_of::<u128>()).zip(&mut copy) {
        let mut bytes = [0; size_of::<u128>()];
        bytes[..chunk.len()].copy_from_slice(chunk);
        *word = u128::from_le_bytes(bytes);
    }
    // SAFETY: nothing here can know that the address leads to a function of this type. Whoever runs the program has
    // vouched for it with the grant, which says so.
    unsafe {
        let function: extern "C" fn(*mut u128) -> u64 = std::mem::transmute(function as usize);
        function(copy.as_mut_ptr())
    }
}

/// Runs a command of the host's shell. The answer is what C's `system` gives: the status of `wait`, or -1.
async fn system(services: Arc<Services>, mut port: Port) {
    let commands = port.recv_n(COMMAND_LIMIT).await;
    let mut results = PerLane::new(port.mask(), -1);
    for lane in port.lanes() {
        let Ok(command) = &commands[lane] else { continue };
        let command = String::from_utf8_lossy(until_nul(command)).into_owned();
        if !services.grants.may_run() {
            services.grants.refuse(&*port.host(), Refusal::Run, &command);
            continue;
        }
        let host = port.host();
        results[lane] = services
            .workers
            .run(move || run(host, &command))
            .await
            .flatten()
            .unwrap_or(-1);
    }
    port.send_word(|lane| signed(results[lane])).await;
}

/// Runs a command whose output goes where the program's goes.
fn run(host: Arc<dyn Host>, command: &str) -> io::Result<i32> {
    let mut child = Command::new("/bin/sh")
        .arg("-c")
        .arg(command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(|| pass_on(stdout, &*host, Stream::Stdout));
        pass_on(stderr, &*host, Stream::Stderr);
    });
    Ok(child.wait()?.into_raw())
}

/// Passes on what a command prints, until it closes its stream.
fn pass_on(from: Option<impl io::Read>, host: &dyn Host, to: Stream) {
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
