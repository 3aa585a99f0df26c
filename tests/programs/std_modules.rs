//! What `io`, `fs`, `env`, `process`, `time` and `thread` have beside the functions that other programs use.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use device_rt::fs::{self, File, OpenOptions};
use device_rt::io::{self, BufRead, BufReader, BufWriter, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use device_rt::process::Command;
use device_rt::rpc::{self, Opcode};
use device_rt::time::{Instant, SystemTime};
use device_rt::{block, env, println, thread, warp};

#[device_rt::main]
fn main() -> Result<()> {
    let index = thread::index();
    let folder = format!("/data/std-{index}");
    readers_and_writers(&folder)?;
    files_and_folders(&folder)?;
    environment();
    clocks()?;
    places();
    if env::args().nth(1) == Some("run") {
        commands()?;
    }
    fs::remove_dir_all(&folder)?;
    let mut out = io::stdout();
    out.write_all(format!("thread {index} ok\n").as_bytes())?;
    out.flush()?;
    io::stderr().flush()
}

fn readers_and_writers(folder: &str) -> Result<()> {
    fs::create_dir_all(format!("{folder}/deep/er"))?;
    let path = format!("{folder}/text");
    {
        let mut writer = BufWriter::with_capacity(16, File::create(&path)?);
        writer.write_all(b"one;two;")?;
        assert_eq!(writer.buffer(), b"one;two;");
        writer.write_all(b"a part longer than the buffer;")?;
        writer.write_all(b"last")?;
        assert!(writer.get_ref().metadata()?.len() >= 38);
        // Written when dropped.
    }
    let mut reader = BufReader::with_capacity(5, File::open(&path)?);
    let mut part = Vec::new();
    let mut parts = Vec::new();
    while reader.read_until(b';', &mut part)? > 0 {
        parts.push(String::from_utf8_lossy(&part).to_string());
        part.clear();
    }
    assert_eq!(parts, ["one;", "two;", "a part longer than the buffer;", "last"]);
    reader.rewind()?;
    let mut three = [0; 3];
    reader.read_exact(&mut three)?;
    assert_eq!(&three, b"one");
    assert_eq!(reader.seek(SeekFrom::Current(1))?, 4);
    assert_eq!(reader.fill_buf()?.first(), Some(&b't'));
    reader.consume(1);
    let mut rest = String::new();
    reader.by_ref().read_to_string(&mut rest)?;
    assert!(rest.starts_with("wo;a part") && rest.ends_with("last"));
    let ended = reader.read_exact(&mut three).map_err(|error| error.kind());
    assert_eq!(ended, Err(ErrorKind::UnexpectedEof));

    fs::write(&path, "line one\r\nline two\n\nend")?;
    let mut reader = BufReader::new(File::open(&path)?);
    let mut line = String::new();
    assert_eq!(reader.read_line(&mut line)?, 10);
    assert_eq!(line, "line one\r\n");
    let lines: Vec<_> = reader.lines().collect::<Result<_>>()?;
    assert_eq!(lines, ["line two", "", "end"]);
    // What a reader has read ahead is lost with it; the file is behind that.
    let mut reader = BufReader::with_capacity(8, File::open(&path)?);
    reader.read_exact(&mut three)?;
    assert_eq!((&three, reader.buffer()), (b"lin", &b"e one"[..]));
    let mut rest = String::new();
    reader.into_inner().read_to_string(&mut rest)?;
    assert_eq!(rest, "\r\nline two\n\nend");
    fs::write(&path, [0xff, 0xfe])?;
    let text = fs::read_to_string(&path).map_err(|error| error.kind());
    assert_eq!(text, Err(ErrorKind::InvalidData));

    // Slices and vectors read and write, too.
    let mut slice = &b"abc"[..];
    let mut two = [0; 2];
    assert_eq!((slice.read(&mut two)?, &two, slice), (2, b"ab", &b"c"[..]));
    let mut bytes = Vec::new();
    write!(bytes, "{}-{:?}", 1, "x")?;
    assert_eq!(bytes, b"1-\"x\"");
    Ok(())
}

fn files_and_folders(folder: &str) -> Result<()> {
    let path = format!("{folder}/file");
    let kind = |result: Result<File>| result.map(drop).map_err(|error| error.kind());
    assert_eq!(kind(OpenOptions::new().open(&path)), Err(ErrorKind::InvalidInput));
    assert_eq!(
        kind(OpenOptions::new().read(true).open(&path)),
        Err(ErrorKind::NotFound)
    );
    drop(File::create_new(&path)?);
    assert_eq!(kind(File::create_new(&path)), Err(ErrorKind::AlreadyExists));
    assert_eq!(
        kind(File::options().write(true).open(folder)),
        Err(ErrorKind::IsADirectory)
    );
    assert_eq!(kind(File::open(format!("{path}/below"))), Err(ErrorKind::NotADirectory));
    assert_eq!(kind(File::open("x".repeat(5000))), Err(ErrorKind::InvalidFilename));

    let mut file = File::options().append(true).read(true).open(&path)?;
    file.write_all(b"0123456789")?;
    // What was written is there for everybody at once.
    assert_eq!(fs::read(&path)?, b"0123456789");
    file.seek(SeekFrom::Start(2))?;
    file.write_all(b"at the end")?;
    assert_eq!(file.stream_position()?, 20);
    file.sync_data()?;
    file.set_len(12)?;
    assert_eq!(file.seek(SeekFrom::End(0))?, 12);
    assert_eq!(
        file.seek(SeekFrom::Current(-100)).map_err(|error| error.kind()),
        Err(ErrorKind::InvalidInput)
    );
    // A file goes by its number and comes back by it; a made up number is an error.
    let mut file = File::from_raw(file.into_raw());
    file.rewind()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    assert_eq!(text, "0123456789at");
    let mut nobody = File::from_raw(0x1234_5678_9abc);
    assert_eq!(
        nobody.write(b"x").map_err(|error| error.kind()),
        Err(ErrorKind::BadHandle)
    );
    nobody.into_raw();

    let metadata = fs::metadata(&path)?;
    assert!(metadata.is_file() && !metadata.is_dir() && metadata.len() == 12);
    let now = SystemTime::now()?;
    for time in [metadata.modified(), metadata.accessed(), metadata.created()] {
        // Not every file system knows when a file was made.
        let Ok(time) = time else { continue };
        let distance = now.duration_since(time).unwrap_or_else(|later| later);
        assert!(distance < Duration::from_secs(600));
    }
    assert!(metadata.modified().is_ok() && metadata.links() == 1 && metadata.mode() & 0o400 != 0);
    let kind = fs::symlink_metadata(folder)?.file_type();
    assert!(kind.is_dir() && !kind.is_symlink());
    // What ends with a slash is a directory or nothing.
    let below = fs::metadata(format!("{path}/"))
        .map(drop)
        .map_err(|error| error.raw_os_error());
    assert_eq!(below, Err(Some(20)));
    assert_eq!(
        fs::metadata(format!("{folder}/no"))
            .map(drop)
            .map_err(|error| error.kind()),
        Err(ErrorKind::NotFound)
    );

    let mut seen = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        assert_eq!(entry.metadata()?.is_dir(), entry.file_type().is_dir());
        assert!(entry.path().ends_with(entry.file_name()) && entry.path().starts_with(folder.as_bytes()));
        seen.push(String::from_utf8_lossy(entry.file_name()).to_string());
    }
    seen.sort();
    assert_eq!(seen, ["deep", "file", "text"]);
    let kind = |result: Result<()>| result.map_err(|error| error.kind());
    assert_eq!(
        kind(fs::remove_dir_all(format!("{folder}/."))),
        Err(ErrorKind::InvalidInput)
    );
    assert_eq!(kind(fs::remove_dir(folder)), Err(ErrorKind::DirectoryNotEmpty));
    assert_eq!(kind(fs::remove_file(folder)), Err(ErrorKind::IsADirectory));
    assert_eq!(kind(fs::rename(&path, "/elsewhere")), Err(ErrorKind::PermissionDenied));
    fs::remove_dir(format!("{folder}/deep/er"))?;
    fs::copy(&path, format!("{folder}/copy"))?;
    fs::rename(format!("{folder}/copy"), format!("{folder}/deep/moved"))?;
    assert_eq!(fs::read(format!("{folder}/deep/moved"))?, b"0123456789at");
    assert_eq!(Error::from_raw_os_error(2).kind(), ErrorKind::NotFound);
    Ok(())
}

