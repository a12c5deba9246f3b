//! Ranges of a map ℝ ⇝ ℝ, and of its derivatives, over intervals.
//!
//! A [`Curve`] is a graph of one variable, compiled. Run over `ℝ[ε]/ε^{k+1}` at a whole interval `X`, its coefficient of
//! `εᵏ`, times k!, encloses every value of the k-th derivative on X; at order 1 the values are Clarke's sets. One order
//! more gives the slope `S` of that derivative on X, and where S is bounded the mean value theorem (Lebourg's, for Clarke
//! derivatives) narrows the range: with f the k-th derivative and `X = [a, b]`,
//!
//! `f(x) ∈ (f(a) + S·(x - a)) ∩ (f(b) - S·(b - x))`,
//!
//! which is the hull of f(a) and f(b) where S does not change sign. No range is claimed where the map is not certainly
//! defined on all of X.

use crate::number::double::Double;
use crate::number::effort::Effort;
use crate::number::mpfr::Mpfr;
use crate::number::real::Tier;
use crate::number::{Enclosure, Rational};
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::{Block, Instruction, Program};
use std::sync::Arc;

/// The largest nesting depth of blocks whose branch points are recorded.
const MOST_SEEN: u32 = 4;

/// A compiled map ℝ ⇝ ℝ; see the [module](self).
#[derive(Debug)]
pub struct Curve {
    program: Program,
}

