//! Linear forms `Σ aᵢ rᵢ + c` with rational coefficients, over opaque terms.
//!
//! They reveal kinks that test the sign of one number.

use crate::number::Rational;
use std::collections::BTreeMap;

/// The largest number of nodes that are expanded per form. A choice: forms stay short, and the search is linear in the
/// program.
const FARTHEST: u32 = 64;

/// The operation that computes a term.
pub(super) enum Shape<P> {
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
pub(super) struct Linear<P>(BTreeMap<Option<P>, Rational>);

impl<P: Copy + Ord> Linear<P> {
    /// Expands a sum of multiples of terms, by the operations that compute them.
    pub(super) fn of(shape: impl Fn(P) -> Shape<P>, multiples: impl IntoIterator<Item = (P, i64)>) -> Self {
        let mut form = Self(BTreeMap::new());
        let mut left = FARTHEST;
        for (place, factor) in multiples {
            form.add(&shape, place, &factor.into(), &mut left);
        }
        form
    }

    fn add(&mut self, shape: &impl Fn(P) -> Shape<P>, place: P, factor: &Rational, left: &mut u32) {
        *left = left.saturating_sub(1);
        let constant = |place| match shape(place) {
            Shape::Constant(q) => Some(q),
            _ => None,
        };
        match shape(place) {
            Shape::Constant(q) => return self.put(None, q * factor),
            _ if *left == 0 => {}
            Shape::Negate(x) => return self.add(shape, x, &Rational::from(-factor), left),
            Shape::Add(x, y) => {
                self.add(shape, x, factor, left);
                return self.add(shape, y, factor, left);
            }
            Shape::Subtract(x, y) => {
                self.add(shape, x, factor, left);
                return self.add(shape, y, &Rational::from(-factor), left);
            }
            // a product is expanded only by a constant factor
            Shape::Multiply(x, y) => {
                for (x, y) in [(x, y), (y, x)] {
                    if let Some(q) = constant(x) {
                        return self.add(shape, y, &(q * factor), left);
                    }
                }
            }
            Shape::Divide(x, y) => {
                if let Some(q) = constant(y).filter(|q| !q.is_zero()) {
                    return self.add(shape, x, &(factor.clone() / q), left);
                }
            }
            Shape::Other => {}
        }
        self.put(Some(place), factor.clone());
    }

    fn put(&mut self, place: Option<P>, multiple: Rational) {
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
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.keys().any(|place| place.is_some() && other.0.contains_key(place))
    }

    /// Normalises the form to leading coefficient 1. Returns it with the factor by which the old one is its multiple.
    ///
    /// # Errors
    /// The constant, for a form without terms.
    pub(super) fn normal(mut self) -> Result<(Self, Rational), Rational> {
        let leading = self.0.iter().find_map(|(place, factor)| place.is_some().then(|| factor.clone()));
        let leading = leading.ok_or_else(|| self.0.remove(&None).unwrap_or_default())?;
        self.0.values_mut().for_each(|factor| *factor /= &leading);
        Ok((self, leading))
    }
}
