//! `gpu-loader` as a process, where it needs no device: refusals and their exit codes.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program in PTX that returns at once.
const PTX: &str = ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry _start() { ret; }\n";

fn loader() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-loader"));
    command
        .env("GPU_EMULATOR_DIR", "/no/such/emulator")
        .stdin(Stdio::null());
    command
}

/// A file of this test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

/// Runs it; the exit code and the only line that it wrote, which is on stderr.
fn refusal<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> (i32, String) {
    refusal_of(loader().args(args))
}

fn refusal_of(command: &mut Command) -> (i32, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(stdout.is_empty());
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("gpu-loader: "), "{text}");
    (status.code().expect("ended by a signal"), text)
}

#[test]
fn files_that_are_no_images_are_named_in_one_line() {
    let truncated = &fs::read(env!("CARGO_BIN_EXE_gpu-loader")).unwrap()[..1000];
    for (path, expected) in [
        (PathBuf::from("/no/such/file"), "no such file"),
        (PathBuf::from("/"), "is a directory"),
        (PathBuf::from(env!("CARGO_BIN_EXE_gpu-loader")), "x86-64"),
        (file("empty.ptx", ""), "is empty"),
        (file("text.ptx", "hello\n"), "text file but not PTX"),
        (file("truncated", truncated), "x86-64"),
        (file("noise", [1, 2, 3, 255, 0]), "no GPU image"),
    ] {
        let (code, text) = refusal([&path]);
        assert_eq!(code, 126, "{text}");
        assert!(text.contains(expected), "{text}");
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
}

/// To read any of them would wait for a writer or take all memory.
#[test]
fn what_has_no_end_is_not_read() {
    // The names of sockets are short.
    let folder = std::env::temp_dir().join(format!("endless-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    let [fifo, socket, sparse] = ["fifo", "socket", "sparse"].map(|name| folder.join(name));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _listening = UnixListener::bind(&socket).unwrap();
    fs::File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
    for (path, expected) in [
        (Path::new("/dev/zero"), "is a device"),
        (&fifo, "is a pipe"),
        (&socket, "is a socket"),
        (&sparse, "is larger than 4 GiB"),
    ] {
        let mut command = loader();
        // SAFETY: what runs between fork and exec makes system calls only.
        unsafe { command.pre_exec(end_soon) };
        let (code, text) = refusal_of(command.arg(path));
        assert_eq!(code, 126, "{text}");
        assert!(
            text.contains(expected) && text.contains(path.to_str().unwrap()),
            "{text}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Ends this process, from the next `exec` on too, when it has waited for 20 s or wants 2 GiB of memory.
fn end_soon() -> std::io::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: 2 << 30,
        rlim_max: 2 << 30,
    };
    // SAFETY: both calls read no more than the limit.
    match unsafe { (libc::alarm(20), libc::setrlimit(libc::RLIMIT_AS, &limit)) } {
        (_, 0) => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let path = file("unreadable.ptx", PTX);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = loader();
    // SAFETY: what runs between fork and exec makes system calls only.
    unsafe { command.pre_exec(give_up_reading_everything) };
    let (code, text) = refusal_of(command.arg(&path));
    assert_eq!(code, 126);
    assert!(
        text.contains("cannot be read") && text.contains("permissions"),
        "{text}"
    );
}

/// Takes from this process, if it is root, what lets root read files without permission, from the next `exec` on.
fn give_up_reading_everything() -> std::io::Result<()> {
    /// From linux/capability.h.
    const CAP_DAC_OVERRIDE: libc::c_ulong = 1;
    const CAP_DAC_READ_SEARCH: libc::c_ulong = 2;
    for capability in [CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH] {
        // SAFETY: both calls touch no memory of ours.
        unsafe {
            if libc::geteuid() == 0 && libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
    }
    Ok(())
}

#[test]
fn a_missing_emulator_is_the_machines_fault() {
    let path = file("program.ptx", PTX);
    let (code, text) = refusal([OsStr::new("--backend=emulator"), path.as_os_str()]);
    assert_eq!(code, 125);
    assert!(
        text.contains("/no/such/emulator") && text.contains("GPU_EMULATOR_DIR"),
        "{text}"
    );
}

#[test]
fn the_backend_must_fit_the_image() {
    let path = file("nvidia.ptx", PTX);
    let (code, text) = refusal([OsStr::new("--backend=hsa"), path.as_os_str()]);
    assert_eq!(code, 126);
    assert!(text.contains("built for NVIDIA"), "{text}");
}

#[test]
fn mistakes_on_the_command_line_are_the_loaders_failure() {
    for args in [&["--no-such-option"][..], &["--threads", "x", "image"], &[]] {
        let output = loader().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(125));
        assert!(String::from_utf8_lossy(&output.stderr).contains("error:"));
    }
    let help = loader().arg("--help").output().unwrap();
    assert!(help.status.success() && help.stderr.is_empty());
}

#[test]
fn an_image_of_one_vendor_never_opens_the_library_of_the_other() {
    let path = file("vendor.ptx", PTX);
    let mut amd = vec![0u8; 64];
    amd[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    amd[16..24].copy_from_slice(&[3, 0, 224, 0, 1, 0, 0, 0]);
    amd[48] = 0x3f; // gfx90a
    let amd = file("vendor.elf", amd);
    for (image, own, other) in [(path, "libcuda.so", "libhsa"), (amd, "libhsa", "libcuda")] {
        // The dynamic linker itself reports what is looked for.
        let output = loader().env("LD_DEBUG", "libs,files").arg(&image).output().unwrap();
        let trace = String::from_utf8_lossy(&output.stderr);
        assert!(trace.contains(own), "{own} was not looked for: {trace}");
        assert!(!trace.contains(other), "{other} was looked for: {trace}");
    }
}

#[test]
fn closed_streams_are_survived() {
    let path = file("closed.ptx", "no image");
    let script = format!(
        "'{}' '{}' <&- >&- 2>&-",
        env!("CARGO_BIN_EXE_gpu-loader"),
        path.display()
    );
    let status = Command::new("sh").arg("-c").arg(script).status().unwrap();
    assert_eq!(status.code(), Some(126));
}
