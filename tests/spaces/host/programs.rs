//! The programs of S §2 and §7 in Rust have the same normal forms as those of the theories.

use smoothish::host::prelude::*;
use smoothish::syntax::library::Library;
use smoothish::syntax::normal;
use smoothish::theory::builtin;

#[path = "../../../examples/hausdorff.rs"]
mod hausdorff;
#[path = "../../../examples/probability.rs"]
mod probability;
#[path = "../../../examples/ray_tracer.rs"]
mod ray_tracer;
#[path = "../../../examples/roots.rs"]
mod roots;
#[path = "../../../examples/smooth_bool.rs"]
mod smooth_bool;

type R2 = HList![Real, Real];

fn library() -> Library {
    builtin::library()
}

/// Compares a program of Rust with a definition; answers whether they have one normal form.
fn same<A: Type>(library: &Library, program: &Expr<A>, definition: &str) -> bool {
    let defined = parse::<A>(library, definition).unwrap_or_else(|error| panic!("{error}"));
    let (left, right) = (program.to_term().expect("closed"), defined.to_term().expect("closed"));
    normal::beta_eta_equal(&left, &right).unwrap_or_else(|error| panic!("{definition}: {error}"))
}

macro_rules! all_same {
    ($($definition:literal = $program:expr => $ty:ty;)*) => {{
        let library = library();
        $({
            let program: Expr<$ty> = $program;
            assert!(same(&library, &program, $definition), "{}: {program}", $definition);
        })*
    }};
}

#[test]
fn surfaces() {
    use ray_tracer::*;
    all_same! {
        "dot" = lam2(dot) => fn(R2) -> fn(R2) -> Real;
        "scale" = lam2(scale) => fn(Real) -> fn(R2) -> R2;
        "norm2" = lam(norm2) => fn(R2) -> Real;
        "normalize" = lam(normalize) => fn(R2) -> R2;
        "gradient" = lam2(gradient) => fn(fn(R2) -> Real) -> fn(R2) -> R2;
        "circle" = lam2(circle) => fn(R2) -> fn(Real) -> Surface<R2>;
        "halfplane" = lam(halfplane) => fn(R2) -> Surface<R2>;
        "Surface.union" = lam2(union) => fn(Surface<R2>) -> fn(Surface<R2>) -> Surface<R2>;
        "Surface.intersection" = lam2(intersection) => fn(Surface<Real>) -> fn(Surface<Real>) -> Surface<Real>;
        "Surface.complement" = lam(complement) => fn(Surface<R2>) -> Surface<R2>;
        "raytrace" = lam3(raytrace) => fn(Surface<R2>) -> fn(R2) -> fn(R2) -> Real;
        "lit" = lam(lit) => fn(Real) -> Real;
        "brightness" = lam(brightness) => fn(Real) -> Real;
    }
}

#[test]
fn second_order() {
    use roots::*;
    all_same! {
        "cuberoot" = lam(cuberoot) => fn(Real) -> Real;
        "squareRoot" = lam(square_root) => fn(Real) -> Real;
        "cubicRoot" = lam(cubic_root) => fn(Real) -> Real;
        "tStar" = lam(t_star) => fn(Real) -> Real;
        "clamped" = lam(clamped) => fn(Real) -> Real;
        "integral" = lam3(integral) => fn(Real) -> fn(Real) -> fn(fn(Real) -> Real) -> Real;
    }
}

#[test]
fn integrals() {
    use probability::*;
    all_same! {
        "dirac" = lam(dirac) => fn(R2) -> Integral<R2>;
        "bind" = lam2(bind) => fn(Integral<Real>) -> fn(fn(Real) -> Integral<Bool>) -> Integral<Bool>;
        "zero" = zero() => Integral<Bool>;
        "add" = lam2(add) => fn(Integral<Real>) -> fn(Integral<Real>) -> Integral<Real>;
        "Integral.map" = lam2(map) => fn(fn(Real) -> R2) -> fn(Integral<Real>) -> Integral<R2>;
        "factor" = lam(factor) => fn(Real) -> Integral<HNil>;
        "measToProb" = lam(meas_to_prob) => fn(Integral<Real>) -> Integral<Real>;
        "bernoulli" = lam(bernoulli) => fn(Real) -> Integral<Bool>;
        "Integral.uniform" = uniform() => Integral<Real>;
        "total_mass" = lam(total_mass) => fn(Integral<HNil>) -> Real;
        "mean" = lam(mean) => fn(Integral<Real>) -> Real;
        "variance" = lam(variance) => fn(Integral<Real>) -> Real;
        "change" = change() => Integral<Real>;
        "der" = lam3(der) => fn(fn(fn(R2) -> Real) -> Real) -> fn(fn(R2) -> Real) -> fn(fn(R2) -> Real) -> Real;
    }
}

