//! Gives the shared library the identity of a CUDA driver.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let arguments = [
        // The name by which glibc finds an object that is loaded already: whoever has opened this
        // file by its path then gets the same object for a plain dlopen("libcuda.so").
        "-soname,libcuda.so",
        // Stream threads may still run when the last handle is closed: the code has to stay.
        "-z,nodelete",
        // With a real driver in the same process our entry points must keep calling each other.
        "-Bsymbolic-functions",
    ];
    for argument in arguments {
        println!("cargo:rustc-cdylib-link-arg=-Wl,{argument}");
    }
}
