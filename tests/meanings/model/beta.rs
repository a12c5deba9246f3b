//! β-reduction changes no meaning: random programs with powers, differences and tests of natural numbers, in every model and against the text
//! of their normal forms.

use super::eps;
use smoothish::meaning;
use smoothish::model::answer::{AnswerNumber, Semantics, SemanticsError};
use smoothish::model::interpret::InterpretError;
use smoothish::model::reduce::ReduceError;
use smoothish::number::Enclosure;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::syntax::normal::normalise;
use smoothish::syntax::term::{Term, TermKind};
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use smoothish::theory::loader::TheoryCollection;
use smoothish::value::{Value, ValueError};
use std::sync::Arc;
use std::time::Duration;

const SAMPLES: u64 = 400;

/// A natural number made of n and m, of which nobody wrote the type.
fn natural(random: &mut SplitMix64, size: usize) -> String {
    match if size == 0 { 3 } else { random.next_below(4) } {
        0 => format!("({} + {})", natural(random, size / 2), natural(random, size / 2)),
        1 => format!("({} - {})", natural(random, size / 2), random.next_below(3)),
        2 => format!("({} - {})", natural(random, size / 2), natural(random, size / 2)),
        _ => (*random.pick(&["n", "m", "1", "2"])).to_owned(),
    }
}

/// A real number made of x, y, n and m. Nothing in it has a border.
fn real(random: &mut SplitMix64, size: usize) -> String {
    if size == 0 {
        return match random.next_below(4) {
            0 => format!("toReal {}", natural(random, 1)),
            _ => (*random.pick(&["x", "y", "2", "0.5"])).to_owned(),
        };
    }
    let size = size / 2;
    match random.next_below(8) {
        0 => format!("({} + {})", real(random, size), real(random, size)),
        1 => format!("({} - {})", real(random, size), real(random, size)),
        2 => format!("({} * {})", real(random, size), real(random, size)),
        3 => format!("({})^({})", real(random, size), natural(random, size)),
        // of an exponent that is no whole number 0 would be a border
        4 => format!("({})^({})", real(random, size), random.pick(&["x", "y", "toReal n", "(y + 1)"])),
        5 => format!("({})^{}", real(random, size), random.pick(&["2", "3", "(2 - 1)", "(3 ^ 1)"])),
        6 => format!("(let q = {} in ({})^q)", random.pick(&["2", "3", "2 * 2"]), real(random, size)),
        _ => format!(
            "(if {} == {} then {} else {})",
            random.pick(&["n", "m"]),
            random.next_below(4),
            real(random, size),
            real(random, size)
        ),
    }
}

/// A program: a body at numbers, some of which are negative. What decides that n and m are natural is `==` alone.
fn program(random: &mut SplitMix64) -> String {
    let (size, xs) = (4 + random.next_below(8), ["(-2)", "0.5", "3", "(-0.5)", "1"]);
    let body = real(random, size);
    let [x, y] = [random.pick(&xs), random.pick(&xs)];
    let [n, m] = [random.next_below(4), random.next_below(4)];
    format!("(\\(x : Real) (y : Real) n m => if n == m then {body} else if m == 7 then 0 else {body}) {x} {y} {n} {m}")
}

/// What becomes of a program.
#[derive(Debug)]
enum Outcome {
    Number(Enclosure),
    Undefined,
    /// A difference of natural numbers is less than 0.
    BelowZero,
}

fn outcome(meaning: &dyn Semantics, term: &Term, ty: &Ty) -> Outcome {
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    match meaning.evaluate(term, ty, &eps(), &budget).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Enclosure(found))) if found.enclosure.is_defined() => {
            Outcome::Number(found.enclosure)
        }
        Ok(Value::Real(AnswerNumber::Enclosure(_))) | Err(SemanticsError::Undefined(_)) => Outcome::Undefined,
        Err(SemanticsError::Run(ValueError::NegativeDifference(_)))
        | Err(SemanticsError::Interpretation(InterpretError::Reduction(ReduceError::BelowZero(_)))) => {
            Outcome::BelowZero
        }
        other => panic!("{}: {other:?}", meaning.name()),
    }
}

