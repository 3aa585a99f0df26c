//! The PRINTF family, opcodes `c` 21 to 26, and FORMAT, `r` 32 and 33: formats come here, strings are asked for one by one, the text is
//! written whole, or goes back to the device.

use std::sync::Arc;

use rpc_proto::{Buffer, Opcode};

use super::context::{Services, Target};
use super::{on, signed};
use crate::files;
use crate::format::{Bound, Format, FormatError, Layout};
use crate::{FaultKind, PerLane, Port, Registry, Stream};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    use Layout::{Natural, Packed};
    for (opcode, to, layout) in [
        (Opcode::PRINTF_TO_STDOUT, To::Output(Stream::Stdout), Natural),
        (Opcode::PRINTF_TO_STDERR, To::Output(Stream::Stderr), Natural),
        (Opcode::PRINTF_TO_STREAM, To::Stream, Natural),
        (Opcode::PRINTF_TO_STDOUT_PACKED, To::Output(Stream::Stdout), Packed),
        (Opcode::PRINTF_TO_STDERR_PACKED, To::Output(Stream::Stderr), Packed),
        (Opcode::PRINTF_TO_STREAM_PACKED, To::Stream, Packed),
        (Opcode::FORMAT, To::Device, Natural),
        (Opcode::FORMAT_PACKED, To::Device, Packed),
    ] {
        on(registry, services, opcode, move |services, port| {
            printf(services, port, to, layout)
        });
    }
}

/// Where the text goes.
#[derive(Clone, Copy)]
enum To {
    Output(Stream),
    /// To the stream that each lane names first.
    Stream,
    /// Back to the device, which first says how many bytes it has room for.
    Device,
}

/// Answers each lane with the number of bytes written, or -1 where its format, its arguments or its stream are wrong.
///
/// A lane that went wrong takes part to the end, without being asked for anything, so that the others stay in step.
async fn printf(services: Arc<Services>, mut port: Port, to: To, layout: Layout) {
    let first = match to {
        To::Output(_) => PerLane::new(port.mask(), 0),
        To::Stream | To::Device => port.recv_word().await,
    };
    let texts = port.recv_n(port.stream_limit()).await;
    let mut formats = PerLane::new(port.mask(), None);
    for (lane, text) in texts.iter() {
        formats[lane] = text
            .as_ref()
            .ok()
            .and_then(|text| sound(&port, lane, Format::new(text, layout)));
    }
    port.send_word(|lane| formats[lane].as_ref().map_or(0, |format| format.args_size() as u64))
        .await;

    let blocks = port.recv_n(port.stream_limit()).await;
    let mut calls = PerLane::new(port.mask(), None);
    for (lane, block) in blocks.iter() {
        if let (Some(format), Ok(block)) = (formats[lane], block) {
            calls[lane] = sound(&port, lane, format.bind(block));
        }
    }
    let strings = strings(&mut port, &mut calls).await;

    let mut results = PerLane::new(port.mask(), -1);
    let mut kept = PerLane::new(port.mask(), Vec::new());
    for lane in port.lanes() {
        let Some(call) = &calls[lane] else { continue };
        let mut text = Vec::new();
        let Some(count) = sound(&port, lane, call.render(&strings[lane], &mut text)) else {
            continue;
        };
        let target = match to {
            To::Output(stream) => Some(Target::Output(stream)),
            To::Stream => services.target_of(&port, lane, first[lane]),
            To::Device => {
                text.truncate(usize::try_from(first[lane]).unwrap_or(usize::MAX));
                text.shrink_to_fit();
                kept[lane] = text;
                results[lane] = count;
                continue;
            }
        };
        if let Some(target) = target
            && services
                .write(&port, &target, text, files::Stream::write)
                .await
                .1
                .is_ok()
        {
            results[lane] = count;
        }
    }
    port.send_word(|lane| signed(results[lane])).await;
    if let To::Device = to {
        port.send_n(|lane| &kept[lane]).await;
    }
}

/// Asks each lane for its strings, all lanes for their first ones, then all for their second ones, and so on.
///
/// All strings of a lane together may have as many bytes as one send of it; a call that goes beyond is given up.
async fn strings(port: &mut Port, calls: &mut PerLane<Option<Bound<'_>>>) -> PerLane<Vec<Vec<u8>>> {
    let mut wanted = calls.clone().map(|_, call| call.map(|call| call.strings()));
    let mut strings = PerLane::new(port.mask(), Vec::new());
    let mut room = port.stream_limit();
    loop {
        let mut addresses = PerLane::new(port.mask(), 0);
        for lane in port.lanes() {
            addresses[lane] = wanted[lane].as_mut().and_then(Iterator::next).unwrap_or(0);
        }
        if addresses.iter().all(|(_, &address)| address == 0) {
            return strings;
        }
        port.send(|lane| Buffer {
            data: [0, addresses[lane], 0, 0, 0, 0, 0, 0],
        })
        .await;
        let mut received = port.recv_n(room).await;
        let mut longest = 0;
        for lane in port.lanes().filter(|&lane| addresses[lane] != 0) {
            match std::mem::replace(&mut received[lane], Ok(Vec::new())) {
                Ok(string) => {
                    longest = longest.max(string.len() as u64);
                    strings[lane].push(string);
                }
                Err(_) => (calls[lane], wanted[lane]) = (None, None),
            }
        }
        room = room.saturating_sub(longest);
    }
}

/// The value, or the fault reported.
fn sound<T>(port: &Port, lane: u32, result: Result<T, FormatError>) -> Option<T> {
    result
        .inspect_err(|error| port.fault(FaultKind::BadValue(format!("lane {lane}: {error}"))))
        .ok()
}
