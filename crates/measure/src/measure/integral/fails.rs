//! Tests of maps on a path: whether one fails somewhere.

use super::{Group, Leaf};
use crate::measure::cells::{Between, Cut, Cutter};
use crate::measure::distribution::subtract;
use crate::measure::draws::{Parameter, Path};
use crate::measure::range::range;
use crate::measure::sign::Signs;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::Test;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// The greatest number of samples at which the sign of a map of several draws is tried. A choice.
const MOST_PLACES: usize = 64;

impl Leaf {
    /// Decides whether a test fails for a map somewhere on the path. Returns `Some(false)` if it holds everywhere,
    /// `None` if neither is known.
    #[must_use]
    pub fn fails(
        &self,
        graph: &Graph,
        test: Test,
        path: &Path,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<bool> {
        let within = path.within(parameter);
        let lowest = range(graph, &within, budget).lo().clone();
        if lowest > 0 || lowest >= 0 && test == Test::NonNegative {
            return Some(false);
        }
        let mut forms = Normaliser::default();
        if Signs::new(path, &within, &mut forms, budget).with(&path.decided).by_form(graph, test) == Some(true) {
            return Some(false);
        }
        let mut cutter = Cutter::new(parameter, within, budget);
        let own: Vec<&Group> =
            self.groups.iter().filter(|group| group.coordinates.iter().any(|x| graph.depends_on(x.variable))).collect();
        if own.is_empty() {
            // without draws the map has one sign
            return cutter.lasting_sign(graph, &[], &[]).ok().map(|sign| !test.holds(sign));
        }
        if let [group] = own[..]
            // one coordinate: its roots decompose the cells completely, so that the answer is certain both ways
            && let [x] = &group.coordinates[..]
        {
            return group.fails(graph, test, x.variable, &mut cutter);
        }
        let (variables, places) = places(&own);
        // a negative sample has a neighbourhood of negative values; nonnegative samples prove nothing
        let mut signs = places.iter().map(|place| cutter.sign(graph, &variables, place));
        signs.any(|sign| sign == Ok(Ordering::Less)).then_some(true)
    }
}

/// Returns the draws of groups, and samples of their cells.
pub(super) fn places(groups: &[&Group]) -> (Vec<Variable>, Vec<Vec<Rational>>) {
    let variables = groups.iter().flat_map(|group| &group.coordinates).map(|x| x.variable).collect();
    let mut places: Vec<Vec<Rational>> = vec![Vec::new()];
    for group in groups {
        let joined = |place: &Vec<Rational>| {
            let cells = group.cells.iter().map(|cell| [&place[..], &cell.inside].concat());
            cells.collect::<Vec<_>>()
        };
        places = places.iter().flat_map(joined).take(MOST_PLACES).collect();
    }
    (variables, places)
}

impl Group {
    /// Decides whether a test fails for a map of the one coordinate of the group. Returns `None` without cells, or if
    /// the decision fails.
    ///
    /// The line is decomposed at the roots of the map and at the boundaries of the cells, so the map has one sign on
    /// each part.
    fn fails(&self, graph: &Graph, test: Test, y: Variable, cutter: &mut Cutter<'_>) -> Option<bool> {
        if self.cells.is_empty() {
            return None;
        }
        let at = Graph::variable(y);
        let borders = self.cells.iter().flat_map(|cell| cell.between[0].iter().flatten());
        let mut cuts: Vec<Cut> = borders.map(|b| Cut { graph: subtract(&at, b), matters: true }).collect();
        cuts.push(Cut { graph: graph.clone(), matters: true });
        for part in cutter.cells(&[y], &cuts).ok()? {
            let is_inside = |[left, right]: &Between| -> Option<bool> {
                let beyond =
                    |map: &Graph| cutter.sign(map, &[y], &part.inside).ok().map(|sign| sign == Ordering::Greater);
                let after = left.as_ref().map_or(Some(true), |a| beyond(&subtract(&at, a)));
                let before = right.as_ref().map_or(Some(true), |b| beyond(&subtract(b, &at)));
                Some(after? && before?)
            };
            let mut counts = false;
            for cell in &self.cells {
                counts |= is_inside(&cell.between[0])?;
            }
            if counts && !test.holds(cutter.lasting_sign(graph, &[y], &part.inside).ok()?) {
                return Some(true);
            }
        }
        Some(false)
    }
}
