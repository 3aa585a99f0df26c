//! What the compiler made of the four edges: orders and scopes in the emitted PTX.
//!
//! The source says lock and unlock at device scope, give and take at system scope, and no read-modify-write on memory that the host
//! shares. A compiler that drops a fence or widens a scope breaks no test on an emulator; it shows here. The program is `edges`: all
//! that it does is a call on a port. `GPU_IMAGES` is the folder with the images; without it there is nothing to look at.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::{env, fs};

/// The instructions of an image, in the order of the text, without labels and comments.
struct Listing {
    name: String,
    lines: Vec<String>,
    /// Labels and the instructions that they stand before.
    labels: HashMap<String, usize>,
}

impl Listing {
    fn parse(name: String, ptx: &str) -> Self {
        let (mut lines, mut labels) = (Vec::new(), HashMap::new());
        for line in ptx.lines() {
            let line = line.split("//").next().unwrap_or_default().trim();
            if line.ends_with(';') {
                lines.push(line.to_owned());
            } else if let Some(label) = line.strip_suffix(':') {
                labels.insert(label.to_owned(), lines.len());
            }
        }
        Self { name, lines, labels }
    }

    /// The places of the instructions that `wanted` picks out; at least one.
    fn all(&self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let found: Vec<_> = (0..self.lines.len()).filter(|&at| wanted(&self.lines[at])).collect();
        assert!(!found.is_empty(), "{}: there is no {what}", self.name);
        found
    }

    /// The instructions that may follow the one at `at`.
    fn after(&self, at: usize) -> Vec<usize> {
        let line = self.lines[at].trim_end_matches(';');
        let target = line
            .split_whitespace()
            .last()
            .and_then(|word| self.labels.get(word))
            .copied();
        match target {
            Some(target) if line.starts_with("bra") => vec![target],
            Some(target) if line.starts_with('@') => vec![target, at + 1],
            _ if ["ret", "exit", "trap"].contains(&line) => vec![],
            _ => vec![at + 1],
        }
    }

    /// What is read or written of a packet or a header though the look at the mailbox at `look` has not acquired it.
    fn reached_without_acquire(&self, look: usize) -> Vec<&str> {
        let (mut next, mut seen) = (self.after(look), HashSet::new());
        let mut found = Vec::new();
        while let Some(at) = next.pop() {
            let Some(line) = self.lines.get(at).filter(|_| seen.insert(at)) else {
                continue;
            };
            if is_fence(line) || is_look(line) || is_unlock(line) || line.starts_with("ld.acquire.sys") {
                continue;
            }
            if line.starts_with("ld.relaxed.sys.b64") || line.starts_with("st.relaxed.sys") {
                found.push(line.as_str());
                continue;
            }
            next.extend(self.after(at));
        }
        found
    }

    /// The fence right before `at`: what is between only computes.
    fn fence_before(&self, at: usize) -> &str {
        let before = self.lines[..at].iter().rev();
        let nearest = before
            .take(12)
            .find(|line| is_fence(line) || is_memory(line) || is_branch(line));
        nearest.map_or("no fence", String::as_str)
    }
}

/// A look at a mailbox word that does not acquire by itself.
fn is_look(line: &str) -> bool {
    line.starts_with("ld.relaxed.sys.b32")
}

fn is_fence(line: &str) -> bool {
    line.starts_with("fence") || line.starts_with("membar")
}

fn is_memory(line: &str) -> bool {
    ["ld.relaxed", "st.relaxed", "st.global", "atom", "red"]
        .iter()
        .any(|word| line.starts_with(word))
}

fn is_branch(line: &str) -> bool {
    line.starts_with("bra") || line.starts_with('@')
}

/// Optimised images of `edges` for NVIDIA. Without optimisation each edge is a function of its own.
fn listings() -> Vec<Listing> {
    listings_of("edges")
}

/// Optimised images of a program for NVIDIA.
fn listings_of(program: &str) -> Vec<Listing> {
    let Some(folder) = env::var_os("GPU_IMAGES").map(PathBuf::from) else {
        eprintln!("nothing to look at: GPU_IMAGES is not set; `cargo xtask test e2e` sets it");
        return Vec::new();
    };
    let mut listings = Vec::new();
    for entry in fs::read_dir(&folder).expect("GPU_IMAGES").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.split('.').next() == Some(program) && name.ends_with("ptx") && !name.contains(".O0.") {
            let ptx = fs::read_to_string(entry.path()).expect("an image");
            listings.push(Listing::parse(name, &ptx));
        }
    }
    assert!(!listings.is_empty(), "no image of {program} in {}", folder.display());
    listings
}

