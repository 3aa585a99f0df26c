//! Where the server's threads spend their time: a sampler for the rows of one run.
//!
//! Every half a millisecond each thread of the server gets a signal, whose handler notes where the thread was. A thread that
//! waits is seen waiting. The samples disturb what is measured a little, so that figures are taken without.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io, mem, ptr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use object::{Object as _, ObjectSymbol as _, SymbolKind};

/// Samples of one row.
const MOST: usize = 1 << 16;

static SAMPLES: [AtomicU64; MOST] = [const { AtomicU64::new(0) }; MOST];
static NEXT: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes the context of the thread that it interrupted.
    let at = unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] };
    if let Some(sample) = SAMPLES.get(NEXT.fetch_add(1, Relaxed)) {
        sample.store(at as u64, Relaxed);
    }
}

/// A profile under way.
pub struct Profile {
    stop: Arc<AtomicBool>,
    sampler: JoinHandle<()>,
}

impl Profile {
    pub fn start() -> Self {
        // SAFETY: an action with a handler that only touches atomics.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = note as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            libc::sigaction(libc::SIGPROF, &action, ptr::null_mut());
        }
        NEXT.store(0, Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        let sampler = thread::spawn({
            let stop = stop.clone();
            move || {
                while !stop.load(Relaxed) {
                    let threads = server_threads();
                    for _ in 0..20 {
                        for &thread in &threads {
                            // SAFETY: a signal that has a handler, to a thread of this process or to none.
                            unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, libc::SIGPROF) };
                        }
                        thread::sleep(Duration::from_micros(500));
                    }
                }
            }
        });
        Self { stop, sampler }
    }

    /// A paragraph: the row's name, then functions with their part of all samples, most first, and the places in each where most were
    /// taken. `c++filt` makes the names readable.
    pub fn finish(self, row: &str) -> String {
        self.stop.store(true, Relaxed);
        let _ = self.sampler.join();
        let samples = NEXT.load(Relaxed).min(MOST);
        let places = Places::of_this_process();
        let mut functions = BTreeMap::<&str, BTreeMap<u64, usize>>::new();
        for sample in &SAMPLES[..samples] {
            let (function, place) = places.of(sample.load(Relaxed));
            *functions.entry(function).or_default().entry(place).or_default() += 1;
        }
        let mut text = format!("{row}: {samples} samples\n");
        let part = |count: usize| 100.0 * count as f64 / samples as f64;
        for (function, hot) in by_count(functions, |hot| hot.values().sum()).take(12) {
            let _ = write!(text, "{:6.1} %  {function}", part(hot.values().sum()));
            for (place, count) in by_count(hot, |&count| count).take(3).filter(|&(place, _)| place != 0) {
                let _ = write!(text, "  {place:#x} {:.1} %", part(count));
            }
            text.push('\n');
        }
        text
    }
}

/// The entries of a map, the largest first.
fn by_count<K, V>(map: BTreeMap<K, V>, count: impl Fn(&V) -> usize) -> impl Iterator<Item = (K, V)> {
    let mut entries: Vec<_> = map.into_iter().collect();
    entries.sort_by_key(|(_, value)| std::cmp::Reverse(count(value)));
    entries.into_iter()
}

/// The threads of this process that serve or move bytes.
fn server_threads() -> Vec<libc::pid_t> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let serves = |task: &io::Result<fs::DirEntry>| {
        let name = task.as_ref().map(|task| fs::read_to_string(task.path().join("comm")));
        name.is_ok_and(|name| name.is_ok_and(|name| name.starts_with("rpc-")))
    };
    let number = |task: io::Result<fs::DirEntry>| task.ok()?.file_name().to_str()?.parse().ok();
    tasks.filter(serves).filter_map(number).collect()
}

/// What lies where in this process.
struct Places {
    /// Start, end, offset in the file, file.
    mappings: Vec<(u64, u64, u64, String)>,
    /// Functions of this program, by their address in its file.
    functions: BTreeMap<u64, String>,
    program: String,
}

impl Places {
    fn of_this_process() -> Self {
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let mapping = |line: &str| {
            let mut words = line.split_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            let offset = words.nth(1)?;
            let number = |text| u64::from_str_radix(text, 16).ok();
            let file = words.nth(2).unwrap_or("?").to_owned();
            Some((number(start)?, number(end)?, number(offset)?, file))
        };
        let program = fs::read_link("/proc/self/exe").unwrap_or_default();
        let bytes = fs::read(&program).unwrap_or_default();
        let mut functions = BTreeMap::new();
        if let Ok(file) = object::File::parse(&*bytes) {
            let texts = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
            functions.extend(texts.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned()))));
        }
        Self {
            mappings: maps.lines().filter_map(mapping).collect(),
            functions,
            program: program.to_string_lossy().into_owned(),
        }
    }

    /// The function or library that an address lies in, and for a function of this program where in its file, in pieces of 16 bytes:
    /// what was inlined into one function can be told apart.
    fn of(&self, at: u64) -> (&str, u64) {
        let mapping = self
            .mappings
            .iter()
            .find(|(start, end, ..)| (*start..*end).contains(&at));
        let Some((start, _, offset, file)) = mapping else {
            return ("?", 0);
        };
        if *file != self.program {
            return (file.rsplit('/').next().unwrap_or(file), 0);
        }
        // The first mapping is that of the file's start, where addresses count from.
        let first = self.mappings.iter().find(|(.., file)| *file == self.program);
        let address = at - first.map_or(start - offset, |first| first.0);
        match self.functions.range(..=address).next_back() {
            Some((_, name)) => (name, address & !15),
            None => ("?", address & !15),
        }
    }
}
