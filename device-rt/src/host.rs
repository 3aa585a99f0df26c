//! Functions of the program that embeds the host, by the names under which it has registered them.
//!
//! ```ignore
//! let mut out = [0.0; 4];
//! let sum: f64 = host::Call::new("scale")?.value(2.5)?.slice(&input)?.slice_out(&mut out)?.result()?;
//! ```
//!
//! A call is one round trip, whatever its arguments. They travel as bytes with their types; no pointer does, so that neither side
//! has to trust the other's.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use rpc_proto::Opcode;

use crate::io::{self, Write};
use crate::{express, rpc};

/// How an argument travels: added to the number of its type.
const IN: u8 = 16;
const OUT: u8 = 32;

/// The number of the type of text.
const TEXT: u8 = 12;

/// Bytes before the arguments: length of the name, number of arguments, type of the result.
const HEAD: usize = 8;

/// Bytes of a reply before the slices: result and value.
const REPLY_HEAD: usize = 16;

/// Bytes that the message of a failed call may have; the rest is cut off.
const MESSAGE: usize = 256;

/// A call of a function of the embedding program, being put together.
pub struct Call<'a> {
    request: Vec<u8>,
    arguments: u16,
    /// Where the slices that come out go, as bytes, in order.
    outs: Vec<Box<dyn Sink + 'a>>,
    out_bytes: usize,
}

impl<'a> Call<'a> {
    /// A call of the function named `name`.
    pub fn new(name: &str) -> Result<Self, Error> {
        let mut request = Vec::new();
        request.write_all(&(name.len() as u32).to_le_bytes())?;
        request.write_all(&[0; HEAD - 4])?;
        request.write_all(name.as_bytes())?;
        Ok(Self {
            request,
            arguments: 0,
            outs: Vec::new(),
            out_bytes: 0,
        })
    }

    /// Adds a number.
    pub fn value<T: Plain>(mut self, value: T) -> Result<Self, Error> {
        self.argument(T::TYPE)?;
        value.put(&mut self.request)?;
        Ok(self)
    }

    /// Adds a slice that goes in.
    pub fn slice<T: Plain>(mut self, slice: &[T]) -> Result<Self, Error> {
        self.elements(T::TYPE + IN, slice.len())?;
        for value in slice {
            value.put(&mut self.request)?;
        }
        Ok(self)
    }

    /// Adds a text.
    pub fn text(mut self, text: &str) -> Result<Self, Error> {
        self.elements(TEXT + IN, text.len())?;
        self.request.write_all(text.as_bytes())?;
        Ok(self)
    }

    /// Adds a slice that the function fills.
    pub fn slice_out<T: Plain>(mut self, slice: &'a mut [T]) -> Result<Self, Error> {
        self.elements(T::TYPE + OUT, slice.len())?;
        self.out_bytes += size_of_val::<[T]>(slice);
        self.outs.push(Box::new(slice));
        Ok(self)
    }

    /// Adds a slice that the function reads and changes.
    pub fn slice_inout<T: Plain>(mut self, slice: &'a mut [T]) -> Result<Self, Error> {
        self.elements(T::TYPE + IN + OUT, slice.len())?;
        for value in &*slice {
            value.put(&mut self.request)?;
        }
        self.out_bytes += size_of_val::<[T]>(slice);
        self.outs.push(Box::new(slice));
        Ok(self)
    }

    /// Makes the call of a function that returns nothing.
    pub fn run(self) -> Result<(), Error> {
        self.call(0).map(drop)
    }

    /// Makes the call of a function that returns a `T`.
    pub fn result<T: Plain>(self) -> Result<T, Error> {
        let value = self.call(T::TYPE)?;
        Ok(T::get(&value))
    }

    fn argument(&mut self, form: u8) -> Result<(), Error> {
        self.arguments += 1;
        Ok(self.request.write_all(&[form])?)
    }

