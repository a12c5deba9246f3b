//! Integrals between two borders as ones over [0, 1], begun at an end that is known exactly.

use super::distance::Way;
use crate::measure::cells::Between;
use crate::measure::distribution::{add, divide, multiply, power, subtract};
use crate::measure::draws::Coordinate;
use crate::number::Rational;
use crate::smooth::graph::{Graph, Variable};

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
    let s = Variable::fresh();
    let t = Graph::variable(s);
    let one = Graph::integer(1);
    let far = || multiply(&Graph::rational(scale.clone()), &divide(&subtract(&one, &t), &t));
    let outer = || divide(&Graph::rational(scale.clone()), &power(&t, &Rational::from(2)));
    let over = |place: Graph, parts: [Graph; 2]| Way { variable: y, between, place, parts }.along(body);
    let (place, factor) = match between {
        [Some(a), Some(b)] => {
            let width = subtract(b, a);
            // begun from an end that is known exactly, so that what is 0 there is seen to be
            let way = multiply(&width, &t);
            let from_right = right || a.as_rational().is_none() && b.as_rational().is_some();
            let rest = subtract(&one, &t);
            let (place, parts) = match from_right {
                true => (subtract(b, &way), [rest, t.clone()]),
                false => (add(a, &way), [t.clone(), rest]),
            };
            return multiply(&width, &Graph::integral(s, over(place, parts)));
        }
        [Some(a), None] => (add(a, &far()), outer()),
        [None, Some(b)] => (subtract(b, &far()), outer()),
        [None, None] => {
            let at_zero = Graph::integer(0);
            let left = along(y, &[None, Some(at_zero.clone())], false, scale, body);
            return add(&left, &along(y, &[Some(at_zero), None], false, scale, body));
        }
    };
    Graph::integral(s, multiply(&over(place, [far(), far()]), &factor))
}
