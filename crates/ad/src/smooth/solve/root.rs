//! The root of a function in a bracket: interval Newton steps with bisection, and the implicit function theorem.
//!
//! # firstRoot
//!
//! The first place in [0, 1] where a function goes from positive to negative (S §5.2.2, E8, E44).
//!
//! It is 0 for a function that is negative at 0, whatever it does later, and 1 for one that stays positive.
//! The value is `[sup{x | f > 0 on [0, x]}, inf{x | f q < 0 for some q ≤ x}]` in [0, 1], with sup ∅ = 0 and inf ∅ = 1.
//!
//! | certain | value | derivatives |
//! |---|---|---|
//! | f 0 < 0 | 0 | 0 |
//! | f > 0 on [0, 1] | 1 | 0 |
//! | f > 0, then f < 0, with slope < 0 between | the root | by the implicit function theorem |
//! | slope < 0, but the sign at 0 or at 1 is undecided | | order 1: hull{0, implicit function theorem}; then ⊥ |
//! | anything else | | ⊥ |
//!
//! At an end of [0, 1] where f has no value its limit counts, as for a maximum. So the volatility that gives an option its
//! price is a first root, though the price is a quotient by that volatility.
//!
//! # cutRoot
//!
//! The root of a function on ℝ, positive to its left and negative to its right (S §5.2.2, E7, E12).
//!
//! The value is `[sup{x | f x > 0}, inf{x | f x < 0}]`. It is ⊥ unless f is certainly continuous between the signs:
//! `1/(1/2 - x)` and `signum (1/2 - x)` go from positive to negative without a root. That f changes sign once is the caller's
//! *promise*. It is certified where that is cheap, and refuted with two witnesses if the search meets them. Otherwise the
//! result is marked as resting on it.
//!
//! # Certain definedness and continuity of a function on a range

use super::subdivide::{
    End, OpenPieces, PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use super::{SolverFunction, is_converged};
use crate::number::arithmetic::Sign;
use crate::number::magnitude::Magnitude;
use crate::number::tuning::Tuning;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, KinkBranch};
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

/// Computes the first root as a jet.
///
/// # Errors
/// Those of the function.
pub fn first_root<C: HookedContext>(f: &SolverFunction<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    let context = f.context();
    let captures = f.base_captures();
    let base = f.with_captures(&captures);
    let (mut search, whole) = FirstRootSearch::new(&base)?;
    // Negative at 0, certainly or by a given sign: the first root is 0 with all its derivatives.
    if search.sign_at_zero == KinkBranch::Right {
        return Ok(Jet::constant(context.enclose_integer(0)));
    }
    let boxes = search.enclose_root(whole)?;
    if search.is_negative_from_zero {
        return Ok(Jet::constant(context.enclose_integer(0)));
    }
    let FirstRootSearch {
        low,
        high,
        sign_at_zero: starts,
        sign_at_one: ends,
        left_certain,
        right_certain,
        defined,
        slope_negative,
        ..
    } = search;
    if defined && slope_negative && !right_certain && ends == KinkBranch::Left {
        return Ok(Jet::constant(context.enclose_integer(1))); // falling, and not below 0 at the end
    }
    // The block outside may split where f(0) or f(1) is 0; then the sign is given on either piece.
    if !left_certain && starts == KinkBranch::Undecided {
        f.events.record_undecided(BinderView::AtZero, EvalTarget::Outputs);
    }
    if !right_certain && ends == KinkBranch::Undecided && !boxes.is_empty() {
        f.events.record_undecided(BinderView::AtOne, EvalTarget::Outputs);
    }
    let value = context.hull(&low, &high);
    let value = if defined { value } else { context.mark_undefined(value) };
    if !defined {
        return Ok(f.not_differentiable(algebra, value));
    }
    if boxes.is_empty() && !right_certain {
        return Ok(Jet::constant(value)); // positive on all of [0, 1]
    }
    if !slope_negative {
        return Ok(f.not_differentiable(algebra, value));
    }
    let root = f.lift_root(algebra, value.clone(), &mut BranchDecisions::default(), EvalTarget::Outputs)?;
    if left_certain && right_certain {
        return Ok(root);
    }
    // The root may leave [0, 1] there, and the value stops moving: hull{0, lift} at order 1, ⊥ beyond.
    Ok(f.jets(algebra).clarke_hull(value, &root, &Jet::zero()))
}

