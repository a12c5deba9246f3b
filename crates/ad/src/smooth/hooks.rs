//! Hooks of the jet evaluator: they replace single rules of this layer, to test that a wrong rule is detected.
//!
//! A [`Machine`] evaluates by the rules of this layer, in an arithmetic. Its [hooks](Hooks) are a type that belongs to
//! the arithmetic ([`Hooked`]). The hooks of [`Library`], which doubles and MPFR have, are not [active](Hooks::ACTIVE):
//! every call is guarded by that constant, so the compiler removes it. [`Under`] is an arithmetic with other hooks. The
//! evaluator is compiled a second time for it, by the crate that runs it.
//!
//! A hook is called at every step. It may return the library's result, change it, or compute another: [`Step`] gives
//! access to the evaluator, the solvers and the arithmetic of jets.
//!
//! ```
//! use smoothish_ad::number::context::{Context, Function};
//! use smoothish_ad::number::{Rational, budget::Budget, real::Real};
//! use smoothish_ad::smooth::error::SmoothError;
//! use smoothish_ad::smooth::graph::{Graph, Unary};
//! use smoothish_ad::smooth::hooks::{Hooked, Hooks, Replaced, Result, Step};
//! use smoothish_ad::smooth::program::Instruction;
//!
//! /// `sin x = x`, to see how far an approximation leads.
//! #[derive(Clone, Debug)]
//! struct SmallAngles;
//!
//! impl<C: Context> Hooks<C> for SmallAngles {
//!     fn step(&self, step: &Step<C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C>
//!     where
//!         C: Hooked,
//!     {
//!         match *step.instruction {
//!             Instruction::Unary(Unary::Function(Function::Sin), x) => Ok(step.operand(x).clone()),
//!             _ => library(),
//!         }
//!     }
//! }
//!
//! let sine = Graph::function(Function::Sin, &Graph::rational(Rational::from((1, 4))));
//! let number = Real::new(Replaced::of(&sine, SmallAngles)?);
//! let answer = number.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(answer.enclosure.contains(&Rational::from((1, 4))));
//! # Ok::<(), SmoothError>(())
//! ```

use crate::number::context::{Context, Function, Planar};
use crate::number::double::Double;
use crate::number::effort::Effort;
use crate::number::enclosure::Enclosure;
use crate::number::ends::{Direction, Ends};
use crate::number::extension::Extension;
use crate::number::interval::Interval;
use crate::number::mpfr::Mpfr;
use crate::number::real::Tier;
use crate::number::{Float, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SecondOrder, Site};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::{Branches, Frame, Machine, Target};
use crate::smooth::program::{Block, Instruction, Register};
use crate::smooth::question::{Closed, Component, Followed, Run, run_program};
use crate::smooth::solve::optimum::peak::Peak;
use std::fmt::Debug;
use std::sync::Arc;

/// The result of a step.
pub type Result<C> = std::result::Result<Jet<<C as Context>::Num>, SmoothError>;

/// Rules of the evaluator that may be replaced. The provided methods are the rules of the library.
///
/// An answer encloses the true value only if the hooks keep their theorems. They are not checked here: the laws test
/// them.
pub trait Hooks<C: Context>: Clone + Debug + Send + Sync + 'static {
    // a constant, not a method: the compiler removes inactive hooks with all their calls
    /// `true` if the hooks are called. The evaluator then takes no shortcut around its steps.
    const ACTIVE: bool = true;

    /// Returns the result of a step; `library` computes the library's result.
    ///
    /// *Theorem to keep*: each coefficient that the result marks as defined encloses the Taylor coefficient of the
    /// operation, for all jets that the operands enclose. A missing coefficient is 0 for all of them. Narrower operands
    /// give a narrower result, since enclosures of one number are intersected.
    ///
    /// # Errors
    /// Errors of the step.
    fn step(&self, step: &Step<'_, C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C>
    where
        C: Hooked,
    {
        let _ = step;
        library()
    }

    /// Returns the expansion from which a derivative is read: a function in the last generator of an algebra. Its
    /// coefficients of degree 0 are the values of the function.
    ///
    /// *Theorem to keep*: as for a step. Values must not be marked as defined where the function may have none, nor the
    /// other coefficients where it may have none nearby.
    fn expansion(&self, jets: &Jets<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        let _ = jets;
        expansion
    }

    /// Returns the candidates for the maximum of a function on [0, 1], for `max01` or `argmax01`;
    /// [`Kind`](crate::smooth::solve::optimum::peak::Kind) lists their kinds.
    ///
    /// *Theorem to keep*: every maximiser lies in one of the candidates, and each candidate is of its kind.
    fn peaks(&self, context: &C, primitive: SecondOrder, peaks: Vec<Peak<C::Num>>) -> Vec<Peak<C::Num>> {
        let _ = (context, primitive);
        peaks
    }

    /// Returns the kink of an integrand at which an integral is split.
    ///
    /// *Theorem to keep*: the place encloses, as a jet, the zero of the branch point. On each side of it the stated
    /// branch is taken.
    fn kink(&self, kink: Kink<C::Num>) -> Kink<C::Num> {
        kink
    }
}

