//! What a path contributes: integrals over its cells, as maps of the parameter.
//!
//! A cell is taken to the unit cube, one coordinate after the other: `y = l + (r - l)·s`, or `y = l + σ(1 - s)/s` where there is no
//! right end, and so on the left. So a derivative in the parameter holds what its borders bring along, and the engine of `integral01`, which
//! knows what falls at an end and how fast, needs no truncated tails.

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

/// The mean, over the draws of a path, of a product of maps: an integral for each group of draws that have to do with each other.
#[derive(Debug)]
pub struct Leaf {
    groups: Vec<Group>,
    /// The factors in which no real draw occurs.
    constant: Graph,
}

/// Draws that have to do with each other: by a guard, a density or a factor.
#[derive(Debug)]
struct Group {
    coordinates: Vec<Coordinate>,
    /// None where only boxes are of use.
    cells: Vec<Cell>,
    /// What is left of the integral over each cell.
    left: Vec<Left>,
    /// What is integrated over: the factors in which a draw of the group occurs.
    factors: Vec<Graph>,
    /// Their product about a peak, where the group is one draw whose density has one.
    about: Option<About>,
    boxes: Option<Boxes>,
}

/// The most draws that are integrated over together.
pub const MOST_COORDINATES: usize = 3;

impl Leaf {
    /// The cells of a path, by its guards alone; `None` where the path leads nowhere.
    ///
    /// # Errors
    /// [`Obstacle`]
    pub fn shape(path: &Path, parameter: Option<&Parameter>, budget: &Budget) -> Result<Option<Self>, Obstacle> {
        Self::made(path, None, false, parameter, budget)
    }

    /// The cells of a path, and the product of these maps on them; normal draws are integrated over in closed form if they can be.
    ///
    /// # Errors
    /// [`Obstacle`]
    pub fn reduced(
        path: &Path,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
        Self::made(path, Some(factors), false, parameter, budget)
    }

    /// The cells of a path, and the product on them of maps that are nowhere less than 0 but for a set of chance 0. By Tonelli's theorem the order
    /// in which it is integrated does not matter.
    ///
    /// # Errors
    /// [`Obstacle`]
    pub fn not_negative(
        path: &Path,
        factors: &[Graph],
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
        Self::made(path, Some(factors), true, parameter, budget)
    }

    fn made(
        path: &Path,
        factors: Option<&[Graph]>,
        not_negative: bool,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Result<Option<Self>, Obstacle> {
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
        if factors.is_some() {
            leave_out(&mut coordinates, &mut waiting, &mut ends, &densities, path);
        }
        let ends: Vec<Graph> = ends.into_iter().map(|(_, end)| end).collect();
        // the order in which a product with both signs is integrated matters, unless its absolute value has an integral
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
            // where one draw is left of several, boxes are for what its integral does not find
            let hard = |cell: &Cell| cell.is_open() || cell.is_bent();
            let is_hard = factors.is_some() && group.coordinates.len() > 1 && group.cells.iter().any(hard);
            if fits && (group.cells.is_empty() || is_hard) {
                group.boxes = Some(Boxes::new(&group.coordinates, &densities, &own, &decided, path, parameter));
            }
            leaf.groups.push(group);
        }
        leaf.constant = product(&waiting);
        Ok(Some(leaf))
    }

    /// Whether the path leads to somewhere: each of its guards cuts out cells that are known.
    #[must_use]
    pub fn is_somewhere(&self) -> bool {
        self.groups.iter().all(|group| !group.cells.is_empty())
    }

    /// Whether several draws have to do with each other of which one lies on an infinite line, or in no cell.
    #[must_use]
    pub fn is_hard_to_differentiate(&self) -> bool {
        let is_open = |group: &Group| group.cells.is_empty() || group.cells.iter().any(Cell::is_open);
        self.groups.iter().any(|group| group.draws() > 1 && is_open(group))
    }

