//! The extension by which debuggers and profilers see what is loaded.

use std::ffi::c_void;

use hsa_sys::*;

use crate::border::{Answer, Out, entries, go_on};
use crate::code::{Loaded, Reader, Storage};
use crate::runtime::{Runtime, runtime};
use crate::status::{Result, Status};

/// Version 1.03 of it.
pub const MINOR_VERSION: u16 = 3;

/// How many bytes the table of a minor version has.
pub fn size_of_minor(minor: u16) -> usize {
    match minor {
        0 => size_of::<hsa_ven_amd_loader_1_00_pfn_t>(),
        1 => size_of::<hsa_ven_amd_loader_1_01_pfn_t>(),
        2 => size_of::<hsa_ven_amd_loader_1_02_pfn_t>(),
        _ => size_of::<hsa_ven_amd_loader_1_03_pfn_t>(),
    }
}

/// Writes the table of functions, or the beginning that the caller has room for.
pub fn fill(table: *mut c_void, room: usize) -> Result {
    if table.is_null() {
        return Err(Status::ARGUMENT);
    }
    let functions = hsa_ven_amd_loader_1_03_pfn_t {
        hsa_ven_amd_loader_query_host_address: Some(hsa_ven_amd_loader_query_host_address),
        hsa_ven_amd_loader_query_segment_descriptors: Some(hsa_ven_amd_loader_query_segment_descriptors),
        hsa_ven_amd_loader_query_executable: Some(hsa_ven_amd_loader_query_executable),
        hsa_ven_amd_loader_executable_iterate_loaded_code_objects: Some(
            hsa_ven_amd_loader_executable_iterate_loaded_code_objects,
        ),
        hsa_ven_amd_loader_loaded_code_object_get_info: Some(hsa_ven_amd_loader_loaded_code_object_get_info),
        hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: Some(
            hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size,
        ),
        hsa_ven_amd_loader_iterate_executables: Some(hsa_ven_amd_loader_iterate_executables),
    };
    let len = room.min(size_of_val(&functions));
    // SAFETY: the caller has `room` bytes there.
    unsafe { std::ptr::copy_nonoverlapping((&raw const functions).cast::<u8>(), table.cast::<u8>(), len) };
    Ok(())
}

/// The code object that an address of a GPU lies in.
fn loaded_at(runtime: &Runtime, address: u64) -> Option<std::sync::Arc<Loaded>> {
    let all = runtime.code.loaded.list();
    let found = all.into_iter().find(|(_, loaded)| {
        let (base, len) = loaded.image.range();
        address.wrapping_sub(base) < len
    });
    found.map(|(_, loaded)| loaded)
}

/// How the standard tools write where a code object is.
fn uri(loaded: &Loaded) -> String {
    let size = loaded.bytes.len();
    match loaded.storage {
        Storage::Memory(address) => {
            format!("memory://{}#offset={address:#x}&size={size}", std::process::id())
        }
        Storage::File(file, offset) => {
            let path = std::fs::read_link(format!("/proc/self/fd/{file}")).unwrap_or_default();
            format!("file://{}#offset={offset}&size={size}", path.display())
        }
    }
}

