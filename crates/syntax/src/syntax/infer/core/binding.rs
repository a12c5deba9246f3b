//! Bindings of `let` in core terms: polymorphism, and number types that are left to the uses.

use super::TermTyping;
use crate::syntax::infer::store::{ArenaNode, TypeArena, TypeRef, UnificationError};
use crate::syntax::term::Term;

impl TermTyping<'_> {
    /// Infers the value of a `let`. Returns it with its type, and `true` if the type is polymorphic.
    pub(super) fn infer_binding(
        &mut self,
        value: impl FnOnce(&mut Self) -> Result<(Term, TypeRef), UnificationError>,
    ) -> Result<(Term, TypeRef, bool), UnificationError> {
        let waiting = self.pending.len();
        self.level += 1;
        let value = value(self);
        self.level -= 1;
        let (value, ty) = value?;
        self.types.unify_components(&mut self.pending, waiting)?;
        // The `let`s of normal forms are recursions with one use, so their types need no quantification.
        if self.is_written.is_some() {
            self.resolve_equated(self.level)?;
            return self.end_text_definition(waiting, ty).map(|()| (value, ty, false));
        }
        if self.pending.len() == waiting {
            self.defer_numbers(ty)?;
            return Ok((value, ty, self.types.generalise(ty, self.level)?));
        }
        // Components of unknown tuples are left: their types are lowered to this level, where all uses share them.
        let here = self.fresh_unknown();
        self.types.unify(here, ty)?;
        for place in waiting..self.pending.len() {
            let (tuple, _, component) = self.pending[place];
            for ty in [tuple, component] {
                let here = self.fresh_unknown();
                self.types.unify(here, ty)?;
            }
        }
        Ok((value, ty, false))
    }

    /// Defaults the operands of `==` above `level` to `Nat`, as reading a text does. Fails if an operand must be real.
    pub(super) fn resolve_equated(&mut self, level: u32) -> Result<(), UnificationError> {
        let types = &mut self.types;
        self.equated.retain(|equated| {
            !types.default_to_nat(*equated, level) || !matches!(types.node_of(*equated), ArenaNode::Real)
        });
        match self.equated.iter().any(|equated| matches!(types.node_of(*equated), ArenaNode::Nat)) {
            true => Err(UnificationError::Different),
            false => Ok(()),
        }
    }

    /// Ends a definition in a text: the tuples that arose in it must be known, and its numbers are resolved.
    fn end_text_definition(&mut self, waiting: usize, ty: TypeRef) -> Result<(), UnificationError> {
        for place in waiting..self.pending.len() {
            let (tuple, ..) = self.pending[place];
            if matches!(self.types.node_of(tuple), ArenaNode::Unknown { level, .. } if level > self.level) {
                return Err(UnificationError::Different);
            }
        }
        self.defer_numbers(ty)
    }

    /// Lowers the open number types of a definition to the level outside, where its uses resolve them. In a text they
    /// become `Real`.
    fn defer_numbers(&mut self, ty: TypeRef) -> Result<(), UnificationError> {
        let (mut pending, mut numbers) = (vec![ty], Vec::new());
        self.types.begin_traversal();
        while let Some(id) = pending.pop() {
            let id = self.types.find(id);
            self.types.count_steps(1)?;
            if !self.types.mark_visited(id) {
                continue;
            }
            match self.types.node_of(id) {
                ArenaNode::Unknown { level, class } if level > self.level && !class.is_open() => {
                    numbers.push((id, class))
                }
                _ => self.types.parts_of(id, &mut pending),
            }
        }
        for (id, class) in numbers {
            let here =
                if self.is_written.is_some() { TypeArena::REAL } else { self.types.add_unknown(self.level, class) };
            self.types.unify(here, id)?;
        }
        Ok(())
    }
}
