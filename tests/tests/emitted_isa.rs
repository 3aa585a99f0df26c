//! What the compiler made of the four edges for AMD: cache and wait instructions in the machine code of each processor.
//!
//! The counterpart of `emitted.rs`, and what the images say of their kernels. Nothing in the machine code says "release at system scope": it is a sequence of instructions that
//! differs between processors (LLVM's AMDGPU usage guide, "Memory Model"), and a store or load with bits that make it pass caches.
//! The program is `edges`: all that it does is a call. Locks are taken and left with system-wide fences, since this target has no way to
//! ask for less from Rust. `GPU_IMAGES` is the folder with the images; without it there is nothing to look at.

use std::path::{Path, PathBuf};
use std::{env, fs};

use emulator::amdgcn::code_object::CodeObject;
use emulator::amdgcn::inst::{Form, Inst, Operand, sgpr};
use emulator::amdgcn::ops::Op;
use emulator::amdgcn::program::Program;
use emulator::amdgcn::target::{Target, Wave};

/// How one processor says what the edges need.
struct Dialect {
    /// Ends what a load that crosses to the host must have.
    system_load: &'static str,
    /// Ends what a store that crosses to the host must have.
    system_store: &'static str,
    /// Waits until stores have arrived.
    stores_done: &'static str,
    /// Writes back what caches hold for the host, where they hold anything.
    write_back: Option<&'static str>,
    /// Forgets what caches hold, in this order.
    invalidate: &'static [&'static str],
}

impl Dialect {
    fn of(target: Target) -> Self {
        match target {
            Target::Gfx90a => Self {
                system_load: " glc",
                system_store: "",
                stores_done: "vmcnt(0)",
                write_back: Some("buffer_wbl2"),
                invalidate: &["buffer_invl2", "buffer_wbinvl1_vol"],
            },
            Target::Gfx942 => Self {
                system_load: " sc0 sc1",
                system_store: " sc0 sc1",
                stores_done: "vmcnt(0)",
                write_back: Some("buffer_wbl2 sc0 sc1"),
                invalidate: &["buffer_inv sc0 sc1"],
            },
            Target::Gfx1030 => Self {
                system_load: " glc dlc",
                system_store: "",
                stores_done: "s_waitcnt_vscnt null, 0x0",
                write_back: None,
                invalidate: &["buffer_gl1_inv", "buffer_gl0_inv"],
            },
            Target::Gfx1100 => Self {
                system_load: " glc",
                system_store: "",
                stores_done: "s_waitcnt_vscnt null, 0x0",
                write_back: None,
                invalidate: &["buffer_gl1_inv", "buffer_gl0_inv"],
            },
        }
    }
}

/// The instructions of an image, in the order of their addresses.
struct Listing {
    name: String,
    dialect: Dialect,
    lines: Vec<String>,
}

impl Listing {
    fn read(path: &Path) -> Self {
        let (object, program) = decoded(path);
        let lines = in_order(&program)
            .iter()
            .map(|inst| inst.disassemble(program.decoder()).to_string())
            .collect();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let dialect = Dialect::of(object.target);
        Self { name, dialect, lines }
    }

    /// The places of the instructions that `wanted` picks out; at least one.
    fn all(&self, what: &str, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let found: Vec<_> = (0..self.lines.len()).filter(|&at| wanted(at)).collect();
        assert!(!found.is_empty(), "{}: there is no {what}", self.name);
        found
    }

