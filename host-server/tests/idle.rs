//! A server with nothing to do leaves the processor to others, and is there when it is called.
#![allow(missing_docs)]

use std::ptr::NonNull;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host_server::{Idle, Layout, Opcode, RecordingHost, Server, ServerThreads, services};
use rpc_proto::raw::{CpuEdges, RawMemory};
use rpc_proto::{Client, OneLane};

/// Processor time that this process has used.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists, and the structure is ours.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn an_idle_server_burns_no_core_and_wakes_in_time() {
    let layout = Layout::new(64, 1).unwrap();
    let mut region = vec![0u64; layout.size().div_ceil(8)];
    let mut locks = [0u32; 2];
    let base = NonNull::new(region.as_mut_ptr().cast()).unwrap();
    // SAFETY: the region outlives the server and the client, which are all that touch it from here on.
    let (server, memory) = unsafe {
        (
            Server::new(base, layout, Arc::new(RecordingHost::default()), services::standard()),
            RawMemory::<CpuEdges>::client(base.as_ptr(), layout, locks.as_mut_ptr()),
        )
    };
    let client = Client::new(memory, OneLane::default());
    let _threads = ServerThreads::start(&server, 1, Idle::Sleep(Duration::from_micros(50))).unwrap();

    // No kernel runs, then one that computes without calling.
    for running in [false, true] {
        if running {
            server.kernel_starts();
        }
        let (start, used) = (Instant::now(), processor_time());
        std::thread::sleep(Duration::from_secs(1));
        let used = (processor_time() - used).as_secs_f64() / start.elapsed().as_secs_f64();
        assert!(used < 0.5, "{:.0} % of a core, kernel running: {running}", 100.0 * used);

        let called = Instant::now();
        let mut port = client.open(Opcode::TEST_INCREMENT);
        assert_eq!(port.send_and_recv(|packet| packet.set(0, 1), |packet| packet.get(0)), 2);
        // A naive server polls every so often; a loaded machine is slow, too.
        assert!(called.elapsed() < Duration::from_millis(500), "{:?}", called.elapsed());
    }
}
