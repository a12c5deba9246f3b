//! Conditionals: comparisons, under `&&`, `||`, `not`, `let` and functions.

use super::{Construct, Core, Embedder, FragmentError, Setting, Static};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::{Term as SourceTerm, TermKind as Source};
use crate::trace::operation::Predicate;
use crate::trace::term::{Boolean, Term, TermKind};
use crate::trace::ty::Ty;

/// A branch of a conditional, as a function that makes it. It may be called several times.
pub(super) type Branch<'b> = &'b mut dyn FnMut(&mut Embedder) -> Result<Core, FragmentError>;

impl Embedder {
    /// Makes `if B then M else N`. The connectives of B become nested conditionals.
    pub(super) fn conditional(
        &mut self,
        condition: &SourceTerm,
        setting: &Setting,
        then: Branch,
        otherwise: Branch,
    ) -> Result<Core, FragmentError> {
        self.nodes += 1;
        let span = condition.span();
        match condition.kind() {
            // Both branches are made, so that an error in either is found; A has `true` and `false` as conditions.
            Source::Bool(b) => {
                let (then, ty) = then(self)?;
                let (otherwise, _) = otherwise(self)?;
                Ok((TermKind::If(Boolean::Value(*b), then, otherwise).into(), ty))
            }
            Source::If { condition, then: yes, otherwise: no } => deep(|| {
                // Both branches are made twice, under `yes` and under `no`. The calls do not overlap, so the cell is
                // never borrowed twice.
                let branches = std::cell::RefCell::new((then, otherwise));
                let inner = |e: &mut Embedder, of: &SourceTerm| {
                    let mut branches = branches.borrow_mut();
                    let (then, otherwise) = &mut *branches;
                    e.conditional(of, setting, &mut **then, &mut **otherwise)
                };
                self.conditional(condition, setting, &mut |e| inner(e, yes), &mut |e| inner(e, no))
            }),
            Source::Let { name, value, body } => {
                let value = self.of(value, setting)?;
                self.condition_under(name, value, body, setting, then, otherwise)
            }
            Source::Global(definition) => {
                let types = definition.scheme.instance(condition.ty()).into();
                let inside = Setting { variables: None, home: Some(definition.clone()), types };
                deep(|| self.conditional(&definition.term, &inside, then, otherwise))
            }
            Source::Apply { function, argument } => {
                let (head, last) = (self.of(function, setting)?, argument);
                match head {
                    // `not B` exchanges the branches.
                    Static::Constant(Constant::Not, _) => deep(|| self.conditional(last, setting, otherwise, then)),
                    Static::Constant(comparison, mut left)
                        if comparison.compares_reals() && !comparison.equates_reals() =>
                    {
                        let (left, _) = match left.pop() {
                            Some(left) => self.core(left, setting, span)?,
                            None => return self.lacks(Construct::IllTyped, setting, span),
                        };
                        let (right, _) = self.term(last, setting)?;
                        // A has no `≤`: on equal numbers every comparison is undefined, so `<` does for both.
                        let predicate = match comparison {
                            Constant::RealLess | Constant::RealLessEqual => Predicate::Less,
                            _ => Predicate::Greater,
                        };
                        let pair = Term::pair(Ty::Real, Ty::Real, left, right);
                        let (then, ty) = then(self)?;
                        let (otherwise, _) = otherwise(self)?;
                        let kind = TermKind::If(Boolean::Predicate(predicate, pair), then, otherwise);
                        let site = self.site(setting, span);
                        Ok((Term::from(kind).at(site), ty))
                    }
                    Static::Function { name, body, setting: inside } => {
                        let value = self.of(last, setting)?;
                        self.condition_under(&name, value, &body, &inside, then, otherwise)
                    }
                    Static::Constant(other, _) => self.lacks(Construct::Constant(other), setting, span),
                    _ => self.lacks(Construct::Truth, setting, span),
                }
            }
            _ => self.lacks(Construct::Truth, setting, span),
        }
    }

    /// Translates a conditional whose condition is in the scope of a value.
    fn condition_under(
        &mut self,
        name: &Name,
        value: Static,
        condition: &SourceTerm,
        setting: &Setting,
        then: Branch,
        otherwise: Branch,
    ) -> Result<Core, FragmentError> {
        let found = self.bound(name, value, |e, value| {
            let (term, ty) = e.within(|e| deep(|| e.conditional(condition, &setting.with(value), then, otherwise)))?;
            Ok(Static::Core(term, ty))
        })?;
        self.core(found, setting, condition.span())
    }
}
