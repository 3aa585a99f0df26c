//! How fast PTX is parsed, how many lane-instructions run per second on one core, diagnostics on, and how long the smallest program takes.
//!
//! The aims: 1 MB of PTX in less than 0.3 s, at least 20 million lane-instructions per second and core, also on the word count of
//! `tests/programs`, and `hello` in less than 0.5 s from its start to its end. The last two need what `cargo xtask bench ptx` builds:
//! the images in `GPU_IMAGES`, and `GPU_LOADER` with the emulator beside it.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, fs};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use emulator::grid::Launch;
use emulator::memory::{Kind, Memory};
use emulator::ptx::{LoadedModule, Module};

const SAMPLE: &str = include_str!("../tests/sample.ptx");

/// Counts words in a text of `n` bytes per thread: loads of bytes, comparisons, branches that part the lanes, and a hash
/// table of shared memory that is updated atomically.
const WORDS: &str = "\
.version 7.8
.target sm_70
.address_size 64
.shared .align 4 .b8 buckets[1024];
.visible .entry words(.param .u64 text, .param .u32 n, .param .u64 out)
{
	.reg .pred %p<6>;
	.reg .b32 %r<24>;
	.reg .b64 %rd<12>;
	ld.param.b64 	%rd1, [text];
	ld.param.b32 	%r1, [n];
	ld.param.b64 	%rd2, [out];
	mov.u32 	%r2, %tid.x;
	mul.lo.s32 	%r3, %r2, %r1;
	cvt.u64.u32 	%rd3, %r3;
	add.s64 	%rd4, %rd1, %rd3;
	mov.u64 	%rd5, buckets;
	mov.b32 	%r4, 0;
	mov.b32 	%r5, 0;
	mov.b32 	%r6, -2128831035;
$next:
	ld.global.u8 	%r7, [%rd4];
	setp.eq.s32 	%p1, %r7, 32;
	@%p1 bra 	$space;
	xor.b32 	%r8, %r6, %r7;
	mul.lo.s32 	%r6, %r8, 16777619;
	mov.b32 	%r4, 1;
	bra.uni 	$step;
$space:
	setp.eq.s32 	%p2, %r4, 0;
	@%p2 bra 	$step;
	and.b32 	%r9, %r6, 255;
	mul.wide.u32 	%rd6, %r9, 4;
	add.s64 	%rd7, %rd5, %rd6;
	atom.shared.add.u32 	%r10, [%rd7], 1;
	mov.b32 	%r4, 0;
	mov.b32 	%r6, -2128831035;
$step:
	add.s64 	%rd4, %rd4, 1;
	add.s32 	%r5, %r5, 1;
	setp.lt.s32 	%p3, %r5, %r1;
	@%p3 bra 	$next;
	bar.sync 	0;
	mul.wide.u32 	%rd8, %r2, 4;
	add.s64 	%rd9, %rd5, %rd8;
	add.s64 	%rd10, %rd2, %rd8;
	ld.shared.b32 	%r11, [%rd9];
	st.global.b32 	[%rd10], %r11;
	ret;
}
";

struct Words {
    module: LoadedModule,
    params: Vec<u8>,
}

impl Words {
    fn new(bytes_per_thread: u32) -> Words {
        let memory = Arc::new(Memory::new(64 << 20));
        let module = Module::parse(WORDS.as_bytes()).expect("the kernel parses");
        let module = module.load(&memory).expect("the kernel loads");
        let text: Vec<u8> = "the quick brown fox jumps over a lazy dog and "
            .bytes()
            .cycle()
            .take(256 * bytes_per_thread as usize)
            .collect();
        let input = memory
            .alloc(Kind::Device, text.len() as u64, 256, "text")
            .expect("memory");
        memory.write(input, &text).expect("the text fits");
        let out = memory.alloc(Kind::Device, 1024, 256, "out").expect("memory");
        let mut params = input.to_le_bytes().to_vec();
        params.extend(u64::from(bytes_per_thread).to_le_bytes());
        params.extend(out.to_le_bytes());
        Words { module, params }
    }

    fn run(&self, threads: u32) -> u64 {
        let mut launch = Launch::new(1, threads);
        launch.host_threads = 1;
        let stats = self.module.launch("words", &launch, &self.params);
        stats.expect("the kernel runs").lane_instructions
    }
}

