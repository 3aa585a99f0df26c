//! Function bodies: statements, instructions, operands.

use super::ast::{Instruction, Linkage, Operand, Statement};
use super::lexer::Token;
use super::{Parsed, Parser, clip};
use crate::ptx::types::Space;

impl<'a> Parser<'a> {
    /// Everything up to the closing brace of the function.
    pub(super) fn body(&mut self) -> Parsed<Vec<Statement<'a>>> {
        let mut statements = Vec::new();
        let mut depth = 0usize;
        loop {
            match self.token {
                Token::Punct(b'{') => {
                    self.advance();
                    depth += 1;
                    statements.push(Statement::BlockStart);
                }
                Token::Punct(b'}') => {
                    self.advance();
                    if depth == 0 {
                        return Ok(statements);
                    }
                    depth -= 1;
                    statements.push(Statement::BlockEnd);
                }
                Token::Punct(b';') => {
                    self.advance();
                }
                Token::End => return self.unexpected("\"}\""),
                _ => {
                    if self.statement(&mut statements).is_err() {
                        if self.diagnostics.len() >= super::MAX_DIAGNOSTICS {
                            return Err(super::Mistake);
                        }
                        self.skip_statement();
                    }
                }
            }
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement<'a>>) -> Parsed<()> {
        let line = self.line;
        let guard = if self.eat(b'@') {
            let negated = self.eat(b'!');
            Some((self.name("a predicate")?, negated))
        } else {
            None
        };
        let word = self.word("an instruction")?;
        if guard.is_some() {
            return self.instruction(guard, word, line, statements);
        }
        match word {
            ".reg" => self.registers(statements),
            ".loc" => {
                let (file, line) = self.loc()?;
                statements.push(Statement::Source { file, line });
                Ok(())
            }
            ".pragma" => {
                self.skip_statement();
                Ok(())
            }
            ".local" | ".shared" | ".param" | ".global" | ".const" => {
                let space = match word {
                    ".local" => Space::Local,
                    ".shared" => Space::Shared,
                    ".param" => Space::Param,
                    ".global" => Space::Global,
                    _ => Space::Const,
                };
                loop {
                    let variable = self.variable(space, Linkage::Internal, line)?;
                    statements.push(Statement::Variable(variable));
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.expect(b';')
            }
            _ if self.eat(b':') => self.labelled(word, statements),
            _ if word.starts_with('.') => self.fail_at(line, format!("unknown directive \"{}\"", clip(word))),
            _ => self.instruction(None, word, line, statements),
        }
    }

    /// What stands behind `name:`.
    fn labelled(&mut self, name: &'a str, statements: &mut Vec<Statement<'a>>) -> Parsed<()> {
        match self.token {
            Token::Word(".callprototype") => {
                self.advance();
                let returns = if self.is(b'(') { self.parameters()? } else { Vec::new() };
                self.name("\"_\"")?;
                let params = if self.is(b'(') { self.parameters()? } else { Vec::new() };
                // .noreturn and the like
                while let Token::Word(word) = self.token
                    && word.starts_with('.')
                {
                    self.advance();
                }
                self.expect(b';')?;
                statements.push(Statement::Prototype { name, returns, params });
            }
            Token::Word(".branchtargets" | ".calltargets") => {
                self.advance();
                let mut labels = vec![self.name("a label")?];
                while self.eat(b',') {
                    labels.push(self.name("a label")?);
                }
                self.expect(b';')?;
                statements.push(Statement::Targets { name, labels });
            }
            _ => statements.push(Statement::Label(name)),
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        guard: Option<(&'a str, bool)>,
        opcode: &'a str,
        line: u32,
        statements: &mut Vec<Statement<'a>>,
    ) -> Parsed<()> {
        let operands = self.operands().inspect_err(|_| {
            self.blame(opcode);
            self.skip_to_semicolon(true);
        })?;
        self.expect(b';')?;
        statements.push(Statement::Instruction(Instruction {
            guard,
            opcode,
            operands,
            line,
        }));
        Ok(())
    }

    fn operands(&mut self) -> Parsed<Vec<Operand<'a>>> {
        let mut operands = Vec::new();
        if !self.is(b';') {
            loop {
                operands.push(self.operand(0)?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        Ok(operands)
    }

    fn operand(&mut self, depth: u32) -> Parsed<Operand<'a>> {
        if depth > 4 {
            return self.fail("operand nested too deeply");
        }
        let operand = match self.token {
            Token::Word("_") => {
                self.advance();
                Operand::Sink
            }
            Token::Word(name) if !name.starts_with('.') => {
                self.advance();
                let offset = self.offset()?;
                Operand::Name(name, offset)
            }
            Token::Int(n) => {
                self.advance();
                Operand::Int(n)
            }
            Token::Punct(b'-') => {
                self.advance();
                match self.token {
                    Token::Int(n) => {
                        self.advance();
                        Operand::Int(n.wrapping_neg())
                    }
                    Token::F64(bits) => {
                        self.advance();
                        Operand::F64((-f64::from_bits(bits)).to_bits())
                    }
                    _ => return self.unexpected("a number"),
                }
            }
            Token::Punct(b'~') => {
                self.advance();
                Operand::Int(!self.integer()? as u64)
            }
            Token::Punct(b'!') => {
                self.advance();
                Operand::Not(self.name("a predicate")?)
            }
            Token::F32(bits) => {
                self.advance();
                Operand::F32(bits)
            }
            Token::F64(bits) => {
                self.advance();
                Operand::F64(bits)
            }
            Token::Punct(open @ (b'{' | b'(')) => {
                self.advance();
                let close = if open == b'{' { b'}' } else { b')' };
                let mut parts = Vec::new();
                while !self.eat(close) {
                    parts.push(self.operand(depth + 1)?);
                    if !self.eat(b',') {
                        self.expect(close)?;
                        break;
                    }
                }
                if open == b'{' {
                    Operand::Vector(parts)
                } else {
                    Operand::List(parts)
                }
            }
            Token::Punct(b'[') => {
                self.advance();
                let base = match self.operand(depth + 1)? {
                    Operand::Name(name, offset) => (Operand::Name(name, 0), offset),
                    number @ Operand::Int(_) => {
                        let offset = self.offset()?;
                        (number, offset)
                    }
                    _ => return self.fail("expected a register, symbol or number in an address"),
                };
                self.expect(b']')?;
                Operand::Address(Box::new(base.0), base.1)
            }
            _ => return self.unexpected("an operand"),
        };
        if self.eat(b'|') {
            let second = self.operand(depth + 1)?;
            return Ok(Operand::Pair(Box::new(operand), Box::new(second)));
        }
        Ok(operand)
    }
}
