//! One device's server and what belongs to it.

use std::{
    collections::HashMap,
    ffi::{CStr, c_char, c_void},
    ptr::NonNull,
    sync::{Arc, Mutex},
    time::Duration,
};

use host_server::{ClientObject, Grants, Handler, Layout, Opcode, Registry, Server, services::Services};

use crate::{
    conversation, guarded,
    host::{CHost, Listeners},
    lock,
    types::{
        Data, RPC_OPTION_ALLOW_HOST_CALL, RPC_OPTION_ALLOW_RUN, RPC_OPTION_EXIT_PROCESS, RPC_SERVER_VERSION,
        rpc_free_ty, rpc_opcode_callback_ty, rpc_options_t, rpc_port_t,
        rpc_status_t::{self, *},
    },
    workers::Workers,
};

/// How long a shutdown waits for calls that are not waiting for their device: services, callbacks, asynchronous calls.
const PATIENCE: Duration = Duration::from_secs(2);

type Callback = unsafe extern "C" fn(rpc_port_t, *mut c_void);

/// What was set for a device before its server begins.
#[derive(Clone, Default)]
pub struct Options {
    listeners: Listeners,
    directories: Vec<String>,
}

impl Options {
    /// Takes over the options of C.
    ///
    /// # Safety
    /// `options` leads to at least the two words that say its size and version, and to a whole structure if they are
    /// those of this version, whose directories are null or a null-terminated array of C strings.
    pub unsafe fn read(options: NonNull<rpc_options_t>) -> Result<Self, rpc_status_t> {
        let words = options.cast::<u32>();
        // SAFETY: every version begins with these two words.
        let (size, version) = unsafe { (words.read(), words.add(1).read()) };
        if version != RPC_SERVER_VERSION || size as usize != size_of::<rpc_options_t>() {
            return Err(RPC_STATUS_VERSION_MISMATCH);
        }
        // SAFETY: it is of this version, thus whole.
        let options = unsafe { options.read() };
        let known = RPC_OPTION_EXIT_PROCESS | RPC_OPTION_ALLOW_HOST_CALL | RPC_OPTION_ALLOW_RUN;
        if options.flags & !known != 0 || options.reserved != 0 {
            return Err(RPC_STATUS_INVALID_ARGUMENT);
        }
        let mut directories = Vec::new();
        let mut next = options.directories;
        // SAFETY: the array ends with a null pointer.
        while let Some(directory) = unsafe { next.as_ref() }.filter(|directory| !directory.is_null()) {
            // SAFETY: its entries are C strings.
            let directory = unsafe { CStr::from_ptr::<'_>(*directory as *const c_char) };
            directories.push(directory.to_str().map_err(|_| RPC_STATUS_INVALID_ARGUMENT)?.to_owned());
            // SAFETY: this entry was not the last.
            next = unsafe { next.add(1) };
        }
        Ok(Self {
            listeners: Listeners {
                flags: options.flags,
                log: options.log,
                log_data: Data(options.log_data),
                exit: options.exit,
                exit_data: Data(options.exit_data),
            },
            directories,
        })
    }

    fn grants(&self) -> Result<Grants, rpc_status_t> {
        let mut grants = Grants::none();
        for directory in &self.directories {
            grants
                .directory_option(directory)
                .map_err(|_| RPC_STATUS_INVALID_ARGUMENT)?;
        }
        if self.listeners.flags & RPC_OPTION_ALLOW_HOST_CALL != 0 {
            grants.host_call();
        }
        if self.listeners.flags & RPC_OPTION_ALLOW_RUN != 0 {
            grants.run();
        }
        Ok(grants)
    }
}

/// The callbacks of one server, by opcode.
#[derive(Default)]
struct Callbacks(Mutex<HashMap<Opcode, (Callback, Data)>>);

/// A device that is being served.
pub struct Device {
    server: Server,
    host: Arc<CHost>,
    services: Arc<Services>,
    callbacks: Arc<Callbacks>,
    workers: Arc<Workers>,
    base: Data,
    /// Boxed, as C holds a pointer to it.
    client: Box<ClientObject>,
}

impl Device {
    /// Serves the region that `allocate` gives.
    pub fn new(
        number: u32,
        layout: Layout,
        options: &Options,
        allocate: impl FnOnce(u64) -> *mut c_void,
    ) -> Result<Self, rpc_status_t> {
        let grants = options.grants()?;
        let base = allocate(layout.size() as u64);
        let address = NonNull::new(base.cast::<u8>()).ok_or(RPC_STATUS_ERROR)?;
        if !address.cast::<ClientObject>().is_aligned() {
            return Err(RPC_STATUS_ERROR);
        }
        let host = Arc::new(CHost::new(number, options.listeners.clone()));
        let services = Services::new(grants);
        let (callbacks, workers) = (Arc::<Callbacks>::default(), Arc::<Workers>::default());
        let mut registry: Registry = services.registry();
        registry.override_with({
            let (callbacks, workers) = (callbacks.clone(), workers.clone());
            move |opcode| handler(&callbacks, &workers, opcode)
        });
        // SAFETY: the hook gave this many bytes, aligned, for the region alone; they are freed in `shut_down` only, when
        // no other clone of the server is left.
        let server = unsafe { Server::new(address, layout, host.clone(), registry) };
        let client = Box::new(server.client_object(base as u64));
        Ok(Self {
            server,
            host,
            services,
            callbacks,
            workers,
            base: Data(base),
            client,
        })
    }

