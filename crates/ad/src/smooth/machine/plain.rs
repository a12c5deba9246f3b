//! Runs over ℝ alone: numbers in place of jets.
//!
//! Ranges, values and guards need no coefficient but the first. For them a block without binders is run on bare numbers. The
//! arithmetic and its order are those of jets, so the results are the same.
//!
//! A jet has room for four coefficients, and moving them costs more than the arithmetic. With active hooks, or
//! with a diagnosis of undefined operations, everything is a jet: they look at jets.

use super::choice::GuardDecisions;
use super::{BranchDecisions, JetEvaluator, decide_branch};
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};

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
    pub(super) fn eval_on_numbers(
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
