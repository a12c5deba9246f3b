//! What is told of questions about programs that sample: the cause, and nothing that nobody wrote.

use super::change::changed;
use super::{Ask, PLAIN, asked};
use smoothish::measure::change::ChangeOfVariablesError;

const IDENTITY: &str = "\\x => x";

/// Atoms have masses, which are added where they come to lie on each other: it is not said that the map is injective.
#[test]
fn of_atoms_injectivity_is_not_claimed() {
    let two = "do { b <- sample (bernoulli 0.5); if b then return 2 else return (-2) }";
    let found = changed(two, "\\x => x*x", "4").expect("an answer");
    let [(0, mass)] = &found.densities[..] else { panic!("{found:?}") };
    assert!(mass.is_defined() && mass.contains(&1.into()) && found.parts.len() == 2, "{found:?}");
    let proved = found.injectivity_proof.expect("no assumption is needed");
    assert!(
        proved.starts_with("not asked for") && proved.contains("added") && found.assumptions.is_empty(),
        "{proved}"
    );
    // where there is a chart beside an atom, it is asked of that
    let beside = "do { b <- sample (bernoulli 0.5); if b then return 2 else sample (normal 0 1) }";
    let found = changed(beside, "\\x => 3*x", "6").expect("an answer");
    assert!(found.injectivity_proof.is_some_and(|why| why.contains("linear")), "{found:?}");
    let squared = changed(beside, "\\x => x*x", "4").expect_err("it is not injective");
    assert!(matches!(squared, ChangeOfVariablesError::NotInjective(_)), "{squared}");
}

/// Where the draws do not follow from what the program gives, the program is named and not the map.
#[test]
fn a_program_that_folds_its_draws_is_told() {
    let sum = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x + y) }";
    for map in [IDENTITY, "\\x => 2*x", "\\x => exp x"] {
        let fault = changed(sum, map, "1").expect_err("draws do not follow");
        assert!(matches!(fault, ChangeOfVariablesError::SingularValues { values: 1, draws: 2 }), "{fault}");
        let text = fault.to_string();
        assert!(text.contains("values of the program") && !text.contains("the map neither"), "{text}");
    }
    let line = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x + y, 2*x + 2*y) }";
    let fault = changed(line, IDENTITY, "(1, 2)").expect_err("on a line");
    assert!(matches!(fault, ChangeOfVariablesError::SingularValues { values: 2, draws: 2 }), "{fault}");
    // what the map does is told of the map
    let plane = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }";
    let fault = changed(plane, "\\(x, y) => x + y", "1").expect_err("the map folds");
    assert!(matches!(fault, ChangeOfVariablesError::Singular(_)), "{fault}");
}

/// No guard is spoken of where there is none.
#[test]
fn ends_and_guards_are_told_apart() {
    // an end that is no polynomial of another draw
    let ask = Ask { eps: "1e-30", seconds: 2, ..PLAIN };
    let ends = "\\t => do { x <- sample (normal 0 1); y <- sample (uniformOn 0 (exp (t*x + sin x))); return y }";
    let answer = asked(ends, Some("\\y => y"), Ask { at: Some("0.5"), order: 1, ..ask });
    let why = answer.map(|answer| answer.width_reason.unwrap_or_default()).unwrap_or_default();
    assert!(!why.contains("a guard"), "{why}");
    let guarded = "\\t => do { x <- sample (normal 0 1); y <- sample (normal 0 1); score (if x^4 + y^4 < t then 1 else 0); return x }";
    let answer = asked(guarded, None, Ask { at: Some("0.5"), order: 1, ..ask }).expect("an answer");
    let why = answer.width_reason.unwrap_or_default();
    assert!(why.starts_with("a guard (a comparison"), "{why}");
    // the Gumbel distribution has none either, and its density at 0.3 is e^(-0.3 - e^(-0.3))
    let gumbel =
        changed("do { x <- sample (uniformOn 0 1); return x }", "\\u => - (log (- log u))", "0.3").expect("an answer");
    assert!(gumbel.width_reason.is_none_or(|why| !why.contains("guard")), "{gumbel:?}");
    let truth = super::rational("0.353165596312007163");
    let [(1, density)] = &gumbel.densities[..] else { panic!("{gumbel:?}") };
    assert!(*density.lo() <= truth && *density.hi() >= truth, "{density}");
}

