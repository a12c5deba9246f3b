//! One door: what the library answers is what the command line prints, notes included; and what is wrong at a door is said.

use smoothish::audit::{Audit, AuditFinding, Claim};
use smoothish::failure::ErrorKind;
use smoothish::law::fuzz::bundled_corpus;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::BudgetObserver;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::plot::PlotRequest;
use smoothish::session::tolerance::DEFAULT_WIDTH_EXPONENT;
use smoothish::session::{
    AccuracyGoal, Agree, Answer, Diagnostic, Estimators, Evaluate, Evidence, Expectation, Limits, ListPieces, NoteKind,
    PlotDensity, PlotEnvelopes, Pushforward, ReachedLimit, RunTape, Session, SweptValue, Trace,
};
use smoothish::value::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

fn minute() -> Limits {
    Limits::seconds(60)
}

#[track_caller]
fn asked(program: &str) -> Answer<Value<AnswerNumber>> {
    SESSION.ask(&Evaluate::new(program), &minute()).unwrap_or_else(|error| panic!("{program}: {}", error.report()))
}

fn enclosure(answer: &Answer<Value<AnswerNumber>>) -> &Enclosure {
    match answer.value() {
        Value::Real(AnswerNumber::Enclosure(found)) => &found.enclosure,
        other => panic!("no number: {other:?}"),
    }
}

/// The lines that the command line prints of a question: of its answer, and of its notes.
fn printed(arguments: &[&str]) -> (String, Vec<String>, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).output().expect("the program runs");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    let notes = err.lines().filter_map(|line| line.strip_prefix("note: ")).map(str::to_owned).collect();
    (out.trim_end().to_owned(), notes, output.status.code())
}

