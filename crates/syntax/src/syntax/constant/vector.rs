//! The constants of vectors as programs in coordinates, for each type.
//!
//! A vector is a number, the unit, or a tuple of vectors. The meaning of these constants depends on the type alone, so
//! each has one row here. A semantics without a rule for a constant, or without types at run time, uses the row.
//!
//! # Determinants and linear equations as programs
//!
//! Determinants and linear equations as programs, by minors, each of which is computed once.
//!
//! A matrix is a linear map f of vectors of n numbers, and its columns are f e₁, …, f eₙ. The programs divide by the
//! determinant alone, and choose no pivots. So they are polynomials of the entries, or quotients of polynomials,
//! wherever the determinant is not 0.

use super::Constant;
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

impl Constant {
    /// Returns `true` if only the type of the constant determines its meaning: its arguments do not.
    #[must_use]
    pub fn is_determined_by_type(self) -> bool {
        matches!(self, Constant::Zero | Constant::Trace | Constant::Det | Constant::LinearSolve)
    }

    /// Returns `true` if the constant expands to sums, products and quotients of coordinates.
    #[must_use]
    pub fn is_linear_algebra(self) -> bool {
        self.is_determined_by_type() || matches!(self, Constant::Dot | Constant::Scale)
    }

    /// Returns `true` if the constant expands in coordinates at a type of vectors.
    #[must_use]
    pub fn is_expandable(self) -> bool {
        self.is_linear_algebra() || matches!(self, Constant::Jvp | Constant::Rd)
    }

    /// Expands the constant at an instance of its type, to a program without it. For example `scale` at ℝ² becomes
    /// `\c x => (c * x[0], c * x[1])`. `jvp` and `rd` become partial derivatives, one for each coordinate.
    ///
    /// `None` if the type is no type of vectors, or has too many coordinates for a determinant.
    #[must_use]
    pub fn expand_in_coordinates(self, ty: &Ty) -> Option<Term> {
        let TyKind::Function(first, rest) = ty.kind() else {
            return if self == Constant::Zero { zero_vector(ty) } else { None };
        };
        match self {
            Constant::Dot => dot_product(first),
            Constant::Scale => scale_vector(domain_of(rest)?),
            Constant::Trace => trace_term(domain_of(first)?),
            Constant::Det => determinant_term(domain_of(first)?),
            Constant::LinearSolve => linear_solve_term(domain_of(first)?),
            Constant::Jvp => jvp(domain_of(first)?, codomain_of(first)?),
            Constant::Rd => rd(domain_of(first)?, codomain_of(first)?),
            _ => None,
        }
    }
}

fn domain_of(ty: &Ty) -> Option<&Ty> {
    if let TyKind::Function(domain, _) = ty.kind() { Some(domain) } else { None }
}

fn codomain_of(ty: &Ty) -> Option<&Ty> {
    if let TyKind::Function(_, codomain) = ty.kind() { Some(codomain) } else { None }
}

pub(super) fn make_term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

pub(super) fn real_literal(n: i8) -> Term {
    make_term(TermKind::Real(Rational::from(n)))
}

/// Makes `\(name : ty) => body`.
pub(super) fn lambda(name: &str, ty: &Ty, body: Term) -> Term {
    Term::lambda(name.into(), ty.clone(), body, Span::default())
}

pub(super) fn make_variable(index: usize, name: &str, ty: &Ty) -> Term {
    Term::variable(index, Name::from(name), ty.clone(), Span::default())
}

pub(super) fn apply_all<const N: usize>(function: Term, arguments: [Term; N]) -> Term {
    arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
}

/// Makes an operation on two numbers.
pub(super) fn apply_binary(constant: Constant, a: Term, b: Term) -> Term {
    let ty = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
    apply_all(Term::with_type(TermKind::Constant(constant), ty, Span::default()), [a, b])
}

pub(super) fn make_product(a: Term, b: Term) -> Term {
    apply_binary(Constant::Multiply, a, b)
}

fn make_sum(terms: impl Iterator<Item = Term>) -> Term {
    terms.reduce(|a, b| apply_binary(Constant::Add, a, b)).unwrap_or_else(|| real_literal(0))
}

/// Makes `deriv (\name => body) at`.
fn derivative_at(name: &str, body: Term, at: Term) -> Term {
    apply_all(make_term(TermKind::Constant(Constant::Deriv)), [lambda(name, &Ty::real(), body), at])
}

/// Returns the coordinates of a vector, from left to right. `None` if `ty` is no type of vectors.
pub(super) fn coordinate_terms(ty: &Ty, vector: &Term) -> Option<Vec<Term>> {
    match ty.kind() {
        TyKind::Real => Some(vec![vector.clone()]),
        TyKind::Unit => Some(Vec::new()),
        TyKind::Tuple(parts) => {
            let mut all = Vec::new();
            for (index, part) in parts.iter().enumerate() {
                let component = make_term(TermKind::Project { tuple: vector.clone(), index });
                all.extend(with_stack(|| coordinate_terms(part, &component))?);
            }
            Some(all)
        }
        _ => None,
    }
}

