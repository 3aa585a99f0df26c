//! `gpu-loader` as a process over the emulated CUDA driver: what a program's end looks like from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

mod common;

/// An image whose `_start` has this body; `%rd1` is the address of the result.
fn image(name: &str, declarations: &str, body: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.ptx"));
    let text = format!(
        "// {name}
.version 7.8
.target sm_70
.address_size 64
{declarations}
.visible .entry _start(.param .u32 argc, .param .u64 argv, .param .u64 envp, .param .u64 ret)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [ret];
{body}
    ret;
}}
"
    );
    fs::write(&path, text).unwrap();
    path
}

fn run(options: &[&str], image: &PathBuf, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gpu-loader"))
        .env("GPU_EMULATOR_DIR", common::emulator("emulator"))
        .args(["--backend", "emulator"])
        .args(options)
        .arg(image)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The exit code and what was written to stderr, one line if anything.
fn outcome_line(options: &[&str], image: &PathBuf, args: &[&str]) -> (i32, String) {
    let (code, text) = outcome(options, image, args);
    assert!(text.lines().count() <= 1, "{text}");
    (code, text)
}

/// The exit code and what was written to stderr.
fn outcome(options: &[&str], image: &PathBuf, args: &[&str]) -> (i32, String) {
    let output = run(options, image, args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty());
    assert!(!stderr.contains("panicked"), "{stderr}");
    (output.status.code().expect("ended by a signal"), stderr)
}

#[test]
fn the_result_of_all_threads_is_the_exit_code() {
    let ends_with_argc = image(
        "argc",
        "",
        "    ld.param.u32 %r1, [argc];\n    atom.global.or.b32 %r2, [%rd1], %r1;",
    );
    assert_eq!(outcome(&[], &ends_with_argc, &[]), (1, String::new()));
    assert_eq!(
        outcome(&[], &ends_with_argc, &["a", "-v", "--help"]),
        (4, String::new())
    );
    let each_thread_a_bit = image(
        "bits",
        "",
        "    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r4, 2;
    mul.lo.u32 %r2, %r2, %r4;
    add.u32 %r1, %r1, %r2;
    mov.u32 %r4, 1;
    shl.b32 %r3, %r4, %r1;
    atom.global.or.b32 %r5, [%rd1], %r3;",
    );
    let grid = ["--threads", "2", "--blocks", "3"];
    assert_eq!(outcome(&grid, &each_thread_a_bit, &[]), (0b11_1111, String::new()));
    let llvm = ["-threads-x", "2", "--blocks-x=3"];
    assert_eq!(outcome(&llvm, &each_thread_a_bit, &[]).0, 0b11_1111);
    let low_byte_zero = image("low", "", "    mov.u32 %r1, 256;\n    st.global.u32 [%rd1], %r1;");
    assert_eq!(outcome(&[], &low_byte_zero, &[]), (1, String::new()));
}

#[test]
fn arguments_and_environment_arrive() {
    // Ends with the first byte of argv[1] plus that of envp[0].
    let first_bytes = image(
        "bytes",
        "",
        "    ld.param.u64 %rd2, [argv];
    ld.u64 %rd3, [%rd2+8];
    ld.u8 %r1, [%rd3];
    ld.param.u64 %rd2, [envp];
    ld.u64 %rd3, [%rd2];
    ld.u8 %r2, [%rd3];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%rd1], %r1;",
    );
    let options = ["--no-inherit-env", "--env", "!NAME=value"];
    assert_eq!(outcome(&options, &first_bytes, &["A"]).0, i32::from(b'A' + b'!'));
}

#[test]
fn faults_name_kernel_and_cause() {
    let trap = image("trap", "", "    trap;");
    let (code, text) = outcome_line(&[], &trap, &[]);
    assert_eq!(code, 134, "{text}");
    assert!(text.contains("kernel _start") && text.contains("trap"), "{text}");

    let wild = image("wild", "", "    mov.u64 %rd2, 64;\n    st.global.u32 [%rd2], 1;");
    let (code, text) = outcome_line(&[], &wild, &[]);
    assert_eq!(code, 134, "{text}");
    assert!(text.contains("kernel _start"), "{text}");

    // A thousand calls with 64 bytes each.
    let deeper = image(
        "deeper",
        ".func down(.param .b32 n)
{
    .local .align 8 .b8 own[64];
    .reg .pred %p;
    .reg .b32 %r<2>;
    ld.param.b32 %r0, [n];
    st.local.b32 [own], %r0;
    sub.s32 %r0, %r0, 1;
    setp.eq.s32 %p, %r0, 0;
    @%p bra done;
    { .param .b32 m; st.param.b32 [m], %r0; call.uni down, (m); }
done:
    ret;
}",
        "    ld.param.u32 %r1, [argc];
    mul.lo.s32 %r1, %r1, 1000;
    { .param .b32 n; st.param.b32 [n], %r1; call.uni down, (n); }",
    );
    for stack in ["1K", "16K"] {
        let (code, text) = outcome_line(&["--stack-size", stack], &deeper, &[]);
        assert_eq!(code, 134, "{text}");
        let remedy = "stack overflow (try a larger --stack-size)";
        assert!(text.contains("kernel _start") && text.contains(remedy), "{text}");
    }
    assert_eq!(outcome(&["--stack-size", "256K"], &deeper, &[]), (0, String::new()));

    // Who called whom is for those who ask.
    let (_, brief) = outcome(&["--stack-size", "1K"], &deeper, &[]);
    let (_, text) = outcome(&["-v", "--stack-size", "1K"], &deeper, &[]);
    assert!(
        brief.trim_end().ends_with("-v shows the calls that led there"),
        "{brief}"
    );
    assert!(
        text.contains("\n    called from down") && !text.contains("-v shows"),
        "{text}"
    );
}

