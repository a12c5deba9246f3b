//! The jet evaluator: runs a compiled program over a Weil algebra, in interval arithmetic.
//!
//! A jet over a Weil algebra holds a value and its derivatives (S §4.3, read as power series). [`JetEvaluator::eval_block`] maps the
//! jets of the inputs of a [`Block`] to the jets of its outputs. Every coefficient encloses a Taylor coefficient of the
//! block, and tells whether it is certainly defined. Derivatives inside of programs are [evaluated](JetEvaluator::directional_derivative)
//! over a larger algebra; integrals, roots and optima are left to the [solvers](crate::smooth::solve).
//!
//! # Evaluators derived from another one
//!
//! For another program, for widened inputs, and for single steps near an end.
//!
//! # The work of single steps at high precision
//!
//! # Runs over ℝ alone
//!
//! Numbers in place of jets.
//!
//! Ranges, values and guards need no coefficient but the first. For them a block without binders is run on bare numbers. The
//! arithmetic and its order are those of jets, so the results are the same.
//!
//! A jet has room for four coefficients, and moving them costs more than the arithmetic. With active hooks, or
//! with a diagnosis of undefined operations, everything is a jet: they look at jets.
//!
//! # The register file of one run of a block
//!
//! # The guards decided in a run of a block
//!
//! The guards decided in a run of a block, and the steps skipped because of them.

pub mod complex;
mod derivative;
pub mod switch;

use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::{Context, Function, Sign};
use crate::number::foreign::ExtensionFailure;
use crate::number::{Enclosure, Magnitude, budget};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::asymptotic::OneSidedLimit;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, SourceId, Unary};
use crate::smooth::hooks::{EvalHooks, HookedContext};
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::complex::{ComplexEvaluator, ComplexRectangle, DOUBLE, count_steps};
use crate::smooth::machine::switch::{BinderView, SidedSigns, UNKNOWN};
use crate::smooth::nearby::{Diagnosis, DomainBoundary};
use crate::smooth::primitive::{Primitive, PrimitiveExpansion, ValueRule};
use crate::smooth::program::MinMaxUse;
use crate::smooth::program::end_facts::EndFact;
use crate::smooth::program::{
    Block, BlockInstruction, BlockRegister, CompiledMap, ControlDependences, ExactConstant, MinMaxTree, TiedMaxima,
};
use crate::smooth::solve::SolverFunction;
use crate::smooth::spine::{AnytimeSolvers, SolverResult, same_monomials};
use crate::smooth::{hooks, solve};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use switch::{AlphaBetaWindow, BranchPoint, SolverEvents, branch_number};

/// The state of one run of a program: arithmetic, tolerance and budget, constants, and the domain boundaries met so far.
#[derive(Debug)]
pub struct JetEvaluator<'m, C: HookedContext> {
    /// The arithmetic of coefficients.
    pub context: &'m C,
    /// Tolerance and budget.
    pub effort: &'m PassOptions<'m>,
    /// ℝ: the algebra that all others extend.
    pub real: Arc<Algebra>,
    /// The solvers' results so far, for enclosures of the answer before the run is over; `None` without a listener.
    pub spine: Option<&'m AnytimeSolvers<'m, C>>,
    /// The diagnosis of undefined values; `None` if none is wanted.
    pub witness: Option<&'m Diagnosis>,
    /// `true` if the inputs enclose a neighbourhood of the inputs of the question. Such a run only tests whether the map is
    /// defined there ([`nearby`](crate::smooth::nearby)).
    pub is_widened: bool,
    /// The domain boundaries met so far.
    pub edges: DomainBoundary,
    /// The constants of the program, rounded to this precision.
    constants: Vec<C::Num>,
    /// The alpha-beta window of the output of the next run. That run takes it.
    window: RefCell<AlphaBetaWindow<C::Num>>,
    /// The work units of all blocks run so far.
    work_done: Cell<u64>,
}

/// Forced branches of a run, and a record of the branches that the run could not decide.
#[derive(Clone, Debug, Default)]
pub struct BranchDecisions {
    /// The branch points whose branch is given in advance.
    pub forced: Vec<(BranchPoint, KinkBranch)>,
    /// The branch points that were undecided in the last run.
    pub undecided: Vec<BranchPoint>,
    /// Pairs (instruction, end) of the last run: optima certainly attained at this end, 0 or 1, for all inputs nearby.
    pub at_ends: Vec<(usize, usize)>,
}

