//! The solvers of the second-order primitives (S §5.2): integrals, roots and optima.
//!
//! Each solver takes a function of one bound variable, whose other inputs are jets over some algebra. It returns a jet over
//! that algebra: the value with all its derivatives. Roots are lifted from their value by the implicit function theorem.
//! Integrals are sums over panels, whose ends may themselves be jets (the positions of kinks).
//!
//! **Nesting.** An inner solver stops when its result is as narrow as its interval-valued outer variables permit.
//! Without this rule nested questions cost a hundred times more.
//!
//! # Evaluation of a function at many places
//!
//! Evaluation of a function at many places, on all cores.
//!
//! On threads each place has an evaluator of its own. Its notes (open, assumed, met, undecided) are merged in the order of
//! the places, so that results do not depend on the number of cores. A run with a diagnosis stays on one thread, and so does
//! one with a limit of work, which has to end at the same step. Intermediate enclosures are published by the solver's thread
//! alone.

pub mod analytic;
pub mod integral;
pub mod optimum;
pub mod panel;
pub mod root;
pub mod subdivide;

use crate::number::accuracy::{PassOptions, UnfinishedWork};
use crate::number::arithmetic::Sign;
use crate::number::magnitude::Magnitude;
use crate::parallel::{available_threads, par_map};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::asymptotic::{EndBound, OneSidedLimit};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SourceId;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::switch::{AlphaBetaWindow, BranchPoint, SolverEvents};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::nearby::DomainBoundary;
use crate::smooth::program::Block;
use std::cmp::Ordering;
use std::sync::Arc;

/// The precision of doubles in bits, up to which numbers are those of the first tier.
const DOUBLE_BITS: u32 = 53;
/// The least order of Taylor expansions in doubles: polynomials of at most this degree have no remainder. A choice.
const LEAST_ORDER_IN_DOUBLES: u32 = 8;

/// Returns `true` if a bracket of a root is as good as a point: its width is at most 2^(−16·precision).
///
/// Without this limit a root at 0 would be narrowed down to the least exponent.
pub(crate) fn is_converged<C: HookedContext>(context: &C, bracket: &C::Num) -> bool {
    context.width(bracket) <= Magnitude::power_of_two(-16 * i64::from(context.precision()))
}

/// The function that a second-order primitive is applied to, with its other inputs.
#[derive(Debug)]
pub struct SolverFunction<'f, 'm, C: HookedContext> {
    /// The evaluator of the block.
    pub machine: &'f JetEvaluator<'m, C>,
    /// The function: a block of one parameter.
    pub block: &'f Block,
    /// The other inputs of the block.
    pub captures: &'f [Jet<C::Num>],
    /// The source position of the primitive.
    pub site: SourceId,
    /// The known signs at the ends of the bound variable's interval, and a record of those that are needed.
    pub events: &'f SolverEvents,
    /// The alpha-beta window of the primitive's result.
    pub window: AlphaBetaWindow<C::Num>,
}

/// The value and the slope of a function over a range of the bound variable.
#[derive(Clone, Debug)]
pub struct ValueWithSlope<N> {
    /// The range of the function.
    pub value: N,
    /// The range of its derivative in the bound variable.
    pub slope: N,
}

impl<'f, 'm, C: HookedContext> SolverFunction<'f, 'm, C> {
    /// Returns the function of a block, with an unbounded window.
    #[must_use]
    pub fn new(
        machine: &'f JetEvaluator<'m, C>,
        block: &'f Block,
        captures: &'f [Jet<C::Num>],
        site: SourceId,
        events: &'f SolverEvents,
    ) -> Self {
        Self { machine, block, captures, site, events, window: AlphaBetaWindow::open() }
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns the arithmetic of numbers.
    #[must_use]
    pub fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns the arithmetic of jets over an algebra.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> JetArithmetic<'a, C> {
        self.machine.jets(algebra)
    }

    /// Evaluates the first output of the block at a jet.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn eval_jet(
        &self,
        algebra: &Arc<Algebra>,
        x: Jet<C::Num>,
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<Jet<C::Num>, SmoothError> {
        Ok(self.eval_outputs(algebra, x, branches, target)?.swap_remove(0))
    }

