//! Compiled maps: graphs in flat form, as straight-line blocks with one block for each binder.
//!
//! A part of a binder's body that does not depend on the bound variables is *captured*: it is computed once, in the block
//! outside. Equal operations on equal registers are one instruction (value numbering).
//!
//! A choice between two parts is an instruction behind both of them, so that nothing is computed twice. The steps that only
//! one side needs are a [region] (control dependence): a run skips them if the guard decides for the other side.

mod compile;
pub mod fubini;
mod pruned;
pub mod region;
pub mod rivals;
pub mod shared;

use crate::number::{Context, Rational};
use crate::smooth::algebra::MOST_MONOMIALS;
use crate::smooth::graph::{Binary, RationalExponent, SecondOrder, SourceId, Unary};
use crate::smooth::machine::EvalTarget;
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::primitive::Primitive;
use fubini::SwappedIntegral;
use region::ControlDependences;
use rivals::MinMaxTree;
use shared::TiedMaxima;
use std::sync::{Arc, OnceLock};

/// A register of a block. Parameters come first, then captures, then the results of the instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockRegister(pub u32);

/// An instruction of a block: it computes one register from others.
#[derive(Clone, Debug)]
pub enum BlockInstruction {
    /// A constant of the program.
    Constant(u32),
    /// A unary operation.
    Unary(Unary, BlockRegister),
    /// A binary operation.
    Binary(Binary, BlockRegister, BlockRegister),
    /// A rational power.
    Power(BlockRegister, RationalExponent),
    /// A primitive from outside.
    Primitive(Arc<Primitive>, Box<[BlockRegister]>),
    /// A directional derivative of a block.
    Derivative {
        /// The map that is differentiated, by its parameters.
        body: Arc<Block>,
        /// The registers of the body's captures.
        captures: Box<[BlockRegister]>,
        /// The registers of the point, one for each parameter of the body.
        at: Box<[BlockRegister]>,
        /// The registers of the direction, one for each parameter of the body.
        along: Box<[BlockRegister]>,
        /// The partial derivative that it is, if it is one.
        partial: Option<PartialDerivative>,
    },
    /// A second-order primitive applied to a block of one parameter.
    Second {
        /// The primitive.
        primitive: SecondOrder,
        /// The function, a block of one parameter.
        body: Arc<Block>,
        /// The registers of the function's captures.
        captures: Box<[BlockRegister]>,
    },
    /// The number that decides choices. Its sign is taken here, once for all choices.
    Guard(BlockRegister),
    /// A choice between two registers by a guard.
    Select {
        /// The result of a [`BlockInstruction::Guard`] of the same block.
        guard: BlockRegister,
        /// The result if the guard is positive.
        then: BlockRegister,
        /// The result if the guard is negative.
        otherwise: BlockRegister,
    },
}

/// A partial derivative, one of several of the same body at the same point.
#[derive(Clone, Debug)]
pub struct PartialDerivative {
    /// The index of the parameter that moves, while all others are held fixed.
    pub place: usize,
    /// The gradient that computes all of them at once; `None` if there is none.
    pub gradient: Option<Arc<SolverGradient>>,
    /// The registers of the gradient's captures.
    pub captures: Box<[BlockRegister]>,
}

/// The partial derivatives of a solver's result, to be computed at once.
#[derive(Debug)]
pub struct SolverGradient {
    /// The partial derivatives that the program requests. They are known only at the end of compilation.
    pub requested: OnceLock<RequestedPartials>,
    /// For an integral: the block that computes the captures of the integrand from the variables. `None` for other solvers.
    pub inputs: Option<Block>,
}

/// The partial derivatives that a program requests of a gradient.
#[derive(Debug)]
pub struct RequestedPartials {
    /// The indices of the variables, in increasing order.
    pub places: Vec<usize>,
    /// For an integral: the integrand, then its slopes, as functions of the integration variable. `None` for other solvers.
    pub integrand: Option<Block>,
}

/// The way in which an instruction uses a register that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandUse {
    /// An operand of the computation.
    Operand,
    /// A capture, handed on to a block.
    Capture,
    /// The choice if this guard is positive.
    Then(BlockRegister),
    /// The choice if this guard is negative.
    Otherwise(BlockRegister),
}

impl BlockInstruction {
    /// Returns the registers from which a step runs other code: captures, and the point of evaluation. Returns `None` for a
    /// plain step.
    #[must_use]
    pub fn nested_inputs(&self) -> Option<[&[BlockRegister]; 2]> {
        match self {
            Self::Primitive(_, xs) => Some([xs, &[]]),
            Self::Derivative { captures, at, .. } => Some([captures, at]),
            Self::Second { captures, .. } => Some([captures, &[]]),
            _ => None,
        }
    }
}

/// A straight-line block with parameters and captures.
#[derive(Debug)]
pub struct Block {
    /// The number of parameters.
    pub parameters: usize,
    /// The number of captures.
    pub captures: usize,
    /// The instructions, in the order of evaluation.
    pub instructions: Vec<BlockInstruction>,
    /// The source positions of the instructions.
    pub sites: Vec<SourceId>,
    /// The registers of the results.
    pub outputs: Vec<BlockRegister>,
    /// The control dependences: the steps that only one side of a choice needs.
    pub regions: ControlDependences,
    /// The min/max tree: the numbers that the steps are compared with.
    pub rivals: MinMaxTree,
    /// Pairs of maxima of two optima that may be attained at a common end.
    pub shared: Box<[TiedMaxima]>,
    /// For the integrand of a double integral: the integral in the other order, if there is one.
    pub swapped: Option<Box<SwappedIntegral>>,
    /// `true` if there are no binders, no foreign primitives and no functions of two variables: numbers give numbers.
    pub is_plain: bool,
    /// `true` if some step runs a solver, so that a tolerance makes a difference.
    pub has_solver: bool,
    /// The nesting depth of blocks, this one included.
    pub depth: u32,
}