/// The quantity that a run of a block returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalTarget {
    /// The outputs of the block.
    Outputs,
    /// The number whose sign decides a branch: a − b for max(a, b), a for abs, signum, guards and functions of two
    /// variables that may jump at a = 0. For an event of a solver it is the number of that event. ⊥ if the step is skipped.
    BranchPoint(BranchPoint),
}

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Returns an evaluator of `program`. A constant whose rounding the budget cannot pay for is ⊥.
    #[must_use]
    pub fn new(context: &'m C, effort: &'m PassOptions<'m>, real: &Arc<Algebra>, program: &CompiledMap) -> Self {
        let bits = context.precision();
        let constants = program.constants.iter().map(|c| match c {
            c if !effort.budget.spend(rounding_work(c, bits)) => context.bottom(),
            c => c.enclose_in(context),
        });
        let constants = constants.collect();
        Self::with_constants(context, effort, real, constants)
    }

    /// Returns the arithmetic of jets over `algebra`, limited by the budget.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> JetArithmetic<'a, C> {
        JetArithmetic { context: self.context, algebra, budget: Some(self.effort.budget) }
    }

    /// Evaluates a block. Active hooks of the arithmetic are called at each step.
    ///
    /// Returns one jet for each output, or the single jet of the requested branch point. Each coefficient encloses the
    /// Taylor coefficient of that output. All coefficients are ⊥ if the budget runs out.
    ///
    /// # Errors
    /// [`SmoothError::Nesting`] if blocks are nested deeper than [`Block::DEEPEST`]; [`SmoothError::PromiseBroken`] and
    /// [`SmoothError::DisjointEnclosures`] from the second-order primitives.
    /// primitives.
    pub fn eval_block(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        C::run_block(self, block, algebra, [parameters, captures], branches, target)
    }

    /// Evaluates a block instruction by instruction. [`run`](Self::run) reaches it through `HookedContext::run_block`, so that it is
    /// compiled once for each arithmetic of the library.
    pub(super) fn eval_instructions(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &mut BranchDecisions,
        target: EvalTarget,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let _seen = self.witness.map(Diagnosis::begin_block);
        // The window is meant for this run alone: runs nested inside of it begin with none.
        let window = self.window.replace(AlphaBetaWindow::open());
        if block.depth > Block::DEEPEST {
            return Err(SmoothError::Nesting { depth: block.depth, most: Block::DEEPEST });
        }
        branches.clear_records();
        let jets = self.jets(algebra);
        let limbs = budget::limb_count(self.context.precision());
        // The work of all steps is paid before the first, each as one multiplication of jets.
        let work = block.instructions.len() as u64 * algebra.product_count() * limbs;
        self.count_work(work);
        let affordable = self.effort.budget.spend(work);
        if !affordable {
            self.effort.record_open();
            return Ok(vec![jets.bottom_everywhere(); block.outputs.len().max(1)]);
        }
        // Spent work does not show elapsed time, so the clock is read from time to time: more often at higher precision,
        // where a step takes longer. The strides are a choice between overhead and delay.
        let stride = if limbs > 8 { 16 } else { 512 };
        // Over ℝ a jet is one number. The result is the same, without the cost of jets.
        if algebra.len() == 1
            && target == EvalTarget::Outputs
            && let Some(found) = self.eval_on_numbers(block, [parameters, captures], branches, stride)
        {
            return Ok(found);
        }
        let results = Vec::with_capacity(block.instructions.len());
        let mut frame = RegisterFile::new([parameters, captures], results, block, target);
        frame.window = window;
        for (index, instruction) in block.instructions.iter().enumerate() {
            let left_out = frame.choices.is_skipped(index);
            // A run for a branch point ends at that instruction: the instructions behind it are never evaluated.
            if let EvalTarget::BranchPoint(wanted) = target
                && wanted.instruction() == index
            {
                return match instruction {
                    _ if left_out => Ok(vec![jets.bottom_everywhere()]),
                    BlockInstruction::Derivative { body, captures, at, .. } => {
                        let (at, captures) = (frame.get_all(at), frame.get_all(captures));
                        self.eval_block(
                            body,
                            algebra,
                            &at,
                            &captures,
                            &mut branches.for_derivative_body(index),
                            wanted.inner_target(),
                        )
                    }
                    BlockInstruction::Second { body, captures, .. } => {
                        let (captures, events) = (frame.get_all(captures), branches.events_of_solver(index));
                        let site = block.sites[index];
                        let f = solve::SolverFunction::new(self, body, &captures, site, &events);
                        Ok(vec![self.number_of_event(&f, algebra, wanted)?])
                    }
                    _ => Ok(vec![branch_number(&jets, &frame, instruction)]),
                };
            }
            // A skipped step still fills its register, so that registers keep their numbers.
            if left_out {
                frame.results.push(Jet::constant(self.context.bottom()));
                continue;
            }
            if let BlockInstruction::Guard(x) = instruction {
                let sign = self.context.sign(&jets.value_of(frame.get(*x)));
                frame.choices.set_branch(index, decide_branch(sign, index, branches));
            }
            if (index + 1).is_multiple_of(stride) && self.effort.budget.is_exhausted()
                || !self.can_afford(instruction, |r| frame.get(r).get(0))
            {
                self.effort.record_open();
                return Ok(vec![jets.bottom_everywhere(); block.outputs.len().max(1)]);
            }
            let at = (index, block.sites[index]);
            let before = self.witness.and_then(Diagnosis::current_diagnosis);
            let mut step = || {
                if !C::ACTIVE {
                    return self.eval_instruction(&jets, algebra, &frame, at, instruction, branches);
                }
                let branch = self.branch_taken(&jets, &frame, index, instruction, branches);
                let step = hooks::EvalStep { machine: self, algebra, instruction, site: at.1, branch, frame: &frame };
                self.context
                    .hooks()
                    .eval_step(&step, &mut || self.eval_instruction(&jets, algebra, &frame, at, instruction, branches))
            };
            // A nested block runs over algebras of its own, so the generators of its domain boundaries mean nothing here.
            // They count for all inputs of the step. Nesting also needs stack.
            let result = match instruction.nested_inputs() {
                Some(inputs) => {
                    let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                    self.edges.around_step(&jets, inputs, || crate::stack::with_large_stack(step))?
                }
                None => step()?,
            };
            // The diagnosis looks at each step after its result: the first undefined one of defined operands is the cause.
            if let Some(witness) = self.witness {
                self.diagnose_step(witness, before, &jets, (instruction, at.1), |r| frame.get(r), &result);
            }
            frame.results.push(result);
        }
        Ok(block.outputs.iter().map(|r| frame.get(*r).clone()).collect())
    }

    /// Evaluates one instruction. The operands are registers of `frame`; undecided branches are recorded in `branches`.
    fn eval_instruction(
        &self,
        jets: &JetArithmetic<C>,
        algebra: &Arc<Algebra>,
        frame: &RegisterFile<C::Num>,
        (index, site): (usize, SourceId),
        instruction: &BlockInstruction,
        branches: &mut BranchDecisions,
    ) -> Result<Jet<C::Num>, SmoothError> {
        Ok(match instruction {
            BlockInstruction::Constant(c) => Jet::constant(self.constants[*c as usize].clone()),
            BlockInstruction::Unary(f, x) => {
                let x = frame.get(*x);
                match f {
                    Unary::Negate => jets.negate(x),
                    // Noted first: the function may be undefined for inputs beside those given.
                    Unary::Function(f) => {
                        self.record_function_boundary(jets, *f, x);
                        jets.apply_function(*f, x)
                    }
                    Unary::Signum => match self.branch_of_sign(x, index, branches) {
                        KinkBranch::Left => Jet::constant(self.context.enclose_integer(1)),
                        KinkBranch::Right => Jet::constant(self.context.enclose_integer(-1)),
                        KinkBranch::Undecided => jets.signum(x),
                    },
                    Unary::Abs => {
                        let taken = match self.branch_of_sign(x, index, branches) {
                            KinkBranch::Left => x.clone(),
                            KinkBranch::Right => jets.negate(x),
                            KinkBranch::Undecided => return Ok(jets.undecided_abs(x)),
                            // An undecided abs is handled by the jets: Clarke's hull at order 1, ⊥ beyond.
                        };
                        self.narrow_forced_jet(frame.narrows_to_kink(branches, index), taken, || {
                            self.context.abs(&jets.value_of(x))
                        })
                    }
                }
            }
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (frame.get(*x), frame.get(*y));
                match f {
                    Binary::Add => jets.add(a, b),
                    Binary::Subtract => jets.subtract(a, b),
                    // x·x as a square is never negative; as a product of equal intervals it might be.
                    Binary::Multiply if x == y => jets.square(a),
                    Binary::Multiply => jets.multiply(a, b),
                    Binary::Divide => jets.divide(a, b),
                    Binary::Maximum | Binary::Minimum if x == y => a.clone(),
                    // Both optima are one function of the inputs, so either is the maximum, with all derivatives.
                    Binary::Maximum if self.are_tied_optima(jets, frame, [*x, *y], branches) => a.clone(),
                    Binary::Maximum => {
                        let taken = match self.branch_of_maximum(jets, a, b, index, branches) {
                            KinkBranch::Left => a.clone(),
                            KinkBranch::Right => b.clone(),
                            KinkBranch::Undecided => return Ok(jets.undecided_maximum(a, b)),
                        };
                        let both = || self.context.max(&jets.value_of(a), &jets.value_of(b));
                        self.narrow_forced_jet(frame.narrows_to_kink(branches, index), taken, both)
                    }
                    Binary::Minimum => {
                        // min(a, b) is a where b - a > 0: the arguments change places.
                        let taken = match self.branch_of_maximum(jets, b, a, index, branches) {
                            KinkBranch::Left => a.clone(),
                            KinkBranch::Right => b.clone(),
                            KinkBranch::Undecided => return Ok(jets.undecided_minimum(a, b)),
                        };
                        let both = || self.context.min(&jets.value_of(a), &jets.value_of(b));
                        self.narrow_forced_jet(frame.narrows_to_kink(branches, index), taken, both)
                    }
                    // Only where the second argument allows a jump does the sign of the first decide a branch.
                    Binary::Planar(f) if jets.may_jump(*f, a, b) => {
                        let side = decide_branch(self.context.sign(&jets.value_of(a)), index, branches);
                        jets.beside_jump(*f, side, a, b)
                    }
                    Binary::Planar(f) => jets.apply_binary(*f, a, b),
                }
            }
            BlockInstruction::Power(x, e) => {
                let x = frame.get(*x);
                // An even root ends its domain at 0, as √ does.
                if e.denominator.is_multiple_of(2) {
                    self.record_function_boundary(jets, Function::Sqrt, x);
                }
                jets.power(x, e.numerator, e.denominator)
            }
            BlockInstruction::Primitive(p, xs) => {
                let xs: Vec<_> = xs.iter().map(|x| frame.get(*x).clone()).collect();
                self.eval_primitive(p, algebra, &xs)?
            }
            BlockInstruction::Derivative { body, captures, at, along, partial } => {
                // A branch is forced for a piece, and a neighbourhood may reach beyond it.
                let mut inner =
                    if self.is_widened { BranchDecisions::default() } else { branches.for_derivative_body(index) };
                let result = self.solve_or_replay(index, algebra, || {
                    // One search may give all partial derivatives of a solver's result.
                    if let Some(found) = self.partial_from_gradient(
                        algebra,
                        frame,
                        partial.as_ref(),
                        (site, body, [at, captures]),
                        &inner,
                    )? {
                        return Ok(found);
                    }
                    let [at, along, captures] = [at, along, captures].map(|registers| frame.get_all(registers));
                    let place = partial.as_ref().map(|partial| partial.place);
                    self.directional_derivative(body, algebra, [&at, &along, &captures], place, &mut inner)
                })?;
                branches.record_derivative(index, &inner);
                result
            }
            BlockInstruction::Second { primitive, body, captures } => {
                let captures = frame.get_all(captures);
                // As for derivatives: no forced signs in a neighbourhood.
                let events = if self.is_widened { SolverEvents::default() } else { branches.events_of_solver(index) };
                let window = self.window_for_step(*primitive, index, frame);
                let function = solve::SolverFunction {
                    window,
                    ..solve::SolverFunction::new(self, body, &captures, site, &events)
                };
                let run = |conditional| match primitive {
                    SecondOrder::Integral => solve::integral::integrate(&function, algebra, conditional),
                    SecondOrder::CutRoot => solve::root::cut_root(&function, algebra),
                    SecondOrder::FirstRoot => solve::root::first_root(&function, algebra),
                    SecondOrder::Maximum => solve::optimum::maximum(&function, algebra),
                    SecondOrder::Maximiser => solve::optimum::maximiser(&function, algebra),
                };
                let solve = || self.effort.inside_binder(run);
                let result = self.solve_or_replay(index, algebra, || match self.witness {
                    None => solve(),
                    Some(witness) => witness.around_solver(solve),
                })?;
                branches.record_events(index, events);
                result
            }
            // The sign of a guard was taken before the step; the register keeps the number.
            BlockInstruction::Guard(x) => frame.get(*x).clone(),
            BlockInstruction::Select { guard, then, otherwise } => match frame.guard_branch(*guard) {
                KinkBranch::Left => frame.get(*then).clone(),
                KinkBranch::Right => frame.get(*otherwise).clone(),
                KinkBranch::Undecided => {
                    jets.undecided_choice(frame.get(*guard), frame.get(*then), frame.get(*otherwise))
                }
            },
        })
    }

    /// Returns the jet of a forced branch, its value narrowed by the range of the kink itself.
    ///
    /// On the piece for which the branch is forced, the branch is the max, min or abs. So its value lies in both ranges:
    /// that of an abs, for instance, is not negative. Its derivatives are those of the branch. Returns `taken` unchanged if
    /// `narrows_to_kink` is `false`.
    fn narrow_forced_jet(&self, narrows: bool, taken: Jet<C::Num>, kink: impl FnOnce() -> C::Num) -> Jet<C::Num> {
        if !narrows {
            return taken;
        }
        let value = taken.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        let mut taken = taken;
        // Disjoint ranges would contradict the forcing; the branch as it stands is the safe answer.
        if let Some(both) = self.context.intersect(&value, &kink()) {
            taken.set(0, Some(both));
        }
        taken
    }

    /// Returns the branch of a max, min or abs in this run: the forced one, else that of the sign.
    fn branch_taken(
        &self,
        jets: &JetArithmetic<C>,
        frame: &RegisterFile<C::Num>,
        index: usize,
        instruction: &BlockInstruction,
        branches: &BranchDecisions,
    ) -> KinkBranch {
        let switch = || self.context.sign(&jets.value_of(&branch_number(jets, frame, instruction)));
        branches.forced_branch(index).unwrap_or_else(|| KinkBranch::from_sign(switch()))
    }

    /// Returns the branch of an abs or signum by the sign of its argument. Records an undecided one.
    fn branch_of_sign(&self, x: &Jet<C::Num>, index: usize, branches: &mut BranchDecisions) -> KinkBranch {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        decide_branch(self.context.sign(&value), index, branches)
    }

    /// Returns the branch of max(a, b) by the sign of a − b. Records an undecided one.
    fn branch_of_maximum(
        &self,
        jets: &JetArithmetic<C>,
        a: &Jet<C::Num>,
        b: &Jet<C::Num>,
        index: usize,
        branches: &mut BranchDecisions,
    ) -> KinkBranch {
        decide_branch(self.context.sign(&self.context.sub(&jets.value_of(a), &jets.value_of(b))), index, branches)
    }
}

