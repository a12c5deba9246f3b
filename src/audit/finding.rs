//! What is proven of a claim.

use crate::meaning::pap::beside::Borders;
use crate::number::Enclosure;
use std::fmt;

/// Why a claim is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is no number, or infinite.
    NotFinite,
    /// The point lies on a border, where rules for derivatives choose one side, or none.
    Border,
    /// Half of the digits are right, or floating-point arithmetic by the rules for derivatives is as far off.
    Rounding,
    /// The point lies on no border: the rule by which it was found is not that of the function.
    Rule,
}

impl Cause {
    /// One word.
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

/// The outcome. By default nothing is known, nor why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The function has no value at the point, and why.
    NotDefined(String),
    /// It has a value at the point, and none on some sides, the left one and the right one; why.
    OneSided([bool; 2], String),
    /// It is not continuous at the point, and how that is seen.
    NotContinuous(String),
    /// Its slopes near the point are not bounded: those on the left, those on the right.
    NotLipschitz([bool; 2]),
    /// The claim is in Clarke's set.
    Inside,
    /// It is not.
    Outside(Cause),
    /// Neither was proven, and why not.
    Unknown(String),
}

impl Default for Finding {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Finding {
    /// Its name.
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

impl fmt::Display for Finding {
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
                    Cause::NotFinite => "it is no finite number",
                    Cause::Border => {
                        "the point lies on a border, where the rule of one side, or of neither, is not the derivative"
                    }
                    Cause::Rounding => {
                        "it is rounding: half of its digits are right, or floating-point arithmetic by the rules for derivatives is as far off"
                    }
                    Cause::Rule => "the point lies on no border, and neither rounding nor a kink explains it",
                })
            }
            Self::Unknown(why) => write!(f, "not decided: {why}"),
        }
    }
}

/// What was found of a claim.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The outcome.
    pub finding: Finding,
    /// What the derivative tends to on the left and on the right, where it is known to converge.
    pub limits: [Option<Enclosure>; 2],
    /// Clarke's set, where it is known or enclosed: any number of the set lies in the enclosure.
    pub set: Option<Enclosure>,
    /// Where guards stand on whose border the point lies.
    pub borders: Borders,
}
