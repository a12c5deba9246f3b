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
//!
//! # Boundaries of cells
//!
//! Roots of guards of degree at most two in a draw.
//!
//! The roots of `a·y + b` and of `a·y² + b·y + c` are maps of the earlier coordinates. The latter exist where the
//! discriminant D = b² - 4ac is positive: `(-b ± √D)/2a`, or `-b/2a ± √(D/4a²)` if a is a number. Two boundaries are
//! separated where the resultant of the two guards, a polynomial in their coefficients, is not 0.
//!
//! # Isolation of the roots of guards of one coordinate
//!
//! Isolation of the roots of guards of one coordinate, as maps of the parameter.

use super::draws::Parameter;
use crate::function::Function;
use crate::measure::eliminate::{affine_coefficients, quadratic_coefficients};
use crate::measure::range::{enclose_range, enclose_rational, half_line};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::{IntervalUnion, LineInterval, SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::SourceId;
use std::cmp::Ordering;

/// The lower and the upper boundary of a coordinate. `None` is infinite.
pub type CellBounds = [Option<Graph>; 2];

/// A cell: the bounds of each coordinate, as maps of the earlier coordinates, and a sample.
#[derive(Clone, Debug, Default)]
pub struct CylindricalCell {
    /// The bounds, one pair per coordinate.
    pub bounds: Vec<CellBounds>,
    /// A sample: a point in the interior, for the value of the parameter.
    pub sample: Vec<Rational>,
    /// `true` if a boundary may be a square root.
    has_root_boundary: bool,
}

impl CylindricalCell {
    /// Returns `true` if the cell is unbounded in some coordinate.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.bounds.iter().flatten().any(Option::is_none)
    }

    /// Returns `true` if one of the boundaries may be a square root of draws.
    #[must_use]
    pub fn has_root_boundary(&self) -> bool {
        self.has_root_boundary
    }
}

/// The reason why a set has no decomposition into cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecompositionError {
    /// A guard of several coordinates has degree above two in the coordinate that is decomposed.
    Degree,
    /// An end of a distribution, as a map of another draw, has degree above two, or its roots are not isolated.
    SupportEnd,
    /// Two boundaries are not separated, or a sign at a sample is not decided.
    Undecided,
    /// Two boundaries meet, or coincide with a cut, at the value of the parameter of a derivative.
    BoundariesMeet,
    /// The roots of a guard are not all isolated.
    RootsNotIsolated,
    /// More draws depend on each other than are integrated jointly.
    TooManyDraws,
    /// The path has a tail of natural numbers.
    Tail,
    /// The budget is exhausted.
    BudgetExhausted,
}

impl DecompositionError {
    /// Returns the reason in words.
    #[must_use]
    pub fn reason_text(&self) -> &'static str {
        match self {
            Self::Degree => {
                "a guard (a comparison, or a choice made by abs, max or a density) is no polynomial of degree up to two in one of \
                 the draws that it depends on"
            }
            Self::SupportEnd => {
                "an endpoint of a draw's range is no polynomial of degree up to two in another draw, or not all its zeros are found"
            }
            Self::Undecided => {
                "two borders are not distinguished, or the side of a border that a point is on is undecided"
            }
            Self::BoundariesMeet => "borders meet at the place of the parameter, so that a derivative need not exist",
            Self::RootsNotIsolated => "not all roots of a guard are found",
            Self::TooManyDraws => "more than three real draws of a path have to do with each other",
            Self::Tail => "a natural number is not fixed",
            Self::BudgetExhausted => "the time was up",
        }
    }
}

/// A map whose zeros bound cells, and whether its sign is needed.
///
/// Cuts that only make integrals easier need no sign.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The map.
    pub graph: Graph,
    /// `true` if the sign of the map must be constant on each cell.
    pub needs_sign: bool,
}

impl Boundary {
    /// Splits the map into maps with the same zeros together: the factors of a product, the base of a power.
    fn split_zeros(&self, variables: &[Variable]) -> Vec<Self> {
        let mut found = Vec::new();
        self.graph.split_factors(1, &mut |graph, n, can_split| {
            let is_whole = match graph.operation() {
                // a divisor with the coordinates stays: its zeros are points without a value
                NodeOperation::Binary(Binary::Divide, _, b) => variables.iter().any(|v| b.depends_on(*v)),
                NodeOperation::Power(_, exponent) => exponent.numerator < 0,
                _ => false,
            };
            match () {
                // a divisor without the coordinates has no zeros
                () if n < 0 || graph.is_constant(-1) => {}
                () if can_split && !is_whole => return false,
                () => found.push(Self { graph: graph.clone(), needs_sign: self.needs_sign }),
            }
            true
        });
        found
    }
}

