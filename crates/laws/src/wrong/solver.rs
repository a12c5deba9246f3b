//! Mutants of the second-order primitives.

use super::Mutation;
use super::step::{CompletedStep, drop_derivatives, take_orders};
use crate::number::Rational;
use crate::number::context::{Context, Sign};
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::{EvalStep, HookedContext, IntegrandKink, StepResult};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::BlockInstruction;
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::integral::integrate_between;
use crate::smooth::solve::optimum::peak::{MaximiserCandidate, MaximiserKind};
use crate::smooth::solve::root::RootEquation;

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
