//! Kernels in machine code, run on every processor.

use std::collections::BTreeMap;
use std::sync::Arc;

use emulator::amdgcn::code_object::Function;
use emulator::amdgcn::exec::{Dispatch, Image, launch};
use emulator::amdgcn::target::Target;
use emulator::fault::{Fault, FaultKind};
use emulator::grid::{Dim3, Launch};
use emulator::memory::{Kind, Memory};

/// Bytes from the descriptor to the code.
const ENTRY: u64 = 256;
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

/// The symbol table: one function.
fn functions() -> Arc<BTreeMap<u64, Function>> {
    let function = Function {
        name: "test_body".into(),
        address: ENTRY,
        size: 1 << 12,
    };
    Arc::new(BTreeMap::from([(ENTRY, function)]))
}

/// Loads code behind a descriptor that asks for the arguments' address in `s[0:1]`, and runs it with a place for results.
fn run(target: Target, code: &[u32], lanes: u32, seed: Option<u64>, results: &mut [u32]) -> Result<(), Box<Fault>> {
    let memory = Memory::new(1 << 20);
    let mut image = vec![0; ENTRY as usize];
    image[0..4].copy_from_slice(&512u32.to_le_bytes());
    image[16..24].copy_from_slice(&ENTRY.to_le_bytes());
    // Two user registers.
    image[52..56].copy_from_slice(&(2u32 << 1).to_le_bytes());
    // The arguments' address; wavefronts of 32.
    let properties: u16 = 1 << 3 | if lanes == 32 { 1 << 10 } else { 0 };
    image[56..58].copy_from_slice(&properties.to_le_bytes());
    image.extend(code.iter().flat_map(|word| word.to_le_bytes()));
    let base = memory
        .alloc(Kind::Global, image.len() as u64, 256, "code object")
        .unwrap();
    memory.write(base, &image).unwrap();
    let out = memory
        .alloc(Kind::Device, 4 * u64::from(ITEMS), 256, "results")
        .unwrap();
    let kernarg = memory.alloc(Kind::Kernarg, 8, 16, "").unwrap();
    memory.write(kernarg, &out.to_le_bytes()).unwrap();
    let dispatch = Dispatch {
        kernel: "test".into(),
        descriptor: base,
        image: Image {
            base,
            len: image.len() as u64,
            functions: functions(),
        },
        grid: Dim3::new(ITEMS, 1, 1),
        workgroup: Dim3::new(ITEMS, 1, 1),
        private_size: 0,
        group_size: 512,
        kernarg,
        packet: 0,
        queue: 0,
        id: 0,
    };
    let mut settings = Launch::new(1, 1);
    settings.seed = seed;
    launch(&memory, target, dispatch, &settings)?;
    let mut bytes = vec![0; 4 * results.len()];
    memory.read(out, &mut bytes).unwrap();
    for (result, bytes) in results.iter_mut().zip(bytes.chunks_exact(4)) {
        *result = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
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