/// A closed interval with exact endpoints, and enclosures of the function there.
#[derive(Clone, Copy, Debug)]
pub struct Chord<'a> {
    /// The endpoints, left then right.
    pub ends: [&'a Rational; 2],
    /// Enclosures of the function at the endpoints.
    pub values: [&'a Enclosure; 2],
}

impl Curve {
    /// Compiles the map `variable ↦ graph`.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has other free variables.
    pub fn new(variable: Variable, graph: &Graph) -> Result<Self, SmoothError> {
        let outputs = std::slice::from_ref(graph);
        let (program, unbound) = Program::of(&[variable], outputs);
        match unbound.len() {
            0 => Ok(Self { program }),
            found => Err(SmoothError::Dimension { expected: 1, found: found + 1 }),
        }
    }

    /// Encloses the k-th derivative over `[lo, hi]`: every value it takes there lies in the enclosure. Returns ⊥ if it
    /// is not certainly defined on the whole interval.
    ///
    /// # Errors
    /// Errors of [`Machine::run`].
    pub fn range(
        &self,
        [lo, hi]: [&Rational; 2],
        order: u32,
        tier: Tier,
        effort: &Effort,
    ) -> Result<Enclosure, SmoothError> {
        Ok(self.range_and_choices([lo, hi], order, tier, effort)?.0)
    }

    /// Like [`range`](Self::range), with `true` if every recorded branch point is decided on the interval. If [all of
    /// them are recorded](Self::shows_choices), the map is then smooth there, where defined.
    ///
    /// # Errors
    /// Errors of [`Machine::run`].
    pub fn range_and_choices(
        &self,
        [lo, hi]: [&Rational; 2],
        order: u32,
        tier: Tier,
        effort: &Effort,
    ) -> Result<(Enclosure, bool), SmoothError> {
        match tier {
            Tier::Double => natural(&self.program, [lo, hi], order, &Double, effort),
            Tier::Mpfr(bits) => natural(&self.program, [lo, hi], order, &Mpfr::new(bits), effort),
        }
    }

    /// Returns `true` if every undecided branch point is recorded: none belongs to a solver or to a primitive from
    /// outside, and none lies deep inside derivatives.
    #[must_use]
    pub fn shows_choices(&self) -> bool {
        let root = &self.program.root;
        !root.has_solver && root.depth <= MOST_SEEN && !has_primitive(root)
    }

    /// Like [`range`](Self::range), narrowed by the mean value theorem: the slope, and the values at the endpoints.
    ///
    /// # Errors
    /// Errors of [`Machine::run`]; [`SmoothError::Contradiction`].
    pub fn range_by_slope(
        &self,
        chord: Chord,
        order: u32,
        tier: Tier,
        effort: &Effort,
    ) -> Result<Enclosure, SmoothError> {
        match tier {
            Tier::Double => by_slope(&self.program, chord, order, &Double, effort),
            Tier::Mpfr(bits) => by_slope(&self.program, chord, order, &Mpfr::new(bits), effort),
        }
    }
}

/// Returns `true` if a block, or a block that it differentiates, uses a primitive from outside.
fn has_primitive(block: &Block) -> bool {
    block.instructions.iter().any(|instruction| match instruction {
        Instruction::Primitive(..) => true,
        Instruction::Derivative { body, .. } => has_primitive(body),
        _ => false,
    })
}

/// The result of a run over an interval.
struct Run<N> {
    derivatives: Vec<N>,
    /// The branch points that are not decided there.
    undecided: Vec<Switch>,
}

/// Returns the derivatives of the given orders over an interval, and the undecided branch points. Returns `None` if the
/// algebra is too large.
fn derivatives<C: Hooked>(
    program: &Program,
    [lo, hi]: [&Rational; 2],
    orders: &[u32],
    context: &C,
    effort: &Effort,
) -> Result<Option<Run<C::Num>>, SmoothError> {
    let real = Algebra::real();
    let highest = orders.iter().copied().max().unwrap_or(0);
    let Some(line) = (if highest == 0 { Some(real.clone()) } else { real.adjoin(Generator::Direction(highest)) })
    else {
        return Ok(None);
    };
    let machine = Machine::new(context, effort, &real, program);
    let x = context.hull(&context.rational(lo), &context.rational(hi));
    let x = if highest == 0 { Jet::constant(x) } else { Jet::new([Some(x), Some(context.integer(1))]) };
    let mut branches = Branches::default();
    let y = machine.derivatives(&program.root, &line, [&[x], &[]], 0, &mut branches)?;
    let value = machine.jets(&line).value(&y[0]);
    let coefficient = |k: u32| {
        // the coefficient of εᵏ is the k-th derivative over k!
        let c = y[0].get(k as usize).cloned().unwrap_or_else(|| context.integer(0));
        let c = (1..=k).fold(c, |c, n| context.scale(&c, i64::from(n)));
        if context.is_defined(&value) { c } else { context.undefined(c) }
    };
    Ok(Some(Run { derivatives: orders.iter().map(|&k| coefficient(k)).collect(), undecided: branches.undecided }))
}

fn natural<C: Hooked>(
    program: &Program,
    ends: [&Rational; 2],
    order: u32,
    context: &C,
    effort: &Effort,
) -> Result<(Enclosure, bool), SmoothError> {
    let found = derivatives(program, ends, &[order], context, effort)?;
    let Some(Run { derivatives, undecided }) = found else { return Ok((Enclosure::bottom(), false)) };
    let range = certain(context, &derivatives[0]);
    // a sign that the range of a branch point leaves open may follow from its slope: try each
    for switch in undecided {
        if !is_decided(program, ends, switch, context, effort)? {
            return Ok((range, false));
        }
    }
    Ok((range, true))
}

/// Returns `true` if the number of a branch point has a sign by its slope and its values at the endpoints.
fn is_decided<C: Hooked>(
    program: &Program,
    ends: [&Rational; 2],
    switch: Switch,
    context: &C,
    effort: &Effort,
) -> Result<bool, SmoothError> {
    let real = Algebra::real();
    let Some(line) = real.adjoin(Generator::Direction(1)) else { return Ok(false) };
    let machine = Machine::new(context, effort, &real, program);
    let number = |algebra: &Arc<Algebra>, x: Jet<C::Num>| {
        let asked = Target::Switch(switch);
        machine
            .run(&program.root, algebra, &[x], &[], &mut Branches::default(), asked)
            .map(|mut found| found.swap_remove(0))
    };
    let [a, b] = ends.map(|end| context.rational(end));
    let over = number(&line, Jet::new([Some(context.hull(&a, &b)), Some(context.integer(1))]))?;
    let slope = over.get(1).cloned().unwrap_or_else(|| context.integer(0));
    let length = context.sub(&b, &a);
    let mut values = Vec::with_capacity(2);
    for end in [a, b] {
        values.push(machine.jets(&real).value(&number(&real, Jet::constant(end))?));
    }
    let is_known = |n: &C::Num| context.is_defined(n) && context.is_bounded(n);
    let all = [&machine.jets(&line).value(&over), &slope, &values[0], &values[1]];
    Ok(all.into_iter().all(is_known) && {
        let range = mean_value(context, [&values[0], &values[1]], &slope, &length);
        !context.contains_zero(&range)
    })
}

fn by_slope<C: Hooked>(
    program: &Program,
    chord: Chord,
    order: u32,
    context: &C,
    effort: &Effort,
) -> Result<Enclosure, SmoothError> {
    let Some(found) = derivatives(program, chord.ends, &[order, order + 1], context, effort)? else {
        return Ok(Enclosure::bottom());
    };
    let [range, slope] = &found.derivatives[..] else { return Ok(Enclosure::bottom()) };
    let ends = chord.values.map(|v| context.enclosure(v));
    // without a bounded slope the mean value theorem says nothing
    let usable = [range, slope, &ends[0], &ends[1]].iter().all(|n| context.is_defined(n));
    if !usable || !context.is_bounded(slope) || !ends.iter().all(|e| context.is_bounded(e)) {
        return Ok(certain(context, range));
    }
    let [a, b] = chord.ends.map(|q| context.rational(q));
    let mean = mean_value(context, [&ends[0], &ends[1]], slope, &context.sub(&b, &a));
    let both = context.intersect(range, &mean);
    Ok(certain(context, &both.ok_or(SmoothError::Contradiction { construct: "the range of a function" })?))
}

/// Returns ⊥ for a number that is not certainly defined.
fn certain<C: Hooked>(context: &C, found: &C::Num) -> Enclosure {
    if context.is_defined(found) { context.to_enclosure(found) } else { Enclosure::bottom() }
}

/// Encloses a function on an interval of the given length, from its values at the endpoints and its bounded slope.
///
/// With `[l, u]` the slope, `l < 0 < u`, and t the distance from the left end: `f ≤ f_a + u·t`, which increases, and
/// `f ≤ f_b - l·(length - t)`, which decreases. The lesser of the two is nowhere above the height at which they cross,
/// `(u·f_b - l·f_a - u·l·length)/(u - l)`. In the same way for the lower bound.
fn mean_value<C: Hooked>(context: &C, [left, right]: [&C::Num; 2], slope: &C::Num, length: &C::Num) -> C::Num {
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
