//! Branch points: the places at which a branch of a run is decided.
//!
//! A branch point ([`BranchPoint`]) is an instruction of the block that is run, or lies inside of a binder of that block:
//!
//! * inside of a derivative: the derivative of a function with a kink jumps at the kink, and an integral over it is split
//!   there;
//! * an *event*: a branch point inside of a solver, with 0 or 1 for the solver's variable. There the zero of the inner
//!   branch point enters the interval of the solver, or leaves it. For an integral `F u = ∫₀¹ f (u, x) dx` with a kink at
//!   x*(u), F is one smooth function where x*(u) lies in [0, 1], and another one where it does not;
//! * inside of a solver at the zero of another branch point: there two kinks cross;
//! * a sign that a solver itself depends on: that of a function at 0 or at 1 for a first root, and that of the difference
//!   of the two values for an optimum that is attained at an end.
//!
//! On a piece on which the sign of an event is given, the solver inside knows it, up to zeros at the ends of the piece
//! ([`SolverEvents`]).
//!
//! Let the signs of an inner branch point at 0 and at 1 be given. If it is strictly monotone in the solver's
//! variable, it is decided on all of the interval, or has its zero there. The same holds if it does not depend on
//! that variable by structure. A slope that is 0 at the given inputs is not enough: it need not be 0 nearby.
//!
//! The value may jump at an event. If the event cannot be told from another branch point that moves with it, both
//! sides have to be bounded.
//!
//! # The side from which a discontinuity is approached
//!
//! The side of a possible discontinuity from which another branch point is evaluated.
//!
//! At a kink every number is continuous. At the border of a guard or a signum, a number may jump that is computed from the choice made
//! there. It need not have the same sign on both sides. `p ∧ q` is q on one side of the zero of p and a negative constant
//! on the other. Only the side of q needs to be evaluated.
//!
//! # Alpha-beta windows
//!
//! Bounds outside of which a number need not be known precisely.
//!
//! In the maximum of many numbers, a number below the greatest one so far matters no further. Likewise in the minimum of
//! such maxima, a maximum above the least one so far (alpha-beta pruning, Knuth and Moore 1975). A window tells these
//! bounds to the step that computes a number. An enclosure that lies outside of the window and is certainly defined is good
//! enough, however wide it is, and needs no derivatives. A window is a hint: every result is an enclosure, and is compared
//! as one.
//!
//! The operand of a `max` that is computed later knows the value of the earlier one. So of several
//! shapes the one that reaches farthest is best named first.

use super::{BranchDecisions, EvalTarget, KinkBranch, RegisterFile};
use crate::smooth::graph::Binary;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::program::BlockInstruction;
use std::cell::{Cell, RefCell};

/// The number of binders and instructions on the way to a branch point, at most: deeper ones are not seen from outside. A
/// choice.
const DEEPEST: usize = 4;

/// The value at which the body of a binder is evaluated to find the number of a branch point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinderView {
    /// The bound variable, as in the run itself; for an instruction that binds nothing, the instruction.
    AsBound,
    /// 0 for the bound variable.
    AtZero,
    /// 1 for the bound variable.
    AtOne,
    /// The difference of the body at 0 and at 1.
    EndDifference,
    /// The zero of one branch point of the body: another one is evaluated there. The target is a [pair](BranchPoint::at_zero_of).
    AtRoot,
}

impl BinderView {
    /// Returns the view at an end of [0, 1]: at 0 for `end` 0, at 1 for any other.
    #[must_use]
    pub fn at_end(end: usize) -> Self {
        if end == 0 { Self::AtZero } else { Self::AtOne }
    }
}

/// One instruction on the way to a branch point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BinderStep {
    instruction: u32,
    look: BinderView,
}

/// A branch point: the instructions of the binders that it lies in, then its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchPoint {
    path: [BinderStep; DEEPEST],
    length: usize,
}

/// Filler behind the last step of a path.
const NOWHERE: BinderStep = BinderStep { instruction: u32::MAX, look: BinderView::AsBound };

impl BranchPoint {
    /// Returns the branch point of an instruction of the block itself.
    #[must_use]
    pub fn of_instruction(instruction: usize) -> Self {
        Self::new(instruction, BinderView::AsBound)
    }

    fn new(instruction: usize, look: BinderView) -> Self {
        let mut path = [NOWHERE; DEEPEST];
        path[0] = BinderStep { instruction: instruction as u32, look };
        Self { path, length: 1 }
    }

    /// Returns the instruction of the outermost block: the branch point itself, or the binder that it lies in.
    #[must_use]
    pub fn instruction(self) -> usize {
        self.path[0].instruction as usize
    }

    /// Returns the value at which the outermost instruction is evaluated.
    #[must_use]
    pub fn view(self) -> BinderView {
        self.path[0].look
    }

