//! Piecewise semantics ([Lew et al. 2021](crate::refs::LEW_2021), W): programs as piecewise analytic partial functions.
//!
//! A comparison of real numbers is decided at once by an [oracle](Oracle), and has an ordinary truth value. So one
//! evaluator gives the value at a point and the list of all pieces:
//!
//! | oracle | decision by | used by |
//! |---|---|---|
//! | [`point`] | the sign of the number: by enclosures, exactly, by normal forms, and never by a guess | `eval --model pap` |
//! | [`replay`] | a list of decisions; beyond it, both if both are possible | `smoothish pieces` |
//! | [`beside`] | the first term of its germ: on one side of a point | `smoothish audit` |
//! | [`local`] | the sign at a point, or both signs where that is 0 | `smoothish audit`, of several variables |
//!
//! | clause | W | here |
//! |---|---|---|
//! | `if g > 0 then M else N` | §2.1 | the border belongs to one side: `x < y` is false for x = y, `x <= y` true, and `x == y` exists |
//! | `op(M)` | §3.1 | an analytic map on an open set, by this module; any other operation forks into such maps |
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
//!
//! # Operations
//!
//! Analytic on an open set, or forked into such operations.
//!
//! | operation | pieces | where it has no value |
//! |---|---|---|
//! | `abs x` | x for x ≥ 0, -x for x < 0 | |
//! | `max x y`, `min x y` | x for x ≥ y, or x ≤ y; else y | |
//! | `signum x` | 1, -1, and 0 at 0 | |
//! | `sqrt x`, `x ^ (p/q)`, q even | 0 at 0, with slope 0; else the root | x < 0 |
//! | `cbrt x`, `x ^ (p/q)`, q odd | 0 at 0, with slope 0; else the root | |
//! | `asin x`, `acos x`, `acosh x` | their values at the edges, with slope 0; else the function | beyond the edges |
//! | `x / y`, `x ^ (-n)` | | divisor 0 |
//! | `x ^ y` | | x ≤ 0 |
//! | `lgamma`, `digamma`, `polygamma n` | x > 0, and x ≤ 0 | 0, -1, -2, … |
//! | `tan x` | | odd multiples of π/2 |
//! | `atan2 y x` | x > 0; y = 0 < -x, where it is π; else | y = 0 = x |
//!
//! A derivative that is total where the function is (W18) needs a slope at the edges. It is 0 here; at a single point any number
//! is right.
//!
//! # Counts
//!
//! Natural numbers known only as the value of a map.
//!
//! A draw from an unbounded set of natural numbers has a tail, all numbers from some number on. In a run the whole tail is
//! represented by a *count*: a map with values in ℕ. Sums and products of counts are counts, comparisons ask the oracle, and
//! `toReal` returns the map. Everything else, such as a recursion that counts down, has no rule for a count.
//!
//! # The clauses of the semantics for which a plausible wrong one
//!
//! The clauses of the semantics for which a plausible wrong one exists: the points of mutation for tests.
//!
//! # Oracles
//!
//! The decision of guards.

pub mod beside;
pub mod foreign;
pub mod local;
pub mod point;
pub mod replay;
pub mod steps;

use super::presheaf::GraphArithmetic;
use crate::function::{
    ArgumentCondition, BinaryShape, Function, NumberSet, OperationConditions, PowerKind, RealOperation, TestedQuantity,
};
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError, SiteTable, is_evaluated};
use crate::model::universe::{ArrowCode, RealArithmetic, RecursionDepth, RunResult, ValueSemantics};
use crate::model::{SourceLocation, Unsupported};
use crate::number::arithmetic::Planar;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, budget};
use crate::pieces::analytic::condition_guards;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::presheaf::dynamic::{Element, StageCondition};
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError};
use std::fmt;
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

    /// Returns `true` while a function is run at the point of a derivative.
    #[must_use]
    pub fn is_differentiating(&self) -> bool {
        !lock(&self.primal).is_empty()
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
    fn ask_oracle(&self, guard: SignGuard, role: GuardRole) -> Result<bool, ValueError> {
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
                budget::exhausted_resource(),
                self.steps.load(Ordering::Relaxed)
            )));
        }
        let inner = primal.iter().rev().find(|(v, _)| guard.graph.depends_on(*v));
        let Some((_, at)) = inner else {
            return self.oracle.decide_guard(&GuardQuery { guard, role, at: None });
        };
        // a number that is 0 everywhere has no border, so a derivative on it is not taken on one
        let varies =
            !RationalNormalForm::default().normal_form(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        let graph = self.substitute_primal(&guard.graph, &primal);
        let at = varies.then(|| self.substitute_primal(at, &primal));
        self.oracle.decide_guard(&GuardQuery { guard: SignGuard { graph, ..guard }, role, at })
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
        if !self.oracle.hooks().keeps_conditions() || self.ask_oracle(guard, GuardRole::Condition)? == holds {
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
        Ok(StageCondition::Constant(self.ask_oracle(guard, GuardRole::Choice)? == holds))
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        self.apply_analytic(constant, arguments)
            .unwrap_or_else(|| GraphArithmetic.apply_real_constant(constant, arguments))
    }
}

