//! `gpu-loader` on several emulated devices, and as one of several processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

mod common;

/// How the image is told what to do: by the number of its arguments.
const DEVICE: &[&str] = &[];
const RANK: &[&str] = &["a"];
const WORLD_SIZE: &[&str] = &["a", "b"];
const ENDLESS: &[&str] = &["a", "b", "c", "d"];
const DEVICE_2_TRAPS: &[&str] = &["a", "b", "c", "d", "e"];

fn image() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/say.ptx")
}

/// A machine with so many emulated devices, and no launcher.
fn loader(devices: u32) -> Command {
    loader_on("emulator", devices)
}

fn loader_on(backend: &str, devices: u32) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-loader"));
    command
        .env("GPU_EMULATOR_DIR", common::emulator("devices"))
        .env("GPU_EMULATOR_DEVICES", devices.to_string())
        .env("GPU_EMULATOR_MEMORY", "256M")
        .args(["--backend", backend, "--no-inherit-env"])
        .stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if ["OMPI_", "PMI_", "SLURM_", "FLUX_", "MV2_", "JSM_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            command.env_remove(name);
        }
    }
    command
}

fn run(devices: u32, options: &[&str], args: &[&str]) -> Output {
    loader(devices).args(options).arg(image()).args(args).output().unwrap()
}

/// The exit code, the lines of standard output in order, and standard error.
fn outcome(output: Output) -> (i32, Vec<String>, String) {
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.sort();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains("panicked"), "{errors}");
    (output.status.code().expect("ended by a signal"), lines, errors)
}

