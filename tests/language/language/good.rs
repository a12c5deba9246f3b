//! Programs and their types.

use super::{answer, library};
use smoothish::function::{Functional, Planar};
use smoothish::syntax::constant::Constant;

const PROGRAMS: &[(&str, &str)] = &[
    // Numbers and operators.
    ("1 + 2", "Real"),
    ("1e-3", "Real"),
    ("-2^2 - -2", "Real"),
    ("2^-1 * 3", "Real"),
    ("x", "Real -> Real"),
    ("1 - 2 - 3 / 4 / 5", "Real"),
    ("(1, 2) + (3, 4)", "Real^2"),
    ("-(1, (2, 3))", "Real * Real^2"),
    ("(1, 2) - (3, 4.5)", "Real^2"),
    ("(+)", "Real -> Real -> Real"),
    ("(&&) tt", "Bool -> Bool"),
    ("negate (1, 2)", "Real^2"),
    ("1 == 2 && 3 /= 4 || not (5 <= 6)", "Bool"),
    ("λ (n m : ℕ) ⇒ n < m ∧ n ≤ m ∨ n ≥ m", "Nat -> Nat -> Bool"),
    ("\\(n : Nat) => n * n + 1", "Nat -> Nat"),
    ("toReal 3 + 0.5", "Real"),
    ("λ x ⇒ x² + x³ + x⁻¹", "Real -> Real"),
    ("(1 + 1)²", "Real"),
    ("\\(v : Real^2) => v[0]²", "Real^2 -> Real"),
    ("4 × 2 · π", "Real"),
    ("e + exp 1", "Real"),
    ("\\e => e", "A -> A"),
    // Functions.
    ("\\x y => x", "A -> B -> A"),
    ("\\f g x => g (f x)", "(A -> B) -> (B -> C) -> A -> C"),
    ("\\x : Real^2 => x[1]", "Real^2 -> Real"),
    ("𝜆 (x y : ℜ) ⇒ x - y", "Real -> Real -> Real"),
    ("\\(a, (b, c)) => a + b * c", "Real * Real^2 -> Real"),
    ("\\((a, b) : Real * Bool) => if b then a else 0", "Real * Bool -> Real"),
    ("\\() => 1", "unit -> Real"),
    ("\\_ => 1", "A -> Real"),
    ("\\(a, _) => a", "A * B -> A"),
    ("\\(p : A) => p", "error"),
    ("integral01 \\x => x", "Real"),
    ("(\\x => x) 2", "Real"),
    ("max 1", "Real -> Real"),
    ("fst (1, tt)", "Real"),
    ("snd (1, tt)", "Bool"),
    ("\\p => fst p", "A * B -> A"),
    // Let.
    ("let x = 2 in x^2", "Real"),
    ("let f (x y : Real) : Real = x * y in f 2", "Real -> Real"),
    ("let id A (x : A) : A = x in (id 2, id tt)", "Real * Bool"),
    ("let id = \\x => x in (id id) (id 2)", "Real"),
    ("let k A B (x : A) (y : B) : A = x in (k 1 tt, k tt 1)", "Real * Bool"),
    ("let (a, b) = (1, tt) in if b then a else 0", "Real"),
    ("let (a, b) : Nat * Real = (1, 2) in toReal a + b", "Real"),
    ("let _ = tt in 1", "Real"),
    ("let rec fact (n : Nat) : Nat = if n == 0 then 1 else n * fact (n - 1) in toReal (fact 5)", "Real"),
    ("let rec f = \\n => if n == 0 then 0 else f (n - 1) + 0.5 in f 3", "Real"),
    ("let double = \\x => x + x in double 2", "Real"),
    ("let s' = 1 in s’ + s′", "Real"),
    ("let x₁ = 2 in x₁", "Real"),
    ("let θ : ℜ = 1 in sin θ", "Real"),
    ("let twice2 A (f : A -> A) = let g (x : A) : A = f (f x) in g in twice2 not", "Bool -> Bool"),
    // A component of something whose type becomes known later.
    ("\\v => (v[0] : Real) + uncurry (+) v", "Real^2 -> Real"),
    ("let f = \\v => v[1] in 1", "error"),
    ("\\v => let f = \\x => x * v[0] in f (uncurry (+) v)", "Real^2 -> Real"),
    // Which vectors is left open.
    ("\\f x => rd f x 1", "(A -> Real) -> A -> A"),
    ("let g f x = rd f x 1 in (g sin, g (\\(x, y) => x * y))", "(Real -> Real) * (Real^2 -> Real^2)"),
    ("let double A (x : A) : A = x + x in (double 1, double (2, (3, ())))", "Real * (Real * (Real * unit))"),
    ("let step A (f : A -> Real) (x : A) : A = x - scale 0.1 (gradient f x) in step", "(A -> Real) -> A -> A"),
    ("let fd f x v = rd (\\w => rd f x w) zeros v in fd", "(A -> B) -> A -> A -> B"),
    ("dot (1, (2, ()))", "Real * (Real * unit) -> Real"),
    ("\\x => x + x", "Real -> Real"),
    // Types as written.
    ("\\(x : Real * (Real * Bool)) => x[1][1]", "Real * (Real * Bool) -> Bool"),
    ("\\(x : Real^2 * Real) => x", "Real^2 * Real -> Real^2 * Real"),
    ("\\(f : Real -> Real -> Real) => f", "(Real -> Real -> Real) -> Real -> Real -> Real"),
    ("\\(x : Real^1) => x + 1", "Real -> Real"),
    ("\\(x : Real^0) => x", "unit -> unit"),
    ("\\(x : ()) => x", "unit -> unit"),
    ("\\(i : Real ≅ Bool) => i.to", "(Real ~= Bool) -> Real -> Bool"),
    ("\\(i : Real ~= Bool) => i.from tt", "(Real ~= Bool) -> Real"),
    ("\\(x : Surface (Real^2)) => x", "(Real^2 -> Real) -> Real^2 -> Real"),
    ("\\(x : Surface.Surface Real) => x 1", "(Real -> Real) -> Real"),
    ("\\(x : ℜ2) ⇒ x[0]", "Real^2 -> Real"),
    ("\\(x : Tan (Real * Bool)) => tangentProd.to x", "Tan (Real * Bool) -> Tan Real * Tan Bool"),
    ("(2 : Nat)", "Nat"),
    ("(\\n => n : Nat -> Nat) 2", "Nat"),
    // Names.
    ("Prelude.relu", "Real -> Real"),
    ("Integral.map", "(A -> B) -> ((A -> Real) -> Real) -> (B -> Real) -> Real"),
    ("Integral.map", "(A -> B) -> ((A -> Real) -> Real) -> (B -> Real) -> Real"),
    ("let map = 1 in map", "Real"),
    ("der mean uniform change", "Real"),
    ("tangentTo_R.from (\\x => x, \\x => 1)", "Tan (Real -> Real)"),
    ("tangent_R.to (tangent sin (tangent_R.from (1, 1)))", "Real^2"),
    // Comments and space.
    ("1 ! one\n + ! two\n 2", "Real"),
    ("\u{feff}1", "Real"),
];

