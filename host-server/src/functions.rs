//! Functions of the embedding program that a device calls by name.
//!
//! A call is typed on both sides: the device says the type of each argument, the function takes them one after the other
//! as what it expects, and a difference is an error of the call. Only plain numbers and text cross, by value; what comes out
//! goes into slices whose lengths the device chose. No pointer crosses.
//!
//! ```
//! # use host_server::functions::HostFunctions;
//! let mut functions = HostFunctions::new();
//! functions.register("scale", |arguments| {
//!     let factor = arguments.value::<f64>()?;
//!     let input = arguments.slice::<f64>()?;
//!     let output = arguments.slice_mut::<f64>()?;
//!     if input.len() != output.len() {
//!         return Err("scale: input and output differ in length".into());
//!     }
//!     for (to, from) in output.iter_mut().zip(input) {
//!         *to = factor * from;
//!     }
//!     Ok(output.len() as u64)
//! });
//! ```

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The most bytes that the slices of one call may bring back.
pub const MAX_RESULT_BYTES: u64 = 64 << 20;

/// The most arguments of one call.
pub const MAX_ARGUMENTS: usize = 64;

/// How long a device waits for a function, unless told otherwise.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The functions that a device may call. An empty set refuses every name.
#[derive(Clone)]
pub struct HostFunctions {
    functions: HashMap<String, Arc<Function>>,
    patience: Duration,
}

impl Default for HostFunctions {
    fn default() -> Self {
        Self {
            functions: HashMap::new(),
            patience: PATIENCE,
        }
    }
}

type Function = dyn Fn(&mut Arguments<'_>) -> Result<Value, CallError> + Send + Sync;

/// Why a call of a named function brings no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No function has this name.
    #[error("no function named \"{}\" is registered", .0.escape_debug())]
    Unknown(String),
    /// The request is not one, or its arguments are not those that the function takes.
    #[error("{0}")]
    Mismatch(String),
    /// Slices longer than [`MAX_RESULT_BYTES`] would come back.
    #[error("the call asks for more than {MAX_RESULT_BYTES} bytes of results")]
    TooLong,
    /// The function ran and failed.
    #[error("{0}")]
    Failed(String),
    /// The function has not returned in time.
    #[error(
        "the function has not returned for {} ms; if it waits for the device, as a driver's free or synchronise does, the \
         device waits for it as well",
        .0.as_millis()
    )]
    Late(Duration),
}

impl From<String> for CallError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<&str> for CallError {
    fn from(message: &str) -> Self {
        Self::Failed(message.into())
    }
}

/// The result of a function: its type, and its bytes in the low ones of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    kind: u8,
    bits: u64,
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// The type of text, one byte an element.
const TEXT: u8 = 12;

/// How an argument travels: bits of its form above the type.
const TYPE_BITS: u8 = 0x0F;
const IN: u8 = 0x10;
const OUT: u8 = 0x20;
const BOTH: u8 = IN | OUT;

mod sealed {
    pub trait Sealed {}
}

/// A number that crosses as its bytes. `TYPE` is its number in the request.
pub trait Element: Copy + Default + Into<Value> + sealed::Sealed + 'static {
    /// The type's number.
    const TYPE: u8;
    /// The type's name.
    const NAME: &'static str;
    #[doc(hidden)]
    fn list(data: &mut Data) -> Option<&mut Vec<Self>>;
}

