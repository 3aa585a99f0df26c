//! Decoded functions: what lowering makes and execution runs.

use super::exec::lanes::{Alu, Args, Pred, Row, Slot};
use super::exec::memory::Transfer;
use super::types::Space;

/// A decoded instruction.
#[derive(Clone, Debug)]
pub(crate) struct Inst {
    pub op: Op,
    pub args: Args,
    /// Executed in the lanes where this holds.
    pub guard: Pred,
    /// A label stands here: lanes that took different ways may meet.
    pub is_join: bool,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Arithmetic: everything that touches registers only.
    Alu(Alu),
    /// `d` = a value that depends on where the lane runs.
    Special(Special),
    /// Loads, stores, atomic operations.
    Memory(Box<Access>),
    /// `d` = the address `offset` bytes into the lane's stack frame.
    FrameAddress(u32),
    /// `d` = the address `offset` bytes into the kernel's parameters.
    ParamAddress(u32),
    /// `d` = offset of the dynamic shared memory in the shared window.
    DynamicShared,
    /// `d` = `a` as a generic address of shared memory (offset in the window to address).
    SharedToGeneric,
    /// `d` = `a` as an offset in the shared window.
    GenericToShared,
    /// `p` = whether generic address `a` lies in the space.
    IsSpace(Space),
    Fence(Order),
    /// The index of the next instruction.
    Branch(u32),
    /// `a` picks one of the targets.
    BranchIndexed(Box<[u32]>),
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Breakpoint,
    /// `bar`, `barrier`.
    Barrier(Box<Barrier>),
    /// Operations that lanes of a mask do together.
    Warp(WarpOp),
    /// `d` = the lanes that execute this together.
    ActiveMask,
    /// Sleep for `a` nanoseconds.
    Sleep,
    /// `d` = address of `a` fresh bytes of stack, aligned to this.
    Alloca(u32),
    StackSave,
    StackRestore,
}

/// Values that differ by lane, warp, block or moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    WarpCount,
    Sm,
    SmCount,
    GridId,
    LaneMaskEq,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskGt,
    LaneMaskGe,
    Clock,
    ClockHigh,
    Clock64,
    GlobalTimer,
    GlobalTimerLow,
    GlobalTimerHigh,
    DynamicSharedSize,
    TotalSharedSize,
    /// Always this value (cluster of one block, environment registers).
    Fixed(u32),
}

/// Memory order of an access or fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Weak,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Where the address of an access comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// `args.a` (64 bits) plus the offset: an address of the one address space.
    Generic,
    /// The same with a 32-bit register.
    Generic32,
    /// As `Generic`, expected in the lane's own stack.
    Local,
    /// An offset in the shared window: `args.a` (64 bits) plus the offset.
    Shared,
    /// The same with a 32-bit register.
    Shared32,
    /// The offset in the lane's stack frame; known to be inside.
    Frame,
    /// The offset in the kernel's parameters; known to be inside.
    Param,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Load,
    Store,
    Atomic,
}

/// A load, store or atomic operation.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub kind: AccessKind,
    pub address: Address,
    pub offset: i64,
    /// Bytes touched.
    pub size: u32,
    /// Bytes that the address must be a multiple of.
    pub align: u32,
    /// Registers loaded or stored; for atomics the result is `args.d`, the operands `args.b` and `args.c`.
    pub values: Vec<Slot>,
    pub order: Order,
    /// Others may change it between two looks: not weak, or volatile.
    pub strong: bool,
    pub transfer: Transfer,
    /// What is done instead in memory that is not the block's shared one, where that differs.
    pub outside_shared: Option<Transfer>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub target: Target,
    /// Offset in the caller's frame and size of each argument, and where the callee has it.
    pub arguments: Vec<Piece>,
    pub results: Vec<Piece>,
}

/// An argument or result: bytes in the frame of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub offset: u32,
    pub size: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Index in the module's functions.
    Function(u32),
    /// The address in `args.a`.
    Indirect,
    System(System),
    /// A declared function that nothing defines.
    Unresolved(String),
}

/// Functions that the device runtime of CUDA provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Vprintf,
    Malloc,
    Free,
    AssertFail,
}

/// `bar` and `barrier`.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub action: BarrierAction,
    /// All lanes of a warp must execute the same instruction.
    pub aligned: bool,
    /// `args.a` = barrier number, `args.b` = number of threads or none, `args.s` = operand of a reduction.
    pub has_count: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierAction {
    Sync,
    Arrive,
    ReducePopc,
    ReduceAnd,
    ReduceOr,
}

/// Operations of the lanes of a mask. `args.c` is the mask unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarpOp {
    Sync,
    /// `args.a` value, `args.b` lane operand, `clamp` packs clamp and segment mask (a slot, as it may be a register).
    Shuffle(Shuffle),
    /// `args.s` predicate.
    VoteAny,
    VoteAll,
    VoteUni,
    Ballot,
    MatchAny32,
    MatchAny64,
    MatchAll32,
    MatchAll64,
    Reduce(Reduce),
    Elect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shuffle {
    pub mode: ShuffleMode,
    /// Clamp and segment mask.
    pub clamp: Slot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    Up,
    Down,
    Bfly,
    Idx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    Add,
    MinU,
    MaxU,
    MinS,
    MaxS,
    And,
    Or,
    Xor,
}

/// The address of something that is known only when the module is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reloc {
    /// First of the two constant rows that hold it.
    pub row: u32,
    pub symbol: Symbol,
    pub offset: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// Index in the module's variables.
    Variable(u32),
    /// Index in the module's functions.
    Function(u32),
}

/// A decoded function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub is_kernel: bool,
    /// Ends with an instruction that does not fall through.
    pub code: Vec<Inst>,
    /// PTX line of each instruction.
    pub lines: Vec<u32>,
    /// Source file and line of each instruction; file 0 = unknown.
    pub sources: Vec<(u32, u32)>,
    pub consts: Vec<Row>,
    pub relocs: Vec<Reloc>,
    /// Rows of registers that a frame has.
    pub rows: u32,
    /// Predicates that a frame has.
    pub preds: u32,
    /// Bytes of stack, parameters included.
    pub frame_size: u32,
    /// Bytes of `.local` variables: what counts against the limit of the stack, as a device passes parameters in registers.
    pub local_size: u32,
    /// Where arguments and results lie in the frame (of a kernel: in the parameter buffer).
    pub params: Vec<Piece>,
    pub results: Vec<Piece>,
    /// Shared variables named here, by index in the module's variables.
    pub shared: Vec<u32>,
    /// Functions called or whose address is taken here.
    pub callees: Vec<u32>,
    pub calls_indirectly: bool,
    /// 32-bit registers live at once.
    pub pressure: u32,
}
