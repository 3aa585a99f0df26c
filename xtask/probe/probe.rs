//! A kernel that needs `core`, and depends on nothing else of this workspace.
//!
//! It is a member of the workspace because cargo then finds the same `core` again when it builds
//! the other members.
#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]

// On the host (`cargo check`) there is no kernel, and std brings the panic handler.
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
extern crate std;

/// Counts the zeros at the front of `*value`, in place.
///
/// # Safety
/// `value` must be valid for reads and writes by the device.
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn probe(value: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe { *value = (*value).leading_zeros() }
}

#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
