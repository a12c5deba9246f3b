//! The constants of the language as towers.

use super::{Arrow, Towers, identity, zero};
use crate::function::{Function, SIGMOID};
use crate::model::{Application, Argument, Model, Operator, Unsupported};
use crate::number::Rational;
use crate::number::context::Context;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::smooth::tower::primitive::{constant, power, product, quotient};
use crate::smooth::tower::{Linear, Tower, TowerError, elementary, kink};
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

type Result<T> = std::result::Result<T, TowerError>;
type Interpreted<C> = std::result::Result<Arrow<C>, Unsupported>;

/// Interprets a constant without arguments.
pub fn nullary<C: Context>(model: &Towers<C>, inputs: usize, name: Constant) -> Interpreted<C> {
    match name {
        Constant::Pi => Ok(Ok(constant(inputs, C::pi)).into()),
        Constant::E => Ok(Ok(constant(inputs, C::euler)).into()),
        other => Err(lacking(model, other)),
    }
}

fn lacking<C: Context>(model: &Towers<C>, constant: Constant) -> Unsupported {
    model.lacks(constant.lacking())
}

/// Interprets a constant at all its arguments.
pub fn operation<C: Context>(model: &Towers<C>, application: &Application<'_, Towers<C>>) -> Interpreted<C> {
    let Application { context, operator, ty, arguments, .. } = *application;
    let inputs: usize = context.iter().sum();
    let domain = ty.and_then(|ty| match ty.kind() {
        TyKind::Function(domain, _) => Some(domain.clone()),
        _ => None,
    });
    match (operator, arguments) {
        (Operator::Constant(constant), []) => nullary(model, inputs, constant),
        // numerical operations first; those that only select components need the type of the argument
        (Operator::Constant(constant), [Argument::Value(x)]) => match unary(constant, x) {
            Some(arrow) => Ok(arrow),
            None => structural(model, operator, x, domain.as_ref()),
        },
        (Operator::Constant(constant), [Argument::Value(x), Argument::Value(y)]) => {
            binary(constant, x, y).ok_or_else(|| lacking(model, constant))
        }
        (Operator::Constant(Constant::Deriv), [Argument::Function { body, .. }, Argument::Value(x)]) => {
            Ok(derivative(inputs, &body.body, x).into())
        }
        (Operator::Constant(Constant::Tangent), [Argument::Function { domain, body, .. }, Argument::Value(v)]) => {
            Ok(tangent(inputs, *domain, &body.body, v).into())
        }
        (
            Operator::Constant(Constant::Jvp),
            [Argument::Function { body, .. }, Argument::Value(x), Argument::Value(v)],
        ) => Ok(along(inputs, &body.body, x, v.tower()).into()),
        (
            Operator::Constant(Constant::Rd),
            [Argument::Function { domain, body, .. }, Argument::Value(x), Argument::Value(w)],
        ) => Ok(transposed(inputs, *domain, &body.body, x, w).into()),
        (_, [Argument::Value(x)]) => structural(model, operator, x, domain.as_ref()),
        (Operator::Constant(c) | Operator::To(c) | Operator::From(c), _) => Err(lacking(model, c)),
    }
}

