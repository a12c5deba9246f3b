//! Fuzzing: hostile texts for the parser, the inference and the evaluator, without end and without instrumentation.
//!
//! The text number `index` of a seed is a text of the corpus, or a program of the [generator](super::generate), with some
//! changes; it depends on seed, index and corpus alone. A [`Target`] is what a text is given to. Whatever the text, it
//! answers: with a value, or with an error that can be shown. A panic or a long silence is a defect of this library.

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

/// What a text is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The parser, of expressions and of types.
    Parse,
    /// Type inference, and the printer for what it accepts.
    Check,
    /// The evaluator, for 10 ms.
    Evaluate,
}

/// What a target is, where the word is none.
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

/// How a text was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// It is what the target wants: an expression, a well-typed program, a program with a value.
    Accepted,
    /// An error was shown.
    Refused,
}

/// The time that the evaluator is given.
const EVALUATION: Duration = Duration::from_millis(10);
/// How far it may overrun.
const OVERRUN: Duration = Duration::from_millis(100);

impl Target {
    /// How long a text may take; the evaluator has its time, and an overrun that nobody notices.
    #[must_use]
    pub fn longest(self) -> Duration {
        match self {
            Target::Parse | Target::Check => Duration::from_secs(1),
            Target::Evaluate => EVALUATION + OVERRUN,
        }
    }

    /// Gives a text to the target, as bytes that may be no text.
    ///
    /// # Panics
    /// Where this library has a defect; that is what is looked for.
    pub fn run(self, library: &Library, bytes: &[u8]) -> Reception {
        let lossy = String::from_utf8_lossy(bytes);
        // what is no text is refused with its place; what is left of it goes on
        let text = decode(bytes).unwrap_or(&lossy);
        match self {
            Target::Parse => {
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

/// An error, shown at its place: the report always has a text.
fn shown(text: &str, error: &Error) {
    let report = report::render(&Source::new("question", text), error);
    assert!(report.starts_with("error: "), "an error that shows nothing: {report}");
}

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

/// The texts that come with the library, one after another with a line `----` between them.
const CORPUS: [&str; 3] = [
    include_str!("../../corpus/book.txt"),
    include_str!("../../corpus/claims.txt"),
    include_str!("../../corpus/malformed.txt"),
];

/// The texts of a file of a corpus.
#[must_use]
pub fn texts(file: &str) -> Vec<String> {
    file.trim_end_matches('\n').split("\n----\n").map(str::to_owned).collect()
}

/// The texts that come with the library: the questions of the book, the claims of the theories, and malformed ones.
#[must_use]
pub fn corpus() -> Vec<String> {
    CORPUS.iter().flat_map(|file| texts(file)).collect()
}

/// Words that matter to the language, letters that matter to text, and nonsense.
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

/// The text number `index` of a seed over a corpus, as bytes.
#[must_use]
pub fn input(corpus: &[String], seed: u64, index: u64) -> Vec<u8> {
    let mut random = Random::of(seed ^ 0x6675_7a7a, index);
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

/// The longest text.
const LONGEST: usize = 4096;

/// One change.
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
            // many times the same
            let copy = text[at..to].to_vec();
            let many = copy.repeat(2 + random.below(40));
            text.splice(at..at, many);
        }
        _ => {
            // a digit more or less
            if let Some(digit) = text.iter().position(u8::is_ascii_digit) {
                text.splice(digit..digit, b"0123456789"[random.below(10)..].iter().take(1).copied());
            }
        }
    }
}
