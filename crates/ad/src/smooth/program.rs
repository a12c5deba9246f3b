//! Compiled maps: graphs in flat form, as straight-line blocks with one block for each binder.
//!
//! A part of a binder's body that does not depend on the bound variables is *captured*: it is computed once, in the block
//! outside. Equal operations on equal registers are one instruction (value numbering).
//!
//! A choice between two parts is an instruction behind both of them, so that nothing is computed twice. The steps that only
//! one side needs are a *region* (control dependence): a run skips them if the guard decides for the other side.
//!
//! # Dead code elimination for blocks
//!
//! # Control dependence in a block
//!
//! The steps that only one side of a choice needs.
//!
//! A step belongs to a *region* if every path from it to a result goes through one side of a choice. Regions are nested, so
//! they form a tree. A step belongs to the innermost common region of all its uses: its dominator in the graph of uses.
//! Choices by one guard in one region share their regions. The guard of a region precedes all its steps, since a choice is
//! compiled guard first.
//!
//! # The min/max tree of a block
//!
//! The path of max, min and negation from a number to the block's output, for alpha-beta pruning.
//!
//! # Pairs of maxima that may be attained at a common end
//!
//! The sides of a square share its corners. Let the maximum over one side be attained at its end, and that over the other
//! side at an end where the two functions are the same. Then the two maxima are one function of the inputs. Their maximum
//! is that function, with all derivatives. The sign of their difference, which is 0, would never be decided.

pub(crate) mod compile;
pub(crate) mod end_facts;

use crate::number::{Context, Rational};
use crate::smooth::algebra::MOST_MONOMIALS;
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, SecondOrder, SourceId, Unary};
use crate::smooth::jet::KinkBranch;
use crate::smooth::machine::EvalTarget;
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::primitive::Primitive;
use crate::stack::with_stack;
use compile::SwappedIntegral;
use end_facts::EdgeOperands;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A register of a block. Parameters come first, then captures, then the results of the instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockRegister(pub u32);

/// An instruction of a block: it computes one register from others.
#[derive(Clone, Debug)]
pub enum BlockInstruction {
    /// A constant of the program.
    Constant(u32),
    /// A unary operation.
    Unary(Unary, BlockRegister),
    /// A binary operation.
    Binary(Binary, BlockRegister, BlockRegister),
    /// A rational power.
    Power(BlockRegister, RationalExponent),
    /// A primitive from outside.
    Primitive(Arc<Primitive>, Box<[BlockRegister]>),
    /// A directional derivative of a block.
    Derivative {
        /// The map that is differentiated, by its parameters.
        body: Arc<Block>,
        /// The registers of the body's captures.
        captures: Box<[BlockRegister]>,
        /// The registers of the point, one for each parameter of the body.
        at: Box<[BlockRegister]>,
        /// The registers of the direction, one for each parameter of the body.
        along: Box<[BlockRegister]>,
        /// The partial derivative that it is, if it is one.
        partial: Option<PartialDerivative>,
    },
    /// A second-order primitive applied to a block of one parameter.
    Second {
        /// The primitive.
        primitive: SecondOrder,
        /// The function, a block of one parameter.
        body: Arc<Block>,
        /// The registers of the function's captures.
        captures: Box<[BlockRegister]>,
    },
    /// The number that decides choices. Its sign is taken here, once for all choices.
    Guard(BlockRegister),
    /// A choice between two registers by a guard.
    Select {
        /// The result of a [`BlockInstruction::Guard`] of the same block.
        guard: BlockRegister,
        /// The result if the guard is positive.
        then: BlockRegister,
        /// The result if the guard is negative.
        otherwise: BlockRegister,
    },
}

/// A partial derivative, one of several of the same body at the same point.
#[derive(Clone, Debug)]
pub struct PartialDerivative {
    /// The index of the parameter that moves, while all others are held fixed.
    pub place: usize,
    /// The gradient that computes all of them at once; `None` if there is none.
    pub gradient: Option<Arc<SolverGradient>>,
    /// The registers of the gradient's captures.
    pub captures: Box<[BlockRegister]>,
}

/// The partial derivatives of a solver's result, to be computed at once.
#[derive(Debug)]
pub struct SolverGradient {
    /// The partial derivatives that the program requests. They are known only at the end of compilation.
    pub requested: OnceLock<RequestedPartials>,
    /// For an integral: the block that computes the captures of the integrand from the variables. `None` for other solvers.
    pub inputs: Option<Block>,
}

