//! Densities at the ends of where draws lie: what they are beside the end, inside, so that equal laws have equal ones.
//!
//! | law | at 0 | at 1 |
//! |---|---|---|
//! | gamma a r | r for a = 1, 0 for a > 1, none for a < 1 | |
//! | beta a b | b for a = 1, 0 for a > 1, none for a < 1 | a for b = 1, 0 for b > 1, none for b < 1 |

use super::{PLAIN, asked, holds, rational};
use crate::measure::change::changed;
use smoothish::measure::MeasureError;
use smoothish::measure::distribution::{Distribution, FAMILIES};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::smooth::graph::Graph;
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

/// A distribution, an end, and the density there.
const ENDS: &[(&str, &str, &str)] = &[
    ("exponential 2", "0", "2"),
    ("gamma 1 2", "0", "2"),
    ("gamma 1 0.5", "0", "0.5"),
    ("gamma 2 3", "0", "0"),
    ("gamma 1.5 3", "0", "0"),
    ("uniformOn 0 1", "0", "1"),
    ("uniformOn 0 1", "1", "1"),
    ("beta 1 1", "0", "1"),
    ("beta 1 1", "1", "1"),
    ("beta 1 3", "0", "3"),
    ("beta 1 3", "1", "0"),
    ("beta 4 1", "0", "0"),
    ("beta 4 1", "1", "4"),
    ("beta 1 0.5", "0", "0.5"),
    ("beta 0.5 1", "1", "0.5"),
    ("beta 2 2", "0", "0"),
];

/// Those whose density has no bound at an end.
const POLES: &[(&str, &str)] = &[("gamma 0.5 2", "0"), ("beta 0.5 2", "0"), ("beta 2 0.5", "1"), ("beta 1 0.5", "1")];

#[test]
fn what_is_seen_at_an_end_has_the_density_beside_it() {
    for (distribution, end, density) in ENDS {
        holds(&format!("do {{ observe ({distribution}) {end}; return () }}"), None, PLAIN, density);
    }
    for (distribution, end) in POLES {
        let model = format!("do {{ observe ({distribution}) {end}; return () }}");
        let fault = asked(&model, None, PLAIN).expect_err(&model);
        assert!(matches!(fault, MeasureError::Undefined(_)), "{model}: {fault}");
        let text = fault.to_string();
        assert!(text.contains("has to be off an end at which the density has no bound"), "{model}: {text}");
        assert!(!text.contains('`'), "{model}: no operation is blamed that nobody wrote: {text}");
    }
    // beyond the ends nothing is changed
    for (distribution, beyond) in
        [("gamma 1 2", "(-1)"), ("gamma 0.5 2", "(-1)"), ("beta 1 1", "(-1)"), ("beta 0.5 0.5", "2")]
    {
        holds(&format!("do {{ observe ({distribution}) {beyond}; return () }}"), None, PLAIN, "0");
    }
}

/// In the models that decide what is on a border the density is the same; in the others it has none there, as every function that jumps.
#[test]
fn the_models_agree_at_an_end() {
    let session = Session::new();
    let budget = || Arc::new(Budget::with_time_limit(Duration::from_secs(5)));
    for (distribution, end, density) in ENDS {
        let (term, ty) = session.infer(&format!("density (observe ({distribution}) {end}) []")).expect("a number");
        let truth = rational(density);
        for name in ["pap", "float"] {
            let meaning = smoothish::meaning::semantics_named(name).expect("a model");
            let found = meaning.evaluate(&term, &ty, &rational("1e-9"), &budget()).expect("an answer");
            match &found.value {
                Value::Real(AnswerNumber::Enclosure(found)) => {
                    let near = &truth - found.enclosure.lo().to_rational().expect("finite");
                    assert!(found.enclosure.is_defined() && near.abs() < rational("1e-8"), "{distribution} at {end}");
                }
                Value::Real(AnswerNumber::Float { value, .. }) => {
                    assert!((value - truth.to_f64()).abs() < 1e-9, "{distribution} at {end}: {value}");
                }
                other => panic!("{other:?}"),
            }
        }
        let meaning = smoothish::meaning::semantics_named("presheaf").expect("a model");
        let found = meaning.evaluate(&term, &ty, &rational("1e-9"), &budget()).expect("an answer");
        let Value::Real(AnswerNumber::Enclosure(found)) = &found.value else { panic!("a number") };
        let holds = !found.enclosure.is_defined() || found.enclosure.contains(&truth);
        assert!(holds, "{distribution} at {end}: {:?}", found.enclosure);
    }
}

/// The densities of the integrals say the same, and a change of variables at an end.
#[test]
fn integrals_have_the_same_densities_at_ends() {
    let number = |n: i64| Graph::integer(n);
    for (family, parameters, end, density) in [
        ("Exponential", vec![number(2)], 0, 2),
        ("Gamma", vec![number(1), number(2)], 0, 2),
        ("Gamma", vec![number(2), number(2)], 0, 0),
        ("Beta", vec![number(1), number(1)], 0, 1),
        ("Beta", vec![number(1), number(1)], 1, 1),
        ("Beta", vec![number(1), number(3)], 0, 3),
        ("Beta", vec![number(4), number(1)], 1, 4),
        ("UniformOn", vec![number(0), number(1)], 1, 1),
    ] {
        let family = FAMILIES.iter().find(|found| found.name() == family).expect("a family");
        let distribution = Distribution::new(*family, parameters).expect("its parameters");
        let at = distribution.density(&number(end)).to_real().expect("a number");
        let found = at.enclose(&rational("1e-9"), &Budget::unlimited()).expect("an answer").enclosure;
        assert!(found.is_defined() && found.contains(&Rational::from(density)), "{distribution:?} at {end}: {found}");
    }
    for (program, at, density) in [
        ("sample (exponential 2)", "0", "2"),
        ("sample (gamma 1 2)", "0", "2"),
        ("sample (beta 1 3)", "0", "3"),
        ("sample (beta 4 1)", "1", "4"),
    ] {
        let found = changed(&format!("do {{ x <- {program}; return x }}"), "\\x => x", at).expect("an answer");
        let [(1, density_there)] = &found.densities[..] else { panic!("{program}: {found:?}") };
        assert!(density_there.is_defined() && density_there.contains(&rational(density)), "{program}: {found:?}");
    }
}

/// A datum that is drawn lies at an end with no chance: ∫ of the density of gamma 1 2 over a normal draw, e^(2²/2 - 0)·2 Φ(-2).
#[test]
fn a_datum_that_is_drawn_does_not_see_the_end() {
    let model = "do { x <- sample (normal 0 1); observe (gamma 1 2) x; return x }";
    holds(model, None, PLAIN, "0.336204002446341213");
    let same = "do { x <- sample (normal 0 1); observe (exponential 2) x; return x }";
    holds(same, None, PLAIN, "0.336204002446341213");
}
