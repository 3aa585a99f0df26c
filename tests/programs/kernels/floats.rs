//! Every float operation and conversion over values at the borders, each lane with another left operand.

use super::state::{canonical32, canonical64};

/// One for each operation: a number that depends on every bit of its results.
pub const OPERATIONS: &[fn(u32) -> u64] = &[
    |lane| singles(lane, |a, b| a + b),
    |lane| singles(lane, |a, b| a - b),
    |lane| singles(lane, |a, b| a * b),
    |lane| singles(lane, |a, b| a / b),
    |lane| doubles(lane, |a, b| a + b),
    |lane| doubles(lane, |a, b| a - b),
    |lane| doubles(lane, |a, b| a * b),
    |lane| doubles(lane, |a, b| a / b),
    |lane| singles(lane, |a, b| if a < b { a } else { b }),
    |lane| doubles(lane, |a, b| if a >= b { a } else { b }),
    |lane| singles(lane, f32::copysign),
    |lane| doubles(lane, f64::copysign),
    |lane| integers(lane, |a, b| u64::from(a as u8) << 8 | u64::from(b as u16)),
    |lane| integers(lane, |a, b| u64::from(a as i8 as u8) << 32 | u64::from(b as i16 as u16)),
    |lane| integers(lane, |a, b| u64::from(a as u32) << 32 | u64::from(b as u32)),
    |lane| {
        integers(lane, |a, b| {
            u64::from(a as i32 as u32) << 32 | u64::from(b as i32 as u32)
        })
    },
    |lane| integers(lane, |a, b| (a as u64).rotate_left(7) ^ b as u64),
    |lane| integers(lane, |a, b| (a as i64 as u64).rotate_left(7) ^ b as i64 as u64),
    |lane| doubles(lane, |a, b| f64::from(a as f32) - f64::from(b as f32)),
    |lane| from_integers(lane),
];

/// Bit patterns of singles: zeros, subnormals, around one, around the ranges of integers, ends of the range, infinity, a NaN.
const SINGLES: [u32; 32] = [
    0x0000_0000,
    0x0000_0001,
    0x0000_0003,
    0x0040_0000,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x0100_0000,
    0x2000_0000,
    0x3380_0000,
    0x3eaa_aaab,
    0x3f00_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fc0_0000,
    0x4040_0000,
    0x4049_0fdb,
    0x42fe_0000,
    0x4300_0000,
    0x437f_0000,
    0x4380_0000,
    0x477f_ff00,
    0x4b7f_ffff,
    0x4eff_ffff,
    0x4f00_0000,
    0x4f7f_ffff,
    0x4f80_0000,
    0x5f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7fc0_0000,
];

/// Those of doubles, likewise.
const DOUBLES: [u64; 32] = [
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0001,
    0x0000_0000_0000_0007,
    0x0008_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x0020_0000_0000_0000,
    0x0340_0000_0000_0000,
    0x3690_0000_0000_0000,
    0x380f_ffff_ffff_ffff,
    0x3810_0000_0000_0000,
    0x3fd5_5555_5555_5555,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff0_0000_1000_0000,
    0x3ff0_0000_3000_0000,
    0x4008_0000_0000_0000,
    0x4009_21fb_5444_2d18,
    0x405f_c000_0000_0000,
    0x40ef_ffe0_0000_0000,
    0x41df_ffff_ffc0_0000,
    0x41e0_0000_0000_0000,
    0x41ef_ffff_ffe0_0000,
    0x43df_ffff_ffff_ffff,
    0x43e0_0000_0000_0000,
    0x47ef_ffff_f000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
];

fn add(digest: u64, word: u64) -> u64 {
    (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// All sums, differences and so on of the lane's value, positive and negative, with all others.
fn singles(lane: u32, operation: impl Fn(f32, f32) -> f32) -> u64 {
    let left = f32::from_bits(SINGLES[lane as usize % SINGLES.len()]);
    SINGLES.iter().fold(0, |digest, &bits| {
        let right = f32::from_bits(bits);
        let digest = add(digest, canonical32(operation(left, right)).to_bits().into());
        add(digest, canonical32(operation(-left, right)).to_bits().into())
    })
}

fn doubles(lane: u32, operation: impl Fn(f64, f64) -> f64) -> u64 {
    let left = f64::from_bits(DOUBLES[lane as usize % DOUBLES.len()]);
    DOUBLES.iter().fold(0, |digest, &bits| {
        let right = f64::from_bits(bits);
        let digest = add(digest, canonical64(operation(left, right)).to_bits());
        add(digest, canonical64(operation(-left, right)).to_bits())
    })
}

/// Conversions of a single and a double to integers.
fn integers(lane: u32, operation: impl Fn(f32, f64) -> u64) -> u64 {
    let lane = lane as usize;
    let single = f32::from_bits(SINGLES[lane % SINGLES.len()]);
    let double = f64::from_bits(DOUBLES[lane % DOUBLES.len()]);
    [
        (single, double),
        (-single, -double),
        (single * 0.75, double * 0.75),
        (single + 0.5, double - 0.5),
    ]
    .iter()
    .fold(0, |digest, &(single, double)| add(digest, operation(single, double)))
}

/// Conversions of integers around the lane's power of two to floats of both sizes.
fn from_integers(lane: u32) -> u64 {
    let mut digest = 0;
    for power in [lane, lane + 32] {
        for integer in [
            (1u64 << power).wrapping_sub(1),
            1 << power,
            (1 << power) + 1,
            !0 << power,
            0x5555_5555_5555_5555 >> power,
        ] {
            digest = add(digest, (integer as f32).to_bits().into());
            digest = add(digest, (integer as i64 as f32).to_bits().into());
            digest = add(digest, (integer as u32 as f32).to_bits().into());
            digest = add(digest, (integer as i32 as f32).to_bits().into());
            digest = add(digest, (integer as f64).to_bits());
            digest = add(digest, (integer as i64 as f64).to_bits());
            digest = add(digest, f64::from(integer as u32).to_bits());
            digest = add(digest, f64::from(integer as i32).to_bits());
            digest = add(digest, (f64::from((integer as i64) as f32)).to_bits());
        }
    }
    digest
}