/// The decomposition of a set into cells, at a parameter.
#[derive(Debug)]
pub struct CellDecomposition<'a> {
    /// The parameter.
    pub parameter: Option<&'a Parameter>,
    /// The budget.
    pub budget: &'a Budget,
    /// Enclosures of the coordinates.
    within: Vec<(Variable, Enclosure)>,
    /// Rational normal forms, to decide identities.
    forms: RationalNormalForm,
}

impl<'a> CellDecomposition<'a> {
    /// Makes a decomposition at a parameter.
    #[must_use]
    pub fn new(parameter: Option<&'a Parameter>, within: Vec<(Variable, Enclosure)>, budget: &'a Budget) -> Self {
        Self { parameter, budget, within, forms: RationalNormalForm::default() }
    }

    /// Returns the order of the derivative in the parameter; 0 without one.
    fn derivative_order(&self) -> u32 {
        self.parameter.map_or(0, |parameter| parameter.order)
    }

    /// Substitutes a point for the coordinates, and the value of the parameter.
    fn substitute_point(&self, graph: &Graph, variables: &[Variable], place: &[Rational]) -> Graph {
        let mut bindings: Vec<_> = variables.iter().copied().zip(place.iter().cloned().map(Graph::rational)).collect();
        bindings.extend(self.parameter.map(|p| (p.variable, Graph::rational(p.value.clone()))));
        graph.substitute(&bindings)
    }

    /// Substitutes the value of the parameter.
    fn substitute_parameter(&self, graph: &Graph) -> Graph {
        self.substitute_point(graph, &[], &[])
    }