/// Returns the branch of an instruction: the forced one, else that of `sign`. Records the instruction if the sign is undecided.
pub(in crate::smooth) fn decide_branch(sign: Sign, index: usize, branches: &mut BranchDecisions) -> KinkBranch {
    if let Some(forced) = branches.forced_branch(index) {
        return forced;
    }
    let branch = KinkBranch::from_sign(sign);
    if branch == KinkBranch::Undecided {
        branches.undecided.push(BranchPoint::of_instruction(index));
    }
    branch
}

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Returns an evaluator for a program with these constants, without spine or diagnosis.
    #[must_use]
    pub(in crate::smooth) fn with_constants(
        context: &'m C,
        effort: &'m PassOptions<'m>,
        real: &Arc<Algebra>,
        constants: Vec<C::Num>,
    ) -> Self {
        let (real, edges) = (real.clone(), DomainBoundary::default());
        Self {
            context,
            effort,
            real,
            spine: None,
            witness: None,
            is_widened: false,
            edges,
            constants,
            window: RefCell::new(AlphaBetaWindow::open()),
            work_done: Cell::new(0),
        }
    }

    /// Counts the work units of a block that is run, here and in the spine.
    pub(in crate::smooth) fn count_work(&self, work: u64) {
        self.work_done.set(self.work_done.get().saturating_add(work));
        if let Some(spine) = self.spine {
            spine.count_work(work);
        }
    }

    /// Returns the work units of all blocks run so far.
    pub(in crate::smooth) fn work_done(&self) -> u64 {
        self.work_done.get()
    }

    /// Returns the constants of the program, rounded to this precision.
    pub(in crate::smooth) fn constants(&self) -> &[C::Num] {
        &self.constants
    }
}

/// The exact values that are known of the registers of a block at an end, for all inputs nearby.
#[derive(Default)]
pub(in crate::smooth) struct KnownAtEnd<'b> {
    /// The registers that are 0 where the branch point is of which the end is a zero.
    pub(in crate::smooth) zeros: Vec<BlockRegister>,
    /// The values that normal forms show.
    facts: &'b [EndFact],
}

