//! The flat form of a graph: straight-line blocks, one for each binder.
//!
//! What a binder's body does not compute from the variables it binds is *captured*: computed once in the block outside.
//! Equal operations on equal registers are one instruction.
//!
//! A choice between two parts is an instruction behind both of them, so that nothing is computed twice; what only one side
//! needs is a [region], which a run leaves out where the guard decides for the other side.

mod compile;
pub mod fubini;
mod pruned;
pub mod region;
pub mod rivals;
pub mod shared;

use crate::number::{Context, Rational};
use crate::smooth::algebra::MOST_MONOMIALS;
use crate::smooth::graph::{Binary, Exponent, SecondOrder, Site, Unary};
use crate::smooth::machine::Target;
use crate::smooth::machine::switch::{Look, Switch};
use crate::smooth::primitive::Primitive;
use fubini::Swapped;
use region::Regions;
use rivals::Rivals;
use shared::Shared;
use std::sync::{Arc, OnceLock};

/// A value in a block: first its parameters, then its captures, then the results of its instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register(pub u32);

/// One step.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A constant of the program.
    Constant(u32),
    /// A unary operation.
    Unary(Unary, Register),
    /// A binary operation.
    Binary(Binary, Register, Register),
    /// A rational power.
    Power(Register, Exponent),
    /// A primitive from outside.
    Primitive(Arc<Primitive>, Box<[Register]>),
    /// A directional derivative of a block.
    Derivative {
        /// The map that is differentiated, by its parameters.
        body: Arc<Block>,
        /// The values of what it captures.
        captures: Box<[Register]>,
        /// The point.
        at: Box<[Register]>,
        /// The direction.
        along: Box<[Register]>,
        /// Which partial derivative it is, if it is one.
        partial: Option<Partial>,
    },
    /// A second-order primitive applied to a block of one parameter.
    Second {
        /// Which one.
        primitive: SecondOrder,
        /// The function.
        body: Arc<Block>,
        /// The values of what it captures.
        captures: Box<[Register]>,
    },
    /// The number that decides choices: its sign is taken here, once.
    Guard(Register),
    /// A choice.
    Select {
        /// The result of a [`Instruction::Guard`] of the same block.
        guard: Register,
        /// What is chosen where the guard is positive.
        then: Register,
        /// What is chosen where it is negative.
        otherwise: Register,
    },
}

/// A partial derivative, beside the others of the same body at the same point.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The parameter of the body that moves, all others being held fixed.
    pub place: usize,
    /// What computes all of them at once, where something does.
    pub gradient: Option<Arc<Gradient>>,
    /// The values of what that captures.
    pub captures: Box<[Register]>,
}

/// Partial derivatives of what a solver finds, at once.
#[derive(Debug)]
pub struct Gradient {
    /// Those that a program asks for, by the places of their variables: known when it is compiled.
    pub wanted: OnceLock<Wanted>,
    /// Of an integral, what the integrand captures, computed from the variables.
    pub inputs: Option<Block>,
}

/// What is asked of a gradient.
#[derive(Debug)]
pub struct Wanted {
    /// The variables in which the slopes are taken, by their places.
    pub places: Vec<usize>,
    /// Of an integral, the integrand, then its slopes; the parameter is what is integrated over.
    pub integrand: Option<Block>,
}

/// What an instruction reads a register for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// To compute with it.
    Operand,
    /// To hand it to a block.
    Capture,
    /// To choose it where the guard is positive.
    Then(Register),
    /// To choose it where the guard is negative.
    Otherwise(Register),
}

impl Instruction {
    /// What a step computes from that runs other code: where it is evaluated, and what that captures.
    #[must_use]
    pub fn nested_inputs(&self) -> Option<[&[Register]; 2]> {
        match self {
            Self::Primitive(_, xs) => Some([xs, &[]]),
            Self::Derivative { captures, at, .. } => Some([captures, at]),
            Self::Second { captures, .. } => Some([captures, &[]]),
            _ => None,
        }
    }
}

/// Straight-line code with parameters and captures.
#[derive(Debug)]
pub struct Block {
    /// The number of parameters.
    pub parameters: usize,
    /// The number of captures.
    pub captures: usize,
    /// The steps.
    pub instructions: Vec<Instruction>,
    /// Where each of them stands in a source.
    pub sites: Vec<Site>,
    /// The results.
    pub outputs: Vec<Register>,
    /// The steps that only one side of a choice needs.
    pub regions: Regions,
    /// What the steps compete with.
    pub rivals: Rivals,
    /// The maxima of two optima that may be attained at one place.
    pub shared: Box<[Shared]>,
    /// Of the integrand of an integral that is one itself: the other order.
    pub swapped: Option<Box<Swapped>>,
    /// Whether it has no binders, no primitives from outside and no jumps but those of guards: a number is made of numbers.
    pub is_plain: bool,
    /// Whether something in it is found by a solver: what a tolerance is for.
    pub has_solver: bool,
    /// How deep blocks lie within each other, this one included.
    pub depth: u32,
}

