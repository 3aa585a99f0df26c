//! The recorded results: for each case a line `name rows` and one with the output words in hexadecimal, flag behind a colon
//! where it is set.

use std::collections::HashMap;
use std::fmt::Write;

use crate::table::Case;

/// Result and flag of each row.
pub type Output = Vec<(u64, bool)>;

/// Appends one case.
pub fn write(text: &mut String, case: &Case, output: &Output) {
    let words: Vec<String> = output
        .iter()
        .map(|(word, flag)| format!("{word:x}{}", if *flag { ":" } else { "" }))
        .collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} {}\n{}", case.name, output.len(), words.join(" "));
}

/// All cases of a file by name.
pub fn read(text: &str) -> HashMap<&str, Output> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut cases = HashMap::new();
    while let (Some(head), Some(body)) = (lines.next(), lines.next()) {
        let name = head.split(' ').next().unwrap_or("");
        let words = body.split(' ').map(|word| {
            let (digits, flag) = match word.strip_suffix(':') {
                Some(digits) => (digits, true),
                None => (word, false),
            };
            (u64::from_str_radix(digits, 16).expect("a hexadecimal word"), flag)
        });
        cases.insert(name, words.collect());
    }
    cases
}

/// Where two outputs of a case differ, in words; at most a few rows.
pub fn differences(case: &Case, recorded: &Output, seen: &Output) -> Vec<String> {
    let inputs = case.inputs();
    if recorded.len() != inputs.len() {
        return vec![format!(
            "{}: the file has {} rows, the table {}",
            case.name,
            recorded.len(),
            inputs.len()
        )];
    }
    let rows = inputs.iter().zip(recorded.iter().zip(seen));
    rows.filter(|(_, (a, b))| a.1 != b.1 || !case.agrees(a.0, b.0))
        .map(|(input, (a, b))| {
            let operands: Vec<String> = input[..case.operands.len()].iter().map(|w| format!("{w:x}")).collect();
            format!(
                "{} ({}): recorded {:x} {}, seen {:x} {}",
                case.name,
                operands.join(", "),
                a.0,
                a.1,
                b.0,
                b.1
            )
        })
        .collect()
}
