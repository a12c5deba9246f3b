//! What the constants of the language denote (S Fig. 2, §5.1–5.3).

use crate::number::context::Function as Elementary;
use crate::presheaf::dynamic::{Element, Function};
use crate::presheaf::error::PresheafError;
use crate::presheaf::second_order::{self, Functional};
use crate::presheaf::tangent;
use crate::smooth::graph::{Binary, Graph, Site, Unary};
use crate::syntax::constant::Constant;

/// Whether the constant is a primitive whose place is remembered.
pub(super) fn makes_a_promise(constant: Constant) -> bool {
    matches!(
        constant,
        Constant::Integral01
            | Constant::CutRoot
            | Constant::FirstRoot
            | Constant::Max01
            | Constant::Argmax01
            | Constant::Min01
            | Constant::Argmin01
    )
}

/// The element that a constant denotes at all its arguments, at every stage.
///
/// # Errors
/// [`PresheafError`]
pub fn apply(constant: Constant, site: Site, arguments: &[Element]) -> Result<Element, PresheafError> {
    match arguments {
        [] => nullary(constant),
        [x] => unary(constant, site, x),
        [x, y] => binary(constant, x, y),
        [step, start, list] if constant == Constant::Fold => {
            let step = step.as_function()?;
            list.as_list()?.fold(start.clone(), |x, rest| step.apply(x)?.as_function()?.apply(&rest))
        }
        _ => Err(PresheafError::Mismatch { expected: "at most two arguments", found: "more of them" }),
    }
}

