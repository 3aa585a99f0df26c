//! Names inside a granted directory, and what may be done to them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, ReadDir};

/// A path inside a granted directory.
pub struct Place<'a> {
    /// The directory.
    pub dir: &'a Dir,
    /// The path below it; `.` is the directory itself. What only directories end with, a slash or `.`, is left out.
    pub path: PathBuf,
    end: End,
    is_whole: bool,
}

/// What a path ends with. To [`Path`] a slash or `.` there is nothing; to the system `file/` leads nowhere, and `directory/.` is no
/// name that could be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Name,
    Slash,
    Dot,
    Parent,
}

impl End {
    pub(crate) fn of(path: &[u8]) -> Self {
        let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
        match path[..end].rsplit(|&byte| byte == b'/').next() {
            Some(b".") => Self::Dot,
            Some(b"..") => Self::Parent,
            _ if end < path.len() => Self::Slash,
            _ => Self::Name,
        }
    }
}

/// An error that the system would have made, had it been asked.
fn error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

impl<'a> Place<'a> {
    /// `is_whole`: the directory is the root of the file system.
    pub(crate) fn new(dir: &'a Dir, is_whole: bool, below: &Path, end: End) -> Self {
        let path = match below.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => below.to_owned(),
        };
        Self {
            dir,
            path,
            end,
            is_whole,
        }
    }

    /// The path for the system itself, where there is nothing outside that a link could lead to. (Inside a granted directory a link
    /// that starts at the root leads nowhere, though the root may be granted.)
    fn ambient(&self) -> Option<PathBuf> {
        self.is_whole.then(|| Path::new("/").join(self.whole()))
    }

    /// The path with its end, for calls that go through to what it leads to.
    fn whole(&self) -> PathBuf {
        match self.end {
            End::Slash => self.path.join(""),
            End::Dot => self.path.join("."),
            End::Name | End::Parent => self.path.clone(),
        }
    }

    /// Whether this is the granted directory itself, as far as the path says.
    fn is_granted(&self) -> bool {
        self.path == Path::new(".")
    }

    pub(crate) fn open(&self, options: &OpenOptions) -> io::Result<File> {
        match self.ambient() {
            Some(path) => File::open_ambient_with(path, options, ambient_authority()),
            None => self.dir.open_with(self.whole(), options),
        }
    }

    pub(crate) fn read_dir(&self) -> io::Result<ReadDir> {
        match self.ambient() {
            Some(path) => Dir::open_ambient_dir(path, ambient_authority())?.entries(),
            None => self.dir.read_dir(self.whole()),
        }
    }

    /// A link at the end is followed where that is asked for, and where the path says that a directory is meant.
    pub(crate) fn metadata(&self, follow: bool) -> io::Result<Metadata> {
        match (self.ambient(), follow || self.end != End::Name) {
            (Some(path), true) => fs::metadata(path).map(Metadata::from_just_metadata),
            (None, true) => self.dir.metadata(self.whole()),
            (_, false) => self.own_metadata(),
        }
    }

    /// What bears the name, be it a link.
    fn own_metadata(&self) -> io::Result<Metadata> {
        match self.is_whole {
            true => fs::symlink_metadata(Path::new("/").join(&self.path)).map(Metadata::from_just_metadata),
            false => self.dir.symlink_metadata(&self.path),
        }
    }

    pub(crate) fn create_dir(&self) -> io::Result<()> {
        match self.ambient() {
            Some(path) => fs::create_dir(path),
            None => self.dir.create_dir(self.whole()),
        }
    }

    pub(crate) fn create_dir_all(&self) -> io::Result<()> {
        match self.ambient() {
            Some(path) => fs::create_dir_all(path),
            None => self.dir.create_dir_all(self.whole()),
        }
    }

    /// Removes a file or a link.
    pub(crate) fn remove_file(&self) -> io::Result<()> {
        let meant = match (self.end, self.ambient()) {
            (_, Some(path)) => return fs::remove_file(path),
            (End::Name, None) => return self.dir.remove_file(&self.path),
            (End::Slash, None) => self.own_metadata()?,
            (End::Dot | End::Parent, None) => self.metadata(true)?,
        };
        Err(error(if meant.is_dir() { libc::EISDIR } else { libc::ENOTDIR }))
    }

    /// Removes an empty directory. The granted one is not the program's to remove.
    pub(crate) fn remove_dir(&self) -> io::Result<()> {
        match (self.end, self.ambient()) {
            _ if self.is_granted() => Err(error(libc::EBUSY)),
            (_, Some(path)) => fs::remove_dir(path),
            (End::Name | End::Slash, None) => self.dir.remove_dir(&self.path),
            (End::Dot, None) => self.metadata(true).and(Err(error(libc::EINVAL))),
            (End::Parent, None) => self.metadata(true).and(Err(error(libc::ENOTEMPTY))),
        }
    }

    /// Removes a directory with all that is in it. A path that could not be removed in the end is refused before anything is.
    pub(crate) fn remove_dir_all(&self) -> io::Result<()> {
        match self.end {
            _ if self.is_granted() => Err(error(libc::EBUSY)),
            End::Dot | End::Parent => self.metadata(true).and(Err(error(libc::EINVAL))),
            End::Slash if self.own_metadata()?.is_symlink() => self.metadata(true).and(Err(error(libc::ENOTDIR))),
            End::Name | End::Slash => match self.ambient() {
                Some(path) => fs::remove_dir_all(path),
                None => self.dir.remove_dir_all(&self.path),
            },
        }
    }

    /// Removes a file, a link or an empty directory.
    pub(crate) fn remove(&self) -> io::Result<()> {
        match self.own_metadata()?.is_dir() {
            true => self.remove_dir(),
            false => self.remove_file(),
        }
    }

    /// Gives what is here the name `to`, in the same or another granted directory.
    pub(crate) fn rename(&self, to: &Place<'_>) -> io::Result<()> {
        if let (Some(from), Some(to)) = (self.ambient(), to.ambient()) {
            return fs::rename(from, to);
        }
        // Only a directory gets a name that ends with a slash. (Where that would lie is looked at first, as the system does.)
        if (self.end, to.end) == (End::Name, End::Slash) && !self.own_metadata()?.is_dir() {
            let parent = to.path.parent().map(|parent| Path::new(".").join(parent).join(""));
            return match parent.map(|parent| to.dir.metadata(parent)) {
                Some(Err(error)) => Err(error),
                _ => Err(error(libc::ENOTDIR)),
            };
        }
        self.dir.rename(self.whole(), to.dir, to.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::End;

    #[test]
    fn ends_of_paths() {
        for (path, end) in [
            ("a", End::Name),
            (".a", End::Name),
            ("a..", End::Name),
            ("", End::Name),
            ("a/", End::Slash),
            ("/", End::Slash),
            ("a.//", End::Slash),
            (".", End::Dot),
            ("a/./", End::Dot),
            ("..", End::Parent),
            ("a/..//", End::Parent),
        ] {
            assert_eq!(End::of(path.as_bytes()), end, "{path}");
        }
    }
}
