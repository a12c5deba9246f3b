//! Signs of a map on an interval: exact for quotients of polynomials, else by enclosures of the map and its slope.

use super::exact::Quotient;
use super::{End, Part, Stretch};
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::smooth::algebra::Generator;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::probe::Probe;
use crate::smooth::map::untyped::Untyped;
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::sync::Arc;

/// The largest number of intervals in one search. Bisection of a map that vanishes on an interval, unknown to normal
/// forms, ends only here.
const MOST_LOOKED: u32 = 1 << 13;

/// The search for the signs of a map of one variable.
pub(super) struct Search<'a> {
    graph: &'a Graph,
    variable: Variable,
    map: OnceCell<Option<Arc<Untyped>>>,
    quotient: Option<Quotient>,
    /// The sign, if it is constant.
    constant: Option<Ordering>,
    finest: &'a Rational,
    budget: &'a Budget,
    /// The number of intervals so far.
    looked: Cell<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn of(
        variable: Variable,
        graph: &'a Graph,
        normaliser: &mut Normaliser,
        finest: &'a Rational,
        budget: &'a Budget,
    ) -> Self {
        let constant = match normaliser.fraction(graph) {
            // the denominator of a normal form is not the zero polynomial, so the map is 0 wherever it has a value
            Some(fraction) if fraction.is_zero() => Some(Ordering::Equal),
            Some(fraction) if let Some(q) = fraction.as_rational() => Some(q.cmp0()),
            _ if !graph.depends_on(variable) => sign(graph, budget).ok(),
            _ => None,
        };
        let quotient = constant.is_none().then(|| normaliser.quotient(graph, variable)).flatten();
        let quotient = quotient.as_ref().map(Quotient::of);
        Self { graph, variable, map: OnceCell::new(), quotient, constant, finest, budget, looked: Cell::new(0) }
    }

    fn at(&self, x: &Rational) -> Option<Ordering> {
        sign(&self.graph.substitute(&[(self.variable, Graph::rational(x.clone()))]), self.budget).ok()
    }

    /// Encloses the map and its slope over [a, b]. Returns `None` if no enclosure is known.
    fn over(&self, a: &Rational, b: &Rational) -> Option<[Enclosure; 2]> {
        let made = || Untyped::of_graphs(&[self.variable], std::slice::from_ref(self.graph)).ok().map(Arc::new);
        let map = self.map.get_or_init(made).as_ref()?;
        let width = Rational::from(b - a);
        // on short intervals `f64` loses the slope to rounding; the threshold is a choice
        let tier = if width < Rational::from((1, 1 << 20)) { Tier::Mpfr(160) } else { Tier::Double };
        let effort = Effort::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
        let probe = Probe {
            directions: vec![(Generator::Taylor(1), vec![Rational::from(1)])],
            wanted: vec![vec![], vec![1]],
            ..Probe::value(map, vec![[a.clone(), b.clone()]])
        };
        let found = probe.run(tier, &effort).ok()?;
        <[Enclosure; 2]>::try_from(found).ok()
    }

    /// Splits an interval into parts with a constant sign, or an unknown one.
    pub(super) fn parts(&self, stretch: &Stretch) -> Vec<Part> {
        let whole = |sign| vec![(stretch.clone(), sign)];
        if self.constant.is_some() {
            return whole(self.constant);
        }
        if let Some(parts) = self.quotient.as_ref().and_then(|quotient| quotient.parts(stretch, self.finest)) {
            return parts;
        }
        let (a, b) = (&stretch.left.hi, &stretch.right.lo);
        if stretch.is_point() || a > b {
            return whole(match stretch.left.as_exact().filter(|_| stretch.is_point()) {
                Some(x) => self.at(x),
                None => self.settled(&stretch.left.lo, &stretch.right.hi),
            });
        }
        let mut cuts = Vec::new();
        self.cuts(a, b, &mut cuts);
        // between the bounds of an inexact endpoint lies a little more of the interval
        let beside = |end: &End, run: Option<&(End, Option<Ordering>, Kind)>| {
            let sign = end.as_exact().map_or_else(|| self.settled(&end.lo, &end.hi), |_| None);
            let goes_on = end.as_exact().is_some() || run.is_some_and(|run| run.2 == Kind::Run && run.1 == sign);
            (!goes_on).then_some(sign)
        };
        let (mut main, mut parts) = (stretch.clone(), Vec::new());
        if let Some(sign) = beside(&stretch.left, cuts.first()) {
            main = Stretch { left: End::exact(a), closed: [true, main.closed[1]], ..main };
            parts.push((
                Stretch { right: main.left.clone(), closed: [stretch.closed[0], false], ..stretch.clone() },
                sign,
            ));
        }
        let right = beside(&stretch.right, cuts.last()).map(|sign| {
            main = Stretch { right: End::exact(b), closed: [main.closed[0], true], ..main.clone() };
            (Stretch { left: main.right.clone(), closed: [false, stretch.closed[1]], ..stretch.clone() }, sign)
        });
        parts.extend(Self::pieces(&main, &cuts));
        parts.extend(right);
        parts
    }

    /// Makes intervals of the cuts.
    fn pieces(stretch: &Stretch, cuts: &[(End, Option<Ordering>, Kind)]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut left = (stretch.left.clone(), stretch.closed[0]);
        for (index, (end, sign, kind)) in cuts.iter().enumerate() {
            let is_last = index + 1 == cuts.len();
            let (right, closed) = match (kind, is_last) {
                (Kind::Root, _) if *end == stretch.right => (end.clone(), stretch.closed[1]),
                (Kind::Root, _) => (end.clone(), true),
                (_, true) => (stretch.right.clone(), stretch.closed[1]),
                (Kind::Run, false) => (end.clone(), false),
                (Kind::Open, false) => (End::exact(&end.hi), true),
            };
            // a root is a part of its own, unless the interval is open there
            let from = if *kind == Kind::Root { (end.clone(), *end != left.0 || left.1) } else { left.clone() };
            if from.0 != right || (from.1 && closed) {
                parts.push((Stretch { left: from.0, right: right.clone(), closed: [from.1, closed] }, *sign));
            }
            left = (right, *kind == Kind::Run && !closed);
        }
        parts
    }

    /// Returns the sign over [a, b] if an enclosure of the values decides it.
    fn settled(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        let [value, _] = self.over(a, b)?;
        of_enclosure(&value)
    }

    /// Appends to `cuts` the runs of constant sign on [a, b] by their right ends, the roots in between, and undecided
    /// parts.
    fn cuts(&self, a: &Rational, b: &Rational, cuts: &mut Vec<(End, Option<Ordering>, Kind)>) {
        let mut run = |to: &End, sign: Ordering| {
            if let Some((end, Some(last), Kind::Run)) = cuts.last_mut()
                && *last == sign
            {
                *end = to.clone();
            } else {
                cuts.push((to.clone(), Some(sign), Kind::Run));
            }
        };
        if let Some(sign) = self.settled(a, b) {
            return run(&End::exact(b), sign);
        }
        // monotone: at most one root, and the signs at the ends tell whether there is one
        if let Some(rises) = self.slope(a, b)
            && let (Some(left), Some(right)) = (self.at(a), self.at(b))
        {
            if let Some(root) = self.root(a, b, left, right) {
                if root.as_exact() != Some(a) {
                    run(&root, rises.reverse());
                }
                let beyond = root.as_exact() != Some(b);
                cuts.push((root, Some(Ordering::Equal), Kind::Root));
                if beyond {
                    cuts.push((End::exact(b), Some(rises), Kind::Run));
                }
            } else {
                run(&End::exact(b), if left == Ordering::Equal { right } else { left });
            }
            return;
        }
        self.looked.set(self.looked.get() + 1);
        if Rational::from(b - a) <= *self.finest || self.looked.get() > MOST_LOOKED || self.budget.is_exhausted() {
            cuts.push((End { lo: a.clone(), hi: b.clone(), root: None }, None, Kind::Open));
            return;
        }
        // off the middle, where symmetric maps have their roots
        let middle = Rational::from(a * 33u32) + Rational::from(b * 31u32);
        let middle = middle / 64u32;
        self.cuts(a, &middle, cuts);
        self.cuts(&middle, b, cuts);
    }

    /// Returns the sign of the slope if the map is certainly monotone on [a, b].
    fn slope(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        of_enclosure(&self.over(a, b)?[1]).filter(|sign| *sign != Ordering::Equal)
    }

    /// Bisects to the root of a map that is monotone on [a, b]. Returns `None` if the signs at the ends are equal.
    fn root(&self, a: &Rational, b: &Rational, left: Ordering, right: Ordering) -> Option<End> {
        match (left, right) {
            (Ordering::Equal, _) => return Some(End::exact(a)),
            (_, Ordering::Equal) => return Some(End::exact(b)),
            _ if left == right => return None,
            _ => {}
        }
        let (mut lo, mut hi) = (a.clone(), b.clone());
        while Rational::from(&hi - &lo) > *self.finest {
            let middle = Rational::from(&lo + &hi) / 2;
            match self.at(&middle) {
                Some(Ordering::Equal) => return Some(End::exact(&middle)),
                Some(sign) if sign == left => lo = middle,
                Some(_) => hi = middle,
                None => break,
            }
        }
        // a rational root usually has the smallest denominator in the interval
        let simple = simplest(&lo, &hi);
        if self.at(&simple) == Some(Ordering::Equal) {
            return Some(End::exact(&simple));
        }
        Some(End { lo, hi, root: None })
    }
}

/// The kind of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The right end of a run of constant sign.
    Run,
    /// A root.
    Root,
    /// An undecided interval.
    Open,
}

fn of_enclosure(x: &Enclosure) -> Option<Ordering> {
    match x.is_defined() {
        true if *x.lo() > 0 => Some(Ordering::Greater),
        true if *x.hi() < 0 => Some(Ordering::Less),
        true if x.is_point() && *x.lo() == 0 => Some(Ordering::Equal),
        _ => None,
    }
}

/// Returns the number with the smallest denominator in [lo, hi], by continued fractions.
fn simplest(lo: &Rational, hi: &Rational) -> Rational {
    let floor = lo.clone().floor();
    if floor == *lo {
        return floor;
    }
    if Rational::from(&floor + 1u32) <= *hi {
        return floor + 1u32;
    }
    let (inner, outer) = (Rational::from(hi - &floor).recip(), Rational::from(lo - &floor).recip());
    floor + simplest(&inner, &outer).recip()
}
