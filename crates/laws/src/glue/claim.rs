//! Assertions that imply that two plots are related: equalities of real numbers, at every point.
//!
//! A relation between plots reduces to claims on graphs: that graphs are the derivatives of a graph, or that two graphs
//! have the same value. Claims are collected while a pair is decomposed, and tested together at a point.

use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::stage::{CompiledPlots, CoordinateSpace, TIERS, enclose_point};
use crate::meaning::taylor::basis::Basis;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::graph::Graph;
use crate::verdict::Verdict;

/// The claim that the derivatives of a plot are given graphs, at some places of the basis.
#[derive(Clone, Debug)]
pub struct DerivativeClaim {
    /// The position in the pair, such as `[1] at x`.
    pub path: String,
    /// The plot ℝᵏ → ℝ.
    pub plot: Graph,
    /// For each place of the basis, the plot ℝᵏ → ℝ that is claimed to be that derivative.
    pub derivatives: Vec<(usize, Graph)>,
    /// `true` if the values of the plot are derivatives themselves: coordinates of a jet other than the first.
    pub is_slope: bool,
}

/// Claims that are tested together.
#[derive(Clone, Debug, Default)]
pub struct ClaimSet {
    claims: Vec<DerivativeClaim>,
    /// The first pair of discrete parts that differ: the position, and both sides.
    different: Option<(String, String, String)>,
    /// The premises: claims on the arguments of functions that were drawn, where these are not known to be related.
    premises_mut: Option<Box<ClaimSet>>,
}

/// The binary exponent of the relative width below which an enclosure counts as narrow. A choice: about half of double
/// precision.
const NARROW_EXPONENT: i64 = -24;

/// The offsets from the point at which premises are tested as well. A choice.
const PREMISE_OFFSETS: [(i64, u64); 4] = [(0, 1), (1, 3), (7, 5), (-2, 7)];

impl ClaimSet {
    /// Adds a claim.
    pub fn push(&mut self, claim: DerivativeClaim) {
        self.claims.push(claim);
    }

    /// Records that constructors, lengths or natural numbers differ. The first difference refutes without any
    /// evaluation.
    pub fn record_difference(&mut self, path: &str, left: impl ToString, right: impl ToString) {
        self.different.get_or_insert_with(|| (path.to_owned(), left.to_string(), right.to_string()));
    }

    /// Returns the premises, which the claims presuppose.
    pub fn premises_mut(&mut self) -> &mut ClaimSet {
        self.premises_mut.get_or_insert_default()
    }

    /// Tests all claims at one point of the stage.
    ///
    /// The verdict is *refuted* at the first number whose two enclosures are disjoint. It is *vacuous* if an enclosure
    /// is narrow at no precision, or if there is no claim on a number. It is also vacuous if the claims fail and the
    /// premises are not shown.
    ///
    /// # Errors
    /// [`GlueError::Number`]; [`GlueError::UnrelatedDraw`] if the claims fail and the premises fail as well.
    pub fn test_at(
        &self,
        stage: &CoordinateSpace,
        basis: &Basis,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        let found = self.test_claims_at(stage, basis, point)?;
        let Some(premises) = self.premises_mut.as_ref().filter(|_| found.is_refuted()) else { return Ok(found) };
        // plots are related if the claims hold at every point, so the premises are tested at several
        for step in PREMISE_OFFSETS {
            let beside: Vec<Rational> = point.iter().map(|x| x + Rational::from(step)).collect();
            match premises.test_at(stage, basis, &beside)?.verdict {
                Verdict::Survived => {}
                // premises without content hold
                Verdict::Vacuous if premises.claims.is_empty() && premises.different.is_none() => {}
                Verdict::Vacuous => return Ok(Verdict::Vacuous.into()),
                // an argument that is not related refutes nothing: the fault is in how it was drawn
                refuted => return Err(GlueError::UnrelatedDraw { because: refuted.to_string() }),
            }
        }
        Ok(found)
    }

