//! Programs with values that were found in other ways: closed forms, or the same program in exact arithmetic elsewhere.

use super::*;

/// A19 and A20: a derivative inside of a derivative, where x is not what the inner one varies.
#[test]
fn perturbations_are_not_confused() {
    is(r"rd (\x => x * rd (\y => x + y) 1 1) 1 1", "1");
    is(r"let rec f (x : Real) : Real = rd (\y => x + y) 1 1 in rd (\x => x + f x) 1 1", "1");
    // D (x ↦ x · D (y ↦ x y)) at 4: x², so 8
    is(r"rd (\x => x * rd (\y => x * y) 1 1) 4 1", "8");
}

#[test]
fn relu_has_no_slope_at_0() {
    for (at, expected) in [("1", "1"), ("-1", "0"), ("0", "boundary")] {
        is(&format!(r"rd (\x => if x < 0 then 0 else x) ({at}) 1"), expected);
    }
    let trace = |at: &str| {
        traced(r"\x => if x < 0 then 0 else x", at)
            .map(|(program, trace, _)| smoothish::trace::printer::text(&program.parameters, &trace))
    };
    assert_eq!(trace("1").unwrap(), r"\(x : Real) => x");
    assert_eq!(trace("-1").unwrap(), r"\(x : Real) => 0");
    is("let x = 0 in if x < 0 then x else x", "boundary");
}

/// The branch that is not taken is not evaluated, not even where it does not end.
#[test]
fn a_conditional_looks_at_one_branch() {
    let omega = "let rec w (x : Real) : Real = w x in";
    is(&format!(r"{omega} rd (\x => if x < 0 then w x else x * x) 3 1"), "6");
    is_accumulated(&format!(r"{omega} rd (\x => if x < 0 then w x else x * x) (-3) 1"), "fuel");
}

/// By value: what is not used is evaluated all the same.
#[test]
fn everything_is_strict() {
    let omega = "let rec w (x : Real) : Real = w x in";
    for (text, expected) in [
        ("let y = 1 / 0 in 3".to_owned(), "domain"),
        (format!("{omega} snd (w 1, 3)"), "fuel"),
        (r"rd (\x => let y = 1 / x in 3) 0 1".to_owned(), "domain"),
        (r"rd (\x => let y = 1 / x in 3) 1 1".to_owned(), "0"),
        (r"rd (\x => 1 / x) 0 0".to_owned(), "domain"),
        (r"rd (\x => 1 / x) 2 0".to_owned(), "0"),
        (format!("{omega} let q = w 1 in ()"), "fuel"),
    ] {
        is(&text, expected);
    }
}

const POW: &str = "let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in";

#[test]
fn powers_by_a_counter() {
    is_accumulated(&format!("{POW} pow (3, 4)"), "81");
    is_accumulated(&format!("{POW} rd pow (3, 4) 1"), "(108, 0)");
    is_accumulated(&format!("{POW} rd pow (3, 5/2) 1"), "boundary");
    // ∂²/∂x² x⁴ = 12 x²
    is_accumulated(&format!(r"{POW} rd (\x => fst (rd pow (x, 4) 1)) 3 1"), "108");
    // the literal derivative of two levels is within its limit
    is(&format!("{POW} rd pow (3, 1) 1"), "(1, 0)");
}

/// A6: a function that is defined by its own derivative.
#[test]
fn a_function_of_its_own_derivative() {
    let f = "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in";
    for (at, value) in
        [("1/2", "1/4"), ("3/2", "3/2"), ("5/2", "10"), ("7/2", "49"), ("1", "boundary"), ("2", "boundary")]
    {
        is_accumulated(&format!("{f} f ({at})"), value);
    }
    is_accumulated(&format!("{f} rd f (7/2) 1"), "42");
}

#[test]
fn a_variable_that_is_used_twice() {
    // x⁴ + x² has the slope 4 x³ + 2 x
    is(r"rd (\x => let y = x * x in y * y + y) 3 1", "114");
}

/// Forward mode is reverse mode of reverse mode (A (6)): (y dx + x dy, 2 x dx).
#[test]
fn forward_mode() {
    // the literal derivative of a literal derivative is too large but for the smallest
    is(r"jvp (\x => x + x) 3 5", "10");
    is_accumulated(r"jvp (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)", "(29, 20)");
    is_accumulated(
        r"let fd f x v = rd (\w => rd f x w) (0, 0) v in fd (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)",
        "(29, 20)",
    );
}

