//! Parameters of a kernel, as its ABI lays them out.

/// A value that can be passed to a kernel as it is: a number, or a device address as `u64`.
pub trait Parameter: Copy {
    /// Appends padding up to its alignment, and its bytes as the device reads them.
    fn append(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Parameter for $number {
            fn append(self, bytes: &mut Vec<u8>) {
                // Both vendors' devices are little-endian and align numbers to their size.
                bytes.resize(bytes.len().next_multiple_of(size_of::<$number>()), 0);
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64);

/// The parameters of a launch, one behind the other, each at its natural alignment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters(Vec<u8>);

impl Parameters {
    /// None yet.
    pub fn new() -> Parameters {
        Parameters::default()
    }

    /// Appends one.
    pub fn with(mut self, value: impl Parameter) -> Parameters {
        value.append(&mut self.0);
        self
    }

    /// What [`Program::launch`](crate::Program::launch) takes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_aligned_to_its_size() {
        let parameters = Parameters::new()
            .with(1u8)
            .with(2u64)
            .with(-1i32)
            .with(0.5f64)
            .with(3u16);
        let bytes = parameters.bytes();
        assert_eq!(bytes.len(), 34);
        assert_eq!((bytes[0], bytes[8]), (1, 2));
        assert_eq!(bytes[16..20], [0xff; 4]);
        assert_eq!(bytes[24..32], 0.5f64.to_le_bytes());
        assert_eq!(bytes[32..], [3, 0]);
    }
}
