//! A picture of the rates: calls per second over warps, both axes in steps of ten.

use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 230.0;
const EDGE: f64 = 30.0;
const COLOURS: [&str; 3] = ["#1f6fb4", "#d2601a", "#2e8b57"];

/// An SVG of the rows named `rate: KERNEL, N warps, T server threads`, whose values are millions a second.
pub fn rates<'r>(title: &str, rows: impl Iterator<Item = (&'r str, f64)>) -> String {
    let mut lines: BTreeMap<(&str, u32), Vec<(f64, f64)>> = BTreeMap::new();
    for (name, value) in rows {
        if let Some((kernel, warps, threads)) = parse(name) {
            lines.entry((kernel, threads)).or_default().push((warps, value));
        }
    }
    let (most_warps, least, most) = (10_000.0f64, 0.1f64, 100.0f64);
    let x = |warps: f64| LEFT + (WIDTH - LEFT - RIGHT) * warps.max(1.0).log10() / most_warps.log10();
    let y = |rate: f64| {
        let part = (rate.clamp(least, most) / least).log10() / (most / least).log10();
        HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * part
    };
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{LEFT}" y="18">{title}: million calls a second over warps</text>
"##
    );
    for step in 0..=4 {
        let warps = 10f64.powi(step);
        let _ = writeln!(
            svg,
            r##"<path d="M{0:.1} {EDGE}V{1}" stroke="#ddd"/><text x="{0:.1}" y="{2}" text-anchor="middle">{warps}</text>"##,
            x(warps),
            HEIGHT - EDGE,
            HEIGHT - EDGE / 2.0
        );
    }
    for step in -1..=2 {
        let rate = 10f64.powi(step);
        let _ = writeln!(
            svg,
            r##"<path d="M{LEFT} {0:.1}H{1}" stroke="#ddd"/><text x="{2}" y="{0:.1}" text-anchor="end">{rate}</text>"##,
            y(rate),
            WIDTH - RIGHT,
            LEFT - 6.0
        );
    }
    let kernels: Vec<&str> = {
        let mut kernels: Vec<_> = lines.keys().map(|&(kernel, _)| kernel).collect();
        kernels.dedup();
        kernels
    };
    for (number, ((kernel, threads), points)) in lines.iter().enumerate() {
        let at = kernels.iter().position(|other| other == kernel).unwrap_or(0);
        let colour = COLOURS[at % COLOURS.len()];
        let width = f64::from(*threads).sqrt();
        let points: String = points
            .iter()
            .map(|&(warps, rate)| format!("{:.1},{:.1} ", x(warps), y(rate)))
            .collect();
        let _ = writeln!(
            svg,
            r##"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width:.1}"/>
<text x="{}" y="{}" fill="{colour}">{kernel}, {threads} server threads</text>"##,
            WIDTH - RIGHT + 10.0,
            EDGE + 12.0 + 18.0 * number as f64
        );
    }
    svg + "</svg>\n"
}

fn parse(name: &str) -> Option<(&str, f64, u32)> {
    let mut parts = name.strip_prefix("rate: ")?.split(", ");
    let kernel = parts.next()?;
    let warps = parts.next()?.strip_suffix(" warps")?.parse().ok()?;
    let threads = parts.next()?.strip_suffix(" server threads")?.parse().ok()?;
    Some((kernel, warps, threads))
}
