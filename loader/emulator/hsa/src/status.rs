//! Statuses, and what they mean in words.

use std::ffi::CStr;

use hsa_sys as hsa;
use hsa_sys::hsa_status_t;

/// Why an entry point did not do what it was asked; never `HSA_STATUS_SUCCESS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub hsa_status_t);

/// What the body of an entry point returns.
pub type Result<T = ()> = std::result::Result<T, Status>;

/// Declares the statuses: a short name, the header's name, the words.
macro_rules! statuses {
    ($($short:ident = $name:path, $text:literal;)*) => {
        #[allow(missing_docs, reason = "the words are the documentation")]
        impl Status {
            $(
                #[doc = $text]
                pub const $short: Status = Status($name);
            )*

            /// The words for a status, none for a number that is no status.
            pub fn text(status: hsa_status_t) -> Option<&'static CStr> {
                match status {
                    hsa::HSA_STATUS_SUCCESS => Some(c"success"),
                    $($name => {
                        const TEXT: &CStr = match CStr::from_bytes_with_nul(
                            concat!($text, "\0").as_bytes(),
                        ) {
                            Ok(text) => text,
                            Err(_) => panic!("a text holds a NUL"),
                        };
                        Some(TEXT)
                    })*
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    BREAK = hsa::HSA_STATUS_INFO_BREAK, "a traversal was ended by its callback";
    ERROR = hsa::HSA_STATUS_ERROR, "generic error";
    ARGUMENT = hsa::HSA_STATUS_ERROR_INVALID_ARGUMENT, "an argument is out of range or null";
    QUEUE_CREATION = hsa::HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "the agent cannot have such a queue";
    ALLOCATION = hsa::HSA_STATUS_ERROR_INVALID_ALLOCATION, "not the address of an allocation";
    AGENT = hsa::HSA_STATUS_ERROR_INVALID_AGENT, "no such agent";
    REGION = hsa::HSA_STATUS_ERROR_INVALID_REGION, "no such memory region";
    SIGNAL = hsa::HSA_STATUS_ERROR_INVALID_SIGNAL, "no such signal";
    QUEUE = hsa::HSA_STATUS_ERROR_INVALID_QUEUE, "no such queue";
    OUT_OF_RESOURCES = hsa::HSA_STATUS_ERROR_OUT_OF_RESOURCES, "not enough memory or another resource";
    PACKET = hsa::HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "a packet is malformed";
    RESOURCE_FREE = hsa::HSA_STATUS_ERROR_RESOURCE_FREE, "a resource could not be released";
    NOT_INITIALIZED = hsa::HSA_STATUS_ERROR_NOT_INITIALIZED, "hsa_init has not been called";
    REFCOUNT = hsa::HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "hsa_init was called too often";
    INCOMPATIBLE = hsa::HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "the arguments do not go together";
    INDEX = hsa::HSA_STATUS_ERROR_INVALID_INDEX, "an index is out of range";
    ISA = hsa::HSA_STATUS_ERROR_INVALID_ISA, "no such instruction set";
    ISA_NAME = hsa::HSA_STATUS_ERROR_INVALID_ISA_NAME, "not the name of an instruction set";
    CODE_OBJECT = hsa::HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "not a code object that this agent can run";
    EXECUTABLE = hsa::HSA_STATUS_ERROR_INVALID_EXECUTABLE, "no such executable";
    FROZEN = hsa::HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "the executable is frozen";
    SYMBOL_NAME = hsa::HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "no symbol of that name";
    VARIABLE_DEFINED = hsa::HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, "the variable is defined already";
    VARIABLE_UNDEFINED = hsa::HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "a variable is not defined";
    EXCEPTION = hsa::HSA_STATUS_ERROR_EXCEPTION, "a kernel trapped";
    CODE_SYMBOL = hsa::HSA_STATUS_ERROR_INVALID_CODE_SYMBOL, "no such code object symbol";
    EXECUTABLE_SYMBOL = hsa::HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, "no such executable symbol";
    FILE = hsa::HSA_STATUS_ERROR_INVALID_FILE, "the file cannot be read";
    READER = hsa::HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "no such code object reader";
    CACHE = hsa::HSA_STATUS_ERROR_INVALID_CACHE, "no such cache";
    WAVEFRONT = hsa::HSA_STATUS_ERROR_INVALID_WAVEFRONT, "no such wavefront";
    SIGNAL_GROUP = hsa::HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, "no such signal group";
    RUNTIME_STATE = hsa::HSA_STATUS_ERROR_INVALID_RUNTIME_STATE, "the runtime is in the wrong state for this";
    FATAL = hsa::HSA_STATUS_ERROR_FATAL, "the runtime cannot go on";
    MEMORY_POOL = hsa::HSA_STATUS_ERROR_INVALID_MEMORY_POOL, "no such memory pool";
    APERTURE = hsa::HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, "a kernel used an address of the wrong memory";
    ILLEGAL_INSTRUCTION = hsa::HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "a kernel met an instruction that does not exist";
    MEMORY_FAULT = hsa::later::HSA_STATUS_ERROR_MEMORY_FAULT, "a kernel used an address that it must not";
}
