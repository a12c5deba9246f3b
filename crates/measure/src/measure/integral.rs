//! Contributions of paths: integrals over their cells, as maps of the parameter.
//!
//! A cell is mapped to the unit cube, one coordinate after the other: `y = l + (r - l)·s`, or `y = l + σ(1 - s)/s` if
//! there is no right end, and similarly on the left. A derivative in the parameter then includes the motion of the
//! boundaries. The engine of `integral01` handles the decay at infinity at an end of [0, 1], so no tail is truncated.

mod along;
mod closed;
mod distance;
mod fails;
mod nearby;
mod reduce;

use super::boxes::BoxIntegral;
use super::cells::{Boundary, CellDecomposition, CylindricalCell, DecompositionError};
use super::cubature::half_space::MOST_AXES;
use super::distribution::{add, multiply, subtract};
use super::draws::{Draw, ExecutionPath, Parameter, TraceCoordinate};
use super::eliminate::between::IntegralAssumptions;
use super::kernel::{DensityKernel, KernelContext, KernelPeak, ScaledKernel};
use super::moment::bound_contribution;
use super::powers::rewrite_as_powers;
use super::range::enclose_range;
use super::trials::sum_over_trials;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::GuardCondition;
use crate::smooth::graph::{Graph, Variable};
use along::{starts_at_right, to_unit_interval};
use closed::RemainingIntegral;
use reduce::{integrate_closed_draws, remove_unused_draws};
use std::cmp::Ordering;

/// The mean of a product of maps over the draws of a path: a product of integrals over independent groups of draws.
#[derive(Debug)]
pub struct PathIntegral {
    /// The groups of dependent draws.
    groups: Vec<DrawGroup>,
    /// The product of the factors without real draws.
    constant_factor: Graph,
}

/// Draws that depend on each other through a guard, a density or a factor.
#[derive(Debug)]
struct DrawGroup {
    /// The draws, in the order in which the cells have them.
    coordinates: Vec<TraceCoordinate>,
    /// The cells. Empty if the group is integrated over boxes only.
    cells: Vec<CylindricalCell>,
    /// The remaining integral over each cell, after closed forms.
    remaining: Vec<RemainingIntegral>,
    /// The factors in which a draw of the group occurs.
    factors: Vec<Graph>,
    /// The product of the factors around a peak, if the group has one draw and its density has a peak.
    around_peak: Option<ScaledKernel>,
    /// The integral over boxes, if it applies.
    boxes: Option<BoxIntegral>,
}

/// The greatest number of draws to integrate jointly over cells. A choice: the cost grows exponentially.
pub const MOST_COORDINATES: usize = 3;

