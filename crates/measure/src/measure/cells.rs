//! Cylindrical cells: sets of draws whose boundaries are maps of the earlier draws.
//!
//! A set given by guards is decomposed along its last coordinate first, as in Collins' cylindrical algebraic
//! decomposition. A guard that is affine in it, `a·y + b`, has the boundary `-b/a`, a map of the other coordinates and
//! of the parameter, whose jets are those of the boundary. A guard of degree two has two boundaries where its
//! discriminant is positive. The maps that decide the order of the boundaries, and the guards without the coordinate,
//! decompose the other coordinates in the same way (the projection).
//!
//! In one coordinate, roots of other guards are isolated as well, at the parameter. Such a boundary is the first root
//! between two numbers, and moves with the parameter. Signs are constant on a cell, so that one sample decides them.
//!
//! Nothing is guessed. If two boundaries are not separated, or if a guard is neither of degree two nor of one
//! coordinate, there is no decomposition. For derivatives the decomposition must be the same for all parameters nearby,
//! so boundaries that meet at the parameter are an error.

mod border;
mod roots;

use super::distribution::{add, multiply, subtract};
use super::draws::Parameter;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use border::{Border, Curve};
use std::cmp::Ordering;

/// The lower and the upper boundary of a coordinate. `None` is infinite.
pub type Between = [Option<Graph>; 2];

/// A cell: the bounds of each coordinate, as maps of the earlier coordinates, and a sample.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// The bounds, one pair per coordinate.
    pub between: Vec<Between>,
    /// A sample: a point in the interior, for the value of the parameter.
    pub inside: Vec<Rational>,
    /// `true` if a boundary may be a square root.
    is_bent: bool,
}

impl Cell {
    /// Returns `true` if the cell is unbounded in some coordinate.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.between.iter().flatten().any(Option::is_none)
    }

    /// Returns `true` if one of the boundaries may be a square root of draws.
    #[must_use]
    pub fn is_bent(&self) -> bool {
        self.is_bent
    }
}

/// The reason why a set has no decomposition into cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A guard of several coordinates has degree above two in the coordinate that is decomposed.
    Degree,
    /// An end of a distribution, as a map of another draw, has degree above two, or its roots are not isolated.
    End,
    /// Two boundaries are not separated, or a sign at a sample is not decided.
    Close,
    /// Two boundaries meet, or coincide with a cut, at the value of the parameter of a derivative.
    Meet,
    /// The roots of a guard are not all isolated.
    Roots,
    /// More draws depend on each other than are integrated jointly.
    Dimension,
    /// The path has a tail of natural numbers.
    Tail,
    /// The budget is exhausted.
    Time,
}

impl Obstacle {
    /// Returns the reason in words.
    #[must_use]
    pub fn text(&self) -> &'static str {
        match self {
            Self::Degree => {
                "a guard (a comparison, or a choice that abs, max or a density makes) is of no degree up to two in a draw on which it \
                 depends with others"
            }
            Self::End => {
                "an end of where a draw lies, as a map of another draw, is of no degree up to two, or its zeros are not all found"
            }
            Self::Close => "two borders are not told apart, or it is not decided on which side of one a place lies",
            Self::Meet => "borders meet at the place of the parameter, so that a derivative need not exist",
            Self::Roots => "not all roots of a guard are found",
            Self::Dimension => "more than three real draws of a path have to do with each other",
            Self::Tail => "a natural number is not fixed",
            Self::Time => "the time was up",
        }
    }
}

/// A map whose zeros bound cells, and whether its sign is needed.
///
/// Cuts that only make integrals easier need no sign.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The map.
    pub graph: Graph,
    /// `true` if the sign of the map must be constant on each cell.
    pub matters: bool,
}

impl Cut {
    /// Splits the map into maps with the same zeros together: the factors of a product, the base of a power.
    fn factors(&self, variables: &[Variable]) -> Vec<Self> {
        let (mut waiting, mut found) = (vec![&self.graph], Vec::new());
        while let Some(graph) = waiting.pop() {
            match graph.operation() {
                Operation::Binary(Binary::Multiply, a, b) => waiting.extend([b, a]),
                // a divisor with the coordinates stays: its zeros are points without a value
                Operation::Binary(Binary::Divide, a, b) if !variables.iter().any(|v| b.depends_on(*v)) => {
                    waiting.push(a)
                }
                Operation::Unary(Unary::Negate, a) => waiting.push(a),
                Operation::Binary(Binary::Subtract, zero, a) if zero.as_rational().is_some_and(|q| *q == 0) => {
                    waiting.push(a)
                }
                Operation::Power(a, exponent) if exponent.denominator == 1 && exponent.numerator > 0 => waiting.push(a),
                _ => found.push(Self { graph: graph.clone(), matters: self.matters }),
            }
        }
        found
    }
}

