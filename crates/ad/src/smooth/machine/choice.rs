//! Which sides of choices are taken in a run, and what is left out for it.

use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::region::Regions;
use rustc_hash::FxHashMap;

/// The decisions of one run of a block.
#[derive(Debug)]
pub struct Choices<'b> {
    regions: &'b Regions,
    /// How the guards were decided, by their instructions.
    taken: FxHashMap<usize, Branch>,
    /// Which regions are left out, from number 1 on, as far as that was asked.
    left_out: Vec<Option<bool>>,
}

impl<'b> Choices<'b> {
    /// None so far.
    #[must_use]
    pub fn new(regions: &'b Regions) -> Self {
        let left_out = vec![None; regions.len()];
        Self { regions, taken: FxHashMap::default(), left_out }
    }

    /// The guard at an instruction was decided, or was not.
    pub fn decide(&mut self, guard: usize, branch: Branch) {
        self.taken.insert(guard, branch);
    }

    /// How the guard at an instruction was decided.
    #[must_use]
    pub fn of(&self, guard: usize) -> Branch {
        self.taken.get(&guard).copied().unwrap_or(Branch::Undecided)
    }

    /// Whether an instruction is not needed: some guard is decided for the other side.
    pub fn leaves_out(&mut self, instruction: usize) -> bool {
        let mut number = self.regions.of(instruction);
        let mut inside = Vec::new();
        let outside = loop {
            let Some(region) = self.regions.region(number) else { break false };
            if let Some(known) = self.left_out[number - 1] {
                break known;
            }
            let other = match self.of(region.guard) {
                Branch::Undecided => false,
                branch => branch != region.side,
            };
            if other {
                self.left_out[number - 1] = Some(true);
                break true;
            }
            inside.push(number);
            number = region.parent;
        };
        for number in inside {
            self.left_out[number - 1] = Some(outside);
        }
        outside
    }
}
