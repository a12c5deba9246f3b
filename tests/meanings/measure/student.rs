//! Student's t-distribution: masses, moments and their derivatives, moments that it does not have, samples; and that its two densities agree.
//!
//! True values are closed forms where one is named, and were found again by quadrature by mpmath, at 30 digits.

use super::{Ask, PLAIN, asked, both_estimators_enclose, compared_estimators, every_sampler_is_near, holds, rational};
use smoothish::function::Function;
use smoothish::measure::distribution::{Distribution, FAMILIES, Kind};
use smoothish::measure::estimator::GradientEstimator;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::Session;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

const THREE: &str = "do { x <- sample (studentT 3 0 1); return x }";

/// Half of a line by symmetry; ½ - (√3/4 + π/6)/π for ν = 3 beyond 1; ½ - x/(2√(2 + x²)) for ν = 2.
#[test]
fn masses_and_moments_are_enclosed() {
    holds(
        "do { x <- sample (studentT 3 0 1); score (if x > 1 then 1 else 0); return x }",
        None,
        PLAIN,
        "0.195501109477885321",
    );
    holds(
        "do { x <- sample (studentT 2 0 1); score (if x > 3 then 1 else 0); return x }",
        None,
        PLAIN,
        "0.047732983133354674",
    );
    holds("do { x <- sample (studentT 0.5 1 7); score (if x > 1 then 1 else 0); return x }", None, PLAIN, "0.5");
    // ν/(ν - 2), and 2√3/π
    holds(THREE, Some("\\x => x^2"), PLAIN, "3");
    holds(THREE, Some("\\x => abs x"), PLAIN, "1.10265779084358409902");
    holds("do { x <- sample (studentT 3.5 1 2); return x }", Some("\\x => x"), PLAIN, "1");
    holds("do { x <- sample (studentT 3.5 1 2); return x }", Some("\\x => abs x ^ 3"), PLAIN, "122.925553601074523037");
    // what was seen
    let far = "do { m <- sample (normal 0 1); observe (studentT 4 m 1) 10; return m }";
    holds(far, None, Ask { eps: "1e-12", ..PLAIN }, "0.000125938319353813936");
    let near = "do { x <- sample (studentT 5 1 2); observe (normal x 1) 3; return x }";
    holds(near, Some("\\x => x"), PLAIN, "2.60852426595442519727");
}

/// t² + 4·5/3, 5t²/3, t/(t - 2), and a derivative in the degrees of freedom.
#[test]
fn derivatives_in_each_parameter_are_enclosed() {
    let of = |parameters: &str| format!("\\t => do {{ x <- sample (studentT {parameters}); return x }}");
    let at = |place, order| Ask { at: Some(place), order, eps: "1e-7", ..PLAIN };
    holds(&of("5 t 2"), Some("\\x => x^2"), at("1", 1), "2");
    holds(&of("5 0 t"), Some("\\x => x^2"), at("1", 1), "3.33333333333333333333");
    holds(&of("t 0 1"), Some("\\x => x^2"), at("5", 1), "-0.222222222222222222222");
    holds(&of("t 0 1"), Some("\\x => x^2"), at("5", 2), "0.148148148148148148148");
    holds(&of("t 0 1"), Some("\\x => (sin x)^2"), at("5", 1), "0.00026045348817818744273");
}

/// Location and scale by reparametrisation, shape by the score function alone.
#[test]
fn estimators_move_location_and_scale() {
    for (parameters, truth) in [("5 t 2", "2"), ("5 0 t", "3.33333333333333333333")] {
        let model = format!("\\t => do {{ x <- sample (studentT {parameters}); return x }}");
        both_estimators_enclose(&model, "\\x => x^2", "1", truth);
    }
    let found = compared_estimators("\\t => do { x <- sample (studentT t 0 1); return x }", "\\x => (sin x)^2", "5");
    let has_form = |name| found.estimates.iter().find(|(own, _)| *own == name).expect("each is told of").1.is_ok();
    assert!(has_form(GradientEstimator::Score) && !has_form(GradientEstimator::Reparametrisation));
}

