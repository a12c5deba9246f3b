//! 𝒟_(1,1) nested is 𝒟_(k,R), and what is wrong in either is noticed.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::lemma::Setting;
use smoothish_laws::glue::nested::operations::Written;
use smoothish_laws::glue::nested::{Trees, against, iterated};
use smoothish_laws::glue::representation::{coordinates, jet};
use smoothish_laws::glue::theorems::named;
use smoothish_laws::glue::trial::{Experiment, Trials};
use smoothish_laws::law::term::{Head, Term};
use smoothish_laws::meaning::taylor::basis::Basis;
use smoothish_laws::meaning::taylor::hooks::Hooks;
use smoothish_laws::meaning::taylor::partial::Operation;
use smoothish_laws::random::Random;
use smoothish_laws::smooth::graph::Graph;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::library::Library;
use smoothish_laws::syntax::term::{Term as Core, TermKind};
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::wrong::{Taylor, TaylorEntry};
use std::sync::Arc;

/// `\x y => op x y`
fn at_variables(constant: Constant) -> Term {
    let variables = (1..=constant.arity() as u32).map(|id| (id, Term::new(Head::Variable(id), Ty::real(), Vec::new())));
    let body = Term::operation(constant, variables.clone().map(|(_, variable)| variable).collect());
    variables.rev().fold(body, |body, (id, _)| {
        let ty = Ty::function(Ty::real(), body.ty.clone());
        Term::new(Head::Lambda(id, Ty::real()), ty, vec![body])
    })
}

fn about(program: Term, statement: Experiment<'static>) -> Experiment<'static> {
    Experiment { draw: Box::new(move |_: &mut Random| vec![program.clone()]), ..statement }
}

/// What is linear acts on tuples.
fn is_linear(constant: Constant) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate)
}

fn operations() -> impl Iterator<Item = Constant> {
    let constant = |operation| match operation {
        Operation::Constant(constant) => Some(constant),
        _ => None,
    };
    Operation::all().filter_map(constant).chain([Constant::RealPower]).filter(|constant| !is_linear(*constant))
}

/// Every entry of the table, twice over, at its own operation.
#[test]
fn every_wrong_entry_of_the_table_is_refuted() {
    for entry in TaylorEntry::all() {
        let wrong = Setting { rules: Some(entry), relation: None };
        let tally = about(at_variables(entry.operation()), iterated(wrong)).tried(&Trials::new(40, 1)).unwrap();
        assert!(tally.refutation.is_some(), "{entry:?}");
    }
}

/// The chain rule without its factor: `sin (x, x′) = (sin x, cos x)`.
#[derive(Debug)]
struct Unchained;

impl Hooks for Unchained {
    fn operation(&self, operation: &Operation) -> Option<Core> {
        let right = Written.operation(operation)?;
        if operation.arity() > 1 || *operation == Operation::Polygamma {
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

impl Hooks for Sine {
    fn operation(&self, operation: &Operation) -> Option<Core> {
        let text = "\\(x : Real^2) => (sin x[0], 0 - cos x[0] * x[1])";
        let wrong = || Library::new().infer_expression(text).ok().map(|(term, _)| term);
        if Operation::of(Constant::named("sin")?)? == *operation { wrong() } else { Written.operation(operation) }
    }
}

#[test]
fn wrong_rules_of_what_is_nested_are_refuted() {
    for rules in [&Unchained as &dyn Hooks, &Sine] {
        let tally = tried(&against(RIGHT, rules), 200);
        assert!(tally.refutation.is_some(), "{rules:?}");
    }
}

#[test]
fn jets_are_read_off_from_their_trees() {
    for (k, r) in [(1, 4), (2, 2), (4, 1)] {
        let basis = Arc::new(Basis::new(k, r).unwrap());
        let trees = Trees::new(&basis);
        assert_eq!(trees.levels(), k * r);
        let numbers = jet((0..basis.len()).map(|n| Graph::integer(n as i64 + 1)));
        let back = trees.jets(&Ty::real(), &trees.of(&Ty::real(), &numbers).unwrap()).unwrap();
        let values = |jet| -> Vec<_> {
            coordinates(jet).unwrap().iter().map(|graph| graph.as_rational().cloned().unwrap()).collect()
        };
        assert_eq!(values(&back), values(&numbers));
    }
}

#[test]
fn more_levels_than_are_tried_are_refused() {
    let statement = named("nested").unwrap();
    let error = |k, r| statement.tried(&Trials::new(1, 0).at(k, r)).unwrap_err().to_string();
    assert_eq!(error(3, 2), "k = 3 and R = 2 are 6 levels; at most 4 are tried: give a smaller k or R");
    assert!(error(0, 1).contains("k is 0"), "{}", error(0, 1));
    assert!(statement.tried(&Trials::new(5, 0).at(2, 2)).unwrap().survived > 0);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Up to the fourth derivative, from first ones that are written out.
    #[test]
    fn every_operation_is_written_out_and_has_the_derivatives_of_the_table() {
        assert!(operations().count() > 25);
        for constant in operations() {
            assert!(Written.operation(&Operation::Constant(constant)).is_some(), "{}", constant.name());
            let tally = about(at_variables(constant), iterated(RIGHT)).tried(&Trials::new(40, 1)).unwrap();
            let name = constant.name();
            assert_eq!(tally.refutation, None, "{name}");
            assert!(tally.moving >= 5, "{name}: {tally:?}");
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
            let setting = Setting { rules: Some(rule), relation: None };
            assert!(tried(&iterated(setting), 100).refutation.is_some(), "{rule:?}");
        }
    }
}