/// The partial derivatives that a program requests of a gradient.
#[derive(Debug)]
pub struct RequestedPartials {
    /// The indices of the variables, in increasing order.
    pub places: Vec<usize>,
    /// For an integral: the integrand, then its slopes, as functions of the integration variable. `None` for other solvers.
    pub integrand: Option<Block>,
}

/// The way in which an instruction uses a register that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandUse {
    /// An operand of the computation.
    Operand,
    /// A capture, handed on to a block.
    Capture,
    /// The choice if this guard is positive.
    Then(BlockRegister),
    /// The choice if this guard is negative.
    Otherwise(BlockRegister),
}

impl BlockInstruction {
    /// Returns the registers from which a step runs other code: captures, and the point of evaluation. Returns `None` for a
    /// plain step.
    #[must_use]
    pub fn nested_inputs(&self) -> Option<[&[BlockRegister]; 2]> {
        match self {
            Self::Primitive(_, xs) => Some([xs, &[]]),
            Self::Derivative { captures, at, .. } => Some([captures, at]),
            Self::Second { captures, .. } => Some([captures, &[]]),
            _ => None,
        }
    }
}

/// A straight-line block with parameters and captures.
#[derive(Debug)]
pub struct Block {
    /// The number of parameters.
    pub parameters: usize,
    /// The number of captures.
    pub captures: usize,
    /// The instructions, in the order of evaluation.
    pub instructions: Vec<BlockInstruction>,
    /// The source positions of the instructions.
    pub sites: Vec<SourceId>,
    /// The registers of the results.
    pub outputs: Vec<BlockRegister>,
    /// The control dependences: the steps that only one side of a choice needs.
    pub regions: ControlDependences,
    /// The min/max tree: the numbers that the steps are compared with.
    pub rivals: MinMaxTree,
    /// Pairs of maxima of two optima that may be attained at a common end.
    pub shared: Box<[TiedMaxima]>,
    /// The operands whose exact values at the ends of the range of the parameter matter.
    pub edges: EdgeOperands,
    /// For the integrand of a double integral: the integral in the other order, if there is one.
    pub swapped: Option<Box<SwappedIntegral>>,
    /// `true` if there are no binders, no foreign primitives and no functions of two variables: numbers give numbers.
    pub is_plain: bool,
    /// `true` if some step runs a solver, so that a tolerance makes a difference.
    pub has_solver: bool,
    /// The nesting depth of blocks, this one included.
    pub depth: u32,
}

impl Block {
    /// The deepest block that is evaluated.
    ///
    /// A derivative of order n in one variable may take n blocks and an algebra of n + 1 monomials, so this is the limit of
    /// monomials.
    pub const DEEPEST: u32 = MOST_MONOMIALS as u32;

    /// Returns `true` if a branch point is a border, not a kink: a guard, signum or function of two variables, or inside of
    /// a binder.
    ///
    /// At a border a value, or the derivative or optimum of a binder, may jump. An event of a maximum counts unless it
    /// compares its ends.
    #[must_use]
    pub fn is_border(&self, switch: BranchPoint) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(
                BlockInstruction::Guard(_)
                | BlockInstruction::Unary(Unary::Signum, _)
                | BlockInstruction::Binary(Binary::Planar(_), ..),
            ) => true,
            // Between two ends at which a maximum is attained the maximum has a kink; only its place jumps.
            Some(BlockInstruction::Second { primitive: SecondOrder::Maximum, .. }) => {
                switch.view() != BinderView::EndDifference || switch.inner_target() != EvalTarget::Outputs
            }
            _ => !switch.is_own(),
        }
    }
}

impl Block {
    /// Returns `true` if a value may jump where the number of a branch point is 0, though it is bounded there.
    ///
    /// A signum, a guard, an angle, a derivative and a maximiser may jump; kinks, integrals, roots and maxima do not.
    #[must_use]
    pub fn may_jump_at(&self, switch: BranchPoint) -> bool {
        match self.instructions.get(switch.instruction()) {
            Some(BlockInstruction::Second { primitive, .. }) => *primitive == SecondOrder::Maximiser,
            Some(BlockInstruction::Derivative { .. }) => true,
            _ => self.is_border(switch),
        }
    }
}

