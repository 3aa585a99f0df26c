//! Lanes, warps, blocks and the host make progress together.

mod common;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use common::{Machine, kernel};
use emulator::fault::FaultKind;
use emulator::grid::{Dim3, Launch};
use emulator::memory::Kind;

fn seeded(launch: &Launch, seed: u64) -> Launch {
    Launch {
        seed: Some(seed),
        ..launch.clone()
    }
}

/// Every kind of schedule.
fn schedules(launch: &Launch) -> impl Iterator<Item = Launch> {
    let mut each_access = seeded(launch, 99);
    each_access.switch_at_every_access = true;
    let seeds = (0..40).map(|seed| seeded(launch, seed)).collect::<Vec<_>>();
    [launch.clone(), each_access].into_iter().chain(seeds)
}

#[test]
fn a_lane_that_spins_does_not_starve_its_sibling() {
    // Lane 0 waits for what lane 1 writes, in both orders of the branch.
    for (waiter, writer) in [("eq", "ne"), ("ne", "eq")] {
        let machine = Machine::kernel(&format!(
            "setp.{waiter}.u32 %p1, %tid, 0;\n@%p1 bra $wait;\nst.volatile.global.u32 [%out+8], 7;\nbra $end;\n\
             $wait:\nld.volatile.global.u32 %r1, [%out+8];\nsetp.ne.u32 %p2, %r1, 7;\n@%p2 bra $wait;\n$end:\nst.global.u32 [%mine], 5;"
        ));
        for launch in schedules(&Launch::new(1, 2)) {
            assert_eq!(machine.run(&launch, 3).unwrap(), [5, 5, 7], "{writer} {launch:?}");
        }
    }
}

#[test]
fn lanes_take_a_lock_in_turns() {
    let machine = Machine::kernel(
        "$try:\natom.global.cas.b32 %r1, [%out], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $try;\nfence.acq_rel.gpu;\n\
         ld.global.u32 %r2, [%out+4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%out+4], %r2;\nfence.acq_rel.gpu;\natom.global.exch.b32 %r3, [%out], 0;",
    );
    for launch in schedules(&Launch::new(3, 70)) {
        assert_eq!(machine.run(&launch, 2).unwrap(), [0, 210]);
    }
}

#[test]
fn an_unlocked_counter_loses_counts_under_some_seed() {
    let machine = Machine::kernel("ld.global.u32 %r1, [%out];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%out], %r1;");
    let counts = |seed| machine.run(&seeded(&Launch::new(4, 1), seed), 1).unwrap()[0];
    let seen: Vec<u32> = (0..40).map(counts).collect();
    assert!(seen.iter().any(|&n| n < 4), "{seen:?}");
    // And the seed is all that decides.
    assert_eq!(seen, (0..40).map(counts).collect::<Vec<_>>());
}

#[test]
fn blocks_wait_for_each_other() {
    // Block 0 waits until all others have come.
    let machine = Machine::kernel(
        "mov.u32 %r1, %ctaid.x;\nmov.u32 %r5, %nctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $other;\n\
         $wait:\nld.acquire.gpu.global.u32 %r2, [%out];\nadd.u32 %r2, %r2, 1;\nsetp.ne.u32 %p2, %r2, %r5;\n@%p2 bra $wait;\n\
         st.global.u32 [%out+4], 1;\nbra $end;\n$other:\natom.global.add.u32 %r3, [%out], 1;\n$end:",
    );
    for threads in [1, 2, 0] {
        let mut launch = Launch::new(300, 1);
        launch.host_threads = threads;
        assert_eq!(machine.run(&launch, 2).unwrap(), [299, 1]);
    }
    assert_eq!(machine.run(&seeded(&Launch::new(300, 1), 3), 2).unwrap(), [299, 1]);
}

