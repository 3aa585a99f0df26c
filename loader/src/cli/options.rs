//! The command line of `gpu-loader`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{CommandFactory, Parser};
use host_server::Grants;

use crate::device::LaunchShape;
use crate::error::{Error, Result};
use crate::runtime::Backend;

const EXIT_CODES: &str = "\
Exit codes:
  0 to 255  what the program returned (main's results of all threads, OR-ed) or passed to exit;
            a value that is not 0 but whose low byte is becomes 1
  101       the program panicked
  124       stopped by --timeout
  125       the loader failed: options, driver, memory, launch
  126       the image cannot run here, asks for a service that this loader does not know, or ended
            in the middle of a call
  130       stopped by Ctrl-C (143 by SIGTERM)
  134       the program aborted, trapped or accessed memory that is not its own

Everything after IMAGE goes to the program. Options may be written with one dash or two, values
with a space or an equals sign. Sizes take the suffixes K, M and G.

Environment: CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES and their like choose devices as usual;
GPU_EMULATOR_DIR says where the emulator is. The program finds its device in GPU_DEVICE; with
--devices or under a launcher such as mpirun or srun also GPU_RANK and GPU_WORLD_SIZE.";

const GRANTS: &str = "What the program may reach";

/// Runs a program on a GPU: loads IMAGE, answers its calls, and returns its exit code.
#[derive(Debug, Parser)]
#[command(name = "gpu-loader", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Options {
    /// Which driver runs the image: auto takes that of the image's vendor, and the emulator where
    /// there is no device.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Backend::Auto)]
    pub backend: Backend,

    /// Number of the device, as --list-devices shows it [default: 0; under an MPI or Slurm launcher, that of
    /// the local rank].
    #[arg(long, value_name = "N")]
    pub device: Option<usize>,

    /// Run the program on each of these devices at the same time; the exit codes are OR-ed.
    #[arg(long, value_name = "all|N,N...", value_parser = devices, conflicts_with = "device")]
    pub devices: Option<Devices>,

    /// Begin each line of output with the number of its device, or of its rank, in square brackets.
    #[arg(long)]
    pub tag_output: bool,

    /// Print the devices (with --backend emulator those that it plays) and exit.
    #[arg(long)]
    pub list_devices: bool,

    /// Threads per block.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dimensions, default_value = "1")]
    pub threads: [u32; 3],

    /// Blocks.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dimensions, default_value = "1")]
    pub blocks: [u32; 3],

    /// Block-shared memory that each block gets at launch, bytes.
    #[arg(long, value_name = "BYTES", value_parser = size, default_value = "0")]
    pub shared_mem: u64,

    /// Stack of each thread, bytes.
    #[arg(long, value_name = "BYTES", value_parser = size, default_value = "8K")]
    pub stack_size: u64,

    /// Device memory for malloc, bytes: so much and no more [default: 64M, and more when that is used up].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub heap_size: Option<u64>,

    /// Calls that can be under way at once, 1 to 4096 [default: one for each warp of the launch,
    /// at least 64].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub ports: Option<u32>,

    /// Warps that can make a fast call at the same time without waiting for each other; 0 turns these calls off
    /// [default: one for each warp of the launch, at most 16384].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    pub express_slots: Option<u32>,

    /// Host threads that answer calls.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), default_value_t = 1)]
    pub server_threads: u16,

    /// Stop the program after this time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Run this kernel alone, without startup code and without arguments.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Let the program reach the files in a directory, under the same path or under GUEST.
    #[arg(long, value_name = "HOST[::GUEST]", help_heading = GRANTS)]
    pub dir: Vec<String>,

    /// Let the program run commands of the host, in the program's environment.
    #[arg(long, help_heading = GRANTS)]
    pub allow_run: bool,

    /// Let the program call host functions by address, which is to trust it as yourself.
    #[arg(long, help_heading = GRANTS)]
    pub allow_host_call: bool,

    /// Let the program do all that you may: --dir / --allow-run --allow-host-call.
    #[arg(long, help_heading = GRANTS)]
    pub allow_all: bool,

    /// Set a variable of the program's environment, or pass on one of this process.
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = OsStringValueParser::new().try_map(variable))]
    pub env: Vec<OsString>,

    /// Give the program only the variables of --env.
    #[arg(long)]
    pub no_inherit_env: bool,

    /// Number that decides the emulator's schedule, so that it can be repeated.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Print registers, memory and stack of each kernel to stderr.
    #[arg(long)]
    pub print_resource_usage: bool,

    /// Say on stderr what is being done, and of a fault in the emulator, whence it was called.
    #[arg(short, long)]
    pub verbose: bool,

    /// The image: PTX, cubin, amdgcn ELF, LLVM offload binary or CUDA fatbin.
    #[arg(required_unless_present = "list_devices")]
    pub image: Option<PathBuf>,

    /// What the program finds as its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,

    #[command(flatten)]
    pub llvm: LlvmOptions,
}