fn is_lock(line: &str) -> bool {
    line.starts_with("atom") && line.contains(".or.b32")
}

fn is_unlock(line: &str) -> bool {
    (line.starts_with("atom") || line.starts_with("red")) && line.contains(".and.b32")
}

/// A store of a mailbox word. The other 32-bit store is that of the header's opcode, 8 bytes into the header.
fn is_give(line: &str) -> bool {
    line.starts_with("st.relaxed.sys") && line.contains(".b32") && !line.contains("+8]")
}

#[test]
fn lock_acquires_and_unlock_releases_at_device_scope() {
    for listing in listings() {
        for at in listing.all("lock", is_lock) {
            let line = &listing.lines[at];
            assert!(line.starts_with("atom.acquire.gpu."), "{}: {line}", listing.name);
        }
        for at in listing.all("unlock", is_unlock) {
            let line = &listing.lines[at];
            assert!(line.starts_with("red.release.gpu."), "{}: {line}", listing.name);
        }
    }
}

#[test]
fn give_releases_and_take_acquires_at_system_scope() {
    for listing in listings() {
        for at in listing.all("give", is_give) {
            assert_eq!(
                listing.fence_before(at),
                "fence.acq_rel.sys;",
                "{}: before a give",
                listing.name
            );
        }
        // A wait polls after a pause, and counts its looks between the two.
        let polls = listing.all("pause", |line| line.starts_with("nanosleep"));
        let polls = polls
            .iter()
            .flat_map(|&at| listing.lines[at + 1..].iter().find(|line| !line.starts_with("add.")))
            .filter(|line| line.starts_with("ld."));
        assert!(polls.clone().count() > 0, "{}: nothing polls", listing.name);
        for line in polls {
            assert!(line.starts_with("ld.acquire.sys."), "{}: {line}", listing.name);
        }
    }
}

/// Whoever opens a port looks at the inbox without acquiring, as most looks are in vain.
#[test]
fn nothing_of_a_packet_is_touched_between_a_look_and_its_acquire() {
    for mut listing in listings() {
        let looks = listing.all("look", is_look);
        for &look in &looks {
            let reached = listing.reached_without_acquire(look);
            assert!(reached.is_empty(), "{}: {reached:?}", listing.name);
        }
        // The same without fences, to see that this test would.
        for line in listing.lines.iter_mut().filter(|line| is_fence(line)) {
            line.clear();
        }
        let reached = looks
            .iter()
            .any(|&look| !listing.reached_without_acquire(look).is_empty());
        assert!(reached, "{}: no look leads to a packet", listing.name);
    }
}

#[test]
fn nothing_but_locks_is_read_and_modified_in_one() {
    for listing in listings() {
        for at in listing.all("atomic", |line| line.starts_with("atom") || line.starts_with("red")) {
            let line = &listing.lines[at];
            assert!(is_lock(line) || is_unlock(line), "{}: {line}", listing.name);
        }
    }
}

#[test]
fn lanes_meet_before_each_give() {
    for listing in listings() {
        for at in listing.all("give", is_give) {
            let before = listing.lines[..at].iter().rev();
            let meeting = before
                .take(20)
                .find(|line| line.starts_with("bar.warp.sync") || is_give(line));
            assert!(
                meeting.is_some_and(|line| line.starts_with("bar.warp.sync")),
                "{}: a mailbox flips before the lanes have met",
                listing.name
            );
        }
    }
}

/// A driver compiles all that an indirect call may reach, which is nearly everything, for each kernel that has one.
#[test]
fn only_an_image_with_constructors_looks_for_them() {
    let looks = |listing: &Listing| {
        let load = |line: &String| line.starts_with("ld") && line.contains("__init_array_start");
        listing.lines.iter().any(load)
    };
    for (program, expected) in [("args", false), ("constructors", true)] {
        for listing in listings_of(program) {
            assert_eq!(looks(&listing), expected, "{}", listing.name);
        }
    }
}
