//! Exact signs of quotients of polynomials on an interval, from isolated roots.

use super::{IntervalEndpoint, LineInterval, SignedInterval};
use crate::number::Rational;
use crate::pieces::univariate::{IsolatedRoots, Univariate};
use std::cmp::Ordering;
use std::sync::Arc;

/// Roots are isolated to 2^-10 of the width at which other maps stay undecided: halving is cheap here.
const FINER: u32 = 10;
/// The largest number of halvings to separate an endpoint from roots. A choice: far more than numbers of a usual size
/// need.
const MOST_HALVINGS: u32 = 4096;

/// A quotient of polynomials that is not 0, with its zeros and poles.
#[derive(Debug)]
pub(super) struct PolynomialQuotient {
    over: Univariate,
    under: Univariate,
    zeros: Arc<IsolatedRoots>,
    count_poles: Option<IsolatedRoots>,
}

impl PolynomialQuotient {
    pub(super) fn from_polynomials([over, under]: &[Univariate; 2]) -> Self {
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
    pub(super) fn split_at_zeros(&self, stretch: &LineInterval, finest: &Rational) -> Option<Vec<SignedInterval>> {
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
