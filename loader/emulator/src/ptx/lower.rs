//! Tree to code: names become indices, opcodes become functions, addresses become relocations.

mod allocate;
mod builder;
mod compare;
mod control;
mod convert;
mod float;
mod half;
mod int;
mod logic;
mod memory;
mod modifiers;
mod moves;
mod operand;

use std::collections::HashMap;

use super::Diagnostic;
use super::code::{Function, Piece, Symbol, System};
use super::parse::ast::{self, Ast, Init, Linkage};
use super::types::Space;
use crate::grid::Dim3;

/// A module, decoded, without addresses.
#[derive(Debug, Default)]
pub(crate) struct Image {
    pub functions: Vec<Function>,
    pub kernels: Vec<KernelInfo>,
    pub variables: Vec<Variable>,
    pub files: Vec<(u32, String)>,
    /// Symbols that are used and that nothing defines.
    pub unresolved: Vec<String>,
}

/// What a kernel declares.
#[derive(Clone, Debug)]
pub(crate) struct KernelInfo {
    pub function: u32,
    pub params: Vec<super::Param>,
    pub param_size: u32,
    pub max_threads: u32,
    pub required_block: Option<Dim3>,
}

/// A module-level variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub space: Space,
    pub size: u64,
    pub align: u64,
    /// Initial bytes; the rest is zero.
    pub init: Vec<u8>,
    /// Addresses in the initial bytes: position, whose address, what to add, which byte of it if only one.
    pub relocs: Vec<(u64, Symbol, i64, Option<u32>)>,
    /// `.extern .shared`: begins where static shared memory ends.
    pub is_dynamic_shared: bool,
}

/// What a name of module level stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Global {
    Variable(u32),
    Function(u32),
    System(System),
    /// Declared here, defined nowhere.
    External,
}

pub(crate) type Symbols<'a> = HashMap<&'a str, Global>;

/// Threads per block of a kernel that does not say.
const MAX_THREADS: u32 = 1024;
const MAX_DIAGNOSTICS: usize = 20;
/// Bytes of all constant variables of a module (PTX ISA, constant state space).
const MAX_CONSTANTS: u64 = 1 << 16;

pub(crate) fn lower(ast: &Ast<'_>) -> Result<Image, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut image = Image {
        files: ast
            .files
            .iter()
            .map(|(number, name)| (*number, (*name).to_owned()))
            .collect(),
        ..Image::default()
    };
    let symbols = declare(ast, &mut image, &mut diagnostics);
    for variable in &ast.variables {
        if let Some(&Global::Variable(index)) = symbols.get(variable.name)
            && !variable.init.is_empty()
            && image.variables[index as usize].init.is_empty()
        {
            let mut unresolved = Vec::new();
            match initial(variable, &symbols, &mut unresolved) {
                Ok((init, relocs)) => {
                    image.variables[index as usize].init = init;
                    image.variables[index as usize].relocs = relocs;
                }
                Err(message) => diagnostics.push(Diagnostic {
                    line: variable.line,
                    message,
                }),
            }
            image.unresolved.extend(unresolved);
        }
    }
    for function in ast.functions.iter().filter(|f| f.body.is_some()) {
        let Some(&Global::Function(index)) = symbols.get(function.name) else {
            continue;
        };
        // Of several weak definitions the first counts.
        if !image.functions[index as usize].code.is_empty() {
            continue;
        }
        if function.is_kernel {
            image.kernels.push(kernel_info(function, index));
        }
        match builder::lower_function(function, &symbols, &mut image) {
            Ok(code) => image.functions[index as usize] = code,
            Err(more) => diagnostics.extend(more),
        }
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
    }
    check_constants(ast, &mut diagnostics);
    image.unresolved.sort();
    image.unresolved.dedup();
    if diagnostics.is_empty() {
        Ok(image)
    } else {
        diagnostics.truncate(MAX_DIAGNOSTICS);
        Err(diagnostics)
    }
}

/// A module's constants have to fit into what devices have.
fn check_constants(ast: &Ast<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let constants = ast.variables.iter().filter(|variable| variable.space == Space::Const);
    let mut sum = 0u64;
    for variable in constants {
        sum = sum.saturating_add(variable.size.unwrap_or(0));
        if sum > MAX_CONSTANTS {
            diagnostics.push(Diagnostic {
                line: variable.line,
                message: format!(
                    "{}: with it constants have {sum} bytes, at most {MAX_CONSTANTS} fit",
                    variable.name
                ),
            });
            return;
        }
    }
}

