//! What is left of the paths, followed with natural numbers that are not fixed; and where a function of the values lies.

use super::{Ended, Explorer, Found, Waiting};
use crate::meaning::pap::count::count;
use crate::measure::Fault;
use crate::measure::demand::check;
use crate::measure::distribution::{Distribution, Kind};
use crate::measure::draws::{Coordinate, Draw, Path, Span};
use crate::measure::range::{line, range};
use crate::number::{Enclosure, Magnitude};
use crate::pieces::Test;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;

/// The most runs for the paths of one tail, and for where a function lies.
const MOST_RUNS: usize = 64;
/// The most values that a type may have, where they are tried one by one.
const MOST_VALUES: usize = 16;

impl Explorer<'_> {
    /// The tails of natural numbers that wait, each as paths that end; and at most the chance of all else that waits.
    ///
    /// # Errors
    /// [`Fault::Distribution`] where one of them certainly has a chance and no meaning.
    pub fn tails(&mut self) -> Result<(Vec<Ended>, Magnitude), Fault> {
        let waiting: Vec<Waiting> = std::mem::take(&mut self.waiting).into_vec();
        let (mut found, mut rest) = (Vec::new(), Magnitude::ZERO);
        for next in &waiting {
            let followed = match &next.naturals {
                Some((distribution, span, _)) => {
                    let mut path = next.path.clone();
                    path.draws.push(Draw::Tail(Variable::fresh(), distribution.clone(), *span));
                    self.beyond(path, next.chance)?
                }
                None => None,
            };
            match followed {
                Some(ended) => found.extend(ended),
                None => rest = rest + next.chance,
            }
        }
        self.waiting = waiting.into();
        Ok((found, rest))
    }

    /// All paths from here on, where they end soon.
    fn beyond(&mut self, path: Path, chance: Magnitude) -> Result<Option<Vec<Ended>>, Fault> {
        let certainly = |fault: &Fault| matches!(fault, Fault::Distribution { certain: true, .. });
        let (mut waiting, mut ended) = (vec![path], Vec::new());
        for _ in 0..MOST_RUNS {
            let Some(path) = waiting.pop() else { return Ok(Some(ended)) };
            let (found, mut path, others) = self.run(path);
            waiting.extend(others);
            let Ok(found) = found else { return Ok(None) };
            match found {
                Found::Refused(fault) if certainly(&fault) => return Err(fault),
                Found::Refused(_) => return Ok(None),
                Found::Gives(scores, value) => ended.push(Ended { path, scores, value, chance }),
                Found::Wants(distribution) => {
                    match check(self.universe.0.oracle(), &path, &distribution) {
                        Ok(()) => {}
                        Err(fault) if certainly(&fault) => return Err(fault),
                        Err(_) => return Ok(None),
                    }
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.universe.0.oracle().coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Natural(first) => {
                            path.draws.push(Draw::Tail(Variable::fresh(), distribution, Span::from(first)))
                        }
                        Kind::Truth => {
                            let mut other = path.clone();
                            other.draws.push(Draw::Truth(false, distribution.truth(false)));
                            waiting.push(other);
                            path.draws.push(Draw::Truth(true, distribution.truth(true)));
                        }
                    }
                    waiting.push(path);
                }
            }
        }
        Ok(None)
    }

    /// Where what is asked of the values lies, whatever these are: all real numbers, where nothing is known.
    pub fn asked(&mut self) -> Enclosure {
        let Some(of) = self.model.of else { return line() };
        let domain = match of.ty().kind() {
            TyKind::Function(domain, _) => domain.clone(),
            _ => return line(),
        };
        let mut draws = Vec::new();
        let Some(values) = any(&domain, &mut draws) else { return line() };
        let mut hull: Option<Enclosure> = None;
        for value in values {
            let mut waiting = vec![Path { draws: draws.clone(), decided: Vec::new() }];
            for run in 0.. {
                let Some(path) = waiting.pop() else { break };
                let Some(function) = self.of.as_ref().filter(|_| run < MOST_RUNS) else { return line() };
                self.universe.0.oracle().begin(path);
                self.universe.0.begin();
                let found = function.as_function().and_then(|f| f.apply(&value)).and_then(|v| Ok(v.as_real()?.clone()));
                let (path, others) = self.universe.0.oracle().end();
                waiting.extend(others);
                let found = match found {
                    Ok(graph) => range(&graph, &path.within(self.parameter), &self.budget),
                    Err(_) => return line(),
                };
                if !found.is_defined() {
                    return line();
                }
                hull = Some(hull.map_or_else(|| found.clone(), |hull| hull.hull(&found)));
            }
        }
        hull.unwrap_or_else(line)
    }

    /// Whether a map has no negative values on a path with tails.
    pub fn is_never_negative(&self, path: &Path, graph: &Graph) -> bool {
        self.universe.0.oracle().decided(path, &path.decided, graph, Test::NonNegative) == Some(true)
    }
}

/// Values that stand for all of a type; `None` for a type of which there are too many.
fn any(ty: &Ty, draws: &mut Vec<Draw>) -> Option<Vec<Value<Graph>>> {
    Some(match ty.kind() {
        TyKind::Real => {
            let one = Graph::integer(1);
            let distribution = Distribution::Normal(Graph::integer(0), one);
            let x = Coordinate { variable: Variable::fresh(), distribution, range: line() };
            let value = Value::Real(Graph::variable(x.variable));
            draws.push(Draw::Real(x));
            vec![value]
        }
        TyKind::Nat => {
            let n = Variable::fresh();
            draws.push(Draw::Tail(n, Distribution::Poisson(Graph::integer(1)), Span::from(0)));
            vec![count(Graph::variable(n))]
        }
        TyKind::Bool => vec![Value::truth(true), Value::truth(false)],
        TyKind::Unit => vec![Value::Unit],
        TyKind::Tuple(parts) => {
            let mut found = vec![Vec::new()];
            for part in parts.iter() {
                let values = any(part, draws)?;
                found = found
                    .iter()
                    .flat_map(|before| values.iter().map(|value| [&before[..], std::slice::from_ref(value)].concat()))
                    .collect();
                if found.len() > MOST_VALUES {
                    return None;
                }
            }
            found.into_iter().map(Value::tuple).collect()
        }
        _ => return None,
    })
}
