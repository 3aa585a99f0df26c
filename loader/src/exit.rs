//! Exit codes of `gpu-loader`, the same for every back end.

/// A panic on the device (the device runtime exits with it).
pub const PANIC: u8 = 101;
/// The watchdog (`--timeout`) ended the program.
pub const TIMEOUT: u8 = 124;
/// The loader failed: options, driver, memory, launch.
pub const LOADER_FAILED: u8 = 125;
/// The image cannot run here, or it and the loader do not agree about calls.
pub const CANNOT_RUN: u8 = 126;
/// The program ended by a trap, a memory fault or `abort`, as a shell reports SIGABRT.
pub const FAULT: u8 = 134;

/// Ended by a signal such as Ctrl-C, as a shell reports it: 130 for SIGINT, 143 for SIGTERM.
pub fn of_signal(signal: i32) -> u8 {
    128 + (signal & 0x7f) as u8
}

/// The exit code of a program that returned `value` (each thread's result of `main`, OR-ed).
///
/// A process can only report the low byte; a failure must not turn into success by that, so a
/// non-zero value whose low byte is 0 becomes 1.
pub fn of_value(value: i32) -> u8 {
    match (value, value as u8) {
        (0, _) => 0,
        (_, 0) => 1,
        (_, low) => low,
    }
}

#[cfg(test)]
mod tests {
    use super::of_value;

    #[test]
    fn failures_stay_failures() {
        assert_eq!(of_value(0), 0);
        assert_eq!(of_value(127), 127);
        assert_eq!(of_value(-1), 255);
        assert_eq!(of_value(256), 1);
        assert_eq!(of_value(0x102), 2);
    }
}
