//! `gpu-loader` under Open MPI's launcher, on emulated devices.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

mod common;

/// `GPU_MPIRUN`, which the project's own tests set, else the system's.
fn mpirun() -> Option<PathBuf> {
    if let Some(named) = env::var_os("GPU_MPIRUN") {
        return Some(named.into());
    }
    let path = env::var_os("PATH")?;
    let found = env::split_paths(&path)
        .map(|folder| folder.join("mpirun"))
        .find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: there is no mpirun; `cargo xtask test unit` fetches one, or set GPU_MPIRUN");
    }
    found
}

/// Four processes on a machine with two devices.
fn run(launcher: &Path, options: &[&str], args: &[&str]) -> Output {
    // Launchers that begin at the same time get into each other's way in the folder that they share otherwise.
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("mpirun-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(launcher)
        .env("TMPDIR", &folder)
        // All processes are on this machine: without this, Open MPI looks for ssh, and ends where there is none.
        .env("OMPI_MCA_plm", "isolated")
        .env("GPU_EMULATOR_DIR", common::emulator("mpirun"))
        .envs([("GPU_EMULATOR_DEVICES", "2"), ("GPU_EMULATOR_MEMORY", "256M")])
        // Of a launcher that runs these tests.
        .env_remove("SLURM_STEP_NUM_TASKS")
        .args(["--oversubscribe", "-n", "4", env!("CARGO_BIN_EXE_gpu-loader")])
        .args(["--backend", "emulator", "--no-inherit-env"])
        .args(options)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/say.ptx"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let _ = std::fs::remove_dir_all(folder);
    output
}

fn sorted_lines(output: &Output) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_string)
        .collect();
    lines.sort();
    lines
}

#[test]
fn each_rank_has_a_device_and_learns_who_it_is() {
    let Some(launcher) = mpirun() else { return };
    // So that it returns 0, whatever it writes: the launcher ends all others when one fails.
    let variable = |number: usize| vec!["x"; 6 + number];
    let ranks = run(&launcher, &[], &variable(1));
    let errors = String::from_utf8_lossy(&ranks.stderr);
    assert!(ranks.status.success(), "{errors}");
    assert_eq!(
        sorted_lines(&ranks),
        ["GPU_RANK=0", "GPU_RANK=1", "GPU_RANK=2", "GPU_RANK=3"],
        "{errors}"
    );
    let sizes = run(&launcher, &["--tag-output"], &variable(2));
    let expected = [0, 1, 2, 3].map(|rank| format!("[{rank}] GPU_WORLD_SIZE=4"));
    assert_eq!(sorted_lines(&sizes), expected);
    let devices = run(&launcher, &[], &variable(0));
    assert_eq!(
        sorted_lines(&devices),
        ["GPU_DEVICE=0", "GPU_DEVICE=0", "GPU_DEVICE=1", "GPU_DEVICE=1"]
    );
}

#[test]
fn the_launcher_learns_of_a_failure() {
    let Some(launcher) = mpirun() else { return };
    // Rank 0 returns 1, whatever the launcher makes of the others meanwhile.
    let failed = run(&launcher, &[], &[]);
    assert_ne!(failed.status.code(), Some(0));
}
