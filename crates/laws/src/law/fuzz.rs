//! Fuzzing: hostile texts for parser, inference and evaluator, in an endless stream and without instrumentation.
//!
//! The text number `index` of a seed is a text of the corpus or a program of the [generator](super::generate), with
//! random changes. It depends on seed, index and corpus alone. A [`FuzzTarget`] is the component that reads the text. It
//! must answer every text with a value, or with an error that can be shown. A panic or an overrun is a defect of this
//! library.

use super::{generate, term};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::random::SplitMix64;
use crate::syntax::library::{Library, ProgramError};
use crate::syntax::parser::{parse_expression, parse_type};
use crate::syntax::source;
use crate::syntax::source::{SourceText, decode_utf8};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The component that reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuzzTarget {
    /// The parser, of expressions and of types.
    Parse,
    /// Type inference, and the printer for what it accepts.
    Check,
    /// The evaluator, with a time limit of 10 ms.
    Evaluate,
}

/// The error for a word that names no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected parse, check or evaluate, found `{0}`")]
pub struct UnknownTarget(String);

impl FromStr for FuzzTarget {
    type Err = UnknownTarget;

    fn from_str(word: &str) -> Result<Self, UnknownTarget> {
        match word {
            "parse" => Ok(FuzzTarget::Parse),
            "check" => Ok(FuzzTarget::Check),
            "evaluate" => Ok(FuzzTarget::Evaluate),
            other => Err(UnknownTarget(other.to_owned())),
        }
    }
}

impl fmt::Display for FuzzTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FuzzTarget::Parse => "parse",
            FuzzTarget::Check => "check",
            FuzzTarget::Evaluate => "evaluate",
        })
    }
}

/// The way a text was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuzzOutcome {
    /// The text is what the target expects: an expression or a type, a well-typed program, a program with a value.
    Accepted,
    /// The target returned an error that can be shown.
    Refused,
}

/// The time limit of the evaluator. A choice: many short runs find more than a few long ones.
const EVALUATION_TIME: Duration = Duration::from_millis(10);
/// The greatest delay beyond that limit. A choice.
const MAX_OVERRUN: Duration = Duration::from_millis(100);

impl FuzzTarget {
    /// Returns the greatest time that a text may take. The evaluator may overrun its own limit a little.
    #[must_use]
    pub fn time_limit(self) -> Duration {
        match self {
            FuzzTarget::Parse | FuzzTarget::Check => Duration::from_secs(1),
            FuzzTarget::Evaluate => EVALUATION_TIME + MAX_OVERRUN,
        }
    }

    /// Gives a text to the target, as bytes that need not be UTF-8.
    ///
    /// # Panics
    /// Panics if this library has a defect, which is what fuzzing looks for.
    pub fn run_input(self, library: &Library, bytes: &[u8]) -> FuzzOutcome {
        let lossy = String::from_utf8_lossy(bytes);
        // invalid UTF-8 is refused with its position by `decode`; its lossy text is tried as well
        let text = decode_utf8(bytes).unwrap_or(&lossy);
        match self {
            FuzzTarget::Parse => {
                // both parsers read the text, whichever accepts it
                let refused = parse_type(text).err().map(|e| check_report(text, &e.into()));
                match parse_expression(text) {
                    Ok(_) => FuzzOutcome::Accepted,
                    Err(e) => {
                        check_report(text, &e.into());
                        if refused.is_some() { FuzzOutcome::Refused } else { FuzzOutcome::Accepted }
                    }
                }
            }
            FuzzTarget::Check => match library.infer_expression(text) {
                Ok((term, ty)) => {
                    let printed = term.to_string();
                    assert!(!printed.is_empty() && !ty.to_string().is_empty(), "a program that prints as nothing");
                    FuzzOutcome::Accepted
                }
                Err(e) => {
                    check_report(text, &e);
                    FuzzOutcome::Refused
                }
            },
            FuzzTarget::Evaluate => evaluate_text(library, text),
        }
    }
}

/// Renders an error at its position, and asserts that the report has a text.
fn check_report(text: &str, error: &ProgramError) {
    let report = source::render_error(&SourceText::new("question", text), error);
    assert!(report.starts_with("error: "), "an error that shows nothing: {report}");
}

/// Infers and evaluates a text for a short time, and checks that its answer can be printed.
fn evaluate_text(library: &Library, text: &str) -> FuzzOutcome {
    let term = match library.infer_expression(text) {
        Ok((term, _)) => term,
        Err(e) => {
            check_report(text, &e);
            return FuzzOutcome::Refused;
        }
    };
    let budget = Arc::new(Budget::with_time_limit(EVALUATION_TIME));
    let eps = Rational::from((1, 1_000_000));
    match PresheafInterpreter::new(budget.clone()).enclose_program(&term, &Accuracy::from(&eps), &budget) {
        Ok(found) => {
            let _ = found.value.map_reals(&mut |answer| -> Box<real::RefinedEnclosure> {
                assert!(answer.enclosure.lo() <= answer.enclosure.hi(), "ends in the wrong order");
                assert!(
                    !answer.enclosure.print_decimals(&eps).to_string().is_empty(),
                    "a number that prints as nothing"
                );
                answer.clone()
            });
            FuzzOutcome::Accepted
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error that says nothing");
            FuzzOutcome::Refused
        }
    }
}

