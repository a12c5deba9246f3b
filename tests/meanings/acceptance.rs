//! Programs with values that were found in other ways: closed forms, or the same program in exact arithmetic elsewhere. Each
//! is run along every route that has a meaning for it, and every route gives the value, or the cause for which there is none.

mod models;
pub mod routes;

use routes::Route::{self, Accumulated, Float, Literal, Partial, Presheaf, Source, Tape, Taylor, Tower};
use routes::{Found, along, exactly, inferred, limited};

/// A: the denotation, and evaluation by strategies that do not grow.
pub const A: &[Route] = &[Partial, Accumulated, Tape, Source];
/// With the literal clauses, which copy the trace.
const ALL_OF_A: &[Route] = &[Partial, Accumulated, Tape, Source, Literal];
/// A, and doubles, which decide at a border.
const RECURSIVE: &[Route] = &[Partial, Accumulated, Tape, Source, Float];
const OWN_DERIVATIVE: &[Route] = &[Partial, Accumulated, Tape, Float];
/// Every model of S, and A: programs without comparisons.
const SMOOTH: &[Route] = &[Presheaf, Tower, Taylor, Float, Partial, Accumulated, Tape, Source];
/// The same, where the literal derivative is small.
const EVERY: &[Route] = &[Presheaf, Tower, Taylor, Float, Partial, Accumulated, Tape, Source, Literal];
/// Derivatives of vectors, which are more than one number.
const VECTORS: &[Route] = &[Presheaf, Tower, Float, Partial, Accumulated, Tape, Source];
/// Guards without recursion.
const GUARDED: &[Route] = &[Presheaf, Float, Partial, Accumulated, Tape, Source, Literal];
/// Numbers that no rational number is told from.
const CERTIFIED: &[Route] = &[Partial, Accumulated, Tape, Source];
/// What A does in steps that a counter counts, where guards have no recursion.
const COUNTED: &[Route] = &[Presheaf, Tower, Float];

const OMEGA: &str = "let rec w (x : Real) : Real = w x in";
const POW: &str = "let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in";
/// A6: a function that is defined by its own derivative, which is no program.
const OWN: &str = "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in";
/// Σ xᵏ for k < 10.
const SERIES: &str =
    "let rec s (p : Real * Real) : Real = if p[1] < 1/1000 then 0 else p[1] + s (p[0], p[0] * p[1]) in";
/// A34: the loop of derivatives, written out: tₖ′ = tₖ₋₁ + x tₖ₋₁′.
const SLOPES: &str = "let rec ds (x : Real) (t : Real) (dt : Real) : Real = \
     if t < 1/1000 then 0 else dt + ds x (x * t) (t + x * dt) in";
/// Four steps of Newton's method: derivatives of the program, near those of √a.
const NEWTON: &str = "let rec it (p : Real * Real) : Real = \
     if p[0] * p[0] - p[1] < 1e-9 then p[0] else it ((p[0] + p[1] / p[0]) / 2, p[1]) in";
const FOUR_STEPS: &str = r"let rec step (n : Nat) (x : Real) (a : Real) : Real = if n == 0 then x else step (n - 1) ((x + a / x) / 2) a in
      let it = \a => step 4 2 a in";
/// A7, the trainer of A §2: with the pair (2, b), the rate, and the prediction at x.
const TRAINER: &str = "let trained (p : Real * Real * Real) : Real = \
       let model (q : Real * Real) : Real = q[0] * q[1] in \
       let loss (q : Real * Real) : Real = (q[1] - q[0]) * (q[1] - q[0]) in \
       let currentLoss (q : Real * Real) : Real = loss (q[1], model (2, q[0])) in \
       let rec descend (q : Real * Real * Real) : Real = \
         if currentLoss (q[0], q[1]) < 0.000001 then q[0] \
         else descend (q[0] - q[2] * rd (\\w => currentLoss (w, q[1])) q[0] 1, q[1], q[2]) in \
       model (p[0], descend (0, p[1], p[2])) in";
/// The same, 18 steps by a counter.
const EIGHTEEN_STEPS: &str = r"let rec descend (n : Nat) (w : Real) (b : Real) (rate : Real) : Real =
       if n == 0 then w else descend (n - 1) (w - rate * rd (\v => (b - 2 * v) * (b - 2 * v)) w 1) b rate in";
