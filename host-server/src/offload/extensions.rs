//! What this host offers beyond the base protocol to images that ask for it.

use std::mem::offset_of;
use std::ptr::NonNull;

use rpc_proto::ext::{ExtClient, features};
use rpc_proto::pool::{self, PAGE};

use super::{EXTENSION_CLIENT, Error, Result, memory::Memory};
use crate::{Opcode, Registry, Server, Shape};

/// What an image may be offered beside what every server knows.
pub(super) struct Offer {
    /// Express slots, 0 for none.
    pub slots: u32,
    /// Each slot has one warp at a time.
    pub exclusive: bool,
    /// Threads that serve.
    pub threads: usize,
    /// The host moves bytes from and to device memory.
    pub bulk: bool,
    /// Memory that the device hands out by itself.
    pub pool: Option<Pool>,
}

/// Fills the image's extension object, if it has one, before the first kernel runs.
pub(super) fn offer(
    memory: &Memory,
    server: &Server,
    registry: &Registry,
    Offer {
        slots,
        exclusive,
        threads,
        bulk,
        pool,
    }: Offer,
) -> Result<()> {
    let image = &*memory.image;
    let Some(global) = image.global(EXTENSION_CLIENT).map_err(Error::Device)? else {
        return Ok(());
    };
    let mut offer = ExtClient::OFFER;

    offer.features |= features::SHADOW;
    offer.shadow = memory.zeroed_device(server.layout().ports() as usize)?;

    if registry.knows(Opcode::FS_OPEN) {
        offer.features |= features::SERVICES;
    }

    if bulk {
        offer.features |= features::BULK;
    }

    // An image that is too old for the fields would not know the feature either.
    let has_room = global.bytes >= offset_of!(ExtClient, pool);
    if has_room && slots > 0 {
        let shape = express_shape(slots, server.layout().lanes(), threads)?;
        let region = memory.shared(shape.size())?;
        if let Some(base) = NonNull::new(region.host) {
            // SAFETY: the memory is page-aligned and has the shape's size; like the region of the ports it is held by the
            // server's own host, which its clones share.
            unsafe { server.offer_express(base, shape) };
            offer.features |= features::EXPRESS;
            if !shape.hinted {
                offer.features |= features::EXPRESS_UNHINTED;
            }
            let by_express = |opcodes: &[Opcode]| opcodes.iter().all(|&opcode| registry.knows_express(opcode));
            if by_express(&TEXTS) {
                offer.features |= features::EXPRESS_TEXT;
            }
            if bulk && by_express(&TRANSFERS) {
                offer.features |= features::EXPRESS_BULK;
            }
            if exclusive {
                offer.features |= features::EXPRESS_EXCLUSIVE;
            }
            offer.express = region.device;
            offer.express_state = memory.zeroed_device(8 * slots as usize)?;
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
    image
        .write(global.address, &bytes[..bytes.len().min(global.bytes)])
        .map_err(Error::Device)
}

/// What a device sends texts with.
const TEXTS: [Opcode; 3] = [
    Opcode::WRITE_TO_STDOUT,
    Opcode::WRITE_TO_STDERR,
    Opcode::WRITE_TO_STDOUT_NEWLINE,
];

/// What it asks for large transfers with.
const TRANSFERS: [Opcode; 2] = [Opcode::BULK_WRITE, Opcode::BULK_READ];

/// Whether the image and those who answer both know large transfers.
pub(super) fn knows_bulk(memory: &Memory, registry: &Registry) -> Result<bool> {
    let extension = memory.image.global(EXTENSION_CLIENT).map_err(Error::Device)?;
    // An image of the time before pools does not know this feature either.
    let is_new = extension.is_some_and(|global| global.bytes >= size_of::<ExtClient>());
    Ok(is_new && TRANSFERS.iter().all(|&opcode| registry.knows(opcode)))
}

/// Memory that the device hands out by itself.
pub(super) struct Pool {
    /// A multiple of [`PAGE`].
    pub address: u64,
    shape: pool::Shape,
}

/// Reserves `bytes` bytes of device memory for the program's allocations: the pool, if the image can make use of one, and
/// what is left for the host to hand out, as address and size.
///
/// The host keeps an eighth beside a pool, so that a program whose pool is in pieces is not at its end yet.
pub(super) fn reserve(memory: &Memory, bytes: u64) -> Result<(Option<Pool>, u64, u64)> {
    let image = &*memory.image;
    let start = memory.device(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    let extension = image.global(EXTENSION_CLIENT).map_err(Error::Device)?;
    let knows_pools = extension.is_some_and(|global| global.bytes >= size_of::<ExtClient>());
    let address = start.next_multiple_of(PAGE as u64);
    let most = (bytes - bytes / 8).saturating_sub(address - start);
    let shape = pool::Shape::fitting(usize::try_from(most).unwrap_or(usize::MAX));
    let Some(shape) = shape.filter(|_| knows_pools) else {
        return Ok((None, start, bytes));
    };
    image
        .write(address, &vec![0; shape.meta_bytes()])
        .map_err(Error::Device)?;
    let behind = address + shape.bytes() as u64;
    Ok((Some(Pool { address, shape }), behind, start + bytes - behind))
}

/// Slots of one thread that it looks at without being told where: in a microsecond when all are silent.
const UNHINTED: usize = 512;

/// Rings are long where there are few of them: a region for all warps of a large device would else take its time to
/// allocate.
fn express_shape(slots: u32, lanes: u32, threads: usize) -> Result<Shape> {
    let rows = if slots <= 2048 { 16 } else { 8 };
    let mut shape = Shape::new(slots, lanes, rows)
        .ok_or_else(|| Error::Settings(format!("{slots} express slots are not possible; choose 0 to 1048576")))?;
    shape.hinted = slots as usize > UNHINTED * threads;
    Ok(shape)
}
