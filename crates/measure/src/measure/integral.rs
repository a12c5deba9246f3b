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

use super::boxes::Boxes;
use super::cells::{Cell, Cut, Cutter, Obstacle};
use super::cubature::half_space::MOST_AXES;
use super::distribution::{add, multiply, subtract};
use super::draws::{Coordinate, Draw, Parameter, Path};
use super::eliminate::between::Known;
use super::kernel::{About, Kernel, Peak, Where};
use super::moment::bound;
use super::powers::powers;
use super::range::range;
use super::trials::contributed;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::Decided;
use crate::smooth::graph::{Graph, Variable};
use along::{along, is_right};
use closed::Left;
use reduce::{leave_out, reduce};
use std::cmp::Ordering;

/// The mean of a product of maps over the draws of a path: a product of integrals over independent groups of draws.
#[derive(Debug)]
pub struct Leaf {
    /// The groups of dependent draws.
    groups: Vec<Group>,
    /// The product of the factors without real draws.
    constant: Graph,
}

/// Draws that depend on each other through a guard, a density or a factor.
#[derive(Debug)]
struct Group {
    /// The draws, in the order in which the cells have them.
    coordinates: Vec<Coordinate>,
    /// The cells. Empty if the group is integrated over boxes only.
    cells: Vec<Cell>,
    /// The remaining integral over each cell, after closed forms.
    left: Vec<Left>,
    /// The factors in which a draw of the group occurs.
    factors: Vec<Graph>,
    /// The product of the factors around a peak, if the group has one draw and its density has a peak.
    about: Option<About>,
    /// The integral over boxes, if it applies.
    boxes: Option<Boxes>,
}

/// The greatest number of draws to integrate jointly over cells. A choice: the cost grows exponentially.
pub const MOST_COORDINATES: usize = 3;

impl Leaf {
    /// Decomposes a path into cells, by its guards alone. Returns `None` if no draws satisfy the guards.
    ///
    /// # Errors
    /// Every cause of [`Obstacle`].
    pub fn shape(path: &Path, parameter: Option<&Parameter>, budget: &Budget) -> Result<Option<Self>, Obstacle> {
        Self::made(path, None, false, parameter, budget)
    }

    /// Decomposes a path into cells, with the product of maps to integrate over them. Draws are integrated in closed
    /// form if possible.
    ///
    /// Returns `None` if no draws satisfy the guards.
    ///
    /// # Errors
    /// Every cause of [`Obstacle`].
    pub fn reduced(
        path: &Path,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
        Self::made(path, Some(factors), false, parameter, budget)
    }

    /// Like [`reduced`](Self::reduced), for maps that are nowhere negative up to a set of probability 0. By Tonelli's
    /// theorem the order of integration does not matter.
    ///
    /// # Errors
    /// Every cause of [`Obstacle`].
    pub fn not_negative(
        path: &Path,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
        Self::made(path, Some(factors), true, parameter, budget)
    }