/// Interprets an operation that only selects or permutes components. It needs the types of the components.
fn structural<C: Context>(model: &Towers<C>, operator: Operator, x: &Arrow<C>, domain: Option<&Ty>) -> Interpreted<C> {
    let sizes = |ty: Option<&Ty>| match ty.map(Ty::kind) {
        Some(TyKind::Tuple(parts)) => parts.iter().map(|part| model.object(part)).collect(),
        _ => Ok(Vec::new()),
    };
    let selected =
        |size: usize, indices: Vec<usize>| x.tower().and_then(|x| x.then_linear(&Linear::select(size, indices)));
    Ok(match operator {
        Operator::Constant(Constant::Fst | Constant::Snd) => {
            let sizes = sizes(domain)?;
            let index = usize::from(operator == Operator::Constant(Constant::Snd));
            if sizes.len() != 2 {
                return Err(model.lacks("a pair of an unknown type"));
            }
            model.component(&sizes, x, index)
        }
        Operator::Constant(Constant::TangentValue) => {
            x.tower().and_then(|x| x.then_linear(&Linear::select(x.outputs(), 0..x.outputs() / 2))).into()
        }
        // Tan ℝ is ℝ × ℝ (S Prop. 5.2): the isomorphism is the identity
        Operator::To(Constant::TangentR) | Operator::From(Constant::TangentR) => x.clone(),
        Operator::To(Constant::TangentProd) => {
            let sizes = match domain.map(Ty::kind) {
                Some(TyKind::Tangent(of)) => sizes(Some(of))?,
                _ => return Err(model.lacks("a tangent of an unknown type")),
            };
            selected(2 * sizes.iter().sum::<usize>(), interleaved(&sizes)).into()
        }
        Operator::From(Constant::TangentProd) => {
            // the domain is a tuple of tangents, each twice as long as its base
            let sizes: Vec<usize> = sizes(domain)?.into_iter().map(|size| size / 2).collect();
            let indices = interleaved(&sizes);
            // the inverse permutation
            let mut back = vec![0; indices.len()];
            for (to, from) in indices.into_iter().enumerate() {
                back[from] = to;
            }
            selected(back.len(), back).into()
        }
        Operator::Constant(c) | Operator::To(c) | Operator::From(c) => return Err(lacking(model, c)),
    })
}

/// Returns the positions in `(A₁ × … × Aₙ)²` of the components of `(A₁ × A₁) × … × (Aₙ × Aₙ)`.
fn interleaved(sizes: &[usize]) -> Vec<usize> {
    let total: usize = sizes.iter().sum();
    let mut before = 0;
    let mut indices = Vec::with_capacity(2 * total);
    for size in sizes {
        indices.extend(before..before + size);
        indices.extend(total + before..total + before + size);
        before += size;
    }
    indices
}

/// Returns `body′ ∘ ⟨⟨id, x⟩, ⟨0, v⟩⟩`: the context is held fixed by a direction of zeros.
fn along<C: Context>(inputs: usize, body: &Arrow<C>, x: &Arrow<C>, v: Result<Tower<C>>) -> Result<Tower<C>> {
    let point = identity(inputs).pair(&x.tower()?)?;
    let direction = zero(inputs).pair(&v?)?;
    point.pair(&direction)?.then(&body.tower()?.prime())
}

fn integer<C: Context>(inputs: usize, n: i64) -> Tower<C> {
    constant(inputs, move |context: &C| context.integer(n))
}

/// Returns the derivative of a function of one number.
fn derivative<C: Context>(inputs: usize, body: &Arrow<C>, x: &Arrow<C>) -> Result<Tower<C>> {
    along(inputs, body, x, Ok(integer(inputs, 1)))
}

/// Returns `Σⱼ wⱼ·(∂ᵢ bodyⱼ ∘ ⟨id, x⟩)` for each of the coordinates i of x: the transpose, by its definition.
fn transposed<C: Context>(inputs: usize, size: usize, body: &Arrow<C>, x: &Arrow<C>, w: &Arrow<C>) -> Result<Tower<C>> {
    let w = w.tower()?;
    let mut result = Tower::terminal(inputs);
    for place in 0..size {
        let units = (0..size).map(|i| integer(inputs, i64::from(i == place)));
        let unit = units.into_iter().try_fold(Tower::terminal(inputs), |unit, part| unit.pair(&part));
        let column = along(inputs, body, x, unit)?;
        let mut sum = integer(inputs, 0);
        for j in 0..w.outputs() {
            let part = |tower: &Tower<C>| tower.then_linear(&Linear::select(tower.outputs(), j..j + 1));
            let term = part(&w)?.pair(&part(&column)?)?.then(&product())?;
            sum = if j == 0 { term } else { sum.pair(&term)?.then_linear(&Linear::sum(1))? };
        }
        result = result.pair(&sum)?;
    }
    Ok(result)
}

/// Returns `⟨body, body′⟩ ∘ ⟨⟨id, fst v⟩, ⟨0, snd v⟩⟩`.
fn tangent<C: Context>(inputs: usize, size: usize, body: &Arrow<C>, v: &Arrow<C>) -> Result<Tower<C>> {
    let v = v.tower()?;
    let point = identity(inputs).pair(&v.then_linear(&Linear::select(2 * size, 0..size))?)?;
    let direction = zero(inputs).pair(&v.then_linear(&Linear::select(2 * size, size..2 * size))?)?;
    point.pair(&direction)?.then(&body.tower()?.with_derivative())
}

