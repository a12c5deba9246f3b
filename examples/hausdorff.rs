//! Shapes as maximizers, and the distance between them (S §7.3, Fig. 10), written in Rust.
//!
//! `cargo run --release --example hausdorff`. Beside it: `theories/maximizer.theory`.

use smoothish::host::prelude::*;

/// ℜ²
pub type R2 = HList![Real, Real];
/// `type Maximizer A = (A → ℜ) → ℜ`
pub type Maximizer<A> = fn(fn(A) -> Real) -> Real;

/// The shape of one point.
pub fn point<A: Type>(x: impl IntoExpr<A>) -> Expr<Maximizer<A>> {
    let x = x.into_expr();
    lam(|f: Expr<fn(A) -> Real>| f.apply(&x))
}

/// The union of a shape of shapes.
pub fn indexed_union<A: Type, B: Type>(
    ka: impl IntoExpr<Maximizer<A>>,
    kb: impl IntoExpr<fn(A) -> Maximizer<B>>,
) -> Expr<Maximizer<B>> {
    let (ka, kb) = (ka.into_expr(), kb.into_expr());
    lam(|f: Expr<fn(B) -> Real>| ka.apply(lam(|a: Expr<A>| kb.apply(a).apply(&f))))
}

/// What lies in one shape or the other.
pub fn union<A: Type>(k1: impl IntoExpr<Maximizer<A>>, k2: impl IntoExpr<Maximizer<A>>) -> Expr<Maximizer<A>> {
    let (k1, k2) = (k1.into_expr(), k2.into_expr());
    lam(|f: Expr<fn(A) -> Real>| max(k1.apply(&f), k2.apply(&f)))
}

/// The image of a shape.
pub fn map<A: Type, B: Type>(g: impl IntoExpr<fn(A) -> B>, k: impl IntoExpr<Maximizer<A>>) -> Expr<Maximizer<B>> {
    let (g, k) = (g.into_expr(), k.into_expr());
    lam(|f: Expr<fn(B) -> Real>| k.apply(lam(|a: Expr<A>| f.apply(g.apply(a)))))
}

/// The greatest value of a function on a shape.
pub fn sup<A: Type>(k: impl IntoExpr<Maximizer<A>>, f: impl IntoExpr<fn(A) -> Real>) -> Expr<Real> {
    k.into_expr().apply(f)
}

/// The smallest.
pub fn inf<A: Type>(k: impl IntoExpr<Maximizer<A>>, f: impl IntoExpr<fn(A) -> Real>) -> Expr<Real> {
    let f = f.into_expr();
    -k.into_expr().apply(lam(|x: Expr<A>| -f.apply(x)))
}

/// How far the shapes are from covering each other.
pub fn hausdorff_dist<A: Type>(
    d: impl IntoExpr<fn(A) -> fn(A) -> Real>,
    k1: impl IntoExpr<Maximizer<A>>,
    k2: impl IntoExpr<Maximizer<A>>,
) -> Expr<Real> {
    let (d, k1, k2) = (d.into_expr(), k1.into_expr(), k2.into_expr());
    max(
        sup(&k1, lam(|x1: Expr<A>| inf(&k2, lam(|x2: Expr<A>| d.apply(&x1).apply(x2))))),
        sup(&k2, lam(|x2: Expr<A>| inf(&k1, lam(|x1: Expr<A>| d.apply(x1).apply(&x2))))),
    )
}

/// [0, 1]
#[must_use]
pub fn unit_interval() -> Expr<Maximizer<Real>> {
    lam(max01)
}

/// The quarter of the unit circle round (0, y) that lies in the first quadrant above its centre.
pub fn quarter_circle(y: impl IntoExpr<Real>) -> Expr<Maximizer<R2>> {
    let y = y.into_expr();
    let at = lam(|theta: Expr<Real>| (cos(pi() / 2 * &theta), sin(pi() / 2 * &theta) + &y).into_expr());
    map(at, unit_interval())
}

/// The upper and the right side of the unit square.
#[must_use]
pub fn l_shape() -> Expr<Maximizer<R2>> {
    let upper = map(lam(|x: Expr<Real>| (x, 1).into_expr()), unit_interval());
    let right = map(lam(|y: Expr<Real>| (1, y).into_expr()), unit_interval());
    union(upper, right)
}

/// The distance of two points of the plane.
pub fn r2_dist(a: impl IntoExpr<R2>, b: impl IntoExpr<R2>) -> Expr<Real> {
    let hlist_pat![a0, a1] = a.into_expr().parts();
    let hlist_pat![b0, b1] = b.into_expr().parts();
    sqrt((a0 - b0).pow(2) + (a1 - b1).pow(2))
}

/// Prints the distance of the two shapes of S §7.3, and how it changes.
///
/// # Errors
/// [`EdslError`]
pub fn main() -> Result<(), EdslError> {
    let distance = lam(|y: Expr<Real>| hausdorff_dist(lam2(r2_dist), l_shape(), quarter_circle(y)));
    println!("distance, √2 - 1: {}", distance.apply(0).enclose(1e-9)?.enclosure);
    println!("its slope as the circle moves up, -1/√2: {}", deriv(distance).apply(0).enclose(1e-9)?.enclosure);
    Ok(())
}
