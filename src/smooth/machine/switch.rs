//! Where branches are decided.
//!
//! A switch is an instruction of the block that is run, or one inside of a derivative that stands in it: the derivative of a
//! function with a kink jumps where the function has it, and an integral over it is split there.

use super::{Branch, Branches};

/// A switch deeper inside of derivatives than this is not seen from outside.
const DEEPEST: usize = 3;

/// An instruction at which a branch is decided: those of the derivatives that it lies in, then its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    path: [u32; DEEPEST],
    length: usize,
}

impl Switch {
    /// An instruction of the block itself.
    #[must_use]
    pub fn at(instruction: usize) -> Self {
        let mut path = [0; DEEPEST];
        path[0] = instruction as u32;
        Self { path, length: 1 }
    }

    /// The instruction of the block: its own, or the derivative that it lies in.
    #[must_use]
    pub fn instruction(self) -> usize {
        self.path[0] as usize
    }

    /// The switch as the body of the derivative sees it; `None` where it is an instruction of the block itself.
    #[must_use]
    pub fn inside(self) -> Option<Self> {
        let mut path = [0; DEEPEST];
        path[..DEEPEST - 1].copy_from_slice(&self.path[1..]);
        (self.length > 1).then(|| Self { path, length: self.length - 1 })
    }

    /// A switch of the body of a derivative, as the block sees it in which the derivative stands.
    fn within(self, derivative: usize) -> Option<Self> {
        let mut path = [derivative as u32; DEEPEST];
        path[1..].copy_from_slice(&self.path[..DEEPEST - 1]);
        (self.length < DEEPEST).then(|| Self { path, length: self.length + 1 })
    }
}

impl Branches {
    /// No record yet, and these branches taken by decree.
    #[must_use]
    pub fn forced(forced: Vec<(Switch, Branch)>) -> Self {
        Self { forced, undecided: Vec::new() }
    }

    /// The branch of an instruction of the block that is taken by decree.
    pub(super) fn of(&self, instruction: usize) -> Option<Branch> {
        let switch = Switch::at(instruction);
        self.forced.iter().find(|(s, _)| *s == switch).map(|(_, b)| *b)
    }

    /// Those inside of a derivative.
    pub(super) fn inside(&self, derivative: usize) -> Self {
        let here = self.forced.iter().filter(|(s, _)| s.instruction() == derivative);
        Self::forced(here.filter_map(|(s, b)| Some((s.inside()?, *b))).collect())
    }

    /// Records what could not be decided inside of a derivative.
    pub(super) fn record(&mut self, derivative: usize, inside: &Self) {
        self.undecided.extend(inside.undecided.iter().filter_map(|s| s.within(derivative)));
    }
}
