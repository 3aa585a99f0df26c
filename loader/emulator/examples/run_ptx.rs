//! Runs a kernel of a PTX file: `run_ptx FILE KERNEL BLOCKS THREADS [seed=N] [u32|u64 values | buf:BYTES …]`, prints the buffers.
use std::sync::Arc;

use emulator::grid::Launch;
use emulator::memory::{Kind, Memory};
use emulator::ptx::Module;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read(&args[0]).unwrap();
    let t = std::time::Instant::now();
    let module = match Module::parse(&text) {
        Ok(m) => m,
        Err(d) => {
            for d in d {
                eprintln!("{}: {d}", args[0]);
            }
            std::process::exit(1)
        }
    };
    eprintln!("parsed {} bytes in {:?}", text.len(), t.elapsed());
    let memory = Arc::new(Memory::new(1 << 30));
    let loaded = match module.load(&memory) {
        Ok(m) => m,
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(1)
        }
    };
    if args.len() < 2 {
        for k in loaded.kernels() {
            eprintln!("{k:?}");
        }
        return;
    }
    let kernel = loaded.kernel(&args[1]).unwrap();
    let mut launch = Launch::new(args[2].parse::<u32>().unwrap(), args[3].parse::<u32>().unwrap());
    launch.stack_size = 8192;
    let mut params = vec![0u8; kernel.param_size as usize];
    let mut buffers = vec![];
    let mut n = 0;
    for a in &args[4..] {
        if let Some(s) = a.strip_prefix("seed=") {
            launch.seed = Some(s.parse().unwrap());
            continue;
        }
        let value = if let Some(s) = a.strip_prefix("buf:") {
            let size: u64 = s.parse().unwrap();
            let b = memory.alloc(Kind::Device, size, 256, "buf").unwrap();
            buffers.push((b, size));
            b
        } else if let Some(s) = a.strip_prefix("f:") {
            s.parse::<f64>().unwrap().to_bits()
        } else {
            a.parse().unwrap()
        };
        let p = kernel.params[n];
        n += 1;
        let s = (p.size as usize).min(8);
        params[p.offset as usize..][..s].copy_from_slice(&value.to_le_bytes()[..s]);
    }
    let t = std::time::Instant::now();
    match loaded.launch(&args[1], &launch, &params) {
        Ok(stats) => {
            let e = t.elapsed().as_secs_f64();
            eprintln!(
                "{stats:?} in {e} s: {:.1} M lane instr/s",
                stats.lane_instructions as f64 / e / 1e6
            )
        }
        Err(f) => eprintln!("FAULT {f}"),
    }
    for (b, size) in buffers {
        let mut out = vec![0; size.min(256) as usize];
        memory.read(b, &mut out).unwrap();
        let words: Vec<u32> = out
            .chunks(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        println!("{words:?}");
    }
}
