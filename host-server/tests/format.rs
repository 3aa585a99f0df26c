//! The `printf` engine beside the C library of this machine, on generated formats and arguments.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use host_server::format::{Format, FormatError, Layout, MAX_FIELD, MAX_PADDING};
use proptest::prelude::*;
use std::ffi::{CString, c_char};

/// An argument as a C program passes it.
#[derive(Clone, Debug)]
enum Argument {
    /// `int`, or a shorter type promoted to it.
    Int(i32),
    /// Any integer of 64 bits.
    Long(u64),
    Double(f64),
    /// A string, or a null pointer.
    Text(Option<CString>),
}

/// A directive and its arguments in order.
#[derive(Clone, Debug)]
struct Case {
    text: String,
    arguments: Vec<Argument>,
}

/// The argument block as a compiler lays it out.
fn block(arguments: &[Argument], layout: Layout) -> Vec<u8> {
    let mut block = Vec::new();
    for argument in arguments {
        let bytes: Vec<u8> = match argument {
            Argument::Int(value) => value.to_le_bytes().to_vec(),
            Argument::Long(value) => value.to_le_bytes().to_vec(),
            Argument::Double(value) => value.to_le_bytes().to_vec(),
            Argument::Text(None) => vec![0; 8],
            // Any address will do: the engine only asks for it.
            Argument::Text(Some(text)) => (text.as_ptr() as u64).to_le_bytes().to_vec(),
        };
        if layout == Layout::Natural {
            block.resize(block.len().next_multiple_of(bytes.len()), 0xA5);
        }
        block.extend(bytes);
    }
    block
}

/// What this project's engine prints.
fn ours(format: &str, arguments: &[Argument], layout: Layout) -> Result<Vec<u8>, FormatError> {
    let block = block(arguments, layout);
    let format = Format::new(format.as_bytes(), layout)?;
    assert_eq!(format.args_size(), block.len(), "size of the argument block");
    let bound = format.bind(&block)?;
    let strings: Vec<&[u8]> = bound
        .strings()
        .map(|address| {
            arguments
                .iter()
                .find_map(|argument| match argument {
                    Argument::Text(Some(text)) if text.as_ptr() as u64 == address => Some(text.to_bytes_with_nul()),
                    _ => None,
                })
                .expect("the engine asked for a string that is none")
        })
        .collect();
    let mut out = b"before".to_vec();
    let count = bound.render(&strings, &mut out)?;
    assert_eq!(count as usize, out.len() - 6);
    Ok(out.split_off(6))
}

/// What the C library prints.
///
/// In the calling convention of x86-64 variable arguments of the integer class and floats come from separate places, each in
/// its own order, so one call with 16 integers followed by 8 doubles serves every mixture of up to so many.
fn theirs(format: &str, arguments: &[Argument]) -> Vec<u8> {
    let mut words = [0u64; 16];
    let mut doubles = [0f64; 8];
    let (mut word, mut double) = (words.iter_mut(), doubles.iter_mut());
    for argument in arguments {
        match argument {
            Argument::Int(value) => *word.next().unwrap() = *value as u32 as u64,
            Argument::Long(value) => *word.next().unwrap() = *value,
            Argument::Double(value) => *double.next().unwrap() = *value,
            Argument::Text(text) => *word.next().unwrap() = text.as_ref().map_or(0, |text| text.as_ptr() as u64),
        }
    }
    let format = CString::new(format).unwrap();
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = words;
    let [q, r, s, t, u, v, w, x] = doubles;
    let print = |buffer: *mut c_char, size: usize| {
        // SAFETY: the buffer has `size` bytes; the format is a C string whose directives find arguments of their class
        // among those passed, strings being null or live C strings.
        unsafe {
            libc::snprintf(
                buffer,
                size,
                format.as_ptr(),
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h,
                i,
                j,
                k,
                l,
                m,
                n,
                o,
                p,
                q,
                r,
                s,
                t,
                u,
                v,
                w,
                x,
            )
        }
    };
    let length = usize::try_from(print(std::ptr::null_mut(), 0)).expect("the C library refused a format");
    let mut buffer = vec![0u8; length + 1];
    print(buffer.as_mut_ptr().cast(), buffer.len());
    buffer.pop();
    buffer
}

fn flags() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(vec!["-", "+", " ", "#", "0", "'"]), 0..4)
        .prop_map(|flags| flags.concat())
}

/// A width or precision: none, a number or `*` with its argument.
fn count(most: i32) -> impl Strategy<Value = (String, Option<i32>)> {
    prop_oneof![
        2 => Just((String::new(), None)),
        2 => (0..most).prop_map(|count| (count.to_string(), None)),
        1 => (-most..most).prop_map(|count| ("*".to_owned(), Some(count))),
    ]
}

