//! Hooks of the macro, with which a rule of it is replaced: to see what becomes of programs under a wrong one.

use super::block::{Atom, Block, term};
use super::partial::Operation;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};
use std::fmt::Debug;

/// A term of the product rule: `c · a · b`.
pub type Product = (u128, Atom, Atom);

/// What the macro asks where a rule may be replaced (H §3.2, §5.1). What is not written is as it is in the [macro](super).
///
/// What 𝒟 does to everything but numbers is to keep its structure, so that a wrong rule for a conditional, say, is the right one for another
/// program: such rules have one [hook](Hooks::source) together.
///
/// *Theorem to keep* (H Thm 3): at the derivatives of functions, the derived program has those of the composite.
/// `glue::lemma` tries it.
pub trait Hooks: Debug + Send + Sync {
    /// The program that is derived in place of another one; `None` where it is that one.
    fn source(&self, _: &Term) -> Option<Term> {
        None
    }

    /// A number, as a jet of a length: ⟨c, 0, …, 0⟩ (E28).
    fn number(&self, value: Term, length: usize) -> Term {
        let mut parts = vec![term(TermKind::Real(Rational::new())); length];
        parts[0] = value;
        term(TermKind::Tuple(parts))
    }
    /// The function on jets that an operation becomes, where it is given; `None` where it is made by [arithmetic on jets](super::jet).
    fn operation(&self, _: &Operation) -> Option<Term> {
        None
    }
    /// The term `C(α, β) x_β y_{α−β}` of a product (H12, E30), given the places of β and α − β; `None` where there is none.
    fn product(&self, x: &[Atom], y: &[Atom], (part, rest, coefficient): (usize, usize, u128)) -> Option<Product> {
        Some((coefficient, x[part], y[rest]))
    }
    /// A coordinate of a quotient, of its numerator and y₀.
    fn quotient(&self, block: &mut Block, numerator: Atom, below: Atom) -> Atom {
        block.divide(numerator, below)
    }
    /// `1/β!`, which stands before the derivative of order β of an operation.
    fn coefficient(&self, beta: &[usize]) -> Rational {
        beta.iter().flat_map(|n| 1..=*n).fold(Rational::from(1), |f, n| f * n as u64).recip()
    }
    /// The jet of an exponent that is not known.
    fn exponent(&self, _: &mut Block, jet: Vec<Atom>) -> Vec<Atom> {
        jet
    }
    /// The exponent of the power that is defined for one that is known.
    fn power(&self, exponent: Rational) -> Rational {
        exponent
    }
    /// The derivative of an operation, of an order in each argument.
    fn partial(&self, block: &mut Block, operation: &Operation, beta: &[usize], x: &[Atom]) -> Atom {
        operation.partial(block, beta, x)
    }
    /// The coordinates of the result of an operation: in lexicographic order (H4).
    fn coordinates(&self, _: &mut Block, jet: Vec<Atom>) -> Vec<Atom> {
        jet
    }
    /// What a constant becomes that is analytic on pieces only, of what its arguments have become, which are jets of a length, and of the
    /// function that it is where it is smooth; `None` where there is no such rule, or none is needed.
    fn in_pieces(&self, _: Constant, _arguments: &[Term], _length: usize, _smooth: Option<&Term>) -> Option<Term> {
        None
    }
    /// Whether there are rules for what is analytic on pieces only.
    fn has_pieces(&self) -> bool {
        false
    }
}

/// Those of the macro.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
