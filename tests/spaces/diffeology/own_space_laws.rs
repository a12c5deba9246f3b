//! The example of a space of one's own: its axioms, the wrong one, and functions on it.

use crate::diffeology::own_space::{HalfLine, function};
use crate::diffeology::support::{abs, add, x};
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::law::diffeology;
use smoothish::smooth::graph::Graph;
use smoothish::verdict::Verdict;

#[test]
fn the_half_line_is_a_space_and_without_falling_plots_it_is_none() {
    let axioms = diffeology::check_space(&HalfLine { rising: false }, &diffeology::default_samples()).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{axioms}");
    let axioms = diffeology::check_space(&HalfLine { rising: true }, &diffeology::default_samples()).unwrap();
    assert_eq!(axioms.refuted_names(), ["reparametrisation"], "{axioms}");
}

#[test]
fn a_kink_at_the_end_is_not_seen_from_inside() {
    assert_eq!(function(abs(&x())).test_smoothness(&default_smoothness_test()).unwrap(), Verdict::Survived);
    // one inside is, by the plots that go through it
    let inside = abs(&add(&x(), &Graph::integer(-1)));
    assert!(function(inside).test_smoothness(&default_smoothness_test()).unwrap().is_refuted());
}
