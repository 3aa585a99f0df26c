//! C and C++ programs against the installed library: each is compiled by every compiler at hand, with shared and static
//! linking, and run; once under valgrind too where that is installed.
#![allow(missing_docs)]

mod toolbox;

use toolbox::{Language, Linking, Toolbox};

#[test]
fn the_library_exports_its_functions_and_nothing_else() {
    let toolbox = Toolbox::get();
    let symbols = toolbox.run("nm", &["-D", "--defined-only", &toolbox.lib("librpc_server.so")]);
    let mut exported: Vec<&str> = symbols.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    exported.sort_unstable();
    let header = std::fs::read_to_string(toolbox.source("include/rpc_server.h")).unwrap();
    assert!(exported.len() >= 18, "{exported:?}");
    for symbol in exported {
        assert!(symbol.starts_with("rpc_"), "{symbol} is exported");
        let declared = [format!(" {symbol}("), format!("*{symbol}("), format!(" {symbol}[")];
        assert!(
            declared.iter().any(|text| header.contains(text.as_str())),
            "{symbol} is not in the header"
        );
    }
}

#[test]
fn the_shared_library_has_a_versioned_name() {
    let toolbox = Toolbox::get();
    let headers = toolbox.run("objdump", &["-p", &toolbox.lib("librpc_server.so")]);
    let soname = headers.lines().find(|line| line.contains("SONAME")).unwrap();
    assert!(soname.ends_with("librpc_server.so.0"), "{soname}");
}

#[test]
fn the_header_is_what_cbindgen_makes() {
    let toolbox = Toolbox::get();
    let Some(cbindgen) = toolbox.find("cbindgen", "CBINDGEN") else {
        eprintln!("skipped: cbindgen is not installed (cargo install cbindgen)");
        return;
    };
    let made = toolbox.run(&cbindgen, &["--quiet", env!("CARGO_MANIFEST_DIR")]);
    let kept = std::fs::read_to_string(toolbox.source("include/rpc_server.h")).unwrap();
    assert!(made == kept, "run cbindgen -o include/rpc_server.h in host-server/c");
}

#[test]
fn a_c_program_embeds_the_library() {
    let toolbox = Toolbox::get();
    for compiler in toolbox.compilers(Language::C) {
        for linking in [Linking::Shared, Linking::Static] {
            let program = toolbox.compile(&compiler, Language::C, "tests/embed.c", linking);
            assert_eq!(toolbox.run(&program, &[]), "printed by the device\n");
        }
    }
}

#[test]
fn a_c_program_leaves_nothing_behind() {
    let toolbox = Toolbox::get();
    let compiler = toolbox.compilers(Language::C).remove(0);
    let program = toolbox.compile(&compiler, Language::C, "tests/embed.c", Linking::Shared);
    toolbox.valgrind(&program);
}
