//! What an emulator knows about a fault: more than an error code can say.

use std::ffi::{c_char, c_int};
use std::sync::OnceLock;

use libloading::os::unix::Library;

/// Copies the text of the last fault into a buffer and returns its whole length.
type LastFault = unsafe extern "C" fn(*mut c_char, usize) -> usize;

/// The words of one vendor's emulator; each is a library of its own.
pub(crate) struct Diagnostics(OnceLock<LastFault>);

impl Diagnostics {
    /// Before an emulator is loaded, and with a driver that is none.
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The emulator tells faults on stderr unless somebody else does, which is us from here on.
    ///
    /// # Safety
    /// `library` is a driver that stays loaded.
    pub(crate) unsafe fn take_over(&self, library: &Library) {
        // SAFETY: the types are those of the emulators' two extensions, which no other driver has; the library stays loaded.
        unsafe {
            let last = library.get::<LastFault>(b"gpuEmulatorLastFault\0");
            let tell = library.get::<unsafe extern "C" fn(c_int)>(b"gpuEmulatorTellFaults\0");
            if let (Ok(last), Ok(tell)) = (last, tell) {
                tell(0);
                let _ = self.0.set(*last);
            }
        }
    }

    /// What the emulator knows about the fault that just happened.
    pub(crate) fn last_fault(&self) -> Option<String> {
        let last = self.0.get()?;
        let mut text = vec![0u8; 16 << 10];
        // SAFETY: the buffer has the size that is passed.
        let length = unsafe { last(text.as_mut_ptr().cast(), text.len()) };
        text.truncate(length.min(text.len() - 1));
        (length > 0).then(|| with_remedy(&String::from_utf8_lossy(&text)))
    }
}

/// The emulator's words, and where an option of ours helps, which.
fn with_remedy(text: &str) -> String {
    const OVERFLOW: &str = "stack overflow";
    match text.strip_prefix(OVERFLOW) {
        Some(rest) => format!("{OVERFLOW} (try a larger --stack-size){rest}"),
        None => text.to_owned(),
    }
}
