//! The AMDGCN decoder against LLVM's disassembler: every instruction of compiled programs, random encodings, and every
//! instruction of all images in the folder `GPU_IMAGES`, where there is one.
//!
//! Runs where LLVM 22 is: in the GPU toolchain's folder (`cargo xtask setup`). Elsewhere it says so and passes.
//! `DISASSEMBLY_CASES` sets how many random encodings there are per processor.

mod llvm;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use emulator::amdgcn::code_object::CodeObject;
use emulator::amdgcn::decode::{Decoder, Reason};
use emulator::amdgcn::program::Program;
use emulator::amdgcn::target::{Gen, Target, Wave};
use object::{Object, ObjectSection};

use llvm::{Llvm, temporary};

/// What LLVM reads at each address of an object's code.
///
/// LLVM 22 crashes on some encodings (GFX9's long form with a literal, for one): those are stepped over.
fn disassemble(llvm: &Llvm, object: &Path, target: Target, wave: Wave, end: u64) -> BTreeMap<u64, Line> {
    let mut lines = BTreeMap::new();
    let mut start = 0;
    while start < end {
        let mut command = llvm.command("llvm-objdump");
        command
            .arg("-d")
            .arg(format!("--mcpu={target}"))
            .arg(format!("--start-address={start}"));
        if wave == Wave::W64 && target.default_wave() == Wave::W32 {
            command.arg("--mattr=+wavefrontsize64");
        }
        let output = command
            .arg(object)
            .stderr(Stdio::null())
            .output()
            .expect("llvm-objdump runs");
        let mut next = start;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some((address, line)) = Line::parse(line) {
                next = address + line.size;
                lines.insert(address, line);
            }
        }
        if output.status.success() {
            break;
        }
        start = next + 4;
    }
    lines
}

/// One line of LLVM's.
#[derive(Debug)]
struct Line {
    size: u64,
    text: String,
    /// LLVM has something to say against it.
    is_suspect: bool,
}

impl Line {
    /// `text // 000000001234: 7E000280 ...`
    fn parse(line: &str) -> Option<(u64, Line)> {
        let (text, rest) = line.rsplit_once("// ")?;
        let (address, bytes) = rest.split_once(':')?;
        let address = u64::from_str_radix(address, 16).ok()?;
        let words = bytes.split([';', '<']).next()?.split_whitespace().count();
        let text = text.trim().to_string();
        let is_suspect = bytes.contains(';') || text.contains("/*");
        let size = 4 * words as u64;
        Some((address, Line { size, text, is_suspect }))
    }

    fn is_instruction(&self) -> bool {
        !self.text.starts_with(".long")
    }
}

#[test]
fn compiled_programs_read_the_same() {
    let Some(llvm) = Llvm::find() else { return };
    for target in Target::ALL {
        for wave in [Wave::W32, Wave::W64] {
            if !target.supports(wave) {
                continue;
            }
            for level in ["-O0", "-O1", "-O2", "-O3"] {
                for program in ["arithmetic", "memory"] {
                    compare_program(&llvm, target, wave, level, program);
                }
            }
        }
    }
}

fn compare_program(llvm: &Llvm, target: Target, wave: Wave, level: &str, program: &str) {
    let image = llvm.compile(program, target, wave, &[level]);
    let data = fs::read(&image).expect("the image that was just made");
    let file = object::File::parse(data.as_slice()).expect("an ELF file");
    let text = file.section_by_name(".text").expect("code");
    let code = text.data().expect("bytes of code");
    let base = text.address();
    let lines = disassemble(llvm, &image, target, wave, base + code.len() as u64);
    assert!(
        lines.len() > 500,
        "{image:?}: LLVM read only {} instructions",
        lines.len()
    );
    let decoder = Decoder::new(target, wave);
    for (address, line) in lines {
        let at = (address - base) as usize;
        let inst = decoder
            .decode(&code[at..], address)
            .unwrap_or_else(|error| panic!("{image:?}: {error}; LLVM reads `{}`", line.text));
        assert_eq!(
            inst.disassemble(&decoder).to_string(),
            line.text,
            "{image:?} at {address:#x}"
        );
        assert_eq!(u64::from(inst.size), line.size, "{image:?}: size of `{}`", line.text);
    }
}