/// The hooks of the library: not active.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl<C: Context> Hooks<C> for Library {
    const ACTIVE: bool = false;
}

/// An arithmetic for the evaluator, with its hooks.
pub trait Hooked: Context {
    /// The type of the hooks.
    type Hooks: Hooks<Self>;

    /// `true` if the hooks are called.
    const ACTIVE: bool = <Self::Hooks as Hooks<Self>>::ACTIVE;

    /// Returns the hooks.
    fn hooks(&self) -> &Self::Hooks;

    /// Runs a block, for [`Machine::run`]. For the arithmetics of the library this is no generic function, so the
    /// evaluator and its solvers are compiled once, by this crate, and not by each crate that runs them.
    #[doc(hidden)]
    fn run_block(
        machine: &Machine<'_, Self>,
        block: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<Self::Num>]; 2],
        branches: &mut Branches,
        target: Target,
    ) -> Outputs<Self>;
}

/// The result of a block.
type Outputs<C> = std::result::Result<Vec<Jet<<C as Context>::Num>>, SmoothError>;

macro_rules! run_block {
    ($num:ty) => {
        fn run_block(
            machine: &Machine<'_, Self>,
            block: &Block,
            algebra: &Arc<Algebra>,
            inputs: [&[Jet<$num>]; 2],
            branches: &mut Branches,
            target: Target,
        ) -> Outputs<Self> {
            machine.run_here(block, algebra, inputs, branches, target)
        }
    };
}

impl Hooked for Double {
    type Hooks = Library;
    fn hooks(&self) -> &Library {
        &Library
    }
    run_block!(<Double as Context>::Num);
}

impl Hooked for Mpfr {
    type Hooks = Library;
    fn hooks(&self) -> &Library {
        &Library
    }
    run_block!(<Mpfr as Context>::Num);
}

/// An arithmetic with custom hooks.
#[derive(Clone, Debug)]
pub struct Under<T, H> {
    arithmetic: T,
    hooks: H,
}

impl<T: Ends, H: Hooks<Self>> Hooked for Under<T, H> {
    type Hooks = H;
    fn hooks(&self) -> &H {
        &self.hooks
    }
    run_block!(Self::Num);
}

/// A closed graph that is evaluated with custom hooks, in both arithmetics.
#[derive(Debug)]
pub struct Replaced<H> {
    closed: Closed,
    hooks: H,
}

impl<H: Hooks<Under<Double, H>> + Hooks<Under<Mpfr, H>>> Replaced<H> {
    /// Creates the value of a closed graph under `hooks`.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn of(graph: &Graph, hooks: H) -> std::result::Result<Component<Self>, SmoothError> {
        Ok(Component::alone(Self { closed: Closed::of(std::slice::from_ref(graph))?, hooks }))
    }
}

impl<H: Hooks<Under<Double, H>> + Hooks<Under<Mpfr, H>>> Run for Replaced<H> {
    fn run(&self, tier: Tier, effort: &Effort, _: Followed) -> std::result::Result<Vec<Enclosure>, SmoothError> {
        let (program, hooks) = (&self.closed.program, self.hooks.clone());
        // solvers publish enclosures by the rules of the library, not of the hooks, so none is reported
        match tier {
            Tier::Double => run_program(&Under { arithmetic: Double, hooks }, program, effort, None),
            Tier::Mpfr(bits) => run_program(&Under { arithmetic: Mpfr::new(bits), hooks }, program, effort, None),
        }
    }

