//! Polynomials in the arguments of a function and a helper: the form of its derivatives.

use crate::function::Formula;
use crate::meaning::taylor::block::{BlockValue, JetBlock};
use crate::number::Rational;
use std::collections::BTreeMap;

/// The exponents of the first argument, of the second, and of the helper.
pub(super) type MonomialExponents = [usize; 3];

/// The index of the helper in the exponents.
pub(super) const HELPER: usize = 2;

/// A polynomial with terms `c xⁱ zᵏ uʲ`, by [i, k, j]; z is the second argument.
#[derive(Clone, Debug, Default)]
pub(super) struct HelperPolynomial(BTreeMap<MonomialExponents, Rational>);

impl HelperPolynomial {
    pub(super) fn monomial(c: impl Into<Rational>, exponents: MonomialExponents) -> Self {
        Self(BTreeMap::from([(exponents, c.into())]))
    }

    pub(super) fn constant(c: impl Into<Rational>) -> Self {
        Self::monomial(c, [0; 3])
    }

    /// Returns `c uʲ`.
    pub(super) fn helper_power(c: impl Into<Rational>, j: usize) -> Self {
        Self::monomial(c, [0, 0, j])
    }

    pub(super) fn add(&mut self, exponents: MonomialExponents, c: Rational) {
        *self.0.entry(exponents).or_default() += c;
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(exponents, c)| self.add(*exponents, c.clone()));
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, c) in &self.0 {
            for (right, d) in &other.0 {
                product.add(std::array::from_fn(|i| left[i] + right[i]), Rational::from(c * d));
            }
        }
        product
    }

    /// Writes a formula as a polynomial with the helper u; `None` if it is none.
    pub(super) fn from_formula(formula: &Formula, helper: &Formula) -> Option<Self> {
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
    pub(super) fn inverse_of_formula(a: &'static Formula, helper: &Formula) -> Option<Self> {
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
    pub(super) fn helper_derivative(helper: &Formula, argument: usize, slope: &Self) -> Option<Self> {
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
    pub(super) fn differentiate(&self, argument: usize, step: &Self) -> Self {
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
    pub(super) fn build_value(&self, block: &mut JetBlock, x: &[BlockValue], u: BlockValue) -> BlockValue {
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
