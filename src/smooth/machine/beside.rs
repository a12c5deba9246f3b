//! The machine for another program, and for inputs near by.

use super::Machine;
use crate::number::context::Context;
use crate::smooth::nearby::Edges;
use crate::smooth::program::Program;

impl<C: Context> Machine<'_, C> {
    /// The machine for another program, at the same inputs.
    #[must_use]
    pub fn running(&self, program: &Program) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { beside: self.beside, rules: self.rules, ..machine }
    }

    /// The same machine, for inputs near by.
    #[must_use]
    pub fn moved_beside(&self) -> Self {
        let (real, constants) = (self.real.clone(), self.constants.clone());
        Self { real, constants, spine: None, beside: true, edges: Edges::default(), ..*self }
    }
}
