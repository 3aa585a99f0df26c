//! What an image is called and what it was built for.

use std::path::PathBuf;

/// A built program: `NAME[.CPU][.O0].ptx` or `NAME.CPU[.O0].hsaco`.
pub struct Image {
    pub path: PathBuf,
    /// The program's name.
    pub program: String,
    /// Whatever is between name and extension, and the extension: `ptx`, `O0.ptx`, `gfx90a.hsaco`.
    pub variant: String,
}

impl Image {
    /// `None` for files that are no images.
    pub fn from_path(path: PathBuf) -> Option<Self> {
        let (program, variant) = path.file_name()?.to_str()?.split_once('.')?;
        let (program, variant) = (program.to_owned(), variant.to_owned());
        matches!(variant.rsplit('.').next(), Some("ptx" | "cubin" | "hsaco")).then_some(Self { path, program, variant })
    }

    /// Whether this is the variant that takes the long runs, one for each vendor.
    pub fn is_default(&self) -> bool {
        matches!(self.variant.as_str(), "ptx" | "cubin" | "gfx90a.hsaco")
    }

    /// Whether its small runs are repeated under many schedules of the emulator.
    ///
    /// Lanes of AMD's wavefronts never part on their own: there a schedule is only an order of wavefronts, and programs with more than
    /// the usual meetings of those are enough.
    pub fn takes_seeds(&self) -> bool {
        match self.variant.as_str() {
            "ptx" => true,
            "gfx90a.hsaco" => MEETING.contains(&self.program.as_str()),
            _ => false,
        }
    }
}

/// Programs whose warps want the same things at the same time.
const MEETING: &[&str] = &["divergence", "express", "heap"];
