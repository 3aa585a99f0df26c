//! The smallest kernel: adds one to a number.
#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]

#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
extern crate std;

/// Adds one to `*value`.
///
/// # Safety
/// `value` must be valid for reads and writes by the device.
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn increment(value: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe { *value += 1 }
}

#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
