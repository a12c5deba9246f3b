//! The jet evaluator: runs a compiled program over a Weil algebra, in interval arithmetic.
//!
//! A jet over a Weil algebra holds a value and its derivatives (S §4.3, read as power series). [`Machine::run`] maps the
//! jets of the inputs of a [`Block`] to the jets of its outputs. Every coefficient encloses a Taylor coefficient of the
//! block, and tells whether it is certainly defined. Derivatives inside of programs are [evaluated](Machine::derivative)
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
use crate::number::effort::Effort;
use crate::number::work;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, Site, Unary};
use crate::smooth::hooks::{self, Hooked, Hooks};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::nearby::Edges;
use crate::smooth::program::{Block, Instruction, Program};
use crate::smooth::solve;
use crate::smooth::spine::Spine;
use crate::smooth::witness::Witness;
use cost::conversion;
pub(super) use frame::Frame;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use switch::{Events, Switch, number};
use window::Window;

/// The state of one run of a program: arithmetic, tolerance and budget, constants, and the domain boundaries met so far.
#[derive(Debug)]
pub struct Machine<'m, C: Hooked> {
    /// The arithmetic of coefficients.
    pub context: &'m C,
    /// Tolerance and budget.
    pub effort: &'m Effort<'m>,
    /// ℝ: the algebra that all others extend.
    pub real: Arc<Algebra>,
    /// The solvers' results so far, for enclosures of the answer before the run is over; `None` without a listener.
    pub spine: Option<&'m Spine<'m, C>>,
    /// The diagnosis of undefined values; `None` if none is wanted.
    pub witness: Option<&'m Witness>,
    /// `true` if the inputs enclose a neighbourhood of the inputs of the question. Such a run only tests whether the map is
    /// defined there ([`nearby`](crate::smooth::nearby)).
    pub beside: bool,
    /// The domain boundaries met so far.
    pub edges: Edges,
    /// The constants of the program, rounded to this precision.
    constants: Vec<C::Num>,
    /// The alpha-beta window of the output of the next run. That run takes it.
    window: RefCell<Window<C::Num>>,
    /// The work units of all blocks run so far.
    counted: Cell<u64>,
}

/// Forced branches of a run, and a record of the branches that the run could not decide.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// The branch points whose branch is given in advance.
    pub forced: Vec<(Switch, Branch)>,
    /// The branch points that were undecided in the last run.
    pub undecided: Vec<Switch>,
    /// Pairs (instruction, end) of the last run: optima certainly attained at this end, 0 or 1, for all inputs nearby.
    pub at_ends: Vec<(usize, usize)>,
}

/// The quantity that a run of a block returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The outputs of the block.
    Outputs,
    /// The number whose sign decides a branch: a − b for max(a, b), a for abs, signum, guards and functions of two
    /// variables that may jump at a = 0. For an event of a solver it is the number of that event. ⊥ if the step is skipped.
    Switch(Switch),
}

impl<'m, C: Hooked> Machine<'m, C> {
    /// Returns an evaluator of `program`. A constant whose rounding the budget cannot pay for is ⊥.
    #[must_use]
    pub fn new(context: &'m C, effort: &'m Effort<'m>, real: &Arc<Algebra>, program: &Program) -> Self {
        let bits = context.precision();
        let constants = program.constants.iter().map(|c| match c {
            c if !effort.budget.spend(conversion(c, bits)) => context.bottom(),
            c => c.at(context),
        });
        let constants = constants.collect();
        Self::with_constants(context, effort, real, constants)
    }