#[test]
fn programs_have_their_types() {
    let library = library();
    for &(program, expected) in PROGRAMS {
        let program = if program == "x" { "\\x => x + 0" } else { program };
        let found = answer(&library, program);
        match expected {
            "error" => assert!(found.starts_with("error"), "{program}\n{found}"),
            _ => assert_eq!(found, expected, "{program}"),
        }
    }
}

/// S Fig. 2, S73: every constant has the type that the paper gives it, and operators work on more.
#[test]
fn constants_have_their_types() {
    let library = library();
    for &constant in Constant::ALL {
        let scheme = constant.scheme();
        assert!(scheme.ty.size() >= 1 && scheme.to_string() != "unit", "{constant:?}");
        assert!(!constant.summary().is_empty() && constant.summary().ends_with('.'), "{constant:?}");
        for name in constant.names() {
            // which product or comparison is meant is decided by types
            let named = match constant {
                Constant::NaturalProduct => Constant::Multiply,
                Constant::RealPower | Constant::NaturalPower => Constant::Power,
                Constant::RealLess => Constant::Less,
                Constant::RealLessEqual => Constant::LessEqual,
                Constant::RealGreater => Constant::Greater,
                Constant::RealGreaterEqual => Constant::GreaterEqual,
                Constant::RealEqual => Constant::Equal,
                Constant::RealNotEqual => Constant::NotEqual,
                other => other,
            };
            assert_eq!(Constant::from_name(name), Some(named));
            assert!(!answer(&library, name).starts_with("error"), "{name}");
        }
    }
    let table = [
        (Constant::Divide, "Real -> Real -> Real"),
        (Constant::Max, "Real -> Real -> Real"),
        (Constant::Planar(Planar::Atan2), "Real -> Real -> Real"),
        (Constant::Functional(Functional::Integral), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::CutRoot), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::FirstRoot), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::Maximum), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::Maximiser), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::Minimum), "(Real -> Real) -> Real"),
        (Constant::Functional(Functional::Minimiser), "(Real -> Real) -> Real"),
        (Constant::Tangent, "(A -> B) -> Tan A -> Tan B"),
        (Constant::TangentValue, "Tan A -> A"),
        (Constant::TangentR, "Tan Real ~= Real^2"),
        (Constant::TangentProd, "Tan (A * B) ~= Tan A * Tan B"),
        (Constant::TangentToR, "Tan (A -> Real) ~= (A -> Real)^2"),
        (Constant::Deriv, "(Real -> Real) -> Real -> Real"),
        (Constant::Jvp, "(A -> B) -> A -> A -> B"),
        (Constant::Rd, "(A -> B) -> A -> B -> A"),
        (Constant::Zero, "A"),
        (Constant::Scale, "Real -> A -> A"),
        (Constant::Dot, "A -> A -> Real"),
        (Constant::Trace, "(A -> A) -> Real"),
        (Constant::Det, "(A -> A) -> Real"),
        (Constant::LinearSolve, "(A -> A) -> A -> A"),
        (Constant::Fst, "A * B -> A"),
        (Constant::Pi, "Real"),
    ];
    for (constant, ty) in table {
        assert_eq!(constant.scheme().to_string(), ty, "{constant:?}");
    }
}

