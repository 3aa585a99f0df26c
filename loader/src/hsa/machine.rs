//! The agents of the machine: which there are, what they are, where they have memory.

use std::ffi::{CStr, c_void};

use hsa_sys::later::HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY;
use hsa_sys::*;

use super::driver::{check, describe};
use crate::device::{Properties, Vendor};
use crate::error::{Error, Result};

/// Rate of the steady clock where the runtime is too old to be asked: that of all GPUs since
/// gfx90a.
const USUAL_CLOCK_HZ: u64 = 100_000_000;
/// What names of instruction sets begin with.
const PREFIX: &str = "amdgcn-amd-amdhsa--";

/// A GPU, and where memory for it comes from.
#[derive(Clone)]
pub(super) struct Gpu {
    pub agent: hsa_agent_t,
    pub properties: Properties,
    /// Memory of its own.
    pub device_pool: hsa_amd_memory_pool_t,
    /// Memory of the host that both sides see coherently while kernels run.
    pub shared_pool: hsa_amd_memory_pool_t,
    /// Memory of the host for arguments of kernels.
    pub kernarg_pool: hsa_amd_memory_pool_t,
}

const PURPOSE: &str = "cannot ask the HSA runtime what there is";

/// Collects what an iterating function calls back with.
fn collect<T: Copy>(hsa: &Hsa, iterate: impl FnOnce(Callback<T>, *mut c_void) -> hsa_status_t) -> Result<Vec<T>> {
    unsafe extern "C" fn add<T: Copy>(item: T, list: *mut c_void) -> hsa_status_t {
        // SAFETY: the list below, which outlives the iteration.
        unsafe { (*list.cast::<Vec<T>>()).push(item) };
        HSA_STATUS_SUCCESS
    }
    let mut list = Vec::new();
    let status = iterate(add::<T>, (&raw mut list).cast());
    check(hsa, PURPOSE, status).map(|()| list)
}

type Callback<T> = unsafe extern "C" fn(T, *mut c_void) -> hsa_status_t;

/// An agent's attribute.
///
/// # Safety
/// `T` is the attribute's type.
unsafe fn info<T: Default>(hsa: &Hsa, agent: hsa_agent_t, attribute: hsa_agent_info_t) -> Result<T> {
    let mut value = T::default();
    // SAFETY: the caller names the type.
    let status = unsafe { hsa.hsa_agent_get_info(agent, attribute, (&raw mut value).cast()) };
    check(hsa, PURPOSE, status).map(|()| value)
}

/// A text of 64 bytes.
fn text(hsa: &Hsa, agent: hsa_agent_t, attribute: hsa_agent_info_t) -> Result<String> {
    let mut bytes = [0u8; 65];
    // SAFETY: these texts have at most 64 bytes; the last stays NUL.
    let status = unsafe { hsa.hsa_agent_get_info(agent, attribute, bytes.as_mut_ptr().cast()) };
    check(hsa, PURPOSE, status)?;
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
    Ok(text.to_string_lossy().trim().to_string())
}

/// Processor and features of a GPU: `gfx90a:sramecc+:xnack-`.
fn architecture(hsa: &Hsa, agent: hsa_agent_t) -> Result<String> {
    let isas = collect::<hsa_isa_t>(hsa, |add, list| {
        // SAFETY: the callback gets the list that it expects.
        unsafe { hsa.hsa_agent_iterate_isas(agent, Some(add), list) }
    })?;
    let Some(isa) = isas.first() else {
        return text(hsa, agent, HSA_AGENT_INFO_NAME);
    };
    let mut length = 0u32;
    // SAFETY: the attribute is a u32.
    check(hsa, PURPOSE, unsafe {
        hsa.hsa_isa_get_info_alt(*isa, HSA_ISA_INFO_NAME_LENGTH, (&raw mut length).cast())
    })?;
    // Whether the length counts the NUL differs between versions.
    let mut name = vec![0u8; length as usize + 1];
    // SAFETY: the buffer is longer than the length asked for.
    check(hsa, PURPOSE, unsafe {
        hsa.hsa_isa_get_info_alt(*isa, HSA_ISA_INFO_NAME, name.as_mut_ptr().cast())
    })?;
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy();
    Ok(name.strip_prefix(PREFIX).unwrap_or(&name).to_string())
}

/// A pool of an agent and what it is.
struct Pool {
    pool: hsa_amd_memory_pool_t,
    segment: u32,
    flags: u32,
    bytes: usize,
}

fn pools(hsa: &Hsa, agent: hsa_agent_t) -> Result<Vec<Pool>> {
    let found = collect::<hsa_amd_memory_pool_t>(hsa, |add, list| {
        // SAFETY: the callback gets the list that it expects.
        unsafe { hsa.hsa_amd_agent_iterate_memory_pools(agent, Some(add), list) }
    })?;
    let ask = |pool, attribute, value: *mut c_void| {
        // SAFETY: callers pass a place of the attribute's type.
        check(hsa, PURPOSE, unsafe {
            hsa.hsa_amd_memory_pool_get_info(pool, attribute, value)
        })
    };
    found
        .into_iter()
        .map(|pool| {
            let (mut segment, mut flags, mut bytes) = (0u32, 0u32, 0usize);
            ask(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, (&raw mut segment).cast())?;
            if segment == HSA_AMD_SEGMENT_GLOBAL {
                ask(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, (&raw mut flags).cast())?;
            }
            ask(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, (&raw mut bytes).cast())?;
            Ok(Pool {
                pool,
                segment,
                flags,
                bytes,
            })
        })
        .collect()
}

