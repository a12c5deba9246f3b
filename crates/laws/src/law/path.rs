//! Paths to a number: the same program, evaluated by different means that check each other.
//!
//! | path | computation |
//! |---|---|
//! | `f64` | one pass in the `f64` tier |
//! | `mpfr128`, `mpfr256` | one pass of MPFR at 128 and at 256 bits, with smaller tolerances; at 256 with panels for every integral and no windows |
//! | `session` | the ordinary answer: both tiers, escalating, to 10⁻⁶ |
//! | `tower` | the literal towers of S §4, without jets, where the graph has no second-order primitive and is small ([`clauses`](super::clauses) tests those) |
//! | `sums` | integrals by sums of range times length alone, without expansions, kinks and windows |
//! | `halving` | integrals without splitting at kinks |
//! | `reverse` | the ordinary answer, with each derivative by reverse sweeps instead of forward mode |
//! | `pieces` | the model of programs in pieces, if it has all features of the program and no derivative is taken on a border |
//! | `macro` | the ordinary answer to the derived program 𝒟_(1,R) at the jet of the point, where the program is a derivative of order R and smooth |
//!
//! Every answer is an enclosure of the same number, so two answers have a point in common. Nothing else is compared: a
//! path without an answer contradicts no other. The library runs on one thread, so `session` is also the run on one
//! thread.
//!
//! # Two other ways to a derivative
//!
//! Reverse sweeps and the Taylor macro.

use super::term::TestTerm;
use crate::law::graphs::map_parts;
use crate::law::term::TermHead;
use crate::meaning::pap::PiecewiseSemantics;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::meaning::taylor::derive::derive_program;
use crate::meaning::taylor::jet::Basis;
use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use crate::number::accuracy::{PassOptions, SolverOptions};
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Context, Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation};
use crate::smooth::tower::{Tower, TowerError};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::Ty;
use crate::value::{Value, ValueError};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A way to evaluate a program. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvaluationPath {
    /// One pass in the `f64` tier.
    Double,
    /// One pass of MPFR at 128 bits.
    Mpfr128,
    /// One pass of MPFR at 256 bits, with panels for every integral, and every optimum as narrow as any number.
    Mpfr256,
    /// The ordinary answer.
    Session,
    /// The reference tower.
    Tower,
    /// Integrals by sums of range times length.
    Sums,
    /// Integrals without splitting at kinks.
    Halving,
    /// Derivatives by reverse sweeps.
    Reverse,
    /// Derivatives by the Taylor macro.
    Macro,
    /// Programs in pieces.
    Pieces,
}

/// A program in the forms that the paths start from.
#[derive(Clone, Debug)]
pub struct PathSubject {
    graph: Graph,
    core: Option<Core>,
    /// The graph of the derived program, for [`EvaluationPath::Macro`].
    derived_graph: Option<Graph>,
}

impl PathSubject {
    /// Interprets a closed program of type `Real` within `time`.
    ///
    /// # Errors
    /// Returns the error of the interpretation.
    pub fn interpret_program(program: &TestTerm, core: &Core, time: Duration) -> Result<Self, ValueError> {
        let graph = |core: &Core| {
            let element = PresheafInterpreter::new(Arc::new(Budget::with_time_limit(time))).interpret_program(core)?;
            element.as_real().cloned()
        };
        // a derived program that cannot be interpreted in time makes one path absent, and is no error
        let derived = derive_by_macro(program).and_then(|core| graph(&core).ok());
        Ok(Self { graph: graph(core)?, core: Some(core.clone()), derived_graph: derived })
    }

    /// Returns the graph that the program denotes.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl From<Graph> for PathSubject {
    fn from(graph: Graph) -> Self {
        Self { graph, core: None, derived_graph: None }
    }
}

/// The result of a path that found no error.
#[derive(Clone, Debug, PartialEq)]
pub enum PathResult {
    /// An enclosure of a number that certainly exists. It is not the whole line.
    Enclosure {
        /// The enclosure of the number.
        enclosure: Enclosure,
        /// `true` if the time limit ended the computation.
        cut: bool,
    },
    /// No information: undefined, not shown to be defined, or enclosed by the whole line.
    Nothing {
        /// `true` if the time limit ended the computation.
        cut: bool,
    },
    /// The path does not apply to this program.
    Absent,
}

