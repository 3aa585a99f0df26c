//! Checks of output that no table can describe.

use std::collections::{HashMap, HashSet};

/// Looks at what a run printed: stdout, stderr.
pub type Check = fn(&[u8], &[u8]) -> Result<(), String>;

/// The check of this name.
pub fn named(name: &str) -> Result<Check, String> {
    match name {
        "bulk" => Ok(bulk),
        "divergence" => Ok(divergence),
        "hello" => Ok(hello),
        "order" => Ok(order),
        "whole" => Ok(|stdout, stderr| whole(999, stdout, stderr)),
        "whole short" => Ok(|stdout, stderr| whole(63, stdout, stderr)),
        _ => Err(format!("there is no check named {name}")),
    }
}

/// Lanes print at random to either stream; in the end the program says how many lines there were. Each of them must be there once and
/// whole.
fn divergence(stdout: &[u8], stderr: &[u8]) -> Result<(), String> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| "invalid UTF-8 in the output".to_owned());
    let (stdout, stderr) = (text(stdout)?, text(stderr)?);
    let (total, lines): (Vec<_>, Vec<_>) = stdout.lines().partition(|line| line.starts_with("total"));
    let expected = format!("total out {} err {}", lines.len(), stderr.lines().count());
    if total != [expected.as_str()] {
        return Err(format!("the program says {total:?} where {expected:?} arrived"));
    }
    check_lines(lines.into_iter(), "out")?;
    check_lines(stderr.lines(), "err")
}

/// Each thread writes a long line of its own, and two short ones to the other stream around it.
fn bulk(stdout: &[u8], stderr: &[u8]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for line in stdout
        .strip_suffix(b"\n")
        .unwrap_or(stdout)
        .split(|&byte| byte == b'\n')
    {
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_whole = digits > 0 && line.len() == 6000 && line[digits..].iter().all(|&byte| byte == b'-');
        if !is_whole || !seen.insert(&line[..digits]) {
            return Err(format!(
                "a line of {} bytes is broken or came twice: {:?}…",
                line.len(),
                String::from_utf8_lossy(&line[..line.len().min(20)])
            ));
        }
    }
    let stderr = String::from_utf8_lossy(stderr);
    let expected: HashSet<String> = (0..seen.len())
        .flat_map(|index| ["writes", "is done"].map(|what| format!("thread {index} {what}")))
        .collect();
    let arrived: HashSet<String> = stderr.lines().map(str::to_owned).collect();
    if arrived != expected || stderr.lines().count() != expected.len() {
        return Err(format!("of {} threads came other lines: {stderr}", seen.len()));
    }
    Ok(())
}

/// All threads write the image's name and five arguments, each with a newline behind it, and the first to be through ends the program:
/// nothing arrives in part, and what that thread wrote arrives.
fn hello(_: &[u8], stderr: &[u8]) -> Result<(), String> {
    const ARGUMENTS: [&str; 5] = ["args", "to", "the", "main", "function"];
    const EXTENSIONS: [&str; 3] = [".ptx", ".cubin", ".hsaco"];
    let text = String::from_utf8_lossy(stderr);
    let end = EXTENSIONS
        .iter()
        .filter_map(|extension| Some(text.find(extension)? + extension.len()));
    let end = end.min().ok_or("it does not begin with the image's name")?;
    let pieces = [&text[..end]].into_iter().chain(ARGUMENTS).chain(["\n"]);
    let mut counts: Vec<(&str, usize)> = pieces.map(|piece| (piece, 0)).collect();
    let mut rest = &*text;
    while !rest.is_empty() {
        let piece = counts.iter_mut().find(|(piece, _)| rest.starts_with(piece));
        let Some((piece, count)) = piece else {
            return Err(format!(
                "{:?} is nothing that a thread writes",
                &rest[..rest.len().min(20)]
            ));
        };
        rest = &rest[piece.len()..];
        *count += 1;
    }
    let (newlines, texts) = counts.split_last().ok_or("no pieces")?;
    let written: usize = texts.iter().map(|(_, count)| count).sum();
    let in_order = texts.windows(2).all(|pair| pair[0].1 >= pair[1].1);
    let of_one = texts.iter().all(|(_, count)| *count > 0) && newlines.1 >= texts.len();
    if in_order && of_one && newlines.1 <= written {
        return Ok(());
    }
    Err(format!("the pieces came {counts:?} times"))
}

/// Lines of `thread step …`, on both streams: each thread's steps count up from 0, and all threads take the same number.
fn order(stdout: &[u8], stderr: &[u8]) -> Result<(), String> {
    for (stream, bytes) in [("stdout", stdout), ("stderr", stderr)] {
        let text = String::from_utf8_lossy(bytes);
        let mut next = HashMap::<&str, u64>::new();
        for line in text.lines() {
            let mut words = line.split(' ');
            let (thread, step) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let next = next.entry(thread).or_default();
            if step.parse() != Ok(*next) {
                return Err(format!(
                    "{stream}: {line:?} came where step {next} of thread {thread} should be"
                ));
            }
            *next += 1;
        }
        let counts: HashSet<u64> = next.values().copied().collect();
        if counts.len() != 1 {
            return Err(format!(
                "{stream}: threads ended after different numbers of steps: {next:?}"
            ));
        }
    }
    Ok(())
}

/// Threads print lines of so many zeros while others end the program: not all of them arrive, but none in part. A panic reports itself once.
fn whole(length: usize, stdout: &[u8], stderr: &[u8]) -> Result<(), String> {
    let stdout = String::from_utf8_lossy(stdout);
    let zeros = "0".repeat(length);
    if let Some(line) = stdout.split_terminator('\n').find(|line| *line != zeros) {
        return Err(format!("a line of {} bytes, not {length} zeros: {line:?}", line.len()));
    }
    if !stdout.is_empty() && !stdout.ends_with('\n') {
        return Err("the last line has no end".into());
    }
    match String::from_utf8_lossy(stderr).matches(" panicked at ").count() {
        0 | 1 => Ok(()),
        reports => Err(format!("{reports} reports of panics")),
    }
}

/// Each line is `WORD thread round`, and none comes twice.
fn check_lines<'a>(lines: impl Iterator<Item = &'a str>, word: &str) -> Result<(), String> {
    let mut seen = HashSet::new();
    for line in lines {
        let mut words = line.split(' ');
        let first = words.next();
        let numbers: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        if first != Some(word) || numbers.len() != 2 || line != format!("{word} {} {}", numbers[0], numbers[1]) {
            return Err(format!("a broken line: {line:?}"));
        }
        if !seen.insert(numbers) {
            return Err(format!("a line that came twice: {line:?}"));
        }
    }
    Ok(())
}
