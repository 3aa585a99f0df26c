//! Written by tests/kernels/generate.rs: do not edit.
#![cfg_attr(rustfmt, rustfmt::skip)]
#![allow(warnings, clippy::all)]

use super::state::{State, Warp, canonical32, canonical64};

static TABLE: [u32; 16] = [0x272e3044, 0x11217efe, 0x2deb50, 0x17ba2317, 0x5c1d191e, 0x6784a545, 0x6156de39, 0x2d4c6ce6, 0x2968073d, 0x28fe74d8, 0x7a2525, 0x2f214287, 0x22fbc65f, 0x74368cc6, 0x628e86e, 0x30d75e93];

macro_rules! for_each_kernel {
    ($run:ident) => { $run! { 0 kernel_0 1 kernel_1 2 kernel_2 3 kernel_3 4 kernel_4 5 kernel_5 6 kernel_6 7 kernel_7 8 kernel_8 9 kernel_9 10 kernel_10 11 kernel_11 } };
}
pub(crate) use for_each_kernel;

#[inline(never)]
fn function_0(s: &mut State, a: u32, b: f64) -> u64 {
    s.d[2] = (0x2fc799_u32.wrapping_sub(s.u[1]) as i32 as f64);
    for i in 0..s.u[2] % 4 {
        s.bytes[((s.u[1] & !s.u[1]) % 16) as usize] = (s.w[2].wrapping_mul(0x37fb_u64) >> 5) as u8;
        s.u[3] = ((s.w[1] >> 9) as u32);
        s.u[0] ^= i;
    }
    s.w[0] ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_0_0(s: &mut State) {
    s.bytes[(s.u[0].saturating_sub(s.u[3]) % 16) as usize] = ((((((s.w[0] ^s.w[1]) as i64).wrapping_rem((((s.w[2] as i64).wrapping_div((s.w[2] | 1) as i64) as u64) | 1) as i64) as u64) as i64).wrapping_shr(((((0x25_u32 as i32).wrapping_shr(s.u[1]) as u32) as i32).saturating_add((s.u[3] ^s.u[3]) as i32) as u32)) as u64) >> 5) as u8;
    s.u[3] = (canonical32((s.u[2] as i32 as f32) - canonical32((103.59375_f32) / s.f[1])) as i32 as u32);
    if canonical32(canonical32(s.d[1] as f32) - s.f[0]) > canonical32((if s.f[2] == (618.21875_f32) { s.f[1] } else { (66.875_f32) }) - canonical32(s.f[0] * s.f[0])) {
        if canonical64(s.d[2] + s.d[0]) > canonical64(s.d[1] / (514.4375_f64)) {
            s.d[2] = (if 0x12e_u64 < 0x3c4d0a30_u64 { s.d[2] } else { (686.171875_f64) });
            s.f[1] = canonical32((353.375_f32) + s.f[2]);
        } else {
            s.w[0] = (0xcbf522_u64 / (s.w[0] | 1));
            s.u[3] = ((s.w[0] >> 9) as u32);
        }
        s.w[1] = ((s.w[1].wrapping_add(0x53b14f1_u64) as i64).wrapping_div((((s.w[0] as i16).max(s.w[0] as i16) as u64) | 1) as i64) as u64);
    } else {
        for i in 0..((s.u[3] as i32).wrapping_shr(s.u[1]) as u32) % 4 {
            s.w[0] = s.w[2];
            s.d[1] = (s.f[2] as f64);
            s.u[2] ^= i;
        }
        s.bytes[(s.u[2] % 16) as usize] = (((0x266_u64 % (s.w[1] | 1)) % (s.w[2].reverse_bits() | 1)) >> 5) as u8;
    }
    if canonical32(canonical32(s.f[1].abs()) + canonical32(s.f[0] * (367.703125_f32))) > (((s.u[3] as u16).wrapping_mul(s.u[2] as u16) as u32) as i32 as f32) {
        if s.f[2] <= canonical32(s.f[2] - s.f[0]) {
            s.bytes[(s.u[2].rotate_right(0x0_u32 % 32) % 16) as usize] = (s.w[0].wrapping_shl(s.u[1] % 64) >> 5) as u8;
            s.u[2] = (0x3_u32 % (0xc_u32 | 1));
        } else {
            s.u[0] = ((s.u[1] as i32).wrapping_shr(s.u[1]) as u32);
            s.f[1] = canonical32(s.f[2] * s.f[0]);
        }
        s.d[1] = canonical64(canonical64(s.d[2] * s.d[2]) - canonical64(s.d[1] / s.d[0]));
    } else {
        s.bytes[(s.u[3].wrapping_mul(s.u[1]) % 16) as usize] = ((canonical32((-35.984375_f32) * s.f[1]) as i64 as u64) >> 5) as u8;
        s.d[1] = s.d[2];
    }
    s.f[1] = canonical32(canonical32(canonical32(s.d[2] as f32) * canonical32(s.f[2] - s.f[2])) * s.f[1]);
    for i in 0..(s.bytes[(s.u[2] % 16) as usize] as u32) % 4 {
        if ((s.w[2] as i64).min(s.w[0] as i64) as u64) <= (s.w[0].leading_zeros() as u64) {
            s.f[2] = canonical32(s.f[0] - s.f[0]);
            s.f[2] = canonical32(s.f[0] / (447.75_f32));
        } else {
            s.f[1] = (s.w[0] as i32 as f32);
            s.f[2] = canonical32(s.f[0] / (-67.25_f32));
        }
        for i in 0..0x3c2f4f_u32.wrapping_add(s.u[0]) % 4 {
            s.bytes[(((s.u[2] as i32).saturating_sub(s.u[0] as i32) as u32) % 16) as usize] = (s.w[0].wrapping_sub(0x0_u64) >> 5) as u8;
            s.d[1] = canonical64(s.d[1] + (-230.53125_f64));
            s.u[2] ^= i;
        }
        s.u[3] ^= i;
    }
    match s.u[1].wrapping_mul(0x0_u32) % 5 {
        0 => {
            s.w[1] = ((0x26_u64 / (s.w[0] | 1)) % (((s.w[0] as i64).wrapping_shr(s.u[3]) as u64) | 1));
        }
        1 => {
            s.d[2] = canonical64((if s.f[1] != s.f[1] { s.d[0] } else { s.d[1] }) - canonical64(s.d[0] / s.d[2]));
        }
        3 => {
            s.d[0] = canonical64((s.f[2] as f64) / (if s.d[1] > s.d[1] { s.d[0] } else { s.d[1] }));
        }
        _ => {
            if s.f[0] == canonical32(s.f[1] - s.f[2]) {
                s.w[2] = (s.w[1].count_ones() as u64);
                s.d[2] = canonical64(s.d[2] + s.d[2]);
            } else {
                s.d[1] = canonical64(s.d[1] + s.d[0]);
                s.w[2] = s.w[1].reverse_bits();
            }
        }
    }
}

fn part_0_1(s: &mut State) {
    for i in 0..s.u[2].max(s.u[2]) % 4 {
        for i in 0..(s.u[3] &s.u[0]) % 4 {
            s.u[2] = ((s.u[1] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32);
            s.u[1] = s.u[2].wrapping_add(s.u[3]);
            s.u[0] ^= i;
        }
        s.bytes[(s.u[1].max(s.u[1]) % 16) as usize] = ((((s.w[0] as i64).wrapping_shr(s.u[0]) as u64) |s.w[0]) >> 5) as u8;
        s.u[0] ^= i;
    }
    if ((s.w[2] &(s.w[1] % (s.w[0] | 1))) as i64) != ((s.u[2].wrapping_add(0x1d6b_u32) as u64).wrapping_mul(s.u[0].wrapping_shl(s.u[1] % 32) as u64) as i64) {
        s.u[2] = (((0x5dfa_u32 % (s.u[3] | 1)) as i32).wrapping_shr(((0x163be29_u32 as u8).wrapping_add(0x30_u32 as u8) as u32)) as u32);
        s.d[2] = (canonical32(s.f[2] + s.f[1]) as f64);
    } else {
        if (s.w[1].wrapping_mul(s.w[0]) as i64) == (((s.w[2] as i64).wrapping_div((0x4_u64 | 1) as i64) as u64) as i64) {
            s.u[0] = s.u[3].wrapping_sub(s.u[0]);
            s.f[0] = canonical32(s.f[0] * s.f[1]);
        } else {
            s.f[1] = canonical32(s.f[0] * s.f[1]);
            s.d[0] = (if s.d[1] != s.d[0] { s.d[0] } else { s.d[2] });
        }
        if (s.u[1] % (s.u[3] | 1)) == ((s.w[1] >> 11) as u32) {
            s.bytes[(((s.u[0] as u8).wrapping_mul(s.u[2] as u8) as u32) % 16) as usize] = (s.w[0] >> 5) as u8;
            s.u[1] = ((s.u[3] as i16).wrapping_add(s.u[3] as i16) as u32);
        } else {
            s.w[1] = (s.w[1].leading_zeros() as u64);
            s.u[3] = ((s.u[2] as i32).saturating_add(s.u[1] as i32) as u32);
        }
    }
    if (canonical64(s.d[1] - s.d[0]) as u64) == (s.bytes[((s.w[0] / (s.w[2] | 1)) % 16) as usize] as u64) {
        for i in 0..s.u[2].wrapping_sub(s.u[2]) % 4 {
            s.d[2] = canonical64((156.546875_f64) * s.d[1]);
            s.u[3] = ((s.w[0] >> 9) as u32);
            s.u[0] ^= i;
        }
        for i in 0..((s.u[1] as i32).saturating_add(s.u[0] as i32) as u32) % 4 {
            s.u[1] = ((s.u[0] as i8).wrapping_add(s.u[2] as i8) as u32);
            s.f[0] = s.f[0];
            s.u[2] ^= i;
        }
    } else {
        for i in 0..((s.u[2] as i32).wrapping_shr(s.u[3]) as u32) % 4 {
            s.u[3] = s.u[2];
            s.u[3] = ((s.u[0] as u8).wrapping_add(s.u[3] as u8) as u32);
            s.u[0] ^= i;
        }
        s.w[1] = (((s.u[0] as i32).wrapping_shr(s.u[2]) as u32) as u64).wrapping_mul(s.u[2].min(s.u[3]) as u64);
    }
    for i in 0..((s.u[1] as i32).saturating_add(s.u[3] as i32) as u32) % 4 {
        if canonical64((-54.0625_f64).copysign((582.6875_f64))) != (642.296875_f64) {
            s.d[2] = canonical64(s.d[1] / s.d[0]);
            s.u[2] = ((s.u[2] as i32).wrapping_shr(s.u[2]) as u32);
        } else {
            s.f[0] = (0x3346b_u32 as i32 as f32);
            s.w[0] = (s.u[0] as u64).wrapping_mul(0x8e8897_u32 as u64);
        }
        match s.u[1].wrapping_shr(s.u[1] % 32) % 5 {
            0 => {
                s.u[3] = s.u[1];
            }
            1 => {
                s.f[0] = canonical32(s.f[0] / s.f[1]);
            }
            3 => {
                s.f[0] = canonical32(s.f[1] - (395.78125_f32));
            }
            _ => {
                s.u[0] = (0x1627abf6_u32 / (s.u[1] | 1));
            }
        }
        s.u[1] ^= i;
    }
    s.f[2] = canonical32(canonical32(canonical64((114.84375_f64) * s.d[0]) as f32).copysign(canonical32((if s.d[2] <= s.d[1] { s.d[1] } else { s.d[0] }) as f32)));
    s.d[2] = canonical64(canonical64(canonical64(s.d[0] * s.d[2]).abs()) + canonical64(s.d[1].abs()));
    s.w[2] = ((0x20ed_u64 as i64).wrapping_shr(((s.u[2].saturating_add(s.u[2]) as i32).wrapping_shr(s.u[2].wrapping_sub(s.u[3])) as u32)) as u64);
    let (a, b) = (s.u[3].wrapping_add(s.u[2]), s.d[2]);
    s.w[0] = function_0(s, a, b);
}

fn part_0_2(s: &mut State) {
    for i in 0..((s.u[3] as i32).wrapping_rem((s.u[0] | 1) as i32) as u32) % 4 {
        s.d[2] = canonical64((s.u[3] as i32 as f64) - canonical64(s.d[1] / s.d[0]));
        if canonical32(s.f[2] * (401.046875_f32)) > (s.w[2] as f32) {
            s.u[1] = s.u[3];
            s.u[0] = s.u[3].wrapping_sub(s.u[0]);
        } else {
            s.d[0] = canonical64(s.d[1] - s.d[0]);
            s.f[2] = canonical32(s.f[2].copysign(s.f[1]));
        }
        s.u[0] ^= i;
    }
    for i in 0..s.u[1].wrapping_sub(s.u[2]) % 4 {
        for i in 0..s.u[1].saturating_add(0x342ce23_u32) % 4 {
            s.u[3] = s.u[0].wrapping_sub(s.u[0]);
            s.f[2] = canonical32(s.f[1] / s.f[2]);
            s.u[2] ^= i;
        }
        s.u[0] = (((s.u[0] as i16).wrapping_mul(s.u[3] as i16) as u32) % ((s.u[2] |s.u[3]) | 1));
        s.u[3] ^= i;
    }
    s.w[0] = s.w[1].swap_bytes().saturating_sub(s.w[1]).wrapping_sub((s.w[2] / (s.w[2] | 1)).wrapping_sub(s.w[1]));
    s.u[1] = ((((s.u[1].leading_zeros() as u32) & !s.u[0].max(0x1630d8a2_u32)) as i32).max((s.u[0] % (s.u[1] | 1)).wrapping_add((s.u[2].count_ones() as u32)) as i32) as u32);
    s.w[1] = (((((s.w[0] |s.w[1]) as i64).wrapping_shr((0xba6a_u32 ^s.u[2])) as u64) as i64).min((((TABLE[(s.w[1] % 16) as usize] as u64) as i64).max((0xb6c51d_u32 as u64).wrapping_mul(s.u[0] as u64) as i64) as u64) as i64) as u64);
    s.w[0] = ((s.w[1].wrapping_shl(s.u[2].wrapping_add(0x37d7_u32) % 64) as i64).saturating_add(((s.w[2].wrapping_add(s.w[1]) as i8).wrapping_add(0xb_u64.wrapping_sub(s.w[2]) as i8) as u64) as i64) as u64);
    match (s.u[2] % (s.u[3] | 1)) % 5 {
        0 => {
            s.bytes[(s.u[0].wrapping_sub(s.u[1]) % 16) as usize] = (((((s.w[1] as i64).wrapping_shr(s.u[2]) as u64) as i8).max(0x24ccd_u64.reverse_bits() as i8) as u64) >> 5) as u8;
        }
        1 => {
            s.w[0] = s.w[0];
        }
        3 => {
            s.u[0] = (s.u[3] ^s.u[1]).reverse_bits();
        }
        _ => {
            s.bytes[(s.u[1].rotate_left(0x1a74b6_u32 % 32) % 16) as usize] = ((s.bytes[(s.w[2].wrapping_add(s.w[1]) % 16) as usize] as u64) >> 5) as u8;
        }
    }
}

pub fn kernel_0(warp: &mut impl Warp) {
    warp.each(|s| part_0_0(s));
    warp.sum_among(2, 0, 0);
    warp.each(|s| part_0_1(s));
    warp.ballot(3, 0);
    warp.each(|s| part_0_2(s));
    warp.sum_among(1, 0, 3);
}

#[inline(never)]
fn function_1(s: &mut State, a: u32, b: f64) -> u64 {
    for i in 0..s.u[0].reverse_bits() % 4 {
        s.f[0] = canonical32(s.f[0] / s.f[0]);
        s.w[1] = (s.w[1] |s.w[0]);
        s.u[0] ^= i;
    }
    match (s.u[1].count_ones() as u32) % 5 {
        0 => {
            s.d[0] = (if s.u[1] >= 0x2_u32 { s.d[2] } else { (711.140625_f64) });
        }
        1 => {
            s.u[3] = s.u[0].saturating_sub(s.u[2]);
        }
        3 => {
            s.u[2] = 0x508d7f_u32.wrapping_shr(s.u[1] % 32);
        }
        _ => {
            s.bytes[(((s.u[2] as i32).max(0x0_u32 as i32) as u32) % 16) as usize] = (((s.w[2] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) >> 5) as u8;
        }
    }
    (s.w[2] % (s.w[1] | 1)).wrapping_mul(s.w[0].swap_bytes()) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_1_0(s: &mut State) {
    if ((s.bytes[(0x619dc9c_u64 % 16) as usize] as u64).wrapping_sub((s.u[3] as u64).wrapping_mul(s.u[0] as u64)) as i64) <= (((s.w[2] as i16).wrapping_add(s.w[0] as i16) as u64).wrapping_mul((0x22fb56_u32 as u64).wrapping_mul(0x284_u32 as u64)) as i64) {
        s.w[1] = (canonical64(s.d[1] - s.d[1]) as u64);
        s.bytes[(0x3de1c_u32.max(s.u[2]) % 16) as usize] = ((s.w[0].wrapping_sub(s.w[1]) & !(s.w[1].leading_zeros() as u64)) >> 5) as u8;
    } else {
        s.f[1] = (s.w[1].wrapping_mul(s.w[1]) as i32 as f32);
        s.w[0] = ((((s.w[0] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) as i64).saturating_sub((s.w[2] % (s.w[0] | 1)) as i64) as u64);
    }
    for i in 0..s.u[3].reverse_bits() % 4 {
        if canonical32(s.f[0] / s.f[1]) > (if (-58.984375_f64) <= s.d[1] { s.f[1] } else { s.f[2] }) {
            s.w[1] = ((0x1_u64 as i64).saturating_add(0x306_u64 as i64) as u64);
            s.bytes[((s.bytes[(s.u[3] % 16) as usize] as u32) % 16) as usize] = (0xeb64c9f_u64.rotate_left(s.u[3] % 64) >> 5) as u8;
        } else {
            s.d[1] = canonical64(s.d[2].copysign(s.d[0]));
            s.u[0] = 0xca_u32.rotate_left(0x58_u32 % 32);
        }
        s.f[2] = canonical32(canonical32(s.f[0].abs()) - canonical32(s.f[0] / s.f[2]));
        s.u[3] ^= i;
    }
    s.d[2] = (s.u[2].wrapping_mul(s.u[2]).wrapping_mul(s.u[2]) as f64);
    s.f[2] = canonical32((((s.u[0] as i32).wrapping_shr(0x16e6327_u32) as u32) as i32 as f32).copysign(((s.w[0] ^s.w[1]) as i32 as f32)));
    s.w[2] = (((s.u[3] as i32).wrapping_shr(s.u[1]) as u32) as u64).wrapping_mul(0x6a98f_u32.wrapping_sub(s.u[0]) as u64).wrapping_sub(((s.w[0] % (s.w[1] | 1)) ^s.w[2].wrapping_sub(s.w[2])));
    s.f[0] = canonical32((if canonical32(s.f[1] - s.f[0]) <= (if s.f[2] <= s.f[0] { s.f[0] } else { s.f[2] }) { canonical32(s.f[0] + s.f[0]) } else { canonical32(s.f[0] - (82.8125_f32)) }).abs());
    if canonical32(s.f[1] - s.f[0]) < canonical32(canonical64(s.d[1].copysign((497.75_f64))) as f32) {
        s.bytes[(((s.u[2] as i32).max(s.u[2] as i32) as u32) % 16) as usize] = (((((0xc9c8_u64 as i64).saturating_add(s.w[0] as i64) as u64) as i64).saturating_add(0x0_u64.wrapping_add(s.w[0]) as i64) as u64) >> 5) as u8;
        match s.u[3].wrapping_shl(s.u[2] % 32) % 5 {
            0 => {
                s.d[1] = canonical64(s.d[1] - s.d[1]);
            }
            1 => {
                s.d[2] = (s.w[1] as f64);
            }
            3 => {
                s.bytes[((0x4dc6_u32 &s.u[0]) % 16) as usize] = (s.w[0] >> 5) as u8;
            }
            _ => {
                s.u[0] = s.u[2];
            }
        }
    } else {
        s.d[0] = (if canonical64(s.d[2] * s.d[0]) != canonical64((546.90625_f64) + s.d[0]) { ((625.5625_f32) as f64) } else { (if s.d[0] <= s.d[2] { s.d[1] } else { s.d[0] }) });
        if (s.u[1].wrapping_sub(s.u[2]) as i32) < (((s.u[1] as i32).wrapping_shr(0x51c4d609_u32) as u32) as i32) {
            s.d[0] = canonical64(s.d[0] * (568.609375_f64));
            s.bytes[(((s.u[0] as i16).wrapping_mul(s.u[0] as i16) as u32) % 16) as usize] = ((s.u[1] as u64).wrapping_mul(s.u[0] as u64) >> 5) as u8;
        } else {
            s.f[2] = canonical32(s.f[2].abs());
            s.w[0] = (s.u[1] as u64).wrapping_mul(s.u[0] as u64);
        }
    }
}

fn part_1_1(s: &mut State) {
    s.u[1] = (((s.u[3].wrapping_mul(s.u[1]) & !((s.u[2] as i16).wrapping_mul(0x1610d8a0_u32 as i16) as u32)) as i32).min((((s.u[3] &0x1fd_u32) as u16).wrapping_add((s.u[2] & !s.u[1]) as u16) as u32) as i32) as u32);
    s.w[0] = ((0x17223345_u64.saturating_add(s.w[2]) as i64).wrapping_shr((0x515c83_u32 &s.u[0])) as u64).wrapping_add(((s.w[1].wrapping_sub(s.w[2]) as i64).saturating_add((0x202_u64 % (s.w[0] | 1)) as i64) as u64));
    for i in 0..(0x357722_u32 &s.u[0]) % 4 {
        s.u[2] = (((TABLE[(s.u[0] % 16) as usize] as u32) as i32).wrapping_rem((s.u[0].wrapping_add(s.u[2]) | 1) as i32) as u32);
        s.w[0] = (((s.w[2] % (0x18_u64 | 1)) as u16).wrapping_add((0x476_u64 / (s.w[2] | 1)) as u16) as u64);
        s.u[0] ^= i;
    }
    s.u[0] = s.u[1];
    if (((s.u[3].reverse_bits() as i16).max((s.u[3] % (s.u[3] | 1)) as i16) as u32) as i32) != (s.u[2] as i32) {
        match s.u[1] % 5 {
            0 => {
                s.bytes[(((s.u[0] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32) % 16) as usize] = (0x1291e84_u64.wrapping_mul(s.w[1]) >> 5) as u8;
            }
            1 => {
                s.d[1] = canonical64(s.d[0] - s.d[0]);
            }
            3 => {
                s.w[0] = (s.w[1] % (s.w[2] | 1));
            }
            _ => {
                s.f[0] = (s.w[1] as f32);
            }
        }
        for i in 0..(s.u[3] |s.u[0]) % 4 {
            s.f[0] = canonical32(s.d[0] as f32);
            s.bytes[((s.u[0].trailing_zeros() as u32) % 16) as usize] = (0xf442300_u64.saturating_sub(s.w[1]) >> 5) as u8;
            s.u[3] ^= i;
        }
    } else {
        if ((0x1_u64 &0xb4147e_u64) as i64) >= ((s.w[0] ^s.w[2]) as i64) {
            s.d[2] = canonical64(s.d[0] - s.d[2]);
            s.bytes[((TABLE[(s.u[3] % 16) as usize] as u32) % 16) as usize] = ((s.w[1].leading_zeros() as u64) >> 5) as u8;
        } else {
            s.w[0] = s.w[1];
            s.u[2] = (s.u[3].trailing_zeros() as u32);
        }
        s.bytes[(s.u[2].wrapping_shl(s.u[1] % 32) % 16) as usize] = (((s.w[2] as i64).wrapping_div((s.w[1] | 1) as i64) as u64).rotate_left(((s.w[1] >> 4) as u32) % 64) >> 5) as u8;
    }
    match s.u[2] % 5 {
        0 => {
            s.bytes[((s.u[3].leading_zeros() as u32) % 16) as usize] = ((((s.w[1] as i64).wrapping_shr(s.u[1]) as u64) & !((s.w[0] as i64).wrapping_shr(s.u[3]) as u64)) >> 5) as u8;
        }
        1 => {
            for i in 0..(s.u[3] & !s.u[0]) % 4 {
                s.w[0] = s.w[0].wrapping_add(s.w[2]);
                s.u[2] = ((s.u[1] as i32).max(s.u[1] as i32) as u32);
                s.u[1] ^= i;
            }
        }
        3 => {
            s.u[0] = ((s.u[3] as i32).wrapping_shr(s.u[0].wrapping_add(s.u[1])) as u32);
        }
        _ => {
            s.f[1] = canonical32(canonical32(s.f[0] * s.f[2]) / canonical32((400.96875_f32) * (7.296875_f32)));
        }
    }
    for i in 0..(s.bytes[(s.u[0] % 16) as usize] as u32) % 4 {
        s.w[1] = 0x2f2_u64.abs_diff(s.w[0]).rotate_right(((s.u[2] as i16).wrapping_mul(0xa7b1a6_u32 as i16) as u32) % 64);
        s.w[0] = s.w[2];
        s.u[0] ^= i;
    }
    let (a, b) = ((s.u[3] ^0x15aa0ae5_u32), canonical64(s.d[0] + s.d[2]));
    s.w[0] = function_1(s, a, b);
}

fn part_1_2(s: &mut State) {
    s.f[2] = (500.890625_f32);
    s.f[1] = (if canonical64(s.d[1] - s.d[2]) > (s.f[0] as f64) { canonical32(canonical32(s.f[0] - (-120.765625_f32)) + canonical32((700.859375_f32) + s.f[0])) } else { canonical32((s.w[0] as i32 as f64) as f32) });
    s.w[2] = (s.w[1].reverse_bits() |0x386_u64.wrapping_sub(s.w[2])).wrapping_add(0x1_u64.min(s.w[0]).reverse_bits());
    s.u[3] = ((s.u[1].saturating_add(0x609006_u32).wrapping_sub(((s.u[0] as i32).wrapping_shr(s.u[1]) as u32)) as i16).wrapping_mul((s.u[1].wrapping_mul(s.u[1]) &s.u[3].wrapping_add(0x1a702_u32)) as i16) as u32);
    s.bytes[(((s.u[3] as i32).wrapping_shr(s.u[2]) as u32) % 16) as usize] = (0xdef82_u64 >> 5) as u8;
    s.f[2] = canonical32(canonical32(canonical32(s.f[2] - s.f[2]).copysign((s.u[3] as i32 as f32))) / canonical32((if (-224.90625_f32) <= (466.71875_f32) { (390.484375_f32) } else { s.f[2] }) - s.f[2]));
    s.w[1] = ((((s.w[2] as i64).max(0x7c7e4ac_u64 as i64) as u64).wrapping_add(0x137_u64) as i64).wrapping_shr(((((s.u[1] as i16).wrapping_add(s.u[0] as i16) as u32) as i32).wrapping_shr((s.u[1].count_ones() as u32)) as u32)) as u64);
}

pub fn kernel_1(warp: &mut impl Warp) {
    warp.each(|s| part_1_0(s));
    warp.shuffle(2, 3, 2);
    warp.each(|s| part_1_1(s));
    warp.sum_among(1, 0, 3);
    warp.each(|s| part_1_2(s));
    warp.ballot(1, 0);
}

#[inline(never)]
fn function_2(s: &mut State, a: u32, b: f64) -> u64 {
    s.w[2] = ((s.w[0].max(s.w[2]) as i64).wrapping_shr(s.u[2].saturating_sub(s.u[1])) as u64);
    s.f[0] = canonical32(canonical32(s.f[1].abs()) * canonical32(s.f[1] - s.f[2]));
    s.w[1] ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_2_0(s: &mut State) {
    s.f[2] = (((((s.u[1] as i32).wrapping_rem((s.u[0] | 1) as i32) as u32) as i32).wrapping_shr(((s.u[1] as i32).wrapping_shr(s.u[1]) as u32)) as u32) as i32 as f32);
    s.w[1] = s.w[2].rotate_left((s.u[1].wrapping_shr(s.u[0] % 32) |s.u[0].wrapping_add(s.u[3])) % 64);
    s.f[1] = (374.21875_f32);
    s.u[1] = 0x1f1d_u32;
    s.w[0] = (((TABLE[(0xcb53de_u64 % 16) as usize] as u64) % ((s.w[1].leading_zeros() as u64) | 1)) ^((((s.w[1] as i8).wrapping_add(0x15_u64 as i8) as u64) as i64).wrapping_div((s.w[0].wrapping_mul(0x6_u64) | 1) as i64) as u64));
    for i in 0..s.u[2] % 4 {
        s.bytes[(((s.u[3] as u16).wrapping_mul(s.u[2] as u16) as u32) % 16) as usize] = (s.w[2].wrapping_add(s.w[2]).wrapping_sub(0x2530_u64.abs_diff(s.w[2])) >> 5) as u8;
        s.f[0] = ((s.w[2] ^s.w[2]) as i32 as f32);
        s.u[1] ^= i;
    }
    match ((s.u[2] as i32).wrapping_shr(s.u[3]) as u32) % 5 {
        0 => {
            s.f[1] = canonical32(canonical32((580.03125_f32).copysign(s.f[1])) + canonical32(s.f[2] * (720.046875_f32)));
        }
        1 => {
            s.w[0] = (s.w[2].reverse_bits() % (s.w[1].rotate_left(s.u[3] % 64) | 1));
        }
        3 => {
            s.f[1] = canonical32(canonical32(s.f[2] - s.f[0]) + canonical32(s.f[2].abs()));
        }
        _ => {
            for i in 0..((s.u[1] as i32).wrapping_rem((s.u[2] | 1) as i32) as u32) % 4 {
                s.w[0] = (s.w[2] &0x2_u64);
                s.d[2] = canonical64(s.d[2] + s.d[2]);
                s.u[1] ^= i;
            }
        }
    }
}

fn part_2_1(s: &mut State) {
    if s.u[1].wrapping_add(s.u[0]).rotate_right(s.u[0].wrapping_sub(s.u[0]) % 32) > ((s.u[0] as i32).min(s.u[3] as i32) as u32).wrapping_mul((0x1315103_u32.count_ones() as u32)) {
        match ((s.u[1] as u8).wrapping_mul(s.u[0] as u8) as u32) % 5 {
            0 => {
                s.f[2] = canonical32(s.f[2] + s.f[1]);
            }
            1 => {
                s.w[1] = (s.w[1].trailing_zeros() as u64);
            }
            3 => {
                s.bytes[((s.u[3] &s.u[1]) % 16) as usize] = (s.w[0].max(s.w[1]) >> 5) as u8;
            }
            _ => {
                s.w[2] = ((s.w[0] as i16).wrapping_add(0x2de_u64 as i16) as u64);
            }
        }
        if s.d[1] == canonical64(s.d[2] + (719.546875_f64)) {
            s.w[1] = ((s.w[2] as i64).wrapping_shr(0xc8e5d_u32) as u64);
            s.f[1] = canonical32(s.d[2] as f32);
        } else {
            s.bytes[(s.u[3].rotate_right(s.u[2] % 32) % 16) as usize] = ((s.bytes[(s.w[2] % 16) as usize] as u64) >> 5) as u8;
            s.w[1] = s.w[2].saturating_sub(s.w[2]);
        }
    } else {
        if canonical32(s.f[0] / s.f[2]) > s.f[0] {
            s.w[2] = ((s.w[1] as i64).wrapping_div((s.w[1] | 1) as i64) as u64);
            s.f[1] = canonical32(s.f[0] + s.f[2]);
        } else {
            s.f[1] = canonical32(s.f[2] + s.f[0]);
            s.bytes[(0x9aa583d_u32.saturating_sub(0x2571672_u32) % 16) as usize] = ((s.w[2].count_ones() as u64) >> 5) as u8;
        }
        match (0x1365226_u32 |0x2aab_u32) % 5 {
            0 => {
                s.bytes[(s.u[3].reverse_bits() % 16) as usize] = (((s.w[1] as i64).wrapping_rem((s.w[0] | 1) as i64) as u64) >> 5) as u8;
            }
            1 => {
                s.f[2] = (if s.f[2] <= (570.625_f32) { (-125.5_f32) } else { (361.328125_f32) });
            }
            3 => {
                s.w[1] = (s.w[2].trailing_zeros() as u64);
            }
            _ => {
                s.d[2] = (if s.d[0] > s.d[0] { s.d[2] } else { s.d[0] });
            }
        }
    }
    s.w[0] = ((s.w[1] as u16).wrapping_add((s.w[1].leading_zeros() as u64).wrapping_add(s.w[1]) as u16) as u64);
    s.d[1] = canonical64(canonical64((if s.u[2] > s.u[2] { s.d[1] } else { s.d[1] }).copysign(canonical64(s.d[0] / s.d[2]))) + canonical64(canonical64(s.d[1] / (544.84375_f64)) + canonical64(s.d[2] * s.d[2])));
    s.f[0] = canonical32(canonical32(canonical32((178.21875_f32) + s.f[1]).abs()).copysign(canonical32(canonical32((593.25_f64) as f32).abs())));
    match ((s.u[0] as i32).saturating_add(0xf11_u32 as i32) as u32) % 5 {
        0 => {
            s.f[0] = (0x4ed161_u64.wrapping_add(s.w[2]) as i32 as f32);
        }
        1 => {
            s.bytes[(0x96d_u32.swap_bytes() % 16) as usize] = ((((s.w[2] & !s.w[0]) as i64).wrapping_shr(0x71a773_u32) as u64) >> 5) as u8;
        }
        3 => {
            s.u[1] = ((s.u[0] as f64) as u32);
        }
        _ => {
            if s.w[1].wrapping_mul(s.w[0]) >= (s.w[1] % (s.w[2] | 1)) {
                s.d[2] = s.d[1];
                s.bytes[((s.u[1].leading_zeros() as u32) % 16) as usize] = (0x8de_u64.max(s.w[2]) >> 5) as u8;
            } else {
                s.d[1] = canonical64(s.d[1] - (99.640625_f64));
                s.d[2] = s.d[0];
            }
        }
    }
    s.d[2] = canonical64(canonical64(canonical64(s.d[0] * (-112.109375_f64)) / (if (s.w[1] as i64) < (s.w[1] as i64) { (307.953125_f64) } else { s.d[1] })) + canonical64(canonical64(s.d[1] / s.d[2]) - (if s.d[2] < s.d[0] { (59.03125_f64) } else { s.d[1] })));
    for i in 0..s.u[1].wrapping_mul(s.u[2]) % 4 {
        if canonical64(s.d[2] / s.d[1]) == canonical64(s.d[1] * s.d[1]) {
            s.u[3] = 0x57b4_u32.wrapping_sub(s.u[3]);
            s.u[0] = s.u[3].wrapping_mul(s.u[3]);
        } else {
            s.d[1] = canonical64(s.d[0] + s.d[0]);
            s.d[0] = (s.w[1] as i32 as f64);
        }
        match ((s.u[0] as i32).wrapping_shr(s.u[0]) as u32) % 5 {
            0 => {
                s.u[3] = ((s.u[1] as i32).wrapping_shr(s.u[1]) as u32);
            }
            1 => {
                s.u[0] = s.u[3];
            }
            3 => {
                s.d[1] = canonical64(s.d[0] / (525.4375_f64));
            }
            _ => {
                s.bytes[(((s.u[2] as i16).max(0x2_u32 as i16) as u32) % 16) as usize] = (0x74c9_u64.wrapping_add(s.w[0]) >> 5) as u8;
            }
        }
        s.u[2] ^= i;
    }
    let (a, b) = ((0x49d345e_u32.leading_zeros() as u32), (if (-277.875_f32) != (584.578125_f32) { s.d[1] } else { (78.578125_f64) }));
    s.w[0] = function_2(s, a, b);
}

fn part_2_2(s: &mut State) {
    s.u[0] = (s.u[2] & !((s.u[3] as u16).max(s.u[1] as u16) as u32)).wrapping_shl((0x1ba0_u32 & !s.u[2]).wrapping_sub(s.u[2].rotate_right(s.u[2] % 32)) % 32);
    s.f[0] = canonical32(canonical32(canonical64(s.d[1] * s.d[0]) as f32) + canonical32(canonical32(s.d[2] as f32) * canonical32(s.f[2].copysign(s.f[2]))));
    if (((0x728d7a_u32 / (s.u[3] | 1)) as i32).wrapping_rem((s.u[3].swap_bytes() | 1) as i32) as u32) >= (((s.u[3] & !0x1564f_u32) as i8).max(s.u[1] as i8) as u32) {
        s.f[0] = canonical32(canonical32(s.f[1] - (-33.9375_f32)) - (s.w[2] as i32 as f32));
        if canonical32(s.f[0] - (505.34375_f32)) >= canonical32(s.f[1] - s.f[0]) {
            s.d[1] = (s.f[0] as f64);
            s.w[2] = (s.w[1].leading_zeros() as u64);
        } else {
            s.d[1] = (s.u[0] as i32 as f64);
            s.bytes[(s.u[0].wrapping_sub(s.u[1]) % 16) as usize] = (s.w[0].reverse_bits() >> 5) as u8;
        }
    } else {
        s.f[1] = canonical32((-280.03125_f64) as f32);
        s.u[0] = ((s.u[0] as u16).max(s.u[2] as u16) as u32).wrapping_add(s.u[3].wrapping_mul(s.u[0]));
    }
    s.u[3] = (((((s.w[2] >> 31) as u32) as i32).wrapping_rem((0x64_u32.wrapping_shl(0x6e017cc_u32 % 32) | 1) as i32) as u32) & !((s.u[0] |s.u[2]) / (s.u[3].wrapping_shl(s.u[3] % 32) | 1)));
    s.w[2] = 0x1_u64;
    if 0x2_u32.wrapping_sub(s.u[0]) < ((s.w[2].wrapping_sub(s.w[0]) >> 28) as u32) {
        s.d[2] = canonical64(canonical64((715.578125_f64).abs()) - canonical64(s.d[1] / s.d[1]));
        s.bytes[(s.u[0].wrapping_add(s.u[0]) % 16) as usize] = ((((s.w[2] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) ^(TABLE[(0x62_u64 % 16) as usize] as u64)) >> 5) as u8;
    } else {
        for i in 0..((s.u[3] as u8).max(s.u[3] as u8) as u32) % 4 {
            s.f[2] = (s.w[1] as i32 as f32);
            s.f[2] = canonical32(s.f[2] + s.f[2]);
            s.u[3] ^= i;
        }
        if s.f[2] != canonical32(s.f[1] + s.f[0]) {
            s.d[2] = canonical64(s.d[2] / s.d[0]);
            s.bytes[(((s.w[1] >> 12) as u32) % 16) as usize] = (0x119_u64 >> 5) as u8;
        } else {
            s.w[0] = (s.w[0] ^0xe99_u64);
            s.u[2] = ((s.w[0] >> 25) as u32);
        }
    }
    if canonical32(s.f[2] + canonical32(s.f[1] / s.f[1])) >= ((s.w[0] &s.w[2]) as f32) {
        s.w[2] = s.w[0].wrapping_shr(s.u[1] % 64).min(0xa7aa9_u64);
        for i in 0..(s.u[3] ^0x422e5f78_u32) % 4 {
            s.bytes[(((s.w[2] >> 10) as u32) % 16) as usize] = ((s.w[2].leading_zeros() as u64) >> 5) as u8;
            s.bytes[((0x540a61_u32 / (s.u[1] | 1)) % 16) as usize] = (s.w[0].saturating_add(s.w[1]) >> 5) as u8;
            s.u[1] ^= i;
        }
    } else {
        if canonical64((408.25_f64) - (-18.03125_f64)) > canonical64(s.d[1] + s.d[1]) {
            s.bytes[(s.u[1].wrapping_mul(s.u[3]) % 16) as usize] = ((s.bytes[(s.w[0] % 16) as usize] as u64) >> 5) as u8;
            s.d[2] = canonical64(s.d[2] * s.d[1]);
        } else {
            s.u[2] = 0x15_u32;
            s.f[2] = canonical32(s.f[2].abs());
        }
        s.w[2] = (s.w[1] & !s.w[0]).wrapping_sub(0x9fbf_u64.swap_bytes());
    }
}

pub fn kernel_2(warp: &mut impl Warp) {
    warp.each(|s| part_2_0(s));
    warp.sum_among(1, 0, 0);
    warp.each(|s| part_2_1(s));
    warp.sum_among(1, 0, 1);
    warp.each(|s| part_2_2(s));
    warp.sum_among(2, 0, 0);
}

#[inline(never)]
fn function_3(s: &mut State, a: u32, b: f64) -> u64 {
    s.bytes[(s.u[1].wrapping_mul(s.u[2]) % 16) as usize] = ((s.w[1].wrapping_sub(s.w[1]) & !s.w[1].wrapping_mul(s.w[2])) >> 5) as u8;
    s.d[1] = (if ((s.w[1] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) > ((0x197349_u64 as i64).wrapping_shr(s.u[1]) as u64) { canonical64(s.d[0] * s.d[1]) } else { canonical64(s.d[0] * (429.109375_f64)) });
    (((s.w[2] as i64).wrapping_div((s.w[0] | 1) as i64) as u64) &s.w[0].reverse_bits()) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_3_0(s: &mut State) {
    match ((s.u[3] as i32).wrapping_div((s.u[1] | 1) as i32) as u32) % 5 {
        0 => {
            for i in 0..(s.u[2] ^s.u[1]) % 4 {
                s.f[2] = canonical32(s.f[1] - s.f[1]);
                s.u[1] = s.u[2].saturating_sub(s.u[2]);
                s.u[2] ^= i;
            }
        }
        1 => {
            s.d[2] = ((s.w[0] as f32) as f64);
        }
        3 => {
            s.w[1] = (s.w[0].swap_bytes() / (s.w[2].wrapping_sub(s.w[1]) | 1));
        }
        _ => {
            s.w[1] = s.w[0].wrapping_mul(s.w[2]).swap_bytes();
        }
    }
    s.bytes[(s.u[1].wrapping_sub(s.u[2]) % 16) as usize] = ((s.w[2].trailing_zeros() as u64) >> 5) as u8;
    s.bytes[(s.u[3] % 16) as usize] = ((((s.w[1].wrapping_sub(s.w[1]) as i64).wrapping_rem((s.w[1].wrapping_sub(0x35_u64) | 1) as i64) as u64) & !((((s.w[1] as i64).wrapping_shr(s.u[3]) as u64) as i8).max((0x3c09_u64 &s.w[1]) as i8) as u64)) >> 5) as u8;
    s.bytes[(((s.u[2] as i32).wrapping_rem((s.u[2] | 1) as i32) as u32) % 16) as usize] = (s.w[1].wrapping_mul(s.w[1]).wrapping_mul(((0x40d9e_u64 as i64).wrapping_div((s.w[0] | 1) as i64) as u64)).wrapping_sub(0x1104f4df_u64.wrapping_sub(s.w[1]).swap_bytes()) >> 5) as u8;
    match s.u[2] % 5 {
        0 => {
            s.w[0] = (((s.w[1] as u8).max(s.w[0] as u8) as u64) |s.w[1].reverse_bits());
        }
        1 => {
            s.bytes[(((s.u[2] as i32).min(0x9d2_u32 as i32) as u32) % 16) as usize] = (0x1ae_u64.abs_diff(s.w[1]).wrapping_add(((s.w[0] as i64).wrapping_shr(s.u[2]) as u64)) >> 5) as u8;
        }
        3 => {
            if canonical64((406.84375_f64) - s.d[0]) <= canonical64(s.d[0] + s.d[0]) {
                s.bytes[(((s.u[3] as u16).max(s.u[1] as u16) as u32) % 16) as usize] = (((s.w[2] as i64).saturating_sub(0x9_u64 as i64) as u64) >> 5) as u8;
                s.w[1] = s.w[1].saturating_add(s.w[2]);
            } else {
                s.f[1] = canonical32((-61.453125_f64) as f32);
                s.u[3] = (0xa85dad5_u32.count_ones() as u32);
            }
        }
        _ => {
            match ((s.u[1] as i32).wrapping_shr(s.u[0]) as u32) % 5 {
                0 => {
                    s.bytes[((s.u[0] |s.u[3]) % 16) as usize] = (s.w[0].wrapping_mul(s.w[2]) >> 5) as u8;
                }
                1 => {
                    s.f[2] = canonical32((686.765625_f32).copysign((-43.109375_f32)));
                }
                3 => {
                    s.w[0] = ((0x5f48c2_u64 as i64).wrapping_shr(0x558eeb5_u32) as u64);
                }
                _ => {
                    s.f[0] = canonical32(s.f[1] / (424.21875_f32));
                }
            }
        }
    }
    match ((s.u[0] as u16).wrapping_mul(s.u[0] as u16) as u32) % 5 {
        0 => {
            match s.u[0].wrapping_sub(s.u[1]) % 5 {
                0 => {
                    s.bytes[(s.u[1].wrapping_mul(s.u[0]) % 16) as usize] = (((s.w[2] as i64).wrapping_shr(s.u[1]) as u64) >> 5) as u8;
                }
                1 => {
                    s.d[2] = canonical64(s.d[0] * s.d[2]);
                }
                3 => {
                    s.w[1] = ((s.w[2] as i8).wrapping_mul(s.w[2] as i8) as u64);
                }
                _ => {
                    s.f[0] = canonical32(s.d[1] as f32);
                }
            }
        }
        1 => {
            s.f[2] = canonical32(canonical32(s.f[2] / s.f[0]) + (if s.d[2] == s.d[0] { s.f[1] } else { s.f[2] }));
        }
        3 => {
            s.f[0] = s.f[0];
        }
        _ => {
            s.f[1] = canonical32(canonical32(s.f[0] * s.f[2]) + canonical32((571.53125_f64) as f32));
        }
    }
    s.u[2] = (((TABLE[(s.u[0] % 16) as usize] as u32) as i32).wrapping_rem((s.u[2] | 1) as i32) as u32).reverse_bits();
}

fn part_3_1(s: &mut State) {
    s.bytes[((s.d[0] as u32) % 16) as usize] = (((s.bytes[(s.w[0] % 16) as usize] as u64) & !(s.w[1] ^s.w[0])).swap_bytes() >> 5) as u8;
    s.d[0] = s.d[1];
    s.u[2] = (0x8274_u32 |s.u[2]).swap_bytes().wrapping_mul((s.u[2] &s.u[2]).rotate_left(s.u[2].wrapping_add(s.u[0]) % 32));
    s.w[2] = (s.w[2].wrapping_sub(s.w[0]) % ((s.w[0].leading_zeros() as u64) | 1)).wrapping_mul(s.w[0]);
    match s.u[3] % 5 {
        0 => {
            s.d[1] = (s.w[2].abs_diff(s.w[0]) as i32 as f64);
        }
        1 => {
            s.d[0] = (s.f[0] as f64);
        }
        3 => {
            s.d[2] = canonical64(canonical64(s.d[2] * s.d[2]) / canonical64((203.109375_f64).abs()));
        }
        _ => {
            if ((s.w[1] >> 10) as u32) == 0x3a0197_u32.saturating_sub(s.u[2]) {
                s.bytes[((s.u[1] % (s.u[1] | 1)) % 16) as usize] = ((s.u[0] as u64).wrapping_mul(0x1b88bd0_u32 as u64) >> 5) as u8;
                s.u[3] = (s.u[2] |0xa277_u32);
            } else {
                s.d[1] = canonical64((95.34375_f64) - s.d[2]);
                s.u[2] = s.u[0].rotate_right(0x3d7477_u32 % 32);
            }
        }
    }
    if canonical32(canonical32(s.f[0] + s.f[0]) / (s.w[0] as f32)) != canonical32(s.f[0] - canonical32((79.515625_f32) * s.f[1])) {
        s.f[2] = canonical32(canonical32((468.703125_f32) - s.f[1]).copysign((358.03125_f32)));
        match s.u[3].wrapping_mul(s.u[1]) % 5 {
            0 => {
                s.f[1] = canonical32(s.f[2] + s.f[0]);
            }
            1 => {
                s.u[3] = ((0x15eb_u64 >> 3) as u32);
            }
            3 => {
                s.w[0] = (0x16abd4_u32 as u64).wrapping_mul(0x1c12b9_u32 as u64);
            }
            _ => {
                s.d[1] = canonical64(s.d[1] / s.d[1]);
            }
        }
    } else {
        s.f[0] = canonical32(canonical32(s.d[2] as f32) - canonical32(s.f[2] / s.f[0]));
        s.f[0] = canonical32(canonical32((-71.234375_f32) - s.f[1]) - canonical32(s.f[1] / s.f[1]));
    }
    if (((s.u[1].min(s.u[2]) as u8).wrapping_add((s.u[0].trailing_zeros() as u32) as u8) as u32) as i32) < (0x2f_u32 as i32) {
        match (TABLE[(s.u[3] % 16) as usize] as u32) % 5 {
            0 => {
                s.u[3] = ((s.u[0] as i32).max(s.u[0] as i32) as u32);
            }
            1 => {
                s.w[0] = s.w[1].min(s.w[1]);
            }
            3 => {
                s.w[0] = ((s.w[1] as i16).wrapping_mul(s.w[2] as i16) as u64);
            }
            _ => {
                s.u[3] = s.u[1];
            }
        }
        s.bytes[((s.u[3] & !s.u[3]) % 16) as usize] = (((460.03125_f64) as u64).wrapping_mul(0xa24_u64) >> 5) as u8;
    } else {
        s.w[0] = s.w[0];
        if (s.w[2] as f32) < canonical32(s.f[0] / s.f[1]) {
            s.bytes[((s.u[1] % (s.u[2] | 1)) % 16) as usize] = (0x159c2ce3_u64.saturating_add(0x738d332_u64) >> 5) as u8;
            s.f[1] = canonical32(s.f[0] + s.f[1]);
        } else {
            s.f[0] = s.f[1];
            s.u[3] = 0x539c3be4_u32.wrapping_mul(s.u[3]);
        }
    }
    let (a, b) = (s.u[3], canonical64(s.d[1] + (261.078125_f64)));
    s.w[0] = function_3(s, a, b);
}

fn part_3_2(s: &mut State) {
    if (((s.u[2] as i32).wrapping_shr((s.u[2] ^s.u[2])) as u32) as i32) > ((canonical32(s.f[0] * s.f[1]) as i32 as u32) as i32) {
        s.f[1] = canonical32((353.875_f32) / canonical32((638.5_f32) * s.f[2]));
        s.w[2] = (((s.u[2] as u8).max(0x1e4_u32 as u8) as u32) as u64).wrapping_mul(s.u[2] as u64);
    } else {
        s.w[0] = (((0xb3374_u64 as i64).min(s.w[1] as i64) as u64) |0x801f8_u64.wrapping_add(s.w[0]));
        for i in 0..s.u[0].wrapping_mul(s.u[0]) % 4 {
            s.bytes[(s.u[3].wrapping_add(s.u[0]) % 16) as usize] = (((s.w[2] as u16).wrapping_add(s.w[1] as u16) as u64) >> 5) as u8;
            s.f[0] = (s.w[0] as f32);
            s.u[1] ^= i;
        }
    }
    match s.u[3].saturating_add(s.u[1]) % 5 {
        0 => {
            s.bytes[(s.u[3] % 16) as usize] = (s.w[0] >> 5) as u8;
        }
        1 => {
            s.w[2] = (s.w[2].max(s.w[1]).count_ones() as u64);
        }
        3 => {
            match (s.u[1] ^s.u[1]) % 5 {
                0 => {
                    s.u[2] = 0xfc5400_u32.wrapping_add(s.u[1]);
                }
                1 => {
                    s.d[2] = canonical64(s.d[2] + s.d[0]);
                }
                3 => {
                    s.f[1] = canonical32(s.f[0] + (-207.734375_f32));
                }
                _ => {
                    s.f[2] = (s.u[3] as i32 as f32);
                }
            }
        }
        _ => {
            if (0x5d7_u32 ^s.u[2]) < (s.u[1] ^s.u[3]) {
                s.f[0] = (if (s.u[2] as i32) <= (0xc_u32 as i32) { s.f[2] } else { s.f[0] });
                s.d[0] = canonical64(s.d[2] - s.d[1]);
            } else {
                s.d[2] = canonical64(s.d[0] + s.d[1]);
                s.u[1] = (0x387_u32 ^s.u[0]);
            }
        }
    }
    s.u[2] = (s.u[1] |s.u[1]).wrapping_sub((s.u[3] &s.u[0])).abs_diff(((s.u[1].wrapping_sub(s.u[3]) as i32).wrapping_div((((0x2ca8801_u32 as i32).saturating_add(s.u[2] as i32) as u32) | 1) as i32) as u32));
    s.d[1] = canonical64(s.d[0] + canonical64(s.d[0] * canonical64(s.d[1] * (-265.984375_f64))));
    if ((((s.w[1] as i64).min(s.w[1] as i64) as u64) as i64).wrapping_shr(s.u[3]) as u64) >= (((TABLE[(s.w[2] % 16) as usize] as u64) as i64).min(s.w[0] as i64) as u64) {
        s.u[0] = s.u[1].wrapping_mul(s.u[3]).wrapping_mul((0x1fc_u32 & !s.u[0]));
        s.f[2] = (((s.w[0] >> 1) as u32) as f32);
    } else {
        s.f[2] = (168.6875_f32);
        s.d[1] = canonical64(canonical64(s.d[1] * s.d[0]).copysign(canonical64(s.d[1] * s.d[2])));
    }
    if (s.w[2].wrapping_sub(s.w[2]).saturating_sub(((s.w[2] as i64).max(s.w[0] as i64) as u64)) as i64) != ((s.u[2].wrapping_add(s.u[3]) as u64).wrapping_mul(((s.u[1] as u16).wrapping_mul(0x414074d_u32 as u16) as u32) as u64) as i64) {
        s.d[2] = (s.f[0] as f64);
        if canonical32(s.f[2] * s.f[0]) > canonical32((174.0625_f32) - s.f[1]) {
            s.u[0] = (s.u[3] |0x2a5b3_u32);
            s.w[1] = s.w[1].wrapping_mul(0x2d957_u64);
        } else {
            s.bytes[((TABLE[(s.u[2] % 16) as usize] as u32) % 16) as usize] = (((s.w[1] as i8).wrapping_mul(s.w[2] as i8) as u64) >> 5) as u8;
            s.bytes[(0x352f_u32 % 16) as usize] = (s.w[1].wrapping_sub(0x0_u64) >> 5) as u8;
        }
    } else {
        s.u[2] = ((((-11.34375_f64) as u64) >> 11) as u32);
        if (s.u[2] & !s.u[0]) == ((0x3d38_u32 as u16).wrapping_mul(s.u[0] as u16) as u32) {
            s.bytes[((s.u[1] &s.u[3]) % 16) as usize] = ((s.w[0].leading_zeros() as u64) >> 5) as u8;
            s.f[1] = canonical32(s.f[0].abs());
        } else {
            s.w[2] = s.w[0].swap_bytes();
            s.f[1] = canonical32(s.f[2] - (29.9375_f32));
        }
    }
    s.w[1] = (canonical64((622.5625_f64) + (684.21875_f64)) as u64).wrapping_add(((s.w[0] as i64).wrapping_rem(((s.u[3] as u64).wrapping_mul(s.u[1] as u64) | 1) as i64) as u64));
}

pub fn kernel_3(warp: &mut impl Warp) {
    warp.each(|s| part_3_0(s));
    warp.sum_among(2, 0, 3);
    warp.each(|s| part_3_1(s));
    warp.ballot(1, 0);
    warp.each(|s| part_3_2(s));
    warp.sum_among(0, 0, 3);
}

#[inline(never)]
fn function_4(s: &mut State, a: u32, b: f64) -> u64 {
    s.u[1] = ((((s.w[0] >> 27) as u32) as i32).wrapping_div((((0x65c26c79_u32 as i32).saturating_add(s.u[3] as i32) as u32) | 1) as i32) as u32);
    if 0x70b01bf_u64.swap_bytes() <= s.w[1].wrapping_add(s.w[1]) {
        s.f[2] = canonical32(s.d[1] as f32);
        s.u[3] = (s.u[3].trailing_zeros() as u32);
    } else {
        s.u[3] = ((s.u[1] as i32).wrapping_div((s.u[3] | 1) as i32) as u32);
        s.w[1] = s.w[0];
    }
    (s.w[2] & !s.w[2]).swap_bytes() ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_4_0(s: &mut State) {
    s.f[1] = canonical32(canonical32((if s.u[1] == s.u[0] { s.f[2] } else { s.f[0] }) / canonical32(s.f[1] - (642.546875_f32))) * canonical32(canonical64(s.d[2] / (544.109375_f64)) as f32));
    s.w[0] = ((s.w[1] as i64).wrapping_div((0x51986_u64 | 1) as i64) as u64).wrapping_sub((s.w[2] |s.w[2])).wrapping_add((0x2df2_u64 / (s.w[0] | 1)).rotate_left(((s.u[0] as i32).min(s.u[0] as i32) as u32) % 64));
    s.f[1] = canonical32(canonical32(canonical32(s.f[2] - s.f[1]) * (249.453125_f32)) - canonical32((if s.d[0] == (151.296875_f64) { s.f[1] } else { s.f[2] }) + canonical32(s.f[2] + s.f[0])));
    if (((((s.u[1] as i32).wrapping_shr(s.u[1]) as u32) as i32).wrapping_rem((((-55.25_f32) as i32 as u32) | 1) as i32) as u32) as i32) != (0x1_u32.rotate_left(s.u[2] % 32).reverse_bits() as i32) {
        s.d[0] = s.d[0];
        s.u[3] = ((s.u[2] as i32).wrapping_rem((s.u[0] | 1) as i32) as u32).wrapping_mul((s.u[3] & !s.u[1]));
    } else {
        s.d[2] = (((0x20bc61_u64 as i64).wrapping_div((s.w[1] | 1) as i64) as u64) as f64);
        s.f[0] = canonical32(canonical32(s.f[2] * s.f[1]) + canonical32(s.f[2].abs()));
    }
    match ((s.u[3] as i32).wrapping_shr(0x1acf8c_u32) as u32) % 5 {
        0 => {
            for i in 0..s.u[0] % 4 {
                s.d[0] = (s.f[1] as f64);
                s.u[2] = (0xc6_u32 / (s.u[0] | 1));
                s.u[3] ^= i;
            }
        }
        1 => {
            if s.f[2] > canonical32(s.f[1] + s.f[1]) {
                s.bytes[(s.u[0].wrapping_sub(0x225034_u32) % 16) as usize] = ((s.w[1] / (s.w[1] | 1)) >> 5) as u8;
                s.u[0] = (s.u[2].count_ones() as u32);
            } else {
                s.d[0] = (s.w[0] as i32 as f64);
                s.w[2] = s.w[0].wrapping_mul(s.w[1]);
            }
        }
        3 => {
            s.f[0] = canonical32(canonical64(s.d[0] * (670.578125_f64)) as f32);
        }
        _ => {
            s.d[0] = canonical64(canonical64(s.d[2] + s.d[0]) * canonical64((497.078125_f64) * (-235.359375_f64)));
        }
    }
    s.bytes[(s.u[0] % 16) as usize] = ((((s.u[0].wrapping_mul(s.u[0]) as i32).saturating_add(s.u[2].min(0xa0_u32) as i32) as u32) as u64).wrapping_mul(((s.u[3] / (s.u[2] | 1)) &s.u[1].wrapping_add(0xc8477_u32)) as u64) >> 5) as u8;
    s.f[2] = canonical32(canonical32(canonical32(s.f[0].copysign(s.f[2])) - canonical32(s.f[1] + s.f[1])) - s.f[1]);
}

fn part_4_1(s: &mut State) {
    s.f[1] = s.f[2];
    s.f[2] = canonical32(canonical32(s.f[2].copysign(canonical32(s.f[0] * s.f[1]))) + canonical32(canonical32(s.f[1].abs()) * canonical32((500.25_f32).copysign(s.f[2]))));
    for i in 0..s.u[1].wrapping_sub(s.u[3]) % 4 {
        s.d[0] = (canonical32(s.f[0] - s.f[2]) as f64);
        s.u[1] = (((s.u[1] % (s.u[3] | 1)) as u8).max(s.u[2].wrapping_sub(0x1f146d2_u32) as u8) as u32);
        s.u[2] ^= i;
    }
    s.bytes[(((s.w[0] >> 16) as u32) % 16) as usize] = (((0x274e47_u32 as u64).wrapping_mul(0x1126f52_u32 as u64).wrapping_add(((s.w[1] as i64).wrapping_rem((0x1cfb7_u64 | 1) as i64) as u64)) &(((TABLE[(s.w[1] % 16) as usize] as u64) as u16).wrapping_mul(((s.w[2] as i16).wrapping_mul(0x28aac_u64 as i16) as u64) as u16) as u64)) >> 5) as u8;
    for i in 0..s.u[1] % 4 {
        if (((s.w[0] as i64).wrapping_div((0x1293_u64 | 1) as i64) as u64) as i64) >= (s.w[1].abs_diff(s.w[2]) as i64) {
            s.w[1] = (s.u[3] as u64).wrapping_mul(s.u[0] as u64);
            s.f[2] = canonical32(s.f[1] / s.f[1]);
        } else {
            s.bytes[(s.u[1] % 16) as usize] = ((0x1fa_u64 & !s.w[2]) >> 5) as u8;
            s.bytes[(s.u[0].wrapping_mul(s.u[2]) % 16) as usize] = ((s.w[1] |s.w[2]) >> 5) as u8;
        }
        s.u[3] = 0x2b_u32;
        s.u[3] ^= i;
    }
    s.f[1] = s.f[2];
    for i in 0..(s.u[1] / (0x0_u32 | 1)) % 4 {
        if ((0x5e1cdc6c_u32 as u64).wrapping_mul(s.u[2] as u64) as i64) != (s.w[1] as i64) {
            s.f[2] = canonical32(s.f[0].copysign(s.f[1]));
            s.u[1] = ((s.u[1] as i32).saturating_add(s.u[0] as i32) as u32);
        } else {
            s.bytes[((s.u[0] &s.u[1]) % 16) as usize] = ((0x382dd0fd_u64 ^s.w[1]) >> 5) as u8;
            s.u[3] = 0x7_u32.rotate_left(s.u[1] % 32);
        }
        match (s.u[2] / (s.u[3] | 1)) % 5 {
            0 => {
                s.d[2] = (if s.d[1] == s.d[2] { (-204.21875_f64) } else { (180.296875_f64) });
            }
            1 => {
                s.d[1] = canonical64((452.296875_f64) * s.d[0]);
            }
            3 => {
                s.w[0] = ((s.w[0] as i64).saturating_add(s.w[1] as i64) as u64);
            }
            _ => {
                s.f[0] = canonical32(s.f[0].copysign((649.125_f32)));
            }
        }
        s.u[0] ^= i;
    }
    let (a, b) = ((s.u[1] / (s.u[1] | 1)), canonical64(s.d[0] - s.d[1]));
    s.w[0] = function_4(s, a, b);
}

fn part_4_2(s: &mut State) {
    match (s.u[2] % (s.u[1] | 1)) % 5 {
        0 => {
            s.w[1] = s.w[0];
        }
        1 => {
            s.w[0] = (((s.w[0] as i64).wrapping_rem((s.w[1] | 1) as i64) as u64).count_ones() as u64);
        }
        3 => {
            s.w[1] = ((s.f[2] as i64 as u64) &(0x27f_u64 ^s.w[1]));
        }
        _ => {
            if (if (175.125_f32) != s.f[0] { s.d[0] } else { s.d[1] }) <= canonical64(s.d[2] * s.d[1]) {
                s.w[2] = (s.f[2] as i64 as u64);
                s.u[2] = ((s.u[2] as i32).wrapping_shr(s.u[2]) as u32);
            } else {
                s.d[2] = canonical64(s.d[1] + s.d[2]);
                s.u[1] = ((s.u[0] as u8).wrapping_add(s.u[3] as u8) as u32);
            }
        }
    }
    s.u[0] = ((((s.u[0] as i32).saturating_sub(0x16864_u32 as i32) as u32) ^s.u[0].wrapping_shr(s.u[3] % 32)).count_ones() as u32);
    s.d[2] = (canonical32(canonical64((107.546875_f64) + s.d[2]) as f32) as f64);
    s.d[0] = canonical64((if canonical32(s.f[0] / (593.234375_f32)) < canonical32((610.421875_f32) / s.f[2]) { canonical64(s.d[1] - s.d[1]) } else { canonical64(s.d[2].abs()) }) - canonical64(s.d[2].copysign(s.d[0])));
    s.u[0] = 0x1877b_u32;
    s.u[1] = s.u[0];
    s.bytes[((s.d[2] as u32) % 16) as usize] = (s.w[1] >> 5) as u8;
}

pub fn kernel_4(warp: &mut impl Warp) {
    warp.each(|s| part_4_0(s));
    warp.sum_among(0, 1, 1);
    warp.each(|s| part_4_1(s));
    warp.shuffle(2, 2, 1);
    warp.each(|s| part_4_2(s));
    warp.shuffle(2, 2, 2);
}

#[inline(never)]
fn function_5(s: &mut State, a: u32, b: f64) -> u64 {
    s.u[3] = ((s.u[0] % (s.u[0] | 1)) &s.u[3]);
    s.u[3] = s.u[3];
    (((0x6cfd6_u64.count_ones() as u64) as i64).saturating_sub(((s.w[0] as u16).wrapping_mul(s.w[2] as u16) as u64) as i64) as u64) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_5_0(s: &mut State) {
    if canonical64((if s.f[2] <= (-282.28125_f32) { (-150.421875_f64) } else { s.d[1] }) - ((103.359375_f32) as f64)) != ((s.w[1] |s.w[2]) as i32 as f64) {
        for i in 0..((s.u[0] as i32).wrapping_shr(s.u[3]) as u32) % 4 {
            s.d[0] = canonical64(s.d[2] / s.d[2]);
            s.w[2] = ((s.w[0] as i64).wrapping_shr(s.u[1]) as u64);
            s.u[2] ^= i;
        }
        s.d[0] = canonical64(s.d[2] * canonical64(s.d[2] + (538.484375_f64)));
    } else {
        s.f[2] = canonical32(canonical32((316.546875_f32) + s.f[1]) - canonical32(s.f[0] - s.f[2]));
        s.f[1] = (if s.w[2].wrapping_mul(0x1f2bb86_u64) < s.w[2].rotate_left(s.u[3] % 64) { s.f[2] } else { canonical32(s.f[1] + s.f[1]) });
    }
    s.w[1] = s.w[0];
    s.d[0] = s.d[1];
    if (if (s.w[0] as i64) < ((0x6f4d33c_u64.count_ones() as u64) as i64) { canonical32(s.f[1] - s.f[2]) } else { canonical32(s.f[1] / s.f[1]) }) <= canonical32((if s.u[1] != s.u[2] { (661.03125_f32) } else { s.f[0] }) - canonical32(s.f[2] / s.f[1])) {
        if ((s.u[2] as i32).wrapping_rem((0x80b7eb_u32 | 1) as i32) as u32) >= (s.f[2] as i32 as u32) {
            s.f[0] = canonical32((-221.703125_f32).copysign(s.f[2]));
            s.bytes[(s.u[2].wrapping_mul(s.u[3]) % 16) as usize] = (s.w[1].wrapping_shl(s.u[3] % 64) >> 5) as u8;
        } else {
            s.w[0] = s.w[0].wrapping_mul(s.w[2]);
            s.f[0] = canonical32(s.f[1].abs());
        }
        s.w[2] = (0x383_u64 / (s.w[0] | 1)).wrapping_add(s.w[0].wrapping_sub(s.w[0]));
    } else {
        if canonical32((-283.140625_f64) as f32) > (if s.f[0] != (-244.453125_f32) { s.f[0] } else { s.f[0] }) {
            s.d[1] = canonical64(s.d[2] + s.d[2]);
            s.d[0] = canonical64((81.1875_f64) * s.d[0]);
        } else {
            s.w[2] = s.w[0].wrapping_mul(s.w[1]);
            s.f[0] = (0x6a_u32 as i32 as f32);
        }
        s.w[1] = (s.w[2].swap_bytes() & !((s.w[2] as i64).wrapping_shr(s.u[0]) as u64));
    }
    s.w[0] = ((((s.w[0] & !s.w[0]).trailing_zeros() as u64) as i64).wrapping_shr(0x24a_u32) as u64);
    if (((s.u[1] as u16).wrapping_add(s.u[0] as u16) as u32).wrapping_add(((s.u[0] as i32).max(s.u[0] as i32) as u32)) as i32) >= (((s.u[0].wrapping_shl(s.u[3] % 32) as i16).wrapping_mul(((0x3d4b1cf_u64 >> 14) as u32) as i16) as u32) as i32) {
        s.bytes[(s.u[3].swap_bytes() % 16) as usize] = (((0x3f5de_u64 as i64).min(s.w[2] as i64) as u64).rotate_right(((0x3bd9c_u64 >> 19) as u32) % 64) >> 5) as u8;
        s.u[1] = (s.u[1] / (s.u[3] | 1)).abs_diff((s.u[0] |s.u[3]));
    } else {
        if (s.u[2].wrapping_mul(s.u[1]) as i32) > (((s.u[0] as i32).saturating_add(s.u[2] as i32) as u32) as i32) {
            s.u[1] = s.u[2].saturating_add(s.u[0]);
            s.w[2] = (s.bytes[(s.w[2] % 16) as usize] as u64);
        } else {
            s.d[2] = canonical64(s.d[2] / s.d[0]);
            s.u[3] = ((s.w[2] >> 5) as u32);
        }
        for i in 0..s.u[2] % 4 {
            s.f[0] = canonical32(s.f[1] + s.f[1]);
            s.f[0] = canonical32(s.f[1] - s.f[0]);
            s.u[2] ^= i;
        }
    }
    s.u[0] = ((((0x302_u32 as i32).wrapping_shr(s.u[2]) as u32).wrapping_add((0x3dc55c65_u32 &0xa9_u32)) as i32).max((((s.u[3].leading_zeros() as u32) as i8).max(((0x2a6_u32 as i32).saturating_sub(0x7e40_u32 as i32) as u32) as i8) as u32) as i32) as u32);
}

fn part_5_1(s: &mut State) {
    if ((0x5faa4_u64 as i64).wrapping_rem((s.w[1] | 1) as i64) as u64).wrapping_mul(0x2_u64.swap_bytes()) == ((((s.w[0] as u16).wrapping_add(s.w[0] as u16) as u64) as i64).wrapping_shr(s.u[3].saturating_sub(s.u[3])) as u64) {
        s.d[2] = canonical64(canonical64(s.d[2] - s.d[1]) + (if s.f[0] >= (1.859375_f32) { s.d[0] } else { s.d[1] }));
        s.d[0] = canonical64(canonical64(s.d[2] / (155.296875_f64)) * canonical64(s.d[1].copysign(s.d[2])));
    } else {
        if ((0x1ac59bfa_u64.trailing_zeros() as u64) as i64) != ((s.w[2] & !s.w[0]) as i64) {
            s.bytes[(s.u[2].rotate_left(s.u[0] % 32) % 16) as usize] = (((s.w[1] as i64).wrapping_rem((s.w[1] | 1) as i64) as u64) >> 5) as u8;
            s.u[3] = 0x165d3_u32.min(s.u[1]);
        } else {
            s.f[1] = canonical32(s.f[1] / s.f[2]);
            s.u[3] = s.u[2].wrapping_mul(s.u[3]);
        }
        s.w[1] = (((0x0_u64 & !s.w[0]) as i64).wrapping_div(((s.w[1].leading_zeros() as u64) | 1) as i64) as u64);
    }
    s.f[0] = canonical32((if (s.u[2] as i32) > (((s.u[3] as i32).saturating_sub(0x2dc_u32 as i32) as u32) as i32) { canonical32(s.f[0] + s.f[2]) } else { canonical32(s.f[2] * (104.6875_f32)) }) + canonical32(canonical32(s.f[1] - s.f[0]) - canonical32(s.f[0] - s.f[1])));
    if ((s.u[1].min(s.u[1]) as u64).wrapping_mul((s.u[0] / (0x9044_u32 | 1)) as u64) as i64) == (((s.w[2] as i64).min(s.w[1].wrapping_mul(s.w[2]) as i64) as u64) as i64) {
        s.bytes[((s.u[3] ^s.u[1]) % 16) as usize] = (0x1be5_u64.saturating_sub(s.w[2]).swap_bytes() >> 5) as u8;
        s.bytes[((s.u[2] & !s.u[1]) % 16) as usize] = ((s.w[0] & !((s.w[0] as i64).saturating_sub(s.w[1] as i64) as u64)) >> 5) as u8;
    } else {
        s.w[1] = ((((s.w[1] as u8).wrapping_add(s.w[1] as u8) as u64) as i64).wrapping_rem((s.w[2] | 1) as i64) as u64);
        s.d[0] = canonical64(canonical64(s.d[0] / s.d[0]) + (if (s.u[1] as i32) >= (s.u[1] as i32) { s.d[1] } else { s.d[1] }));
    }
    s.bytes[(s.u[1].rotate_right(s.u[1] % 32) % 16) as usize] = (((((s.w[2] &s.w[0]).leading_zeros() as u64) as i64).wrapping_rem((((((s.w[1] as i64).wrapping_shr(s.u[2]) as u64) as i8).wrapping_mul(s.w[1].wrapping_sub(0x17e240_u64) as i8) as u64) | 1) as i64) as u64) >> 5) as u8;
    if ((((s.u[0] as i16).max(s.u[2] as i16) as u32) ^s.u[1].rotate_right(s.u[1] % 32)) as i32) <= (s.u[0] as i32) {
        s.f[0] = (((s.u[2] as u16).max(s.u[1] as u16) as u32) as f32);
        s.u[2] = 0x680927_u32;
    } else {
        if canonical64(s.d[2] - s.d[0]) <= s.d[2] {
            s.f[0] = canonical32((462.5_f32) - s.f[1]);
            s.f[2] = (s.u[1] as f32);
        } else {
            s.d[0] = canonical64(s.d[2] * (439.859375_f64));
            s.bytes[((s.u[0] |s.u[0]) % 16) as usize] = (s.w[1].wrapping_sub(s.w[0]) >> 5) as u8;
        }
        if (if (296.390625_f32) == s.f[1] { s.d[0] } else { s.d[0] }) <= canonical64((35.84375_f64) * s.d[2]) {
            s.w[1] = s.w[2].wrapping_mul(s.w[0]);
            s.w[2] = (s.w[0] &s.w[0]);
        } else {
            s.d[1] = (0x1baa38_u32 as f64);
            s.f[0] = canonical32(s.f[1] / s.f[0]);
        }
    }
    s.w[2] = (((s.u[3].swap_bytes() as i32).wrapping_div((((s.w[0] >> 7) as u32) | 1) as i32) as u32) as u64).wrapping_mul((((s.u[2] & !s.u[0]) as i16).max((0x25_u32 &s.u[3]) as i16) as u32) as u64);
    s.d[2] = canonical64(canonical64(canonical64(s.d[2] + s.d[2]).abs()) * (if canonical32(s.f[0] * s.f[1]) == (if s.d[0] >= s.d[1] { (223.15625_f32) } else { s.f[1] }) { canonical64(s.d[2] + s.d[0]) } else { (if s.f[2] < s.f[0] { s.d[1] } else { s.d[2] }) }));
    let (a, b) = (s.u[3].wrapping_add(s.u[2]), (s.u[3] as i32 as f64));
    s.w[0] = function_5(s, a, b);
}

fn part_5_2(s: &mut State) {
    if (s.u[2].wrapping_sub((s.u[1].trailing_zeros() as u32)) as i32) <= ((s.bytes[(s.u[0] % 16) as usize] as u32).rotate_right(0x14ca_u32.swap_bytes() % 32) as i32) {
        s.f[0] = ((s.u[3] as u64).wrapping_mul(0x1a6_u32 as u64) as i32 as f32);
        for i in 0..s.u[2].wrapping_sub(s.u[2]) % 4 {
            s.u[3] = (s.d[1] as u32);
            s.d[1] = (if s.f[1] > s.f[2] { s.d[0] } else { s.d[2] });
            s.u[2] ^= i;
        }
    } else {
        s.bytes[((s.u[0] ^s.u[2]) % 16) as usize] = ((TABLE[(s.w[2].wrapping_shl(s.u[3] % 64) % 16) as usize] as u64) >> 5) as u8;
        s.f[1] = canonical32(canonical32(s.f[1].copysign(s.f[0])) / canonical32((-96.609375_f32) * s.f[0]));
    }
    match 0x2f7_u32.saturating_add(s.u[2]) % 5 {
        0 => {
            s.w[0] = ((s.w[0] % (s.w[2] | 1)) ^(s.w[2] & !s.w[0]));
        }
        1 => {
            s.f[1] = canonical32(canonical32(s.d[2] as f32) + canonical32(s.f[1] + s.f[2]));
        }
        3 => {
            s.w[2] = ((s.w[0].min(s.w[1]) as u16).wrapping_mul(s.w[0] as u16) as u64);
        }
        _ => {
            for i in 0..s.u[2].wrapping_add(s.u[1]) % 4 {
                s.f[2] = (0xc9a_u32 as f32);
                s.u[1] = s.u[1].wrapping_add(s.u[2]);
                s.u[1] ^= i;
            }
        }
    }
    if (s.u[2].rotate_left(0x4c08c99_u32 % 32) as f32) == canonical32(canonical32((-258.671875_f32) / s.f[1]) - canonical32(s.f[2] - s.f[0])) {
        for i in 0..s.u[3].wrapping_add(s.u[1]) % 4 {
            s.u[2] = ((s.u[0] as i32).wrapping_div((0x2_u32 | 1) as i32) as u32);
            s.d[0] = canonical64(s.d[2] + s.d[2]);
            s.u[1] ^= i;
        }
        for i in 0..((s.u[3] as i32).saturating_add(s.u[3] as i32) as u32) % 4 {
            s.f[0] = (if (s.w[1] as i64) < (s.w[0] as i64) { (82.671875_f32) } else { (540.421875_f32) });
            s.f[0] = canonical32(s.f[2] - s.f[2]);
            s.u[0] ^= i;
        }
    } else {
        if ((0xbfd_u64 as i64).wrapping_div((0x5aee9_u64 | 1) as i64) as u64) < s.w[0].reverse_bits() {
            s.d[1] = canonical64(s.d[0] + s.d[0]);
            s.w[1] = ((s.w[1] as u8).max(0x31db2_u64 as u8) as u64);
        } else {
            s.f[0] = s.f[2];
            s.f[2] = canonical32(s.f[2] - (349.96875_f32));
        }
        s.d[2] = canonical64(canonical64(s.d[0] - s.d[1]) * (128.703125_f64));
    }
    s.f[0] = canonical32(canonical32((s.w[2] as i32 as f32) / s.f[0]).abs());
    s.u[3] = ((s.u[1].wrapping_mul(s.u[2]) as i32).wrapping_rem((s.u[3].wrapping_add(s.u[3]) | 1) as i32) as u32).wrapping_mul((((s.bytes[(0x52ece_u64 % 16) as usize] as u64) >> 32) as u32));
    if canonical32(canonical32(s.f[2] / s.f[1]) - canonical32(s.f[1] * s.f[0])) >= canonical32((s.w[1] as i32 as f32).copysign((0xe4_u32 as i32 as f32))) {
        s.bytes[((0x3d29f260_u32 % (s.u[1] | 1)) % 16) as usize] = ((0x525ad48_u64 ^0xbd1df_u64).wrapping_sub(s.w[2].wrapping_add(s.w[0])) >> 5) as u8;
        s.d[2] = (canonical32(s.d[1] as f32) as f64);
    } else {
        s.f[0] = canonical32((s.w[1] as i32 as f32).abs());
        s.d[1] = canonical64(s.d[0] / canonical64(s.d[1] + s.d[0]));
    }
    for i in 0..(s.u[1] % (s.u[0] | 1)) % 4 {
        s.d[0] = canonical64(canonical64(s.d[2].copysign(s.d[1])) + canonical64(s.d[2] + s.d[2]));
        s.u[2] = ((((s.u[3] as u16).max(s.u[0] as u16) as u32) as i32).wrapping_shr(s.u[2].wrapping_mul(s.u[1])) as u32);
        s.u[1] ^= i;
    }
}

pub fn kernel_5(warp: &mut impl Warp) {
    warp.each(|s| part_5_0(s));
    warp.shuffle(0, 3, 3);
    warp.each(|s| part_5_1(s));
    warp.sum_among(0, 1, 3);
    warp.each(|s| part_5_2(s));
    warp.ballot(2, 3);
}

#[inline(never)]
fn function_6(s: &mut State, a: u32, b: f64) -> u64 {
    if (((s.w[2] as i64).wrapping_shr(s.u[3]) as u64) as i64) > ((s.bytes[(0x1932c_u64 % 16) as usize] as u64) as i64) {
        s.u[3] = (0x115c_u32 & !s.u[2]);
        s.u[3] = s.u[0].reverse_bits();
    } else {
        s.d[0] = canonical64(s.d[1] / (-218.890625_f64));
        s.u[1] = ((s.u[0] as i16).wrapping_add(s.u[0] as i16) as u32);
    }
    if canonical64(s.d[1] - s.d[0]) != canonical64(s.d[0].copysign(s.d[2])) {
        s.d[0] = (if s.w[0] <= s.w[0] { s.d[2] } else { s.d[2] });
        s.w[0] = s.w[1].wrapping_add(0x3b4a_u64);
    } else {
        s.w[2] = s.w[0].wrapping_shl(0x1538_u32 % 64);
        s.f[0] = canonical32(s.f[0] + s.f[0]);
    }
    (0xa5_u32 as u64).wrapping_mul(s.u[2] as u64).reverse_bits() ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_6_0(s: &mut State) {
    s.d[0] = canonical64((if (s.f[0] as f64) == (if (s.u[0] as i32) != (0x24_u32 as i32) { s.d[2] } else { s.d[2] }) { s.d[2] } else { s.d[2] }) * canonical64(canonical64(s.d[1] - (-289.53125_f64)) - ((130.390625_f32) as f64)));
    if canonical32((s.w[1] as f32) + canonical32((-112.5_f32) * s.f[1])) == (if ((s.w[2] & !s.w[2]) as i64) != (s.w[2].wrapping_add(s.w[0]) as i64) { (679.390625_f32) } else { canonical32(s.f[1] + s.f[0]) }) {
        match s.u[3].min(s.u[3]) % 5 {
            0 => {
                s.f[1] = canonical32(s.f[2] * s.f[1]);
            }
            1 => {
                s.bytes[(((s.w[1] >> 25) as u32) % 16) as usize] = ((s.w[0] |s.w[2]) >> 5) as u8;
            }
            3 => {
                s.u[1] = s.u[1].wrapping_add(s.u[3]);
            }
            _ => {
                s.f[1] = canonical32(s.f[0] - s.f[1]);
            }
        }
        match s.u[0].wrapping_shl(s.u[1] % 32) % 5 {
            0 => {
                s.f[1] = (s.u[3] as f32);
            }
            1 => {
                s.u[2] = (s.u[2] &0x25a_u32);
            }
            3 => {
                s.u[2] = ((s.u[3] as i32).wrapping_rem((0x1ef57_u32 | 1) as i32) as u32);
            }
            _ => {
                s.u[1] = s.u[0];
            }
        }
    } else {
        for i in 0..s.u[1].reverse_bits() % 4 {
            s.f[2] = canonical32(s.f[2] - s.f[1]);
            s.d[1] = (if s.u[1] == s.u[1] { (627.25_f64) } else { s.d[2] });
            s.u[2] ^= i;
        }
        s.w[0] = ((((0xcd_u64 as i64).saturating_add(s.w[2] as i64) as u64) as i64).wrapping_rem((((s.w[1] as i64).wrapping_shr(s.u[2]) as u64) | 1) as i64) as u64);
    }
    match s.u[3].rotate_left(s.u[1] % 32) % 5 {
        0 => {
            s.bytes[(((s.u[0] as u16).max(s.u[3] as u16) as u32) % 16) as usize] = (s.w[0] >> 5) as u8;
        }
        1 => {
            s.d[0] = s.d[2];
        }
        3 => {
            if ((s.u[2] as i32).wrapping_div((s.u[1] | 1) as i32) as u32) < (0x3_u32 &s.u[1]) {
                s.u[3] = 0x88430ac_u32.wrapping_add(s.u[2]);
                s.w[2] = s.w[2].wrapping_sub(0x712_u64);
            } else {
                s.f[1] = canonical32((-7.28125_f32) / s.f[2]);
                s.d[2] = canonical64(s.d[0] * (384.109375_f64));
            }
        }
        _ => {
            match ((0xbaa4081_u32 as i32).wrapping_shr(s.u[3]) as u32) % 5 {
                0 => {
                    s.d[1] = s.d[2];
                }
                1 => {
                    s.u[1] = ((s.w[0] >> 16) as u32);
                }
                3 => {
                    s.w[0] = 0x76b_u64;
                }
                _ => {
                    s.w[0] = ((s.w[0] as u16).max(s.w[1] as u16) as u64);
                }
            }
        }
    }
    s.f[0] = canonical32(canonical32((if (0xb1e95bb_u64 as i64) <= (s.w[2] as i64) { s.f[2] } else { s.f[0] }) * s.f[2]) / (s.w[1].wrapping_mul(s.w[1]) as i32 as f32));
    s.f[0] = canonical32(s.f[1].copysign(canonical32(canonical64(s.d[2] - s.d[1]) as f32)));
    s.w[0] = ((((s.w[0] as i64).wrapping_shr(0x3b7a_u32) as u64) as i64).min((s.w[2] & !s.w[0]) as i64) as u64).wrapping_mul((TABLE[((TABLE[(s.w[2] % 16) as usize] as u64) % 16) as usize] as u64));
    if ((s.u[0] as u64).wrapping_mul(s.u[3] as u64).wrapping_mul((s.w[2] ^s.w[2])) as i64) == (((0x4fc21_u32 as u64).wrapping_mul(s.u[0] as u64) & !(s.w[0] % (s.w[2] | 1))) as i64) {
        if ((s.w[2] >> 27) as u32) < s.u[2].wrapping_add(s.u[2]) {
            s.w[1] = s.w[2].swap_bytes();
            s.w[0] = s.w[2].wrapping_sub(s.w[1]);
        } else {
            s.u[3] = ((s.u[0] as i8).max(s.u[1] as i8) as u32);
            s.f[0] = (if (512.96875_f64) >= s.d[1] { s.f[0] } else { s.f[0] });
        }
        s.d[2] = (((0x1_u32 as u16).wrapping_add(0x3bd756_u32 as u16) as u32) as f64);
    } else {
        s.w[1] = ((s.w[0].swap_bytes() as i64).wrapping_div(((s.w[1] |0x297_u64) | 1) as i64) as u64);
        s.bytes[(((s.u[2] as i32).saturating_add(s.u[2] as i32) as u32) % 16) as usize] = ((s.w[2].max(s.w[0]).count_ones() as u64) >> 5) as u8;
    }
}

fn part_6_1(s: &mut State) {
    s.u[2] = ((((s.u[3] as i32).max(s.u[0] as i32) as u32) as i8).wrapping_add(s.u[2].reverse_bits() as i8) as u32).rotate_right((s.u[2].wrapping_sub(s.u[1]) / (s.u[3].rotate_left(0x1f_u32 % 32) | 1)) % 32);
    s.f[2] = canonical32(canonical32(canonical32(s.f[0] / s.f[0]).abs()) / canonical32(s.f[2] - canonical32(s.f[2].abs())));
    for i in 0..s.u[3] % 4 {
        if (if s.f[2] == s.f[2] { s.d[0] } else { s.d[0] }) > (s.u[2] as i32 as f64) {
            s.w[1] = s.w[1];
            s.u[2] = 0xc26f83d_u32;
        } else {
            s.bytes[((s.bytes[(s.u[2] % 16) as usize] as u32) % 16) as usize] = (s.w[2].swap_bytes() >> 5) as u8;
            s.u[3] = (s.u[0].leading_zeros() as u32);
        }
        for i in 0..((0x0_u32 as i32).saturating_add(s.u[0] as i32) as u32) % 4 {
            s.u[3] = s.u[1].min(s.u[3]);
            s.d[1] = (if (0x5_u64 as i64) == (s.w[0] as i64) { s.d[0] } else { s.d[2] });
            s.u[3] ^= i;
        }
        s.u[0] ^= i;
    }
    if s.w[2].swap_bytes().wrapping_mul(s.w[1].swap_bytes()) <= (s.u[2].wrapping_mul(0x1a24e6_u32) as u64).wrapping_mul((0xbb9191_u32.count_ones() as u32) as u64) {
        s.w[2] = ((0x6aba5_u64 as u16).max(s.w[0] as u16) as u64).wrapping_add((0x1_u64 % (s.w[2] | 1)));
        s.f[1] = canonical32(canonical32(s.f[1] / s.f[2]) - canonical32(s.f[0] - (-260.9375_f32)));
    } else {
        for i in 0..0x76d_u32.swap_bytes() % 4 {
            s.f[0] = canonical32(s.d[2] as f32);
            s.u[0] = s.u[0].wrapping_shr(0x1208e16_u32 % 32);
            s.u[1] ^= i;
        }
        s.f[1] = canonical32(canonical64(s.d[1] * s.d[0]) as f32);
    }
    if (s.w[2].wrapping_mul(s.w[2]) / ((0x3fda1_u64.count_ones() as u64) | 1)) >= s.w[1] {
        if canonical64(s.d[2] + s.d[2]) <= s.d[2] {
            s.bytes[(s.u[3] % 16) as usize] = (s.w[2].reverse_bits() >> 5) as u8;
            s.d[2] = canonical64(s.d[0] / s.d[1]);
        } else {
            s.d[2] = (if s.f[0] > s.f[1] { s.d[2] } else { s.d[0] });
            s.d[1] = canonical64(s.d[0] / s.d[1]);
        }
        if ((s.bytes[(0xeec87_u64 % 16) as usize] as u64) as i64) < ((s.w[0].trailing_zeros() as u64) as i64) {
            s.u[3] = ((s.u[1] as i32).max(s.u[0] as i32) as u32);
            s.bytes[((TABLE[(s.u[3] % 16) as usize] as u32) % 16) as usize] = ((s.w[0] % (s.w[0] | 1)) >> 5) as u8;
        } else {
            s.bytes[(s.u[2].wrapping_add(s.u[3]) % 16) as usize] = ((s.w[1] & !0x2ca_u64) >> 5) as u8;
            s.f[1] = canonical32(s.f[2] - s.f[1]);
        }
    } else {
        s.bytes[(s.u[0] % 16) as usize] = (((((0x3a073_u64 as i16).max(s.w[1] as i16) as u64) as i64).wrapping_shr(s.u[3].wrapping_add(s.u[1])) as u64) >> 5) as u8;
        s.f[0] = canonical32((s.u[3] as f32) * canonical32(s.f[2] - s.f[2]));
    }
    s.f[0] = canonical32(canonical32(canonical32(s.f[2] / s.f[1]) + canonical32(s.f[0] - s.f[2])) * canonical32((s.w[2] as i32 as f32) - (if s.d[2] >= (269.46875_f64) { s.f[1] } else { s.f[0] })));
    s.w[0] = ((s.w[0] as i64).wrapping_shr((((s.f[0] as i32 as u32) as i32).wrapping_shr((s.u[3].trailing_zeros() as u32)) as u32)) as u64);
    let (a, b) = (0x550891d_u32, canonical64(s.d[2] - (230.375_f64)));
    s.w[0] = function_6(s, a, b);
}

fn part_6_2(s: &mut State) {
    s.f[1] = (((0x6f_u32 as u16).wrapping_add(s.u[2] as u16) as u32).swap_bytes() as i32 as f32);
    s.bytes[(((0x36_u32 as i32).max(s.u[2] as i32) as u32) % 16) as usize] = (((0xf45c37b_u64.wrapping_mul((s.bytes[(s.w[2] % 16) as usize] as u64)) as i64).saturating_add((s.w[1] ^s.w[1]).saturating_sub(s.w[0]) as i64) as u64) >> 5) as u8;
    s.w[1] = (((((s.w[1] as u16).wrapping_mul(s.w[2] as u16) as u64).trailing_zeros() as u64) as i64).saturating_sub(s.w[1] as i64) as u64);
    s.u[1] = ((((s.u[1] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32).leading_zeros() as u32) |0x4e2dee_u32);
    match 0xab138_u32 % 5 {
        0 => {
            if canonical32(s.f[0] / s.f[2]) < canonical32(s.f[0] * (-267.296875_f32)) {
                s.u[3] = ((s.u[0] as i32).wrapping_shr(s.u[1]) as u32);
                s.w[2] = ((s.w[1] as u16).wrapping_add(s.w[2] as u16) as u64);
            } else {
                s.bytes[((s.u[1] &s.u[0]) % 16) as usize] = ((s.w[1] & !s.w[0]) >> 5) as u8;
                s.u[0] = (s.u[2] |s.u[2]);
            }
        }
        1 => {
            s.u[0] = (((s.u[3] as i32).wrapping_shr(s.u[1]) as u32) ^((s.u[3] as i32).wrapping_div((0x45d_u32 | 1) as i32) as u32));
        }
        3 => {
            s.w[2] = (((s.w[0] as i64).wrapping_shr(s.u[2]) as u64) % (s.w[0].wrapping_sub(s.w[0]) | 1));
        }
        _ => {
            s.f[0] = canonical32(canonical32((676.40625_f32) + s.f[2]) / canonical32(s.d[1] as f32));
        }
    }
    s.d[2] = canonical64((canonical32(s.f[1] - (635.078125_f32)) as f64) + s.d[0]);
    s.w[1] = (((((s.w[0] as u16).max(s.w[2] as u16) as u64) & !s.w[0].wrapping_add(s.w[1])) as i64).wrapping_shr(s.u[2].wrapping_mul(s.u[2]).wrapping_shr(s.u[3] % 32)) as u64);
}

pub fn kernel_6(warp: &mut impl Warp) {
    warp.each(|s| part_6_0(s));
    warp.shuffle(0, 0, 2);
    warp.each(|s| part_6_1(s));
    warp.shuffle(0, 1, 1);
    warp.each(|s| part_6_2(s));
    warp.sum_among(1, 0, 0);
}

#[inline(never)]
fn function_7(s: &mut State, a: u32, b: f64) -> u64 {
    if (s.u[0] & !s.u[2]) != 0x670_u32.wrapping_add(s.u[0]) {
        s.w[0] = 0x4494a4_u64;
        s.f[0] = s.f[0];
    } else {
        s.f[2] = s.f[0];
        s.bytes[(s.u[1].reverse_bits() % 16) as usize] = (s.w[1] >> 5) as u8;
    }
    s.d[0] = canonical64(canonical64(s.d[2] / s.d[2]) + canonical64((89.6875_f64) + s.d[0]));
    (((s.w[1] &0xfd78af_u64) as i64).saturating_sub((s.w[0].trailing_zeros() as u64) as i64) as u64) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_7_0(s: &mut State) {
    s.w[2] = s.w[1];
    s.f[0] = canonical32((if canonical64(s.d[2] / s.d[0]) < canonical64(s.d[1] / (-144.625_f64)) { canonical32(s.d[1] as f32) } else { canonical32((312.1875_f32) + s.f[2]) }).copysign((((s.u[1] as i8).wrapping_mul(s.u[3] as i8) as u32) as f32)));
    if canonical64((if s.d[0] == s.d[2] { s.d[2] } else { s.d[0] }) + s.d[0]) != canonical64((s.w[0] as f64) * s.d[0]) {
        s.w[1] = (((s.w[0] / (s.w[0] | 1)) as i64).wrapping_shr(s.u[3].abs_diff(0x1ad24_u32)) as u64);
        for i in 0..s.u[3].wrapping_sub(0x3_u32) % 4 {
            s.f[2] = canonical32(s.f[0] * s.f[1]);
            s.u[3] = s.u[3].rotate_left(s.u[3] % 32);
            s.u[1] ^= i;
        }
    } else {
        s.bytes[(s.u[1].saturating_add(s.u[2]) % 16) as usize] = (((s.w[1] as i8).wrapping_add((s.bytes[(0x7bed4f_u64 % 16) as usize] as u64) as i8) as u64) >> 5) as u8;
        match ((0x197401_u64 >> 4) as u32) % 5 {
            0 => {
                s.bytes[(((s.w[0] >> 1) as u32) % 16) as usize] = (s.w[0].rotate_right(s.u[1] % 64) >> 5) as u8;
            }
            1 => {
                s.d[0] = canonical64((-8.40625_f64) / (682.28125_f64));
            }
            3 => {
                s.w[2] = 0x3fa2f0_u64.min(s.w[1]);
            }
            _ => {
                s.f[2] = s.f[2];
            }
        }
    }
    match ((s.w[0] >> 16) as u32) % 5 {
        0 => {
            if (s.u[1] as i32 as f32) > canonical32(s.f[1] / s.f[2]) {
                s.u[1] = 0xa6e7_u32;
                s.w[1] = ((s.w[2] as i64).wrapping_shr(0x2570dd8b_u32) as u64);
            } else {
                s.u[3] = s.u[3].rotate_right(0x2_u32 % 32);
                s.u[0] = s.u[0].min(s.u[0]);
            }
        }
        1 => {
            s.bytes[(s.u[1].wrapping_add(s.u[1]) % 16) as usize] = (((((s.w[2] as i64).wrapping_shr(s.u[0]) as u64) as i64).saturating_sub(((s.w[0] as i64).saturating_add(s.w[1] as i64) as u64) as i64) as u64) >> 5) as u8;
        }
        3 => {
            s.bytes[(((0xbd_u64 >> 12) as u32) % 16) as usize] = (((s.w[1].count_ones() as u64) / (s.w[2].min(s.w[0]) | 1)) >> 5) as u8;
        }
        _ => {
            s.f[0] = (536.59375_f32);
        }
    }
    if (((0x3f_u32 & !s.u[3]).count_ones() as u32) as i32) != (s.u[1] as i32) {
        s.w[0] = (0x27fcc_u64 & !s.w[1]).wrapping_sub(s.w[0].wrapping_mul(0x5248_u64));
        match s.u[0] % 5 {
            0 => {
                s.f[2] = canonical32(s.f[1] + s.f[0]);
            }
            1 => {
                s.u[1] = (0x4_u32 & !s.u[2]);
            }
            3 => {
                s.u[1] = s.u[0];
            }
            _ => {
                s.bytes[((s.u[2].trailing_zeros() as u32) % 16) as usize] = ((s.u[0] as u64).wrapping_mul(s.u[1] as u64) >> 5) as u8;
            }
        }
    } else {
        s.d[0] = canonical64(canonical64(s.d[1] * (378.375_f64)) + canonical64(s.d[0] + s.d[2]));
        if (((s.u[1] as i32).wrapping_div((s.u[2] | 1) as i32) as u32) as i32) > (((s.u[1] as u16).wrapping_add(0xd7a100b_u32 as u16) as u32) as i32) {
            s.d[0] = (s.f[1] as f64);
            s.f[1] = canonical32((337.53125_f32) - (464.265625_f32));
        } else {
            s.u[1] = ((s.u[1] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32);
            s.d[2] = canonical64(s.d[1] + s.d[0]);
        }
    }
    if (((0x2192d11e_u32.saturating_sub(0x291be0_u32) as i32).wrapping_shr((s.d[2] as u32)) as u32) as i32) < (s.u[0] as i32) {
        if s.w[0].reverse_bits() == s.w[2].wrapping_sub(s.w[0]) {
            s.w[0] = ((s.w[0] as i64).wrapping_div((s.w[2] | 1) as i64) as u64);
            s.w[2] = s.w[1].wrapping_add(s.w[2]);
        } else {
            s.d[1] = (622.78125_f64);
            s.d[2] = s.d[2];
        }
        s.bytes[((s.u[1].trailing_zeros() as u32) % 16) as usize] = ((s.w[2] ^0x2_u64).rotate_right(s.u[0] % 64) >> 5) as u8;
    } else {
        for i in 0..0x89_u32.wrapping_mul(0x221_u32) % 4 {
            s.u[1] = s.u[1].wrapping_sub(0xb15a9e_u32);
            s.d[0] = (s.f[1] as f64);
            s.u[0] ^= i;
        }
        if (s.bytes[(0x430f82e_u64 % 16) as usize] as u64) < ((s.w[2] as i64).min(s.w[1] as i64) as u64) {
            s.d[2] = canonical64(s.d[0] - s.d[2]);
            s.f[2] = (if s.d[1] != s.d[1] { s.f[1] } else { (148.328125_f32) });
        } else {
            s.f[0] = (if s.w[2] >= s.w[1] { s.f[1] } else { (-38.25_f32) });
            s.d[2] = canonical64(s.d[0] * s.d[0]);
        }
    }
    s.w[2] = (((((s.u[2] as i32).max(s.u[0] as i32) as u32) as u64).wrapping_mul(s.u[3].saturating_sub(0x28aa_u32) as u64) as i64).wrapping_div(((s.u[0] as u64).wrapping_mul(s.u[3] as u64).swap_bytes() | 1) as i64) as u64);
}

fn part_7_1(s: &mut State) {
    for i in 0..s.u[1] % 4 {
        for i in 0..s.u[0].wrapping_sub(0x62e3812_u32) % 4 {
            s.f[2] = canonical32(s.f[0] + s.f[1]);
            s.f[1] = canonical32(s.d[1] as f32);
            s.u[1] ^= i;
        }
        if (0x1a6_u64 &s.w[0]) != s.w[2].max(0x22e1_u64) {
            s.u[3] = s.u[2].min(s.u[2]);
            s.bytes[(((222.65625_f64) as u32) % 16) as usize] = (s.w[0].wrapping_add(s.w[2]) >> 5) as u8;
        } else {
            s.u[3] = s.u[0].wrapping_shl(s.u[1] % 32);
            s.d[1] = (-164.515625_f64);
        }
        s.u[1] ^= i;
    }
    match s.u[3].reverse_bits() % 5 {
        0 => {
            s.w[1] = ((0x5_u64 as i16).wrapping_mul(s.w[1] as i16) as u64).wrapping_mul(((s.w[1] as i64).wrapping_shr(0x19_u32) as u64));
        }
        1 => {
            match ((s.u[2] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32) % 5 {
                0 => {
                    s.u[0] = (TABLE[(s.u[0] % 16) as usize] as u32);
                }
                1 => {
                    s.w[1] = ((s.w[2] as i64).wrapping_div((s.w[1] | 1) as i64) as u64);
                }
                3 => {
                    s.u[3] = s.u[0].wrapping_mul(s.u[2]);
                }
                _ => {
                    s.f[1] = canonical32(s.d[0] as f32);
                }
            }
        }
        3 => {
            s.u[1] = s.u[3].reverse_bits().wrapping_mul(0xb8_u32.wrapping_sub(s.u[2]));
        }
        _ => {
            s.bytes[(s.u[3].wrapping_add(s.u[2]) % 16) as usize] = ((s.w[0] |((s.w[2] as i64).wrapping_shr(s.u[1]) as u64)) >> 5) as u8;
        }
    }
    if (s.u[0] as i32) < ((s.u[1].swap_bytes().trailing_zeros() as u32) as i32) {
        s.w[1] = (((s.u[2] as u64).wrapping_mul(0xf_u32 as u64) as i64).max(0x3_u64.rotate_right(s.u[1] % 64) as i64) as u64);
        s.w[0] = ((s.w[1].rotate_left(s.u[1] % 64) as i64).min(0x8a8a_u64 as i64) as u64);
    } else {
        s.d[1] = canonical64(canonical64((213.171875_f64).copysign(s.d[0])).abs());
        match s.u[0].saturating_add(s.u[2]) % 5 {
            0 => {
                s.w[0] = (s.w[1] |0x193_u64);
            }
            1 => {
                s.w[0] = 0xf_u64.rotate_left(s.u[3] % 64);
            }
            3 => {
                s.bytes[(s.u[3].reverse_bits() % 16) as usize] = (s.w[2].reverse_bits() >> 5) as u8;
            }
            _ => {
                s.d[2] = (s.f[1] as f64);
            }
        }
    }
    s.w[1] = s.w[2].wrapping_sub(s.w[1].rotate_right(s.u[2] % 64).wrapping_add(0xa48_u64));
    s.u[0] = (s.u[3].trailing_zeros() as u32);
    s.bytes[((s.u[1] / (0x251407e_u32 | 1)) % 16) as usize] = ((((s.bytes[(s.w[0] % 16) as usize] as u64).wrapping_mul(s.w[1].wrapping_add(s.w[0])) as i64).wrapping_rem((((s.w[1].wrapping_add(s.w[2]) as i64).wrapping_shr(0x1fe06_u32) as u64) | 1) as i64) as u64) >> 5) as u8;
    s.u[1] = ((s.u[0] as u16).max(s.u[3] as u16) as u32).wrapping_mul(s.u[1].wrapping_mul(s.u[3])).wrapping_mul((s.u[1].rotate_right(s.u[2] % 32) & !s.u[1]));
    let (a, b) = ((s.u[2] / (s.u[2] | 1)), canonical64(s.d[2] - s.d[2]));
    s.w[0] = function_7(s, a, b);
}

fn part_7_2(s: &mut State) {
    s.u[2] = ((((s.w[2] as i64).min(s.w[2] as i64) as u64) >> 21) as u32);
    match (s.u[1].leading_zeros() as u32) % 5 {
        0 => {
            s.f[1] = (354.765625_f32);
        }
        1 => {
            match ((s.u[2] as i32).wrapping_rem((s.u[1] | 1) as i32) as u32) % 5 {
                0 => {
                    s.f[0] = (s.w[1] as f32);
                }
                1 => {
                    s.u[0] = s.u[2];
                }
                3 => {
                    s.w[2] = s.w[2];
                }
                _ => {
                    s.d[1] = (if s.d[1] <= s.d[1] { s.d[1] } else { s.d[1] });
                }
            }
        }
        3 => {
            s.d[2] = (284.890625_f64);
        }
        _ => {
            for i in 0..(s.u[3] / (s.u[2] | 1)) % 4 {
                s.f[2] = s.f[0];
                s.u[2] = ((s.u[1] as i32).max(0x360d_u32 as i32) as u32);
                s.u[1] ^= i;
            }
        }
    }
    s.u[2] = (((s.u[3].swap_bytes() as i32).wrapping_shr((s.u[3] &s.u[0])) as u32).leading_zeros() as u32);
    if canonical64((s.u[0] as i32 as f64) + canonical64(s.d[1] + s.d[2])) >= (if ((s.u[3] ^s.u[1]) as i32) == (s.u[0].reverse_bits() as i32) { (if s.d[0] >= s.d[2] { s.d[2] } else { s.d[2] }) } else { canonical64((704.625_f64) * s.d[2]) }) {
        match s.u[1].wrapping_sub(s.u[2]) % 5 {
            0 => {
                s.d[2] = canonical64(s.d[0] / (-74.625_f64));
            }
            1 => {
                s.d[2] = canonical64(s.d[0] * s.d[1]);
            }
            3 => {
                s.f[0] = canonical32(s.f[1] + s.f[0]);
            }
            _ => {
                s.f[2] = canonical32(s.f[1].abs());
            }
        }
        match s.u[0].wrapping_mul(s.u[0]) % 5 {
            0 => {
                s.f[0] = (if s.f[0] < s.f[1] { s.f[0] } else { s.f[1] });
            }
            1 => {
                s.u[0] = (0x1d_u32.trailing_zeros() as u32);
            }
            3 => {
                s.d[0] = canonical64(s.d[1] - (178.625_f64));
            }
            _ => {
                s.w[0] = ((s.w[1] as i8).wrapping_mul(s.w[1] as i8) as u64);
            }
        }
    } else {
        s.w[2] = ((s.w[2] as i64).min(((s.w[2] as u16).wrapping_mul(0x3d49a_u64 as u16) as u64) as i64) as u64);
        s.d[0] = canonical64(canonical64(s.d[2] / (-83.78125_f64)) / (s.f[0] as f64));
    }
    if (s.w[0].wrapping_sub(s.w[0]).swap_bytes() as i64) != (s.w[1].saturating_sub(s.w[1]).wrapping_mul(0x3346_u64.rotate_left(s.u[0] % 64)) as i64) {
        for i in 0..((s.u[2] as u8).wrapping_mul(s.u[3] as u8) as u32) % 4 {
            s.d[0] = canonical64(s.d[2] * s.d[2]);
            s.bytes[((s.u[1].trailing_zeros() as u32) % 16) as usize] = (((0x127_u64 as u16).wrapping_mul(s.w[2] as u16) as u64) >> 5) as u8;
            s.u[1] ^= i;
        }
        for i in 0..(0x30d_u32 & !s.u[1]) % 4 {
            s.bytes[(s.u[3].wrapping_mul(s.u[1]) % 16) as usize] = (s.w[2].wrapping_sub(s.w[1]) >> 5) as u8;
            s.f[0] = canonical32(s.f[1] * s.f[2]);
            s.u[3] ^= i;
        }
    } else {
        if canonical64((608.234375_f64).abs()) == s.d[0] {
            s.d[2] = s.d[2];
            s.u[1] = (s.u[0].count_ones() as u32);
        } else {
            s.f[2] = s.f[1];
            s.u[3] = 0x67e76_u32.wrapping_sub(0x50e79_u32);
        }
        s.bytes[(s.u[0].swap_bytes() % 16) as usize] = (s.w[0] >> 5) as u8;
    }
    s.d[2] = canonical64(canonical64(canonical64(s.d[1].abs()) / s.d[1]).copysign(canonical64((0x99aef_u64 as i32 as f64) - canonical64(s.d[1] * s.d[0]))));
    if ((s.u[3].trailing_zeros() as u32).reverse_bits() as i32) > (s.u[2] as i32) {
        s.u[2] = ((s.u[3] as i32).wrapping_div((s.u[2] | 1) as i32) as u32);
        s.d[0] = (canonical32(s.d[1] as f32) as f64);
    } else {
        s.bytes[(s.u[0] % 16) as usize] = ((s.bytes[(((s.w[1] as u8).wrapping_add(s.w[0] as u8) as u64) % 16) as usize] as u64) >> 5) as u8;
        if canonical32(s.f[1] + s.f[1]) != (if s.f[0] < (-297.609375_f32) { s.f[2] } else { s.f[0] }) {
            s.f[1] = canonical32(s.f[1] + s.f[1]);
            s.d[2] = canonical64(s.d[0] + (723.9375_f64));
        } else {
            s.f[1] = canonical32(s.f[0] * s.f[1]);
            s.bytes[((0x70c_u32.count_ones() as u32) % 16) as usize] = (s.w[1].reverse_bits() >> 5) as u8;
        }
    }
}

pub fn kernel_7(warp: &mut impl Warp) {
    warp.each(|s| part_7_0(s));
    warp.ballot(0, 0);
    warp.each(|s| part_7_1(s));
    warp.shuffle(3, 0, 0);
    warp.each(|s| part_7_2(s));
    warp.shuffle(3, 1, 2);
}

#[inline(never)]
fn function_8(s: &mut State, a: u32, b: f64) -> u64 {
    s.w[2] = ((s.f[2] as i64 as u64) ^((s.w[2] as u16).wrapping_add(0x117c_u64 as u16) as u64));
    s.bytes[(((s.u[1] as i32).wrapping_shr(s.u[1]) as u32) % 16) as usize] = ((s.u[0].saturating_add(s.u[1]) as u64).wrapping_mul(((s.u[1] as i32).wrapping_div((s.u[1] | 1) as i32) as u32) as u64) >> 5) as u8;
    ((s.w[1].trailing_zeros() as u64) & !((s.w[2] as u16).max(s.w[2] as u16) as u64)) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_8_0(s: &mut State) {
    s.w[2] = ((s.w[2] |s.w[2]).wrapping_sub(0xac413b_u64.rotate_left(s.u[3] % 64)) / ((((s.u[3] as u64).wrapping_mul(s.u[0] as u64) as i64).min(s.w[0].wrapping_mul(s.w[1]) as i64) as u64) | 1));
    if (((s.u[3] as i8).wrapping_mul(s.u[3] as i8) as u32) as i32 as f32) > canonical32((if s.u[2] != s.u[2] { s.f[0] } else { (110.875_f32) }) - s.f[0]) {
        s.f[1] = ((0x18b7f_u32 / (0x1_u32 | 1)) as f32);
        if (s.w[1].wrapping_add(s.w[0]) as i64) == (s.w[1].abs_diff(s.w[2]) as i64) {
            s.d[2] = canonical64(s.d[2].abs());
            s.w[0] = (s.f[0] as i64 as u64);
        } else {
            s.d[2] = (s.f[2] as f64);
            s.d[0] = canonical64(s.d[1] + s.d[2]);
        }
    } else {
        s.f[0] = canonical32(canonical32(s.f[0] * (555.265625_f32)) + s.f[2]);
        s.d[2] = (if ((s.w[2] |s.w[2]) as i64) >= (((s.w[2] as i64).wrapping_shr(s.u[0]) as u64) as i64) { canonical64(s.d[0].abs()) } else { canonical64(s.d[0] - s.d[0]) });
    }
    if canonical64(canonical64(s.d[2] / s.d[1]).copysign(s.d[1])) == canonical64(((-95.8125_f32) as f64) / canonical64(s.d[0] * s.d[0])) {
        s.f[2] = s.f[0];
        s.f[2] = ((s.u[0] as u64).wrapping_mul(s.u[3] as u64) as i32 as f32);
    } else {
        if canonical32(s.f[0] + s.f[0]) < canonical32(s.d[1] as f32) {
            s.d[2] = (if s.f[0] >= s.f[0] { s.d[0] } else { (599.34375_f64) });
            s.u[3] = (s.u[3] & !s.u[1]);
        } else {
            s.bytes[((s.u[2] % (s.u[2] | 1)) % 16) as usize] = (s.w[0].wrapping_mul(s.w[0]) >> 5) as u8;
            s.d[0] = s.d[2];
        }
        for i in 0..((0x7ea61f_u32 as i32).wrapping_rem((s.u[1] | 1) as i32) as u32) % 4 {
            s.w[2] = s.w[0].wrapping_mul(s.w[1]);
            s.bytes[(s.u[1].wrapping_sub(0x3e29ed_u32) % 16) as usize] = (((0xbf_u64 as u8).wrapping_add(s.w[0] as u8) as u64) >> 5) as u8;
            s.u[3] ^= i;
        }
    }
    s.d[1] = canonical64(canonical64(canonical64((6.40625_f64).copysign((-31.921875_f64))) - canonical64(s.d[1] + s.d[1])).copysign(canonical64((s.f[0] as f64).copysign(canonical64(s.d[0] / s.d[0])))));
    match 0x1394_u32.wrapping_mul(s.u[1]) % 5 {
        0 => {
            s.u[3] = s.u[3].wrapping_mul(0x1237be6_u32);
        }
        1 => {
            s.f[0] = canonical32(canonical32((442.875_f32).copysign(s.f[2])) / canonical32(s.d[1] as f32));
        }
        3 => {
            s.w[0] = ((s.w[0].wrapping_shl(s.u[1] % 64) as i64).wrapping_div((s.w[1].wrapping_sub(s.w[1]) | 1) as i64) as u64);
        }
        _ => {
            s.w[0] = (((s.w[2] |s.w[1]) as i64).wrapping_div((s.w[0] | 1) as i64) as u64);
        }
    }
    for i in 0..(s.u[0] / (s.u[0] | 1)) % 4 {
        match s.u[1].abs_diff(s.u[0]) % 5 {
            0 => {
                s.bytes[(s.u[2].rotate_right(s.u[2] % 32) % 16) as usize] = (((0x3_u64 as i64).min(s.w[0] as i64) as u64) >> 5) as u8;
            }
            1 => {
                s.d[1] = canonical64(s.d[2] * (301.78125_f64));
            }
            3 => {
                s.f[1] = s.f[2];
            }
            _ => {
                s.f[1] = canonical32(s.f[0] / s.f[2]);
            }
        }
        s.bytes[(0x1d_u32.wrapping_shl(s.u[2] % 32) % 16) as usize] = ((TABLE[(s.w[2] % 16) as usize] as u64).saturating_sub(((0x5b74b_u64 as i64).saturating_sub(s.w[2] as i64) as u64)) >> 5) as u8;
        s.u[0] ^= i;
    }
    s.w[2] = ((((s.w[2] as i64).wrapping_div((s.w[2] | 1) as i64) as u64).leading_zeros() as u64) % (0x605_u64.reverse_bits() | 1));
}

fn part_8_1(s: &mut State) {
    match (s.u[0].count_ones() as u32) % 5 {
        0 => {
            s.w[2] = (((0x18_u64 as i64).wrapping_shr(0xde6aa4_u32) as u64) & !s.w[2]);
        }
        1 => {
            match ((s.u[0] as i32).wrapping_div((s.u[0] | 1) as i32) as u32) % 5 {
                0 => {
                    s.d[2] = canonical64(s.d[2] * s.d[0]);
                }
                1 => {
                    s.w[2] = (s.d[0] as u64);
                }
                3 => {
                    s.d[2] = (if s.u[2] == s.u[2] { s.d[2] } else { s.d[0] });
                }
                _ => {
                    s.f[0] = canonical32(s.f[2] - s.f[1]);
                }
            }
        }
        3 => {
            s.u[3] = ((0x20_u32 as u8).wrapping_add(0xb9cd_u32 as u8) as u32).reverse_bits();
        }
        _ => {
            if canonical32(s.f[1] - s.f[2]) != canonical32(s.f[1] + s.f[2]) {
                s.d[0] = canonical64(s.d[1] / (-157.734375_f64));
                s.bytes[(((s.u[3] as i32).wrapping_rem((0x1_u32 | 1) as i32) as u32) % 16) as usize] = ((s.w[1].count_ones() as u64) >> 5) as u8;
            } else {
                s.d[0] = canonical64(s.d[2] - (176.5625_f64));
                s.w[0] = ((s.w[2] as u16).wrapping_mul(s.w[1] as u16) as u64);
            }
        }
    }
    s.bytes[(s.u[3] % 16) as usize] = (s.w[1] >> 5) as u8;
    match s.u[3] % 5 {
        0 => {
            s.d[0] = (((0x2d4ee_u64 as i64).wrapping_shr(s.u[0]) as u64) as f64);
        }
        1 => {
            s.bytes[(((s.u[1] as i32).min(s.u[2] as i32) as u32) % 16) as usize] = (((0x0_u32 as u64).wrapping_mul(s.u[3] as u64) % ((s.w[1].leading_zeros() as u64) | 1)) >> 5) as u8;
        }
        3 => {
            s.d[2] = canonical64(canonical64(s.d[1] / s.d[1]) + (s.u[1] as i32 as f64));
        }
        _ => {
            s.u[3] = ((s.u[2].wrapping_shr(s.u[1] % 32) as u16).wrapping_mul((s.u[2].leading_zeros() as u32) as u16) as u32);
        }
    }
    s.w[1] = ((((s.w[1] as i64).wrapping_shr(0x5bf98ee_u32) as u64).wrapping_sub((s.w[1] % (s.w[1] | 1))) as i64).wrapping_div((s.w[0].swap_bytes() | 1) as i64) as u64);
    if (s.u[1] as i32) != (((0x1e92ef_u32.wrapping_sub(s.u[2]) as i32).wrapping_div((s.u[0] | 1) as i32) as u32) as i32) {
        if s.f[2] > canonical32(s.f[1] * s.f[2]) {
            s.u[1] = (s.u[0] ^s.u[2]);
            s.u[0] = s.u[3].wrapping_add(s.u[1]);
        } else {
            s.f[2] = canonical32(s.f[2].abs());
            s.f[0] = canonical32((226.46875_f32) - s.f[0]);
        }
        s.d[2] = (if canonical32((220.125_f32).abs()) < canonical32((659.71875_f32) * s.f[1]) { canonical64(s.d[0] + s.d[1]) } else { canonical64(s.d[0] / s.d[2]) });
    } else {
        match 0x2b_u32.wrapping_mul(s.u[0]) % 5 {
            0 => {
                s.u[1] = ((s.u[0] as i32).saturating_add(s.u[3] as i32) as u32);
            }
            1 => {
                s.bytes[(((s.w[2] >> 29) as u32) % 16) as usize] = (s.w[2] >> 5) as u8;
            }
            3 => {
                s.d[0] = canonical64(s.d[1] - s.d[1]);
            }
            _ => {
                s.f[1] = canonical32(s.f[0] + (608.6875_f32));
            }
        }
        if (if (0x72a_u64 as i64) < (s.w[0] as i64) { s.f[2] } else { (409.484375_f32) }) != s.f[2] {
            s.d[2] = canonical64((246.109375_f64) + s.d[1]);
            s.f[2] = canonical32(s.f[0] - s.f[2]);
        } else {
            s.f[2] = (s.w[0] as i32 as f32);
            s.u[3] = ((s.w[1] >> 29) as u32);
        }
    }
    s.d[1] = canonical64(canonical64(canonical64((-169.65625_f64) - s.d[0]) * s.d[1]) - canonical64(canonical64((207.078125_f64) + s.d[1]) - (if (s.u[2] as i32) == (s.u[3] as i32) { s.d[0] } else { s.d[2] })));
    s.d[1] = canonical64(canonical64(canonical64(s.d[1] / s.d[1]) - (s.u[2] as f64)).copysign(s.d[1]));
    let (a, b) = (((s.u[0] as i32).wrapping_shr(s.u[1]) as u32), (s.f[0] as f64));
    s.w[0] = function_8(s, a, b);
}

fn part_8_2(s: &mut State) {
    s.d[2] = (s.u[3].wrapping_sub(0x1d0_u32).reverse_bits() as f64);
    s.f[0] = canonical32(canonical64(canonical64(s.d[0].abs()) / canonical64(s.d[0] + s.d[2])) as f32);
    s.w[2] = ((s.u[2] |0x3c7fc2e5_u32) as u64).wrapping_mul(s.u[1].wrapping_add(0x1b1_u32) as u64).reverse_bits();
    if canonical64((110.625_f64).abs()) >= (if s.w[2].swap_bytes() > s.w[0] { (s.f[1] as f64) } else { canonical64((177.359375_f64) / s.d[0]) }) {
        s.f[0] = (if (s.u[2] / (0xc_u32 | 1)) == s.u[1].swap_bytes() { (if s.d[1] < s.d[0] { s.f[2] } else { s.f[1] }) } else { canonical32((420.4375_f32) + s.f[2]) });
        s.f[0] = canonical32(canonical64(s.d[0] + (-125.734375_f64)) as f32);
    } else {
        if (s.u[2] as f64) == canonical64(s.d[2] * (-90.1875_f64)) {
            s.d[1] = canonical64(s.d[0] / s.d[1]);
            s.f[0] = s.f[1];
        } else {
            s.w[2] = (s.w[2] % (s.w[1] | 1));
            s.d[2] = s.d[0];
        }
        s.w[0] = ((s.w[2] as i64).wrapping_shr(s.u[2]) as u64).saturating_sub((s.w[1] |s.w[2]));
    }
    if ((((0x385_u32 as u64).wrapping_mul(s.u[3] as u64) as i64).wrapping_shr(s.u[1].wrapping_sub(s.u[3])) as u64) as i64) <= (((s.w[2].trailing_zeros() as u64) ^(s.u[2] as u64).wrapping_mul(s.u[3] as u64)) as i64) {
        match ((s.u[3] as u16).max(s.u[1] as u16) as u32) % 5 {
            0 => {
                s.w[1] = ((s.w[1] as i64).wrapping_shr(s.u[0]) as u64);
            }
            1 => {
                s.u[0] = ((s.u[2] as i32).wrapping_rem((s.u[0] | 1) as i32) as u32);
            }
            3 => {
                s.f[2] = canonical32(s.f[1] - (102.890625_f32));
            }
            _ => {
                s.w[0] = ((0x1c_u64 as i64).saturating_add(s.w[0] as i64) as u64);
            }
        }
        if s.f[1] >= canonical32((-202.0_f32) + s.f[0]) {
            s.d[0] = canonical64(s.d[0] + (-204.90625_f64));
            s.f[0] = canonical32(s.f[0] - (83.21875_f32));
        } else {
            s.d[2] = (if s.w[1] < s.w[1] { s.d[1] } else { s.d[2] });
            s.f[1] = canonical32(s.d[0] as f32);
        }
    } else {
        if canonical64(s.d[0].abs()) < (if s.u[1] == s.u[2] { s.d[1] } else { s.d[0] }) {
            s.w[2] = s.w[2].wrapping_mul(s.w[2]);
            s.bytes[(0x27f7b20f_u32.rotate_right(0x2ccb87_u32 % 32) % 16) as usize] = ((s.w[0] &s.w[2]) >> 5) as u8;
        } else {
            s.bytes[((s.u[1] ^0xb296ac_u32) % 16) as usize] = (((s.w[2] as i64).wrapping_div((s.w[0] | 1) as i64) as u64) >> 5) as u8;
            s.bytes[((0x125e2_u32 / (s.u[3] | 1)) % 16) as usize] = (s.w[0].wrapping_mul(s.w[1]) >> 5) as u8;
        }
        s.f[0] = canonical32(canonical32(s.f[0] - s.f[2]) - (346.6875_f32));
    }
    s.u[0] = s.u[1];
    match s.u[0].wrapping_sub(s.u[2]) % 5 {
        0 => {
            s.w[1] = s.w[0].wrapping_sub(s.w[0]).wrapping_shr(((s.u[1] as i8).wrapping_add(s.u[1] as i8) as u32) % 64);
        }
        1 => {
            s.u[3] = (s.u[0].wrapping_add(s.u[1]) & !((s.u[0] as u8).wrapping_mul(0x9_u32 as u8) as u32));
        }
        3 => {
            s.w[0] = s.w[2];
        }
        _ => {
            s.bytes[(s.u[3].wrapping_add(s.u[0]) % 16) as usize] = ((((s.w[2] / (s.w[0] | 1)) as u8).max(((s.w[2] as i64).min(s.w[0] as i64) as u64) as u8) as u64) >> 5) as u8;
        }
    }
}

pub fn kernel_8(warp: &mut impl Warp) {
    warp.each(|s| part_8_0(s));
    warp.shuffle(3, 3, 3);
    warp.each(|s| part_8_1(s));
    warp.shuffle(3, 3, 3);
    warp.each(|s| part_8_2(s));
    warp.sum_among(0, 0, 3);
}

#[inline(never)]
fn function_9(s: &mut State, a: u32, b: f64) -> u64 {
    match (s.d[1] as u32) % 5 {
        0 => {
            s.bytes[(s.u[2].wrapping_mul(s.u[0]) % 16) as usize] = (((s.w[2] as i64).max(s.w[0] as i64) as u64) >> 5) as u8;
        }
        1 => {
            s.u[3] = ((s.w[0] >> 30) as u32);
        }
        3 => {
            s.d[1] = canonical64((660.015625_f64).abs());
        }
        _ => {
            s.d[2] = (if s.d[2] <= s.d[0] { s.d[2] } else { s.d[0] });
        }
    }
    match s.u[0].wrapping_add(s.u[3]) % 5 {
        0 => {
            s.f[0] = canonical32(s.f[2] + s.f[0]);
        }
        1 => {
            s.w[2] = s.w[2];
        }
        3 => {
            s.w[2] = s.w[2].wrapping_sub(s.w[0]);
        }
        _ => {
            s.f[2] = canonical32(s.d[2] as f32);
        }
    }
    ((0x2c7b_u64 as i64).wrapping_shr(s.u[2]) as u64).wrapping_add(((s.w[1] as i64).saturating_add(s.w[0] as i64) as u64)) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_9_0(s: &mut State) {
    for i in 0..s.u[3] % 4 {
        match ((s.u[0] as i32).wrapping_shr(s.u[0]) as u32) % 5 {
            0 => {
                s.w[1] = s.w[1].abs_diff(0x3c20f_u64);
            }
            1 => {
                s.bytes[(s.u[1].wrapping_add(s.u[3]) % 16) as usize] = (((s.w[1] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) >> 5) as u8;
            }
            3 => {
                s.d[2] = canonical64(s.d[1] + (721.921875_f64));
            }
            _ => {
                s.w[2] = s.w[1].wrapping_sub(0x3d9e94c_u64);
            }
        }
        for i in 0..(s.u[3] & !s.u[3]) % 4 {
            s.bytes[(((0xd4_u64 >> 28) as u32) % 16) as usize] = (s.w[1].abs_diff(s.w[1]) >> 5) as u8;
            s.f[0] = canonical32((704.6875_f32).copysign((-225.984375_f32)));
            s.u[2] ^= i;
        }
        s.u[3] ^= i;
    }
    if 0x602619_u64 > s.w[1] {
        s.u[0] = 0x1e_u32.wrapping_shr(s.u[0] % 32).wrapping_shr(s.u[0].saturating_sub(s.u[0]) % 32);
        s.f[0] = canonical32(canonical32(s.f[2] + (525.71875_f32)) / canonical32(s.f[2] / s.f[1]));
    } else {
        if canonical64(s.d[1] / s.d[2]) <= canonical64((670.65625_f64) - s.d[2]) {
            s.bytes[(((s.u[1] as i32).wrapping_shr(0x2_u32) as u32) % 16) as usize] = (s.w[2].saturating_add(s.w[0]) >> 5) as u8;
            s.bytes[((s.u[3] &s.u[1]) % 16) as usize] = ((s.u[2] as u64).wrapping_mul(s.u[0] as u64) >> 5) as u8;
        } else {
            s.bytes[(s.u[3].wrapping_sub(s.u[2]) % 16) as usize] = (0x13_u64.wrapping_sub(s.w[1]) >> 5) as u8;
            s.f[2] = canonical32(s.f[1] * s.f[0]);
        }
        s.f[0] = (if ((s.w[0].leading_zeros() as u64) as i64) >= ((s.w[0] |s.w[1]) as i64) { canonical32(s.f[0] * (67.8125_f32)) } else { canonical32((85.953125_f32) / s.f[2]) });
    }
    s.w[0] = (((((s.u[0] as u64).wrapping_mul(s.u[0] as u64) as i64).wrapping_shr(((s.u[3] as i32).wrapping_rem((0x1100_u32 | 1) as i32) as u32)) as u64) as i8).max(((s.w[2] as i64).wrapping_div((s.w[0] | 1) as i64) as u64).rotate_left(s.u[0].saturating_add(s.u[0]) % 64) as i8) as u64);
    if canonical32(canonical32(s.f[1].copysign(s.f[1])) - (s.u[0] as i32 as f32)) >= canonical32((if s.f[2] != s.f[0] { s.f[1] } else { s.f[1] }) - canonical32(s.f[1] - s.f[1])) {
        s.u[3] = s.u[1];
        if (((0x184ec88_u64 as i64).wrapping_rem((s.w[1] | 1) as i64) as u64) as i64) > (((s.w[0] as i16).wrapping_add(s.w[0] as i16) as u64) as i64) {
            s.bytes[((s.f[2] as i32 as u32) % 16) as usize] = (s.w[2].wrapping_mul(s.w[2]) >> 5) as u8;
            s.bytes[(s.u[0].saturating_sub(s.u[0]) % 16) as usize] = (s.w[1] >> 5) as u8;
        } else {
            s.u[1] = s.u[0].reverse_bits();
            s.w[1] = (s.u[2] as u64).wrapping_mul(s.u[3] as u64);
        }
    } else {
        match s.u[1].saturating_add(0x1a6bc_u32) % 5 {
            0 => {
                s.w[0] = (0x11e353_u64 ^0x5e_u64);
            }
            1 => {
                s.d[1] = canonical64(s.d[0] / (516.453125_f64));
            }
            3 => {
                s.d[1] = (s.w[2] as f64);
            }
            _ => {
                s.w[1] = (0x178_u64 ^s.w[0]);
            }
        }
        s.f[0] = canonical32(canonical32(s.f[1] + (135.015625_f32)) * canonical32(s.f[0] / s.f[2]));
    }
    s.d[2] = canonical64(canonical64(canonical64(s.d[0] - s.d[0]) + canonical64((581.6875_f64) - s.d[0])) - canonical64(canonical64(s.d[2] - s.d[1]) / canonical64((-127.59375_f64) + s.d[1])));
    s.bytes[(s.u[2].abs_diff(s.u[3]) % 16) as usize] = (((0xfdb87f9_u64 as i16).max(((((s.w[0] as i64).wrapping_shr(s.u[1]) as u64) as i64).wrapping_rem((s.w[2].wrapping_add(s.w[1]) | 1) as i64) as u64) as i16) as u64) >> 5) as u8;
    for i in 0..s.u[0].wrapping_mul(s.u[2]) % 4 {
        s.w[0] = (((0xa_u64.leading_zeros() as u64) as i16).wrapping_add((s.w[0] / (s.w[2] | 1)) as i16) as u64);
        if (s.u[2].swap_bytes() as i32) > (s.u[0].wrapping_sub(s.u[1]) as i32) {
            s.bytes[(((s.w[1] >> 5) as u32) % 16) as usize] = ((s.w[0] / (0x15de336_u64 | 1)) >> 5) as u8;
            s.f[0] = canonical32(s.f[2] * s.f[0]);
        } else {
            s.w[1] = s.w[0].rotate_right(s.u[0] % 64);
            s.d[2] = canonical64(s.d[2] / s.d[0]);
        }
        s.u[0] ^= i;
    }
}

fn part_9_1(s: &mut State) {
    s.d[2] = s.d[1];
    s.f[0] = canonical32(s.d[0] as f32);
    match 0x41_u32.wrapping_mul(s.u[0]) % 5 {
        0 => {
            s.d[1] = canonical64((if s.d[0] <= s.d[1] { (-56.359375_f64) } else { s.d[1] }) / canonical64((-210.125_f64) / s.d[1]));
        }
        1 => {
            match (s.u[0] & !s.u[3]) % 5 {
                0 => {
                    s.f[1] = canonical32(s.d[2] as f32);
                }
                1 => {
                    s.w[0] = ((s.w[2] as i64).min(s.w[2] as i64) as u64);
                }
                3 => {
                    s.d[2] = (0xd4_u32 as f64);
                }
                _ => {
                    s.u[3] = (s.u[3] & !s.u[1]);
                }
            }
        }
        3 => {
            s.bytes[(0x75e5e_u32.wrapping_mul(s.u[1]) % 16) as usize] = (((((s.w[1] as i8).wrapping_mul(s.w[0] as i8) as u64) as i64).wrapping_shr(s.u[3].wrapping_mul(0x18d82d8_u32)) as u64) >> 5) as u8;
        }
        _ => {
            s.w[2] = (((s.w[0] as u16).max(s.w[1] as u16) as u64).trailing_zeros() as u64);
        }
    }
    s.w[1] = (s.w[2] & !s.w[0]).reverse_bits().saturating_add((s.f[0] as i64 as u64).wrapping_shr(((s.u[2] as u8).max(s.u[1] as u8) as u32) % 64));
    s.f[1] = canonical32(canonical32(canonical32(s.f[2] + s.f[2]) - canonical32(s.d[2] as f32)).abs());
    for i in 0..s.u[1] % 4 {
        if ((TABLE[(s.w[1] % 16) as usize] as u64) as i64) == ((s.w[2].count_ones() as u64) as i64) {
            s.bytes[((s.u[2] % (s.u[3] | 1)) % 16) as usize] = (((s.w[2] as i64).min(s.w[0] as i64) as u64) >> 5) as u8;
            s.u[0] = s.u[0].saturating_sub(s.u[1]);
        } else {
            s.u[1] = 0x1f7_u32;
            s.w[1] = s.w[2].wrapping_mul(s.w[0]);
        }
        s.d[1] = canonical64(canonical64(s.d[1] + s.d[0]).copysign(canonical64((593.4375_f64) * (561.53125_f64))));
        s.u[1] ^= i;
    }
    if canonical64(canonical64(s.d[1].copysign(s.d[0])) / (if s.d[0] <= s.d[0] { s.d[0] } else { s.d[1] })) <= s.d[2] {
        if (((s.u[1] as i32).min(s.u[2] as i32) as u32) as i32) < ((s.u[1].leading_zeros() as u32) as i32) {
            s.u[3] = s.u[3];
            s.bytes[(s.u[0] % 16) as usize] = ((0x1_u64 & !s.w[0]) >> 5) as u8;
        } else {
            s.f[1] = canonical32(s.f[2] + s.f[1]);
            s.w[0] = (s.u[3] as u64).wrapping_mul(0x5a0_u32 as u64);
        }
        match s.u[1].wrapping_sub(s.u[3]) % 5 {
            0 => {
                s.d[1] = canonical64(s.d[1] + (278.546875_f64));
            }
            1 => {
                s.bytes[(0x7dfc390_u32.saturating_sub(s.u[2]) % 16) as usize] = (((s.w[1] as i64).min(s.w[1] as i64) as u64) >> 5) as u8;
            }
            3 => {
                s.d[0] = canonical64(s.d[2] - s.d[1]);
            }
            _ => {
                s.bytes[(((s.u[3] as i32).wrapping_shr(0xa8_u32) as u32) % 16) as usize] = (s.w[2] >> 5) as u8;
            }
        }
    } else {
        if canonical64(s.d[0] * (54.484375_f64)) >= canonical64(s.d[0] / s.d[0]) {
            s.d[1] = canonical64(s.d[0] * s.d[1]);
            s.d[2] = canonical64(s.d[2] * s.d[0]);
        } else {
            s.f[2] = canonical32((201.125_f32) * (-265.078125_f32));
            s.w[2] = s.w[0].swap_bytes();
        }
        s.d[2] = s.d[0];
    }
    let (a, b) = ((s.u[2] &s.u[2]), (-68.015625_f64));
    s.w[0] = function_9(s, a, b);
}

fn part_9_2(s: &mut State) {
    match s.u[3].wrapping_sub(0x56ba00_u32) % 5 {
        0 => {
            s.u[3] = (s.u[2] &s.u[0].swap_bytes());
        }
        1 => {
            for i in 0..(s.u[3] &0x185410_u32) % 4 {
                s.bytes[(s.u[1] % 16) as usize] = (s.w[2] >> 5) as u8;
                s.d[2] = canonical64((-205.53125_f64).copysign((-252.515625_f64)));
                s.u[2] ^= i;
            }
        }
        3 => {
            s.u[0] = ((s.bytes[(s.u[0] % 16) as usize] as u32) |s.u[2].swap_bytes());
        }
        _ => {
            s.u[0] = (0x837e7_u32 ^0x1a0a16e_u32.reverse_bits());
        }
    }
    s.w[1] = (((s.w[0] / (s.w[1] | 1)).wrapping_add((s.w[1].count_ones() as u64)) as i64).wrapping_shr(((0x2_u32 as i32).wrapping_shr(0xa6e_u32) as u32).wrapping_sub(s.u[3].reverse_bits())) as u64);
    if canonical64(canonical64((-239.484375_f64) * (367.46875_f64)) * canonical64((203.953125_f64).copysign(s.d[2]))) < canonical64(canonical64((523.1875_f64) * s.d[2]) - canonical64(s.d[1] - s.d[2])) {
        match 0x0_u32.wrapping_mul(s.u[2]) % 5 {
            0 => {
                s.d[0] = canonical64(s.d[1] / s.d[1]);
            }
            1 => {
                s.f[1] = (if (s.w[0] as i64) >= (s.w[2] as i64) { s.f[1] } else { s.f[0] });
            }
            3 => {
                s.u[2] = ((s.u[1] as i32).max(s.u[1] as i32) as u32);
            }
            _ => {
                s.bytes[(((s.w[1] >> 17) as u32) % 16) as usize] = ((s.w[0] & !s.w[0]) >> 5) as u8;
            }
        }
        match ((s.u[2] as i32).wrapping_shr(s.u[2]) as u32) % 5 {
            0 => {
                s.bytes[(((s.u[2] as i32).min(s.u[0] as i32) as u32) % 16) as usize] = (((s.w[0] as i64).min(s.w[2] as i64) as u64) >> 5) as u8;
            }
            1 => {
                s.u[0] = 0x3d3129_u32.saturating_sub(s.u[3]);
            }
            3 => {
                s.u[2] = ((s.u[0] as i32).wrapping_div((0x33cdd35_u32 | 1) as i32) as u32);
            }
            _ => {
                s.d[1] = (-38.90625_f64);
            }
        }
    } else {
        if canonical64(s.d[0] - s.d[1]) >= canonical64(s.d[0] / s.d[1]) {
            s.bytes[(((s.u[3] as i32).wrapping_shr(s.u[2]) as u32) % 16) as usize] = ((s.bytes[(s.w[2] % 16) as usize] as u64) >> 5) as u8;
            s.u[2] = ((s.w[0] >> 20) as u32);
        } else {
            s.w[2] = s.w[0].abs_diff(s.w[1]);
            s.d[0] = (s.f[0] as f64);
        }
        if s.u[1].swap_bytes() < ((s.w[0] >> 19) as u32) {
            s.d[0] = s.d[0];
            s.u[3] = s.u[2];
        } else {
            s.w[0] = (s.w[2].leading_zeros() as u64);
            s.bytes[((TABLE[(s.u[2] % 16) as usize] as u32) % 16) as usize] = ((s.w[2] & !s.w[1]) >> 5) as u8;
        }
    }
    s.w[1] = ((0x2_u64 as i64).max((((s.w[1] as i64).wrapping_shr(s.u[3]) as u64) &(0x97e7e_u32 as u64).wrapping_mul(s.u[3] as u64)) as i64) as u64);
    s.f[1] = (if ((0x34a3_u64 |s.w[2]) as i64) > (0x51243_u64.reverse_bits() as i64) { canonical32(s.f[1] * s.f[2]) } else { canonical32(canonical32(s.f[2] * s.f[1]) - canonical32(s.f[2] * (715.28125_f32))) });
    s.w[2] = ((((0x297_u32 % (s.u[0] | 1)) as i32).wrapping_shr(s.u[0]) as u32) as u64).wrapping_mul(((0xf4ec69a_u32 as u16).wrapping_mul((s.u[0].leading_zeros() as u32) as u16) as u32) as u64);
    s.f[1] = s.f[2];
}

pub fn kernel_9(warp: &mut impl Warp) {
    warp.each(|s| part_9_0(s));
    warp.ballot(0, 1);
    warp.each(|s| part_9_1(s));
    warp.sum_among(0, 2, 0);
    warp.each(|s| part_9_2(s));
    warp.shuffle(1, 3, 2);
}

#[inline(never)]
fn function_10(s: &mut State, a: u32, b: f64) -> u64 {
    if s.w[2].wrapping_add(s.w[1]) < (0x59e4620_u64 % (s.w[1] | 1)) {
        s.d[0] = canonical64(s.d[2] / (517.21875_f64));
        s.d[2] = canonical64(s.d[0] / s.d[2]);
    } else {
        s.u[0] = ((s.u[2] as i32).wrapping_shr(s.u[2]) as u32);
        s.u[1] = ((0x1222b33_u32 as i32).wrapping_shr(s.u[0]) as u32);
    }
    s.d[0] = (((0x1_u32 as u16).wrapping_add(s.u[2] as u16) as u32) as i32 as f64);
    (0x6b449ebf_u32.wrapping_sub(s.u[3]) as u64).wrapping_mul((s.u[1] & !s.u[1]) as u64) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_10_0(s: &mut State) {
    match (s.u[1] / (s.u[3] | 1)) % 5 {
        0 => {
            match s.u[0].max(s.u[2]) % 5 {
                0 => {
                    s.bytes[(((s.u[0] as i32).saturating_sub(s.u[0] as i32) as u32) % 16) as usize] = ((s.u[2] as u64).wrapping_mul(s.u[2] as u64) >> 5) as u8;
                }
                1 => {
                    s.u[3] = ((s.u[0] as i32).min(s.u[0] as i32) as u32);
                }
                3 => {
                    s.w[2] = (s.w[0].leading_zeros() as u64);
                }
                _ => {
                    s.u[2] = ((s.u[2] as i32).wrapping_rem((s.u[2] | 1) as i32) as u32);
                }
            }
        }
        1 => {
            s.bytes[((s.f[0] as i32 as u32) % 16) as usize] = ((s.w[2] &s.w[0]).wrapping_mul((s.u[1] as u64).wrapping_mul(s.u[0] as u64)) >> 5) as u8;
        }
        3 => {
            s.f[0] = canonical32(s.f[0].abs());
        }
        _ => {
            s.w[2] = s.w[2];
        }
    }
    s.w[2] = ((((s.w[2] as i64).saturating_add(0x2147b51c_u64 as i64) as u64).wrapping_sub(((s.w[1] as i64).wrapping_shr(s.u[2]) as u64)) as i8).wrapping_add((s.w[1] |s.w[1]).wrapping_sub(s.w[2].rotate_left(s.u[1] % 64)) as i8) as u64);
    s.d[0] = canonical64(canonical64(canonical64(s.d[1] + s.d[0]) / canonical64(s.d[1] * s.d[1])) + canonical64(canonical64(s.d[1] + s.d[2]) - canonical64(s.d[0] / s.d[2])));
    if (((s.u[3].swap_bytes() as i32).wrapping_div((((s.w[2] >> 32) as u32) | 1) as i32) as u32) as i32) >= (((s.u[1] as u16).max(s.u[3] as u16) as u32).saturating_sub(((s.w[2] >> 20) as u32)) as i32) {
        s.f[2] = canonical32(canonical32(s.f[2] / (-60.4375_f32)) / canonical32(s.f[2] - s.f[2]));
        match ((s.w[0] >> 16) as u32) % 5 {
            0 => {
                s.bytes[(((s.u[1] as i32).wrapping_shr(s.u[3]) as u32) % 16) as usize] = ((s.w[2] / (0x4ad_u64 | 1)) >> 5) as u8;
            }
            1 => {
                s.d[2] = canonical64(s.d[2].copysign(s.d[1]));
            }
            3 => {
                s.d[1] = (s.w[2] as i32 as f64);
            }
            _ => {
                s.d[2] = canonical64(s.d[2] / (326.140625_f64));
            }
        }
    } else {
        match (s.u[2] & !s.u[0]) % 5 {
            0 => {
                s.u[2] = ((s.u[3] as i32).wrapping_shr(s.u[3]) as u32);
            }
            1 => {
                s.u[1] = 0x104de_u32.wrapping_mul(s.u[3]);
            }
            3 => {
                s.f[1] = canonical32(s.f[1] - s.f[0]);
            }
            _ => {
                s.d[0] = canonical64(s.d[0] / s.d[1]);
            }
        }
        for i in 0..(s.u[2].leading_zeros() as u32) % 4 {
            s.w[1] = (0x677592_u64 / (0xc35f8_u64 | 1));
            s.w[2] = (s.u[2] as u64).wrapping_mul(s.u[2] as u64);
            s.u[3] ^= i;
        }
    }
    match ((s.w[0] >> 4) as u32) % 5 {
        0 => {
            for i in 0..((s.u[1] as i16).wrapping_mul(s.u[2] as i16) as u32) % 4 {
                s.f[0] = (0x12066_u32 as f32);
                s.f[0] = canonical32(s.f[1].copysign(s.f[0]));
                s.u[2] ^= i;
            }
        }
        1 => {
            for i in 0..0x335a_u32.reverse_bits() % 4 {
                s.bytes[(((0x497c76b_u32 as i32).min(0x4fc1febe_u32 as i32) as u32) % 16) as usize] = (s.w[1].wrapping_add(s.w[1]) >> 5) as u8;
                s.d[1] = s.d[0];
                s.u[3] ^= i;
            }
        }
        3 => {
            if ((444.875_f32) as i32 as u32) != s.u[1].rotate_left(0x5_u32 % 32) {
                s.f[2] = (s.u[0] as f32);
                s.w[2] = (s.w[1] % (s.w[1] | 1));
            } else {
                s.w[1] = s.w[0].wrapping_sub(0x2_u64);
                s.w[2] = (s.w[1] ^s.w[2]);
            }
        }
        _ => {
            s.d[1] = canonical64(canonical64((-191.703125_f64).copysign(s.d[2])) * canonical64(s.d[0].abs()));
        }
    }
    s.u[0] = ((s.u[1] as i32).wrapping_shr(s.u[2]) as u32).reverse_bits().wrapping_add((s.u[2].wrapping_mul(s.u[0]) &(s.u[0] / (0x2d3343_u32 | 1))));
    s.w[2] = (((((s.w[1] as i8).wrapping_add(s.w[0] as i8) as u64) as i64).wrapping_div((s.w[0].wrapping_add(0x589_u64) | 1) as i64) as u64) % ((s.d[2] as u64).wrapping_add(((s.w[2] as i64).wrapping_shr(0x7b04a9fd_u32) as u64)) | 1));
}

fn part_10_1(s: &mut State) {
    s.f[1] = canonical32(canonical32(canonical32(s.f[1] * s.f[0]) / canonical32(s.f[1] * s.f[1])) + s.f[0]);
    match s.u[1] % 5 {
        0 => {
            if canonical64(s.d[1].copysign(s.d[1])) < canonical64(s.d[0] - s.d[1]) {
                s.w[2] = s.w[0].wrapping_mul(s.w[1]);
                s.u[2] = ((0x2_u32 as i32).wrapping_shr(s.u[3]) as u32);
            } else {
                s.d[1] = (s.f[1] as f64);
                s.u[3] = (s.u[2] &s.u[3]);
            }
        }
        1 => {
            s.w[2] = s.w[1];
        }
        3 => {
            if canonical64(s.d[2] / s.d[2]) != canonical64(s.d[1] - s.d[2]) {
                s.w[2] = s.w[2].wrapping_sub(s.w[2]);
                s.bytes[((s.bytes[(s.u[1] % 16) as usize] as u32) % 16) as usize] = (s.w[2].wrapping_sub(s.w[2]) >> 5) as u8;
            } else {
                s.u[3] = s.u[2].max(s.u[3]);
                s.d[2] = (if s.f[0] == s.f[2] { s.d[1] } else { s.d[0] });
            }
        }
        _ => {
            if canonical64((369.5625_f64) / s.d[2]) < canonical64(s.d[2] + s.d[1]) {
                s.f[1] = canonical32(s.d[1] as f32);
                s.d[2] = canonical64(s.d[1].copysign(s.d[0]));
            } else {
                s.bytes[(s.u[3] % 16) as usize] = (0x16_u64.wrapping_add(s.w[1]) >> 5) as u8;
                s.d[1] = canonical64(s.d[2] * s.d[1]);
            }
        }
    }
    if ((((s.u[1] as i32).wrapping_shr(s.u[3]) as u32) % (s.u[0] | 1)) as i32) != (s.u[1].wrapping_sub(((0x111b6d20_u64 >> 31) as u32)) as i32) {
        if (((s.u[3] as i32).wrapping_shr(s.u[2]) as u32) as i32) <= (((s.u[0] as i32).wrapping_div((s.u[3] | 1) as i32) as u32) as i32) {
            s.w[1] = s.w[1];
            s.f[2] = canonical32(s.f[2] - (319.0_f32));
        } else {
            s.u[0] = ((s.u[3] as i32).wrapping_shr(s.u[3]) as u32);
            s.u[3] = s.u[0].saturating_add(0x54a82_u32);
        }
        if (s.w[2] |s.w[1]) <= s.w[1].abs_diff(s.w[1]) {
            s.bytes[(s.u[3].min(0x301_u32) % 16) as usize] = (((0x1ffa1bb6_u64 as i64).wrapping_shr(0x1f5f_u32) as u64) >> 5) as u8;
            s.bytes[(s.u[1].swap_bytes() % 16) as usize] = ((s.w[0] & !s.w[2]) >> 5) as u8;
        } else {
            s.bytes[((s.u[1] % (0x13bf_u32 | 1)) % 16) as usize] = ((s.bytes[(s.w[0] % 16) as usize] as u64) >> 5) as u8;
            s.f[0] = canonical32(s.f[1] / (571.359375_f32));
        }
    } else {
        for i in 0..(s.u[1] |0x199d0_u32) % 4 {
            s.f[1] = canonical32((435.453125_f32) / s.f[2]);
            s.w[2] = (s.w[2] &s.w[2]);
            s.u[3] ^= i;
        }
        s.w[0] = (0x79d059e_u64 & !s.w[2]).saturating_sub((s.u[3] as u64).wrapping_mul(s.u[1] as u64));
    }
    if ((s.u[3].min(s.u[1]).leading_zeros() as u32) as i32) == ((s.u[3] ^0x2fc_u32.reverse_bits()) as i32) {
        if canonical32(s.f[2].copysign(s.f[1])) >= canonical32(s.f[1] / s.f[0]) {
            s.u[2] = s.u[2].reverse_bits();
            s.u[2] = ((s.u[2] as i32).wrapping_shr(0x1b7b3504_u32) as u32);
        } else {
            s.w[1] = (s.w[1] & !0x5dbc864_u64);
            s.d[0] = canonical64(s.d[1] + (230.75_f64));
        }
        s.f[1] = canonical32(canonical32(s.f[0].abs()).abs());
    } else {
        s.w[0] = (0x39a350f_u32 as u64).wrapping_mul(s.u[0] as u64);
        s.f[2] = canonical32(canonical32(s.f[2] / s.f[0]) * (if (404.3125_f32) != s.f[2] { (435.609375_f32) } else { s.f[0] }));
    }
    s.w[0] = (((s.w[0] |s.w[0]).leading_zeros() as u64) % ((((s.u[1] as u64).wrapping_mul(s.u[1] as u64) as i64).max(s.w[0] as i64) as u64) | 1));
    s.d[1] = canonical64(((0x387f6c_u32 |s.u[3]) as i32 as f64) - canonical64(s.d[1] * (if s.f[1] == s.f[2] { (107.5_f64) } else { s.d[0] })));
    s.d[2] = s.d[2];
    let (a, b) = (s.u[3].rotate_left(s.u[2] % 32), canonical64((513.890625_f64) + (682.46875_f64)));
    s.w[0] = function_10(s, a, b);
}

fn part_10_2(s: &mut State) {
    if canonical64((s.f[2] as f64) - canonical64(s.d[0] + s.d[2])) == canonical64((s.f[1] as f64) * (s.w[2] as f64)) {
        match (TABLE[(0x59_u32 % 16) as usize] as u32) % 5 {
            0 => {
                s.u[0] = s.u[0].wrapping_shr(s.u[0] % 32);
            }
            1 => {
                s.w[0] = s.w[2].wrapping_add(0x7ae6_u64);
            }
            3 => {
                s.w[0] = 0x13f27_u64.wrapping_sub(s.w[0]);
            }
            _ => {
                s.u[1] = s.u[1].rotate_right(s.u[3] % 32);
            }
        }
        s.f[2] = s.f[0];
    } else {
        s.f[2] = canonical32((586.609375_f32) / canonical32(s.f[0] + (123.15625_f32)));
        s.f[0] = canonical32(s.d[2] as f32);
    }
    s.w[0] = s.w[1].wrapping_mul((TABLE[(s.w[1].wrapping_shr(s.u[3] % 64) % 16) as usize] as u64));
    s.u[3] = (((s.u[3] as i16).max(s.u[0] as i16) as u32).wrapping_mul((s.d[0] as u32)) % (s.u[3].wrapping_mul(s.u[0].wrapping_shr(s.u[1] % 32)) | 1));
    if canonical64(canonical64((-195.34375_f64).copysign(s.d[0])).abs()) < canonical64((if s.f[0] >= s.f[1] { s.d[1] } else { s.d[1] }) + (if s.d[2] < s.d[1] { (-118.46875_f64) } else { (562.15625_f64) })) {
        s.bytes[((s.u[2] % (0x7bffe_u32 | 1)) % 16) as usize] = ((s.w[0] % (s.w[2] | 1)).wrapping_sub(s.w[1].rotate_left(0x6ce9_u32 % 64)) >> 5) as u8;
        if canonical64(s.d[0] / s.d[0]) < canonical64(s.d[2] + s.d[0]) {
            s.d[1] = canonical64(s.d[2] - s.d[2]);
            s.bytes[(s.u[1] % 16) as usize] = (((s.w[1] as i64).max(s.w[0] as i64) as u64) >> 5) as u8;
        } else {
            s.w[0] = (s.w[1] &s.w[0]);
            s.w[1] = (s.w[2] % (s.w[1] | 1));
        }
    } else {
        if (0x211e7_u32.wrapping_mul(s.u[1]) as i32) >= (((s.u[2] as i32).saturating_add(s.u[2] as i32) as u32) as i32) {
            s.u[1] = s.u[3];
            s.d[2] = (s.w[0] as f64);
        } else {
            s.u[2] = (s.u[2].leading_zeros() as u32);
            s.w[0] = s.w[1].rotate_left(s.u[3] % 64);
        }
        if canonical32((721.34375_f32) - s.f[1]) > (if s.f[1] >= s.f[0] { s.f[2] } else { s.f[1] }) {
            s.bytes[(((0x38c6d2_u32 as i32).wrapping_rem((0xca_u32 | 1) as i32) as u32) % 16) as usize] = (0x165575e6_u64.rotate_right(s.u[0] % 64) >> 5) as u8;
            s.d[0] = canonical64(s.d[0] * s.d[1]);
        } else {
            s.bytes[(s.u[2].wrapping_add(s.u[1]) % 16) as usize] = (s.w[0].wrapping_sub(s.w[2]) >> 5) as u8;
            s.bytes[(((s.u[1] as i32).wrapping_shr(s.u[0]) as u32) % 16) as usize] = ((s.u[2] as u64).wrapping_mul(0x2e_u32 as u64) >> 5) as u8;
        }
    }
    s.d[1] = (canonical32(canonical32(s.f[2] - s.f[2]).copysign(canonical32(s.f[1] - s.f[2]))) as f64);
    if s.u[1] == (canonical32(s.d[1] as f32) as i32 as u32) {
        s.f[0] = canonical32(canonical32((-27.046875_f32) / (304.21875_f32)).copysign(canonical32(s.f[1] - s.f[2])));
        s.u[1] = ((s.u[1] as i32).wrapping_rem((s.u[3] | 1) as i32) as u32).wrapping_shl(((0x0_u32 as i32).min(s.u[3] as i32) as u32) % 32);
    } else {
        match s.u[1].min(s.u[1]) % 5 {
            0 => {
                s.w[1] = (s.w[1] & !s.w[1]);
            }
            1 => {
                s.f[1] = (s.u[0] as f32);
            }
            3 => {
                s.w[2] = s.w[1];
            }
            _ => {
                s.d[2] = canonical64(s.d[1] - s.d[1]);
            }
        }
        match (s.u[3].count_ones() as u32) % 5 {
            0 => {
                s.bytes[((s.u[2] % (s.u[3] | 1)) % 16) as usize] = ((s.w[0] & !s.w[2]) >> 5) as u8;
            }
            1 => {
                s.bytes[(s.u[0].wrapping_sub(s.u[1]) % 16) as usize] = ((TABLE[(0x2f55340_u64 % 16) as usize] as u64) >> 5) as u8;
            }
            3 => {
                s.bytes[(((s.u[2] as i32).saturating_sub(0xd9e3d_u32 as i32) as u32) % 16) as usize] = (s.w[0] >> 5) as u8;
            }
            _ => {
                s.w[2] = (s.w[0] / (s.w[2] | 1));
            }
        }
    }
    for i in 0..s.u[3] % 4 {
        s.u[0] = (((s.w[2] |0x178f94_u64) >> 19) as u32);
        for i in 0..((s.w[0] >> 11) as u32) % 4 {
            s.w[0] = ((s.w[2] as u16).wrapping_add(s.w[2] as u16) as u64);
            s.w[2] = 0x164fd1_u64.swap_bytes();
            s.u[2] ^= i;
        }
        s.u[0] ^= i;
    }
}

pub fn kernel_10(warp: &mut impl Warp) {
    warp.each(|s| part_10_0(s));
    warp.ballot(1, 1);
    warp.each(|s| part_10_1(s));
    warp.ballot(1, 0);
    warp.each(|s| part_10_2(s));
    warp.shuffle(2, 1, 3);
}

#[inline(never)]
fn function_11(s: &mut State, a: u32, b: f64) -> u64 {
    s.bytes[(((s.u[2] as i32).wrapping_shr(s.u[3]) as u32) % 16) as usize] = ((((s.w[0] as u16).wrapping_mul(0x12a_u64 as u16) as u64) % (s.w[0].wrapping_mul(s.w[1]) | 1)) >> 5) as u8;
    match s.u[0].wrapping_shr(s.u[3] % 32) % 5 {
        0 => {
            s.u[1] = ((s.u[1] as i32).max(s.u[3] as i32) as u32);
        }
        1 => {
            s.d[2] = canonical64(s.d[1] - (83.015625_f64));
        }
        3 => {
            s.w[2] = s.w[1].rotate_left(s.u[1] % 64);
        }
        _ => {
            s.bytes[(((s.u[2] as i16).wrapping_mul(0x3271_u32 as i16) as u32) % 16) as usize] = ((s.w[0] / (s.w[2] | 1)) >> 5) as u8;
        }
    }
    (TABLE[((0x118c_u32 as u64).wrapping_mul(s.u[3] as u64) % 16) as usize] as u64) ^ (a as u64) << 20 ^ canonical64(b).to_bits()
}

fn part_11_0(s: &mut State) {
    s.bytes[(((s.u[3] as i32).wrapping_rem((s.u[2] | 1) as i32) as u32) % 16) as usize] = (0x49020cf_u64 >> 5) as u8;
    s.f[2] = canonical32((((s.u[3] as i16).wrapping_mul(s.u[3] as i16) as u32) as i32 as f32).abs());
    s.bytes[(0x44343221_u32.reverse_bits() % 16) as usize] = (0x2db4_u64.swap_bytes().wrapping_sub((s.bytes[(s.w[2] % 16) as usize] as u64)).wrapping_add((s.w[0] &0x9fcf1_u64.wrapping_mul(s.w[1]))) >> 5) as u8;
    if (s.u[0].swap_bytes().wrapping_sub(s.u[0]) as i32) != (((s.u[2].wrapping_sub(0x17_u32) as i32).wrapping_div(((0x11a_u32 & !s.u[1]) | 1) as i32) as u32) as i32) {
        if (s.u[1] as u64).wrapping_mul(s.u[0] as u64) != ((s.w[2] as i64).wrapping_shr(0x4199f2_u32) as u64) {
            s.d[0] = s.d[1];
            s.bytes[(0x1f5_u32 % 16) as usize] = (s.w[1].saturating_add(s.w[1]) >> 5) as u8;
        } else {
            s.bytes[(((s.u[3] as i32).saturating_add(s.u[2] as i32) as u32) % 16) as usize] = (0xd87886_u64.reverse_bits() >> 5) as u8;
            s.f[1] = (s.w[2] as f32);
        }
        s.u[0] = s.u[3];
    } else {
        s.w[0] = (s.w[1].wrapping_sub(0x2a742903_u64) / (((s.w[0] as i64).max(s.w[2] as i64) as u64) | 1));
        s.d[0] = canonical64((s.f[0] as f64) * (if s.f[2] != s.f[1] { s.d[0] } else { s.d[0] }));
    }
    s.bytes[(s.u[3].swap_bytes() % 16) as usize] = ((s.w[0] &s.w[2]) >> 5) as u8;
    s.f[1] = (if s.u[1].saturating_add(s.u[3]) != ((s.w[1] >> 10) as u32) { canonical32((0x3f_u32 as i32 as f32) - canonical32(s.f[2] + s.f[0])) } else { canonical32(s.f[1] / canonical32(s.f[2] / s.f[0])) });
    s.f[2] = canonical32(canonical32(canonical32(s.f[0] - s.f[1]).copysign(s.f[1])) + canonical32((if s.f[2] <= s.f[1] { s.f[2] } else { s.f[0] }) * s.f[1]));
}

fn part_11_1(s: &mut State) {
    s.u[1] = 0x6a3_u32;
    if (if s.f[2] != (s.w[1] as f32) { canonical64(s.d[0] - s.d[1]) } else { (s.w[2] as f64) }) <= canonical64((s.u[3] as i32 as f64) - (if s.d[2] != (-231.984375_f64) { s.d[1] } else { s.d[1] })) {
        if (s.w[2].wrapping_sub(s.w[0]) as i64) <= (0x2b_u64.saturating_add(s.w[1]) as i64) {
            s.bytes[(s.u[0].wrapping_mul(s.u[3]) % 16) as usize] = ((s.w[0] &0x81_u64) >> 5) as u8;
            s.bytes[((0x89e106_u32 / (s.u[3] | 1)) % 16) as usize] = ((s.w[1].count_ones() as u64) >> 5) as u8;
        } else {
            s.u[2] = s.u[2].wrapping_mul(s.u[3]);
            s.d[0] = canonical64(s.d[2].copysign(s.d[0]));
        }
        s.f[1] = canonical32(s.f[0] * canonical32(s.d[1] as f32));
    } else {
        s.bytes[(0x2dda0_u32.rotate_left(s.u[3] % 32) % 16) as usize] = (((s.w[2].wrapping_add(s.w[1]) as i16).wrapping_add(((s.w[1] as u16).wrapping_add(s.w[2] as u16) as u64) as i16) as u64) >> 5) as u8;
        s.w[1] = 0x7bb_u64.saturating_add((s.w[0] % (s.w[2] | 1)));
    }
    if s.f[1] != (((0x71a_u32 as i32).saturating_sub(s.u[0] as i32) as u32) as f32) {
        if (s.w[1].wrapping_sub(s.w[2]) as i64) < ((0xb44a5_u32 as u64).wrapping_mul(s.u[0] as u64) as i64) {
            s.f[1] = canonical32(s.f[2] * s.f[1]);
            s.bytes[((s.u[2] ^s.u[2]) % 16) as usize] = (s.w[0].min(0x7c42_u64) >> 5) as u8;
        } else {
            s.f[0] = canonical32((-83.921875_f32) / s.f[1]);
            s.bytes[(0x3984_u32.saturating_add(0xf59_u32) % 16) as usize] = ((0x35bfa_u32 as u64).wrapping_mul(s.u[1] as u64) >> 5) as u8;
        }
        if s.w[1].reverse_bits() <= (s.w[1] |s.w[2]) {
            s.w[0] = s.w[1].abs_diff(s.w[1]);
            s.w[2] = ((s.w[2] as i64).max(s.w[0] as i64) as u64);
        } else {
            s.f[1] = canonical32(s.f[1] + s.f[1]);
            s.d[0] = (s.w[2] as i32 as f64);
        }
    } else {
        match ((s.u[3] as i32).wrapping_div((s.u[2] | 1) as i32) as u32) % 5 {
            0 => {
                s.w[2] = s.w[1].swap_bytes();
            }
            1 => {
                s.u[1] = ((s.u[0] as u16).wrapping_add(s.u[0] as u16) as u32);
            }
            3 => {
                s.d[1] = canonical64(s.d[0] - s.d[2]);
            }
            _ => {
                s.d[1] = canonical64(s.d[2] * (-116.125_f64));
            }
        }
        s.u[1] = (s.u[3].wrapping_shr(s.u[3] % 32) &((0x4146f2c_u32 as i32).min(s.u[3] as i32) as u32));
    }
    s.w[1] = ((((s.w[0] as i64).wrapping_rem((s.w[2] | 1) as i64) as u64).wrapping_sub(0x0_u64.wrapping_sub(s.w[1])) as i64).min((s.u[3].reverse_bits() as u64).wrapping_mul(s.u[1].wrapping_sub(s.u[2]) as u64) as i64) as u64);
    if canonical64((if s.f[0] > (236.859375_f32) { s.d[0] } else { s.d[1] }) / s.d[2]) > canonical64(canonical64((603.609375_f64) * (621.421875_f64)) * canonical64(s.d[0] * s.d[2])) {
        if canonical64((-207.296875_f64) + (539.5625_f64)) > canonical64(s.d[1] - s.d[0]) {
            s.f[0] = canonical32(s.f[2] + s.f[1]);
            s.bytes[(s.u[3].reverse_bits() % 16) as usize] = (((s.w[1] as i64).min(s.w[2] as i64) as u64) >> 5) as u8;
        } else {
            s.d[2] = (s.u[1] as f64);
            s.f[2] = (if s.f[2] <= s.f[1] { s.f[1] } else { s.f[0] });
        }
        s.f[0] = canonical32(canonical32(s.f[2] + (-2.453125_f32)) / (178.03125_f32));
    } else {
        s.d[0] = canonical64(canonical64(s.d[1] + (-18.53125_f64)) + canonical64((490.65625_f64) - s.d[2]));
        match ((s.w[0] >> 10) as u32) % 5 {
            0 => {
                s.f[1] = canonical32(s.f[0] / s.f[1]);
            }
            1 => {
                s.w[2] = (s.w[1] / (s.w[0] | 1));
            }
            3 => {
                s.d[2] = canonical64(s.d[2] + s.d[1]);
            }
            _ => {
                s.bytes[((s.u[3].count_ones() as u32) % 16) as usize] = (s.w[2].reverse_bits() >> 5) as u8;
            }
        }
    }
    if (((s.w[1] as i64).wrapping_rem((s.w[0] | 1) as i64) as u64) as f32) < (((s.w[0] as i64).saturating_add(0x29c_u64 as i64) as u64) as f32) {
        for i in 0..s.u[0].swap_bytes() % 4 {
            s.d[0] = (if s.u[2] > s.u[3] { s.d[2] } else { s.d[1] });
            s.u[3] = ((s.u[0] as u16).wrapping_add(s.u[1] as u16) as u32);
            s.u[3] ^= i;
        }
        s.w[2] = s.w[0];
    } else {
        s.d[2] = canonical64(canonical64((-127.453125_f64) - s.d[1]) - canonical64(s.d[2] / s.d[1]));
        s.w[0] = 0x1_u64.wrapping_mul(s.w[0]).wrapping_add(((s.w[1] as i64).saturating_sub(s.w[1] as i64) as u64));
    }
    if (if (s.u[1] as u64).wrapping_mul(s.u[0] as u64) <= ((s.w[1] as i64).wrapping_div((s.w[1] | 1) as i64) as u64) { canonical32(s.f[0] / s.f[1]) } else { canonical32(s.f[2] + s.f[2]) }) < s.f[1] {
        s.u[1] = (((s.u[1] & !0x3_u32) as i8).max((s.u[3] &s.u[3]) as i8) as u32);
        s.f[2] = canonical32(canonical32(s.d[1] as f32) + canonical32(s.f[2] * (-283.875_f32)));
    } else {
        s.d[1] = s.d[2];
        if (((701.203125_f32) as i32 as u32) as i32) <= (s.u[0].wrapping_sub(s.u[3]) as i32) {
            s.bytes[(0x0_u32 % 16) as usize] = (s.w[2] >> 5) as u8;
            s.w[1] = s.w[0];
        } else {
            s.f[2] = canonical32(s.f[0] / (439.0625_f32));
            s.f[0] = s.f[0];
        }
    }
    let (a, b) = ((s.u[3] ^s.u[0]), canonical64(s.d[2] - s.d[0]));
    s.w[0] = function_11(s, a, b);
}

fn part_11_2(s: &mut State) {
    s.w[1] = ((((0xc5df_u32 as u64).wrapping_mul(s.u[1] as u64) as i64).wrapping_div((s.w[1].reverse_bits() | 1) as i64) as u64) |0x1c723_u64);
    s.u[0] = ((((((0x3b7_u32 as i16).wrapping_mul(s.u[0] as i16) as u32) as i32).max(s.u[0] as i32) as u32) as i32).wrapping_rem(((((s.u[0] as i32).wrapping_shr(s.u[2]) as u32) % (s.u[2].wrapping_mul(s.u[3]) | 1)) | 1) as i32) as u32);
    if ((TABLE[(s.w[0] % 16) as usize] as u64).max(s.w[2].wrapping_mul(s.w[0])) as i64) >= (0x3889ce9d_u64.wrapping_shl(s.u[3].rotate_right(s.u[3] % 32) % 64) as i64) {
        match ((s.w[2] >> 6) as u32) % 5 {
            0 => {
                s.f[0] = canonical32((705.15625_f32) * (-15.703125_f32));
            }
            1 => {
                s.bytes[((s.u[0] |s.u[1]) % 16) as usize] = ((s.w[2] / (s.w[2] | 1)) >> 5) as u8;
            }
            3 => {
                s.d[2] = (s.f[2] as f64);
            }
            _ => {
                s.u[0] = (s.u[2] ^s.u[2]);
            }
        }
        s.u[1] = ((((s.u[0] as i32).wrapping_div((s.u[1] | 1) as i32) as u32) as i32).wrapping_div(((0x31e5_u32.trailing_zeros() as u32) | 1) as i32) as u32);
    } else {
        s.u[2] = ((((s.u[0] as i32).wrapping_shr(s.u[2]) as u32) as i32).wrapping_shr((0x4b53e6_u32.trailing_zeros() as u32)) as u32);
        s.d[1] = (20.03125_f64);
    }
    if canonical32(canonical32((-218.53125_f32) + s.f[0]).abs()) >= canonical32(canonical32(s.f[2].abs()) - canonical32(s.f[1] / s.f[1])) {
        s.bytes[((TABLE[(s.u[0] % 16) as usize] as u32) % 16) as usize] = (((((0x50e8b_u64 as i64).wrapping_div((s.w[0] | 1) as i64) as u64) as i64).wrapping_shr(s.u[0].wrapping_mul(s.u[0])) as u64) >> 5) as u8;
        s.u[1] = (((s.u[1] as i32).wrapping_shr(0x1f4e_u32) as u32) |(s.u[2] |s.u[1]));
    } else {
        s.u[1] = ((s.u[0] as i32).wrapping_shr(s.u[3]) as u32).swap_bytes();
        match 0x1f7_u32.wrapping_add(s.u[1]) % 5 {
            0 => {
                s.w[2] = s.w[2];
            }
            1 => {
                s.d[1] = canonical64(s.d[2] + s.d[0]);
            }
            3 => {
                s.d[1] = canonical64(s.d[0].abs());
            }
            _ => {
                s.bytes[(s.u[0].wrapping_add(s.u[2]) % 16) as usize] = (s.w[0].wrapping_mul(s.w[2]) >> 5) as u8;
            }
        }
    }
    match (0x3563ec_u32 / (s.u[3] | 1)) % 5 {
        0 => {
            if canonical64(s.d[1] / s.d[2]) <= (s.u[3] as f64) {
                s.bytes[(s.u[2].min(s.u[1]) % 16) as usize] = ((s.w[1].count_ones() as u64) >> 5) as u8;
                s.w[0] = s.w[1].wrapping_add(s.w[0]);
            } else {
                s.u[3] = ((s.u[3] as i16).wrapping_mul(0x2ac47_u32 as i16) as u32);
                s.d[1] = canonical64(s.d[1] * s.d[0]);
            }
        }
        1 => {
            if s.u[3].wrapping_add(s.u[1]) == s.u[2].wrapping_sub(s.u[0]) {
                s.f[0] = canonical32(s.f[2].copysign(s.f[2]));
                s.u[3] = s.u[1].wrapping_sub(s.u[0]);
            } else {
                s.d[0] = (s.f[2] as f64);
                s.bytes[(s.u[2].wrapping_mul(s.u[3]) % 16) as usize] = (((s.w[0] as i64).wrapping_shr(0x3f68611f_u32) as u64) >> 5) as u8;
            }
        }
        3 => {
            for i in 0..s.u[3] % 4 {
                s.f[2] = canonical32(s.f[1].copysign(s.f[0]));
                s.f[2] = canonical32(s.f[2] + s.f[0]);
                s.u[2] ^= i;
            }
        }
        _ => {
            s.w[2] = ((s.f[0] as f64) as u64);
        }
    }
    s.u[3] = ((0xec0f03_u32 / (s.u[1] | 1)).trailing_zeros() as u32).wrapping_shr(((s.u[3] as i32).wrapping_rem((s.u[0].saturating_sub(s.u[0]) | 1) as i32) as u32) % 32);
    s.u[1] = s.u[2].wrapping_shr(0x3_u32.wrapping_sub(0x17724505_u32.rotate_left(s.u[1] % 32)) % 32);
}

pub fn kernel_11(warp: &mut impl Warp) {
    warp.each(|s| part_11_0(s));
    warp.sum_among(2, 1, 2);
    warp.each(|s| part_11_1(s));
    warp.ballot(2, 3);
    warp.each(|s| part_11_2(s));
    warp.sum_among(2, 0, 3);
}
