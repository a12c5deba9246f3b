//! Closed graphs as computable real numbers.
//!
//! # Numbers that are computed together
//!
//! Numbers that are computed together, in one run of a program.
//!
//! Each is a computable real number by itself. Finished runs are cached. The best enclosure of each number from any
//! run, finished or not, is kept as well: the number evaluated next starts from it, even if the budget is used up by
//! then.
//!
//! # Batches of closed graphs that share their computation
//!
//! Numbers are evaluated one after another, each in a program of its own, so a hard one does not delay the others. But
//! the columns of a gradient or a Jacobian share nearly all of their computation. Such graphs are compiled together:
//!
//! * those that differentiate one map with an integral, a root or an optimum, since [one run of its
//!   solvers](crate::smooth::machine) finds all partial derivatives;
//! * those without solvers, if separate programs have at least twice as many operations.
//!
//! # Proofs that a closed graph denotes a set with several numbers
//!
//! Proofs that a closed graph denotes a set with several numbers, by two disjoint enclosures.
//!
//! A derivative at a kink is a set in the sense of Clarke. It contains the limits of derivatives at points nearby: in
//! particular those at `p + t·v` for t → 0 from above, v being the direction of the derivative, and those from below. A
//! graph with derivatives contains the values computed from such limits.
//!
//! On `0 < t ≤ h` a branch point has one sign if its number is exactly 0 at t = 0 and strictly monotone on `0 ≤ t ≤ h`.
//! With these signs fixed, a run over `0 ≤ t ≤ h` encloses every derivative there, and so their limits. So it encloses
//! a number of the set, even if other branch points remain undecided. Two such runs with disjoint results enclose two
//! numbers.
//!
//! Binary arithmetic does not show that a number is exactly 0 at t = 0 if the point is 1/3. So terms that are affine in
//! the point, with rational coefficients, are rewritten as affine functions of the distance: `x - 1/3` at 1/3 + t is t.

use crate::number::accuracy::{PassOptions, SolverOptions, UnfinishedWork};
use crate::number::arithmetic::{Context, Sign};
use crate::number::budget::Budget;
use crate::number::double::Double;
use crate::number::real::{ComputableReal, Precision, RefinableReal, SignAnswer};
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::fold::{GraphNodes, GraphPlace};
use crate::smooth::graph::{Binary, Derivative, Graph, GraphRewriting, Guard, NodeOperation, SourceId, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::linear::LinearForm;
use crate::smooth::machine::switch::{BranchPoint, SolverEvents};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::nearby::{Diagnosis, NonuniqueMaximiser, UndefinedOperation};
use crate::smooth::program::CompiledMap;
use crate::smooth::solve::SolverFunction;
use crate::smooth::spine::{AnytimeResults, AnytimeSolvers};
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// A program for the values of closed graphs, at any precision.
#[derive(Debug)]
pub struct ClosedProgram {
    pub(in crate::smooth) program: Arc<CompiledMap>,
}

/// The value of a closed graph, computed alone or together with others.
pub type GraphEvaluation = JointNumber<ClosedProgram>;

impl ClosedProgram {
    /// Compiles some graphs into one program.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if they have free variables.
    pub fn compile_graphs(graphs: &[Graph]) -> Result<Self, SmoothError> {
        let (program, unbound) = CompiledMap::compile_open(&[], graphs);
        match unbound.len() {
            0 => Ok(Self { program: Arc::new(program) }),
            found => Err(SmoothError::Dimension { expected: 0, found }),
        }
    }
}

/// Runs a program without inputs. Intermediate enclosures are passed to `followed`.
pub(in crate::smooth) fn run_program<C: HookedContext>(
    context: &C,
    program: &CompiledMap,
    effort: &PassOptions,
    followed: Option<RunObserver>,
) -> Result<Vec<Enclosure>, SmoothError> {
    let real = Algebra::real();
    let values = |machine: &JetEvaluator<C>| -> Result<Vec<Enclosure>, SmoothError> {
        let mut branches = BranchDecisions::default();
        let values = machine.eval_block(&program.root, &real, &[], &[], &mut branches, EvalTarget::Outputs)?;
        // An integral without a value may stand in a branch that is not taken, or in another one of the numbers.
        if values.len() > 1 || !branches.undecided.is_empty() {
            effort.forget_divergence();
        }
        let values: Vec<_> = values.iter().map(|jet| machine.jets(&real).value_of(jet)).collect();
        Ok(all_defined_or_bottom(context, &values))
    };
    let machine = JetEvaluator::new(context, effort, &real, program);
    let Some(followed) = followed else { return values(&machine) };
    // a replay of the spine computes all outputs again, with the enclosures of the solvers so far
    let replay = |machine: &JetEvaluator<C>| values(machine).map(|found| (followed.observe)(&found));
    values(&machine.with_anytime(&AnytimeSolvers::new(followed.results, &replay)))
}

impl JointProgram for ClosedProgram {
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        match tier {
            Precision::Double => run_program(&Double, &self.program, effort, Some(followed)),
            Precision::Mpfr(bits) => run_program(&Mpfr::new(bits), &self.program, effort, Some(followed)),
        }
    }

    fn output_count(&self) -> usize {
        self.program.root.outputs.len()
    }

    fn least_precision(&self) -> u32 {
        self.program.least_precision()
    }

    fn has_solver(&self) -> bool {
        self.program.root.has_solver
    }
}

