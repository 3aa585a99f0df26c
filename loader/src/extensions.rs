//! What this host offers beyond the base protocol to images that ask for it.

use std::mem::offset_of;
use std::ptr::NonNull;

use host_server::{Opcode, Registry, Server, Shape};
use rpc_proto::ext::{ExtClient, features};
use rpc_proto::pool::{self, PAGE};

use crate::bulk::Bulk;
use crate::device::{Device, ModuleId};
use crate::error::{Error, Result};
use crate::holdings::Holdings;
use crate::symbols;

/// What an image may be offered beside what every server knows.
pub(crate) struct Offer<'b> {
    /// Express slots, 0 for none.
    pub slots: u32,
    /// Each slot has one warp at a time.
    pub exclusive: bool,
    /// The host moves bytes from and to device memory.
    pub bulk: Option<&'b Bulk>,
    /// How many transfers there may be at a time without one being slower.
    pub transfers: usize,
    /// Memory that the device hands out by itself.
    pub pool: Option<Pool>,
}

/// Fills the image's extension object, if it has one, before the first kernel runs.
pub(crate) fn offer(
    device: &dyn Device,
    module: ModuleId,
    server: &Server,
    registry: &Registry,
    Offer {
        slots,
        exclusive,
        bulk,
        transfers,
        pool,
    }: Offer<'_>,
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

    let knows_bulk = registry.knows(Opcode::BULK_WRITE) && registry.knows(Opcode::BULK_READ);
    // An image of the time before pools does not know this feature either.
    if global.bytes >= size_of::<ExtClient>()
        && let Some(bulk) = bulk.filter(|_| knows_bulk)
    {
        bulk.prepare(transfers)?;
        offer.features |= features::BULK;
    }

    // An image that is too old for the fields would not know the feature either.
    let has_room = global.bytes >= offset_of!(ExtClient, pool);
    if has_room && slots > 0 {
        let shape = express_shape(slots, server.layout().lanes())?;
        let region = holdings.shared(device, shape.size())?;
        if let Some(base) = NonNull::new(region.host) {
            // SAFETY: the memory is page-aligned and has the shape's size; it is given back with the region of the
            // ports, when nobody serves and no kernel runs any more.
            unsafe { server.offer_express(base, shape) };
            offer.features |= features::EXPRESS;
            if [Opcode::WRITE_TO_STDOUT, Opcode::WRITE_TO_STDERR]
                .iter()
                .all(|&opcode| registry.knows_express(opcode))
            {
                offer.features |= features::EXPRESS_TEXT;
            }
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

    if let Some(pool) = pool {
        offer.features |= features::POOL;
        offer.pool = pool.address;
        offer.pool_pages = pool.shape.pages();
    }

    // A newer image sees in `size` which fields there are.
    let bytes = offer.to_bytes();
    device.write(global.address, &bytes[..bytes.len().min(global.bytes)])
}

/// Memory that the device hands out by itself.
pub(crate) struct Pool {
    /// A multiple of [`PAGE`].
    pub address: u64,
    shape: pool::Shape,
}

/// Reserves `bytes` bytes of device memory for the program's allocations: the pool, if the image can make use of one, and
/// what is left for the host to hand out, as address and size.
///
/// The host keeps an eighth beside a pool, so that a program whose pool is in pieces is not at its end yet.
pub(crate) fn reserve(
    device: &dyn Device,
    module: ModuleId,
    bytes: u64,
    holdings: &mut Holdings,
) -> Result<(Option<Pool>, u64, u64)> {
    let start = holdings.device(device, usize::try_from(bytes).unwrap_or(usize::MAX))?;
    let knows_pools = device
        .global(module, symbols::EXTENSION_CLIENT)?
        .is_some_and(|global| global.bytes >= size_of::<ExtClient>());
    let address = start.next_multiple_of(PAGE as u64);
    let most = (bytes - bytes / 8).saturating_sub(address - start);
    let shape = pool::Shape::fitting(usize::try_from(most).unwrap_or(usize::MAX));
    let Some(shape) = shape.filter(|_| knows_pools) else {
        return Ok((None, start, bytes));
    };
    device.write(address, &vec![0; shape.meta_bytes()])?;
    let behind = address + shape.bytes() as u64;
    Ok((Some(Pool { address, shape }), behind, start + bytes - behind))
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
