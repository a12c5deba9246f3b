//! Ranges of a map ℝ ⇝ ℝ, and of its derivatives, over intervals.
//!
//! A [`UnivariateMap`] is a graph of one variable, compiled. Run over `ℝ[ε]/ε^{k+1}` at a whole interval `X`, its coefficient of
//! `εᵏ`, times k!, encloses every value of the k-th derivative on X; at order 1 the values are Clarke's sets. One order
//! more gives the slope `S` of that derivative on X, and where S is bounded the mean value theorem (Lebourg's, for Clarke
//! derivatives) narrows the range: with f the k-th derivative and `X = [a, b]`,
//!
//! `f(x) ∈ (f(a) + S·(x - a)) ∩ (f(b) - S·(b - x))`,
//!
//! which is the hull of f(a) and f(b) where S does not change sign. No range is claimed where the map is not certainly
//! defined on all of X.

use crate::number::accuracy::PassOptions;
use crate::number::double::Double;
use crate::number::mpfr::Mpfr;
use crate::number::real::Precision;
use crate::number::{Enclosure, Rational};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::{Block, BlockInstruction, CompiledMap};
use std::sync::Arc;

/// The largest nesting depth of blocks whose branch points are recorded.
const MAX_RECORDED_DEPTH: u32 = 4;

/// A compiled map ℝ ⇝ ℝ; see the [module](self).
#[derive(Debug)]
pub struct UnivariateMap {
    program: CompiledMap,
}