    /// Returns the arithmetic of jets over `algebra`, limited by the budget.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> Jets<'a, C> {
        Jets { context: self.context, algebra, budget: Some(self.effort.budget) }
    }

    /// Evaluates a block. Active hooks of the arithmetic are called at each step.
    ///
    /// Returns one jet for each output, or the single jet of the requested branch point. Each coefficient encloses the
    /// Taylor coefficient of that output. All coefficients are ⊥ if the budget runs out.
    ///
    /// # Errors
    /// [`SmoothError::Nesting`] if blocks are nested deeper than [`Block::DEEPEST`]; [`SmoothError::PromiseBroken`] and
    /// [`SmoothError::Contradiction`] from the second-order primitives.
    /// primitives.
    pub fn run(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        branches: &mut Branches,
        target: Target,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        C::run_block(self, block, algebra, [parameters, captures], branches, target)
    }

    /// Evaluates a block instruction by instruction. [`run`](Self::run) reaches it through `Hooked::run_block`, so that it is
    /// compiled once for each arithmetic of the library.
    pub(super) fn run_here(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &mut Branches,
        target: Target,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let _seen = self.witness.map(Witness::begin);
        // The window is meant for this run alone: runs nested inside of it begin with none.
        let window = self.window.replace(Window::open());
        if block.depth > Block::DEEPEST {
            return Err(SmoothError::Nesting { depth: block.depth, most: Block::DEEPEST });
        }
        branches.begin();
        let jets = self.jets(algebra);
        let limbs = work::limbs(self.context.precision());
        // The work of all steps is paid before the first, each as one multiplication of jets.
        let work = block.instructions.len() as u64 * algebra.work() * limbs;
        self.count(work);
        let affordable = self.effort.budget.spend(work);
        if !affordable {
            self.effort.leave_open();
            return Ok(vec![jets.bottom_everywhere(); block.outputs.len().max(1)]);
        }
        // Spent work does not show elapsed time, so the clock is read from time to time: more often at higher precision,
        // where a step takes longer. The strides are a choice between overhead and delay.
        let stride = if limbs > 8 { 16 } else { 512 };
        // Over ℝ a jet is one number. The result is the same, without the cost of jets.
        if algebra.len() == 1
            && target == Target::Outputs
            && let Some(found) = self.run_plain(block, [parameters, captures], branches, stride)
        {
            return Ok(found);
        }
        let results = Vec::with_capacity(block.instructions.len());
        let mut frame = Frame::new([parameters, captures], results, block, target);
        frame.window = window;
        for (index, instruction) in block.instructions.iter().enumerate() {
            let left_out = frame.choices.leaves_out(index);
            // A run for a branch point ends at that instruction: the instructions behind it are never evaluated.
            if let Target::Switch(wanted) = target
                && wanted.instruction() == index
            {
                return match instruction {
                    _ if left_out => Ok(vec![jets.bottom_everywhere()]),
                    Instruction::Derivative { body, captures, at, .. } => {
                        let (at, captures) = (frame.collect(at), frame.collect(captures));
                        self.run(body, algebra, &at, &captures, &mut branches.inside(index), wanted.inside())
                    }
                    Instruction::Second { body, captures, .. } => {
                        let (captures, events) = (frame.collect(captures), branches.events(index));
                        let site = block.sites[index];
                        let f = solve::Function::new(self, body, &captures, site, &events);
                        Ok(vec![self.event(&f, algebra, wanted)?])
                    }
                    _ => Ok(vec![number(&jets, &frame, instruction)]),
                };
            }
            // A skipped step still fills its register, so that registers keep their numbers.
            if left_out {
                frame.results.push(Jet::constant(self.context.bottom()));
                continue;
            }
            if let Instruction::Guard(x) = instruction {
                let sign = self.context.sign(&jets.value(frame.get(*x)));
                frame.choices.decide(index, decide(sign, index, branches));
            }
            if (index + 1).is_multiple_of(stride) && self.effort.budget.is_exhausted()
                || !self.can_afford(instruction, |r| frame.get(r).get(0))
            {
                self.effort.leave_open();
                return Ok(vec![jets.bottom_everywhere(); block.outputs.len().max(1)]);
            }
            let at = (index, block.sites[index]);
            let before = self.witness.and_then(Witness::mark);
            let mut step = || {
                if !C::ACTIVE {
                    return self.step(&jets, algebra, &frame, at, instruction, branches);
                }
                let branch = self.branch_taken(&jets, &frame, index, instruction, branches);
                let step = hooks::Step { machine: self, algebra, instruction, site: at.1, branch, frame: &frame };
                self.context.hooks().step(&step, &mut || self.step(&jets, algebra, &frame, at, instruction, branches))
            };
            // A nested block runs over algebras of its own, so the generators of its domain boundaries mean nothing here.
            // They count for all inputs of the step. Nesting also needs stack.
            let result = match instruction.nested_inputs() {
                Some(inputs) => {
                    let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                    self.edges.around(&jets, inputs, || crate::stack::deep_and_wide(step))?
                }
                None => step()?,
            };
            // The diagnosis looks at each step after its result: the first undefined one of defined operands is the cause.
            if let Some(witness) = self.witness {
                self.attest(witness, before, &jets, (instruction, at.1), |r| frame.get(r), &result);
            }
            frame.results.push(result);
        }
        Ok(block.outputs.iter().map(|r| frame.get(*r).clone()).collect())
    }

    /// Evaluates one instruction. The operands are registers of `frame`; undecided branches are recorded in `branches`.
    fn step(
        &self,
        jets: &Jets<C>,
        algebra: &Arc<Algebra>,
        frame: &Frame<C::Num>,
        (index, site): (usize, Site),
        instruction: &Instruction,
        branches: &mut Branches,
    ) -> Result<Jet<C::Num>, SmoothError> {
        Ok(match instruction {
            Instruction::Constant(c) => Jet::constant(self.constants[*c as usize].clone()),
            Instruction::Unary(f, x) => {
                let x = frame.get(*x);
                match f {
                    Unary::Negate => jets.negate(x),
                    // Noted first: the function may be undefined for inputs beside those given.
                    Unary::Function(f) => {
                        self.meet(jets, *f, x);
                        jets.function(*f, x)
                    }
                    Unary::Signum => match self.branch_of_sign(x, index, branches) {
                        Branch::Left => Jet::constant(self.context.integer(1)),
                        Branch::Right => Jet::constant(self.context.integer(-1)),
                        Branch::Undecided => jets.signum(x),
                    },
                    Unary::Abs => {
                        let taken = match self.branch_of_sign(x, index, branches) {
                            Branch::Left => x.clone(),
                            Branch::Right => jets.negate(x),
                            Branch::Undecided => return Ok(jets.undecided_abs(x)),
                            // An undecided abs is handled by the jets: Clarke's hull at order 1, ⊥ beyond.
                        };
                        self.by_decree(frame.narrows(branches, index), taken, || self.context.abs(&jets.value(x)))
                    }
                }
            }
            Instruction::Binary(f, x, y) => {
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
                    Binary::Maximum if self.are_one(jets, frame, [*x, *y], branches) => a.clone(),
                    Binary::Maximum => {
                        let taken = match self.branch_of_maximum(jets, a, b, index, branches) {
                            Branch::Left => a.clone(),
                            Branch::Right => b.clone(),
                            Branch::Undecided => return Ok(jets.undecided_maximum(a, b)),
                        };
                        let both = || self.context.max(&jets.value(a), &jets.value(b));
                        self.by_decree(frame.narrows(branches, index), taken, both)
                    }
                    Binary::Minimum => {
                        // min(a, b) is a where b - a > 0: the arguments change places.
                        let taken = match self.branch_of_maximum(jets, b, a, index, branches) {
                            Branch::Left => a.clone(),
                            Branch::Right => b.clone(),
                            Branch::Undecided => return Ok(jets.undecided_minimum(a, b)),
                        };
                        let both = || self.context.min(&jets.value(a), &jets.value(b));
                        self.by_decree(frame.narrows(branches, index), taken, both)
                    }
                    // Only where the second argument allows a jump does the sign of the first decide a branch.
                    Binary::Planar(f) if jets.may_jump(*f, a, b) => {
                        let side = decide(self.context.sign(&jets.value(a)), index, branches);
                        jets.beside_jump(*f, side, a, b)
                    }
                    Binary::Planar(f) => jets.planar(*f, a, b),
                }
            }
            Instruction::Power(x, e) => {
                let x = frame.get(*x);
                // An even root ends its domain at 0, as √ does.
                if e.denominator.is_multiple_of(2) {
                    self.meet(jets, Function::Sqrt, x);
                }
                jets.power(x, e.numerator, e.denominator)
            }
            Instruction::Primitive(p, xs) => {
                let xs: Vec<_> = xs.iter().map(|x| frame.get(*x).clone()).collect();
                self.primitive(p, algebra, &xs)?
            }
            Instruction::Derivative { body, captures, at, along, partial } => {
                // A branch is forced for a piece, and a neighbourhood may reach beyond it.
                let mut inner = if self.beside { Branches::default() } else { branches.inside(index) };
                let result = self.solved(index, algebra, || {
                    // One search may give all partial derivatives of a solver's result.
                    if let Some(found) =
                        self.at_once(algebra, frame, partial.as_ref(), (site, body, [at, captures]), &inner)?
                    {
                        return Ok(found);
                    }
                    let [at, along, captures] = [at, along, captures].map(|registers| frame.collect(registers));
                    let place = partial.as_ref().map(|partial| partial.place);
                    self.derivative(body, algebra, [&at, &along, &captures], place, &mut inner)
                })?;
                branches.record(index, &inner);
                result
            }
            Instruction::Second { primitive, body, captures } => {
                let captures = frame.collect(captures);
                // As for derivatives: no forced signs in a neighbourhood.
                let events = if self.beside { Events::default() } else { branches.events(index) };
                let window = self.window_of(*primitive, index, frame);
                let function = solve::Function { window, ..solve::Function::new(self, body, &captures, site, &events) };
                let solve = || match primitive {
                    SecondOrder::Integral => solve::integral::integrate(&function, algebra),
                    SecondOrder::CutRoot => solve::cut_root::cut_root(&function, algebra),
                    SecondOrder::FirstRoot => solve::first_root::first_root(&function, algebra),
                    SecondOrder::Maximum => solve::optimum::maximum(&function, algebra),
                    SecondOrder::Maximiser => solve::optimum::maximiser(&function, algebra),
                };
                let result = self.solved(index, algebra, || match self.witness {
                    None => solve(),
                    Some(witness) => witness.around_solver(solve),
                })?;
                branches.record_events(index, events);
                result
            }
            // The sign of a guard was taken before the step; the register keeps the number.
            Instruction::Guard(x) => frame.get(*x).clone(),
            Instruction::Select { guard, then, otherwise } => match frame.branch(*guard) {
                Branch::Left => frame.get(*then).clone(),
                Branch::Right => frame.get(*otherwise).clone(),
                Branch::Undecided => jets.undecided_choice(frame.get(*guard), frame.get(*then), frame.get(*otherwise)),
            },
        })
    }

    /// Returns the jet of a forced branch, its value narrowed by the range of the kink itself.
    ///
    /// On the piece for which the branch is forced, the branch is the max, min or abs. So its value lies in both ranges:
    /// that of an abs, for instance, is not negative. Its derivatives are those of the branch. Returns `taken` unchanged if
    /// `narrows` is `false`.
    fn by_decree(&self, narrows: bool, taken: Jet<C::Num>, kink: impl FnOnce() -> C::Num) -> Jet<C::Num> {
        if !narrows {
            return taken;
        }
        let value = taken.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
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
        jets: &Jets<C>,
        frame: &Frame<C::Num>,
        index: usize,
        instruction: &Instruction,
        branches: &Branches,
    ) -> Branch {
        let switch = || self.context.sign(&jets.value(&number(jets, frame, instruction)));
        branches.of(index).unwrap_or_else(|| Branch::of(switch()))
    }

    /// Returns the branch of an abs or signum by the sign of its argument. Records an undecided one.
    fn branch_of_sign(&self, x: &Jet<C::Num>, index: usize, branches: &mut Branches) -> Branch {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
        decide(self.context.sign(&value), index, branches)
    }

    /// Returns the branch of max(a, b) by the sign of a − b. Records an undecided one.
    fn branch_of_maximum(
        &self,
        jets: &Jets<C>,
        a: &Jet<C::Num>,
        b: &Jet<C::Num>,
        index: usize,
        branches: &mut Branches,
    ) -> Branch {
        decide(self.context.sign(&self.context.sub(&jets.value(a), &jets.value(b))), index, branches)
    }
}

/// Returns the branch of an instruction: the forced one, else that of `sign`. Records the instruction if the sign is undecided.
fn decide(sign: Sign, index: usize, branches: &mut Branches) -> Branch {
    if let Some(forced) = branches.of(index) {
        return forced;
    }
    let branch = Branch::of(sign);
    if branch == Branch::Undecided {
        branches.undecided.push(Switch::at(index));
    }
    branch
}