/// An exact constant, which each context rounds to its own precision.
#[derive(Clone, Debug)]
pub enum ExactConstant {
    /// An exact rational.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
}

impl ExactConstant {
    /// Encloses the constant at the precision of `context`.
    pub fn enclose_in<C: Context>(&self, context: &C) -> C::Num {
        match self {
            Self::Rational(q) => context.enclose_rational(q),
            Self::Pi => context.pi(),
            Self::Euler => context.enclose_euler(),
        }
    }
}

/// A compiled map `ℝⁿ ⇝ ℝᵐ`.
#[derive(Debug)]
pub struct CompiledMap {
    /// The constants, by the indices in [`BlockInstruction::Constant`].
    pub constants: Vec<ExactConstant>,
    /// The outermost block.
    pub root: Block,
}

impl CompiledMap {
    /// Returns a precision in bits below which enclosures may be worthless: the size of the largest constant's numerator.
    #[must_use]
    pub fn least_precision(&self) -> u32 {
        let size = |constant: &ExactConstant| match constant {
            ExactConstant::Rational(q) => q.numer().significant_bits(),
            // π and e are below 4: two bits before the point.
            ExactConstant::Pi | ExactConstant::Euler => 2,
        };
        self.constants.iter().map(size).max().unwrap_or(53)
    }
}

/// Drops nested blocks without recursion, since their depth is not bounded.
impl Drop for Block {
    fn drop(&mut self) {
        let mut waiting = vec![std::mem::take(&mut self.instructions)];
        while let Some(instructions) = waiting.pop() {
            for body in instructions.into_iter().filter_map(|instruction| instruction.binder_body().cloned()) {
                // Only the last owner of a body takes it apart; a shared one is dropped later.
                waiting.extend(Arc::into_inner(body).map(|mut block| std::mem::take(&mut block.instructions)));
            }
        }
    }
}

impl BlockInstruction {
    /// Returns the body of a binder.
    fn binder_body(&self) -> Option<&Arc<Block>> {
        match self {
            Self::Derivative { body, .. } | Self::Second { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Returns `true` if a step computes a number from numbers: no other algebra, and no side of a jump, has to be known.
    pub(in crate::smooth) fn is_plain(&self) -> bool {
        !matches!(
            self,
            Self::Primitive(..) | Self::Derivative { .. } | Self::Second { .. } | Self::Binary(Binary::Planar(_), ..)
        )
    }

    /// Returns `true` if a step runs a solver, itself or in the body that it differentiates.
    fn has_solver(&self) -> bool {
        match self {
            Self::Second { .. } => true,
            Self::Derivative { body, .. } => body.has_solver,
            _ => false,
        }
    }

    /// Calls `read` with each register that the instruction reads, and its use.
    pub fn for_each_read(&self, mut read: impl FnMut(BlockRegister, OperandUse)) {
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) | Self::Guard(x) => read(*x, OperandUse::Operand),
            Self::Binary(_, x, y) => {
                read(*x, OperandUse::Operand);
                read(*y, OperandUse::Operand);
            }
            Self::Primitive(_, xs) => xs.iter().for_each(|x| read(*x, OperandUse::Operand)),
            Self::Derivative { captures, at, along, partial, .. } => {
                // The captures of the body, and those of the gradient.
                let inner = partial.iter().flat_map(|partial| &partial.captures);
                captures.iter().chain(inner).for_each(|x| read(*x, OperandUse::Capture));
                at.iter().chain(along).for_each(|x| read(*x, OperandUse::Operand));
            }
            Self::Second { captures, .. } => captures.iter().for_each(|x| read(*x, OperandUse::Capture)),
            Self::Select { guard, then, otherwise } => {
                read(*guard, OperandUse::Operand);
                read(*then, OperandUse::Then(*guard));
                read(*otherwise, OperandUse::Otherwise(*guard));
            }
        }
    }
}

impl Block {
    /// Keeps the outputs with these indices, and removes the steps that they do not need. Parameters and captures stay.
    #[must_use]
    pub fn with_outputs(mut self, kept: &[usize]) -> Self {
        let first = self.parameters + self.captures;
        let outputs: Vec<_> = kept.iter().map(|output| self.outputs[*output]).collect();
        let mut needed = vec![false; self.instructions.len()];
        let need = |r: BlockRegister, needed: &mut [bool]| {
            if let Some(index) = (r.0 as usize).checked_sub(first) {
                needed[index] = true;
            }
        };
        outputs.iter().for_each(|r| need(*r, &mut needed));
        // Backwards liveness: reads come before the results they serve.
        for (index, instruction) in self.instructions.iter().enumerate().rev() {
            if needed[index] {
                instruction.for_each_read(|r, _| need(r, &mut needed));
            }
        }
        // New numbers: the running count of kept instructions behind the inputs.
        let numbers = needed.iter().scan(first, |next, needed| {
            *next += usize::from(*needed);
            Some(*next - usize::from(*needed))
        });
        let numbers: Vec<_> = numbers.collect();
        let place = |r: BlockRegister| {
            BlockRegister((r.0 as usize).checked_sub(first).map_or(r.0, |index| numbers[index] as u32))
        };
        let mut instructions = std::mem::take(&mut self.instructions);
        instructions.iter_mut().for_each(|instruction| instruction.renumber_registers(place));
        let is_kept = |r: &BlockRegister| (r.0 as usize).checked_sub(first).is_none_or(|index| needed[index]);
        let shared = std::mem::take(&mut self.shared).into_iter().filter(|shared| shared.optima.iter().all(is_kept));
        self.shared = shared.map(|shared| TiedMaxima { optima: shared.optima.map(place), ..shared }).collect();
        self.edges = std::mem::take(&mut self.edges).renumbered(|r| is_kept(&r).then(|| place(r)));
        let keep = |index: &usize| needed[*index];
        self.sites = (0..needed.len()).filter(keep).map(|index| self.sites[index]).collect();
        let mut is_needed = needed.iter();
        instructions.retain(|_| is_needed.next().is_some_and(|needed| *needed));
        self.outputs = outputs.into_iter().map(place).collect();
        // Everything that is derived from the instructions is computed anew.
        self.regions = ControlDependences::new(first, &instructions, &self.outputs);
        self.rivals = MinMaxTree::new(first, &instructions, &self.outputs);
        self.is_plain = instructions.iter().all(BlockInstruction::is_plain);
        self.has_solver = instructions.iter().any(BlockInstruction::has_solver);
        self.instructions = instructions;
        self
    }
}

/// A region: steps that are needed only if a guard is decided for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlDependence {
    /// The number of the enclosing region; 0 for the steps that are always needed.
    pub parent: usize,
    /// The instruction of the guard.
    pub guard: usize,
    /// The side: [`KinkBranch::Left`] where the guard is positive, [`KinkBranch::Right`] where it is negative.
    pub side: KinkBranch,
    /// The number of regions around it, itself included.
    depth: usize,
}

