//! Kinks at irrational places: each column that holds one shows its set, and no other column does.

use super::support::{plotted, request};
use serde_json::Value as Json;
use smoothish::plot::figure::{Figure, FigureShape, Paint};
use smoothish::plot::text::{TextStyle, draw_lines};
use smoothish::plot::{png, svg};
use std::process::Command;

/// A program, the ends and the columns of its plot; the same function in `f64`, and functions that are 0 at its kinks.
struct Row {
    program: &'static str,
    ends: [f64; 2],
    columns: u32,
    f: fn(f64) -> f64,
    zero_at_kinks: &'static [fn(f64) -> f64],
}

/// The zeros of a function between two ends at which it changes its sign, by bisection.
fn zeros(g: fn(f64) -> f64, [from, to]: [f64; 2]) -> Vec<f64> {
    const STEPS: u32 = 100_003;
    let at = |i: u32| from + (to - from) * f64::from(i) / f64::from(STEPS);
    let mut found = Vec::new();
    for i in 0..STEPS {
        let (mut a, mut b) = (at(i), at(i + 1));
        if g(a) * g(b) > 0.0 {
            continue;
        }
        for _ in 0..200 {
            let middle = (a + b) / 2.0;
            if g(a) * g(middle) <= 0.0 { b = middle } else { a = middle }
        }
        found.push((a + b) / 2.0);
    }
    found
}

/// The kinks of a row with the slopes on both sides, each the quotient of differences there.
fn kinks(row: &Row) -> Vec<(f64, [f64; 2])> {
    let mut found = Vec::new();
    for zero in row.zero_at_kinks {
        for x in zeros(*zero, row.ends) {
            // the error of a difference over 2e-6 is that of the curvature, and of rounding
            let slope = |side: f64| {
                let [near, far] = [1e-7, 2.1e-6].map(|h| x + side * h);
                ((row.f)(far) - (row.f)(near)) / (far - near)
            };
            let (left, right) = (slope(-1.0), slope(1.0));
            if (left - right).abs() > 1e-3 {
                found.push((x, [left.min(right), left.max(right)]));
            }
        }
    }
    found
}