impl PathIntegral {
    /// Decomposes a path into cells, by its guards alone. Returns `None` if no draws satisfy the guards.
    ///
    /// # Errors
    /// Every cause of [`DecompositionError`].
    pub fn of_guards(
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, DecompositionError> {
        Self::decompose_path(path, None, false, parameter, budget)
    }

    /// Decomposes a path into cells, with the product of maps to integrate over them. Draws are integrated in closed
    /// form if possible.
    ///
    /// Returns `None` if no draws satisfy the guards.
    ///
    /// # Errors
    /// Every cause of [`DecompositionError`].
    pub fn of_product(
        path: &ExecutionPath,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, DecompositionError> {
        Self::decompose_path(path, Some(factors), false, parameter, budget)
    }

    /// Like [`of_product`](Self::of_product), for maps that are nowhere negative up to a set of probability 0. By Tonelli's
    /// theorem the order of integration does not matter.
    ///
    /// # Errors
    /// Every cause of [`DecompositionError`].
    pub fn of_nonnegative(
        path: &ExecutionPath,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, DecompositionError> {
        Self::decompose_path(path, Some(factors), true, parameter, budget)
    }

    /// Decomposes a path. Without factors only the guards count.
    fn decompose_path(
        path: &ExecutionPath,
        factors: Option<&[Graph]>,
        not_negative: bool,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, DecompositionError> {
        // the sum over the naturals of a tail has a closed form or none: cells are for fixed numbers
        if path.has_tail() {
            let constant = sum_over_trials(path, factors.unwrap_or_default()).ok_or(DecompositionError::Tail)?;
            return Ok(Some(Self { groups: Vec::new(), constant_factor: constant }));
        }
        let mut coordinates: Vec<TraceCoordinate> = path.coordinates().cloned().collect();
        let density = |x: &TraceCoordinate| {
            (x.variable, rewrite_as_powers(&x.distribution.density(&Graph::variable(x.variable))))
        };
        let densities: Vec<(Variable, Graph)> = coordinates.iter().map(density).collect();
        let chances = path.draws.iter().filter_map(|draw| match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => Some(rewrite_as_powers(chance)),
            Draw::Real(_) | Draw::Tail(..) => None,
        });
        let mut waiting: Vec<Graph> = Vec::new();
        // for the shape alone densities do not matter
        if let Some(factors) = factors {
            waiting.extend(densities.iter().map(|(_, density)| density.clone()));
            waiting.extend(chances.chain(factors.iter().map(rewrite_as_powers)));
        }
        let supports = |x: &TraceCoordinate| {
            let (v, at) = (x.variable, Graph::variable(x.variable));
            let [left, right] = x.distribution.ends();
            let ends = [left.map(|a| subtract(&at, &a)), right.map(|b| subtract(&b, &at))];
            ends.into_iter().flatten().map(move |end| (v, end))
        };
        let mut ends: Vec<(Variable, Graph)> = coordinates.iter().flat_map(supports).collect();
        // for the shape alone every draw counts: a cell has all coordinates of its guards
        if factors.is_some() {
            remove_unused_draws(&mut coordinates, &mut waiting, &mut ends, &densities, path);
        }
        let ends: Vec<Graph> = ends.into_iter().map(|(_, end)| end).collect();
        // Fubini: the order matters for a product with both signs, unless its absolute value has an integral
        let absolutely = factors
            .is_some_and(|factors| not_negative || bound_contribution(path, factors, parameter, 0, budget).is_some());
        if factors.is_some() {
            integrate_closed_draws(&mut coordinates, &mut waiting, &ends, absolutely, path, parameter, budget);
        }
        let within = path.coordinate_ranges(parameter);
        let known = factors.map(|_| IntegralAssumptions { others: &[], absolutely, within: &within, budget });
        let guards = path.decisions.iter().map(|decided| &decided.guard.graph);
        let together = dependent_groups(&coordinates, guards.chain(&waiting).chain(&ends));
        let (mut leaf, mut all) =
            (Self { groups: Vec::new(), constant_factor: Graph::integer(1) }, path.decisions.clone());
        for coordinates in together {
            let occurs = |graph: &Graph| coordinates.iter().any(|x| graph.depends_on(x.variable));
            let (own, others): (Vec<_>, Vec<_>) = waiting.drain(..).partition(|graph| occurs(graph));
            waiting = others;
            let (decided, others): (Vec<_>, Vec<_>) = all.drain(..).partition(|decided| occurs(&decided.guard.graph));
            all = others;
            let own_ends: Vec<Graph> = ends.iter().filter(|end| occurs(end)).cloned().collect();
            let about = match &coordinates[..] {
                [x] if factors.is_some() => about_peak(x, &own, KernelContext { within: &within, parameter, budget }),
                _ => None,
            };
            let peak = about.as_ref().map(|about| &about.peak);
            let found = decompose_in_best_order(&coordinates, &own, known, |coordinates| {
                cells_of_group(coordinates, &decided, &own_ends, peak, path, parameter, budget)
            });
            let moves = |p: &Parameter| {
                // boxes are for the value of the parameter only, so derivatives in it cannot use them
                p.order > 0 && {
                    let guards = decided.iter().map(|decided| &decided.guard.graph);
                    factors.is_some() || guards.chain(&own_ends).any(|border| border.depends_on(p.variable))
                }
            };
            let fits = !parameter.is_some_and(moves) && coordinates.len() <= MOST_AXES;
            let mut group = match found {
                Ok(None) => return Ok(None),
                Ok(Some(group)) => group,
                Err(
                    DecompositionError::Degree
                    | DecompositionError::SupportEnd
                    | DecompositionError::TooManyDraws
                    | DecompositionError::RootsNotIsolated
                    | DecompositionError::Undecided,
                ) if fits => {
                    let (cells, left) = (Vec::new(), Vec::new());
                    DrawGroup {
                        coordinates,
                        cells,
                        remaining: left,
                        factors: own.clone(),
                        around_peak: None,
                        boxes: None,
                    }
                }
                Err(obstacle) => return Err(obstacle),
            };
            group.around_peak = about.filter(|_| group.numeric_draws() == 1);
            // for several draws with unbounded cells or roots as boundaries, boxes are a second way
            let hard = |cell: &CylindricalCell| cell.is_unbounded() || cell.has_root_boundary();
            let is_hard = factors.is_some() && group.coordinates.len() > 1 && group.cells.iter().any(hard);
            if fits && (group.cells.is_empty() || is_hard) {
                group.boxes = Some(BoxIntegral::new(&group.coordinates, &densities, &own, &decided, path, parameter));
            }
            leaf.groups.push(group);
        }
        // what belongs to no group has no draws
        leaf.constant_factor = product_of(&waiting);
        Ok(Some(leaf))
    }

    /// Returns `true` if cells are known for every group, so that the guards are satisfied on an open set.
    #[must_use]
    pub fn has_cells(&self) -> bool {
        self.groups.iter().all(|group| !group.cells.is_empty())
    }

    /// Returns `true` if a group of several draws has an unbounded cell, or no cells.
    #[must_use]
    pub fn is_hard_to_differentiate(&self) -> bool {
        let is_open =
            |group: &DrawGroup| group.cells.is_empty() || group.cells.iter().any(CylindricalCell::is_unbounded);
        self.groups.iter().any(|group| group.numeric_draws() > 1 && is_open(group))
    }

    /// Returns `true` if the cells of all groups with boxes are bounded.
    #[must_use]
    pub fn has_bounded_cells(&self) -> bool {
        self.groups
            .iter()
            .filter(|group| group.boxes.is_some())
            .all(|group| !group.cells.iter().any(CylindricalCell::is_unbounded))
    }

    /// Returns `true` if at most one draw remains in each group with boxes, the others having closed forms.
    #[must_use]
    pub fn is_nearly_closed(&self) -> bool {
        self.groups.iter().filter(|group| group.boxes.is_some()).all(|group| group.numeric_draws() < 2)
    }

    /// Returns the integrals over boxes, of the groups that have one.
    pub fn box_integrals(&self) -> impl Iterator<Item = &BoxIntegral> {
        self.groups.iter().filter_map(|group| group.boxes.as_ref())
    }

    /// Returns `true` if a closed form replaces the integral over some draw.
    #[must_use]
    pub fn has_closed_forms(&self) -> bool {
        self.groups.iter().any(|group| group.remaining.iter().any(|left| left.draws < group.coordinates.len()))
    }

    /// Returns the power of two to multiply the integral by: the integrals around peaks are scaled to the size of 1.
    #[must_use]
    pub fn scale_shift(&self) -> i64 {
        self.groups
            .iter()
            .filter_map(|group| group.around_peak.as_ref())
            .fold(0, |sum, about| sum.saturating_add(about.shift))
    }

    /// Builds the product of the integrals over all groups, without the [`shift`](Self::scale_shift), as a map of the
    /// parameter.
    ///
    /// Without `with_boxes`, groups with boxes are left out. Without `closed`, no closed forms are used, since a sum of
    /// them may have a wider range than the integral.
    #[must_use]
    pub fn to_graph(&self, with_boxes: bool, closed: bool, parameter: Option<&Parameter>, budget: &Budget) -> Graph {
        let cutter = CellDecomposition::new(parameter, Vec::new(), budget);
        let of = |group: &DrawGroup| {
            let scale = |x: &TraceCoordinate| {
                rational_bulk(&cutter, x.distribution.bulk()).map_or(Rational::from(1), |[_, scale]| scale)
            };
            // the scale σ of an unbounded cell: the width of the peak, or of the distribution
            let scales: Vec<Rational> = match &group.around_peak {
                Some(about) => vec![about.peak.width.clone()],
                None => group.coordinates.iter().map(scale).collect(),
            };
            let over = |(cell, left): (&CylindricalCell, &RemainingIntegral)| {
                // the product around the peak is for one remaining draw; it has the shift already
                let about = group.around_peak.as_ref().filter(|_| left.draws == 1).map(|about| about.product.clone());
                let sum = left.sum.iter().map(|factors| product_of(factors)).reduce(|sum, next| add(&sum, &next));
                let coordinates = group.coordinates.iter().zip(&cell.bounds).zip(&scales).take(left.draws);
                let shifted = |sum: Graph| match &group.around_peak {
                    Some(about) if about.shift != 0 => multiply(
                        &Graph::rational(scale_by_power(Rational::from(1), about.shift.saturating_neg())),
                        &sum,
                    ),
                    _ => sum,
                };
                let sum = about.or_else(|| sum.map(shifted)).unwrap_or_else(|| Graph::integer(0));
                // the last draw is integrated first, as its bounds depend on all others
                coordinates.rev().fold(sum, |inner, ((x, between), scale)| {
                    to_unit_interval(x.variable, between, starts_at_right(x, between), scale, &inner)
                })
            };
            let whole = RemainingIntegral::without_closed_forms(group.coordinates.len(), &group.factors);
            let left = group.remaining.iter().map(|left| if closed { left } else { &whole });
            let cells = group.cells.iter().zip(left).map(over);
            cells.reduce(|sum, next| add(&sum, &next)).unwrap_or_else(|| Graph::integer(0))
        };
        let own = self.groups.iter().filter(|group| with_boxes || group.boxes.is_none());
        own.fold(self.constant_factor.clone(), |product, group| multiply(&product, &of(group)))
    }
}

/// Returns `q·2^shift`.
#[must_use]
pub fn scale_by_power(q: Rational, shift: i64) -> Rational {
    let by = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    if shift < 0 { q >> by } else { q << by }
}

/// Returns a derivative of a map of the parameter, at the value of the parameter.
#[must_use]
pub fn differentiate_at(graph: &Graph, parameter: Option<&Parameter>, order: u32) -> Graph {
    let Some(Parameter { variable, value: at, .. }) = parameter else { return graph.clone() };
    let mut found = graph.clone();
    // derivatives nest: the innermost ones stay maps of the parameter, and only the outermost is at its value
    for k in (0..order).rev() {
        let place = if k == 0 { Graph::rational(at.clone()) } else { Graph::variable(*variable) };
        found = Graph::derivative(vec![*variable], found, vec![place], vec![Graph::integer(1)]);
    }
    match order {
        0 => found.substitute(&[(*variable, Graph::rational(at.clone()))]),
        _ => found,
    }
}

/// Returns the cells of a group of draws on which all decisions hold. Returns `None` if there are none.
fn cells_of_group(
    coordinates: &[TraceCoordinate],
    decided: &[GuardCondition],
    ends: &[Graph],
    peak: Option<&KernelPeak>,
    path: &ExecutionPath,
    parameter: Option<&Parameter>,
    budget: &Budget,
) -> Result<Option<Vec<CylindricalCell>>, DecompositionError> {
    if coordinates.len() > MOST_COORDINATES {
        return Err(DecompositionError::TooManyDraws);
    }
    let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).collect();
    let mut cutter = CellDecomposition::new(parameter, path.coordinate_ranges(parameter), budget);
    let matters = |graph: &Graph| Boundary { graph: graph.clone(), needs_sign: true };
    let mut cuts: Vec<Boundary> = decided.iter().map(|decided| matters(&decided.guard.graph)).collect();
    cuts.extend(ends.iter().map(matters));
    // a cut at the bulk of each draw, or at its peak, keeps integrals from missing a narrow density
    for x in coordinates {
        let middle = || rational_bulk(&cutter, x.distribution.bulk()).map(|[middle, _]| middle);
        for place in peak.map_or_else(|| middle().into_iter().collect(), KernelPeak::cut_points) {
            let graph = subtract(&Graph::variable(x.variable), &Graph::rational(place));
            cuts.push(Boundary { graph, needs_sign: false });
        }
    }
    let mut found = Vec::new();
    let parts = cutter.decompose_into_cells(&variables, &cuts).map_err(|obstacle| match obstacle {
        // without guards the boundary is an end of a distribution
        DecompositionError::Degree | DecompositionError::RootsNotIsolated if decided.is_empty() => {
            DecompositionError::SupportEnd
        }
        other => other,
    });
    for cell in parts? {
        if satisfies_decisions(&mut cutter, &variables, &cell, decided, ends)? {
            found.push(cell);
        }
    }
    Ok((!found.is_empty()).then_some(found))
}

/// Decomposes a group of draws into cells, in the best order of the draws.
///
/// The best order leaves the fewest draws to integrate numerically, and then has no square roots as boundaries. The
/// given order is tried first, then orders with another draw last. Returns `None` if there are no cells.
fn decompose_in_best_order(
    coordinates: &[TraceCoordinate],
    factors: &[Graph],
    known: Option<IntegralAssumptions<'_>>,
    cells: impl Fn(&[TraceCoordinate]) -> Result<Option<Vec<CylindricalCell>>, DecompositionError>,
) -> Result<Option<DrawGroup>, DecompositionError> {
    let mut best: Result<DrawGroup, DecompositionError> = Err(DecompositionError::TooManyDraws);
    for last in (0..coordinates.len()).rev() {
        let mut coordinates = coordinates.to_vec();
        let moved = coordinates.remove(last);
        coordinates.push(moved);
        let group = match cells(&coordinates) {
            // an empty decomposition is a proof in any order
            Ok(None) => return Ok(None),
            Ok(Some(cells)) => {
                let left = known.map_or_else(Vec::new, |known| {
                    cells.iter().map(|cell| RemainingIntegral::over_cell(cell, &coordinates, factors, known)).collect()
                });
                Ok(DrawGroup {
                    coordinates,
                    cells,
                    remaining: left,
                    factors: factors.to_vec(),
                    around_peak: None,
                    boxes: None,
                })
            }
            Err(obstacle) => Err(obstacle),
        };
        best = match (best, group) {
            (Ok(best), Ok(group)) if group.integration_cost() < best.integration_cost() => Ok(group),
            (Ok(best), _) => Ok(best),
            (Err(_), Ok(group)) => Ok(group),
            // `TooManyDraws` is the initial reason; later orders keep the reason of the first
            (Err(first), Err(other)) => Err(if first == DecompositionError::TooManyDraws { other } else { first }),
        };
        let is_enough = match &best {
            // (1, false): at most one draw remains, between boundaries without roots
            Ok(group) => {
                known.is_none_or(|known| group.integration_cost() <= (1, false) || known.budget.is_exhausted())
            }
            Err(obstacle) => matches!(obstacle, DecompositionError::TooManyDraws | DecompositionError::BudgetExhausted),
        };
        if is_enough {
            break;
        }
    }
    best.map(Some)
}

/// Splits the draws into groups: two draws are in one if a map depends on both.
fn dependent_groups<'g>(
    coordinates: &[TraceCoordinate],
    maps: impl Iterator<Item = &'g Graph>,
) -> Vec<Vec<TraceCoordinate>> {
    let mut group: Vec<usize> = (0..coordinates.len()).collect();
    for map in maps {
        let mentioned: Vec<usize> =
            (0..coordinates.len()).filter(|&i| map.depends_on(coordinates[i].variable)).map(|i| group[i]).collect();
        if let Some(&first) = mentioned.iter().min() {
            // a union of the groups: all get the least index
            group.iter_mut().filter(|g| mentioned.contains(g)).for_each(|g| *g = first);
        }
    }
    let of = |g: usize| {
        let own = coordinates.iter().zip(&group).filter(|(_, other)| **other == g);
        own.map(|(x, _)| x.clone()).collect::<Vec<_>>()
    };
    (0..coordinates.len()).map(of).filter(|group| !group.is_empty()).collect()
}

/// Returns the product of the factors of one draw around their peak. Returns `None` if they have none.
fn about_peak(x: &TraceCoordinate, factors: &[Graph], known: KernelContext<'_>) -> Option<ScaledKernel> {
    let kernel = DensityKernel::from_factors(x.variable, factors, known)?;
    let peak = kernel.find_peak(x, known)?;
    Some(kernel.scale_around(peak, known))
}

/// Returns the product of the factors.
fn product_of(factors: &[Graph]) -> Graph {
    factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor))
}

