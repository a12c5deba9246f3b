//! Enclosures of second derivatives, by the formulas of the entries.

use super::super::certified::CertifiedTape;
use super::super::{TapeCode, TapeFormulas};
use super::HessianEntries;
use crate::number::balls::MidpointArithmetic;
use crate::number::interval::Interval;
use std::sync::Arc;

/// Enclosures of the second derivatives of the first output, in one precision, for a small map without branches.
/// Expanded derivatives lose the domain of the map, so the map itself is run too, to see that it is smooth nearby.
#[derive(Clone, Debug)]
pub struct EnclosedHessians<T: MidpointArithmetic> {
    map: CertifiedTape<T>,
    entries: CertifiedTape<T>,
    places: Arc<[[usize; 2]]>,
    zero: Interval<T::End>,
}

impl<T: MidpointArithmetic> EnclosedHessians<T> {
    pub(in crate::smooth::tape) fn new(tier: T, code: &Arc<TapeCode>, formulas: &TapeFormulas) -> Option<Self> {
        let HessianEntries { tape, places } = HessianEntries::compile_entries(code, formulas)?;
        let zero = Interval::point(tier.exact_f64(0.0));
        Some(Self {
            entries: CertifiedTape::new(tier.clone(), &tape.run.code),
            map: CertifiedTape::new(tier, code),
            places,
            zero,
        })
    }

    /// Encloses the Hessian at finite doubles, row by row. Returns `None` if the map is not certainly smooth nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers.
    pub fn enclose_at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
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
