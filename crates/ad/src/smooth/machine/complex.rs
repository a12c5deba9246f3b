//! Evaluation of a block on rectangles of the complex plane, in doubles: where it is analytic, and its greatest modulus there.
//!
//! A bound of the modulus on some region is wanted, for which few digits are enough. An operation has a value on a
//! rectangle if it is analytic on all of the rectangle, and none otherwise:
//!
//! | operation | on |
//! |---|---|
//! | sums, products, `exp`, `sin`, `cos`, `sinh`, `cosh`, `erf`, `erfc`, powers with natural exponents | every rectangle |
//! | quotients | where the divisor's modulus is certainly positive |
//! | `log`, roots, other powers and functions made of them | where the argument certainly avoids (-∞, 0]; principal branch |
//! | `lgamma`, its derivatives | where the real part of the argument is certainly positive |
//!
//! On the real axis each operation agrees with that of real numbers: there an argument that avoids (-∞, 0] is positive. A
//! function that has values on rectangles that cover a region is analytic on the region: arguments of logarithms avoid the
//! cut on all of it. And it commutes with conjugation. Binders other than integrals have no value here.
//!
//! A kink, signum or guard takes the given side, or else the side of the real part of its number, if that is certainly not
//! 0. Rectangles that cover a connected region then all take one side, since neighbours share points. If the region has a
//! real point, that side is the one taken there, and the function analytic on the region is the one of this side.
//!
//! A jet among the captures is a polynomial in its directions, and stands for its values where each of them has at most
//! some modulus. A coefficient of the block's result is at most the largest modulus there over the product of the radii
//! (Cauchy's estimate).
//!
//! An integral over [0, 1] of a function that is analytic in its variable too is analytic. Its values lie in the mean of
//! rectangles for parts of [0, 1]: a rectangle is convex, so a mean of its numbers is one of them.

mod rectangle;

use super::{BranchDecisions, JetEvaluator};
use crate::number::Magnitude;
use crate::number::context::Context;
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
pub use rectangle::ComplexRectangle;
use rectangle::DOUBLE;
use std::collections::BTreeMap;

/// The number of parts of [0, 1] over which an integral is bounded. A choice between work and width.
const PARTS: i64 = 8;

/// A block for evaluation on complex rectangles: its captures and constants in doubles.
#[derive(Debug)]
pub struct ComplexEvaluator<'b> {
    block: &'b Block,
    captures: Vec<ComplexRectangle>,
    /// The constants of the program that occur in the block.
    constants: BTreeMap<u32, ComplexRectangle>,
    /// The given sides.
    given: BranchDecisions,
    /// The number of steps of one evaluation.
    steps: u64,
}

/// Returns the body of an integral, with its captures. Returns `None` for any other instruction.
fn integral_body(instruction: &BlockInstruction) -> Option<(&Block, &[BlockRegister])> {
    match instruction {
        BlockInstruction::Second { primitive: SecondOrder::Integral, body, captures } => Some((body, captures)),
        _ => None,
    }
}

/// Returns `true` if a block has kinks, signs or guards of its own.
#[must_use]
pub fn has_kinks(block: &Block) -> bool {
    let is_kink = |instruction: &BlockInstruction| {
        matches!(
            instruction,
            BlockInstruction::Unary(Unary::Abs | Unary::Signum, _)
                | BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, ..)
                | BlockInstruction::Guard(_)
        )
    };
    block.instructions.iter().any(is_kink)
}

/// Returns `true` if there is an integral in a block.
#[must_use]
pub fn has_integrals(block: &Block) -> bool {
    block.instructions.iter().any(|instruction| integral_body(instruction).is_some())
}

