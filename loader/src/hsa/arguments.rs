//! The block of arguments of one launch.

use super::metadata::{Hidden, KernelMetadata};
use crate::device::LaunchShape;
use crate::error::{Error, Result};

/// Dimensions of a launch: those that are more than one thread.
pub(super) fn dimensions(shape: LaunchShape) -> u16 {
    let used = |axis: usize| shape.grid[axis] > 1 || shape.block[axis] > 1;
    match (used(1), used(2)) {
        (_, true) => 3,
        (true, false) => 2,
        (false, false) => 1,
    }
}

/// The arguments as the kernel's metadata lays them out: the explicit ones as they were given, the
/// hidden ones filled. `queue` is the address of the queue that it runs on.
pub(super) fn block(kernel: &KernelMetadata, shape: LaunchShape, explicit: &[u8], queue: u64) -> Result<Vec<u8>> {
    if explicit.len() > kernel.explicit_bytes {
        return Err(Error::Host(format!(
            "{} bytes of arguments were given, but the kernel takes {}; do they belong to this kernel?",
            explicit.len(),
            kernel.explicit_bytes
        )));
    }
    let mut block = vec![0; kernel.kernarg_bytes];
    block[..explicit.len()].copy_from_slice(explicit);
    for argument in &kernel.hidden {
        let value = match argument.value {
            Hidden::BlockCount(axis) => u64::from(shape.grid[axis]),
            Hidden::GroupSize(axis) => u64::from(shape.block[axis]),
            Hidden::GridDims => u64::from(dimensions(shape)),
            Hidden::DynamicLdsSize => shape.shared_bytes as u64,
            Hidden::QueuePtr => queue,
            Hidden::Remainder | Hidden::GlobalOffset | Hidden::Null => 0,
        };
        let size = argument.size.min(size_of::<u64>());
        block[argument.offset..argument.offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::super::metadata::HiddenArgument;
    use super::*;

    fn hidden(offset: usize, size: usize, value: Hidden) -> HiddenArgument {
        HiddenArgument { offset, size, value }
    }

    #[test]
    fn hidden_arguments_lie_where_the_metadata_says() {
        let kernel = KernelMetadata {
            kernarg_bytes: 48,
            explicit_bytes: 16,
            hidden: vec![
                hidden(16, 4, Hidden::BlockCount(0)),
                hidden(20, 4, Hidden::BlockCount(1)),
                hidden(24, 2, Hidden::GroupSize(0)),
                hidden(26, 2, Hidden::Remainder),
                hidden(28, 2, Hidden::GridDims),
                hidden(32, 8, Hidden::QueuePtr),
                hidden(40, 4, Hidden::DynamicLdsSize),
            ],
            ..KernelMetadata::default()
        };
        let shape = LaunchShape {
            grid: [70_000, 3, 1],
            block: [256, 1, 1],
            shared_bytes: 512,
        };
        let block = block(&kernel, shape, &[7; 12], 0x1122_3344_5566).unwrap();
        let u32_at = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().unwrap());
        assert_eq!(block[..16], [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0]);
        assert_eq!((u32_at(16), u32_at(20)), (70_000, 3));
        assert_eq!((u32_at(24), u32_at(28)), (256, 2));
        assert_eq!((u32_at(32), u32_at(36)), (0x3344_5566, 0x1122));
        assert_eq!((u32_at(40), u32_at(44)), (512, 0));
    }

    #[test]
    fn arguments_that_reach_into_the_hidden_ones_are_refused() {
        let kernel = KernelMetadata {
            kernarg_bytes: 24,
            explicit_bytes: 8,
            ..KernelMetadata::default()
        };
        let error = block(&kernel, LaunchShape::SINGLE, &[0; 9], 0).unwrap_err().to_string();
        assert!(error.contains("9 bytes") && error.contains("takes 8"), "{error}");
    }

    #[test]
    fn dimensions_count_blocks_and_threads() {
        let shape = |grid, block| LaunchShape {
            grid,
            block,
            shared_bytes: 0,
        };
        assert_eq!(dimensions(LaunchShape::SINGLE), 1);
        assert_eq!(dimensions(shape([9, 1, 1], [1, 2, 1])), 2);
        assert_eq!(dimensions(shape([1, 1, 4], [1, 1, 1])), 3);
    }
}
