//! The partial derivatives `∂_β op` of the operations, as programs, to any order (H §3.2).
//!
//! H chooses terms for them, and prints those of order ≤ 2 for three operations. Here they are generated from the slope g′
//! that is in the [row](crate::function::Row) of an elementary function g. There is a helper u such that `g′` and `u′` are
//! polynomials in x and u, so that each derivative is one: the function itself, or 1/g, or an inverse, an inverse root or a
//! function that occurs in g′.
//!
//! | g | u | g′ | u′ |
//! |---|---|---|---|
//! | exp, tan, tanh, sigmoid | g | u, 1 + u², 1 − u², u − u² | the same |
//! | log | 1/x | u | −u² |
//! | sqrt, cbrt | 1/g | u/2, u²/3 | −u³/2, −u⁴/3 |
//! | asin, acos | 1/√(1−x²) | u, −u | x u³ |
//! | atan, atanh | 1/(1±x²) | u | ∓2 x u² |
//! | asinh, acosh | 1/√(x²±1) | u | −x u³ |
//! | log1p | 1/(1+x) | u | −u² |
//! | expm1 | exp | u | the same |
//! | erf, erfc | exp(−x²) | u | −2 x u |
//!
//! The polynomials have rational coefficients; a factor of g′ that is no rational number stands before them. The derivatives
//! of sin, cos, sinh and cosh go round in circles.

