//! Gl_k is bicartesian closed with lists, and lies strictly over two copies of Diff.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish::glue::category::{broken, operations, projection, structure};

#[test]
fn the_constructions_of_the_gluing_category_preserve_the_relation() {
    holds(&structure(RIGHT), 60);
}

#[test]
fn a_pair_that_breaks_the_relation_is_refuted() {
    assert!(tried(&broken(RIGHT), 100).refutation.is_some());
}

#[test]
fn the_projection_is_strict() {
    holds(&projection(RIGHT), 100);
}

#[test]
fn operations_with_their_representations_are_morphisms() {
    holds(&operations(RIGHT), 100);
}
