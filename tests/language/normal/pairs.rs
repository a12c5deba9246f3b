//! Programs whose normal forms are known, equal ones, and ones that are not equal.

use super::{library, normal, normal_in};
use smoothish::syntax::library::Library;
use smoothish::syntax::normal::{NormalError, normalise};
use smoothish::theory::builtin;

#[test]
fn normal_forms_are_printed_as_programs() {
    for (program, expected) in [
        // β
        ("(\\x => x + x) 3", "3 + 3"),
        ("let x = 2 in let y = x * x in y - x", "2 * 2 - 2"),
        ("(\\f x => f (f x)) sin 2", "sin (sin 2)"),
        ("let id = \\x => x in id sin (id 1.0)", "sin 1"),
        ("fst (sin 1, 2) + snd (3, pi)", "sin 1 + pi"),
        ("(1, (2, 3))[1][0]", "2"),
        ("let (a, (b, c)) = (1, (2, 3)) in a * c", "1 * 3"),
        // η
        ("sin", "\\x => sin x"),
        ("max", "\\x => \\x' => max x x'"),
        ("deriv sin", "\\x => deriv (\\x' => sin x') x"),
        ("integral01 (max 0)", "integral01 (\\x => max 0 x)"),
        ("\\(p : Real * Real) => p", "\\(p : Real^2) => (p[0], p[1])"),
        ("\\(u : unit) => u", "\\(u : unit) => ()"),
        ("\\(f : Real -> unit) => f", "(\\f => \\x => () : (Real -> unit) -> Real -> unit)"),
        ("\\(p : Real^2) => p + (1, 2)", "\\(p : Real^2) => (p[0] + 1, p[1] + 2)"),
        ("\\(p q : Real^2) => (p - -q)[1]", "\\(p : Real^2) => \\(q : Real^2) => p[1] - -q[1]"),
        // conditions, recursion on numbers that are known, and natural numbers
        ("if not (1 < 2) then 1 else sin 1", "sin 1"),
        ("\\b => if b then 1.0 else (\\x => x) 2", "\\b => if b then 1 else 2"),
        ("let rec f n = if n == 0 then 1 else 2 * f (n - 1) in f 3", "2 * (2 * (2 * 1))"),
        ("let rec f n x = if n == 0 then x else sin (f (n - 1) x) in f 2", "\\x => sin (sin x)"),
        ("let rec f (n, x) k = if n == 0 then x + toReal k else f (n - 1, x) (k + 1) in f (2, pi) 5", "pi + toReal 7"),
        ("(2 + 3 : Nat)", "(5 : Nat)"),
        ("toReal (2 * 3)", "toReal 6"),
        // what is not computed
        ("1 + 1", "1 + 1"),
        ("0.5 * 2", "0.5 * 2"),
        (
            "tangent_R.to (tangent_R.from (1, 2))",
            "((tangent_R.to (tangent_R.from (1, 2)))[0], (tangent_R.to (tangent_R.from (1, 2)))[1])",
        ),
    ] {
        let form = normal(program);
        assert_eq!(form.to_string(), expected, "{program}");
        assert_eq!(form, normal(expected), "{program}");
    }
}

const EQUAL: &[(&str, &str)] = &[
    ("(\\p => p : (Real * Real -> Real) -> Real * Real -> Real) fst", "\\(p : Real^2) => fst p"),
    ("(\\p => p : (Real * Real -> Real) -> Real * Real -> Real) fst", "\\(p : Real^2) => p[0]"),
    ("(\\p => p : (Real * Real -> Real) -> Real * Real -> Real) snd", "\\(p : Real^2) => p[1]"),
    ("\\(g : (Real^2 -> Real) -> Real) => g fst", "\\(g : (Real^2 -> Real) -> Real) => g (\\p => fst p)"),
    ("\\x => sin x", "sin"),
    ("\\(f : Real -> Real -> Real) => f", "\\(g : Real -> Real -> Real) a => \\b => g a b"),
    ("\\x => fst (x, 2) + 1", "\\y => y + 1"),
    ("\\(p : Real * (Real * Real)) => p", "\\(a, (b, c)) => (a, (b, c))"),
    ("\\(f : Real -> Real * Real) => f", "\\(f : Real -> Real * Real) => \\x => (fst (f x), snd (f x))"),
    ("\\(f : Real * Real -> Real) => f", "\\(f : Real * Real -> Real) (x, y) => f (x, y)"),
    (
        "\\(v : Tan (Real * Real)) => tangentProd.to v",
        "\\(v : Tan (Real * Real)) => let (a, b) = tangentProd.to v in (a, b)",
    ),
    ("\\(f : unit -> Real) (u v : unit) => f u", "\\(f : unit -> Real) (u v : unit) => f v"),
    ("\\(x : Real) => let p = (x, x) in p + p", "\\x => (x + x, x + x)"),
    ("\\(c d : Real^2) => negate c - d", "\\(c d : Real^2) => (-(c[0]) - d[0], -(c[1]) - d[1])"),
    ("let f A (x : A) = x in (f sin, f (f 2.0))", "(sin, 2.0)"),
    ("\\(b : Bool) => if b then sin else cos", "\\(b : Bool) x => (if b then \\y => sin y else cos) x"),
    // capture: what is substituted keeps its variables
    ("\\(x : Real) => (\\(y x : Real) => y - x) x", "\\(x z : Real) => x - z"),
    ("\\(x y : Real) => let f = \\z => x + z in let x = y in f x", "\\(a b : Real) => a + b"),
    ("deriv (\\x => deriv (\\y => x * y) x)", "deriv (\\y => deriv (\\x => y * x) y)"),
    (
        "\\(f : (Real -> Real) -> Real) => f (\\x => f (\\y => x))",
        "\\(f : (Real -> Real) -> Real) => f (\\y => f (\\x => y))",
    ),
    // recursion
    (
        "let rec f n = if n == 0 then 1 else f (n - 1) in \\(n : Nat) => f n",
        "let rec g m = if m == 0 then 1.0 else g (m - 1) in g",
    ),
    ("let rec iter f n x = if n == 0 then x else f (iter f (n - 1) x) in iter sin 3", "\\x => sin (sin (sin x))"),
    ("let rec f n = let r = f (n - 1) in if n == 0 then 0 else 1 + r in f 2", "(1 : Real) + (1 + 0)"),
    ("let rec even n = if n == 0 then tt else not (even (n - 1)) in if even 7 then 1 else 2.0", "2.0"),
    (
        "let rec f n = integral01 (\\x => if n == 0 then x else x + f (n - 1)) in f 1",
        "integral01 (\\x => x + integral01 (\\y => y))",
    ),
];