use super::block::{Atom, Block};
use crate::function::{Formula, Function, SIGMOID_SLOPE, Step};
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
                    let (sign, function) = cycle[n % cycle.len()];
                    let value = block.call(Constant::Elementary(function), x);
                    let sign = block.rational(sign);
                    block.multiply(sign, value)
                }
                Some(Rule::Helper { factor, helper, first, step }) => {
                    let u = written(block, &helper, *constant, x[0]);
                    let derivative = derivative(&first, &step, *n).value(block, x[0], u);
                    match factor {
                        Some(factor) => {
                            let factor = written(block, factor, *constant, x[0]);
                            block.multiply(factor, derivative)
                        }
                        None => derivative,
                    }
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
    Cycle(Vec<(i32, Function)>),
    /// The factor, the helper u, g′ without the factor, and u′.
    Helper { factor: Option<&'static Formula>, helper: Formula, first: Polynomial, step: Polynomial },
}

/// Terms `c xⁱ uʲ`, by (i, j).
#[derive(Clone, Debug, Default)]
struct Polynomial(BTreeMap<(usize, usize), Rational>);

impl Polynomial {
    fn term(c: impl Into<Rational>, i: usize, j: usize) -> Self {
        Self(BTreeMap::from([((i, j), c.into())]))
    }

    fn add(&mut self, i: usize, j: usize, c: Rational) {
        *self.0.entry((i, j)).or_default() += c;
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(&(i, j), c)| self.add(i, j, c.clone()));
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (&(i, j), c) in &self.0 {
            other.0.iter().for_each(|(&(k, l), d)| product.add(i + k, j + l, Rational::from(c * d)));
        }
        product
    }

    /// What a formula is, for a helper u.
    fn of(formula: &Formula, helper: &Formula) -> Option<Self> {
        let of = |formula| Self::of(formula, helper);
        Some(match formula {
            _ if formula == helper => Self::term(1, 0, 1),
            Formula::X => Self::term(1, 1, 0),
            Formula::Number(p, q) => Self::term((*p, *q), 0, 0),
            Formula::Negate(a) => of(a)?.times(&Self::term(-1, 0, 0)),
            Formula::Add(a, b) => of(a)?.plus(&of(b)?),
            Formula::Subtract(a, b) => of(a)?.plus(&of(b)?.times(&Self::term(-1, 0, 0))),
            Formula::Multiply(a, b) => of(a)?.times(&of(b)?),
            Formula::Divide(a, b) => of(a)?.times(&Self::inverse(b, helper)?),
            Formula::Square(a) => of(a)?.times(&of(a)?),
            Formula::Inverse(a) => Self::inverse(a, helper)?,
            _ => return None,
        })
    }

    /// What 1/a is, where a is a product.
    fn inverse(a: &'static Formula, helper: &Formula) -> Option<Self> {
        let inverse = |a| Self::inverse(a, helper);
        Some(match a {
            _ if Formula::Inverse(a) == *helper => Self::term(1, 0, 1),
            Formula::Number(p, q) if *p != 0 => Self::term(Rational::from((*p, *q)).recip(), 0, 0),
            Formula::Multiply(a, b) => inverse(a)?.times(&inverse(b)?),
            Formula::Square(a) => inverse(a)?.times(&inverse(a)?),
            _ => return None,
        })
    }

    /// u′, for the helper of a function with this slope.
    fn step(helper: &Formula, slope: &Self) -> Option<Self> {
        let inner = |a| Some(Self::of(a, helper)?.differentiated(&Self::default()));
        Some(match helper {
            Formula::Y => slope.clone(),
            Formula::Inverse(Formula::Y) => slope.times(&Self::term(-1, 0, 2)),
            Formula::Inverse(a) => inner(a)?.times(&Self::term(-1, 0, 2)),
            Formula::InverseRoot(a) => inner(a)?.times(&Self::term((-1, 2), 0, 3)),
            Formula::Of(f, a) => inner(a)?.times(&Self::of(f.slope(), &Formula::Y)?),
            _ => return None,
        })
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

/// A formula at x, for the constant whose slope it is.
fn written(block: &mut Block, formula: &Formula, constant: Constant, x: Atom) -> Atom {
    let one = Rational::from(1);
    formula.evaluate(&mut |step| match step {
        Step::X => x,
        Step::Y => block.call(constant, &[x]),
        Step::Number(p, q) => block.rational((p, q)),
        Step::Pi => block.call(Constant::Pi, &[]),
        Step::Negate(a) => {
            let minus = block.rational(-1);
            block.multiply(minus, a)
        }
        Step::Add(a, b) => block.add(a, b),
        Step::Subtract(a, b) => {
            let minus = block.rational(-1);
            let b = block.multiply(minus, b);
            block.add(a, b)
        }
        Step::Multiply(a, b) => block.multiply(a, b),
        Step::Divide(a, b) => block.divide(a, b),
        Step::Square(a) => block.power(a, 2),
        Step::Inverse(a) => {
            let one = block.rational(one.clone());
            block.divide(one, a)
        }
        Step::InverseRoot(a) => {
            let root = block.call(Constant::Elementary(Function::Sqrt), &[a]);
            let one = block.rational(one.clone());
            block.divide(one, root)
        }
        Step::Of(f, a) => block.call(Constant::Elementary(f), &[a]),
    })
}

fn rule(constant: Constant) -> Option<Rule> {
    let slope = match constant {
        Constant::Elementary(function) => match cycle(function) {
            Some(cycle) => return Some(Rule::Cycle(cycle)),
            None => function.slope(),
        },
        Constant::Sigmoid => &SIGMOID_SLOPE,
        _ => return None,
    };
    let (factor, slope) = match slope {
        Formula::Multiply(factor, rest) if factor.is_closed() => (Some(*factor), *rest),
        _ => (None, slope),
    };
    let helpers = [Formula::Y, Formula::Inverse(&Formula::Y)].into_iter().chain(slope.parts());
    let mut rules = helpers.filter_map(|helper| {
        let first = Polynomial::of(slope, &helper)?;
        let step = Polynomial::step(&helper, &first)?;
        Some(Rule::Helper { factor, helper, first, step })
    });
    rules.next()
}

/// The derivatives of a function, where they are ± functions and come back to it.
fn cycle(function: Function) -> Option<Vec<(i32, Function)>> {
    let mut cycle = vec![(1, function)];
    loop {
        let (sign, last) = *cycle.last()?;
        let next = match last.slope() {
            Formula::Of(f, Formula::X) => (sign, *f),
            Formula::Negate(Formula::Of(f, Formula::X)) => (-sign, *f),
            _ => return None,
        };
        if next == cycle[0] {
            return Some(cycle);
        }
        cycle.push(next);
    }
}
