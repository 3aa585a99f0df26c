//! Gives the shared library its versioned name.

/// The number in the soname: raised whenever a program built against an older header could no longer run.
const SONAME: &str = "librpc_server.so.0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    // Threads of a service that waits for a terminal may outlive rpc_shutdown, so that the code must stay after dlclose.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
