//! Hooks of the jet evaluator: they replace single rules of this layer, to test that a wrong rule is detected.
//!
//! A [`JetEvaluator`] evaluates by the rules of this layer, in an arithmetic. Its [hooks](EvalHooks) are a type that belongs to
//! the arithmetic ([`HookedContext`]). The hooks of [`StandardEvalHooks`], which doubles and MPFR have, are not [active](EvalHooks::ACTIVE):
//! every call is guarded by that constant, so the compiler removes it. [`WithHooks`] is an arithmetic with other hooks. The
//! evaluator is compiled a second time for it, by the crate that runs it.
//!
//! A hook is called at every step. It may return the library's result, change it, or compute another: [`EvalStep`] gives
//! access to the evaluator, the solvers and the arithmetic of jets.
//!
//! ```
//! use smoothish_ad::number::arithmetic::{Context, Function};
//! use smoothish_ad::number::{Rational, budget::Budget, real::RefinableReal};
//! use smoothish_ad::smooth::error::SmoothError;
//! use smoothish_ad::smooth::graph::{Graph, Unary};
//! use smoothish_ad::smooth::hooks::{HookedContext, EvalHooks, HookedGraph, StepResult, EvalStep};
//! use smoothish_ad::smooth::program::BlockInstruction;
//!
//! /// `sin x = x`, to see how far an approximation leads.
//! #[derive(Clone, Debug)]
//! struct SmallAngles;
//!
//! impl<C: Context> EvalHooks<C> for SmallAngles {
//!     fn eval_step(&self, step: &EvalStep<C>, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>
//!     where
//!         C: HookedContext,
//!     {
//!         match *step.instruction {
//!             BlockInstruction::Unary(Unary::Function(Function::Sin), x) => Ok(step.operand(x).clone()),
//!             _ => library(),
//!         }
//!     }
//! }
//!
//! let sine = Graph::function(Function::Sin, &Graph::rational(Rational::from((1, 4))));
//! let number = RefinableReal::new(HookedGraph::with_hooks(&sine, SmallAngles)?);
//! let answer = number.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(answer.enclosure.contains(&Rational::from((1, 4))));
//! # Ok::<(), SmoothError>(())
//! ```
//!
//! A type parameter for hooks would be one of the solvers, panels and searches too, in some 150 signatures. So the
//! hooks belong to the arithmetic: `C: Hooked` stands where `C: Context` would, and no signature has a parameter
//! more.

use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::{Context, Direction, EndpointArithmetic, Extension, Function, Interval, Planar};
use crate::number::budget::Budget;
use crate::number::double::Double;
use crate::number::enclosure::Enclosure;
use crate::number::foreign::ExtensionFault;
use crate::number::mpfr::Mpfr;
use crate::number::real::Precision;
use crate::number::{Float, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SecondOrder, SourceId};
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator, RegisterFile};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use crate::smooth::question::{ClosedProgram, JointNumber, JointProgram, RunObserver, run_program};
use crate::smooth::solve::optimum::peak::MaximiserCandidate;
use std::fmt::Debug;
use std::sync::Arc;

/// The result of a step.
pub type StepResult<C> = std::result::Result<Jet<<C as Context>::Num>, SmoothError>;

/// Rules of the evaluator that may be replaced. The provided methods are the rules of the library.
///
/// An answer encloses the true value only if the hooks keep their theorems. They are not checked here: the laws test
/// them.
pub trait EvalHooks<C: Context>: Clone + Debug + Send + Sync + 'static {
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
    fn eval_step(&self, step: &EvalStep<'_, C>, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>
    where
        C: HookedContext,
    {
        let _ = step;
        library()
    }

    /// Returns the expansion from which a derivative is read: a function in the last generator of an algebra. Its
    /// coefficients of degree 0 are the values of the function.
    ///
    /// *Theorem to keep*: as for a step. Values must not be marked as defined where the function may have none, nor the
    /// other coefficients where it may have none nearby.
    fn derivative_expansion(&self, jets: &JetArithmetic<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        let _ = jets;
        expansion
    }

    /// Returns the candidates for the maximum of a function on [0, 1], for `max01` or `argmax01`;
    /// [`Kind`](crate::smooth::solve::optimum::peak::MaximiserKind) lists their kinds.
    ///
    /// *Theorem to keep*: every maximiser lies in one of the candidates, and each candidate is of its kind.
    fn maximum_candidates(
        &self,
        context: &C,
        primitive: SecondOrder,
        peaks: Vec<MaximiserCandidate<C::Num>>,
    ) -> Vec<MaximiserCandidate<C::Num>> {
        let _ = (context, primitive);
        peaks
    }

    /// Returns the kink of an integrand at which an integral is split.
    ///
    /// *Theorem to keep*: the place encloses, as a jet, the zero of the branch point. On each side of it the stated
    /// branch is taken.
    fn integral_kink(&self, kink: IntegrandKink<C::Num>) -> IntegrandKink<C::Num> {
        kink
    }
}

