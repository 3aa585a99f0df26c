//! What generated kernels compute on, for the GPU and for the host alike.

/// Lanes that run a kernel together, on every machine.
pub const LANES: u32 = 32;

/// The variables of one lane.
#[derive(Clone, Copy)]
pub struct State {
    pub u: [u32; 4],
    pub w: [u64; 3],
    pub f: [f32; 3],
    pub d: [f64; 3],
    pub bytes: [u8; 16],
}

/// All lanes of a warp, in step: the host has them in an array, on a GPU each lane sees itself.
pub trait Warp {
    /// Every lane goes through a part of a kernel.
    fn each(&mut self, part: impl Fn(&mut State));
    /// `u[to]` becomes what lane `u[lane] % LANES` has in `u[from]`.
    fn shuffle(&mut self, to: usize, from: usize, lane: usize);
    /// `u[to]` becomes the mask of those lanes whose `u[from]` is odd.
    fn ballot(&mut self, to: usize, from: usize);
    /// `w[to]` becomes the sum of `w[from]` over those lanes whose `u[among]` is odd; the other lanes keep theirs.
    fn sum_among(&mut self, to: usize, from: usize, among: usize);
}

/// Numbers that look random (splitmix64).
fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Numbers at the borders of what machines do.
const EDGES: [u64; 8] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Floats at the borders: zeros, subnormals, the largest, infinities.
const SINGLES: [u32; 8] = [
    0,
    0x8000_0000,
    1,
    0x007f_ffff,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x4f00_0000,
];

impl State {
    /// The state that a lane begins with.
    pub fn new(kernel: u64, lane: u32) -> Self {
        let number = |place: u64| mix(kernel << 32 | u64::from(lane) << 8 | place);
        let integer = |place: u64| {
            let n = number(place);
            if n.is_multiple_of(4) {
                EDGES[(n >> 8) as usize % EDGES.len()]
            } else {
                // Of all magnitudes.
                number(place + 100) >> (n >> 8 & 63)
            }
        };
        let single = |place: u64| {
            let n = number(place);
            if n.is_multiple_of(4) {
                f32::from_bits(SINGLES[(n >> 8) as usize % SINGLES.len()])
            } else {
                canonical32(f32::from_bits(number(place + 100) as u32))
            }
        };
        let double = |place: u64| {
            let n = number(place);
            match n % 4 {
                0 => f64::from(f32::from_bits(SINGLES[(n >> 8) as usize % SINGLES.len()])),
                1 => canonical64(f64::from_bits(number(place + 100))),
                _ => (number(place + 100) as i64 >> (n >> 8 & 63)) as f64 / 1024.0,
            }
        };
        Self {
            u: core::array::from_fn(|i| integer(i as u64) as u32),
            w: core::array::from_fn(|i| integer(10 + i as u64)),
            f: core::array::from_fn(|i| single(20 + i as u64)),
            d: core::array::from_fn(|i| double(30 + i as u64)),
            bytes: core::array::from_fn(|i| number(40 + i as u64) as u8),
        }
    }

    /// A number that depends on every bit.
    pub fn digest(&self) -> u64 {
        let mut digest = 0;
        let mut add = |word: u64| digest = mix(digest ^ word);
        self.u.iter().for_each(|&u| add(u.into()));
        self.w.iter().for_each(|&w| add(w));
        self.f.iter().for_each(|&f| add(canonical32(f).to_bits().into()));
        self.d.iter().for_each(|&d| add(canonical64(d).to_bits()));
        self.bytes.iter().for_each(|&byte| add(byte.into()));
        digest
    }
}

/// Which NaN an operation gives is up to the machine: here it is always the same.
#[inline]
pub fn canonical32(f: f32) -> f32 {
    if f.is_nan() { f32::NAN } else { f }
}

#[inline]
pub fn canonical64(d: f64) -> f64 {
    if d.is_nan() { f64::NAN } else { d }
}
