//! Derivatives inside of programs: the body over an algebra with one generator more.
//!
//! **Nested derivatives cost a polynomial.** A function of one variable is expanded once, over ℝ[s]/s^{k+1}, and
//! the series is composed with its argument. An outer derivative asks the inner one for one degree more. So ten
//! nested `deriv`s are ten expansions of degree at most ten, not 2¹⁰ evaluations. Only derivatives in independent
//! directions adjoin a generator each.
//!
//! # All partial derivatives of a solver's result
//!
//! All partial derivatives of a solver's result, computed together.
//!
//! The adjoint of a solver needs its derivative in each of its captures.
//!
//! * One search computes all those of an integral, as integrals of the slopes of the integrand. They cost a small multiple
//!   of the integral, not one integral each. This holds where the integrand is [smooth on each
//!   piece](crate::integrate_smooth_outputs::reverse).
//! * A root or an optimum is searched for once, and then lifted to several directions [side by side](AlgebraGenerator::Directions).
//!
//! Each derivative is computed by itself if one of them is unknown, or if the block outside has to learn of events.
//!
//! Integrals of slopes are not always the slopes of an integral. `d/dt ∫₀¹ [u < t] du` is 1, and its integrand has
//! the slope 0 on both sides. So this is no rule of the adjoint, which stays a graph of partial derivatives. It is
//! a way to run them, and counts only if the search has shown these: the integrand and its slopes are bounded and
//! defined on every piece, every kink is decided there, and no domain boundary is met.
//!
//! The directions side by side are those of one algebra in which no two of them have a product. So eight
//! derivatives cost less than eight runs.
//!
//! # Kinks that depend on the sign of one linear form
//!
//! `max x 0 + min 0 x` is x, although each part has the slopes `[0, 1]` at 0: both depend on the sign of x, and a point
//! near 0 is on one side for both. Let several undecided kinks, or one that is used several times, depend on the sign of g,
//! up to constant factors. Where g > 0 the function is f₊, the run with all of them forced to that side. Where g < 0 it is
//! f₋. Where g = 0 it equals both. So it has almost everywhere the gradient of f₊ or of f₋: where two Lipschitz functions
//! agree, their gradients agree almost everywhere. Clarke's derivative ignores null sets, hence `∂f(x) ⊆ hull(∂f₊(x) ∪
//! ∂f₋(x))` (T1 to T3).
//!
//! Only coefficients of degree 1 gain by that. A higher derivative exists only if the slopes of both sides agree on all of
//! g = 0 nearby, and two enclosures cannot show that.

use super::switch::BranchPoint;
use super::{BranchDecisions, EvalTarget, JetEvaluator, RegisterFile};
use crate::function::{BorderKind, Function, RealOperation};
use crate::number::accuracy::{PassOptions, SolverOptions};
use crate::number::{Magnitude, Rational};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::fold::BlockRegisters;
use crate::smooth::graph::{Binary, SecondOrder, SourceId, Unary};
use crate::smooth::hooks::{EvalHooks, HookedContext};
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::linear::LinearForm;
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::nearby::{Diagnosis, UndefinedOperation, generator_bit};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, PartialDerivative};
use crate::smooth::solve::{SolverFunction, integral};
use crate::undefined::UndefinedCause;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
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

/// A computed gradient, or `None` for one that cannot be computed at once; by the address of its program and its point.
pub(super) type GradientEntry<N> = ((usize, Vec<BlockRegister>), Option<Vec<Jet<N>>>);

/// The number of directions in one run, at most. A choice: more take longer to multiply than another search does.
const MAX_DIRECTIONS: usize = 8;

