//! The partial derivatives `∂_β op` of the operations, as programs, to any order (H §3.2).
//!
//! H chooses terms for them, and prints those of order ≤ 2 for three operations. Here they are generated. Every elementary
//! function g has a helper u with `g′` and `u′` polynomials in x and u, so that each derivative is one:
//!
//! | g | u | g′ | u′ |
//! |---|---|---|---|
//! | exp, tan, tanh, sigmoid | g | u, 1 + u², 1 − u², u − u² | the same |
//! | log | 1/x | u | −u² |
//! | sqrt, cbrt | 1/g | u/2, u²/3 | −u³/2, −u⁴/3 |
//! | asin, acos | 1/√(1−x²) | u, −u | x u³ |
//! | atan | 1/(1+x²) | u | −2 x u² |
//! | asinh, acosh | 1/√(x²±1) | u | −x u³ |
//! | atanh | 1/(1−x²) | u | 2 x u² |
//!
//! The derivatives of sin, cos, sinh and cosh go round in circles.

use super::block::{Atom, Block};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use std::collections::BTreeMap;

/// An operation on the reals: what H calls an op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A constant of the language that is smooth on its domain.
    Constant(Constant),
    /// `x ↦ x^q`
    Power(Rational),
}

impl Operation {
    /// The operation that a constant is; none where it is no smooth operation on reals.
    #[must_use]
    pub fn of(constant: Constant) -> Option<Self> {
        let smooth = matches!(constant, Constant::Multiply | Constant::Divide | Constant::Add | Constant::Subtract)
            || constant == Constant::Negate
            || rule(constant).is_some();
        smooth.then_some(Self::Constant(constant))
    }

    /// Every operation that is a constant.
    pub fn all() -> impl Iterator<Item = Self> {
        Constant::ALL.iter().filter_map(|constant| Self::of(*constant))
    }

    /// How many arguments it takes.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Self::Constant(constant) => constant.arity(),
            Self::Power(_) => 1,
        }
    }

    /// Its value.
    pub fn value(&self, block: &mut Block, x: &[Atom]) -> Atom {
        match self {
            Self::Constant(constant) => block.call(*constant, x),
            Self::Power(q) => {
                let q = block.rational(q.clone());
                block.call(Constant::Power, &[x[0], q])
            }
        }
    }

    /// `∂_β op (x₁, …, xₙ)`, for a β of as many entries as there are arguments.
    pub fn partial(&self, block: &mut Block, beta: &[usize], x: &[Atom]) -> Atom {
        if beta.iter().all(|entry| *entry == 0) {
            return self.value(block, x);
        }
        match (self, beta) {
            (Self::Constant(Constant::Add), [1, 0] | [0, 1]) | (Self::Constant(Constant::Subtract), [1, 0]) => {
                block.rational(1)
            }
            (Self::Constant(Constant::Subtract), [0, 1]) | (Self::Constant(Constant::Negate), [1]) => {
                block.rational(-1)
            }
            (Self::Constant(Constant::Multiply), [1, 0]) => x[1],
            (Self::Constant(Constant::Multiply), [0, 1]) => x[0],
            (Self::Constant(Constant::Multiply), [1, 1]) => block.rational(1),
            (Self::Constant(Constant::Divide), [i @ (0 | 1), j]) => {
                // (−1)ʲ j! x / y^{j+1}, or without x
                let factor = (1..=*j).fold(Rational::from(1), |factor, i| factor * -(i as i64));
                let factor = block.rational(factor);
                let numerator = if *i == 0 { block.multiply(factor, x[0]) } else { factor };
                let power = block.power(x[1], j + 1);
                block.divide(numerator, power)
            }
            (Self::Power(q), [n]) => falling_power(block, q, *n, x[0]),
            (Self::Constant(constant), [n]) => match rule(*constant) {
                Some(Rule::Cycle(cycle)) => {
                    let (sign, constant) = cycle[n % cycle.len()];
                    let value = block.call(constant, x);
                    let sign = block.rational(sign);
                    block.multiply(sign, value)
                }
                Some(Rule::Helper { helper, first, step }) => {
                    let u = helper(block, x[0], *constant);
                    let polynomial = derivative(&first, &step, *n);
                    polynomial.value(block, x[0], u)
                }
                None => block.rational(0),
            },
            _ => block.rational(0),
        }
    }
}

/// `q (q−1) … (q−n+1) x^{q−n}`
fn falling_power(block: &mut Block, q: &Rational, n: usize, x: Atom) -> Atom {
    let factor = (0..n).fold(Rational::from(1), |factor, i| factor * (q.clone() - i as u64));
    if factor == 0 {
        return block.rational(0);
    }
    let exponent = Rational::from(q - n as u64);
    let power = if exponent == 0 {
        block.rational(1)
    } else if exponent == 1 {
        x
    } else {
        let exponent = block.rational(exponent);
        block.call(Constant::Power, &[x, exponent])
    };
    let factor = block.rational(factor);
    block.multiply(factor, power)
}

/// How the derivatives of an elementary function go on.
enum Rule {
    /// The derivatives of order 0, 1, 2, …, over and over.
    Cycle(&'static [(i32, Constant)]),
    /// The helper u, g′ and u′.
    Helper { helper: fn(&mut Block, Atom, Constant) -> Atom, first: Polynomial, step: Polynomial },
}

/// Terms `c xⁱ uʲ`, by (i, j).
#[derive(Clone, Debug, Default)]
struct Polynomial(BTreeMap<(usize, usize), Rational>);

impl Polynomial {
    fn new(terms: &[(i32, i32, usize, usize)]) -> Self {
        Self(terms.iter().map(|&(p, q, i, j)| ((i, j), Rational::from((p, q)))).collect())
    }

