//! All partial derivatives of a function at a point, as two programs of one type, for any semantics to evaluate.
//!
//! One program nests `deriv`. The other applies the program that the macro derives to the jets of the point. Their values
//! are equal where the function is smooth (H Thm 3). If the value of the function consists of several numbers, both list
//! the derivatives of each.
//!
//! # Compiled evaluation of programs at a point
//!
//! The same derivatives are also computed by tapes, for comparison with the step-by-step semantics `float`.
//!
//! | row of `agree --at` | what is compiled, once | what runs |
//! |---|---|---|
//! | `float, compiled` | the program | a [`Tape`]: its value, a sweep back, its second derivatives, its [series](Tape::taylor_series) |
//! | `taylor, compiled` | the program that the macro derives | a tape at the jets of the point |
//!
//! Both share their graphs with the presheaf semantics, but none of its arithmetic. They compute the same as `float`
//! and the derived program in `float`, in another order. So they take over the [estimate](crate::meaning::float) of the
//! rounding error of those. That another order errs no more is a guess that tests support, not a bound.

use crate::meaning::float::nearest_double;
use crate::meaning::presheaf::map_of_program;
use crate::meaning::taylor::derive::{DeriveError, DerivedProgram, derive_with};
use crate::meaning::taylor::functor::{DefaultTaylorHooks, Taylor, TaylorHooks, jet_type};
use crate::meaning::taylor::jet::{Basis, BasisError, MultiIndex};
use crate::model::answer::{AnswerNumber, ProgramAnswer, SemanticsError};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::Graph;
use crate::smooth::map::{DynMap, Map, coordinate_variables};
use crate::smooth::tape::{Tape, TapeError};
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::typing::check_term;
use crate::value::Value;
use std::sync::Arc;

/// The reason why a program has no derivatives at a point.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DerivativesError {
    /// The program is no function from real numbers to real numbers.
    #[error(
        "derivatives at a point are those of a function of real numbers whose values are real numbers, such as Real -> Real, \
         Real * Real -> Real, Real -> Real -> Real or Real -> Real * Real; this is of type {0}"
    )]
    NotAFunction(Ty),
    /// The point has a wrong number of coordinates.
    #[error("the point has {found} coordinates; a function of type {ty} takes {expected} real number{}", if *expected == 1 { "" } else { "s" })]
    Coordinates {
        /// The number of coordinates of the point.
        found: usize,
        /// The number of real arguments of the function.
        expected: usize,
        /// The type of the function.
        ty: Ty,
    },
    /// There is no Taylor representation of this order and number of variables: see [`Basis::new`].
    #[error(transparent)]
    Basis(#[from] BasisError),
}

/// The derivatives of a function of n real numbers at a point, of order at most R, as programs.
#[derive(Clone, Debug)]
pub struct DerivativePrograms {
    /// The multi-indices over the n arguments.
    pub basis: Basis,
    /// The type of the function, with type parameters instantiated to `Real`.
    pub function_type: Ty,
    /// The paths to the numbers of a value, as indices of nested components. One empty path if the value is a number.
    pub component_paths: Vec<Vec<usize>>,
    /// The type of both programs: a tuple with one number for each number of a value and each multi-index, in that
    /// order.
    pub ty: Ty,
    /// The program with nested `deriv`.
    pub nested: Term,
    /// The program derived by the macro 𝒟_(n,R), and that program applied to the jets of the point.
    pub derived: Result<(DerivedProgram, Term), DeriveError>,
}

/// The greatest number of type parameters that are instantiated. A choice: types in use have fewer.
const MAX_TYPE_PARAMETERS: usize = 64;

/// Makes the programs for the derivatives of a closed program at a point, with the macro of the library.
///
/// # Errors
/// [`DerivativesError`]. A part of the program without a rule in the macro is reported in `derived`, not here.
pub fn derivative_programs(
    term: &Term,
    ty: &Ty,
    point: &[Rational],
    order: usize,
) -> Result<DerivativePrograms, DerivativesError> {
    let point: Vec<Term> = point.iter().map(make_real_literal).collect();
    derivative_programs_with(&DefaultTaylorHooks, term, ty, &point, order)
}