impl Block {
    /// The deepest block that is evaluated.
    ///
    /// A derivative of order n in one variable may take n blocks and an algebra of n + 1 monomials, so this is the limit of
    /// monomials.
    pub const DEEPEST: u32 = MOST_MONOMIALS as u32;

    /// Returns `true` if a branch point is a border, not a kink: a guard, signum or function of two variables, or inside of
    /// a binder.
    ///
    /// At a border a value, or the derivative or optimum of a binder, may jump. An event of a maximum counts unless it
    /// compares its ends.
    #[must_use]
    pub fn is_border(&self, switch: BranchPoint) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(
                BlockInstruction::Guard(_)
                | BlockInstruction::Unary(Unary::Signum, _)
                | BlockInstruction::Binary(Binary::Planar(_), ..),
            ) => true,
            // Between two ends at which a maximum is attained the maximum has a kink; only its place jumps.
            Some(BlockInstruction::Second { primitive: SecondOrder::Maximum, .. }) => {
                switch.view() != BinderView::EndDifference || switch.inner_target() != EvalTarget::Outputs
            }
            _ => !switch.is_own(),
        }
    }
}

impl Block {
    /// Returns `true` if a value may jump where the number of a branch point is 0, though it is bounded there.
    ///
    /// A signum, a guard, an angle, a derivative and a maximiser may jump; kinks, integrals, roots and maxima do not.
    #[must_use]
    pub fn may_jump_at(&self, switch: BranchPoint) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(BlockInstruction::Second { primitive, .. }) => *primitive == SecondOrder::Maximiser,
            Some(BlockInstruction::Derivative { .. }) => true,
            _ => self.is_border(switch),
        }
    }
}

/// An exact constant, which each context rounds to its own precision.
#[derive(Clone, Debug)]
pub enum ExactConstant {
    /// An exact rational.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
}

impl ExactConstant {
    /// Encloses the constant at the precision of `context`.
    pub fn enclose_in<C: Context>(&self, context: &C) -> C::Num {
        match self {
            Self::Rational(q) => context.enclose_rational(q),
            Self::Pi => context.pi(),
            Self::Euler => context.enclose_euler(),
        }
    }
}

/// A compiled map `ℝⁿ ⇝ ℝᵐ`.
#[derive(Debug)]
pub struct CompiledMap {
    /// The constants, by the indices in [`BlockInstruction::Constant`].
    pub constants: Vec<ExactConstant>,
    /// The outermost block.
    pub root: Block,
}

impl CompiledMap {
    /// Returns a precision in bits below which enclosures may be worthless: the size of the largest constant's numerator.
    #[must_use]
    pub fn least_precision(&self) -> u32 {
        let size = |constant: &ExactConstant| match constant {
            ExactConstant::Rational(q) => q.numer().significant_bits(),
            // π and e are below 4: two bits before the point.
            ExactConstant::Pi | ExactConstant::Euler => 2,
        };
        self.constants.iter().map(size).max().unwrap_or(53)
    }
}

/// Drops nested blocks without recursion, since their depth is not bounded.
impl Drop for Block {
    fn drop(&mut self) {
        let mut waiting = vec![std::mem::take(&mut self.instructions)];
        while let Some(instructions) = waiting.pop() {
            for body in instructions.into_iter().filter_map(|instruction| instruction.binder_body().cloned()) {
                // Only the last owner of a body takes it apart; a shared one is dropped later.
                waiting.extend(Arc::into_inner(body).map(|mut block| std::mem::take(&mut block.instructions)));
            }
        }
    }
}

impl BlockInstruction {
    /// Returns the body of a binder.
    fn binder_body(&self) -> Option<&Arc<Block>> {
        match self {
            Self::Derivative { body, .. } | Self::Second { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Returns `true` if a step computes a number from numbers: no other algebra, and no side of a jump, has to be known.
    fn is_plain(&self) -> bool {
        !matches!(
            self,
            Self::Primitive(..) | Self::Derivative { .. } | Self::Second { .. } | Self::Binary(Binary::Planar(_), ..)
        )
    }

    /// Returns `true` if a step runs a solver, itself or in the body that it differentiates.
    fn has_solver(&self) -> bool {
        match self {
            Self::Second { .. } => true,
            Self::Derivative { body, .. } => body.has_solver,
            _ => false,
        }
    }

    /// Calls `read` with each register that the instruction reads, and its use.
    pub fn for_each_read(&self, mut read: impl FnMut(BlockRegister, OperandUse)) {
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) | Self::Guard(x) => read(*x, OperandUse::Operand),
            Self::Binary(_, x, y) => {
                read(*x, OperandUse::Operand);
                read(*y, OperandUse::Operand);
            }
            Self::Primitive(_, xs) => xs.iter().for_each(|x| read(*x, OperandUse::Operand)),
            Self::Derivative { captures, at, along, partial, .. } => {
                // The captures of the body, and those of the gradient.
                let inner = partial.iter().flat_map(|partial| &partial.captures);
                captures.iter().chain(inner).for_each(|x| read(*x, OperandUse::Capture));
                at.iter().chain(along).for_each(|x| read(*x, OperandUse::Operand));
            }
            Self::Second { captures, .. } => captures.iter().for_each(|x| read(*x, OperandUse::Capture)),
            Self::Select { guard, then, otherwise } => {
                read(*guard, OperandUse::Operand);
                read(*then, OperandUse::Then(*guard));
                read(*otherwise, OperandUse::Otherwise(*guard));
            }
        }
    }
}
