//! Contributions of paths: integrals over their cells, as maps of the parameter.
//!
//! A cell is mapped to the unit cube, one coordinate after the other: `y = l + (r - l)·s`, or `y = l + σ(1 - s)/s` if
//! there is no right end, and similarly on the left. A derivative in the parameter then includes the motion of the
//! boundaries. The engine of `integral01` handles the decay at infinity at an end of [0, 1], so no tail is truncated.
//!
//! # Integrals between two boundaries as integrals over
//!
//! Integrals between two boundaries as integrals over [0, 1], starting at an end that is known exactly.
//!
//! # Integrals over cells in closed form
//!
//! Integrals over cells in closed form, as far as possible: over the last draw first.
//!
//! # Square roots of quantities that vanish at a boundary
//!
//! Square roots of quantities that vanish at a boundary, written by the distance from it.
//!
//! The boundary of a disc is a square root, √(1 - x²), which is 0 at both ends of its domain. Let x = l + (r - l)·s,
//! where l and r are roots of a polynomial a·x² + b·x + c. The polynomial is then -a·(r - l)²·s·(1 - s), which is
//! positive between 0 and 1 by its form, where its range would reach below 0.
//!
//! If r is such a root, and l is halfway between both roots, the polynomial is -a·(r - l)²·t·(2 - t), with t = 1 - s.
//! At one end alone it is the distance from that end, times a·(x + l) + b. Normal forms decide whether it is 0 at an
//! end.
//!
//! # Tests of maps on a path
//!
//! A test fails somewhere on a path, or holds on all of it.
//!
//! # Negative weights near a parameter
//!
//! Detection of weights that are negative for parameters near the value at which a derivative is wanted.
//!
//! A program without a meaning on one side of the parameter has no derivative there.
//!
//! A weight that is 0 at the parameter for all draws is classified by its first nonzero derivative in the parameter.
//! One of odd order makes the weight change its sign; one of even order gives the weight its own sign.
//!
//! # Draws that need no numerical integral
//!
//! Unused ones, normal ones on ℝ, and gamma and beta ones on their whole
//! support.

use super::cells::{Boundary, CellDecomposition, CylindricalCell, DecompositionError};
use super::cubature::{BoxIntegral, MOST_AXES};
use super::draws::{Draw, ExecutionPath, Parameter, TraceCoordinate};
use super::eliminate::IntegralAssumptions;
use super::kernel::{DensityKernel, KernelContext, KernelPeak, ScaledKernel};
use super::moment::bound_contribution;
use super::range::{enclose_range, rewrite_as_powers};
use super::sum::sum_over_trials;
use crate::function::Function;
use crate::measure::cells::CellBounds;
use crate::measure::distribution::ClosedForm;
use crate::measure::eliminate::{definite_integral, integrate_normal_draw, quadratic_coefficients};
use crate::measure::range::PathSigns;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::substitution::Substitution;
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
            let ends = [left.map(|a| &at - &a), right.map(|b| &b - &at)];
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
        leaf.constant_factor = waiting.iter().product();
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
                let sum =
                    left.sum.iter().map(|factors| factors.iter().product::<Graph>()).reduce(|sum, next| &sum + &next);
                let coordinates = group.coordinates.iter().zip(&cell.bounds).zip(&scales).take(left.draws);
                let shifted = |sum: Graph| match &group.around_peak {
                    Some(about) if about.shift != 0 => {
                        Graph::rational(scale_by_power(Rational::from(1), about.shift.saturating_neg())) * &sum
                    }
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
            cells.sum::<Graph>()
        };
        let own = self.groups.iter().filter(|group| with_boxes || group.boxes.is_none());
        own.fold(self.constant_factor.clone(), |product, group| &product * of(group))
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
            let graph = Graph::variable(x.variable) - Graph::rational(place);
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

