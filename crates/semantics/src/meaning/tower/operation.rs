//! The constants of the language as towers.

use super::{TowerArrow, TowerModel, identity_tower, zero_tower};
use crate::function::{Function, SIGMOID};
use crate::model::{AppliedOperator, Model, OperatorApplication, OperatorArgument, Unsupported};
use crate::number::Rational;
use crate::number::context::Context;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::smooth::tower::primitive::{constant, power, product, quotient};
use crate::smooth::tower::{LinearMap, Tower, TowerError, elementary, kink};
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

type Result<T> = std::result::Result<T, TowerError>;
type TowerArrowResult<C> = std::result::Result<TowerArrow<C>, Unsupported>;

/// Interprets a constant without arguments.
pub fn nullary_constant<C: Context>(model: &TowerModel<C>, inputs: usize, name: Constant) -> TowerArrowResult<C> {
    match name {
        Constant::Pi => Ok(Ok(constant(inputs, C::pi)).into()),
        Constant::E => Ok(Ok(constant(inputs, C::enclose_euler)).into()),
        other => Err(missing_constant(model, other)),
    }
}

fn missing_constant<C: Context>(model: &TowerModel<C>, constant: Constant) -> Unsupported {
    model.unsupported_error(constant.describe_missing())
}

/// Interprets a constant at all its arguments.
pub fn apply_constant<C: Context>(
    model: &TowerModel<C>,
    application: &OperatorApplication<'_, TowerModel<C>>,
) -> TowerArrowResult<C> {
    let OperatorApplication { context, operator, ty, arguments, .. } = *application;
    let inputs: usize = context.iter().sum();
    let domain = ty.and_then(|ty| match ty.kind() {
        TyKind::Function(domain, _) => Some(domain.clone()),
        _ => None,
    });
    match (operator, arguments) {
        (AppliedOperator::Constant(constant), []) => nullary_constant(model, inputs, constant),
        // numerical operations first; those that only select components need the type of the argument
        (AppliedOperator::Constant(constant), [OperatorArgument::Value(x)]) => match unary_constant(constant, x) {
            Some(arrow) => Ok(arrow),
            None => rearrange_components(model, operator, x, domain.as_ref()),
        },
        (AppliedOperator::Constant(constant), [OperatorArgument::Value(x), OperatorArgument::Value(y)]) => {
            binary_constant(constant, x, y).ok_or_else(|| missing_constant(model, constant))
        }
        (
            AppliedOperator::Constant(Constant::Deriv),
            [OperatorArgument::Function { body, .. }, OperatorArgument::Value(x)],
        ) => Ok(derivative_at(inputs, &body.body, x).into()),
        (
            AppliedOperator::Constant(Constant::Tangent),
            [OperatorArgument::Function { domain, body, .. }, OperatorArgument::Value(v)],
        ) => Ok(push_tangent(inputs, *domain, &body.body, v).into()),
        (
            AppliedOperator::Constant(Constant::Jvp),
            [OperatorArgument::Function { body, .. }, OperatorArgument::Value(x), OperatorArgument::Value(v)],
        ) => Ok(derivative_along(inputs, &body.body, x, v.cloned_tower()).into()),
        (
            AppliedOperator::Constant(Constant::Rd),
            [OperatorArgument::Function { domain, body, .. }, OperatorArgument::Value(x), OperatorArgument::Value(w)],
        ) => Ok(transposed_derivative(inputs, *domain, &body.body, x, w).into()),
        (_, [OperatorArgument::Value(x)]) => rearrange_components(model, operator, x, domain.as_ref()),
        (AppliedOperator::Constant(c) | AppliedOperator::To(c) | AppliedOperator::From(c), _) => {
            Err(missing_constant(model, c))
        }
    }
}

