//! cutRoot: the root of a function on ℝ, positive to its left and negative to its right (S §5.2.2, E7, E12).
//!
//! The value is `[sup{x | f x > 0}, inf{x | f x < 0}]`. It is ⊥ unless f is certainly continuous between the signs:
//! `1/(1/2 - x)` and `signum (1/2 - x)` go from positive to negative without a root. That f changes sign once is the caller's
//! *promise*. It is certified where that is cheap, and refuted with two witnesses if the search meets them. Otherwise the
//! result is marked as resting on it.

use super::SolverFunction;
use super::root::RootEquation;
use crate::number::context::Sign;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use std::sync::Arc;

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
