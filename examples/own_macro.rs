//! A macro and a relation of one's own: beside each number stands a bound of its slope.
//!
//! `cargo run --example own_macro`

use smoothish::glue::GlueError;
use smoothish::glue::claim::{CoordinateSpace, PlotClaim};
use smoothish::glue::lemma::{GluingSetup, fundamental_lemma};
use smoothish::glue::representation::{Representation, RepresentationFamily};
use smoothish::glue::rows::RowRules;
use smoothish::glue::trial::TheoremTestConfig;
use smoothish::meaning::taylor::functor::NumberRules;
use smoothish::presheaf::dynamic::Element;
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Graph, Unary};
use smoothish::value::ValueError;

const MACRO: &str = "
representation Slope = Real * Real
constant c = (c, 0)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[0], x[1] + y[1])
- x = (- x[0], x[1])
x * y = (x[0] * y[0], abs x[0] * y[1] + abs y[0] * x[1])
sin x = (sin x[0], x[1])
exp x = (exp x[0], exp x[0] * x[1])
";

#[derive(Debug)]
struct SlopeBound(RowRules);

impl Representation for SlopeBound {
    fn rules(&self) -> &dyn NumberRules {
        &self.0
    }
    fn coordinate(&self, stage: &CoordinateSpace, i: usize, _: &mut SplitMix64) -> Result<Element, ValueError> {
        let u = Graph::variable(stage.variables()[i]);
        Ok(Element::tuple_of([Element::Real(u), Element::Real(Graph::integer(1))]))
    }
    /// f is r₀, and |∂₁f| is at most r₁.
    fn claims(&self, f: &Graph, r: &Element, stage: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let (value, bound) = (r.as_pair()?.0.as_real()?.clone(), r.as_pair()?.1.as_real()?.clone());
        let slope = Graph::partial(stage.variables().to_vec(), f.clone(), stage.coordinate_plots().collect(), 0);
        Ok(vec![PlotClaim::Equal(f.clone(), value), PlotClaim::AtMost(Graph::unary(Unary::Abs, &slope), bound)])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let right = RowRules::read(MACRO)?;
    let wrong = right.with_rows("x * y = (x[0] * y[0], x[1] * y[1])")?;
    for (name, rules) in [("the macro", right), ("with another product", wrong)] {
        let setting = GluingSetup::of_representation(RepresentationFamily::fixed(SlopeBound(rules)));
        let outcome = fundamental_lemma(setting).run_test(&TheoremTestConfig::new(100, 1))?;
        match outcome.refutation {
            None => println!("{name}: holds of {} programs", outcome.survived),
            Some(refutation) => println!("{name}: refuted\n{refutation}"),
        }
    }
    Ok(())
}
