//! The steps of a block that only one side of a choice needs.
//!
//! A step belongs to a *region* where every way from it to a result goes through one side of a choice. Regions lie inside
//! each other, so they form a tree, and a step belongs to the meeting point of the regions of all that uses it: its dominator
//! in the graph of uses. Choices by one guard that stand in one region share their regions. The guard of a region stands
//! before all its steps, since a choice is compiled guard first.

use super::{Instruction, Register, Use};
use crate::smooth::jet::kinks::Branch;
use rustc_hash::FxHashMap;

/// What is needed only where a guard is decided in one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The region that it lies in, as an index; 0 is what is always needed.
    pub parent: usize,
    /// The instruction of the guard.
    pub guard: usize,
    /// The side: [`Branch::Left`] where the guard is positive, [`Branch::Right`] where it is negative.
    pub side: Branch,
    depth: usize,
}

/// The regions of a block.
#[derive(Debug, Default)]
pub struct Regions {
    /// The region of each instruction; none at all where there are no choices.
    of: Vec<usize>,
    /// The regions after number 0, each behind the one that it lies in.
    all: Vec<Region>,
}

/// Not needed by anything seen so far.
const UNUSED: usize = usize::MAX;

impl Regions {
    /// The regions of instructions with so many inputs before them.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[Instruction], outputs: &[Register]) -> Self {
        if !instructions.iter().any(|i| matches!(i, Instruction::Select { .. })) {
            return Self::default();
        }
        let mut regions = Self { of: vec![UNUSED; instructions.len()], all: Vec::new() };
        let mut known = FxHashMap::default();
        let place = |r: Register| (r.0 as usize).checked_sub(inputs);
        for index in outputs.iter().filter_map(|r| place(*r)) {
            regions.of[index] = 0;
        }
        for (index, instruction) in instructions.iter().enumerate().rev() {
            if regions.of[index] == UNUSED {
                regions.of[index] = 0;
            }
            let here = regions.of[index];
            instruction.reads(|r, used| {
                let Some(part) = place(r) else { return };
                let region = match used {
                    Use::Operand | Use::Capture => here,
                    Use::Then(guard) => regions.side(&mut known, here, place(guard), Branch::Left),
                    Use::Otherwise(guard) => regions.side(&mut known, here, place(guard), Branch::Right),
                };
                regions.of[part] = regions.meet(regions.of[part], region);
            });
        }
        regions
    }

    /// The region of an instruction; 0 where it is always needed.
    #[must_use]
    pub fn of(&self, instruction: usize) -> usize {
        self.of.get(instruction).copied().unwrap_or(0)
    }

    /// A region by its number, which is not 0.
    #[must_use]
    pub fn region(&self, number: usize) -> Option<&Region> {
        self.all.get(number.checked_sub(1)?)
    }

    /// The side of a guard on which an instruction is needed, if it is on one only.
    #[must_use]
    pub fn side_of(&self, guard: usize, instruction: usize) -> Option<Branch> {
        let innermost = self.region(self.of(instruction));
        let mut around = std::iter::successors(innermost, |region| self.region(region.parent));
        around.find(|region| region.guard == guard).map(|region| region.side)
    }

    /// The number of regions, number 0 aside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether every instruction is always needed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn side(
        &mut self,
        known: &mut FxHashMap<(usize, usize, bool), usize>,
        parent: usize,
        guard: Option<usize>,
        side: Branch,
    ) -> usize {
        let Some(guard) = guard else { return parent };
        *known.entry((parent, guard, side == Branch::Left)).or_insert_with(|| {
            self.all.push(Region { parent, guard, side, depth: self.depth(parent) + 1 });
            self.all.len()
        })
    }

    fn depth(&self, number: usize) -> usize {
        self.region(number).map_or(0, |r| r.depth)
    }

    /// The innermost region that holds both.
    fn meet(&self, a: usize, b: usize) -> usize {
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