/// Whether two outcomes may be of one program.
fn agree(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Number(one), Outcome::Number(other)) => one.overlaps(other),
        (Outcome::Undefined, Outcome::Undefined) | (Outcome::BelowZero, Outcome::BelowZero) => true,
        // a program may be undefined in one place and below 0 in another: which of them is met first is no part of its meaning
        (Outcome::Undefined, Outcome::BelowZero) | (Outcome::BelowZero, Outcome::Undefined) => true,
        _ => false,
    }
}

fn infer(theories: &TheoryCollection, text: &str) -> (Term, Ty) {
    theories.library().infer_expression(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn reduced_programs_mean_the_same_in_every_model() {
    let theories = builtin::load_theories();
    let meanings = ["presheaf", "tower", "partial", "pap"].map(|name| meaning::semantics_named(name).expect("a model"));
    let [mut numbers, mut undefined, mut below] = [0; 3];
    for index in 0..SAMPLES {
        let text = program(&mut SplitMix64::for_sample(60, index));
        let (term, ty) = infer(&theories, &text);
        let first = outcome(meanings[0], &term, &ty);
        match first {
            Outcome::Number(_) => numbers += 1,
            Outcome::Undefined => undefined += 1,
            Outcome::BelowZero => below += 1,
        }
        let reduced = normalise(&term).unwrap_or_else(|error| panic!("{text}: {error}")).to_string();
        let (reduced_term, reduced_ty) = infer(&theories, &format!("({reduced} : Real)"));
        for meaning in meanings {
            for (term, ty, text) in [(&term, &ty, &text), (&reduced_term, &reduced_ty, &reduced)] {
                let found = outcome(meaning, term, ty);
                assert!(agree(&first, &found), "sample {index}, {}: {text}\n{first:?}\n{found:?}", meaning.name());
            }
        }
    }
    assert!(numbers > 100 && undefined > 30 && below > 30, "{numbers} numbers, {undefined} undefined, {below} below 0");
}

/// The same of tests of real numbers, and of differences that stop at 0, in the models that have them: the text of a normal form says
/// which it is.
#[test]
fn normal_forms_say_which_operation_it_is() {
    let theories = builtin::load_theories();
    for (text, reduced) in [
        (r"(\y => (0 - 2) ^ y) 2", "(^) (0 - 2) 2"),
        (r"(\(n : Nat) => (0 - 2) ^ n) 2", "(0 - 2) ^ 2"),
        (r"(\(x : Real) => if x == 0.3 then 1 else 2) 0.3", "(==) (0.3 : Real) 0.3"),
        (r"\n => if n == 0 then 1 else n - 4", "naturalDifference n 4"),
        (r"\(n : Nat) => n - 4", "(n - 4 : Nat)"),
        (r"\(x : Real) => x == 2", "x == 2"),
    ] {
        let (term, ty) = infer(&theories, text);
        let normal = normalise(&term).unwrap_or_else(|error| panic!("{text}: {error}")).to_string();
        assert!(normal.contains(reduced), "{text}: {normal}");
        let (again, _) = infer(&theories, &format!("({normal} : {ty})"));
        assert_eq!(normalise(&again).map(|again| again.to_string()).ok().as_deref(), Some(&*normal), "{text}");
        assert_eq!(operations(&again), operations(&term), "{text}: {normal}");
    }
}

/// The constants of a term, by their names; a known number of factors is a literal exponent.
fn operations(term: &Term) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![term]);
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Constant(constant) => found.push(format!("{constant:?}").replace("NaturalPower", "Power")),
            kind => waiting.extend(kind.children()),
        }
    }
    found.sort();
    found
}
