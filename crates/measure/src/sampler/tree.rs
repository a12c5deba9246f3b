//! A program that samples as a tree: draws and guards at its nodes, compiled to plain `f64` when they are first met.
//!
//! The tree is unfolded by the oracle that [follows paths](crate::measure::draws): where a run met new guards they become a chain of nodes,
//! with what the other answers lead to left for later. A run is then a walk from the root, and costs what its guards, draws and densities do.

use super::SamplerFault;
use crate::function::Function;
use crate::measure::Fault;
use crate::measure::distribution::{Demand, Distribution, Family, Kind, add, multiply, subtract};
use crate::measure::draws::{Draw, Path};
use crate::measure::support::{Found, Walk};
use crate::model::answer::MeaningError;
use crate::model::{InterpretError, Unsupported};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::Test;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::map::{Map, untyped::Untyped};
use crate::smooth::tape::{Tape, TapeError};
use crate::syntax::term::Term;
use crate::value::ValueError;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most draws of a run.
const MOST_DRAWS: usize = 500;
/// The most nodes of a tree.
const MOST_NODES: usize = 100_000;

/// A draw of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    family: &'static dyn Family,
    number: f64,
    pivot: f64,
    scale: f64,
}

impl Drawn {
    fn is_real(&self) -> bool {
        self.family.kind() == Kind::Real
    }
}

/// A run: its draws, and what it came to.
#[derive(Clone, Debug)]
pub struct State {
    draws: Vec<Drawn>,
    leaf: usize,
    /// The logarithm of the density of its draws.
    prior: f64,
    /// The logarithm of the product of its scores.
    pub weight: f64,
    /// What is asked of its value.
    pub value: f64,
}

impl State {
    /// The logarithm of the density of the run, with its scores.
    #[must_use]
    pub fn density(&self) -> f64 {
        let sum = self.prior + self.weight;
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }

    /// The real draws.
    pub fn reals(&self) -> impl Iterator<Item = f64> + '_ {
        self.draws.iter().filter(|draw| draw.is_real()).map(|draw| draw.number)
    }

    fn nth(&self, index: usize) -> Option<&Drawn> {
        self.draws.iter().filter(|draw| draw.is_real()).nth(index)
    }

    /// A real draw.
    #[must_use]
    pub fn real(&self, index: usize) -> f64 {
        self.nth(index).map_or(0.0, |draw| draw.number)
    }

    /// What a scaling of a real draw leaves where it is.
    #[must_use]
    pub fn pivot(&self, index: usize) -> f64 {
        self.nth(index).map_or(0.0, |draw| draw.pivot)
    }

    /// How wide its distribution is, about.
    #[must_use]
    pub fn scale(&self, index: usize) -> f64 {
        self.nth(index).map_or(1.0, |draw| draw.scale)
    }
}

enum Node {
    /// Not unfolded yet.
    Open(Path),
    Guard {
        number: Tape,
        test: Test,
        /// Where it holds, and where it fails.
        next: [usize; 2],
    },
    Draw {
        /// The parameters, and behind them the numbers that have to pass the tests of the demands.
        parameters: Tape,
        demands: Vec<Demand>,
        path: Path,
        distribution: Distribution,
        /// By the number drawn; of a real draw there is one.
        next: FxHashMap<u64, usize>,
    },
    Leaf(Box<Leaf>),
    /// A run that has no value.
    Nothing(String),
    /// A run in which something is seen of what is no distribution.
    Refused(Fault),
}

struct Leaf {
    /// The logarithms of the density of the draws and of the weight, and the value.
    all: Tape,
    /// The logarithm of the density with the weight.
    density: Tape,
    signs: Tape,
}

/// The tree of a program.
pub struct Tree<'a> {
    walk: Walk<'a>,
    budget: &'a Budget,
    nodes: Vec<Node>,
}

