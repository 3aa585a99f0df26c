//! The entry points for code objects, executables and symbols.

use std::ffi::{c_char, c_void};

use hsa_sys::*;

use crate::agent::Gpu;
use crate::border::{Answer, In, Out, Text, entries, go_on};
use crate::code::{Executable, Reader, Storage};
use crate::image::SymbolKind;
use crate::runtime::{Runtime, runtime};
use crate::status::{Result, Status};
use std::sync::Arc;

/// Finds a symbol for the deprecated and the present entry point.
fn symbol_named(
    executable: hsa_executable_t,
    name: &str,
    gpu: Option<&Arc<Gpu>>,
    symbol: *mut hsa_executable_symbol_t,
) -> Result {
    let runtime = runtime()?;
    let executable = runtime.code.executable(executable)?;
    let found = executable
        .symbol(name, gpu.map(Arc::as_ref))
        .ok_or(Status::SYMBOL_NAME)?;
    Out(symbol).set(hsa_executable_symbol_t { handle: found })
}

fn symbol_info(
    runtime: &Runtime,
    symbol: hsa_executable_symbol_t,
    attribute: hsa_executable_symbol_info_t,
    answer: &Answer,
) -> Result {
    let loaded = runtime
        .code
        .symbols
        .get(symbol.handle)
        .ok_or(Status::EXECUTABLE_SYMBOL)?;
    let symbol = &loaded.symbol;
    match attribute {
        HSA_EXECUTABLE_SYMBOL_INFO_TYPE => answer.set(match symbol.kind {
            SymbolKind::Kernel { .. } => HSA_SYMBOL_KIND_KERNEL,
            SymbolKind::Variable { .. } => HSA_SYMBOL_KIND_VARIABLE,
        }),
        HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH => answer.set(symbol.name.len() as u32),
        HSA_EXECUTABLE_SYMBOL_INFO_NAME => answer.set_exact(&symbol.name),
        HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH => answer.set(0u32),
        HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME => answer.set_exact(""),
        HSA_EXECUTABLE_SYMBOL_INFO_AGENT => answer.set(loaded.gpu.handle()),
        HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE => answer.set(HSA_SYMBOL_LINKAGE_PROGRAM),
        HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION => answer.set(true),
        _ => match symbol.kind {
            SymbolKind::Variable { constant } => match attribute {
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS => answer.set(symbol.address),
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE => answer.set(symbol.size as u32),
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT => {
                    // Not in the file; what the address has is at least what was asked for.
                    answer.set(1u32 << symbol.address.trailing_zeros().min(12))
                }
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION => answer.set(HSA_VARIABLE_ALLOCATION_AGENT),
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT => answer.set(if constant {
                    HSA_VARIABLE_SEGMENT_READONLY
                } else {
                    HSA_VARIABLE_SEGMENT_GLOBAL
                }),
                HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST => answer.set(constant),
                _ => Err(Status::ARGUMENT),
            },
            SymbolKind::Kernel {
                kernarg,
                group,
                private,
                dynamic_stack,
            } => match attribute {
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT => answer.set(symbol.address),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE => answer.set(kernarg),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT => answer.set(64u32),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE => answer.set(group),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE => answer.set(private),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK => answer.set(dynamic_stack),
                HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION => answer.set(0u32),
                _ => Err(Status::ARGUMENT),
            },
        },
    }
}

