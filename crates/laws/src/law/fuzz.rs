//! Fuzzing: hostile texts for parser, inference and evaluator, in an endless stream and without instrumentation.
//!
//! The text number `index` of a seed is a text of the corpus or a program of the [generator](super::generate), with
//! random changes. It depends on seed, index and corpus alone. A [`Target`] is the component that reads the text. It
//! must answer every text with a value, or with an error that can be shown. A panic or an overrun is a defect of this
//! library.

use super::generate;
use super::shrink;
use crate::meaning::presheaf::Interpreter;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::random::Random;
use crate::syntax::library::{Error, Library};
use crate::syntax::parser::{parse_expression, parse_type};
use crate::syntax::report;
use crate::syntax::source::{Source, decode};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The component that reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
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
pub struct NoTarget(String);

impl FromStr for Target {
    type Err = NoTarget;

    fn from_str(word: &str) -> Result<Self, NoTarget> {
        match word {
            "parse" => Ok(Target::Parse),
            "check" => Ok(Target::Check),
            "evaluate" => Ok(Target::Evaluate),
            other => Err(NoTarget(other.to_owned())),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Parse => "parse",
            Target::Check => "check",
            Target::Evaluate => "evaluate",
        })
    }
}

/// The way a text was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// The text is what the target expects: an expression or a type, a well-typed program, a program with a value.
    Accepted,
    /// The target returned an error that can be shown.
    Refused,
}

/// The time limit of the evaluator. A choice: many short runs find more than a few long ones.
const EVALUATION: Duration = Duration::from_millis(10);
/// The greatest delay beyond that limit. A choice.
const OVERRUN: Duration = Duration::from_millis(100);

impl Target {
    /// Returns the greatest time that a text may take. The evaluator may overrun its own limit a little.
    #[must_use]
    pub fn longest(self) -> Duration {
        match self {
            Target::Parse | Target::Check => Duration::from_secs(1),
            Target::Evaluate => EVALUATION + OVERRUN,
        }
    }

    /// Gives a text to the target, as bytes that need not be UTF-8.
    ///
    /// # Panics
    /// Panics if this library has a defect, which is what fuzzing looks for.
    pub fn run(self, library: &Library, bytes: &[u8]) -> Reception {
        let lossy = String::from_utf8_lossy(bytes);
        // invalid UTF-8 is refused with its position by `decode`; its lossy text is tried as well
        let text = decode(bytes).unwrap_or(&lossy);
        match self {
            Target::Parse => {
                // both parsers read the text, whichever accepts it
                let refused = parse_type(text).err().map(|e| shown(text, &e.into()));
                match parse_expression(text) {
                    Ok(_) => Reception::Accepted,
                    Err(e) => {
                        shown(text, &e.into());
                        if refused.is_some() { Reception::Refused } else { Reception::Accepted }
                    }
                }
            }
            Target::Check => match library.infer_expression(text) {
                Ok((term, ty)) => {
                    let printed = term.to_string();
                    assert!(!printed.is_empty() && !ty.to_string().is_empty(), "a program that prints as nothing");
                    Reception::Accepted
                }
                Err(e) => {
                    shown(text, &e);
                    Reception::Refused
                }
            },
            Target::Evaluate => evaluate(library, text),
        }
    }
}

/// Renders an error at its position, and asserts that the report has a text.
fn shown(text: &str, error: &Error) {
    let report = report::render(&Source::new("question", text), error);
    assert!(report.starts_with("error: "), "an error that shows nothing: {report}");
}

