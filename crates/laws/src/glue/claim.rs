//! What must hold for two plots to be related: equalities of real numbers, at every point.
//!
//! A relation between plots comes down to claims on graphs: that one graph has the derivatives that others give, or that
//! two have one value. Claims are collected while a pair is taken apart, and tried together at a point.

use super::error::GlueError;
use super::judged::Judged;
use super::stage::{Plots, Stage, TIERS, exact};
use crate::meaning::taylor::basis::Basis;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::graph::Graph;
use crate::verdict::Verdict;

/// That the derivatives of a plot are these numbers, at the places that count.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Where in the pair it is: `[1] at x`.
    pub path: String,
    /// The plot ℝᵏ → ℝ.
    pub plot: Graph,
    /// For a place of the basis, a plot ℝᵏ → ℝ that is said to be that derivative.
    pub derivatives: Vec<(usize, Graph)>,
    /// Whether the values of the plot are derivatives themselves: coordinates of a jet other than the first.
    pub is_slope: bool,
}

/// Claims that are tried together.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    claims: Vec<Claim>,
    /// Discrete parts that differ.
    different: Option<(String, String, String)>,
    /// What must hold of the arguments of functions that were drawn, where that is not known.
    premises: Option<Box<Claims>>,
}

/// Enclosures narrower than 2 to this power, compared with their size, say something.
const NARROW: i64 = -24;

/// How far from the point premises are tried as well.
const BESIDE: [(i64, u64); 4] = [(0, 1), (1, 3), (7, 5), (-2, 7)];

impl Claims {
    /// One more.
    pub fn push(&mut self, claim: Claim) {
        self.claims.push(claim);
    }

    /// Constructors, lengths or numbers that differ: no number need be computed.
    pub fn differ(&mut self, path: &str, left: impl ToString, right: impl ToString) {
        self.different.get_or_insert_with(|| (path.to_owned(), left.to_string(), right.to_string()));
    }

    /// What must hold of the arguments, for the claims to say anything.
    pub fn premises(&mut self) -> &mut Claims {
        self.premises.get_or_insert_default()
    }

    /// Tries all of them at one point of the stage.
    ///
    /// Refuted by the first number whose two enclosures are disjoint; vacuous where an enclosure is not narrow at any
    /// precision, without any claim on a number, and where the claims do not hold and the premises are not found to.
    ///
    /// # Errors
    /// [`GlueError::Number`]; [`GlueError::Undrawn`] where neither the claims hold nor the premises.
    pub fn tried(&self, stage: &Stage, basis: &Basis, point: &[Rational]) -> Result<Judged, GlueError> {
        let found = self.tried_alone(stage, basis, point)?;
        let Some(premises) = self.premises.as_ref().filter(|_| found.is_refuted()) else { return Ok(found) };
        // plots are related where they are so at every point: it is tried at a few
        for step in BESIDE {
            let beside: Vec<Rational> = point.iter().map(|x| x + Rational::from(step)).collect();
            match premises.tried(stage, basis, &beside)?.verdict {
                Verdict::Survived => {}
                Verdict::Vacuous if premises.claims.is_empty() && premises.different.is_none() => {}
                Verdict::Vacuous => return Ok(Verdict::Vacuous.into()),
                refuted => return Err(GlueError::Undrawn { because: refuted.to_string() }),
            }
        }
        Ok(found)
    }

    /// The same, whatever the premises are.
    fn tried_alone(&self, stage: &Stage, basis: &Basis, point: &[Rational]) -> Result<Judged, GlueError> {
        if let Some((path, left, right)) = &self.different {
            return Ok(Verdict::refuted(path, left, right).into());
        }
        let mut found = Judged::from(Verdict::Vacuous);
        if self.claims.is_empty() {
            return Ok(found);
        }
        let plots: Vec<Graph> = self.claims.iter().map(|claim| claim.plot.clone()).collect();
        let stated: Vec<Graph> =
            self.claims.iter().flat_map(|claim| claim.derivatives.iter().map(|(_, g)| g.clone())).collect();
        let plots = Plots::new(stage.variables(), &plots)?;
        let stated = Plots::new(stage.variables(), &stated)?;
        for tier in TIERS {
            let at = exact(point, tier);
            let left = plots.derivatives(&at, basis, tier)?;
            let right = stated.values(&at, tier)?;
            let sides = self.claims.iter().zip(&left).flat_map(|(claim, left)| {
                claim.derivatives.iter().map(move |(place, _)| (claim, *place, &left[*place]))
            });
            let mut verdict = Verdict::Survived;
            let mut numbers = Vec::new();
            for ((claim, place, left), right) in sides.zip(&right) {
                numbers.push((claim.is_slope || place > 0, left.clone()));
                if !left.overlaps(right) {
                    if !verdict.is_refuted() {
                        let witness = format!("{} of {}, at u = {}", name(basis, place), claim.path, tuple(point));
                        verdict = Verdict::refuted(witness, shown(left), shown(right));
                    }
                } else if !(is_narrow(left) && is_narrow(right)) && verdict == Verdict::Survived {
                    verdict = Verdict::Vacuous;
                }
            }
            found = Judged::on(verdict, numbers);
            if found.verdict != Verdict::Vacuous {
                break;
            }
        }
        Ok(found)
    }
}

/// Whether an enclosure is narrow enough to say something.
#[must_use]
pub fn is_narrow(enclosure: &Enclosure) -> bool {
    if !enclosure.is_bounded() || !enclosure.is_defined() {
        return false;
    }
    let size = Magnitude::from_float(enclosure.lo()).max(Magnitude::from_float(enclosure.hi()));
    enclosure.width() <= size.max(Magnitude::power_of_two(0)).shifted(NARROW)
}

/// The verdict on two lists of jets, of which all coordinates stand one after another, with names for the numbers.
pub fn compared(basis: &Basis, left: &[Enclosure], right: &[Enclosure], name: impl Fn(usize) -> String) -> Judged {
    let verdict = match left.iter().zip(right).position(|(a, b)| !a.overlaps(b)) {
        Some(place) => Verdict::refuted(name(place), shown(&left[place]), shown(&right[place])),
        None if left.is_empty() || !left.iter().chain(right).all(is_narrow) => Verdict::Vacuous,
        None => Verdict::Survived,
    };
    let numbers = left.iter().enumerate().map(|(place, number)| (place % basis.len() > 0, number.clone()));
    Judged::on(verdict, numbers)
}

/// The name of a coordinate: `∂^(0, 1)`, and `the value` for the first.
#[must_use]
pub fn name(basis: &Basis, place: usize) -> String {
    if place == 0 {
        return "the value".to_owned();
    }
    let entries: Vec<String> = basis.indices()[place].iter().map(usize::to_string).collect();
    format!("∂^({})", entries.join(", "))
}

/// An enclosure for a person.
#[must_use]
pub fn shown(enclosure: &Enclosure) -> String {
    enclosure.decimals(&Rational::from((1, 1_000_000_000))).to_string()
}

/// `(1, 1/2)`
#[must_use]
pub fn tuple(point: &[Rational]) -> String {
    let parts: Vec<String> = point.iter().map(Rational::to_string).collect();
    format!("({})", parts.join(", "))
}
