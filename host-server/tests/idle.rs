//! What a server thread costs while there is nothing to do. Alone in its process, as all threads of it count.

mod peer;

use std::time::{Duration, Instant};

use host_server::{Buffer, Idle, Opcode, RecordingHost, ServerThreads, services};
use peer::Device;

/// Processor time of this process while `of` runs, as a share of a core.
fn processor_share(of: impl FnOnce()) -> f64 {
    let time = || {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is valid; zeros are a sound value, which the call replaces.
        let usage = unsafe {
            assert_eq!(libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()), 0);
            usage.assume_init()
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    };
    let (start, before) = (Instant::now(), time());
    of();
    (time() - before) / start.elapsed().as_secs_f64()
}

/// How often the first server thread has gone to sleep, as Linux counts it.
fn sleeps() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let status = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("status")).ok());
    let mut server = status.filter(|status| status.starts_with("Name:\trpc-server-0\n"));
    let status = server.next().expect("a thread that serves");
    let count = status
        .lines()
        .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    count.unwrap().trim().parse().unwrap()
}

/// How long the device waits for the answer to a call on port 0.
fn call(device: &Device) -> Duration {
    device.store(0, 0, Buffer { data: [41; 8] });
    device.forge_header(0, 1, Opcode::TEST_INCREMENT.0);
    let start = Instant::now();
    device.flip(0);
    while !device.owns(0) {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::hint::spin_loop();
    }
    let answered = start.elapsed();
    assert_eq!(device.load(0, 0).data[0], 42);
    // The turn goes back, so that the next call begins a new conversation.
    device.flip(0);
    answered
}

/// One test, so that nobody else's work counts as the server's.
#[test]
fn silence_costs_what_it_says_and_the_call_that_ends_it_is_soon_answered() {
    let second = Duration::from_secs(1);
    for (idle, threads) in [(Idle::Adapt, 1), (Idle::Adapt, 4), (Idle::Nap, 1)] {
        let device = Device::new(8, 32, RecordingHost::default(), services::standard());
        let serving = ServerThreads::start(&device.server, threads, idle).unwrap();
        let asleep = processor_share(|| std::thread::sleep(second));
        device.server.kernel_starts();
        call(&device);
        std::thread::sleep(second / 100);
        let before = sleeps();
        let silent = processor_share(|| std::thread::sleep(2 * second));
        let slept = sleeps() - before;
        // The best of many: on a busy machine the server is not always running when a call comes.
        let mut soonest = call(&device);
        for _ in 0..10 {
            std::thread::sleep(second / 10);
            soonest = soonest.min(call(&device));
        }
        device.server.kernel_ends();
        drop(serving);
        println!(
            "{idle:?}, {threads} threads: asleep {:.2} %, in silence {:.1} %, slept {slept} times, answered after {soonest:?}",
            100.0 * asleep,
            100.0 * silent,
        );
        // Less than one in a hundred; a sanitizer makes it more, and a thread that spins makes it all.
        assert!(asleep < 0.1, "{asleep}");
        match idle {
            Idle::Nap => assert!(silent < 0.15, "{silent}"),
            // It never sleeps, which is what makes it quick wherever there is a core for it: naps of a millisecond would be 2000.
            // Nor do the others look: four that did would take all that a small machine has.
            _ => assert!(slept < 1000 && silent < 1.2, "{slept}, {silent}"),
        }
        // A machine that is not busy takes some microseconds; a busy one may take its time.
        let limit = Duration::from_millis(100);
        assert!(soonest < limit, "{soonest:?}");
    }
}
