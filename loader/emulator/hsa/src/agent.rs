//! Agents: the CPU, and the GPUs that are emulated.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use emulator::amdgcn::target::Target;
use emulator::memory::Memory;
use hsa_sys::later::*;
use hsa_sys::*;

use crate::border::{Answer, Out, entries, go_on};
use crate::chip::{self, Chip, chip};
use crate::config::{Config, GpuConfig, Schedule};
use crate::image::Kernel;
use crate::isa::Isa;
use crate::runtime::runtime;
use crate::status::{Result, Status};
use crate::system;

const HANDLE: u64 = 0xea6e << 48;

/// The CPU.
pub const HOST: hsa_agent_t = hsa_agent_t { handle: HANDLE };

/// Packets that fit into a queue.
pub const QUEUE_SIZES: std::ops::RangeInclusive<u32> = 64..=131_072;
/// Queues that a GPU has.
pub const QUEUES_MAX: u32 = 128;

/// A GPU.
pub struct Gpu {
    /// Position in the list of GPUs.
    pub index: usize,
    /// What the environment says about it.
    pub config: GpuConfig,
    /// In which order things happen while its kernels run.
    pub schedule: Schedule,
    /// Its instruction set.
    pub isa: Isa,
    /// What its kernels can touch: its own memory, and what it was given access to.
    pub memory: Memory,
    /// The kernels that are loaded, by the address of their descriptor.
    pub kernels: Mutex<BTreeMap<u64, Arc<Kernel>>>,
}

/// Any agent.
#[derive(Clone)]
pub enum Agent {
    /// The CPU.
    Host,
    /// A GPU.
    Gpu(Arc<Gpu>),
}

impl Gpu {
    /// Makes a GPU.
    pub fn new(index: usize, gpu: GpuConfig, config: &Config) -> Gpu {
        Gpu {
            index,
            config: gpu,
            schedule: config.schedule,
            isa: Isa::new(gpu.target, config.xnack),
            memory: Memory::new(config.memory),
            kernels: Mutex::default(),
        }
    }

    /// Its handle.
    pub fn handle(&self) -> hsa_agent_t {
        hsa_agent_t {
            handle: HANDLE | ((self.index as u64 + 1) << 4),
        }
    }

    /// Its processor.
    pub fn target(&self) -> Target {
        self.isa.target
    }

    /// The card that it stands for.
    pub fn chip(&self) -> &'static Chip {
        chip(self.isa.target)
    }

    /// Its number among the nodes of the machine; the CPU is node 0.
    fn node(&self) -> u32 {
        self.config.position + 1
    }
}

impl Agent {
    /// The GPU, if it is one.
    pub fn gpu(&self) -> Option<&Arc<Gpu>> {
        match self {
            Agent::Host => None,
            Agent::Gpu(gpu) => Some(gpu),
        }
    }

    /// Its handle.
    pub fn handle(&self) -> hsa_agent_t {
        self.gpu().map_or(HOST, |gpu| gpu.handle())
    }

