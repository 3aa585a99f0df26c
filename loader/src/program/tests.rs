//! Whole programs on a device whose kernels are closures.

use std::sync::atomic::{AtomicBool, AtomicUsize};

use host_server::{ClientObject, Opcode, RecordingHost};

use super::*;
use crate::fake::{FakeClient, FakeDevice};

fn load(device: FakeDevice, options: Options) -> Result<Program> {
    let image = Image::parse("image", device.ptx().as_bytes())?;
    let runtime = Runtime {
        device: Arc::new(device),
        emulated: true,
        notice: None,
    };
    Program::load(&runtime, &image, options)
}

fn recording() -> (Arc<RecordingHost>, Options) {
    let host = Arc::new(RecordingHost::default());
    let options = Options {
        host: host.clone(),
        ports: 4,
        ..Options::default()
    };
    (host, options)
}

/// A device that makes calls.
fn calling() -> FakeDevice {
    FakeDevice::new(&[]).with_global(symbols::CLIENT, size_of::<ClientObject>())
}

fn print(client: &Option<FakeClient>, text: &str) {
    let mut port = client.as_ref().unwrap().open(Opcode::WRITE_TO_STDOUT);
    port.send_n(text.as_bytes());
    port.recv(|_| ());
}

fn exit(client: &Option<FakeClient>, status: i32) {
    let mut port = client.as_ref().unwrap().open(Opcode::EXIT);
    port.send_and_recv(|_| (), |_| ());
    port.send(|packet| packet.set(0, status as u32 as u64));
}

fn return_from_main(args: &[u8], value: i32) {
    let ret = u64::from_le_bytes(args[24..32].try_into().unwrap());
    // SAFETY: `_start` gets the address of a device word, which is host memory here.
    unsafe { *(ret as *mut i32) |= value };
}

const NONE: [&str; 0] = [];

#[test]
fn the_three_kernels_run_in_order() {
    let (host, options) = recording();
    let device = calling()
        .with_kernel("_begin", |_, client| {
            print(&client, "begin ");
            Ok(())
        })
        .with_kernel("_start", |args, client| {
            print(&client, "start ");
            return_from_main(args, 0x1_00);
            Ok(())
        })
        .with_kernel("_end", |args, client| {
            assert!(args.is_empty());
            print(&client, "end");
            Ok(())
        });
    let program = load(device, options).unwrap();
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE).unwrap();
    assert_eq!(ended, Ended::Returned(0x100));
    assert_eq!(ended.exit_code(), 1);
    assert_eq!(host.seen().stdout, b"begin start end");
}

#[test]
fn a_program_without_calls_has_no_server() {
    let (_, options) = recording();
    let device = FakeDevice::new(&[]).with_kernel("_start", |_, client| {
        assert!(client.is_none());
        Ok(())
    });
    let program = load(device, options).unwrap();
    assert!(program.server().is_none());
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE);
    assert_eq!(ended, Ok(Ended::Returned(0)));
}

#[test]
fn exit_ends_a_program_whose_kernel_hangs() {
    let (host, options) = recording();
    let device = calling()
        .with_kernel("_start", |_, client| {
            print(&client, &"x".repeat(1 << 20));
            exit(&client, 7);
            std::thread::sleep(Duration::from_secs(3600));
            Ok(())
        })
        .with_kernel("_end", |_, _| panic!("ran after exit"));
    let program = load(device, options).unwrap();
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE);
    assert_eq!(ended, Ok(Ended::Exited(7)));
    assert_eq!(host.seen().stdout.len(), 1 << 20);
}

#[test]
fn text_before_a_trap_is_kept_and_the_kernel_named() {
    let (host, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        // An asynchronous call: nobody waits for the answer.
        let mut port = client.as_ref().unwrap().open(Opcode::WRITE_TO_STDERR);
        port.send_n(b"last words");
        Err(Error::Fault("trap".into()))
    });
    let program = load(device, options).unwrap();
    let error = program.run(&["image"], &NONE, LaunchShape::SINGLE).unwrap_err();
    assert_eq!(error, Error::Fault("image: kernel _start failed: trap".into()));
    assert_eq!(error.exit_code(), crate::exit::FAULT);
    assert_eq!(host.seen().stderr, b"last words");
}

