//! What a code object says about its kernels: the `NT_AMDGPU_METADATA` note.
//!
//! Keys: LLVM's User Guide for AMDGPU Backend, "Code Object V5 Metadata"; version 6 has the same.

use super::msgpack::{Error, Value};
use super::target::Wave;

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum ValueKind {
    /// The value itself.
    ByValue,
    /// A pointer to global memory.
    GlobalBuffer,
    /// A pointer to LDS that the launch allocates.
    DynamicSharedPointer,
    HiddenNone,
    /// Hidden: the workgroups of the grid in x, y, z (those that are whole).
    HiddenBlockCount(Axis),
    /// Hidden: the lanes of a workgroup.
    HiddenGroupSize(Axis),
    /// Hidden: the lanes of the last workgroup, if it is not whole.
    HiddenRemainder(Axis),
    /// Hidden: where the grid starts.
    HiddenGlobalOffset(Axis),
    /// Hidden: how many dimensions the grid has.
    HiddenGridDims,
    HiddenPrintfBuffer,
    HiddenHostcallBuffer,
    HiddenMultigridSyncArg,
    HiddenHeapV1,
    HiddenDefaultQueue,
    HiddenCompletionAction,
    HiddenDynamicLdsSize,
    /// Hidden: the high half of the flat address of scratch.
    HiddenPrivateBase,
    /// Hidden: the high half of the flat address of LDS.
    HiddenSharedBase,
    HiddenQueuePtr,
    /// Anything else.
    Other(String),
}

/// A dimension of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl ValueKind {
    fn from_name(name: &str) -> ValueKind {
        let axis = |prefix: &str| match name.strip_prefix(prefix) {
            Some("x") => Some(Axis::X),
            Some("y") => Some(Axis::Y),
            Some("z") => Some(Axis::Z),
            _ => None,
        };
        if let Some(axis) = axis("hidden_block_count_") {
            return ValueKind::HiddenBlockCount(axis);
        }
        if let Some(axis) = axis("hidden_group_size_") {
            return ValueKind::HiddenGroupSize(axis);
        }
        if let Some(axis) = axis("hidden_remainder_") {
            return ValueKind::HiddenRemainder(axis);
        }
        if let Some(axis) = axis("hidden_global_offset_") {
            return ValueKind::HiddenGlobalOffset(axis);
        }
        match name {
            "by_value" => ValueKind::ByValue,
            "global_buffer" => ValueKind::GlobalBuffer,
            "dynamic_shared_pointer" => ValueKind::DynamicSharedPointer,
            "hidden_none" => ValueKind::HiddenNone,
            "hidden_grid_dims" => ValueKind::HiddenGridDims,
            "hidden_printf_buffer" => ValueKind::HiddenPrintfBuffer,
            "hidden_hostcall_buffer" => ValueKind::HiddenHostcallBuffer,
            "hidden_multigrid_sync_arg" => ValueKind::HiddenMultigridSyncArg,
            "hidden_heap_v1" => ValueKind::HiddenHeapV1,
            "hidden_default_queue" => ValueKind::HiddenDefaultQueue,
            "hidden_completion_action" => ValueKind::HiddenCompletionAction,
            "hidden_dynamic_lds_size" => ValueKind::HiddenDynamicLdsSize,
            "hidden_private_base" => ValueKind::HiddenPrivateBase,
            "hidden_shared_base" => ValueKind::HiddenSharedBase,
            "hidden_queue_ptr" => ValueKind::HiddenQueuePtr,
            other => ValueKind::Other(other.to_string()),
        }
    }

    /// Whether the runtime fills it rather than the program.
    pub fn is_hidden(&self) -> bool {
        match self {
            ValueKind::ByValue | ValueKind::GlobalBuffer | ValueKind::DynamicSharedPointer => false,
            ValueKind::Other(name) => name.starts_with("hidden_"),
            _ => true,
        }
    }
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Bytes from the start of the arguments.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: ValueKind,
}

