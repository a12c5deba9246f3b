//! Theories: mathematics as text that runs. This module reads them; the crate `smoothish-laws` tests their statements.
//!
//! A theory is a module of definitions together with *claims* and *laws*. A claim states the value of a program and the
//! reason for it. A law states a relation of two programs for all values of its variables.
//! ```text
//! theory Example extends Prelude
//! cite  Sherman2021 "2.3"
//! about "What the theory is for."
//! type  Curve = Real -> Real^2
//! ! The comment just before a definition is its documentation.
//! let   line (x : Real) : Real^2 = (x, 2 * x)
//! claim slope : deriv (\x => (line x)[1]) 3 within 1e-9 of 2 because "the line is straight"
//! law   chain (f g : Real -> Real) (x : Real) : deriv (\z => g (f z)) x ~ deriv g (f x) * deriv f x where smooth f, smooth g
//! ```
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`mod@format`] | the parser of one theory |
//! | [`texts`] | a collection of theories, each after those that it extends; the errors of the text of a theory |
//! | [`mod@layout`] | the formatter of theory files |

pub mod format;
pub mod layout;
pub mod texts;

use crate::syntax::name::Name;
use crate::syntax::source::Span;
use std::fmt;

/// A place in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The key of the paper, such as `Sherman2021`.
    pub key: Name,
    /// The place of the key in the theory file.
    pub span: Span,
    /// The section, figure or page of the paper.
    pub place: String,
}

/// The relation that a statement asserts between its two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementRelation {
    /// `=`: the βη-normal forms are the same.
    NormalForm,
    /// `~`: the enclosures overlap at every tolerance.
    Overlap,
    /// `>=`: the left side, as a set, contains the right side. As information, `right ⊑ left`.
    Contains,
    /// `derives R`: the derivatives by the Taylor macro, up to order `R`, are those by `deriv`. There is no right side.
    Derives(usize),
}

impl fmt::Display for StatementRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NormalForm => f.write_str("="),
            Self::Overlap => f.write_str("~"),
            Self::Contains => f.write_str(">="),
            Self::Derives(order) => write!(f, "derives {order}"),
        }
    }
}
