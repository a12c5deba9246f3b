//! Steps of the machine with one rule replaced.
//!
//! Most steps are computed right and then changed. A wrong value keeps consistent Taylor coefficients, and a wrong
//! derivative is wrong in all directions. A solver's expansions then fit its ranges, and the answer is wrong and not
//! contradictory.
//!
//! # Mutants of composites
//!
//! Mutants of composites, kinks, and definedness.
//!
//! # Mutants of the operations
//!
//! Each has a value and a slope that may be wrong.
//!
//! # Mutants of derivatives inside programs
//!
//! # Mutants of the second-order primitives

use super::Mutation;
use crate::number::Rational;
use crate::number::arithmetic::{Context, Function, Sign};
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::hooks::{EvalHooks, EvalStep, HookedContext, IntegrandKink, StepResult};
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::{BlockInstruction, BlockRegister};
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::integral::integrate_between;
use crate::smooth::solve::optimum::peak::{MaximiserCandidate, MaximiserKind};
use crate::smooth::solve::root::RootEquation;

impl<C: Context> EvalHooks<C> for Mutation {
    fn eval_step(&self, step: &EvalStep<C>, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>
    where
        C: HookedContext,
    {
        // rules of solvers replace the computation; the others change its result below
        let right = match *self {
            Self::Nested(rule) => rule.mutate_step(step, library),
            Self::Integral(rule) => run_solver(step, library, |solver, library| solver.mutate_integral(rule, library)),
            Self::Root(rule) => run_solver(step, library, |solver, library| solver.mutate_root(rule, library)),
            Self::Optimum(rule) => run_solver(step, library, |solver, library| solver.mutate_optimum(rule, library)),
            _ => library(),
        }?;
        let done = CompletedStep { step, jets: step.jet_arithmetic(), right: &right };
        let wrong = match *self {
            Self::Value(rule) => done.wrong_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::FunctionValue(rule) => done.function_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarValue(rule) => done.planar_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarDerivative(rule) => done.planar_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Derivative(rule) => done.wrong_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::FunctionDerivative(rule) => done.function_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Chain(rule) => done.wrong_chain(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Kink(rule) => done.wrong_kink(rule),
            Self::Definedness(rule) => done.wrong_definedness(rule),
            _ => done.wrong_solution(*self),
        };
        Ok(wrong.unwrap_or(right))
    }

    fn derivative_expansion(&self, jets: &JetArithmetic<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        match self {
            Self::Nested(rule) => rule.mutate_expansion(jets, expansion),
            _ => expansion,
        }
    }

    fn maximum_candidates(
        &self,
        context: &C,
        primitive: SecondOrder,
        peaks: Vec<MaximiserCandidate<C::Num>>,
    ) -> Vec<MaximiserCandidate<C::Num>> {
        match self {
            Self::Optimum(rule) => rule.mutate_peaks(context, primitive, peaks),
            _ => peaks,
        }
    }

    fn integral_kink(&self, kink: IntegrandKink<C::Num>) -> IntegrandKink<C::Num> {
        match self {
            Self::Integral(rule) => rule.mutate_kink(kink),
            _ => kink,
        }
    }
}

/// A step with its right result.
pub(super) struct CompletedStep<'s, C: HookedContext> {
    /// The step.
    pub(super) step: &'s EvalStep<'s, C>,
    /// The arithmetic of jets of the step.
    pub(super) jets: JetArithmetic<'s, C>,
    /// The right result.
    pub(super) right: &'s Jet<C::Num>,
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the operand in a register.
    pub(super) fn operand(&self, register: BlockRegister) -> &Jet<C::Num> {
        self.step.operand(register)
    }

    /// Returns the right result with the value of another one.
    pub(super) fn with_value(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take_orders(&self.jets, self.right, wrong, |order| order == 0)
    }

    /// Returns the right result with the derivatives of another one.
    pub(super) fn with_slopes(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take_orders(&self.jets, self.right, wrong, |order| order > 0)
    }

    /// Returns twice the right result.
    pub(super) fn twice_right(&self) -> Jet<C::Num> {
        self.jets.map_coefficients(self.right, |c| self.jets.context.mul_integer(c, 2))
    }

    /// Returns the right result with the sign of its derivatives changed.
    pub(super) fn negate_slopes(&self) -> Jet<C::Num> {
        self.jets.subtract(&drop_derivatives(&self.jets, self.right), &drop_value(&self.jets, self.right))
    }
}

/// Returns the coefficients of the orders that `from_wrong` selects from the wrong jet, and the others from the right
/// one.
pub(super) fn take_orders<C: Context>(
    jets: &JetArithmetic<C>,
    right: &Jet<C::Num>,
    wrong: &Jet<C::Num>,
    from_wrong: impl Fn(u32) -> bool,
) -> Jet<C::Num> {
    // the jets may be cut off at different lengths; the coefficients beyond are 0
    let length = right.len().max(wrong.len()).min(jets.algebra.len());
    let source = |m: usize| if from_wrong(jets.algebra.derivative_order(m)) { wrong } else { right };
    Jet::new((0..length).map(|m| source(m).get(m).cloned()))
}

/// Returns the jet without its derivatives in any direction.
pub(super) fn drop_derivatives<C: Context>(jets: &JetArithmetic<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take_orders(jets, a, &Jet::zero(), |order| order > 0)
}

/// Returns the jet without its value: the derivatives alone.
pub(super) fn drop_value<C: Context>(jets: &JetArithmetic<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take_orders(jets, a, &Jet::zero(), |order| order == 0)
}

/// Returns `true` if the number is certainly exactly 0.
pub(super) fn is_zero<C: Context>(context: &C, x: &C::Num) -> bool {
    context.is_defined(x) && context.is_point(x) && context.contains_zero(x)
}

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

rules! {
    /// The value of an operation; its derivatives stay right (S2, S22).
    Value {
        Negate "negate_value", "-x" => "x";
        Add "add_value", "x + y" => "x - y";
        Subtract "subtract_value", "x - y" => "y - x";
        Multiply "multiply_value", "x · y" => "x + y";
        Divide "divide_value", "x / y" => "y / x";
        Power "power_value", "xⁿ" => "xⁿ⁺¹";
        Root "root_value", "x^(p/q) (S74)" => "x^(q/p)";
        Abs "abs_value", "|x| is -x for x < 0" => "x";
        Signum "signum_value", "sign x is -1 for x < 0" => "1";
        Max "max_value", "max(x, y) is the larger" => "the smaller";
        Min "min_value", "min(x, y) is the smaller" => "the larger";
        Pi "pi_value", "π" => "22/7";
        Euler "euler_value", "e" => "2.71828";
    }
}

rules! {
    /// The derivative of an operation; its value stays right (S18, S20, S21, S23).
    Derivative {
        Negate "negate_derivative", "(-x)′ = -x′" => "x′";
        Add "add_derivative", "(x + y)′ = x′ + y′ (S20)" => "x′";
        Subtract "subtract_derivative", "(x - y)′ = x′ - y′ (S20)" => "x′ + y′";
        Multiply "multiply_derivative", "(x y)′ = x′ y + x y′ (S20)" => "x′ y";
        Divide "divide_derivative", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y - x y′)/y";
        DivideSign "divide_derivative_sign", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y + x y′)/y²";
        Power "power_derivative", "(xⁿ)′ = n xⁿ⁻¹ x′" => "n xⁿ x′";
        Root "root_derivative", "(xʳ)′ = r xʳ⁻¹ x′ (S74)" => "xʳ⁻¹ x′";
        Abs "abs_derivative", "|x|′ = -x′ for x < 0 (S24)" => "x′";
        Signum "signum_derivative", "(sign x)′ = 0 for x ≠ 0" => "x′";
        Max "max_derivative", "max has the derivative of the larger argument (S23)" => "that of the smaller";
        Min "min_derivative", "min has the derivative of the smaller argument (S24)" => "that of the larger";
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong value of the operation of the rule; `None` at another step.
    pub(super) fn wrong_value(&self, rule: Value) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        Some(match *self.step.instruction {
            BlockInstruction::Unary(f, x) => match (rule, f) {
                (Value::Negate, Unary::Negate) | (Value::Abs, Unary::Abs) => self.operand(x).clone(),
                // |sign x| is 1 on both sides of 0
                (Value::Signum, Unary::Signum) => jets.map_coefficients(right, |c| jets.context.abs(c)),
                _ => return None,
            },
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    (Value::Add, Binary::Add) => jets.subtract(a, b),
                    (Value::Subtract, Binary::Subtract) => jets.subtract(b, a),
                    (Value::Multiply, Binary::Multiply) => jets.add(a, b),
                    (Value::Divide, Binary::Divide) => jets.divide(b, a),
                    // the branch tells which argument is larger; the other one is taken
                    (Value::Max, Binary::Maximum) | (Value::Min, Binary::Minimum) => match (self.step.branch, f) {
                        (KinkBranch::Left, _) => b.clone(),
                        (KinkBranch::Right, _) => a.clone(),
                        (KinkBranch::Undecided, Binary::Maximum) => jets.undecided_minimum(a, b),
                        (KinkBranch::Undecided, _) => jets.undecided_maximum(a, b),
                    },
                    _ => return None,
                }
            }
            BlockInstruction::Power(x, e) => match (rule, e.denominator) {
                (Value::Power, 1) => jets.multiply(right, self.operand(x)),
                // p/q becomes q/p, with its sign in the numerator
                (Value::Root, q) if q != 1 => {
                    let denominator = u32::try_from(e.numerator.unsigned_abs()).ok()?;
                    jets.power(self.operand(x), i64::from(q) * e.numerator.signum(), denominator)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns a jet with the wrong slope of the operation of the rule; `None` at another step.
    pub(super) fn wrong_derivative(&self, rule: Derivative) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        // the argument with the sign of its derivatives changed
        let backwards = |a: &Jet<C::Num>| jets.subtract(&drop_derivatives(jets, a), &drop_value(jets, a));
        Some(match *self.step.instruction {
            BlockInstruction::Unary(f, x) => match (rule, f) {
                (Derivative::Negate, Unary::Negate) | (Derivative::Signum, Unary::Signum) => self.operand(x).clone(),
                (Derivative::Abs, Unary::Abs) if self.step.branch != KinkBranch::Undecided => self.operand(x).clone(),
                _ => return None,
            },
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (self.operand(x), self.operand(y));
                match (rule, f) {
                    // `drop_derivatives` drops the derivatives of one argument, and with them one term of the rule
                    (Derivative::Add, Binary::Add) => jets.add(a, &drop_derivatives(jets, b)),
                    (Derivative::Subtract, Binary::Subtract) => jets.add(a, b),
                    (Derivative::Multiply, Binary::Multiply) => jets.multiply(a, &drop_derivatives(jets, b)),
                    (Derivative::Divide, Binary::Divide) => jets.multiply(right, &drop_derivatives(jets, b)),
                    (Derivative::DivideSign, Binary::Divide) => jets.divide(a, &backwards(b)),
                    (Derivative::Max, Binary::Maximum) | (Derivative::Min, Binary::Minimum) => match self.step.branch {
                        KinkBranch::Left => b.clone(),
                        KinkBranch::Right => a.clone(),
                        // at a tie no argument is larger: the mutants of kinks change that case
                        KinkBranch::Undecided => return None,
                    },
                    _ => return None,
                }
            }
            BlockInstruction::Power(x, e) => match (rule, e.denominator) {
                (Derivative::Power, 1) => jets.multiply(right, &drop_derivatives(jets, self.operand(x))),
                (Derivative::Root, q) if q != 1 => {
                    // the right derivative divided by the exponent p/q
                    let inverse = |c: &C::Num| {
                        jets.context.div_integer(&jets.context.mul_integer(c, i64::from(q)), e.numerator.unsigned_abs())
                    };
                    let scaled = jets.map_coefficients(right, inverse);
                    if e.numerator < 0 { jets.negate(&scaled) } else { scaled }
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

rules! {
    /// Derivatives inside programs.
    Nested {
        Factor "nested_factor_dropped", "the derivative of xʲ is j xʲ⁻¹" => "xʲ⁻¹";
        Direction "direction_dropped", "D f(x)·v is linear in v (S §4.3.3)" => "v is taken for 1";
        Captures "captures_fixed", "an inner derivative varies with what its body mentions (S32)" => "that stays fixed";
        Confusion "directions_confused", "each derivative has a direction of its own (X6, T13)" => "the outer one counts as well";
        Nearby "derivative_undefined_nearby", "a derivative is ⊥ where the function is undefined nearby (S §4.1)" => "that of the branch that is taken";
        Undefined "derivative_without_value", "a function without a value has no derivative" => "a part that is undefined and constant is forgotten";
    }
}

impl Nested {
    /// Computes a derivative instruction under the rule; other instructions are left to the library.
    pub(super) fn mutate_step<C: HookedContext>(
        self,
        step: &EvalStep<C>,
        library: &mut dyn FnMut() -> StepResult<C>,
    ) -> StepResult<C> {
        let BlockInstruction::Derivative { body, captures, at, along, partial } = step.instruction else {
            return library();
        };
        let [mut captures, at, mut along] = [captures, at, along].map(|registers| step.operands(registers));
        let EvalStep { machine, algebra, .. } = step;
        match self {
            // the captured variables lose their slopes, so that the inner derivative does not vary with them
            Self::Captures => captures.iter_mut().for_each(|c| *c = drop_derivatives(&step.jet_arithmetic(), c)),
            Self::Direction => along.fill(Jet::constant(machine.context.enclose_integer(1))),
            // perturbation confusion: the coefficient of the outer direction is added to the inner derivative
            Self::Confusion if at.len() > 1 || !captures.iter().all(Jet::is_constant) => {
                let y = machine.eval_block(
                    body,
                    algebra,
                    &at,
                    &captures,
                    &mut BranchDecisions::default(),
                    EvalTarget::Outputs,
                )?;
                let outer = Jet::new([y[0].get(algebra.last_generator()).cloned()]);
                return Ok(step.jet_arithmetic().add(&library()?, &outer));
            }
            // the other rules change the expansion, from which the derivative is read off
            _ => return library(),
        }
        let place = partial.as_ref().map(|partial| partial.place);
        machine.directional_derivative(body, algebra, [&at, &along, &captures], place, &mut BranchDecisions::default())
    }

    /// Returns the expansion, whose last generator is the direction of the derivative, under the rule.
    pub(super) fn mutate_expansion<C: Context>(self, jets: &JetArithmetic<C>, right: Jet<C::Num>) -> Jet<C::Num> {
        let (context, algebra) = (jets.context, jets.algebra);
        let degree = |m: usize| algebra.exponents(m).last().copied().unwrap_or(0);
        let is_known = |c: &C::Num| context.is_bounded(c) && right.get(0).is_none_or(|v| context.is_defined(v));
        let each =
            |f: &dyn Fn(usize, &C::Num) -> C::Num| Jet::new((0..right.len()).map(|m| right.get(m).map(|c| f(m, c))));
        match self {
            // division by the degree j takes the factor j out of the derivative that is read off
            Self::Factor => each(&|m, c| context.div_integer(c, degree(m).max(1).into())),
            // where the function may be undefined nearby, a bounded coefficient is still taken for defined
            Self::Nearby => each(&|_, c| if is_known(c) { context.mark_defined(c.clone()) } else { c.clone() }),
            Self::Undefined => each(&|m, c| if m == 0 { context.mark_defined(c.clone()) } else { c.clone() }),
            _ => right,
        }
    }
}

rules! {
    /// integral01.
    Integral {
        StopsEarly "integral_stops_early", "the integral is over [0, 1] (S39)" => "over [0, 7/8]";
        Length "integral_panel_length", "a panel [m - h, m + h] has length 2h (S39)" => "4h";
        Remainder "integral_without_remainder", "the value at the midpoint has a remainder (S71)" => "none";
        Parameters "integral_parameters_fixed", "∂∫f = ∫∂f (S39)" => "0";
        KinkFixed "integral_kink_fixed", "a kink moves with the parameters" => "it stays";
        KinkSides "integral_kink_sides", "left of a kink the branch on the left is taken" => "the one on the right";
    }
}

rules! {
    /// cutRoot and firstRoot.
    Root {
        Sign "cut_root_sign", "the derivative of a root is -f_c/f_x (S42)" => "f_c/f_x";
        UpsideDown "cut_root_upside_down", "the derivative of a root is -f_c/f_x (S42)" => "-f_x/f_c";
        SecondOrder "cut_root_second_order", "a root has derivatives of every order (S42)" => "0 from the second on";
        FlatSlope "cut_root_flat_slope", "the derivative of a root is ⊥ where f_x may be 0 (S42)" => "0";
        Nearby "cut_root_undefined_nearby", "the derivative of a root is ⊥ where f is undefined near it" => "-f_c/f_x";
        Plateau "cut_root_plateau", "where f is 0 on an interval, the root is that interval (S41)" => "its left half";
        FirstSign "first_root_sign", "the derivative of a first root is -f_c/f_x (S43)" => "f_c/f_x";
        FirstOfMany "first_root_of_many", "firstRoot is the first of the roots (E8)" => "the one that bisection meets";
        FirstTouched "first_root_touched", "where f is only 0, firstRoot reaches to the next sign change (S43, E45)" => "half as far";
        FirstFormula "first_root_formula_at_end", "at the end of [0, 1] the derivative of a first root is 0 (E44)" => "-f_c/f_x";
        FirstEnd "first_root_end_tie", "a first root that reaches an end has the hull of 0 and -f_c/f_x (E44)" => "0";
    }
}

rules! {
    /// max01, argmax01, min01 and argmin01.
    Optimum {
        EndsOnly "max01_ends_only", "the maximum over [0, 1] (S45)" => "over its ends";
        Envelope "max01_envelope", "the derivative of max01 f is f_c at the maximiser (S45, E14)" => "f_x x*′, which is 0";
        PlaceFixed "max01_place_fixed", "the second derivative of max01 f sees the maximiser move (S45)" => "f_cc";
        OneMaximiser "max01_one_maximiser", "at a tie, the hull of f_c over all maximisers (S75)" => "at the first of them";
        EndSecond "max01_end_second", "a concave top that reaches an end has a set for its second derivative" => "that of f at the end";
        ArgmaxSlope "argmax01_slope_dropped", "the derivative of an inner maximiser is -f_xc/f_xx (S44)" => "0";
        ArgmaxSign "argmax01_sign", "the derivative of an inner maximiser is -f_xc/f_xx (S44)" => "f_xc/f_xx";
        ArgmaxTie "argmax01_tie", "argmax01 is the hull of the maximisers (S44)" => "its left half";
        ArgmaxFormula "argmax01_formula_at_end", "at an end with a slope the derivative of argmax01 is 0 (S44)" => "-f_xc/f_xx";
        ArgmaxEnd "argmax01_end_tie", "a maximiser that reaches an end has the hull of 0 and -f_xc/f_xx (S44)" => "0";
        Minimum "min01_sign", "min01 f = -max01 (-f) (S45)" => "max01 (-f)";
        Minimiser "argmin01_sign", "argmin01 f = argmax01 (-f) (S45)" => "argmax01 f";
    }
}

/// A second-order primitive with its function, ready to be computed.
pub(super) struct MutantSolver<'s, 'm, C: HookedContext> {
    step: &'s EvalStep<'s, C>,
    primitive: SecondOrder,
    f: &'s SolverFunction<'s, 'm, C>,
}

/// Computes a step by `solve` if it is a second-order primitive, and by `library` otherwise.
pub(super) fn run_solver<C: HookedContext>(
    step: &EvalStep<C>,
    library: &mut dyn FnMut() -> StepResult<C>,
    solve: impl FnOnce(&MutantSolver<C>, &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>,
) -> StepResult<C> {
    let BlockInstruction::Second { primitive, body, captures } = step.instruction else { return library() };
    let captures = step.operands(captures);
    let events = SolverEvents::default();
    let f = SolverFunction::new(step.machine, body, &captures, step.site, &events);
    solve(&MutantSolver { step, primitive: *primitive, f: &f }, library)
}

impl<C: HookedContext> MutantSolver<'_, '_, C> {
    /// Returns the function at a number.
    fn evaluate_at(&self, x: C::Num) -> StepResult<C> {
        self.f.eval_jet(self.step.algebra, Jet::constant(x), &mut BranchDecisions::default(), EvalTarget::Outputs)
    }

    /// Returns the function at 0 or 1.
    fn evaluate_at_end(&self, x: i64) -> StepResult<C> {
        self.evaluate_at(self.f.context().enclose_integer(x))
    }

    /// Returns the signs of the function at 0 and 1.
    fn end_signs(&self) -> std::result::Result<[Sign; 2], SmoothError> {
        let sign = |end: Jet<C::Num>| self.f.context().sign(&self.step.jet_arithmetic().value_of(&end));
        Ok([sign(self.evaluate_at_end(0)?), sign(self.evaluate_at_end(1)?)])
    }

    /// Returns the root with its derivatives, by the implicit function theorem.
    fn lift_root(&self, root: C::Num) -> StepResult<C> {
        self.f.lift_root(self.step.algebra, root, &mut BranchDecisions::default(), EvalTarget::Outputs)
    }

    /// Computes an integral under the rule.
    pub(super) fn mutate_integral(&self, rule: Integral, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C> {
        let number = |p: i64, q: i64| self.f.context().enclose_rational(&Rational::from((p, q)));
        match (rule, self.primitive) {
            (Integral::StopsEarly, SecondOrder::Integral) => {
                integrate_between(self.f, self.step.algebra, [number(0, 1), number(7, 8)].map(Jet::constant))
            }
            // the value at the midpoint alone, as if the remainder were 0
            (Integral::Remainder, SecondOrder::Integral) => self.evaluate_at(number(1, 2)),
            _ => library(),
        }
    }

    /// Computes a root under the rule.
    pub(super) fn mutate_root(&self, rule: Root, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C> {
        let Self { step, f, .. } = self;
        let context = f.context();
        let right = library()?;
        let value = step.jet_arithmetic().value_of(&right);
        match (rule, self.primitive) {
            // `beside` is the run over a neighbourhood; there the mutant takes a bounded root for defined
            (Root::Nearby, SecondOrder::CutRoot) if step.machine.is_widened && context.is_bounded(&value) => {
                self.lift_root(context.mark_defined(value))
            }
            // bisection converges to some root of a sign change, not necessarily to the first
            (Root::FirstOfMany, SecondOrder::FirstRoot) if self.end_signs()? == [Sign::Positive, Sign::Negative] => {
                let captures = f.base_captures();
                let (function, branches, target) =
                    (&f.with_captures(&captures), BranchDecisions::default(), EvalTarget::Outputs);
                let mut equation = RootEquation { function, target, branches, is_decreasing: true };
                self.lift_root(equation.enclose_root(context.enclose_integer(0), context.enclose_integer(1))?)
            }
            (Root::FirstFormula, SecondOrder::FirstRoot)
                if self.end_signs()?[1] == Sign::Positive && context.contains(&context.enclose_integer(1), &value) =>
            {
                self.lift_root(value)
            }
            (Root::FirstEnd, SecondOrder::FirstRoot) if self.end_signs()?.contains(&Sign::Undecided) => {
                // at a tie the slopes are bounded sets, and elsewhere they are unbounded
                let first = (0..right.len()).filter(|&m| step.algebra.degree(m) == 1);
                let is_tie = first.filter_map(|m| right.get(m)).all(|slope| context.is_bounded(slope));
                Ok(if is_tie { right.truncate_to(1) } else { right })
            }
            _ => Ok(right),
        }
    }

    /// Computes an optimum under the rule.
    pub(super) fn mutate_optimum(&self, rule: Optimum, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C> {
        if (rule, self.primitive) != (Optimum::EndsOnly, SecondOrder::Maximum) {
            return library();
        }
        // the larger of both ends, with the derivatives of that end
        let (context, jets) = (self.f.context(), self.step.jet_arithmetic());
        let (a, b) = (self.evaluate_at_end(0)?, self.evaluate_at_end(1)?);
        Ok(match KinkBranch::from_sign(context.sign(&context.sub(&jets.value_of(&a), &jets.value_of(&b)))) {
            KinkBranch::Left => a,
            KinkBranch::Right => b,
            KinkBranch::Undecided => jets.undecided_maximum(&a, &b),
        })
    }
}

impl Optimum {
    /// Returns the places at which a function has its maximum, under the rule.
    pub(super) fn mutate_peaks<C: Context>(
        self,
        context: &C,
        primitive: SecondOrder,
        mut peaks: Vec<MaximiserCandidate<C::Num>>,
    ) -> Vec<MaximiserCandidate<C::Num>> {
        if (self, primitive) == (Self::OneMaximiser, SecondOrder::Maximum) {
            peaks.truncate(1);
        }
        // these rules concern a single maximiser
        if let [peak] = &mut peaks[..] {
            peak.kind = match (self, primitive, peak.kind) {
                (Self::PlaceFixed, SecondOrder::Maximum, MaximiserKind::Interior)
                | (Self::ArgmaxEnd, SecondOrder::Maximiser, MaximiserKind::InteriorOrEnd(_)) => MaximiserKind::End,
                (Self::EndSecond, SecondOrder::Maximum, MaximiserKind::InteriorOrEnd(end)) => {
                    peak.at = context.enclose_integer(end);
                    MaximiserKind::End
                }
                (Self::ArgmaxFormula, SecondOrder::Maximiser, MaximiserKind::End) => MaximiserKind::Interior,
                (_, _, kind) => kind,
            };
        }
        peaks
    }
}

impl Integral {
    /// Returns the split of an integral at a kink, under the rule.
    pub(super) fn mutate_kink<N: Clone>(
        self,
        IntegrandKink { position: place, sides: [left, right] }: IntegrandKink<N>,
    ) -> IntegrandKink<N> {
        match self {
            // truncated to its value, the place does not move with the parameters
            Self::KinkFixed => IntegrandKink { position: place.truncate_to(1), sides: [left, right] },
            Self::KinkSides => IntegrandKink { position: place, sides: [right, left] },
            _ => IntegrandKink { position: place, sides: [left, right] },
        }
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong result of a second-order primitive; `None` if the rule does not concern it.
    pub(super) fn wrong_solution(&self, rule: Mutation) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        let context = jets.context;
        let BlockInstruction::Second { primitive, .. } = self.step.instruction else { return None };
        Some(match (rule, primitive) {
            (Mutation::Integral(Integral::Length), SecondOrder::Integral) => self.twice_right(),
            (Mutation::Integral(Integral::Parameters), SecondOrder::Integral)
            | (Mutation::Optimum(Optimum::Envelope), SecondOrder::Maximum)
            | (Mutation::Optimum(Optimum::ArgmaxSlope), SecondOrder::Maximiser) => drop_derivatives(jets, right),
            (Mutation::Root(Root::Sign), SecondOrder::CutRoot)
            | (Mutation::Root(Root::FirstSign), SecondOrder::FirstRoot)
            | (Mutation::Optimum(Optimum::ArgmaxSign), SecondOrder::Maximiser) => self.negate_slopes(),
            (Mutation::Root(Root::Plateau), SecondOrder::CutRoot)
            | (Mutation::Root(Root::FirstTouched), SecondOrder::FirstRoot)
            | (Mutation::Optimum(Optimum::ArgmaxTie), SecondOrder::Maximiser) => self.left_half()?,
            (Mutation::Root(Root::UpsideDown), SecondOrder::CutRoot) => {
                // -f_x/f_c is the reciprocal of -f_c/f_x, in the coefficients of first degree and order
                let first = |m: usize| jets.algebra.degree(m) == 1 && jets.algebra.derivative_order(m) == 1;
                let inverse = |c: &C::Num| context.div(&context.enclose_integer(1), c);
                let coefficient = |m: usize| right.get(m).map(|c| if first(m) { inverse(c) } else { c.clone() });
                Jet::new((0..right.len()).map(coefficient))
            }
            (Mutation::Root(Root::SecondOrder), SecondOrder::CutRoot) => {
                take_orders(jets, right, &Jet::zero(), |order| order > 1)
            }
            (Mutation::Root(Root::FlatSlope), SecondOrder::CutRoot) => {
                // an unbounded slope is the sign of a flat function, and becomes 0
                let flat = |c: &C::Num| if context.is_bounded(c) { c.clone() } else { context.enclose_integer(0) };
                self.with_slopes(&jets.map_coefficients(right, flat))
            }
            _ => return None,
        })
    }

    /// Returns the left half of a result that is an interval although the inputs are numbers. Returns `None` for every
    /// other result.
    fn left_half(&self) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        let context = jets.context;
        let BlockInstruction::Second { captures, .. } = self.step.instruction else { return None };
        let value = jets.value_of(right);
        // 2⁻¹⁰ is a choice: a narrower interval may be a number that is not resolved yet
        let wide = context.is_defined(&value) && context.width(&value) > Magnitude::power_of_two(-10);
        if !wide || !captures.iter().all(|c| context.is_point(&jets.value_of(self.operand(*c)))) {
            return None;
        }
        let mut half = (*right).clone();
        half.set(0, Some(context.hull(&context.lower(&value)?, &context.midpoint(&value))));
        Some(half)
    }
}