#[test]
fn smooth_truth_values() {
    use smooth_bool::*;
    all_same! {
        "and" = lam2(and) => fn(SmoothBool) -> fn(SmoothBool) -> SmoothBool;
        "or" = lam2(or) => fn(SmoothBool) -> fn(SmoothBool) -> SmoothBool;
        "neg" = lam(neg) => fn(SmoothBool) -> SmoothBool;
        "implies" = lam2(implies) => fn(SmoothBool) -> fn(SmoothBool) -> SmoothBool;
        "less" = lam2(less) => fn(Real) -> fn(Real) -> SmoothBool;
        "forall01" = lam(forall01) => fn(fn(Real) -> SmoothBool) -> SmoothBool;
        "exists01" = lam(exists01) => fn(fn(Real) -> SmoothBool) -> SmoothBool;
    }
}

#[test]
fn shapes() {
    use hausdorff::*;
    all_same! {
        "point" = lam(point) => fn(R2) -> Maximizer<R2>;
        "indexedUnion" = lam2(indexed_union) => fn(Maximizer<Real>) -> fn(fn(Real) -> Maximizer<R2>) -> Maximizer<R2>;
        "Maximizer.union" = lam2(union) => fn(Maximizer<R2>) -> fn(Maximizer<R2>) -> Maximizer<R2>;
        "Maximizer.map" = lam2(map) => fn(fn(Real) -> R2) -> fn(Maximizer<Real>) -> Maximizer<R2>;
        "sup" = lam2(sup) => fn(Maximizer<Real>) -> fn(fn(Real) -> Real) -> Real;
        "inf" = lam2(inf) => fn(Maximizer<R2>) -> fn(fn(R2) -> Real) -> Real;
        "hausdorffDist" = lam3(hausdorff_dist)
            => fn(fn(R2) -> fn(R2) -> Real) -> fn(Maximizer<R2>) -> fn(Maximizer<R2>) -> Real;
        "unitInterval" = unit_interval() => Maximizer<Real>;
        "quarterCircle" = lam(quarter_circle) => fn(Real) -> Maximizer<R2>;
        "lShape" = l_shape() => Maximizer<R2>;
        "R2Dist" = lam2(r2_dist) => fn(R2) -> fn(R2) -> Real;
    }
}

/// A wrong program is told apart: the gradient with its components swapped (E1).
#[test]
fn a_swapped_gradient_has_another_normal_form() {
    let swapped = lam2(|f: Expr<fn(R2) -> Real>, x: Expr<R2>| {
        let hlist_pat![a, b] = ray_tracer::gradient(f, x).parts();
        (b, a).into_expr()
    });
    assert!(!same(&library(), &swapped, "gradient"));
    assert!(same(&library(), &lam2(ray_tracer::gradient), "gradient"));
}

#[test]
fn what_the_programs_print_is_true() {
    ray_tracer::main().expect("answers");
    roots::main().expect("answers");
    probability::main().expect("answers");
    smooth_bool::main().expect("answers");
    hausdorff::main().expect("answers");
    // 1.58183571413877542…: E1
    let ray = ray_tracer::lit(real!(-3 / 4)).enclose(1e-9).expect("an answer");
    assert!(
        ray.reached && ray.enclosure.contains(&decimal::parse("1.58183571413877542").expect("a decimal")),
        "{ray:?}"
    );
    // 1/3 - 1/4
    let variance = probability::variance(probability::uniform()).enclose(1e-9).expect("an answer");
    assert!(variance.reached && variance.enclosure.contains(&(1, 12).into()));
}
