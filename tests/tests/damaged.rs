//! Real images with faults put into them: the emulator refuses them or runs them, and neither crashes nor hangs.
//!
//! `GPU_IMAGES` is the folder with the images; without it, or with another `GPU_BACKEND` than `emulator`, there is nothing to try. `GPU_DAMAGE_SEED` (0) begins another series.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use std::{env, fs, thread};

use emulator::grid::Rng;

#[path = "../../loader/emulator/tests/hostile/attempt.rs"]
mod attempt;
#[path = "../../loader/emulator/tests/hostile/bounded.rs"]
mod bounded;

/// Images tried, each damaged anew.
const ROUNDS: u64 = 40;

/// Parsing and trying the longest image takes a second or two.
const DEADLINE: Duration = Duration::from_secs(60);

#[test]
fn damaged_images_are_refused_or_run() {
    let Some(folder) = env::var_os("GPU_IMAGES") else {
        return;
    };
    if env::var("GPU_BACKEND").is_ok_and(|backend| backend != "emulator") {
        return;
    }
    let entries = fs::read_dir(&folder).expect("the folder with the images").flatten();
    let mut images: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| is_plain_ptx(path))
        .collect();
    images.sort();
    assert!(!images.is_empty(), "no images in {}", folder.display());
    let first = env::var("GPU_DAMAGE_SEED").map_or(0, |seed| seed.parse().expect("GPU_DAMAGE_SEED is a number"));
    for seed in first..first + ROUNDS {
        let mut random = Rng::new(seed);
        let path = &images[random.below(images.len())];
        let text = damage(fs::read(path).expect("an image"), &mut random);
        let (done, finished) = channel();
        let attempt = thread::spawn(move || {
            attempt::try_all(&text);
            let _ = done.send(());
        });
        match finished.recv_timeout(DEADLINE) {
            Ok(()) => attempt.join().expect("it said that it was done"),
            Err(RecvTimeoutError::Disconnected) => panic!("seed {seed}: {} crashed the emulator", path.display()),
            Err(RecvTimeoutError::Timeout) => panic!("seed {seed}: {} hangs", path.display()),
        }
    }
}

/// Images without optimisation are several times as long, and there is nothing else in them.
fn is_plain_ptx(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.ends_with(".ptx") && name.split('.').count() == 2
    })
}

/// One to four faults.
fn damage(mut text: Vec<u8>, random: &mut Rng) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        if text.is_empty() {
            break;
        }
        let at = random.below(text.len());
        match random.below(6) {
            0 => text[at] = random.draw() as u8,
            1 => text[at] ^= 1 << random.below(8),
            2 => text.truncate(at),
            3 => replace_word(&mut text, at, random),
            4 => drop(text.drain(line_at(&text, at))),
            _ => {
                let line = text[line_at(&text, at)].to_vec();
                let to = random.below(text.len());
                let to = line_at(&text, to).start;
                text.splice(to..to, line);
            }
        }
    }
    text
}

/// The line around a place, with its newline.
fn line_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = text[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let end = text[at..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |newline| at + newline + 1);
    start..end
}

/// The word around a place.
fn word_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"%$_.".contains(byte);
    let start = text[..at]
        .iter()
        .rposition(|byte| !is_word(byte))
        .map_or(0, |before| before + 1);
    let end = text[at..]
        .iter()
        .position(|byte| !is_word(byte))
        .map_or(text.len(), |after| at + after);
    start..end.max(start)
}

/// Puts a word from elsewhere in the place of one.
fn replace_word(text: &mut Vec<u8>, at: usize, random: &mut Rng) {
    let from = random.below(text.len());
    let other = text[word_at(text, from)].to_vec();
    let place = word_at(text, at);
    text.splice(place, other);
}
