//! Jacobians, Hessians and Taylor coefficients at exact points, each by one run over one algebra.

use super::Map;
use super::error::{MapError, check_length};
use super::probe::EvalRequest;
use super::value::{Evaluations, MapValue, point_intervals};
use crate::number::budget::Budget;
use crate::number::real::RefinedEnclosure;
use crate::number::{Enclosure, Rational};
use crate::smooth::algebra::{AlgebraGenerator, MOST_MONOMIALS};
use crate::smooth::dimension::MapEnd;
use typenum::U1;

/// The largest number of columns of a matrix in one run. A choice: larger algebras share more, and take more memory.
pub(super) const COLUMNS: usize = 64;
/// The size of a block of a Hessian; each block is one run. A choice, as above: products take up to the square of its
/// monomials.
const BLOCK: usize = 16;

/// Returns the i-th unit vector.
pub(super) fn unit_vector(n: usize, i: usize) -> Vec<Rational> {
    (0..n).map(|j| Rational::from(i64::from(i == j))).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Encloses the Jacobian at an exact point: a row per coordinate of M, in it a partial derivative per coordinate of
    /// N.
    ///
    /// At a kink each entry encloses the partial Clarke derivative. The relation between entries is lost: for `max(x,
    /// y)` on the diagonal the answer is `[0, 1]` twice, not the segment from (1, 0) to (0, 1).
    ///
    /// # Errors
    /// [`MapError::Length`] if the point does not fit; errors of the evaluation.
    pub fn jacobian_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        let m = self.as_dyn.outputs().len();
        check_length("the point", "component", n, x.len())?;
        let trusted = self.as_dyn.trusted_primitives();
        let mut rows = vec![Evaluations { components: Vec::new(), trusted }; m];
        for first in (0..n).step_by(COLUMNS) {
            let columns: Vec<_> = (first..n.min(first + COLUMNS)).collect();
            let directions = columns.iter().map(|&i| (AlgebraGenerator::Taylor(1), unit_vector(n, i))).collect();
            let place = |i: usize| columns.iter().map(|&j| u32::from(i == j)).collect();
            let wanted = columns.iter().map(|&i| place(i)).collect();
            let value = MapValue::new(EvalRequest {
                directions,
                requested: wanted,
                ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
            });
            for (k, answer) in value.enclose(eps, budget)?.components.into_iter().enumerate() {
                rows[k % m].components.push(answer);
            }
        }
        Ok(rows)
    }

    /// Encloses the Taylor coefficients at an exact point along a line: for each j = 0, …, order the components of
    /// `f⁽ʲ⁾(x; v, …, v)/j!`.
    ///
    /// # Errors
    /// [`MapError::Length`] if point or direction do not fit; [`MapError::Order`] beyond order 2047, which would make
    /// the jets too large; errors of the evaluation.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let exp = Map::<U1, U1>::id().exp();
    /// let eps = Rational::from((1, 1_000_000_000));
    /// let found = exp.taylor_at(&[0.into()], &[1.into()], 6, &eps, &Budget::unlimited())?;
    /// assert!(found[6].components[0].enclosure.contains(&Rational::from((1, 720))));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn taylor_at(
        &self,
        x: &[Rational],
        v: &[Rational],
        order: u16,
        eps: &Rational,
        budget: &Budget,
    ) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        let order = u32::from(order);
        check_length("the point", "component", n, x.len())?;
        check_length("the direction", "component", n, v.len())?;
        let most = MOST_MONOMIALS as u32 - 1;
        if order > most {
            return Err(MapError::Order { found: order, most });
        }
        let directions = if order == 0 { Vec::new() } else { vec![(AlgebraGenerator::Direction(order), v.to_vec())] };
        let wanted = if order == 0 { vec![Vec::new()] } else { (0..=order).map(|k| vec![k]).collect() };
        let probe = EvalRequest {
            directions,
            requested: wanted,
            as_coefficient: true,
            ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
        };
        let found = MapValue::new(probe).enclose(eps, budget)?;
        let m = self.as_dyn.outputs().len();
        let mut rest = found.components.into_iter();
        let mut next = || Evaluations { components: rest.by_ref().take(m).collect(), trusted: found.trusted.clone() };
        Ok((0..=order).map(|_| next()).collect())
    }
}

impl<N: MapEnd> Map<N, U1> {
    /// Encloses the Hessian at an exact point, a row per coordinate. It is symmetric; each entry is computed once. At a
    /// kink it is ⊥.
    ///
    /// # Errors
    /// [`MapError::Length`] if the point does not fit; errors of the evaluation.
    pub fn hessian_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        check_length("the point", "component", n, x.len())?;
        let nothing = || RefinedEnclosure {
            enclosure: Enclosure::bottom(),
            reached: false,
            bits: 0,
            exhausted: false,
            assumed: vec![],
            reason: None,
        };
        // filled below: every entry belongs to a block
        let row = || Evaluations { components: vec![nothing(); n], trusted: self.as_dyn.trusted_primitives() };
        let mut rows: Vec<_> = (0..n).map(|_| row()).collect();
        let blocks: Vec<_> = (0..n).step_by(BLOCK).map(|first| first..n.min(first + BLOCK)).collect();
        for (k, left) in blocks.iter().enumerate() {
            for right in &blocks[k..] {
                // a block off the diagonal moves the coordinates of both its rows and its columns
                let moving: Vec<_> =
                    if left == right { left.clone().collect() } else { left.clone().chain(right.clone()).collect() };
                let directions = moving.iter().map(|&i| (AlgebraGenerator::Taylor(2), unit_vector(n, i))).collect();
                let pairs: Vec<_> =
                    left.clone().flat_map(|i| right.clone().filter(move |j| i <= *j).map(move |j| (i, j))).collect();
                // ∂²/∂xᵢ∂xⱼ is read from the monomial tᵢ·tⱼ, or from tᵢ² on the diagonal
                let exponents =
                    |(i, j): &(usize, usize)| moving.iter().map(|k| u32::from(k == i) + u32::from(k == j)).collect();
                let wanted = pairs.iter().map(exponents).collect();
                let value = MapValue::new(EvalRequest {
                    directions,
                    requested: wanted,
                    ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
                });
                for ((i, j), answer) in pairs.into_iter().zip(value.enclose(eps, budget)?.components) {
                    rows[j].components[i] = answer.clone();
                    rows[i].components[j] = answer;
                }
            }
        }
        Ok(rows)
    }
}