const DIFFERENT: &[(&str, &str)] = &[
    ("sin", "cos"),
    ("1 + 2", "2 + 1"),
    ("1 + 1", "2.0"),
    ("0.5", "1/2"),
    ("\\(x y : Real) => x", "\\(x y : Real) => y"),
    ("\\(x : Real) => (\\(y x : Real) => y - x) x", "\\(x z : Real) => z - x"),
    ("\\(p : Real * Real) => p", "\\(p : Real * Real) => (p[1], p[0])"),
    ("\\x => tangent_R.to (tangent_R.from (x, x))", "\\(x : Real) => (x, x)"),
    ("\\(b : Bool) => if b then 1.0 else 1.0", "\\(b : Bool) => 1.0"),
    (
        "\\(f : (Real -> Real) -> Real) => f (\\x => f (\\y => x))",
        "\\(f : (Real -> Real) -> Real) => f (\\x => f (\\y => y))",
    ),
    ("let rec f n = if n == 0 then 1 else f (n - 1) in f", "let rec f n = if n == 0 then 2 else f (n - 1) in f"),
    ("deriv (\\x => deriv (\\y => x * y) x)", "deriv (\\x => deriv (\\y => x * y) 1)"),
];

#[test]
fn equal_programs_have_one_normal_form() {
    for (left, right) in EQUAL {
        let left = normal(left);
        let right = normal(&format!("({right} : {})", left.ty()));
        assert_eq!(left, right);
    }
}

#[test]
fn different_programs_have_two() {
    for (left, right) in DIFFERENT {
        let (left, right) = (normal(left), normal(right));
        assert_eq!(left.ty(), right.ty());
        assert_ne!(left, right);
    }
}

/// The type decides: at another type the same text is another program.
#[test]
fn normal_forms_of_different_types_differ() {
    assert_ne!(normal("\\(x : Real) => x"), normal("\\(x : Nat) => x"));
    assert_ne!(normal("\\(f : Real -> Real) => f"), normal("\\(f : Real * Real -> Real) => f"));
}

/// Variables of one level and different types are written with their own.
#[test]
fn variables_of_branches_are_those_of_their_own() {
    for text in [
        "\\(m : List Real) (n : List Nat) => (match m with [] => 0 | x :: _ => x, match n with [] => (0 : Nat) | y :: _ => y)",
        "(\\(x : Real) => x, \\(x : Nat) => x)",
    ] {
        let form = normal(text);
        assert_eq!(normalise(&form.to_term().unwrap()).unwrap(), form, "{text}");
        assert_eq!(normal(&form.to_string()), form, "{text}");
    }
}

#[test]
fn definitions_are_unfolded() {
    let library = library();
    let form = normal_in(&library, "relu").unwrap();
    assert_eq!(form, normal("\\x => max 0 x"));
    let mut done = 0;
    for definition in library.modules().iter().flat_map(|module| module.definitions()) {
        let form = normalise(&definition.term).unwrap_or_else(|e| panic!("{definition:?}: {e}"));
        let again = normalise(&form.to_term().unwrap_or_else(|e| panic!("{definition:?}: {e}")));
        let again = again.unwrap_or_else(|e| panic!("{definition:?}: {e}"));
        assert_eq!(form, again, "{definition:?}");
        done += 1;
    }
    assert!(done > 50, "{done}");
}

/// The claims of the theories are written out, and read back as what they are.
#[test]
fn claims_have_normal_forms() {
    let theories = builtin::load_theories();
    let mut done = 0;
    for claim in theories.theories().iter().flat_map(|theory| &theory.claims) {
        let programs = claim.statement.typed_programs();
        let Some((term, _)) = programs.first() else { continue };
        let form = normalise(term).unwrap_or_else(|e| panic!("{}: {e}", claim.name));
        match form.to_program(theories.library(), None) {
            Ok(text) => assert_eq!(normal_in(theories.library(), &text).as_ref(), Ok(&form), "{text}"),
            Err(error) => assert!(matches!(error, NormalError::TooLong { .. }), "{}: {error}", claim.name),
        }
        done += 1;
    }
    assert!(done > 60, "{done}");
}

#[test]
fn a_hidden_constant_is_reported() {
    let mut library = Library::new();
    let form = normal("\\x => sin x");
    assert_eq!(form.to_program(&library, None).as_deref(), Ok("\\x => sin x"));
    let source = "let sin x = x + 1";
    library.add_module("Mine".into(), Vec::new());
    let smoothish::syntax::parser::PromptInput::Definition(declaration) =
        smoothish::syntax::parser::parse_input(source, &[]).unwrap()
    else {
        panic!("{source}")
    };
    library.define("Mine", source, &declaration, "").unwrap();
    let refused = form.to_program(&library, None).unwrap_err();
    assert_eq!(refused, NormalError::NotExpressible { text: "\\x => sin x".to_owned() });
}
