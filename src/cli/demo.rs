//! The command `demo`: programs of the λ_S paper, with true value, interval, width and time.
//!
//! # The programs of `smoothish demo`
//!
//! The examples of [Sherman et al. 2021](crate::refs::SHERMAN_2021). Each has its
//! true value, derived by hand, and the cost of the authors' implementation.
//!
//! # First steps
//!
//! The lines of the bare command, and what the demonstration tells to try next.

use super::eval::Evaluated;
use super::evaluator::TheorySession;
use super::output::{BOLD, GREEN, PLAIN, RED, wrap_at_spaces};
use super::plot;
use super::status::{CommandError, Status};
use crate::model::answer::AnswerNumber;
use crate::number::{Enclosure, Rational, decimal};
use crate::plot::text;
use crate::plot::text::TextStyle;
use crate::session::{Evaluate, Limits, PlotEnvelopes};
use crate::syntax::source::SourceText;
use crate::value::Value;
use std::io;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The requested width. A choice: more digits take longer, and fill the line.
const REQUESTED_WIDTH: &str = "1e-9";

/// The width of the output in columns: that of the usual terminal.
const COLUMNS: usize = 80;
const INDENT: &str = "    ";

/// Evaluates every program, and compares it with its true value. In colour, an interval is green if it is right, and
/// red otherwise.
///
/// The status is 1 if an interval misses the true value. A program that is refused adds the status of its diagnostic.
///
/// # Errors
/// Errors of writing to `out`.
pub fn run_demo(library: &TheorySession, limits: &Limits, coloured: bool, out: &mut dyn Write) -> io::Result<Status> {
    let eps = decimal::parse(REQUESTED_WIDTH).expect("a decimal");
    let painted = |colour: &str, text: &str| if coloured { format!("{colour}{text}{PLAIN}") } else { text.to_owned() };
    writeln!(out, "Programs of Sherman, Michel and Carbin (POPL 2021), asked to {REQUESTED_WIDTH}.\n")?;
    let (mut worst, mut total, mut contained, mut asked) = (Status::default(), Duration::ZERO, 0, 0);
    for program in PROGRAMS {
        for line in wrap_at_spaces(program.title, COLUMNS, "", "  ") {
            writeln!(out, "{}", painted(BOLD, &line))?;
        }
        for line in program.source.lines().flat_map(|line| wrap_at_spaces(line, COLUMNS, INDENT, "      ")) {
            writeln!(out, "{line}")?;
        }
        asked += 1;
        let status = match library.ask(&Evaluate::new(program.source).with_width(REQUESTED_WIDTH), limits) {
            Ok(answer) => {
                // A wrong interval is a refutation, not a failure of the demonstration: the other programs still run.
                let right = is_right(program, &answer, &eps);
                contained += u32::from(right);
                total += answer.elapsed();
                let (interval, width) = format_interval(&answer, &eps);
                let interval = painted(if right { GREEN } else { RED }, &interval);
                writeln!(out, "{INDENT}{interval}  width {width}, {}", format_duration(answer.elapsed()))?;
                let truth = format!("the true value is {}: {}", format_truth(program), program.because);
                let artifact = program.artifact.map(|artifact| format!("λ_S in Haskell: {artifact}"));
                for line in std::iter::once(truth)
                    .chain(artifact)
                    .flat_map(|text| wrap_at_spaces(&text, COLUMNS, INDENT, "      "))
                {
                    writeln!(out, "{line}")?;
                }
                if right { Status::Reached } else { Status::Refuted }
            }
            Err(refusal) => {
                writeln!(out, "{}", refusal.report())?;
                Status::from(refusal.kind)
            }
        };
        writeln!(out)?;
        out.flush()?;
        worst = Status::worst_of([worst, status]);
        if limits.is_interrupted() {
            break;
        }
    }
    if cfg!(debug_assertions) {
        let release = "Built without optimisation: `cargo run --release -- demo` takes longer to build,";
        writeln!(out, "{release}\nand less time to answer.")?;
    }
    writeln!(out, "{contained} of {asked} intervals contain the true value; {} in all.", format_duration(total))?;
    Ok(worst)
}

