//! Exact integrals of polynomials over polytopes: uniform draws under affine guards.
//!
//! The draws are integrated one by one, the last first. The guards bound a draw by affine maps of the others. Which lower
//! bound is the greatest, and which upper bound the least, splits the polytope into cells. On each of them the
//! integral is a difference of values of an antiderivative, again a polynomial (Schechter 1998, *Integration over a
//! polyhedron*). All numbers are rational, so nothing is rounded.
//!
//! Variables that are not integrated stay in the results: the states of a [loop](super::loops). There a cell is a set of
//! states with a polynomial.

use super::distribution::UniformOn;
use super::draws::{Draw, ExecutionPath};
use crate::number::{Enclosure, Rational};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The greatest number of terms of a polynomial. A choice: it bounds the time for a product.
const MAX_TERMS: usize = 4_000;
/// The greatest number of cells of a polytope. A choice: each draw may multiply them.
const MAX_CELLS: usize = 256;
/// The highest integer power of a map that is expanded. A choice.
const MAX_POWER: i64 = 24;

/// A polynomial with rational coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Monomial, Rational>);

/// The variables of a term with their powers, which are positive, in order.
type Monomial = Vec<(Variable, u32)>;

impl Polynomial {
    /// Makes a constant.
    #[must_use]
    pub fn constant(q: Rational) -> Self {
        Self(if q == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), q)]) })
    }

    /// Makes a variable.
    #[must_use]
    pub fn variable(v: Variable) -> Self {
        Self(BTreeMap::from([(vec![(v, 1)], Rational::from(1))]))
    }

    /// Reads a map as a polynomial. Returns `None` if it is none, or a large one.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Option<Self> {
        Self::of_node(graph, &mut FxHashMap::default())
    }

    fn of_node(graph: &Graph, known: &mut FxHashMap<usize, Option<Self>>) -> Option<Self> {
        // a graph shares its parts: without the table a small graph may take exponential time
        if let Some(found) = known.get(&graph.address()) {
            return found.clone();
        }
        let mut of = |part: &Graph| with_stack(|| Self::of_node(part, known));
        let found = match graph.operation() {
            NodeOperation::Variable(v) => Some(Self::variable(*v)),
            NodeOperation::Rational(q) => Some(Self::constant((**q).clone())),
            NodeOperation::Unary(Unary::Negate, a) => of(a).map(|a| a.scale_by(&Rational::from(-1))),
            NodeOperation::Binary(operation, a, b) => match (operation, of(a), of(b)) {
                (Binary::Add, Some(a), Some(b)) => Some(a.add_multiple(&b, &Rational::from(1))),
                (Binary::Subtract, Some(a), Some(b)) => Some(a.add_multiple(&b, &Rational::from(-1))),
                (Binary::Multiply, Some(a), Some(b)) => a.multiply(&b),
                (Binary::Divide, Some(a), Some(b)) => {
                    b.as_constant().filter(|q| *q != 0).map(|q| a.scale_by(&q.recip()))
                }
                _ => None,
            },
            NodeOperation::Power(a, power) if power.denominator == 1 && (0..=MAX_POWER).contains(&power.numerator) => {
                let one = Self::constant(Rational::from(1));
                of(a).and_then(|a| (0..power.numerator).try_fold(one, |product, _| product.multiply(&a)))
            }
            _ => None,
        };
        known.insert(graph.address(), found.clone());
        found
    }

    /// Returns the polynomial as a map.
    #[must_use]
    pub fn to_graph(&self) -> Graph {
        let term = |(powers, q): (&Monomial, &Rational)| {
            powers.iter().fold(Graph::rational(q.clone()), |term, (v, power)| {
                (0..*power).fold(term, |term, _| term * Graph::variable(*v))
            })
        };
        self.0.iter().map(term).sum::<Graph>()
    }

    /// Returns the number if the polynomial is one.
    #[must_use]
    pub fn as_constant(&self) -> Option<Rational> {
        match self.0.first_key_value() {
            None => Some(Rational::new()),
            Some((powers, q)) if powers.is_empty() && self.0.len() == 1 => Some(q.clone()),
            Some(_) => None,
        }
    }

    /// Returns `true` if no term has a degree above 1.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        self.0.keys().all(|powers| powers.iter().map(|(_, power)| power).sum::<u32>() <= 1)
    }

    /// Returns `true` if the variable occurs.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        self.0.keys().any(|powers| powers.iter().any(|(own, _)| *own == v))
    }

    /// Returns `self + factor·other`.
    #[must_use]
    pub fn add_multiple(&self, other: &Self, factor: &Rational) -> Self {
        let mut sum = self.0.clone();
        for (powers, q) in &other.0 {
            *sum.entry(powers.clone()).or_default() += Rational::from(q * factor);
        }
        sum.retain(|_, q| *q != 0);
        Self(sum)
    }

    /// Returns the polynomial times a number.
    #[must_use]
    pub fn scale_by(&self, factor: &Rational) -> Self {
        Self::default().add_multiple(self, factor)
    }

    /// Returns the product. Returns `None` if it has too many terms.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Option<Self> {
        let mut product: BTreeMap<Monomial, Rational> = BTreeMap::new();
        for (left, p) in &self.0 {
            for (right, q) in &other.0 {
                let mut powers = left.clone();
                for (v, power) in right {
                    match powers.iter_mut().find(|(own, _)| own == v) {
                        Some((_, sum)) => *sum += power,
                        None => powers.push((*v, *power)),
                    }
                }
                powers.sort_unstable();
                *product.entry(powers).or_default() += Rational::from(p * q);
            }
            if product.len() > MAX_TERMS {
                return None;
            }
        }
        product.retain(|_, q| *q != 0);
        Some(Self(product))
    }

    /// Returns the coefficients as a polynomial in one variable, the constant one first.
    #[must_use]
    pub fn coefficients_in(&self, v: Variable) -> Vec<Self> {
        let mut found = vec![Self::default()];
        for (powers, q) in &self.0 {
            let power = powers.iter().find(|(own, _)| *own == v).map_or(0, |(_, power)| *power as usize);
            found.resize(found.len().max(power + 1), Self::default());
            let rest: Monomial = powers.iter().filter(|(own, _)| *own != v).copied().collect();
            found[power].0.insert(rest, q.clone());
        }
        found
    }

    /// Replaces a variable by a polynomial (Horner). Returns `None` if the result has too many terms.
    #[must_use]
    pub fn substitute(&self, v: Variable, by: &Self) -> Option<Self> {
        self.coefficients_in(v)
            .iter()
            .rev()
            .try_fold(Self::default(), |sum, c| Some(sum.multiply(by)?.add_multiple(c, &Rational::from(1))))
    }

    /// Returns the polynomial whose derivative in `v` is this one, and which is 0 at `v = 0`.
    fn antiderivative(&self, v: Variable) -> Option<Self> {
        let mut sum = Self::default();
        let mut power = Self::variable(v);
        for (k, c) in self.coefficients_in(v).iter().enumerate() {
            sum = sum.add_multiple(&c.multiply(&power)?, &Rational::from((1, k as u64 + 1)));
            power = power.multiply(&Self::variable(v))?;
        }
        Some(sum)
    }

    /// Encloses the values on a box. A variable without a range may be any number.
    #[must_use]
    pub fn enclose_on(&self, ranges: &[(Variable, NumberRange)]) -> NumberRange {
        self.0.iter().fold(NumberRange::point(Rational::new()), |sum, (powers, q)| {
            let term = powers.iter().fold(NumberRange::point(q.clone()), |term, (v, power)| {
                let own = ranges.iter().find(|(own, _)| own == v).map(|(_, range)| range.clone()).unwrap_or_default();
                term.multiply(&own.power(*power))
            });
            sum.add(&term)
        })
    }

    /// Returns a lower bound of the values on a box: the least coefficient in the Bernstein basis ([Garloff 1985], *Convergent
    /// bounds for the range of multivariate polynomials*). Returns `None` if a variable of the polynomial has no bounded range.
    ///
    /// It is exact where a polynomial is least at a corner, as natural intervals are not: s - s² is at least 0 on [0, 1].
    ///
    /// [Garloff 1985]: https://doi.org/10.1007/3-540-16437-5_5
    #[must_use]
    pub fn least_on(&self, ranges: &[(Variable, NumberRange)]) -> Option<Rational> {
        if let Some(constant) = self.as_constant() {
            return Some(constant);
        }
        let (v, range) = ranges.iter().find(|(v, _)| self.depends_on(*v))?;
        let (lo, hi) = (range.lo.as_ref()?, range.hi.as_ref()?);
        // on [0, 1]
        let line = Self::constant(lo.clone()).add_multiple(&Self::variable(*v), &Rational::from(hi - lo));
        let powers = self.substitute(*v, &line)?.coefficients_in(*v);
        let degree = powers.len() as u32 - 1;
        let coefficients = (0..=degree).map(|i| {
            let terms = powers.iter().zip(0..=i);
            let own =
                terms.fold(Self::default(), |sum, (c, k)| sum.add_multiple(c, &(binomial(i, k) / binomial(degree, k))));
            own.least_on(ranges)
        });
        coefficients.collect::<Option<Vec<_>>>()?.into_iter().min()
    }

    /// Returns the value at a point. Returns `None` if a variable has no value there.
    #[must_use]
    pub fn value_at(&self, point: &[(Variable, Rational)]) -> Option<Rational> {
        self.0.iter().try_fold(Rational::new(), |sum, (powers, q)| {
            let mut term = q.clone();
            for (v, power) in powers {
                let x = point.iter().find_map(|(own, x)| (own == v).then_some(x))?;
                term = (0..*power).fold(term, |term, _| term * x);
            }
            Some(sum + term)
        })
    }

    /// Returns a positive multiple whose greatest coefficient of a variable is 1 or -1, so that equal half-spaces have equal
    /// maps.
    fn normalise(&self) -> Self {
        let largest = self.0.iter().filter(|(powers, _)| !powers.is_empty()).map(|(_, q)| q.clone().abs()).max();
        largest.map_or_else(|| self.clone(), |largest| self.scale_by(&largest.recip()))
    }
}

