//! The constants of vectors as programs in coordinates, for each type.
//!
//! A vector is a number, the unit, or a tuple of vectors. The meaning of these constants depends on the type alone, so
//! each has one row here. A semantics without a rule for a constant, or without types at run time, uses the row.

use super::{Constant, matrix};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

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
            Constant::Det => matrix::determinant_term(domain_of(first)?),
            Constant::LinearSolve => matrix::linear_solve_term(domain_of(first)?),
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
