//! What went wrong in a kernel, in words that name the place.

use std::fmt;

use crate::grid::Dim3;
use crate::memory::{AccessError, Kind};

/// The sort of a fault. A driver maps these to its own error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The access lies outside every allocation, or reaches past the end of one.
    OutOfBounds,
    /// An offset of the block's shared memory that it does not have.
    OutsideShared,
    /// The address is no multiple of what the access needs.
    Misaligned,
    /// The first page was accessed.
    NullPointer,
    /// The memory had been freed.
    UseAfterFree,
    /// A store to read-only memory, or data access to code.
    Forbidden,
    /// The stack of another thread was accessed.
    ForeignStack,
    /// Threads of one warp wait at different block barriers where all must wait at one.
    DivergentBarrier,
    /// A lane named in a mask has exited, waits for something else, or the executing lane is not in the mask.
    MissingLane,
    /// The stack is used up.
    StackOverflow,
    /// No thread of a block can ever go on.
    Deadlock,
    /// The program executed a trap.
    Trap,
    /// A breakpoint instruction without a debugger.
    Breakpoint,
    /// An instruction that cannot be executed, or a call to what is no function.
    IllegalInstruction,
    /// A failed `assert` of device code.
    Assert,
    /// Stopped from outside: timeout, or the driver was told to stop.
    Cancelled,
}

impl FaultKind {
    /// What a message calls it.
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds | FaultKind::OutsideShared => "out-of-bounds access",
            FaultKind::Misaligned => "misaligned access",
            FaultKind::NullPointer => "null pointer access",
            FaultKind::UseAfterFree => "use after free",
            FaultKind::Forbidden => "forbidden access",
            FaultKind::ForeignStack => "access to another thread's stack",
            FaultKind::DivergentBarrier => "divergent barrier",
            FaultKind::MissingLane => "missing lane in a mask",
            FaultKind::StackOverflow => "stack overflow",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Trap => "trap",
            FaultKind::Breakpoint => "breakpoint",
            FaultKind::IllegalInstruction => "illegal instruction",
            FaultKind::Assert => "assertion failed",
            FaultKind::Cancelled => "cancelled",
        }
    }
}

impl From<&AccessError> for FaultKind {
    fn from(error: &AccessError) -> FaultKind {
        match error {
            AccessError::Null { .. } => FaultKind::NullPointer,
            AccessError::PastEnd { .. } | AccessError::Unmapped { .. } => FaultKind::OutOfBounds,
            AccessError::Freed { .. } => FaultKind::UseAfterFree,
            AccessError::Forbidden { allocation, .. } if allocation.kind == Kind::Local => FaultKind::ForeignStack,
            AccessError::Forbidden { .. } => FaultKind::Forbidden,
        }
    }
}

/// A place in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Line of the PTX text, from 1.
    PtxLine(u32),
    /// Byte offset of a machine instruction from the start of its function.
    IsaOffset(u64),
}

/// A place in a program: one level of a call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Symbol of the function.
    pub function: String,
    /// Where in the image.
    pub position: Position,
    /// File and line of the source, when the image has debug lines.
    pub source: Option<(String, u32)>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::PtxLine(line) => write!(f, "{} (PTX line {line}", self.function)?,
            Position::IsaOffset(offset) => write!(f, "{}+{offset:#x}", self.function)?,
        }
        match (&self.source, self.position) {
            (Some((file, line)), Position::PtxLine(_)) => write!(f, ", {file}:{line})"),
            (Some((file, line)), _) => write!(f, " ({file}:{line})"),
            (None, Position::PtxLine(_)) => f.write_str(")"),
            (None, _) => Ok(()),
        }
    }
}

/// What ended a launch early. [`Display`](fmt::Display) gives one line, then one more for each caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The sort.
    pub kind: FaultKind,
    /// What exactly: addresses, sizes, who waits for whom.
    pub detail: String,
    /// Symbol of the kernel that was launched.
    pub kernel: String,
    /// Index of the block; `None` for faults of the whole launch.
    pub block: Option<Dim3>,
    /// Index of the thread in its block; `None` where no single thread is to blame.
    pub thread: Option<Dim3>,
    /// Number of the wavefront in its block, where the machine runs wavefronts.
    pub wavefront: Option<u32>,
    /// The lane of its warp that the thread runs in.
    pub lane: Option<u32>,
    /// The address whose access was refused.
    pub address: Option<u64>,
    /// The call stack of the thread, innermost first; empty when unknown.
    pub stack: Vec<Location>,
}

impl Fault {
    /// A fault without a place; whoever knows more fills it in.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault {
            kind,
            detail: detail.into(),
            kernel: String::new(),
            block: None,
            thread: None,
            wavefront: None,
            lane: None,
            address: None,
            stack: Vec::new(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.words())?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if !self.kernel.is_empty() {
            write!(f, "; kernel {}", self.kernel)?;
        }
        if let Some(block) = self.block {
            write!(f, ", block {block}")?;
        }
        if let Some(thread) = self.thread {
            write!(f, ", thread {thread}")?;
        }
        match (self.wavefront, self.lane) {
            (Some(wavefront), Some(lane)) => write!(f, " (wavefront {wavefront}, lane {lane})")?,
            (Some(wavefront), None) => write!(f, " (wavefront {wavefront})")?,
            (None, Some(lane)) => write!(f, " (lane {lane})")?,
            (None, None) => {}
        }
        for (depth, location) in self.stack.iter().enumerate() {
            if depth == 0 {
                write!(f, ", in {location}")?;
            } else {
                write!(f, "\n  called from {location}")?;
            }
        }
        Ok(())
    }
}