/// The GPUs that the runtime shows, in its order.
pub(super) fn gpus(hsa: &Hsa) -> Result<Vec<Gpu>> {
    let agents = collect::<hsa_agent_t>(hsa, |add, list| {
        // SAFETY: the callback gets the list that it expects.
        unsafe { hsa.hsa_iterate_agents(Some(add), list) }
    })?;
    let (mut hosts, mut gpus) = (Vec::new(), Vec::new());
    for agent in agents {
        // SAFETY: both attributes are a u32.
        let (kind, feature) = unsafe {
            (
                info::<u32>(hsa, agent, HSA_AGENT_INFO_DEVICE)?,
                info::<u32>(hsa, agent, HSA_AGENT_INFO_FEATURE)?,
            )
        };
        match kind {
            HSA_DEVICE_TYPE_CPU => hosts.extend(pools(hsa, agent)?),
            HSA_DEVICE_TYPE_GPU if feature & HSA_AGENT_FEATURE_KERNEL_DISPATCH != 0 => gpus.push(agent),
            _ => {}
        }
    }
    let of_host = |wanted: u32, what: &str| {
        let found = hosts
            .iter()
            .find(|pool| pool.segment == HSA_AMD_SEGMENT_GLOBAL && pool.flags & wanted != 0);
        found
            .map(|pool| pool.pool)
            .ok_or_else(|| Error::Host(format!("the HSA runtime has no {what} host memory; is it complete?")))
    };
    gpus.into_iter()
        .enumerate()
        .map(|(ordinal, agent)| {
            let own = pools(hsa, agent)?;
            let coarse = own
                .iter()
                .find(|pool| pool.flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED != 0)
                .ok_or_else(|| Error::Host(format!("GPU {ordinal} has no memory of its own")))?;
            let group = own.iter().find(|pool| pool.segment == HSA_AMD_SEGMENT_GROUP);
            let properties = properties(
                hsa,
                agent,
                ordinal,
                coarse.bytes,
                group.map_or(64 << 10, |pool| pool.bytes),
            )?;
            Ok(Gpu {
                agent,
                properties,
                device_pool: coarse.pool,
                shared_pool: of_host(HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, "fine-grained")?,
                kernarg_pool: of_host(HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT, "kernel argument")?,
            })
        })
        .collect()
}

fn properties(
    hsa: &Hsa,
    agent: hsa_agent_t,
    ordinal: usize,
    memory_bytes: usize,
    group_bytes: usize,
) -> Result<Properties> {
    // SAFETY: the types are those of the attributes.
    let (lane_size, threads, by_dimension, units, clock, place, domain) = unsafe {
        (
            info::<u32>(hsa, agent, HSA_AGENT_INFO_WAVEFRONT_SIZE)?,
            info::<u32>(hsa, agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE)?,
            info::<[u16; 3]>(hsa, agent, HSA_AGENT_INFO_WORKGROUP_MAX_DIM)?,
            info::<u32>(hsa, agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT)?,
            info::<u64>(hsa, agent, HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY),
            info::<u32>(hsa, agent, HSA_AMD_AGENT_INFO_BDFID).unwrap_or(0),
            info::<u32>(hsa, agent, HSA_AMD_AGENT_INFO_DOMAIN).unwrap_or(0),
        )
    };
    let product = text(hsa, agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME)?;
    Ok(Properties {
        vendor: Vendor::Amd,
        ordinal,
        name: if product.is_empty() { "AMD GPU".into() } else { product },
        architecture: architecture(hsa, agent)?,
        lane_size,
        max_threads_per_block: threads,
        max_block: by_dimension.map(u32::from),
        // The interface limits threads, not blocks; the launch looks at their product.
        max_grid: [u32::MAX; 3],
        max_shared_bytes: group_bytes,
        max_shared_bytes_opt_in: group_bytes,
        multiprocessors: units,
        memory_bytes,
        // Bus, device and function, in 8, 5 and 3 bits.
        bus: format!(
            "{domain:04x}:{:02x}:{:02x}.{}",
            place >> 8 & 0xff,
            place >> 3 & 0x1f,
            place & 7
        ),
        clock_hz: clock.unwrap_or(USUAL_CLOCK_HZ),
    })
}

/// Ticks of the system's clock in a second: what waits are measured in.
pub(super) fn ticks_per_second(hsa: &Hsa) -> Result<u64> {
    let mut ticks = 0u64;
    // SAFETY: the attribute is a u64.
    let status = unsafe { hsa.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, (&raw mut ticks).cast()) };
    match status {
        HSA_STATUS_SUCCESS if ticks > 0 => Ok(ticks),
        status => Err(Error::Host(format!("{PURPOSE}: {}", describe(hsa, status)))),
    }
}