/// The regions of a block.
#[derive(Debug, Default)]
pub struct ControlDependences {
    /// The region of each instruction; empty if the block has no choices.
    region_of: Vec<usize>,
    /// The regions from number 1 on, each behind its enclosing one.
    all: Vec<ControlDependence>,
}

/// The mark of an instruction that no use has been seen of.
const UNUSED: usize = usize::MAX;

impl ControlDependences {
    /// Computes the regions of a block whose instructions follow `inputs` parameters and captures.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[BlockInstruction], outputs: &[BlockRegister]) -> Self {
        if !instructions.iter().any(|i| matches!(i, BlockInstruction::Select { .. })) {
            return Self::default();
        }
        let mut regions = Self { region_of: vec![UNUSED; instructions.len()], all: Vec::new() };
        let mut known = FxHashMap::default();
        let place = |r: BlockRegister| (r.0 as usize).checked_sub(inputs);
        for index in outputs.iter().filter_map(|r| place(*r)) {
            regions.region_of[index] = 0;
        }
        // Backwards: all uses of a result have been seen before the instruction that computes it.
        for (index, instruction) in instructions.iter().enumerate().rev() {
            // A dead step counts as always needed.
            if regions.region_of[index] == UNUSED {
                regions.region_of[index] = 0;
            }
            let here = regions.region_of[index];
            instruction.for_each_read(|r, used| {
                let Some(part) = place(r) else { return };
                let region = match used {
                    OperandUse::Operand | OperandUse::Capture => here,
                    OperandUse::Then(guard) => regions.intern_side(&mut known, here, place(guard), KinkBranch::Left),
                    OperandUse::Otherwise(guard) => {
                        regions.intern_side(&mut known, here, place(guard), KinkBranch::Right)
                    }
                };
                regions.region_of[part] = regions.innermost_common(regions.region_of[part], region);
            });
        }
        regions
    }

    /// Returns the number of an instruction's region; 0 if the instruction is always needed.
    #[must_use]
    pub fn region_of(&self, instruction: usize) -> usize {
        self.region_of.get(instruction).copied().unwrap_or(0)
    }

    /// Returns a region by its number. Returns `None` for 0.
    #[must_use]
    pub fn region(&self, number: usize) -> Option<&ControlDependence> {
        self.all.get(number.checked_sub(1)?)
    }

    /// Returns the side of a guard to which an instruction belongs. Returns `None` if both sides, or neither, need it.
    #[must_use]
    pub fn side_of(&self, guard: usize, instruction: usize) -> Option<KinkBranch> {
        let innermost = self.region(self.region_of(instruction));
        let mut around = std::iter::successors(innermost, |region| self.region(region.parent));
        around.find(|region| region.guard == guard).map(|region| region.side)
    }

    /// Returns the number of regions, number 0 aside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns `true` if every instruction is always needed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the number of the region of one side of a guard, inside of `parent`. Creates it if there is none yet.
    fn intern_side(
        &mut self,
        known: &mut FxHashMap<(usize, usize, bool), usize>,
        parent: usize,
        guard: Option<usize>,
        side: KinkBranch,
    ) -> usize {
        // A guard that is an input has no instruction here, so it makes no region.
        let Some(guard) = guard else { return parent };
        *known.entry((parent, guard, side == KinkBranch::Left)).or_insert_with(|| {
            self.all.push(ControlDependence { parent, guard, side, depth: self.depth(parent) + 1 });
            self.all.len()
        })
    }

    /// Returns the depth of a region; 0 for number 0.
    fn depth(&self, number: usize) -> usize {
        self.region(number).map_or(0, |r| r.depth)
    }

    /// Returns the innermost region that contains both: their lowest common ancestor.
    fn innermost_common(&self, a: usize, b: usize) -> usize {
        if a == UNUSED {
            return b;
        }
        let outside = |n: usize| self.region(n).map_or(0, |r| r.parent);
        let (mut a, mut b) = (a, b);
        while a != b {
            let (deep_a, deep_b) = (self.depth(a), self.depth(b));
            if deep_a >= deep_b {
                a = outside(a);
            }
            if deep_b >= deep_a {
                b = outside(b);
            }
        }
        a
    }
}

