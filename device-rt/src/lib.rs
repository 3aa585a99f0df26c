//! The runtime of a program that lives on a GPU.
#![no_std]
