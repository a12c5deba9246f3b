//! Analytic sets in one variable: unions of intervals between roots of guards.
//!
//! The endpoints of an interval are roots of guards. Roots of quotients of polynomials are exact: rational numbers, or
//! the only root of a polynomial between two. Others are known up to a small error. A guard splits a set in three:
//! where it holds, where it fails, and where neither was decided. The parts are disjoint, and their union is the whole
//! set.
//!
//! # Exact signs of quotients of polynomials on an interval
//!
//! Exact signs of quotients of polynomials on an interval, from isolated roots.
//!
//! # Display of endpoints
//!
//! Display of endpoints, intervals and unions of them.
//!
//! # Signs of a map on an interval
//!
//! Exact for quotients of polynomials, else by enclosures of the map and its slope.

use super::function::SignGuard;
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational, decimal};
use crate::pieces::function::decide_sign;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::map::range::EvalRequest;
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::solve::subdivide::{PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide};
use crate::smooth::univariate::IsolatedRoots;
use crate::smooth::univariate::Univariate;
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

/// An endpoint of an interval: a real number that lies between two rational ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalEndpoint {
    /// A lower bound.
    pub lo: Rational,
    /// An upper bound.
    pub hi: Rational,
    /// For an irrational root of a polynomial: the polynomial. The endpoint is its only root between the bounds, which
    /// are no roots.
    root: Option<Arc<IsolatedRoots>>,
}

impl IntervalEndpoint {
    /// Creates a rational endpoint.
    #[must_use]
    pub fn at_rational(at: &Rational) -> Self {
        Self { lo: at.clone(), hi: at.clone(), root: None }
    }

    /// Returns the endpoint if it is rational and known.
    #[must_use]
    pub fn as_exact(&self) -> Option<&Rational> {
        (self.lo == self.hi).then_some(&self.lo)
    }
}

/// An interval between two endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInterval {
    /// The left endpoint.
    pub left: IntervalEndpoint,
    /// The right endpoint.
    pub right: IntervalEndpoint,
    /// `true` for each endpoint that belongs to the interval: left, right.
    pub closed: [bool; 2],
}

impl LineInterval {
    /// Creates the closed interval between two rational numbers.
    #[must_use]
    pub fn closed_between(from: &Rational, to: &Rational) -> Self {
        Self { left: IntervalEndpoint::at_rational(from), right: IntervalEndpoint::at_rational(to), closed: [true; 2] }
    }

    /// Returns `true` if the interval is a single number.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.left == self.right && self.closed == [true; 2]
    }

    /// Returns a rational number that certainly lies in the interval. Returns `None` if none is known.
    #[must_use]
    pub fn interior_rational(&self) -> Option<Rational> {
        match (self.is_point(), self.left.hi < self.right.lo) {
            (true, _) => self.left.as_exact().cloned(),
            (false, true) => Some(Rational::from(&self.left.hi + &self.right.lo) / 2),
            _ => None,
        }
    }
}

/// A union of disjoint intervals in increasing order: an analytic set in one variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalUnion(pub Vec<LineInterval>);

