//! Bindings of `let` in core terms: polymorphism, and number types that are left to the uses.

use super::Core;
use crate::syntax::infer::store::{Clash, Id, Node, Store};
use crate::syntax::term::Term;

impl Core<'_> {
    /// Infers the value of a `let`. Returns it with its type, and `true` if the type is polymorphic.
    pub(super) fn bound(
        &mut self,
        value: impl FnOnce(&mut Self) -> Result<(Term, Id), Clash>,
    ) -> Result<(Term, Id, bool), Clash> {
        let waiting = self.pending.len();
        self.level += 1;
        let value = value(self);
        self.level -= 1;
        let (value, ty) = value?;
        self.types.components(&mut self.pending, waiting)?;
        // The `let`s of normal forms are recursions with one use, so their types need no quantification.
        if self.told.is_some() {
            self.equates_reals(self.level)?;
            return self.read_once(waiting, ty).map(|()| (value, ty, false));
        }
        if self.pending.len() == waiting {
            self.keep_numbers(ty)?;
            return Ok((value, ty, self.types.generalise(ty, self.level)?));
        }
        // Components of unknown tuples are left: their types are lowered to this level, where all uses share them.
        let here = self.unknown();
        self.types.unify(here, ty)?;
        for place in waiting..self.pending.len() {
            let (tuple, _, component) = self.pending[place];
            for ty in [tuple, component] {
                let here = self.unknown();
                self.types.unify(here, ty)?;
            }
        }
        Ok((value, ty, false))
    }

    /// Defaults the operands of `==` above `level` to `Nat`, as reading a text does. Fails if an operand must be real.
    pub(super) fn equates_reals(&mut self, level: u32) -> Result<(), Clash> {
        let types = &mut self.types;
        self.equated.retain(|equated| !types.counts(*equated, level) || !matches!(types.shape(*equated), Node::Real));
        match self.equated.iter().any(|equated| matches!(types.shape(*equated), Node::Nat)) {
            true => Err(Clash::Different),
            false => Ok(()),
        }
    }

    /// Ends a definition in a text: the tuples that arose in it must be known, and its numbers are resolved.
    fn read_once(&mut self, waiting: usize, ty: Id) -> Result<(), Clash> {
        for place in waiting..self.pending.len() {
            let (tuple, ..) = self.pending[place];
            if matches!(self.types.shape(tuple), Node::Unknown { level, .. } if level > self.level) {
                return Err(Clash::Different);
            }
        }
        self.keep_numbers(ty)
    }

    /// Lowers the open number types of a definition to the level outside, where its uses resolve them. In a text they
    /// become `Real`.
    fn keep_numbers(&mut self, ty: Id) -> Result<(), Clash> {
        let (mut pending, mut numbers) = (vec![ty], Vec::new());
        self.types.begin();
        while let Some(id) = pending.pop() {
            let id = self.types.find(id);
            self.types.step(1)?;
            if !self.types.mark(id) {
                continue;
            }
            match self.types.shape(id) {
                Node::Unknown { level, class } if level > self.level && !class.stays_open() => {
                    numbers.push((id, class))
                }
                _ => self.types.parts_of(id, &mut pending),
            }
        }
        for (id, class) in numbers {
            let here = if self.told.is_some() { Store::REAL } else { self.types.unknown(self.level, class) };
            self.types.unify(here, id)?;
        }
        Ok(())
    }
}
