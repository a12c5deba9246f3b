//! All partial derivatives of a function at a point, as one program, and as the derived program at the jets of the point: two
//! programs of one type, which every meaning can be asked for (H Thm 3).

use crate::meaning::taylor::basis::{Basis, BasisError};
use crate::meaning::taylor::derive::{DeriveError, Derived, derive_with};
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::rules::{Paper, Rules};
use crate::meaning::taylor::types::jet;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::typing::typed;

/// Why there are no derivatives to ask for.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DerivativesError {
    /// The program is no function of real numbers.
    #[error(
        "derivatives at a point are those of a function of real numbers with a real value, such as Real -> Real, \
         Real * Real -> Real or Real -> Real -> Real; this is of type {0}"
    )]
    NotAFunction(Ty),
    /// The point has another number of coordinates.
    #[error("the point has {found} coordinates; a function of type {ty} takes {expected} real number{}", if *expected == 1 { "" } else { "s" })]
    Coordinates {
        /// Those of the point.
        found: usize,
        /// Those that the function takes.
        expected: usize,
        /// The type of the function.
        ty: Ty,
    },
    /// There is no such Taylor representation.
    #[error(transparent)]
    Basis(#[from] BasisError),
}

/// The derivatives of a function of n real numbers at a point, of order at most R, as programs.
#[derive(Clone, Debug)]
pub struct Derivatives {
    /// Which: multi-indices over the n arguments.
    pub basis: Basis,
    /// The type of the function, as one of real numbers.
    pub function: Ty,
    /// The type of both programs: as many reals as there are multi-indices.
    pub ty: Ty,
    /// By `deriv`, nested.
    pub nested: Term,
    /// By the macro 𝒟_(n,R): the derived program, and its value at the jets of the point.
    pub derived: Result<(Derived, Term), DeriveError>,
}

/// The most parameters that the type of a function of real numbers has.
const PARAMETERS: usize = 64;

/// The derivatives of a closed program of a type at a point.
///
/// # Errors
/// [`DerivativesError`]. That the macro has no rule for a part of the program is no error.
pub fn derivatives(term: &Term, ty: &Ty, point: &[Rational], order: usize) -> Result<Derivatives, DerivativesError> {
    let point: Vec<Term> = point.iter().map(real).collect();
    derivatives_under(&Paper, term, ty, &point, order)
}

/// The same at a point whose coordinates are closed programs of type `Real`, by the macro under rules.
///
/// # Errors
/// [`DerivativesError`]. That the macro has no rule for a part of the program is no error.
pub fn derivatives_under(
    rules: &'static dyn Rules,
    term: &Term,
    ty: &Ty,
    point: &[Term],
    order: usize,
) -> Result<Derivatives, DerivativesError> {
    // what is a function of anything is one of real numbers
    let ty = &ty.with(&vec![Ty::real(); PARAMETERS]);
    let arguments = arguments(ty).ok_or_else(|| DerivativesError::NotAFunction(ty.clone()))?;
    let expected: usize = arguments.iter().filter_map(Ty::numbers).sum();
    if expected != point.len() {
        return Err(DerivativesError::Coordinates { found: point.len(), expected, ty: ty.clone() });
    }
    let basis = Basis::new(expected, order)?;
    let derived = derive_with(&Taylor::under(rules, basis.clone()), term, ty).map(|derived| {
        let mut jets = (0..expected).map(|direction| jet_of_coordinate(&basis, direction, &point[direction]));
        let value = applied(derived.term.clone(), &arguments, &mut jets);
        (derived, value)
    });
    let function = ty.clone();
    let (ty, nested) = (jet(basis.len()), nested(term, &arguments, point, &basis));
    let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
    // too large a program has no types, and models that need none answer
    let nested = typed(&nested, &scheme).unwrap_or(nested);
    Ok(Derivatives { function, ty, nested, derived, basis })
}

/// The types of the arguments of a curried function into the reals; all made of reals and tuples of such.
fn arguments(ty: &Ty) -> Option<Vec<Ty>> {
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        domain.numbers()?;
        arguments.push(domain.clone());
        rest = codomain;
    }
    (!arguments.is_empty() && matches!(rest.kind(), TyKind::Real)).then_some(arguments)
}

fn term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

fn real(q: &Rational) -> Term {
    term(TermKind::Real(q.clone()))
}

/// The jet of the coordinate function of a direction at a value: a unit vector behind the value.
fn jet_of_coordinate(basis: &Basis, direction: usize, value: &Term) -> Term {
    let parts = basis.indices().iter().map(|index| {
        if index.iter().all(|entry| *entry == 0) {
            return value.clone();
        }
        let is_unit = index.iter().enumerate().all(|(i, entry)| *entry == usize::from(i == direction));
        real(&Rational::from(u32::from(is_unit)))
    });
    term(TermKind::Tuple(parts.collect()))
}

/// A function at arguments of these types, made of leaves in order.
fn applied(function: Term, arguments: &[Ty], leaves: &mut dyn Iterator<Item = Term>) -> Term {
    arguments.iter().fold(function, |function, ty| Term::apply(function, argument(ty, leaves), Span::default()))
}

fn argument(ty: &Ty, leaves: &mut dyn Iterator<Item = Term>) -> Term {
    match ty.kind() {
        TyKind::Tuple(parts) => term(TermKind::Tuple(parts.iter().map(|part| argument(part, leaves)).collect())),
        _ => leaves.next().unwrap_or_else(|| term(TermKind::Unit)),
    }
}

/// `let f = … in let x₁ = … in … (∂^α f, …)`
fn nested(function: &Term, arguments: &[Ty], point: &[Term], basis: &Basis) -> Term {
    let name = |number: usize| Name::from(format!("x{number}"));
    let places: Vec<usize> = (1..=point.len()).collect();
    let parts = basis.indices().iter().map(|index| {
        let directions = index.iter().enumerate().flat_map(|(i, times)| std::iter::repeat_n(i, *times)).collect();
        derivative(arguments, directions, places.clone(), point.len() + 1)
    });
    let body = term(TermKind::Tuple(parts.collect()));
    let body = point
        .iter()
        .enumerate()
        .rev()
        .fold(body, |body, (i, q)| term(TermKind::Let { name: name(i + 1), value: q.clone(), body }));
    term(TermKind::Let { name: "f".into(), value: function.clone(), body })
}

/// The derivative along these directions, under so many binders: the function is bound by the first, and each argument by
/// the one of its place.
fn derivative(arguments: &[Ty], mut directions: Vec<usize>, mut places: Vec<usize>, depth: usize) -> Term {
    let variable = |place: usize| {
        let name = if place == 0 { Name::from("f") } else { Name::from("x") };
        term(TermKind::Variable { index: depth - 1 - place, name })
    };
    let Some(direction) = directions.pop() else {
        let mut leaves = places.iter().map(|place| variable(*place));
        return applied(variable(0), arguments, &mut leaves);
    };
    let here = variable(places[direction]);
    places[direction] = depth;
    let body = derivative(arguments, directions, places, depth + 1);
    let function = term(TermKind::Lambda { name: "x".into(), body });
    let deriv = term(TermKind::Constant(Constant::Deriv));
    Term::apply(Term::apply(deriv, function, Span::default()), here, Span::default())
}
