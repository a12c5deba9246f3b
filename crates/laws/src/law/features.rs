//! What each meaning has, and the language of each paper: one program for each feature, asked of all.
//!
//! Table 1 of [Lew et al. 2021](crate::refs::LEW_2021) compares semantic frameworks by what their programs may have. Here a cell of
//! such a table is an answer: a meaning has a feature where it gives the value of its program, and a language where the program
//! is in it and has that value there, as the meaning of the language says. Where a program without the feature is the same function, as
//! every program of numbers without functions of functions is, a language is asked for another program, which only a language with the feature
//! has. Whether an approach is denotational is nothing that a program can show.

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
    /// What a language is asked for instead: a program of any type that only a language with the feature has.
    pub of_language: Option<&'static str>,
}

impl Feature {
    const fn new(name: &'static str, program: &'static str, value: (i64, i64)) -> Self {
        Self { name, program, value, of_language: None }
    }
}

/// All of them.
pub const FEATURES: &[Feature] = &[
    Feature::new("kinks", r"(\x => max (abs x) 1) (-3)", (3, 1)),
    Feature::new("piecewise", r"(\x => if x < 1 then x else 2 * x) 3", (6, 1)),
    Feature::new("border", r"(\x => if x < 1 then x else 2 * x) 1", (2, 1)),
    Feature::new("equality", r"(\(x : Real) => if x == 1 then 5 else x) 3", (3, 1)),
    Feature::new("recursion", r"let rec f (x : Real) : Real = if x < 1 then x else f (x / 2) + 1 in f 5", (29, 8)),
    Feature {
        of_language: Some(r"\(f : Real -> Real) => f 2"),
        ..Feature::new("higher-order", r"let pair = (\x => x * x, \x => x + 1) in fst pair (snd pair 2)", (9, 1))
    },
    Feature::new("data", r"fold (\x y => x + y) 0 [1/2, 7/2]", (4, 1)),
    Feature::new("PPL", r"density (do { x <- sample (uniformOn 0 2); score (x * x); return x }) [3/2]", (9, 8)),
    Feature::new("AD", r"deriv (\x => x * x * x) 2", (12, 1)),
    Feature::new("reverse", r"rd (\x => x * x * x) 2 1", (12, 1)),
    Feature::new("AD at kinks", "deriv abs 0", (1, 1)),
    Feature::new("integrals", r"integral01 (\x => x)", (1, 2)),
    Feature::new("roots", r"cutRoot (\x => 1 - 2 * x)", (1, 2)),
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
    /// Of a language: the program is in it, and has no value there.
    Valueless,
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

    /// Asks for a feature, of programs that see the definitions of a library. Of those of the theories the row `PPL` is made.
    #[must_use]
    pub fn has(self, feature: &Feature, library: &Library) -> Answer {
        let value = Rational::from(feature.value);
        let Ok((term, ty)) = library.infer_expression(feature.program) else { return Answer::Lacks };
        match (self, feature.of_language) {
            (Self::Meaning(meaning), _) => by_meaning(meaning, &term, &ty, &value),
            (Self::Language(fragment), Some(program)) => match library.infer_expression(program) {
                Ok((term, _)) if check(fragment, &term).is_ok() => Answer::Has,
                _ => Answer::Lacks,
            },
            (Self::Language(fragment), None) if check(fragment, &term).is_ok() => {
                match meaning_of(fragment).map(|meaning| by_meaning(meaning, &term, &ty, &value)) {
                    Some(Answer::Undefined) => Answer::Valueless,
                    // what the meaning here lacks is in the language all the same
                    Some(Answer::Lacks) | None => Answer::Has,
                    Some(answer) => answer,
                }
            }
            (Self::Language(_), None) => Answer::Lacks,
        }
    }
}

/// What a language means by its paper; H's by presheaves, which have the values of smooth programs.
fn meaning_of(fragment: Fragment) -> Option<&'static dyn Meaning> {
    meaning::named(match fragment {
        Fragment::LambdaS | Fragment::Derivable => meaning::DEFAULT,
        Fragment::Abadi => meaning::partial::NAME,
        Fragment::OmegaPap => meaning::pap::NAME,
    })
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
            Self::Valueless => "in the language, no value",
            Self::Lacks => "–",
            Self::Other => "another",
        })
    }
}
