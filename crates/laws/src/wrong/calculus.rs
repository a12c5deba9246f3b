//! Mutants of composites, kinks, and definedness.

use super::step::{CompletedStep, drop_derivatives, drop_value, is_zero, take_orders};
use crate::number::context::{Function, Sign};
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::program::{BlockInstruction, BlockRegister};

rules! {
    /// Products and composites of higher order.
    Chain {
        Inner "chain_without_inner", "f(g)′ = f′(g) g′ (S28)" => "f′(g)";
        SecondOuter "faa_di_bruno_without_outer", "f(g)″ = f″(g) g′² + f′(g) g″ (S28, E19)" => "f′(g) g″";
        SecondInner "faa_di_bruno_without_inner", "f(g)″ = f″(g) g′² + f′(g) g″ (S28, E19)" => "f″(g) g′²";
        CrossTerm "product_without_cross_term", "(f g)″ = f″ g + 2 f′ g′ + f g″ (S20)" => "f″ g + f g″";
        CrossTermOnce "product_with_cross_term_once", "(f g)″ = f″ g + 2 f′ g′ + f g″ (S20)" => "f″ g + f′ g′ + f g″";
        Mixed "mixed_partials_dropped", "∂²(x y)/∂x∂y = 1 (S20)" => "0";
        Third "third_derivatives_dropped", "derivatives of every order (S16)" => "0 from the third on";
    }
}

rules! {
    /// The derivative where branches meet.
    Kink {
        MaxLeft "max_tie_left", "at a tie, max has the hull of both derivatives (S23)" => "that of the left argument";
        MaxRight "max_tie_right", "at a tie, max has the hull of both derivatives (S23)" => "that of the right argument";
        MaxMean "max_tie_mean", "at a tie, max has the hull of both derivatives (S23)" => "their mean";
        MinLeft "min_tie_left", "at a tie, min has the hull of both derivatives (S24)" => "that of the left argument";
        MinRight "min_tie_right", "at a tie, min has the hull of both derivatives (S24)" => "that of the right argument";
        MinMean "min_tie_mean", "at a tie, min has the hull of both derivatives (S24)" => "their mean";
        AbsZero "abs_tie_zero", "|x|′ is [-1, 1] at 0 (S24)" => "0";
        AbsRight "abs_tie_right", "|x|′ is [-1, 1] at 0 (S24)" => "1";
        AbsHalf "abs_tie_half", "|x|′ is [-1, 1] at 0 (S24)" => "[0, 1]";
        SignumValue "signum_tie_value", "sign 0 is [-1, 1] (E18)" => "0";
        SignumSlope "signum_tie_slope", "the derivative of sign at 0 is ⊥ (E18)" => "0";
        JumpValue "angle_jump_value", "atan2 0 x is [-π, π] for x < 0" => "π";
        JumpSlope "angle_jump_slope", "atan2 y x has no slope for y = 0 and x < 0" => "that of its formula";
        SecondZero "kink_second_zero", "the second derivative at a tie is ⊥ (S10)" => "0";
        SecondHull "kink_second_hull", "the second derivative at a tie is ⊥ (S10)" => "the hull of the branches'";
    }
}

