//! The grammar of a format: literal text and directives, `%[flags][width][.precision][length]conversion`.

use super::block::Block;
use super::{FormatError, MAX_FIELD};

/// A piece of a format.
#[derive(Debug)]
pub(super) enum Directive<'a> {
    /// Text to copy.
    Literal(&'a [u8]),
    /// A conversion.
    Convert(Spec),
}

/// A directive as written; widths that are arguments are not known yet.
#[derive(Debug)]
pub(super) struct Spec {
    at: usize,
    flags: Flags,
    width: Count,
    precision: Count,
    pub(super) length: Length,
    pub(super) conversion: Conversion,
}

/// The flags in front of a width.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// `-`: pad on the right.
    pub(super) left: bool,
    /// `+`: a sign also on positive numbers.
    pub(super) plus: bool,
    /// A space where a sign would be.
    pub(super) space: bool,
    /// `#`: the alternative form.
    pub(super) alternate: bool,
    /// `0`: pad with zeros.
    pub(super) zero: bool,
}

/// A width or precision.
#[derive(Clone, Copy, Debug)]
enum Count {
    None,
    Number(u32),
    Argument,
}

/// The length modifier of an integer conversion, as the number of bits it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length(u32);

impl Length {
    const CHAR: Self = Self(8);
    const SHORT: Self = Self(16);
    const INT: Self = Self(32);
    const LONG: Self = Self(64);

    /// 8, 16, 32 or 64. Up to 32 bits the argument is an `int`.
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

/// What to do with the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    Percent,
    Signed,
    Unsigned(Radix),
    Char,
    String,
    Pointer,
    Float { style: Style, upper: bool },
}

/// The base of an unsigned conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Binary { upper: bool },
    Octal,
    Decimal,
    Hexadecimal { upper: bool },
}

/// The shape of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Fixed,
    Exponent,
    General,
    Hexadecimal,
}

/// A directive with its width and precision known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) flags: Flags,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

impl Spec {
    /// How many `*` arguments come before the value.
    pub(super) fn stars(&self) -> usize {
        [self.width, self.precision]
            .into_iter()
            .filter(|count| matches!(count, Count::Argument))
            .count()
    }

    /// Reads the `*` arguments, if any.
    pub(super) fn field(&self, block: &mut Block) -> Result<Field, FormatError> {
        let mut flags = self.flags;
        let width = match self.width {
            Count::None => 0,
            Count::Number(width) => width,
            Count::Argument => {
                // C: "a negative field width argument is taken as a - flag followed by a positive field width".
                let width = block.int();
                flags.left |= width < 0;
                self.bounded(width.unsigned_abs())?
            }
        };
        let precision = match self.precision {
            Count::None => None,
            Count::Number(precision) => Some(precision),
            // C: "a negative precision argument is taken as if the precision were omitted".
            Count::Argument => match u32::try_from(block.int()) {
                Ok(precision) => Some(self.bounded(precision)?),
                Err(_) => None,
            },
        };
        Ok(Field {
            flags,
            width: width as usize,
            precision: precision.map(|precision| precision as usize),
        })
    }

    fn bounded(&self, count: u32) -> Result<u32, FormatError> {
        if count <= MAX_FIELD {
            Ok(count)
        } else {
            Err(FormatError::Field { at: self.at })
        }
    }
}

/// An iterator over the pieces of a format. It ends after an error.
pub(super) struct Directives<'a> {
    format: &'a [u8],
    position: usize,
}

impl<'a> Directives<'a> {
    /// Reads `format`, which holds no NUL.
    pub(super) fn new(format: &'a [u8]) -> Self {
        Self { format, position: 0 }
    }
}

impl<'a> Iterator for Directives<'a> {
    type Item = Result<Directive<'a>, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.format[self.position..];
        if *rest.first()? != b'%' {
            let end = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
            self.position += end;
            return Some(Ok(Directive::Literal(&rest[..end])));
        }
        let mut parser = Parser {
            format: self.format,
            start: self.position,
            position: self.position + 1,
        };
        let spec = parser.spec();
        self.position = if spec.is_ok() {
            parser.position
        } else {
            self.format.len()
        };
        Some(spec.map(Directive::Convert))
    }
}

/// Reads one directive, from behind its `%`.
struct Parser<'a> {
    format: &'a [u8],
    start: usize,
    position: usize,
}

