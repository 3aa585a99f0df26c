//! Modules into memory, and launches of their kernels.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::code::{Function, Symbol};
use super::exec::lanes::LANES;
use super::exec::program::{CODE_STEP, Context, WINDOW_ALIGN};
use super::lower::{Image, Variable};
use super::types::Space;
use super::{Global, Kernel, LoadError, LoadedModule};
use crate::fault::{Fault, FaultKind};
use crate::grid::{self, Launch, Stats};
use crate::memory::{Kind, Memory};

/// What is allocated for a module, and nothing else is freed with it.
const KINDS: &[Kind] = &[Kind::Global, Kind::Constant, Kind::Code];
/// Bytes of local memory of a thread, and of static shared memory of a block, that devices have (CUDA C++ Programming Guide,
/// technical specifications).
const MAX_LOCAL: u32 = 512 << 10;
const MAX_STATIC_SHARED: u32 = 48 << 10;
/// Registers that a driver reports at least and at most.
const REGISTERS: std::ops::RangeInclusive<u32> = 16..=255;

pub(super) fn load(image: Image, memory: &Arc<Memory>) -> Result<LoadedModule, LoadError> {
    if let Some(name) = image.unresolved.first() {
        return Err(LoadError::Unresolved(name.clone()));
    }
    // From here on dropping the module frees what it has.
    let mut module = LoadedModule {
        image,
        memory: memory.clone(),
        kernels: Vec::new(),
        globals: Vec::new(),
        allocations: Vec::new(),
        code: 0,
    };
    let code_size = (module.image.functions.len() as u64 * CODE_STEP).max(CODE_STEP);
    module.code = memory.alloc(Kind::Code, code_size, 256, "")?;
    module.allocations.push(module.code);

    let reachable = reachable(&module.image.functions);
    let (shared, static_shared) = shared_layout(&module.image, &reachable);
    let mut addresses = Vec::new();
    for (index, variable) in module.image.variables.iter().enumerate() {
        let kind = match variable.space {
            Space::Shared => {
                addresses.push(shared.get(&(index as u32)).copied().unwrap_or(0));
                continue;
            }
            Space::Const => Kind::Constant,
            _ => Kind::Global,
        };
        let size = variable.size.max(1);
        let address = memory.alloc(kind, size, variable.align.max(16), &variable.name)?;
        module.allocations.push(address);
        addresses.push(address);
        module.globals.push(Global {
            name: variable.name.clone(),
            address,
            size: variable.size,
        });
    }
    let code = module.code;
    let resolve = |symbol: Symbol| match symbol {
        Symbol::Variable(index) => addresses[index as usize],
        Symbol::Function(index) => code + u64::from(index) * CODE_STEP,
    };
    for (variable, &address) in module.image.variables.iter().zip(&addresses) {
        if variable.space != Space::Shared {
            initialise(memory, variable, address, resolve);
        }
    }
    for function in &mut module.image.functions {
        for reloc in &function.relocs {
            let value = resolve(reloc.symbol).wrapping_add(reloc.offset as u64);
            for lane in 0..LANES {
                // Two rows hold 32 values of two words.
                let (low, high) = (value as u32, (value >> 32) as u32);
                for (n, word) in [low, high].into_iter().enumerate() {
                    let at = 2 * lane + n;
                    function.consts[reloc.row as usize + at / LANES].0[at % LANES] = word;
                }
            }
        }
    }
    let const_size = module
        .image
        .variables
        .iter()
        .filter(|v| v.space == Space::Const)
        .map(|v| v.size)
        .sum::<u64>();
    for info in &module.image.kernels {
        let function = &module.image.functions[info.function as usize];
        let stack = stack_need(&module.image.functions, info.function, |f| f.local_size);
        let needs = [
            (
                "local memory of a thread",
                stack.unwrap_or(function.local_size),
                MAX_LOCAL,
            ),
            (
                "shared memory that is not dynamic",
                static_shared.get(&info.function).copied().unwrap_or(0),
                MAX_STATIC_SHARED,
            ),
        ];
        for (what, need, most) in needs {
            if need > most {
                let kernel = function.name.clone();
                return Err(LoadError::TooMuch {
                    kernel,
                    what,
                    need,
                    most,
                });
            }
        }
        module.kernels.push(Kernel {
            name: function.name.clone(),
            params: info.params.clone(),
            param_size: info.param_size,
            static_shared: static_shared.get(&info.function).copied().unwrap_or(0),
            local_size: stack.unwrap_or(function.local_size),
            stack_is_known: stack.is_some(),
            const_size: u32::try_from(const_size).unwrap_or(u32::MAX),
            max_threads: info.max_threads,
            required_block: info.required_block,
            registers: function.pressure.clamp(*REGISTERS.start(), *REGISTERS.end()),
        });
    }
    Ok(module)
}

