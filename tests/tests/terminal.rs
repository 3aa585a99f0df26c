//! A read from a terminal takes as long as somebody takes to type. `programs/waiting.rs` waits so in one thread: all others are served
//! meanwhile, by the one thread that the host has for it.
//!
//! `GPU_LOADER`, `GPU_IMAGES` and `GPU_BACKEND` are those of `programs`; without them there is nothing to run.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::fd::FromRawFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, ffi::CStr};

/// A terminal: the end at which somebody types, and the one that a program has.
fn terminal() -> (File, File) {
    // SAFETY: the descriptor is this function's own from the check on; the name is read before anybody else could ask for one.
    unsafe {
        let typing = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        assert!(typing >= 0 && libc::grantpt(typing) == 0 && libc::unlockpt(typing) == 0);
        let mut name = [0; 64];
        assert_eq!(libc::ptsname_r(typing, name.as_mut_ptr(), name.len()), 0);
        let name = CStr::from_ptr(name.as_ptr()).to_str().expect("a path");
        let program = fs::OpenOptions::new().read(true).write(true).open(name);
        (File::from_raw_fd(typing), program.expect("the other end"))
    }
}

#[test]
fn whoever_waits_for_a_terminal_holds_up_nobody() {
    let (Some(loader), Some(folder)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        return;
    };
    let backend = env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into());
    let mut images: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the images")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("waiting."))
        })
        .collect();
    if backend == "cuda" {
        images.retain(|path| path.extension().is_some_and(|extension| extension == "ptx"));
    }
    assert!(!images.is_empty(), "no image of waiting in GPU_IMAGES");
    for image in images {
        let (mut typing, program) = terminal();
        let mut child = Command::new(&loader)
            .args([
                "--backend",
                &backend,
                "--timeout",
                "60",
                "--blocks",
                "4",
                "--server-threads",
                "1",
            ])
            .args(["--stack-size", "32K"])
            .arg(&image)
            .stdin(Stdio::from(program))
            .stdout(Stdio::piped())
            .spawn()
            .expect("it can be started");
        // The time limit is the end of both if one is not served.
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"))
            .lines()
            .map(Result::unwrap);
        let mut seen: Vec<String> = lines.by_ref().take(60).collect();
        seen.sort();
        let mut expected: Vec<String> = (1..4)
            .flat_map(|thread| (0..20).map(move |number| format!("thread {thread} goes on: {number}")))
            .collect();
        expected.sort();
        assert_eq!(seen, expected, "{}", image.display());
        typing.write_all(b"42\n").expect("a terminal");
        assert_eq!(lines.next().as_deref(), Some("the answer is 42"), "{}", image.display());
        assert!(child.wait().expect("an end").success(), "{}", image.display());
    }
}
