//! C's `printf`, formatted on the host for a caller whose memory the host cannot see.
//!
//! The PRINTF calls bring a format and, later, a block that holds the arguments as the device laid them out. Strings are
//! not in the block, only their addresses, and each has to be asked for. So a call is answered in steps, each a pass
//! over the format, which is never expanded into anything larger than itself:
//!
//! 1. [`Format::new`] checks the format and counts the bytes of the argument block, [`Format::args_size`];
//! 2. [`Format::bind`] takes the block, and [`Bound::strings`] lists the addresses to ask for, in the order of the
//!    conversions, null ones left out;
//! 3. [`Bound::render`] writes the text, given those strings in that order.
//!
//! **Conversions**: `d i u o x X b B c s p f F e E g G a A %`, with the flags `- + space # 0 '` (the last does nothing, as in the C
//! locale), width and precision as numbers or `*`, and the lengths `hh h l ll j z t L q wN wfN`. A `long double` is a
//! `double` of 8 bytes, as it is on GPUs. A null string prints `(null)`, and nothing where a precision leaves no room
//! for that; a null pointer prints `(nil)`. Both are the answers of the GNU C library, which the tests compare with.
//!
//! **Refused**, as an error of the call and never as undefined behaviour: `%n`, since the host writes to no device
//! memory; wide characters and strings (`%lc`, `%ls`, `%C`, `%S`), whose encoding the device does not tell; numbered
//! arguments (`%1$d`); decimal floats; anything that C does not define.
//!
//! **Bounds**: a width or precision is at most [`MAX_FIELD`], and all the padding of one call at most [`MAX_PADDING`]
//! bytes; what else a call prints grows only with the bytes it sent.

mod block;
mod directive;
mod float;
mod integer;
mod text;

use block::Block;
use directive::{Conversion, Directive, Directives, Length, Spec};
use text::Text;

/// The largest width or precision of one conversion. C demands 4095 bytes at least from one conversion.
pub const MAX_FIELD: u32 = 1 << 20;

/// The most bytes that width and precision may add to the text of one call, all conversions together.
pub const MAX_PADDING: usize = 16 << 20;

/// How the arguments lie in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each at a multiple of its own size: NVIDIA, opcodes 21 to 23.
    Natural,
    /// One after the other: AMD, opcodes 24 to 26.
    Packed,
}

/// Why a call of the `printf` family cannot be answered. `at` is the offset of the directive's `%` in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The format ends inside a directive.
    #[error("printf: the format ends inside the directive at byte {at}")]
    Truncated {
        /// Where the directive starts.
        at: usize,
    },
    /// C has no such directive, or not with this length.
    #[error("printf: the directive at byte {at} is not one of C's (at {:?})", *byte as char)]
    Unknown {
        /// Where the directive starts.
        at: usize,
        /// The byte that does not belong there.
        byte: u8,
    },
    /// `%n`.
    #[error("printf: %n at byte {at} is refused: the host writes nothing into the program's memory")]
    Count {
        /// Where the directive starts.
        at: usize,
    },
    /// `%lc`, `%ls`, `%C` or `%S`.
    #[error("printf: wide characters (byte {at}) are not supported; convert them to UTF-8 and use %s")]
    Wide {
        /// Where the directive starts.
        at: usize,
    },
    /// `%1$d` and its like.
    #[error("printf: the numbered argument at byte {at} is not supported; list arguments in order")]
    Numbered {
        /// Where the directive starts.
        at: usize,
    },
    /// A width or precision above [`MAX_FIELD`].
    #[error("printf: the width or precision at byte {at} is above {MAX_FIELD}")]
    Field {
        /// Where the directive starts.
        at: usize,
    },
    /// More padding than [`MAX_PADDING`], or more text than an `int` can count.
    #[error("printf: the text is too long (padding above {MAX_PADDING} bytes, or more bytes than an int can count)")]
    TooLong,
    /// The block has fewer bytes than the format's arguments need.
    #[error("printf: the format's arguments take {needed} bytes, but only {got} came")]
    ShortBlock {
        /// What [`Format::args_size`] said.
        needed: usize,
        /// What came.
        got: usize,
    },
    /// Fewer strings than [`Bound::strings`] lists.
    #[error("printf: a string is missing that the format needs")]
    MissingString,
}

/// A checked format.
#[derive(Clone, Copy, Debug)]
pub struct Format<'a> {
    text: &'a [u8],
    layout: Layout,
    args_size: usize,
}

impl<'a> Format<'a> {
    /// Checks a format, which ends at its first NUL, or with the slice where there is none.
    pub fn new(text: &'a [u8], layout: Layout) -> Result<Self, FormatError> {
        let text = until_nul(text);
        let mut block = Block::measure(layout);
        for directive in Directives::new(text) {
            if let Directive::Convert(spec) = directive? {
                spec.skip(&mut block);
            }
        }
        Ok(Self {
            text,
            layout,
            args_size: block.offset(),
        })
    }

