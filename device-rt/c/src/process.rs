//! The end of the program, its environment, commands of the host.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::{mem, ptr};

use device_rt::{env, express, init, process, rpc};
use rpc_proto::Opcode;

/// C's `exit`: what was registered with `atexit` and the destructors run, open files are written out by the host.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn exit(code: c_int) -> ! {
    process::exit(code)
}

/// C's `_Exit`: the end, at once.
#[allow(non_snake_case, reason = "the name is C's")]
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn _Exit(code: c_int) -> ! {
    process::quick_exit(code)
}

/// C's `quick_exit`. Nothing can be registered for it, so that it is `_Exit`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn quick_exit(code: c_int) -> ! {
    process::quick_exit(code)
}

/// C's `abort`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn abort() -> ! {
    process::abort()
}

/// C's `atexit`: 0, or -1 where there is no memory left to note the function in.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn atexit(function: extern "C" fn()) -> c_int {
    unsafe extern "C" fn call(function: *mut c_void) {
        // SAFETY: `atexit` made the pointer of such a function.
        let function: extern "C" fn() = unsafe { mem::transmute(function) };
        function();
    }
    // SAFETY: `call` gets what it expects, once.
    match unsafe { init::at_exit_with(call, function as *mut c_void) } {
        true => 0,
        false => -1,
    }
}

/// C's `getenv`. The value is the program's environment itself, shared by all threads.
///
/// # Safety
/// `name` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn getenv(name: *const c_char) -> *mut c_char {
    let (_, _, mut at) = env::raw();
    if at.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the caller passes a string; `_begin` was given strings with a null pointer behind them.
    unsafe {
        let name = CStr::from_ptr(name).to_bytes();
        while !(*at).is_null() {
            let entry = CStr::from_ptr(*at).to_bytes();
            if entry.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&b'=')) {
                return (*at).cast_mut().add(name.len() + 1);
            }
            at = at.add(1);
        }
    }
    ptr::null_mut()
}

/// C's `system`: runs a command of the host, where that is granted. The answer is a status as of `wait`, or -1.
///
/// A null pointer asks whether there are commands; whether they are granted only trying tells.
///
/// # Safety
/// `command` is null or a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn system(command: *const c_char) -> c_int {
    if command.is_null() {
        return 1;
    }
    // SAFETY: the caller passes a C string.
    let command = unsafe { CStr::from_ptr(command) }.to_bytes_with_nul();
    // What the command prints comes after what this thread has printed.
    express::flush();
    let client = rpc::client();
    let mut port = client.open(Opcode::SYSTEM);
    port.send_n(command);
    port.recv(|packet| packet.get(0)) as c_int
}
