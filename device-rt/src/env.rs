//! What the program was started with: arguments and environment.

use core::ffi::{CStr, c_char};
use core::ptr;

/// What the host gave to `_begin`. All zero until then, for ever under a host that runs no `_begin`.
struct Given {
    argc: usize,
    argv: *const *const c_char,
    /// Ended by a null pointer.
    envp: *const *const c_char,
}

/// Not atomic: an atomic's order is checked at run time in unoptimised builds, and the panic would make calls in programs without any.
static mut GIVEN: Given = Given {
    argc: 0,
    argv: ptr::null(),
    envp: ptr::null(),
};

/// Remembers what `_begin` was given.
///
/// # Safety
/// No other thread runs. `argv` leads to `argc` strings, `envp` is null or leads to strings and a null pointer, all alive as long as the
/// image.
pub(crate) unsafe fn set(argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
    let given = Given {
        argc: argc.max(0) as usize,
        argv,
        envp,
    };
    // SAFETY: no other thread runs; the end of `_begin` orders this before all later kernels.
    unsafe { (&raw mut GIVEN).write(given) }
}

fn given() -> Given {
    // SAFETY: written by `_begin` only, which is over, or is the one thread that asks.
    unsafe { (&raw const GIVEN).read() }
}

/// The arguments and the environment as C's `main` gets them: the number of arguments, an array of them with a null pointer behind it,
/// and the same of the variables. All null under a host that runs no `_begin`.
pub fn raw() -> (i32, *const *const c_char, *const *const c_char) {
    let given = given();
    (given.argc as i32, given.argv, given.envp)
}

/// The arguments of the program, its name first.
///
/// # Panics
/// When reaching an argument that is not UTF-8; [`args_os`] has no such limit.
pub fn args() -> Args {
    Args(args_os())
}

/// The arguments of the program, its name first, as the bytes that they are.
pub fn args_os() -> ArgsOs {
    ArgsOs { at: 0 }
}

/// The variables of the environment that are UTF-8, as pairs of name and value.
pub fn vars() -> Vars {
    Vars { at: 0 }
}

/// The value of a variable of the environment, if it is set and UTF-8.
pub fn var(name: &str) -> Option<&'static str> {
    vars().find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The number of this run among those that were started together, on several devices or by an MPI or Slurm launcher; 0 of a
/// run that is alone.
pub fn rank() -> u32 {
    number("GPU_RANK").unwrap_or(0)
}

/// How many runs were started together: [`rank`] is below it.
pub fn world_size() -> u32 {
    number("GPU_WORLD_SIZE").unwrap_or(1)
}

fn number(name: &str) -> Option<u32> {
    var(name)?.parse().ok()
}

/// The iterator behind [`args`].
#[derive(Clone, Debug)]
pub struct Args(ArgsOs);

impl Iterator for Args {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let argument = self.0.next()?;
        match argument.to_str() {
            Ok(text) => Some(text),
            Err(_) => panic!(
                "argument {} is not UTF-8; env::args_os() takes any bytes",
                self.0.at - 1
            ),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Args {}

/// The iterator behind [`args_os`].
#[derive(Clone, Debug)]
pub struct ArgsOs {
    at: usize,
}

impl Iterator for ArgsOs {
    type Item = &'static CStr;

    fn next(&mut self) -> Option<&'static CStr> {
        let given = given();
        if self.at >= given.argc {
            return None;
        }
        // SAFETY: `set` was promised `argc` strings at `argv`, alive as long as the image.
        let argument = unsafe { CStr::from_ptr(*given.argv.add(self.at)) };
        self.at += 1;
        Some(argument)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = given().argc.saturating_sub(self.at);
        (left, Some(left))
    }
}

impl ExactSizeIterator for ArgsOs {}

/// The iterator behind [`vars`].
#[derive(Clone, Debug)]
pub struct Vars {
    at: usize,
}

impl Iterator for Vars {
    type Item = (&'static str, &'static str);

    fn next(&mut self) -> Option<(&'static str, &'static str)> {
        let envp = given().envp;
        if envp.is_null() {
            return None;
        }
        loop {
            // SAFETY: `at` never passes the null pointer that ends the array.
            let entry = unsafe { *envp.add(self.at) };
            if entry.is_null() {
                return None;
            }
            self.at += 1;
            // SAFETY: `set` was promised strings, alive as long as the image.
            let entry = unsafe { CStr::from_ptr(entry) };
            if let Some(pair) = entry.to_str().ok().and_then(|entry| entry.split_once('=')) {
                return Some(pair);
            }
        }
    }
}
