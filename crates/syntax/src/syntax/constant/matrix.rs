//! Determinants and linear equations as programs, by minors, each of which is computed once.
//!
//! A matrix is a linear map f of vectors of n numbers, and its columns are f e₁, …, f eₙ. The programs divide by the
//! determinant alone, and choose no pivots. So they are polynomials of the entries, or quotients of polynomials,
//! wherever the determinant is not 0.

use super::Constant;
use super::vector::{
    apply_all, apply_binary, coordinate_terms, lambda, make_product, make_term, make_variable, real_literal,
    vector_of_coordinates,
};
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;

/// The largest number of rows. A choice: the program has 2ⁿ minors.
#[doc(hidden)]
pub const MAX_ROWS: usize = 8;

/// Makes `\f => det (f e₁, …, f eₙ)`. `None` if `ty` is no type of vectors, or too large.
pub(super) fn determinant_term(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let mut block = MinorBindings::new(ty, 1)?;
    let columns = block.bind_columns(0, &map)?;
    let body = block.expand_determinant(&columns)?;
    Some(lambda("f", &map, block.close_bindings(body)))
}

/// Makes `\f b => (det (b, f e₂, …) / det (f e₁, …), …)`, Cramer's rule. `None` as for [`det`].
pub(super) fn linear_solve_term(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let mut block = MinorBindings::new(ty, 2)?;
    let columns = block.bind_columns(0, &map)?;
    let whole = block.expand_determinant(&columns)?;
    let whole = block.bind_value("d", whole);
    let mut parts = Vec::with_capacity(columns.len());
    for i in 0..columns.len() {
        let mut columns = columns.clone();
        // The binder of number 1 is the parameter b, which replaces one column.
        columns[i] = 1;
        let part = block.expand_determinant(&columns)?;
        parts.push(block.bind_value("d", part));
    }
    let real = |block: &MinorBindings<'_>, binder| block.variable_at(binder, &Ty::real());
    let mut quotients =
        parts.iter().map(|part| apply_binary(Constant::Divide, real(&block, *part), real(&block, whole)));
    let body = vector_of_coordinates(ty, &mut quotients)?;
    Some(lambda("f", &map, lambda("b", ty, block.close_bindings(body))))
}

/// A sequence of `let`s under the parameters of a function. Binders are numbered from the outside.
struct MinorBindings<'t> {
    ty: &'t Ty,
    width: usize,
    parameters: usize,
    bound: Vec<(&'static str, Term)>,
}

impl<'t> MinorBindings<'t> {
    /// Makes an empty sequence. `None` if the type is no type of vectors, or has more than [`MAX_ROWS`] coordinates.
    fn new(ty: &'t Ty, parameters: usize) -> Option<Self> {
        let width = coordinate_terms(ty, &make_variable(0, "x", ty))?.len();
        (width <= MAX_ROWS).then(|| MinorBindings { ty, width, parameters, bound: Vec::new() })
    }

    fn bind_value(&mut self, name: &'static str, value: Term) -> usize {
        self.bound.push((name, value));
        self.parameters + self.bound.len() - 1
    }

    fn variable_at(&self, binder: usize, ty: &Ty) -> Term {
        let name = binder.checked_sub(self.parameters).map_or("b", |index| self.bound[index].0);
        make_variable(self.parameters + self.bound.len() - 1 - binder, name, ty)
    }

    /// Binds the columns of the map at a binder. Returns their binders.
    fn bind_columns(&mut self, map: usize, ty: &Ty) -> Option<Vec<usize>> {
        let mut columns = Vec::with_capacity(self.width);
        for i in 0..self.width {
            let basis = vector_of_coordinates(self.ty, &mut (0..).map(|j| real_literal(i8::from(i == j))))?;
            let f = make_variable(self.parameters + self.bound.len() - 1 - map, "f", ty);
            columns.push(self.bind_value("column", apply_all(f, [basis])));
        }
        Some(columns)
    }

    fn entry_at(&self, row: usize, column: usize) -> Option<Term> {
        coordinate_terms(self.ty, &self.variable_at(column, self.ty))?.into_iter().nth(row)
    }

    /// Makes the determinant of the columns at these binders. A minor of the first k columns is expanded along the
    /// k-th.
    fn expand_determinant(&mut self, columns: &[usize]) -> Option<Term> {
        // No coordinates: the empty determinant is 1.
        let Some(&first) = columns.first() else { return Some(real_literal(1)) };
        // The minors computed so far, by the set of their rows as bits; those of one row are entries.
        let mut minors: FxHashMap<u32, usize> = FxHashMap::default();
        let all = (1u32 << self.width) - 1;
        // A set of rows is a larger number than its subsets, so their minors are bound already.
        for rows in (1..=all).filter(|rows| rows.count_ones() > 1) {
            let column = columns[rows.count_ones() as usize - 1];
            // The last row has the sign +, and the signs alternate.
            let mut sum: Option<Term> = None;
            let mut sign = Constant::Subtract;
            for row in (0..self.width).rev().filter(|row| rows & (1 << row) != 0) {
                let rest = rows & !(1 << row);
                let minor = match minors.get(&rest) {
                    Some(minor) => self.variable_at(*minor, &Ty::real()),
                    None => self.entry_at(rest.trailing_zeros() as usize, first)?,
                };
                let next = make_product(self.entry_at(row, column)?, minor);
                sum = Some(match sum {
                    None => next,
                    Some(sum) => {
                        let all = apply_binary(sign, sum, next);
                        sign = if sign == Constant::Add { Constant::Subtract } else { Constant::Add };
                        all
                    }
                });
            }
            let sum = sum?;
            if rows == all {
                return Some(sum);
            }
            minors.insert(rows, self.bind_value("minor", sum));
        }
        self.entry_at(0, first)
    }

    fn close_bindings(self, body: Term) -> Term {
        self.bound
            .into_iter()
            .rev()
            .fold(body, |body, (name, value)| make_term(TermKind::Let { name: Name::from(name), value, body }))
    }
}