/// Replaces numbers that are not certainly defined by ⊥.
pub(in crate::smooth) fn all_defined_or_bottom<C: HookedContext>(context: &C, found: &[C::Num]) -> Vec<Enclosure> {
    let certain = |n: &C::Num| if context.is_defined(n) { context.to_enclosure(n) } else { Enclosure::bottom() };
    found.iter().map(certain).collect()
}

impl GraphEvaluation {
    /// Returns the candidates that an optimum of the program does not separate, by one more pass. Returns `None` if
    /// there is no such optimum, or the budget runs out.
    #[must_use]
    pub fn find_nonunique_maximiser(&self, budget: &Budget) -> Option<NonuniqueMaximiser> {
        let (witness, real) = (Diagnosis::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), PassOptions::new(Magnitude::power_of_two(MAXIMISER_TOLERANCE), budget));
        let machine =
            JetEvaluator::new(&context, &effort, &real, &self.joint_program().program).with_diagnosis(&witness);
        machine
            .eval_block(
                &self.joint_program().program.root,
                &real,
                &[],
                &[],
                &mut BranchDecisions::default(),
                EvalTarget::Outputs,
            )
            .ok()?;
        witness.into_nonunique_maximiser().filter(|_| !budget.is_exhausted())
    }

    /// Diagnoses why the number is not certainly defined, by one more pass. Returns `None` if there is no diagnosis
    /// within the budget.
    #[must_use]
    pub fn diagnose_undefined(&self, budget: &Budget) -> Option<UndefinedOperation> {
        let (witness, real) = (Diagnosis::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), PassOptions::new(Magnitude::power_of_two(DIAGNOSIS_TOLERANCE), budget));
        let machine =
            JetEvaluator::new(&context, &effort, &real, &self.joint_program().program).with_diagnosis(&witness);
        machine
            .eval_block(
                &self.joint_program().program.root,
                &real,
                &[],
                &[],
                &mut BranchDecisions::default(),
                EvalTarget::Outputs,
            )
            .ok()?;
        witness.into_found().filter(|_| !budget.is_exhausted())
    }
}

/// The precision of a diagnosis, in bits. A choice, as the two tolerances: …
const DIAGNOSIS_BITS: u32 = 128;
/// … 2^-8 for an undefined number, so that the solvers that are to blame do some work.
const DIAGNOSIS_TOLERANCE: i64 = -8;
/// … 2^-40 for the candidates of an optimum: those closer together count as tied.
const MAXIMISER_TOLERANCE: i64 = -40;

