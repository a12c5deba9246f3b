//! Where branches are decided.
//!
//! A switch is an instruction of the block that is run, or something inside of a binder that stands in it:
//!
//! * one inside of a derivative: the derivative of a function with a kink jumps where the function has it, and an integral over
//!   it is split there;
//! * an *event*: one inside of a solver, with 0 or 1 for the solver's variable. There the zero of the inner switch enters the
//!   interval of the solver, or leaves it. For an integral `F u = ∫₀¹ f (u, x) dx` with a kink at x*(u), F is one smooth
//!   function where x*(u) lies in [0, 1], and another one where it does not;
//! * one inside of a solver where another one is 0: there two kinks cross;
//! * what a solver looks at itself: the value at 0 or at 1 of a function of which the first root is looked for, and the
//!   difference of the two for an optimum that is attained at an end.
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

/// A switch deeper inside of binders than this is not seen from outside.
const DEEPEST: usize = 4;

/// How the body of a binder is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// As it is run; of what binds nothing, the instruction itself.
    Itself,
    /// With 0 for its variable.
    Start,
    /// With 1 for it.
    Finish,
    /// What it is at 0 less what it is at 1.
    Ends,
    /// With the zero of one of its switches: another one there. What is asked for is a [pair](Switch::pair).
    Root,
}

impl Look {
    /// At an end of [0, 1]: the first one, or the second.
    #[must_use]
    pub fn at(end: usize) -> Self {
        if end == 0 { Self::Start } else { Self::Finish }
    }
}

/// One step on the way to a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    instruction: u32,
    look: Look,
}

/// An instruction at which a branch is decided: those of the binders that it lies in, then its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    path: [Step; DEEPEST],
    length: usize,
}

/// What stands behind the last step.
const NOWHERE: Step = Step { instruction: u32::MAX, look: Look::Itself };

impl Switch {
    /// An instruction of the block itself.
    #[must_use]
    pub fn at(instruction: usize) -> Self {
        Self::new(instruction, Look::Itself)
    }

    fn new(instruction: usize, look: Look) -> Self {
        let mut path = [NOWHERE; DEEPEST];
        path[0] = Step { instruction: instruction as u32, look };
        Self { path, length: 1 }
    }

    /// The instruction of the block: its own, or the binder that it lies in.
    #[must_use]
    pub fn instruction(self) -> usize {
        self.path[0].instruction as usize
    }

    /// How that is looked at.
    #[must_use]
    pub fn look(self) -> Look {
        self.path[0].look
    }

    /// Whether it is an instruction of the block itself.
    #[must_use]
    pub fn is_own(self) -> bool {
        self.length == 1 && self.look() == Look::Itself
    }

    /// What the body of the binder is asked for.
    #[must_use]
    pub fn inside(self) -> Target {
        let mut path = [NOWHERE; DEEPEST];
        path[..DEEPEST - 1].copy_from_slice(&self.path[1..]);
        if self.length > 1 { Target::Switch(Self { path, length: self.length - 1 }) } else { Target::Outputs }
    }

    /// A switch where another one of the block is 0; `None` unless both are instructions of the block itself.
    #[must_use]
    pub fn pair(root: Self, switch: Self) -> Option<Self> {
        let mut pair = root;
        pair.path[1] = switch.path[0];
        pair.length = 2;
        (root.is_own() && switch.is_own() && root != switch).then_some(pair)
    }

    /// What the body of a binder is asked for, as the block sees it in which the binder stands.
    fn within(binder: usize, look: Look, inside: Target) -> Option<Self> {
        let mut switch = Self::new(binder, look);
        if let Target::Switch(inside) = inside {
            switch.path[1..].copy_from_slice(&inside.path[..DEEPEST - 1]);
            switch.length += inside.length;
        }
        (switch.length <= DEEPEST).then_some(switch)
    }
}

