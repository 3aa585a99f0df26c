//! Memory instructions: scalar, global, flat, scratch, buffer and LDS.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
use std::time::{SystemTime, UNIX_EPOCH};

use super::code::illegal;
use super::kernel::{GROUP_APERTURE, PRIVATE_APERTURE, SCRATCH_BUFFER};
use super::run::unsupported;
use super::wave::Wavefront;
use crate::amdgcn::inst::{Form, Inst, Operand, Ty};
use crate::amdgcn::ops::{Class, Op};
use crate::fault::{Fault, FaultKind};
use crate::memory::{Access, Memory};

/// What a wavefront can reach beside its own scratch.
pub struct Segments<'a> {
    /// Memory that everybody shares.
    pub memory: &'a Memory,
    /// What the work-group shares.
    pub lds: &'a mut [u8],
}

/// Where a lane's access goes.
#[derive(Clone, Copy)]
enum Place {
    Global(u64),
    Lds(u64),
    Scratch(u64),
}

/// Bytes of the widest vector access.
const WIDEST: usize = 16;

impl Wavefront {
    fn place(&self, form: Form, address: u64) -> Place {
        if form == Form::Flat {
            let inside = |base: u64| address.wrapping_sub(base) <= u64::from(u32::MAX);
            if inside(GROUP_APERTURE) {
                return Place::Lds(address - GROUP_APERTURE);
            }
            if inside(PRIVATE_APERTURE) {
                return Place::Scratch(address - PRIVATE_APERTURE);
            }
        }
        Place::Global(address)
    }

