//! Interpretation of variants and lists (H §5.1): injections and case distinctions.

use super::{Functor, InterpretError, Model, bound};
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::{Branch, Term};
use crate::syntax::ty::{Ty, TyKind};

impl<M: Model> Functor<'_, M> {
    /// Returns the objects of the constructors' arguments of a type; empty for a universal model.
    fn summands(&self, ty: &Ty) -> Result<Vec<M::Object>, InterpretError> {
        match self.seen(ty).map(Ty::kind) {
            Some(TyKind::Data(data, arguments)) => Ok(self.model.summands(data, arguments)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Interprets a constructor applied to an argument, at the type of the whole.
    pub(super) fn injection(
        &mut self,
        constructor: &Constructor,
        argument: &Term,
        ty: &Ty,
    ) -> Result<M::Arrow, InterpretError> {
        let argument = self.arrow(argument)?;
        // A model without variants, or without lists, must report that before `inject` is called.
        self.model.object(ty)?;
        let injected =
            self.model.inject(&self.context, &self.summands(ty)?, (constructor, &self.decided(ty)), &argument)?;
        Ok(if constructor.data().is_list() { self.model.roll(&self.context, &injected)? } else { injected })
    }

    /// Interprets `match scrutinee with branches`.
    pub(super) fn cases(
        &mut self,
        data: &Data,
        scrutinee: &Term,
        branches: &[Branch],
    ) -> Result<M::Arrow, InterpretError> {
        let parts = self.summands(scrutinee.ty())?;
        let domains = match self.decided(scrutinee.ty()).kind() {
            TyKind::Data(data, arguments) => data.domains(arguments),
            // only names for the variables of a universal model, which ignores types
            _ => vec![Ty::unknown(); branches.len()],
        };
        let mut scrutinee = self.arrow(scrutinee)?;
        // a list is no sum itself: branch on one layer of it, 1 + A × List A
        if data.is_list() {
            scrutinee = self.model.unroll(&self.context, &scrutinee)?;
        }
        let mut arrows = Vec::with_capacity(branches.len());
        for (index, (branch, domain)) in branches.iter().zip(domains).enumerate() {
            let object = self.universal.as_ref().or(parts.get(index)).cloned();
            let object = object.ok_or_else(|| self.model.lacks("a type that is not known"))?;
            let arrow = self.under(object, |f| f.arrow(&branch.body))?;
            arrows.push(bound(&branch.name, domain, arrow));
        }
        Ok(self.model.cases(&self.context, &parts, data, &scrutinee, &arrows)?)
    }
}
