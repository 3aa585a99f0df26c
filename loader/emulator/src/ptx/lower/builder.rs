//! One function: registers, operands, labels, and the loop over its statements.

use std::collections::{BTreeMap, HashMap};

use super::modifiers::Modifiers;
use super::{Global, Image, Symbols, allocate, layout};
use crate::ptx::Diagnostic;
use crate::ptx::code::{Function, Inst, Op, Piece, Reloc, Symbol};
use crate::ptx::exec::lanes::{Alu, Args, LANES, Pred, Row, Slot};
use crate::ptx::parse::ast::{self, Instruction, Statement};
use crate::ptx::types::{Space, Type};

/// Registers of one function, counted in rows; more is no program.
const MAX_ROWS: u32 = 1 << 22;
/// Bytes of stack of one call; more is no program.
const MAX_FRAME: u32 = 1 << 26;
const MAX_DIAGNOSTICS: usize = 20;

/// Bytes of each result and of each parameter of a function; `None` for those without a size.
pub(super) type Signature = (Vec<Option<u32>>, Vec<Option<u32>>);

/// What went wrong in one instruction.
pub(super) type Lowered<T> = Result<T, String>;

#[derive(Clone, Copy, Debug)]
enum Register {
    /// First row and rows of each.
    Rows {
        first: u32,
        rows: u32,
    },
    Preds {
        first: u32,
    },
}

#[derive(Clone, Copy, Debug)]
struct Range {
    register: Register,
    /// `None`: the name as it stands.
    count: Option<u32>,
}

/// A variable that belongs to the function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// In the stack frame.
    Frame(Piece),
    /// In the parameters of the kernel.
    Param(Piece),
    /// Declared in the body, but of module level.
    Variable(u32),
}

#[derive(Default)]
struct Scope<'a> {
    registers: HashMap<&'a str, Range>,
    places: HashMap<&'a str, Place>,
    /// Where the frame ended when the scope began.
    frame_top: u32,
    /// Holds variables whose address may outlive it.
    keeps_frame: bool,
    id: u32,
}

pub(super) struct Builder<'s, 'a> {
    pub symbols: &'s Symbols<'a>,
    pub image: &'s mut Image,
    pub out: Function,
    scopes: Vec<Scope<'a>>,
    /// The scope that encloses each scope.
    parents: Vec<u32>,
    labels: HashMap<(u32, &'a str), u32>,
    /// Instruction, index in its table, scope, label and line of each branch.
    fixups: Vec<(usize, usize, u32, &'a str, u32)>,
    targets: HashMap<&'a str, Vec<&'a str>>,
    /// Sizes of the results and of the parameters of each prototype.
    pub prototypes: HashMap<&'a str, Signature>,
    consts: HashMap<(u128, u32), Slot>,
    /// Rows of each register, by its first one.
    widths: BTreeMap<u32, u32>,
    frame_top: u32,
    join_next: bool,
    pub line: u32,
    source: (u32, u32),
    guard: Pred,
    diagnostics: Vec<Diagnostic>,
}

pub(super) fn lower_function<'a>(
    function: &ast::Function<'a>,
    symbols: &Symbols<'a>,
    image: &mut Image,
) -> Result<Function, Vec<Diagnostic>> {
    let Some(&Global::Function(index)) = symbols.get(function.name) else {
        return Ok(Function::default());
    };
    let out = image.functions[index as usize].clone();
    let mut builder = Builder {
        symbols,
        image,
        frame_top: out.frame_size,
        out,
        scopes: vec![Scope::default()],
        parents: vec![0],
        labels: HashMap::new(),
        fixups: Vec::new(),
        targets: HashMap::new(),
        prototypes: HashMap::new(),
        consts: HashMap::new(),
        widths: BTreeMap::new(),
        join_next: false,
        line: function.line,
        source: (0, 0),
        guard: Pred::TRUE,
        diagnostics: Vec::new(),
    };
    builder.out.preds = Pred::FIRST_FREE;
    builder.declare_parameters(function);
    for statement in function.body.iter().flatten() {
        if let Err(message) = builder.statement(statement) {
            builder.report(message);
            if builder.diagnostics.len() >= MAX_DIAGNOSTICS {
                break;
            }
        }
    }
    builder.finish()
}

impl<'a> Builder<'_, 'a> {
    fn report(&mut self, message: String) {
        self.diagnostics.push(Diagnostic {
            line: self.line,
            message,
        });
    }

