//! Express messages between a warp of threads and a scanning server: answers, order, full rings, torn halves, wrap.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::{Lane, Warp};
use proptest::prelude::*;
use rpc_proto::{
    Opcode,
    express::{Client, Look, Message, Place, Shape, Slots},
    raw::RawSlots,
};

mod common;

const ADD: Opcode = Opcode::new(b'x', 1);
const NOTE: Opcode = Opcode::new(b'x', 2);

/// A region, and what its server knows.
struct Region {
    _memory: Vec<u128>,
    state: Vec<u64>,
    slots: RawSlots,
    shape: Shape,
}

impl Region {
    fn new(shape: Shape) -> Self {
        let mut memory = vec![0u128; shape.size() / 16];
        let mut state = vec![0u64; shape.slots as usize];
        // SAFETY: both vectors live in the value and do not move their contents.
        let slots = unsafe { RawSlots::new(memory.as_mut_ptr().cast(), shape, state.as_mut_ptr()) };
        Self {
            _memory: memory,
            state,
            slots,
            shape,
        }
    }
}

/// How a warp reaches the region: with locks, or, where no other has its slot, without.
#[derive(Clone, Copy)]
struct Reach<'r> {
    region: &'r Region,
    exclusive: bool,
}

impl Reach<'_> {
    fn state(&self, slot: u32) -> &AtomicU64 {
        // SAFETY: within the vector, which lives as long as the region; only accessed atomically.
        unsafe { AtomicU64::from_ptr(self.region.state.as_ptr().add(slot as usize).cast_mut()) }
    }
}

impl Slots for Reach<'_> {
    fn shape(&self) -> Shape {
        self.region.shape
    }

    fn load_unit(&self, at: usize) -> [u64; 2] {
        self.region.slots.load_unit(at)
    }

    fn store_unit(&self, at: usize, halves: [u64; 2]) {
        self.region.slots.store_unit(at, halves);
    }

    fn load_word(&self, at: usize) -> u32 {
        self.region.slots.load_word(at)
    }

    fn store_word(&self, at: usize, value: u32) {
        self.region.slots.store_word(at, value);
    }

    fn release(&self) {
        self.region.slots.release();
    }

    fn lock(&self, slot: u32) -> u64 {
        assert!(!self.exclusive, "a whole warp needs no lock where the slot is its own");
        self.region.slots.lock(slot)
    }

    fn unlock(&self, slot: u32, state: u64) {
        self.region.slots.unlock(slot, state);
    }

    fn is_exclusive(&self) -> bool {
        self.exclusive
    }

    fn load_own(&self, slot: u32) -> u64 {
        let word = self.state(slot).load(Ordering::Relaxed);
        // Lanes need not look at the same moment.
        std::thread::yield_now();
        word
    }

    fn store_own(&self, slot: u32, state: u64) {
        self.state(slot).store(state, Ordering::Relaxed);
    }
}

fn words(message: &Message, lane: u32) -> Vec<u64> {
    (0..message.rows).map(|row| message.word(lane, row)).collect()
}

/// Serve until `done`; what was noted, slot by slot, as (lane, words).
fn serve(region: &Region, done: &AtomicBool) -> Vec<Vec<(u32, Vec<u64>)>> {
    let mut places = vec![Place::default(); region.shape.slots as usize];
    let mut notes = vec![Vec::new(); places.len()];
    let mut message = Message::default();
    loop {
        let last = done.load(Ordering::Acquire);
        let mut moved = false;
        for (slot, place) in places.iter_mut().enumerate() {
            while place.look(&region.slots, slot as u32, &mut message) == Look::Message {
                for lane in message.lanes() {
                    match message.opcode {
                        ADD => {
                            assert!(message.wants_answer);
                            message.map(|lane, word| word.wrapping_add(u64::from(lane)));
                            break;
                        }
                        NOTE => notes[slot].push((lane, words(&message, lane))),
                        other => panic!("{other}"),
                    }
                }
                place.finish(&region.slots, slot as u32, &message);
                moved = true;
            }
            place.acknowledge(&region.slots, slot as u32);
        }
        if last && !moved {
            return notes;
        }
        std::thread::yield_now();
    }
}

