//! Which programs the theorems of a paper are about (CHECKLIST X8): each language refuses what its paper lacks, by name, at its
//! place, and says what to write instead.

use smoothish::law::generate::program::draw_trace_sample;
use smoothish::law::generate::{TermGenerator, TermVocabulary, data_library};
use smoothish::meaning;
use smoothish::meaning::taylor::derive::derive_with;
use smoothish::meaning::taylor::functor::{ClarkeTaylorHooks, PiecewiseTaylorHooks, Taylor, TaylorHooks};
use smoothish::meaning::taylor::jet::Basis;
use smoothish::model::fragment::{Construct, Fragment, FragmentError};
use smoothish::model::interpret;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::source::Span;
use smoothish::syntax::term::{Term, TermKind};
use smoothish::syntax::ty::Ty;
use smoothish::trace::embed::check_fragment;
use smoothish::trace::printer::to_text;
use std::process::Command;
use std::sync::Arc;

fn inferred(text: &str) -> Term {
    Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}")).0
}

/// What stands in the way: the construct, and where.
type Way = Option<(&'static str, u32)>;

/// A program, and what stands in the way of λ_S, of A's language, and of the macro.
const TABLE: &[(&str, [Way; 3])] = &[
    // what all have
    (r"\x => sin x * x ^ 3 / (1 + exp x)", [None, None, None]),
    (r"\x => deriv (\y => x * y ^ 2) x", [None, None, None]),
    (r"let twice f x = f (f x) in \x => twice sin x", [None, None, None]),
    (r"\(x, y) => (x * y, (x, y)[0] + 1)", [None, None, None]),
    // kinks
    (r"\x => 1 + max x 0", [None, None, Some(("`max`", 10))]),
    (r"abs 2", [None, None, Some(("`abs`", 0))]),
    // comparisons of real numbers, conditionals on them, truth values
    (r"\x => if x < 0 then 0 else x", [Some(("`<` of real numbers", 9)), None, Some(("`<` of real numbers", 9))]),
    (
        r"\x => let b = x < 1 in if b then 0 else x",
        [Some(("`<` of real numbers", 14)), Some(("truth values", 14)), Some(("`<` of real numbers", 14))],
    ),
    // discrete data
    (r"\x => if 2 == 3 then x else sin x", [None, Some(("`==` of natural numbers", 9)), None]),
    ("toReal 3", [None, Some(("`toReal`", 0)), None]),
    ("let rec f (n : Nat) : Real = if n == 0 then 1 else 2 * f (n - 1) in f 3", [None, Some(("natural", 11)), None]),
    (
        "let rec f (x : Real) : Real = 2 * f (x - 1) in f 3",
        [Some(("recursions on real numbers, such as `f`", 0)), None, None],
    ),
    (
        "let k = 2 * pi in let rec f (x : Real) : Real = k * f x in f 3",
        [Some(("recursions on real numbers, such as `f`", 18)), None, None],
    ),
    ("match Just 2 with Nothing => 0 | Just x => x", [Some(("`match`", 0)), Some(("`match`", 0)), None]),
    ("fold (+) 0 [1, 2]", [Some(("`fold`", 0)), Some(("`fold`", 0)), None]),
    (r"\(m : Maybe Real) => 1", [Some(("`Maybe Real`", 2)), Some(("`Maybe Real`", 2)), None]),
    // functions as values
    (r"(\x => (\y => y, x)) 2", [None, Some(("functions as values", 0)), None]),
    // derivatives and tangents
    (r"rd (\x => x * x) 3 1", [Some(("`rd`", 0)), None, None]),
    (r"jvp (\x => x * x) 3 1", [Some(("`jvp`", 0)), None, None]),
    (r"\f => tangent (\x => f x) ", [None, Some(("functions as values", 1)), Some(("`tangent`", 6))]),
    ("tangent_R.to", [None, Some(("isomorphisms", 0)), Some(("isomorphisms", 0))]),
    (r"\(t : Tan Real) => 1", [None, Some(("`Tan Real`", 2)), Some(("`Tan Real`", 2))]),
    // integrals, roots and optima
    (r"integral01 (\x => x)", [None, Some(("`integral01`", 0)), None]),
    (r"2 * cutRoot (\x => 1 - x)", [None, Some(("`cutRoot`", 4)), None]),
    (r"max01 (\x => 1 - x)", [None, Some(("`max01`", 0)), None]),
];

#[test]
fn each_language_refuses_what_its_paper_lacks() {
    for (text, ways) in TABLE {
        let term = inferred(text);
        for (fragment, way) in [Fragment::LambdaS, Fragment::Abadi, Fragment::Derivable].iter().zip(ways) {
            match (check_fragment(*fragment, &term), way) {
                (Ok(()), None) => {}
                (Err(error), Some((construct, start))) => {
                    let told = error.to_string();
                    assert!(told.contains(construct), "{fragment}: {text}: {told}");
                    assert!(told.contains("; "), "{told} does not say what to write instead");
                    assert_eq!(error.location().span.start, *start, "{fragment}: {text}: {told}");
                }
                (found, way) => panic!("{fragment}: {text}: {found:?}, expected {way:?}"),
            }
        }
    }
}

/// The table and the macro, of every constant.
#[test]
fn the_macro_has_a_rule_for_what_is_derivable() {
    let basis = || Basis::new(1, 1).expect("a basis");
    for constant in Constant::ALL {
        // what is of vectors has a rule at each type
        let ty = constant.scheme().ty.with_arguments(&vec![Ty::real(); 4]);
        let term = if constant.is_expandable() {
            Term::with_type(TermKind::Constant(*constant), ty, Span::default())
        } else {
            Term::constant(*constant)
        };
        let found = interpret(&Taylor::new(basis()), &[], &term);
        assert_eq!(found.is_ok(), Fragment::Derivable.has_constant(*constant), "{}: {found:?}", constant.name());
    }
}

/// The rules for pieces are for the language of programs in pieces; those of Clarke are for kinks beside it.
#[test]
fn the_rules_for_pieces_and_kinks_are_for_what_they_say() {
    for constant in Constant::ALL {
        let ty = constant.scheme().ty.with_arguments(&vec![Ty::real(); 4]);
        let term = Term::with_type(TermKind::Constant(*constant), ty, Span::default());
        let rules: [(&'static dyn TaylorHooks, bool); 2] = [
            (&PiecewiseTaylorHooks, Fragment::OmegaPap.has_constant(*constant)),
            (
                &ClarkeTaylorHooks,
                Fragment::Derivable.has_constant(*constant)
                    || matches!(constant, Constant::Abs | Constant::Max | Constant::Min),
            ),
        ];
        for (hooks, expected) in rules {
            let taylor = Taylor::with_hooks(hooks, Basis::new(1, 2).expect("a basis"));
            let found = derive_with(&taylor, &term, term.ty());
            assert_eq!(found.is_ok(), expected, "{hooks:?}: {}: {found:?}", constant.name());
        }
    }
}

/// The table and the model in pieces, of every constant, and what neither has.
#[test]
fn programs_in_pieces_have_what_the_table_says() {
    let pap = meaning::all_semantics().iter().find(|meaning| meaning.name() == "pap").expect("the model in pieces");
    for constant in Constant::ALL {
        let ty = constant.scheme().ty.with_arguments(&vec![Ty::real(); 4]);
        let term = Term::with_type(TermKind::Constant(*constant), ty.clone(), Span::default());
        let found = pap.evaluate(&term, &ty, &Rational::from(1), &Arc::new(Budget::unlimited()));
        assert_eq!(found.is_ok(), Fragment::OmegaPap.has_constant(*constant), "{}", constant.name());
    }
    for (text, refused) in [
        (r"\x => if x < 0 then 0 else deriv abs x", None),
        ("let rec f x = if x < 1 then x else f (x / 2) in f 9", None),
        ("do { x <- sample (normal 0 1); observe (normal x 1) 3; return (sqrt (abs x)) }", None),
        (r"integral01 (\x => x)", Some("ωPAP has no `integral01`; sample, and use `expect`")),
        (r"1 + cutRoot (\x => 1 - x)", Some("ωPAP has no `cutRoot`; search by a recursion")),
        (r"\(t : Tan Real) => 1", Some("ωPAP has no values of type `Tan Real`; write `deriv`")),
    ] {
        let found = check_fragment(Fragment::OmegaPap, &inferred(text)).map_err(|error| error.to_string());
        match (&found, refused) {
            (Ok(()), None) => {}
            (Err(told), Some(words)) => assert!(told.starts_with(words), "{text}: {told}"),
            _ => panic!("{text}: {found:?}"),
        }
    }
}

/// The table and the embedding, of every constant at real numbers: what the table has is never refused by its name.
#[test]
fn traces_have_what_the_table_says() {
    for constant in Constant::ALL {
        let ty = constant.scheme().ty.with_arguments(&vec![Ty::real(); 4]);
        let term = Term::with_type(TermKind::Constant(*constant), ty, Span::default());
        match check_fragment(Fragment::Abadi, &term) {
            Ok(()) => assert!(Fragment::Abadi.has_constant(*constant), "{}", constant.name()),
            Err(FragmentError::Construct { construct: Construct::Constant(named), .. }) => {
                assert!(named == *constant && !Fragment::Abadi.has_constant(named), "{}", constant.name());
            }
            // a function for an argument, or a truth value for a result, is no fault of the constant
            Err(error) => {
                let expected = [Construct::Function, Construct::TruthValue];
                let fits = matches!(&error, FragmentError::Construct { construct, .. } if expected.contains(construct));
                assert!(fits || !Fragment::Abadi.has_constant(*constant), "{}: {error}", constant.name());
            }
        }
    }
}

/// What is drawn from a language is in it.
#[test]
fn random_programs_are_in_their_language() {
    let library = data_library();
    for index in 0..500 {
        let mut generator =
            TermGenerator::with_vocabulary(SplitMix64::for_sample(11, index), TermVocabulary::Derivable);
        let drawn = draw_trace_sample(SplitMix64::for_sample(12, index));
        for (fragment, program) in [
            (Fragment::Derivable, generator.draw_term(&Ty::real(), 20).to_string()),
            (Fragment::Abadi, to_text(&[(drawn.x, drawn.ty)], &drawn.term)),
        ] {
            let (term, _) = library.infer_expression(&program).unwrap_or_else(|e| panic!("{program}: {e}"));
            check_fragment(fragment, &term).unwrap_or_else(|e| panic!("{program}: {e}"));
        }
    }
}

fn smoothish(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    let read = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (read(output.stdout), read(output.stderr), output.status.code())
}

#[test]
fn the_command_line_answers() {
    let relu = r"\x => if x < 0 then 0 else x";
    let (out, complaint, status) = smoothish(&["fragment", relu]);
    assert_eq!((&*complaint, status), ("", Some(0)));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("lambda-s   no   question:1:10: λ_S has no `<` of real numbers; "), "{out}");
    assert_eq!(lines[1], "abadi      yes");
    let (_, complaint, status) = smoothish(&["fragment", "--in", "derivable", relu]);
    assert_eq!(status, Some(2));
    assert!(complaint.contains(" --> question:1:10\n"), "{complaint}");
    let (out, _, status) = smoothish(&["fragment", "--in", "abadi", "--json", relu]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &json["fragments"][0]["holds"]), (Some(0), &true.into()));
    assert_eq!(smoothish(&["fragment", "--in", "pap", relu]).2, Some(2));
}
