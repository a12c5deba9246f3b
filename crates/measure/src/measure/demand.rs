//! What parameters of distributions have to be, shown for all draws of a path or refuted by some.
//!
//! | what is shown | by |
//! |---|---|
//! | that it is so but for a set of chance 0 | where the draws lie, what was decided, the form of the map, the corners of a box in whose coordinates it is affine, the cells of the path |
//! | that it is not so with some chance | the same, on a path that has a chance; or a place inside of the path at which it is not so, and so around it |
//!
//! Where a derivative in the parameter of the program is wanted, it has to be so for all parameters nearby.

use super::Fault;
use super::distribution::{Demand, Distribution};
use super::draws::{Draw, Draws, Parameter, Path};
use super::integral::Leaf;
use super::slope::slope;
use super::support::distances;
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::pieces::{Decided, Test};
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// The most coordinates whose ends are tried.
const MOST_CORNERS: usize = 6;
/// The most places of a path that are tried.
const MOST_PLACES: usize = 128;

/// Refuses what is no distribution on a path that has a chance.
///
/// # Errors
/// [`Fault::Distribution`]: certain where it is none with some chance, and not where it is not shown to be one.
pub fn check(oracle: &Draws, path: &Path, distribution: &Distribution) -> Result<(), Fault> {
    for Demand { what, has_to_be, graph, test } in distribution.demands() {
        let found = passes(oracle, path, &graph, test);
        if found == Some(true) {
            continue;
        }
        let chance = has_chance(oracle, path);
        if chance == Some(false) {
            return Ok(());
        }
        let is_none = found == Some(false) || fails_here(oracle, path, &graph, test);
        let certain = is_none && chance == Some(true) || Places::of(oracle, path).refute(&graph, test);
        let nearby = !certain && oracle.parameter().is_some_and(|p| p.order > 0);
        return Err(Fault::Distribution { what, has_to_be, certain, nearby });
    }
    Ok(())
}

/// Refuses what is no distribution where something is seen of it, on the path of a run so far; the run takes note that it is one.
///
/// # Errors
/// [`Fault::Distribution`], as of a draw.
pub fn check_seen(oracle: &Draws, distribution: &Distribution) -> Result<(), Fault> {
    check(oracle, &oracle.so_far(), distribution)?;
    distribution.demands().into_iter().for_each(|Demand { graph, test, .. }| oracle.note(graph, test));
    Ok(())
}

/// Whether a map of the draws of a path passes a test, but for a set of chance 0; `Some(false)` where it fails on the whole path or on a part
/// that has a chance if the path has one, `None` where neither is known.
fn passes(oracle: &Draws, path: &Path, graph: &Graph, test: Test) -> Option<bool> {
    let decided = |graph: &Graph| oracle.decided(path, &path.decided, graph, test);
    let by_normal_form = || decided(&Normaliser::default().simplest(graph));
    let by_corners = || (at_corners(oracle, path, graph, test, 0) == Some(true)).then_some(true);
    decided(graph).or_else(by_normal_form).or_else(by_corners).or_else(|| on_cells(oracle, path, graph, test))
}

/// Whether a map in which nothing drawn occurs fails a test at the place of the parameter.
fn fails_here(oracle: &Draws, path: &Path, graph: &Graph, test: Test) -> bool {
    if path.draws.iter().filter_map(Draw::coordinate).any(|(v, _)| graph.depends_on(v)) {
        return false;
    }
    let at = oracle.parameter().map(|p| (p.variable, Graph::rational(p.at.clone())));
    let here = graph.substitute(&at.into_iter().collect::<Vec<_>>());
    sign(&here, oracle.budget()).is_ok_and(|sign| !test.holds(sign))
}

/// By the cells of the path. They say nothing of parameters nearby, unless the parameter occurs neither in the path nor in the map.
fn on_cells(oracle: &Draws, path: &Path, graph: &Graph, test: Test) -> Option<bool> {
    let occurs = |p: &Parameter| graph.depends_on(p.variable) || path.depends_on(p.variable);
    let parameter = oracle.parameter().filter(|p| p.order == 0 || occurs(p));
    if parameter.is_some_and(|p| p.order > 0) {
        return None;
    }
    let leaf = Leaf::shape(path, parameter, oracle.budget()).ok()??;
    leaf.fails(graph, test, path, parameter, oracle.budget()).map(|fails| !fails)
}

/// By the ends of where draws lie in which the map is affine: it is between its values there.
fn at_corners(oracle: &Draws, path: &Path, graph: &Graph, test: Test, depth: usize) -> Option<bool> {
    let mut forms = Normaliser::default();
    let simple = forms.simplest(graph);
    if depth > 0
        && let Some(found) = oracle.decided(path, &path.decided, &simple, test)
    {
        return Some(found);
    }
    if depth >= MOST_CORNERS {
        return None;
    }
    let mut is_affine = |v: Variable| {
        let bend = slope(&simple, v).and_then(|slope_once| slope(&slope_once, v));
        bend.is_none_or(|bend| forms.fraction(&bend).is_some_and(|form| form.is_zero()))
    };
    let ends = |[a, b]: [Option<Graph>; 2]| Some([a?.as_rational()?.clone(), b?.as_rational()?.clone()]);
    let mut boxed = path.coordinates().filter(|x| simple.depends_on(x.variable));
    let (v, ends) = boxed.find_map(|x| {
        let ends = ends(x.distribution.ends())?;
        is_affine(x.variable).then_some((x.variable, ends))
    })?;
    // between two numbers that are not negative, of which one is positive, all are positive
    let at = |end: &Rational, test: Test| {
        let there = simple.substitute(&[(v, Graph::rational(end.clone()))]);
        at_corners(oracle, path, &there, test, depth + 1) == Some(true)
    };
    let [a, b] = &ends;
    let holds = match test {
        Test::NonNegative => at(a, test) && at(b, test),
        Test::Positive => {
            let weak = Test::NonNegative;
            at(a, test) && at(b, weak) || at(a, weak) && at(b, test)
        }
        Test::Zero => false,
    };
    holds.then_some(true)
}