/// Returns the binomial coefficient.
fn binomial(n: u32, k: u32) -> Rational {
    (0..k).fold(Rational::from(1), |product, j| product * (n - j) / (j + 1))
}

/// A closed interval of numbers with exact ends. An end that is `None` is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberRange {
    /// The least number.
    pub lo: Option<Rational>,
    /// The greatest number.
    pub hi: Option<Rational>,
}

impl NumberRange {
    /// Makes the interval of one number.
    #[must_use]
    pub fn point(q: Rational) -> Self {
        Self { lo: Some(q.clone()), hi: Some(q) }
    }

    /// Makes the interval of an enclosure.
    #[must_use]
    pub fn of_enclosure(found: &Enclosure) -> Self {
        Self { lo: found.lo().to_rational(), hi: found.hi().to_rational() }
    }

    /// Returns the number if the interval has no other one.
    #[must_use]
    pub fn as_point(&self) -> Option<Rational> {
        self.lo.clone().filter(|_| self.lo == self.hi)
    }

    /// Returns `true` if both ends are finite.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.lo.is_some() && self.hi.is_some()
    }

    /// Returns `true` if no number is negative.
    #[must_use]
    pub fn is_nonnegative(&self) -> bool {
        self.lo.as_ref().is_some_and(|lo| *lo >= 0)
    }

    /// Returns the smallest interval that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let lo = self.lo.clone().zip(other.lo.clone()).map(|(a, b)| a.min(b));
        let hi = self.hi.clone().zip(other.hi.clone()).map(|(a, b)| a.max(b));
        Self { lo, hi }
    }

    /// Returns the numbers of both. If there are none the ends are crossed.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let both = |a: &Option<Rational>, b: &Option<Rational>, greater: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == greater { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Self { lo: both(&self.lo, &other.lo, true), hi: both(&self.hi, &other.hi, false) }
    }

    /// Returns `true` if all numbers of `other` are in this interval.
    #[must_use]
    pub fn contains_range(&self, other: &Self) -> bool {
        let below = self.lo.as_ref().is_none_or(|a| other.lo.as_ref().is_some_and(|b| a <= b));
        let above = self.hi.as_ref().is_none_or(|a| other.hi.as_ref().is_some_and(|b| a >= b));
        below && above
    }

    /// Returns the sums of two numbers.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let sum = |a: &Option<Rational>, b: &Option<Rational>| Some(Rational::from(a.as_ref()? + b.as_ref()?));
        Self { lo: sum(&self.lo, &other.lo), hi: sum(&self.hi, &other.hi) }
    }

    /// Returns the products of two numbers. Here 0 times an infinite end is 0, as the factors are numbers.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        let mut range: Option<Self> = None;
        for (a, a_is_low) in [(&self.lo, true), (&self.hi, false)] {
            for (b, b_is_low) in [(&other.lo, true), (&other.hi, false)] {
                let sign = |x: &Option<Rational>, is_low: bool| match x {
                    Some(x) => x.cmp0() as i32,
                    None => {
                        if is_low {
                            -1
                        } else {
                            1
                        }
                    }
                };
                let product = match (a, b) {
                    (Some(a), Some(b)) => Self::point(Rational::from(a * b)),
                    _ => match sign(a, a_is_low) * sign(b, b_is_low) {
                        0 => Self::point(Rational::new()),
                        // an infinite end, above or below, with a finite number that the hull may contain
                        s if s > 0 => Self { lo: Some(Rational::new()), hi: None },
                        _ => Self { lo: None, hi: Some(Rational::new()) },
                    },
                };
                range = Some(range.map_or_else(|| product.clone(), |range| range.hull(&product)));
            }
        }
        let hull = range.unwrap_or_default();
        // with infinite ends 0 was put in the place of a finite number: two positive factors have at least their product
        let least = match (&self.lo, &other.lo) {
            (Some(a), Some(b)) if *a >= 0 && *b >= 0 => Some(Rational::from(a * b)),
            _ => None,
        };
        hull.intersect(&Self { lo: least, hi: None })
    }

    /// Returns the absolute values of the numbers, with 0.
    #[must_use]
    pub fn magnitudes(&self) -> Self {
        let ends = self.lo.as_ref().zip(self.hi.as_ref());
        Self {
            lo: Some(Rational::new()),
            hi: ends.map(|(lo, hi)| Rational::from(lo.abs_ref()).max(Rational::from(hi.abs_ref()))),
        }
    }

    /// Returns the powers of the numbers. An even power is not negative.
    #[must_use]
    pub fn power(&self, k: u32) -> Self {
        let all = (0..k).fold(Self::point(Rational::from(1)), |product, _| product.multiply(self));
        if k.is_multiple_of(2) { all.intersect(&Self { lo: Some(Rational::new()), hi: None }) } else { all }
    }
}

