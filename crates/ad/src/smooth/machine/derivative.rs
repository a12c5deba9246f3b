//! Derivatives inside of programs: the body over an algebra with one generator more.
//!
//! **Nested derivatives cost a polynomial.** A function of one variable is expanded once, over ℝ[s]/s^{k+1}, and
//! the series is composed with its argument. An outer derivative asks the inner one for one degree more. So ten
//! nested `deriv`s are ten expansions of degree at most ten, not 2¹⁰ evaluations. Only derivatives in independent
//! directions adjoin a generator each.

use super::{BranchDecisions, JetEvaluator};
use crate::number::Magnitude;
use crate::number::effort::{PassOptions, SolverOptions};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::{EvalHooks, HookedContext};
use crate::smooth::jet::Jet;
use crate::smooth::program::Block;
use std::sync::Arc;

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Computes `D body (at) · along`, the directional derivative of `body`.
    ///
    /// If one variable moves and nothing else varies in the algebra, the body is a function of one variable composed with
    /// `at`. Its Taylor series is computed once and composed. So nested derivatives cost polynomially in their depth.
    /// Otherwise one infinitesimal is adjoined. In a partial derivative the variable at `place` moves; the others are like
    /// captures.
    ///
    /// The branches are those of the body. Where one cannot be decided, the derivative jumps.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn directional_derivative(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        [at, along, captures]: [&[Jet<C::Num>]; 3],
        place: Option<usize>,
        branches: &mut BranchDecisions,
    ) -> Result<Jet<C::Num>, SmoothError> {
        // A sweep of reverse mode needs the derivative along 0 only to know whether it is defined.
        if place.is_none()
            && let Some(zero) = self.zero_direction_derivative(body, algebra, [at, along, captures])?
        {
            return Ok(zero);
        }
        let jets = self.jets(algebra);
        let near: Vec<_>;
        // In a run over a neighbourhood the point is widened at once, instead of in a run of its own.
        let at = if self.is_widened {
            near = at.iter().map(|x| self.widen_to_neighbourhood(x)).collect();
            &near[..]
        } else {
            at
        };
        let moves = |i: usize| place.is_none_or(|place| place == i);
        let mut others = (0..at.len()).filter(|i| !moves(*i)).map(|i| &at[i]).chain(captures);
        if (at.len() == 1 || place.is_some()) && others.all(Jet::is_constant) {
            let place = place.unwrap_or(0);
            let (along, others) = (&along[place], at);
            let at = &at[place];
            // f(x + n) = Σ f⁽ʲ⁾(x)/j!·nʲ ends at the nilpotency of n; the derivative is the series of slopes j·f⁽ʲ⁾/j!.
            let n = jets.nilpotent_part(at);
            let order = jets.nilpotency_bound(&n);
            let Some(line) = self.real.adjoin(AlgebraGenerator::Direction(order)) else {
                return Ok(self.bottom_for_large_algebra(algebra));
            };
            let x = Jet::new([Some(jets.value_of(at)), Some(self.context.enclose_integer(1))]);
            let point: Vec<_> =
                (0..others.len()).map(|i| if i == place { x.clone() } else { others[i].clone() }).collect();
            let y = self.eval_expansion(body, &line, [&point, captures], 0, branches)?;
            let slope: Vec<_> =
                (1..=order as usize).map(|j| y.get(j).map(|c| self.context.mul_integer(c, j as i64))).collect();
            let result = jets.multiply(&jets.compose(&slope, &n), along);
            return Ok(jets.as_value(result, y.get(0), [at, along]));
        }
        // The general case: f(x + εv) = f(x) + ε·D f(x)·v over the algebra with ε² = 0; the slice of ε is the derivative.
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(1)) else {
            return Ok(self.bottom_for_large_algebra(algebra));
        };
        let moved: Vec<_> = at
            .iter()
            .zip(along)
            .enumerate()
            .map(|(i, (x, v))| {
                let mut moved = x.clone();
                for &(outer, here) in extended.power_slice(1).iter().filter(|_| moves(i)) {
                    moved.set(here as usize, v.get(outer as usize).cloned());
                }
                moved
            })
            .collect();
        let y = self.eval_expansion(body, &extended, [&moved, captures], algebra.generator_count(), branches)?;
        let result = Jet::new(extended.power_slice(1).iter().map(|&(_, here)| y.get(here as usize).cloned()));
        Ok(jets.as_value(result, y.get(0), at.iter().chain(along).chain(captures)))
    }

    /// Returns the derivative along the direction 0 if one look of each solver, at ranges alone, shows that it exists. It
    /// is 0 then.
    ///
    /// A [sweep](crate::smooth::reverse) needs it to know where its map is defined. Returns `None` if the direction is not
    /// certainly 0, or if the look does not show that.
    fn zero_direction_derivative(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<C::Num>]; 3],
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let is_zero = |c: &C::Num| self.context.is_point(c) && self.context.contains_zero(c);
        let is_nothing = |v: &Jet<C::Num>| v.coefficients().flatten().all(is_zero);
        // Reference runs take no shortcut, and watched ones must see each step.
        let looks = !self.is_watched() && self.effort.solver_options == SolverOptions::ALL;
        if !looks || body.is_plain || !inputs[1].iter().all(is_nothing) {
            return Ok(None);
        }
        // With an infinite tolerance and no expansions solvers stop at a coarse result.
        let shortcuts = SolverOptions { expansions: false, ..SolverOptions::ALL };
        let effort = PassOptions::new(Magnitude::INFINITY, self.effort.budget).with_solver_options(shortcuts);
        let machine = self.with_effort(&effort);
        let branches = &mut BranchDecisions::default();
        let found = machine.directional_derivative(body, algebra, inputs, None, branches)?;
        let is_known = found.coefficients().flatten().all(|c| self.context.is_defined(c) && is_zero(c));
        if !is_known || !branches.undecided.is_empty() {
            return Ok(None);
        }
        // The answer rests on what the coarse run met and assumed: both are kept.
        self.edges.adopt_boundaries(&machine.edges);
        effort.assumed_promises().into_iter().for_each(|site| self.effort.record_promise(site));
        Ok(Some(found))
    }

    /// Evaluates the body of a derivative over an algebra whose generators from `first` on are adjoined for it.
    pub(super) fn eval_expansion(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut BranchDecisions,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let y = self.eval_derivatives(body, algebra, inputs, first, branches)?.swap_remove(0);
        Ok(if C::ACTIVE { self.context.hooks().derivative_expansion(&self.jets(algebra), y) } else { y })
    }

    /// Returns ⊥ where a derivative needs an algebra of more monomials than fit, and leaves the pass open.
    #[must_use]
    pub fn bottom_for_large_algebra(&self, algebra: &Algebra) -> Jet<C::Num> {
        self.effort.record_open();
        self.jets(algebra).bottom_everywhere()
    }
}
