//! Hooks of the machine, with which a rule of this layer is replaced: to see what becomes of programs under a wrong one.
//!
//! A [`Machine`] computes by the rules of this layer, in an arithmetic. Which [hooks](Hooks) it asks is a type that belongs to the arithmetic
//! ([`Hooked`]). Those of [`Library`], which doubles and MPFR have, are not [active](Hooks::ACTIVE): every question stands behind that constant,
//! so that the compiler removes it. [`Under`] is an arithmetic with other hooks; for it the machine is compiled a second time, by the crate that
//! runs it.
//!
//! A hook is asked at every step, and may leave it as it is, change its result, or compute another: [`Step`] has all that the machine has, and the
//! solvers and the arithmetic of jets are there to be called.
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

/// What becomes of a step.
pub type Result<C> = std::result::Result<Jet<<C as Context>::Num>, SmoothError>;

/// What a machine asks where a rule may be replaced. What is not written is the rule of the library.
///
/// An answer encloses the true value only if the hooks keep their theorems. Nothing checks them: that is what laws are for.
pub trait Hooks<C: Context>: Clone + Debug + Send + Sync + 'static {
    /// Whether they are asked. While they are, the machine takes no shortcut that passes by its steps.
    const ACTIVE: bool = true;

    /// The result of a step; `library` computes what the library makes of it.
    ///
    /// *Theorem to keep*: the result encloses, in every coefficient that it says is defined, the Taylor coefficient of the
    /// operation at all jets that the operands enclose; a coefficient that is left out is 0 for all of them; and narrower
    /// operands give a narrower result, since of several enclosures of a number the intersection is taken.
    ///
    /// # Errors
    /// As the rules say; those of the step.
    fn step(&self, step: &Step<'_, C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C>
    where
        C: Hooked,
    {
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

/// Those of the library, which nobody asks.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl<C: Context> Hooks<C> for Library {
    const ACTIVE: bool = false;
}

/// An arithmetic that a machine runs in, with the hooks that it asks.
pub trait Hooked: Context {
    /// What is asked.
    type Hooks: Hooks<Self>;

    /// Whether anything is asked.
    const ACTIVE: bool = <Self::Hooks as Hooks<Self>>::ACTIVE;

    /// The hooks.
    fn hooks(&self) -> &Self::Hooks;

    /// Runs a block: [`Machine::run`] leads here. For the arithmetics of the library it is no generic function, so that the machine and
    /// its solvers are compiled once, by this crate, and not by each that runs them.
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

/// What a block comes to.
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

/// An arithmetic with other hooks than those of the library.
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

/// A closed graph that is run with other hooks, in both arithmetics.
#[derive(Debug)]
pub struct Replaced<H> {
    closed: Closed,
    hooks: H,
}

impl<H: Hooks<Under<Double, H>> + Hooks<Under<Mpfr, H>>> Replaced<H> {
    /// The value of a closed graph.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when the graph has free variables.
    pub fn of(graph: &Graph, hooks: H) -> std::result::Result<Component<Self>, SmoothError> {
        Ok(Component::alone(Self { closed: Closed::of(std::slice::from_ref(graph))?, hooks }))
    }
}

impl<H: Hooks<Under<Double, H>> + Hooks<Under<Mpfr, H>>> Run for Replaced<H> {
    fn run(&self, tier: Tier, effort: &Effort, _: Followed) -> std::result::Result<Vec<Enclosure>, SmoothError> {
        let (program, hooks) = (&self.closed.program, self.hooks.clone());
        // what a solver offers in the meantime is found by the rules of the library, so nothing is told
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

/// A step that is to be done.
#[derive(Debug)]
pub struct Step<'s, C: Hooked> {
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

impl<C: Hooked> Step<'_, C> {
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
