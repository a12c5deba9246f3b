//! Analytic sets in one variable: stretches of a line between roots.
//!
//! The ends of a stretch are roots of guards. Roots of quotients of polynomials are exact: rational numbers, or the only root of a
//! polynomial between two. Others are known to within a small part of the whole. What a guard splits is in three: where it holds, where
//! it fails, and where neither was told. No two have a common point, and together they are what was split.

mod exact;
mod print;
mod search;

use super::fraction::Normaliser;
use super::guard::Guard;
use super::univariate::Roots;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::Variable;
pub use print::told;
use search::Search;
use std::cmp::Ordering;
use std::sync::Arc;

/// A place on a line, between two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// It is not less than this…
    pub lo: Rational,
    /// …and not more than this.
    pub hi: Rational,
    /// Of what it is the only root between the two, which are none, where it is one of a polynomial and not rational.
    root: Option<Arc<Roots>>,
}

impl End {
    /// A place that is known.
    #[must_use]
    pub fn exact(at: &Rational) -> Self {
        Self { lo: at.clone(), hi: at.clone(), root: None }
    }

    /// The place, where it is known.
    #[must_use]
    pub fn as_exact(&self) -> Option<&Rational> {
        (self.lo == self.hi).then_some(&self.lo)
    }
}

/// The numbers between two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins…
    pub left: End,
    /// …and ends.
    pub right: End,
    /// Whether these places belong to it.
    pub closed: [bool; 2],
}

impl Stretch {
    /// Both ends, and what lies between them.
    #[must_use]
    pub fn between(from: &Rational, to: &Rational) -> Self {
        Self { left: End::exact(from), right: End::exact(to), closed: [true; 2] }
    }

    /// Whether it is a single number.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.left == self.right && self.closed == [true; 2]
    }

    /// A number that certainly lies in it.
    #[must_use]
    pub fn inside(&self) -> Option<Rational> {
        match (self.is_point(), self.left.hi < self.right.lo) {
            (true, _) => self.left.as_exact().cloned(),
            (false, true) => Some(Rational::from(&self.left.hi + &self.right.lo) / 2),
            _ => None,
        }
    }
}

/// Stretches in their order, without common points: an analytic set in one variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region(pub Vec<Stretch>);

impl Region {
    /// Whether it has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a number is in it; nothing where that is not known, as beside an end that is not.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> Option<bool> {
        let mut outside = Some(false);
        for Stretch { left, right, closed } in &self.0 {
            let side = |end: &End, closed: bool, inward: Ordering| match (x.cmp(&end.lo), x.cmp(&end.hi)) {
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

    /// Its length: at least, and at most.
    #[must_use]
    pub fn length(&self) -> [Rational; 2] {
        let mut length = [Rational::new(), Rational::new()];
        for Stretch { left, right, .. } in self.0.iter().filter(|stretch| !stretch.is_point()) {
            let least = Rational::from(&right.lo - &left.hi);
            if least > 0 {
                length[0] += least;
            }
            length[1] += Rational::from(&right.hi - &left.lo);
        }
        length
    }

    /// The parts of a line on which a guard on a variable holds, on which it fails, and on which neither was told. Normal forms are kept by
    /// `forms` for further guards.
    #[must_use]
    pub fn split(
        &self,
        v: Variable,
        guard: &Guard,
        forms: &mut Normaliser,
        finest: &Rational,
        budget: &Budget,
    ) -> [Self; 3] {
        let searched = Search::of(v, &guard.graph, forms, finest, budget);
        let mut sides = [Self::default(), Self::default(), Self::default()];
        for stretch in &self.0 {
            for (part, sign) in searched.parts(stretch) {
                sides[sign.map_or(2, |sign| usize::from(!guard.test.holds(sign)))].put(part);
            }
        }
        sides
    }

    /// Adds what lies right of it, joined to what it touches.
    fn put(&mut self, part: Stretch) {
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

/// A part of a line, and the sign of a map there, where that is known.
type Part = (Stretch, Option<Ordering>);
