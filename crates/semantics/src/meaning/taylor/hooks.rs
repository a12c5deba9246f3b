//! The replaceable rules of the macro: the points of mutation for tests.

use super::block::{BlockValue, JetBlock, term_without_source};
use super::partial::SmoothOperation;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};
use std::fmt::Debug;

/// A term `c · a · b` of the product rule.
pub type ProductTerm = (u128, BlockValue, BlockValue);

/// The replaceable rules (H §3.2, §5.1). Everything else is as in the [macro](super); the defaults are the rules of the macro.
///
/// 𝒟 keeps the structure of everything but numbers. A wrong rule for a conditional, say, is therefore the right rule for another
/// program, so all such rules share one [hook](TaylorHooks::source_program).
///
/// *Invariant to keep* (H Thm 3): at the derivatives of functions, the derived program has those of the composite.
/// `glue::lemma` tests it.
pub trait TaylorHooks: Debug + Send + Sync {
    /// Returns a program to derive in place of another one; `None` keeps that one.
    fn source_program(&self, _: &Term) -> Option<Term> {
        None
    }

    /// Returns the jet ⟨c, 0, …, 0⟩ of a number c, with `length` coordinates (E28).
    fn constant_jet(&self, value: Term, length: usize) -> Term {
        let mut parts = vec![term_without_source(TermKind::Real(Rational::new())); length];
        parts[0] = value;
        term_without_source(TermKind::Tuple(parts))
    }
    /// Returns the function on jets for an operation; `None` builds it by [arithmetic on jets](super::jet).
    fn lifted_operation(&self, _: &SmoothOperation) -> Option<Term> {
        None
    }
    /// Returns the term `C(α, β) x_β y_{α−β}` of a product (H12, E30), given the positions of β and α − β; `None` drops it.
    fn product_term(
        &self,
        x: &[BlockValue],
        y: &[BlockValue],
        (part, rest, coefficient): (usize, usize, u128),
    ) -> Option<ProductTerm> {
        Some((coefficient, x[part], y[rest]))
    }
    /// Returns a coordinate of a quotient from its numerator and y₀.
    fn quotient_coordinate(&self, block: &mut JetBlock, numerator: BlockValue, below: BlockValue) -> BlockValue {
        block.divide(numerator, below)
    }
    /// Returns `1/β!`, the coefficient of the derivative of order β of an operation.
    fn taylor_coefficient(&self, beta: &[usize]) -> Rational {
        beta.iter().flat_map(|n| 1..=*n).fold(Rational::from(1), |f, n| f * n as u64).recip()
    }
    /// Returns the jet of an unknown exponent.
    fn unknown_exponent(&self, _: &mut JetBlock, jet: Vec<BlockValue>) -> Vec<BlockValue> {
        jet
    }
    /// Returns the exponent of the power operation for a known exponent.
    fn known_exponent(&self, exponent: Rational) -> Rational {
        exponent
    }
    /// Returns the derivative ∂_β of an operation, with an order for each argument.
    fn partial_derivative(
        &self,
        block: &mut JetBlock,
        operation: &SmoothOperation,
        beta: &[usize],
        x: &[BlockValue],
    ) -> BlockValue {
        operation.build_partial(block, beta, x)
    }
    /// Returns the coordinates of an operation's result, in lexicographic order (H4).
    fn result_coordinates(&self, _: &mut JetBlock, jet: Vec<BlockValue>) -> Vec<BlockValue> {
        jet
    }
    /// Returns the image of a constant that is analytic only on pieces; `None` if there is no such rule, or none is needed.
    ///
    /// `arguments` are the images of its arguments, as jets of `length` coordinates. `smooth` is the image of the constant where
    /// it is smooth.
    fn lift_piecewise(&self, _: Constant, _arguments: &[Term], _length: usize, _smooth: Option<&Term>) -> Option<Term> {
        None
    }
    /// Returns `true` if there are rules for constants that are analytic only on pieces.
    fn has_pieces(&self) -> bool {
        false
    }
}

/// The rules of the macro.
#[derive(Clone, Copy, Debug)]
pub struct DefaultTaylorHooks;

impl TaylorHooks for DefaultTaylorHooks {}