/// Samples are near what is certified, the bulk of them as well as their squares.
#[test]
fn samples_are_near() {
    let rows = [("\\x => x^2", 1.0 + 4.0 * 5.0 / 3.0), ("\\x => if x > 3 then 1 else 0", 0.181608734)];
    every_sampler_is_near("do { x <- sample (studentT 5 1 2); return x }", &rows);
}

/// The density of the theory at a place, as the presheaf model has it.
fn of_theory(session: &Session, distribution: &str, x: &str) -> Enclosure {
    let (term, ty) = session.infer(&format!("density (sample ({distribution})) [{x}]")).expect("a number");
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(5)));
    let meaning = smoothish::meaning::semantics_named("presheaf").expect("a model");
    let found = meaning.evaluate(&term, &ty, &rational("1e-20"), &budget).expect("an answer");
    let Value::Real(AnswerNumber::Enclosure(found)) = found.value else { panic!("a number") };
    found.enclosure
}

/// Whether a density of the integrals meets that of the theory, both being narrow.
fn meets(density: &Graph, theory: &Enclosure) -> bool {
    let own =
        density.to_real().expect("a number").enclose(&rational("1e-20"), &Budget::unlimited()).expect("an answer");
    let own = own.enclosure;
    assert!(
        own.is_defined() && own.has_width_at_most(&rational("1e-20")) && theory.has_width_at_most(&rational("1e-20"))
    );
    own.lo() <= theory.hi() && own.hi() >= theory.lo()
}

/// The densities of all families, which share nothing with the theory's. One with an exponent that is off by one is found out.
#[test]
fn both_densities_agree() {
    let session = Session::new();
    for family in FAMILIES.iter().filter(|family| family.kind() == Kind::Real) {
        let name = family.name();
        let written = format!("{}{}", name[..1].to_lowercase(), &name[1..]);
        for parameters in [["1", "2", "3"], ["0.25", "0.75", "2"], ["3.5", "4.5", "0.3"]] {
            let own = &parameters[..family.arity()];
            let numbers: Vec<Graph> = own.iter().map(|q| Graph::rational(rational(q))).collect();
            let distribution = Distribution::new(*family, numbers).expect("its parameters");
            for x in ["0.5", "0.9", "4"] {
                let inside = distribution.ends().map(|end| end.and_then(|end| end.as_rational().cloned()));
                let x_is = rational(x);
                if inside[0].as_ref().is_some_and(|a| *a >= x_is) || inside[1].as_ref().is_some_and(|b| *b <= x_is) {
                    continue;
                }
                let theory = of_theory(&session, &format!("{written} {}", own.join(" ")), x);
                let density = distribution.density(&Graph::rational(x_is.clone()));
                assert!(meets(&density, &theory), "{name} {own:?} at {x}");
                if name == "StudentT" {
                    let [nu, m, s] = [0, 1, 2].map(|i| rational(own[i]));
                    let bowl = Rational::from(1) + ((x_is - m) / s).square() / nu;
                    let root = Graph::function(Function::Sqrt, &Graph::rational(bowl));
                    let wrong = Graph::binary(Binary::Multiply, &density, &root);
                    assert!(!meets(&wrong, &theory), "the exponent -ν/2 is not refuted at {x}");
                }
            }
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// E |x|ᵏ is infinite for k ≥ ν, and what cancels there has no mean. Of what is nowhere negative it may be said that it is at most ∞.
    #[test]
    fn moments_of_high_order_are_not_claimed() {
        for (nu, of, may_be_infinite) in [
            ("3", "\\x => abs x ^ 3", false),
            ("3", "\\x => x^3", false),
            ("1", "\\x => x", false),
            ("2", "\\x => x^2", true),
        ] {
            let model = format!("do {{ x <- sample (studentT {nu} 0 1); return x }}");
            let found = asked(&model, Some(of), Ask { seconds: 2, ..PLAIN }).expect("an answer").enclosure;
            assert!(!found.is_bounded() && (may_be_infinite || !found.is_defined()), "{nu}, {of}: {found}");
        }
    }
}
