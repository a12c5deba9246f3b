//! A map ℝ ⇝ ℝ over intervals: the range of its k-th derivative.
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

use crate::number::context::Context;
use crate::number::double::Double;
use crate::number::effort::Effort;
use crate::number::mpfr::Mpfr;
use crate::number::real::Tier;
use crate::number::{Enclosure, Rational};
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Machine};
use crate::smooth::program::Program;

/// A compiled map ℝ ⇝ ℝ; see the [module](self).
#[derive(Debug)]
pub struct Curve {
    program: Program,
}

/// A closed interval with exact ends, and what is known of the function at them.
#[derive(Clone, Copy, Debug)]
pub struct Chord<'a> {
    /// The left end and the right end, in this order.
    pub ends: [&'a Rational; 2],
    /// Enclosures of the function there.
    pub values: [&'a Enclosure; 2],
}

impl Curve {
    /// The map `variable ↦ graph`.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when the graph has other free variables.
    pub fn new(variable: Variable, graph: &Graph) -> Result<Self, SmoothError> {
        let outputs = std::slice::from_ref(graph);
        let (program, unbound) = Program::of(&[variable], outputs);
        match unbound.len() {
            0 => Ok(Self { program }),
            found => Err(SmoothError::Dimension { expected: 1, found: found + 1 }),
        }
    }

    /// The k-th derivative over `[lo, hi]`: every value it takes there lies in the enclosure. ⊥ where it is not shown to
    /// be defined on the whole interval.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn range(
        &self,
        [lo, hi]: [&Rational; 2],
        order: u32,
        tier: Tier,
        effort: &Effort,
    ) -> Result<Enclosure, SmoothError> {
        match tier {
            Tier::Double => natural(&self.program, [lo, hi], order, &Double, effort),
            Tier::Mpfr(bits) => natural(&self.program, [lo, hi], order, &Mpfr::new(bits), effort),
        }
    }

    /// The same, narrowed by the slope and the values at the ends.
    ///
    /// # Errors
    /// Those of [`Machine::run`]; [`SmoothError::Contradiction`].
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

/// The derivatives of the two highest orders asked for, over an interval; `None` where the algebra is too large.
fn derivatives<C: Context>(
    program: &Program,
    [lo, hi]: [&Rational; 2],
    orders: &[u32],
    context: &C,
    effort: &Effort,
) -> Result<Option<Vec<C::Num>>, SmoothError> {
    let real = Algebra::real();
    let highest = orders.iter().copied().max().unwrap_or(0);
    let Some(line) = (if highest == 0 { Some(real.clone()) } else { real.adjoin(Generator::Direction(highest)) })
    else {
        return Ok(None);
    };
    let machine = Machine::new(context, effort, &real, program);
    let x = context.hull(&context.rational(lo), &context.rational(hi));
    let x = if highest == 0 { Jet::constant(x) } else { Jet::new([Some(x), Some(context.integer(1))]) };
    let y = machine.derivatives(&program.root, &line, [&[x], &[]], 0, &mut Branches::default())?;
    let value = machine.jets(&line).value(&y[0]);
    let coefficient = |k: u32| {
        let c = y[0].get(k as usize).cloned().unwrap_or_else(|| context.integer(0));
        let c = (1..=k).fold(c, |c, n| context.scale(&c, i64::from(n)));
        if context.is_defined(&value) { c } else { context.undefined(c) }
    };
    Ok(Some(orders.iter().map(|&k| coefficient(k)).collect()))
}

fn natural<C: Context>(
    program: &Program,
    ends: [&Rational; 2],
    order: u32,
    context: &C,
    effort: &Effort,
) -> Result<Enclosure, SmoothError> {
    let found = derivatives(program, ends, &[order], context, effort)?;
    Ok(found.map_or_else(Enclosure::bottom, |found| certain(context, &found[0])))
}

fn by_slope<C: Context>(
    program: &Program,
    chord: Chord,
    order: u32,
    context: &C,
    effort: &Effort,
) -> Result<Enclosure, SmoothError> {
    let Some(found) = derivatives(program, chord.ends, &[order, order + 1], context, effort)? else {
        return Ok(Enclosure::bottom());
    };
    let [range, slope] = &found[..] else { return Ok(Enclosure::bottom()) };
    let ends = chord.values.map(|v| context.enclosure(v));
    let usable = [range, slope, &ends[0], &ends[1]].iter().all(|n| context.is_defined(n));
    if !usable || !context.is_bounded(slope) || !ends.iter().all(|e| context.is_bounded(e)) {
        return Ok(certain(context, range));
    }
    let [a, b] = chord.ends.map(|q| context.rational(q));
    let mean = mean_value(context, [&ends[0], &ends[1]], slope, &context.sub(&b, &a));
    let both = context.intersect(range, &mean);
    Ok(certain(context, &both.ok_or(SmoothError::Contradiction { construct: "the range of a function" })?))
}

/// ⊥ for what is not certainly defined.
fn certain<C: Context>(context: &C, found: &C::Num) -> Enclosure {
    if context.is_defined(found) { context.to_enclosure(found) } else { Enclosure::bottom() }
}

/// The values of a function on an interval of a given length, from its values at the ends and its bounded slope.
///
/// With `[l, u]` the slope, `l < 0 < u`, and t the distance from the left end: `f ≤ f_a + u·t`, which increases, and
/// `f ≤ f_b - l·(length - t)`, which decreases. The lesser of the two is nowhere above the height at which they cross,
/// `(u·f_b - l·f_a - u·l·length)/(u - l)`. In the same way for the lower bound.
fn mean_value<C: Context>(context: &C, [left, right]: [&C::Num; 2], slope: &C::Num, length: &C::Num) -> C::Num {
    let hull = context.hull(left, right);
    let (Some(l), Some(u)) = (context.lower(slope), context.upper(slope)) else { return hull };
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
    // reflected in the middle of the interval and in 0, the slope is the same
    let below = context.neg(&negated);
    context.hull(&hull, &context.hull(&above, &below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::budget::Budget;
    use crate::number::context::Function;
    use crate::number::magnitude::Magnitude;
    use crate::smooth::graph::{Binary, Unary};

    fn q(n: i64, d: i64) -> Rational {
        Rational::from((n, d))
    }

    fn curve(body: impl Fn(&Graph) -> Graph) -> Curve {
        let v = Variable::fresh();
        Curve::new(v, &body(&Graph::variable(v))).unwrap()
    }

    /// The range over [a, b], narrowed by the slope; in both tiers.
    fn narrowed(curve: &Curve, a: Rational, b: Rational, order: u32) -> Enclosure {
        let budget = Budget::unlimited();
        let effort = Effort::new(Magnitude::power_of_two(-40), &budget);
        let [fine, coarse] = [Tier::Mpfr(160), Tier::Double].map(|tier| {
            let values = [&a, &b].map(|x| curve.range([x, x], order, tier, &effort).unwrap());
            let chord = Chord { ends: [&a, &b], values: [&values[0], &values[1]] };
            curve.range_by_slope(chord, order, tier, &effort).unwrap()
        });
        assert!(coarse.overlaps(&fine), "{coarse} {fine}");
        fine
    }

    #[test]
    fn a_monotone_function_has_the_range_of_its_ends() {
        // x² - x as a product forgets that its factors are one number; the slope remembers
        let f = curve(|x| Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, x, x), x));
        let range = narrowed(&f, q(3, 4), q(2, 1), 0);
        assert!(range.contains(&q(-3, 16)) && range.contains(&q(2, 1)) && range.is_within(&q(36, 16)));
    }

    #[test]
    fn a_turning_point_lies_in_the_range() {
        let f = curve(|x| Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, x, x), x));
        let range = narrowed(&f, q(3, 8), q(3, 4), 0);
        assert!(range.contains(&q(-1, 4)) && range.contains(&q(-3, 16)), "{range}");
        let wide = narrowed(&f, q(0, 1), q(1, 1), 0);
        assert!(wide.contains(&q(-1, 4)) && wide.contains(&q(0, 1)) && wide.is_within(&q(1, 1)), "{wide}");
        let negated = curve(|x| Graph::binary(Binary::Subtract, x, &Graph::binary(Binary::Multiply, x, x)));
        assert!(narrowed(&negated, q(3, 8), q(3, 4), 0).contains(&q(1, 4)));
    }

    #[test]
    fn the_derivative_over_a_kink_is_the_set_of_clarke() {
        let f = curve(|x| Graph::unary(Unary::Abs, x));
        let slope = narrowed(&f, q(-1, 100), q(1, 100), 1);
        let [minus, one] = [-1, 1].map(|n| Double.integer(n));
        assert_eq!(slope, Double.to_enclosure(&Double.hull(&minus, &one)));
        assert_eq!(narrowed(&f, q(1, 100), q(2, 100), 1), Double.to_enclosure(&one));
        assert!(narrowed(&f, q(-1, 100), q(1, 100), 2).is_bottom());
    }

    #[test]
    fn nothing_is_claimed_where_the_function_may_be_undefined() {
        let f = curve(|x| Graph::function(Function::Sqrt, x));
        assert_eq!(narrowed(&f, q(-1, 100), q(1, 100), 0), Enclosure::bottom());
        assert!(narrowed(&f, q(0, 1), q(1, 100), 0).contains(&q(1, 10)));
        assert_eq!(narrowed(&f, q(0, 1), q(1, 100), 1), Enclosure::bottom());
    }

    #[test]
    fn a_graph_of_two_variables_is_no_curve() {
        let [v, w] = [Variable::fresh(), Variable::fresh()];
        let sum = Graph::binary(Binary::Add, &Graph::variable(v), &Graph::variable(w));
        assert!(matches!(Curve::new(v, &sum), Err(SmoothError::Dimension { expected: 1, found: 2 })));
    }
}
