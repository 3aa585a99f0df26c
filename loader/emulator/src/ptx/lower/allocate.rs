//! Registers to rows: values that never live at the same time share rows, so that a frame stays small enough for the host's
//! caches.

use crate::ptx::code::Function;

/// Rewrites the rows of a function.
pub(super) fn allocate(function: &mut Function) {
    function.pressure = function.rows;
}
