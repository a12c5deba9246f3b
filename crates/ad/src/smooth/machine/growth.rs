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
//! Nothing is claimed at e itself. On `0 < s ≤ 1` the operations are defined as those on numbers are: a bound by N holds
//! for all these s, so a divisor whose N excludes 0 is never 0.

mod above;
mod double;
mod exponential;
mod integral;
mod logarithmic;
mod operation;
mod saturation;

use super::complex::has_kinks;
use super::switch::{self, BranchPoint};
use super::{BranchDecisions, JetEvaluator, RegisterFile, decide_branch};
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::number::magnitude::Magnitude;
use crate::number::work;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::machine::EvalTarget;
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
        let limbs = work::limb_count(self.context.precision());
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
        let zeros = match approach.root {
            Some(root) if root.is_own() => self.registers_zero_at(block, root.instruction(), first),
            _ => Vec::new(),
        };
        let output = run.bound_block(block, frames, (found, moving), &zeros, branches)?;
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
        zeros: &[BlockRegister],
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
            let limit = limit_on(at)?;
            let beside = near.as_ref().map(limit_on).transpose()?;
            let own = BlockRegister((first + index) as u32);
            let limits = [&limit, beside.as_ref().unwrap_or(&limit)];
            // The result at a zero of the root is 0 by definition, where the range at the end may only be near 0.
            let plain =
                if zeros.contains(&own) { run.bound_by_slope(&range) } else { run.bound_by_taylor(&range, limits) };
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
