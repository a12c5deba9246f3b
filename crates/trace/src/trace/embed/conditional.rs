//! Conditionals: comparisons, under `&&`, `||`, `not`, `let` and functions.

use super::{Construct, Embedder, EmbeddingScope, FragmentError, StaticValue, TypedCoreTerm};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::{Term as SourceTerm, TermKind as Source};
use crate::trace::operation::PredicateSymbol;
use crate::trace::term::{BooleanTerm, CoreTerm, CoreTermKind};
use crate::trace::ty::CoreTy;

/// A branch of a conditional, as a function that makes it. It may be called several times.
pub(super) type BranchMaker<'b> = &'b mut dyn FnMut(&mut Embedder) -> Result<TypedCoreTerm, FragmentError>;

impl Embedder {
    /// Makes `if B then M else N`. The connectives of B become nested conditionals.
    pub(super) fn embed_conditional(
        &mut self,
        condition: &SourceTerm,
        setting: &EmbeddingScope,
        then: BranchMaker,
        otherwise: BranchMaker,
    ) -> Result<TypedCoreTerm, FragmentError> {
        self.nodes += 1;
        let span = condition.span();
        match condition.kind() {
            // Both branches are made, so that an error in either is found; A has `true` and `false` as conditions.
            Source::Bool(b) => {
                let (then, ty) = then(self)?;
                let (otherwise, _) = otherwise(self)?;
                Ok((CoreTermKind::If(BooleanTerm::Value(*b), then, otherwise).into(), ty))
            }
            Source::If { condition, then: yes, otherwise: no } => with_stack(|| {
                // Both branches are made twice, under `yes` and under `no`. The calls do not overlap, so the cell is
                // never borrowed twice.
                let branches = std::cell::RefCell::new((then, otherwise));
                let inner = |e: &mut Embedder, of: &SourceTerm| {
                    let mut branches = branches.borrow_mut();
                    let (then, otherwise) = &mut *branches;
                    e.embed_conditional(of, setting, &mut **then, &mut **otherwise)
                };
                self.embed_conditional(condition, setting, &mut |e| inner(e, yes), &mut |e| inner(e, no))
            }),
            Source::Let { name, value, body } => {
                let value = self.embed_term(value, setting)?;
                self.condition_under(name, value, body, setting, then, otherwise)
            }
            Source::Global(definition) => {
                let types = definition.scheme.arguments_of_instance(condition.ty()).into();
                let inside = EmbeddingScope { variables: None, enclosing_definition: Some(definition.clone()), types };
                with_stack(|| self.embed_conditional(&definition.term, &inside, then, otherwise))
            }
            Source::Apply { function, argument } => {
                let (head, last) = (self.embed_term(function, setting)?, argument);
                match head {
                    // `not B` exchanges the branches.
                    StaticValue::Constant(Constant::Not, _) => {
                        with_stack(|| self.embed_conditional(last, setting, otherwise, then))
                    }
                    StaticValue::Constant(comparison, mut left)
                        if comparison.compares_reals() && !comparison.equates_reals() =>
                    {
                        let (left, _) = match left.pop() {
                            Some(left) => self.require_first_order(left, setting, span)?,
                            None => return self.fail_unsupported(Construct::IllTyped, setting, span),
                        };
                        let (right, _) = self.embed_first_order(last, setting)?;
                        // A has no `≤`: on equal numbers every comparison is undefined, so `<` does for both.
                        let predicate = match comparison {
                            Constant::RealLess | Constant::RealLessEqual => PredicateSymbol::Less,
                            _ => PredicateSymbol::Greater,
                        };
                        let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, left, right);
                        let (then, ty) = then(self)?;
                        let (otherwise, _) = otherwise(self)?;
                        let kind = CoreTermKind::If(BooleanTerm::Predicate(predicate, pair), then, otherwise);
                        let site = self.new_site(setting, span);
                        Ok((CoreTerm::from(kind).with_site(site), ty))
                    }
                    StaticValue::Function { name, body, setting: inside } => {
                        let value = self.embed_term(last, setting)?;
                        self.condition_under(&name, value, &body, &inside, then, otherwise)
                    }
                    StaticValue::Constant(other, _) => self.fail_unsupported(Construct::Constant(other), setting, span),
                    _ => self.fail_unsupported(Construct::TruthValue, setting, span),
                }
            }
            _ => self.fail_unsupported(Construct::TruthValue, setting, span),
        }
    }

    /// Translates a conditional whose condition is in the scope of a value.
    fn condition_under(
        &mut self,
        name: &Name,
        value: StaticValue,
        condition: &SourceTerm,
        setting: &EmbeddingScope,
        then: BranchMaker,
        otherwise: BranchMaker,
    ) -> Result<TypedCoreTerm, FragmentError> {
        let found = self.bind_value(name, value, |e, value| {
            let (term, ty) = e.wrap_pending(|e| {
                with_stack(|| e.embed_conditional(condition, &setting.with_innermost(value), then, otherwise))
            })?;
            Ok(StaticValue::FirstOrder(term, ty))
        })?;
        self.require_first_order(found, setting, condition.span())
    }
}
