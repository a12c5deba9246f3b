//! Verdicts on a claim.

use crate::meaning::pap::beside::BorderPlaces;
use crate::number::Enclosure;
use std::fmt;

/// The cause of a claim outside Clarke's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisagreementCause {
    /// The claim is infinite, or not a number.
    NotFinite,
    /// The point lies on a border, where differentiation rules choose one side, or none.
    Border,
    /// Half of the digits are right, or differentiation rules in floating-point arithmetic are as far off.
    Rounding,
    /// The point lies on no border: some rule was not that of the function.
    Rule,
}

impl DisagreementCause {
    /// Returns the name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "nan",
            Self::Border => "kink",
            Self::Rounding => "rounding",
            Self::Rule => "rule",
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
                    DisagreementCause::Rounding => {
                        "it is rounding: half of its digits are right, or floating-point arithmetic by the rules for derivatives is as far off"
                    }
                    DisagreementCause::Rule => "the point lies on no border, and neither rounding nor a kink explains it",
                })
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
