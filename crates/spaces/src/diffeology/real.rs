//! Real numbers as closed graphs: membership in open sets, and comparison.
//!
//! A rational constant is decided exactly. Any other number is enclosed: an enclosure excludes with certainty, and
//! decides nothing else.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::open::{OpenInterval, OpenSet};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// The answer to the question whether a point lies in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// The point certainly lies in the set.
    Inside,
    /// The point certainly lies outside.
    Outside,
    /// The question is undecided.
    Unknown,
}

impl Membership {
    /// Returns the membership in an intersection of two sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Outside, _) | (_, Self::Outside) => Self::Outside,
            (Self::Inside, other) => other,
            (Self::Unknown, _) => Self::Unknown,
        }
    }

    /// Returns the membership in a union of two sets.
    #[must_use]
    // De Morgan's law holds for three truth values as well.
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// Returns the membership in the complement.
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

/// Returns a point with rational coordinates as closed graphs.
#[must_use]
pub fn rational_point(x: &[Rational]) -> Vec<Graph> {
    x.iter().map(|q| Graph::rational(q.clone())).collect()
}

/// Encloses a closed graph to the width `trial.eps`, or as narrowly as the work of the trial allows.
///
/// # Errors
/// The errors of evaluating a closed graph.
pub fn enclose_number(x: &Graph, trial: &MapTestConfig) -> Result<Enclosure, DiffeologyError> {
    let budget = Budget::new(trial.work, None, None);
    Ok(x.to_real()?.enclose(&trial.eps, &budget)?.enclosure)
}

/// Decides whether an enclosed number lies in an open interval.
fn interval_membership(x: &Enclosure, interval: &OpenInterval) -> Membership {
    let (above, below) =
        (interval.lo.as_ref().is_none_or(|lo| *x.lo() > *lo), interval.hi.as_ref().is_none_or(|hi| *x.hi() < *hi));
    // The endpoints are outside, so equality excludes.
    let apart =
        interval.lo.as_ref().is_some_and(|lo| *x.hi() <= *lo) || interval.hi.as_ref().is_some_and(|hi| *x.lo() >= *hi);
    match () {
        // The number may be undefined, so its enclosure decides nothing.
        () if !x.is_defined() => Membership::Unknown,
        () if above && below => Membership::Inside,
        () if apart => Membership::Outside,
        () => Membership::Unknown,
    }
}

/// Decides whether an enclosed point lies in an open set. The answer is `CAnalyticSubset` only if a single box contains the
/// whole enclosure.
#[must_use]
pub fn enclosure_membership(x: &[Enclosure], open: &OpenSet) -> Membership {
    let in_box = |sides: &[OpenInterval]| {
        x.iter().zip(sides).fold(Membership::Inside, |all, (x, side)| all.and(interval_membership(x, side)))
    };
    // Boxes that cover the enclosure only together give `CoupledFunction`: no cover is computed here.
    open.boxes().iter().fold(Membership::Outside, |any, cuboid| any.or(in_box(cuboid)))
}

/// Decides whether a point lies in an open set.
///
/// # Errors
/// The errors of evaluating closed graphs. [`DiffeologyError::Dimension`] if the dimensions differ.
pub fn point_membership(x: &[Graph], open: &OpenSet, trial: &MapTestConfig) -> Result<Membership, DiffeologyError> {
    DiffeologyError::check_dimension("a point", open.dimension(), x.len())?;
    // Exact coordinates also decide at endpoints, where no enclosure can.
    let exact: Option<Vec<Rational>> = x.iter().map(|x| x.as_rational().cloned()).collect();
    if let Some(exact) = exact {
        return Ok(if open.contains(&exact) { Membership::Inside } else { Membership::Outside });
    }
    // Without evaluation, so that also numbers without enclosure belong to ℝⁿ.
    if *open == OpenSet::whole_space(open.dimension()) {
        return Ok(Membership::Inside);
    }
    let x: Vec<_> = x.iter().map(|x| enclose_number(x, trial)).collect::<Result<_, _>>()?;
    Ok(enclosure_membership(&x, open))
}

/// Compares two lists of numbers. The verdict is `Survived` if all enclosures are as narrow as the trial asks and
/// overlap.
///
/// # Errors
/// The errors of evaluating closed graphs. [`DiffeologyError::Dimension`] if the lengths differ.
pub fn compare_points(left: &[Graph], right: &[Graph], trial: &MapTestConfig) -> DiffeologyVerdict {
    DiffeologyError::check_dimension("a point", left.len(), right.len())?;
    let mut all = Verdict::Survived;
    for (x, y) in left.iter().zip(right) {
        all = all.and_part(compare_numbers(x, y, trial)?);
    }
    Ok(all)
}

/// Compares two numbers: exactly if both are rational, otherwise by enclosures.
fn compare_numbers(x: &Graph, y: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
    if let (Some(p), Some(q)) = (x.as_rational(), y.as_rational()) {
        return Ok(if p == q { Verdict::Survived } else { Verdict::refuted("two numbers", p, q) });
    }
    let (a, b) = (enclose_number(x, trial)?, enclose_number(y, trial)?);
    let narrow = |e: &Enclosure| e.is_defined() && e.has_width_at_most(&trial.eps);
    Ok(match (a.is_defined() && b.is_defined(), a.overlaps(&b)) {
        (true, false) => Verdict::refuted("two numbers", a, b),
        (true, true) if narrow(&a) && narrow(&b) => Verdict::Survived,
        _ => Verdict::Vacuous,
    })
}

/// Formats a number for people. An error of evaluation is formatted in its place.
#[must_use]
pub fn format_number(x: &Graph, trial: &MapTestConfig) -> String {
    match x.as_rational() {
        Some(q) => q.to_string(),
        None => enclose_number(x, trial)
            .map_or_else(|error| error.to_string(), |e| e.print_decimals(&trial.eps).to_string()),
    }
}

/// Formats a point for people.
#[must_use]
pub fn format_point(x: &[Graph], trial: &MapTestConfig) -> String {
    format!("({})", x.iter().map(|x| format_number(x, trial)).collect::<Vec<_>>().join(", "))
}
