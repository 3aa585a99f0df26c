//! GPU targets: their processors, and the flags that each needs.

use std::fmt;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::toolchain::{Toolchain, Way};
use crate::{linker, reached};

/// A vendor's instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arch {
    /// PTX
    Nvptx,
    /// AMD's machine code
    Amdgcn,
}

impl Arch {
    /// rustc's name of the target.
    pub fn triple(self) -> &'static str {
        match self {
            Arch::Nvptx => "nvptx64-nvidia-cuda",
            Arch::Amdgcn => "amdgcn-amd-amdhsa",
        }
    }

    /// What is built for when no processor is named.
    pub fn default_cpu(self) -> &'static str {
        match self {
            Arch::Nvptx => "sm_70",
            Arch::Amdgcn => "gfx90a",
        }
    }

    /// The processors that a build for everything covers.
    pub fn all_cpus(self) -> &'static [&'static str] {
        match self {
            Arch::Nvptx => &["sm_70"],
            Arch::Amdgcn => &["gfx90a", "gfx942", "gfx1030", "gfx1100"],
        }
    }
}

/// Optimisation level of all device code, `core` included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum OptLevel {
    #[value(name = "0")]
    O0,
    #[value(name = "1")]
    O1,
    #[value(name = "2")]
    O2,
    #[value(name = "3")]
    O3,
    #[value(name = "s")]
    Size,
}

impl OptLevel {
    /// As cargo's profiles spell it.
    fn profile_value(self) -> &'static str {
        match self {
            OptLevel::O0 => "0",
            OptLevel::O1 => "1",
            OptLevel::O2 => "2",
            OptLevel::O3 => "3",
            OptLevel::Size => "\"s\"",
        }
    }
}

impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "O{}", self.profile_value().trim_matches('"'))
    }
}

/// Lanes of a wavefront, on those AMD processors that know two widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wave {
    #[value(name = "32")]
    W32,
    #[value(name = "64")]
    W64,
}

/// AMD's code object version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CodeObject {
    /// For all HSA runtimes of ROCm 5 and newer
    #[value(name = "5")]
    V5,
    /// For ROCm 6.3 and newer
    #[value(name = "6")]
    V6,
}

impl CodeObject {
    pub fn number(self) -> u32 {
        match self {
            CodeObject::V5 => 5,
            CodeObject::V6 => 6,
        }
    }
}

/// All that decides what a program is compiled to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    pub arch: Arch,
    pub cpu: String,
    pub level: OptLevel,
    pub wave: Option<Wave>,
    pub code_object: CodeObject,
    pub allow_undefined: bool,
    /// NVIDIA: threads of the largest block that the images are launched with.
    pub max_block_threads: u32,
}

impl Machine {
    /// A processor at full optimisation and with the defaults for the rest.
    pub fn new(arch: Arch, cpu: &str) -> Machine {
        Machine {
            arch,
            cpu: cpu.to_owned(),
            level: OptLevel::O3,
            wave: None,
            code_object: CodeObject::V5,
            allow_undefined: false,
            max_block_threads: linker::DEVICE_BLOCK_THREADS,
        }
    }

    /// Refuses processors that cannot work, before a compiler says so in its own words.
    pub fn check(&self) -> Result<()> {
        match self.arch {
            Arch::Nvptx => {
                let Some(generation) = sm_generation(&self.cpu) else {
                    bail!(
                        "\"{}\" is no NVIDIA processor: write sm_70, sm_90 or the like",
                        self.cpu
                    );
                };
                if generation < 70 {
                    bail!("{}: sm_70 is the oldest whose lanes can wait for each other", self.cpu);
                }
                if self.wave.is_some() {
                    bail!("--wave is for AMD: a warp of NVIDIA has 32 lanes");
                }
            }
            Arch::Amdgcn => {
                if !self.cpu.starts_with("gfx") {
                    bail!(
                        "\"{}\" is no AMD processor: write gfx90a, gfx1030 or the like",
                        self.cpu
                    );
                }
                if self.wave == Some(Wave::W32) && !self.has_two_widths() {
                    bail!("{} has wavefronts of 64 lanes only", self.cpu);
                }
            }
        }
        Ok(())
    }

    /// gfx10 and newer choose between 32 and 64 lanes, per kernel.
    fn has_two_widths(&self) -> bool {
        // Four digits: gfx1030. Three: gfx90a, gfx942.
        self.cpu.len() >= "gfx1030".len()
    }

    /// The directory below the GPU target directory that all builds for this machine share.
    pub fn folder(&self) -> String {
        format!("{}{}-{}", self.cpu, self.variant(), self.level)
    }

