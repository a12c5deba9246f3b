//! The guards decided in a run of a block, and the steps skipped because of them.

use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::region::Regions;
use rustc_hash::FxHashMap;

/// The branches of the guards of one run, and the regions that they make superfluous.
#[derive(Debug)]
pub struct Choices<'b> {
    regions: &'b Regions,
    /// The branches of the guards, by their instructions.
    taken: FxHashMap<usize, Branch>,
    /// Entry r − 1 tells whether region r is skipped; `None` until that is computed.
    left_out: Vec<Option<bool>>,
}

impl<'b> Choices<'b> {
    /// Returns the decisions of a run in which no guard has been evaluated.
    #[must_use]
    pub fn new(regions: &'b Regions) -> Self {
        let left_out = vec![None; regions.len()];
        Self { regions, taken: FxHashMap::default(), left_out }
    }

    /// Stores the branch of the guard at an instruction, which may be undecided.
    pub fn decide(&mut self, guard: usize, branch: Branch) {
        self.taken.insert(guard, branch);
    }

    /// Returns the branch of the guard at an instruction; undecided if it was not stored.
    #[must_use]
    pub fn of(&self, guard: usize) -> Branch {
        self.taken.get(&guard).copied().unwrap_or(Branch::Undecided)
    }

    /// Returns `true` if an instruction may be skipped: a guard around it is decided for the other side.
    pub fn leaves_out(&mut self, instruction: usize) -> bool {
        // Climbs from the innermost region outwards. Answers are stored, so each region is climbed through once.
        let mut number = self.regions.of(instruction);
        let mut inside = Vec::new();
        let outside = loop {
            let Some(region) = self.regions.region(number) else { break false };
            if let Some(known) = self.left_out[number - 1] {
                break known;
            }
            // An undecided guard needs both sides.
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
        // Regions passed on the way have no skipping guard of their own: they share the answer of the one outside.
        for number in inside {
            self.left_out[number - 1] = Some(outside);
        }
        outside
    }
}
