//! Linear forms `Σ aᵢ rᵢ + c` with rational coefficients, over opaque terms.
//!
//! They reveal kinks that test the sign of one number.

use crate::number::Rational;
use std::collections::BTreeMap;

/// The largest number of nodes that are expanded per form. A choice: forms stay short, and the search is linear in the
/// program.
const MAX_EXPANDED_TERMS: u32 = 64;

/// The operation that computes a term.
pub(super) enum LinearOperation<P> {
    Constant(Rational),
    Negate(P),
    Add(P, P),
    Subtract(P, P),
    Multiply(P, P),
    Divide(P, P),
    Other,
}

/// `Σ aᵢ rᵢ + c`; the constant has the key `None`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LinearForm<P>(BTreeMap<Option<P>, Rational>);

impl<P: Copy + Ord> LinearForm<P> {
    /// Expands a sum of multiples of terms, by the operations that compute them.
    pub(super) fn from_multiples(
        shape: impl Fn(P) -> LinearOperation<P>,
        multiples: impl IntoIterator<Item = (P, i64)>,
    ) -> Self {
        let mut form = Self(BTreeMap::new());
        let mut left = MAX_EXPANDED_TERMS;
        for (place, factor) in multiples {
            form.expand_term(&shape, place, &factor.into(), &mut left);
        }
        form
    }

    fn expand_term(&mut self, shape: &impl Fn(P) -> LinearOperation<P>, place: P, factor: &Rational, left: &mut u32) {
        *left = left.saturating_sub(1);
        let constant = |place| match shape(place) {
            LinearOperation::Constant(q) => Some(q),
            _ => None,
        };
        match shape(place) {
            LinearOperation::Constant(q) => return self.add_term(None, q * factor),
            _ if *left == 0 => {}
            LinearOperation::Negate(x) => return self.expand_term(shape, x, &Rational::from(-factor), left),
            LinearOperation::Add(x, y) => {
                self.expand_term(shape, x, factor, left);
                return self.expand_term(shape, y, factor, left);
            }
            LinearOperation::Subtract(x, y) => {
                self.expand_term(shape, x, factor, left);
                return self.expand_term(shape, y, &Rational::from(-factor), left);
            }
            // a product is expanded only by a constant factor
            LinearOperation::Multiply(x, y) => {
                for (x, y) in [(x, y), (y, x)] {
                    if let Some(q) = constant(x) {
                        return self.expand_term(shape, y, &(q * factor), left);
                    }
                }
            }
            LinearOperation::Divide(x, y) => {
                if let Some(q) = constant(y).filter(|q| !q.is_zero()) {
                    return self.expand_term(shape, x, &(factor.clone() / q), left);
                }
            }
            LinearOperation::Other => {}
        }
        self.add_term(Some(place), factor.clone());
    }

    fn add_term(&mut self, place: Option<P>, multiple: Rational) {
        let sum = self.0.entry(place).or_default();
        *sum += multiple;
        if sum.is_zero() {
            self.0.remove(&place);
        }
    }

    /// Returns the terms with their coefficients; the constant has no term.
    pub(super) fn terms(&self) -> impl Iterator<Item = (Option<P>, &Rational)> {
        self.0.iter().map(|(place, factor)| (*place, factor))
    }

    /// Returns `true` if some term occurs in both forms.
    pub(super) fn shares_term(&self, other: &Self) -> bool {
        self.0.keys().any(|place| place.is_some() && other.0.contains_key(place))
    }

    /// Normalises the form to leading coefficient 1. Returns it with the factor by which the old one is its multiple.
    ///
    /// # Errors
    /// The constant, for a form without terms.
    pub(super) fn into_normal_form(mut self) -> Result<(Self, Rational), Rational> {
        let leading = self.0.iter().find_map(|(place, factor)| place.is_some().then(|| factor.clone()));
        let leading = leading.ok_or_else(|| self.0.remove(&None).unwrap_or_default())?;
        self.0.values_mut().for_each(|factor| *factor /= &leading);
        Ok((self, leading))
    }
}