/// Gives every name of module level its meaning.
fn declare<'a>(ast: &Ast<'a>, image: &mut Image, diagnostics: &mut Vec<Diagnostic>) -> Symbols<'a> {
    let mut symbols = Symbols::new();
    let mut not_supported: Vec<&ast::Variable<'_>> = Vec::new();
    let mut duplicate = |name: &str, line| {
        diagnostics.push(Diagnostic {
            line,
            message: format!("{name} is defined twice"),
        });
    };
    for variable in &ast.variables {
        if variable.space == Space::Local {
            not_supported.push(variable);
            continue;
        }
        let is_dynamic_shared =
            variable.space == Space::Shared && (variable.linkage == Linkage::Extern || variable.size.is_none());
        if variable.linkage == Linkage::Extern && !is_dynamic_shared {
            symbols.entry(variable.name).or_insert(Global::External);
            continue;
        }
        match symbols.get(variable.name) {
            None | Some(Global::External) => {}
            Some(_) if matches!(variable.linkage, Linkage::Weak | Linkage::Common) => continue,
            Some(_) => {
                duplicate(variable.name, variable.line);
                continue;
            }
        }
        symbols.insert(variable.name, Global::Variable(image.variables.len() as u32));
        image.variables.push(Variable {
            name: variable.name.to_owned(),
            space: variable.space,
            size: variable.size.unwrap_or(0),
            align: u64::from(variable.align),
            init: Vec::new(),
            relocs: Vec::new(),
            is_dynamic_shared,
        });
    }
    for function in &ast.functions {
        if function.body.is_none() {
            let global = system(function.name).map_or(Global::External, Global::System);
            symbols.entry(function.name).or_insert(global);
            continue;
        }
        if matches!(
            symbols.get(function.name),
            Some(Global::Variable(_) | Global::Function(_))
        ) {
            if function.linkage == Linkage::Weak {
                continue;
            }
            duplicate(function.name, function.line);
            continue;
        }
        symbols.insert(function.name, Global::Function(image.functions.len() as u32));
        image.functions.push(signature(function));
    }
    for &(alias, aliasee, line) in &ast.aliases {
        match symbols.get(aliasee) {
            Some(&global @ Global::Function(_)) => {
                symbols.insert(alias, global);
            }
            _ => diagnostics.push(Diagnostic {
                line,
                message: format!("{alias} is an alias of {aliasee}, which is no function of this module"),
            }),
        }
    }
    diagnostics.extend(not_supported.into_iter().map(|variable| Diagnostic {
        line: variable.line,
        message: format!(
            "{}: .local variables outside functions are not supported",
            variable.name
        ),
    }));
    symbols
}

fn system(name: &str) -> Option<System> {
    Some(match name {
        "vprintf" => System::Vprintf,
        "malloc" => System::Malloc,
        "free" => System::Free,
        "__assertfail" => System::AssertFail,
        _ => return None,
    })
}

/// What callers need to know of a function.
fn signature(function: &ast::Function<'_>) -> Function {
    let mut out = Function {
        name: function.name.to_owned(),
        is_kernel: function.is_kernel,
        ..Function::default()
    };
    let mut top = 0;
    out.params = layout(&function.params, &mut top);
    if function.is_kernel {
        top = 0;
    }
    out.results = layout(&function.returns, &mut top);
    out.frame_size = top;
    out
}

/// Places variables one behind the other from `top` on.
fn layout(variables: &[ast::Variable<'_>], top: &mut u32) -> Vec<Piece> {
    let place = |variable: &ast::Variable<'_>| {
        let size = u32::try_from(variable.size.unwrap_or(0))
            .unwrap_or(u32::MAX / 4)
            .min(1 << 24);
        let offset = top.next_multiple_of(variable.align);
        *top = offset.saturating_add(size).min(1 << 28);
        Piece { offset, size }
    };
    variables.iter().map(place).collect()
}

fn kernel_info(function: &ast::Function<'_>, index: u32) -> KernelInfo {
    let mut param_size = 0;
    let pieces = layout(&function.params, &mut param_size);
    let params = pieces
        .iter()
        .zip(&function.params)
        .map(|(piece, variable)| super::Param {
            offset: piece.offset,
            size: piece.size,
            align: variable.align,
        });
    let threads = |size: Dim3| u32::try_from(size.count()).unwrap_or(u32::MAX);
    KernelInfo {
        function: index,
        params: params.collect(),
        param_size,
        max_threads: function
            .required_threads
            .or(function.max_threads)
            .map_or(MAX_THREADS, threads),
        required_block: function.required_threads,
    }
}

type Initial = (Vec<u8>, Vec<(u64, Symbol, i64, Option<u32>)>);

/// The initial bytes of a variable.
fn initial(
    variable: &ast::Variable<'_>,
    symbols: &Symbols<'_>,
    unresolved: &mut Vec<String>,
) -> Result<Initial, String> {
    let size = variable.element.size() as usize;
    let mut bytes = Vec::with_capacity(variable.init.len() * size);
    let mut relocs = Vec::new();
    for value in &variable.init {
        let raw: u128 = match *value {
            Init::Int(n) => n as i64 as i128 as u128,
            Init::F32(bits) if size == 8 => u128::from(f64::from(f32::from_bits(bits)).to_bits()),
            Init::F32(bits) => u128::from(bits),
            Init::F64(bits) if size == 4 => u128::from((f64::from_bits(bits) as f32).to_bits()),
            Init::F64(bits) => u128::from(bits),
            Init::Address { symbol, offset, mask } => {
                // 0xff00(x) is byte 1 of the address of x.
                let byte = match mask {
                    None => None,
                    Some(mask) if mask.count_ones() == 8 && mask.trailing_zeros() % 8 == 0 => {
                        Some(mask.trailing_zeros())
                    }
                    Some(mask) => return Err(format!("mask {mask:#x} in an initialiser")),
                };
                if byte.is_none() && size != 8 {
                    return Err(format!("the address of {symbol} has 8 bytes, not {size}"));
                }
                let target = match symbols.get(symbol) {
                    Some(&Global::Variable(index)) => Some(Symbol::Variable(index)),
                    Some(&Global::Function(index)) => Some(Symbol::Function(index)),
                    Some(Global::External | Global::System(_)) => {
                        unresolved.push(symbol.to_owned());
                        None
                    }
                    None => return Err(format!("unknown symbol {symbol} in an initialiser")),
                };
                if let Some(target) = target {
                    relocs.push((bytes.len() as u64, target, offset, byte));
                }
                0
            }
        };
        bytes.extend_from_slice(&raw.to_le_bytes()[..size]);
    }
    Ok((bytes, relocs))
}