/// A box of a search for the first root, by its two ends.
type RootBox<N> = (N, N);

/// A search for the first root among boxes in [low, high], from left to right, in which f is not certainly positive.
struct FirstRootSearch<'s, 'f, 'm, C: HookedContext> {
    f: &'s SolverFunction<'f, 'm, C>,
    /// The left end of the root's enclosure: f > 0 on [0, low).
    low: C::Num,
    /// The right end: f is certainly negative at `high` if `right_certain` is set; otherwise `high` is 1.
    high: C::Num,
    /// The sign at 0, certain or given.
    sign_at_zero: KinkBranch,
    /// The sign at 1, certain or given.
    sign_at_one: KinkBranch,
    /// `true` if f is positive at the left end, certainly or by a given sign.
    left_certain: bool,
    /// `true` if f is negative at the right end, certainly or by a given sign.
    right_certain: bool,
    /// `true` if f is certainly defined on all boxes.
    defined: bool,
    /// `true` if the slope is certainly negative and bounded between `low` and `high`.
    slope_negative: bool,
    /// `true` if f has no value at 0 and is certainly negative beside it.
    is_negative_from_zero: bool,
}

impl<'s, 'f, 'm, C: HookedContext> FirstRootSearch<'s, 'f, 'm, C> {
    /// Begins a search with all of [0, 1] as a box.
    fn new(f: &'s SolverFunction<'f, 'm, C>) -> Result<(Self, RootBox<C::Num>), SmoothError> {
        let context = f.context();
        let (low, high) = (context.enclose_integer(0), context.enclose_integer(1));
        let sign = |place: &C::Num, look: BinderView| -> Result<KinkBranch, SmoothError> {
            Ok(
                match KinkBranch::from_sign(context.sign(&f.value_over(
                    place,
                    &mut BranchDecisions::default(),
                    EvalTarget::Outputs,
                )?)) {
                    KinkBranch::Undecided => f.events.given_sign(look, EvalTarget::Outputs),
                    certain => certain,
                },
            )
        };
        let starts = sign(&low, BinderView::AtZero)?;
        let ends = sign(&high, BinderView::AtOne)?;
        let whole = (low.clone(), high.clone());
        let search = Self {
            f,
            low,
            high,
            sign_at_zero: starts,
            sign_at_one: ends,
            left_certain: starts == KinkBranch::Left,
            right_certain: ends == KinkBranch::Right,
            defined: true,
            slope_negative: false,
            is_negative_from_zero: false,
        };
        Ok((search, whole))
    }

    /// Halves boxes until the root is enclosed to the tolerance, or by Newton steps. Returns the boxes that are left.
    fn enclose_root(&mut self, whole: RootBox<C::Num>) -> Result<Vec<RootBox<C::Num>>, SmoothError> {
        let effort = self.f.machine.effort;
        let caps =
            SubdivisionCaps { open: Tuning::to_size(effort.budget.tuning().root_boxes), ..SubdivisionCaps::NONE };
        let left = subdivide(self, vec![whole], caps, Some(effort.budget))?;
        if left.end != End::Reached {
            self.defined = self.defined_on_boxes(&left.open)?;
        }
        match left.end {
            End::Cut => effort.record_cut(left.open.len() as u64),
            End::Cap => effort.record_capped(left.open.len() as u64),
            _ => {}
        }
        Ok(left.open)
    }

