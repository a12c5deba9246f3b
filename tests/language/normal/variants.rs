//! Normal forms of variants and lists: β decides, η is left.

use super::{library, normal_in};

/// A program without the types of its `\\(x : T) =>`.
fn without_types(text: &str) -> String {
    let mut parts = text.split("\\(");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, _) = part.split_once(" : ").unwrap_or((part, ""));
        let (_, rest) = part.split_once(") =>").unwrap_or(("", part));
        bare += &format!("\\{name} =>{rest}");
    }
    bare
}

#[test]
fn what_is_known_is_computed_and_the_rest_is_kept() {
    let library = library();
    for (program, form) in [
        ("match Just 2 with Nothing => 0 | Just x => x + x", "2 + 2"),
        ("\\x => match Just x with Nothing => 0 | Just y => y + 1", "\\x => x + 1"),
        (
            "\\(m : Maybe Real) => match m with Nothing => 0 | Just x => x + 1",
            "\\m => match m with Nothing => 0 | Just x => x + 1",
        ),
        ("fold (\\x y => x - y) 0 [10, 3, 2]", "10 - (3 - (2 - 0))"),
        ("\\xs => fold (\\x r => x + r) 0 (1 :: xs)", "\\xs => 1 + fold (\\x => \\r => x + r) 0 xs"),
        ("\\(xs : List Real) => match 1 :: xs with [] => xs | x :: rest => rest", "\\xs => xs"),
        (
            "\\(xs : List Real) => match xs with [] => 0 | x :: rest => x",
            "\\xs => match xs with [] => 0 | x :: rest => x",
        ),
        ("horner [1, 2, 3]", "\\x => 1 + x * (2 + x * (3 + x * 0))"),
        ("reverse [1, 2, 3]", "[3, 2, 1]"),
        ("append [1] [2]", "[1, 2]"),
        ("present [Just 1, Nothing, Just 2]", "[1, 2]"),
        ("countdown 3", "([3, 2, 1] : List Nat)"),
        ("length [tt, ff]", "(2 : Nat)"),
        (
            "\\(m : Maybe (Real * Real)) => match m with Nothing => 0 | Just (a, b) => a - b",
            "\\m => match m with Nothing => 0 | Just pair => pair[0] - pair[1]",
        ),
        ("let rec f xs = match xs with [] => 0 | x :: rest => x + f rest in f [1, 2]", "1 + (2 + 0)"),
        ("\\(f : Maybe Real -> Real) => f (Just (fst (1, 2)))", "\\f => f (Just 1)"),
        ("[sin, \\x => x]", "[\\x => sin x, \\x => x]"),
    ] {
        let normal = normal_in(&library, program).unwrap_or_else(|error| panic!("{program}: {error}"));
        let text = normal.to_program(&library, None).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!(without_types(&text), form, "{program}");
        assert_eq!(normal_in(&library, &text).as_ref(), Ok(&normal), "{text}");
    }
}

#[test]
fn a_recursion_over_an_unknown_list_is_kept() {
    let library = library();
    let program = "let rec f xs = match xs with [] => 0 | x :: rest => x + f rest in \\xs => f (1 :: xs)";
    let text = normal_in(&library, program).unwrap().to_program(&library, None).unwrap();
    assert!(text.starts_with("\\") && text.contains("1 + (let rec f"), "{text}");
}

/// η of variants and lists is not decided: these are two normal forms, though they mean the same.
#[test]
fn eta_is_left() {
    let library = library();
    for (left, right) in [
        ("\\(m : Maybe Real) => m", "\\(m : Maybe Real) => match m with Nothing => Nothing | Just x => Just x"),
        ("\\(xs : List Real) => xs", "\\(xs : List Real) => fold (::) [] xs"),
    ] {
        assert_ne!(normal_in(&library, left).unwrap(), normal_in(&library, right).unwrap());
    }
}