    /// Evaluates all outputs of the block at a jet.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn eval_outputs(
        &self,
        algebra: &Arc<Algebra>,
        x: Jet<C::Num>,
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        self.machine.eval_block(self.block, algebra, &[x], self.captures, branches, target)
    }

    /// Returns the other inputs without their nilpotent parts.
    #[must_use]
    pub fn base_captures(&self) -> Vec<Jet<C::Num>> {
        self.captures.iter().map(|c| c.truncate_to(1)).collect()
    }

    /// Returns `true` if the other inputs are points, or narrower than a sixteenth of the tolerance. Otherwise their widths
    /// set a floor to what a search can gain.
    #[must_use]
    pub fn has_fine_captures(&self) -> bool {
        let fine = self.machine.effort.tolerance().mul_exp2(-4);
        self.captures.iter().flat_map(Jet::coefficients).flatten().all(|c| self.context().width(c) <= fine)
    }

    /// Returns `true` if the [base captures](Self::base_captures) are [fine](Self::has_fine_captures).
    pub(super) fn has_fine_base(&self) -> bool {
        self.with_captures(&self.base_captures()).has_fine_captures()
    }

    /// Returns the same function of other inputs. Its window is unbounded.
    #[must_use]
    pub fn with_captures<'g>(&'g self, captures: &'g [Jet<C::Num>]) -> SolverFunction<'g, 'g, C> {
        SolverFunction::new(self.machine, self.block, captures, self.site, self.events)
    }

    /// Encloses value and slope over a range of the bound variable, of the function or of one of its branch points. The
    /// captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn value_and_slope(
        &self,
        x: &C::Num,
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<ValueWithSlope<C::Num>, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(1)) else {
            return Ok(ValueWithSlope { value: self.context().bottom(), slope: self.context().bottom() });
        };
        // f(x + ε) = f(x) + f′(x)·ε, where ε² = 0.
        let x = Jet::new([Some(x.clone()), Some(self.context().enclose_integer(1))]);
        let y = self.eval_jet(&algebra, x, branches, target)?;
        // A structural zero is the number 0 from here on.
        let value = y.get(0).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        let slope = y.get(1).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        // A slope without a value is not that of a function.
        let defined = self.context().is_defined(&value);
        Ok(ValueWithSlope { slope: if defined { slope } else { self.context().mark_undefined(slope) }, value })
    }

    /// Encloses the value over a range of the bound variable. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn value_over(
        &self,
        x: &C::Num,
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<C::Num, SmoothError> {
        let y = self.eval_jet(&self.machine.real.clone(), Jet::constant(x.clone()), branches, target)?;
        Ok(y.get(0).cloned().unwrap_or_else(|| self.context().enclose_integer(0)))
    }

    /// Returns a jet with this value, and ⊥ for every derivative that is not structurally zero.
    #[must_use]
    pub fn not_differentiable(&self, algebra: &Algebra, value: C::Num) -> Jet<C::Num> {
        let jets = self.jets(algebra);
        // Only directions in which some capture moves can have a derivative.
        let support = self.captures.iter().fold(Jet::zero(), |sum, c| jets.add(&sum, &jets.nilpotent_part(c)));
        jets.bottom_beyond(value, &[&support])
    }
}

/// The work units, of all places together, from which on several threads pay: about a millisecond.
const MIN_PARALLEL_WORK: u64 = 30_000;