/// Whether a path is taken with some chance; `None` where that is not known.
fn has_chance(oracle: &Draws, path: &Path) -> Option<bool> {
    let mut all = Some(true);
    for draw in &path.draws {
        let (Draw::Natural(_, chance) | Draw::Truth(_, chance)) = draw else { continue };
        match oracle.decided(path, &path.decided, chance, Test::Positive) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    if path.decided.is_empty() {
        return all;
    }
    match Leaf::shape(path, oracle.parameter(), oracle.budget()) {
        Ok(None) => Some(false),
        Ok(Some(leaf)) if leaf.is_somewhere() => all,
        _ => None,
    }
}

/// Places inside of a path: around each of them there are draws of the path, with some chance.
struct Places<'a> {
    oracle: &'a Draws,
    path: &'a Path,
    places: Vec<Vec<(Variable, Graph)>>,
}

impl<'a> Places<'a> {
    /// Some places. Natural numbers that are not fixed are tried near the first of them, and further out.
    fn of(oracle: &'a Draws, path: &'a Path) -> Self {
        let parameter = oracle.parameter().map(|p| (p.variable, Graph::rational(p.at.clone())));
        let mut places: Vec<Vec<(Variable, Graph)>> = vec![parameter.into_iter().collect()];
        for draw in &path.draws {
            let x = match draw {
                Draw::Real(x) => x,
                Draw::Tail(n, _, span) => {
                    let with = |place: &Vec<(Variable, Graph)>| {
                        let at = |k: u64| [&place[..], &[(*n, Graph::rational(Rational::from(k)))]].concat();
                        span.some().into_iter().map(at).collect::<Vec<_>>()
                    };
                    places = places.iter().flat_map(with).take(MOST_PLACES).collect();
                    continue;
                }
                Draw::Natural(..) | Draw::Truth(..) => continue,
            };
            let longer = |place: &Vec<(Variable, Graph)>| {
                let at = |end: Option<Graph>| end.and_then(|end| near(&end.substitute(place), oracle));
                let [left, right] = x.distribution.ends().map(at);
                let bulk = x.distribution.bulk().map(|bulk| bulk.map(|graph| near(&graph.substitute(place), oracle)));
                let numbers = tried([left, right], bulk);
                let with = |q: Rational| [&place[..], &[(x.variable, Graph::rational(q))]].concat();
                numbers.into_iter().map(with).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(longer).take(MOST_PLACES).collect();
        }
        Self { oracle, path, places }
    }

    /// Whether a map fails a test around one of the places.
    fn refute(&self, graph: &Graph, test: Test) -> bool {
        let fails = |found: Ordering| match test {
            // around a zero it need not fail
            Test::Positive | Test::NonNegative => found == Ordering::Less,
            Test::Zero => found != Ordering::Equal,
        };
        self.places.iter().any(|place| self.sign(graph, place).is_some_and(fails) && self.is_inside(place))
    }

    fn sign(&self, graph: &Graph, place: &[(Variable, Graph)]) -> Option<Ordering> {
        sign(&graph.substitute(place), self.oracle.budget()).ok()
    }

    /// Whether a place lies inside of the path, where the discrete draws of it have a chance.
    fn is_inside(&self, place: &[(Variable, Graph)]) -> bool {
        let is_positive = |graph: &Graph| self.sign(graph, place) == Some(Ordering::Greater);
        let has_ends = self.path.coordinates().flat_map(|x| distances(&Graph::variable(x.variable), &x.distribution));
        let mut chances = self.path.draws.iter().filter_map(|draw| match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => Some(chance),
            Draw::Real(_) | Draw::Tail(..) => None,
        });
        let passes = |Decided { guard, holds, .. }: &Decided| {
            let found = self.sign(&guard.graph, place);
            found.is_some_and(|sign| sign != Ordering::Equal && guard.test.holds(sign) == *holds)
        };
        has_ends.map(|guard| guard.graph).all(|graph| is_positive(&graph))
            && chances.all(is_positive)
            && self.path.decided.iter().all(passes)
    }
}

/// A rational number near one, where it has a value.
fn near(graph: &Graph, oracle: &Draws) -> Option<Rational> {
    if let Some(q) = graph.as_rational() {
        return Some(q.clone());
    }
    let eps = Rational::from(1) >> 20;
    let found = graph.real().ok()?.enclose(&eps, oracle.budget()).ok()?.enclosure;
    found.is_defined().then(|| found.lo().to_rational()).flatten()
}

/// Numbers between two ends that may be missing: near the ends, in the middle, and further out.
fn tried([left, right]: [Option<Rational>; 2], bulk: Option<[Option<Rational>; 2]>) -> Vec<Rational> {
    match ([left, right], bulk) {
        ([Some(a), Some(b)], _) => {
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