/// Infers and evaluates a text for a short time, and checks that its answer can be printed.
fn evaluate(library: &Library, text: &str) -> Reception {
    let term = match library.infer_expression(text) {
        Ok((term, _)) => term,
        Err(e) => {
            shown(text, &e);
            return Reception::Refused;
        }
    };
    let budget = Arc::new(Budget::within(EVALUATION));
    let eps = Rational::from((1, 1_000_000));
    match Interpreter::new(budget.clone()).enclose(&term, &Accuracy::from(&eps), &budget) {
        Ok(found) => {
            let _ = found.value.map(&mut |answer| -> Box<real::Refined> {
                assert!(answer.enclosure.lo() <= answer.enclosure.hi(), "ends in the wrong order");
                assert!(!answer.enclosure.decimals(&eps).to_string().is_empty(), "a number that prints as nothing");
                answer.clone()
            });
            Reception::Accepted
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error that says nothing");
            Reception::Refused
        }
    }
}

/// The texts that come with the library, separated by lines `----`.
const CORPUS: [&str; 3] = [
    include_str!("../../corpus/book.txt"),
    include_str!("../../corpus/claims.txt"),
    include_str!("../../corpus/malformed.txt"),
];

/// Splits a corpus file into its texts.
#[must_use]
pub fn texts(file: &str) -> Vec<String> {
    file.trim_end_matches('\n').split("\n----\n").map(str::to_owned).collect()
}

/// Returns the texts that come with the library: questions of the book, claims of the theories, and malformed texts.
#[must_use]
pub fn corpus() -> Vec<String> {
    CORPUS.iter().flat_map(|file| texts(file)).collect()
}

/// Fragments for random texts: tokens of the language, letters that are hard for text, and nonsense.
const PIECES: [&str; 72] = [
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
pub fn input(corpus: &[String], seed: u64, index: u64) -> Vec<u8> {
    // the constant is "fuzz" in ASCII: a stream apart from that of the campaign's programs
    let mut random = Random::of(seed ^ 0x6675_7a7a, index);
    // half from the corpus, a quarter programs, an eighth each fragments and arbitrary bytes; weights are a choice
    let mut text = match random.below(8) {
        0..4 if !corpus.is_empty() => random.pick(corpus).clone().into_bytes(),
        0..6 => {
            let mut term = generate::program(seed, random.next()).term;
            if random.chance(30) {
                term = shrink::neighbour(&term, &mut random);
            }
            term.to_string().into_bytes()
        }
        6 => (0..random.below(24)).flat_map(|_| random.pick(&PIECES).bytes()).collect(),
        _ => (0..random.below(40)).map(|_| random.next() as u8).collect(),
    };
    if random.chance(85) {
        for _ in 0..=random.below(5) {
            mutate(&mut text, corpus, &mut random);
        }
    }
    text.truncate(LONGEST);
    text
}

/// The greatest length of a text, in bytes. A choice.
const LONGEST: usize = 4096;

/// Makes one random change to a text.
fn mutate(text: &mut Vec<u8>, corpus: &[String], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let to = (at + 1 + random.below(12)).min(text.len());
    match random.below(9) {
        0 => drop(text.drain(at..to)),
        1 => drop(text.splice(at..at, random.pick(&PIECES).bytes())),
        2 => drop(text.splice(at..to, random.pick(&PIECES).bytes())),
        3 if at < text.len() => text[at] ^= 1 << random.below(8),
        4 => {
            let copy = text[at..to].to_vec();
            let place = random.below(text.len() + 1);
            text.splice(place..place, copy);
        }
        5 if !corpus.is_empty() => {
            let other = random.pick(corpus).as_bytes();
            let from = random.below(other.len() + 1);
            let end = (from + random.below(30)).min(other.len());
            text.splice(at..to, other[from..end].iter().copied());
        }
        6 => text.truncate(at),
        7 => {
            // long repetitions look for stack overflows and quadratic time
            let copy = text[at..to].to_vec();
            let many = copy.repeat(2 + random.below(40));
            text.splice(at..at, many);
        }
        _ => {
            // one more digit before the first one
            if let Some(digit) = text.iter().position(u8::is_ascii_digit) {
                text.splice(digit..digit, b"0123456789"[random.below(10)..].iter().take(1).copied());
            }
        }
    }
}