    /// Decomposes a path. Without factors only the guards count.
    fn made(
        path: &Path,
        factors: Option<&[Graph]>,
        not_negative: bool,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
        // the sum over the naturals of a tail has a closed form or none: cells are for fixed numbers
        if path.has_tail() {
            let constant = contributed(path, factors.unwrap_or_default()).ok_or(Obstacle::Tail)?;
            return Ok(Some(Self { groups: Vec::new(), constant }));
        }
        let mut coordinates: Vec<Coordinate> = path.coordinates().cloned().collect();
        let density = |x: &Coordinate| (x.variable, powers(&x.distribution.density(&Graph::variable(x.variable))));
        let densities: Vec<(Variable, Graph)> = coordinates.iter().map(density).collect();
        let chances = path.draws.iter().filter_map(|draw| match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => Some(powers(chance)),
            Draw::Real(_) | Draw::Tail(..) => None,
        });
        let mut waiting: Vec<Graph> = Vec::new();
        // for the shape alone densities do not matter
        if let Some(factors) = factors {
            waiting.extend(densities.iter().map(|(_, density)| density.clone()));
            waiting.extend(chances.chain(factors.iter().map(powers)));
        }
        let supports = |x: &Coordinate| {
            let (v, at) = (x.variable, Graph::variable(x.variable));
            let [left, right] = x.distribution.ends();
            let ends = [left.map(|a| subtract(&at, &a)), right.map(|b| subtract(&b, &at))];
            ends.into_iter().flatten().map(move |end| (v, end))
        };
        let mut ends: Vec<(Variable, Graph)> = coordinates.iter().flat_map(supports).collect();
        // for the shape alone every draw counts: a cell has all coordinates of its guards
        if factors.is_some() {
            leave_out(&mut coordinates, &mut waiting, &mut ends, &densities, path);
        }
        let ends: Vec<Graph> = ends.into_iter().map(|(_, end)| end).collect();
        // Fubini: the order matters for a product with both signs, unless its absolute value has an integral
        let absolutely =
            factors.is_some_and(|factors| not_negative || bound(path, factors, parameter, 0, budget).is_some());
        if factors.is_some() {
            reduce(&mut coordinates, &mut waiting, &ends, absolutely, path, parameter, budget);
        }
        let within = path.within(parameter);
        let known = factors.map(|_| Known { others: &[], absolutely, within: &within, budget });
        let guards = path.decided.iter().map(|decided| &decided.guard.graph);
        let together = groups(&coordinates, guards.chain(&waiting).chain(&ends));
        let (mut leaf, mut all) = (Self { groups: Vec::new(), constant: Graph::integer(1) }, path.decided.clone());
        for coordinates in together {
            let occurs = |graph: &Graph| coordinates.iter().any(|x| graph.depends_on(x.variable));
            let (own, others): (Vec<_>, Vec<_>) = waiting.drain(..).partition(|graph| occurs(graph));
            waiting = others;
            let (decided, others): (Vec<_>, Vec<_>) = all.drain(..).partition(|decided| occurs(&decided.guard.graph));
            all = others;
            let own_ends: Vec<Graph> = ends.iter().filter(|end| occurs(end)).cloned().collect();
            let about = match &coordinates[..] {
                [x] if factors.is_some() => about_peak(x, &own, Where { within: &within, parameter, budget }),
                _ => None,
            };
            let peak = about.as_ref().map(|about| &about.peak);
            let found = in_some_order(&coordinates, &own, known, |coordinates| {
                cells(coordinates, &decided, &own_ends, peak, path, parameter, budget)
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
                Err(Obstacle::Degree | Obstacle::End | Obstacle::Dimension | Obstacle::Roots | Obstacle::Close)
                    if fits =>
                {
                    let (cells, left) = (Vec::new(), Vec::new());
                    Group { coordinates, cells, left, factors: own.clone(), about: None, boxes: None }
                }
                Err(obstacle) => return Err(obstacle),
            };
            group.about = about.filter(|_| group.draws() == 1);
            // for several draws with unbounded cells or roots as boundaries, boxes are a second way
            let hard = |cell: &Cell| cell.is_open() || cell.is_bent();
            let is_hard = factors.is_some() && group.coordinates.len() > 1 && group.cells.iter().any(hard);
            if fits && (group.cells.is_empty() || is_hard) {
                group.boxes = Some(Boxes::new(&group.coordinates, &densities, &own, &decided, path, parameter));
            }
            leaf.groups.push(group);
        }
        // what belongs to no group has no draws
        leaf.constant = product(&waiting);
        Ok(Some(leaf))
    }

    /// Returns `true` if cells are known for every group, so that the guards are satisfied on an open set.
    #[must_use]
    pub fn is_somewhere(&self) -> bool {
        self.groups.iter().all(|group| !group.cells.is_empty())
    }

    /// Returns `true` if a group of several draws has an unbounded cell, or no cells.
    #[must_use]
    pub fn is_hard_to_differentiate(&self) -> bool {
        let is_open = |group: &Group| group.cells.is_empty() || group.cells.iter().any(Cell::is_open);
        self.groups.iter().any(|group| group.draws() > 1 && is_open(group))
    }