    fn slice<'a>(
        &'a mut self,
        segments: &'a mut Segments<'_>,
        place: Place,
        lane: usize,
        len: usize,
    ) -> Result<&'a mut [u8], Box<Fault>> {
        match place {
            Place::Lds(at) => {
                let have = segments.lds.len();
                let found = usize::try_from(at)
                    .ok()
                    .and_then(|at| segments.lds.get_mut(at..at.checked_add(len)?));
                found.ok_or_else(|| {
                    fault(
                        FaultKind::OutOfBounds,
                        lane,
                        format!("{len} bytes at {at:#x} of a group segment of {have}"),
                    )
                })
            }
            Place::Scratch(at) => {
                let size = self.scratch_size as usize;
                let end = at.saturating_add(len as u64);
                if end > size as u64 {
                    let detail = format!("{len} bytes at {at:#x} of a private segment of {size} bytes");
                    return Err(fault(FaultKind::StackOverflow, lane, detail));
                }
                let start = lane * size + at as usize;
                Ok(&mut self.scratch[start..start + len])
            }
            Place::Global(_) => Err(fault(FaultKind::IllegalInstruction, lane, "no private memory".into())),
        }
    }

    fn load(
        &mut self,
        segments: &mut Segments<'_>,
        place: Place,
        lane: usize,
        out: &mut [u8],
    ) -> Result<(), Box<Fault>> {
        if let Place::Global(address) = place {
            self.check(segments.memory, address, out.len(), Access::Read, lane)?;
            // SAFETY: the range was just found in a live allocation, which stays mapped while kernels run.
            unsafe { read(address, out) };
            return Ok(());
        }
        out.copy_from_slice(self.slice(segments, place, lane, out.len())?);
        Ok(())
    }

    fn store(
        &mut self,
        segments: &mut Segments<'_>,
        place: Place,
        lane: usize,
        bytes: &[u8],
    ) -> Result<(), Box<Fault>> {
        if let Place::Global(address) = place {
            self.check(segments.memory, address, bytes.len(), Access::Write, lane)?;
            // SAFETY: as in `load`, and the allocation can be written.
            unsafe { write(address, bytes) };
            return Ok(());
        }
        self.slice(segments, place, lane, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    fn check(
        &mut self,
        memory: &Memory,
        address: u64,
        len: usize,
        access: Access,
        lane: usize,
    ) -> Result<(), Box<Fault>> {
        memory
            .check(&mut self.spans, (self.pc / 4) as usize, address, len as u64, access)
            .map_err(|error| {
                let detail = format!("{} of {len} bytes: {error}", access.words());
                let mut fault = fault((&*error).into(), lane, detail);
                fault.address = Some(address);
                fault
            })
    }

    /// Executes SMEM.
    pub fn scalar_memory(&mut self, segments: &mut Segments<'_>, inst: &Inst) -> Result<(), Box<Fault>> {
        match inst.op {
            Op::s_dcache_inv | Op::s_dcache_wb | Op::s_dcache_inv_vol | Op::s_dcache_wb_vol | Op::s_gl1_inv => {
                fence(Ordering::SeqCst);
                return Ok(());
            }
            Op::s_memtime | Op::s_memrealtime => {
                if let Operand::Sgpr(reg) = inst.dst[0] {
                    self.set_s64(reg, clock());
                }
                return Ok(());
            }
            Op::s_load_b32 | Op::s_load_b64 | Op::s_load_b128 | Op::s_load_b256 | Op::s_load_b512 => {}
            _ => return Err(unsupported(inst)),
        }
        let base = self.scalar(inst.src[0], Ty::B64);
        let register = self.scalar(inst.src[1], Ty::U32);
        let address = base
            .wrapping_add(register)
            .wrapping_add(i64::from(inst.mem.offset) as u64)
            & !3;
        let dwords = self.dwords(inst.op.info().dst[0]);
        let mut bytes = [0; 64];
        let bytes = &mut bytes[..4 * dwords];
        self.load(segments, Place::Global(address), self.first_lane(), bytes)?;
        if let Operand::Sgpr(reg) = inst.dst[0] {
            for (i, word) in bytes.chunks_exact(4).enumerate() {
                let value = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
                self.set_s(reg.wrapping_add(i as u8), value);
            }
        }
        Ok(())
    }

    /// Where a lane's vector access goes.
    fn vector_place(&self, inst: &Inst, lane: usize) -> Result<Place, Box<Fault>> {
        let offset = i64::from(inst.mem.offset) as u64;
        Ok(match inst.form {
            Form::Flat => {
                let address = self.lane(inst.src[0], Ty::B64, lane).wrapping_add(offset);
                self.place(Form::Flat, address)
            }
            Form::Global => {
                let address = if inst.src[2] == Operand::None {
                    self.lane(inst.src[0], Ty::B64, lane)
                } else {
                    let base = self.scalar(inst.src[2], Ty::B64);
                    base.wrapping_add(self.lane(inst.src[0], Ty::U32, lane))
                };
                Place::Global(address.wrapping_add(offset))
            }
            Form::Scratch => {
                let vector = self.lane(inst.src[0], Ty::U32, lane) as u32;
                let scalar = self.scalar(inst.src[2], Ty::U32) as u32;
                Place::Scratch(u64::from(vector.wrapping_add(scalar).wrapping_add(offset as u32)))
            }
            _ => self.buffer_place(inst, lane)?,
        })
    }

    /// Buffer instructions reach scratch only: LLVM uses them for nothing else in kernels. The scalar offset counts the
    /// bytes of all lanes together.
    fn buffer_place(&self, inst: &Inst, lane: usize) -> Result<Place, Box<Fault>> {
        let Operand::Sgpr(resource) = inst.src[2] else {
            return Err(unsupported(inst));
        };
        let base = self.s64(resource) & 0xffff_ffff_ffff;
        let inside = base.wrapping_sub(SCRATCH_BUFFER);
        if inside > u64::from(u32::MAX) || inst.mem.idxen || inst.mem.lds {
            return Err(illegal(format!(
                "{} of a buffer that is not scratch is not supported",
                inst.op.info().name
            )));
        }
        let all = inside.wrapping_add(self.scalar(inst.src[3], Ty::U32));
        let own = if inst.mem.offen {
            self.lane(inst.src[0], Ty::U32, lane)
        } else {
            0
        };
        Ok(Place::Scratch(all / self.lanes as u64 + own + inst.mem.offset as u64))
    }

    /// Executes FLAT, GLOBAL, SCRATCH and MUBUF.
    pub fn vector_memory(&mut self, segments: &mut Segments<'_>, inst: &Inst) -> Result<(), Box<Fault>> {
        let info = inst.op.info();
        match inst.op {
            // Caches that are not there; what matters is the order that they stand for.
            Op::wbl2 | Op::invl2 | Op::wbinvl1 | Op::wbinvl1_vol | Op::inv | Op::gl0_inv | Op::gl1_inv => {
                fence(Ordering::SeqCst);
                return Ok(());
            }
            _ if info.class == Class::buffer || inst.mem.lds || inst.mem.tfe => return Err(unsupported(inst)),
            _ => {}
        }
        if info.name.starts_with("atomic") {
            return self.vector_atomic(segments, inst);
        }
        let Some(shape) = Shape::of(inst.op) else {
            return Err(unsupported(inst));
        };
        for lane in self.active() {
            let place = self.vector_place(inst, lane)?;
            if shape.is_store {
                self.store_shape(segments, place, lane, inst.src[1], shape)?;
            } else {
                self.load_shape(segments, place, lane, inst.dst[0], shape)?;
            }
        }
        Ok(())
    }

    fn store_shape(
        &mut self,
        segments: &mut Segments<'_>,
        place: Place,
        lane: usize,
        from: Operand,
        shape: Shape,
    ) -> Result<(), Box<Fault>> {
        let mut bytes = [0; WIDEST];
        for (i, word) in bytes.chunks_exact_mut(4).enumerate().take(shape.bytes.div_ceil(4)) {
            let value = self.dword(from, i, lane);
            let value = if shape.high { value >> 16 } else { value };
            word.copy_from_slice(&value.to_le_bytes());
        }
        self.store(segments, place, lane, &bytes[..shape.bytes])
    }

    fn load_shape(
        &mut self,
        segments: &mut Segments<'_>,
        place: Place,
        lane: usize,
        to: Operand,
        shape: Shape,
    ) -> Result<(), Box<Fault>> {
        let mut bytes = [0; WIDEST];
        self.load(segments, place, lane, &mut bytes[..shape.bytes])?;
        let word = |i: usize| u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        if shape.bytes >= 4 {
            for i in 0..shape.bytes / 4 {
                self.set_dword(to, i, lane, word(i));
            }
            return Ok(());
        }
        let value = match (shape.bytes, shape.signed) {
            (1, true) => word(0) as i8 as u32,
            (2, true) => word(0) as i16 as u32,
            _ => word(0),
        };
        let before = self.dword(to, 0, lane);
        self.set_dword(
            to,
            0,
            lane,
            match (shape.half, shape.high) {
                (false, _) => value,
                (true, false) => before & 0xffff_0000 | value & 0xffff,
                (true, true) => before & 0xffff | value << 16,
            },
        );
        Ok(())
    }

    fn vector_atomic(&mut self, segments: &mut Segments<'_>, inst: &Inst) -> Result<(), Box<Fault>> {
        let info = inst.op.info();
        let name = info.name.strip_prefix("atomic_").unwrap_or(info.name);
        let ty = info.dst[0];
        let Some((change, ty)) = Change::of(name, ty) else {
            return Err(unsupported(inst));
        };
        let wide = self.dwords(ty) == 2;
        for lane in self.active() {
            let place = self.vector_place(inst, lane)?;
            let at = |wave: &Wavefront, plus: usize| {
                let low = u64::from(wave.dword(inst.src[1], plus, lane));
                if wide {
                    low | u64::from(wave.dword(inst.src[1], plus + 1, lane)) << 32
                } else {
                    low
                }
            };
            // Compare and swap has the new value first.
            let (data, compare) = (at(self, 0), at(self, if wide { 2 } else { 1 }));
            let old = self.atomic(segments, place, lane, wide, |old| change.apply(ty, old, data, compare))?;
            if inst.dst[0] != Operand::None {
                self.set_lane(inst.dst[0], ty, lane, old);
            }
        }
        Ok(())
    }

    /// Replaces a value by what `change` makes of it; the value before.
    fn atomic(
        &mut self,
        segments: &mut Segments<'_>,
        place: Place,
        lane: usize,
        wide: bool,
        change: impl Fn(u64) -> u64,
    ) -> Result<u64, Box<Fault>> {
        let len = if wide { 8 } else { 4 };
        let (Place::Global(at) | Place::Lds(at) | Place::Scratch(at)) = place;
        if at % len as u64 != 0 {
            return Err(fault(
                FaultKind::Misaligned,
                lane,
                format!("atomic operation of {len} bytes at {at:#x}"),
            ));
        }
        if let Place::Global(address) = place {
            self.check(segments.memory, address, len, Access::Atomic, lane)?;
            // SAFETY: the place is aligned, was just found in a live allocation that can be written, and everybody who
            // touches it at the same time does so atomically.
            return Ok(unsafe {
                if wide {
                    let word = AtomicU64::from_ptr(address as *mut u64);
                    word.update(Ordering::SeqCst, Ordering::SeqCst, change)
                } else {
                    let word = AtomicU32::from_ptr(address as *mut u32);
                    u64::from(word.update(Ordering::SeqCst, Ordering::SeqCst, |old| change(u64::from(old)) as u32))
                }
            });
        }
        let bytes = self.slice(segments, place, lane, len)?;
        let mut all = [0; 8];
        all[..len].copy_from_slice(bytes);
        let old = u64::from_le_bytes(all);
        bytes.copy_from_slice(&change(old).to_le_bytes()[..len]);
        Ok(old)
    }

    /// Executes DS: LDS, and exchange between lanes through its crossbar.
    pub fn data_share(&mut self, segments: &mut Segments<'_>, inst: &Inst) -> Result<(), Box<Fault>> {
        if inst.mem.gds {
            return Err(unsupported(inst));
        }
        let info = inst.op.info();
        match inst.op {
            Op::ds_nop => return Ok(()),
            Op::ds_permute_b32 | Op::ds_bpermute_b32 | Op::ds_swizzle_b32 => {
                self.crossbar(inst);
                return Ok(());
            }
            _ => {}
        }
        if let Some((shape, stride)) = Shape::of_pair(inst.op) {
            for lane in self.active() {
                let base = self.lane(inst.src[0], Ty::U32, lane);
                for (i, offset) in [inst.mem.offset as u64, u64::from(inst.mem.offset1)]
                    .into_iter()
                    .enumerate()
                {
                    let place = Place::Lds(base + offset * shape.bytes as u64 * stride);
                    if shape.is_store {
                        self.store_shape(segments, place, lane, inst.src[1 + i], shape)?;
                    } else {
                        let to = plus(inst.dst[0], i * shape.bytes / 4);
                        // Both are read before either is written, and the address may be among the results.
                        self.load_shape(segments, place, lane, to, shape)?;
                    }
                }
            }
            return Ok(());
        }
        let shape = Shape::of(inst.op);
        let name = info.name.strip_prefix("ds_").unwrap_or(info.name).replace("_rtn", "");
        let change = Change::of(&name, info.src.get(1).copied().unwrap_or(Ty::B32));
        for lane in self.active() {
            let base = self.lane(inst.src[0], Ty::U32, lane) as u32;
            let place = Place::Lds(u64::from(base.wrapping_add(inst.mem.offset as u32)));
            match (shape, change) {
                (Some(shape), _) if shape.is_store => self.store_shape(segments, place, lane, inst.src[1], shape)?,
                (Some(shape), _) => self.load_shape(segments, place, lane, inst.dst[0], shape)?,
                (None, Some((change, ty))) => {
                    let (first, second) = (self.lane(inst.src[1], ty, lane), self.lane(inst.src[2], ty, lane));
                    // Up to GFX10 what to compare with comes first.
                    let (data, compare) =
                        if name.starts_with("cmp") && self.target.generation() <= crate::amdgcn::target::Gen::Gfx10 {
                            (second, first)
                        } else {
                            (first, second)
                        };
                    let wide = self.dwords(ty) == 2;
                    let old = self.atomic(segments, place, lane, wide, |old| change.apply(ty, old, data, compare))?;
                    if inst.dst[0] != Operand::None {
                        self.set_lane(inst.dst[0], ty, lane, old);
                    }
                }
                (None, None) => return Err(unsupported(inst)),
            }
        }
        Ok(())
    }
}

/// The constant clock, which ticks at 100 MHz.
pub fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_nanos() / 10) as u64
}

