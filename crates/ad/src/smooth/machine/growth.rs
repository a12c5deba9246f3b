//! Endpoint asymptotics: power bounds of a function near an end of an interval at which it need not be defined.
//!
//! Along `x = e + l·s`, for `0 < s ≤ 1`, a value is enclosed as `sᵖ·N`, with a rational p and a jet N: for all these s, every
//! Taylor coefficient of `s⁻ᵖ·value` in the other inputs lies in that of N. So `sin x / x`, `√x`, `1/√x` and `log x`, none of
//! which has a bounded expansion at 0, are products of a power and a bounded factor. So are their integrals:
//! `∫₀¹ sᵖ·N ds ∈ N/(p + 1)` for p > -1, since the weight is positive.
//!
//! | a value | is |
//! |---|---|
//! | defined at e too | `s⁰` times its range |
//! | with a zero at e, exact to order r | `sʳ` times the range of its r-th Taylor coefficient in s (Taylor, integral form) |
//! | a product, a quotient, a power, a root | by the exponents |
//! | a sum | with the lesser exponent, `s^{q-p}` being in [0, 1] |
//! | `log (sᵖ·N)` | `p·log s + log N`, where `-1/β ≤ s^β·log s ≤ 0` for every β > 0 |
//! | `exp (sᵖ·N)` with p < 0 and N < 0 | smaller than any power: `y^k·exp (-a·y) ≤ (k/(a·e))^k` |
//! | a value that grows like `exp (sᵖ·N)`, p < 0 | with its exponent (`exponential`) beside it, by which quotients are bounded |
//! | a value that grows like a multiple of `log s` | with that multiple (`logarithmic`), so that its exponential is a power |
//! | the inverse or the logarithm of a value bounded below by a power of s | a power of s times a bounded factor (`above`) |
//! | a function that is singular as others are, such as atanh at 1 | by these (`saturation`) |
//! | an integral | by the bounds of its integrand on pieces of its own variable (`integral`) |
//! | any other function of a bounded value | by its range, which holds the limit at e |
//! | a bounded function of an unbounded value | by its whole range, or by its limit at infinity (`saturation`) |
//!
//! The branch of a kink or guard is that of its number's sign. If N of that number excludes 0 for all inputs nearby, the
//! number has one sign for all 0 < s ≤ 1, even where it is unbounded.
//!
//! All this holds for the inputs given and for all near them. A zero at e counts only if the value is 0 with the inputs
//! widened too: otherwise a derivative in an input would be that of another power. `c²` is 0 at c = 0 together with its
//! slope, and `∫ c²/x` has a value for that c alone.
//!
//! The bounds claim nothing at e itself. On `0 < s ≤ 1` the operations are defined as those on numbers are: a bound by N holds
//! for all these s, so a divisor whose N excludes 0 is never 0.
//!
//! # Power bounds of results by those of their operands
//!
//! Products, quotients, powers, roots, sums, and functions of bounded
//! values.
//!
//! # Power bounds of an integral
//!
//! Power bounds of an integral, by those of its integrand on pieces of its own variable t.
//!
//! | the integrand, for t in a piece | its integral over the piece is |
//! |---|---|
//! | `sᵖ·N` for all these t | `sᵖ·N` times the length |
//! | `τ^q·N` for all these s and q > -1, τ being the share of the piece from one end on | `N/(q + 1)` times the length |
//! | both, with p and q of at most -1 | at most `s^(θp)·M` with a bounded M, for 0 < θ < 1 |
//!
//! The third row is for a singularity at a corner. A number of at most a and at most b is at most `a^θ·b^(1-θ)`. So 1/(x +
//! y) is at most 1/√(xy), which has an integral. With θ = q/(p + q) both exponents are pq/(p + q). That is above -1 where
//! these two rows bound the integrand like a power above -2 of the distance from the corner. An integrand that is infinite
//! there by both and of either sign is not seen to cancel. Otherwise θ is such that (1 - θ)q is -7/8, as in x·∫ 1/(x + y)²
//! dy, where the factor outside makes up for the rest. The same holds for each Taylor coefficient in the other inputs. The
//! pieces halve towards both ends, down to the length of the piece of s.

mod exponential;

use super::complex::has_kinks;
use super::switch::BranchPoint;
use super::{BranchDecisions, JetEvaluator, KnownAtEnd, RegisterFile, decide_branch, switch};
use crate::function::Monotonicity;
use crate::number::arithmetic::{Function, Sign};
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, budget};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::EvalTarget;
use crate::smooth::machine::puiseux::{MOST_RAMIFIED, PuiseuxExpansion, PuiseuxOutcome, PuiseuxRun, PuiseuxTerm};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use exponential::AsymptoticBounds;
use std::cell::Cell;
use std::sync::Arc;