#[test]
fn an_exit_status_outlives_the_trap_that_follows_it() {
    let (_, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        exit(&client, 101);
        Err(Error::Fault("trap".into()))
    });
    let program = load(device, options).unwrap();
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE);
    assert_eq!(ended, Ok(Ended::Exited(101)));
}

#[test]
fn an_unknown_call_goes_on_and_is_remembered() {
    let (host, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        let mut port = client.as_ref().unwrap().open(Opcode::new(b'?', 1));
        port.send_and_recv(|_| (), |_| ());
        Ok(())
    });
    let program = load(device, options).unwrap();
    assert_eq!(
        program.run(&["image"], &NONE, LaunchShape::SINGLE),
        Ok(Ended::Returned(0))
    );
    assert!(program.met_unknown_opcode());
    assert_eq!(host.seen().reports.len(), 1);
}

/// The stream comes first, then the text.
fn forget_a_send(client: &Option<FakeClient>) {
    let mut port = client.as_ref().unwrap().open(Opcode::WRITE_TO_STREAM);
    port.send_n(b"text");
}

#[test]
fn a_call_left_in_the_middle_is_a_fault_of_a_kernel_that_came_to_its_end() {
    let (host, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        forget_a_send(&client);
        Ok(())
    });
    let program = load(device, options).unwrap();
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE);
    assert_eq!(ended, Ok(Ended::Returned(0)));
    assert!(program.has_cut_off_a_call());
    let reports = host.seen().reports;
    assert!(
        reports.len() == 1 && reports[0].contains("in the middle of this call"),
        "{reports:?}"
    );

    // Lanes that leave when one of them exits, or when a trap ends them all, leave calls behind.
    let (host, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        forget_a_send(&client);
        exit(&client, 7);
        Ok(())
    });
    let program = load(device, options).unwrap();
    let ended = program.run(&["image"], &NONE, LaunchShape::SINGLE);
    assert_eq!(ended, Ok(Ended::Exited(7)));
    assert!(!program.has_cut_off_a_call() && host.seen().reports.is_empty());

    let (host, options) = recording();
    let device = calling().with_kernel("_start", |_, client| {
        forget_a_send(&client);
        Err(Error::Fault("trap".into()))
    });
    let program = load(device, options).unwrap();
    assert!(program.run(&["image"], &NONE, LaunchShape::SINGLE).is_err());
    assert!(!program.has_cut_off_a_call() && host.seen().reports.is_empty());
}

#[test]
fn any_kernel_with_arguments_and_a_call_of_ones_own() {
    let (_, mut options) = recording();
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    const ADD: Opcode = Opcode::new(b'x', 1);
    options.registry.on_call(ADD, |_, buffer| {
        SEEN.fetch_add(buffer.data[0] as usize, Ordering::Relaxed);
    });
    let device = calling().with_kernel("work", |args, client| {
        let word = u64::from_le_bytes(args.try_into().unwrap());
        let mut port = client.as_ref().unwrap().open(ADD);
        port.send_and_recv(|packet| packet.set(0, word), |_| ());
        Ok(())
    });
    let program = load(device, options).unwrap();
    let stream = program.create_stream().unwrap();
    let launches: Vec<Launch> = (1..=10u64)
        // SAFETY: the closure takes a word and no pointer.
        .map(|word| unsafe {
            program
                .launch("work", LaunchShape::SINGLE, &word.to_le_bytes(), Some(stream))
                .unwrap()
        })
        .collect();
    for launch in &launches {
        launch.wait().unwrap();
        // Waiting again is harmless.
        assert_eq!(launch.wait_for(Duration::ZERO), Ok(true));
    }
    assert_eq!(SEEN.load(Ordering::Relaxed), 55);
}