/// The register `by` behind an operand's first.
fn plus(operand: Operand, by: usize) -> Operand {
    match operand {
        Operand::Vgpr(reg) => Operand::Vgpr(reg.wrapping_add(by as u8)),
        Operand::Agpr(reg) => Operand::Agpr(reg.wrapping_add(by as u8)),
        other => other,
    }
}

fn fault(kind: FaultKind, lane: usize, detail: String) -> Box<Fault> {
    let mut fault = Fault::new(kind, detail);
    fault.lane = Some(lane as u32);
    Box::new(fault)
}

/// What a plain load or store moves.
#[derive(Clone, Copy)]
struct Shape {
    bytes: usize,
    is_store: bool,
    signed: bool,
    /// Loads into half of a register and keeps the other.
    half: bool,
    /// That half is the high one; for stores: from it.
    high: bool,
}

impl Shape {
    fn of(op: Op) -> Option<Shape> {
        let name = op.info().name;
        let name = name.strip_prefix("ds_").unwrap_or(name);
        let (is_store, rest) = match (name.strip_prefix("load_"), name.strip_prefix("store_")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return None,
        };
        if rest.contains("addr") || rest.contains("lds") || rest.contains("format") || rest.contains("addtid") {
            return None;
        }
        let width = rest
            .split('_')
            .find(|part| part[1..].parse::<usize>().is_ok() && *part != "d16")?;
        Some(Shape {
            bytes: width[1..].parse::<usize>().ok()? / 8,
            is_store,
            signed: width.starts_with('i'),
            half: rest.contains("d16") && !is_store,
            high: rest.contains("hi"),
        })
    }

