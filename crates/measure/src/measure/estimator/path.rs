//! Paths with other coordinates, and with parts held fixed.

use crate::measure::distribution::Distribution;
use crate::measure::draws::{Draw, ExecutionPath, TraceCoordinate};
use crate::measure::range::{enclose_rational, half_line, real_line};
use crate::smooth::graph::{Graph, Variable};

/// Draws as maps of others.
pub type DrawSubstitution = Vec<(Variable, Graph)>;

/// What of a path moves with the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDependence {
    /// The guard at a place among those that were decided.
    Guard(usize),
    /// The chance of the draw at a place.
    Probability(usize),
}

impl ExecutionPath {
    /// The same path with maps replaced: what is drawn from what, and what was decided.
    pub fn replace_maps(&self, of: &dyn Fn(Option<ParameterDependence>, &Graph) -> Graph) -> ExecutionPath {
        let draw = |(index, draw): (usize, &Draw)| {
            let chance = |graph: &Graph| of(Some(ParameterDependence::Probability(index)), graph);
            let from = |distribution: &Distribution| distribution.map(&|graph| of(None, graph));
            match draw {
                Draw::Real(x) => Draw::Real(TraceCoordinate { distribution: from(&x.distribution), ..x.clone() }),
                Draw::Natural(n, graph) => Draw::Natural(*n, chance(graph)),
                Draw::Truth(b, graph) => Draw::Truth(*b, chance(graph)),
                Draw::Tail(n, distribution, first) => Draw::Tail(
                    *n,
                    distribution.map(&|graph| of(Some(ParameterDependence::Probability(index)), graph)),
                    *first,
                ),
            }
        };
        let mut path = ExecutionPath { draws: self.draws.iter().enumerate().map(draw).collect(), ..self.clone() };
        for (index, decided) in path.decisions.iter_mut().enumerate() {
            decided.guard.graph = of(Some(ParameterDependence::Guard(index)), &decided.guard.graph);
        }
        path
    }

    /// The path with real draws that depend on a parameter written as maps of draws that do not: by location and scale. The draws, as
    /// maps of those; why not, where one has no such form.
    pub fn reparametrise_draws(&self, parameter: Variable) -> Result<(ExecutionPath, DrawSubstitution), &'static str> {
        let mut maps = DrawSubstitution::new();
        let mut path = self.clone();
        for draw in &mut path.draws {
            match draw {
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => *chance = chance.substitute(&maps),
                Draw::Tail(_, distribution, _) => *distribution = distribution.map(&|graph| graph.substitute(&maps)),
                Draw::Real(x) => {
                    x.distribution = x.distribution.map(&|graph| graph.substitute(&maps));
                    if let Some((fresh, map)) = standardise_draw(x, parameter)? {
                        maps.push((x.variable, map));
                        *x = fresh;
                    }
                }
            }
        }
        for decided in &mut path.decisions {
            decided.guard.graph = decided.guard.graph.substitute(&maps);
        }
        Ok((path, maps))
    }
}

/// A draw as a map of one from a distribution without the parameter; nothing where it is one already.
fn standardise_draw(
    x: &TraceCoordinate,
    parameter: Variable,
) -> Result<Option<(TraceCoordinate, Graph)>, &'static str> {
    let moves: Vec<bool> = x.distribution.parameters().iter().map(|graph| graph.depends_on(parameter)).collect();
    let shapes = x.distribution.family().shapes();
    if let Some(reason) = moves.iter().zip(shapes).find_map(|(moves, reason)| reason.filter(|_| *moves)) {
        return Err(reason);
    }
    if !moves.contains(&true) {
        return Ok(None);
    }
    let variable = Variable::fresh();
    let (distribution, map) = x.distribution.standard(&Graph::variable(variable));
    // its ends are numbers
    let end = |end: &Option<Graph>| end.as_ref().and_then(Graph::as_rational).map(enclose_rational);
    let range = match distribution.ends().each_ref().map(end) {
        [Some(a), Some(b)] => a.hull(&b),
        [Some(_), None] => half_line(),
        _ => real_line(),
    };
    Ok(Some((TraceCoordinate { variable, distribution, range }, map)))
}
