//! Comparing what a program printed with what it should have.

/// What a stream must hold.
pub enum Expected {
    /// These bytes.
    Exactly(Vec<u8>),
    /// What fits this pattern.
    Matching(String),
    /// These lines, sorted, in any order.
    Lines(Vec<Vec<u8>>),
}

/// Bytes of a stream that a message shows.
const SHOWN: usize = 2000;

impl Expected {
    /// The lines of this text, in any order.
    pub fn lines_of(bytes: &[u8]) -> Self {
        Self::Lines(sorted_lines(bytes))
    }

    /// Lines in any order, given without their newlines.
    pub fn lines(lines: Vec<String>) -> Self {
        let mut lines: Vec<_> = lines.into_iter().map(|line| (line + "\n").into_bytes()).collect();
        lines.sort();
        Self::Lines(lines)
    }

    /// Says what is wrong with `actual`, if anything is.
    pub fn check(&self, stream: &str, actual: &[u8]) -> Result<(), String> {
        let (good, expected) = match self {
            Self::Exactly(bytes) => (actual == bytes, show(bytes)),
            Self::Matching(pattern) => (fits(pattern.as_bytes(), actual), pattern.clone()),
            Self::Lines(lines) => return check_lines(stream, lines, &sorted_lines(actual)),
        };
        if good {
            return Ok(());
        }
        Err(format!("{stream} is\n{}\ninstead of\n{expected}", show(actual)))
    }
}

/// Whether `text` fits `pattern`: `*` stands for anything within a line, `**` for anything.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let Some((&first, rest)) = pattern.split_first() else {
        return text.is_empty();
    };
    if first != b'*' {
        return text
            .split_first()
            .is_some_and(|(&byte, text)| byte == first && fits(rest, text));
    }
    let (rest, limit) = match rest.strip_prefix(b"*") {
        Some(rest) => (rest, text.len()),
        None => (rest, text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())),
    };
    (0..=limit).any(|at| fits(rest, &text[at..]))
}

/// The lines with their newlines; the last may have none.
fn sorted_lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<_> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    lines.sort();
    lines
}

fn check_lines(stream: &str, expected: &[Vec<u8>], actual: &[Vec<u8>]) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let at = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
    let line = |lines: &[Vec<u8>]| {
        lines
            .get(at)
            .map_or("nothing".into(), |line| format!("`{}`", show(line)))
    };
    Err(format!(
        "{stream} has {} lines instead of {}; sorted, the first difference is {} where {} should be",
        actual.len(),
        expected.len(),
        line(actual),
        line(expected),
    ))
}

fn show(bytes: &[u8]) -> String {
    let more = if bytes.len() > SHOWN {
        format!("… ({} bytes)", bytes.len())
    } else {
        String::new()
    };
    bytes[..bytes.len().min(SHOWN)]
        .escape_ascii()
        .to_string()
        .replace("\\n", "\\n\n")
        .trim_end()
        .to_owned()
        + &more
}