/// Returns the middle and the width of a distribution as rationals. Returns `None` if they depend on draws.
fn rational_bulk(cutter: &CellDecomposition<'_>, bulk: Option<[Graph; 2]>) -> Option<[Rational; 2]> {
    let [middle, scale] = bulk?.map(|graph| {
        let at = match cutter.parameter {
            Some(p) => graph.substitute(&[(p.variable, Graph::rational(p.value.clone()))]),
            None => graph,
        };
        let found: Enclosure = enclose_range(&at, &[], cutter.budget);
        let ends = [found.lo(), found.hi()].map(|end| end.to_rational());
        match ends {
            [Some(a), Some(b)] if found.is_defined() => {
                // short numbers keep later arithmetic cheap; the middle need not be exact
                let unit = Rational::from(1 << 20);
                let near: Rational = Rational::from(&a + &b) * &unit / 2;
                Some(near.round() / unit)
            }
            _ => None,
        }
    });
    let scale = scale.filter(|scale| *scale > 0)?;
    Some([middle?, scale])
}

/// Returns `true` if all decisions hold on a cell, and the draws lie in the supports of their distributions.
fn satisfies_decisions(
    cutter: &mut CellDecomposition<'_>,
    variables: &[Variable],
    cell: &CylindricalCell,
    decided: &[GuardCondition],
    supports: &[Graph],
) -> Result<bool, DecompositionError> {
    for support in supports {
        if cutter.sign_of_cell(support, variables, &cell.sample)? != Ordering::Greater {
            return Ok(false);
        }
    }
    for GuardCondition { guard, holds, .. } in decided {
        if guard.test.is_satisfied_by(cutter.sign_of_cell(&guard.graph, variables, &cell.sample)?) != *holds {
            return Ok(false);
        }
    }
    Ok(true)
}
