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

pub mod beside;
pub mod count;
pub mod foreign;
pub mod hooks;
pub mod operation;
pub mod oracle;
pub mod point;
pub mod replay;
pub mod steps;

use super::presheaf::constants::Graphs;
use super::sites::{Sites, is_evaluated};
use crate::model::answer::{Answer, Meaning, MeaningError};
use crate::model::universe::{Arithmetic, Code, Depth, Ran, Universe};
use crate::model::{Place, Unsupported};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, memory};
use crate::pieces::fraction::Normaliser;
use crate::pieces::guard::{Guard, Test};
use crate::presheaf::condition::Condition;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{Cause, Site, Undefined, Value, ValueError};
use oracle::{Asked, Oracle};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the model.
pub const NAME: &str = "pap";

/// The most steps of one run; a choice.
pub const MOST_STEPS: u64 = 2_000_000;
/// The work units charged for each node of a guard; a choice.
const NODE: u64 = 8;

/// The universe of piecewise analytic maps, under an oracle.
#[derive(Debug)]
pub struct Pieces<O> {
    oracle: O,
    budget: Arc<Budget>,
    unfoldings: Option<u64>,
    most_steps: u64,
    steps: AtomicU64,
    depth: Depth,
    /// The site of the operation being carried out.
    here: AtomicU32,
    sites: Sites,
    /// The variables of the enclosing derivatives, outermost first, each with its point.
    primal: Mutex<Vec<(Variable, Graph)>>,
}

impl<O: Oracle> Pieces<O> {
    /// Builds the universe under an oracle and a budget.
    #[must_use]
    pub fn new(oracle: O, budget: Arc<Budget>) -> Self {
        Self {
            oracle,
            budget,
            unfoldings: None,
            most_steps: MOST_STEPS,
            steps: AtomicU64::new(0),
            depth: Depth::default(),
            here: AtomicU32::new(0),
            sites: Sites::default(),
            primal: Mutex::default(),
        }
    }

    /// Limits recursion to the approximants µⁿ (`None` for no limit), and runs to `most_steps` steps.
    #[must_use]
    pub fn limited(self, unfoldings: Option<u64>, most_steps: u64) -> Self {
        Self { unfoldings, most_steps, ..self }
    }

    /// Returns the oracle.
    #[must_use]
    pub fn oracle(&self) -> &O {
        &self.oracle
    }

    /// Begins a run: resets the count of steps.
    pub fn begin(&self) {
        self.steps.store(0, Ordering::Relaxed);
    }

