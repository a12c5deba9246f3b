//! Mutants of the dual numbers of piecewise programs, by the macro (W §3.3).

use super::source::rewrite_program;
use crate::meaning::taylor::block::{BlockValue, apply_constant_term, term_without_source};
use crate::meaning::taylor::hooks::{ProductTerm, TaylorHooks};
use crate::meaning::taylor::pieces::{PiecewiseTaylorHooks, jet_coordinate};
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

impl TaylorHooks for Dual {
    fn has_pieces(&self) -> bool {
        true
    }
    fn lift_piecewise(
        &self,
        constant: Constant,
        arguments: &[Term],
        length: usize,
        smooth: Option<&Term>,
    ) -> Option<Term> {
        let dual = |value: Term, slope: Term| Some(term_without_source(TermKind::Tuple(vec![value, slope])));
        match (self, constant, arguments) {
            // the border moves to the other side, which only a sample on the border itself can show
            (Self::Border, Constant::RealLess, _) => {
                PiecewiseTaylorHooks.lift_piecewise(Constant::RealLessEqual, arguments, length, smooth)
            }
            (Self::ByTangent, _, [x, y]) if constant.compares_reals() => {
                Some(apply_constant_term(constant, [jet_coordinate(x, 1), jet_coordinate(y, 1)]))
            }
            (Self::AbsSlope, Constant::Abs, [x]) => {
                dual(apply_constant_term(Constant::Abs, [jet_coordinate(x, 0)]), jet_coordinate(x, 1))
            }
            (Self::MaxSlope, Constant::Max, [x, y]) => dual(
                apply_constant_term(Constant::Max, [jet_coordinate(x, 0), jet_coordinate(y, 0)]),
                jet_coordinate(x, 1),
            ),
            // without a rule for pieces, the formula of the smooth case is used, which is undefined there
            (Self::RootEdge, Constant::Elementary(_), _) | (Self::AngleCut, Constant::Planar(_), _) => None,
            _ => PiecewiseTaylorHooks.lift_piecewise(constant, arguments, length, smooth),
        }
    }
    fn product_term(
        &self,
        x: &[BlockValue],
        y: &[BlockValue],
        (part, rest, coefficient): (usize, usize, u128),
    ) -> Option<ProductTerm> {
        (*self != Self::HalfProduct || part == 0).then_some((coefficient, x[part], y[rest]))
    }
    fn constant_jet(&self, value: Term, length: usize) -> Term {
        let slope = i64::from(*self == Self::ConstantSlope);
        let mut parts = vec![term_without_source(TermKind::Real(Rational::from(slope))); length];
        parts[0] = value;
        term_without_source(TermKind::Tuple(parts))
    }
    // structural rules: the derived program is that of another program
    fn source_program(&self, term: &Term) -> Option<Term> {
        let rewrites = |part: &Term, _: usize| {
            let mut found = part.clone();
            match (self, found.parts_mut().0) {
                (Self::Branches, TermKind::If { then, otherwise, .. }) => std::mem::swap(then, otherwise),
                (Self::Components, TermKind::Tuple(parts)) => parts.reverse(),
                _ => return None,
            }
            Some(found)
        };
        matches!(self, Self::Branches | Self::Components).then(|| rewrite_program(term, &rewrites))
    }
}

impl Dual {
    /// Returns the rules for the macro.
    #[must_use]
    // a static element of `ALL`, which is in the order of the declaration
    pub fn as_hooks(self) -> &'static dyn TaylorHooks {
        &Self::ALL[self as usize]
    }
}