    fn declare_parameters(&mut self, function: &ast::Function<'a>) {
        let params = self.out.params.clone();
        let results = self.out.results.clone();
        let scope = &mut self.scopes[0];
        for (variable, piece) in function.params.iter().zip(params) {
            let place = if function.is_kernel {
                Place::Param(piece)
            } else {
                Place::Frame(piece)
            };
            scope.places.insert(variable.name, place);
        }
        for (variable, piece) in function.returns.iter().zip(results) {
            scope.places.insert(variable.name, Place::Frame(piece));
        }
    }

    fn finish(mut self) -> Result<Function, Vec<Diagnostic>> {
        // A function may end without `ret`.
        self.guard = Pred::TRUE;
        self.emit(Op::Return, Args::NONE);
        for (at, entry, scope, label, line) in std::mem::take(&mut self.fixups) {
            match self.find_label(scope, label) {
                Some(pc) => match &mut self.out.code[at].op {
                    Op::Branch(target) => *target = pc,
                    Op::BranchIndexed(targets) => targets[entry] = pc,
                    _ => {}
                },
                None => self.diagnostics.push(Diagnostic {
                    line,
                    message: format!("unknown label {label}"),
                }),
            }
        }
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        self.out.frame_size = self.out.frame_size.max(self.frame_top).next_multiple_of(8);
        allocate::allocate(&mut self.out, &self.widths);
        Ok(self.out)
    }

    fn find_label(&self, mut scope: u32, label: &str) -> Option<u32> {
        loop {
            if let Some(&pc) = self.labels.get(&(scope, label)) {
                return Some(pc);
            }
            if scope == 0 {
                return None;
            }
            scope = self.parents[scope as usize];
        }
    }

    fn scope(&mut self) -> &mut Scope<'a> {
        // The outermost scope is never closed.
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn statement(&mut self, statement: &Statement<'a>) -> Lowered<()> {
        match statement {
            Statement::Label(name) => {
                let key = (self.scope().id, *name);
                let pc = self.out.code.len() as u32;
                self.join_next = true;
                if self.labels.insert(key, pc).is_some() {
                    return Err(format!("label {name} is defined twice"));
                }
            }
            Statement::Register { name, ty, count, line } => {
                self.line = *line;
                let n = count.unwrap_or(1);
                let register = if *ty == Type::Pred {
                    let first = self.out.preds;
                    self.out.preds = first.saturating_add(n);
                    Register::Preds { first }
                } else {
                    let rows = rows_of(*ty);
                    let first = self.out.rows;
                    self.out.rows = first.saturating_add(n.saturating_mul(rows));
                    Register::Rows { first, rows }
                };
                if self.out.rows > MAX_ROWS || self.out.preds > MAX_ROWS {
                    return Err("too many registers".to_owned());
                }
                if let Register::Rows { first, rows } = register {
                    self.widths.extend((0..n).map(|i| (first + i * rows, rows)));
                }
                let range = Range {
                    register,
                    count: *count,
                };
                if self.scope().registers.insert(name, range).is_some() {
                    return Err(format!("{name} is defined twice"));
                }
            }
            Statement::Variable(variable) => {
                self.line = variable.line;
                self.declare_variable(variable)?;
            }
            Statement::BlockStart => {
                let id = self.parents.len() as u32;
                let parent = self.scope().id;
                self.parents.push(parent);
                self.scopes.push(Scope {
                    frame_top: self.frame_top,
                    id,
                    ..Scope::default()
                });
            }
            Statement::BlockEnd => {
                if self.scopes.len() > 1
                    && let Some(scope) = self.scopes.pop()
                {
                    self.out.frame_size = self.out.frame_size.max(self.frame_top);
                    if scope.keeps_frame {
                        self.scope().keeps_frame = true;
                    } else {
                        self.frame_top = scope.frame_top;
                    }
                }
            }
            Statement::Source { file, line } => self.source = (*file, *line),
            Statement::Targets { name, labels } => {
                self.targets.insert(name, labels.clone());
            }
            Statement::Prototype { name, returns, params } => {
                let sizes = |list: &[ast::Variable<'_>]| {
                    let size = |variable: &ast::Variable<'_>| variable.size.and_then(|size| u32::try_from(size).ok());
                    list.iter().map(size).collect()
                };
                self.prototypes.insert(name, (sizes(returns), sizes(params)));
            }
            Statement::Instruction(instruction) => {
                self.line = instruction.line;
                self.guard = match instruction.guard {
                    None => Pred::TRUE,
                    Some((name, negated)) => {
                        let pred = self.pred_named(name)?;
                        if negated { pred.not() } else { pred }
                    }
                };
                self.instruction(instruction)
                    .map_err(|message| format!("{}: {message}", instruction.opcode))?;
            }
        }
        Ok(())
    }