    /// Whether every cell of the groups that may be integrated over as boxes has ends.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.groups.iter().filter(|group| group.boxes.is_some()).all(|group| !group.cells.iter().any(Cell::is_open))
    }

    /// Whether of each group of draws that may be integrated over as boxes one draw is left at most, the others having closed forms.
    #[must_use]
    pub fn is_nearly_closed(&self) -> bool {
        self.groups.iter().filter(|group| group.boxes.is_some()).all(|group| group.draws() < 2)
    }

    /// The groups that may be integrated over as boxes.
    pub fn boxes(&self) -> impl Iterator<Item = &Boxes> {
        self.groups.iter().filter_map(|group| group.boxes.as_ref())
    }

    /// Whether a closed form takes the place of the integral over some draw.
    #[must_use]
    pub fn has_closed_forms(&self) -> bool {
        self.groups.iter().any(|group| group.left.iter().any(|left| left.draws < group.coordinates.len()))
    }

    /// By which power of two the integral is to be multiplied: it is of the size of 1 where the densities have a peak.
    #[must_use]
    pub fn shift(&self) -> i64 {
        self.groups
            .iter()
            .filter_map(|group| group.about.as_ref())
            .fold(0, |sum, about| sum.saturating_add(about.shift))
    }

    /// The integral over all groups that have cells, without the [`shift`](Self::shift), as a map of the parameter, or over those that are not integrated over as boxes; with
    /// closed forms, or without: a sum of them may be harder to see through than what it stands for.
    #[must_use]
    pub fn integral(&self, with_boxes: bool, closed: bool, parameter: Option<&Parameter>, budget: &Budget) -> Graph {
        let cutter = Cutter::new(parameter, Vec::new(), budget);
        let of = |group: &Group| {
            let scale =
                |x: &Coordinate| bulk(&cutter, x.distribution.bulk()).map_or(Rational::from(1), |[_, scale]| scale);
            let scales: Vec<Rational> = match &group.about {
                Some(about) => vec![about.peak.width.clone()],
                None => group.coordinates.iter().map(scale).collect(),
            };
            let over = |(cell, left): (&Cell, &Left)| {
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

/// A number times a power of two.
#[must_use]
pub fn scaled(q: Rational, shift: i64) -> Rational {
    let by = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    if shift < 0 { q >> by } else { q << by }
}

/// A derivative of a map of the parameter, at its place.
#[must_use]
pub fn derived(graph: &Graph, parameter: Option<&Parameter>, order: u32) -> Graph {
    let Some(Parameter { variable, at, .. }) = parameter else { return graph.clone() };
    let mut found = graph.clone();
    for k in (0..order).rev() {
        let place = if k == 0 { Graph::rational(at.clone()) } else { Graph::variable(*variable) };
        found = Graph::derivative(vec![*variable], found, vec![place], vec![Graph::integer(1)]);
    }
    match order {
        0 => found.substitute(&[(*variable, Graph::rational(at.clone()))]),
        _ => found,
    }
}

/// The cells of a group of draws on which everything is as it was decided; `None` where there are none.
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
    for x in coordinates {
        let middle = || bulk(&cutter, x.distribution.bulk()).map(|[middle, _]| middle);
        for place in peak.map_or_else(|| middle().into_iter().collect(), Peak::cuts) {
            let graph = subtract(&Graph::variable(x.variable), &Graph::rational(place));
            cuts.push(Cut { graph, matters: false });
        }
    }
    let mut found = Vec::new();
    let parts = cutter.cells(&variables, &cuts).map_err(|obstacle| match obstacle {
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

/// A group of draws in cells, in the order in which it has cells with the fewest draws over which numbers are summed, and then with borders that
/// are no square roots: first as they are drawn, then with another one last. `None` where there are no cells.
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
            (Err(first), Err(other)) => Err(if first == Obstacle::Dimension { other } else { first }),
        };
        let is_enough = match &best {
            Ok(group) => known.is_none_or(|known| group.cost() <= (1, false) || known.budget.is_exhausted()),
            Err(obstacle) => matches!(obstacle, Obstacle::Dimension | Obstacle::Time),
        };
        if is_enough {
            break;
        }
    }
    best.map(Some)
}

/// The draws in groups: two are in one where a map mentions both.
fn groups<'g>(coordinates: &[Coordinate], maps: impl Iterator<Item = &'g Graph>) -> Vec<Vec<Coordinate>> {
    let mut group: Vec<usize> = (0..coordinates.len()).collect();
    for map in maps {
        let mentioned: Vec<usize> =
            (0..coordinates.len()).filter(|&i| map.depends_on(coordinates[i].variable)).map(|i| group[i]).collect();
        if let Some(&first) = mentioned.iter().min() {
            group.iter_mut().filter(|g| mentioned.contains(g)).for_each(|g| *g = first);
        }
    }
    let of = |g: usize| {
        let own = coordinates.iter().zip(&group).filter(|(_, other)| **other == g);
        own.map(|(x, _)| x.clone()).collect::<Vec<_>>()
    };
    (0..coordinates.len()).map(of).filter(|group| !group.is_empty()).collect()
}

/// The product of the factors of one draw about their peak, where they have one.
fn about_peak(x: &Coordinate, factors: &[Graph], known: Where<'_>) -> Option<About> {
    let kernel = Kernel::of(x.variable, factors, known)?;
    let peak = kernel.peak(x, known)?;
    Some(kernel.about(peak, known))
}

fn product(factors: &[Graph]) -> Graph {
    factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor))
}

/// The middle and the width of a distribution as numbers, where they do not depend on what is drawn.
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
                // a short number near the middle
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

/// Whether everything that was decided is so in a cell, and the draws are where they can be.
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