impl IntervalUnion {
    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if `x` is in the set, `false` if not. Returns `None` if undecided, next to an endpoint that is
    /// not exact.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> Option<bool> {
        let mut outside = Some(false);
        for LineInterval { left, right, closed } in &self.0 {
            // a number between the bounds of an endpoint is on neither side of it for certain
            let side = |end: &IntervalEndpoint, closed: bool, inward: Ordering| match (x.cmp(&end.lo), x.cmp(&end.hi)) {
                // on one side of both bounds
                (a, b) if a == b && a != Ordering::Equal => Some(a == inward),
                (Ordering::Equal, Ordering::Equal) => Some(closed),
                _ => None,
            };
            match [side(left, closed[0], Ordering::Greater), side(right, closed[1], Ordering::Less)] {
                [Some(true), Some(true)] => return Some(true),
                [Some(false), _] | [_, Some(false)] => {}
                _ => outside = None,
            }
        }
        outside
    }

    /// Returns a lower and an upper bound of the length.
    #[must_use]
    pub fn length_bounds(&self) -> [Rational; 2] {
        let mut length = [Rational::new(), Rational::new()];
        for LineInterval { left, right, .. } in self.0.iter().filter(|stretch| !stretch.is_point()) {
            // the bounds of both endpoints may overlap: then the lower bound is 0
            let least = Rational::from(&right.lo - &left.hi);
            if least > 0 {
                length[0] += least;
            }
            length[1] += Rational::from(&right.hi - &left.lo);
        }
        length
    }

    /// Splits the set in three: where a guard on `v` holds, where it fails, and where this is undecided. `forms` caches
    /// normal forms for further guards; `finest` is the smallest width of an undecided interval that is split further.
    #[must_use]
    pub fn split_by_guard(
        &self,
        v: Variable,
        guard: &SignGuard,
        forms: &mut RationalNormalForm,
        finest: &Rational,
        budget: &Budget,
    ) -> [Self; 3] {
        let searched = SignSearch::for_graph(v, &guard.graph, forms, finest, budget);
        let mut sides = [Self::default(), Self::default(), Self::default()];
        for stretch in &self.0 {
            for (part, sign) in searched.split_by_sign(stretch) {
                sides[sign.map_or(2, |sign| usize::from(!guard.test.is_satisfied_by(sign)))].push_merged(part);
            }
        }
        sides
    }

    /// Appends an interval that lies to the right; merges it with the last one if they touch.
    fn push_merged(&mut self, part: LineInterval) {
        if let Some(last) = self.0.last_mut()
            && last.right == part.left
            && (last.closed[1] || part.closed[0])
        {
            last.right = part.right;
            last.closed[1] = part.closed[1];
            return;
        }
        self.0.push(part);
    }
}

/// An interval, and the sign of a map on it. `None` if the sign is unknown or varies.
type SignedInterval = (LineInterval, Option<Ordering>);

/// Roots are isolated to 2^-10 of the width at which other maps stay undecided: halving is cheap here.
const FINER: u32 = 10;
/// The largest number of halvings to separate an endpoint from roots. A choice: far more than numbers of a usual size
/// need.
const MOST_HALVINGS: u32 = 4096;

/// A quotient of polynomials that is not 0, with its zeros and poles.
#[derive(Debug)]
struct PolynomialQuotient {
    over: Univariate,
    under: Univariate,
    zeros: Arc<IsolatedRoots>,
    count_poles: Option<IsolatedRoots>,
}

impl PolynomialQuotient {
    fn from_polynomials([over, under]: &[Univariate; 2]) -> Self {
        let [over, under] = Univariate::cancel_common(over, under);
        let (zeros, count_poles) = (
            Arc::new(IsolatedRoots::of_polynomial(&over)),
            (under.degree() > 0).then(|| IsolatedRoots::of_polynomial(&under)),
        );
        Self { over, under, zeros, count_poles }
    }

    fn sign_at(&self, x: &Rational) -> Ordering {
        match self.under.sign_at(x) {
            Ordering::Less => self.over.sign_at(x).reverse(),
            _ => self.over.sign_at(x),
        }
    }

    fn count_poles(&self, a: &Rational, b: &Rational) -> usize {
        self.count_poles.as_ref().map_or(0, |poles| poles.count_in(a, b))
    }

    /// Isolates an endpoint from all zeros and poles but itself. Returns `None` if an inexact endpoint, or too few
    /// halvings, do not allow it.
    fn isolate_endpoint(&self, end: &IntervalEndpoint) -> Option<[Rational; 2]> {
        let mut around = [end.lo.clone(), end.hi.clone()];
        let Some(own) = &end.root else { return end.as_exact().map(|_| around) };
        // a root that both polynomials share is counted once in each, and cannot be separated further
        let [zero, pole] = [Some(&*self.zeros), self.count_poles.as_ref()]
            .map(|roots| usize::from(roots.is_some_and(|roots| own.have_common_root(roots, &around[0], &around[1]))));
        for _ in 0..MOST_HALVINGS {
            let [a, b] = &around;
            if self.zeros.count_in(a, b) == zero && self.count_poles(a, b) == pole {
                return Some(around);
            }
            around = own.halve_isolating(&around);
        }
        None
    }

