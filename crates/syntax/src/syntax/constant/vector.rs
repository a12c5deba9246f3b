//! The constants of vectors as programs in coordinates, for each type.
//!
//! A vector is a number, the unit, or a tuple of vectors. The meaning of these constants depends on the type alone, so
//! each has one row here. A semantics without a rule for a constant, or without types at run time, uses the row.

use super::{Constant, matrix};
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

impl Constant {
    /// Returns `true` if only the type of the constant determines its meaning: its arguments do not.
    #[must_use]
    pub fn follows_from_type(self) -> bool {
        matches!(self, Constant::Zero | Constant::Trace | Constant::Det | Constant::LinearSolve)
    }

    /// Returns `true` if the constant expands to sums, products and quotients of coordinates.
    #[must_use]
    pub fn is_linear_algebra(self) -> bool {
        self.follows_from_type() || matches!(self, Constant::Dot | Constant::Scale)
    }

    /// Returns `true` if the constant expands in coordinates at a type of vectors.
    #[must_use]
    pub fn is_of_vectors(self) -> bool {
        self.is_linear_algebra() || matches!(self, Constant::Jvp | Constant::Rd)
    }

    /// Expands the constant at an instance of its type, to a program without it. For example `scale` at ℝ² becomes
    /// `\c x => (c * x[0], c * x[1])`. `jvp` and `rd` become partial derivatives, one for each coordinate.
    ///
    /// `None` if the type is no type of vectors, or has too many coordinates for a determinant.
    #[must_use]
    pub fn written_out(self, ty: &Ty) -> Option<Term> {
        let TyKind::Function(first, rest) = ty.kind() else {
            return if self == Constant::Zero { zero(ty) } else { None };
        };
        match self {
            Constant::Dot => dot(first),
            Constant::Scale => scale(domain(rest)?),
            Constant::Trace => trace(domain(first)?),
            Constant::Det => matrix::det(domain(first)?),
            Constant::LinearSolve => matrix::linear_solve(domain(first)?),
            Constant::Jvp => jvp(domain(first)?, codomain(first)?),
            Constant::Rd => rd(domain(first)?, codomain(first)?),
            _ => None,
        }
    }
}

fn domain(ty: &Ty) -> Option<&Ty> {
    if let TyKind::Function(domain, _) = ty.kind() { Some(domain) } else { None }
}

fn codomain(ty: &Ty) -> Option<&Ty> {
    if let TyKind::Function(_, codomain) = ty.kind() { Some(codomain) } else { None }
}

pub(super) fn term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

pub(super) fn number(n: i8) -> Term {
    term(TermKind::Real(Rational::from(n)))
}

/// Makes `\(name : ty) => body`.
pub(super) fn lambda(name: &str, ty: &Ty, body: Term) -> Term {
    Term::lambda(name.into(), ty.clone(), body, Span::default())
}

pub(super) fn variable(index: usize, name: &str, ty: &Ty) -> Term {
    Term::variable(index, Name::from(name), ty.clone(), Span::default())
}

pub(super) fn apply<const N: usize>(function: Term, arguments: [Term; N]) -> Term {
    arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
}

/// Makes an operation on two numbers.
pub(super) fn binary(constant: Constant, a: Term, b: Term) -> Term {
    let ty = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
    apply(Term::typed(TermKind::Constant(constant), ty, Span::default()), [a, b])
}

pub(super) fn product(a: Term, b: Term) -> Term {
    binary(Constant::Multiply, a, b)
}

fn sum(terms: impl Iterator<Item = Term>) -> Term {
    terms.reduce(|a, b| binary(Constant::Add, a, b)).unwrap_or_else(|| number(0))
}

/// Makes `deriv (\name => body) at`.
fn slope(name: &str, body: Term, at: Term) -> Term {
    apply(term(TermKind::Constant(Constant::Deriv)), [lambda(name, &Ty::real(), body), at])
}

/// Returns the coordinates of a vector, from left to right. `None` if `ty` is no type of vectors.
pub(super) fn coordinates(ty: &Ty, vector: &Term) -> Option<Vec<Term>> {
    match ty.kind() {
        TyKind::Real => Some(vec![vector.clone()]),
        TyKind::Unit => Some(Vec::new()),
        TyKind::Tuple(parts) => {
            let mut all = Vec::new();
            for (index, part) in parts.iter().enumerate() {
                let component = term(TermKind::Project { tuple: vector.clone(), index });
                all.extend(deep(|| coordinates(part, &component))?);
            }
            Some(all)
        }
        _ => None,
    }
}

