//! The comparison of a claim with Clarke's set, for functions of one variable.

use super::{AuditFinding, AuditReport, Claim, ClaimTolerance, DisagreementCause};
use crate::meaning::pap::beside::{LocalMaps, SideResult};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::germ::GermLimit;
use crate::pieces::sign::decide_sign;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::tape::Tape;
use std::cmp::Ordering;

/// A claim, with its tolerance and a budget.
pub(super) struct ClaimJudge<'a> {
    pub(super) claim: &'a Claim,
    pub(super) tolerance: &'a ClaimTolerance,
    pub(super) budget: &'a Budget,
}

impl ClaimJudge<'_> {
    /// Judges the claim by the pieces around the point.
    pub(super) fn judge_pieces(&self, around: &LocalMaps) -> AuditReport {
        let mut report = AuditReport { borders: around.borders.clone(), ..AuditReport::default() };
        report.finding = self.decide_finding(around, &mut report).unwrap_or_else(AuditFinding::Unknown);
        report
    }

    /// Returns the verdict, or the reason why there is none.
    fn decide_finding(&self, around: &LocalMaps, report: &mut AuditReport) -> Result<AuditFinding, String> {
        let here = match &around.here {
            SideResult::Undefined(why) => return Ok(AuditFinding::NotDefined(why.clone())),
            SideResult::Unknown(why) => return Err(format!("at the point, {why}")),
            SideResult::Value(here) => here,
        };
        let without = [0, 1].map(|side| matches!(around.sides[side], SideResult::Undefined(_)));
        if let Some(SideResult::Undefined(why)) =
            around.sides.iter().find(|side| matches!(side, SideResult::Undefined(_)))
        {
            return Ok(AuditFinding::OneSided(without, why.clone()));
        }
        let name = |side: usize| ["left", "right"][side];
        let mut maps = Vec::new();
        for (side, found) in around.sides.iter().enumerate() {
            match found {
                SideResult::Value(map) => maps.push(map),
                SideResult::Unknown(why) | SideResult::Undefined(why) => {
                    return Err(format!("on the {}, {why}", name(side)));
                }
            }
        }
        let mut doubt = self.is_continuous(around, here, &maps)?;
        // Reported before the slopes: a function that jumps is not differentiable, whatever its slopes are.
        if let Continuity::No(how) = doubt {
            return Ok(AuditFinding::NotContinuous(how));
        }
        let (mut slopes, mut unbounded) = (Vec::new(), [false, false]);
        for (side, map) in maps.iter().enumerate() {
            match around.germs_on_side(side == 1, self.budget).limit_of_slope(map) {
                Ok(GermLimit::Finite(slope)) => slopes.push(slope),
                Ok(GermLimit::Infinite(_)) => unbounded[side] = true,
                Err(why) => {
                    doubt = Continuity::Unknown(format!("the slopes on the {} are not known: {why}", name(side)));
                }
            }
        }
        // An unbounded slope is proved even if the other side is unknown; so it precedes the doubts.
        if unbounded.contains(&true) {
            return Ok(AuditFinding::NotLipschitz(unbounded));
        }
        if let Continuity::Unknown(why) = doubt {
            return Err(why);
        }
        let limits: Vec<_> = slopes.iter().map(|slope| self.enclose_number(slope)).collect();
        report.limits = [limits[0].clone(), limits[1].clone()];
        let [Some(left), Some(right)] = &report.limits else {
            return Err("the limits of the derivative were not enclosed in time".to_owned());
        };
        report.set = Some(left.hull(right));
        // Both limits are enclosed: the least and the greatest member of the set each lie in an interval of their own.
        let [least, most] = [EndBounds::least_of(left, right), EndBounds::greatest_of(left, right)];
        let on_border = !report.borders.is_empty();
        let finding = self.compare_with_ends(&least, &most, on_border);
        if finding == Some(AuditFinding::Outside(DisagreementCause::Rule))
            && self.is_rounding(around, maps[0], [&least.lo, &most.hi])
        {
            return Ok(AuditFinding::Outside(DisagreementCause::Rounding));
        }
        finding.ok_or_else(|| "the claim lies too near an end of Clarke's set".to_owned())
    }

    /// Returns `true` if floating-point arithmetic explains the claim: the derivative of the map, evaluated in doubles,
    /// lies outside the set too.
    fn is_rounding(&self, around: &LocalMaps, map: &Graph, set: [&Rational; 2]) -> bool {
        let Claim::Number(claimed) = self.claim else { return false };
        let Ok(mut tape) = Tape::compile_map(&[around.variable], std::slice::from_ref(map)) else { return false };
        let mut slope = [0.0];
        tape.gradient(&[around.at.to_f64()], &mut slope);
        rounding_explains(slope[0], claimed, set, self.tolerance)
    }

    /// Tests whether the value and both limits are equal.
    fn is_continuous(&self, around: &LocalMaps, here: &Graph, maps: &[&Graph]) -> Result<Continuity, String> {
        let mut doubt = Continuity::Yes;
        // Each number has one formula or more; any pair of formulas may decide.
        let mut values = vec![("its value", vec![here.clone()])];
        for (side, map) in maps.iter().enumerate() {
            let name = ["its limit from the left", "its limit from the right"][side];
            let limits = match around.germs_on_side(side == 1, self.budget).limit_formulas(map) {
                Ok(limits) => limits,
                Err(why) => {
                    doubt = Continuity::Unknown(format!("{name} is not known: {why}"));
                    continue;
                }
            };
            let mut formulas = Vec::new();
            for limit in limits {
                match limit {
                    GermLimit::Finite(limit) => formulas.push(limit),
                    GermLimit::Infinite(sign) => {
                        let infinity = if sign == Ordering::Less { "-∞" } else { "+∞" };
                        return Ok(Continuity::No(format!("{name} is {infinity}")));
                    }
                }
            }
            values.push((name, formulas));
        }
        for (i, (name, value)) in values.iter().enumerate() {
            for (other_name, other) in &values[..i] {
                match self.are_equal(value, other) {
                    Ok(true) => {}
                    Ok(false) => {
                        let told = |g: &[Graph]| {
                            let digits =
                                |e: Enclosure| format!(" {}", e.print_decimals(&Rational::from((1, 1_000_000))));
                            g.iter().find_map(|g| self.enclose_number(g)).map_or_else(String::new, digits)
                        };
                        return Ok(Continuity::No(format!("{other_name}{} is not {name}{}", told(other), told(value))));
                    }
                    Err(near) => {
                        let near = near.map_or_else(String::new, |power| format!(", and less than 2^{power} apart"));
                        doubt = Continuity::Unknown(format!("{other_name} and {name} are not told apart{near}"));
                    }
                }
            }
        }
        Ok(doubt)
    }

    /// Tests whether two numbers are equal, by any pair of their formulas. If undecided, the error is a power of two
    /// that bounds their distance, if one is known.
    fn are_equal(&self, a: &[Graph], b: &[Graph]) -> Result<bool, Option<i64>> {
        let mut near = None;
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            match decide_sign(&Graph::binary(Binary::Subtract, a, b), self.budget) {
                Ok(sign) => return Ok(sign == Ordering::Equal),
                Err(found) => near = found.or(near),
            }
        }
        Err(near)
    }

    /// Encloses a number for the comparison. `None` if it is not shown to be defined and bounded in time.
    fn enclose_number(&self, g: &Graph) -> Option<Enclosure> {
        let found = g.to_real().ok()?.enclose_to(&self.tolerance.accuracy(), self.budget).ok()?;
        Some(found.enclosure).filter(|e| e.is_defined() && e.is_bounded())
    }

    /// Judges the claim by an enclosure of Clarke's set, for a report without a verdict.
    pub(super) fn judge_enclosure(&self, report: AuditReport, enclosed: Result<Enclosure, String>) -> AuditReport {
        let unknown = |why: String| AuditReport { finding: AuditFinding::Unknown(why), ..report.clone() };
        let set = match enclosed {
            Ok(set) => set,
            Err(why) => {
                // The pieces' own reason is the better one: it says where they failed.
                let is_told = matches!(&report.finding, AuditFinding::Unknown(why) if !why.is_empty());
                return if is_told { report } else { unknown(why) };
            }
        };
        let Some(ends) = EndBounds::of_enclosure(&set) else {
            return unknown("the derivative may be unbounded".to_owned());
        };
        // Neither end of an enclosure need be a member of the set, so a wide one suggests a border.
        let is_wide = Rational::from(&ends.hi - &ends.lo) > self.tolerance.allowed_distance(&ends.hi.clone().abs());
        let finding = self.compare_with_ends(&ends, &ends, is_wide);
        let finding = finding.unwrap_or_else(|| {
            AuditFinding::Unknown("some of an enclosure of Clarke's set is as claimed, some is not".to_owned())
        });
        AuditReport { finding, set: Some(set), ..report }
    }

    /// Compares the claim with a set whose least and greatest members lie in `least` and `greatest_of`. `None` if that does
    /// not decide.
    fn compare_with_ends(&self, least: &EndBounds, most: &EndBounds, on_border: bool) -> Option<AuditFinding> {
        let Claim::Number(claimed) = self.claim else {
            return Some(AuditFinding::Outside(DisagreementCause::NotFinite));
        };
        let zero = Rational::new();
        let distance = |least: &Rational, most: &Rational| {
            Rational::from(least - claimed).max(Rational::from(claimed - most)).max(zero.clone())
        };
        let sizes = [&least.lo, &least.hi, &most.lo, &most.hi].map(|q| q.clone().abs());
        // The tolerance grows with the largest number of the set: a lower and an upper bound of its size.
        let small = least.magnitude().max(most.magnitude());
        let large = sizes.into_iter().max().unwrap_or_default();
        // Inside by the inner hull and the smaller tolerance, outside by the outer hull and the larger: both are
        // proofs.
        if distance(&least.hi, &most.lo) <= self.tolerance.allowed_distance(&small) {
            Some(AuditFinding::Inside)
        } else if distance(&least.lo, &most.hi) > self.tolerance.allowed_distance(&large) {
            Some(AuditFinding::Outside(if on_border { DisagreementCause::Border } else { DisagreementCause::Rule }))
        } else {
            None
        }
    }
}

