//! How bytes move: what the two sides of a copy are, and when it may happen.
//!
//! A copy from pageable host memory takes the bytes along when it is queued, one into pageable
//! memory is over when the call returns: so it is with the real driver, and programs reuse their
//! buffers accordingly. Between pinned and device memory all happens in the order of the stream.

use emulator::memory::Kind;

use crate::context::Lane;
use crate::memory;
use crate::status::{Result, Status};

/// Rows of bytes, equally far apart, in layers, equally far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Where the first one begins.
    pub address: u64,
    /// From one row to the next, bytes.
    pub pitch: usize,
    /// From one layer to the next, bytes.
    pub layer: usize,
}

impl Rows {
    /// Bytes in one piece.
    pub fn flat(address: u64) -> Rows {
        Rows {
            address,
            pitch: 0,
            layer: 0,
        }
    }

    /// Where a row begins. Only for rows that [`Rows::extent`] has found to exist.
    fn row(&self, row: usize, layer: usize) -> u64 {
        self.address + (row * self.pitch + layer * self.layer) as u64
    }

    /// Bytes from the first to the last, if that is a number.
    fn extent(&self, size: &Size) -> Option<usize> {
        let rows = self.pitch.checked_mul(size.height.checked_sub(1)?)?;
        let layers = self.layer.checked_mul(size.depth.checked_sub(1)?)?;
        let extent = size.width.checked_add(rows)?.checked_add(layers)?;
        self.address.checked_add(extent as u64).map(|_| extent)
    }
}

/// How much is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bytes of each row.
    pub width: usize,
    /// Rows of each layer.
    pub height: usize,
    /// Layers.
    pub depth: usize,
}

impl Size {
    /// Bytes in one piece.
    pub fn flat(bytes: usize) -> Size {
        Size {
            width: bytes,
            height: 1,
            depth: 1,
        }
    }

    fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }

    fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let height = self.height;
        (0..self.depth).flat_map(move |layer| (0..height).map(move |row| (row, layer)))
    }
}

/// What an address leads to, as far as copies care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Memory of the host that devices do not know.
    Pageable,
    /// Memory of the host that devices see.
    Pinned,
    /// Memory of a device.
    Device,
}

/// What lies at `address`; an invalid value if `bytes` do not fit there.
pub fn place(address: u64, bytes: usize) -> Result<Place> {
    let Some(range) = memory::find(address) else {
        return if address == 0 {
            Err(Status::INVALID_VALUE)
        } else {
            Ok(Place::Pageable)
        };
    };
    if bytes as u64 > range.base + range.size - address {
        return Err(Status::INVALID_VALUE);
    }
    match range.kind {
        Kind::Pinned | Kind::Registered => Ok(Place::Pinned),
        Kind::Device | Kind::Managed | Kind::Global | Kind::Constant => Ok(Place::Device),
        // What belongs to running kernels is not the host's to touch.
        _ => Err(Status::INVALID_VALUE),
    }
}

/// One side of a copy, as a call names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A pointer of the host.
    Host(Rows),
    /// A pointer that the device could use.
    Device(Rows),
    /// Whatever the address leads to.
    Any(Rows),
}

impl Side {
    fn rows(&self) -> Rows {
        match self {
            Side::Host(rows) | Side::Device(rows) | Side::Any(rows) => *rows,
        }
    }

    fn check(&self, size: &Size) -> Result<Place> {
        let rows = self.rows();
        let place = place(rows.address, rows.extent(size).ok_or(Status::INVALID_VALUE)?)?;
        match (self, place) {
            (Side::Device(_), Place::Pageable) => Err(Status::INVALID_VALUE),
            _ => Ok(place),
        }
    }
}

/// A copy that was found possible.
struct Copy {
    to: Side,
    from: Side,
    size: Size,
}

impl Copy {
    /// Moves the bytes, if the memory is still there.
    fn perform(&self) -> Result {
        let still = |side: &Side| side.check(&self.size).map_err(|_| Status::ILLEGAL_ADDRESS);
        still(&self.to)?;
        still(&self.from)?;
        let (to, from) = (self.to.rows(), self.from.rows());
        for (row, layer) in self.size.rows() {
            // SAFETY: known memory was just found to hold the whole extent of the copy, and
            // freeing it waits for queued work; other memory is the host's, which by the contract
            // of copies keeps it valid until they are done.
            unsafe {
                let from = from.row(row, layer) as *const u8;
                emulator::memory::copy(from, to.row(row, layer) as *mut u8, self.size.width);
            }
        }
        Ok(())
    }

    /// The same copy with the bytes of its source taken along.
    fn take_along(self) -> impl FnOnce() -> Result + Send {
        let mut bytes = Vec::new();
        let from = self.from.rows();
        for (row, layer) in self.size.rows() {
            // SAFETY: the caller's memory, valid until the call returns, and this is before.
            bytes.extend_from_slice(unsafe {
                std::slice::from_raw_parts(from.row(row, layer) as *const u8, self.size.width)
            });
        }
        move || {
            let width = self.size.width;
            let from = Rows {
                address: bytes.as_ptr() as u64,
                pitch: width,
                layer: width * self.size.height,
            };
            Copy {
                from: Side::Host(from),
                ..self
            }
            .perform()
        }
    }
}

/// Copies when all that the call has to follow is done, and returns then.
pub fn copy(lane: &Lane, to: Side, from: Side, size: Size) -> Result {
    lane.context.healthy()?;
    if size.is_empty() {
        return Ok(());
    }
    to.check(&size)?;
    from.check(&size)?;
    lane.wait_for_turn()?;
    Copy { to, from, size }.perform()
}

/// Queues a copy.
pub fn copy_async(lane: &Lane, to: Side, from: Side, size: Size) -> Result {
    lane.context.healthy()?;
    if size.is_empty() {
        return Ok(());
    }
    let (to_place, from_place) = (to.check(&size)?, from.check(&size)?);
    let copy = Copy { to, from, size };
    if to_place == Place::Pageable {
        lane.wait_for_turn()?;
        return copy.perform();
    }
    if from_place == Place::Pageable {
        let copy = copy.take_along();
        return lane.push(move |_| copy()).map(drop);
    }
    lane.push(move |_| copy.perform()).map(drop)
}

/// Fills rows with an element of 1, 2 or 4 bytes.
fn write(to: Rows, size: Size, element: &[u8]) -> Result {
    Side::Device(to).check(&size).map_err(|_| Status::ILLEGAL_ADDRESS)?;
    for (row, layer) in size.rows() {
        // SAFETY: as for copies; only raw bytes are written, a whole number of elements per row.
        let row = unsafe { std::slice::from_raw_parts_mut(to.row(row, layer) as *mut u8, size.width) };
        match element {
            [byte] => row.fill(*byte),
            _ => row
                .chunks_exact_mut(element.len())
                .for_each(|chunk| chunk.copy_from_slice(element)),
        }
    }
    Ok(())
}

/// Fills memory that devices see. `wait`: as soon as it may be, and return then.
pub fn fill(lane: &Lane, to: Rows, size: Size, element: &[u8], wait: bool) -> Result {
    lane.context.healthy()?;
    if size.is_empty() {
        return Ok(());
    }
    if !to.address.is_multiple_of(element.len() as u64) || !to.pitch.is_multiple_of(element.len()) {
        return Err(Status::INVALID_VALUE);
    }
    Side::Device(to).check(&size)?;
    if wait {
        lane.wait_for_turn()?;
        return write(to, size, element);
    }
    let element = element.to_vec();
    lane.push(move |_| write(to, size, &element)).map(drop)
}
