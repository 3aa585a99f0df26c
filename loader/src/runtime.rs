//! Which device runs an image.

use std::path::PathBuf;
use std::sync::Arc;

use crate::device::{Device, Driver, Properties, Vendor};
use crate::error::{Error, Result};
use crate::image::Image;
use crate::program::{Options, Program};

/// What the user asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Backend {
    /// The driver of the image's vendor; the emulator where there is no driver or no device.
    #[default]
    Auto,
    /// NVIDIA's driver and nothing else.
    Cuda,
    /// AMD's HSA runtime and nothing else.
    Hsa,
    /// The emulator of the image's vendor.
    Emulator,
}

/// A device that was opened for an image.
#[derive(Clone)]
pub struct Runtime {
    /// The device.
    pub device: Arc<dyn Device>,
    /// Whether it is emulated.
    pub emulated: bool,
    /// Why the emulator runs although nobody asked for it: one line for the user.
    pub notice: Option<String>,
}

impl Runtime {
    /// Opens device number `ordinal` for an image.
    ///
    /// Only the library of the image's vendor is ever opened. A container with images of both vendors takes the first
    /// vendor that has a device.
    pub fn open(image: &Image, backend: Backend, ordinal: usize) -> Result<Runtime> {
        let vendors = vendors(image, backend)?;
        let mut absent = None;
        if backend != Backend::Emulator {
            for &vendor in &vendors {
                match open_vendor(image, vendor, &Driver::Native, ordinal) {
                    Ok(device) => {
                        return Ok(Runtime {
                            device,
                            emulated: false,
                            notice: None,
                        });
                    }
                    Err(error) if error.is_absent_device() => {
                        absent.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        match (absent, backend) {
            (Some(error), Backend::Cuda | Backend::Hsa) => Err(error),
            (absent, _) => {
                let device = emulator_folder()
                    .and_then(|folder| open_vendor(image, vendors[0], &Driver::Emulator(folder), ordinal))
                    .map_err(|error| match &absent {
                        Some(reason) => Error::Host(format!("{}, and {error}", without_remedy(reason))),
                        None => error,
                    })?;
                Ok(Runtime {
                    device,
                    emulated: true,
                    notice: absent.map(|reason| {
                        format!(
                            "{}: runs in the emulator, slowly (--backend emulator does not say this)",
                            without_remedy(&reason)
                        )
                    }),
                })
            }
        }
    }

    /// How many devices [`Runtime::open`] can open for an image: those of the driver that has any, else the emulator's.
    pub fn count(image: &Image, backend: Backend) -> Result<usize> {
        let vendors = vendors(image, backend)?;
        if backend != Backend::Emulator {
            for &vendor in &vendors {
                match list_vendor(vendor, &Driver::Native) {
                    Ok(devices) if !devices.is_empty() => return Ok(devices.len()),
                    Err(error) if !error.is_absent_device() => return Err(error),
                    _ => {}
                }
            }
        }
        if matches!(backend, Backend::Cuda | Backend::Hsa) {
            return Ok(0);
        }
        let devices = list_vendor(vendors[0], &Driver::Emulator(emulator_folder()?))?;
        Ok(devices
            .iter()
            .filter(|device| image.select(device, true).is_ok())
            .count())
    }

    /// Loads an image; see [`Program::load`].
    pub fn load(&self, image: &Image, options: Options) -> Result<Program> {
        Program::load(self, image, options)
    }
}

/// Whose devices an image may run on, in the order in which they are tried; at least one.
fn vendors(image: &Image, backend: Backend) -> Result<Vec<Vendor>> {
    let vendors: Vec<Vendor> = [Vendor::Nvidia, Vendor::Amd]
        .into_iter()
        .filter(|&vendor| image.is_for(vendor))
        .filter(|&vendor| match backend {
            Backend::Cuda => vendor == Vendor::Nvidia,
            Backend::Hsa => vendor == Vendor::Amd,
            Backend::Auto | Backend::Emulator => true,
        })
        .collect();
    if vendors.is_empty() {
        let (asked, made_for) = match backend {
            Backend::Cuda => ("cuda", "AMD"),
            _ => ("hsa", "NVIDIA"),
        };
        return Err(Error::Image(format!(
            "{}: was built for {made_for} and cannot run with --backend {asked}; leave the option out",
            image.name
        )));
    }
    Ok(vendors)
}

fn list_vendor(vendor: Vendor, driver: &Driver) -> Result<Vec<Properties>> {
    match vendor {
        Vendor::Nvidia => crate::cuda::list(driver),
        Vendor::Amd => crate::hsa::list(driver),
    }
}

/// The error without its remedy.
fn without_remedy(error: &Error) -> String {
    let text = error.to_string();
    text.split(';').next().unwrap_or_default().to_string()
}

fn open_vendor(image: &Image, vendor: Vendor, driver: &Driver, ordinal: usize) -> Result<Arc<dyn Device>> {
    match (vendor, driver) {
        (Vendor::Nvidia, _) => crate::cuda::open(driver, ordinal),
        (Vendor::Amd, Driver::Native) => crate::hsa::open(driver, ordinal),
        // The emulator has a GPU of each kind: count those that the image was built for.
        (Vendor::Amd, Driver::Emulator(_)) => {
            let devices = crate::hsa::list(driver)?;
            let mut fitting = devices.iter().filter(|device| image.select(device, true).is_ok());
            let chosen = fitting.nth(ordinal).map_or(ordinal, |device| device.ordinal);
            crate::hsa::open(driver, chosen)
        }
    }
}

/// Lists what [`Runtime::open`] can open with `backend`, by the interface that each device speaks: its devices, or the
/// reason why there are none.
pub fn list(backend: Backend) -> Vec<(&'static str, Result<Vec<Properties>>)> {
    let driver = match backend {
        Backend::Emulator => emulator_folder().map(Driver::Emulator),
        Backend::Auto | Backend::Cuda | Backend::Hsa => Ok(Driver::Native),
    };
    let devices = |list: fn(&Driver) -> Result<Vec<Properties>>| driver.as_ref().map_err(Error::clone).and_then(list);
    let mut found = Vec::new();
    if backend != Backend::Hsa {
        found.push(("cuda", devices(crate::cuda::list)));
    }
    if backend != Backend::Cuda {
        found.push(("hsa", devices(crate::hsa::list)));
    }
    found
}

/// Where the emulator's libraries are: `GPU_EMULATOR_DIR`, else `emulator/` beside the program.
pub fn emulator_folder() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("GPU_EMULATOR_DIR") {
        return Ok(folder.into());
    }
    let program = std::env::current_exe().map_err(|error| {
        Error::Host(format!(
            "cannot find this program's folder: {error}; set GPU_EMULATOR_DIR"
        ))
    })?;
    Ok(program.parent().unwrap_or(&program).join("emulator"))
}
