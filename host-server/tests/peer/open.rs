//! The options of FS_OPEN, as `docs/opcodes.md` has them.

pub const READ: u64 = 1;
pub const WRITE: u64 = 2;
pub const APPEND: u64 = 4;
pub const TRUNCATE: u64 = 8;
pub const CREATE: u64 = 16;
pub const CREATE_NEW: u64 = 32;
