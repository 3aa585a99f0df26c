//! What a program may reach beyond its standard streams, arguments and environment: nothing, until it is granted.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::Host;
use crate::place::{End, Place};

/// The grants of one program.
///
/// A directory is granted as a capability: neither `..` nor a symbolic link leads out of it. A hard link is the file itself, wherever
/// else that has a name; no call makes one. Out of the root nothing leads: there, links lead where they do for everybody. Inside, a
/// program has the rights of the user who runs it. Paths of the program are absolute, or relative to the directory in which the host
/// was started; where several grants hold a path, the one that names most of it counts, and of two that name as much the later one.
#[derive(Default)]
pub struct Grants {
    directories: Vec<Directory>,
    /// What relative paths start from.
    working: PathBuf,
    run: bool,
    /// What commands find as their environment, where that is not this process's.
    environment: Option<Vec<(OsString, OsString)>>,
    host_call: bool,
    refused: [AtomicBool; 3],
}

struct Directory {
    /// The absolute path by which the program knows it.
    guest: PathBuf,
    dir: Dir,
    /// It is the root of the file system.
    is_whole: bool,
}

/// What can be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A path outside all granted directories.
    Path,
    /// Running a command of the host.
    Run,
    /// Calling a function of the host by its address.
    HostCall,
}

impl Refusal {
    /// The flag of `gpu-loader` that would have granted it.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Path => "--dir DIR",
            Self::Run => "--allow-run",
            Self::HostCall => "--allow-host-call",
        }
    }
}

impl Grants {
    /// Nothing.
    pub fn none() -> Self {
        // Where there is no working directory, relative paths lie below the root, as in a container.
        let working = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Self {
            working,
            ..Self::default()
        }
    }

    /// Grants the directory `host`, which the program knows by the same path, or by `guest`.
    pub fn directory(&mut self, host: &Path, guest: Option<&Path>) -> io::Result<&mut Self> {
        let dir = Dir::open_ambient_dir(host, ambient_authority())?;
        let guest = self.absolute(guest.unwrap_or(host));
        let is_whole = host.canonicalize()? == Path::new("/");
        // The most specific comes first, and of two with the same name the later one.
        self.directories.insert(0, Directory { guest, dir, is_whole });
        self.directories
            .sort_by_key(|directory| std::cmp::Reverse(directory.guest.components().count()));
        Ok(self)
    }

    /// Grants a directory as `--dir` spells it: `HOST` or `HOST::GUEST`.
    pub fn directory_option(&mut self, option: &str) -> io::Result<&mut Self> {
        match option.split_once("::") {
            Some((host, guest)) => self.directory(Path::new(host), Some(Path::new(guest))),
            None => self.directory(Path::new(option), None),
        }
    }

    /// Grants running commands of the host.
    pub fn run(&mut self) -> &mut Self {
        self.run = true;
        self
    }

    /// Gives commands the program's environment, `NAME=VALUE` each. Without this they have that of this process.
    pub fn environment(&mut self, variables: &[OsString]) -> &mut Self {
        let pairs = variables.iter().filter_map(|variable| {
            let bytes = variable.as_bytes();
            let end = bytes.iter().position(|&byte| byte == b'=').filter(|&end| end > 0)?;
            let (name, value) = (&bytes[..end], &bytes[end + 1..]);
            Some((OsStr::from_bytes(name).to_owned(), OsStr::from_bytes(value).to_owned()))
        });
        self.environment = Some(pairs.collect());
        self
    }

    /// A command of the host in the environment that commands have.
    pub(crate) fn command(&self, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        if let Some(variables) = &self.environment {
            command
                .env_clear()
                .envs(variables.iter().map(|(name, value)| (name, value)));
        }
        command
    }

    /// Grants calling functions of the host by their addresses, which is to trust the program as oneself.
    pub fn host_call(&mut self) -> &mut Self {
        self.host_call = true;
        self
    }

    /// Whether commands may be run.
    pub fn may_run(&self) -> bool {
        self.run
    }

    /// Whether functions of the host may be called by address.
    pub fn may_call_host(&self) -> bool {
        self.host_call
    }

