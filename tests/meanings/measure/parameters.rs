//! What parameters of distributions have to be, drawn from and seen: by one table, in masses, means, estimators, changes of variables and samples.

use super::{Ask, PLAIN, asked, parsed, rational};
use crate::measure::change::changed;
use smoothish::measure::change::ChangeOfVariablesError;
use smoothish::measure::distribution::{Distribution, FAMILIES};
use smoothish::measure::estimator::compare_estimators;
use smoothish::measure::{MeasureAnswer, MeasureError};
use smoothish::number::budget::Budget;
use smoothish::sampler::{SamplerError, SamplerSettings, SamplingMethod, estimate_mean};
use smoothish::session::Session;
use smoothish::smooth::graph::Graph;
use std::sync::Arc;
use std::time::Duration;

/// A distribution with one parameter left open, which has to be positive, or not negative; a datum; what is told of that parameter.
struct Row {
    distribution: &'static str,
    datum: &'static str,
    what: &'static str,
    has_to_be: &'static str,
    /// Whether it may be 0.
    has_edge: bool,
}

const fn row(
    distribution: &'static str,
    datum: &'static str,
    what: &'static str,
    has_to_be: &'static str,
    has_edge: bool,
) -> Row {
    Row { distribution, datum, what, has_to_be, has_edge }
}

/// Each parameter of each distribution that has to be something, on each side.
const ROWS: [Row; 15] = [
    row("normal 0 (_)", "1", "the standard deviation of normal", "> 0", false),
    row("uniformOn 0 (_)", "0.5", "the width b - a of uniformOn a b", "> 0", false),
    row("exponential (_)", "1", "the rate of exponential", "> 0", false),
    row("gamma (_) 1", "1", "the shape of gamma", "> 0", false),
    row("gamma 2 (_)", "1", "the rate of gamma", "> 0", false),
    row("beta (_) 2", "0.5", "the first parameter of beta", "> 0", false),
    row("beta 2 (_)", "0.5", "the second parameter of beta", "> 0", false),
    row("bernoulli (_)", "tt", "the probability of bernoulli", ">= 0", true),
    row("bernoulli (1 - (_))", "ff", "the probability of bernoulli", "<= 1", true),
    row("poisson (_)", "2", "the rate of poisson", "> 0", false),
    row("geometric (_)", "2", "the probability of geometric", "> 0", false),
    row("geometric (1 - (_))", "2", "the probability of geometric", "< 1", false),
    row("studentT (_) 0 1", "1", "the number of degrees of freedom of studentT", "> 0", false),
    row("studentT 3 0 (_)", "1", "the scale of studentT", "> 0", false),
    row("logNormal 0 (_)", "1", "the standard deviation of the logarithm in logNormal", "> 0", false),
];

impl Row {
    /// A draw from it, and something seen of it, with this in the place of the parameter.
    fn statements(&self, parameter: &str) -> [String; 2] {
        let distribution = self.distribution.replace('_', parameter);
        [format!("w <- sample ({distribution})"), format!("observe ({distribution}) {}", self.datum)]
    }

    /// Whether a fault names the parameter and what it has to be, and nothing else.
    fn is_told(&self, fault: &MeasureError, is_certain: bool, model: &str) {
        let MeasureError::ParameterConstraint { what, has_to_be, certain, .. } = fault else {
            panic!("{model}: {fault}")
        };
        assert_eq!((*what, *has_to_be, *certain), (self.what, self.has_to_be, is_certain), "{model}: {fault}");
        assert_eq!(fault.has_no_answer(), !is_certain, "{model}: status 2 or 4");
        let text = fault.to_string();
        let is_of_theory = text.contains("`log`") || text.contains("log ");
        assert!(text.contains(self.what) && text.contains(self.has_to_be) && !is_of_theory, "{text}");
    }
}

fn found(model: &str, at: Option<&str>, order: u32) -> Result<MeasureAnswer, MeasureError> {
    asked(model, None, Ask { at, order, eps: "1e-2", seconds: 4, ..PLAIN })
}

/// One that is out of range is refused with certainty, be it drawn from or seen; at the edge where it may not be.
#[test]
fn numbers_out_of_range_are_refused() {
    for row in &ROWS {
        for statement in row.statements("-1") {
            let model = format!("do {{ {statement}; return () }}");
            row.is_told(&found(&model, None, 0).expect_err(&model), true, &model);
        }
        for statement in row.statements("0") {
            let model = format!("do {{ {statement}; return () }}");
            match found(&model, None, 0) {
                Ok(answer) => assert!(row.has_edge && answer.enclosure.is_bounded(), "{model}: {answer:?}"),
                Err(fault) => {
                    assert!(!row.has_edge, "{model}: {fault}");
                    row.is_told(&fault, true, &model);
                }
            }
        }
        for statement in row.statements("0.5") {
            let model = format!("do {{ {statement}; return () }}");
            assert!(found(&model, None, 0).is_ok_and(|answer| answer.enclosure.is_bounded()), "{model}");
        }
    }
}