    /// Returns the sign at an endpoint. Returns `None` at a pole.
    fn sign_at_endpoint(&self, [a, b]: &[Rational; 2]) -> Option<Ordering> {
        match (self.count_poles(a, b), self.zeros.count_in(a, b)) {
            (0, 0) => Some(self.sign_at(a)),
            (0, _) => Some(Ordering::Equal),
            _ => None,
        }
    }

    /// Cuts an interval at the zeros into points and open intervals, each with its sign. Returns `None` if it contains
    /// a pole.
    fn split_at_zeros(&self, stretch: &LineInterval, finest: &Rational) -> Option<Vec<SignedInterval>> {
        let [left, right] = [self.isolate_endpoint(&stretch.left)?, self.isolate_endpoint(&stretch.right)?];
        let point = |end: &IntervalEndpoint, sign: Option<Ordering>| {
            let single = LineInterval { left: end.clone(), right: end.clone(), closed: [true; 2] };
            Some((single, Some(sign?)))
        };
        if stretch.is_point() {
            return Some(vec![point(&stretch.left, self.sign_at_endpoint(&left))?]);
        }
        let (mut from, to) = (left[1].clone(), &right[0]);
        // no pole lies in between, but there may be one at an endpoint that does not belong to the interval
        let at_ends = [&left, &right].iter().filter(|[a, b]| a == b && self.count_poles(a, b) > 0).count();
        if from >= *to || self.count_poles(&from, to) > at_ends {
            return None;
        }
        let mut parts = Vec::new();
        if stretch.closed[0] {
            parts.push(point(&stretch.left, self.sign_at_endpoint(&left))?);
        }
        let mut begins = stretch.left.clone();
        let run = |begins: &IntervalEndpoint, ends: &IntervalEndpoint, from: &Rational, to: &Rational| {
            let sign = self.sign_at(&(Rational::from(from + to) / 2u32));
            (LineInterval { left: begins.clone(), right: ends.clone(), closed: [false; 2] }, Some(sign))
        };
        // between consecutive zeros, without poles, the sign is constant: that at the middle
        for [lo, hi] in self.zeros.isolate_between(&from, to, &Rational::from(finest >> FINER)) {
            let root = (lo != hi).then(|| self.zeros.clone());
            let end = IntervalEndpoint { lo: lo.clone(), hi: hi.clone(), root };
            parts.push(run(&begins, &end, &from, &lo));
            parts.push(point(&end, Some(Ordering::Equal))?);
            (from, begins) = (hi, end);
        }
        parts.push(run(&begins, &stretch.right, &from, to));
        if stretch.closed[1] {
            parts.push(point(&stretch.right, self.sign_at_endpoint(&right))?);
        }
        Some(parts)
    }
}

/// The number of printed decimals, or of digits for numbers near 0. A choice, as the next two.
const MOST_DECIMALS: u32 = 12;
/// The largest length of a fraction that is printed as one.
const SHORT: usize = 12;
/// The largest number of digits of an integer that is printed in full.
const LONGEST: usize = 21;

/// Formats an exact number: as a fraction if that is short, else its leading digits with "…".
#[must_use]
pub fn format_rational(q: &Rational) -> String {
    let exact = q.to_string();
    if exact.len() <= if q.is_integer() { LONGEST } else { SHORT } {
        return exact;
    }
    let (sign, size) = (if *q < 0 { "-" } else { "" }, q.clone().abs());
    let power = decimal_exponent(&size);
    // very large and very small numbers in scientific notation
    if (-4..=LONGEST as i64).contains(&power) {
        return format!("{sign}{}…", truncate_decimals(&size, MOST_DECIMALS));
    }
    let scaled = if power < 0 { size * power_of_ten(power) } else { size / power_of_ten(power) };
    format!("{sign}{}…e{power}", truncate_decimals(&scaled, MOST_DECIMALS - 1))
}

