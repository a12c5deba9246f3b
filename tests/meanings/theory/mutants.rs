//! The laws bite: every rule of the library has a mutant, and every mutant is caught.

use smoothish::syntax::source::SourceText;
use smoothish::theory::check;
use smoothish::theory::mutants::{self, MutantOutcome};
use smoothish::theory::trial::{StatementOutcome, StatementTestConfig};
use smoothish::theory::{Theory, builtin};
use smoothish::wrong::Mutation;
use std::collections::BTreeSet;
use std::sync::Arc;

/// No rule without a line that says what catches its mutant.
#[test]
fn every_mutant_is_named() {
    let theories = builtin::load_theories();
    let named: BTreeSet<&str> = theories.theories().iter().flat_map(|t| &t.refutes).map(|line| &*line.mutant).collect();
    let all: BTreeSet<&str> =
        Mutation::all().into_iter().filter(|m| *m != Mutation::Bottom).map(|mutation| mutation.name()).collect();
    assert_eq!(named, all);
}

#[test]
fn mutants_that_do_not_exist_are_refused() {
    let error =
        super::with("theory Own refute exp_derivatve : x claim x : 1 ~ 1 because \"1\"").err().unwrap_or_default();
    assert!(error.contains("there is no mutant `exp_derivatve`") && error.contains("`exp_derivative`"), "{error}");
    assert!(super::with("theory Own refute exp_derivative : x claim x : 1 ~ 1 because \"1\"").is_ok());
}

/// A part of a definition of the theory `Everyday`, a wrong version of it, and the statement that refutes it.
const WRONG_DEFINITIONS: &[(&str, &str, &str)] = &[
    ("max01 (λ t : ℜ ⇒ f (a + (b - a) * t))", "max01 (λ t : ℜ ⇒ f (b * t))", "max_on_a_point"),
    ("min01 (λ t : ℜ ⇒ f (a + (b - a) * t))", "max01 (λ t : ℜ ⇒ f (a + (b - a) * t))", "min_of_line"),
    // the place in [0, 1], not in [a, b]
    ("a + (b - a) * argmax01", "argmax01", "argmax_of_increasing"),
    ("a + (b - a) * argmin01", "argmin01", "argmin_of_increasing"),
    ("if a < b then answer (b - a) else log (b - a)", "answer (b - a)", "root_backwards"),
    // without the test of the signs: 3 on [2, 3]
    ("if fa * fb < 0 then answer fa else log (- (fa * fb))", "answer fa", "no_change_of_sign"),
    // the sign of f a forgotten: a function that rises has its first root at a
    ("s * f (a + w * t)", "f (a + w * t)", "root_of_increasing"),
    // the mirrored half-line without the mirrored function
    ("beyond (- b) (λ x : ℜ ⇒ f (- x))", "beyond (- b) (λ x : ℜ ⇒ f x)", "tail_of_bell"),
    // the last term forgotten
    ("if b < a then 0 else f (toReal a) + sumOn", "if b <= a then 0 else f (toReal a) + sumOn", "sum_of_one_term"),
    (
        "if b < a then 1 else f (toReal a) * productOn",
        "if b <= a then 1 else f (toReal a) * productOn",
        "product_value",
    ),
    ("productOn 1 n (λ k : ℜ ⇒ k)", "productOn 0 n (λ k : ℜ ⇒ k)", "factorial_by_gamma"),
    ("(toReal n + 1 - i) / i", "(toReal n - i) / i", "binomial_by_factorials"),
    ("let ln (x : ℜ) : ℜ = log x", "let ln (x : ℜ) : ℜ = log x / log 10", "ln_of_exp"),
    ("log x / log 2", "log x / log 10", "log2_of_power"),
    ("log x / log 10", "log x / log 2", "log10_of_power"),
    ("s + 0 * log s", "s", "no_deviation"),
    ("p + 0 * log p + 0 * log (1 - p)", "2 * p + 0 * log p + 0 * log (1 - p)", "quantile_of_cdf"),
    ("((x - m) / s)² / 2", "((x - m) / s)²", "cdf_slope"),
    // the wrong side of the mean under erfc
    ("erfc ((m - x) /", "erfc ((x - m) /", "cdf_slope"),
    ("probabilityOfQuantile p - normalCdf 0 1 z", "probabilityOfQuantile p - normalCdf 0 2 z", "quantile_of_cdf"),
    ("[] ⇒ 1 / 0", "[] ⇒ 0", "greatest_of_none"),
    ("sum xs / toReal (length xs)", "sum xs / toReal (length rest)", "average_of_two"),
    ("(fold max)", "(λ _ ⇒ fold max 0)", "maximum_of_two"),
    ("(fold min)", "(λ _ ⇒ fold min 0)", "minimum_dual"),
    ("sqrt (average (mapList (λ x : ℜ ⇒ (x - m)²) xs))", "average (mapList (λ x : ℜ ⇒ (x - m)²) xs)", "spread_scaled"),
    ("nthDeriv k f a / factorial k", "nthDeriv k f a", "second_coefficient"),
    ("horner (coefficients n f a) h", "horner (coefficients n f a) (a + h)", "taylor_of_cubic"),
];

