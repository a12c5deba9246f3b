//! Branch points: the places at which a branch of a run is decided.
//!
//! A branch point ([`Switch`]) is an instruction of the block that is run, or lies inside of a binder of that block:
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
//! ([`Events`]).

use super::{Branch, Branches, Frame, Machine, Target};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Binary;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::Instruction;
use crate::smooth::solve::Function;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The number of binders and instructions on the way to a branch point, at most: deeper ones are not seen from outside. A
/// choice.
const DEEPEST: usize = 4;

/// The value at which the body of a binder is evaluated to find the number of a branch point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The bound variable, as in the run itself; for an instruction that binds nothing, the instruction.
    Itself,
    /// 0 for the bound variable.
    Start,
    /// 1 for the bound variable.
    Finish,
    /// The difference of the body at 0 and at 1.
    Ends,
    /// The zero of one branch point of the body: another one is evaluated there. The target is a [pair](Switch::pair).
    Root,
}

impl Look {
    /// Returns the view at an end of [0, 1]: at 0 for `end` 0, at 1 for any other.
    #[must_use]
    pub fn at(end: usize) -> Self {
        if end == 0 { Self::Start } else { Self::Finish }
    }
}

/// One instruction on the way to a branch point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    instruction: u32,
    look: Look,
}

/// A branch point: the instructions of the binders that it lies in, then its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    path: [Step; DEEPEST],
    length: usize,
}

/// Filler behind the last step of a path.
const NOWHERE: Step = Step { instruction: u32::MAX, look: Look::Itself };

impl Switch {
    /// Returns the branch point of an instruction of the block itself.
    #[must_use]
    pub fn at(instruction: usize) -> Self {
        Self::new(instruction, Look::Itself)
    }

    fn new(instruction: usize, look: Look) -> Self {
        let mut path = [NOWHERE; DEEPEST];
        path[0] = Step { instruction: instruction as u32, look };
        Self { path, length: 1 }
    }

    /// Returns the instruction of the outermost block: the branch point itself, or the binder that it lies in.
    #[must_use]
    pub fn instruction(self) -> usize {
        self.path[0].instruction as usize
    }

    /// Returns the value at which the outermost instruction is evaluated.
    #[must_use]
    pub fn look(self) -> Look {
        self.path[0].look
    }

    /// Returns `true` if the branch point is an instruction of the block itself.
    #[must_use]
    pub fn is_own(self) -> bool {
        self.length == 1 && self.look() == Look::Itself
    }

    /// Returns the target of the body of the outermost binder: this branch point without its first step.
    #[must_use]
    pub fn inside(self) -> Target {
        let mut path = [NOWHERE; DEEPEST];
        path[..DEEPEST - 1].copy_from_slice(&self.path[1..]);
        if self.length > 1 { Target::Switch(Self { path, length: self.length - 1 }) } else { Target::Outputs }
    }

    /// Returns the branch point `switch` at the zero of `root`. Returns `None` unless both are different instructions of
    /// the block itself.
    #[must_use]
    pub fn pair(root: Self, switch: Self) -> Option<Self> {
        let mut pair = root;
        pair.path[1] = switch.path[0];
        pair.length = 2;
        (root.is_own() && switch.is_own() && root != switch).then_some(pair)
    }

    /// Returns the branch point of the outer block for a target inside of `binder`. Returns `None` if it lies too deep.
    fn within(binder: usize, look: Look, inside: Target) -> Option<Self> {
        let mut switch = Self::new(binder, look);
        if let Target::Switch(inside) = inside {
            switch.path[1..].copy_from_slice(&inside.path[..DEEPEST - 1]);
            switch.length += inside.length;
        }
        (switch.length <= DEEPEST).then_some(switch)
    }
}

/// Returns the number whose sign decides the branch of an instruction: positive for [`Branch::Left`]. ⊥ for any other
/// instruction.
pub(super) fn number<C: Hooked>(jets: &Jets<C>, frame: &Frame<C::Num>, instruction: &Instruction) -> Jet<C::Num> {
    match instruction {
        Instruction::Binary(Binary::Planar(_), x, _) | Instruction::Unary(_, x) | Instruction::Guard(x) => {
            frame.get(*x).clone()
        }
        // min(a, b) takes its left argument where b - a > 0.
        Instruction::Binary(Binary::Minimum, x, y) => jets.subtract(frame.get(*y), frame.get(*x)),
        Instruction::Binary(_, x, y) => jets.subtract(frame.get(*x), frame.get(*y)),
        _ => Jet::constant(jets.context.bottom()),
    }
}

/// The signs of events that a solver is given, and those that it could not decide.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The given signs. On a piece they hold up to zeros at its ends.
    given: Vec<(Look, Target, Branch)>,
    /// The events that the solver could not decide.
    undecided: RefCell<Vec<(Look, Target)>>,
    /// The end, 0 or 1, at which an optimum is certainly attained.
    end: Cell<Option<usize>>,
}