/// The function that is plotted below the demonstration, and its ends: it has three kinks between them.
const PLOTTED: (&str, [i32; 2]) = (r"\x => abs (sin x)", [-4, 4]);

/// Prints a plot as text, and commands to try next.
///
/// # Errors
/// A refusal of the plot; errors of writing to `out`.
pub fn print_next_steps(library: &TheorySession, limits: &Limits, out: &mut dyn Write) -> Result<Status, CommandError> {
    let (function, [from, to]) = PLOTTED;
    let style = TextStyle { width: COLUMNS as u32, ..plot::default_style() };
    let request = style.plot_request(Rational::from(from), Rational::from(to));
    let question = PlotEnvelopes::of(Arc::new(SourceText::new("demo", function)), request).ascii(style.ascii);
    let drawn = library.ask(&question, limits)?;
    writeln!(out)?;
    for line in text::draw_lines(drawn.value(), style) {
        writeln!(out, "{line}")?;
    }
    let program = program_words();
    writeln!(out)?;
    if let Some(book) = book_words(program) {
        writeln!(out, "next: {book}")?;
    }
    writeln!(out, "next: {program} repl")?;
    writeln!(out, "next: {program} plot '{function}' --from {from} --to {to} --deriv 1")?;
    out.flush()?;
    Ok(plot::plot_status(&drawn.value().envelopes))
}

/// Prints how to begin: three examples, and where there is more.
///
/// # Errors
/// Errors of writing to `out`.
pub fn print_first_steps(out: &mut dyn Write) -> io::Result<()> {
    let program = program_words();
    let (function, [from, to]) = PLOTTED;
    writeln!(out, "smoothish answers with intervals that certainly contain the true value. Try:\n")?;
    writeln!(out, "  {program} eval 'deriv (\\x => x^3) 2'")?;
    writeln!(out, "  {program} eval 'root 0 2 (\\x => x^2 - 2)'")?;
    writeln!(out, "  {program} plot '{function}' --from {from} --to {to}\n")?;
    for (words, about) in [
        ("repl", "answers one question after another"),
        ("tutorial", "tells one story, in twenty minutes"),
        ("help integral", "explains a name"),
        ("--help", "lists the commands"),
    ] {
        writeln!(out, "  {program} {words:<15} {about}")?;
    }
    out.flush()
}

/// Returns the words with which this program is run.
fn program_words() -> &'static str {
    // A program that cannot find itself is called by its name.
    words_for(&std::env::current_exe().unwrap_or_default())
}

/// Returns the words with which a program at a path is run: those of cargo inside of a target folder, else its name.
///
/// # Examples
/// ```standalone_crate
/// use smoothish::cli::demo::words_for;
/// assert_eq!(words_for("/usr/bin/smoothish".as_ref()), "smoothish");
/// assert_eq!(words_for("/home/ada/smoothish/target/debug/smoothish".as_ref()), "cargo run --");
/// assert_eq!(words_for("/home/ada/smoothish/target/release/smoothish".as_ref()), "cargo run --release --");
/// ```
#[must_use]
pub fn words_for(program: &Path) -> &'static str {
    let mut folders = program.ancestors().skip(1).map(|folder| folder.file_name().unwrap_or_default());
    match (folders.next(), folders.next()) {
        (Some(profile), Some(target)) if target == "target" && profile == "debug" => "cargo run --",
        (Some(profile), Some(target)) if target == "target" && profile == "release" => "cargo run --release --",
        _ => "smoothish",
    }
}

/// Returns the words that open the tutorial, for a program that is run with these. `None` for an installed one without it.
fn book_words(program: &str) -> Option<&'static str> {
    match program {
        "smoothish" if cfg!(feature = "book") => Some("smoothish tutorial"),
        "smoothish" => None,
        // Cargo builds the features that it is told, whatever this program has.
        _ => Some("cargo run --release --features book -- book twenty-minutes"),
    }
}