fn unary<C: Context>(name: Constant, x: &Arrow<C>) -> Option<Arrow<C>> {
    let then = |f: Tower<C>| Some(x.tower().and_then(|x| x.then(&f)).into());
    match name {
        Constant::Negate => {
            Some(x.tower().and_then(|x| x.then_linear(&Linear::multiple(x.outputs(), &Rational::from(-1)))).into())
        }
        Constant::Abs => then(kink::absolute()),
        Constant::Signum => then(kink::signum()),
        Constant::Elementary(f) => then(elementary::function(f)),
        Constant::Sigmoid => {
            Some(x.tower().and_then(|x| x.then(&elementary::formula(&SIGMOID, &Tower::identity(1))?)).into())
        }
        _ => None,
    }
}

fn binary<C: Context>(name: Constant, x: &Arrow<C>, y: &Arrow<C>) -> Option<Arrow<C>> {
    let pair = || x.tower()?.pair(&y.tower()?);
    let linear = |map: fn(usize) -> Linear| pair().and_then(|pair| pair.then_linear(&map(pair.outputs() / 2)));
    let then = |f: Tower<C>| pair().and_then(|pair| pair.then(&f));
    let tower = match name {
        Constant::Add => linear(Linear::sum),
        Constant::Subtract => linear(Linear::difference),
        Constant::Multiply => then(product()),
        Constant::Divide => then(quotient()),
        Constant::Max => then(kink::maximum()),
        Constant::Min => then(kink::minimum()),
        Constant::Power => to_the(x, y),
        Constant::RealPower => exponential(x, y),
        Constant::NaturalPower => to_the_natural(x, y)?,
        Constant::Planar(f) => then(elementary::planar(f)),
        Constant::Polygamma => {
            let f = Function::polygamma(x.constant.as_ref()?.numer().to_u64()?)?;
            // the order is a literal after reduction; otherwise the constant is not supported
            y.tower().and_then(|y| y.then(&elementary::function(f)))
        }
        _ => return None,
    };
    Some(tower.into())
}

/// Returns x^q (S74): a rational power for an exponent of moderate size, otherwise exp(q·log x).
fn to_the<C: Context>(x: &Arrow<C>, y: &Arrow<C>) -> Result<Tower<C>> {
    let exponent = y.constant.as_ref().and_then(|q| {
        let p = q.numer().to_i64().filter(|p| p.unsigned_abs() <= LARGEST_EXPONENT)?;
        Some((p, q.denom().to_u32().filter(|&q| u64::from(q) <= LARGEST_EXPONENT)?))
    });
    match exponent {
        Some((p, q)) => x.tower()?.then(&power(p, q)),
        None => exponential(x, y),
    }
}

/// Returns exp(y·log x).
fn exponential<C: Context>(x: &Arrow<C>, y: &Arrow<C>) -> Result<Tower<C>> {
    let log = x.tower()?.then(&elementary::function(Function::Log))?;
    y.tower()?.pair(&log)?.then(&product())?.then(&elementary::function(Function::Exp))
}

/// Returns the product of n factors x. [Reduction](crate::model::reduce) must have made n a literal; otherwise the result is
/// `None`.
fn to_the_natural<C: Context>(x: &Arrow<C>, n: &Arrow<C>) -> Option<Result<Tower<C>>> {
    let n = n.constant.as_ref()?.numer().to_u64()?;
    let of = |p: u64| x.tower()?.then(&power(p as i64, 1));
    let (whole, rest) = (n / LARGEST_EXPONENT, n % LARGEST_EXPONENT);
    Some(match whole {
        0 => of(rest),
        // in base LARGEST_EXPONENT, by Horner's rule, as in `Arithmetic::natural_power`
        _ => of(LARGEST_EXPONENT).and_then(|large| {
            let large = Arrow::from(Ok(large));
            let whole = Arrow { constant: Some(whole.into()), ..large.clone() };
            to_the_natural(&large, &whole).unwrap_or_else(|| large.tower())?.pair(&of(rest)?)?.then(&product())
        }),
    })
}
