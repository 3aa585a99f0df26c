//! Which handler answers which opcode.

use std::{collections::HashMap, pin::Pin, sync::Arc};

use rpc_proto::{Buffer, Opcode, express::Message};

use crate::{ExpressContext, Port, STREAM_LIMIT};

/// A conversation in progress.
pub(crate) type Conversation = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Starts a conversation on a port.
pub type Handler = Arc<dyn Fn(Port) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Answers an express message in place, on a server thread; it must not block.
pub type ExpressHandler = Arc<dyn Fn(&ExpressContext<'_>, &mut Message) + Send + Sync>;

/// Turns each lane's packet into its reply, on a server thread; it must not block.
pub(crate) type CallHandler = Arc<dyn Fn(u32, &mut Buffer) + Send + Sync>;

/// The handlers of one server, and what they all keep to.
#[derive(Clone)]
pub struct Registry {
    handlers: HashMap<Opcode, Handler>,
    express: HashMap<Opcode, ExpressHandler>,
    /// Those of the handlers that answer at once, without a conversation.
    calls: HashMap<Opcode, CallHandler>,
    overrides: Option<Lookup>,
    stream_limit: u64,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            handlers: HashMap::new(),
            express: HashMap::new(),
            calls: HashMap::new(),
            overrides: None,
            stream_limit: STREAM_LIMIT,
        }
    }
}

/// Finds a handler at the moment of the call.
type Lookup = Arc<dyn Fn(Opcode) -> Option<Handler> + Send + Sync>;

impl Registry {
    /// No handlers at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answer `opcode` with a conversation. Replaces an earlier handler, one of express messages too.
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
        self.express.remove(&opcode);
        self.calls.remove(&opcode);
        self
    }

    /// Answer `opcode` with a function that turns each lane's request into its reply, by express where the device can.
    ///
    /// It runs on a server thread and must not block. Of the words those that an express message does not carry are 0.
    pub fn on_call(&mut self, opcode: Opcode, answer: impl Fn(u32, &mut Buffer) + Send + Sync + 'static) -> &mut Self {
        let answer = Arc::new(answer);
        self.on(opcode, {
            let answer = answer.clone();
            move |mut port| {
                let answer = answer.clone();
                async move { port.recv_and_send(|lane, buffer| answer(lane, buffer)).await }
            }
        });
        self.calls.insert(opcode, answer.clone());
        self.on_express(opcode, move |_, message| {
            for lane in message.lanes() {
                let mut buffer = Buffer::default();
                let carried = message.rows.min(buffer.data.len() as u32);
                for row in 0..carried {
                    buffer.data[row as usize] = message.word(lane, row);
                }
                answer(lane, &mut buffer);
                for row in 0..carried {
                    message.set_word(lane, row, buffer.data[row as usize]);
                }
            }
        })
    }

    /// Ask `lookup` for a handler at each call before the handlers given here: for embedding programs that register theirs
    /// while the server is running. It must not block.
    pub fn override_with(&mut self, lookup: impl Fn(Opcode) -> Option<Handler> + Send + Sync + 'static) -> &mut Self {
        self.overrides = Some(Arc::new(lookup));
        self
    }

    /// Let a lane send, ask for or have kept no more than so many bytes in one call, instead of [`STREAM_LIMIT`]; handlers may set
    /// smaller bounds.
    pub fn limit_streams(&mut self, bytes: u64) -> &mut Self {
        self.stream_limit = bytes;
        self
    }

    pub(crate) fn stream_limit(&self) -> u64 {
        self.stream_limit
    }

    /// Whether there is a handler for `opcode`, those of [`override_with`](Registry::override_with) left out.
    pub fn knows(&self, opcode: Opcode) -> bool {
        self.handlers.contains_key(&opcode)
    }

    /// Whether messages of `opcode` can come by express, and mean what they mean on a port: no lookup of
    /// [`override_with`](Registry::override_with) might want to see them first.
    pub fn knows_express(&self, opcode: Opcode) -> bool {
        self.express.contains_key(&opcode) && self.overrides.is_none()
    }

    /// Answer express messages of `opcode`, whose meaning may differ from that of its conversation. Without such a handler
    /// they count as unknown.
    pub fn on_express(
        &mut self,
        opcode: Opcode,
        answer: impl Fn(&ExpressContext<'_>, &mut Message) + Send + Sync + 'static,
    ) -> &mut Self {
        self.express.insert(opcode, Arc::new(answer));
        self
    }

    pub(crate) fn express(&self, opcode: Opcode) -> Option<&ExpressHandler> {
        self.express.get(&opcode)
    }

    /// What answers `opcode` at once, if it is of that kind and nothing might override it.
    pub(crate) fn call(&self, opcode: Opcode) -> Option<&CallHandler> {
        self.calls.get(&opcode).filter(|_| self.overrides.is_none())
    }

    pub(crate) fn get(&self, opcode: Opcode) -> Option<Handler> {
        let overriding = self.overrides.as_ref().and_then(|lookup| lookup(opcode));
        overriding.or_else(|| self.handlers.get(&opcode).cloned())
    }
}
