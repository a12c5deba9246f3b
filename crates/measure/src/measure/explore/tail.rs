//! Tails: waiting paths continued with natural numbers as variables; and the range of the function of the values.

use super::{EndedPath, PathExplorer, RunEnd, WaitingPath};
use crate::meaning::pap::count::count_value;
use crate::measure::MeasureError;
use crate::measure::demand::check_constraints;
use crate::measure::distribution::{Distribution, Kind};
use crate::measure::draws::{Draw, ExecutionPath, NaturalRange, TraceCoordinate};
use crate::measure::range::{enclose_range, real_line};
use crate::number::{Enclosure, Magnitude};
use crate::pieces::SignTest;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;

/// The greatest number of runs for one tail, and for the range of a function. A choice.
const MAX_TAIL_RUNS: usize = 64;
/// The greatest number of values of a type to try one by one. A choice: each costs several runs.
const MAX_TYPE_VALUES: usize = 16;

impl PathExplorer<'_> {
    /// Returns the waiting tails of natural numbers as ended paths, and an upper bound on the probability of all other
    /// waiting paths.
    ///
    /// # Errors
    /// [`MeasureError::ParameterConstraint`] if a constraint on such a path certainly fails.
    pub fn collect_tails(&mut self) -> Result<(Vec<EndedPath>, Magnitude), MeasureError> {
        let waiting: Vec<WaitingPath> = std::mem::take(&mut self.waiting_count).into_vec();
        let (mut found, mut rest) = (Vec::new(), Magnitude::ZERO);
        for next in &waiting {
            let followed = match &next.naturals {
                Some((distribution, span, _)) => {
                    let mut path = next.path.clone();
                    path.draws.push(Draw::Tail(Variable::fresh(), distribution.clone(), *span));
                    self.follow_to_ends(path, next.probability_bound)?
                }
                None => None,
            };
            // a tail without ended paths counts by its probability alone
            match followed {
                Some(ended) => found.extend(ended),
                None => rest = rest + next.probability_bound,
            }
        }
        // the exploration itself is unchanged, and may go on
        self.waiting_count = waiting.into();
        Ok((found, rest))
    }

    /// Follows all continuations of a path. Returns `None` if they do not end within [`MAX_TAIL_RUNS`] runs, or if one is
    /// not decided.
    fn follow_to_ends(
        &mut self,
        path: ExecutionPath,
        chance: Magnitude,
    ) -> Result<Option<Vec<EndedPath>>, MeasureError> {
        let certainly = |fault: &MeasureError| matches!(fault, MeasureError::ParameterConstraint { certain: true, .. });
        let (mut waiting, mut ended) = (vec![path], Vec::new());
        for _ in 0..MAX_TAIL_RUNS {
            let Some(path) = waiting.pop() else { return Ok(Some(ended)) };
            let (found, mut path, others) = self.run_path(path);
            waiting.extend(others);
            let Ok(found) = found else { return Ok(None) };
            match found {
                // an unproved constraint leaves the tail to its probability; a violated one is an error of the program
                RunEnd::Refused(fault) if certainly(&fault) => return Err(fault),
                RunEnd::Refused(_) => return Ok(None),
                RunEnd::Returns(scores, value) => {
                    ended.push(EndedPath { path, scores, value, probability_bound: chance })
                }
                RunEnd::NeedsDraw(distribution) => {
                    match check_constraints(self.universe.0.oracle(), &path, &distribution) {
                        Ok(()) => {}
                        Err(fault) if certainly(&fault) => return Err(fault),
                        Err(_) => return Ok(None),
                    }
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.universe.0.oracle().new_coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Natural(first) => {
                            // another tail, as no bound on the probability of each number is wanted here
                            path.draws.push(Draw::Tail(Variable::fresh(), distribution, NaturalRange::from(first)))
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
    pub fn enclose_mean_function(&mut self) -> Enclosure {
        // without a function there is no range to know
        let Some(of) = self.model.mean_of else { return real_line() };
        let domain = match of.ty().kind() {
            TyKind::Function(domain, _) => domain.clone(),
            _ => return real_line(),
        };
        let mut draws = Vec::new();
        let Some(values) = covering_values(&domain, &mut draws) else { return real_line() };
        let mut hull: Option<Enclosure> = None;
        for value in values {
            let mut waiting = vec![ExecutionPath { draws: draws.clone(), decisions: Vec::new() }];
            for run in 0.. {
                let Some(path) = waiting.pop() else { break };
                // every run must be covered: a hull of some of them would be no enclosure
                let Some(function) = self.of.as_ref().filter(|_| run < MAX_TAIL_RUNS) else { return real_line() };
                self.universe.0.oracle().begin_run(path);
                self.universe.0.begin_run();
                let found = function.as_function().and_then(|f| f.apply(&value)).and_then(|v| Ok(v.as_real()?.clone()));
                let (path, others) = self.universe.0.oracle().end_run();
                waiting.extend(others);
                let found = match found {
                    Ok(graph) => enclose_range(&graph, &path.coordinate_ranges(self.parameter), &self.budget),
                    Err(_) => return real_line(),
                };
                if !found.is_defined() {
                    return real_line();
                }
                hull = Some(hull.map_or_else(|| found.clone(), |hull| hull.hull(&found)));
            }
        }
        hull.unwrap_or_else(real_line)
    }

    /// Returns `true` if a map is shown to have no negative values on a path with tails.
    pub fn is_never_negative(&self, path: &ExecutionPath, graph: &Graph) -> bool {
        self.universe.0.oracle().decide_on_path(path, &path.decisions, graph, SignTest::NonNegative) == Some(true)
    }
}

/// Returns values that cover a type, with variables for numbers, and adds their draws. Returns `None` if there are more
/// than [`MAX_TYPE_VALUES`] values.
fn covering_values(ty: &Ty, draws: &mut Vec<Draw>) -> Option<Vec<Value<Graph>>> {
    Some(match ty.kind() {
        TyKind::Real => {
            // the distribution is a placeholder: only the range ℝ of the variable is used
            let one = Graph::integer(1);
            let distribution = Distribution::normal(Graph::integer(0), one);
            let x = TraceCoordinate { variable: Variable::fresh(), distribution, range: real_line() };
            let value = Value::Real(Graph::variable(x.variable));
            draws.push(Draw::Real(x));
            vec![value]
        }
        TyKind::Nat => {
            let n = Variable::fresh();
            // again a placeholder, for the range [0, ∞)
            draws.push(Draw::Tail(n, Distribution::poisson(Graph::integer(1)), NaturalRange::from(0)));
            vec![count_value(Graph::variable(n))]
        }
        TyKind::Bool => vec![Value::from_bool(true), Value::from_bool(false)],
        TyKind::Unit => vec![Value::Unit],
        TyKind::Tuple(parts) => {
            let mut found = vec![Vec::new()];
            // the product of the values of the parts
            for part in parts.iter() {
                let values = covering_values(part, draws)?;
                found = found
                    .iter()
                    .flat_map(|before| values.iter().map(|value| [&before[..], std::slice::from_ref(value)].concat()))
                    .collect();
                if found.len() > MAX_TYPE_VALUES {
                    return None;
                }
            }
            found.into_iter().map(Value::tuple_of).collect()
        }
        _ => return None,
    })
}
