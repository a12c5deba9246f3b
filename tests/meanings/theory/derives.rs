//! `e derives R`: laws about the macro.

use super::{tried, with};
use smoothish::meaning;
use smoothish::meaning::taylor::functor::TaylorHooks;
use smoothish::theory::trial::{StatementOutcome, StatementTest, StatementTestConfig};
use smoothish::wrong::Taylor;
use std::sync::Arc;

const LAWS: &str = "theory Own extends Data \
    law products (x y : Real) : x^2 * y derives 2 \
    law pairs (p : Real * Real) (c : Real) : p[0] * c + p[1]^2 derives 2 \
    law composites (f g : Real -> Real) (x : Real) : g (f x) derives 2 where smooth f, smooth g \
    law lists (xs : List Real) (x : Real) : fold (\\y rest => y + x * rest) 0 xs derives 2 \
    law cosines (x : Real) : cos x * 2 derives 1 \
    law roots (x : Real) : cutRoot (\\y => x - y - y^3) derives 2 \
    law away (x : Real) : 1 / x derives 1 where positive x \
    law kinks (x : Real) : abs x derives 1";

#[test]
fn the_macro_has_the_derivatives_of_programs() {
    for (name, standing) in tried(LAWS) {
        match (&*name, standing) {
            ("kinks", StatementOutcome::Vacuous(why)) => assert!(why.contains("abs"), "{why}"),
            (_, StatementOutcome::Survived(100)) => assert_ne!(name, "kinks"),
            (_, other) => panic!("{name}: {other:?}"),
        }
    }
}

/// What becomes of a law under wrong rules.
fn under(rules: &'static dyn TaylorHooks, name: &str) -> StatementOutcome {
    let theories = with(LAWS).unwrap_or_else(|error| panic!("{error}"));
    let theory = theories.theories().last().expect("a theory");
    let law = theory.laws.iter().find(|law| *law.name == *name).expect("a law");
    let library = Arc::new(theories.library().clone());
    let (effort, meaning) =
        (StatementTestConfig::default(), meaning::semantics_named(meaning::DEFAULT_SEMANTICS).expect("a model"));
    StatementTest { hooks: rules, ..StatementTest::new(&library, theory, meaning, &effort) }.test_law(law)
}

#[test]
fn wrong_rules_are_refuted_by_laws_that_speak_of_them() {
    for (rules, law) in [
        (&Taylor::CrossTerm, "products"),
        (&Taylor::Coordinates, "pairs"),
        (&Taylor::FoldLeft, "lists"),
        (&Taylor::Cosine, "cosines"),
        (&Taylor::Quotient, "away"),
    ] {
        let StatementOutcome::Refuted(refuted) = under(rules, law) else { panic!("{} survives {law}", rules.name()) };
        assert!(refuted.program.is_some() && refuted.left != refuted.right, "{refuted:?}");
    }
    assert!(matches!(under(&Taylor::FoldLeft, "cosines"), StatementOutcome::Survived(_)));
}

/// H Lemma 1: what the macro makes has a type, or the macro is wrong.
#[test]
fn a_derived_program_without_a_type_is_refuted() {
    let StatementOutcome::Refuted(refuted) = under(&Taylor::ConstantLength, "lists") else { panic!("not refuted") };
    assert!(refuted.right.contains("without a type"), "{refuted:?}");
}

#[test]
fn what_has_no_derivatives_is_refused() {
    for (law, message) in [
        ("law own (n : Nat) : toReal n derives 1", "expected a law with a variable of numbers"),
        ("law own (x : Real) : (x, x) derives 1", "expected a program of type Real, found Real^2"),
        ("law own (x : Real) : x derives 0", "an order from 1 to 8"),
        ("law own (x : Real) : x derives 9", "an order from 1 to 8"),
        ("law own (x : Real) : x derives 3/2", "an order from 1 to 8"),
        ("law own (x y z u v w : Real^8) : x[0] derives 8", "fewer directions"),
        ("claim own : 1 derives 1 because \"none\"", "`derives` is for laws"),
    ] {
        let error = with(&format!("theory Own {law}")).err().unwrap_or_else(|| panic!("{law}"));
        assert!(error.contains(message), "{law}\n{error}");
    }
}
