//! The rules of the macro, for whoever wants to see what becomes of programs under others.

use super::block::{Atom, Block, call, term};
use super::partial::Operation;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};
use std::fmt::Debug;

/// A term of the product rule: `c · a · b`.
pub type Product = (u128, Atom, Atom);

/// What numbers, operations and folds become (H §3.2, §5.1). What is not written is as it is in the [macro](super).
///
/// *Theorem to keep* (H Thm 3): at the derivatives of functions, the derived program has those of the composite.
/// [`glue::lemma`](crate::glue::lemma) tries it.
pub trait Rules: Debug + Send + Sync {
    /// A number, as a jet of a length: ⟨c, 0, …, 0⟩ (E28).
    fn number(&self, value: Term, length: usize) -> Term {
        let mut parts = vec![term(TermKind::Real(Rational::new())); length];
        parts[0] = value;
        term(TermKind::Tuple(parts))
    }
    /// The term `C(α, β) x_β y_{α−β}` of a product (H12, E30), given the places of β and α − β; `None` where there is none.
    fn product(&self, x: &[Atom], y: &[Atom], (part, rest, coefficient): (usize, usize, u128)) -> Option<Product> {
        Some((coefficient, x[part], y[rest]))
    }
    /// The derivative of an operation, of an order in each argument.
    fn partial(&self, block: &mut Block, operation: &Operation, beta: &[usize], x: &[Atom]) -> Atom {
        operation.partial(block, beta, x)
    }
    /// The coordinates of the result of an operation: in lexicographic order (H4).
    fn coordinates(&self, jet: Vec<Atom>) -> Vec<Atom> {
        jet
    }
    /// A fold, of what its step, start and list have become.
    fn fold(&self, arguments: [Term; 3]) -> Term {
        call(Constant::Fold, arguments)
    }
}

/// Those of the macro.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Rules for Paper {}
