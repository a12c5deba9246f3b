//! Linear maps, and their towers (S §4.3).
//!
//! A linear map ℝⁿ → ℝᵐ is given by a matrix, so [`Tower::linear`] takes nothing that is not linear. A function is read as
//! a matrix by [`LinearMap::of_function`], which refutes linearity where it can. An entry 0 is absent: a projection does not
//! use the components it drops.

use super::{EnclosureVector, Tower, TowerError, TowerRule};
use crate::number::Rational;
use crate::number::context::Context;
use crate::smooth::tower::error::{TowerOperand, check_dimension};

/// A linear map ℝⁿ → ℝᵐ with rational coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearMap {
    inputs: usize,
    /// The non-zero coefficients of each component of the result, by increasing index.
    rows: Vec<Vec<(usize, Rational)>>,
}

impl LinearMap {
    /// Returns the linear map with these non-zero integer coefficients.
    fn from_sparse_rows(inputs: usize, rows: impl IntoIterator<Item = Vec<(usize, i64)>>) -> Self {
        let row = |r: Vec<(usize, i64)>| r.into_iter().map(|(j, c)| (j, Rational::from(c))).collect();
        Self { inputs, rows: rows.into_iter().map(row).collect() }
    }

    /// Returns the linear map with these matrix rows, each of n coefficients.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] for a row of another length.
    pub fn from_rows(inputs: usize, rows: &[Vec<Rational>]) -> Result<Self, TowerError> {
        let mut sparse = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            check_dimension(TowerOperand::Row(i), inputs, row.len())?;
            sparse.push(row.iter().cloned().enumerate().filter(|(_, c)| !c.is_zero()).collect());
        }
        Ok(Self { inputs, rows: sparse })
    }

    /// Returns the matrix of a function, from its values at the unit vectors.
    ///
    /// The function is then compared with the matrix at 0, at the negative unit vectors, and at sums and differences of
    /// multiples of two of them: a function that is not linear most often differs there. Agreement there proves nothing.
    ///
    /// # Errors
    /// [`TowerError::NotLinear`] with a place where the function is not its matrix; [`TowerError::Dimension`] when it
    /// returns vectors of different lengths.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::Rational;
    /// use smoothish_ad::smooth::tower::{LinearMap, TowerError};
    ///
    /// let difference = LinearMap::of_function(2, |x| vec![Rational::from(&x[0] - &x[1])])?;
    /// assert_eq!(difference, LinearMap::difference(1));
    /// let absolute = LinearMap::of_function(1, |x| vec![x[0].clone().abs()]);
    /// assert!(matches!(absolute, Err(TowerError::NotLinear { .. })));
    /// # Ok::<(), TowerError>(())
    /// ```
    pub fn of_function(inputs: usize, f: impl Fn(&[Rational]) -> Vec<Rational>) -> Result<Self, TowerError> {
        let unit = |i: usize, c: i64| (0..inputs).map(move |j| Rational::from(if i == j { c } else { 0 }));
        let origin = vec![Rational::new(); inputs];
        let columns: Vec<_> = (0..inputs).map(|i| f(&unit(i, 1).collect::<Vec<_>>())).collect();
        let outputs = columns.first().map_or_else(|| f(&origin).len(), Vec::len);
        for column in &columns {
            check_dimension(TowerOperand::Result, outputs, column.len())?;
        }
        let row = |i: usize| columns.iter().map(|c| c[i].clone()).collect();
        let map = Self::from_rows(inputs, &(0..outputs).map(row).collect::<Vec<_>>())?;
        let combination = |i: usize, j: usize, c: i64, d: i64| unit(i, c).zip(unit(j, d)).map(|(a, b)| a + b).collect();
        let pairs = (0..inputs).flat_map(|i| (0..inputs).map(move |j| (i, j)));
        let trials =
            pairs.flat_map(|(i, j)| [combination(i, j, -1, 0), combination(i, j, 2, 3), combination(i, j, 5, -7)]);
        // The origin comes first: an affine function fails there.
        for input in std::iter::once(origin.clone()).chain(trials) {
            let found = f(&input);
            check_dimension(TowerOperand::Result, outputs, found.len())?;
            for (component, found) in found.into_iter().enumerate() {
                let terms = map.rows[component].iter().map(|(j, c)| Rational::from(c * &input[*j]));
                let expected = terms.fold(Rational::new(), |sum, t| sum + t);
                if expected != found {
                    return Err(TowerError::NotLinear { input, component, expected, found });
                }
            }
        }
        Ok(map)
    }

    /// Returns 0 : ℝⁿ → ℝᵐ.
    #[must_use]
    pub fn zero(inputs: usize, outputs: usize) -> Self {
        Self::from_sparse_rows(inputs, (0..outputs).map(|_| Vec::new()))
    }

    /// Selects the components with these indices, each below n: (x₀, …, x_{n-1}) ↦ (x_i)_i.
    #[must_use]
    pub fn select(inputs: usize, indices: impl IntoIterator<Item = usize>) -> Self {
        Self::from_sparse_rows(inputs, indices.into_iter().map(|i| vec![(i, 1)]))
    }

    /// Returns c·id on ℝⁿ.
    #[must_use]
    pub fn scalar_multiple(n: usize, c: &Rational) -> Self {
        let row = |i| if c.is_zero() { Vec::new() } else { vec![(i, c.clone())] };
        Self { inputs: n, rows: (0..n).map(row).collect() }
    }

    /// Returns (x, y) ↦ x + y on ℝⁿ × ℝⁿ.
    #[must_use]
    pub fn sum(n: usize) -> Self {
        Self::from_sparse_rows(2 * n, (0..n).map(|i| vec![(i, 1), (n + i, 1)]))
    }

    /// Returns (x, y) ↦ x - y on ℝⁿ × ℝⁿ.
    #[must_use]
    pub fn difference(n: usize) -> Self {
        Self::from_sparse_rows(2 * n, (0..n).map(|i| vec![(i, 1), (n + i, -1)]))
    }

    /// Returns the composite `g ∘ self`, the product of the matrices.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when the dimensions do not fit.
    pub fn then(&self, g: &Self) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Composition, self.rows.len(), g.inputs)?;
        let entry = |row: &[(usize, Rational)], j: usize| {
            let terms = row.iter().filter_map(|(i, c)| {
                let inner = self.rows[*i].iter().find(|(k, _)| *k == j)?;
                Some(Rational::from(c * &inner.1))
            });
            terms.fold(Rational::new(), |sum, t| sum + t)
        };
        let rows: Vec<_> = g.rows.iter().map(|row| (0..self.inputs).map(|j| entry(row, j)).collect()).collect();
        Self::from_rows(self.inputs, &rows)
    }

    /// Returns the dimension n of the domain.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the dimension m of the codomain.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.rows.len()
    }

    /// Returns the non-zero coefficients of each component of the result, with their indices, by increasing index.
    pub fn rows(&self) -> impl Iterator<Item = &[(usize, Rational)]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// Returns the image of a box: exactly the hull of the images of its points, up to rounding, as each component occurs
    /// once in each row.
    pub(super) fn image_of_box<C: Context>(&self, context: &C, x: &[C::Num]) -> EnclosureVector<C> {
        let component = |row: &Vec<(usize, Rational)>| {
            let term = |(j, c): &(usize, Rational)| {
                // ±1 need no rounding.
                if *c == 1 {
                    x[*j].clone()
                } else if *c == -1 {
                    context.neg(&x[*j])
                } else {
                    context.mul(&context.enclose_rational(c), &x[*j])
                }
            };
            let sum = row.iter().map(term).reduce(|a, b| context.add(&a, &b));
            sum.unwrap_or_else(|| context.enclose_integer(0))
        };
        self.rows.iter().map(component).collect()
    }
}

