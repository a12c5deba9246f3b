//! Behaviour beside an end: what a function does near an end of an interval at which it need not be defined.
//!
//! Along `x = e + l·s`, for `0 < s ≤ 1`, every register of a block has one [`series`]: few terms `m·N` with comparison
//! functions m of a [`scale`] and jets N in the other inputs. So `sin x / x`, `√x`, `1/√x`, `log x` and `exp (-1/x)`, none of
//! which has a bounded expansion at 0, are products of a known function and a bounded factor. So are their integrals: the
//! monomials are positive, and `∫₀¹ m·N ds ∈ N·∫₀¹ m ds`.
//!
//! | a value | is |
//! |---|---|
//! | the parameter | `e + l·s` |
//! | defined at e too | its range |
//! | with a zero at e, exact to order r | `sʳ` times the range of its r-th Taylor coefficient in s (Taylor, integral form) |
//! | a sum, a product, a quotient, a power, a root | by the rules of [`series`] |
//! | any other function | by the rules of [`edges`] |
//! | an integral, or the inverse or logarithm of a value bounded below | as in the part on corners |
//!
//! The branch of a kink or guard is that of its number's sign. If N of that number, as one term, excludes 0 for all inputs
//! nearby, the number has one sign for all 0 < s ≤ 1, even where it is unbounded. The sign of the limit would not do: it says
//! nothing of larger s.
//!
//! All this holds for the inputs given and for all near them. A zero at e counts only if the value is 0 with the inputs
//! widened too: otherwise a derivative in an input would be that of another power. `c²` is 0 at c = 0 together with its
//! slope, and `∫ c²/x` has a value for that c alone.
//!
//! The bounds claim nothing at e itself. On `0 < s ≤ 1` the operations are defined as those on numbers are: a bound by N holds
//! for all these s, so a divisor whose N excludes 0 is never 0.

mod corner;
pub mod edges;
pub mod phase;
pub mod puiseux;
pub mod scale;
pub mod series;

use crate::number::arithmetic::{Function, Sign};
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, budget};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::complex::has_kinks;
use crate::smooth::machine::switch::{self, BranchPoint};
use crate::smooth::machine::{BranchDecisions, JetEvaluator, KnownAtEnd, RegisterFile, decide_branch};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use corner::LowerPowerBound;
use edges::{AsymptoticOperand, RegisterForm};
use scale::ScaleMonomial;
use series::{AsymptoticSeries, AsymptoticTerm, EndIntegral, SeriesArithmetic};
use std::cmp::Ordering;
use std::sync::Arc;

/// A function beside an end, as one term `m·N` without exponentials.
#[derive(Clone, Debug)]
pub struct EndBound<N> {
    /// The monomial m.
    pub monomial: ScaleMonomial,
    /// The factor N: a bounded jet in the other inputs.
    pub factor: Jet<N>,
    /// The value of L at s = 1, which says what L is.
    pub log_at_one: N,
    /// `true` if the value has a limit at the end, ∞ and −∞ included. A bounded function of an unbounded value, such as sin
    /// (1/x), need not have one, unless it is times a value that goes to 0.
    pub has_limit: bool,
}

impl<N: Clone> EndBound<N> {
    /// Narrows an enclosure of the values on the piece. Returns `None` if the two have no number in common.
    #[must_use]
    pub fn narrow_range<C: HookedContext<Num = N>>(&self, context: &C, all: &N) -> Option<N> {
        let factor = self.factor.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0));
        let monomial = &self.monomial;
        match scale::bound_powers(context, &self.log_at_one, monomial) {
            Some(_) if monomial.is_one() => context.intersect(all, &factor),
            Some(most) => {
                context.intersect(all, &context.mul(&context.hull(&context.enclose_integer(0), &most), &factor))
            }
            // A monomial that goes to ∞ is at least its value at s = 1 where both exponents let it grow.
            None if context.is_nonnegative(&context.neg(&factor)) && monomial.log_power >= 0 => {
                let least = scale::raise_to(context, &self.log_at_one, &monomial.log_power);
                Some(context.min(all, &context.mul(&least, &factor)))
            }
            None => Some(all.clone()),
        }
    }
}

/// A one-sided limit: the end of an interval, and the piece of the interval beside it.
#[derive(Debug)]
pub struct OneSidedLimit<'a, N> {
    /// The end e.
    pub end: &'a Jet<N>,
    /// The signed length l of the piece: its other end is e + l.
    pub length: &'a Jet<N>,
    /// The branch point of which the end is a zero; `None` if it is no such zero.
    pub root: Option<BranchPoint>,
}

