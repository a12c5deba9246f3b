//! Parameters that are tuples: a derivative in each number is the gradient.
//!
//! The true values are closed forms, found again by mpmath as integrals over the line and as their numerical derivatives.

use super::rational;
use smoothish::measure::estimator::EstimatorComparison;
use smoothish::number::Enclosure;
use smoothish::session::{Answer, Diagnostic, Estimators, Evidence, Expectation, Limits, Session};

/// The mass is the density of N(m, s² + 1) at 0.
const SEEN: &str = r"\(m, s) => do { x <- sample (normal m s); observe (normal x 1) 0; return x }";
/// The logarithm of the ratio of the densities of N(m, s²) and N(0, 1): its mean is KL = (m² + s² - 1)/2 - log s.
const RATIO: &str = r"\(m, s) => do { x <- sample (normal m s); return (x^2 / 2 - ((x - m) / s)^2 / 2 - log s) }";
const SELF: &str = r"\x => x";

fn holds(found: &Enclosure, truth: &str) {
    let near = rational("1e-14");
    let truth = rational(truth);
    let (low, high) = (truth.clone() - &near, truth.clone() + &near);
    assert!(
        *found.lo() <= high && *found.hi() >= low && found.has_width_at_most(&rational("1e-9")),
        "{found}: {truth}"
    );
}

fn limits() -> Limits {
    Limits::seconds(60)
}

#[test]
fn a_mass_has_a_gradient() {
    let session = Session::new();
    let asked = Evidence::new(SEEN).at("(1, 1/2)").within("1e-9");
    holds(&session.ask(&asked, &limits()).expect("a mass").value().enclosure, "0.239186831934563962");
    let truths = ["-0.19134946554765117", "-0.01913494655476512"];
    for (partial, truth) in asked.gradient().iter().zip(truths) {
        holds(&session.ask(partial, &limits()).expect("a derivative").value().enclosure, truth);
    }
    assert_eq!(asked.gradient().len(), 2);
}

#[test]
fn a_mean_has_a_gradient() {
    let session = Session::new();
    let asked = Expectation::new(RATIO, SELF).at("(1, 1/2)").within("1e-9");
    holds(&session.ask(&asked, &limits()).expect("a mean").value().enclosure, "0.818147180559945309");
    for (partial, truth) in asked.gradient().iter().zip(["1", "-1.5"]) {
        holds(&session.ask(partial, &limits()).expect("a derivative").value().enclosure, truth);
    }
    // the second derivative in s is 1 + 1/s² = 5
    let second = asked.derivative(2).partial(1);
    holds(&session.ask(&second, &limits()).expect("a derivative").value().enclosure, "5");
}

/// E x² = m² + s² has the gradient (2m, 2s), which both estimators meet.
#[test]
fn estimators_are_compared_in_each_number() {
    let session = Session::new();
    let asked = Estimators::new(r"\(m, s) => sample (normal m s)", r"\x => x^2", "(1, 1/2)").with_width("1e-9");
    for (index, truth) in ["2", "1"].into_iter().enumerate() {
        let found = session.ask(&asked.clone().partial(index), &limits()).expect("a comparison");
        let EstimatorComparison { gradient, estimates, .. } = found.value();
        holds(gradient, truth);
        assert!(estimates.iter().all(|(_, estimate)| estimate.as_ref().is_ok_and(|own| own.bias.contains(&0.into()))));
    }
}

#[test]
fn a_point_of_another_dimension_is_refused() {
    let session = Session::new();
    let refused = |found: Result<Answer<_>, Diagnostic>, text: &str| {
        let Err(Diagnostic { message, .. }) = found else { panic!("an answer, where `{text}` was expected") };
        assert!(message.contains(text), "{message}");
    };
    let asked = Evidence::new(SEEN);
    refused(
        session.ask(&asked.clone().at("1"), &limits()),
        "the parameter of the program has 2 numbers, and the point 1 number",
    );
    let three = asked.clone().at("(1, 2, 3)");
    refused(session.ask(&three, &limits()), "has 2 numbers, and the point 3 numbers");
    let whole = asked.clone().at("(1, 1/2)").derivative(1);
    refused(session.ask(&whole, &limits()), "a derivative of order 1 is in one of the 2 numbers of the parameter");
    refused(session.ask(&whole.partial(2), &limits()), "has 2 numbers, none of that index");
    refused(session.ask(&asked, &limits()), "the program is a function of a parameter");
}
