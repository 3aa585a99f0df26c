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

/// When the watchdog stops it, at the latest: by then it has written everything, too.
const WATCHDOG: Duration = Duration::from_secs(30);

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

/// Starts the program, stops it once it has written everything and hangs, and compares what arrives. `signal` of 0: the watchdog
/// stops it.
fn stop(name: &str, options: &[&str], signal: i32, expected: i32, message: &str) {
    let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        return;
    };
    let folder = env::temp_dir().join(format!("gpu-signals-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    // Whoever runs the tests in the background has them, and what they start, ignore the keyboard's signal.
    let mut child = Command::new("env")
        .arg("--default-signal=INT")
        .arg(&loader)
        .args(["--backend", &env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into())])
        .args(options)
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
        assert!(child.try_wait().expect("a child").is_none(), "{name}: ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    if signal != 0 {
        // SAFETY: it touches no memory of ours, and nobody else has the number of a child that is not waited for.
        let status = unsafe { libc::kill(child.id().cast_signed(), signal) };
        assert_eq!(status, 0, "{}", std::io::Error::last_os_error());
    }
    // By when the loader has seen that it is to end. It waits for readers for a second.
    let seen = match signal {
        0 => start + WATCHDOG + Duration::from_millis(500),
        _ => Instant::now() + Duration::from_millis(300),
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
}

#[test]
fn nothing_is_lost_when_a_signal_ends_a_program() {
    stop("int", &[], libc::SIGINT, 130, "stopped by signal 2");
    stop("term", &[], libc::SIGTERM, 143, "stopped by signal 15");
}

#[test]
fn nothing_is_lost_when_the_watchdog_ends_a_program() {
    stop("watchdog", &["--timeout", "30"], 0, 124, "still ran after 30 s");
}
