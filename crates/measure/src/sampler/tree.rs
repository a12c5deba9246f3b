//! A program that samples as a tree: draws and guards at its nodes, compiled to plain `f64` when they are first met.
//!
//! The tree is unfolded by the oracle that [follows paths](crate::measure::draws): where a run met new guards they become a chain of nodes,
//! with what the other answers lead to left for later. A run is then a walk from the root, and costs what its guards, draws and densities do.

use super::SamplerError;
use super::user_move::{LeafMove, MoveShape};
use crate::function::Function;
use crate::measure::MeasureError;
use crate::measure::distribution::{Demand, Distribution, Family, Kind};
use crate::measure::draws::{Draw, ExecutionPath};
use crate::measure::support::{SupportWalk, WalkEnd, WalkedRun};
use crate::model::answer::SemanticsError;
use crate::model::{InterpretError, Unsupported};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::SignTest;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::smooth::tape::{Tape, TapeError};
use crate::syntax::term::Term;
use crate::value::ValueError;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most draws of a run.
const MAX_DRAWS: usize = 500;
/// The most nodes of a tree.
const MAX_TREE_NODES: usize = 100_000;

/// A draw of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SampledDraw {
    family: &'static dyn Family,
    number: f64,
    fixed_point: f64,
    scale: f64,
}

impl SampledDraw {
    fn is_real(&self) -> bool {
        self.family.kind() == Kind::Real
    }
}

/// A run: its draws, and what it came to.
#[derive(Clone, Debug)]
pub struct SampledRun {
    draws: Vec<SampledDraw>,
    /// The number of the node where it ends.
    pub(super) leaf: usize,
    /// The logarithm of the density of its draws.
    prior: f64,
    /// The logarithm of the product of its scores.
    pub weight: f64,
    /// The function of the program's value whose mean is estimated; 0 for a program with a move.
    pub value: f64,
}

impl SampledRun {
    /// The logarithm of the density of the run, with its scores.
    #[must_use]
    pub fn log_density(&self) -> f64 {
        let sum = self.prior + self.weight;
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }

    /// Returns the discrete draws by their positions, with `None` for real ones.
    pub(super) fn discrete_draws(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.draws.iter().map(|draw| (!draw.is_real()).then_some(draw.number))
    }

    /// The real draws.
    pub fn real_draws(&self) -> impl Iterator<Item = f64> + '_ {
        self.draws.iter().filter(|draw| draw.is_real()).map(|draw| draw.number)
    }

    fn nth_real(&self, index: usize) -> Option<&SampledDraw> {
        self.draws.iter().filter(|draw| draw.is_real()).nth(index)
    }

    /// A real draw.
    #[must_use]
    pub fn real_draw(&self, index: usize) -> f64 {
        self.nth_real(index).map_or(0.0, |draw| draw.number)
    }

    /// Returns the point that a scaling of a real draw keeps fixed; 0 if there is no such draw.
    #[must_use]
    pub fn fixed_point(&self, index: usize) -> f64 {
        self.nth_real(index).map_or(0.0, |draw| draw.fixed_point)
    }

    /// Returns the typical width of the distribution of a real draw; 1 if there is no such draw.
    #[must_use]
    pub fn draw_scale(&self, index: usize) -> f64 {
        self.nth_real(index).map_or(1.0, |draw| draw.scale)
    }
}

enum ExecutionNode {
    /// Not unfolded yet.
    Open(ExecutionPath),
    Guard {
        number: Tape,
        test: SignTest,
        /// The nodes after the guard: the first if it holds, the second if it fails.
        next: [usize; 2],
    },
    Draw {
        /// The parameters, and behind them the numbers that have to pass the tests of the demands.
        parameters: Tape,
        demands: Vec<Demand>,
        path: ExecutionPath,
        distribution: Distribution,
        /// By the number drawn; of a real draw there is one.
        next: FxHashMap<u64, usize>,
    },
    Leaf(Box<ExecutionLeaf>),
    /// A run that has no value.
    Undefined(String),
    /// A run in which something is seen of what is no distribution.
    InvalidObservation(MeasureError),
}

struct ExecutionLeaf {
    /// The logarithms of the density of the draws and of the weight, and the value.
    all: Tape,
    /// The logarithm of the density with the weight.
    density: Tape,
    signs: Tape,
    /// The move from here, for a program with one.
    involution: Option<LeafMove>,
}

/// The tree of a program.
pub struct ExecutionTree<'a> {
    walk: SupportWalk<'a>,
    budget: &'a Budget,
    nodes: Vec<ExecutionNode>,
    /// `true` if the map of the walk is a move, from values to values.
    has_move: bool,
}

