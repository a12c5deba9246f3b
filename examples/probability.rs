//! Measures as integrals, and derivatives of what depends on them (S §7.1, Fig. 8), written in Rust.
//!
//! `cargo run --release --example probability`. Beside it: `theories/integral.theory`.

use smoothish::host::prelude::*;

/// `type Integral A = (A → ℜ) → ℜ`
pub type Integral<A> = fn(fn(A) -> Real) -> Real;

/// The measure of mass 1 at a point.
pub fn dirac<A: Type>(x: impl IntoExpr<A>) -> Expr<Integral<A>> {
    let x = x.into_expr();
    lam(|f: Expr<fn(A) -> Real>| f.apply(&x))
}

/// A measure whose points are measures, put together.
pub fn bind<A: Type, B: Type>(
    x: impl IntoExpr<Integral<A>>,
    f: impl IntoExpr<fn(A) -> Integral<B>>,
) -> Expr<Integral<B>> {
    let (x, f) = (x.into_expr(), f.into_expr());
    lam(|k: Expr<fn(B) -> Real>| x.apply(lam(|a: Expr<A>| f.apply(a).apply(&k))))
}

/// The measure of mass 0.
#[must_use]
pub fn zero<A: Type>() -> Expr<Integral<A>> {
    lam(|_| 0.into_expr())
}

/// The sum of two measures.
pub fn add<A: Type>(x: impl IntoExpr<Integral<A>>, y: impl IntoExpr<Integral<A>>) -> Expr<Integral<A>> {
    let (x, y) = (x.into_expr(), y.into_expr());
    lam(|f: Expr<fn(A) -> Real>| x.apply(&f) + y.apply(&f))
}

/// The image of a measure.
pub fn map<A: Type, B: Type>(f: impl IntoExpr<fn(A) -> B>, e: impl IntoExpr<Integral<A>>) -> Expr<Integral<B>> {
    let (f, e) = (f.into_expr(), e.into_expr());
    lam(|k: Expr<fn(B) -> Real>| e.apply(lam(|x: Expr<A>| k.apply(f.apply(x)))))
}

/// The measure of mass x on one point.
pub fn factor(x: impl IntoExpr<Real>) -> Expr<Integral<HNil>> {
    let x = x.into_expr();
    lam(|f: Expr<fn(HNil) -> Real>| f.apply(()) * &x)
}

/// A measure scaled to mass 1; undefined for mass 0.
pub fn meas_to_prob<A: Type>(e: impl IntoExpr<Integral<A>>) -> Expr<Integral<A>> {
    let e = e.into_expr();
    lam(|f: Expr<fn(A) -> Real>| e.apply(f) / total_mass(&e))
}

/// A coin that shows `tt` with probability p.
pub fn bernoulli(p: impl IntoExpr<Real>) -> Expr<Integral<Bool>> {
    let p = p.into_expr();
    lam(|f: Expr<fn(Bool) -> Real>| &p * f.apply(true) + (1 - &p) * f.apply(false))
}

/// On [0, 1].
#[must_use]
pub fn uniform() -> Expr<Integral<Real>> {
    lam(integral01)
}

/// The integral of 1.
pub fn total_mass<A: Type>(mu: impl IntoExpr<Integral<A>>) -> Expr<Real> {
    mu.into_expr().apply(lam(|_| 1.into_expr()))
}

/// The integral of x.
pub fn mean(mu: impl IntoExpr<Integral<Real>>) -> Expr<Real> {
    mu.into_expr().apply(lam(|x| x))
}

/// The integral of (x - mean)².
pub fn variance(mu: impl IntoExpr<Integral<Real>>) -> Expr<Real> {
    let mu = mu.into_expr();
    mu.apply(lam(|x: Expr<Real>| (x - mean(&mu)).pow(2)))
}

/// Makes 1 more likely, 0 less likely, and ½ as likely as before.
#[must_use]
pub fn change() -> Expr<Integral<Real>> {
    lam(|f: Expr<fn(Real) -> Real>| integral01(lam(|x: Expr<Real>| (&x - real!(1 / 2)) * f.apply(&x))))
}

/// The derivative of a functional f at x along dx (S §5.3).
pub fn der<A: Type>(
    f: impl IntoExpr<fn(fn(A) -> Real) -> Real>,
    x: impl IntoExpr<fn(A) -> Real>,
    dx: impl IntoExpr<fn(A) -> Real>,
) -> Expr<Real> {
    snd(tangent_r().to(tangent(f, tangent_to_r().from((x, dx)))))
}

/// Prints how mean and variance change with the measure.
///
/// # Errors
/// [`EdslError`]
pub fn main() -> Result<(), EdslError> {
    for (what, program) in [
        ("variance of the uniform measure, 1/12", variance(uniform())),
        ("how the mean changes, 1/12", der(lam(mean), uniform(), change())),
        ("how the variance changes, 0", der(lam(variance), uniform(), change())),
        ("d/dp of a bet on a coin, 5 - 2", {
            let bet = lam(|b: Expr<Bool>| cond(b, 5, 2));
            deriv(lam(|p| bernoulli(p).apply(&bet))).apply(real!(0.3))
        }),
    ] {
        println!("{what}: {}", program.enclose(1e-9)?.enclosure);
    }
    Ok(())
}
