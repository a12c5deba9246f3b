//! Reverse mode is right by the relation of forward mode, and what is wrong in it is noticed.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::backwards::{ReverseMode, continuations, cotangents};
use smoothish_laws::glue::evaluation;
use smoothish_laws::glue::lemma::apply_all;
use smoothish_laws::glue::representation::{Representation, jet_coordinates};
use smoothish_laws::meaning::taylor::functor::NumberRules;
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::meaning::taylor::partial::SmoothOperation;
use smoothish_laws::number::Rational;
use smoothish_laws::presheaf::dynamic::Element;
use smoothish_laws::smooth::graph::Graph;
use smoothish_laws::smooth::reverse::StandardReverseHooks;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::wrong::Reverse;
use std::sync::Arc;

#[test]
fn cotangents_make_the_derivatives_of_composites() {
    holds(&cotangents(&StandardReverseHooks), 100);
}

/// x² y at (3, 5): 45, and (30, 9) · z. The function is handed over, and its argument is used twice.
#[test]
fn a_program_by_hand() {
    let (term, ty) =
        evaluation::parse_program("\\(x : Real) (y : Real) => (\\(f : Real -> Real) => f x * y) (\\z => z * z)")
            .unwrap();
    let basis = Arc::new(Basis::new(2, 1).unwrap());
    let reverse: Arc<dyn Representation> = Arc::new(ReverseMode::new(&basis, &StandardReverseHooks));
    let derived = evaluation::derive_by_rules(&reverse, &term, &ty).unwrap();
    derived.check_types().unwrap();
    let number = |value: i64, gradient: [i64; 2]| {
        let text = format!("({value}, \\(z : Real) => ({} * z, {} * z))", gradient[0], gradient[1]);
        evaluation::run_program(&evaluation::parse_program(&text).unwrap().0).unwrap()
    };
    let at = [number(3, [1, 0]), number(5, [0, 1])];
    let found = apply_all(&evaluation::run_program(&derived.term).unwrap(), at).unwrap();
    let (value, hand) = found.as_pair().unwrap();
    let exact = |g: &Graph| g.as_rational().and_then(|q| q.numer().to_i64());
    assert_eq!(exact(value.as_real().unwrap()), Some(45));
    for z in [1, -7] {
        let cotangents = hand.as_function().unwrap().apply(&Element::Real(Graph::integer(z))).unwrap();
        let numbers: Vec<Option<i64>> = jet_coordinates(&cotangents).unwrap().iter().map(exact).collect();
        assert_eq!(numbers, [Some(30 * z), Some(9 * z)]);
    }
}

/// Every operation has a rule: the sweep over it is a program.
#[test]
fn every_operation_has_a_pullback() {
    let basis = Arc::new(Basis::new(1, 1).unwrap());
    let reverse = ReverseMode::new(&basis, &StandardReverseHooks);
    let powers = [(3, 1), (-1, 1), (1, 2), (-1, 3)].map(|q| SmoothOperation::Power(Rational::from(q)));
    let real_power = SmoothOperation::Constant(Constant::RealPower);
    for operation in SmoothOperation::all_constants().chain(powers).chain([real_power]) {
        assert!(reverse.operation(&operation).is_some(), "{operation:?}");
    }
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