/// A differentiated block: its site, the block, the registers of its point and of its captures.
pub(super) type Differentiated<'d> = (SourceId, &'d Block, [&'d [BlockRegister]; 2]);

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns a partial derivative, computed together with the others of the same map at the same point.
    ///
    /// Returns `None` if they cannot be computed together.
    pub(super) fn partial_from_gradient(
        &self,
        algebra: &Arc<Algebra>,
        frame: &RegisterFile<C::Num>,
        partial: Option<&PartialDerivative>,
        (site, body, [at, captures]): Differentiated,
        branches: &BranchDecisions,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Some(PartialDerivative { place, gradient: Some(gradient), captures: inner }) = partial else {
            return Ok(None);
        };
        let is_plain = !self.is_watched() && !self.is_widened;
        // Forced branches and reference runs take the plain way, and so does a neighbourhood, whose values alone matter.
        if !is_plain || !branches.forced.is_empty() || self.effort.solver_options != SolverOptions::ALL {
            return Ok(None);
        }
        let Some(wanted) = gradient.requested.get() else { return Ok(None) };
        let Ok(own) = wanted.places.binary_search(place) else { return Ok(None) };
        let address = (Arc::as_ptr(gradient) as usize, at.to_vec());
        // Failures are remembered too: the attempt costs a search.
        if let Some((_, known)) = frame.gradients.borrow().iter().find(|(other, _)| *other == address) {
            return Ok(known.as_ref().map(|all| all[own].clone()));
        }
        let at = frame.get_all(at);
        // Should the attempt fail, the pass is not left open by it: the plain way follows.
        let found = self.effort.run_attempt(|| match (&gradient.inputs, &wanted.integrand) {
            (Some(inputs), Some(integrand)) => {
                self.integrate_slopes([inputs, integrand], algebra, [&at, &frame.get_all(inner)], site)
            }
            _ => self.partials_along_axes(body, algebra, [&at, &frame.get_all(captures)], &wanted.places),
        })?;
        let result = found.as_ref().map(|all| all[own].clone());
        frame.gradients.borrow_mut().push((address, found));
        Ok(result)
    }

    /// Returns the integrals of the slopes of the integrand. Returns `None` if a branch is undecided or a domain boundary
    /// is met.
    fn integrate_slopes(
        &self,
        [inputs, integrand]: [&Block; 2],
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        site: SourceId,
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        let mut branches = BranchDecisions::default();
        let captures = self.eval_block(inputs, algebra, at, captures, &mut branches, EvalTarget::Outputs)?;
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        let events = SolverEvents::default();
        let function = SolverFunction::new(self, integrand, &captures, site, &events);
        let found = integral::integrate_smooth_outputs(&function, algebra)?;
        // At a domain boundary the slopes need a neighbourhood, which this search does not look at. The first output is the
        // integrand.
        Ok(found.filter(|_| !self.edges.is_met()).map(|mut all| all.split_off(1)))
    }

    /// Returns the derivatives along the axes at `places`, up to [`MAX_DIRECTIONS`] in one run. Returns `None` if one of them
    /// is unknown.
    fn partials_along_axes(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        places: &[usize],
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        // A single direction gains nothing.
        if places.len() < 2 {
            return Ok(None);
        }
        let (jets, one) = (self.jets(algebra), self.context.enclose_integer(1));
        let mut found = Vec::with_capacity(places.len());
        for places in places.chunks(MAX_DIRECTIONS) {
            let directions = AlgebraGenerator::Directions(places.len() as u32);
            let Some(extended) = algebra.adjoin(directions) else { return Ok(None) };
            let mut moved = at.to_vec();
            for (direction, place) in (1..).zip(places) {
                // x + ε₁e₁ + … + εₖeₖ, where all products of two ε vanish: the slices of the ε are the partial derivatives.
                for &(_, here) in extended.power_slice(direction).iter().take(1) {
                    moved[*place].set(here as usize, Some(one.clone()));
                }
            }
            let mut branches = BranchDecisions::default();
            let y =
                self.eval_expansion(body, &extended, [&moved, captures], algebra.generator_count(), &mut branches)?;
            if !branches.undecided.is_empty() {
                return Ok(None);
            }
            for direction in 1..=places.len() {
                let slope = extended.power_slice(direction).iter().map(|&(_, here)| y.get(here as usize).cloned());
                found.push(jets.as_value(Jet::new(slope), y.get(0), at.iter().chain(captures)));
            }
        }
        // An undefined or unbounded one may be found more narrowly by itself.
        let is_known = |c: &C::Num| self.context.is_defined(c) && self.context.is_bounded(c);
        Ok(Some(found).filter(|all| all.iter().flat_map(Jet::coefficients).flatten().all(is_known)))
    }
}

