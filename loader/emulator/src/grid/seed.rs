//! From which seeds the launches of a process draw their order.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seeds of a process's launches, as text: `17` is the same for all of them, with `17+` the first gets 17, the second 18,
/// and so on. The second form tries many orders without starting anew for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// Every launch gets this one.
    Same(u64),
    /// The first launch gets this one, each further launch the next.
    From(u64),
}

/// Launches of this process that asked for a seed.
static LAUNCHES: AtomicU64 = AtomicU64::new(0);

impl Seed {
    /// The seed of the launch that asks.
    pub fn next(self) -> u64 {
        match self {
            Seed::Same(seed) => seed,
            Seed::From(first) => first.wrapping_add(LAUNCHES.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

impl FromStr for Seed {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Seed, Self::Err> {
        let text = text.trim();
        match text.strip_suffix('+') {
            Some(first) => first.parse().map(Seed::From),
            None => text.parse().map(Seed::Same),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_and_drawn() {
        assert_eq!("17".parse(), Ok(Seed::Same(17)));
        assert_eq!(" 17+ ".parse(), Ok(Seed::From(17)));
        assert!("+".parse::<Seed>().is_err() && "many".parse::<Seed>().is_err());
        assert_eq!([Seed::Same(5).next(), Seed::Same(5).next()], [5, 5]);
        let first = Seed::From(100).next();
        assert_eq!(Seed::From(100).next(), first + 1);
    }
}
