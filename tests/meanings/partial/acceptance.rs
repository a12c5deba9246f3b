//! Programs with values that were found in other ways: closed forms, or the same program in exact arithmetic elsewhere.

use super::*;

const OMEGA: &str = "let rec w (x : Real) : Real = w x in";

/// A19 and A20: a derivative inside of a derivative, where x is not what the inner one varies.
#[test]
fn perturbations_are_not_confused() {
    is(r"rd (\x => x * rd (\y => x + y) 1 1) 1 1", "1");
    is(r"let rec f (x : Real) : Real = rd (\y => x + y) 1 1 in rd (\x => x + f x) 1 1", "1");
    // D (x ↦ x · D (y ↦ x y)) at 4: x², so 8
    is(r"rd (\x => x * rd (\y => x * y) 1 1) 4 1", "8");
    // functions of functions: D (x ↦ (D (y ↦ h (x + y)) 0)) at 0 is h″(0)
    is(
        r"let shift (u : Real) (f : Real -> Real) (x : Real) : Real = f (x + u) in
         deriv (\x => deriv (\u => shift u (\z => z^3 + z^2) x) 0) 0",
        "2",
    );
}

/// A31 and A45: `relu` is a partial function.
#[test]
fn relu_has_no_slope_at_0() {
    for (at, expected) in [("1", "1"), ("-1", "0"), ("0", "boundary")] {
        is(&format!(r"rd (\x => if x < 0 then 0 else x) ({at}) 1"), expected);
    }
    is("let x = 0 in if x < 0 then x else x", "boundary");
    // A44: the identity, by cases
    is(r"(\x => if x < 0 then x else x) 0", "boundary");
}

#[test]
fn a_conditional_looks_at_one_branch() {
    is(&format!(r"{OMEGA} rd (\x => if x < 0 then w x else x * x) 3 1"), "6");
    is(&format!(r"{OMEGA} rd (\x => if x < 0 then w x else x * x) (-3) 1"), "fuel");
}

/// By value: what is not used is evaluated all the same. X10.
#[test]
fn everything_is_strict() {
    for (text, expected) in [
        ("let y = 1 / 0 in 3".to_owned(), "domain"),
        ("snd (1 / 0, 3)".to_owned(), "domain"),
        (r"(\(y : Real) => 3) (1 / 0)".to_owned(), "domain"),
        ("fold (\\x s => s) 0 (1 / 0 :: [])".to_owned(), "domain"),
        ("match 1 / 0 :: [] with [] => 0 | x :: xs => 1".to_owned(), "domain"),
        ("0 * (1 / 0)".to_owned(), "domain"),
        (format!("{OMEGA} snd (w 1, 3)"), "fuel"),
        (r"rd (\x => let y = 1 / x in 3) 0 1".to_owned(), "domain"),
        (r"rd (\x => let y = 1 / x in 3) 1 1".to_owned(), "0"),
        (r"rd (\x => 1 / x) 0 0".to_owned(), "domain"),
        (r"rd (\x => 1 / x) 2 0".to_owned(), "0"),
        (format!("{OMEGA} let q = w 1 in ()"), "fuel"),
    ] {
        is(&text, expected);
    }
    encloses("let y = log (-1) in 3", "domain");
    encloses(r"rd (\x => let y = log x in 3) (-1) 1", "domain");
    encloses(r"rd (\x => let y = log x in 3) 1 1", "0");
}

const POW: &str = "let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in";

#[test]
fn powers_by_a_counter() {
    is(&format!("{POW} pow (3, 4)"), "81");
    is(&format!("{POW} rd pow (3, 4) 1"), "(108, 0)");
    is(&format!("{POW} rd pow (3, 5/2) 1"), "boundary");
    // ∂²/∂x² x⁴ = 12 x²
    is(&format!(r"{POW} rd (\x => fst (rd pow (x, 4) 1)) 3 1"), "108");
}