/// Counts the steps of a block, those of integrals once for each part. Returns `None` if a step is not analytic.
fn count_steps(block: &Block, constants: &mut impl FnMut(u32)) -> Option<u64> {
    if block.outputs.len() != 1 {
        return None;
    }
    let mut sum = 0_u64;
    for instruction in &block.instructions {
        sum = sum.saturating_add(match instruction {
            BlockInstruction::Constant(c) => {
                constants(*c);
                1
            }
            BlockInstruction::Binary(Binary::Planar(_), ..) => return None,
            BlockInstruction::Power(..) | BlockInstruction::Unary(..) | BlockInstruction::Binary(..) => 1,
            BlockInstruction::Guard(_) | BlockInstruction::Select { .. } => 1,
            other => count_steps(integral_body(other)?.0, constants)?.saturating_mul(PARTS.unsigned_abs()),
        });
    }
    Some(sum)
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Prepares a block of one parameter for complex rectangles. The generators of the captures' algebra have moduli of at
    /// most 2ʳ.
    ///
    /// Returns `None` if the block has a step that is not analytic, or if hooks are active.
    #[must_use]
    pub fn on_rectangles<'b>(
        &self,
        block: &'b Block,
        captures: &[Jet<C::Num>],
        algebra: &Algebra,
        radius: i64,
        given: &[(BranchPoint, KinkBranch)],
    ) -> Option<ComplexEvaluator<'b>> {
        if C::ACTIVE {
            return None;
        }
        let mut constants = BTreeMap::new();
        let steps = count_steps(block, &mut |c| {
            constants.entry(c).or_insert_with(|| self.rectangle_of(&self.constants[c as usize]));
        })?;
        let captures = captures.iter().map(|capture| self.rectangle_around(capture, algebra, radius)).collect();
        Some(ComplexEvaluator {
            block,
            captures,
            constants,
            given: BranchDecisions::with_forced(given.to_vec()),
            steps,
        })
    }

    /// Returns a number as a rectangle on the real axis.
    fn rectangle_of(&self, x: &C::Num) -> ComplexRectangle {
        ComplexRectangle::real(DOUBLE.round_enclosure(&self.context.to_enclosure(x)))
    }

    /// Returns a rectangle that contains all values of a jet whose generators have moduli of at most 2ʳ.
    #[must_use]
    pub fn rectangle_around(&self, jet: &Jet<C::Num>, algebra: &Algebra, radius: i64) -> ComplexRectangle {
        // |Σ c·ε^α| ≤ Σ |c|·2^(r·|α|)
        let nilpotent = (1..).zip(jet.coefficients().skip(1)).filter_map(|(monomial, c)| Some((monomial, c?)));
        let around = nilpotent.fold(Magnitude::ZERO, |sum, (monomial, c)| {
            let size = if self.context.is_defined(c) { self.context.magnitude(c) } else { Magnitude::INFINITY };
            sum + size.mul_exp2(radius.saturating_mul(algebra.degree(monomial).into()))
        });
        let value = jet.get(0).map_or_else(|| ComplexRectangle::integer(0), |x| self.rectangle_of(x));
        if around.is_zero() { value } else { value.widened_by(around) }
    }
}

