//! Large transfers that are asked for by express ([`EXPRESS_BULK`](crate::ext::features::EXPRESS_BULK)).
//!
//! An [express](crate::express) message with the opcode of BULK_WRITE or BULK_READ and the three words of its packet; the
//! answer's first word is the packet's. Its tags order nothing but the words themselves: a device releases what is to be
//! written before it asks, and acquires after the answer what was read.

/// The most bytes, of all lanes of a message together, that a host moves by express: other calls wait for it meanwhile.
pub const AT_ONCE: u64 = 256 << 10;

/// The answer of a host that has done nothing and wants to be asked by port: the transfer is large, or may have to wait for
/// somebody, or there is a fault to be told. No number of bytes and no error is like it.
pub const BY_PORT: u64 = 1 << 63;
