//! 𝒟_(1,1) nested is 𝒟_(k,R), and what is wrong in either is noticed.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::lemma::GluingSetup;
use smoothish_laws::glue::nested::{JetTrees, WrittenDerivatives, iterated, iterated_against};
use smoothish_laws::glue::representation::{jet_coordinates, jet_of};
use smoothish_laws::glue::theorems::find_theorem;
use smoothish_laws::glue::trial::{TheoremTest, TheoremTestConfig};
use smoothish_laws::law::term::{TermHead, TestTerm};
use smoothish_laws::meaning::taylor::functor::TaylorHooks;
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::meaning::taylor::partial::SmoothOperation;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::Graph;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::library::Library;
use smoothish_laws::syntax::term::{Term as Core, TermKind};
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::wrong::{Taylor, WrongTableEntry};
use std::sync::Arc;

/// `\x y => op x y`
fn at_variables(constant: Constant) -> TestTerm {
    let variables =
        (1..=constant.arity() as u32).map(|id| (id, TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new())));
    let body = TestTerm::real_operation(constant, variables.clone().map(|(_, variable)| variable).collect());
    variables.rev().fold(body, |body, (id, _)| {
        let ty = Ty::function(Ty::real(), body.ty.clone());
        TestTerm::new(TermHead::Lambda(id, Ty::real()), ty, vec![body])
    })
}

fn about(program: TestTerm, statement: TheoremTest<'static>) -> TheoremTest<'static> {
    TheoremTest { draw: Box::new(move |_: &mut SplitMix64| vec![program.clone()]), ..statement }
}

/// What is linear acts on tuples.
fn is_linear(constant: Constant) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate)
}

fn operations() -> impl Iterator<Item = Constant> {
    let constant = |operation| match operation {
        SmoothOperation::Constant(constant) => Some(constant),
        _ => None,
    };
    SmoothOperation::all_constants()
        .filter_map(constant)
        .chain([Constant::RealPower])
        .filter(|constant| !is_linear(*constant))
}

/// Every entry of the table, twice over, at its own operation.
#[test]
fn every_wrong_entry_of_the_table_is_refuted() {
    for entry in WrongTableEntry::all() {
        let wrong = GluingSetup { hooks: Some(entry), ..GluingSetup::STANDARD };
        let tally =
            about(at_variables(entry.operation()), iterated(wrong)).run_test(&TheoremTestConfig::new(40, 1)).unwrap();
        assert!(tally.refutation.is_some(), "{entry:?}");
    }
}

/// The chain rule without its factor: `sin (x, x′) = (sin x, cos x)`.
#[derive(Debug)]
struct Unchained;

impl TaylorHooks for Unchained {
    fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Core> {
        let right = WrittenDerivatives.lifted_operation(operation)?;
        if operation.arity() > 1 || matches!(operation, SmoothOperation::Special(_)) {
            return Some(right);
        }
        let one = Core::new(TermKind::Real(1.into()), right.span());
        let zero = Core::new(TermKind::Variable { index: 0, name: "x".into() }, right.span());
        let value = Core::new(TermKind::Project { tuple: zero, index: 0 }, right.span());
        let unit = Core::new(TermKind::Tuple(vec![value, one]), right.span());
        let body = Core::apply(right.clone(), unit, right.span());
        Some(Core::new(TermKind::Lambda { name: "x".into(), body }, right.span()))
    }
}

/// `sin (x, x′) = (sin x, −x′ cos x)`
#[derive(Debug)]
struct Sine;

impl TaylorHooks for Sine {
    fn lifted_operation(&self, operation: &SmoothOperation) -> Option<Core> {
        let text = "\\(x : Real^2) => (sin x[0], 0 - cos x[0] * x[1])";
        let wrong = || Library::new().infer_expression(text).ok().map(|(term, _)| term);
        if SmoothOperation::of_constant(Constant::from_name("sin")?)? == *operation {
            wrong()
        } else {
            WrittenDerivatives.lifted_operation(operation)
        }
    }
}

#[test]
fn wrong_rules_of_what_is_nested_are_refuted() {
    for rules in [&Unchained as &dyn TaylorHooks, &Sine] {
        let tally = tried(&iterated_against(RIGHT, rules), 200);
        assert!(tally.refutation.is_some(), "{rules:?}");
    }
}

#[test]
fn jets_are_read_off_from_their_trees() {
    for (k, r) in [(1, 4), (2, 2), (4, 1)] {
        let basis = Arc::new(Basis::new(k, r).unwrap());
        let trees = JetTrees::new(&basis);
        assert_eq!(trees.level_count(), k * r);
        let numbers = jet_of((0..basis.len()).map(|n| Graph::integer(n as i64 + 1)));
        let back = trees.jets_of_trees(&Ty::real(), &trees.trees_of_jets(&Ty::real(), &numbers).unwrap()).unwrap();
        let values = |jet| -> Vec<_> {
            jet_coordinates(jet).unwrap().iter().map(|graph| graph.as_rational().cloned().unwrap()).collect()
        };
        assert_eq!(values(&back), values(&numbers));
    }
}

#[test]
fn more_levels_than_are_tried_are_refused() {
    let statement = find_theorem("nested").unwrap();
    let error = |k, r| statement.run_test(&TheoremTestConfig::new(1, 0).with_basis(k, r)).unwrap_err().to_string();
    assert_eq!(error(3, 2), "k = 3 and R = 2 are 6 levels; at most 4 are tried: give a smaller k or R");
    assert!(error(0, 1).contains("k is 0"), "{}", error(0, 1));
    assert!(statement.run_test(&TheoremTestConfig::new(5, 0).with_basis(2, 2)).unwrap().survived > 0);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Up to the fourth derivative, from first ones that are written out.
    #[test]
    fn every_operation_is_written_out_and_has_the_derivatives_of_the_table() {
        assert!(operations().count() > 25);
        for constant in operations() {
            assert!(
                WrittenDerivatives.lifted_operation(&SmoothOperation::Constant(constant)).is_some(),
                "{}",
                constant.name()
            );
            let tally = about(at_variables(constant), iterated(RIGHT))
                .run_test(&TheoremTestConfig::new(crate::drawn(40), 1))
                .unwrap();
            let name = constant.name();
            assert_eq!(tally.refutation, None, "{name}");
            assert!(tally.with_nonzero_slope >= crate::drawn(5), "{name}: {tally:?}");
        }
    }

    #[test]
    fn first_derivatives_nested_are_all_derivatives() {
        holds(&iterated(RIGHT), 80);
    }

    #[test]
    fn wrong_macros_are_refuted_by_what_is_nested() {
        const WRONG: [Taylor; 7] = [
            Taylor::CrossTerm,
            Taylor::Binomials,
            Taylor::Factorial,
            Taylor::Coordinates,
            Taylor::Highest,
            Taylor::FoldLeft,
            Taylor::ExponentFactor,
        ];
        for rule in &WRONG {
            let setting = GluingSetup { hooks: Some(rule), ..GluingSetup::STANDARD };
            assert!(tried(&iterated(setting), 100).refutation.is_some(), "{rule:?}");
        }
    }
}
