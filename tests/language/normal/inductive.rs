//! Normal forms of inductive types: β of `match` and of folds, and η, which has to end.

use super::{library, normal_in};
use smoothish::syntax::normal::NormalError;

/// A program, and another one with the same normal form.
const SAME: &[(&str, &str)] = &[
    ("\\x => match Node (Leaf, x, Leaf) with Leaf => 0 | Node (l, y, r) => y + 1", "\\x => x + 1"),
    ("foldTree 0 (\\(l, x, r) => l + x + r) Leaf", "0.0"),
    (
        "\\t => foldTree 0 (\\(l, x, r) => l + x + r) (Node (Leaf, 1, t))",
        "\\t => 0 + 1 + foldTree 0 (\\(l, x, r) => l + x + r) t",
    ),
    ("\\(f : Real * Real * Real -> Real) z => foldTree z f (Node (Leaf, 2, Leaf))", "\\f z => f (z, 2, z)"),
    ("mapTree sin (Node (Node (Leaf, 1, Leaf), 2, Leaf))", "Node (Node (Leaf, sin 1, Leaf), sin 2, Leaf)"),
    ("flatten (threeNodes 2)", "[2, 2^2, 3]"),
    ("mirror (mirror (Node (Leaf, 1, Node (Leaf, 2, Leaf))))", "Node (Leaf, 1, Node (Leaf, 2, Leaf))"),
    ("(depth (threeNodes 1) : Nat)", "(2 : Nat)"),
    ("evalPoly parabola", "\\x => x * (x + 1)"),
    ("differentiate (Times (Variable, Variable))", "Plus (Times (Number 1, Variable), Times (Variable, Number 1))"),
    ("\\x => deriv (evalPoly parabola) x", "\\x => deriv (\\y => y * (y + 1)) x"),
    // under lists, and under another declared type
    ("sumRose (Rose (1, [Rose (2, []), Rose (3, [])]))", "1 + (2 + 0 + (3 + 0 + 0))"),
    ("\\ts => foldRose (\\(x, xs) => x + 1) (Rose (1, ts))", "\\(ts : List (Rose Real)) => 1 + 1"),
    ("\\(t : Tree (Real * unit)) => t", "\\t => t"),
];

#[test]
fn constructors_meet_matches_and_folds() {
    let library = library();
    for (left, right) in SAME {
        let normal = normal_in(&library, left).unwrap_or_else(|error| panic!("{left}: {error}"));
        // the type of the other side comes from this one
        let right = format!("({right} : {})", normal.ty());
        let other = normal_in(&library, &right).unwrap_or_else(|error| panic!("{right}: {error}"));
        assert_eq!(normal, other, "{left}\n{normal:?}\n{other:?}");
        let text = normal.to_program(&library, None).unwrap_or_else(|error| panic!("{left}: {error}"));
        assert_eq!(normal_in(&library, &text).as_ref(), Ok(&normal), "{text}");
    }
}

/// A fold of what is not known is kept, and so is η: these mean the same, and are two normal forms.
#[test]
fn eta_is_left() {
    let library = library();
    for (left, right) in [
        ("\\(t : Tree Real) => t", "\\(t : Tree Real) => foldTree Leaf Node t"),
        ("\\(t : Tree Real) => t", "\\(t : Tree Real) => match t with Leaf => Leaf | Node x => Node x"),
        ("sumTree", "\\(t : Tree Real) => sum (flatten t)"),
    ] {
        let (left, right) = (normal_in(&library, left).unwrap(), normal_in(&library, right).unwrap());
        assert_eq!(left.ty(), right.ty());
        assert_ne!(left, right);
    }
}

/// What has a recursive type is not expanded, also inside functions and tuples.
#[test]
fn eta_of_other_types_ends_at_recursive_ones() {
    let library = library();
    for program in [
        "\\(f : Tree (Real * Real) -> Rose (Real -> Real) * Poly) => f",
        "\\(t : Tree (Tree Real * unit)) => (t, t)",
        "\\(p : Poly * Rose unit) => p",
    ] {
        let normal = normal_in(&library, program).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(normal.part_count() < 60, "{program}: {}", normal.part_count());
        let text = normal.to_program(&library, None).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!(normal_in(&library, &text).as_ref(), Ok(&normal), "{text}");
    }
}

#[test]
fn what_does_not_end_is_counted() {
    let library = library();
    let endless = "let rec f (t : Tree Real) : Real = f (Node (t, 1, t)) in f Leaf";
    assert!(matches!(normal_in(&library, endless), Err(NormalError::Steps { .. } | NormalError::Depth { .. })));
    let deep = "let rec chain (n : Nat) (t : Tree Real) : Tree Real = if n == 0 then t else chain (n - 1) (Node (t, 1, Leaf)) \
                in chain 100000 Leaf";
    assert!(normal_in(&library, deep).is_err());
    let bush = "let rec bush (n : Nat) (t : Tree Real) : Tree Real = if n == 0 then t else bush (n - 1) (Node (t, 1, t)) in \
                bush 40 Leaf";
    match normal_in(&library, bush) {
        Ok(normal) => assert!(normal.to_program(&library, None).is_err()),
        Err(error) => assert!(matches!(error, NormalError::Steps { .. } | NormalError::Size { .. }), "{error}"),
    }
}
