//! The first-order constants: those whose arguments are data.

use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::syntax::constant::{Constant, DiscreteValue};
use crate::value::{Carrier, NegativeDifference, TruthType, Value, ValueError};

/// Arithmetic on the representation of real numbers.
///
/// The effect of the same constants on natural numbers, truth values, tuples and lists is derived here.
pub trait RealArithmetic: Send + Sync {
    /// The representation of a real number.
    type Real: Carrier;

    /// Applies a constant of real numbers to all its arguments: `+ - * / ^`, negation, π and e, `max`, `min`, `abs`, `signum`,
    /// and the elementary functions.
    ///
    /// # Errors
    /// [`missing_rule`](Self::missing_rule) for a constant that the arithmetic lacks.
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError>;

    /// Returns x to the power of a literal.
    ///
    /// # Errors
    /// Those of the operation.
    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.apply_real_constant(Constant::Power, &[x, &self.rational_constant(exponent)])
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
        self.apply_real_constant(Constant::Multiply, &[&self.natural_power(&large, whole)?, &power])
    }

    /// Compares two numbers.
    ///
    /// # Errors
    /// [`missing_rule`](Self::missing_rule), unless the arithmetic overrides the method.
    fn compare_reals(
        &self,
        constant: Constant,
        x: &Self::Real,
        y: &Self::Real,
    ) -> Result<<Self::Real as Carrier>::Truth, ValueError> {
        let _ = (x, y);
        self.missing_rule(constant)
    }

    /// Represents a rational number.
    fn rational_constant(&self, value: &Rational) -> Self::Real;

    /// Returns the error for a constant that the arithmetic lacks.
    ///
    /// # Errors
    /// Always.
    fn missing_rule<T>(&self, constant: Constant) -> Result<T, ValueError> {
        Err(ValueError::Mismatch { expected: "a constant that has a rule", found: constant.name() })
    }

    /// Applies a first-order constant to all its arguments.
    ///
    /// Returns `None` for isomorphisms, for tangents, and for constants other than `fold` that take functions.
    fn apply_first_order(
        &self,
        constant: Constant,
        arguments: &[Value<Self::Real>],
    ) -> Option<Result<Value<Self::Real>, ValueError>> {
        use Constant::{Add, Deriv, Functional, Jvp, Rd, Subtract, TangentProd, TangentR, TangentToR, TangentValue};
        Some(match (constant, arguments) {
            (TangentR | TangentProd | TangentToR | TangentValue | Constant::Tangent | Deriv | Jvp | Rd, _)
            | (Functional(_), _) => return None,
            // before the rules on real numbers: the same names `+`, `*`, … on two natural numbers
            (_, [Value::Natural(x), Value::Natural(y)]) if let Some(rule) = constant.natural_operation() => {
                match rule(*x, *y) {
                    None if constant == Constant::NaturalDifference => {
                        Err(ValueError::NegativeDifference(Box::new(NegativeDifference::from_operands(*x, *y))))
                    }
                    found => natural_result(found),
                }
            }
            (Constant::NaturalPower, [x, n]) => {
                x.as_real().and_then(|x| self.natural_power(x, n.as_natural()?)).map(Value::Real)
            }
            (Add | Subtract, [x, y]) => self.apply_componentwise(constant, x, y),
            (Constant::Negate, [x]) => self.negate_vector(x),
            (_, [x, y]) if constant.compares_reals() => {
                x.as_real().and_then(|x| self.compare_reals(constant, x, y.as_real()?)).map(Value::Boolean)
            }
            (Constant::Scale, [c, x]) => c.as_real().and_then(|c| self.scale_vector(c, x)),
            (Constant::Dot, [x, y]) => self.dot_product(x, y).map(Value::Real),
            (Constant::Not, [x]) => x.as_boolean().map(|b| Value::Boolean(b.negate())),
            (Constant::ToReal, [x]) => x.as_natural().map(|n| Value::Real(self.rational_constant(&n.into()))),
            (Constant::Polygamma, [n, x]) => self.apply_polygamma(n, x).map(Value::Real),
            (Constant::Sigmoid, [Value::Real(x)]) => self.sigmoid(x).map(Value::Real),
            (Constant::Fst, [x]) => x.as_pair().map(|(a, _)| a.clone()),
            (Constant::Snd, [x]) => x.as_pair().map(|(_, b)| b.clone()),
            (Constant::Fold, [step, start, list]) => fold_list(step, start, list),
            (_, []) => self.apply_real_constant(constant, &[]).map(Value::Real),
            (_, [x]) => x.as_real().and_then(|x| self.apply_real_constant(constant, &[x])).map(Value::Real),
            (_, [x, y]) => self.apply_binary(constant, x, y),
            _ => self.missing_rule(constant),
        })
    }

    /// Applies a binary operation to numbers or natural numbers, or to tuples of them componentwise.
    ///
    /// # Errors
    /// Those of the operation on numbers; [`ValueError::NaturalOverflow`].
    fn apply_componentwise(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        match (x, y) {
            (Value::Natural(x), Value::Natural(y)) => {
                natural_result(constant.natural_operation().and_then(|rule| rule(*x, *y)))
            }
            (Value::Unit, Value::Unit) => Ok(Value::Unit),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let parts = a.iter().zip(b.iter()).map(|(a, b)| self.apply_componentwise(constant, a, b));
                Ok(Value::Tuple(parts.collect::<Result<_, _>>()?))
            }
            _ => self.apply_binary(constant, x, y),
        }
    }

    /// Returns the product of a number and a vector.
    ///
    /// # Errors
    /// Those of the product of numbers; [`ValueError::Mismatch`] if `x` is no vector.
    fn scale_vector(&self, c: &Self::Real, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        let products = x.coordinates()?.into_iter().map(|x| self.apply_real_constant(Constant::Multiply, &[c, x]));
        Ok(x.with_coordinates(&mut products.collect::<Result<Vec<_>, _>>()?.into_iter()))
    }

    /// Returns the sum of the products of coordinates.
    ///
    /// # Errors
    /// Those of products and sums of numbers; [`ValueError::Mismatch`] if an argument is no vector.
    fn dot_product(&self, x: &Value<Self::Real>, y: &Value<Self::Real>) -> Result<Self::Real, ValueError> {
        let pairs = x.coordinates()?.into_iter().zip(y.coordinates()?);
        let mut products = pairs.map(|(x, y)| self.apply_real_constant(Constant::Multiply, &[x, y]));
        // start from the first product, not from 0: one operation less to round
        let Some(first) = products.next() else { return Ok(self.rational_constant(&0.into())) };
        products.try_fold(first?, |sum, product| self.apply_real_constant(Constant::Add, &[&sum, &product?]))
    }

    /// Returns the logistic function as 1/(1 + e⁻ˣ), in which x occurs once: in interval arithmetic it loses nothing.
    ///
    /// # Errors
    /// Those of the operations on numbers.
    fn sigmoid(&self, x: &Self::Real) -> Result<Self::Real, ValueError> {
        let decay = self.apply_real_constant(
            Constant::Elementary(Function::Exp),
            &[&self.apply_real_constant(Constant::Negate, &[x])?],
        )?;
        let one = self.rational_constant(&1.into());
        self.apply_real_constant(Constant::Divide, &[&one, &self.apply_real_constant(Constant::Add, &[&one, &decay])?])
    }

    /// Returns ψ⁽ⁿ⁾(x).
    ///
    /// # Errors
    /// [`ValueError::PolygammaOrder`], and those of the operations on numbers.
    fn apply_polygamma(&self, n: &Value<Self::Real>, x: &Value<Self::Real>) -> Result<Self::Real, ValueError> {
        self.apply_real_constant(Constant::Elementary(polygamma_of_order(n.as_natural()?)?), &[x.as_real()?])
    }

    /// Applies an operation to two numbers.
    ///
    /// # Errors
    /// Those of the operation.
    fn apply_binary(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        self.apply_real_constant(constant, &[x.as_real()?, y.as_real()?]).map(Value::Real)
    }

    /// Returns the opposite, componentwise on tuples.
    ///
    /// # Errors
    /// Those of the operation on numbers.
    fn negate_vector(&self, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        match x {
            Value::Unit => Ok(Value::Unit),
            Value::Tuple(parts) => {
                Ok(Value::Tuple(parts.iter().map(|part| self.negate_vector(part)).collect::<Result<_, _>>()?))
            }
            _ => Ok(Value::Real(self.apply_real_constant(Constant::Negate, &[x.as_real()?])?)),
        }
    }
}

/// Returns the polygamma function ψ⁽ⁿ⁾.
///
/// # Errors
/// [`ValueError::PolygammaOrder`]
pub fn polygamma_of_order(order: u64) -> Result<Function, ValueError> {
    Function::polygamma(order).ok_or(ValueError::PolygammaOrder { order, highest: Function::HIGHEST_POLYGAMMA })
}

fn natural_result<R: Carrier>(found: Option<DiscreteValue>) -> Result<Value<R>, ValueError> {
    match found.ok_or(ValueError::NaturalOverflow)? {
        DiscreteValue::Natural(n) => Ok(Value::Natural(n)),
        DiscreteValue::Truth(b) => Ok(Value::from_bool(b)),
    }
}

fn fold_list<R: Carrier>(step: &Value<R>, start: &Value<R>, list: &Value<R>) -> Result<Value<R>, ValueError> {
    let step = step.as_function()?;
    list.as_list()?.try_fold_right(start.clone(), |x, rest| step.apply(x)?.as_function()?.apply(&rest))
}