    /// Returns `true` if the branch point is an instruction of the block itself.
    #[must_use]
    pub fn is_own(self) -> bool {
        self.length == 1 && self.view() == BinderView::AsBound
    }

    /// Returns the target of the body of the outermost binder: this branch point without its first step.
    #[must_use]
    pub fn inner_target(self) -> EvalTarget {
        let mut path = [NOWHERE; DEEPEST];
        path[..DEEPEST - 1].copy_from_slice(&self.path[1..]);
        if self.length > 1 {
            EvalTarget::BranchPoint(Self { path, length: self.length - 1 })
        } else {
            EvalTarget::Outputs
        }
    }

    /// Returns the branch point `switch` at the zero of `root`. Returns `None` unless both are different instructions of
    /// the block itself.
    #[must_use]
    pub fn at_zero_of(root: Self, switch: Self) -> Option<Self> {
        let mut pair = root;
        pair.path[1] = switch.path[0];
        pair.length = 2;
        (root.is_own() && switch.is_own() && root != switch).then_some(pair)
    }

    /// Returns the branch point of the outer block for a target inside of `binder`. Returns `None` if it lies too deep.
    fn nested_in(binder: usize, look: BinderView, inside: EvalTarget) -> Option<Self> {
        let mut switch = Self::new(binder, look);
        if let EvalTarget::BranchPoint(inside) = inside {
            switch.path[1..].copy_from_slice(&inside.path[..DEEPEST - 1]);
            switch.length += inside.length;
        }
        (switch.length <= DEEPEST).then_some(switch)
    }
}

/// Returns the number whose sign decides the branch of an instruction: positive for [`KinkBranch::Left`]. For an operation that
/// may be singular where an operand is 0, and for a square, it is that operand. ⊥ for any other instruction.
pub(in crate::smooth) fn branch_number<C: HookedContext>(
    jets: &JetArithmetic<C>,
    frame: &RegisterFile<C::Num>,
    instruction: &BlockInstruction,
) -> Jet<C::Num> {
    match instruction {
        BlockInstruction::Binary(Binary::Planar(_), x, _)
        | BlockInstruction::Unary(_, x)
        | BlockInstruction::Guard(x) => frame.get(*x).clone(),
        BlockInstruction::Binary(Binary::Divide, _, x) | BlockInstruction::Power(x, _) => frame.get(*x).clone(),
        BlockInstruction::Binary(Binary::Multiply, x, y) if x == y => frame.get(*x).clone(),
        // min(a, b) takes its left argument where b - a > 0.
        BlockInstruction::Binary(Binary::Minimum, x, y) => jets.subtract(frame.get(*y), frame.get(*x)),
        BlockInstruction::Binary(_, x, y) => jets.subtract(frame.get(*x), frame.get(*y)),
        _ => Jet::constant(jets.context.bottom()),
    }
}

/// The signs of events that a solver is given, and those that it could not decide.
#[derive(Clone, Debug, Default)]
pub struct SolverEvents {
    /// The given signs. On a piece they hold up to zeros at its ends.
    given_sign: Vec<(BinderView, EvalTarget, KinkBranch)>,
    /// The events that the solver could not decide.
    undecided: RefCell<Vec<(BinderView, EvalTarget)>>,
    /// The end, 0 or 1, at which an optimum is certainly attained.
    end: Cell<Option<usize>>,
}

impl SolverEvents {
    /// Returns the sign of an event on the present piece; undecided if it is not given.
    #[must_use]
    pub fn given_sign(&self, look: BinderView, target: EvalTarget) -> KinkBranch {
        let given = self.given_sign.iter().find(|(l, t, _)| *l == look && *t == target);
        given.map_or(KinkBranch::Undecided, |(.., branch)| *branch)
    }

    /// Copies the given signs, without any record.
    #[must_use]
    pub fn with_given_signs(&self) -> Self {
        Self { given_sign: self.given_sign.clone(), ..Self::default() }
    }

    /// Records that the optimum is certainly attained at this end, for all inputs nearby.
    pub fn attain_at(&self, end: usize) {
        self.end.set(Some(end));
    }

    /// Adds the undecided events of another record, such as that of a second thread.
    pub fn merge_undecided(&self, other: Self) {
        other.undecided.into_inner().into_iter().for_each(|(look, target)| self.record_undecided(look, target));
    }

    /// Records an event whose sign the solver cannot decide, once.
    pub fn record_undecided(&self, look: BinderView, target: EvalTarget) {
        let mut undecided = self.undecided.borrow_mut();
        if !undecided.contains(&(look, target)) {
            undecided.push((look, target));
        }
    }
}

impl BranchDecisions {
    /// Returns decisions with these branches forced and nothing recorded.
    #[must_use]
    pub fn with_forced(forced: Vec<(BranchPoint, KinkBranch)>) -> Self {
        Self { forced, ..Self::default() }
    }