    fn add(&mut self, i: usize, j: usize, c: Rational) {
        *self.0.entry((i, j)).or_default() += c;
    }

    /// The derivative in x, with u′ = step.
    fn differentiated(&self, step: &Self) -> Self {
        let mut result = Self::default();
        for (&(i, j), c) in &self.0 {
            if i > 0 {
                result.add(i - 1, j, Rational::from(c * i as u64));
            }
            if j > 0 {
                for (&(k, l), d) in &step.0 {
                    result.add(i + k, j - 1 + l, Rational::from(c * d) * j as u64);
                }
            }
        }
        result.0.retain(|_, c| *c != 0);
        result
    }

    fn value(&self, block: &mut Block, x: Atom, u: Atom) -> Atom {
        let mut terms = Vec::with_capacity(self.0.len());
        for (&(i, j), c) in &self.0 {
            let (x, u) = (block.power(x, i), block.power(u, j));
            let c = block.rational(c.clone());
            let monomial = block.multiply(x, u);
            terms.push(block.multiply(c, monomial));
        }
        block.sum(&terms)
    }
}

/// The nth derivative, n ≥ 1, of a function with this first one.
fn derivative(first: &Polynomial, step: &Polynomial, n: usize) -> Polynomial {
    (1..n).fold(first.clone(), |polynomial, _| polynomial.differentiated(step))
}

fn itself(block: &mut Block, x: Atom, g: Constant) -> Atom {
    block.call(g, &[x])
}

fn inverse(block: &mut Block, a: Atom) -> Atom {
    let one = block.rational(1);
    block.divide(one, a)
}

fn inverse_value(block: &mut Block, x: Atom, g: Constant) -> Atom {
    let value = block.call(g, &[x]);
    inverse(block, value)
}

fn reciprocal(block: &mut Block, x: Atom, _: Constant) -> Atom {
    inverse(block, x)
}

/// `c + d x²`
fn quadratic(block: &mut Block, x: Atom, c: i32, d: i32) -> Atom {
    let (c, d) = (block.rational(c), block.rational(d));
    let square = block.power(x, 2);
    let square = block.multiply(d, square);
    block.add(c, square)
}

fn inverse_root(block: &mut Block, radicand: Atom) -> Atom {
    let root = block.call(Constant::Sqrt, &[radicand]);
    inverse(block, root)
}

fn rule(constant: Constant) -> Option<Rule> {
    use Constant::{
        Acos, Acosh, Asin, Asinh, Atan, Atanh, Cbrt, Cos, Cosh, Exp, Log, Sigmoid, Sin, Sinh, Sqrt, Tan, Tanh,
    };
    let in_value = |terms: &[(i32, i32, usize, usize)]| {
        let first = Polynomial::new(terms);
        Rule::Helper { helper: itself, step: first.clone(), first }
    };
    let with = |helper, first: &[(i32, i32, usize, usize)], step: &[(i32, i32, usize, usize)]| Rule::Helper {
        helper,
        first: Polynomial::new(first),
        step: Polynomial::new(step),
    };
    Some(match constant {
        Exp => in_value(&[(1, 1, 0, 1)]),
        Sin => Rule::Cycle(&[(1, Sin), (1, Cos), (-1, Sin), (-1, Cos)]),
        Cos => Rule::Cycle(&[(1, Cos), (-1, Sin), (-1, Cos), (1, Sin)]),
        Sinh => Rule::Cycle(&[(1, Sinh), (1, Cosh)]),
        Cosh => Rule::Cycle(&[(1, Cosh), (1, Sinh)]),
        Tan => in_value(&[(1, 1, 0, 0), (1, 1, 0, 2)]),
        Tanh => in_value(&[(1, 1, 0, 0), (-1, 1, 0, 2)]),
        Sigmoid => in_value(&[(1, 1, 0, 1), (-1, 1, 0, 2)]),
        Log => with(reciprocal, &[(1, 1, 0, 1)], &[(-1, 1, 0, 2)]),
        Sqrt => with(inverse_value, &[(1, 2, 0, 1)], &[(-1, 2, 0, 3)]),
        Cbrt => with(inverse_value, &[(1, 3, 0, 2)], &[(-1, 3, 0, 4)]),
        Asin | Acos => {
            let sign = if constant == Asin { 1 } else { -1 };
            let helper = |block: &mut Block, x, _| {
                let radicand = quadratic(block, x, 1, -1);
                inverse_root(block, radicand)
            };
            with(helper, &[(sign, 1, 0, 1)], &[(1, 1, 1, 3)])
        }
        Atan => {
            let helper = |block: &mut Block, x, _| {
                let square = quadratic(block, x, 1, 1);
                inverse(block, square)
            };
            with(helper, &[(1, 1, 0, 1)], &[(-2, 1, 1, 2)])
        }
        Asinh | Acosh => {
            let helper = |block: &mut Block, x, g| {
                let radicand = quadratic(block, x, if g == Asinh { 1 } else { -1 }, 1);
                inverse_root(block, radicand)
            };
            with(helper, &[(1, 1, 0, 1)], &[(-1, 1, 1, 3)])
        }
        Atanh => {
            let helper = |block: &mut Block, x, _| {
                let square = quadratic(block, x, 1, -1);
                inverse(block, square)
            };
            with(helper, &[(1, 1, 0, 1)], &[(2, 1, 1, 2)])
        }
        _ => return None,
    })
}
