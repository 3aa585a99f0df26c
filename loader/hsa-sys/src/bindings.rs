// Made by regenerate.sh from Debian's libhsa-runtime-dev 5.2.3-3. Do not edit.
//
// The declarations are those of AMD's headers and keep their notice:
//
// The University of Illinois/NCSA
// Open Source License (NCSA)
//
// Copyright (c) 2014-2020, Advanced Micro Devices, Inc. All rights reserved.
//
// Developed by:
//
//                 AMD Research and AMD HSA Software Development
//
//                 Advanced Micro Devices, Inc.
//
//                 www.amd.com
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to
// deal with the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense,
// and/or sell copies of the Software, and to permit persons to whom the
// Software is furnished to do so, subject to the following conditions:
//
//  - Redistributions of source code must retain the above copyright notice,
//    this list of conditions and the following disclaimers.
//  - Redistributions in binary form must reproduce the above copyright
//    notice, this list of conditions and the following disclaimers in
//    the documentation and/or other materials provided with the distribution.
//  - Neither the names of Advanced Micro Devices, Inc,
//    nor the names of its contributors may be used to endorse or promote
//    products derived from this Software without specific prior written
//    permission.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
// THE CONTRIBUTORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
// OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
// ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
// DEALINGS WITH THE SOFTWARE.
//

#![allow(missing_docs, clippy::all, clippy::undocumented_unsafe_blocks)]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

pub const HSA_VERSION_1_0: u32 = 1;
pub const HSA_AMD_INTERFACE_VERSION_MAJOR: u32 = 1;
pub const HSA_AMD_INTERFACE_VERSION_MINOR: u32 = 0;
pub const AMD_HSA_ABI_VERSION: &[u8; 43] = b"AMD GPU Architecture v0.35 (June 25, 2015)\0";
pub const AMD_QUEUE_ALIGN_BYTES: u32 = 64;
pub const AMD_SIGNAL_ALIGN_BYTES: u32 = 64;
pub const HSA_STATUS_SUCCESS: hsa_status_t = 0;
pub const HSA_STATUS_INFO_BREAK: hsa_status_t = 1;
pub const HSA_STATUS_ERROR: hsa_status_t = 4096;
pub const HSA_STATUS_ERROR_INVALID_ARGUMENT: hsa_status_t = 4097;
pub const HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: hsa_status_t = 4098;
pub const HSA_STATUS_ERROR_INVALID_ALLOCATION: hsa_status_t = 4099;
pub const HSA_STATUS_ERROR_INVALID_AGENT: hsa_status_t = 4100;
pub const HSA_STATUS_ERROR_INVALID_REGION: hsa_status_t = 4101;
pub const HSA_STATUS_ERROR_INVALID_SIGNAL: hsa_status_t = 4102;
pub const HSA_STATUS_ERROR_INVALID_QUEUE: hsa_status_t = 4103;
pub const HSA_STATUS_ERROR_OUT_OF_RESOURCES: hsa_status_t = 4104;
pub const HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: hsa_status_t = 4105;
pub const HSA_STATUS_ERROR_RESOURCE_FREE: hsa_status_t = 4106;
pub const HSA_STATUS_ERROR_NOT_INITIALIZED: hsa_status_t = 4107;
pub const HSA_STATUS_ERROR_REFCOUNT_OVERFLOW: hsa_status_t = 4108;
pub const HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: hsa_status_t = 4109;
pub const HSA_STATUS_ERROR_INVALID_INDEX: hsa_status_t = 4110;
pub const HSA_STATUS_ERROR_INVALID_ISA: hsa_status_t = 4111;
pub const HSA_STATUS_ERROR_INVALID_ISA_NAME: hsa_status_t = 4119;
pub const HSA_STATUS_ERROR_INVALID_CODE_OBJECT: hsa_status_t = 4112;
pub const HSA_STATUS_ERROR_INVALID_EXECUTABLE: hsa_status_t = 4113;
pub const HSA_STATUS_ERROR_FROZEN_EXECUTABLE: hsa_status_t = 4114;
pub const HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: hsa_status_t = 4115;
pub const HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: hsa_status_t = 4116;
pub const HSA_STATUS_ERROR_VARIABLE_UNDEFINED: hsa_status_t = 4117;
pub const HSA_STATUS_ERROR_EXCEPTION: hsa_status_t = 4118;
pub const HSA_STATUS_ERROR_INVALID_CODE_SYMBOL: hsa_status_t = 4120;
pub const HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: hsa_status_t = 4121;
pub const HSA_STATUS_ERROR_INVALID_FILE: hsa_status_t = 4128;
pub const HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: hsa_status_t = 4129;
pub const HSA_STATUS_ERROR_INVALID_CACHE: hsa_status_t = 4130;
pub const HSA_STATUS_ERROR_INVALID_WAVEFRONT: hsa_status_t = 4131;
pub const HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP: hsa_status_t = 4132;
pub const HSA_STATUS_ERROR_INVALID_RUNTIME_STATE: hsa_status_t = 4133;
pub const HSA_STATUS_ERROR_FATAL: hsa_status_t = 4134;
pub type hsa_status_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_dim3_s {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}
pub type hsa_dim3_t = hsa_dim3_s;
pub const HSA_ACCESS_PERMISSION_RO: hsa_access_permission_t = 1;
pub const HSA_ACCESS_PERMISSION_WO: hsa_access_permission_t = 2;
pub const HSA_ACCESS_PERMISSION_RW: hsa_access_permission_t = 3;
pub type hsa_access_permission_t = ::core::ffi::c_uint;
pub type hsa_file_t = ::core::ffi::c_int;
pub const HSA_ENDIANNESS_LITTLE: hsa_endianness_t = 0;
pub const HSA_ENDIANNESS_BIG: hsa_endianness_t = 1;
pub type hsa_endianness_t = ::core::ffi::c_uint;
pub const HSA_MACHINE_MODEL_SMALL: hsa_machine_model_t = 0;
pub const HSA_MACHINE_MODEL_LARGE: hsa_machine_model_t = 1;
pub type hsa_machine_model_t = ::core::ffi::c_uint;
pub const HSA_PROFILE_BASE: hsa_profile_t = 0;
pub const HSA_PROFILE_FULL: hsa_profile_t = 1;
pub type hsa_profile_t = ::core::ffi::c_uint;
pub const HSA_SYSTEM_INFO_VERSION_MAJOR: hsa_system_info_t = 0;
pub const HSA_SYSTEM_INFO_VERSION_MINOR: hsa_system_info_t = 1;
pub const HSA_SYSTEM_INFO_TIMESTAMP: hsa_system_info_t = 2;
pub const HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY: hsa_system_info_t = 3;
pub const HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT: hsa_system_info_t = 4;
pub const HSA_SYSTEM_INFO_ENDIANNESS: hsa_system_info_t = 5;
pub const HSA_SYSTEM_INFO_MACHINE_MODEL: hsa_system_info_t = 6;
pub const HSA_SYSTEM_INFO_EXTENSIONS: hsa_system_info_t = 7;
pub const HSA_AMD_SYSTEM_INFO_BUILD_VERSION: hsa_system_info_t = 512;
pub const HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED: hsa_system_info_t = 513;
pub const HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: hsa_system_info_t = 514;
pub type hsa_system_info_t = ::core::ffi::c_uint;
pub const HSA_EXTENSION_FINALIZER: hsa_extension_t = 0;
pub const HSA_EXTENSION_IMAGES: hsa_extension_t = 1;
pub const HSA_EXTENSION_PERFORMANCE_COUNTERS: hsa_extension_t = 2;
pub const HSA_EXTENSION_PROFILING_EVENTS: hsa_extension_t = 3;
pub const HSA_EXTENSION_STD_LAST: hsa_extension_t = 3;
pub const HSA_AMD_FIRST_EXTENSION: hsa_extension_t = 512;
pub const HSA_EXTENSION_AMD_PROFILER: hsa_extension_t = 512;
pub const HSA_EXTENSION_AMD_LOADER: hsa_extension_t = 513;
pub const HSA_EXTENSION_AMD_AQLPROFILE: hsa_extension_t = 514;
pub const HSA_AMD_LAST_EXTENSION: hsa_extension_t = 514;
pub type hsa_extension_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_agent_s {
    pub handle: u64,
}
pub type hsa_agent_t = hsa_agent_s;
pub const HSA_AGENT_FEATURE_KERNEL_DISPATCH: hsa_agent_feature_t = 1;
pub const HSA_AGENT_FEATURE_AGENT_DISPATCH: hsa_agent_feature_t = 2;
pub type hsa_agent_feature_t = ::core::ffi::c_uint;
pub const HSA_DEVICE_TYPE_CPU: hsa_device_type_t = 0;
pub const HSA_DEVICE_TYPE_GPU: hsa_device_type_t = 1;
pub const HSA_DEVICE_TYPE_DSP: hsa_device_type_t = 2;
pub type hsa_device_type_t = ::core::ffi::c_uint;
pub const HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT: hsa_default_float_rounding_mode_t = 0;
pub const HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO: hsa_default_float_rounding_mode_t = 1;
pub const HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR: hsa_default_float_rounding_mode_t = 2;
pub type hsa_default_float_rounding_mode_t = ::core::ffi::c_uint;
pub const HSA_AGENT_INFO_NAME: hsa_agent_info_t = 0;
pub const HSA_AGENT_INFO_VENDOR_NAME: hsa_agent_info_t = 1;
pub const HSA_AGENT_INFO_FEATURE: hsa_agent_info_t = 2;
pub const HSA_AGENT_INFO_MACHINE_MODEL: hsa_agent_info_t = 3;
pub const HSA_AGENT_INFO_PROFILE: hsa_agent_info_t = 4;
pub const HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE: hsa_agent_info_t = 5;
pub const HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: hsa_agent_info_t = 23;
pub const HSA_AGENT_INFO_FAST_F16_OPERATION: hsa_agent_info_t = 24;
pub const HSA_AGENT_INFO_WAVEFRONT_SIZE: hsa_agent_info_t = 6;
pub const HSA_AGENT_INFO_WORKGROUP_MAX_DIM: hsa_agent_info_t = 7;
pub const HSA_AGENT_INFO_WORKGROUP_MAX_SIZE: hsa_agent_info_t = 8;
pub const HSA_AGENT_INFO_GRID_MAX_DIM: hsa_agent_info_t = 9;
pub const HSA_AGENT_INFO_GRID_MAX_SIZE: hsa_agent_info_t = 10;
pub const HSA_AGENT_INFO_FBARRIER_MAX_SIZE: hsa_agent_info_t = 11;
pub const HSA_AGENT_INFO_QUEUES_MAX: hsa_agent_info_t = 12;
pub const HSA_AGENT_INFO_QUEUE_MIN_SIZE: hsa_agent_info_t = 13;
pub const HSA_AGENT_INFO_QUEUE_MAX_SIZE: hsa_agent_info_t = 14;
pub const HSA_AGENT_INFO_QUEUE_TYPE: hsa_agent_info_t = 15;
pub const HSA_AGENT_INFO_NODE: hsa_agent_info_t = 16;
pub const HSA_AGENT_INFO_DEVICE: hsa_agent_info_t = 17;
pub const HSA_AGENT_INFO_CACHE_SIZE: hsa_agent_info_t = 18;
pub const HSA_AGENT_INFO_ISA: hsa_agent_info_t = 19;
pub const HSA_AGENT_INFO_EXTENSIONS: hsa_agent_info_t = 20;
pub const HSA_AGENT_INFO_VERSION_MAJOR: hsa_agent_info_t = 21;
pub const HSA_AGENT_INFO_VERSION_MINOR: hsa_agent_info_t = 22;
pub type hsa_agent_info_t = ::core::ffi::c_uint;
pub const HSA_EXCEPTION_POLICY_BREAK: hsa_exception_policy_t = 1;
pub const HSA_EXCEPTION_POLICY_DETECT: hsa_exception_policy_t = 2;
pub type hsa_exception_policy_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_cache_s {
    pub handle: u64,
}
pub type hsa_cache_t = hsa_cache_s;
pub const HSA_CACHE_INFO_NAME_LENGTH: hsa_cache_info_t = 0;
pub const HSA_CACHE_INFO_NAME: hsa_cache_info_t = 1;
pub const HSA_CACHE_INFO_LEVEL: hsa_cache_info_t = 2;
pub const HSA_CACHE_INFO_SIZE: hsa_cache_info_t = 3;
pub type hsa_cache_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_signal_s {
    pub handle: u64,
}
pub type hsa_signal_t = hsa_signal_s;
pub type hsa_signal_value_t = i64;
pub const HSA_SIGNAL_CONDITION_EQ: hsa_signal_condition_t = 0;
pub const HSA_SIGNAL_CONDITION_NE: hsa_signal_condition_t = 1;
pub const HSA_SIGNAL_CONDITION_LT: hsa_signal_condition_t = 2;
pub const HSA_SIGNAL_CONDITION_GTE: hsa_signal_condition_t = 3;
pub type hsa_signal_condition_t = ::core::ffi::c_uint;
pub const HSA_WAIT_STATE_BLOCKED: hsa_wait_state_t = 0;
pub const HSA_WAIT_STATE_ACTIVE: hsa_wait_state_t = 1;
pub type hsa_wait_state_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_signal_group_s {
    pub handle: u64,
}
pub type hsa_signal_group_t = hsa_signal_group_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_region_s {
    pub handle: u64,
}
pub type hsa_region_t = hsa_region_s;
pub const HSA_QUEUE_TYPE_MULTI: hsa_queue_type_t = 0;
pub const HSA_QUEUE_TYPE_SINGLE: hsa_queue_type_t = 1;
pub const HSA_QUEUE_TYPE_COOPERATIVE: hsa_queue_type_t = 2;
pub type hsa_queue_type_t = ::core::ffi::c_uint;
pub type hsa_queue_type32_t = u32;
pub const HSA_QUEUE_FEATURE_KERNEL_DISPATCH: hsa_queue_feature_t = 1;
pub const HSA_QUEUE_FEATURE_AGENT_DISPATCH: hsa_queue_feature_t = 2;
pub type hsa_queue_feature_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_queue_s {
    pub type_: hsa_queue_type32_t,
    pub features: u32,
    pub base_address: *mut ::core::ffi::c_void,
    pub doorbell_signal: hsa_signal_t,
    pub size: u32,
    pub reserved1: u32,
    pub id: u64,
}
pub type hsa_queue_t = hsa_queue_s;
pub const HSA_PACKET_TYPE_VENDOR_SPECIFIC: hsa_packet_type_t = 0;
pub const HSA_PACKET_TYPE_INVALID: hsa_packet_type_t = 1;
pub const HSA_PACKET_TYPE_KERNEL_DISPATCH: hsa_packet_type_t = 2;
pub const HSA_PACKET_TYPE_BARRIER_AND: hsa_packet_type_t = 3;
pub const HSA_PACKET_TYPE_AGENT_DISPATCH: hsa_packet_type_t = 4;
pub const HSA_PACKET_TYPE_BARRIER_OR: hsa_packet_type_t = 5;
pub type hsa_packet_type_t = ::core::ffi::c_uint;
pub const HSA_FENCE_SCOPE_NONE: hsa_fence_scope_t = 0;
pub const HSA_FENCE_SCOPE_AGENT: hsa_fence_scope_t = 1;
pub const HSA_FENCE_SCOPE_SYSTEM: hsa_fence_scope_t = 2;
pub type hsa_fence_scope_t = ::core::ffi::c_uint;
pub const HSA_PACKET_HEADER_TYPE: hsa_packet_header_t = 0;
pub const HSA_PACKET_HEADER_BARRIER: hsa_packet_header_t = 8;
pub const HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE: hsa_packet_header_t = 9;
pub const HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE: hsa_packet_header_t = 9;
pub const HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE: hsa_packet_header_t = 11;
pub const HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE: hsa_packet_header_t = 11;
pub type hsa_packet_header_t = ::core::ffi::c_uint;
pub const HSA_PACKET_HEADER_WIDTH_TYPE: hsa_packet_header_width_t = 8;
pub const HSA_PACKET_HEADER_WIDTH_BARRIER: hsa_packet_header_width_t = 1;
pub const HSA_PACKET_HEADER_WIDTH_SCACQUIRE_FENCE_SCOPE: hsa_packet_header_width_t = 2;
pub const HSA_PACKET_HEADER_WIDTH_ACQUIRE_FENCE_SCOPE: hsa_packet_header_width_t = 2;
pub const HSA_PACKET_HEADER_WIDTH_SCRELEASE_FENCE_SCOPE: hsa_packet_header_width_t = 2;
pub const HSA_PACKET_HEADER_WIDTH_RELEASE_FENCE_SCOPE: hsa_packet_header_width_t = 2;
pub type hsa_packet_header_width_t = ::core::ffi::c_uint;
pub const HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS: hsa_kernel_dispatch_packet_setup_t = 0;
pub type hsa_kernel_dispatch_packet_setup_t = ::core::ffi::c_uint;
pub const HSA_KERNEL_DISPATCH_PACKET_SETUP_WIDTH_DIMENSIONS: hsa_kernel_dispatch_packet_setup_width_t = 2;
pub type hsa_kernel_dispatch_packet_setup_width_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_kernel_dispatch_packet_s {
    pub header: u16,
    pub setup: u16,
    pub workgroup_size_x: u16,
    pub workgroup_size_y: u16,
    pub workgroup_size_z: u16,
    pub reserved0: u16,
    pub grid_size_x: u32,
    pub grid_size_y: u32,
    pub grid_size_z: u32,
    pub private_segment_size: u32,
    pub group_segment_size: u32,
    pub kernel_object: u64,
    pub kernarg_address: *mut ::core::ffi::c_void,
    pub reserved2: u64,
    pub completion_signal: hsa_signal_t,
}
pub type hsa_kernel_dispatch_packet_t = hsa_kernel_dispatch_packet_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_agent_dispatch_packet_s {
    pub header: u16,
    pub type_: u16,
    pub reserved0: u32,
    pub return_address: *mut ::core::ffi::c_void,
    pub arg: [u64; 4usize],
    pub reserved2: u64,
    pub completion_signal: hsa_signal_t,
}
pub type hsa_agent_dispatch_packet_t = hsa_agent_dispatch_packet_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_barrier_and_packet_s {
    pub header: u16,
    pub reserved0: u16,
    pub reserved1: u32,
    pub dep_signal: [hsa_signal_t; 5usize],
    pub reserved2: u64,
    pub completion_signal: hsa_signal_t,
}
pub type hsa_barrier_and_packet_t = hsa_barrier_and_packet_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_barrier_or_packet_s {
    pub header: u16,
    pub reserved0: u16,
    pub reserved1: u32,
    pub dep_signal: [hsa_signal_t; 5usize],
    pub reserved2: u64,
    pub completion_signal: hsa_signal_t,
}
pub type hsa_barrier_or_packet_t = hsa_barrier_or_packet_s;
pub const HSA_REGION_SEGMENT_GLOBAL: hsa_region_segment_t = 0;
pub const HSA_REGION_SEGMENT_READONLY: hsa_region_segment_t = 1;
pub const HSA_REGION_SEGMENT_PRIVATE: hsa_region_segment_t = 2;
pub const HSA_REGION_SEGMENT_GROUP: hsa_region_segment_t = 3;
pub const HSA_REGION_SEGMENT_KERNARG: hsa_region_segment_t = 4;
pub type hsa_region_segment_t = ::core::ffi::c_uint;
pub const HSA_REGION_GLOBAL_FLAG_KERNARG: hsa_region_global_flag_t = 1;
pub const HSA_REGION_GLOBAL_FLAG_FINE_GRAINED: hsa_region_global_flag_t = 2;
pub const HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED: hsa_region_global_flag_t = 4;
pub type hsa_region_global_flag_t = ::core::ffi::c_uint;
pub const HSA_REGION_INFO_SEGMENT: hsa_region_info_t = 0;
pub const HSA_REGION_INFO_GLOBAL_FLAGS: hsa_region_info_t = 1;
pub const HSA_REGION_INFO_SIZE: hsa_region_info_t = 2;
pub const HSA_REGION_INFO_ALLOC_MAX_SIZE: hsa_region_info_t = 4;
pub const HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE: hsa_region_info_t = 8;
pub const HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED: hsa_region_info_t = 5;
pub const HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE: hsa_region_info_t = 6;
pub const HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT: hsa_region_info_t = 7;
pub type hsa_region_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_isa_s {
    pub handle: u64,
}
pub type hsa_isa_t = hsa_isa_s;
pub const HSA_ISA_INFO_NAME_LENGTH: hsa_isa_info_t = 0;
pub const HSA_ISA_INFO_NAME: hsa_isa_info_t = 1;
pub const HSA_ISA_INFO_CALL_CONVENTION_COUNT: hsa_isa_info_t = 2;
pub const HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE: hsa_isa_info_t = 3;
pub const HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT: hsa_isa_info_t = 4;
pub const HSA_ISA_INFO_MACHINE_MODELS: hsa_isa_info_t = 5;
pub const HSA_ISA_INFO_PROFILES: hsa_isa_info_t = 6;
pub const HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES: hsa_isa_info_t = 7;
pub const HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: hsa_isa_info_t = 8;
pub const HSA_ISA_INFO_FAST_F16_OPERATION: hsa_isa_info_t = 9;
pub const HSA_ISA_INFO_WORKGROUP_MAX_DIM: hsa_isa_info_t = 12;
pub const HSA_ISA_INFO_WORKGROUP_MAX_SIZE: hsa_isa_info_t = 13;
pub const HSA_ISA_INFO_GRID_MAX_DIM: hsa_isa_info_t = 14;
pub const HSA_ISA_INFO_GRID_MAX_SIZE: hsa_isa_info_t = 16;
pub const HSA_ISA_INFO_FBARRIER_MAX_SIZE: hsa_isa_info_t = 17;
pub type hsa_isa_info_t = ::core::ffi::c_uint;
pub const HSA_FP_TYPE_16: hsa_fp_type_t = 1;
pub const HSA_FP_TYPE_32: hsa_fp_type_t = 2;
pub const HSA_FP_TYPE_64: hsa_fp_type_t = 4;
pub type hsa_fp_type_t = ::core::ffi::c_uint;
pub const HSA_FLUSH_MODE_FTZ: hsa_flush_mode_t = 1;
pub const HSA_FLUSH_MODE_NON_FTZ: hsa_flush_mode_t = 2;
pub type hsa_flush_mode_t = ::core::ffi::c_uint;
pub const HSA_ROUND_METHOD_SINGLE: hsa_round_method_t = 1;
pub const HSA_ROUND_METHOD_DOUBLE: hsa_round_method_t = 2;
pub type hsa_round_method_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_wavefront_s {
    pub handle: u64,
}
pub type hsa_wavefront_t = hsa_wavefront_s;
pub const HSA_WAVEFRONT_INFO_SIZE: hsa_wavefront_info_t = 0;
pub type hsa_wavefront_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_code_object_reader_s {
    pub handle: u64,
}
pub type hsa_code_object_reader_t = hsa_code_object_reader_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_executable_s {
    pub handle: u64,
}
pub type hsa_executable_t = hsa_executable_s;
pub const HSA_EXECUTABLE_STATE_UNFROZEN: hsa_executable_state_t = 0;
pub const HSA_EXECUTABLE_STATE_FROZEN: hsa_executable_state_t = 1;
pub type hsa_executable_state_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_loaded_code_object_s {
    pub handle: u64,
}
pub type hsa_loaded_code_object_t = hsa_loaded_code_object_s;
pub const HSA_EXECUTABLE_INFO_PROFILE: hsa_executable_info_t = 1;
pub const HSA_EXECUTABLE_INFO_STATE: hsa_executable_info_t = 2;
pub const HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE: hsa_executable_info_t = 3;
pub type hsa_executable_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_executable_symbol_s {
    pub handle: u64,
}
pub type hsa_executable_symbol_t = hsa_executable_symbol_s;
pub const HSA_SYMBOL_KIND_VARIABLE: hsa_symbol_kind_t = 0;
pub const HSA_SYMBOL_KIND_KERNEL: hsa_symbol_kind_t = 1;
pub const HSA_SYMBOL_KIND_INDIRECT_FUNCTION: hsa_symbol_kind_t = 2;
pub type hsa_symbol_kind_t = ::core::ffi::c_uint;
pub const HSA_SYMBOL_LINKAGE_MODULE: hsa_symbol_linkage_t = 0;
pub const HSA_SYMBOL_LINKAGE_PROGRAM: hsa_symbol_linkage_t = 1;
pub type hsa_symbol_linkage_t = ::core::ffi::c_uint;
pub const HSA_VARIABLE_ALLOCATION_AGENT: hsa_variable_allocation_t = 0;
pub const HSA_VARIABLE_ALLOCATION_PROGRAM: hsa_variable_allocation_t = 1;
pub type hsa_variable_allocation_t = ::core::ffi::c_uint;
pub const HSA_VARIABLE_SEGMENT_GLOBAL: hsa_variable_segment_t = 0;
pub const HSA_VARIABLE_SEGMENT_READONLY: hsa_variable_segment_t = 1;
pub type hsa_variable_segment_t = ::core::ffi::c_uint;
pub const HSA_EXECUTABLE_SYMBOL_INFO_TYPE: hsa_executable_symbol_info_t = 0;
pub const HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH: hsa_executable_symbol_info_t = 1;
pub const HSA_EXECUTABLE_SYMBOL_INFO_NAME: hsa_executable_symbol_info_t = 2;
pub const HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH: hsa_executable_symbol_info_t = 3;
pub const HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME: hsa_executable_symbol_info_t = 4;
pub const HSA_EXECUTABLE_SYMBOL_INFO_AGENT: hsa_executable_symbol_info_t = 20;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS: hsa_executable_symbol_info_t = 21;
pub const HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE: hsa_executable_symbol_info_t = 5;
pub const HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION: hsa_executable_symbol_info_t = 17;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION: hsa_executable_symbol_info_t = 6;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT: hsa_executable_symbol_info_t = 7;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT: hsa_executable_symbol_info_t = 8;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE: hsa_executable_symbol_info_t = 9;
pub const HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST: hsa_executable_symbol_info_t = 10;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT: hsa_executable_symbol_info_t = 22;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE: hsa_executable_symbol_info_t = 11;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT: hsa_executable_symbol_info_t = 12;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE: hsa_executable_symbol_info_t = 13;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE: hsa_executable_symbol_info_t = 14;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK: hsa_executable_symbol_info_t = 15;
pub const HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION: hsa_executable_symbol_info_t = 18;
pub const HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT: hsa_executable_symbol_info_t = 23;
pub const HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION: hsa_executable_symbol_info_t = 16;
pub type hsa_executable_symbol_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_code_object_s {
    pub handle: u64,
}
pub type hsa_code_object_t = hsa_code_object_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_callback_data_s {
    pub handle: u64,
}
pub type hsa_callback_data_t = hsa_callback_data_s;
pub const HSA_CODE_OBJECT_TYPE_PROGRAM: hsa_code_object_type_t = 0;
pub type hsa_code_object_type_t = ::core::ffi::c_uint;
pub const HSA_CODE_OBJECT_INFO_VERSION: hsa_code_object_info_t = 0;
pub const HSA_CODE_OBJECT_INFO_TYPE: hsa_code_object_info_t = 1;
pub const HSA_CODE_OBJECT_INFO_ISA: hsa_code_object_info_t = 2;
pub const HSA_CODE_OBJECT_INFO_MACHINE_MODEL: hsa_code_object_info_t = 3;
pub const HSA_CODE_OBJECT_INFO_PROFILE: hsa_code_object_info_t = 4;
pub const HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE: hsa_code_object_info_t = 5;
pub type hsa_code_object_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_code_symbol_s {
    pub handle: u64,
}
pub type hsa_code_symbol_t = hsa_code_symbol_s;
pub const HSA_CODE_SYMBOL_INFO_TYPE: hsa_code_symbol_info_t = 0;
pub const HSA_CODE_SYMBOL_INFO_NAME_LENGTH: hsa_code_symbol_info_t = 1;
pub const HSA_CODE_SYMBOL_INFO_NAME: hsa_code_symbol_info_t = 2;
pub const HSA_CODE_SYMBOL_INFO_MODULE_NAME_LENGTH: hsa_code_symbol_info_t = 3;
pub const HSA_CODE_SYMBOL_INFO_MODULE_NAME: hsa_code_symbol_info_t = 4;
pub const HSA_CODE_SYMBOL_INFO_LINKAGE: hsa_code_symbol_info_t = 5;
pub const HSA_CODE_SYMBOL_INFO_IS_DEFINITION: hsa_code_symbol_info_t = 17;
pub const HSA_CODE_SYMBOL_INFO_VARIABLE_ALLOCATION: hsa_code_symbol_info_t = 6;
pub const HSA_CODE_SYMBOL_INFO_VARIABLE_SEGMENT: hsa_code_symbol_info_t = 7;
pub const HSA_CODE_SYMBOL_INFO_VARIABLE_ALIGNMENT: hsa_code_symbol_info_t = 8;
pub const HSA_CODE_SYMBOL_INFO_VARIABLE_SIZE: hsa_code_symbol_info_t = 9;
pub const HSA_CODE_SYMBOL_INFO_VARIABLE_IS_CONST: hsa_code_symbol_info_t = 10;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE: hsa_code_symbol_info_t = 11;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT: hsa_code_symbol_info_t = 12;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE: hsa_code_symbol_info_t = 13;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE: hsa_code_symbol_info_t = 14;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK: hsa_code_symbol_info_t = 15;
pub const HSA_CODE_SYMBOL_INFO_KERNEL_CALL_CONVENTION: hsa_code_symbol_info_t = 18;
pub const HSA_CODE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION: hsa_code_symbol_info_t = 16;
pub type hsa_code_symbol_info_t = ::core::ffi::c_uint;
pub const HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED: _bindgen_ty_1 = 12288;
pub const HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED: _bindgen_ty_1 = 12289;
pub const HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED: _bindgen_ty_1 = 12290;
pub const HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED: _bindgen_ty_1 = 12291;
pub type _bindgen_ty_1 = ::core::ffi::c_uint;
pub const HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS: _bindgen_ty_2 = 12288;
pub const HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS: _bindgen_ty_2 = 12289;
pub const HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS: _bindgen_ty_2 = 12290;
pub const HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS: _bindgen_ty_2 = 12291;
pub const HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS: _bindgen_ty_2 = 12292;
pub const HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS: _bindgen_ty_2 = 12293;
pub const HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS: _bindgen_ty_2 = 12294;
pub const HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS: _bindgen_ty_2 = 12295;
pub const HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS: _bindgen_ty_2 = 12296;
pub const HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES: _bindgen_ty_2 = 12297;
pub const HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES: _bindgen_ty_2 = 12298;
pub const HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS: _bindgen_ty_2 = 12299;
pub const HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT: _bindgen_ty_2 = 12300;
pub type _bindgen_ty_2 = ::core::ffi::c_uint;
pub type hsa_signal_condition32_t = u32;
pub const HSA_AMD_PACKET_TYPE_BARRIER_VALUE: hsa_amd_packet_type_t = 2;
pub type hsa_amd_packet_type_t = ::core::ffi::c_uint;
pub type hsa_amd_packet_type8_t = u8;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_packet_header_s {
    pub header: u16,
    pub AmdFormat: hsa_amd_packet_type8_t,
    pub reserved: u8,
}
pub type hsa_amd_vendor_packet_header_t = hsa_amd_packet_header_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_barrier_value_packet_s {
    pub header: hsa_amd_vendor_packet_header_t,
    pub reserved0: u32,
    pub signal: hsa_signal_t,
    pub value: hsa_signal_value_t,
    pub mask: hsa_signal_value_t,
    pub cond: hsa_signal_condition32_t,
    pub reserved1: u32,
    pub reserved2: u64,
    pub reserved3: u64,
    pub completion_signal: hsa_signal_t,
}
pub type hsa_amd_barrier_value_packet_t = hsa_amd_barrier_value_packet_s;
pub const HSA_STATUS_ERROR_INVALID_MEMORY_POOL: _bindgen_ty_3 = 40;
pub const HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: _bindgen_ty_3 = 41;
pub const HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: _bindgen_ty_3 = 42;
pub const HSA_STATUS_ERROR_MEMORY_FAULT: _bindgen_ty_3 = 43;
pub const HSA_STATUS_CU_MASK_REDUCED: _bindgen_ty_3 = 44;
pub type _bindgen_ty_3 = ::core::ffi::c_uint;
pub const HSA_AMD_AGENT_INFO_CHIP_ID: hsa_amd_agent_info_s = 40960;
pub const HSA_AMD_AGENT_INFO_CACHELINE_SIZE: hsa_amd_agent_info_s = 40961;
pub const HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT: hsa_amd_agent_info_s = 40962;
pub const HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY: hsa_amd_agent_info_s = 40963;
pub const HSA_AMD_AGENT_INFO_DRIVER_NODE_ID: hsa_amd_agent_info_s = 40964;
pub const HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS: hsa_amd_agent_info_s = 40965;
pub const HSA_AMD_AGENT_INFO_BDFID: hsa_amd_agent_info_s = 40966;
pub const HSA_AMD_AGENT_INFO_MEMORY_WIDTH: hsa_amd_agent_info_s = 40967;
pub const HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY: hsa_amd_agent_info_s = 40968;
pub const HSA_AMD_AGENT_INFO_PRODUCT_NAME: hsa_amd_agent_info_s = 40969;
pub const HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU: hsa_amd_agent_info_s = 40970;
pub const HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU: hsa_amd_agent_info_s = 40971;
pub const HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES: hsa_amd_agent_info_s = 40972;
pub const HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE: hsa_amd_agent_info_s = 40973;
pub const HSA_AMD_AGENT_INFO_HDP_FLUSH: hsa_amd_agent_info_s = 40974;
pub const HSA_AMD_AGENT_INFO_DOMAIN: hsa_amd_agent_info_s = 40975;
pub const HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES: hsa_amd_agent_info_s = 40976;
pub const HSA_AMD_AGENT_INFO_UUID: hsa_amd_agent_info_s = 40977;
pub const HSA_AMD_AGENT_INFO_ASIC_REVISION: hsa_amd_agent_info_s = 40978;
pub const HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS: hsa_amd_agent_info_s = 40979;
pub const HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT: hsa_amd_agent_info_s = 40980;
pub type hsa_amd_agent_info_s = ::core::ffi::c_uint;
pub use self::hsa_amd_agent_info_s as hsa_amd_agent_info_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_hdp_flush_s {
    pub HDP_MEM_FLUSH_CNTL: *mut u32,
    pub HDP_REG_FLUSH_CNTL: *mut u32,
}
pub type hsa_amd_hdp_flush_t = hsa_amd_hdp_flush_s;
pub const HSA_AMD_REGION_INFO_HOST_ACCESSIBLE: hsa_amd_region_info_s = 40960;
pub const HSA_AMD_REGION_INFO_BASE: hsa_amd_region_info_s = 40961;
pub const HSA_AMD_REGION_INFO_BUS_WIDTH: hsa_amd_region_info_s = 40962;
pub const HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY: hsa_amd_region_info_s = 40963;
pub type hsa_amd_region_info_s = ::core::ffi::c_uint;
pub use self::hsa_amd_region_info_s as hsa_amd_region_info_t;
pub const HSA_AMD_COHERENCY_TYPE_COHERENT: hsa_amd_coherency_type_s = 0;
pub const HSA_AMD_COHERENCY_TYPE_NONCOHERENT: hsa_amd_coherency_type_s = 1;
pub type hsa_amd_coherency_type_s = ::core::ffi::c_uint;
pub use self::hsa_amd_coherency_type_s as hsa_amd_coherency_type_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_profiling_dispatch_time_s {
    pub start: u64,
    pub end: u64,
}
pub type hsa_amd_profiling_dispatch_time_t = hsa_amd_profiling_dispatch_time_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_profiling_async_copy_time_s {
    pub start: u64,
    pub end: u64,
}
pub type hsa_amd_profiling_async_copy_time_t = hsa_amd_profiling_async_copy_time_s;
pub const HSA_AMD_SIGNAL_AMD_GPU_ONLY: hsa_amd_signal_attribute_t = 1;
pub const HSA_AMD_SIGNAL_IPC: hsa_amd_signal_attribute_t = 2;
pub type hsa_amd_signal_attribute_t = ::core::ffi::c_uint;
pub type hsa_amd_signal_handler =
    ::core::option::Option<unsafe extern "C" fn(value: hsa_signal_value_t, arg: *mut ::core::ffi::c_void) -> bool>;
