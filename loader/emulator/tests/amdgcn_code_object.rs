//! Code objects: what is read from compiled ones, and that damaged ones are refused and nothing worse.
//!
//! Runs where LLVM 22 is: in the GPU toolchain's folder (`cargo xtask setup`). Elsewhere it says so and passes.

mod llvm;

use std::fs;

use emulator::amdgcn::code_object::{CodeObject, CodeObjectError, Feature};
use emulator::amdgcn::metadata::{Axis, ValueKind};
use emulator::amdgcn::ops::Op;
use emulator::amdgcn::program::Program;
use emulator::amdgcn::target::{Target, Wave};

use llvm::Llvm;

const V5: &str = "-mcode-object-version=5";
const V6: &str = "-mcode-object-version=6";

#[test]
fn kernels_are_described() {
    let Some(llvm) = Llvm::find() else { return };
    for target in Target::ALL {
        for (flag, version) in [(V5, 5), (V6, 6)] {
            let wave = target.default_wave();
            let bytes = fs::read(llvm.compile("memory", target, wave, &["-O1", flag])).expect("the image");
            let object = CodeObject::parse(&bytes).unwrap_or_else(|error| panic!("{target}: {error}"));
            assert_eq!((object.target, object.version), (target, version));
            assert_eq!(
                object.xnack == Feature::Unsupported,
                target.generation() > emulator::amdgcn::target::Gen::Gfx9
            );
            let names: Vec<_> = object.kernels.keys().map(String::as_str).collect();
            assert_eq!(names, ["atomics", "calls", "reduce", "scratch", "structs"]);

            let reduce = &object.kernels["reduce"];
            assert_eq!(reduce.descriptor.group_segment_size, 1024);
            assert_eq!(reduce.descriptor.wave(), wave);
            assert_eq!(
                reduce.descriptor.kernarg_size as u64,
                reduce.metadata.kernarg_segment_size
            );
            assert!(reduce.descriptor.initial_sgprs(target).kernarg_ptr.is_some());
            assert!(!reduce.descriptor.uses_dynamic_stack());
            let offsets: Vec<_> = reduce.metadata.args.iter().map(|arg| (arg.offset, arg.size)).collect();
            assert_eq!(offsets[..3], [(0, 8), (8, 8), (16, 8)]);
            assert!(
                reduce.metadata.args[..3]
                    .iter()
                    .all(|arg| arg.kind == ValueKind::GlobalBuffer)
            );

            let scratch = &object.kernels["scratch"];
            assert!(scratch.descriptor.private_segment_size >= 160);
            assert!(scratch.descriptor.uses_scratch());

            // It calls through a pointer and recurses.
            let calls = &object.kernels["calls"];
            assert!(calls.descriptor.uses_dynamic_stack() && calls.metadata.uses_dynamic_stack);
            let count = calls
                .metadata
                .args
                .iter()
                .find(|arg| arg.kind == ValueKind::HiddenBlockCount(Axis::X));
            assert_eq!(count.map(|arg| arg.size), Some(4));

            for kernel in object.kernels.values() {
                assert_eq!(object.kernel_at(kernel.address), Some(kernel));
                assert_eq!(
                    object.function_at(kernel.entry).map(|found| &found.name),
                    Some(&kernel.name)
                );
            }
        }
    }
}

#[test]
fn programs_are_decoded_whole() {
    let Some(llvm) = Llvm::find() else { return };
    for target in Target::ALL {
        for wave in [Wave::W32, Wave::W64] {
            if !target.supports(wave) {
                continue;
            }
            let bytes = fs::read(llvm.compile("memory", target, wave, &["-O2"])).expect("the image");
            let object = CodeObject::parse(&bytes).expect("a code object");
            assert!(object.kernels.values().all(|kernel| kernel.descriptor.wave() == wave));
            let program = Program::decode(&object, &bytes, wave).unwrap_or_else(|error| panic!("{target}: {error}"));
            for kernel in object.kernels.values() {
                let mut index = program.index_of(kernel.entry).expect("a first instruction");
                while program.instructions()[index].op != Op::s_endpgm {
                    index += 1;
                }
                assert_eq!(program.at(kernel.entry + 1), None);
            }
        }
    }
}

#[test]
fn unknown_instructions_are_named() {
    let Some(llvm) = Llvm::find() else { return };
    let mut bytes = fs::read(llvm.compile("memory", Target::Gfx90a, Wave::W64, &["-O2"])).expect("the image");
    let object = CodeObject::parse(&bytes).expect("a code object");
    let entry = object.kernels["reduce"].entry;
    let code = &object.code[0];
    let at = code.bytes.start + (entry - code.address) as usize;
    bytes[at..at + 4].copy_from_slice(&0xf000_0000u32.to_le_bytes());
    let error = Program::decode(&object, &bytes, Wave::W64).expect_err("an image instruction");
    assert_eq!(error.count, 1);
    let text = error.to_string();
    let expected = format!("image instruction at {entry:#x} is not supported (bytes 00 00 00 f0");
    assert!(text.starts_with(&expected) && text.ends_with("in reduce"), "{text}");
}

/// Everything that reads a file, on one that may be damaged.
fn read(bytes: &[u8]) -> Result<(), CodeObjectError> {
    let object = CodeObject::parse(bytes)?;
    for wave in [Wave::W32, Wave::W64] {
        // Whether it can be decoded is another matter; that it comes to an end is what counts.
        let _ = Program::decode(&object, bytes, wave);
    }
    Ok(())
}

#[test]
fn damaged_files_are_refused() {
    let Some(llvm) = Llvm::find() else { return };
    let bytes = fs::read(llvm.compile("memory", Target::Gfx90a, Wave::W64, &["-O1"])).expect("the image");
    for end in (0..bytes.len()).step_by(7) {
        let error = read(&bytes[..end]).expect_err("a file that is cut");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    // Each bit of the header, of the segments, of notes and descriptors; then every 61st.
    let early = 0..8 * 0x1300;
    let late = (8 * 0x1300..8 * bytes.len()).step_by(61);
    for bit in early.step_by(3).chain(late) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        if let Err(error) = read(&damaged) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}

#[test]
fn other_files_are_named() {
    assert!(matches!(CodeObject::parse(b""), Err(CodeObjectError::Damaged(_))));
    assert!(matches!(
        CodeObject::parse(&[0; 4096]),
        Err(CodeObjectError::Damaged(_))
    ));
    let host = fs::read(std::env::current_exe().expect("this program")).expect("its file");
    assert_eq!(CodeObject::parse(&host), Err(CodeObjectError::OtherMachine));
    let Some(llvm) = Llvm::find() else { return };
    let bytes = fs::read(llvm.compile("memory", Target::Gfx90a, Wave::W64, &["-O1"])).expect("the image");
    let mut old = bytes.clone();
    old[8] = 1;
    assert_eq!(CodeObject::parse(&old), Err(CodeObjectError::Version(1)));
    let mut other = bytes;
    other[48] = 0x2c;
    assert!(matches!(
        CodeObject::parse(&other),
        Err(CodeObjectError::OtherProcessor(_))
    ));
}
