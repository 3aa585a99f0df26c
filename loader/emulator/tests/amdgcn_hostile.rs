//! Whatever the machine code, running it ends with results or with a fault.

#[path = "hostile/bounded.rs"]
mod bounded;
#[path = "hostile/corpus.rs"]
mod corpus;
#[path = "hostile/machine.rs"]
mod machine;
mod machine_code;

use machine::try_code;
use proptest::prelude::*;

/// The smallest of the codes by which the fuzzer of `fuzz/` reached what it did.
const CORPUS: &str = include_str!("corpus/machine_code");

#[test]
fn what_the_fuzzer_kept_does_no_harm() {
    for code in corpus::inputs(CORPUS) {
        try_code(&code);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        try_code(&bytes);
    }

    /// Codes of the corpus behind each other, with a few bits turned.
    #[test]
    fn mutated_codes(
        choice in any::<u8>(),
        codes in proptest::collection::vec(any::<prop::sample::Index>(), 1..4),
        turned in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..8), 0..6),
    ) {
        let corpus = corpus::inputs(CORPUS);
        let mut bytes = vec![choice];
        for code in codes {
            bytes.extend(&corpus[code.index(corpus.len())][1..]);
        }
        for (at, bit) in turned {
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
        }
        try_code(&bytes);
    }
}