/// The highest order of a zero that is recognised. A choice: each order costs a Taylor coefficient of every step.
const ORDER: u32 = 2;

/// The number of registers in a linear form, at most. A choice.
const MOST_REGISTERS: usize = 6;

/// Bounds of a register beside the end.
#[derive(Clone, Debug)]
pub struct AsymptoticBounds<N> {
    /// An enclosure by a series.
    pub series: Option<AsymptoticSeries<N>>,
    /// An enclosure by one term, which may be narrower than that of the series.
    pub leading: Option<AsymptoticTerm<N>>,
    /// A lower bound by a power of s.
    pub above: Option<LowerPowerBound<N>>,
}

impl<N: Clone> AsymptoticBounds<N> {
    /// Returns bounds that consist of one term, or of nothing.
    fn from_term(leading: Option<AsymptoticTerm<N>>) -> Self {
        let series = leading.clone().map(|term| AsymptoticSeries { terms: vec![term] });
        Self { series, leading, above: None }
    }
}

/// One evaluation beside an end: over the piece, and at the end alone.
struct AsymptoticRun<'r, 'm, C: HookedContext> {
    machine: &'r JetEvaluator<'m, C>,
    arithmetic: SeriesArithmetic<'r, 'm, C>,
    inputs: &'r Arc<Algebra>,
    extended: &'r Arc<Algebra>,
    /// The absolute length of the piece, rounded up.
    length: Magnitude,
    /// `true` if undecided branches may be taken by the sign of N. This needs inputs that enclose a neighbourhood, or no
    /// derivatives.
    decides: bool,
}

/// The registers of a block: over the piece, at the end, and at the end for all inputs nearby, if the inputs vary.
struct PieceRegisters<'f, N> {
    over: RegisterFile<'f, N>,
    at: RegisterFile<'f, N>,
    near: Option<RegisterFile<'f, N>>,
}

/// The bounds of the output of a block, with the arithmetic that they belong to.
struct EndOutput<'r, 'm, C: HookedContext> {
    arithmetic: SeriesArithmetic<'r, 'm, C>,
    bounds: AsymptoticBounds<C::Num>,
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Bounds the output of a block of one parameter near an end by one term. Returns `None` if no bound is found.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn power_bound_at_end(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
    ) -> Result<Option<EndBound<C::Num>>, SmoothError> {
        self.output_at_end(block, algebra, approach, captures, branches, |EndOutput { arithmetic, bounds }| {
            let AsymptoticTerm { monomial, factor } = arithmetic.as_pure_term(&bounds.leading?)?;
            // Such a power is one for the inputs given alone.
            if !monomial.moving.is_empty() && monomial.power == 0 {
                return None;
            }
            // A value that goes to 0 does so whatever its factor does.
            let has_limit = monomial.compare_powers() == Ordering::Less || !arithmetic.may_oscillate.get();
            Some(EndBound { monomial, factor, log_at_one: arithmetic.log_at_one.clone(), has_limit })
        })
    }