    /// What is wrong with the release before `at`: since the last write, all of them were waited for, and caches written back.
    /// Addresses may be loaded in between.
    fn fault_of_release(&self, at: usize) -> Option<&'static str> {
        let is_write = |line: &String| is_memory(line) && !is_load(line);
        let last = self.lines[..at].iter().rposition(is_write);
        let since = &self.lines[last.map_or(0, |last| last + 1)..at];
        let has = |words: &str| since.iter().any(|line| line.contains(words));
        // An atomic operation that returns a value has been done when the value is there.
        let by_value = last.is_some_and(|last| is_atomic(&self.lines[last])) && has("vmcnt(0)");
        if !has(self.dialect.stores_done) && !by_value {
            return Some("stores before are not waited for");
        }
        match self.dialect.write_back {
            Some(words) if !has(words) => Some("caches are not written back"),
            _ => None,
        }
    }

    /// What is wrong with the acquire after `at`: before the next access that is no poll, the value was waited for and all caches forgot.
    fn fault_of_acquire(&self, at: usize) -> Option<&'static str> {
        let [first, others @ ..] = self.dialect.invalidate else {
            return Some("no way is known");
        };
        let (mut waited, mut last) = (false, at);
        for (place, line) in self.lines.iter().enumerate().skip(at + 1) {
            waited |= line.contains("vmcnt(0)");
            if line == first {
                let all = others
                    .iter()
                    .zip(&self.lines[place + 1..])
                    .all(|(other, line)| other == line);
                return match (all, waited) {
                    (true, true) => None,
                    (false, _) => Some("not all caches forget"),
                    (_, false) => Some("caches forget before the value has come"),
                };
            }
            // The loop that polls may have been turned around: its load then comes again.
            if is_memory(line) && !self.is_poll(place) {
                return Some("memory is accessed before caches forget");
            }
            last = place;
        }
        (last > at).then_some("caches never forget")
    }

    /// Whether an atomic operation sets bits (`v_or_b32`) or clears some (`v_and_b32`), itself or with what it is to replace.
    fn does(&self, at: usize, verb: &str) -> bool {
        let line = &self.lines[at];
        if line.contains("_atomic_cmpswap") {
            let computed = self.lines[..at].iter().rev().take(6);
            let mut bitwise = computed.filter(|line| line.starts_with("v_or_b32") || line.starts_with("v_and_b32"));
            return bitwise
                .next()
                .is_some_and(|line| line.starts_with(&format!("v_{verb}_b32")));
        }
        line.contains(&format!("_atomic_{verb}"))
    }

    fn is_lock(&self, at: usize) -> bool {
        is_atomic(&self.lines[at]) && self.does(at, "or")
    }

    fn is_unlock(&self, at: usize) -> bool {
        is_atomic(&self.lines[at]) && self.does(at, "and")
    }

    /// A store of a mailbox word. The other 32-bit store is that of the header's opcode, 8 bytes into the header.
    fn is_give(&self, at: usize) -> bool {
        let line = &self.lines[at];
        let is_word = [
            "flat_store_dword ",
            "flat_store_b32 ",
            "global_store_dword ",
            "global_store_b32 ",
        ]
        .iter()
        .any(|name| line.starts_with(name));
        is_word && !line.contains("offset:")
    }

    /// A load right after a pause: a wait for the other side.
    fn is_poll(&self, at: usize) -> bool {
        is_load(&self.lines[at])
            && self.lines[..at]
                .iter()
                .rev()
                .take_while(|line| !is_memory(line) && !is_branch(line))
                .any(|line| line.starts_with("s_sleep"))
    }

    fn lines_of(&self, at: usize) -> String {
        let from = at.saturating_sub(12);
        self.lines[from..(at + 12).min(self.lines.len())].join("\n  ")
    }
}

/// An image and its code.
fn decoded(path: &Path) -> (CodeObject, Program) {
    let name = path.display();
    let bytes = fs::read(path).expect("an image");
    let object = CodeObject::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let wave = object.kernels.values().next().expect("a kernel").descriptor.wave();
    let program = Program::decode(&object, &bytes, wave).unwrap_or_else(|error| panic!("{name}: {error}"));
    (object, program)
}

/// Its instructions, in the order of their addresses.
fn in_order(program: &Program) -> Vec<&Inst> {
    let mut instructions: Vec<_> = program.instructions().iter().collect();
    instructions.sort_by_key(|inst| inst.offset);
    instructions
}