impl std::fmt::Debug for Tree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<'a> Tree<'a> {
    /// The tree of a program of type `P A`, with a function `A -> Real` of its values.
    ///
    /// # Errors
    /// What the model of programs in pieces lacks.
    pub fn new(program: &Term, of: &Term, budget: &'a Arc<Budget>) -> Result<Self, SamplerFault> {
        let walk = Walk::new(program, Some(of), budget)?.plain();
        Ok(Self { walk, budget, nodes: vec![Node::Open(Path::default())] })
    }

    /// A run of the program.
    ///
    /// # Errors
    /// [`SamplerFault`]
    pub fn drawn(&mut self, random: &mut Random) -> Result<State, SamplerFault> {
        match self.follow(&[], Some(random))? {
            Some(state) => Ok(state),
            None => Err(SamplerFault::TooLong { most: MOST_DRAWS }),
        }
    }

    /// The same run with other real draws; nothing where it would draw otherwise.
    ///
    /// # Errors
    /// [`SamplerFault`]
    pub fn at(&mut self, state: &State, reals: &[f64]) -> Result<Option<State>, SamplerFault> {
        let mut draws = state.draws.clone();
        draws.iter_mut().filter(|draw| draw.is_real()).zip(reals).for_each(|(draw, x)| draw.number = *x);
        if draws.iter().any(|draw| !draw.number.is_finite()) {
            return Ok(None);
        }
        self.follow(&draws, None)
    }

    /// The slopes of the logarithm of the density in the real draws.
    pub fn gradient(&mut self, state: &State, gradient: &mut [f64]) {
        let reals: Vec<f64> = state.reals().collect();
        if let Node::Leaf(leaf) = &mut self.nodes[state.leaf] {
            leaf.density.gradient(&reals, gradient);
        }
    }