    fn declare_variable(&mut self, variable: &ast::Variable<'a>) -> Lowered<()> {
        let place = match variable.space {
            Space::Param | Space::Local => {
                let pieces = layout(std::slice::from_ref(variable), &mut self.frame_top);
                if self.frame_top > MAX_FRAME {
                    return Err("too much local memory".to_owned());
                }
                self.out.frame_size = self.out.frame_size.max(self.frame_top);
                if variable.space == Space::Local {
                    self.scope().keeps_frame = true;
                    self.out.local_size += pieces[0].size.next_multiple_of(8);
                }
                Place::Frame(pieces[0])
            }
            space => {
                let index = self.image.variables.len() as u32;
                let (init, relocs) = super::initial(variable, self.symbols, &mut self.image.unresolved)?;
                self.image.variables.push(super::Variable {
                    name: variable.name.to_owned(),
                    space,
                    size: variable.size.unwrap_or(0),
                    align: u64::from(variable.align),
                    init,
                    relocs,
                    is_dynamic_shared: space == Space::Shared && variable.size.is_none(),
                });
                Place::Variable(index)
            }
        };
        match self.scope().places.insert(variable.name, place) {
            None => Ok(()),
            Some(_) => Err(format!("{} is defined twice", variable.name)),
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'a>) -> Lowered<()> {
        let mut words = instruction.opcode.split('.');
        let opcode = words.next().unwrap_or("");
        let mut modifiers = Modifiers::new(words);
        let known = self.int(opcode, &mut modifiers, instruction)?
            || self.float(opcode, &mut modifiers, instruction)?
            || self.convert(opcode, &mut modifiers, instruction)?
            || self.moves(opcode, &mut modifiers, instruction)?
            || self.memory(opcode, &mut modifiers, instruction)?
            || self.control(opcode, &mut modifiers, instruction)?;
        if !known {
            return Err("unknown instruction".to_owned());
        }
        match modifiers.left() {
            Some(word) => Err(format!("unknown modifier .{word}")),
            None => Ok(()),
        }
    }

    // ---- what the families use ----

    /// Appends an instruction under the guard of the present one.
    pub fn emit(&mut self, op: Op, args: Args) {
        self.out.code.push(Inst {
            op,
            args,
            guard: self.guard,
            is_join: std::mem::take(&mut self.join_next),
        });
        self.out.lines.push(self.line);
        self.out.sources.push(self.source);
    }

    pub fn alu(&mut self, run: Alu, args: Args) {
        self.emit(Op::Alu(run), args);
    }

    /// Emits a branch to be patched when all labels are known.
    pub fn branch(&mut self, label: &'a str) {
        let scope = self.scope().id;
        self.fixups.push((self.out.code.len(), 0, scope, label, self.line));
        self.emit(Op::Branch(0), Args::NONE);
        // Lanes that leave a loop one after the other wait for each other behind it.
        self.join_next = true;
    }

    pub fn branch_indexed(&mut self, index: Slot, table: &str) -> Lowered<()> {
        let labels = self.targets.get(table).cloned();
        let labels = labels.ok_or_else(|| format!("unknown branch table {table}"))?;
        let scope = self.scope().id;
        for (entry, label) in labels.iter().enumerate() {
            self.fixups.push((self.out.code.len(), entry, scope, label, self.line));
        }
        let args = Args { a: index, ..Args::NONE };
        self.emit(Op::BranchIndexed(vec![0; labels.len()].into()), args);
        Ok(())
    }

    /// Whether a list of labels or functions has that name.
    pub fn has_targets(&self, name: &str) -> bool {
        self.targets.contains_key(name)
    }

    /// A fresh register of `rows` rows.
    pub fn temp(&mut self, rows: u32) -> Slot {
        let slot = Slot::register(self.out.rows);
        self.widths.insert(self.out.rows, rows);
        self.out.rows += rows;
        slot
    }

    pub fn temp_pred(&mut self) -> Pred {
        let pred = Pred::new(self.out.preds);
        self.out.preds += 1;
        pred
    }

    fn range(&self, name: &str) -> Option<(Register, u32)> {
        for scope in self.scopes.iter().rev() {
            if let Some(range) = scope.registers.get(name)
                && range.count.is_none()
            {
                return Some((range.register, 0));
            }
            // %rd12 is number 12 of %rd<…>; the stem may itself end in digits.
            let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
            for at in name.len() - digits..name.len() {
                if let Some(range) = scope.registers.get(&name[..at])
                    && let Some(count) = range.count
                    && let Ok(index) = name[at..].parse::<u32>()
                    && index < count
                {
                    return Some((range.register, index));
                }
            }
        }
        None
    }

    /// The row register of that name and its number of rows.
    pub fn register(&self, name: &str) -> Option<(Slot, u32)> {
        match self.range(name)? {
            (Register::Rows { first, rows }, index) => Some((Slot::register(first + index * rows), rows)),
            _ => None,
        }
    }

    pub fn pred_named(&self, name: &str) -> Lowered<Pred> {
        match self.range(name) {
            Some((Register::Preds { first }, index)) => Ok(Pred::new(first + index)),
            _ => Err(format!("{name} is no predicate register")),
        }
    }

    pub fn place(&self, name: &str) -> Option<Place> {
        let own = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.places.get(name).copied());
        own.or_else(|| match self.symbols.get(name) {
            Some(&Global::Variable(index)) => Some(Place::Variable(index)),
            _ => None,
        })
    }