impl EvaluationPath {
    /// All paths.
    pub const ALL: [EvaluationPath; 10] = [
        EvaluationPath::Double,
        EvaluationPath::Mpfr128,
        EvaluationPath::Mpfr256,
        EvaluationPath::Session,
        EvaluationPath::Tower,
        EvaluationPath::Sums,
        EvaluationPath::Halving,
        EvaluationPath::Reverse,
        EvaluationPath::Macro,
        EvaluationPath::Pieces,
    ];

    /// Returns the name of the path in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EvaluationPath::Double => "f64",
            EvaluationPath::Mpfr128 => "mpfr128",
            EvaluationPath::Mpfr256 => "mpfr256",
            EvaluationPath::Session => "session",
            EvaluationPath::Tower => "tower",
            EvaluationPath::Sums => "sums",
            EvaluationPath::Halving => "halving",
            EvaluationPath::Reverse => "reverse",
            EvaluationPath::Macro => "macro",
            EvaluationPath::Pieces => "pieces",
        }
    }

    /// Evaluates a program along the path within `time`.
    ///
    /// # Errors
    /// Returns the error of the evaluation. For a program that keeps its promises, any error is a defect of this
    /// library.
    pub fn evaluate_subject(self, subject: &PathSubject, time: Duration) -> Result<PathResult, SmoothError> {
        let graph = &subject.graph;
        let budget = Arc::new(Budget::with_time_limit(time));
        let pass = |tier: Precision, bits: i64, shortcuts: SolverOptions| {
            let effort = PassOptions::new(Magnitude::power_of_two(-bits), &budget).with_solver_options(shortcuts);
            Ok(classify_enclosure(graph.compile_evaluation()?.enclose_in_pass(tier, &effort)?, budget.is_exhausted()))
        };
        let integrates = || contains_integral(graph);
        let ordinary = |graph: &Graph| {
            let answer = graph.to_real()?.enclose(&Rational::from((1, 1_000_000)), &budget)?;
            Ok(classify_enclosure(answer.enclosure, answer.exhausted && !answer.reached))
        };
        match self {
            // bits and tolerances are a choice: each pass asks for clearly fewer bits than its arithmetic carries
            EvaluationPath::Double => pass(Precision::Double, 24, SolverOptions::ALL),
            EvaluationPath::Mpfr128 => pass(Precision::Mpfr(128), 40, SolverOptions::ALL),
            // without `complex` analytic integrals have panels, which share no bound with the nodes of complex
            // arguments
            EvaluationPath::Mpfr256 => {
                pass(Precision::Mpfr(256), 60, SolverOptions { complex: false, windows: false, ..SolverOptions::ALL })
            }
            EvaluationPath::Session => ordinary(graph),
            EvaluationPath::Reverse => by_reverse_sweeps(graph).as_ref().map_or(Ok(PathResult::Absent), ordinary),
            EvaluationPath::Macro => subject.derived_graph.as_ref().map_or(Ok(PathResult::Absent), ordinary),
            EvaluationPath::Pieces => {
                subject.core.as_ref().map_or(Ok(PathResult::Absent), |core| evaluate_in_pieces(core, &budget))
            }
            EvaluationPath::Tower => evaluate_tower(graph),
            EvaluationPath::Sums | EvaluationPath::Halving if !integrates() => Ok(PathResult::Absent),
            // sums of range times length converge slowly, hence 12 bits
            EvaluationPath::Sums => pass(
                Precision::Double,
                12,
                SolverOptions { expansions: false, kinks: false, complex: false, windows: false },
            ),
            EvaluationPath::Halving => {
                pass(Precision::Double, 20, SolverOptions { kinks: false, complex: false, ..SolverOptions::ALL })
            }
        }
    }
}

impl fmt::Display for EvaluationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Classifies an enclosure: the whole line and undefined values are no information.
fn classify_enclosure(enclosure: Enclosure, cut: bool) -> PathResult {
    if enclosure.is_defined() && !enclosure.is_bottom() {
        PathResult::Enclosure { enclosure, cut }
    } else {
        PathResult::Nothing { cut }
    }
}