const SQUARES: &str = "let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in";
/// Cantor's function, by recursion on thirds.
const CANTOR: &str = "let rec c (x : Real) : Real = \
     if x < 1/3 then c (3 * x) / 2 else if x < 2/3 then 1/2 else (1 + c (3 * x - 2)) / 2 in";
const FD: &str = r"let fd f x v = rd (\w => rd f x w) (0, 0) v in";
const DOT: &str =
    r"let dot (p : (Real * Real) * (Real * Real)) : Real = fst (fst p) * fst (snd p) + snd (fst p) * snd (snd p) in";
const D: &str = r"let d (f : Real -> Real) x = rd f x 1 in";

/// Where it is from, definitions, a program, its value or the cause for which it has none, and the routes.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static [Route]);

/// The numbers of A's programs, and further ones of their kind. How each value was found stands beside it where it is not seen.
const TABLE: &[Row] = &[
    // a derivative inside of a derivative, where x is not what the inner one varies (A19, A20)
    ("1", "", r"rd (\x => x * rd (\y => x + y) 1 1) 1 1", "1", EVERY),
    ("2", "", r"let rec f (x : Real) : Real = rd (\y => x + y) 1 1 in rd (\x => x + f x) 1 1", "1", ALL_OF_A),
    // D (x ↦ x · D (y ↦ x y)) at 4: x², so 8
    ("1", "", r"rd (\x => x * rd (\y => x * y) 1 1) 4 1", "8", EVERY),
    // D (x ↦ D (u ↦ h (x + u)) 0) at 0 is h″(0)
    (
        "1",
        r"let shift (u : Real) (f : Real -> Real) (x : Real) : Real = f (x + u) in",
        r"deriv (\x => deriv (\u => shift u (\z => z^3 + z^2) x) 0) 0",
        "2",
        SMOOTH,
    ),
    // relu is a partial function (A31, A45)
    ("3", "", r"rd (\x => if x < 0 then 0 else x) 1 1", "1", GUARDED),
    ("3", "", r"rd (\x => if x < 0 then 0 else x) (-1) 1", "0", GUARDED),
    ("3", "", r"rd (\x => if x < 0 then 0 else x) 0 1", "boundary", ALL_OF_A),
    ("4", "", "let x = 0 in if x < 0 then x else x", "boundary", ALL_OF_A),
    // the identity by cases (A44)
    ("4", "", r"(\x => if x < 0 then x else x) 0", "boundary", ALL_OF_A),
    // a conditional looks at one branch
    ("5", OMEGA, r"rd (\x => if x < 0 then w x else x * x) 3 1", "6", ALL_OF_A),
    ("5", OMEGA, r"rd (\x => if x < 0 then w x else x * x) (-3) 1", "fuel", A),
    // by value, what is not used is evaluated all the same (X10)
    ("6a", "", "let y = log (-1) in 3", "domain", CERTIFIED),
    ("6a", "", "let y = 1 / 0 in 3", "domain", ALL_OF_A),
    ("6a", "", r"(\(y : Real) => 3) (1 / 0)", "domain", ALL_OF_A),
    ("6a", "", "0 * (1 / 0)", "domain", ALL_OF_A),
    ("6b", OMEGA, "snd (w 1, 3)", "fuel", ALL_OF_A),
    ("6b", "", "snd (1 / 0, 3)", "domain", ALL_OF_A),
    ("6b", "", "fold (\\x s => s) 0 (1 / 0 :: [])", "domain", &[Partial]),
    ("6b", "", "match 1 / 0 :: [] with [] => 0 | x :: xs => 1", "domain", &[Partial]),
    ("6c", "", r"rd (\x => let y = log x in 3) (-1) 1", "domain", CERTIFIED),
    ("6c", "", r"rd (\x => let y = 1 / x in 3) 0 1", "domain", ALL_OF_A),
    ("6d", "", r"rd (\x => let y = log x in 3) 1 1", "0", SMOOTH),
    ("6d", "", r"rd (\x => let y = 1 / x in 3) 1 1", "0", EVERY),
    ("7", "", r"rd (\x => 1 / x) 0 0", "domain", ALL_OF_A),
    ("7", "", r"rd (\x => 1 / x) 2 0", "0", EVERY),
    // powers by a counter
    ("8", POW, "pow (3, 4)", "81", RECURSIVE),
    ("8", POW, "rd pow (3, 4) 1", "(108, 0)", RECURSIVE),
    ("8", POW, "rd pow (3, 40) 1", "(162102206120759050680, 0)", A),
    ("8", POW, "rd pow (3, 1) 1", "(1, 0)", ALL_OF_A),
    ("8", POW, "rd pow (3, 5/2) 1", "boundary", A),
    // ∂²/∂x² x⁴ = 12 x²
    ("8", POW, r"rd (\x => fst (rd pow (x, 4) 1)) 3 1", "108", RECURSIVE),
    ("9", OWN, "f (1/2)", "1/4", OWN_DERIVATIVE),
    ("9", OWN, "f (3/2)", "3/2", OWN_DERIVATIVE),
    ("9", OWN, "f (5/2)", "10", OWN_DERIVATIVE),
    ("9", OWN, "f (7/2)", "49", OWN_DERIVATIVE),
    ("9", OWN, "rd f (7/2) 1", "42", OWN_DERIVATIVE),
    ("9", OWN, "f (7/2)", "no `f` is defined by its own derivative", &[Source]),
    ("9", OWN, "f 1", "boundary", &[Partial, Accumulated, Tape]),
    ("9", OWN, "f 2", "boundary", &[Partial, Accumulated, Tape]),
    // x⁴ + x² has the slope 4 x³ + 2 x
    ("10", "", r"rd (\x => let y = x * x in y * y + y) 3 1", "114", EVERY),
    // forward mode is reverse mode of reverse mode (A26): (y dx + x dy, 2 x dx)
    ("11", "", r"jvp (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)", "(29, 20)", VECTORS),
    ("11", FD, r"fd (\p => (p[0] * p[1], p[0] * p[0])) (2, 3) (5, 7)", "(29, 20)", VECTORS),
    ("11", "", r"jvp (\x => x + x) 3 5", "10", EVERY),
    // a geometric series: Σ k xᵏ⁻¹ is the loop of derivatives (A34)
    ("12", SERIES, "s (1/2, 1)", "1023/512", RECURSIVE),
    ("12", SERIES, r"rd (\x => s (x, 1)) (1/2) 1", "1013/256", RECURSIVE),
    ("12", SLOPES, "ds (1/2) 1 0", "1013/256", RECURSIVE),
    ("13", NEWTON, "it (2, 2)", "665857/470832", RECURSIVE),
    ("13", NEWTON, r"rd (\a => it (2, a)) 2 1", "9797086969/27710346528", RECURSIVE),
    ("13", NEWTON, r"rd (\a => rd (\b => it (2, b)) a 1) 2 1", "-4504669962965/50964522954966", RECURSIVE),
    ("13", FOUR_STEPS, "it 2", "665857/470832", COUNTED),
    ("13", FOUR_STEPS, "rd it 2 1", "9797086969/27710346528", COUNTED),
    ("13", FOUR_STEPS, r"rd (\a => rd it a 1) 2 1", "-4504669962965/50964522954966", COUNTED),
    // w becomes 3 (1 - 0.6ⁿ), for the rate 0.05; the loss is below 1e-6 first for n = 18
    ("14", TRAINER, "trained (5, 6, 0.05)", "11442929535408/762939453125", RECURSIVE),
    // 3 (1 − 0.6¹⁸), 2.5 (1 − 0.6¹⁸), 2160 · 0.6¹⁷
    (
        "14",
        TRAINER,
        "rd trained (5, 6, 0.05) 1",
        "(11442929535408/3814697265625, 1907154922568/762939453125, 55788550416/152587890625)",
        RECURSIVE,
    ),
    // with a rate that is too large it does not come nearer
    ("14", TRAINER, "trained (5, 6, 1)", "none", A),
    ("14", EIGHTEEN_STEPS, "5 * descend 18 0 6 0.05", "11442929535408/762939453125", COUNTED),
    ("14", EIGHTEEN_STEPS, r"rd (\b => 5 * descend 18 0 b 0.05) 6 1", "1907154922568/762939453125", COUNTED),
    ("14", EIGHTEEN_STEPS, r"rd (\rate => 5 * descend 18 0 6 rate) 0.05 1", "55788550416/152587890625", COUNTED),
    ("15", SQUARES, "f 2", "16", RECURSIVE),
    ("15", SQUARES, "rd f 2 1", "32", RECURSIVE),
    ("15", SQUARES, r"rd (\x => rd f x 1) 2 1", "48", RECURSIVE),
    ("15", SQUARES, "f 10", "boundary", A),
    ("15", SQUARES, "f 1", "fuel", A),
    // the double nearest to √10 has a square above 10 in doubles
    ("15", SQUARES, "f (sqrt 10)", "undecided", CERTIFIED),
    ("15", SQUARES, "f (sqrt 10)", "10.000000000000002", &[Float]),
    // on both sides of √10: 4 x³ where it takes two steps from there, 2 x where it takes one
    (
        "15",
        SQUARES,
        "rd f 3.1622776601 1",
        "31622776599632413360066487009801/250000000000000000000000000000",
        RECURSIVE,
    ),
    ("15", SQUARES, "rd f 3.1622776602 1", "6.3245553204", RECURSIVE),
    ("16", CANTOR, "c (1/2)", "1/2", RECURSIVE),
    ("16", CANTOR, "c (4/27)", "1/4", RECURSIVE),
    ("16", CANTOR, "rd c (4/27) 1", "0", RECURSIVE),
    ("16", CANTOR, "rd c (1/2) 1", "0", RECURSIVE),
    ("16", CANTOR, "c (1/3)", "boundary", A),
    ("16", CANTOR, "c (1/4)", "fuel", A),
    ("16", CANTOR, "c (1/10)", "none", A),
    ("16", CANTOR, "c 2", "fuel", A),
    // R⁰ (A29): functions into the unit and out of it
    (
        "17",
        "",
        r"rd (\(p : Real * Real) => ()) (2, 3) ()",
        "(0, 0)",
        &[Presheaf, Tower, Float, Partial, Literal, Accumulated, Tape, Source],
    ),
    ("17", "", r"rd (\(u : Unit) => 3) () 5", "()", &[Partial, Literal, Accumulated, Tape, Source]),
    ("17", "", r"rd (\x => let y = log x in ()) (-1) ()", "domain", CERTIFIED),
    ("17", "", r"rd (\x => let y = 1 / x in ()) 0 ()", "domain", ALL_OF_A),
    ("17", "", r"rd (\(u : Unit) => 1 / 0) () 5", "domain", ALL_OF_A),
    ("17", "", r"jvp (\(u : Unit) => 3) () ()", "0", ALL_OF_A),
    ("18", OMEGA, "let q = w 1 in () + ()", "fuel", ALL_OF_A),
    ("18", "", "(let q = 1 / 0 in ()) + ()", "domain", ALL_OF_A),
    ("18", "", "() + (let q = 1 / 0 in ())", "domain", ALL_OF_A),
    ("18", "", "() + ()", "()", ALL_OF_A),
    // derivatives within each other: 24 x, and the Hessian of x² y in the direction (1, 1), (2 y + 2 x, 2 x)
    ("19", D, r"d (d (d (\x => x * x * x * x))) 2", "48", SMOOTH),
    (
        "19",
        "",
        r"jvp (\(p : Real * Real) => rd (\(q : Real * Real) => q[0] * q[0] * q[1]) p 1) (2, 3) (1, 1)",
        "(10, 4)",
        VECTORS,
    ),
    ("19", "", r"deriv (deriv (\x => 1 / x)) 2", "1/4", SMOOTH),
    ("19", "", r"nthDeriv 10 (\x => x^10) 3", "3628800", &[Presheaf, Partial]),
    // scope is where a function is defined, not where it is called
    ("20", "", "let f x = x in let g x = f x in let f x = x * x in rd g 3 1", "1", EVERY),
    (
        "20",
        "",
        "let rec f (x : Real) : Real = x in let rec g (x : Real) : Real = f x in \
         let rec f (x : Real) : Real = x * x in rd g 3 1",
        "1",
        ALL_OF_A,
    ),
    // (2 x - e⁻ˣ) / (x² + e⁻ˣ) at 2, to 30 digits by mpmath
    ("21", "", r"rd (\x => log (x*x + exp (-x))) 2 1", "0.93454688726922789960585413672797", SMOOTH),
    // DProd₂ ⟨⟨a, b⟩, ⟨a', b'⟩⟩ = a a' + b b' (A9), and w times each vector for the other
    ("", DOT, "dot ((2, 3), (5, 7))", "31", EVERY),
    ("", DOT, "rd dot ((2, 3), (5, 7)) 11", "((55, 77), (22, 33))", &[Partial, Literal, Accumulated, Tape, Source]),
    // definitions of theories are written out
    ("", "", r"gradient (\(p : Real * Real) => p[0] * p[0] * p[1]) (2, 3)", "(12, 4)", VECTORS),
    ("", "", "twice square 3", "81", EVERY),
    (
        "",
        "",
        r"rd (\x => relu x + compose square square x) 2 1",
        "33",
        &[Presheaf, Tower, Float, Partial, Accumulated, Tape, Source],
    ),
];

