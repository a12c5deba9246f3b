//! Exact signs of quotients of polynomials on an interval, from isolated roots.

use super::{End, Part, Stretch};
use crate::number::Rational;
use crate::pieces::univariate::{Roots, Univariate};
use std::cmp::Ordering;
use std::sync::Arc;

/// Roots are isolated to 2^-10 of the width at which other maps stay undecided: halving is cheap here.
const FINER: u32 = 10;
/// The largest number of halvings to separate an endpoint from roots. A choice: far more than numbers of a usual size
/// need.
const MOST_HALVINGS: u32 = 4096;

/// A quotient of polynomials that is not 0, with its zeros and poles.
#[derive(Debug)]
pub(super) struct Quotient {
    over: Univariate,
    under: Univariate,
    zeros: Arc<Roots>,
    poles: Option<Roots>,
}

impl Quotient {
    pub(super) fn of([over, under]: &[Univariate; 2]) -> Self {
        let [over, under] = Univariate::reduced(over, under);
        let (zeros, poles) = (Arc::new(Roots::of(&over)), (under.degree() > 0).then(|| Roots::of(&under)));
        Self { over, under, zeros, poles }
    }

    fn sign(&self, x: &Rational) -> Ordering {
        match self.under.sign(x) {
            Ordering::Less => self.over.sign(x).reverse(),
            _ => self.over.sign(x),
        }
    }

    fn poles(&self, a: &Rational, b: &Rational) -> usize {
        self.poles.as_ref().map_or(0, |poles| poles.count(a, b))
    }

    /// Isolates an endpoint from all zeros and poles but itself. Returns `None` if an inexact endpoint, or too few
    /// halvings, do not allow it.
    fn around(&self, end: &End) -> Option<[Rational; 2]> {
        let mut around = [end.lo.clone(), end.hi.clone()];
        let Some(own) = &end.root else { return end.as_exact().map(|_| around) };
        // a root that both polynomials share is counted once in each, and cannot be separated further
        let [zero, pole] = [Some(&*self.zeros), self.poles.as_ref()]
            .map(|roots| usize::from(roots.is_some_and(|roots| own.share(roots, &around[0], &around[1]))));
        for _ in 0..MOST_HALVINGS {
            let [a, b] = &around;
            if self.zeros.count(a, b) == zero && self.poles(a, b) == pole {
                return Some(around);
            }
            around = own.nearer(&around);
        }
        None
    }

    /// Returns the sign at an endpoint. Returns `None` at a pole.
    fn at(&self, [a, b]: &[Rational; 2]) -> Option<Ordering> {
        match (self.poles(a, b), self.zeros.count(a, b)) {
            (0, 0) => Some(self.sign(a)),
            (0, _) => Some(Ordering::Equal),
            _ => None,
        }
    }

    /// Cuts an interval at the zeros into points and open intervals, each with its sign. Returns `None` if it contains
    /// a pole.
    pub(super) fn parts(&self, stretch: &Stretch, finest: &Rational) -> Option<Vec<Part>> {
        let [left, right] = [self.around(&stretch.left)?, self.around(&stretch.right)?];
        let point = |end: &End, sign: Option<Ordering>| {
            let single = Stretch { left: end.clone(), right: end.clone(), closed: [true; 2] };
            Some((single, Some(sign?)))
        };
        if stretch.is_point() {
            return Some(vec![point(&stretch.left, self.at(&left))?]);
        }
        let (mut from, to) = (left[1].clone(), &right[0]);
        // no pole lies in between, but there may be one at an endpoint that does not belong to the interval
        let at_ends = [&left, &right].iter().filter(|[a, b]| a == b && self.poles(a, b) > 0).count();
        if from >= *to || self.poles(&from, to) > at_ends {
            return None;
        }
        let mut parts = Vec::new();
        if stretch.closed[0] {
            parts.push(point(&stretch.left, self.at(&left))?);
        }
        let mut begins = stretch.left.clone();
        let run = |begins: &End, ends: &End, from: &Rational, to: &Rational| {
            let sign = self.sign(&(Rational::from(from + to) / 2u32));
            (Stretch { left: begins.clone(), right: ends.clone(), closed: [false; 2] }, Some(sign))
        };
        // between consecutive zeros, without poles, the sign is constant: that at the middle
        for [lo, hi] in self.zeros.between(&from, to, &Rational::from(finest >> FINER)) {
            let root = (lo != hi).then(|| self.zeros.clone());
            let end = End { lo: lo.clone(), hi: hi.clone(), root };
            parts.push(run(&begins, &end, &from, &lo));
            parts.push(point(&end, Some(Ordering::Equal))?);
            (from, begins) = (hi, end);
        }
        parts.push(run(&begins, &stretch.right, &from, to));
        if stretch.closed[1] {
            parts.push(point(&stretch.right, self.at(&right))?);
        }
        Some(parts)
    }
}