#[test]
fn the_watchdog_names_the_kernel() {
    let endless = image("endless", "", "again:\n    bra again;");
    let start = Instant::now();
    let (code, text) = outcome(&["--timeout", "0.3"], &endless, &[]);
    assert_eq!(code, 124);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("kernel _start still ran after 0.3 s"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(10));
    // A time that never comes.
    let short = image("short", "", "");
    assert_eq!(outcome(&["--timeout", "1e19"], &short, &[]), (0, String::new()));
}

#[test]
fn signals_end_a_program_in_order() {
    let endless = image("signals", "", "again:\n    bra again;");
    for (signal, expected) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        // Whoever runs the tests in the background has them, and what they start, ignore the keyboard's signal.
        let child = Command::new("env")
            .arg("--default-signal=INT")
            .arg(env!("CARGO_BIN_EXE_gpu-loader"))
            .env("GPU_EMULATOR_DIR", common::emulator("emulator"))
            .args(["--backend", "emulator", "-v"])
            .arg(&endless)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        common::signal(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(expected));
        assert!(String::from_utf8_lossy(&output.stderr).contains("stopped by signal"));
    }
}

#[test]
fn images_that_do_not_load() {
    let undefined = image(
        "undefined",
        ".extern .func nowhere_to_be_found;",
        "    call nowhere_to_be_found;",
    );
    let (code, text) = outcome(&[], &undefined, &[]);
    assert_eq!(code, 126, "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.contains("nowhere_to_be_found") && text.contains("undefined.ptx"),
        "{text}"
    );

    let wrong = image("wrong", "", "    no.such.instruction %r1;");
    let (code, text) = outcome(&[], &wrong, &[]);
    assert_eq!(code, 126, "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");

    let newer = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("newer.ptx");
    fs::write(
        &newer,
        ".version 8.8\n.target sm_120\n.visible .entry _start() { ret; }\n",
    )
    .unwrap();
    let (code, text) = outcome(&[], &newer, &[]);
    assert_eq!(code, 126, "{text}");
    assert!(text.contains("sm_120") && text.contains("sm_90"), "{text}");

    // A header of an ELF file of 64 bits for machine 190, CUDA.
    let mut header = [0u8; 64];
    header[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
    header[16..20].copy_from_slice(&[2, 0, 190, 0]);
    let cubin = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("image.cubin");
    fs::write(&cubin, header).unwrap();
    let (code, text) = outcome(&[], &cubin, &[]);
    assert_eq!(code, 126, "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("image.cubin") && text.contains("as PTX"), "{text}");
}

#[test]
fn machines_that_are_too_small() {
    let nothing = image("nothing", "", "");
    let (code, text) = outcome_line(&["--threads", "1025"], &nothing, &[]);
    assert_eq!(code, 125);
    assert!(text.contains("1025 threads") && text.contains("allows 1024"), "{text}");
    let (code, text) = outcome_line(&["--device", "7"], &nothing, &[]);
    assert_eq!(code, 125);
    assert!(text.contains("no CUDA device 7"), "{text}");
    let calls = image("calls", ".visible .global .align 8 .b8 __llvm_rpc_client[552];", "");
    let (code, text) = outcome_line(&["--heap-size", "4096G"], &calls, &[]);
    assert_eq!(code, 125);
    assert!(
        text.contains("out of device memory") && text.contains("--heap-size"),
        "{text}"
    );
    assert_eq!(outcome_line(&[], &calls, &[]), (0, String::new()));
}

#[test]
fn one_kernel_alone() {
    let several = image("several", ".visible .entry other() { ret; }", "    trap;");
    assert_eq!(outcome(&["--kernel", "other"], &several, &[]), (0, String::new()));
    let (code, text) = outcome(&["--kernel", "_start"], &several, &[]);
    assert_eq!(code, 125);
    assert!(text.contains("takes parameters"), "{text}");
    let (code, text) = outcome(&["--kernel", "third"], &several, &[]);
    assert_eq!(code, 126);
    assert!(text.contains("it has other, _start"), "{text}");
    let (code, text) = outcome(&["--kernel", "other"], &several, &["argument"]);
    assert_eq!(code, 125);
    assert!(text.contains("no arguments"), "{text}");
}

#[test]
fn verbose_and_resource_usage() {
    let nothing = image("usage", "", "");
    let (code, text) = outcome(&["-v", "--print-resource-usage"], &nothing, &[]);
    assert_eq!(code, 0);
    for expected in ["sm_90", "no calls", "kernel _start: ", "ended with 0"] {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
}

/// A program that prints a line runs to its own end, whichever of its streams is closed, and where nobody reads what it prints.
#[test]
fn closed_streams_and_pipes_are_survived() {
    let say = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/common/say.ptx");
    let status = |streams: &str| {
        let command = format!("exec \"$0\" --backend emulator --no-inherit-env \"$1\" {streams}");
        Command::new("sh")
            .env("GPU_EMULATOR_DIR", common::emulator("emulator"))
            .args(["-c", &command, env!("CARGO_BIN_EXE_gpu-loader")])
            .arg(&say)
            .stdout(Stdio::null())
            .status()
            .unwrap()
    };
    for streams in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        assert_eq!(status(streams).code(), Some(1), "{streams}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = Command::new(env!("CARGO_BIN_EXE_gpu-loader"))
        .env("GPU_EMULATOR_DIR", common::emulator("emulator"))
        .args(["--backend", "emulator", "--no-inherit-env"])
        .arg(&say)
        .stdout(writer)
        .output()
        .unwrap();
    let text = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(
        (ended.status.code(), text.contains("panicked")),
        (Some(1), false),
        "{text}"
    );
}

/// The emulator in the place of an installed driver, so that it is asked for codes and not for its own words: each fault is a line with the
/// kernel and what the code means.
#[test]
fn faults_of_an_installed_driver_are_explained_by_their_codes() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("installed-driver");
    fs::create_dir_all(&folder).unwrap();
    for name in ["libcuda.so", "libcuda.so.1"] {
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(common::emulator("emulator").join("libcuda.so"), link).unwrap();
    }
    for (name, body, cause, code) in [
        ("trap", "    trap;", "trap or memory fault", "CUDA_ERROR_LAUNCH_FAILED"),
        (
            "wild",
            "    mov.u64 %rd2, 64;\n    st.global.u32 [%rd2], 1;",
            "illegal address: a wild or null pointer",
            "CUDA_ERROR_ILLEGAL_ADDRESS",
        ),
        (
            "odd",
            "    add.u64 %rd2, %rd1, 1;\n    st.global.u32 [%rd2], 1;",
            "misaligned address",
            "CUDA_ERROR_MISALIGNED_ADDRESS",
        ),
    ] {
        let name = format!("installed-{name}");
        let output = Command::new(env!("CARGO_BIN_EXE_gpu-loader"))
            .env("LD_LIBRARY_PATH", &folder)
            .args(["--backend", "cuda"])
            .arg(image(&name, "", body))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        // The emulator adds its own report, as it does for any program that does not ask for it, in pieces: ours may begin behind one.
        let ours: Vec<&str> = text.split("gpu-loader: ").skip(1).collect();
        let [ours] = ours[..] else { panic!("{text}") };
        let line = ours.lines().next().unwrap();
        assert_eq!(output.status.code(), Some(134), "{text}");
        for part in [
            &format!("{name}.ptx: kernel _start failed: {cause}"),
            &format!("({code})]"),
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

/// Where there is no driver: one line says that the emulator runs instead, unless the driver was asked for.
#[test]
fn only_auto_falls_back_to_the_emulator() {
    let nothing = image("fallback", "", "");
    let run = |backend| {
        let output = Command::new(env!("CARGO_BIN_EXE_gpu-loader"))
            .env("GPU_EMULATOR_DIR", common::emulator("emulator"))
            .args(["--backend", backend])
            .arg(&nothing)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = run("cuda");
    if code == Some(0) {
        eprintln!("skipped: this machine has a driver and a device");
        return;
    }
    assert_eq!((code, text.lines().count()), (Some(125), 1), "{text}");
    assert!(text.contains("--backend emulator"), "{text}");
    let (code, text) = run("auto");
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    assert!(text.contains("runs in the emulator"), "{text}");
}