rules! {
    /// Definedness: the cases in which the result is ⊥.
    Definedness {
        Reciprocal "reciprocal_of_zero", "1/0 is ⊥ (S2)" => "0";
        Root "root_of_negative", "√x is ⊥ for x < 0 (S4)" => "0";
        Log "log_of_nonpositive", "log x is ⊥ for x ≤ 0" => "0";
        Asin "asin_outside", "arcsin x is ⊥ for x > 1" => "π/2";
        OddRoot "odd_root_of_negative", "x^(p/q) is odd for odd p and q (S74)" => "even";
        ZerothPower "zeroth_power_of_zero", "0⁰ = 1 (S74)" => "0";
        ZeroTimesBottom "zero_times_bottom", "0 · ⊥ = ⊥ (E42)" => "0";
        SlopeOfRoot "slope_of_root_of_square", "a computed 0 over 0 in the slope of √ is ⊥ (S4, E42)" => "0";
        Flag "definedness_forgotten", "a part of an interval outside the domain makes the result not known to be defined" => "it is defined";
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong jet of a product or composite; `None` if the rule does not concern the step.
    pub(super) fn wrong_chain(&self, rule: Chain) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        // a coefficient that is dropped is exactly 0
        let without = |dropped: &dyn Fn(usize) -> bool| {
            Jet::new((0..right.len()).map(|m| right.get(m).filter(|_| !dropped(m)).cloned()))
        };
        Some(match *self.step.instruction {
            BlockInstruction::Unary(Unary::Function(f), x) => {
                let x = self.operand(x);
                match rule {
                    Chain::Inner => jets.apply_function(f, &with_unit_slopes(jets, x)),
                    Chain::SecondOuter => {
                        let slope = derivative_of(jets, f, &drop_derivatives(jets, x))?;
                        jets.add(&drop_derivatives(jets, right), &jets.multiply(&slope, &drop_value(jets, x)))
                    }
                    // f(g)″ without f″(g) g′²: the slope at the value alone, times the inner derivatives
                    Chain::SecondInner => {
                        jets.apply_function(f, &take_orders(jets, x, &Jet::zero(), |order| order > 1))
                    }
                    Chain::Third => without(&|m| jets.algebra.derivative_order(m) > 2),
                    _ => return None,
                }
            }
            BlockInstruction::Binary(Binary::Multiply, x, y) => {
                // the product of the parts without their values has all mixed terms, and nothing of first order
                let both = || jets.multiply(&drop_value(jets, self.operand(x)), &drop_value(jets, self.operand(y)));
                match rule {
                    Chain::CrossTerm => jets.subtract(right, &both()),
                    Chain::CrossTermOnce => {
                        jets.subtract(right, &jets.map_coefficients(&both(), |c| jets.context.div_integer(c, 2)))
                    }
                    Chain::Mixed => without(&|m| jets.algebra.direction_exponents(m).filter(|e| *e > 0).count() > 1),
                    Chain::Third => without(&|m| jets.algebra.derivative_order(m) > 2),
                    _ => return None,
                }
            }
            BlockInstruction::Binary(..) | BlockInstruction::Power(..) if rule == Chain::Third => {
                without(&|m| jets.algebra.derivative_order(m) > 2)
            }
            _ => return None,
        })
    }

    /// Returns the wrong jet at a kink or jump; `None` if the rule does not concern the step.
    pub(super) fn wrong_kink(&self, rule: Kink) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        let context = jets.context;
        if let BlockInstruction::Unary(Unary::Signum, x) = *self.step.instruction {
            let at_zero = is_zero(context, &jets.value_of(self.operand(x)));
            return match rule {
                Kink::SignumValue if at_zero => {
                    let mut wrong = (*right).clone();
                    wrong.set(0, Some(context.enclose_integer(0)));
                    Some(wrong)
                }
                Kink::SignumSlope if at_zero => Some(right.truncate_to(1)),
                _ => None,
            };
        }
        if let BlockInstruction::Binary(Binary::Planar(f), y, x) = *self.step.instruction {
            let (y, x) = (self.operand(y), self.operand(x));
            let on_the_ray = is_zero(context, &jets.value_of(y)) && context.sign(&jets.value_of(x)) == Sign::Negative;
            return match rule {
                Kink::JumpValue if on_the_ray => {
                    let mut wrong = (*right).clone();
                    wrong.set(0, Some(context.pi()));
                    Some(wrong)
                }
                Kink::JumpSlope if on_the_ray => {
                    Some(jets.integrate_slopes(f.slope_formulas(), y, x, jets.value_of(right)))
                }
                _ => None,
            };
        }
        let negative;
        let (a, b) = match *self.step.instruction {
            BlockInstruction::Unary(Unary::Abs, x) => {
                negative = jets.negate(self.operand(x));
                (self.operand(x), &negative)
            }
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if x != y => {
                (self.operand(x), self.operand(y))
            }
            _ => return None,
        };
        // only an exact tie: where two branches are merely not told apart, the hull is an approximation and no rule
        if self.step.branch != KinkBranch::Undecided
            || !is_zero(context, &context.sub(&jets.value_of(a), &jets.value_of(b)))
        {
            return None;
        }
        // only the coefficients of first degree are replaced: the second derivative at a tie stays ⊥ (S10)
        let with_slope = |slope: &Jet<C::Num>| {
            let first = |m: usize| jets.algebra.degree(m) == 1;
            Jet::new((0..right.len()).map(|m| if first(m) { slope.get(m) } else { right.get(m) }.cloned()))
        };
        let mean = || jets.map_coefficients(&jets.add(a, b), |c| context.div_integer(c, 2));
        Some(match (rule, self.step.instruction) {
            (Kink::MaxLeft, BlockInstruction::Binary(Binary::Maximum, ..))
            | (Kink::MinLeft, BlockInstruction::Binary(Binary::Minimum, ..))
            | (Kink::AbsRight, BlockInstruction::Unary(..)) => with_slope(a),
            (Kink::MaxRight, BlockInstruction::Binary(Binary::Maximum, ..))
            | (Kink::MinRight, BlockInstruction::Binary(Binary::Minimum, ..)) => with_slope(b),
            (Kink::MaxMean, BlockInstruction::Binary(Binary::Maximum, ..))
            | (Kink::MinMean, BlockInstruction::Binary(Binary::Minimum, ..)) => with_slope(&mean()),
            (Kink::AbsZero, BlockInstruction::Unary(..)) => with_slope(&Jet::zero()),
            (Kink::AbsHalf, BlockInstruction::Unary(..)) => {
                with_slope(&jets.map_coefficients(a, |c| context.hull(c, &context.enclose_integer(0))))
            }
            (Kink::SecondZero, _) => {
                let zero = || Some(context.enclose_integer(0));
                let second = |m: usize| jets.algebra.degree(m) > 1;
                let coefficient =
                    |m: usize| right.get(m).cloned().and_then(|c| if second(m) { zero() } else { Some(c) });
                Jet::new((0..right.len()).map(coefficient))
            }
            (Kink::SecondHull, _) => jets.hull_to_order(jets.value_of(right), a, b, u32::MAX),
            _ => return None,
        })
    }

    /// Returns the wrong jet where the result is ⊥; `None` if the rule does not concern the step.
    pub(super) fn wrong_definedness(&self, rule: Definedness) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        let context = jets.context;
        let value = |x: BlockRegister| jets.value_of(self.operand(x));
        let zero = || Jet::constant(context.enclose_integer(0));
        Some(match (rule, self.step.instruction) {
            // the flag alone: an interval that leaves the domain is then taken for a defined value
            (Definedness::Flag, _) => jets.map_coefficients(right, |c| context.mark_defined(c.clone())),
            (Definedness::Reciprocal, BlockInstruction::Binary(Binary::Divide, _, y))
                if is_zero(context, &value(*y)) =>
            {
                zero()
            }
            (Definedness::ZeroTimesBottom, BlockInstruction::Binary(Binary::Multiply, x, y))
                if is_zero(context, &value(*x)) || is_zero(context, &value(*y)) =>
            {
                zero()
            }
            (Definedness::Root, BlockInstruction::Unary(Unary::Function(Function::Sqrt), x))
                if context.sign(&value(*x)) == Sign::Negative =>
            {
                zero()
            }
            (Definedness::Log, BlockInstruction::Unary(Unary::Function(Function::Log), x)) => {
                let x = value(*x);
                // ⊥ for the argument is no proof that it is at most 0
                if !context.is_defined(&x) || !context.is_nonnegative(&context.neg(&x)) {
                    return None;
                }
                zero()
            }
            (Definedness::Asin, BlockInstruction::Unary(Unary::Function(Function::Asin), x))
                if context.sign(&context.sub(&value(*x), &context.enclose_integer(1))) == Sign::Positive =>
            {
                Jet::constant(context.div_integer(&context.pi(), 2))
            }
            (Definedness::SlopeOfRoot, BlockInstruction::Unary(Unary::Function(Function::Sqrt), x))
                if is_zero(context, &value(*x)) =>
            {
                let zero_over_zero = |m: usize| self.operand(*x).get(m).is_some_and(|c| is_zero(context, c));
                let slope = |m: usize| jets.algebra.degree(m) == 1 && zero_over_zero(m);
                let coefficient =
                    |m: usize| if slope(m) { Some(context.enclose_integer(0)) } else { right.get(m).cloned() };
                Jet::new((0..right.len()).map(coefficient))
            }
            (Definedness::OddRoot, BlockInstruction::Power(x, e))
                if e.denominator > 1 && e.denominator % 2 == 1 && context.sign(&value(*x)) == Sign::Negative =>
            {
                jets.power(&jets.negate(self.operand(*x)), e.numerator, e.denominator)
            }
            (Definedness::ZerothPower, BlockInstruction::Power(x, e))
                if e.numerator == 0 && is_zero(context, &value(*x)) =>
            {
                zero()
            }
            _ => return None,
        })
    }
}