/// Returns `true` if only the right boundary is an end of the distribution, where the density may be 0 or unbounded.
fn starts_at_right(x: &TraceCoordinate, between: &CellBounds) -> bool {
    let ends = x.distribution.ends();
    let [left, right] = [0, 1].map(|i| {
        let border = between[i].as_ref().and_then(Graph::as_rational);
        border.is_some() && border == ends[i].as_ref().and_then(Graph::as_rational)
    });
    right && !left
}

/// Rewrites an integral between two boundaries as one over [0, 1], from the right if `right`. `scale` is σ for
/// unbounded ones.
fn to_unit_interval(y: Variable, between: &CellBounds, right: bool, scale: &Rational, body: &Graph) -> Graph {
    let u = Variable::fresh();
    let roots = roots_at_ends(y, between, body);
    match between {
        [Some(a), Some(b)] => {
            let width = b - a;
            let over = |place: Graph, parts: [DistanceProduct; 2]| {
                BoundedCoordinate { variable: y, between, map: place, width: width.clone(), parts }
                    .substitute_into(body)
            };
            // the start is the end with a rational value, so that factors are 0 there by their form
            let from_right = right || a.as_rational().is_none() && b.as_rational().is_some();
            // squares in u at ends where the map has square roots: the integrand becomes analytic
            let pace = UnitReparametrisation::analytic_at(u, if from_right { [roots[1], roots[0]] } else { roots });
            let [near, far] = pace.parts.clone();
            let way = &width * near.to_graph();
            let inner = match from_right {
                true => over(b - &way, [far, near]),
                false => over(a + &way, [near, far]),
            };
            pace.integrate_product(u, &[&width], &(&width * &inner))
        }
        // two half-lines, split at 0: the caller has cut at the bulk, so ℝ is a cell only for draws without one
        [None, None] => {
            let at_zero = Graph::integer(0);
            let left = to_unit_interval(y, &[None, Some(at_zero.clone())], false, scale, body);
            &left + to_unit_interval(y, &[Some(at_zero), None], false, scale, body)
        }
        [Some(border), None] | [None, Some(border)] => {
            // y = border ± σ·(1 - t)/t, with dy = ∓σ/t² dt
            // t = 0 is infinity: square roots occur at t = 1 only
            let pace = UnitReparametrisation::analytic_at(u, [false, roots[0] || roots[1]]);
            let [t, rest] = pace.parts.clone();
            let (t, scale) = (t.to_graph(), Graph::rational(scale.clone()));
            let far = DistanceProduct { distance: &scale * &rest.distance / &t, ..rest };
            let place = match between {
                [Some(_), _] => border + far.to_graph(),
                [None, _] => border - far.to_graph(),
            };
            let parts = [far.clone(), far];
            let inner = BoundedCoordinate { variable: y, between, map: place, width: Graph::integer(1), parts }
                .substitute_into(body);
            let speed = &scale / t.pow(&Rational::from(2));
            pace.integrate_product(u, &[], &(&inner * &speed))
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
        let v = &one - &u;
        let [two, three, six] = [2, 3, 6].map(Graph::integer);
        let (parts, derivative) = match roots {
            [false, false] => ([DistanceProduct::of_distance(u), DistanceProduct::of_distance(v)], one),
            [true, false] => {
                let rest = &v * (&one + &u);
                ([DistanceProduct::of_square(u.clone(), one), DistanceProduct::of_distance(rest)], &two * &u)
            }
            [false, true] => {
                let before = &u * (&two - &u);
                ([DistanceProduct::of_distance(before), DistanceProduct::of_square(v.clone(), one)], &two * &v)
            }
            // 3u² - 2u³ and its complement, v²(3 - 2v)
            [true, true] => {
                let [to_left, to_right] = [&u, &v].map(|w| &three - &two * w);
                let parts =
                    [DistanceProduct::of_square(u.clone(), to_left), DistanceProduct::of_square(v.clone(), to_right)];
                (parts, &six * (&u * &v))
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
        let times = |product: &Graph, by: &Graph, is_under| if is_under { product / by } else { product * by };
        let mut count = 0;
        let mut take = |graph: &Graph, n: i64, can_split: bool| {
            count += 1;
            let (base, exponent) = match graph.operation() {
                NodeOperation::Power(base, e) => (base, Rational::from((e.numerator, i64::from(e.denominator)))),
                _ => (graph, Rational::from(1)),
            };
            // sides are found by address: the substitution shares their nodes
            if let Some((_, sum)) = powers.iter_mut().find(|(side, _)| side.address() == base.address()) {
                *sum += exponent * n;
                return true;
            }
            let is_whole = match graph.operation() {
                // a divisor of a divisor stays in place: were it 0, there would be no value, but as a factor it would
                // be 0
                NodeOperation::Binary(Binary::Divide, ..) => n < 0,
                NodeOperation::Power(..) => true,
                _ => false,
            };
            match can_split && !is_whole && count < MAX_FACTORS {
                true => return false,
                false if graph.is_constant(-1) => constant = -&constant,
                false if graph.depends_on(u) => own = times(&own, graph, n < 0),
                false => constant = times(&constant, graph, n < 0),
            }
            true
        };
        [body, &self.derivative].iter().for_each(|product| product.split_factors(1, &mut take));
        for (side, sum) in powers.into_iter().filter(|(_, sum)| !sum.is_zero()) {
            let found = if sum == 1 { side.clone() } else { side.pow(&sum) };
            match side.depends_on(u) {
                true => own = &own * &found,
                false => constant = &constant * &found,
            }
        }
        &constant * Graph::integral(u, own)
    }
}

/// The greatest number of products in a sum. A choice: longer sums have wider ranges than one integral.
const MAX_PRODUCTS: usize = 16;

/// The remaining integral over a cell: of a sum of products, over the first draws.
#[derive(Debug)]
struct RemainingIntegral {
    /// The number of draws to integrate over.
    pub draws: usize,
    /// The products, as lists of factors.
    pub sum: Vec<Vec<Graph>>,
}

impl RemainingIntegral {
    /// Makes the integral of a product of factors over `draws` draws, without closed forms.
    pub fn without_closed_forms(draws: usize, factors: &[Graph]) -> Self {
        Self { draws, sum: vec![factors.to_vec()] }
    }

    /// Integrates a product of factors over a cell, in closed form for as many of the last draws as possible.
    pub fn over_cell(
        cell: &CylindricalCell,
        coordinates: &[TraceCoordinate],
        factors: &[Graph],
        known: IntegralAssumptions<'_>,
    ) -> Self {
        let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).collect();
        let mut left = Self::without_closed_forms(coordinates.len(), factors);
        while let Some(last) = left.draws.checked_sub(1) {
            let (y, others) = (variables[last], &variables[..last]);
            let over = |factors: &Vec<Graph>| {
                let (own, free): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|f| f.depends_on(y));
                let found = definite_integral(y, &own, &cell.bounds[last], IntegralAssumptions { others, ..known })?;
                Some(found.into_iter().map(move |product| [&free[..], &product].concat()))
            };
            if known.budget.is_exhausted() {
                break;
            }
            // all products of the sum must have a closed form, or the draw remains
            let Some(found) = left.sum.iter().map(over).collect::<Option<Vec<_>>>() else { break };
            let sum: Vec<Vec<Graph>> = found.into_iter().flatten().collect();
            if sum.len() > MAX_PRODUCTS {
                break;
            }
            left = Self { draws: last, sum };
        }
        left
    }
}

impl DrawGroup {
    /// Returns the number of draws to integrate numerically: the maximum over the cells.
    fn numeric_draws(&self) -> usize {
        self.remaining.iter().map(|left| left.draws).max().unwrap_or(self.coordinates.len())
    }

    /// Returns the number of draws to integrate numerically, and `true` if a boundary may be a square root.
    fn integration_cost(&self) -> (usize, bool) {
        (self.numeric_draws(), self.cells.iter().any(CylindricalCell::has_root_boundary))
    }
}

/// A coordinate between two boundaries, as a map of a variable in [0, 1].
struct BoundedCoordinate<'a> {
    /// The coordinate.
    pub variable: Variable,
    /// The borders.
    pub between: &'a CellBounds,
    /// The coordinate itself, as a map.
    pub map: Graph,
    /// The distance between the boundaries; 1 if there is only one.
    pub width: Graph,
    /// The parts of the interval to the left and to the right of the coordinate, as fractions of the width. With one
    /// boundary, the distance from it.
    pub parts: [DistanceProduct; 2],
}