/// The power bound `sᵖ·N` for 0 < s ≤ 1; see the [module](self).
#[derive(Clone, Debug)]
pub struct PowerBound<N> {
    /// The exponent p.
    pub power: Rational,
    /// The factor N: a bounded jet in the other inputs.
    pub factor: Jet<N>,
    /// `true` if the value has a limit at the end, ∞ and −∞ included. A bounded function of an unbounded value, such as sin
    /// (1/x), need not have one, unless p is positive.
    pub has_limit: bool,
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
/// 1/β in `s^β·log s ≥ -1/β`: a logarithm is bounded by the power −1/8 of s. A choice between a small power and a small factor.
const LOG_DENOMINATOR: i64 = 8;

/// One evaluation beside an end: over the piece, and at the end alone.
struct AsymptoticRun<'r, 'm, C: HookedContext> {
    machine: &'r JetEvaluator<'m, C>,
    outer: JetArithmetic<'r, C>,
    inputs: &'r Arc<Algebra>,
    extended: &'r Arc<Algebra>,
    /// The absolute length of the piece, rounded up.
    length: Magnitude,
    /// `true` once some step was a bounded function of an unbounded value, or had only a bound: then a limit is not certain.
    may_oscillate: Cell<bool>,
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

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Bounds the output of a block of one parameter near an end. Returns `None` if no power bound is found.
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
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let mut own = branches.clone();
        // Derivatives jump with a branch, so branches that the ranges do not decide are first decided for all inputs nearby.
        if algebra.len() > 1 && has_kinks(block) {
            own.forced.extend(self.branches_by_power_bounds(block, approach, captures, branches)?);
        }
        let found = self.power_bound_deciding(block, (algebra, algebra.len() == 1), approach, captures, &mut own)?;
        branches.undecided = own.undecided;
        Ok(found)
    }

