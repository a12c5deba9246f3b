//! Reasons why a partial program has no value, or why none was found. Shared by all semantics of partial programs.

use std::fmt;

/// The source position of an operation: 0 for none, else 1 + an index into a table that the caller keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SourceId(pub u32);

impl SourceId {
    /// No source position.
    pub const NOWHERE: Self = Self(0);

    /// Returns the id of the entry `index` (from 0) of the caller's table. Returns [`NOWHERE`](Self::NOWHERE) if
    /// `index` does not fit.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index + 1).unwrap_or(0))
    }

    /// Returns the index into the caller's table, from 0. Returns `None` for [`NOWHERE`](Self::NOWHERE).
    #[must_use]
    pub fn index(self) -> Option<usize> {
        ((self.0 & !Self::SLOPE) as usize).checked_sub(1)
    }

    /// The bit that marks the derivative of an operation. The indices below it are the ordinary ones.
    const SLOPE: u32 = 1 << 31;

    /// Returns the id of the derivative of the operation at this position.
    #[must_use]
    pub fn of_slope(self) -> Self {
        // no position, no mark: the id of a derivative without position must equal `NOWHERE` as well
        if self == Self::NOWHERE { self } else { Self(self.0 | Self::SLOPE) }
    }

    /// Returns `true` if the id marks the derivative of an operation.
    #[must_use]
    pub fn is_slope(self) -> bool {
        self.0 & Self::SLOPE != 0
    }
}

/// The reason why an operation has no value, or no derivative of a requested order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefinedCause {
    /// An argument lies on the boundary of the set where the operation is defined and smooth, or is not separated from
    /// it.
    Boundary,
    /// An argument lies outside the domain.
    Domain,
    /// A comparison is not decided: which of two numbers is greater, on which side of a boundary a number lies, or
    /// which point a solver should return.
    Undecided,
    /// The integrand of an integral oscillates at an end of its interval, and the integral is not shown to have a value.
    Oscillation,
    /// An integral is infinite, or that of the absolute value is.
    Divergence,
    /// No method here bounds an operation where its argument is unbounded, beside an end of an integral.
    Method,
    /// The budget ran out before a decision.
    Fuel,
}

impl UndefinedCause {
    /// Returns the cause as one lower-case word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Domain => "domain",
            Self::Undecided => "undecided",
            Self::Oscillation => "oscillation",
            Self::Divergence => "diverges",
            Self::Method => "method",
            Self::Fuel => "fuel",
        }
    }
}

/// A report that there is no value, or that none was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedValue {
    /// The reason.
    pub cause: UndefinedCause,
    /// The operation or predicate, as the language writes it; for [`UndefinedCause::Fuel`], the exhausted resource.
    pub operation: String,
    /// Its position in the source.
    pub site: SourceId,
    /// For an undecided comparison, an exponent e such that the two sides are known to differ by at most 2^e.
    pub agreement: Option<i64>,
    /// The precision, in bits, of the undecided comparison.
    pub bits: Option<u32>,
    /// The condition that must hold at `site`, in words; `None` if the operation itself says enough.
    pub requirement: Option<Box<str>>,
    /// `true` if there is certainly no value: on a boundary, outside a domain, or where a recursion with a limit has
    /// reached it.
    pub certain: bool,
}

impl UndefinedValue {
    /// Creates the report of an operation without a position. It is certain for [`UndefinedCause::Boundary`] and
    /// [`UndefinedCause::Domain`].
    #[must_use]
    pub fn of_operation(cause: UndefinedCause, operation: impl fmt::Display) -> Self {
        let certain = matches!(cause, UndefinedCause::Boundary | UndefinedCause::Domain);
        let operation = operation.to_string();
        Self { cause, operation, site: SourceId::NOWHERE, agreement: None, bits: None, requirement: None, certain }
    }

    /// Replaces the condition that must hold at the position; keeps the old one if `demand` is `None`.
    #[must_use]
    pub fn with_requirement(self, demand: Option<String>) -> Self {
        Self { requirement: demand.map(String::into_boxed_str).or(self.requirement), ..self }
    }

    /// Sets the position, unless there is one already: the innermost operation is the one to report.
    #[must_use]
    pub fn at_site(self, site: SourceId) -> Self {
        if self.site == SourceId::NOWHERE { Self { site, ..self } } else { self }
    }
}

impl fmt::Display for UndefinedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = &self.operation;
        // the condition names the culprit better than the operation that it is a condition of
        if let Some(demand) = &self.requirement {
            return write!(f, "undefined: {demand}");
        }
        match self.cause {
            UndefinedCause::Boundary => write!(f, "undefined: `{operation}` is at the edge of where it is defined")?,
            UndefinedCause::Domain => write!(f, "undefined: `{operation}` is outside of its domain")?,
            UndefinedCause::Undecided => {
                write!(f, "undefined, or not shown to be defined: `{operation}` was not decided")?;
                if let Some(bits) = self.bits {
                    write!(f, " with {bits} bits")?;
                }
                if let Some(power) = self.agreement {
                    write!(f, "; the two sides agree to within 2^{power}")?;
                }
            }
            UndefinedCause::Oscillation => {
                write!(
                    f,
                    "undefined, or not shown to be defined: the integrand of `{operation}` oscillates at an end"
                )?;
            }
            UndefinedCause::Divergence => write!(f, "undefined: the integral diverges")?,
            UndefinedCause::Method => {
                write!(
                    f,
                    "not shown to be defined: no method here bounds `{operation}` where its argument is unbounded"
                )?;
            }
            UndefinedCause::Fuel if self.certain => write!(f, "undefined: {operation}")?,
            UndefinedCause::Fuel => write!(f, "undefined, or not found out in time: {operation}")?,
        }
        Ok(())
    }
}

impl std::error::Error for UndefinedValue {}