/// Interprets an operation that only selects or permutes components. It needs the types of the components.
fn rearrange_components<C: Context>(
    model: &TowerModel<C>,
    operator: AppliedOperator,
    x: &TowerArrow<C>,
    domain: Option<&Ty>,
) -> TowerArrowResult<C> {
    let sizes = |ty: Option<&Ty>| match ty.map(Ty::kind) {
        Some(TyKind::Tuple(parts)) => parts.iter().map(|part| model.interpret_type(part)).collect(),
        _ => Ok(Vec::new()),
    };
    let selected = |size: usize, indices: Vec<usize>| {
        x.cloned_tower().and_then(|x| x.then_linear(&LinearMap::select(size, indices)))
    };
    Ok(match operator {
        AppliedOperator::Constant(Constant::Fst | Constant::Snd) => {
            let sizes = sizes(domain)?;
            let index = usize::from(operator == AppliedOperator::Constant(Constant::Snd));
            if sizes.len() != 2 {
                return Err(model.unsupported_error("a pair of an unknown type"));
            }
            model.project_component(&sizes, x, index)
        }
        AppliedOperator::Constant(Constant::TangentValue) => {
            x.cloned_tower().and_then(|x| x.then_linear(&LinearMap::select(x.outputs(), 0..x.outputs() / 2))).into()
        }
        // Tan ℝ is ℝ × ℝ (S Prop. 5.2): the isomorphism is the identity
        AppliedOperator::To(Constant::TangentR) | AppliedOperator::From(Constant::TangentR) => x.clone(),
        AppliedOperator::To(Constant::TangentProd) => {
            let sizes = match domain.map(Ty::kind) {
                Some(TyKind::Tangent(of)) => sizes(Some(of))?,
                _ => return Err(model.unsupported_error("a tangent of an unknown type")),
            };
            selected(2 * sizes.iter().sum::<usize>(), interleaved_indices(&sizes)).into()
        }
        AppliedOperator::From(Constant::TangentProd) => {
            // the domain is a tuple of tangents, each twice as long as its base
            let sizes: Vec<usize> = sizes(domain)?.into_iter().map(|size| size / 2).collect();
            let indices = interleaved_indices(&sizes);
            // the inverse permutation
            let mut back = vec![0; indices.len()];
            for (to, from) in indices.into_iter().enumerate() {
                back[from] = to;
            }
            selected(back.len(), back).into()
        }
        AppliedOperator::Constant(c) | AppliedOperator::To(c) | AppliedOperator::From(c) => {
            return Err(missing_constant(model, c));
        }
    })
}

