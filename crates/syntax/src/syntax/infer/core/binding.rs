//! What a `let` binds: whether it is polymorphic, and what is left to its uses.

use super::Core;
use crate::syntax::infer::store::{Clash, Id, Node, Store};
use crate::syntax::term::Term;

impl Core<'_> {
    /// What a `let` binds, its type, and whether it is polymorphic.
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
        if self.told.is_some() {
            self.equates_reals(self.level)?;
            return self.read_once(waiting, ty).map(|()| (value, ty, false));
        }
        if self.pending.len() == waiting {
            self.keep_numbers(ty)?;
            return Ok((value, ty, self.types.generalise(ty, self.level)?));
        }
        // what is not known yet is shared by all uses
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

    /// That what is compared by `==` is known, where it arose above a level, to be real.
    pub(super) fn equates_reals(&mut self, level: u32) -> Result<(), Clash> {
        let types = &mut self.types;
        self.equated.retain(|equated| !types.counts(*equated, level) || !matches!(types.shape(*equated), Node::Real));
        match self.equated.iter().any(|equated| matches!(types.shape(*equated), Node::Nat)) {
            true => Err(Clash::Different),
            false => Ok(()),
        }
    }

    /// The end of a definition that is used once: tuples that arose in it are known, and numbers are decided.
    fn read_once(&mut self, waiting: usize, ty: Id) -> Result<(), Clash> {
        for place in waiting..self.pending.len() {
            let (tuple, ..) = self.pending[place];
            if matches!(self.types.shape(tuple), Node::Unknown { level, .. } if level > self.level) {
                return Err(Clash::Different);
            }
        }
        self.keep_numbers(ty)
    }

    /// What must be a number of some kind is left to be found out by the uses, not decided by the definition; in a text it
    /// is real.
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
