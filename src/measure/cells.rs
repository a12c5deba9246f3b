//! Cells: where draws lie between borders that are maps of the draws before them.
//!
//! A set that is cut out by guards is cut along its last coordinate first. A guard that is affine in it, `a·y + b`, has the border
//! `-b/a`, a map of the other coordinates and of the parameter, whose jets are those of the border. What the borders' order depends
//! on, and the guards that remain, cut the other coordinates in the same way. In one coordinate roots of other guards are looked for
//! as well, at the place of the parameter: a border is the first root between two numbers, which moves with the parameter. Signs do not change within a cell, so they are asked at one place of it.
//!
//! Nothing is guessed: where two borders are not told apart, or a guard is neither affine nor of one coordinate, there are no cells.
//! For derivatives the picture must be the same for all parameters nearby, so borders that meet at the very place are refused.

use super::distribution::{add, divide, multiply, negate, subtract};
use super::draws::Parameter;
use super::range::{half_line, number, range};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::pieces::{Guard, Region, Stretch, Test};
use crate::smooth::graph::{Graph, Variable};
use crate::value::Site;
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
}

/// Why there are no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A guard is not affine in a coordinate on which its border depends with others.
    NotAffine,
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
            Self::NotAffine => "a guard is not affine in a draw on which it depends with others",
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

/// In how many parts of its length a line is searched for roots.
const FINEST: u32 = 60;
/// How far out roots are looked for where there is no end.
const FAR: u32 = 12;

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

struct Border {
    graph: Graph,
    matters: bool,
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

    fn is_zero(&mut self, graph: &Graph) -> bool {
        self.forms.fraction(graph).is_some_and(|fraction| fraction.is_zero())
    }

    /// The coefficients of a map that is affine in a variable, that of the variable first.
    fn affine(&mut self, graph: &Graph, y: Variable) -> Option<[Graph; 2]> {
        let at = |n: i64| graph.substitute(&[(y, Graph::integer(n))]);
        let b = at(0);
        let a = subtract(&at(1), &b);
        let line = add(&multiply(&a, &Graph::variable(y)), &b);
        let simple = |forms: &mut Normaliser, g: Graph| match forms.fraction(&g).and_then(|f| f.as_rational()) {
            Some(q) => Graph::rational(q),
            None => g,
        };
        self.is_zero(&subtract(graph, &line)).then(|| [a, b].map(|g| simple(&mut self.forms, g)))
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
        for Cut { graph, matters } in cuts {
            let depends = before.iter().any(|v| graph.depends_on(*v));
            if !graph.depends_on(y) {
                if depends {
                    below.push(Cut { graph: graph.clone(), matters: *matters });
                }
                continue;
            }
            match self.affine(graph, y) {
                Some([a, b]) => {
                    if before.iter().any(|v| a.depends_on(*v)) {
                        below.push(Cut { graph: a.clone(), matters: *matters });
                    } else if self.sign(&a, &[], &[])? == Ordering::Equal {
                        if self.order() > 0 && !self.is_zero(&a) {
                            return Err(Obstacle::Meet);
                        }
                        if before.iter().any(|v| b.depends_on(*v)) {
                            below.push(Cut { graph: b, matters: *matters });
                        } else if self.order() > 0 && !self.is_zero(&b) && self.sign(&b, &[], &[])? == Ordering::Equal {
                            // a border of the parameter
                            return Err(Obstacle::Meet);
                        }
                        continue;
                    }
                    let graph = divide(&negate(&b), &a);
                    borders.push(Border { graph, matters: *matters });
                }
                None if !depends => {
                    for graph in self.roots(graph, y)? {
                        borders.push(Border { graph, matters: *matters });
                    }
                }
                None => return Err(Obstacle::NotAffine),
            }
        }
        self.distinct(&mut borders, before, &mut below)?;
        let mut cells = Vec::new();
        for cell in self.cells(before, &below)? {
            if self.budget.is_exhausted() {
                return Err(Obstacle::Time);
            }
            cells.extend(self.along(&borders, before, &cell)?);
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
            if !is_new {
                continue;
            }
            for other in &kept {
                let graph = subtract(&border.graph, &other.graph);
                if before.iter().any(|v| graph.depends_on(*v)) {
                    below.push(Cut { graph, matters: true });
                }
            }
            kept.push(border);
        }
        *borders = kept;
        Ok(())
    }

