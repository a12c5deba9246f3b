//! The comparison of a claim with Clarke's set, for functions of one variable.
//!
//! # Verdicts on a claim
//!
//! # Claims
//!
//! Claims, and their tolerances.

use crate::meaning::pap::beside::{BorderPlaces, LocalMaps, SideResult};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Float, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::germ::GermLimit;
use crate::smooth::graph::{Binary, Graph};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

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
        finding.ok_or_else(|| "the claim lies too near an end of Clarke's set".to_owned())
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
                        doubt = Continuity::Unknown(format!("{other_name} and {name} are not distinguished{near}"));
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

    /// Compares the claim with the set of a report again, with this tolerance. `None` if that does not decide, or no set is known.
    pub(super) fn compare_with_report(&self, report: &AuditReport) -> Option<AuditFinding> {
        let [least, most] = match (&report.limits, &report.set) {
            ([Some(left), Some(right)], _) => [EndBounds::least_of(left, right), EndBounds::greatest_of(left, right)],
            (_, Some(set)) => [EndBounds::of_enclosure(set)?, EndBounds::of_enclosure(set)?],
            _ => return None,
        };
        self.compare_with_ends(&least, &most, !report.borders.is_empty())
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
            Some(AuditFinding::Outside(if on_border {
                DisagreementCause::Border
            } else {
                DisagreementCause::Unexplained
            }))
        } else {
            None
        }
    }
}

enum Continuity {
    Yes,
    No(String),
    Unknown(String),
}

/// Bounds of a number: an end of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

    /// Returns the bounds of a number that is known.
    pub(super) fn of(q: &Rational) -> Self {
        Self { lo: q.clone(), hi: q.clone() }
    }

    pub(super) fn middle(&self) -> Rational {
        Rational::from(&self.lo + &self.hi) / 2
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { lo: Rational::from(&self.lo + &other.lo), hi: Rational::from(&self.hi + &other.hi) }
    }

    pub(super) fn negative(&self) -> Self {
        Self { lo: Rational::from(-&self.hi), hi: Rational::from(-&self.lo) }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let products = [(&self.lo, &other.lo), (&self.lo, &other.hi), (&self.hi, &other.lo), (&self.hi, &other.hi)];
        let products = products.map(|(a, b)| Rational::from(a * b));
        let [least, most] = [products.iter().min(), products.iter().max()].map(|end| end.cloned().unwrap_or_default());
        Self { lo: least, hi: most }
    }

    /// Returns bounds of the square, which is not negative.
    pub(super) fn squared(&self) -> Self {
        let size = self.absolute();
        Self { lo: Rational::from(&size.lo * &size.lo), hi: Rational::from(&size.hi * &size.hi) }
    }

    /// Returns bounds of the absolute value.
    pub(super) fn absolute(&self) -> Self {
        Self { lo: self.magnitude(), hi: self.lo.clone().abs().max(self.hi.clone().abs()) }
    }

    /// Returns the least absolute value.
    pub(super) fn magnitude(&self) -> Rational {
        if self.lo <= 0 && self.hi >= 0 { Rational::new() } else { self.lo.clone().abs().min(self.hi.clone().abs()) }
    }
}

/// The cause of a claim outside Clarke's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisagreementCause {
    /// The claim is infinite, or not a number.
    NotFinite,
    /// The point lies on a border, and the claim is explained by rules that choose one side of each, or a mean. Before that is asked, as by
    /// [`AuditSubject::judge_claim`](super::AuditSubject::judge_claim), that it lies on one.
    Border,
    /// The program that computed the claim is not that of the derivative, over the real numbers too, and no border on which the
    /// point lies explains it: one of its rules is wrong.
    Rule,
    /// The claim is the derivative with the stopped values held constant.
    StopGradient,
    /// No border explains the claim, by rules that choose one side of each or a mean, and no rounding that is known moves it so far.
    Unexplained,
}

impl DisagreementCause {
    /// Returns the name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "nan",
            Self::Border => "kink",
            Self::Rule => "rule",
            Self::StopGradient => "stop_gradient",
            Self::Unexplained => "unexplained",
        }
    }
}

/// A claim that rounding has moved beyond the tolerance, by no more than it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedClaim {
    /// The number of its decimal digits that are right.
    pub digits: u32,
    /// The coarser format through which the program goes, and where, if the format of the claim alone does not explain it.
    pub coarse_format: Option<(FloatFormat, String)>,
    /// `true` if a program of the claim is known, and shown to be right over the real numbers.
    pub has_right_rules: bool,
}

impl RoundedClaim {
    /// Returns the name of the cause, one word.
    #[must_use]
    pub fn cause(&self) -> &'static str {
        if self.coarse_format.is_some() { "dtype" } else { "rounding" }
    }
}

/// The widest allowance that a claim needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllowanceLevel {
    /// Units in the last place of the derivative, and the absolute and relative errors that are asked for.
    Units,
    /// The rounding of a reverse sweep with exact values: sums that cancel.
    Sums,
    /// The rounding of the program that computed it.
    Program,
}