impl KnownAtEnd<'_> {
    /// Returns the fact about a register, if there is one.
    pub(in crate::smooth) fn fact(&self, register: BlockRegister) -> Option<&EndFact> {
        self.facts.iter().find(|fact| fact.register == register)
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns `true` if hooks or a diagnosis look at each step. Then no shortcut may skip a step.
    fn is_watched(&self) -> bool {
        C::ACTIVE || self.witness.is_some()
    }

    /// Returns an evaluator for another program at the same inputs.
    #[must_use]
    pub fn for_program(&self, program: &CompiledMap) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { is_widened: self.is_widened, ..machine }
    }

    /// Copies the evaluator with another tolerance and budget. Spine, diagnosis and domain boundaries are left behind.
    fn with_effort<'e>(&'e self, effort: &'e PassOptions<'e>) -> JetEvaluator<'e, C> {
        let machine = JetEvaluator::with_constants(self.context, effort, &self.real, self.constants.clone());
        JetEvaluator { is_widened: self.is_widened, ..machine }
    }

    /// Copies the evaluator without recorded domain boundaries, spine and counted work. The diagnosis stays.
    fn without_records(&self) -> Self {
        let (real, constants) = (self.real.clone(), self.constants.clone());
        Self {
            real,
            constants,
            spine: None,
            edges: DomainBoundary::default(),
            window: RefCell::new(AlphaBetaWindow::open()),
            work_done: Cell::new(0),
            ..*self
        }
    }

    /// Copies the evaluator for inputs that enclose a neighbourhood of the given ones.
    #[must_use]
    pub fn on_widened_inputs(&self) -> Self {
        Self { is_widened: true, ..self.without_records() }
    }

    /// Evaluates one step over an algebra that is not one of inputs. Returns ⊥ if the budget cannot pay for the step.
    pub(in crate::smooth) fn eval_beside_end(
        &self,
        algebra: &Arc<Algebra>,
        frame: &RegisterFile<C::Num>,
        at: (usize, SourceId),
        instruction: &BlockInstruction,
        branches: &mut BranchDecisions,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jets = self.jets(algebra);
        if !self.can_afford(instruction, |r| frame.get(r).get(0)) {
            return Ok(jets.bottom_everywhere());
        }
        match instruction.nested_inputs() {
            Some(inputs) => {
                // As in a run of a block: boundaries met inside count for all inputs of the step.
                let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                self.edges.around_step(&jets, inputs, || {
                    crate::stack::with_large_stack(|| {
                        self.eval_instruction(&jets, algebra, frame, at, instruction, branches)
                    })
                })
            }
            None => self.eval_instruction(&jets, algebra, frame, at, instruction, branches),
        }
    }

    /// Returns the branch of a step on a piece beside an end, and decisions that force it for the end alone.
    pub(in crate::smooth) fn branch_beside(
        &self,
        jets: &JetArithmetic<C>,
        over: &RegisterFile<C::Num>,
        (index, instruction): (usize, &BlockInstruction),
        branches: &BranchDecisions,
    ) -> (KinkBranch, BranchDecisions) {
        // At the end itself the number may be 0, though it has one sign on the piece: the branch of the piece is the limit.
        let branch = match instruction {
            BlockInstruction::Unary(Unary::Abs, _)
            | BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, ..) => {
                self.branch_taken(jets, over, index, instruction, branches)
            }
            _ => branches.forced_branch(index).unwrap_or(KinkBranch::Undecided),
        };
        let mut known = branches.forced.clone();
        known.push((BranchPoint::of_instruction(index), branch));
        (branch, BranchDecisions::with_forced(known))
    }

    /// Returns what is known exactly of the registers of a block at the end that a run approaches.
    pub(in crate::smooth) fn known_at_end<'b>(
        &self,
        block: &'b Block,
        approach: &OneSidedLimit<C::Num>,
        first: usize,
    ) -> KnownAtEnd<'b> {
        let zeros = match approach.root {
            Some(root) if root.is_own() => self.registers_zero_at(block, root.instruction(), first),
            _ => Vec::new(),
        };
        // The facts are about the ends of the whole range, at which a piece of it may lie.
        let is_at = |end: &usize| {
            let distance = |c: &C::Num| self.context.sub(c, &self.context.enclose_integer(*end as i64));
            let is_zero = |c: &C::Num| self.context.is_point(c) && self.context.contains_zero(c);
            approach.end.is_constant()
                && match approach.end.get(0) {
                    Some(place) => is_zero(&distance(place)),
                    None => *end == 0,
                }
        };
        let facts = (0..2).find(is_at).map_or(&[][..], |end| block.edges.facts_at(end));
        KnownAtEnd { zeros, facts }
    }

    /// Returns the expansion of a register at an end, made exact by what is known of it there. `algebra` has the distance
    /// from the end, or the root of it of order `ramification`, as its last generator.
    pub(in crate::smooth) fn with_end_fact(
        &self,
        algebra: &Algebra,
        jet: Jet<C::Num>,
        fact: Option<&EndFact>,
        ramification: u32,
    ) -> Jet<C::Num> {
        let (Some(fact), Some(value)) = (fact, jet.get(0)) else { return jet };
        // A fact is an equality where the register and its slopes are defined, and says nothing elsewhere.
        if !self.context.is_defined(value) || !self.context.is_bounded(value) {
            return jet;
        }
        let value = self.context.enclose_rational(&fact.value);
        let mut exact = jet.clone();
        for power in 0..(ramification * (fact.zero_slopes + 1)) as usize {
            let known = |c: &C::Num| self.context.is_defined(c) && self.context.is_bounded(c);
            let slice = algebra.power_slice(power);
            if !slice.iter().all(|&(_, here)| exact.get(here as usize).is_none_or(known)) {
                return if power == 0 { jet } else { exact };
            }
            for &(_, here) in slice {
                exact.set(here as usize, None);
            }
            // A structural 0 is what a value is that has no other coefficient.
            if power == 0 && fact.value != 0 {
                exact.set(0, Some(value.clone()));
            }
        }
        exact
    }

    /// Returns the registers that are 0 where a branch point is: its result, and the argument of abs, of a guard, or of a
    /// comparison with a constant 0; or the operand of an operation that is singular there, or of a square. The registers of the
    /// instructions of a block begin with `first`.
    fn registers_zero_at(&self, block: &Block, root: usize, first: usize) -> Vec<BlockRegister> {
        // Only an exact 0 will do: a constant whose enclosure is merely around 0 proves nothing.
        let is_nought =
            |r: BlockRegister| match (r.0 as usize).checked_sub(first).map(|index| &block.instructions[index]) {
                Some(BlockInstruction::Constant(c)) => {
                    let constant = &self.constants[*c as usize];
                    self.context.is_point(constant) && self.context.contains_zero(constant)
                }
                _ => false,
            };
        let own = BlockRegister((first + root) as u32);
        match block.instructions[root] {
            BlockInstruction::Unary(Unary::Abs, x) | BlockInstruction::Guard(x) => vec![x, own],
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(y) => vec![x, own],
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(x) => vec![y, own],
            BlockInstruction::Binary(Binary::Divide, _, x)
            | BlockInstruction::Power(x, _)
            | BlockInstruction::Unary(Unary::Function(_), x) => vec![x],
            BlockInstruction::Binary(Binary::Multiply, x, y) if x == y => vec![x],
            // Of max(x, y) at x = y ≠ 0 no register is known to be 0.
            _ => Vec::new(),
        }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Spends the work units of an instruction at high precision, beyond those counted with its block.
    ///
    /// Returns `false` if the budget does not allow it. `value` returns the number in a register, if there is one.
    fn can_afford<'n>(
        &self,
        instruction: &BlockInstruction,
        value: impl Fn(BlockRegister) -> Option<&'n C::Num>,
    ) -> bool {
        let bits = self.context.precision();
        // Up to one limb no step costs more than the block has been charged for it.
        if bits <= 64 {
            return true;
        }
        let limbs = budget::limb_count(bits);
        let units = match instruction {
            BlockInstruction::Unary(Unary::Function(f), x) => {
                // An unbounded argument is not reduced modulo π, so its size costs nothing.
                let size = value(*x).map(|x| self.context.magnitude(x)).filter(|size| size.is_finite());
                let exponent = size.map_or(0, |size| size.floor_log2());
                budget::function_units(*f, limbs, exponent)
            }
            BlockInstruction::Binary(Binary::Multiply, ..) => 2 * budget::product_units(limbs),
            BlockInstruction::Binary(Binary::Divide, ..) => 2 * budget::quotient_units(limbs),
            BlockInstruction::Binary(Binary::Planar(_), ..) => budget::binary_function_units(limbs),
            BlockInstruction::Power(_, e) => {
                let power = budget::power_units(limbs, e.numerator.unsigned_abs());
                2 * budget::root_units(limbs, e.denominator).saturating_add(power)
            }
            _ => 0,
        };
        // Cheap steps have been counted with the block. 16 units for each of at least 32 limbs is a choice.
        units <= 16 * limbs.max(32) || self.effort.budget.spend(units)
    }
}

/// Returns the work units to round `constant` to `bits` bits; 0 if it is short.
fn rounding_work(constant: &ExactConstant, bits: u32) -> u64 {
    match constant {
        ExactConstant::Rational(q) => {
            let size = q.numer().significant_bits().saturating_add(q.denom().significant_bits());
            // 4096 bits is a choice: shorter constants are converted free of charge.
            if size <= 1 << 12 { 0 } else { budget::product_units(budget::limb_count(size.saturating_add(bits))) }
        }
        ExactConstant::Pi | ExactConstant::Euler if bits <= 1 << 11 => 0,
        ExactConstant::Pi | ExactConstant::Euler => budget::function_units(Function::Exp, budget::limb_count(bits), 0),
    }
}

