//! Who runs together: the lanes of a warp, or one CPU thread.

/// The group of lanes that executes a call together, seen from one of them.
///
/// Masks have a bit for each lane. All lanes named in a mask call the function with the same mask; the functions that
/// take a mask also bring these lanes together, so that none is missed because it ran ahead.
pub trait Lanes: Copy {
    /// The lanes that are executing this very call. Ask inside the call: lanes may have parted since.
    fn active(self) -> u64;

    /// The lanes of [`active`](Self::active) that pass the same `value` as this one.
    ///
    /// With independent scheduling, lanes that came from different callers may run together in a function that both call, each with
    /// its own opcode. Where this cannot be, in lockstep or with one lane, all active lanes will do.
    #[inline(always)]
    fn active_with(self, _value: u32) -> u64 {
        self.active()
    }

    /// This lane's number, 0 to 63.
    fn lane(self) -> u32;

    /// Whether this is the lowest lane of the mask, the one that acts for all.
    #[inline(always)]
    fn is_first(self, mask: u64) -> bool {
        // The lanes below this one are known long before the mask.
        mask & ((1 << self.lane()) - 1) == 0
    }

    /// The value that the lowest lane of the mask passes.
    fn broadcast(self, mask: u64, value: u32) -> u32;

    /// The lanes of the mask that pass `true`.
    fn ballot(self, mask: u64, value: bool) -> u64;

    /// Wait for all lanes of the mask; memory accesses before it are visible to all of them after it.
    fn sync(self, mask: u64);

    /// Where this group starts its search for a port: different for groups that run at the same time.
    #[inline(always)]
    fn home(self) -> u32 {
        0
    }

    /// Whether the mask has all lanes with which this warp began: then none of them can be in the middle of another call.
    #[inline(always)]
    fn is_whole_warp(self, _mask: u64) -> bool {
        false
    }

    /// Let others run, inside a waiting loop.
    fn pause(self);

    /// The same after `looks` looks in vain: longer, the longer it has been. Where a look takes long, those of many that wait for something
    /// slow stand in the way of everybody's messages.
    #[inline(always)]
    fn pause_longer(self, _looks: u32) {
        self.pause();
    }

    /// Let others run while a port is searched for, after so many rounds in vain: shorter, the longer it has been. Whoever has waited
    /// for long then comes before those that have just had their turn.
    #[inline(always)]
    fn pause_shorter(self, _rounds: u32) {
        self.pause();
    }

    /// Let the time pass in which the answer to what was just sent cannot have come yet. Where a look takes long, one that sets out too
    /// early delays the first that can succeed. `lanes`: of how many lanes the host reads packets, each in lines of its own; 0 where it
    /// is a matter of one.
    #[inline(always)]
    fn await_trip(self, _lanes: u32) {}
}

/// A CPU thread: one lane, number 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneLane {
    /// Where the thread starts its search for a port.
    pub home: u32,
}

impl Lanes for OneLane {
    fn active(self) -> u64 {
        1
    }

    fn lane(self) -> u32 {
        0
    }

    fn broadcast(self, _mask: u64, value: u32) -> u32 {
        value
    }

    fn ballot(self, _mask: u64, value: bool) -> u64 {
        value as u64
    }

    fn sync(self, _mask: u64) {}

    fn home(self) -> u32 {
        self.home
    }

    fn pause(self) {
        core::hint::spin_loop();
    }
}
