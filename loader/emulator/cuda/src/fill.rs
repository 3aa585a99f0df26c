//! Entry points that fill memory with one element.

use crate::border::entries;
use crate::status::{Result, Status};
use crate::stream::{self, NULL};
use crate::transfer::{Rows, Size, fill};

/// `count` elements in one piece.
fn flat(address: u64, element: &[u8], count: usize, stream: usize, wait: bool) -> Result {
    let bytes = count.checked_mul(element.len()).ok_or(Status::INVALID_VALUE)?;
    fill(
        &stream::lane(stream)?,
        Rows::flat(address),
        Size::flat(bytes),
        element,
        wait,
    )
}

/// `height` rows of `width` elements, `pitch` bytes apart.
fn rows(
    (address, pitch): (u64, usize),
    element: &[u8],
    (width, height): (usize, usize),
    stream: usize,
    wait: bool,
) -> Result {
    let width = width.checked_mul(element.len()).ok_or(Status::INVALID_VALUE)?;
    if pitch < width && height > 1 {
        return Err(Status::INVALID_VALUE);
    }
    let to = Rows {
        address,
        pitch,
        layer: 0,
    };
    fill(
        &stream::lane(stream)?,
        to,
        Size {
            width,
            height,
            depth: 1,
        },
        element,
        wait,
    )
}

entries! {
    /// Fills with bytes.
    fn cuMemsetD8_v2 @ cuMemsetD8_v2_ptds(to: u64, element: u8, count: usize) {
        flat(to, &element.to_ne_bytes(), count, NULL, true)
    }

    /// Fills with 16-bit elements.
    fn cuMemsetD16_v2 @ cuMemsetD16_v2_ptds(to: u64, element: u16, count: usize) {
        flat(to, &element.to_ne_bytes(), count, NULL, true)
    }

    /// Fills with 32-bit elements.
    fn cuMemsetD32_v2 @ cuMemsetD32_v2_ptds(to: u64, element: u32, count: usize) {
        flat(to, &element.to_ne_bytes(), count, NULL, true)
    }

    /// Queues filling with bytes.
    fn cuMemsetD8Async @ cuMemsetD8Async_ptsz(to: u64, element: u8, count: usize, stream: usize) {
        flat(to, &element.to_ne_bytes(), count, stream, false)
    }

    /// Queues filling with 16-bit elements.
    fn cuMemsetD16Async @ cuMemsetD16Async_ptsz(to: u64, element: u16, count: usize, stream: usize) {
        flat(to, &element.to_ne_bytes(), count, stream, false)
    }

    /// Queues filling with 32-bit elements.
    fn cuMemsetD32Async @ cuMemsetD32Async_ptsz(to: u64, element: u32, count: usize, stream: usize) {
        flat(to, &element.to_ne_bytes(), count, stream, false)
    }

    /// Fills rows with bytes.
    fn cuMemsetD2D8_v2 @ cuMemsetD2D8_v2_ptds(to: u64, pitch: usize, element: u8, width: usize, height: usize) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), NULL, true)
    }

    /// Fills rows with 16-bit elements.
    fn cuMemsetD2D16_v2 @ cuMemsetD2D16_v2_ptds(to: u64, pitch: usize, element: u16, width: usize, height: usize) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), NULL, true)
    }

    /// Fills rows with 32-bit elements.
    fn cuMemsetD2D32_v2 @ cuMemsetD2D32_v2_ptds(to: u64, pitch: usize, element: u32, width: usize, height: usize) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), NULL, true)
    }

    /// Queues filling rows with bytes.
    fn cuMemsetD2D8Async @ cuMemsetD2D8Async_ptsz(
        to: u64,
        pitch: usize,
        element: u8,
        width: usize,
        height: usize,
        stream: usize,
    ) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), stream, false)
    }

    /// Queues filling rows with 16-bit elements.
    fn cuMemsetD2D16Async @ cuMemsetD2D16Async_ptsz(
        to: u64,
        pitch: usize,
        element: u16,
        width: usize,
        height: usize,
        stream: usize,
    ) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), stream, false)
    }

    /// Queues filling rows with 32-bit elements.
    fn cuMemsetD2D32Async @ cuMemsetD2D32Async_ptsz(
        to: u64,
        pitch: usize,
        element: u32,
        width: usize,
        height: usize,
        stream: usize,
    ) {
        rows((to, pitch), &element.to_ne_bytes(), (width, height), stream, false)
    }
}
