//! A block over rectangles of the complex plane, in doubles: where it is analytic, and how large it is there.
//!
//! What is wanted of a complex argument is the largest modulus on some region, for which few digits are enough. An operation has its
//! value where it is analytic on all of a rectangle, and none elsewhere:
//!
//! | operation | on |
//! |---|---|
//! | sums, products, `exp`, `sin`, `cos`, `sinh`, `cosh`, powers with natural exponents | every rectangle |
//! | quotients | where the divisor's modulus is certainly positive |
//! | `log`, roots, other powers and what is made of them | where the argument certainly avoids (-∞, 0], on the principal branch |
//!
//! Each agrees with that of real numbers on the real axis: there an argument that avoids (-∞, 0] is positive. A function that has a value on
//! rectangles that cover a region is analytic on it, as arguments of logarithms avoid the cut on all of the region, and commutes with
//! conjugation. Kinks, signs, guards and what lies inside of other binders have no value here.
//!
//! A jet among the captures is a polynomial in its directions, and stands for its values where each of them has at most some modulus: a
//! coefficient of what a block makes of it is at most the largest modulus there over the product of the radii (Cauchy).
//!
//! An integral over [0, 1] of what is analytic in its variable too is analytic, and its values lie in the mean of rectangles for parts of
//! [0, 1]: a mean of numbers of a rectangle is one of them.

use super::Machine;
use crate::function::Step;
use crate::number::context::{Context, Function, Sign};
use crate::number::{Double, Magnitude};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::jet::Jet;
use crate::smooth::program::{Block, Instruction, Register};
use std::collections::BTreeMap;

type Number = <Double as Context>::Num;

/// The context of all that is here.
const DOUBLE: Double = Double;

/// A rectangle: its real and its imaginary parts.
#[derive(Clone, Debug)]
pub struct Rectangle {
    /// The real parts.
    pub re: Number,
    /// The imaginary parts.
    pub im: Number,
}

impl Rectangle {
    /// Numbers on the real axis.
    #[must_use]
    pub fn real(re: Number) -> Self {
        Self { re, im: DOUBLE.integer(0) }
    }

    fn integer(n: i64) -> Self {
        Self::real(DOUBLE.integer(n))
    }

    /// All that is at most so far from one of these in its real and in its imaginary part; the plane, where that is no number.
    fn blown_up(&self, by: Magnitude) -> Self {
        let by = by.to_rational().map_or_else(|| DOUBLE.bottom(), |by| DOUBLE.rational(&by));
        let around = Self::real(DOUBLE.hull(&DOUBLE.neg(&by), &by));
        self.add(&around).add(&around.turned())
    }

    fn add(&self, other: &Self) -> Self {
        Self { re: DOUBLE.add(&self.re, &other.re), im: DOUBLE.add(&self.im, &other.im) }
    }

    fn subtract(&self, other: &Self) -> Self {
        Self { re: DOUBLE.sub(&self.re, &other.re), im: DOUBLE.sub(&self.im, &other.im) }
    }

    fn negate(&self) -> Self {
        Self { re: DOUBLE.neg(&self.re), im: DOUBLE.neg(&self.im) }
    }

    fn multiply(&self, other: &Self) -> Self {
        let product = |a: &Number, b: &Number| DOUBLE.mul(a, b);
        Self {
            re: DOUBLE.sub(&product(&self.re, &other.re), &product(&self.im, &other.im)),
            im: DOUBLE.add(&product(&self.re, &other.im), &product(&self.im, &other.re)),
        }
    }

    fn scaled(&self, by: &Number) -> Self {
        Self { re: DOUBLE.mul(&self.re, by), im: DOUBLE.mul(&self.im, by) }
    }

