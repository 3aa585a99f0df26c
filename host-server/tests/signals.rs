//! What signals do to a process that is not Rust's, and so does not ignore a closed pipe. In a process of its own.

mod peer;

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use peer::Device;

#[test]
fn a_command_that_does_not_read_its_input_ends_nobody() {
    // SAFETY: a signal's default action, which this process is to have.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut grants = Grants::none();
    grants.run();
    let device = Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry());
    // More than a pipe holds.
    let request = [&1u64.to_le_bytes()[..], b"true\0", &[b'x'; 1 << 20]].concat();
    for _ in 0..3 {
        let answer = device.open(0, Opcode::RUN, 1).send_n(&[&request]).recv()[0].data;
        assert_eq!(answer, [0; 8]);
    }
}
