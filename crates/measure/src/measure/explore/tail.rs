//! Tails: waiting paths continued with natural numbers as variables; and the range of the function of the values.

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

/// The greatest number of runs for one tail, and for the range of a function. A choice.
const MOST_RUNS: usize = 64;
/// The greatest number of values of a type to try one by one. A choice: each costs several runs.
const MOST_VALUES: usize = 16;

impl Explorer<'_> {
    /// Returns the waiting tails of natural numbers as ended paths, and an upper bound on the probability of all other
    /// waiting paths.
    ///
    /// # Errors
    /// [`Fault::Distribution`] if a constraint on such a path certainly fails.
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
            // a tail without ended paths counts by its probability alone
            match followed {
                Some(ended) => found.extend(ended),
                None => rest = rest + next.chance,
            }
        }
        // the exploration itself is unchanged, and may go on
        self.waiting = waiting.into();
        Ok((found, rest))
    }

    /// Follows all continuations of a path. Returns `None` if they do not end within [`MOST_RUNS`] runs, or if one is
    /// not decided.
    fn beyond(&mut self, path: Path, chance: Magnitude) -> Result<Option<Vec<Ended>>, Fault> {
        let certainly = |fault: &Fault| matches!(fault, Fault::Distribution { certain: true, .. });
        let (mut waiting, mut ended) = (vec![path], Vec::new());
        for _ in 0..MOST_RUNS {
            let Some(path) = waiting.pop() else { return Ok(Some(ended)) };
            let (found, mut path, others) = self.run(path);
            waiting.extend(others);
            let Ok(found) = found else { return Ok(None) };
            match found {
                // an unproved constraint leaves the tail to its probability; a violated one is an error of the program
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
                            // another tail, as no bound on the probability of each number is wanted here
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

    /// Encloses the range of the function of the values over all values of its domain. Returns ℝ if nothing is known.
    pub fn asked(&mut self) -> Enclosure {
        // without a function there is no range to know
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
                // every run must be covered: a hull of some of them would be no enclosure
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

    /// Returns `true` if a map is shown to have no negative values on a path with tails.
    pub fn is_never_negative(&self, path: &Path, graph: &Graph) -> bool {
        self.universe.0.oracle().decided(path, &path.decided, graph, Test::NonNegative) == Some(true)
    }
}

/// Returns values that cover a type, with variables for numbers, and adds their draws. Returns `None` if there are more
/// than [`MOST_VALUES`] values.
fn any(ty: &Ty, draws: &mut Vec<Draw>) -> Option<Vec<Value<Graph>>> {
    Some(match ty.kind() {
        TyKind::Real => {
            // the distribution is a placeholder: only the range ℝ of the variable is used
            let one = Graph::integer(1);
            let distribution = Distribution::normal(Graph::integer(0), one);
            let x = Coordinate { variable: Variable::fresh(), distribution, range: line() };
            let value = Value::Real(Graph::variable(x.variable));
            draws.push(Draw::Real(x));
            vec![value]
        }
        TyKind::Nat => {
            let n = Variable::fresh();
            // again a placeholder, for the range [0, ∞)
            draws.push(Draw::Tail(n, Distribution::poisson(Graph::integer(1)), Span::from(0)));
            vec![count(Graph::variable(n))]
        }
        TyKind::Bool => vec![Value::truth(true), Value::truth(false)],
        TyKind::Unit => vec![Value::Unit],
        TyKind::Tuple(parts) => {
            let mut found = vec![Vec::new()];
            // the product of the values of the parts
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