    fn square(&self) -> Self {
        Self {
            re: DOUBLE.sub(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im)),
            im: DOUBLE.scale(&DOUBLE.mul(&self.re, &self.im), 2),
        }
    }

    /// |z|²
    fn squared_modulus(&self) -> Number {
        DOUBLE.add(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im))
    }

    /// 1/z, where z is certainly not 0.
    fn reciprocal(&self) -> Option<Self> {
        let squared = self.squared_modulus();
        let is_positive = DOUBLE.sign(&squared) == Sign::Positive;
        is_positive
            .then(|| Self { re: DOUBLE.div(&self.re, &squared), im: DOUBLE.neg(&DOUBLE.div(&self.im, &squared)) })
    }

    fn divide(&self, other: &Self) -> Option<Self> {
        Some(self.multiply(&other.reciprocal()?))
    }

    /// i·z
    fn turned(&self) -> Self {
        Self { re: DOUBLE.neg(&self.im), im: self.re }
    }

    /// exp (x + iy) = eˣ (cos y + i sin y)
    fn exp(&self) -> Self {
        let [size, cos, sin] = [
            DOUBLE.function(Function::Exp, &self.re),
            DOUBLE.function(Function::Cos, &self.im),
            DOUBLE.function(Function::Sin, &self.im),
        ];
        Self { re: DOUBLE.mul(&size, &cos), im: DOUBLE.mul(&size, &sin) }
    }

    /// sin (x + iy) = sin x cosh y + i cos x sinh y
    fn sin(&self) -> Self {
        let part = |f: Function, g: Function| DOUBLE.mul(&DOUBLE.function(f, &self.re), &DOUBLE.function(g, &self.im));
        Self { re: part(Function::Sin, Function::Cosh), im: part(Function::Cos, Function::Sinh) }
    }

    /// cos (x + iy) = cos x cosh y - i sin x sinh y
    fn cos(&self) -> Self {
        let part = |f: Function, g: Function| DOUBLE.mul(&DOUBLE.function(f, &self.re), &DOUBLE.function(g, &self.im));
        Self { re: part(Function::Cos, Function::Cosh), im: DOUBLE.neg(&part(Function::Sin, Function::Sinh)) }
    }

    /// The principal logarithm, where z certainly avoids (-∞, 0]: log |z| + i arg z.
    fn log(&self) -> Option<Self> {
        let half_turn = || DOUBLE.divide(&DOUBLE.pi(), 2);
        let angle = |a: &Number, b: &Number| DOUBLE.function(Function::Atan, &DOUBLE.div(a, b));
        let im = match (DOUBLE.sign(&self.re), DOUBLE.sign(&self.im)) {
            (Sign::Positive, _) => angle(&self.im, &self.re),
            (_, Sign::Positive) => DOUBLE.sub(&half_turn(), &angle(&self.re, &self.im)),
            (_, Sign::Negative) => DOUBLE.neg(&DOUBLE.add(&half_turn(), &angle(&self.re, &self.im))),
            _ => return None,
        };
        let re = DOUBLE.divide(&DOUBLE.function(Function::Log, &self.squared_modulus()), 2);
        Some(Self { re, im })
    }

    /// zᵖᐟ𐞥, of an exponent that is no natural number as exp (p/q · log z).
    pub fn power(&self, numerator: i64, denominator: u32) -> Option<Self> {
        if denominator == 1 {
            let base = if numerator < 0 { self.reciprocal()? } else { self.clone() };
            return base.natural_power(numerator.unsigned_abs());
        }
        let exponent = DOUBLE.divide(&DOUBLE.integer(numerator), denominator.into());
        Some(self.log()?.scaled(&exponent).exp())
    }

    /// By squares; z⁰ is 1 where z has a value.
    fn natural_power(&self, n: u64) -> Option<Self> {
        self.modulus()?;
        let (mut power, mut base, mut rest) = (Self::integer(1), self.clone(), n);
        while rest > 0 {
            if rest % 2 == 1 {
                power = power.multiply(&base);
            }
            base = base.square();
            rest /= 2;
        }
        Some(power)
    }

    /// An elementary function; nothing where it is not known to be analytic.
    pub fn function(&self, f: Function) -> Option<Self> {
        let one = || Self::integer(1);
        Some(match f {
            Function::Exp => self.exp(),
            Function::Sin => self.sin(),
            Function::Cos => self.cos(),
            // sinh z = -i sin (iz), cosh z = cos (iz)
            Function::Sinh => self.turned().sin().turned().negate(),
            Function::Cosh => self.turned().cos(),
            Function::Log => self.log()?,
            Function::Sqrt => self.power(1, 2)?,
            Function::Cbrt => self.power(1, 3)?,
            // (log (1 + iz) - log (1 - iz)) / 2i
            Function::Atan => {
                let [above, below] = [one().add(&self.turned()), one().subtract(&self.turned())];
                let difference = above.log()?.subtract(&below.log()?);
                difference.turned().negate().scaled(&DOUBLE.divide(&DOUBLE.integer(1), 2))
            }
            _ => f.row().by?.evaluate(&mut |step| self.step(step))?,
        })
    }

    /// A step of the formula of a function of z.
    fn step(&self, step: Step<Option<Self>>) -> Option<Self> {
        Some(match step {
            Step::Argument(0) => self.clone(),
            Step::Argument(_) | Step::Y => return None,
            Step::Number(p, q) => Self::real(DOUBLE.divide(&DOUBLE.integer(p.into()), q.into())),
            Step::Pi => Self::real(DOUBLE.pi()),
            Step::Negate(a) => a?.negate(),
            Step::Add(a, b) => a?.add(&b?),
            Step::Subtract(a, b) => a?.subtract(&b?),
            Step::Multiply(a, b) => a?.multiply(&b?),
            Step::Divide(a, b) => a?.divide(&b?)?,
            Step::Square(a) => a?.square(),
            Step::Inverse(a) => a?.reciprocal()?,
            Step::InverseRoot(a) => a?.power(-1, 2)?,
            Step::Of(f, a) => a?.function(f)?,
        })
    }

    /// A bound of |z|; nothing where there is none.
    #[must_use]
    pub fn modulus(&self) -> Option<Magnitude> {
        let is_known = |x: &Number| DOUBLE.is_defined(x) && DOUBLE.is_bounded(x);
        (is_known(&self.re) && is_known(&self.im)).then(|| DOUBLE.magnitude(&self.re) + DOUBLE.magnitude(&self.im))
    }
}