#[test]
fn blocks_spread_over_host_threads_unless_seeded() {
    let text = format!(
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .align 1 .b8 text[2] = {{46, 0}};\n{}",
        kernel(
            "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\nst.param.b64 [a], text;\nst.param.b64 [b], 0;\ncall.uni (c), vprintf, (a, b);\n}\n\
             mov.u32 %r1, 0;\n$l:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n@%p1 bra $l;"
        )
    );
    let machine = Machine::new(&text);
    // Each block says on which thread of the host it runs.
    let threads = |seed| {
        let seen = Arc::new(Mutex::new(HashSet::new()));
        let mut launch = Launch::new(64, 1);
        launch.host_threads = 2;
        launch.seed = seed;
        let sink = seen.clone();
        launch.output = Some(Arc::new(move |_: &[u8]| {
            sink.lock().unwrap().insert(std::thread::current().id());
        }));
        machine.run(&launch, 1).unwrap();
        seen.lock().unwrap().len()
    };
    assert_eq!(threads(Some(1)), 1);
    // One may be done before the other has begun.
    assert!((0..50).any(|_| threads(None) == 2));
}

#[test]
fn the_host_answers_a_kernel_that_waits() {
    let machine = Machine::kernel(
        "mov.u32 %r9, 0;\n$next:\nadd.u32 %r9, %r9, 1;\nst.release.sys.global.u32 [%out], %r9;\n$wait:\nld.acquire.sys.global.u32 %r1, [%out+4];\n\
         setp.ne.u32 %p1, %r1, %r9;\n@%p1 bra $wait;\nsetp.lt.u32 %p2, %r9, 200;\n@%p2 bra $next;",
    );
    for launch in [Launch::new(1, 1), seeded(&Launch::new(1, 1), 5)] {
        let mailbox = machine.memory.alloc(Kind::Pinned, 64, 64, "mailbox").unwrap();
        machine.memory.write(mailbox, &[0; 8]).unwrap();
        // SAFETY: the mailbox stays allocated; both sides use it atomically.
        let (request, answer) = unsafe {
            (
                AtomicU32::from_ptr(mailbox as *mut u32),
                AtomicU32::from_ptr((mailbox + 4) as *mut u32),
            )
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for n in 1..=200 {
                    while request.load(Ordering::Acquire) != n {
                        std::thread::yield_now();
                    }
                    answer.store(n, Ordering::Release);
                }
            });
            machine.launch(&launch, &[mailbox]).unwrap();
        });
        assert_eq!(answer.load(Ordering::SeqCst), 200);
    }
}

#[test]
fn a_block_barrier_holds_everybody() {
    let text = format!(
        ".shared .align 4 .b8 s[512];\n{}",
        kernel(
            "mov.u64 %rd1, s;\nadd.u64 %rd2, %rd1, %o;\nst.shared.u32 [%rd2], %tid;\nbar.sync 0;\nsub.u32 %r1, 99, %tid;\nmul.wide.u32 %rd3, %r1, 4;\n\
             add.u64 %rd3, %rd1, %rd3;\nld.shared.u32 %r2, [%rd3];\nst.global.u32 [%mine], %r2;"
        )
    );
    let machine = Machine::new(&text);
    let expected: Vec<u32> = (0..100).rev().collect();
    for launch in schedules(&Launch::new(1, 100)) {
        assert_eq!(machine.run(&launch, 100).unwrap(), expected);
    }
}

#[test]
fn barriers_count_reduce_and_forget_those_who_left() {
    let machine = Machine::kernel(
        "setp.ge.u32 %p1, %tid, 90;\n@%p1 exit;\nsetp.lt.u32 %p2, %tid, 10;\nbarrier.red.popc.u32 %r1, 0, %p2;\n\
         barrier.red.and.pred %p3, 1, %p2;\nbarrier.red.or.pred %p4, 2, %p2;\nselp.b32 %r2, 100, 0, %p3;\nselp.b32 %r3, 1000, 0, %p4;\n\
         add.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\nst.global.u32 [%mine], %r1;",
    );
    for launch in schedules(&Launch::new(1, 96)) {
        let out = machine.run(&launch, 96).unwrap();
        assert!(
            out[..90].iter().all(|&n| n == 1010) && out[90..].iter().all(|&n| n == 0),
            "{out:?}"
        );
    }
}

#[test]
fn producers_arrive_and_consumers_wait() {
    // Warp 0 fills, warp 1 reads: 64 threads at barrier 1.
    let machine = Machine::kernel(
        "setp.lt.u32 %p1, %tid, 32;\n@%p1 bra $fill;\nbar.sync 1, 64;\nld.global.u32 %r1, [%mine+-128];\nst.global.u32 [%mine], %r1;\nbra $end;\n\
         $fill:\nadd.u32 %r1, %tid, 500;\nst.global.u32 [%mine], %r1;\nbar.arrive 1, 64;\n$end:",
    );
    for launch in schedules(&Launch::new(1, 64)) {
        let out = machine.run(&launch, 64).unwrap();
        assert_eq!(out[..32], out[32..]);
    }
}

