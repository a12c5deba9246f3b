//! Derivatives of evaluation: which are related to it, and which is not.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish::glue::claim::shown;
use smoothish::glue::evaluation::{Sort, Witness, lemma_9, not_unique, proposition_10, sort_represents, tangents};
use smoothish::glue::lemma::point;
use smoothish::glue::scope;
use smoothish::glue::stage::exact;
use smoothish::glue::trial::{Experiment, Trials};
use smoothish::law::term::Term;
use smoothish::number::Rational;
use smoothish::number::real::Tier;
use smoothish::random::Random;
use smoothish::syntax::constant::Constant;
use smoothish::verdict::Verdict;

#[test]
fn the_macros_derivative_of_evaluation_is_related_to_it() {
    holds(&proposition_10(Witness::Macro), 100);
}

#[test]
fn proposition_10_as_printed_is_refuted() {
    let refutation = tried(&proposition_10(Witness::Printed), 100).refutation.expect("a counterexample");
    println!("{refutation}");
}

#[test]
fn the_mended_witness_is_related_to_evaluation() {
    holds(&proposition_10(Witness::Mended), 100);
}

#[test]
fn the_two_witnesses_differ_at_swap() {
    holds(&not_unique(), 50);
}

#[test]
fn sort_is_smooth_and_idempotent() {
    holds(&lemma_9(), 100);
}

#[test]
fn sort_must_scale_by_the_second_component() {
    holds(&sort_represents(Sort::Scaled), 100);
    println!("{}", tried(&sort_represents(Sort::Printed), 100).refutation.expect("a counterexample"));
}

#[test]
fn tangents_of_functionals_agree_with_the_macro_on_curves() {
    holds(&tangents(RIGHT), 100);
}

/// E37: γ(x)(y) = x y has γ(x)(x) = x² with derivative 2x; what is printed gives x.
#[test]
fn the_product_refutes_proposition_10() {
    let statement = |witness| Experiment {
        draw: Box::new(|_| {
            let product = scope::read("\\(x : Real) (y : Real) => x * y").unwrap().1;
            vec![Term::call(Constant::Multiply, product, Vec::new())]
        }),
        ..proposition_10(witness)
    };
    for witness in [Witness::Macro, Witness::Mended] {
        holds(&statement(witness), 20);
    }
    let refuted = statement(Witness::Printed);
    let trials = Trials::new(1, 1);
    let sample = refuted.sample(&trials, 0).unwrap();
    let x = point(&mut Random::new(sample.seed), 1).remove(0);
    let Verdict::Refuted { left, right, .. } = (refuted.judge)(&sample).unwrap().verdict else {
        panic!("it survives at {x}")
    };
    let exactly = |value: &Rational| shown(&exact(std::slice::from_ref(value), Tier::Double)[0]);
    assert_eq!((left, right), (exactly(&(x.clone() * 2u32)), exactly(&x)));
}