/// What the metadata says about one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelMetadata {
    /// Its name in the source.
    pub name: String,
    /// The name of its descriptor's symbol.
    pub symbol: String,
    /// Bytes of arguments.
    pub kernarg_segment_size: u64,
    /// A multiple of this is where the arguments start.
    pub kernarg_segment_align: u64,
    /// Bytes of LDS.
    pub group_segment_fixed_size: u64,
    /// Bytes of scratch of a lane.
    pub private_segment_fixed_size: u64,
    /// Lanes of a wavefront.
    pub wave: Wave,
    /// Most lanes that a workgroup may have.
    pub max_flat_workgroup_size: u64,
    /// Whether the stack of a lane has no bound known at compile time.
    pub uses_dynamic_stack: bool,
    /// The arguments, hidden ones included.
    pub args: Vec<Arg>,
}

/// The note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Version of the metadata: 1.1 is code object 4, 1.2 is 5 and later.
    pub version: (u64, u64),
    /// `amdgcn-amd-amdhsa--gfx90a` and the like, if it says.
    pub target: Option<String>,
    /// The kernels.
    pub kernels: Vec<KernelMetadata>,
}

/// Why the note is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// It is not MessagePack.
    #[error("its metadata is damaged: {0}")]
    MessagePack(#[from] Error),
    /// Something is missing or of the wrong kind.
    #[error("its metadata has no {0} or a wrong one")]
    Field(&'static str),
}

fn number(map: &Value, name: &'static str) -> Result<u64, MetadataError> {
    map.get(name).and_then(Value::as_u64).ok_or(MetadataError::Field(name))
}

fn text(map: &Value, name: &'static str) -> Result<String, MetadataError> {
    map.get(name)
        .and_then(Value::as_text)
        .map(str::to_string)
        .ok_or(MetadataError::Field(name))
}

impl Metadata {
    /// Reads the note's content.
    ///
    /// # Errors
    /// When it is no metadata.
    pub fn parse(bytes: &[u8]) -> Result<Metadata, MetadataError> {
        let root = Value::parse(bytes)?;
        let version = match root.get("amdhsa.version").and_then(Value::as_array) {
            Some([major, minor]) => (major.as_u64(), minor.as_u64()),
            _ => (None, None),
        };
        let (Some(major), Some(minor)) = version else {
            return Err(MetadataError::Field("amdhsa.version"));
        };
        let kernels = root.get("amdhsa.kernels").and_then(Value::as_array).unwrap_or(&[]);
        Ok(Metadata {
            version: (major, minor),
            target: root.get("amdhsa.target").and_then(Value::as_text).map(str::to_string),
            kernels: kernels.iter().map(kernel).collect::<Result<_, _>>()?,
        })
    }
}

fn kernel(map: &Value) -> Result<KernelMetadata, MetadataError> {
    let args = map.get(".args").and_then(Value::as_array).unwrap_or(&[]);
    Ok(KernelMetadata {
        name: text(map, ".name")?,
        symbol: text(map, ".symbol")?,
        kernarg_segment_size: number(map, ".kernarg_segment_size")?,
        kernarg_segment_align: number(map, ".kernarg_segment_align")?,
        group_segment_fixed_size: number(map, ".group_segment_fixed_size")?,
        private_segment_fixed_size: number(map, ".private_segment_fixed_size")?,
        wave: match number(map, ".wavefront_size")? {
            32 => Wave::W32,
            64 => Wave::W64,
            _ => return Err(MetadataError::Field(".wavefront_size")),
        },
        max_flat_workgroup_size: number(map, ".max_flat_workgroup_size")?,
        uses_dynamic_stack: map.get(".uses_dynamic_stack").and_then(Value::as_bool).unwrap_or(false),
        args: args.iter().map(arg).collect::<Result<_, _>>()?,
    })
}

fn arg(map: &Value) -> Result<Arg, MetadataError> {
    Ok(Arg {
        offset: number(map, ".offset")?,
        size: number(map, ".size")?,
        kind: ValueKind::from_name(&text(map, ".value_kind")?),
    })
}
