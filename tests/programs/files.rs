//! Files and directories of a granted directory, and what is refused outside it.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use device_rt::fs::{self, File};
use device_rt::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use device_rt::{println, thread};

#[device_rt::main]
fn main() -> Result<()> {
    let index = thread::index();
    let folder = format!("/data/{index}");
    fs::create_dir(&folder)?;
    assert_eq!(
        fs::create_dir(&folder).map_err(|error| error.kind()),
        Err(ErrorKind::AlreadyExists)
    );

    let path = format!("{folder}/text");
    fs::write(&path, format!("first line of {index}\nsecond\n"))?;
    assert_eq!(fs::read_to_string(&path)?, format!("first line of {index}\nsecond\n"));
    assert!(fs::exists(&path)? && !fs::exists(format!("{folder}/nothing"))?);

    let mut file = File::options().read(true).append(true).open(&path)?;
    writeln!(file, "third {:?}", Some(index))?;
    file.seek(SeekFrom::End(-4))?;
    let mut end = String::new();
    file.read_to_string(&mut end)?;
    assert!(end.ends_with(")\n"));
    assert_eq!(file.stream_position()?, file.metadata()?.len());
    drop(file);

    let lines: Vec<String> = BufReader::new(File::open(&path)?).lines().collect::<Result<_>>()?;
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2], format!("third Some({index})"));

    let long = format!("{folder}/long");
    let mut writer = BufWriter::new(File::create_new(&long)?);
    for number in 0..2000 + index {
        writeln!(writer, "{number}")?;
    }
    writer.flush()?;
    drop(writer);
    let bytes = fs::read(&long)?;
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count() as u64, 2000 + index);
    let file = File::options().write(true).open(&long)?;
    file.set_len(5)?;
    file.sync_all()?;
    drop(file);
    assert_eq!(fs::read(&long)?, b"0\n1\n2");

    let other = format!("{folder}/other");
    assert_eq!(fs::copy(&long, &other)?, 5);
    fs::rename(&other, format!("{folder}/renamed"))?;
    let mut names: Vec<String> = fs::read_dir(&folder)?
        .map(|entry| Ok(String::from_utf8_lossy(entry?.file_name()).to_string()))
        .collect::<Result<_>>()?;
    names.sort();
    assert_eq!(names, ["long", "renamed", "text"]);
    let metadata = fs::metadata(&folder)?;
    assert!(metadata.is_dir() && !metadata.is_file() && metadata.modified().is_ok());

    fs::remove_file(&path)?;
    let missing = File::open(&path).map(drop).map_err(|error| error.kind());
    assert_eq!(missing, Err(ErrorKind::NotFound));
    fs::remove_dir_all(&folder)?;
    assert!(!fs::exists(&folder)?);

    let outside = File::open("/etc/passwd").map(drop).map_err(|error| error.kind());
    let above = File::open("/data/../etc/passwd")
        .map(drop)
        .map_err(|error| error.kind());
    println!("thread {index}: {outside:?} {above:?}");
    Ok(())
}
