//! What is claimed, and how far off it may be.

use crate::number::{Accuracy, Rational};
use std::fmt;
use std::str::FromStr;

/// What a derivative is said to be.
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

/// The floating-point numbers in which a claim was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
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

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Float64, Self::Float32, Self::Float16, Self::Bfloat16];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float64 => "float64",
            Self::Float32 => "float32",
            Self::Float16 => "float16",
            Self::Bfloat16 => "bfloat16",
        }
    }

    /// How many units in the last place a gradient is allowed, where nothing is said: what some hundred roundings make of it, but in the short
    /// formats a few parts in a hundred at most.
    #[must_use]
    pub fn usual_units(self) -> u32 {
        match self {
            Self::Float64 | Self::Float32 => 1024,
            Self::Float16 => 8,
            Self::Bfloat16 => 4,
        }
    }

    /// How many bits its numbers have, and the exponent of 2 of the least normal one.
    fn bits(self) -> (u32, u32) {
        match self {
            Self::Float64 => (53, 1022),
            Self::Float32 => (24, 126),
            Self::Float16 => (11, 14),
            Self::Bfloat16 => (8, 126),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|f| f.name() == text)
            .ok_or_else(|| format!("there is no `{text}`; there are {}", known()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far from Clarke's set a claim may lie: so many units in the last place of its largest number, or of the least normal number
/// where that is greater. Of a gradient each coordinate is allowed what its own numbers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// The numbers in which the claim was computed.
    pub format: Format,
    /// How many units.
    pub units: u32,
    /// Numbers of the set count as at least as large: the size of the terms, where a claim is a sum of them. It is rounded as they are,
    /// however small it is.
    pub terms: Rational,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self::of(Format::Float64)
    }
}

impl Tolerance {
    /// What is usual in a format.
    #[must_use]
    pub fn of(format: Format) -> Self {
        Self { format, units: format.usual_units(), terms: Rational::new() }
    }

    /// What is allowed where the largest number of the set has this size.
    #[must_use]
    pub fn at(&self, size: &Rational) -> Rational {
        let (bits, exponent) = self.format.bits();
        let least = Rational::from(1) >> exponent;
        let size = size.max(&self.terms).max(&least);
        Rational::from(size * self.units) >> (bits - 1)
    }

    /// How far off a number of this size is of which half of the digits are right.
    #[must_use]
    pub fn rough(&self, size: &Rational) -> Rational {
        Rational::from(size >> (self.format.bits().0 / 2))
    }

    /// How accurately the ends of the set are asked for: a sixteenth of what is allowed.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        let part = |size: &Rational| self.at(size).max(Rational::from(1) >> 1100) >> 4;
        Accuracy::relative(part(&Rational::from(1))).or_within(part(&Rational::new()))
    }
}
