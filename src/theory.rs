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
//! ```
//! | claim | it holds when |
//! |---|---|
//! | `e within d of a .. b` | the answer encloses `[a, b]` and stays in `[a - d, b + d]`; `of a` is `of a .. a` |
//! | `e unreached within d of a .. b` | as before, and the answer is reported as not having reached the tolerance |
//! | `e ~ f` | the enclosures of both sides overlap, however narrow they are asked for |
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`mod@format`] | the text of one theory |
//! | [`loader`] | many theories, each after those that it extends |
//! | [`builtin`] | the theories that come with the library |

pub mod builtin;
pub mod format;
pub mod loader;

use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::source::{Source, Span};
use crate::syntax::term::Term;
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
    /// The text that it was read from.
    pub source: Arc<Source>,
}

/// A place in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The key of the paper, such as `Sherman2021`.
    pub key: Name,
    /// The section, figure or page.
    pub place: String,
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
    /// The enclosures of two programs of type `Real` overlap, both as narrow as was asked.
    Agree {
        /// One program.
        left: Term,
        /// The other.
        right: Term,
    },
}