impl Block {
    /// The deepest block that is run: a derivative of order n of a function of one variable may take n blocks, and an algebra
    /// of n + 1 monomials.
    pub const DEEPEST: u32 = MOST_MONOMIALS as u32;

    /// Whether a switch is the border of a guard, or a place where a sign, a derivative, a function of two numbers or what a solver
    /// finds may jump, and not a kink.
    #[must_use]
    pub fn is_border(&self, switch: Switch) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(
                Instruction::Guard(_)
                | Instruction::Unary(Unary::Signum, _)
                | Instruction::Binary(Binary::Planar(_), ..),
            ) => true,
            // of two ends where a maximum is attained, neither is greater where that is decided; the place jumps
            Some(Instruction::Second { primitive: SecondOrder::Maximum, .. }) => {
                switch.look() != Look::Ends || switch.inside() != Target::Outputs
            }
            _ => !switch.is_own(),
        }
    }
}

impl Block {
    /// Whether a value may jump where a switch is 0, though it is bounded there: a sign, a guard, an angle, a derivative and the place of a
    /// maximum do; kinks, integrals, first roots and maxima do not.
    #[must_use]
    pub fn may_jump_at(&self, switch: Switch) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(Instruction::Second { primitive, .. }) => *primitive == SecondOrder::Maximiser,
            Some(Instruction::Derivative { .. }) => true,
            _ => self.is_border(switch),
        }
    }
}

/// A constant that each context rounds for itself.
#[derive(Clone, Debug)]
pub enum Constant {
    /// An exact rational.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
}

impl Constant {
    /// The constant in an arithmetic.
    pub fn at<C: Context>(&self, context: &C) -> C::Num {
        match self {
            Self::Rational(q) => context.rational(q),
            Self::Pi => context.pi(),
            Self::Euler => context.euler(),
        }
    }
}

/// A compiled map `ℝⁿ ⇝ ℝᵐ`.
#[derive(Debug)]
pub struct Program {
    /// The constants.
    pub constants: Vec<Constant>,
    /// The outermost block.
    pub root: Block,
}

impl Program {
    /// A precision below which its numbers may be worthless: the size of the largest constant, in bits.
    #[must_use]
    pub fn least_precision(&self) -> u32 {
        let size = |constant: &Constant| match constant {
            Constant::Rational(q) => q.numer().significant_bits(),
            Constant::Pi | Constant::Euler => 2,
        };
        self.constants.iter().map(size).max().unwrap_or(53)
    }
}

/// Blocks may lie in each other to any depth: they are dropped without recursion.
impl Drop for Block {
    fn drop(&mut self) {
        let mut waiting = vec![std::mem::take(&mut self.instructions)];
        while let Some(instructions) = waiting.pop() {
            for body in instructions.into_iter().filter_map(|instruction| instruction.body().cloned()) {
                waiting.extend(Arc::into_inner(body).map(|mut block| std::mem::take(&mut block.instructions)));
            }
        }
    }
}

impl Instruction {
    /// The function that a binder is applied to.
    fn body(&self) -> Option<&Arc<Block>> {
        match self {
            Self::Derivative { body, .. } | Self::Second { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Whether a step makes a number of numbers, with no other algebra and no side of a jump to be known.
    fn is_plain(&self) -> bool {
        !matches!(
            self,
            Self::Primitive(..) | Self::Derivative { .. } | Self::Second { .. } | Self::Binary(Binary::Planar(_), ..)
        )
    }

    /// Whether a solver is asked, here or by what is differentiated here.
    fn has_solver(&self) -> bool {
        match self {
            Self::Second { .. } => true,
            Self::Derivative { body, .. } => body.has_solver,
            _ => false,
        }
    }

    /// The registers that are read, and what for.
    pub fn reads(&self, mut read: impl FnMut(Register, Use)) {
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) | Self::Guard(x) => read(*x, Use::Operand),
            Self::Binary(_, x, y) => {
                read(*x, Use::Operand);
                read(*y, Use::Operand);
            }
            Self::Primitive(_, xs) => xs.iter().for_each(|x| read(*x, Use::Operand)),
            Self::Derivative { captures, at, along, partial, .. } => {
                let inner = partial.iter().flat_map(|partial| &partial.captures);
                captures.iter().chain(inner).for_each(|x| read(*x, Use::Capture));
                at.iter().chain(along).for_each(|x| read(*x, Use::Operand));
            }
            Self::Second { captures, .. } => captures.iter().for_each(|x| read(*x, Use::Capture)),
            Self::Select { guard, then, otherwise } => {
                read(*guard, Use::Operand);
                read(*then, Use::Then(*guard));
                read(*otherwise, Use::Otherwise(*guard));
            }
        }
    }
}