/// Like [`derivative_programs`], but with the macro under `rules`, and with closed programs of type `Real` as the
/// coordinates of the point.
///
/// # Errors
/// [`DerivativesError`]. A part of the program without a rule in the macro is reported in `derived`, not here.
pub fn derivative_programs_with(
    rules: &'static dyn TaylorHooks,
    term: &Term,
    ty: &Ty,
    point: &[Term],
    order: usize,
) -> Result<DerivativePrograms, DerivativesError> {
    // a polymorphic function is instantiated at the real numbers
    let ty = &ty.with_arguments(&vec![Ty::real(); MAX_TYPE_PARAMETERS]);
    let (arguments, codomain) = split_arguments(ty).ok_or_else(|| DerivativesError::NotAFunction(ty.clone()))?;
    let mut places = Vec::new();
    collect_paths(&codomain, &mut Vec::new(), &mut places);
    let expected: usize = arguments.iter().filter_map(Ty::real_dimension).sum();
    if expected != point.len() {
        return Err(DerivativesError::Coordinates { found: point.len(), expected, ty: ty.clone() });
    }
    let basis = Basis::new(expected, order)?;
    let derived = derive_with(&Taylor::with_hooks(rules, basis.clone()), term, ty).map(|derived| {
        let mut jets = (0..expected).map(|direction| make_coordinate_jet(&basis, direction, &point[direction]));
        let value = apply_to_leaves(derived.term.clone(), &arguments, &mut jets);
        // for a single number the jet is already a flat tuple
        let value = if places == [Vec::<usize>::new()] { value } else { flatten_jets(value, &places, basis.len()) };
        (derived, value)
    });
    let function = ty.clone();
    let (ty, nested) =
        (jet_type(places.len() * basis.len()), make_nested_derivatives(term, &arguments, point, &basis, &places));
    let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
    // a program too large to be typed stays untyped; a semantics that needs no types still evaluates it
    let nested = check_term(&nested, &scheme).unwrap_or(nested);
    Ok(DerivativePrograms { function_type: function, component_paths: places, ty, nested, derived, basis })
}

/// Returns the types of the arguments of a curried function, and the type of its value. Returns `None` for other types,
/// and if an argument or the value is not made of real numbers and tuples.
fn split_arguments(ty: &Ty) -> Option<(Vec<Ty>, Ty)> {
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        domain.real_dimension()?;
        arguments.push(domain.clone());
        rest = codomain;
    }
    (!arguments.is_empty() && rest.real_dimension().is_some_and(|numbers| numbers > 0))
        .then(|| (arguments, rest.clone()))
}

/// Collects the paths to the numbers in a value of type `ty`, from left to right. `here` is the path to the value.
fn collect_paths(ty: &Ty, here: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let TyKind::Tuple(parts) = ty.kind() else { return found.push(here.clone()) };
    for (index, part) in parts.iter().enumerate() {
        here.push(index);
        collect_paths(part, here, found);
        here.pop();
    }
}

/// Projects a nested tuple along a path.
fn project_at(tuple: Term, place: &[usize]) -> Term {
    place.iter().fold(tuple, |tuple, index| make_term(TermKind::Project { tuple, index: *index }))
}

/// Collects the jets at the paths `places` of a value into one flat tuple. Each jet has `length` numbers.
fn flatten_jets(value: Term, places: &[Vec<usize>], length: usize) -> Term {
    let name = Name::from("y");
    let jet = |place: &Vec<usize>| project_at(make_term(TermKind::Variable { index: 0, name: name.clone() }), place);
    let parts =
        places.iter().flat_map(|place| (0..length).map(move |index| project_at(jet(place), &[index]))).collect();
    // the value is bound once, because it is projected many times
    make_term(TermKind::Let { name: name.clone(), value, body: make_term(TermKind::Tuple(parts)) })
}

/// Makes a term with an empty span.
fn make_term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

/// Makes a real literal.
fn make_real_literal(q: &Rational) -> Term {
    make_term(TermKind::Real(q.clone()))
}

/// Returns the jet of the coordinate function `direction`: the value, then 1 at its own first derivative, and 0
/// elsewhere.
fn make_coordinate_jet(basis: &Basis, direction: usize, value: &Term) -> Term {
    let parts = basis.indices().iter().map(|index| {
        if index.iter().all(|entry| *entry == 0) {
            return value.clone();
        }
        let is_unit = index.iter().enumerate().all(|(i, entry)| *entry == usize::from(i == direction));
        make_real_literal(&Rational::from(u32::from(is_unit)))
    });
    make_term(TermKind::Tuple(parts.collect()))
}

/// Applies a function to arguments of these types. In place of each real number stands the next of `leaves`.
fn apply_to_leaves(function: Term, arguments: &[Ty], leaves: &mut dyn Iterator<Item = Term>) -> Term {
    arguments.iter().fold(function, |function, ty| Term::apply(function, make_argument(ty, leaves), Span::default()))
}