/// The only use of a number, if it is a node of the min/max tree or the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinMaxUse {
    /// The single output of the block.
    Output,
    /// The operand of a negation, the step given.
    Negation(usize),
    /// An argument of a maximum.
    Maximum {
        /// The step of the maximum.
        step: usize,
        /// The other argument.
        rival: BlockRegister,
    },
    /// An argument of a minimum.
    Minimum {
        /// The step of the minimum.
        step: usize,
        /// The other argument.
        rival: BlockRegister,
    },
}

/// The parent of each step in the min/max tree; `None` for a step with several uses, or with another one.
#[derive(Debug, Default)]
pub struct MinMaxTree {
    use_of: Box<[Option<MinMaxUse>]>,
}

impl MinMaxTree {
    /// The number of tree levels that are climbed, at most. A choice: it bounds the recursion.
    pub const HIGHEST: u32 = 64;

    /// Builds the min/max tree of a block whose instructions follow `inputs` registers. It is empty if no instruction runs
    /// a solver.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[BlockInstruction], outputs: &[BlockRegister]) -> Self {
        if !instructions.iter().any(BlockInstruction::has_solver) {
            return Self::default();
        }
        let mut uses = vec![0_u32; instructions.len()];
        let mut above = vec![None; instructions.len()];
        // A second use, of whatever kind, makes the first one useless: the number is needed for both.
        let mut note = |r: BlockRegister, used: Option<MinMaxUse>| {
            if let Some(index) = (r.0 as usize).checked_sub(inputs) {
                uses[index] += 1;
                above[index] = used.filter(|_| uses[index] == 1);
            }
        };
        // With several outputs no window is known for any of them.
        outputs.iter().for_each(|r| note(*r, Some(MinMaxUse::Output).filter(|_| outputs.len() == 1)));
        for (step, instruction) in instructions.iter().enumerate() {
            match instruction {
                BlockInstruction::Unary(Unary::Negate, x) => note(*x, Some(MinMaxUse::Negation(step))),
                BlockInstruction::Binary(Binary::Maximum, x, y) => {
                    note(*x, Some(MinMaxUse::Maximum { step, rival: *y }));
                    note(*y, Some(MinMaxUse::Maximum { step, rival: *x }));
                }
                BlockInstruction::Binary(Binary::Minimum, x, y) => {
                    note(*x, Some(MinMaxUse::Minimum { step, rival: *y }));
                    note(*y, Some(MinMaxUse::Minimum { step, rival: *x }));
                }
                other => other.for_each_read(|r, _| note(r, None)),
            }
        }
        Self { use_of: above.into() }
    }

    /// Returns the only use of a step. Returns `None` if it has several, or one outside of the tree.
    #[must_use]
    pub fn use_of(&self, step: usize) -> Option<MinMaxUse> {
        self.use_of.get(step).copied().flatten()
    }
}

