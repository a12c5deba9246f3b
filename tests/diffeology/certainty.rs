//! A refutation is certain, and what survives was shown at the points that were tried.

use crate::support::{add, xy};
use smoothish::diffeology::Diffeology;
use smoothish::diffeology::cartesian::Cartesian;
use smoothish::diffeology::open::{Interval, Open};
use smoothish::diffeology::region::Region;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::wire::Wire;
use smoothish::smooth::graph::{Graph, Unary};
use smoothish::verdict::Verdict;

/// The function (x, x) on the plane, written in another way on the line y = 0, where y and |y| are 0.
#[test]
fn a_piece_on_a_closed_region_refutes_no_plot() {
    let (x, y) = xy();
    let plane = Open::whole(2);
    let sides = vec![vec![Interval::line(), Interval::below(0)], vec![Interval::line(), Interval::above(0)]];
    let off = Open::new(2, sides).unwrap();
    for zero in [y.clone(), Graph::unary(Unary::Abs, &y)] {
        let on = [x.clone(), add(&x, &zero)];
        let everywhere = [x.clone(), x.clone()];
        let wire = |map: &[Graph]| Wire::through(&plane, &[x.clone(), y.clone()], map).unwrap();
        let plot =
            Wire.piecewise(&plane, vec![(Region::within(&off), wire(&everywhere)), (Region::outside(&off), wire(&on))]);
        assert_eq!(Wire.is_plot(&plot, &trial()).unwrap(), Verdict::Vacuous);
        let space = Cartesian::whole(2);
        let graphs = |g: &[Graph]| space.plot(&plane, g).unwrap();
        let plot = space
            .piecewise(&plane, vec![(Region::within(&off), graphs(&everywhere)), (Region::outside(&off), graphs(&on))]);
        assert_eq!(space.is_plot(&plot, &trial()).unwrap(), Verdict::Vacuous);
    }
    // on an open piece the same graphs are refuted
    let plot = Wire::through(&plane, &[x.clone(), y.clone()], &[x.clone(), add(&x, &y)]).unwrap();
    assert!(Wire.is_plot(&plot, &trial()).unwrap().is_refuted());
}
