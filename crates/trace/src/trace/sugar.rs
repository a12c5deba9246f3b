//! Abbreviations of the core language (A §2): `0_T`, `+_T`, `let ⟨x₁, x₂⟩`, `grad` and `fd`.

use super::term::{Term, TermKind, Variable};
use super::ty::Ty;

/// Returns the value `0_T`: `0`, `∗` or `⟨0_T, 0_U⟩`.
#[must_use]
pub fn zero(ty: &Ty) -> Term {
    match ty {
        Ty::Real => Term::number(0),
        Ty::Unit => Term::unit(),
        Ty::Product(parts) => Term::pair(parts.0.clone(), parts.1.clone(), zero(&parts.0), zero(&parts.1)),
    }
}

/// Makes `let ⟨x : T, y : U⟩ = M in N`.
#[must_use]
pub fn let_pair([x, y]: [&Variable; 2], [t, u]: [&Ty; 2], value: Term, body: Term) -> Term {
    // M is evaluated once, under a variable of its own.
    let z = Variable::fresh(&"z".into());
    let whole = || Term::variable(&z);
    let second = TermKind::Second(t.clone(), u.clone(), whole()).into();
    let first = TermKind::First(t.clone(), u.clone(), whole()).into();
    let body = Term::bind(x, t.clone(), first, Term::bind(y, u.clone(), second, body));
    Term::bind(&z, Ty::product(t.clone(), u.clone()), value, body)
}

/// Applies an operation of two reals in each component, as `M +_T N` does for the sum. At type unit both sides are
/// still evaluated, for their definedness.
#[must_use]
pub fn componentwise(ty: &Ty, left: Term, right: Term, of_reals: &dyn Fn(Term, Term) -> Term) -> Term {
    let fresh = || [(); 2].map(|()| Variable::fresh(&"v".into()));
    match ty {
        Ty::Real => of_reals(left, right),
        Ty::Unit => {
            let [x, y] = fresh();
            Term::bind(&x, Ty::Unit, left, Term::bind(&y, Ty::Unit, right, Term::unit()))
        }
        Ty::Product(parts) => {
            let (t, u) = &**parts;
            let ([x1, x2], [y1, y2]) = (fresh(), fresh());
            let part =
                |ty: &Ty, x: &Variable, y: &Variable| componentwise(ty, Term::variable(x), Term::variable(y), of_reals);
            let pair = Term::pair(t.clone(), u.clone(), part(t, &x1, &y1), part(u, &x2, &y2));
            let_pair([&x1, &x2], [t, u], left, let_pair([&y1, &y2], [t, u], right, pair))
        }
    }
}

/// Makes `M +_T N`.
#[must_use]
pub fn sum(ty: &Ty, left: Term, right: Term) -> Term {
    componentwise(ty, left, right, &Term::sum)
}

/// Makes `M.rd_L(x : T. N)`.
#[must_use]
pub fn reverse(cotangent: Term, point: Term, x: &Variable, ty: &Ty, body: Term) -> Term {
    TermKind::Reverse { cotangent, point, variable: x.clone(), ty: ty.clone(), body }.into()
}

/// Makes `grad_L(x : T. N) = 1.rd_L(x : T. N)`.
#[must_use]
pub fn gradient(point: Term, x: &Variable, ty: &Ty, body: Term) -> Term {
    reverse(Term::number(1), point, x, ty, body)
}

/// Makes `M.fd_{U,L}(x : T. N) = M.rd_{0_U}(y : U. y.rd_L(x : T. N))`: forward mode is reverse mode of reverse mode,
/// since the inner `rd` is linear in y. The point L is evaluated once, outside.
#[must_use]
pub fn forward(direction: Term, point: Term, x: &Variable, [t, u]: [&Ty; 2], body: Term) -> Term {
    let (y, at) = (Variable::fresh(&"w".into()), Variable::fresh(x.name()));
    let inner = reverse(Term::variable(&y), Term::variable(&at), x, t, body);
    Term::bind(&at, t.clone(), point, reverse(direction, zero(u), &y, u, inner))
}
