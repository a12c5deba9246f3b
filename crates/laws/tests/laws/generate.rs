//! What is drawn is well-typed, uses everything, and is the program that its text is read as.

use smoothish_laws::function::Functional;
use smoothish_laws::law::term::{Head, Term, pair, tangents};
use smoothish_laws::random::Random;
use smoothish_laws::syntax::constant::Constant;
use smoothish_laws::syntax::ty::{Ty, TyKind};

use smoothish_laws::law::generate::*;
use smoothish_laws::law::shrink::neighbour;
use smoothish_laws::law::term::Closed;
use smoothish_laws::syntax::substitution::same;
use smoothish_laws::syntax::term::Term as Core;
use std::collections::BTreeSet;

#[test]
fn ten_thousand_programs_are_well_typed_and_use_everything() {
    let library = library();
    let mut constants = BTreeSet::new();
    let mut heads = BTreeSet::new();
    let mut constructors = BTreeSet::new();
    for index in 0..10_000 {
        let Program { term, order } = program(7, index);
        let text = term.to_string();
        let (_, ty) = library.infer_expression(&text).unwrap_or_else(|e| panic!("{index}: {text}: {e}"));
        assert_eq!(ty, Ty::real(), "{text}");
        assert!(order <= 2 && term.size() <= 12 * LARGEST, "{text}");
        term.any(&mut |head| {
            match head {
                Head::Call(c) | Head::To(c) | Head::From(c) => drop(constants.insert(*c)),
                Head::Inject(c) => drop(constructors.insert(c.name().clone())),
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
fn told(term: &Term) -> Term {
    let parts = term.parts.iter().map(told).collect();
    let head = match (&term.head, term.core()) {
        (Head::Nat(n), Some(core)) => Head::Text(Closed { text: format!("({n} : Nat)").into(), term: core }.into()),
        (head, _) => head.clone(),
    };
    Term::new(head, term.ty.clone(), parts)
}

/// Whether every part that is read has the type with which it was made, or a more general one.
fn has_types(made: &Core, read: &Core) -> bool {
    (!read.ty().is_closed() || made.ty() == read.ty())
        && made.kind().children().zip(read.kind().children()).all(|(made, read)| has_types(made, read))
}

#[test]
fn a_program_depends_on_seed_and_index_alone() {
    assert_eq!(program(3, 5).term, program(3, 5).term);
    let texts: BTreeSet<_> = (0..1000).map(|index| program(3, index).term.to_string()).collect();
    assert!(texts.len() > 950, "{}", texts.len());
    assert_ne!(program(3, 5).term, program(4, 5).term);
}

#[test]
fn terms_of_other_types_have_them() {
    let (real, nat) = (Ty::real(), Ty::new(TyKind::Nat));
    let map = Ty::function(real.clone(), real.clone());
    let types = [
        pair(real.clone(), pair(nat.clone(), real.clone())),
        Ty::function(map.clone(), map.clone()),
        Ty::function(pair(real.clone(), nat), Ty::new(TyKind::Bool)),
        tangents(map.clone()),
        tangents(pair(real.clone(), map)),
        tangents(tangents(real.clone())),
        maybe(pair(real.clone(), real.clone())),
        Ty::list(either(real.clone(), Ty::list(real.clone()))),
        Ty::function(Ty::list(real.clone()), Ty::list(real)),
    ];
    let library = library();
    for index in 0..900 {
        let ty = &types[index % types.len()];
        let mut generator = Generator::new(Random::of(11, index as u64));
        let text = format!("(\\(x : {ty}) => x) ({})", generator.term(ty, 4 + index % 20));
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
            let mut random = Random::of(8, index);
            let mut term = told(&program(7, index).term);
            for _ in 0..4 {
                let text = term.to_string();
                let (made, read) = (term.core(), library().infer_expression(&text));
                match (made, read) {
                    (Some(made), Ok((read, ty))) => {
                        assert!(made.ty() == &ty && same(&made, &read), "{text}\n{made}\n{read}");
                        assert!(has_types(&made, &read), "{text}");
                    }
                    (None, Err(_)) => refused += 1,
                    (made, read) => panic!("{text}: {made:?}, {read:?}"),
                }
                // a smaller neighbour need not be a program
                term = neighbour(&term, &mut random);
            }
        }
        assert!(refused > 100, "{refused}");
    }
}