/// Evaluates a program in the model of programs in pieces. On a border a derivative is another number there, so the
/// result is [`PathResult::Absent`].
fn evaluate_in_pieces(core: &Core, budget: &Arc<Budget>) -> Result<PathResult, SmoothError> {
    match PiecewiseSemantics::default().evaluate(core, &Ty::real(), &Rational::from((1, 1_000_000)), budget) {
        Ok(ProgramAnswer { on_border: true, .. }) => Ok(PathResult::Absent),
        Ok(ProgramAnswer { value: Value::Real(AnswerNumber::Enclosure(answer)), .. }) => {
            Ok(classify_enclosure(answer.enclosure, answer.exhausted && !answer.reached))
        }
        Err(error) if error.unsupported_construct().is_some() => Ok(PathResult::Absent),
        Err(SemanticsError::Evaluation { error, .. }) => Err(error),
        _ => Ok(PathResult::Nothing { cut: budget.is_exhausted() }),
    }
}

/// The greatest cost of a tower, in table entries, at which it is evaluated. Towers share nothing between their parts.
/// A choice: time against coverage.
const MAX_TOWER_COST: u64 = 20_000;

/// Evaluates the literal tower of S §4 at 128 bits. Absent if it is too expensive or has no tower.
fn evaluate_tower(graph: &Graph) -> Result<PathResult, SmoothError> {
    if TowerCost::default().cost_at(graph, 0).is_none_or(|cost| cost > MAX_TOWER_COST) {
        return Ok(PathResult::Absent);
    }
    let context = Mpfr::new(128);
    let value = Tower::<Mpfr>::of_graph(graph, &[]).and_then(|tower| tower.value_at(&[], &context));
    match value {
        Ok(value) if context.is_defined(&value[0]) => Ok(classify_enclosure(context.to_enclosure(&value[0]), false)),
        Ok(_) => Ok(PathResult::Nothing { cut: false }),
        Err(TowerError::Jets(error)) => Err(error),
        Err(_) => Ok(PathResult::Absent),
    }
}

/// An estimate of the work of a tower: evaluations of primitives times the tables that each fills, memoised by node and
/// order.
#[derive(Default)]
struct TowerCost(FxHashMap<(usize, u32), Option<u64>>);

impl TowerCost {
    /// Returns the cost at an order. Returns `None` if the graph has a second-order primitive, or if the cost overflows.
    fn cost_at(&mut self, graph: &Graph, order: u32) -> Option<u64> {
        let key = (graph.address(), order);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let cost = with_stack(|| self.compute_cost(graph, order));
        self.0.insert(key, cost);
        cost
    }

    /// Computes the cost of a node at an order from the costs of its parts.
    fn compute_cost(&mut self, graph: &Graph, order: u32) -> Option<u64> {
        // 2^order entries for each table; a choice: products of two tables count as 4^order
        let own = 1u64.checked_shl(order)?;
        let mut sum = own.checked_mul(own)?;
        for part in graph.operation().operands() {
            sum = sum.checked_add(self.cost_at(part, order)?)?;
        }
        match graph.operation() {
            NodeOperation::Second(..) => None,
            // a derivative needs its body at one order more, for the primal and the tangent
            NodeOperation::Derivative(d) if order < 5 => {
                sum.checked_add(self.cost_at(&d.body, order + 1)?.checked_mul(2)?)
            }
            NodeOperation::Derivative(_) => None,
            _ => Some(sum),
        }
    }
}

/// Returns `true` if an integral occurs in a graph, also under binders.
fn contains_integral(graph: &Graph) -> bool {
    use crate::smooth::graph::SecondOrder::Integral;
    let mut pending = vec![graph];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(graph) = pending.pop() {
        if !seen.insert(graph.address()) {
            continue;
        }
        if matches!(graph.operation(), NodeOperation::Second(Integral, ..)) {
            return true;
        }
        pending.extend(graph.operation().binder().map(|(_, body)| body));
        pending.extend(graph.operation().operands());
    }
    false
}

/// The greatest number of nodes of a graph that is swept. Nested sweeps multiply its size. A choice: time against
/// coverage.
const MAX_GRAPH_NODES: usize = 20_000;

/// Returns a graph of the same number in which every derivative along a direction is a sum of partial derivatives from
/// one reverse sweep. Returns `None` if the graph has no derivative, or if the sweeps grow too large.
fn by_reverse_sweeps(graph: &Graph) -> Option<Graph> {
    let differentiates = |g: &&Graph| matches!(g.operation(), NodeOperation::Derivative(_));
    Graph::all_nodes([graph]).into_iter().find(differentiates)?;
    let swept = rewrite_derivatives(graph, &mut FxHashMap::default())?;
    (Graph::all_nodes([&swept]).len() <= MAX_GRAPH_NODES).then_some(swept)
}