impl std::fmt::Debug for ExecutionTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<'a> ExecutionTree<'a> {
    /// The tree of a program of type `P A`, with a function `A -> Real` of its values.
    ///
    /// # Errors
    /// [`SamplerError`] for a construct that the semantics of piecewise programs lacks.
    pub fn new(program: &Term, of: &Term, budget: &'a Arc<Budget>) -> Result<Self, SamplerError> {
        let walk = SupportWalk::new(program, Some(of), budget)?.without_slopes();
        Ok(Self { walk, budget, nodes: vec![ExecutionNode::Open(ExecutionPath::default())], has_move: false })
    }

    /// The tree of a program of type `P A`, with a move `A -> A` of its values.
    ///
    /// # Errors
    /// [`SamplerError`] for a construct that the semantics of piecewise programs lacks.
    pub fn with_move(program: &Term, involution: &Term, budget: &'a Arc<Budget>) -> Result<Self, SamplerError> {
        Ok(Self { has_move: true, ..Self::new(program, involution, budget)? })
    }

    /// A run of the program.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn draw_run(&mut self, random: &mut SplitMix64) -> Result<SampledRun, SamplerError> {
        match self.follow_draws(&[], Some(random))? {
            Some(state) => Ok(state),
            None => Err(SamplerError::TooLong { most: MAX_DRAWS }),
        }
    }

    /// Runs the program again with other real draws. Returns `None` if it would then draw from other distributions, or if a
    /// draw is not finite.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn rerun_with(&mut self, state: &SampledRun, reals: &[f64]) -> Result<Option<SampledRun>, SamplerError> {
        let mut draws = state.draws.clone();
        draws.iter_mut().filter(|draw| draw.is_real()).zip(reals).for_each(|(draw, x)| draw.number = *x);
        if draws.iter().any(|draw| !draw.number.is_finite()) {
            return Ok(None);
        }
        let found = self.follow_draws(&draws, None)?;
        // a run that ends before all draws are used is one of another kind
        Ok(found.filter(|run| run.draws.len() == draws.len()))
    }

    /// Follows the draws of a run, and draws those that come after. Returns `None` if the program draws from other distributions.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn extend_run(
        &mut self,
        run: &SampledRun,
        random: &mut SplitMix64,
    ) -> Result<Option<SampledRun>, SamplerError> {
        self.follow_draws(&run.draws, Some(random))
    }

    /// Follows the first draws of a run of a longer program. Returns `None` if the program draws from other distributions.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn shorten_run(&mut self, run: &SampledRun) -> Result<Option<SampledRun>, SamplerError> {
        self.follow_draws(&run.draws, None)
    }

    /// Returns the move from the end of a run; `None` if the program has none.
    pub(super) fn leaf_move(&mut self, run: &SampledRun) -> Option<&mut LeafMove> {
        match &mut self.nodes[run.leaf] {
            ExecutionNode::Leaf(leaf) => leaf.involution.as_mut(),
            _ => None,
        }
    }

    /// The slopes of the logarithm of the density in the real draws.
    pub fn log_density_gradient(&mut self, state: &SampledRun, gradient: &mut [f64]) {
        let reals: Vec<f64> = state.real_draws().collect();
        if let ExecutionNode::Leaf(leaf) = &mut self.nodes[state.leaf] {
            leaf.density.gradient(&reals, gradient);
        }
    }

    /// A walk from the root, along draws that are given; where they end, along new ones if there are any.
    fn follow_draws(
        &mut self,
        given: &[SampledDraw],
        mut random: Option<&mut SplitMix64>,
    ) -> Result<Option<SampledRun>, SamplerError> {
        let (mut draws, mut reals, mut here): (Vec<SampledDraw>, Vec<f64>, usize) = (Vec::new(), Vec::new(), 0);
        let mut is_inside = true;
        loop {
            if matches!(self.nodes[here], ExecutionNode::Open(_)) {
                self.unfold_node(here)?;
            }
            let count = self.nodes.len();
            match &mut self.nodes[here] {
                ExecutionNode::Open(_) => return Ok(None),
                // no run comes here
                ExecutionNode::Undefined(_) if !is_inside => return Ok(None),
                ExecutionNode::Undefined(why) => return Err(SamplerError::Undefined(why.clone())),
                // as with draws
                ExecutionNode::InvalidObservation(_) if random.is_none() => return Ok(None),
                ExecutionNode::InvalidObservation(MeasureError::ParameterConstraint {
                    what,
                    has_to_be,
                    certain,
                    nearby,
                }) => {
                    let (what, has_to_be, certain, nearby) = (*what, *has_to_be, *certain, *nearby);
                    return Err(MeasureError::ParameterConstraint { what, has_to_be, certain, nearby }.into());
                }
                ExecutionNode::InvalidObservation(fault) => return Err(SamplerError::Undefined(fault.to_string())),
                ExecutionNode::Guard { number, test, next } => {
                    let mut found = [0.0];
                    number.value(&reals, &mut found);
                    let holds = found[0].partial_cmp(&0.0).is_some_and(|sign| test.is_satisfied_by(sign));
                    here = next[usize::from(!holds)];
                }
                ExecutionNode::Draw { parameters, demands, path, distribution, next } => {
                    let family = distribution.family();
                    let mut p = vec![0.0; parameters.output_count()];
                    parameters.value(&reals, &mut p);
                    let numbers = p.split_off(p.len() - demands.len());
                    let fails = |(demand, number): &(&Demand, f64)| {
                        !number.partial_cmp(&0.0).is_some_and(|sign| demand.test.is_satisfied_by(sign))
                    };
                    let failed = demands.iter().zip(numbers).find(fails).map(|(demand, _)| demand);
                    // where it is the given draws that make it so, they have no density
                    match (failed, &random) {
                        (Some(_), None) => return Ok(None),
                        (Some(Demand { what, has_to_be, .. }), Some(_)) => {
                            return Err(MeasureError::ParameterConstraint {
                                what,
                                has_to_be,
                                certain: true,
                                nearby: false,
                            }
                            .into());
                        }
                        (None, _) if p.iter().all(|number| number.is_finite()) => {}
                        (None, None) => return Ok(None),
                        (None, Some(_)) => {
                            let why = "a parameter of a distribution is beyond the numbers of double precision";
                            return Err(SamplerError::Undefined(why.to_owned()));
                        }
                    }
                    let number = match (given.get(draws.len()), &mut random) {
                        (Some(draw), _) if draw.family == family => draw.number,
                        (None, Some(random)) if draws.len() < MAX_DRAWS => family.draw(&p, random),
                        _ => return Ok(None),
                    };
                    let draw = SampledDraw { family, number, fixed_point: family.pivot(&p), scale: family.scale(&p) };
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
                    if count >= MAX_TREE_NODES {
                        return Err(SamplerError::TooLarge { most: MAX_TREE_NODES });
                    }
                    next.insert(key, count);
                    let (mut path, distribution) = (path.clone(), distribution.clone());
                    path.draws.push(match family.kind() {
                        Kind::Truth => Draw::Truth(key == 1, distribution.truth(key == 1)),
                        Kind::Natural(_) => Draw::Natural(key, distribution.natural(key)),
                        Kind::Real => Draw::Real(self.walk.draw_coordinate(&path, &distribution)),
                    });
                    self.nodes.push(ExecutionNode::Open(path));
                    here = count;
                }
                ExecutionNode::Leaf(leaf) => {
                    let mut found = [0.0; 3];
                    leaf.all.value(&reals, &mut found);
                    let mut signs = vec![0.0; leaf.signs.output_count()];
                    leaf.signs.value(&reals, &mut signs);
                    if is_inside && signs.iter().any(|score| *score < 0.0) {
                        return Err(SamplerError::NegativeScore);
                    }
                    let [prior, weight, value] = found;
                    // the densities of draws say nothing of where they can be
                    let prior = if is_inside { prior } else { f64::NEG_INFINITY };
                    let weight = if signs.contains(&0.0) || weight.is_nan() { f64::NEG_INFINITY } else { weight };
                    return Ok(Some(SampledRun { draws, leaf: here, prior, weight, value }));
                }
            }
        }
    }

    /// Runs the program along a path, and puts what it met in the place of a node.
    fn unfold_node(&mut self, here: usize) -> Result<(), SamplerError> {
        let ExecutionNode::Open(path) = &mut self.nodes[here] else { return Ok(()) };
        let path = std::mem::take(path);
        if path.draws.len() >= MAX_DRAWS {
            return Err(SamplerError::TooLong { most: MAX_DRAWS });
        }
        let known = path.decisions.len();
        let (found, walked, others) = self.walk.run_path(path);
        let variables: Vec<Variable> = walked.coordinates().map(|x| x.variable).collect();
        let end = match found {
            Ok(WalkEnd::NeedsDraw(distribution)) => {
                let (mut parameters, demands) = (distribution.parameters().to_vec(), distribution.demands());
                parameters.extend(demands.iter().map(|demand| demand.graph.clone()));
                let parameters = compile_tape(&variables, &parameters)?;
                let (path, next) = (walked.clone(), FxHashMap::default());
                ExecutionNode::Draw { parameters, demands, path, distribution, next }
            }
            Ok(WalkEnd::InvalidObservation(fault)) => ExecutionNode::InvalidObservation(fault),
            Ok(WalkEnd::Returned(run)) => {
                let WalkedRun { shape, scores, applied, .. } = *run;
                let applied = applied.unwrap_or_default();
                let leaf = match self.has_move {
                    true => {
                        let own = LeafMove::new(MoveShape::new(shape, applied, &variables)?)?;
                        ExecutionLeaf {
                            involution: Some(own),
                            ..ExecutionLeaf::new(&walked, &scores, None, &variables)?
                        }
                    }
                    false => {
                        let value =
                            applied.as_real().map_err(|error| MeasureError::from(SemanticsError::from(error)))?;
                        ExecutionLeaf::new(&walked, &scores, Some(value), &variables)?
                    }
                };
                ExecutionNode::Leaf(Box::new(leaf))
            }
            Err(ValueError::Undefined(found)) if found.certain => {
                ExecutionNode::Undefined(self.walk.name_undefined(&found).to_string())
            }
            Err(ValueError::Undefined(_)) if self.budget.is_exhausted() => return Err(SamplerError::TimeExhausted),
            Err(ValueError::Undefined(found)) => return Err(SamplerError::Unfinished(found.to_string())),
            Err(ValueError::Unsupported { model, construct }) => {
                let error = SemanticsError::from(InterpretError::from(Unsupported { model, construct }));
                return Err(MeasureError::from(error).into());
            }
            Err(error) => return Err(MeasureError::from(SemanticsError::from(error)).into()),
        };
        let mut here = here;
        for (decided, other) in walked.decisions[known..].iter().zip(others) {
            let number = compile_tape(&variables, std::slice::from_ref(&decided.guard.graph))?;
            let next = [self.nodes.len(), self.nodes.len() + 1];
            self.nodes.extend([ExecutionNode::Open(ExecutionPath::default()), ExecutionNode::Open(other)]);
            self.nodes[here] = ExecutionNode::Guard { number, test: decided.guard.test, next };
            here = next[0];
        }
        self.nodes[here] = end;
        if self.nodes.len() > MAX_TREE_NODES {
            return Err(SamplerError::TooLarge { most: MAX_TREE_NODES });
        }
        Ok(())
    }
}