impl Graph {
    /// Compiles a closed graph, to be evaluated pass by pass at a chosen precision and effort.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn compile_evaluation(&self) -> Result<GraphEvaluation, SmoothError> {
        Ok(GraphEvaluation::first_of(ClosedProgram::compile_graphs(std::slice::from_ref(self))?))
    }

    /// Returns the real number that a closed graph denotes.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn to_real(&self) -> Result<RefinableReal<GraphEvaluation>, SmoothError> {
        Ok(RefinableReal::new(self.compile_evaluation()?))
    }
}

impl Guard {
    /// Decides a closed guard: the sign of its number, undecided on the boundary.
    ///
    /// # Errors
    /// Errors of [`Graph::to_real`] and of the evaluation.
    pub fn decide(&self, budget: &Budget) -> Result<SignAnswer, SmoothError> {
        self.number().to_real()?.decide_sign(budget)
    }
}

/// A program that computes several numbers in one run.
pub trait JointProgram: Debug + Send + Sync {
    /// Returns the numbers; ⊥ for one that is not certainly defined.
    ///
    /// # Errors
    /// Errors of the program.
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError>;

    /// Returns the number of numbers.
    fn output_count(&self) -> usize;

    /// Returns a precision below which the numbers may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32;

    /// Returns `true` if the program contains solvers, which stop at a tolerance.
    fn has_solver(&self) -> bool;
}

/// The connections of a run: earlier results, and an observer of intermediate ones.
#[derive(Clone, Copy)]
pub struct RunObserver<'f> {
    /// Results of solvers from other runs.
    pub results: &'f AnytimeResults,
    /// Observer of intermediate enclosures.
    pub observe: &'f dyn Fn(&[Enclosure]),
}

/// One of several numbers that are computed together.
#[derive(Debug)]
pub struct JointNumber<R> {
    joint: Arc<SharedProgram<R>>,
    index: usize,
}

#[derive(Debug)]
struct SharedProgram<R> {
    run: R,
    ledger: AnytimeResults,
    known: Mutex<RunCache>,
}

impl<R> SharedProgram<R> {
    fn new(run: R) -> Self {
        Self { run, ledger: AnytimeResults::default(), known: Mutex::default() }
    }
}

/// The results of earlier runs.
#[derive(Debug, Default)]
struct RunCache {
    ended: VecDeque<FinishedRun>,
    /// For each number the intersection of all enclosures so far; empty before the first.
    best: Vec<Enclosure>,
    /// The numbers of the promises that the enclosures assume.
    assumed: Vec<u32>,
}

/// The largest number of cached runs. A choice: passes repeat within a few tolerances.
const MAX_CACHED_RUNS: usize = 16;

/// The parameters of a run: precision, tolerance, solver options, number of raised efforts.
type RunKey = (Precision, Magnitude, SolverOptions, u32);

/// A run that was not cut short: its enclosures, its unspent effort and the promises it assumes.
#[derive(Debug)]
struct FinishedRun {
    kind: RunKey,
    found: Vec<Enclosure>,
    left: UnfinishedWork,
    assumed: Vec<u32>,
}

impl RunCache {
    /// Records enclosures, unless the budget has cut short something that they might rest on. A disjoint enclosure
    /// replaces the old one: the contradiction is reported where the number is evaluated.
    fn record_enclosures(&mut self, found: &[Enclosure], effort: &PassOptions) {
        if effort.budget.was_exhausted() {
            return;
        }
        self.best.resize_with(found.len(), Enclosure::bottom);
        for (best, found) in self.best.iter_mut().zip(found) {
            *best = best.intersection(found).unwrap_or_else(|| found.clone());
        }
        let new = effort.assumed_promises().into_iter().filter(|site| !self.assumed.contains(site)).collect::<Vec<_>>();
        self.assumed.extend(new);
    }
}

