//! The shared words of the remote procedure call.
#![no_std]
