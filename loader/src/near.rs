//! Which CPUs are near a device.

use std::fs;

/// The CPUs of the NUMA node that a place on the PCI bus (`0000:1b:00.0`) hangs on, as Linux numbers them. None where that is
/// not known, as in many virtual machines.
pub(crate) fn cpus(bus: &str) -> Vec<usize> {
    let list = fs::read_to_string(format!("/sys/bus/pci/devices/{bus}/local_cpulist"));
    list.map(|list| parse(&list)).unwrap_or_default()
}

/// Reads a list such as `0-3,8,10-11`.
fn parse(list: &str) -> Vec<usize> {
    let ranges = list.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    });
    ranges.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        assert_eq!(parse("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(parse("5\n"), [5]);
        assert_eq!(parse("\n"), []);
        assert_eq!(cpus("no such bus"), []);
    }
}