/// A part of a polytope: where all of the affine maps are at least 0, with a polynomial on it.
#[derive(Clone, Debug)]
pub struct PolytopeCell {
    /// The affine maps that are at least 0.
    pub constraints: Vec<Polynomial>,
    /// The polynomial.
    pub polynomial: Polynomial,
}

/// The variables of a polytope with their ranges.
struct PolytopeBox<'b> {
    ranges: &'b [(Variable, NumberRange)],
    /// The draws that are still integrated.
    draws: &'b [Variable],
}

impl PolytopeBox<'_> {
    /// Returns the constraints without those that follow from the box or from another one. Returns `None` if the polytope
    /// has no volume.
    fn simplify_constraints(&self, constraints: Vec<Polynomial>) -> Option<Vec<Polynomial>> {
        let mut kept: Vec<Polynomial> = Vec::new();
        for own in constraints {
            let own = own.normalise();
            let range = own.enclose_on(self.ranges);
            if range.is_nonnegative() {
                continue;
            }
            // a boundary that depends on a draw has no volume; one of states alone is kept, as states are no draws
            let is_thin = self.draws.iter().any(|v| own.depends_on(*v));
            if range.hi.as_ref().is_some_and(|hi| *hi < 0 || *hi == 0 && is_thin) {
                return None;
            }
            if !kept.iter().any(|other| self.follows(&own, other)) {
                kept.retain(|other| !self.follows(other, &own));
                kept.push(own);
            }
        }
        Some(kept)
    }

    /// Returns `true` if one map is at least another on the box.
    fn follows(&self, greater: &Polynomial, smaller: &Polynomial) -> bool {
        greater.add_multiple(smaller, &Rational::from(-1)).enclose_on(self.ranges).is_nonnegative()
    }

    /// Returns the bounds among `bounds` that may be the tightest: those that no other one exceeds on the whole polytope.
    fn tightest_bounds(&self, bounds: &[Polynomial], constraints: &[Polynomial], upper: bool) -> Vec<Polynomial> {
        let mut kept: Vec<Polynomial> = Vec::new();
        let is_weaker = |a: &Polynomial, b: &Polynomial| {
            let [a, b] = if upper { [a, b] } else { [b, a] };
            let rest = a.add_multiple(b, &Rational::from(-1));
            // the difference is at least 0 on the box, or at least a map that is at least 0
            rest.enclose_on(self.ranges).is_nonnegative()
                || constraints.iter().any(|known| {
                    let [rest, known] = [rest.normalise(), known.normalise()];
                    self.follows(&rest, &known)
                })
        };
        for bound in bounds {
            if !kept.iter().any(|other| is_weaker(bound, other)) {
                kept.retain(|other| !is_weaker(other, bound));
                kept.push(bound.clone());
            }
        }
        kept
    }

    /// Integrates a cell over one draw.
    fn integrate_draw(&self, cell: &PolytopeCell, v: Variable) -> Option<Vec<PolytopeCell>> {
        let (mut lower, mut upper, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for constraint in &cell.constraints {
            match &constraint.coefficients_in(v)[..] {
                [c, slope] => {
                    let slope = slope.as_constant()?;
                    let bound = c.scale_by(&-Rational::from(slope.recip_ref()));
                    if slope > 0 { lower.push(bound) } else { upper.push(bound) }
                }
                _ => rest.push(constraint.clone()),
            }
        }
        // the box is a bound as well; constraints that follow from it were left out
        let (_, NumberRange { lo: Some(start), hi: Some(end) }) = self.ranges.iter().find(|(own, _)| *own == v)? else {
            return None;
        };
        lower.push(Polynomial::constant(start.clone()));
        upper.push(Polynomial::constant(end.clone()));
        let minus = Rational::from(-1);
        let lower = self.tightest_bounds(&lower, &rest, false);
        let upper = self.tightest_bounds(&upper, &rest, true);
        let antiderivative = cell.polynomial.antiderivative(v)?;
        // each pair of bounds is the tightest on one cell; the others hold there as constraints
        let mut found = Vec::new();
        for (i, from) in lower.iter().enumerate() {
            for (j, to) in upper.iter().enumerate() {
                let mut own = rest.clone();
                let others = |bounds: &[Polynomial], i: usize| {
                    bounds.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, b)| b.clone()).collect::<Vec<_>>()
                };
                own.extend(others(&lower, i).iter().map(|other| from.add_multiple(other, &minus)));
                own.extend(others(&upper, j).iter().map(|other| other.add_multiple(to, &minus)));
                own.push(to.add_multiple(from, &minus));
                let Some(constraints) = self.simplify_constraints(own) else { continue };
                let [at_end, at_start] = [to, from].map(|bound| antiderivative.substitute(v, bound));
                let polynomial = at_end?.add_multiple(&at_start?, &minus);
                found.push(PolytopeCell { constraints, polynomial });
                if found.len() > MAX_CELLS {
                    return None;
                }
            }
        }
        Some(found)
    }
}

