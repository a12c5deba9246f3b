//! Runs over ℝ alone: numbers in place of jets.
//!
//! Ranges, values and guards need no coefficient but the first. For them a block without binders is run on bare numbers. The
//! arithmetic and its order are those of jets, so the results are the same.

use super::choice::Choices;
use super::{Branches, Machine, decide};
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Block, Instruction, Register};

/// The registers of a run on numbers.
struct Numbers<'f, N> {
    inputs: Vec<&'f N>,
    results: Vec<N>,
}

impl<N> Numbers<'_, N> {
    /// Returns the number in a register, inputs first.
    fn get(&self, r: Register) -> &N {
        let index = r.0 as usize;
        match self.inputs.get(index) {
            Some(input) => input,
            None => &self.results[index - self.inputs.len()],
        }
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Evaluates a [plain](Block::is_plain) block on numbers.
    ///
    /// Returns `None` if the block is not plain, an input is not a number, or the run is watched.
    pub(super) fn run_plain(
        &self,
        block: &Block,
        inputs: [&[Jet<C::Num>]; 2],
        branches: &mut Branches,
        stride: usize,
    ) -> Option<Vec<Jet<C::Num>>> {
        if !block.is_plain || self.is_watched() {
            return None;
        }
        let inputs = inputs.into_iter().flatten().map(Jet::number).collect::<Option<Vec<_>>>()?;
        let mut numbers = Numbers { inputs, results: Vec::with_capacity(block.instructions.len()) };
        let mut choices = Choices::new(&block.regions);
        for (index, instruction) in block.instructions.iter().enumerate() {
            if choices.leaves_out(index) {
                // A skipped step still fills its register.
                numbers.results.push(self.context.bottom());
                continue;
            }
            if let Instruction::Guard(x) = instruction {
                choices.decide(index, decide(self.context.sign(numbers.get(*x)), index, branches));
            }
            let exhausted = (index + 1).is_multiple_of(stride) && self.effort.budget.is_exhausted();
            if exhausted || !self.can_afford(instruction, |r| Some(numbers.get(r))) {
                self.effort.leave_open();
                return Some(vec![Jet::constant(self.context.bottom()); block.outputs.len().max(1)]);
            }
            let first = numbers.inputs.len();
            // Guards are kept by instruction: registers less the inputs.
            let taken = |guard: Register| choices.of((guard.0 as usize).saturating_sub(first));
            let result = self.plain_step(&numbers, index, instruction, branches, taken)?;
            numbers.results.push(result);
        }
        Some(block.outputs.iter().map(|r| Jet::constant(numbers.get(*r).clone())).collect())
    }

    /// Evaluates one instruction on numbers. Returns `None` for an instruction that needs more than numbers.
    fn plain_step(
        &self,
        numbers: &Numbers<C::Num>,
        index: usize,
        instruction: &Instruction,
        branches: &mut Branches,
        taken: impl Fn(Register) -> Branch,
    ) -> Option<C::Num> {
        let (context, get) = (self.context, |r: &Register| numbers.get(*r));
        Some(match instruction {
            Instruction::Constant(c) => self.constants[*c as usize].clone(),
            Instruction::Unary(f, x) => {
                let x = get(x);
                match f {
                    Unary::Negate => context.neg(x),
                    Unary::Function(f) => {
                        self.meet_edge(*f, x);
                        context.function(*f, x)
                    }
                    Unary::Signum => match decide(context.sign(x), index, branches) {
                        Branch::Left => context.integer(1),
                        Branch::Right => context.integer(-1),
                        Branch::Undecided => context.signum(x),
                    },
                    Unary::Abs => match decide(context.sign(x), index, branches) {
                        Branch::Left => self.decreed(branches, index, x.clone(), || context.abs(x)),
                        Branch::Right => self.decreed(branches, index, context.neg(x), || context.abs(x)),
                        Branch::Undecided => context.abs(x),
                    },
                }
            }
            Instruction::Binary(f, x, y) => {
                let (a, b) = (get(x), get(y));
                match f {
                    Binary::Add => context.add(a, b),
                    Binary::Subtract => context.sub(a, b),
                    // The square that jets compute, so that both ways agree to the last bit.
                    Binary::Multiply if x == y => self.jets(&self.real).square_of(a),
                    Binary::Multiply => context.mul(a, b),
                    Binary::Divide => context.div(a, b),
                    Binary::Maximum | Binary::Minimum if x == y => a.clone(),
                    Binary::Maximum => match decide(context.sign(&context.sub(a, b)), index, branches) {
                        Branch::Left => self.decreed(branches, index, a.clone(), || context.max(a, b)),
                        Branch::Right => self.decreed(branches, index, b.clone(), || context.max(a, b)),
                        Branch::Undecided => context.max(a, b),
                    },
                    Binary::Minimum => match decide(context.sign(&context.sub(b, a)), index, branches) {
                        Branch::Left => self.decreed(branches, index, a.clone(), || context.min(a, b)),
                        Branch::Right => self.decreed(branches, index, b.clone(), || context.min(a, b)),
                        Branch::Undecided => context.min(a, b),
                    },
                    Binary::Planar(_) => return None,
                }
            }
            Instruction::Power(x, e) => {
                let x = get(x);
                if e.denominator.is_multiple_of(2) {
                    self.meet_edge(Function::Sqrt, x);
                }
                let jets = self.jets(&self.real);
                jets.value(&jets.power(&Jet::constant(x.clone()), e.numerator, e.denominator))
            }
            Instruction::Guard(x) => get(x).clone(),
            Instruction::Select { guard, then, otherwise } => match taken(*guard) {
                Branch::Left => get(then).clone(),
                Branch::Right => get(otherwise).clone(),
                // An undecided choice is not known to be defined, although both sides may be.
                Branch::Undecided => context.undefined(context.hull(get(then), get(otherwise))),
            },
            Instruction::Primitive(..) | Instruction::Derivative { .. } | Instruction::Second { .. } => return None,
        })
    }

    /// Returns the number of a kink's branch, narrowed by the range of the kink if the branch is [forced](Self::by_decree).
    fn decreed(&self, branches: &Branches, index: usize, taken: C::Num, kink: impl FnOnce() -> C::Num) -> C::Num {
        match branches.of(index) {
            Some(_) => self.context.intersect(&taken, &kink()).unwrap_or(taken),
            None => taken,
        }
    }

    /// Notes that an argument of an elementary function lies at the boundary of its domain. No generator moves a number.
    fn meet_edge(&self, f: Function, x: &C::Num) {
        if self.context.meets_edge(f, x) {
            self.edges.note_any();
        }
    }
}