    /// Returns the sign of a map on a cell on which it has no zeros, from that at the sample.
    ///
    /// # Errors
    /// [`DecompositionError::Undecided`] if the sign is not decided, or 0 at the sample but not everywhere; [`DecompositionError::BoundariesMeet`] if a
    /// derivative in the parameter is wanted, and the map is 0 at this parameter only.
    pub fn sign_of_cell(
        &mut self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, DecompositionError> {
        match self.sign_at(graph, variables, place)? {
            // a 0 at the interior sample is a 0 on the whole cell, or the cell has a zero that is no boundary
            Ordering::Equal if !self.is_zero(&self.substitute_parameter(graph)) => Err(DecompositionError::Undecided),
            Ordering::Equal if self.derivative_order() > 0 && !self.is_zero(graph) => {
                Err(DecompositionError::BoundariesMeet)
            }
            sign => Ok(sign),
        }
    }

    /// Returns the sign of a map at a point.
    ///
    /// # Errors
    /// [`DecompositionError::Undecided`] if the sign is not decided.
    pub fn sign_at(
        &self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, DecompositionError> {
        decide_sign(&self.substitute_point(graph, variables, place), self.budget)
            .map_err(|_| DecompositionError::Undecided)
    }

    /// Returns the sign of a map at a point. If a derivative in the parameter is wanted, the sign holds for all
    /// parameters nearby.
    ///
    /// # Errors
    /// [`DecompositionError::Undecided`] if the sign is not decided, [`DecompositionError::BoundariesMeet`] if the map is 0 at this parameter but not
    /// identically.
    pub fn lasting_sign(
        &mut self,
        graph: &Graph,
        variables: &[Variable],
        place: &[Rational],
    ) -> Result<Ordering, DecompositionError> {
        let varies = self.derivative_order() > 0 && self.parameter.is_some_and(|p| graph.depends_on(p.variable));
        match self.sign_at(graph, variables, place)? {
            Ordering::Equal if varies && !self.is_zero(graph) => Err(DecompositionError::BoundariesMeet),
            sign => Ok(sign),
        }
    }

    /// Returns `true` if the map is identically 0, by its rational normal form.
    fn is_zero(&mut self, graph: &Graph) -> bool {
        self.forms.normal_form(graph).is_some_and(|fraction| fraction.is_zero())
    }

    /// Decomposes a space by the zeros of maps.
    ///
    /// # Errors
    /// Every cause of [`DecompositionError`] but `SupportEnd`, `TooManyDraws` and `Tail`.
    pub fn decompose_into_cells(
        &mut self,
        variables: &[Variable],
        cuts: &[Boundary],
    ) -> Result<Vec<CylindricalCell>, DecompositionError> {
        let Some((&y, before)) = variables.split_last() else { return Ok(vec![CylindricalCell::default()]) };
        if self.budget.is_exhausted() {
            return Err(DecompositionError::BudgetExhausted);
        }
        let mut borders: Vec<BoundaryRoot> = Vec::new();
        let mut below: Vec<Boundary> = Vec::new();
        for Boundary { graph, needs_sign: matters } in cuts.iter().flat_map(|cut| cut.split_zeros(variables)) {
            let graph = &graph;
            let depends = before.iter().any(|v| graph.depends_on(*v));
            // a cut without the last coordinate belongs to the projection
            if !graph.depends_on(y) {
                if depends {
                    below.push(Boundary { graph: graph.clone(), needs_sign: matters });
                }
                continue;
            }
            match affine_coefficients(graph, y, &mut self.forms).map(|[b, a]| [a, b]) {
                Some([a, b]) => {
                    // where the leading coefficient vanishes, the boundary tends to infinity: cells must end there
                    if before.iter().any(|v| a.depends_on(*v)) {
                        below.push(Boundary { graph: a.clone(), needs_sign: matters });
                    } else if self.sign_at(&a, &[], &[])? == Ordering::Equal {
                        if self.derivative_order() > 0 && !self.is_zero(&a) {
                            return Err(DecompositionError::BoundariesMeet);
                        }
                        if before.iter().any(|v| b.depends_on(*v)) {
                            below.push(Boundary { graph: b, needs_sign: matters });
                        } else if self.derivative_order() > 0
                            && !self.is_zero(&b)
                            && self.sign_at(&b, &[], &[])? == Ordering::Equal
                        {
                            // the guard has no draws left: its sign changes with the parameter
                            return Err(DecompositionError::BoundariesMeet);
                        }
                        continue;
                    }
                    borders.push(BoundaryRoot::of_linear([a, b], matters));
                }
                None => match self.roots_of_quadratic(
                    &Boundary { graph: graph.clone(), needs_sign: matters },
                    y,
                    before,
                    &mut below,
                )? {
                    Some(found) => borders.extend(found),
                    // roots in one coordinate only: in more they would not be maps of the others
                    None if depends => return Err(DecompositionError::Degree),
                    None => borders.extend(
                        self.isolate_roots(graph, y)?.into_iter().map(|root| BoundaryRoot::of_map(root, matters)),
                    ),
                },
            }
        }
        // projection first: the cells of the earlier coordinates are the base of those of all
        self.project_boundaries(&mut borders, before, &mut below)?;
        let mut cells = Vec::new();
        for cell in self.decompose_into_cells(before, &below)? {
            if self.budget.is_exhausted() {
                return Err(DecompositionError::BudgetExhausted);
            }
            // outside of the ranges of the draws cells do not count, and boundaries may meet there
            let own = self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range.clone());
            let counts = |cell: &CylindricalCell| {
                own.as_ref().is_none_or(|range| cell.sample.last().is_none_or(|x| range.contains(x)))
            };
            cells.extend(self.lift_cell(&borders, before, &cell)?.into_iter().filter(counts));
        }
        Ok(cells)
    }

    /// Removes equal boundaries, and adds the maps that decide the order of the others to the projection.
    fn project_boundaries(
        &mut self,
        borders: &mut Vec<BoundaryRoot>,
        before: &[Variable],
        below: &mut Vec<Boundary>,
    ) -> Result<(), DecompositionError> {
        let mut kept: Vec<BoundaryRoot> = Vec::new();
        for border in borders.drain(..) {
            let mut is_new = true;
            for other in &mut kept {
                if self.is_zero(&(&border.graph - &other.graph)) {
                    // one boundary, whose sign is needed if that of either is
                    other.needs_sign |= border.needs_sign;
                    is_new = false;
                    break;
                }
            }
            if is_new {
                kept.push(border);
            }
        }
        let mut curves: Vec<&BoundaryCurve> = Vec::new();
        for border in &kept {
            // both roots of one quadratic: its discriminant separates them already
            if curves.iter().any(|curve| self.have_same_roots(curve, &border.curve)) {
                continue;
            }
            for curve in &curves {
                let graph = self.resultant_of(curve, &border.curve);
                // a common zero everywhere: the boundaries cannot be separated
                if !before.is_empty() && self.is_zero(&graph) {
                    return Err(DecompositionError::Undecided);
                }
                if before.iter().any(|v| graph.depends_on(*v)) {
                    below.push(Boundary { graph, needs_sign: true });
                }
            }
            curves.push(&border.curve);
        }
        *borders = kept;
        Ok(())
    }

    /// Lifts a cell of the earlier coordinates: the boundaries above it split the last coordinate.
    fn lift_cell(
        &mut self,
        borders: &[BoundaryRoot],
        before: &[Variable],
        cell: &CylindricalCell,
    ) -> Result<Vec<CylindricalCell>, DecompositionError> {
        let mut sorted: Vec<&BoundaryRoot> = Vec::new();
        'next: for border in borders {
            if let Some(discriminant) = &border.discriminant {
                match self.sign_at(discriminant, before, &cell.sample)? {
                    // no real roots above this cell
                    Ordering::Less => continue,
                    Ordering::Equal => return Err(DecompositionError::Undecided),
                    Ordering::Greater => {}
                }
            }
            let mut place = sorted.len();
            for (index, other) in sorted.iter().enumerate() {
                match self.sign_at(&(&border.graph - &other.graph), before, &cell.sample)? {
                    Ordering::Less => {
                        place = index;
                        break;
                    }
                    // a cut that only helps gives way to a boundary
                    Ordering::Equal if !border.needs_sign => continue 'next,
                    Ordering::Equal if !other.needs_sign => {
                        sorted[index] = border;
                        continue 'next;
                    }
                    Ordering::Equal if self.derivative_order() > 0 => return Err(DecompositionError::BoundariesMeet),
                    // equal at the sample but not identically: they touch there
                    Ordering::Equal if !self.is_zero(&self.substitute_parameter(&(&border.graph - &other.graph))) => {
                        return Err(DecompositionError::Undecided);
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
                ends.push(self.rationals_between(&pair[0].graph, &pair[1].graph, before, &cell.sample)?);
            }
            ends
        };
        let outer = |border: Option<&&BoundaryRoot>| -> Result<Option<[Rational; 2]>, DecompositionError> {
            border.map(|border| self.enclose_boundary(&border.graph, before, &cell.sample, 10)).transpose()
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
            next.bounds.push([left, right]);
            next.sample.push(inside);
            next.has_root_boundary |= sorted.iter().any(|border| border.discriminant.is_some());
            cells.push(next);
        }
        Ok(cells)
    }

    /// Encloses the value of a boundary at a point between two rationals, to the width 2^(-bits).
    fn enclose_boundary(
        &self,
        graph: &Graph,
        before: &[Variable],
        place: &[Rational],
        bits: u32,
    ) -> Result<[Rational; 2], DecompositionError> {
        let at = self.substitute_point(graph, before, place);
        if let Some(q) = at.as_rational() {
            return Ok([q.clone(), q.clone()]);
        }
        let eps = Rational::from(1) >> bits;
        let found = at
            .to_real()
            .ok()
            .and_then(|real| real.enclose(&eps, self.budget).ok())
            .ok_or(DecompositionError::Undecided)?;
        let end = |end: Option<Rational>| end.ok_or(DecompositionError::Undecided);
        Ok([end(found.enclosure.lo().to_rational())?, end(found.enclosure.hi().to_rational())?])
    }

    /// Returns two rationals between two boundaries at a point.
    fn rationals_between(
        &self,
        a: &Graph,
        b: &Graph,
        before: &[Variable],
        place: &[Rational],
    ) -> Result<[Rational; 2], DecompositionError> {
        // a choice: boundaries that 200 bits do not separate count as undecided
        for bits in [20, 60, 200] {
            let left = self.enclose_boundary(a, before, place, bits)?[1].clone();
            let right = self.enclose_boundary(b, before, place, bits)?[0].clone();
            if left < right {
                return Ok([left, right]);
            }
        }
        Err(DecompositionError::Undecided)
    }
}

/// The coefficients of a guard, the leading one first.
#[derive(Clone, Debug)]
enum BoundaryCurve {
    /// A guard of degree one.
    Line([Graph; 2]),
    /// A guard of degree two.
    Conic([Graph; 3]),
}

/// A boundary: a root of a guard, as a map.
#[derive(Clone, Debug)]
struct BoundaryRoot {
    /// The root.
    pub graph: Graph,
    /// The guard.
    pub curve: BoundaryCurve,
    /// `true` if the sign of the guard is needed.
    pub needs_sign: bool,
    /// The discriminant, where the root exists only if that is positive. `None` if it exists everywhere.
    pub discriminant: Option<Graph>,
}

impl BoundaryRoot {
    /// Makes the boundary for the root of a map of degree one.
    pub fn of_linear([a, b]: [Graph; 2], needs_sign: bool) -> Self {
        Self { graph: -&b / &a, curve: BoundaryCurve::Line([a, b]), needs_sign, discriminant: None }
    }

    /// Makes the boundary for a known map.
    pub fn of_map(graph: Graph, needs_sign: bool) -> Self {
        let curve = BoundaryCurve::Line([Graph::integer(1), -&graph]);
        Self { graph, curve, needs_sign, discriminant: None }
    }
}

impl CellDecomposition<'_> {
    /// Returns the resultant of two guards, which is 0 where they have a common root.
    fn resultant_of(&mut self, one: &BoundaryCurve, other: &BoundaryCurve) -> Graph {
        let square = |g: &Graph| g.pow(&Rational::from(2));
        match (one, other) {
            (BoundaryCurve::Line([a, b]), BoundaryCurve::Line([p, q])) => a * q - p * b,
            (BoundaryCurve::Line([p, q]), BoundaryCurve::Conic([a, b, c]))
            | (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Line([p, q])) => {
                let ends = a * square(q) + c * square(p);
                &ends - b * (p * q)
            }
            (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Conic([p, q, r])) => {
                let mut minor = |[a, b]: [&Graph; 2], [p, q]: [&Graph; 2]| self.forms.simplify_graph(&(a * q - p * b));
                let (ends, left, right) = (minor([a, c], [p, r]), minor([a, b], [p, q]), minor([b, c], [q, r]));
                // the resultant is the square of `ends` then, which has the same zeros
                match left.is_constant(0) || right.is_constant(0) {
                    true => ends,
                    false => square(&ends) - &left * &right,
                }
            }
        }
    }

    /// Returns `true` if two guards have the same roots, since their coefficients are proportional.
    fn have_same_roots(&mut self, one: &BoundaryCurve, other: &BoundaryCurve) -> bool {
        let pairs = match (one, other) {
            (BoundaryCurve::Line([a, b]), BoundaryCurve::Line([p, q])) => vec![[a, b, p, q]],
            (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Conic([p, q, r])) => {
                vec![[a, b, p, q], [a, c, p, r], [b, c, q, r]]
            }
            _ => return false,
        };
        pairs.into_iter().all(|[a, b, p, q]| self.is_zero(&(a * q - p * b)))
    }

    /// Returns the roots of a map of degree two in a coordinate, and adds maps to the projection. Returns `None` if the
    /// map has another degree.
    ///
    /// # Errors
    /// [`DecompositionError::Undecided`] or [`DecompositionError::BoundariesMeet`] if the degree is less at this parameter, or if the roots meet.
    fn roots_of_quadratic(
        &mut self,
        cut: &Boundary,
        y: Variable,
        before: &[Variable],
        below: &mut Vec<Boundary>,
    ) -> Result<Option<Vec<BoundaryRoot>>, DecompositionError> {
        let Boundary { graph, needs_sign: matters } = cut;
        let Some([c, b, a]) = quadratic_coefficients(graph, y, &mut self.forms) else { return Ok(None) };
        let depends = |graph: &Graph| before.iter().any(|v| graph.depends_on(*v));
        let meets = if self.derivative_order() > 0 {
            DecompositionError::BoundariesMeet
        } else {
            DecompositionError::Undecided
        };
        // where the leading coefficient vanishes, one root tends to infinity
        if depends(&a) {
            below.push(Boundary { graph: a.clone(), needs_sign: *matters });
        } else if self.sign_at(&a, &[], &[])? == Ordering::Equal {
            return Err(meets);
        }
        let product = 4 * (&a * &c);
        let discriminant = self.forms.simplify_graph(&(b.pow(&Rational::from(2)) - &product));
        let twice = 2 * &a;
        // a double root everywhere: the guard is a square, up to a
        if self.is_zero(&discriminant) {
            return Ok(Some(vec![BoundaryRoot::of_linear([twice, b], *matters)]));
        }
        let exists = if depends(&discriminant) {
            below.push(Boundary { graph: discriminant.clone(), needs_sign: true });
            Some(discriminant.clone())
        } else {
            match self.sign_at(&discriminant, &[], &[])? {
                // no real roots: the guard has one sign
                Ordering::Less => return Ok(Some(Vec::new())),
                Ordering::Equal => return Err(meets),
                Ordering::Greater => None,
            }
        };
        // a rational a goes under the root, -b/2a ± √(D/4a²), where the forms of discs stay simple
        let (root, middle, scale) = match a.as_rational() {
            Some(_) => {
                let square = twice.pow(&Rational::from(2));
                (&discriminant / &square, -&b / &twice, Graph::integer(1))
            }
            None => (discriminant, -&b, twice),
        };
        let root = self.forms.simplify_graph(&root);
        let [root, middle] = [Graph::function(Function::Sqrt, &root), middle].map(|g| self.forms.simplify_graph(&g));
        let curve = BoundaryCurve::Conic([a, b, c]);
        let border = |root: &Graph| {
            let graph = (&middle + root) / &scale;
            BoundaryRoot { graph, curve: curve.clone(), needs_sign: *matters, discriminant: exists.clone() }
        };
        // for a negative a the two are exchanged, which the lifting sorts
        Ok(Some(vec![border(&(-&root)), border(&root)]))
    }
}

/// The least width of intervals to split in the search for roots, as a power of two. A choice.
const FINEST_PART_BITS: u32 = 60;
/// The distance from 0, as a power of two, to search for roots on an unbounded line. A choice: 4096.
const SEARCH_LIMIT_BITS: u32 = 12;

impl CellDecomposition<'_> {
    /// Returns an interval that contains all roots of a map of one variable, for all parameters nearby.
    ///
    /// Outside of it the range of the map does not contain 0. The error is [`DecompositionError::RootsNotIsolated`].
    fn root_interval(&self, graph: &Graph, y: Variable) -> Result<[Rational; 2], DecompositionError> {
        let far = Rational::from(1) << SEARCH_LIMIT_BITS;
        let out = Graph::rational(far.clone()) + Graph::variable(y);
        for out in [out.clone(), -&out] {
            let mut within: Vec<(Variable, Enclosure)> = vec![(y, half_line())];
            within.extend(self.parameter.map(|p| (p.variable, p.enclose_nearby())));
            let found = enclose_range(&graph.substitute(&[(y, out)]), &within, self.budget);
            if !found.is_defined() || (*found.lo() <= 0 && *found.hi() >= 0) {
                return Err(DecompositionError::RootsNotIsolated);
            }
        }
        Ok([Rational::from(-&far), far])
    }