/// Returns the exponent of the leading decimal digit of a positive number.
fn decimal_exponent(q: &Rational) -> i64 {
    let guess = q.numer().to_string().len() as i64 - q.denom().to_string().len() as i64;
    let reaches = |power: i64| {
        let unit = power_of_ten(power);
        if power < 0 { q * unit >= 1 } else { *q >= unit }
    };
    if reaches(guess) { guess } else { guess - 1 }
}

/// Returns 10 to the absolute value of `power`.
fn power_of_ten(power: i64) -> Rational {
    (0..power.unsigned_abs()).fold(Rational::from(1), |product, _| product * 10u32)
}

/// Formats a nonnegative number with `truncate_decimals` decimals, truncated.
fn truncate_decimals(q: &Rational, decimals: u32) -> String {
    let unit = Rational::from(10u64.pow(decimals));
    let digits = Rational::from(q * &unit).trunc().into_numer_denom().0.to_string();
    let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}{}{rest}", if decimals == 0 { "" } else { "." })
}

impl IntervalEndpoint {
    /// Returns the digits that all numbers between the bounds share. Returns `None` if there are none.
    fn common_digits(&self) -> Option<String> {
        if self.lo < 0 && self.hi >= 0 {
            return None;
        }
        let told = |q: &Rational, places: u32| {
            format!("{}{}", if *q < 0 { "-" } else { "" }, truncate_decimals(&q.clone().abs(), places))
        };
        let mut all = (0..=MOST_DECIMALS).rev().map(|k| (told(&self.lo, k), told(&self.hi, k)));
        all.find_map(|(lo, hi)| (lo == hi).then_some(lo))
    }
}

/// Rounds a number to the printed decimals, up or down, so that an interval still contains it.
fn round_decimal(q: &Rational, up: bool) -> String {
    let unit = Rational::from(10u64.pow(MOST_DECIMALS));
    let scaled = Rational::from(q * &unit);
    let rounded = if up { scaled.ceil() } else { scaled.floor() } / unit;
    decimal::print_exactly(&rounded).unwrap_or_else(|| rounded.to_string())
}

impl fmt::Display for IntervalEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(q) => f.write_str(&format_rational(q)),
            None => match self.common_digits() {
                Some(digits) => write!(f, "{digits}…"),
                None => write!(f, "[{}, {}]", round_decimal(&self.lo, false), round_decimal(&self.hi, true)),
            },
        }
    }
}

impl fmt::Display for LineInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_point() {
            return write!(f, "{{{}}}", self.left);
        }
        let (open, close) = (if self.closed[0] { '[' } else { '(' }, if self.closed[1] { ']' } else { ')' });
        write!(f, "{open}{}, {}{close}", self.left, self.right)
    }
}

impl fmt::Display for IntervalUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stretch) in self.0.iter().enumerate() {
            write!(f, "{}{stretch}", if index == 0 { "" } else { " ∪ " })?;
        }
        Ok(())
    }
}

/// The largest number of intervals in one search. Bisection of a map that vanishes on an interval, unknown to normal
/// forms, ends only here.
const MOST_LOOKED: u32 = 1 << 13;

/// The search for the signs of a map of one variable.
struct SignSearch<'a> {
    graph: &'a Graph,
    variable: Variable,
    map: OnceCell<Option<Arc<DynMap>>>,
    quotient: Option<PolynomialQuotient>,
    /// The sign, if it is constant.
    constant: Option<Ordering>,
    finest: &'a Rational,
    budget: &'a Budget,
    /// The number of intervals so far.
    looked: Cell<u32>,
}