/// What is not as expected.
fn differences(routes: &[Route], text: &str, expected: &str) -> Vec<String> {
    let found = routes.iter().flat_map(|route| along(*route, text).into_iter().map(move |found| (route, found)));
    let wrong = found.filter(|(_, found)| !found.is(expected));
    wrong.map(|(route, found)| format!("{route:?}: {text}: {expected} expected, {found:?}")).collect()
}

/// A program has this value along these routes, or none for this cause.
#[track_caller]
pub fn is(routes: &[Route], text: &str, expected: &str) {
    let wrong = differences(routes, text, expected);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lemma 5.3 (A37): what stands in an evaluation context, of each shape (§3), and has no value leaves the whole without one.
#[test]
fn every_context_is_strict() {
    for context in [
        "□ + 1",
        "1 + □",
        "-□",
        "□ * 0",
        "0 * □",
        "let y = □ in 3",
        "(□, 3)",
        "(3, □)",
        "fst (3, □)",
        "snd (□, 3)",
        "if □ < 1 then 2 else 3",
        "if 1 < □ then 2 else 3",
        "let rec f (x : Real) : Real = 3 in f □",
        r"rd (\x => 3) □ 1",
        r"rd (\x => 3) 1 □",
        r"rd (\x => let y = □ in 3) 1 1",
    ] {
        is(ALL_OF_A, &context.replace('□', "(1 / 0)"), "domain");
        is(ALL_OF_A, &context.replace('□', "(if 1/2 < 1/2 then 1/2 else 3/2)"), "boundary");
        // in the branch that is not taken it is not evaluated
        is(ALL_OF_A, &format!("if 1/2 < 1 then 7 else let q = {} in 8", context.replace('□', "(1 / 0)")), "7");
    }
}

/// A42 and A43: approximants, by both meanings of a limit, and where the first of them is defined.
#[test]
fn the_least_fuel_is_exact() {
    for (definitions, program, least, value) in [
        (POW, "pow (3, 4)", 5, "81"),
        ("", "let rec f (x : Real) : Real = f x in 3", 0, "3"),
        ("", "let rec f (x : Real) : Real = x in f 3", 1, "3"),
        (SQUARES, "rd f 2 1", 3, "32"),
        (OWN, "f (7/2)", 4, "49"),
    ] {
        let (term, _) = inferred(&format!("{definitions} {program}"));
        for n in 0..8 {
            let expected = if n < least { "fuel" } else { value };
            for found in [exactly(&term, Some(n)), limited(&term, n)] {
                assert!(found.is(expected), "{program}, n = {n}: {expected} expected, {found:?}");
            }
        }
    }
}

/// A row is held against what it says, and against nothing else.
#[test]
fn a_wrong_value_is_seen() {
    let half = || Found::Exact(vec![routes::ratio("1/2")]);
    assert!(half().is("1/2") && !half().is("1/3") && !half().is("(1/2, 1)") && !half().is("boundary"));
    assert!(!Found::Lacks("rd".to_owned()).is("()") && !Found::Rounded(vec![f64::NAN]).is("0"));
    assert!(!along(Partial, "1 / 0")[0].is("boundary") && along(Partial, "1 / 0")[0].is("domain"));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_program_has_its_value_along_every_route() {
        let wrong: Vec<String> = TABLE
            .iter()
            .flat_map(|(_, definitions, program, expected, routes)| {
                differences(routes, &format!("{definitions} {program}"), expected)
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for row in (1..=21)
            .filter(|row| *row != 6)
            .map(|row| row.to_string())
            .chain(["6a", "6b", "6c", "6d"].map(String::from))
        {
            assert!(TABLE.iter().any(|(name, ..)| *name == row), "row {row}");
        }
    }
}
