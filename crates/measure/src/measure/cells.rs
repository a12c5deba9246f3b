//! Cells: where draws lie between borders that are maps of the draws before them.
//!
//! A set that is cut out by guards is cut along its last coordinate first. A guard that is affine in it, `a·y + b`, has the border
//! `-b/a`, a map of the other coordinates and of the parameter, whose jets are those of the border, and one of degree two has two where
//! its discriminant is positive. What the borders' order depends on, and the guards that remain, cut the other coordinates in
//! the same way. In one coordinate roots of other guards are looked for
//! as well, at the place of the parameter: a border is the first root between two numbers, which moves with the parameter. Signs do not change within a cell, so they are asked at one place of it.
//!
//! Nothing is guessed: where two borders are not told apart, or a guard is neither of degree two nor of one coordinate, there are no cells.
//! For derivatives the picture must be the same for all parameters nearby, so borders that meet at the very place are refused.

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

/// The numbers between two borders; one that is missing is infinite.
pub type Between = [Option<Graph>; 2];

/// A cell: for each coordinate its borders, maps of the coordinates before, and a place inside.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// The borders.
    pub between: Vec<Between>,
    /// A place that is not on any of them, at the place of the parameter.
    pub inside: Vec<Rational>,
    is_bent: bool,
}

impl Cell {
    /// Whether a border is missing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.between.iter().flatten().any(Option::is_none)
    }

    /// Whether one of its borders is a square root of draws.
    #[must_use]
    pub fn is_bent(&self) -> bool {
        self.is_bent
    }
}

/// Why there are no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A guard is of no degree up to two in a coordinate on which its border depends with others.
    Degree,
    /// The same of an end of where a draw lies, or of its zeros.
    End,
    /// Two borders are not told apart.
    Close,
    /// Two borders meet, or one comes to lie across a border, at the very place at which a derivative is wanted.
    Meet,
    /// Roots of a guard are not all found.
    Roots,
    /// More draws have to do with each other than are integrated over together.
    Dimension,
    /// A natural number is not fixed.
    Tail,
    /// The time was up.
    Time,
}

impl Obstacle {
    /// What it says.
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

/// A map whose zeros cut, and whether its sign matters: cuts that only make integrals easier do not.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The map.
    pub graph: Graph,
    /// Whether its sign matters.
    pub matters: bool,
}

