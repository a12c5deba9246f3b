//! The partial derivatives `∂_β op` of the operations, as programs, to any order (H §3.2).
//!
//! H chooses terms for them, and prints those of order ≤ 2 for three operations. Here they are generated from the slope g′ in the
//! [row](crate::function::FunctionSpec) of an elementary function g. There is a helper u such that `g′` and `u′` are polynomials in x and
//! u, so every derivative is one. The helper is the function itself, or 1/g, or an inverse, an inverse root or a function that
//! occurs in g′.
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
//! | atan2 y x | 1/(y²+x²) | x u, −y u | −2 y u², −2 x u² |
//!
//! The polynomials have rational coefficients; a factor of g′ that is no rational number stands before them. The derivatives
//! of sin, cos, sinh and cosh are periodic, and those of lgamma and digamma are polygamma functions.
//!
//! A function from outside has the program of its slope, and `deriv` of that for higher orders.
//!
//! The formulas of a function of two variables continue across its jump. Therefore 0/h is added to them, where h is the number in
//! its [row](crate::function::BinaryFunctionSpec) that is positive where the function is smooth, and undefined or 0 elsewhere.
//!
//! # Polynomials in the arguments of a function and a helper
//!
//! The form of its derivatives.

use super::block::{BlockValue, JetBlock};
use crate::function::{Formula, FormulaStep, Function, SIGMOID_SLOPE, SpecialId};
use crate::meaning::foreign;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use std::collections::BTreeMap;

/// An operation on the reals; H calls it an op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SmoothOperation {
    /// A constant of the language that is smooth on its domain.
    Constant(Constant),
    /// `x ↦ x^q`
    Power(Rational),
    /// `x ↦ polygamma n x` or the like, where n is the first argument of the program and x the second.
    Special(SpecialId),
}

impl SmoothOperation {
    /// Returns the operation of a constant; `None` if it is not a smooth operation on reals.
    #[must_use]
    pub fn of_constant(constant: Constant) -> Option<Self> {
        let smooth = matches!(constant, Constant::Multiply | Constant::Divide | Constant::Add | Constant::Subtract)
            || constant == Constant::Negate
            || derivative_pattern(constant).is_some()
            || constant.as_foreign().is_some_and(|id| foreign::slope_of(id).is_ok());
        smooth.then_some(Self::Constant(constant))
    }

    /// Returns every operation that is a constant.
    pub fn all_constants() -> impl Iterator<Item = Self> {
        Constant::ALL.iter().filter_map(|constant| Self::of_constant(*constant))
    }

