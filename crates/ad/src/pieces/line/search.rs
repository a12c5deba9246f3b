//! Signs of a map on an interval: exact for quotients of polynomials, else by enclosures of the map and its slope.

use super::exact::PolynomialQuotient;
use super::{IntervalEndpoint, LineInterval, SignedInterval};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::sign::decide_sign;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::probe::EvalRequest;
use crate::smooth::map::untyped::DynMap;
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::sync::Arc;

/// The largest number of intervals in one search. Bisection of a map that vanishes on an interval, unknown to normal
/// forms, ends only here.
const MOST_LOOKED: u32 = 1 << 13;

/// The search for the signs of a map of one variable.
pub(super) struct SignSearch<'a> {
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
    pub(super) fn for_graph(
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
    pub(super) fn split_by_sign(&self, stretch: &LineInterval) -> Vec<SignedInterval> {
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
        let mut cuts = Vec::new();
        self.find_cuts(a, b, &mut cuts);
        // between the bounds of an inexact endpoint lies a little more of the interval
        let beside = |end: &IntervalEndpoint, run: Option<&(IntervalEndpoint, Option<Ordering>, CutKind)>| {
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
    fn parts_between_cuts(
        stretch: &LineInterval,
        cuts: &[(IntervalEndpoint, Option<Ordering>, CutKind)],
    ) -> Vec<SignedInterval> {
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

    /// Appends to `find_cuts` the runs of constant sign on [a, b] by their right ends, the roots in between, and undecided
    /// parts.
    fn find_cuts(&self, a: &Rational, b: &Rational, cuts: &mut Vec<(IntervalEndpoint, Option<Ordering>, CutKind)>) {
        let mut run = |to: &IntervalEndpoint, sign: Ordering| {
            if let Some((end, Some(last), CutKind::Run)) = cuts.last_mut()
                && *last == sign
            {
                *end = to.clone();
            } else {
                cuts.push((to.clone(), Some(sign), CutKind::Run));
            }
        };
        if let Some(sign) = self.sign_over(a, b) {
            return run(&IntervalEndpoint::at_rational(b), sign);
        }
        // monotone: at most one root, and the signs at the ends tell whether there is one
        if let Some(rises) = self.monotone_direction(a, b)
            && let (Some(left), Some(right)) = (self.sign_at(a), self.sign_at(b))
        {
            if let Some(root) = self.bisect_root(a, b, left, right) {
                if root.as_exact() != Some(a) {
                    run(&root, rises.reverse());
                }
                let beyond = root.as_exact() != Some(b);
                cuts.push((root, Some(Ordering::Equal), CutKind::Root));
                if beyond {
                    cuts.push((IntervalEndpoint::at_rational(b), Some(rises), CutKind::Run));
                }
            } else {
                run(&IntervalEndpoint::at_rational(b), if left == Ordering::Equal { right } else { left });
            }
            return;
        }
        self.looked.set(self.looked.get() + 1);
        if Rational::from(b - a) <= *self.finest || self.looked.get() > MOST_LOOKED || self.budget.is_exhausted() {
            cuts.push((IntervalEndpoint { lo: a.clone(), hi: b.clone(), root: None }, None, CutKind::Undecided));
            return;
        }
        // off the middle, where symmetric maps have their roots
        let middle = Rational::from(a * 33u32) + Rational::from(b * 31u32);
        let middle = middle / 64u32;
        self.find_cuts(a, &middle, cuts);
        self.find_cuts(&middle, b, cuts);
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