impl<R: JointProgram> JointNumber<R> {
    /// Returns all numbers of a run.
    #[must_use]
    pub fn all_of(run: R) -> Vec<Self> {
        let count = run.output_count();
        let joint = Arc::new(SharedProgram::new(run));
        (0..count).map(|index| Self { joint: joint.clone(), index }).collect()
    }

    /// Returns the first number of a run.
    #[must_use]
    pub fn first_of(run: R) -> Self {
        Self { joint: Arc::new(SharedProgram::new(run)), index: 0 }
    }

    /// Returns the program.
    pub fn joint_program(&self) -> &R {
        &self.joint.run
    }

    /// Returns `true` if the run computes other numbers too.
    fn has_siblings(&self) -> bool {
        self.joint.run.output_count() > 1
    }
}

impl<R: JointProgram> ComputableReal for JointNumber<R> {
    type Error = SmoothError;

    fn enclose_in_pass(&self, tier: Precision, effort: &PassOptions) -> Result<Enclosure, SmoothError> {
        let kind = (tier, effort.tolerance(), effort.solver_options, effort.times_raised());
        // the lock is held for the whole run: another thread that needs a number of this program waits for it
        let known = RefCell::new(self.joint.known.lock().unwrap_or_else(PoisonError::into_inner));
        {
            let known = known.borrow();
            if let Some(best) = known.best.get(self.index) {
                effort.republish_enclosure(best, &known.assumed);
                if effort.budget.was_exhausted() {
                    return Ok(best.clone());
                }
            }
            if let Some(run) = known.ended.iter().find(|run| run.kind == kind) {
                effort.absorb_part(run.left, &run.assumed);
                return Ok(run.found[self.index].clone());
            }
        }
        let hear = |found: &[Enclosure]| {
            effort.publish_enclosure(&found[self.index]);
            if self.has_siblings() {
                known.borrow_mut().record_enclosures(found, effort);
            }
        };
        let found =
            self.joint.run.run_joint(tier, effort, RunObserver { results: &self.joint.ledger, observe: &hear })?;
        let component = found[self.index].clone();
        if !effort.budget.was_exhausted() {
            hear(&found);
            let known = &mut *known.borrow_mut();
            // a choice: the oldest run is dropped
            if known.ended.len() == MAX_CACHED_RUNS {
                known.ended.pop_front();
            }
            let (left, assumed) = (effort.unfinished(), effort.assumed_promises());
            known.ended.push_back(FinishedRun { kind, found, left, assumed });
        }
        Ok(component)
    }

    fn least_precision(&self) -> u32 {
        self.joint.run.least_precision()
    }

    fn contains_solver(&self) -> bool {
        self.joint.run.has_solver()
    }
}

/// The ratio of operations, separate to shared, from which graphs without solvers are compiled together. A choice.
const SHARING_RATIO: usize = 2;

/// A batch of closed graphs. A graph is compiled when it is first needed.
#[derive(Debug)]
pub struct QueryBatch {
    /// The groups that are computed together, by the addresses of their graphs.
    together: FxHashMap<usize, Arc<[Graph]>>,
    /// `true` if integrals that converge conditionally have a value.
    allows_conditional: bool,
    asked: FxHashMap<usize, Arc<RefinableReal<GraphEvaluation>>>,
}

impl QueryBatch {
    /// Groups the graphs of a batch. Other graphs may be evaluated as well, by themselves.
    #[must_use]
    pub fn new(graphs: &[&Graph]) -> Self {
        let mut together = FxHashMap::default();
        let mut seen = FxHashSet::default();
        // a graph that is requested twice must not form a group with itself
        let once: Vec<_> = graphs.iter().copied().filter(|g| seen.insert(g.address())).collect();
        for group in group_shared(&once) {
            let graphs: Arc<[Graph]> = group.into_iter().cloned().collect();
            graphs.iter().for_each(|g| drop(together.insert(g.address(), graphs.clone())));
        }
        Self { together, allows_conditional: false, asked: FxHashMap::default() }
    }