/// The registers of a run on numbers.
struct NumberRegisters<'f, N> {
    inputs: Vec<&'f N>,
    results: Vec<N>,
}

impl<N> NumberRegisters<'_, N> {
    /// Returns the number in a register, inputs first.
    fn get(&self, r: BlockRegister) -> &N {
        let index = r.0 as usize;
        match self.inputs.get(index) {
            Some(input) => input,
            None => &self.results[index - self.inputs.len()],
        }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Evaluates a [plain](Block::is_plain) block on numbers.
    ///
    /// Returns `None` if the block is not plain, an input is not a number, or the run is watched.
    fn eval_on_numbers(
        &self,
        block: &Block,
        inputs: [&[Jet<C::Num>]; 2],
        branches: &mut BranchDecisions,
        stride: usize,
    ) -> Option<Vec<Jet<C::Num>>> {
        if !block.is_plain || self.is_watched() {
            return None;
        }
        let inputs = inputs.into_iter().flatten().map(Jet::as_number).collect::<Option<Vec<_>>>()?;
        let mut numbers = NumberRegisters { inputs, results: Vec::with_capacity(block.instructions.len()) };
        let mut choices = GuardDecisions::new(&block.regions);
        for (index, instruction) in block.instructions.iter().enumerate() {
            if choices.is_skipped(index) {
                // A skipped step still fills its register.
                numbers.results.push(self.context.bottom());
                continue;
            }
            if let BlockInstruction::Guard(x) = instruction {
                choices.set_branch(index, decide_branch(self.context.sign(numbers.get(*x)), index, branches));
            }
            let exhausted = (index + 1).is_multiple_of(stride) && self.effort.budget.is_exhausted();
            if exhausted || !self.can_afford(instruction, |r| Some(numbers.get(r))) {
                self.effort.record_open();
                return Some(vec![Jet::constant(self.context.bottom()); block.outputs.len().max(1)]);
            }
            let first = numbers.inputs.len();
            // Guards are kept by instruction: registers less the inputs.
            let taken = |guard: BlockRegister| choices.branch_of((guard.0 as usize).saturating_sub(first));
            let result = self.eval_number_instruction(&numbers, index, instruction, branches, taken)?;
            numbers.results.push(result);
        }
        Some(block.outputs.iter().map(|r| Jet::constant(numbers.get(*r).clone())).collect())
    }

    /// Evaluates one instruction on numbers. Returns `None` for an instruction that needs more than numbers.
    fn eval_number_instruction(
        &self,
        numbers: &NumberRegisters<C::Num>,
        index: usize,
        instruction: &BlockInstruction,
        branches: &mut BranchDecisions,
        taken: impl Fn(BlockRegister) -> KinkBranch,
    ) -> Option<C::Num> {
        let (context, get) = (self.context, |r: &BlockRegister| numbers.get(*r));
        Some(match instruction {
            BlockInstruction::Constant(c) => self.constants[*c as usize].clone(),
            BlockInstruction::Unary(f, x) => {
                let x = get(x);
                match f {
                    Unary::Negate => context.neg(x),
                    Unary::Function(f) => {
                        self.note_domain_boundary(*f, x);
                        context.apply_function(*f, x)
                    }
                    Unary::Signum => match decide_branch(context.sign(x), index, branches) {
                        KinkBranch::Left => context.enclose_integer(1),
                        KinkBranch::Right => context.enclose_integer(-1),
                        KinkBranch::Undecided => context.signum(x),
                    },
                    Unary::Abs => match decide_branch(context.sign(x), index, branches) {
                        KinkBranch::Left => self.narrow_forced_number(branches, index, x.clone(), || context.abs(x)),
                        KinkBranch::Right => {
                            self.narrow_forced_number(branches, index, context.neg(x), || context.abs(x))
                        }
                        KinkBranch::Undecided => context.abs(x),
                    },
                }
            }
            BlockInstruction::Binary(f, x, y) => {
                let (a, b) = (get(x), get(y));
                match f {
                    Binary::Add => context.add(a, b),
                    Binary::Subtract => context.sub(a, b),
                    // The square that jets compute, so that both ways agree to the last bit.
                    Binary::Multiply if x == y => self.jets(&self.real).square_of(a),
                    Binary::Multiply => context.mul(a, b),
                    Binary::Divide => context.div(a, b),
                    Binary::Maximum | Binary::Minimum if x == y => a.clone(),
                    Binary::Maximum => match decide_branch(context.sign(&context.sub(a, b)), index, branches) {
                        KinkBranch::Left => self.narrow_forced_number(branches, index, a.clone(), || context.max(a, b)),
                        KinkBranch::Right => {
                            self.narrow_forced_number(branches, index, b.clone(), || context.max(a, b))
                        }
                        KinkBranch::Undecided => context.max(a, b),
                    },
                    Binary::Minimum => match decide_branch(context.sign(&context.sub(b, a)), index, branches) {
                        KinkBranch::Left => self.narrow_forced_number(branches, index, a.clone(), || context.min(a, b)),
                        KinkBranch::Right => {
                            self.narrow_forced_number(branches, index, b.clone(), || context.min(a, b))
                        }
                        KinkBranch::Undecided => context.min(a, b),
                    },
                    Binary::Planar(_) => return None,
                }
            }
            BlockInstruction::Power(x, e) => {
                let x = get(x);
                if e.denominator.is_multiple_of(2) {
                    self.note_domain_boundary(Function::Sqrt, x);
                }
                let jets = self.jets(&self.real);
                jets.value_of(&jets.power(&Jet::constant(x.clone()), e.numerator, e.denominator))
            }
            BlockInstruction::Guard(x) => get(x).clone(),
            BlockInstruction::Select { guard, then, otherwise } => match taken(*guard) {
                KinkBranch::Left => get(then).clone(),
                KinkBranch::Right => get(otherwise).clone(),
                // An undecided choice is not known to be defined, although both sides may be.
                KinkBranch::Undecided => context.mark_undefined(context.hull(get(then), get(otherwise))),
            },
            BlockInstruction::Primitive(..) | BlockInstruction::Derivative { .. } | BlockInstruction::Second { .. } => {
                return None;
            }
        })
    }

    /// Returns the number of a kink's branch, narrowed by the range of the kink if the branch is [forced](Self::by_decree).
    fn narrow_forced_number(
        &self,
        branches: &BranchDecisions,
        index: usize,
        taken: C::Num,
        kink: impl FnOnce() -> C::Num,
    ) -> C::Num {
        match branches.forced_branch(index) {
            Some(_) => self.context.intersect(&taken, &kink()).unwrap_or(taken),
            None => taken,
        }
    }

    /// Notes that an argument of an elementary function lies at the boundary of its domain. No generator moves a number.
    fn note_domain_boundary(&self, f: Function, x: &C::Num) {
        if self.context.meets_domain_end(f, x) {
            self.edges.record_unknown_boundary();
        }
    }
}

/// The registers of a run of a block, with what its steps know of the run: decided guards, window and target.
#[derive(Debug)]
pub(crate) struct RegisterFile<'f, N> {
    parameters: &'f [Jet<N>],
    captures: &'f [Jet<N>],
    pub(in crate::smooth) results: Vec<Jet<N>>,
    pub(in crate::smooth) choices: GuardDecisions<'f>,
    shared: &'f [TiedMaxima],
    rivals: &'f MinMaxTree,
    target: EvalTarget,
    /// The alpha-beta window of the output.
    window: AlphaBetaWindow<N>,
    /// The gradients computed so far; `None` for those that could not be computed at once.
    gradients: RefCell<Vec<derivative::GradientEntry<N>>>,
}