fn environment() {
    assert!(env::vars().any(|(name, value)| name == "A" && value == "1"));
    assert_eq!(env::var("B"), Some("two words"));
    assert_eq!(env::var("EMPTY"), Some(""));
    assert_eq!(env::var("A="), None);
    assert_eq!(
        env::args_os().next().map(|name| name.to_bytes().is_empty()),
        Some(false)
    );
    let (count, arguments, variables) = env::raw();
    assert!(count as usize == env::args().len() && !arguments.is_null() && !variables.is_null());
}

fn clocks() -> Result<()> {
    let (start, calendar) = (Instant::now(), SystemTime::now()?);
    thread::sleep(Duration::from_millis(3));
    thread::yield_now();
    let passed = start.elapsed();
    assert!(passed >= Duration::from_millis(3) && Instant::now() > start);
    assert_eq!(start.duration_since(Instant::now()), Duration::ZERO);
    // Two clocks, and a host that may be busy: not much less than slept.
    let by_calendar = SystemTime::now()?.duration_since(calendar);
    assert!(by_calendar.is_ok_and(|passed| passed >= Duration::from_millis(1)));
    assert!(SystemTime::UNIX_EPOCH.duration_since(calendar).is_err());
    // The host can wait for a device, too: each lane asks for another while, and is told how much is left.
    let mut left = 1_000_000 * (1 + thread::index() % 4);
    while left > 0 {
        let client = rpc::client();
        let mut port = client.open(Opcode::SLEEP);
        let rest = port.send_and_recv(|packet| packet.set(0, left), |packet| packet.get(0));
        drop(port);
        assert!(rest < left);
        left = rest;
    }
    Ok(())
}

fn places() {
    let (size, count) = (block::size(), block::count());
    assert_eq!(thread::count(), size.volume() * count);
    assert_eq!(
        thread::index(),
        block::index() * size.volume() + u64::from(thread::index_in_block())
    );
    assert_eq!(u64::from(thread::index_in_block()), size.index_of(thread::id()));
    assert_eq!(block::index(), block::grid_size().index_of(block::id()));
    assert!(warp::lane() < warp::lanes() && warp::active() >> warp::lane() & 1 == 1);
}

fn commands() -> Result<()> {
    assert!(Command::new("true").status()?.success());
    let status = Command::new("sh").arg("-c").arg("kill -KILL $$").status()?;
    assert_eq!(
        (status.success(), status.code(), status.signal()),
        (false, None, Some(9))
    );
    // More than a pipe holds.
    let text = "x".repeat(70_000);
    let output = Command::new("cat").stdin(&text).output()?;
    assert!(output.stdout == text.as_bytes() && output.stderr.is_empty());
    println!("commands ran");
    // A medium without room says so when it is written to, however little.
    let full = fs::write("/dev/full", "x").map_err(|error| error.kind());
    assert_eq!(full, Err(ErrorKind::StorageFull));
    Ok(())
}
