//! Enclosures of second derivatives, by the formulas of the entries.

use super::super::certified::Certified;
use super::super::{Code, Formulas};
use super::Entries;
use crate::number::balls::Middles;
use crate::number::interval::Interval;
use std::sync::Arc;

/// Enclosures of the second derivatives of the first output, in one precision, for a small map without branches.
/// Expanded derivatives lose the domain of the map, so the map itself is run too, to see that it is smooth nearby.
#[derive(Clone, Debug)]
pub struct EnclosedHessians<T: Middles> {
    map: Certified<T>,
    entries: Certified<T>,
    places: Arc<[[usize; 2]]>,
    zero: Interval<T::End>,
}

impl<T: Middles> EnclosedHessians<T> {
    pub(in crate::smooth::tape) fn new(tier: T, code: &Arc<Code>, formulas: &Formulas) -> Option<Self> {
        let Entries { tape, places } = Entries::of(code, formulas)?;
        let zero = Interval::point(tier.exactly(0.0));
        Some(Self {
            entries: Certified::new(tier.clone(), &tape.run.code),
            map: Certified::new(tier, code),
            places,
            zero,
        })
    }

    /// Encloses the Hessian at finite doubles, row by row. Returns `None` if the map is not certainly smooth nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers.
    pub fn at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
        self.map.value_at(x)?;
        let (n, entries) = (x.len(), self.entries.value_at(x)?);
        let mut hessian = vec![self.zero.clone(); n * n];
        for ([i, j], entry) in self.places.iter().zip(entries) {
            hessian[n * j + i] = entry.clone();
            hessian[n * i + j] = entry;
        }
        Some(hessian)
    }
}
