//! **Conditions** (`number::function`): a row of the table says where an operation has a value and where it is analytic.
//!
//! | the row says | tested against |
//! |---|---|
//! | the operation has a value on a box | a run in both tiers, which is defined exactly then |
//! | it is analytic at a point | jets of order 4, which are defined and bounded exactly then |
//! | its border is a kink, a jump or a root | the widths of value and slope there |
//! | floating-point numbers have a finite value | a run of the floating-point semantics |
//!
//! The row is an argument, so that a wrong one can be refuted. The number tier reads some rows itself: a wrong row in the
//! table would be believed by it, and is refuted by jets, whose slopes are formulas, or by floating-point numbers.

use super::graphs::random_dyadic;
use crate::function::{BorderKind, Function, OperationConditions, PowerKind, RealOperation, Region};
use crate::meaning::float::Float;
use crate::model::universe::RealArithmetic;
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Context, Double, Enclosure, Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::map::range::EvalRequest;
use crate::syntax::constant::Constant;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The order of the jets.
const ORDER: u32 = 4;

/// An operation with a box of arguments.
#[derive(Clone, Debug)]
pub struct ConditionSample {
    /// The operation.
    pub operation: RealOperation,
    /// The exponent, if the operation is a power.
    pub exponent: Rational,
    /// The least and the greatest value of each argument: doubles.
    pub ranges: [[f64; 2]; 2],
}

/// Draws a number in lowest terms p/q with 1 ≤ p ≤ 3·q for an odd or an even q > 1: such a power is at most C³ at 0.
fn draw_fraction(random: &mut SplitMix64, is_even: bool) -> Rational {
    let q = *random.pick(if is_even { &[2, 4, 6] } else { &[3, 5, 7] });
    loop {
        let p = 1 + random.next_below(3 * q as usize) as i64;
        let fraction = Rational::from((p, q));
        if *fraction.denom() == q {
            return fraction;
        }
    }
}

/// The numbers at which some operation has a border or a pole.
const BORDERS: [f64; 6] = [0.0, 1.0, -1.0, -2.0, -3.0, 2.0];

impl ConditionSample {
    /// Draws a sample: half of the arguments lie on a border or next to one, and every third box is no point.
    #[must_use]
    pub fn draw(operation: RealOperation, random: &mut SplitMix64) -> Self {
        let whole = |random: &mut SplitMix64| Rational::from(random.next_below(4) as u32);
        let exponent = match operation {
            RealOperation::Power(PowerKind::Natural) => whole(random),
            RealOperation::Power(PowerKind::Inverse) => -whole(random) - 1_u32,
            RealOperation::Power(PowerKind::OddRoot) => draw_fraction(random, false),
            RealOperation::Power(PowerKind::InverseOddRoot) => -draw_fraction(random, false),
            RealOperation::Power(PowerKind::EvenRoot) => draw_fraction(random, true),
            RealOperation::Power(PowerKind::InverseEvenRoot) => -draw_fraction(random, true),
            _ => Rational::from(1),
        };
        let first = draw_number(random);
        let second = if random.random_bool(25) { first } else { draw_number(random) };
        let mut ranges = [[first; 2], [second; 2]];
        if random.random_bool(33) {
            let width = 1.0 / f64::from(1_u32 << random.next_below(12));
            for range in &mut ranges {
                range[1] += width * random.next_below(2) as f64;
            }
        }
        Self { operation, exponent, ranges }
    }

    fn is_point(&self) -> bool {
        self.ranges.iter().all(|[lo, hi]| lo == hi)
    }

    /// Builds the operation at two coordinates.
    fn to_graph(&self, x: &Graph, y: &Graph) -> Graph {
        let difference = Graph::binary(Binary::Subtract, x, y);
        match self.operation {
            RealOperation::Arithmetic => Graph::binary(Binary::Multiply, x, y),
            RealOperation::Divide => Graph::binary(Binary::Divide, x, y),
            RealOperation::Power(_) => Graph::power(x, &self.exponent).unwrap_or_else(|| x.clone()),
            RealOperation::RealPower => {
                let product = Graph::binary(Binary::Multiply, y, &Graph::function(Function::Log, x));
                Graph::function(Function::Exp, &product)
            }
            RealOperation::Abs => Graph::unary(Unary::Abs, x),
            RealOperation::Signum => Graph::unary(Unary::Signum, x),
            RealOperation::Maximum => Graph::binary(Binary::Maximum, x, y),
            RealOperation::Minimum => Graph::binary(Binary::Minimum, x, y),
            // a comparison is the sign of the difference
            RealOperation::Compare => Graph::unary(Unary::Signum, &difference),
            RealOperation::Function(f) => Graph::function(f, x),
            RealOperation::Binary(f) => Graph::binary(Binary::Planar(f), x, y),
        }
    }

