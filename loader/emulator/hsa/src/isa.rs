//! Instruction sets: their names, and whether a code object fits one.

use std::ffi::{c_char, c_void};
use std::fmt;

use emulator::amdgcn::target::Target;
use hsa_sys::*;

use crate::border::{Answer, Out, Text, entries, go_on};
use crate::chip::{self, chip};
use crate::runtime::runtime;
use crate::status::{Result, Status};

/// Whether a target feature is on, off, or does not matter to a code object; `None` where the
/// processor does not have it.
type Feature = Option<bool>;

/// An instruction set as an agent has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    /// The processor.
    pub target: Target,
    /// Errors of on-chip memory are corrected.
    pub sramecc: Feature,
    /// Page faults are retried.
    pub xnack: Feature,
}

const PREFIX: &str = "amdgcn-amd-amdhsa--";
const HANDLE: u64 = 0xe15a << 48;

impl Isa {
    /// The instruction set of a GPU.
    pub fn new(target: Target, xnack: bool) -> Isa {
        let has = chip(target).has_features;
        Isa {
            target,
            sramecc: has.then_some(true),
            xnack: has.then_some(xnack),
        }
    }

    /// Its handle.
    pub fn handle(self) -> hsa_isa_t {
        let feature = |feature: Feature| feature.map_or(0, |on| 1 + u64::from(on));
        let target = Target::ALL.iter().position(|target| *target == self.target);
        let number = target.unwrap_or(0) as u64 | feature(self.sramecc) << 8 | feature(self.xnack) << 12;
        hsa_isa_t {
            handle: HANDLE | number,
        }
    }

    /// The instruction set that has a handle.
    pub fn from_handle(isa: hsa_isa_t) -> Result<Isa> {
        let feature = |shift: u64| match isa.handle >> shift & 0xf {
            0 => None,
            on => Some(on == 2),
        };
        let target = *Target::ALL.get(isa.handle as usize & 0xff).ok_or(Status::ISA)?;
        let found = Isa {
            target,
            sramecc: feature(8),
            xnack: feature(12),
        };
        if found.handle().handle == isa.handle {
            Ok(found)
        } else {
            Err(Status::ISA)
        }
    }

    /// The instruction set of a name such as `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`.
    fn from_name(name: &str) -> Option<Isa> {
        let mut parts = name.strip_prefix(PREFIX)?.split(':');
        let target = Target::from_name(parts.next()?)?;
        let mut isa = Isa {
            target,
            sramecc: None,
            xnack: None,
        };
        for part in parts.filter(|_| chip(target).has_features) {
            match part {
                "sramecc+" | "sramecc-" => isa.sramecc = Some(part.ends_with('+')),
                "xnack+" | "xnack-" => isa.xnack = Some(part.ends_with('+')),
                _ => return None,
            }
        }
        Some(isa)
    }

    /// Whether code for `self` runs on an agent with `agent`.
    pub fn runs_on(self, agent: Isa) -> bool {
        let fits = |code: Feature, agent: Feature| code.is_none() || code == agent;
        self.target == agent.target && fits(self.sramecc, agent.sramecc) && fits(self.xnack, agent.xnack)
    }

    /// The sizes of wavefronts that it has, the default one first.
    fn waves(self) -> Vec<u32> {
        use emulator::amdgcn::target::Wave;
        let default = self.target.default_wave();
        let other = if default == Wave::W64 { Wave::W32 } else { Wave::W64 };
        [Some(default), self.target.supports(other).then_some(other)]
            .into_iter()
            .flatten()
            .map(Wave::lanes)
            .collect()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |on| if on { '+' } else { '-' };
        write!(f, "{PREFIX}{}", self.target)?;
        if let Some(on) = self.sramecc {
            write!(f, ":sramecc{}", sign(on))?;
        }
        if let Some(on) = self.xnack {
            write!(f, ":xnack{}", sign(on))?;
        }
        Ok(())
    }
}

/// Answers `hsa_isa_get_info` and its successor.
fn info(isa: Isa, attribute: hsa_isa_info_t, answer: Answer) -> Result {
    match attribute {
        HSA_ISA_INFO_NAME_LENGTH => answer.set(isa.to_string().len() as u32 + 1),
        HSA_ISA_INFO_NAME => answer.set_terminated(&isa.to_string()),
        HSA_ISA_INFO_CALL_CONVENTION_COUNT => answer.set(1u32),
        HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE => answer.set(isa.target.default_wave().lanes()),
        HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT => answer.set(chip(isa.target).waves),
        HSA_ISA_INFO_MACHINE_MODELS => answer.set([false, true]),
        HSA_ISA_INFO_PROFILES => answer.set([true, false]),
        HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES => answer.set([false, false, true]),
        HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES => answer.set([false, false, true]),
        HSA_ISA_INFO_FAST_F16_OPERATION => answer.set(true),
        HSA_ISA_INFO_WORKGROUP_MAX_DIM => answer.set([chip::WORKGROUP_MAX as u16; 3]),
        HSA_ISA_INFO_WORKGROUP_MAX_SIZE => answer.set(chip::WORKGROUP_MAX),
        HSA_ISA_INFO_GRID_MAX_DIM => answer.set(hsa_dim3_t {
            x: chip::GRID_MAX,
            y: chip::GRID_MAX,
            z: chip::GRID_MAX,
        }),
        HSA_ISA_INFO_GRID_MAX_SIZE => answer.set(u64::MAX),
        HSA_ISA_INFO_FBARRIER_MAX_SIZE => answer.set(0u32),
        _ => Err(Status::ARGUMENT),
    }
}

