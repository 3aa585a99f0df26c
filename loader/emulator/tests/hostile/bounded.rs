//! Launches that come to an end, whatever is launched.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use emulator::grid::Launch;

/// After this a kernel is stopped: a loop of code that nobody wrote may have no end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Calls `run` with settings under which what it launches is stopped after a while.
pub fn bounded(mut launch: Launch, run: impl FnOnce(&Launch)) {
    launch.output = Some(Arc::new(|_: &[u8]| {}));
    let cancel = launch.cancel.clone();
    let (running, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::SeqCst);
            }
        });
        run(&launch);
        drop(running);
    });
}