/// A42 and A43: approximants, and where the first of them is defined.
#[test]
fn the_least_fuel_is_exact() {
    for (text, least, value) in [
        (format!("{POW} pow (3, 4)"), 5, "81"),
        ("let rec f (x : Real) : Real = f x in 3".to_owned(), 0, "3"),
        ("let rec f (x : Real) : Real = x in f 3".to_owned(), 1, "3"),
        ("let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in rd f 2 1".to_owned(), 3, "32"),
    ] {
        for n in 0..8 {
            assert_eq!(exactly(&text, Some(n)), if n < least { "fuel" } else { value }, "{text}, n = {n}");
        }
    }
}

/// A6: a function that is defined by its own derivative.
#[test]
fn a_function_of_its_own_derivative() {
    let f = "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in";
    for (at, value) in
        [("1/2", "1/4"), ("3/2", "3/2"), ("5/2", "10"), ("7/2", "49"), ("1", "boundary"), ("2", "boundary")]
    {
        is(&format!("{f} f ({at})"), value);
    }
    is(&format!("{f} rd f (7/2) 1"), "42");
}

#[test]
fn a_variable_that_is_used_twice() {
    // x⁴ + x² has the slope 4 x³ + 2 x
    is(r"rd (\x => let y = x * x in y * y + y) 3 1", "114");
}

/// A26: forward mode is reverse mode of reverse mode; (y dx + x dy, 2 x dx).
#[test]
fn forward_mode() {
    is(r"jvp (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)", "(29, 20)");
    is(
        r"let fd f x v = rd (\w => rd f x w) (0, 0) v in fd (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)",
        "(29, 20)",
    );
}

/// A34: the derivative of a loop is the loop of derivatives. Σ xᵏ for k < 10 at ½, and Σ k xᵏ⁻¹.
#[test]
fn a_geometric_series() {
    let s = "let rec s (p : Real * Real) : Real = if p[1] < 1/1000 then 0 else p[1] + s (p[0], p[0] * p[1]) in";
    is(&format!("{s} s (1/2, 1)"), "1023/512");
    is(&format!(r"{s} rd (\x => s (x, 1)) (1/2) 1"), "1013/256");
    // the loop of derivatives, written out: tₖ′ = tₖ₋₁ + x tₖ₋₁′
    let ds = "let rec ds (x : Real) (t : Real) (dt : Real) : Real = \
              if t < 1/1000 then 0 else dt + ds x (x * t) (t + x * dt) in";
    is(&format!("{ds} ds (1/2) 1 0"), "1013/256");
}

/// Four steps of Newton's method: derivatives of the program, near those of √a.
#[test]
fn newtons_method() {
    let it = "let rec it (p : Real * Real) : Real = \
              if p[0] * p[0] - p[1] < 1e-9 then p[0] else it ((p[0] + p[1] / p[0]) / 2, p[1]) in";
    is(&format!("{it} it (2, 2)"), "665857/470832");
    is(&format!(r"{it} rd (\a => it (2, a)) 2 1"), "9797086969/27710346528");
    let second = format!(r"{it} rd (\a => rd (\b => it (2, b)) a 1) 2 1");
    is(&second, "-4504669962965/50964522954966");
}

/// A7, the trainer of A §2: with the pair (2, b), the rate, and the prediction at x.
const TRAINER: &str = "let trained (p : Real * Real * Real) : Real = \
       let model (q : Real * Real) : Real = q[0] * q[1] in \
       let loss (q : Real * Real) : Real = (q[1] - q[0]) * (q[1] - q[0]) in \
       let currentLoss (q : Real * Real) : Real = loss (q[1], model (2, q[0])) in \
       let rec descend (q : Real * Real * Real) : Real = \
         if currentLoss (q[0], q[1]) < 0.000001 then q[0] \
         else descend (q[0] - q[2] * rd (\\w => currentLoss (w, q[1])) q[0] 1, q[1], q[2]) in \
       model (p[0], descend (0, p[1], p[2])) in";

#[test]
fn training_ends_after_18_steps() {
    // w becomes 3 (1 - 0.6ⁿ), for the rate 0.05; the loss is below 1e-6 first for n = 18
    is(&format!("{TRAINER} trained (5, 6, 0.05)"), "11442929535408/762939453125");
    // 3 (1 − 0.6¹⁸), 2.5 (1 − 0.6¹⁸), 2160 · 0.6¹⁷
    is(
        &format!("{TRAINER} rd trained (5, 6, 0.05) 1"),
        "(11442929535408/3814697265625, 1907154922568/762939453125, 55788550416/152587890625)",
    );
    // a rate that is too large: it does not come nearer
    assert_eq!(exactly(&format!("{TRAINER} trained (5, 6, 1)"), Some(200)), "fuel");
}