/// What a kernel does that ends when it is told to.
fn wait_for(go: &AtomicBool) {
    while !go.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
}

/// One launch at a time, of at most four warps.
fn one_launch() -> Options {
    Options {
        express_slots: 4,
        one_launch: true,
        ..recording().1
    }
}

#[test]
fn of_launches_that_come_at_once_one_is_accepted() {
    static GO: AtomicBool = AtomicBool::new(false);
    let device = calling().with_kernel("work", |_, _| {
        wait_for(&GO);
        Ok(())
    });
    let program = load(device, one_launch()).unwrap();
    for _ in 0..500 {
        GO.store(false, Ordering::Release);
        let ready = AtomicUsize::new(0);
        let attempt = || {
            ready.fetch_add(1, Ordering::AcqRel);
            while ready.load(Ordering::Acquire) < 2 {
                std::hint::spin_loop();
            }
            // SAFETY: the closure takes no parameters.
            unsafe { program.launch("work", LaunchShape::SINGLE, &[], None) }
        };
        let attempts = std::thread::scope(|scope| {
            let other = scope.spawn(attempt);
            [attempt(), other.join().unwrap()]
        });
        GO.store(true, Ordering::Release);
        let mut accepted = 0;
        for attempt in attempts {
            match attempt {
                Ok(launch) => {
                    accepted += 1;
                    launch.wait().unwrap();
                }
                Err(error) => assert!(error.to_string().contains("one at a time"), "{error}"),
            }
        }
        assert_eq!(accepted, 1);
    }
}

#[test]
fn a_launch_that_failed_is_not_in_the_way_of_the_next() {
    let device = calling()
        .with_refusals(1)
        .with_kernel("work", |_, _| Ok(()))
        .with_kernel("trap", |_, _| Err(Error::Fault("trap".into())));
    let program = load(device, one_launch()).unwrap();
    let launch = |kernel, warps| {
        let shape = LaunchShape {
            block: [warps, 1, 1],
            ..LaunchShape::SINGLE
        };
        // SAFETY: the closures take no parameters.
        unsafe { program.launch(kernel, shape, &[], None) }.and_then(|launch| launch.wait())
    };
    let refused = |result: Result<()>| result.unwrap_err().to_string();
    assert!(refused(launch("work", 1)).contains("refused"));
    assert!(refused(launch("work", 5)).contains("5 warps"));
    assert!(refused(launch("trap", 1)).contains("trap"));
    assert_eq!(launch("work", 4), Ok(()));
}

#[test]
fn two_programs_in_one_process_do_not_mix() {
    let runs: Vec<_> = ["one", "two"]
        .into_iter()
        .map(|text| {
            let (host, options) = recording();
            let device = calling().with_kernel("_start", move |_, client| {
                (0..100).for_each(|_| print(&client, text));
                Ok(())
            });
            (text, host, load(device, options).unwrap())
        })
        .collect();
    std::thread::scope(|scope| {
        for (_, _, program) in &runs {
            scope.spawn(|| program.run(&["image"], &NONE, LaunchShape::SINGLE).unwrap());
        }
    });
    for (text, host, _) in &runs {
        assert_eq!(host.seen().stdout, text.repeat(100).as_bytes());
    }
}

#[test]
fn malloc_is_answered_from_the_reserved_heap_and_beyond() {
    let (_, mut options) = recording();
    options.heap_bytes = 1 << 20;
    let device = calling().with_kernel("_start", |args, client| {
        let ask = |bytes: u64| {
            let mut port = client.as_ref().unwrap().open(Opcode::MALLOC);
            port.send_and_recv(|packet| packet.set(0, bytes), |packet| packet.get(0))
        };
        let all_right = ask(1000) != 0 && ask(2 << 20) != 0 && ask(u64::MAX) == 0;
        return_from_main(args, i32::from(!all_right));
        Ok(())
    });
    let program = load(device, options).unwrap();
    assert_eq!(
        program.run(&["image"], &NONE, LaunchShape::SINGLE),
        Ok(Ended::Returned(0))
    );
}