    /// Returns the number of real arguments.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Self::Constant(constant) => constant.arity(),
            Self::Power(_) | Self::Special(_) => 1,
        }
    }

    /// Builds the value at x.
    pub fn build_value(&self, block: &mut JetBlock, x: &[BlockValue]) -> BlockValue {
        match self {
            Self::Constant(constant) => block.call_constant(*constant, x),
            Self::Power(q) => {
                let q = block.rational(q.clone());
                block.call_constant(Constant::Power, &[x[0], q])
            }
            Self::Special(_) => self.build_partial(block, &[0], x),
        }
    }

    /// Builds `∂_β op (x₁, …, xₙ)`, for β with an entry for each argument.
    pub fn build_partial(&self, block: &mut JetBlock, beta: &[usize], x: &[BlockValue]) -> BlockValue {
        // before the value: the value of a special function is defined by its derivative of order 0
        if let Self::Special(id) = self {
            let order = block.order_plus(0, beta[0] as u64);
            return block.call_constant(Constant::Special(*id), &[order, x[0]]);
        }
        if beta.iter().all(|entry| *entry == 0) {
            return self.build_value(block, x);
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
            (Self::Constant(Constant::Foreign(id)), [n]) => block.call_slope(*id, *n, x[0]),
            (Self::Power(q), [n]) => falling_power(block, q, *n, x[0]),
            (Self::Constant(Constant::RealPower), [i, j]) => real_power_partial(block, [*i, *j], x),
            (Self::Constant(constant), _) => match derivative_pattern(*constant) {
                Some(DerivativePattern::Periodic(cycle)) => {
                    let (sign, function) = cycle[beta[0] % cycle.len()];
                    let value = block.call_constant(Constant::Elementary(function), x);
                    let sign = block.rational(sign);
                    block.multiply(sign, value)
                }
                Some(DerivativePattern::NamedDerivatives(function)) => {
                    let raised =
                        (0..beta[0]).fold(function, |function, _| function.derivative_function().unwrap_or(function));
                    block.call_constant(Constant::Elementary(raised), x)
                }
                Some(DerivativePattern::HelperPolynomials { factor, helper, slopes, steps }) => {
                    let u = build_formula(block, &helper, *constant, x);
                    let derivative = derive_polynomial(&slopes, &steps, beta).build_value(block, x, u);
                    let derivative = match factor {
                        Some(factor) => {
                            let factor = build_formula(block, factor, *constant, x);
                            block.multiply(factor, derivative)
                        }
                        None => derivative,
                    };
                    match constant.as_binary_function() {
                        // undefined on the jump, where the formula alone would have a value
                        Some(f) => {
                            let (zero, smooth) =
                                (block.rational(0), build_formula(block, &f.row().smoothness_indicator, *constant, x));
                            let zero = block.divide(zero, smooth);
                            block.add(derivative, zero)
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

/// Builds `q (q−1) … (q−n+1) x^{q−n}`.
fn falling_power(block: &mut JetBlock, q: &Rational, n: usize, x: BlockValue) -> BlockValue {
    let factor = (0..n).fold(Rational::from(1), |factor, i| factor * (q.clone() - i as u64));
    // a whole power differentiated away: x^{q−n} must not appear, it has no value at 0
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
        block.call_constant(Constant::Power, &[x, exponent])
    };
    let factor = block.rational(factor);
    block.multiply(factor, power)
}

/// Builds `∂_x^i ∂_y^j x^y = ∂_y^j (y (y − 1) … (y − i + 1) x^{y−i})` by the rule of Leibniz, for x > 0.
fn real_power_partial(block: &mut JetBlock, [i, j]: [usize; 2], x: &[BlockValue]) -> BlockValue {
    // the coefficients of y (y − 1) … (y − i + 1), the lowest first
    let mut falling = vec![Rational::from(1)];
    for shift in 0..i as u64 {
        let mut product = vec![Rational::new(); falling.len() + 1];
        for (degree, c) in falling.iter().enumerate() {
            product[degree + 1] += c;
            product[degree] -= Rational::from(c * shift);
        }
        falling = product;
    }
    let log = block.call_constant(Constant::Elementary(Function::Log), &x[..1]);
    let (mut terms, mut choose) = (Vec::new(), Rational::from(1));
    for m in 0..=j {
        let mut value = block.rational(0);
        // Horner's rule for the m-th derivative of the falling factorial
        for c in falling.iter().rev() {
            let (shifted, c) = (block.multiply(value, x[1]), block.rational(c.clone()));
            value = block.add(shifted, c);
        }
        let (logs, c) = (block.power(log, j - m), block.rational(choose.clone()));
        let term = block.multiply(value, logs);
        terms.push(block.multiply(c, term));
        falling = falling.iter().enumerate().skip(1).map(|(degree, c)| Rational::from(c * degree as u64)).collect();
        choose = choose * (j - m) as u64 / (m as u64 + 1);
    }
    let (sum, less) = (block.sum(&terms), block.rational(i as u64));
    let exponent = block.subtract(x[1], less);
    let power = block.call_constant(Constant::RealPower, &[x[0], exponent]);
    block.multiply(sum, power)
}

/// The rule for the derivatives of an elementary function.
enum DerivativePattern {
    /// A period of signed functions: the derivatives of order 0, 1, 2, … repeat it.
    Periodic(Vec<(i32, Function)>),
    /// Each derivative is a function of its own.
    NamedDerivatives(Function),
    /// Polynomials: a factor, the helper u, the partial derivatives of g without the factor, and those of u.
    HelperPolynomials {
        factor: Option<&'static Formula>,
        helper: Formula,
        slopes: Vec<HelperPolynomial>,
        steps: Vec<HelperPolynomial>,
    },
}

/// Returns the derivative of order β ≠ 0 of a function with these partial derivatives.
fn derive_polynomial(slopes: &[HelperPolynomial], steps: &[HelperPolynomial], beta: &[usize]) -> HelperPolynomial {
    let mut arguments = beta.iter().enumerate().flat_map(|(argument, n)| std::iter::repeat_n(argument, *n));
    let first = arguments.next().map_or_else(HelperPolynomial::default, |argument| slopes[argument].clone());
    arguments.fold(first, |polynomial, argument| polynomial.differentiate(argument, &steps[argument]))
}

/// Builds a formula at the arguments of the constant whose slope it is.
fn build_formula(block: &mut JetBlock, formula: &Formula, constant: Constant, x: &[BlockValue]) -> BlockValue {
    let one = Rational::from(1);
    formula.eval_with(&mut |step| match step {
        FormulaStep::Argument(index) => x[index],
        FormulaStep::Y => block.call_constant(constant, x),
        FormulaStep::Number(p, q) => block.rational((p, q)),
        FormulaStep::Pi => block.call_constant(Constant::Pi, &[]),
        FormulaStep::Negate(a) => {
            let minus = block.rational(-1);
            block.multiply(minus, a)
        }
        FormulaStep::Add(a, b) => block.add(a, b),
        FormulaStep::Subtract(a, b) => {
            let minus = block.rational(-1);
            let b = block.multiply(minus, b);
            block.add(a, b)
        }
        FormulaStep::Multiply(a, b) => block.multiply(a, b),
        FormulaStep::Divide(a, b) => block.divide(a, b),
        FormulaStep::Square(a) => block.power(a, 2),
        FormulaStep::Inverse(a) => {
            let one = block.rational(one.clone());
            block.divide(one, a)
        }
        FormulaStep::InverseRoot(a) => {
            let root = block.call_constant(Constant::Elementary(Function::Sqrt), &[a]);
            let one = block.rational(one.clone());
            block.divide(one, root)
        }
        FormulaStep::Apply(f, a) => block.call_constant(Constant::Elementary(f), &[a]),
    })
}

/// Returns the rule for a constant; `None` if it has none.
fn derivative_pattern(constant: Constant) -> Option<DerivativePattern> {
    let slopes = match constant {
        Constant::Elementary(function) if function.derivative_function().is_some() => {
            return Some(DerivativePattern::NamedDerivatives(function));
        }
        Constant::Elementary(function) => match derivative_period(function) {
            Some(cycle) => return Some(DerivativePattern::Periodic(cycle)),
            None => std::slice::from_ref(function.row().slope.as_ref()?),
        },
        Constant::Planar(function) => &function.slope_formulas()[..],
        Constant::Sigmoid => std::slice::from_ref(&SIGMOID_SLOPE),
        _ => return None,
    };
    // an irrational factor, such as 2/√π of erf, stays outside the polynomials, whose coefficients are rational
    let (factor, slopes) = match slopes {
        [Formula::Multiply(factor, rest)] if factor.is_closed() => (Some(*factor), std::slice::from_ref(*rest)),
        _ => (None, slopes),
    };
    let helpers = [Formula::Y, Formula::Inverse(&Formula::Y)]
        .into_iter()
        .chain(slopes.iter().flat_map(Formula::list_subformulas));
    // the first helper for which both slopes and steps are polynomials
    let mut rules = helpers.filter_map(|helper| {
        let slopes =
            slopes.iter().map(|slope| HelperPolynomial::from_formula(slope, &helper)).collect::<Option<Vec<_>>>()?;
        let steps = slopes
            .iter()
            .enumerate()
            .map(|(argument, slope)| HelperPolynomial::helper_derivative(&helper, argument, slope));
        let steps = steps.collect::<Option<_>>()?;
        Some(DerivativePattern::HelperPolynomials { factor, helper, slopes, steps })
    });
    rules.next()
}

/// Returns the period of a function's derivatives, if they are ± functions that return to it.
fn derivative_period(function: Function) -> Option<Vec<(i32, Function)>> {
    let mut cycle = vec![(1, function)];
    loop {
        let (sign, last) = *cycle.last()?;
        let next = match last.slope_formula() {
            Formula::Apply(f, Formula::X) => (sign, f),
            Formula::Negate(Formula::Apply(f, Formula::X)) => (-sign, *f),
            _ => return None,
        };
        if next == cycle[0] {
            return Some(cycle);
        }
        cycle.push(next);
    }
}

/// The exponents of the first argument, of the second, and of the helper.
type MonomialExponents = [usize; 3];

/// The index of the helper in the exponents.
const HELPER: usize = 2;

/// A polynomial with terms `c xⁱ zᵏ uʲ`, by [i, k, j]; z is the second argument.
#[derive(Clone, Debug, Default)]
struct HelperPolynomial(BTreeMap<MonomialExponents, Rational>);

impl HelperPolynomial {
    fn monomial(c: impl Into<Rational>, exponents: MonomialExponents) -> Self {
        Self(BTreeMap::from([(exponents, c.into())]))
    }

    fn constant(c: impl Into<Rational>) -> Self {
        Self::monomial(c, [0; 3])
    }

    /// Returns `c uʲ`.
    fn helper_power(c: impl Into<Rational>, j: usize) -> Self {
        Self::monomial(c, [0, 0, j])
    }

    fn add(&mut self, exponents: MonomialExponents, c: Rational) {
        *self.0.entry(exponents).or_default() += c;
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(exponents, c)| self.add(*exponents, c.clone()));
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, c) in &self.0 {
            for (right, d) in &other.0 {
                product.add(std::array::from_fn(|i| left[i] + right[i]), Rational::from(c * d));
            }
        }
        product
    }

    /// Writes a formula as a polynomial with the helper u; `None` if it is none.
    fn from_formula(formula: &Formula, helper: &Formula) -> Option<Self> {
        let of = |formula| Self::from_formula(formula, helper);
        Some(match formula {
            // the helper first: as a whole it is u, even where its parts are polynomials too
            _ if formula == helper => Self::helper_power(1, 1),
            Formula::X => Self::monomial(1, [1, 0, 0]),
            Formula::Second => Self::monomial(1, [0, 1, 0]),
            Formula::Number(p, q) => Self::constant((*p, *q)),
            Formula::Negate(a) => of(a)?.times(&Self::constant(-1)),
            Formula::Add(a, b) => of(a)?.plus(&of(b)?),
            Formula::Subtract(a, b) => of(a)?.plus(&of(b)?.times(&Self::constant(-1))),
            Formula::Multiply(a, b) => of(a)?.times(&of(b)?),
            Formula::Divide(a, b) => of(a)?.times(&Self::inverse_of_formula(b, helper)?),
            Formula::Square(a) => of(a)?.times(&of(a)?),
            Formula::Inverse(a) => Self::inverse_of_formula(a, helper)?,
            _ => return None,
        })
    }

    /// Writes 1/a as a polynomial, for a product a; `None` if it is none.
    fn inverse_of_formula(a: &'static Formula, helper: &Formula) -> Option<Self> {
        let inverse = |a| Self::inverse_of_formula(a, helper);
        Some(match a {
            _ if Formula::Inverse(a) == *helper => Self::helper_power(1, 1),
            Formula::Number(p, q) if *p != 0 => Self::constant(Rational::from((*p, *q)).recip()),
            Formula::Multiply(a, b) => inverse(a)?.times(&inverse(b)?),
            Formula::Square(a) => inverse(a)?.times(&inverse(a)?),
            _ => return None,
        })
    }

    /// Returns ∂u in an argument, for the helper u of a function with this slope; `None` if it is no polynomial.
    fn helper_derivative(helper: &Formula, argument: usize, slope: &Self) -> Option<Self> {
        let inner = |a| Some(Self::from_formula(a, helper)?.differentiate(argument, &Self::default()));
        Some(match helper {
            Formula::Y => slope.clone(),
            // (1/a)′ = -a′ u², and (1/√a)′ = -a′ u³/2
            Formula::Inverse(Formula::Y) => slope.times(&Self::helper_power(-1, 2)),
            Formula::Inverse(a) => inner(a)?.times(&Self::helper_power(-1, 2)),
            Formula::InverseRoot(a) => inner(a)?.times(&Self::helper_power((-1, 2), 3)),
            Formula::Apply(f, a) => inner(a)?.times(&Self::from_formula(&f.slope_formula(), &Formula::Y)?),
            _ => return None,
        })
    }

    /// Returns the derivative in an argument, where that of u is `step`.
    fn differentiate(&self, argument: usize, step: &Self) -> Self {
        let lower = |exponents: &MonomialExponents, place: usize| {
            let mut lower = *exponents;
            lower[place] = lower[place].checked_sub(1)?;
            Some((lower, exponents[place] as u64))
        };
        let mut result = Self::default();
        for (exponents, c) in &self.0 {
            if let Some((lower, factor)) = lower(exponents, argument) {
                result.add(lower, Rational::from(c * factor));
            }
            if let Some((lower, factor)) = lower(exponents, HELPER) {
                let outer = Self::monomial(Rational::from(c * factor), lower);
                result = result.plus(&outer.times(step));
            }
        }
        // cancelled terms must not be written out as 0·xⁱ
        result.0.retain(|_, c| *c != 0);
        result
    }

    /// Builds the value at the arguments x and the helper u.
    fn build_value(&self, block: &mut JetBlock, x: &[BlockValue], u: BlockValue) -> BlockValue {
        let mut terms = Vec::with_capacity(self.0.len());
        for (exponents, c) in &self.0 {
            let mut monomial = block.rational(1);
            for (base, exponent) in x.iter().zip(exponents).chain([(&u, &exponents[HELPER])]) {
                let power = block.power(*base, *exponent);
                monomial = block.multiply(monomial, power);
            }
            let c = block.rational(c.clone());
            terms.push(block.multiply(c, monomial));
        }
        block.sum(&terms)
    }
}
