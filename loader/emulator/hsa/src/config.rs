//! What the environment says about the emulated machine.
//!
//! | variable | meaning |
//! |---|---|
//! | `GPU_EMULATOR_HSA_ISA` | the GPUs, by processor: `gfx90a`, or a list; default: one of each kind |
//! | `GPU_EMULATOR_MEMORY` | memory of each GPU (`512M`, `4G`); default: half of the machine's |
//! | `ROCR_VISIBLE_DEVICES` | which of them are seen, as with the real runtime: numbers or UUIDs |
//! | `GPU_EMULATOR_SEED` | the order of execution is drawn from this number, with a `+` behind it from the next one for each launch; default: parallel |
//! | `GPU_EMULATOR_THREADS` | host threads that run work-groups; default: one per core |
//! | `GPU_EMULATOR_SWITCH_AT_ACCESS` | `1`: others get their turn after every memory access |
//! | `HSA_XNACK` | `1`: the GPUs that can retry page faults do (`xnack+`) |

use std::env;
use std::fs;
use std::str::FromStr;

use emulator::amdgcn::target::Target;
use emulator::grid::Seed;

/// The emulated machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The GPUs that may be seen, in the order in which they are listed.
    pub gpus: Vec<GpuConfig>,
    /// Memory of each, bytes.
    pub memory: u64,
    /// Whether page faults are retried where the processor can.
    pub xnack: bool,
    /// How kernels run.
    pub schedule: Schedule,
}

/// In which order things happen while kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Draw the order from this seed, on one host thread.
    pub seed: Option<Seed>,
    /// Host threads without a seed; 0: one per core.
    pub threads: usize,
    /// Give others their turn after every memory access.
    pub switch_at_access: bool,
}

/// One GPU of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuConfig {
    /// Its position before `ROCR_VISIBLE_DEVICES`.
    pub position: u32,
    /// Its processor.
    pub target: Target,
}

impl GpuConfig {
    /// The 64 bits of its UUID.
    pub fn uuid(self) -> u64 {
        0x656d_755f_0000_0000 | u64::from(self.position)
    }
}

impl Config {
    /// Reads the environment; the error names the variable and what it may hold.
    pub fn from_environment() -> Result<Config, String> {
        Config::read(|name| env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Config, String> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let targets = match get("GPU_EMULATOR_HSA_ISA") {
            None => Target::ALL.to_vec(),
            Some(list) => list
                .split(',')
                .map(|name| {
                    Target::from_name(name.trim()).ok_or_else(|| {
                        let known = Target::ALL.map(Target::name).join(", ");
                        format!("GPU_EMULATOR_HSA_ISA={list} is not a list of {known}")
                    })
                })
                .collect::<Result<_, _>>()?,
        };
        let gpus: Vec<_> = (0..)
            .zip(targets)
            .map(|(position, target)| GpuConfig { position, target })
            .collect();
        let memory = match get("GPU_EMULATOR_MEMORY") {
            None => half_of_host_memory(),
            Some(text) => {
                bytes(&text).ok_or_else(|| format!("GPU_EMULATOR_MEMORY={text} is not a size such as 512M or 4G"))?
            }
        };
        let schedule = Schedule {
            seed: get("GPU_EMULATOR_SEED")
                .map(|text| number("GPU_EMULATOR_SEED", &text))
                .transpose()?,
            threads: get("GPU_EMULATOR_THREADS").map_or(Ok(0), |text| number("GPU_EMULATOR_THREADS", &text))?,
            switch_at_access: get("GPU_EMULATOR_SWITCH_AT_ACCESS").is_some_and(|value| value != "0"),
        };
        Ok(Config {
            schedule,
            gpus: match variable("ROCR_VISIBLE_DEVICES") {
                None => gpus,
                Some(text) => visible(&text, &gpus),
            },
            memory,
            xnack: get("HSA_XNACK").is_some_and(|value| value == "1"),
        })
    }
}

fn number<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("{name}={text} is not a number"))
}

/// What `ROCR_VISIBLE_DEVICES` leaves: up to the first entry that names no device or one that was
/// named before.
fn visible(text: &str, gpus: &[GpuConfig]) -> Vec<GpuConfig> {
    let mut kept = Vec::new();
    for entry in text.split(',').map(str::trim) {
        let named = match entry.strip_prefix("GPU-") {
            Some(hex) => {
                let uuid = u64::from_str_radix(hex, 16).ok();
                gpus.iter().find(|gpu| Some(gpu.uuid()) == uuid)
            }
            None => entry.parse().ok().and_then(|position: usize| gpus.get(position)),
        };
        match named {
            Some(gpu) if !kept.contains(gpu) => kept.push(*gpu),
            _ => break,
        }
    }
    kept
}

/// A number of bytes, with K, M, G or T for powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches(['B', 'b']).trim_end_matches('i');
    let shift = match text.chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    digits
        .trim()
        .parse::<u64>()
        .ok()?
        .checked_mul(1 << shift)
        .filter(|bytes| *bytes > 0)
}

/// What a GPU has if nobody says, in whole MiB.
fn half_of_host_memory() -> u64 {
    (host_memory() / 2).max(256 << 20) >> 20 << 20
}

/// Memory of this machine, bytes.
pub fn host_memory() -> u64 {
    let kib = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
    });
    kib.unwrap_or(8 << 20) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, String> {
        Config::read(|name| {
            variables
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| value.to_string())
        })
    }

    fn positions(config: &Config) -> Vec<u32> {
        config.gpus.iter().map(|gpu| gpu.position).collect()
    }

    #[test]
    fn by_default_there_is_one_gpu_of_each_kind() {
        let config = read(&[]).unwrap();
        let targets: Vec<_> = config.gpus.iter().map(|gpu| gpu.target).collect();
        assert_eq!(targets, Target::ALL);
        assert!(!config.xnack);
    }

    #[test]
    fn the_list_and_what_is_visible_of_it() {
        let list = ("GPU_EMULATOR_HSA_ISA", "gfx1030, gfx90a,gfx90a");
        assert_eq!(positions(&read(&[list]).unwrap()), [0, 1, 2]);
        let seen = |text| positions(&read(&[list, ("ROCR_VISIBLE_DEVICES", text)]).unwrap());
        assert_eq!(seen("2,0"), [2, 0]);
        assert_eq!(seen("1,9,0"), [1]);
        assert_eq!(seen("1,1"), [1]);
        assert_eq!(seen(""), [] as [u32; 0]);
        assert_eq!(seen("GPU-656d755f00000001"), [1]);
    }

    #[test]
    fn errors_name_the_variable() {
        let error = read(&[("GPU_EMULATOR_HSA_ISA", "gfx900")]).unwrap_err();
        assert!(error.contains("gfx900") && error.contains("gfx1030"), "{error}");
        let error = read(&[("GPU_EMULATOR_MEMORY", "much")]).unwrap_err();
        assert!(error.starts_with("GPU_EMULATOR_MEMORY"), "{error}");
        assert_eq!(read(&[("GPU_EMULATOR_MEMORY", "2GiB")]).unwrap().memory, 2 << 30);
    }
}
