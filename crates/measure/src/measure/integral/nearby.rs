//! Whether a weight is negative for parameters near the place at which a derivative is wanted: where the program has no meaning on one side,
//! there is none.
//!
//! A weight that is 0 at the place, whatever is drawn, is told by its first derivative in the parameter that is not: of odd order it has both
//! signs nearby; of even order it has the sign of that.

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

/// The highest derivative that is looked at.
const HIGHEST: usize = 6;

impl Leaf {
    /// Whether a weight on the path is negative, with some chance, for parameters as near as one likes; `Some(false)` where it is so for none
    /// nearby, `None` where neither is known.
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
                let own = [a, b].map(|factor| self.turns_negative(factor, path, parameter, budget));
                (own == [Some(false); 2]).then_some(false)
            }
            _ => None,
        }
    }

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
                    // of draws it may be less, the nearer they are to a border
                    _ => (variables.is_empty() && is_positive).then_some(false),
                };
            }
            derivative = slope(&derivative, parameter.variable)?;
        }
        None
    }
}
