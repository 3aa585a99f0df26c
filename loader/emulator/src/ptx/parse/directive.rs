//! Module level: linkage, variables, functions, debug sections.

use std::collections::HashSet;

use super::ast::{Ast, Function, Init, Linkage, Statement, Variable};
use super::lexer::Token;
use super::{Parsed, Parser, clip};
use crate::grid::Dim3;
use crate::ptx::types::{Space, Type};

/// Larger objects are refused: no device has them.
const MAX_SIZE: u64 = 1 << 40;
/// The same on the stack of a thread.
const MAX_STACK_SIZE: u64 = 1 << 24;
/// Bytes of the parameters of a kernel (PTX ISA, kernel function parameters).
const MAX_KERNEL_PARAMS: u64 = 32764;
/// More registers in one range are refused: no program has them, and each takes memory here.
const MAX_REGISTERS: u32 = 1 << 20;

impl<'a> Parser<'a> {
    pub(super) fn module(&mut self, ast: &mut Ast<'a>) {
        while self.token != Token::End {
            if self.item(ast).is_err() {
                if self.diagnostics.len() >= super::MAX_DIAGNOSTICS {
                    return;
                }
                self.skip_statement();
                // A brace here belongs to something that could not be understood.
                while matches!(self.token, Token::Punct(b'{' | b'}')) {
                    self.skip_braces();
                }
            }
        }
    }

    fn item(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let mut linkage = Linkage::default();
        loop {
            let line = self.line;
            let word = self.word("a directive")?;
            match word {
                ".version" => match self.token {
                    Token::F64(_) | Token::Int(_) => {
                        self.advance();
                    }
                    _ => return self.unexpected("a version"),
                },
                ".target" => loop {
                    let word = self.name("a target")?;
                    if !is_target(word) {
                        return self.fail_at(line, format!("unknown target \"{}\"", clip(word)));
                    }
                    if !self.eat(b',') {
                        break;
                    }
                },
                ".address_size" => {
                    if self.number_u32("32 or 64")? != 64 {
                        return self.fail_at(line, "only 64-bit addresses (.address_size 64) are supported");
                    }
                }
                ".file" => {
                    let number = self.number_u32("a file number")?;
                    let Token::Str(name) = self.token else {
                        return self.unexpected("a file name");
                    };
                    self.advance();
                    ast.files.push((number, name));
                    while self.eat(b',') {
                        self.integer()?;
                    }
                }
                ".section" => {
                    self.word("a section name")?;
                    if !self.skip_braces() {
                        return self.unexpected("\"}\"");
                    }
                }
                ".pragma" => {
                    self.skip_statement();
                }
                ".alias" => {
                    let alias = self.name("a name")?;
                    self.expect(b',')?;
                    let aliasee = self.name("a name")?;
                    self.expect(b';')?;
                    ast.aliases.push((alias, aliasee, line));
                }
                ".loc" => {
                    self.loc()?;
                }
                ".extern" => {
                    linkage = Linkage::Extern;
                    continue;
                }
                ".visible" => {
                    linkage = Linkage::Visible;
                    continue;
                }
                ".weak" => {
                    linkage = Linkage::Weak;
                    continue;
                }
                ".common" => {
                    linkage = Linkage::Common;
                    continue;
                }
                ".entry" | ".func" => {
                    let function = self.function(word == ".entry", linkage, line)?;
                    ast.functions.push(function);
                }
                ".global" | ".const" | ".shared" | ".local" => {
                    let space = match word {
                        ".global" => Space::Global,
                        ".const" => Space::Const,
                        ".shared" => Space::Shared,
                        _ => Space::Local,
                    };
                    loop {
                        let variable = self.variable(space, linkage, line)?;
                        ast.variables.push(variable);
                        if !self.eat(b',') {
                            break;
                        }
                    }
                    self.expect(b';')?;
                }
                _ => return self.fail_at(line, format!("unknown directive \"{}\"", clip(word))),
            }
            // Stray semicolons are common.
            while self.eat(b';') {}
            return Ok(());
        }
    }