/// An integral over draws, as its factors and constraints.
struct PolytopeIntegral {
    /// The ranges of the draws and of the unknowns.
    ranges: Vec<(Variable, NumberRange)>,
    draws: Vec<Variable>,
    constraints: Vec<Polynomial>,
    factors: Vec<Polynomial>,
    /// `true` if a guard holds on a set of probability 0 alone.
    is_null: bool,
}

impl PolytopeIntegral {
    /// Reads the integral of a product of maps over a path. Returns `None` unless the real draws are uniform between numbers,
    /// the guards affine, and the maps polynomials.
    fn of_path(path: &ExecutionPath, maps: &[Graph]) -> Option<Self> {
        let mut factors = maps.iter().map(Polynomial::of_graph).collect::<Option<Vec<_>>>()?;
        let mut ranges: Vec<(Variable, NumberRange)> =
            path.unknowns.iter().map(|(v, range)| (*v, NumberRange::of_enclosure(range))).collect();
        let mut draws = Vec::new();
        for draw in &path.draws {
            match draw {
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => factors.push(Polynomial::of_graph(chance)?),
                Draw::Tail(..) => return None,
                Draw::Real(x) => {
                    let [a, b] = x.distribution.parameters_of(&UniformOn)? else { return None };
                    let [a, b] = [Polynomial::of_graph(a)?.as_constant()?, Polynomial::of_graph(b)?.as_constant()?];
                    let width = Rational::from(&b - &a);
                    if width <= 0 {
                        return None;
                    }
                    factors.push(Polynomial::constant(width.recip()));
                    ranges.push((x.variable, NumberRange { lo: Some(a), hi: Some(b) }));
                    draws.push(x.variable);
                }
            }
        }
        let (mut constraints, mut is_null) = (Vec::new(), false);
        for GuardCondition { guard, holds, .. } in &path.decisions {
            let map = Polynomial::of_graph(&guard.graph).filter(Polynomial::is_affine)?;
            let opposite = map.scale_by(&Rational::from(-1));
            match (guard.test, holds) {
                (SignTest::Zero, true) => {
                    is_null |= draws.iter().any(|v| map.depends_on(*v));
                    constraints.extend([map, opposite]);
                }
                // all but a set of measure 0, or of states: a larger set of states is no less
                (SignTest::Zero, false) => {}
                (_, true) => constraints.push(map),
                (_, false) => constraints.push(opposite),
            }
        }
        Some(Self { ranges, draws, constraints, factors, is_null })
    }

