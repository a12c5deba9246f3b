//! Piecewise semantics ([Lew et al. 2021](crate::refs::LEW_2021), W): programs as piecewise analytic partial functions.
//!
//! A comparison of real numbers is decided at once by an [oracle](oracle::Oracle), and has an ordinary truth value. So one
//! evaluator gives the value at a point and the list of all pieces:
//!
//! | oracle | decision by | used by |
//! |---|---|---|
//! | [`point`] | the sign of the number: by enclosures, exactly, by normal forms, and never by a guess | `eval --model pap` |
//! | [`replay`] | a list of decisions; beyond it, both if both are possible | `smoothish pieces` |
//! | [`beside`] | the first term of its germ: on one side of a point | `smoothish audit` |
//!
//! | clause | W | here |
//! |---|---|---|
//! | `if g > 0 then M else N` | §2.1 | the border belongs to one side: `x < y` is false for x = y, `x <= y` true, and `x == y` exists |
//! | `op(M)` | §3.1 | an analytic map on an open set, by [`operation`]; any other operation forks into such maps |
//! | `let x = M in N` | §3.1 | strict |
//! | `µf. λx. M` | §3.1 | unfolded until the run ends, or n times |
//! | `deriv`, `jvp`, `rd` | §3.3 | the derivative of the map that the primal point selects: [intensional](crate::pieces::intensional) |
//!
//! Branches follow the primal point only, so a program and its derivative have values at the same points (W19). An exhausted
//! budget says nothing about the program. Integrals, roots and optima are not piecewise analytic in the variables they capture
//! (W29), and are refused by name.
//!
//! One evaluator serves all oracles: a guard is handed to the oracle, no continuation is kept, and a piece costs a
//! run. Numbers are graphs, and a derivative is a node with a variable of its own. A guard sees the point of that
//! variable, so perturbations cannot be confused.
//!
//! An answer that rests on a derivative on a border refutes no other semantics: that number may lie outside of
//! Clarke's set.

pub mod beside;
pub mod count;
pub mod foreign;
pub mod hooks;
pub mod operation;
pub mod oracle;
pub mod point;
pub mod replay;
pub mod steps;

use super::presheaf::constants::GraphArithmetic;
use super::sites::{SiteTable, is_evaluated};
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
use crate::model::universe::{ArrowCode, RealArithmetic, RecursionDepth, RunResult, ValueSemantics};
use crate::model::{SourceLocation, Unsupported};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, memory};
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::guard::{SignGuard, SignTest};
use crate::presheaf::condition::StageCondition;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError};
use oracle::{GuardQuery, Oracle};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the model.
pub const NAME: &str = "pap";

/// The most steps of one run; a choice.
pub const MAX_POINT_STEPS: u64 = 2_000_000;
/// The work units charged for each node of a guard; a choice.
const WORK_PER_GUARD_NODE: u64 = 8;

