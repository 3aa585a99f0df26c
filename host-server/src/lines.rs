//! Comparing cache lines of shared memory with private ones: what a scan does all day.

use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of a line.
pub const BYTES: usize = 64;

/// Whether the line at `shared` differs from the one at `private`: a relaxed look, 4 bytes at least in one piece.
///
/// # Safety
/// Both lead to [`BYTES`] readable bytes, aligned to 4, that are only written atomically meanwhile.
#[inline]
pub unsafe fn differ(shared: *const u8, private: *const u8) -> bool {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller's promises are what the function needs.
    return unsafe { differ_sse2(shared, private) };
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: as above.
    return unsafe { differ_words(shared, private) };
}

/// Word by word.
///
/// # Safety
/// As for [`differ`].
#[cfg_attr(
    target_arch = "x86_64",
    allow(dead_code, reason = "what other processors do; the tests compare")
)]
unsafe fn differ_words(shared: *const u8, private: *const u8) -> bool {
    let load = |at: *const u8, word: usize| {
        // SAFETY: within the line, by the caller's promise.
        unsafe { AtomicU32::from_ptr(at.cast::<u32>().add(word).cast_mut()) }.load(Ordering::Relaxed)
    };
    (0..BYTES / 4).fold(0, |differences, word| {
        differences | (load(shared, word) ^ load(private, word))
    }) != 0
}

/// In assembly, since a racing read through an intrinsic would be undefined behaviour, and core has no vector atomics.
///
/// # Safety
/// As for [`differ`].
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn differ_sse2(shared: *const u8, private: *const u8) -> bool {
    let equal: u32;
    // SAFETY: reads 64 bytes at each address, which the caller vouches for; clobbers what it names.
    unsafe {
        std::arch::asm!(
            "movdqu {a}, [{shared}]",
            "movdqu {b}, [{shared} + 16]",
            "movdqu {c}, [{shared} + 32]",
            "movdqu {d}, [{shared} + 48]",
            "movdqu {x}, [{private}]",
            "pcmpeqd {a}, {x}",
            "movdqu {x}, [{private} + 16]",
            "pcmpeqd {b}, {x}",
            "movdqu {x}, [{private} + 32]",
            "pcmpeqd {c}, {x}",
            "movdqu {x}, [{private} + 48]",
            "pcmpeqd {d}, {x}",
            "pand {a}, {b}",
            "pand {c}, {d}",
            "pand {a}, {c}",
            "pmovmskb {equal:e}, {a}",
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            c = out(xmm_reg) _,
            d = out(xmm_reg) _,
            x = out(xmm_reg) _,
            shared = in(reg) shared,
            private = in(reg) private,
            equal = lateout(reg) equal,
            options(nostack, readonly, preserves_flags),
        );
    }
    equal != 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_one_bit_makes_a_difference() {
        let private = [0x5au8; 72];
        for bit in 0..8 * BYTES {
            let mut shared = private;
            // SAFETY: both arrays are longer than a line; an aligned start is found in each.
            let differs = |shared: &[u8; 72]| unsafe {
                let aligned = |bytes: &[u8; 72]| bytes.as_ptr().add(bytes.as_ptr().align_offset(8));
                differ(aligned(shared), aligned(&private))
            };
            assert!(!differs(&shared));
            let start = shared.as_ptr().align_offset(8);
            shared[start + bit / 8] ^= 1 << (bit % 8);
            assert!(differs(&shared), "bit {bit}");
            // SAFETY: as above; both start at the same place of their arrays.
            let words = unsafe {
                let start = |bytes: &[u8; 72]| bytes.as_ptr().add(bytes.as_ptr().align_offset(8));
                differ_words(start(&shared), start(&private))
            };
            assert!(words, "bit {bit}, word by word");
        }
    }
}
