//! The loop over instructions; branches, barriers, the end.

use std::sync::atomic::{Ordering, fence};

use super::code::illegal;
use super::kernel::Prepared;
use super::memory::Segments;
use super::wave::Wavefront;
use crate::amdgcn::inst::{Form, Inst};
use crate::amdgcn::ops::{Class, Op};
use crate::fault::{Fault, FaultKind, Location, Position};
use crate::grid::{Dim3, Program, Slice, Step};
use crate::memory::Memory;

/// A dispatch, for the scheduler.
pub struct Runner<'a> {
    memory: &'a Memory,
    prepared: Prepared,
}

/// A work-group that is under way.
pub struct Group {
    index: Dim3,
    waves: Vec<Wavefront>,
    lds: Vec<u8>,
    /// Wavefronts that wait at the barrier.
    arrived: usize,
    /// Barriers that all have passed.
    passed: u64,
}

impl Group {
    fn alive(&self) -> usize {
        self.waves.iter().filter(|wave| !wave.ended).count()
    }

    /// Opens the barrier when nobody is missing.
    fn settle(&mut self) {
        if self.arrived > 0 && self.arrived >= self.alive() {
            self.arrived = 0;
            self.passed += 1;
        }
    }
}

/// What an instruction means for the wavefront's turn.
pub enum Flow {
    /// Go on with the next.
    Next,
    /// Go on at an address.
    Jump(u64),
    /// Others should have their turn.
    Yield,
    /// Wait for the other wavefronts.
    Barrier,
    /// That was the last.
    End,
}

impl<'a> Runner<'a> {
    pub(super) fn new(memory: &'a Memory, prepared: Prepared) -> Runner<'a> {
        Runner { memory, prepared }
    }

    fn execute(&self, wave: &mut Wavefront, lds: &mut [u8], inst: &Inst) -> Result<Flow, Box<Fault>> {
        match inst.form {
            Form::Sopp => return self.control(wave, inst),
            Form::Sop1 | Form::Sop2 | Form::Sopc | Form::Sopk => return wave.scalar_unit(inst),
            Form::Vop1 | Form::Vop2 | Form::Vopc | Form::Vop3 | Form::Vopd => wave.vector_unit(inst)?,
            Form::Vop3p => wave.packed_unit(inst)?,
            Form::Smem | Form::Ds | Form::Flat | Form::Global | Form::Scratch | Form::Mubuf => {
                let mut segments = Segments {
                    memory: self.memory,
                    lds,
                };
                match inst.form {
                    Form::Smem => wave.scalar_memory(&mut segments, inst)?,
                    Form::Ds => wave.data_share(&mut segments, inst)?,
                    _ => wave.vector_memory(&mut segments, inst)?,
                }
            }
        }
        Ok(Flow::Next)
    }

    fn control(&self, wave: &mut Wavefront, inst: &Inst) -> Result<Flow, Box<Fault>> {
        use crate::amdgcn::inst::sgpr;
        let immediate = wave.scalar(inst.src[0], crate::amdgcn::inst::Ty::Imm) as u16;
        let target = wave.pc.wrapping_add((i64::from(immediate as i16) * 4) as u64);
        let branch = |taken: bool| if taken { Flow::Jump(target) } else { Flow::Next };
        Ok(match inst.op {
            Op::s_branch => branch(true),
            Op::s_cbranch_scc0 => branch(!wave.scc),
            Op::s_cbranch_scc1 => branch(wave.scc),
            Op::s_cbranch_vccz => branch(wave.mask(sgpr::VCC) == 0),
            Op::s_cbranch_vccnz => branch(wave.mask(sgpr::VCC) != 0),
            Op::s_cbranch_execz => branch(wave.exec() == 0),
            Op::s_cbranch_execnz => branch(wave.exec() != 0),
            // No debugger is attached.
            Op::s_cbranch_cdbgsys
            | Op::s_cbranch_cdbguser
            | Op::s_cbranch_cdbgsys_or_user
            | Op::s_cbranch_cdbgsys_and_user => Flow::Next,
            Op::s_endpgm => Flow::End,
            Op::s_barrier => Flow::Barrier,
            Op::s_sleep => Flow::Yield,
            // Memory is touched in program order, so nothing is ever outstanding; what the fences that these belong to
            // promise to others is kept by the barrier of the host.
            Op::s_waitcnt | Op::s_icache_inv => {
                fence(Ordering::SeqCst);
                Flow::Next
            }
            Op::s_nop
            | Op::s_clause
            | Op::s_delay_alu
            | Op::s_waitcnt_depctr
            | Op::s_wait_idle
            | Op::s_set_inst_prefetch_distance
            | Op::s_setprio
            | Op::s_wakeup
            | Op::s_incperflevel
            | Op::s_decperflevel
            | Op::s_ttracedata
            | Op::s_ttracedata_imm => Flow::Next,
            // All that kernels send is "I need no more registers" and interrupts, which nobody waits for.
            Op::s_sendmsg => Flow::Next,
            Op::s_round_mode => {
                wave.set_mode(wave.mode & !0xf | u32::from(immediate) & 0xf)?;
                Flow::Next
            }
            Op::s_denorm_mode => {
                wave.set_mode(wave.mode & !0xf0 | (u32::from(immediate) & 0xf) << 4)?;
                Flow::Next
            }
            // Trap 2 is `llvm.trap`; 3 is `llvm.debugtrap`, which goes on without a debugger.
            Op::s_trap if immediate == 3 => Flow::Next,
            Op::s_trap => {
                return Err(Box::new(Fault::new(FaultKind::Trap, format!("s_trap {immediate}"))));
            }
            _ => return Err(unsupported(inst)),
        })
    }

    /// Adds to a fault where it happened.
    fn place(&self, group: &Group, unit: usize, mut fault: Box<Fault>) -> Box<Fault> {
        let wave = &group.waves[unit];
        fault.block.get_or_insert(group.index);
        fault.wavefront = Some(unit as u32);
        if fault.thread.is_none()
            && let Some(lane) = fault.lane.or((wave.exec() != 0).then(|| wave.first_lane() as u32))
        {
            let number = (unit * wave.lanes) as u64 + u64::from(lane);
            fault.thread = Some(self.prepared.extent(group.index).index(number));
            fault.lane = Some(lane);
        }
        if fault.stack.is_empty() {
            fault.stack.push(self.location(wave.pc));
        }
        fault
    }

    fn location(&self, pc: u64) -> Location {
        let image = &self.prepared.dispatch.image;
        let (function, offset) = match image.function_at(pc) {
            Some((function, offset)) => (function.name.clone(), offset),
            None => ("the code object".into(), pc.wrapping_sub(image.base)),
        };
        Location {
            function,
            position: Position::IsaOffset(offset),
            source: None,
        }
    }
}

/// The fault of an instruction that is decoded and not executed.
pub fn unsupported(inst: &Inst) -> Box<Fault> {
    illegal(format!("{} is not supported", inst.op.info().name))
}

/// Whether others can see what an instruction does.
fn touches_memory(inst: &Inst) -> bool {
    matches!(
        inst.form,
        Form::Flat | Form::Global | Form::Ds | Form::Smem | Form::Mubuf
    ) && inst.op.info().class != Class::buffer
}

impl Program for Runner<'_> {
    type Block = Group;

