//! β-reduction for models without exponentials: removes functions other than arguments of constants and the program itself.
//!
//! The machine of [normal forms](crate::syntax::normal) evaluates the program with variables for its inputs. Everything known is
//! computed: functions, tuples, truth values, natural numbers, constructors and lists.
//!
//! Reading back differs from normalisation. Nothing is η-expanded. What has several uses, or stands outside a function that uses
//! it, is bound by a `let`, so nothing is computed more often than in the program. Operations on real numbers stay, except
//! arithmetic on constants, which is carried out exactly where [graphs](crate::smooth::graph) carry it out. A constant exponent
//! means another function than a varying one, so models must agree on what is constant.
//!
//! In the result every condition is decided, every recursion unrolled, and every remaining `match` has a variable of variant type
//! as its scrutinee. A program that does not end is detected by counting steps.
//!
//! The parameter of a function that stays is a variable without a known value.

mod exact;
mod residue;
mod share;

// The Taylor macro folds constants by the same rules.
pub(crate) use exact::fold_constant;

use crate::syntax::data::DataType;
use crate::syntax::normal::NormalError;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::NegativeDifference;

/// The most steps that reducing one program may take; a bound by taste.
pub const MAX_REDUCTION_STEPS: u64 = 500_000;
/// The most functions that may be nested in the result; a choice. Each has the variables of all those around it in scope.
const MAX_NESTED_BINDERS: usize = 1_000;

/// The reason why a program could not be reduced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// Reduction takes too many steps: a recursion may not end.
    #[error(
        "the program was not reduced within {most} steps, the most that it may take; check that every recursion on Nat comes \
         to an end, and if it does, the program is too long for this model: try a shorter list"
    )]
    Exhausted {
        /// The most steps.
        most: u64,
    },
    /// The result has too many nested functions.
    #[error(
        "the program was not reduced: functions of variables lie more than {most} deep within each other, which is too much \
         for this model; check that every recursion on Nat comes to an end, and take fewer derivatives of derivatives"
    )]
    Nesting {
        /// The most.
        most: usize,
    },
    /// A natural number beyond 2⁶⁴ - 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// A difference of natural numbers is below 0.
    #[error("{0}")]
    BelowZero(Box<NegativeDifference>),
    /// A recursion takes apart a value of a recursive type that is not known.
    #[error("the program cannot be reduced: it takes apart a value of the recursive type `{}` that is not known before it runs", data.name())]
    Recursive {
        /// The type.
        data: DataType,
    },
    /// A condition compares real numbers.
    #[error("the program cannot be reduced: it compares real numbers by {comparison}")]
    Guard {
        /// The comparison.
        comparison: String,
    },
    /// A value is unknown that must be known to go on.
    #[error("the program cannot be reduced: it depends on {what} that is not known before it runs")]
    Unknown {
        /// The value, as a noun phrase.
        what: &'static str,
    },
    /// The program does not have the types that it carries, or mentions a variable that nothing binds.
    #[error("the program cannot be reduced: {0}")]
    Wrong(NormalError),
}

impl From<NormalError> for ReduceError {
    fn from(error: NormalError) -> Self {
        match error {
            NormalError::Steps { .. } | NormalError::Size { .. } | NormalError::Depth { .. } => {
                Self::Exhausted { most: MAX_REDUCTION_STEPS }
            }
            error => Self::Wrong(error),
        }
    }
}

/// Reduces a term over variables of the types of `context` to an equal one, with as few functions as possible.
///
/// # Errors
/// [`ReduceError`]
pub fn beta_reduce(context: &[Ty], term: &Term) -> Result<Term, ReduceError> {
    share::write_term(&residue::read_residue(context, term)?, context)
}