impl Cut {
    /// Maps whose zeros together are those of this one: the zeros of a product are those of its factors, and those of a power of its base.
    fn factors(&self, variables: &[Variable]) -> Vec<Self> {
        let (mut waiting, mut found) = (vec![&self.graph], Vec::new());
        while let Some(graph) = waiting.pop() {
            match graph.operation() {
                Operation::Binary(Binary::Multiply, a, b) => waiting.extend([b, a]),
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

/// Cuts sets into cells.
#[derive(Debug)]
pub struct Cutter<'a> {
    /// The parameter.
    pub parameter: Option<&'a Parameter>,
    /// What it may cost.
    pub budget: &'a Budget,
    /// Where the coordinates lie at most.
    within: Vec<(Variable, Enclosure)>,
    forms: Normaliser,
}

impl<'a> Cutter<'a> {
    /// A cutter at a parameter.
    #[must_use]
    pub fn new(parameter: Option<&'a Parameter>, within: Vec<(Variable, Enclosure)>, budget: &'a Budget) -> Self {
        Self { parameter, budget, within, forms: Normaliser::default() }
    }

    fn order(&self) -> u32 {
        self.parameter.map_or(0, |parameter| parameter.order)
    }

    /// A map at a place of the coordinates, and of the parameter.
    fn at(&self, graph: &Graph, variables: &[Variable], place: &[Rational]) -> Graph {
        let mut bindings: Vec<_> = variables.iter().copied().zip(place.iter().cloned().map(Graph::rational)).collect();
        bindings.extend(self.parameter.map(|p| (p.variable, Graph::rational(p.at.clone()))));
        graph.substitute(&bindings)
    }

    /// A map at the parameter.
    fn here(&self, graph: &Graph) -> Graph {
        self.at(graph, &[], &[])
    }

    /// The sign of a map in a cell that it does not cut, from that at a place inside.
    ///
    /// # Errors
    /// [`Obstacle::Close`] where it is not decided, or 0 at the place and not everywhere; [`Obstacle::Meet`] where a derivative in the
    /// parameter is wanted, and the map is 0 at this parameter alone.
    pub fn sign_of_cell(
        &mut self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, Obstacle> {
        match self.sign(graph, variables, place)? {
            Ordering::Equal if !self.is_zero(&self.here(graph)) => Err(Obstacle::Close),
            Ordering::Equal if self.order() > 0 && !self.is_zero(graph) => Err(Obstacle::Meet),
            sign => Ok(sign),
        }
    }

    /// The sign of a map at a place.
    ///
    /// # Errors
    /// [`Obstacle::Close`] where it is not decided.
    pub fn sign(&self, graph: &Graph, variables: &[Variable], place: &[Rational]) -> Result<Ordering, Obstacle> {
        sign(&self.at(graph, variables, place), self.budget).map_err(|_| Obstacle::Close)
    }

    /// The sign of a map at a place, where it is that for all parameters nearby if a derivative in the parameter is wanted.
    ///
    /// # Errors
    /// [`Obstacle::Close`] where it is not decided, [`Obstacle::Meet`] where the map is 0 at this parameter and not at all of them.
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

    fn is_zero(&mut self, graph: &Graph) -> bool {
        self.forms.fraction(graph).is_some_and(|fraction| fraction.is_zero())
    }

    /// The coefficients of a map that is affine in a variable, that of the variable first.
    fn affine(&mut self, graph: &Graph, y: Variable) -> Option<[Graph; 2]> {
        let at = |n: i64| graph.substitute(&[(y, Graph::integer(n))]);
        let b = at(0);
        let a = subtract(&at(1), &b);
        let line = add(&multiply(&a, &Graph::variable(y)), &b);
        self.is_zero(&subtract(graph, &line)).then(|| [a, b].map(|g| self.forms.simplest(&g)))
    }

    /// The cells into which these cuts part a space.
    ///
    /// # Errors
    /// [`Obstacle`]
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
            if !graph.depends_on(y) {
                if depends {
                    below.push(Cut { graph: graph.clone(), matters });
                }
                continue;
            }
            match self.affine(graph, y) {
                Some([a, b]) => {
                    if before.iter().any(|v| a.depends_on(*v)) {
                        below.push(Cut { graph: a.clone(), matters });
                    } else if self.sign(&a, &[], &[])? == Ordering::Equal {
                        if self.order() > 0 && !self.is_zero(&a) {
                            return Err(Obstacle::Meet);
                        }
                        if before.iter().any(|v| b.depends_on(*v)) {
                            below.push(Cut { graph: b, matters });
                        } else if self.order() > 0 && !self.is_zero(&b) && self.sign(&b, &[], &[])? == Ordering::Equal {
                            // a border of the parameter
                            return Err(Obstacle::Meet);
                        }
                        continue;
                    }
                    borders.push(Border::line([a, b], matters));
                }
                None => match self.conic(&Cut { graph: graph.clone(), matters }, y, before, &mut below)? {
                    Some(found) => borders.extend(found),
                    None if depends => return Err(Obstacle::Degree),
                    None => borders.extend(self.roots(graph, y)?.into_iter().map(|root| Border::at(root, matters))),
                },
            }
        }
        self.distinct(&mut borders, before, &mut below)?;
        let mut cells = Vec::new();
        for cell in self.cells(before, &below)? {
            if self.budget.is_exhausted() {
                return Err(Obstacle::Time);
            }
            // what is beyond the ends of where a draw lies does not count, and borders may meet there
            let own = self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range.clone());
            let counts =
                |cell: &Cell| own.as_ref().is_none_or(|range| cell.inside.last().is_none_or(|x| range.contains(x)));
            cells.extend(self.along(&borders, before, &cell)?.into_iter().filter(counts));
        }
        Ok(cells)
    }

    /// Leaves out borders that are equal, and adds what the order of the others depends on.
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
            if curves.iter().any(|curve| self.is_one(curve, &border.curve)) {
                continue;
            }
            for curve in &curves {
                let graph = self.resultant(curve, &border.curve);
                // a zero that they have in common everywhere
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

    /// The cells above one of the coordinates before.
    fn along(&mut self, borders: &[Border], before: &[Variable], cell: &Cell) -> Result<Vec<Cell>, Obstacle> {
        let mut sorted: Vec<&Border> = Vec::new();
        'next: for border in borders {
            if let Some(discriminant) = &border.exists {
                match self.sign(discriminant, before, &cell.inside)? {
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
                    Ordering::Equal if !border.matters => continue 'next,
                    Ordering::Equal if !other.matters => {
                        sorted[index] = border;
                        continue 'next;
                    }
                    Ordering::Equal if self.order() > 0 => return Err(Obstacle::Meet),
                    // they touch there, and need not be one
                    Ordering::Equal if !self.is_zero(&self.here(&subtract(&border.graph, &other.graph))) => {
                        return Err(Obstacle::Close);
                    }
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

    /// Numbers on both sides of a border at a place, near each other.
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

    /// Two numbers between two borders at a place.
    fn gap(&self, a: &Graph, b: &Graph, before: &[Variable], place: &[Rational]) -> Result<[Rational; 2], Obstacle> {
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