    /// Integrates over the draws, the last first.
    fn integrate(self) -> Option<Vec<PolytopeCell>> {
        let Self { ranges, mut draws, constraints, factors, is_null } = self;
        if is_null {
            return Some(Vec::new());
        }
        // most guards of a long path follow from a later one
        let all = PolytopeBox { ranges: &ranges, draws: &draws };
        let Some(constraints) = all.simplify_constraints(constraints) else { return Some(Vec::new()) };
        let one = Polynomial::constant(Rational::from(1));
        let polynomial = factors.iter().try_fold(one, |product, own| product.multiply(own))?;
        let mut cells = vec![PolytopeCell { constraints, polynomial }];
        while let Some(v) = draws.pop() {
            let mut next = Vec::new();
            for cell in &cells {
                next.extend(PolytopeBox { ranges: &ranges, draws: &draws }.integrate_draw(cell, v)?);
                if next.len() > MAX_CELLS {
                    return None;
                }
            }
            cells = next;
        }
        Some(cells)
    }

    /// Splits an integral without unknowns into factors over independent draws: those that share no constraint and no map.
    fn split_independent(self) -> Vec<Self> {
        let Self { ranges, draws, constraints, factors, is_null } = self;
        let mut groups: Vec<Vec<Variable>> = draws.iter().map(|v| vec![*v]).collect();
        for map in constraints.iter().chain(&factors) {
            let (mut joined, mut others) = (Vec::new(), Vec::new());
            for group in groups {
                if group.iter().any(|v| map.depends_on(*v)) { joined.extend(group) } else { others.push(group) }
            }
            groups = others;
            groups.extend((!joined.is_empty()).then_some(joined));
        }
        // the last group has no draws: constraints and factors that are numbers
        groups.push(Vec::new());
        // constants are factors of that group alone, so that none counts twice
        let part = |group: &Vec<Variable>| {
            let belongs = |map: &&Polynomial| match group.is_empty() {
                true => !draws.iter().any(|v| map.depends_on(*v)),
                false => group.iter().any(|v| map.depends_on(*v)),
            };
            Self {
                ranges: ranges.iter().filter(|(v, _)| group.contains(v)).cloned().collect(),
                draws: draws.iter().copied().filter(|v| group.contains(v)).collect(),
                constraints: constraints.iter().filter(belongs).cloned().collect(),
                factors: factors.iter().filter(belongs).cloned().collect(),
                is_null,
            }
        };
        groups.iter().map(part).collect()
    }