fn nullary(constant: Constant) -> Result<Element, PresheafError> {
    Ok(match constant {
        Constant::Pi => Element::Real(Graph::pi()),
        Constant::E => Element::Real(Graph::euler()),
        Constant::TangentR => isomorphism(
            |v| tangent::real_to(v.as_tangent()?),
            |p| {
                let (x, dx) = p.as_pair()?;
                Ok(tangent::real_from(x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => isomorphism(
            |v| tangent::product_to(v.as_tangent()?),
            |p| {
                let parts: Result<Vec<_>, _> = p.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
                Ok(tangent::product_from(&parts?))
            },
        ),
        Constant::TangentToR => isomorphism(
            |v| tangent::function_to(v.as_tangent()?),
            |p| {
                let (f, df) = p.as_pair()?;
                Ok(tangent::function_from(f.as_function()?, df.as_function()?))
            },
        ),
        _ => return Err(PresheafError::Mismatch { expected: "a constant without arguments", found: constant.name() }),
    })
}

pub(super) type Map = fn(&Element) -> Result<Element, PresheafError>;

pub(super) fn isomorphism(to: Map, from: Map) -> Element {
    Element::Isomorphism(Function::new(to), Function::new(from))
}

fn unary(constant: Constant, site: Site, x: &Element) -> Result<Element, PresheafError> {
    let operation = |op: Unary| Ok(Element::Real(Graph::unary(op, x.as_real()?)));
    let elementary = |f: Elementary| operation(Unary::Function(f));
    let primitive = |p: Functional| second_order::second_order(p, x.as_function()?, site);
    match constant {
        Constant::Negate => negate(x),
        Constant::Not => Ok(Element::Boolean(!x.as_boolean()?)),
        Constant::ToReal => Ok(Element::Real(Graph::rational(x.as_natural()?.into()))),
        Constant::Abs => operation(Unary::Abs),
        Constant::Signum => operation(Unary::Signum),
        Constant::Sqrt => elementary(Elementary::Sqrt),
        Constant::Cbrt => elementary(Elementary::Cbrt),
        Constant::Exp => elementary(Elementary::Exp),
        Constant::Log => elementary(Elementary::Log),
        Constant::Sin => elementary(Elementary::Sin),
        Constant::Cos => elementary(Elementary::Cos),
        Constant::Tan => elementary(Elementary::Tan),
        Constant::Asin => elementary(Elementary::Asin),
        Constant::Acos => elementary(Elementary::Acos),
        Constant::Atan => elementary(Elementary::Atan),
        Constant::Sinh => elementary(Elementary::Sinh),
        Constant::Cosh => elementary(Elementary::Cosh),
        Constant::Tanh => elementary(Elementary::Tanh),
        Constant::Asinh => elementary(Elementary::Asinh),
        Constant::Acosh => elementary(Elementary::Acosh),
        Constant::Atanh => elementary(Elementary::Atanh),
        Constant::Sigmoid => Ok(Element::Real(sigmoid(x.as_real()?))),
        Constant::Fst => Ok(x.as_pair()?.0.clone()),
        Constant::Snd => Ok(x.as_pair()?.1.clone()),
        Constant::Integral01 => primitive(Functional::Integral),
        Constant::CutRoot => primitive(Functional::CutRoot),
        Constant::FirstRoot => primitive(Functional::FirstRoot),
        Constant::Max01 => primitive(Functional::Maximum),
        Constant::Argmax01 => primitive(Functional::Maximiser),
        Constant::Min01 => primitive(Functional::Minimum),
        Constant::Argmin01 => primitive(Functional::Minimiser),
        Constant::TangentValue => Ok(tangent::tangent_value(x.as_tangent()?)),
        _ => Err(PresheafError::Mismatch { expected: "a constant of one argument", found: constant.name() }),
    }
}

fn binary(constant: Constant, x: &Element, y: &Element) -> Result<Element, PresheafError> {
    let operation = |op: Binary| Ok(Element::Real(Graph::binary(op, x.as_real()?, y.as_real()?)));
    let comparison = |f: fn(&u64, &u64) -> bool| Ok(Element::Boolean(f(&x.as_natural()?, &y.as_natural()?)));
    match constant {
        Constant::Add => additive(x, y, Binary::Add, u64::checked_add),
        Constant::Subtract => additive(x, y, Binary::Subtract, |a, b| Some(a.saturating_sub(b))),
        Constant::Multiply => operation(Binary::Multiply),
        Constant::NaturalProduct => {
            let product = x.as_natural()?.checked_mul(y.as_natural()?);
            product.map(Element::Natural).ok_or(PresheafError::NaturalOverflow)
        }
        Constant::Divide => operation(Binary::Divide),
        Constant::Max => operation(Binary::Maximum),
        Constant::Min => operation(Binary::Minimum),
        Constant::Power => Ok(Element::Real(power(x.as_real()?, y.as_real()?))),
        Constant::Equal => comparison(u64::eq),
        Constant::NotEqual => comparison(u64::ne),
        Constant::Less => comparison(u64::lt),
        Constant::LessEqual => comparison(u64::le),
        Constant::Greater => comparison(u64::gt),
        Constant::GreaterEqual => comparison(u64::ge),
        Constant::Tangent => tangent::tangent(x.as_function()?, y.as_tangent()?),
        Constant::Deriv => second_order::derivative(x.as_function()?, y.as_real()?),
        _ => Err(PresheafError::Mismatch { expected: "a constant of two arguments", found: constant.name() }),
    }
}

/// An operation on numbers, natural numbers, and tuples of them componentwise.
fn additive(
    x: &Element,
    y: &Element,
    real: Binary,
    natural: fn(u64, u64) -> Option<u64>,
) -> Result<Element, PresheafError> {
    match (x, y) {
        (Element::Natural(a), Element::Natural(b)) => {
            natural(*a, *b).map(Element::Natural).ok_or(PresheafError::NaturalOverflow)
        }
        (Element::Tuple(a), Element::Tuple(b)) => {
            let parts: Result<Vec<_>, _> = a.iter().zip(b.iter()).map(|(a, b)| additive(a, b, real, natural)).collect();
            Ok(Element::tuple(parts?))
        }
        _ => Ok(Element::Real(Graph::binary(real, x.as_real()?, y.as_real()?))),
    }
}

fn negate(x: &Element) -> Result<Element, PresheafError> {
    match x {
        Element::Tuple(parts) => {
            let parts: Result<Vec<_>, _> = parts.iter().map(negate).collect();
            Ok(Element::tuple(parts?))
        }
        _ => Ok(Element::Real(Graph::unary(Unary::Negate, x.as_real()?))),
    }
}

/// x^y (S74): a rational power where the exponent is a rational constant, otherwise exp(y·log x).
fn power(x: &Graph, y: &Graph) -> Graph {
    let rational = y.as_rational().and_then(|q| Graph::power(x, q));
    rational.unwrap_or_else(|| {
        let log = Graph::function(Elementary::Log, x);
        Graph::function(Elementary::Exp, &Graph::binary(Binary::Multiply, y, &log))
    })
}

/// 1/(1 + e⁻ˣ), in which x occurs once.
fn sigmoid(x: &Graph) -> Graph {
    let one = Graph::integer(1);
    let decay = Graph::function(Elementary::Exp, &Graph::unary(Unary::Negate, x));
    Graph::binary(Binary::Divide, &one, &Graph::binary(Binary::Add, &one, &decay))
}
