//! Calls to the host.
//!
//! [`client`] is the way to services that have no function of their own here, for instance opcodes that an application has registered
//! with its host. All lanes that are active at [`Client::open`], with the same opcode, make the call together, each with its own data:
//!
//! ```ignore
//! let mut port = rpc::client().open(Opcode::TEST_INCREMENT);
//! let next = port.send_and_recv(|packet| packet.set(0, 41), |packet| packet.get(0));
//! ```

use core::sync::atomic::{AtomicU8, Ordering};

use rpc_proto::Shadow;
use rpc_proto::ext::{ExtClient, features};
use rpc_proto::layout::{ClientObject, Header};
use rpc_proto::raw::{Edges, RawMemory};
pub use rpc_proto::{Client, Lanes, Memory, Opcode, Packet, Port};

use crate::arch;

/// The object through which the host tells this image where the shared region is. Its presence in an image is what makes a loader start
/// a server, so it must not be there when nothing makes calls: linked once, dropped when unused. `llvm-gpu-loader` demands it all the
/// same.
///
/// What every image runs must therefore not be able to panic, without optimisation either: the panic handler makes calls.
#[cfg_attr(all(gpu, not(feature = "llvm-loader")), linkage = "linkonce_odr")]
#[cfg_attr(gpu, unsafe(export_name = "__llvm_rpc_client"))]
static mut CLIENT: ClientObject = ClientObject::ZERO;

/// The object through which a host of ours says which extensions it knows. All zero in the file, and with any other host.
#[cfg_attr(gpu, linkage = "linkonce_odr")]
#[cfg_attr(gpu, unsafe(export_name = "__rpc_ext_client"))]
static mut EXT: ExtClient = ExtClient::ZERO;

/// The client of this device, for calls made by all lanes that are active together.
#[inline]
pub fn client() -> Client<DeviceMemory, Warp> {
    Client::new(DeviceMemory::new(), Warp::ACTIVE)
}

/// The client for calls made by lanes that know one another in some other way than [`Warp`] does.
#[inline]
pub fn client_of<L: Lanes>(lanes: L) -> Client<DeviceMemory, L> {
    Client::new(DeviceMemory::new(), lanes)
}

/// The client for calls of a single lane that leave the others of its warp out of it, wherever they are.
///
/// On AMD at most one lane of a wavefront may use it at a time: two would wait for each other's port in lockstep.
pub(crate) fn lone_client() -> Client<DeviceMemory, Lone> {
    Client::new(DeviceMemory::new(), Lone)
}

/// Whether the host has said that it knows the opcodes of class `r`.
#[inline]
pub fn has_services() -> bool {
    offer(features::SERVICES).is_some()
}

/// What the host has said of its extensions, if it offers all of `features`.
#[inline(always)]
pub(crate) fn offer(features: u32) -> Option<ExtClient> {
    // SAFETY: the host wrote the object before the first kernel; on the device nobody ever does.
    let word = |at| unsafe { arch::load_fixed((&raw const EXT).cast::<u64>().add(at)) };
    let offer = ExtClient::from_words(core::array::from_fn(word));
    offer.has(features).then_some(offer)
}

/// The lanes of a warp that are active together.
#[derive(Clone, Copy, Debug)]
pub struct Warp(());

impl Warp {
    /// What [`client`] uses.
    pub(crate) const ACTIVE: Self = Self(());

    /// The same for a client of one's own.
    ///
    /// # Safety
    /// A mask goes to its functions in all lanes of it, in no other, and in the function that took it, with no branch in between; a
    /// [`Client`] sees to that.
    pub const unsafe fn new() -> Self {
        Self::ACTIVE
    }
}

impl Lanes for Warp {
    #[inline(always)]
    fn active(self) -> u64 {
        arch::active_mask()
    }

    #[inline(always)]
    fn active_with(self, value: u32) -> u64 {
        arch::active_mask_with(value)
    }

    #[inline(always)]
    fn lane(self) -> u32 {
        arch::lane_id()
    }

    #[inline(always)]
    fn broadcast(self, mask: u64, value: u32) -> u32 {
        // SAFETY: the client calls this in all lanes of the mask that it got from `active`.
        unsafe { arch::broadcast(mask, value) }
    }

    #[inline(always)]
    fn ballot(self, mask: u64, value: bool) -> u64 {
        // SAFETY: as in `broadcast`.
        unsafe { arch::ballot(mask, value) }
    }

    #[inline(always)]
    fn sync(self, mask: u64) {
        // SAFETY: as in `broadcast`.
        unsafe { arch::sync_lanes(mask) }
    }

    #[inline(always)]
    fn home(self) -> u32 {
        arch::home()
    }

    #[inline(always)]
    fn is_whole_warp(self, mask: u64) -> bool {
        mask == crate::warp::initial()
    }

    #[inline(always)]
    fn pause(self) {
        arch::sleep_briefly();
    }

    #[inline(always)]
    fn pause_longer(self, looks: u32) {
        arch::sleep_longer(looks);
    }

    #[inline(always)]
    fn pause_shorter(self, rounds: u32) {
        arch::sleep_shorter(rounds);
    }