impl<O: Oracle> ValueSemantics for PiecewiseUniverse<O> {
    type Mark = SourceId;
    const NAME: &'static str = O::MODEL;

    fn charge_step(&self) -> Result<(), ValueError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > self.most_steps {
            return Err(self.fuel_error(format!("it did not end within {} steps", self.most_steps)));
        }
        if self.budget.spend(1) {
            return Ok(());
        }
        Err(self.fuel_error(format!("its {} was up after {steps} steps", budget::exhausted_resource())))
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
        match constant.as_foreign() {
            Some(id) => super::foreign::missing_part(id, O::MODEL).is_none(),
            None => is_evaluated(constant),
        }
    }
    fn missing_operation(&self, constant: Constant) -> Unsupported {
        if let Some(id) = constant.as_foreign() {
            return super::foreign::unsupported_foreign(id, O::MODEL);
        }
        let why = match constant.as_functional() {
            Some(_) => ": its value need not be piecewise analytic",
            None => "",
        };
        Unsupported { model: O::MODEL, construct: format!("{}{why}", constant.describe_missing()) }
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
            (Constant::Foreign(id), [x]) if let Some(pieces) = super::foreign::pieces_of(id)? => {
                self.wrap_primitive(&pieces).as_function()?.apply(x)
            }
            (Constant::Deriv | Constant::Jvp | Constant::Rd, _) => O::differentiate(self, constant, arguments)
                .unwrap_or_else(|| self.apply_derivative(constant, arguments)),
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
            hooks: Arc::new(DefaultPiecewiseHooks),
            to,
            budget,
        }
        .evaluate()
    }
}

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Decides on which piece of an operation a number lies.
    fn decide_piece(&self, graph: &Graph, test: SignTest) -> Result<bool, ValueError> {
        self.ask_oracle(SignGuard::new(graph, test, SourceId::NOWHERE), GuardRole::Choice)
    }

    /// Applies a constant that is not analytic everywhere; `None` for a constant that is.
    fn apply_analytic(&self, constant: Constant, arguments: &[&Graph]) -> Option<Result<Graph, ValueError>> {
        Some(match (constant, arguments) {
            (Constant::Divide, [x, y]) => self.divide(x, y),
            (Constant::Power | Constant::RealPower, [x, y]) => self.positive_power(x, y),
            (Constant::Abs, [_]) if !self.oracle.hooks().forks_at_kinks() => return None,
            (Constant::Abs, [x]) => {
                self.choose_by_test(SignTest::NonNegative, x, || (*x).clone(), || Graph::unary(Unary::Negate, x))
            }
            (Constant::Signum, [x]) => self.signum(x),
            (Constant::Max, [x, y]) => self.choose_by_order(x, y, x, y),
            (Constant::Min, [x, y]) => self.choose_by_order(y, x, x, y),
            (Constant::Elementary(f), [x]) => self.apply_elementary(f, x),
            (Constant::Planar(f), [y, x]) => self.apply_planar(f, y, x),
            (Constant::Foreign(id), [x]) => super::foreign::graph_of(id, x),
            _ => return None,
        })
    }

    fn choose_by_test(
        &self,
        test: SignTest,
        x: &Graph,
        then: impl FnOnce() -> Graph,
        otherwise: impl FnOnce() -> Graph,
    ) -> Result<Graph, ValueError> {
        let guard = SignGuard::new(x, test, SourceId::NOWHERE);
        Ok(if self.ask_oracle(guard, GuardRole::Join)? { then() } else { otherwise() })
    }

    /// Returns `then` if x ≥ y, otherwise `otherwise`.
    fn choose_by_order(&self, x: &Graph, y: &Graph, then: &Graph, otherwise: &Graph) -> Result<Graph, ValueError> {
        let difference = SignGuard::of_difference(x, y, SignTest::NonNegative, SourceId::NOWHERE);
        Ok(if self.ask_oracle(difference, GuardRole::Join)? { then } else { otherwise }.clone())
    }

    fn signum(&self, x: &Graph) -> Result<Graph, ValueError> {
        Ok(Graph::integer(match (self.decide_piece(x, SignTest::Positive)?, x) {
            (true, _) => 1,
            (false, x) if self.decide_piece(x, SignTest::Zero)? => 0,
            (false, _) => -1,
        }))
    }

    fn divide(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.require_value("/", RealOperation::Divide.conditions(), &[x, y])?;
        Ok(Graph::binary(Binary::Divide, x, y))
    }

    /// Returns exp (y log x); fails unless x > 0.
    fn positive_power(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.require_value("^", RealOperation::RealPower.conditions(), &[x, y])?;
        let product = Graph::binary(Binary::Multiply, y, &Graph::function(Function::Log, x));
        Ok(Graph::function(Function::Exp, &product))
    }

    /// Returns `x ^ q` for a literal exponent.
    fn literal_power_of(&self, x: &Graph, q: &Rational) -> Result<Graph, ValueError> {
        // x^(n/2) for n > 0 is the n-th power of the root
        if *q.denom() == 2
            && *q > 0
            && let Some(root) = self.norm_for_root(x)
        {
            return Ok(root.pow(&(Rational::from(q * 2u32))));
        }
        let operation = RealOperation::Power(PowerKind::of_exponent(q));
        // a pole at 0, or an edge at 0 for a fractional power; whole powers are analytic there
        if self.require_value("^", operation.conditions(), &[x])?.is_some() {
            return Ok(Graph::integer(0));
        }
        match Graph::power(x, q) {
            Some(power) => Ok(power),
            None if self.decide_piece(x, SignTest::Positive)? => self.positive_power(x, &Graph::rational(q.clone())),
            // such a power of a number ≤ 0 may exist, but is not representable here
            None => Err(ValueError::Unsupported {
                model: O::MODEL,
                construct: format!("the power {q} of numbers that are not positive"),
            }),
        }
    }

    /// Returns the map by which the oracle replaces the square root of a number. `None` for the root itself.
    fn norm_for_root(&self, x: &Graph) -> Option<Graph> {
        // within a derivative the number depends on variables that the oracle does not know
        if self.is_differentiating() {
            return None;
        }
        self.oracle.root_of_squares(x, SourceId(self.current_site.load(Ordering::Relaxed)))
    }

    fn apply_elementary(&self, f: Function, x: &Graph) -> Result<Graph, ValueError> {
        if f == Function::Sqrt
            && let Some(root) = self.norm_for_root(x)
        {
            return Ok(root);
        }
        let Some(at) = self.require_value(f.name(), f.row().conditions, &[x])? else {
            return Ok(Graph::function(f, x));
        };
        // a root of 0 is 0
        let known = f.exact_value(at.into()).or((at == 0 && f.row().conditions.is_total()).then_some(0.0));
        let value = known.and_then(Rational::from_f64);
        Ok(value.map_or_else(|| Graph::function(f, &Graph::integer(at.into())), Graph::rational))
    }

    /// Fails where an operation has no value. Returns the integer at which its argument lies if the operation has a value
    /// there and is not analytic: a piece of its own, where the slope is 0 (W18).
    fn require_value(
        &self,
        name: &str,
        conditions: &OperationConditions,
        arguments: &[&Graph],
    ) -> Result<Option<i8>, ValueError> {
        let border_at = |condition: &ArgumentCondition| {
            let at = condition.set.border().filter(|at| conditions.has_value_at(*at));
            let x = arguments.first().filter(|_| condition.quantity == TestedQuantity::First);
            at.zip(x).map(|(at, x)| {
                let edge = Graph::integer(at.into());
                (at, SignGuard::of_difference(x, &edge, SignTest::Zero, SourceId::NOWHERE).graph)
            })
        };
        for clause in conditions.value.0 {
            self.require_clause(name, clause, arguments)?;
            if let [condition] = clause
                && condition.set.is_closed()
                && let Some((at, graph)) = border_at(condition)
                && self.decide_piece(&graph, SignTest::Zero)?
            {
                return Ok(Some(at));
            }
        }
        // the border inside the domain, which no condition above has met
        for condition in conditions.analytic.single_conditions() {
            if matches!(condition.set, NumberSet::Except(_))
                && let Some((at, graph)) = border_at(&condition)
                && self.decide_piece(&graph, SignTest::Zero)?
            {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Fails unless one of the alternatives holds. All but the last one only divide the domain into pieces.
    fn require_clause(&self, name: &str, clause: &[ArgumentCondition], arguments: &[&Graph]) -> Result<(), ValueError> {
        let guards: Vec<_> = clause.iter().flat_map(|condition| condition_guards(*condition, arguments)).collect();
        let Some((last, others)) = guards.split_last() else { return Ok(()) };
        for GuardCondition { guard, holds, .. } in others {
            if self.decide_piece(&guard.graph, guard.test)? == *holds {
                return Ok(());
            }
        }
        // a rational number is decided exactly, any other one by the sine of π x
        if let ([ArgumentCondition { set: NumberSet::ExceptNonPositiveIntegers, .. }], [x]) = (clause, arguments) {
            let primal = lock(&self.primal).clone();
            match self.substitute_primal(x, &primal).as_rational() {
                Some(q) if q.is_integer() => return self.require_test(name, &Graph::integer(0), SignTest::Zero, false),
                Some(_) => return Ok(()),
                None => {}
            }
        }
        self.require_test(name, &last.guard.graph, last.guard.test, last.holds)
    }

    fn apply_planar(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Graph, ValueError> {
        let conditions = f.row().conditions;
        for clause in conditions.analytic.0 {
            let mut is_met = false;
            for GuardCondition { guard, holds, .. } in
                clause.iter().flat_map(|condition| condition_guards(*condition, &[y, x]))
            {
                is_met = is_met || self.decide_piece(&guard.graph, guard.test)? == holds;
            }
            if is_met {
                continue;
            }
            // what has just failed need not be asked again
            for required in conditions.value.0 {
                let open: Vec<_> = required.iter().filter(|condition| !clause.contains(condition)).copied().collect();
                self.require_clause(f.name(), &open, &[y, x])?;
            }
            return match f.row().shape {
                // on the ray y = 0 > x the formula jumps: a piece of its own, where the value is π
                BinaryShape::Angle => Ok(Graph::pi()),
            };
        }
        GraphArithmetic.apply_real_constant(Constant::Planar(f), &[y, x])
    }
}

/// The constructor index that marks a count among variants: no declared type has so many constructors.
const COUNT_CONSTRUCTOR: usize = usize::MAX;

/// Builds a natural number that is known as the value of a map.
#[must_use]
pub fn count_value(graph: Graph) -> Value<Graph> {
    Value::variant_of(COUNT_CONSTRUCTOR, Value::Real(graph))
}

/// Returns the map of a count, or of a natural number. Returns `None` for another value.
#[must_use]
pub fn as_map(value: &Value<Graph>) -> Option<Graph> {
    match value {
        Value::Natural(n) => Some(Graph::rational((*n).into())),
        Value::Variant(COUNT_CONSTRUCTOR, map) => map.as_real().ok().cloned(),
        _ => None,
    }
}

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Applies a constant of natural numbers if an argument is a count; `None` if none is, or if there is no rule.
    fn apply_to_counts(&self, constant: Constant, arguments: &[Value<Graph>]) -> Option<RunResult<Self>> {
        if !arguments.iter().any(|value| matches!(value, Value::Variant(COUNT_CONSTRUCTOR, _))) {
            return None;
        }
        // for x > 0 a product of n factors x is exp (n log x); for x ≤ 0 the number n itself would be needed
        if let (Constant::NaturalPower, [Value::Real(x), n]) = (constant, arguments) {
            let n = as_map(n)?;
            let undecided = || ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Undecided, "^"));
            return Some(match self.compare_maps(x, &Graph::integer(0), SignTest::Positive) {
                Ok(true) => self.positive_power(x, &n).map(Value::Real),
                Ok(false) => Err(undecided()),
                Err(error) => Err(error),
            });
        }
        let maps: Vec<Graph> = arguments.iter().map(as_map).collect::<Option<_>>()?;
        let binary = |operation, x: &Graph, y: &Graph| Ok(count_value(Graph::binary(operation, x, y)));
        Some(match (constant, &maps[..]) {
            (Constant::ToReal, [x]) => Ok(Value::Real(x.clone())),
            (Constant::Add, [x, y]) => binary(Binary::Add, x, y),
            (Constant::NaturalProduct, [x, y]) => binary(Binary::Multiply, x, y),
            // truncated subtraction: 0 if the second is greater
            (Constant::Subtract, [x, y]) => {
                self.compare_maps(x, y, SignTest::NonNegative).and_then(|holds| match holds {
                    true => binary(Binary::Subtract, x, y),
                    false => Ok(Value::Natural(0)),
                })
            }
            (Constant::NaturalDifference, [x, y]) => {
                self.compare_maps(x, y, SignTest::NonNegative).and_then(|holds| match holds {
                    true => binary(Binary::Subtract, x, y),
                    false => Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, "-"))),
                })
            }
            (Constant::Equal, [x, y]) => self.compare_maps(x, y, SignTest::Zero).map(Value::from_bool),
            (Constant::NotEqual, [x, y]) => {
                self.compare_maps(x, y, SignTest::Zero).map(|holds| Value::from_bool(!holds))
            }
            (Constant::Less, [x, y]) => self.compare_maps(y, x, SignTest::Positive).map(Value::from_bool),
            (Constant::LessEqual, [x, y]) => self.compare_maps(y, x, SignTest::NonNegative).map(Value::from_bool),
            (Constant::Greater, [x, y]) => self.compare_maps(x, y, SignTest::Positive).map(Value::from_bool),
            (Constant::GreaterEqual, [x, y]) => self.compare_maps(x, y, SignTest::NonNegative).map(Value::from_bool),
            _ => return None,
        })
    }

    /// Asks whether the difference of two maps passes a test.
    fn compare_maps(&self, x: &Graph, y: &Graph, test: SignTest) -> Result<bool, ValueError> {
        self.ask_oracle(SignGuard::of_difference(x, y, test, SourceId::NOWHERE), GuardRole::Choice)
    }
}