/// Values of the acceptance table: closed forms, and mpmath at 40 digits.
const VALUES: &[(&str, &str)] = &[
    (r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6", "-0.4"),
    (r"deriv (\x => exp (sin x)) 1", "1.25338076749344684"),
    (r"integral01 lgamma", "0.918938533204672742"),
    (r"integral01 (\x => abs (sin (10*x)))", "0.616092847092354755"),
    (r"firstRoot (\x => cos (3 * x))", "0.523598775598298873"),
    (r"cutRoot (\x => 2 - x^3)", "1.25992104989487316"),
    (r"max01 (\t => let x = 10*t in x * sin x)", "7.91672737158778185"),
    (r"deriv (deriv (deriv cbrt)) 8", "0.00144675925925925926"),
    (r"deriv (\a => integral01 (\x => abs (x - a))) 0.3", "-0.4"),
    (r"deriv (\x => integral01 (\t => exp (-(x*t)^2))) 1", "-0.378944691640984704"),
    ("erfc 3", "2.20904969985854414e-5"),
    ("polygamma 1 1", "1.64493406684822644"),
    ("sin 1e22", "-0.852200849767188802"),
    ("exp (-1000)", "5.07595889754945677e-435"),
    ("tan 1.5707963267948966", "51998506188720270.66"),
    (r"firstRoot (\x => x - 1/2)", "0"),
];

/// Whether a number that was rounded to the last of its digits lies in an interval, but for that rounding.
fn holds(found: &Enclosure, rounded: &str) -> bool {
    let value = decimal::parse(rounded).unwrap();
    let slack = value.clone().abs() * decimal::parse("1e-17").unwrap();
    *found.lo() <= Rational::from(&value + &slack) && *found.hi() >= value - slack
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Every answer of the library, with its notes, is that of the command line.
    #[test]
    fn the_library_and_the_command_line_say_the_same() {
        for (program, truth) in VALUES {
            let answer = asked(program);
            assert!(answer.is_reached() && holds(enclosure(&answer), truth), "{program}: {}", enclosure(&answer));
            let (out, notes, status) = printed(&["eval", "--", program]);
            let told: Vec<&str> = answer.notes().iter().map(|note| &*note.text).collect();
            assert_eq!((notes, status), (told.into_iter().map(str::to_owned).collect(), Some(0)), "{program}");
            assert!(out.starts_with('[') || out == *truth, "{program}: {out}");
        }
        for program in
            [r"deriv (\x => max 0 x) 0", "1/0", "atan2 0 0", "deriv sqrt 0", "sin pi == 0", "5 - 7", "sin pi/2"]
        {
            let (told, kind) = match SESSION.ask(&Evaluate::new(program), &minute()) {
                Ok(answer) => (answer.notes().iter().map(|note| note.text.clone()).collect::<Vec<_>>(), None),
                Err(error) => (Vec::new(), Some(error.kind)),
            };
            let (_, notes, status) = printed(&["eval", "--", program]);
            assert_eq!(notes, told, "{program}");
            assert_eq!(kind.is_some(), status == Some(2), "{program}: {kind:?}");
        }
    }

    /// Programs of the book and of the claims, and texts that are none: the same ends, the same notes, the same kinds of errors.
    #[test]
    fn the_corpus_is_answered_alike_at_both_doors() {
        let (mut answered, mut noted, mut refused) = (0, 0, 0);
        for (index, program) in bundled_corpus().iter().enumerate() {
            // a text that begins with a minus is an option, unless it is said that it is none; a text that is long is asked elsewhere
            if index % 3 != 1 || program.contains('\0') || program.len() > 2_000 {
                continue;
            }
            let (out, notes, status) = printed(&["eval", "--timeout", "20", "-e", program]);
            match SESSION.ask(&Evaluate::new(program), &Limits::seconds(20)) {
                Ok(answer) if answer.stopped().is_none() => {
                    let told: Vec<&str> = answer.notes().iter().map(|note| &*note.text).collect();
                    assert_eq!(notes, told, "{program}");
                    if let Value::Real(AnswerNumber::Enclosure(found)) = answer.value() {
                        let to = AccuracyGoal::default().or_default(DEFAULT_WIDTH_EXPONENT).accuracy();
                        let plain = found.exact_value().and_then(|exact| to.print_exact(&exact));
                        let shown = plain.unwrap_or_else(|| to.print_decimals(&found.enclosure).to_string());
                        assert_eq!(out, shown, "{program}");
                    }
                    assert!(
                        matches!(status, Some(0 | 3 | 4)) && answer.is_reached() == (status == Some(0)),
                        "{program}"
                    );
                    (answered, noted) = (answered + 1, noted + usize::from(!told.is_empty()));
                }
                // what the clock cut short is another time another answer
                Ok(_) => {}
                Err(error) => {
                    let expected = match error.kind {
                        ErrorKind::InvalidInput | ErrorKind::Unsupported => 2,
                        ErrorKind::Limit | ErrorKind::DisjointEnclosures => 4,
                    };
                    assert_eq!(status, Some(expected), "{program}: {error}");
                    refused += 1;
                }
            }
        }
        assert!(
            answered > 80 && noted > 8 && refused > 10,
            "{answered} answered, {noted} with notes, {refused} refused"
        );
    }

    #[test]
    fn programs_that_sample_are_asked_at_the_same_door() {
        let mass = |model: &str| SESSION.ask(&Evidence::new(model), &minute()).expect(model);
        let half = "do { x <- sample (normal 0 1); score (exp x); return x }";
        assert!(holds(&mass(half).value().enclosure, "1.64872127070012815"));
        let beta = "do { p <- sample (uniformOn 0 1); score (p^7*(1-p)^3); return p }";
        assert!(mass(beta).value().enclosure.contains(&Rational::from((1, 1320))));
        let mean = SESSION.ask(&Expectation::new(beta, r"\p => p"), &minute()).unwrap();
        assert!(mean.is_reached() && mean.value().enclosure.contains(&Rational::from((2, 3))));
        let slope = Expectation::new(r"\t => sample (normal t 1)", r"\x => x^2").at("1/2").derivative(1).within(1e-9);
        assert!(SESSION.ask(&slope, &minute()).unwrap().value().enclosure.contains(&1.into()));
        let tail = Expectation::new("sample (normal 0 1)", r"\x => if x > 1 then 1 else 0");
        assert!(holds(&SESSION.ask(&tail, &minute()).unwrap().value().enclosure, "0.158655253931457051"));
        let density = Pushforward::new(r"\x => exp x", "sample (normal 0 1)", "1");
        let found = SESSION.ask(&density, &minute()).unwrap();
        assert!(holds(&found.value().densities[0].1, "0.398942280401432678"));
        // E x² of a normal around t: the gradient 2t by every estimator that is right
        let compared = Estimators::new(r"\t => sample (normal t 1)", r"\x => x^2", "1/2");
        assert!(SESSION.ask(&compared, &minute()).unwrap().value().gradient.contains(&1.into()));
        let (_, notes, status) = printed(&["evidence", beta]);
        assert_eq!((notes.len(), status), (mass(beta).notes().len(), Some(0)));
    }

    /// A question that does not end is ended: by a limit of time, of work, by an interrupt, and the note says by which.
    #[test]
    fn what_ended_a_question_is_said() {
        let long = r"integral01 (\x => integral01 (\y => integral01 (\z => abs (sin (50*x*y*z) - x*y))))";
        let question = Evaluate::new(long).with_width(1e-30);
        let cut = SESSION.ask(&question, &Limits::within_time(Duration::from_millis(300))).unwrap();
        assert_eq!((cut.stopped(), cut.is_reached()), (Some(ReachedLimit::Time), false));
        let cut = SESSION.ask(&question, &Limits { work: Some(100_000), ..Limits::none() }).unwrap();
        assert_eq!(cut.stopped(), Some(ReachedLimit::Work));
        let both = Limits { work: Some(100_000), ..minute() };
        assert_eq!(SESSION.ask(&question, &both).unwrap().stopped(), Some(ReachedLimit::Work));
        assert!(cut.notes().iter().any(|note| note.text.contains("within the limit of work")), "{:?}", cut.notes());
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits { interrupt: Some(flag.clone()), ..Limits::none() };
        let start = Instant::now();
        let cut = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                flag.store(true, Ordering::Relaxed);
            });
            SESSION.ask(&question, &limits).unwrap()
        });
        assert_eq!(cut.stopped(), Some(ReachedLimit::Interrupt));
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}