impl BoundedCoordinate<'_> {
    /// Substitutes the coordinate into a map, with roots that vanish at a boundary written by distances.
    pub fn substitute_into(&self, body: &Graph) -> Graph {
        let bindings = [(self.variable, self.map.clone())];
        let mut substitution = Substitution::new(&bindings);
        for (node, exponent, DistanceProduct { side, rest, distance }) in self.roots_at_boundaries(body) {
            let root = |g: &Graph| match node.operation() {
                NodeOperation::Power(..) => g.pow(&exponent),
                _ => Graph::function(Function::Sqrt, g),
            };
            let roots = [rest, distance].map(|g| if g.is_constant(1) { g } else { root(&g) });
            // (side²)^q = side^(2q), since the side is positive
            let side = power_of_each(&side, &Rational::from(&exponent * 2));
            let found = roots.iter().fold(side, |product, root| &product * root);
            substitution.replace_node(node, found.at_site(node.site()));
        }
        substitution.apply(body)
    }

    /// Returns the roots in a map that vanish at a boundary: the nodes, their exponents and the products under the
    /// roots.
    fn roots_at_boundaries<'g>(&self, body: &'g Graph) -> Vec<(&'g Graph, Rational, DistanceProduct)> {
        let mut forms = RationalNormalForm::default();
        let is_open = self.between.iter().all(Option::is_none);
        let mut root = |node: &'g Graph| {
            let (under, exponent) = match node.operation() {
                NodeOperation::Unary(Unary::Function(Function::Sqrt), under) => (under, Rational::from((1, 2))),
                NodeOperation::Power(under, e) => (under, Rational::from((e.numerator, i64::from(e.denominator)))),
                _ => return None,
            };
            let may_be = !is_open && *exponent.denom() != 1 && under.depends_on(self.variable);
            let found = may_be.then(|| self.factorise_distances(under, &mut forms))??;
            Some((node, exponent, found))
        };
        Graph::all_nodes([body]).into_iter().filter_map(&mut root).collect()
    }

    /// Factorises a map into distances from boundaries and a rest. Returns `None` if no factor vanishes at a boundary.
    fn factorise_distances(&self, graph: &Graph, forms: &mut RationalNormalForm) -> Option<DistanceProduct> {
        if let NodeOperation::Binary(Binary::Multiply, a, b) = graph.operation() {
            let own = |g: &Graph| DistanceProduct {
                rest: g.substitute(&[(self.variable, self.map.clone())]),
                ..DistanceProduct::unit_product()
            };
            return match [a, b].map(|g| self.factorise_distances(g, forms)) {
                [None, None] => None,
                [x, y] => Some(x.unwrap_or_else(|| own(a)).multiply_parts(&y.unwrap_or_else(|| own(b)))),
            };
        }
        if !graph.depends_on(self.variable) {
            return None;
        }
        let [c, b, a] = quadratic_coefficients(graph, self.variable, forms)?;
        let value = |y: &Graph| (&a * y + &b) * y + &c;
        let mut is_nothing = |g: &Graph| forms.normal_form(g).is_some_and(|found| found.is_zero());
        let ends = self.between.each_ref().map(|border| border.as_ref().filter(|border| is_nothing(&value(border))));
        let two = Rational::from(2);
        // the derivative 2a·y + b, which is 0 halfway between both roots
        let slope = |y: &Graph| &a * y * Graph::rational(two.clone()) + &b;
        let middles = self.between.each_ref().map(|border| border.as_ref().is_some_and(|y| is_nothing(&slope(y))));
        let width = &self.width;
        // -a·width²: the width stays a factor of its own, with which others cancel, unless the product is simpler, as
        // for a varying a
        let mut whole = |distance: DistanceProduct| match a.as_rational() {
            Some(_) => distance.multiply_parts(&DistanceProduct {
                side: width.clone(),
                rest: -&a,
                ..DistanceProduct::unit_product()
            }),
            None => distance.multiply_parts(&DistanceProduct {
                rest: forms.simplify_graph(&(-&a * width.pow(&two))),
                ..DistanceProduct::unit_product()
            }),
        };
        // a·(y + l) + b, the cofactor of y - l if l is a root
        let other = |end: &Graph| width * (&a * (&self.map + end) + &b);
        let [left, right] = &self.parts;
        let twice = |part: &DistanceProduct| part.multiply_parts(&DistanceProduct::of_distance(2 - part.to_graph()));
        Some(match ends {
            [Some(_), Some(_)] => whole(left.multiply_parts(right)),
            // the other root mirrors l at the middle: its distance is 2 widths less the one from l
            [Some(_), None] if middles[1] => whole(twice(left)),
            [None, Some(_)] if middles[0] => whole(twice(right)),
            [Some(l), None] => {
                left.multiply_parts(&DistanceProduct { rest: other(l), ..DistanceProduct::unit_product() })
            }
            [None, Some(r)] => {
                right.multiply_parts(&DistanceProduct { rest: -other(r), ..DistanceProduct::unit_product() })
            }
            [None, None] => return None,
        })
    }
}

