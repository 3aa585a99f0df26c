//! Kernels in machine code, run on every processor.

mod machine_code;

use emulator::amdgcn::target::Target;
use emulator::fault::{Fault, FaultKind};
use emulator::grid::Launch;

/// Work-items of the work-group: several wavefronts on every processor.
const ITEMS: u32 = 128;

/// Each work-item puts its number's square into LDS, waits for all, and stores what its mirror image put there.
fn mirrored_squares(target: Target) -> &'static [u32] {
    match target {
        Target::Gfx90a | Target::Gfx942 => &[
            0xc0060000, 0x00000000, 0x260000ff, 0x000003ff, 0x24020082, 0xd2850002, 0x00020100, 0xd81a0000, 0x00000201,
            0xbf8cc07f, 0xbf8a0000, 0x2a0602ff, 0x0000007f, 0x2a0606ff, 0x00000183, 0xd86c0000, 0x04000003, 0xbf8cc07f,
            0xdc708000, 0x00000401, 0xbf810000,
        ],
        Target::Gfx1030 => &[
            0xf4040000, 0xfa000000, 0x360000ff, 0x000003ff, 0x34020082, 0xd5690002, 0x00020100, 0xd8340000, 0x00000201,
            0xbf8cc07f, 0xbf8a0000, 0x3a0602ff, 0x0000007f, 0x3a0606ff, 0x00000183, 0xd8d80000, 0x04000003, 0xbf8cc07f,
            0xdc708000, 0x00000401, 0xbf810000,
        ],
        Target::Gfx1100 => &[
            0xf4040000, 0xf8000000, 0x360000ff, 0x000003ff, 0x30020082, 0xd72c0002, 0x00020100, 0xd8340000, 0x00000201,
            0xbf89fc07, 0xbfbd0000, 0x3a0602ff, 0x0000007f, 0x3a0606ff, 0x00000183, 0xd8d80000, 0x04000003, 0xbf89fc07,
            0xdc6a0000, 0x00000401, 0xbfb00000,
        ],
    }
}

/// `s_nop`, `s_trap 2`, then the end.
const TRAP_GFX9: [u32; 3] = [0xbf80_0000, 0xbf92_0002, 0xbf81_0000];

/// Stores to address 16 from the second lane: exec, address, `global_store_dword`.
const WILD_STORE_GFX9: [u32; 6] = [
    0xbefe_0182,
    0x7e00_0290,
    0x7e02_0280,
    0xdc70_8000,
    0x007f_0000,
    0xbf81_0000,
];

/// Runs code in the order of a seed; see [`machine_code::run`].
fn run(target: Target, code: &[u32], lanes: u32, seed: Option<u64>, results: &mut [u32]) -> Result<(), Box<Fault>> {
    let mut settings = Launch::new(1, 1);
    settings.seed = seed;
    let words = machine_code::run(target, code, lanes, &settings, ITEMS)?;
    results.copy_from_slice(&words[..results.len()]);
    Ok(())
}

#[test]
fn wavefronts_meet_at_barriers_and_share_lds() {
    let expected: Vec<u32> = (0..ITEMS).rev().map(|item| item * item).collect();
    for target in Target::ALL {
        let sizes: &[u32] = match target {
            Target::Gfx90a | Target::Gfx942 => &[64],
            Target::Gfx1030 | Target::Gfx1100 => &[32, 64],
        };
        for &lanes in sizes {
            for seed in [None, Some(1), Some(2)] {
                let mut results = [0; ITEMS as usize];
                run(target, mirrored_squares(target), lanes, seed, &mut results).unwrap();
                assert_eq!(results[..], expected, "{target}, {lanes} lanes, seed {seed:?}");
            }
        }
    }
}

#[test]
fn a_trap_ends_the_launch_and_names_the_place() {
    let fault = run(Target::Gfx90a, &TRAP_GFX9, 64, None, &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Trap);
    let text = fault.to_string();
    assert!(text.contains("kernel test,"), "{text}");
    assert!(text.contains("(wavefront 0, lane 0), in test_body+0x4"), "{text}");
}

#[test]
fn a_wild_store_is_reported_with_lane_place_and_address() {
    let fault = run(Target::Gfx90a, &WILD_STORE_GFX9, 64, None, &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NullPointer);
    assert_eq!(fault.address, Some(16));
    assert_eq!((fault.wavefront, fault.lane), (Some(0), Some(1)));
    let text = fault.to_string();
    assert!(text.contains("0x10 is a null pointer"), "{text}");
    assert!(
        text.contains("thread (1,0,0)") && text.contains("in test_body+0xc"),
        "{text}"
    );
}

#[test]
fn what_is_not_supported_is_named() {
    // `s_setvskip`: decoded, executed by nobody.
    let fault = run(Target::Gfx90a, &[0xbf10_0000], 64, None, &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::IllegalInstruction);
    assert!(fault.to_string().contains("s_setvskip"), "{fault}");
}