/// Σ xᵏ for k < 10 at ½, and Σ k xᵏ⁻¹.
#[test]
fn a_geometric_series() {
    let s = "let rec s (p : Real * Real) : Real = if p[1] < 1/1000 then 0 else p[1] + s (p[0], p[0] * p[1]) in";
    is_accumulated(&format!("{s} s (1/2, 1)"), "1023/512");
    is_accumulated(&format!(r"{s} rd (\x => s (x, 1)) (1/2) 1"), "1013/256");
}

/// Four steps of Newton's method: derivatives of the program, near those of √a.
#[test]
fn newtons_method() {
    let it = "let rec it (p : Real * Real) : Real = \
              if p[0] * p[0] - p[1] < 1e-9 then p[0] else it ((p[0] + p[1] / p[0]) / 2, p[1]) in";
    is_accumulated(&format!("{it} it (2, 2)"), "665857/470832");
    is_accumulated(&format!(r"{it} rd (\a => it (2, a)) 2 1"), "9797086969/27710346528");
    let second = format!(r"{it} rd (\a => rd (\b => it (2, b)) a 1) 2 1");
    is_accumulated(&second, "-4504669962965/50964522954966");
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
    is_accumulated(&format!("{TRAINER} trained (5, 6, 0.05)"), "11442929535408/762939453125");
    let gradient = run(&format!("{TRAINER} rd trained (5, 6, 0.05) 1"), Strategy::Accumulated).unwrap();
    let [x, b, rate] = gradient.reals()[..] else { panic!() };
    // 3 (1 − 0.6¹⁸), 2.5 (1 − 0.6¹⁸), 2160 · 0.6¹⁷
    assert_eq!(*b, ratio("1907154922568/762939453125"));
    assert_eq!(*rate, ratio("55788550416/152587890625"));
    assert_eq!(x.clone() * 5, ratio("11442929535408/762939453125"));
    // a rate that is too large: it does not come nearer
    is_accumulated(&format!("{TRAINER} trained (5, 6, 1)"), "fuel");
}

const SQUARES: &str = "let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in";

#[test]
fn squares_until_a_bound() {
    is_accumulated(&format!("{SQUARES} f 2"), "16");
    is_accumulated(&format!("{SQUARES} rd f 2 1"), "32");
    is_accumulated(&format!(r"{SQUARES} rd (\x => rd f x 1) 2 1"), "48");
    is_accumulated(&format!("{SQUARES} f 10"), "boundary");
    is_accumulated(&format!("{SQUARES} f 1"), "fuel");
    // on both sides of √10: 4 x³ where it takes two steps from there, 2 x where it takes one
    let slope = |x: &str| run(&format!("{SQUARES} rd f {x} 1"), Strategy::Accumulated).unwrap();
    let (below, above) = ("3.1622776601", "3.1622776602");
    let at = |text: &str| smoothish::number::decimal::parse(text).unwrap();
    let cube = at(below).clone() * at(below) * at(below) * 4;
    assert_eq!(slope(below).reals(), [&cube]);
    assert_eq!(slope(above).reals(), [&(at(above) * 2)]);
}

/// At √10 certified numbers have no answer, and say so; doubles take a branch.
#[test]
fn doubles_decide_what_certified_numbers_do_not() {
    use smoothish::number::Mpfr;
    use smoothish::trace::number::{Certified, Doubles};
    let program = program(&format!("{SQUARES} f (sqrt 10)"));
    let (functions, numbers) = (Functions::default(), Certified(Mpfr::new(512)));
    let certified = Evaluator::new(&numbers).ordinary(&functions, &Environment::default(), &program.term);
    assert_eq!(certified.unwrap_err().undefined().map(|u| u.cause), Some(Cause::Undecided));
    let rounded = Evaluator::new(&Doubles).ordinary(&functions, &Environment::default(), &program.term).unwrap();
    // the double nearest to √10 has the square 10.000000000000002 in doubles
    assert_eq!(rounded.reals(), [&10.000_000_000_000_002]);
}

/// Cantor's function, by recursion on thirds.
#[test]
fn the_devils_staircase() {
    let c = "let rec c (x : Real) : Real = \
             if x < 1/3 then c (3 * x) / 2 else if x < 2/3 then 1/2 else (1 + c (3 * x - 2)) / 2 in";
    for (text, expected) in
        [("c (1/2)", "1/2"), ("c (4/27)", "1/4"), ("rd c (4/27) 1", "0"), ("c (1/3)", "boundary"), ("c (1/4)", "fuel")]
    {
        is_accumulated(&format!("{c} {text}"), expected);
    }
}

