//! Tiny files of each kind, built here byte by byte.

use std::sync::mpsc;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::symbols::Symbols;

/// A 64-bit little-endian ELF file with one symbol table.
///
/// Symbols are (name, `st_info`, `st_other`, size); all are defined in section 1.
pub(crate) fn elf(machine: u16, os_abi: u8, abi_version: u8, flags: u32, symbols: &[(&str, u8, u8, u64)]) -> Vec<u8> {
    let mut strings = vec![0u8];
    let mut table = vec![0u8; 24];
    for &(name, info, other, size) in symbols {
        table.extend((strings.len() as u32).to_le_bytes());
        table.extend([info, other]);
        table.extend(1u16.to_le_bytes());
        table.extend(0u64.to_le_bytes());
        table.extend(size.to_le_bytes());
        strings.extend(name.as_bytes());
        strings.push(0);
    }
    let table_at = 64u64;
    let strings_at = table_at + table.len() as u64;
    let headers_at = (strings_at + strings.len() as u64).next_multiple_of(8);

    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, os_abi, abi_version];
    file.resize(16, 0);
    file.extend(2u16.to_le_bytes()); // ET_EXEC
    file.extend(machine.to_le_bytes());
    file.extend(1u32.to_le_bytes());
    file.extend(0u64.to_le_bytes()); // entry
    file.extend(0u64.to_le_bytes()); // program headers
    file.extend(headers_at.to_le_bytes());
    file.extend(flags.to_le_bytes());
    for half in [64u16, 56, 0, 64, 4, 3] {
        file.extend(half.to_le_bytes());
    }
    file.extend(&table);
    file.extend(&strings);
    file.resize(headers_at as usize, 0);
    // type, offset, size, link, info, entry size
    for (kind, offset, size, link, entry) in [
        (0u32, 0, 0, 0u32, 0),
        (1, table_at, 0, 0, 0),
        (2, table_at, table.len() as u64, 3, 24u64),
        (3, strings_at, strings.len() as u64, 0, 0),
    ] {
        file.extend(0u32.to_le_bytes()); // name
        file.extend(kind.to_le_bytes());
        file.extend([0; 16]); // flags, address
        file.extend(offset.to_le_bytes());
        file.extend(size.to_le_bytes());
        file.extend(link.to_le_bytes());
        file.extend(1u32.to_le_bytes()); // info
        file.extend(1u64.to_le_bytes()); // alignment
        file.extend(entry.to_le_bytes());
    }
    file
}

fn cubin(flags: u32) -> Vec<u8> {
    elf(190, 0x33, 7, flags, &[])
}

fn code_object(flags: u32) -> Vec<u8> {
    elf(224, 64, 4, flags, &[])
}

pub(crate) fn device(vendor: Vendor, architecture: &str) -> Properties {
    Properties {
        vendor,
        ordinal: 0,
        name: "Test".into(),
        architecture: architecture.into(),
        lane_size: 32,
        max_threads_per_block: 1024,
        max_block: [1024, 1024, 64],
        max_grid: [1 << 30, 65535, 65535],
        max_shared_bytes: 48 << 10,
        max_shared_bytes_opt_in: 48 << 10,
        multiprocessors: 1,
        memory_bytes: 1 << 30,
        bus: String::new(),
        clock_hz: 0,
    }
}

fn architecture(bytes: &[u8]) -> String {
    let image = Image::parse("image", bytes).unwrap();
    assert_eq!(image.candidates.len(), 1);
    image.candidates[0].architecture.clone()
}

fn refusal(bytes: &[u8]) -> String {
    let Err(Error::Image(text)) = Image::parse("image", bytes) else {
        panic!("was accepted: {bytes:?}");
    };
    assert!(text.starts_with("image: ") && !text.contains('\n'), "{text}");
    text
}

#[test]
fn ptx_is_recognised_behind_comments() {
    let text = b"\n// made by hand\n/* .version */ .version 7.8\n.target sm_90a, debug\n\0";
    let image = Image::parse("image", text).unwrap();
    assert_eq!(image.candidates[0].format, Format::Ptx);
    assert_eq!(image.candidates[0].architecture, "sm_90a");
    assert_eq!(image.candidates[0].bytes, &text[..text.len() - 1]);
}