impl<'a> SignSearch<'a> {
    fn for_graph(
        variable: Variable,
        graph: &'a Graph,
        normaliser: &mut RationalNormalForm,
        finest: &'a Rational,
        budget: &'a Budget,
    ) -> Self {
        let constant = match normaliser.normal_form(graph) {
            // the denominator of a normal form is not the zero polynomial, so the map is 0 wherever it has a value
            Some(fraction) if fraction.is_zero() => Some(Ordering::Equal),
            Some(fraction) if let Some(q) = fraction.as_rational() => Some(q.cmp0()),
            _ if !graph.depends_on(variable) => decide_sign(graph, budget).ok(),
            _ => None,
        };
        let quotient = constant.is_none().then(|| normaliser.as_quotient(graph, variable)).flatten();
        let quotient = quotient.as_ref().map(PolynomialQuotient::from_polynomials);
        Self { graph, variable, map: OnceCell::new(), quotient, constant, finest, budget, looked: Cell::new(0) }
    }

    fn sign_at(&self, x: &Rational) -> Option<Ordering> {
        decide_sign(&self.graph.substitute(&[(self.variable, Graph::rational(x.clone()))]), self.budget).ok()
    }

    /// Encloses the map and its slope over [a, b]. Returns `None` if no enclosure is known.
    fn enclose_over(&self, a: &Rational, b: &Rational) -> Option<[Enclosure; 2]> {
        let made = || DynMap::of_graphs(&[self.variable], std::slice::from_ref(self.graph)).ok().map(Arc::new);
        let map = self.map.get_or_init(made).as_ref()?;
        let width = Rational::from(b - a);
        // on short intervals `f64` loses the slope to rounding; the threshold is a choice
        let tier = if width < Rational::from((1, 1 << 20)) { Precision::Mpfr(160) } else { Precision::Double };
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
        let probe = EvalRequest {
            directions: vec![(AlgebraGenerator::Taylor(1), vec![Rational::from(1)])],
            requested: vec![vec![], vec![1]],
            ..EvalRequest::for_value(map, vec![[a.clone(), b.clone()]])
        };
        let found = probe.enclose_results(tier, &effort).ok()?;
        <[Enclosure; 2]>::try_from(found).ok()
    }

    /// Splits an interval into parts with a constant sign, or an unknown one.
    fn split_by_sign(&self, stretch: &LineInterval) -> Vec<SignedInterval> {
        let whole = |sign| vec![(stretch.clone(), sign)];
        if self.constant.is_some() {
            return whole(self.constant);
        }
        if let Some(parts) = self.quotient.as_ref().and_then(|quotient| quotient.split_at_zeros(stretch, self.finest)) {
            return parts;
        }
        let (a, b) = (&stretch.left.hi, &stretch.right.lo);
        if stretch.is_point() || a > b {
            return whole(match stretch.left.as_exact().filter(|_| stretch.is_point()) {
                Some(x) => self.sign_at(x),
                None => self.sign_over(&stretch.left.lo, &stretch.right.hi),
            });
        }
        let cuts = self.find_cuts(a, b);
        // between the bounds of an inexact endpoint lies a little more of the interval
        let beside = |end: &IntervalEndpoint, run: Option<&LineCut>| {
            let sign = end.as_exact().map_or_else(|| self.sign_over(&end.lo, &end.hi), |_| None);
            let goes_on = end.as_exact().is_some() || run.is_some_and(|run| run.2 == CutKind::Run && run.1 == sign);
            (!goes_on).then_some(sign)
        };
        let (mut main, mut parts) = (stretch.clone(), Vec::new());
        if let Some(sign) = beside(&stretch.left, cuts.first()) {
            main = LineInterval { left: IntervalEndpoint::at_rational(a), closed: [true, main.closed[1]], ..main };
            parts.push((
                LineInterval { right: main.left.clone(), closed: [stretch.closed[0], false], ..stretch.clone() },
                sign,
            ));
        }
        let right = beside(&stretch.right, cuts.last()).map(|sign| {
            main = LineInterval {
                right: IntervalEndpoint::at_rational(b),
                closed: [main.closed[0], true],
                ..main.clone()
            };
            (LineInterval { left: main.right.clone(), closed: [false, stretch.closed[1]], ..stretch.clone() }, sign)
        });
        parts.extend(Self::parts_between_cuts(&main, &cuts));
        parts.extend(right);
        parts
    }

