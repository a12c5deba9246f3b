//! Theories: mathematics as text that runs. Here they are read; what they say is tried by the crate of laws.
//!
//! A theory is a module of definitions together with *claims*, numbers that its programs are said to have, each with
//! the reason why, and *laws*.
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
//! | [`mod@format`] | the text of one theory |
//! | [`texts`] | many theories, each after those that it extends |
//! | [`mod@layout`] | the text of a theory, laid out |
//! | [`unreadable`] | what can be wrong with the text of a theory |

pub mod format;
pub mod layout;
pub mod texts;
pub mod unreadable;

use crate::syntax::name::Name;
use crate::syntax::source::Span;
use std::fmt;

/// A place in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The key of the paper, such as `Sherman2021`.
    pub key: Name,
    /// Where the theory says so.
    pub span: Span,
    /// The section, figure or page.
    pub place: String,
}

/// How two sides are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `=`: the βη-normal forms are the same.
    NormalForm,
    /// `~`: the enclosures overlap at every tolerance.
    Overlap,
    /// `>=`: the left side, as a set, contains the right one: `right ⊑ left` read as information.
    Larger,
    /// `derives R`: the derivatives by the Taylor macro, up to an order, are those by `deriv`. There is no right side.
    Derives(usize),
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NormalForm => f.write_str("="),
            Self::Overlap => f.write_str("~"),
            Self::Larger => f.write_str(">="),
            Self::Derives(order) => write!(f, "derives {order}"),
        }
    }
}