entries! {
    /// Takes a code object from memory.
    fn hsa_code_object_reader_create_from_memory(
        code_object: *const c_void,
        size: usize,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) {
        let runtime = runtime()?;
        Out(code_object_reader).check()?;
        if code_object.is_null() || size == 0 || isize::try_from(size).is_err() {
            return Err(Status::ARGUMENT);
        }
        // SAFETY: the caller says that there are `size` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(code_object.cast::<u8>(), size) };
        let reader = Reader { bytes: bytes.into(), storage: Storage::Memory(code_object as u64) };
        let handle = runtime.code.readers.insert(reader);
        Out(code_object_reader).set(hsa_code_object_reader_t { handle })
    }

    /// Takes a code object from an open file.
    fn hsa_code_object_reader_create_from_file(
        file: hsa_file_t,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) {
        let runtime = runtime()?;
        Out(code_object_reader).check()?;
        let handle = runtime.code.readers.insert(Reader::from_file(file, 0, None)?);
        Out(code_object_reader).set(hsa_code_object_reader_t { handle })
    }

    /// Ends a reader. What was loaded from it stays.
    fn hsa_code_object_reader_destroy(code_object_reader: hsa_code_object_reader_t) {
        let readers = &runtime()?.code.readers;
        readers.remove(code_object_reader.handle).map(drop).ok_or(Status::READER)
    }

    /// Makes an executable (deprecated form).
    fn hsa_executable_create(
        profile: hsa_profile_t,
        executable_state: hsa_executable_state_t,
        _options: *const c_char,
        executable: *mut hsa_executable_t,
    ) {
        let runtime = runtime()?;
        Out(executable).check()?;
        if profile > HSA_PROFILE_FULL || executable_state > HSA_EXECUTABLE_STATE_FROZEN {
            return Err(Status::ARGUMENT);
        }
        let made = Executable::new(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
        if executable_state == HSA_EXECUTABLE_STATE_FROZEN {
            made.freeze()?;
        }
        let handle = runtime.code.executables.insert(made);
        Out(executable).set(hsa_executable_t { handle })
    }

    /// Makes an executable.
    fn hsa_executable_create_alt(
        profile: hsa_profile_t,
        default_float_rounding_mode: hsa_default_float_rounding_mode_t,
        _options: *const c_char,
        executable: *mut hsa_executable_t,
    ) {
        let runtime = runtime()?;
        Out(executable).check()?;
        if profile > HSA_PROFILE_FULL
            || default_float_rounding_mode > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR
        {
            return Err(Status::ARGUMENT);
        }
        let made = Executable::new(profile, default_float_rounding_mode);
        let handle = runtime.code.executables.insert(made);
        Out(executable).set(hsa_executable_t { handle })
    }

    /// Ends an executable.
    fn hsa_executable_destroy(executable: hsa_executable_t) {
        runtime()?.code.destroy(executable)
    }

    /// Loads a code object onto a GPU.
    fn hsa_executable_load_agent_code_object(
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        code_object_reader: hsa_code_object_reader_t,
        _options: *const c_char,
        loaded_code_object: *mut hsa_loaded_code_object_t,
    ) {
        let runtime = runtime()?;
        runtime.code.executable(executable)?;
        let gpu = runtime.gpu(agent)?;
        let reader = runtime.code.readers.get(code_object_reader.handle).ok_or(Status::READER)?;
        let handle = runtime.code.load(executable, gpu, &reader)?;
        Out(loaded_code_object).set_if_wanted(hsa_loaded_code_object_t { handle });
        Ok(())
    }

    /// Makes an executable ready to run: nothing more can be loaded.
    fn hsa_executable_freeze(executable: hsa_executable_t, _options: *const c_char) {
        runtime()?.code.executable(executable)?.freeze()
    }

    /// Answers a question about an executable.
    fn hsa_executable_get_info(
        executable: hsa_executable_t,
        attribute: hsa_executable_info_t,
        value: *mut c_void,
    ) {
        let executable = runtime()?.code.executable(executable)?;
        let answer = Answer(value);
        match attribute {
            HSA_EXECUTABLE_INFO_PROFILE => answer.set(executable.profile),
            HSA_EXECUTABLE_INFO_STATE => answer.set(if executable.is_frozen() {
                HSA_EXECUTABLE_STATE_FROZEN
            } else {
                HSA_EXECUTABLE_STATE_UNFROZEN
            }),
            HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE => answer.set(executable.rounding),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Gives the address of a variable for all agents.
    fn hsa_executable_global_variable_define(
        executable: hsa_executable_t,
        variable_name: *const c_char,
        address: *mut c_void,
    ) {
        let executable = runtime()?.code.executable(executable)?;
        executable.define(Text(variable_name).get()?, None, address as u64)
    }

    /// Gives the address of a variable for one agent.
    fn hsa_executable_agent_global_variable_define(
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        variable_name: *const c_char,
        address: *mut c_void,
    ) {
        let runtime = runtime()?;
        let executable = runtime.code.executable(executable)?;
        let gpu = runtime.gpu(agent)?;
        executable.define(Text(variable_name).get()?, Some(gpu), address as u64)
    }

    /// Gives the address of a read-only variable for one agent.
    fn hsa_executable_readonly_variable_define(
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        variable_name: *const c_char,
        address: *mut c_void,
    ) {
        let runtime = runtime()?;
        let executable = runtime.code.executable(executable)?;
        let gpu = runtime.gpu(agent)?;
        executable.define(Text(variable_name).get()?, Some(gpu), address as u64)
    }

    /// Says whether an executable is sound: what was loaded is, or it would have been refused.
    fn hsa_executable_validate(executable: hsa_executable_t, result: *mut u32) {
        runtime()?.code.executable(executable)?;
        Out(result).set(0)
    }

    /// As `hsa_executable_validate`; there are no options.
    fn hsa_executable_validate_alt(
        executable: hsa_executable_t,
        _options: *const c_char,
        result: *mut u32,
    ) {
        runtime()?.code.executable(executable)?;
        Out(result).set(0)
    }

    /// Finds a symbol (deprecated form). Kernels have names that end in `.kd`.
    fn hsa_executable_get_symbol(
        executable: hsa_executable_t,
        module_name: *const c_char,
        symbol_name: *const c_char,
        agent: hsa_agent_t,
        _call_convention: i32,
        symbol: *mut hsa_executable_symbol_t,
    ) {
        if !module_name.is_null() && !Text(module_name).get()?.is_empty() {
            return Err(Status::SYMBOL_NAME);
        }
        let runtime = runtime()?;
        let gpu = runtime.gpu(agent)?;
        symbol_named(executable, Text(symbol_name).get()?, Some(gpu), symbol)
    }

    /// Finds a symbol, on one GPU or, without one, on the first that has it. Kernels have names
    /// that end in `.kd`.
    fn hsa_executable_get_symbol_by_name(
        executable: hsa_executable_t,
        symbol_name: *const c_char,
        agent: *const hsa_agent_t,
        symbol: *mut hsa_executable_symbol_t,
    ) {
        let runtime = runtime()?;
        let gpu = In(agent).optional().map(|agent| runtime.gpu(agent)).transpose()?;
        symbol_named(executable, Text(symbol_name).get()?, gpu, symbol)
    }

    /// Answers a question about a symbol.
    fn hsa_executable_symbol_get_info(
        executable_symbol: hsa_executable_symbol_t,
        attribute: hsa_executable_symbol_info_t,
        value: *mut c_void,
    ) {
        symbol_info(&*runtime()?, executable_symbol, attribute, &Answer(value))
    }

    /// Calls back with each symbol (deprecated form).
    fn hsa_executable_iterate_symbols(
        executable: hsa_executable_t,
        callback: Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                symbol: hsa_executable_symbol_t,
                data: *mut c_void,
            ) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let symbols = runtime()?.code.executable(executable)?.symbols();
        let callback = callback.ok_or(Status::ARGUMENT)?;
        symbols.into_iter().try_for_each(|(_, handle)| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(executable, hsa_executable_symbol_t { handle }, data) })
        })
    }

    /// Calls back with each symbol on a GPU.
    fn hsa_executable_iterate_agent_symbols(
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        callback: Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                agent: hsa_agent_t,
                symbol: hsa_executable_symbol_t,
                data: *mut c_void,
            ) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let index = runtime.gpu(agent)?.index;
        let symbols = runtime.code.executable(executable)?.symbols();
        let callback = callback.ok_or(Status::ARGUMENT)?;
        symbols.into_iter().filter(|(gpu, _)| *gpu == index).try_for_each(|(_, handle)| {
            let symbol = hsa_executable_symbol_t { handle };
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(executable, agent, symbol, data) })
        })
    }

    /// Calls back with each symbol that belongs to no agent: there are none.
    fn hsa_executable_iterate_program_symbols(
        executable: hsa_executable_t,
        callback: Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                symbol: hsa_executable_symbol_t,
                data: *mut c_void,
            ) -> hsa_status_t,
        >,
        _data: *mut c_void,
    ) {
        runtime()?.code.executable(executable)?;
        callback.map(drop).ok_or(Status::ARGUMENT)
    }
}
