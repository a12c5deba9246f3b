//! Germs on one side of a point: limits of maps and of their slopes where they have kinks.

use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::real::RefinableReal;
use smoothish_ad::number::{Function, Rational};
use smoothish_ad::pieces::germ::{GermLimit, OneSidedGerms, OneSidedPoint};
use smoothish_ad::smooth::graph::{Binary, Graph, Unary, Variable};
use std::cmp::Ordering;

/// A finite limit is this number, and no set around it.
#[track_caller]
fn is(limit: &GermLimit, number: i64) {
    let GermLimit::Finite(limit) = limit else { panic!("{limit:?}, not {number}") };
    let real = RefinableReal::new(limit.compile_evaluation().unwrap());
    let eps = Rational::from((1, 1_000_000));
    let found = real.enclose(&eps, &Budget::new(1_000_000, None, None)).unwrap().enclosure;
    assert!(found.contains(&Rational::from(number)) && found.has_width_at_most(&eps), "{found}, not {number}");
}

/// A map of one variable, and its slopes at 0 from the left and from the right.
type KinkedMap = (fn(&Graph) -> Graph, [i64; 2]);

/// The slope from a side is the limit from that side. At a kink the derivative is the set between both, by hand: of |x|, of a maximum of
/// x and 2x, of x - sin x ~ x³/6 for x > 0, of |x|·eˣ, and of the product of a sign and x.
#[test]
fn slopes_at_kinks_are_those_of_the_side() {
    let abs = |x: &Graph| Graph::unary(Unary::Abs, x);
    let maps: [KinkedMap; 7] = [
        (|x| Graph::unary(Unary::Abs, x), [-1, 1]),
        (|x| Graph::binary(Binary::Maximum, x, &Graph::integer(0)), [0, 1]),
        (|x| Graph::binary(Binary::Maximum, x, &Graph::binary(Binary::Add, x, x)), [1, 2]),
        (|x| Graph::binary(Binary::Minimum, x, &Graph::binary(Binary::Add, x, x)), [2, 1]),
        (|x| Graph::unary(Unary::Abs, &Graph::binary(Binary::Subtract, x, &Graph::function(Function::Sin, x))), [0, 0]),
        (
            |x| Graph::binary(Binary::Multiply, &Graph::unary(Unary::Abs, x), &Graph::function(Function::Exp, x)),
            [-1, 1],
        ),
        (|x| Graph::binary(Binary::Multiply, &Graph::unary(Unary::Signum, x), x), [-1, 1]),
    ];
    for (map, slopes) in maps {
        for (direction, slope) in [Ordering::Less, Ordering::Greater].into_iter().zip(slopes) {
            let v = Variable::fresh();
            let side = OneSidedPoint { variable: v, at: Rational::new(), direction };
            let budget = Budget::new(1_000_000, None, None);
            let g = map(&Graph::variable(v));
            is(
                &OneSidedGerms::new(side.clone(), &budget).limit_of_slope(&g).unwrap_or_else(|e| panic!("{g:?}: {e}")),
                slope,
            );
            // the value of all of them is 0, which all formulas say
            for limit in OneSidedGerms::new(side, &budget).limit_formulas(&g).unwrap() {
                is(&limit, 0);
            }
        }
    }
    // a kink elsewhere changes nothing
    let v = Variable::fresh();
    let side = OneSidedPoint { variable: v, at: Rational::from(-3), direction: Ordering::Greater };
    let budget = Budget::new(1_000_000, None, None);
    is(&OneSidedGerms::new(side, &budget).limit_of_slope(&abs(&Graph::variable(v))).unwrap(), -1);
}
