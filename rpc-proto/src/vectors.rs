//! A row of 32 units at once, with the vector instructions of x86-64 processors.
//!
//! Shared memory is reached by assembly, since a racing access through an intrinsic would be undefined behaviour, and core has no
//! vector atomics; what has been loaded is ours. Such processors access each aligned half of a unit in one piece, however wide the
//! instruction.

use core::arch::{asm, x86_64::*};

/// How wide the instructions are. A good part of what a server does for an express call is to tell words and tags apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// 16 bytes: every processor.
    Sse2,
    /// 64 bytes: AVX-512F. With the 32 of AVX2 nothing was gained.
    Avx512,
}

/// Units in a cache line.
const UNITS: usize = 4;

impl Vectors {
    /// Read the payloads of 32 units; whether every half carries `tag`.
    ///
    /// # Safety
    /// The processor has these instructions. `from` is aligned to 16 and leads to 32 units that are only accessed atomically.
    #[inline(always)]
    pub(crate) unsafe fn load_32(self, from: *const u64, tag: u32, words: &mut [u64; 64]) -> bool {
        // SAFETY: passed on to the caller.
        unsafe {
            match self {
                Self::Sse2 => sse2::load_32(from, tag, words),
                Self::Avx512 => avx512::load_32(from, tag, words),
            }
        }
    }

    /// Write 32 words as units with `tag`.
    ///
    /// # Safety
    /// As for [`load_32`](Self::load_32), and the units are writable.
    #[inline(always)]
    pub(crate) unsafe fn store_32(self, to: *mut u64, tag: u32, words: &[u64; 64]) {
        // SAFETY: passed on to the caller.
        unsafe {
            match self {
                Self::Sse2 => sse2::store_32(to, tag, words),
                Self::Avx512 => avx512::store_32(to, tag, words),
            }
        }
    }
}

mod sse2 {
    use super::*;

    /// # Safety
    /// As for [`Vectors::load_32`].
    #[inline(always)]
    pub(super) unsafe fn load_32(from: *const u64, tag: u32, words: &mut [u64; 64]) -> bool {
        // SAFETY: every x86-64 processor has SSE2; the addresses are within the 32 units, and within `words`.
        unsafe {
            let tag = _mm_set1_epi32(tag.cast_signed());
            let mut whole = _mm_set1_epi32(-1);
            for line in 0..32 / UNITS {
                let [a, b, c, d] = load_line(from.add(2 * UNITS * line));
                for (pair, (a, b)) in [(a, b), (c, d)].into_iter().enumerate() {
                    let (a, b) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
                    let payload = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b));
                    let tags = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b));
                    whole = _mm_and_si128(whole, _mm_cmpeq_epi32(tags, tag));
                    _mm_storeu_si128(words.as_mut_ptr().add(UNITS * line + 2 * pair).cast(), payload);
                }
            }
            _mm_movemask_epi8(whole) == 0xffff
        }
    }

    /// # Safety
    /// As for [`Vectors::store_32`].
    #[inline(always)]
    pub(super) unsafe fn store_32(to: *mut u64, tag: u32, words: &[u64; 64]) {
        // SAFETY: as above.
        unsafe {
            let tag = _mm_set1_epi32(tag.cast_signed());
            for line in 0..32 / UNITS {
                let pair = |at: usize| _mm_loadu_si128(words.as_ptr().add(UNITS * line + 2 * at).cast());
                let (ab, cd) = (pair(0), pair(1));
                store_line(
                    to.add(2 * UNITS * line),
                    [
                        _mm_unpacklo_epi32(ab, tag),
                        _mm_unpackhi_epi32(ab, tag),
                        _mm_unpacklo_epi32(cd, tag),
                        _mm_unpackhi_epi32(cd, tag),
                    ],
                );
            }
        }
    }

    /// # Safety
    /// `from` is aligned to 16 and leads to a line of units that are only accessed atomically.
    #[inline(always)]
    unsafe fn load_line(from: *const u64) -> [__m128i; UNITS] {
        let (a, b, c, d);
        // SAFETY: the caller vouches for the address.
        unsafe {
            asm!(
                "movdqa {a}, [{from}]",
                "movdqa {b}, [{from} + 16]",
                "movdqa {c}, [{from} + 32]",
                "movdqa {d}, [{from} + 48]",
                a = out(xmm_reg) a,
                b = out(xmm_reg) b,
                c = out(xmm_reg) c,
                d = lateout(xmm_reg) d,
                from = in(reg) from,
                options(nostack, readonly, preserves_flags),
            );
        }
        [a, b, c, d]
    }

    /// # Safety
    /// As for [`load_line`], and the line is writable.
    #[inline(always)]
    unsafe fn store_line(to: *mut u64, [a, b, c, d]: [__m128i; UNITS]) {
        // SAFETY: the caller vouches for the address.
        unsafe {
            asm!(
                "movdqa [{to}], {a}",
                "movdqa [{to} + 16], {b}",
                "movdqa [{to} + 32], {c}",
                "movdqa [{to} + 48], {d}",
                a = in(xmm_reg) a,
                b = in(xmm_reg) b,
                c = in(xmm_reg) c,
                d = in(xmm_reg) d,
                to = in(reg) to,
                options(nostack, preserves_flags),
            );
        }
    }
}

mod avx512 {
    use super::*;

    /// # Safety
    /// As for [`Vectors::load_32`].
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn load_32(from: *const u64, tag: u32, words: &mut [u64; 64]) -> bool {
        let tag = _mm512_set1_epi64((u64::from(tag) << 32).cast_signed());
        let mut differs = _mm512_setzero_si512();
        for line in 0..32 / UNITS {
            let units;
            // SAFETY: a line of the 32 units, for which the caller vouches.
            unsafe {
                asm!(
                    "vmovdqu64 {units}, [{from}]",
                    units = out(zmm_reg) units,
                    from = in(reg) from.add(2 * UNITS * line),
                    options(nostack, readonly, preserves_flags),
                );
            }
            differs = _mm512_or_si512(differs, _mm512_xor_si512(units, tag));
            // SAFETY: within `words`.
            unsafe {
                _mm256_storeu_si256(
                    words.as_mut_ptr().add(UNITS * line).cast(),
                    _mm512_cvtepi64_epi32(units),
                );
            }
        }
        // The lower halves have the payload.
        _mm512_cmplt_epu64_mask(differs, _mm512_set1_epi64(1 << 32)) == 0xff
    }

    /// # Safety
    /// As for [`Vectors::store_32`].
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn store_32(to: *mut u64, tag: u32, words: &[u64; 64]) {
        let tag = _mm512_set1_epi64((u64::from(tag) << 32).cast_signed());
        for line in 0..32 / UNITS {
            // SAFETY: within `words`, and within the 32 units, for which the caller vouches.
            unsafe {
                let halves = _mm512_cvtepu32_epi64(_mm256_loadu_si256(words.as_ptr().add(UNITS * line).cast()));
                asm!(
                    "vmovdqu64 [{to}], {units}",
                    units = in(zmm_reg) _mm512_or_si512(halves, tag),
                    to = in(reg) to.add(2 * UNITS * line),
                    options(nostack, preserves_flags),
                );
            }
        }
    }
}