/// Formats the true value. Digits are cut to 18 or fewer decimals, so that a line stays short.
fn format_truth(program: &DemoProgram) -> String {
    match program.truth {
        KnownValue::Exact(value) => value.to_owned(),
        KnownValue::Digits { name: "", digits } => format!("{}…", &digits[..20]),
        KnownValue::Digits { name, digits } => format!("{name} = {}…", &digits[..14]),
        KnownValue::Set(lo, hi) => format!("the set [{lo}, {hi}]"),
    }
}

/// Returns the interval and its width, as texts.
fn format_interval(answer: &Evaluated, eps: &Rational) -> (String, String) {
    match answer.value() {
        Value::Real(AnswerNumber::Enclosure(number)) => {
            let printed = number.enclosure.print_decimals(eps);
            let width = printed.width().to_rational().map_or("inf".to_owned(), |width| format_width(&width));
            (printed.to_string(), width)
        }
        other => (format!("{other:?}"), String::new()),
    }
}

/// Returns `true` if the interval contains the true value. A set must be contained, and the interval must not be wider
/// by more than `eps` on either side.
fn is_right(program: &DemoProgram, answer: &Evaluated, eps: &Rational) -> bool {
    let Value::Real(AnswerNumber::Enclosure(number)) = answer.value() else {
        return false;
    };
    let number = &number.enclosure;
    let (lo, hi) = enclose_truth(&program.truth);
    match program.truth {
        // The true value lies in [lo, hi], of width 10⁻ⁿ: an enclosure of it must meet that interval.
        KnownValue::Exact(_) | KnownValue::Digits { .. } => *number.lo() <= hi && *number.hi() >= lo,
        KnownValue::Set(..) => {
            contains_both_ends(number, &lo, &hi) && *number.lo() >= lo - eps && *number.hi() <= hi + eps
        }
    }
}

/// Returns `true` if both ends, and with them all numbers between, lie in the interval.
fn contains_both_ends(number: &Enclosure, lo: &Rational, hi: &Rational) -> bool {
    number.contains(lo) && number.contains(hi)
}

/// Returns an interval that contains the true value.
pub fn enclose_truth(truth: &KnownValue) -> (Rational, Rational) {
    let read = |text: &str| decimal::parse(text).expect("a decimal");
    match *truth {
        KnownValue::Exact(value) => (read(value), read(value)),
        KnownValue::Set(lo, hi) => (read(lo), read(hi)),
        KnownValue::Digits { digits, .. } => {
            let decimals = digits.split_once('.').map_or(0, |(_, rest)| rest.len());
            let last = read(&format!("1e-{decimals}"));
            let value = read(digits);
            // The digits are truncated towards 0, so the value lies farther from 0.
            if digits.starts_with('-') { (value.clone() - last, value) } else { (value.clone(), value + last) }
        }
    }
}

/// Writes a width in at most two decimals, or with one digit.
pub fn format_width(width: &Rational) -> String {
    match width.to_f64() {
        0.0 => "0".to_owned(),
        width if width >= 0.01 => format!("{}", (width * 100.0).round() / 100.0),
        width => format!("{width:.0e}"),
    }
}

/// Writes a duration, in a unit that suits it.
pub fn format_duration(elapsed: Duration) -> String {
    let micros = elapsed.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.0} µs"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}

/// A program with its true value.
#[derive(Clone, Copy, Debug)]
pub struct DemoProgram {
    /// The title: the computed number, and its section in the paper.
    pub title: &'static str,
    /// The source text.
    pub source: &'static str,
    /// The true value.
    pub truth: KnownValue,
    /// The derivation of the true value.
    pub because: &'static str,
    /// The time of the authors' implementation on the same machine, its memory, and the tolerance that it reached.
    pub artifact: Option<&'static str>,
}

/// A true value, as far as decimals express it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownValue {
    /// The value is this decimal.
    Exact(&'static str),
    /// The value is `name`. It lies between these digits and one more in the last place, away from 0.
    Digits {
        /// The value in mathematical notation.
        name: &'static str,
        /// The first digits.
        digits: &'static str,
    },
    /// The value is the set of the numbers between two decimals.
    Set(&'static str, &'static str),
}

/// Returns a true value of which only the first digits are known as decimals.
const fn known_digits(name: &'static str, digits: &'static str) -> KnownValue {
    KnownValue::Digits { name, digits }
}

