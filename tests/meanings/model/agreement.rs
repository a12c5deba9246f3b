//! The models agree: on the claims of the theories, and on random programs.

use super::{ask, eps, infer, judgements, own_model, statements};
use smoothish::law::agreement::{
    self as law, DisagreementReason, Mismatch, PartComparison, ValueKind, compare_answers, compare_float,
};
use smoothish::law::generate;
use smoothish::model::answer::{AnswerNumber, AnswerTruth, ProgramAnswer, SemanticsError};
use smoothish::number::{Context, Double, Rational, decimal, real};
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use smoothish::value::Value;
use std::time::Duration;

fn answer(lo: f64, hi: f64, reached: bool) -> real::RefinedEnclosure {
    let point = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
    let enclosure = Double.to_enclosure(&Double.hull(&point(lo), &point(hi)));
    real::RefinedEnclosure {
        enclosure,
        reached,
        bits: 53,
        exhausted: false,
        assumed: Vec::new(),
        reason: None,
        exact: None,
        conditional: None,
    }
}

#[test]
fn a_floating_point_number_is_judged_by_the_enclosure() {
    let unit = answer(0.0, 1.0, true);
    assert_eq!(compare_float(1.0, 0.0, &unit), PartComparison::Inside);
    assert_eq!(compare_float(1.0_f64.next_up(), 1e-15, &unit), PartComparison::Near(1.0));
    assert_eq!(
        compare_float(2.0, 1e-15, &unit),
        PartComparison::Different(DisagreementReason::OffByUlps(2.0_f64.powi(51)))
    );
    assert_eq!(compare_float(2.0, 1e-15, &answer(0.0, 1.0, false)), PartComparison::Different(DisagreementReason::Set));
    assert_eq!(compare_float(f64::NAN, 0.0, &unit), PartComparison::Different(DisagreementReason::NotANumber));
    assert_eq!(compare_float(f64::INFINITY, 0.0, &unit), PartComparison::Different(DisagreementReason::Overflow));
    let nothing = real::RefinedEnclosure { enclosure: Double.to_enclosure(&Double.bottom()), ..unit };
    assert_eq!(compare_float(1.0, 0.0, &nothing), PartComparison::NotCompared(DisagreementReason::Undefined));
    assert_eq!(compare_float(f64::NAN, 0.0, &nothing), PartComparison::NoNumber);
}

/// The judgement has teeth: two enclosures of one number that do not meet are refuted, each with the other's name, in the
/// component where it happens.
#[test]
fn enclosures_without_a_common_point_are_refuted() {
    let tuple = |parts: [(f64, f64); 2]| {
        let number = |(lo, hi)| Value::Real(AnswerNumber::Enclosure(Box::new(answer(lo, hi, true))));
        let value = Value::Tuple(parts.map(number).into());
        Ok(ProgramAnswer::from_value(value))
    };
    let state = |name, outcome| state(name, true, outcome);
    let judged = compare_answers(&[
        state("one", tuple([(0.0, 1.0), (0.0, 1.0)])),
        state("other", tuple([(1.0, 2.0), (1.5, 2.0)])),
    ]);
    let expected = |name| Some(vec![PartComparison::Agrees, PartComparison::Disjoint(vec![name])]);
    assert_eq!(judged, [expected("other"), expected("one")]);
    // of two numbers that may not exist, neither refutes the other
    let maybe = |lo| {
        let found = answer(lo, lo, true);
        let found = real::RefinedEnclosure { enclosure: found.enclosure.with_defined(false), ..found };
        Ok(ProgramAnswer::from_value(Value::Real(AnswerNumber::Enclosure(Box::new(found)))))
    };
    let judged = compare_answers(&[state("one", maybe(0.0)), state("other", maybe(1.0))]);
    assert_eq!(judged, [(); 2].map(|()| Some(vec![PartComparison::NotCompared(DisagreementReason::Undefined)])));
    let word = |b| Ok(ProgramAnswer::from_value(Value::from_bool(b)));
    let judged = compare_answers(&[state("one", word(true)), state("other", word(false))]);
    assert_eq!(judged[0], Some(vec![PartComparison::Disjoint(vec!["other"])]));
}

fn state(name: &'static str, encloses: bool, outcome: Result<ProgramAnswer, SemanticsError>) -> law::ModelAnswer {
    law::ModelAnswer { name, encloses, outcome, elapsed: Duration::ZERO }
}

fn says(value: Value<AnswerNumber>) -> Result<ProgramAnswer, SemanticsError> {
    Ok(ProgramAnswer::from_value(value))
}

fn between(lo: f64, hi: f64) -> Value<AnswerNumber> {
    Value::Real(AnswerNumber::Enclosure(Box::new(answer(lo, hi, true))))
}

