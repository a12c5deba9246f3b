//! Derivatives of evaluation: which are related to it, and which is not.

use crate::lemma::{RIGHT, holds, tried};
use smoothish::glue::evaluation::{Sort, Witness, lemma_9, not_unique, proposition_10, sort_represents, tangents};

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