    /// What makes the machine differ from its processor's default; empty for the default.
    fn variant(&self) -> String {
        let mut text = String::new();
        if self.arch == Arch::Amdgcn {
            match self.wave {
                Some(Wave::W64) if self.has_two_widths() => text += "-wave64",
                _ => {}
            }
            if self.code_object == CodeObject::V6 {
                text += "-v6";
            }
        }
        text
    }

    /// The image's file name: `NAME.ptx`, `NAME.gfx90a.hsaco`, and between them whatever is not the
    /// default (`NAME.sm_90.O0.ptx`), so that all images of a program fit into one folder.
    pub fn image_name(&self, program: &str) -> String {
        let mut name = program.to_owned();
        if self.arch == Arch::Amdgcn || self.cpu != self.arch.default_cpu() {
            name += &format!(".{}{}", self.cpu, self.variant());
        }
        if self.level != OptLevel::O3 {
            name += &format!(".{}", self.level);
        }
        name + match self.arch {
            Arch::Nvptx => ".ptx",
            Arch::Amdgcn => ".hsaco",
        }
    }

    /// The profile of device code. It inherits `release`; a single module is what lets the
    /// linkers find kernels wherever they are, and what makes them fast.
    pub fn profile(&self) -> Vec<String> {
        vec![
            "profile.gpu.inherits=\"release\"".into(),
            "profile.gpu.lto=\"fat\"".into(),
            "profile.gpu.panic=\"abort\"".into(),
            "profile.gpu.codegen-units=1".into(),
            "profile.gpu.debug=0".into(),
            format!("profile.gpu.opt-level={}", self.level.profile_value()),
        ]
    }

    /// LLVM's target features, beyond those of the processor.
    pub fn features(&self) -> Vec<String> {
        match (self.arch, self.wave) {
            (Arch::Nvptx, _) => vec![ptx_feature(&self.cpu).to_owned()],
            (Arch::Amdgcn, Some(Wave::W64)) if self.has_two_widths() => {
                vec!["-wavefrontsize32".to_owned(), "+wavefrontsize64".to_owned()]
            }
            (Arch::Amdgcn, _) => Vec::new(),
        }
    }

    /// Whether rustc calls a linker of ours: [`linker`] for NVIDIA, [`reached`] where LLVM has dropped nothing.
    pub fn links_with_ours(&self) -> bool {
        self.arch == Arch::Nvptx || self.level == OptLevel::O0
    }

    /// Arguments of rustc.
    pub fn rustflags(&self, toolchain: &Toolchain) -> Vec<String> {
        let mut flags = vec![format!("-Ctarget-cpu={}", self.cpu)];
        flags.extend(linker::INLINING.map(|limit| format!("-Cllvm-args={limit}")));
        if self.level == OptLevel::O0 {
            // What LLVM does not do at this level, rustc still can: core asks a function whether to check its callers, and only who sees
            // its answer (no) drops the panics behind it. With them each image would make calls, and be a megabyte larger.
            flags.extend(["-Zinline-mir=yes".into(), "-Zmir-opt-level=2".into()]);
        }
        let features = self.features();
        match self.arch {
            Arch::Nvptx => {
                flags.push(format!("-Clinker={}", linker::NAME));
                flags.push(format!(
                    "-Clink-arg={}={}",
                    linker::MAX_BLOCK_THREADS,
                    self.max_block_threads
                ));
                if self.allow_undefined {
                    flags.push(format!("-Clink-arg={}", linker::ALLOW_UNDEFINED));
                }
            }
            Arch::Amdgcn => {
                // This pass copies calls into the branches that lead to them, which LLVM never does with those of lane operations:
                // lanes that run in lockstep would no longer meet in one ballot.
                flags.push("-Zmir-enable-passes=-JumpThreading".into());
                if self.level != OptLevel::O0 {
                    flags.push(format!("-Cllvm-args={}", linker::PARKED_SCALARS));
                }
                let version = self.code_object.number();
                flags.push(format!("-Cllvm-args=-amdhsa-code-object-version={version}"));
                flags.extend(self.amdgcn_linker_flags(toolchain.way));
            }
        }
        if !features.is_empty() {
            flags.push(format!("-Ctarget-feature={}", features.join(",")));
        }
        if let Some(sysroot) = &toolchain.sysroot {
            flags.push(format!("--sysroot={}", sysroot.display()));
        }
        flags
    }