impl<'f, N: Clone> RegisterFile<'f, N> {
    /// Returns the registers of a run that has computed nothing, for the outputs of a block.
    pub(in crate::smooth) fn for_outputs(inputs: [&'f [Jet<N>]; 2], block: &'f Block) -> Self {
        Self::new(inputs, Vec::with_capacity(block.instructions.len()), block, EvalTarget::Outputs)
    }

    /// Returns the registers of a run that has computed `results`. The window is unbounded.
    pub(in crate::smooth) fn new(
        inputs: [&'f [Jet<N>]; 2],
        results: Vec<Jet<N>>,
        block: &'f Block,
        target: EvalTarget,
    ) -> Self {
        let [parameters, captures] = inputs;
        let choices = GuardDecisions::new(&block.regions);
        let (shared, rivals) = (&block.shared, &block.rivals);
        let (window, gradients) = (AlphaBetaWindow::open(), RefCell::default());
        Self { parameters, captures, results, choices, shared, rivals, target, window, gradients }
    }

    /// Returns the jet in a register. Registers are numbered parameters first, then captures, then results.
    pub(in crate::smooth) fn get(&self, r: BlockRegister) -> &Jet<N> {
        let index = r.0 as usize;
        let inputs = self.parameters.len() + self.captures.len();
        if index < self.parameters.len() {
            &self.parameters[index]
        } else if index < inputs {
            &self.captures[index - self.parameters.len()]
        } else {
            &self.results[index - inputs]
        }
    }

    /// Returns the jet in a register; `None` if its step has not been run yet.
    fn get_computed(&self, r: BlockRegister) -> Option<&Jet<N>> {
        let inputs = self.parameters.len() + self.captures.len();
        ((r.0 as usize) < inputs + self.results.len()).then(|| self.get(r))
    }

    /// Returns `true` if a forced branch may narrow the value of its kink: only if the run computes outputs.
    ///
    /// Newton's method follows a branch point beyond the piece for which the branch is forced. There the branch is meant,
    /// not the kink.
    fn narrows_to_kink(&self, branches: &BranchDecisions, instruction: usize) -> bool {
        self.target == EvalTarget::Outputs && branches.forced_branch(instruction).is_some()
    }

    /// Returns `true` if two optima are the same function of the inputs: both are attained at ends at which their functions
    /// agree.
    fn are_same_function(&self, optima: [BlockRegister; 2], branches: &BranchDecisions) -> bool {
        // `end_of_optimum` knows instructions; an input has none.
        let index = |r: BlockRegister| (r.0 as usize).checked_sub(self.parameters.len() + self.captures.len());
        let end = |r| index(r).and_then(|index| branches.end_of_optimum(index));
        let mut shared = self.shared.iter().filter(|shared| shared.optima == optima);
        shared.any(|shared| shared.common_ends.iter().any(|ends| [end(optima[0]), end(optima[1])] == ends.map(Some)))
    }

    /// Returns the branch of the guard whose result is this register.
    pub(in crate::smooth) fn guard_branch(&self, guard: BlockRegister) -> KinkBranch {
        self.choices.branch_of((guard.0 as usize).saturating_sub(self.parameters.len() + self.captures.len()))
    }

    /// Returns copies of the jets in some registers.
    pub(in crate::smooth) fn get_all(&self, registers: &[BlockRegister]) -> Vec<Jet<N>> {
        registers.iter().map(|r| self.get(*r).clone()).collect()
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns `true` if two optima are [the same function](RegisterFile::are_same_function), are defined, and their values do not decide
    /// the maximum.
    fn are_tied_optima(
        &self,
        jets: &JetArithmetic<C>,
        frame: &RegisterFile<C::Num>,
        optima: [BlockRegister; 2],
        branches: &BranchDecisions,
    ) -> bool {
        // A decided sign is enough for the ordinary rule; the theorem is needed only at a tie.
        frame.are_same_function(optima, branches) && {
            let [a, b] = optima.map(|r| jets.value_of(frame.get(r)));
            self.context.is_defined(&b) && self.context.sign(&self.context.sub(&a, &b)) == Sign::Undecided
        }
    }
}

/// The branches of the guards of one run, and the regions that they make superfluous.
#[derive(Debug)]
pub(in crate::smooth) struct GuardDecisions<'b> {
    regions: &'b ControlDependences,
    /// The branches of the guards, by their instructions.
    taken: FxHashMap<usize, KinkBranch>,
    /// Entry r − 1 tells whether region r is skipped; `None` until that is computed.
    left_out: Vec<Option<bool>>,
}

impl<'b> GuardDecisions<'b> {
    /// Returns the decisions of a run in which no guard has been evaluated.
    #[must_use]
    pub fn new(regions: &'b ControlDependences) -> Self {
        let left_out = vec![None; regions.len()];
        Self { regions, taken: FxHashMap::default(), left_out }
    }

    /// Stores the branch of the guard at an instruction, which may be undecided.
    pub fn set_branch(&mut self, guard: usize, branch: KinkBranch) {
        self.taken.insert(guard, branch);
    }

    /// Returns the branch of the guard at an instruction; undecided if it was not stored.
    #[must_use]
    pub fn branch_of(&self, guard: usize) -> KinkBranch {
        self.taken.get(&guard).copied().unwrap_or(KinkBranch::Undecided)
    }

    /// Returns `true` if an instruction may be skipped: a guard around it is decided for the other side.
    pub fn is_skipped(&mut self, instruction: usize) -> bool {
        // Climbs from the innermost region outwards. Answers are stored, so each region is climbed through once.
        let mut number = self.regions.region_of(instruction);
        let mut inside = Vec::new();
        let outside = loop {
            let Some(region) = self.regions.region(number) else { break false };
            if let Some(known) = self.left_out[number - 1] {
                break known;
            }
            // An undecided guard needs both sides.
            let other = match self.branch_of(region.guard) {
                KinkBranch::Undecided => false,
                branch => branch != region.side,
            };
            if other {
                self.left_out[number - 1] = Some(true);
                break true;
            }
            inside.push(number);
            number = region.parent;
        };
        // Regions passed on the way have no skipping guard of their own: they share the answer of the one outside.
        for number in inside {
            self.left_out[number - 1] = Some(outside);
        }
        outside
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns the number whose sign is that of an event of the solver of `f`. ⊥ for a malformed event.
    pub(super) fn number_of_event(
        &self,
        f: &SolverFunction<C>,
        algebra: &Arc<Algebra>,
        switch: BranchPoint,
    ) -> Result<Jet<C::Num>, SmoothError> {
        // Nothing is forced: an event is the number of a branch point at an end, on whatever piece that lies.
        let at = |end: i64| {
            let end = Jet::constant(self.context.enclose_integer(end));
            f.eval_jet(algebra, end, &mut BranchDecisions::default(), switch.inner_target())
        };
        match (switch.view(), switch.inner_target()) {
            (BinderView::AtZero, _) => at(0),
            (BinderView::AtOne, _) => at(1),
            (BinderView::EndDifference, _) => Ok(self.jets(algebra).subtract(&at(0)?, &at(1)?)),
            (BinderView::AtRoot, EvalTarget::BranchPoint(pair)) => match pair.inner_target() {
                EvalTarget::BranchPoint(other) => {
                    f.at_zero_of(algebra, BranchPoint::of_instruction(pair.instruction()), other)
                }
                EvalTarget::Outputs => Ok(self.jets(algebra).bottom_everywhere()),
            },
            _ => Ok(self.jets(algebra).bottom_everywhere()),
        }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns the side of the zero of `root` on which `switch` is to be evaluated. Both are instructions of the block itself.
    ///
    /// Returns `None` if the number of `switch` may jump there and no side has a known sign.
    #[must_use]
    pub(in crate::smooth) fn side_to_evaluate(
        &self,
        block: &Block,
        root: BranchPoint,
        switch: BranchPoint,
    ) -> Option<KinkBranch> {
        let [root_at, switch_at] = [root, switch].map(BranchPoint::instruction);
        let inputs = block.parameters + block.captures;
        let place = |r: BlockRegister| (r.0 as usize).checked_sub(inputs);
        // For each register: `true` if it depends on the choice made at the root, and its signs.
        let mut known: Vec<(bool, SidedSigns)> = Vec::with_capacity(switch_at + 1);
        // Forward constant propagation of signs, once for either side of the border.
        for (index, instruction) in block.instructions.iter().enumerate().take(switch_at + 1) {
            let signs = |r: &BlockRegister| place(*r).map_or(UNKNOWN, |part| known[part].1);
            let mut jumps = index == root_at;
            // Whatever reads a value that may jump may jump too.
            instruction.for_each_read(|r, _| jumps |= place(r).is_some_and(|part| known[part].0));
            let own = match instruction {
                BlockInstruction::Guard(_) | BlockInstruction::Unary(Unary::Signum, _) if index == root_at => {
                    [KinkBranch::Left, KinkBranch::Right]
                }
                BlockInstruction::Constant(c) => {
                    [KinkBranch::from_sign(self.context.sign(&self.constants[*c as usize])); 2]
                }
                BlockInstruction::Unary(Unary::Negate, x) => signs(x).map(KinkBranch::opposite),
                BlockInstruction::Guard(x) | BlockInstruction::Unary(Unary::Signum, x) => signs(x),
                BlockInstruction::Select { guard, then, otherwise } => {
                    let side = |side: usize| match signs(guard)[side] {
                        KinkBranch::Left => signs(then)[side],
                        KinkBranch::Right => signs(otherwise)[side],
                        KinkBranch::Undecided => KinkBranch::Undecided,
                    };
                    [side(0), side(1)]
                }
                _ => UNKNOWN,
            };
            known.push((jumps, own));
        }
        let &(jumps, signs) = known.last()?;
        // Without a jump both sides give the same number; only skipped regions matter.
        if !jumps || !block.is_border(root) {
            return Some(block.regions.side_of(root_at, switch_at).unwrap_or(KinkBranch::Left));
        }
        // A side with a constant sign has no zero of `switch`: the other one is evaluated.
        match signs {
            [KinkBranch::Undecided, KinkBranch::Undecided] => None,
            [_, KinkBranch::Undecided] => Some(KinkBranch::Right),
            _ => Some(KinkBranch::Left),
        }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Runs `run`, which evaluates one block, with this window for the block's output.
    pub(in crate::smooth) fn eval_within<T>(&self, window: AlphaBetaWindow<C::Num>, run: impl FnOnce() -> T) -> T {
        self.window.replace(if self.has_windows() { window } else { AlphaBetaWindow::open() });
        let result = run();
        // The block has taken the window. Should none have been run, the next one must not find it.
        self.window.replace(AlphaBetaWindow::open());
        result
    }

    /// Returns `true` if windows are in use. They are not while hooks or a diagnosis look at each step.
    pub(super) fn has_windows(&self) -> bool {
        self.effort.solver_options.windows && !self.is_watched()
    }

    /// Returns the window of the result of a step, by the numbers computed before it. Only a maximum makes use of one.
    pub(super) fn window_for_step(
        &self,
        primitive: SecondOrder,
        index: usize,
        frame: &RegisterFile<C::Num>,
    ) -> AlphaBetaWindow<C::Num> {
        // A run for a branch point does not compute the output, so the output's window is no bound for its steps.
        if primitive != SecondOrder::Maximum || frame.target != EvalTarget::Outputs || !self.has_windows() {
            return AlphaBetaWindow::open();
        }
        self.window_above(index, frame, MinMaxTree::HIGHEST)
    }

    /// Returns the window of step `index`, by climbing the min/max tree at most `left` steps towards the output.
    fn window_above(&self, index: usize, frame: &RegisterFile<C::Num>, left: u32) -> AlphaBetaWindow<C::Num> {
        let (Some(above), Some(left)) = (frame.rivals.use_of(index), left.checked_sub(1)) else {
            return AlphaBetaWindow::open();
        };
        let next = |step| self.window_above(step, frame, left);
        let known = |r: BlockRegister| {
            frame.get_computed(r).map(|x| x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0)))
        };
        // A rival that is not computed yet gives no bound, but the steps above may.
        match above {
            MinMaxUse::Output => frame.window.clone(),
            MinMaxUse::Negation(step) => next(step).negated(self.context),
            MinMaxUse::Maximum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_least(self.context, &rival),
                None => next(step),
            },
            MinMaxUse::Minimum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_most(self.context, &rival),
                None => next(step),
            },
        }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Prepares a block of one parameter for complex rectangles. The generators of the captures' algebra have moduli of at
    /// most 2ʳ.
    ///
    /// Returns `None` if the block has a step that is not analytic, or if hooks are active.
    #[must_use]
    pub fn on_rectangles<'b>(
        &self,
        block: &'b Block,
        captures: &[Jet<C::Num>],
        algebra: &Algebra,
        radius: i64,
        given: &[(BranchPoint, KinkBranch)],
    ) -> Option<ComplexEvaluator<'b>> {
        if C::ACTIVE {
            return None;
        }
        let mut constants = BTreeMap::new();
        let steps = count_steps(block, &mut |c| {
            constants.entry(c).or_insert_with(|| self.rectangle_of(&self.constants[c as usize]));
        })?;
        let captures = captures.iter().map(|capture| self.rectangle_around(capture, algebra, radius)).collect();
        Some(ComplexEvaluator {
            block,
            captures,
            constants,
            given: BranchDecisions::with_forced(given.to_vec()),
            steps,
        })
    }

