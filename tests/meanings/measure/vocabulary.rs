//! Values of the theory `Trace` are read by the names of their constructors, and one that is not known is an error.

use super::{rational, typed};
use smoothish::measure::distribution::Distribution;
use smoothish::measure::{MeasureAnswer, MeasureError, MeasureQuestion, normalising_constant};
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::smooth::graph::Graph;
use smoothish::syntax::source::SourceText;
use smoothish::theory::loader::TheoryCollection;
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

const SOURCES: [(&str, &str); 3] = [
    ("prelude", include_str!("../../../theories/prelude.theory")),
    ("data", include_str!("../../../theories/data.theory")),
    ("trace", include_str!("../../../theories/trace.theory")),
];

/// The mass of a program under the theory `Trace` with another text.
fn mass(model: &str, change: impl Fn(&str) -> String) -> Result<MeasureAnswer, MeasureError> {
    let mut theories = TheoryCollection::new();
    for (name, text) in SOURCES {
        let text = if name == "trace" { change(text) } else { text.to_owned() };
        theories.load([SourceText::new(name, text)]).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let (term, _) = Session::with_library(theories.library().clone()).infer(model).expect("a program");
    let question = MeasureQuestion { parameter: None, derivative_order: 0, weight_bound: None, eps: rational("1e-9") };
    normalising_constant(&term, false, &question, &Arc::new(Budget::with_time_limit(Duration::from_secs(10))))
}

const SOURCE: &str = "type Source = Normal (ℜ * ℜ) | UniformOn (ℜ * ℜ) | Exponential ℜ | Gamma (ℜ * ℜ) | Beta (ℜ * ℜ) | Bernoulli ℜ | Poisson ℜ\n  | Geometric ℜ | StudentT (ℜ * ℜ * ℜ) | LogNormal (ℜ * ℜ)";

/// In another order of constructors the same is meant: ½ φ(1), which another order of numbers takes for other distributions.
#[test]
fn the_order_of_constructors_says_nothing() {
    let turned = |text: &str| {
        let other = "type Source = LogNormal (ℜ * ℜ) | Geometric ℜ | StudentT (ℜ * ℜ * ℜ) | Beta (ℜ * ℜ) | Poisson ℜ | Bernoulli ℜ | UniformOn (ℜ * ℜ) | Gamma (ℜ * ℜ)\n  | Exponential ℜ | Normal (ℜ * ℜ)";
        assert!(text.contains(SOURCE) && text.contains("= Wanted Source | Given A"), "the theory has other words");
        let text = text.replace(SOURCE, other).replace("= Wanted Source | Given A", "= Given A | Wanted Source");
        let factor = "type Factor = Prior (Source * (unit → ℜ)) | Seen (Source * (unit → ℜ)) | Score ℜ";
        assert!(text.contains(factor), "the theory has other words");
        let draw = "type Draw = RealDraw ℜ | NaturalDraw ℕ | TruthDraw 𝔅";
        assert!(text.contains(draw), "the theory has other words");
        let text = text.replace(draw, "type Draw = TruthDraw 𝔅 | RealDraw ℜ | NaturalDraw ℕ");
        text.replace(factor, "type Factor = Score ℜ | Seen (Source * (unit → ℜ)) | Prior (Source * (unit → ℜ))")
    };
    let model =
        "do { b <- sample (bernoulli 0.5); if b then return () else score 0; observe (normal 0 1) 1; return 1 }";
    for change in [&(|text: &str| text.to_owned()) as &dyn Fn(&str) -> String, &turned] {
        let found = mass(model, change).expect("an answer").enclosure;
        let truth = rational("0.120985362259571674");
        assert!(found.is_defined() && *found.lo() <= truth && *found.hi() >= truth, "{found}");
        assert!(found.has_width_at_most(&rational("1e-9")), "{found}");
    }
}

/// A source of draws of another name is none that is known, and not the last of those that are.
#[test]
fn an_unknown_constructor_is_an_error() {
    let renamed = |text: &str| text.replace("Geometric", "Pascal");
    for model in ["do { n <- sample (geometric 0.5); return n }", "do { observe (geometric 0.5) 2; return 1 }"] {
        let fault = mass(model, renamed).expect_err(model);
        assert!(matches!(fault, MeasureError::Meaning(_)), "{fault}");
        assert!(fault.to_string().contains("Pascal"), "{fault}");
    }
    let number = Value::Real(Graph::integer(1));
    assert!(Distribution::named("Pascal", &number).expect("a number").is_none());
    let poisson = Distribution::named("Poisson", &number).expect("a number").expect("a family");
    assert_eq!(poisson.family().name(), "Poisson");
    assert!(Distribution::named("Normal", &number).is_err(), "a pair is expected");
    // a program that is none
    assert!(typed("return 1").1.to_string().contains('P'));
}