    /// Runs the operation along (1, -1), and returns its Taylor coefficients up to an order. `None` if the run failed.
    fn run(&self, tier: Precision, order: u32) -> Option<Vec<Enclosure>> {
        let variables = [Variable::fresh(), Variable::fresh()];
        let [x, y] = variables.map(Graph::variable);
        let map = Arc::new(DynMap::of_graphs(&variables, &[self.to_graph(&x, &y)]).ok()?);
        let exact = |x: &f64| Rational::from_f64(*x);
        let inputs = self.ranges.iter().map(|[lo, hi]| Some([exact(lo)?, exact(hi)?])).collect::<Option<_>>()?;
        let mut request = EvalRequest::for_value(&map, inputs);
        if order > 0 {
            let along = vec![Rational::from(1), Rational::from(-1)];
            request.directions = vec![(AlgebraGenerator::Direction(order), along)];
            request.requested = (0..=order).map(|k| vec![k]).collect();
            request.as_coefficient = true;
        }
        let budget = Budget::unlimited();
        request.enclose_results(tier, &PassOptions::new(Magnitude::power_of_two(-20), &budget)).ok()
    }

    /// Computes the operation in floating-point numbers, at the lower ends. `None` if the semantics lacks it.
    fn run_in_floats(&self) -> Option<f64> {
        let float = Float::new(Arc::new(Budget::unlimited()));
        let [x, y] = self.ranges.map(|[lo, _]| Rational::from_f64(lo)).map(Option::unwrap_or_default);
        let [x, y] = [x, y].map(|q| float.rational_constant(&q));
        let unary = |constant: Constant| float.apply_real_constant(constant, &[&x]);
        let binary = |constant: Constant| float.apply_real_constant(constant, &[&x, &y]);
        let value = match self.operation {
            RealOperation::Arithmetic => binary(Constant::Multiply),
            RealOperation::Divide => binary(Constant::Divide),
            RealOperation::Power(_) => float.literal_power(&x, &self.exponent),
            RealOperation::RealPower => binary(Constant::RealPower),
            RealOperation::Abs => unary(Constant::Abs),
            RealOperation::Signum => unary(Constant::Signum),
            RealOperation::Maximum => binary(Constant::Max),
            RealOperation::Minimum => binary(Constant::Min),
            RealOperation::Compare => return float.compare_reals(Constant::RealLess, &x, &y).ok().map(f64::from),
            RealOperation::Function(f) => unary(Constant::Elementary(f)),
            RealOperation::Binary(f) => binary(Constant::Planar(f)),
        };
        value.ok().map(|value| value.plain_value())
    }
}

/// Draws a dyadic number: on a border, next to one, or anywhere in [-8, 8].
fn draw_number(random: &mut SplitMix64) -> f64 {
    let border = *random.pick(&BORDERS);
    match random.next_below(6) {
        0 | 1 => border,
        2 => border + random.pick(&[-1.0, 1.0]) / f64::from(1_u32 << (4 + random.next_below(16))),
        // the double next to π/2 from below: a box above it contains a zero of the cosine
        3 => std::f64::consts::FRAC_PI_2,
        _ => random_dyadic(random).to_f64(),
    }
}

/// **The conditions of an operation are true**: a row agrees with both tiers, with jets of order 4 and with floating-point
/// numbers on a sample. Vacuous if no run is possible.
pub fn conditions_hold(sample: &ConditionSample, row: &OperationConditions) -> Verdict {
    let refuted = |said: String, found: String| Verdict::refuted(format!("{sample:?}"), said, found);
    let boxes = sample.ranges.map(|[lo, hi]| Double::interval_between(lo, hi));
    let contains = |region: Region| Double.region_contains(region, &[&boxes[0], &boxes[1]]);
    let has_value = contains(row.value);
    for tier in [Precision::Double, Precision::Mpfr(200)] {
        let Some(found) = sample.run(tier, 0) else { return Verdict::Vacuous };
        if found[0].is_defined() != has_value {
            return refuted(format!("a value: {has_value}"), found[0].to_string());
        }
    }
    if !sample.is_point() {
        return Verdict::Survived;
    }
    let exact: Vec<_> = sample.ranges.iter().filter_map(|[x, _]| Rational::from_f64(*x)).collect();
    let exact: Vec<_> = exact.iter().collect();
    // the readings by enclosures and by rational numbers agree at a point
    for region in [row.value, row.analytic] {
        let excludes = Double.region_excludes(region, &[&boxes[0], &boxes[1]]);
        if [region.contains_rationals(&exact), !excludes] != [contains(region); 2] {
            return refuted(format!("inside: {}", contains(region)), format!("excluded: {excludes}"));
        }
    }
    let is_analytic = contains(row.analytic);
    let Some(jet) = sample.run(Precision::Mpfr(200), ORDER) else { return Verdict::Vacuous };
    let is_known = |number: &Enclosure| number.is_defined() && number.lo().is_finite() && number.hi().is_finite();
    if jet.iter().all(is_known) != is_analytic {
        let found: Vec<_> = jet.iter().map(ToString::to_string).collect();
        return refuted(format!("analytic: {is_analytic}"), found.join(", "));
    }
    if has_value && !is_analytic {
        let is_wide = |number: &Enclosure| number.width() > Magnitude::power_of_two(-1);
        let found = match (is_wide(&jet[0]), is_known(&jet[1])) {
            (true, _) => BorderKind::Jump,
            (false, true) if is_wide(&jet[1]) => BorderKind::Kink,
            (false, _) => BorderKind::Root,
        };
        if found != row.border {
            return refuted(format!("{:?}", row.border), format!("{found:?}"));
        }
    }
    let Some(float) = sample.run_in_floats() else { return Verdict::Vacuous };
    if float.is_finite() != contains(row.in_floats) {
        return refuted(format!("finite in floats: {}", contains(row.in_floats)), float.to_string());
    }
    Verdict::Survived
}
