//! The mode string of `fopen`.

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Reading is allowed.
    pub read: bool,
    /// Writing is allowed.
    pub write: bool,
    /// Every write goes to the end of the file.
    pub append: bool,
    /// What was in the file goes.
    pub truncate: bool,
    /// The file is made where there is none.
    pub create: bool,
    /// It is an error if there is one already.
    pub exclusive: bool,
}

impl Mode {
    /// Reads `r`, `w` or `a`, followed by any of `+` (both directions), `b` (nothing, as on POSIX), `x` (with `w`: exclusive)
    /// and `e` (close on exec, as all files here). A NUL ends it. Anything else is no mode.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = text.split(|&byte| byte == 0).next()?;
        let (kind, rest) = text.split_first()?;
        let mut mode = match kind {
            b'r' => Self {
                read: true,
                ..Self::default()
            },
            b'w' => Self {
                write: true,
                truncate: true,
                create: true,
                ..Self::default()
            },
            b'a' => Self {
                write: true,
                append: true,
                create: true,
                ..Self::default()
            },
            _ => return None,
        };
        for byte in rest {
            match byte {
                b'+' => (mode.read, mode.write) = (true, true),
                b'x' if *kind == b'w' => mode.exclusive = true,
                b'b' | b'e' => {}
                _ => return None,
            }
        }
        Some(mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_c() {
        let shape = |text: &str| {
            Mode::parse(text.as_bytes()).map(|mode| {
                [
                    mode.read,
                    mode.write,
                    mode.append,
                    mode.truncate,
                    mode.create,
                    mode.exclusive,
                ]
                .map(u8::from)
            })
        };
        assert_eq!(shape("r"), Some([1, 0, 0, 0, 0, 0]));
        assert_eq!(shape("rb+"), Some([1, 1, 0, 0, 0, 0]));
        assert_eq!(shape("w"), Some([0, 1, 0, 1, 1, 0]));
        assert_eq!(shape("w+bx"), Some([1, 1, 0, 1, 1, 1]));
        assert_eq!(shape("a\0r"), Some([0, 1, 1, 0, 1, 0]));
        assert_eq!(shape("a+e"), Some([1, 1, 1, 0, 1, 0]));
        for wrong in ["", "\0", "x", "rx", "r,ccs=UTF-8", "ar", "+r"] {
            assert_eq!(shape(wrong), None, "{wrong:?}");
        }
    }
}