/// [0, 1] falls into so many parts where what is integrated over it is bounded.
const PARTS: i64 = 8;

/// What a block is on rectangles: its numbers in doubles.
#[derive(Debug)]
pub struct OnRectangles<'b> {
    block: &'b Block,
    captures: Vec<Rectangle>,
    /// Of those of the machine, the ones that occur.
    constants: BTreeMap<u32, Rectangle>,
    steps: u64,
}

/// The body of an integral, with its captures.
fn integrand(instruction: &Instruction) -> Option<(&Block, &[Register])> {
    match instruction {
        Instruction::Second { primitive: SecondOrder::Integral, body, captures } => Some((body, captures)),
        _ => None,
    }
}

/// Whether there is an integral inside of a block.
#[must_use]
pub fn has_integrals(block: &Block) -> bool {
    block.instructions.iter().any(|instruction| integrand(instruction).is_some())
}

/// How many steps a block takes, those of integrals for each part; nothing where one is not analytic.
fn steps(block: &Block, constants: &mut impl FnMut(u32)) -> Option<u64> {
    if block.outputs.len() != 1 {
        return None;
    }
    let mut sum = 0_u64;
    for instruction in &block.instructions {
        sum = sum.saturating_add(match instruction {
            Instruction::Constant(c) => {
                constants(*c);
                1
            }
            Instruction::Power(..) | Instruction::Unary(Unary::Negate | Unary::Function(_), _) => 1,
            Instruction::Binary(Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, ..) => 1,
            other => steps(integrand(other)?.0, constants)?.saturating_mul(PARTS.unsigned_abs()),
        });
    }
    Some(sum)
}