const WAVEFRONT: u64 = 0xe3a7 << 48;

entries! {
    /// Finds an instruction set by its name.
    fn hsa_isa_from_name(name: *const c_char, isa: *mut hsa_isa_t) {
        runtime()?;
        let found = Isa::from_name(Text(name).get()?).ok_or(Status::ISA_NAME)?;
        Out(isa).set(found.handle())
    }

    /// Calls back with each instruction set of an agent; a CPU has none that this runtime could load.
    fn hsa_agent_iterate_isas(
        agent: hsa_agent_t,
        callback: Option<unsafe extern "C" fn(isa: hsa_isa_t, data: *mut c_void) -> hsa_status_t>,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let agent = runtime.agent(agent)?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        match agent.gpu() {
            // SAFETY: the caller's callback, called as the interface says.
            Some(gpu) => go_on(unsafe { callback(gpu.isa.handle(), data) }),
            None => Ok(()),
        }
    }

    /// Answers a question about an instruction set (deprecated form, by calling convention).
    fn hsa_isa_get_info(
        isa: hsa_isa_t,
        attribute: hsa_isa_info_t,
        index: u32,
        value: *mut c_void,
    ) {
        runtime()?;
        let isa = Isa::from_handle(isa)?;
        if index > 0 {
            return Err(Status::INDEX);
        }
        info(isa, attribute, Answer(value))
    }

    /// Answers a question about an instruction set.
    fn hsa_isa_get_info_alt(isa: hsa_isa_t, attribute: hsa_isa_info_t, value: *mut c_void) {
        runtime()?;
        info(Isa::from_handle(isa)?, attribute, Answer(value))
    }

    /// Says how exceptions are handled: they are recorded, not raised.
    fn hsa_isa_get_exception_policies(isa: hsa_isa_t, _profile: hsa_profile_t, mask: *mut u16) {
        runtime()?;
        Isa::from_handle(isa)?;
        Out(mask).set(0)
    }

    /// Says how floating point operations round.
    fn hsa_isa_get_round_method(
        isa: hsa_isa_t,
        _fp_type: hsa_fp_type_t,
        _flush_mode: hsa_flush_mode_t,
        round_method: *mut hsa_round_method_t,
    ) {
        runtime()?;
        Isa::from_handle(isa)?;
        Out(round_method).set(HSA_ROUND_METHOD_SINGLE)
    }

    /// Answers a question about a kind of wavefront.
    fn hsa_wavefront_get_info(
        wavefront: hsa_wavefront_t,
        attribute: hsa_wavefront_info_t,
        value: *mut c_void,
    ) {
        runtime()?;
        let size = wavefront.handle ^ WAVEFRONT;
        if size != 32 && size != 64 {
            return Err(Status::WAVEFRONT);
        }
        match attribute {
            HSA_WAVEFRONT_INFO_SIZE => Answer(value).set(size as u32),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Calls back with each kind of wavefront that an instruction set has.
    fn hsa_isa_iterate_wavefronts(
        isa: hsa_isa_t,
        callback: Option<
            unsafe extern "C" fn(wavefront: hsa_wavefront_t, data: *mut c_void) -> hsa_status_t,
        >,
        data: *mut c_void,
    ) {
        runtime()?;
        let isa = Isa::from_handle(isa)?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        isa.waves().into_iter().try_for_each(|size| {
            let wavefront = hsa_wavefront_t { handle: WAVEFRONT | u64::from(size) };
            // SAFETY: the caller's callback, called as the interface says.
            go_on(unsafe { callback(wavefront, data) })
        })
    }

    /// Says whether code for one instruction set runs on an agent with the other.
    fn hsa_isa_compatible(code_object_isa: hsa_isa_t, agent_isa: hsa_isa_t, result: *mut bool) {
        runtime()?;
        let code = Isa::from_handle(code_object_isa)?;
        Out(result).set(code.runs_on(Isa::from_handle(agent_isa)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_handles_lead_back() {
        for target in Target::ALL {
            for xnack in [false, true] {
                let isa = Isa::new(target, xnack);
                assert_eq!(Isa::from_handle(isa.handle()), Ok(isa));
                assert_eq!(Isa::from_name(&isa.to_string()), Some(isa));
            }
        }
        let mi210 = Isa::new(Target::Gfx90a, false);
        assert_eq!(mi210.to_string(), "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
        assert_eq!(
            Isa::new(Target::Gfx1030, true).to_string(),
            "amdgcn-amd-amdhsa--gfx1030"
        );
        assert_eq!(Isa::from_handle(hsa_isa_t { handle: 12 }), Err(Status::ISA));
    }

    #[test]
    fn code_that_does_not_care_runs_on_either() {
        let agent = Isa::new(Target::Gfx90a, false);
        let code = |name: &str| Isa::from_name(&format!("{PREFIX}{name}")).unwrap();
        assert!(code("gfx90a").runs_on(agent));
        assert!(code("gfx90a:xnack-").runs_on(agent));
        assert!(!code("gfx90a:xnack+").runs_on(agent));
        assert!(!code("gfx942").runs_on(agent));
    }
}