    /// Returns the branches of a block that are undecided by the ranges of their numbers, but decided by power bounds.
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
        self.power_bound_deciding(block, (&self.real, true), &near, &self.widen_inputs(captures), &mut found)?;
        Ok(found.forced.split_off(branches.forced.len()))
    }

    /// Like [`JetEvaluator::power_bound_at_end`]. If `decides` is set, it may [decide](AsymptoticRun::decides) branches, which it adds to the forced ones.
    fn power_bound_deciding(
        &self,
        block: &Block,
        (algebra, decides): (&Arc<Algebra>, bool),
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(ORDER)) else { return Ok(None) };
        let limbs = budget::limb_count(self.context.precision());
        // Two runs are paid for, one over the piece and one at the end. Hooks would have to see every step, so with hooks
        // there is none.
        if C::ACTIVE
            || !self.effort.budget.spend(2 * block.instructions.len() as u64 * extended.product_count() * limbs)
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
        let moves = algebra.len() > 1;
        let near_captures = if moves { self.widen_inputs(captures) } else { Vec::new() };
        let near_end = along(&self.widen_inputs(std::slice::from_ref(approach.end))[0]);
        let frame = |parameters, captures| {
            let results = Vec::with_capacity(block.instructions.len());
            RegisterFile::new([parameters, captures], results, block, EvalTarget::Outputs)
        };
        let near = moves.then(|| frame(&near_end[..], &near_captures[..]));
        let frames = PieceRegisters { over: frame(&over[..], captures), at: frame(&at[..], captures), near };
        let length = self.context.magnitude(&outer.value_of(approach.length));
        let run = AsymptoticRun {
            machine: self,
            outer,
            inputs: algebra,
            extended: &extended,
            length,
            may_oscillate: Cell::new(false),
            decides,
        };
        let first = captures.len() + 1;
        let found: Vec<_> = (0..first).map(|i| run.bounds_of_input(&frames, BlockRegister(i as u32))).collect();
        // The place is the parameter, the first register; captures are the same everywhere.
        let moving: Vec<bool> = (0..first).map(|i| i == 0).collect();
        let known = self.known_at_end(block, approach, first);
        let output = run.bound_block(block, frames, (found, moving), &known, branches)?;
        // A positive power goes to 0 whatever its factor does.
        let settles = |growth: &PowerBound<C::Num>| growth.power > 0 || !run.may_oscillate.get();
        Ok(output.map(|growth| PowerBound { has_limit: settles(&growth), ..growth }))
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the bounds of a parameter or a capture.
    fn bounds_of_input(
        &self,
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        r: BlockRegister,
    ) -> AsymptoticBounds<C::Num> {
        let near = near.as_ref().map_or(at.get(r), |near| near.get(r));
        let growth = self.bound_by_taylor(over.get(r), [at.get(r), near]);
        AsymptoticBounds {
            above: self.lower_bound_by_expansion(growth.as_ref(), [over.get(r), at.get(r)]),
            ..AsymptoticBounds::from_power_bound(growth)
        }
    }

    /// Bounds the output of a block, by the bounds of its parameters and captures, and by which of them move along the piece.
    fn bound_block(
        &self,
        block: &Block,
        mut frames: PieceRegisters<C::Num>,
        (mut found, mut moving): (Vec<AsymptoticBounds<C::Num>>, Vec<bool>),
        known_at_end: &KnownAtEnd<'_>,
        branches: &mut BranchDecisions,
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let (run, jets, extended) = (self, self.machine.jets(self.extended), self.extended);
        let first = found.len();
        branches.clear_records();
        for (index, instruction) in block.instructions.iter().enumerate() {
            let PieceRegisters { over, at, near } = &mut frames;
            // Skipped steps fill their registers, so that registers keep their numbers.
            if over.choices.is_skipped(index) {
                over.results.push(Jet::constant(self.context().bottom()));
                at.results.push(Jet::constant(self.context().bottom()));
                near.iter_mut().for_each(|near| near.results.push(Jet::constant(self.context().bottom())));
                found.push(AsymptoticBounds::from_power_bound(None));
                moving.push(true);
                continue;
            }
            // A branch decided here is forced for the steps behind it, and for the caller.
            if let Some(side) = run.branch_by_power_bound((index, instruction), &frames, &found, branches) {
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
            let is_known = |c: &C::Num| self.context().is_defined(c) && self.context().is_bounded(c);
            let says = instruction.nested_inputs().is_none() || range.coefficients().flatten().any(is_known);
            let mut limit_on = |frame: &RegisterFile<C::Num>| match says {
                true => self.machine.eval_beside_end(extended, frame, site, instruction, &mut known),
                false => Ok(jets.bottom_everywhere()),
            };
            let own = BlockRegister((first + index) as u32);
            let exact = |limit| run.machine.with_end_fact(extended, limit, known_at_end.fact(own), 1);
            let limit = exact(limit_on(at)?);
            let beside = near.as_ref().map(limit_on).transpose()?.map(exact);
            let limits = [&limit, beside.as_ref().unwrap_or(&limit)];
            // The result at a zero of the root is 0 by definition, where the range at the end may only be near 0.
            let plain = if known_at_end.zeros.contains(&own) {
                run.bound_by_slope(&range)
            } else {
                run.bound_by_taylor(&range, limits)
            };
            let of = |r: BlockRegister| found[r.0 as usize].growth.as_ref();
            let by_rule = run.function_at_singularity(instruction, &frames, of);
            let PieceRegisters { over, .. } = &mut frames;
            let by_rule = by_rule.or_else(|| run.power_bound_by_rule(instruction, branch, over, of));
            let exponential = run.exp_bound_by_rule(instruction, branch, over, &found);
            let settled = match &exponential {
                Some(a) => run.exp_as_power_bound(a, &found),
                None => run.function_of_exponential(instruction, &found),
            };
            // A value moves along the piece if it is computed from the place, or from a value that moves.
            let mut moves = false;
            instruction.for_each_read(|r, _| moves |= moving[r.0 as usize]);
            moving.push(moves);
            let fixed = |r: BlockRegister| (!moving[r.0 as usize]).then(|| run.coefficient_in_s(over.get(r), 0));
            let logarithmic = run.log_bound_by_rule(instruction, &found, fixed);
            let by_power = match instruction {
                BlockInstruction::Unary(Unary::Function(Function::Exp), x) => {
                    found[x.0 as usize].logarithmic.as_ref().and_then(|a| run.exp_of_log_bound(a))
                }
                _ => None,
            };
            // Of two power bounds the one with the higher power is the smaller for small s.
            let smaller = |a: Option<PowerBound<C::Num>>, b: Option<PowerBound<C::Num>>| match (a, b) {
                (Some(a), Some(b)) => Some(if a.power > b.power { a } else { b }),
                (a, b) => a.or(b),
            };
            let growth = smaller(by_power, smaller(smaller(settled, by_rule), plain));
            // The last resorts: a lower bound of the operand, and the power bounds of an integrand.
            let mut growth = growth.or_else(|| run.bound_by_lower_bound(instruction, over, &found));
            if growth.is_none() {
                growth = run.bound_integral(instruction, &frames, &found, &moving)?;
            }
            let PieceRegisters { over, at, near } = &mut frames;
            // For lower bounds the lesser power is the greater one.
            let above = run.lower_bound_by_expansion(growth.as_ref(), [&range, &limit]).into_iter();
            let above =
                above.chain(run.lower_bound_by_rule(instruction, over, &found)).min_by(|a, b| a.power.cmp(&b.power));
            found.push(AsymptoticBounds { growth, exponential, logarithmic, above });
            over.results.push(range);
            at.results.push(limit);
            near.iter_mut().zip(beside).for_each(|(near, beside)| near.results.push(beside));
        }
        // A branch that is decided neither by a range nor by a power bound may change along the piece.
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        Ok(block.outputs.first().and_then(|r| found[r.0 as usize].growth.clone()))
    }

    /// Returns the branch of an instruction by the power bound of its number. Returns `None` if the branch is forced, or
    /// the range decides.
    fn branch_by_power_bound(
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
        let of = |r: &BlockRegister| found[r.0 as usize].growth.as_ref();
        let less = |a: &BlockRegister, b: &BlockRegister| {
            let b = of(b)?;
            self.add_power_bounds(of(a)?, PowerBound { factor: self.outer.negate(&b.factor), ..b.clone() })
        };
        let growth = match instruction {
            BlockInstruction::Guard(x) | BlockInstruction::Unary(Unary::Abs | Unary::Signum, x) => of(x)?.clone(),
            BlockInstruction::Binary(Binary::Maximum, x, y) => less(x, y)?,
            BlockInstruction::Binary(Binary::Minimum, x, y) => less(y, x)?,
            _ => return None,
        };
        // A branch that the range decides needs no forcing, and forcing would be recorded.
        let range = jets.value_of(&switch::branch_number(&jets, &frames.over, instruction));
        let is_said = self.context().sign(&range) != Sign::Undecided;
        let side = KinkBranch::from_sign(self.context().sign(&self.outer.value_of(&growth.factor)));
        (!is_said && side != KinkBranch::Undecided).then_some(side)
    }

    /// Returns the arithmetic of coefficients.
    fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns a Taylor coefficient in s, as a jet in the other inputs.
    fn coefficient_in_s(&self, jet: &Jet<C::Num>, power: usize) -> Jet<C::Num> {
        Jet::new(self.extended.power_slice(power).iter().map(|&(_, here)| jet.get(here as usize).cloned()))
    }

    /// Returns `sᵖ·N`. Returns `None` if the value of N is undefined or unbounded.
    fn power_bound(&self, power: impl Into<Rational>, factor: Jet<C::Num>) -> Option<PowerBound<C::Num>> {
        let value = self.outer.value_of(&factor);
        let known = self.context().is_defined(&value) && self.context().is_bounded(&value);
        known.then(|| PowerBound { power: power.into(), factor, has_limit: true })
    }

    /// Bounds a value by its range over the piece and its zero at the end, both for the inputs and for all those nearby.
    fn bound_by_taylor(&self, range: &Jet<C::Num>, limits: [&Jet<C::Num>; 2]) -> Option<PowerBound<C::Num>> {
        let is_zero =
            |c: &C::Num| self.context().is_defined(c) && self.context().is_point(c) && self.context().contains_zero(c);
        let vanishes = |power: &usize| {
            limits.iter().all(|limit| self.coefficient_in_s(limit, *power).coefficients().flatten().all(is_zero))
        };
        let order = (0..ORDER as usize).take_while(vanishes).count();
        // The zero may be of higher order than is recognised, and its highest bounded coefficient still gives a valid power.
        (0..=order).rev().find_map(|power| {
            let factor = self.coefficient_in_s(range, power);
            let bounded =
                factor.coefficients().flatten().all(|c| self.context().is_defined(c) && self.context().is_bounded(c));
            if power > 0 && !bounded { None } else { self.power_bound(power as i64, factor) }
        })
    }

    /// Bounds a value that is 0 at the end by its slope over the piece.
    fn bound_by_slope(&self, range: &Jet<C::Num>) -> Option<PowerBound<C::Num>> {
        self.power_bound(1, self.coefficient_in_s(range, 1))
    }

    /// Returns `true` if the value of a jet is certainly defined and positive.
    fn is_positive(&self, a: &Jet<C::Num>) -> bool {
        self.context().sign(&self.outer.value_of(a)) == Sign::Positive
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the power bound of a result, by those of its operands. Returns `None` if no rule applies.
    fn power_bound_by_rule<'g>(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frame: &RegisterFile<C::Num>,
        of: impl Fn(BlockRegister) -> Option<&'g PowerBound<C::Num>>,
    ) -> Option<PowerBound<C::Num>>
    where
        C::Num: 'g,
    {
        let chosen = |a: BlockRegister, b: BlockRegister| match branch {
            KinkBranch::Left => of(a).cloned(),
            KinkBranch::Right => of(b).cloned(),
            KinkBranch::Undecided => None,
        };
        match instruction {
            BlockInstruction::Unary(f, x) => {
                let a = of(*x)?;
                let negative = || self.power_bound(a.power.clone(), self.outer.negate(&a.factor));
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, KinkBranch::Right) => negative(),
                    (Unary::Abs, KinkBranch::Left) => Some(a.clone()),
                    (Unary::Function(f), _) => self.apply_function(*f, a),
                    _ => None,
                }
            }
            BlockInstruction::Binary(f, x, y) => match f {
                Binary::Add => self.add_power_bounds(of(*x)?, of(*y)?.clone()),
                Binary::Subtract => {
                    let b = of(*y)?;
                    self.add_power_bounds(of(*x)?, PowerBound { factor: self.outer.negate(&b.factor), ..b.clone() })
                }
                // As a square N² is never negative.
                Binary::Multiply if x == y => {
                    let a = of(*x)?;
                    self.power_bound(Rational::from(&a.power * 2), self.outer.square(&a.factor))
                }
                Binary::Multiply => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.power_bound(Rational::from(&a.power + &b.power), self.outer.multiply(&a.factor, &b.factor))
                }
                Binary::Divide => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.power_bound(Rational::from(&a.power - &b.power), self.outer.divide(&a.factor, &b.factor))
                }
                Binary::Maximum | Binary::Minimum if x == y => of(*x).cloned(),
                // The branch holds on the whole piece, or it is undecided.
                Binary::Maximum | Binary::Minimum => chosen(*x, *y),
                Binary::Planar(_) => None,
            },
            BlockInstruction::Power(x, e) => {
                let a = of(*x)?;
                let power = Rational::from(&a.power * e.numerator) / e.denominator;
                // An even root needs N > 0: s^p itself is positive.
                let even = e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor);
                if even {
                    None
                } else {
                    self.power_bound(power, self.outer.power(&a.factor, e.numerator, e.denominator))
                }
            }
            BlockInstruction::Guard(x) => of(*x).cloned(),
            BlockInstruction::Select { guard, then, otherwise } => match frame.guard_branch(*guard) {
                KinkBranch::Left => of(*then).cloned(),
                KinkBranch::Right => of(*otherwise).cloned(),
                KinkBranch::Undecided => None,
            },
            _ => None,
        }
    }

    /// Returns the jet times [0, 1].
    fn times_unit_interval(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let unit = self.context().hull(&self.context().enclose_integer(0), &self.context().enclose_integer(1));
        self.outer.scale(a, &unit)
    }

    /// Adds two power bounds.
    fn add_power_bounds(&self, a: &PowerBound<C::Num>, b: PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        // s^q = sᵖ·s^(q-p), and the last factor is in [0, 1].
        let (low, high) = if a.power <= b.power { (a, &b) } else { (&b, a) };
        let high = if low.power == high.power { high.factor.clone() } else { self.times_unit_interval(&high.factor) };
        self.power_bound(low.power.clone(), self.outer.add(&low.factor, &high))
    }

    /// Applies an elementary function to a power bound. Returns `None` if no rule applies.
    fn apply_function(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let at = |factor: &Jet<C::Num>| {
            self.machine.record_function_boundary(&self.outer, f, factor);
            self.outer.apply_function(f, factor)
        };
        match (f, f.row().monotonicity) {
            // Roots and logarithms are exact in the power; all other functions need a bounded value.
            (_, Monotonicity::Root(n)) if n % 2 == 1 || self.is_positive(&a.factor) => {
                self.power_bound(Rational::from(&a.power / u32::from(n)), at(&a.factor))
            }
            (Function::Log, _) if self.is_positive(&a.factor) => {
                let logarithm = at(&a.factor);
                if a.power == 0 {
                    return self.power_bound(0, logarithm);
                }
                // log s = s^(-β)·[-1/β, 0], and log N is times s^β, which is in [0, 1].
                let bound = self
                    .context()
                    .hull(&self.context().enclose_integer(-LOG_DENOMINATOR), &self.context().enclose_integer(0));
                let first = self.context().mul(&self.context().enclose_rational(&a.power), &bound);
                let factor = self.outer.add(&Jet::constant(first), &self.times_unit_interval(&logarithm));
                self.power_bound(Rational::from((-1, LOG_DENOMINATOR)), factor)
            }
            _ if a.power == 0 => self.power_bound(0, at(&a.factor)),
            // 0 < s^p ≤ 1: the range includes the limit at 0.
            _ if a.power > 0 => self.power_bound(0, at(&self.times_unit_interval(&a.factor))),
            (Function::Exp, _) => self.bound_decay(a),
            // Unbounded: only a bounded function has a range, and only its limits give derivatives.
            _ if a.factor.is_constant() => self.range_everywhere(f),
            _ => self.function_with_limits(f, a),
        }
    }

    /// Returns the range of a bounded function on all of ℝ, without a limit.
    fn range_everywhere(&self, f: Function) -> Option<PowerBound<C::Num>> {
        self.may_oscillate.set(true);
        let any = self.context().mark_defined(self.context().bottom());
        self.power_bound(0, Jet::constant(self.context().apply_function(f, &any)))
    }
}