/// The replaceable clauses. Everything else is as in W; the defaults are the clauses of W.
///
/// *Invariant to keep*: the pieces of a program partition the part that was unfolded, and on each the program is the map it
/// states. Its derivative is an intensional derivative (W Props. on PAP functions and on 𝒟). Nothing here checks it; the laws do.
pub trait PiecewiseHooks: fmt::Debug + Send + Sync {
    /// Returns the test to ask for a comparison.
    fn test_to_ask(&self, test: SignTest) -> SignTest {
        test
    }
    /// Substitutes the point of a derivative in a map.
    fn substitute_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
        graph.substitute(&[(v, at.clone())])
    }
    /// Returns `true` if the condition under which an operation is defined is asked, and kept on the path.
    fn keeps_conditions(&self) -> bool {
        true
    }
    /// Returns `true` if `abs` forks into two pieces.
    fn forks_at_kinks(&self) -> bool {
        true
    }
    /// Returns `true` if both answers to a guard are followed.
    fn follows_both_answers(&self) -> bool {
        true
    }
    /// Returns `true` if parts that were not unfolded are reported.
    fn reports_frontier(&self) -> bool {
        true
    }
    /// Returns the error of a program whose fuel is exhausted.
    fn fuel_error(&self, found: UndefinedValue) -> UndefinedValue {
        found
    }
}

