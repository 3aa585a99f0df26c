//! Options of loading, most of which are for a compiler that is not here, and the two logs.

use std::ffi::{c_char, c_uint, c_void};
use std::time::Instant;

use emulator::ptx::Diagnostic;

use crate::border::{In, Out};
use crate::status::{Result, Status};

/// The options that matter here, by the numbers of the public interface.
mod option {
    pub const WALL_TIME: u32 = 2;
    pub const INFO_LOG_BUFFER: u32 = 3;
    pub const INFO_LOG_BUFFER_SIZE_BYTES: u32 = 4;
    pub const ERROR_LOG_BUFFER: u32 = 5;
    pub const ERROR_LOG_BUFFER_SIZE_BYTES: u32 = 6;
    /// How many there are.
    pub const COUNT: u32 = 36;
}

/// A buffer of the caller's for a log.
#[derive(Clone, Copy)]
struct Log {
    buffer: Out<c_char>,
    room: usize,
    /// Where the caller passed the size, and gets the length.
    size: Option<Out<usize>>,
}

/// What a caller asked for when loading.
pub struct Options {
    info: Log,
    error: Log,
    time: Option<Out<f32>>,
    start: Instant,
}

impl Options {
    /// No options.
    pub fn none() -> Options {
        let log = Log {
            buffer: Out(std::ptr::null_mut()),
            room: 0,
            size: None,
        };
        Options {
            info: log,
            error: log,
            time: None,
            start: Instant::now(),
        }
    }

    /// Reads the two arrays of the interface. A size is passed in the place of its pointer.
    pub fn read(count: c_uint, options: In<c_uint>, values: *mut *mut c_void) -> Result<Options> {
        let names = options.list(count as usize)?;
        let mut read = Options::none();
        if names.is_empty() {
            return Ok(read);
        }
        let given = In(values.cast_const()).list(names.len())?;
        for (at, (name, value)) in names.iter().zip(given).enumerate() {
            // The place of the value, for answers; `list` has refused null.
            let place = values.wrapping_add(at);
            match *name {
                option::INFO_LOG_BUFFER => read.info.buffer = Out(value.cast()),
                option::ERROR_LOG_BUFFER => read.error.buffer = Out(value.cast()),
                option::INFO_LOG_BUFFER_SIZE_BYTES => {
                    read.info.room = value as usize as c_uint as usize;
                    read.info.size = Some(Out(place.cast()));
                }
                option::ERROR_LOG_BUFFER_SIZE_BYTES => {
                    read.error.room = value as usize as c_uint as usize;
                    read.error.size = Some(Out(place.cast()));
                }
                option::WALL_TIME => read.time = Some(Out(place.cast())),
                0..option::COUNT => {}
                _ => return Err(Status::INVALID_VALUE),
            }
        }
        Ok(read)
    }

    /// Ends a load that went well.
    pub fn succeed(&self, text: &str) {
        self.info.write(text);
        self.error.write("");
        self.stop_clock();
    }

    /// Ends a load that failed. Where nobody reads the log, the reason goes to stderr.
    pub fn fail(&self, text: &str) {
        self.info.write("");
        self.error.write(text);
        if self.error.buffer.0.is_null() || self.error.room == 0 {
            eprintln!("CUDA emulator: {}", text.trim_end());
        }
        self.stop_clock();
    }

    fn stop_clock(&self) {
        if let Some(time) = self.time {
            time.set_if_wanted(self.start.elapsed().as_secs_f32() * 1e3);
        }
    }
}

impl Log {
    fn write(&self, text: &str) {
        let mut written = 0;
        if self.room > 0 && self.buffer.set_text(text, self.room).is_ok() {
            written = text.len().min(self.room - 1);
        }
        if let Some(size) = self.size {
            size.set_if_wanted(written);
        }
    }
}

/// All that is wrong with a text, one line each.
pub fn describe(diagnostics: &[Diagnostic]) -> String {
    let lines = diagnostics
        .iter()
        .map(|diagnostic| format!("ptx input, {diagnostic}\n"));
    lines.collect()
}