/// Rewrites all derivatives of a graph, the innermost first. Returns `None` if a body grows too large.
fn rewrite_derivatives(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Option<Graph> {
    if let Some(known) = known.get(&graph.address()) {
        return Some(known.clone());
    }
    // `map_parts` cannot fail halfway, so a part that is too large is kept and the failure recorded
    let mut is_whole = true;
    let result = with_stack(|| {
        map_parts(graph, &mut |part| {
            rewrite_derivatives(part, known).unwrap_or_else(|| {
                is_whole = false;
                part.clone()
            })
        })
    });
    let result = match result.operation() {
        NodeOperation::Derivative(d) if Graph::all_nodes([&d.body]).len() > MAX_GRAPH_NODES => return None,
        NodeOperation::Derivative(d) => dot_with_gradient(d),
        _ => result,
    };
    known.insert(graph.address(), result.clone());
    is_whole.then_some(result)
}

/// Returns `D f(at)·along` as the inner product of the gradient `Jᵗ·1` with the direction.
fn dot_with_gradient(d: &Derivative) -> Graph {
    let slopes = Graph::reverse_mode(&d.variables, std::slice::from_ref(&d.body), &d.at, &[Graph::integer(1)]);
    let terms = slopes.iter().zip(&d.along).map(|(slope, along)| Graph::binary(Binary::Multiply, slope, along));
    terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0))
}

/// Returns a derivative of order R as the last component of 𝒟_(1,R) of the function, at the jet of the point (H Thm 3).
/// Returns `None` if the program is no derivative, or if the macro has no rule for a part of it.
fn derive_by_macro(program: &TestTerm) -> Option<Core> {
    let (function, point, order) = match_derivative(program)?;
    let function = function.to_core()?;
    let basis = Basis::new(1, order).ok()?;
    let derived = derive_program(&function, &Ty::function(Ty::real(), Ty::real()), &basis).ok()?.term;
    let core = |kind| Core::new(kind, Span::default());
    let constant = |n: usize| core(TermKind::Real((n as u64).into()));
    // the jet of the coordinate: its value, then the slope 1, then zeros
    let jet = std::iter::once(point.to_core()?).chain((1..=order).map(|degree| constant(usize::from(degree == 1))));
    let value = Core::apply(derived, core(TermKind::Tuple(jet.collect())), Span::default());
    let component = |index| core(TermKind::Project { tuple: value.clone(), index });
    // derivative formulas may have a value where the function has none; adding 0 times the value makes them undefined
    // there
    let apply = |f, a, b| {
        let f = Core::apply(core(TermKind::Constant(f)), a, Span::default());
        Core::apply(f, b, Span::default())
    };
    let nothing = apply(Constant::Multiply, constant(0), component(0));
    Some(apply(Constant::Add, nothing, component(order)))
}

/// Matches a program `deriv (\x => … deriv f x …) a`, and returns the function, the point and the order of
/// differentiation. Returns `None` if the program is no derivative.
fn match_derivative(program: &TestTerm) -> Option<(&TestTerm, &TestTerm, usize)> {
    let (mut function, point) = match_deriv(program)?;
    let mut order = 1;
    while let (TermHead::Lambda(x, _), [body]) = (&function.head, &function.parts[..]) {
        let Some((inner, at)) = match_deriv(body) else { break };
        // only `\x => deriv f x` with x not free in f is a derivative of f, and so of one order more
        if !matches!(&at.head, TermHead::Variable(y) if y == x)
            || inner.contains_head(&mut |h| matches!(h, TermHead::Variable(y) if y == x))
        {
            break;
        }
        (function, order) = (inner, order + 1);
    }
    Some((function, point, order))
}

/// Matches `deriv function point`. Returns `None` for other terms.
fn match_deriv(term: &TestTerm) -> Option<(&TestTerm, &TestTerm)> {
    match (&term.head, &term.parts[..]) {
        (TermHead::Call(Constant::Deriv), [function, point]) => Some((function, point)),
        _ => None,
    }
}