/// A closed interval with exact endpoints, and enclosures of the function there.
#[derive(Clone, Copy, Debug)]
pub struct Chord<'a> {
    /// The endpoints, left then right.
    pub ends: [&'a Rational; 2],
    /// Enclosures of the function at the endpoints.
    pub values: [&'a Enclosure; 2],
}

impl UnivariateMap {
    /// Compiles the map `variable ↦ graph`.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has other free variables.
    pub fn new(variable: Variable, graph: &Graph) -> Result<Self, SmoothError> {
        let outputs = std::slice::from_ref(graph);
        let (program, unbound) = CompiledMap::compile_open(&[variable], outputs);
        match unbound.len() {
            0 => Ok(Self { program }),
            found => Err(SmoothError::Dimension { expected: 1, found: found + 1 }),
        }
    }

    /// Encloses the k-th derivative over `[lo, hi]`: every value it takes there lies in the enclosure. Returns ⊥ if it
    /// is not certainly defined on the whole interval.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`].
    pub fn range_over(
        &self,
        [lo, hi]: [&Rational; 2],
        order: u32,
        tier: Precision,
        effort: &PassOptions,
    ) -> Result<Enclosure, SmoothError> {
        Ok(self.range_and_branches([lo, hi], order, tier, effort)?.0)
    }

    /// Like [`range`](Self::range_over), with `true` if every recorded branch point is decided on the interval. If [all of
    /// them are recorded](Self::records_all_branches), the map is then smooth there, where defined.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`].
    pub fn range_and_branches(
        &self,
        [lo, hi]: [&Rational; 2],
        order: u32,
        tier: Precision,
        effort: &PassOptions,
    ) -> Result<(Enclosure, bool), SmoothError> {
        match tier {
            Precision::Double => range_with_branches(&self.program, [lo, hi], order, &Double, effort),
            Precision::Mpfr(bits) => range_with_branches(&self.program, [lo, hi], order, &Mpfr::new(bits), effort),
        }
    }

    /// Returns `true` if every undecided branch point is recorded: none belongs to a solver or to a primitive from
    /// outside, and none lies deep inside derivatives.
    #[must_use]
    pub fn records_all_branches(&self) -> bool {
        let root = &self.program.root;
        !root.has_solver && root.depth <= MAX_RECORDED_DEPTH && !has_primitive(root)
    }

    /// Like [`range`](Self::range_over), narrowed by the mean value theorem: the slope, and the values at the endpoints.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`]; [`SmoothError::DisjointEnclosures`].
    pub fn range_by_mean_value(
        &self,
        chord: Chord,
        order: u32,
        tier: Precision,
        effort: &PassOptions,
    ) -> Result<Enclosure, SmoothError> {
        match tier {
            Precision::Double => narrow_by_slope(&self.program, chord, order, &Double, effort),
            Precision::Mpfr(bits) => narrow_by_slope(&self.program, chord, order, &Mpfr::new(bits), effort),
        }
    }
}

/// Returns `true` if a block, or a block that it differentiates, uses a primitive from outside.
fn has_primitive(block: &Block) -> bool {
    block.instructions.iter().any(|instruction| match instruction {
        BlockInstruction::Primitive(..) => true,
        BlockInstruction::Derivative { body, .. } => has_primitive(body),
        _ => false,
    })
}

/// The result of a run over an interval.
struct IntervalRun<N> {
    derivatives: Vec<N>,
    /// The branch points that are not decided there.
    undecided: Vec<BranchPoint>,
}

/// Returns the derivatives of the given orders over an interval, and the undecided branch points. Returns `None` if the
/// algebra is too large.
fn derivatives_over<C: HookedContext>(
    program: &CompiledMap,
    [lo, hi]: [&Rational; 2],
    orders: &[u32],
    context: &C,
    effort: &PassOptions,
) -> Result<Option<IntervalRun<C::Num>>, SmoothError> {
    let real = Algebra::real();
    let highest = orders.iter().copied().max().unwrap_or(0);
    let Some(line) =
        (if highest == 0 { Some(real.clone()) } else { real.adjoin(AlgebraGenerator::Direction(highest)) })
    else {
        return Ok(None);
    };
    let machine = JetEvaluator::new(context, effort, &real, program);
    let x = context.hull(&context.enclose_rational(lo), &context.enclose_rational(hi));
    let x = if highest == 0 { Jet::constant(x) } else { Jet::new([Some(x), Some(context.enclose_integer(1))]) };
    let mut branches = BranchDecisions::default();
    let y = machine.eval_derivatives(&program.root, &line, [&[x], &[]], 0, &mut branches)?;
    let value = machine.jets(&line).value_of(&y[0]);
    let coefficient = |k: u32| {
        // the coefficient of εᵏ is the k-th derivative over k!
        let c = y[0].get(k as usize).cloned().unwrap_or_else(|| context.enclose_integer(0));
        let c = (1..=k).fold(c, |c, n| context.mul_integer(&c, i64::from(n)));
        if context.is_defined(&value) { c } else { context.mark_undefined(c) }
    };
    Ok(Some(IntervalRun {
        derivatives: orders.iter().map(|&k| coefficient(k)).collect(),
        undecided: branches.undecided,
    }))
}

fn range_with_branches<C: HookedContext>(
    program: &CompiledMap,
    ends: [&Rational; 2],
    order: u32,
    context: &C,
    effort: &PassOptions,
) -> Result<(Enclosure, bool), SmoothError> {
    let found = derivatives_over(program, ends, &[order], context, effort)?;
    let Some(IntervalRun { derivatives, undecided }) = found else { return Ok((Enclosure::bottom(), false)) };
    let range = defined_or_bottom(context, &derivatives[0]);
    // a sign that the range of a branch point leaves open may follow from its slope: try each
    for switch in undecided {
        if !is_decided(program, ends, switch, context, effort)? {
            return Ok((range, false));
        }
    }
    Ok((range, true))
}

/// Returns `true` if the number of a branch point has a sign by its slope and its values at the endpoints.
fn is_decided<C: HookedContext>(
    program: &CompiledMap,
    ends: [&Rational; 2],
    switch: BranchPoint,
    context: &C,
    effort: &PassOptions,
) -> Result<bool, SmoothError> {
    let real = Algebra::real();
    let Some(line) = real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(false) };
    let machine = JetEvaluator::new(context, effort, &real, program);
    let number = |algebra: &Arc<Algebra>, x: Jet<C::Num>| {
        let asked = EvalTarget::BranchPoint(switch);
        machine
            .eval_block(&program.root, algebra, &[x], &[], &mut BranchDecisions::default(), asked)
            .map(|mut found| found.swap_remove(0))
    };
    let [a, b] = ends.map(|end| context.enclose_rational(end));
    let over = number(&line, Jet::new([Some(context.hull(&a, &b)), Some(context.enclose_integer(1))]))?;
    let slope = over.get(1).cloned().unwrap_or_else(|| context.enclose_integer(0));
    let length = context.sub(&b, &a);
    let mut values = Vec::with_capacity(2);
    for end in [a, b] {
        values.push(machine.jets(&real).value_of(&number(&real, Jet::constant(end))?));
    }
    let is_known = |n: &C::Num| context.is_defined(n) && context.is_bounded(n);
    let all = [&machine.jets(&line).value_of(&over), &slope, &values[0], &values[1]];
    Ok(all.into_iter().all(is_known) && {
        let range = mean_value(context, [&values[0], &values[1]], &slope, &length);
        !context.contains_zero(&range)
    })
}

