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

    /// Whether it is for AMD.
    pub fn is_amd(&self) -> bool {
        self.variant.ends_with("hsaco")
    }

    /// Whether this is the variant that takes the long runs, one for each vendor.
    pub fn is_default(&self) -> bool {
        matches!(self.variant.as_str(), "ptx" | "gfx90a.hsaco")
    }
}