/// The hooks of the library: not active.
#[derive(Clone, Copy, Debug)]
pub struct StandardEvalHooks;

impl<C: Context> EvalHooks<C> for StandardEvalHooks {
    const ACTIVE: bool = false;
}

/// An arithmetic for the evaluator, with its hooks.
pub trait HookedContext: Context {
    /// The type of the hooks.
    type Hooks: EvalHooks<Self>;

    /// `true` if the hooks are called.
    const ACTIVE: bool = <Self::Hooks as EvalHooks<Self>>::ACTIVE;

    /// Returns the hooks.
    fn hooks(&self) -> &Self::Hooks;

    /// Runs a block, for [`JetEvaluator::run_joint`]. For the arithmetics of the library this is no generic function, so the
    /// evaluator and its solvers are compiled once, by this crate, and not by each crate that runs them.
    #[doc(hidden)]
    fn run_block(
        machine: &JetEvaluator<'_, Self>,
        block: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<Self::Num>]; 2],
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> BlockOutputs<Self>;
}

/// The result of a block.
type BlockOutputs<C> = std::result::Result<Vec<Jet<<C as Context>::Num>>, SmoothError>;

macro_rules! run_block {
    ($num:ty) => {
        fn run_block(
            machine: &JetEvaluator<'_, Self>,
            block: &Block,
            algebra: &Arc<Algebra>,
            inputs: [&[Jet<$num>]; 2],
            branches: &mut BranchDecisions,
            target: EvalTarget,
        ) -> BlockOutputs<Self> {
            machine.eval_instructions(block, algebra, inputs, branches, target)
        }
    };
}

impl HookedContext for Double {
    type Hooks = StandardEvalHooks;
    fn hooks(&self) -> &StandardEvalHooks {
        &StandardEvalHooks
    }
    run_block!(<Double as Context>::Num);
}

impl HookedContext for Mpfr {
    type Hooks = StandardEvalHooks;
    fn hooks(&self) -> &StandardEvalHooks {
        &StandardEvalHooks
    }
    run_block!(<Mpfr as Context>::Num);
}

/// An arithmetic with custom hooks.
#[derive(Clone, Debug)]
pub struct WithHooks<T, H> {
    arithmetic: T,
    hooks: H,
}

impl<T: EndpointArithmetic, H: EvalHooks<Self>> HookedContext for WithHooks<T, H> {
    type Hooks = H;
    fn hooks(&self) -> &H {
        &self.hooks
    }
    run_block!(Self::Num);
}

/// A closed graph that is evaluated with custom hooks, in both arithmetics.
#[derive(Debug)]
pub struct HookedGraph<H> {
    closed: ClosedProgram,
    hooks: H,
}

impl<H: EvalHooks<WithHooks<Double, H>> + EvalHooks<WithHooks<Mpfr, H>>> HookedGraph<H> {
    /// Creates the value of a closed graph under `hooks`.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn with_hooks(graph: &Graph, hooks: H) -> std::result::Result<JointNumber<Self>, SmoothError> {
        Ok(JointNumber::first_of(Self { closed: ClosedProgram::compile_graphs(std::slice::from_ref(graph))?, hooks }))
    }
}

