//! Integrals over cells, as far as they have closed forms: over the last draw first.

use super::Group;
use crate::measure::cells::Cell;
use crate::measure::draws::Coordinate;
use crate::measure::eliminate::between::{Known, between};
use crate::smooth::graph::{Graph, Variable};

/// The most products of which a sum may consist.
const MOST_PRODUCTS: usize = 16;

/// What is left of the integral over a cell: that of a sum of products over the first draws.
#[derive(Debug)]
pub(super) struct Left {
    /// How many draws.
    pub draws: usize,
    /// The products, by their factors.
    pub sum: Vec<Vec<Graph>>,
}

impl Left {
    /// All of the integral of a product of factors over so many draws.
    pub fn whole(draws: usize, factors: &[Graph]) -> Self {
        Self { draws, sum: vec![factors.to_vec()] }
    }

    /// The integral of a product of factors over a cell.
    pub fn of(cell: &Cell, coordinates: &[Coordinate], factors: &[Graph], known: Known<'_>) -> Self {
        let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).collect();
        let mut left = Self::whole(coordinates.len(), factors);
        while let Some(last) = left.draws.checked_sub(1) {
            let (y, others) = (variables[last], &variables[..last]);
            let over = |factors: &Vec<Graph>| {
                let (own, free): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|f| f.depends_on(y));
                let found = between(y, &own, &cell.between[last], Known { others, ..known })?;
                Some(found.into_iter().map(move |product| [&free[..], &product].concat()))
            };
            if known.budget.is_exhausted() {
                break;
            }
            let Some(found) = left.sum.iter().map(over).collect::<Option<Vec<_>>>() else { break };
            let sum: Vec<Vec<Graph>> = found.into_iter().flatten().collect();
            if sum.len() > MOST_PRODUCTS {
                break;
            }
            left = Self { draws: last, sum };
        }
        left
    }
}

impl Group {
    /// Over how many draws numbers are summed.
    pub(super) fn draws(&self) -> usize {
        self.left.iter().map(|left| left.draws).max().unwrap_or(self.coordinates.len())
    }

    /// Over how many draws numbers are summed, and whether between borders that are square roots.
    pub(super) fn cost(&self) -> (usize, bool) {
        (self.draws(), self.cells.iter().any(Cell::is_bent))
    }
}