    /// Gives integrals that converge conditionally a [value](RefinableReal::with_conditional_integrals).
    #[must_use]
    pub fn with_conditional_integrals(self) -> Self {
        Self { allows_conditional: true, ..self }
    }

    /// Returns the number that a graph denotes. Results of its group are reused.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn real_of(&mut self, graph: &Graph) -> Result<Arc<RefinableReal<GraphEvaluation>>, SmoothError> {
        let Some(graphs) = self.together.get(&graph.address()) else {
            return Ok(Arc::new(self.with_integrals(graph.to_real()?)));
        };
        if !self.asked.contains_key(&graph.address()) {
            let all = GraphEvaluation::all_of(ClosedProgram::compile_graphs(graphs)?);
            let real = |one| Arc::new(self.with_integrals(RefinableReal::new(one)));
            let found: Vec<_> = graphs.iter().zip(all).map(|(g, one)| (g.address(), real(one))).collect();
            self.asked.extend(found);
        }
        Ok(self.asked[&graph.address()].clone())
    }

    /// Returns a number, with the integrals that have a value in this batch.
    fn with_integrals<A: ComputableReal>(&self, real: RefinableReal<A>) -> RefinableReal<A> {
        if self.allows_conditional { real.with_conditional_integrals() } else { real }
    }
}

/// Groups different graphs by what they share. Graphs outside all groups are computed alone.
fn group_shared<'g>(graphs: &[&'g Graph]) -> Vec<Vec<&'g Graph>> {
    if graphs.len() < 2 {
        return Vec::new();
    }
    let mut kin = SharedSearches::default();
    let found: Vec<_> = graphs.iter().map(|g| kin.visit_graph(g)).collect();
    if !found.iter().any(|found| found.searches) {
        // counted with each graph's own nodes against the union of all
        let (all, mut operations) = (kin.known.len(), 0);
        let is_shared = graphs.iter().any(|g| {
            operations += Graph::all_nodes([*g]).len();
            operations >= SHARING_RATIO * all
        });
        return if is_shared { vec![graphs.to_vec()] } else { Vec::new() };
    }
    let mut groups: FxHashMap<usize, Vec<&Graph>> = FxHashMap::default();
    for (graph, found) in graphs.iter().zip(found) {
        if let Some(map) = found.map {
            groups.entry(kin.class_root(map)).or_default().push(*graph);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Solvers and differentiated maps in a graph.
#[derive(Clone, Copy, Debug, Default)]
struct SolverUse {
    /// `true` if the graph contains an integral, a root or an optimum.
    searches: bool,
    /// One of the maps with solvers that are differentiated in the graph, as an index.
    map: Option<usize>,
}

/// A union-find structure on maps with solvers: two maps that are differentiated in one graph are in one class.
#[derive(Debug, Default)]
struct SharedSearches {
    known: FxHashMap<usize, SolverUse>,
    /// The parent in the union-find forest; a root is its own parent.
    kin: Vec<usize>,
    maps: FxHashMap<usize, usize>,
}

impl SharedSearches {
    fn class_root(&self, mut map: usize) -> usize {
        while self.kin[map] != map {
            map = self.kin[map];
        }
        map
    }

    fn merge_classes(&mut self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.class_root(a), self.class_root(b));
            // the smaller index is the root, so the result does not depend on the order of unions
            self.kin[a.max(b)] = a.min(b);
        }
        a.or(b)
    }

    fn visit_graph(&mut self, g: &Graph) -> SolverUse {
        if let Some(known) = self.known.get(&g.address()) {
            return *known;
        }
        let mut found = SolverUse { searches: matches!(g.operation(), NodeOperation::Second(..)), map: None };
        let body = g.operation().binder().map(|(_, body)| body);
        for part in g.operation().operands().into_iter().chain(body) {
            let inside = with_stack(|| self.visit_graph(part));
            found = SolverUse {
                searches: found.searches | inside.searches,
                map: self.merge_classes(found.map, inside.map),
            };
        }
        if let NodeOperation::Derivative(d) = g.operation()
            && self.visit_graph(&d.body).searches
        {
            let next = self.kin.len();
            let map = *self.maps.entry(d.body.address()).or_insert(next);
            self.kin.extend((map == next).then_some(next));
            found.map = self.merge_classes(found.map, Some(map));
        }
        self.known.insert(g.address(), found);
        found
    }
}