/// The devices of a run on several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Devices {
    /// As many as there are.
    All,
    /// These, each once.
    These(Vec<usize>),
}

/// The spellings of llvm-gpu-loader.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "As llvm-gpu-loader spells them")]
pub(crate) struct LlvmOptions {
    /// Threads per block in x.
    #[arg(long, value_name = "N")]
    threads_x: Option<u32>,
    /// Threads per block in y.
    #[arg(long, value_name = "N")]
    threads_y: Option<u32>,
    /// Threads per block in z.
    #[arg(long, value_name = "N")]
    threads_z: Option<u32>,
    /// Blocks in x.
    #[arg(long, value_name = "N")]
    blocks_x: Option<u32>,
    /// Blocks in y.
    #[arg(long, value_name = "N")]
    blocks_y: Option<u32>,
    /// Blocks in z.
    #[arg(long, value_name = "N")]
    blocks_z: Option<u32>,
    /// Let only one process at a time use the GPU: wait for the others.
    #[arg(long)]
    pub no_parallelism: bool,
}

impl Options {
    /// Reads the command line; ends the process where that is the answer (`--help`, mistakes).
    pub fn from_command_line(args: impl IntoIterator<Item = OsString>) -> Options {
        Options::try_from_command_line(args).unwrap_or_else(|error| {
            let _ = error.print();
            std::process::exit(match error.use_stderr() {
                true => i32::from(crate::exit::LOADER_FAILED),
                false => 0,
            })
        })
    }

    fn try_from_command_line(args: impl IntoIterator<Item = OsString>) -> std::result::Result<Options, clap::Error> {
        Options::try_parse_from(with_two_dashes(args))
    }

    /// What the grid options say together.
    pub fn shape(&self) -> LaunchShape {
        let llvm = &self.llvm;
        let merge = |plain: [u32; 3], parts: [Option<u32>; 3]| [0, 1, 2].map(|axis| parts[axis].unwrap_or(plain[axis]));
        LaunchShape {
            block: merge(self.threads, [llvm.threads_x, llvm.threads_y, llvm.threads_z]),
            grid: merge(self.blocks, [llvm.blocks_x, llvm.blocks_y, llvm.blocks_z]),
            shared_bytes: usize::try_from(self.shared_mem).unwrap_or(usize::MAX),
        }
    }

    /// What the program may reach.
    pub fn grants(&self) -> Result<Grants> {
        let mut grants = Grants::none();
        let everything = self.allow_all.then(|| "/".to_string());
        for directory in self.dir.iter().chain(&everything) {
            grants
                .directory_option(directory)
                .map_err(|error| Error::Host(format!("--dir {directory}: {error}; give a directory that exists")))?;
        }
        if self.allow_run || self.allow_all {
            grants.run();
        }
        if self.allow_host_call || self.allow_all {
            grants.host_call();
        }
        Ok(grants)
    }

