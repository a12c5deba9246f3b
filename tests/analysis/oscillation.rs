//! Integrals of functions that oscillate at an end: limits of integrals, with their slopes, and what has none.
//!
//! Each value has a closed form, or was computed by mpmath along a ray of the complex plane on which the wave decays. The one of
//! cos (log x/x)/x is that of the Hundred-Digit Challenge.

use super::ends::number;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::RefinedEnclosure;
use smoothish::session::{Answer, Evaluate, Expectation, Limits, Session};
use smoothish::value::Value;
use std::sync::LazyLock;
use std::time::Duration;

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

/// The note on an integral that is not shown to converge absolutely.
const NOTE: &str = "converges conditionally: the limit of integrals";

/// A work limit, far above what any of the questions takes: one that is not understood would take minutes.
const WORK: u64 = 400_000_000;

fn ask(question: &str, eps: &str) -> Answer<Value<AnswerNumber>> {
    ask_within(&Limits { work: Some(WORK), ..Limits::none() }, question, eps)
}

fn ask_within(limits: &Limits, question: &str, eps: &str) -> Answer<Value<AnswerNumber>> {
    let answer = SESSION.ask(&Evaluate::new(question).with_width(eps), limits);
    answer.unwrap_or_else(|error| panic!("{question}: {error}"))
}

fn enclosure(answer: &Answer<Value<AnswerNumber>>) -> &RefinedEnclosure {
    match answer.value() {
        Value::Real(AnswerNumber::Enclosure(found)) => found,
        other => panic!("{other:?}"),
    }
}

/// Each question has the value, and the note if and only if it `is_conditional`.
fn hold(eps: &str, is_conditional: bool, questions: &[(&str, &str)]) {
    for (question, value) in questions {
        let answer = ask(question, eps);
        let RefinedEnclosure { enclosure, reached, .. } = enclosure(&answer);
        let slack = number("1e-19");
        let (low, high) = (number(value) - &slack, number(value) + &slack);
        assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} is {value}, not in {enclosure:?}");
        assert!(reached, "{question}: {enclosure:?}");
        let notes = answer.notes().iter().filter(|note| note.text.starts_with(NOTE)).count();
        assert_eq!(notes, usize::from(is_conditional), "{question}: {:?}", answer.notes());
    }
}

fn say_nothing(questions: &[&str]) {
    for question in questions {
        let answer = ask(question, "1e-6");
        assert!(!enclosure(&answer).enclosure.is_defined(), "{question}: {:?}", enclosure(&answer));
        assert!(answer.notes().iter().all(|note| !note.text.starts_with(NOTE)), "{question}: {:?}", answer.notes());
    }
}

#[test]
fn waves_at_an_end_have_a_limit_of_integrals() {
    hold(
        "1e-9",
        true,
        &[
            (r"beyond 0 (\x => sin x / x)", "1.57079632679489661923"),
            (r"integral01 (\x => cos (log x/x)/x)", "0.32336743167777876140"),
            (r"beyond 0 (\x => x*sin (x^3))", "0.39090017842116681796"),
            (r"beyond 0 (\x => cos (x^2))", "0.62665706865775012560"),
            (r"beyond 0 (\x => sin x/sqrt x)", "1.25331413731550025121"),
            (r"beyond 0 (\x => cos x/(x+1))", "0.34337796155642703283"),
            (r"beyond 2 (\x => sin x/(x*log x))", "0.08352672480331750054"),
            (r"integral01 (\x => sin (1/x)/x^(3/2))", "0.63277753386873804759"),
            (r"integral01 (\x => sin (1/(1-x))/(1-x))", "0.62471325642771360429"),
            (r"beyond 0 (\x => sin (x+1/x)/x)", "0.70337362695660089178"),
            (r"beyond 3 (\x => sin (x-log x)/x)", "0.02818311812439255278"),
            (r"beyond 0 (\x => atan (3/x)*sin (9*x))", "0.17453292519910491803"),
            (r"beyond 0 (\x => sin (exp x))", "0.62471325642771360429"),
            (r"beyond 0 (\x => abs (x-1)*sin x/(1+x^2))", "0.18373282797313176907"),
            (r"integral01 (\x => sin (1/x)*cos (1/(1-x))/(x*(1-x)))", "-0.87533367563202783321"),
            (r"line (\x => sin x/x)", "3.14159265358979323846"),
        ],
    );
}

#[test]
fn products_of_waves_are_integrated_by_their_phases() {
    hold(
        "1e-8",
        true,
        &[
            (r"beyond 0 (\x => sin x*cos (2*x)/x)", "0"),
            (r"beyond 0 (\x => sin (2*x)*cos x/x)", "1.57079632679489661923"),
            (r"beyond 0 (\x => (cos x - cos (2*x))/x)", "0.69314718055994530942"),
            (r"beyond 0 (\x => (cos x - exp (-x))/x)", "0"),
        ],
    );
}