/// A parameter whose second derivative is 0 on both sides of a pole may be out of range between ends where it is not.
#[test]
fn numbers_out_of_range_between_the_ends_are_not_accepted() {
    for hidden in ["exp (log (x*x) / 2) - 1/2", "exp (log ((x - 1/4)*(x - 1/4)) / 2) - 1/3"] {
        for row in &ROWS[..2] {
            for statement in row.statements(hidden) {
                let model = format!("do {{ x <- sample (uniformOn (-1) 1); {statement}; return () }}");
                assert!(found(&model, None, 0).is_err(), "{model}");
            }
        }
    }
    for inside in ["exp (log ((x + 2)*(x + 2)) / 2)", "(x + 1)*(x + 2)/(x + 1)", "2 + x - x"] {
        let model = format!("do {{ x <- sample (uniformOn (-1) 1); w <- sample (normal 0 ({inside})); return () }}");
        assert!(found(&model, None, 0).is_ok(), "{model}");
    }
}

/// The parameter of the program: out of range it is refused, and at the edge derivatives are not claimed, since beyond it there is no program.
#[test]
fn derivatives_at_the_edge_are_not_claimed() {
    for row in &ROWS {
        for statement in row.statements("t") {
            let model = format!("\\t => do {{ {statement}; return () }}");
            row.is_told(&found(&model, Some("-1"), 0).expect_err(&model), true, &model);
            for order in [1, 2] {
                row.is_told(&found(&model, Some("-1"), order).expect_err(&model), true, &model);
                // at the edge: certain where there is no program at the place itself
                let fault = found(&model, Some("0"), order).expect_err(&model);
                row.is_told(&fault, !row.has_edge, &model);
            }
            let nearby = found(&model, Some("0"), 1).expect_err(&model).to_string();
            assert_eq!(nearby.contains("near the place"), row.has_edge, "{nearby}");
            // inside there is one
            let inside = found(&model, Some("0.75"), 1).unwrap_or_else(|fault| panic!("{model}: {fault}"));
            assert!(inside.enclosure.is_defined(), "{model}: {:?}", inside.width_reason);
        }
    }
}

/// What samples, compares estimators and changes variables has the same table.
#[test]
fn every_question_refuses_them() {
    let budget = || Arc::new(Budget::with_time_limit(Duration::from_secs(10)));
    for row in &ROWS {
        let [draws, sees] = row.statements("x - 0.5");
        for statement in [&draws, &sees] {
            let model = format!("do {{ x <- sample (uniformOn 0 1); {statement}; return x }}");
            let (term, of) = parsed(&model, "\\x => x", false);
            for by in SamplingMethod::ALL {
                let found = estimate_mean(&term, &of, &SamplerSettings::new(by, 500, 1), &budget(), &mut |_| {})
                    .expect_err(&model);
                let SamplerError::Measure(fault) = found else { panic!("{model}: {found}") };
                // 1.5 - x may be what is out of range
                assert!(matches!(fault, MeasureError::ParameterConstraint { certain: true, .. }), "{model}: {fault}");
            }
            match changed(&model, "\\x => x", "0.7").expect_err(&model) {
                ChangeOfVariablesError::Measure(fault) => row.is_told(&fault, true, &model),
                other => panic!("{model}: {other}"),
            }
        }
        let moved = format!("\\t => do {{ {}; return 1 }}", draws.replace("x - 0.5", "t"));
        let (term, of) = parsed(&moved, "\\x => x", true);
        let compared = |at: &str| compare_estimators(&term, &of, &rational(at), &rational("1e-2"), &budget());
        row.is_told(&compared("-1").expect_err(&moved), true, &moved);
        row.is_told(&compared("0").expect_err(&moved), !row.has_edge, &moved);
        assert!(compared("0.5").is_ok(), "{moved}");
    }
}

/// Probabilities that are shown to be such: by corners, by their normal form, by what was decided, by cells; and some that are not.
#[test]
fn probabilities_of_several_draws_are_shown() {
    let model = |draws: &str, p: &str| format!("do {{ {draws}; observe (bernoulli ({p})) tt; return () }}");
    let two = "x <- sample (uniformOn 0 1); y <- sample (beta 2 2)";
    for (draws, p) in [
        (two, "0.3*x + 0.7*y"),
        (two, "x*y + (1 - x)*(1 - y)"),
        (two, "x*0.95 + (1 - x)*0.1"),
        (two, "1 - x*y"),
        ("x <- sample (normal 0 1); y <- sample (normal 0 1)", "sigmoid (x - y)"),
        ("x <- sample (normal 0 1)", "1 / (1 + x^2)"),
        ("x <- sample (normal 0 1)", "x^2 / (1 + x^2)"),
        ("x <- sample (gamma 2 1)", "1 - exp (- x)"),
        ("x <- sample (uniformOn 0 1)", "4 * x * (1 - x)"),
        ("x <- sample (uniformOn 0 0.5); y <- sample (uniformOn 0 x)", "x + y"),
        ("n <- sample (poisson 3)", "1 / (1 + toReal n)"),
        ("n <- sample (geometric 0.5)", "0.5 ^ toReal n"),
    ] {
        let found = found(&model(draws, p), None, 0);
        assert!(found.is_ok(), "{draws}, {p}: {found:?}");
    }
    for (draws, p) in [
        (two, "x + y"),
        (two, "x + 0.5*y"),
        (two, "x - y"),
        (two, "2*x*y"),
        ("x <- sample (normal 0 1); y <- sample (normal 0 1)", "exp (x - y)"),
        ("x <- sample (exponential 1)", "x"),
        ("x <- sample (uniformOn 0 1)", "4.1 * x * (1 - x)"),
        ("n <- sample (poisson 3)", "toReal n / 4"),
    ] {
        let fault = found(&model(draws, p), None, 0).expect_err(p);
        assert!(matches!(fault, MeasureError::ParameterConstraint { certain: true, .. }), "{draws}, {p}: {fault}");
    }
}