/// The decomposition of a set into cells, at a parameter.
#[derive(Debug)]
pub struct Cutter<'a> {
    /// The parameter.
    pub parameter: Option<&'a Parameter>,
    /// The budget.
    pub budget: &'a Budget,
    /// Enclosures of the coordinates.
    within: Vec<(Variable, Enclosure)>,
    /// Rational normal forms, to decide identities.
    forms: Normaliser,
}

impl<'a> Cutter<'a> {
    /// Makes a decomposition at a parameter.
    #[must_use]
    pub fn new(parameter: Option<&'a Parameter>, within: Vec<(Variable, Enclosure)>, budget: &'a Budget) -> Self {
        Self { parameter, budget, within, forms: Normaliser::default() }
    }

    /// Returns the order of the derivative in the parameter; 0 without one.
    fn order(&self) -> u32 {
        self.parameter.map_or(0, |parameter| parameter.order)
    }

    /// Substitutes a point for the coordinates, and the value of the parameter.
    fn at(&self, graph: &Graph, variables: &[Variable], place: &[Rational]) -> Graph {
        let mut bindings: Vec<_> = variables.iter().copied().zip(place.iter().cloned().map(Graph::rational)).collect();
        bindings.extend(self.parameter.map(|p| (p.variable, Graph::rational(p.at.clone()))));
        graph.substitute(&bindings)
    }

    /// Substitutes the value of the parameter.
    fn here(&self, graph: &Graph) -> Graph {
        self.at(graph, &[], &[])
    }