    /// Returns an interval that contains all roots of a polynomial. Returns `None` for other maps.
    ///
    /// A root is at most 1 + max |cᵢ/c|, with the leading coefficient c (Cauchy's bound).
    fn cauchy_interval(&mut self, graph: &Graph, y: Variable) -> Option<[Rational; 2]> {
        let coefficients = self.forms.as_polynomial(graph, y)?;
        let (leading, others) = coefficients.split_last().filter(|(leading, _)| **leading != 0)?;
        let greatest = others.iter().map(|c| Rational::from(c / leading).abs()).max().unwrap_or_default();
        // an integer: short endpoints keep the search cheap
        let far: Rational = greatest.ceil() + 1;
        Some([-far.clone(), far])
    }

    /// Returns `true` if a map has no root near the ends of an interval, for any parameter nearby.
    fn keeps_off(&self, graph: &Graph, y: Variable, window: &[Rational; 2]) -> bool {
        let length = Rational::from(&window[1] - &window[0]);
        let beside = |end: &Rational, inwards: i32, bits: u32| {
            let step = Rational::from(&length >> bits) * inwards;
            let mut within = vec![(y, enclose_rational(end).hull(&enclose_rational(&(end + step))))];
            within.extend(self.parameter.map(|p| (p.variable, p.enclose_nearby())));
            let found = enclose_range(graph, &within, self.budget);
            *found.lo() > 0 || *found.hi() < 0
        };
        [(&window[0], 1), (&window[1], -1)]
            // narrow neighbourhoods of the end have narrower ranges, so that one of them may exclude 0
            .into_iter()
            .all(|(end, inwards)| [10, 20, 40].into_iter().any(|bits| beside(end, inwards, bits)))
    }

