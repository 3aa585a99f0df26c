//! The runtime between `hsa_init` and `hsa_shut_down`: the machine, and everything in it.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use emulator::memory::{Kind, Memory};
use hsa_sys::hsa_agent_t;

use crate::agent::{self, Agent, Gpu};
use crate::border::{entries, say};
use crate::code::Code;
use crate::config::{Config, host_memory};
use crate::events::{Events, Handler};
use crate::memory::Buffers;
use crate::queue::Queues;
use crate::signal;
use crate::status::{Result, Status};

/// Everything that lives until the last `hsa_shut_down`.
pub struct Runtime {
    /// The GPUs that can be seen.
    pub gpus: Vec<Arc<Gpu>>,
    /// Memory of the host that GPUs can be given access to.
    pub host: Memory,
    /// What was allocated from pools or locked, on all agents.
    pub buffers: Buffers,
    /// Readers and executables.
    pub code: Code,
    /// The queues.
    pub queues: Queues,
    /// The thread that calls signal handlers and copies.
    pub events: Events,
    /// Who wants to know of memory faults.
    pub fault_handler: Mutex<Option<Handler>>,
}

struct State {
    /// How often `hsa_init` was called and `hsa_shut_down` was not.
    count: u32,
    runtime: Option<Arc<Runtime>>,
}

static STATE: RwLock<State> = RwLock::new(State {
    count: 0,
    runtime: None,
});

/// The runtime, if it is initialised.
pub fn runtime() -> Result<Arc<Runtime>> {
    let state = STATE.read().unwrap_or_else(PoisonError::into_inner);
    state.runtime.clone().ok_or(Status::NOT_INITIALIZED)
}

impl Runtime {
    fn new(config: &Config) -> Result<Runtime> {
        let host = Memory::new(host_memory());
        let gpus: Vec<_> = config
            .gpus
            .iter()
            .enumerate()
            .map(|(index, gpu)| Arc::new(Gpu::new(index, *gpu, config)))
            .collect();
        let (base, len) = signal::arena()?;
        for gpu in &gpus {
            // SAFETY: the signals' memory is never unmapped, and accessed atomically only.
            unsafe { gpu.memory.register(base, len, Kind::Pinned, "signals") }.map_err(|_| Status::OUT_OF_RESOURCES)?;
        }
        Ok(Runtime {
            gpus,
            host,
            buffers: Buffers::default(),
            code: Code::default(),
            queues: Queues::default(),
            events: Events::start()?,
            fault_handler: Mutex::default(),
        })
    }

    /// Finds an agent.
    pub fn agent(&self, agent: hsa_agent_t) -> Result<Agent> {
        if agent.handle == agent::HOST.handle {
            return Ok(Agent::Host);
        }
        self.gpu(agent).cloned().map(Agent::Gpu)
    }

    /// Finds a GPU.
    pub fn gpu(&self, agent: hsa_agent_t) -> Result<&Arc<Gpu>> {
        self.gpus
            .iter()
            .find(|gpu| gpu.handle().handle == agent.handle)
            .ok_or(Status::AGENT)
    }
}

entries! {
    /// Starts the runtime, or counts one more user of it.
    fn hsa_init() {
        let mut state = STATE.write().unwrap_or_else(PoisonError::into_inner);
        state.count = state.count.checked_add(1).ok_or(Status::REFCOUNT)?;
        if state.runtime.is_some() {
            return Ok(());
        }
        let made = Config::from_environment()
            .map_err(|error| {
                say(&error);
                Status::OUT_OF_RESOURCES
            })
            .and_then(|config| Runtime::new(&config));
        match made {
            Ok(runtime) => state.runtime = Some(Arc::new(runtime)),
            Err(status) => {
                state.count = 0;
                return Err(status);
            }
        }
        Ok(())
    }

    /// Counts one user less; the last one ends all queues and frees everything.
    fn hsa_shut_down() {
        let ended = {
            let mut state = STATE.write().unwrap_or_else(PoisonError::into_inner);
            state.count = state.count.checked_sub(1).ok_or(Status::NOT_INITIALIZED)?;
            if state.count > 0 {
                return Ok(());
            }
            state.runtime.take().map(|runtime| (runtime, signal::end_era()))
        };
        // Outside of the lock: threads that end may be in the middle of a call, and others may start the next runtime.
        if let Some((runtime, era)) = ended {
            runtime.queues.end_all();
            runtime.events.stop();
            signal::destroy_all(era);
        }
        Ok(())
    }
}