    /// Returns the sign of a map on a cell on which it has no zeros, from that at the sample.
    ///
    /// # Errors
    /// [`Obstacle::Close`] if the sign is not decided, or 0 at the sample but not everywhere; [`Obstacle::Meet`] if a
    /// derivative in the parameter is wanted, and the map is 0 at this parameter only.
    pub fn sign_of_cell(
        &mut self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, Obstacle> {
        match self.sign(graph, variables, place)? {
            // a 0 at the interior sample is a 0 on the whole cell, or the cell has a zero that is no boundary
            Ordering::Equal if !self.is_zero(&self.here(graph)) => Err(Obstacle::Close),
            Ordering::Equal if self.order() > 0 && !self.is_zero(graph) => Err(Obstacle::Meet),
            sign => Ok(sign),
        }
    }

    /// Returns the sign of a map at a point.
    ///
    /// # Errors
    /// [`Obstacle::Close`] if the sign is not decided.
    pub fn sign(&self, graph: &Graph, variables: &[Variable], place: &[Rational]) -> Result<Ordering, Obstacle> {
        sign(&self.at(graph, variables, place), self.budget).map_err(|_| Obstacle::Close)
    }

    /// Returns the sign of a map at a point. If a derivative in the parameter is wanted, the sign holds for all
    /// parameters nearby.
    ///
    /// # Errors
    /// [`Obstacle::Close`] if the sign is not decided, [`Obstacle::Meet`] if the map is 0 at this parameter but not
    /// identically.
    pub fn lasting_sign(
        &mut self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, Obstacle> {
        let varies = self.order() > 0 && self.parameter.is_some_and(|p| graph.depends_on(p.variable));
        match self.sign(graph, variables, place)? {
            Ordering::Equal if varies && !self.is_zero(graph) => Err(Obstacle::Meet),
            sign => Ok(sign),
        }
    }

    /// Returns `true` if the map is identically 0, by its rational normal form.
    fn is_zero(&mut self, graph: &Graph) -> bool {
        self.forms.fraction(graph).is_some_and(|fraction| fraction.is_zero())
    }

    /// Returns the coefficients `[a, b]` of a map `a·y + b`. Returns `None` if it is not affine in `y`.
    fn affine(&mut self, graph: &Graph, y: Variable) -> Option<[Graph; 2]> {
        let at = |n: i64| graph.substitute(&[(y, Graph::integer(n))]);
        let b = at(0);
        let a = subtract(&at(1), &b);
        let line = add(&multiply(&a, &Graph::variable(y)), &b);
        // two values determine a line: the normal form decides whether the map is that line
        self.is_zero(&subtract(graph, &line)).then(|| [a, b].map(|g| self.forms.simplest(&g)))
    }

    /// Decomposes a space by the zeros of maps.
    ///
    /// # Errors
    /// Every cause of [`Obstacle`] but `End`, `Dimension` and `Tail`.
    pub fn cells(&mut self, variables: &[Variable], cuts: &[Cut]) -> Result<Vec<Cell>, Obstacle> {
        let Some((&y, before)) = variables.split_last() else { return Ok(vec![Cell::default()]) };
        if self.budget.is_exhausted() {
            return Err(Obstacle::Time);
        }
        let mut borders: Vec<Border> = Vec::new();
        let mut below: Vec<Cut> = Vec::new();
        for Cut { graph, matters } in cuts.iter().flat_map(|cut| cut.factors(variables)) {
            let graph = &graph;
            let depends = before.iter().any(|v| graph.depends_on(*v));
            // a cut without the last coordinate belongs to the projection
            if !graph.depends_on(y) {
                if depends {
                    below.push(Cut { graph: graph.clone(), matters });
                }
                continue;
            }
            match self.affine(graph, y) {
                Some([a, b]) => {
                    // where the leading coefficient vanishes, the boundary tends to infinity: cells must end there
                    if before.iter().any(|v| a.depends_on(*v)) {
                        below.push(Cut { graph: a.clone(), matters });
                    } else if self.sign(&a, &[], &[])? == Ordering::Equal {
                        if self.order() > 0 && !self.is_zero(&a) {
                            return Err(Obstacle::Meet);
                        }
                        if before.iter().any(|v| b.depends_on(*v)) {
                            below.push(Cut { graph: b, matters });
                        } else if self.order() > 0 && !self.is_zero(&b) && self.sign(&b, &[], &[])? == Ordering::Equal {
                            // the guard has no draws left: its sign changes with the parameter
                            return Err(Obstacle::Meet);
                        }
                        continue;
                    }
                    borders.push(Border::line([a, b], matters));
                }
                None => match self.conic(&Cut { graph: graph.clone(), matters }, y, before, &mut below)? {
                    Some(found) => borders.extend(found),
                    // roots in one coordinate only: in more they would not be maps of the others
                    None if depends => return Err(Obstacle::Degree),
                    None => borders.extend(self.roots(graph, y)?.into_iter().map(|root| Border::at(root, matters))),
                },
            }
        }
        // projection first: the cells of the earlier coordinates are the base of those of all
        self.distinct(&mut borders, before, &mut below)?;
        let mut cells = Vec::new();
        for cell in self.cells(before, &below)? {
            if self.budget.is_exhausted() {
                return Err(Obstacle::Time);
            }
            // outside of the ranges of the draws cells do not count, and boundaries may meet there
            let own = self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range.clone());
            let counts =
                |cell: &Cell| own.as_ref().is_none_or(|range| cell.inside.last().is_none_or(|x| range.contains(x)));
            cells.extend(self.along(&borders, before, &cell)?.into_iter().filter(counts));
        }
        Ok(cells)
    }

    /// Removes equal boundaries, and adds the maps that decide the order of the others to the projection.
    fn distinct(
        &mut self,
        borders: &mut Vec<Border>,
        before: &[Variable],
        below: &mut Vec<Cut>,
    ) -> Result<(), Obstacle> {
        let mut kept: Vec<Border> = Vec::new();
        for border in borders.drain(..) {
            let mut is_new = true;
            for other in &mut kept {
                if self.is_zero(&subtract(&border.graph, &other.graph)) {
                    // one boundary, whose sign is needed if that of either is
                    other.matters |= border.matters;
                    is_new = false;
                    break;
                }
            }
            if is_new {
                kept.push(border);
            }
        }
        let mut curves: Vec<&Curve> = Vec::new();
        for border in &kept {
            // both roots of one quadratic: its discriminant separates them already
            if curves.iter().any(|curve| self.is_one(curve, &border.curve)) {
                continue;
            }
            for curve in &curves {
                let graph = self.resultant(curve, &border.curve);
                // a common zero everywhere: the boundaries cannot be separated
                if !before.is_empty() && self.is_zero(&graph) {
                    return Err(Obstacle::Close);
                }
                if before.iter().any(|v| graph.depends_on(*v)) {
                    below.push(Cut { graph, matters: true });
                }
            }
            curves.push(&border.curve);
        }
        *borders = kept;
        Ok(())
    }

    /// Lifts a cell of the earlier coordinates: the boundaries above it split the last coordinate.
    fn along(&mut self, borders: &[Border], before: &[Variable], cell: &Cell) -> Result<Vec<Cell>, Obstacle> {
        let mut sorted: Vec<&Border> = Vec::new();
        'next: for border in borders {
            if let Some(discriminant) = &border.exists {
                match self.sign(discriminant, before, &cell.inside)? {
                    // no real roots above this cell
                    Ordering::Less => continue,
                    Ordering::Equal => return Err(Obstacle::Close),
                    Ordering::Greater => {}
                }
            }
            let mut place = sorted.len();
            for (index, other) in sorted.iter().enumerate() {
                match self.sign(&subtract(&border.graph, &other.graph), before, &cell.inside)? {
                    Ordering::Less => {
                        place = index;
                        break;
                    }
                    // a cut that only helps gives way to a boundary
                    Ordering::Equal if !border.matters => continue 'next,
                    Ordering::Equal if !other.matters => {
                        sorted[index] = border;
                        continue 'next;
                    }
                    Ordering::Equal if self.order() > 0 => return Err(Obstacle::Meet),
                    // equal at the sample but not identically: they touch there
                    Ordering::Equal if !self.is_zero(&self.here(&subtract(&border.graph, &other.graph))) => {
                        return Err(Obstacle::Close);
                    }
                    // identically equal at the parameter: one boundary
                    Ordering::Equal => continue 'next,
                    Ordering::Greater => {}
                }
            }
            sorted.insert(place, border);
        }
        let ends: Vec<[Rational; 2]> = {
            let mut ends = Vec::new();
            for pair in sorted.windows(2) {
                ends.push(self.gap(&pair[0].graph, &pair[1].graph, before, &cell.inside)?);
            }
            ends
        };
        let outer = |border: Option<&&Border>| -> Result<Option<[Rational; 2]>, Obstacle> {
            border.map(|border| self.enclosed(&border.graph, before, &cell.inside, 10)).transpose()
        };
        let (first, last) = (outer(sorted.first())?, outer(sorted.last())?);
        let mut cells = Vec::with_capacity(sorted.len() + 1);
        for index in 0..=sorted.len() {
            let left = index.checked_sub(1).map(|i| sorted[i].graph.clone());
            let right = sorted.get(index).map(|border| border.graph.clone());
            let inside = match (&left, &right) {
                (None, None) => Rational::new(),
                // a unit beyond the outermost boundary is a sample of an unbounded sector
                (None, _) => first.as_ref().map(|[lo, _]| Rational::from(lo - 1)).unwrap_or_default(),
                (_, None) => last.as_ref().map(|[_, hi]| Rational::from(hi + 1)).unwrap_or_default(),
                _ => {
                    let [a, b] = &ends[index - 1];
                    Rational::from(a + b) / 2
                }
            };
            let mut next = cell.clone();
            next.between.push([left, right]);
            next.inside.push(inside);
            next.is_bent |= sorted.iter().any(|border| border.exists.is_some());
            cells.push(next);
        }
        Ok(cells)
    }

