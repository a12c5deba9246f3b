//! Theories: mathematics as text that runs.
//!
//! A theory is a module of definitions together with *claims* and *laws*. A claim states the value of a program and the
//! reason for it. A law states a relation for all values of its variables.
//! ```text
//! theory Example extends Prelude
//! cite  Sherman2021 "2.3"
//! about "What the theory is for."
//! type  Curve = Real -> Real^2
//! ! The comment just before a definition is its documentation.
//! let   line (x : Real) : Real^2 = (x, 2 * x)
//! claim slope : deriv (\x => (line x)[1]) 3 within 1e-9 of 2 because "the line is straight"
//! claim kink  : deriv relu 0 unreached within 1e-9 of 0 .. 1 because "both slopes meet there"
//! claim sides : (line 1)[1] ~ 2 * (line 1)[0] because "definition"
//! law   chain (f g : Real -> Real) (x : Real) : deriv (\z => g (f z)) x ~ deriv g (f x) * deriv f x where smooth f, smooth g
//! refuted law at_kinks (x : Real) : deriv abs x ~ signum x because "a set at 0"
//! model tower : all except slope because "it is slow there"
//! refute max_takes_left : kink
//! ```
//! | statement | it holds when |
//! |---|---|
//! | `e within d of a .. b` | the answer encloses `[a, b]` and lies in `[a - d, b + d]`; `of a` is `of a .. a` |
//! | `e unreached within d of a .. b` | as before, and the answer is reported as not having reached the tolerance |
//! | `e undefined` | the answer is ⊥, or is not shown to be defined |
//! | `e rejects "text"` | `e` has no type, and the message contains the text |
//! | `e = f` | both sides have the same βη-normal form |
//! | `e ~ f` | the enclosures of both sides overlap at every tolerance |
//! | `e >= f`, `e >= a .. b` | the left side contains the right one, as a set |
//! | `e derives R` | laws only: the derivatives up to order R by the [macro](crate::meaning::taylor) are those by `deriv` |
//!
//! A *claim* is one statement. A *law* is a statement for all samples of its variables, with conditions: `smooth f` and
//! `increasing f` of functions, `positive e` and `apart e f` of numbers.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@format`] | the parser of one theory |
//! | [`law`] | typed laws |
//! | [`loader`] | a collection of theories, each after those that it extends |
//! | [`trial`] | the test of one law or claim in one model |
//! | [`check`] | the test of all statements in all models |
//! | [`mutants`] | mutation testing: mutants of a model, and the statements that refute them |
//! | [`mod@layout`] | the formatter of theory files |
//! | [`error`] | the errors of theories |

pub mod check;
mod elaborate;
pub mod error;
pub mod law;
pub mod loader;
pub mod mutants;
pub mod trial;

#[doc(no_inline)]
pub use smoothish_theory::theory::{Citation, StatementRelation, format, layout, texts};

use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use law::{RelatedTerms, RightSide, TheoryLaw, TypeSampler};
use std::sync::Arc;

/// A theory, parsed and typed. Its definitions are the module of the library that has its name.
#[derive(Clone, Debug)]
pub struct Theory {
    /// The name of the theory and of its module.
    pub name: Name,
    /// The theories that this theory extends, as declared.
    pub extends: Vec<Name>,
    /// The papers that the theory cites.
    pub citations: Vec<Citation>,
    /// The purpose of the theory, as written after `about`.
    pub summary: String,
    /// The claims, in the order of the source.
    pub claims: Vec<TheoryClaim>,
    /// The laws, in the order of the source.
    pub laws: Vec<TheoryLaw>,
    /// The samplers of named types, including those of the theories that it extends.
    pub samples: Vec<TypeSampler>,
    /// The models that the theory names, with their exceptions.
    pub models: Vec<ModelLine>,
    /// The mutants that the theory must refute.
    pub refutes: Vec<RefuteLine>,
    /// The source that the theory was parsed from.
    pub source: Arc<SourceText>,
}

impl Theory {
    /// Makes a theory without statements, which extends nothing.
    #[must_use]
    pub fn empty(name: Name, source: Arc<SourceText>) -> Self {
        Self {
            name,
            extends: Vec::new(),
            citations: Vec::new(),
            summary: String::new(),
            claims: Vec::new(),
            laws: Vec::new(),
            samples: Vec::new(),
            models: Vec::new(),
            refutes: Vec::new(),
            source,
        }
    }

    /// Returns `true` if the theory excepts `statement` in `model`.
    #[must_use]
    pub fn excepts_statement(&self, model: &str, statement: &str) -> bool {
        let mut lines = self.models.iter().filter(|line| *line.model == *model);
        lines.any(|line| line.except.iter().any(|name| **name == *statement))
    }
}

/// A statement about fixed programs, with the reason why it is right.
#[derive(Clone, Debug)]
pub struct TheoryClaim {
    /// The name, unique in the theory.
    pub name: Name,
    /// The statement itself.
    pub statement: ClaimStatement,
    /// The reason why it is right. A number printed in a paper is not a reason.
    pub because: String,
    /// The place of the statement in the source of the theory.
    pub span: Span,
    /// The place of the program that the claim is about; of two programs, the left one.
    pub program: Span,
}

/// The statement of a claim.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClaimStatement {
    /// The answer encloses `[low, high]` and stays within `tolerance` of it.
    Within {
        /// A program of type `Real`.
        term: Term,
        /// The distance by which the answer may extend beyond `low` and `high`; at least 0.
        tolerance: Rational,
        /// The lower end.
        low: Rational,
        /// The upper end, not below the lower one.
        high: Rational,
        /// `true` if the answer must be reported as reached, `false` if as not reached.
        reached: bool,
    },
    /// The value of the program, of type `Real`, is ⊥ or is not shown to be defined.
    Undefined(Term),
    /// The program has no type, and the message contains `part`.
    Rejects {
        /// The message of the type error; `Err` with the type if the program has one.
        refused: Result<String, Ty>,
        /// The text that the message must contain.
        part: String,
    },
    /// The two sides are related.
    Related(RelatedTerms),
}

impl ClaimStatement {
    /// Returns the programs of the statement with their types. A program that must be rejected has none.
    #[must_use]
    pub fn typed_programs(&self) -> Vec<(&Term, Ty)> {
        match self {
            Self::Within { term, .. } | Self::Undefined(term) => vec![(term, Ty::real())],
            Self::Rejects { .. } => Vec::new(),
            Self::Related(related) => {
                let right = match &related.right {
                    RightSide::Term(term) => Some(term),
                    RightSide::Interval(..) | RightSide::Derived => None,
                };
                [Some(&related.left), right].into_iter().flatten().map(|term| (term, related.ty.clone())).collect()
            }
        }
    }
}

/// A model that a theory names, with the statements that it is not tested with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelLine {
    /// The name of the model.
    pub model: Name,
    /// The names of the laws and claims that are excepted.
    pub except: Vec<Name>,
    /// The reason for the exceptions; `None` if there are none.
    pub because: Option<String>,
}

/// A mutant, with the statements that must refute it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuteLine {
    /// The name of the mutant.
    pub mutant: Name,
    /// The names of the laws and claims, each of which must refute the mutant.
    pub by: Vec<Name>,
}