/// The number of halvings towards an end, at most. A choice.
const MOST_HALVINGS: i64 = 64;

/// An integral inside a run: its integrand, and the registers of its captures.
type InnerIntegral<'i> = (&'i Block, &'i [BlockRegister]);

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a power bound of an integral. Returns `None` for any other instruction, or if the integrand has no bound on
    /// some piece.
    fn bound_integral(
        &self,
        instruction: &BlockInstruction,
        frames: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
        moving: &[bool],
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let BlockInstruction::Second { primitive: SecondOrder::Integral, body, captures } = instruction else {
            return Ok(None);
        };
        let inner = (&**body, &**captures);
        // Pieces much shorter than that of s gain nothing: there the integrand varies with s.
        let halvings = 1_i64.saturating_sub(self.length.floor_log2()).clamp(2, MOST_HALVINGS);
        // [0, 2⁻ᵏ], …, [1/4, 1/2], and their mirror images towards 1.
        let breaks: Vec<_> = (1..=halvings).rev().map(|k| Rational::from((1, 1_u128 << k))).collect();
        let mut sum: Option<PowerBound<C::Num>> = None;
        for from_right in [false, true] {
            for (i, right) in breaks.iter().enumerate() {
                let left = i.checked_sub(1).map(|i| &breaks[i]);
                let ends = [left.unwrap_or(Rational::ZERO), right].map(|t| {
                    let t = if from_right { Rational::from(1 - t) } else { t.clone() };
                    self.context().enclose_rational(&t)
                });
                let mut part = self.integrand_on_piece(inner, &ends, frames, (found, moving))?;
                let is_at_end = left.is_none();
                // A bound for all t that has no integral in s, or none at all: only a corner may still help.
                if is_at_end && part.as_ref().is_none_or(|uniform| uniform.power <= -1) {
                    part = self.mean_at_corner(inner, &ends, frames, part)?;
                }
                // An enclosure of all values encloses their mean.
                let Some(mean) = part else { return Ok(None) };
                let length = self.context().abs(&self.context().sub(&ends[1], &ends[0]));
                let part = PowerBound { factor: self.outer.scale(&mean.factor, &length), ..mean };
                let both = match &sum {
                    Some(sum) => self.add_power_bounds(sum, part),
                    None => Some(part),
                };
                let Some(both) = both else { return Ok(None) };
                sum = Some(both);
            }
        }
        // A mean is enclosed, not its limit.
        self.may_oscillate.set(true);
        Ok(sum)
    }

    /// Returns a power bound of the integrand for all t of a piece.
    fn integrand_on_piece(
        &self,
        (body, captures): InnerIntegral,
        [from, to]: &[C::Num; 2],
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        (found, moving): (&[AsymptoticBounds<C::Num>], &[bool]),
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let limbs = budget::limb_count(self.context().precision());
        if !self.machine.effort.budget.spend(2 * body.instructions.len() as u64 * self.extended.product_count() * limbs)
        {
            return Ok(None);
        }
        let place = [Jet::constant(self.context().hull(from, to))];
        let (of_over, of_at) = (over.get_all(captures), at.get_all(captures));
        let of_near = near.as_ref().map(|near| near.get_all(captures));
        let frame = |captures| RegisterFile::new([&place[..], captures], Vec::new(), body, EvalTarget::Outputs);
        let frames =
            PieceRegisters { over: frame(&of_over[..]), at: frame(&of_at[..]), near: of_near.as_deref().map(frame) };
        // Exponents are sums of registers of another block, so exponentials cannot be handed on.
        let known = captures.iter().map(|r| &found[r.0 as usize]);
        let known = known.map(|a| AsymptoticBounds {
            above: a.above.clone(),
            ..AsymptoticBounds::from_power_bound(a.growth.clone())
        });
        let found = std::iter::once(self.bounds_of_input(&frames, BlockRegister(0))).chain(known).collect();
        // t takes all values of the piece at once: for a given t it does not move with s.
        let moving = std::iter::once(false).chain(captures.iter().map(|r| moving[r.0 as usize])).collect();
        self.bound_block(
            body,
            frames,
            (found, moving),
            &KnownAtEnd::default(),
            &mut BranchDecisions::with_forced(Vec::new()),
        )
    }

    /// Returns a power bound of the mean of the integrand over a piece that begins at 0 or 1.
    ///
    /// `uniform` is the bound for all t of the piece. The other bound is that of the integrand near the end, for all s.
    fn mean_at_corner(
        &self,
        (body, captures): InnerIntegral,
        [end, other]: &[C::Num; 2],
        frames: &PieceRegisters<C::Num>,
        uniform: Option<PowerBound<C::Num>>,
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let context = self.context();
        let captured: Vec<_> = captures.iter().map(|r| self.coefficient_in_s(frames.over.get(*r), 0)).collect();
        let length = Jet::constant(context.sub(other, end));
        let approach = OneSidedLimit { end: &Jet::constant(end.clone()), length: &length, root: None };
        let mut branches = BranchDecisions::with_forced(Vec::new());
        let own = self.machine.power_bound_at_end(body, self.inputs, &approach, &captured, &mut branches)?;
        let Some(own) = own else { return Ok(None) };
        // Integrable by itself: ∫₀¹ τ^q dτ = 1/(q + 1).
        if own.power > -1 {
            let weight = Rational::from(&own.power + 1);
            return Ok(self.power_bound(0, self.outer.scale(&own.factor, &context.enclose_rational(&weight.recip()))));
        }
        let Some(uniform) = uniform else { return Ok(None) };
        // 1 - θ: equal powers of s and τ, but a power of τ of at least -7/8.
        let sum = Rational::from(&uniform.power + &own.power);
        let same = Rational::from(&uniform.power / &sum);
        let enough = Rational::from((-7, 8)) / &own.power;
        let own_share = same.min(enough);
        let weight: Rational = Rational::from(&own_share * &own.power) + 1;
        let share = Rational::from(1 - &own_share);
        let power = Rational::from(&share * &uniform.power);
        // |a|^θ·|b|^(1-θ), times the integral 1/(1 + (1-θ)q) of the power of τ.
        let shares = [share, own_share].map(|share| context.enclose_rational(&share));
        let over = context.enclose_rational(&weight.recip());
        let between = |[a, b]: [&C::Num; 2]| {
            let raised = |value: &C::Num, share: &C::Num| {
                let most = context.upper(&context.abs(value)).filter(|_| context.is_defined(value))?;
                match context.sign(&most) {
                    Sign::Positive => {
                        let logarithm = context.apply_function(Function::Log, &most);
                        Some(context.apply_function(Function::Exp, &context.mul(share, &logarithm)))
                    }
                    // An exact 0 has no logarithm; an undefined end has no power at all.
                    _ => context.is_point(&most).then_some(most),
                }
            };
            let (Some(first), Some(second)) = (raised(a, &shares[0]), raised(b, &shares[1])) else {
                return context.bottom();
            };
            let most = context.mul(&context.mul(&first, &second), &over);
            // Where one bound has no negative number, the integrand has none either.
            let is_positive = [a, b].iter().any(|v| context.is_nonnegative(v));
            let least = if is_positive { context.enclose_integer(0) } else { context.neg(&most) };
            context.hull(&least, &most)
        };
        let monomials = 0..uniform.factor.len().min(own.factor.len());
        let bound = monomials.map(|m| Some(between([uniform.factor.get(m)?, own.factor.get(m)?])));
        Ok(self.power_bound(power, Jet::new(bound)))
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Expands the output of a block of one parameter near an end, to order `order` in u. Returns `None` if no expansion is
    /// found.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn puiseux_expansion(
        &self,
        block: &Block,
        (algebra, order): (&Arc<Algebra>, u32),
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
    ) -> Result<Option<PuiseuxExpansion<C::Num>>, SmoothError> {
        // Hooks would have to see every step.
        if C::ACTIVE {
            return Ok(None);
        }
        // The right k shows at the inputs themselves, over ℝ, where a run is cheap.
        let still = |jet: &Jet<C::Num>| Jet::constant(self.jets(algebra).value_of(jet));
        let (end, length, root) = (still(approach.end), still(approach.length), approach.root);
        let (base, scouting) =
            (OneSidedLimit { end: &end, length: &length, root }, captures.iter().map(still).collect::<Vec<_>>());
        let mut ramification = 1;
        // An expansion whose first coefficients are unknown is worth no second run.
        let known = |jet: &Jet<C::Num>| {
            let mut first = jet.coefficients().take(ORDER as usize).flatten();
            first.all(|c| self.context.is_defined(c) && self.context.is_bounded(c))
        };
        loop {
            let look =
                || self.expand_with_ramification(block, (&self.real, 0), (&base, ramification), &scouting, branches);
            // Only definedness and boundedness matter here, so solvers need not be precise.
            match self.effort.with_looser_tolerance(Magnitude::INFINITY, look)? {
                PuiseuxOutcome::Expanded(found) if known(&found.over) => break,
                PuiseuxOutcome::Ramified(times) if ramification * times <= MOST_RAMIFIED => ramification *= times,
                _ => return Ok(None),
            }
        }
        match self.expand_with_ramification(block, (algebra, order), (approach, ramification), captures, branches)? {
            PuiseuxOutcome::Expanded(found) => Ok(Some(found)),
            _ => Ok(None),
        }
    }

    /// Runs a block for one ramification index.
    fn expand_with_ramification(
        &self,
        block: &Block,
        (algebra, order): (&Arc<Algebra>, u32),
        (approach, ramification): (&OneSidedLimit<C::Num>, u32),
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
    ) -> Result<PuiseuxOutcome<C::Num>, SmoothError> {
        // Order enough to recognise zeros; the first k degrees are not lost when a zero is divided out.
        let order = order.max(ORDER * ramification) + ramification;
        let generator = AlgebraGenerator::Divided { order, by: ramification };
        let Some(extended) = &algebra.adjoin(generator) else { return Ok(PuiseuxOutcome::Failed) };
        let limbs = budget::limb_count(self.context.precision());
        if !self.effort.budget.spend(2 * block.instructions.len() as u64 * extended.product_count() * limbs) {
            return Ok(PuiseuxOutcome::Failed);
        }
        let Some(nearby) = self.real.adjoin(AlgebraGenerator::Direction(ORDER * ramification)) else {
            return Ok(PuiseuxOutcome::Failed);
        };
        let run = PuiseuxRun { machine: self, extended, jets: self.jets(extended), nearby: &nearby, ramification };
        let (over, at) = (run.path_argument(approach, true), run.path_argument(approach, false));
        // A zero has to be one for all inputs nearby: a third run, without derivatives in the inputs, shows it.
        let (near_captures, near_end) =
            (self.widen_inputs(captures), self.widen_inputs(std::slice::from_ref(approach.end)));
        let length = approach.length.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        let mut near = near_end[0].clone();
        near.set(ramification as usize, Some(length));
        let inputs = ([over], [at], [near]);
        let frame = |parameters, captures| {
            let results = Vec::with_capacity(block.instructions.len());
            RegisterFile::new([parameters, captures], results, block, EvalTarget::Outputs)
        };
        let mut frames = [frame(&inputs.0, captures), frame(&inputs.1, captures), frame(&inputs.2, &near_captures)];
        let first = captures.len() + 1;
        let mut found: Vec<Option<PuiseuxTerm<C::Num>>> = (0..first)
            .map(|i| BlockRegister(i as u32))
            .map(|r| run.regular_term(frames[0].get(r).clone(), frames[1].get(r).clone()))
            .collect();
        let known_at_end = self.known_at_end(block, approach, first);
        branches.clear_records();
        for (index, instruction) in block.instructions.iter().enumerate() {
            if frames[0].choices.is_skipped(index) {
                frames.iter_mut().for_each(|frame| frame.results.push(Jet::constant(self.context.bottom())));
                found.push(None);
                continue;
            }
            if let BlockInstruction::Guard(x) = instruction {
                let side = decide_branch(self.context.sign(&run.jets.value_of(frames[0].get(*x))), index, branches);
                frames.iter_mut().for_each(|frame| frame.choices.set_branch(index, side));
            }
            let (branch, mut known) = self.branch_beside(&run.jets, &frames[0], (index, instruction), branches);
            let site = (index, block.sites[index]);
            // Terms go by rules of their own only where a plain expansion in x does not do.
            let ruled = match run.term_by_rule(instruction, branch, &frames, &found) {
                Ok(ruled) => ruled,
                Err(times) => return Ok(PuiseuxOutcome::Ramified(times)),
            };
            let own = BlockRegister((first + index) as u32);
            let exact = |algebra, limit| self.with_end_fact(algebra, limit, known_at_end.fact(own), ramification);
            let beside = exact(&nearby, self.eval_beside_end(&nearby, &frames[2], site, instruction, &mut known)?);
            // The registers hold the value itself, for steps that have no rule.
            let (term, plain) = match ruled {
                Some(term) => {
                    let plain = run.multiplied_out(&term);
                    (run.if_bounded(term), plain)
                }
                None => {
                    let over = self.eval_beside_end(extended, &frames[0], site, instruction, branches)?;
                    let at = self.eval_beside_end(extended, &frames[1], site, instruction, &mut known)?;
                    let at = exact(extended, at);
                    // At the zero of the root the result is 0 by definition.
                    let is_zero = known_at_end.zeros.contains(&own);
                    let term = run.regular_term(over.clone(), at.clone());
                    let zero = |term| if is_zero { run.divide_out_zero(term, None) } else { Some(term) };
                    (term.and_then(zero), [over, at])
                }
            };
            // A branch that may change along the piece has no expansion.
            if !branches.undecided.is_empty() {
                return Ok(PuiseuxOutcome::Failed);
            }
            found.push(term);
            frames.iter_mut().zip(plain.into_iter().chain([beside])).for_each(|(frame, jet)| frame.results.push(jet));
        }
        let output = block.outputs.first().and_then(|r| found[r.0 as usize].clone());
        Ok(match output {
            Some(PuiseuxTerm { power, over, at }) => {
                PuiseuxOutcome::Expanded(PuiseuxExpansion { ramification, power, algebra: extended.clone(), over, at })
            }
            None => PuiseuxOutcome::Failed,
        })
    }
}