/// `warps` warps of `lanes` lanes run `body(client, warp, lane)`. Without locks where each has a slot of its own and `exclusive` says so.
fn run(
    shape: Shape,
    exclusive: bool,
    warps: u32,
    lanes: u32,
    body: impl Fn(&Client<Reach<'_>, Lane<'_>>, u32, u32) + Sync,
) -> Vec<Vec<(u32, Vec<u64>)>> {
    let region = Region::new(shape);
    let done = AtomicBool::new(false);
    let groups: Vec<_> = (0..warps).map(|_| Warp::new(lanes)).collect();
    std::thread::scope(|scope| {
        let server = scope.spawn(|| serve(&region, &done));
        let threads: Vec<_> = (0..warps * lanes)
            .map(|thread| {
                let (warp, lane) = (thread / lanes, thread % lanes);
                let (groups, region, body) = (&groups, &region, &body);
                scope.spawn(move || {
                    let lanes = Lane {
                        warp: Some(&groups[warp as usize]),
                        lane,
                        home: 0,
                    };
                    let reach = Reach { region, exclusive };
                    body(&Client::new(reach, lanes, warp % shape.slots), warp, lane);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        done.store(true, Ordering::Release);
        server.join().unwrap()
    })
}

#[test]
fn every_lane_gets_its_own_answer() {
    let shape = Shape::new(2, 32, 4).unwrap();
    for (exclusive, warps) in [(false, 3), (true, 2)] {
        run(shape, exclusive, warps, 5, |client, warp, lane| {
            for at in 0..200u64 {
                let value = u64::from(warp) << 56 | u64::from(lane) << 40 | at;
                assert_eq!(client.call(ADD, &[value]), [value + u64::from(lane)]);
                let four = [value, !value, 0, u64::MAX];
                assert_eq!(
                    client.call(ADD, &four),
                    four.map(|word| word.wrapping_add(u64::from(lane)))
                );
            }
        });
    }
}

#[test]
fn messages_without_answer_arrive_once_and_in_order() {
    let shape = Shape::new(2, 64, 8).unwrap();
    let send = |client: &Client<Reach<'_>, Lane<'_>>, _, _| {
        for at in 0..500u64 {
            match at % 3 {
                0 => client.post(NOTE, &[at]),
                1 => client.post(NOTE, &[at, 1, 2]),
                _ => _ = client.call(ADD, &[at]),
            }
        }
        client.flush();
    };
    let notes = [false, true].map(|exclusive| run(shape, exclusive, 2, 3, send));
    for slot in notes.into_iter().flatten() {
        for lane in 0..3 {
            let seen: Vec<u64> = slot
                .iter()
                .filter(|note| note.0 == lane)
                .map(|note| note.1[0])
                .collect();
            assert_eq!(seen, (0..500).filter(|at| at % 3 != 2).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_slot_that_starts_anew_loses_nothing() {
    for (exclusive, hinted) in [(false, true), (true, true), (true, false)] {
        let shape = Shape {
            wrap: 40,
            hinted,
            ..Shape::new(1, 2, 8).unwrap()
        };
        let notes = run(shape, exclusive, 1, 2, |client, _, lane| {
            for at in 0..1000u64 {
                client.post(NOTE, &[at; 3]);
                if at % 7 == 0 {
                    assert_eq!(client.call(ADD, &[at]), [at + u64::from(lane)]);
                }
            }
        });
        let seen: Vec<u64> = notes[0]
            .iter()
            .filter(|note| note.0 == 1)
            .map(|note| note.1[2])
            .collect();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }
}

#[test]
fn hints_are_written_where_they_are_wanted_and_headers_share_no_line() {
    for hinted in [true, false] {
        let shape = Shape {
            hinted,
            ..Shape::new(20, 1, 4).unwrap()
        };
        let region = Region::new(shape);
        let lane = Lane {
            warp: None,
            lane: 0,
            home: 0,
        };
        let reach = Reach {
            region: &region,
            exclusive: false,
        };
        Client::new(reach, lane, 17).post(NOTE, &[1, 2]);
        assert_eq!(region.slots.load_word(shape.hint(17)), if hinted { 2 } else { 0 });
        let (mut place, mut message) = (Place::default(), Message::default());
        assert_eq!(place.look(&region.slots, 16, &mut message), Look::Empty);
        assert_eq!(place.look(&region.slots, 17, &mut message), Look::Message);
        place.finish(&region.slots, 17, &message);
        assert_eq!(place.look(&region.slots, 17, &mut message), Look::Empty);
    }
    let shape = Shape::new(20, 64, 4).unwrap();
    let mut headers: Vec<_> = (0..20)
        .flat_map(|slot| (0..4).map(move |row| shape.header(slot, row)))
        .collect();
    headers.sort_unstable();
    headers.dedup_by_key(|unit| *unit / 4);
    assert_eq!(headers.len(), 80);
    assert!(headers.iter().all(|unit| unit % 4 == 0));
}

/// The halves of all units arrive in any order, one at a time: a message shows when the last one has, never before.
#[test]
fn torn_halves_are_never_taken_for_a_message() {
    for lanes in [3, 40] {
        let shape = Shape::new(1, lanes, 4).unwrap();
        let (from, to) = (Region::new(shape), Region::new(shape));
        // The old contents of the ring are messages and answers of earlier rounds.
        let mut places = [Place::default(); 2];
        let mut message = Message::default();
        let mut order = 1u64;
        for round in 0..40u64 {
            let mask = if round % 2 == 0 {
                0b101
            } else {
                u64::MAX >> (64 - lanes)
            };
            let sent = std::cell::RefCell::new(Vec::new());
            for lane in rpc_proto::server::lanes(mask) {
                let lanes = Alone { mask, lane };
                let client = Client::new(
                    Recorder {
                        region: &from,
                        sent: &sent,
                    },
                    lanes,
                    0,
                );
                client.post(NOTE, &[round << 32 | u64::from(lane), !round]);
            }
            let mut sent = sent.into_inner();
            // Shuffled, with a generator that needs no library.
            for at in (1..sent.len()).rev() {
                order = order
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                sent.swap(at, (order >> 33) as usize % (at + 1));
            }
            for (index, &(at, half, value)) in sent.iter().enumerate() {
                let look = places[1].look(&to.slots, 0, &mut message);
                assert_ne!(
                    look,
                    Look::Message,
                    "round {round}: {index} of {} halves are there",
                    sent.len()
                );
                let mut unit = to.slots.load_unit(at);
                unit[half] = value;
                to.slots.store_unit(at, unit);
            }
            assert_eq!(places[1].look(&to.slots, 0, &mut message), Look::Message);
            assert_eq!((message.mask, message.rows, message.opcode), (mask, 2, NOTE));
            for lane in message.lanes() {
                assert_eq!(words(&message, lane), [round << 32 | u64::from(lane), !round]);
            }
            places[1].finish(&to.slots, 0, &message);
            places[0] = places[1];
            places[0].acknowledge(&from.slots, 0);
        }
    }
}

/// One lane of a group whose other lanes run before or after it.
#[derive(Clone, Copy)]
struct Alone {
    mask: u64,
    lane: u32,
}

impl rpc_proto::Lanes for Alone {
    fn active(self) -> u64 {
        self.mask
    }

    fn lane(self) -> u32 {
        self.lane
    }

    /// The first lane's state word is all that is ever passed on; lanes that run after it read it themselves.
    fn broadcast(self, _mask: u64, value: u32) -> u32 {
        if self.is_first(self.mask) {
            FIRST.set(value);
        }
        FIRST.get()
    }

    fn ballot(self, _mask: u64, value: bool) -> u64 {
        value.into()
    }

    fn sync(self, _mask: u64) {}

    fn pause(self) {}
}

thread_local! {
    static FIRST: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Writes down the halves that a client stores.
#[derive(Clone, Copy)]
struct Recorder<'r> {
    region: &'r Region,
    sent: &'r std::cell::RefCell<Vec<(usize, usize, u64)>>,
}

impl Slots for Recorder<'_> {
    fn shape(&self) -> Shape {
        self.region.shape
    }

    fn load_unit(&self, at: usize) -> [u64; 2] {
        self.region.slots.load_unit(at)
    }

    fn store_unit(&self, at: usize, halves: [u64; 2]) {
        let mut sent = self.sent.borrow_mut();
        sent.push((at, 0, halves[0]));
        sent.push((at, 1, halves[1]));
    }

    fn load_word(&self, at: usize) -> u32 {
        self.region.slots.load_word(at)
    }

    fn store_word(&self, at: usize, value: u32) {
        self.region.slots.store_word(at, value);
    }

    fn release(&self) {}

    fn lock(&self, slot: u32) -> u64 {
        self.region.slots.lock(slot)
    }

    fn unlock(&self, slot: u32, state: u64) {
        self.region.slots.unlock(slot, state);
    }
}

proptest! {
    /// Whatever a device writes into its region, a look neither panics nor believes it.
    #[test]
    fn garbage_is_not_believed(
        units in prop::collection::vec((0usize..200, any::<[u64; 2]>(), any::<bool>()), 0..100),
        lanes in prop::sample::select(vec![1u32, 3, 32, 64]),
    ) {
        let shape = Shape::new(2, lanes, 4).unwrap();
        let region = Region::new(shape);
        for (at, mut halves, tagged) in units {
            if tagged {
                halves = halves.map(|half| half & 0xffff_ffff | 1 << 32);
            }
            region.slots.store_unit(at % (shape.size() / 16), halves);
        }
        let mut message = Message::default();
        let mut place = Place::default();
        for slot in 0..2 {
            if place.look(&region.slots, slot, &mut message) == Look::Message {
                prop_assert!(message.mask != 0 && message.mask & !(u64::MAX >> (64 - lanes)) == 0);
                prop_assert!(message.rows <= 4);
                place.finish(&region.slots, slot, &message);
            }
            place.acknowledge(&region.slots, slot);
        }
    }
}
