//! Integrals between two boundaries as integrals over [0, 1], starting at an end that is known exactly.

use super::distance::{BoundedCoordinate, DistanceProduct, roots_at_ends};
use crate::measure::cells::CellBounds;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::measure::draws::TraceCoordinate;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};

/// Returns `true` if only the right boundary is an end of the distribution, where the density may be 0 or unbounded.
pub(super) fn starts_at_right(x: &TraceCoordinate, between: &CellBounds) -> bool {
    let ends = x.distribution.ends();
    let [left, right] = [0, 1].map(|i| {
        let border = between[i].as_ref().and_then(Graph::as_rational);
        border.is_some() && border == ends[i].as_ref().and_then(Graph::as_rational)
    });
    right && !left
}

/// Rewrites an integral between two boundaries as one over [0, 1], from the right if `right`. `scale` is σ for
/// unbounded ones.
pub(super) fn to_unit_interval(
    y: Variable,
    between: &CellBounds,
    right: bool,
    scale: &Rational,
    body: &Graph,
) -> Graph {
    let u = Variable::fresh();
    let roots = roots_at_ends(y, between, body);
    match between {
        [Some(a), Some(b)] => {
            let width = subtract(b, a);
            let over = |place: Graph, parts: [DistanceProduct; 2]| {
                BoundedCoordinate { variable: y, between, map: place, width: width.clone(), parts }
                    .substitute_into(body)
            };
            // the start is the end with a rational value, so that factors are 0 there by their form
            let from_right = right || a.as_rational().is_none() && b.as_rational().is_some();
            // squares in u at ends where the map has square roots: the integrand becomes analytic
            let pace = UnitReparametrisation::analytic_at(u, if from_right { [roots[1], roots[0]] } else { roots });
            let [near, far] = pace.parts.clone();
            let way = multiply(&width, &near.to_graph());
            let inner = match from_right {
                true => over(subtract(b, &way), [far, near]),
                false => over(add(a, &way), [near, far]),
            };
            pace.integrate_product(u, &[&width], &multiply(&width, &inner))
        }
        // two half-lines, split at 0: the caller has cut at the bulk, so ℝ is a cell only for draws without one
        [None, None] => {
            let at_zero = Graph::integer(0);
            let left = to_unit_interval(y, &[None, Some(at_zero.clone())], false, scale, body);
            add(&left, &to_unit_interval(y, &[Some(at_zero), None], false, scale, body))
        }
        [Some(border), None] | [None, Some(border)] => {
            // y = border ± σ·(1 - t)/t, with dy = ∓σ/t² dt
            // t = 0 is infinity: square roots occur at t = 1 only
            let pace = UnitReparametrisation::analytic_at(u, [false, roots[0] || roots[1]]);
            let [t, rest] = pace.parts.clone();
            let (t, scale) = (t.to_graph(), Graph::rational(scale.clone()));
            let far = DistanceProduct { distance: divide(&multiply(&scale, &rest.distance), &t), ..rest };
            let place = match between {
                [Some(_), _] => add(border, &far.to_graph()),
                [None, _] => subtract(border, &far.to_graph()),
            };
            let parts = [far.clone(), far];
            let inner = BoundedCoordinate { variable: y, between, map: place, width: Graph::integer(1), parts }
                .substitute_into(body);
            let speed = divide(&scale, &power(&t, &Rational::from(2)));
            pace.integrate_product(u, &[], &multiply(&inner, &speed))
        }
    }
}

/// A reparametrisation of [0, 1]: the parts before and after a point, and its derivative.
struct UnitReparametrisation {
    /// The fractions of [0, 1] before and after the point.
    parts: [DistanceProduct; 2],
    /// The derivative of the reparametrisation.
    derivative: Graph,
}