impl<C: Context> Machine<'_, C> {
    /// A block of one parameter over rectangles, of captures in an algebra whose generators have moduli of at most 2ʳ; nothing where it has
    /// a step that is not analytic.
    #[must_use]
    pub fn on_rectangles<'b>(
        &self,
        block: &'b Block,
        captures: &[Jet<C::Num>],
        algebra: &Algebra,
        radius: i64,
    ) -> Option<OnRectangles<'b>> {
        if self.rules.is_some() {
            return None;
        }
        let number = |x: &C::Num| Rectangle::real(DOUBLE.enclosure(&self.context.to_enclosure(x)));
        let mut constants = BTreeMap::new();
        let steps = steps(block, &mut |c| {
            constants.entry(c).or_insert_with(|| number(&self.constants[c as usize]));
        })?;
        let values = |capture: &Jet<C::Num>| {
            let nilpotent = (1..).zip(capture.coefficients().skip(1)).filter_map(|(monomial, c)| Some((monomial, c?)));
            let around = nilpotent.fold(Magnitude::ZERO, |sum, (monomial, c)| {
                let size = if self.context.is_defined(c) { self.context.magnitude(c) } else { Magnitude::INFINITY };
                sum + size.shifted(radius.saturating_mul(algebra.degree(monomial).into()))
            });
            let value = capture.get(0).map_or_else(|| Rectangle::integer(0), number);
            if around.is_zero() { value } else { value.blown_up(around) }
        };
        let captures = captures.iter().map(values).collect();
        Some(OnRectangles { block, captures, constants, steps })
    }
}

impl OnRectangles<'_> {
    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The block at a rectangle; nothing where it is not known to be analytic on it.
    #[must_use]
    pub fn at(&self, z: &Rectangle) -> Option<Rectangle> {
        self.run(self.block, z, &self.captures)
    }

    fn run(&self, block: &Block, z: &Rectangle, captures: &[Rectangle]) -> Option<Rectangle> {
        let mut results: Vec<Rectangle> = Vec::with_capacity(block.instructions.len());
        for instruction in &block.instructions {
            let get = |r: &Register| match r.0 as usize {
                0 => z,
                index if index <= captures.len() => &captures[index - 1],
                index => &results[index - 1 - captures.len()],
            };
            let result = match instruction {
                Instruction::Constant(c) => self.constants.get(c)?.clone(),
                Instruction::Unary(Unary::Negate, x) => get(x).negate(),
                Instruction::Unary(Unary::Function(f), x) => get(x).function(*f)?,
                Instruction::Binary(Binary::Add, x, y) => get(x).add(get(y)),
                Instruction::Binary(Binary::Subtract, x, y) => get(x).subtract(get(y)),
                Instruction::Binary(Binary::Multiply, x, y) if x == y => get(x).square(),
                Instruction::Binary(Binary::Multiply, x, y) => get(x).multiply(get(y)),
                Instruction::Binary(Binary::Divide, x, y) => get(x).divide(get(y))?,
                Instruction::Power(x, e) => get(x).power(e.numerator, e.denominator)?,
                other => {
                    let (body, inner) = integrand(other)?;
                    let inner: Vec<Rectangle> = inner.iter().map(|r| get(r).clone()).collect();
                    self.integral(body, &inner)?
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

    /// What the integral of a block over [0, 1] is among.
    fn integral(&self, body: &Block, captures: &[Rectangle]) -> Option<Rectangle> {
        let part = |i: i64| {
            let [from, to] = [i, i + 1].map(|k| DOUBLE.divide(&DOUBLE.integer(k), PARTS.unsigned_abs()));
            self.run(body, &Rectangle::real(DOUBLE.hull(&from, &to)), captures)
        };
        let sum = (0..PARTS).try_fold(Rectangle::integer(0), |sum, i| Some(sum.add(&part(i)?)))?;
        sum.modulus()?;
        Some(sum.scaled(&DOUBLE.divide(&DOUBLE.integer(1), PARTS.unsigned_abs())))
    }
}
