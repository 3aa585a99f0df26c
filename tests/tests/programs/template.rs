//! Texts with places to fill in: `{index}`, `{index+4}`, `{index*2}`, `{index%8}`, and `{'a'*56}` for a character repeated.

/// `text` with its places filled in by what `value` says of a name.
pub fn expand(text: &str, value: impl Fn(&str) -> Option<u64>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after
            .split_once('}')
            .ok_or_else(|| format!("`{text}` has a {{ without a }}"))?;
        out += before;
        out += &fill(place, &value).ok_or_else(|| format!("`{{{place}}}` means nothing"))?;
        rest = after;
    }
    Ok(out + rest)
}

fn fill(place: &str, value: impl Fn(&str) -> Option<u64>) -> Option<String> {
    if let Some(repeat) = place.strip_prefix('\'') {
        let (character, count) = repeat.split_once("'*")?;
        return Some(character.repeat(count.parse().ok()?));
    }
    let Some(at) = place.find(['+', '*', '%']) else {
        return Some(value(place)?.to_string());
    };
    let (left, right) = (value(&place[..at])?, place[at + 1..].parse().ok()?);
    let result = match place.as_bytes()[at] {
        b'+' => left + right,
        b'*' => left * right,
        _ => left.checked_rem(right)?,
    };
    Some(result.to_string())
}
