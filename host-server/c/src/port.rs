//! The functions that callbacks call. Each waits for the device; none is called from anywhere but a callback, or a thread
//! that helps it before it returns.

#![allow(
    clippy::missing_safety_doc,
    reason = "the comments are the header's, and say to C what it has to keep to"
)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "brackets in the header's comments are those of C"
)]

use std::ffi::c_void;
use std::ptr::NonNull;

use host_server::{Buffer, PerLane};

use crate::{
    conversation::{self, Link, Reply, Request},
    guarded, guarded_or,
    types::{
        rpc_alloc_ty, rpc_buffer_t, rpc_port_callback_ty, rpc_port_t,
        rpc_status_t::{self, *},
    },
};

/// The opcode of the call, or 0xffffffff if the port is stale.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_get_opcode(port: rpc_port_t) -> u32 {
    guarded_or(u32::MAX, || Some(conversation::find(port).ok()?.opcode().0))
}

/// The lanes that take part in the call, a bit for each; 0 if the port is stale.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_get_lane_mask(port: rpc_port_t) -> u64 {
    guarded_or(0, || Some(conversation::find(port).ok()?.mask()))
}

/// Send a packet: callback fills each lane's buffer, which holds what was last received or sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_send(port: rpc_port_t, callback: rpc_port_callback_ty, data: *mut c_void) -> rpc_status_t {
    guarded(|| {
        let link = conversation::find(port)?;
        let callback = callback.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        // SAFETY: passed on to the caller.
        send(&link, |buffer| unsafe { callback(buffer, data) })
    })
}

/// Receive a packet: callback reads each lane's buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_recv(port: rpc_port_t, callback: rpc_port_callback_ty, data: *mut c_void) -> rpc_status_t {
    guarded(|| {
        let link = conversation::find(port)?;
        let callback = callback.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        // SAFETY: passed on to the caller.
        recv(&link, |buffer| unsafe { callback(buffer, data) })
    })
}

/// Receive a packet and answer it: callback turns what is in each lane's buffer into the reply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_recv_and_send(
    port: rpc_port_t,
    callback: rpc_port_callback_ty,
    data: *mut c_void,
) -> rpc_status_t {
    guarded(|| {
        let link = conversation::find(port)?;
        let callback = callback.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        // SAFETY: passed on to the caller.
        recv(&link, |buffer| unsafe { callback(buffer, data) })?;
        send(&link, |_| ())
    })
}

/// Send each lane its bytes: size[lane] bytes at src[lane]. Both arrays have lane_size entries, of which those of lanes
/// that take part are read; src[lane] may be NULL if size[lane] is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_send_n(port: rpc_port_t, src: *const *const c_void, size: *const u64) -> rpc_status_t {
    guarded(|| {
        let link = conversation::find(port)?;
        if src.is_null() || size.is_null() {
            return Err(RPC_STATUS_INVALID_ARGUMENT);
        }
        let mut bytes = PerLane::new(link.mask(), Vec::new());
        for lane in lanes(&link) {
            // SAFETY: the arrays have an entry for each lane.
            let (from, len) = unsafe { (src.add(lane as usize).read(), size.add(lane as usize).read()) };
            let len = usize::try_from(len).map_err(|_| RPC_STATUS_OUT_OF_RANGE)?;
            if len > 0 {
                if from.is_null() {
                    return Err(RPC_STATUS_INVALID_ARGUMENT);
                }
                // SAFETY: the caller vouches for this many bytes.
                bytes[lane] = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), len) }.to_vec();
            }
        }
        link.ask(Request::SendN(bytes)).map(drop)
    })
}

/// Receive what each lane sends with its send_n: alloc, called once for each lane, gives the memory for it, dst[lane] and
/// size[lane] say where it is. Both arrays have lane_size entries, of which those of lanes that take part are written.
///
/// Where a lane sent more than RPC_STREAM_LIMIT, or alloc gave NULL, dst[lane] is NULL and the result RPC_STATUS_ERROR;
/// the conversation stays in step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_recv_n(
    port: rpc_port_t,
    dst: *mut *mut c_void,
    size: *mut u64,
    alloc: rpc_alloc_ty,
    data: *mut c_void,
) -> rpc_status_t {
    guarded(|| {
        let link = conversation::find(port)?;
        let alloc = alloc.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        if dst.is_null() || size.is_null() {
            return Err(RPC_STATUS_INVALID_ARGUMENT);
        }
        let Reply::ReceivedN(received) = link.ask(Request::RecvN)? else {
            return Err(RPC_STATUS_ERROR);
        };
        let mut result = Ok(());
        for (lane, bytes) in received.iter() {
            let (mut place, mut len) = (std::ptr::null_mut(), 0);
            if let Ok(bytes) = bytes {
                // SAFETY: passed on to the caller.
                let given = NonNull::new(unsafe { alloc(bytes.len() as u64, data) }.cast::<u8>());
                if let Some(given) = given {
                    // SAFETY: the hook gave this many bytes of its own.
                    unsafe { given.copy_from_nonoverlapping(NonNull::from(bytes.as_slice()).cast(), bytes.len()) };
                    (place, len) = (given.as_ptr().cast(), bytes.len() as u64);
                } else {
                    result = Err(RPC_STATUS_ERROR);
                }
            } else {
                result = Err(RPC_STATUS_ERROR);
            }
            // SAFETY: the arrays have an entry for each lane.
            unsafe {
                dst.add(lane as usize).write(place);
                size.add(lane as usize).write(len);
            }
        }
        result
    })
}

fn recv(link: &Link, take: impl Fn(*mut rpc_buffer_t)) -> Result<(), rpc_status_t> {
    let Reply::Received(mut packets) = link.ask(Request::Recv)? else {
        return Err(RPC_STATUS_ERROR);
    };
    each(link, &mut packets, take);
    link.keep_packets(packets);
    Ok(())
}

fn send(link: &Link, fill: impl Fn(*mut rpc_buffer_t)) -> Result<(), rpc_status_t> {
    let mut packets = link.packets();
    each(link, &mut packets, fill);
    link.keep_packets(packets.clone());
    link.ask(Request::Send(packets)).map(drop)
}

fn each(link: &Link, packets: &mut PerLane<Buffer>, visit: impl Fn(*mut rpc_buffer_t)) {
    for lane in lanes(link) {
        let mut buffer = rpc_buffer_t {
            data: packets[lane].data,
        };
        visit(&mut buffer);
        packets[lane].data = buffer.data;
    }
}

fn lanes(link: &Link) -> impl Iterator<Item = u32> + use<> {
    rpc_proto::server::lanes(link.mask())
}