impl Events {
    /// Returns the sign of an event on the present piece; undecided if it is not given.
    #[must_use]
    pub fn given(&self, look: Look, target: Target) -> Branch {
        let given = self.given.iter().find(|(l, t, _)| *l == look && *t == target);
        given.map_or(Branch::Undecided, |(.., branch)| *branch)
    }

    /// Copies the given signs, without any record.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { given: self.given.clone(), ..Self::default() }
    }

    /// Records that the optimum is certainly attained at this end, for all inputs nearby.
    pub fn attain_at(&self, end: usize) {
        self.end.set(Some(end));
    }

    /// Adds the undecided events of another record, such as that of a second thread.
    pub fn join(&self, other: Self) {
        other.undecided.into_inner().into_iter().for_each(|(look, target)| self.note(look, target));
    }

    /// Records an event whose sign the solver cannot decide, once.
    pub fn note(&self, look: Look, target: Target) {
        let mut undecided = self.undecided.borrow_mut();
        if !undecided.contains(&(look, target)) {
            undecided.push((look, target));
        }
    }
}

impl Branches {
    /// Returns decisions with these branches forced and nothing recorded.
    #[must_use]
    pub fn forced(forced: Vec<(Switch, Branch)>) -> Self {
        Self { forced, ..Self::default() }
    }

    /// Clears the record of the last run. Forced branches stay.
    pub(super) fn begin(&mut self) {
        self.undecided.clear();
        self.at_ends.clear();
    }

    /// Returns the forced branch of an instruction of the block itself; `None` if it is not forced.
    #[must_use]
    pub fn of(&self, instruction: usize) -> Option<Branch> {
        let switch = Switch::at(instruction);
        self.forced.iter().find(|(s, _)| *s == switch).map(|(_, b)| *b)
    }

    /// Returns the forced branches of branch points inside of a derivative, as its body sees them.
    pub(super) fn inside(&self, derivative: usize) -> Self {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == derivative);
        let inside = here.filter_map(|(s, b)| match s.inside() {
            Target::Switch(inside) => Some((inside, *b)),
            Target::Outputs => None,
        });
        Self::forced(inside.collect())
    }

    /// Records the branch points that were undecided inside of a derivative. Those that lie too deep are dropped.
    pub(super) fn record(&mut self, derivative: usize, inside: &Self) {
        let inside = inside.undecided.iter();
        let seen = inside.filter_map(|s| Switch::within(derivative, Look::Itself, Target::Switch(*s)));
        self.undecided.extend(seen);
    }

    /// Returns the given signs of the events of a solver.
    pub(super) fn events(&self, solver: usize) -> Events {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == solver);
        Events { given: here.map(|(s, b)| (s.look(), s.inside(), *b)).collect(), ..Events::default() }
    }

    /// Returns the end at which an optimum is certainly attained; `None` if it is not known to be at an end.
    #[must_use]
    pub fn end_of(&self, solver: usize) -> Option<usize> {
        self.at_ends.iter().find(|(at, _)| *at == solver).map(|(_, end)| *end)
    }

    /// Records the events that a solver could not decide, and the end at which it found the optimum.
    pub(super) fn record_events(&mut self, solver: usize, events: Events) {
        self.at_ends.extend(events.end.get().map(|end| (solver, end)));
        let undecided = events.undecided.into_inner().into_iter();
        self.undecided.extend(undecided.filter_map(|(look, target)| Switch::within(solver, look, target)));
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Returns the number whose sign is that of an event of the solver of `f`. ⊥ for a malformed event.
    pub(super) fn event(
        &self,
        f: &Function<C>,
        algebra: &Arc<Algebra>,
        switch: Switch,
    ) -> Result<Jet<C::Num>, SmoothError> {
        // Nothing is forced: an event is the number of a branch point at an end, on whatever piece that lies.
        let at = |end: i64| {
            let end = Jet::constant(self.context.integer(end));
            f.at(algebra, end, &mut Branches::default(), switch.inside())
        };
        match (switch.look(), switch.inside()) {
            (Look::Start, _) => at(0),
            (Look::Finish, _) => at(1),
            (Look::Ends, _) => Ok(self.jets(algebra).subtract(&at(0)?, &at(1)?)),
            (Look::Root, Target::Switch(pair)) => match pair.inside() {
                Target::Switch(other) => f.at_zero_of(algebra, Switch::at(pair.instruction()), other),
                Target::Outputs => Ok(self.jets(algebra).bottom_everywhere()),
            },
            _ => Ok(self.jets(algebra).bottom_everywhere()),
        }
    }
}