impl ExecutionLeaf {
    fn new(
        path: &ExecutionPath,
        scores: &[Graph],
        value: Option<&Graph>,
        variables: &[Variable],
    ) -> Result<Self, SamplerError> {
        let of = |draw: &Draw| match draw {
            Draw::Real(x) => log_graph(&x.distribution.density(&Graph::variable(x.variable))),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => log_graph(chance),
            Draw::Tail(..) => Graph::integer(0),
        };
        let sum = |terms: Vec<Graph>| terms.iter().sum::<Graph>();
        let prior = sum(path.draws.iter().map(of).collect());
        let weight = sum(scores.iter().map(log_graph).collect());
        let value = value.cloned().unwrap_or_else(|| Graph::integer(0));
        Ok(Self {
            involution: None,
            density: compile_tape(variables, &[&prior + &weight])?,
            all: compile_tape(variables, &[prior, weight, value])?,
            signs: compile_tape(variables, scores)?,
        })
    }
}

/// Compiles maps of the real draws of a path.
///
/// # Errors
/// [`SamplerError::Tape`] for an operation that a tape of doubles lacks.
pub(super) fn compile_tape(variables: &[Variable], graphs: &[Graph]) -> Result<Tape, SamplerError> {
    let untyped = DynMap::of_graphs(variables, graphs);
    let untyped = untyped.map_err(|_| TapeError { construct: "a draw that is not on the path" })?;
    Ok(Map::from_dyn(untyped).tape()?)
}