    fn amdgcn_linker_flags(&self, way: Way) -> Vec<String> {
        // lld's default for shared objects is to leave undefined symbols alone, clang's is not.
        let undefined = if self.allow_undefined {
            "--unresolved-symbols=ignore-all"
        } else {
            "--no-undefined"
        };
        // rustc exports every symbol with a fixed name, and lld refuses a list with names that are gone: an image
        // that makes no calls has no client.
        let for_lld = ["--undefined-version", undefined];
        let mut flags: Vec<String> = match way {
            Way::Rustup => for_lld.map(|argument| format!("-Clink-arg={argument}")).into(),
            // Debian's rustc adds an argument that only a C compiler understands.
            Way::Debian => [
                "-Zunstable-options",
                "-Clinker=clang-22",
                "-Clinker-flavor=gnu-lld-cc",
                "-Clink-arg=-nostdlib",
                "-Clink-arg=--target=amdgcn-amd-amdhsa",
            ]
            .map(String::from)
            .into_iter()
            .chain(for_lld.map(|argument| format!("-Clink-arg=-Wl,{argument}")))
            .collect(),
        };
        if self.level == OptLevel::O0 {
            // Nothing has been dropped by then. Of two linkers the last counts.
            let real = match way {
                Way::Rustup => "rust-lld",
                Way::Debian => "clang-22",
            };
            flags.push(format!("-Clinker={}", linker::NAME));
            flags.push(format!("-Clink-arg={}{real}", reached::FLAG));
        }
        flags
    }
}

/// 70 for `sm_70`, 90 for `sm_90a`.
fn sm_generation(cpu: &str) -> Option<u32> {
    let digits = cpu.strip_prefix("sm_")?;
    digits.trim_end_matches(['a', 'f']).parse().ok()
}

/// The PTX version to write. `activemask` needs 6.2, where sm_70 alone means 6.0; 7.8 (CUDA 11.8)
/// is the oldest that has everything used here. Newer processors start at newer versions.
fn ptx_feature(cpu: &str) -> &'static str {
    match sm_generation(cpu) {
        Some(103 | 121) => "+ptx88",
        Some(120..) => "+ptx87",
        Some(100..) => "+ptx86",
        Some(90..) => "+ptx80",
        _ => "+ptx78",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_one_program_have_different_names() {
        let mut machine = Machine::new(Arch::Nvptx, "sm_70");
        assert_eq!(machine.image_name("hello"), "hello.ptx");
        machine.cpu = "sm_90".into();
        machine.level = OptLevel::O0;
        assert_eq!(machine.image_name("hello"), "hello.sm_90.O0.ptx");
        let mut machine = Machine::new(Arch::Amdgcn, "gfx1030");
        assert_eq!(machine.image_name("hello"), "hello.gfx1030.hsaco");
        machine.wave = Some(Wave::W64);
        machine.level = OptLevel::Size;
        machine.code_object = CodeObject::V6;
        assert_eq!(machine.image_name("hello"), "hello.gfx1030-wave64-v6.Os.hsaco");
    }

    #[test]
    fn ptx_version_follows_the_processor() {
        assert_eq!(ptx_feature("sm_70"), "+ptx78");
        assert_eq!(ptx_feature("sm_90a"), "+ptx80");
        assert_eq!(ptx_feature("sm_100"), "+ptx86");
    }

    #[test]
    fn rustc_is_told_of_our_linker_where_there_is_one() {
        let toolchain = |way| Toolchain {
            way,
            name: String::new(),
            rustc: "rustc".into(),
            sysroot: None,
            llvm_bin: "bin".into(),
            libraries: Vec::new(),
        };
        let ours = format!("-Clinker={}", linker::NAME);
        for arch in [Arch::Nvptx, Arch::Amdgcn] {
            for &level in OptLevel::value_variants() {
                let machine = Machine {
                    level,
                    ..Machine::new(arch, arch.default_cpu())
                };
                for way in [Way::Rustup, Way::Debian] {
                    let told = machine.rustflags(&toolchain(way)).contains(&ours);
                    assert_eq!(told, machine.links_with_ours(), "{machine:?}");
                }
            }
        }
    }

    #[test]
    fn impossible_machines_are_refused() {
        assert!(Machine::new(Arch::Nvptx, "sm_60").check().is_err());
        assert!(Machine::new(Arch::Nvptx, "gfx90a").check().is_err());
        assert!(Machine::new(Arch::Amdgcn, "sm_70").check().is_err());
        let narrow = Machine {
            wave: Some(Wave::W32),
            ..Machine::new(Arch::Amdgcn, "gfx90a")
        };
        assert!(narrow.check().is_err());
    }
}
