//! Loads, stores, atomic operations, fences.

use super::builder::{Builder, Lowered, Place, rows_of};
use super::modifiers::Modifiers;
use crate::ptx::code::{Access, AccessKind, Address, Op, Order, Symbol};
use crate::ptx::exec::lanes::{Args, Slot};
use crate::ptx::exec::memory::{Transfer, atomic, load, nothing, store};
use crate::ptx::exec::round::{self, BF16, F16, NEAREST};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::{Space, Type};

/// Hints about caches and promises that change nothing here.
const HINTS: &[&str] = &["L1::", "L2::", "level::", "unified"];
const CACHE_OPERATORS: &[&str] = &["ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"];
/// Bytes of the widest vector (PTX ISA, `ld`).
const MAX_ACCESS: u32 = 32;
const SCOPES: &[&str] = &["cta", "cluster", "gpu", "sys"];

fn take_order(m: &mut Modifiers<'_>) -> Option<Order> {
    Some(
        match m.take_any(&["weak", "relaxed", "acquire", "release", "acq_rel", "sc", "seq_cst"])? {
            "weak" => Order::Weak,
            "relaxed" => Order::Relaxed,
            "acquire" => Order::Acquire,
            "release" => Order::Release,
            "acq_rel" => Order::AcqRel,
            _ => Order::SeqCst,
        },
    )
}

fn atomic_function(operation: &str, ty: Type) -> Option<Transfer> {
    Some(match (operation, ty) {
        ("exch", Type::B32) => atomic(|_: u32, b, _| b),
        ("exch", Type::B64) => atomic(|_: u64, b, _| b),
        ("exch", Type::B128) => atomic(|_: u128, b, _| b),
        ("cas", Type::B16) => atomic(|old: u16, b, c| if old == b { c } else { old }),
        ("cas", Type::B32) => atomic(|old: u32, b, c| if old == b { c } else { old }),
        ("cas", Type::B64) => atomic(|old: u64, b, c| if old == b { c } else { old }),
        ("cas", Type::B128) => atomic(|old: u128, b, c| if old == b { c } else { old }),
        ("and", Type::B32) => atomic(|old: u32, b, _| old & b),
        ("and", Type::B64) => atomic(|old: u64, b, _| old & b),
        ("or", Type::B32) => atomic(|old: u32, b, _| old | b),
        ("or", Type::B64) => atomic(|old: u64, b, _| old | b),
        ("xor", Type::B32) => atomic(|old: u32, b, _| old ^ b),
        ("xor", Type::B64) => atomic(|old: u64, b, _| old ^ b),
        ("add", Type::U32 | Type::S32) => atomic(|old: u32, b, _| old.wrapping_add(b)),
        ("add", Type::U64 | Type::S64) => atomic(|old: u64, b, _| old.wrapping_add(b)),
        ("inc", Type::U32) => atomic(|old: u32, b, _| if old >= b { 0 } else { old + 1 }),
        ("dec", Type::U32) => atomic(|old: u32, b, _| if old == 0 || old > b { b } else { old - 1 }),
        ("min", Type::U32) => atomic(|old: u32, b, _| old.min(b)),
        ("min", Type::S32) => atomic(|old: u32, b, _| (old as i32).min(b as i32) as u32),
        ("min", Type::U64) => atomic(|old: u64, b, _| old.min(b)),
        ("min", Type::S64) => atomic(|old: u64, b, _| (old as i64).min(b as i64) as u64),
        ("max", Type::U32) => atomic(|old: u32, b, _| old.max(b)),
        ("max", Type::S32) => atomic(|old: u32, b, _| (old as i32).max(b as i32) as u32),
        ("max", Type::U64) => atomic(|old: u64, b, _| old.max(b)),
        ("max", Type::S64) => atomic(|old: u64, b, _| (old as i64).max(b as i64) as u64),
        ("add", Type::F32) => {
            atomic(|old: u32, b, _| round::canonical(f32::from_bits(old) + f32::from_bits(b)).to_bits())
        }
        ("add", Type::F64) => atomic(|old: u64, b, _| (f64::from_bits(old) + f64::from_bits(b)).to_bits()),
        ("add", Type::F16) => atomic(|old: u16, b, _| add_f16(old, b)),
        ("add", Type::Bf16) => atomic(|old: u16, b, _| add_bf16(old, b)),
        ("add", Type::F16x2) => atomic(|old: u32, b, _| crate::ptx::exec::bits::halves(old, b, add_f16)),
        ("add", Type::Bf16x2) => atomic(|old: u32, b, _| crate::ptx::exec::bits::halves(old, b, add_bf16)),
        _ => return None,
    })
}

/// `add.f32` outside shared memory, where subnormal numbers are flushed (PTX ISA, `atom`).
fn add_flushed() -> Transfer {
    atomic(|old: u32, b, _| {
        let sum = round::flush(f32::from_bits(old)) + round::flush(f32::from_bits(b));
        round::canonical(round::flush(sum)).to_bits()
    })
}

