//! Keeps a host that may take its time off the server's threads.

use std::{
    io,
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

use crate::{
    Exit, Fault, Host, Stream,
    bulk::{DeviceMemory, Parts},
    lock::lock,
    output::{self, Output},
};

/// Writes to a host, and frees through it, on threads of its own.
struct Relay {
    outer: Arc<dyn Host>,
    outputs: [Output; 2],
    /// To the thread that frees, once there was something to free.
    freeing: Mutex<Option<mpsc::Sender<u64>>>,
}

/// The host itself where it never waits, else one that waits for it elsewhere.
pub(crate) fn that_does_not_wait(host: Arc<dyn Host>) -> Arc<dyn Host> {
    if !host.may_wait() {
        return host;
    }
    let outputs = [Stream::Stdout, Stream::Stderr].map(|stream| {
        let host = host.clone();
        Output::to("rpc-output", move |bytes| {
            host.write(stream, bytes)?;
            host.flush()
        })
    });
    Arc::new(Relay {
        outer: host,
        outputs,
        freeing: Mutex::default(),
    })
}

impl Relay {
    fn output(&self, stream: Stream) -> &Output {
        &self.outputs[stream as usize]
    }

    /// The thread that frees, started when there is none yet.
    fn freeing(&self) -> Option<mpsc::Sender<u64>> {
        let mut freeing = lock(&self.freeing);
        if freeing.is_none() {
            let (sender, addresses) = mpsc::channel();
            let host = self.outer.clone();
            let thread = std::thread::Builder::new().name("rpc-free".into()).spawn(move || {
                for address in addresses {
                    if let Err(problem) = host.free(address) {
                        host.report(&problem);
                    }
                }
            });
            *freeing = thread.is_ok().then_some(sender);
        }
        freeing.clone()
    }
}

impl Host for Relay {
    fn may_wait(&self) -> bool {
        false
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.output(stream).write(bytes)
    }

    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.output(stream).write_parts(parts)
    }

    fn is_full(&self, stream: Stream) -> bool {
        self.output(stream).is_full()
    }

    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        self.outer.device_memory()
    }

    fn flush(&self) -> io::Result<()> {
        let [out, err] = self.outputs.each_ref().map(Output::flush);
        out.and(err)
    }

    fn finish(&self, patience: Duration) -> io::Result<()> {
        let begin = Instant::now();
        let passed_on = output::finish(self.outputs.each_ref(), patience);
        match &passed_on {
            // Whom a thread is waiting for already need not be waited for by another.
            Err(error) if error.kind() == io::ErrorKind::TimedOut => passed_on,
            _ => self
                .outer
                .finish(patience.saturating_sub(begin.elapsed()))
                .and(passed_on),
        }
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.outer.read_stdin(bytes)
    }

    fn stdin_is_ready(&self) -> bool {
        self.outer.stdin_is_ready()
    }

    fn allocate(&self, size: u64) -> Option<u64> {
        self.outer.allocate(size)
    }

    fn allocate_patiently(&self, size: u64) -> Option<u64> {
        self.outer.allocate_patiently(size)
    }

    /// Nobody waits for it. A driver may free only when the kernel that asks for it has ended.
    fn free(&self, address: u64) -> Result<(), String> {
        match self.freeing() {
            Some(freeing) => freeing.send(address).map_err(|_| "the host's free panicked".to_owned()),
            None => self.outer.free(address),
        }
    }

    fn exit(&self, exit: Exit) {
        self.outer.exit(exit);
    }

    fn report(&self, message: &str) {
        self.outer.report(message);
    }

    fn fault(&self, fault: &Fault) {
        self.outer.fault(fault);
    }
}
