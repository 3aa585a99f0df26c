//! Prints numbers of every width, and text beyond ASCII.

#![no_std]

use device_rt::{eprintln, io::Stream, println};

#[derive(Debug)]
#[expect(dead_code, reason = "printed with Debug")]
struct Point {
    x: i32,
    y: Option<f64>,
    name: &'static str,
}

#[device_rt::main]
fn main() {
    // Through memory that the optimiser cannot see through, or it formats at compile time.
    let seed = core::hint::black_box(1_u64);
    println!(
        "{} {} {}",
        usize::MAX as u64 * seed,
        u64::MAX / seed,
        i64::MIN / seed as i64
    );
    println!("{} {}", i128::MIN / i128::from(seed), u128::MAX / u128::from(seed));
    println!(
        "{} {} {}",
        1.5_f32 * seed as f32,
        -0.1_f32 / seed as f32,
        f32::MAX / seed as f32
    );
    println!(
        "{} {} {}",
        0.1_f64 + 0.2 * seed as f64,
        1e300 * seed as f64,
        f64::MIN_POSITIVE / seed as f64
    );
    println!(
        "{} {} {}",
        f64::NAN * seed as f64,
        f64::INFINITY / seed as f64,
        -0.0 * seed as f64
    );
    println!(
        "{:08.3} {:+e} {:#010x} {:#b} {:o}",
        2.71801 * seed as f64,
        1234.5 * seed as f64,
        255 * seed,
        5 * seed,
        8 * seed
    );
    println!("[{:<6}] [{:^6}] [{:>6}] [{:*^9}]", "ab", "cd", "ef", "mid");
    println!("{:?} {} {}", 'é', true & (seed == 1), u8::MAX as u64 / seed);
    let point = Point {
        x: -3 * seed as i32,
        y: Some(2.5),
        name: "π",
    };
    println!("{point:?}");
    println!("é 漢 🦀 \u{1f980}\u{200d}");
    println!(
        "{usize} {u64} {i128} {f32} {f64}",
        usize = 1_usize,
        u64 = 1_u64 << 63,
        i128 = -1_i128,
        f32 = 1e-7_f32 * seed as f32,
        f64 = 1e21 * seed as f64
    );
    println!("{0:1$.2$}|{0:<1$}|", 2.0 * seed as f64, 8, 3);
    println!();
    let written = Stream::Stdout.write_bytes(b"\xff\xfe invalid \x00 bytes \xc3\n");
    assert_eq!(written, 21);
    eprintln!("to stderr: {}", 42 * seed);
}