#[test]
fn devices_are_listed_as_the_driver_shows_them() {
    let listed = |visible: Option<&str>| {
        let mut command = loader(3);
        command.envs(visible.map(|devices| ("CUDA_VISIBLE_DEVICES", devices)));
        let (code, lines, errors) = outcome(command.arg("--list-devices").output().unwrap());
        assert_eq!((code, errors.as_str()), (0, ""));
        let numbers = lines
            .iter()
            .filter_map(|line| line.strip_prefix("cuda ")?.split_once(": "));
        numbers.map(|(number, _)| number.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(None), ["0", "1", "2"]);
    assert_eq!(listed(Some("2,0")), ["0", "1"]);
}

#[test]
fn one_device_is_the_first_or_the_one_that_is_named() {
    for (options, device) in [(&[][..], 0), (&["--device", "2"], 2), (&["--devices", "2"], 2)] {
        let (code, lines, errors) = outcome(run(3, options, DEVICE));
        assert_eq!((code, errors.as_str()), (1 << device, ""));
        assert_eq!(lines, [format!("GPU_DEVICE={device}")]);
    }
}

#[test]
fn a_program_runs_on_every_device_and_learns_which_it_is() {
    let (code, lines, errors) = outcome(run(4, &["--devices", "all"], DEVICE));
    assert_eq!((code, errors.as_str()), (0b1111, ""));
    assert_eq!(lines, ["GPU_DEVICE=0", "GPU_DEVICE=1", "GPU_DEVICE=2", "GPU_DEVICE=3"]);

    let (code, lines, _) = outcome(run(4, &["--devices", "3,1"], DEVICE));
    assert_eq!(code, 0b1010);
    assert_eq!(lines, ["GPU_DEVICE=1", "GPU_DEVICE=3"]);
    let (_, lines, _) = outcome(run(4, &["--devices", "3,1"], RANK));
    assert_eq!(lines, ["GPU_RANK=0", "GPU_RANK=1"]);
    let (_, lines, _) = outcome(run(4, &["--devices", "3,1"], WORLD_SIZE));
    assert_eq!(lines, ["GPU_WORLD_SIZE=2"; 2]);
}

/// Without a driver several devices are the emulator's too, and one line says so.
#[test]
fn the_emulator_stands_in_for_several_devices() {
    let run = |backend, options: &[&str], rank: Option<&str>| {
        let mut command = loader_on(backend, 2);
        command.args(options);
        command.envs(rank.map(|rank| ("OMPI_COMM_WORLD_LOCAL_RANK", rank)));
        command.envs(rank.map(|rank| ("OMPI_COMM_WORLD_RANK", rank)));
        command.envs(rank.map(|_| ("OMPI_COMM_WORLD_SIZE", "2")));
        outcome(command.arg(image()).output().unwrap())
    };
    if run("cuda", &[], None).0 != 125 {
        eprintln!("skipped: this machine has a driver and a device");
        return;
    }
    for (options, rank, expected) in [
        (&["--devices", "all"][..], None, &["GPU_DEVICE=0", "GPU_DEVICE=1"][..]),
        (&["--devices", "0,1"], None, &["GPU_DEVICE=0", "GPU_DEVICE=1"]),
        (&[], Some("1"), &["GPU_DEVICE=1"]),
    ] {
        let (_, lines, errors) = run("auto", options, rank);
        assert_eq!(lines, expected, "{errors}");
        assert_eq!(errors.matches("runs in the emulator").count(), 1, "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    let (code, _, errors) = run("auto", &["--devices", "0,5"], None);
    assert!(
        code == 125 && errors.contains("device 5: ") && errors.contains("there are devices 0 to 1"),
        "{errors}"
    );
    assert!(!errors.contains("already"), "{errors}");
}

#[test]
fn output_tells_its_device_when_asked_to() {
    let (_, lines, errors) = outcome(run(2, &["--devices", "all", "--tag-output"], DEVICE));
    assert_eq!(lines, ["[0] GPU_DEVICE=0", "[1] GPU_DEVICE=1"]);
    assert_eq!(errors, "");
    let (_, lines, _) = outcome(run(2, &["--device", "1", "-tag-output"], DEVICE));
    assert_eq!(lines, ["[1] GPU_DEVICE=1"]);
}

#[test]
fn eight_devices_at_once() {
    let (code, lines, errors) = outcome(run(8, &["--devices=all", "--server-threads", "2"], DEVICE));
    assert_eq!((code, lines.len(), errors.as_str()), (255, 8, ""));
}

#[test]
fn a_device_that_fails_is_named_and_the_others_go_on() {
    let (code, lines, errors) = outcome(run(4, &["--devices", "all"], DEVICE_2_TRAPS));
    assert_eq!(code, 134, "{errors}");
    assert_eq!(lines.len(), 4);
    assert!(errors.starts_with("gpu-loader: device 2: "), "{errors}");
    assert!(errors.contains("kernel _start failed"), "{errors}");
}

#[test]
fn nothing_runs_if_a_device_is_missing() {
    let (code, lines, errors) = outcome(run(2, &["--devices", "0,7,1,9"], DEVICE));
    assert_eq!((code, lines.len()), (125, 0));
    for device in ["device 7: no CUDA device 7", "device 9: no CUDA device 9"] {
        assert!(errors.contains(device), "{errors}");
    }
    // Where there is none at all, it says why: the machine, or a variable.
    let none = "gpu-loader: no CUDA device in this machine; see what nvidia-smi says, or use --backend emulator\n";
    for options in [&[][..], &["--devices", "all"], &["--device", "3"]] {
        let (code, lines, errors) = outcome(run(0, options, DEVICE));
        assert_eq!((code, lines.len(), errors.as_str()), (125, 0, none), "{options:?}");
    }
    for visible in ["", "-1", "7"] {
        let mut command = loader(2);
        let output = command
            .env("CUDA_VISIBLE_DEVICES", visible)
            .arg(image())
            .output()
            .unwrap();
        let (code, lines, errors) = outcome(output);
        let hidden = format!(
            "gpu-loader: no CUDA device is visible with CUDA_VISIBLE_DEVICES={visible}; change it, or use --backend emulator\n"
        );
        assert_eq!((code, lines.len(), errors), (125, 0, hidden));
    }
}

#[test]
fn the_watchdog_names_all_that_still_run() {
    let options = ["--devices", "all", "--timeout", "1", "--tag-output"];
    let (code, lines, errors) = outcome(run(2, &options, ENDLESS));
    assert_eq!(code, 124);
    assert!(
        errors.contains("device 0: kernel _start, device 1: kernel _start still ran"),
        "{errors}"
    );
    assert!(
        lines
            .iter()
            .all(|line| line == "[0] GPU_DEVICE=0" || line == "[1] GPU_DEVICE=1")
    );
}

#[test]
fn a_signal_ends_all_of_them_in_order() {
    let child = Command::new("env")
        .arg("--default-signal=INT")
        .arg(env!("CARGO_BIN_EXE_gpu-loader"))
        .env("GPU_EMULATOR_DIR", common::emulator("devices"))
        .envs([("GPU_EMULATOR_DEVICES", "3"), ("GPU_EMULATOR_MEMORY", "256M")])
        .args(["--backend", "emulator", "--no-inherit-env", "--devices", "all"])
        .arg(image())
        .args(ENDLESS)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let start = Instant::now();
    common::signal(&child, libc::SIGINT);
    let (code, _, errors) = outcome(child.wait_with_output().unwrap());
    assert_eq!((code, errors.as_str()), (130, "gpu-loader: stopped by signal 2\n"));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_launchers_local_rank_chooses_the_device() {
    for (variables, device) in [
        (
            [
                "OMPI_COMM_WORLD_RANK",
                "OMPI_COMM_WORLD_SIZE",
                "OMPI_COMM_WORLD_LOCAL_RANK",
            ],
            1,
        ),
        (["SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"], 1),
        (["PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"], 1),
    ] {
        let ranked = |options: &[&str], args: &[&str]| {
            let mut command = loader(2);
            command.envs(variables.into_iter().zip(["7", "8", "3"]));
            outcome(command.args(options).arg(image()).args(args).output().unwrap())
        };
        // Three of two devices: they are shared.
        assert_eq!(ranked(&[], DEVICE).1, [format!("GPU_DEVICE={device}")]);
        assert_eq!(ranked(&[], RANK).1, ["GPU_RANK=7"]);
        assert_eq!(ranked(&["--tag-output"], WORLD_SIZE).1, ["[7] GPU_WORLD_SIZE=8"]);
        // Whoever names a device gets it.
        assert_eq!(ranked(&["--device", "0"], DEVICE).1, ["GPU_DEVICE=0"]);
        assert_eq!(
            ranked(&["--devices", "0,1", "--tag-output"], RANK).1,
            ["[7.0] GPU_RANK=7", "[7.1] GPU_RANK=7"]
        );
        assert_eq!(ranked(&["--env", "GPU_DEVICE=x9"], DEVICE).1, ["GPU_DEVICE=x9"]);
    }
}