    /// Makes intervals of the cuts.
    fn parts_between_cuts(stretch: &LineInterval, cuts: &[LineCut]) -> Vec<SignedInterval> {
        let mut parts: Vec<SignedInterval> = Vec::new();
        let mut left = (stretch.left.clone(), stretch.closed[0]);
        for (index, (end, sign, kind)) in cuts.iter().enumerate() {
            let is_last = index + 1 == cuts.len();
            let (right, closed) = match (kind, is_last) {
                (CutKind::Root, _) if *end == stretch.right => (end.clone(), stretch.closed[1]),
                (CutKind::Root, _) => (end.clone(), true),
                (_, true) => (stretch.right.clone(), stretch.closed[1]),
                (CutKind::Run, false) => (end.clone(), false),
                (CutKind::Undecided, false) => (IntervalEndpoint::at_rational(&end.hi), true),
            };
            // a root is a part of its own, unless the interval is open there
            let from = if *kind == CutKind::Root { (end.clone(), *end != left.0 || left.1) } else { left.clone() };
            if from.0 != right || (from.1 && closed) {
                parts.push((LineInterval { left: from.0, right: right.clone(), closed: [from.1, closed] }, *sign));
            }
            left = (right, *kind == CutKind::Run && !closed);
        }
        parts
    }

    /// Returns the sign over [a, b] if an enclosure of the values decides it.
    fn sign_over(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        let [value, _] = self.enclose_over(a, b)?;
        sign_of_enclosure(&value)
    }

    /// Returns the runs of constant sign on [a, b] by their right ends, the roots in between, and undecided parts.
    fn find_cuts(&self, a: &Rational, b: &Rational) -> Vec<LineCut> {
        let caps = SubdivisionCaps::NONE;
        let mut search = CutSearch { signs: self, cuts: Vec::new() };
        // no limit of the engine ends this search: parts beyond its own limits are undecided cuts, in their places
        let Ok(_) = subdivide(&mut search, vec![[a.clone(), b.clone()]], caps, None);
        search.cuts
    }

    /// Returns the sign of the slope if the map is certainly monotone on [a, b].
    fn monotone_direction(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        sign_of_enclosure(&self.enclose_over(a, b)?[1]).filter(|sign| *sign != Ordering::Equal)
    }

    /// Bisects to the root of a map that is monotone on [a, b]. Returns `None` if the signs at the ends are equal.
    fn bisect_root(&self, a: &Rational, b: &Rational, left: Ordering, right: Ordering) -> Option<IntervalEndpoint> {
        match (left, right) {
            (Ordering::Equal, _) => return Some(IntervalEndpoint::at_rational(a)),
            (_, Ordering::Equal) => return Some(IntervalEndpoint::at_rational(b)),
            _ if left == right => return None,
            _ => {}
        }
        let (mut lo, mut hi) = (a.clone(), b.clone());
        while Rational::from(&hi - &lo) > *self.finest {
            let middle = Rational::from(&lo + &hi) / 2;
            match self.sign_at(&middle) {
                Some(Ordering::Equal) => return Some(IntervalEndpoint::at_rational(&middle)),
                Some(sign) if sign == left => lo = middle,
                Some(_) => hi = middle,
                None => break,
            }
        }
        // a rational root usually has the smallest denominator in the interval
        let simple = simplest_rational(&lo, &hi);
        if self.sign_at(&simple) == Some(Ordering::Equal) {
            return Some(IntervalEndpoint::at_rational(&simple));
        }
        Some(IntervalEndpoint { lo, hi, root: None })
    }
}

/// The right end of a part, its sign and its kind.
type LineCut = (IntervalEndpoint, Option<Ordering>, CutKind);

