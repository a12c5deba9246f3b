//! The first-order constants: those whose arguments are data.

use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::syntax::constant::{Constant, Discrete};
use crate::value::{BelowZero, Carrier, Truth, Value, ValueError};

/// Arithmetic on the representation of real numbers.
///
/// The effect of the same constants on natural numbers, truth values, tuples and lists is derived here.
pub trait Arithmetic: Send + Sync {
    /// The representation of a real number.
    type Real: Carrier;

    /// Applies a constant of real numbers to all its arguments: `+ - * / ^`, negation, π and e, `max`, `min`, `abs`, `signum`,
    /// and the elementary functions.
    ///
    /// # Errors
    /// [`missing`](Self::missing) for a constant that the arithmetic lacks.
    fn real(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError>;

    /// Returns x to the power of a literal.
    ///
    /// # Errors
    /// Those of the operation.
    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.real(Constant::Power, &[x, &self.rational(exponent)])
    }

    /// Returns the product of `exponent` factors x; `exponent` may exceed the largest exponent of a literal.
    ///
    /// # Errors
    /// Those of the operation.
    fn natural_power(&self, x: &Self::Real, exponent: u64) -> Result<Self::Real, ValueError> {
        // in base LARGEST_EXPONENT, by Horner's rule: xᵉ = (xᴸ)^⌊e/L⌋ · x^(e mod L)
        let (whole, rest) = (exponent / LARGEST_EXPONENT, exponent % LARGEST_EXPONENT);
        let power = self.literal_power(x, &rest.into())?;
        if whole == 0 {
            return Ok(power);
        }
        let large = self.literal_power(x, &LARGEST_EXPONENT.into())?;
        self.real(Constant::Multiply, &[&self.natural_power(&large, whole)?, &power])
    }

    /// Compares two numbers.
    ///
    /// # Errors
    /// [`missing`](Self::missing), unless the arithmetic overrides the method.
    fn compare(
        &self,
        constant: Constant,
        x: &Self::Real,
        y: &Self::Real,
    ) -> Result<<Self::Real as Carrier>::Truth, ValueError> {
        let _ = (x, y);
        self.missing(constant)
    }

    /// Represents a rational number.
    fn rational(&self, value: &Rational) -> Self::Real;

    /// Returns the error for a constant that the arithmetic lacks.
    ///
    /// # Errors
    /// Always.
    fn missing<T>(&self, constant: Constant) -> Result<T, ValueError> {
        Err(ValueError::Mismatch { expected: "a constant that has a rule", found: constant.name() })
    }

    /// Applies a first-order constant to all its arguments.
    ///
    /// Returns `None` for isomorphisms, for tangents, and for constants other than `fold` that take functions.
    fn first_order(
        &self,
        constant: Constant,
        arguments: &[Value<Self::Real>],
    ) -> Option<Result<Value<Self::Real>, ValueError>> {
        use Constant::{Add, Deriv, Functional, Jvp, Rd, Subtract, TangentProd, TangentR, TangentToR, TangentValue};
        Some(match (constant, arguments) {
            (TangentR | TangentProd | TangentToR | TangentValue | Constant::Tangent | Deriv | Jvp | Rd, _)
            | (Functional(_), _) => return None,
            // before the rules on real numbers: the same names `+`, `*`, … on two natural numbers
            (_, [Value::Natural(x), Value::Natural(y)]) if let Some(rule) = constant.on_naturals() => {
                match rule(*x, *y) {
                    None if constant == Constant::NaturalDifference => {
                        Err(ValueError::BelowZero(Box::new(BelowZero::of(*x, *y))))
                    }
                    found => naturals(found),
                }
            }
            (Constant::NaturalPower, [x, n]) => {
                x.as_real().and_then(|x| self.natural_power(x, n.as_natural()?)).map(Value::Real)
            }
            (Add | Subtract, [x, y]) => self.componentwise(constant, x, y),
            (Constant::Negate, [x]) => self.negated(x),
            (_, [x, y]) if constant.compares_reals() => {
                x.as_real().and_then(|x| self.compare(constant, x, y.as_real()?)).map(Value::Boolean)
            }
            (Constant::Scale, [c, x]) => c.as_real().and_then(|c| self.scaled(c, x)),
            (Constant::Dot, [x, y]) => self.dot(x, y).map(Value::Real),
            (Constant::Not, [x]) => x.as_boolean().map(|b| Value::Boolean(b.negated())),
            (Constant::ToReal, [x]) => x.as_natural().map(|n| Value::Real(self.rational(&n.into()))),
            (Constant::Polygamma, [n, x]) => self.polygamma(n, x).map(Value::Real),
            (Constant::Sigmoid, [Value::Real(x)]) => self.sigmoid(x).map(Value::Real),
            (Constant::Fst, [x]) => x.as_pair().map(|(a, _)| a.clone()),
            (Constant::Snd, [x]) => x.as_pair().map(|(_, b)| b.clone()),
            (Constant::Fold, [step, start, list]) => folded(step, start, list),
            (_, []) => self.real(constant, &[]).map(Value::Real),
            (_, [x]) => x.as_real().and_then(|x| self.real(constant, &[x])).map(Value::Real),
            (_, [x, y]) => self.both(constant, x, y),
            _ => self.missing(constant),
        })
    }

