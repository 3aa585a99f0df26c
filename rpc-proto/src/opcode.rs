//! The names of all services. `docs/opcodes.md` has the exchange behind each.

/// What a call asks for: `(class << 24) | number`, the class an ASCII letter.
///
/// Class `c` is LLVM's libc, `o` its offload runtime, `r` ours. All others are free for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Opcode(pub u32);

impl Opcode {
    /// Opcode number `number` (below 2²⁴) of `class` (an ASCII letter).
    pub const fn new(class: u8, number: u32) -> Self {
        Self((class as u32) << 24 | number & 0xff_ffff)
    }

    /// The class letter, as a byte.
    pub const fn class(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The number within the class.
    pub const fn number(self) -> u32 {
        self.0 & 0xff_ffff
    }
}

impl core::fmt::Display for Opcode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None if self.class().is_ascii_alphabetic() => {
                write!(f, "opcode '{}' {}", self.class() as char, self.number())
            }
            None => write!(f, "opcode {:#010x}", self.0),
        }
    }
}

macro_rules! opcodes {
    ($($class:literal { $($number:literal $name:ident $doc:literal)* })*) => {
        impl Opcode {
            $($(
                #[doc = $doc]
                pub const $name: Self = Self::new($class, $number);
            )*)*

            /// Every opcode that has a name.
            pub const ALL: &'static [Self] = &[$($(Self::$name),*),*];

            /// The opcode's name in the table, if it is there.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $($(Self::$name => Some(stringify!($name)),)*)*
                    _ => None,
                }
            }
        }
    };
}

opcodes! {
    b'c' {
        0 NOOP "Nothing; the call is asynchronous."
        1 EXIT "End the program with a status."
        2 WRITE_TO_STDOUT "Write bytes to standard output."
        3 WRITE_TO_STDERR "Write bytes to standard error."
        4 WRITE_TO_STREAM "Write bytes to a stream."
        5 WRITE_TO_STDOUT_NEWLINE "Write bytes and a newline to standard output."
        6 READ_FROM_STREAM "Read bytes from a stream."
        7 READ_FGETS "Read a line from a stream."
        8 OPEN_FILE "Open a file."
        9 CLOSE_FILE "Close a file."
        10 MALLOC "Allocate device memory."
        11 FREE "Free device memory; the call is asynchronous."
        12 HOST_CALL "Call a function of the host."
        13 ABORT "End the program abnormally."
        14 FEOF "Has the stream met its end?"
        15 FERROR "Has the stream met an error?"
        16 CLEARERR "Forget the stream's end and error."
        17 FSEEK "Set the stream's position."
        18 FTELL "The stream's position."
        19 FFLUSH "Write out what the stream holds back."
        20 UNGETC "Push a byte back into the stream."
        21 PRINTF_TO_STDOUT "Format and write to standard output."
        22 PRINTF_TO_STDERR "Format and write to standard error."
        23 PRINTF_TO_STREAM "Format and write to a stream."
        24 PRINTF_TO_STDOUT_PACKED "The same, arguments without padding."
        25 PRINTF_TO_STDERR_PACKED "The same, arguments without padding."
        26 PRINTF_TO_STREAM_PACKED "The same, arguments without padding."
        27 REMOVE "Remove a file."
        28 RENAME "Rename a file."
        29 SYSTEM "Run a command of the host."
        32768 TEST_INCREMENT "Answer with the number after the given one."
        32769 TEST_INTERFACE "Sends and receives in every order."
        32770 TEST_STREAM "Answer with the same bytes."
    }
    b'o' {
        0 OFFLOAD_HOST_CALL "Call a function of the host, as LLVM's offload runtime spells it."
    }
    b'r' {
        1 FS_OPEN "Open a file, with options."
        2 FS_READ "Read bytes from a stream."
        3 FS_WRITE "Write bytes to a stream."
        4 FS_SEEK "Set the stream's position, and learn it."
        5 FS_SYNC "Write out what the stream holds back, to the system or to the medium."
        6 FS_CLOSE "Close a file or a directory."
        7 FS_METADATA "What the host knows about a path."
        8 FS_FILE_METADATA "What the host knows about an open file."
        9 FS_SET_LEN "Cut or lengthen a file."
        10 FS_CREATE_DIR "Create a directory."
        11 FS_REMOVE "Remove a file or a directory."
        12 FS_RENAME "Give a file another name."
        13 FS_COPY "Copy a file."
        14 FS_OPEN_DIR "Open a directory to list it."
        15 FS_READ_DIR "The next entries of a directory."
        16 RUN "Run a command of the host and keep its output."
        17 CLOCK "The time of day."
        18 SLEEP "Wait."
        19 CALL "Call a function of the embedding program by its name."
        32 FORMAT "Format for the caller, as C's snprintf."
        33 FORMAT_PACKED "The same, arguments without padding."
        34 BULK_WRITE "Write bytes to a stream that the host fetches from device memory."
        35 BULK_READ "Read bytes from a stream into device memory."
    }
}