/// The precision of a run, in bits. A choice, as the following: …
const RUN_BITS: u32 = 256;
/// … the solvers' tolerance is 2^-100, …
const SOLVER_TOLERANCE: i64 = -100;
/// … and h is 2^-128, small enough that other branch points usually keep their sign.
const STEP_BITS: u32 = 128;
/// The largest number of rounds. Each finds the branch points that are met only with the signs of others fixed.
const MAX_ROUNDS: usize = 8;

impl Graph {
    /// Encloses two different numbers of the set that a closed graph denotes, in increasing order. Returns `None` if
    /// this fails.
    ///
    /// # Errors
    /// Errors of the program.
    pub fn separate_values(&self, budget: &Budget) -> Result<Option<[Enclosure; 2]>, SmoothError> {
        let Some(above) = self.one_sided_enclosure(1, budget)? else { return Ok(None) };
        let Some(below) = self.one_sided_enclosure(-1, budget)? else { return Ok(None) };
        Ok(match (below.hi() < above.lo(), above.hi() < below.lo()) {
            (true, _) => Some([below, above]),
            (_, true) => Some([above, below]),
            _ => None,
        })
    }

    /// Encloses a limit of values with all derivatives taken next to their points, on the side of `way`. Returns `None`
    /// if there is no derivative, or no bounded enclosure.
    fn one_sided_enclosure(&self, way: i64, budget: &Budget) -> Result<Option<Enclosure>, SmoothError> {
        let t = Variable::fresh();
        let distance = Graph::binary(Binary::Multiply, &Graph::integer(way), &Graph::variable(t));
        let moved = DerivativeShift { distance: &distance, memo: FxHashMap::default() }.rewrite_operand(self);
        // no derivative outside binders: the graph is a number, or its set is not visible this way
        if !moved.depends_on(t) {
            return Ok(None);
        }
        let (program, unbound) = CompiledMap::compile_open(&[t], std::slice::from_ref(&moved));
        if !unbound.is_empty() {
            return Ok(None);
        }
        let (context, real) = (Mpfr::new(RUN_BITS), Algebra::real());
        let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_TOLERANCE), budget);
        let machine = JetEvaluator::new(&context, &effort, &real, &program);
        let events = SolverEvents::default();
        let function = SolverFunction::new(&machine, &program.root, &[], SourceId::NOWHERE, &events);
        let piece =
            context.hull(&context.enclose_integer(0), &context.enclose_rational(&(Rational::from(1) >> STEP_BITS)));
        // signs that are fixed may make further branch points reachable, so the run is repeated until none is new
        let mut forced: Vec<(BranchPoint, KinkBranch)> = Vec::new();
        let mut round = 0;
        loop {
            let mut branches = BranchDecisions::with_forced(forced.clone());
            let found = function.value_over(&piece, &mut branches, EvalTarget::Outputs)?;
            let before = forced.len();
            for switch in branches.undecided {
                if forced.iter().any(|(known, _)| *known == switch) {
                    continue;
                }
                match sign_beyond_zero(&function, &piece, &forced, switch)? {
                    KinkBranch::Undecided => {}
                    side => forced.push((switch, side)),
                }
            }
            round += 1;
            if forced.len() == before || round == MAX_ROUNDS {
                let is_known = context.is_defined(&found) && context.is_bounded(&found) && !budget.is_exhausted();
                return Ok(is_known.then(|| context.to_enclosure(&found)));
            }
        }
    }
}

