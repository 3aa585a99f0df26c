//! What clang expects of a C++ runtime: the operators `new` and `delete`, destructors of static objects, pure virtual functions.
//!
//! There are no exceptions: an operator `new` that finds no memory ends the program.

use core::ffi::{c_int, c_void};

use device_rt::{init, process};

use crate::memory::{aligned_alloc, free, malloc};

/// Registers the destructor of a static object.
///
/// # Safety
/// `destroy` may be called with `object` at the end of the program, by any thread.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn __cxa_atexit(
    destroy: unsafe extern "C" fn(*mut c_void),
    object: *mut c_void,
    _library: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { init::at_exit_with(destroy, object) } {
        true => 0,
        false => -1,
    }
}

/// What identifies a shared library to [`__cxa_atexit`]. An image is one.
#[cfg_attr(gpu, unsafe(export_name = "__dso_handle"))]
pub static DSO_HANDLE: u8 = 0;

/// A virtual function that nobody has defined.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn __cxa_pure_virtual() -> ! {
    device_rt::io::write_to_stderr("a pure virtual function was called\n");
    process::abort()
}

fn some(block: *mut c_void) -> *mut c_void {
    if block.is_null() {
        device_rt::io::write_to_stderr("operator new: out of memory\n");
        process::abort();
    }
    block
}

/// `operator new(size_t)`
#[cfg_attr(gpu, unsafe(export_name = "_Znwm"))]
pub extern "C" fn new(size: usize) -> *mut c_void {
    some(malloc(size))
}

/// `operator new[](size_t)`
#[cfg_attr(gpu, unsafe(export_name = "_Znam"))]
pub extern "C" fn new_array(size: usize) -> *mut c_void {
    some(malloc(size))
}

/// `operator new(size_t, std::align_val_t)`
#[cfg_attr(gpu, unsafe(export_name = "_ZnwmSt11align_val_t"))]
pub extern "C" fn new_aligned(size: usize, align: usize) -> *mut c_void {
    some(aligned_alloc(align, size))
}

/// `operator new[](size_t, std::align_val_t)`
#[cfg_attr(gpu, unsafe(export_name = "_ZnamSt11align_val_t"))]
pub extern "C" fn new_array_aligned(size: usize, align: usize) -> *mut c_void {
    some(aligned_alloc(align, size))
}

/// Defines the operators `delete`, which are all [`free`].
macro_rules! deletes {
    ($($(#[$doc:meta])* $symbol:literal $name:ident($($unused:ident),*);)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As for `free`.
        #[cfg_attr(gpu, unsafe(export_name = $symbol))]
        pub unsafe extern "C" fn $name(block: *mut c_void, $($unused: usize),*) {
            // SAFETY: the caller's promise.
            unsafe { free(block) }
        }
    )*};
}

deletes! {
    /// `operator delete(void *)`
    "_ZdlPv" delete();
    /// `operator delete[](void *)`
    "_ZdaPv" delete_array();
    /// `operator delete(void *, size_t)`
    "_ZdlPvm" delete_sized(_size);
    /// `operator delete[](void *, size_t)`
    "_ZdaPvm" delete_array_sized(_size);
    /// `operator delete(void *, std::align_val_t)`
    "_ZdlPvSt11align_val_t" delete_aligned(_align);
    /// `operator delete[](void *, std::align_val_t)`
    "_ZdaPvSt11align_val_t" delete_array_aligned(_align);
    /// `operator delete(void *, size_t, std::align_val_t)`
    "_ZdlPvmSt11align_val_t" delete_sized_aligned(_size, _align);
    /// `operator delete[](void *, size_t, std::align_val_t)`
    "_ZdaPvmSt11align_val_t" delete_array_sized_aligned(_size, _align);
}
