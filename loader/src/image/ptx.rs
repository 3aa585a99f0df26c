//! PTX text: its target, and a cursor over its tokens that skips comments.

/// The number and suffix of a name such as `sm_90a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SmName {
    /// 90 of `sm_90a`.
    pub number: u32,
    /// `a` (this very architecture only) or `f` (its family only).
    pub suffix: Option<u8>,
}

impl SmName {
    pub fn parse(name: &str) -> Option<SmName> {
        let rest = name.strip_prefix("sm_")?;
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let suffix = match &rest.as_bytes()[digits.len()..] {
            [] => None,
            [letter @ (b'a' | b'f')] => Some(*letter),
            _ => return None,
        };
        Some(SmName {
            number: digits.parse().ok()?,
            suffix,
        })
    }

    /// 9 of `sm_90`, 12 of `sm_120`.
    pub fn major(self) -> u32 {
        self.number / 10
    }

    /// Whether PTX for `self` can be compiled for `device`: it is forward compatible, except that
    /// features with a suffix stay where they are (PTX ISA, `.target`).
    pub fn ptx_runs_on(self, device: SmName) -> bool {
        match self.suffix {
            Some(b'a') => self.number == device.number,
            Some(_) => self.major() == device.major() && self.number <= device.number,
            None => self.number <= device.number,
        }
    }
}

/// The architecture that PTX text names in its `.target` directive; `None` if the text is not PTX.
pub(super) fn target(text: &[u8]) -> Result<Option<String>, String> {
    let mut tokens = Tokens::new(text);
    if tokens.next() != Some(b".version") {
        return Ok(None);
    }
    let truncated = || "is truncated: PTX without a .target directive; build or copy it again".to_string();
    // The header is short: `.version X.Y`, `.target sm_N[, option]`, in this order.
    while let Some(token) = tokens.next() {
        if token == b".target" {
            let name = tokens.next().ok_or_else(truncated)?;
            let name = String::from_utf8_lossy(name).into_owned();
            return match SmName::parse(&name) {
                Some(_) => Ok(Some(name)),
                None => Err(format!("is PTX for '{name}', which is no known target")),
            };
        }
    }
    Err(truncated())
}

/// Splits PTX into words (directives, names, numbers) and single punctuation characters; strings
/// count as one token, comments as none. It judges nothing: that is the driver's part.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'%') || byte >= 0x80
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Tokens { text, at: 0 }
    }

    fn behind(&self, from: usize, needle: &[u8]) -> usize {
        let tail = self.text.get(from..).unwrap_or_default();
        tail.windows(needle.len())
            .position(|window| window == needle)
            .map_or(self.text.len(), |at| from + at + needle.len())
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at = match rest {
                [b'/', b'/', ..] => self.behind(self.at, b"\n"),
                [b'/', b'*', ..] => self.behind(self.at + 2, b"*/"),
                [byte, ..] if byte.is_ascii_whitespace() || *byte == 0 => self.at + 1,
                _ => return,
            };
        }
    }

    /// After an opening brace: goes on behind the closing one that belongs to it.
    pub fn skip_block(&mut self) {
        let mut depth = 1usize;
        while depth > 0 {
            let Some(byte) = self.text.get(self.at) else {
                return;
            };
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'/' => {
                    let before = self.at;
                    self.skip_blank();
                    if self.at > before {
                        continue;
                    }
                }
                b'"' => {
                    self.next();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.skip_blank();
        let rest = &self.text[self.at..];
        let length = match rest {
            [] => return None,
            [b'"', tail @ ..] => {
                let mut escaped = false;
                let end = tail.iter().position(|&byte| {
                    let closes = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            [byte, ..] if is_word(*byte) => rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len()),
            _ => 1,
        };
        self.at += length;
        Some(&rest[..length])
    }
}
