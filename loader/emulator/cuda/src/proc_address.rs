//! Finding entry points by name and version.

use std::ffi::{c_int, c_uint, c_void};

use crate::border::{Out, Text, entries, null_stream_is_per_thread};
use crate::status::{Result, Status};
use crate::symbols::{SYMBOLS, Variant};

/// What the newer query says about a name, by the numbers of the public interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Found {
    /// It is there.
    Yes = 0,
    /// There is no such name.
    No = 1,
    /// It is there in newer versions only.
    InNewer = 2,
}

/// The null stream is the calling thread's own one in the variants asked for.
const PER_THREAD: u64 = 2;
/// All flags: default, legacy, per-thread. The first two mean the same here.
const FLAGS: u64 = 3;

/// The newest variant of a name that is not newer than `version`.
pub fn find(name: &str, version: c_int, per_thread: bool) -> std::result::Result<*const c_void, Found> {
    let at = SYMBOLS
        .binary_search_by_key(&name, |symbol| symbol.name)
        .map_err(|_| Found::No)?;
    let symbol = &SYMBOLS[at];
    let newest = |variants: &[Variant]| {
        let known = variants.iter().filter(|variant| variant.since <= version);
        known.max_by_key(|variant| variant.since).map(|variant| variant.address)
    };
    let own = if per_thread { newest(symbol.per_thread) } else { None };
    own.or_else(|| newest(symbol.variants)).ok_or(Found::InNewer)
}

fn answer(name: Text, function: Out<*const c_void>, version: c_int, flags: u64) -> Result<Found> {
    function.check()?;
    let name = name.get()?;
    if flags > FLAGS || version < 0 {
        return Err(Status::INVALID_VALUE);
    }
    let per_thread = flags & PER_THREAD != 0 || null_stream_is_per_thread();
    let found = find(name, version, per_thread);
    function.set(found.unwrap_or(std::ptr::null()))?;
    Ok(found.err().unwrap_or(Found::Yes))
}

entries! {
    /// The entry point of a name (without suffix) as of some version.
    fn cuGetProcAddress(
        name: Text,
        function: Out<*const c_void>,
        version: c_int,
        flags: u64,
    ) {
        match answer(name, function, version, flags)? {
            Found::Yes => Ok(()),
            _ => Err(Status::NOT_FOUND),
        }
    }

    /// The entry point of a name (without suffix) as of some version, and if there is none, why.
    fn cuGetProcAddress_v2 @ cuGetProcAddress_v2_ptsz(
        name: Text,
        function: Out<*const c_void>,
        version: c_int,
        flags: u64,
        found: Out<c_uint>,
    ) {
        let answer = answer(name, function, version, flags)?;
        found.set_if_wanted(answer as c_uint);
        match answer {
            Found::Yes => Ok(()),
            _ if found.0.is_null() => Err(Status::NOT_FOUND),
            _ => Ok(()),
        }
    }
}
