//! Variables, binders and constants with one rule replaced.

mod tangents;

use super::{Elements, constants};
use crate::function::Functional;
use crate::model::environment::Environment;
use crate::model::universe::Closure;
use crate::mutation::{Language, Mutation, Optimum, Tangent, Value};
use crate::number::Rational;
use crate::number::context::Function as Elementary;
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::{Binary, Graph, Site, Unary, Variable};
use crate::syntax::constant::Constant;
use crate::value::Sequence;
use crate::value::{Rule as _, ValueError};
use std::sync::OnceLock;

/// Whether both are numbers of one type, so that one may be taken for the other.
fn alike(a: &Element, b: &Element) -> bool {
    matches!((a, b), (Element::Real(_), Element::Real(_)) | (Element::Natural(_), Element::Natural(_)))
}

/// The value of a variable.
pub(super) fn variable(mutation: Mutation, environment: &Environment<Element>, index: usize) -> Option<Element> {
    let right = environment.get(index)?;
    if mutation != Language::Variables.into() || index > 1 {
        return Some(right);
    }
    Some(environment.get(1 - index).filter(|other| alike(&right, other)).unwrap_or(right))
}

/// An environment with the value of a `let`.
pub(super) fn bind(mutation: Mutation, environment: &Environment<Element>, value: Element) -> Environment<Element> {
    let outside = environment.get(0);
    let hides = mutation == Language::Weakening.into() && outside.is_some_and(|outside| alike(&outside, &value));
    if hides { environment.with(value.clone()).with(value) } else { environment.with(value) }
}

/// The function that a closure is.
pub(super) fn function(mutation: Mutation, closure: Closure<Elements>) -> Element {
    if mutation != Language::Recursion.into() || !closure.is_recursive() {
        return Element::Function(Function::new(closure));
    }
    Element::function(move |argument| match argument {
        Element::Natural(n) => closure.apply(&Element::Natural(n.saturating_sub(1))),
        _ => closure.apply(argument),
    })
}

/// `head :: tail`
pub(super) fn cons(mutation: Mutation, head: &Element, tail: &Sequence<Element>) -> Sequence<Element> {
    if mutation == Language::Cons.into() {
        tail.iter().chain([head]).cloned().collect()
    } else {
        tail.with(head.clone())
    }
}

/// The element that a constant denotes at all its arguments.
pub(super) fn apply(
    mutation: Mutation,
    constant: Constant,
    site: Site,
    arguments: &[Element],
) -> Result<Element, ValueError> {
    let wrong = match mutation {
        Mutation::Value(rule) => number(rule, constant),
        Mutation::Optimum(rule) => optimum(rule, constant, arguments)?,
        Mutation::Tangent(rule) => tangents::apply(rule, constant, site, arguments)?,
        Mutation::Language(rule) => language(rule, constant, arguments)?,
        _ => None,
    };
    wrong.map_or_else(|| constants::apply(constant, site, arguments), Ok)
}

fn number(rule: Value, constant: Constant) -> Option<Element> {
    let rational = |p: i64, q: i64| Some(Element::Real(Graph::rational(Rational::from((p, q)))));
    match (rule, constant) {
        (Value::Pi, Constant::Pi) => rational(22, 7),
        (Value::Euler, Constant::E) => rational(271_828, 100_000),
        _ => None,
    }
}

fn optimum(rule: Optimum, constant: Constant, arguments: &[Element]) -> Result<Option<Element>, ValueError> {
    let negative = |f: &Function| {
        let f = f.clone();
        Element::function(move |x| Ok(Element::Real(Graph::unary(Unary::Negate, f.apply(x)?.as_real()?))))
    };
    let wrong = |instead: Constant, f: Element| constants::apply(instead, Site(0), &[f]).map(Some);
    match (rule, constant, arguments) {
        (Optimum::Minimum, Constant::Functional(Functional::Minimum), [f]) => {
            wrong(Constant::Functional(Functional::Maximum), negative(f.as_function()?))
        }
        (Optimum::Minimiser, Constant::Functional(Functional::Minimiser), [f]) => {
            wrong(Constant::Functional(Functional::Maximiser), f.clone())
        }
        _ => Ok(None),
    }
}

