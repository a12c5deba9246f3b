//! Claims, and their tolerances.

use crate::number::{Accuracy, Rational};
use std::fmt;
use std::str::FromStr;

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

    /// Returns the precision in bits, and n for the least normal number 2⁻ⁿ.
    fn precision_and_exponent(self) -> (u32, u32) {
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
        Self { format, units: format.default_units(), terms: Rational::new() }
    }

    /// Returns the allowed distance if the largest number of the set has this size.
    #[must_use]
    pub fn allowed_distance(&self, size: &Rational) -> Rational {
        let (bits, exponent) = self.format.precision_and_exponent();
        let least = Rational::from(1) >> exponent;
        let size = size.max(&self.terms).max(&least);
        // One unit in the last place of a number of this size is size · 2^(1 − bits), up to a factor of two.
        Rational::from(size * self.units) >> (bits - 1)
    }

    /// Returns the distance within which half of the digits of a number of this size are right.
    #[must_use]
    pub fn half_digits_distance(&self, size: &Rational) -> Rational {
        Rational::from(size >> (self.format.precision_and_exponent().0 / 2))
    }

    /// Returns the accuracy to which the ends of the set are enclosed: a sixteenth of the allowed distance.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        // At least 2⁻¹¹⁰⁰, below the least double: an accuracy of 0 could not be reached.
        let part = |size: &Rational| self.allowed_distance(size).max(Rational::from(1) >> 1100) >> 4;
        Accuracy::relative(part(&Rational::from(1))).or_within(part(&Rational::new()))
    }
}
