//! Which driver of a vendor this process talks to.

use crate::device::Driver;
use crate::error::{Error, Result};

/// A vendor's driver, once there is one. Its library stays loaded and is found by its name, so that no other can take its place.
pub(crate) struct Binding<T> {
    bound: Option<(Driver, T)>,
    /// Why the installed driver is of no use, once it was asked for: who asks again, with the emulator bound by then, is told the same.
    absent: Option<Error>,
}

impl<T: Copy> Binding<T> {
    /// To nothing so far.
    pub const fn new() -> Self {
        Self {
            bound: None,
            absent: None,
        }
    }

    /// What came of `start` when this process was bound to `driver`, which it is now unless it was before. `what` is the driver's name.
    pub fn to(&mut self, driver: &Driver, what: &str, start: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some((present, bound)) = &self.bound {
            return match (&self.absent, driver) {
                _ if present == driver => Ok(*bound),
                (Some(reason), Driver::Native) => Err(reason.clone()),
                _ => Err(Error::Host(format!(
                    "this process already uses another {what}; the emulator and the installed one need a process each"
                ))),
            };
        }
        let bound = start().inspect_err(|error| {
            if *driver == Driver::Native && error.is_absent_device() {
                self.absent = Some(error.clone());
            }
        })?;
        self.bound = Some((driver.clone(), bound));
        Ok(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emulator() -> Driver {
        Driver::Emulator("/emulator".into())
    }

    #[test]
    fn a_driver_is_started_once_and_no_other_after_it() {
        let mut binding = Binding::new();
        assert_eq!(binding.to(&Driver::Native, "driver", || Ok(1)), Ok(1));
        assert_eq!(binding.to(&Driver::Native, "driver", || Ok(2)), Ok(1));
        let refused = binding.to(&emulator(), "driver", || Ok(3)).unwrap_err();
        assert!(refused.to_string().contains("already uses another driver"), "{refused}");
        assert!(!refused.is_absent_device());
    }

    #[test]
    fn an_absent_driver_stays_absent_beside_the_emulator() {
        let absent = Error::NoDriver("no driver".into());
        let mut binding = Binding::new();
        for _ in 0..2 {
            assert_eq!(
                binding.to(&Driver::Native, "driver", || Err(absent.clone())),
                Err(absent.clone())
            );
            assert_eq!(binding.to(&emulator(), "driver", || Ok(1)), Ok(1));
        }
    }

    #[test]
    fn a_driver_that_was_not_asked_for_in_time_is_not_said_to_be_absent() {
        let mut binding = Binding::new();
        assert_eq!(binding.to(&emulator(), "driver", || Ok(1)), Ok(1));
        let refused = binding.to(&Driver::Native, "driver", || Ok(2)).unwrap_err();
        assert!(!refused.is_absent_device(), "{refused}");
    }
}