    /// Drops the boxes where f is certainly positive, and those beyond a point where it is certainly negative.
    fn drop_decided_boxes(&mut self, boxes: Vec<RootBox<C::Num>>) -> Result<Vec<RootBox<C::Num>>, SmoothError> {
        let context = self.f.context().clone();
        let mut kept = Vec::with_capacity(boxes.len());
        for (a, b) in boxes {
            if self.right_certain && !context.is_strictly_below(&a, &self.high) {
                break;
            }
            match self.sign_on_box(&a, &b)? {
                Sign::Positive => continue,
                Sign::Negative if context.contains_zero(&a) && !self.left_certain => {
                    self.is_negative_from_zero = true;
                    self.high = a;
                    break;
                }
                _ => {}
            }
            // The middle and the right end are probed for a negative value: each one found cuts off all boxes behind it.
            let middle = context.midpoint(&context.hull(&a, &b));
            for x in [&middle, &b] {
                let below = context.is_strictly_below(x, &self.high) || !self.right_certain;
                if below && self.sign_at(x)? == Sign::Negative {
                    self.high = x.clone();
                    self.right_certain = true;
                    break;
                }
            }
            kept.push((a, b));
        }
        // the last box may reach beyond `high`
        if let Some((_, b)) = kept.last_mut()
            && context.is_strictly_below(&self.high, b)
        {
            *b = self.high.clone();
        }
        Ok(kept)
    }

    /// Returns the sign of f at a point.
    fn sign_at(&self, x: &C::Num) -> Result<Sign, SmoothError> {
        Ok(self.f.context().sign(&self.f.value_over(x, &mut BranchDecisions::default(), EvalTarget::Outputs)?))
    }