/// A search for the cuts of an interval, from left to right.
struct CutSearch<'s, 'a> {
    signs: &'s SignSearch<'a>,
    cuts: Vec<LineCut>,
}

impl CutSearch<'_, '_> {
    /// Appends a run, or extends the last one to its end.
    fn push_run(&mut self, to: &IntervalEndpoint, sign: Ordering) {
        match self.cuts.last_mut() {
            Some((end, Some(last), CutKind::Run)) if *last == sign => *end = to.clone(),
            _ => self.cuts.push((to.clone(), Some(sign), CutKind::Run)),
        }
    }
}

impl SubdivisionProblem for CutSearch<'_, '_> {
    type Piece = [Rational; 2];
    type Error = Infallible;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::Newest
    }

    fn bound_piece(&mut self, [a, b]: &mut [Rational; 2]) -> Result<PieceBound, Infallible> {
        let signs = self.signs;
        if let Some(sign) = signs.sign_over(a, b) {
            self.push_run(&IntervalEndpoint::at_rational(b), sign);
            return Ok(PieceBound::SETTLED);
        }
        // monotone: at most one root, and the signs at the ends tell whether there is one
        if let Some(rises) = signs.monotone_direction(a, b)
            && let (Some(left), Some(right)) = (signs.sign_at(a), signs.sign_at(b))
        {
            if let Some(root) = signs.bisect_root(a, b, left, right) {
                if root.as_exact() != Some(a) {
                    self.push_run(&root, rises.reverse());
                }
                let beyond = root.as_exact() != Some(b);
                self.cuts.push((root, Some(Ordering::Equal), CutKind::Root));
                if beyond {
                    self.cuts.push((IntervalEndpoint::at_rational(b), Some(rises), CutKind::Run));
                }
            } else {
                self.push_run(&IntervalEndpoint::at_rational(b), if left == Ordering::Equal { right } else { left });
            }
            return Ok(PieceBound::SETTLED);
        }
        signs.looked.set(signs.looked.get() + 1);
        if Rational::from(&*b - &*a) <= *signs.finest || signs.looked.get() > MOST_LOOKED || signs.budget.is_exhausted()
        {
            self.cuts.push((IntervalEndpoint { lo: a.clone(), hi: b.clone(), root: None }, None, CutKind::Undecided));
            return Ok(PieceBound::SETTLED);
        }
        Ok(PieceBound::open(0, Magnitude::INFINITY))
    }

    fn split_pieces(&mut self, intervals: Vec<[Rational; 2]>) -> Result<Vec<Split<[Rational; 2]>>, Infallible> {
        let split = |[a, b]: [Rational; 2]| {
            // off the middle, where symmetric maps have their roots
            let middle = Rational::from(&a * 33u32) + Rational::from(&b * 31u32);
            let middle = middle / 64u32;
            // the left part is added last, so that cuts are found from left to right
            Split::Parts(vec![[middle.clone(), b], [a, middle]])
        };
        Ok(intervals.into_iter().map(split).collect())
    }
}

/// The kind of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutKind {
    /// The right end of a run of constant sign.
    Run,
    /// A root.
    Root,
    /// An undecided interval.
    Undecided,
}

fn sign_of_enclosure(x: &Enclosure) -> Option<Ordering> {
    match x.is_defined() {
        true if *x.lo() > 0 => Some(Ordering::Greater),
        true if *x.hi() < 0 => Some(Ordering::Less),
        true if x.is_point() && *x.lo() == 0 => Some(Ordering::Equal),
        _ => None,
    }
}

/// Returns the number with the smallest denominator in [lo, hi], by continued fractions.
fn simplest_rational(lo: &Rational, hi: &Rational) -> Rational {
    let floor = lo.clone().floor();
    if floor == *lo {
        return floor;
    }
    if Rational::from(&floor + 1u32) <= *hi {
        return floor + 1u32;
    }
    let (inner, outer) = (Rational::from(hi - &floor).recip(), Rational::from(lo - &floor).recip());
    floor + simplest_rational(&inner, &outer).recip()
}
