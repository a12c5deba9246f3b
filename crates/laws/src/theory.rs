//! Theories: mathematics as text that runs.
//!
//! A theory is a module of definitions together with *claims*, numbers that its programs are said to have, each with
//! the reason why.
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
//! | `e within d of a .. b` | the answer encloses `[a, b]` and stays in `[a - d, b + d]`; `of a` is `of a .. a` |
//! | `e unreached within d of a .. b` | as before, and the answer is reported as not having reached the tolerance |
//! | `e undefined` | nothing is known of the value, or it is not shown to be defined |
//! | `e rejects "text"` | `e` has no type, and the message contains the text |
//! | `e = f` | both sides have the same βη-normal form |
//! | `e ~ f` | the enclosures of both sides overlap, however narrow they are asked for |
//! | `e >= f`, `e >= a .. b` | the left side contains the right one, as a set |
//! | `e derives R` | of laws: in the variables that are numbers, the derivatives by the [macro](crate::meaning::taylor) up to order R are those by `deriv` |
//!
//! A *claim* is one statement. A *law* is a statement for all samples of its variables, with conditions: `smooth f` and
//! `increasing f` of functions, `positive e` and `apart e f` of numbers.
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`mod@format`] | the text of one theory |
//! | [`law`] | what a law is |
//! | [`loader`] | many theories, each after those that it extends |
//! | [`trial`] | one law or claim, tried in one model |
//! | [`check`] | all of them, in all models |
//! | [`mutants`] | wrong models, and the statements that catch them |
//! | [`mod@layout`] | the text of a theory, laid out |
//! | [`error`] | what can be wrong with a theory |

pub mod check;
mod elaborate;
pub mod error;
pub mod law;
pub mod loader;
pub mod mutants;
pub mod trial;

#[doc(no_inline)]
pub use smoothish_theory::theory::{Citation, Relation, format, layout, texts, unreadable};

use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::source::{Source, Span};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use law::{Law, Related, Right, Sample};
use std::sync::Arc;

/// A theory, read and typed. Its definitions are a module of the library under the same name.
#[derive(Clone, Debug)]
pub struct Theory {
    /// The name, which is also that of its module.
    pub name: Name,
    /// The theories that it extends, as declared.
    pub extends: Vec<Name>,
    /// Where its content was published.
    pub citations: Vec<Citation>,
    /// What it is for.
    pub about: String,
    /// What it says of its programs.
    pub claims: Vec<Claim>,
    /// What it says for all samples.
    pub laws: Vec<Law>,
    /// How its named types, and those of the theories that it extends, are sampled.
    pub samples: Vec<Sample>,
    /// The models that it speaks of.
    pub models: Vec<ModelLine>,
    /// The wrong models that it refutes.
    pub refutes: Vec<RefuteLine>,
    /// The text that it was read from.
    pub source: Arc<Source>,
}

impl Theory {
    /// A theory that says nothing.
    #[must_use]
    pub fn empty(name: Name, source: Arc<Source>) -> Self {
        Self {
            name,
            extends: Vec::new(),
            citations: Vec::new(),
            about: String::new(),
            claims: Vec::new(),
            laws: Vec::new(),
            samples: Vec::new(),
            models: Vec::new(),
            refutes: Vec::new(),
            source,
        }
    }

    /// Whether a statement is not asked of a model.
    #[must_use]
    pub fn excepts(&self, model: &str, statement: &str) -> bool {
        let mut lines = self.models.iter().filter(|line| *line.model == *model);
        lines.any(|line| line.except.iter().any(|name| **name == *statement))
    }
}

/// Something that a theory says of its programs.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name, unique in the theory.
    pub name: Name,
    /// What is said.
    pub statement: Statement,
    /// Why it is right. A number printed in a paper is no reason.
    pub because: String,
    /// The place of the statement in the source of the theory.
    pub span: Span,
    /// The place of the program that it is about; the left one of two.
    pub program: Span,
}

/// What a claim says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Statement {
    /// The answer encloses `[low, high]` and stays within `tolerance` of it.
    Within {
        /// A program of type `Real`.
        term: Term,
        /// How far the answer may reach beyond the ends.
        tolerance: Rational,
        /// The lower end.
        low: Rational,
        /// The upper end, not below the lower one.
        high: Rational,
        /// Whether the answer must be reported as reached, or as not reached.
        reached: bool,
    },
    /// Nothing is known of the value of a program of type `Real`, or it is not shown to be defined.
    Undefined(Term),
    /// The program has no type, and the message says why.
    Rejects {
        /// The message; or the type that it has.
        refused: Result<String, Ty>,
        /// The part of the message.
        part: String,
    },
    /// Two sides are related.
    Related(Related),
}

impl Statement {
    /// The programs that it speaks of.
    #[must_use]
    pub fn programs(&self) -> Vec<(&Term, Ty)> {
        match self {
            Self::Within { term, .. } | Self::Undefined(term) => vec![(term, Ty::real())],
            Self::Rejects { .. } => Vec::new(),
            Self::Related(related) => {
                let right = match &related.right {
                    Right::Term(term) => Some(term),
                    Right::Interval(..) | Right::Derived => None,
                };
                [Some(&related.left), right].into_iter().flatten().map(|term| (term, related.ty.clone())).collect()
            }
        }
    }
}

/// A model, and what is not asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelLine {
    /// The name of the model.
    pub model: Name,
    /// The names of laws and claims.
    pub except: Vec<Name>,
    /// Why not.
    pub because: Option<String>,
}

/// A wrong model, and what refutes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuteLine {
    /// The name of the mutant.
    pub mutant: Name,
    /// The names of laws and claims.
    pub by: Vec<Name>,
}