    /// Returns `true` if the cells of all groups with boxes are bounded.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.groups.iter().filter(|group| group.boxes.is_some()).all(|group| !group.cells.iter().any(Cell::is_open))
    }

    /// Returns `true` if at most one draw remains in each group with boxes, the others having closed forms.
    #[must_use]
    pub fn is_nearly_closed(&self) -> bool {
        self.groups.iter().filter(|group| group.boxes.is_some()).all(|group| group.draws() < 2)
    }

    /// Returns the integrals over boxes, of the groups that have one.
    pub fn boxes(&self) -> impl Iterator<Item = &Boxes> {
        self.groups.iter().filter_map(|group| group.boxes.as_ref())
    }

    /// Returns `true` if a closed form replaces the integral over some draw.
    #[must_use]
    pub fn has_closed_forms(&self) -> bool {
        self.groups.iter().any(|group| group.left.iter().any(|left| left.draws < group.coordinates.len()))
    }

    /// Returns the power of two to multiply the integral by: the integrals around peaks are scaled to the size of 1.
    #[must_use]
    pub fn shift(&self) -> i64 {
        self.groups
            .iter()
            .filter_map(|group| group.about.as_ref())
            .fold(0, |sum, about| sum.saturating_add(about.shift))
    }

    /// Builds the product of the integrals over all groups, without the [`shift`](Self::shift), as a map of the
    /// parameter.
    ///
    /// Without `with_boxes`, groups with boxes are left out. Without `closed`, no closed forms are used, since a sum of
    /// them may have a wider range than the integral.
    #[must_use]
    pub fn integral(&self, with_boxes: bool, closed: bool, parameter: Option<&Parameter>, budget: &Budget) -> Graph {
        let cutter = Cutter::new(parameter, Vec::new(), budget);
        let of = |group: &Group| {
            let scale =
                |x: &Coordinate| bulk(&cutter, x.distribution.bulk()).map_or(Rational::from(1), |[_, scale]| scale);
            // the scale σ of an unbounded cell: the width of the peak, or of the distribution
            let scales: Vec<Rational> = match &group.about {
                Some(about) => vec![about.peak.width.clone()],
                None => group.coordinates.iter().map(scale).collect(),
            };
            let over = |(cell, left): (&Cell, &Left)| {
                // the product around the peak is for one remaining draw; it has the shift already
                let about = group.about.as_ref().filter(|_| left.draws == 1).map(|about| about.product.clone());
                let sum = left.sum.iter().map(|factors| product(factors)).reduce(|sum, next| add(&sum, &next));
                let coordinates = group.coordinates.iter().zip(&cell.between).zip(&scales).take(left.draws);
                let shifted = |sum: Graph| match &group.about {
                    Some(about) if about.shift != 0 => {
                        multiply(&Graph::rational(scaled(Rational::from(1), about.shift.saturating_neg())), &sum)
                    }
                    _ => sum,
                };
                let sum = about.or_else(|| sum.map(shifted)).unwrap_or_else(|| Graph::integer(0));
                // the last draw is integrated first, as its bounds depend on all others
                coordinates.rev().fold(sum, |inner, ((x, between), scale)| {
                    along(x.variable, between, is_right(x, between), scale, &inner)
                })
            };
            let whole = Left::whole(group.coordinates.len(), &group.factors);
            let left = group.left.iter().map(|left| if closed { left } else { &whole });
            let cells = group.cells.iter().zip(left).map(over);
            cells.reduce(|sum, next| add(&sum, &next)).unwrap_or_else(|| Graph::integer(0))
        };
        let own = self.groups.iter().filter(|group| with_boxes || group.boxes.is_none());
        own.fold(self.constant.clone(), |product, group| multiply(&product, &of(group)))
    }
}

/// Returns `q·2^shift`.
#[must_use]
pub fn scaled(q: Rational, shift: i64) -> Rational {
    let by = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    if shift < 0 { q >> by } else { q << by }
}

/// Returns a derivative of a map of the parameter, at the value of the parameter.
#[must_use]
pub fn derived(graph: &Graph, parameter: Option<&Parameter>, order: u32) -> Graph {
    let Some(Parameter { variable, at, .. }) = parameter else { return graph.clone() };
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
fn cells(
    coordinates: &[Coordinate],
    decided: &[Decided],
    ends: &[Graph],
    peak: Option<&Peak>,
    path: &Path,
    parameter: Option<&Parameter>,
    budget: &Budget,
) -> Result<Option<Vec<Cell>>, Obstacle> {
    if coordinates.len() > MOST_COORDINATES {
        return Err(Obstacle::Dimension);
    }
    let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).collect();
    let mut cutter = Cutter::new(parameter, path.within(parameter), budget);
    let matters = |graph: &Graph| Cut { graph: graph.clone(), matters: true };
    let mut cuts: Vec<Cut> = decided.iter().map(|decided| matters(&decided.guard.graph)).collect();
    cuts.extend(ends.iter().map(matters));
    // a cut at the bulk of each draw, or at its peak, keeps integrals from missing a narrow density
    for x in coordinates {
        let middle = || bulk(&cutter, x.distribution.bulk()).map(|[middle, _]| middle);
        for place in peak.map_or_else(|| middle().into_iter().collect(), Peak::cuts) {
            let graph = subtract(&Graph::variable(x.variable), &Graph::rational(place));
            cuts.push(Cut { graph, matters: false });
        }
    }
    let mut found = Vec::new();
    let parts = cutter.cells(&variables, &cuts).map_err(|obstacle| match obstacle {
        // without guards the boundary is an end of a distribution
        Obstacle::Degree | Obstacle::Roots if decided.is_empty() => Obstacle::End,
        other => other,
    });
    for cell in parts? {
        if holds(&mut cutter, &variables, &cell, decided, ends)? {
            found.push(cell);
        }
    }
    Ok((!found.is_empty()).then_some(found))
}