    /// A walk from the root, along draws that are given; where they end, along new ones if there are any.
    fn follow(&mut self, given: &[Drawn], mut random: Option<&mut Random>) -> Result<Option<State>, SamplerFault> {
        let (mut draws, mut reals, mut here): (Vec<Drawn>, Vec<f64>, usize) = (Vec::new(), Vec::new(), 0);
        let mut is_inside = true;
        loop {
            if matches!(self.nodes[here], Node::Open(_)) {
                self.unfold(here)?;
            }
            let count = self.nodes.len();
            match &mut self.nodes[here] {
                Node::Open(_) => return Ok(None),
                Node::Nothing(why) => return Err(SamplerFault::Undefined(why.clone())),
                // as with draws
                Node::Refused(_) if random.is_none() => return Ok(None),
                Node::Refused(Fault::Distribution { what, has_to_be, certain, nearby }) => {
                    let (what, has_to_be, certain, nearby) = (*what, *has_to_be, *certain, *nearby);
                    return Err(Fault::Distribution { what, has_to_be, certain, nearby }.into());
                }
                Node::Refused(fault) => return Err(SamplerFault::Undefined(fault.to_string())),
                Node::Guard { number, test, next } => {
                    let mut found = [0.0];
                    number.value(&reals, &mut found);
                    let holds = found[0].partial_cmp(&0.0).is_some_and(|sign| test.holds(sign));
                    here = next[usize::from(!holds)];
                }
                Node::Draw { parameters, demands, path, distribution, next } => {
                    let family = distribution.family();
                    let mut p = vec![0.0; parameters.outputs()];
                    parameters.value(&reals, &mut p);
                    let numbers = p.split_off(p.len() - demands.len());
                    let fails = |(demand, number): &(&Demand, f64)| {
                        !number.partial_cmp(&0.0).is_some_and(|sign| demand.test.holds(sign))
                    };
                    let failed = demands.iter().zip(numbers).find(fails).map(|(demand, _)| demand);
                    // where it is the given draws that make it so, they have no density
                    match (failed, &random) {
                        (Some(_), None) => return Ok(None),
                        (Some(Demand { what, has_to_be, .. }), Some(_)) => {
                            return Err(Fault::Distribution { what, has_to_be, certain: true, nearby: false }.into());
                        }
                        (None, _) if p.iter().all(|number| number.is_finite()) => {}
                        (None, None) => return Ok(None),
                        (None, Some(_)) => {
                            let why = "a parameter of a distribution is beyond the numbers of double precision";
                            return Err(SamplerFault::Undefined(why.to_owned()));
                        }
                    }
                    let number = match (given.get(draws.len()), &mut random) {
                        (Some(draw), _) if draw.family == family => draw.number,
                        (None, Some(random)) if draws.len() < MOST_DRAWS => family.draw(&p, random),
                        _ => return Ok(None),
                    };
                    let draw = Drawn { family, number, pivot: family.pivot(&p), scale: family.scale(&p) };
                    is_inside &= family.is_inside(&p, number);
                    draws.push(draw);
                    if draw.is_real() {
                        reals.push(number);
                    }
                    let key = if draw.is_real() { 0 } else { number as u64 };
                    if let Some(found) = next.get(&key) {
                        here = *found;
                        continue;
                    }
                    if count >= MOST_NODES {
                        return Err(SamplerFault::TooLarge { most: MOST_NODES });
                    }
                    next.insert(key, count);
                    let (mut path, distribution) = (path.clone(), distribution.clone());
                    path.draws.push(match family.kind() {
                        Kind::Truth => Draw::Truth(key == 1, distribution.truth(key == 1)),
                        Kind::Natural(_) => Draw::Natural(key, distribution.natural(key)),
                        Kind::Real => Draw::Real(self.walk.coordinate(&path, &distribution)),
                    });
                    self.nodes.push(Node::Open(path));
                    here = count;
                }
                Node::Leaf(leaf) => {
                    if draws.len() < given.len() {
                        return Ok(None);
                    }
                    let mut found = [0.0; 3];
                    leaf.all.value(&reals, &mut found);
                    let mut signs = vec![0.0; leaf.signs.outputs()];
                    leaf.signs.value(&reals, &mut signs);
                    if is_inside && signs.iter().any(|score| *score < 0.0) {
                        return Err(SamplerFault::NegativeScore);
                    }
                    let [prior, weight, value] = found;
                    // the densities of draws say nothing of where they can be
                    let prior = if is_inside { prior } else { f64::NEG_INFINITY };
                    let weight = if signs.contains(&0.0) || weight.is_nan() { f64::NEG_INFINITY } else { weight };
                    return Ok(Some(State { draws, leaf: here, prior, weight, value }));
                }
            }
        }
    }

    /// Runs the program along a path, and puts what it met in the place of a node.
    fn unfold(&mut self, here: usize) -> Result<(), SamplerFault> {
        let Node::Open(path) = &mut self.nodes[here] else { return Ok(()) };
        let path = std::mem::take(path);
        if path.draws.len() >= MOST_DRAWS {
            return Err(SamplerFault::TooLong { most: MOST_DRAWS });
        }
        let known = path.decided.len();
        let (found, walked, others) = self.walk.run(path);
        let variables: Vec<Variable> = walked.coordinates().map(|x| x.variable).collect();
        let end = match found {
            Ok(Found::Wants(distribution)) => {
                let (mut parameters, demands) = (distribution.parameters().to_vec(), distribution.demands());
                parameters.extend(demands.iter().map(|demand| demand.graph.clone()));
                let parameters = tape(&variables, &parameters)?;
                let (path, next) = (walked.clone(), FxHashMap::default());
                Node::Draw { parameters, demands, path, distribution, next }
            }
            Ok(Found::Refused(fault)) => Node::Refused(fault),
            Ok(Found::Gives(given)) => {
                Node::Leaf(Box::new(Leaf::new(&walked, &given.scores, &given.image, &variables)?))
            }
            Err(ValueError::Undefined(found)) if found.certain => Node::Nothing(self.walk.named(&found).to_string()),
            Err(ValueError::Undefined(_)) if self.budget.is_exhausted() => return Err(SamplerFault::Time),
            Err(ValueError::Undefined(found)) => return Err(SamplerFault::Unfinished(found.to_string())),
            Err(ValueError::Lacks { model, construct }) => {
                let error = MeaningError::from(InterpretError::from(Unsupported { model, construct }));
                return Err(Fault::from(error).into());
            }
            Err(error) => return Err(Fault::from(MeaningError::from(error)).into()),
        };
        let mut here = here;
        for (decided, other) in walked.decided[known..].iter().zip(others) {
            let number = tape(&variables, std::slice::from_ref(&decided.guard.graph))?;
            let next = [self.nodes.len(), self.nodes.len() + 1];
            self.nodes.extend([Node::Open(Path::default()), Node::Open(other)]);
            self.nodes[here] = Node::Guard { number, test: decided.guard.test, next };
            here = next[0];
        }
        self.nodes[here] = end;
        if self.nodes.len() > MOST_NODES {
            return Err(SamplerFault::TooLarge { most: MOST_NODES });
        }
        Ok(())
    }
}