impl Parser<'_> {
    fn spec(&mut self) -> Result<Spec, FormatError> {
        let flags = self.flags();
        let width = self.count()?.unwrap_or(Count::None);
        if self.peek() == Some(b'$') {
            return Err(FormatError::Numbered { at: self.start });
        }
        let precision = match self.eat(b'.') {
            // C: "if only the period is specified, the precision is taken as zero".
            true => self.count()?.unwrap_or(Count::Number(0)),
            false => Count::None,
        };
        let modifier = self.modifier()?;
        let (conversion, length) = self.conversion(modifier)?;
        Ok(Spec {
            at: self.start,
            flags,
            width,
            precision,
            length,
            conversion,
        })
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                Some(b'-') => flags.left = true,
                Some(b'+') => flags.plus = true,
                Some(b' ') => flags.space = true,
                Some(b'#') => flags.alternate = true,
                Some(b'0') => flags.zero = true,
                // POSIX: groups of thousands as the locale has them; the C locale has none.
                Some(b'\'') => {}
                _ => return flags,
            }
            self.position += 1;
        }
    }

    fn count(&mut self) -> Result<Option<Count>, FormatError> {
        if self.eat(b'*') {
            return Ok(Some(Count::Argument));
        }
        Ok(self.number()?.map(Count::Number))
    }

    fn number(&mut self) -> Result<Option<u32>, FormatError> {
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = number.unwrap_or(0) * 10 + u32::from(digit - b'0');
            if next > MAX_FIELD {
                return Err(FormatError::Field { at: self.start });
            }
            number = Some(next);
            self.position += 1;
        }
        Ok(number)
    }

    fn modifier(&mut self) -> Result<Modifier, FormatError> {
        Ok(match self.peek() {
            Some(b'h') => {
                self.position += 1;
                if self.eat(b'h') {
                    Modifier::Integer(Length::CHAR)
                } else {
                    Modifier::Integer(Length::SHORT)
                }
            }
            Some(b'l') => {
                self.position += 1;
                if self.eat(b'l') {
                    Modifier::Integer(Length::LONG)
                } else {
                    Modifier::Long
                }
            }
            Some(b'j' | b'z' | b't') => {
                self.position += 1;
                Modifier::Integer(Length::LONG)
            }
            Some(b'L' | b'q') => {
                self.position += 1;
                Modifier::LongDouble
            }
            Some(b'w') => {
                self.position += 1;
                // The fast types of LLVM's targets for GPUs are as wide as the exact ones.
                self.eat(b'f');
                let digits = self.position;
                match self.number()? {
                    Some(bits @ (8 | 16 | 32 | 64)) => Modifier::Integer(Length(bits)),
                    _ => {
                        self.position = digits;
                        return Err(self.unexpected());
                    }
                }
            }
            _ => Modifier::None,
        })
    }

    fn conversion(&mut self, modifier: Modifier) -> Result<(Conversion, Length), FormatError> {
        let byte = self.peek().ok_or(FormatError::Truncated { at: self.start })?;
        let length = match modifier {
            Modifier::None => Length::INT,
            Modifier::Integer(length) => length,
            // `%Ld` is no C, but C libraries take it for `%lld`.
            Modifier::Long | Modifier::LongDouble => Length::LONG,
        };
        let float = |style| Conversion::Float {
            style,
            upper: byte.is_ascii_uppercase(),
        };
        let conversion = match byte {
            b'd' | b'i' => Conversion::Signed,
            b'u' => Conversion::Unsigned(Radix::Decimal),
            b'o' => Conversion::Unsigned(Radix::Octal),
            b'x' | b'X' => Conversion::Unsigned(Radix::Hexadecimal { upper: byte == b'X' }),
            b'b' | b'B' => Conversion::Unsigned(Radix::Binary { upper: byte == b'B' }),
            b'f' | b'F' => float(Style::Fixed),
            b'e' | b'E' => float(Style::Exponent),
            b'g' | b'G' => float(Style::General),
            b'a' | b'A' => float(Style::Hexadecimal),
            b'c' | b's' if modifier == Modifier::Long => {
                return Err(FormatError::Wide { at: self.start });
            }
            b'C' | b'S' => return Err(FormatError::Wide { at: self.start }),
            b'c' => Conversion::Char,
            b's' => Conversion::String,
            b'p' => Conversion::Pointer,
            b'%' => Conversion::Percent,
            b'n' => return Err(FormatError::Count { at: self.start }),
            _ => return Err(self.unexpected()),
        };
        let fits = match conversion {
            Conversion::Signed | Conversion::Unsigned(_) => true,
            Conversion::Float { .. } => matches!(modifier, Modifier::None | Modifier::Long | Modifier::LongDouble),
            _ => modifier == Modifier::None,
        };
        if !fits {
            return Err(self.unexpected());
        }
        self.position += 1;
        Ok((conversion, length))
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.position).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    /// The error for the byte at hand.
    fn unexpected(&self) -> FormatError {
        match self.peek() {
            Some(byte) => FormatError::Unknown { at: self.start, byte },
            None => FormatError::Truncated { at: self.start },
        }
    }
}

/// A length modifier, before it is known what it modifies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifier {
    None,
    /// One that only integers have.
    Integer(Length),
    /// `l`: a `long`, a `double` as without it, or a wide character.
    Long,
    /// `L`.
    LongDouble,
}