    /// Bytes from the start of the argument block to the end of the last argument.
    pub fn args_size(&self) -> usize {
        self.args_size
    }

    /// Joins the format with its arguments. Bytes beyond [`args_size`](Self::args_size) are ignored.
    pub fn bind(self, block: &'a [u8]) -> Result<Bound<'a>, FormatError> {
        if block.len() < self.args_size {
            return Err(FormatError::ShortBlock {
                needed: self.args_size,
                got: block.len(),
            });
        }
        Ok(Bound { format: self, block })
    }

    /// The directives, already found sound by [`new`](Self::new).
    fn directives(&self) -> impl Iterator<Item = Directive<'a>> + use<'a> {
        Directives::new(self.text).map_while(Result::ok)
    }
}

/// A format with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    format: Format<'a>,
    block: &'a [u8],
}

impl<'a> Bound<'a> {
    /// The device addresses of the strings that [`render`](Self::render) needs, in its order; never 0.
    pub fn strings(&self) -> impl Iterator<Item = u64> + use<'a> {
        let mut block = Block::over(self.block, self.format.layout);
        self.format.directives().filter_map(move |directive| match directive {
            Directive::Convert(spec) if spec.conversion == Conversion::String => {
                spec.skip_stars(&mut block);
                Some(block.word()).filter(|&address| address != 0)
            }
            Directive::Convert(spec) => {
                spec.skip(&mut block);
                None
            }
            Directive::Literal(_) => None,
        })
    }

    /// Appends the text to `out` and says how many bytes that were.
    ///
    /// `strings` are the contents of the addresses of [`strings`](Self::strings), each ending at its first NUL, or with its
    /// slice where there is none. After an error `out` is as it was.
    pub fn render<S: AsRef<[u8]>>(&self, strings: &[S], out: &mut Vec<u8>) -> Result<i32, FormatError> {
        let start = out.len();
        let written = self.render_directives(strings, out);
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    fn render_directives<S: AsRef<[u8]>>(&self, strings: &[S], out: &mut Vec<u8>) -> Result<i32, FormatError> {
        let mut block = Block::over(self.block, self.format.layout);
        let mut strings = strings.iter();
        let mut text = Text::new(out);
        for directive in self.format.directives() {
            match directive {
                Directive::Literal(bytes) => text.push(bytes)?,
                Directive::Convert(spec) => {
                    let field = spec.field(&mut block)?;
                    match spec.conversion {
                        Conversion::Percent => text.push(b"%")?,
                        Conversion::Signed => {
                            integer::signed(&mut text, &field, spec.length.signed(block.integer(spec.length)))?
                        }
                        Conversion::Unsigned(radix) => integer::unsigned(
                            &mut text,
                            &field,
                            radix,
                            spec.length.unsigned(block.integer(spec.length)),
                        )?,
                        Conversion::Pointer => integer::pointer(&mut text, &field, block.word())?,
                        Conversion::Float { style, upper } => {
                            float::float(&mut text, &field, style, upper, block.double())?
                        }
                        // C: "the int argument is converted to an unsigned char".
                        Conversion::Char => text.padded(&field, &[block.int() as u8])?,
                        Conversion::String => {
                            let string = match block.word() {
                                0 => None,
                                _ => Some(until_nul(strings.next().ok_or(FormatError::MissingString)?.as_ref())),
                            };
                            text.string(&field, string)?;
                        }
                    }
                }
            }
        }
        text.count()
    }
}

impl Spec {
    /// Steps over the `*` arguments.
    fn skip_stars(&self, block: &mut Block) {
        for _ in 0..self.stars() {
            block.int();
        }
    }

    /// Steps over all arguments of the directive.
    fn skip(&self, block: &mut Block) {
        self.skip_stars(block);
        match self.conversion {
            Conversion::Percent => {}
            Conversion::Char => {
                block.int();
            }
            Conversion::Signed | Conversion::Unsigned(_) => {
                block.integer(self.length);
            }
            Conversion::Float { .. } | Conversion::Pointer | Conversion::String => {
                block.word();
            }
        }
    }
}

impl Length {
    /// The low bits that the length keeps, with the sign extended.
    fn signed(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        ((value << unused) as i64) >> unused
    }

    /// The low bits that the length keeps.
    fn unsigned(self, value: u64) -> u64 {
        let unused = 64 - self.bits();
        (value << unused) >> unused
    }
}

/// The bytes before the first NUL.
fn until_nul(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    &bytes[..end]
}