/// Makes one argument of type `ty` from the next leaves.
fn make_argument(ty: &Ty, leaves: &mut dyn Iterator<Item = Term>) -> Term {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            make_term(TermKind::Tuple(parts.iter().map(|part| make_argument(part, leaves)).collect()))
        }
        _ => leaves.next().unwrap_or_else(|| make_term(TermKind::Unit)),
    }
}

/// Makes `let f = … in let x₁ = … in … (∂^α f, …)`, with all α of the basis for each number of the value. The paths to
/// these numbers are `of`.
fn make_nested_derivatives(
    function: &Term,
    arguments: &[Ty],
    point: &[Term],
    basis: &Basis,
    of: &[Vec<usize>],
) -> Term {
    let name = |number: usize| Name::from(format!("x{number}"));
    let places: Vec<usize> = (1..=point.len()).collect();
    let each = of.iter().flat_map(|place| basis.indices().iter().map(move |index| (place, index)));
    let parts = each.map(|(place, index)| {
        let directions = index.iter().enumerate().flat_map(|(i, times)| std::iter::repeat_n(i, *times)).collect();
        make_nested_derivative(arguments, place, directions, places.clone(), point.len() + 1)
    });
    let body = make_term(TermKind::Tuple(parts.collect()));
    let body = point
        .iter()
        .enumerate()
        .rev()
        .fold(body, |body, (i, q)| make_term(TermKind::Let { name: name(i + 1), value: q.clone(), body }));
    make_term(TermKind::Let { name: "f".into(), value: function.clone(), body })
}

/// Makes the derivative of one number of the value along `directions`, under `depth` binders. The path to the number is
/// `of`.
///
/// The outermost binder, number 0, binds the function. `places` are the numbers of the binders of the arguments.
fn make_nested_derivative(
    arguments: &[Ty],
    of: &[usize],
    mut directions: Vec<usize>,
    mut places: Vec<usize>,
    depth: usize,
) -> Term {
    let variable = |place: usize| {
        // de Bruijn index of the binder at `place`, counted from the outside
        let name = if place == 0 { Name::from("f") } else { Name::from("x") };
        make_term(TermKind::Variable { index: depth - 1 - place, name })
    };
    let Some(direction) = directions.pop() else {
        let mut leaves = places.iter().map(|place| variable(*place));
        return project_at(apply_to_leaves(variable(0), arguments, &mut leaves), of);
    };
    let here = variable(places[direction]);
    // inside the λ the differentiated argument is its own variable
    places[direction] = depth;
    let body = make_nested_derivative(arguments, of, directions, places, depth + 1);
    let function = make_term(TermKind::Lambda { name: "x".into(), body });
    let deriv = make_term(TermKind::Constant(Constant::Deriv));
    Term::apply(Term::apply(deriv, function, Span::default()), here, Span::default())
}

/// The reason why a program does not run compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompiledError {
    /// The program has no tape.
    #[error("{} is not compiled", .0.construct)]
    Tape(#[from] TapeError),
    /// No tape computes derivatives of this order in several variables.
    #[error("of several variables, derivatives of an order above 2 are not compiled")]
    Order,
}

impl crate::failure::ErrorWithKind for CompiledError {
    fn kind(&self) -> crate::failure::ErrorKind {
        crate::failure::ErrorKind::Unsupported
    }
}

/// Computes the derivatives of a function of n real numbers at a point, for each number of its value and each
/// multi-index. Each number has a tape of its own. The point must have n coordinates.
///
/// # Errors
/// Those of [`map_of_program`]. [`SemanticsError::Other`] wraps a [`CompiledError`], or
/// [`DerivativesError::NotAFunction`].
pub fn compiled_derivatives(
    term: &Term,
    ty: &Ty,
    point: &[Rational],
    basis: &Basis,
    budget: &Arc<Budget>,
) -> Result<Vec<f64>, SemanticsError> {
    let map = interpret_map(term, ty, budget)?;
    let coordinates = coordinate_variables(map.as_dyn().input_count());
    let of = |number: &Graph| {
        let alone = DynMap::of_graphs(&coordinates, std::slice::from_ref(number));
        compute_derivatives_of_output(
            &Map::from_dyn(alone.map_err(|error| SemanticsError::from_external(error.to_string()))?),
            point,
            basis,
        )
    };
    let each: Result<Vec<_>, _> = map.as_dyn().outputs().iter().map(of).collect();
    Ok(each?.concat())
}