    /// Returns the place of a site; `None` for an unknown one.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.sites.place(site)
    }

    /// Returns the number of known places. Those of a program read later are numbered from here on.
    #[must_use]
    pub fn places(&self) -> usize {
        self.sites.count()
    }

    /// Sets the site of the operation carried out next.
    fn stands_at(&self, site: Site) {
        self.here.store(site.0, Ordering::Relaxed);
    }

    /// Returns the error of an exhausted run; `what` describes it.
    fn fuel(&self, what: String) -> ValueError {
        ValueError::undefined(self.oracle.hooks().fuel(Undefined::of(Cause::Fuel, what)))
    }

    /// Asks the oracle whether a guard holds. The variables of derivatives are replaced by their points.
    fn asks(&self, guard: Guard, is_condition: bool) -> Result<bool, ValueError> {
        let guard = Guard { site: Site(self.here.load(Ordering::Relaxed)), ..guard };
        // a constant guard needs no oracle, and leaves no decision on the path
        if let Some(q) = guard.graph.as_rational() {
            return Ok(guard.test.holds(q.cmp0()));
        }
        let primal = locked(&self.primal).clone();
        // inside a derivative the guard changes with the point, so an earlier answer may not be its own
        if primal.is_empty()
            && let Some(known) = self.oracle.known(&guard)
        {
            return Ok(known);
        }
        // deciding traverses the whole graph, which may grow from step to step
        if !self.budget.spend(NODE * Graph::nodes([&guard.graph]).len() as u64) {
            return Err(self.fuel(format!(
                "its {} was up after {} steps",
                memory::or_time(),
                self.steps.load(Ordering::Relaxed)
            )));
        }
        let inner = primal.iter().rev().find(|(v, _)| guard.graph.depends_on(*v));
        let Some((_, at)) = inner else { return self.oracle.decide(&Asked { guard, is_condition, at: None }) };
        // a number that is 0 everywhere has no border, so a derivative on it is not taken on one
        let varies = !Normaliser::default().fraction(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        let graph = self.at_primal(&guard.graph, &primal);
        let at = varies.then(|| self.at_primal(at, &primal));
        self.oracle.decide(&Asked { guard: Guard { graph, ..guard }, is_condition, at })
    }

    /// Substitutes the points of the enclosing derivatives in a map, the innermost first.
    fn at_primal(&self, graph: &Graph, primal: &[(Variable, Graph)]) -> Graph {
        primal.iter().rev().fold(graph.clone(), |graph, (v, at)| match graph.depends_on(*v) {
            true => self.oracle.hooks().at_the_point(&graph, *v, at),
            false => graph,
        })
    }

    /// Fails unless a test of a number has the truth value `holds`: otherwise it is outside the domain of an operation.
    fn demand(&self, operation: &str, graph: &Graph, test: Test, holds: bool) -> Result<(), ValueError> {
        let guard = Guard::new(graph, test, Site::NOWHERE);
        if !self.oracle.hooks().keeps_conditions() || self.asks(guard, true)? == holds {
            return Ok(());
        }
        Err(ValueError::undefined(Undefined::of(Cause::Domain, operation)))
    }

    /// Runs a function at fresh coordinates that lie at the point x.
    fn local(&self, f: &Element, x: &Element) -> Result<Local, ValueError> {
        let at: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let outside = {
            let mut primal = locked(&self.primal);
            let outside = primal.len();
            primal.extend(variables.iter().copied().zip(at.iter().cloned()));
            outside
        };
        let moved = x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        let value = f.as_function().and_then(|f| f.apply(&moved));
        // before any error is passed on: the variables are bound only while f runs
        locked(&self.primal).truncate(outside);
        Ok(Local { variables, at, value: value? })
    }

    fn derivative(&self, constant: Constant, arguments: &[Element]) -> Ran<Self> {
        let graphs = |x: &Element| Ok::<Vec<Graph>, ValueError>(x.coordinates()?.into_iter().cloned().collect());
        let one = Value::Real(Graph::integer(1));
        match (constant, arguments) {
            (Constant::Rd, [f, x, w]) => {
                let (Local { variables, at, value }, seeds) = (self.local(f, x)?, graphs(w)?);
                let outputs = graphs(&value)?;
                if outputs.len() != seeds.len() {
                    return Err(w.mismatch("a cotangent with as many numbers as the value of the function"));
                }
                // one reverse sweep over the graph, for all coordinates at once
                let adjoint = Graph::reverse(&variables, &outputs, &at, &seeds);
                Ok(x.with_coordinates(&mut adjoint.into_iter()))
            }
            (_, [f, x, rest @ ..]) => {
                let (Local { variables, at, value }, along) =
                    (self.local(f, x)?, graphs(rest.first().unwrap_or(&one))?);
                // a coordinate that does not move has the slope 0, without a node in the graph
                let slope = |output: Graph| match variables.iter().any(|v| output.depends_on(*v)) {
                    true => Graph::derivative(variables.clone(), output, at.clone(), along.clone()),
                    false => Graph::integer(0),
                };
                let outputs = graphs(&value)?;
                Ok(value.with_coordinates(&mut outputs.into_iter().map(slope)))
            }
            _ => self.missing(constant),
        }
    }
}

