//! Constraints on the parameters of distributions, proved for all draws of a path or refuted for some.
//!
//! | statement | proof |
//! |---|---|
//! | the constraint holds up to a set of probability 0 | ranges of draws, decisions, the form of the map, corners of a box on which it is affine, cells of the path |
//! | the constraint fails with positive probability | the same, on a path of positive probability; or a sample inside of the path at which it fails, and so around it |
//!
//! If a derivative in the parameter of the program is wanted, a constraint must hold for all parameters nearby.

use super::MeasureError;
use super::distribution::{Demand, Distribution};
use super::draws::{Draw, ExecutionPath, Parameter, SymbolicExecution};
use super::integral::PathIntegral;
use super::range::is_constant_in;
use super::support::end_guards;
use crate::number::Rational;
use crate::pieces::function::decide_sign;
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use std::cmp::Ordering;

/// The greatest number of coordinates whose ends are tried. A choice: each doubles the corners.
const MAX_CORNER_AXES: usize = 6;
/// The greatest number of samples of a path. A choice.
const MAX_SAMPLES: usize = 128;

/// Checks the constraints of a distribution on a path. Paths of probability 0 satisfy all of them.
///
/// # Errors
/// [`MeasureError::ParameterConstraint`] if a constraint is not shown to hold; it is `certain` if it fails with positive probability.
pub fn check_constraints(
    oracle: &SymbolicExecution,
    path: &ExecutionPath,
    distribution: &Distribution,
) -> Result<(), MeasureError> {
    for Demand { what, has_to_be, graph, test } in distribution.demands() {
        let found = passes_on_path(oracle, path, &graph, test);
        if found == Some(true) {
            continue;
        }
        // a path of probability 0 is never taken, so that its distributions do not matter
        let chance = has_positive_probability(oracle, path);
        if chance == Some(false) {
            return Ok(());
        }
        let is_none = found == Some(false) || fails_at_parameter(oracle, path, &graph, test);
        let certain =
            is_none && chance == Some(true) || PathSamples::sample_path(oracle, path).refutes_test(&graph, test);
        // for a derivative the constraint may hold at the parameter itself and still be unproved nearby
        let nearby = !certain && oracle.parameter().is_some_and(|p| p.order > 0);
        return Err(MeasureError::ParameterConstraint { what, has_to_be, certain, nearby });
    }
    Ok(())
}

/// Checks the constraints of an observed distribution, on the path of the run so far. The run records those that hold.
///
/// # Errors
/// [`MeasureError::ParameterConstraint`], as in [`check_constraints`].
pub fn check_observation(oracle: &SymbolicExecution, distribution: &Distribution) -> Result<(), MeasureError> {
    check_constraints(oracle, &oracle.path_so_far(), distribution)?;
    distribution.demands().into_iter().for_each(|Demand { graph, test, .. }| oracle.record_test(graph, test));
    Ok(())
}

/// Decides whether a map passes a test on a path, up to a set of probability 0.
///
/// Returns `Some(false)` if it fails on the whole path, or on a part that has positive probability if the path has.
/// Returns `None` if neither is known.
fn passes_on_path(oracle: &SymbolicExecution, path: &ExecutionPath, graph: &Graph, test: SignTest) -> Option<bool> {
    let decided = |graph: &Graph| oracle.decide_on_path(path, &path.decisions, graph, test);
    let by_normal_form = || decided(&RationalNormalForm::default().simplify_graph(graph));
    let by_corners = || (passes_at_corners(oracle, path, graph, test, 0) == Some(true)).then_some(true);
    decided(graph).or_else(by_normal_form).or_else(by_corners).or_else(|| passes_on_cells(oracle, path, graph, test))
}

/// Returns `true` if a map without draws fails a test at the value of the parameter.
fn fails_at_parameter(oracle: &SymbolicExecution, path: &ExecutionPath, graph: &Graph, test: SignTest) -> bool {
    if path.draws.iter().filter_map(Draw::coordinate).any(|(v, _)| graph.depends_on(v)) {
        return false;
    }
    let at = oracle.parameter().map(|p| (p.variable, Graph::rational(p.value.clone())));
    let here = graph.substitute(&at.into_iter().collect::<Vec<_>>());
    decide_sign(&here, oracle.budget()).is_ok_and(|sign| !test.is_satisfied_by(sign))
}