    /// Encloses the mean `∫₀¹ f (e + l·s) ds` of the output of a block over the piece, with its derivatives in the inputs.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn integral_at_end(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
    ) -> Result<EndIntegral<C::Num>, SmoothError> {
        let found =
            self.output_at_end(block, algebra, approach, captures, branches, |EndOutput { arithmetic, bounds }| {
                let own = bounds.series.map(|series| arithmetic.integrate_series(&series));
                // The leading term may be narrower than the series, or all that there is.
                let leading = bounds.leading.map(|term| AsymptoticSeries { terms: vec![term] });
                let other = leading.map(|term| arithmetic.integrate_series(&term));
                Some(intersect_integrals(&arithmetic, [own?, other.unwrap_or(EndIntegral::Unknown)]))
            })?;
        found.unwrap_or(Ok(EndIntegral::Unknown))
    }

    /// Runs a block near an end, and hands its output on. Branches that bounds decide for all inputs nearby are taken.
    fn output_at_end<T>(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
        read: impl FnOnce(EndOutput<'_, '_, C>) -> Option<T>,
    ) -> Result<Option<T>, SmoothError> {
        let mut own = branches.clone();
        // Derivatives jump with a branch, so branches that the ranges do not decide are first decided for all inputs nearby.
        if algebra.len() > 1 && has_kinks(block) {
            own.forced.extend(self.branches_by_power_bounds(block, approach, captures, branches)?);
        }
        let found = self.run_at_end(block, (algebra, algebra.len() == 1), approach, captures, &mut own, read)?;
        branches.undecided = own.undecided;
        Ok(found)
    }

    /// Returns the branches of a block that are undecided by the ranges of their numbers, but decided by their bounds.
    ///
    /// They hold on the whole piece except for the end itself, for all inputs nearby.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn branches_by_power_bounds(
        &self,
        block: &Block,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &BranchDecisions,
    ) -> Result<Vec<(BranchPoint, KinkBranch)>, SmoothError> {
        let [end, length] = [approach.end, approach.length].map(|jet| self.widen_inputs(std::slice::from_ref(jet)));
        let near = OneSidedLimit { end: &end[0], length: &length[0], root: approach.root };
        let mut found = BranchDecisions::with_forced(branches.forced.clone());
        self.run_at_end(block, (&self.real, true), &near, &self.widen_inputs(captures), &mut found, |_| Some(()))?;
        Ok(found.forced.split_off(branches.forced.len()))
    }

    /// Runs a block near an end. If `decides` is set, it may [decide](AsymptoticRun::decides) branches, which it adds to the
    /// forced ones.
    fn run_at_end<T>(
        &self,
        block: &Block,
        (algebra, decides): (&Arc<Algebra>, bool),
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
        read: impl FnOnce(EndOutput<'_, '_, C>) -> Option<T>,
    ) -> Result<Option<T>, SmoothError> {
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(ORDER)) else { return Ok(None) };
        let limbs = budget::limb_count(self.context.precision());
        let moves = algebra.len() > 1;
        // The runs over the piece, at the end, and for inputs that vary at the end for all inputs nearby. Hooks would have to
        // see every step, so with hooks there is none.
        let runs = if moves { 3 } else { 2 };
        if C::ACTIVE
            || !self.effort.budget.spend(runs * block.instructions.len() as u64 * extended.product_count() * limbs)
        {
            return Ok(None);
        }
        let outer = self.jets(algebra);
        let across = outer.add(approach.end, approach.length);
        let whole = outer.hull(approach.end, &across);
        let along = |start: &Jet<C::Num>| {
            let mut x = start.clone();
            for &(m, here) in extended.power_slice(1) {
                x.set(here as usize, approach.length.get(m as usize).cloned());
            }
            [x]
        };
        let (over, at) = (along(&whole), along(approach.end));
        // A zero has a certain order only if it has it for all inputs nearby: c² is no zero at c = 0.
        let near_captures = if moves { self.widen_inputs(captures) } else { Vec::new() };
        let near_end = along(&self.widen_inputs(std::slice::from_ref(approach.end))[0]);
        let near = moves.then(|| RegisterFile::for_outputs([&near_end[..], &near_captures[..]], block));
        let [over, at] = [&over[..], &at[..]].map(|place| RegisterFile::for_outputs([place, captures], block));
        let frames = PieceRegisters { over, at, near };
        let size = self.context.abs(&outer.value_of(approach.length));
        let run = AsymptoticRun {
            machine: self,
            arithmetic: SeriesArithmetic::new(self, outer, &size),
            inputs: algebra,
            extended: &extended,
            length: self.context.magnitude(&size),
            decides,
        };
        let first = captures.len() + 1;
        let found: Vec<_> = (0..first).map(|i| run.bounds_of_input(&frames, BlockRegister(i as u32))).collect();
        let known_at_end = self.known_at_end(block, approach, first);
        let output = run.bound_block(block, frames, found, &known_at_end, branches)?;
        let AsymptoticRun { arithmetic, .. } = run;
        Ok(output.and_then(|bounds| read(EndOutput { arithmetic, bounds })))
    }
}

