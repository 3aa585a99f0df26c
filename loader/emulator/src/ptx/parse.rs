//! Tokens to a tree. Whatever the text holds, this ends with a tree or with diagnostics.

pub(crate) mod ast;
mod directive;
mod instruction;
mod lexer;

use super::Diagnostic;
use ast::Ast;
use lexer::{Lexer, Token};

/// Further mistakes are not worth reading.
const MAX_DIAGNOSTICS: usize = 20;

/// A mistake has been noted; skip to where it makes sense to go on.
struct Mistake;

type Parsed<T> = Result<T, Mistake>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    line: u32,
    diagnostics: Vec<Diagnostic>,
}

/// Parses a whole text.
pub(crate) fn parse(text: &str) -> Result<Ast<'_>, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let mut ast = Ast::default();
    parser.module(&mut ast);
    if parser.diagnostics.is_empty() {
        Ok(ast)
    } else {
        Err(parser.diagnostics)
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let mut lexer = Lexer::new(text);
        let (token, line) = lexer.next();
        Parser {
            lexer,
            token,
            line,
            diagnostics: Vec::new(),
        }
    }

    fn advance(&mut self) -> Token<'a> {
        let token = self.token;
        (self.token, self.line) = self.lexer.next();
        token
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.line, message)
    }

    fn fail_at<T>(&mut self, line: u32, message: impl Into<String>) -> Parsed<T> {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic {
                line,
                message: message.into(),
            });
        }
        Err(Mistake)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let found = match self.token {
            Token::Word(word) | Token::Bad(word) => format!("\"{}\"", clip(word)),
            Token::Int(n) => n.to_string(),
            Token::F32(_) | Token::F64(_) => "a floating-point number".to_owned(),
            Token::Str(_) => "a string".to_owned(),
            Token::Punct(c) if c.is_ascii_graphic() => format!("\"{}\"", c as char),
            Token::Punct(c) => format!("the character {c:#04x}"),
            Token::End => "the end of the text".to_owned(),
        };
        self.fail(format!("expected {wanted}, found {found}"))
    }

    fn is(&self, c: u8) -> bool {
        self.token == Token::Punct(c)
    }

    /// Takes the character if it is next.
    fn eat(&mut self, c: u8) -> bool {
        let found = self.is(c);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, c: u8) -> Parsed<()> {
        if self.eat(c) {
            Ok(())
        } else {
            self.unexpected(&format!("\"{}\"", c as char))
        }
    }

    fn word(&mut self, wanted: &str) -> Parsed<&'a str> {
        match self.token {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => self.unexpected(wanted),
        }
    }

    /// Takes the word if it is next.
    fn eat_word(&mut self, wanted: &str) -> bool {
        let found = self.token == Token::Word(wanted);
        if found {
            self.advance();
        }
        found
    }

    /// A name: a word that is no directive.
    fn name(&mut self, wanted: &str) -> Parsed<&'a str> {
        match self.token {
            Token::Word(word) if !word.starts_with('.') => {
                self.advance();
                Ok(word)
            }
            _ => self.unexpected(wanted),
        }
    }

    /// An integer with its sign.
    fn integer(&mut self) -> Parsed<i64> {
        let negative = self.eat(b'-');
        match self.token {
            Token::Int(n) => {
                self.advance();
                let n = n as i64;
                Ok(if negative { n.wrapping_neg() } else { n })
            }
            _ => self.unexpected("a number"),
        }
    }

    fn number_u32(&mut self, wanted: &str) -> Parsed<u32> {
        match self.token {
            Token::Int(n) if u32::try_from(n).is_ok() => {
                self.advance();
                Ok(n as u32)
            }
            _ => self.unexpected(wanted),
        }
    }

    /// `+ n`, `- n`, `+ -n`, any number of them, or nothing.
    fn offset(&mut self) -> Parsed<i64> {
        let mut sum = 0i64;
        loop {
            // A minus belongs to the number.
            if !self.eat(b'+') && !self.is(b'-') {
                return Ok(sum);
            }
            sum = sum.wrapping_add(self.integer()?);
        }
    }

    /// Puts whose operand it is before what was said last.
    fn blame(&mut self, opcode: &str) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.message = format!("{}: {}", clip(opcode), last.message);
        }
    }

    /// Skips behind the next `;`, or to a brace or the end.
    fn skip_statement(&mut self) {
        self.skip_to_semicolon(false);
    }

    /// The same; a vector among operands may have both its braces.
    fn skip_to_semicolon(&mut self, within_operands: bool) {
        let mut depth = 0usize;
        loop {
            match self.token {
                Token::Punct(b'{') if within_operands => {
                    self.advance();
                    depth += 1;
                }
                Token::Punct(b'}') if depth > 0 => {
                    self.advance();
                    depth -= 1;
                }
                Token::End | Token::Punct(b'{' | b'}') => return,
                Token::Punct(b';') => {
                    self.advance();
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }
}

/// Enough of a word for a message.
fn clip(word: &str) -> &str {
    let end = word.char_indices().nth(60).map_or(word.len(), |(at, _)| at);
    &word[..end]
}