/// Decides a test by the cells of the path. Returns `None` for a derivative in a parameter on which the path or the map
/// depends, since cells say nothing of parameters nearby.
fn passes_on_cells(oracle: &SymbolicExecution, path: &ExecutionPath, graph: &Graph, test: SignTest) -> Option<bool> {
    let occurs = |p: &Parameter| graph.depends_on(p.variable) || path.depends_on(p.variable);
    let parameter = oracle.parameter().filter(|p| p.order == 0 || occurs(p));
    if parameter.is_some_and(|p| p.order > 0) {
        return None;
    }
    let leaf = PathIntegral::of_guards(path, parameter, oracle.budget()).ok()??;
    leaf.test_fails(graph, test, path, parameter, oracle.budget()).map(|fails| !fails)
}

/// Proves a test by the ends of draws in which the map is affine, since its values lie between those at the ends.
fn passes_at_corners(
    oracle: &SymbolicExecution,
    path: &ExecutionPath,
    graph: &Graph,
    test: SignTest,
    depth: usize,
) -> Option<bool> {
    let mut forms = RationalNormalForm::default();
    let simple = forms.simplify_graph(graph);
    if depth > 0
        && let Some(found) = oracle.decide_on_path(path, &path.decisions, &simple, test)
    {
        return Some(found);
    }
    if depth >= MAX_CORNER_AXES {
        return None;
    }
    let ranges = path.coordinate_ranges(oracle.parameter());
    let mut is_affine = |v: Variable| is_constant_in(&simple.slope(v), v, &ranges, &mut forms, oracle.budget());
    // both ends must be numbers, and the second derivative 0
    let ends = |[a, b]: [Option<Graph>; 2]| Some([a?.as_rational()?.clone(), b?.as_rational()?.clone()]);
    let mut boxed = path.coordinates().filter(|x| simple.depends_on(x.variable));
    let (v, ends) = boxed.find_map(|x| {
        let ends = ends(x.distribution.ends())?;
        is_affine(x.variable).then_some((x.variable, ends))
    })?;
    // between two nonnegative numbers, one of them positive, an affine map is positive in the interior
    let at = |end: &Rational, test: SignTest| {
        let there = simple.substitute(&[(v, Graph::rational(end.clone()))]);
        passes_at_corners(oracle, path, &there, test, depth + 1) == Some(true)
    };
    let [a, b] = &ends;
    let holds = match test {
        SignTest::NonNegative => at(a, test) && at(b, test),
        SignTest::Positive => {
            let weak = SignTest::NonNegative;
            at(a, test) && at(b, weak) || at(a, weak) && at(b, test)
        }
        SignTest::Zero => false,
    };
    holds.then_some(true)
}

/// Decides whether a path has positive probability. Returns `None` if that is unknown.
fn has_positive_probability(oracle: &SymbolicExecution, path: &ExecutionPath) -> Option<bool> {
    let mut all = Some(true);
    for draw in &path.draws {
        let (Draw::Natural(_, chance) | Draw::Truth(_, chance)) = draw else { continue };
        match oracle.decide_on_path(path, &path.decisions, chance, SignTest::Positive) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    // without guards the probabilities of the discrete draws decide
    if path.decisions.is_empty() {
        return all;
    }
    // an open cell inside of the supports has positive probability
    match PathIntegral::of_guards(path, oracle.parameter(), oracle.budget()) {
        Ok(None) => Some(false),
        Ok(Some(leaf)) if leaf.has_cells() => all,
        _ => None,
    }
}

/// Samples in the interior of a path: each has a neighbourhood of positive probability.
struct PathSamples<'a> {
    oracle: &'a SymbolicExecution,
    path: &'a ExecutionPath,
    samples: Vec<Vec<(Variable, Graph)>>,
}

