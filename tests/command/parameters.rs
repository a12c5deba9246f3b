//! Programs that have no meaning, as the command line refuses them: the parameter is named, and the status says whether it is certain.

use super::cli::{file, run};

fn refused(arguments: &[&str], status: i32, told: &str) {
    let found = run(arguments);
    assert_eq!(found.status, Some(status), "{arguments:?}: {found:?}");
    assert!(found.out.is_empty() && found.err.contains(told) && !found.err.contains("log"), "{arguments:?}: {found:?}");
}

/// Status 2: with some chance it is no distribution.
#[test]
fn what_is_certainly_out_of_range_has_the_status_2() {
    let observed = "do { x <- sample (uniformOn 0 2); observe (bernoulli x) tt; return x }";
    let identity = r"\x => x";
    let told = "error: the probability of bernoulli is not <= 1";
    refused(&["evidence", "do { observe (bernoulli 1.1) tt; return () }"], 2, told);
    refused(&["evidence", observed], 2, told);
    refused(&["expect", observed, identity], 2, told);
    refused(&["infer", observed, identity], 2, told);
    refused(&["pushforward", identity, "--of", observed, "--at", "0.5"], 2, told);
    refused(&["plot", "--density", observed, "--from", "0", "--to", "1"], 2, told);
    let ff = "do { observe (bernoulli (-0.1)) ff; return () }";
    refused(&["evidence", ff], 2, "error: the probability of bernoulli is not >= 0");
    let moved = r"\t => do { x <- sample (uniformOn 0 2); observe (bernoulli (t*x)) tt; return x }";
    refused(&["expect", "--at", "1", "--deriv", "1", moved, identity], 2, told);
    let seen = "do { observe (normal 0 (-1)) 1; return () }";
    refused(&["evidence", seen], 2, "error: the standard deviation of normal is not > 0");
    let drawn = r"\t => do { b <- sample (bernoulli t); if b then return 1 else return 0 }";
    refused(&["estimators", "--at", "2", drawn, identity], 2, told);
}

/// Status 4: it is not shown to be one, be it for all parameters nearby.
#[test]
fn what_is_not_shown_has_the_status_4() {
    let told = "is not shown to be <= 1 for all parameters of the program near the place";
    for model in [
        r"\t => do { observe (bernoulli (t + 1)) tt; return () }",
        r"\t => do { b <- sample (bernoulli (t + 1)); return () }",
    ] {
        refused(&["evidence", "--at", "0", "--deriv", "1", model], 4, told);
        assert_eq!(run(&["evidence", "--at", "0", model]).status, Some(0), "{model}: at the place itself there is one");
    }
}

/// In the language itself what has no meaning has no value, and the reason is what the parameter has to be.
#[test]
fn densities_have_no_value_there() {
    for (program, told) in [
        ("likelihood (sample (bernoulli 1.1)) [TruthDraw tt]", "the probability of bernoulli has to be >= 0 and <= 1"),
        ("density (sample (normal 0 (-1))) [1]", "the standard deviation of normal has to be > 0"),
        ("density (observe (gamma 0 1) 1) []", "the shape of gamma has to be > 0"),
        ("density (do { score (-1); return 3 }) []", "a score has to be >= 0"),
    ] {
        for model in ["presheaf", "pap", "partial"] {
            let found = run(&["eval", "--model", model, program]);
            assert_eq!(found.status, Some(4), "{model}: {found:?}");
            assert!(found.err.contains(told), "{model}, {program}: {found:?}");
            assert!(!found.err.contains("log") && !found.err.contains("theories/"), "{model}, {program}: {found:?}");
        }
    }
    assert_eq!(run(&["eval", "density (do { score 0; return 3 }) []"]).out, "0\n");
}

/// Densities that are 0 at an end where those of equal laws are not, as they once were, are refuted by the laws of the theory.
#[test]
fn densities_that_are_lost_at_an_end_are_refuted() {
    let theory = file(
        "lost.theory",
        "theory Lost extends Trace\ncite Lew2021 \"4.1\"\nabout \"Densities that are 0 at the ends.\"\n
! The gamma distribution without its end.
let openGamma (shape rate : Real) : Dist Real =
  Dist (Gamma (shape, rate), realOf, \\x =>
    let constant = shape * log rate + log shape - lgamma (shape + 1) in
    if x <= 0 then 0 * constant else exp (constant + (shape - 1) * log x - rate * x))
law gamma_is_exponential (r x : Real) : density (sample (openGamma 1 r)) [x] ~ density (sample (exponential r)) [x]
  where positive r because \"a gamma distribution of shape 1 is exponential\"
model pap : all
",
    );
    let found = run(&["check", &theory]);
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(found.out.contains("refuted") && found.out.contains("let x : Real = 0"), "{found:?}");
}

/// A derivative is not claimed where beside the place there is no program, and a reason is not told where the answer is reached.
#[test]
fn reasons_fit_their_answers() {
    for model in
        [r"\t => do { score t; return () }", r"\t => do { x <- sample (uniformOn 0 1); score (t*x); return x }"]
    {
        let found = run(&["evidence", "--at", "0", "--deriv", "1", model]);
        assert_eq!((found.status, &*found.out), (Some(4), "[-inf, inf]\n"), "{found:?}");
        assert!(found.err.contains("a score is negative for parameters near the place"), "{found:?}");
    }
    let tosses = (0..40)
        .map(|k| format!("observe (bernoulli p) {}; ", if k % 3 == 0 { "tt" } else { "ff" }))
        .collect::<String>();
    let model = format!("do {{ p <- sample (beta 2 5); {tosses}return p }}");
    let found = run(&["expect", "--json", &model, r"\p => p"]);
    assert!(found.out.contains(r#""reached":true"#) && found.out.contains(r#""why":null"#), "{found:?}");
    let atoms = "do { b <- sample (bernoulli 0.5); if b then return 2 else return (-2) }";
    let found = run(&["pushforward", r"\x => x*x", "--injective", "--of", atoms, "--at", "4"]);
    assert!(found.out.contains("injective: not asked for: the image is made of atoms"), "{found:?}");
    let sum = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x + y) }";
    let found = run(&["pushforward", r"\x => x", "--injective", "--of", sum, "--at", "1"]);
    assert!(found.status == Some(2) && found.err.contains("of dimension 1 with 2 draws"), "{found:?}");
}
