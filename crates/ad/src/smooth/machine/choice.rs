//! The guards decided in a run of a block, and the steps skipped because of them.

use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::program::region::ControlDependences;
use rustc_hash::FxHashMap;

/// The branches of the guards of one run, and the regions that they make superfluous.
#[derive(Debug)]
pub struct GuardDecisions<'b> {
    regions: &'b ControlDependences,
    /// The branches of the guards, by their instructions.
    taken: FxHashMap<usize, KinkBranch>,
    /// Entry r − 1 tells whether region r is skipped; `None` until that is computed.
    left_out: Vec<Option<bool>>,
}

impl<'b> GuardDecisions<'b> {
    /// Returns the decisions of a run in which no guard has been evaluated.
    #[must_use]
    pub fn new(regions: &'b ControlDependences) -> Self {
        let left_out = vec![None; regions.len()];
        Self { regions, taken: FxHashMap::default(), left_out }
    }

    /// Stores the branch of the guard at an instruction, which may be undecided.
    pub fn set_branch(&mut self, guard: usize, branch: KinkBranch) {
        self.taken.insert(guard, branch);
    }

    /// Returns the branch of the guard at an instruction; undecided if it was not stored.
    #[must_use]
    pub fn branch_of(&self, guard: usize) -> KinkBranch {
        self.taken.get(&guard).copied().unwrap_or(KinkBranch::Undecided)
    }

    /// Returns `true` if an instruction may be skipped: a guard around it is decided for the other side.
    pub fn is_skipped(&mut self, instruction: usize) -> bool {
        // Climbs from the innermost region outwards. Answers are stored, so each region is climbed through once.
        let mut number = self.regions.region_of(instruction);
        let mut inside = Vec::new();
        let outside = loop {
            let Some(region) = self.regions.region(number) else { break false };
            if let Some(known) = self.left_out[number - 1] {
                break known;
            }
            // An undecided guard needs both sides.
            let other = match self.branch_of(region.guard) {
                KinkBranch::Undecided => false,
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
