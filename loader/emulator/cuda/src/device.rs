//! Devices: what there is, and what it is like.

use std::ffi::{c_char, c_int, c_uint};
use std::sync::{Arc, Mutex};

use emulator::memory::Memory;

use crate::attributes::{self, Traits};
use crate::border::{In, Out, Text, entries};
use crate::config::{self, Config};
use crate::context::Primary;
use crate::driver::driver;
use crate::lock;
use crate::pool::{self, Pool};
use crate::status::Status;

/// One emulated device.
pub struct Device {
    /// Its number among those that may be seen.
    pub ordinal: usize,
    /// Its number among those that there are.
    pub index: u32,
    /// Compute capability.
    pub capability: (u32, u32),
    /// The limits that follow from the compute capability.
    pub traits: Traits,
    /// Its memory, and what else its kernels may touch.
    pub memory: Arc<Memory>,
    /// The context that all users of the device share.
    pub primary: Mutex<Primary>,
    /// The pool that `cuMemAllocAsync` takes from when nobody has chosen another.
    pub default_pool: Arc<Pool>,
    /// The pool that `cuMemAllocAsync` takes from.
    pub current_pool: Mutex<Arc<Pool>>,
}

impl Device {
    /// The device with number `index` of the machine that `config` describes.
    pub fn new(ordinal: usize, index: u32, config: &Config) -> Arc<Device> {
        let default_pool = pool::create(ordinal, 0);
        Arc::new(Device {
            ordinal,
            index,
            capability: config.capability,
            traits: Traits::of(config.capability),
            memory: Arc::new(Memory::new(config.memory)),
            primary: Mutex::default(),
            current_pool: Mutex::new(default_pool.clone()),
            default_pool,
        })
    }

    /// What people call it.
    fn name(&self) -> String {
        format!("Emulated GPU (sm_{}{})", self.capability.0, self.capability.1)
    }

    /// Domain, bus, device and function on an imagined PCI bus.
    fn pci(&self) -> String {
        format!("0000:{:02x}:00.0", attributes::pci_bus(self.index))
    }
}

/// 16 bytes that tell devices apart.
pub type Uuid = [u8; 16];

/// What the oldest query of all answers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Properties {
    max_threads_per_block: c_int,
    max_threads: [c_int; 3],
    max_grid: [c_int; 3],
    shared_per_block: c_int,
    constant: c_int,
    warp_size: c_int,
    max_pitch: c_int,
    registers_per_block: c_int,
    clock_rate: c_int,
    texture_alignment: c_int,
}

/// Property of a pair of devices: how well they are connected, from 0, the best.
const P2P_PERFORMANCE_RANK: c_uint = 1;
/// The last property of a pair of devices.
const P2P_LAST: c_uint = 5;