/// The result at a place, with the notes of its evaluator.
struct PlaceOutcome<R> {
    result: Result<R, SmoothError>,
    left: UnfinishedWork,
    assumed: Vec<u32>,
    edges: DomainBoundary,
    events: SolverEvents,
    work: u64,
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Calls `make` for each place, and returns the results in their order, up to the first error.
    ///
    /// `work` is the expected work of a place. If it is `None`, the first place is evaluated here, and shows it.
    ///
    /// # Errors
    /// The first error of `make`, in the order of the places.
    pub fn map_places<T: Send, R: Send>(
        &self,
        places: Vec<T>,
        work: Option<u64>,
        make: impl Fn(&SolverFunction<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Result<Vec<R>, SmoothError> {
        let budget = self.machine.effort.budget;
        let mut made = Vec::with_capacity(places.len());
        let mut places = places.into_iter();
        let before = budget.work_done();
        if work.is_none() {
            made.extend(places.next().map(|first| make(self, first)).transpose()?);
        }
        let work = work.unwrap_or_else(|| budget.work_done().saturating_sub(before));
        let is_long = places.len() > 1 && work.saturating_mul(places.len() as u64) > MIN_PARALLEL_WORK;
        let may_share = self.machine.witness.is_none() && !budget.has_work_limit();
        let threads = if is_long && may_share { available_threads() } else { 1 };
        if threads == 1 {
            for place in places {
                made.push(make(self, place)?);
            }
            return Ok(made);
        }
        // Merged in order: the first error ends the merge where one thread would have stopped.
        for shared in self.map_on_threads(threads, places.collect(), make) {
            self.machine.effort.absorb_part(shared.left, &shared.assumed);
            self.machine.edges.merge_boundaries(&shared.edges);
            self.events.merge_undecided(shared.events);
            self.machine.count_work(shared.work);
            made.push(shared.result?);
        }
        Ok(made)
    }

    /// Calls `make` for each place on several threads, each place with an evaluator of its own.
    fn map_on_threads<T: Send, R: Send>(
        &self,
        threads: usize,
        places: Vec<T>,
        make: impl Fn(&SolverFunction<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Vec<PlaceOutcome<R>> {
        let (outer, block, captures, site) = (self.machine, self.block, self.captures, self.site);
        let JetEvaluator { context, real, is_widened: beside, .. } = outer;
        let constants = outer.constants();
        let (tolerance, budget, shortcuts) =
            (outer.effort.tolerance(), outer.effort.budget, outer.effort.solver_options);
        let (is_splitting, raised) = (outer.effort.is_splitting(), outer.effort.times_raised());
        let places: Vec<_> = places.into_iter().map(|place| (place, self.events.with_given_signs())).collect();
        par_map(threads, places, |part| {
            let one = |(place, events)| {
                let effort = PassOptions::new(tolerance, budget).with_solver_options(shortcuts);
                let effort = effort.with_splitting(is_splitting).with_raised_limits(raised);
                let mut machine = JetEvaluator::with_constants(*context, &effort, real, constants.to_vec());
                machine.is_widened = *beside;
                let f = SolverFunction::new(&machine, block, captures, site, &events);
                let result = make(&f, place);
                let (left, assumed) = (effort.unfinished(), effort.assumed_promises());
                let work = machine.work_done();
                PlaceOutcome { result, left, assumed, edges: machine.edges, events, work }
            };
            part.into_iter().map(one).collect()
        })
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if a branch point is exactly 0 at a place, also when the inputs and the place with them move.
    ///
    /// For a place that moves this is seen only up to the order of the algebra. For other inputs the branch point may have
    /// its zero beside the place, and between the two its branch is the other one. The two are as near to each other as
    /// that order says. It makes no difference to these derivatives where the function is defined and bounded there on both
    /// branches.
    ///
    /// # Errors
    /// Those of the function.
    pub fn vanishes_at(
        &self,
        algebra: &Arc<Algebra>,
        place: &Jet<C::Num>,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut branches = BranchDecisions::with_forced(forced.to_vec());
        let number = self.eval_jet(algebra, place.clone(), &mut branches, EvalTarget::BranchPoint(switch))?;
        let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
        if !number.coefficients().flatten().all(is_zero) {
            return Ok(false);
        }
        let captures = self.machine.widen_inputs(self.captures);
        let near = self.with_captures(&captures);
        let value = |x: &Jet<C::Num>| x.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0));
        // A moving place: the zero may be beside it, so both branches have to be harmless there.
        if !place.is_constant() {
            let beside = context.inflate_slightly(&value(place));
            return near.has_both_sides(&beside, forced, switch);
        }
        // c² is 0 at c = 0 together with its slope, but not beside it: the inputs are widened.
        let mut branches = BranchDecisions::with_forced(forced.to_vec());
        Ok(is_zero(&near.value_over(&value(place), &mut branches, EvalTarget::BranchPoint(switch))?))
    }

    /// Returns `true` if a branch point certainly does not depend on the bound variable over a range, for any inputs: by
    /// its structure.
    ///
    /// A slope that is 0 for the inputs given would say nothing about others. The captures must be [base
    /// captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_constant_in_variable(
        &self,
        range: &C::Num,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        if switch.is_own() && self.machine.is_constant_in_parameters(self.block, switch.instruction()) {
            return Ok(true);
        }
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(false) };
        let x = Jet::new([Some(range.clone()), Some(self.context().enclose_integer(1))]);
        let number = self.eval_jet(
            &algebra,
            x,
            &mut BranchDecisions::with_forced(forced.to_vec()),
            EvalTarget::BranchPoint(switch),
        )?;
        Ok(number.get(0).is_some_and(|value| self.context().is_defined(value)) && number.get(1).is_none())
    }

    /// Returns `true` if the function is defined and bounded at a place on either side of a branch point.
    fn has_both_sides(
        &self,
        place: &C::Num,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        let context = self.context();
        for side in [KinkBranch::Left, KinkBranch::Right] {
            let mut branches = BranchDecisions::with_forced(forced.iter().copied().chain([(switch, side)]).collect());
            let value = self.value_over(place, &mut branches, EvalTarget::Outputs)?;
            if !context.is_defined(&value) || !context.is_bounded(&value) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the power bound of the function on a piece of [0, 1] beside an end, if it has a limit there.
    ///
    /// Returns `None` if the piece has not exactly one end of [0, 1], the function is not shown to be defined on the rest of
    /// the piece, or it has no limit. The captures must be [base captures](Self::base_captures).
    fn power_bound_beside_end(
        &self,
        [left, right]: [&C::Num; 2],
        branches: &mut BranchDecisions,
    ) -> Result<Option<EndBound<C::Num>>, SmoothError> {
        let context = self.context();
        let is_end =
            |place: &C::Num, end: i64| context.contains_zero(&context.sub(place, &context.enclose_integer(end)));
        let (end, other) = match (is_end(left, 0), is_end(right, 1)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return Ok(None),
        };
        let length = Jet::constant(context.sub(other, end));
        let approach = OneSidedLimit { end: &Jet::constant(end.clone()), length: &length, root: None };
        let real = &self.machine.real;
        let growth = self.machine.power_bound_at_end(self.block, real, &approach, self.captures, branches)?;
        let growth = growth.filter(|growth| growth.has_limit);
        if growth.is_some() {
            // For other captures the function has to be looked at again.
            self.machine.edges.record_unknown_boundary();
        }
        Ok(growth)
    }

    /// Returns the sign of the function on a piece of [0, 1] with these ends, where the function need not be defined at an
    /// end of [0, 1]. There its limit counts, which may be infinite. A limit 0 is no sign.
    ///
    /// The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn sign_beside_end(&self, piece: [&C::Num; 2]) -> Result<Sign, SmoothError> {
        let growth = self.power_bound_beside_end(piece, &mut BranchDecisions::default())?;
        // m·N is of one sign for 0 < s ≤ 1 if N is; if m goes to 0, so does the value.
        let stays = |growth: &EndBound<C::Num>| growth.monomial.compare_powers() != Ordering::Less;
        let sign = growth.filter(stays).and_then(|growth| growth.factor.get(0).cloned());
        Ok(sign.map_or(Sign::Undecided, |factor| self.context().sign(&factor)))
    }

    /// Encloses the values on a piece of [0, 1] with these ends, where the function need not be defined at an end of [0, 1].
    ///
    /// Such an end counts by its limit, or not at all if the function falls to −∞ there. Returns `None` if the function is
    /// not shown to be defined on the rest of the piece, or has no limit. The captures must be [base
    /// captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn range_beside_ends(
        &self,
        [left, right]: [&C::Num; 2],
        branches: &mut BranchDecisions,
    ) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context();
        let Some(growth) = self.power_bound_beside_end([left, right], branches)? else { return Ok(None) };
        // The range contains the values wherever the function is defined, and it is defined on the rest of the piece.
        let all = context.mark_defined(self.value_over(&context.hull(left, right), branches, EvalTarget::Outputs)?);
        let range = growth.narrow_range(context, &all);
        let range = range.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum beside an end" })?;
        // An upper end ∞ would be no maximum.
        Ok(context.upper(&range).is_some().then_some(range))
    }