#[test]
fn a_note_has_an_id_a_kind_and_a_place() {
    let answer = asked(r"firstRoot (\x => x - 1/2)");
    let [note] = answer.notes() else { panic!("{:?}", answer.notes()) };
    assert!(note.kind == NoteKind::Remark && note.text.contains("negative at 0"), "{note:?}");
    let answer = asked(r"cutRoot (\x => sin (1 - x))");
    let [note] = answer.notes() else { panic!("{:?}", answer.notes()) };
    assert_eq!((note.id, note.kind), ("assumed", NoteKind::Assumption));
    assert_eq!(note.place.as_ref().map(ToString::to_string).as_deref(), Some("question:1:1"));
    let answer = asked(r"deriv (\x => max 0 x) 0");
    assert_eq!(answer.notes().iter().map(|note| note.id).collect::<Vec<_>>(), ["set"]);
    let undefined = asked("1 + 1/0");
    let reason = undefined.undefined().expect("a reason");
    assert_eq!(reason.place.as_ref().map(|place| place.text().to_owned()).as_deref(), Some("1/0"));
}

/// What is wrong is told apart by its kind, and the place is that in the text.
#[test]
fn a_diagnostic_has_a_kind_a_place_and_what_to_try() {
    let refused = |program: &str| SESSION.ask(&Evaluate::new(program), &minute()).unwrap_err();
    let error = refused("1 + sine 2");
    assert_eq!((error.kind, error.id), (ErrorKind::InvalidInput, "program"));
    assert_eq!(error.place.as_ref().map(|place| place.text().to_owned()).as_deref(), Some("sine"));
    assert!(error.report().starts_with("error: ") && !error.message.contains('\n'), "{}", error.report());
    let error = refused("sin");
    assert!(error.message.contains("Real -> Real"), "{error}");
    let error = SESSION.ask(&Evaluate::new("2 < 3").with_model("tower"), &minute()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.help.is_some_and(|help| help.contains("--model")));
    let error = SESSION.ask(&Evaluate::new("2").with_model("presheef"), &minute()).unwrap_err();
    assert_eq!((error.id, error.help.as_deref()), ("unknown", Some("did you mean `presheaf`?")));
    let nothing = "do { x <- sample (uniformOn 0 1); score 0; return x }";
    let error = SESSION.ask(&Expectation::new(nothing, r"\x => x"), &minute()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
}

#[test]
fn what_is_no_accuracy_or_no_place_is_refused() {
    let wrong = |error: Diagnostic, part: &str| {
        assert_eq!(error.kind, ErrorKind::InvalidInput, "{error}");
        assert!(error.message.contains(part), "{error}");
    };
    for eps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = SESSION.ask(&Evaluate::new("2").with_width(eps), &minute()).unwrap_err();
        assert_eq!((error.id, error.kind), ("tolerance", ErrorKind::InvalidInput), "{eps}: {error}");
    }
    wrong(SESSION.ask(&Evaluate::new("2").with_digits(0), &minute()).unwrap_err(), "from 1 to");
    wrong(SESSION.ask(&Evaluate::new("2").with_width("one"), &minute()).unwrap_err(), "expected a positive number");
    let model = r"\t => sample (normal t 1)";
    let of = r"\x => x";
    wrong(SESSION.ask(&Expectation::new(model, of).at("half"), &minute()).unwrap_err(), "`half` is not a number");
    wrong(
        SESSION.ask(&Expectation::new(model, of).at("1").derivative(9), &minute()).unwrap_err(),
        "up to order 8, not 9",
    );
    wrong(SESSION.ask(&Expectation::new(model, of), &minute()).unwrap_err(), "a function of a parameter");
    wrong(SESSION.ask(&Expectation::new("2", of), &minute()).unwrap_err(), "a program that samples");
    let negative = Expectation::new(model, of).at("1").weight_at_most(-1.0);
    wrong(SESSION.ask(&negative, &minute()).unwrap_err(), "greater than 0");
    wrong(SESSION.ask(&ListPieces::new(r"\x => x", "1", "0"), &minute()).unwrap_err(), "less than");
    let claims = [Claim::from(1.0), Claim::from(2.0)];
    wrong(SESSION.ask(&Audit::new(r"\x => x", [0.into()], claims), &minute()).unwrap_err(), "the point has 1 number");
    let reversed = PlotRequest::new(1.into(), 0.into());
    wrong(SESSION.ask(&PlotEnvelopes::new(r"\x => x", reversed), &minute()).unwrap_err(), "the first must be less");
}