impl<'a> PathSamples<'a> {
    /// Makes samples. Tail variables take numbers near the least one, and larger ones.
    fn sample_path(oracle: &'a SymbolicExecution, path: &'a ExecutionPath) -> Self {
        let parameter = oracle.parameter().map(|p| (p.variable, Graph::rational(p.value.clone())));
        let mut samples: Vec<Vec<(Variable, Graph)>> = vec![parameter.into_iter().collect()];
        for draw in &path.draws {
            let x = match draw {
                Draw::Real(x) => x,
                Draw::Tail(n, _, span) => {
                    let with = |place: &Vec<(Variable, Graph)>| {
                        let at = |k: u64| [&place[..], &[(*n, Graph::rational(Rational::from(k)))]].concat();
                        span.sample_numbers().into_iter().map(at).collect::<Vec<_>>()
                    };
                    samples = samples.iter().flat_map(with).take(MAX_SAMPLES).collect();
                    continue;
                }
                Draw::Natural(..) | Draw::Truth(..) => continue,
            };
            let longer = |place: &Vec<(Variable, Graph)>| {
                // ends and bulk may depend on earlier draws, which the sample has fixed
                let at = |end: Option<Graph>| end.and_then(|end| nearby_rational(&end.substitute(place), oracle));
                let [left, right] = x.distribution.ends().map(at);
                let bulk = x
                    .distribution
                    .bulk()
                    .map(|bulk| bulk.map(|graph| nearby_rational(&graph.substitute(place), oracle)));
                let numbers = sample_interval([left, right], bulk);
                let with = |q: Rational| [&place[..], &[(x.variable, Graph::rational(q))]].concat();
                numbers.into_iter().map(with).collect::<Vec<_>>()
            };
            samples = samples.iter().flat_map(longer).take(MAX_SAMPLES).collect();
        }
        Self { oracle, path, samples }
    }

    /// Returns `true` if a map fails a test around a sample.
    fn refutes_test(&self, graph: &Graph, test: SignTest) -> bool {
        let fails = |found: Ordering| match test {
            // a map that is 0 at the sample may pass around it
            SignTest::Positive | SignTest::NonNegative => found == Ordering::Less,
            SignTest::Zero => found != Ordering::Equal,
        };
        self.samples.iter().any(|place| self.sign_at(graph, place).is_some_and(fails) && self.is_inside(place))
    }

    /// Returns the sign of a map at a sample, if it is decided.
    fn sign_at(&self, graph: &Graph, place: &[(Variable, Graph)]) -> Option<Ordering> {
        decide_sign(&graph.substitute(place), self.oracle.budget()).ok()
    }

    /// Returns `true` if a sample lies in the interior of the path, and its discrete draws have positive probability
    /// there.
    fn is_inside(&self, place: &[(Variable, Graph)]) -> bool {
        let is_positive = |graph: &Graph| self.sign_at(graph, place) == Some(Ordering::Greater);
        let has_ends = self.path.coordinates().flat_map(|x| end_guards(&Graph::variable(x.variable), &x.distribution));
        let mut chances = self.path.draws.iter().filter_map(|draw| match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => Some(chance),
            Draw::Real(_) | Draw::Tail(..) => None,
        });
        // a guard that is 0 at the sample lies on a boundary, which has no neighbourhood in the path
        let passes = |GuardCondition { guard, holds, .. }: &GuardCondition| {
            let found = self.sign_at(&guard.graph, place);
            found.is_some_and(|sign| sign != Ordering::Equal && guard.test.is_satisfied_by(sign) == *holds)
        };
        has_ends.map(|guard| guard.graph).all(|graph| is_positive(&graph))
            && chances.all(is_positive)
            && self.path.decisions.iter().all(passes)
    }
}

/// Returns a rational near a number. Returns `None` if it is undefined.
fn nearby_rational(graph: &Graph, oracle: &SymbolicExecution) -> Option<Rational> {
    if let Some(q) = graph.as_rational() {
        return Some(q.clone());
    }
    let eps = Rational::from(1) >> 20;
    let found = graph.to_real().ok()?.enclose(&eps, oracle.budget()).ok()?.enclosure;
    found.is_defined().then(|| found.lo().to_rational()).flatten()
}

/// Returns samples between two ends: near them, in the middle, and further out. A missing end is infinite.
fn sample_interval([left, right]: [Option<Rational>; 2], bulk: Option<[Option<Rational>; 2]>) -> Vec<Rational> {
    match ([left, right], bulk) {
        ([Some(a), Some(b)], _) => {
            // odd multiples of 1/32 avoid the simple fractions at which guards tend to be 0
            let at = |k: u32| &a + Rational::from(&b - &a) * Rational::from((k, 32));
            [31, 1, 17].map(at).to_vec()
        }
        ([Some(a), None], Some([_, Some(scale)])) => {
            [(1, 32), (1, 1), (16, 1)].map(|q| &a + &scale * Rational::from(q)).to_vec()
        }
        ([None, None], Some([Some(middle), Some(scale)])) => {
            let at = |q: (i32, i32)| &middle + &scale * Rational::from(q);
            [(1, 7), (-15, 7), (15, 7), (-8, 1), (8, 1)].map(at).to_vec()
        }
        _ => Vec::new(),
    }
}