impl AllowanceLevel {
    /// Returns the name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Units => "ulps",
            Self::Sums => "sums",
            Self::Program => "program",
        }
    }
}

/// The widest allowance by which a claim is accepted: as right, not only as certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum AcceptedLevel {
    /// Units in the last place alone, whatever the rules are.
    Units,
    /// The rounding of sums too.
    Sums,
    /// The rounding of the program too, where half of the digits are right.
    #[default]
    Program,
    /// All that rounding does to right rules.
    Rounded,
}

impl AcceptedLevel {
    /// All levels, the strictest first.
    pub const ALL: [Self; 4] = [Self::Units, Self::Sums, Self::Program, Self::Rounded];

    /// Returns the name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Units => AllowanceLevel::Units.name(),
            Self::Sums => AllowanceLevel::Sums.name(),
            Self::Program => AllowanceLevel::Program.name(),
            Self::Rounded => "rounded",
        }
    }

    /// Returns `true` if a claim that needs this allowance is accepted.
    #[must_use]
    pub fn accepts_level(self, level: AllowanceLevel) -> bool {
        match level {
            AllowanceLevel::Units => true,
            AllowanceLevel::Sums => self >= Self::Sums,
            AllowanceLevel::Program => self >= Self::Program,
        }
    }
}

impl FromStr for AcceptedLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| format!("expected one of {}, found `{text}`", known()))
    }
}

impl fmt::Display for AcceptedLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A finding on a program of a gradient: does it compute the derivative, over the real numbers?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleFinding {
    /// The program computes the derivative, up to the rounding of its constants.
    Right,
    /// The program computes another number.
    Refuted,
    /// Neither is shown.
    Unknown,
}

impl RuleFinding {
    /// Returns the name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Refuted => "refuted",
            Self::Unknown => "unknown",
        }
    }
}

/// The verdict on a claim. By default unknown, without a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditFinding {
    /// The function has no value at the point; the reason.
    NotDefined(String),
    /// The function has a value at the point, but none on the left, or on the right; the reason.
    OneSided([bool; 2], String),
    /// The function is not continuous at the point; the evidence.
    NotContinuous(String),
    /// The slopes near the point are unbounded, on the left or on the right.
    NotLipschitz([bool; 2]),
    /// The claim is in Clarke's set.
    Inside,
    /// The claim is not in Clarke's set.
    Outside(DisagreementCause),
    /// The claim is not in Clarke's set up to the tolerance. It is as near as rounding lets a program come that is right over the real
    /// numbers.
    Rounded(RoundedClaim),
    /// No verdict was proved; the reason.
    Unknown(String),
}

impl Default for AuditFinding {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl AuditFinding {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotDefined(_) => "NOT_DEFINED",
            Self::OneSided(..) => "ONE_SIDED",
            Self::NotContinuous(_) => "NOT_CONTINUOUS",
            Self::NotLipschitz(_) => "NOT_LIPSCHITZ",
            Self::Inside => "CERTIFIED_IN",
            Self::Outside(_) => "CERTIFIED_OUT",
            Self::Rounded(_) => "ROUNDED",
            Self::Unknown(_) => "UNKNOWN",
        }
    }
}

impl fmt::Display for AuditFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = |sides: &[bool; 2]| match sides {
            [true, true] => "on both sides",
            [true, false] => "on the left",
            _ => "on the right",
        };
        match self {
            Self::NotDefined(why) => write!(f, "the function has no value there: {why}"),
            Self::OneSided(without, why) => write!(f, "it has a value there, and none {}: {why}", sides(without)),
            Self::NotContinuous(how) => write!(f, "it is not continuous there: {how}"),
            Self::NotLipschitz(where_) => write!(f, "its slopes are not bounded {}", sides(where_)),
            Self::Inside => f.write_str("it is the derivative, or where that is a set, one of its numbers"),
            Self::Outside(cause) => {
                f.write_str("it is not the derivative: ")?;
                f.write_str(match cause {
                    DisagreementCause::NotFinite => "it is no finite number",
                    DisagreementCause::Border => {
                        "the point lies on a border, where the rule of one side, or of neither, is not the derivative"
                    }
                    DisagreementCause::Rule => {
                        "over the real numbers the program of the claim has another value, which no border explains: a rule is wrong"
                    }
                    DisagreementCause::StopGradient => "it is the derivative with the stopped values held constant",
                    DisagreementCause::Unexplained => {
                        "no border explains it, and no rounding that is known moves it so far"
                    }
                })
            }
            Self::Rounded(RoundedClaim { digits, coarse_format, has_right_rules }) => {
                let digits = match digits {
                    0 => "no digit of the claim is".to_owned(),
                    1 => "1 digit of the claim is".to_owned(),
                    n => format!("{n} digits of the claim are"),
                };
                // without a program nothing is known of its rules
                f.write_str(match has_right_rules {
                    true => "the same rules over the real numbers are right; ",
                    false => "it is as far off as rounding may move the value of right rules; ",
                })?;
                f.write_str(&digits)?;
                if !has_right_rules {
                    f.write_str(" right")?;
                }
                match coarse_format {
                    Some((format, place)) => write!(f, ", as the program goes through {format}{place}"),
                    None => Ok(()),
                }
            }
            Self::Unknown(why) => write!(f, "not decided: {why}"),
        }
    }
}

