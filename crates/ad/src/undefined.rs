//! Why there is no value, or none was found: what every meaning of partial programs says.

use std::fmt;

/// Where in a source an operation stands: 0 for nowhere, and from 1 on a number in whatever table the caller keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Site(pub u32);

impl Site {
    /// In no source.
    pub const NOWHERE: Self = Self(0);

    /// The place of an index, from 0.
    #[must_use]
    pub fn numbered(index: usize) -> Self {
        Self(u32::try_from(index + 1).unwrap_or(0))
    }

    /// Its index, from 0.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        ((self.0 & !Self::SLOPE) as usize).checked_sub(1)
    }

    /// What marks the slope of what stands somewhere.
    const SLOPE: u32 = 1 << 31;

    /// The site of what the slope of an operation is made of, which stands where the operation does.
    #[must_use]
    pub fn slope(self) -> Self {
        if self == Self::NOWHERE { self } else { Self(self.0 | Self::SLOPE) }
    }

    /// Whether it is that of the slope of an operation.
    #[must_use]
    pub fn is_slope(self) -> bool {
        self.0 & Self::SLOPE != 0
    }
}

/// Why an operation has no value, or no derivative of an order that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An argument lies at the edge of where the operation is defined and smooth, or is not told from it.
    Boundary,
    /// An argument lies outside of the domain.
    Domain,
    /// A choice is not decided: which of two numbers is greater, on which side of a border a number lies, which place it is
    /// that a solver looks for.
    Undecided,
    /// The budget was used up before anything was found out.
    Fuel,
}

impl Cause {
    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Domain => "domain",
            Self::Undecided => "undecided",
            Self::Fuel => "fuel",
        }
    }
}

/// There is no value, or none was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Why.
    pub cause: Cause,
    /// The operation or predicate, as the language writes it; for [`Cause::Fuel`], what was used up.
    pub operation: String,
    /// Where it stands.
    pub site: Site,
    /// How nearly the two sides are known to agree, where it was not decided: to within 2 to this power.
    pub agreement: Option<i64>,
    /// With how many bits that was found.
    pub bits: Option<u32>,
    /// What has to be so where it stands, in words; nothing where the operation itself says enough.
    pub demand: Option<Box<str>>,
    /// Whether it is certain that there is no value: at a boundary, outside of a domain, and where a limited recursion has
    /// reached its limit.
    pub certain: bool,
}

impl Undefined {
    /// Of an operation.
    #[must_use]
    pub fn of(cause: Cause, operation: impl fmt::Display) -> Self {
        let certain = matches!(cause, Cause::Boundary | Cause::Domain);
        let operation = operation.to_string();
        Self { cause, operation, site: Site::NOWHERE, agreement: None, bits: None, demand: None, certain }
    }

    /// The same, with what has to be so where it stands.
    #[must_use]
    pub fn demanding(self, demand: Option<String>) -> Self {
        Self { demand: demand.map(String::into_boxed_str).or(self.demand), ..self }
    }

    /// The same, at a place, unless it has one.
    #[must_use]
    pub fn at(self, site: Site) -> Self {
        if self.site == Site::NOWHERE { Self { site, ..self } } else { self }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = &self.operation;
        if let Some(demand) = &self.demand {
            return write!(f, "undefined: {demand}");
        }
        match self.cause {
            Cause::Boundary => write!(f, "undefined: `{operation}` is at the edge of where it is defined")?,
            Cause::Domain => write!(f, "undefined: `{operation}` is outside of its domain")?,
            Cause::Undecided => {
                write!(f, "undefined, or not shown to be defined: `{operation}` was not decided")?;
                if let Some(bits) = self.bits {
                    write!(f, " with {bits} bits")?;
                }
                if let Some(power) = self.agreement {
                    write!(f, "; the two sides agree to within 2^{power}")?;
                }
            }
            Cause::Fuel if self.certain => write!(f, "undefined: {operation}")?,
            Cause::Fuel => write!(f, "undefined, or not found out in time: {operation}")?,
        }
        Ok(())
    }
}

impl std::error::Error for Undefined {}