/// Returns what two enclosures of one integral say together.
///
/// # Errors
/// [`SmoothError::DisjointEnclosures`] if they contradict each other.
fn intersect_integrals<C: HookedContext>(
    arithmetic: &SeriesArithmetic<'_, '_, C>,
    integrals: [EndIntegral<C::Num>; 2],
) -> Result<EndIntegral<C::Num>, SmoothError> {
    let contradiction = SmoothError::DisjointEnclosures { construct: "the bounds of an integral beside an end" };
    let [a, b] = match integrals {
        [EndIntegral::Value(a), EndIntegral::Value(b)] => [a, b],
        [EndIntegral::Unknown, other] | [other, EndIntegral::Unknown] => return Ok(other),
        [EndIntegral::Diverges(term), EndIntegral::Diverges(_)] => return Ok(EndIntegral::Diverges(term)),
        _ => return Err(contradiction),
    };
    arithmetic.intersect_jets(&a, &b).map(EndIntegral::Value).ok_or(contradiction)
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the bounds of a parameter or a capture.
    fn bounds_of_input(
        &self,
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        r: BlockRegister,
    ) -> AsymptoticBounds<C::Num> {
        let near = near.as_ref().map_or(at.get(r), |near| near.get(r));
        let leading = self.bound_by_taylor(over.get(r), [at.get(r), near]);
        let above = self.lower_bound_by_expansion(leading.as_ref(), [over.get(r), at.get(r)]);
        let slope = self.coefficient_in_s(over.get(r), 1);
        // A capture is the same for all s; only the parameter has a slope.
        let is_moving = slope.coefficients().flatten().next().is_some();
        let mut bounds = AsymptoticBounds { above, ..AsymptoticBounds::from_term(leading) };
        // e + l·s; a zero at the end has been seen by now.
        if is_moving && bounds.leading.as_ref().is_none_or(|leading| leading.monomial.is_one()) {
            let terms = [(0, self.coefficient_in_s(at.get(r), 0)), (1, slope)];
            let terms = terms.map(|(p, factor)| AsymptoticTerm { monomial: ScaleMonomial::of_powers(p, 0), factor });
            bounds.series = self.arithmetic.collect_terms(terms.into()).or(bounds.series);
        }
        bounds
    }

    /// Bounds the output of a block, by the bounds of its parameters and captures.
    fn bound_block(
        &self,
        block: &Block,
        mut frames: PieceRegisters<C::Num>,
        mut found: Vec<AsymptoticBounds<C::Num>>,
        known_at_end: &KnownAtEnd<'_>,
        branches: &mut BranchDecisions,
    ) -> Result<Option<AsymptoticBounds<C::Num>>, SmoothError> {
        let (run, jets, extended) = (self, self.machine.jets(self.extended), self.extended);
        let first = found.len();
        // Every register is a linear form in those that are not linear in others.
        let inputs = (0..first).map(|i| BlockRegister(i as u32));
        let mut forms: Vec<_> = inputs.clone().map(RegisterForm::of_register).collect();
        for (register, bounds) in inputs.zip(&found) {
            let leading = bounds.leading.as_ref();
            bounds.series.iter().for_each(|series| run.arithmetic.add_register(register, series, leading));
        }
        branches.clear_records();
        for (index, instruction) in block.instructions.iter().enumerate() {
            let own = BlockRegister((first + index) as u32);
            let PieceRegisters { over, at, near } = &mut frames;
            // Skipped steps fill their registers, so that registers keep their numbers.
            if over.choices.is_skipped(index) {
                over.results.push(Jet::constant(self.context().bottom()));
                at.results.push(Jet::constant(self.context().bottom()));
                near.iter_mut().for_each(|near| near.results.push(Jet::constant(self.context().bottom())));
                found.push(AsymptoticBounds::from_term(None));
                forms.push(RegisterForm::of_register(own));
                continue;
            }
            // A branch decided here is forced for the steps behind it, and for the caller.
            if let Some(side) = run.branch_by_bound((index, instruction), &frames, &found, branches) {
                branches.forced.push((BranchPoint::of_instruction(index), side));
            }
            let PieceRegisters { over, at, near } = &mut frames;
            if let BlockInstruction::Guard(x) = instruction {
                // The three runs have to take the same sides, or their registers would belong to different functions.
                let side = decide_branch(self.context().sign(&jets.value_of(over.get(*x))), index, branches);
                over.choices.set_branch(index, side);
                at.choices.set_branch(index, side);
                near.iter_mut().for_each(|near| near.choices.set_branch(index, side));
            }
            let (branch, mut known) = self.machine.branch_beside(&jets, over, (index, instruction), branches);
            let site = (index, block.sites[index]);
            let range = self.machine.eval_beside_end(extended, over, site, instruction, branches)?;
            // If a solver finds nothing on the piece, its limit says nothing either; this saves the second search.
            let says = instruction.nested_inputs().is_none()
                || range.coefficients().flatten().any(|c| run.arithmetic.is_known(c));
            let mut limit_on = |frame: &RegisterFile<C::Num>| match says {
                true => self.machine.eval_beside_end(extended, frame, site, instruction, &mut known),
                false => Ok(jets.bottom_everywhere()),
            };
            // What normal forms show at the end is exact, where the range there may only be near it.
            let exact = |limit| run.machine.with_end_fact(extended, limit, known_at_end.fact(own), 1);
            let limit = exact(limit_on(at)?);
            let beside = near.as_ref().map(limit_on).transpose()?.map(exact);
            let limits = [&limit, beside.as_ref().unwrap_or(&limit)];
            // The result at a zero of the root is 0 by definition, where the range at the end may only be near 0.
            let plain = match run.order_of_zero(known_at_end, own) {
                Some(order) => run.bound_by_coefficient(&range, order),
                None => run.bound_by_taylor(&range, limits),
            };
            let rule = match instruction {
                BlockInstruction::Constant(_) => run.arithmetic.series_of_constant(run.coefficient_in_s(&range, 0)),
                _ => run.series_by_rule(instruction, branch, &frames, &found, &forms),
            };
            let form = run.form_of_result((own, instruction), branch, &frames, &range, &forms);
            let mut bounds = run.combine(plain, rule, run.term_by_rule(instruction, &found));
            // The last resorts: a lower bound of the operand, and bounds of an integrand.
            if bounds.leading.is_none() {
                let mut last = run.bound_by_lower_bound(instruction, &frames.over, &found);
                if last.is_none() {
                    last = run.bound_integral(instruction, &frames, &found)?;
                }
                if last.is_some() {
                    bounds = AsymptoticBounds::from_term(last);
                }
            }
            if let Some(diagnosis) = run.machine.witness.filter(|_| bounds.leading.is_none())
                && let Some(operation) = run.unbounded_operation(instruction, &found)
            {
                diagnosis.record_unbounded(operation, block.sites[index]);
            }
            if let Some(series) = bounds.series.as_ref().filter(|_| form.terms.contains_key(&own)) {
                run.arithmetic.add_register(own, series, bounds.leading.as_ref());
            }
            forms.push(form);
            let PieceRegisters { over, at, near } = &mut frames;
            // For lower bounds the lesser power is the greater one.
            let above = run.lower_bound_by_expansion(bounds.leading.as_ref(), [&range, &limit]).into_iter();
            let above =
                above.chain(run.lower_bound_by_rule(instruction, over, &found)).min_by(|a, b| a.power.cmp(&b.power));
            found.push(AsymptoticBounds { above, ..bounds });
            over.results.push(range);
            at.results.push(limit);
            near.iter_mut().zip(beside).for_each(|(near, beside)| near.results.push(beside));
        }
        // A branch that is decided neither by a range nor by a bound may change along the piece.
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        Ok(block.outputs.first().map(|r| found[r.0 as usize].clone()))
    }

    /// Returns the name of a function without bounds if there are bounds of all its arguments, of which one certainly goes to ±∞.
    fn unbounded_operation(
        &self,
        instruction: &BlockInstruction,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<String> {
        let operation = match instruction {
            BlockInstruction::Unary(Unary::Function(f), _) => f.to_string(),
            BlockInstruction::Binary(f @ Binary::Planar(_), ..) => f.real_operation().to_string(),
            BlockInstruction::Primitive(primitive, _) => primitive.name.clone(),
            _ => return None,
        };
        let mut operands = Vec::new();
        instruction.for_each_read(|register, _| operands.push(found[register.0 as usize].leading.as_ref()));
        let operands: Option<Vec<_>> = operands.into_iter().collect();
        let is_unbounded = |term: &&AsymptoticTerm<C::Num>| {
            let order = self.arithmetic.compare_monomials(&term.monomial, &ScaleMonomial::of_one());
            order == Some(Ordering::Greater) && self.arithmetic.sign(&term.factor) != Sign::Undecided
        };
        operands?.iter().any(is_unbounded).then_some(operation)
    }

    /// Returns the order to which a register is known to vanish at the end, for all inputs nearby. `None` if it is not known to
    /// vanish.
    fn order_of_zero(&self, known: &KnownAtEnd<'_>, register: BlockRegister) -> Option<usize> {
        known.zeros.contains(&register).then_some(1)
    }

    /// Combines the bound by a Taylor expansion with the series and the term that the operands give.
    fn combine(
        &self,
        plain: Option<AsymptoticTerm<C::Num>>,
        rule: Option<AsymptoticSeries<C::Num>>,
        term: Option<AsymptoticTerm<C::Num>>,
    ) -> AsymptoticBounds<C::Num> {
        let is_known =
            |term: &AsymptoticTerm<C::Num>| term.factor.coefficients().flatten().all(|c| self.arithmetic.is_known(c));
        let Some(rule) = rule else { return AsymptoticBounds::from_term(plain) };
        // Both enclose the register, and either may be the narrower one.
        let by_rule = self.arithmetic.narrower_term(self.arithmetic.leading_term(&rule), term);
        // An exact 0 has no power.
        let Some(plain) = plain.filter(|_| !rule.terms.is_empty()) else {
            return AsymptoticBounds { series: Some(rule), leading: by_rule, above: None };
        };
        // Of two bounds the one with the higher power is the smaller for small s.
        let order =
            by_rule.as_ref().and_then(|term| self.arithmetic.compare_monomials(&term.monomial, &plain.monomial));
        match (order, by_rule) {
            (Some(Ordering::Less), by_rule) => AsymptoticBounds { series: Some(rule), leading: by_rule, above: None },
            (Some(Ordering::Equal), Some(term)) if is_known(&term) && !is_known(&plain) => {
                AsymptoticBounds { series: Some(rule), leading: Some(term), above: None }
            }
            // The terms of a sum say more than its range, unless a zero of higher order is hidden in them.
            (Some(Ordering::Equal), by_rule) if rule.terms.len() > 1 => {
                let leading = self.arithmetic.narrower_term(Some(plain), by_rule);
                AsymptoticBounds { series: Some(rule), leading, above: None }
            }
            (Some(Ordering::Equal), by_rule) => {
                AsymptoticBounds::from_term(self.arithmetic.narrower_term(Some(plain), by_rule))
            }
            _ => AsymptoticBounds::from_term(Some(plain)),
        }
    }

    /// Returns the linear form of a result in registers before it; that of the register alone if it is not linear.
    fn form_of_result(
        &self,
        (own, instruction): (BlockRegister, &BlockInstruction),
        branch: KinkBranch,
        frames: &PieceRegisters<C::Num>,
        range: &Jet<C::Num>,
        forms: &[RegisterForm],
    ) -> RegisterForm {
        let exact = |value: &Jet<C::Num>| {
            let number = value.as_number().filter(|c| self.context().is_defined(c) && self.context().is_point(c))?;
            self.context().to_enclosure(number).lo().to_rational()
        };
        let of = |r: &BlockRegister| &forms[r.0 as usize];
        let constant = |r: &BlockRegister| exact(frames.over.get(*r));
        let times = |r: &BlockRegister, c: &Rational| Some(RegisterForm::default().plus_multiple(c, of(r)));
        let chosen =
            |a: &BlockRegister, b: &BlockRegister, branch: KinkBranch| branch.choose_between(of(a), of(b)).cloned();
        let found = match instruction {
            BlockInstruction::Constant(_) => {
                exact(range).map(|constant| RegisterForm { constant, ..RegisterForm::default() })
            }
            BlockInstruction::Unary(Unary::Negate, x) => Some(of(x).negate_form()),
            BlockInstruction::Unary(Unary::Abs, x) => branch.choose_between(of(x).clone(), of(x).negate_form()),
            BlockInstruction::Binary(Binary::Add, x, y) => Some(of(x).plus_multiple(&Rational::from(1), of(y))),
            BlockInstruction::Binary(Binary::Subtract, x, y) => Some(of(x).plus_multiple(&Rational::from(-1), of(y))),
            BlockInstruction::Binary(Binary::Multiply, x, y) => match (constant(x), constant(y)) {
                (Some(c), _) => times(y, &c),
                (None, Some(c)) => times(x, &c),
                _ => None,
            },
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                constant(y).filter(|c| *c != 0).and_then(|c| times(x, &c.recip()))
            }
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) => chosen(x, y, branch),
            BlockInstruction::Guard(x) => Some(of(x).clone()),
            BlockInstruction::Select { guard, then, otherwise } => {
                chosen(then, otherwise, frames.over.guard_branch(*guard))
            }
            _ => None,
        };
        // Long forms cost more than they are worth.
        let found = found.filter(|form| form.terms.len() <= MOST_REGISTERS);
        found.unwrap_or_else(|| RegisterForm::of_register(own))
    }

    /// Returns the branch of an instruction by the bound of its number. Returns `None` if the branch is forced, or the range
    /// decides.
    fn branch_by_bound(
        &self,
        (index, instruction): (usize, &BlockInstruction),
        frames: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
        branches: &BranchDecisions,
    ) -> Option<KinkBranch> {
        if !self.decides || branches.forced_branch(index).is_some() {
            return None;
        }
        let jets = self.machine.jets(self.extended);
        let of = |r: &BlockRegister| found[r.0 as usize].leading.clone();
        let less = |a: &BlockRegister, b: &BlockRegister| {
            let [a, b] = [a, b].map(|r| found[r.0 as usize].series.as_ref());
            self.arithmetic.leading_term(&self.arithmetic.subtract_series(a?, b?)?)
        };
        let number = match instruction {
            BlockInstruction::Guard(x) | BlockInstruction::Unary(Unary::Abs | Unary::Signum, x) => of(x)?,
            BlockInstruction::Binary(Binary::Maximum, x, y) => less(x, y)?,
            BlockInstruction::Binary(Binary::Minimum, x, y) => less(y, x)?,
            _ => return None,
        };
        // A branch that the range decides needs no forcing, and forcing would be recorded.
        let range = jets.value_of(&switch::branch_number(&jets, &frames.over, instruction));
        let is_said = self.context().sign(&range) != Sign::Undecided;
        let side = KinkBranch::from_sign(self.arithmetic.sign(&number.factor));
        (!is_said && side != KinkBranch::Undecided).then_some(side)
    }

    /// Returns the arithmetic of coefficients.
    fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns the arithmetic of jets in the inputs.
    fn outer(&self) -> &JetArithmetic<'_, C> {
        &self.arithmetic.outer
    }

    /// Returns a Taylor coefficient in s, as a jet in the other inputs.
    fn coefficient_in_s(&self, jet: &Jet<C::Num>, power: usize) -> Jet<C::Num> {
        Jet::new(self.extended.power_slice(power).iter().map(|&(_, here)| jet.get(here as usize).cloned()))
    }

    /// Bounds a value by its range over the piece and its zero at the end, both for the inputs and for all those nearby.
    fn bound_by_taylor(&self, range: &Jet<C::Num>, limits: [&Jet<C::Num>; 2]) -> Option<AsymptoticTerm<C::Num>> {
        let is_zero =
            |c: &C::Num| self.context().is_defined(c) && self.context().is_point(c) && self.context().contains_zero(c);
        let vanishes = |power: &usize| {
            limits.iter().all(|limit| self.coefficient_in_s(limit, *power).coefficients().flatten().all(is_zero))
        };
        let order = (0..ORDER as usize).take_while(vanishes).count();
        // The zero may be of higher order than is recognised, and its highest bounded coefficient still gives a valid power.
        (0..=order).rev().find_map(|power| {
            let factor = self.coefficient_in_s(range, power);
            let bounded = factor.coefficients().flatten().all(|c| self.arithmetic.is_known(c));
            if power > 0 && !bounded { None } else { self.bound_by_coefficient(range, power) }
        })
    }

    /// Bounds a value with a zero of an order at the end by its Taylor coefficient over the piece.
    fn bound_by_coefficient(&self, range: &Jet<C::Num>, order: usize) -> Option<AsymptoticTerm<C::Num>> {
        self.arithmetic.bounded_term(ScaleMonomial::of_powers(order as u32, 0), self.coefficient_in_s(range, order))
    }

    /// Returns the series of a result, by those of its operands. Returns `None` if no rule applies.
    fn series_by_rule(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frames: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
        forms: &[RegisterForm],
    ) -> Option<AsymptoticSeries<C::Num>> {
        let arithmetic = &self.arithmetic;
        let of = |r: &BlockRegister| found[r.0 as usize].series.as_ref();
        let leading = |r: &BlockRegister| found[r.0 as usize].leading.as_ref();
        let operand = |r: &BlockRegister| {
            let form = Some(forms[r.0 as usize].clone());
            Some(AsymptoticOperand { series: of(r)?, leading: leading(r)?, form })
        };
        let chosen =
            |a: &BlockRegister, b: &BlockRegister, branch: KinkBranch| branch.choose_between(of(a), of(b))?.cloned();
        match instruction {
            BlockInstruction::Unary(f, x) => match (f, branch) {
                (Unary::Negate, _) | (Unary::Abs, KinkBranch::Right) => Some(arithmetic.negate_series(of(x)?)),
                (Unary::Abs, KinkBranch::Left) => of(x).cloned(),
                (Unary::Function(f), _) => {
                    if let Some(shifted) = self.function_of_shifted(*f, *x, frames) {
                        return Some(shifted);
                    }
                    arithmetic.apply_function(*f, &operand(x)?)
                }
                _ => None,
            },
            BlockInstruction::Binary(f, x, y) => match f {
                Binary::Add => arithmetic.add_series(of(x)?, of(y)?),
                Binary::Subtract => arithmetic.subtract_series(of(x)?, of(y)?),
                Binary::Multiply if x == y => arithmetic.square_series(of(x)?),
                Binary::Multiply => arithmetic.multiply_series(of(x)?, of(y)?),
                Binary::Divide => arithmetic.divide_series(of(x)?, of(y)?, leading(y)?),
                Binary::Maximum | Binary::Minimum if x == y => of(x).cloned(),
                // The branch holds on the whole piece, or it is undecided.
                Binary::Maximum | Binary::Minimum => chosen(x, y, branch),
                Binary::Planar(f) => arithmetic.apply_planar(*f, &operand(x)?, &operand(y)?),
            },
            BlockInstruction::Power(x, e) => arithmetic.raise_series(of(x)?, leading(x)?, (e.numerator, e.denominator)),
            BlockInstruction::Guard(x) => of(x).cloned(),
            BlockInstruction::Select { guard, then, otherwise } => {
                chosen(then, otherwise, frames.over.guard_branch(*guard))
            }
            _ => None,
        }
    }

    /// Returns a product or a power by the terms of its operands. It may be narrower than that of its series: the square of
    /// `x - 40` is not negative. Returns `None` for any other instruction.
    fn term_by_rule(
        &self,
        instruction: &BlockInstruction,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<AsymptoticTerm<C::Num>> {
        let leading = |r: &BlockRegister| found[r.0 as usize].leading.as_ref();
        let (monomial, factor) = match instruction {
            BlockInstruction::Binary(Binary::Multiply, x, y) => {
                let (a, b) = (leading(x)?, leading(y)?);
                let factor = match x == y {
                    true => self.outer().square(&a.factor),
                    false => self.outer().multiply(&a.factor, &b.factor),
                };
                (a.monomial.times_monomial(&b.monomial), factor)
            }
            BlockInstruction::Power(x, e) if e.denominator == 1 && e.numerator > 0 => {
                let a = leading(x)?;
                (a.monomial.raised_to(&Rational::from(e.numerator)), self.outer().power(&a.factor, e.numerator, 1))
            }
            _ => return None,
        };
        self.arithmetic.bounded_term(monomial, factor)
    }

    /// Bounds log1p or atanh by logarithms of 1 + x and 1 - x, where these vanish at the end. Returns `None` elsewhere.
    fn function_of_shifted(
        &self,
        f: Function,
        x: BlockRegister,
        frames: &PieceRegisters<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        if !matches!(f, Function::Log1p | Function::Atanh) {
            return None;
        }
        let above = self.one_plus_or_minus(frames, x, Sign::Positive)?;
        let logarithm = |a: &AsymptoticTerm<C::Num>| {
            self.arithmetic.logarithm_of_series(&AsymptoticSeries { terms: vec![a.clone()] }, a)
        };
        // Power 0 means no singularity: the rule for bounded values is tighter.
        if f == Function::Log1p {
            return if above.monomial.is_one() { None } else { logarithm(&above) };
        }
        let below = self.one_plus_or_minus(frames, x, Sign::Negative)?;
        if above.monomial.is_one() && below.monomial.is_one() {
            return None;
        }
        let twice = self.arithmetic.subtract_series(&logarithm(&above)?, &logarithm(&below)?)?;
        let half = self.context().enclose_rational(&Rational::from((1, 2)));
        Some(self.arithmetic.map_factors(&twice, |factor| self.outer().scale(factor, &half)))
    }

    /// Bounds 1 + a for a positive `sign`, 1 − a for a negative one.
    fn one_plus_or_minus(
        &self,
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        a: BlockRegister,
        sign: Sign,
    ) -> Option<AsymptoticTerm<C::Num>> {
        let jets = self.machine.jets(self.extended);
        let one = Jet::constant(self.context().enclose_integer(1));
        let moved = |a: &Jet<C::Num>| match sign {
            Sign::Negative => jets.subtract(&one, a),
            _ => jets.add(&one, a),
        };
        let limit = moved(at.get(a));
        // Added before bounding: the zero at the end shows only in the sum.
        let beside = near.as_ref().map(|near| moved(near.get(a)));
        self.bound_by_taylor(&moved(over.get(a)), [&limit, beside.as_ref().unwrap_or(&limit)])
    }
}