/// Computes the derivatives of a map with one output, one for each multi-index.
fn compute_derivatives_of_output(
    map: &Map<Dyn, Dyn>,
    point: &[Rational],
    basis: &Basis,
) -> Result<Vec<f64>, SemanticsError> {
    let mut tape = compile_tape(map)?;
    let x: Vec<f64> = point.iter().map(nearest_double).collect();
    let order = basis.indices().iter().map(|index| index.iter().sum()).max().unwrap_or(0);
    match (x.len(), order) {
        // in one variable a series has every order; in several, sweeps give gradient and Hessian only
        (1, _) => Ok(compute_series_derivatives(&tape, &x, order)),
        (_, 0..=2) => {
            let n = x.len();
            let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
            let value = tape.gradient(&x, &mut gradient);
            if order == 2 {
                tape.hessian_tape().hessian_at(&x, &mut hessian);
            }
            let derivative = |index: &MultiIndex| {
                let directions: Vec<usize> =
                    index.iter().enumerate().flat_map(|(i, k)| std::iter::repeat_n(i, *k)).collect();
                match directions[..] {
                    [] => value,
                    [i] => gradient[i],
                    // the order is at most 2 in this branch
                    [i, j, ..] => hessian[i * n + j],
                }
            };
            Ok(basis.indices().iter().map(derivative).collect())
        }
        _ => Err(SemanticsError::from_failure(CompiledError::Order)),
    }
}

/// Returns the derivatives `k!·cₖ` up to `order` from the coefficients of the series along the line.
fn compute_series_derivatives(tape: &Tape, x: &[f64], order: usize) -> Vec<f64> {
    let mut coefficients = vec![0.0; order + 1];
    tape.taylor_series(order).expand_along(x, &[1.0], &mut coefficients);
    // the running product is 0! = 1, 1!, 2!, …
    let factorials = (0..=order).scan(1.0, |factorial, k| {
        *factorial *= k.max(1) as f64;
        Some(*factorial)
    });
    coefficients.iter().zip(factorials).map(|(c, factorial)| c * factorial).collect()
}

/// Computes the derivatives by a tape of the derived program, at the jets of the point.
///
/// # Errors
/// The errors of [`compiled_derivatives`].
pub fn macro_derivatives(
    derived: &DerivedProgram,
    point: &[Rational],
    basis: &Basis,
    budget: &Arc<Budget>,
) -> Result<Vec<f64>, SemanticsError> {
    let mut tape = compile_tape(&interpret_map(&derived.term, &derived.ty, budget)?)?;
    let jet = |(direction, q): (usize, &Rational)| {
        let part = move |index: &MultiIndex| match index.iter().sum() {
            0 => nearest_double(q),
            1 if index[direction] == 1 => 1.0,
            _ => 0.0,
        };
        basis.indices().iter().map(part).collect::<Vec<_>>()
    };
    let x: Vec<f64> = point.iter().enumerate().flat_map(jet).collect();
    let mut y = vec![0.0; tape.output_count()];
    tape.value(&x, &mut y);
    Ok(y)
}

/// Interprets a function of real numbers as a map.
fn interpret_map(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Map<Dyn, Dyn>, SemanticsError> {
    map_of_program(term, ty, budget)?
        .ok_or_else(|| SemanticsError::from_external(DerivativesError::NotAFunction(ty.clone())))
}

/// Compiles a map to a tape.
fn compile_tape(map: &Map<Dyn, Dyn>) -> Result<Tape, SemanticsError> {
    map.tape().map_err(|error| SemanticsError::from_failure(CompiledError::from(error)))
}

/// Makes an answer of numbers, with the error estimates of the answer `beside`. The errors are infinite if there is none,
/// or it has another length or other kinds of numbers.
#[must_use]
pub fn float_answer(numbers: Vec<f64>, beside: Option<&ProgramAnswer>) -> ProgramAnswer {
    let others = beside.and_then(|answer| answer.value.coordinates().ok()).filter(|other| other.len() == numbers.len());
    let error = |place: usize| match others.as_ref().map(|others| others[place]) {
        Some(AnswerNumber::Float { error, .. }) => *error,
        _ => f64::INFINITY,
    };
    let numbers = numbers.into_iter().enumerate();
    let parts = numbers.map(|(place, value)| Value::Real(AnswerNumber::Float { value, error: error(place) }));
    ProgramAnswer::from_value(Value::Tuple(parts.collect()))
}
