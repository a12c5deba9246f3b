//! What each meaning has, and the language of each paper: one program for each feature, asked of all.
//!
//! Table 1 of [Lew et al. 2021](crate::refs::LEW_2021) compares semantic frameworks by what their programs may have. Here a cell of
//! such a table is an answer: a meaning has a feature where it gives the value of its program, and a language where the program
//! is in it. Whether an approach is denotational is nothing that a program can show.

use crate::meaning;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::library::Library;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::trace::fragment::check;
use crate::value::{Cause, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Something that programs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it is called.
    pub name: &'static str,
    /// A closed program of type `Real` that has it.
    pub program: &'static str,
    /// The value of the program, found by hand: a numerator and a denominator.
    pub value: (i64, i64),
}

/// All of them.
pub const FEATURES: &[Feature] = &[
    Feature { name: "kinks", program: r"(\x => max (abs x) 1) (-3)", value: (3, 1) },
    Feature { name: "piecewise", program: r"(\x => if x < 1 then x else 2 * x) 3", value: (6, 1) },
    Feature { name: "border", program: r"(\x => if x < 1 then x else 2 * x) 1", value: (2, 1) },
    Feature { name: "equality", program: r"(\(x : Real) => if x == 1 then 5 else x) 3", value: (3, 1) },
    Feature {
        name: "recursion",
        program: r"let rec f (x : Real) : Real = if x < 1 then x else f (x / 2) + 1 in f 5",
        value: (29, 8),
    },
    Feature {
        name: "higher-order",
        program: r"let pair = (\x => x * x, \x => x + 1) in fst pair (snd pair 2)",
        value: (9, 1),
    },
    Feature { name: "data", program: r"fold (\x y => x + y) 0 [1/2, 7/2]", value: (4, 1) },
    Feature { name: "AD", program: r"deriv (\x => x * x * x) 2", value: (12, 1) },
    Feature { name: "reverse", program: r"rd (\x => x * x * x) 2 1", value: (12, 1) },
    Feature { name: "AD at kinks", program: "deriv abs 0", value: (1, 1) },
    Feature { name: "integrals", program: r"integral01 (\x => x)", value: (1, 2) },
    Feature { name: "roots", program: r"cutRoot (\x => 1 - 2 * x)", value: (1, 2) },
];

/// Who is asked.
#[derive(Clone, Copy)]
pub enum Asked {
    /// A meaning.
    Meaning(&'static dyn Meaning),
    /// The language of a paper.
    Language(Fragment),
}

/// What it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has the feature: of a meaning, the value that is right.
    Has,
    /// It has it in sets: the answer contains the value that is right, and more.
    Set,
    /// It has no value for it.
    Undefined,
    /// It lacks it.
    Lacks,
    /// It has another value: no meaning that is right answers so.
    Other,
}

impl Asked {
    /// All of them: the meanings, the most trusted first, and the languages.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let meanings = meaning::all().iter().map(|meaning| Self::Meaning(*meaning));
        meanings.chain(Fragment::ALL.iter().map(|fragment| Self::Language(*fragment))).collect()
    }

    /// What the meaning or the language is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Meaning(meaning) => meaning.name(),
            Self::Language(fragment) => fragment.name(),
        }
    }

    /// Asks for a feature.
    #[must_use]
    pub fn has(self, feature: &Feature) -> Answer {
        let Ok((term, ty)) = Library::new().infer_expression(feature.program) else { return Answer::Lacks };
        match self {
            Self::Meaning(meaning) => by_meaning(meaning, &term, &ty, &Rational::from(feature.value)),
            Self::Language(fragment) if check(fragment, &term).is_ok() => Answer::Has,
            Self::Language(_) => Answer::Lacks,
        }
    }
}

/// How narrow an answer is to be.
const EPS: (i64, i64) = (1, 1_000_000);
/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn by_meaning(meaning: &dyn Meaning, term: &Term, ty: &Ty, expected: &Rational) -> Answer {
    let (eps, budget) = (Rational::from(EPS), Arc::new(Budget::within(PATIENCE)));
    match meaning.answer(term, ty, &eps, &budget).map(|answer| answer.value) {
        Ok(Value::Real(Number::Enclosure(found))) => match &found.enclosure {
            enclosure if !enclosure.is_defined() => Answer::Undefined,
            enclosure if !enclosure.contains(expected) => Answer::Other,
            enclosure if enclosure.is_within(&eps) => Answer::Has,
            _ => Answer::Set,
        },
        Ok(Value::Real(Number::Float { value, .. })) => match Rational::from_f64(value) {
            Some(found) if Rational::from(&found - expected).abs() <= eps => Answer::Has,
            Some(_) => Answer::Other,
            None => Answer::Undefined,
        },
        Err(MeaningError::Undefined(found)) if found.cause != Cause::Fuel => Answer::Undefined,
        _ => Answer::Lacks,
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Has => "yes",
            Self::Set => "a set",
            Self::Undefined => "no value",
            Self::Lacks => "–",
            Self::Other => "another",
        })
    }
}