    /// A constant, the same in all lanes.
    pub fn constant(&mut self, value: u128, rows: u32) -> Slot {
        let out = &mut self.out;
        *self.consts.entry((value, rows)).or_insert_with(|| {
            let slot = Slot::constant(out.consts.len() as u32);
            push_constant(&mut out.consts, value, rows);
            slot
        })
    }

    /// The address of a module-level symbol, known when the module is loaded.
    pub fn address_of(&mut self, symbol: Symbol, offset: i64) -> Slot {
        let known = self
            .out
            .relocs
            .iter()
            .find(|r| r.symbol == symbol && r.offset == offset);
        if let Some(reloc) = known {
            return Slot::constant(reloc.row);
        }
        let row = self.out.consts.len() as u32;
        push_constant(&mut self.out.consts, 0, 2);
        self.out.relocs.push(Reloc { row, symbol, offset });
        Slot::constant(row)
    }
}

fn push_constant(consts: &mut Vec<Row>, value: u128, rows: u32) {
    let word = |n: usize| (value >> (32 * n)) as u32;
    let width = rows as usize;
    // Lane beside lane, each `rows` words wide.
    let words: Vec<u32> = (0..LANES * width).map(|at| word(at % width)).collect();
    for row in words.chunks_exact(LANES) {
        let mut out = Row::ZERO;
        out.0.copy_from_slice(row);
        consts.push(out);
    }
}

/// Rows that a register of this type takes.
pub(super) fn rows_of(ty: Type) -> u32 {
    match ty.size() {
        16 => 4,
        8 => 2,
        _ => 1,
    }
}
