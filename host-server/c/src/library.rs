//! The library's state: who has initialised it, and its devices.

use std::{
    cell::Cell,
    sync::{Arc, Mutex},
};

use crate::{
    device::{Device, Options},
    lock,
    types::{
        Data, RPC_MAXIMUM_DEVICE_COUNT, rpc_free_ty,
        rpc_status_t::{self, *},
    },
};

/// No function of C is called, and nothing is waited for, while this is locked.
static LIBRARY: Mutex<Library> = Mutex::new(Library {
    references: 0,
    slots: Vec::new(),
});

struct Library {
    references: u32,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    options: Options,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Empty,
    /// Its server is being made or ended by some thread.
    Changing,
    /// Others hold the device only while they are inside a function of the library.
    Served(Arc<Device>),
}

thread_local! {
    /// This thread is inside a callback for an opcode.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Notes that this thread runs callbacks, which may not end the server that waits for them.
pub fn thread_runs_callbacks() {
    IN_CALLBACK.set(true);
}

impl Library {
    fn slot(&mut self, device: u32) -> Result<&mut Slot, rpc_status_t> {
        if self.references == 0 {
            return Err(RPC_STATUS_NOT_INITIALIZED);
        }
        self.slots.get_mut(device as usize).ok_or(RPC_STATUS_OUT_OF_RANGE)
    }
}

/// One more user, who has `devices` devices.
pub fn init(devices: u32) -> Result<(), rpc_status_t> {
    if devices == 0 || devices > RPC_MAXIMUM_DEVICE_COUNT {
        return Err(RPC_STATUS_OUT_OF_RANGE);
    }
    crate::silence_panics();
    let mut library = lock(&LIBRARY);
    library.references = library.references.checked_add(1).ok_or(RPC_STATUS_OUT_OF_RANGE)?;
    if library.slots.len() < devices as usize {
        library.slots.resize_with(devices as usize, Slot::default);
    }
    Ok(())
}

/// One user less.
pub fn shutdown() -> Result<(), rpc_status_t> {
    let mut library = lock(&LIBRARY);
    match library.references {
        0 => return Err(RPC_STATUS_NOT_INITIALIZED),
        1 => {
            // Their memory is the embedding program's: only it can say how to free it.
            if library.slots.iter().any(|slot| !matches!(slot.state, State::Empty)) {
                return Err(RPC_STATUS_ALREADY_IN_USE);
            }
            library.slots = Vec::new();
        }
        _ => (),
    }
    library.references -= 1;
    Ok(())
}

/// Sets the options of a device that is not served yet.
pub fn set_options(device: u32, options: Options) -> Result<(), rpc_status_t> {
    let mut library = lock(&LIBRARY);
    let slot = library.slot(device)?;
    match slot.state {
        State::Empty => slot.options = options,
        _ => return Err(RPC_STATUS_ALREADY_IN_USE),
    }
    Ok(())
}

/// Begins to serve a device with what `make` gives.
pub fn begin(device: u32, make: impl FnOnce(&Options) -> Result<Device, rpc_status_t>) -> Result<(), rpc_status_t> {
    let mut library = lock(&LIBRARY);
    let slot = library.slot(device)?;
    if !matches!(slot.state, State::Empty) {
        return Err(RPC_STATUS_ALREADY_IN_USE);
    }
    slot.state = State::Changing;
    let options = slot.options.clone();
    drop(library);
    let change = Change(device);
    let made = Arc::new(make(&options)?);
    change.to(State::Served(made));
    Ok(())
}

/// A device that is served. Hold it no longer than one function of C lasts.
pub fn device(device: u32) -> Result<Arc<Device>, rpc_status_t> {
    match &lock(&LIBRARY).slot(device)?.state {
        State::Empty => Err(RPC_STATUS_NOT_INITIALIZED),
        State::Changing => Err(RPC_STATUS_ALREADY_IN_USE),
        State::Served(device) => Ok(device.clone()),
    }
}

/// Ends a device's server.
pub fn end(device: u32, free: rpc_free_ty, data: Data) -> Result<(), rpc_status_t> {
    let mut library = lock(&LIBRARY);
    let slot = library.slot(device)?;
    let served = match std::mem::replace(&mut slot.state, State::Changing) {
        State::Served(served) if !IN_CALLBACK.get() => Arc::try_unwrap(served),
        State::Served(served) => Err(served),
        State::Changing => return Err(RPC_STATUS_ALREADY_IN_USE),
        State::Empty => {
            slot.state = State::Empty;
            return Err(RPC_STATUS_NOT_INITIALIZED);
        }
    };
    match served {
        Ok(served) => {
            drop(library);
            let _change = Change(device);
            served.shut_down(free, data);
            Ok(())
        }
        Err(served) => {
            slot.state = State::Served(served);
            Err(RPC_STATUS_ALREADY_IN_USE)
        }
    }
}

/// A slot that is changing: empty in the end, unless it became something else.
struct Change(u32);

impl Change {
    fn to(self, state: State) {
        self.set(state);
        std::mem::forget(self);
    }

    fn set(&self, state: State) {
        // A slot that is not empty keeps the library from being shut down.
        if let Some(slot) = lock(&LIBRARY).slots.get_mut(self.0 as usize) {
            slot.state = state;
        }
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        self.set(State::Empty);
    }
}
