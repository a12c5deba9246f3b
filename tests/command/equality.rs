//! `==`, and what it makes of numbers: natural ones whose differences are refused below 0, and real ones that are equal nowhere.

use super::cli::{Run, run};

/// A question, the exit status, what is printed, and what is said beside it.
type Row = (&'static str, i32, &'static str, &'static str);

#[track_caller]
fn holds((question, status, out, err): Row) -> Run {
    let run = run(&["eval", question]);
    assert_eq!((run.status, run.out.trim_end()), (Some(status), out), "{question}: {run:?}");
    assert!(if err.is_empty() { run.err.is_empty() } else { run.err.contains(err) }, "{question}: {run:?}");
    run
}

/// Where `==` alone makes a natural number, a difference below 0 is refused, with its place, the reason and what to write. Sides that are
/// not taken are not asked. The true values are those of arithmetic in ℤ, in which 1 - 4 is -3 and no natural number.
#[test]
fn differences_of_what_is_compared_are_refused_below_0() {
    let refused = holds((
        "let f x = if x == 0 then 1 else x - 4 in f 1",
        2,
        "",
        "error: 1 - 4 is less than 0, and `x` is a natural number because it is compared by `==` (1:14)\n --> question:1:33\n",
    ));
    assert!(
        refused.err.ends_with("  = help: real numbers: let f (x : Real) = …; natural ones that stop at 0: (x : Nat)\n"),
        "{refused:?}"
    );
    for row in [
        (
            "let rec g a b = if b == 0 then a else g b (a - b) in g 12 18",
            2,
            "",
            "error: 12 - 18 is less than 0, and `b`",
        ),
        (
            "let k x = if x /= 0 then x - 5 else 1 in k 2",
            2,
            "",
            "2 - 5 is less than 0, and `x` is a natural number because it is compared by `/=`",
        ),
        ("let h k = if k == 1 then 2 else k in h 1 - 5", 2, "", "error: 2 - 5 is less than 0"),
        ("(\\a => a - 5 == 2) 3", 2, "", "error: 3 - 5 is less than 0"),
        ("let f x = if x == 0 then 1 else if x == 1 then 7 else x - 4 in f 1", 0, "7", ""),
        ("let f x = if x == 0 then 1 else x - 4 in f 9", 0, "5", ""),
        ("let rec fact n = if n == 0 then 1 else n * fact (n - 1) in fact 5", 0, "120", ""),
        ("let f x = if x == 0 then 1 else x + 4 in f 1", 0, "5", ""),
    ] {
        holds(row);
    }
}

/// Only a type that is written keeps the difference that stops at 0, and says so; what a draw, `range` or `length` makes natural is refused.
#[test]
fn only_a_written_type_stops_at_0() {
    let note = "note: natural numbers are subtracted down to 0 and no further";
    for row in [
        ("let f (n : Nat) = n - 5 in f 3", 0, "0", note),
        ("(\\(p : Nat * Nat) => p[0] - p[1]) (3, 5)", 0, "0", note),
        ("(length [1, 2] : Nat) - 5", 0, "0", note),
        ("let f n : Nat = n - 5 in f 3", 0, "0", note),
        ("length [1, 2] - 5", 2, "", "error: 2 - 5 is less than 0"),
        ("nthDeriv (0 - 1) sin 1", 2, "", "error: 0 - 1 is less than 0"),
        ("range (2 - 3)", 2, "", "error: 2 - 3 is less than 0"),
        ("fold (\\k r => (k - 2) + r) 0 (range 4)", 2, "", "error: 1 - 2 is less than 0, and `k` is a natural number"),
        ("(length [1, 2], 1.0) - (5, 2.0)", 2, "", "error: 2 - 5 is less than 0"),
        ("toReal (length [1, 2]) - 5", 0, "-3", ""),
        ("length [1, 2] - 2", 0, "0", ""),
    ] {
        holds(row);
    }
}

/// With draws, in every command that runs a program: E(K - 4) of a Poisson number of rate 3 is -1, and E max(K - 4, 0) is
/// Σ_{k>4} (k - 4) e⁻³ 3ᵏ/k! = 0.3193573…, which only a reader who wrote `Nat` can mean.
#[test]
fn draws_are_refused_below_0_in_every_command() {
    let model = "do { k <- sample (poisson 3); return (k - 4) }";
    for arguments in [
        &["expect", model, r"\z => toReal z"][..],
        &["expect", "do { k <- sample (poisson 3); return k }", r"\k => toReal (k - 4)"],
        &["evidence", "do { k <- sample (poisson 3); score (toReal (k - 1)); return () }"],
        &["infer", model, r"\z => toReal z"],
        &["expect", "do { k <- sample (geometric 0.5); return (3 - k) }", r"\z => toReal z"],
    ] {
        let run = run(arguments);
        assert_eq!((run.status, &*run.out), (Some(2), ""), "{arguments:?}: {run:?}");
        assert!(run.err.contains("is less than 0"), "{arguments:?}: {run:?}");
    }
    for (model, of, out) in [
        ("do { k <- sample (poisson 3); return (toReal k - 4) }", r"\z => z", "[-1.00000001, -0.99999999]\n"),
        (
            "do { k <- sample (poisson 3); return (if k < 4 then 0 else k - 4) }",
            r"\z => toReal z",
            "[0.31935731, 0.31935732]\n",
        ),
        ("do { k <- sample (poisson 3); return ((k : Nat) - 4) }", r"\z => toReal z", "[0.31935731, 0.31935732]\n"),
    ] {
        let run = run(&["expect", model, of]);
        assert_eq!((run.status, &*run.out), (Some(0), out), "{model}: {run:?}");
    }
}

/// A power of a draw is a product of so many factors, for large numbers too: E(½ᴷ) of a Poisson number of rate 3 is e^(-3/2).
#[test]
fn powers_of_draws_are_products() {
    let run = run(&["expect", "do { k <- sample (poisson 3); return k }", r"\k => 0.5^k"]);
    let ends: Vec<f64> = run.out.trim().trim_matches(['[', ']']).split(", ").map(|end| end.parse().unwrap()).collect();
    let value = (-1.5f64).exp();
    assert!(run.status == Some(0) && ends[0] <= value && value <= ends[1], "{run:?}");
}

/// The same refusal in every model that has the program, and at the prompt.
#[test]
fn every_model_refuses_it() {
    for model in ["presheaf", "tower", "partial", "pap", "float"] {
        let run = run(&["eval", "--model", model, "let f x = if x == 0 then 1 else x - 4 in toReal (f 1)"]);
        assert_eq!(run.status, Some(2), "{model}: {run:?}");
        assert!(run.err.contains("error: 1 - 4 is less than 0"), "{model}: {run:?}");
        let run = super::cli::run(&["eval", "--model", model, "let f x = if x == 0 then 1 else x - 4 in toReal (f 9)"]);
        assert_eq!(
            run.status.filter(|status| [0, 3].contains(status)).map(|_| run.out.contains('5')),
            Some(true),
            "{model}: {run:?}"
        );
    }
}

/// Real numbers are equal nowhere that a program could tell: `==` is ff where they differ and ⊥ where they are equal, as `<` is ⊥ there.
/// sin ½ / ½ = 0.958851077208406…; ∫₀¹ x dx = ½, whatever happens at one point.
#[test]
fn real_numbers_are_compared_off_the_border() {
    let equal = "the two sides are equal, or not distinguished; --model pap decides";
    for row in [
        ("let f (x : Real) = if x == 0 then 1 else x - 4 in f 1", 0, "-3", ""),
        ("let f (x : Real) = if x == 0 then 1 else x - 4 in f 0", 4, "[-inf, inf]", equal),
        ("(\\(x : Real) => if x == 0 then 1 else sin x / x) 0.5", 0, "[0.95885107, 0.95885108]", ""),
        ("(\\(x : Real) => if x == 0 then 1 else sin x / x) 0", 4, "[-inf, inf]", equal),
        ("(\\(x : Real) => if x /= 0 then sin x / x else 1) 0", 4, "[-inf, inf]", equal),
        ("(\\(x : Real) => if x /= 0 then sin x / x else 1) 0.5", 0, "[0.95885107, 0.95885108]", ""),
        ("integral01 (\\x => if x == 1/2 then 1 else x)", 0, "0.5", ""),
        ("integral01 (\\x => if x /= 1/3 then x else 7)", 0, "[0.49999999, 0.50000001]", ""),
        ("sin 1 == 0", 0, "ff", ""),
        ("sin 1 /= 0", 0, "tt", ""),
        ("sin pi == 0", 4, "undecided", ""),
        ("deriv (\\x => if x == 0 then 0 else x) 1", 0, "1", ""),
        ("deriv (\\x => if x == 0 then 0 else x) 0", 4, "[-inf, inf]", ""),
    ] {
        let run = run(&["eval", row.0]);
        assert_eq!((run.status, run.out.trim_end()), (Some(row.1), row.2), "{}: {run:?}", row.0);
        assert!(run.err.contains(row.3), "{}: {run:?}", row.0);
    }
    let run = run(&["plot", r"\x => if x == 0 then 1 else x - 4", "--from", "-1", "--to", "1"]);
    assert!(run.status == Some(0) || run.err.contains("not shown to be defined on"), "{run:?}");
    assert!(run.out.contains('┤') && !run.err.contains("error"), "{run:?}");
}

/// Arithmetic of literals is compared exactly, and so it is after β-reduction; a literal that a `let` binds is open to the end.
#[test]
fn literals_are_compared_exactly() {
    for (question, out) in [
        ("5 - 3 == 2", "tt"),
        ("0.1 + 0.2 == 0.3", "tt"),
        ("2.0 == 2", "tt"),
        ("1/3 + 1/3 + 1/3 == 1", "tt"),
        ("2 - 5 == 0", "ff"),
        ("2 - 5 /= 0 - 3", "ff"),
        ("0.1 + 0.2 /= 0.30000000000000004", "tt"),
        ("let a = 1 in a == 1", "tt"),
        ("let a = 0.3 in 0.1 + 0.2 == a", "tt"),
        ("(\\(x : Real) => x == 0.3) (0.1 + 0.2)", "tt"),
        ("(\\x => x + 0.2 == 0.3) 0.1", "tt"),
        ("(\\a => 5 - a == 2) 3", "tt"),
        ("(\\a => a == 2) (5 - 3)", "tt"),
        ("not (0.5 == 1/2)", "ff"),
        ("let n = 3 in length (range n)", "3"),
        ("let n = 3 in (length (range n), n / 2)", "(3, 1.5)"),
    ] {
        holds((question, 0, out, ""));
    }
    holds(("if 5 - 3 == 2 then 1 else 0", 0, "1", ""));
}

/// What to write instead of what is refused because of `==`.
#[test]
fn refusals_say_what_to_write() {
    for (question, told) in [
        ("let f x = if x == 0 then 1 else x - 4 in deriv f 1", "(x : Real)"),
        (
            "\\x => if x == 0 then 1 else x - 4",
            "of type Nat -> Nat: apply it to an argument of type Nat to see a number; `x` is a natural number because it is compared by `==`",
        ),
        (
            "let rec fact n = if n <= 1 then 1 else n * fact (n - 1) in fact 5",
            "let rec fact (n : Nat) = if n <= 1 then 1 else n * fact (n - 1);",
        ),
        (
            "let rec power x n = if n < 1 then 1 else x * power x (n - 1) in power 2 5",
            "let rec power x (n : Nat) = if n < 1",
        ),
        (
            "let fact n = if n == 0 then 1 else n * fact (n - 1) in fact 5",
            "help: a function that calls itself is defined by let rec fact",
        ),
    ] {
        holds((question, 2, "", told));
    }
    // what is told is right
    holds(("let rec fact (n : Nat) = if n <= 1 then 1 else n * fact (n - 1) in fact 5", 0, "120", ""));
}
