//! Detection of weights that are negative for parameters near the value at which a derivative is wanted.
//!
//! A program without a meaning on one side of the parameter has no derivative there.
//!
//! A weight that is 0 at the parameter for all draws is classified by its first nonzero derivative in the parameter.
//! One of odd order makes the weight change its sign; one of even order gives the weight its own sign.

use super::fails::sample_points;
use super::{DrawGroup, PathIntegral};
use crate::measure::cells::CellDecomposition;
use crate::measure::draws::{ExecutionPath, Parameter};
use crate::measure::slope::partial_derivative;
use crate::number::budget::Budget;
use crate::pieces::SignTest;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation};
use std::cmp::Ordering;

/// The highest order of derivatives to try. A choice: derivatives of graphs grow quickly.
const MAX_DERIVATIVE_ORDER: usize = 6;

impl PathIntegral {
    /// Decides whether a weight on the path is negative, with positive probability, for parameters arbitrarily near.
    ///
    /// Returns `AtMost(false)` if it is nonnegative for all parameters nearby. Returns `None` if neither is known.
    #[must_use]
    pub fn is_negative_nearby(
        &self,
        weight: &Graph,
        path: &ExecutionPath,
        parameter: &Parameter,
        budget: &Budget,
    ) -> Option<bool> {
        if let Some(fails) = self.test_fails(weight, SignTest::NonNegative, path, Some(parameter), budget) {
            return Some(fails);
        }
        if let Some(found) = self.by_first_derivative(weight, path, parameter, budget) {
            return Some(found);
        }
        match weight.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                // factors that stay nonnegative have a nonnegative product; two negative factors would prove nothing
                let own = [a, b].map(|factor| self.is_negative_nearby(factor, path, parameter, budget));
                (own == [Some(false); 2]).then_some(false)
            }
            _ => None,
        }
    }

    /// Decides the sign of a weight by its first nonzero derivative in the parameter (Taylor).
    fn by_first_derivative(
        &self,
        weight: &Graph,
        path: &ExecutionPath,
        parameter: &Parameter,
        budget: &Budget,
    ) -> Option<bool> {
        let own: Vec<&DrawGroup> = self
            .groups
            .iter()
            .filter(|group| group.coordinates.iter().any(|x| weight.depends_on(x.variable)))
            .collect();
        let (variables, places) = sample_points(&own);
        let cutter = CellDecomposition::new(Some(parameter), path.coordinate_ranges(Some(parameter)), budget);
        let mut forms = RationalNormalForm::default();
        let mut derivative = weight.clone();
        for order in 0..=MAX_DERIVATIVE_ORDER {
            let here = derivative.substitute(&[(parameter.variable, Graph::rational(parameter.value.clone()))]);
            let is_zero = forms.normal_form(&here).is_some_and(|form| form.is_zero())
                // without draws, the sign of one number decides; with draws, an identity is needed
                || variables.is_empty() && cutter.sign_at(&here, &[], &[]) == Ok(Ordering::Equal);
            if !is_zero {
                if order == 0 {
                    return None;
                }
                let signs: Vec<_> = places.iter().map(|place| cutter.sign_at(&here, &variables, place).ok()).collect();
                let is_negative = signs.contains(&Some(Ordering::Less));
                let is_positive = signs.contains(&Some(Ordering::Greater));
                return match order % 2 {
                    1 => (is_negative || is_positive).then_some(true),
                    _ if is_negative => Some(true),
                    // samples prove nothing for all draws: the derivative may be smaller towards a boundary
                    _ => (variables.is_empty() && is_positive).then_some(false),
                };
            }
            derivative = partial_derivative(&derivative, parameter.variable)?;
        }
        None
    }
}