impl<C: Context> TowerRule<C> for LinearMap {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        Ok(match directions {
            [] => self.image_of_box(context, x),
            [v] => self.image_of_box(context, v),
            // Structurally 0, whatever the directions: S §4.3 defines it so.
            _ => vec![context.enclose_integer(0); self.rows.len()],
        })
    }
}

impl<C: Context> Tower<C> {
    /// Returns `linear(f) : ℝⁿ ⇝ ℝᵐ` (S §4.3): f x, then f v, then 0 at every order from 2 on, whatever the directions.
    #[must_use]
    pub fn linear(f: &LinearMap) -> Self {
        Self::new(f.inputs, f.rows.len(), f.clone())
    }

    /// Returns `0 : ℝⁿ ⇝ ℝᵐ` (S §4.3).
    #[must_use]
    pub fn zero(inputs: usize, outputs: usize) -> Self {
        Self::linear(&LinearMap::zero(inputs, outputs))
    }

    /// Returns `id : ℝⁿ ⇝ ℝⁿ` (S §4.4).
    #[must_use]
    pub fn identity(n: usize) -> Self {
        Self::linear(&LinearMap::select(n, 0..n))
    }

    /// Returns `! : ℝⁿ ⇝ ℝ⁰` (S §4.4).
    #[must_use]
    pub fn terminal(n: usize) -> Self {
        Self::zero(n, 0)
    }

    /// Returns `⟨id, id⟩ : ℝⁿ ⇝ ℝⁿ × ℝⁿ`.
    #[must_use]
    pub fn diagonal(n: usize) -> Self {
        Self::linear(&LinearMap::select(n, (0..n).chain(0..n)))
    }

    /// Returns `fst : ℝᵃ × ℝᵇ ⇝ ℝᵃ` (S §4.4).
    #[must_use]
    pub fn first(a: usize, b: usize) -> Self {
        Self::linear(&LinearMap::select(a + b, 0..a))
    }

    /// Returns `snd : ℝᵃ × ℝᵇ ⇝ ℝᵇ` (S §4.4).
    #[must_use]
    pub fn second(a: usize, b: usize) -> Self {
        Self::linear(&LinearMap::select(a + b, a..a + b))
    }
}
