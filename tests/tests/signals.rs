//! Whoever stops a program from outside gets all that it has written: `programs/hangs.rs` prints more than a pipe holds, writes a file
//! and never ends.
//!
//! `GPU_LOADER`, `GPU_IMAGES` and `GPU_BACKEND` are those of `programs`; without them there is nothing to run.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// By when the program has written everything, on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// Seconds after which the watchdog stops it: more, where a busy machine did not let it write everything before.
const WATCHDOG: [u64; 2] = [5, 30];

/// What stops it.
enum Stop {
    Signal(i32),
    Watchdog(u64),
}

/// What the program prints.
fn text() -> String {
    let lines = (0..2000).map(|line| format!("line {line:04} of a text that nobody reads before the end\n"));
    lines.chain(["no newline".to_owned()]).collect()
}

/// What it writes to its file.
fn content() -> String {
    let lines = (0..300).map(|line| format!("line {line:03} of the file, held back\n"));
    [format!("{:>1000}\n", "at once")].into_iter().chain(lines).collect()
}

/// Starts the program, has it stopped once it has written everything and hangs, and compares what arrives. False when the watchdog came
/// earlier.
fn is_stopped(name: &str, stop: Stop, expected: i32, message: &str) -> bool {
    let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        return true;
    };
    let timeout = match stop {
        Stop::Signal(_) => DEADLINE.as_secs(),
        Stop::Watchdog(seconds) => seconds,
    };
    let folder = env::temp_dir().join(format!("gpu-signals-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    // Whoever runs the tests in the background has them, and what they start, ignore the keyboard's signal.
    let mut child = Command::new("env")
        .arg("--default-signal=INT")
        .arg(&loader)
        .args(["--backend", &env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into())])
        .args(["--timeout", &timeout.to_string()])
        .arg("--dir")
        .arg(format!("{}::/data", folder.display()))
        .arg(PathBuf::from(images).join("hangs.ptx"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let start = Instant::now();
    while !folder.join("done").exists() {
        assert!(start.elapsed() < DEADLINE, "{name}: the file was never written");
        if let Some(status) = child.try_wait().expect("a child") {
            let is_early = matches!(stop, Stop::Watchdog(_)) && status.code() == Some(expected);
            assert!(is_early, "{name}: ended by itself, {status}");
            fs::remove_dir_all(&folder).expect("it can be removed");
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // By when the loader has seen that it is to end. It waits for readers for a second.
    let seen = match stop {
        Stop::Signal(signal) => {
            // SAFETY: it touches no memory of ours, and nobody else has the number of a child that is not waited for.
            let status = unsafe { libc::kill(child.id().cast_signed(), signal) };
            assert_eq!(status, 0, "{}", std::io::Error::last_os_error());
            Instant::now() + Duration::from_millis(300)
        }
        Stop::Watchdog(seconds) => start + Duration::from_secs(seconds) + Duration::from_millis(500),
    };
    std::thread::sleep(seen.saturating_duration_since(Instant::now()));
    // From here on somebody reads: until now all that a pipe does not hold has waited in the loader.
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child
        .stdout
        .take()
        .expect("a pipe")
        .read_to_string(&mut stdout)
        .expect("text");
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut stderr)
        .expect("text");
    let status = child.wait().expect("an end");
    let file = fs::read_to_string(folder.join("file")).expect("the file");
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_eq!(status.code(), Some(expected), "{name}: {stderr}");
    assert!(
        stderr.contains(message) && stderr.lines().count() == 1,
        "{name}: {stderr}"
    );
    assert!(
        stdout == text(),
        "{name}: {} of {} bytes arrived",
        stdout.len(),
        text().len()
    );
    assert!(
        file == content(),
        "{name}: the file has {} of {} bytes",
        file.len(),
        content().len()
    );
    true
}

#[test]
fn nothing_is_lost_when_a_signal_ends_a_program() {
    for (name, signal) in [("int", libc::SIGINT), ("term", libc::SIGTERM)] {
        let message = format!("stopped by signal {signal}");
        assert!(is_stopped(name, Stop::Signal(signal), 128 + signal, &message));
    }
}

#[test]
fn nothing_is_lost_when_the_watchdog_ends_a_program() {
    let in_time = |seconds| {
        let message = format!("still ran after {seconds} s");
        is_stopped("watchdog", Stop::Watchdog(seconds), 124, &message)
    };
    assert!(WATCHDOG.into_iter().any(in_time), "it never wrote everything in time");
}
