//! Integrals between two borders as ones over [0, 1], begun at an end that is known exactly.

use super::distance::{Product, Way, roots_at_ends};
use crate::measure::cells::Between;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::measure::draws::Coordinate;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};

/// Whether only the right border is an end of where a draw lies, at which its density may be 0 or have no bound.
pub(super) fn is_right(x: &Coordinate, between: &Between) -> bool {
    let ends = x.distribution.ends();
    let [left, right] = [0, 1].map(|i| {
        let border = between[i].as_ref().and_then(Graph::as_rational);
        border.is_some() && border == ends[i].as_ref().and_then(Graph::as_rational)
    });
    right && !left
}

/// ∫ between two borders, as one over [0, 1]; from the right, where that is wanted.
pub(super) fn along(y: Variable, between: &Between, right: bool, scale: &Rational, body: &Graph) -> Graph {
    let u = Variable::fresh();
    let over = |place: Graph, parts: [Product; 2]| Way { variable: y, between, place, parts }.along(body);
    let roots = roots_at_ends(y, between, body);
    match between {
        [Some(a), Some(b)] => {
            let width = subtract(b, a);
            // begun from an end that is known exactly, so that what is 0 there is seen to be
            let from_right = right || a.as_rational().is_none() && b.as_rational().is_some();
            let inner = if from_right {
                let Pace { parts: [near, far], factor } = Pace::new(u, [roots[1], roots[0]]);
                multiply(&over(subtract(b, &multiply(&width, &near.value())), [far, near]), &factor)
            } else {
                let Pace { parts: [near, far], factor } = Pace::new(u, roots);
                multiply(&over(add(a, &multiply(&width, &near.value())), [near, far]), &factor)
            };
            multiply(&width, &integral(u, &inner))
        }
        [None, None] => {
            let at_zero = Graph::integer(0);
            let left = along(y, &[None, Some(at_zero.clone())], false, scale, body);
            add(&left, &along(y, &[Some(at_zero), None], false, scale, body))
        }
        [a, b] => {
            // y = border ± σ·(1 - t)/t
            let Pace { parts: [t, rest], factor } = Pace::new(u, [false, roots[0] || roots[1]]);
            let (t, scale) = (t.value(), Graph::rational(scale.clone()));
            let far = Product { distance: divide(&multiply(&scale, &rest.distance), &t), ..rest };
            let place = match (a, b) {
                (Some(a), _) => add(a, &far.value()),
                (_, b) => subtract(b.as_ref().unwrap_or(&Graph::integer(0)), &far.value()),
            };
            let factor = multiply(&divide(&scale, &power(&t, &Rational::from(2))), &factor);
            integral(u, &multiply(&over(place, [far.clone(), far]), &factor))
        }
    }
}

/// How a way from 0 to 1 is gone: what part of it lies before and after, and how fast it is gone.
struct Pace {
    parts: [Product; 2],
    factor: Graph,
}

impl Pace {
    /// Such that the square roots of how far it is from the ends where it is wanted are analytic.
    fn new(u: Variable, roots: [bool; 2]) -> Self {
        let (u, one) = (Graph::variable(u), Graph::integer(1));
        let v = subtract(&one, &u);
        let [two, three, six] = [2, 3, 6].map(Graph::integer);
        let (parts, factor) = match roots {
            [false, false] => ([Product::of(u), Product::of(v)], one),
            [true, false] => {
                let rest = multiply(&v, &add(&one, &u));
                ([Product::square(u.clone(), one), Product::of(rest)], multiply(&two, &u))
            }
            [false, true] => {
                let before = multiply(&u, &subtract(&two, &u));
                ([Product::of(before), Product::square(v.clone(), one)], multiply(&two, &v))
            }
            // 3u² - 2u³ and what that is less than 1
            [true, true] => {
                let [to_left, to_right] = [&u, &v].map(|w| subtract(&three, &multiply(&two, w)));
                let parts = [Product::square(u.clone(), to_left), Product::square(v.clone(), to_right)];
                (parts, multiply(&six, &multiply(&u, &v)))
            }
        };
        Self { parts, factor }
    }
}

/// The most factors that are told apart: of shared products of products there are more than nodes.
const MOST_FACTORS: usize = 64;

/// ∫ over [0, 1], of which the factors that do not depend on the variable are not a part.
fn integral(s: Variable, body: &Graph) -> Graph {
    let (mut constant, mut own) = (Graph::integer(1), Graph::integer(1));
    let (mut waiting, mut count) = (vec![body], 0);
    while let Some(graph) = waiting.pop() {
        count += 1;
        match graph.operation() {
            Operation::Binary(Binary::Multiply, a, b) if count < MOST_FACTORS => waiting.extend([b, a]),
            Operation::Binary(Binary::Divide, a, b) if count < MOST_FACTORS && !b.depends_on(s) => {
                constant = divide(&constant, b);
                waiting.push(a);
            }
            Operation::Unary(Unary::Negate, a) if count < MOST_FACTORS => {
                constant = negate(&constant);
                waiting.push(a);
            }
            _ if graph.depends_on(s) => own = multiply(&own, graph),
            _ => constant = multiply(&constant, graph),
        }
    }
    multiply(&constant, &Graph::integral(s, own))
}
