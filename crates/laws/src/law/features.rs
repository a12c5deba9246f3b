//! The features of each semantics and of each paper's language, as a table: one program for each feature.
//!
//! Table 1 of [Lew et al. 2021](crate::refs::LEW_2021) compares semantic frameworks by the features of their programs.
//! Here a cell of such a table is an answer. A semantics has a feature if it gives the right value of its program. A
//! language has it if it contains the program, and if the program has that value in the semantics of the language.
//!
//! Some features do not show in the function of a program: every program of numbers can be written without functions of
//! functions. For those a language is tested on another program, which only a language with the feature contains. No
//! program can show whether an approach is denotational.

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

/// A feature that programs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The name of the feature.
    pub name: &'static str,
    /// A closed program of type `Real` that has it.
    pub program: &'static str,
    /// The value of the program, derived by hand, as numerator and denominator.
    pub value: (i64, i64),
    /// A program of any type that only a language with the feature contains. It replaces `program` in tests of
    /// languages.
    pub of_language: Option<&'static str>,
}

impl Feature {
    /// Makes a feature whose program is used for languages too.
    const fn new(name: &'static str, program: &'static str, value: (i64, i64)) -> Self {
        Self { name, program, value, of_language: None }
    }
}

/// All features, in the order of the table.
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

/// The subject of a row: a semantics or a language.
#[derive(Clone, Copy)]
pub enum Asked {
    /// A semantics.
    Meaning(&'static dyn Meaning),
    /// The language of a paper.
    Language(Fragment),
}

/// The answer of a semantics or language for a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The feature is present; a semantics gives the right value.
    Has,
    /// The answer is a set that contains the right value and more.
    Set,
    /// A semantics gives no value.
    Undefined,
    /// A language contains the program, but its semantics gives no value.
    Valueless,
    /// The feature is absent.
    Lacks,
    /// The value is wrong. No correct semantics answers so.
    Other,
}

impl Asked {
    /// Returns all subjects: the semantics, most trusted first, and then the languages.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let meanings = meaning::all().iter().map(|meaning| Self::Meaning(*meaning));
        meanings.chain(Fragment::ALL.iter().map(|fragment| Self::Language(*fragment))).collect()
    }

    /// Returns the name of the semantics or the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Meaning(meaning) => meaning.name(),
            Self::Language(fragment) => fragment.name(),
        }
    }

    /// Tests for a feature. The program may use the definitions of `library`; that of `PPL` uses those of the theories.
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
                    // membership in the language does not depend on what the semantics implements here
                    Some(Answer::Lacks) | None => Answer::Has,
                    Some(answer) => answer,
                }
            }
            (Self::Language(_), None) => Answer::Lacks,
        }
    }
}

/// Returns the semantics that a paper gives its language. For H that is the presheaves, which agree on smooth programs.
fn meaning_of(fragment: Fragment) -> Option<&'static dyn Meaning> {
    meaning::named(match fragment {
        Fragment::LambdaS | Fragment::Derivable => meaning::DEFAULT,
        Fragment::Abadi => meaning::partial::NAME,
        Fragment::OmegaPap => meaning::pap::NAME,
    })
}

/// The tolerance of an answer. A choice.
const EPS: (i64, i64) = (1, 1_000_000);
/// The time limit of an answer. A choice.
const PATIENCE: Duration = Duration::from_secs(10);

/// Compares the answer of a semantics with the expected value.
fn by_meaning(meaning: &dyn Meaning, term: &Term, ty: &Ty, expected: &Rational) -> Answer {
    let (eps, budget) = (Rational::from(EPS), Arc::new(Budget::within(PATIENCE)));
    match meaning.answer(term, ty, &eps, &budget).map(|answer| answer.value) {
        Ok(Value::Real(Number::Enclosure(found))) => match &found.enclosure {
            enclosure if !enclosure.is_defined() => Answer::Undefined,
            enclosure if !enclosure.contains(expected) => Answer::Other,
            // an enclosure that stays wide within the time limit is a set of values, as at a kink
            enclosure if enclosure.is_within(&eps) => Answer::Has,
            _ => Answer::Set,
        },
        Ok(Value::Real(Number::Float { value, .. })) => match Rational::from_f64(value) {
            Some(found) if Rational::from(&found - expected).abs() <= eps => Answer::Has,
            Some(_) => Answer::Other,
            None => Answer::Undefined,
        },
        // running out of fuel shows no lack of a value
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
