//! Truth values that vary smoothly, and quantifiers over [0, 1] (S §2.2, §7.2), written in Rust.
//!
//! `cargo run --release --example smooth_bool`. Beside it: `theories/smooth_bool.theory`.

use smoothish::host::prelude::*;

/// Positive where something is true, negative where it is false.
pub type SmoothBool = Real;

/// Conjunction: the smaller of two truth values.
pub fn and(a: impl IntoExpr<SmoothBool>, b: impl IntoExpr<SmoothBool>) -> Expr<SmoothBool> {
    min(a, b)
}

/// Disjunction: the greater.
pub fn or(a: impl IntoExpr<SmoothBool>, b: impl IntoExpr<SmoothBool>) -> Expr<SmoothBool> {
    max(a, b)
}

/// Negation.
pub fn neg(a: impl IntoExpr<SmoothBool>) -> Expr<SmoothBool> {
    -a.into_expr()
}

/// Implication.
pub fn implies(a: impl IntoExpr<SmoothBool>, b: impl IntoExpr<SmoothBool>) -> Expr<SmoothBool> {
    or(neg(a), b)
}

/// x is less than y, by so much.
pub fn less(x: impl IntoExpr<Real>, y: impl IntoExpr<Real>) -> Expr<SmoothBool> {
    y.into_expr() - x
}

/// For all x in [0, 1].
pub fn forall01(p: impl IntoExpr<fn(Real) -> SmoothBool>) -> Expr<SmoothBool> {
    min01(p)
}

/// For some x in [0, 1].
pub fn exists01(p: impl IntoExpr<fn(Real) -> SmoothBool>) -> Expr<SmoothBool> {
    max01(p)
}

/// Prints some statements, and how true they are.
///
/// # Errors
/// [`EdslError`]
pub fn main() -> Result<(), EdslError> {
    let below = |c: Expr<Real>| forall01(lam(|x: Expr<Real>| less(&c * &x * (1 - &x), 1)));
    println!("∀ x. 2x(1 - x) < 1, by 1/2: {}", below(2.into_expr()).enclose(1e-9)?.enclosure);
    println!("how that changes with the 2, -1/4: {}", deriv(lam(below)).apply(2).enclose(1e-9)?.enclosure);
    let near = |x: &Expr<Real>, y: &Expr<Real>| real!(1 / 10) - abs(x - y);
    let everywhere = forall01(lam(|x: Expr<Real>| exists01(lam(|y| near(&x, &y)))));
    println!("∀ x. ∃ y. |x - y| < 1/10, by 1/10: {}", everywhere.enclose(1e-6)?.enclosure);
    Ok(())
}
