//! A reader of MessagePack, as far as code object metadata needs it.
//!
//! Input is hostile until proven otherwise: every length is checked against what is left, and nesting is bounded.

use std::str;

/// A value. Integers of all kinds are one; floats and extensions do not occur in metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A number.
    Int(i128),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A sequence.
    Array(Vec<Value<'a>>),
    /// Names and values in the order they are written in.
    Map(Vec<(Value<'a>, Value<'a>)>),
}

/// The bytes are no MessagePack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// They end inside a value.
    #[error("it ends inside a value")]
    Truncated,
    /// A kind of value that metadata does not have.
    #[error("byte {at:#x} starts no known kind of value ({byte:#04x})")]
    Unknown {
        /// Where.
        at: usize,
        /// What is there.
        byte: u8,
    },
    /// Text that is not UTF-8.
    #[error("text is not UTF-8")]
    NotText,
    /// Too deep.
    #[error("values are nested too deeply")]
    Deep,
}

/// Metadata nests five deep.
const DEEPEST: u32 = 32;

impl<'a> Value<'a> {
    /// Reads the value at the start of `bytes`.
    ///
    /// # Errors
    /// When there is none.
    pub fn parse(bytes: &'a [u8]) -> Result<Value<'a>, Error> {
        Reader { bytes, at: 0 }.value(0)
    }

    /// The value of `name` in a map.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        let Value::Map(entries) = self else { return None };
        entries
            .iter()
            .find(|(key, _)| *key == Value::Text(name))
            .map(|(_, value)| value)
    }

    /// The text that it is.
    pub fn as_text(&self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number that it is, if that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// The truth value that it is.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The elements that it has.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(count).ok_or(Error::Truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(Error::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    /// A big-endian number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> Result<u64, Error> {
        Ok(self
            .take(bytes)?
            .iter()
            .fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn length(&mut self, bytes: usize) -> Result<usize, Error> {
        usize::try_from(self.number(bytes)?).map_err(|_| Error::Truncated)
    }

    fn text(&mut self, length: usize) -> Result<Value<'a>, Error> {
        str::from_utf8(self.take(length)?)
            .map(Value::Text)
            .map_err(|_| Error::NotText)
    }

    fn array(&mut self, length: usize, depth: u32) -> Result<Value<'a>, Error> {
        // No reservation by a length that is only claimed.
        let mut values = Vec::new();
        for _ in 0..length {
            values.push(self.value(depth + 1)?);
        }
        Ok(Value::Array(values))
    }

    fn map(&mut self, length: usize, depth: u32) -> Result<Value<'a>, Error> {
        let mut entries = Vec::new();
        for _ in 0..length {
            let key = self.value(depth + 1)?;
            entries.push((key, self.value(depth + 1)?));
        }
        Ok(Value::Map(entries))
    }

    fn value(&mut self, depth: u32) -> Result<Value<'a>, Error> {
        if depth > DEEPEST {
            return Err(Error::Deep);
        }
        let at = self.at;
        let byte = self.take(1)?[0];
        Ok(match byte {
            0x00..=0x7f => Value::Int(i128::from(byte)),
            0x80..=0x8f => self.map(usize::from(byte & 0xf), depth)?,
            0x90..=0x9f => self.array(usize::from(byte & 0xf), depth)?,
            0xa0..=0xbf => self.text(usize::from(byte & 0x1f))?,
            0xc0 => Value::Nil,
            0xc2 | 0xc3 => Value::Bool(byte == 0xc3),
            0xc4..=0xc6 => {
                let length = self.length(1 << (byte - 0xc4))?;
                Value::Bytes(self.take(length)?)
            }
            0xcc..=0xcf => Value::Int(i128::from(self.number(1 << (byte - 0xcc))?)),
            0xd0..=0xd3 => {
                let bytes = 1 << (byte - 0xd0);
                let unused = 64 - 8 * bytes as u32;
                let number = (self.number(bytes)? << unused) as i64 >> unused;
                Value::Int(i128::from(number))
            }
            0xd9..=0xdb => {
                let length = self.length(1 << (byte - 0xd9))?;
                self.text(length)?
            }
            0xdc | 0xdd => {
                let length = self.length(2 << (byte - 0xdc))?;
                self.array(length, depth)?
            }
            0xde | 0xdf => {
                let length = self.length(2 << (byte - 0xde))?;
                self.map(length, depth)?
            }
            0xe0..=0xff => Value::Int(i128::from(byte as i8)),
            _ => return Err(Error::Unknown { at, byte }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read() {
        let bytes =
            b"\x86\xa1a\xcd\x01\x02\xa1b\x93\x01\xff\xd1\xff\x00\xa1c\xc3\xa1d\xd9\x02hi\xa1e\xc0\xa1f\xc4\x01\x07";
        let value = Value::parse(bytes).unwrap();
        assert_eq!(value.get("a").unwrap().as_u64(), Some(0x102));
        let numbers = [Value::Int(1), Value::Int(-1), Value::Int(-256)];
        assert_eq!(value.get("b").unwrap().as_array(), Some(&numbers[..]));
        assert_eq!(value.get("c").unwrap().as_bool(), Some(true));
        assert_eq!(value.get("d").unwrap().as_text(), Some("hi"));
        assert_eq!(value.get("e"), Some(&Value::Nil));
        assert_eq!(value.get("f"), Some(&Value::Bytes(&[7])));
        assert_eq!(value.get("g"), None);
        for end in 0..bytes.len() {
            assert!(Value::parse(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn claims_are_not_believed() {
        assert_eq!(Value::parse(b"\xdd\xff\xff\xff\xff"), Err(Error::Truncated));
        assert_eq!(Value::parse(b"\xdb\xff\xff\xff\xff"), Err(Error::Truncated));
        assert_eq!(Value::parse(&[0x91; 100]), Err(Error::Deep));
        assert_eq!(Value::parse(b"\xc1"), Err(Error::Unknown { at: 0, byte: 0xc1 }));
        assert_eq!(Value::parse(b"\xa1\xff"), Err(Error::NotText));
    }
}
