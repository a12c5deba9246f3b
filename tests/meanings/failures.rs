//! The kinds of errors: what is wrong, what another model has, what a larger limit has, what contradicts itself.

use smoothish::failure::ErrorKind::{self, DisjointEnclosures, InvalidInput, Limit, Unsupported};
use smoothish::failure::ErrorWithKind;
use smoothish::meaning;
use smoothish::model::answer::{Semantics, SemanticsError};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::theory::builtin;
use std::sync::Arc;

fn error(meaning: &dyn Semantics, program: &str) -> SemanticsError {
    let (term, ty) = builtin::library().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
    let answer = meaning.evaluate(&term, &ty, &Rational::from((1, 1_000_000)), &Arc::new(Budget::unlimited()));
    answer.err().unwrap_or_else(|| panic!("{}: {program} has an answer", meaning.name()))
}

#[test]
fn what_contradicts_itself_is_told_apart() {
    let mutant = smoothish::wrong::named("integral_kink_sides").expect("a mutant");
    let error = error(&mutant, "integral01 (\\x => max 0 (x - 0.6))");
    assert_eq!(error.kind(), DisjointEnclosures, "{error}");
}

#[test]
fn a_session_says_what_is_wrong_with_a_question() {
    let session = Session::new();
    for (program, eps, kind) in [
        ("1 +", 1e-3, InvalidInput),
        ("sin", 1e-3, InvalidInput),
        ("1", -1.0, InvalidInput),
        ("let rec f (n : Nat) : Real = 1 + f (n + 1) in f 0", 1e-3, Limit),
    ] {
        let error = session.enclose(program, eps).expect_err(program);
        assert_eq!(error.kind(), kind, "{program}: {error}");
    }
    assert_eq!(SemanticsError::from_external("no such planet").kind(), InvalidInput);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn errors_have_kinds_in_every_model() {
        let endless = "let rec f (n : Nat) : Real = 1 + f (n + 1) in f 0";
        let rows: &[(&str, &str, ErrorKind)] = &[
            ("presheaf", endless, Limit),
            ("float", endless, Limit),
            ("tower", "let rec f (n : Nat) : Real = f (n + 1) in f 0", Limit),
            ("float", "let rec f (n : Nat) : Real = f (n + 1) in f 0", Limit),
            ("partial", "integral01 sin", Unsupported),
            (
                "presheaf",
                "let rec f (x : Real) (n : Nat) : Real = if x > 0 then f (x - 1) n else x in f 5 0",
                Unsupported,
            ),
            ("presheaf", "cutRoot (\\x => x)", InvalidInput),
            ("presheaf", "let rec f (n : Nat) : Nat = if n == 0 then 1 else 1000 * f (n - 1) in f 10", InvalidInput),
        ];
        for (model, program, kind) in rows {
            let error = error(meaning::semantics_named(model).expect("a model"), program);
            assert_eq!(error.kind(), *kind, "{model}: {program}: {error}");
        }
    }
}
