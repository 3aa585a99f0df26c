//! What runtimes later than the headers added, as far as this project asks for it.
//!
//! Numbers from the public headers of ROCR-Runtime 6. An older runtime answers an unknown
//! attribute with `HSA_STATUS_ERROR_INVALID_ARGUMENT`.
#![allow(non_camel_case_types, reason = "the names are the headers'")]

use crate::{hsa_agent_t, hsa_amd_agent_info_s, hsa_signal_t, hsa_status_t};
use core::ffi::{c_uint, c_void};

/// Memory still free in all global pools of an agent, bytes, `u64`.
pub const HSA_AMD_AGENT_INFO_MEMORY_AVAIL: hsa_amd_agent_info_s = 0xA015;
/// Rate of the agent's steady clock, the one that `s_memrealtime` reads, Hz, `u64`.
pub const HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY: hsa_amd_agent_info_s = 0xA016;
/// Family of the chip, `u32`.
pub const HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID: hsa_amd_agent_info_s = 0xA107;
/// Version of the packet processor's firmware, `u32`.
pub const HSA_AMD_AGENT_INFO_UCODE_VERSION: hsa_amd_agent_info_s = 0xA108;
/// Version of the copy engine's firmware, `u32`.
pub const HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION: hsa_amd_agent_info_s = 0xA109;
/// Copy engines, `u32`.
pub const HSA_AMD_AGENT_INFO_NUM_SDMA_ENG: hsa_amd_agent_info_s = 0xA10A;
/// Further copy engines between GPUs, `u32`.
pub const HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG: hsa_amd_agent_info_s = 0xA10B;
/// Whether an IOMMU is used, `u32`, 0 for no.
pub const HSA_AMD_AGENT_INFO_IOMMU_SUPPORT: hsa_amd_agent_info_s = 0xA110;
/// Dies with compute units, `u32`.
pub const HSA_AMD_AGENT_INFO_NUM_XCC: hsa_amd_agent_info_s = 0xA111;
/// The kernel driver's number of the agent, `u32`.
pub const HSA_AMD_AGENT_INFO_DRIVER_UID: hsa_amd_agent_info_s = 0xA112;
/// The CPU agent closest to a GPU, `hsa_agent_t`.
pub const HSA_AMD_AGENT_INFO_NEAREST_CPU: hsa_amd_agent_info_s = 0xA113;
/// Bits, `[u8; 8]`; bit 0: the GPU shares the CPU's memory.
pub const HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES: hsa_amd_agent_info_s = 0xA114;
/// Bits of packet formats beyond HSA's, `[u8; 8]`.
pub const HSA_AMD_AGENT_INFO_AQL_EXTENSIONS: hsa_amd_agent_info_s = 0xA115;

/// The GPU accessed an address that it must not.
pub const HSA_STATUS_ERROR_MEMORY_FAULT: hsa_status_t = 43;

/// A copy engine, one bit each.
pub type hsa_amd_sdma_engine_id_t = c_uint;

/// `hsa_amd_memory_async_copy_on_engine`, since 5.7.
pub type HsaAmdMemoryAsyncCopyOnEngine = unsafe extern "C" fn(
    dst: *mut c_void,
    dst_agent: hsa_agent_t,
    src: *const c_void,
    src_agent: hsa_agent_t,
    size: usize,
    num_dep_signals: u32,
    dep_signals: *const hsa_signal_t,
    completion_signal: hsa_signal_t,
    engine_id: hsa_amd_sdma_engine_id_t,
    force_copy_on_sdma: bool,
) -> hsa_status_t;
