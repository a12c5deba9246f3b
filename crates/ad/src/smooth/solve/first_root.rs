//! firstRoot: the first place in [0, 1] where a function goes from positive to negative (S §5.2.2, E8, E44).
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

use super::root::RootEquation;
use super::{SolverFunction, is_converged};
use crate::number::context::Sign;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::BinderView;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use std::sync::Arc;

/// The number of undecided boxes, at most. Beyond it the undecided part is much wider than a box, and halving gains little.
/// A choice.
const MOST_BOXES: usize = 64;

/// Computes the first root as a jet.
///
/// # Errors
/// Those of the function.
pub fn first_root<C: HookedContext>(f: &SolverFunction<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    let context = f.context();
    let captures = f.base_captures();
    let base = f.with_captures(&captures);
    let mut search = FirstRootSearch::new(&base)?;
    // Negative at 0, certainly or by a given sign: the first root is 0 with all its derivatives.
    if search.sign_at_zero == KinkBranch::Right {
        return Ok(Jet::constant(context.enclose_integer(0)));
    }
    search.enclose_root()?;
    let FirstRootSearch {
        low,
        high,
        sign_at_zero: starts,
        sign_at_one: ends,
        left_certain,
        right_certain,
        defined,
        slope_negative,
        boxes,
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

/// A search for the first root: a list of boxes in which f is not certainly positive.
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
    /// The boxes in [low, high] where f is not certainly positive, from left to right.
    boxes: Vec<(C::Num, C::Num)>,
}

impl<'s, 'f, 'm, C: HookedContext> FirstRootSearch<'s, 'f, 'm, C> {
    /// Begins a search with all of [0, 1] as a box.
    fn new(f: &'s SolverFunction<'f, 'm, C>) -> Result<Self, SmoothError> {
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
        Ok(Self {
            f,
            boxes: vec![(low.clone(), high.clone())],
            low,
            high,
            sign_at_zero: starts,
            sign_at_one: ends,
            left_certain: starts == KinkBranch::Left,
            right_certain: ends == KinkBranch::Right,
            defined: true,
            slope_negative: false,
        })
    }

    /// Halves boxes until the root is enclosed to the tolerance, or by Newton steps.
    fn enclose_root(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let effort = self.f.machine.effort;
        loop {
            self.drop_decided_boxes()?;
            let Some((first, _)) = self.boxes.first().cloned() else {
                // No box is left: f > 0 wherever it is not certainly negative.
                self.low = self.high.clone();
                return Ok(());
            };
            self.low = first;
            let span = context.hull(&self.low, &self.high);
            self.f.machine.publish_number(|| {
                Ok(if self.defined_on_boxes()? { span.clone() } else { context.mark_undefined(span.clone()) })
            })?;
            // Decreasing all over the span: Newton steps converge faster than halving.
            let line = self.f.value_and_slope(&span, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
            if context.sign(&line.slope) == Sign::Negative && context.is_bounded(&line.slope) {
                return self.contract_by_newton(span);
            }
            let resolution = self.boxes.iter().map(|(a, b)| context.width(&context.hull(a, b))).max();
            let resolved = resolution.is_none_or(|r| r <= effort.tolerance());
            if resolved || self.boxes.len() > MOST_BOXES || !effort.budget.spend(1) {
                self.defined = self.defined_on_boxes()?;
                if self.boxes.len() <= MOST_BOXES {
                    effort.record_open();
                }
                return Ok(());
            }
            if !self.halve_boxes() {
                self.defined = self.defined_on_boxes()?;
                return Ok(());
            }
        }
    }

    /// Drops the boxes where f is certainly positive, and those beyond a point where it is certainly negative.
    fn drop_decided_boxes(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let mut kept = Vec::with_capacity(self.boxes.len());
        for (a, b) in std::mem::take(&mut self.boxes) {
            if self.right_certain && !context.is_strictly_below(&a, &self.high) {
                break;
            }
            if self.is_positive(&a, &b)? {
                continue;
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
        self.boxes = kept;
        Ok(())
    }

    /// Returns the sign of f at a point.
    fn sign_at(&self, x: &C::Num) -> Result<Sign, SmoothError> {
        Ok(self.f.context().sign(&self.f.value_over(x, &mut BranchDecisions::default(), EvalTarget::Outputs)?))
    }

    /// Returns `true` if f is certainly positive on [a, b]: by its range, at its lower end if it is monotone, or by the
    /// mean value form.
    fn is_positive(&self, a: &C::Num, b: &C::Num) -> Result<bool, SmoothError> {
        let context = self.f.context();
        let range = context.hull(a, b);
        let line = self.f.value_and_slope(&range, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        if context.sign(&line.value) == Sign::Positive {
            return Ok(true);
        }
        if !context.is_defined(&line.value) || !context.is_bounded(&line.slope) {
            return Ok(false);
        }
        match context.sign(&line.slope) {
            Sign::Positive => return Ok(self.sign_at(a)? == Sign::Positive),
            Sign::Negative => return Ok(self.sign_at(b)? == Sign::Positive),
            Sign::Undecided => {}
        }
        // f(m) + f′·(x - m) is tighter than the range where the box is short.
        let middle = context.midpoint(&range);
        let height = self.f.value_over(&middle, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        let rise = context.mul(&line.slope, &context.sub(&range, &middle));
        Ok(context.sign(&context.add(&height, &rise)) == Sign::Positive)
    }

    /// Halves all boxes. Returns `false` if no number lies inside of any.
    fn halve_boxes(&mut self) -> bool {
        let context = self.f.context().clone();
        let mut moved = false;
        let mut halves = Vec::with_capacity(self.boxes.len() * 2);
        for (a, b) in std::mem::take(&mut self.boxes) {
            let middle = context.midpoint(&context.hull(&a, &b));
            if context.is_strictly_below(&a, &middle) && context.is_strictly_below(&middle, &b) {
                moved = true;
                halves.push((a, middle.clone()));
                halves.push((middle, b));
            } else {
                halves.push((a, b));
            }
        }
        self.boxes = halves;
        moved
    }

    /// Returns `true` if f is certainly defined on all boxes.
    fn defined_on_boxes(&self) -> Result<bool, SmoothError> {
        let context = self.f.context();
        for (a, b) in &self.boxes {
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
