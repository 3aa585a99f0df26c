//! Express calls: small payloads, several times as fast as a port, where the host offers them.
//!
//! ```ignore
//! let [sum, _] = express::call(ADD, [40, 2]);
//! express::post(PROGRESS, [step]);
//! ```
//!
//! With a host that does not offer them the same call goes through a port, as one packet each way. See
//! [`rpc_proto::express`] for what travels.

use rpc_proto::{
    Lanes,
    express::{Client, Shape, Slots, text},
    ext::features,
    layout::BUFFER_WORDS,
    raw::RawSlots,
};

use crate::rpc::{self, Lone, Opcode, Warp};
use crate::{arch, warp};

/// Words that fit into one packet, and so into a call that may have to go through a port.
const PACKET_WORDS: usize = BUFFER_WORDS as usize;

/// Call the host with each active lane's `words`, up to 8; the answer has as many.
///
/// The host registers the function with `Registry::on_call`.
#[inline(always)]
pub fn call<const N: usize>(opcode: Opcode, words: [u64; N]) -> [u64; N] {
    const { assert!(N >= 1 && N <= PACKET_WORDS, "a call carries 1 to 8 words") };
    match client() {
        Some(client) if client.takes(opcode, N) => client.call(opcode, &words),
        _ => call_by_port(opcode, words),
    }
}

/// What remains where the host does not offer express calls: kept out of the way of those.
#[cold]
#[inline(never)]
fn call_by_port<const N: usize>(opcode: Opcode, words: [u64; N]) -> [u64; N] {
    rpc::client().open(opcode).send_and_recv(
        |packet| (0..N as u32).for_each(|at| packet.set(at, words[at as usize])),
        |packet| core::array::from_fn(|at| packet.get(at as u32)),
    )
}

/// Tell the host each active lane's `words`, up to 8, without waiting. What one thread posts arrives in order.
///
/// Where the host does not offer express calls this waits for its turn on a port.
#[inline(always)]
pub fn post<const N: usize>(opcode: Opcode, words: [u64; N]) {
    const { assert!(N >= 1 && N <= PACKET_WORDS, "a call carries 1 to 8 words") };
    match client() {
        Some(client) if client.takes(opcode, N) => client.post(opcode, &words),
        // The answer is waited for: only so do messages of one thread stay in order on whatever ports they take.
        _ => _ = call_by_port(opcode, words),
    }
}

/// Wait until the host has taken all that this warp posted. Called before anything that must not overtake it.
#[inline]
pub fn flush() {
    if let Some(client) = client() {
        client.flush();
    }
}

/// The same for a lane on its own, as [`rpc::lone_client`] explains.
pub(crate) fn flush_lone() {
    if let Some(client) = client_of(Lone, features::EXPRESS) {
        client.flush();
    }
}

/// Tells the host each active lane's text, if it takes texts by express and this one is short; whether it does. With `wait`
/// the number of bytes written comes back.
///
/// The texts of one thread arrive in order, each in one piece.
#[inline(always)]
pub(crate) fn write(opcode: Opcode, bytes: &[u8], wait: bool) -> Option<usize> {
    let client = client_with(features::EXPRESS_TEXT)?;
    let own = text::rows(bytes.len());
    if bytes.len() > text::longest(client.rows()) {
        // Comes after all that went before by a way that does not wait for it.
        client.flush();
        return None;
    }
    // As many rows as the longest text of those lanes takes that ask for the same: opcodes that go by express have bit 20 free.
    let mask = arch::active_mask_with(opcode.0 | u32::from(wait) << 20);
    let (mut longest, mut rows) = (true, 0);
    for bit in [16, 8, 4, 2, 1] {
        // SAFETY: all lanes of the mask, which was taken right here, go through this loop.
        if unsafe { arch::ballot(mask, longest && own & bit != 0) } != 0 {
            longest &= own & bit != 0;
            rows |= bit;
        }
    }
    let mut written = bytes.len();
    let word = |row| text::word(bytes, row);
    if wait {
        client.call_rows(mask, opcode, rows, word, |row, word| {
            if row == 0 {
                written = word as usize;
            }
        });
    } else {
        client.post_rows(mask, opcode, rows, word);
    }
    Some(written)
}

