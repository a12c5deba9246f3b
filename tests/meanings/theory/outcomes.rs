//! What laws say of what is known otherwise: true ones survive, false ones are refuted by a small program, and what shows
//! nothing is vacuous.

use super::{effort, tried, tried_in};
use smoothish::meaning;
use smoothish::model::answer::AnswerNumber;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin;
use smoothish::theory::trial::{StatementOutcome, StatementRefutation, StatementTest, StatementTestConfig};
use smoothish::value::Value;
use std::sync::Arc;

#[track_caller]
fn all(found: &[(String, StatementOutcome)], good: impl Fn(&StatementOutcome) -> bool) {
    assert!(!found.is_empty());
    for (name, outcome) in found {
        assert!(good(outcome), "{name}: {outcome:?}");
    }
}

#[test]
fn true_laws_survive() {
    let found = tried(
        r"theory Own extends Prelude, Integral
        law chain (f g : Real -> Real) (x : Real) : deriv (\z => g (f z)) x ~ deriv g (f x) * deriv f x
          where smooth f, smooth g
        law clarke (f g : Real -> Real) (x : Real) : deriv f x + deriv g x >= deriv (\z => f z + g z) x
        law square_root (x : Real) : (sqrt x)^2 ~ x where positive x
        law quotient (x y : Real) : x / (x - y) - y / (x - y) ~ 1 where apart x y
        law rising (f : Real -> Real) (x y : Real) : min (f x) (f y) ~ f (min x y) where increasing f
        law functions (f : Real -> Real) : f ~ \x => f x + 0
        law pairs A B (p : A * B) : (fst p, snd p) ~ p
        law naturals (m n : Nat) (b : Bool) : (m + n == n + m) && (b || not b) ~ tt
        law functionals (g : (Real -> Real) -> Real) (f : Real -> Real) : g (\x => f x) ~ g f",
    );
    assert_eq!(found.len(), 9);
    all(&found, |outcome| matches!(outcome, StatementOutcome::Survived(n) if *n >= 100));
}

#[test]
fn normal_forms_need_no_samples() {
    let found = tried(
        r"theory Own
        law eta A B (f : A -> B) : f = \x => f x
        law surjective A B (p : A * B) : p = (fst p, snd p)
        law let_is_beta A B (f : A -> B) (x : A) : (let y = x in f y) = f x",
    );
    all(&found, |outcome| *outcome == StatementOutcome::Holds);
    let found = tried("theory Own law wrong A (x y : A) : x = y law arithmetic (x : Real) : x + x = 2 * x");
    all(&found, |outcome| matches!(outcome, StatementOutcome::Refuted(_)));
}

/// The program of a counterexample can be pasted, and its two parts differ.
#[test]
fn false_laws_are_refuted_by_small_programs() {
    let theories = builtin::load_theories();
    let session = Session::with_library(theories.library().clone());
    let found = tried(
        r"theory Own extends Prelude
        law product (f g : Real -> Real) (x : Real) : deriv (\z => f z * g z) x ~ deriv f x * deriv g x
        law order (x y : Real) : x - y ~ y - x
        law constant (f : Real -> Real) : deriv f 0 ~ 0
        law sharing (g : (Real -> Real) -> Real) (f h : Real -> Real) : g (\x => f x + h x) ~ g f + g h
        law shapes (b : Bool) : b ~ not b
        law functions (f g : Real -> Real) : f ~ g",
    );
    assert_eq!(found.len(), 6);
    for (name, outcome) in &found {
        let StatementOutcome::Refuted(StatementRefutation { program: Some(program), left, right }) = outcome else {
            panic!("{name}: {outcome:?}");
        };
        assert!(program.len() < 200 && left != right, "{name}: {program}");
        let answer = session.ask(&Evaluate::new(program).with_width("1e-6"), &Limits::none());
        match answer.unwrap_or_else(|error| panic!("{name}: {program}: {error}")).value() {
            Value::Tuple(parts) => match &parts[..] {
                [Value::Real(AnswerNumber::Enclosure(a)), Value::Real(AnswerNumber::Enclosure(b))] => {
                    assert!(!a.enclosure.overlaps(&b.enclosure), "{program}");
                }
                [Value::Boolean(a), Value::Boolean(b)] => assert_ne!(a, b, "{program}"),
                other => panic!("{name}: {other:?}"),
            },
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn larger_sets_are_larger() {
    let found = tried(
        r"theory Own extends Prelude
        law at_the_kink (x : Real) : deriv abs (x - x) >= -1 .. 1
        law narrower (x : Real) : deriv abs (x - x) >= 0 .. 1/2
        law itself (x : Real) : x >= x",
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Survived(_)));
    let found = tried(
        r"theory Own extends Prelude
        law one_side (x : Real) : deriv relu (x * x + 1) >= 0 .. 1
        law too_large (x : Real) : deriv relu (x - x) >= -1 .. 1",
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Refuted(_)));
}

#[test]
fn what_says_nothing_is_vacuous() {
    let found = tried(
        r"theory Own extends Prelude
        law no_value (x : Real) : x / (x - x) ~ 1
        law sets (x : Real) : deriv abs (x - x) ~ 5 * deriv abs (x - x)
        law unmet (x : Real) : x ~ 1 where positive (x - x)
        law bottom_is_larger (x : Real) : x / (x - x) >= 0 .. 1",
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Vacuous(_)));
    let why = |index: usize| match &found[index].1 {
        StatementOutcome::Vacuous(why) => why.clone(),
        _ => unreachable!(),
    };
    assert_eq!(why(2), "none of 120 samples meets the conditions");
    assert_eq!(why(0), "the sides are undefined, or wider than asked");
}