    fn count(&self) -> usize {
        self.closed.count()
    }

    fn least_precision(&self) -> u32 {
        self.closed.least_precision()
    }

    fn has_solver(&self) -> bool {
        self.closed.has_solver()
    }
}

/// A step of the evaluator, before it is executed.
#[derive(Debug)]
pub struct Step<'s, C: Hooked> {
    /// The evaluator.
    pub machine: &'s Machine<'s, C>,
    /// The algebra of the step.
    pub algebra: &'s Arc<Algebra>,
    /// The instruction.
    pub instruction: &'s Instruction,
    /// The position in the source.
    pub site: Site,
    /// The branch that is taken, if the step has a kink.
    pub branch: Branch,
    pub(super) frame: &'s Frame<'s, C::Num>,
}

impl<C: Hooked> Step<'_, C> {
    /// Returns the arithmetic of jets over the algebra of the step.
    #[must_use]
    pub fn jets(&self) -> Jets<'_, C> {
        self.machine.jets(self.algebra)
    }

    /// Returns the value of a register.
    #[must_use]
    pub fn operand(&self, register: Register) -> &Jet<C::Num> {
        self.frame.get(register)
    }

    /// Returns the values of some registers.
    #[must_use]
    pub fn operands(&self, registers: &[Register]) -> Vec<Jet<C::Num>> {
        self.frame.collect(registers)
    }
}

/// A kink of an integrand, where an integral is split.
#[derive(Clone, Debug)]
pub struct Kink<N> {
    /// The position of the kink, as a jet: with its derivatives in everything else.
    pub place: Jet<N>,
    /// The branches that are taken on its left and on its right.
    pub sides: [Branch; 2],
}

macro_rules! as_before {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(#[inline]
        fn $name(&self, $($argument: $type),*) -> $result {
            self.arithmetic.$name($($argument),*)
        })*
    };
}

impl<T: Ends, H: Clone + Debug + Send + Sync + 'static> Ends for Under<T, H> {
    type End = T::End;

    fn doubled(&self) -> Option<Self> {
        Some(Self { arithmetic: self.arithmetic.doubled()?, hooks: self.hooks.clone() })
    }

    as_before! {
        bits() -> u32;
        extend(f: &dyn Extension, inputs: &[Interval<T::End>]) -> Interval<T::End>;
        small(n: i8) -> T::End;
        infinite(direction: Direction) -> T::End;
        whole(direction: Direction, n: i64) -> T::End;
        round(direction: Direction, x: &Float) -> T::End;
        fraction(direction: Direction, q: &Rational) -> T::End;
        circle(direction: Direction) -> T::End;
        sum(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        difference(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        product(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        quotient(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        nth_power(direction: Direction, a: &T::End, n: u32) -> T::End;
        nth_root(direction: Direction, a: &T::End, n: u32) -> T::End;
        value(direction: Direction, f: Function, x: &T::End) -> T::End;
        values(f: Function, x: &T::End) -> (T::End, T::End);
        thin_image(f: Function, a: &Interval<T::End>) -> Option<Interval<T::End>>;
        planar(direction: Direction, f: Planar, a: &T::End, b: &T::End) -> T::End;
        far_quadrant(x: &T::End) -> Option<u8>;
        bernoulli(j: usize) -> Interval<T::End>;
        between(lo: &T::End, hi: &T::End) -> T::End;
        swift_sum(a: &Interval<T::End>, b: &Interval<T::End>) -> Option<Interval<T::End>>;
        swift_product(a: &Interval<T::End>, b: &Interval<T::End>) -> Option<Interval<T::End>>;
        swift_multiple(a: &Interval<T::End>, n: i64) -> Option<Interval<T::End>>;
        swift_part(a: &Interval<T::End>, n: u64) -> Option<Interval<T::End>>;
        accumulate(acc: &mut Interval<T::End>, a: &Interval<T::End>, b: &Interval<T::End>) -> bool;
    }
}