/// The texts that come with the library, separated by lines `----`.
const CORPUS_FILES: [&str; 3] = [
    include_str!("../../corpus/book.txt"),
    include_str!("../../corpus/claims.txt"),
    include_str!("../../corpus/malformed.txt"),
];

/// Splits a corpus file into its texts.
#[must_use]
pub fn split_texts(file: &str) -> Vec<String> {
    file.trim_end_matches('\n').split("\n----\n").map(str::to_owned).collect()
}

/// Returns the texts that come with the library: questions of the book, claims of the theories, and malformed texts.
#[must_use]
pub fn bundled_corpus() -> Vec<String> {
    CORPUS_FILES.iter().flat_map(|file| split_texts(file)).collect()
}

/// Fragments for random texts: tokens of the language, letters that are hard for text, and nonsense.
const TEXT_FRAGMENTS: [&str; 72] = [
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ".",
    "..",
    "=",
    "=>",
    "->",
    "\\",
    "λ",
    "⇒",
    "→",
    "^",
    "²",
    "⁻",
    "-",
    "+",
    "*",
    "/",
    "==",
    "<",
    "&&",
    "||",
    "~",
    "≅",
    "!",
    "\"",
    "let ",
    "rec ",
    " in ",
    "if ",
    " then ",
    " else ",
    "match ",
    " with ",
    " | ",
    " :: ",
    "[]",
    "fold ",
    "Just ",
    "Nothing",
    "tt",
    "Real",
    "Tan ",
    "x",
    "_",
    "1e9",
    "0.",
    "ℜ2",
    "\u{301}",
    "\u{202e}",
    "\0",
    "\n",
    "\t",
    "18446744073709551616",
    "1e-400",
    "deriv ",
    "integral01 ",
    "max01 ",
    "cutRoot ",
    "firstRoot ",
    "tangent ",
    ".to ",
    ".from ",
    "[0]",
    "(x : Real)",
    "/ 0",
    "1",
    "0",
];

/// Returns the text number `index` of a seed over a corpus, as bytes.
#[must_use]
pub fn fuzz_input(corpus: &[String], seed: u64, index: u64) -> Vec<u8> {
    // the constant is "fuzz" in ASCII: a stream apart from that of the campaign's programs
    let mut random = SplitMix64::for_sample(seed ^ 0x6675_7a7a, index);
    // half from the corpus, a quarter programs, an eighth each fragments and arbitrary bytes; weights are a choice
    let mut text = match random.next_below(8) {
        0..4 if !corpus.is_empty() => random.pick(corpus).clone().into_bytes(),
        0..6 => {
            let mut term = generate::random_program(seed, random.next()).term;
            if random.random_bool(30) {
                term = term::random_neighbour(&term, &mut random);
            }
            term.to_string().into_bytes()
        }
        6 => (0..random.next_below(24)).flat_map(|_| random.pick(&TEXT_FRAGMENTS).bytes()).collect(),
        _ => (0..random.next_below(40)).map(|_| random.next() as u8).collect(),
    };
    if random.random_bool(85) {
        for _ in 0..=random.next_below(5) {
            mutate_text(&mut text, corpus, &mut random);
        }
    }
    text.truncate(MAX_TEXT_LENGTH);
    text
}

/// The greatest length of a text, in bytes. A choice.
const MAX_TEXT_LENGTH: usize = 4096;

/// Makes one random change to a text.
fn mutate_text(text: &mut Vec<u8>, corpus: &[String], random: &mut SplitMix64) {
    let at = random.next_below(text.len() + 1);
    let to = (at + 1 + random.next_below(12)).min(text.len());
    match random.next_below(9) {
        0 => drop(text.drain(at..to)),
        1 => drop(text.splice(at..at, random.pick(&TEXT_FRAGMENTS).bytes())),
        2 => drop(text.splice(at..to, random.pick(&TEXT_FRAGMENTS).bytes())),
        3 if at < text.len() => text[at] ^= 1 << random.next_below(8),
        4 => {
            let copy = text[at..to].to_vec();
            let place = random.next_below(text.len() + 1);
            text.splice(place..place, copy);
        }
        5 if !corpus.is_empty() => {
            let other = random.pick(corpus).as_bytes();
            let from = random.next_below(other.len() + 1);
            let end = (from + random.next_below(30)).min(other.len());
            text.splice(at..to, other[from..end].iter().copied());
        }
        6 => text.truncate(at),
        7 => {
            // long repetitions look for stack overflows and quadratic time
            let copy = text[at..to].to_vec();
            let many = copy.repeat(2 + random.next_below(40));
            text.splice(at..at, many);
        }
        _ => {
            // one more digit before the first one
            if let Some(digit) = text.iter().position(u8::is_ascii_digit) {
                text.splice(digit..digit, b"0123456789"[random.next_below(10)..].iter().take(1).copied());
            }
        }
    }
}
