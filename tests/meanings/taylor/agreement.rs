//! One program, all models: derivatives by presheaves, by towers, by floating-point numbers and by the macro (X1, X4).

use crate::taylor::{ask, basis, derived, derived_at, enclosures, infer, is, same};
use smoothish::law::agreement::derivatives::derivative_programs;
use smoothish::law::agreement::{ModelAnswer, PartComparison, compare_answers};
use smoothish::law::generate::{self, TermGenerator, TermVocabulary};
use smoothish::meaning;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::syntax::source::{SourceText, Span};
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use std::sync::Arc;
use std::time::Duration;

/// Inductive types and their folds, which the macro keeps: d/dx of x·1 + (x·2 + x·x) at 3.
#[test]
fn inductive_types() {
    let program = "\\x => sumTree (mapTree (\\y => x * y) (Node (Leaf, 1, Node (Leaf, 2, Node (Leaf, x, Leaf)))))";
    is(&derived_at(program, &basis(1, 2), &["(3, 1, 0)"]), "(18, 9, 2)");
    // a type with numbers in it becomes one of its own, with its fold: c · x² at c = 3, x = 5, and the derivative in c
    let derived =
        derived("\\c x => evalPoly (Times (Number c, Times (Variable, Variable))) x", &basis(1, 1)).expect("derived");
    assert_eq!(derived.check_types(), Ok(()));
    let declaration = "type Poly' = Variable' | Number' (Real^2) | Plus' (Poly'^2) | Times' (Poly'^2)";
    assert_eq!(derived.declarations(), [declaration]);
    // what is printed can be pasted into a theory
    let program = derived.format_program().expect("typed").replace('\n', "\n  ");
    let theory = format!("theory Pasted extends Tree\n{declaration}\nlet pasted =\n  {program}\n");
    let mut theories = builtin::load_theories();
    theories.load([SourceText::new("pasted.theory", theory)]).unwrap_or_else(|e| panic!("{}", e.render()));
    let (_, ty) = theories.library().infer_expression("pasted").expect("a definition");
    assert_eq!(ty, derived.ty);
    let at = ["(3, 1)", "(5, 0)"].map(|jet| infer(jet).0);
    let value = at.into_iter().fold(derived.to_closed_term(), |f, x| Term::apply(f, x, Span::default()));
    let (_, pair) = infer("(0.5, 0.5)");
    same(&enclosures(&value, &pair), &ask("(75, 25)"), "evalPoly");
    let (_, ty) = infer("sumTree");
    assert_eq!(ty.to_string(), "Tree Real -> Real");
    assert_eq!(
        crate::taylor::derived("sumTree", &basis(2, 1)).expect("derived").ty.to_string(),
        "Tree (Real^3) -> Real^3"
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// X1, X4: on random smooth programs of first order, the towers of S, the jets of the presheaf model, and the derived program
    /// in exact reals have a common point in every derivative; floating-point derivatives and the derived program in
    /// floating-point numbers lie inside, or as far outside as rounding explains.
    #[test]
    fn all_models_have_the_same_derivatives() {
        let ty = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
        let eps = Rational::from((1, 1_000_000));
        let (mut compared, mut floats, mut towers) = (0, 0, 0);
        for index in 0..crate::drawn(250) {
            let mut random = SplitMix64::for_sample(41, index);
            let order = 1 + random.next_below(3);
            let point: Vec<Rational> = (0..2).map(|_| Rational::from((random.next_below(17) as i32 - 8, 8))).collect();
            let program = TermGenerator::with_vocabulary(random, TermVocabulary::Smooth).draw_term(&ty, 10);
            let Ok((term, _)) = generate::data_library().infer_expression(&format!("({program} : {ty})")) else {
                continue;
            };
            let found = derivative_programs(&term, &ty, &point, order).expect("derivatives");
            let Ok((_, derived)) = found.derived else { continue };
            let budget = || Arc::new(Budget::with_time_limit(Duration::from_secs(2)));
            let mut statements: Vec<ModelAnswer> = Vec::new();
            for meaning in meaning::all_semantics() {
                statements.push(ModelAnswer::answer_of(*meaning, &found.nested, &found.ty, &eps, &budget()));
                if meaning.name() != "tower" {
                    let name = if meaning.is_certified() { "taylor" } else { "taylor, float" };
                    statements.push(ModelAnswer {
                        name,
                        ..ModelAnswer::answer_of(*meaning, &derived, &found.ty, &eps, &budget())
                    });
                }
            }
            for (statement, judgements) in statements.iter().zip(compare_answers(&statements)) {
                for judgement in judgements.into_iter().flatten() {
                    assert!(
                        !matches!(judgement, PartComparison::Disjoint(_)),
                        "{program} at {point:?}: {} {judgement}",
                        statement.name
                    );
                    compared += usize::from(matches!(judgement, PartComparison::Agrees));
                    towers += usize::from(statement.name == "tower" && matches!(judgement, PartComparison::Agrees));
                    floats += usize::from(matches!(judgement, PartComparison::Inside | PartComparison::Near(_)));
                    if let PartComparison::Different(reason) = &judgement {
                        panic!("{program} at {point:?}: {} {reason}", statement.name);
                    }
                }
            }
        }
        let least = |share| crate::drawn(share) as usize;
        assert!(compared > least(2000) && towers > least(500) && floats > least(1000), "{compared} {towers} {floats}");
    }
}