    fn info(&self, attribute: hsa_agent_info_t, answer: Answer) -> Result {
        let gpu = self.gpu();
        let chip = gpu.map(|gpu| gpu.chip());
        // What a CPU answers to a question about compute units: it has none.
        let of_gpu = |value: u32| gpu.map_or(0, |_| value);
        let of_chip = |value: fn(&Chip) -> u32| chip.map_or(0, value);
        match attribute {
            HSA_AGENT_INFO_NAME => match gpu {
                Some(gpu) => answer.set_padded(gpu.target().name(), 64),
                None => answer.set_padded("emulated host", 64),
            },
            HSA_AGENT_INFO_VENDOR_NAME => answer.set_padded(if gpu.is_some() { "AMD" } else { "CPU" }, 64),
            HSA_AGENT_INFO_FEATURE => answer.set(of_gpu(HSA_AGENT_FEATURE_KERNEL_DISPATCH)),
            HSA_AGENT_INFO_MACHINE_MODEL => answer.set(HSA_MACHINE_MODEL_LARGE),
            HSA_AGENT_INFO_PROFILE => answer.set(match gpu {
                Some(_) => HSA_PROFILE_BASE,
                None => HSA_PROFILE_FULL,
            }),
            HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE => answer.set(HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR),
            HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES => {
                answer.set(of_gpu(1 << HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR))
            }
            HSA_AGENT_INFO_FAST_F16_OPERATION => answer.set(gpu.is_some()),
            HSA_AGENT_INFO_WAVEFRONT_SIZE => answer.set(gpu.map_or(0, |gpu| gpu.target().default_wave().lanes())),
            HSA_AGENT_INFO_WORKGROUP_MAX_DIM => answer.set([of_gpu(chip::WORKGROUP_MAX) as u16; 3]),
            HSA_AGENT_INFO_WORKGROUP_MAX_SIZE => answer.set(of_gpu(chip::WORKGROUP_MAX)),
            HSA_AGENT_INFO_GRID_MAX_DIM => {
                let most = of_gpu(chip::GRID_MAX);
                answer.set(hsa_dim3_t {
                    x: most,
                    y: most,
                    z: most,
                })
            }
            HSA_AGENT_INFO_GRID_MAX_SIZE => answer.set(of_gpu(chip::GRID_MAX)),
            HSA_AGENT_INFO_FBARRIER_MAX_SIZE => answer.set(of_gpu(32)),
            HSA_AGENT_INFO_QUEUES_MAX => answer.set(of_gpu(QUEUES_MAX)),
            HSA_AGENT_INFO_QUEUE_MIN_SIZE => answer.set(of_gpu(*QUEUE_SIZES.start())),
            HSA_AGENT_INFO_QUEUE_MAX_SIZE => answer.set(of_gpu(*QUEUE_SIZES.end())),
            HSA_AGENT_INFO_QUEUE_TYPE => answer.set(HSA_QUEUE_TYPE_MULTI),
            HSA_AGENT_INFO_NODE | HSA_AMD_AGENT_INFO_DRIVER_NODE_ID => answer.set(gpu.map_or(0, |gpu| gpu.node())),
            HSA_AGENT_INFO_DEVICE => answer.set(match gpu {
                Some(_) => HSA_DEVICE_TYPE_GPU,
                None => HSA_DEVICE_TYPE_CPU,
            }),
            HSA_AGENT_INFO_CACHE_SIZE => {
                let [first, second] = chip.map_or([0; 2], |chip| chip.caches);
                answer.set([first, second, 0, 0])
            }
            HSA_AGENT_INFO_ISA => answer.set(gpu.map_or(hsa_isa_t { handle: 0 }, |gpu| gpu.isa.handle())),
            HSA_AGENT_INFO_EXTENSIONS => answer.set(system::EXTENSION_BITS),
            HSA_AGENT_INFO_VERSION_MAJOR => answer.set(system::VERSION.0),
            HSA_AGENT_INFO_VERSION_MINOR => answer.set(system::VERSION.1),
            _ => self.amd_info(attribute, answer, of_gpu, of_chip),
        }
    }

    fn amd_info(
        &self,
        attribute: hsa_agent_info_t,
        answer: Answer,
        of_gpu: impl Fn(u32) -> u32,
        of_chip: impl Fn(fn(&Chip) -> u32) -> u32,
    ) -> Result {
        let gpu = self.gpu();
        match attribute {
            HSA_AMD_AGENT_INFO_CHIP_ID => answer.set(of_chip(|chip| chip.chip_id)),
            HSA_AMD_AGENT_INFO_CACHELINE_SIZE => answer.set(gpu.map_or(64, |gpu| gpu.chip().cache_line)),
            HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT | HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT => {
                answer.set(gpu.map_or(system::cpus(), |gpu| gpu.chip().compute_units))
            }
            HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY => answer.set(of_chip(|chip| chip.clock)),
            HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS => answer.set(of_gpu(4)),
            // Bus number, device and function: one bus for each GPU.
            HSA_AMD_AGENT_INFO_BDFID => answer.set(gpu.map_or(0, |gpu| gpu.node() << 8)),
            HSA_AMD_AGENT_INFO_MEMORY_WIDTH => answer.set(of_chip(|chip| chip.memory_width)),
            HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY => answer.set(of_chip(|chip| chip.memory_clock)),
            HSA_AMD_AGENT_INFO_PRODUCT_NAME => {
                answer.set_padded(gpu.map_or("emulated host", |gpu| gpu.chip().product), 64)
            }
            HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU => answer.set(of_chip(|chip| chip.waves)),
            HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU => answer.set(of_chip(|chip| chip.simds)),
            HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES => answer.set(of_chip(|chip| chip.engines[0])),
            HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE => answer.set(of_chip(|chip| chip.engines[1])),
            HSA_AMD_AGENT_INFO_HDP_FLUSH => answer.set([0u64; 2]),
            HSA_AMD_AGENT_INFO_DOMAIN => answer.set(0u32),
            HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES => answer.set(false),
            HSA_AMD_AGENT_INFO_UUID => match gpu {
                Some(gpu) => answer.set_padded(&format!("GPU-{:016x}", gpu.config.uuid()), 21),
                None => answer.set_padded("CPU-XX", 21),
            },
            HSA_AMD_AGENT_INFO_ASIC_REVISION => answer.set(0u32),
            HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS => answer.set(true),
            HSA_AMD_AGENT_INFO_MEMORY_AVAIL => {
                let free = gpu.map(|gpu| gpu.memory.limit() - gpu.memory.used());
                answer.set(free.unwrap_or_else(crate::config::host_memory))
            }
            HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY => answer.set(gpu.map_or(system::CLOCK_HZ, |_| chip::CLOCK_HZ)),
            HSA_AMD_AGENT_INFO_NUM_SDMA_ENG => answer.set(of_gpu(2)),
            HSA_AMD_AGENT_INFO_NUM_XCC => answer.set(of_chip(|chip| chip.dies)),
            HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID
            | HSA_AMD_AGENT_INFO_UCODE_VERSION
            | HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION
            | HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG
            | HSA_AMD_AGENT_INFO_IOMMU_SUPPORT => answer.set(0u32),
            HSA_AMD_AGENT_INFO_DRIVER_UID => answer.set(gpu.map_or(0, |gpu| gpu.node())),
            HSA_AMD_AGENT_INFO_NEAREST_CPU => answer.set(HOST),
            HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES | HSA_AMD_AGENT_INFO_AQL_EXTENSIONS => answer.set([0u8; 8]),
            _ => Err(Status::ARGUMENT),
        }
    }
}