    /// DS with two addresses; also how many elements apart offsets count.
    fn of_pair(op: Op) -> Option<(Shape, u64)> {
        let (is_store, bytes, stride) = match op {
            Op::ds_load_2addr_b32 => (false, 4, 1),
            Op::ds_load_2addr_b64 => (false, 8, 1),
            Op::ds_load_2addr_stride64_b32 => (false, 4, 64),
            Op::ds_load_2addr_stride64_b64 => (false, 8, 64),
            Op::ds_store_2addr_b32 => (true, 4, 1),
            Op::ds_store_2addr_b64 => (true, 8, 1),
            Op::ds_store_2addr_stride64_b32 => (true, 4, 64),
            Op::ds_store_2addr_stride64_b64 => (true, 8, 64),
            _ => return None,
        };
        Some((
            Shape {
                bytes,
                is_store,
                signed: false,
                half: false,
                high: false,
            },
            stride,
        ))
    }
}

/// What an atomic operation does.
#[derive(Clone, Copy)]
enum Change {
    Swap,
    CompareSwap,
    Add,
    Sub,
    ReverseSub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Inc,
    Dec,
}

impl Change {
    /// By the name without prefix, with the type of one value.
    fn of(name: &str, ty: Ty) -> Option<(Change, Ty)> {
        let (verb, _) = name.split_once('_')?;
        let change = match verb {
            "swap" | "storexchg" if !name.contains("2addr") => Change::Swap,
            "cmpswap" | "cmpstore" => Change::CompareSwap,
            "add" => Change::Add,
            "sub" => Change::Sub,
            "rsub" => Change::ReverseSub,
            "min" => Change::Min,
            "max" => Change::Max,
            "and" => Change::And,
            "or" => Change::Or,
            "xor" => Change::Xor,
            "inc" => Change::Inc,
            "dec" => Change::Dec,
            _ => return None,
        };
        matches!(
            ty,
            Ty::B32 | Ty::U32 | Ty::I32 | Ty::F32 | Ty::B64 | Ty::U64 | Ty::I64 | Ty::F64
        )
        .then_some((change, ty))
    }

