//! Entry points that copy.

use std::ffi::{c_uint, c_void};

use crate::border::{In, entries};
use crate::context;
use crate::status::{Result, Status};
use crate::stream::{self, NULL};
use crate::transfer::{Rows, Side, Size, copy, copy_async};

/// A kind of memory as the descriptions of copies name it.
mod kind {
    pub const HOST: u32 = 1;
    pub const DEVICE: u32 = 2;
    pub const ARRAY: u32 = 3;
    pub const UNIFIED: u32 = 4;
}

/// One side of a copy of rows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Side2D {
    x: usize,
    y: usize,
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    pitch: usize,
}

/// A copy of rows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Copy2D {
    from: Side2D,
    to: Side2D,
    width: usize,
    height: usize,
}

/// One side of a copy of layers of rows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Side3D {
    x: usize,
    y: usize,
    z: usize,
    level: usize,
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    /// Unused, or a context for copies between contexts: addresses say it all.
    _context: usize,
    pitch: usize,
    height: usize,
}

/// A copy of layers of rows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Copy3D {
    from: Side3D,
    to: Side3D,
    width: usize,
    height: usize,
    depth: usize,
}

impl Side3D {
    fn side(&self, size: &Size) -> Result<Side> {
        let pitch = if self.pitch == 0 { size.width } else { self.pitch };
        let rows = if self.height == 0 { size.height } else { self.height };
        let fits = |used: usize, start: usize, whole: usize| start.checked_add(used).is_some_and(|end| end <= whole);
        if !fits(size.width, self.x, pitch) && (size.height > 1 || size.depth > 1)
            || !fits(size.height, self.y, rows) && size.depth > 1
        {
            return Err(Status::INVALID_VALUE);
        }
        let layer = pitch.checked_mul(rows).ok_or(Status::INVALID_VALUE)?;
        let offset = || {
            let rows = pitch.checked_mul(self.y)?;
            let layers = layer.checked_mul(self.z)?;
            self.x.checked_add(rows)?.checked_add(layers)
        };
        let offset = offset().ok_or(Status::INVALID_VALUE)? as u64;
        let at = |base: u64| -> Result<Rows> {
            let address = base.checked_add(offset).ok_or(Status::INVALID_VALUE)?;
            Ok(Rows { address, pitch, layer })
        };
        match self.kind {
            kind::HOST => Ok(Side::Host(at(self.host)?)),
            kind::DEVICE => Ok(Side::Device(at(self.device)?)),
            kind::UNIFIED => Ok(Side::Any(at(self.device)?)),
            kind::ARRAY => Err(Status::NOT_SUPPORTED),
            _ => Err(Status::INVALID_VALUE),
        }
    }
}

impl Side2D {
    fn in_space(&self) -> Side3D {
        Side3D {
            x: self.x,
            y: self.y,
            z: 0,
            level: 0,
            kind: self.kind,
            host: self.host,
            device: self.device,
            array: self.array,
            _context: 0,
            pitch: self.pitch,
            height: 0,
        }
    }
}

impl Copy2D {
    fn in_space(&self) -> Copy3D {
        Copy3D {
            from: self.from.in_space(),
            to: self.to.in_space(),
            width: self.width,
            height: self.height,
            depth: 1,
        }
    }
}

impl Copy3D {
    fn sides(&self) -> Result<(Side, Side, Size)> {
        let size = Size {
            width: self.width,
            height: self.height,
            depth: self.depth,
        };
        Ok((self.to.side(&size)?, self.from.side(&size)?, size))
    }
}

fn host(address: *const c_void) -> Side {
    Side::Host(Rows::flat(address as u64))
}

fn device(address: u64) -> Side {
    Side::Device(Rows::flat(address))
}

fn any(address: u64) -> Side {
    Side::Any(Rows::flat(address))
}

fn now(to: Side, from: Side, size: Size) -> Result {
    copy(&stream::lane(NULL)?, to, from, size)
}

fn soon(to: Side, from: Side, size: Size, stream: usize) -> Result {
    copy_async(&stream::lane(stream)?, to, from, size)
}