/// Handles of caches carry the agent's position and the level.
const CACHE: u64 = 0xecac << 48;

entries! {
    /// Calls back with each agent, the CPU first.
    fn hsa_iterate_agents(
        callback: Option<
            unsafe extern "C" fn(agent: hsa_agent_t, data: *mut c_void) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        let gpus = runtime.gpus.iter().map(|gpu| gpu.handle());
        std::iter::once(HOST).chain(gpus).try_for_each(|agent| {
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(agent, data) })
        })
    }

    /// Answers a question about an agent.
    fn hsa_agent_get_info(
        agent: hsa_agent_t,
        attribute: hsa_agent_info_t,
        value: *mut c_void,
    ) {
        runtime()?.agent(agent)?.info(attribute, Answer(value))
    }

    /// Says how exceptions are handled: they are recorded, not raised.
    fn hsa_agent_get_exception_policies(
        agent: hsa_agent_t,
        _profile: hsa_profile_t,
        mask: *mut u16,
    ) {
        runtime()?.agent(agent)?;
        Out(mask).set(0)
    }

    /// Calls back with each cache of an agent.
    fn hsa_agent_iterate_caches(
        agent: hsa_agent_t,
        callback: Option<
            unsafe extern "C" fn(cache: hsa_cache_t, data: *mut c_void) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let agent = runtime.agent(agent)?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        let Some(gpu) = agent.gpu() else { return Ok(()) };
        [1, 2].into_iter().try_for_each(|level| {
            let cache = hsa_cache_t { handle: CACHE | (gpu.index as u64) << 4 | level };
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(cache, data) })
        })
    }

    /// Answers a question about a cache.
    fn hsa_cache_get_info(
        cache: hsa_cache_t,
        attribute: hsa_cache_info_t,
        value: *mut c_void,
    ) {
        let runtime = runtime()?;
        let number = cache.handle ^ CACHE;
        let (index, level) = (number >> 4, number & 0xf);
        let gpu = runtime.gpus.get(index as usize).ok_or(Status::CACHE)?;
        let (name, size) = match level {
            1 => ("L1", gpu.chip().caches[0]),
            2 => ("L2", gpu.chip().caches[1]),
            _ => return Err(Status::CACHE),
        };
        let name = format!("{} {name}", gpu.target());
        match attribute {
            HSA_CACHE_INFO_NAME_LENGTH => Answer(value).set(name.len() as u32),
            HSA_CACHE_INFO_NAME => Answer(value).set_exact(&name),
            HSA_CACHE_INFO_LEVEL => Answer(value).set(level as u8),
            HSA_CACHE_INFO_SIZE => Answer(value).set(size),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Says whether memory is coherent between an agent and the host: always.
    fn hsa_amd_coherency_get_type(agent: hsa_agent_t, type_: *mut hsa_amd_coherency_type_t) {
        runtime()?.gpu(agent)?;
        Out(type_).set(HSA_AMD_COHERENCY_TYPE_COHERENT)
    }

    /// Chooses whether memory is coherent; the emulator's is, which suits either choice.
    fn hsa_amd_coherency_set_type(agent: hsa_agent_t, type_: hsa_amd_coherency_type_t) {
        runtime()?.gpu(agent)?;
        match type_ {
            HSA_AMD_COHERENCY_TYPE_COHERENT | HSA_AMD_COHERENCY_TYPE_NONCOHERENT => Ok(()),
            _ => Err(Status::ARGUMENT),
        }
    }
}
