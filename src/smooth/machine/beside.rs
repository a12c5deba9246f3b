//! The machine for another program, and for inputs near by.

use super::Machine;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::smooth::nearby::Edges;
use crate::smooth::program::Program;

impl<C: Context> Machine<'_, C> {
    /// The machine for another program, at the same inputs.
    #[must_use]
    pub fn running(&self, program: &Program) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { beside: self.beside, rules: self.rules, ..machine }
    }

    /// The same machine, with an effort of its own.
    pub(super) fn at_a_glance<'e>(&'e self, effort: &'e Effort<'e>) -> Machine<'e, C> {
        let Self { context, ref real, beside, ref constants, .. } = *self;
        let (real, constants, edges) = (real.clone(), constants.clone(), Edges::default());
        Machine { context, effort, real, spine: None, witness: None, rules: None, beside, edges, constants }
    }

    /// The same machine, for inputs near by.
    #[must_use]
    pub fn moved_beside(&self) -> Self {
        let (real, constants) = (self.real.clone(), self.constants.clone());
        Self { real, constants, spine: None, beside: true, edges: Edges::default(), ..*self }
    }
}
