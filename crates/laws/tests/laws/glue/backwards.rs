//! Reverse mode is right by the relation of forward mode, and what is wrong in it is noticed.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::backwards::{as_jets, continuations, cotangents};
use smoothish_laws::glue::evaluation;
use smoothish_laws::glue::representation::jet_coordinates;
use smoothish_laws::presheaf::dynamic::Element;
use smoothish_laws::smooth::graph::Graph;
use smoothish_laws::smooth::reverse::StandardReverseHooks;
use smoothish_laws::wrong::Reverse;

#[test]
fn cotangents_make_the_derivatives_of_composites() {
    holds(&cotangents(&StandardReverseHooks), 100);
}

/// x² y at (3, 5): 45, and (30, 9). The function is handed over, and its argument is used twice.
#[test]
fn a_program_by_hand() {
    let (term, ty) =
        evaluation::parse_program("\\(x : Real) (y : Real) => (\\(f : Real -> Real) => f x * y) (\\z => z * z)")
            .unwrap();
    let program = as_jets(&term, &ty, 2, &StandardReverseHooks).unwrap();
    let jet = |numbers: [i64; 3]| Element::tuple_of(numbers.map(|n| Element::Real(Graph::integer(n))));
    let at = [jet([3, 1, 0]), jet([5, 0, 1])];
    let found = at.iter().fold(program, |f, x| f.as_function().unwrap().apply(x).unwrap());
    let numbers: Vec<Option<i64>> =
        jet_coordinates(&found).unwrap().iter().map(|g| g.as_rational().and_then(|q| q.numer().to_i64())).collect();
    assert_eq!(numbers, [Some(45), Some(30), Some(9)]);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn programs_with_continuations_are_related_to_programs() {
        holds(&continuations(RIGHT, &StandardReverseHooks), 100);
    }

    /// What a sweep over one operation hands on, and what it does where a number is used twice.
    #[test]
    fn wrong_sweeps_are_refuted() {
        for wrong in [Reverse::Subtract, Reverse::Multiply, Reverse::Divide, Reverse::Function, Reverse::Power] {
            let rule = Reverse::ALL.iter().find(|rule| **rule == wrong).unwrap();
            for (name, statement) in [("continuations", continuations(RIGHT, rule)), ("cotangents", cotangents(rule))] {
                assert!(tried(&statement, 100).refutation.is_some(), "{name}: {rule:?}");
            }
        }
        let rule = Reverse::ALL.iter().find(|rule| **rule == Reverse::FanOut).unwrap();
        assert!(tried(&cotangents(rule), 100).refutation.is_some());
    }
}