/// The express client of this thread's warp, if the host offers such calls.
#[inline(always)]
pub(crate) fn client() -> Option<Client<DeviceSlots, Warp>> {
    client_with(0)
}

/// The same if the host offers `features` with them.
#[inline(always)]
pub(crate) fn client_with(features: u32) -> Option<Client<DeviceSlots, Warp>> {
    client_of(Warp::ACTIVE, features::EXPRESS | features)
}

#[inline(always)]
fn client_of<L: Lanes>(lanes: L, features: u32) -> Option<Client<DeviceSlots, L>> {
    let offer = rpc::offer(features)?;
    let shape = Shape {
        slots: offer.express_slots,
        lanes: offer.express_lanes,
        rows: offer.express_rows,
        wrap: offer.express_wrap,
        hinted: !offer.has(features::EXPRESS_UNHINTED),
    };
    let (base, state) = (offer.express as *mut u8, offer.express_state as *mut u64);
    let slots = DeviceSlots {
        // SAFETY: the host offers a region of this shape and a word of state for each slot, zeroed both, and keeps them.
        raw: unsafe { RawSlots::new(base, shape, state) },
        exclusive: offer.has(features::EXPRESS_EXCLUSIVE),
        base,
        state,
    };
    Some(Client::new(slots, lanes, home(shape.slots)))
}

/// The slot of this warp: the same for its whole life, which a place on the hardware need not be.
#[inline(always)]
fn home(slots: u32) -> u32 {
    let [sx, sy, sz] = arch::block_size();
    let [bx, by, bz] = arch::block_id();
    let [gx, gy, _] = arch::grid_size();
    let block = bx.wrapping_add(gx.wrapping_mul(by.wrapping_add(gy.wrapping_mul(bz))));
    let warps = (sx * sy * sz).div_ceil(arch::lane_count());
    let warp = block.wrapping_mul(warps).wrapping_add(warp::index_in_block());
    if warp < slots { warp } else { warp % slots }
}

/// The express region as a device sees it: words and locks as everywhere, units in one access where the GPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceSlots {
    raw: RawSlots,
    exclusive: bool,
    base: *mut u8,
    state: *mut u64,
}

impl Slots for DeviceSlots {
    #[inline(always)]
    fn shape(&self) -> Shape {
        self.raw.shape()
    }

    #[inline(always)]
    fn load_unit(&self, at: usize) -> [u64; 2] {
        // SAFETY: within the host's region, which has the shape that it told and is only accessed atomically; units are
        // aligned to 16.
        unsafe { arch::load_pair(self.base.cast::<u64>().add(2 * at)) }
    }

    #[inline(always)]
    fn store_unit(&self, at: usize, halves: [u64; 2]) {
        // SAFETY: as above.
        unsafe { arch::store_pair(self.base.cast::<u64>().add(2 * at), halves) }
    }

    #[inline(always)]
    fn load_word(&self, at: usize) -> u32 {
        self.raw.load_word(at)
    }

    #[inline(always)]
    fn store_word(&self, at: usize, value: u32) {
        self.raw.store_word(at, value);
    }

    #[inline(always)]
    fn release(&self) {
        arch::release_system();
    }

    #[inline(always)]
    fn lock(&self, slot: u32) -> u64 {
        self.raw.lock(slot)
    }

    #[inline(always)]
    fn unlock(&self, slot: u32, state: u64) {
        self.raw.unlock(slot, state);
    }

    #[inline(always)]
    fn is_exclusive(&self) -> bool {
        self.exclusive
    }

    #[inline(always)]
    fn load_own(&self, slot: u32) -> u64 {
        // SAFETY: the host provides one word for each slot, in device memory; this one only this warp touches.
        unsafe { arch::load_own(self.state.add(slot as usize)) }
    }

    #[inline(always)]
    fn store_own(&self, slot: u32, state: u64) {
        // SAFETY: as above.
        unsafe { arch::store_own(self.state.add(slot as usize), state) }
    }
}
