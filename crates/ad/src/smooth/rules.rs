//! Other rules than those of the library, for whoever wants to see what becomes of programs under them.
//!
//! A [`Machine`] computes by the rules of this layer. Where it is given others, they are asked at every step and may leave
//! it as it is, change its result, or compute another: [`Step`] has all that the machine has, and the solvers and the
//! arithmetic of jets are there to be called.
//!
//! Programs are run in two arithmetics, so rules for programs are a [`Rulebook`]: whatever is written once for any
//! [`Context`].
//!
//! ```
//! use smoothish_ad::number::context::{Context, Function};
//! use smoothish_ad::number::{Rational, budget::Budget, real::Real};
//! use smoothish_ad::smooth::error::SmoothError;
//! use smoothish_ad::smooth::graph::{Graph, Unary};
//! use smoothish_ad::smooth::jet::Jet;
//! use smoothish_ad::smooth::program::Instruction;
//! use smoothish_ad::smooth::rules::{Result, Rules, Step};
//! use std::sync::Arc;
//!
//! /// `sin x = x`, to see how far an approximation leads.
//! #[derive(Debug)]
//! struct SmallAngles;
//!
//! impl<C: Context> Rules<C> for SmallAngles {
//!     fn step(&self, step: &Step<C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C> {
//!         match *step.instruction {
//!             Instruction::Unary(Unary::Function(Function::Sin), x) => Ok(step.operand(x).clone()),
//!             _ => library(),
//!         }
//!     }
//! }
//!
//! let sine = Graph::function(Function::Sin, &Graph::rational(Rational::from((1, 4))));
//! let number = Real::new(sine.evaluation()?.under(Some(Arc::new(SmallAngles))));
//! let answer = number.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(answer.enclosure.contains(&Rational::from((1, 4))));
//! # Ok::<(), SmoothError>(())
//! ```

use crate::number::context::Context;
use crate::number::double::Double;
use crate::number::mpfr::Mpfr;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{SecondOrder, Site};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::{Frame, Machine};
use crate::smooth::program::{Instruction, Register};
use crate::smooth::solve::optimum::peak::Peak;
use std::fmt::Debug;
use std::sync::Arc;

/// What becomes of a step.
pub type Result<C> = std::result::Result<Jet<<C as Context>::Num>, SmoothError>;

/// Rules to compute by, in one arithmetic. What is not written is the rule of the library.
///
/// An answer encloses the true value only if the rules keep their theorems. Nothing checks them: that is what laws are for.
pub trait Rules<C: Context>: Debug + Send + Sync {
    /// The result of a step; `library` computes what the library makes of it.
    ///
    /// *Theorem to keep*: the result encloses, in every coefficient that it says is defined, the Taylor coefficient of the
    /// operation at all jets that the operands enclose; a coefficient that is left out is 0 for all of them; and narrower
    /// operands give a narrower result, since of several enclosures of a number the intersection is taken.
    ///
    /// # Errors
    /// As the rules say; those of the step.
    fn step(&self, step: &Step<'_, C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C> {
        let _ = step;
        library()
    }

    /// What a derivative is read off from: a function expanded in the last generator of an algebra, whose coefficients of
    /// degree 0 are its values.
    ///
    /// *Theorem to keep*: as for a step; the values of a function are not known to be defined where it may have none, nor the
    /// others where it may have none nearby.
    fn expansion(&self, jets: &Jets<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        let _ = jets;
        expansion
    }

    /// Where a function has its maximum on [0, 1], of the kinds that [`Kind`](crate::smooth::solve::optimum::peak::Kind) lists,
    /// for `max01` or `argmax01`.
    ///
    /// *Theorem to keep*: every maximiser lies at one of the places, which are of their kinds.
    fn peaks(&self, context: &C, primitive: SecondOrder, peaks: Vec<Peak<C::Num>>) -> Vec<Peak<C::Num>> {
        let _ = (context, primitive);
        peaks
    }

    /// Where an integral is split at a kink of its integrand.
    ///
    /// *Theorem to keep*: the place encloses, as a jet, the zero of the switch; on each side of it the branch is the one
    /// that is taken there.
    fn kink(&self, kink: Kink<C::Num>) -> Kink<C::Num> {
        kink
    }
}

/// Rules for programs, which are run in both arithmetics.
pub trait Rulebook: Rules<Double> + Rules<Mpfr> {}

impl<R: Rules<Double> + Rules<Mpfr> + ?Sized> Rulebook for R {}

/// A step that is to be done.
#[derive(Debug)]
pub struct Step<'s, C: Context> {
    /// What does it.
    pub machine: &'s Machine<'s, C>,
    /// The algebra that it is done over.
    pub algebra: &'s Arc<Algebra>,
    /// What is to be done.
    pub instruction: &'s Instruction,
    /// Where it stands in a source.
    pub site: Site,
    /// The branch that is taken, if the step is a kink.
    pub branch: Branch,
    pub(super) frame: &'s Frame<'s, C::Num>,
}

impl<C: Context> Step<'_, C> {
    /// The arithmetic of jets over its algebra.
    #[must_use]
    pub fn jets(&self) -> Jets<'_, C> {
        self.machine.jets(self.algebra)
    }

    /// What stands in a register.
    #[must_use]
    pub fn operand(&self, register: Register) -> &Jet<C::Num> {
        self.frame.get(register)
    }

    /// What stands in each of some registers.
    #[must_use]
    pub fn operands(&self, registers: &[Register]) -> Vec<Jet<C::Num>> {
        self.frame.collect(registers)
    }
}

/// A kink of an integrand.
#[derive(Clone, Debug)]
pub struct Kink<N> {
    /// Where it lies, with its dependence on everything else.
    pub place: Jet<N>,
    /// The branches that are taken to the left and to the right of it.
    pub sides: [Branch; 2],
}