/// Returns the positions in `(A₁ × … × Aₙ)²` of the components of `(A₁ × A₁) × … × (Aₙ × Aₙ)`.
fn interleaved_indices(sizes: &[usize]) -> Vec<usize> {
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
fn derivative_along<C: Context>(
    inputs: usize,
    body: &TowerArrow<C>,
    x: &TowerArrow<C>,
    v: Result<Tower<C>>,
) -> Result<Tower<C>> {
    let point = identity_tower(inputs).pair(&x.cloned_tower()?)?;
    let direction = zero_tower(inputs).pair(&v?)?;
    point.pair(&direction)?.then(&body.cloned_tower()?.prime())
}

fn integer_constant<C: Context>(inputs: usize, n: i64) -> Tower<C> {
    constant(inputs, move |context: &C| context.enclose_integer(n))
}

/// Returns the derivative of a function of one number.
fn derivative_at<C: Context>(inputs: usize, body: &TowerArrow<C>, x: &TowerArrow<C>) -> Result<Tower<C>> {
    derivative_along(inputs, body, x, Ok(integer_constant(inputs, 1)))
}

/// Returns `Σⱼ wⱼ·(∂ᵢ bodyⱼ ∘ ⟨id, x⟩)` for each of the coordinates i of x: the transpose, by its definition.
fn transposed_derivative<C: Context>(
    inputs: usize,
    size: usize,
    body: &TowerArrow<C>,
    x: &TowerArrow<C>,
    w: &TowerArrow<C>,
) -> Result<Tower<C>> {
    let w = w.cloned_tower()?;
    let mut result = Tower::terminal(inputs);
    for place in 0..size {
        let units = (0..size).map(|i| integer_constant(inputs, i64::from(i == place)));
        let unit = units.into_iter().try_fold(Tower::terminal(inputs), |unit, part| unit.pair(&part));
        let column = derivative_along(inputs, body, x, unit)?;
        let mut sum = integer_constant(inputs, 0);
        for j in 0..w.outputs() {
            let part = |tower: &Tower<C>| tower.then_linear(&LinearMap::select(tower.outputs(), j..j + 1));
            let term = part(&w)?.pair(&part(&column)?)?.then(&product())?;
            sum = if j == 0 { term } else { sum.pair(&term)?.then_linear(&LinearMap::sum(1))? };
        }
        result = result.pair(&sum)?;
    }
    Ok(result)
}

/// Returns `⟨body, body′⟩ ∘ ⟨⟨id, fst v⟩, ⟨0, snd v⟩⟩`.
fn push_tangent<C: Context>(inputs: usize, size: usize, body: &TowerArrow<C>, v: &TowerArrow<C>) -> Result<Tower<C>> {
    let v = v.cloned_tower()?;
    let point = identity_tower(inputs).pair(&v.then_linear(&LinearMap::select(2 * size, 0..size))?)?;
    let direction = zero_tower(inputs).pair(&v.then_linear(&LinearMap::select(2 * size, size..2 * size))?)?;
    point.pair(&direction)?.then(&body.cloned_tower()?.with_derivative())
}

fn unary_constant<C: Context>(name: Constant, x: &TowerArrow<C>) -> Option<TowerArrow<C>> {
    let then = |f: Tower<C>| Some(x.cloned_tower().and_then(|x| x.then(&f)).into());
    match name {
        Constant::Negate => Some(
            x.cloned_tower()
                .and_then(|x| x.then_linear(&LinearMap::scalar_multiple(x.outputs(), &Rational::from(-1))))
                .into(),
        ),
        Constant::Abs => then(kink::absolute()),
        Constant::Signum => then(kink::signum()),
        Constant::Elementary(f) => then(elementary::elementary_tower(f)),
        Constant::Sigmoid => Some(
            x.cloned_tower().and_then(|x| x.then(&elementary::formula_tower(&SIGMOID, &Tower::identity(1))?)).into(),
        ),
        _ => None,
    }
}

fn binary_constant<C: Context>(name: Constant, x: &TowerArrow<C>, y: &TowerArrow<C>) -> Option<TowerArrow<C>> {
    let pair = || x.cloned_tower()?.pair(&y.cloned_tower()?);
    let linear = |map: fn(usize) -> LinearMap| pair().and_then(|pair| pair.then_linear(&map(pair.outputs() / 2)));
    let then = |f: Tower<C>| pair().and_then(|pair| pair.then(&f));
    let tower = match name {
        Constant::Add => linear(LinearMap::sum),
        Constant::Subtract => linear(LinearMap::difference),
        Constant::Multiply => then(product()),
        Constant::Divide => then(quotient()),
        Constant::Max => then(kink::maximum()),
        Constant::Min => then(kink::minimum()),
        Constant::Power => constant_power(x, y),
        Constant::RealPower => real_power(x, y),
        Constant::NaturalPower => natural_power(x, y)?,
        Constant::Planar(f) => then(elementary::planar_tower(f)),
        Constant::Polygamma => {
            let f = Function::polygamma(x.constant.as_ref()?.numer().to_u64()?)?;
            // the order is a literal after reduction; otherwise the constant is not supported
            y.cloned_tower().and_then(|y| y.then(&elementary::elementary_tower(f)))
        }
        _ => return None,
    };
    Some(tower.into())
}

/// Returns x^q (S74): a rational power for an exponent of moderate size, otherwise exp(q·log x).
fn constant_power<C: Context>(x: &TowerArrow<C>, y: &TowerArrow<C>) -> Result<Tower<C>> {
    let exponent = y.constant.as_ref().and_then(|q| {
        let p = q.numer().to_i64().filter(|p| p.unsigned_abs() <= LARGEST_EXPONENT)?;
        Some((p, q.denom().to_u32().filter(|&q| u64::from(q) <= LARGEST_EXPONENT)?))
    });
    match exponent {
        Some((p, q)) => x.cloned_tower()?.then(&power(p, q)),
        None => real_power(x, y),
    }
}

/// Returns exp(y·log x).
fn real_power<C: Context>(x: &TowerArrow<C>, y: &TowerArrow<C>) -> Result<Tower<C>> {
    let log = x.cloned_tower()?.then(&elementary::elementary_tower(Function::Log))?;
    y.cloned_tower()?.pair(&log)?.then(&product())?.then(&elementary::elementary_tower(Function::Exp))
}

/// Returns the product of n factors x. [Reduction](crate::model::reduce) must have made n a literal; otherwise the result is
/// `None`.
fn natural_power<C: Context>(x: &TowerArrow<C>, n: &TowerArrow<C>) -> Option<Result<Tower<C>>> {
    let n = n.constant.as_ref()?.numer().to_u64()?;
    let of = |p: u64| x.cloned_tower()?.then(&power(p as i64, 1));
    let (whole, rest) = (n / LARGEST_EXPONENT, n % LARGEST_EXPONENT);
    Some(match whole {
        0 => of(rest),
        // in base LARGEST_EXPONENT, by Horner's rule, as in `RealArithmetic::natural_power`
        _ => of(LARGEST_EXPONENT).and_then(|large| {
            let large = TowerArrow::from(Ok(large));
            let whole = TowerArrow { constant: Some(whole.into()), ..large.clone() };
            natural_power(&large, &whole).unwrap_or_else(|| large.cloned_tower())?.pair(&of(rest)?)?.then(&product())
        }),
    })
}
