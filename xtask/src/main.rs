//! Builds, runs and tests everything.
fn main() {}
