//! Paths to a number: the same program, evaluated by different means that check each other.
//!
//! | path | computation |
//! |---|---|
//! | `f64` | one pass in the `f64` tier |
//! | `mpfr128`, `mpfr256` | one pass of MPFR at 128 and at 256 bits, with smaller tolerances; at 256 with panels for every integral and no windows |
//! | `session` | the ordinary answer: both tiers, escalating, to 10⁻⁶ |
//! | `tower` | the literal towers of S §4, without jets, where the graph has no second-order primitive and is small |
//! | `sums` | integrals by sums of range times length alone, without expansions, kinks and windows |
//! | `halving` | integrals without splitting at kinks |
//! | `reverse` | the ordinary answer, with each derivative by reverse sweeps instead of forward mode |
//! | `pieces` | the model of programs in pieces, if it has all features of the program and no derivative is taken on a border |
//! | `macro` | the ordinary answer to the derived program 𝒟_(1,R) at the jet of the point, where the program is a derivative of order R and smooth |
//!
//! Every answer is an enclosure of the same number, so two answers have a point in common. Nothing else is compared: a
//! path without an answer contradicts no other. The library runs on one thread, so `session` is also the run on one
//! thread.

mod derivative;

use super::term::Term;
use crate::meaning::pap::InPieces;
use crate::meaning::presheaf::Interpreter;
use crate::model::answer::{Answer, Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::effort::{Effort, Shortcuts};
use crate::number::real::{Approximation, Tier};
use crate::number::{Context, Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Operation};
use crate::smooth::tower::{Tower, TowerError};
use crate::stack::deep;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::Ty;
use crate::value::{Value, ValueError};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A way to evaluate a program. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Path {
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
pub struct Subject {
    graph: Graph,
    core: Option<Core>,
    /// The graph of the derived program, for [`Path::Macro`].
    derived: Option<Graph>,
}

impl Subject {
    /// Interprets a closed program of type `Real` within `time`.
    ///
    /// # Errors
    /// Returns the error of the interpretation.
    pub fn of(program: &Term, core: &Core, time: Duration) -> Result<Self, ValueError> {
        let graph = |core: &Core| {
            let element = Interpreter::new(Arc::new(Budget::within(time))).interpret(core)?;
            element.as_real().cloned()
        };
        // a derived program that cannot be interpreted in time makes one path absent, and is no error
        let derived = derivative::by_the_macro(program).and_then(|core| graph(&core).ok());
        Ok(Self { graph: graph(core)?, core: Some(core.clone()), derived })
    }

    /// Returns the graph that the program denotes.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl From<Graph> for Subject {
    fn from(graph: Graph) -> Self {
        Self { graph, core: None, derived: None }
    }
}

/// The result of a path that found no error.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
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

impl Path {
    /// All paths.
    pub const ALL: [Path; 10] = [
        Path::Double,
        Path::Mpfr128,
        Path::Mpfr256,
        Path::Session,
        Path::Tower,
        Path::Sums,
        Path::Halving,
        Path::Reverse,
        Path::Macro,
        Path::Pieces,
    ];

    /// Returns the name of the path in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Path::Double => "f64",
            Path::Mpfr128 => "mpfr128",
            Path::Mpfr256 => "mpfr256",
            Path::Session => "session",
            Path::Tower => "tower",
            Path::Sums => "sums",
            Path::Halving => "halving",
            Path::Reverse => "reverse",
            Path::Macro => "macro",
            Path::Pieces => "pieces",
        }
    }

    /// Evaluates a program along the path within `time`.
    ///
    /// # Errors
    /// Returns the error of the evaluation. For a program that keeps its promises, any error is a defect of this
    /// library.
    pub fn follow(self, subject: &Subject, time: Duration) -> Result<Found, SmoothError> {
        let graph = &subject.graph;
        let budget = Arc::new(Budget::within(time));
        let pass = |tier: Tier, bits: i64, shortcuts: Shortcuts| {
            let effort = Effort::new(Magnitude::power_of_two(-bits), &budget).with_shortcuts(shortcuts);
            Ok(found(graph.evaluation()?.approximate(tier, &effort)?, budget.is_exhausted()))
        };
        let integrates = || mentions_integral(graph);
        let ordinary = |graph: &Graph| {
            let answer = graph.real()?.enclose(&Rational::from((1, 1_000_000)), &budget)?;
            Ok(found(answer.enclosure, answer.exhausted && !answer.reached))
        };
        match self {
            // bits and tolerances are a choice: each pass asks for clearly fewer bits than its arithmetic carries
            Path::Double => pass(Tier::Double, 24, Shortcuts::ALL),
            Path::Mpfr128 => pass(Tier::Mpfr(128), 40, Shortcuts::ALL),
            // without `complex` analytic integrals have panels, which share no bound with the nodes of complex
            // arguments
            Path::Mpfr256 => pass(Tier::Mpfr(256), 60, Shortcuts { complex: false, windows: false, ..Shortcuts::ALL }),
            Path::Session => ordinary(graph),
            Path::Reverse => derivative::reversed(graph).as_ref().map_or(Ok(Found::Absent), ordinary),
            Path::Macro => subject.derived.as_ref().map_or(Ok(Found::Absent), ordinary),
            Path::Pieces => subject.core.as_ref().map_or(Ok(Found::Absent), |core| in_pieces(core, &budget)),
            Path::Tower => tower(graph),
            Path::Sums | Path::Halving if !integrates() => Ok(Found::Absent),
            // sums of range times length converge slowly, hence 12 bits
            Path::Sums => {
                pass(Tier::Double, 12, Shortcuts { expansions: false, kinks: false, complex: false, windows: false })
            }
            Path::Halving => pass(Tier::Double, 20, Shortcuts { kinks: false, complex: false, ..Shortcuts::ALL }),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Classifies an enclosure: the whole line and undefined values are no information.
fn found(enclosure: Enclosure, cut: bool) -> Found {
    if enclosure.is_defined() && !enclosure.is_bottom() {
        Found::Enclosure { enclosure, cut }
    } else {
        Found::Nothing { cut }
    }
}

/// Evaluates a program in the model of programs in pieces. On a border a derivative is another number there, so the
/// result is [`Found::Absent`].
fn in_pieces(core: &Core, budget: &Arc<Budget>) -> Result<Found, SmoothError> {
    match InPieces::default().answer(core, &Ty::real(), &Rational::from((1, 1_000_000)), budget) {
        Ok(Answer { on_border: true, .. }) => Ok(Found::Absent),
        Ok(Answer { value: Value::Real(Number::Enclosure(answer)), .. }) => {
            Ok(found(answer.enclosure, answer.exhausted && !answer.reached))
        }
        Err(error) if error.lacks().is_some() => Ok(Found::Absent),
        Err(MeaningError::Evaluation { error, .. }) => Err(error),
        _ => Ok(Found::Nothing { cut: budget.is_exhausted() }),
    }
}

/// The greatest cost of a tower, in table entries, at which it is evaluated. Towers share nothing between their parts.
/// A choice: time against coverage.
const DEAREST_TOWER: u64 = 20_000;

/// Evaluates the literal tower of S §4 at 128 bits. Absent if it is too expensive or has no tower.
fn tower(graph: &Graph) -> Result<Found, SmoothError> {
    if Cost::default().of(graph, 0).is_none_or(|cost| cost > DEAREST_TOWER) {
        return Ok(Found::Absent);
    }
    let context = Mpfr::new(128);
    let value = Tower::<Mpfr>::of_graph(graph, &[]).and_then(|tower| tower.at(&[], &context));
    match value {
        Ok(value) if context.is_defined(&value[0]) => Ok(found(context.to_enclosure(&value[0]), false)),
        Ok(_) => Ok(Found::Nothing { cut: false }),
        Err(TowerError::Jets(error)) => Err(error),
        Err(_) => Ok(Found::Absent),
    }
}

/// An estimate of the work of a tower: evaluations of primitives times the tables that each fills, memoised by node and
/// order.
#[derive(Default)]
struct Cost(FxHashMap<(usize, u32), Option<u64>>);

impl Cost {
    /// Returns the cost at an order. Returns `None` if there is no tower, or if the cost overflows.
    fn of(&mut self, graph: &Graph, order: u32) -> Option<u64> {
        let key = (graph.address(), order);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let cost = deep(|| self.computed(graph, order));
        self.0.insert(key, cost);
        cost
    }

    /// Computes the cost of a node at an order from the costs of its parts.
    fn computed(&mut self, graph: &Graph, order: u32) -> Option<u64> {
        // 2^order entries for each table; a choice: products of two tables count as 4^order
        let own = 1u64.checked_shl(order)?;
        let mut sum = own.checked_mul(own)?;
        for part in graph.operation().parts() {
            sum = sum.checked_add(self.of(part, order)?)?;
        }
        match graph.operation() {
            Operation::Second(..) => None,
            // a derivative needs its body at one order more, for the primal and the tangent
            Operation::Derivative(d) if order < 5 => sum.checked_add(self.of(&d.body, order + 1)?.checked_mul(2)?),
            Operation::Derivative(_) => None,
            _ => Some(sum),
        }
    }
}

/// Returns `true` if an integral occurs in a graph, also under binders.
fn mentions_integral(graph: &Graph) -> bool {
    use crate::smooth::graph::SecondOrder::Integral;
    let mut pending = vec![graph];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(graph) = pending.pop() {
        if !seen.insert(graph.address()) {
            continue;
        }
        if matches!(graph.operation(), Operation::Second(Integral, ..)) {
            return true;
        }
        pending.extend(graph.operation().binder().map(|(_, body)| body));
        pending.extend(graph.operation().parts());
    }
    false
}