    /// Returns the sign of f on [a, b]: by its range, by its limit at an end of [0, 1] where it has no value, and a positive
    /// one also at its lower end if it is monotone, or by the mean value form.
    fn sign_on_box(&self, a: &C::Num, b: &C::Num) -> Result<Sign, SmoothError> {
        let context = self.f.context();
        let range = context.hull(a, b);
        let line = self.f.value_and_slope(&range, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        if context.sign(&line.value) == Sign::Positive {
            return Ok(Sign::Positive);
        }
        if !context.is_defined(&line.value) {
            // The sign of an unbounded value may show in its power bound or in its range.
            let sign = self.f.sign_beside_end([a, b])?;
            if sign != Sign::Undecided {
                return Ok(sign);
            }
            let range = self.f.range_beside_ends([a, b], &mut BranchDecisions::default())?;
            return Ok(range.map_or(Sign::Undecided, |range| context.sign(&range)));
        }
        if !context.is_bounded(&line.slope) {
            return Ok(Sign::Undecided);
        }
        let positive_at = |x| {
            let is_positive = self.sign_at(x)? == Sign::Positive;
            Ok(if is_positive { Sign::Positive } else { Sign::Undecided })
        };
        match context.sign(&line.slope) {
            Sign::Positive => return positive_at(a),
            Sign::Negative => return positive_at(b),
            Sign::Undecided => {}
        }
        // f(m) + f′·(x - m) is tighter than the range where the box is short.
        let middle = context.midpoint(&range);
        let height = self.f.value_over(&middle, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        let rise = context.mul(&line.slope, &context.sub(&range, &middle));
        let is_positive = context.sign(&context.add(&height, &rise)) == Sign::Positive;
        Ok(if is_positive { Sign::Positive } else { Sign::Undecided })
    }

    /// Returns `true` if f is certainly defined on all boxes.
    fn defined_on_boxes(&self, boxes: &[RootBox<C::Num>]) -> Result<bool, SmoothError> {
        let context = self.f.context();
        for (a, b) in boxes {
            let y = self.f.value_over(&context.hull(a, b), &mut BranchDecisions::default(), EvalTarget::Outputs)?;
            if !context.is_defined(&y) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Narrows a span on which the slope is certainly negative. It contains at most one root, and f > 0 before it. Only an
    /// end at which the sign is certain can be moved.
    fn contract_by_newton(&mut self, span: C::Num) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        self.slope_negative = true;
        // Inside (0, 1) f is continuous and positive up to `low`, so f(low) ≥ 0.
        if !self.left_certain {
            self.left_certain = context.sign(&self.low) == Sign::Positive;
        }
        let mut equation = RootEquation {
            function: self.f,
            target: EvalTarget::Outputs,
            branches: BranchDecisions::default(),
            is_decreasing: true,
        };
        let mut root = span;
        let mut stalled = 0;
        while stalled < 2 && !is_converged(&context, &root) && self.f.machine.effort.budget.spend(1) {
            let Some(next) = equation.newton_step(&root)? else {
                // No root for any value of the inputs: f is positive, or negative, throughout.
                break;
            };
            let narrower = context.width(&next) <= context.width(&root).half();
            stalled = if narrower { 0 } else { stalled + 1 };
            root = next;
        }
        if let (true, Some(low)) = (self.left_certain, context.lower(&root)) {
            self.low = low;
        }
        if let (true, Some(high)) = (self.right_certain, context.upper(&root)) {
            self.high = high;
        }
        Ok(())
    }
}

impl<C: HookedContext> SubdivisionProblem for FirstRootSearch<'_, '_, '_, C> {
    type Piece = RootBox<C::Num>;
    type Error = SmoothError;

    /// All boxes at once: a negative value in one of them cuts off those to its right.
    fn split_order(&self) -> SplitOrder {
        SplitOrder::Rounds { batch: usize::MAX }
    }

    fn judge_open(&mut self, open: &mut OpenPieces<Self::Piece>) -> Result<Option<End>, SmoothError> {
        let context = self.f.context().clone();
        let effort = self.f.machine.effort;
        let boxes = self.drop_decided_boxes(open.take_line())?;
        let Some((first, _)) = boxes.first() else {
            // No box is left: f > 0 wherever it is not certainly negative.
            self.low = self.high.clone();
            return Ok(Some(End::Reached));
        };
        self.low = first.clone();
        let span = context.hull(&self.low, &self.high);
        self.f.machine.publish_number(|| {
            Ok(if self.defined_on_boxes(&boxes)? { span.clone() } else { context.mark_undefined(span.clone()) })
        })?;
        // Decreasing all over the span: Newton steps converge faster than halving.
        let line = self.f.value_and_slope(&span, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        let is_decreasing = context.sign(&line.slope) == Sign::Negative && context.is_bounded(&line.slope);
        let resolution = boxes.iter().map(|(a, b)| context.width(&context.hull(a, b))).max();
        let is_resolved = resolution.is_none_or(|r| r <= effort.tolerance());
        if is_decreasing {
            self.contract_by_newton(span)?;
        } else if is_resolved {
            self.defined = self.defined_on_boxes(&boxes)?;
            if boxes.len() as u64 <= effort.budget.tuning().root_boxes {
                effort.record_open();
            }
        }
        open.set_line(boxes);
        Ok((is_decreasing || is_resolved).then_some(End::Reached))
    }

    fn split_pieces(&mut self, boxes: Vec<Self::Piece>) -> Result<Vec<Split<Self::Piece>>, SmoothError> {
        let context = self.f.context();
        let halve = |(a, b): Self::Piece| {
            let middle = context.midpoint(&context.hull(&a, &b));
            if context.is_strictly_below(&a, &middle) && context.is_strictly_below(&middle, &b) {
                Split::Parts(vec![(a, middle.clone()), (middle, b)])
            } else {
                Split::Stuck((a, b))
            }
        };
        Ok(boxes.into_iter().map(halve).collect())
    }
}

/// Computes the root as a jet.
///
/// # Errors
/// [`SmoothError::PromiseBroken`] if f is certainly negative left of where it is certainly positive; those of the function.
pub fn cut_root<C: HookedContext>(f: &SolverFunction<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    let captures = f.base_captures();
    let base = f.with_captures(&captures);
    let mut search = CutRootSearch { f: &base, left: None, right: None };
    if !search.find_bracket()? {
        return Ok(f.not_differentiable(algebra, f.context().bottom()));
    }
    let (Some(left), Some(right)) = (search.left.clone(), search.right.clone()) else {
        return Ok(f.not_differentiable(algebra, f.context().bottom()));
    };
    // The promise is noted only if it could not be certified.
    if !search.certify_promise(&left, &right)? {
        f.machine.effort.record_promise(f.site.0);
    }
    let mut equation = RootEquation {
        function: &base,
        target: EvalTarget::Outputs,
        branches: BranchDecisions::default(),
        is_decreasing: true,
    };
    let root = equation.enclose_root(left, right)?;
    // A pole changes sign as well, and so does a jump: a root needs continuity between the signs.
    if !base.is_continuous_on(&root)? {
        return Ok(f.not_differentiable(algebra, f.context().mark_undefined(root)));
    }
    f.lift_root(algebra, root, &mut BranchDecisions::default(), EvalTarget::Outputs)
}

/// A search for a bracket.
struct CutRootSearch<'s, 'f, 'm, C: HookedContext> {
    f: &'s SolverFunction<'f, 'm, C>,
    /// The rightmost point met where f is certainly positive.
    left: Option<C::Num>,
    /// The leftmost point met where f is certainly negative.
    right: Option<C::Num>,
}

/// The number of times that the search for a bracket doubles its scale, …
const DOUBLINGS: u32 = 64;
/// …and then squares it. So it reaches ±2^(2²²). Both are choices.
const SQUARINGS: u32 = 16;

impl<C: HookedContext> CutRootSearch<'_, '_, '_, C> {
    /// Probes 0, ±1, ±2, ±4, …, ±2⁶⁴, ±2¹²⁸, … and their reciprocals for one point of each sign.
    ///
    /// Returns `false` if there is none within reach, or the budget ends.
    fn find_bracket(&mut self) -> Result<bool, SmoothError> {
        let context = self.f.context().clone();
        self.probe_sign(context.enclose_integer(0))?;
        let mut scale = context.enclose_integer(1);
        let mut small = context.enclose_integer(1);
        for round in 0..DOUBLINGS + SQUARINGS {
            if self.left.is_some() && self.right.is_some() {
                return Ok(true);
            }
            if !self.f.machine.effort.budget.spend(1) {
                self.f.machine.effort.record_open();
                return Ok(false);
            }
            // Both sides are probed, so that a broken promise is met as well as a bracket.
            self.probe_sign(scale.clone())?;
            self.probe_sign(context.neg(&scale))?;
            // Small scales find a root near 0 only if the large ones have not bracketed it.
            if self.left.is_none() || self.right.is_none() {
                self.probe_sign(small.clone())?;
                self.probe_sign(context.neg(&small))?;
            }
            if round < DOUBLINGS {
                scale = context.mul_integer(&scale, 2);
                small = context.div_integer(&small, 2);
            } else {
                scale = context.square(&scale);
                small = context.square(&small);
            }
        }
        Ok(self.left.is_some() && self.right.is_some())
    }

    /// Probes the sign at a point, and moves an end of the bracket there.
    ///
    /// # Errors
    /// [`SmoothError::PromiseBroken`] if the sign contradicts one further left or right; those of the function.
    fn probe_sign(&mut self, x: C::Num) -> Result<(), SmoothError> {
        let context = self.f.context();
        // A squared scale may overflow.
        if !context.is_bounded(&x) {
            return Ok(());
        }
        match context.sign(&self.f.value_over(&x, &mut BranchDecisions::default(), EvalTarget::Outputs)?) {
            Sign::Positive => {
                if let Some(right) = self.right.as_ref().filter(|r| context.is_strictly_below(r, &x)) {
                    return Err(self.broken_promise(right, &x));
                }
                if self.left.as_ref().is_none_or(|l| context.is_strictly_below(l, &x)) {
                    self.left = Some(x);
                }
            }
            Sign::Negative => {
                if let Some(left) = self.left.as_ref().filter(|l| context.is_strictly_below(&x, l)) {
                    return Err(self.broken_promise(&x, left));
                }
                if self.right.as_ref().is_none_or(|r| context.is_strictly_below(&x, r)) {
                    self.right = Some(x);
                }
            }
            Sign::Undecided => {}
        }
        Ok(())
    }

    /// Returns the error of a broken promise, with its two witnesses.
    fn broken_promise(&self, negative: &C::Num, positive: &C::Num) -> SmoothError {
        SmoothError::PromiseBroken {
            site: self.f.site,
            negative: Box::new(self.f.context().to_enclosure(negative)),
            positive: Box::new(self.f.context().to_enclosure(positive)),
        }
    }

    /// Returns `true` if f is certainly positive left of the bracket, negative right of it, and decreasing inside.
    fn certify_promise(&self, left: &C::Num, right: &C::Num) -> Result<bool, SmoothError> {
        let context = self.f.context();
        let line = context.mark_defined(context.bottom());
        let none = &mut BranchDecisions::default();
        let inside = self.f.value_and_slope(&context.hull(left, right), none, EvalTarget::Outputs)?;
        if context.sign(&inside.slope) != Sign::Negative {
            return Ok(false);
        }
        let before = self.f.value_and_slope(&context.min(&line, left), none, EvalTarget::Outputs)?;
        let after = self.f.value_and_slope(&context.max(&line, right), none, EvalTarget::Outputs)?;
        // Monotone up to the bracket, where the sign is certain, is as good as a certain sign.
        let falls = |slope: &C::Num| context.sign(slope) == Sign::Negative;
        Ok((context.sign(&before.value) == Sign::Positive || falls(&before.slope))
            && (context.sign(&after.value) == Sign::Negative || falls(&after.slope)))
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if the function is certainly defined at every point of `span`. The captures must be
    /// [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_defined_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.is_defined_with(span, |_| true)
    }

    /// Returns `true` if the function is certainly continuous at every point of `span`: defined there, without jumps of
    /// signs or angles. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_continuous_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.is_defined_with(span, |branches| !branches.undecided.iter().any(|switch| self.block.may_jump_at(*switch)))
    }