impl UnitReparametrisation {
    /// Makes a reparametrisation under which square roots of the distance are analytic at the ends marked in `roots`.
    fn analytic_at(u: Variable, roots: [bool; 2]) -> Self {
        let (u, one) = (Graph::variable(u), Graph::integer(1));
        let v = subtract(&one, &u);
        let [two, three, six] = [2, 3, 6].map(Graph::integer);
        let (parts, derivative) = match roots {
            [false, false] => ([DistanceProduct::of_distance(u), DistanceProduct::of_distance(v)], one),
            [true, false] => {
                let rest = multiply(&v, &add(&one, &u));
                ([DistanceProduct::of_square(u.clone(), one), DistanceProduct::of_distance(rest)], multiply(&two, &u))
            }
            [false, true] => {
                let before = multiply(&u, &subtract(&two, &u));
                ([DistanceProduct::of_distance(before), DistanceProduct::of_square(v.clone(), one)], multiply(&two, &v))
            }
            // 3u² - 2u³ and its complement, v²(3 - 2v)
            [true, true] => {
                let [to_left, to_right] = [&u, &v].map(|w| subtract(&three, &multiply(&two, w)));
                let parts =
                    [DistanceProduct::of_square(u.clone(), to_left), DistanceProduct::of_square(v.clone(), to_right)];
                (parts, multiply(&six, &multiply(&u, &v)))
            }
        };
        Self { parts, derivative }
    }
}

/// The greatest number of factors to separate. A choice: shared products of products have more factors than nodes.
const MAX_FACTORS: usize = 64;

impl UnitReparametrisation {
    /// Integrates a map over [0, 1], with the factors that do not depend on the variable in front.
    ///
    /// Powers of the sides of the reparametrisation cancel, and so do powers of the maps in `positive`. Both must be
    /// positive inside.
    fn integrate_product(&self, u: Variable, positive: &[&Graph], body: &Graph) -> Graph {
        let sides = self.parts.iter().map(|part| &part.side).filter(|side| side.as_rational().is_none());
        let mut powers: Vec<(&Graph, Rational)> =
            sides.chain(positive.iter().copied()).map(|g| (g, Rational::new())).collect();
        let (mut constant, mut own) = (Graph::integer(1), Graph::integer(1));
        let times =
            |product: &Graph, by: &Graph, is_under| if is_under { divide(product, by) } else { multiply(product, by) };
        let (mut waiting, mut count) = (vec![(&self.derivative, false), (body, false)], 0);
        while let Some((graph, is_under)) = waiting.pop() {
            count += 1;
            let (base, exponent) = match graph.operation() {
                NodeOperation::Power(base, e) => (base, Rational::from((e.numerator, i64::from(e.denominator)))),
                _ => (graph, Rational::from(1)),
            };
            // sides are found by address: the substitution shares their nodes
            if let Some((_, sum)) = powers.iter_mut().find(|(side, _)| side.address() == base.address()) {
                *sum += if is_under { -exponent } else { exponent };
                continue;
            }
            match graph.operation() {
                NodeOperation::Binary(Binary::Multiply, a, b) if count < MAX_FACTORS => {
                    waiting.extend([(b, is_under), (a, is_under)]);
                }
                // a divisor of a divisor stays in place: were it 0, there would be no value, but as a factor it would
                // be 0
                NodeOperation::Binary(Binary::Divide, a, b) if count < MAX_FACTORS && !is_under => {
                    waiting.extend([(b, true), (a, false)]);
                }
                NodeOperation::Unary(Unary::Negate, a) if count < MAX_FACTORS => {
                    constant = negate(&constant);
                    waiting.push((a, is_under));
                }
                _ if graph.depends_on(u) => own = times(&own, graph, is_under),
                _ => constant = times(&constant, graph, is_under),
            }
        }
        for (side, sum) in powers.into_iter().filter(|(_, sum)| !sum.is_zero()) {
            let found = if sum == 1 { side.clone() } else { power(side, &sum) };
            match side.depends_on(u) {
                true => own = multiply(&own, &found),
                false => constant = multiply(&constant, &found),
            }
        }
        multiply(&constant, &Graph::integral(u, own))
    }
}
