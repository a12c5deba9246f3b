//! Roots as functions of what they depend on (S §1, §2.1, §5.2), written in Rust.
//!
//! `cargo run --release --example roots`. Beside it: `theories/second_order.theory`.

use smoothish::host::prelude::*;

/// The cube root as a root: positive to the left of it, negative to the right.
pub fn cuberoot(x: impl IntoExpr<Real>) -> Expr<Real> {
    let x = x.into_expr();
    cut_root(lam(|q: Expr<Real>| &x - q.pow(3)))
}

/// The square root as a root; the maximum keeps the function positive far to the left.
pub fn square_root(c: impl IntoExpr<Real>) -> Expr<Real> {
    let c = c.into_expr();
    cut_root(lam(|x: Expr<Real>| max(-&x, &c - x.pow(2))))
}

/// The root of a - x - x³, a cubic that decreases everywhere.
pub fn cubic_root(a: impl IntoExpr<Real>) -> Expr<Real> {
    let a = a.into_expr();
    cut_root(lam(|x: Expr<Real>| &a - &x - x.pow(3)))
}

/// How far light travels to the unit circle round (1, y).
pub fn t_star(y: impl IntoExpr<Real>) -> Expr<Real> {
    let y = y.into_expr();
    first_root(lam(|t: Expr<Real>| (t - 1).pow(2) + y.pow(2) - 1))
}

/// The root, kept within [0, 1].
pub fn clamped(c: impl IntoExpr<Real>) -> Expr<Real> {
    let c = c.into_expr();
    first_root(lam(|x: Expr<Real>| &c - x))
}

/// The integral over [a, b], by substitution.
pub fn integral(a: impl IntoExpr<Real>, b: impl IntoExpr<Real>, f: impl IntoExpr<fn(Real) -> Real>) -> Expr<Real> {
    let (a, b, f) = (a.into_expr(), b.into_expr(), f.into_expr());
    let width = &b - &a;
    &width * integral01(lam(|x: Expr<Real>| f.apply(&a + &width * x)))
}

/// Prints some roots and their derivatives.
///
/// # Errors
/// [`EdslError`]
pub fn main() -> Result<(), EdslError> {
    let second = deriv(deriv(lam(cuberoot)));
    println!("(³√)'' at 8, -1/144: {}", second.apply(8).enclose(1e-9)?.enclosure);
    println!(
        "the derivative of the travel of light at -3/4: {}",
        deriv(lam(t_star)).apply(real!(-0.75)).enclose(1e-9)?.enclosure
    );
    println!("the kink of a clamped root: {}", deriv(lam(clamped)).apply(1).enclose(1e-9)?.enclosure);
    println!("∫ from 1 to 2 of 1/x, log 2: {}", integral(1, 2, lam(|x| 1 / x)).enclose(1e-9)?.enclosure);
    Ok(())
}