/// The logarithm of a map where it is positive. Densities are products of exponentials, which would be 0 far out.
fn log_graph(g: &Graph) -> Graph {
    let of = |a: &Graph| crate::stack::with_stack(|| log_graph(a));
    match g.operation() {
        NodeOperation::Rational(q) if **q == 1 => Graph::integer(0),
        NodeOperation::Unary(Unary::Function(Function::Exp), a) => a.clone(),
        NodeOperation::Binary(Binary::Multiply, a, b) if is_positive(a) || is_positive(b) => of(a) + of(b),
        NodeOperation::Binary(Binary::Divide, a, b) if is_positive(a) || is_positive(b) => of(a) - of(b),
        // an even power is positive for what is not
        NodeOperation::Power(a, e) if e.numerator % 2 != 0 => {
            Graph::rational(Rational::from((e.numerator, e.denominator))) * of(a)
        }
        _ => g.log(),
    }
}

/// Returns `true` if the form of a map shows that it is positive where it is defined.
fn is_positive(g: &Graph) -> bool {
    let of = |a: &Graph| crate::stack::with_stack(|| is_positive(a));
    match g.operation() {
        NodeOperation::Rational(q) => **q > 0,
        NodeOperation::Pi | NodeOperation::Euler | NodeOperation::Unary(Unary::Function(Function::Exp), _) => true,
        NodeOperation::Power(a, e) => of(a) || e.denominator % 2 == 0,
        NodeOperation::Binary(Binary::Multiply | Binary::Divide | Binary::Add, a, b) => of(a) && of(b),
        _ => false,
    }
}
