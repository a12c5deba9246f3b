//! Tests of maps on a path: whether one fails somewhere.

use super::{DrawGroup, PathIntegral};
use crate::measure::cells::{Boundary, CellBounds, CellDecomposition};
use crate::measure::distribution::subtract;
use crate::measure::draws::{ExecutionPath, Parameter};
use crate::measure::range::enclose_range;
use crate::measure::sign::PathSigns;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::SignTest;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// The greatest number of samples at which the sign of a map of several draws is tried. A choice.
const MAX_SAMPLES: usize = 64;

impl PathIntegral {
    /// Decides whether a test fails for a map somewhere on the path. Returns `AtMost(false)` if it holds everywhere,
    /// `None` if neither is known.
    #[must_use]
    pub fn test_fails(
        &self,
        graph: &Graph,
        test: SignTest,
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<bool> {
        let within = path.coordinate_ranges(parameter);
        let lowest = enclose_range(graph, &within, budget).lo().clone();
        if lowest > 0 || lowest >= 0 && test == SignTest::NonNegative {
            return Some(false);
        }
        let mut forms = RationalNormalForm::default();
        if PathSigns::new(path, &within, &mut forms, budget).with_decisions(&path.decisions).by_form(graph, test)
            == Some(true)
        {
            return Some(false);
        }
        let mut cutter = CellDecomposition::new(parameter, within, budget);
        let own: Vec<&DrawGroup> =
            self.groups.iter().filter(|group| group.coordinates.iter().any(|x| graph.depends_on(x.variable))).collect();
        if own.is_empty() {
            // without draws the map has one sign
            return cutter.lasting_sign(graph, &[], &[]).ok().map(|sign| !test.is_satisfied_by(sign));
        }
        if let [group] = own[..]
            // one coordinate: its roots decompose the cells completely, so that the answer is certain both ways
            && let [x] = &group.coordinates[..]
        {
            return group.test_fails_on_line(graph, test, x.variable, &mut cutter);
        }
        let (variables, places) = sample_points(&own);
        // a negative sample has a neighbourhood of negative values; nonnegative samples prove nothing
        let mut signs = places.iter().map(|place| cutter.sign_at(graph, &variables, place));
        signs.any(|sign| sign == Ok(Ordering::Less)).then_some(true)
    }
}

/// Returns the draws of groups, and samples of their cells.
pub(super) fn sample_points(groups: &[&DrawGroup]) -> (Vec<Variable>, Vec<Vec<Rational>>) {
    let variables = groups.iter().flat_map(|group| &group.coordinates).map(|x| x.variable).collect();
    let mut places: Vec<Vec<Rational>> = vec![Vec::new()];
    for group in groups {
        let joined = |place: &Vec<Rational>| {
            let cells = group.cells.iter().map(|cell| [&place[..], &cell.sample].concat());
            cells.collect::<Vec<_>>()
        };
        places = places.iter().flat_map(joined).take(MAX_SAMPLES).collect();
    }
    (variables, places)
}

impl DrawGroup {
    /// Decides whether a test fails for a map of the one coordinate of the group. Returns `None` without cells, or if
    /// the decision fails.
    ///
    /// The line is decomposed at the roots of the map and at the boundaries of the cells, so the map has one sign on
    /// each part.
    fn test_fails_on_line(
        &self,
        graph: &Graph,
        test: SignTest,
        y: Variable,
        cutter: &mut CellDecomposition<'_>,
    ) -> Option<bool> {
        if self.cells.is_empty() {
            return None;
        }
        let at = Graph::variable(y);
        let borders = self.cells.iter().flat_map(|cell| cell.bounds[0].iter().flatten());
        let mut cuts: Vec<Boundary> = borders.map(|b| Boundary { graph: subtract(&at, b), needs_sign: true }).collect();
        cuts.push(Boundary { graph: graph.clone(), needs_sign: true });
        for part in cutter.decompose_into_cells(&[y], &cuts).ok()? {
            let is_inside = |[left, right]: &CellBounds| -> Option<bool> {
                let beyond =
                    |map: &Graph| cutter.sign_at(map, &[y], &part.sample).ok().map(|sign| sign == Ordering::Greater);
                let after = left.as_ref().map_or(Some(true), |a| beyond(&subtract(&at, a)));
                let before = right.as_ref().map_or(Some(true), |b| beyond(&subtract(b, &at)));
                Some(after? && before?)
            };
            let mut counts = false;
            for cell in &self.cells {
                counts |= is_inside(&cell.bounds[0])?;
            }
            if counts && !test.is_satisfied_by(cutter.lasting_sign(graph, &[y], &part.sample).ok()?) {
                return Some(true);
            }
        }
        Some(false)
    }
}