/// R⁰ (A29): functions into the unit and out of it.
#[test]
fn the_space_of_no_dimensions() {
    is(r"rd (\(p : Real * Real) => ()) (2, 3) ()", "(0, 0)");
    is(r"rd (\(u : Unit) => 3) () 5", "()");
    is(r"rd (\x => let y = 1 / x in ()) 0 ()", "domain");
}

#[test]
fn derivatives_of_derivatives() {
    let d = r"let d (f : Real -> Real) x = rd f x 1 in";
    is_accumulated(&format!(r"{d} d (d (d (\x => x * x * x * x))) 2"), "48");
    // the Hessian of x² y at (2, 3) in the direction (1, 1): (2 y + 2 x, 2 x)
    is_accumulated(
        r"jvp (\(p : Real * Real) => rd (\(q : Real * Real) => q[0] * q[0] * q[1]) p 1) (2, 3) (1, 1)",
        "(10, 4)",
    );
    is_accumulated(r"deriv (deriv (\x => 1 / x)) 2", "1/4");
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

/// Definitions of theories are written out.
#[test]
fn definitions_of_theories() {
    is(r"gradient (\(p : Real * Real) => p[0] * p[0] * p[1]) (2, 3)", "(12, 4)");
    is(r"twice square 3", "81");
    is(r"rd (\x => relu x + compose square square x) 2 1", "33");
}

/// Certified numbers, and doubles.
#[test]
fn transcendental_functions() {
    use smoothish::number::{Context, Mpfr, decimal};
    use smoothish::trace::number::{Certified, Doubles};
    let program = program(r"rd (\x => log (x * x + exp (-x))) 2 1");
    // (2 x - e⁻ˣ) / (x² + e⁻ˣ) at 2
    let expected = decimal::parse("0.9345468872692278996058541").unwrap();
    let (functions, rho) = (Functions::default(), Environment::default());
    let numbers = Certified(Mpfr::new(128));
    let value = Evaluator::new(&numbers).ordinary(&functions, &rho, &program.term).unwrap();
    let enclosure = numbers.0.to_enclosure(value.reals()[0]);
    let eps = decimal::parse("1e-25").unwrap();
    assert!(enclosure.is_defined() && enclosure.is_within(&decimal::parse("1e-30").unwrap()));
    assert!(enclosure.contains(&expected) || enclosure.decimals(&eps).lo().starts_with("0.9345468872692278996058541"));
    let value = Evaluator::new(&Doubles).ordinary(&functions, &Environment::default(), &program.term).unwrap();
    assert!((value.reals()[0] - 0.934_546_887_269_227_9).abs() < 1e-15);
    assert!(matches!(run_term(&program.term, Strategy::Accumulated), Err(Obstacle::Lacks { .. })));
}

/// A guard on numbers that are equal is not decided at any precision, and says how nearly they agree.
#[test]
fn an_undecided_guard_says_how_nearly() {
    use smoothish::number::Mpfr;
    use smoothish::trace::number::Certified;
    let program = program("if sqrt 2 * sqrt 2 < 2 then 1 else 0");
    let numbers = Certified(Mpfr::new(256));
    let evaluator = Evaluator::new(&numbers);
    let error = evaluator.ordinary(&Functions::default(), &Environment::default(), &program.term).unwrap_err();
    let undefined = error.undefined().unwrap();
    assert_eq!(undefined.cause, Cause::Undecided);
    assert!(undefined.agreement.unwrap() < -240, "{error}");
    assert_eq!(program.place(undefined.site).unwrap().span.start, 3);
}

/// Deep recursions, and endless ones, end with a message.
#[test]
fn endless_recursions_end() {
    let numbers = Rationals::default();
    for text in [
        "let rec f (x : Real) : Real = f x in f 1",
        "let rec f (x : Real) : Real = x + f x in f 1",
        "let rec f (x : Real) : Real = rd f x 1 in f 1",
        r"let rec f (x : Real) : Real = f (x * x) in f 2",
    ] {
        let program = program(text);
        let evaluator = Evaluator::new(&numbers).within(300_000);
        let error = evaluator.ordinary(&Functions::default(), &Environment::default(), &program.term).unwrap_err();
        assert_eq!(error.undefined().map(|u| u.cause), Some(Cause::Fuel), "{text}: {error}");
    }
    // the numbers of a program that only the limit on levels stops are exact up to there
    assert_eq!(numbers.exactly(&ratio("1/3")), Some(ratio("1/3")));
    assert_eq!(Ty::reals(3).dimension(), 3);
    assert!(library().modules().len() > 5);
}