    fn apply(self, ty: Ty, old: u64, data: u64, compare: u64) -> u64 {
        let wide = matches!(ty, Ty::B64 | Ty::U64 | Ty::I64 | Ty::F64);
        let (f, g) = (f32::from_bits(old as u32), f32::from_bits(data as u32));
        let (d, e) = (f64::from_bits(old), f64::from_bits(data));
        let value = match (self, ty) {
            (Change::Swap, _) => data,
            (Change::CompareSwap, Ty::F32) => {
                if f == f32::from_bits(compare as u32) {
                    data
                } else {
                    old
                }
            }
            (Change::CompareSwap, Ty::F64) => {
                if d == f64::from_bits(compare) {
                    data
                } else {
                    old
                }
            }
            (Change::CompareSwap, _) => {
                if old == compare {
                    data
                } else {
                    old
                }
            }
            (Change::Add, Ty::F32) => u64::from((f + g).to_bits()),
            (Change::Add, Ty::F64) => (d + e).to_bits(),
            (Change::Min, Ty::F32) => u64::from(f.min(g).to_bits()),
            (Change::Max, Ty::F32) => u64::from(f.max(g).to_bits()),
            (Change::Min, Ty::F64) => d.min(e).to_bits(),
            (Change::Max, Ty::F64) => d.max(e).to_bits(),
            (Change::Min, Ty::I32) => (old as i32).min(data as i32) as u64,
            (Change::Max, Ty::I32) => (old as i32).max(data as i32) as u64,
            (Change::Min, Ty::I64) => (old as i64).min(data as i64) as u64,
            (Change::Max, Ty::I64) => (old as i64).max(data as i64) as u64,
            (Change::Add, _) => old.wrapping_add(data),
            (Change::Sub, _) => old.wrapping_sub(data),
            (Change::ReverseSub, _) => data.wrapping_sub(old),
            (Change::Min, _) => old.min(data),
            (Change::Max, _) => old.max(data),
            (Change::And, _) => old & data,
            (Change::Or, _) => old | data,
            (Change::Xor, _) => old ^ data,
            (Change::Inc, _) => {
                if old >= data {
                    0
                } else {
                    old + 1
                }
            }
            (Change::Dec, _) => {
                if old == 0 || old > data {
                    data
                } else {
                    old - 1
                }
            }
        };
        if wide { value } else { value & 0xffff_ffff }
    }
}