#[test]
fn waves_that_converge_absolutely_carry_no_note() {
    hold(
        "1e-9",
        false,
        &[
            (r"beyond 0 (\x => cos x/(1+x^2))", "0.57786367489546085896"),
            (r"line (\x => cos x/(1+x^2))", "1.15572734979092171791"),
            (r"beyond 0 (\x => exp (-x)*sin x)", "0.5"),
            (r"integral01 (\x => sin (1/x))", "0.50406706190692837199"),
            (r"integral01 (\x => cos (log x))", "0.5"),
            (r"beyond 0 (\x => (sin x/x)^2)", "1.57079632679489661923"),
            (r"beyond 0 (\x => (sin x)^2/x^2)", "1.57079632679489661923"),
            (r"beyond 0 (\x => (sin x/x)^3)", "1.17809724509617246442"),
            (r"beyond 0 (\x => (1-cos x)/x^2)", "1.57079632679489661923"),
        ],
    );
    hold("1e-30", false, &[(r"beyond 0 (\x => cos x/(1+x^2))", "0.57786367489546085896")]);
}

/// After as many integrations by parts as are needed, all is dominated: derivatives go under the integral.
#[test]
fn slopes_of_waves_are_those_of_their_limits() {
    hold(
        "1e-8",
        true,
        &[
            (r"deriv (\c => beyond 0 (\x => sin (c*x)/x)) 1", "0"),
            (r"nthDeriv 2 (\c => beyond 0 (\x => sin (c*x)/x)) 1.5", "0"),
            (r"deriv (\c => beyond 0 (\x => cos (c*x)/(1+x^2))) 1", "-0.57786367489546085896"),
            (r"nthDeriv 2 (\c => beyond 0 (\x => cos (c*x)/(1+x^2))) 1", "0.57786367489546085896"),
            (r"deriv (\c => beyond 0 (\x => cos (c*x^2))) 1", "-0.31332853432887506280"),
        ],
    );
    hold("1e-8", false, &[(r"deriv (\c => beyond 0 (\x => exp (-x)*sin (c*x)/x)) 2", "0.2")]);
}

#[test]
fn what_oscillates_without_decay_has_no_value() {
    say_nothing(&[
        "beyond 0 sin",
        "beyond 0 cos",
        r"beyond 0 (\x => x*sin (x^2))",
        r"beyond 1 (\x => sin (log x)/x)",
        r"beyond 1 (\x => sin (sqrt x)/sqrt x)",
        r"integral01 (\x => sin (1/x)/x^2)",
        // What is left of a square without its wave has no integral.
        r"beyond 1 (\x => (sin x)^2/x)",
        // π/2 for positive c, -π/2 for negative c; and π/2·exp (-|c|)
        r"deriv (\c => beyond 0 (\x => sin (c*x)/x)) 0",
        r"deriv (\c => beyond 0 (\x => cos (c*x)/(1+x^2))) 0",
    ]);
    let answer = ask(r"integral01 (\x => sin (1/x)/x^2)", "1e-6");
    assert!(answer.notes()[0].text.contains("its integrand oscillates at an end"), "{:?}", answer.notes());
}

/// A limit of integrals depends on the order in which parts are added. So it is the value of a program, and nothing else.
#[test]
fn limits_of_integrals_stay_outside_of_binders_and_means() {
    // The draws have no mean: the integral of the absolute value is infinite.
    for (model, function) in [
        ("sample (uniformOn 0 1)", r"\u => sin (1/u)/u"),
        ("do { u <- sample (uniformOn 0 1); return (1/u) }", r"\x => x*sin x"),
    ] {
        // Far more time than a number took that did not ask for the absolute value.
        let limits = Limits::within_time(Duration::from_secs(5));
        let found = SESSION.ask(&Expectation::new(model, function), &limits).unwrap();
        assert!(!found.value().enclosure.is_defined(), "{model}: {:?}", found.value());
    }
    // The same as the value of a program is a number: π/2 - Si 1.
    hold("1e-9", true, &[(r"uniform (\u => sin (1/u)/u)", "0.62471325642771360429")]);
    // Inside of another binder none has a value, in whatever order: Fubini's theorem does not hold for them.
    for question in
        [r"integral01 (\c => integral01 (\x => sin ((1+c)/x)/x))", r"max01 (\c => integral01 (\x => sin ((1+c)/x)/x))"]
    {
        // A second was enough where binders inside had the limits too.
        let answer = ask_within(&Limits::within_time(Duration::from_secs(3)), question, "1e-6");
        assert!(!enclosure(&answer).enclosure.is_defined(), "{question}: {:?}", enclosure(&answer));
    }
}