const SQUARES: &str = "let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in";

#[test]
fn squares_until_a_bound() {
    is(&format!("{SQUARES} f 2"), "16");
    is(&format!("{SQUARES} rd f 2 1"), "32");
    is(&format!(r"{SQUARES} rd (\x => rd f x 1) 2 1"), "48");
    is(&format!("{SQUARES} f 10"), "boundary");
    is(&format!("{SQUARES} f 1"), "fuel");
    encloses(&format!("{SQUARES} f (sqrt 10)"), "undecided");
    // on both sides of √10: 4 x³ where it takes two steps from there, 2 x where it takes one
    let below = ratio("3.1622776601");
    let cube: Rational = below.clone() * &below * &below * 4;
    is(&format!("{SQUARES} rd f 3.1622776601 1"), &cube.to_string());
    is(&format!("{SQUARES} rd f 3.1622776602 1"), &ratio("6.3245553204").to_string());
}

/// Cantor's function, by recursion on thirds.
#[test]
fn the_devils_staircase() {
    let c = "let rec c (x : Real) : Real = \
             if x < 1/3 then c (3 * x) / 2 else if x < 2/3 then 1/2 else (1 + c (3 * x - 2)) / 2 in";
    for (text, expected) in
        [("c (1/2)", "1/2"), ("c (4/27)", "1/4"), ("rd c (4/27) 1", "0"), ("c (1/3)", "boundary"), ("c (1/4)", "fuel")]
    {
        is(&format!("{c} {text}"), expected);
    }
}

/// R⁰ (A29): functions into the unit and out of it.
#[test]
fn the_space_of_no_dimensions() {
    is(r"rd (\(p : Real * Real) => ()) (2, 3) ()", "(0, 0)");
    is(r"rd (\(u : Unit) => 3) () 5", "()");
    is(r"rd (\x => let y = 1 / x in ()) 0 ()", "domain");
    is(r"rd (\(u : Unit) => 1 / 0) () 5", "domain");
    is(r"jvp (\(u : Unit) => 3) () ()", "0");
}

#[test]
fn derivatives_of_derivatives() {
    let d = r"let d (f : Real -> Real) x = rd f x 1 in";
    is(&format!(r"{d} d (d (d (\x => x * x * x * x))) 2"), "48");
    // the Hessian of x² y at (2, 3) in the direction (1, 1): (2 y + 2 x, 2 x)
    is(r"jvp (\(p : Real * Real) => rd (\(q : Real * Real) => q[0] * q[0] * q[1]) p 1) (2, 3) (1, 1)", "(10, 4)");
    is(r"deriv (deriv (\x => 1 / x)) 2", "1/4");
    // ten levels: 10!
    is(r"nthDeriv 10 (\x => x^10) 3", "3628800");
}

/// Scope is where a function is defined, not where it is called.
#[test]
fn scope_is_static() {
    is("let f x = x in let g x = f x in let f x = x * x in rd g 3 1", "1");
    is(
        "let rec f (x : Real) : Real = x in let rec g (x : Real) : Real = f x in \
        let rec f (x : Real) : Real = x * x in rd g 3 1",
        "1",
    );
}

#[test]
fn transcendental_functions() {
    // (2 x - e⁻ˣ) / (x² + e⁻ˣ) at 2
    let (term, ty) = inferred(r"rd (\x => log (x * x + exp (-x))) 2 1");
    let found = Partially::default().answer(&term, &ty, &ratio("1e-30"), &budget()).unwrap();
    let [found] = &enclosures(&found.value)[..] else { panic!() };
    assert!(found.is_defined() && found.is_within(&ratio("1e-30")));
    assert!(found.decimals(&ratio("1e-25")).lo().starts_with("0.9345468872692278996058541"), "{found}");
}
