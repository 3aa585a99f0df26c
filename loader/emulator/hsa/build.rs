//! Gives the library the name under which programs look for an HSA runtime.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhsa-runtime64.so.1");
    // Queues have threads that run this code; a program that forgets to shut the runtime down
    // must not unload it under them.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