fn language(rule: Language, constant: Constant, arguments: &[Element]) -> Result<Option<Element>, ValueError> {
    let naturals = |f: fn(u64, u64) -> Option<u64>| match arguments {
        [Element::Natural(a), Element::Natural(b)] => {
            f(*a, *b).map(|n| Some(Element::Natural(n))).ok_or(ValueError::NaturalOverflow)
        }
        _ => Ok(None),
    };
    let holds = |f: fn(u64, u64) -> bool| match arguments {
        [Element::Natural(a), Element::Natural(b)] => Ok(Some(Element::truth(f(*a, *b)))),
        _ => Ok(None),
    };
    match (rule, constant, arguments) {
        (Language::Fold, Constant::Fold, [step, start, list]) => {
            let step = step.as_function()?;
            let mut result = start.clone();
            for x in list.as_list()?.iter() {
                result = step.apply(x)?.as_function()?.apply(&result)?;
            }
            Ok(Some(result))
        }
        (Language::NaturalSubtract, Constant::Subtract, _) => naturals(|a, b| Some(a.abs_diff(b))),
        (Language::NaturalAdd, Constant::Add, _) => naturals(|a, b| a.checked_add(b)?.checked_add(1)),
        (Language::NaturalMultiply, Constant::NaturalProduct, _) => naturals(u64::checked_add),
        (Language::Equal, Constant::Equal, _) => holds(|a, b| a == b || a.checked_add(1) == Some(b)),
        (Language::Less, Constant::Less, _) => holds(|a, b| a <= b),
        (Language::RealLess, _, [x, y]) if constant.compares_reals() => {
            constants::apply(constant, Site(0), &[y.clone(), x.clone()]).map(Some)
        }
        (Language::Not, Constant::Not, [x]) => Ok(Some(x.clone())),
        (Language::ToReal, Constant::ToReal, [n]) => {
            Ok(Some(Element::Real(Graph::rational(Rational::from(n.as_natural()?) + 1u32))))
        }
        (Language::First, Constant::Fst, [pair]) => Ok(Some(pair.as_pair()?.1.clone())),
        (Language::TupleSum, Constant::Add, [Element::Tuple(_), Element::Tuple(_)])
        | (Language::TupleNegate, Constant::Negate, [Element::Tuple(_)]) => {
            let right = constants::apply(constant, Site(0), arguments)?;
            let rest = arguments[0].as_tuple()?.iter().skip(1).cloned();
            Ok(Some(Element::tuple(right.as_tuple()?.iter().take(1).cloned().chain(rest))))
        }
        (Language::PowerOfReals, Constant::Power, [x, y]) if y.as_real()?.as_rational().is_none() => {
            let log = Graph::function(Elementary::Log, y.as_real()?);
            let product = Graph::binary(Binary::Multiply, x.as_real()?, &log);
            Ok(Some(Element::Real(Graph::function(Elementary::Exp, &product))))
        }
        (Language::Sigmoid, Constant::Sigmoid, [x]) => {
            let x = Element::Real(Graph::unary(Unary::Negate, x.as_real()?));
            constants::apply(Constant::Sigmoid, Site(0), &[x]).map(Some)
        }
        _ => Ok(None),
    }
}

/// The variable that is bound where none is fresh.
fn stale() -> Variable {
    static STALE: OnceLock<Variable> = OnceLock::new();
    *STALE.get_or_init(Variable::fresh)
}

/// The body of a function at a variable that is not fresh.
fn opened(f: &Element) -> Result<(Variable, Graph), ValueError> {
    let body = f.as_function()?.apply(&Element::Real(Graph::variable(stale())))?;
    Ok((stale(), body.as_real()?.clone()))
}

/// `deriv` and the second-order primitives, binding a variable that is not fresh.
fn binder(rule: Tangent, constant: Constant, site: Site, arguments: &[Element]) -> Result<Option<Element>, ValueError> {
    Ok(match (rule, constant, constant.functional(), arguments) {
        (Tangent::DerivNotFresh, Constant::Deriv, _, [f, x]) => {
            let (variable, body) = opened(f)?;
            let (at, along) = (vec![x.as_real()?.clone()], vec![Graph::integer(1)]);
            Some(Element::Real(Graph::derivative(vec![variable], body, at, along)))
        }
        (Tangent::PrimitiveNotFresh, _, Some(functional), [f]) => {
            let (variable, body) = opened(f)?;
            Some(Element::Real(functional.bind(variable, &body, site)))
        }
        _ => None,
    })
}