fn add_f16(a: u16, b: u16) -> u16 {
    F16.round(
        half::f16::from_bits(a).to_f64() + half::f16::from_bits(b).to_f64(),
        NEAREST,
    )
}

fn add_bf16(a: u16, b: u16) -> u16 {
    BF16.round(
        half::bf16::from_bits(a).to_f64() + half::bf16::from_bits(b).to_f64(),
        NEAREST,
    )
}

impl<'a> Builder<'_, 'a> {
    /// True when the instruction is of this family.
    pub(super) fn memory(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        match opcode {
            "ld" | "ldu" => self.load(m, i)?,
            "st" => self.store(m, i)?,
            "atom" | "red" => self.atomic(opcode == "atom", m, i)?,
            "fence" | "membar" => {
                if m.take("proxy") {
                    // Other ways to memory (textures, asynchronous copies) do not exist here.
                    while m.take_with(Some).is_some() {}
                }
                let default = if opcode == "membar" {
                    Order::SeqCst
                } else {
                    Order::AcqRel
                };
                let order = take_order(m).unwrap_or(default);
                m.take_any(SCOPES);
                m.take_any(&["gl"]);
                self.emit(Op::Fence(order), Args::NONE);
            }
            "prefetch" | "prefetchu" | "applypriority" | "discard" => while m.take_with(Some).is_some() {},
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn load(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let [to, from] = self.without_hint(m, &i.operands)? else {
            return Err("2 operands are needed".to_owned());
        };
        let mut access = self.start_access(AccessKind::Load, m)?;
        let ty = access.1;
        let parts = elements(to);
        let mut register = 0;
        for part in parts {
            if *part == Operand::Sink {
                access.0.values.push(Slot::NONE);
                continue;
            }
            let (slot, rows) = self.loose_target(part, ty)?;
            if register != 0 && register != rows {
                return Err("registers of different sizes".to_owned());
            }
            register = rows;
            access.0.values.push(slot);
        }
        let register = if register == 0 { rows_of(ty) } else { register };
        access.0.transfer = load(ty.size(), ty.is_signed(), register * 4)
            .ok_or_else(|| format!("cannot load {} into such registers", ty.word()))?;
        self.finish_access(access, from, Args::NONE)
    }

    fn store(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let [to, from] = self.without_hint(m, &i.operands)? else {
            return Err("2 operands are needed".to_owned());
        };
        let mut access = self.start_access(AccessKind::Store, m)?;
        let ty = access.1;
        let mut register = 0;
        for part in elements(from) {
            let (slot, rows) = match part {
                Operand::Name(name, 0) if let Some(found) = self.register(name) => found,
                other => (self.source(other, ty)?, rows_of(ty)),
            };
            if rows < rows_of(ty) || (register != 0 && register != rows) {
                return Err("registers of the wrong size".to_owned());
            }
            register = rows;
            access.0.values.push(slot);
        }
        access.0.transfer =
            store(ty.size(), register * 4).ok_or_else(|| format!("cannot store {} from such registers", ty.word()))?;
        self.finish_access(access, to, Args::NONE)
    }

    /// The operands, less a cache policy behind them.
    fn without_hint<'o>(&mut self, m: &mut Modifiers<'a>, operands: &'o [Operand<'a>]) -> Lowered<&'o [Operand<'a>]> {
        if m.take("L2::cache_hint") && !operands.is_empty() {
            return Ok(&operands[..operands.len() - 1]);
        }
        Ok(operands)
    }

    /// Takes the modifiers that all accesses have.
    fn start_access(&mut self, kind: AccessKind, m: &mut Modifiers<'a>) -> Lowered<(Access, Type, Space, u32)> {
        m.drop_prefixed(HINTS);
        let volatile = m.take_any(&["volatile", "mmio"]).is_some();
        let order = take_order(m);
        m.take_any(SCOPES);
        let space = m
            .take_space()
            .or_else(|| m.take("shared::cluster").then_some(Space::Shared));
        m.take_any(CACHE_OPERATORS);
        m.take("nc");
        let count = match m.take_any(&["v2", "v4", "v8"]) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some(_) => 8,
            None => 1,
        };
        let ty = m.take_type().ok_or("a type is missing")?;
        let order = match order {
            Some(order) => order,
            None if volatile || kind == AccessKind::Atomic => Order::Relaxed,
            None => Order::Weak,
        };
        let size = ty.size() * count;
        if size > MAX_ACCESS {
            return Err(format!("{size} bytes at once, where {MAX_ACCESS} are the most"));
        }
        let allowed = match (kind, space) {
            (AccessKind::Store, Some(Space::Const)) => false,
            (AccessKind::Atomic, Some(space)) => matches!(space, Space::Global | Space::Shared),
            _ => true,
        };
        if !allowed {
            return Err("this state space does not allow it".to_owned());
        }
        let access = Access {
            kind,
            address: Address::Generic,
            offset: 0,
            size,
            align: size,
            values: Vec::new(),
            order,
            strong: order != Order::Weak,
            transfer: nothing(),
            outside_shared: None,
        };
        Ok((access, ty, space.unwrap_or(Space::Generic), count))
    }

    /// Resolves the address and emits the access.
    fn finish_access(
        &mut self,
        (mut access, _, space, count): (Access, Type, Space, u32),
        address: &Operand<'a>,
        args: Args,
    ) -> Lowered<()> {
        if access.kind != AccessKind::Atomic && access.values.len() != count as usize {
            return Err(format!("{} registers where {count} are needed", access.values.len()));
        }
        let Operand::Address(base, offset) = address else {
            return Err("an address in brackets is needed".to_owned());
        };
        access.offset = *offset;
        let a = match **base {
            Operand::Name(name, _) => match self.register(name) {
                Some((slot, rows)) => {
                    access.address = match (space, rows) {
                        (Space::Shared, 2) => Address::Shared,
                        (Space::Shared, 1) => Address::Shared32,
                        (Space::Local, 2) => Address::Local,
                        (_, 2) => Address::Generic,
                        (_, 1) => Address::Generic32,
                        _ => return Err(format!("{name} is no address")),
                    };
                    slot
                }
                None => self.named_address(name, space, &mut access)?,
            },
            Operand::Int(n) => {
                access.address = if space == Space::Shared {
                    Address::Shared
                } else {
                    Address::Generic
                };
                self.constant(u128::from(n), 2)
            }
            _ => return Err("no such address".to_owned()),
        };
        self.emit(Op::Memory(Box::new(access)), Args { a, ..args });
        Ok(())
    }

    /// The address of a variable or parameter by name.
    fn named_address(&mut self, name: &'a str, space: Space, access: &mut Access) -> Lowered<Slot> {
        let inside = |size: u32, access: &Access| {
            let end = access.offset.checked_add(i64::from(access.size));
            if access.offset >= 0 && end.is_some_and(|end| end <= i64::from(size)) {
                Ok(access.offset as u32)
            } else {
                let (bytes, offset) = (access.size, access.offset);
                Err(format!("{bytes} bytes at offset {offset} of {name}, which has {size}"))
            }
        };
        match self.place(name) {
            Some(Place::Frame(piece)) => {
                let at = inside(piece.size, access)?;
                access.address = Address::Frame;
                access.offset = i64::from(piece.offset + at);
                if !(access.offset as u64).is_multiple_of(u64::from(access.align)) {
                    return Err(format!("misaligned access to {name}"));
                }
                Ok(Slot::NONE)
            }
            Some(Place::Param(piece)) => {
                if access.kind != AccessKind::Load {
                    return Err("parameters of kernels cannot be written".to_owned());
                }
                let at = inside(piece.size, access)?;
                access.address = Address::Param;
                access.offset = i64::from(piece.offset + at);
                if !(access.offset as u64).is_multiple_of(u64::from(access.align)) {
                    return Err(format!("misaligned access to {name}"));
                }
                Ok(Slot::NONE)
            }
            Some(Place::Variable(index)) if !self.image.variables[index as usize].is_dynamic_shared => {
                let is_shared = self.image.variables[index as usize].space == Space::Shared;
                if is_shared {
                    self.out.shared.push(index);
                }
                access.address = if is_shared && space == Space::Shared {
                    Address::Shared
                } else {
                    Address::Generic
                };
                let offset = std::mem::take(&mut access.offset);
                Ok(self.address_of(Symbol::Variable(index), offset))
            }
            _ => {
                access.address = if space == Space::Shared {
                    Address::Shared
                } else {
                    Address::Generic
                };
                self.source(&Operand::Name(name, 0), Type::U64)
            }
        }
    }

    fn atomic(&mut self, has_result: bool, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let operands = self.without_hint(m, &i.operands)?;
        let operation = m
            .take_any(&["exch", "cas", "and", "or", "xor", "add", "inc", "dec", "min", "max"])
            .ok_or("an operation is missing")?;
        m.take("noftz");
        let mut access = self.start_access(AccessKind::Atomic, m)?;
        if access.3 != 1 {
            return Err("vectors of atomic operations are not supported".to_owned());
        }
        let ty = access.1;
        access.0.transfer =
            atomic_function(operation, ty).ok_or_else(|| format!("no .{operation} for type {}", ty.word()))?;
        if (operation, ty) == ("add", Type::F32) && access.2 != Space::Shared {
            access.0.outside_shared = Some(add_flushed());
        }
        let mut operands = operands.iter();
        let mut args = Args::NONE;
        if has_result {
            let to = operands.next().ok_or("operands are missing")?;
            if *to != Operand::Sink {
                args.d = self.target(to, ty)?;
            }
        }
        let address = operands.next().ok_or("operands are missing")?;
        args.b = self.source(operands.next().ok_or("operands are missing")?, ty)?;
        if operation == "cas" {
            args.c = self.source(operands.next().ok_or("operands are missing")?, ty)?;
        }
        if operands.next().is_some() {
            return Err("too many operands".to_owned());
        }
        self.finish_access(access, address, args)
    }
}

fn elements<'o, 'a>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
    match operand {
        Operand::Vector(parts) => parts,
        single => std::slice::from_ref(single),
    }
}
