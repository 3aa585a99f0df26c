//! Memory pools: where memory can be had, and from whom.

use std::ffi::c_void;

use hsa_sys::*;

use crate::agent::Agent;
use crate::border::{Answer, entries, go_on};
use crate::chip;
use crate::config::host_memory;
use crate::runtime::{Runtime, runtime};
use crate::status::{Result, Status};

/// What a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Of the host, coherent while kernels run.
    HostFine,
    /// Of the host, for arguments of kernels.
    HostKernarg,
    /// Of the host, coherent between kernels.
    HostCoarse,
    /// Of a GPU, coherent between kernels.
    DeviceCoarse,
    /// Of a GPU, coherent while kernels run.
    DeviceFine,
    /// What the work-items of a work-group share. Kernels have it, nobody can allocate it.
    Group,
}

const HOST_POOLS: [Sort; 3] = [Sort::HostFine, Sort::HostKernarg, Sort::HostCoarse];
const GPU_POOLS: [Sort; 3] = [Sort::DeviceCoarse, Sort::DeviceFine, Sort::Group];

/// A pool of an agent.
#[derive(Clone)]
pub struct Pool {
    /// Whose it is.
    pub agent: Agent,
    /// What it is.
    pub sort: Sort,
}

/// What sizes and addresses of allocations are multiples of.
const GRANULE: usize = 4096;
const HANDLE: u64 = 0xe900 << 48;

impl Pool {
    /// The pools of an agent.
    pub fn of(agent: &Agent) -> Vec<Pool> {
        let sorts = if agent.gpu().is_some() { GPU_POOLS } else { HOST_POOLS };
        sorts
            .map(|sort| Pool {
                agent: agent.clone(),
                sort,
            })
            .into()
    }

    /// Its handle; also as a region, the older word for the same thing.
    pub fn handle(&self) -> u64 {
        let agent = self.agent.gpu().map_or(0, |gpu| gpu.index as u64 + 1);
        HANDLE | agent << 8 | self.sort as u64
    }

    /// The pool that has a handle.
    pub fn find(runtime: &Runtime, handle: u64) -> Result<Pool> {
        let host = std::iter::once(Agent::Host);
        let gpus = runtime.gpus.iter().cloned().map(Agent::Gpu);
        host.chain(gpus)
            .flat_map(|agent| Pool::of(&agent))
            .find(|pool| pool.handle() == handle)
            .ok_or(Status::MEMORY_POOL)
    }

    /// Whether memory can be allocated there.
    pub fn can_allocate(&self) -> bool {
        self.sort != Sort::Group
    }

    fn segment(&self) -> hsa_amd_segment_t {
        if self.sort == Sort::Group {
            HSA_AMD_SEGMENT_GROUP
        } else {
            HSA_AMD_SEGMENT_GLOBAL
        }
    }

    /// Its flags, which are the same bits for pools and regions.
    pub fn flags(&self) -> u32 {
        match self.sort {
            Sort::HostFine | Sort::DeviceFine => HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
            Sort::HostKernarg => {
                HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT
            }
            Sort::HostCoarse | Sort::DeviceCoarse => HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
            Sort::Group => 0,
        }
    }

    /// Bytes in it.
    pub fn size(&self) -> usize {
        match (&self.agent, self.sort) {
            (_, Sort::Group) => chip::GROUP_BYTES as usize,
            (Agent::Gpu(gpu), _) => gpu.memory.limit() as usize,
            (Agent::Host, _) => host_memory() as usize,
        }
    }

    /// Whether an agent may use memory of it, may do so once allowed, or never.
    fn access(&self, agent: &Agent) -> hsa_amd_memory_pool_access_t {
        let own = self.agent.handle().handle == agent.handle().handle;
        match (own, self.sort) {
            (true, _) => HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT,
            (false, Sort::Group) => HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED,
            (false, _) => HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT,
        }
    }
}

/// A way between two agents, as far as one is asked about: PCI Express, coherent.
fn link() -> hsa_amd_memory_pool_link_info_t {
    hsa_amd_memory_pool_link_info_t {
        min_latency: 0,
        max_latency: 0,
        min_bandwidth: 0,
        max_bandwidth: 0,
        atomic_support_32bit: true,
        atomic_support_64bit: true,
        coherent_support: true,
        link_type: HSA_AMD_LINK_INFO_TYPE_PCIE,
        numa_distance: 20,
    }
}

