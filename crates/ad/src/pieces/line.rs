//! Analytic sets in one variable: unions of intervals between roots of guards.
//!
//! The endpoints of an interval are roots of guards. Roots of quotients of polynomials are exact: rational numbers, or
//! the only root of a polynomial between two. Others are known up to a small error. A guard splits a set in three:
//! where it holds, where it fails, and where neither was decided. The parts are disjoint, and their union is the whole
//! set.

mod exact;
mod print;
mod search;

use super::fraction::RationalNormalForm;
use super::guard::SignGuard;
use super::univariate::IsolatedRoots;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::Variable;
pub use print::format_rational;
use search::SignSearch;
use std::cmp::Ordering;
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