    fn elements(&mut self, form: u8, count: usize) -> Result<(), Error> {
        self.argument(form)?;
        Ok(self.request.write_all(&(count as u64).to_le_bytes())?)
    }

    /// Makes the call and returns the bytes of the function's result.
    fn call(mut self, result_type: u8) -> Result<[u8; 8], Error> {
        if !rpc::has_services() {
            return Err(io::Error::NO_SERVICES.into());
        }
        self.request[4..6].copy_from_slice(&self.arguments.to_le_bytes());
        self.request[6] = result_type;
        let mut reply = Vec::new();
        let room = REPLY_HEAD + self.out_bytes.max(MESSAGE);
        reply.try_reserve(room).map_err(|_| io::OUT_OF_MEMORY)?;
        reply.resize(room, 0);

        express::flush();
        let client = rpc::client();
        let mut port = client.open(Opcode::CALL);
        port.send_n(&self.request);
        let size = port.recv_n(&mut reply);
        drop(port);

        reply.truncate(size.min(room as u64) as usize);
        let Some((head, rest)) = reply.split_first_chunk::<REPLY_HEAD>() else {
            return Err(BROKEN.into());
        };
        let [result, value] = *head.as_chunks::<8>().0 else {
            return Err(BROKEN.into());
        };
        match i64::from_le_bytes(result) {
            0 if rest.len() == self.out_bytes => {
                let mut rest = rest;
                for mut out in self.outs {
                    rest = out.fill(rest);
                }
                Ok(value)
            }
            0 => Err(BROKEN.into()),
            1.. => Err(Error::Failed(String::from_utf8_lossy(rest).into_owned())),
            errno => Err(Error::NotCalled(
                io::Error::from_raw_os_error(errno.unsigned_abs() as i32),
                String::from_utf8_lossy(rest).into_owned(),
            )),
        }
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

const BROKEN: io::Error = io::Error::new(io::ErrorKind::InvalidData, "the host sent a broken reply");

/// Why a call came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The function was called and says that it failed.
    Failed(String),
    /// The function was not called: there is none of that name, or it takes other arguments. With the host's words.
    NotCalled(io::Error, String),
    /// The call could not be put together or understood.
    Io(io::Error),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::NotCalled(_, message) => f.write_str(message),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// What can travel as it is: numbers and truth values.
pub trait Plain: Copy + sealed::Plain {
    #[doc(hidden)]
    const TYPE: u8;
    #[doc(hidden)]
    fn put(self, bytes: &mut Vec<u8>) -> io::Result<()>;
    #[doc(hidden)]
    fn get(bytes: &[u8]) -> Self;
}

mod sealed {
    pub trait Plain {}
}

macro_rules! plain {
    ($($number:literal $type:ident)*) => {$(
        impl sealed::Plain for $type {}

        impl Plain for $type {
            const TYPE: u8 = $number;

            fn put(self, bytes: &mut Vec<u8>) -> io::Result<()> {
                bytes.write_all(&self.to_le_bytes())
            }

            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default())
            }
        }
    )*};
}

plain! { 1 u8 2 i8 3 u16 4 i16 5 u32 6 i32 7 u64 8 i64 9 f32 10 f64 }

impl sealed::Plain for bool {}

impl Plain for bool {
    const TYPE: u8 = 11;

    fn put(self, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.write_all(&[self.into()])
    }

    fn get(bytes: &[u8]) -> Self {
        bytes.first().is_some_and(|&byte| byte != 0)
    }
}

/// Where a slice that comes out goes.
trait Sink {
    /// Takes what it needs from the front of `bytes`; returns the rest.
    fn fill<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8];
}

impl<T: Plain> Sink for &mut [T] {
    fn fill<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let (mine, rest) = bytes.split_at(size_of_val::<[T]>(&**self).min(bytes.len()));
        for (value, bytes) in self.iter_mut().zip(mine.chunks_exact(size_of::<T>())) {
            *value = T::get(bytes);
        }
        rest
    }
}
