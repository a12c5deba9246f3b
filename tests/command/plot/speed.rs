//! The pictures of the chapter on speed, drawn from the tables that stand in it.
//!
//! `UPDATE=1 cargo test --test command speed` writes them anew, after the tables are replaced by those of
//! `cargo bench --bench questions`.

use smoothish::plot::figure::{Anchor, Figure, FigureShape, Paint};
use smoothish::plot::svg;
use std::fs;
use std::path::Path;

/// The names of the pictures, in the folder of those of the book.
pub(super) const PICTURES: [&str; 2] = ["speed-widths.svg", "speed-peers.svg"];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 420.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 356.0;

/// A curve: its name, and digits with microseconds.
type Curve = (String, Vec<(f64, f64)>);

/// The lines of the block of the chapter that begins with a word.
fn block(chapter: &str, first: &str) -> Vec<String> {
    let inside = chapter.split("```").find(|block| block.trim_start_matches("text").trim_start().starts_with(first));
    let inside = inside.unwrap_or_else(|| panic!("no block begins with {first}"));
    inside.trim_start_matches("text").trim().lines().map(str::to_owned).collect()
}

/// A time as the bench prints it, in microseconds.
fn microseconds(text: &str) -> f64 {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 = text[..text.len() - unit.len()].parse().unwrap();
    number
        * match unit {
            "ns" => 1e-3,
            "µs" => 1.0,
            "ms" => 1e3,
            "s" => 1e6,
            other => panic!("{other} is no unit"),
        }
}

/// Questions, by the width to which they are asked.
fn widths(lines: &[String]) -> Vec<Curve> {
    let curve = |line: &String| {
        let name: String = line.chars().take(30).collect();
        let rest: String = line.chars().skip(30).collect();
        let times: Vec<f64> = rest.split_whitespace().take(5).map(microseconds).collect();
        (name.trim().to_owned(), [3.0, 6.0, 9.0, 12.0, 30.0].into_iter().zip(times).collect())
    };
    lines[1..].iter().map(curve).collect()
}

/// One of the integrals, by the program that encloses it.
fn peers(lines: &[String], column: usize) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for line in &lines[1..] {
        let name = line.chars().take(30).collect::<String>().trim().to_owned();
        let rest: String = line.chars().skip(30).collect();
        let numbers: Vec<f64> = rest.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let point = (numbers[0], numbers[1 + column]);
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    curves
}

/// Both axes by powers: a line of the grid for each power of ten of a time, and for each number of digits.
fn drawn(title: &str, curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|(_, points)| points.iter().copied());
    let digits: Vec<f64> = curves[0].1.iter().map(|(digits, _)| *digits).collect();
    let [low, high] = [
        all().map(|(_, time)| time.log10().floor()).fold(f64::INFINITY, f64::min),
        all().map(|(_, time)| time.log10().ceil()).fold(f64::NEG_INFINITY, f64::max),
    ];
    let (first, last) = (digits[0].ln(), digits[digits.len() - 1].ln());
    let x = |digits: f64| LEFT + (RIGHT - LEFT) * (digits.ln() - first) / (last - first);
    let y = |time: f64| BOTTOM - (BOTTOM - TOP) * (time.log10() - low) / (high - low);
    let mut shapes = vec![FigureShape::Text([LEFT, TOP - 8.0], Anchor::Start, Paint::Label, title.to_owned())];
    for power in low as i32..=high as i32 {
        let time = 10f64.powi(power);
        let label = match power {
            ..3 => format!("{time} µs"),
            3..6 => format!("{} ms", time / 1e3),
            _ => format!("{} s", time / 1e6),
        };
        shapes.push(FigureShape::Line([LEFT, y(time)], [RIGHT, y(time)], Paint::Grid));
        shapes.push(FigureShape::Text([LEFT - 6.0, y(time) + 4.0], Anchor::End, Paint::Label, label));
    }
    for &n in &digits {
        shapes.push(FigureShape::Line([x(n), TOP], [x(n), BOTTOM], Paint::Grid));
        shapes.push(FigureShape::Text([x(n), BOTTOM + 16.0], Anchor::Middle, Paint::Label, format!("{n}")));
    }
    shapes.push(FigureShape::Text([RIGHT + 28.0, BOTTOM + 16.0], Anchor::Start, Paint::Label, "digits".to_owned()));
    // names stand beside the ends of their curves, one below the other
    let mut ends: Vec<(f64, usize)> =
        curves.iter().enumerate().map(|(i, (_, points))| (y(points[points.len() - 1].1), i)).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = TOP;
    for (end, i) in ends {
        let (name, points) = &curves[i];
        let ink = Paint::Envelope(i);
        for pair in points.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|(digits, time)| [x(digits), y(time)]);
            shapes.push(FigureShape::Line(a, b, ink));
        }
        let at = end.max(free);
        free = at + 15.0;
        shapes.push(FigureShape::Text([RIGHT + 8.0, at + 4.0], Anchor::Start, ink, name.clone()));
    }
    svg::render_svg(&Figure { width: WIDTH as u32, height: HEIGHT as u32, shapes })
}

#[test]
fn the_pictures_of_speed_are_those_of_its_tables() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let chapter = fs::read_to_string(book.join("how-fast.md")).unwrap();
    let times = widths(&block(&chapter, "median time"));
    let shown =
        ["d/dc ∫ max(0, x-c) at 0.6", "∫ sin(x + exp x)", "brightness'(½)", "∫∫ max(0, x+y-0.77)", "10th derivative"];
    let chosen: Vec<Curve> = times.into_iter().filter(|(name, _)| shown.contains(&name.as_str())).collect();
    assert_eq!(chosen.len(), shown.len());
    let integrals = peers(&block(&chapter, "integrals"), 0);
    assert_eq!(integrals.len(), 3, "this library, Arb and mpmath");
    let drawn = [
        drawn("time of a question, by the digits that are asked for", &chosen),
        drawn("∫ sin(x + eˣ) over [0, 1], by digits", &integrals),
    ];
    for (name, picture) in PICTURES.iter().zip(drawn) {
        let path = book.join("pictures").join(name);
        if std::env::var_os("UPDATE").is_some_and(|v| v == "1") {
            fs::write(&path, &picture).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap() == picture, "UPDATE=1 draws {name} anew");
        assert!(chapter.contains(&format!("](pictures/{name})")), "{name} is shown");
    }
}
