//! Real numbers as closed graphs: where they lie, and whether two are equal.
//!
//! A constant is a rational number and decided exactly. Any other is enclosed: what an enclosure excludes is certain, and
//! what it does not exclude is not known.

use super::Tried;
use super::error::DiffeologyError;
use super::open::{Interval, Open};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// Whether a point is in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// Certainly.
    Inside,
    /// Certainly not.
    Outside,
    /// Not known.
    Unknown,
}

impl Membership {
    /// Membership in an intersection of two sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Outside, _) | (_, Self::Outside) => Self::Outside,
            (Self::Inside, other) => other,
            (Self::Unknown, _) => Self::Unknown,
        }
    }

    /// Membership in a union of two sets.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// Membership in the complement.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "of three answers, not of two")]
    pub fn not(self) -> Self {
        match self {
            Self::Inside => Self::Outside,
            Self::Outside => Self::Inside,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// A point with rational coordinates.
#[must_use]
pub fn exactly(x: &[Rational]) -> Vec<Graph> {
    x.iter().map(|q| Graph::rational(q.clone())).collect()
}

/// An enclosure as narrow as the trial asks, or the best that its work allows.
///
/// # Errors
/// Those of evaluating a closed graph.
pub fn enclosure(x: &Graph, trial: &Trial) -> Result<Enclosure, DiffeologyError> {
    let budget = Budget::new(trial.work, None, None);
    Ok(x.real()?.enclose(&trial.eps, &budget)?.enclosure)
}

fn in_interval(x: &Enclosure, interval: &Interval) -> Membership {
    let (above, below) =
        (interval.lo.as_ref().is_none_or(|lo| *x.lo() > *lo), interval.hi.as_ref().is_none_or(|hi| *x.hi() < *hi));
    let apart =
        interval.lo.as_ref().is_some_and(|lo| *x.hi() <= *lo) || interval.hi.as_ref().is_some_and(|hi| *x.lo() >= *hi);
    match () {
        () if !x.is_defined() => Membership::Unknown,
        () if above && below => Membership::Inside,
        () if apart => Membership::Outside,
        () => Membership::Unknown,
    }
}

/// Where enclosures lie: inside if one box contains them all.
#[must_use]
pub fn enclosed_in(x: &[Enclosure], open: &Open) -> Membership {
    let in_box = |sides: &[Interval]| {
        x.iter().zip(sides).fold(Membership::Inside, |all, (x, side)| all.and(in_interval(x, side)))
    };
    open.boxes().iter().fold(Membership::Outside, |any, cuboid| any.or(in_box(cuboid)))
}

/// Whether a point is in an open set.
///
/// # Errors
/// Those of evaluating closed graphs.
pub fn membership(x: &[Graph], open: &Open, trial: &Trial) -> Result<Membership, DiffeologyError> {
    DiffeologyError::fits("a point", open.dimension(), x.len())?;
    let exact: Option<Vec<Rational>> = x.iter().map(|x| x.as_rational().cloned()).collect();
    if let Some(exact) = exact {
        return Ok(if open.contains(&exact) { Membership::Inside } else { Membership::Outside });
    }
    if *open == Open::whole(open.dimension()) {
        return Ok(Membership::Inside);
    }
    let x: Vec<_> = x.iter().map(|x| enclosure(x, trial)).collect::<Result<_, _>>()?;
    Ok(enclosed_in(&x, open))
}

/// Compares two lists of numbers. They survive when all of them are as narrow as the trial asks and overlap.
///
/// # Errors
/// Those of evaluating closed graphs.
pub fn same(left: &[Graph], right: &[Graph], trial: &Trial) -> Tried {
    DiffeologyError::fits("a point", left.len(), right.len())?;
    let mut all = Verdict::Survived;
    for (x, y) in left.iter().zip(right) {
        all = all.both(same_number(x, y, trial)?);
    }
    Ok(all)
}

fn same_number(x: &Graph, y: &Graph, trial: &Trial) -> Tried {
    if let (Some(p), Some(q)) = (x.as_rational(), y.as_rational()) {
        return Ok(if p == q { Verdict::Survived } else { Verdict::refuted("two numbers", p, q) });
    }
    let (a, b) = (enclosure(x, trial)?, enclosure(y, trial)?);
    let narrow = |e: &Enclosure| e.is_defined() && e.is_within(&trial.eps);
    Ok(match (a.is_defined() && b.is_defined(), a.overlaps(&b)) {
        (true, false) => Verdict::refuted("two numbers", a, b),
        (true, true) if narrow(&a) && narrow(&b) => Verdict::Survived,
        _ => Verdict::Vacuous,
    })
}

/// A number for a person to read.
#[must_use]
pub fn told(x: &Graph, trial: &Trial) -> String {
    match x.as_rational() {
        Some(q) => q.to_string(),
        None => enclosure(x, trial).map_or_else(|error| error.to_string(), |e| e.decimals(&trial.eps).to_string()),
    }
}

/// A point for a person to read.
#[must_use]
pub fn told_point(x: &[Graph], trial: &Trial) -> String {
    format!("({})", x.iter().map(|x| told(x, trial)).collect::<Vec<_>>().join(", "))
}
