//! Dead code elimination for blocks.

use super::region::ControlDependences;
use super::rivals::MinMaxTree;
use super::shared::TiedMaxima;
use super::{Block, BlockInstruction, BlockRegister};

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