macro_rules! elements {
    ($($number:literal $name:ident $type:ty, $size:literal;)*) => {
        /// The elements of an argument.
        #[doc(hidden)]
        #[derive(Clone, Debug)]
        pub enum Data {
            $($name(Vec<$type>),)*
            Text(String),
        }

        impl Data {
            /// Reads `count` elements from the front of `bytes`, or makes as many zeros.
            fn read(kind: u8, count: usize, bytes: Option<&mut &[u8]>) -> Option<Self> {
                Some(match kind {
                    $($number => Self::$name(match bytes {
                        None => vec![<$type>::default(); count],
                        Some(bytes) => {
                            let (elements, rest) = bytes.split_at_checked(count.checked_mul($size)?)?;
                            *bytes = rest;
                            let (elements, _) = elements.as_chunks::<$size>();
                            elements.iter().map(|&bytes| <$type>::from_wire(bytes)).collect()
                        }
                    }),)*
                    TEXT => {
                        let bytes = bytes?;
                        let (text, rest) = bytes.split_at_checked(count)?;
                        *bytes = rest;
                        Self::Text(std::str::from_utf8(text).ok()?.into())
                    }
                    _ => return None,
                })
            }

            /// The bytes that come back.
            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name(elements) => out.extend(elements.iter().flat_map(|element| element.to_wire())),)*
                    Self::Text(text) => out.extend_from_slice(text.as_bytes()),
                }
            }
        }

        /// Bytes of an element; 0 for what is no type.
        fn size_of_type(kind: u8) -> u64 {
            match kind {
                $($number => $size,)*
                TEXT => 1,
                _ => 0,
            }
        }

        fn name_of_type(kind: u8) -> &'static str {
            match kind {
                0 => "nothing",
                $($number => stringify!($type),)*
                TEXT => "text",
                _ => "an unknown type",
            }
        }

        $(
            impl sealed::Sealed for $type {}

            impl Element for $type {
                const TYPE: u8 = $number;
                const NAME: &'static str = stringify!($type);

                fn list(data: &mut Data) -> Option<&mut Vec<Self>> {
                    match data {
                        Data::$name(elements) => Some(elements),
                        _ => None,
                    }
                }
            }

            impl From<$type> for Value {
                fn from(value: $type) -> Self {
                    let mut bytes = [0; 8];
                    bytes[..$size].copy_from_slice(&value.to_wire());
                    Self { kind: $number, bits: u64::from_le_bytes(bytes) }
                }
            }
        )*
    };
}

elements! {
    1 U8 u8, 1;
    2 I8 i8, 1;
    3 U16 u16, 2;
    4 I16 i16, 2;
    5 U32 u32, 4;
    6 I32 i32, 4;
    7 U64 u64, 8;
    8 I64 i64, 8;
    9 F32 f32, 4;
    10 F64 f64, 8;
    11 Bool bool, 1;
}

/// How an element lies in a request.
trait Wire<const SIZE: usize> {
    fn from_wire(bytes: [u8; SIZE]) -> Self;
    fn to_wire(self) -> [u8; SIZE];
}

macro_rules! wire {
    ($($type:ty, $size:literal;)*) => {$(
        impl Wire<$size> for $type {
            fn from_wire(bytes: [u8; $size]) -> Self {
                Self::from_le_bytes(bytes)
            }

            fn to_wire(self) -> [u8; $size] {
                self.to_le_bytes()
            }
        }
    )*};
}

wire! { u8, 1; i8, 1; u16, 2; i16, 2; u32, 4; i32, 4; u64, 8; i64, 8; f32, 4; f64, 8; }

impl Wire<1> for bool {
    fn from_wire([byte]: [u8; 1]) -> Self {
        byte != 0
    }

    fn to_wire(self) -> [u8; 1] {
        [self.into()]
    }
}

struct Argument {
    form: u8,
    data: Data,
}

/// The arguments of a call, taken one after the other.
pub struct Arguments<'a> {
    rest: std::slice::IterMut<'a, Argument>,
    taken: usize,
}

impl<'a> Arguments<'a> {
    /// The next argument, one number.
    pub fn value<T: Element>(&mut self) -> Result<T, CallError> {
        let elements = self.take::<T>(0)?;
        Ok(elements.first().copied().unwrap_or_default())
    }