fn narrow_by_slope<C: HookedContext>(
    program: &CompiledMap,
    chord: Chord,
    order: u32,
    context: &C,
    effort: &PassOptions,
) -> Result<Enclosure, SmoothError> {
    let Some(found) = derivatives_over(program, chord.ends, &[order, order + 1], context, effort)? else {
        return Ok(Enclosure::bottom());
    };
    let [range, slope] = &found.derivatives[..] else { return Ok(Enclosure::bottom()) };
    let ends = chord.values.map(|v| context.round_enclosure(v));
    // without a bounded slope the mean value theorem says nothing
    let usable = [range, slope, &ends[0], &ends[1]].iter().all(|n| context.is_defined(n));
    if !usable || !context.is_bounded(slope) || !ends.iter().all(|e| context.is_bounded(e)) {
        return Ok(defined_or_bottom(context, range));
    }
    let [a, b] = chord.ends.map(|q| context.enclose_rational(q));
    let mean = mean_value(context, [&ends[0], &ends[1]], slope, &context.sub(&b, &a));
    let both = context.intersect(range, &mean);
    Ok(defined_or_bottom(
        context,
        &both.ok_or(SmoothError::DisjointEnclosures { construct: "the range of a function" })?,
    ))
}

/// Returns ⊥ for a number that is not certainly defined.
fn defined_or_bottom<C: HookedContext>(context: &C, found: &C::Num) -> Enclosure {
    if context.is_defined(found) { context.to_enclosure(found) } else { Enclosure::bottom() }
}

/// Encloses a function on an interval of the given length, from its values at the endpoints and its bounded slope.
///
/// With `[l, u]` the slope, `l < 0 < u`, and t the distance from the left end: `f ≤ f_a + u·t`, which increases, and
/// `f ≤ f_b - l·(length - t)`, which decreases. The lesser of the two is nowhere above the height at which they cross,
/// `(u·f_b - l·f_a - u·l·length)/(u - l)`. In the same way for the lower bound.
fn mean_value<C: HookedContext>(context: &C, [left, right]: [&C::Num; 2], slope: &C::Num, length: &C::Num) -> C::Num {
    let hull = context.hull(left, right);
    let (Some(l), Some(u)) = (context.lower(slope), context.upper(slope)) else { return hull };
    // monotone: the extreme values are at the endpoints
    if context.is_nonnegative(slope) || context.is_nonnegative(&context.neg(slope)) {
        return hull;
    }
    let both = context.mul(&context.mul(&u, &l), length);
    let span = context.sub(&u, &l);
    let crossing = |at_left: &C::Num, at_right: &C::Num| {
        let sum = context.sub(&context.mul(&u, at_right), &context.mul(&l, at_left));
        context.div(&context.sub(&sum, &both), &span)
    };
    let above = crossing(left, right);
    let negated = crossing(&context.neg(right), &context.neg(left));
    // reflection in the middle of the interval and in 0 keeps the slope, so the lower bound is an upper one
    let below = context.neg(&negated);
    context.hull(&hull, &context.hull(&above, &below))
}