/// Decomposes a group of draws into cells, in the best order of the draws.
///
/// The best order leaves the fewest draws to integrate numerically, and then has no square roots as boundaries. The
/// given order is tried first, then orders with another draw last. Returns `None` if there are no cells.
fn in_some_order(
    coordinates: &[Coordinate],
    factors: &[Graph],
    known: Option<Known<'_>>,
    cells: impl Fn(&[Coordinate]) -> Result<Option<Vec<Cell>>, Obstacle>,
) -> Result<Option<Group>, Obstacle> {
    let mut best: Result<Group, Obstacle> = Err(Obstacle::Dimension);
    for last in (0..coordinates.len()).rev() {
        let mut coordinates = coordinates.to_vec();
        let moved = coordinates.remove(last);
        coordinates.push(moved);
        let group = match cells(&coordinates) {
            // an empty decomposition is a proof in any order
            Ok(None) => return Ok(None),
            Ok(Some(cells)) => {
                let left = known.map_or_else(Vec::new, |known| {
                    cells.iter().map(|cell| Left::of(cell, &coordinates, factors, known)).collect()
                });
                Ok(Group { coordinates, cells, left, factors: factors.to_vec(), about: None, boxes: None })
            }
            Err(obstacle) => Err(obstacle),
        };
        best = match (best, group) {
            (Ok(best), Ok(group)) if group.cost() < best.cost() => Ok(group),
            (Ok(best), _) => Ok(best),
            (Err(_), Ok(group)) => Ok(group),
            // `Dimension` is the initial reason; later orders keep the reason of the first
            (Err(first), Err(other)) => Err(if first == Obstacle::Dimension { other } else { first }),
        };
        let is_enough = match &best {
            // (1, false): at most one draw remains, between boundaries without roots
            Ok(group) => known.is_none_or(|known| group.cost() <= (1, false) || known.budget.is_exhausted()),
            Err(obstacle) => matches!(obstacle, Obstacle::Dimension | Obstacle::Time),
        };
        if is_enough {
            break;
        }
    }
    best.map(Some)
}

/// Splits the draws into groups: two draws are in one if a map depends on both.
fn groups<'g>(coordinates: &[Coordinate], maps: impl Iterator<Item = &'g Graph>) -> Vec<Vec<Coordinate>> {
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
fn about_peak(x: &Coordinate, factors: &[Graph], known: Where<'_>) -> Option<About> {
    let kernel = Kernel::of(x.variable, factors, known)?;
    let peak = kernel.peak(x, known)?;
    Some(kernel.about(peak, known))
}

/// Returns the product of the factors.
fn product(factors: &[Graph]) -> Graph {
    factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor))
}

/// Returns the middle and the width of a distribution as rationals. Returns `None` if they depend on draws.
fn bulk(cutter: &Cutter<'_>, bulk: Option<[Graph; 2]>) -> Option<[Rational; 2]> {
    let [middle, scale] = bulk?.map(|graph| {
        let at = match cutter.parameter {
            Some(p) => graph.substitute(&[(p.variable, Graph::rational(p.at.clone()))]),
            None => graph,
        };
        let found: Enclosure = range(&at, &[], cutter.budget);
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
fn holds(
    cutter: &mut Cutter<'_>,
    variables: &[Variable],
    cell: &Cell,
    decided: &[Decided],
    supports: &[Graph],
) -> Result<bool, Obstacle> {
    for support in supports {
        if cutter.sign_of_cell(support, variables, &cell.inside)? != Ordering::Greater {
            return Ok(false);
        }
    }
    for Decided { guard, holds, .. } in decided {
        if guard.test.holds(cutter.sign_of_cell(&guard.graph, variables, &cell.inside)?) != *holds {
            return Ok(false);
        }
    }
    Ok(true)
}
