//! Detection of weights that are negative for parameters near the value at which a derivative is wanted.
//!
//! A program without a meaning on one side of the parameter has no derivative there.
//!
//! A weight that is 0 at the parameter for all draws is classified by its first nonzero derivative in the parameter.
//! One of odd order makes the weight change its sign; one of even order gives the weight its own sign.

use super::fails::places;
use super::{Group, Leaf};
use crate::measure::cells::Cutter;
use crate::measure::draws::{Parameter, Path};
use crate::measure::slope::slope;
use crate::number::budget::Budget;
use crate::pieces::Test;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation};
use std::cmp::Ordering;

/// The highest order of derivatives to try. A choice: derivatives of graphs grow quickly.
const HIGHEST: usize = 6;

impl Leaf {
    /// Decides whether a weight on the path is negative, with positive probability, for parameters arbitrarily near.
    ///
    /// Returns `Some(false)` if it is nonnegative for all parameters nearby. Returns `None` if neither is known.
    #[must_use]
    pub fn turns_negative(&self, weight: &Graph, path: &Path, parameter: &Parameter, budget: &Budget) -> Option<bool> {
        if let Some(fails) = self.fails(weight, Test::NonNegative, path, Some(parameter), budget) {
            return Some(fails);
        }
        if let Some(found) = self.by_first_derivative(weight, path, parameter, budget) {
            return Some(found);
        }
        match weight.operation() {
            Operation::Binary(Binary::Multiply, a, b) => {
                // factors that stay nonnegative have a nonnegative product; two negative factors would prove nothing
                let own = [a, b].map(|factor| self.turns_negative(factor, path, parameter, budget));
                (own == [Some(false); 2]).then_some(false)
            }
            _ => None,
        }
    }

    /// Decides the sign of a weight by its first nonzero derivative in the parameter (Taylor).
    fn by_first_derivative(&self, weight: &Graph, path: &Path, parameter: &Parameter, budget: &Budget) -> Option<bool> {
        let own: Vec<&Group> = self
            .groups
            .iter()
            .filter(|group| group.coordinates.iter().any(|x| weight.depends_on(x.variable)))
            .collect();
        let (variables, places) = places(&own);
        let cutter = Cutter::new(Some(parameter), path.within(Some(parameter)), budget);
        let mut forms = Normaliser::default();
        let mut derivative = weight.clone();
        for order in 0..=HIGHEST {
            let here = derivative.substitute(&[(parameter.variable, Graph::rational(parameter.at.clone()))]);
            let is_zero = forms.fraction(&here).is_some_and(|form| form.is_zero())
                // without draws, the sign of one number decides; with draws, an identity is needed
                || variables.is_empty() && cutter.sign(&here, &[], &[]) == Ok(Ordering::Equal);
            if !is_zero {
                if order == 0 {
                    return None;
                }
                let signs: Vec<_> = places.iter().map(|place| cutter.sign(&here, &variables, place).ok()).collect();
                let is_negative = signs.contains(&Some(Ordering::Less));
                let is_positive = signs.contains(&Some(Ordering::Greater));
                return match order % 2 {
                    1 => (is_negative || is_positive).then_some(true),
                    _ if is_negative => Some(true),
                    // samples prove nothing for all draws: the derivative may be smaller towards a boundary
                    _ => (variables.is_empty() && is_positive).then_some(false),
                };
            }
            derivative = slope(&derivative, parameter.variable)?;
        }
        None
    }
}