/// Makes the vector of type `ty` with these coordinates. `None` if `ty` is no type of vectors, or there are too few.
pub(super) fn vector_of_coordinates(ty: &Ty, coordinates: &mut dyn Iterator<Item = Term>) -> Option<Term> {
    Some(match ty.kind() {
        TyKind::Real => coordinates.next()?,
        TyKind::Unit => make_term(TermKind::Unit),
        TyKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| with_stack(|| vector_of_coordinates(part, coordinates)));
            make_term(TermKind::Tuple(parts.collect::<Option<_>>()?))
        }
        _ => return None,
    })
}

fn zero_vector(ty: &Ty) -> Option<Term> {
    vector_of_coordinates(ty, &mut std::iter::repeat_with(|| real_literal(0)))
}

/// Makes `\x y => x₁ * y₁ + … + xₙ * yₙ`.
fn dot_product(ty: &Ty) -> Option<Term> {
    let [x, y] = [make_variable(1, "x", ty), make_variable(0, "y", ty)];
    let products =
        coordinate_terms(ty, &x)?.into_iter().zip(coordinate_terms(ty, &y)?).map(|(x, y)| make_product(x, y));
    Some(lambda("x", ty, lambda("y", ty, make_sum(products))))
}

/// Makes `\c x => (c * x₁, …, c * xₙ)`.
fn scale_vector(ty: &Ty) -> Option<Term> {
    let (c, x) = (make_variable(1, "c", &Ty::real()), make_variable(0, "x", ty));
    let mut products = coordinate_terms(ty, &x)?.into_iter().map(|x| make_product(c.clone(), x));
    Some(lambda("c", &Ty::real(), lambda("x", ty, vector_of_coordinates(ty, &mut products)?)))
}

/// Makes `\f => (f e₁)₁ + … + (f eₙ)ₙ`. The vector eᵢ is 1 in coordinate i and 0 in the others.
fn trace_term(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let f = make_variable(0, "f", &map);
    let width = coordinate_terms(ty, &make_variable(0, "x", ty))?.len();
    let mut diagonal = Vec::with_capacity(width);
    for i in 0..width {
        let basis = vector_of_coordinates(ty, &mut (0..).map(|j| real_literal(i8::from(i == j))))?;
        diagonal.extend(coordinate_terms(ty, &apply_all(f.clone(), [basis]))?.into_iter().nth(i));
    }
    Some(lambda("f", &map, make_sum(diagonal.into_iter())))
}

/// Makes `\f x v => (deriv (\t => (f (x + t v))₁) 0, …)`.
fn jvp(from: &Ty, to: &Ty) -> Option<Term> {
    let map = Ty::function(from.clone(), to.clone());
    // The indices are those under the inner `\t`.
    let [f, x, v, t] = [
        make_variable(3, "f", &map),
        make_variable(2, "x", from),
        make_variable(1, "v", from),
        make_variable(0, "t", &Ty::real()),
    ];
    let moved = coordinate_terms(from, &x)?.into_iter().zip(coordinate_terms(from, &v)?);
    let mut moved = moved.map(|(x, v)| apply_binary(Constant::Add, x, make_product(t.clone(), v)));
    let value = apply_all(f, [vector_of_coordinates(from, &mut moved)?]);
    let mut slopes = coordinate_terms(to, &value)?.into_iter().map(|y| derivative_at("t", y, real_literal(0)));
    let body = vector_of_coordinates(to, &mut slopes)?;
    Some(lambda("f", &map, lambda("x", from, lambda("v", from, body))))
}

/// Makes `\f x w => (deriv (\s => dot w (f (s, x₂, …))) x₁, …)`.
fn rd(from: &Ty, to: &Ty) -> Option<Term> {
    let map = Ty::function(from.clone(), to.clone());
    // The point of the derivative stands outside of `\s`, so x has another index there.
    let at = coordinate_terms(from, &make_variable(1, "x", from))?;
    // The indices are those under the inner `\s`.
    let [f, x, w, s] = [
        make_variable(3, "f", &map),
        make_variable(2, "x", from),
        make_variable(1, "w", to),
        make_variable(0, "s", &Ty::real()),
    ];
    let along = coordinate_terms(from, &x)?;
    let mut slopes = Vec::with_capacity(at.len());
    for (i, at) in at.into_iter().enumerate() {
        let moved = along.iter().enumerate().map(|(j, x)| if i == j { s.clone() } else { x.clone() });
        let value = apply_all(f.clone(), [vector_of_coordinates(from, &mut moved.into_iter())?]);
        slopes.push(derivative_at("s", apply_all(dot_product(to)?, [w.clone(), value]), at));
    }
    let body = vector_of_coordinates(from, &mut slopes.into_iter())?;
    Some(lambda("f", &map, lambda("x", from, lambda("w", to, body))))
}

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