#[test]
fn cubins_of_both_flag_layouts() {
    assert_eq!(architecture(&cubin(0x5a055a)), "sm_90");
    assert_eq!(architecture(&elf(190, 0x33, 7, 0x0046_0546, &[])), "sm_70");
    assert_eq!(architecture(&elf(190, 0x41, 8, 0x0600_6402, &[])), "sm_100");
    assert_eq!(architecture(&elf(190, 0x41, 8, 0x0600_5a02, &[])), "sm_90");
}

#[test]
fn code_objects() {
    assert_eq!(architecture(&code_object(0x53f)), "gfx90a");
    assert_eq!(architecture(&code_object(0x36)), "gfx1030");
    assert!(refusal(&code_object(0xfe)).contains("unknown processor"));
}

#[test]
fn everything_else_is_named() {
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"hello\n").contains("text file but not PTX"));
    assert!(refusal(b"\x01\x02\xff\xfe\0\0").contains("no GPU image"));
    assert!(refusal(b".version 7.8\n").contains("truncated"));
    assert!(refusal(b".version 7.8\n.target r600\n").contains("'r600'"));
    assert!(refusal(b"BC\xC0\xDE\0\0\0\0").contains("bitcode"));
    assert!(refusal(&elf(62, 0, 0, 0, &[])).contains("x86-64"));
    assert!(refusal(b"\x7fELF\x01\x01\x01\0").contains("32-bit"));
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let whole = elf(190, 0x33, 7, 0x5a, &[("_start", 0x12, 0x10, 0)]);
    for length in 0..whole.len() {
        refusal(&whole[..length]);
    }
    assert!(refusal(&whole[..whole.len() - 1]).contains("truncated"));
    let container = offload(2, &[&cubin(0x5a), &code_object(0x3f)]);
    for length in 0..container.len() {
        refusal(&container[..length]);
    }
}

#[test]
fn paths_that_hold_no_file() {
    let text = |path: &str| Image::open(Path::new(path)).unwrap_err().to_string();
    assert!(text("/").contains("is a directory"));
    assert!(text("/no/such/image").contains("no such file"));
}

/// An offload binary with these images.
fn offload(version: u32, images: &[&[u8]]) -> Vec<u8> {
    let header_bytes = if version == 3 { 40 } else { 32 };
    let entries_at = header_bytes as u64;
    let mut image_at = entries_at + 40 * images.len() as u64;
    let size = image_at + images.iter().map(|image| image.len() as u64).sum::<u64>();
    let mut file = containers::OFFLOAD_MAGIC.to_vec();
    file.extend(version.to_le_bytes());
    file.extend(size.to_le_bytes());
    file.extend(entries_at.to_le_bytes());
    let count = if version == 1 { 40 } else { images.len() as u64 };
    file.extend(count.to_le_bytes());
    file.resize(header_bytes, 0);
    for image in images {
        file.extend([0; 24]);
        file.extend(image_at.to_le_bytes());
        file.extend((image.len() as u64).to_le_bytes());
        image_at += image.len() as u64;
    }
    for image in images {
        file.extend(*image);
    }
    file
}

#[test]
fn offload_binaries_give_the_image_for_the_device() {
    let nvidia = device(Vendor::Nvidia, "sm_90");
    let amd = device(Vendor::Amd, "gfx1100");
    let images = [cubin(0x46), cubin(0x5a), code_object(0x41)];
    let slices: Vec<&[u8]> = images.iter().map(Vec::as_slice).collect();
    // Version 1 holds one image; several files follow each other.
    let mut concatenated = Vec::new();
    for image in &slices {
        concatenated.extend(offload(1, &[image]));
        concatenated.resize(concatenated.len().next_multiple_of(8), 0);
    }
    for file in [offload(2, &slices), offload(3, &slices), concatenated] {
        let image = Image::parse("image", &file).unwrap();
        assert!(image.is_for(Vendor::Nvidia) && image.is_for(Vendor::Amd));
        assert_eq!(image.select(&nvidia, false).unwrap().architecture, "sm_90");
        assert_eq!(image.select(&amd, false).unwrap().architecture, "gfx1100");
    }
    assert!(refusal(&offload(2, &[b"text"])).contains("without a usable image"));
    assert!(refusal(&offload(9, &slices)).contains("version 9"));
}

