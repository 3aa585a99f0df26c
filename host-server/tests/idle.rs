//! What a server thread costs while there is nothing to do. Alone in its process, as all threads of it count.
#![allow(missing_docs)]

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

#[test]
fn silence_costs_little_and_the_call_that_ends_it_is_soon_answered() {
    let device = Device::new(64, 32, RecordingHost::default(), services::standard());
    let threads = ServerThreads::start(&device.server, 1, Idle::Adapt).unwrap();
    let asleep = processor_share(|| std::thread::sleep(Duration::from_secs(2)));
    device.server.kernel_starts();
    let silent = processor_share(|| std::thread::sleep(Duration::from_secs(5)));
    device.store(0, 0, Buffer { data: [41; 8] });
    device.forge_header(0, 1, Opcode::TEST_INCREMENT.0);
    let start = Instant::now();
    device.flip(0);
    while !device.owns(0) {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_micros(10));
    }
    let late = start.elapsed();
    assert_eq!(device.load(0, 0).data[0], 42);
    device.server.kernel_ends();
    drop(threads);
    println!(
        "asleep {:.2} %, in silence {:.2} %, answered after {late:?}",
        100.0 * asleep,
        100.0 * silent
    );
    // The aim is 1 % as well; this build is not optimised.
    assert!(asleep < 0.02, "{asleep}");
    assert!(silent < 0.15, "{silent}");
    // A busy machine takes its time; spinning threads would be no better there.
    assert!(late < Duration::from_millis(500), "{late:?}");
}