/// The number whose sign decides a branch: positive for [`Branch::Left`].
pub(super) fn number<C: Hooked>(jets: &Jets<C>, frame: &Frame<C::Num>, instruction: &Instruction) -> Jet<C::Num> {
    match instruction {
        Instruction::Binary(Binary::Planar(_), x, _) | Instruction::Unary(_, x) | Instruction::Guard(x) => {
            frame.get(*x).clone()
        }
        Instruction::Binary(Binary::Minimum, x, y) => jets.subtract(frame.get(*y), frame.get(*x)),
        Instruction::Binary(_, x, y) => jets.subtract(frame.get(*x), frame.get(*y)),
        _ => Jet::constant(jets.context.bottom()),
    }
}

/// What a solver and the block in which it stands tell each other of its events.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The signs that are given: 0 may be either.
    given: Vec<(Look, Target, Branch)>,
    /// Those that the solver could not decide.
    undecided: RefCell<Vec<(Look, Target)>>,
    /// The end at which an optimum is attained.
    end: Cell<Option<usize>>,
}

impl Events {
    /// The sign of an event on the piece that is looked at.
    #[must_use]
    pub fn given(&self, look: Look, target: Target) -> Branch {
        let given = self.given.iter().find(|(l, t, _)| *l == look && *t == target);
        given.map_or(Branch::Undecided, |(.., branch)| *branch)
    }

    /// The same signs, and nothing noted yet.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { given: self.given.clone(), ..Self::default() }
    }

    /// The optimum is certainly attained at this end, for all inputs nearby.
    pub fn attain_at(&self, end: usize) {
        self.end.set(Some(end));
    }

    /// What was noted elsewhere.
    pub fn join(&self, other: Self) {
        other.undecided.into_inner().into_iter().for_each(|(look, target)| self.note(look, target));
    }

    /// The solver cannot decide the sign of an event.
    pub fn note(&self, look: Look, target: Target) {
        let mut undecided = self.undecided.borrow_mut();
        if !undecided.contains(&(look, target)) {
            undecided.push((look, target));
        }
    }
}

impl Branches {
    /// No record yet, and these branches taken by decree.
    #[must_use]
    pub fn forced(forced: Vec<(Switch, Branch)>) -> Self {
        Self { forced, ..Self::default() }
    }

    /// Forgets what the last run recorded.
    pub(super) fn begin(&mut self) {
        self.undecided.clear();
        self.at_ends.clear();
    }

    /// The branch of an instruction of the block that is taken by decree.
    #[must_use]
    pub fn of(&self, instruction: usize) -> Option<Branch> {
        let switch = Switch::at(instruction);
        self.forced.iter().find(|(s, _)| *s == switch).map(|(_, b)| *b)
    }

    /// Those inside of a derivative.
    pub(super) fn inside(&self, derivative: usize) -> Self {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == derivative);
        let inside = here.filter_map(|(s, b)| match s.inside() {
            Target::Switch(inside) => Some((inside, *b)),
            Target::Outputs => None,
        });
        Self::forced(inside.collect())
    }

    /// Records what could not be decided inside of a derivative.
    pub(super) fn record(&mut self, derivative: usize, inside: &Self) {
        let inside = inside.undecided.iter();
        let seen = inside.filter_map(|s| Switch::within(derivative, Look::Itself, Target::Switch(*s)));
        self.undecided.extend(seen);
    }

    /// What is known of the events of a solver.
    pub(super) fn events(&self, solver: usize) -> Events {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == solver);
        Events { given: here.map(|(s, b)| (s.look(), s.inside(), *b)).collect(), ..Events::default() }
    }

    /// The end at which an optimum is attained, where that is certain.
    #[must_use]
    pub fn end_of(&self, solver: usize) -> Option<usize> {
        self.at_ends.iter().find(|(at, _)| *at == solver).map(|(_, end)| *end)
    }

    /// Records the events that a solver could not decide, and where it found the optimum.
    pub(super) fn record_events(&mut self, solver: usize, events: Events) {
        self.at_ends.extend(events.end.get().map(|end| (solver, end)));
        let undecided = events.undecided.into_inner().into_iter();
        self.undecided.extend(undecided.filter_map(|(look, target)| Switch::within(solver, look, target)));
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// The number whose sign an event is.
    pub(super) fn event(
        &self,
        f: &Function<C>,
        algebra: &Arc<Algebra>,
        switch: Switch,
    ) -> Result<Jet<C::Num>, SmoothError> {
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