    /// Clears the record of the last run. Forced branches stay.
    pub(in crate::smooth) fn clear_records(&mut self) {
        self.undecided.clear();
        self.at_ends.clear();
    }

    /// Returns the forced branch of an instruction of the block itself; `None` if it is not forced.
    #[must_use]
    pub fn forced_branch(&self, instruction: usize) -> Option<KinkBranch> {
        let switch = BranchPoint::of_instruction(instruction);
        self.forced.iter().find(|(s, _)| *s == switch).map(|(_, b)| *b)
    }

    /// Returns the forced branches of branch points inside of a derivative, as its body sees them.
    pub(super) fn for_derivative_body(&self, derivative: usize) -> Self {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == derivative);
        let inside = here.filter_map(|(s, b)| match s.inner_target() {
            EvalTarget::BranchPoint(inside) => Some((inside, *b)),
            EvalTarget::Outputs => None,
        });
        Self::with_forced(inside.collect())
    }

    /// Records the branch points that were undecided inside of a derivative. Those that lie too deep are dropped.
    pub(super) fn record_derivative(&mut self, derivative: usize, inside: &Self) {
        let inside = inside.undecided.iter();
        let seen =
            inside.filter_map(|s| BranchPoint::nested_in(derivative, BinderView::AsBound, EvalTarget::BranchPoint(*s)));
        self.undecided.extend(seen);
    }

    /// Returns the given signs of the events of a solver.
    pub(super) fn events_of_solver(&self, solver: usize) -> SolverEvents {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == solver);
        SolverEvents {
            given_sign: here.map(|(s, b)| (s.view(), s.inner_target(), *b)).collect(),
            ..SolverEvents::default()
        }
    }

    /// Returns the end at which an optimum is certainly attained; `None` if it is not known to be at an end.
    #[must_use]
    pub fn end_of_optimum(&self, solver: usize) -> Option<usize> {
        self.at_ends.iter().find(|(at, _)| *at == solver).map(|(_, end)| *end)
    }

    /// Records the events that a solver could not decide, and the end at which it found the optimum.
    pub(super) fn record_events(&mut self, solver: usize, events: SolverEvents) {
        self.at_ends.extend(events.end.get().map(|end| (solver, end)));
        let undecided = events.undecided.into_inner().into_iter();
        self.undecided.extend(undecided.filter_map(|(look, target)| BranchPoint::nested_in(solver, look, target)));
    }
}

/// The signs of a register left and right of the border, where they are the same for all inputs.
pub(crate) type SidedSigns = [KinkBranch; 2];

/// No sign is known on either side.
pub(crate) const UNKNOWN: SidedSigns = [KinkBranch::Undecided; 2];

/// The range in which a number has to be known precisely; all of ℝ if there are no ends.
#[derive(Clone, Debug)]
pub struct AlphaBetaWindow<N> {
    /// The lower end: a number below it need not be known more precisely. `None` for −∞.
    pub low: Option<N>,
    /// The upper end: a number above it need not be known more precisely. `None` for +∞.
    pub high: Option<N>,
}

impl<N: Clone> AlphaBetaWindow<N> {
    /// Returns the window without ends.
    #[must_use]
    pub const fn open() -> Self {
        Self { low: None, high: None }
    }

    /// Returns `true` if the window has no ends.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Returns `true` if a number is certainly defined and certainly lies outside of the window.
    pub fn certainly_excludes<C: HookedContext<Num = N>>(&self, context: &C, value: &N) -> bool {
        let below = |low| context.is_strictly_below(value, low);
        let above = |high| context.is_strictly_below(high, value);
        context.is_defined(value) && (self.low.as_ref().is_some_and(below) || self.high.as_ref().is_some_and(above))
    }

    /// Raises the lower end to that of `value`: smaller numbers lose against it in a maximum. An undefined `value` changes
    /// nothing.
    #[must_use]
    pub fn at_least<C: HookedContext<Num = N>>(mut self, context: &C, value: &N) -> Self {
        // The lower end is what `value` certainly reaches.
        if let Some(least) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.low = Some(self.low.map_or(least.clone(), |low| context.max(&low, &least)));
        }
        self
    }

    /// Lowers the upper end to that of `value`: greater numbers lose against it in a minimum. An undefined `value` changes
    /// nothing.
    #[must_use]
    pub fn at_most<C: HookedContext<Num = N>>(mut self, context: &C, value: &N) -> Self {
        if let Some(most) = context.upper(value).filter(|_| context.is_defined(value)) {
            self.high = Some(self.high.map_or(most.clone(), |high| context.min(&high, &most)));
        }
        self
    }

    /// Returns the window of −x, given that of x.
    pub(crate) fn negated<C: HookedContext<Num = N>>(self, context: &C) -> Self {
        let negated = |end: Option<N>| end.map(|end| context.neg(&end));
        Self { low: negated(self.high), high: negated(self.low) }
    }
}
