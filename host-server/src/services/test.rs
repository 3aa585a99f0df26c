//! The three opcodes with which a client tests its server.

use rpc_proto::Opcode;

use crate::{Port, Registry};

pub(super) fn register(registry: &mut Registry) {
    registry.on_call(Opcode::TEST_INCREMENT, |_, buffer| {
        buffer.data[0] = buffer.data[0].wrapping_add(1)
    });
    // The same without a packet for each lane: it is the opcode that benchmarks call.
    registry.on_express(Opcode::TEST_INCREMENT, |_, message| {
        message.map_row(0, |_, word| word.wrapping_add(1));
    });
    registry.on(Opcode::TEST_INTERFACE, interface);
    registry.on(Opcode::TEST_STREAM, stream);
}

/// Sends and receives in every order; the count goes up by one with each answer.
async fn interface(mut port: Port) {
    let end_with_recv = port.recv_word().await.iter().any(|(_, &word)| word != 0);
    let next = |_: u32, count: u64| count.wrapping_add(1);
    for _ in 0..2 {
        let counts = port.recv_word().await.map(next);
        port.send_word(|lane| counts[lane]).await;
    }
    port.recv_word().await;
    let counts = port.recv_word().await.map(next);
    port.send_word(|lane| counts[lane]).await;
    let counts = counts.map(next);
    port.send_word(|lane| counts[lane]).await;
    if end_with_recv {
        port.recv_word().await;
    } else {
        let counts = counts.map(next);
        port.send_word(|lane| counts[lane]).await;
    }
}

async fn stream(mut port: Port) {
    let received = port
        .recv_n(port.stream_limit())
        .await
        .map(|_, bytes| bytes.unwrap_or_default());
    port.send_n(|lane| &received[lane]).await;
}
