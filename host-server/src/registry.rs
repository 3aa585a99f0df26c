//! Which handler answers which opcode.

use std::{collections::HashMap, pin::Pin, sync::Arc};

use rpc_proto::{Buffer, Opcode};

use crate::Port;

/// A conversation in progress.
pub(crate) type Conversation = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Starts a conversation on a port.
pub type Handler = Arc<dyn Fn(Port) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The handlers of one server.
#[derive(Clone, Default)]
pub struct Registry {
    handlers: HashMap<Opcode, Handler>,
}

impl Registry {
    /// No handlers at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answer `opcode` with a conversation. Replaces an earlier handler.
    ///
    /// ```
    /// # use host_server::{Opcode, Registry};
    /// let mut registry = Registry::new();
    /// registry.on(Opcode::new(b'x', 1), |mut port| async move {
    ///     let words = port.recv_word().await;
    ///     port.send_word(|lane| 2 * words[lane]).await;
    /// });
    /// ```
    pub fn on<F>(&mut self, opcode: Opcode, handler: impl Fn(Port) -> F + Send + Sync + 'static) -> &mut Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.handlers
            .insert(opcode, Arc::new(move |port| Box::pin(handler(port))));
        self
    }

    /// Answer `opcode` with a function that turns each lane's request into its reply.
    ///
    /// It runs on a server thread and must not block.
    pub fn on_call(&mut self, opcode: Opcode, answer: impl Fn(u32, &mut Buffer) + Send + Sync + 'static) -> &mut Self {
        let answer = Arc::new(answer);
        self.on(opcode, move |mut port| {
            let answer = answer.clone();
            async move { port.recv_and_send(|lane, buffer| answer(lane, buffer)).await }
        })
    }

    /// Whether there is a handler for `opcode`.
    pub fn knows(&self, opcode: Opcode) -> bool {
        self.handlers.contains_key(&opcode)
    }

    pub(crate) fn get(&self, opcode: Opcode) -> Option<&Handler> {
        self.handlers.get(&opcode)
    }
}
