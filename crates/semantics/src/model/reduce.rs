//! β-reduction, for models without exponentials: functions go, unless a constant takes them or the program is one.
//!
//! The program is evaluated with variables for its inputs, by the machine of [normal forms](crate::syntax::normal), so what is
//! known (functions, tuples, truth values, natural numbers, constructors and lists) is computed. It is read back another
//! way: nothing is expanded, and nothing is computed twice that the program computes once, since what has several uses, or
//! stands outside of a function in which it is used, is bound by a `let`. Operations on real numbers are left as they are, but
//! for arithmetic on constants, which is carried out where [graphs](crate::smooth::graph) carry it out: a constant exponent
//! means another function than one that varies, so models must agree on what is constant. In the result every condition is
//! decided, every recursion unrolled, and every `match` that is left looks at a variant that a variable stands for; so a
//! program that goes on for ever is found out by counting steps.
//!
//! Where a function stays, its parameter is a variable of which nothing is known.

mod exact;
mod residue;
mod share;

pub(crate) use exact::arithmetic;

use crate::syntax::data::Data;
use crate::syntax::normal::NormalError;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::BelowZero;

/// The most steps that reducing one program may take.
pub const MOST_STEPS: u64 = 500_000;
/// The most functions that may be left within each other: each has the variables of all that it lies in.
const MOST_BINDERS: usize = 1_000;

/// Why a program could not be reduced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// It takes too many steps: a recursion may not end.
    #[error(
        "the program was not reduced within {most} steps, the most that it may take; check that every recursion on Nat comes \
         to an end, and if it does, the program is too long for this model: try a shorter list"
    )]
    Exhausted {
        /// The most steps.
        most: u64,
    },
    /// Too many functions are left within each other.
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
    /// A difference of natural numbers that is none.
    #[error("{0}")]
    BelowZero(Box<BelowZero>),
    /// A value of a recursive type would have to be known to go on: what takes one apart is a recursion.
    #[error("the program cannot be reduced: it takes apart a value of the recursive type `{}` that is not known before it runs", data.name())]
    Recursive {
        /// The type.
        data: Data,
    },
    /// A condition compares real numbers.
    #[error("the program cannot be reduced: it compares real numbers by {comparison}")]
    Guard {
        /// By which comparison.
        comparison: String,
    },
    /// Something that must be known to go on is not.
    #[error("the program cannot be reduced: it depends on {what} that is not known before it runs")]
    Unknown {
        /// What it is.
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
                Self::Exhausted { most: MOST_STEPS }
            }
            error => Self::Wrong(error),
        }
    }
}

/// A term without functions, as far as that can be, over variables of the types of a context. It means the same.
///
/// # Errors
/// [`ReduceError`]
pub fn reduced(context: &[Ty], term: &Term) -> Result<Term, ReduceError> {
    share::term(&residue::read(context, term)?, context)
}