/// Returns `true` if rounding explains a claim outside a set. Either half of its digits are right, or the
/// floating-point number `float` is outside too, and at least as far from the set as from the claim: another order of
/// the operations rounds differently.
pub(super) fn rounding_explains(
    float: f64,
    claimed: &Rational,
    [lo, hi]: [&Rational; 2],
    tolerance: &ClaimTolerance,
) -> bool {
    let size = lo.clone().abs().max(hi.clone().abs());
    let outside = |x: &Rational| Rational::from(lo - x).max(Rational::from(x - hi));
    if outside(claimed) <= tolerance.half_digits_distance(&size) {
        return true;
    }
    Rational::from_f64(float).is_some_and(|float| {
        let away = outside(&float);
        away > tolerance.allowed_distance(&size) && Rational::from(&float - claimed).abs() <= away
    })
}

enum Continuity {
    Yes,
    No(String),
    Unknown(String),
}

/// Bounds of a number: an end of a set.
pub(super) struct EndBounds {
    pub(super) lo: Rational,
    pub(super) hi: Rational,
}

impl EndBounds {
    pub(super) fn of_enclosure(e: &Enclosure) -> Option<Self> {
        Some(Self { lo: e.lo().to_rational()?, hi: e.hi().to_rational()? })
    }

    /// Bounds the smaller of two numbers.
    fn least_of(a: &Enclosure, b: &Enclosure) -> Self {
        let of = |e| Self::of_enclosure(e).unwrap_or(Self { lo: Rational::new(), hi: Rational::new() });
        let (a, b) = (of(a), of(b));
        Self { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }
    }

    /// Bounds the greater of two numbers.
    fn greatest_of(a: &Enclosure, b: &Enclosure) -> Self {
        let of = |e| Self::of_enclosure(e).unwrap_or(Self { lo: Rational::new(), hi: Rational::new() });
        let (a, b) = (of(a), of(b));
        Self { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }
    }

    /// Returns the least absolute value.
    pub(super) fn magnitude(&self) -> Rational {
        if self.lo <= 0 && self.hi >= 0 { Rational::new() } else { self.lo.clone().abs().min(self.hi.clone().abs()) }
    }
}