/// Numbers that are so rare that they are followed all at once count as well.
#[test]
fn rare_numbers_that_are_out_of_range_count() {
    for (draw, seen) in [
        ("poisson 3", "observe (bernoulli (toReal n / 1000)) tt"),
        ("geometric 0.5", "observe (exponential (200 - toReal n)) 1"),
        ("geometric 0.5", "x <- sample (normal 0 (500 - toReal n))"),
        ("geometric 0.5", "b <- sample (bernoulli (toReal n / 100000))"),
    ] {
        let model = format!("do {{ n <- sample ({draw}); {seen}; return () }}");
        let fault = found(&model, None, 0).expect_err(&model);
        assert!(matches!(fault, MeasureError::ParameterConstraint { certain: true, .. }), "{model}: {fault}");
    }
    for (draw, seen) in [
        ("poisson 3", "observe (bernoulli (1 / (1 + toReal n))) tt"),
        ("geometric 0.5", "observe (exponential (toReal n)) 1"),
        ("geometric 0.5", "x <- sample (normal 0 (toReal n))"),
    ] {
        let model = format!("do {{ n <- sample ({draw}); {seen}; return () }}");
        let answer = found(&model, None, 0).unwrap_or_else(|fault| panic!("{model}: {fault}"));
        assert!(answer.enclosure.is_defined(), "{model}: {:?}", answer.width_reason);
    }
}

/// P(1 trial) is a probability of one half by symmetry: the density of what is seen asks nothing that was shown before.
#[test]
fn what_was_shown_is_not_asked_again() {
    let model = "do { x <- sample (normal 0 1); observe (geometric (sigmoid x)) 1; return x }";
    super::holds(model, None, PLAIN, "0.5");
}

/// The theory demands the same, in a definition for each parameter: its comment says so in the same words.
#[test]
fn the_theory_has_the_same_table() {
    let session = Session::new();
    let module = session.library().module("Trace").expect("a theory");
    let docs: Vec<String> = module.definitions().iter().map(|definition| definition.doc.clone()).collect();
    for family in FAMILIES {
        let parameters = vec![Graph::integer(2); family.arity()];
        let distribution = Distribution::new(*family, parameters).expect("its parameters");
        assert!(
            ROWS.iter().any(|row| distribution.demands().iter().any(|demand| demand.what == row.what)),
            "{family:?}"
        );
        for demand in distribution.demands() {
            let own = docs
                .iter()
                .filter(|doc| doc.to_lowercase().starts_with(&format!("{} has to be", demand.what.to_lowercase())));
            assert!(own.count() == 1, "{}: {docs:?}", demand.what);
            assert!(docs.iter().any(|doc| doc.contains(demand.has_to_be)), "{}", demand.has_to_be);
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Out of range for some draws is out of range; with chance 0 it is not.
    #[test]
    fn draws_that_are_out_of_range_count() {
        // a thousandth of the draws, and all but a thousandth
        let draws = ["uniformOn (-0.001) 0.9", "uniformOn (-0.9) 0.001", "normal 0.5 0.1"];
        for (row, first) in ROWS.iter().zip((0..draws.len()).cycle()) {
            for statement in row.statements("x") {
                let model = |from: &str| format!("do {{ x <- sample ({from}); {statement}; return () }}");
                for from in draws.iter().cycle().skip(first).take(crate::in_tiers(1, draws.len())) {
                    let model = model(from);
                    let fault = found(&model, None, 0).expect_err(&model);
                    let MeasureError::ParameterConstraint { certain, .. } = fault else { panic!("{model}: {fault}") };
                    assert!(certain, "{model}: {fault}");
                }
                let model = model("uniformOn 0 0.9");
                assert!(found(&model, None, 0).is_ok(), "{model}: the end has no chance");
            }
            // on a path that is not taken it does not count, and on one that is it does
            for statement in row.statements("x") {
                let model = |guard: &str| {
                    format!(
                        "do {{ x <- sample (uniformOn (-1) 0.9); if {guard} then do {{ {statement}; return () }} else return () }}"
                    )
                };
                assert!(found(&model("x > 0"), None, 0).is_ok(), "{}", model("x > 0"));
                let fault = found(&model("x < 0.1"), None, 0).expect_err("half of it is out of range");
                row.is_told(&fault, true, &model("x < 0.1"));
            }
        }
    }
}