impl ComplexEvaluator<'_> {
    /// Returns the number of steps of one evaluation.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Evaluates the block on a rectangle. Returns `None` if it is not known to be analytic there.
    #[must_use]
    pub fn eval_on(&self, z: &ComplexRectangle) -> Option<ComplexRectangle> {
        self.eval_block_on(self.block, z, &self.captures, &self.given)
    }

    /// Evaluates a block, the outermost or that of an integral, on a rectangle.
    fn eval_block_on(
        &self,
        block: &Block,
        z: &ComplexRectangle,
        captures: &[ComplexRectangle],
        given: &BranchDecisions,
    ) -> Option<ComplexRectangle> {
        let mut results: Vec<ComplexRectangle> = Vec::with_capacity(block.instructions.len());
        for (index, instruction) in block.instructions.iter().enumerate() {
            // The given side, or that of the real part. An undecided one ends the evaluation.
            let is_left = |switch: usize, decides: &ComplexRectangle| {
                let sign = || KinkBranch::from_sign(DOUBLE.sign(&decides.re));
                match given.forced_branch(switch).unwrap_or_else(sign) {
                    KinkBranch::Left => Some(true),
                    KinkBranch::Right => Some(false),
                    KinkBranch::Undecided => None,
                }
            };
            let get = |r: &BlockRegister| match r.0 as usize {
                0 => z,
                index if index <= captures.len() => &captures[index - 1],
                index => &results[index - 1 - captures.len()],
            };
            let result = match instruction {
                BlockInstruction::Constant(c) => self.constants.get(c)?.clone(),
                BlockInstruction::Unary(Unary::Negate, x) => get(x).negate(),
                BlockInstruction::Unary(Unary::Function(f), x) => get(x).apply_function(*f)?,
                BlockInstruction::Unary(Unary::Abs, x) if is_left(index, get(x))? => get(x).clone(),
                BlockInstruction::Unary(Unary::Abs, x) => get(x).negate(),
                BlockInstruction::Unary(Unary::Signum, x) => {
                    ComplexRectangle::integer(if is_left(index, get(x))? { 1 } else { -1 })
                }
                BlockInstruction::Binary(Binary::Add, x, y) => get(x).add(get(y)),
                BlockInstruction::Binary(Binary::Subtract, x, y) => get(x).subtract(get(y)),
                BlockInstruction::Binary(Binary::Multiply, x, y) if x == y => get(x).square(),
                BlockInstruction::Binary(Binary::Multiply, x, y) => get(x).multiply(get(y)),
                BlockInstruction::Binary(Binary::Divide, x, y) => get(x).divide(get(y))?,
                // max(x, x) is x: its difference 0 would be undecided.
                BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if x == y => get(x).clone(),
                BlockInstruction::Binary(kink @ (Binary::Maximum | Binary::Minimum), x, y) => {
                    let (greater, less) = if *kink == Binary::Maximum { (x, y) } else { (y, x) };
                    let is_first = is_left(index, &get(greater).subtract(get(less)))?;
                    get(if is_first { x } else { y }).clone()
                }
                BlockInstruction::Guard(x) => get(x).clone(),
                BlockInstruction::Select { guard, then, otherwise } => {
                    // The guard is evaluated before; its side is the one given at its own instruction.
                    let decided_at = (guard.0 as usize).checked_sub(1 + captures.len())?;
                    get(if is_left(decided_at, get(guard))? { then } else { otherwise }).clone()
                }
                BlockInstruction::Power(x, e) => get(x).power(e.numerator, e.denominator)?,
                other => {
                    let (body, inner) = integral_body(other)?;
                    let inner: Vec<ComplexRectangle> = inner.iter().map(|r| get(r).clone()).collect();
                    self.integral_over_unit(body, &inner)?
                }
            };
            results.push(result);
        }
        let output = block.outputs.first()?.0 as usize;
        Some(match output {
            0 => z.clone(),
            index if index <= captures.len() => captures[index - 1].clone(),
            index => results.swap_remove(index - 1 - captures.len()),
        })
    }

    /// Encloses the integral of a block over [0, 1]. Returns `None` if the block is not analytic there, or unbounded.
    fn integral_over_unit(&self, body: &Block, captures: &[ComplexRectangle]) -> Option<ComplexRectangle> {
        // Sides given for kinks inside are not needed: a side that is the same on all rectangles shows there, and no other
        // counts.
        let part = |i: i64| {
            let [from, to] = [i, i + 1].map(|k| DOUBLE.div_integer(&DOUBLE.enclose_integer(k), PARTS.unsigned_abs()));
            self.eval_block_on(
                body,
                &ComplexRectangle::real(DOUBLE.hull(&from, &to)),
                captures,
                &BranchDecisions::default(),
            )
        };
        let sum = (0..PARTS).try_fold(ComplexRectangle::integer(0), |sum, i| Some(sum.add(&part(i)?)))?;
        sum.modulus()?;
        Some(sum.scaled(&DOUBLE.div_integer(&DOUBLE.enclose_integer(1), PARTS.unsigned_abs())))
    }
}