    /// The program's environment, `NAME=VALUE` each; later ones replace earlier ones.
    pub fn environment(&self) -> Vec<OsString> {
        let pair = |name: &OsStr, value: &OsStr| {
            let mut pair = name.to_os_string();
            pair.push("=");
            pair.push(value);
            pair
        };
        let name_of = |pair: &OsStr| pair.as_encoded_bytes().split(|&b| b == b'=').next().map(<[u8]>::to_vec);
        let mut environment: Vec<OsString> = match self.no_inherit_env {
            true => Vec::new(),
            false => std::env::vars_os().map(|(name, value)| pair(&name, &value)).collect(),
        };
        for given in &self.env {
            let set = match given.as_encoded_bytes().contains(&b'=') {
                true => Some(given.clone()),
                false => std::env::var_os(given).map(|value| pair(given, &value)),
            };
            environment.retain(|present| name_of(present) != name_of(given));
            environment.extend(set);
        }
        environment
    }
}

/// A variable with or without its value.
fn variable(given: OsString) -> std::result::Result<OsString, String> {
    match given.as_encoded_bytes() {
        [] | [b'=', ..] => Err("a variable has a name: NAME or NAME=VALUE".into()),
        _ => Ok(given),
    }
}

/// Gives the options before IMAGE two dashes, as LLVM's tools take one or two. Nothing from IMAGE
/// on is touched.
fn with_two_dashes(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let command = Options::command();
    let mut args = args.into_iter();
    let mut result: Vec<OsString> = args.next().into_iter().collect();
    while let Some(arg) = args.next() {
        let known = arg.to_str().and_then(|text| {
            let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
            let (name, value) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (name, None),
            };
            let option = command.get_arguments().find(|option| option.get_long() == Some(name))?;
            let wants_more = value.is_none() && option.get_action().takes_values();
            Some((
                OsString::from(format!("--{}", text.trim_start_matches('-'))),
                wants_more,
            ))
        });
        match known {
            Some((option, wants_more)) => {
                result.push(option);
                if wants_more {
                    result.extend(args.next());
                }
            }
            None => {
                let is_option = arg.as_encoded_bytes().starts_with(b"-") && arg != "--";
                result.push(arg);
                if !is_option {
                    result.extend(args.by_ref());
                }
            }
        }
    }
    result
}

fn devices(text: &str) -> std::result::Result<Devices, String> {
    if text == "all" {
        return Ok(Devices::All);
    }
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let number = part
            .trim()
            .parse()
            .map_err(|_| format!("'{part}' is not a device; give numbers such as 0,1 or all"))?;
        if numbers.contains(&number) {
            return Err(format!("device {number} is named twice"));
        }
        numbers.push(number);
    }
    Ok(Devices::These(numbers))
}

fn dimensions(text: &str) -> std::result::Result<[u32; 3], String> {
    let mut result = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three dimensions: X,Y,Z".into());
    }
    for (slot, part) in result.iter_mut().zip(parts) {
        *slot = part.trim().parse().map_err(|_| format!("'{part}' is not a number"))?;
        if *slot == 0 {
            return Err("each dimension is at least 1".into());
        }
    }
    Ok(result)
}

