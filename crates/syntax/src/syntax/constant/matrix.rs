//! Determinants and linear equations as programs, by minors, each of which is computed once.
//!
//! A matrix is a linear map f of vectors of n numbers, and its columns are f e₁, …, f eₙ. The programs divide by the
//! determinant alone, and choose no pivots. So they are polynomials of the entries, or quotients of polynomials,
//! wherever the determinant is not 0.

use super::Constant;
use super::vector::{apply, binary, coordinates, lambda, number, product, term, variable, vector};
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;

/// The largest number of rows. A choice: the program has 2ⁿ minors.
#[doc(hidden)]
pub const LARGEST: usize = 8;

/// Makes `\f => det (f e₁, …, f eₙ)`. `None` if `ty` is no type of vectors, or too large.
pub(super) fn det(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let mut block = Block::new(ty, 1)?;
    let columns = block.columns(0, &map)?;
    let body = block.determinant(&columns)?;
    Some(lambda("f", &map, block.close(body)))
}

/// Makes `\f b => (det (b, f e₂, …) / det (f e₁, …), …)`, Cramer's rule. `None` as for [`det`].
pub(super) fn linear_solve(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let mut block = Block::new(ty, 2)?;
    let columns = block.columns(0, &map)?;
    let whole = block.determinant(&columns)?;
    let whole = block.bind("d", whole);
    let mut parts = Vec::with_capacity(columns.len());
    for i in 0..columns.len() {
        let mut columns = columns.clone();
        // The binder of number 1 is the parameter b, which replaces one column.
        columns[i] = 1;
        let part = block.determinant(&columns)?;
        parts.push(block.bind("d", part));
    }
    let real = |block: &Block<'_>, binder| block.variable(binder, &Ty::real());
    let mut quotients = parts.iter().map(|part| binary(Constant::Divide, real(&block, *part), real(&block, whole)));
    let body = vector(ty, &mut quotients)?;
    Some(lambda("f", &map, lambda("b", ty, block.close(body))))
}

/// A sequence of `let`s under the parameters of a function. Binders are numbered from the outside.
struct Block<'t> {
    ty: &'t Ty,
    width: usize,
    parameters: usize,
    bound: Vec<(&'static str, Term)>,
}

impl<'t> Block<'t> {
    /// Makes an empty sequence. `None` if the type is no type of vectors, or has more than [`LARGEST`] coordinates.
    fn new(ty: &'t Ty, parameters: usize) -> Option<Self> {
        let width = coordinates(ty, &variable(0, "x", ty))?.len();
        (width <= LARGEST).then(|| Block { ty, width, parameters, bound: Vec::new() })
    }

    fn bind(&mut self, name: &'static str, value: Term) -> usize {
        self.bound.push((name, value));
        self.parameters + self.bound.len() - 1
    }

    fn variable(&self, binder: usize, ty: &Ty) -> Term {
        let name = binder.checked_sub(self.parameters).map_or("b", |index| self.bound[index].0);
        variable(self.parameters + self.bound.len() - 1 - binder, name, ty)
    }

    /// Binds the columns of the map at a binder. Returns their binders.
    fn columns(&mut self, map: usize, ty: &Ty) -> Option<Vec<usize>> {
        let mut columns = Vec::with_capacity(self.width);
        for i in 0..self.width {
            let basis = vector(self.ty, &mut (0..).map(|j| number(i8::from(i == j))))?;
            let f = variable(self.parameters + self.bound.len() - 1 - map, "f", ty);
            columns.push(self.bind("column", apply(f, [basis])));
        }
        Some(columns)
    }

    fn entry(&self, row: usize, column: usize) -> Option<Term> {
        coordinates(self.ty, &self.variable(column, self.ty))?.into_iter().nth(row)
    }

    /// Makes the determinant of the columns at these binders. A minor of the first k columns is expanded along the
    /// k-th.
    fn determinant(&mut self, columns: &[usize]) -> Option<Term> {
        // No coordinates: the empty determinant is 1.
        let Some(&first) = columns.first() else { return Some(number(1)) };
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
                    Some(minor) => self.variable(*minor, &Ty::real()),
                    None => self.entry(rest.trailing_zeros() as usize, first)?,
                };
                let next = product(self.entry(row, column)?, minor);
                sum = Some(match sum {
                    None => next,
                    Some(sum) => {
                        let all = binary(sign, sum, next);
                        sign = if sign == Constant::Add { Constant::Subtract } else { Constant::Add };
                        all
                    }
                });
            }
            let sum = sum?;
            if rows == all {
                return Some(sum);
            }
            minors.insert(rows, self.bind("minor", sum));
        }
        self.entry(0, first)
    }

    fn close(self, body: Term) -> Term {
        self.bound
            .into_iter()
            .rev()
            .fold(body, |body, (name, value)| term(TermKind::Let { name: Name::from(name), value, body }))
    }
}