/// Undecided kinks with one linear form. The flag is `true` for a kink that is on its left where the form is positive.
pub(in crate::smooth) type KinkGroup = Vec<(usize, bool)>;

/// Returns how often the result of an instruction is read, outputs included.
fn count_reads(block: &Block, index: usize) -> usize {
    let own = BlockRegister((block.parameters + block.captures + index) as u32);
    let mut count = block.outputs.iter().filter(|r| **r == own).count();
    for instruction in &block.instructions[index..] {
        instruction.for_each_read(|r, _| count += usize::from(r == own));
    }
    count
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Narrows the first derivatives of a run with undecided kinks, where several kinks share a linear form.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub(in crate::smooth) fn sharpen_shared_kinks(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &BranchDecisions,
        mut outputs: Vec<Jet<C::Num>>,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let groups = self.kink_groups(block, &branches.undecided);
        // A single kink that is read once already has the hull of its two slopes.
        let is_shared =
            |group: &KinkGroup| group.iter().map(|(index, _)| count_reads(block, *index)).sum::<usize>() > 1;
        for group in groups.into_iter().filter(is_shared) {
            // The diagnosis has seen the run that is not forced.
            let machine = Self { witness: None, ..self.without_records() };
            let forced = |positive: bool| {
                let side = |left: bool| if left == positive { KinkBranch::Left } else { KinkBranch::Right };
                let forced = group.iter().map(|(index, left)| (BranchPoint::of_instruction(*index), side(*left)));
                let branches =
                    &mut BranchDecisions::with_forced(branches.forced.iter().copied().chain(forced).collect());
                machine.eval_block(block, algebra, parameters, captures, branches, EvalTarget::Outputs)
            };
            let [above, below] = [forced(true)?, forced(false)?];
            for (output, (above, below)) in outputs.iter_mut().zip(above.iter().zip(&below)) {
                self.narrow_slopes_to_hull(algebra, output, [above, below]);
            }
        }
        Ok(outputs)
    }

    /// Returns the kinks among some branch points, grouped by the linear forms on whose signs they depend. Each instruction has
    /// with it whether it is on its left where the form is positive.
    pub(in crate::smooth) fn kink_groups(&self, block: &Block, switches: &[BranchPoint]) -> Vec<KinkGroup> {
        let mut groups: BTreeMap<LinearForm<BlockRegister>, KinkGroup> = BTreeMap::new();
        // A guard that is undecided leaves no derivative to narrow.
        for switch in switches.iter().filter(|switch| !block.is_border(**switch)) {
            if let Some((form, side)) = self.normalised_kink_form(block, switch.instruction()) {
                groups.entry(form).or_default().push((switch.instruction(), side));
            }
        }
        groups.into_values().collect()
    }

    /// Intersects the coefficients of degree 1 with the hull of those of the two sides. Undefined coefficients stay as they
    /// are.
    fn narrow_slopes_to_hull(&self, algebra: &Algebra, output: &mut Jet<C::Num>, [above, below]: [&Jet<C::Num>; 2]) {
        let zero = self.context.enclose_integer(0);
        for monomial in (1..output.len()).filter(|monomial| algebra.degree(*monomial) == 1) {
            let Some(known) = output.get(monomial) else { continue };
            let [a, b] = [above, below].map(|side| side.get(monomial).unwrap_or(&zero));
            if ![known, a, b].into_iter().all(|number| self.context.is_defined(number)) {
                continue;
            }
            // Disjoint enclosures here are left alone: the wider one is right by itself.
            let found = self.context.intersect(known, &self.context.hull(a, b));
            output.set(monomial, found.or_else(|| Some(known.clone())));
        }
    }

    /// Returns `true` if the number of a kink does not depend on the parameters of the block: in its linear form all of
    /// them cancel.
    #[must_use]
    pub(in crate::smooth) fn is_constant_in_parameters(&self, block: &Block, instruction: usize) -> bool {
        let is_outside = |r: BlockRegister| match (r.0 as usize).checked_sub(block.parameters + block.captures) {
            Some(index) => matches!(block.instructions[index], BlockInstruction::Constant(_)),
            None => r.0 as usize >= block.parameters,
        };
        let form = self.kink_form(block, instruction);
        form.is_some_and(|form| form.terms().all(|(register, _)| register.is_none_or(|r| is_outside(*r))))
    }

    /// Returns the linear form of a kink, normalised so that proportional forms are equal, and whether the kink is on its
    /// left where the form is positive. Returns `None` for an instruction that is no kink.
    fn normalised_kink_form(&self, block: &Block, instruction: usize) -> Option<(LinearForm<BlockRegister>, bool)> {
        let (form, factor) = self.kink_form(block, instruction)?.into_normal_form().ok()?;
        Some((form, factor > 0))
    }

    /// Returns the number of a kink as a linear form in registers. Returns `None` for an instruction that is no kink.
    fn kink_form(&self, block: &Block, instruction: usize) -> Option<LinearForm<BlockRegister>> {
        let source = &BlockRegisters { block, constant: &|number| self.exact_constant(number) };
        Some(match &block.instructions[instruction] {
            BlockInstruction::Unary(Unary::Abs, x) => LinearForm::from_multiples(source, [(*x, 1)]),
            BlockInstruction::Binary(Binary::Maximum, x, y) => LinearForm::from_multiples(source, [(*x, 1), (*y, -1)]),
            BlockInstruction::Binary(Binary::Minimum, x, y) => LinearForm::from_multiples(source, [(*y, 1), (*x, -1)]),
            _ => return None,
        })
    }

    /// Returns a constant of the program as a rational. Returns `None` if it is not exact at this precision.
    fn exact_constant(&self, number: u32) -> Option<Rational> {
        let enclosure = self.context.to_enclosure(&self.constants[number as usize]);
        (enclosure.lo() == enclosure.hi()).then(|| enclosure.lo().to_rational()).flatten()
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Records the boundary if the elementary function `f` is computed at one.
    pub(in crate::smooth) fn record_function_boundary(&self, jets: &JetArithmetic<C>, f: Function, x: &Jet<C::Num>) {
        let met = match x.get(0) {
            Some(value) => self.context.meets_domain_end(f, value),
            None => self.context.meets_domain_end(f, &self.context.enclose_integer(0)),
        };
        if met {
            self.edges.record_boundary(jets, [x]);
        }
    }

    /// Runs a block over an algebra whose generators from `first` on are adjoined here. Their coefficients are marked
    /// undefined unless the function is certainly defined on a neighbourhood of the inputs, in the directions they
    /// move.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`].
    pub fn eval_derivatives(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut BranchDecisions,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut outputs = self.eval_block(block, algebra, parameters, captures, branches, EvalTarget::Outputs)?;
        // several kinks with one linear form: narrowed, unless this run is itself a second one
        if !self.is_widened {
            outputs = self.sharpen_shared_kinks(block, algebra, [parameters, captures], branches, outputs)?;
        }
        let met = self.edges.0.get().generators;
        let moved = |generators: &[usize]| generators.iter().any(|&g| met & generator_bit(g) != 0);
        let own = |monomial: usize| algebra.generators_of(monomial).filter(|&g| g >= first).collect::<Vec<_>>();
        let all: Vec<_> = (first..algebra.generator_count()).collect();
        if self.is_widened || !moved(&all) {
            return Ok(outputs);
        }
        let jets = self.jets(algebra);
        let near = |generators: &[usize]| self.is_defined_near(block, &jets, parameters, captures, generators);
        // one run with all generators moved proves it for every subset of them
        let everywhere = near(&all)?;
        if everywhere.iter().all(|defined| *defined) {
            return Ok(outputs);
        }
        // otherwise by monomial: a coefficient needs only the generators that divide it
        let mut known = FxHashMap::default();
        known.insert(all, everywhere);
        let mut claimed = Vec::with_capacity(algebra.len());
        for monomial in 0..algebra.len() {
            let generators = own(monomial);
            claimed.push(if !moved(&generators) {
                vec![true; outputs.len()]
            } else if let Some(known) = known.get(&generators) {
                known.clone()
            } else {
                let found = near(&generators)?;
                known.insert(generators, found.clone());
                found
            });
        }
        for (i, output) in outputs.iter_mut().enumerate() {
            let inputs = parameters.iter().chain(captures);
            *output = jets.mark_undefined_where(output.clone(), inputs, |monomial| !claimed[monomial][i]);
        }
        Ok(outputs)
    }

    /// Returns for each output whether it is certainly defined on a neighbourhood of the inputs, moved by `generators_of`
    /// only.
    fn is_defined_near(
        &self,
        block: &Block,
        jets: &JetArithmetic<C>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        generators: &[usize],
    ) -> Result<Vec<bool>, SmoothError> {
        let moves = |x: &Jet<C::Num>, m: usize| {
            x.get(m).is_some() && jets.algebra.generators_of(m).all(|g| generators.contains(&g))
        };
        let near = |x: &Jet<C::Num>| {
            let base = Jet::constant(jets.value_of(x));
            if (1..x.len()).any(|m| moves(x, m)) { self.widen_to_neighbourhood(&base) } else { base }
        };
        let [parameters, captures] = [parameters, captures].map(|inputs| inputs.iter().map(near).collect::<Vec<_>>());
        let machine = self.on_widened_inputs();
        let (branches, target) = (&mut BranchDecisions::default(), EvalTarget::Outputs);
        let values = machine.eval_block(block, &self.real, &parameters, &captures, branches, target)?;
        Ok(values.iter().map(|y| self.context.is_defined(&jets.value_of(y))).collect())
    }

    /// Reduces inputs to numbers: a varying input becomes an enclosure of a neighbourhood, a constant one its value.
    pub(in crate::smooth) fn widen_inputs(&self, inputs: &[Jet<C::Num>]) -> Vec<Jet<C::Num>> {
        let near = |x: &Jet<C::Num>| {
            let value = Jet::constant(x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0)));
            if x.is_constant() { value } else { self.widen_to_neighbourhood(&value) }
        };
        inputs.iter().map(near).collect()
    }

    /// Widens the value of a jet to a neighbourhood. Any positive radius will do; the smallest is the easiest to prove
    /// a function defined on.
    pub(super) fn widen_to_neighbourhood(&self, x: &Jet<C::Num>) -> Jet<C::Num> {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        let mut near = x.clone();
        near.set(0, Some(self.context.inflate_slightly(&value)));
        near
    }
}

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Attaches a witness, which records the diagnosis of each run.
    #[must_use]
    pub fn with_diagnosis(mut self, witness: &'m Diagnosis) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Updates the diagnosis after one step. `before` is the diagnosis before the step, in this run of the block.
    pub(super) fn diagnose_step<'j>(
        &self,
        witness: &Diagnosis,
        before: Option<UndefinedOperation>,
        jets: &JetArithmetic<C>,
        (instruction, site): (&BlockInstruction, SourceId),
        get: impl Fn(BlockRegister) -> &'j Jet<C::Num>,
        result: &Jet<C::Num>,
    ) where
        C::Num: 'j,
    {
        let has_all = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(|c| self.context.is_defined(c));
        let mut found = witness.undefined.borrow_mut();
        // a branch counts only where it is taken: an undecided guard is reported before an undefined branch
        if let BlockInstruction::Select { guard, then, otherwise } = instruction
            && has_all(get(*guard))
            && self.context.contains_zero(&jets.value_of(get(*guard)))
            && !(has_all(result) || has_all(get(*then)) && has_all(get(*otherwise)))
        {
            *found = Some(UndefinedOperation {
                cause: UndefinedCause::Undecided,
                operation: Some("if".to_owned()),
                site,
                integral: None,
                divergence: None,
            });
            return;
        }
        // the first undefined operation of a block counts; a solver with a result has not failed
        if before.is_some() || has_all(result) {
            *found = before;
            return;
        }
        // recorded inside the solver of this step; the innermost integral around it is noted on the way out
        if let Some(found) = &mut *found {
            if matches!(instruction, BlockInstruction::Second { primitive: SecondOrder::Integral, .. }) {
                found.integral.get_or_insert(site);
            }
            return;
        }
        // an undefined operand is to blame; it was recorded when it was computed, or comes from outside the block
        let mut operands_have = true;
        instruction.for_each_read(|register, _| operands_have &= has_all(get(register)));
        if !operands_have {
            return;
        }
        let value = |register: &BlockRegister| jets.value_of(get(*register));
        // at a pole of its derivative the operation itself may have a value
        let beside_pole = |cause: UndefinedCause, has_pole: bool, x: &C::Num| {
            let is_zero = || self.context.is_point(x) && self.context.contains_zero(x);
            if has_pole && site.is_slope() && is_zero() { UndefinedCause::Boundary } else { cause }
        };
        let (cause, operation) = match instruction {
            BlockInstruction::Unary(Unary::Negate, _)
            | BlockInstruction::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..)
            | BlockInstruction::Constant(_) => {
                // arithmetic on defined operands fails only in an algebra that is too large
                return;
            }
            BlockInstruction::Unary(Unary::Function(f), x) => {
                (self.cause_of_failure(RealOperation::Function(*f), &[&value(x)]), f.to_string())
            }
            BlockInstruction::Unary(f, x) => {
                let operation = f.real_operation();
                (self.cause_of_failure(operation, &[&value(x)]), operation.to_string())
            }
            BlockInstruction::Binary(f, x, y) => {
                let (operation, y) = (f.real_operation(), value(y));
                let cause = self.cause_of_failure(operation, &[&value(x), &y]);
                (beside_pole(cause, *f == Binary::Divide, &y), operation.to_string())
            }
            BlockInstruction::Power(x, e) => {
                let (operation, x) = (e.real_operation(), value(x));
                (beside_pole(self.cause_of_failure(operation, &[&x]), true, &x), operation.to_string())
            }
            BlockInstruction::Primitive(p, _) => (UndefinedCause::Boundary, p.name.clone()),
            BlockInstruction::Derivative { .. } => (UndefinedCause::Boundary, "deriv".to_owned()),
            BlockInstruction::Second { primitive, .. } => {
                (UndefinedCause::Undecided, primitive.functional().name().to_owned())
            }
            BlockInstruction::Guard(_) | BlockInstruction::Select { .. } => {
                (UndefinedCause::Undecided, "if".to_owned())
            }
        };
        let (operation, integral, divergence) = (Some(operation), None, None);
        *found = Some(UndefinedOperation { cause, operation, site, integral, divergence });
    }

    /// Returns the cause for which an operation has no value, or no derivative, at arguments that have theirs.
    fn cause_of_failure(&self, operation: RealOperation, arguments: &[&C::Num]) -> UndefinedCause {
        let (context, conditions) = (self.context, operation.conditions());
        if context.region_excludes(conditions.value, arguments) {
            return UndefinedCause::Domain;
        }
        match conditions.border {
            // where there is a value, only the side of the border is open
            BorderKind::Kink | BorderKind::Jump if context.region_contains(conditions.value, arguments) => {
                UndefinedCause::Undecided
            }
            _ => UndefinedCause::Boundary,
        }
    }
}
