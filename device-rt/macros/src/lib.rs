//! The attribute macros of device-rt, which re-exports and explains them.

use proc_macro::{Span, TokenStream};
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{Error, ItemFn, LitInt, parse_macro_input};

/// Makes a function the entry point of the program: it runs once in every thread of the grid.
///
/// It takes nothing, or the arguments of the program (`env::Args`), and returns nothing, an exit code (`i32` or `process::ExitCode`), or
/// a `Result` of these whose error is `Debug`. The exit codes of all threads are OR-ed.
#[proc_macro_attribute]
pub fn main(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand_main(attribute.into(), function)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn expand_main(attribute: Tokens, function: ItemFn) -> syn::Result<Tokens> {
    if !attribute.is_empty() {
        return Err(Error::new_spanned(attribute, "#[device_rt::main] takes no arguments"));
    }
    let signature = &function.sig;
    refuse_unusual(&function)?;
    let name = &signature.ident;
    let start = match signature.inputs.len() {
        0 => quote! { ::device_rt::__start!(#name); },
        1 => {
            let entry = format_ident!("__{name}_with_args");
            let output = &signature.output;
            quote! {
                fn #entry() #output {
                    #name(::device_rt::env::args())
                }
                ::device_rt::__start!(#entry);
            }
        }
        _ => {
            return Err(Error::new_spanned(
                &signature.inputs,
                "main takes nothing, or one argument: device_rt::env::Args",
            ));
        }
    };
    Ok(quote! { #function #start })
}

/// Makes a function a kernel of the image, under its own name, for host programs that launch it themselves.
///
/// Its parameters are plain values and pointers; the function may be `unsafe`.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand_kernel(attribute.into(), function)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn expand_kernel(attribute: Tokens, function: ItemFn) -> syn::Result<Tokens> {
    if !attribute.is_empty() {
        return Err(Error::new_spanned(attribute, "#[device_rt::kernel] takes no arguments"));
    }
    let signature = &function.sig;
    if !signature.generics.params.is_empty() || signature.asyncness.is_some() {
        return Err(Error::new_spanned(signature, "a kernel is neither generic nor async"));
    }
    if let syn::ReturnType::Type(..) = signature.output {
        return Err(Error::new_spanned(&signature.output, "a kernel returns nothing"));
    }
    let name = &signature.ident;
    let mut parameters = Vec::new();
    for (number, input) in signature.inputs.iter().enumerate() {
        let syn::FnArg::Typed(input) = input else {
            return Err(Error::new_spanned(input, "a kernel is no method"));
        };
        let (parameter, kind) = (format_ident!("p{number}"), &input.ty);
        parameters.push(quote! { #parameter: #kind });
    }
    Ok(quote! {
        #function
        ::device_rt::__kernel!(#name, (#(#parameters),*));
    })
}

/// Runs a function before `main`, in one thread. `#[constructor(priority)]` gives it a place among the others: 0 to 65535, lowest first;
/// up to 100 are the runtime's. Without a number it comes last.
#[proc_macro_attribute]
pub fn constructor(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand_init("init", attribute, function)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// Runs a function after `main` and after what `at_exit` registered, in one thread. `#[destructor(priority)]` gives it a place among the
/// others: 0 to 65535, highest first. Without a number it comes first.
#[proc_macro_attribute]
pub fn destructor(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand_init("fini", attribute, function)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// The priority of those that name none: after all that do.
const LAST: u16 = u16::MAX;

fn expand_init(array: &str, attribute: TokenStream, function: ItemFn) -> syn::Result<Tokens> {
    refuse_unusual(&function)?;
    if !function.sig.inputs.is_empty() || !matches!(function.sig.output, syn::ReturnType::Default) {
        return Err(Error::new_spanned(
            &function.sig,
            "constructors and destructors take and return nothing",
        ));
    }
    let priority = if attribute.is_empty() {
        LAST
    } else {
        syn::parse::<LitInt>(attribute)?.base10_parse::<u16>()?
    };
    let name = &function.sig.ident;
    // Symbols are global to the image, function names are not: the place in the source makes the difference.
    let place = Span::call_site();
    let symbol = format!(
        "__{array}_array_object_{}_{name}_{:x}_{}_{}_{priority}",
        std::env::var("CARGO_CRATE_NAME").unwrap_or_default(),
        hash(&place.file()),
        place.line(),
        place.column(),
    );
    // Linkers sort these sections by number, lowest first, as text: the digits must be equally many.
    let section = if priority == LAST {
        format!(".{array}_array")
    } else {
        format!(".{array}_array.{priority:05}")
    };
    Ok(quote! {
        #function
        ::device_rt::__init_object!(#name, #symbol, #section);
    })
}

/// What neither an entry point nor a constructor can be.
fn refuse_unusual(function: &ItemFn) -> syn::Result<()> {
    let signature = &function.sig;
    if let Some(word) = &signature.asyncness {
        return Err(Error::new_spanned(word, "this function cannot be async"));
    }
    if let syn::Safety::Unsafe(word) = &signature.safety {
        return Err(Error::new_spanned(
            word,
            "this function cannot be unsafe: nobody is there to keep its promises",
        ));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &signature.generics,
            "this function cannot be generic",
        ));
    }
    Ok(())
}

/// FNV-1a, which unlike the standard library's hashers gives the same symbols in every build.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