    /// The next argument, numbers that the device sent.
    pub fn slice<T: Element>(&mut self) -> Result<&'a [T], CallError> {
        self.take(IN).map(|elements| &*elements)
    }

    /// The next argument, numbers that go back to the device. They start as what it sent, or as zeros.
    pub fn slice_mut<T: Element>(&mut self) -> Result<&'a mut [T], CallError> {
        self.take(OUT)
    }

    /// The next argument, text.
    pub fn text(&mut self) -> Result<&'a str, CallError> {
        let wanted = || "text".to_owned();
        match self.next(wanted)? {
            Argument {
                data: Data::Text(text), ..
            } => Ok(text),
            other => Err(self.mismatch(wanted(), Some(other.form))),
        }
    }

    /// Makes sure that no argument is left.
    pub fn end(&mut self) -> Result<(), CallError> {
        match self.rest.next() {
            None => Ok(()),
            Some(argument) => Err(CallError::Mismatch(format!(
                "argument {}, {}, is one too many",
                self.taken + 1,
                describe(argument.form)
            ))),
        }
    }

    fn take<T: Element>(&mut self, form: u8) -> Result<&'a mut [T], CallError> {
        let wanted = || describe(form | T::TYPE);
        let argument = self.next(wanted)?;
        // A slice that goes in and comes out is a slice that comes out.
        let same = argument.form & BOTH == form || (form == OUT && argument.form & OUT != 0);
        let found = argument.form;
        match T::list(&mut argument.data) {
            Some(elements) if same => Ok(elements),
            _ => Err(self.mismatch(wanted(), Some(found))),
        }
    }

    fn next(&mut self, wanted: impl Fn() -> String) -> Result<&'a mut Argument, CallError> {
        self.taken += 1;
        match self.rest.next() {
            Some(argument) => Ok(argument),
            None => Err(self.mismatch(wanted(), None)),
        }
    }

    fn mismatch(&self, wanted: String, found: Option<u8>) -> CallError {
        let found = found.map_or("missing".to_owned(), describe);
        CallError::Mismatch(format!(
            "argument {} is {found}, the function takes {wanted}",
            self.taken
        ))
    }
}

/// An argument's form in words.
fn describe(form: u8) -> String {
    let name = name_of_type(form & TYPE_BITS);
    match form & !TYPE_BITS {
        0 => name.into(),
        IN if form & TYPE_BITS == TEXT => name.into(),
        IN => format!("&[{name}]"),
        OUT | BOTH => format!("&mut [{name}]"),
        _ => "of an unknown form".into(),
    }
}

