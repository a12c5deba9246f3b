//! Mutants of the dual numbers of piecewise programs, by the macro (W §3.3).

use super::source::rewritten;
use crate::meaning::taylor::block::{Atom, call, term};
use crate::meaning::taylor::hooks::{Hooks, Product};
use crate::meaning::taylor::pieces::{InPieces, coordinate};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};

rules! {
    /// 𝒟 of programs in pieces.
    Dual {
        Border "dual_border", "𝒟 of x < y is x < y of the values" => "x <= y";
        ByTangent "dual_by_tangent", "𝒟 of a comparison is of the values" => "of the tangents";
        AbsSlope "dual_abs_slope", "the slope of abs is -1 on the left" => "1";
        MaxSlope "dual_max_slope", "the slope of max is that of the larger" => "that of the first";
        RootEdge "dual_root_edge", "𝒟 of a root has a value at 0, as the root has (W18)" => "none";
        AngleCut "dual_angle_cut", "𝒟 of an angle has a value on its cut, as the angle has (W18)" => "none";
        HalfProduct "dual_half_product", "the slope of a product has two terms" => "the first";
        ConstantSlope "dual_constant_slope", "the slope of a number is 0" => "1";
        Branches "dual_branches", "𝒟(if b then t else s) is if b then 𝒟t else 𝒟s" => "if b then 𝒟s else 𝒟t";
        Components "dual_components", "the components of a pair are in order" => "they are exchanged";
    }
}

impl Hooks for Dual {
    fn has_pieces(&self) -> bool {
        true
    }
    fn in_pieces(&self, constant: Constant, arguments: &[Term], length: usize, smooth: Option<&Term>) -> Option<Term> {
        let dual = |value: Term, slope: Term| Some(term(TermKind::Tuple(vec![value, slope])));
        match (self, constant, arguments) {
            // the border moves to the other side, which only a sample on the border itself can show
            (Self::Border, Constant::RealLess, _) => {
                InPieces.in_pieces(Constant::RealLessEqual, arguments, length, smooth)
            }
            (Self::ByTangent, _, [x, y]) if constant.compares_reals() => {
                Some(call(constant, [coordinate(x, 1), coordinate(y, 1)]))
            }
            (Self::AbsSlope, Constant::Abs, [x]) => dual(call(Constant::Abs, [coordinate(x, 0)]), coordinate(x, 1)),
            (Self::MaxSlope, Constant::Max, [x, y]) => {
                dual(call(Constant::Max, [coordinate(x, 0), coordinate(y, 0)]), coordinate(x, 1))
            }
            // without a rule for pieces, the formula of the smooth case is used, which is undefined there
            (Self::RootEdge, Constant::Elementary(_), _) | (Self::AngleCut, Constant::Planar(_), _) => None,
            _ => InPieces.in_pieces(constant, arguments, length, smooth),
        }
    }
    fn product(&self, x: &[Atom], y: &[Atom], (part, rest, coefficient): (usize, usize, u128)) -> Option<Product> {
        (*self != Self::HalfProduct || part == 0).then_some((coefficient, x[part], y[rest]))
    }
    fn number(&self, value: Term, length: usize) -> Term {
        let slope = i64::from(*self == Self::ConstantSlope);
        let mut parts = vec![term(TermKind::Real(Rational::from(slope))); length];
        parts[0] = value;
        term(TermKind::Tuple(parts))
    }
    // structural rules: the derived program is that of another program
    fn source(&self, term: &Term) -> Option<Term> {
        let rewrites = |part: &Term, _: usize| {
            let mut found = part.clone();
            match (self, found.parts_mut().0) {
                (Self::Branches, TermKind::If { then, otherwise, .. }) => std::mem::swap(then, otherwise),
                (Self::Components, TermKind::Tuple(parts)) => parts.reverse(),
                _ => return None,
            }
            Some(found)
        };
        matches!(self, Self::Branches | Self::Components).then(|| rewritten(term, &rewrites))
    }
}

impl Dual {
    /// Returns the rules for the macro.
    #[must_use]
    // a static element of `ALL`, which is in the order of the declaration
    pub fn rules(self) -> &'static dyn Hooks {
        &Self::ALL[self as usize]
    }
}
