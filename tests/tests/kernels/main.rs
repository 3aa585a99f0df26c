//! Random kernels: integers, floats, memory, branches, calls, warp operations.
//!
//! A generator with a fixed seed writes them as Rust, once; the same source runs here, on the CPU, and in the device program
//! `kernels` on every GPU target at every level. What the CPU computes is in `programs/kernels.out`, and that is what the programs have
//! to print, bit by bit. `BLESS=1` writes both files anew.

#[path = "../../programs/kernels/floats.rs"]
mod floats;
mod generate;
#[path = "../../programs/kernels/generated.rs"]
mod generated;
#[path = "../../programs/kernels/state.rs"]
mod state;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use state::{LANES, State, Warp};

/// All lanes of a warp.
struct Lanes(Vec<State>);

impl Lanes {
    fn new(kernel: u64) -> Self {
        Self((0..LANES).map(|lane| State::new(kernel, lane)).collect())
    }
}

impl Warp for Lanes {
    fn each(&mut self, part: impl Fn(&mut State)) {
        self.0.iter_mut().for_each(part);
    }

    fn shuffle(&mut self, to: usize, from: usize, lane: usize) {
        let before: Vec<_> = self.0.iter().map(|state| state.u[from]).collect();
        for state in &mut self.0 {
            state.u[to] = before[(state.u[lane] % LANES) as usize];
        }
    }

    fn ballot(&mut self, to: usize, from: usize) {
        let bit = |(lane, state): (usize, &State)| (state.u[from] & 1) << lane;
        let mask = self.0.iter().enumerate().map(bit).sum();
        self.0.iter_mut().for_each(|state| state.u[to] = mask);
    }

    fn sum_among(&mut self, to: usize, from: usize, among: usize) {
        let takes_part = |state: &State| state.u[among] & 1 == 1;
        let part = self.0.iter().filter(|state| takes_part(state));
        let sum = part.fold(0, |sum: u64, state| sum.wrapping_add(state.w[from]));
        for state in self.0.iter_mut().filter(|state| takes_part(state)) {
            state.w[to] = sum;
        }
    }
}

/// What the device program prints.
fn output() -> String {
    let mut text = String::new();
    let mut report = |what: &str, number: usize, digests: &mut dyn Iterator<Item = u64>| {
        let sum = digests.fold(0, u64::wrapping_add);
        writeln!(text, "{what} {number}: {sum:016x}").expect("text grows");
    };
    macro_rules! run {
        ($($number:literal $kernel:ident)*) => {
            $({
                let mut lanes = Lanes::new($number);
                generated::$kernel(&mut lanes);
                report("kernel", $number, &mut lanes.0.iter().map(State::digest));
            })*
        };
    }
    generated::for_each_kernel!(run);
    for (number, operation) in floats::OPERATIONS.iter().enumerate() {
        report("floats", number, &mut (0..LANES).map(operation));
    }
    text
}

fn is_blessed() -> bool {
    env::var_os("BLESS").is_some_and(|value| value != "0")
}

fn check(file: &str, expected: &str) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file);
    if is_blessed() {
        fs::write(&path, expected).expect("a file of the sources");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{} is not what it should be; BLESS=1 writes it anew",
        path.display()
    );
}

#[test]
fn the_source_is_what_the_generator_writes() {
    check("kernels/generated.rs", &generate::source());
}

#[test]
fn the_expected_output_is_what_this_processor_computes() {
    check("kernels.out", &output());
}