/// The clauses of W.
#[derive(Clone, Copy, Debug)]
pub struct DefaultPiecewiseHooks;

impl PiecewiseHooks for DefaultPiecewiseHooks {}

/// The role of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardRole {
    /// A choice of the program, or an operation that is another function at an edge.
    Choice,
    /// A choice of `max`, `min` or `abs`: the two sides agree on the border.
    Join,
    /// A condition under which an operation is defined.
    Condition,
}

/// A question to an oracle: a guard and its role.
#[derive(Debug)]
pub struct GuardQuery {
    /// The guard, with the points of all enclosing derivatives substituted.
    pub guard: SignGuard,
    /// Its role.
    pub role: GuardRole,
    /// The point of the innermost derivative whose variable the guard depends on; `None` if there is none.
    pub at: Option<Graph>,
}

/// The decision of guards while a program is run.
pub trait Oracle: fmt::Debug + Send + Sync + 'static {
    /// The name of the model that runs programs with the oracle.
    const MODEL: &'static str = NAME;

    /// Applies a derivative in another way than the intensional one of W; `None` for that one.
    fn differentiate(
        _: &PiecewiseUniverse<Self>,
        _: Constant,
        _: &[Element],
    ) -> Option<RunResult<PiecewiseUniverse<Self>>>
    where
        Self: Sized,
    {
        None
    }

    /// Decides whether a guard holds.
    ///
    /// # Errors
    /// The guard is undecided.
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError>;

    /// Returns the answer of an earlier run, without any work; `None` if there is none.
    fn replayed_answer(&self, _: &SignGuard) -> Option<bool> {
        None
    }

    /// Returns an integer less than 1 away from a number at or beside the point; `None` if the oracle knows none.
    fn nearby_integer(&self, _: &Graph) -> Option<Rational> {
        None
    }

    /// Returns a map that stands for the square root of a number that is 0 at the point; `None` for the root itself.
    fn root_of_squares(&self, _: &Graph, _: SourceId) -> Option<Graph> {
        None
    }

    /// Returns the variables of the functions that are run, without those of derivatives within them.
    fn run_variables(&self) -> &[Variable] {
        &[]
    }

    /// Returns the clauses of the semantics.
    fn hooks(&self) -> &dyn PiecewiseHooks {
        &DefaultPiecewiseHooks
    }
}
