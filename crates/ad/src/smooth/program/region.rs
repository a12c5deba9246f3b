//! Control dependence in a block: the steps that only one side of a choice needs.
//!
//! A step belongs to a *region* if every path from it to a result goes through one side of a choice. Regions are nested, so
//! they form a tree. A step belongs to the innermost common region of all its uses: its dominator in the graph of uses.
//! Choices by one guard in one region share their regions. The guard of a region precedes all its steps, since a choice is
//! compiled guard first.

use super::{BlockInstruction, BlockRegister, OperandUse};
use crate::smooth::jet::kinks::KinkBranch;
use rustc_hash::FxHashMap;

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