#[test]
fn claims_have_all_relations() {
    let found = tried(
        r#"theory Own extends Prelude
        claim rejected : deriv 2 rejects "expected Real -> Real" because "2 is no function"
        claim identity : \(x : Real) => x = \(y : Real) => y because "names do not matter"
        claim hull : deriv relu 0 >= 1/4 .. 3/4 because "[0, 1]"
        claim truth : 1 < 2 ~ tt because "order of natural numbers""#,
    );
    all(&found, |outcome| *outcome == StatementOutcome::Holds);
    let found = tried(
        r#"theory Own extends Prelude
        claim accepted : deriv sin rejects "expected" because "it has a type"
        claim other_words : deriv 2 rejects "Bool" because "another message"
        claim names : \(x y : Real) => x = \(x y : Real) => y because "wrong"
        claim hull : deriv relu 0 >= 1/4 .. 5/4 because "wrong""#,
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Refuted(_)));
}

/// What a model lacks is said, and laws that it has are tried in it.
#[test]
fn models_are_named() {
    let text = r#"theory Own extends Prelude
        law product (f g : Real -> Real) (x : Real) : deriv (\z => f z * g z) x ~ f x * deriv g x + g x * deriv f x
          where smooth f, smooth g
        law power (x : Real) : deriv (\z => z^3) x ~ 3 * x^2
        law guard (c : Real) : (if 1 + c^2 > 0 then c else 0) ~ c
        model tower : all except product because "random functions have guards""#;
    let found = tried(text);
    let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["product", "power", "power", "guard", "guard"]);
    all(&found[..4], |outcome| matches!(outcome, StatementOutcome::Survived(100)));
    assert_eq!(found[4].1, StatementOutcome::Unsupported("`>` of real numbers".to_owned()));
    assert_eq!(tried_in(text, &["tower"], &effort()).len(), 2);
}

#[test]
fn what_is_undefined_is_claimed() {
    let found = tried(
        r#"theory Own extends Prelude
        claim division : 1 / 0 undefined because "no number"
        claim kink : nthDeriv 2 relu 0 undefined because "a jump""#,
    );
    all(&found, |outcome| *outcome == StatementOutcome::Holds);
    let found = tried(
        "theory Own extends Prelude claim number : 1 undefined because \"\" claim set : deriv abs 0 undefined because \"\"",
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Refuted(_)));
}

/// Two demands on one function are both met; demands hold of what is shown as a counterexample.
#[test]
fn demands_are_met_together() {
    let found = tried(
        r"theory Own extends Prelude
        law up (f : Real -> Real) (x d : Real) : max 0 (f x - f (x + d)) ~ 0 where increasing f, smooth f, positive d
        law down (f : Real -> Real) (x d : Real) : max 0 (f x - f (x + d)) ~ 0 where smooth f, increasing f, positive d
        law steep (f : Real -> Real) (x : Real) : max 0 (abs (deriv f x) - 1000000) ~ 0 where increasing f, smooth f",
    );
    all(&found[..2], |outcome| matches!(outcome, StatementOutcome::Survived(_)));
    let found = tried(
        r"theory Own extends Prelude
        law smaller (f : Real -> Real) (x : Real) : max 0 (abs (f x) - 1/2) ~ 0 where smooth f
        law longer (f : Real -> Real) : max 0 (f 0) ~ 0",
    );
    for (name, outcome) in &found {
        let StatementOutcome::Refuted(StatementRefutation { program: Some(program), .. }) = outcome else {
            panic!("{name}: {outcome:?}")
        };
        assert!(!program.contains('/') || program.contains("^2") || program.contains("1/2"), "{program}");
    }
}