    /// Returns a number as a rectangle on the real axis.
    fn rectangle_of(&self, x: &C::Num) -> ComplexRectangle {
        ComplexRectangle::real(DOUBLE.round_enclosure(&self.context.to_enclosure(x)))
    }

    /// Returns a rectangle that contains all values of a jet whose generators have moduli of at most 2ʳ.
    #[must_use]
    pub fn rectangle_around(&self, jet: &Jet<C::Num>, algebra: &Algebra, radius: i64) -> ComplexRectangle {
        // |Σ c·ε^α| ≤ Σ |c|·2^(r·|α|)
        let nilpotent = (1..).zip(jet.coefficients().skip(1)).filter_map(|(monomial, c)| Some((monomial, c?)));
        let around = nilpotent.fold(Magnitude::ZERO, |sum, (monomial, c)| {
            let size = if self.context.is_defined(c) { self.context.magnitude(c) } else { Magnitude::INFINITY };
            sum + size.mul_exp2(radius.saturating_mul(algebra.degree(monomial).into()))
        });
        let value = jet.get(0).map_or_else(|| ComplexRectangle::integer(0), |x| self.rectangle_of(x));
        if around.is_zero() { value } else { value.widened_by(around) }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Evaluates the primitive at a tuple of jets.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the number of arguments is not the arity; errors of the derivative.
    pub fn eval_primitive(
        &self,
        p: &Primitive,
        algebra: &Arc<Algebra>,
        arguments: &[Jet<C::Num>],
    ) -> Result<Jet<C::Num>, SmoothError> {
        if arguments.len() != p.arity {
            return Err(SmoothError::Dimension { expected: p.arity, found: arguments.len() });
        }
        let jets = self.jets(algebra);
        let point: Vec<_> = arguments.iter().map(|x| jets.value_of(x)).collect();
        let steps: Vec<_> = arguments.iter().map(|x| jets.nilpotent_part(x)).collect();
        let all = steps.iter().fold(Jet::zero(), |sum, n| jets.add(&sum, n));
        // the arguments' own order: a higher degree of the expansion would be multiplied by 0
        let order = jets.nilpotency_bound(&all) - 1;
        let Some((generic, expansion)) = self.expand_primitive(p, &point, order)? else {
            return Ok(self.bottom_for_large_algebra(algebra));
        };
        let mut y = Jet::zero();
        for monomial in 0..generic.len() {
            let Some(c) = expansion.get(monomial) else { continue };
            let mut term = Jet::constant(c.clone());
            for (step, &power) in steps.iter().zip(generic.exponents(monomial)) {
                for _ in 0..power {
                    term = jets.multiply(&term, step);
                }
            }
            y = jets.add(&y, &term);
        }
        // outside the domain no derivative may look defined, structural zeros included
        let defined = y.get(0).is_some_and(|v| self.context.is_defined(v));
        Ok(if defined { y } else { jets.mark_undefined(y, arguments) })
    }

    /// Computes the value of a primitive.
    fn primitive_value(&self, p: &Primitive, point: &[C::Num]) -> Result<C::Num, SmoothError> {
        Ok(match &p.value {
            ValueRule::Extension(f) => {
                // the domain of an extension is unknown, so every point may lie on its boundary
                self.edges.record_unknown_boundary();
                let found = self.context.try_extension(&**f, point, self.effort.budget);
                found.map_err(|fault| {
                    SmoothError::Extension(Box::new(ExtensionFailure { name: p.name.clone(), fault }))
                })?
            }
            ValueRule::Map { program, .. } => {
                let machine = self.for_program(program);
                let point: Vec<_> = point.iter().cloned().map(Jet::constant).collect();
                let branches = &mut BranchDecisions::default();
                let y = machine.eval_block(&program.root, &self.real, &point, &[], branches, EvalTarget::Outputs)?;
                self.edges.adopt_boundaries(&machine.edges);
                self.jets(&self.real).value_of(&y[0])
            }
        })
    }

    /// Expands a primitive at a point, to a total degree. Returns `None` if there are too many terms.
    fn expand_primitive(
        &self,
        p: &Primitive,
        point: &[C::Num],
        order: u32,
    ) -> Result<Option<PrimitiveExpansion<C>>, SmoothError> {
        let generic = |degree: u32| {
            let generators = if degree == 0 { 0 } else { p.arity };
            (0..generators).try_fold(self.real.clone(), |a, _| a.adjoin(AlgebraGenerator::Taylor(degree)))
        };
        let (Some(algebra), Some(lower)) = (generic(order), generic(order.saturating_sub(1))) else {
            return Ok(None);
        };
        let mut y = Jet::constant(self.primitive_value(p, point)?);
        if order == 0 || p.arity == 0 {
            return Ok(Some((algebra, y)));
        }
        let unit = |i: usize| (0..p.arity).map(|j| u32::from(i == j)).collect::<Vec<_>>();
        let inputs: Vec<_> = (0..p.arity)
            .map(|i| {
                let mut x = Jet::constant(point[i].clone());
                if let Some(s) = lower.index(&unit(i)) {
                    x.set(s, Some(self.context.enclose_integer(1)));
                }
                x
            })
            .collect();
        let partials = p.partial_derivatives();
        let machine = self.for_program(&partials);
        let slopes =
            machine.eval_derivatives(&partials.root, &lower, [&inputs, &[]], 0, &mut BranchDecisions::default())?;
        self.edges.adopt_boundaries(&machine.edges);
        for monomial in 1..algebra.len() {
            let mut sum: Option<C::Num> = None;
            for (i, slope) in slopes.iter().enumerate() {
                // E y = Σᵢ gᵢ·sᵢ: the coefficient of s^α in gᵢ·sᵢ is that of s^α/sᵢ in gᵢ
                let mut exponents = algebra.exponents(monomial).to_vec();
                if exponents[i] == 0 {
                    continue;
                }
                exponents[i] -= 1;
                let index = if order == 1 { Some(0) } else { lower.index(&exponents) };
                if let Some(c) = index.and_then(|m| slope.get(m)) {
                    sum = Some(sum.map_or_else(|| c.clone(), |s| self.context.add(&s, c)));
                }
            }
            // E multiplies a monomial by its degree, so this divides
            let degree = u64::from(algebra.degree(monomial));
            y.set(monomial, sum.map(|s| self.context.div_integer(&s, degree)));
        }
        Ok(Some((algebra, y)))
    }
}

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Attaches a spine: the run then publishes intermediate enclosures.
    #[must_use]
    pub fn with_anytime(mut self, spine: &'m AnytimeSolvers<'m, C>) -> Self {
        self.spine = Some(spine);
        self
    }