fn double(value: f64) -> Value<AnswerNumber> {
    Value::Real(AnswerNumber::Float { value, error: 0.0 })
}

fn one_by_one(statements: &[law::ModelAnswer]) -> Vec<PartComparison> {
    compare_answers(statements).into_iter().map(|judged| judged.expect("an answer").swap_remove(0)).collect()
}

/// Of three enclosures one is apart: which of them is wrong is not known, and each is told from which it is apart.
#[test]
fn a_refuted_enclosure_is_told_from_which_others_it_is_apart() {
    let three = [(0.0, 2.0), (1.0, 3.0), (5.0, 6.0)];
    let names = ["one", "two", "three"];
    let statements: Vec<_> =
        names.iter().zip(three).map(|(name, (lo, hi))| state(name, true, says(between(lo, hi)))).collect();
    let apart = |names: &[&'static str]| PartComparison::Disjoint(names.to_vec());
    let judged = one_by_one(&statements);
    assert_eq!(judged, [apart(&["three"]), apart(&["three"]), apart(&["one", "two"])]);
    assert_eq!(judged[2].to_string(), "refuted: disjoint from one, two");
}

/// A meaning that may be wrong refutes nothing, whatever it answers with.
#[test]
fn what_does_not_enclose_refutes_nothing() {
    let apart = || PartComparison::Different(DisagreementReason::Apart(vec!["sure"]));
    for (sure, guess, expected) in [
        (between(0.0, 1.0), between(2.0, 3.0), [PartComparison::OnlyEnclosure, apart()]),
        (between(0.0, 1.0), between(1.0, 3.0), [PartComparison::OnlyEnclosure, PartComparison::Agrees]),
        (between(0.0, 1.0), double(0.5), [PartComparison::OnlyEnclosure, PartComparison::Inside]),
        (Value::from_bool(true), Value::from_bool(false), [PartComparison::OnlyAnswer, apart()]),
        (Value::Natural(3), Value::Natural(3), [PartComparison::Agrees, PartComparison::Agrees]),
    ] {
        let statements = [state("sure", true, says(sure)), state("guess", false, says(guess))];
        assert_eq!(one_by_one(&statements), expected, "{statements:?}");
    }
    // two guesses
    let guesses = [state("one", false, says(between(0.0, 1.0))), state("other", false, says(between(2.0, 3.0)))];
    assert_eq!(
        one_by_one(&guesses),
        [
            PartComparison::NotCompared(DisagreementReason::Unknown),
            PartComparison::NotCompared(DisagreementReason::Unknown)
        ]
    );
    let words = [true, false].map(|b| state("guess", false, says(Value::from_bool(b))));
    assert_eq!(
        one_by_one(&words),
        [
            PartComparison::NotCompared(DisagreementReason::Unknown),
            PartComparison::NotCompared(DisagreementReason::Unknown)
        ]
    );
    // a second enclosure is compared with the first, not with the guess
    let guess = state("guess", false, says(between(2.0, 3.0)));
    let sure = |name| state(name, true, says(between(0.0, 1.0)));
    let judged = one_by_one(&[sure("one"), guess, sure("two")]);
    let different = PartComparison::Different(DisagreementReason::Apart(vec!["one", "two"]));
    assert_eq!(judged, [PartComparison::Agrees, different, PartComparison::Agrees]);
}

/// Answers of different shapes are not called equal.
#[test]
fn what_has_another_kind_or_number_is_not_compared() {
    let pair = || Value::tuple_of([between(0.0, 1.0), between(0.0, 1.0)]);
    let count = |name, own, other| PartComparison::Incomparable(name, Mismatch::Count { own, other });
    let kind = |name, own, other| PartComparison::Incomparable(name, Mismatch::Kind { own, other });
    for encloses in [true, false] {
        let judged =
            compare_answers(&[state("pair", true, says(pair())), state("single", encloses, says(between(0.0, 1.0)))]);
        let expected = if encloses { count("single", 2, 1) } else { PartComparison::OnlyEnclosure };
        assert_eq!(judged[0], Some(vec![expected.clone(), expected]));
        assert_eq!(judged[1], Some(vec![count("pair", 1, 2)]));
        let judged = one_by_one(&[
            state("number", true, says(between(0.0, 1.0))),
            state("word", encloses, says(Value::from_bool(true))),
        ]);
        let expected =
            if encloses { kind("word", ValueKind::Real, ValueKind::Boolean) } else { PartComparison::OnlyEnclosure };
        assert_eq!(judged, [expected, kind("number", ValueKind::Boolean, ValueKind::Real)]);
    }
    // lists of different lengths are different values; what they are made of cannot be compared
    let list = |numbers: &[f64]| Value::List(numbers.iter().map(|x| between(*x, *x)).collect());
    let judged =
        compare_answers(&[state("long", true, says(list(&[1.0, 2.0]))), state("short", true, says(list(&[1.0])))]);
    let shape = |own: &str, other: &str| Mismatch::Shape { own: own.to_owned(), other: other.to_owned() };
    let behind = || PartComparison::Incomparable("short", shape("a list of 2", "a list of 1"));
    assert_eq!(judged[0], Some(vec![PartComparison::Disjoint(vec!["short"]), behind(), behind()]));
    assert_eq!(behind().to_string(), "not comparable: a part of a list of 2, but a list of 1 of short");
    let judged =
        compare_answers(&[state("sure", true, says(list(&[1.0, 2.0]))), state("guess", false, says(list(&[1.0])))]);
    assert_eq!(judged[0], Some(vec![PartComparison::OnlyEnclosure, PartComparison::OnlyEnclosure]));
    let behind = PartComparison::Incomparable("sure", shape("a list of 1", "a list of 2"));
    assert_eq!(judged[1], Some(vec![PartComparison::Different(DisagreementReason::Apart(vec!["sure"])), behind]));
    let judged = one_by_one(&[
        state("natural", true, says(Value::Natural(1))),
        state("truth", true, says(Value::from_bool(true))),
        state("double", false, says(double(1.0))),
    ]);
    assert_eq!(judged[2], kind("natural", ValueKind::Real, ValueKind::Natural));
    assert_eq!(judged[0].to_string(), "not comparable: a natural number, but a truth value of truth");
    assert_eq!(count("pair", 1, 2).to_string(), "not comparable: 1 part, but 2 of pair");
}

/// An error from outside the library goes through as it is.
#[test]
fn a_meaning_from_outside_has_its_own_errors() {
    let error = SemanticsError::from_external("no such planet");
    assert_eq!(error.to_string(), "no such planet");
    assert!(error.unsupported_construct().is_none());
    let judged = compare_answers(&[state("sure", true, says(between(0.0, 1.0))), state("other", true, Err(error))]);
    assert_eq!(judged, [Some(vec![PartComparison::OnlyEnclosure]), None]);
}

/// The example of a model of one's own: a recursion without end is given up.
#[test]
fn the_example_counts_and_ends() {
    let counted = own_model::counted("deriv (\\x => x * x) 3").unwrap();
    assert_eq!(counted["*"], [1, 0]);
    // cos is the derivative of sin, exp its own; of the products of the chain rule only one is not by 1
    let chain = own_model::counted("deriv (\\x => exp (sin x)) 0.3").unwrap();
    assert_eq!(chain, [("*", [0, 1]), ("exp", [1, 1]), ("sin", [1, 1])].into());
    let lacking = own_model::counted("max 1 2").unwrap_err();
    assert!(lacking.to_string().contains("`counter` does not define `max`"), "{lacking}");
    let endless = own_model::counted("let rec f (n : Nat) : Real = f n in f 1").unwrap_err();
    assert!(endless.to_string().contains("steps"), "{endless}");
}

/// What ordinary programs get wrong is told: cancellation is within the estimate, a branch at a kink is in the set, a slope
/// that is not defined is no number.
#[test]
fn the_ways_in_which_floating_point_numbers_differ() {
    let judged = |program: &str| {
        let (term, ty) = infer(program);
        judgements(&statements(&term, &ty, &eps(), u64::MAX), "float").unwrap().swap_remove(0)
    };
    assert!(matches!(judged("(1e16 + 1) - 1e16"), PartComparison::Near(_)), "{}", judged("(1e16 + 1) - 1e16"));
    assert_eq!(judged("deriv relu 0"), PartComparison::Inside);
    assert_eq!(judged("signum 0"), PartComparison::Inside);
    // both are x; the first argument wins a tie, which is right in one and wrong in the other
    assert_eq!(judged("deriv (\\x => max x 0 + min 0 x) 0"), PartComparison::Inside);
    let cancelling = judged("deriv (\\x => max 0 x - max 0 (-x)) 0");
    assert!(matches!(cancelling, PartComparison::Different(DisagreementReason::OffByUlps(_))), "{cancelling}");
    assert_eq!(judged("log (-1)"), PartComparison::NoNumber);
    assert_eq!(judged("exp 1000 / exp 999"), PartComparison::Different(DisagreementReason::NotANumber));
    assert_eq!(judged("exp 1000"), PartComparison::Different(DisagreementReason::Overflow));
    // 1 - 2c: the integral sees its jump move, and dual numbers do not
    let jump = "deriv (\\c => integral01 (\\x => signum (x - c))) 0.3";
    assert!(matches!(judged(jump), PartComparison::Different(DisagreementReason::OffByUlps(_))), "{}", judged(jump));
    // two roots between two points of the grid
    // a root on the grid is exact, and one that is only touched is none
    for (question, root) in [("firstRoot (\\t => 1/2 - t)", 0.5), ("firstRoot (\\t => (t - 1/2)^2 * (3/4 - t))", 0.75)]
    {
        let (term, ty) = Library::new().infer_expression(question).unwrap();
        let meaning = smoothish::meaning::semantics_named("float").unwrap();
        let answer = meaning
            .evaluate(&term, &ty, &eps(), &std::sync::Arc::new(smoothish::number::budget::Budget::unlimited()))
            .unwrap();
        assert!(matches!(answer.value, Value::Real(AnswerNumber::Float { value, .. }) if value == root), "{question}");
    }
    let close = "firstRoot (\\x => (x - 0.501) * (x - 0.502))";
    assert!(matches!(judged(close), PartComparison::Different(DisagreementReason::OffByUlps(_))), "{}", judged(close));
    // the derivative is 1; taking one branch at each of two kinks makes it 0
    let halves = judged("deriv (\\x => max 0 x + min 0 x) 0");
    assert!(matches!(halves, PartComparison::Different(DisagreementReason::OffByUlps(_))), "{halves}");
}

/// Real numbers in tuples are compared one by one, and so is what is discrete.
#[test]
fn tuples_are_compared_componentwise() {
    let (term, ty) = infer("(1/3, 2 == 1 + 1, (deriv sin 0, ()))");
    let statements = statements(&term, &ty, &eps(), u64::MAX);
    let judged = judgements(&statements, "float").unwrap();
    assert_eq!(
        judged,
        [PartComparison::Inside, PartComparison::Agrees, PartComparison::Inside, PartComparison::Agrees]
    );
    match ask("presheaf", "(1, tt)").unwrap().value {
        Value::Tuple(parts) => {
            assert!(matches!(
                &parts[..],
                [Value::Real(AnswerNumber::Enclosure(_)), Value::Boolean(AnswerTruth::Decided(true))]
            ))
        }
        other => panic!("{other:?}"),
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The work of a model on a program: most need less than a hundredth, and a few have no end.
    const WORK: u64 = 50_000;

    /// Random programs, the same on every run: no two enclosures of one number are disjoint.
    #[test]
    fn the_models_agree_on_random_programs() {
        let library = generate::data_library();
        let eps = decimal::parse("1e-6").unwrap();
        let (mut by_tower, mut by_float, mut different) = (0, 0, 0);
        for index in 0..250 {
            let program = generate::random_program(20, index).term.to_string();
            let (term, ty) = library.infer_expression(&program).unwrap();
            let statements = statements(&term, &ty, &eps, WORK);
            for judgement in compare_answers(&statements).into_iter().flatten().flatten() {
                assert!(!matches!(judgement, PartComparison::Disjoint(_)), "{program}: {statements:?}");
            }
            by_tower += usize::from(judgements(&statements, "tower").is_some());
            if let Some(judged) = judgements(&statements, "float") {
                by_float += 1;
                different += usize::from(matches!(judged[0], PartComparison::Different(_)));
            }
        }
        assert!(by_tower > 50 && by_float > 150, "{by_tower} by towers, {by_float} by floating-point numbers");
        assert!(different * 10 < by_float, "{different} of {by_float} floating-point numbers differ");
    }

    /// Every claim about one value, in every model that has it: enclosures meet, and floating-point numbers are inside or off
    /// by their estimated error, but for the claims where one may not be.
    #[test]
    fn the_models_agree_on_the_theories() {
        let theories = builtin::load_theories();
        let (mut compared, mut by_tower, mut differing) = (0, 0, Vec::new());
        for theory in theories.theories() {
            for claim in &theory.claims {
                for (term, ty) in claim.statement.typed_programs() {
                    let statements = statements(term, &ty, &eps(), WORK);
                    let name = format!("{}.{}", theory.name, claim.name);
                    for judgement in compare_answers(&statements).into_iter().flatten().flatten() {
                        assert!(!matches!(judgement, PartComparison::Disjoint(_)), "{name}: {statements:?}");
                    }
                    compared += 1;
                    by_tower += usize::from(judgements(&statements, "tower").is_some());
                    if let Some(PartComparison::Different(reason)) =
                        judgements(&statements, "float").and_then(|mut j| j.pop())
                    {
                        differing.push((name, reason));
                    }
                }
            }
        }
        println!("{compared} compared, {by_tower} of them by towers");
        assert!(compared > 150 && by_tower > 60, "{compared} compared, {by_tower} of them by towers");
        let names: Vec<&str> = differing.iter().map(|(name, _)| &**name).collect();
        assert!(differing.len() <= compared / 20, "floating-point numbers differ: {names:?}");
    }
}