    /// Returns the branch points that [vanish](Self::vanishes_at) at 0, and those that do at 1. Only kinks count.
    ///
    /// # Errors
    /// Those of the function.
    pub fn switches_at_ends(&self, algebra: &Arc<Algebra>) -> Result<[Vec<BranchPoint>; 2], SmoothError> {
        let captures = self.base_captures();
        let base = self.with_captures(&captures);
        let mut ends = [Vec::new(), Vec::new()];
        for (end, found) in (0..).zip(&mut ends) {
            let place = self.context().enclose_integer(end);
            let mut branches = BranchDecisions::default();
            base.value_over(&place, &mut branches, EvalTarget::Outputs)?;
            for switch in branches.undecided {
                let is_kink = !self.block.is_border(switch);
                if is_kink && self.vanishes_at(algebra, &Jet::constant(place.clone()), &[], switch)? {
                    found.push(switch);
                }
            }
        }
        Ok(ends)
    }

    /// Returns the branches of branch points that vanish at an end of [0, 1], on a piece that contains this end and where
    /// they are strictly monotone. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn sides_beside_ends(
        &self,
        ends: &[Vec<BranchPoint>; 2],
        piece: &C::Num,
    ) -> Result<Vec<(BranchPoint, KinkBranch)>, SmoothError> {
        let context = self.context();
        let mut sides = Vec::new();
        // From a zero at 0 an increasing number is positive; before a zero at 1 it is negative.
        let inside = [KinkBranch::Left, KinkBranch::Right];
        for ((end, switches), rising) in (0..).zip(ends).zip(inside) {
            if switches.is_empty() || !context.contains_zero(&context.sub(piece, &context.enclose_integer(end))) {
                continue;
            }
            for &switch in switches {
                let slope = self
                    .value_and_slope(piece, &mut BranchDecisions::default(), EvalTarget::BranchPoint(switch))?
                    .slope;
                let side = match context.sign(&slope) {
                    _ if !context.is_bounded(&slope) || sides.iter().any(|(s, _)| *s == switch) => continue,
                    Sign::Positive => rising,
                    Sign::Negative if rising == KinkBranch::Left => KinkBranch::Right,
                    Sign::Negative => KinkBranch::Left,
                    Sign::Undecided => continue,
                };
                sides.push((switch, side));
            }
        }
        Ok(sides)
    }
}