/// A fatbin with these entries: kind, flags, payload.
fn fatbin(entries: &[(u16, u64, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for &(kind, flags, payload) in entries {
        body.extend(kind.to_le_bytes());
        body.extend(0x101u16.to_le_bytes());
        body.extend(64u32.to_le_bytes());
        body.extend((payload.len() as u64).to_le_bytes());
        body.extend([0; 24]);
        body.extend(flags.to_le_bytes());
        body.extend([0; 16]);
        body.extend(payload);
    }
    let mut file = containers::FATBIN_MAGIC.to_vec();
    file.extend(1u16.to_le_bytes());
    file.extend(16u16.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(body);
    file
}

#[test]
fn fatbins() {
    let ptx = b".version 7.8 .target sm_70\n\0\0\0";
    let image = Image::parse("image", &fatbin(&[(1, 0x11, ptx), (2, 0x11, &cubin(0x5a))])).unwrap();
    let best = |name| image.select(&device(Vendor::Nvidia, name), false).unwrap();
    assert_eq!(best("sm_90").format, Format::Cubin);
    assert_eq!(best("sm_80").format, Format::Ptx);
    let interpreted = image.select(&device(Vendor::Nvidia, "sm_90"), true).unwrap();
    assert_eq!(interpreted.format, Format::Ptx);
    assert!(refusal(&fatbin(&[(1, 0x2011, ptx)])).contains("--no-compress"));
    assert!(refusal(&fatbin(&[])).contains("without PTX or cubin"));
    assert!(refusal(containers::FATBIN_WRAPPER_MAGIC).contains("wrapper"));
}

#[test]
fn which_device_runs_what() {
    let runs = |code: &[u8], vendor, architecture| {
        let image = Image::parse("image", code).unwrap();
        image.select(&device(vendor, architecture), false).map(|_| ())
    };
    let ptx = |target: &str| format!(".version 8.0\n.target {target}\n").into_bytes();
    let nvidia = Vendor::Nvidia;
    assert!(runs(&ptx("sm_70"), nvidia, "sm_90").is_ok());
    assert!(runs(&ptx("sm_100"), nvidia, "sm_90").is_err());
    assert!(runs(&ptx("sm_90a"), nvidia, "sm_90").is_ok());
    assert!(runs(&ptx("sm_90a"), nvidia, "sm_100").is_err());
    assert!(runs(&ptx("sm_100f"), nvidia, "sm_103").is_ok());
    assert!(runs(&cubin(0x50), nvidia, "sm_86").is_ok());
    assert!(runs(&cubin(0x56), nvidia, "sm_80").is_err());
    assert!(runs(&cubin(0x50), nvidia, "sm_90").is_err());
    let amd = Vendor::Amd;
    assert!(runs(&code_object(0x3f), amd, "gfx90a:sramecc+:xnack-").is_ok());
    assert!(runs(&code_object(0x54), amd, "gfx1103").is_ok());
    assert!(runs(&code_object(0x3f), amd, "gfx942").is_err());
    let error = runs(&cubin(0x50), amd, "gfx90a").unwrap_err().to_string();
    assert!(error.contains("sm_80") && error.contains("gfx90a"), "{error}");
}

#[test]
fn the_emulator_asks_for_ptx() {
    let image = Image::parse("image", &cubin(0x5a)).unwrap();
    let error = image.select(&device(Vendor::Nvidia, "sm_90"), true).unwrap_err();
    assert!(error.to_string().contains("give it the image as PTX"));
}

#[test]
fn containers_that_lead_nowhere() {
    // A binary of size 0 would be followed by itself.
    let mut empty = offload(2, &[]);
    empty[8..16].fill(0);
    for size in 0..32u8 {
        empty[8] = size;
        assert!(refused_in_time(&empty).contains("damaged"), "{size}");
    }
    let mut file = fatbin(&[(2, 0x11, &cubin(0x5a))]);
    file[6..8].fill(0);
    assert!(refused_in_time(&file).contains("damaged"));
}

#[test]
fn small_files_do_not_claim_much() {
    // Many entries with the same image, each of which would be a copy of it.
    let image = elf(190, 0x33, 7, 0x5a, &[("a".repeat(1 << 20).as_str(), 0x12, 0x10, 0)]);
    let empty: &[u8] = &[];
    let mut file = offload(2, &[&[image.as_slice()], vec![empty; 20_000].as_slice()].concat());
    let entry: [u8; 40] = file[32..72].try_into().unwrap();
    for other in file[72..][..40 * 20_000].chunks_exact_mut(40) {
        other.copy_from_slice(&entry);
    }
    assert!(refused_in_time(&file).contains("damaged"));

    // Many symbols with the same name.
    let symbols = vec![("", 0x12, 0x10, 0); 20_000];
    let mut file = elf(
        190,
        0x33,
        7,
        0x5a,
        &[&[("a".repeat(1 << 20).as_str(), 0x12, 0x10, 0)], symbols.as_slice()].concat(),
    );
    for name in file[64 + 24..][..24 * 20_001].chunks_exact_mut(24) {
        name[..4].copy_from_slice(&1u32.to_le_bytes());
    }
    within_time(move || {
        let image = Image::parse("image", &file).unwrap();
        let error = Symbols::of(&image.candidates[0], "image").unwrap_err().to_string();
        assert!(error.contains("names overlap"), "{error}");
    });

    // A long statement with many initialisers.
    let words = "a ".repeat(100_000);
    let text = format!(".version 7.8 .target sm_70 {words} = {}", "{} ".repeat(300_000));
    within_time(move || read_all_of(text.as_bytes()));
}

fn refused_in_time(bytes: &[u8]) -> String {
    let bytes = bytes.to_vec();
    within_time(move || refusal(&bytes))
}

/// What `action` answers; a failure if it has not after many times what it takes.
pub(crate) fn within_time<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, answer) = mpsc::channel();
    let thread = std::thread::spawn(move || done.send(action()));
    match answer.recv_timeout(Duration::from_secs(20)) {
        Ok(answer) => answer,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("no answer in time"),
        Err(mpsc::RecvTimeoutError::Disconnected) => std::panic::resume_unwind(thread.join().unwrap_err()),
    }
}

/// What a hostile header says somewhere: a number of one of the usual widths that is easily mistaken.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    in_header: bool,
    place: prop::sample::Index,
    width: usize,
    value: u64,
}

