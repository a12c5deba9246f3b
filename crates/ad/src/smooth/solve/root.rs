//! The root of a function in a bracket: interval Newton steps with bisection, and the implicit function theorem.

use super::{SolverFunction, is_converged};
use crate::number::context::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use std::sync::Arc;

/// The equation f(x) = 0, for a function or one of its branch points, with forced branches.
#[derive(Debug)]
pub struct RootEquation<'e, 'f, 'm, C: HookedContext> {
    /// The function, with base captures.
    pub function: &'e SolverFunction<'f, 'm, C>,
    /// The left-hand side: the outputs of the function, or one of its branch points.
    pub target: EvalTarget,
    /// The forced branches.
    pub branches: BranchDecisions,
    /// `true` if the left-hand side goes from positive to negative; otherwise its negative does.
    pub is_decreasing: bool,
}

impl<C: HookedContext> RootEquation<'_, '_, '_, C> {
    /// Returns the arithmetic of numbers.
    fn context(&self) -> &C {
        self.function.context()
    }

    /// Returns x, or −x for a function that goes from negative to positive.
    fn orient_sign(&self, x: C::Num) -> C::Num {
        if self.is_decreasing { x } else { self.context().neg(&x) }
    }

    /// Encloses the oriented value over a range.
    fn oriented_value(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let y = self.function.value_over(x, &mut self.branches, self.target)?;
        Ok(self.orient_sign(y))
    }

    /// Encloses the oriented slope over a range.
    fn oriented_slope(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let line = self.function.value_and_slope(x, &mut self.branches, self.target)?;
        Ok(self.orient_sign(line.slope))
    }

    /// Publishes a bracket as an intermediate enclosure. It is defined if the function is certainly continuous on the bracket.
    fn publish_bracket(&self, bracket: &C::Num) -> Result<(), SmoothError> {
        let function = self.function;
        // Between the signs a continuous function has a root; a jump or a pole has none.
        function.machine.publish_number(|| match function.is_continuous_on(bracket)? {
            true => Ok(bracket.clone()),
            false => Ok(self.context().mark_undefined(bracket.clone())),
        })
    }

    /// Encloses the root in a bracket `[left, right]` of points.
    ///
    /// At `left` the function must be certainly positive, at `right` certainly negative. The result contains every point at
    /// which it is neither, up to what is worth the effort.
    ///
    /// If the slope is certainly negative, interval Newton steps go on until they narrow no more. Otherwise bisection from
    /// both sides stops at the tolerance. It also stops if it can gain little beside the part in which the sign is
    /// undecided (the floor rule).
    ///
    /// # Errors
    /// Those of the function.
    pub fn enclose_root(&mut self, left: C::Num, right: C::Num) -> Result<C::Num, SmoothError> {
        let context = self.context().clone();
        let (mut left, mut right) = (left, right);
        loop {
            let bracket = context.hull(&left, &right);
            self.publish_bracket(&bracket)?;
            if context.is_point(&bracket) || !self.function.machine.effort.budget.spend(1) {
                return Ok(bracket);
            }
            let slope = self.oriented_slope(&bracket)?;
            // Interval Newton needs a slope without 0; on a bracket that is too wide it may only show after some bisections.
            if context.sign(&slope) == Sign::Negative && context.is_bounded(&slope) {
                return self.iterate_newton(bracket);
            }
            let middle = context.midpoint(&bracket);
            if context.contains(&left, &middle) || context.contains(&right, &middle) {
                return Ok(bracket); // no number lies between
            }
            match context.sign(&self.oriented_value(&middle)?) {
                Sign::Positive => left = middle,
                Sign::Negative => right = middle,
                Sign::Undecided => return self.shrink_around_undecided(left, middle, right),
            }
            if context.width(&context.hull(&left, &right)) <= self.function.machine.effort.tolerance() {
                let bracket = context.hull(&left, &right);
                // One more Newton attempt: on this narrow bracket its slope may be known, and it costs no more than a
                // bisection.
                let slope = self.oriented_slope(&bracket)?;
                if context.sign(&slope) == Sign::Negative && context.is_bounded(&slope) {
                    return self.iterate_newton(bracket);
                }
                self.function.machine.effort.record_open();
                return Ok(bracket);
            }
        }
    }

    /// Moves both ends of a bracket towards the part in which the sign is undecided, which contains `middle`.
    fn shrink_around_undecided(&mut self, left: C::Num, middle: C::Num, right: C::Num) -> Result<C::Num, SmoothError> {
        let context = self.context().clone();
        let (mut left, mut first, mut last, mut right) = (left, middle.clone(), middle, right);
        let exact = self.function.has_fine_captures();
        loop {
            let bracket = context.hull(&left, &right);
            self.publish_bracket(&bracket)?;
            let slope = self.oriented_slope(&bracket)?;
            if context.sign(&slope) == Sign::Negative && context.is_bounded(&slope) {
                return self.iterate_newton(bracket);
            }
            let core = context.width(&context.hull(&first, &last));
            let gaps = context.width(&context.hull(&left, &first)) + context.width(&context.hull(&last, &right));
            let tolerance = self.function.machine.effort.tolerance();
            // Floor rule: with wide inputs the undecided part is as wide as they make it. A quarter of it is a choice.
            let floor = if exact { Magnitude::ZERO } else { core.mul_exp2(-2) };
            if gaps <= floor || gaps <= tolerance || !self.function.machine.effort.budget.spend(1) {
                if gaps > floor {
                    self.function.machine.effort.record_open();
                }
                return Ok(bracket);
            }
            let mut moved = false;
            let probe = context.midpoint(&context.hull(&left, &first));
            if !context.contains(&left, &probe) && !context.contains(&first, &probe) {
                moved = true;
                match context.sign(&self.oriented_value(&probe)?) {
                    Sign::Positive => left = probe,
                    Sign::Undecided => first = probe,
                    // A certain sign out of order: the root lies in a smaller bracket.
                    Sign::Negative => return self.enclose_root(left, probe),
                }
            }
            let probe = context.midpoint(&context.hull(&last, &right));
            if !context.contains(&last, &probe) && !context.contains(&right, &probe) {
                moved = true;
                match context.sign(&self.oriented_value(&probe)?) {
                    Sign::Negative => right = probe,
                    Sign::Undecided => last = probe,
                    Sign::Positive => return self.enclose_root(probe, right),
                }
            }
            if !moved {
                return Ok(bracket);
            }
        }
    }

    /// Returns a part of a bracket that contains the root, the only one, and on which the slope is certainly negative.
    ///
    /// Returns `None` if none is found. The part is smaller than the bracket only if the slope is nowhere positive and the
    /// signs at the ends are `certain`.
    ///
    /// # Errors
    /// Those of the function.
    fn find_decreasing_part(&mut self, bracket: C::Num, certain: bool) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context().clone();
        let mut bracket = bracket;
        let mut may_shrink = certain;
        loop {
            let slope = self.oriented_slope(&bracket)?;
            if !context.is_bounded(&slope) || !context.is_defined(&slope) {
                return Ok(None);
            }
            if context.sign(&slope) == Sign::Negative {
                return Ok(Some(bracket));
            }
            // On a monotone function certain signs leave the root on one side of the middle.
            may_shrink &= context.is_nonnegative(&context.neg(&slope));
            let (Some(left), Some(right)) = (context.lower(&bracket), context.upper(&bracket)) else { return Ok(None) };
            let middle = context.midpoint(&bracket);
            let is_inside = context.is_strictly_below(&left, &middle) && context.is_strictly_below(&middle, &right);
            if !may_shrink || !is_inside || !self.function.machine.effort.budget.spend(1) {
                return Ok(None);
            }
            bracket = match context.sign(&self.oriented_value(&middle)?) {
                Sign::Positive => context.hull(&middle, &right),
                Sign::Negative => context.hull(&left, &middle),
                Sign::Undecided => return Ok(None),
            };
        }
    }

    /// Iterates Newton steps on a bracket that contains a root and on which the slope is certainly negative and bounded.
    ///
    /// # Errors
    /// Those of the function; [`SmoothError::DisjointEnclosures`] when a step leaves the bracket.
    pub fn iterate_newton(&mut self, bracket: C::Num) -> Result<C::Num, SmoothError> {
        let context = self.context().clone();
        let mut bracket = bracket;
        // Two steps in a row without halving the width end the iteration: a choice.
        let mut stalled = 0;
        while stalled < 2 && !is_converged(&context, &bracket) && self.function.machine.effort.budget.spend(1) {
            let next =
                self.newton_step(&bracket)?.ok_or(SmoothError::DisjointEnclosures { construct: "a Newton step" })?;
            let narrower = context.width(&next) <= context.width(&bracket).half();
            stalled = if narrower { 0 } else { stalled + 1 };
            bracket = next;
        }
        Ok(bracket)
    }

    /// Returns the part of the bracket that one Newton step leaves. Returns `None` if there is no root in it.
    ///
    /// # Errors
    /// Those of the function.
    pub fn newton_step(&mut self, bracket: &C::Num) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context().clone();
        let middle = context.midpoint(bracket);
        let slope = self.oriented_slope(bracket)?;
        let height = self.oriented_value(&middle)?;
        // Mean value theorem: a root x satisfies x ∈ m - f(m)/f′(bracket).
        let next = context.sub(&middle, &context.div(&height, &slope));
        Ok(context.intersect(bracket, &next))
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Lifts the value of a root y of this function (or of one of its branch points) to a jet, by the implicit function
    /// theorem.
    ///
    /// `value` must enclose the root. If the slope may be 0, every derivative is ⊥ that is not structurally zero.
    ///
    /// Newton's step in the nilpotent part, `y ← y - f(y)/f_x(y)`, doubles the number of degrees that are right. Only the
    /// new degrees are taken from it, since the residual is exactly 0 in the old ones.
    ///
    /// # Errors
    /// Those of the function.
    pub fn lift_root(
        &self,
        algebra: &Arc<Algebra>,
        value: C::Num,
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(1)) else {
            return Ok(self.not_differentiable(algebra, value));
        };
        self.lift_implicitly(algebra, value, |y| {
            let mut x = y.clone();
            x.set(extended.last_generator(), Some(self.context().enclose_integer(1)));
            let f = self.eval_jet(&extended, x, branches, target)?;
            let part = |power: usize| {
                Jet::new(extended.power_slice(power).iter().map(|&(_, here)| f.get(here as usize).cloned()))
            };
            Ok((part(0), part(1)))
        })
    }

    /// Evaluates a branch point at the zero of another one, `root`.
    ///
    /// `root` must be monotone on [0, 1], strictly so around the zero, with opposite signs at the ends. The signs may be
    /// given only if it is strictly monotone on all of [0, 1]. Returns ⊥ if this is not certain. `switch` is evaluated from
    /// one side (`JetEvaluator::side_to_evaluate`).
    ///
    /// # Errors
    /// Those of the function.
    pub fn at_zero_of(
        &self,
        algebra: &Arc<Algebra>,
        root: BranchPoint,
        switch: BranchPoint,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.context();
        let unknown = self.jets(algebra).bottom_everywhere();
        let Some(side) = self.machine.side_to_evaluate(self.block, root, switch) else { return Ok(unknown) };
        let captures = self.base_captures();
        let base = self.with_captures(&captures);
        let (none, target) = (&mut BranchDecisions::default(), EvalTarget::BranchPoint(root));
        let mut signs = [KinkBranch::Undecided; 2];
        let mut certain = true;
        for (end, sign) in signs.iter_mut().enumerate() {
            let value = base.value_over(&context.enclose_integer(end as i64), none, target)?;
            *sign = KinkBranch::from_sign(context.sign(&value));
            if *sign == KinkBranch::Undecided {
                certain = false;
                // A given sign may be 0 at the end itself, so it is not certain.
                *sign = self.events.given_sign(BinderView::at_end(end), target);
            }
        }
        let falling = match signs {
            [KinkBranch::Left, KinkBranch::Right] => true,
            [KinkBranch::Right, KinkBranch::Left] => false,
            _ => return Ok(unknown),
        };
        let unit = context.hull(&context.enclose_integer(0), &context.enclose_integer(1));
        let mut equation =
            RootEquation { function: &base, target, branches: BranchDecisions::default(), is_decreasing: falling };
        let Some(bracket) = equation.find_decreasing_part(unit, certain)? else { return Ok(unknown) };
        let zero = match equation.iterate_newton(bracket) {
            // With given signs there need be no zero.
            Err(SmoothError::DisjointEnclosures { .. }) => return Ok(unknown),
            zero => zero?,
        };
        let place = self.lift_root(algebra, zero, none, target)?;
        self.eval_jet(
            algebra,
            place,
            &mut BranchDecisions::with_forced(vec![(root, side)]),
            EvalTarget::BranchPoint(switch),
        )
    }

    /// Returns the jet y with g(y) = 0. `at` returns g and its slope in the bound variable at a jet.
    pub(super) fn lift_implicitly(
        &self,
        algebra: &Arc<Algebra>,
        value: C::Num,
        mut at: impl FnMut(&Jet<C::Num>) -> Result<(Jet<C::Num>, Jet<C::Num>), SmoothError>,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let mut y = Jet::constant(value);
        // Nothing varies, so the value is all.
        if self.captures.iter().all(Jet::is_constant) {
            return Ok(y);
        }
        let jets = self.jets(algebra);
        let mut known = 1;
        while known <= algebra.max_degree() {
            let (residual, slope) = at(&y)?;
            // A structurally zero slope cannot be divided by: the derivatives are ⊥.
            let slope = if slope.get(0).is_some() { slope } else { Jet::constant(self.context().bottom()) };
            let is_new = |m: usize| (known..2 * known).contains(&algebra.degree(m));
            let residual = Jet::new((0..residual.len()).map(|m| residual.get(m).filter(|_| is_new(m)).cloned()));
            let step = jets.divide(&residual, &slope);
            for m in (1..algebra.len()).filter(|&m| is_new(m)) {
                y.set(m, step.get(m).map(|s| self.context().neg(s)));
            }
            known *= 2;
        }
        Ok(y)
    }
}