    /// Answers `opcode` with a function of C from the next call on.
    pub fn register(
        &self,
        opcode: u32,
        callback: rpc_opcode_callback_ty,
        data: *mut c_void,
    ) -> Result<(), rpc_status_t> {
        let callback = callback.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        lock(&self.callbacks.0).insert(Opcode(opcode), (callback, Data(data)));
        Ok(())
    }

    /// Moves on what can be moved, once around.
    pub fn handle(&self) -> Result<(), rpc_status_t> {
        if self.server.poll() == 0 {
            // Output appears as soon as the device pauses.
            self.host.flush_if_needed();
        }
        self.host.tell();
        if self.host.take_unhandled() {
            return Err(RPC_STATUS_UNHANDLED_OPCODE);
        }
        Ok(())
    }

    /// The status with which the device's program asked to end.
    pub fn exit_status(&self) -> Option<i32> {
        self.host.exit_status()
    }

    /// The shared region.
    pub fn base(&self) -> *mut c_void {
        self.base.0
    }

    /// The client object.
    pub fn client(&self) -> *const c_void {
        std::ptr::from_ref(&*self.client).cast()
    }

    /// Serves what is left, ends the callbacks, gives the region back. No kernel may be running.
    pub fn shut_down(self, free: rpc_free_ty, data: Data) {
        self.server.drain_for(PATIENCE);
        self.workers.stop();
        self.services.close_all();
        self.host.tell();
        let base = self.base;
        drop(self);
        if let Some(free) = free {
            // SAFETY: the hook's contract. Nobody reaches the region any more: all conversations were dropped, and
            // neither the services' threads nor the wakers touch it.
            unsafe { free(base.0, data.0) };
        }
    }
}

/// The handler for an opcode with a callback.
fn handler(callbacks: &Callbacks, workers: &Arc<Workers>, opcode: Opcode) -> Option<Handler> {
    let (callback, data) = *lock(&callbacks.0).get(&opcode)?;
    let workers = workers.clone();
    Some(Arc::new(move |port| {
        Box::pin(conversation::converse(port, workers.clone(), move |port| {
            // The status is nobody's: a callback answers through its port.
            let _ = guarded(|| {
                // SAFETY: the embedding program registered this function for this purpose.
                unsafe { callback(port, data.get()) };
                Ok(())
            });
        }))
    }))
}
