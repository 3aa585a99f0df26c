//! The recorded results: for each case a line `name rows` and one with the output words in hexadecimal, flag behind a colon
//! where it is set. For an instruction that the device's compiler refuses, a line `name refused` and one with its message.

use std::collections::HashMap;
use std::fmt::Write;

use crate::table::Case;

/// Result and flag of each row.
pub type Output = Vec<(u64, bool)>;

/// What a device said to a case.
#[derive(Clone, Debug)]
pub enum Recording {
    Rows(Output),
    Refused(String),
}

/// Appends one case.
pub fn write(text: &mut String, name: &str, recording: &Recording) {
    let line = match recording {
        Recording::Rows(output) => {
            let word = |(word, flag): &(u64, bool)| format!("{word:x}{}", if *flag { ":" } else { "" });
            let words: Vec<String> = output.iter().map(word).collect();
            format!("{name} {}\n{}", output.len(), words.join(" "))
        }
        Recording::Refused(message) => format!("{name} refused\n{}", message.replace('\n', " ")),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

/// All cases of a file by name; a case whose second line is cut off is not there.
pub fn read(text: &str) -> HashMap<&str, Recording> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut cases = HashMap::new();
    while let (Some(head), Some(body)) = (lines.next(), lines.next()) {
        let (name, kind) = head.split_once(' ').unwrap_or((head, ""));
        if kind == "refused" {
            cases.insert(name, Recording::Refused(body.to_owned()));
            continue;
        }
        let words = body.split(' ').map(|word| {
            let (digits, flag) = match word.strip_suffix(':') {
                Some(digits) => (digits, true),
                None => (word, false),
            };
            (u64::from_str_radix(digits, 16).expect("a hexadecimal word"), flag)
        });
        let words: Output = words.collect();
        if kind == words.len().to_string() {
            cases.insert(name, Recording::Rows(words));
        }
    }
    cases
}

/// Where a recording and what was seen differ, in words.
pub fn differences(case: &Case, recorded: &Recording, seen: &Recording) -> Vec<String> {
    let (recorded, seen) = match (recorded, seen) {
        (Recording::Rows(recorded), Recording::Rows(seen)) => (recorded, seen),
        (Recording::Refused(_), Recording::Refused(_)) => return Vec::new(),
        (Recording::Refused(why), Recording::Rows(_)) => {
            return vec![format!("{}: the device refused it ({why}), here it runs", case.name)];
        }
        (_, Recording::Refused(why)) => return vec![format!("{}: {why}", case.name)],
    };
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
