//! What the environment says about the emulated machine; the README lists the variables.

use std::env;
use std::fs;
use std::str::FromStr;

use emulator::grid::Seed;

/// The emulated machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The devices that exist, by their number before `CUDA_VISIBLE_DEVICES`; those that may be
    /// seen, in the order in which they are to be numbered.
    pub visible: Vec<u32>,
    /// Compute capability of each, for instance (9, 0).
    pub capability: (u32, u32),
    /// Memory of each, bytes.
    pub memory: u64,
    /// Seed of all scheduling decisions; without one, blocks spread over host threads.
    pub seed: Option<Seed>,
    /// Whether lanes change at every memory access.
    pub switch_at_access: bool,
    /// Host threads that run the blocks of one launch; 0: as many as the machine has.
    pub threads: usize,
    /// Whether a launch waits for its end.
    pub blocking: bool,
    /// Whether a kernel is loaded when it is first launched, not with its module.
    pub lazy: bool,
}

/// Most devices of one machine: PCI gives each its own bus number.
const MOST_DEVICES: u32 = 64;

impl Config {
    /// Reads the environment; the error names the variable and what it may hold.
    pub fn from_environment() -> Result<Config, String> {
        Config::read(|name| env::var(name).ok(), half_of_host_memory)
    }

    fn read(variable: impl Fn(&str) -> Option<String>, default_memory: impl Fn() -> u64) -> Result<Config, String> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let devices = match get("GPU_EMULATOR_DEVICES") {
            None => 1,
            Some(text) => parse::<u32>(&text)
                .filter(|n| *n <= MOST_DEVICES)
                .ok_or_else(|| format!("GPU_EMULATOR_DEVICES={text} is not a number from 0 to {MOST_DEVICES}"))?,
        };
        let capability = match get("GPU_EMULATOR_ARCH") {
            None => (9, 0),
            Some(text) => capability(&text)
                .ok_or_else(|| format!("GPU_EMULATOR_ARCH={text} is not an architecture such as sm_80 or sm_90"))?,
        };
        let memory = match get("GPU_EMULATOR_MEMORY") {
            None => default_memory() / u64::from(devices.max(1)),
            Some(text) => {
                bytes(&text).ok_or_else(|| format!("GPU_EMULATOR_MEMORY={text} is not a size such as 512M or 4G"))?
            }
        };
        let seed = get("GPU_EMULATOR_SEED")
            .map(|text| {
                parse(&text).ok_or_else(|| format!("GPU_EMULATOR_SEED={text} is not a number, nor one followed by +"))
            })
            .transpose()?;
        let threads = match get("GPU_EMULATOR_THREADS") {
            None => 0,
            Some(text) => parse(&text).ok_or_else(|| format!("GPU_EMULATOR_THREADS={text} is not a number"))?,
        };
        let is_on = |name| get(name).is_some_and(|value| value != "0");
        Ok(Config {
            visible: match variable("CUDA_VISIBLE_DEVICES") {
                None => (0..devices).collect(),
                Some(text) => visible(&text, devices),
            },
            capability,
            memory,
            seed,
            switch_at_access: is_on("GPU_EMULATOR_SWITCH_AT_ACCESS"),
            threads,
            blocking: is_on("CUDA_LAUNCH_BLOCKING"),
            lazy: get("CUDA_MODULE_LOADING").is_some_and(|mode| mode == "LAZY"),
        })
    }
}

fn parse<T: FromStr>(text: &str) -> Option<T> {
    text.trim().parse().ok()
}

/// `sm_90`, `sm_90a`, `90` or `9.0`; Volta and later, since the execution model is theirs.
fn capability(text: &str) -> Option<(u32, u32)> {
    let digits = text
        .trim()
        .trim_start_matches("sm_")
        .trim_end_matches('a')
        .replace('.', "");
    let number: u32 = digits.parse().ok()?;
    (70..1000).contains(&number).then_some((number / 10, number % 10))
}

