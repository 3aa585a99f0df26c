use super::*;
use crate::image::Image;
use crate::image::tests::elf;

fn symbols(bytes: &[u8]) -> Symbols {
    let image = Image::parse("image", bytes).unwrap();
    Symbols::of(&image.candidates[0], "image").unwrap()
}

const PTX: &str = r#"
.version 7.8
.target sm_70
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .global .align 8 .b8 elsewhere[8];
// .visible .global .u64 commented_out;
.visible .global .align 8 .b8 __llvm_rpc_client[552];
.visible .global .align 8 .u64 __init_array_object_late_2_65535 = late;
.visible .global .align 8 .u64 __init_array_object_early_1_101 = generic(early);
.visible .global .align 8 .u64 __fini_array_object_x_5 = early;
.global .align 16 .v4 .f32 quad[3][2];
.const .align 4 .u32 table[2] = {1, 2};
.global .attribute(.managed) .s16 managed;
.visible .func helper() { ret; }
.visible .entry _start(
	.param .u32 _start_param_0
)
.maxntid 1024, 1, 1
{
	.global .u32 inside;
	{ // } a brace in a comment
	/* } and another */
	}
	ret;
}
.entry other() { ret; }
.file	1 "a { name.rs"
.section .debug_str { .b8 0 }
"#;

#[test]
fn ptx_directives() {
    let found = symbols(PTX.as_bytes());
    assert_eq!(found.kernels().collect::<Vec<_>>(), ["_start", "other"]);
    assert!(found.has_kernel(START) && !found.has_kernel(BEGIN));
    assert!(found.takes_parameters(START) && !found.takes_parameters("other"));
    assert_eq!(found.global(CLIENT), Some(552));
    assert_eq!(found.global("quad"), Some(96));
    assert_eq!(found.global("table"), Some(8));
    assert_eq!(found.global("managed"), Some(2));
    for absent in ["elsewhere", "commented_out", "inside", "vprintf"] {
        assert_eq!(found.global(absent), None, "{absent}");
    }
    found.check_protocol("image").unwrap();
}

#[test]
fn callbacks_are_sorted_by_priority() {
    let found = symbols(PTX.as_bytes());
    let constructors = found.constructors();
    assert_eq!(constructors[0].symbol, "__init_array_object_early_1_101");
    assert_eq!(constructors[1].priority, 65_535);
    assert_eq!(found.destructors()[0].priority, 5);
}

#[test]
fn old_protocols_are_refused_by_name() {
    let old = ".version 7.8\n.target sm_70\n.visible .global .u64 __llvm_libc_rpc_client;\n";
    let error = symbols(old.as_bytes()).check_protocol("image").unwrap_err();
    assert!(error.to_string().contains("LLVM 17 to 19"), "{error}");
    let odd = ".version 7.8\n.target sm_70\n.visible .global .b8 __llvm_rpc_client[560];\n";
    let error = symbols(odd.as_bytes()).check_protocol("image").unwrap_err();
    assert!(error.to_string().contains("560 bytes"), "{error}");
}

#[test]
fn elf_symbol_tables() {
    let table = [
        ("_start", 0x12, 0x10, 64),
        ("helper", 0x12, 0, 64),
        ("__llvm_rpc_client", 0x11, 0, 552),
        ("hidden", 0x01, 0, 4),
    ];
    let found = symbols(&elf(190, 0x33, 7, 0x5a, &table));
    assert_eq!(found.kernels().collect::<Vec<_>>(), ["_start"]);
    assert_eq!(found.global(CLIENT), Some(552));
    assert_eq!(found.global("hidden"), None);

    let found = symbols(&elf(
        224,
        64,
        4,
        0x3f,
        &[("_start.kd", 0x11, 0, 64), ("_start", 0x12, 0, 8)],
    ));
    assert_eq!(found.kernels().collect::<Vec<_>>(), ["_start"]);
}

#[test]
fn broken_ptx_ends() {
    for length in 0..PTX.len() {
        Symbols::of_ptx(&PTX.as_bytes()[..length]);
    }
}
