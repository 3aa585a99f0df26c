//! Runs machine code of AMD's processors without a code object around it.

use std::collections::BTreeMap;
use std::sync::Arc;

use emulator::amdgcn::code_object::Function;
use emulator::amdgcn::exec::{Dispatch, Image, launch};
use emulator::amdgcn::target::Target;
use emulator::fault::Fault;
use emulator::grid::{Dim3, Launch};
use emulator::memory::{Kind, Memory};

/// Bytes from the descriptor to the code.
const ENTRY: u64 = 256;
/// Bytes of LDS that a work-group has.
const GROUP_BYTES: u32 = 512;

/// The symbol table: one function.
fn functions() -> Arc<BTreeMap<u64, Function>> {
    let function = Function {
        name: "test_body".into(),
        address: ENTRY,
        size: 1 << 12,
    };
    Arc::new(BTreeMap::from([(ENTRY, function)]))
}

/// Loads code behind a descriptor that asks for the arguments' address in `s[0:1]`, and runs one work-group of `items` work-items in
/// wavefronts of `lanes`; the only argument is the address of the words that are returned, one for each work-item.
pub fn run(target: Target, code: &[u32], lanes: u32, settings: &Launch, items: u32) -> Result<Vec<u32>, Box<Fault>> {
    let memory = Memory::new(1 << 20);
    let mut image = vec![0; ENTRY as usize];
    image[0..4].copy_from_slice(&GROUP_BYTES.to_le_bytes());
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
    let mut bytes = vec![0; 4 * items as usize];
    let out = memory.alloc(Kind::Device, bytes.len() as u64, 256, "results").unwrap();
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
        grid: Dim3::new(items, 1, 1),
        workgroup: Dim3::new(items, 1, 1),
        private_size: 0,
        group_size: GROUP_BYTES,
        kernarg,
        packet: 0,
        queue: 0,
        id: 0,
    };
    launch(&memory, target, dispatch, settings)?;
    memory.read(out, &mut bytes).unwrap();
    Ok(bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect())
}