/// Returns for each boundary of a coordinate whether a map has square roots of the distance from it.
fn roots_at_ends(variable: Variable, between: &CellBounds, body: &Graph) -> [bool; 2] {
    // marks in place of distances tell which one a root contains
    let marks = [Variable::fresh(), Variable::fresh()];
    let parts = marks.map(|mark| DistanceProduct::of_distance(Graph::variable(mark)));
    let way = BoundedCoordinate { variable, between, map: Graph::variable(variable), width: Graph::integer(1), parts };
    let roots = way.roots_at_boundaries(body);
    marks.map(|mark| roots.iter().any(|(_, e, root)| *e.denom() == 2 && root.distance.depends_on(mark)))
}

/// A factorisation `side²·rest·distance` of a map. The side and the distance are positive inside, so only the rest may
/// vanish there.
#[derive(Clone)]
/// The root of the square.
struct DistanceProduct {
    /// The factors without zeros at a boundary.
    pub side: Graph,
    /// The product of distances from boundaries.
    pub rest: Graph,
    pub distance: Graph,
}

impl DistanceProduct {
    /// The product 1.
    fn unit_product() -> Self {
        let [side, rest, distance] = [1; 3].map(Graph::integer);
        Self { side, rest, distance }
    }

    /// Makes the product of one distance.
    pub fn of_distance(distance: Graph) -> Self {
        Self { distance, ..Self::unit_product() }
    }