fn is_memory(line: &str) -> bool {
    let is_cache_control = ["buffer_inv", "buffer_wb", "buffer_gl"]
        .iter()
        .any(|name| line.starts_with(name));
    !is_cache_control
        && ["flat_", "global_", "buffer_", "scratch_", "ds_"]
            .iter()
            .any(|segment| line.starts_with(segment))
}

fn is_load(line: &str) -> bool {
    line.starts_with("flat_load") || line.starts_with("global_load")
}

fn is_atomic(line: &str) -> bool {
    is_memory(line) && line.contains("_atomic_")
}

fn is_branch(line: &str) -> bool {
    line.starts_with("s_branch") || line.starts_with("s_cbranch")
}

/// The images for AMD whose names are wanted; at least one, if there are any images at all.
fn images(wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Some(folder) = env::var_os("GPU_IMAGES").map(PathBuf::from) else {
        eprintln!("nothing to look at: GPU_IMAGES is not set; `cargo xtask test e2e` sets it");
        return Vec::new();
    };
    let entries = fs::read_dir(&folder).expect("GPU_IMAGES").flatten();
    let mut images: Vec<_> = entries.map(|entry| entry.path()).collect();
    images.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".hsaco") && wanted(&name)
    });
    assert!(!images.is_empty(), "no such image for AMD in {}", folder.display());
    images
}

/// Optimised images of `edges` for AMD. Without optimisation each edge is a function of its own; at level 1 the locks of express slots are
/// loops, and what the program does at its end, with atomics on memory of its own, is kept.
fn listings() -> Vec<Listing> {
    let is_optimised = |name: &str| !name.contains(".O0.") && !name.contains(".O1.");
    let paths = images(|name| name.starts_with("edges.") && is_optimised(name));
    paths.iter().map(|path| Listing::read(path)).collect()
}

/// Complains about those of `places` that have a fault.
fn check(listing: &Listing, what: &str, places: Vec<usize>, fault: impl Fn(usize) -> Option<&'static str>) {
    for at in places {
        if let Some(fault) = fault(at) {
            panic!(
                "{}: {what} `{}`: {fault}\n  {}",
                listing.name,
                listing.lines[at],
                listing.lines_of(at)
            );
        }
    }
}

#[test]
fn lock_acquires_and_unlock_releases() {
    for listing in listings() {
        let locks = listing.all("lock", |at| listing.is_lock(at));
        check(&listing, "after the lock", locks, |at| listing.fault_of_acquire(at));
        let unlocks = listing.all("unlock", |at| listing.is_unlock(at));
        check(&listing, "before the unlock", unlocks, |at| {
            listing.fault_of_release(at)
        });
    }
}

#[test]
fn give_releases_and_take_acquires_at_system_scope() {
    for listing in listings() {
        let gives = listing.all("give", |at| listing.is_give(at));
        for &at in &gives {
            let line = &listing.lines[at];
            assert!(line.ends_with(listing.dialect.system_store), "{}: {line}", listing.name);
        }
        check(&listing, "before the give", gives, |at| listing.fault_of_release(at));
        let polls = listing.all("wait for the other side", |at| listing.is_poll(at));
        for &at in &polls {
            let line = &listing.lines[at];
            assert!(line.ends_with(listing.dialect.system_load), "{}: {line}", listing.name);
        }
        check(&listing, "after the wait", polls, |at| listing.fault_of_acquire(at));
    }
}

#[test]
fn nothing_but_locks_is_read_and_modified_in_one() {
    for listing in listings() {
        for at in listing.all("atomic", |at| is_atomic(&listing.lines[at])) {
            assert!(
                listing.is_lock(at) || listing.is_unlock(at),
                "{}: {}\n  {}",
                listing.name,
                listing.lines[at],
                listing.lines_of(at)
            );
        }
    }
}

/// A register of lanes, as far as it is one.
fn vector(operand: Operand) -> Option<Operand> {
    matches!(operand, Operand::Vgpr(_) | Operand::Agpr(_)).then_some(operand)
}