pub(super) fn unload(module: &mut LoadedModule) {
    for &address in &module.allocations {
        // Nothing else frees these kinds.
        let _ = module.memory.free(address, KINDS);
    }
}

fn initialise(memory: &Memory, variable: &Variable, address: u64, resolve: impl Fn(Symbol) -> u64) {
    let mut bytes = vec![0; variable.size as usize];
    bytes[..variable.init.len()].copy_from_slice(&variable.init);
    for &(at, symbol, offset, byte) in &variable.relocs {
        let value = resolve(symbol).wrapping_add(offset as u64);
        let at = at as usize;
        match byte {
            None => {
                let size = 8.min(bytes.len() - at);
                bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
            Some(shift) => bytes[at] = (value >> shift) as u8,
        }
    }
    // Just allocated with this size.
    let _ = memory.write(address, &bytes);
}

/// For each kernel all functions that it may run, itself included.
fn reachable(functions: &[Function]) -> Vec<(u32, Vec<bool>)> {
    let kernels = functions.iter().enumerate().filter(|(_, f)| f.is_kernel);
    kernels
        .map(|(kernel, _)| {
            let mut seen = vec![false; functions.len()];
            let mut todo = vec![kernel];
            let mut indirect = false;
            while let Some(at) = todo.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                todo.extend(functions[at].callees.iter().map(|&callee| callee as usize));
                if functions[at].calls_indirectly && !indirect {
                    // It may be any function of the module.
                    indirect = true;
                    todo.extend((0..functions.len()).filter(|&f| !functions[f].is_kernel));
                }
            }
            (kernel as u32, seen)
        })
        .collect()
}

/// Offsets of shared variables, and the size of each kernel's static shared memory. Variables that no kernel uses together
/// may overlap.
fn shared_layout(image: &Image, reachable: &[(u32, Vec<bool>)]) -> (HashMap<u32, u64>, HashMap<u32, u32>) {
    let mut tops: Vec<u64> = vec![0; reachable.len()];
    let mut offsets = HashMap::new();
    for (index, variable) in image.variables.iter().enumerate() {
        if variable.space != Space::Shared || variable.is_dynamic_shared {
            continue;
        }
        let uses = |seen: &Vec<bool>| {
            let functions = image.functions.iter().zip(seen);
            functions
                .into_iter()
                .any(|(f, &seen)| seen && f.shared.contains(&(index as u32)))
        };
        let users: Vec<usize> = (0..reachable.len()).filter(|&k| uses(&reachable[k].1)).collect();
        let top = users.iter().map(|&k| tops[k]).max().unwrap_or(0);
        let offset = top.next_multiple_of(variable.align.max(1));
        for k in users {
            tops[k] = offset + variable.size;
        }
        offsets.insert(index as u32, offset);
    }
    let sizes = reachable.iter().zip(tops);
    let sizes = sizes.map(|((kernel, _), top)| (*kernel, u32::try_from(top.next_multiple_of(16)).unwrap_or(u32::MAX)));
    (offsets, sizes.collect())
}