    /// Runs a solver or a derivative. In a replay, returns its recorded enclosure instead.
    pub(super) fn solve_or_replay(
        &self,
        instruction: usize,
        algebra: &Arc<Algebra>,
        solve: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let Some(spine) = self.spine else { return solve() };
        // inside another solver results depend on bound variables, so they are not recorded
        if spine.depth.get() > 0 {
            spine.depth.set(spine.depth.get() + 1);
            let result = solve();
            spine.depth.set(spine.depth.get() - 1);
            return result;
        }
        spine.path.borrow_mut().push(instruction);
        let result = (|| {
            if spine.replaying.get() {
                let entries = spine.ledger.lock_entries();
                let known = entries.get(&*spine.path.borrow()).filter(|known| same_monomials(&known.algebra, algebra));
                let jet = |known: &SolverResult| {
                    Jet::new(known.coefficients.iter().map(|c| c.as_ref().map(|c| self.context.round_enclosure(c))))
                };
                return Ok(known.map_or_else(|| self.jets(algebra).bottom_everywhere(), jet));
            }
            spine.solving.replace(Some(algebra.clone()));
            spine.depth.set(1);
            let result = solve();
            spine.depth.set(0);
            spine.solving.take();
            let result = result?;
            // an enclosure from a run that was cut short must not reach the ledger: a larger budget would see another
            // sequence
            if !self.effort.budget.was_exhausted() {
                spine.ledger.record_result(&spine.path.borrow(), algebra, self.jet_enclosures(&result))?;
            }
            Ok(result)
        })();
        spine.path.borrow_mut().pop();
        result
    }

    fn jet_enclosures(&self, jet: &Jet<C::Num>) -> Vec<Option<Enclosure>> {
        jet.coefficients().map(|c| c.map(|c| self.context.to_enclosure(c))).collect()
    }

    /// Publishes an intermediate enclosure of a solver. `found` is called only if the solver stands in the spine and
    /// enough work was done since the last replay.
    ///
    /// # Errors
    /// Errors of `found`; [`SmoothError::DisjointEnclosures`] if the enclosure is disjoint from the recorded one.
    pub fn publish(&self, found: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>) -> Result<(), SmoothError> {
        let Some(spine) = self.spine.filter(|spine| spine.depth.get() == 1 && spine.is_due()) else { return Ok(()) };
        let Some(algebra) = spine.solving.borrow().clone() else { return Ok(()) };
        if self.effort.budget.was_exhausted() {
            return Ok(());
        }
        // the work for a publication does not count as work of the solver
        let found = found()?;
        if self.effort.budget.was_exhausted() {
            return Ok(());
        }
        spine.ledger.record_result(&spine.path.borrow(), &algebra, self.jet_enclosures(&found))?;
        spine.replayed_at.set(spine.solver_work.get());
        let path = spine.path.take();
        spine.depth.set(0);
        spine.replaying.set(true);
        let result = (spine.replay)(self);
        spine.replaying.set(false);
        spine.depth.set(1);
        spine.path.replace(path);
        result
    }

    /// Publishes an intermediate enclosure of a number. Does nothing if the solver computes derivatives as well.
    ///
    /// # Errors
    /// As for [`JetEvaluator::publish`].
    pub fn publish_number(&self, found: impl FnOnce() -> Result<C::Num, SmoothError>) -> Result<(), SmoothError> {
        let is_number = |spine: &&AnytimeSolvers<'_, C>| spine.solving.borrow().as_ref().is_some_and(|a| a.len() == 1);
        match self.spine.filter(|spine| is_number(spine)) {
            Some(_) => self.publish(|| Ok(Jet::constant(found()?))),
            None => Ok(()),
        }
    }
}
