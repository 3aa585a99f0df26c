//! What is refused before the device is asked, with words that say what to do instead.

use std::sync::atomic::Ordering;

use super::Program;
use crate::device::LaunchShape;
use crate::error::{Error, Result};

impl Program {
    /// Counts a launch as running, which it does until [`Inner::ended`](super::Inner::ended); or refuses what would break the
    /// promise that calls need no lock.
    pub(super) fn claim_launch(&self, kernel: &str, shape: LaunchShape) -> Result<()> {
        let running = &self.inner.running;
        let Some(slots) = self.inner.one_launch else {
            running.fetch_add(1, Ordering::AcqRel);
            return Ok(());
        };
        let warps = shape.warps(self.inner.kernels[kernel].resources.lane_size);
        let refusal = if warps > u64::from(slots) {
            format!("{warps} warps, but the program was loaded for {slots} (express_slots)")
        } else if running
            .compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire)
            .is_err()
        {
            "another kernel is running, but the program was loaded for one at a time".into()
        } else {
            return Ok(());
        };
        Err(Error::Host(format!(
            "cannot launch {kernel}: {refusal}; load it without one_launch"
        )))
    }

    /// Refuses what the device would refuse less clearly.
    pub(super) fn check_shape(&self, name: &str, shape: LaunchShape) -> Result<()> {
        let inner = &*self.inner;
        let Some(kernel) = inner.kernels.get(name) else {
            if inner.symbols.has_kernel(name) {
                return Err(Error::Image(format!(
                    "{}: has a kernel {name} that the driver does not find; build it again",
                    inner.image
                )));
            }
            let known: Vec<&str> = inner.symbols.kernels().take(8).collect();
            return Err(Error::Image(format!(
                "{}: has no kernel {name}; it has {}",
                inner.image,
                if known.is_empty() {
                    "none".into()
                } else {
                    known.join(", ")
                }
            )));
        };
        let limits = inner.device.properties();
        let resources = kernel.resources;
        let host = |text: String| Err(Error::Host(format!("cannot launch {name}: {text}")));
        for (axis, index) in [("x", 0), ("y", 1), ("z", 2)] {
            let (threads, blocks) = (shape.block[index], shape.grid[index]);
            if threads == 0 || blocks == 0 {
                return host(format!("0 threads or blocks in {axis}; give at least 1"));
            }
            if threads > limits.max_block[index] {
                return host(format!(
                    "{threads} threads in {axis}, but the device allows {}; use more blocks instead",
                    limits.max_block[index]
                ));
            }
            if blocks > limits.max_grid[index] {
                return host(format!(
                    "{blocks} blocks in {axis}, but the device allows {}; use more threads per block instead",
                    limits.max_grid[index]
                ));
            }
        }
        let most = match resources.max_threads_per_block {
            0 => limits.max_threads_per_block,
            most => most.min(limits.max_threads_per_block),
        };
        if shape.threads_per_block() > u64::from(most) {
            return host(format!(
                "{} threads per block, but the device allows {most} for this kernel; use more blocks instead",
                shape.threads_per_block()
            ));
        }
        let shared = shape.shared_bytes.saturating_add(resources.shared_bytes);
        if shared > limits.max_shared_bytes_opt_in {
            return host(format!(
                "{shared} bytes of block-shared memory, but the device has {}; lower --shared-mem",
                limits.max_shared_bytes_opt_in
            ));
        }
        match &inner.calls {
            Some(calls) if resources.lane_size != calls.server().layout().lanes() => host(format!(
                "it runs {} lanes together, but the calls of this image are set up for {}; build all kernels for one wavefront size",
                resources.lane_size,
                calls.server().layout().lanes()
            )),
            _ => Ok(()),
        }
    }
}
