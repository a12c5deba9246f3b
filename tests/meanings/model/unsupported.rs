//! What a model lacks is named, and the hint where to look is found by trying.

use super::{ask, infer};
use smoothish::meaning;
use smoothish::model::answer::SemanticsError;
use smoothish::model::{InterpretError, Model, interpret};
use smoothish::number::Double;
use smoothish::number::budget::Budget;
use std::process::Command;
use std::sync::Arc;

#[test]
fn a_construct_that_a_model_lacks_is_named() {
    for (program, construct) in [
        ("\\x => x + 1", "functions as values"),
        ("(1, sin)", "functions as values"),
        ("2 + (3 : Nat)", "natural numbers"),
        ("2 == 3", "truth values"),
        ("der (\\f => f 1) sin cos", "functions as values"),
    ] {
        let error = ask("tower", program).unwrap_err();
        let unsupported = error.unsupported_construct().unwrap_or_else(|| panic!("{program}: {error}"));
        assert_eq!((unsupported.model, &*unsupported.construct), ("tower", construct), "{program}");
        assert_eq!(error.to_string(), format!("the model `tower` does not define {construct}"));
    }
}

/// Functions, recursion and conditions are no obstacle where they can be reduced away.
#[test]
fn a_first_order_program_may_be_written_with_functions() {
    for program in [
        "twice (twice sin) 1",
        "nthDeriv 3 (\\x => exp (2 * x)) 0",
        "power 2 10",
        "if 2 == 3 then integral01 sin else 1",
        "let f = if tt then sin else cos in deriv f 0",
        "(gradient (\\(x, y) => x^2 * y) (2, 3))[0]",
        "fst (tangent_R.to (fst (tangentProd.to moving)))",
        "let (f, g) = (sin, cos) in f 1 * g 1",
        "let rec f (n : Nat) (x : Real) : Real = if n == 0 then x else sin (f (n - 1) x) in f 50 1",
    ] {
        let answer = ask("tower", program);
        assert!(answer.is_ok(), "{program}: {answer:?}");
    }
}

#[test]
fn the_models_that_have_a_construct_are_found_by_trying() {
    let (term, ty) = infer("integral01 sin");
    assert_eq!(meaning::supporting_semantics(&term, &ty, "partial"), ["presheaf", "tower", "float"]);
    let (term, ty) = infer("sin 1");
    assert_eq!(meaning::supporting_semantics(&term, &ty, "float"), ["presheaf", "tower", "partial", "pap", "clarke"]);
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish"))
        .args(["eval", "--model", "partial", "integral01 sin"])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        told,
        "error: the model `partial` does not define `integral01`\n  = help: try --model presheaf, or --model tower, or --model float\n"
    );
}

/// A term that no inference made is no reason to panic.
#[test]
fn a_free_variable_is_an_error() {
    use smoothish::syntax::name::Name;
    use smoothish::syntax::source::Span;
    use smoothish::syntax::term::{Term, TermKind};
    use smoothish::syntax::ty::Ty;
    let free = Term::new(TermKind::Variable { index: 3, name: Name::from("x") }, Span::default());
    for meaning in meaning::all_semantics() {
        let answer = meaning.evaluate(&free, &Ty::real(), &super::eps(), &Arc::new(Budget::unlimited()));
        assert!(answer.is_err(), "{}", meaning.name());
    }
    let model = smoothish::meaning::tower::TowerModel::<Double>::new(Arc::new(Budget::unlimited()));
    assert_eq!(model.interpret_type(&Ty::real()).unwrap(), 1);
    let bound = Term::new(TermKind::Variable { index: 0, name: Name::from("x") }, Span::default());
    assert!(interpret(&model, &[Ty::real()], &bound).is_ok());
    let error = interpret(&model, &[Ty::real()], &free);
    assert!(matches!(error, Err(InterpretError::Reduction(_) | InterpretError::Unbound { .. })));
    assert!(SemanticsError::from(error.err().unwrap()).unsupported_construct().is_none());
}
