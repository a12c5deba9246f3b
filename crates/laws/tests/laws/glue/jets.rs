//! Jets of first-order spaces: functoriality, Lemma 7 and Theorem 8.

use crate::glue::lemma::{RIGHT, holds};
use smoothish_laws::glue::jets::{functoriality, lemma_7, theorem_8};

#[test]
fn jets_of_products_and_sums_are_those_of_the_parts() {
    holds(&lemma_7(), 100);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn jets_are_a_functor() {
        holds(&functoriality(), 100);
    }

    #[test]
    fn the_macro_is_the_jet_functor_at_first_order_types() {
        holds(&theorem_8(RIGHT), 100);
    }
}
