//! Of `law::first_order`: first-order programs by the clauses of S Fig. 4 and by presheaves, and wrong clauses.

use smoothish_laws::law::first_order::{FirstOrderProgram, WrongFirstOrderClause, survey_first_order};
use smoothish_laws::law::generate::data_library;
use smoothish_laws::meaning::first_order::denotation::PrintedClauses;
use smoothish_laws::meaning::first_order::translation::NotFirstOrder;
use smoothish_laws::meaning::first_order::{FirstOrderContext, FirstOrderTerm};
use smoothish_laws::random::SplitMix64;

fn translate(program: &str) -> Result<(FirstOrderTerm, FirstOrderContext), NotFirstOrder> {
    let (term, ty) = data_library().infer_expression(program).unwrap_or_else(|error| panic!("{program}: {error}"));
    FirstOrderTerm::of_program(&term, &ty)
}

#[test]
fn programs_become_first_order_terms() {
    for (program, context, ty, term) in [
        (r"\x => x * sin x", "·, x1 : ⌊ℝ⌋", "⌊ℝ⌋", "x1 × ⌊sin⌋(x1)"),
        (r"\x y => x - y / 2", "·, x1 : ⌊ℝ⌋, x2 : ⌊ℝ⌋", "⌊ℝ⌋", "x1 − (x2 ÷ 2)"),
        (r"\x => deriv (\y => x * y) (x^3)", "·, x1 : ⌊ℝ⌋", "⌊ℝ⌋", "∂(x1 × x2)/∂x2|x2=⌊^(3)⌋(x1)·1"),
        (r"\(p : Real * Real) => (snd p, fst p)", "·, x1 : ⌊ℝ⌋ × ⌊ℝ⌋", "⌊ℝ⌋ × ⌊ℝ⌋", "(⌊snd⌋(x1), ⌊fst⌋(x1))"),
        (r"\(p : Real * Real * Real) => p[1]", "·, x1 : ⌊ℝ⌋ × (⌊ℝ⌋ × ⌊ℝ⌋)", "⌊ℝ⌋", "⌊fst⌋(⌊snd⌋(x1))"),
        // functions that reduction removes are no obstacle
        (r"let twice f x = f (f x) in \x => twice sin x", "·, x1 : ⌊ℝ⌋", "⌊ℝ⌋", "⌊sin⌋(⌊sin⌋(x1))"),
        (r"max 0 pi", "·", "⌊ℝ⌋", "⌊max⌋(0, ⌊pi⌋(!))"),
    ] {
        let (found, scope) = translate(program).unwrap_or_else(|error| panic!("{program}: {error}"));
        assert_eq!((&*found.to_string(), &*scope.to_string()), (term, context), "{program}");
        assert_eq!(found.type_in(&scope).map(|ty| ty.to_string()).as_deref(), Ok(ty), "{program}");
    }
}

#[test]
fn other_programs_are_refused_by_what_they_have() {
    for (program, construct) in [
        (r"integral01 (\x => x)", "`integral01`"),
        (r"\x => cutRoot (\y => x - y)", "`cutRoot`"),
        (r"\(f : Real -> Real) => f 1", "functions as values"),
        (r"\(x : Real) => (x, \(y : Real) => y)", "functions as values"),
        (r"\(n : Nat) => 1", "natural numbers"),
        (r"\(x : Real) => x < 1", "truth values"),
        (r"\(x : Real) => [x]", "lists"),
    ] {
        let error = translate(program).map(|(term, _)| term.to_string()).expect_err(program).to_string();
        let expected = format!("the program is not first-order: the language of S Fig. 3 has no {construct}");
        assert_eq!(error, expected, "{program}");
    }
}

#[test]
fn a_sample_is_first_order() {
    for index in 0..50 {
        let program = FirstOrderProgram::draw(&mut SplitMix64::for_sample(3, index));
        let (term, context) = translate(&program.text).unwrap();
        assert_eq!(term.type_in(&context).map(|ty| ty.to_string()).as_deref(), Ok("⌊ℝ⌋ × ⌊ℝ⌋"), "{}", program.text);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_printed_clauses_agree_with_presheaves() {
        let survey = survey_first_order(5, 100, PrintedClauses).unwrap();
        println!("{survey}");
        assert!(survey.refutation.is_none(), "{survey}");
        assert!(survey.survived >= 75, "{survey}");
    }

    #[test]
    fn wrong_clauses_of_the_first_order_language_are_refuted() {
        for wrong in WrongFirstOrderClause::ALL {
            for seed in crate::seeds() {
                let survey = survey_first_order(seed, 40, wrong).unwrap();
                assert!(survey.refutation.is_some(), "{wrong:?}, seed {seed}: {survey}");
            }
        }
    }
}
