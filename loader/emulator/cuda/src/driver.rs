//! The driver as a whole: initialisation, version, and the devices that there are.

use std::ffi::{c_int, c_uint};
use std::sync::{Arc, OnceLock};

use crate::border::{Out, entries};
use crate::config::Config;
use crate::context;
use crate::device::Device;
use crate::status::{Result, Status};

/// The version that we claim to be, 1000 × major + 10 × minor.
pub const VERSION: c_int = 13000;

/// All that lives as long as the process.
pub struct Driver {
    /// What the environment says.
    pub config: Config,
    /// The devices that may be seen, by their ordinal.
    pub devices: Vec<Arc<Device>>,
}

static DRIVER: OnceLock<Result<Driver>> = OnceLock::new();

/// The driver, once `cuInit` has been called.
pub fn driver() -> Result<&'static Driver> {
    if context::in_host_function() {
        return Err(refuse_in_host_function());
    }
    driver_from_anywhere()
}

/// The driver, also for work of our own on the thread of a stream.
pub fn driver_from_anywhere() -> Result<&'static Driver> {
    DRIVER
        .get()
        .ok_or(Status::NOT_INITIALIZED)?
        .as_ref()
        .map_err(|status| *status)
}

/// What a host function gets when it calls the driver. Waiting for the stream that runs it would
/// last for ever, so the public interface forbids all of it.
fn refuse_in_host_function() -> Status {
    static SAID: OnceLock<()> = OnceLock::new();
    SAID.get_or_init(|| {
        eprintln!(
            "CUDA emulator: a host function of a stream called the driver, which CUDA does not \
             permit; call it from another thread"
        );
    });
    Status::NOT_PERMITTED
}

fn start() -> Result<Driver> {
    let config = Config::from_environment().map_err(|error| {
        eprintln!("CUDA emulator: {error}");
        Status::INVALID_VALUE
    })?;
    if config.visible.is_empty() {
        return Err(Status::NO_DEVICE);
    }
    let devices = config.visible.iter().enumerate();
    let devices = devices
        .map(|(ordinal, index)| Device::new(ordinal, *index, &config))
        .collect();
    Ok(Driver { config, devices })
}

impl Driver {
    /// A device by its ordinal.
    pub fn device(&self, ordinal: c_int) -> Result<&Arc<Device>> {
        let ordinal = usize::try_from(ordinal).map_err(|_| Status::INVALID_DEVICE)?;
        self.devices.get(ordinal).ok_or(Status::INVALID_DEVICE)
    }
}

entries! {
    /// Starts the driver; calling it again does nothing.
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        DRIVER.get_or_init(start).as_ref().map(drop).map_err(|status| *status)
    }

    /// The version that we claim to be.
    fn cuDriverGetVersion(version: Out<c_int>) {
        version.set(VERSION)
    }

    /// Profilers are not there, so there is nothing to start.
    fn cuProfilerStart() {
        context::current().map(drop)
    }

    /// Profilers are not there, so there is nothing to stop.
    fn cuProfilerStop() {
        context::current().map(drop)
    }
}