entries! {
    /// Copies from wherever to wherever.
    fn cuMemcpy @ cuMemcpy_ptds(to: u64, from: u64, bytes: usize) {
        now(any(to), any(from), Size::flat(bytes))
    }

    /// Copies to a device.
    fn cuMemcpyHtoD_v2 @ cuMemcpyHtoD_v2_ptds(to: u64, from: *const c_void, bytes: usize) {
        now(device(to), host(from), Size::flat(bytes))
    }

    /// Copies from a device.
    fn cuMemcpyDtoH_v2 @ cuMemcpyDtoH_v2_ptds(to: *mut c_void, from: u64, bytes: usize) {
        now(host(to), device(from), Size::flat(bytes))
    }

    /// Copies within a device or between two.
    fn cuMemcpyDtoD_v2 @ cuMemcpyDtoD_v2_ptds(to: u64, from: u64, bytes: usize) {
        now(device(to), device(from), Size::flat(bytes))
    }

    /// Copies between contexts.
    fn cuMemcpyPeer @ cuMemcpyPeer_ptds(
        to: u64,
        to_context: usize,
        from: u64,
        from_context: usize,
        bytes: usize,
    ) {
        context::by_handle(to_context)?.drain();
        context::by_handle(from_context)?.drain();
        now(device(to), device(from), Size::flat(bytes))
    }

    /// Copies rows.
    fn cuMemcpy2D_v2 | cuMemcpy2DUnaligned_v2 @ cuMemcpy2D_v2_ptds @ cuMemcpy2DUnaligned_v2_ptds(
        description: In<Copy2D>,
    ) {
        let (to, from, size) = description.get()?.in_space().sides()?;
        now(to, from, size)
    }

    /// Copies layers of rows.
    fn cuMemcpy3D_v2 | cuMemcpy3DPeer @ cuMemcpy3D_v2_ptds @ cuMemcpy3DPeer_ptds(
        description: In<Copy3D>,
    ) {
        let (to, from, size) = description.get()?.sides()?;
        now(to, from, size)
    }

    /// Queues a copy from wherever to wherever.
    fn cuMemcpyAsync @ cuMemcpyAsync_ptsz(to: u64, from: u64, bytes: usize, stream: usize) {
        soon(any(to), any(from), Size::flat(bytes), stream)
    }

    /// Queues a copy to a device.
    fn cuMemcpyHtoDAsync_v2 @ cuMemcpyHtoDAsync_v2_ptsz(
        to: u64,
        from: *const c_void,
        bytes: usize,
        stream: usize,
    ) {
        soon(device(to), host(from), Size::flat(bytes), stream)
    }

    /// Queues a copy from a device.
    fn cuMemcpyDtoHAsync_v2 @ cuMemcpyDtoHAsync_v2_ptsz(
        to: *mut c_void,
        from: u64,
        bytes: usize,
        stream: usize,
    ) {
        soon(host(to), device(from), Size::flat(bytes), stream)
    }

    /// Queues a copy within a device or between two.
    fn cuMemcpyDtoDAsync_v2 @ cuMemcpyDtoDAsync_v2_ptsz(
        to: u64,
        from: u64,
        bytes: usize,
        stream: usize,
    ) {
        soon(device(to), device(from), Size::flat(bytes), stream)
    }

    /// Queues a copy between contexts.
    fn cuMemcpyPeerAsync @ cuMemcpyPeerAsync_ptsz(
        to: u64,
        to_context: usize,
        from: u64,
        from_context: usize,
        bytes: usize,
        stream: usize,
    ) {
        context::by_handle(to_context)?;
        context::by_handle(from_context)?;
        soon(device(to), device(from), Size::flat(bytes), stream)
    }

    /// Queues a copy of rows.
    fn cuMemcpy2DAsync_v2 @ cuMemcpy2DAsync_v2_ptsz(description: In<Copy2D>, stream: usize) {
        let (to, from, size) = description.get()?.in_space().sides()?;
        soon(to, from, size, stream)
    }

    /// Queues a copy of layers of rows.
    fn cuMemcpy3DAsync_v2 | cuMemcpy3DPeerAsync @ cuMemcpy3DAsync_v2_ptsz @ cuMemcpy3DPeerAsync_ptsz(
        description: In<Copy3D>,
        stream: usize,
    ) {
        let (to, from, size) = description.get()?.sides()?;
        soon(to, from, size, stream)
    }
}