    /// Encloses the value of a boundary at a point between two rationals, to the width 2^(-bits).
    fn enclosed(
        &self,
        graph: &Graph,
        before: &[Variable],
        place: &[Rational],
        bits: u32,
    ) -> Result<[Rational; 2], Obstacle> {
        let at = self.at(graph, before, place);
        if let Some(q) = at.as_rational() {
            return Ok([q.clone(), q.clone()]);
        }
        let eps = Rational::from(1) >> bits;
        let found = at.real().ok().and_then(|real| real.enclose(&eps, self.budget).ok()).ok_or(Obstacle::Close)?;
        let end = |end: Option<Rational>| end.ok_or(Obstacle::Close);
        Ok([end(found.enclosure.lo().to_rational())?, end(found.enclosure.hi().to_rational())?])
    }

    /// Returns two rationals between two boundaries at a point.
    fn gap(&self, a: &Graph, b: &Graph, before: &[Variable], place: &[Rational]) -> Result<[Rational; 2], Obstacle> {
        // a choice: boundaries that 200 bits do not separate count as undecided
        for bits in [20, 60, 200] {
            let left = self.enclosed(a, before, place, bits)?[1].clone();
            let right = self.enclosed(b, before, place, bits)?[0].clone();
            if left < right {
                return Ok([left, right]);
            }
        }
        Err(Obstacle::Close)
    }
}
