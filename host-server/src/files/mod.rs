//! Files as C knows them, and the numbers by which a device names them.

mod mode;
mod open;
mod stream;
mod table;

pub use mode::Mode;
pub use open::{OpenFile, Source};
pub use stream::{MAX_PUSHED_BACK, Medium, Stream, Whence};
pub use table::{Handle, MAX_OPEN, Table, TableError};
