//! Diagram (4), uniqueness of the functor and of derivatives at first-order types, and the printed multiplication.

use crate::glue::lemma::{RIGHT, holds};
use smoothish_laws::glue::lemma::GluingSetup;
use smoothish_laws::glue::representation::{diagram, first_order, initiality, multiplication};
use smoothish_laws::glue::trial::TheoremTestConfig;
use smoothish_laws::wrong::MacroMutant;

#[test]
fn the_multiplication_of_second_order_jets_is_as_printed() {
    holds(&multiplication(), 50);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_macro_is_the_second_component_of_the_interpretation() {
        holds(&diagram(RIGHT), 100);
    }

    #[test]
    fn the_macro_is_a_functor_on_programs_modulo_beta_and_eta() {
        holds(&initiality(RIGHT), 80);
    }

    /// The lemma adds to a functor modulo βη that operations are kept: a macro with another operation is a functor too, but another one.
    #[test]
    fn a_macro_with_another_operation_is_refuted_by_uniqueness() {
        let wrong = MacroMutant::all();
        for name in ["taylor_cosine", "taylor_slope_atan"] {
            let rules = wrong.iter().find(|wrong| wrong.name == name).unwrap().rules;
            let setting = GluingSetup { hooks: Some(rules), ..GluingSetup::default() };
            let outcome = initiality(setting).run_test(&TheoremTestConfig::new(200, 1)).unwrap();
            assert!(outcome.refutation.is_some(), "{name}: {outcome:?}");
        }
    }

    #[test]
    fn two_valid_macros_agree_at_first_order_types() {
        holds(&first_order(RIGHT), 80);
    }
}