impl Change {
    pub(crate) fn apply(&self, file: &mut [u8]) {
        let span = if self.in_header {
            file.len().min(128)
        } else {
            file.len()
        };
        // Fields lie at multiples of their size.
        let at = self.place.index(span) / self.width * self.width;
        let end = file.len().min(at + self.width);
        file[at..end].copy_from_slice(&self.value.to_le_bytes()[..end - at]);
    }
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let near = |middle: u64| (0..80u64).prop_map(move |by| middle.wrapping_add(by).wrapping_sub(40));
    let value = prop_oneof![
        Just(0),
        near(0),
        near(64),
        near(400),
        near(1 << 16),
        near(1 << 32),
        near(1 << 63),
        any::<u64>()
    ];
    let width = prop::sample::select(vec![1, 2, 4, 8]);
    (any::<bool>(), any::<prop::sample::Index>(), width, value).prop_map(|(in_header, place, width, value)| Change {
        in_header,
        place,
        width,
        value,
    })
}

/// Any answer will do, as long as there is one.
fn read_all_of(bytes: &[u8]) {
    if let Ok(image) = Image::parse("image", bytes) {
        for code in &image.candidates {
            if let Ok(symbols) = Symbols::of(code, "image") {
                let _ = (symbols.constructors(), symbols.check_protocol("image"));
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_behind_a_magic_number_get_an_answer(
        magic in prop::sample::select(vec![
            elf::MAGIC,
            containers::OFFLOAD_MAGIC,
            containers::FATBIN_MAGIC,
            b".version 7.8\n.target sm_70\n",
            b"",
        ]),
        rest in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        read_all_of(&[magic, &rest].concat());
    }

    #[test]
    fn whole_files_with_hostile_bytes_get_an_answer(
        changes in prop::collection::vec(change(), 1..8),
        which in 0..5usize,
    ) {
        let elf = elf(190, 0x33, 7, 0x5a, &[("_start", 0x12, 0x10, 0), (crate::symbols::CLIENT, 0x11, 0, 552)]);
        let mut file = match which {
            0 => elf,
            1 => offload(2, &[&elf, &elf]),
            2 => [offload(1, &[&elf]), offload(1, &[&elf])].concat(),
            3 => fatbin(&[(1, 0x11, b".version 7.8 .target sm_70\n"), (2, 0x11, &elf)]),
            _ => b".version 7.8 .target sm_70 .visible .entry a(){} .global .v2 .b8 b[2][3] = {1, 2};".to_vec(),
        };
        changes.iter().for_each(|change| change.apply(&mut file));
        within_time(move || read_all_of(&file));
    }
}