entries! {
    /// Says where the host finds what lies at an address of a GPU: at the same address.
    fn hsa_ven_amd_loader_query_host_address(
        device_address: *const c_void,
        host_address: *mut *const c_void,
    ) {
        let runtime = runtime()?;
        loaded_at(&runtime, device_address as u64).ok_or(Status::ARGUMENT)?;
        Out(host_address).set(device_address)
    }

    /// Describes all segments that are loaded: one for each code object.
    fn hsa_ven_amd_loader_query_segment_descriptors(
        segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
        num_segment_descriptors: *mut usize,
    ) {
        let runtime = runtime()?;
        let room = crate::border::In(num_segment_descriptors.cast_const()).get()?;
        let all = runtime.code.loaded.list();
        if segment_descriptors.is_null() {
            return Out(num_segment_descriptors).set(all.len());
        }
        if room != all.len() {
            return Err(Status::INCOMPATIBLE);
        }
        for (at, (_, loaded)) in all.iter().enumerate() {
            let (base, len) = loaded.image.range();
            let (kind, storage) = match loaded.storage {
                Storage::Memory(address) => (HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY, address),
                Storage::File(..) => (HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE, 0),
            };
            let descriptor = hsa_ven_amd_loader_segment_descriptor_t {
                agent: loaded.gpu.handle(),
                executable: hsa_executable_t { handle: loaded.executable },
                code_object_storage_type: kind,
                code_object_storage_base: storage as *const c_void,
                code_object_storage_size: loaded.bytes.len(),
                code_object_storage_offset: 0,
                segment_base: base as *const c_void,
                segment_size: len as usize,
            };
            // SAFETY: the caller says that there is room for as many.
            unsafe { segment_descriptors.add(at).write_unaligned(descriptor) };
        }
        Ok(())
    }

    /// Finds the executable that an address of a GPU belongs to.
    fn hsa_ven_amd_loader_query_executable(
        device_address: *const c_void,
        executable: *mut hsa_executable_t,
    ) {
        let runtime = runtime()?;
        let loaded = loaded_at(&runtime, device_address as u64).ok_or(Status::ARGUMENT)?;
        Out(executable).set(hsa_executable_t { handle: loaded.executable })
    }

    /// Calls back with each code object of an executable.
    fn hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
        executable: hsa_executable_t,
        callback: Option<
            unsafe extern "C" fn(
                executable: hsa_executable_t,
                loaded_code_object: hsa_loaded_code_object_t,
                data: *mut c_void,
            ) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let loaded = runtime()?.code.executable(executable)?.loaded();
        let callback = callback.ok_or(Status::ARGUMENT)?;
        loaded.into_iter().try_for_each(|handle| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(executable, hsa_loaded_code_object_t { handle }, data) })
        })
    }

    /// Answers a question about a loaded code object.
    fn hsa_ven_amd_loader_loaded_code_object_get_info(
        loaded_code_object: hsa_loaded_code_object_t,
        attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
        value: *mut c_void,
    ) {
        let runtime = runtime()?;
        let loaded = runtime.code.loaded.get(loaded_code_object.handle).ok_or(Status::CODE_OBJECT)?;
        let answer = Answer(value);
        let (base, len) = loaded.image.range();
        match (attribute, loaded.storage) {
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE, _) => {
                answer.set(hsa_executable_t { handle: loaded.executable })
            }
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND, _) => {
                answer.set(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT)
            }
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT, _) => answer.set(loaded.gpu.handle()),
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE, storage) => {
                answer.set(match storage {
                    Storage::Memory(_) => HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY,
                    Storage::File(..) => HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE,
                })
            }
            (
                HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE,
                Storage::Memory(address),
            ) => answer.set(address),
            (
                HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE,
                Storage::Memory(_),
            ) => answer.set(loaded.bytes.len() as u64),
            (
                HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE,
                Storage::File(file, _),
            ) => answer.set(file),
            // Images are linked to address 0.
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, _)
            | (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, _) => answer.set(base),
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, _) => answer.set(len),
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, _) => {
                answer.set(uri(&loaded).len() as u32)
            }
            (HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, _) => answer.set_exact(&uri(&loaded)),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Takes a code object from a part of an open file.
    fn hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
        file: hsa_file_t,
        offset: usize,
        size: usize,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) {
        let runtime = runtime()?;
        Out(code_object_reader).check()?;
        let reader = Reader::from_file(file, offset as u64, Some(size as u64))?;
        let handle = runtime.code.readers.insert(reader);
        Out(code_object_reader).set(hsa_code_object_reader_t { handle })
    }

    /// Calls back with each executable.
    fn hsa_ven_amd_loader_iterate_executables(
        callback: Option<
            unsafe extern "C" fn(executable: hsa_executable_t, data: *mut c_void) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        runtime.code.executables.list().into_iter().try_for_each(|(handle, _)| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(hsa_executable_t { handle }, data) })
        })
    }
}