    /// Makes the product of the square of `side` and a distance.
    pub fn of_square(side: Graph, distance: Graph) -> Self {
        Self { side, distance, ..Self::unit_product() }
    }

    /// Returns the product as a map.
    pub fn to_graph(&self) -> Graph {
        let square = if self.side.is_constant(1) { self.side.clone() } else { self.side.pow(&Rational::from(2)) };
        &square * &self.rest * &self.distance
    }

    /// Multiplies two products, part by part.
    fn multiply_parts(&self, other: &Self) -> Self {
        Self {
            side: &self.side * &other.side,
            rest: &self.rest * &other.rest,
            distance: &self.distance * &other.distance,
        }
    }
}

/// Raises a product of positive factors to a power, factor by factor.
fn power_of_each(product: &Graph, exponent: &Rational) -> Graph {
    match product.operation() {
        NodeOperation::Binary(Binary::Multiply, a, b) => power_of_each(a, exponent) * power_of_each(b, exponent),
        _ if product.is_constant(1) || *exponent == 1 => product.clone(),
        _ => product.pow(exponent),
    }
}

/// The greatest number of samples at which the sign of a map of several draws is tried. A choice.
const MAX_SAMPLES: usize = 64;

impl PathIntegral {
    /// Decides whether a test fails for a map somewhere on the path. Returns `Some(false)` if it holds everywhere,
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
fn sample_points(groups: &[&DrawGroup]) -> (Vec<Variable>, Vec<Vec<Rational>>) {
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
        let mut cuts: Vec<Boundary> = borders.map(|b| Boundary { graph: &at - b, needs_sign: true }).collect();
        cuts.push(Boundary { graph: graph.clone(), needs_sign: true });
        for part in cutter.decompose_into_cells(&[y], &cuts).ok()? {
            let is_inside = |[left, right]: &CellBounds| -> Option<bool> {
                let beyond =
                    |map: &Graph| cutter.sign_at(map, &[y], &part.sample).ok().map(|sign| sign == Ordering::Greater);
                let after = left.as_ref().map_or(Some(true), |a| beyond(&(&at - a)));
                let before = right.as_ref().map_or(Some(true), |b| beyond(&(b - &at)));
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

/// The highest order of derivatives to try. A choice: derivatives of graphs grow quickly.
const MAX_DERIVATIVE_ORDER: usize = 6;

impl PathIntegral {
    /// Decides whether a weight on the path is negative, with positive probability, for parameters arbitrarily near.
    ///
    /// Returns `Some(false)` if it is nonnegative for all parameters nearby. Returns `None` if neither is known.
    #[must_use]
    pub fn is_negative_nearby(
        &self,
        weight: &Graph,
        path: &ExecutionPath,
        parameter: &Parameter,
        budget: &Budget,
    ) -> Option<bool> {
        if let Some(fails) = self.test_fails(weight, SignTest::NonNegative, path, Some(parameter), budget) {
            return Some(fails);
        }
        if let Some(found) = self.by_first_derivative(weight, path, parameter, budget) {
            return Some(found);
        }
        match weight.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                // factors that stay nonnegative have a nonnegative product; two negative factors would prove nothing
                let own = [a, b].map(|factor| self.is_negative_nearby(factor, path, parameter, budget));
                (own == [Some(false); 2]).then_some(false)
            }
            _ => None,
        }
    }

    /// Decides the sign of a weight by its first nonzero derivative in the parameter (Taylor).
    fn by_first_derivative(
        &self,
        weight: &Graph,
        path: &ExecutionPath,
        parameter: &Parameter,
        budget: &Budget,
    ) -> Option<bool> {
        let own: Vec<&DrawGroup> = self
            .groups
            .iter()
            .filter(|group| group.coordinates.iter().any(|x| weight.depends_on(x.variable)))
            .collect();
        let (variables, places) = sample_points(&own);
        let cutter = CellDecomposition::new(Some(parameter), path.coordinate_ranges(Some(parameter)), budget);
        let mut forms = RationalNormalForm::default();
        let mut derivative = weight.clone();
        for order in 0..=MAX_DERIVATIVE_ORDER {
            let here = derivative.substitute(&[(parameter.variable, Graph::rational(parameter.value.clone()))]);
            let is_zero = forms.normal_form(&here).is_some_and(|form| form.is_zero())
                // without draws, the sign of one number decides; with draws, an identity is needed
                || variables.is_empty() && cutter.sign_at(&here, &[], &[]) == Ok(Ordering::Equal);
            if !is_zero {
                if order == 0 {
                    return None;
                }
                let signs: Vec<_> = places.iter().map(|place| cutter.sign_at(&here, &variables, place).ok()).collect();
                let is_negative = signs.contains(&Some(Ordering::Less));
                let is_positive = signs.contains(&Some(Ordering::Greater));
                return match order % 2 {
                    1 => (is_negative || is_positive).then_some(true),
                    _ if is_negative => Some(true),
                    // samples prove nothing for all draws: the derivative may be smaller towards a boundary
                    _ => (variables.is_empty() && is_positive).then_some(false),
                };
            }
            if !derivative.depends_on(parameter.variable) {
                return None;
            }
            derivative = derivative.slope(parameter.variable);
        }
        None
    }
}

/// Removes draws on which nothing depends: their densities have the integral 1.
fn remove_unused_draws(
    coordinates: &mut Vec<TraceCoordinate>,
    factors: &mut Vec<Graph>,
    ends: &mut Vec<(Variable, Graph)>,
    densities: &[(Variable, Graph)],
    path: &ExecutionPath,
) {
    let mut index = coordinates.len();
    while index > 0 {
        index -= 1;
        let y = coordinates[index].variable;
        // the density is identified as a node, since an equal factor may be a score
        let Some(own) = densities.iter().find(|(v, _)| *v == y).map(|(_, density)| density.address()) else { continue };
        let decided = path.decisions.iter().map(|decided| &decided.guard.graph);
        let others = factors.iter().filter(|factor| factor.address() != own);
        let borders = ends.iter().filter(|(v, _)| *v != y).map(|(_, end)| end);
        if !decided.chain(others).chain(borders).any(|graph| graph.depends_on(y)) {
            factors.retain(|factor| factor.address() != own);
            ends.retain(|(v, _)| *v != y);
            coordinates.remove(index);
            // the draws of its parameters may be unused now
            index = coordinates.len();
        }
    }
}

/// Integrates draws without guards in closed form: normal ones, and gamma and beta ones on which no other draw depends.
fn integrate_closed_draws(
    coordinates: &mut Vec<TraceCoordinate>,
    factors: &mut Vec<Graph>,
    ends: &[Graph],
    absolutely: bool,
    path: &ExecutionPath,
    parameter: Option<&Parameter>,
    budget: &Budget,
) {
    let within = path.coordinate_ranges(parameter);
    let mut index = coordinates.len();
    while index > 0 {
        index -= 1;
        if budget.is_exhausted() {
            return;
        }
        let y = coordinates[index].variable;
        let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).filter(|x| *x != y).collect();
        let is_alone = |graph: &Graph| !variables.iter().any(|x| graph.depends_on(*x));
        let Some(form) = coordinates[index].distribution.family().closed_form() else { continue };
        let is_normal = form == ClosedForm::Normal;
        // the ends of its own distribution bound the whole support
        let ends = ends.iter().filter(|end| is_normal || !is_alone(end));
        let mut borders = path.decisions.iter().map(|decided| &decided.guard.graph).chain(ends);
        if borders.any(|border| border.depends_on(y)) {
            continue;
        }
        let (own, others): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|factor| factor.depends_on(y));
        let closed = || {
            let known = KernelContext { within: &within, parameter, budget };
            // closed forms over the support need all factors to depend on this draw alone
            let may_be = own.iter().all(is_alone) && (absolutely || variables.is_empty());
            let kernel = DensityKernel::from_factors(y, &own, known).filter(|_| may_be)?;
            kernel.integrate_support(&coordinates[index], known).map(|found| vec![found])
        };
        let found = match is_normal {
            true => integrate_normal_draw(y, &own, &variables, absolutely, &within, budget),
            false => closed(),
        };
        if let Some(found) = found {
            *factors = others.into_iter().chain(found).collect();
            coordinates.remove(index);
            // an earlier failure may have a closed form now
            index = coordinates.len();
        }
    }
}