fn size(text: &str) -> std::result::Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "a size is a number of bytes, with K, M or G behind it if you like".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "is too large".into())
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let number: f64 = text
        .strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .map_err(|_| "a time is a number of seconds, such as 5 or 0.5".to_string())?;
    Duration::try_from_secs_f64(number).map_err(|_| "a time is not negative and ends some day".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> std::result::Result<Options, clap::Error> {
        let words = std::iter::once("gpu-loader").chain(line.split_whitespace());
        Options::try_from_command_line(words.map(OsString::from))
    }

    #[test]
    fn the_definition_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn grids_in_all_spellings() {
        for line in [
            "--threads 4,2 --blocks 3,1,5 image",
            "--threads=4,2 --blocks=3,1,5 image",
            "-threads 4,2 -blocks=3,1,5 image",
            "--threads-x 4 --threads-y 2 --blocks-x 3 --blocks-z 5 image",
            "-threads-x 4 -threads-y=2 -blocks-x=3 -blocks-z 5 image",
            "--threads 4 --threads-y 2 --blocks 3 -blocks-z 5 image",
        ] {
            let shape = parse(line).unwrap().shape();
            assert_eq!((shape.block, shape.grid), ([4, 2, 1], [3, 1, 5]), "{line}");
        }
        assert_eq!(parse("image").unwrap().shape(), LaunchShape::SINGLE);
    }

    #[test]
    fn all_behind_the_image_is_the_programs() {
        let options = parse("-v image -threads-x 4 --help -- -v --backend=cuda").unwrap();
        assert!(options.verbose);
        assert_eq!(options.image.as_deref().unwrap(), "image");
        let expected = ["-threads-x", "4", "--help", "--", "-v", "--backend=cuda"];
        assert_eq!(options.args, expected);
        assert_eq!(options.shape(), LaunchShape::SINGLE);
    }

    #[test]
    fn an_image_whose_name_begins_with_a_dash() {
        let options = parse("--threads 2 -- -image -v").unwrap();
        assert_eq!(options.image.as_deref().unwrap(), "-image");
        assert_eq!(options.args, ["-v"]);
    }

    #[test]
    fn values_are_checked() {
        for line in [
            "--threads 0 image",
            "--threads 1,2,3,4 image",
            "--blocks x image",
            "--ports 0 image",
            "--ports 4097 image",
            "--server-threads 0 image",
            "--stack-size 8T image",
            "--heap-size 99999999999G image",
            "--timeout -1 image",
            "--timeout inf image",
            "--timeout 1e20 image",
            "--backend rocm image",
            "--devices one image",
            "--devices 0,1,0 image",
            "--devices= image",
            "--devices all --device 1 image",
            "--unknown image",
            "",
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.use_stderr(), "{line}");
        }
        let options = parse("--stack-size 64K --heap-size 1g --timeout 0.5s -backend=hsa image").unwrap();
        assert_eq!((options.stack_size, options.heap_size), (64 << 10, Some(1 << 30)));
        assert_eq!(options.timeout, Some(Duration::from_millis(500)));
        // Longer than any clock counts, which is no mistake.
        let forever = parse("--timeout 1e19 image").unwrap().timeout;
        assert_eq!(forever, Some(Duration::from_secs(10_000_000_000_000_000_000)));
        assert_eq!(options.backend, Backend::Hsa);
        assert_eq!((options.device, options.devices), (None, None));
        let devices = |line: &str| parse(line).unwrap().devices;
        assert_eq!(devices("-devices all image"), Some(Devices::All));
        assert_eq!(devices("--devices 3,0 image"), Some(Devices::These(vec![3, 0])));
    }

    #[test]
    fn environment() {
        let options =
            parse("--no-inherit-env --env A=1 --env B=x=y --env A=2 --env PATH --env NOT_SET_AT_ALL image").unwrap();
        let mut expected: Vec<OsString> = vec!["B=x=y".into(), "A=2".into()];
        expected.push(format!("PATH={}", std::env::var("PATH").unwrap()).into());
        assert_eq!(options.environment(), expected);
        let inherited = parse("--env PATH=here image").unwrap().environment();
        let paths: Vec<_> = inherited
            .iter()
            .filter(|pair| pair.as_encoded_bytes().starts_with(b"PATH="))
            .collect();
        assert_eq!(paths, ["PATH=here"]);
        assert!(parse("--env =x image").is_err() && parse("--env = image").is_err());
    }

    #[test]
    fn grants() {
        let grants = |line: &str| parse(line).unwrap().grants();
        let none = grants("image").unwrap();
        assert!(!none.may_run() && !none.may_call_host() && none.place(b"/etc/passwd").is_none());
        let some = grants("--dir /tmp::/data --dir=/etc --allow-run image").unwrap();
        assert!(some.may_run() && !some.may_call_host());
        assert!(some.place(b"/data/x").is_some() && some.place(b"/etc/x").is_some() && some.place(b"/x").is_none());
        let all = grants("-allow-all image").unwrap();
        assert!(all.may_run() && all.may_call_host() && all.place(b"/any/where").is_some());
        let error = grants("--dir /no/such image").err().unwrap();
        assert!(error.to_string().contains("--dir /no/such"), "{error}");
    }

    #[test]
    fn help_lists_the_exit_codes() {
        let help = Options::command().render_long_help().to_string();
        for code in ["101", "124", "125", "126", "130", "134"] {
            assert!(help.contains(&format!("\n  {code} ")), "{code} is missing");
        }
        assert!(!parse("--help").unwrap_err().use_stderr());
    }
}
