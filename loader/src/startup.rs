//! What a program finds when it starts: its arguments, its environment, its constructors.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::device::{Device, ModuleId, SharedMemory, Vendor};
use crate::error::{Error, Result};
use crate::parameters::Parameters;
use crate::program::Held;
use crate::symbols::{self, Callback, Symbols};

/// `argc`, `argv` and `envp`, as the startup kernels take them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arguments {
    count: i32,
    argv: u64,
    envp: u64,
}

impl Arguments {
    /// The parameters of `_begin(argc: i32, argv, envp)`.
    pub fn of_begin(self) -> Parameters {
        Parameters::new().with(self.count).with(self.argv).with(self.envp)
    }

    /// The parameters of `_start(argc: i32, argv, envp, ret: *mut i32)`.
    pub fn of_start(self, ret: u64) -> Parameters {
        self.of_begin().with(ret)
    }
}

/// Argument block in pinned memory: both pointer arrays, each closed by a null pointer, and the
/// strings behind them.
pub(crate) struct ArgumentBlock {
    pub memory: SharedMemory,
    pub arguments: Arguments,
}

impl ArgumentBlock {
    /// Copies arguments and environment (`NAME=VALUE`) to where the device can read them.
    pub fn new(device: &dyn Device, args: &[impl AsRef<OsStr>], env: &[impl AsRef<OsStr>]) -> Result<ArgumentBlock> {
        let count = i32::try_from(args.len()).map_err(|_| Error::Host("too many arguments".into()))?;
        let memory = device.alloc_shared(block_bytes(args) + block_bytes(env))?;
        let mut block = Vec::with_capacity(memory.bytes);
        let strings_at = memory.device + 8 * (args.len() + env.len() + 2) as u64;
        let strings_at = push_pointers(&mut block, args, strings_at);
        push_pointers(&mut block, env, strings_at);
        for string in args.iter().map(AsRef::as_ref).chain(env.iter().map(AsRef::as_ref)) {
            block.extend(string.as_bytes());
            block.push(0);
        }
        debug_assert_eq!(block.len(), memory.bytes);
        // SAFETY: the memory is as long as the block by construction, and no kernel has its
        // address yet.
        unsafe { std::ptr::copy_nonoverlapping(block.as_ptr(), memory.host, block.len()) };
        Ok(ArgumentBlock {
            memory,
            arguments: Arguments {
                count,
                argv: memory.device,
                envp: memory.device + 8 * (args.len() + 1) as u64,
            },
        })
    }
}

/// Bytes of the strings, their NULs, their pointers and the null pointer.
fn block_bytes(strings: &[impl AsRef<OsStr>]) -> usize {
    let bytes: usize = strings.iter().map(|s| s.as_ref().len() + 1 + 8).sum();
    bytes + 8
}

/// Appends the addresses of strings that lie one behind the other from `at` on, and a null
/// pointer; returns the address behind them.
fn push_pointers(block: &mut Vec<u8>, strings: &[impl AsRef<OsStr>], mut at: u64) -> u64 {
    for string in strings {
        block.extend(at.to_le_bytes());
        at += string.as_ref().len() as u64 + 1;
    }
    block.extend(0u64.to_le_bytes());
    at
}

/// Builds the arrays of constructors and destructors that no linker builds on NVIDIA, and stores
/// their bounds where `_begin` looks for them. On AMD the linker did it all. The arrays are put into `held`, to be freed with
/// the program.
pub(crate) fn build_callback_arrays(
    device: &dyn Device,
    module: ModuleId,
    symbols: &Symbols,
    held: &mut Held,
) -> Result<()> {
    if device.properties().vendor != Vendor::Nvidia {
        return Ok(());
    }
    for (callbacks, start, end) in [
        (symbols.constructors(), "__init_array_start", "__init_array_end"),
        (symbols.destructors(), "__fini_array_start", "__fini_array_end"),
    ] {
        if callbacks.is_empty() {
            continue; // the bounds are null in the image: an empty array
        }
        let functions = read_functions(device, module, &callbacks)?;
        let address = device.alloc_device(functions.len())?;
        held.device.push(address);
        device.write(address, &functions)?;
        let behind = address + functions.len() as u64;
        for (symbol, value) in [(start, address), (end, behind)] {
            let Some(bound) = device.global(module, symbol)? else {
                return Err(Error::Image(format!(
                    "has constructors or destructors but no variable {symbol}, so that nothing would run them; build it with this project's device runtime or LLVM's startup code"
                )));
            };
            device.write(bound.address, &value.to_le_bytes())?;
        }
    }
    Ok(())
}

