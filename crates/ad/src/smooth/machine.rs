//! The jet evaluator: runs a compiled program over a Weil algebra, in interval arithmetic.
//!
//! A jet over a Weil algebra holds a value and its derivatives (S §4.3, read as power series). [`JetEvaluator::eval_block`] maps the
//! jets of the inputs of a [`Block`] to the jets of its outputs. Every coefficient encloses a Taylor coefficient of the
//! block, and tells whether it is certainly defined. Derivatives inside of programs are [evaluated](JetEvaluator::directional_derivative)
//! over a larger algebra; integrals, roots and optima are left to the [solvers](crate::smooth::solve).

mod beside;
mod choice;
pub mod complex;
mod cost;
mod derivative;
mod frame;
mod gradient;
pub mod growth;
mod plain;
pub mod puiseux;
mod side;
pub mod switch;
mod together;
pub mod window;

use crate::number::context::{Function, Sign};
use crate::number::effort::PassOptions;
use crate::number::work;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, SourceId, Unary};
use crate::smooth::hooks::{self, EvalHooks, HookedContext};
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::nearby::DomainBoundary;
use crate::smooth::program::{Block, BlockInstruction, CompiledMap};
use crate::smooth::solve;
use crate::smooth::spine::AnytimeSolvers;
use crate::smooth::witness::Diagnosis;
use cost::rounding_work;
pub(super) use frame::RegisterFile;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use switch::{BranchPoint, SolverEvents, branch_number};
use window::AlphaBetaWindow;

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
        let limbs = work::limb_count(self.context.precision());
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
                let solve = || match primitive {
                    SecondOrder::Integral => solve::integral::integrate(&function, algebra),
                    SecondOrder::CutRoot => solve::cut_root::cut_root(&function, algebra),
                    SecondOrder::FirstRoot => solve::first_root::first_root(&function, algebra),
                    SecondOrder::Maximum => solve::optimum::maximum(&function, algebra),
                    SecondOrder::Maximiser => solve::optimum::maximiser(&function, algebra),
                };
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
fn decide_branch(sign: Sign, index: usize, branches: &mut BranchDecisions) -> KinkBranch {
    if let Some(forced) = branches.forced_branch(index) {
        return forced;
    }
    let branch = KinkBranch::from_sign(sign);
    if branch == KinkBranch::Undecided {
        branches.undecided.push(BranchPoint::of_instruction(index));
    }
    branch
}