/// A small generator of random numbers (xorshift), so that a failure repeats.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// High bits of each encoding, and the bits that are free below them.
const GFX9: &[(u32, u32)] = &[
    (0x8000_0000, 0x3fff_ffff),
    (0xb000_0000, 0x0fff_ffff),
    (0xbe80_0000, 0x007f_ffff),
    (0xbf00_0000, 0x007f_ffff),
    (0xbf80_0000, 0x007f_ffff),
    (0xc000_0000, 0x03ff_ffff),
    (0x7e00_0000, 0x01ff_ffff),
    (0x7c00_0000, 0x01ff_ffff),
    (0x0000_0000, 0x7fff_ffff),
    (0xd000_0000, 0x03ff_ffff),
    (0xd380_0000, 0x007f_ffff),
    (0xd800_0000, 0x03ff_ffff),
    (0xdc00_0000, 0x03ff_ffff),
    (0xe000_0000, 0x03ff_ffff),
];
const GFX10: &[(u32, u32)] = &[
    (0x8000_0000, 0x3fff_ffff),
    (0xb000_0000, 0x0fff_ffff),
    (0xbe80_0000, 0x007f_ffff),
    (0xbf00_0000, 0x007f_ffff),
    (0xbf80_0000, 0x007f_ffff),
    (0xf400_0000, 0x03ff_ffff),
    (0x7e00_0000, 0x01ff_ffff),
    (0x7c00_0000, 0x01ff_ffff),
    (0x0000_0000, 0x7fff_ffff),
    (0xd400_0000, 0x03ff_ffff),
    (0xcc00_0000, 0x007f_ffff),
    (0xd800_0000, 0x03ff_ffff),
    (0xdc00_0000, 0x03ff_ffff),
    (0xe000_0000, 0x03ff_ffff),
    (0xc800_0000, 0x03ff_ffff),
];

/// A random instruction: most bits are drawn, some fields more often hold what is legal there.
fn random_instruction(random: &mut Random, generation: Gen) -> [u32; 4] {
    let encodings = if generation == Gen::Gfx9 { GFX9 } else { GFX10 };
    let kind = random.below(encodings.len() as u32) as usize;
    let (prefix, free) = encodings[kind];
    let mut low = prefix | (random.next() & free);
    let mut high = random.next();
    let is_short_vector = matches!(prefix, 0 | 0x7c00_0000 | 0x7e00_0000);
    let is_long_vector = matches!(prefix >> 24, 0xcc | 0xd0 | 0xd3 | 0xd4);
    if is_short_vector && random.chance(50) {
        let any = random.below(512);
        low = (low & !0x1ff) | random.one_of(&[0xf9, 0xfa, 0xe9, 0xea, 0xff, any]);
    }
    if is_long_vector {
        if random.chance(60) {
            low &= !0xff00;
            high &= 0x07ff_ffff;
        }
        if random.chance(50) {
            high &= !(0x1ff << 18);
        }
        if generation == Gen::Gfx11 && random.chance(30) {
            high = (high & !0x1ff) | random.one_of(&[0xfa, 0xe9, 0xea, 0xff]);
        }
    }
    if prefix == 0xd800_0000 {
        for at in [0, 8, 16, 24] {
            if random.chance(40) {
                high &= !(0xff << at);
            }
        }
    }
    if prefix == 0xdc00_0000 && random.chance(40) {
        let none = match generation {
            Gen::Gfx9 => 0x7f,
            Gen::Gfx10 => 0x7d,
            Gen::Gfx11 => 0x7c,
        };
        high = (high & !(0x7f << 16)) | none << 16;
    }
    let (any, small) = (random.next(), random.below(256));
    let literal = random.one_of(&[any, small, 0x3f80_0000, 0x3c00]);
    let s_nop = 0xbf80_0000;
    [low, high, literal, s_nop]
}

