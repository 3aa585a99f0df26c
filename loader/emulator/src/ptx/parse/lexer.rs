//! Characters to tokens.

/// A piece of PTX text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// Identifier, opcode with its modifiers, directive, register: everything made of letters, digits and `_ $ % . ::`.
    Word(&'a str),
    /// Integer constant.
    Int(u64),
    /// Single-precision constant, as bits (`0f3F800000`).
    F32(u32),
    /// Double-precision constant, as bits (`0d…`, or decimal).
    F64(u64),
    /// What stands between quotes.
    Str(&'a str),
    /// Any other character.
    Punct(u8),
    /// Something that is no token, such as a malformed number.
    Bad(&'a str),
    /// The text has ended.
    End,
}

pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

fn starts_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || matches!(c, b'_' | b'$' | b'%' | b'.')
}

fn continues_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'%' | b'.')
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, line: 1 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&c) = bytes.get(self.at) {
            match c {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                c if c.is_ascii_whitespace() => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    self.at += bytes[self.at..].iter().take_while(|&&c| c != b'\n').count();
                }
                b'/' if self.peek(1) == b'*' => {
                    let body = &self.text[self.at + 2..];
                    // Without an end it is no comment.
                    let Some(end) = body.find("*/") else { break };
                    let (inside, after) = (&body[..end], self.at + 2 + end + 2);
                    self.line += inside.bytes().filter(|&c| c == b'\n').count() as u32;
                    self.at = after;
                }
                _ => break,
            }
        }
    }

    /// The next token and its line.
    pub fn next(&mut self) -> (Token<'a>, u32) {
        self.skip_blanks();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let Some(&first) = bytes.get(start) else {
            return (Token::End, self.line);
        };
        let token = if starts_word(first) {
            self.at += 1;
            loop {
                let c = self.peek(0);
                if continues_word(c) {
                    self.at += 1;
                } else if c == b':' && self.peek(1) == b':' && continues_word(self.peek(2)) {
                    self.at += 2;
                } else {
                    break;
                }
            }
            Token::Word(&self.text[start..self.at])
        } else if first.is_ascii_digit() {
            self.number()
        } else if first == b'"' {
            let body = &self.text[start + 1..];
            match body.find(['"', '\n']) {
                Some(len) if body.as_bytes()[len] == b'"' => {
                    self.at = start + 1 + len + 1;
                    Token::Str(&body[..len])
                }
                found => {
                    self.at = start + 1 + found.unwrap_or(body.len());
                    Token::Bad(&self.text[start..self.at])
                }
            }
        } else if first == b'/' && self.peek(1) == b'*' {
            self.at = self.text.len();
            Token::Bad("/*")
        } else if first.is_ascii() {
            self.at += 1;
            Token::Punct(first)
        } else {
            let width = self.text[start..].chars().next().map_or(1, char::len_utf8);
            self.at += width;
            Token::Bad(&self.text[start..self.at])
        };
        (token, self.line)
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.at;
        let mut decimal_float = false;
        loop {
            let c = self.peek(0);
            let after_exponent = decimal_float && matches!(self.text.as_bytes()[self.at - 1], b'e' | b'E');
            if c == b'.' && !self.text[start..self.at].starts_with("0x") {
                decimal_float = true;
            } else if !(c.is_ascii_alphanumeric() || (after_exponent && matches!(c, b'+' | b'-'))) {
                break;
            }
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        parse_number(word, decimal_float).unwrap_or(Token::Bad(word))
    }
}

fn parse_number<'a>(word: &str, decimal_float: bool) -> Option<Token<'a>> {
    if decimal_float {
        return word.parse::<f64>().ok().map(|f| Token::F64(f.to_bits()));
    }
    if let Some(digits) = word.strip_prefix("0f").or(word.strip_prefix("0F")) {
        return (digits.len() == 8).then(|| u32::from_str_radix(digits, 16).ok().map(Token::F32))?;
    }
    if let Some(digits) = word.strip_prefix("0d").or(word.strip_prefix("0D")) {
        return (digits.len() == 16).then(|| u64::from_str_radix(digits, 16).ok().map(Token::F64))?;
    }
    let digits = word.strip_suffix('U').unwrap_or(word);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok().map(Token::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| match lexer.next().0 {
            Token::End => None,
            token => Some(token),
        })
        .collect()
    }

    #[test]
    fn words_numbers_and_comments() {
        assert_eq!(
            all("ld.shared::cta.b32 %r1, [%rd2+-4]; // gone\n/* \n */ 0f3F800000 0x1fU 017 1.5 \"a b\""),
            [
                Token::Word("ld.shared::cta.b32"),
                Token::Word("%r1"),
                Token::Punct(b','),
                Token::Punct(b'['),
                Token::Word("%rd2"),
                Token::Punct(b'+'),
                Token::Punct(b'-'),
                Token::Int(4),
                Token::Punct(b']'),
                Token::Punct(b';'),
                Token::F32(0x3f80_0000),
                Token::Int(31),
                Token::Int(15),
                Token::F64(1.5f64.to_bits()),
                Token::Str("a b"),
            ]
        );
    }

    #[test]
    fn lines_are_counted() {
        let mut lexer = Lexer::new("a\n/* x\ny */ b\n\"open\nc");
        assert_eq!(lexer.next(), (Token::Word("a"), 1));
        assert_eq!(lexer.next(), (Token::Word("b"), 3));
        assert_eq!(lexer.next(), (Token::Bad("\"open"), 4));
        assert_eq!(lexer.next(), (Token::Word("c"), 5));
        assert_eq!(lexer.next(), (Token::End, 5));
    }

    #[test]
    fn malformed_numbers_are_bad() {
        for word in ["0f12", "0xg", "99999999999999999999", "1.2.3", "0d1"] {
            assert!(matches!(all(word)[..], [Token::Bad(_)]), "{word}");
        }
    }
}