impl HostFunctions {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets devices call `function` as `name`. Replaces an earlier one of that name.
    ///
    /// The function may block and may be called by several threads at once. Arguments that it does not take are an error
    /// of the call, and so is a result of another type than the device expects; it has run by then.
    pub fn register<R: Into<Value>>(
        &mut self,
        name: &str,
        function: impl Fn(&mut Arguments<'_>) -> Result<R, CallError> + Send + Sync + 'static,
    ) -> &mut Self {
        let function = move |arguments: &mut Arguments<'_>| function(arguments).map(Into::into);
        self.functions.insert(name.into(), Arc::new(function));
        self
    }

    /// How long a device waits for a function, [`PATIENCE`] at first. Then the call fails with [`CallError::Late`], and what
    /// the function comes to is dropped. With [`Duration::MAX`] it waits for ever.
    ///
    /// A function that waits for the kernel that waits for it, as a driver's free or synchronise may, so ends both.
    pub fn set_patience(&mut self, patience: Duration) -> &mut Self {
        self.patience = patience;
        self
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// The reply to a request whose function has not returned in time.
    pub(crate) fn late(&self) -> Vec<u8> {
        failure(&CallError::Late(self.patience))
    }

    /// Answers a request, bytes as `docs/opcodes.md` describes them, with the reply.
    pub fn answer(&self, request: &[u8]) -> Vec<u8> {
        let mut reply = vec![0; 16];
        match self.call(request, &mut reply) {
            Ok(value) => {
                reply[8..16].copy_from_slice(&value.bits.to_le_bytes());
                reply
            }
            Err(error) => failure(&error),
        }
    }

    fn call(&self, request: &[u8], reply: &mut Vec<u8>) -> Result<Value, CallError> {
        let broken = || CallError::Mismatch("the request is no call".into());
        let Some((name, result_type, mut arguments)) = parse(request)? else {
            return Err(broken());
        };
        let function = self.functions.get(&name).ok_or(CallError::Unknown(name))?;
        let mut taken = Arguments {
            rest: arguments.iter_mut(),
            taken: 0,
        };
        let value = function(&mut taken)?;
        taken.end()?;
        if value.kind != result_type {
            let (is, wanted) = (name_of_type(value.kind), name_of_type(result_type));
            return Err(CallError::Mismatch(format!(
                "the function's result is {is}, the device expects {wanted}"
            )));
        }
        for argument in arguments.iter().filter(|argument| argument.form & OUT != 0) {
            argument.data.write(reply);
        }
        Ok(value)
    }
}

/// The reply to a call that failed: a result, no value, and why.
pub(crate) fn failure(error: &CallError) -> Vec<u8> {
    let result = match error {
        CallError::Failed(_) | CallError::Late(_) => 1,
        CallError::Unknown(_) => -libc::ENOENT,
        CallError::Mismatch(_) => -libc::EINVAL,
        CallError::TooLong => -libc::EMSGSIZE,
    };
    let message = error.to_string();
    let message = &message.as_bytes()[..message.floor_char_boundary(MAX_MESSAGE)];
    [&i64::from(result).to_le_bytes()[..], &[0; 8], message].concat()
}

/// The longest message of a failed call, in bytes.
const MAX_MESSAGE: usize = 4096;

type Request = (String, u8, Vec<Argument>);

/// Takes a request apart; `None` if it is none.
fn parse(request: &[u8]) -> Result<Option<Request>, CallError> {
    let mut bytes = request;
    let mut results = 0u64;
    let mut take = |bytes: &mut &[u8]| -> Option<Result<Request, CallError>> {
        let header: [u8; 8] = split(bytes)?;
        let [a, b, c, d, e, f, result_type, _] = header;
        let name = bytes.split_off(..u32::from_le_bytes([a, b, c, d]) as usize)?;
        let name = String::from_utf8_lossy(name).into_owned();
        let count = usize::from(u16::from_le_bytes([e, f]));
        if count > MAX_ARGUMENTS {
            return None;
        }
        let mut arguments = Vec::new();
        for _ in 0..count {
            let [form] = split(bytes)?;
            let kind = form & TYPE_BITS;
            let elements = if form & BOTH == 0 {
                1
            } else {
                u64::from_le_bytes(split(bytes)?)
            };
            if form & OUT != 0 {
                results = results.saturating_add(elements.saturating_mul(size_of_type(kind)));
                if results > MAX_RESULT_BYTES {
                    return Some(Err(CallError::TooLong));
                }
            }
            let count = usize::try_from(elements).ok()?;
            let goes_in = form & BOTH != OUT;
            let data = Data::read(kind, count, goes_in.then_some(&mut *bytes))?;
            let sound = form & !(TYPE_BITS | BOTH) == 0 && (kind != TEXT || form & BOTH == IN);
            if !sound {
                return None;
            }
            arguments.push(Argument { form, data });
        }
        bytes.is_empty().then_some(Ok((name, result_type, arguments)))
    };
    take(&mut bytes).transpose()
}

fn split<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    bytes.split_off(..N)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Builds requests as a device does.
    struct Device(Vec<u8>);

    impl Device {
        fn call(name: &str, arguments: u16, result: u8) -> Self {
            let mut bytes = (name.len() as u32).to_le_bytes().to_vec();
            bytes.extend(arguments.to_le_bytes());
            bytes.extend([result, 0]);
            bytes.extend(name.as_bytes());
            Self(bytes)
        }

        fn with(mut self, form: u8, count: Option<u64>, data: &[u8]) -> Self {
            self.0.push(form);
            self.0.extend(count.map(u64::to_le_bytes).into_iter().flatten());
            self.0.extend(data);
            self
        }
    }

    fn functions() -> HostFunctions {
        let mut functions = HostFunctions::new();
        functions.register("all", |arguments| {
            let scalar = arguments.value::<i32>()?;
            let text = arguments.text()?;
            let input = arguments.slice::<u16>()?;
            let output = arguments.slice_mut::<f64>()?;
            let both = arguments.slice_mut::<u8>()?;
            output.fill(f64::from(scalar) + input.iter().map(|&element| f64::from(element)).sum::<f64>());
            both.reverse();
            Ok(text.len() as u64)
        });
        functions.register("nothing", |_| Ok(()));
        functions.register("fails", |arguments| -> Result<(), _> {
            arguments.end()?;
            Err("out of luck".into())
        });
        functions
    }

    fn result(reply: &[u8]) -> (i64, u64, &[u8]) {
        let word = |at: usize| <[u8; 8]>::try_from(&reply[at..at + 8]).unwrap();
        (i64::from_le_bytes(word(0)), u64::from_le_bytes(word(8)), &reply[16..])
    }

    /// A request that fits the function.
    fn request() -> Device {
        Device::call("all", 5, 7)
            .with(6, None, &(-3i32).to_le_bytes())
            .with(IN | TEXT, Some(6), "né漢".as_bytes())
            .with(IN | 3, Some(2), &[1, 0, 2, 1])
            .with(OUT | 10, Some(2), &[])
            .with(BOTH | 1, Some(3), &[7, 8, 9])
    }

    #[test]
    fn every_kind_of_argument_crosses() {
        let Device(request) = request();
        let reply = functions().answer(&request);
        let sum = 256.0f64.to_le_bytes();
        assert_eq!(result(&reply), (0, 6, &[&sum[..], &sum, &[9, 8, 7]].concat()[..]));
    }

    #[test]
    fn a_call_that_does_not_fit_is_an_error_that_says_why() {
        let message = |Device(request): Device| {
            let reply = functions().answer(&request);
            let (code, value, text) = result(&reply);
            assert_eq!(value, 0);
            (code as i32, String::from_utf8(text.to_vec()).unwrap())
        };
        assert_eq!(message(Device::call("no\n", 0, 0)).0, -libc::ENOENT);
        assert_eq!(message(Device::call("fails", 0, 0)), (1, "out of luck".into()));
        let (code, text) = message(Device::call("all", 1, 7).with(5, None, &[0; 4]));
        assert_eq!(
            (code, text.as_str()),
            (-libc::EINVAL, "argument 1 is u32, the function takes i32")
        );
        let (code, text) = message(Device::call("all", 1, 7).with(6, None, &[0; 4]));
        assert_eq!(
            (code, text.as_str()),
            (-libc::EINVAL, "argument 2 is missing, the function takes text")
        );
        let (code, text) = message(Device::call("nothing", 1, 0).with(IN | 9, Some(0), &[]));
        assert_eq!(
            (code, text.as_str()),
            (-libc::EINVAL, "argument 1, &[f32], is one too many")
        );
        let (code, text) = message(Device::call("nothing", 0, 7));
        assert_eq!(
            (code, text.as_str()),
            (
                -libc::EINVAL,
                "the function's result is nothing, the device expects u64"
            )
        );
        let huge = Device::call("all", 1, 0).with(OUT | 10, Some(u64::MAX), &[]);
        assert_eq!(message(huge).0, -libc::EMSGSIZE);
        // Text cut in the middle of a character, and an input longer than what came.
        assert_eq!(
            message(Device::call("all", 1, 0).with(IN | TEXT, Some(2), &"né".as_bytes()[..2])).0,
            -libc::EINVAL
        );
        assert_eq!(
            message(Device::call("all", 1, 0).with(IN | 10, Some(1 << 60), &[])).0,
            -libc::EINVAL
        );
        for broken in [&[][..], &[0; 7], &[255; 8], &[255; 100]] {
            assert_eq!(message(Device(broken.to_vec())).0, -libc::EINVAL);
        }
    }

    proptest! {
        #[test]
        fn no_request_harms(flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..6), cut in 0usize..100) {
            let Device(mut request) = request();
            for (at, byte) in flips {
                let at = at.index(request.len());
                request[at] = byte;
            }
            request.truncate(request.len().saturating_sub(cut / 10));
            let reply = functions().answer(&request);
            prop_assert!(reply.len() >= 16 && reply.len() as u64 <= 16 + MAX_RESULT_BYTES);
        }
    }
}