#[test]
fn impossible_launches_say_what_is_possible() {
    let (_, options) = recording();
    let device = FakeDevice::new(&[]).with_kernel("_start", |_, _| panic!("was launched"));
    let program = load(device, options).unwrap();
    let refusal = |block, grid, shared_bytes| {
        let shape = LaunchShape {
            block,
            grid,
            shared_bytes,
        };
        let error = program.run(&["image"], &NONE, shape).unwrap_err();
        assert!(matches!(error, Error::Host(_)), "{error}");
        error.to_string()
    };
    assert!(refusal([513, 1, 1], [1; 3], 0).contains("513 threads per block, but the device allows 512"));
    assert!(refusal([1, 1, 65], [1; 3], 0).contains("65 threads in z, but the device allows 64"));
    assert!(refusal([1; 3], [1, 65536, 1], 0).contains("65536 blocks in y"));
    assert!(refusal([1; 3], [0, 1, 1], 0).contains("at least 1"));
    assert!(refusal([1; 3], [1; 3], 1 << 20).contains("--shared-mem"));
}

#[test]
fn images_that_are_no_programs() {
    let (_, options) = recording();
    let device = FakeDevice::new(&[]).with_kernel("saxpy", |_, _| Ok(()));
    let program = load(device, options.clone()).unwrap();
    assert_eq!(program.run_kernel("saxpy", LaunchShape::SINGLE), Ok(Ended::Returned(0)));
    let error = program.run(&["image"], &NONE, LaunchShape::SINGLE).unwrap_err();
    assert_eq!(error.exit_code(), crate::exit::CANNOT_RUN);
    assert!(error.to_string().contains("--kernel saxpy"), "{error}");
    // SAFETY: there is no such kernel.
    let error = unsafe { program.launch("nothing", LaunchShape::SINGLE, &[], None) }
        .err()
        .unwrap();
    assert!(error.to_string().contains("it has saxpy"), "{error}");

    let old = FakeDevice::new(&[(symbols::OLD_CLIENT, 0)]).with_kernel("_start", |_, _| Ok(()));
    let error = load(old, options).err().unwrap();
    assert!(error.to_string().contains("LLVM 17 to 19"), "{error}");
}

#[test]
fn an_abandoned_launch_is_served_to_its_end() {
    let (host, options) = recording();
    let device = calling().with_kernel("slow", |_, client| {
        std::thread::sleep(Duration::from_millis(50));
        print(&client, "done");
        Ok(())
    });
    let program = load(device, options).unwrap();
    let inner = Arc::downgrade(&program.inner);
    // SAFETY: the closure takes no parameters.
    drop(unsafe { program.launch("slow", LaunchShape::SINGLE, &[], None).unwrap() });
    drop(program);
    while inner.strong_count() > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(host.seen().stdout, b"done");
}

/// A device that knows large transfers.
fn transferring() -> FakeDevice {
    calling().with_global(symbols::EXTENSION_CLIENT, size_of::<rpc_proto::ext::ExtClient>())
}

#[test]
fn streams_end_with_their_program() {
    let device = transferring();
    let live = device.live();
    let program = load(device, recording().1).unwrap();
    let loaded = live.streams();
    assert!(loaded > 1, "large transfers have streams, too");
    program.create_stream().unwrap();
    assert_eq!(live.streams(), loaded + 1);
    drop(program);
    assert_eq!(live.streams(), 0);

    // Nothing is left of a program that could not be loaded either.
    let device = transferring();
    let live = device.live();
    let options = Options {
        express_slots: u32::MAX,
        ..recording().1
    };
    assert!(load(device, options).is_err());
    assert_eq!(live.streams(), 0);
}

