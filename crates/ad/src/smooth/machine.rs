//! Running a program over a Weil algebra.

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

/// Everything that stays the same while one program runs once.
#[derive(Debug)]
pub struct Machine<'m, C: Hooked> {
    /// The arithmetic.
    pub context: &'m C,
    /// Tolerance and budget.
    pub effort: &'m Effort<'m>,
    /// ℝ: the algebra that all others extend.
    pub real: Arc<Algebra>,
    /// What is known of the answer in the meantime, where somebody asks.
    pub spine: Option<&'m Spine<'m, C>>,
    /// Who looks for what is undefined, if anybody does.
    pub witness: Option<&'m Witness>,
    /// Whether the inputs are all those near the ones that are asked for, to see whether a function is defined there
    /// ([`nearby`](crate::smooth::nearby)).
    pub beside: bool,
    /// The edges of domains that were met.
    pub edges: Edges,
    constants: Vec<C::Num>,
    /// Where the output of the next run has to be known.
    window: RefCell<Window<C::Num>>,
    /// The work of the blocks that were run.
    counted: Cell<u64>,
}

/// Branches taken by decree, and a record of those that could not be decided.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// The switches whose branch is given.
    pub forced: Vec<(Switch, Branch)>,
    /// The switches whose branch was undecided in the last run.
    pub undecided: Vec<Switch>,
    /// The optima of the last run that are certainly attained at an end, for all inputs nearby, and at which.
    pub at_ends: Vec<(usize, usize)>,
}

/// What a run of a block is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Its outputs.
    Outputs,
    /// The number whose sign decides the branch of a max, min, abs or signum: a - b, or a. The number of a guard, and the first argument
    /// of a function of two that may jump; that of an event of a solver. Where the step is left out, ⊥.
    Switch(Switch),
}

impl<'m, C: Hooked> Machine<'m, C> {
    /// A machine for a program.
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

    /// The arithmetic of jets over an algebra.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> Jets<'a, C> {
        Jets { context: self.context, algebra, budget: Some(self.effort.budget) }
    }

    /// Runs a block.
    ///
    /// # Errors
    /// [`SmoothError::Nesting`]; [`SmoothError::PromiseBroken`] and [`SmoothError::Contradiction`] from the second-order
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

    /// The body of [`run`](Self::run).
    pub(super) fn run_here(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &mut Branches,
        target: Target,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let _seen = self.witness.map(Witness::begin);
        let window = self.window.replace(Window::open());
        if block.depth > Block::DEEPEST {
            return Err(SmoothError::Nesting { depth: block.depth, most: Block::DEEPEST });
        }
        branches.begin();
        let jets = self.jets(algebra);
        let limbs = work::limbs(self.context.precision());
        let work = block.instructions.len() as u64 * algebra.work() * limbs;
        self.count(work);
        let affordable = self.effort.budget.spend(work);
        if !affordable {
            self.effort.leave_open();
            return Ok(vec![jets.bottom_everywhere(); block.outputs.len().max(1)]);
        }
        // the work of the block is spent, but the clock goes on, and faster at higher precision
        let stride = if limbs > 8 { 16 } else { 512 };
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
            let result = match instruction.nested_inputs() {
                Some(inputs) => {
                    let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                    self.edges.around(&jets, inputs, || crate::stack::deep_and_wide(step))?
                }
                None => step()?,
            };
            if let Some(witness) = self.witness {
                self.attest(witness, before, &jets, (instruction, at.1), |r| frame.get(r), &result);
            }
            frame.results.push(result);
        }
        Ok(block.outputs.iter().map(|r| frame.get(*r).clone()).collect())
    }

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
                    Binary::Multiply if x == y => jets.square(a),
                    Binary::Multiply => jets.multiply(a, b),
                    Binary::Divide => jets.divide(a, b),
                    Binary::Maximum | Binary::Minimum if x == y => a.clone(),
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
                        let taken = match self.branch_of_maximum(jets, b, a, index, branches) {
                            Branch::Left => a.clone(),
                            Branch::Right => b.clone(),
                            Branch::Undecided => return Ok(jets.undecided_minimum(a, b)),
                        };
                        let both = || self.context.min(&jets.value(a), &jets.value(b));
                        self.by_decree(frame.narrows(branches, index), taken, both)
                    }
                    Binary::Planar(f) if jets.may_jump(*f, a, b) => {
                        let side = decide(self.context.sign(&jets.value(a)), index, branches);
                        jets.beside_jump(*f, side, a, b)
                    }
                    Binary::Planar(f) => jets.planar(*f, a, b),
                }
            }
            Instruction::Power(x, e) => {
                let x = frame.get(*x);
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
                let mut inner = if self.beside { Branches::default() } else { branches.inside(index) };
                let result = self.solved(index, algebra, || {
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
            Instruction::Guard(x) => frame.get(*x).clone(),
            Instruction::Select { guard, then, otherwise } => match frame.branch(*guard) {
                Branch::Left => frame.get(*then).clone(),
                Branch::Right => frame.get(*otherwise).clone(),
                Branch::Undecided => jets.undecided_choice(frame.get(*guard), frame.get(*then), frame.get(*otherwise)),
            },
        })
    }

    /// The branch of a kink that is taken. One that is taken by decree is, on the piece that the decree is for, the max, min
    /// or abs itself: what is known of the value of that is known of it, for instance that it is not negative. Its
    /// derivatives are those of the branch.
    fn by_decree(&self, narrows: bool, taken: Jet<C::Num>, kink: impl FnOnce() -> C::Num) -> Jet<C::Num> {
        if !narrows {
            return taken;
        }
        let value = taken.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
        let mut taken = taken;
        if let Some(both) = self.context.intersect(&value, &kink()) {
            taken.set(0, Some(both));
        }
        taken
    }

    /// The branch of a max, min or abs that was run.
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

    fn branch_of_sign(&self, x: &Jet<C::Num>, index: usize, branches: &mut Branches) -> Branch {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
        decide(self.context.sign(&value), index, branches)
    }

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