/// The universe of piecewise analytic maps, under an oracle.
#[derive(Debug)]
pub struct PiecewiseUniverse<O> {
    oracle: O,
    budget: Arc<Budget>,
    unfoldings: Option<u64>,
    most_steps: u64,
    steps: AtomicU64,
    depth: RecursionDepth,
    /// The site of the operation being carried out.
    current_site: AtomicU32,
    sites: SiteTable,
    /// The variables of the enclosing derivatives, outermost first, each with its point.
    primal: Mutex<Vec<(Variable, Graph)>>,
}

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Builds the universe under an oracle and a budget.
    #[must_use]
    pub fn new(oracle: O, budget: Arc<Budget>) -> Self {
        Self {
            oracle,
            budget,
            unfoldings: None,
            most_steps: MAX_POINT_STEPS,
            steps: AtomicU64::new(0),
            depth: RecursionDepth::default(),
            current_site: AtomicU32::new(0),
            sites: SiteTable::default(),
            primal: Mutex::default(),
        }
    }

    /// Limits recursion to the approximants µⁿ (`None` for no limit), and runs to `most_steps` steps.
    #[must_use]
    pub fn with_limits(self, unfoldings: Option<u64>, most_steps: u64) -> Self {
        Self { unfoldings, most_steps, ..self }
    }

    /// Returns the oracle.
    #[must_use]
    pub fn oracle(&self) -> &O {
        &self.oracle
    }

    /// Begins a run: resets the count of steps.
    pub fn begin_run(&self) {
        self.steps.store(0, Ordering::Relaxed);
    }

    /// Returns the place of a site; `None` for an unknown one.
    #[must_use]
    pub fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        self.sites.location_of(site)
    }

    /// Returns the number of known places. Those of a program read later are numbered from here on.
    #[must_use]
    pub fn site_count(&self) -> usize {
        self.sites.len()
    }

    /// Sets the site of the operation carried out next.
    fn set_site(&self, site: SourceId) {
        self.current_site.store(site.0, Ordering::Relaxed);
    }

    /// Returns the error of an exhausted run; `what` describes it.
    fn fuel_error(&self, what: String) -> ValueError {
        ValueError::from_undefined(
            self.oracle.hooks().fuel_error(UndefinedValue::of_operation(UndefinedCause::Fuel, what)),
        )
    }

    /// Asks the oracle whether a guard holds. The variables of derivatives are replaced by their points.
    fn ask_oracle(&self, guard: SignGuard, is_condition: bool) -> Result<bool, ValueError> {
        let guard = SignGuard { site: SourceId(self.current_site.load(Ordering::Relaxed)), ..guard };
        // a constant guard needs no oracle, and leaves no decision on the path
        if let Some(q) = guard.graph.as_rational() {
            return Ok(guard.test.is_satisfied_by(q.cmp0()));
        }
        let primal = lock(&self.primal).clone();
        // inside a derivative the guard changes with the point, so an earlier answer may not be its own
        if primal.is_empty()
            && let Some(known) = self.oracle.replayed_answer(&guard)
        {
            return Ok(known);
        }
        // deciding traverses the whole graph, which may grow from step to step
        if !self.budget.spend(WORK_PER_GUARD_NODE * Graph::all_nodes([&guard.graph]).len() as u64) {
            return Err(self.fuel_error(format!(
                "its {} was up after {} steps",
                memory::exhausted_resource(),
                self.steps.load(Ordering::Relaxed)
            )));
        }
        let inner = primal.iter().rev().find(|(v, _)| guard.graph.depends_on(*v));
        let Some((_, at)) = inner else {
            return self.oracle.decide_guard(&GuardQuery { guard, is_condition, at: None });
        };
        // a number that is 0 everywhere has no border, so a derivative on it is not taken on one
        let varies =
            !RationalNormalForm::default().normal_form(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        let graph = self.substitute_primal(&guard.graph, &primal);
        let at = varies.then(|| self.substitute_primal(at, &primal));
        self.oracle.decide_guard(&GuardQuery { guard: SignGuard { graph, ..guard }, is_condition, at })
    }

    /// Substitutes the points of the enclosing derivatives in a map, the innermost first.
    fn substitute_primal(&self, graph: &Graph, primal: &[(Variable, Graph)]) -> Graph {
        primal.iter().rev().fold(graph.clone(), |graph, (v, at)| match graph.depends_on(*v) {
            true => self.oracle.hooks().substitute_point(&graph, *v, at),
            false => graph,
        })
    }

    /// Fails unless a test of a number has the truth value `holds`: otherwise it is outside the domain of an operation.
    fn require_test(&self, operation: &str, graph: &Graph, test: SignTest, holds: bool) -> Result<(), ValueError> {
        let guard = SignGuard::new(graph, test, SourceId::NOWHERE);
        if !self.oracle.hooks().keeps_conditions() || self.ask_oracle(guard, true)? == holds {
            return Ok(());
        }
        Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, operation)))
    }

    /// Runs a function at fresh coordinates that lie at the point x.
    fn run_at_fresh_variables(&self, f: &Element, x: &Element) -> Result<LocalEvaluation, ValueError> {
        let at: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let outside = {
            let mut primal = lock(&self.primal);
            let outside = primal.len();
            primal.extend(variables.iter().copied().zip(at.iter().cloned()));
            outside
        };
        let moved = x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        let value = f.as_function().and_then(|f| f.apply(&moved));
        // before any error is passed on: the variables are bound only while f runs
        lock(&self.primal).truncate(outside);
        Ok(LocalEvaluation { variables, at, value: value? })
    }

    fn apply_derivative(&self, constant: Constant, arguments: &[Element]) -> RunResult<Self> {
        let graphs = |x: &Element| Ok::<Vec<Graph>, ValueError>(x.coordinates()?.into_iter().cloned().collect());
        let one = Value::Real(Graph::integer(1));
        match (constant, arguments) {
            (Constant::Rd, [f, x, w]) => {
                let (LocalEvaluation { variables, at, value }, seeds) =
                    (self.run_at_fresh_variables(f, x)?, graphs(w)?);
                let outputs = graphs(&value)?;
                if outputs.len() != seeds.len() {
                    return Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function"));
                }
                // one reverse sweep over the graph, for all coordinates at once
                let adjoint = Graph::reverse_mode(&variables, &outputs, &at, &seeds);
                Ok(x.with_coordinates(&mut adjoint.into_iter()))
            }
            (_, [f, x, rest @ ..]) => {
                let (LocalEvaluation { variables, at, value }, along) =
                    (self.run_at_fresh_variables(f, x)?, graphs(rest.first().unwrap_or(&one))?);
                // a coordinate that does not move has the slope 0, without a node in the graph
                let slope = |output: Graph| match variables.iter().any(|v| output.depends_on(*v)) {
                    true => Graph::derivative(variables.clone(), output, at.clone(), along.clone()),
                    false => Graph::integer(0),
                };
                let outputs = graphs(&value)?;
                Ok(value.with_coordinates(&mut outputs.into_iter().map(slope)))
            }
            _ => self.missing_rule(constant),
        }
    }
}