/// What ran out of work is not larger than anything.
#[test]
fn unfinished_sets_say_nothing() {
    let found = tried(
        r"theory Own extends Prelude
        law unfinished (a : Real) : max01 (\x => integral01 (\y => sin (1000*x*y + 0*a))) >= 1/2",
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Vacuous(_)));
}

/// A counterexample can be pasted: without comments, and at types in the place of parameters.
#[test]
fn counterexamples_are_programs() {
    let theories = builtin::load_theories();
    let text = "theory Own\nlaw commented (x : Real) : x + ! a comment\n  1 ~ x\n\
                law at_a_type A (x y : A) : (\\(z : A) => z) x ~ y";
    for (name, outcome) in tried(text) {
        let StatementOutcome::Refuted(StatementRefutation { program: Some(program), .. }) = outcome else {
            panic!("{name}: {outcome:?}")
        };
        let read = theories.library().infer_expression(&program);
        assert!(read.is_ok(), "{name}: {program}: {read:?}");
    }
}

/// Lists are long now and then, and a law that says nothing at one type is still tried at the others.
#[test]
fn rare_samples_are_found() {
    let effort = StatementTestConfig { samples: 1000, ..effort() };
    let found = tried_in(
        r"theory Own extends Data
        law short (xs : List Real) : max 0 (toReal (length xs) - 4) ~ 0",
        &[],
        &effort,
    );
    all(&found, |outcome| matches!(outcome, StatementOutcome::Refuted(_)));
}

#[test]
fn many_samples_obey_the_clock() {
    let effort = StatementTestConfig { samples: 1_000_000, timeout: std::time::Duration::from_millis(200), ..effort() };
    let start = std::time::Instant::now();
    let found = tried_in("theory Own law long (f : Real -> Real) (x : Real) : f x ~ f x", &[], &effort);
    all(&found, |outcome| *outcome == StatementOutcome::Vacuous("its time was up".to_owned()));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// A theory that is loaded may name its functions as constants are named; what the others say is typed without it, whenever
/// that is.
#[test]
fn what_is_loaded_changes_no_other_theory() {
    let mut theories = builtin::load_theories();
    theories.load([SourceText::new("own", "theory Own\nlet scale (x : Real) : Real = 2 * x\n")]).unwrap();
    assert!(theories.find_theory("Smooth").is_some_and(|smooth| smooth.laws.len() > 20));
}

/// A law that a theory excepts from a model does not hold there.
#[test]
fn exceptions_are_needed() {
    let theories = builtin::load_theories();
    let library = Arc::new(theories.library().clone());
    // one that a few samples miss is no exception
    let effort = StatementTestConfig { samples: 40, ..effort() };
    let (mut tried, mut needless) = (0, Vec::new());
    for theory in theories.theories() {
        for line in &theory.models {
            let meaning = meaning::semantics_named(&line.model).expect("a model");
            let trial = StatementTest::new(&library, theory, meaning, &effort);
            for name in &line.except {
                let law = theory.laws.iter().find(|law| law.name == *name);
                // one that is to be refuted is as it should be where it is
                let is_refuted = law.is_some_and(|law| law.refuted);
                let law = law.map(|law| trial.test_law(law));
                let claim = theory.claims.iter().find(|claim| claim.name == *name).map(|claim| trial.test_claim(claim));
                let found = law.or(claim).expect("a statement");
                let is_needless = match is_refuted {
                    true => matches!(found, StatementOutcome::Refuted(_)),
                    false => matches!(found, StatementOutcome::Holds | StatementOutcome::Survived(_)),
                };
                if is_needless {
                    needless.push(format!("{}.{name} in {}: {found:?}", theory.name, line.model));
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 40 && needless.is_empty(), "{tried}: {}", needless.join("\n"));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn laws_that_loop_end() {
        let effort = StatementTestConfig { timeout: std::time::Duration::from_secs(5), samples: 3, ..effort() };
        let start = std::time::Instant::now();
        let found = tried_in(
            r"theory Own extends Prelude
        let rec forever (n : Nat) : Real = forever (n + 1)
        law loops (n : Nat) : forever n ~ 1
        law slow (f : Real -> Real) : integral01 (\x => integral01 (\y => signum (x * y - f x))) ~ 7",
            &[],
            &effort,
        );
        assert!(
            matches!(&found[0].1, StatementOutcome::Vacuous(why) if ["did not end", "the time ran out", "its time was up"].iter().any(|said| why.contains(said))),
            "{found:?}"
        );
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}