entries! {
    /// The number of devices that may be seen.
    fn cuDeviceGetCount(count: Out<c_int>) {
        count.set(driver()?.devices.len() as c_int)
    }

    /// A device is known by its ordinal.
    fn cuDeviceGet(device: Out<c_int>, ordinal: c_int) {
        device.check()?;
        driver()?.device(ordinal)?;
        device.set(ordinal)
    }

    /// What people call the device.
    fn cuDeviceGetName(name: Out<c_char>, room: c_int, device: c_int) {
        name.set_text(&driver()?.device(device)?.name(), room.max(0) as usize)
    }

    /// 16 bytes that tell devices apart, the same in each run.
    fn cuDeviceGetUuid_v2 | cuDeviceGetUuid(uuid: Out<Uuid>, device: c_int) {
        uuid.set(config::uuid(driver()?.device(device)?.index))
    }

    /// The memory of a device in bytes.
    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: c_int) {
        bytes.set(driver()?.device(device)?.memory.limit() as usize)
    }

    /// One property of a device.
    fn cuDeviceGetAttribute(value: Out<c_int>, attribute: c_uint, device: c_int) {
        value.check()?;
        value.set(attributes::of_device(driver()?.device(device)?, attribute)?)
    }

    /// Major and minor number of the compute capability.
    fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: c_int) {
        let (of_major, of_minor) = driver()?.device(device)?.capability;
        minor.check()?;
        major.set(of_major as c_int)?;
        minor.set(of_minor as c_int)
    }

    /// What the oldest programs ask instead of single properties.
    fn cuDeviceGetProperties(properties: Out<Properties>, device: c_int) {
        let device = driver()?.device(device)?;
        let of = |attribute| attributes::of_device(device, attribute).unwrap_or(0);
        properties.set(Properties {
            max_threads_per_block: of(1),
            max_threads: [of(2), of(3), of(4)],
            max_grid: [of(5), of(6), of(7)],
            shared_per_block: of(8),
            constant: of(9),
            warp_size: of(10),
            max_pitch: of(11),
            registers_per_block: of(12),
            clock_rate: of(13),
            texture_alignment: of(14),
        })
    }

    /// The device's place on an imagined PCI bus.
    fn cuDeviceGetPCIBusId(text: Out<c_char>, room: c_int, device: c_int) {
        text.set_text(&driver()?.device(device)?.pci(), room.max(0) as usize)
    }

    /// Finds a device by its place; the domain and the function may be left out.
    fn cuDeviceGetByPCIBusId(device: Out<c_int>, place: Text) {
        device.check()?;
        let place = place.get()?.to_ascii_lowercase();
        let is_there = |pci: &str| {
            let short = pci.trim_start_matches("0000:");
            [pci, short, short.trim_end_matches(".0"), pci.trim_end_matches(".0")].contains(&&*place)
        };
        let found = driver()?.devices.iter().find(|device| is_there(&device.pci()));
        device.set(found.ok_or(Status::INVALID_DEVICE)?.ordinal as c_int)
    }

    /// Affinity to a part of the multiprocessors is not there.
    fn cuDeviceGetExecAffinitySupport(supported: Out<c_int>, _kind: c_uint, device: c_int) {
        driver()?.device(device)?;
        supported.set(0)
    }

    /// A kernel sees the memory of its own device and pinned memory, never that of another device.
    fn cuDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) {
        driver()?.device(device)?;
        driver()?.device(peer)?;
        can.set(0)
    }

    /// Nothing goes directly from one device to another.
    fn cuDeviceGetP2PAttribute(value: Out<c_int>, attribute: c_uint, from: c_int, to: c_int) {
        driver()?.device(from)?;
        driver()?.device(to)?;
        if from == to || !(P2P_PERFORMANCE_RANK..=P2P_LAST).contains(&attribute) {
            return Err(if from == to { Status::INVALID_DEVICE } else { Status::INVALID_VALUE });
        }
        value.set(0)
    }

    /// The pool that stands for the device's memory.
    fn cuDeviceGetDefaultMemPool(pool: Out<usize>, device: c_int) {
        pool.set(driver()?.device(device)?.default_pool.handle)
    }

    /// The pool that `cuMemAllocAsync` takes from.
    fn cuDeviceGetMemPool(pool: Out<usize>, device: c_int) {
        pool.set(lock(&driver()?.device(device)?.current_pool).handle)
    }

    /// Chooses the pool that `cuMemAllocAsync` takes from.
    fn cuDeviceSetMemPool(device: c_int, pool: usize) {
        let device = driver()?.device(device)?;
        let pool = pool::POOLS.get(pool)?;
        if pool.device != device.ordinal {
            return Err(Status::INVALID_VALUE);
        }
        *lock(&device.current_pool) = pool;
        Ok(())
    }

    /// Atomic operations between device and host: none, as behind PCIe.
    fn cuDeviceGetHostAtomicCapabilities(
        capabilities: Out<c_uint>,
        operations: In<c_uint>,
        count: c_uint,
        device: c_int,
    ) {
        driver()?.device(device)?;
        let operations = operations.list(count as usize)?;
        capabilities.set_first(operations.iter().map(|_| 0), count as usize)
    }
}