/// Two maxima whose maximum is computed, and the ends that they have in common.
#[derive(Clone, Debug)]
pub struct TiedMaxima {
    /// The registers of the two optima.
    pub optima: [BlockRegister; 2],
    /// The pairs of ends, 0 or 1, at which the two functions are the same.
    pub common_ends: Vec<[usize; 2]>,
}

impl TiedMaxima {
    /// Returns the pairs of ends at which two maxima have the same function. It is empty unless both graphs are maxima.
    #[must_use]
    pub fn common_ends(a: &Graph, b: &Graph) -> Vec<[usize; 2]> {
        let [Some(a), Some(b)] = [a, b].map(at_ends) else { return Vec::new() };
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
        all.into_iter().filter(|[i, j]| a[*i].is_alpha_equivalent(&b[*j])).collect()
    }
}

/// Returns the function whose maximum a graph is, at 0 and at 1, simplified up to where it is defined. `None` for other graphs.
fn at_ends(g: &Graph) -> Option<[Graph; 2]> {
    match g.operation() {
        NodeOperation::Second(SecondOrder::Maximum, v, body) => Some(
            [0, 1]
                .map(|end| ZeroOneSimplifier::default().simplify_graph(&body.substitute(&[(*v, Graph::integer(end))]))),
        ),
        _ => None,
    }
}

/// A simplifier that removes sums with 0 and products with 0 and 1: the result is equal where the graph is defined.
#[derive(Default)]
struct ZeroOneSimplifier {
    /// The simplified graphs by address. Each original is kept, so that its address is not used again.
    known: FxHashMap<usize, (Graph, Graph)>,
}

impl ZeroOneSimplifier {
    /// Simplifies a graph. Shared parts are simplified once.
    fn simplify_graph(&mut self, g: &Graph) -> Graph {
        if let Some((_, plain)) = self.known.get(&g.address()) {
            return plain.clone();
        }
        let plain = with_stack(|| self.simplify_operation(g));
        self.known.insert(g.address(), (g.clone(), plain.clone()));
        plain
    }

    /// Simplifies the operation of a graph and its parts.
    fn simplify_operation(&mut self, g: &Graph) -> Graph {
        let is = |g: &Graph, number: i32| g.as_rational().is_some_and(|q: &Rational| *q == number);
        match g.operation() {
            NodeOperation::Unary(f, a) => Graph::unary(*f, &self.simplify_graph(a)),
            NodeOperation::Power(a, exponent) => {
                let a = self.simplify_graph(a);
                // 1^q = 1, and 0^q = 0 for q > 0; 0^q for q < 0 is undefined.
                let stays = is(&a, 1) || is(&a, 0) && exponent.numerator > 0;
                if stays {
                    a
                } else {
                    Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
                        .unwrap_or_else(|| g.clone())
                }
            }
            NodeOperation::Binary(f, a, b) => {
                let (a, b) = (self.simplify_graph(a), self.simplify_graph(b));
                match f {
                    Binary::Multiply if is(&a, 0) || is(&b, 1) => a,
                    Binary::Multiply if is(&b, 0) || is(&a, 1) => b,
                    Binary::Add if is(&a, 0) => b,
                    Binary::Add | Binary::Subtract if is(&b, 0) => a,
                    Binary::Divide if is(&b, 1) => a,
                    _ => Graph::binary(*f, &a, &b),
                }
            }
            NodeOperation::Second(primitive, v, body) => Graph::second_order(*primitive, *v, self.simplify_graph(body)),
            _ => g.clone(),
        }
    }
}