    /// Skips one balanced pair of braces, if one is next; a stray closing brace too. False when the text ends before.
    fn skip_braces(&mut self) -> bool {
        let mut depth = 0usize;
        loop {
            match self.advance() {
                Token::Punct(b'{') => depth += 1,
                Token::Punct(b'}') => depth = depth.saturating_sub(1),
                Token::End => return false,
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
    }

    /// What follows `.loc`.
    pub(super) fn loc(&mut self) -> Parsed<(u32, u32)> {
        let file = self.number_u32("a file number")?;
        let line = self.number_u32("a line number")?;
        self.number_u32("a column")?;
        // function_name $L+n, inlined_at file line column
        while self.eat(b',') {
            match self.word("\"function_name\" or \"inlined_at\"")? {
                "function_name" => {
                    self.name("a label")?;
                    self.offset()?;
                }
                "inlined_at" => {
                    for _ in 0..3 {
                        self.integer()?;
                    }
                }
                word => return self.fail(format!("unknown attribute \"{}\" of .loc", clip(word))),
            }
        }
        Ok((file, line))
    }

    /// What follows the space: `.align 8 .v2 .b32 name[4] = {…}`.
    pub(super) fn variable(&mut self, space: Space, linkage: Linkage, line: u32) -> Parsed<Variable<'a>> {
        let mut align = None;
        let mut vector = 1;
        let element = loop {
            let word = self.word("a type")?;
            match word {
                ".align" => align = Some(self.alignment()?),
                ".v2" => vector = 2,
                ".v4" => vector = 4,
                ".v8" => vector = 8,
                // Hints for kernel parameters: .ptr .global .align 8
                ".ptr" | ".global" | ".const" | ".shared" | ".local" | ".param" => {}
                ".managed" => {}
                ".attribute" => {
                    self.expect(b'(')?;
                    while !self.eat(b')') {
                        if self.token == Token::End {
                            return self.unexpected("\")\"");
                        }
                        self.advance();
                    }
                }
                _ => match word.strip_prefix('.').and_then(Type::parse) {
                    Some(ty) if ty != Type::Pred => break ty,
                    _ => return self.fail(format!("unknown type \"{}\"", clip(word))),
                },
            }
        };
        let mut pointee_align = false;
        while let Token::Word(word @ (".ptr" | ".global" | ".const" | ".shared" | ".local" | ".align")) = self.token {
            self.advance();
            pointee_align |= word == ".ptr";
            if word == ".align" {
                let n = self.alignment()?;
                if !pointee_align {
                    align = Some(n);
                }
            }
        }
        let name = self.name("a name")?;
        let unit = u64::from(element.size()) * vector;
        let mut size = Some(unit);
        while self.eat(b'[') {
            if self.eat(b']') {
                size = None;
                continue;
            }
            let Token::Int(n) = self.token else {
                return self.unexpected("an array size");
            };
            self.advance();
            self.expect(b']')?;
            let most = match space {
                Space::Local | Space::Param => MAX_STACK_SIZE,
                _ => MAX_SIZE,
            };
            size = match size.map(|s| s.checked_mul(n)) {
                None => None,
                Some(Some(size)) if size <= most => Some(size),
                Some(_) => return self.fail_at(line, format!("variable {} is too large", clip(name))),
            };
        }
        let mut init = Vec::new();
        if self.eat(b'=') {
            if matches!(space, Space::Shared | Space::Local | Space::Param) {
                return self.fail_at(line, format!("{}: only .global and .const are initialised", clip(name)));
            }
            self.initialiser(&mut init, 0)?;
            let bytes = init_size(&init, element);
            match size {
                None => size = Some(bytes),
                Some(size) if bytes > size => {
                    return self.fail_at(line, format!("the initialiser of {} is longer than it", clip(name)));
                }
                Some(_) => {}
            }
        }
        Ok(Variable {
            name,
            linkage,
            space,
            element,
            align: align.unwrap_or(unit as u32).max(1),
            size,
            init,
            line,
        })
    }

    fn alignment(&mut self) -> Parsed<u32> {
        let n = self.number_u32("an alignment")?;
        if n.is_power_of_two() && n <= 1 << 16 {
            Ok(n)
        } else {
            self.fail(format!("{n} is no alignment"))
        }
    }

    fn initialiser(&mut self, init: &mut Vec<Init<'a>>, depth: u32) -> Parsed<()> {
        if !self.eat(b'{') {
            let value = self.init_value()?;
            init.push(value);
            return Ok(());
        }
        if depth > 8 {
            return self.fail("initialiser nested too deeply");
        }
        while !self.eat(b'}') {
            self.initialiser(init, depth + 1)?;
            if !self.eat(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        Ok(())
    }

    fn init_value(&mut self) -> Parsed<Init<'a>> {
        match self.token {
            Token::Int(n) => {
                self.advance();
                // 0xff00(symbol): one byte of an address.
                if self.eat(b'(') {
                    let value = self.init_value()?;
                    self.expect(b')')?;
                    return match value {
                        Init::Address { symbol, offset, .. } => Ok(Init::Address {
                            symbol,
                            offset,
                            mask: Some(n),
                        }),
                        _ => self.fail("expected a symbol under a mask"),
                    };
                }
                Ok(Init::Int(n))
            }
            Token::Punct(b'-') => match self.integer() {
                Ok(n) => Ok(Init::Int(n as u64)),
                Err(mistake) => Err(mistake),
            },
            Token::F32(bits) => {
                self.advance();
                Ok(Init::F32(bits))
            }
            Token::F64(bits) => {
                self.advance();
                Ok(Init::F64(bits))
            }
            Token::Word("generic") => {
                self.advance();
                self.expect(b'(')?;
                let symbol = self.name("a symbol")?;
                let inside = self.offset()?;
                self.expect(b')')?;
                let offset = inside.wrapping_add(self.offset()?);
                Ok(Init::Address {
                    symbol,
                    offset,
                    mask: None,
                })
            }
            Token::Word(symbol) if !symbol.starts_with('.') => {
                self.advance();
                let offset = self.offset()?;
                Ok(Init::Address {
                    symbol,
                    offset,
                    mask: None,
                })
            }
            _ => self.unexpected("a constant"),
        }
    }

    fn function(&mut self, is_kernel: bool, linkage: Linkage, line: u32) -> Parsed<Function<'a>> {
        while matches!(self.token, Token::Word(".attribute")) {
            self.advance();
            while !self.eat(b')') {
                if self.token == Token::End {
                    return self.unexpected("\")\"");
                }
                self.advance();
            }
        }
        let returns = if self.is(b'(') { self.parameters()? } else { Vec::new() };
        let name = self.name("a function name")?;
        let params = if self.is(b'(') { self.parameters()? } else { Vec::new() };
        self.check_parameters(name, is_kernel, returns.iter().chain(&params))?;
        let mut function = Function {
            name,
            linkage,
            is_kernel,
            returns,
            params,
            line,
            ..Function::default()
        };
        loop {
            match self.token {
                Token::Punct(b';') => {
                    self.advance();
                    return Ok(function);
                }
                Token::Punct(b'{') => {
                    self.advance();
                    function.body = Some(self.body()?);
                    return Ok(function);
                }
                Token::Word(word @ (".maxntid" | ".reqntid")) => {
                    self.advance();
                    let mut size = [1; 3];
                    for n in &mut size {
                        let line = self.line;
                        *n = self.number_u32("a number of threads")?;
                        if *n == 0 {
                            return self.fail_at(line, format!("{} has blocks of 0 threads", clip(name)));
                        }
                        if !self.eat(b',') {
                            break;
                        }
                    }
                    let size = Dim3::new(size[0], size[1], size[2]);
                    if word == ".maxntid" {
                        function.max_threads = Some(size);
                    } else {
                        function.required_threads = Some(size);
                    }
                }
                Token::Word(
                    ".minnctapersm"
                    | ".maxnctapersm"
                    | ".maxnreg"
                    | ".maxclusterrank"
                    | ".reqnctapercluster"
                    | ".abi_preserve"
                    | ".abi_preserve_control",
                ) => {
                    self.advance();
                    self.integer()?;
                    while self.eat(b',') {
                        self.integer()?;
                    }
                }
                Token::Word(".noreturn" | ".explicitcluster" | ".blocksareclusters") => {
                    self.advance();
                }
                Token::Word(".pragma") => {
                    self.advance();
                    self.skip_statement();
                }
                Token::Word(".loc") => {
                    self.advance();
                    self.loc()?;
                }
                _ => return self.unexpected("the body of the function"),
            }
        }
    }

    fn check_parameters<'v>(
        &mut self,
        function: &str,
        is_kernel: bool,
        parameters: impl Iterator<Item = &'v Variable<'a>>,
    ) -> Parsed<()>
    where
        'a: 'v,
    {
        let mut names = HashSet::new();
        let mut sum = 0u64;
        for parameter in parameters {
            if parameter.name != "_" && !names.insert(parameter.name) {
                return self.fail_at(parameter.line, format!("{} is defined twice", clip(parameter.name)));
            }
            if is_kernel && parameter.size.is_none() {
                return self.fail_at(parameter.line, format!("{} has no size", clip(parameter.name)));
            }
            sum = sum.next_multiple_of(u64::from(parameter.align)) + parameter.size.unwrap_or(0);
            if is_kernel && sum > MAX_KERNEL_PARAMS {
                let function = clip(function);
                return self.fail_at(
                    parameter.line,
                    format!(
                        "the parameters of {function} have {sum} bytes or more, at most {MAX_KERNEL_PARAMS} are passed"
                    ),
                );
            }
        }
        Ok(())
    }

