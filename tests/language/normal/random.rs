//! The equations on random well-typed programs, and what normalisation preserves.

use smoothish::law::generate::{TermGenerator, data_library, maybe_type, random_program};
use smoothish::law::term::{BinderId, TermHead, TestTerm, pair_type, shrink_term};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Enclosure;
use smoothish::random::SplitMix64;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::syntax::normal::{BetaEtaNormalForm, NormalError, normalise};
use smoothish::syntax::source::SourceText;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

const SAMPLES: u64 = 400;

fn of(text: &str) -> Option<BetaEtaNormalForm> {
    let (term, _) = data_library().infer_expression(text).ok()?;
    match normalise(&term) {
        Ok(normal) => Some(normal),
        Err(NormalError::Steps { .. } | NormalError::Size { .. } | NormalError::Depth { .. }) => None,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// The types of the samples: numbers, functions, functions of functions, tuples, tangents.
fn types() -> Vec<Ty> {
    let real = Ty::real;
    let map = || Ty::function(real(), real());
    vec![
        real(),
        map(),
        pair_type(real(), real()),
        Ty::function(map(), real()),
        Ty::function(real(), map()),
        Ty::function(map(), map()),
        pair_type(map(), real()),
        pair_type(real(), pair_type(real(), real())),
        Ty::function(pair_type(real(), real()), pair_type(real(), real())),
        Ty::new(TyKind::Tuple(vec![real(), real(), real()])),
        Ty::new(TyKind::Tangent(real())),
        Ty::new(TyKind::Bool),
        Ty::new(TyKind::Nat),
        maybe_type(real()),
        Ty::list(real()),
        Ty::function(maybe_type(real()), real()),
        Ty::function(Ty::list(real()), Ty::list(real())),
    ]
}

/// Holds two sides, made of random terms by some equation, against each other.
fn law(name: &str, seed: u64, sides: impl Fn(&mut TermGenerator, &Ty, &Ty, usize) -> (String, String)) {
    let types = types();
    let mut held = 0;
    for index in 0..SAMPLES {
        let mut random = SplitMix64::for_sample(seed, index);
        let (a, b) = (random.pick(&types).clone(), random.pick(&types).clone());
        let size = 3 + random.next_below(20);
        let (left, right) = sides(&mut TermGenerator::new(random), &a, &b, size);
        let (Some(first), Some(second)) = (of(&left), of(&right)) else { continue };
        assert_eq!(first, second, "{name}, sample {index}\n{left}\n{right}");
        held += 1;
    }
    assert!(held > SAMPLES * 9 / 10, "{name}: only {held} samples");
}

fn substituted(term: &TestTerm, id: BinderId, value: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return value.clone();
    }
    let parts = term.parts.iter().map(|part| substituted(part, id, value)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

#[test]
fn beta_for_functions() {
    law("(\\x => e) a = e[a/x]", 1, |generator, a, b, size| {
        let (function, argument) =
            (generator.draw_term(&Ty::function(a.clone(), b.clone()), size), generator.draw_term(a, size / 2));
        let left = format!("(({function}) ({argument}) : {b})");
        let right = match (&function.head, &function.parts[..]) {
            // every binder has a number of its own, so nothing is captured
            (TermHead::Lambda(id, _), [body]) => format!("({} : {b})", substituted(body, *id, &argument)),
            _ => format!("let f : {} = {function} in (f ({argument}) : {b})", function.ty),
        };
        (left, right)
    });
}

#[test]
fn let_is_an_application() {
    law("let x = a in e = (\\x => e) a", 2, |generator, a, b, size| {
        let (function, argument) =
            (generator.draw_term(&Ty::function(a.clone(), b.clone()), size), generator.draw_term(a, size / 2));
        let applied = format!("({function}) y");
        (
            format!("let y : {a} = {argument} in ({applied} : {b})"),
            format!("((\\(y : {a}) => {applied}) ({argument}) : {b})"),
        )
    });
}

#[test]
fn eta_for_functions() {
    law("f = \\x => f x", 3, |generator, a, b, size| {
        let ty = Ty::function(a.clone(), b.clone());
        let function = generator.draw_term(&ty, size);
        (format!("({function} : {ty})"), format!("(\\(x : {a}) => ({function}) x : {ty})"))
    });
}

#[test]
fn pairs() {
    law("p = (fst p, snd p)", 4, |generator, a, b, size| {
        let ty = pair_type(a.clone(), b.clone());
        let term = generator.draw_term(&ty, size);
        (format!("({term} : {ty})"), format!("let p : {ty} = {term} in ((fst p, snd p) : {ty})"))
    });
    law("(a, b)[0] = a", 5, |generator, a, b, size| {
        let (first, second) = (generator.draw_term(a, size), generator.draw_term(b, size / 2));
        (format!("({first} : {a})"), format!("((({first} : {a}), ({second} : {b}))[0] : {a})"))
    });
    law("snd (a, b) = b", 6, |generator, a, b, size| {
        let (first, second) = (generator.draw_term(a, size), generator.draw_term(b, size / 2));
        (format!("({second} : {b})"), format!("(snd (({first} : {a}), ({second} : {b})) : {b})"))
    });
}

#[test]
fn conditions_and_unit() {
    law("if tt then a else b = a", 7, |generator, a, _, size| {
        let (first, second) = (generator.draw_term(a, size), generator.draw_term(a, size));
        (format!("({first} : {a})"), format!("(if 2 < 1 || tt then {first} else {second} : {a})"))
    });
    law("u = ()", 8, |generator, a, b, size| {
        let (first, _) = (generator.draw_term(a, size), b);
        let used = format!("\\(f : ({a}) -> unit) (g : unit -> ({b})) =>");
        (format!("{used} g (f ({first}))"), format!("{used} g ()"))
    });
}

#[test]
fn beta_for_variants_and_lists() {
    law("match Just e with … | Just x => f = f[e/x]", 10, |generator, a, b, size| {
        let (inside, nothing) = (generator.draw_term(a, size), generator.draw_term(b, size / 2));
        let function = generator.draw_term(&Ty::function(a.clone(), b.clone()), size);
        let left =
            format!("(match Just ({inside} : {a}) with Nothing => ({nothing}) | Just x => ({function}) x : {b})");
        (left, format!("(({function}) ({inside}) : {b})"))
    });
    law("fold f z (x :: xs) = f x (fold f z xs)", 11, |generator, a, b, size| {
        let step = generator.draw_term(&Ty::function(a.clone(), Ty::function(b.clone(), b.clone())), size);
        let (start, first) = (generator.draw_term(b, size / 2), generator.draw_term(a, size / 2));
        let rest = generator.draw_term(&Ty::list(a.clone()), size / 2);
        let given = format!("let f : ({a}) -> ({b}) -> {b} = {step} in let r : List ({a}) = {rest} in");
        let left = format!("({given} fold f ({start}) (({first}) :: r) : {b})");
        (left, format!("({given} f ({first}) (fold f ({start}) r) : {b})"))
    });
    law("fold f z [] = z", 12, |generator, a, b, size| {
        let step = generator.draw_term(&Ty::function(a.clone(), Ty::function(b.clone(), b.clone())), size);
        let start = generator.draw_term(b, size / 2);
        (format!("(fold ({step}) ({start}) [] : {b})"), format!("({start} : {b})"))
    });
}

/// The equations hold inside terms.
#[test]
fn equality_is_a_congruence() {
    law("e[f] = e[\\x => f x]", 9, |generator, a, b, size| {
        let ty = Ty::function(a.clone(), b.clone());
        let (inside, context) =
            (generator.draw_term(&ty, size), generator.draw_term(&Ty::function(ty.clone(), a.clone()), size));
        (format!("(({context}) ({inside}) : {a})"), format!("(({context}) (\\(x : {a}) => ({inside}) x) : {a})"))
    });
}

#[test]
fn normal_forms_are_their_own_and_are_read_back() {
    let types = types();
    let mut done = 0;
    for index in 0..SAMPLES {
        let mut random = SplitMix64::for_sample(21, index);
        let ty = random.pick(&types).clone();
        let size = 4 + random.next_below(30);
        let text = format!("({} : {ty})", TermGenerator::new(random).draw_term(&ty, size));
        let Some(normal) = of(&text) else { continue };
        assert_eq!(*normal.ty(), ty);
        let again = normalise(&normal.to_term().unwrap()).unwrap();
        assert_eq!(normal, again, "{text}");
        if normal.written_size() < 5_000 {
            // reading back compares the type and the normal form
            let program = normal.to_program(data_library(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(of(&program), Some(normal), "{text}\n{program}");
            done += 1;
        }
    }
    assert!(done > SAMPLES * 8 / 10, "{done}");
}

/// The bounded enclosure of a real number.
fn enclosed(session: &Session, question: Evaluate) -> Option<Enclosure> {
    let limits = Limits::within_time(Duration::from_millis(150));
    match session.ask(&question.with_width("1e-3"), &limits).ok()?.into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) if found.enclosure.is_bounded() => Some(found.enclosure),
        _ => None,
    }
}

/// What the two enclosures of a program and its normal form say: whether they meet, if both say anything.
fn meet(session: &Session, text: &str) -> Option<bool> {
    let (term, _) = session.infer(text).ok()?;
    let normal = normalise(&term).ok()?.to_term().ok()?;
    let source = Arc::new(SourceText::new("program", text));
    let ask = |term| enclosed(session, Evaluate::from_term(source.clone(), term, Ty::real()));
    let (before, after) = (ask(term)?, ask(normal)?);
    Some(before.overlaps(&after))
}

/// Programs whose enclosures do not meet are not equal.
#[test]
fn programs_of_different_values_are_different() {
    let session = Session::default();
    let mut told_apart = 0;
    let value = |text: &str| enclosed(&session, Evaluate::new(text));
    let texts: Vec<String> = (0..60).map(|index| random_program(37, index).term.to_string()).collect();
    let known: Vec<_> = texts.iter().filter_map(|text| Some((value(text)?, of(text)?))).collect();
    for (i, (left, first)) in known.iter().enumerate() {
        for (right, second) in &known[i + 1..] {
            if !left.overlaps(right) {
                assert_ne!(first, second);
                told_apart += 1;
            }
        }
    }
    assert!(told_apart > 100, "{told_apart}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_meaning_is_kept() {
        let session = Session::with_library(data_library().clone());
        let mut compared = 0;
        for index in 0..250 {
            let term = random_program(31, index).term;
            match meet(&session, &term.to_string()) {
                Some(true) => compared += 1,
                Some(false) => {
                    let least = shrink_term(term, 500, |term| meet(&session, &term.to_string()) == Some(false));
                    panic!("program {index} and its normal form have no common value: {least}");
                }
                None => {}
            }
        }
        assert!(compared > 100, "only {compared} programs were compared");
    }
}