#[test]
fn memory_ends_with_its_program_however_that_ended() {
    let trap = || Err(Error::Fault("trap".into()));
    for (expected, refusals) in [
        (Ok(Ended::Returned(0)), 0),
        (Ok(Ended::Exited(3)), 0),
        (trap().map(|()| Ended::Aborted), 0),
        (Err(Error::Host("refused".into())), 1),
    ] {
        let end = expected.clone();
        let device = transferring()
            .with_refusals(refusals)
            .with_kernel("_start", move |_, client| match &end {
                Ok(Ended::Exited(status)) => {
                    exit(&client, *status);
                    Ok(())
                }
                Ok(_) => Ok(()),
                Err(_) => trap(),
            });
        let live = device.live();
        let program = load(device, recording().1).unwrap();
        let ended = program.run(&["image"], &["A=1"], LaunchShape::SINGLE);
        match &expected {
            Ok(_) => assert_eq!(ended, expected),
            Err(_) => assert!(ended.is_err()),
        }
        drop(program);
        // The thread that waits for an abandoned launch may be the last to hold it.
        let start = std::time::Instant::now();
        while live.memory() + live.streams() > 0 {
            assert!(start.elapsed() < Duration::from_secs(10), "{expected:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn a_kernel_that_runs_keeps_its_stream() {
    static GO: AtomicBool = AtomicBool::new(false);
    let device = transferring().with_kernel("slow", |_, client| {
        wait_for(&GO);
        print(&client, "done");
        Ok(())
    });
    let live = device.live();
    let program = load(device, recording().1).unwrap();
    let loaded = live.streams();
    // SAFETY: the closure takes no parameters.
    drop(unsafe { program.launch("slow", LaunchShape::SINGLE, &[], None).unwrap() });
    drop(program);
    assert_eq!(live.streams(), loaded);
    GO.store(true, Ordering::Release);
    while live.streams() > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn images_of_ours_are_told_of_extensions_and_older_ones_of_fewer() {
    use rpc_proto::ext::{ExtClient, MAGIC, features};
    const FAST: u32 = features::SHADOW | features::EXPRESS | features::EXPRESS_UNHINTED | features::EXPRESS_TEXT;
    const ALL: u32 = FAST | features::POOL | features::BULK | features::EXPRESS_BULK;
    for (bytes, expected) in [
        (size_of::<ExtClient>(), ALL),
        (size_of::<ExtClient>() + 64, ALL),
        (std::mem::offset_of!(ExtClient, pool), FAST),
        (24, features::SHADOW),
    ] {
        let (_, options) = recording();
        let device = calling().with_global(symbols::EXTENSION_CLIENT, bytes);
        let program = load(device, options).unwrap();
        let mut object = vec![0u8; bytes];
        let global = program.global(symbols::EXTENSION_CLIENT).unwrap().unwrap();
        program.device().read(global.address, &mut object).unwrap();
        let word = |at: usize| u32::from_le_bytes(object[at..at + 4].try_into().unwrap());
        assert_eq!(
            (word(0), word(12) & !features::SERVICES),
            (MAGIC, expected),
            "{bytes} bytes"
        );
        assert_ne!(object[16..24], [0; 8]);
    }
}

#[test]
fn texts_do_not_go_around_a_handler_of_the_embedding_program() {
    use rpc_proto::ext::{ExtClient, features};
    for opcode in [
        Opcode::WRITE_TO_STDOUT,
        Opcode::WRITE_TO_STDERR,
        Opcode::WRITE_TO_STDOUT_NEWLINE,
    ] {
        let (_, mut options) = recording();
        options.registry.on(opcode, |_| async {});
        let device = calling().with_global(symbols::EXTENSION_CLIENT, size_of::<ExtClient>());
        let program = load(device, options).unwrap();
        let global = program.global(symbols::EXTENSION_CLIENT).unwrap().unwrap();
        let mut offered = [0; 4];
        program.device().read(global.address + 12, &mut offered).unwrap();
        let offered = u32::from_le_bytes(offered);
        assert_eq!(offered & features::EXPRESS, features::EXPRESS);
        assert_eq!(offered & features::EXPRESS_TEXT, 0, "{opcode}");
    }
}
