//! C and C++ programs against the installed library: each is compiled by every compiler at hand, with shared and static
//! linking, and run; once under valgrind too where that is installed.

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
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut made = Vec::new();
    cbindgen::generate(folder).unwrap().write(&mut made);
    let header = format!("{folder}/include/rpc_server.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&header, &made).unwrap();
    }
    let kept = std::fs::read(&header).unwrap();
    assert!(
        made == kept,
        "the header is not that of these sources: run this test with BLESS=1"
    );
}

#[test]
fn a_c_program_embeds_the_library() {
    embeds(Language::C, "tests/embed.c", "printed by the device\n");
}

#[test]
fn misuse_is_a_status() {
    embeds(Language::C, "tests/misuse.c", "");
}

/// It tells what it prints from what the library must not print, on standard error too.
#[test]
fn the_library_keeps_out_of_its_program() {
    embeds(Language::C, "tests/conduct.c", "one\ntwo\nONE\nTWO\n");
}

#[test]
fn a_cpp_program_embeds_the_library() {
    embeds(Language::Cpp, "tests/embed.cpp", "");
}

/// What the device prints goes nowhere, and then it asks for the end of the process, which the options allow.
#[test]
fn the_process_ends_when_asked_to_and_not_before() {
    let toolbox = Toolbox::get();
    let compiler = toolbox.compilers(Language::C).remove(0);
    let program = toolbox.compile(&compiler, Language::C, "tests/ending.c", Linking::Shared);
    assert_eq!(toolbox.status(&program), Some(7));
}

#[test]
fn an_offload_plugin_runs() {
    embeds(Language::Cpp, "tests/plugin.cpp", "");
}

/// The same plugin over the CUDA driver, which the emulator stands for: two devices, a kernel that calls malloc and free.
#[test]
fn an_offload_plugin_runs_over_an_emulated_driver() {
    let toolbox = Toolbox::get();
    let driver = toolbox.built("libemulator_cuda.so");
    for compiler in toolbox.compilers(Language::Cpp) {
        let program = toolbox.compile(&compiler, Language::Cpp, "tests/offload.cpp", Linking::Shared);
        toolbox.run_with(&program, &[&driver], &[("GPU_EMULATOR_DEVICES", "2")]);
    }
}

/// Runs a program as made by each compiler, with each kind of library, and once more under valgrind.
fn embeds(language: Language, source: &str, printed: &str) {
    let toolbox = Toolbox::get();
    for compiler in toolbox.compilers(language) {
        for linking in [Linking::Shared, Linking::Static] {
            let program = toolbox.compile(&compiler, language, source, linking);
            assert_eq!(toolbox.run_aloud(&program), printed);
        }
    }
    if let Some(compiler) = toolbox.compilers(language).first() {
        let program = toolbox.compile(compiler, language, source, Linking::Shared);
        toolbox.valgrind(&program);
    }
}

#[test]
fn the_example_of_the_readme_compiles() {
    let toolbox = Toolbox::get();
    let readme = std::fs::read_to_string(toolbox.source("README.md")).unwrap();
    let example = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
    let source = toolbox.write("example.c", example.expect("the README has an example in C"));
    for (language, compilers) in [Language::C, Language::Cpp].map(|language| (language, toolbox.compilers(language))) {
        for compiler in compilers {
            toolbox.check(&compiler, language, &source);
        }
    }
}

#[test]
fn cmake_finds_the_library() {
    let toolbox = Toolbox::get();
    let Some(cmake) = toolbox.find("cmake", "CMAKE") else {
        eprintln!("skipped: cmake is not installed");
        return;
    };
    let lists = format!(
        "cmake_minimum_required(VERSION 3.16)\nproject(embed C)\nfind_package(RpcServer 0.1 REQUIRED)\n\
         add_executable(shared {0})\ntarget_link_libraries(shared RpcServer::rpc_server Threads::Threads)\n\
         add_executable(static {0})\ntarget_link_libraries(static RpcServer::rpc_server_static)\n",
        toolbox.source("tests/embed.c")
    );
    let lists = toolbox.write("cmake/CMakeLists.txt", &lists);
    let folder = std::path::Path::new(&lists).parent().unwrap().display().to_string();
    let build = format!("{folder}/build");
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", toolbox.prefix());
    toolbox.run(&cmake, &["-S", &folder, "-B", &build, &prefix]);
    toolbox.run(&cmake, &["--build", &build]);
    for program in ["shared", "static"] {
        assert_eq!(
            toolbox.run(&format!("{build}/{program}"), &[]),
            "printed by the device\n"
        );
    }
}