/// The functions' addresses, which only the loaded image knows: 8 bytes each, in order.
fn read_functions(device: &dyn Device, module: ModuleId, callbacks: &[Callback]) -> Result<Vec<u8>> {
    let mut functions = vec![0; callbacks.len() * 8];
    for (callback, slot) in callbacks.iter().zip(functions.chunks_exact_mut(8)) {
        match device.global(module, &callback.symbol)? {
            Some(global) if global.bytes == 8 => device.read(global.address, slot)?,
            _ => {
                return Err(Error::Image(format!(
                    "its callback {} is not a variable of 8 bytes; build it again",
                    callback.symbol
                )));
            }
        }
    }
    Ok(functions)
}

/// Tells the image how fast the device's steady clock runs, where it asks.
pub(crate) fn store_clock_frequency(device: &dyn Device, module: ModuleId) -> Result<()> {
    let hz = device.properties().clock_hz;
    match device.global(module, symbols::CLOCK_FREQUENCY)? {
        Some(global) if hz != 0 && global.bytes == 8 => device.write(global.address, &hz.to_le_bytes()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeDevice;

    fn string(device: &FakeDevice, address: u64) -> Vec<u8> {
        let mut text = Vec::new();
        loop {
            let mut byte = [0];
            device.read(address + text.len() as u64, &mut byte).unwrap();
            match byte[0] {
                0 => return text,
                byte => text.push(byte),
            }
        }
    }

    fn word(device: &FakeDevice, address: u64) -> u64 {
        let mut bytes = [0; 8];
        device.read(address, &mut bytes).unwrap();
        u64::from_le_bytes(bytes)
    }

    #[test]
    fn arguments_and_environment() {
        let device = FakeDevice::new(&[]);
        let none: [&str; 0] = [];
        for (args, env) in [
            (vec!["image", "", "a b", "é"], vec!["HOME=/", "EMPTY="]),
            (vec!["image"], none.to_vec()),
            (none.to_vec(), none.to_vec()),
        ] {
            let block = ArgumentBlock::new(&device, &args, &env).unwrap();
            assert_eq!(block.arguments.count as usize, args.len());
            for (strings, array) in [(&args, block.arguments.argv), (&env, block.arguments.envp)] {
                for (index, expected) in strings.iter().enumerate() {
                    let pointer = word(&device, array + 8 * index as u64);
                    assert_eq!(string(&device, pointer), expected.as_bytes());
                }
                assert_eq!(word(&device, array + 8 * strings.len() as u64), 0);
            }
        }
    }

    #[test]
    fn kernel_parameters() {
        let arguments = Arguments {
            count: 2,
            argv: 0x10,
            envp: 0x20,
        };
        let start = arguments.of_start(0x30);
        let start = start.bytes();
        assert_eq!(start.len(), 32);
        assert_eq!(start[..4], 2i32.to_le_bytes());
        assert_eq!(start[8..16], 0x10u64.to_le_bytes());
        assert_eq!(start[24..], 0x30u64.to_le_bytes());
        assert_eq!(*arguments.of_begin().bytes(), start[..24]);
    }

    #[test]
    fn callbacks_become_arrays() {
        const PTX: &[u8] = b".version 7.8\n.target sm_70\n
            .global .u64 __init_array_object_b_2; .global .u64 __init_array_object_a_1;
            .global .u64 __init_array_start; .global .u64 __init_array_end;
            .global .u64 __fini_array_object_c_9;";
        let image = crate::image::Image::parse("image", PTX).unwrap();
        let symbols = Symbols::of(&image.candidates[0], "image").unwrap();
        let device = FakeDevice::new(&[
            ("__init_array_object_b_2", 0xb),
            ("__init_array_object_a_1", 0xa),
            ("__init_array_start", 0),
            ("__init_array_end", 0),
            ("__fini_array_object_c_9", 0xc),
        ]);
        let module = device.load(PTX).unwrap();
        // There is nobody who would run the destructor.
        let error = build_callback_arrays(&device, module, &symbols, &mut Held::default())
            .err()
            .unwrap();
        assert!(error.to_string().contains("__fini_array_start"), "{error}");
        let bound = |name| word(&device, device.global(module, name).unwrap().unwrap().address);
        let (start, end) = (bound("__init_array_start"), bound("__init_array_end"));
        assert_eq!(end - start, 16);
        assert_eq!((word(&device, start), word(&device, start + 8)), (0xa, 0xb));
    }
}
