//! Which thread this is, among which others.

use crate::arch;

/// A place or a size in up to three dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// The dimension that neighbouring threads differ in.
    pub x: u32,
    /// The second dimension.
    pub y: u32,
    /// The third dimension.
    pub z: u32,
}

impl Dim3 {
    /// Number of places, if this is a size.
    #[inline]
    pub const fn volume(self) -> u64 {
        self.x as u64 * self.y as u64 * self.z as u64
    }

    /// The number of place `at` when the places of a size are counted, `x` fastest.
    #[inline]
    pub const fn index_of(self, at: Self) -> u64 {
        (at.z as u64 * self.y as u64 + at.y as u64) * self.x as u64 + at.x as u64
    }
}

impl From<[u32; 3]> for Dim3 {
    #[inline]
    fn from([x, y, z]: [u32; 3]) -> Self {
        Self { x, y, z }
    }
}

/// The place of this thread in its block.
#[inline]
pub fn id() -> Dim3 {
    arch::thread_id().into()
}

/// The number of this thread in its block, 0 to `block::size().volume() - 1`.
#[inline]
pub fn index_in_block() -> u32 {
    crate::block::size().index_of(id()) as u32
}

/// The number of this thread in the grid, 0 to [`count`]` - 1`.
#[inline]
pub fn index() -> u64 {
    crate::block::index() * crate::block::size().volume() + u64::from(index_in_block())
}

/// Number of threads in the grid.
#[inline]
pub fn count() -> u64 {
    crate::block::count() * crate::block::size().volume()
}

#[doc(no_inline)]
pub use crate::time::sleep;

/// Lets other threads run: for loops that wait for one of them.
#[inline]
pub fn yield_now() {
    arch::sleep_briefly();
}
