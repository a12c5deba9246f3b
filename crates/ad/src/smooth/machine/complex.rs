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
//!
//! # Rectangles of the complex plane
//!
//! Rectangles of the complex plane, their arithmetic and elementary functions.

use super::BranchDecisions;
use crate::function::{FormulaStep, SpecialId};
use crate::number::arithmetic::{Context, Function, Sign};
use crate::number::{Double, Magnitude};
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::jet::KinkBranch;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use std::collections::BTreeMap;

/// The number of parts of [0, 1] over which an integral is bounded. A choice between work and width.
const PARTS: i64 = 8;

/// A block for evaluation on complex rectangles: its captures and constants in doubles.
#[derive(Debug)]
pub struct ComplexEvaluator<'b> {
    pub(crate) block: &'b Block,
    pub(crate) captures: Vec<ComplexRectangle>,
    /// The constants of the program that occur in the block.
    pub(crate) constants: BTreeMap<u32, ComplexRectangle>,
    /// The given sides.
    pub(crate) given: BranchDecisions,
    /// The number of steps of one evaluation.
    pub(crate) steps: u64,
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
pub(crate) fn count_steps(block: &Block, constants: &mut impl FnMut(u32)) -> Option<u64> {
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

type DoubleEnclosure = <Double as Context>::Num;

/// The arithmetic of this module.
pub(crate) const DOUBLE: Double = Double;

/// The rectangle of all complex numbers with these real and imaginary parts.
#[derive(Clone, Debug)]
pub struct ComplexRectangle {
    /// The real parts.
    pub re: DoubleEnclosure,
    /// The imaginary parts.
    pub im: DoubleEnclosure,
}

/// Encloses √(x + iy), for a number off (-∞, 0].
///
/// With m² = (|z| + |x|)/2, which loses no digits, m is the real part or the size of the imaginary part, and the other one
/// is |y|/2m. With ε = 2⁻⁵³, the sum of squares has a relative error of at most 2ε, |z| of 2ε, m² of 3ε, m of 2½ε, and the
/// other part of 3½ε. The other part may also be off by half of the least positive double, which is less than the distance
/// to a neighbour. Returns `None` if a square might overflow, or both might underflow.
fn point_root(x: f64, y: f64) -> Option<ComplexRectangle> {
    const SIZES: std::ops::Range<f64> = 1e-150..1e150;
    // 4·f64::EPSILON is 8ε, more than the 3½ε of the error analysis.
    const MARGIN: f64 = 4.0 * f64::EPSILON;
    if !SIZES.contains(&x.abs().max(y.abs())) {
        return None;
    }
    let large = (((x * x + y * y).sqrt() + x.abs()) / 2.0).sqrt();
    let small = y / (2.0 * large);
    let around =
        |v: f64| Double::interval_between((v - MARGIN * v.abs()).next_down(), (v + MARGIN * v.abs()).next_up());
    let (re, im) = if x >= 0.0 { (large, small) } else { (small.abs(), large.copysign(y)) };
    Some(ComplexRectangle { re: around(re), im: around(im) })
}

impl ComplexRectangle {
    /// Returns an interval of the real axis.
    #[must_use]
    pub fn real(re: DoubleEnclosure) -> Self {
        Self { re, im: DOUBLE.enclose_integer(0) }
    }

    /// Returns an integer.
    pub(crate) fn integer(n: i64) -> Self {
        Self::real(DOUBLE.enclose_integer(n))
    }

    /// Adds all numbers whose real and imaginary parts are at most `by`; the plane if `by` is infinite.
    pub(crate) fn widened_by(&self, by: Magnitude) -> Self {
        let by = by.to_rational().map_or_else(|| DOUBLE.bottom(), |by| DOUBLE.enclose_rational(&by));
        let around = Self::real(DOUBLE.hull(&DOUBLE.neg(&by), &by));
        self.add(&around).add(&around.times_i())
    }

    /// Returns z + w.
    fn add(&self, other: &Self) -> Self {
        Self { re: DOUBLE.add(&self.re, &other.re), im: DOUBLE.add(&self.im, &other.im) }
    }

    /// Returns z − w.
    fn subtract(&self, other: &Self) -> Self {
        Self { re: DOUBLE.sub(&self.re, &other.re), im: DOUBLE.sub(&self.im, &other.im) }
    }

    /// Returns `self + way·u`: the point at the share u of the way.
    #[must_use]
    pub fn plus_product(&self, way: &Self, u: &Self) -> Self {
        self.add(&way.multiply(u))
    }

    /// Returns −z.
    fn negate(&self) -> Self {
        Self { re: DOUBLE.neg(&self.re), im: DOUBLE.neg(&self.im) }
    }

    /// Returns z·w.
    fn multiply(&self, other: &Self) -> Self {
        let product = |a: &DoubleEnclosure, b: &DoubleEnclosure| DOUBLE.mul(a, b);
        Self {
            re: DOUBLE.sub(&product(&self.re, &other.re), &product(&self.im, &other.im)),
            im: DOUBLE.add(&product(&self.re, &other.im), &product(&self.im, &other.re)),
        }
    }

    /// Returns z times a real number.
    fn scaled(&self, by: &DoubleEnclosure) -> Self {
        Self { re: DOUBLE.mul(&self.re, by), im: DOUBLE.mul(&self.im, by) }
    }

    /// Returns z², as a function of one variable.
    fn square(&self) -> Self {
        // Squares of the parts are never negative, and 2xy is one product: tighter than z·z.
        Self {
            re: DOUBLE.sub(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im)),
            im: DOUBLE.mul_integer(&DOUBLE.mul(&self.re, &self.im), 2),
        }
    }

    /// Returns |z|².
    fn squared_modulus(&self) -> DoubleEnclosure {
        DOUBLE.add(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im))
    }

    /// Returns 1/z, or `None` unless z is certainly not 0.
    fn reciprocal(&self) -> Option<Self> {
        let squared = self.squared_modulus();
        let is_positive = DOUBLE.sign(&squared) == Sign::Positive;
        is_positive
            .then(|| Self { re: DOUBLE.div(&self.re, &squared), im: DOUBLE.neg(&DOUBLE.div(&self.im, &squared)) })
    }

    /// Returns z/w, or `None` unless w is certainly not 0.
    fn divide(&self, other: &Self) -> Option<Self> {
        Some(self.multiply(&other.reciprocal()?))
    }

    /// Returns i·z.
    fn times_i(&self) -> Self {
        Self { re: DOUBLE.neg(&self.im), im: self.re }
    }

    /// Returns exp (x + iy) = eˣ (cos y + i sin y)
    fn exp(&self) -> Self {
        let [size, cos, sin] = [
            DOUBLE.apply_function(Function::Exp, &self.re),
            DOUBLE.apply_function(Function::Cos, &self.im),
            DOUBLE.apply_function(Function::Sin, &self.im),
        ];
        Self { re: DOUBLE.mul(&size, &cos), im: DOUBLE.mul(&size, &sin) }
    }

    /// Returns sin (x + iy) = sin x cosh y + i cos x sinh y
    fn sin(&self) -> Self {
        let part = |f: Function, g: Function| {
            DOUBLE.mul(&DOUBLE.apply_function(f, &self.re), &DOUBLE.apply_function(g, &self.im))
        };
        Self { re: part(Function::Sin, Function::Cosh), im: part(Function::Cos, Function::Sinh) }
    }

    /// Returns cos (x + iy) = cos x cosh y - i sin x sinh y
    fn cos(&self) -> Self {
        let part = |f: Function, g: Function| {
            DOUBLE.mul(&DOUBLE.apply_function(f, &self.re), &DOUBLE.apply_function(g, &self.im))
        };
        Self { re: part(Function::Cos, Function::Cosh), im: DOUBLE.neg(&part(Function::Sin, Function::Sinh)) }
    }

    /// Returns the principal logarithm log |z| + i arg z, or `None` unless z certainly avoids (-∞, 0].
    fn log(&self) -> Option<Self> {
        let half_turn = || DOUBLE.div_integer(&DOUBLE.pi(), 2);
        let angle = |a: &DoubleEnclosure, b: &DoubleEnclosure| DOUBLE.apply_function(Function::Atan, &DOUBLE.div(a, b));
        // The angle by the part that has a sign: by re off the imaginary axis, else from ±π/2.
        let im = match (DOUBLE.sign(&self.re), DOUBLE.sign(&self.im)) {
            (Sign::Positive, _) => angle(&self.im, &self.re),
            (_, Sign::Positive) => DOUBLE.sub(&half_turn(), &angle(&self.re, &self.im)),
            (_, Sign::Negative) => DOUBLE.neg(&DOUBLE.add(&half_turn(), &angle(&self.re, &self.im))),
            _ => return None,
        };
        let re = DOUBLE.div_integer(&DOUBLE.apply_function(Function::Log, &self.squared_modulus()), 2);
        Some(Self { re, im })
    }

    /// Returns the principal root, or `None` unless z is bounded and certainly avoids (-∞, 0].
    ///
    /// With u + iv = √z, ∂u/∂x = ∂v/∂y = u/2|z| and ∂v/∂x = -∂u/∂y = -v/2|z|, where u is positive and v has the sign of y.
    /// So u grows with x and |y|, v with y, and |v| as x falls: the extremes lie at corners.
    fn sqrt(&self) -> Option<Self> {
        let [side, half] = [DOUBLE.sign(&self.re), DOUBLE.sign(&self.im)];
        if half == Sign::Undecided && side != Sign::Positive || !self.is_bounded() {
            return None;
        }
        let [(left, right), (low, high)] = [self.re, self.im].map(|part| (*part.lo(), *part.hi()));
        // The imaginary part nearest to 0, where u is least.
        let near = match half {
            Sign::Positive => low,
            Sign::Negative => high,
            Sign::Undecided => 0.0,
        };
        let [least, greatest] = [point_root(left, near)?.re, point_root(right, high.max(-low))?.re];
        let bottom = point_root(if half == Sign::Positive { right } else { left }, low)?;
        let top = point_root(if half == Sign::Negative { right } else { left }, high)?;
        Some(Self { re: DOUBLE.hull(&least, &greatest), im: DOUBLE.hull(&bottom.im, &top.im) })
    }

    /// Returns zᵖᐟ𐞥, or `None` unless it is certainly defined and analytic.
    ///
    /// An exponent that is neither whole nor ½ goes by exp (p/q · log z), whose angle and modulus each lose little. Powers
    /// and the reciprocal of a root lose much for z close to 0.
    pub fn power(&self, numerator: i64, denominator: u32) -> Option<Self> {
        match (numerator, denominator) {
            (_, 1) => {
                let base = if numerator < 0 { &self.reciprocal()? } else { self };
                base.natural_power(numerator.unsigned_abs())
            }
            (1, 2) => self.sqrt(),
            _ => {
                let exponent = DOUBLE.div_integer(&DOUBLE.enclose_integer(numerator), denominator.into());
                Some(self.log()?.scaled(&exponent).exp())
            }
        }
    }

    /// Returns zⁿ by repeated squaring, or `None` if z is not bounded. z⁰ is 1.
    fn natural_power(&self, n: u64) -> Option<Self> {
        self.modulus()?;
        let Some(highest) = n.checked_ilog2() else { return Some(Self::integer(1)) };
        let from_above = (0..highest).rev();
        Some(from_above.fold(self.clone(), |power, bit| {
            let square = power.square();
            if n >> bit & 1 == 1 { square.multiply(self) } else { square }
        }))
    }

    /// Applies an elementary function. Returns `None` if it is not known to be analytic on the rectangle.
    pub fn apply_function(&self, f: Function) -> Option<Self> {
        let one = || Self::integer(1);
        Some(match f {
            Function::Exp => self.exp(),
            Function::Sin => self.sin(),
            Function::Cos => self.cos(),
            // sinh z = -i sin (iz), cosh z = cos (iz)
            Function::Sinh => self.times_i().sin().times_i().negate(),
            Function::Cosh => self.times_i().cos(),
            Function::Log => self.log()?,
            Function::Sqrt => self.sqrt()?,
            Function::Cbrt => self.power(1, 3)?,
            // (log (1 + iz) - log (1 - iz)) / 2i
            Function::Atan => {
                let [above, below] = [one().add(&self.times_i()), one().subtract(&self.times_i())];
                let difference = above.log()?.subtract(&below.log()?);
                difference.times_i().negate().scaled(&DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2))
            }
            Function::Erf => Self::real(DOUBLE.apply_function(f, &self.re)).add(&self.erf_from_axis()),
            Function::Erfc => Self::real(DOUBLE.apply_function(f, &self.re)).subtract(&self.erf_from_axis()),
            Function::LOG_GAMMA => self.log_gamma()?,
            Function::DIGAMMA => self.digamma()?,
            Function::Special(SpecialId::Gamma, order) => self.polygamma(order - 1)?,
            // All other functions by their formula, made of the ones above.
            _ => f.row().complex_formula?.eval_with(&mut |step| self.formula_step(step))?,
        })
    }

    /// Encloses erf z − erf x, for z = x + iy.
    ///
    /// Along the imaginary axis erf has the slope 2i/√π·exp (-(x + it)²) = 2/√π·exp (t² - x²)·(sin 2xt + i cos 2xt). The
    /// integral of a real map over t from 0 to y is y times one of the values between (mean value theorem), for either
    /// part.
    fn erf_from_axis(&self) -> Self {
        let from_axis = DOUBLE.hull(&DOUBLE.enclose_integer(0), &self.im);
        let size =
            DOUBLE.apply_function(Function::Exp, &DOUBLE.sub(&DOUBLE.square(&from_axis), &DOUBLE.square(&self.re)));
        let angle = DOUBLE.mul_integer(&DOUBLE.mul(&self.re, &from_axis), 2);
        let part = |f: Function| DOUBLE.mul(&DOUBLE.mul(&self.im, &size), &DOUBLE.apply_function(f, &angle));
        let two = DOUBLE.div(&DOUBLE.enclose_integer(2), &DOUBLE.apply_function(Function::Sqrt, &DOUBLE.pi()));
        Self { re: part(Function::Sin), im: part(Function::Cos) }.scaled(&two)
    }

    /// Returns `None` unless the real part is certainly positive.
    fn require_right_half_plane(&self) -> Option<()> {
        (DOUBLE.sign(&self.re) == Sign::Positive).then_some(())
    }

    /// Encloses log Γ z = log Γ w - log z with w = z + 1, and log Γ w = (w - ½) log w - w + ½ log 2π + J w (Binet).
    ///
    /// J w is the integral of k t·exp (-tw) over the positive t, where 0 < k t ≤ 1/12. So |J w| ≤ 1/(12 Re w), which is
    /// less than 1/12.
    fn log_gamma(&self) -> Option<Self> {
        self.require_right_half_plane()?;
        let (w, half) = (self.add(&Self::integer(1)), DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2));
        let turn = DOUBLE.apply_function(Function::Log, &DOUBLE.mul_integer(&DOUBLE.pi(), 2));
        let main = w.subtract(&Self::real(half)).multiply(&w.log()?).subtract(&w);
        Some(
            main.add(&Self::real(DOUBLE.div_integer(&turn, 2)))
                .subtract(&self.log()?)
                .widened_by(Magnitude::ONE.div_integer(12)),
        )
    }

    /// Encloses the digamma function, log w - 1/2w + J′ w - 1/z with w = z + 1 and |J′ w| ≤ 1/(12 (Re w)²).
    fn digamma(&self) -> Option<Self> {
        self.require_right_half_plane()?;
        let w = self.add(&Self::integer(1));
        let half = DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2);
        Some(
            w.log()?
                .subtract(&w.reciprocal()?.scaled(&half))
                .subtract(&self.reciprocal()?)
                .widened_by(Magnitude::ONE.div_integer(12)),
        )
    }

    /// Encloses a polygamma function, ψ⁽ⁿ⁾ w - (-1)ⁿ n!/zⁿ⁺¹ with w = z + 1.
    ///
    /// ψ⁽ⁿ⁾ w is a sum over multiples of powers (w + k)⁻ⁿ⁻¹ of one sign, so its modulus at w is at most that at Re w.
    fn polygamma(&self, n: u16) -> Option<Self> {
        self.require_right_half_plane()?;
        let right = DOUBLE.add(&self.re, &DOUBLE.enclose_integer(1));
        let most = DOUBLE.apply_function(Function::Special(SpecialId::Gamma, n + 1), &right);
        let most = DOUBLE.is_defined(&most).then(|| DOUBLE.magnitude(&most))?;
        let factorial = (1..=n).fold(DOUBLE.enclose_integer(1), |product, k| DOUBLE.mul_integer(&product, k.into()));
        let pole = self.power(-i64::from(n) - 1, 1)?.scaled(&factorial);
        let pole = if n.is_multiple_of(2) { pole.negate() } else { pole };
        Some(pole.widened_by(most))
    }

    /// Evaluates one step of the formula of an elementary function. Returns `None` where it is not analytic.
    fn formula_step(&self, step: FormulaStep<Option<Self>>) -> Option<Self> {
        Some(match step {
            FormulaStep::Argument(0) => self.clone(),
            FormulaStep::Argument(_) | FormulaStep::Y => return None,
            FormulaStep::Number(p, q) => Self::real(DOUBLE.div_integer(&DOUBLE.enclose_integer(p.into()), q.into())),
            FormulaStep::Pi => Self::real(DOUBLE.pi()),
            FormulaStep::Negate(a) => a?.negate(),
            FormulaStep::Add(a, b) => a?.add(&b?),
            FormulaStep::Subtract(a, b) => a?.subtract(&b?),
            FormulaStep::Multiply(a, b) => a?.multiply(&b?),
            FormulaStep::Divide(a, b) => a?.divide(&b?)?,
            FormulaStep::Square(a) => a?.square(),
            FormulaStep::Inverse(a) => a?.reciprocal()?,
            FormulaStep::InverseRoot(a) => a?.power(-1, 2)?,
            FormulaStep::Apply(f, a) => a?.apply_function(f)?,
        })
    }

    /// Returns a bound of |z|: |x| + |y| at their greatest. Returns `None` if z is undefined or unbounded.
    #[must_use]
    pub fn modulus(&self) -> Option<Magnitude> {
        self.is_bounded().then(|| DOUBLE.magnitude(&self.re) + DOUBLE.magnitude(&self.im))
    }

    /// Returns `true` if both parts are certainly defined and bounded.
    fn is_bounded(&self) -> bool {
        [&self.re, &self.im].into_iter().all(|x| DOUBLE.is_defined(x) && DOUBLE.is_bounded(x))
    }
}