    /// Applies a binary operation to numbers or natural numbers, or to tuples of them componentwise.
    ///
    /// # Errors
    /// Those of the operation on numbers; [`ValueError::NaturalOverflow`].
    fn componentwise(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        match (x, y) {
            (Value::Natural(x), Value::Natural(y)) => naturals(constant.on_naturals().and_then(|rule| rule(*x, *y))),
            (Value::Unit, Value::Unit) => Ok(Value::Unit),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let parts = a.iter().zip(b.iter()).map(|(a, b)| self.componentwise(constant, a, b));
                Ok(Value::Tuple(parts.collect::<Result<_, _>>()?))
            }
            _ => self.both(constant, x, y),
        }
    }

    /// Returns the product of a number and a vector.
    ///
    /// # Errors
    /// Those of the product of numbers; [`ValueError::Mismatch`] if `x` is no vector.
    fn scaled(&self, c: &Self::Real, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        let products = x.coordinates()?.into_iter().map(|x| self.real(Constant::Multiply, &[c, x]));
        Ok(x.with_coordinates(&mut products.collect::<Result<Vec<_>, _>>()?.into_iter()))
    }

    /// Returns the sum of the products of coordinates.
    ///
    /// # Errors
    /// Those of products and sums of numbers; [`ValueError::Mismatch`] if an argument is no vector.
    fn dot(&self, x: &Value<Self::Real>, y: &Value<Self::Real>) -> Result<Self::Real, ValueError> {
        let pairs = x.coordinates()?.into_iter().zip(y.coordinates()?);
        let mut products = pairs.map(|(x, y)| self.real(Constant::Multiply, &[x, y]));
        // start from the first product, not from 0: one operation less to round
        let Some(first) = products.next() else { return Ok(self.rational(&0.into())) };
        products.try_fold(first?, |sum, product| self.real(Constant::Add, &[&sum, &product?]))
    }

    /// Returns the logistic function as 1/(1 + e⁻ˣ), in which x occurs once: in interval arithmetic it loses nothing.
    ///
    /// # Errors
    /// Those of the operations on numbers.
    fn sigmoid(&self, x: &Self::Real) -> Result<Self::Real, ValueError> {
        let decay = self.real(Constant::Elementary(Function::Exp), &[&self.real(Constant::Negate, &[x])?])?;
        let one = self.rational(&1.into());
        self.real(Constant::Divide, &[&one, &self.real(Constant::Add, &[&one, &decay])?])
    }

    /// Returns ψ⁽ⁿ⁾(x).
    ///
    /// # Errors
    /// [`ValueError::Order`], and those of the operations on numbers.
    fn polygamma(&self, n: &Value<Self::Real>, x: &Value<Self::Real>) -> Result<Self::Real, ValueError> {
        self.real(Constant::Elementary(polygamma(n.as_natural()?)?), &[x.as_real()?])
    }

    /// Applies an operation to two numbers.
    ///
    /// # Errors
    /// Those of the operation.
    fn both(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        self.real(constant, &[x.as_real()?, y.as_real()?]).map(Value::Real)
    }

    /// Returns the opposite, componentwise on tuples.
    ///
    /// # Errors
    /// Those of the operation on numbers.
    fn negated(&self, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        match x {
            Value::Unit => Ok(Value::Unit),
            Value::Tuple(parts) => {
                Ok(Value::Tuple(parts.iter().map(|part| self.negated(part)).collect::<Result<_, _>>()?))
            }
            _ => Ok(Value::Real(self.real(Constant::Negate, &[x.as_real()?])?)),
        }
    }
}

/// Returns the polygamma function ψ⁽ⁿ⁾.
///
/// # Errors
/// [`ValueError::Order`]
pub fn polygamma(order: u64) -> Result<Function, ValueError> {
    Function::polygamma(order).ok_or(ValueError::Order { order, highest: Function::HIGHEST_POLYGAMMA })
}

fn naturals<R: Carrier>(found: Option<Discrete>) -> Result<Value<R>, ValueError> {
    match found.ok_or(ValueError::NaturalOverflow)? {
        Discrete::Natural(n) => Ok(Value::Natural(n)),
        Discrete::Truth(b) => Ok(Value::truth(b)),
    }
}

fn folded<R: Carrier>(step: &Value<R>, start: &Value<R>, list: &Value<R>) -> Result<Value<R>, ValueError> {
    let step = step.as_function()?;
    list.as_list()?.fold(start.clone(), |x, rest| step.apply(x)?.as_function()?.apply(&rest))
}