#[test]
fn random_encodings_read_the_same() {
    let Some(llvm) = Llvm::find() else { return };
    let cases = env::var("DISASSEMBLY_CASES").map_or(6000, |cases| cases.parse().expect("a number of cases"));
    let mut wrong = Vec::new();
    for target in Target::ALL {
        for wave in [Wave::W32, Wave::W64] {
            // In portions: LLVM starts over after each encoding it crashes on.
            let mut left = if target.supports(wave) { cases } else { 0 };
            while left > 0 {
                let portion = left.min(4000);
                wrong.extend(compare_random(&llvm, target, wave, portion, left));
                left -= portion;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ, of which:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(SHOWN)].join("\n")
    );
}

/// Differences that a failure shows.
const SHOWN: usize = 40;

/// What differs, each in a line.
fn compare_random(llvm: &Llvm, target: Target, wave: Wave, cases: u32, seed: u32) -> Vec<String> {
    let generation = target.generation();
    let mut random =
        Random(0x9e37_79b9_7f4a_7c15 ^ target as u64 ^ u64::from(wave.lanes()) << 32 ^ u64::from(seed) << 8);
    let mut code = Vec::new();
    for _ in 0..cases {
        for word in random_instruction(&mut random, generation) {
            code.extend(word.to_le_bytes());
        }
    }
    let name = format!("random.{target}.{}", wave.lanes());
    let object = assemble(llvm, &name, target, &code);

    let decoder = Decoder::new(target, wave);
    let mut agreed = 0;
    let mut wrong = Vec::new();
    for (address, line) in disassemble(llvm, &object, target, wave, code.len() as u64) {
        let at = address as usize;
        let rest = &code[at..];
        let word = |index: usize| {
            rest.get(4 * index..4 * index + 4)
                .map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        };
        if line.is_suspect || is_known_difference(&line.text, [word(0), word(1), word(2)], target) {
            continue;
        }
        let ours = match decoder.decode(rest, address) {
            Ok(inst) => Some((u64::from(inst.size), inst.disassemble(&decoder).to_string())),
            // Left out on purpose.
            Err(error) if matches!(error.reason, Reason::Unsupported(_)) => continue,
            Err(_) => None,
        };
        let theirs = line.is_instruction().then(|| (line.size, line.text.clone()));
        if [&ours, &theirs]
            .into_iter()
            .flatten()
            .any(|(_, text)| is_cache_control(text))
            && ours != theirs
        {
            continue;
        }
        if ours == theirs {
            agreed += usize::from(ours.is_some());
        } else {
            wrong.push(format!(
                "{name} {:08x} {:08x} {:08x}: LLVM {theirs:?}, here {ours:?}",
                word(0),
                word(1),
                word(2)
            ));
        }
    }
    assert!(agreed as u32 > cases / 2, "{name}: only {agreed} valid instructions");
    wrong
}

/// An object with this code.
fn assemble(llvm: &Llvm, name: &str, target: Target, code: &[u8]) -> PathBuf {
    let (bytes, assembly, object) = (
        temporary(&format!("{name}.bin")),
        temporary(&format!("{name}.s")),
        temporary(&format!("{name}.o")),
    );
    fs::write(&bytes, code).expect("a writable folder");
    fs::write(&assembly, format!(".incbin \"{}\"\n", bytes.display())).expect("a writable folder");
    let mcpu = format!("--mcpu={target}");
    let (assembly, output) = (assembly.to_str().expect("UTF-8"), object.to_str().expect("UTF-8"));
    llvm.run(
        "llvm-mc",
        &["--arch=amdgcn", &mcpu, "--filetype=obj", assembly, "-o", output],
    );
    object
}

/// Each instruction of all images for one processor and width: its bytes, and how it reads here.
type Listing = BTreeMap<Vec<u8>, String>;

/// All instructions of the images in a folder.
fn instructions_of_images(folder: &Path) -> Vec<(Target, Wave, Listing)> {
    let mut listings: Vec<(Target, Wave, Listing)> = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder of the images")
        .map(|entry| entry.expect("an image").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hsaco"))
        .collect();
    paths.sort();
    for path in paths {
        let bytes = fs::read(&path).expect("an image");
        let object = CodeObject::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let wave = object.kernels.values().next().expect("a kernel").descriptor.wave();
        let program =
            Program::decode(&object, &bytes, wave).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let known = listings
            .iter()
            .position(|known| (known.0, known.1) == (object.target, wave));
        let at = known.unwrap_or_else(|| {
            listings.push((object.target, wave, Listing::new()));
            listings.len() - 1
        });
        for inst in program.instructions() {
            let code = object.code.iter().find_map(|code| {
                let start = code.bytes.start + inst.offset.checked_sub(code.address)? as usize;
                bytes[..code.bytes.end].get(start..start + inst.size as usize)
            });
            let listing = &mut listings[at].2;
            let code = code.expect("code of the image");
            if !listing.contains_key(code) {
                listing.insert(code.to_vec(), inst.disassemble(program.decoder()).to_string());
            }
        }
    }
    listings
}

#[test]
fn images_read_the_same() {
    let Some(folder) = env::var_os("GPU_IMAGES") else {
        eprintln!("no images to look at: GPU_IMAGES is not set; `cargo xtask test e2e` sets it");
        return;
    };
    let Some(llvm) = Llvm::find() else { return };
    for (target, wave, listing) in instructions_of_images(Path::new(&folder)) {
        let name = format!("images.{target}.{}", wave.lanes());
        let code = listing.keys().flatten().copied().collect::<Vec<_>>();
        let object = assemble(&llvm, &name, target, &code);
        let mut lines = disassemble(&llvm, &object, target, wave, code.len() as u64);
        let mut address = 0;
        for (bytes, ours) in &listing {
            let line = lines.remove(&address);
            let theirs = line.map(|line| (line.size, line.text));
            assert_eq!(theirs, Some((bytes.len() as u64, ours.clone())), "{name}: {bytes:02x?}");
            address += bytes.len() as u64;
        }
        eprintln!("{name}: {} different instructions", listing.len());
    }
}

/// Where LLVM 22's disassembler reads what the processor does not have, or misreads it.
fn is_known_difference(text: &str, words: [u32; 3], target: Target) -> bool {
    let mnemonic = text.split_whitespace().next().unwrap_or("");
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| mnemonic.starts_with(prefix));
    let is_vop3 = matches!(words[0] >> 26, 0x34 | 0x35);

    // Graphics and matrices: out of scope, some inside encodings that are in scope.
    let out_of_scope = starts(&["v_interp", "v_mfma", "v_smfmac", "v_wmma", "image_", "lds_", "exp"]);
    // Registers of GFX12 and later, and registers beyond the last.
    let newer = text.contains("src_flat_scratch_base") || has_register_beyond(text);
    // `v_illegal` is a name for no instruction; `buffer_store_lds_dword` has no operand that is data.
    let named_nothing = starts(&["v_illegal", "buffer_store_lds_dword"]);
    // A constant of `v_fmamk` and its like between 128 and 255 is read as an operand code.
    let misread_constant = text.contains("mk_f") || text.contains("ak_f");
    let misread_constant = misread_constant && words[1..].iter().any(|word| (128..256).contains(word));
    // Vector registers, constants and specials where only a scalar register can be.
    let not_scalar = (starts(&["v_cmp"]) && text.contains(" src_"))
        || (starts(&["v_readfirstlane", "v_readlane"]) && text.contains(" src_"))
        || starts(&["v_accvgpr_read"])
        || (mnemonic.contains("_co_") || starts(&["v_cndmask", "v_subb", "v_addc"])) && ends_in_vgpr(text)
        || starts(&["buffer_"]) && words[1] >> 24 == 0xff;
    // Half-register operations with reserved bits of op_sel: LLVM falls back to a table without halves.
    let reserved_op_sel = target.true16() && is_vop3 && words[0] & 0x7800 != 0;
    // GFX9's mix instructions are still read on later processors.
    let old_mix = target.generation() > Gen::Gfx9 && words[0] >> 23 == 0x1a7;
    // Not known to LLVM: that half-precision literals have inline forms here, that this needs no suffix,
    // that a class has no sign.
    let odd_text = starts(&["v_pk_fmac_f16"]) && words[0] & 0x1ff == 0xff
        || words[0] & 0x1ff == 0xe9 && starts(&["v_nop"])
        || target.true16() && mnemonic.contains("_class_f16");
    // Pairs of accumulation registers that begin at an odd one, which LLVM minds only where it must be a vector register.
    let odd_pair = matches!(target, Target::Gfx90a | Target::Gfx942) && has_odd_pair(text);
    out_of_scope
        || newer
        || named_nothing
        || misread_constant
        || not_scalar
        || reserved_op_sel
        || old_mix
        || odd_text
        || odd_pair
}

/// Buffer cache control with bits that mean nothing to it: each side has its own mind which of them are read.
fn is_cache_control(text: &str) -> bool {
    ["buffer_wbl2", "buffer_inv", "buffer_wbinvl1", "buffer_gl"]
        .iter()
        .any(|name| text.starts_with(name))
}

/// `a[63:64]`
fn has_odd_pair(text: &str) -> bool {
    text.split("a[")
        .skip(1)
        .filter_map(|rest| rest.split(':').next()?.parse::<u32>().ok())
        .any(|first| first % 2 == 1)
}

/// `v[255:256]`
fn has_register_beyond(text: &str) -> bool {
    text.split(':')
        .skip(1)
        .filter_map(|rest| rest.split(']').next()?.parse::<u32>().ok())
        .any(|last| last > 255)
}

fn ends_in_vgpr(text: &str) -> bool {
    let operands = text.split(" clamp").next().unwrap_or(text);
    let operands = operands.split(" quad_perm").next().unwrap_or(operands);
    operands
        .rsplit(", ")
        .next()
        .is_some_and(|last| last.starts_with('v') && !last.starts_with("vcc"))
}
