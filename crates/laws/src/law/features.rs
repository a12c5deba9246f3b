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
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::library::Library;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::trace::embed::check_fragment;
use crate::value::{UndefinedCause, Value};
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
    pub language_program: Option<&'static str>,
}

impl Feature {
    /// Makes a feature whose program is used for languages too.
    const fn new(name: &'static str, program: &'static str, value: (i64, i64)) -> Self {
        Self { name, program, value, language_program: None }
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
        language_program: Some(r"\(f : Real -> Real) => f 2"),
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
pub enum FeatureSubject {
    /// A semantics.
    Meaning(&'static dyn Semantics),
    /// The language of a paper.
    Language(Fragment),
}

/// The answer of a semantics or language for a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureSupport {
    /// The feature is present; a semantics gives the right value.
    Supported,
    /// The answer is a set that contains the right value and more.
    SupportedInSets,
    /// A semantics gives no value.
    Undefined,
    /// A language contains the program, but its semantics gives no value.
    InLanguageOnly,
    /// The feature is absent.
    Unsupported,
    /// The value is wrong. No correct semantics answers so.
    WrongValue,
}

impl FeatureSubject {
    /// Returns all subjects: the semantics, most trusted first, and then the languages.
    #[must_use]
    pub fn all_subjects() -> Vec<Self> {
        let meanings = meaning::all_semantics().iter().map(|meaning| Self::Meaning(*meaning));
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
    pub fn support_of(self, feature: &Feature, library: &Library) -> FeatureSupport {
        let value = Rational::from(feature.value);
        let Ok((term, ty)) = library.infer_expression(feature.program) else { return FeatureSupport::Unsupported };
        match (self, feature.language_program) {
            (Self::Meaning(meaning), _) => support_by_semantics(meaning, &term, &ty, &value),
            (Self::Language(fragment), Some(program)) => match library.infer_expression(program) {
                Ok((term, _)) if check_fragment(fragment, &term).is_ok() => FeatureSupport::Supported,
                _ => FeatureSupport::Unsupported,
            },
            (Self::Language(fragment), None) if check_fragment(fragment, &term).is_ok() => {
                match semantics_of(fragment).map(|meaning| support_by_semantics(meaning, &term, &ty, &value)) {
                    Some(FeatureSupport::Undefined) => FeatureSupport::InLanguageOnly,
                    // membership in the language does not depend on what the semantics implements here
                    Some(FeatureSupport::Unsupported) | None => FeatureSupport::Supported,
                    Some(answer) => answer,
                }
            }
            (Self::Language(_), None) => FeatureSupport::Unsupported,
        }
    }
}

/// Returns the semantics that a paper gives its language. For H that is the presheaves, which agree on smooth programs.
fn semantics_of(fragment: Fragment) -> Option<&'static dyn Semantics> {
    meaning::semantics_named(match fragment {
        Fragment::LambdaS | Fragment::Derivable => meaning::DEFAULT_SEMANTICS,
        Fragment::Abadi => meaning::partial::NAME,
        Fragment::OmegaPap => meaning::pap::NAME,
    })
}

/// The tolerance of an answer. A choice.
const EPS: (i64, i64) = (1, 1_000_000);
/// The time limit of an answer. A choice.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Compares the answer of a semantics with the expected value.
fn support_by_semantics(meaning: &dyn Semantics, term: &Term, ty: &Ty, expected: &Rational) -> FeatureSupport {
    let (eps, budget) = (Rational::from(EPS), Arc::new(Budget::with_time_limit(ANSWER_TIME)));
    match meaning.evaluate(term, ty, &eps, &budget).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Enclosure(found))) => match &found.enclosure {
            enclosure if !enclosure.is_defined() => FeatureSupport::Undefined,
            enclosure if !enclosure.contains(expected) => FeatureSupport::WrongValue,
            // an enclosure that stays wide within the time limit is a set of values, as at a kink
            enclosure if enclosure.has_width_at_most(&eps) => FeatureSupport::Supported,
            _ => FeatureSupport::SupportedInSets,
        },
        Ok(Value::Real(AnswerNumber::Float { value, .. })) => match Rational::from_f64(value) {
            Some(found) if Rational::from(&found - expected).abs() <= eps => FeatureSupport::Supported,
            Some(_) => FeatureSupport::WrongValue,
            None => FeatureSupport::Undefined,
        },
        // running out of fuel shows no lack of a value
        Err(SemanticsError::Undefined(found)) if found.cause != UndefinedCause::Fuel => FeatureSupport::Undefined,
        _ => FeatureSupport::Unsupported,
    }
}

impl fmt::Display for FeatureSupport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Supported => "yes",
            Self::SupportedInSets => "a set",
            Self::Undefined => "no value",
            Self::InLanguageOnly => "in the language, no value",
            Self::Unsupported => "–",
            Self::WrongValue => "another",
        })
    }
}
