//! Any bytes as a call of a named function.
#![no_main]

use host_server::functions::{HostFunctions, MAX_RESULT_BYTES};

libfuzzer_sys::fuzz_target!(|request: &[u8]| {
    let mut functions = HostFunctions::new();
    functions.register("f", |arguments| {
        let start = arguments.value::<u64>()?;
        let text = arguments.text()?.len() as u64;
        arguments.slice_mut::<u16>()?.fill(start as u16);
        Ok(start.wrapping_add(text))
    });
    let reply = functions.answer(request);
    assert!(reply.len() >= 16 && reply.len() as u64 <= 16 + MAX_RESULT_BYTES);
});