pub const HSA_AMD_SEGMENT_GLOBAL: hsa_amd_segment_t = 0;
pub const HSA_AMD_SEGMENT_READONLY: hsa_amd_segment_t = 1;
pub const HSA_AMD_SEGMENT_PRIVATE: hsa_amd_segment_t = 2;
pub const HSA_AMD_SEGMENT_GROUP: hsa_amd_segment_t = 3;
pub type hsa_amd_segment_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_memory_pool_s {
    pub handle: u64,
}
pub type hsa_amd_memory_pool_t = hsa_amd_memory_pool_s;
pub const HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT: hsa_amd_memory_pool_global_flag_s = 1;
pub const HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED: hsa_amd_memory_pool_global_flag_s = 2;
pub const HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED: hsa_amd_memory_pool_global_flag_s = 4;
pub type hsa_amd_memory_pool_global_flag_s = ::core::ffi::c_uint;
pub use self::hsa_amd_memory_pool_global_flag_s as hsa_amd_memory_pool_global_flag_t;
pub const HSA_AMD_MEMORY_POOL_INFO_SEGMENT: hsa_amd_memory_pool_info_t = 0;
pub const HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS: hsa_amd_memory_pool_info_t = 1;
pub const HSA_AMD_MEMORY_POOL_INFO_SIZE: hsa_amd_memory_pool_info_t = 2;
pub const HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED: hsa_amd_memory_pool_info_t = 5;
pub const HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE: hsa_amd_memory_pool_info_t = 6;
pub const HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT: hsa_amd_memory_pool_info_t = 7;
pub const HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL: hsa_amd_memory_pool_info_t = 15;
pub const HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE: hsa_amd_memory_pool_info_t = 16;
pub type hsa_amd_memory_pool_info_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_pitched_ptr_s {
    pub base: *mut ::core::ffi::c_void,
    pub pitch: usize,
    pub slice: usize,
}
pub type hsa_pitched_ptr_t = hsa_pitched_ptr_s;
pub const hsaHostToHost: hsa_amd_copy_direction_t = 0;
pub const hsaHostToDevice: hsa_amd_copy_direction_t = 1;
pub const hsaDeviceToHost: hsa_amd_copy_direction_t = 2;
pub const hsaDeviceToDevice: hsa_amd_copy_direction_t = 3;
pub type hsa_amd_copy_direction_t = ::core::ffi::c_uint;
pub const HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED: hsa_amd_memory_pool_access_t = 0;
pub const HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT: hsa_amd_memory_pool_access_t = 1;
pub const HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT: hsa_amd_memory_pool_access_t = 2;
pub type hsa_amd_memory_pool_access_t = ::core::ffi::c_uint;
pub const HSA_AMD_LINK_INFO_TYPE_HYPERTRANSPORT: hsa_amd_link_info_type_t = 0;
pub const HSA_AMD_LINK_INFO_TYPE_QPI: hsa_amd_link_info_type_t = 1;
pub const HSA_AMD_LINK_INFO_TYPE_PCIE: hsa_amd_link_info_type_t = 2;
pub const HSA_AMD_LINK_INFO_TYPE_INFINBAND: hsa_amd_link_info_type_t = 3;
pub const HSA_AMD_LINK_INFO_TYPE_XGMI: hsa_amd_link_info_type_t = 4;
pub type hsa_amd_link_info_type_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_memory_pool_link_info_s {
    pub min_latency: u32,
    pub max_latency: u32,
    pub min_bandwidth: u32,
    pub max_bandwidth: u32,
    pub atomic_support_32bit: bool,
    pub atomic_support_64bit: bool,
    pub coherent_support: bool,
    pub link_type: hsa_amd_link_info_type_t,
    pub numa_distance: u32,
}
pub type hsa_amd_memory_pool_link_info_t = hsa_amd_memory_pool_link_info_s;
pub const HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS: hsa_amd_agent_memory_pool_info_t = 0;
pub const HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS: hsa_amd_agent_memory_pool_info_t = 1;
pub const HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO: hsa_amd_agent_memory_pool_info_t = 2;
pub type hsa_amd_agent_memory_pool_info_t = ::core::ffi::c_uint;
pub const HSA_EXT_POINTER_TYPE_UNKNOWN: hsa_amd_pointer_type_t = 0;
pub const HSA_EXT_POINTER_TYPE_HSA: hsa_amd_pointer_type_t = 1;
pub const HSA_EXT_POINTER_TYPE_LOCKED: hsa_amd_pointer_type_t = 2;
pub const HSA_EXT_POINTER_TYPE_GRAPHICS: hsa_amd_pointer_type_t = 3;
pub const HSA_EXT_POINTER_TYPE_IPC: hsa_amd_pointer_type_t = 4;
pub type hsa_amd_pointer_type_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_pointer_info_s {
    pub size: u32,
    pub type_: hsa_amd_pointer_type_t,
    pub agentBaseAddress: *mut ::core::ffi::c_void,
    pub hostBaseAddress: *mut ::core::ffi::c_void,
    pub sizeInBytes: usize,
    pub userData: *mut ::core::ffi::c_void,
    pub agentOwner: hsa_agent_t,
    pub global_flags: u32,
}
pub type hsa_amd_pointer_info_t = hsa_amd_pointer_info_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_ipc_memory_s {
    pub handle: [u32; 8usize],
}
pub type hsa_amd_ipc_memory_t = hsa_amd_ipc_memory_s;
pub type hsa_amd_ipc_signal_t = hsa_amd_ipc_memory_t;
pub const HSA_AMD_GPU_MEMORY_FAULT_EVENT: hsa_amd_event_type_s = 0;
pub type hsa_amd_event_type_s = ::core::ffi::c_uint;
pub use self::hsa_amd_event_type_s as hsa_amd_event_type_t;
pub const HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT: hsa_amd_memory_fault_reason_t = 1;
pub const HSA_AMD_MEMORY_FAULT_READ_ONLY: hsa_amd_memory_fault_reason_t = 2;
pub const HSA_AMD_MEMORY_FAULT_NX: hsa_amd_memory_fault_reason_t = 4;
pub const HSA_AMD_MEMORY_FAULT_HOST_ONLY: hsa_amd_memory_fault_reason_t = 8;
pub const HSA_AMD_MEMORY_FAULT_DRAMECC: hsa_amd_memory_fault_reason_t = 16;
pub const HSA_AMD_MEMORY_FAULT_IMPRECISE: hsa_amd_memory_fault_reason_t = 32;
pub const HSA_AMD_MEMORY_FAULT_SRAMECC: hsa_amd_memory_fault_reason_t = 64;
pub const HSA_AMD_MEMORY_FAULT_HANG: hsa_amd_memory_fault_reason_t = -2147483648;
pub type hsa_amd_memory_fault_reason_t = ::core::ffi::c_int;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_gpu_memory_fault_info_s {
    pub agent: hsa_agent_t,
    pub virtual_address: u64,
    pub fault_reason_mask: u32,
}
pub type hsa_amd_gpu_memory_fault_info_t = hsa_amd_gpu_memory_fault_info_s;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct hsa_amd_event_s {
    pub event_type: hsa_amd_event_type_t,
    pub __bindgen_anon_1: hsa_amd_event_s__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union hsa_amd_event_s__bindgen_ty_1 {
    pub memory_fault: hsa_amd_gpu_memory_fault_info_t,
}
pub type hsa_amd_event_t = hsa_amd_event_s;
pub type hsa_amd_system_event_callback_t = ::core::option::Option<
    unsafe extern "C" fn(event: *const hsa_amd_event_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
>;
pub const HSA_AMD_QUEUE_PRIORITY_LOW: hsa_amd_queue_priority_s = 0;
pub const HSA_AMD_QUEUE_PRIORITY_NORMAL: hsa_amd_queue_priority_s = 1;
pub const HSA_AMD_QUEUE_PRIORITY_HIGH: hsa_amd_queue_priority_s = 2;
pub type hsa_amd_queue_priority_s = ::core::ffi::c_uint;
pub use self::hsa_amd_queue_priority_s as hsa_amd_queue_priority_t;
pub type hsa_amd_deallocation_callback_t =
    ::core::option::Option<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, user_data: *mut ::core::ffi::c_void)>;
pub const HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED: hsa_amd_svm_model_s = 0;
pub const HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED: hsa_amd_svm_model_s = 1;
pub const HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE: hsa_amd_svm_model_s = 2;
pub type hsa_amd_svm_model_s = ::core::ffi::c_uint;
pub use self::hsa_amd_svm_model_s as hsa_amd_svm_model_t;
pub const HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG: hsa_amd_svm_attribute_s = 0;
pub const HSA_AMD_SVM_ATTRIB_READ_ONLY: hsa_amd_svm_attribute_s = 1;
pub const HSA_AMD_SVM_ATTRIB_HIVE_LOCAL: hsa_amd_svm_attribute_s = 2;
pub const HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY: hsa_amd_svm_attribute_s = 3;
pub const HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION: hsa_amd_svm_attribute_s = 4;
pub const HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION: hsa_amd_svm_attribute_s = 5;
pub const HSA_AMD_SVM_ATTRIB_READ_MOSTLY: hsa_amd_svm_attribute_s = 6;
pub const HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE: hsa_amd_svm_attribute_s = 512;
pub const HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE: hsa_amd_svm_attribute_s = 513;
pub const HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS: hsa_amd_svm_attribute_s = 514;
pub const HSA_AMD_SVM_ATTRIB_ACCESS_QUERY: hsa_amd_svm_attribute_s = 515;
pub type hsa_amd_svm_attribute_s = ::core::ffi::c_uint;
pub use self::hsa_amd_svm_attribute_s as hsa_amd_svm_attribute_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_amd_svm_attribute_pair_s {
    pub attribute: u64,
    pub value: u64,
}
pub type hsa_amd_svm_attribute_pair_t = hsa_amd_svm_attribute_pair_s;
pub const HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_NONE: hsa_ven_amd_loader_code_object_storage_type_t = 0;
pub const HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE: hsa_ven_amd_loader_code_object_storage_type_t = 1;
pub const HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY: hsa_ven_amd_loader_code_object_storage_type_t = 2;
pub type hsa_ven_amd_loader_code_object_storage_type_t = ::core::ffi::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_ven_amd_loader_segment_descriptor_s {
    pub agent: hsa_agent_t,
    pub executable: hsa_executable_t,
    pub code_object_storage_type: hsa_ven_amd_loader_code_object_storage_type_t,
    pub code_object_storage_base: *const ::core::ffi::c_void,
    pub code_object_storage_size: usize,
    pub code_object_storage_offset: usize,
    pub segment_base: *const ::core::ffi::c_void,
    pub segment_size: usize,
}
pub type hsa_ven_amd_loader_segment_descriptor_t = hsa_ven_amd_loader_segment_descriptor_s;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_PROGRAM: hsa_ven_amd_loader_loaded_code_object_kind_t = 1;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT: hsa_ven_amd_loader_loaded_code_object_kind_t = 2;
pub type hsa_ven_amd_loader_loaded_code_object_kind_t = ::core::ffi::c_uint;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE: hsa_ven_amd_loader_loaded_code_object_info_e = 1;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND: hsa_ven_amd_loader_loaded_code_object_info_e = 2;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT: hsa_ven_amd_loader_loaded_code_object_info_e = 3;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
    hsa_ven_amd_loader_loaded_code_object_info_e = 4;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
    hsa_ven_amd_loader_loaded_code_object_info_e = 5;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
    hsa_ven_amd_loader_loaded_code_object_info_e = 6;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
    hsa_ven_amd_loader_loaded_code_object_info_e = 7;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA: hsa_ven_amd_loader_loaded_code_object_info_e = 8;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE: hsa_ven_amd_loader_loaded_code_object_info_e = 9;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE: hsa_ven_amd_loader_loaded_code_object_info_e = 10;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH: hsa_ven_amd_loader_loaded_code_object_info_e = 11;
pub const HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI: hsa_ven_amd_loader_loaded_code_object_info_e = 12;
pub type hsa_ven_amd_loader_loaded_code_object_info_e = ::core::ffi::c_uint;
pub use self::hsa_ven_amd_loader_loaded_code_object_info_e as hsa_ven_amd_loader_loaded_code_object_info_t;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_ven_amd_loader_1_00_pfn_s {
    pub hsa_ven_amd_loader_query_host_address: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            host_address: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_segment_descriptors: ::core::option::Option<
        unsafe extern "C" fn(
            segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
            num_segment_descriptors: *mut usize,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_executable: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
    >,
}
pub type hsa_ven_amd_loader_1_00_pfn_t = hsa_ven_amd_loader_1_00_pfn_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_ven_amd_loader_1_01_pfn_s {
    pub hsa_ven_amd_loader_query_host_address: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            host_address: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_segment_descriptors: ::core::option::Option<
        unsafe extern "C" fn(
            segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
            num_segment_descriptors: *mut usize,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_executable: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_executable_iterate_loaded_code_objects: ::core::option::Option<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    executable: hsa_executable_t,
                    loaded_code_object: hsa_loaded_code_object_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_loaded_code_object_get_info: ::core::option::Option<
        unsafe extern "C" fn(
            loaded_code_object: hsa_loaded_code_object_t,
            attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
}
pub type hsa_ven_amd_loader_1_01_pfn_t = hsa_ven_amd_loader_1_01_pfn_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_ven_amd_loader_1_02_pfn_s {
    pub hsa_ven_amd_loader_query_host_address: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            host_address: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_segment_descriptors: ::core::option::Option<
        unsafe extern "C" fn(
            segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
            num_segment_descriptors: *mut usize,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_executable: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_executable_iterate_loaded_code_objects: ::core::option::Option<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    executable: hsa_executable_t,
                    loaded_code_object: hsa_loaded_code_object_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_loaded_code_object_get_info: ::core::option::Option<
        unsafe extern "C" fn(
            loaded_code_object: hsa_loaded_code_object_t,
            attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: ::core::option::Option<
        unsafe extern "C" fn(
            file: hsa_file_t,
            offset: usize,
            size: usize,
            code_object_reader: *mut hsa_code_object_reader_t,
        ) -> hsa_status_t,
    >,
}
pub type hsa_ven_amd_loader_1_02_pfn_t = hsa_ven_amd_loader_1_02_pfn_s;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct hsa_ven_amd_loader_1_03_pfn_s {
    pub hsa_ven_amd_loader_query_host_address: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            host_address: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_segment_descriptors: ::core::option::Option<
        unsafe extern "C" fn(
            segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
            num_segment_descriptors: *mut usize,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_query_executable: ::core::option::Option<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_executable_iterate_loaded_code_objects: ::core::option::Option<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    executable: hsa_executable_t,
                    loaded_code_object: hsa_loaded_code_object_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_loaded_code_object_get_info: ::core::option::Option<
        unsafe extern "C" fn(
            loaded_code_object: hsa_loaded_code_object_t,
            attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: ::core::option::Option<
        unsafe extern "C" fn(
            file: hsa_file_t,
            offset: usize,
            size: usize,
            code_object_reader: *mut hsa_code_object_reader_t,
        ) -> hsa_status_t,
    >,
    pub hsa_ven_amd_loader_iterate_executables: ::core::option::Option<
        unsafe extern "C" fn(
            callback: ::core::option::Option<
                unsafe extern "C" fn(executable: hsa_executable_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
    >,
}
pub type hsa_ven_amd_loader_1_03_pfn_t = hsa_ven_amd_loader_1_03_pfn_s;
pub type amd_queue_properties32_t = u32;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_SHIFT: amd_queue_properties_t = 0;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_WIDTH: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_IS_PTR64_SHIFT: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_IS_PTR64_WIDTH: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_IS_PTR64: amd_queue_properties_t = 2;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_DEBUG_SGPRS_SHIFT: amd_queue_properties_t = 2;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_DEBUG_SGPRS_WIDTH: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_DEBUG_SGPRS: amd_queue_properties_t = 4;
pub const AMD_QUEUE_PROPERTIES_ENABLE_PROFILING_SHIFT: amd_queue_properties_t = 3;
pub const AMD_QUEUE_PROPERTIES_ENABLE_PROFILING_WIDTH: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_ENABLE_PROFILING: amd_queue_properties_t = 8;
pub const AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE_SHIFT: amd_queue_properties_t = 4;
pub const AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE_WIDTH: amd_queue_properties_t = 1;
pub const AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE: amd_queue_properties_t = 16;
pub const AMD_QUEUE_PROPERTIES_RESERVED1_SHIFT: amd_queue_properties_t = 5;
pub const AMD_QUEUE_PROPERTIES_RESERVED1_WIDTH: amd_queue_properties_t = 27;
pub const AMD_QUEUE_PROPERTIES_RESERVED1: amd_queue_properties_t = -32;
pub type amd_queue_properties_t = ::core::ffi::c_int;
#[repr(C)]
#[repr(align(64))]
#[derive(Debug, Copy, Clone)]
pub struct amd_queue_s {
    pub hsa_queue: hsa_queue_t,
    pub reserved1: [u32; 4usize],
    pub write_dispatch_id: u64,
    pub group_segment_aperture_base_hi: u32,
    pub private_segment_aperture_base_hi: u32,
    pub max_cu_id: u32,
    pub max_wave_id: u32,
    pub max_legacy_doorbell_dispatch_id_plus_1: u64,
    pub legacy_doorbell_lock: u32,
    pub reserved2: [u32; 9usize],
    pub read_dispatch_id: u64,
    pub read_dispatch_id_field_base_byte_offset: u32,
    pub compute_tmpring_size: u32,
    pub scratch_resource_descriptor: [u32; 4usize],
    pub scratch_backing_memory_location: u64,
    pub scratch_backing_memory_byte_size: u64,
    pub scratch_wave64_lane_byte_size: u32,
    pub queue_properties: amd_queue_properties32_t,
    pub reserved3: [u32; 2usize],
    pub queue_inactive_signal: hsa_signal_t,
    pub reserved4: [u32; 14usize],
}
pub type amd_queue_t = amd_queue_s;
pub type amd_signal_kind64_t = i64;
pub const AMD_SIGNAL_KIND_INVALID: amd_signal_kind_t = 0;
pub const AMD_SIGNAL_KIND_USER: amd_signal_kind_t = 1;
pub const AMD_SIGNAL_KIND_DOORBELL: amd_signal_kind_t = -1;
pub const AMD_SIGNAL_KIND_LEGACY_DOORBELL: amd_signal_kind_t = -2;
pub type amd_signal_kind_t = ::core::ffi::c_int;
#[repr(C)]
#[repr(align(64))]
#[derive(Copy, Clone)]
pub struct amd_signal_s {
    pub kind: amd_signal_kind64_t,
    pub __bindgen_anon_1: amd_signal_s__bindgen_ty_1,
    pub event_mailbox_ptr: u64,
    pub event_id: u32,
    pub reserved1: u32,
    pub start_ts: u64,
    pub end_ts: u64,
    pub __bindgen_anon_2: amd_signal_s__bindgen_ty_2,
    pub reserved3: [u32; 2usize],
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union amd_signal_s__bindgen_ty_1 {
    pub value: i64,
    pub legacy_hardware_doorbell_ptr: *mut u32,
    pub hardware_doorbell_ptr: *mut u64,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union amd_signal_s__bindgen_ty_2 {
    pub queue_ptr: *mut amd_queue_t,
    pub reserved2: u64,
}
pub type amd_signal_t = amd_signal_s;
pub struct Hsa {
    __library: ::libloading::Library,
    pub hsa_status_string: Result<
        unsafe extern "C" fn(status: hsa_status_t, status_string: *mut *const ::core::ffi::c_char) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_init: Result<unsafe extern "C" fn() -> hsa_status_t, ::libloading::Error>,
    pub hsa_shut_down: Result<unsafe extern "C" fn() -> hsa_status_t, ::libloading::Error>,
    pub hsa_system_get_info: Result<
        unsafe extern "C" fn(attribute: hsa_system_info_t, value: *mut ::core::ffi::c_void) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_extension_get_name: Result<
        unsafe extern "C" fn(extension: u16, name: *mut *const ::core::ffi::c_char) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_system_extension_supported: Result<
        unsafe extern "C" fn(extension: u16, version_major: u16, version_minor: u16, result: *mut bool) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_system_major_extension_supported: Result<
        unsafe extern "C" fn(
            extension: u16,
            version_major: u16,
            version_minor: *mut u16,
            result: *mut bool,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_system_get_extension_table: Result<
        unsafe extern "C" fn(
            extension: u16,
            version_major: u16,
            version_minor: u16,
            table: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_system_get_major_extension_table: Result<
        unsafe extern "C" fn(
            extension: u16,
            version_major: u16,
            table_length: usize,
            table: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_get_info: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            attribute: hsa_agent_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_iterate_agents: Result<
        unsafe extern "C" fn(
            callback: ::core::option::Option<
                unsafe extern "C" fn(agent: hsa_agent_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_get_exception_policies: Result<
        unsafe extern "C" fn(agent: hsa_agent_t, profile: hsa_profile_t, mask: *mut u16) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_cache_get_info: Result<
        unsafe extern "C" fn(
            cache: hsa_cache_t,
            attribute: hsa_cache_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_iterate_caches: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(cache: hsa_cache_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_extension_supported: Result<
        unsafe extern "C" fn(
            extension: u16,
            agent: hsa_agent_t,
            version_major: u16,
            version_minor: u16,
            result: *mut bool,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_major_extension_supported: Result<
        unsafe extern "C" fn(
            extension: u16,
            agent: hsa_agent_t,
            version_major: u16,
            version_minor: *mut u16,
            result: *mut bool,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_signal_create: Result<
        unsafe extern "C" fn(
            initial_value: hsa_signal_value_t,
            num_consumers: u32,
            consumers: *const hsa_agent_t,
            signal: *mut hsa_signal_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_signal_destroy: Result<unsafe extern "C" fn(signal: hsa_signal_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_signal_load_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t) -> hsa_signal_value_t, ::libloading::Error>,
    pub hsa_signal_load_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t) -> hsa_signal_value_t, ::libloading::Error>,
    pub hsa_signal_load_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t) -> hsa_signal_value_t, ::libloading::Error>,
    pub hsa_signal_store_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_store_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_store_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_silent_store_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_silent_store_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_exchange_scacq_screl: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_acq_rel: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_scacquire: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_acquire: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_relaxed: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_screlease: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_exchange_release: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_scacq_screl: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_acq_rel: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_scacquire: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_acquire: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_relaxed: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_screlease: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_cas_release: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            expected: hsa_signal_value_t,
            value: hsa_signal_value_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_add_scacq_screl:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_acq_rel:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_add_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_scacq_screl:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_acq_rel:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_subtract_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_scacq_screl:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_acq_rel:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_and_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_scacq_screl:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_acq_rel:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_or_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_scacq_screl:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_acq_rel:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_scacquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_acquire:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_relaxed:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_screlease:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_xor_release:
        Result<unsafe extern "C" fn(signal: hsa_signal_t, value: hsa_signal_value_t), ::libloading::Error>,
    pub hsa_signal_wait_scacquire: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            condition: hsa_signal_condition_t,
            compare_value: hsa_signal_value_t,
            timeout_hint: u64,
            wait_state_hint: hsa_wait_state_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_wait_relaxed: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            condition: hsa_signal_condition_t,
            compare_value: hsa_signal_value_t,
            timeout_hint: u64,
            wait_state_hint: hsa_wait_state_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_wait_acquire: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            condition: hsa_signal_condition_t,
            compare_value: hsa_signal_value_t,
            timeout_hint: u64,
            wait_state_hint: hsa_wait_state_t,
        ) -> hsa_signal_value_t,
        ::libloading::Error,
    >,
    pub hsa_signal_group_create: Result<
        unsafe extern "C" fn(
            num_signals: u32,
            signals: *const hsa_signal_t,
            num_consumers: u32,
            consumers: *const hsa_agent_t,
            signal_group: *mut hsa_signal_group_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_signal_group_destroy:
        Result<unsafe extern "C" fn(signal_group: hsa_signal_group_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_signal_group_wait_any_scacquire: Result<
        unsafe extern "C" fn(
            signal_group: hsa_signal_group_t,
            conditions: *const hsa_signal_condition_t,
            compare_values: *const hsa_signal_value_t,
            wait_state_hint: hsa_wait_state_t,
            signal: *mut hsa_signal_t,
            value: *mut hsa_signal_value_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_signal_group_wait_any_relaxed: Result<
        unsafe extern "C" fn(
            signal_group: hsa_signal_group_t,
            conditions: *const hsa_signal_condition_t,
            compare_values: *const hsa_signal_value_t,
            wait_state_hint: hsa_wait_state_t,
            signal: *mut hsa_signal_t,
            value: *mut hsa_signal_value_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_queue_create: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            size: u32,
            type_: hsa_queue_type32_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(status: hsa_status_t, source: *mut hsa_queue_t, data: *mut ::core::ffi::c_void),
            >,
            data: *mut ::core::ffi::c_void,
            private_segment_size: u32,
            group_segment_size: u32,
            queue: *mut *mut hsa_queue_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_soft_queue_create: Result<
        unsafe extern "C" fn(
            region: hsa_region_t,
            size: u32,
            type_: hsa_queue_type32_t,
            features: u32,
            doorbell_signal: hsa_signal_t,
            queue: *mut *mut hsa_queue_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_queue_destroy: Result<unsafe extern "C" fn(queue: *mut hsa_queue_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_queue_inactivate:
        Result<unsafe extern "C" fn(queue: *mut hsa_queue_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_queue_load_read_index_acquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_load_read_index_scacquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_load_read_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_load_write_index_acquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_load_write_index_scacquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_load_write_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t) -> u64, ::libloading::Error>,
    pub hsa_queue_store_write_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_queue_store_write_index_release:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_queue_store_write_index_screlease:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_queue_cas_write_index_acq_rel:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_scacq_screl:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_acquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_scacquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_release:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_cas_write_index_screlease:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, expected: u64, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_acq_rel:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_scacq_screl:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_acquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_scacquire:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_release:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_add_write_index_screlease:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64) -> u64, ::libloading::Error>,
    pub hsa_queue_store_read_index_relaxed:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_queue_store_read_index_release:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_queue_store_read_index_screlease:
        Result<unsafe extern "C" fn(queue: *const hsa_queue_t, value: u64), ::libloading::Error>,
    pub hsa_region_get_info: Result<
        unsafe extern "C" fn(
            region: hsa_region_t,
            attribute: hsa_region_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_iterate_regions: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(region: hsa_region_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_memory_allocate: Result<
        unsafe extern "C" fn(region: hsa_region_t, size: usize, ptr: *mut *mut ::core::ffi::c_void) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_memory_free:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> hsa_status_t, ::libloading::Error>,
    pub hsa_memory_copy: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            size: usize,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_memory_assign_agent: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            agent: hsa_agent_t,
            access: hsa_access_permission_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_memory_register:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, size: usize) -> hsa_status_t, ::libloading::Error>,
    pub hsa_memory_deregister:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, size: usize) -> hsa_status_t, ::libloading::Error>,
    pub hsa_isa_from_name: Result<
        unsafe extern "C" fn(name: *const ::core::ffi::c_char, isa: *mut hsa_isa_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_agent_iterate_isas: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(isa: hsa_isa_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_get_info: Result<
        unsafe extern "C" fn(
            isa: hsa_isa_t,
            attribute: hsa_isa_info_t,
            index: u32,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_get_info_alt: Result<
        unsafe extern "C" fn(
            isa: hsa_isa_t,
            attribute: hsa_isa_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_get_exception_policies: Result<
        unsafe extern "C" fn(isa: hsa_isa_t, profile: hsa_profile_t, mask: *mut u16) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_get_round_method: Result<
        unsafe extern "C" fn(
            isa: hsa_isa_t,
            fp_type: hsa_fp_type_t,
            flush_mode: hsa_flush_mode_t,
            round_method: *mut hsa_round_method_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_wavefront_get_info: Result<
        unsafe extern "C" fn(
            wavefront: hsa_wavefront_t,
            attribute: hsa_wavefront_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_iterate_wavefronts: Result<
        unsafe extern "C" fn(
            isa: hsa_isa_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(wavefront: hsa_wavefront_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_isa_compatible: Result<
        unsafe extern "C" fn(code_object_isa: hsa_isa_t, agent_isa: hsa_isa_t, result: *mut bool) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_reader_create_from_file: Result<
        unsafe extern "C" fn(file: hsa_file_t, code_object_reader: *mut hsa_code_object_reader_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_reader_create_from_memory: Result<
        unsafe extern "C" fn(
            code_object: *const ::core::ffi::c_void,
            size: usize,
            code_object_reader: *mut hsa_code_object_reader_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_reader_destroy:
        Result<unsafe extern "C" fn(code_object_reader: hsa_code_object_reader_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_executable_create: Result<
        unsafe extern "C" fn(
            profile: hsa_profile_t,
            executable_state: hsa_executable_state_t,
            options: *const ::core::ffi::c_char,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_create_alt: Result<
        unsafe extern "C" fn(
            profile: hsa_profile_t,
            default_float_rounding_mode: hsa_default_float_rounding_mode_t,
            options: *const ::core::ffi::c_char,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_destroy:
        Result<unsafe extern "C" fn(executable: hsa_executable_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_executable_load_program_code_object: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            code_object_reader: hsa_code_object_reader_t,
            options: *const ::core::ffi::c_char,
            loaded_code_object: *mut hsa_loaded_code_object_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_load_agent_code_object: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            agent: hsa_agent_t,
            code_object_reader: hsa_code_object_reader_t,
            options: *const ::core::ffi::c_char,
            loaded_code_object: *mut hsa_loaded_code_object_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_freeze: Result<
        unsafe extern "C" fn(executable: hsa_executable_t, options: *const ::core::ffi::c_char) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_get_info: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            attribute: hsa_executable_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_global_variable_define: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            variable_name: *const ::core::ffi::c_char,
            address: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_agent_global_variable_define: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            agent: hsa_agent_t,
            variable_name: *const ::core::ffi::c_char,
            address: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_readonly_variable_define: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            agent: hsa_agent_t,
            variable_name: *const ::core::ffi::c_char,
            address: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_validate: Result<
        unsafe extern "C" fn(executable: hsa_executable_t, result: *mut u32) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_validate_alt: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            options: *const ::core::ffi::c_char,
            result: *mut u32,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_get_symbol: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            module_name: *const ::core::ffi::c_char,
            symbol_name: *const ::core::ffi::c_char,
            agent: hsa_agent_t,
            call_convention: i32,
            symbol: *mut hsa_executable_symbol_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_get_symbol_by_name: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            symbol_name: *const ::core::ffi::c_char,
            agent: *const hsa_agent_t,
            symbol: *mut hsa_executable_symbol_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_symbol_get_info: Result<
        unsafe extern "C" fn(
            executable_symbol: hsa_executable_symbol_t,
            attribute: hsa_executable_symbol_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_iterate_symbols: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    exec: hsa_executable_t,
                    symbol: hsa_executable_symbol_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_iterate_agent_symbols: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            agent: hsa_agent_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    exec: hsa_executable_t,
                    agent: hsa_agent_t,
                    symbol: hsa_executable_symbol_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_iterate_program_symbols: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    exec: hsa_executable_t,
                    symbol: hsa_executable_symbol_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_serialize: Result<
        unsafe extern "C" fn(
            code_object: hsa_code_object_t,
            alloc_callback: ::core::option::Option<
                unsafe extern "C" fn(
                    size: usize,
                    data: hsa_callback_data_t,
                    address: *mut *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            callback_data: hsa_callback_data_t,
            options: *const ::core::ffi::c_char,
            serialized_code_object: *mut *mut ::core::ffi::c_void,
            serialized_code_object_size: *mut usize,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_deserialize: Result<
        unsafe extern "C" fn(
            serialized_code_object: *mut ::core::ffi::c_void,
            serialized_code_object_size: usize,
            options: *const ::core::ffi::c_char,
            code_object: *mut hsa_code_object_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_destroy:
        Result<unsafe extern "C" fn(code_object: hsa_code_object_t) -> hsa_status_t, ::libloading::Error>,
    pub hsa_code_object_get_info: Result<
        unsafe extern "C" fn(
            code_object: hsa_code_object_t,
            attribute: hsa_code_object_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_executable_load_code_object: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            agent: hsa_agent_t,
            code_object: hsa_code_object_t,
            options: *const ::core::ffi::c_char,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_get_symbol: Result<
        unsafe extern "C" fn(
            code_object: hsa_code_object_t,
            symbol_name: *const ::core::ffi::c_char,
            symbol: *mut hsa_code_symbol_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_get_symbol_from_name: Result<
        unsafe extern "C" fn(
            code_object: hsa_code_object_t,
            module_name: *const ::core::ffi::c_char,
            symbol_name: *const ::core::ffi::c_char,
            symbol: *mut hsa_code_symbol_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_symbol_get_info: Result<
        unsafe extern "C" fn(
            code_symbol: hsa_code_symbol_t,
            attribute: hsa_code_symbol_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_code_object_iterate_symbols: Result<
        unsafe extern "C" fn(
            code_object: hsa_code_object_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    code_object: hsa_code_object_t,
                    symbol: hsa_code_symbol_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_coherency_get_type: Result<
        unsafe extern "C" fn(agent: hsa_agent_t, type_: *mut hsa_amd_coherency_type_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_coherency_set_type: Result<
        unsafe extern "C" fn(agent: hsa_agent_t, type_: hsa_amd_coherency_type_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_profiling_set_profiler_enabled: Result<
        unsafe extern "C" fn(queue: *mut hsa_queue_t, enable: ::core::ffi::c_int) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_profiling_async_copy_enable:
        Result<unsafe extern "C" fn(enable: bool) -> hsa_status_t, ::libloading::Error>,
    pub hsa_amd_profiling_get_dispatch_time: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            signal: hsa_signal_t,
            time: *mut hsa_amd_profiling_dispatch_time_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_profiling_get_async_copy_time: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, time: *mut hsa_amd_profiling_async_copy_time_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_profiling_convert_tick_to_system_domain: Result<
        unsafe extern "C" fn(agent: hsa_agent_t, agent_tick: u64, system_tick: *mut u64) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_signal_create: Result<
        unsafe extern "C" fn(
            initial_value: hsa_signal_value_t,
            num_consumers: u32,
            consumers: *const hsa_agent_t,
            attributes: u64,
            signal: *mut hsa_signal_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_signal_value_pointer: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, value_ptr: *mut *mut hsa_signal_value_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_signal_async_handler: Result<
        unsafe extern "C" fn(
            signal: hsa_signal_t,
            cond: hsa_signal_condition_t,
            value: hsa_signal_value_t,
            handler: hsa_amd_signal_handler,
            arg: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_async_function: Result<
        unsafe extern "C" fn(
            callback: ::core::option::Option<unsafe extern "C" fn(arg: *mut ::core::ffi::c_void)>,
            arg: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_signal_wait_any: Result<
        unsafe extern "C" fn(
            signal_count: u32,
            signals: *mut hsa_signal_t,
            conds: *mut hsa_signal_condition_t,
            values: *mut hsa_signal_value_t,
            timeout_hint: u64,
            wait_hint: hsa_wait_state_t,
            satisfying_value: *mut hsa_signal_value_t,
        ) -> u32,
        ::libloading::Error,
    >,
    pub hsa_amd_queue_cu_set_mask: Result<
        unsafe extern "C" fn(queue: *const hsa_queue_t, num_cu_mask_count: u32, cu_mask: *const u32) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_queue_cu_get_mask: Result<
        unsafe extern "C" fn(queue: *const hsa_queue_t, num_cu_mask_count: u32, cu_mask: *mut u32) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_pool_get_info: Result<
        unsafe extern "C" fn(
            memory_pool: hsa_amd_memory_pool_t,
            attribute: hsa_amd_memory_pool_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_agent_iterate_memory_pools: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    memory_pool: hsa_amd_memory_pool_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_pool_allocate: Result<
        unsafe extern "C" fn(
            memory_pool: hsa_amd_memory_pool_t,
            size: usize,
            flags: u32,
            ptr: *mut *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_pool_free:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> hsa_status_t, ::libloading::Error>,
    pub hsa_amd_memory_async_copy: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            dst_agent: hsa_agent_t,
            src: *const ::core::ffi::c_void,
            src_agent: hsa_agent_t,
            size: usize,
            num_dep_signals: u32,
            dep_signals: *const hsa_signal_t,
            completion_signal: hsa_signal_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_async_copy_rect: Result<
        unsafe extern "C" fn(
            dst: *const hsa_pitched_ptr_t,
            dst_offset: *const hsa_dim3_t,
            src: *const hsa_pitched_ptr_t,
            src_offset: *const hsa_dim3_t,
            range: *const hsa_dim3_t,
            copy_agent: hsa_agent_t,
            dir: hsa_amd_copy_direction_t,
            num_dep_signals: u32,
            dep_signals: *const hsa_signal_t,
            completion_signal: hsa_signal_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_agent_memory_pool_get_info: Result<
        unsafe extern "C" fn(
            agent: hsa_agent_t,
            memory_pool: hsa_amd_memory_pool_t,
            attribute: hsa_amd_agent_memory_pool_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_agents_allow_access: Result<
        unsafe extern "C" fn(
            num_agents: u32,
            agents: *const hsa_agent_t,
            flags: *const u32,
            ptr: *const ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_pool_can_migrate: Result<
        unsafe extern "C" fn(
            src_memory_pool: hsa_amd_memory_pool_t,
            dst_memory_pool: hsa_amd_memory_pool_t,
            result: *mut bool,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_migrate: Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            memory_pool: hsa_amd_memory_pool_t,
            flags: u32,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_lock: Result<
        unsafe extern "C" fn(
            host_ptr: *mut ::core::ffi::c_void,
            size: usize,
            agents: *mut hsa_agent_t,
            num_agent: ::core::ffi::c_int,
            agent_ptr: *mut *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_lock_to_pool: Result<
        unsafe extern "C" fn(
            host_ptr: *mut ::core::ffi::c_void,
            size: usize,
            agents: *mut hsa_agent_t,
            num_agent: ::core::ffi::c_int,
            pool: hsa_amd_memory_pool_t,
            flags: u32,
            agent_ptr: *mut *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_memory_unlock:
        Result<unsafe extern "C" fn(host_ptr: *mut ::core::ffi::c_void) -> hsa_status_t, ::libloading::Error>,
    pub hsa_amd_memory_fill: Result<
        unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, value: u32, count: usize) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_interop_map_buffer: Result<
        unsafe extern "C" fn(
            num_agents: u32,
            agents: *mut hsa_agent_t,
            interop_handle: ::core::ffi::c_int,
            flags: u32,
            size: *mut usize,
            ptr: *mut *mut ::core::ffi::c_void,
            metadata_size: *mut usize,
            metadata: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_interop_unmap_buffer:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> hsa_status_t, ::libloading::Error>,
    pub hsa_amd_pointer_info: Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            info: *mut hsa_amd_pointer_info_t,
            alloc: ::core::option::Option<unsafe extern "C" fn(arg1: usize) -> *mut ::core::ffi::c_void>,
            num_agents_accessible: *mut u32,
            accessible: *mut *mut hsa_agent_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_pointer_info_set_userdata: Result<
        unsafe extern "C" fn(ptr: *const ::core::ffi::c_void, userdata: *mut ::core::ffi::c_void) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_ipc_memory_create: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            len: usize,
            handle: *mut hsa_amd_ipc_memory_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_ipc_memory_attach: Result<
        unsafe extern "C" fn(
            handle: *const hsa_amd_ipc_memory_t,
            len: usize,
            num_agents: u32,
            mapping_agents: *const hsa_agent_t,
            mapped_ptr: *mut *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_ipc_memory_detach:
        Result<unsafe extern "C" fn(mapped_ptr: *mut ::core::ffi::c_void) -> hsa_status_t, ::libloading::Error>,
    pub hsa_amd_ipc_signal_create: Result<
        unsafe extern "C" fn(signal: hsa_signal_t, handle: *mut hsa_amd_ipc_signal_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_ipc_signal_attach: Result<
        unsafe extern "C" fn(handle: *const hsa_amd_ipc_signal_t, signal: *mut hsa_signal_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_register_system_event_handler: Result<
        unsafe extern "C" fn(callback: hsa_amd_system_event_callback_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_queue_set_priority: Result<
        unsafe extern "C" fn(queue: *mut hsa_queue_t, priority: hsa_amd_queue_priority_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_register_deallocation_callback: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            callback: hsa_amd_deallocation_callback_t,
            user_data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_deregister_deallocation_callback: Result<
        unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, callback: hsa_amd_deallocation_callback_t) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_svm_attributes_set: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            attribute_list: *mut hsa_amd_svm_attribute_pair_t,
            attribute_count: usize,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_svm_attributes_get: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            attribute_list: *mut hsa_amd_svm_attribute_pair_t,
            attribute_count: usize,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_amd_svm_prefetch_async: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            agent: hsa_agent_t,
            num_dep_signals: u32,
            dep_signals: *const hsa_signal_t,
            completion_signal: hsa_signal_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_query_host_address: Result<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            host_address: *mut *const ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_query_segment_descriptors: Result<
        unsafe extern "C" fn(
            segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
            num_segment_descriptors: *mut usize,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_query_executable: Result<
        unsafe extern "C" fn(
            device_address: *const ::core::ffi::c_void,
            executable: *mut hsa_executable_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_executable_iterate_loaded_code_objects: Result<
        unsafe extern "C" fn(
            executable: hsa_executable_t,
            callback: ::core::option::Option<
                unsafe extern "C" fn(
                    executable: hsa_executable_t,
                    loaded_code_object: hsa_loaded_code_object_t,
                    data: *mut ::core::ffi::c_void,
                ) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_loaded_code_object_get_info: Result<
        unsafe extern "C" fn(
            loaded_code_object: hsa_loaded_code_object_t,
            attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
            value: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: Result<
        unsafe extern "C" fn(
            file: hsa_file_t,
            offset: usize,
            size: usize,
            code_object_reader: *mut hsa_code_object_reader_t,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
    pub hsa_ven_amd_loader_iterate_executables: Result<
        unsafe extern "C" fn(
            callback: ::core::option::Option<
                unsafe extern "C" fn(executable: hsa_executable_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
            >,
            data: *mut ::core::ffi::c_void,
        ) -> hsa_status_t,
        ::libloading::Error,
    >,
}
impl Hsa {
    pub unsafe fn new<P>(path: P) -> Result<Self, ::libloading::Error>
    where
        P: AsRef<::std::ffi::OsStr>,
    {
        let path = path.as_ref();
        let library = unsafe { ::libloading::Library::new(path) }?;
        unsafe { Self::from_library(library) }
    }
    pub unsafe fn from_library<L>(library: L) -> Result<Self, ::libloading::Error>
    where
        L: Into<::libloading::Library>,
    {
        let __library = library.into();
        let hsa_status_string = unsafe { __library.get(b"hsa_status_string\0") }.map(|sym| *sym);
        let hsa_init = unsafe { __library.get(b"hsa_init\0") }.map(|sym| *sym);
        let hsa_shut_down = unsafe { __library.get(b"hsa_shut_down\0") }.map(|sym| *sym);
        let hsa_system_get_info = unsafe { __library.get(b"hsa_system_get_info\0") }.map(|sym| *sym);
        let hsa_extension_get_name = unsafe { __library.get(b"hsa_extension_get_name\0") }.map(|sym| *sym);
        let hsa_system_extension_supported =
            unsafe { __library.get(b"hsa_system_extension_supported\0") }.map(|sym| *sym);
        let hsa_system_major_extension_supported =
            unsafe { __library.get(b"hsa_system_major_extension_supported\0") }.map(|sym| *sym);
        let hsa_system_get_extension_table =
            unsafe { __library.get(b"hsa_system_get_extension_table\0") }.map(|sym| *sym);
        let hsa_system_get_major_extension_table =
            unsafe { __library.get(b"hsa_system_get_major_extension_table\0") }.map(|sym| *sym);
        let hsa_agent_get_info = unsafe { __library.get(b"hsa_agent_get_info\0") }.map(|sym| *sym);
        let hsa_iterate_agents = unsafe { __library.get(b"hsa_iterate_agents\0") }.map(|sym| *sym);
        let hsa_agent_get_exception_policies =
            unsafe { __library.get(b"hsa_agent_get_exception_policies\0") }.map(|sym| *sym);
        let hsa_cache_get_info = unsafe { __library.get(b"hsa_cache_get_info\0") }.map(|sym| *sym);
        let hsa_agent_iterate_caches = unsafe { __library.get(b"hsa_agent_iterate_caches\0") }.map(|sym| *sym);
        let hsa_agent_extension_supported =
            unsafe { __library.get(b"hsa_agent_extension_supported\0") }.map(|sym| *sym);
        let hsa_agent_major_extension_supported =
            unsafe { __library.get(b"hsa_agent_major_extension_supported\0") }.map(|sym| *sym);
        let hsa_signal_create = unsafe { __library.get(b"hsa_signal_create\0") }.map(|sym| *sym);
        let hsa_signal_destroy = unsafe { __library.get(b"hsa_signal_destroy\0") }.map(|sym| *sym);
        let hsa_signal_load_scacquire = unsafe { __library.get(b"hsa_signal_load_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_load_relaxed = unsafe { __library.get(b"hsa_signal_load_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_load_acquire = unsafe { __library.get(b"hsa_signal_load_acquire\0") }.map(|sym| *sym);
        let hsa_signal_store_relaxed = unsafe { __library.get(b"hsa_signal_store_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_store_screlease = unsafe { __library.get(b"hsa_signal_store_screlease\0") }.map(|sym| *sym);
        let hsa_signal_store_release = unsafe { __library.get(b"hsa_signal_store_release\0") }.map(|sym| *sym);
        let hsa_signal_silent_store_relaxed =
            unsafe { __library.get(b"hsa_signal_silent_store_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_silent_store_screlease =
            unsafe { __library.get(b"hsa_signal_silent_store_screlease\0") }.map(|sym| *sym);
        let hsa_signal_exchange_scacq_screl =
            unsafe { __library.get(b"hsa_signal_exchange_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_exchange_acq_rel = unsafe { __library.get(b"hsa_signal_exchange_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_exchange_scacquire =
            unsafe { __library.get(b"hsa_signal_exchange_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_exchange_acquire = unsafe { __library.get(b"hsa_signal_exchange_acquire\0") }.map(|sym| *sym);
        let hsa_signal_exchange_relaxed = unsafe { __library.get(b"hsa_signal_exchange_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_exchange_screlease =
            unsafe { __library.get(b"hsa_signal_exchange_screlease\0") }.map(|sym| *sym);
        let hsa_signal_exchange_release = unsafe { __library.get(b"hsa_signal_exchange_release\0") }.map(|sym| *sym);
        let hsa_signal_cas_scacq_screl = unsafe { __library.get(b"hsa_signal_cas_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_cas_acq_rel = unsafe { __library.get(b"hsa_signal_cas_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_cas_scacquire = unsafe { __library.get(b"hsa_signal_cas_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_cas_acquire = unsafe { __library.get(b"hsa_signal_cas_acquire\0") }.map(|sym| *sym);
        let hsa_signal_cas_relaxed = unsafe { __library.get(b"hsa_signal_cas_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_cas_screlease = unsafe { __library.get(b"hsa_signal_cas_screlease\0") }.map(|sym| *sym);
        let hsa_signal_cas_release = unsafe { __library.get(b"hsa_signal_cas_release\0") }.map(|sym| *sym);
        let hsa_signal_add_scacq_screl = unsafe { __library.get(b"hsa_signal_add_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_add_acq_rel = unsafe { __library.get(b"hsa_signal_add_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_add_scacquire = unsafe { __library.get(b"hsa_signal_add_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_add_acquire = unsafe { __library.get(b"hsa_signal_add_acquire\0") }.map(|sym| *sym);
        let hsa_signal_add_relaxed = unsafe { __library.get(b"hsa_signal_add_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_add_screlease = unsafe { __library.get(b"hsa_signal_add_screlease\0") }.map(|sym| *sym);
        let hsa_signal_add_release = unsafe { __library.get(b"hsa_signal_add_release\0") }.map(|sym| *sym);
        let hsa_signal_subtract_scacq_screl =
            unsafe { __library.get(b"hsa_signal_subtract_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_subtract_acq_rel = unsafe { __library.get(b"hsa_signal_subtract_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_subtract_scacquire =
            unsafe { __library.get(b"hsa_signal_subtract_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_subtract_acquire = unsafe { __library.get(b"hsa_signal_subtract_acquire\0") }.map(|sym| *sym);
        let hsa_signal_subtract_relaxed = unsafe { __library.get(b"hsa_signal_subtract_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_subtract_screlease =
            unsafe { __library.get(b"hsa_signal_subtract_screlease\0") }.map(|sym| *sym);
        let hsa_signal_subtract_release = unsafe { __library.get(b"hsa_signal_subtract_release\0") }.map(|sym| *sym);
        let hsa_signal_and_scacq_screl = unsafe { __library.get(b"hsa_signal_and_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_and_acq_rel = unsafe { __library.get(b"hsa_signal_and_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_and_scacquire = unsafe { __library.get(b"hsa_signal_and_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_and_acquire = unsafe { __library.get(b"hsa_signal_and_acquire\0") }.map(|sym| *sym);
        let hsa_signal_and_relaxed = unsafe { __library.get(b"hsa_signal_and_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_and_screlease = unsafe { __library.get(b"hsa_signal_and_screlease\0") }.map(|sym| *sym);
        let hsa_signal_and_release = unsafe { __library.get(b"hsa_signal_and_release\0") }.map(|sym| *sym);
        let hsa_signal_or_scacq_screl = unsafe { __library.get(b"hsa_signal_or_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_or_acq_rel = unsafe { __library.get(b"hsa_signal_or_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_or_scacquire = unsafe { __library.get(b"hsa_signal_or_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_or_acquire = unsafe { __library.get(b"hsa_signal_or_acquire\0") }.map(|sym| *sym);
        let hsa_signal_or_relaxed = unsafe { __library.get(b"hsa_signal_or_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_or_screlease = unsafe { __library.get(b"hsa_signal_or_screlease\0") }.map(|sym| *sym);
        let hsa_signal_or_release = unsafe { __library.get(b"hsa_signal_or_release\0") }.map(|sym| *sym);
        let hsa_signal_xor_scacq_screl = unsafe { __library.get(b"hsa_signal_xor_scacq_screl\0") }.map(|sym| *sym);
        let hsa_signal_xor_acq_rel = unsafe { __library.get(b"hsa_signal_xor_acq_rel\0") }.map(|sym| *sym);
        let hsa_signal_xor_scacquire = unsafe { __library.get(b"hsa_signal_xor_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_xor_acquire = unsafe { __library.get(b"hsa_signal_xor_acquire\0") }.map(|sym| *sym);
        let hsa_signal_xor_relaxed = unsafe { __library.get(b"hsa_signal_xor_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_xor_screlease = unsafe { __library.get(b"hsa_signal_xor_screlease\0") }.map(|sym| *sym);
        let hsa_signal_xor_release = unsafe { __library.get(b"hsa_signal_xor_release\0") }.map(|sym| *sym);
        let hsa_signal_wait_scacquire = unsafe { __library.get(b"hsa_signal_wait_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_wait_relaxed = unsafe { __library.get(b"hsa_signal_wait_relaxed\0") }.map(|sym| *sym);
        let hsa_signal_wait_acquire = unsafe { __library.get(b"hsa_signal_wait_acquire\0") }.map(|sym| *sym);
        let hsa_signal_group_create = unsafe { __library.get(b"hsa_signal_group_create\0") }.map(|sym| *sym);
        let hsa_signal_group_destroy = unsafe { __library.get(b"hsa_signal_group_destroy\0") }.map(|sym| *sym);
        let hsa_signal_group_wait_any_scacquire =
            unsafe { __library.get(b"hsa_signal_group_wait_any_scacquire\0") }.map(|sym| *sym);
        let hsa_signal_group_wait_any_relaxed =
            unsafe { __library.get(b"hsa_signal_group_wait_any_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_create = unsafe { __library.get(b"hsa_queue_create\0") }.map(|sym| *sym);
        let hsa_soft_queue_create = unsafe { __library.get(b"hsa_soft_queue_create\0") }.map(|sym| *sym);
        let hsa_queue_destroy = unsafe { __library.get(b"hsa_queue_destroy\0") }.map(|sym| *sym);
        let hsa_queue_inactivate = unsafe { __library.get(b"hsa_queue_inactivate\0") }.map(|sym| *sym);
        let hsa_queue_load_read_index_acquire =
            unsafe { __library.get(b"hsa_queue_load_read_index_acquire\0") }.map(|sym| *sym);
        let hsa_queue_load_read_index_scacquire =
            unsafe { __library.get(b"hsa_queue_load_read_index_scacquire\0") }.map(|sym| *sym);
        let hsa_queue_load_read_index_relaxed =
            unsafe { __library.get(b"hsa_queue_load_read_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_load_write_index_acquire =
            unsafe { __library.get(b"hsa_queue_load_write_index_acquire\0") }.map(|sym| *sym);
        let hsa_queue_load_write_index_scacquire =
            unsafe { __library.get(b"hsa_queue_load_write_index_scacquire\0") }.map(|sym| *sym);
        let hsa_queue_load_write_index_relaxed =
            unsafe { __library.get(b"hsa_queue_load_write_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_store_write_index_relaxed =
            unsafe { __library.get(b"hsa_queue_store_write_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_store_write_index_release =
            unsafe { __library.get(b"hsa_queue_store_write_index_release\0") }.map(|sym| *sym);
        let hsa_queue_store_write_index_screlease =
            unsafe { __library.get(b"hsa_queue_store_write_index_screlease\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_acq_rel =
            unsafe { __library.get(b"hsa_queue_cas_write_index_acq_rel\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_scacq_screl =
            unsafe { __library.get(b"hsa_queue_cas_write_index_scacq_screl\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_acquire =
            unsafe { __library.get(b"hsa_queue_cas_write_index_acquire\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_scacquire =
            unsafe { __library.get(b"hsa_queue_cas_write_index_scacquire\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_relaxed =
            unsafe { __library.get(b"hsa_queue_cas_write_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_release =
            unsafe { __library.get(b"hsa_queue_cas_write_index_release\0") }.map(|sym| *sym);
        let hsa_queue_cas_write_index_screlease =
            unsafe { __library.get(b"hsa_queue_cas_write_index_screlease\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_acq_rel =
            unsafe { __library.get(b"hsa_queue_add_write_index_acq_rel\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_scacq_screl =
            unsafe { __library.get(b"hsa_queue_add_write_index_scacq_screl\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_acquire =
            unsafe { __library.get(b"hsa_queue_add_write_index_acquire\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_scacquire =
            unsafe { __library.get(b"hsa_queue_add_write_index_scacquire\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_relaxed =
            unsafe { __library.get(b"hsa_queue_add_write_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_release =
            unsafe { __library.get(b"hsa_queue_add_write_index_release\0") }.map(|sym| *sym);
        let hsa_queue_add_write_index_screlease =
            unsafe { __library.get(b"hsa_queue_add_write_index_screlease\0") }.map(|sym| *sym);
        let hsa_queue_store_read_index_relaxed =
            unsafe { __library.get(b"hsa_queue_store_read_index_relaxed\0") }.map(|sym| *sym);
        let hsa_queue_store_read_index_release =
            unsafe { __library.get(b"hsa_queue_store_read_index_release\0") }.map(|sym| *sym);
        let hsa_queue_store_read_index_screlease =
            unsafe { __library.get(b"hsa_queue_store_read_index_screlease\0") }.map(|sym| *sym);
        let hsa_region_get_info = unsafe { __library.get(b"hsa_region_get_info\0") }.map(|sym| *sym);
        let hsa_agent_iterate_regions = unsafe { __library.get(b"hsa_agent_iterate_regions\0") }.map(|sym| *sym);
        let hsa_memory_allocate = unsafe { __library.get(b"hsa_memory_allocate\0") }.map(|sym| *sym);
        let hsa_memory_free = unsafe { __library.get(b"hsa_memory_free\0") }.map(|sym| *sym);
        let hsa_memory_copy = unsafe { __library.get(b"hsa_memory_copy\0") }.map(|sym| *sym);
        let hsa_memory_assign_agent = unsafe { __library.get(b"hsa_memory_assign_agent\0") }.map(|sym| *sym);
        let hsa_memory_register = unsafe { __library.get(b"hsa_memory_register\0") }.map(|sym| *sym);
        let hsa_memory_deregister = unsafe { __library.get(b"hsa_memory_deregister\0") }.map(|sym| *sym);
        let hsa_isa_from_name = unsafe { __library.get(b"hsa_isa_from_name\0") }.map(|sym| *sym);
        let hsa_agent_iterate_isas = unsafe { __library.get(b"hsa_agent_iterate_isas\0") }.map(|sym| *sym);
        let hsa_isa_get_info = unsafe { __library.get(b"hsa_isa_get_info\0") }.map(|sym| *sym);
        let hsa_isa_get_info_alt = unsafe { __library.get(b"hsa_isa_get_info_alt\0") }.map(|sym| *sym);
        let hsa_isa_get_exception_policies =
            unsafe { __library.get(b"hsa_isa_get_exception_policies\0") }.map(|sym| *sym);
        let hsa_isa_get_round_method = unsafe { __library.get(b"hsa_isa_get_round_method\0") }.map(|sym| *sym);
        let hsa_wavefront_get_info = unsafe { __library.get(b"hsa_wavefront_get_info\0") }.map(|sym| *sym);
        let hsa_isa_iterate_wavefronts = unsafe { __library.get(b"hsa_isa_iterate_wavefronts\0") }.map(|sym| *sym);
        let hsa_isa_compatible = unsafe { __library.get(b"hsa_isa_compatible\0") }.map(|sym| *sym);
        let hsa_code_object_reader_create_from_file =
            unsafe { __library.get(b"hsa_code_object_reader_create_from_file\0") }.map(|sym| *sym);
        let hsa_code_object_reader_create_from_memory =
            unsafe { __library.get(b"hsa_code_object_reader_create_from_memory\0") }.map(|sym| *sym);
        let hsa_code_object_reader_destroy =
            unsafe { __library.get(b"hsa_code_object_reader_destroy\0") }.map(|sym| *sym);
        let hsa_executable_create = unsafe { __library.get(b"hsa_executable_create\0") }.map(|sym| *sym);
        let hsa_executable_create_alt = unsafe { __library.get(b"hsa_executable_create_alt\0") }.map(|sym| *sym);
        let hsa_executable_destroy = unsafe { __library.get(b"hsa_executable_destroy\0") }.map(|sym| *sym);
        let hsa_executable_load_program_code_object =
            unsafe { __library.get(b"hsa_executable_load_program_code_object\0") }.map(|sym| *sym);
        let hsa_executable_load_agent_code_object =
            unsafe { __library.get(b"hsa_executable_load_agent_code_object\0") }.map(|sym| *sym);
        let hsa_executable_freeze = unsafe { __library.get(b"hsa_executable_freeze\0") }.map(|sym| *sym);
        let hsa_executable_get_info = unsafe { __library.get(b"hsa_executable_get_info\0") }.map(|sym| *sym);
        let hsa_executable_global_variable_define =
            unsafe { __library.get(b"hsa_executable_global_variable_define\0") }.map(|sym| *sym);
        let hsa_executable_agent_global_variable_define =
            unsafe { __library.get(b"hsa_executable_agent_global_variable_define\0") }.map(|sym| *sym);
        let hsa_executable_readonly_variable_define =
            unsafe { __library.get(b"hsa_executable_readonly_variable_define\0") }.map(|sym| *sym);
        let hsa_executable_validate = unsafe { __library.get(b"hsa_executable_validate\0") }.map(|sym| *sym);
        let hsa_executable_validate_alt = unsafe { __library.get(b"hsa_executable_validate_alt\0") }.map(|sym| *sym);
        let hsa_executable_get_symbol = unsafe { __library.get(b"hsa_executable_get_symbol\0") }.map(|sym| *sym);
        let hsa_executable_get_symbol_by_name =
            unsafe { __library.get(b"hsa_executable_get_symbol_by_name\0") }.map(|sym| *sym);
        let hsa_executable_symbol_get_info =
            unsafe { __library.get(b"hsa_executable_symbol_get_info\0") }.map(|sym| *sym);
        let hsa_executable_iterate_symbols =
            unsafe { __library.get(b"hsa_executable_iterate_symbols\0") }.map(|sym| *sym);
        let hsa_executable_iterate_agent_symbols =
            unsafe { __library.get(b"hsa_executable_iterate_agent_symbols\0") }.map(|sym| *sym);
        let hsa_executable_iterate_program_symbols =
            unsafe { __library.get(b"hsa_executable_iterate_program_symbols\0") }.map(|sym| *sym);
        let hsa_code_object_serialize = unsafe { __library.get(b"hsa_code_object_serialize\0") }.map(|sym| *sym);
        let hsa_code_object_deserialize = unsafe { __library.get(b"hsa_code_object_deserialize\0") }.map(|sym| *sym);
        let hsa_code_object_destroy = unsafe { __library.get(b"hsa_code_object_destroy\0") }.map(|sym| *sym);
        let hsa_code_object_get_info = unsafe { __library.get(b"hsa_code_object_get_info\0") }.map(|sym| *sym);
        let hsa_executable_load_code_object =
            unsafe { __library.get(b"hsa_executable_load_code_object\0") }.map(|sym| *sym);
        let hsa_code_object_get_symbol = unsafe { __library.get(b"hsa_code_object_get_symbol\0") }.map(|sym| *sym);
        let hsa_code_object_get_symbol_from_name =
            unsafe { __library.get(b"hsa_code_object_get_symbol_from_name\0") }.map(|sym| *sym);
        let hsa_code_symbol_get_info = unsafe { __library.get(b"hsa_code_symbol_get_info\0") }.map(|sym| *sym);
        let hsa_code_object_iterate_symbols =
            unsafe { __library.get(b"hsa_code_object_iterate_symbols\0") }.map(|sym| *sym);
        let hsa_amd_coherency_get_type = unsafe { __library.get(b"hsa_amd_coherency_get_type\0") }.map(|sym| *sym);
        let hsa_amd_coherency_set_type = unsafe { __library.get(b"hsa_amd_coherency_set_type\0") }.map(|sym| *sym);
        let hsa_amd_profiling_set_profiler_enabled =
            unsafe { __library.get(b"hsa_amd_profiling_set_profiler_enabled\0") }.map(|sym| *sym);
        let hsa_amd_profiling_async_copy_enable =
            unsafe { __library.get(b"hsa_amd_profiling_async_copy_enable\0") }.map(|sym| *sym);
        let hsa_amd_profiling_get_dispatch_time =
            unsafe { __library.get(b"hsa_amd_profiling_get_dispatch_time\0") }.map(|sym| *sym);
        let hsa_amd_profiling_get_async_copy_time =
            unsafe { __library.get(b"hsa_amd_profiling_get_async_copy_time\0") }.map(|sym| *sym);
        let hsa_amd_profiling_convert_tick_to_system_domain =
            unsafe { __library.get(b"hsa_amd_profiling_convert_tick_to_system_domain\0") }.map(|sym| *sym);
        let hsa_amd_signal_create = unsafe { __library.get(b"hsa_amd_signal_create\0") }.map(|sym| *sym);
        let hsa_amd_signal_value_pointer = unsafe { __library.get(b"hsa_amd_signal_value_pointer\0") }.map(|sym| *sym);
        let hsa_amd_signal_async_handler = unsafe { __library.get(b"hsa_amd_signal_async_handler\0") }.map(|sym| *sym);
        let hsa_amd_async_function = unsafe { __library.get(b"hsa_amd_async_function\0") }.map(|sym| *sym);
        let hsa_amd_signal_wait_any = unsafe { __library.get(b"hsa_amd_signal_wait_any\0") }.map(|sym| *sym);
        let hsa_amd_queue_cu_set_mask = unsafe { __library.get(b"hsa_amd_queue_cu_set_mask\0") }.map(|sym| *sym);
        let hsa_amd_queue_cu_get_mask = unsafe { __library.get(b"hsa_amd_queue_cu_get_mask\0") }.map(|sym| *sym);
        let hsa_amd_memory_pool_get_info = unsafe { __library.get(b"hsa_amd_memory_pool_get_info\0") }.map(|sym| *sym);
        let hsa_amd_agent_iterate_memory_pools =
            unsafe { __library.get(b"hsa_amd_agent_iterate_memory_pools\0") }.map(|sym| *sym);
        let hsa_amd_memory_pool_allocate = unsafe { __library.get(b"hsa_amd_memory_pool_allocate\0") }.map(|sym| *sym);
        let hsa_amd_memory_pool_free = unsafe { __library.get(b"hsa_amd_memory_pool_free\0") }.map(|sym| *sym);
        let hsa_amd_memory_async_copy = unsafe { __library.get(b"hsa_amd_memory_async_copy\0") }.map(|sym| *sym);
        let hsa_amd_memory_async_copy_rect =
            unsafe { __library.get(b"hsa_amd_memory_async_copy_rect\0") }.map(|sym| *sym);
        let hsa_amd_agent_memory_pool_get_info =
            unsafe { __library.get(b"hsa_amd_agent_memory_pool_get_info\0") }.map(|sym| *sym);
        let hsa_amd_agents_allow_access = unsafe { __library.get(b"hsa_amd_agents_allow_access\0") }.map(|sym| *sym);
        let hsa_amd_memory_pool_can_migrate =
            unsafe { __library.get(b"hsa_amd_memory_pool_can_migrate\0") }.map(|sym| *sym);
        let hsa_amd_memory_migrate = unsafe { __library.get(b"hsa_amd_memory_migrate\0") }.map(|sym| *sym);
        let hsa_amd_memory_lock = unsafe { __library.get(b"hsa_amd_memory_lock\0") }.map(|sym| *sym);
        let hsa_amd_memory_lock_to_pool = unsafe { __library.get(b"hsa_amd_memory_lock_to_pool\0") }.map(|sym| *sym);
        let hsa_amd_memory_unlock = unsafe { __library.get(b"hsa_amd_memory_unlock\0") }.map(|sym| *sym);
        let hsa_amd_memory_fill = unsafe { __library.get(b"hsa_amd_memory_fill\0") }.map(|sym| *sym);
        let hsa_amd_interop_map_buffer = unsafe { __library.get(b"hsa_amd_interop_map_buffer\0") }.map(|sym| *sym);
        let hsa_amd_interop_unmap_buffer = unsafe { __library.get(b"hsa_amd_interop_unmap_buffer\0") }.map(|sym| *sym);
        let hsa_amd_pointer_info = unsafe { __library.get(b"hsa_amd_pointer_info\0") }.map(|sym| *sym);
        let hsa_amd_pointer_info_set_userdata =
            unsafe { __library.get(b"hsa_amd_pointer_info_set_userdata\0") }.map(|sym| *sym);
        let hsa_amd_ipc_memory_create = unsafe { __library.get(b"hsa_amd_ipc_memory_create\0") }.map(|sym| *sym);
        let hsa_amd_ipc_memory_attach = unsafe { __library.get(b"hsa_amd_ipc_memory_attach\0") }.map(|sym| *sym);
        let hsa_amd_ipc_memory_detach = unsafe { __library.get(b"hsa_amd_ipc_memory_detach\0") }.map(|sym| *sym);
        let hsa_amd_ipc_signal_create = unsafe { __library.get(b"hsa_amd_ipc_signal_create\0") }.map(|sym| *sym);
        let hsa_amd_ipc_signal_attach = unsafe { __library.get(b"hsa_amd_ipc_signal_attach\0") }.map(|sym| *sym);
        let hsa_amd_register_system_event_handler =
            unsafe { __library.get(b"hsa_amd_register_system_event_handler\0") }.map(|sym| *sym);
        let hsa_amd_queue_set_priority = unsafe { __library.get(b"hsa_amd_queue_set_priority\0") }.map(|sym| *sym);
        let hsa_amd_register_deallocation_callback =
            unsafe { __library.get(b"hsa_amd_register_deallocation_callback\0") }.map(|sym| *sym);
        let hsa_amd_deregister_deallocation_callback =
            unsafe { __library.get(b"hsa_amd_deregister_deallocation_callback\0") }.map(|sym| *sym);
        let hsa_amd_svm_attributes_set = unsafe { __library.get(b"hsa_amd_svm_attributes_set\0") }.map(|sym| *sym);
        let hsa_amd_svm_attributes_get = unsafe { __library.get(b"hsa_amd_svm_attributes_get\0") }.map(|sym| *sym);
        let hsa_amd_svm_prefetch_async = unsafe { __library.get(b"hsa_amd_svm_prefetch_async\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_query_host_address =
            unsafe { __library.get(b"hsa_ven_amd_loader_query_host_address\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_query_segment_descriptors =
            unsafe { __library.get(b"hsa_ven_amd_loader_query_segment_descriptors\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_query_executable =
            unsafe { __library.get(b"hsa_ven_amd_loader_query_executable\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_executable_iterate_loaded_code_objects =
            unsafe { __library.get(b"hsa_ven_amd_loader_executable_iterate_loaded_code_objects\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_loaded_code_object_get_info =
            unsafe { __library.get(b"hsa_ven_amd_loader_loaded_code_object_get_info\0") }.map(|sym| *sym);
        let hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size =
            unsafe { __library.get(b"hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size\0") }
                .map(|sym| *sym);
        let hsa_ven_amd_loader_iterate_executables =
            unsafe { __library.get(b"hsa_ven_amd_loader_iterate_executables\0") }.map(|sym| *sym);
        Ok(Hsa {
            __library,
            hsa_status_string,
            hsa_init,
            hsa_shut_down,
            hsa_system_get_info,
            hsa_extension_get_name,
            hsa_system_extension_supported,
            hsa_system_major_extension_supported,
            hsa_system_get_extension_table,
            hsa_system_get_major_extension_table,
            hsa_agent_get_info,
            hsa_iterate_agents,
            hsa_agent_get_exception_policies,
            hsa_cache_get_info,
            hsa_agent_iterate_caches,
            hsa_agent_extension_supported,
            hsa_agent_major_extension_supported,
            hsa_signal_create,
            hsa_signal_destroy,
            hsa_signal_load_scacquire,
            hsa_signal_load_relaxed,
            hsa_signal_load_acquire,
            hsa_signal_store_relaxed,
            hsa_signal_store_screlease,
            hsa_signal_store_release,
            hsa_signal_silent_store_relaxed,
            hsa_signal_silent_store_screlease,
            hsa_signal_exchange_scacq_screl,
            hsa_signal_exchange_acq_rel,
            hsa_signal_exchange_scacquire,
            hsa_signal_exchange_acquire,
            hsa_signal_exchange_relaxed,
            hsa_signal_exchange_screlease,
            hsa_signal_exchange_release,
            hsa_signal_cas_scacq_screl,
            hsa_signal_cas_acq_rel,
            hsa_signal_cas_scacquire,
            hsa_signal_cas_acquire,
            hsa_signal_cas_relaxed,
            hsa_signal_cas_screlease,
            hsa_signal_cas_release,
            hsa_signal_add_scacq_screl,
            hsa_signal_add_acq_rel,
            hsa_signal_add_scacquire,
            hsa_signal_add_acquire,
            hsa_signal_add_relaxed,
            hsa_signal_add_screlease,
            hsa_signal_add_release,
            hsa_signal_subtract_scacq_screl,
            hsa_signal_subtract_acq_rel,
            hsa_signal_subtract_scacquire,
            hsa_signal_subtract_acquire,
            hsa_signal_subtract_relaxed,
            hsa_signal_subtract_screlease,
            hsa_signal_subtract_release,
            hsa_signal_and_scacq_screl,
            hsa_signal_and_acq_rel,
            hsa_signal_and_scacquire,
            hsa_signal_and_acquire,
            hsa_signal_and_relaxed,
            hsa_signal_and_screlease,
            hsa_signal_and_release,
            hsa_signal_or_scacq_screl,
            hsa_signal_or_acq_rel,
            hsa_signal_or_scacquire,
            hsa_signal_or_acquire,
            hsa_signal_or_relaxed,
            hsa_signal_or_screlease,
            hsa_signal_or_release,
            hsa_signal_xor_scacq_screl,
            hsa_signal_xor_acq_rel,
            hsa_signal_xor_scacquire,
            hsa_signal_xor_acquire,
            hsa_signal_xor_relaxed,
            hsa_signal_xor_screlease,
            hsa_signal_xor_release,
            hsa_signal_wait_scacquire,
            hsa_signal_wait_relaxed,
            hsa_signal_wait_acquire,
            hsa_signal_group_create,
            hsa_signal_group_destroy,
            hsa_signal_group_wait_any_scacquire,
            hsa_signal_group_wait_any_relaxed,
            hsa_queue_create,
            hsa_soft_queue_create,
            hsa_queue_destroy,
            hsa_queue_inactivate,
            hsa_queue_load_read_index_acquire,
            hsa_queue_load_read_index_scacquire,
            hsa_queue_load_read_index_relaxed,
            hsa_queue_load_write_index_acquire,
            hsa_queue_load_write_index_scacquire,
            hsa_queue_load_write_index_relaxed,
            hsa_queue_store_write_index_relaxed,
            hsa_queue_store_write_index_release,
            hsa_queue_store_write_index_screlease,
            hsa_queue_cas_write_index_acq_rel,
            hsa_queue_cas_write_index_scacq_screl,
            hsa_queue_cas_write_index_acquire,
            hsa_queue_cas_write_index_scacquire,
            hsa_queue_cas_write_index_relaxed,
            hsa_queue_cas_write_index_release,
            hsa_queue_cas_write_index_screlease,
            hsa_queue_add_write_index_acq_rel,
            hsa_queue_add_write_index_scacq_screl,
            hsa_queue_add_write_index_acquire,
            hsa_queue_add_write_index_scacquire,
            hsa_queue_add_write_index_relaxed,
            hsa_queue_add_write_index_release,
            hsa_queue_add_write_index_screlease,
            hsa_queue_store_read_index_relaxed,
            hsa_queue_store_read_index_release,
            hsa_queue_store_read_index_screlease,
            hsa_region_get_info,
            hsa_agent_iterate_regions,
            hsa_memory_allocate,
            hsa_memory_free,
            hsa_memory_copy,
            hsa_memory_assign_agent,
            hsa_memory_register,
            hsa_memory_deregister,
            hsa_isa_from_name,
            hsa_agent_iterate_isas,
            hsa_isa_get_info,
            hsa_isa_get_info_alt,
            hsa_isa_get_exception_policies,
            hsa_isa_get_round_method,
            hsa_wavefront_get_info,
            hsa_isa_iterate_wavefronts,
            hsa_isa_compatible,
            hsa_code_object_reader_create_from_file,
            hsa_code_object_reader_create_from_memory,
            hsa_code_object_reader_destroy,
            hsa_executable_create,
            hsa_executable_create_alt,
            hsa_executable_destroy,
            hsa_executable_load_program_code_object,
            hsa_executable_load_agent_code_object,
            hsa_executable_freeze,
            hsa_executable_get_info,
            hsa_executable_global_variable_define,
            hsa_executable_agent_global_variable_define,
            hsa_executable_readonly_variable_define,
            hsa_executable_validate,
            hsa_executable_validate_alt,
            hsa_executable_get_symbol,
            hsa_executable_get_symbol_by_name,
            hsa_executable_symbol_get_info,
            hsa_executable_iterate_symbols,
            hsa_executable_iterate_agent_symbols,
            hsa_executable_iterate_program_symbols,
            hsa_code_object_serialize,
            hsa_code_object_deserialize,
            hsa_code_object_destroy,
            hsa_code_object_get_info,
            hsa_executable_load_code_object,
            hsa_code_object_get_symbol,
            hsa_code_object_get_symbol_from_name,
            hsa_code_symbol_get_info,
            hsa_code_object_iterate_symbols,
            hsa_amd_coherency_get_type,
            hsa_amd_coherency_set_type,
            hsa_amd_profiling_set_profiler_enabled,
            hsa_amd_profiling_async_copy_enable,
            hsa_amd_profiling_get_dispatch_time,
            hsa_amd_profiling_get_async_copy_time,
            hsa_amd_profiling_convert_tick_to_system_domain,
            hsa_amd_signal_create,
            hsa_amd_signal_value_pointer,
            hsa_amd_signal_async_handler,
            hsa_amd_async_function,
            hsa_amd_signal_wait_any,
            hsa_amd_queue_cu_set_mask,
            hsa_amd_queue_cu_get_mask,
            hsa_amd_memory_pool_get_info,
            hsa_amd_agent_iterate_memory_pools,
            hsa_amd_memory_pool_allocate,
            hsa_amd_memory_pool_free,
            hsa_amd_memory_async_copy,
            hsa_amd_memory_async_copy_rect,
            hsa_amd_agent_memory_pool_get_info,
            hsa_amd_agents_allow_access,
            hsa_amd_memory_pool_can_migrate,
            hsa_amd_memory_migrate,
            hsa_amd_memory_lock,
            hsa_amd_memory_lock_to_pool,
            hsa_amd_memory_unlock,
            hsa_amd_memory_fill,
            hsa_amd_interop_map_buffer,
            hsa_amd_interop_unmap_buffer,
            hsa_amd_pointer_info,
            hsa_amd_pointer_info_set_userdata,
            hsa_amd_ipc_memory_create,
            hsa_amd_ipc_memory_attach,
            hsa_amd_ipc_memory_detach,
            hsa_amd_ipc_signal_create,
            hsa_amd_ipc_signal_attach,
            hsa_amd_register_system_event_handler,
            hsa_amd_queue_set_priority,
            hsa_amd_register_deallocation_callback,
            hsa_amd_deregister_deallocation_callback,
            hsa_amd_svm_attributes_set,
            hsa_amd_svm_attributes_get,
            hsa_amd_svm_prefetch_async,
            hsa_ven_amd_loader_query_host_address,
            hsa_ven_amd_loader_query_segment_descriptors,
            hsa_ven_amd_loader_query_executable,
            hsa_ven_amd_loader_executable_iterate_loaded_code_objects,
            hsa_ven_amd_loader_loaded_code_object_get_info,
            hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size,
            hsa_ven_amd_loader_iterate_executables,
        })
    }
    pub unsafe fn hsa_status_string(
        &self,
        status: hsa_status_t,
        status_string: *mut *const ::core::ffi::c_char,
    ) -> hsa_status_t {
        unsafe { (self.hsa_status_string.as_ref().expect("Expected function, got error."))(status, status_string) }
    }
    pub unsafe fn hsa_init(&self) -> hsa_status_t {
        unsafe { (self.hsa_init.as_ref().expect("Expected function, got error."))() }
    }
    pub unsafe fn hsa_shut_down(&self) -> hsa_status_t {
        unsafe { (self.hsa_shut_down.as_ref().expect("Expected function, got error."))() }
    }
    pub unsafe fn hsa_system_get_info(
        &self,
        attribute: hsa_system_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_system_get_info
                .as_ref()
                .expect("Expected function, got error."))(attribute, value)
        }
    }
    pub unsafe fn hsa_extension_get_name(&self, extension: u16, name: *mut *const ::core::ffi::c_char) -> hsa_status_t {
        unsafe {
            (self
                .hsa_extension_get_name
                .as_ref()
                .expect("Expected function, got error."))(extension, name)
        }
    }
    pub unsafe fn hsa_system_extension_supported(
        &self,
        extension: u16,
        version_major: u16,
        version_minor: u16,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_system_extension_supported
                .as_ref()
                .expect("Expected function, got error."))(extension, version_major, version_minor, result)
        }
    }
    pub unsafe fn hsa_system_major_extension_supported(
        &self,
        extension: u16,
        version_major: u16,
        version_minor: *mut u16,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_system_major_extension_supported
                .as_ref()
                .expect("Expected function, got error."))(extension, version_major, version_minor, result)
        }
    }
    pub unsafe fn hsa_system_get_extension_table(
        &self,
        extension: u16,
        version_major: u16,
        version_minor: u16,
        table: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_system_get_extension_table
                .as_ref()
                .expect("Expected function, got error."))(extension, version_major, version_minor, table)
        }
    }
    pub unsafe fn hsa_system_get_major_extension_table(
        &self,
        extension: u16,
        version_major: u16,
        table_length: usize,
        table: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_system_get_major_extension_table
                .as_ref()
                .expect("Expected function, got error."))(extension, version_major, table_length, table)
        }
    }
    pub unsafe fn hsa_agent_get_info(
        &self,
        agent: hsa_agent_t,
        attribute: hsa_agent_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe { (self.hsa_agent_get_info.as_ref().expect("Expected function, got error."))(agent, attribute, value) }
    }
    pub unsafe fn hsa_iterate_agents(
        &self,
        callback: ::core::option::Option<
            unsafe extern "C" fn(agent: hsa_agent_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe { (self.hsa_iterate_agents.as_ref().expect("Expected function, got error."))(callback, data) }
    }
    pub unsafe fn hsa_agent_get_exception_policies(
        &self,
        agent: hsa_agent_t,
        profile: hsa_profile_t,
        mask: *mut u16,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_get_exception_policies
                .as_ref()
                .expect("Expected function, got error."))(agent, profile, mask)
        }
    }
    pub unsafe fn hsa_cache_get_info(
        &self,
        cache: hsa_cache_t,
        attribute: hsa_cache_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe { (self.hsa_cache_get_info.as_ref().expect("Expected function, got error."))(cache, attribute, value) }
    }
    pub unsafe fn hsa_agent_iterate_caches(
        &self,
        agent: hsa_agent_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(cache: hsa_cache_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_iterate_caches
                .as_ref()
                .expect("Expected function, got error."))(agent, callback, data)
        }
    }
    pub unsafe fn hsa_agent_extension_supported(
        &self,
        extension: u16,
        agent: hsa_agent_t,
        version_major: u16,
        version_minor: u16,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_extension_supported
                .as_ref()
                .expect("Expected function, got error."))(
                extension, agent, version_major, version_minor, result
            )
        }
    }
    pub unsafe fn hsa_agent_major_extension_supported(
        &self,
        extension: u16,
        agent: hsa_agent_t,
        version_major: u16,
        version_minor: *mut u16,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_major_extension_supported
                .as_ref()
                .expect("Expected function, got error."))(
                extension, agent, version_major, version_minor, result
            )
        }
    }
    pub unsafe fn hsa_signal_create(
        &self,
        initial_value: hsa_signal_value_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        signal: *mut hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self.hsa_signal_create.as_ref().expect("Expected function, got error."))(
                initial_value,
                num_consumers,
                consumers,
                signal,
            )
        }
    }
    pub unsafe fn hsa_signal_destroy(&self, signal: hsa_signal_t) -> hsa_status_t {
        unsafe { (self.hsa_signal_destroy.as_ref().expect("Expected function, got error."))(signal) }
    }
    pub unsafe fn hsa_signal_load_scacquire(&self, signal: hsa_signal_t) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_load_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal)
        }
    }
    pub unsafe fn hsa_signal_load_relaxed(&self, signal: hsa_signal_t) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_load_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal)
        }
    }
    pub unsafe fn hsa_signal_load_acquire(&self, signal: hsa_signal_t) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_load_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal)
        }
    }
    pub unsafe fn hsa_signal_store_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_store_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_store_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_store_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_store_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_store_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_silent_store_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_silent_store_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_silent_store_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_silent_store_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_scacq_screl(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_acq_rel(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_scacquire(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_acquire(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_relaxed(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_screlease(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_exchange_release(
        &self,
        signal: hsa_signal_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_exchange_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_cas_scacq_screl(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_acq_rel(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_scacquire(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_acquire(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_relaxed(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_screlease(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_cas_release(
        &self,
        signal: hsa_signal_t,
        expected: hsa_signal_value_t,
        value: hsa_signal_value_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_cas_release
                .as_ref()
                .expect("Expected function, got error."))(signal, expected, value)
        }
    }
    pub unsafe fn hsa_signal_add_scacq_screl(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_acq_rel(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_scacquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_acquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_add_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_add_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_scacq_screl(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_acq_rel(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_scacquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_acquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_subtract_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_subtract_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_scacq_screl(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_acq_rel(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_scacquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_acquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_and_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_and_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_scacq_screl(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_acq_rel(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_scacquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_acquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_or_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_or_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_scacq_screl(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_acq_rel(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_scacquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_scacquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_acquire(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_acquire
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_relaxed(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_relaxed
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_screlease(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_screlease
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_xor_release(&self, signal: hsa_signal_t, value: hsa_signal_value_t) {
        unsafe {
            (self
                .hsa_signal_xor_release
                .as_ref()
                .expect("Expected function, got error."))(signal, value)
        }
    }
    pub unsafe fn hsa_signal_wait_scacquire(
        &self,
        signal: hsa_signal_t,
        condition: hsa_signal_condition_t,
        compare_value: hsa_signal_value_t,
        timeout_hint: u64,
        wait_state_hint: hsa_wait_state_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_wait_scacquire
                .as_ref()
                .expect("Expected function, got error."))(
                signal,
                condition,
                compare_value,
                timeout_hint,
                wait_state_hint,
            )
        }
    }
    pub unsafe fn hsa_signal_wait_relaxed(
        &self,
        signal: hsa_signal_t,
        condition: hsa_signal_condition_t,
        compare_value: hsa_signal_value_t,
        timeout_hint: u64,
        wait_state_hint: hsa_wait_state_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_wait_relaxed
                .as_ref()
                .expect("Expected function, got error."))(
                signal,
                condition,
                compare_value,
                timeout_hint,
                wait_state_hint,
            )
        }
    }
    pub unsafe fn hsa_signal_wait_acquire(
        &self,
        signal: hsa_signal_t,
        condition: hsa_signal_condition_t,
        compare_value: hsa_signal_value_t,
        timeout_hint: u64,
        wait_state_hint: hsa_wait_state_t,
    ) -> hsa_signal_value_t {
        unsafe {
            (self
                .hsa_signal_wait_acquire
                .as_ref()
                .expect("Expected function, got error."))(
                signal,
                condition,
                compare_value,
                timeout_hint,
                wait_state_hint,
            )
        }
    }
    pub unsafe fn hsa_signal_group_create(
        &self,
        num_signals: u32,
        signals: *const hsa_signal_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        signal_group: *mut hsa_signal_group_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_signal_group_create
                .as_ref()
                .expect("Expected function, got error."))(
                num_signals, signals, num_consumers, consumers, signal_group
            )
        }
    }
    pub unsafe fn hsa_signal_group_destroy(&self, signal_group: hsa_signal_group_t) -> hsa_status_t {
        unsafe {
            (self
                .hsa_signal_group_destroy
                .as_ref()
                .expect("Expected function, got error."))(signal_group)
        }
    }
    pub unsafe fn hsa_signal_group_wait_any_scacquire(
        &self,
        signal_group: hsa_signal_group_t,
        conditions: *const hsa_signal_condition_t,
        compare_values: *const hsa_signal_value_t,
        wait_state_hint: hsa_wait_state_t,
        signal: *mut hsa_signal_t,
        value: *mut hsa_signal_value_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_signal_group_wait_any_scacquire
                .as_ref()
                .expect("Expected function, got error."))(
                signal_group,
                conditions,
                compare_values,
                wait_state_hint,
                signal,
                value,
            )
        }
    }
    pub unsafe fn hsa_signal_group_wait_any_relaxed(
        &self,
        signal_group: hsa_signal_group_t,
        conditions: *const hsa_signal_condition_t,
        compare_values: *const hsa_signal_value_t,
        wait_state_hint: hsa_wait_state_t,
        signal: *mut hsa_signal_t,
        value: *mut hsa_signal_value_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_signal_group_wait_any_relaxed
                .as_ref()
                .expect("Expected function, got error."))(
                signal_group,
                conditions,
                compare_values,
                wait_state_hint,
                signal,
                value,
            )
        }
    }
    pub unsafe fn hsa_queue_create(
        &self,
        agent: hsa_agent_t,
        size: u32,
        type_: hsa_queue_type32_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(status: hsa_status_t, source: *mut hsa_queue_t, data: *mut ::core::ffi::c_void),
        >,
        data: *mut ::core::ffi::c_void,
        private_segment_size: u32,
        group_segment_size: u32,
        queue: *mut *mut hsa_queue_t,
    ) -> hsa_status_t {
        unsafe {
            (self.hsa_queue_create.as_ref().expect("Expected function, got error."))(
                agent,
                size,
                type_,
                callback,
                data,
                private_segment_size,
                group_segment_size,
                queue,
            )
        }
    }
    pub unsafe fn hsa_soft_queue_create(
        &self,
        region: hsa_region_t,
        size: u32,
        type_: hsa_queue_type32_t,
        features: u32,
        doorbell_signal: hsa_signal_t,
        queue: *mut *mut hsa_queue_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_soft_queue_create
                .as_ref()
                .expect("Expected function, got error."))(
                region, size, type_, features, doorbell_signal, queue
            )
        }
    }
    pub unsafe fn hsa_queue_destroy(&self, queue: *mut hsa_queue_t) -> hsa_status_t {
        unsafe { (self.hsa_queue_destroy.as_ref().expect("Expected function, got error."))(queue) }
    }
    pub unsafe fn hsa_queue_inactivate(&self, queue: *mut hsa_queue_t) -> hsa_status_t {
        unsafe {
            (self
                .hsa_queue_inactivate
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_read_index_acquire(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_read_index_acquire
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_read_index_scacquire(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_read_index_scacquire
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_read_index_relaxed(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_read_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_write_index_acquire(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_write_index_acquire
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_write_index_scacquire(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_write_index_scacquire
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_load_write_index_relaxed(&self, queue: *const hsa_queue_t) -> u64 {
        unsafe {
            (self
                .hsa_queue_load_write_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue)
        }
    }
    pub unsafe fn hsa_queue_store_write_index_relaxed(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_write_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_store_write_index_release(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_write_index_release
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_store_write_index_screlease(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_write_index_screlease
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_acq_rel(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_scacq_screl(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_acquire(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_acquire
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_scacquire(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_scacquire
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_relaxed(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_release(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_release
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_cas_write_index_screlease(
        &self,
        queue: *const hsa_queue_t,
        expected: u64,
        value: u64,
    ) -> u64 {
        unsafe {
            (self
                .hsa_queue_cas_write_index_screlease
                .as_ref()
                .expect("Expected function, got error."))(queue, expected, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_acq_rel(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_acq_rel
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_scacq_screl(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_scacq_screl
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_acquire(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_acquire
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_scacquire(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_scacquire
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_relaxed(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_release(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_release
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_add_write_index_screlease(&self, queue: *const hsa_queue_t, value: u64) -> u64 {
        unsafe {
            (self
                .hsa_queue_add_write_index_screlease
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_store_read_index_relaxed(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_read_index_relaxed
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_store_read_index_release(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_read_index_release
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_queue_store_read_index_screlease(&self, queue: *const hsa_queue_t, value: u64) {
        unsafe {
            (self
                .hsa_queue_store_read_index_screlease
                .as_ref()
                .expect("Expected function, got error."))(queue, value)
        }
    }
    pub unsafe fn hsa_region_get_info(
        &self,
        region: hsa_region_t,
        attribute: hsa_region_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_region_get_info
                .as_ref()
                .expect("Expected function, got error."))(region, attribute, value)
        }
    }
    pub unsafe fn hsa_agent_iterate_regions(
        &self,
        agent: hsa_agent_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(region: hsa_region_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_iterate_regions
                .as_ref()
                .expect("Expected function, got error."))(agent, callback, data)
        }
    }
    pub unsafe fn hsa_memory_allocate(
        &self,
        region: hsa_region_t,
        size: usize,
        ptr: *mut *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_memory_allocate
                .as_ref()
                .expect("Expected function, got error."))(region, size, ptr)
        }
    }
    pub unsafe fn hsa_memory_free(&self, ptr: *mut ::core::ffi::c_void) -> hsa_status_t {
        unsafe { (self.hsa_memory_free.as_ref().expect("Expected function, got error."))(ptr) }
    }
    pub unsafe fn hsa_memory_copy(
        &self,
        dst: *mut ::core::ffi::c_void,
        src: *const ::core::ffi::c_void,
        size: usize,
    ) -> hsa_status_t {
        unsafe { (self.hsa_memory_copy.as_ref().expect("Expected function, got error."))(dst, src, size) }
    }
    pub unsafe fn hsa_memory_assign_agent(
        &self,
        ptr: *mut ::core::ffi::c_void,
        agent: hsa_agent_t,
        access: hsa_access_permission_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_memory_assign_agent
                .as_ref()
                .expect("Expected function, got error."))(ptr, agent, access)
        }
    }
    pub unsafe fn hsa_memory_register(&self, ptr: *mut ::core::ffi::c_void, size: usize) -> hsa_status_t {
        unsafe {
            (self
                .hsa_memory_register
                .as_ref()
                .expect("Expected function, got error."))(ptr, size)
        }
    }
    pub unsafe fn hsa_memory_deregister(&self, ptr: *mut ::core::ffi::c_void, size: usize) -> hsa_status_t {
        unsafe {
            (self
                .hsa_memory_deregister
                .as_ref()
                .expect("Expected function, got error."))(ptr, size)
        }
    }
    pub unsafe fn hsa_isa_from_name(&self, name: *const ::core::ffi::c_char, isa: *mut hsa_isa_t) -> hsa_status_t {
        unsafe { (self.hsa_isa_from_name.as_ref().expect("Expected function, got error."))(name, isa) }
    }
    pub unsafe fn hsa_agent_iterate_isas(
        &self,
        agent: hsa_agent_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(isa: hsa_isa_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_agent_iterate_isas
                .as_ref()
                .expect("Expected function, got error."))(agent, callback, data)
        }
    }
    pub unsafe fn hsa_isa_get_info(
        &self,
        isa: hsa_isa_t,
        attribute: hsa_isa_info_t,
        index: u32,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self.hsa_isa_get_info.as_ref().expect("Expected function, got error."))(isa, attribute, index, value)
        }
    }
    pub unsafe fn hsa_isa_get_info_alt(
        &self,
        isa: hsa_isa_t,
        attribute: hsa_isa_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_isa_get_info_alt
                .as_ref()
                .expect("Expected function, got error."))(isa, attribute, value)
        }
    }
    pub unsafe fn hsa_isa_get_exception_policies(
        &self,
        isa: hsa_isa_t,
        profile: hsa_profile_t,
        mask: *mut u16,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_isa_get_exception_policies
                .as_ref()
                .expect("Expected function, got error."))(isa, profile, mask)
        }
    }
    pub unsafe fn hsa_isa_get_round_method(
        &self,
        isa: hsa_isa_t,
        fp_type: hsa_fp_type_t,
        flush_mode: hsa_flush_mode_t,
        round_method: *mut hsa_round_method_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_isa_get_round_method
                .as_ref()
                .expect("Expected function, got error."))(isa, fp_type, flush_mode, round_method)
        }
    }
    pub unsafe fn hsa_wavefront_get_info(
        &self,
        wavefront: hsa_wavefront_t,
        attribute: hsa_wavefront_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_wavefront_get_info
                .as_ref()
                .expect("Expected function, got error."))(wavefront, attribute, value)
        }
    }
    pub unsafe fn hsa_isa_iterate_wavefronts(
        &self,
        isa: hsa_isa_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(wavefront: hsa_wavefront_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_isa_iterate_wavefronts
                .as_ref()
                .expect("Expected function, got error."))(isa, callback, data)
        }
    }
    pub unsafe fn hsa_isa_compatible(
        &self,
        code_object_isa: hsa_isa_t,
        agent_isa: hsa_isa_t,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self.hsa_isa_compatible.as_ref().expect("Expected function, got error."))(
                code_object_isa,
                agent_isa,
                result,
            )
        }
    }
    pub unsafe fn hsa_code_object_reader_create_from_file(
        &self,
        file: hsa_file_t,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_reader_create_from_file
                .as_ref()
                .expect("Expected function, got error."))(file, code_object_reader)
        }
    }
    pub unsafe fn hsa_code_object_reader_create_from_memory(
        &self,
        code_object: *const ::core::ffi::c_void,
        size: usize,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_reader_create_from_memory
                .as_ref()
                .expect("Expected function, got error."))(code_object, size, code_object_reader)
        }
    }
    pub unsafe fn hsa_code_object_reader_destroy(&self, code_object_reader: hsa_code_object_reader_t) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_reader_destroy
                .as_ref()
                .expect("Expected function, got error."))(code_object_reader)
        }
    }
    pub unsafe fn hsa_executable_create(
        &self,
        profile: hsa_profile_t,
        executable_state: hsa_executable_state_t,
        options: *const ::core::ffi::c_char,
        executable: *mut hsa_executable_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_create
                .as_ref()
                .expect("Expected function, got error."))(profile, executable_state, options, executable)
        }
    }
    pub unsafe fn hsa_executable_create_alt(
        &self,
        profile: hsa_profile_t,
        default_float_rounding_mode: hsa_default_float_rounding_mode_t,
        options: *const ::core::ffi::c_char,
        executable: *mut hsa_executable_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_create_alt
                .as_ref()
                .expect("Expected function, got error."))(
                profile, default_float_rounding_mode, options, executable
            )
        }
    }
    pub unsafe fn hsa_executable_destroy(&self, executable: hsa_executable_t) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_destroy
                .as_ref()
                .expect("Expected function, got error."))(executable)
        }
    }
    pub unsafe fn hsa_executable_load_program_code_object(
        &self,
        executable: hsa_executable_t,
        code_object_reader: hsa_code_object_reader_t,
        options: *const ::core::ffi::c_char,
        loaded_code_object: *mut hsa_loaded_code_object_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_load_program_code_object
                .as_ref()
                .expect("Expected function, got error."))(
                executable, code_object_reader, options, loaded_code_object
            )
        }
    }
    pub unsafe fn hsa_executable_load_agent_code_object(
        &self,
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        code_object_reader: hsa_code_object_reader_t,
        options: *const ::core::ffi::c_char,
        loaded_code_object: *mut hsa_loaded_code_object_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_load_agent_code_object
                .as_ref()
                .expect("Expected function, got error."))(
                executable,
                agent,
                code_object_reader,
                options,
                loaded_code_object,
            )
        }
    }
    pub unsafe fn hsa_executable_freeze(
        &self,
        executable: hsa_executable_t,
        options: *const ::core::ffi::c_char,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_freeze
                .as_ref()
                .expect("Expected function, got error."))(executable, options)
        }
    }
    pub unsafe fn hsa_executable_get_info(
        &self,
        executable: hsa_executable_t,
        attribute: hsa_executable_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_get_info
                .as_ref()
                .expect("Expected function, got error."))(executable, attribute, value)
        }
    }
    pub unsafe fn hsa_executable_global_variable_define(
        &self,
        executable: hsa_executable_t,
        variable_name: *const ::core::ffi::c_char,
        address: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_global_variable_define
                .as_ref()
                .expect("Expected function, got error."))(executable, variable_name, address)
        }
    }
    pub unsafe fn hsa_executable_agent_global_variable_define(
        &self,
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        variable_name: *const ::core::ffi::c_char,
        address: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_agent_global_variable_define
                .as_ref()
                .expect("Expected function, got error."))(executable, agent, variable_name, address)
        }
    }
    pub unsafe fn hsa_executable_readonly_variable_define(
        &self,
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        variable_name: *const ::core::ffi::c_char,
        address: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_readonly_variable_define
                .as_ref()
                .expect("Expected function, got error."))(executable, agent, variable_name, address)
        }
    }
    pub unsafe fn hsa_executable_validate(&self, executable: hsa_executable_t, result: *mut u32) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_validate
                .as_ref()
                .expect("Expected function, got error."))(executable, result)
        }
    }
    pub unsafe fn hsa_executable_validate_alt(
        &self,
        executable: hsa_executable_t,
        options: *const ::core::ffi::c_char,
        result: *mut u32,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_validate_alt
                .as_ref()
                .expect("Expected function, got error."))(executable, options, result)
        }
    }
    pub unsafe fn hsa_executable_get_symbol(
        &self,
        executable: hsa_executable_t,
        module_name: *const ::core::ffi::c_char,
        symbol_name: *const ::core::ffi::c_char,
        agent: hsa_agent_t,
        call_convention: i32,
        symbol: *mut hsa_executable_symbol_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_get_symbol
                .as_ref()
                .expect("Expected function, got error."))(
                executable,
                module_name,
                symbol_name,
                agent,
                call_convention,
                symbol,
            )
        }
    }
    pub unsafe fn hsa_executable_get_symbol_by_name(
        &self,
        executable: hsa_executable_t,
        symbol_name: *const ::core::ffi::c_char,
        agent: *const hsa_agent_t,
        symbol: *mut hsa_executable_symbol_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_get_symbol_by_name
                .as_ref()
                .expect("Expected function, got error."))(executable, symbol_name, agent, symbol)
        }
    }
    pub unsafe fn hsa_executable_symbol_get_info(
        &self,
        executable_symbol: hsa_executable_symbol_t,
        attribute: hsa_executable_symbol_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_symbol_get_info
                .as_ref()
                .expect("Expected function, got error."))(executable_symbol, attribute, value)
        }
    }
    pub unsafe fn hsa_executable_iterate_symbols(
        &self,
        executable: hsa_executable_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                symbol: hsa_executable_symbol_t,
                data: *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_iterate_symbols
                .as_ref()
                .expect("Expected function, got error."))(executable, callback, data)
        }
    }
    pub unsafe fn hsa_executable_iterate_agent_symbols(
        &self,
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                agent: hsa_agent_t,
                symbol: hsa_executable_symbol_t,
                data: *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_iterate_agent_symbols
                .as_ref()
                .expect("Expected function, got error."))(executable, agent, callback, data)
        }
    }
    pub unsafe fn hsa_executable_iterate_program_symbols(
        &self,
        executable: hsa_executable_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(
                exec: hsa_executable_t,
                symbol: hsa_executable_symbol_t,
                data: *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_iterate_program_symbols
                .as_ref()
                .expect("Expected function, got error."))(executable, callback, data)
        }
    }
    pub unsafe fn hsa_code_object_serialize(
        &self,
        code_object: hsa_code_object_t,
        alloc_callback: ::core::option::Option<
            unsafe extern "C" fn(
                size: usize,
                data: hsa_callback_data_t,
                address: *mut *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        callback_data: hsa_callback_data_t,
        options: *const ::core::ffi::c_char,
        serialized_code_object: *mut *mut ::core::ffi::c_void,
        serialized_code_object_size: *mut usize,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_serialize
                .as_ref()
                .expect("Expected function, got error."))(
                code_object,
                alloc_callback,
                callback_data,
                options,
                serialized_code_object,
                serialized_code_object_size,
            )
        }
    }
    pub unsafe fn hsa_code_object_deserialize(
        &self,
        serialized_code_object: *mut ::core::ffi::c_void,
        serialized_code_object_size: usize,
        options: *const ::core::ffi::c_char,
        code_object: *mut hsa_code_object_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_deserialize
                .as_ref()
                .expect("Expected function, got error."))(
                serialized_code_object,
                serialized_code_object_size,
                options,
                code_object,
            )
        }
    }
    pub unsafe fn hsa_code_object_destroy(&self, code_object: hsa_code_object_t) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_destroy
                .as_ref()
                .expect("Expected function, got error."))(code_object)
        }
    }
    pub unsafe fn hsa_code_object_get_info(
        &self,
        code_object: hsa_code_object_t,
        attribute: hsa_code_object_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_get_info
                .as_ref()
                .expect("Expected function, got error."))(code_object, attribute, value)
        }
    }
    pub unsafe fn hsa_executable_load_code_object(
        &self,
        executable: hsa_executable_t,
        agent: hsa_agent_t,
        code_object: hsa_code_object_t,
        options: *const ::core::ffi::c_char,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_executable_load_code_object
                .as_ref()
                .expect("Expected function, got error."))(executable, agent, code_object, options)
        }
    }
    pub unsafe fn hsa_code_object_get_symbol(
        &self,
        code_object: hsa_code_object_t,
        symbol_name: *const ::core::ffi::c_char,
        symbol: *mut hsa_code_symbol_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_get_symbol
                .as_ref()
                .expect("Expected function, got error."))(code_object, symbol_name, symbol)
        }
    }
    pub unsafe fn hsa_code_object_get_symbol_from_name(
        &self,
        code_object: hsa_code_object_t,
        module_name: *const ::core::ffi::c_char,
        symbol_name: *const ::core::ffi::c_char,
        symbol: *mut hsa_code_symbol_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_get_symbol_from_name
                .as_ref()
                .expect("Expected function, got error."))(code_object, module_name, symbol_name, symbol)
        }
    }
    pub unsafe fn hsa_code_symbol_get_info(
        &self,
        code_symbol: hsa_code_symbol_t,
        attribute: hsa_code_symbol_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_symbol_get_info
                .as_ref()
                .expect("Expected function, got error."))(code_symbol, attribute, value)
        }
    }
    pub unsafe fn hsa_code_object_iterate_symbols(
        &self,
        code_object: hsa_code_object_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(
                code_object: hsa_code_object_t,
                symbol: hsa_code_symbol_t,
                data: *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_code_object_iterate_symbols
                .as_ref()
                .expect("Expected function, got error."))(code_object, callback, data)
        }
    }
    pub unsafe fn hsa_amd_coherency_get_type(
        &self,
        agent: hsa_agent_t,
        type_: *mut hsa_amd_coherency_type_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_coherency_get_type
                .as_ref()
                .expect("Expected function, got error."))(agent, type_)
        }
    }
    pub unsafe fn hsa_amd_coherency_set_type(
        &self,
        agent: hsa_agent_t,
        type_: hsa_amd_coherency_type_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_coherency_set_type
                .as_ref()
                .expect("Expected function, got error."))(agent, type_)
        }
    }
    pub unsafe fn hsa_amd_profiling_set_profiler_enabled(
        &self,
        queue: *mut hsa_queue_t,
        enable: ::core::ffi::c_int,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_profiling_set_profiler_enabled
                .as_ref()
                .expect("Expected function, got error."))(queue, enable)
        }
    }
    pub unsafe fn hsa_amd_profiling_async_copy_enable(&self, enable: bool) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_profiling_async_copy_enable
                .as_ref()
                .expect("Expected function, got error."))(enable)
        }
    }
    pub unsafe fn hsa_amd_profiling_get_dispatch_time(
        &self,
        agent: hsa_agent_t,
        signal: hsa_signal_t,
        time: *mut hsa_amd_profiling_dispatch_time_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_profiling_get_dispatch_time
                .as_ref()
                .expect("Expected function, got error."))(agent, signal, time)
        }
    }
    pub unsafe fn hsa_amd_profiling_get_async_copy_time(
        &self,
        signal: hsa_signal_t,
        time: *mut hsa_amd_profiling_async_copy_time_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_profiling_get_async_copy_time
                .as_ref()
                .expect("Expected function, got error."))(signal, time)
        }
    }
    pub unsafe fn hsa_amd_profiling_convert_tick_to_system_domain(
        &self,
        agent: hsa_agent_t,
        agent_tick: u64,
        system_tick: *mut u64,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_profiling_convert_tick_to_system_domain
                .as_ref()
                .expect("Expected function, got error."))(agent, agent_tick, system_tick)
        }
    }
    pub unsafe fn hsa_amd_signal_create(
        &self,
        initial_value: hsa_signal_value_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        attributes: u64,
        signal: *mut hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_signal_create
                .as_ref()
                .expect("Expected function, got error."))(
                initial_value, num_consumers, consumers, attributes, signal
            )
        }
    }
    pub unsafe fn hsa_amd_signal_value_pointer(
        &self,
        signal: hsa_signal_t,
        value_ptr: *mut *mut hsa_signal_value_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_signal_value_pointer
                .as_ref()
                .expect("Expected function, got error."))(signal, value_ptr)
        }
    }
    pub unsafe fn hsa_amd_signal_async_handler(
        &self,
        signal: hsa_signal_t,
        cond: hsa_signal_condition_t,
        value: hsa_signal_value_t,
        handler: hsa_amd_signal_handler,
        arg: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_signal_async_handler
                .as_ref()
                .expect("Expected function, got error."))(signal, cond, value, handler, arg)
        }
    }
    pub unsafe fn hsa_amd_async_function(
        &self,
        callback: ::core::option::Option<unsafe extern "C" fn(arg: *mut ::core::ffi::c_void)>,
        arg: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_async_function
                .as_ref()
                .expect("Expected function, got error."))(callback, arg)
        }
    }
    pub unsafe fn hsa_amd_signal_wait_any(
        &self,
        signal_count: u32,
        signals: *mut hsa_signal_t,
        conds: *mut hsa_signal_condition_t,
        values: *mut hsa_signal_value_t,
        timeout_hint: u64,
        wait_hint: hsa_wait_state_t,
        satisfying_value: *mut hsa_signal_value_t,
    ) -> u32 {
        unsafe {
            (self
                .hsa_amd_signal_wait_any
                .as_ref()
                .expect("Expected function, got error."))(
                signal_count,
                signals,
                conds,
                values,
                timeout_hint,
                wait_hint,
                satisfying_value,
            )
        }
    }
    pub unsafe fn hsa_amd_queue_cu_set_mask(
        &self,
        queue: *const hsa_queue_t,
        num_cu_mask_count: u32,
        cu_mask: *const u32,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_queue_cu_set_mask
                .as_ref()
                .expect("Expected function, got error."))(queue, num_cu_mask_count, cu_mask)
        }
    }
    pub unsafe fn hsa_amd_queue_cu_get_mask(
        &self,
        queue: *const hsa_queue_t,
        num_cu_mask_count: u32,
        cu_mask: *mut u32,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_queue_cu_get_mask
                .as_ref()
                .expect("Expected function, got error."))(queue, num_cu_mask_count, cu_mask)
        }
    }
    pub unsafe fn hsa_amd_memory_pool_get_info(
        &self,
        memory_pool: hsa_amd_memory_pool_t,
        attribute: hsa_amd_memory_pool_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_pool_get_info
                .as_ref()
                .expect("Expected function, got error."))(memory_pool, attribute, value)
        }
    }
    pub unsafe fn hsa_amd_agent_iterate_memory_pools(
        &self,
        agent: hsa_agent_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(memory_pool: hsa_amd_memory_pool_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_agent_iterate_memory_pools
                .as_ref()
                .expect("Expected function, got error."))(agent, callback, data)
        }
    }
    pub unsafe fn hsa_amd_memory_pool_allocate(
        &self,
        memory_pool: hsa_amd_memory_pool_t,
        size: usize,
        flags: u32,
        ptr: *mut *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_pool_allocate
                .as_ref()
                .expect("Expected function, got error."))(memory_pool, size, flags, ptr)
        }
    }
    pub unsafe fn hsa_amd_memory_pool_free(&self, ptr: *mut ::core::ffi::c_void) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_pool_free
                .as_ref()
                .expect("Expected function, got error."))(ptr)
        }
    }
    pub unsafe fn hsa_amd_memory_async_copy(
        &self,
        dst: *mut ::core::ffi::c_void,
        dst_agent: hsa_agent_t,
        src: *const ::core::ffi::c_void,
        src_agent: hsa_agent_t,
        size: usize,
        num_dep_signals: u32,
        dep_signals: *const hsa_signal_t,
        completion_signal: hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_async_copy
                .as_ref()
                .expect("Expected function, got error."))(
                dst,
                dst_agent,
                src,
                src_agent,
                size,
                num_dep_signals,
                dep_signals,
                completion_signal,
            )
        }
    }
    pub unsafe fn hsa_amd_memory_async_copy_rect(
        &self,
        dst: *const hsa_pitched_ptr_t,
        dst_offset: *const hsa_dim3_t,
        src: *const hsa_pitched_ptr_t,
        src_offset: *const hsa_dim3_t,
        range: *const hsa_dim3_t,
        copy_agent: hsa_agent_t,
        dir: hsa_amd_copy_direction_t,
        num_dep_signals: u32,
        dep_signals: *const hsa_signal_t,
        completion_signal: hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_async_copy_rect
                .as_ref()
                .expect("Expected function, got error."))(
                dst,
                dst_offset,
                src,
                src_offset,
                range,
                copy_agent,
                dir,
                num_dep_signals,
                dep_signals,
                completion_signal,
            )
        }
    }
    pub unsafe fn hsa_amd_agent_memory_pool_get_info(
        &self,
        agent: hsa_agent_t,
        memory_pool: hsa_amd_memory_pool_t,
        attribute: hsa_amd_agent_memory_pool_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_agent_memory_pool_get_info
                .as_ref()
                .expect("Expected function, got error."))(agent, memory_pool, attribute, value)
        }
    }
    pub unsafe fn hsa_amd_agents_allow_access(
        &self,
        num_agents: u32,
        agents: *const hsa_agent_t,
        flags: *const u32,
        ptr: *const ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_agents_allow_access
                .as_ref()
                .expect("Expected function, got error."))(num_agents, agents, flags, ptr)
        }
    }
    pub unsafe fn hsa_amd_memory_pool_can_migrate(
        &self,
        src_memory_pool: hsa_amd_memory_pool_t,
        dst_memory_pool: hsa_amd_memory_pool_t,
        result: *mut bool,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_pool_can_migrate
                .as_ref()
                .expect("Expected function, got error."))(src_memory_pool, dst_memory_pool, result)
        }
    }
    pub unsafe fn hsa_amd_memory_migrate(
        &self,
        ptr: *const ::core::ffi::c_void,
        memory_pool: hsa_amd_memory_pool_t,
        flags: u32,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_migrate
                .as_ref()
                .expect("Expected function, got error."))(ptr, memory_pool, flags)
        }
    }
    pub unsafe fn hsa_amd_memory_lock(
        &self,
        host_ptr: *mut ::core::ffi::c_void,
        size: usize,
        agents: *mut hsa_agent_t,
        num_agent: ::core::ffi::c_int,
        agent_ptr: *mut *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_lock
                .as_ref()
                .expect("Expected function, got error."))(host_ptr, size, agents, num_agent, agent_ptr)
        }
    }
    pub unsafe fn hsa_amd_memory_lock_to_pool(
        &self,
        host_ptr: *mut ::core::ffi::c_void,
        size: usize,
        agents: *mut hsa_agent_t,
        num_agent: ::core::ffi::c_int,
        pool: hsa_amd_memory_pool_t,
        flags: u32,
        agent_ptr: *mut *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_lock_to_pool
                .as_ref()
                .expect("Expected function, got error."))(
                host_ptr, size, agents, num_agent, pool, flags, agent_ptr
            )
        }
    }
    pub unsafe fn hsa_amd_memory_unlock(&self, host_ptr: *mut ::core::ffi::c_void) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_unlock
                .as_ref()
                .expect("Expected function, got error."))(host_ptr)
        }
    }
    pub unsafe fn hsa_amd_memory_fill(&self, ptr: *mut ::core::ffi::c_void, value: u32, count: usize) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_memory_fill
                .as_ref()
                .expect("Expected function, got error."))(ptr, value, count)
        }
    }
    pub unsafe fn hsa_amd_interop_map_buffer(
        &self,
        num_agents: u32,
        agents: *mut hsa_agent_t,
        interop_handle: ::core::ffi::c_int,
        flags: u32,
        size: *mut usize,
        ptr: *mut *mut ::core::ffi::c_void,
        metadata_size: *mut usize,
        metadata: *mut *const ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_interop_map_buffer
                .as_ref()
                .expect("Expected function, got error."))(
                num_agents,
                agents,
                interop_handle,
                flags,
                size,
                ptr,
                metadata_size,
                metadata,
            )
        }
    }
    pub unsafe fn hsa_amd_interop_unmap_buffer(&self, ptr: *mut ::core::ffi::c_void) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_interop_unmap_buffer
                .as_ref()
                .expect("Expected function, got error."))(ptr)
        }
    }
    pub unsafe fn hsa_amd_pointer_info(
        &self,
        ptr: *const ::core::ffi::c_void,
        info: *mut hsa_amd_pointer_info_t,
        alloc: ::core::option::Option<unsafe extern "C" fn(arg1: usize) -> *mut ::core::ffi::c_void>,
        num_agents_accessible: *mut u32,
        accessible: *mut *mut hsa_agent_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_pointer_info
                .as_ref()
                .expect("Expected function, got error."))(
                ptr, info, alloc, num_agents_accessible, accessible
            )
        }
    }
    pub unsafe fn hsa_amd_pointer_info_set_userdata(
        &self,
        ptr: *const ::core::ffi::c_void,
        userdata: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_pointer_info_set_userdata
                .as_ref()
                .expect("Expected function, got error."))(ptr, userdata)
        }
    }
    pub unsafe fn hsa_amd_ipc_memory_create(
        &self,
        ptr: *mut ::core::ffi::c_void,
        len: usize,
        handle: *mut hsa_amd_ipc_memory_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_ipc_memory_create
                .as_ref()
                .expect("Expected function, got error."))(ptr, len, handle)
        }
    }
    pub unsafe fn hsa_amd_ipc_memory_attach(
        &self,
        handle: *const hsa_amd_ipc_memory_t,
        len: usize,
        num_agents: u32,
        mapping_agents: *const hsa_agent_t,
        mapped_ptr: *mut *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_ipc_memory_attach
                .as_ref()
                .expect("Expected function, got error."))(
                handle, len, num_agents, mapping_agents, mapped_ptr
            )
        }
    }
    pub unsafe fn hsa_amd_ipc_memory_detach(&self, mapped_ptr: *mut ::core::ffi::c_void) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_ipc_memory_detach
                .as_ref()
                .expect("Expected function, got error."))(mapped_ptr)
        }
    }
    pub unsafe fn hsa_amd_ipc_signal_create(
        &self,
        signal: hsa_signal_t,
        handle: *mut hsa_amd_ipc_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_ipc_signal_create
                .as_ref()
                .expect("Expected function, got error."))(signal, handle)
        }
    }
    pub unsafe fn hsa_amd_ipc_signal_attach(
        &self,
        handle: *const hsa_amd_ipc_signal_t,
        signal: *mut hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_ipc_signal_attach
                .as_ref()
                .expect("Expected function, got error."))(handle, signal)
        }
    }
    pub unsafe fn hsa_amd_register_system_event_handler(
        &self,
        callback: hsa_amd_system_event_callback_t,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_register_system_event_handler
                .as_ref()
                .expect("Expected function, got error."))(callback, data)
        }
    }
    pub unsafe fn hsa_amd_queue_set_priority(
        &self,
        queue: *mut hsa_queue_t,
        priority: hsa_amd_queue_priority_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_queue_set_priority
                .as_ref()
                .expect("Expected function, got error."))(queue, priority)
        }
    }
    pub unsafe fn hsa_amd_register_deallocation_callback(
        &self,
        ptr: *mut ::core::ffi::c_void,
        callback: hsa_amd_deallocation_callback_t,
        user_data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_register_deallocation_callback
                .as_ref()
                .expect("Expected function, got error."))(ptr, callback, user_data)
        }
    }
    pub unsafe fn hsa_amd_deregister_deallocation_callback(
        &self,
        ptr: *mut ::core::ffi::c_void,
        callback: hsa_amd_deallocation_callback_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_deregister_deallocation_callback
                .as_ref()
                .expect("Expected function, got error."))(ptr, callback)
        }
    }
    pub unsafe fn hsa_amd_svm_attributes_set(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: usize,
        attribute_list: *mut hsa_amd_svm_attribute_pair_t,
        attribute_count: usize,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_svm_attributes_set
                .as_ref()
                .expect("Expected function, got error."))(ptr, size, attribute_list, attribute_count)
        }
    }
    pub unsafe fn hsa_amd_svm_attributes_get(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: usize,
        attribute_list: *mut hsa_amd_svm_attribute_pair_t,
        attribute_count: usize,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_svm_attributes_get
                .as_ref()
                .expect("Expected function, got error."))(ptr, size, attribute_list, attribute_count)
        }
    }
    pub unsafe fn hsa_amd_svm_prefetch_async(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: usize,
        agent: hsa_agent_t,
        num_dep_signals: u32,
        dep_signals: *const hsa_signal_t,
        completion_signal: hsa_signal_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_amd_svm_prefetch_async
                .as_ref()
                .expect("Expected function, got error."))(
                ptr,
                size,
                agent,
                num_dep_signals,
                dep_signals,
                completion_signal,
            )
        }
    }
    pub unsafe fn hsa_ven_amd_loader_query_host_address(
        &self,
        device_address: *const ::core::ffi::c_void,
        host_address: *mut *const ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_query_host_address
                .as_ref()
                .expect("Expected function, got error."))(device_address, host_address)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_query_segment_descriptors(
        &self,
        segment_descriptors: *mut hsa_ven_amd_loader_segment_descriptor_t,
        num_segment_descriptors: *mut usize,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_query_segment_descriptors
                .as_ref()
                .expect("Expected function, got error."))(segment_descriptors, num_segment_descriptors)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_query_executable(
        &self,
        device_address: *const ::core::ffi::c_void,
        executable: *mut hsa_executable_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_query_executable
                .as_ref()
                .expect("Expected function, got error."))(device_address, executable)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
        &self,
        executable: hsa_executable_t,
        callback: ::core::option::Option<
            unsafe extern "C" fn(
                executable: hsa_executable_t,
                loaded_code_object: hsa_loaded_code_object_t,
                data: *mut ::core::ffi::c_void,
            ) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_executable_iterate_loaded_code_objects
                .as_ref()
                .expect("Expected function, got error."))(executable, callback, data)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_loaded_code_object_get_info(
        &self,
        loaded_code_object: hsa_loaded_code_object_t,
        attribute: hsa_ven_amd_loader_loaded_code_object_info_t,
        value: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_loaded_code_object_get_info
                .as_ref()
                .expect("Expected function, got error."))(loaded_code_object, attribute, value)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
        &self,
        file: hsa_file_t,
        offset: usize,
        size: usize,
        code_object_reader: *mut hsa_code_object_reader_t,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size
                .as_ref()
                .expect("Expected function, got error."))(file, offset, size, code_object_reader)
        }
    }
    pub unsafe fn hsa_ven_amd_loader_iterate_executables(
        &self,
        callback: ::core::option::Option<
            unsafe extern "C" fn(executable: hsa_executable_t, data: *mut ::core::ffi::c_void) -> hsa_status_t,
        >,
        data: *mut ::core::ffi::c_void,
    ) -> hsa_status_t {
        unsafe {
            (self
                .hsa_ven_amd_loader_iterate_executables
                .as_ref()
                .expect("Expected function, got error."))(callback, data)
        }
    }
}
