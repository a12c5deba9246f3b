//! Mat_k: a derivative as a matrix, if it is one (S §4.2).

use super::{EnclosureVector, Tower, TowerError};
use crate::number::context::Context;

impl<C: Context> Tower<C> {
    /// Returns Mat_k(f⁽ᵏ⁾)(x): the vectors `f⁽ᵏ⁾(x; e_{i₁}, …, e_{i_k})`, ordered by (i₁, …, i_k). Returns `None` for ⊥.
    ///
    /// The matrix is ⊥ if no matrix M has `f⁽ᵏ⁾(x; v₁, …, v_k) = M·(v₁ ⊗ … ⊗ v_k)`. It is refuted by an entry that is
    /// unbounded, undefined or not narrow (wider than half the digits of the precision allow). It is also refuted by
    /// directions where the two sides are disjoint, or the left one is not narrow. So max⁽¹⁾ has a matrix off the diagonal
    /// and none on it. `AtMost` means that nothing refuted it.
    ///
    /// # Errors
    /// As for [`Tower::derivative`].
    pub fn derivative_matrix(
        &self,
        k: usize,
        x: &[C::Num],
        context: &C,
    ) -> Result<Option<Vec<EnclosureVector<C>>>, TowerError> {
        let n = self.inputs();
        let unit =
            |i: usize| (0..n).map(|j| context.enclose_integer(i64::from(i == j))).collect::<EnclosureVector<C>>();
        let mut indices = vec![Vec::new()];
        for _ in 0..k {
            indices = indices.iter().flat_map(|index| (0..n).map(move |i| [index.as_slice(), &[i]].concat())).collect();
        }
        let mut entries = Vec::with_capacity(indices.len());
        for index in &indices {
            let entry = self.derivative(x, &index.iter().map(|i| unit(*i)).collect::<Vec<_>>(), context)?;
            if !entry.iter().all(|c| is_narrow(context, c)) {
                return Ok(None);
            }
            entries.push(entry);
        }
        // Three sets of directions with small integer coefficients, the same in every run: a choice, not a proof of
        // multilinearity.
        for trial in 0..if k == 0 { 0 } else { 3i64 } {
            let weight = |slot: usize, i: usize| (slot as i64 + 2 * trial + 3 * i as i64) % 7 - 3;
            let directions: Vec<EnclosureVector<C>> =
                (0..k).map(|slot| (0..n).map(|i| context.enclose_integer(weight(slot, i))).collect()).collect();
            let found = self.derivative(x, &directions, context)?;
            for (component, found) in found.iter().enumerate() {
                let mut expected = context.enclose_integer(0);
                for (index, entry) in indices.iter().zip(&entries) {
                    let weight = index.iter().enumerate().map(|(slot, i)| weight(slot, *i)).product();
                    expected = context.add(&expected, &context.mul_integer(&entry[component], weight));
                }
                let agree = context.intersect(found, &expected).is_some();
                if !agree || !is_narrow(context, found) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(entries))
    }
}

/// Returns `true` if an enclosure is defined and narrow enough to be taken for a number: to half of the digits.
pub(super) fn is_narrow<C: Context>(context: &C, x: &C::Num) -> bool {
    let size = context.magnitude(x).max(context.magnitude(&context.enclose_integer(1)));
    context.is_defined(x)
        && context.is_bounded(x)
        && context.width(x) <= size.mul_exp2(-i64::from(context.precision() / 2))
}