/// An operation that the program does not have is told with the definition that has it; its own operations are told as they are.
#[test]
fn operations_of_definitions_are_told_with_them() {
    let fault = |model: &str| asked(model, None, PLAIN).expect_err(model).to_string();
    let own = fault("do { x <- sample (normal 0 1); score (log x); return x }");
    assert!(own.ends_with("undefined: `log` is outside of its domain"), "{own}");
    let other = fault("do { x <- sample (uniformOn 0 1); score (distanceFromPole (x - 2)); return x }");
    assert!(
        other.ends_with("what is seen of gamma or beta has to be off an end at which the density has no bound"),
        "{other}"
    );
    let other = fault("do { x <- sample (uniformOn 0 1); score (normalize 0 + x); return x }");
    assert!(other.ends_with("undefined: `normalize` is outside of its domain"), "{other}");
}

/// What is undefined in the map is told by the map's text, also where the program has another operation at that byte.
#[test]
fn operations_of_maps_are_told_with_the_text_of_the_map() {
    let program = "do { x <- sample (uniformOn 0 1); return (exp x) }";
    let before = program.find("exp x").expect("it is there");
    let map = format!("{:before$}log z", "\\y => let z = y - 5 in");
    assert_eq!(map.find("log z"), Some(before));
    let fault = changed(program, &map, "0.5").expect_err("no value").to_string();
    assert!(fault.ends_with("undefined: `log` is outside of its domain"), "{fault}");
}

const LOOP: &str = "let rec go (x : Real) : P Real = do { b <- sample (bernoulli 0.5); if b then return x else do { score (0.5 + x); go (x / 2) } } in go 1";

/// With the bound that is advised there is an answer.
#[test]
fn the_advice_helps() {
    let answer = asked(LOOP, None, Ask { weight_at_most: Some("1.5"), eps: "1e-5", ..PLAIN }).expect("an answer");
    assert!(
        answer.enclosure.has_width_at_most(&super::rational("1e-5")) && answer.width_reason.is_none(),
        "{answer:?}"
    );
}

/// Where the tolerance is reached, nothing is said to stand in the way: the reason of an earlier round is forgotten.
#[test]
fn what_is_reached_has_no_reason_why_it_is_not() {
    let tosses = (0..40)
        .map(|k| format!("observe (bernoulli p) {}; ", if k % 3 == 0 { "tt" } else { "ff" }))
        .collect::<String>();
    let model = format!("do {{ p <- sample (beta 2 5); {tosses}return p }}");
    let answer = asked(&model, Some("\\p => p"), Ask { eps: "1e-6", ..PLAIN }).expect("an answer");
    // Beta(2 + 14, 5 + 26)
    assert!(answer.enclosure.contains(&smoothish::number::Rational::from((16, 47))), "{}", answer.enclosure);
    assert!(
        answer.enclosure.has_width_at_most(&super::rational("1e-6")) && answer.width_reason.is_none(),
        "{:?}",
        answer.width_reason
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A bound of weights is advised where it may help: not where weights are known that have none, nor where what is asked has none.
    #[test]
    fn a_bound_of_weights_is_advised_where_it_may_help() {
        let why = |model: &str, of: Option<&str>| {
            let answer = asked(model, of, Ask { seconds: 6, eps: "1e-6", ..PLAIN });
            answer.unwrap_or_else(|fault| panic!("{model}: {fault}")).width_reason.unwrap_or_default()
        };
        assert!(why(LOOP, None).contains("--weight-at-most"), "{}", why(LOOP, None));
        assert!(why(LOOP, Some("\\x => sin x")).contains("--weight-at-most"));
        // x² of normal draws has no bound
        let unbounded =
            "let rec go (x : Real) : P Real = do { y <- sample (normal 0 1); score (y^2); b <- sample (bernoulli 0.5);
      if b then return x else go (x / 2) } in go 1";
        let told = why(unbounded, None);
        assert!(!told.contains("--weight-at-most"), "{told}");
        // no bound of weights bounds what is asked
        let told = why(LOOP, Some("\\x => 1 / x"));
        assert!(!told.contains("--weight-at-most"), "{told}");
    }
}