    /// Where a path of the program lies, if a granted directory holds it.
    pub fn place(&self, path: &[u8]) -> Option<Place<'_>> {
        let end = End::of(path);
        let path = self.absolute(Path::new(OsStr::from_bytes(path)));
        self.directories.iter().find_map(|directory| {
            let below = path.strip_prefix(&directory.guest).ok()?;
            Some(Place::new(&directory.dir, directory.is_whole, below, end))
        })
    }

    /// Says once for each kind what was refused and what would grant it.
    pub fn refuse(&self, host: &dyn Host, refusal: Refusal, what: &str) {
        if self.refused[refusal as usize].swap(true, Ordering::Relaxed) {
            return;
        }
        let printable = what.escape_debug();
        let flag = refusal.flag();
        host.report(&match refusal {
            Refusal::Path => format!(
                "refused to reach the path \"{printable}\": no granted directory holds it (grant one with {flag})"
            ),
            Refusal::Run => format!("refused to run \"{printable}\" (grant running commands with {flag})"),
            Refusal::HostCall => {
                format!("refused to call the host function at {printable} (grant such calls with {flag})")
            }
        });
    }

    /// `path` from the root on. A `..` is resolved while nothing but known directories lies before it; behind a name
    /// that the program chose it stays, as what that name leads to is for the granted directory to find out.
    fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = if path.is_absolute() {
            PathBuf::from("/")
        } else {
            self.working.clone()
        };
        let mut known = true;
        for component in path.components() {
            match component {
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
                Component::ParentDir if known => {
                    absolute.pop();
                }
                Component::ParentDir => absolute.push(".."),
                Component::Normal(name) => {
                    known = false;
                    absolute.push(name);
                }
            }
        }
        absolute
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordingHost;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A fresh folder with `in/inner/deep`, `out/secret`, and links from one to the other.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("grants-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("in/inner/deep")).unwrap();
        fs::create_dir_all(folder.join("out")).unwrap();
        fs::write(folder.join("in/here"), "here").unwrap();
        fs::write(folder.join("in/inner/there"), "there").unwrap();
        fs::write(folder.join("out/secret"), "secret").unwrap();
        symlink("../out/secret", folder.join("in/relative")).unwrap();
        symlink(folder.join("out/secret"), folder.join("in/absolute")).unwrap();
        symlink("../out", folder.join("in/folder")).unwrap();
        symlink("inner/there", folder.join("in/good")).unwrap();
        folder
    }

    fn read(grants: &Grants, path: impl AsRef<Path>) -> Option<String> {
        let place = grants.place(path.as_ref().as_os_str().as_bytes())?;
        place.dir.read_to_string(&place.path).ok()
    }

    #[test]
    fn nothing_leads_out_of_a_granted_directory() {
        let folder = folder("escape");
        let mut grants = Grants::none();
        assert!(grants.place(b"/").is_none() && grants.place(b".").is_none() && grants.place(b"").is_none());
        grants.directory(&folder.join("in"), Some(Path::new("/data"))).unwrap();
        for good in [
            "/data/here",
            "/data/./inner/../here",
            "/data//inner/there",
            "/data/good",
            "/data/inner/../good",
        ] {
            assert!(read(&grants, good).is_some(), "{good}");
        }
        for bad in [
            "/data/../out/secret",
            "/data/relative",
            "/data/absolute",
            "/data/folder/secret",
            "/data/inner/../../out/secret",
            "/data/inner/deep/../../../out/secret",
            "/etc/passwd",
            "/database",
            "/../data/../etc/passwd",
            "here",
            "/data/nothing",
        ] {
            assert_eq!(read(&grants, bad), None, "{bad}");
        }
        assert!(
            grants
                .place(b"/data/../../etc/passwd")
                .is_none_or(|place| place.dir.read(&place.path).is_err())
        );
        assert_eq!(grants.place(b"/data").unwrap().path, Path::new("."));
    }

    #[test]
    fn the_most_specific_grant_wins() {
        let folder = folder("specific");
        let mut grants = Grants::none();
        grants
            .directory_option(&format!("{}::/a", folder.join("in").display()))
            .unwrap();
        grants
            .directory_option(&format!("{}::/a/inner", folder.join("out").display()))
            .unwrap();
        assert_eq!(read(&grants, "/a/here").as_deref(), Some("here"));
        assert_eq!(read(&grants, "/a/inner/secret").as_deref(), Some("secret"));
        assert_eq!(read(&grants, "/a/inner/there"), None);
        // Of two with the same name the later one.
        grants
            .directory_option(&format!("{}::/a", folder.join("out").display()))
            .unwrap();
        assert_eq!(read(&grants, "/a/here"), None);
        assert_eq!(read(&grants, "/a/secret").as_deref(), Some("secret"));
    }

    #[test]
    fn paths_are_absolute_or_relative_to_where_the_host_started() {
        let folder = folder("relative");
        let mut grants = Grants::none();
        grants.directory(&folder.join("in"), Some(Path::new("desk"))).unwrap();
        let start = std::env::current_dir().unwrap();
        let name = start.file_name().unwrap().to_str().unwrap();
        for good in [
            "desk/here",
            "./desk/./here",
            &format!("../{name}/desk/here"),
            start.join("desk/here").to_str().unwrap(),
        ] {
            assert_eq!(read(&grants, good).as_deref(), Some("here"), "{good}");
        }
        assert_eq!(read(&grants, "here"), None);
        assert!(grants.directory(Path::new("/no/such/directory"), None).is_err());
    }

    #[test]
    fn a_refusal_is_said_once_for_each_kind_and_names_its_flag() {
        let grants = Grants::none();
        let host = RecordingHost::default();
        for _ in 0..3 {
            grants.refuse(&host, Refusal::Path, "/etc/passwd");
            grants.refuse(&host, Refusal::Run, "rm\n-rf");
            grants.refuse(&host, Refusal::HostCall, "0x1234");
        }
        let reports = host.seen().reports;
        assert_eq!(reports.len(), 3);
        for (report, flag) in reports.iter().zip(["--dir", "--allow-run", "--allow-host-call"]) {
            assert!(report.contains(flag) && !report.contains('\n'), "{report}");
        }
    }
}