    /// Returns `true` if `span` falls into parts, on each of which the function is certainly defined and its undecided
    /// branches are `wanted`.
    fn is_defined_with(&self, span: &C::Num, wanted: impl Fn(&BranchDecisions) -> bool) -> Result<bool, SmoothError> {
        let budget = self.machine.effort.budget;
        let splits = Tuning::to_size(budget.tuning().definedness_splits);
        let caps = SubdivisionCaps { splits, ..SubdivisionCaps::NONE };
        let mut proof = DefinednessProof { f: self, is_wanted: wanted };
        let left = subdivide(&mut proof, vec![span.clone()], caps, Some(budget))?;
        Ok(left.end == End::Reached)
    }
}

/// A proof that a function is defined on a range, and its undecided branches are wanted ones, part by part.
struct DefinednessProof<'p, 'f, 'm, C: HookedContext, W> {
    f: &'p SolverFunction<'f, 'm, C>,
    is_wanted: W,
}

impl<C: HookedContext, W: Fn(&BranchDecisions) -> bool> SubdivisionProblem for DefinednessProof<'_, '_, '_, C, W> {
    type Piece = C::Num;
    type Error = SmoothError;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::Newest
    }

    fn bound_piece(&mut self, part: &mut C::Num) -> Result<PieceBound, SmoothError> {
        let mut branches = BranchDecisions::default();
        let value = self.f.value_over(part, &mut branches, EvalTarget::Outputs)?;
        let is_shown = self.f.context().is_defined(&value) && (self.is_wanted)(&branches);
        Ok(if is_shown { PieceBound::SETTLED } else { PieceBound::open(0, Magnitude::INFINITY) })
    }

    fn split_pieces(&mut self, parts: Vec<C::Num>) -> Result<Vec<Split<C::Num>>, SmoothError> {
        let context = self.f.context();
        let split = |part: C::Num| {
            let (Some(left), Some(right)) = (context.lower(&part), context.upper(&part)) else {
                return Split::Stuck(part);
            };
            let middle = context.midpoint(&part);
            if !context.is_strictly_below(&left, &middle) || !context.is_strictly_below(&middle, &right) {
                return Split::Stuck(part);
            }
            // The left half is added last, so that its turn comes first.
            Split::Parts(vec![context.hull(&middle, &right), context.hull(&left, &middle)])
        };
        Ok(parts.into_iter().map(split).collect())
    }
}