#[test]
fn lanes_of_a_mask_meet_wherever_they_are() {
    // Half the warp comes from each side of a branch, and the shuffle crosses it.
    let machine = Machine::kernel(
        "and.b32 %r1, %tid, 1;\nsetp.eq.u32 %p1, %r1, 0;\nadd.u32 %r2, %tid, 100;\n@%p1 bra $even;\n\
         shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xffffffff;\nbra $end;\n$even:\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xffffffff;\n$end:\nst.global.u32 [%mine], %r3;",
    );
    for launch in schedules(&Launch::new(1, 32)) {
        let expected: Vec<u32> = (0..32).map(|lane| (lane ^ 1) + 100).collect();
        assert_eq!(machine.run(&launch, 32).unwrap(), expected);
    }
}

#[test]
fn lanes_with_masks_of_their_own_meet_in_groups() {
    // One instruction, two masks: the lower and the upper half of the warp.
    let machine = Machine::kernel(
        "setp.lt.u32 %p1, %tid, 16;\nselp.b32 %r1, 0x0000ffff, 0xffff0000, %p1;\nand.b32 %r2, %tid, 1;\nsetp.ne.u32 %p2, %r2, 0;\n\
         vote.sync.ballot.b32 %r3, %p2, %r1;\nst.global.u32 [%mine], %r3;",
    );
    let expected: Vec<u32> = (0..32)
        .map(|lane| if lane < 16 { 0xaaaa } else { 0xaaaa_0000 })
        .collect();
    for launch in schedules(&Launch::new(1, 32)) {
        assert_eq!(machine.run(&launch, 32).unwrap(), expected, "{launch:?}");
    }
}

#[test]
fn convergence_is_not_promised() {
    let machine = Machine::kernel("activemask.b32 %r1;\nst.global.u32 [%mine], %r1;");
    assert_eq!(machine.run(&Launch::new(1, 32), 32).unwrap(), [u32::MAX; 32]);
    let parted = (0..100).any(|seed| machine.run(&seeded(&Launch::new(1, 32), seed), 32).unwrap() != [u32::MAX; 32]);
    assert!(parted);
}

#[test]
fn lanes_that_parted_meet_again_behind_the_branch() {
    let machine = Machine::kernel(
        "and.b32 %r1, %tid, 3;\nmov.u32 %r2, 0;\n$l:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra $l;\nactivemask.b32 %r3;\nst.global.u32 [%mine], %r3;",
    );
    assert_eq!(machine.run(&Launch::new(1, 32), 32).unwrap(), [u32::MAX; 32]);
}

#[test]
fn calls_direct_indirect_and_recursive() {
    let text = format!(
        ".func (.param .b32 r) fib(.param .b32 n);\n.global .align 8 .u64 table[2] = {{fib, twice}};\n\
         .func (.param .b32 r) twice(.param .b32 n)\n{{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [n];\nadd.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}}\n\
         .func (.param .b32 r) fib(.param .b32 n)\n{{\n.reg .pred %p<2>;\n.reg .b32 %r<6>;\nld.param.b32 %r1, [n];\nsetp.lt.u32 %p1, %r1, 2;\n@%p1 bra $base;\n\
         add.u32 %r2, %r1, -1;\n{{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r2;\ncall.uni (b), fib, (a);\nld.param.b32 %r3, [b];\n}}\n\
         add.u32 %r2, %r1, -2;\n{{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r2;\ncall.uni (b), fib, (a);\nld.param.b32 %r4, [b];\n}}\n\
         add.u32 %r1, %r3, %r4;\n$base:\nst.param.b32 [r], %r1;\nret;\n}}\n{}",
        kernel(
            "and.b32 %r1, %tid, 1;\nmul.wide.u32 %rd1, %r1, 8;\nmov.u64 %rd2, table;\nadd.u64 %rd2, %rd2, %rd1;\nld.global.u64 %rd3, [%rd2];\n\
             {\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %tid;\np: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %rd3, (a), p;\nld.param.b32 %r2, [b];\n}\n\
             st.global.u32 [%mine], %r2;"
        )
    );
    let machine = Machine::new(&text);
    let fib = |n: u32| (0..n).fold((0u32, 1u32), |(a, b), _| (b, a + b)).0;
    let expected: Vec<u32> = (0..20).map(|n| if n % 2 == 0 { fib(n) } else { 2 * n }).collect();
    for launch in schedules(&Launch::new(1, 20)).take(12) {
        assert_eq!(machine.run(&launch, 20).unwrap(), expected);
    }
}

