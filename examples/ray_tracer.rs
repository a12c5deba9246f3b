//! The ray tracer of S §2 and §7.2, written in Rust: implicit surfaces, and light that bounces off them.
//!
//! `cargo run --release --example ray_tracer`. Beside it: `theories/surface.theory`, of which every definition here has the
//! same normal form (`tests/spaces/host`).

use smoothish::host::prelude::*;

/// ℜ²
pub type R2 = HList![Real, Real];
/// `type Surface A = A → ℜ`: positive inside, negative outside.
pub type Surface<A> = fn(A) -> Real;

/// The product of two vectors.
pub fn dot(x: impl IntoExpr<R2>, y: impl IntoExpr<R2>) -> Expr<Real> {
    let hlist_pat![x0, x1] = x.into_expr().parts();
    let hlist_pat![y0, y1] = y.into_expr().parts();
    x0 * y0 + x1 * y1
}

/// A number times a vector.
pub fn scale(c: impl IntoExpr<Real>, x: impl IntoExpr<R2>) -> Expr<R2> {
    let c = c.into_expr();
    let hlist_pat![x0, x1] = x.into_expr().parts();
    (&c * x0, &c * x1).into_expr()
}

/// The square of the length.
pub fn norm2(x: impl IntoExpr<R2>) -> Expr<Real> {
    let x = x.into_expr();
    dot(&x, &x)
}

/// The vector of length 1 in the same direction.
pub fn normalize(x: impl IntoExpr<R2>) -> Expr<R2> {
    let x = x.into_expr();
    scale(1 / sqrt(norm2(&x)), x)
}

/// The partial derivatives, in the order of the coordinates (Fig. 1b has them one by one).
pub fn gradient(f: impl IntoExpr<fn(R2) -> Real>, x: impl IntoExpr<R2>) -> Expr<R2> {
    rd(f, x, 1)
}

/// The disc round a point.
pub fn circle(c: impl IntoExpr<R2>, r: impl IntoExpr<Real>) -> Expr<Surface<R2>> {
    let hlist_pat![c0, c1] = c.into_expr().parts();
    let r = r.into_expr();
    lam(|x: Expr<R2>| {
        let hlist_pat![x0, x1] = x.parts();
        r.pow(2) - (x0 - &c0).pow(2) - (x1 - &c1).pow(2)
    })
}

/// What lies on one side of a line through the origin.
pub fn halfplane(normal: impl IntoExpr<R2>) -> Expr<Surface<R2>> {
    let normal = normal.into_expr();
    lam(|x: Expr<R2>| dot(&normal, x))
}

/// What lies in one surface or the other.
pub fn union<A: Type>(s: impl IntoExpr<Surface<A>>, t: impl IntoExpr<Surface<A>>) -> Expr<Surface<A>> {
    let (s, t) = (s.into_expr(), t.into_expr());
    lam(|x: Expr<A>| max(s.apply(&x), t.apply(&x)))
}

/// What lies in both.
pub fn intersection<A: Type>(s: impl IntoExpr<Surface<A>>, t: impl IntoExpr<Surface<A>>) -> Expr<Surface<A>> {
    let (s, t) = (s.into_expr(), t.into_expr());
    lam(|x: Expr<A>| min(s.apply(&x), t.apply(&x)))
}

/// What lies outside.
pub fn complement<A: Type>(s: impl IntoExpr<Surface<A>>) -> Expr<Surface<A>> {
    let s = s.into_expr();
    lam(|x: Expr<A>| -s.apply(x))
}

/// The brightness of a surface, seen from the origin in some direction, lit by a lamp at a point (Fig. 1c, two signs mended).
pub fn raytrace(
    s: impl IntoExpr<Surface<R2>>,
    light_pos: impl IntoExpr<R2>,
    ray_direction: impl IntoExpr<R2>,
) -> Expr<Real> {
    let (s, light_pos, ray_direction) = (s.into_expr(), light_pos.into_expr(), ray_direction.into_expr());
    let t_star = first_root(lam(|t: Expr<Real>| -s.apply(scale(t, &ray_direction))));
    let y = scale(t_star, ray_direction);
    let normal = -gradient(s, &y);
    let light_to_surf = light_pos - &y;
    max(0, dot(normalize(normal), normalize(&light_to_surf))) / (norm2(y) * norm2(light_to_surf))
}

/// The circle of radius 1 round (1, y), lit from (1, 1), seen along the first axis.
pub fn lit(y: impl IntoExpr<Real>) -> Expr<Real> {
    raytrace(circle((1, y), 1), (1, 1), (1, 0))
}

/// The brightness of a flat surface at height y, lit by a line of light (S §2.3).
pub fn brightness(y: impl IntoExpr<Real>) -> Expr<Real> {
    let y = y.into_expr();
    integral01(lam(|y0: Expr<Real>| max(0, (&y0 - &y) / sqrt(1 + (&y0 - &y).pow(2)))))
}

/// Prints the numbers of S §2.
///
/// # Errors
/// [`EdslError`]
pub fn main() -> Result<(), EdslError> {
    for (what, program) in [
        ("brightness of the circle at -3/4", lit(real!(-3 / 4))),
        ("how it changes as the circle moves up", deriv(lam(lit)).apply(real!(-3 / 4))),
        ("brightness of the floor at 1/2", brightness(real!(1 / 2))),
        ("how it changes as the floor moves up", deriv(lam(brightness)).apply(real!(1 / 2))),
    ] {
        println!("{what}: {}", program.enclose(1e-9)?.enclosure);
    }
    Ok(())
}