/// A number of bytes, with K, M, G or T for powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches(['B', 'b']).trim_end_matches('i');
    let (digits, shift) = match text.chars().last()?.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    parse::<u64>(digits)?.checked_mul(1 << shift).filter(|n| *n > 0)
}

/// What `CUDA_VISIBLE_DEVICES` leaves: numbers or beginnings of UUIDs, up to the first that names
/// no device; a device named twice leaves none.
fn visible(text: &str, devices: u32) -> Vec<u32> {
    let mut kept = Vec::new();
    for entry in text.split(',').map(str::trim) {
        let device = match entry.strip_prefix("GPU-") {
            Some(prefix) => {
                let mut matching = (0..devices).filter(|device| uuid_text(uuid(*device)).starts_with(prefix));
                matching.next().filter(|_| matching.next().is_none())
            }
            None => parse(entry).filter(|device| *device < devices),
        };
        match device {
            None => break,
            Some(device) if kept.contains(&device) => return Vec::new(),
            Some(device) => kept.push(device),
        }
    }
    kept
}

/// The UUID of a device (version 8: made up by its own rules).
pub fn uuid(device: u32) -> [u8; 16] {
    let mut uuid = *b"\0\0\0\0emu\x80\x80gpu-ptx";
    uuid[..4].copy_from_slice(&device.to_be_bytes());
    uuid
}

/// A UUID as people write it.
fn uuid_text(uuid: [u8; 16]) -> String {
    let hex: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// What devices have together if nobody says: half of the machine's memory, in whole MiB.
fn half_of_host_memory() -> u64 {
    let kib = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        parse::<u64>(line.trim().trim_end_matches("kB"))
    });
    (kib.unwrap_or(8 << 20) / 2).max(256 << 10) >> 10 << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, String> {
        let find = |name: &str| {
            variables
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| value.to_string())
        };
        Config::read(find, || 1 << 30)
    }

    #[test]
    fn defaults() {
        let config = read(&[]).unwrap();
        assert_eq!(config.visible, [0]);
        assert_eq!(config.capability, (9, 0));
        assert_eq!(config.memory, 1 << 30);
        assert_eq!(config.seed, None);
        assert!(!config.blocking && !config.switch_at_access && !config.lazy);
    }

    #[test]
    fn everything_set() {
        let config = read(&[
            ("GPU_EMULATOR_DEVICES", "4"),
            ("GPU_EMULATOR_ARCH", "sm_86"),
            ("GPU_EMULATOR_MEMORY", "3GiB"),
            ("GPU_EMULATOR_SEED", "17"),
            ("CUDA_VISIBLE_DEVICES", "3, 1,9,0"),
            ("CUDA_LAUNCH_BLOCKING", "1"),
            ("CUDA_MODULE_LOADING", "LAZY"),
        ])
        .unwrap();
        assert_eq!(config.visible, [3, 1]);
        assert_eq!(config.capability, (8, 6));
        assert_eq!(config.memory, 3 << 30);
        assert_eq!(config.seed, Some(Seed::Same(17)));
        assert!(config.blocking && config.lazy);
    }

    #[test]
    fn visible_devices() {
        let seen = |text| visible(text, 3);
        assert_eq!(seen(""), []);
        assert_eq!(seen("-1"), []);
        assert_eq!(seen("1,1"), []);
        assert_eq!(seen("GPU-00000002"), [2]);
        assert_eq!(seen("GPU-0"), [], "more than one device begins so");
    }

    #[test]
    fn memory_is_divided_among_the_devices() {
        assert_eq!(read(&[("GPU_EMULATOR_DEVICES", "4")]).unwrap().memory, 1 << 28);
    }

    #[test]
    fn errors_name_the_variable() {
        for name in ["DEVICES", "ARCH", "MEMORY", "SEED", "THREADS"] {
            let name = format!("GPU_EMULATOR_{name}");
            assert!(read(&[(&name, "many")]).unwrap_err().starts_with(&name));
        }
    }
}