/// Reads memory that others may write at the same time, in the largest units that its alignment allows.
///
/// # Safety
/// The range is mapped.
unsafe fn read(address: u64, out: &mut [u8]) {
    let mut at = address;
    let mut rest = out;
    while !rest.is_empty() {
        let n = unit(at, rest.len());
        // SAFETY: `at` is aligned to the unit and inside the range that the caller vouches for.
        let value = unsafe {
            match n {
                8 => AtomicU64::from_ptr(at as *mut u64).load(Ordering::Acquire),
                4 => u64::from(AtomicU32::from_ptr(at as *mut u32).load(Ordering::Acquire)),
                2 => u64::from(AtomicU16::from_ptr(at as *mut u16).load(Ordering::Acquire)),
                _ => u64::from(AtomicU8::from_ptr(at as *mut u8).load(Ordering::Acquire)),
            }
        };
        let (head, tail) = rest.split_at_mut(n);
        head.copy_from_slice(&value.to_le_bytes()[..n]);
        rest = tail;
        at += n as u64;
    }
}

/// Writes memory, as [`read`] reads it.
///
/// # Safety
/// The range is mapped and writable.
unsafe fn write(address: u64, bytes: &[u8]) {
    let mut at = address;
    let mut rest = bytes;
    while !rest.is_empty() {
        let n = unit(at, rest.len());
        let (head, tail) = rest.split_at(n);
        let mut all = [0; 8];
        all[..n].copy_from_slice(head);
        let value = u64::from_le_bytes(all);
        // SAFETY: `at` is aligned to the unit and inside the range that the caller vouches for.
        unsafe {
            match n {
                8 => AtomicU64::from_ptr(at as *mut u64).store(value, Ordering::Release),
                4 => AtomicU32::from_ptr(at as *mut u32).store(value as u32, Ordering::Release),
                2 => AtomicU16::from_ptr(at as *mut u16).store(value as u16, Ordering::Release),
                _ => AtomicU8::from_ptr(at as *mut u8).store(value as u8, Ordering::Release),
            }
        }
        rest = tail;
        at += n as u64;
    }
}

fn unit(at: u64, left: usize) -> usize {
    [8, 4, 2]
        .into_iter()
        .find(|&n| left >= n && at.is_multiple_of(n as u64))
        .unwrap_or(1)
}