    /// `( .param .b32 a, .reg .b32 b )`
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let mut params = Vec::new();
        self.expect(b'(')?;
        while !self.eat(b')') {
            let line = self.line;
            if !self.eat_word(".param") {
                return if self.eat_word(".reg") {
                    self.fail_at(line, "parameters in registers (.reg) are not supported")
                } else {
                    self.unexpected("\".param\"")
                };
            }
            params.push(self.variable(Space::Param, Linkage::Internal, line)?);
            if !self.eat(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(params)
    }

    pub(super) fn registers(&mut self, statements: &mut Vec<Statement<'a>>) -> Parsed<()> {
        let line = self.line;
        let word = self.word("a type")?;
        let Some(ty) = word.strip_prefix('.').and_then(Type::parse) else {
            return self.fail_at(line, format!("unknown register type \"{}\"", clip(word)));
        };
        loop {
            let name = self.name("a register name")?;
            let mut count = None;
            if self.eat(b'<') {
                let n = self.number_u32("a number of registers")?;
                if n > MAX_REGISTERS {
                    return self.fail_at(line, format!("{n} registers are too many"));
                }
                count = Some(n);
                self.expect(b'>')?;
            }
            statements.push(Statement::Register { name, ty, count, line });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';')
    }
}

fn init_size(init: &[Init<'_>], element: Type) -> u64 {
    init.len() as u64 * u64::from(element.size())
}

/// What `.target` may list: an architecture, and what it is to be compiled for.
fn is_target(word: &str) -> bool {
    let options = [
        "texmode_unified",
        "texmode_independent",
        "texmode_raw",
        "debug",
        "map_f64_to_f32",
    ];
    let architecture = word.strip_prefix("sm_").or(word.strip_prefix("compute_"));
    let number = architecture.map(|name| name.strip_suffix(['a', 'f']).unwrap_or(name));
    options.contains(&word) || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))
}