/// A literal is `Real` or `Nat` by its use; the term says which.
#[test]
fn literals_take_the_type_of_their_use() {
    use smoothish::syntax::term::{Term, TermKind};
    fn literals(term: &Term, found: &mut String) {
        match term.kind() {
            TermKind::Real(value) => found.push_str(&format!("{value}r ")),
            TermKind::Nat(value) => found.push_str(&format!("{value}n ")),
            kind => kind.children().for_each(|child| literals(child, found)),
        }
    }
    for (program, expected) in [
        ("1 + 2.5", "1r 5/2r "),
        ("toReal (1 + 2) + 3", "1n 2n 3r "),
        ("\\n => if n == 0 then 1 else 2", "0n 1r 2r "),
        ("let rec f n = if n == 0 then 1 else n * f (n - 1) in f 4", "0n 1n 1n 4n "),
        // one that a `let` binds is open at every use
        ("let x = 3 in toReal x", "3r 3n "),
        ("let x = 3 in (toReal x, x / 2)", "3r 3n 3r 2r "),
        ("let x = 3.0 in toReal x", "error"),
        ("(\\x => toReal x) 3", "3n "),
        ("2^2", "2r 2r "),
    ] {
        match library().infer_expression(program) {
            Ok((term, _)) => {
                let mut found = String::new();
                literals(&term, &mut found);
                assert_eq!(found, expected, "{program}");
            }
            Err(_) => assert_eq!(expected, "error", "{program}"),
        }
    }
}

/// Variables are counted from the innermost binder, also under patterns, which bind the tuple first.
#[test]
fn variables_are_counted_from_the_inside() {
    let library = library();
    for (program, printed) in [
        ("\\x => \\y => \\x => (x, y)", "\\x => \\y => \\x' => (x', y)"),
        ("\\(a, b) c => (c, b, a)", "\\pair => let a = pair[0] in let b = pair[1] in \\c => (c, b, a)"),
        (
            "\\((a, _), b, c) => a + b + c",
            "\\tuple => let pair = tuple[0] in let a = pair[0] in let b = tuple[1] in let c = tuple[2] in a + b + c",
        ),
        ("let rec f n = f n in f", "let rec f = \\n => f n in f"),
        ("let sin = 2 * pi in sin", "let sin = 2 * pi in sin"),
        ("\\x => let y = (\\y => y) x in Prelude.relu y", "\\x => let y = (\\y => y) x in Prelude.relu y"),
        ("\\max => max + (1 : Real)", "\\max => max + 1"),
        ("let f max' = max max' 1 in f", "let f = \\max' => max max' 1 in f"),
        ("1 - (2 - 3) - 4 * (5 + 6) / 7", "1 - (2 - 3) - 4 * (5 + 6) / 7"),
        ("(2^3)^4 + 2^(3^pi) + (-2)^2 - -2", "(2 ^ 3) ^ 4 + 2 ^ 3 ^ pi + (-2) ^ 2 - -2"),
        ("(\\x => x) (sin 1) + (if tt then 1 else 2)", "(\\x => x) (sin 1) + (if tt then 1 else 2)"),
        ("tt && ff || tt", "if if tt then ff else ff then tt else tt"),
    ] {
        match library.infer_expression(program) {
            Ok((term, _)) => assert_eq!(term.to_string(), printed, "{program}"),
            Err(error) => panic!("{program}: {error}"),
        }
    }
}
