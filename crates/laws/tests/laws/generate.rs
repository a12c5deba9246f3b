//! What is drawn is well-typed, uses everything, and is the program that its text is read as.

use smoothish_laws::function::Functional;
use smoothish_laws::law::generate::*;
use smoothish_laws::law::term::{ParsedProgram, TermHead, TestTerm, pair_type, random_neighbour, tangent_type};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::substitution::alpha_equal;
use smoothish_laws::syntax::term::Term as Core;
use smoothish_laws::syntax::ty::{Ty, TyKind};
use std::collections::BTreeSet;

#[test]
fn ten_thousand_programs_are_well_typed_and_use_everything() {
    let library = data_library();
    let mut constants = BTreeSet::new();
    let mut heads = BTreeSet::new();
    let mut constructors = BTreeSet::new();
    for index in 0..10_000 {
        let RandomProgram { term, order } = random_program(7, index);
        let text = term.to_string();
        let (_, ty) = library.infer_expression(&text).unwrap_or_else(|e| panic!("{index}: {text}: {e}"));
        assert_eq!(ty, Ty::real(), "{text}");
        assert!(order <= 2 && term.size() <= 12 * MAX_PROGRAM_SIZE, "{text}");
        term.contains_head(&mut |head| {
            match head {
                TermHead::Call(c) | TermHead::IsoForward(c) | TermHead::IsoInverse(c) => drop(constants.insert(*c)),
                TermHead::Inject(c) => drop(constructors.insert(c.name().clone())),
                other => drop(heads.insert(format!("{other:?}").split(['(', ' ']).next().unwrap().to_owned())),
            }
            false
        });
    }
    // powers and cutRoot have heads of their own, and a product, a difference and a number of factors that are natural are found by the
    // inference; the comparisons of numbers cut a smooth function, and no law speaks of what is cut
    let [power, varying] = [Constant::Power, Constant::RealPower];
    let (root, cut) = (Constant::Functional(Functional::CutRoot), |c: &Constant| c.compares_reals());
    let found = [Constant::NaturalProduct, Constant::NaturalDifference, Constant::NaturalPower];
    let missing = Constant::ALL.iter().filter(|c| !found.contains(c) && !constants.contains(c));
    let missing: Vec<_> = missing.filter(|c| !cut(c)).collect();
    assert_eq!(missing, [&power, &varying, &root]);
    assert!(!constants.iter().any(cut));
    assert_eq!(heads.len(), 14, "{heads:?}");
    let constructors: Vec<_> = constructors.iter().map(|name| &**name).collect();
    assert_eq!(constructors, ["::", "Just", "Left", "Nothing", "Right", "[]"]);
}

/// The program with types written at its literals: what a component that is left away is made of decides no other.
fn told(term: &TestTerm) -> TestTerm {
    let parts = term.parts.iter().map(told).collect();
    let head = match (&term.head, term.to_core()) {
        (TermHead::Nat(n), Some(core)) => {
            TermHead::Parsed(ParsedProgram { text: format!("({n} : Nat)").into(), term: core }.into())
        }
        (head, _) => head.clone(),
    };
    TestTerm::new(head, term.ty.clone(), parts)
}

/// Whether every part that is read has the type with which it was made, or a more general one.
fn has_types(made: &Core, read: &Core) -> bool {
    (!read.ty().is_closed() || made.ty() == read.ty())
        && made.kind().children().zip(read.kind().children()).all(|(made, read)| has_types(made, read))
}

#[test]
fn a_program_depends_on_seed_and_index_alone() {
    assert_eq!(random_program(3, 5).term, random_program(3, 5).term);
    let texts: BTreeSet<_> = (0..1000).map(|index| random_program(3, index).term.to_string()).collect();
    assert!(texts.len() > 950, "{}", texts.len());
    assert_ne!(random_program(3, 5).term, random_program(4, 5).term);
}

#[test]
fn terms_of_other_types_have_them() {
    let (real, nat) = (Ty::real(), Ty::new(TyKind::Nat));
    let map = Ty::function(real.clone(), real.clone());
    let types = [
        pair_type(real.clone(), pair_type(nat.clone(), real.clone())),
        Ty::function(map.clone(), map.clone()),
        Ty::function(pair_type(real.clone(), nat), Ty::new(TyKind::Bool)),
        tangent_type(map.clone()),
        tangent_type(pair_type(real.clone(), map)),
        tangent_type(tangent_type(real.clone())),
        maybe_type(pair_type(real.clone(), real.clone())),
        Ty::list(either_type(real.clone(), Ty::list(real.clone()))),
        Ty::function(Ty::list(real.clone()), Ty::list(real)),
    ];
    let library = data_library();
    for index in 0..900 {
        let ty = &types[index % types.len()];
        let mut generator = TermGenerator::new(SplitMix64::for_sample(11, index as u64));
        let text = format!("(\\(x : {ty}) => x) ({})", generator.draw_term(ty, 4 + index % 20));
        let (_, found) = library.infer_expression(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(found, *ty, "{text}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_program_is_what_is_read_from_its_text() {
        let mut refused = 0;
        for index in 0..4_000 {
            let mut random = SplitMix64::for_sample(8, index);
            let mut term = told(&random_program(7, index).term);
            for _ in 0..4 {
                let text = term.to_string();
                let (made, read) = (term.to_core(), data_library().infer_expression(&text));
                match (made, read) {
                    (Some(made), Ok((read, ty))) => {
                        assert!(made.ty() == &ty && alpha_equal(&made, &read), "{text}\n{made}\n{read}");
                        assert!(has_types(&made, &read), "{text}");
                    }
                    (None, Err(_)) => refused += 1,
                    (made, read) => panic!("{text}: {made:?}, {read:?}"),
                }
                // a smaller neighbour need not be a program
                term = random_neighbour(&term, &mut random);
            }
        }
        assert!(refused > 100, "{refused}");
    }
}