    /// Returns the roots of a map of one variable at the value of the parameter, as maps of the parameter.
    ///
    /// The error is [`DecompositionError::RootsNotIsolated`], [`DecompositionError::Undecided`] or [`DecompositionError::BoundariesMeet`].
    fn isolate_roots(&mut self, graph: &Graph, y: Variable) -> Result<Vec<Graph>, DecompositionError> {
        let at = self.substitute_point(graph, &[], &[]);
        let moves = self.derivative_order() > 0 && self.parameter.is_some_and(|p| graph.depends_on(p.variable));
        let window = match self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range) {
            Some(range) if range.is_bounded() => {
                [range.lo(), range.hi()].map(|end| end.to_rational().unwrap_or_default())
            }
            // Cauchy's bound is for this parameter: a moving root could leave the interval
            _ => match self.cauchy_interval(&at, y).filter(|_| !moves) {
                Some(window) => window,
                None => self.root_interval(graph, y)?,
            },
        };
        // a root that enters or leaves at an end would change the number of cells
        if moves && !self.keeps_off(graph, y, &window) {
            return Err(DecompositionError::BoundariesMeet);
        }
        let whole = IntervalUnion(vec![LineInterval::closed_between(&window[0], &window[1])]);
        let finest = Rational::from(1) >> FINEST_PART_BITS;
        let mut ends: Vec<[Rational; 2]> = Vec::new();
        // a zero at which the map is not positive on either side bounds no part: its opposite is searched as well
        for map in [at.clone(), -&at] {
            let guard = SignGuard::new(&map, SignTest::Positive, SourceId::NOWHERE);
            let [holds, fails, open] = whole.split_by_guard(y, &guard, &mut self.forms, &finest, self.budget);
            if !open.is_empty() {
                return Err(DecompositionError::RootsNotIsolated);
            }
            for stretch in holds.0.iter().chain(&fails.0) {
                for end in [&stretch.left, &stretch.right] {
                    let found = [end.lo.clone(), end.hi.clone()];
                    let is_known = ends.iter().any(|[lo, hi]| *lo <= found[1] && found[0] <= *hi);
                    // the ends of the interval are no roots by themselves, and each root ends two parts
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
            // samples between the root and its neighbours, nearer to the root
            let (a, b) = ((left + lo * Rational::from(3)) / 4, (right + hi * Rational::from(3)) / 4);
            let before = self.sign_at(&at, &[y], std::slice::from_ref(&a))?;
            let behind = self.sign_at(&at, &[y], std::slice::from_ref(&b))?;
            // a root without a change of sign is a boundary too, or a sample could lie on it; but a double root may
            // split or vanish
            if before == behind && moves {
                return Err(DecompositionError::BoundariesMeet);
            }
            // an exact root that does not move needs no search
            if lo == hi && !moves {
                roots.push(Graph::rational(lo.clone()));
                continue;
            }
            if before == behind {
                return Err(DecompositionError::RootsNotIsolated);
            }
            // `first_root` wants a falling map, and an interval that contains this root alone
            let s = Variable::fresh();
            let width = Graph::rational(Rational::from(&b - &a));
            let x = Graph::rational(a) + &width * Graph::variable(s);
            let falling = if before == Ordering::Greater { graph.clone() } else { -graph };
            let root = Graph::first_root(s, falling.substitute(&[(y, x.clone())]));
            roots.push(x.substitute(&[(s, root)]));
        }
        Ok(roots)
    }
}