/// Returns what becomes of one statement of the theory `Everyday`, with a part of its definitions replaced.
fn try_with_definition(right: &str, wrong: &str, statement: &str) -> StatementOutcome {
    let (_, text) = builtin::SOURCES.iter().find(|(name, _)| name.contains("everyday")).unwrap();
    assert!(text.contains(right), "{right}");
    let own = text.replace("theory Everyday", "theory Own").replace(right, wrong);
    let theories = super::with(&own).unwrap_or_else(|error| panic!("{wrong}: {error}"));
    let own = theories.find_theory("Own").unwrap();
    let tasks: Vec<_> = check::list_tasks(&[own], &[])
        .into_iter()
        .filter(|task| task.item.name() == statement && task.meaning.name() == "presheaf")
        .collect();
    assert_eq!(tasks.len(), 1, "{statement}");
    let mut found = None;
    check::run_tasks(&Arc::new(theories.library().clone()), &tasks, &super::effort(), 1, |report| {
        found = Some(report.outcome)
    });
    found.unwrap()
}

/// Every definition of the theory of everyday words is the only right one among these.
#[test]
fn wrong_versions_of_everyday_words_are_refuted() {
    for (right, wrong, statement) in WRONG_DEFINITIONS {
        let outcome = try_with_definition(right, wrong, statement);
        assert!(matches!(outcome, StatementOutcome::Refuted(_)), "{wrong} is not refuted by {statement}: {outcome:?}");
    }
    // the same statement is true of the right version
    for (_, _, statement) in WRONG_DEFINITIONS {
        let outcome = try_with_definition("theory Everyday", "theory Everyday", statement);
        assert!(matches!(outcome, StatementOutcome::Holds | StatementOutcome::Survived(_)), "{statement}: {outcome:?}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Each is caught by what the theories say catches it; the one that always answers ⊥ is taken for an answer nowhere.
    #[test]
    fn every_mutant_is_caught() {
        let theories = builtin::load_theories();
        let all: Vec<&Theory> = theories.theories().iter().collect();
        let library = Arc::new(theories.library().clone());
        let mutants: Vec<_> = mutants::all_mutants().iter().collect();
        let (mut alive, mut seen) = (Vec::new(), 0);
        mutants::test_mutants(&library, &all, &mutants, &StatementTestConfig::default(), 2, false, |finding| {
            seen += 1;
            let missed: Vec<String> = finding.missed.iter().map(|statement| statement.full_name()).collect();
            match &finding.outcome {
                MutantOutcome::Caught(_, refuted) => {
                    assert_ne!(refuted.left, refuted.right, "{}", finding.mutant.0.name())
                }
                MutantOutcome::NothingSurvives { refuted, vacuous } => {
                    assert!(*refuted > 100 && *vacuous > 300, "{refuted}, {vacuous}");
                    // a claim that something is undefined is true of ⊥, and is not tried
                    assert_eq!(finding.tried, *refuted + *vacuous);
                }
                MutantOutcome::NotCaught(_) => {}
            }
            if !finding.is_caught() {
                alive.push((finding.mutant.0.name(), missed));
            }
        });
        assert!(seen >= 150 && alive.is_empty(), "{seen}: {alive:?}");
    }

    /// Without a statement that it refutes, not even the mutant ⊥ is caught.
    #[test]
    fn a_theory_without_statements_catches_no_mutant() {
        let mut theories = builtin::load_theories();
        let text = "theory Silent\nabout \"No claims.\"\nlet f (x : Real) : Real = x + 1\n";
        theories.load([SourceText::new("silent.theory", text)]).unwrap();
        let silent: Vec<&Theory> = vec![theories.find_theory("Silent").unwrap()];
        let library = Arc::new(theories.library().clone());
        let mutants: Vec<_> = mutants::all_mutants().iter().collect();
        let mut seen = 0;
        mutants::test_mutants(&library, &silent, &mutants, &StatementTestConfig::default(), 2, false, |report| {
            seen += 1;
            assert!(!report.is_caught() && report.tried == 0, "{}", report.mutant.0.name());
        });
        assert_eq!(seen, mutants.len());
    }
}
