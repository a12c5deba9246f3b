//! The Taylor macro (H §3.2, §5.1).

use crate::function::Function;
use crate::meaning::taylor::block::{Atom, Block, call, term};
use crate::meaning::taylor::partial::Operation;
use crate::meaning::taylor::rules::{Product, Rules};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};

rules! {
    /// Derivatives as a macro.
    Taylor {
        CrossTerm "taylor_cross_term", "a product has the terms x_β y_{α−β} (H12, E30)" => "only those with β = 0 or β = α";
        SameArgument "taylor_same_argument", "the mixed terms of a product are of both arguments (H15, E31)" => "of one argument, as printed";
        Binomials "taylor_binomials", "the terms of a product have binomial coefficients (H8, E25)" => "1";
        Partial "taylor_partial", "∂₂ sigmoid is y (1 − y) (1 − 2 y) (H12)" => "the opposite";
        Cosine "taylor_cosine", "∂₁ cos is −sin (H12)" => "sin";
        Coordinates "taylor_coordinates", "coordinates are in lexicographic order (H4)" => "the second and the last are exchanged";
        ConstantLength "taylor_constant_length", "a number becomes ⟨c, 0, …, 0⟩, as long as every jet (E28)" => "⟨c, 0⟩";
        ConstantSlope "taylor_constant_slope", "a number becomes ⟨c, 0, …, 0⟩ (H11)" => "⟨c, 1, 0, …, 0⟩";
        FoldStart "taylor_fold_start", "a fold starts from the jet that it is given (H25)" => "from the same twice over";
    }
}

impl Rules for Taylor {
    fn number(&self, value: Term, length: usize) -> Term {
        let number = |n: i64| term(TermKind::Real(Rational::from(n)));
        let mut parts = vec![number(0); length];
        parts[0] = value;
        match self {
            Self::ConstantLength => parts.truncate(2),
            Self::ConstantSlope => parts[1] = number(1),
            _ => {}
        }
        term(TermKind::Tuple(parts))
    }
    fn product(&self, x: &[Atom], y: &[Atom], (part, rest, coefficient): (usize, usize, u128)) -> Option<Product> {
        let mixed = part > 0 && rest > 0;
        match self {
            Self::CrossTerm if mixed => None,
            Self::SameArgument if mixed && part < rest => Some((coefficient, x[part], x[rest])),
            Self::SameArgument if mixed => Some((coefficient, y[part], y[rest])),
            Self::Binomials => Some((1, x[part], y[rest])),
            _ => Some((coefficient, x[part], y[rest])),
        }
    }
    fn partial(&self, block: &mut Block, operation: &Operation, beta: &[usize], x: &[Atom]) -> Atom {
        let right = operation.partial(block, beta, x);
        match (self, operation, beta) {
            (Self::Partial, Operation::Constant(Constant::Sigmoid), [2])
            | (Self::Cosine, Operation::Constant(Constant::Elementary(Function::Cos)), [1]) => {
                let minus = block.rational(-1);
                block.multiply(minus, right)
            }
            _ => right,
        }
    }
    fn coordinates(&self, mut jet: Vec<Atom>) -> Vec<Atom> {
        if *self == Self::Coordinates {
            let last = jet.len() - 1;
            jet.swap(1, last);
        }
        jet
    }
    fn fold(&self, [step, start, list]: [Term; 3]) -> Term {
        let fold = |start| call(Constant::Fold, [step.clone(), start, list.clone()]);
        if *self == Self::FoldStart { fold(fold(start)) } else { fold(start) }
    }
}