/// Returns the sign of a branch point on (0, h], if it is exactly 0 at 0 and strictly monotone on [0, h]; else
/// `Undecided`.
fn sign_beyond_zero<C: HookedContext>(
    f: &SolverFunction<C>,
    piece: &C::Num,
    forced: &[(BranchPoint, KinkBranch)],
    switch: BranchPoint,
) -> Result<KinkBranch, SmoothError> {
    let (context, target) = (f.context(), EvalTarget::BranchPoint(switch));
    let branches = || BranchDecisions::with_forced(forced.to_vec());
    let start = f.eval_jet(&f.machine.real, Jet::constant(context.enclose_integer(0)), &mut branches(), target)?;
    let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
    // a structural zero is exactly 0
    if !start.get(0).is_none_or(is_zero) {
        return Ok(KinkBranch::Undecided);
    }
    // strict monotonicity on the whole piece, endpoints included
    let slope = f.value_and_slope(piece, &mut branches(), target)?.slope;
    Ok(match context.sign(&slope) {
        Sign::Positive if context.is_bounded(&slope) => KinkBranch::Left,
        Sign::Negative if context.is_bounded(&slope) => KinkBranch::Right,
        _ => KinkBranch::Undecided,
    })
}

/// Moves the point of each derivative that is not under a binder by `distance` along its direction.
struct DerivativeShift<'d> {
    distance: &'d Graph,
    memo: FxHashMap<usize, Graph>,
}

impl DerivativeShift<'_> {
    fn shift_derivative(&self, d: &Derivative) -> Graph {
        // t times the direction: both sides of the point are reached by the sign of `distance`
        let steps = d.along.iter().map(|along| along * self.distance);
        // the body as a function of the displacement, so that affine terms can be expanded around the point
        let variables: Vec<Variable> = d.variables.iter().map(|_| Variable::fresh()).collect();
        let places = d.at.iter().zip(&variables).map(|(at, v)| at + Graph::variable(*v));
        let bindings: Vec<_> = d.variables.iter().copied().zip(places).collect();
        let body = AffineExpansion::default().rewrite_operand(&d.body.substitute(&bindings));
        let (at, along) = (steps.collect(), d.along.clone());
        Graph::derivative_node(Derivative { variables, body, at, along, coordinate_index: d.coordinate_index })
    }
}

impl GraphRewriting for DerivativeShift<'_> {
    fn rewrite_operand(&mut self, g: &Graph) -> Graph {
        if let Some(known) = self.memo.get(&g.address()) {
            return known.clone();
        }
        let result = match g.operation() {
            NodeOperation::Derivative(d) => self.shift_derivative(d),
            _ => with_stack(|| g.rewrite_parts(self)),
        };
        let result = result.at_site(g.site());
        self.memo.insert(g.address(), result.clone());
        result
    }
}

/// The largest number of variables of an affine form. A choice: longer sums gain nothing.
const MOST_VARIABLES: usize = 4;

/// Rewrites terms outside binders that are affine over ℚ in a normal form. Holds the rewritten nodes, by address.
#[derive(Default)]
struct AffineExpansion(FxHashMap<usize, Graph>);

impl GraphRewriting for AffineExpansion {
    fn rewrite_operand(&mut self, g: &Graph) -> Graph {
        if let Some(known) = self.0.get(&g.address()) {
            return known.clone();
        }
        let form = LinearForm::from_multiples(&GraphNodes, [(GraphPlace(g.clone()), 1)]);
        let is_variable = |place: &GraphPlace| matches!(place.0.operation(), NodeOperation::Variable(_));
        let places = || form.terms().filter_map(|(place, _)| place);
        let result = match g.operation() {
            _ if places().all(is_variable) && places().count() <= MOST_VARIABLES => form.to_graph(),
            // the terms inside of a binder are in another scope
            NodeOperation::Derivative(_) | NodeOperation::Second(..) => g.clone(),
            _ => with_stack(|| g.rewrite_parts(self)),
        };
        let result = result.at_site(g.site());
        self.0.insert(g.address(), result.clone());
        result
    }
}