/// The programs, in the order of the demonstration.
pub const PROGRAMS: &[DemoProgram] = &[
    DemoProgram {
        title: "the slope of an integral whose integrand has a kink that moves (§5.2.1)",
        source: r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6",
        truth: KnownValue::Exact("-0.4"),
        because: "d/dc (1-c)²/2 = c - 1",
        artifact: Some("85 s, 13 GB (1e-6)"),
    },
    DemoProgram {
        title: "the same for an absolute value (§5.2.1)",
        source: r"deriv (\c => integral01 (\x => abs (x - c))) 0.6",
        truth: KnownValue::Exact("0.2"),
        because: "d/dc (c² + (1-c)²)/2 = 2c - 1",
        artifact: None,
    },
    DemoProgram {
        title: "brightness under a line of light (§2.3)",
        source: "let brightness (y : ℜ) : ℜ =\n  integral01 (λ y0 : ℜ ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)^2)))\nin brightness (1/2)",
        truth: known_digits("√5/2 - 1", "0.1180339887498948482045868343656381177203"),
        because: "∫₀^(1-y) u/√(1+u²) du = √(1 + (1-y)²) - 1",
        artifact: None,
    },
    DemoProgram {
        title: "its slope (§2.3)",
        source: "let brightness (y : ℜ) : ℜ =\n  integral01 (λ y0 : ℜ ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)^2)))\nin deriv brightness (1/2)",
        truth: known_digits("-1/√5", "-0.4472135954999579392818347337462552470881"),
        because: "-(1-y)/√(1 + (1-y)²)",
        artifact: Some("9.2 s, 1.5 GB (1e-4)"),
    },
    DemoProgram {
        title: "the slope of the cube root, found as a root (§5.2.2)",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv cuberoot 8",
        truth: known_digits("1/12", "0.0833333333333333333333333333333333333333"),
        because: "1/(3q²) at q = 2",
        artifact: Some("0.01 s (1e-5)"),
    },
    DemoProgram {
        title: "its second derivative",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv (deriv cuberoot) 8",
        truth: known_digits("-1/144", "-0.0069444444444444444444444444444444444444"),
        because: "-2/(9q⁵) at q = 2",
        artifact: Some("0.15 s (1e-200)"),
    },
    DemoProgram {
        title: "its third derivative",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv (deriv (deriv cuberoot)) 8",
        truth: known_digits("5/3456", "0.0014467592592592592592592592592592592592"),
        because: "10/(27q⁸) at q = 2",
        artifact: None,
    },
    DemoProgram {
        title: "where a ray meets a circle (§2.1)",
        source: r"let tStar (y : Real) : Real = firstRoot (\t => (t - 1)^2 + y^2 - 1) in tStar (-3/4)",
        truth: known_digits("1 - √7/4", "0.3385621722338523523745960615901848935724"),
        because: "(t-1)² + y² = 1, first at t = 1 - √(1-y²)",
        artifact: None,
    },
    DemoProgram {
        title: "how that moves with the circle (§2.1)",
        source: r"let tStar (y : Real) : Real = firstRoot (\t => (t - 1)^2 + y^2 - 1) in deriv tStar (-3/4)",
        truth: known_digits("-3/√7", "-1.1338934190276816816435496087025401802447"),
        because: "y/√(1-y²)",
        artifact: None,
    },
    DemoProgram {
        title: "a ray tracer (§2, Fig. 1; the paper prints 2.587, by an error in its program)",
        source: "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)",
        truth: known_digits("", "1.5818357141387754206504983169321692715822"),
        because: "(y²-y-1)/((1-s)² (2-y²)^(3/2)), s = √(1-y²), at y = -3/4",
        artifact: Some("0.15 s (1e-12), another value"),
    },
    DemoProgram {
        title: "how brightness changes when the circle is moved up (§2; the paper prints 1.348)",
        source: r"deriv (\y => raytrace (circle (1, y) 1) (1, 1) (1, 0)) (-3/4)",
        truth: known_digits("", "-4.5350117564923532251325823791598846345493"),
        because: "the value times -8 + 24/(4√7-7) - 36/23, its logarithmic derivative",
        artifact: Some("2.0 s (1e-3), another value"),
    },
    DemoProgram {
        title: "a function applied twice (Table 1)",
        source: "deriv (twice sin) 1",
        truth: known_digits("cos(sin 1) cos 1", "0.3600394890896209170006861816856929267043"),
        because: "the chain rule",
        artifact: None,
    },
    DemoProgram {
        title: "the mean of the uniform distribution, tilted along change f = ∫₀¹ (x - ½) f(x) dx (§7.1)",
        source: "der mean uniform change",
        truth: known_digits("1/12", "0.0833333333333333333333333333333333333333"),
        because: "∫ (x - ½) x dx = 1/3 - 1/4",
        artifact: None,
    },
    DemoProgram {
        title: "and its variance (§7.1)",
        source: "der variance uniform change",
        truth: KnownValue::Exact("0"),
        because: "∫ (x - ½) x² dx - 2 · ½ · 1/12 = 1/12 - 1/12",
        artifact: Some("9.6 s, 3.4 GB (1e-2)"),
    },
    DemoProgram {
        title: "and its variance, to second order",
        source: r"deriv (deriv (\t => variance (\f => uniform f + t * change f))) 0",
        truth: known_digits("-1/72", "-0.0138888888888888888888888888888888888888"),
        because: "the variance is 1/12 - t²/144",
        artifact: None,
    },
    DemoProgram {
        title: "the derivative of a function of functions (§5.3)",
        source: r"der (\f => integral01 (\x => f x ^ 2)) (\x => x) (\x => x^2)",
        truth: KnownValue::Exact("0.5"),
        because: "2 ∫ x · x² dx",
        artifact: None,
    },
    DemoProgram {
        title: "the Hausdorff distance of an L shape and a quarter circle (§7.3)",
        source: "hausdorffDist R2Dist lShape (quarterCircle 0)",
        truth: known_digits("√2 - 1", "0.4142135623730950488016887242096980785696"),
        because: "the corner (1, 1) is farthest from the circle",
        artifact: Some("2.5 s (1e-4)"),
    },
    DemoProgram {
        title: "its slope as the circle moves up (§7.3)",
        source: r"deriv (\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0",
        truth: known_digits("-1/√2", "-0.7071067811865475244008443621048490392848"),
        because: "√(1 + (1-y)²) - 1 has slope -1/√2; the corner belongs to both sides, with one slope",
        artifact: Some("45 s, 4.5 GB (1e-1)"),
    },
    DemoProgram {
        title: "the slope of the place of a maximum (§5.2.3)",
        source: r"deriv (\c => argmax01 (\x => 1/2 - (x - c)^2 + 0.3 * c^3 * x)) 0.5",
        truth: KnownValue::Exact("1.1125"),
        because: "the maximum is at c + 0.15 c³",
        artifact: None,
    },
    DemoProgram {
        title: "the slope of a maximum that is flat to third order (§5.2.3)",
        source: r"deriv (\c => max01 (\x => c - (x - 1/2)^4)) 1",
        truth: KnownValue::Exact("1"),
        because: "the maximum is c",
        artifact: Some("NaN"),
    },
    DemoProgram {
        title: "a maximum of minima (§5.2.3)",
        source: r"deriv (\c => max01 (\x => min01 (\y => (x - y - c)^2))) 0.3",
        truth: KnownValue::Exact("0.6"),
        because: "c², at x = 0 with y = 0",
        artifact: None,
    },
    DemoProgram {
        title: "the slope of relu at its kink: a set (§2.3)",
        source: r"deriv (\x => max 0 x) 0",
        truth: KnownValue::Set("0", "1"),
        because: "the hull of the slopes 0 and 1 on either side (Clarke)",
        artifact: Some("does not end"),
    },
    DemoProgram {
        title: "a root that is only touched: a set (§5.2.2)",
        source: r"firstRoot (\x => (x - 1/2)^2)",
        truth: KnownValue::Set("0.5", "1"),
        because: "a little lower it has a root near ½, a little higher none, and then the answer is 1",
        artifact: Some("does not end"),
    },
];
