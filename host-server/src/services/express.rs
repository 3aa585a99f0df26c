//! The services that answer express messages: those whose work takes less time than the trip.

use rpc_proto::{
    Opcode,
    express::{MAX_WORDS, Message, text},
};

use crate::{ExpressContext, FaultKind, Registry, Stream};

pub(super) fn register(registry: &mut Registry) {
    registry.on_express(Opcode::NOOP, |_, _| ());
    for (opcode, stream, end) in [
        (Opcode::WRITE_TO_STDOUT, Stream::Stdout, &b""[..]),
        (Opcode::WRITE_TO_STDERR, Stream::Stderr, b""),
        (Opcode::WRITE_TO_STDOUT_NEWLINE, Stream::Stdout, b"\n"),
    ] {
        registry.on_express(opcode, move |context, message| write(context, message, stream, end));
    }
    registry.on_express(Opcode::MALLOC, |context, message| {
        for lane in message.lanes() {
            let address = context.host().allocate(message.word(lane, 0));
            message.set_word(lane, 0, address.unwrap_or(0));
        }
    });
    registry.on_express(Opcode::FREE, |context, message| {
        for lane in message.lanes() {
            let address = message.word(lane, 0);
            if address != 0
                && let Err(problem) = context.host().free(address)
            {
                context.fault(FaultKind::BadValue(format!("lane {lane}: {problem}")));
            }
        }
    });
}

/// Each lane's text, one behind the other; the answer, where one is wanted, is the number of bytes written.
///
/// A reader that takes nothing holds up those who print, each when its ring is full, and no server thread.
fn write(context: &ExpressContext<'_>, message: &mut Message, stream: Stream, end: &[u8]) {
    let host = context.host();
    if host.is_full(stream) && context.put_off() {
        return;
    }
    let mut room = [0; 8 * MAX_WORDS];
    // The longest text of each of 64 lanes, and its end.
    let mut all = [0; 64 * 8 * MAX_WORDS + 64];
    let mut len = 0;
    for lane in message.lanes() {
        let text = text::read(message, lane, &mut room);
        for part in [text, end] {
            all[len..][..part.len()].copy_from_slice(part);
            len += part.len();
        }
        let written = text.len() + end.len();
        message.set_word(lane, 0, written as u64);
    }
    if host.write(stream, &all[..len]).is_err() {
        message.map(|_, _| 0);
    }
}