/// Limits of 0 end a question at once, and nothing is claimed.
#[test]
fn limits_of_0_claim_nothing() {
    let program = r"integral01 (\x => sin (exp x))";
    for limits in [Limits::within_time(Duration::ZERO), Limits { work: Some(0), ..Limits::none() }] {
        let answer = SESSION.ask(&Evaluate::new(program), &limits).unwrap();
        assert!(!answer.is_reached() && answer.stopped().is_some(), "{limits:?}: {:?}", answer.value());
        let found = enclosure(&answer);
        assert!(found.is_bottom() || holds(found, "0.874957198780384"), "{found}");
    }
    let unfolded = Limits { unfoldings: Some(0), ..minute() };
    let recursion = r"let rec f x = if x < 1 then x else f (x - 1) in f 3.5";
    let error = SESSION.ask(&Evaluate::new(recursion).with_model("partial"), &unfolded).unwrap_err();
    assert_ne!(error.kind, ErrorKind::DisjointEnclosures, "{error}");
}

/// One session answers several threads at once, each as it would alone.
#[test]
fn two_threads_ask_one_session() {
    std::thread::scope(|threads| {
        for (program, truth) in [VALUES[0], VALUES[1], VALUES[4], VALUES[5]] {
            threads.spawn(move || assert!(holds(enclosure(&asked(program)), truth), "{program}"));
        }
    });
}

#[derive(Debug)]
struct Panics;

impl BudgetObserver for Panics {
    fn on_work(&self) {}
    fn on_improvement(&self, _: &Enclosure) {
        panic!("an observer panics");
    }
}

/// A panic of an observer is one of the question, and the session answers the next one.
#[test]
fn a_panic_of_an_observer_ends_its_question_alone() {
    let limits = Limits { observer: Some(Arc::new(Panics)), ..minute() };
    let program = r"integral01 (\x => max 0 (x - 0.6))";
    let ended = catch_unwind(AssertUnwindSafe(|| SESSION.ask(&Evaluate::new(program), &limits)));
    assert!(ended.is_err());
    assert!(holds(enclosure(&asked(program)), "0.08"));
}

#[test]
fn other_questions_have_their_answers() {
    let sides = || [Rational::from(-1), Rational::from(1)];
    let [from, to] = sides();
    let drawn = SESSION
        .ask(&PlotEnvelopes::new(r"\x => abs x", PlotRequest { columns: 5, ..PlotRequest::new(from, to) }), &minute());
    assert!(drawn.unwrap().is_reached());
    let [from, to] = sides();
    let request = PlotRequest { columns: 2, ..PlotRequest::new(from, to) };
    let density = SESSION.ask(&PlotDensity::new("sample (uniformOn (-1) 1)", request), &minute()).unwrap();
    assert!(density.value().envelopes[0].columns[0].enclosure().is_some_and(|e| e.contains(&Rational::from((1, 2)))));
    let relu = r"\x => if x > 0 then x else 0";
    let found = SESSION.ask(&ListPieces::new(relu, "-1", "1").with_derivatives(1), &minute()).unwrap();
    assert!(found.is_reached() && found.value().rows.len() >= 2);
    let traced = SESSION.ask(&Trace::new(relu).at("2"), &minute()).unwrap();
    assert_eq!(traced.value().answer.guards.len(), 1);
    let swept = SESSION.ask(&RunTape::new(relu).at("2").reverse(true).in_doubles(true), &minute()).unwrap();
    let SweptValue::Doubles(tape) = swept.value() else { panic!("no doubles") };
    // max 0 x at 2 is 2 with slope 1, and a choice rounds nothing
    let numbers = [&tape.value, &tape.reverse[0]].map(|value| value.real_components()[0]);
    assert_eq!(numbers.map(|number| (number.value(), number.error_bound())), [(2.0, 0.0), (1.0, 0.0)]);
    let agreement = SESSION.ask(&Agree::new(r"deriv (\x => x^3) 2"), &minute()).unwrap();
    assert!(agreement.is_reached() && !agreement.value().is_refuted() && agreement.value().rows.len() == 6);
    let audit = |claim: f64| {
        let found = SESSION.ask(&Audit::new(r"\x => max 0 x", [0.into()], [claim.into()]), &minute()).unwrap();
        found.into_value().finding
    };
    assert!(matches!(audit(0.5), AuditFinding::Inside) && matches!(audit(2.0), AuditFinding::Outside(_)));
}
