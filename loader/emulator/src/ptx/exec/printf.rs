//! `vprintf`: C's conversions over a buffer of arguments, each at its natural alignment.

use super::call::{Reader, Unreadable};

/// Wider fields are cut: nobody wants them, and they take memory.
const MAX_WIDTH: usize = 1 << 16;

#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats; gives the text and the number of conversions done.
pub(super) fn format(format: &[u8], arguments: u64, reader: &Reader<'_>) -> Result<(Vec<u8>, u64), Unreadable> {
    let mut out = Vec::new();
    let mut at = arguments;
    let mut converted = 0;
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            out.push(c);
            continue;
        }
        let mut spec = Spec::default();
        loop {
            match rest.peek() {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                _ => break,
            }
            rest.next();
        }
        let number = |rest: &mut std::iter::Peekable<_>, at: &mut u64| -> Result<i64, Unreadable> {
            if rest.peek() == Some(&b'*') {
                rest.next();
                return Ok(i64::from(i32::from_le_bytes(take(at, reader)?)));
            }
            let mut n = 0i64;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                n = (n * 10 + i64::from(digit - b'0')).min(MAX_WIDTH as i64);
            }
            Ok(n)
        };
        let width = number(&mut rest, &mut at)?;
        spec.left |= width < 0;
        spec.width = (width.unsigned_abs() as usize).min(MAX_WIDTH);
        if rest.next_if_eq(&b'.').is_some() {
            let precision = number(&mut rest, &mut at)?;
            spec.precision = usize::try_from(precision).ok().map(|p| p.min(MAX_WIDTH));
        }
        let mut bits = 32;
        while let Some(modifier) = rest.next_if(|c| b"hljztLq".contains(c)) {
            bits = match (modifier, bits) {
                (b'h', 16) => 8,
                (b'h', _) => 16,
                _ => 64,
            };
        }
        let Some(conversion) = rest.next() else {
            out.push(b'%');
            break;
        };
        let integer = |at: &mut u64| -> Result<u64, Unreadable> {
            Ok(if bits == 64 {
                u64::from_le_bytes(take(at, reader)?)
            } else {
                u64::from(u32::from_le_bytes(take(at, reader)?))
            })
        };
        match conversion {
            b'%' => {
                out.push(b'%');
                continue;
            }
            b'd' | b'i' => {
                let raw = integer(&mut at)? as i64;
                let shift = 64 - bits;
                let value = raw << shift >> shift;
                let digits = value.unsigned_abs().to_string();
                put_integer(&mut out, &spec, sign(&spec, value < 0), &digits);
            }
            b'u' | b'x' | b'X' | b'o' | b'b' => {
                let raw = integer(&mut at)?;
                let value = if bits == 64 { raw } else { raw & ((1 << bits) - 1) };
                let (prefix, digits) = match conversion {
                    b'u' => ("", value.to_string()),
                    b'x' => ("0x", format!("{value:x}")),
                    b'X' => ("0X", format!("{value:X}")),
                    b'o' => ("0", format!("{value:o}")),
                    _ => ("0b", format!("{value:b}")),
                };
                let prefix = if spec.alternate && value != 0 { prefix } else { "" };
                put_integer(&mut out, &spec, prefix, &digits);
            }
            b'c' => {
                let c = u32::from_le_bytes(take(&mut at, reader)?) as u8;
                pad(&mut out, &spec, &[c]);
            }
            b'p' => {
                let value = u64::from_le_bytes(take(&mut at, reader)?);
                pad(&mut out, &spec, format!("{value:#x}").as_bytes());
            }
            b's' => {
                let pointer = u64::from_le_bytes(take(&mut at, reader)?);
                let mut text = if pointer == 0 {
                    b"(null)".to_vec()
                } else {
                    reader.string(pointer)?
                };
                text.truncate(spec.precision.unwrap_or(usize::MAX));
                pad(&mut out, &spec, &text);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(u64::from_le_bytes(take(&mut at, reader)?));
                put_float(&mut out, &spec, value, conversion);
            }
            other => {
                // Unknown: shown as it stands, like CUDA does.
                out.extend([b'%', other]);
                continue;
            }
        }
        converted += 1;
    }
    Ok((out, converted))
}