    /// Tests the claims without regard to the premises.
    fn test_claims_at(
        &self,
        stage: &CoordinateSpace,
        basis: &Basis,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        if let Some((path, left, right)) = &self.different {
            return Ok(Verdict::refuted(path, left, right).into());
        }
        let mut found = VerdictWithValues::from(Verdict::Vacuous);
        if self.claims.is_empty() {
            return Ok(found);
        }
        // compiled once, and evaluated in each arithmetic
        let plots: Vec<Graph> = self.claims.iter().map(|claim| claim.plot.clone()).collect();
        let stated: Vec<Graph> =
            self.claims.iter().flat_map(|claim| claim.derivatives.iter().map(|(_, g)| g.clone())).collect();
        let plots = CompiledPlots::new(stage.variables(), &plots)?;
        let stated = CompiledPlots::new(stage.variables(), &stated)?;
        // a wider arithmetic only for enclosures that are not narrow yet
        for tier in TIERS {
            let at = enclose_point(point, tier);
            let left = plots.enclose_derivatives(&at, basis, tier)?;
            let right = stated.enclose_values(&at, tier)?;
            let sides = self.claims.iter().zip(&left).flat_map(|(claim, left)| {
                claim.derivatives.iter().map(move |(place, _)| (claim, *place, &left[*place]))
            });
            let mut verdict = Verdict::Survived;
            let mut numbers = Vec::new();
            for ((claim, place, left), right) in sides.zip(&right) {
                // recorded also where nothing is refuted: the statistics of samples need the numbers
                numbers.push((claim.is_slope || place > 0, left.clone()));
                if !left.overlaps(right) {
                    // the first refuted number is reported, and the later ones are only recorded
                    if !verdict.is_refuted() {
                        let witness = format!(
                            "{} of {}, at u = {}",
                            coordinate_name(basis, place),
                            claim.path,
                            format_point(point)
                        );
                        verdict = Verdict::refuted(witness, format_enclosure(left), format_enclosure(right));
                    }
                } else if !(is_narrow(left) && is_narrow(right)) && verdict == Verdict::Survived {
                    verdict = Verdict::Vacuous;
                }
            }
            found = VerdictWithValues::with_numbers(verdict, numbers);
            if found.verdict != Verdict::Vacuous {
                break;
            }
        }
        Ok(found)
    }
}

/// Returns `true` if the enclosure is bounded, defined, and narrow relative to its size. Below 1 the width counts
/// absolutely.
#[must_use]
pub fn is_narrow(enclosure: &Enclosure) -> bool {
    if !enclosure.is_bounded() || !enclosure.is_defined() {
        return false;
    }
    let size = Magnitude::from_float(enclosure.lo()).max(Magnitude::from_float(enclosure.hi()));
    enclosure.width() <= size.max(Magnitude::power_of_two(0)).mul_exp2(NARROW_EXPONENT)
}

/// Compares two lists of jets, whose coordinates follow one another. `name` names the number at a place.
pub fn compare_jets(
    basis: &Basis,
    left: &[Enclosure],
    right: &[Enclosure],
    name: impl Fn(usize) -> String,
) -> VerdictWithValues {
    let verdict = match left.iter().zip(right).position(|(a, b)| !a.overlaps(b)) {
        Some(place) => Verdict::refuted(name(place), format_enclosure(&left[place]), format_enclosure(&right[place])),
        None if left.is_empty() || !left.iter().chain(right).all(is_narrow) => Verdict::Vacuous,
        None => Verdict::Survived,
    };
    let numbers = left.iter().enumerate().map(|(place, number)| (place % basis.len() > 0, number.clone()));
    VerdictWithValues::with_numbers(verdict, numbers)
}

/// Returns the name of a coordinate: `∂^(0, 1)`, or `the value` for the first.
#[must_use]
pub fn coordinate_name(basis: &Basis, place: usize) -> String {
    if place == 0 {
        return "the value".to_owned();
    }
    let entries: Vec<String> = basis.indices()[place].iter().map(usize::to_string).collect();
    format!("∂^({})", entries.join(", "))
}

/// Prints an enclosure to 9 decimals.
#[must_use]
pub fn format_enclosure(enclosure: &Enclosure) -> String {
    enclosure.print_decimals(&Rational::from((1, 1_000_000_000))).to_string()
}

/// Prints a point: `(1, 1/2)`.
#[must_use]
pub fn format_point(point: &[Rational]) -> String {
    let parts: Vec<String> = point.iter().map(Rational::to_string).collect();
    format!("({})", parts.join(", "))
}
