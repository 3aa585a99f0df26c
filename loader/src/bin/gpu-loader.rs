//! Runs a GPU image as a program.

fn main() {
    loader::cli::main()
}
