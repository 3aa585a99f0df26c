//! Raw NVPTX intrinsics.
#![no_std]