fn integers() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (0u32..64, any::<bool>()).prop_map(|(bit, minus)| (1u64 << bit).wrapping_sub(u64::from(minus))),
        0u64..20
    ]
}

fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => any::<u64>().prop_map(f64::from_bits),
        // Ties and near-ties of decimal rounding.
        3 => (-100_000i64..100_000, 0i32..12).prop_map(|(n, bits)| n as f64 / f64::from(1 << bits)),
        2 => (any::<i32>(), -20i32..20).prop_map(|(n, power)| f64::from(n) * 10f64.powi(power)),
        1 => proptest::sample::select(vec![
            0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0, 9.5, 99.5,
            999999.5, 0.0001, 0.00001, 9.9999995e-5, 1e22, 1e23,
        ]),
    ]
}

/// One directive with its arguments.
fn case() -> impl Strategy<Value = Case> {
    let integer = (
        proptest::sample::select(vec!["", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"]),
        proptest::sample::select("diuoxXbB".chars().collect::<Vec<_>>()),
        integers(),
    )
        .prop_map(|(length, conversion, value)| {
            let argument = if ["", "h", "hh"].contains(&length) {
                Argument::Int(value as i32)
            } else {
                Argument::Long(value)
            };
            (format!("{length}{conversion}"), argument)
        });
    let float = (
        proptest::sample::select(vec!["", "l"]),
        proptest::sample::select("fFeEgGaA".chars().collect::<Vec<_>>()),
        doubles(),
    )
        .prop_map(|(length, conversion, value)| (format!("{length}{conversion}"), Argument::Double(value)));
    let character = any::<u8>().prop_map(|byte| ("c".to_owned(), Argument::Int(i32::from(byte))));
    let pointer = integers().prop_map(|value| ("p".to_owned(), Argument::Long(value)));
    let string = proptest::option::weighted(0.8, "[ -~é漢]{0,70}").prop_map(|text| {
        (
            "s".to_owned(),
            Argument::Text(text.map(|text| CString::new(text).unwrap())),
        )
    });
    let value = prop_oneof![4 => integer, 4 => float, 1 => character, 1 => pointer, 3 => string];
    (flags(), count(90), count(60), any::<bool>(), value).prop_map(
        |(flags, width, precision, dot, (conversion, value))| {
            let mut text = format!("%{flags}{}", width.0);
            let mut arguments: Vec<_> = width.1.map(Argument::Int).into_iter().collect();
            if dot {
                text += ".";
                text += &precision.0;
                arguments.extend(precision.1.map(Argument::Int));
            }
            text += &conversion;
            arguments.push(value);
            Case { text, arguments }
        },
    )
}

/// Whether C defines the answer, and this machine's C library gives it.
fn comparable(case: &Case) -> bool {
    let (conversion, flags) = (case.text.as_bytes()[case.text.len() - 1], &case.text);
    let precise = flags.contains('.');
    match conversion {
        // C: "#, 0: for other conversions, the behavior is undefined", and so is a precision for %c and %p.
        b'c' => !flags.contains('#') && !flags.contains('0') && !precise,
        b'p' => !flags.contains('#') && !flags.contains('0') && !precise,
        b's' => !flags.contains('#') && !flags[..flags.len() - 1].contains('0'),
        // The GNU C library 2.36 loses the zeros that # keeps where rounding reaches the next power of ten.
        b'g' | b'G' => !flags.contains('#') || !case.arguments.last().is_some_and(rounds_to_power_of_ten),
        _ => true,
    }
}

fn rounds_to_power_of_ten(argument: &Argument) -> bool {
    let Argument::Double(value) = argument else {
        return false;
    };
    (0..60).any(|decimals| {
        let text = format!("{:.decimals$e}", value.abs());
        text.starts_with('1')
            && text[1..]
                .split('e')
                .next()
                .is_some_and(|rest| rest.trim_matches(['.', '0']).is_empty())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_directive_prints_what_the_c_library_prints(case in case().prop_filter("not to be compared", comparable)) {
        for layout in [Layout::Natural, Layout::Packed] {
            let ours = ours(&case.text, &case.arguments, layout).unwrap();
            let theirs = theirs(&case.text, &case.arguments);
            prop_assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs), "{:?}", case);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_formats_print_what_the_c_library_prints(
        cases in proptest::collection::vec((case().prop_filter("not to be compared", comparable), "[ -$&-~\n]{0,12}(%%)?"), 0..5)
    ) {
        let text: String = cases.iter().flat_map(|(case, literal)| [literal.as_str(), case.text.as_str()]).collect();
        let arguments: Vec<_> = cases.iter().flat_map(|(case, _)| case.arguments.clone()).collect();
        for layout in [Layout::Natural, Layout::Packed] {
            let ours = ours(&text, &arguments, layout).unwrap();
            let theirs = theirs(&text, &arguments);
            prop_assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs), "{:?}", text);
        }
    }

    #[test]
    fn no_bytes_harm_the_engine(
        format in proptest::collection::vec(prop_oneof![
            any::<u8>(), proptest::sample::select(b"%%%%%*.0123456789-+# 'hlLjztqwdiuoxXbBcspfFeEgGaAn$".to_vec())
        ], 0..60),
        block in proptest::collection::vec(any::<u8>(), 0..200),
        packed: bool,
    ) {
        let layout = if packed { Layout::Packed } else { Layout::Natural };
        let mut out = Vec::new();
        if let Ok(bound) = Format::new(&format, layout).and_then(|format| format.bind(&block)) {
            let strings: Vec<_> = bound.strings().map(|_| b"text").collect();
            match bound.render(&strings, &mut out) {
                Ok(count) => prop_assert_eq!(count as usize, out.len()),
                Err(_) => prop_assert!(out.is_empty()),
            }
            prop_assert!(out.len() <= MAX_PADDING + 400 * format.len());
        }
    }
}

/// Every conversion under every set of flags, with widths and precisions of each kind, each length, and values at the edges of their
/// types. Lengths and values take turns: all pairs of any two come together, not all of everything.
#[test]
fn every_directive_prints_what_the_c_library_prints() {
    const WIDTHS: [(&str, Option<i32>); 8] = [
        ("", None),
        ("1", None),
        ("9", None),
        ("30", None),
        ("700", None),
        ("*", Some(12)),
        ("*", Some(-12)),
        ("*", Some(0)),
    ];
    const PRECISIONS: [(&str, Option<i32>); 10] = [
        ("", None),
        (".", None),
        (".0", None),
        (".1", None),
        (".6", None),
        (".17", None),
        (".40", None),
        (".1100", None),
        (".*", Some(5)),
        (".*", Some(-1)),
    ];
    const LENGTHS: [&str; 10] = ["", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"];
    const INTEGERS: [u64; 15] = [
        0,
        1,
        7,
        8,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 32,
        i64::MAX as u64,
        u64::MAX,
    ];
    #[rustfmt::skip]
    const DOUBLES: [f64; 23] = [
        0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 9.5, 99.995, 0.1, 1e-4, 9.9999995e-5, 1e-5, 123456.0, 999999.5, 1e22, -1e23,
        f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::EPSILON, f64::INFINITY, f64::NEG_INFINITY, f64::NAN,
    ];
    let strings = [None, Some(""), Some("a"), Some("some text"), Some("\u{e9}\u{6f22}%d")]
        .map(|text| Argument::Text(text.map(|text| CString::new(text).unwrap())));
    let mut turn = 0;
    let mut compared = 0;
    let conversions = "diuoxXbBfFeEgGaAcsp";
    for conversion in conversions.bytes() {
        let values: Vec<(&str, Argument)> = match conversion {
            b'c' => [0, 1, b'a'.into(), 255, 256, -1]
                .map(|value| ("", Argument::Int(value)))
                .into(),
            b's' => strings.iter().map(|text| ("", text.clone())).collect(),
            b'p' => INTEGERS.map(|value| ("", Argument::Long(value))).into(),
            b'a'..=b'g' | b'A'..=b'G' if !b"bBdc".contains(&conversion) => DOUBLES
                .iter()
                .flat_map(|&value| ["", "l"].map(|length| (length, Argument::Double(value))))
                .collect(),
            _ => INTEGERS
                .iter()
                .flat_map(|&value| {
                    LENGTHS.map(|length| match length {
                        "" | "h" | "hh" => (length, Argument::Int(value as i32)),
                        _ => (length, Argument::Long(value)),
                    })
                })
                .collect(),
        };
        for flags in 0..32 {
            let flags: String = "-+ #0"
                .chars()
                .enumerate()
                .filter(|(bit, _)| flags >> bit & 1 == 1)
                .map(|(_, flag)| flag)
                .collect();
            for (width, wide) in WIDTHS {
                for (precision, precise) in PRECISIONS {
                    // Coprime to every number of values, so that each meets each.
                    for _ in 0..values.len().min(7) {
                        turn += 11;
                        let (length, value) = &values[turn % values.len()];
                        let mut arguments: Vec<_> = [wide, precise].into_iter().flatten().map(Argument::Int).collect();
                        arguments.push(value.clone());
                        let text = format!("%{flags}{width}{precision}{length}{}", conversion as char);
                        let case = Case { text, arguments };
                        if !comparable(&case) {
                            continue;
                        }
                        let layout = if turn % 2 == 0 { Layout::Natural } else { Layout::Packed };
                        let ours = ours(&case.text, &case.arguments, layout).unwrap();
                        let theirs = theirs(&case.text, &case.arguments);
                        assert_eq!(
                            String::from_utf8_lossy(&ours),
                            String::from_utf8_lossy(&theirs),
                            "{case:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 250_000, "{compared}");
}

/// Formats without arguments that must fail, each for its reason.
#[test]
fn what_is_refused() {
    let error = |format: &str| Format::new(format.as_bytes(), Layout::Natural).unwrap_err();
    assert_eq!(error("ab%n"), FormatError::Count { at: 2 });
    assert_eq!(error("%hhn"), FormatError::Count { at: 0 });
    for wide in ["%ls", "%lc", "%S", "%-5C"] {
        assert_eq!(error(wide), FormatError::Wide { at: 0 });
    }
    for truncated in ["%", "%-", "%5", "%.", "%*", "%l", "%hh", "%w", "%w32", "%5.3"] {
        assert_eq!(error(truncated), FormatError::Truncated { at: 0 }, "{truncated}");
    }
    for (unknown, byte) in [
        ("%y", b'y'),
        ("%hf", b'h'),
        ("%Ls", b'L'),
        ("%w12d", b'1'),
        ("%.-3d", b'-'),
        ("%\u{1}", 1),
    ] {
        let found = error(unknown);
        let expected = match unknown {
            // The length came before it was clear that the conversion does not take it.
            "%hf" => FormatError::Unknown { at: 0, byte: b'f' },
            "%Ls" => FormatError::Unknown { at: 0, byte: b's' },
            _ => FormatError::Unknown { at: 0, byte },
        };
        assert_eq!(found, expected, "{unknown}");
    }
    assert_eq!(error("%2$d"), FormatError::Numbered { at: 0 });
    assert_eq!(error("%1048577d"), FormatError::Field { at: 0 });
    assert_eq!(error("%.99999999999999999999f"), FormatError::Field { at: 0 });
}

#[test]
fn a_star_may_be_the_smallest_int() {
    assert_eq!(
        ours("%*d", &[Argument::Int(i32::MIN), Argument::Int(1)], Layout::Natural),
        Err(FormatError::Field { at: 0 })
    );
    assert_eq!(
        ours("%.*d", &[Argument::Int(i32::MIN), Argument::Int(1)], Layout::Natural),
        Ok(b"1".to_vec())
    );
    assert_eq!(
        ours("%*d", &[Argument::Int(i32::MAX), Argument::Int(1)], Layout::Packed),
        Err(FormatError::Field { at: 0 })
    );
}

#[test]
fn padding_is_bounded_for_a_whole_call() {
    let widest = format!("%{MAX_FIELD}d");
    assert_eq!(
        ours(&widest, &[Argument::Int(7)], Layout::Natural).unwrap().len(),
        MAX_FIELD as usize
    );
    let many = widest.repeat(17);
    assert_eq!(
        ours(&many, &vec![Argument::Int(7); 17], Layout::Natural),
        Err(FormatError::TooLong)
    );
}

#[test]
fn a_short_block_is_an_error() {
    let format = Format::new(b"%d %f", Layout::Natural).unwrap();
    assert_eq!(format.args_size(), 16);
    assert_eq!(
        format.bind(&[0; 15]).unwrap_err(),
        FormatError::ShortBlock { needed: 16, got: 15 }
    );
    assert_eq!(Format::new(b"%d %f", Layout::Packed).unwrap().args_size(), 12);
}

#[test]
fn strings_are_asked_for_in_order_and_null_ones_never() {
    let addresses = [10u64, 0, 30];
    let block: Vec<u8> = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
    let bound = Format::new(b"%s|%s|%.2s", Layout::Natural)
        .unwrap()
        .bind(&block)
        .unwrap();
    assert_eq!(bound.strings().collect::<Vec<_>>(), [10, 30]);
    let mut out = Vec::new();
    assert_eq!(bound.render(&["one", "three"], &mut out), Ok(13));
    assert_eq!(out, b"one|(null)|th");
    assert_eq!(bound.render(&["one"], &mut out), Err(FormatError::MissingString));
    assert_eq!(out, b"one|(null)|th");
}

/// Lengths of C23, which the C library here is too old for, and the double of 8 bytes that `long double` is.
#[test]
fn what_the_c_library_here_cannot_show() {
    let text = |format: &str, arguments: &[Argument]| {
        String::from_utf8(ours(format, arguments, Layout::Packed).unwrap()).unwrap()
    };
    assert_eq!(
        text(
            "%w8d %wf16u %w64x",
            &[Argument::Int(0x1ff), Argument::Int(-1), Argument::Long(1 << 40)]
        ),
        "-1 65535 10000000000"
    );
    assert_eq!(
        text("%Lf %.1La", &[Argument::Double(1.5), Argument::Double(1.0)]),
        "1.500000 0x1.0p+0"
    );
    assert_eq!(text("%.2000f", &[Argument::Double(5e-324)]).len(), 2002);
}