/// Bytes of stack that a kernel needs with all its calls; `None` when recursion or indirect calls leave it open.
fn stack_need(functions: &[Function], kernel: u32, size: fn(&Function) -> u32) -> Option<u32> {
    #[derive(Clone, Copy)]
    enum State {
        Open,
        Done(Option<u32>),
    }
    let mut states: Vec<Option<State>> = vec![None; functions.len()];
    // Depth first with a stack of our own: call chains can be long.
    let mut todo = vec![(kernel as usize, false)];
    while let Some((at, children_done)) = todo.pop() {
        let function = &functions[at];
        if !children_done {
            match states[at] {
                Some(State::Done(_)) => continue,
                // Met again while open: recursion.
                Some(State::Open) => return None,
                None => {}
            }
            states[at] = Some(State::Open);
            todo.push((at, true));
            for &callee in &function.callees {
                match states[callee as usize] {
                    Some(State::Open) => return None,
                    Some(State::Done(_)) => {}
                    None => todo.push((callee as usize, false)),
                }
            }
        } else {
            let mut deepest = 0;
            for &callee in &function.callees {
                match states[callee as usize] {
                    Some(State::Done(Some(need))) => deepest = deepest.max(need),
                    _ => return None,
                }
            }
            let has_alloca = function.code.iter().any(|i| matches!(i.op, super::code::Op::Alloca(_)));
            let known = !function.calls_indirectly && !has_alloca;
            states[at] = Some(State::Done(
                known.then(|| size(function).next_multiple_of(16) + deepest),
            ));
        }
    }
    match states[kernel as usize] {
        Some(State::Done(need)) => need,
        _ => None,
    }
}

/// Bytes for the parameters of calls, beside several times the limit of the stack.
const PARAMETER_ROOM: u32 = 8192;

/// Bytes of stack that a device spends on each call at the least: where to return to. They count where recursion may be, which
/// must end even without variables; elsewhere a compiler knows the need.
const CALL_COST: u32 = 8;

/// Numbers launches, for `%gridid`.
static LAUNCHES: AtomicU64 = AtomicU64::new(1);

pub(super) fn launch(module: &LoadedModule, kernel: &str, launch: &Launch, params: &[u8]) -> Result<Stats, Box<Fault>> {
    let Some((info, meta)) = module
        .image
        .kernels
        .iter()
        .zip(&module.kernels)
        .find(|(_, meta)| meta.name == kernel)
    else {
        panic!("there is no kernel {kernel}");
    };
    if launch.grid.count() == 0 || launch.block.count() == 0 {
        return Ok(Stats::default());
    }
    let size = u64::from(meta.param_size).max(8);
    let buffer = module
        .memory
        .alloc(Kind::Kernarg, size, WINDOW_ALIGN, kernel)
        .map_err(|error| {
            let mut fault = Fault::new(FaultKind::Cancelled, format!("no memory for the parameters: {error}"));
            fault.kernel = kernel.to_owned();
            Box::new(fault)
        })?;
    let mut bytes = params.to_vec();
    bytes.resize(size as usize, 0);
    // Just allocated with this size.
    let _ = module.memory.write(buffer, &bytes);
    let stack_limit = launch.stack_size.max(meta.local_size);
    // Parameters need room too; how much is known as exactly as the rest, or guessed generously.
    let with_params = stack_need(&module.image.functions, info.function, |f| f.frame_size);
    let stack_size = with_params.unwrap_or_else(|| stack_limit.saturating_mul(4).saturating_add(PARAMETER_ROOM));
    let context = Context {
        memory: &module.memory,
        launch,
        functions: &module.image.functions,
        files: &module.image.files,
        kernel: info.function,
        code: module.code,
        params: buffer,
        static_shared: meta.static_shared,
        stack_limit,
        stack_size: stack_size.max(stack_limit).next_multiple_of(64),
        call_cost: if meta.stack_is_known { 0 } else { CALL_COST },
        grid_id: LAUNCHES.fetch_add(1, Ordering::Relaxed),
        started: Instant::now(),
    };
    let result = grid::run(&module.memory, &context, launch);
    let _ = module.memory.free(buffer, &[Kind::Kernarg]);
    result.map_err(|mut fault| {
        if fault.kernel.is_empty() {
            fault.kernel = kernel.to_owned();
        }
        fault
    })
}