/// Makes the vector of type `ty` with these coordinates. `None` if `ty` is no type of vectors, or there are too few.
pub(super) fn vector(ty: &Ty, coordinates: &mut dyn Iterator<Item = Term>) -> Option<Term> {
    Some(match ty.kind() {
        TyKind::Real => coordinates.next()?,
        TyKind::Unit => term(TermKind::Unit),
        TyKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| deep(|| vector(part, coordinates)));
            term(TermKind::Tuple(parts.collect::<Option<_>>()?))
        }
        _ => return None,
    })
}

fn zero(ty: &Ty) -> Option<Term> {
    vector(ty, &mut std::iter::repeat_with(|| number(0)))
}

/// Makes `\x y => x₁ * y₁ + … + xₙ * yₙ`.
fn dot(ty: &Ty) -> Option<Term> {
    let [x, y] = [variable(1, "x", ty), variable(0, "y", ty)];
    let products = coordinates(ty, &x)?.into_iter().zip(coordinates(ty, &y)?).map(|(x, y)| product(x, y));
    Some(lambda("x", ty, lambda("y", ty, sum(products))))
}

/// Makes `\c x => (c * x₁, …, c * xₙ)`.
fn scale(ty: &Ty) -> Option<Term> {
    let (c, x) = (variable(1, "c", &Ty::real()), variable(0, "x", ty));
    let mut products = coordinates(ty, &x)?.into_iter().map(|x| product(c.clone(), x));
    Some(lambda("c", &Ty::real(), lambda("x", ty, vector(ty, &mut products)?)))
}

/// Makes `\f => (f e₁)₁ + … + (f eₙ)ₙ`. The vector eᵢ is 1 in coordinate i and 0 in the others.
fn trace(ty: &Ty) -> Option<Term> {
    let map = Ty::function(ty.clone(), ty.clone());
    let f = variable(0, "f", &map);
    let width = coordinates(ty, &variable(0, "x", ty))?.len();
    let mut diagonal = Vec::with_capacity(width);
    for i in 0..width {
        let basis = vector(ty, &mut (0..).map(|j| number(i8::from(i == j))))?;
        diagonal.extend(coordinates(ty, &apply(f.clone(), [basis]))?.into_iter().nth(i));
    }
    Some(lambda("f", &map, sum(diagonal.into_iter())))
}

/// Makes `\f x v => (deriv (\t => (f (x + t v))₁) 0, …)`.
fn jvp(from: &Ty, to: &Ty) -> Option<Term> {
    let map = Ty::function(from.clone(), to.clone());
    // The indices are those under the inner `\t`.
    let [f, x, v, t] =
        [variable(3, "f", &map), variable(2, "x", from), variable(1, "v", from), variable(0, "t", &Ty::real())];
    let moved = coordinates(from, &x)?.into_iter().zip(coordinates(from, &v)?);
    let mut moved = moved.map(|(x, v)| binary(Constant::Add, x, product(t.clone(), v)));
    let value = apply(f, [vector(from, &mut moved)?]);
    let mut slopes = coordinates(to, &value)?.into_iter().map(|y| slope("t", y, number(0)));
    let body = vector(to, &mut slopes)?;
    Some(lambda("f", &map, lambda("x", from, lambda("v", from, body))))
}

/// Makes `\f x w => (deriv (\s => dot w (f (s, x₂, …))) x₁, …)`.
fn rd(from: &Ty, to: &Ty) -> Option<Term> {
    let map = Ty::function(from.clone(), to.clone());
    // The point of the derivative stands outside of `\s`, so x has another index there.
    let at = coordinates(from, &variable(1, "x", from))?;
    // The indices are those under the inner `\s`.
    let [f, x, w, s] =
        [variable(3, "f", &map), variable(2, "x", from), variable(1, "w", to), variable(0, "s", &Ty::real())];
    let along = coordinates(from, &x)?;
    let mut slopes = Vec::with_capacity(at.len());
    for (i, at) in at.into_iter().enumerate() {
        let moved = along.iter().enumerate().map(|(j, x)| if i == j { s.clone() } else { x.clone() });
        let value = apply(f.clone(), [vector(from, &mut moved.into_iter())?]);
        slopes.push(slope("s", apply(dot(to)?, [w.clone(), value]), at));
    }
    let body = vector(from, &mut slopes.into_iter())?;
    Some(lambda("f", &map, lambda("x", from, lambda("w", to, body))))
}
