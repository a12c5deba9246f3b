//! Integrals over cells in closed form, as far as possible: over the last draw first.

use super::DrawGroup;
use crate::measure::cells::CylindricalCell;
use crate::measure::draws::TraceCoordinate;
use crate::measure::eliminate::between::{IntegralAssumptions, definite_integral};
use crate::smooth::graph::{Graph, Variable};

/// The greatest number of products in a sum. A choice: longer sums have wider ranges than one integral.
const MAX_PRODUCTS: usize = 16;

/// The remaining integral over a cell: of a sum of products, over the first draws.
#[derive(Debug)]
pub(super) struct RemainingIntegral {
    /// The number of draws to integrate over.
    pub draws: usize,
    /// The products, as lists of factors.
    pub sum: Vec<Vec<Graph>>,
}

impl RemainingIntegral {
    /// Makes the integral of a product of factors over `draws` draws, without closed forms.
    pub fn without_closed_forms(draws: usize, factors: &[Graph]) -> Self {
        Self { draws, sum: vec![factors.to_vec()] }
    }

    /// Integrates a product of factors over a cell, in closed form for as many of the last draws as possible.
    pub fn over_cell(
        cell: &CylindricalCell,
        coordinates: &[TraceCoordinate],
        factors: &[Graph],
        known: IntegralAssumptions<'_>,
    ) -> Self {
        let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).collect();
        let mut left = Self::without_closed_forms(coordinates.len(), factors);
        while let Some(last) = left.draws.checked_sub(1) {
            let (y, others) = (variables[last], &variables[..last]);
            let over = |factors: &Vec<Graph>| {
                let (own, free): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|f| f.depends_on(y));
                let found = definite_integral(y, &own, &cell.bounds[last], IntegralAssumptions { others, ..known })?;
                Some(found.into_iter().map(move |product| [&free[..], &product].concat()))
            };
            if known.budget.is_exhausted() {
                break;
            }
            // all products of the sum must have a closed form, or the draw remains
            let Some(found) = left.sum.iter().map(over).collect::<Option<Vec<_>>>() else { break };
            let sum: Vec<Vec<Graph>> = found.into_iter().flatten().collect();
            if sum.len() > MAX_PRODUCTS {
                break;
            }
            left = Self { draws: last, sum };
        }
        left
    }
}

impl DrawGroup {
    /// Returns the number of draws to integrate numerically: the maximum over the cells.
    pub(super) fn numeric_draws(&self) -> usize {
        self.remaining.iter().map(|left| left.draws).max().unwrap_or(self.coordinates.len())
    }

    /// Returns the number of draws to integrate numerically, and `true` if a boundary may be a square root.
    pub(super) fn integration_cost(&self) -> (usize, bool) {
        (self.numeric_draws(), self.cells.iter().any(CylindricalCell::has_root_boundary))
    }
}