/// The value of a function at fresh coordinates, with their point.
/// The fresh coordinates.
struct Local {
    /// Their point.
    variables: Vec<Variable>,
    /// The value of the function over them.
    at: Vec<Graph>,
    value: Element,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<O: Oracle> Arithmetic for Pieces<O> {
    type Real = Graph;

    fn rational(&self, value: &Rational) -> Graph {
        Graph::rational(value.clone())
    }
    fn literal_power(&self, x: &Graph, exponent: &Rational) -> Result<Graph, ValueError> {
        self.power(x, exponent)
    }
    fn compare(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<Condition, ValueError> {
        let (x, y, test, holds) = match constant {
            Constant::RealLess => (y, x, Test::Positive, true),
            Constant::RealLessEqual => (y, x, Test::NonNegative, true),
            Constant::RealGreater => (x, y, Test::Positive, true),
            Constant::RealGreaterEqual => (x, y, Test::NonNegative, true),
            Constant::RealEqual => (x, y, Test::Zero, true),
            Constant::RealNotEqual => (x, y, Test::Zero, false),
            _ => return self.missing(constant),
        };
        // the border belongs to one side (W §2.1), which the test says
        let guard = Guard::between(x, y, self.oracle.hooks().test(test), Site::NOWHERE);
        Ok(Condition::Constant(self.asks(guard, false)? == holds))
    }
    fn real(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        self.analytic(constant, arguments).unwrap_or_else(|| Graphs.real(constant, arguments))
    }
}

impl<O: Oracle> Universe for Pieces<O> {
    type Mark = Site;
    const NAME: &'static str = NAME;

    fn step(&self) -> Result<(), ValueError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > self.most_steps {
            return Err(self.fuel(format!("it did not end within {} steps", self.most_steps)));
        }
        if self.budget.spend(1) {
            return Ok(());
        }
        Err(self.fuel(format!("its {} was up after {steps} steps", memory::or_time())))
    }
    fn depth(&self) -> Option<&Depth> {
        Some(&self.depth)
    }
    fn too_deep(&self) -> ValueError {
        self.fuel(format!("functions were applied within each other too deep, more than {} levels", Depth::MOST))
    }
    fn mark(&self, constant: Constant, place: &Place, arguments: &[Code<Self>]) -> Site {
        self.sites.mark(constant, place, arguments)
    }
    fn stands(&self, place: &Place) -> Site {
        self.sites.stands(place)
    }
    fn has(&self, constant: Constant) -> bool {
        is_evaluated(constant)
    }
    fn lacks(&self, constant: Constant) -> Unsupported {
        let why = match constant.functional() {
            Some(_) => ": of a function in pieces it need not be one in pieces",
            None => "",
        };
        Unsupported { model: NAME, construct: format!("{}{why}", constant.lacking()) }
    }
    fn unfoldings(&self) -> Option<u64> {
        self.unfoldings
    }
    fn folded(&self) -> Ran<Self> {
        Err(self.fuel("a recursive function was unfolded as often as its limit allows".to_owned()))
    }
    fn operation(self: &Arc<Self>, constant: Constant, site: Site, arguments: &[Element]) -> Ran<Self> {
        self.stands_at(site);
        let result = match (constant, arguments) {
            (Constant::Deriv | Constant::Jvp | Constant::Rd, _) => self.derivative(constant, arguments),
            (Constant::Power, [x, _]) if let Some(q) = self.sites.exponent(site) => {
                x.as_real().and_then(|x| self.power(x, &q)).map(Value::Real)
            }
            // counts first: they are variants to the rules of first order
            _ => self
                .counted(constant, arguments)
                .or_else(|| self.first_order(constant, arguments))
                .unwrap_or_else(|| self.missing(constant)),
            // the innermost site is kept: that of the operation which failed
        };
        match result {
            Ok(Value::Real(graph)) => Ok(Value::Real(graph.at(site))),
            other => other.map_err(|error| error.at(site)),
        }
    }
}

/// The piecewise semantics of Lew et al.
#[derive(Clone, Debug, Default)]
pub struct InPieces {
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfoldings: Option<u64>,
    /// The primitives to which programs are applied.
    pub primitives: Vec<foreign::Primitive>,
}

impl InPieces {
    /// The semantics without a limit and without primitives.
    pub const PAPER: Self = Self { unfoldings: None, primitives: Vec::new() };
}

impl Meaning for InPieces {
    fn name(&self) -> &'static str {
        NAME
    }
    fn about(&self) -> &'static str {
        "piecewise analytic functions (Lew et al.): borders belong to one side, and derivatives are those of the piece"
    }
    fn encloses(&self) -> bool {
        true
    }
    fn limited(&self, unfoldings: u64) -> Option<Box<dyn Meaning>> {
        Some(Box::new(Self { unfoldings: Some(unfoldings), ..self.clone() }))
    }
    fn answer_to(&self, term: &Term, _: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        let (unfoldings, primitives) = (self.unfoldings, &self.primitives[..]);
        point::Question { term, primitives, unfoldings, hooks: Arc::new(hooks::Library), to, budget }.answer()
    }
}