fn take<const N: usize>(at: &mut u64, reader: &Reader<'_>) -> Result<[u8; N], Unreadable> {
    // At the end of all addresses there is nothing to read, and page 0 behind it neither.
    *at = at.checked_next_multiple_of(N as u64).unwrap_or(0);
    let bytes = reader.bytes(*at)?;
    *at = at.wrapping_add(N as u64);
    Ok(bytes)
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn pad(out: &mut Vec<u8>, spec: &Spec, text: &[u8]) {
    let blanks = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.resize(out.len() + blanks, b' ');
    }
    out.extend_from_slice(text);
    if spec.left {
        out.resize(out.len() + blanks, b' ');
    }
}

fn put_integer(out: &mut Vec<u8>, spec: &Spec, prefix: &str, digits: &str) {
    let digits = if spec.precision == Some(0) && digits == "0" {
        ""
    } else {
        digits
    };
    let mut zeros = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    if spec.zero && !spec.left && spec.precision.is_none() {
        zeros = spec.width.saturating_sub(prefix.len() + digits.len());
    }
    let text = format!("{prefix}{}{digits}", "0".repeat(zeros));
    pad(out, spec, text.as_bytes());
}

fn put_float(out: &mut Vec<u8>, spec: &Spec, value: f64, conversion: u8) {
    let upper = conversion.is_ascii_uppercase();
    let sign = sign(spec, value.is_sign_negative());
    let magnitude = value.abs();
    let precision = spec.precision.unwrap_or(6);
    let body = if magnitude.is_nan() {
        "nan".to_owned()
    } else if magnitude.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => exponential(magnitude, precision),
            b'g' => general(magnitude, precision.max(1), spec.alternate),
            _ => hexadecimal(magnitude, spec.precision),
        }
    };
    let body = if upper { body.to_uppercase() } else { body };
    let zeros = if spec.zero && !spec.left && magnitude.is_finite() {
        spec.width.saturating_sub(sign.len() + body.len())
    } else {
        0
    };
    let (prefix, body) = match body.strip_prefix("0x").or(body.strip_prefix("0X")) {
        Some(rest) => (&body[..2], rest),
        None => ("", &body[..]),
    };
    pad(
        out,
        spec,
        format!("{sign}{prefix}{}{body}", "0".repeat(zeros)).as_bytes(),
    );
}

/// C wants a sign and at least two digits in the exponent.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let exponent: i32 = exponent.parse().unwrap_or(0);
            format!(
                "{mantissa}e{}{:02}",
                if exponent < 0 { '-' } else { '+' },
                exponent.abs()
            )
        }
        None => text,
    }
}

fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let exponent: i32 = if value == 0.0 {
        0
    } else {
        let rounded = format!("{value:.*e}", precision - 1);
        rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0)
    };
    let scientific = exponent < -4 || exponent >= precision as i32;
    let text = if scientific {
        exponential(value, precision - 1)
    } else {
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        format!("{value:.decimals$}")
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, tail) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (&text[..], ""),
    };
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    format!("{mantissa}{tail}")
}

fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let mut mantissa = bits & MANTISSA;
    if value != 0.0 && biased != 0 {
        mantissa |= 1 << 52;
    }
    let exponent = match (value == 0.0, biased) {
        (true, _) => 0,
        (_, 0) => -1022,
        (_, biased) => biased - 1023,
    };
    if let Some(digits) = precision
        && digits < 13
    {
        let drop = 4 * (13 - digits as u32);
        let half = 1u64 << (drop - 1);
        let odd = mantissa >> drop & 1;
        mantissa = (mantissa + half - 1 + odd) >> drop << drop;
    }
    let (lead, fraction) = (mantissa >> 52, format!("{:013x}", mantissa & MANTISSA));
    let digits = match precision {
        Some(digits) => format!("{fraction:0<digits$}")[..digits].to_owned(),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}