/// What is wrong with a function: the first of its moves between registers of lanes that is made with all lanes on, those included that
/// are elsewhere and may have something of theirs in the register.
///
/// The compiler parks scalars in lanes of registers by `v_writelane` and `v_readlane`. Such a register it may move with all lanes on, and
/// nothing else: `PARKED_SCALARS` of `xtask/src/linker.rs` sees to that.
fn move_of_all_lanes<'a>(function: &[&'a Inst]) -> Option<&'a Inst> {
    let mut parking = Vec::new();
    for inst in function {
        match inst.op {
            Op::v_writelane_b32 if matches!(inst.src[1], Operand::Int(_)) => parking.extend(vector(inst.dst[0])),
            Op::v_readlane_b32 if matches!(inst.src[1], Operand::Int(_)) => parking.extend(vector(inst.src[0])),
            _ => {}
        }
    }
    let mut all_lanes = false;
    for inst in function {
        match inst.op {
            Op::s_or_saveexec_b32 | Op::s_or_saveexec_b64 => all_lanes = inst.src[0] == Operand::Int(-1),
            _ if inst.dst.contains(&Operand::Sgpr(sgpr::EXEC)) => all_lanes = false,
            _ if all_lanes
                && matches!(inst.form, Form::Vop1 | Form::Vop2 | Form::Vop3 | Form::Vop3p)
                && !parking.contains(&inst.dst[0])
                && !parking.contains(&inst.src[0]) =>
            {
                return Some(inst);
            }
            _ => {}
        }
    }
    None
}

#[test]
fn lanes_that_are_elsewhere_keep_their_registers() {
    for path in images(|_| true) {
        let (object, program) = decoded(&path);
        let instructions = in_order(&program);
        for (&start, function) in &object.functions {
            let place = |end| instructions.partition_point(|inst| inst.offset < end);
            let code = &instructions[place(start)..place(start + function.size)];
            if let Some(inst) = move_of_all_lanes(code) {
                let line = inst.disassemble(program.decoder());
                let (name, image) = (&function.name, path.display());
                panic!("{image}: `{line}` at {:#x} in {name} with all lanes on", inst.offset);
            }
        }
    }
}

/// What a runtime asks an image for before it launches the three kernels: their symbols, and in the metadata their arguments, wavefront and
/// largest block.
#[test]
fn the_three_kernels_are_described() {
    for path in images(|name| name.starts_with("edges.") || name.starts_with("warp.")) {
        let (object, _) = decoded(&path);
        let image = path.file_name().expect("a file").to_string_lossy();
        assert_eq!(object.version, if image.contains("-v6") { 6 } else { 5 }, "{image}");
        let wave = if image.contains("-wave64") {
            Wave::W64
        } else {
            object.target.default_wave()
        };
        // `argc`, `argv`, `envp`, and where the exit code goes.
        let arguments = [(0, 4), (8, 8), (16, 8), (24, 8)];
        for (name, count) in [("_begin", 3), ("_start", 4), ("_end", 0)] {
            let Some(kernel) = object.kernels.get(name) else {
                panic!("{image}: no {name}");
            };
            let shown = kernel.metadata.args.iter().filter(|arg| !arg.kind.is_hidden());
            let shown: Vec<_> = shown.map(|arg| (arg.offset, arg.size)).collect();
            assert_eq!(shown, arguments[..count], "{image}: {name}");
            assert_eq!(kernel.metadata.symbol, format!("{name}.kd"), "{image}");
            assert_eq!(
                (kernel.metadata.wave, kernel.descriptor.wave()),
                (wave, wave),
                "{image}: {name}"
            );
            assert_eq!(kernel.metadata.max_flat_workgroup_size, 1024, "{image}: {name}");
            let bytes = kernel.metadata.kernarg_segment_size;
            assert_eq!(u64::from(kernel.descriptor.kernarg_size), bytes, "{image}: {name}");
        }
    }
}
