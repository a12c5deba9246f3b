//! Linear maps, from exact matrices (S §4.3).

use super::Map;
use super::error::{MapError, check_length};
use super::untyped::{self, DynMap};
use crate::number::Rational;
use crate::smooth::dimension::Dim;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::smooth::tower::LinearMap;
use typenum::{Const, ToUInt};

/// Returns Σ c·x over the entries of a row.
fn linear_combination(row: &[(usize, Rational)], x: &[Graph]) -> Graph {
    let mut sum: Option<Graph> = None;
    for (j, c) in row {
        // a sign becomes a subtraction, so that the map prints as one would write it
        let size = Rational::from(c.abs_ref());
        let term =
            if size == 1 { x[*j].clone() } else { Graph::binary(Binary::Multiply, &Graph::rational(size), &x[*j]) };
        sum = Some(match (sum, *c < 0) {
            (None, false) => term,
            (None, true) => Graph::unary(Unary::Negate, &term),
            (Some(s), false) => Graph::binary(Binary::Add, &s, &term),
            (Some(s), true) => Graph::binary(Binary::Subtract, &s, &term),
        });
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Creates `linear(f)` for a linear map with rational coefficients. The result does not depend on coordinates with
    /// the entry 0.
    ///
    /// # Errors
    /// [`MapError::Length`] if the matrix has another size.
    pub fn linear(f: &LinearMap) -> Result<Self, MapError> {
        check_length("each row of the matrix", "component", N::SIZE, f.inputs())?;
        check_length("the matrix", "row", M::SIZE, f.outputs())?;
        let x = untyped::coordinate_graphs(N::SIZE);
        Ok(Self::new(DynMap::new(N::SIZE, f.rows().map(|row| linear_combination(row, &x)).collect())))
    }

    /// Creates `linear(f)` for a matrix, one row per coordinate of M.
    ///
    /// ```
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::U2;
    /// let turn: Map<U2, U2> = Map::matrix([[0.into(), (-1).into()], [1.into(), 0.into()]]);
    /// assert_eq!(turn.to_string(), "\\x y => (-y, x)");
    /// ```
    #[must_use]
    pub fn matrix<const ROWS: usize, const COLUMNS: usize>(rows: [[Rational; COLUMNS]; ROWS]) -> Self
    where
        Const<COLUMNS>: ToUInt<Output = N>,
        Const<ROWS>: ToUInt<Output = M>,
    {
        let x = untyped::coordinate_graphs(COLUMNS);
        let row = |row: [Rational; COLUMNS]| {
            let entries: Vec<_> = row.into_iter().enumerate().filter(|(_, c)| !c.is_zero()).collect();
            linear_combination(&entries, &x)
        };
        Self::new(DynMap::new(COLUMNS, rows.into_iter().map(row).collect()))
    }
}
