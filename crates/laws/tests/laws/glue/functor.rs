//! Diagram (4), uniqueness of the functor and of derivatives at first-order types, and the printed multiplication.

use crate::glue::lemma::{RIGHT, holds};
use smoothish_laws::glue::representation::{diagram, first_order, initiality, multiplication};

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

    #[test]
    fn two_valid_macros_agree_at_first_order_types() {
        holds(&first_order(RIGHT), 80);
    }
}
