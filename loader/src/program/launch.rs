//! A kernel under way, and those who wait for it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use host_server::offload::Running;

use super::{Ended, Program};
use crate::device::LaunchId;
use crate::error::Result;

/// How long after a launch whoever waits for it serves calls.
const FIRST_CALLS: Duration = Duration::from_micros(200);

/// How often a wait looks whether the program wishes to end: often at first, so that short programs end at once, and
/// seldom later, so that long ones cost nothing.
fn slice(waited: Duration) -> Duration {
    (waited / 8).clamp(Duration::from_millis(1), Duration::from_millis(20))
}

/// A launch under way. Dropping it does not stop the kernel, nor the answers to its calls.
pub struct Launch {
    program: Program,
    kernel: String,
    launched: Instant,
    state: Mutex<State>,
}

enum State {
    Running(LaunchId, Option<Running>),
    Ended(Result<()>),
}

impl Launch {
    /// A launch that the device has accepted.
    pub(super) fn begun(program: Program, kernel: &str, id: LaunchId, running: Option<Running>) -> Launch {
        Launch {
            program,
            kernel: kernel.to_string(),
            launched: Instant::now(),
            state: Mutex::new(State::Running(id, running)),
        }
    }

    /// Waits until the kernel has ended or `timeout` has passed; `true` if it ended and all its
    /// calls are served.
    pub fn wait_for(&self, timeout: Duration) -> Result<bool> {
        let mut state = self.state.lock().unwrap_or_else(|poison| poison.into_inner());
        let id = match &*state {
            State::Running(id, _) => *id,
            State::Ended(result) => return result.clone().map(|()| true),
        };
        let inner = &*self.program.inner;
        let result = match self.serve_first_calls(id, timeout).and_then(|ended| match ended {
            true => Ok(true),
            false => inner.device.wait(id, timeout),
        }) {
            Ok(false) => return Ok(false),
            Ok(true) => Ok(()),
            Err(error) => Err(inner.name_kernel(&self.kernel, error)),
        };
        if let State::Running(_, running) = std::mem::replace(&mut *state, State::Ended(result.clone())) {
            let cut_off = inner.ended(running).filter(|_| result.is_ok());
            cut_off.inspect(|fault| inner.cut_off(fault));
        }
        result.map(|()| true)
    }

    /// Right after a launch the server's threads are still waking up, which takes longer than many a kernel: whoever waits
    /// serves meanwhile.
    fn serve_first_calls(&self, id: LaunchId, timeout: Duration) -> Result<bool> {
        let inner = &*self.program.inner;
        let Some(calls) = &inner.calls else { return Ok(false) };
        let limit = FIRST_CALLS.saturating_sub(self.launched.elapsed()).min(timeout);
        calls.serve_until(limit, |_| inner.device.wait(id, Duration::ZERO))
    }

    /// Waits until the kernel has ended and all its calls are served.
    pub fn wait(&self) -> Result<()> {
        while !self.wait_for(Duration::from_secs(1))? {}
        Ok(())
    }

    /// Waits until the kernel has ended, or the program wishes to.
    pub fn wait_or_exit(&self) -> Result<Option<Ended>> {
        let start = Instant::now();
        loop {
            let ended = self.wait_for(slice(start.elapsed()));
            // The wish comes first: a program that exits because it failed may trap right after.
            if let Some(wish) = self.program.wish_to_end() {
                self.grace();
                return Ok(Some(wish));
            }
            if ended? {
                return Ok(None);
            }
        }
    }

    /// After an exit most kernels end at once, which makes the end orderly; others never do.
    fn grace(&self) {
        let deadline = Instant::now() + Duration::from_millis(20);
        while Instant::now() < deadline {
            if !matches!(self.wait_for(Duration::from_millis(2)), Ok(false)) {
                return;
            }
        }
        self.program.flush();
    }
}

impl Drop for Launch {
    /// Somebody has to notice the kernel's end, so that the program's memory can be freed some day.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(|poison| poison.into_inner());
        let State::Running(id, running) = std::mem::replace(state, State::Ended(Ok(()))) else {
            return;
        };
        let program = self.program.clone();
        let wait = move || {
            while let Ok(false) = program.inner.device.wait(id, Duration::from_secs(1)) {}
            program.inner.ended(running);
        };
        // Without a thread the program counts as running, and stays until the process ends.
        let _ = std::thread::Builder::new().name("abandoned-launch".into()).spawn(wait);
    }
}
