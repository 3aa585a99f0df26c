//! Runs kernels given as PTX.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Arc;

use emulator::fault::Fault;
use emulator::grid::{Launch, Stats};
use emulator::memory::{Kind, Memory};
use emulator::ptx::{LoadedModule, Module};

/// A module in a memory of its own.
pub struct Machine {
    pub memory: Arc<Memory>,
    pub module: LoadedModule,
}

impl Machine {
    /// Loads a module whose head is left out.
    pub fn new(body: &str) -> Machine {
        let text = format!(".version 7.8\n.target sm_90\n.address_size 64\n{body}");
        let memory = Arc::new(Memory::new(64 << 20));
        let module = match Module::parse(text.as_bytes()) {
            Ok(module) => module.load(&memory).unwrap_or_else(|error| panic!("{error}")),
            Err(diagnostics) => panic!("{diagnostics:?}"),
        };
        Machine { memory, module }
    }

    /// One kernel `k(out)` with the usual registers.
    pub fn kernel(body: &str) -> Machine {
        Machine::new(&kernel(body))
    }

    pub fn buffer(&self, bytes: u64) -> u64 {
        let at = self.memory.alloc(Kind::Device, bytes, 256, "buffer").unwrap();
        self.memory.write(at, &vec![0; bytes as usize]).unwrap();
        at
    }

    pub fn words(&self, at: u64, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.memory.read(at, &mut bytes).unwrap();
        bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }

    pub fn launch(&self, launch: &Launch, params: &[u64]) -> Result<Stats, Box<Fault>> {
        let bytes: Vec<u8> = params.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.module.launch("k", launch, &bytes)
    }

    /// Runs `k` on a fresh buffer of `count` words and returns them.
    pub fn run(&self, launch: &Launch, count: usize) -> Result<Vec<u32>, Box<Fault>> {
        let out = self.buffer(count as u64 * 4);
        self.launch(launch, &[out])?;
        Ok(self.words(out, count))
    }
}

/// The text of a kernel `k(out)`: `%out` is its parameter, `%tid` the thread, `%mine` the address of word number `%tid`.
pub fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 k_out)\n{{\n\t.reg .pred %p<8>;\n\t.reg .b32 %r<32>;\n\t.reg .b64 %rd<32>;\n\t.reg .b32 %tid;\n\
         \t.reg .b64 %out, %mine, %o;\n\tld.param.u64 %out, [k_out];\n\tmov.u32 %tid, %tid.x;\n\tmul.wide.u32 %o, %tid, 4;\n\
         \tadd.u64 %mine, %out, %o;\n{body}\n\tret;\n}}\n"
    )
}
