//! The kernels of the GPU benchmark, which `loader/benches/gpu.rs` launches one by one.

#![no_std]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use device_rt::{
    express, heap,
    io::{self, Read as _, Stream},
    println,
    rpc::{self, Opcode},
    thread,
    time::cycles,
    warp,
};

/// The limit: a flag goes to the host and comes back, `n` times, with nothing around it. `wait` clocks pass before the first look.
///
/// # Safety
/// Both lead to a word in memory shared with the host.
#[device_rt::kernel]
unsafe fn ping_pong(out: *mut u32, back: *mut u32, n: u32, wait: u32) {
    // SAFETY: the caller's promise.
    let (out, back) = unsafe { (AtomicU32::from_ptr(out), AtomicU32::from_ptr(back)) };
    for round in 1..=n {
        out.store(round, Relaxed);
        if wait > 0 {
            let begin = cycles();
            while cycles().wrapping_sub(begin) < u64::from(wait) {}
        }
        while back.load(Relaxed) != round {}
    }
}

/// The same with 8 bytes of payload in the word itself.
///
/// # Safety
/// Both lead to a word for each lane in memory shared with the host.
#[device_rt::kernel]
unsafe fn ping_pong_payload(out: *mut u64, back: *mut u64, n: u32) {
    let lane = warp::lane() as usize;
    // SAFETY: the caller's promise.
    let (out, back) = unsafe { (AtomicU64::from_ptr(out.add(lane)), AtomicU64::from_ptr(back.add(lane))) };
    for round in 1..=u64::from(n) {
        out.store(round << 32 | 7, Relaxed);
        while back.load(Relaxed) != round << 32 | 8 {}
    }
}

/// Calls with answer on the base protocol.
#[device_rt::kernel]
fn base_calls(n: u32) {
    for count in 0..u64::from(n) {
        let client = rpc::client();
        let mut port = client.open(Opcode::TEST_INCREMENT);
        let next = port.send_and_recv(|packet| packet.set(0, count), |packet| packet.get(0));
        check(next == count + 1);
    }
}

/// Calls without answer on the base protocol.
#[device_rt::kernel]
fn base_posts(n: u32) {
    for count in 0..u64::from(n) {
        let client = rpc::client();
        let mut port = client.open(Opcode::NOOP);
        port.send(|packet| packet.set(0, count));
    }
}

/// Express calls with answer.
#[device_rt::kernel]
fn express_calls(n: u32) {
    for count in 0..u64::from(n) {
        check(express::call(Opcode::TEST_INCREMENT, [count]) == [count + 1]);
    }
}

/// Express calls without answer.
#[device_rt::kernel]
fn express_posts(n: u32) {
    for count in 0..u64::from(n) {
        express::post(Opcode::NOOP, [count]);
    }
    express::flush();
}

/// Lines with an integer and a float.
#[device_rt::kernel]
fn print_lines(n: u32) {
    let index = thread::index();
    for count in 0..n {
        println!("value {} {}", count, index as f64 / 8.0);
    }
}

/// Lines of 32 bytes without anything to format.
#[device_rt::kernel]
fn put_lines(n: u32) {
    for _ in 0..n {
        device_rt::print!("a line of text, thirty-two bytes\n");
    }
}

/// `bytes` bytes at `from` written to standard output, `n` times by each thread, each from its own place.
///
/// # Safety
/// `from` leads to `bytes` bytes for each thread.
#[device_rt::kernel]
unsafe fn write_bytes(from: *const u8, bytes: u64, n: u32) {
    // SAFETY: the caller's promise.
    let bytes =
        unsafe { core::slice::from_raw_parts(from.add(thread::index() as usize * bytes as usize), bytes as usize) };
    for _ in 0..n {
        check(Stream::Stdout.write_bytes(bytes) == bytes.len());
    }
}

/// `bytes` bytes of standard input read to `to`, `n` times by each thread, each to its own place.
///
/// # Safety
/// `to` leads to `bytes` bytes for each thread.
#[device_rt::kernel]
unsafe fn read_bytes(to: *mut u8, bytes: u64, n: u32) {
    // SAFETY: the caller's promise.
    let bytes =
        unsafe { core::slice::from_raw_parts_mut(to.add(thread::index() as usize * bytes as usize), bytes as usize) };
    for _ in 0..n {
        let mut rest = &mut *bytes;
        while !rest.is_empty() {
            let count = io::stdin().read(rest).unwrap_or(0);
            check(count > 0);
            rest = &mut rest[count..];
        }
    }
}

/// 64 bytes allocated and freed, `n` times by each thread.
#[device_rt::kernel]
fn malloc_free(n: u32) {
    for _ in 0..n {
        let block = heap::malloc(64);
        check(!block.is_null());
        // SAFETY: just allocated.
        unsafe {
            block.cast::<u32>().write_volatile(7);
            heap::free(block);
        }
    }
}

/// Copies `words` units of 16 bytes with the whole grid: what plain stores to the host reach.
///
/// # Safety
/// Both lead to that many units.
#[device_rt::kernel]
unsafe fn copy(to: *mut u128, from: *const u128, units: u64) {
    let step = thread::count();
    let mut at = thread::index();
    while at + 7 * step < units {
        // SAFETY: within both, by the bound above.
        unsafe {
            let eight: [u128; 8] = core::array::from_fn(|k| from.add((at + k as u64 * step) as usize).read());
            for (k, unit) in eight.into_iter().enumerate() {
                to.add((at + k as u64 * step) as usize).write(unit);
            }
        }
        at += 8 * step;
    }
}

/// What CUDA itself has for printing and allocating: peers on NVIDIA, nothing elsewhere.
#[cfg(target_arch = "nvptx64")]
mod cuda {
    unsafe extern "C" {
        fn vprintf(format: *const u8, arguments: *const u8) -> i32;
        // The first character tells LLVM to take the rest as it is: plain names would be those of `device-rt`'s own functions.
        #[link_name = "\u{1}malloc"]
        fn malloc(size: u64) -> *mut u8;
        #[link_name = "\u{1}free"]
        fn free(block: *mut u8);
    }

    #[repr(C)]
    struct Arguments(i32, f64);

    /// The line of `print_lines`, by CUDA's printf.
    #[device_rt::kernel]
    fn cuda_print_lines(n: u32) {
        let index = device_rt::thread::index();
        for count in 0..n {
            let arguments = Arguments(count as i32, index as f64 / 8.0);
            // SAFETY: the arguments are those that the format names, each at its natural alignment.
            unsafe { vprintf(c"value %d %g\n".as_ptr().cast(), (&raw const arguments).cast()) };
        }
    }

    /// The work of `malloc_free`, by CUDA's allocator.
    #[device_rt::kernel]
    fn cuda_malloc_free(n: u32) {
        for _ in 0..n {
            // SAFETY: freed once, after its only use.
            unsafe {
                let block = malloc(64);
                super::check(!block.is_null());
                block.cast::<u32>().write_volatile(7);
                free(block);
            }
        }
    }
}

/// A benchmark that computes something wrong measures nothing.
#[inline]
fn check(ok: bool) {
    if !ok {
        panic!("a benchmark got a wrong answer");
    }
}