entries! {
    /// Calls back with each pool of an agent.
    fn hsa_amd_agent_iterate_memory_pools(
        agent: hsa_agent_t,
        callback: Option<
            unsafe extern "C" fn(
                memory_pool: hsa_amd_memory_pool_t,
                data: *mut c_void,
            ) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let agent = runtime()?.agent(agent)?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        Pool::of(&agent).into_iter().try_for_each(|pool| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(hsa_amd_memory_pool_t { handle: pool.handle() }, data) })
        })
    }

    /// Answers a question about a pool.
    fn hsa_amd_memory_pool_get_info(
        memory_pool: hsa_amd_memory_pool_t,
        attribute: hsa_amd_memory_pool_info_t,
        value: *mut c_void,
    ) {
        let runtime = runtime()?;
        let pool = Pool::find(&runtime, memory_pool.handle)?;
        let answer = Answer(value);
        match attribute {
            HSA_AMD_MEMORY_POOL_INFO_SEGMENT => answer.set(pool.segment()),
            HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS => answer.set(pool.flags()),
            HSA_AMD_MEMORY_POOL_INFO_SIZE | HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE => {
                answer.set(pool.size())
            }
            HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED => answer.set(pool.can_allocate()),
            HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE
            | HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT => {
                answer.set(if pool.can_allocate() { GRANULE } else { 0 })
            }
            HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL => answer.set(pool.can_allocate()),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Answers a question about a pool as an agent sees it.
    fn hsa_amd_agent_memory_pool_get_info(
        agent: hsa_agent_t,
        memory_pool: hsa_amd_memory_pool_t,
        attribute: hsa_amd_agent_memory_pool_info_t,
        value: *mut c_void,
    ) {
        let runtime = runtime()?;
        let agent = runtime.agent(agent)?;
        let pool = Pool::find(&runtime, memory_pool.handle)?;
        let hops = u32::from(pool.agent.handle().handle != agent.handle().handle);
        let answer = Answer(value);
        match attribute {
            HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS => answer.set(pool.access(&agent)),
            HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS => answer.set(hops),
            // One description for each hop; where there is none there is nothing to write.
            HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO if hops == 0 => Ok(()),
            HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO => answer.set(link()),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Says whether memory can move between two pools: it cannot.
    fn hsa_amd_memory_pool_can_migrate(
        src_memory_pool: hsa_amd_memory_pool_t,
        dst_memory_pool: hsa_amd_memory_pool_t,
        result: *mut bool,
    ) {
        let runtime = runtime()?;
        Pool::find(&runtime, src_memory_pool.handle)?;
        Pool::find(&runtime, dst_memory_pool.handle)?;
        Answer(result.cast()).set(false)
    }

    /// Moves memory to another pool, which the emulator's cannot.
    fn hsa_amd_memory_migrate(
        _ptr: *const c_void,
        memory_pool: hsa_amd_memory_pool_t,
        _flags: u32,
    ) {
        let runtime = runtime()?;
        Pool::find(&runtime, memory_pool.handle)?;
        Err(Status::OUT_OF_RESOURCES)
    }

    /// Calls back with each region of an agent: its pools, under their older name.
    fn hsa_agent_iterate_regions(
        agent: hsa_agent_t,
        callback: Option<
            unsafe extern "C" fn(region: hsa_region_t, data: *mut c_void) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let agent = runtime()?.agent(agent)?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        Pool::of(&agent).into_iter().try_for_each(|pool| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(hsa_region_t { handle: pool.handle() }, data) })
        })
    }

    /// Answers a question about a region.
    fn hsa_region_get_info(
        region: hsa_region_t,
        attribute: hsa_region_info_t,
        value: *mut c_void,
    ) {
        let runtime = runtime()?;
        let pool = Pool::find(&runtime, region.handle).map_err(|_| Status::REGION)?;
        let answer = Answer(value);
        // The numbers of the AMD attributes lie outside of the enumeration.
        const HOST_ACCESSIBLE: u32 = HSA_AMD_REGION_INFO_HOST_ACCESSIBLE;
        match attribute {
            HSA_REGION_INFO_SEGMENT => answer.set(match pool.sort {
                Sort::Group => HSA_REGION_SEGMENT_GROUP,
                _ => HSA_REGION_SEGMENT_GLOBAL,
            }),
            HSA_REGION_INFO_GLOBAL_FLAGS => answer.set(pool.flags()),
            HSA_REGION_INFO_SIZE | HSA_REGION_INFO_ALLOC_MAX_SIZE => answer.set(pool.size()),
            HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE => answer.set(0u32),
            HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED => answer.set(pool.can_allocate()),
            HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE
            | HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT => {
                answer.set(if pool.can_allocate() { GRANULE } else { 0 })
            }
            HOST_ACCESSIBLE => answer.set(pool.can_allocate()),
            _ => Err(Status::ARGUMENT),
        }
    }
}
