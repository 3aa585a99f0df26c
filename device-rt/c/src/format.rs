//! The `printf` family: formats and arguments go to the host as they are, strings when it asks for them.
//!
//! Variable arguments are a pointer to a buffer on both targets (LLVM's `ExpandVariadics`): on NVIDIA each argument lies at its natural
//! alignment, on AMD they are packed. The functions with dots are in `variadic.c`; they end up here, with their `va_list`.

use core::ffi::{CStr, c_char, c_int};
use core::slice;

use device_rt::express;
use device_rt::rpc::{self, Lanes, Memory, Port};
use rpc_proto::Opcode;

use crate::stream::{FILE, number};

/// Arguments lie one after the other, without padding.
const PACKED: bool = cfg!(target_arch = "amdgpu");

const TO_STREAM: Opcode = if PACKED {
    Opcode::PRINTF_TO_STREAM_PACKED
} else {
    Opcode::PRINTF_TO_STREAM
};
const TO_STDOUT: Opcode = if PACKED {
    Opcode::PRINTF_TO_STDOUT_PACKED
} else {
    Opcode::PRINTF_TO_STDOUT
};
const TO_MEMORY: Opcode = if PACKED { Opcode::FORMAT_PACKED } else { Opcode::FORMAT };

/// C's `vprintf`.
///
/// # Safety
/// `format` is a C string and `arguments` a `va_list` of what it asks for.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn vprintf(format: *const c_char, arguments: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    let text = unsafe { Text::new(format, arguments) };
    // Whatever this thread wrote by express comes first.
    express::flush();
    let client = rpc::client();
    let mut port = client.open(TO_STDOUT);
    text.send(&mut port)
}

/// C's `vfprintf`.
///
/// # Safety
/// As for [`vprintf`]; `stream` is an open stream.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn vfprintf(stream: *mut FILE, format: *const c_char, arguments: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    let text = unsafe { Text::new(format, arguments) };
    express::flush();
    let client = rpc::client();
    let mut port = client.open(TO_STREAM);
    port.send(|packet| packet.set(0, number(stream)));
    text.send(&mut port)
}

/// C's `vsnprintf` for what `format.c` leaves to the host, one call for each; under a host that offers no services beyond C's the
/// result is -1.
///
/// # Safety
/// As for [`vprintf`]; `buffer` has room for `size` bytes.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn __device_rt_vsnprintf(
    buffer: *mut c_char,
    size: usize,
    format: *const c_char,
    arguments: *const u8,
) -> c_int {
    if !rpc::has_services() {
        if size > 0 {
            // Whoever overlooks the result finds an empty text. SAFETY: the caller's promise.
            unsafe { buffer.write(0) };
        }
        return -1;
    }
    // SAFETY: the caller's promise.
    let (text, buffer) = unsafe {
        let buffer = match size {
            0 => &mut [],
            // More than an `int` counts is never written, and may be more than there is: `vsprintf` knows no size.
            _ => slice::from_raw_parts_mut(buffer.cast::<u8>(), size.min(c_int::MAX as usize)),
        };
        (Text::new(format, arguments), buffer)
    };
    let room = buffer.len().saturating_sub(1);
    let client = rpc::client();
    let mut port = client.open(TO_MEMORY);
    port.send(|packet| packet.set(0, room as u64));
    let result = text.send(&mut port);
    let (text, end) = buffer.split_at_mut(room);
    let length = (port.recv_n(text) as usize).min(room);
    drop(port);
    if let Some(nul) = text.get_mut(length).or(end.first_mut()) {
        *nul = 0;
    }
    result
}

/// A format with its arguments.
struct Text<'a> {
    /// Comes before the format and takes the argument that `shift` adds, without printing anything.
    prefix: &'static [u8],
    format: &'a [u8],
    /// What stands for arguments in front of those that are there.
    shift: &'static [u8],
    arguments: *const u8,
}

impl<'a> Text<'a> {
    /// # Safety
    /// `format` is a C string that outlives the text, and `arguments` a `va_list` of what it asks for.
    unsafe fn new(format: *const c_char, arguments: *const u8) -> Self {
        // The host counts alignment from the block's start. Where a program has taken arguments off its list before it passes it on, the
        // list may start between two multiples of 8: then there is one more argument in front, a zero of which `%.0d` makes nothing.
        let shifted = !PACKED && !arguments.addr().is_multiple_of(8);
        Self {
            prefix: if shifted { b"%.0d" } else { b"" },
            // SAFETY: the caller's promise.
            format: unsafe { CStr::from_ptr(format) }.to_bytes_with_nul(),
            shift: if shifted { &[0; 4] } else { &[] },
            arguments,
        }
    }

    /// The exchange from the format to the result.
    fn send<M: Memory, L: Lanes>(&self, port: &mut Port<'_, M, L>) -> c_int {
        send_joined(port, self.prefix, self.format);
        let size = port.recv(|packet| packet.get(0)) as usize;
        // SAFETY: the host has counted what the format asks for, and the caller of `new` has promised that it is there.
        let arguments = unsafe { slice::from_raw_parts(self.arguments, size.saturating_sub(self.shift.len())) };
        send_joined(port, self.shift, arguments);
        loop {
            let (result, string) = port.recv(|packet| (packet.get(0), packet.get(1) as usize));
            if !port.any(string != 0) {
                return result as c_int;
            }
            let string = core::ptr::with_exposed_provenance::<c_char>(string);
            let bytes = if string.is_null() {
                &[]
            } else {
                // SAFETY: the host asks for the strings among the arguments, which are C's strings by the caller's promise.
                unsafe { CStr::from_ptr(string) }.to_bytes_with_nul()
            };
            port.send_n(bytes);
        }
    }
}

/// Sends the two as one.
fn send_joined<M: Memory, L: Lanes>(port: &mut Port<'_, M, L>, head: &[u8], tail: &[u8]) {
    use rpc_proto::stream::{FIRST, NEXT};

    let size = head.len() + tail.len();
    let piece = |at: usize, bytes: &mut [u8]| {
        let len = bytes.len().min(size.saturating_sub(at));
        for (byte, at) in bytes.iter_mut().zip(at..at + len) {
            let from = head.get(at).or_else(|| tail.get(at - head.len()));
            *byte = from.copied().unwrap_or(0);
        }
    };
    let mut bytes = [0; FIRST];
    piece(0, &mut bytes);
    port.send(|packet| {
        packet.set(0, size as u64);
        packet.write_bytes(1, &bytes);
    });
    let mut sent = FIRST;
    while port.any(sent < size) {
        let mut bytes = [0; NEXT];
        piece(sent, &mut bytes);
        port.send(|packet| packet.write_bytes(0, &bytes));
        sent += NEXT;
    }
}
