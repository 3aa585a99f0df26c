//! What the fuzzers have kept.

/// The inputs in a file of the corpus, a line of hexadecimal digits each.
pub fn inputs(file: &str) -> Vec<Vec<u8>> {
    let byte = |pair: &[u8]| {
        let digits = std::str::from_utf8(pair).expect("hexadecimal digits");
        u8::from_str_radix(digits, 16).expect("hexadecimal digits")
    };
    let inputs: Vec<Vec<u8>> = file
        .lines()
        .map(|line| line.as_bytes().chunks(2).map(byte).collect())
        .collect();
    assert!(inputs.len() > 10, "most of the corpus is gone");
    inputs
}