    /// Integrates over all draws, where there are no unknowns.
    fn integrate_to_number(self) -> Option<Rational> {
        self.split_independent().into_iter().try_fold(Rational::from(1), |product, part| {
            let cells = if product == 0 { Vec::new() } else { part.integrate()? };
            let sum = cells.iter().try_fold(Rational::new(), |sum, cell| {
                // constraints that are numbers were decided when they arose; without draws they are decided here
                let is_empty = cell.constraints.iter().any(|c| c.as_constant().is_none_or(|c| c < 0));
                let own = cell.polynomial.as_constant()?;
                Some(if is_empty { sum } else { sum + own })
            })?;
            Some(product * sum)
        })
    }
}

/// Integrates a product of maps over the draws of a path. The unknowns of the path stay.
///
/// Returns `None` unless the real draws are uniform between numbers, the guards affine, and the maps polynomials.
#[must_use]
pub fn integrate_path(path: &ExecutionPath, factors: &[Graph]) -> Option<Vec<PolytopeCell>> {
    PolytopeIntegral::of_path(path, factors)?.integrate()
}

/// Integrates a product of maps over a path without unknowns, to an exact number.
///
/// Returns `None` as [`integrate_path`] does, and for a path without guards, which other integrals serve as well.
#[must_use]
pub fn integrate_exactly(path: &ExecutionPath, factors: &[Graph]) -> Option<Rational> {
    if !path.unknowns.is_empty() || path.decisions.is_empty() {
        return None;
    }
    PolytopeIntegral::of_path(path, factors)?.integrate_to_number()
}
