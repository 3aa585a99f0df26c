//! Linking: putting texts together. What comes out is PTX again, which modules load.

use std::ffi::{CString, c_char, c_uint, c_void};
use std::sync::{Arc, Mutex};

use crate::border::{In, Out, Text, entries};
use crate::context;
use crate::driver::driver;
use crate::handle::Table;
use crate::image;
use crate::jit::{self, Options};
use crate::lock;
use crate::module::read_file;
use crate::status::{Result, Status};

/// All links that were begun and not destroyed.
pub static LINKS: Table<Link> = Table::new(9);

/// A link under way.
pub struct Link {
    handle: usize,
    /// Where its logs go: the caller keeps the buffers until the link is destroyed.
    options: Shared,
    texts: Mutex<Vec<String>>,
    /// What came out; lives until the link is destroyed.
    linked: Mutex<Option<Arc<CString>>>,
}

/// Options that hold the caller's pointers.
struct Shared(Options);

// SAFETY: the pointers lead to buffers of the caller's, who by the contract of linking keeps them
// until the link is destroyed and makes no two calls for one link at a time.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// Kinds of input, by the numbers of the public interface.
mod input {
    pub const PTX: u32 = 1;
    pub const FATBINARY: u32 = 2;
    pub const LAST: u32 = 5;
}

/// A text without the directives that must stand once, at the top.
fn body(text: &str) -> String {
    let once = [".version", ".target", ".address_size"];
    let is_once = |line: &str| once.iter().any(|directive| line.trim_start().starts_with(directive));
    // The line stays, so that lines keep their numbers.
    text.lines()
        .flat_map(|line| [if is_once(line) { "" } else { line }, "\n"])
        .collect()
}

fn link(texts: &[String]) -> String {
    let mut linked = String::new();
    for (at, text) in texts.iter().enumerate() {
        linked += &(if at == 0 { text.clone() } else { body(text) });
        if !linked.ends_with('\n') {
            linked.push('\n');
        }
    }
    linked
}

fn add(link: usize, kind: c_uint, content: &[u8]) -> Result {
    driver()?;
    let link = LINKS.get(link)?;
    if kind > input::LAST {
        return Err(Status::INVALID_VALUE);
    }
    let text = match kind {
        input::PTX | input::FATBINARY => image::ptx_of(content),
        _ => Err((
            Status::NO_BINARY_FOR_GPU,
            "only PTX can be linked here: machine code cannot run",
        )),
    };
    let text = text
        .and_then(|text| str::from_utf8(text).map_err(|_| (Status::INVALID_PTX, "ptx input: the text is not UTF-8")));
    let text = text.map_err(|(status, reason)| {
        link.options.0.fail(reason);
        status
    })?;
    lock(&link.texts).push(text.to_owned());
    Ok(())
}

entries! {
    /// Begins a link.
    fn cuLinkCreate_v2 | cuLinkCreate(
        count: c_uint,
        options: In<c_uint>,
        values: *mut *mut c_void,
        link: Out<usize>,
    ) {
        link.check()?;
        context::current()?;
        let options = Shared(Options::read(count, options, values)?);
        let (texts, linked) = (Mutex::default(), Mutex::default());
        link.set(LINKS.insert(|handle| Link { handle, options, texts, linked }).handle)
    }

    /// Adds an image from memory.
    fn cuLinkAddData_v2 | cuLinkAddData(
        link: usize,
        kind: c_uint,
        data: In<u8>,
        size: usize,
        _name: In<c_char>,
        _count: c_uint,
        _options: In<c_uint>,
        _values: *mut *mut c_void,
    ) {
        LINKS.get(link)?;
        if size == 0 {
            return Err(Status::INVALID_VALUE);
        }
        add(link, kind, &data.list(size)?)
    }

    /// Adds an image from a file.
    fn cuLinkAddFile_v2 | cuLinkAddFile(
        link: usize,
        kind: c_uint,
        path: Text,
        _count: c_uint,
        _options: In<c_uint>,
        _values: *mut *mut c_void,
    ) {
        LINKS.get(link)?;
        add(link, kind, &read_file(path)?)
    }

    /// Ends a link. What comes out is PTX with a NUL at its end, which lives until the link is
    /// destroyed.
    fn cuLinkComplete(link: usize, image: Out<*mut c_void>, size: Out<usize>) {
        image.check()?;
        driver()?;
        let link = LINKS.get(link)?;
        let text = self::link(&lock(&link.texts));
        if let Err(found) = emulator::ptx::Module::parse(text.as_bytes()) {
            link.options.0.fail(&jit::describe(&found));
            return Err(Status::INVALID_PTX);
        }
        link.options.0.succeed("");
        let text = Arc::new(CString::new(text).map_err(|_| Status::INVALID_PTX)?);
        image.set(text.as_ptr() as *mut c_void)?;
        size.set_if_wanted(text.as_bytes_with_nul().len());
        *lock(&link.linked) = Some(text);
        Ok(())
    }

    /// Destroys a link and what came out of it.
    fn cuLinkDestroy(link: usize) {
        driver()?;
        LINKS.remove(link).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stand_once_and_lines_keep_their_numbers() {
        let first = ".version 7.8\n.target sm_70\n.address_size 64\n.func a;\n".to_owned();
        let linked = link(&[first.clone(), first.replace("func a", "func b")]);
        assert_eq!(linked.matches(".version").count(), 1);
        assert_eq!(linked.matches(".func").count(), 2);
        assert_eq!(linked.lines().count(), 8);
    }
}