/// The result of the audit of a derivative.
#[derive(Clone, Debug, Default)]
pub struct AuditReport {
    /// The verdict.
    pub finding: AuditFinding,
    /// The limits of the derivative from the left and from the right, if they are known to exist.
    pub limits: [Option<Enclosure>; 2],
    /// An enclosure of Clarke's set, if one is known: every number of the set lies in it.
    pub set: Option<Enclosure>,
    /// The positions of the guards on whose border the point lies.
    pub borders: BorderPlaces,
}

/// A claimed value of a derivative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A number.
    Number(Rational),
    /// Infinity or no number.
    NotFinite,
}

impl From<f64> for Claim {
    fn from(x: f64) -> Self {
        Rational::from_f64(x).map_or(Self::NotFinite, Self::Number)
    }
}

/// The floating-point format in which a claim was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FloatFormat {
    /// IEEE binary64.
    #[default]
    Float64,
    /// IEEE binary32.
    Float32,
    /// IEEE binary16.
    Float16,
    /// The upper half of binary32.
    Bfloat16,
}

impl FloatFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Float64, Self::Float32, Self::Float16, Self::Bfloat16];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float64 => "float64",
            Self::Float32 => "float32",
            Self::Float16 => "float16",
            Self::Bfloat16 => "bfloat16",
        }
    }

    /// Returns the default tolerance in units in the last place. A choice: the error of some hundred roundings; in the
    /// short formats at most a few per cent.
    #[must_use]
    pub fn default_units(self) -> u32 {
        match self {
            Self::Float64 | Self::Float32 => 1024,
            Self::Float16 => 8,
            Self::Bfloat16 => 4,
        }
    }

    /// Returns the nearest number with as many bits as the format has, whatever its exponent.
    #[must_use]
    pub fn round_number(self, q: &Rational) -> Rational {
        Float::with_val(self.precision_and_exponent().0, q).to_rational().unwrap_or_else(|| q.clone())
    }

    /// Returns the precision in bits, and n for the least normal number 2⁻ⁿ.
    pub(super) fn precision_and_exponent(self) -> (u32, u32) {
        match self {
            Self::Float64 => (53, 1022),
            Self::Float32 => (24, 126),
            Self::Float16 => (11, 14),
            Self::Bfloat16 => (8, 126),
        }
    }
}

impl FromStr for FloatFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|f| f.name() == text)
            .ok_or_else(|| format!("there is no `{text}`; there are {}", known()))
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The allowed distance of a claim from Clarke's set, in units in the last place of the largest number of the set.
/// Below the least normal number the unit is constant. A gradient has a tolerance for each coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimTolerance {
    /// The format in which the claim was computed.
    pub format: FloatFormat,
    /// The number of units.
    pub units: u32,
    /// An absolute error that is allowed beside that.
    pub absolute: Rational,
    /// An error relative to the largest number of the set, which is allowed if it is more than the units are.
    pub relative: Rational,
    /// A lower bound on the size of the set's numbers. For a claim that is a sum it is the size of the terms, since the
    /// sum is rounded like them.
    pub terms: Rational,
}

impl Default for ClaimTolerance {
    fn default() -> Self {
        Self::for_format(FloatFormat::Float64)
    }
}

impl ClaimTolerance {
    /// Returns the default tolerance of a format.
    #[must_use]
    pub fn for_format(format: FloatFormat) -> Self {
        let [absolute, relative, terms] = [(); 3].map(|()| Rational::new());
        Self { format, units: format.default_units(), absolute, relative, terms }
    }

    /// Returns the allowed distance if the largest number of the set has this size.
    #[must_use]
    pub fn allowed_distance(&self, size: &Rational) -> Rational {
        let (bits, exponent) = self.format.precision_and_exponent();
        let least = Rational::from(1) >> exponent;
        let size = size.max(&self.terms).max(&least);
        // size · 2^(1 − bits) is one to two units in the last place of a number of this size
        let units: Rational = Rational::from(size * self.units) >> (bits - 1);
        units.max(Rational::from(size * &self.relative)) + &self.absolute
    }

    /// Returns the accuracy to which the ends of the set are enclosed: a sixteenth of the allowed distance.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        // At least 2⁻¹¹⁰⁰, below the least double: an accuracy of 0 could not be reached.
        let part = |size: &Rational| self.allowed_distance(size).max(Rational::from(1) >> 1100) >> 4;
        Accuracy::relative(part(&Rational::from(1))).or_within(part(&Rational::new()))
    }
}
