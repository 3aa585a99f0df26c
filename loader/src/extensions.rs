//! What this host offers beyond the base protocol to images that ask for it.

use std::ptr::NonNull;

use host_server::{Opcode, Registry, Server, Shape};
use rpc_proto::ext::{ExtClient, features};

use crate::device::{Device, ModuleId};
use crate::error::{Error, Result};
use crate::holdings::Holdings;
use crate::symbols;

/// Fills the image's extension object, if it has one, before the first kernel runs.
///
/// `slots` is the number of express slots, 0 for none; `exclusive` promises that each has one warp at a time.
pub(crate) fn offer(
    device: &dyn Device,
    module: ModuleId,
    server: &Server,
    registry: &Registry,
    slots: u32,
    exclusive: bool,
    holdings: &mut Holdings,
) -> Result<()> {
    let Some(global) = device.global(module, symbols::EXTENSION_CLIENT)? else {
        return Ok(());
    };
    let mut offer = ExtClient::OFFER;

    offer.features |= features::SHADOW;
    offer.shadow = holdings.zeroed_device(device, server.layout().ports() as usize)?;

    if registry.knows(Opcode::FS_OPEN) {
        offer.features |= features::SERVICES;
    }

    // An image that is too old for the fields would not know the feature either.
    let has_room = global.bytes >= size_of::<ExtClient>();
    if has_room && slots > 0 {
        let shape = express_shape(slots, server.layout().lanes())?;
        let region = holdings.shared(device, shape.size())?;
        if let Some(base) = NonNull::new(region.host) {
            // SAFETY: the memory is page-aligned and has the shape's size; it is given back with the region of the
            // ports, when nobody serves and no kernel runs any more.
            unsafe { server.offer_express(base, shape) };
            offer.features |= features::EXPRESS;
            if exclusive {
                offer.features |= features::EXPRESS_EXCLUSIVE;
            }
            offer.express = region.device;
            offer.express_state = holdings.zeroed_device(device, 8 * slots as usize)?;
            offer.express_slots = shape.slots;
            offer.express_lanes = shape.lanes;
            offer.express_rows = shape.rows;
            offer.express_wrap = shape.wrap;
        }
    }

    // A newer image sees in `size` which fields there are.
    let bytes = offer.to_bytes();
    device.write(global.address, &bytes[..bytes.len().min(global.bytes)])
}

/// Rings are long where there are few of them: a region for all warps of a large device would else take its time to
/// allocate.
fn express_shape(slots: u32, lanes: u32) -> Result<Shape> {
    let rows = if slots <= 2048 { 16 } else { 8 };
    Shape::new(slots, lanes, rows).ok_or_else(|| {
        Error::Host(format!(
            "{slots} express slots are not possible; --express-slots takes 0 to 1048576"
        ))
    })
}