/// Returns the argument of a function with slope 1 in every direction in which it varies.
fn with_unit_slopes<C: HookedContext>(jets: &JetArithmetic<C>, x: &Jet<C::Num>) -> Jet<C::Num> {
    let mut moved = drop_derivatives(jets, x);
    for m in (1..x.len()).filter(|&m| jets.algebra.degree(m) == 1 && jets.algebra.derivative_order(m) == 1) {
        moved.set(m, x.get(m).map(|_| jets.context.enclose_integer(1)));
    }
    moved
}

/// Returns f′ at a jet. Returns `None` if the algebra cannot be extended.
fn derivative_of<C: HookedContext>(jets: &JetArithmetic<C>, f: Function, at: &Jet<C::Num>) -> Option<Jet<C::Num>> {
    // a further infinitesimal direction: its coefficient in f(x + ε) is f′(x)
    let extended = jets.algebra.adjoin(AlgebraGenerator::Direction(1))?;
    let mut moved = at.clone();
    moved.set(extended.last_generator(), Some(jets.context.enclose_integer(1)));
    let y = JetArithmetic { context: jets.context, algebra: &extended, budget: jets.budget }.apply_function(f, &moved);
    Some(Jet::new(extended.power_slice(1).iter().map(|&(_, here)| y.get(here as usize).cloned())))
}
