//! Abbreviations of the core language (A §2): `0_T`, `+_T`, `let ⟨x₁, x₂⟩`, `grad` and `fd`.

use super::term::{CoreTerm, CoreTermKind, CoreVariable};
use super::ty::CoreTy;

/// Returns the value `0_T`: `0`, `∗` or `⟨0_T, 0_U⟩`.
#[must_use]
pub fn zero_of_type(ty: &CoreTy) -> CoreTerm {
    match ty {
        CoreTy::Real => CoreTerm::number(0),
        CoreTy::Unit => CoreTerm::unit(),
        CoreTy::Product(parts) => {
            CoreTerm::pair(parts.0.clone(), parts.1.clone(), zero_of_type(&parts.0), zero_of_type(&parts.1))
        }
    }
}

/// Makes `let ⟨x : T, y : U⟩ = M in N`.
#[must_use]
pub fn let_pair([x, y]: [&CoreVariable; 2], [t, u]: [&CoreTy; 2], value: CoreTerm, body: CoreTerm) -> CoreTerm {
    // M is evaluated once, under a variable of its own.
    let z = CoreVariable::fresh(&"z".into());
    let whole = || CoreTerm::variable(&z);
    let second = CoreTermKind::Second(t.clone(), u.clone(), whole()).into();
    let first = CoreTermKind::First(t.clone(), u.clone(), whole()).into();
    let body = CoreTerm::bind(x, t.clone(), first, CoreTerm::bind(y, u.clone(), second, body));
    CoreTerm::bind(&z, CoreTy::product(t.clone(), u.clone()), value, body)
}

/// Applies an operation of two reals in each component, as `M +_T N` does for the sum. At type unit both sides are
/// still evaluated, for their definedness.
#[must_use]
pub fn apply_componentwise(
    ty: &CoreTy,
    left: CoreTerm,
    right: CoreTerm,
    of_reals: &dyn Fn(CoreTerm, CoreTerm) -> CoreTerm,
) -> CoreTerm {
    let fresh = || [(); 2].map(|()| CoreVariable::fresh(&"v".into()));
    match ty {
        CoreTy::Real => of_reals(left, right),
        CoreTy::Unit => {
            let [x, y] = fresh();
            CoreTerm::bind(&x, CoreTy::Unit, left, CoreTerm::bind(&y, CoreTy::Unit, right, CoreTerm::unit()))
        }
        CoreTy::Product(parts) => {
            let (t, u) = &**parts;
            let ([x1, x2], [y1, y2]) = (fresh(), fresh());
            let part = |ty: &CoreTy, x: &CoreVariable, y: &CoreVariable| {
                apply_componentwise(ty, CoreTerm::variable(x), CoreTerm::variable(y), of_reals)
            };
            let pair = CoreTerm::pair(t.clone(), u.clone(), part(t, &x1, &y1), part(u, &x2, &y2));
            let_pair([&x1, &x2], [t, u], left, let_pair([&y1, &y2], [t, u], right, pair))
        }
    }
}

/// Makes `M +_T N`.
#[must_use]
pub fn sum_of_type(ty: &CoreTy, left: CoreTerm, right: CoreTerm) -> CoreTerm {
    apply_componentwise(ty, left, right, &CoreTerm::sum)
}

/// Makes `M.rd_L(x : T. N)`.
#[must_use]
pub fn reverse_derivative(
    cotangent: CoreTerm,
    point: CoreTerm,
    x: &CoreVariable,
    ty: &CoreTy,
    body: CoreTerm,
) -> CoreTerm {
    CoreTermKind::Reverse { cotangent, point, variable: x.clone(), ty: ty.clone(), body }.into()
}

/// Makes `grad_L(x : T. N) = 1.rd_L(x : T. N)`.
#[must_use]
pub fn gradient(point: CoreTerm, x: &CoreVariable, ty: &CoreTy, body: CoreTerm) -> CoreTerm {
    reverse_derivative(CoreTerm::number(1), point, x, ty, body)
}

/// Makes `M.fd_{U,L}(x : T. N) = M.rd_{0_U}(y : U. y.rd_L(x : T. N))`: forward mode is reverse mode of reverse mode,
/// since the inner `rd` is linear in y. The point L is evaluated once, outside.
#[must_use]
pub fn forward_derivative(
    direction: CoreTerm,
    point: CoreTerm,
    x: &CoreVariable,
    [t, u]: [&CoreTy; 2],
    body: CoreTerm,
) -> CoreTerm {
    let (y, at) = (CoreVariable::fresh(&"w".into()), CoreVariable::fresh(x.name()));
    let inner = reverse_derivative(CoreTerm::variable(&y), CoreTerm::variable(&at), x, t, body);
    CoreTerm::bind(&at, t.clone(), point, reverse_derivative(direction, zero_of_type(u), &y, u, inner))
}
