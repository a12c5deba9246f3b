//! Of `cli::demo`.

use smoothish::cli::demo::{KnownValue, PROGRAMS, *};
use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::status::Status;
use smoothish::meaning;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use smoothish::number::budget::Budget;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Accuracy, Context, Double, decimal};
use smoothish::session::Limits;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

/// Answers each program with its true value, moved.
struct Oracle {
    moved_by: &'static str,
    /// The programs as terms.
    known: Vec<(String, KnownValue)>,
}

impl Semantics for Oracle {
    fn name(&self) -> &'static str {
        meaning::DEFAULT_SEMANTICS
    }

    fn summary(&self) -> &'static str {
        "knows the true values"
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        _: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let term = term.to_string();
        let (_, truth) = self.known.iter().find(|(known, _)| *known == term).expect("a program of the demonstration");
        let (lo, hi) = enclose_truth(truth);
        let by = decimal::parse(self.moved_by).unwrap() * to.eps().unwrap();
        let ends = Double.hull(&Double.enclose_rational(&(lo + &by)), &Double.enclose_rational(&(hi + by)));
        let found =
            RefinedEnclosure { enclosure: Double.to_enclosure(&ends), exhausted: false, ..RefinedEnclosure::unknown() };
        Ok(ProgramAnswer::from_value(Value::Real(AnswerNumber::Enclosure(Box::new(found)))))
    }
}

fn demo(moved_by: &'static str) -> (Status, String) {
    painted(moved_by, false)
}

fn painted(moved_by: &'static str, coloured: bool) -> (Status, String) {
    let library = TheorySession::load();
    let term = |source: &str| library.session().infer(source).unwrap().0.to_string();
    let known = PROGRAMS.iter().map(|program| (term(program.source), program.truth)).collect();
    let library = library.with_semantics(Arc::new(Oracle { moved_by, known }));
    let mut out = Vec::new();
    let status = run_demo(&library, &Limits::seconds(60), coloured, &mut out).unwrap();
    (status, String::from_utf8(out).unwrap())
}

#[test]
fn true_values_are_accepted() {
    let (status, shown) = demo("0");
    assert_eq!(status, Status::Reached, "{shown}");
    let count = PROGRAMS.len();
    assert!(shown.contains(&format!("{count} of {count} intervals contain the true value")), "{shown}");
    assert!(shown.contains("-1/√5 = -0.44721359549…"), "{shown}");
    assert!(shown.contains("85 s, 13 GB (1e-6)"), "{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80) && widest > Some(70) && !shown.contains('\x1b'), "{shown}");
}

/// Each interval, or number that is known, has the colour of what it is, and a text without its colours is the one that has none.
#[test]
fn colours_say_which_intervals_are_right() {
    let count = PROGRAMS.len();
    let ((_, right), (_, wrong)) = (painted("0", true), painted("0.01", true));
    let starts = |rest: &&str| rest.starts_with(|letter: char| matches!(letter, '[' | '-' | '0'..='9'));
    let intervals = |text: &str, colour: &str| text.split(colour).skip(1).filter(starts).count();
    assert_eq!((intervals(&right, "\x1b[32m"), intervals(&right, "\x1b[1;31m")), (count, 0), "{right}");
    assert_eq!((intervals(&wrong, "\x1b[32m"), intervals(&wrong, "\x1b[1;31m")), (0, count), "{wrong}");
    let plain = ["\x1b[32m", "\x1b[1m", "\x1b[0m"].iter().fold(right, |text, colour| text.replace(colour, ""));
    assert_eq!(timeless(&plain), timeless(&demo("0").1));
}

/// The text without how long each program took, which stands last in its line, and how long all did.
fn timeless(shown: &str) -> Vec<&str> {
    let line = |line: &'_ str| -> usize {
        let sign = if line.contains("  width ") { ", " } else { "; " };
        let is_timed = line.contains("  width ") || line.ends_with(" in all.");
        line.rfind(sign).filter(|_| is_timed).unwrap_or(line.len())
    };
    shown.lines().map(|text| &text[..line(text)]).collect()
}

#[test]
fn other_values_are_refuted() {
    for moved_by in ["0.01", "-0.01"] {
        let (status, shown) = demo(moved_by);
        assert_eq!(status, Status::Refuted);
        assert!(shown.contains(&format!("0 of {}", PROGRAMS.len())), "{shown}");
    }
}

#[test]
fn digits_are_read_away_from_zero() {
    let (lo, hi) = enclose_truth(&KnownValue::Digits { name: "", digits: "-0.25" });
    assert_eq!((lo.to_string(), hi.to_string()), ("-13/50".into(), "-1/4".into()));
}

#[test]
fn times_and_widths_are_short() {
    let micros = |micros| format_duration(Duration::from_micros(micros));
    assert_eq!([micros(7), micros(7_460), micros(1_960_000)], ["7 µs", "7.5 ms", "2.0 s"]);
    let width = |text| format_width(&decimal::parse(text).unwrap());
    assert_eq!([width("0"), width("2e-11"), width("0.50000000001"), width("1")], ["0", "2e-11", "0.5", "1"]);
}
