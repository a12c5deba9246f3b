//! All partial derivatives of a function at a point, as one program, and as the derived program at the jets of the point: two
//! programs of one type, which every meaning can be asked for (H Thm 3). A function with several numbers for a result has those of
//! each.

use crate::meaning::taylor::basis::{Basis, BasisError};
use crate::meaning::taylor::derive::{DeriveError, Derived, derive_with};
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::{Hooks, Library};
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
        "derivatives at a point are those of a function of real numbers whose values are real numbers, such as Real -> Real, \
         Real * Real -> Real, Real -> Real -> Real or Real -> Real * Real; this is of type {0}"
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
    /// Where the numbers of a value are, by components of components: one place that is empty, where the value is a number.
    pub places: Vec<Vec<usize>>,
    /// The type of both programs: for each number of a value as many reals as there are multi-indices, one after another.
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
    derivatives_under(&Library, term, ty, &point, order)
}

/// The same at a point whose coordinates are closed programs of type `Real`, by the macro under rules.
///
/// # Errors
/// [`DerivativesError`]. That the macro has no rule for a part of the program is no error.
pub fn derivatives_under(
    rules: &'static dyn Hooks,
    term: &Term,
    ty: &Ty,
    point: &[Term],
    order: usize,
) -> Result<Derivatives, DerivativesError> {
    // what is a function of anything is one of real numbers
    let ty = &ty.with(&vec![Ty::real(); PARAMETERS]);
    let (arguments, codomain) = arguments(ty).ok_or_else(|| DerivativesError::NotAFunction(ty.clone()))?;
    let mut places = Vec::new();
    numbers_of(&codomain, &mut Vec::new(), &mut places);
    let expected: usize = arguments.iter().filter_map(Ty::numbers).sum();
    if expected != point.len() {
        return Err(DerivativesError::Coordinates { found: point.len(), expected, ty: ty.clone() });
    }
    let basis = Basis::new(expected, order)?;
    let derived = derive_with(&Taylor::under(rules, basis.clone()), term, ty).map(|derived| {
        let mut jets = (0..expected).map(|direction| jet_of_coordinate(&basis, direction, &point[direction]));
        let value = applied(derived.term.clone(), &arguments, &mut jets);
        let value = if places == [Vec::<usize>::new()] { value } else { flat(value, &places, basis.len()) };
        (derived, value)
    });
    let function = ty.clone();
    let (ty, nested) = (jet(places.len() * basis.len()), nested(term, &arguments, point, &basis, &places));
    let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
    // too large a program has no types, and models that need none answer
    let nested = typed(&nested, &scheme).unwrap_or(nested);
    Ok(Derivatives { function, places, ty, nested, derived, basis })
}

/// The types of the arguments of a curried function, and of its value; all made of reals and tuples of such.
fn arguments(ty: &Ty) -> Option<(Vec<Ty>, Ty)> {
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        domain.numbers()?;
        arguments.push(domain.clone());
        rest = codomain;
    }
    (!arguments.is_empty() && rest.numbers().is_some_and(|numbers| numbers > 0)).then(|| (arguments, rest.clone()))
}

/// The places of the numbers in a value of a type, in order.
fn numbers_of(ty: &Ty, here: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let TyKind::Tuple(parts) = ty.kind() else { return found.push(here.clone()) };
    for (index, part) in parts.iter().enumerate() {
        here.push(index);
        numbers_of(part, here, found);
        here.pop();
    }
}

/// A component of a component of … of a tuple.
fn at(tuple: Term, place: &[usize]) -> Term {
    place.iter().fold(tuple, |tuple, index| term(TermKind::Project { tuple, index: *index }))
}

/// The jets in a value, all numbers in one tuple.
fn flat(value: Term, places: &[Vec<usize>], length: usize) -> Term {
    let name = Name::from("y");
    let jet = |place: &Vec<usize>| at(term(TermKind::Variable { index: 0, name: name.clone() }), place);
    let parts = places.iter().flat_map(|place| (0..length).map(move |index| at(jet(place), &[index]))).collect();
    term(TermKind::Let { name: name.clone(), value, body: term(TermKind::Tuple(parts)) })
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
fn nested(function: &Term, arguments: &[Ty], point: &[Term], basis: &Basis, of: &[Vec<usize>]) -> Term {
    let name = |number: usize| Name::from(format!("x{number}"));
    let places: Vec<usize> = (1..=point.len()).collect();
    let each = of.iter().flat_map(|place| basis.indices().iter().map(move |index| (place, index)));
    let parts = each.map(|(place, index)| {
        let directions = index.iter().enumerate().flat_map(|(i, times)| std::iter::repeat_n(i, *times)).collect();
        derivative(arguments, place, directions, places.clone(), point.len() + 1)
    });
    let body = term(TermKind::Tuple(parts.collect()));
    let body = point
        .iter()
        .enumerate()
        .rev()
        .fold(body, |body, (i, q)| term(TermKind::Let { name: name(i + 1), value: q.clone(), body }));
    term(TermKind::Let { name: "f".into(), value: function.clone(), body })
}

/// The derivative of a number of the value along these directions, under so many binders: the function is bound by the first, and each
/// argument by the one of its place.
fn derivative(
    arguments: &[Ty],
    of: &[usize],
    mut directions: Vec<usize>,
    mut places: Vec<usize>,
    depth: usize,
) -> Term {
    let variable = |place: usize| {
        let name = if place == 0 { Name::from("f") } else { Name::from("x") };
        term(TermKind::Variable { index: depth - 1 - place, name })
    };
    let Some(direction) = directions.pop() else {
        let mut leaves = places.iter().map(|place| variable(*place));
        return at(applied(variable(0), arguments, &mut leaves), of);
    };
    let here = variable(places[direction]);
    places[direction] = depth;
    let body = derivative(arguments, of, directions, places, depth + 1);
    let function = term(TermKind::Lambda { name: "x".into(), body });
    let deriv = term(TermKind::Constant(Constant::Deriv));
    Term::apply(Term::apply(deriv, function, Span::default()), here, Span::default())
}