    fn start(&self, index: Dim3, spare: Option<Group>) -> Result<Group, Box<Fault>> {
        drop(spare);
        let waves = (0..self.units())
            .map(|number| self.prepared.wavefront(index, number))
            .collect();
        Ok(Group {
            index,
            waves,
            lds: vec![0; self.prepared.dispatch.group_size as usize],
            arrived: 0,
            passed: 0,
        })
    }

    fn units(&self) -> usize {
        self.prepared.wavefronts()
    }

    fn step(&self, group: &mut Group, unit: usize, slice: &mut Slice<'_>) -> Result<Step, Box<Fault>> {
        if group.waves[unit].ended {
            return Ok(Step::Finished);
        }
        if group.waves[unit].waits == Some(group.passed) {
            return Ok(Step::Blocked);
        }
        group.waves[unit].waits = None;
        for _ in 0..slice.budget {
            let Group { waves, lds, .. } = &mut *group;
            let wave = &mut waves[unit];
            let start = wave.pc;
            let done = self.prepared.code.at(start).and_then(|inst| {
                slice.stats.instructions += 1;
                slice.stats.lane_instructions += u64::from(wave.exec().count_ones());
                // Program counters that instructions see are those of the next.
                wave.pc = start.wrapping_add(u64::from(inst.size));
                Ok((self.execute(wave, lds, inst)?, inst))
            });
            let (flow, inst) = match done {
                Ok(done) => done,
                Err(fault) => {
                    wave.pc = start;
                    return Err(self.place(group, unit, fault));
                }
            };
            match flow {
                Flow::Next if slice.switch_at_every_access && touches_memory(inst) => return Ok(Step::Ran),
                Flow::Next => {}
                Flow::Jump(pc) => wave.pc = pc,
                Flow::Yield => return Ok(Step::Polled),
                Flow::Barrier => {
                    group.waves[unit].waits = Some(group.passed);
                    group.arrived += 1;
                    group.settle();
                    if group.waves[unit].waits == Some(group.passed) {
                        return Ok(Step::Blocked);
                    }
                    group.waves[unit].waits = None;
                    return Ok(Step::Ran);
                }
                Flow::End => {
                    wave.ended = true;
                    group.settle();
                    return Ok(Step::Finished);
                }
            }
            if slice.stopping() {
                return Ok(Step::Ran);
            }
        }
        Ok(Step::Ran)
    }

    fn deadlock(&self, group: &Group) -> Box<Fault> {
        self.prepared
            .deadlock(group.index, "all wavefronts wait at a barrier that cannot open".into())
    }

    fn whereabouts(&self, group: &Group) -> Option<String> {
        let wave = group.waves.iter().find(|wave| !wave.ended)?;
        Some(format!("block {} at {}", group.index, self.location(wave.pc)))
    }
}