/// The columns of the first derivative, as JSON has them: the ends of each, and those of its set where it is marked.
fn asked(row: &Row) -> Vec<([f64; 2], Option<[f64; 2]>)> {
    let ends = row.ends.map(|end| end.to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(["plot", row.program, "--from", &ends[0], "--to", &ends[1], "--deriv", "1", "--json"]);
    let output = command.args(["--columns", &row.columns.to_string()]).output().expect("the program starts");
    let json: Json = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{}: {error}", row.program));
    let number = |json: &Json| json.as_str().unwrap().parse::<f64>().unwrap();
    let column = |column: &Json| {
        let kink = column.get("kink").map(|kink| [number(&kink["lo"]), number(&kink["hi"])]);
        ([number(&column["x_lo"]), number(&column["x_hi"])], kink)
    };
    json["plots"][0]["columns"].as_array().unwrap().iter().map(column).collect()
}

const ROWS: &[Row] = &[
    Row {
        program: r"\x => max (x^2-1) (abs x - 0.5)",
        ends: [-2.0, 2.0],
        columns: 360,
        f: |x| (x * x - 1.0).max(x.abs() - 0.5),
        zero_at_kinks: &[|x| x * x - x - 0.5, |x| x * x + x - 0.5, |x| x],
    },
    Row {
        program: r"\x => abs (x^2-x-1/2)",
        ends: [-2.0, 2.0],
        columns: 353,
        f: |x| (x * x - x - 0.5).abs(),
        zero_at_kinks: &[|x| x * x - x - 0.5],
    },
    Row {
        program: r"\x => max (exp x) (3*x+0.1)",
        ends: [-1.0, 3.0],
        columns: 100,
        f: |x| x.exp().max(3.0 * x + 0.1),
        zero_at_kinks: &[|x| x.exp() - 3.0 * x - 0.1],
    },
    // 2 cos (2π/9), 2 cos (4π/9), 2 cos (8π/9)
    Row {
        program: r"\x => abs (x^3 - 3*x + 1)",
        ends: [-3.0, 3.0],
        columns: 211,
        f: |x| (x * x * x - 3.0 * x + 1.0).abs(),
        zero_at_kinks: &[|x| x * x * x - 3.0 * x + 1.0],
    },
    // the same, multiplied out so that ranges are far too wide
    Row {
        program: r"\x => abs ((x - 3)*(x - 3)*(x - 3) + 9*(x*x - 3*x + 3) - 3*x + 1)",
        ends: [-3.0, 3.0],
        columns: 60,
        f: |x| (x * x * x - 3.0 * x + 1.0).abs(),
        zero_at_kinks: &[|x| x * x * x - 3.0 * x + 1.0],
    },
    Row {
        program: r"\x => abs (sin x)",
        ends: [-8.0, 11.0],
        columns: 170,
        f: |x| x.sin().abs(),
        zero_at_kinks: &[f64::sin],
    },
    // the greatest of three
    Row {
        program: r"\x => max (max (sin (2*x)) (cos x)) (x/3)",
        ends: [-5.0, 4.0],
        columns: 200,
        f: |x| (2.0 * x).sin().max(x.cos()).max(x / 3.0),
        zero_at_kinks: &[|x| (2.0 * x).sin() - x.cos(), |x| (2.0 * x).sin() - x / 3.0, |x| x.cos() - x / 3.0],
    },
    Row {
        program: r"\x => min (log (x + 3)) (abs (x - sqrt 2)) - relu (pi/10 - x)",
        ends: [-2.5, 2.5],
        columns: 120,
        f: |x| (x + 3.0).ln().min((x - 2f64.sqrt()).abs()) - (std::f64::consts::PI / 10.0 - x).max(0.0),
        zero_at_kinks: &[
            |x| (x + 3.0).ln() - (x - 2f64.sqrt()).abs(),
            |x| x - 2f64.sqrt(),
            |x| x - std::f64::consts::PI / 10.0,
        ],
    },
    // a jump of 1/50 in a picture that is 800 high
    Row {
        program: r"\x => 100*x^2 + abs (x - sqrt 2)/100",
        ends: [-2.0, 2.0],
        columns: 90,
        f: |x| 100.0 * x * x + (x - 2f64.sqrt()).abs() / 100.0,
        zero_at_kinks: &[|x| x - 2f64.sqrt()],
    },
    // two kinks in some columns: their hull is the set
    Row {
        program: r"\x => abs (sin (20*x))",
        ends: [0.1, 3.1],
        columns: 30,
        f: |x| (20.0 * x).sin().abs(),
        zero_at_kinks: &[|x| (20.0 * x).sin()],
    },
    // where argmax01 leaves an end: c²/2 reaches 1 at √2; at 0 its slope is 0 on both sides
    Row {
        program: r"\c => argmax01 (\x => x * (c^2 - x))",
        ends: [-1.0, 2.0],
        columns: 25,
        f: |c| (c * c / 2.0).min(1.0),
        zero_at_kinks: &[|c| c * c - 2.0],
    },
    // no kinks: what turns sharply, alone and beside one; slopes that meet; a kink that cancels
    Row { program: r"\x => x^3 - exp (4*x)", ends: [-1.0, 1.0], columns: 70, f: |x| x, zero_at_kinks: &[] },
    Row { program: r"\x => tanh (1e12*x) / 1e12", ends: [-1.0, 1.1], columns: 70, f: |x| x, zero_at_kinks: &[] },
    Row {
        program: r"\x => sqrt (x^2 + 1e-26) + abs (x - sqrt 2)",
        ends: [-0.002, 2.0],
        columns: 70,
        f: |x| (x - 2f64.sqrt()).abs() + x.abs(),
        zero_at_kinks: &[|x| x - 2f64.sqrt()],
    },
    Row {
        program: r"\x => (x - sqrt 2) * abs (x - sqrt 2)",
        ends: [-1.0, 2.0],
        columns: 61,
        f: |x| x,
        zero_at_kinks: &[],
    },
    Row {
        program: r"\x => max (x^2) (2 * sqrt 2 * x - 2)",
        ends: [-1.0, 2.0],
        columns: 61,
        f: |x| x,
        zero_at_kinks: &[],
    },
    Row {
        program: r"\x => max 0 (x - sqrt 2) - max 0 (sqrt 2 - x)",
        ends: [-1.0, 2.0],
        columns: 61,
        f: |x| x,
        zero_at_kinks: &[],
    },
];

#[test]
fn each_column_with_a_kink_is_marked_and_no_other() {
    let mut marked = 0;
    for row in ROWS {
        let kinks = kinks(row);
        assert_eq!(kinks.is_empty(), row.zero_at_kinks.is_empty(), "{}: {kinks:?}", row.program);
        let columns = asked(row);
        assert_eq!(columns.len() as u32, row.columns, "{}", row.program);
        for (x, set) in columns {
            let here = kinks.iter().filter(|(kink, _)| x[0] - 1e-9 <= *kink && *kink <= x[1] + 1e-9);
            let hull = here.map(|(_, set)| *set).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
            match (set, hull) {
                (None, None) => {}
                (Some(set), Some(hull)) => {
                    marked += 1;
                    let near = |i: usize| (set[i] - hull[i]).abs() < 1e-3 * (1.0 + hull[i].abs());
                    assert!(near(0) && near(1), "{} on {x:?}: {set:?}, and {hull:?} by differences", row.program);
                }
                other => panic!("{} on {x:?}: marked and expected {other:?}", row.program),
            }
        }
    }
    assert!(marked > 45, "{marked} columns are marked");
}

/// A derivative that is asked as a function has the same sets as the derivative of a function.
#[test]
fn a_function_with_a_set_for_a_value_is_marked_too() {
    for program in
        [r"deriv (\x => abs (x^2 - 2))", r"\x => signum (x^2 - 2) * 2 * sqrt 2", r"\x => atan2 (x^2 - 2) (0-1)"]
    {
        let plot = plotted(program, &request("-2", "2", 101, &[0]));
        let marked: Vec<_> = plot.envelopes[0].columns.iter().filter(|c| c.kink.is_some()).collect();
        let places = marked.iter().map(|c| (c.x[0].to_f64() + c.x[1].to_f64()) / 2.0);
        assert!(marked.len() == 2 && places.into_iter().all(|x| (x.abs() - 2f64.sqrt()).abs() < 0.04), "{program}");
        let set = marked[0].kink.as_ref().unwrap();
        let end = if program.contains("atan2") { std::f64::consts::PI } else { 8f64.sqrt() };
        assert!((set.hi().to_f64() - end).abs() < 1e-3 && (set.lo().to_f64() + end).abs() < 1e-3, "{program}: {set}");
    }
}

/// Picture and text: a bar with two ends for each kink, and the line that says what it means; neither without one.
#[test]
fn pictures_and_texts_show_the_sets() {
    const MEANING: &str = "all values at a kink, a set";
    for (program, kinks) in
        [(r"\x => max (x^2-1) (abs x - 0.5)", 3), (r"\x => abs (x^3 - 3*x + 1)", 3), (r"\x => tanh (9*x)", 0)]
    {
        let plot = plotted(program, &request("-2", "2", 360, &[1]));
        let figure = Figure::new(&plot, 640, 400);
        // caps: bars that are ten wide and two high, in the colour of the envelope
        let is_cap = |s: &&FigureShape| {
            matches!(s, FigureShape::Bars(bars, Paint::Envelope(0))
                if bars.len() == 1 && (bars[0].right - bars[0].left - 10.0).abs() < 1e-9 && bars[0].bottom - bars[0].top < 2.1)
        };
        assert_eq!(figure.shapes.iter().filter(is_cap).count(), 2 * kinks, "{program}");
        assert_eq!(svg::render_svg(&figure).contains(MEANING), kinks > 0, "{program}");
        let lines = draw_lines(&plot, TextStyle::default());
        assert_eq!(lines.iter().any(|line| line.contains(MEANING)), kinks > 0, "{program}");
        assert!(!png::render_png(&figure).unwrap().is_empty());
    }
}
