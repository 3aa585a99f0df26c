//! Any bytes as a format and its argument block.
#![no_main]

use host_server::format::{Format, Layout, MAX_PADDING};

libfuzzer_sys::fuzz_target!(|input: (Vec<u8>, Vec<u8>, bool)| {
    let (format, block, packed) = input;
    let layout = if packed { Layout::Packed } else { Layout::Natural };
    if let Ok(bound) = Format::new(&format, layout).and_then(|format| format.bind(&block)) {
        let strings: Vec<_> = bound.strings().map(|_| b"text").collect();
        let mut out = Vec::new();
        let _ = bound.render(&strings, &mut out);
        assert!(out.len() <= MAX_PADDING + 400 * format.len());
    }
});
