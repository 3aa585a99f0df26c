//! Runs commands of the host, where that is granted.

#![no_std]

use device_rt::io::Result;
use device_rt::println;
use device_rt::process::Command;

#[device_rt::main]
fn main() -> Result<()> {
    let output = Command::new("cat").stdin("through cat").output()?;
    println!("{:?} {:?}", output.status.code(), core::str::from_utf8(&output.stdout));
    let output = Command::new("sh")
        .args(["-c", "echo \"$0 $1\"; echo problem >&2; exit 3", "a b", "c"])
        .output()?;
    println!("{:?} {:?}", output.status.code(), core::str::from_utf8(&output.stdout));
    println!("{:?}", core::str::from_utf8(&output.stderr));
    let missing = Command::new("no-such-program-anywhere").status();
    println!("{:?}", missing.map_err(|error| error.kind()));
    Ok(())
}