#[test]
fn grids_of_three_dimensions() {
    let machine = Machine::kernel(
        "mov.u32 %r1, %ctaid.z;\nmov.u32 %r2, %nctaid.y;\nmov.u32 %r3, %ctaid.y;\nmad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r2, %nctaid.x;\n\
         mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r4, %tid.z;\nmov.u32 %r5, %ntid.y;\nmov.u32 %r6, %tid.y;\nmad.lo.u32 %r4, %r4, %r5, %r6;\n\
         mov.u32 %r5, %ntid.x;\nmad.lo.u32 %r4, %r4, %r5, %tid;\nmad.lo.u32 %r7, %r1, 24, %r4;\nmul.wide.u32 %rd1, %r7, 4;\nadd.u64 %rd1, %out, %rd1;\nst.global.u32 [%rd1], %r7;",
    );
    let launch = Launch::new(Dim3::new(5, 3, 2), Dim3::new(2, 3, 4));
    let out = machine.run(&launch, 720).unwrap();
    assert!(out.iter().enumerate().all(|(n, &word)| n as u32 == word));
}

#[test]
fn several_launches_at_once() {
    let machine = Machine::kernel("atom.global.add.u32 %r1, [%out], 1;");
    let out = machine.buffer(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| machine.launch(&Launch::new(10, 64), &[out]).unwrap());
        }
    });
    assert_eq!(machine.words(out, 1), [4 * 640]);
}

#[test]
fn the_device_prints_and_allocates() {
    let text = format!(
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.extern .func (.param .b64 r) malloc(.param .b64 a);\n\
         .extern .func free(.param .b64 a);\n.global .align 1 .b8 text[15] = {{37, 100, 32, 37, 46, 50, 102, 32, 37, 120, 124, 37, 115, 10, 0}};\n{}",
        kernel(
            ".local .align 8 .b8 depot[32];\nmov.u64 %rd1, depot;\nst.local.u32 [%rd1], -5;\nmov.b64 %rd2, 0d4004000000000000;\nst.local.u64 [%rd1+8], %rd2;\n\
             st.local.u32 [%rd1+16], 255;\nmov.u64 %rd4, text;\nadd.u64 %rd4, %rd4, 11;\nst.local.u64 [%rd1+24], %rd4;\ncvta.local.u64 %rd3, %rd1;\n\
             {\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\nst.param.b64 [a], text;\nst.param.b64 [b], %rd3;\ncall.uni (c), vprintf, (a, b);\nld.param.b32 %r1, [c];\n}\n\
             st.global.u32 [%out], %r1;\n{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], 64;\ncall.uni (b), malloc, (a);\nld.param.b64 %rd5, [b];\n}\n\
             st.u32 [%rd5+60], 1;\n{\n.param .b64 a;\nst.param.b64 [a], %rd5;\ncall.uni free, (a);\n}\nsetp.eq.u32 %p1, %tid, 1;\n@%p1 ld.u32 %r1, [%rd5];"
        )
    );
    let machine = Machine::new(&text);
    let printed = Arc::new(Mutex::new(Vec::new()));
    let mut launch = Launch::new(1, 1);
    let sink = printed.clone();
    launch.output = Some(Arc::new(move |text: &[u8]| {
        sink.lock().unwrap().extend_from_slice(text)
    }));
    assert_eq!(machine.run(&launch, 1).unwrap(), [4]);
    assert_eq!(printed.lock().unwrap().as_slice(), b"-5 2.50 ff|%s\n\n");
    launch.block = Dim3::from(2);
    assert_eq!(machine.run(&launch, 1).unwrap_err().kind, FaultKind::UseAfterFree);
}