/// About a megabyte: the sample many times over, under other names.
fn megabyte() -> String {
    let (head, body) = SAMPLE.split_once(".address_size 64").expect("a head");
    let mut text = format!("{head}.address_size 64\n");
    let mut copy = 0;
    while text.len() < 1 << 20 {
        copy += 1;
        for line in body.lines() {
            // Names that belong to the module.
            let line = [
                "_Z6callee3BigiPi",
                "_Z2mki",
                "printf",
                "_ZdlPvm",
                "_Z3reci",
                "_Z2gai",
                "_Z2gbi",
                "k1",
                "fp",
                "_$_str",
            ]
            .iter()
            .fold(line.to_owned(), |line, name| {
                line.replace(name, &format!("{name}x{copy}"))
            });
            text += &line.replace(&format!("vprintfx{copy}"), "vprintf");
            text.push('\n');
        }
    }
    text
}

fn parsing(c: &mut Criterion) {
    let text = megabyte();
    Module::parse(text.as_bytes()).expect("the text parses");
    let mut group = c.benchmark_group("parse");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("1 MB", |b| b.iter(|| Module::parse(black_box(text.as_bytes()))));
    group.finish();
}

fn running(c: &mut Criterion) {
    let mut group = c.benchmark_group("lane-instructions");
    group.sample_size(10);
    for (name, threads) in [("one lane", 1), ("one warp", 32), ("a block of 256", 256)] {
        let words = Words::new(4096);
        group.throughput(Throughput::Elements(words.run(threads)));
        group.bench_function(name, |b| b.iter(|| words.run(threads)));
    }
    group.finish();
}

/// An image that `cargo xtask bench` has built.
fn image(program: &str) -> Option<PathBuf> {
    let folder = env::var_os("GPU_IMAGES");
    if folder.is_none() {
        eprintln!("{program}: left out, as GPU_IMAGES is not set; `cargo xtask bench ptx` sets it");
    }
    Some(Path::new(&folder?).join(format!("{program}.ptx")))
}

/// The word count of `tests/programs`, as compiled. Its last thread would print, and there is nobody here to answer: it is told that
/// as many have finished before, so that none is the last.
fn word_count(c: &mut Criterion) {
    let Some(path) = image("word_count") else { return };
    let text = fs::read(path).expect("the image is there");
    let memory = Arc::new(Memory::new(64 << 20));
    let module = Module::parse(&text)
        .expect("the image parses")
        .load(&memory)
        .expect("it loads");
    let mut globals = module.globals().iter();
    let finished = globals
        .find(|global| global.name.contains("FINISHED"))
        .expect("the counter of threads");
    let code = memory.alloc(Kind::Device, 4, 256, "code").expect("memory");
    let mut params = vec![0; 24];
    params.extend(code.to_le_bytes());
    let run = |threads: u32| {
        memory
            .write(finished.address, &u64::from(threads).to_le_bytes())
            .expect("the counter");
        let mut launch = Launch::new(1, threads);
        launch.host_threads = 1;
        launch.stack_size = 8 << 10;
        let stats = module.launch("_start", &launch, &params).expect("the program runs");
        stats.lane_instructions
    };
    let mut group = c.benchmark_group("word_count");
    group.sample_size(10);
    for (name, threads) in [("one lane", 1), ("one warp", 32), ("a block of 256", 256)] {
        group.throughput(Throughput::Elements(run(threads)));
        group.bench_function(name, |b| b.iter(|| run(threads)));
    }
    group.finish();
}

/// The smallest program as a user starts it: a process, the emulated driver, three kernels.
fn hello(c: &mut Criterion) {
    let (Some(path), Some(loader)) = (image("hello"), env::var_os("GPU_LOADER")) else {
        return;
    };
    let mut group = c.benchmark_group("hello");
    group.sample_size(10);
    group.bench_function("in total", |b| {
        b.iter(|| {
            let mut command = Command::new(&loader);
            command.args(["--backend", "emulator"]).arg(&path).args(["one", "two"]);
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert_eq!(status.expect("the loader starts").code(), Some(127));
        });
    });
    group.finish();
}

criterion_group!(benches, parsing, running, word_count, hello);
criterion_main!(benches);