    #[inline(always)]
    fn await_trip(self, lanes: u32) {
        arch::await_trip(lanes);
    }
}

/// One lane on its own. No operation involves another lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lone;

impl Lanes for Lone {
    fn active(self) -> u64 {
        1 << arch::lane_id()
    }

    fn lane(self) -> u32 {
        arch::lane_id()
    }

    fn broadcast(self, _mask: u64, value: u32) -> u32 {
        value
    }

    fn ballot(self, mask: u64, value: bool) -> u64 {
        if value { mask } else { 0 }
    }

    fn sync(self, _mask: u64) {}

    fn home(self) -> u32 {
        arch::home()
    }

    fn pause(self) {
        arch::sleep_briefly();
    }
}

/// The four edges as this GPU's instructions.
#[derive(Clone, Copy, Debug)]
pub struct DeviceEdges;

impl Edges for DeviceEdges {
    #[inline(always)]
    fn release_to_system() {
        arch::release_system();
    }

    #[inline(always)]
    fn acquire_from_system() {
        arch::acquire_system();
    }

    #[inline(always)]
    unsafe fn acquire_when(word: *mut u32, value: u32, pause: impl Fn(u32)) {
        // SAFETY: the caller vouches for the word.
        unsafe { arch::acquire_when(word, value, pause) }
    }

    #[inline(always)]
    unsafe fn try_lock(word: *mut u32, bit: u32) -> bool {
        // SAFETY: the caller vouches for the word; it is only accessed atomically.
        unsafe { arch::set_bit_acquire(word, bit) & bit == 0 }
    }

    #[inline(always)]
    unsafe fn unlock(word: *mut u32, bit: u32) {
        // SAFETY: as in `try_lock`.
        unsafe { arch::clear_bit_release(word, bit) }
    }

    #[inline(always)]
    fn pause() {
        arch::sleep_briefly();
    }
}

/// The device's side of the shared region, with the shadows that a host of ours provides.
#[derive(Clone, Copy, Debug)]
pub struct DeviceMemory {
    raw: RawMemory<DeviceEdges>,
    /// One byte for each port, or null.
    shadows: *mut u8,
}

impl DeviceMemory {
    #[inline(always)]
    fn new() -> Self {
        Self {
            // SAFETY: the host wrote the object before the first kernel, and its region lives until the last one has ended.
            raw: unsafe { RawMemory::from_object_by(&raw mut CLIENT, arch::lane_count(), |at| arch::load_fixed(at)) },
            shadows: offer(features::SHADOW).map_or(core::ptr::null_mut(), |offer| offer.shadow as *mut u8),
        }
    }

    /// The shadow byte of a port, where the host provides them.
    #[inline(always)]
    fn shadow(&self, port: u32) -> Option<&AtomicU8> {
        if self.shadows.is_null() {
            return None;
        }
        // SAFETY: the host offers one byte for each port, in device memory.
        Some(unsafe { AtomicU8::from_ptr(self.shadows.add(port as usize)) })
    }
}

impl Memory for DeviceMemory {
    #[inline(always)]
    fn ports(&self) -> u32 {
        self.raw.ports()
    }

    #[inline(always)]
    fn load_inbox(&self, port: u32) -> u32 {
        self.raw.load_inbox(port)
    }

    #[inline(always)]
    fn load_outbox(&self, port: u32) -> u32 {
        self.raw.load_outbox(port)
    }

    #[inline(always)]
    fn give(&self, port: u32, value: u32) {
        self.raw.give(port, value);
    }

    #[inline(always)]
    fn take(&self) {
        self.raw.take();
    }

    #[inline(always)]
    fn take_when(&self, port: u32, value: u32, pause: impl Fn(u32)) {
        self.raw.take_when(port, value, pause);
    }

    #[inline(always)]
    fn try_lock(&self, port: u32) -> bool {
        self.raw.try_lock(port)
    }

    #[inline(always)]
    fn unlock(&self, port: u32) {
        self.raw.unlock(port);
    }

    #[inline(always)]
    fn load_header(&self, port: u32) -> Header {
        self.raw.load_header(port)
    }

    #[inline(always)]
    fn store_header(&self, port: u32, header: Header) {
        self.raw.store_header(port, header);
    }

    #[inline(always)]
    fn load_word(&self, port: u32, lane: u32, word: u32) -> u64 {
        self.raw.load_word(port, lane, word)
    }

    #[inline(always)]
    fn store_word(&self, port: u32, lane: u32, word: u32, value: u64) {
        self.raw.store_word(port, lane, word, value);
    }

    #[inline(always)]
    fn pause(&self) {
        self.raw.pause();
    }

    #[inline(always)]
    fn load_shadow(&self, port: u32) -> Option<Shadow> {
        // Relaxed: the lock orders the shadows of its port.
        self.shadow(port).map(|byte| Shadow(byte.load(Ordering::Relaxed)))
    }

    #[inline(always)]
    fn store_shadow(&self, port: u32, shadow: Shadow) {
        if let Some(byte) = self.shadow(port) {
            byte.store(shadow.0, Ordering::Relaxed);
        }
    }
}