    /// The cells above one of the coordinates before.
    fn along(&mut self, borders: &[Border], before: &[Variable], cell: &Cell) -> Result<Vec<Cell>, Obstacle> {
        let mut sorted: Vec<&Border> = Vec::new();
        'next: for border in borders {
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

    /// Where the roots of a map of one variable lie, for all parameters near the place: its range further out has no 0.
    fn window(&self, graph: &Graph, y: Variable) -> Result<[Rational; 2], Obstacle> {
        let far = Rational::from(1) << FAR;
        let out = add(&Graph::rational(far.clone()), &Graph::variable(y));
        for out in [out.clone(), negate(&out)] {
            let mut within: Vec<(Variable, Enclosure)> = vec![(y, half_line())];
            within.extend(self.parameter.map(|p| (p.variable, p.near())));
            let found = range(&graph.substitute(&[(y, out)]), &within, self.budget);
            if !found.is_defined() || (*found.lo() <= 0 && *found.hi() >= 0) {
                return Err(Obstacle::Roots);
            }
        }
        Ok([Rational::from(-&far), far])
    }

    /// Whether a map has no root at the ends of where a draw lies, nor comes to have one for a parameter nearby.
    fn keeps_off(&self, graph: &Graph, y: Variable, window: &[Rational; 2]) -> bool {
        let length = Rational::from(&window[1] - &window[0]);
        let beside = |end: &Rational, inwards: i32, bits: u32| {
            let step = Rational::from(&length >> bits) * inwards;
            let mut within = vec![(y, number(end).hull(&number(&(end + step))))];
            within.extend(self.parameter.map(|p| (p.variable, p.near())));
            let found = range(graph, &within, self.budget);
            *found.lo() > 0 || *found.hi() < 0
        };
        [(&window[0], 1), (&window[1], -1)]
            .into_iter()
            .all(|(end, inwards)| [10, 20, 40].into_iter().any(|bits| beside(end, inwards, bits)))
    }

    /// The roots of a map of one variable at the place of the parameter, as maps of the parameter.
    fn roots(&mut self, graph: &Graph, y: Variable) -> Result<Vec<Graph>, Obstacle> {
        let at = self.at(graph, &[], &[]);
        let window = match self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range) {
            Some(range) if range.is_bounded() => {
                [range.lo(), range.hi()].map(|end| end.to_rational().unwrap_or_default())
            }
            _ => self.window(graph, y)?,
        };
        let moves = self.order() > 0 && self.parameter.is_some_and(|p| graph.depends_on(p.variable));
        if moves && !self.keeps_off(graph, y, &window) {
            return Err(Obstacle::Meet);
        }
        let whole = Region(vec![Stretch::between(&window[0], &window[1])]);
        let finest = Rational::from(1) >> FINEST;
        let mut ends: Vec<[Rational; 2]> = Vec::new();
        // where it is 0 and not greater beside that, its opposite is seen to be
        for map in [at.clone(), negate(&at)] {
            let guard = Guard::new(&map, Test::Positive, Site::NOWHERE);
            let [holds, fails, open] = whole.split(y, &guard, &mut self.forms, &finest, self.budget);
            if !open.is_empty() {
                return Err(Obstacle::Roots);
            }
            for stretch in holds.0.iter().chain(&fails.0) {
                for end in [&stretch.left, &stretch.right] {
                    let found = [end.lo.clone(), end.hi.clone()];
                    let is_known = ends.iter().any(|[lo, hi]| *lo <= found[1] && found[0] <= *hi);
                    if !window.contains(&found[0]) && !is_known {
                        ends.push(found);
                    }
                }
            }
        }
        ends.sort();
        let mut roots = Vec::new();
        for (index, [lo, hi]) in ends.iter().enumerate() {
            let left = index.checked_sub(1).map_or(&window[0], |i| &ends[i][1]);
            let right = ends.get(index + 1).map_or(&window[1], |next| &next[0]);
            let (a, b) = ((left + lo * Rational::from(3)) / 4, (right + hi * Rational::from(3)) / 4);
            let before = self.sign(&at, &[y], std::slice::from_ref(&a))?;
            let behind = self.sign(&at, &[y], std::slice::from_ref(&b))?;
            // a root at which the sign does not change is a border too: no place inside of a cell is on it
            if before == behind && moves {
                return Err(Obstacle::Meet);
            }
            if lo == hi && !moves {
                roots.push(Graph::rational(lo.clone()));
                continue;
            }
            if before == behind {
                return Err(Obstacle::Roots);
            }
            // as near as it may be without being 0 there
            let s = Variable::fresh();
            let width = Graph::rational(Rational::from(&b - &a));
            let x = add(&Graph::rational(a), &multiply(&width, &Graph::variable(s)));
            let falling = if before == Ordering::Greater { graph.clone() } else { negate(graph) };
            let root = Graph::first_root(s, falling.substitute(&[(y, x.clone())]));
            roots.push(x.substitute(&[(s, root)]));
        }
        Ok(roots)
    }
}