impl Leaf {
    fn new(path: &Path, scores: &[Graph], value: &[Graph], variables: &[Variable]) -> Result<Self, SamplerFault> {
        let of = |draw: &Draw| match draw {
            Draw::Real(x) => logarithm(&x.distribution.density(&Graph::variable(x.variable))),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => logarithm(chance),
            Draw::Tail(..) => Graph::integer(0),
        };
        let sum = |terms: Vec<Graph>| terms.iter().fold(Graph::integer(0), |sum, term| add(&sum, term));
        let prior = sum(path.draws.iter().map(of).collect());
        let weight = sum(scores.iter().map(logarithm).collect());
        let value = value.first().cloned().unwrap_or_else(|| Graph::integer(0));
        Ok(Self {
            density: tape(variables, &[add(&prior, &weight)])?,
            all: tape(variables, &[prior, weight, value])?,
            signs: tape(variables, scores)?,
        })
    }
}

fn tape(variables: &[Variable], graphs: &[Graph]) -> Result<Tape, SamplerFault> {
    let untyped = Untyped::of_graphs(variables, graphs);
    let untyped = untyped.map_err(|_| TapeError { construct: "a draw that is not on the path" })?;
    Ok(Map::hidden(untyped).tape()?)
}

/// The logarithm of a map where it is positive. Densities are products of exponentials, which would be 0 far out.
fn logarithm(g: &Graph) -> Graph {
    let of = |a: &Graph| crate::stack::deep(|| logarithm(a));
    match g.operation() {
        Operation::Rational(q) if **q == 1 => Graph::integer(0),
        Operation::Unary(Unary::Function(Function::Exp), a) => a.clone(),
        Operation::Binary(Binary::Multiply, a, b) if is_positive(a) || is_positive(b) => add(&of(a), &of(b)),
        Operation::Binary(Binary::Divide, a, b) if is_positive(a) || is_positive(b) => subtract(&of(a), &of(b)),
        // an even power is positive for what is not
        Operation::Power(a, e) if e.numerator % 2 != 0 => {
            multiply(&Graph::rational(Rational::from((e.numerator, e.denominator))), &of(a))
        }
        _ => Graph::function(Function::Log, g),
    }
}

/// Whether a map has the form of one that is positive.
fn is_positive(g: &Graph) -> bool {
    let of = |a: &Graph| crate::stack::deep(|| is_positive(a));
    match g.operation() {
        Operation::Rational(q) => **q > 0,
        Operation::Pi | Operation::Euler | Operation::Unary(Unary::Function(Function::Exp), _) => true,
        Operation::Power(a, e) => of(a) || e.denominator % 2 == 0,
        Operation::Binary(Binary::Multiply | Binary::Divide | Binary::Add, a, b) => of(a) && of(b),
        _ => false,
    }
}