/// The value of a function at fresh coordinates, with their point.
/// The fresh coordinates.
struct LocalEvaluation {
    /// Their point.
    variables: Vec<Variable>,
    /// The value of the function over them.
    at: Vec<Graph>,
    value: Element,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<O: Oracle> RealArithmetic for PiecewiseUniverse<O> {
    type Real = Graph;

    fn rational_constant(&self, value: &Rational) -> Graph {
        Graph::rational(value.clone())
    }
    fn literal_power(&self, x: &Graph, exponent: &Rational) -> Result<Graph, ValueError> {
        self.literal_power_of(x, exponent)
    }
    fn compare_reals(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<StageCondition, ValueError> {
        let (x, y, test, holds) = match constant {
            Constant::RealLess => (y, x, SignTest::Positive, true),
            Constant::RealLessEqual => (y, x, SignTest::NonNegative, true),
            Constant::RealGreater => (x, y, SignTest::Positive, true),
            Constant::RealGreaterEqual => (x, y, SignTest::NonNegative, true),
            Constant::RealEqual => (x, y, SignTest::Zero, true),
            Constant::RealNotEqual => (x, y, SignTest::Zero, false),
            _ => return self.missing_rule(constant),
        };
        // the border belongs to one side (W §2.1), which the test says
        let guard = SignGuard::of_difference(x, y, self.oracle.hooks().test_to_ask(test), SourceId::NOWHERE);
        Ok(StageCondition::Constant(self.ask_oracle(guard, false)? == holds))
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        self.apply_analytic(constant, arguments)
            .unwrap_or_else(|| GraphArithmetic.apply_real_constant(constant, arguments))
    }
}

impl<O: Oracle> ValueSemantics for PiecewiseUniverse<O> {
    type Mark = SourceId;
    const NAME: &'static str = NAME;

    fn charge_step(&self) -> Result<(), ValueError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > self.most_steps {
            return Err(self.fuel_error(format!("it did not end within {} steps", self.most_steps)));
        }
        if self.budget.spend(1) {
            return Ok(());
        }
        Err(self.fuel_error(format!("its {} was up after {steps} steps", memory::exhausted_resource())))
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        Some(&self.depth)
    }
    fn too_deep_error(&self) -> ValueError {
        self.fuel_error(format!(
            "functions were applied within each other too deep, more than {} levels",
            RecursionDepth::MAX_LEVELS
        ))
    }
    fn mark_application(&self, constant: Constant, place: &SourceLocation, arguments: &[ArrowCode<Self>]) -> SourceId {
        self.sites.add_application(constant, place, arguments)
    }
    fn mark_recursion(&self, place: &SourceLocation) -> SourceId {
        self.sites.add_recursion(place)
    }
    fn has_operation(&self, constant: Constant) -> bool {
        is_evaluated(constant)
    }
    fn missing_operation(&self, constant: Constant) -> Unsupported {
        let why = match constant.as_functional() {
            Some(_) => ": of a function in pieces it need not be one in pieces",
            None => "",
        };
        Unsupported { model: NAME, construct: format!("{}{why}", constant.describe_missing()) }
    }
    fn unfolding_limit(&self) -> Option<u64> {
        self.unfoldings
    }
    fn value_at_limit(&self) -> RunResult<Self> {
        Err(self.fuel_error("a recursive function was unfolded as often as its limit allows".to_owned()))
    }
    fn apply_constant(self: &Arc<Self>, constant: Constant, site: SourceId, arguments: &[Element]) -> RunResult<Self> {
        self.set_site(site);
        let result = match (constant, arguments) {
            (Constant::Deriv | Constant::Jvp | Constant::Rd, _) => self.apply_derivative(constant, arguments),
            (Constant::Power, [x, _]) if let Some(q) = self.sites.literal_exponent(site) => {
                x.as_real().and_then(|x| self.literal_power_of(x, &q)).map(Value::Real)
            }
            // counts first: they are variants to the rules of first order
            _ => self
                .apply_to_counts(constant, arguments)
                .or_else(|| self.apply_first_order(constant, arguments))
                .unwrap_or_else(|| self.missing_rule(constant)),
            // the innermost site is kept: that of the operation which failed
        };
        match result {
            Ok(Value::Real(graph)) => Ok(Value::Real(graph.at_site(site))),
            other => other.map_err(|error| error.with_source(site)),
        }
    }
}

/// The piecewise semantics of Lew et al.
#[derive(Clone, Debug, Default)]
pub struct PiecewiseSemantics {
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfolding_limit: Option<u64>,
    /// The primitives to which programs are applied.
    pub primitives: Vec<foreign::ForeignPrimitive>,
}

impl PiecewiseSemantics {
    /// The semantics without a limit and without primitives.
    pub const PAPER: Self = Self { unfolding_limit: None, primitives: Vec::new() };
}

impl Semantics for PiecewiseSemantics {
    fn name(&self) -> &'static str {
        NAME
    }
    fn summary(&self) -> &'static str {
        "piecewise analytic functions (Lew et al.): borders belong to one side, and derivatives are those of the piece"
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn with_unfolding_limit(&self, unfoldings: u64) -> Option<Box<dyn Semantics>> {
        Some(Box::new(Self { unfolding_limit: Some(unfoldings), ..self.clone() }))
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let (unfoldings, primitives) = (self.unfolding_limit, &self.primitives[..]);
        point::PointRequest {
            term,
            primitives,
            unfolding_limit: unfoldings,
            hooks: Arc::new(hooks::DefaultPiecewiseHooks),
            to,
            budget,
        }
        .evaluate()
    }
}