impl<H: EvalHooks<WithHooks<Double, H>> + EvalHooks<WithHooks<Mpfr, H>>> JointProgram for HookedGraph<H> {
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        _: RunObserver,
    ) -> std::result::Result<Vec<Enclosure>, SmoothError> {
        let (program, hooks) = (&self.closed.program, self.hooks.clone());
        // solvers publish enclosures by the rules of the library, not of the hooks, so none is reported
        match tier {
            Precision::Double => run_program(&WithHooks { arithmetic: Double, hooks }, program, effort, None),
            Precision::Mpfr(bits) => {
                run_program(&WithHooks { arithmetic: Mpfr::new(bits), hooks }, program, effort, None)
            }
        }
    }

    fn output_count(&self) -> usize {
        self.closed.output_count()
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
pub struct EvalStep<'s, C: HookedContext> {
    /// The evaluator.
    pub machine: &'s JetEvaluator<'s, C>,
    /// The algebra of the step.
    pub algebra: &'s Arc<Algebra>,
    /// The instruction.
    pub instruction: &'s BlockInstruction,
    /// The position in the source.
    pub site: SourceId,
    /// The branch that is taken, if the step has a kink.
    pub branch: KinkBranch,
    pub(super) frame: &'s RegisterFile<'s, C::Num>,
}

impl<C: HookedContext> EvalStep<'_, C> {
    /// Returns the arithmetic of jets over the algebra of the step.
    #[must_use]
    pub fn jet_arithmetic(&self) -> JetArithmetic<'_, C> {
        self.machine.jets(self.algebra)
    }

    /// Returns the value of a register.
    #[must_use]
    pub fn operand(&self, register: BlockRegister) -> &Jet<C::Num> {
        self.frame.get(register)
    }

    /// Returns the values of some registers.
    #[must_use]
    pub fn operands(&self, registers: &[BlockRegister]) -> Vec<Jet<C::Num>> {
        self.frame.get_all(registers)
    }
}

/// A kink of an integrand, where an integral is split.
#[derive(Clone, Debug)]
pub struct IntegrandKink<N> {
    /// The position of the kink, as a jet: with its derivatives in everything else.
    pub position: Jet<N>,
    /// The branches that are taken on its left and on its right.
    pub sides: [KinkBranch; 2],
}

macro_rules! as_before {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(#[inline]
        fn $name(&self, $($argument: $type),*) -> $result {
            self.arithmetic.$name($($argument),*)
        })*
    };
}

impl<T: EndpointArithmetic, H: Clone + Debug + Send + Sync + 'static> EndpointArithmetic for WithHooks<T, H> {
    type End = T::End;

    fn doubled_precision(&self) -> Option<Self> {
        Some(Self { arithmetic: self.arithmetic.doubled_precision()?, hooks: self.hooks.clone() })
    }

    as_before! {
        bits() -> u32;
        eval_extension(f: &dyn Extension, inputs: &[Interval<T::End>]) -> Interval<T::End>;
        eval_fallible_extension(f: &dyn Extension, inputs: &[Interval<T::End>], budget: &Budget) -> Result<Interval<T::End>, ExtensionFault>;
        small_integer(n: i8) -> T::End;
        signed_infinity(direction: Direction) -> T::End;
        round_integer(direction: Direction, n: i64) -> T::End;
        round_float(direction: Direction, x: &Float) -> T::End;
        round_rational(direction: Direction, q: &Rational) -> T::End;
        round_pi(direction: Direction) -> T::End;
        add_rounded(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        sub_rounded(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        mul_rounded(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        div_rounded(direction: Direction, a: &T::End, b: &T::End) -> T::End;
        power_rounded(direction: Direction, a: &T::End, n: u32) -> T::End;
        root_rounded(direction: Direction, a: &T::End, n: u32) -> T::End;
        eval_rounded(direction: Direction, f: Function, x: &T::End) -> T::End;
        eval_bounds(f: Function, x: &T::End) -> (T::End, T::End);
        mean_value_image(f: Function, a: &Interval<T::End>) -> Option<Interval<T::End>>;
        eval_binary_rounded(direction: Direction, f: Planar, a: &T::End, b: &T::End) -> T::End;
        quadrant_of_large(x: &T::End) -> Option<u8>;
        bernoulli_number(j: usize) -> Interval<T::End>;
        middle_between(lo: &T::End, hi: &T::End) -> T::End;
        add_fast(a: &Interval<T::End>, b: &Interval<T::End>) -> Option<Interval<T::End>>;
        mul_fast(a: &Interval<T::End>, b: &Interval<T::End>) -> Option<Interval<T::End>>;
        scale_fast(a: &Interval<T::End>, n: i64) -> Option<Interval<T::End>>;
        divide_fast(a: &Interval<T::End>, n: u64) -> Option<Interval<T::End>>;
        mul_add_fast(acc: &mut Interval<T::End>, a: &Interval<T::End>, b: &Interval<T::End>) -> bool;
    }
}
