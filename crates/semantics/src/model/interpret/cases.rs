//! Interpretation of variants and lists (H §5.1): injections and case distinctions.

use super::{InterpretError, Model, TermInterpreter, bind_arrow};
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::{MatchBranch, Term};
use crate::syntax::ty::{Ty, TyKind};

impl<M: Model> TermInterpreter<'_, M> {
    /// Returns the objects of the constructors' arguments of a type; empty for a universal model.
    fn summand_objects(&self, ty: &Ty) -> Result<Vec<M::Object>, InterpretError> {
        match self.visible_type(ty).map(Ty::kind) {
            Some(TyKind::Data(data, arguments)) => Ok(self.model.summand_objects(data, arguments)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Interprets a constructor applied to an argument, at the type of the whole.
    pub(super) fn interpret_injection(
        &mut self,
        constructor: &Constructor,
        argument: &Term,
        ty: &Ty,
    ) -> Result<M::Arrow, InterpretError> {
        let argument = self.interpret_term(argument)?;
        // A model without variants, or without lists, must report that before `inject` is called.
        self.model.interpret_type(ty)?;
        let injected = self.model.inject(
            &self.context,
            &self.summand_objects(ty)?,
            (constructor, &self.default_to_real(ty)),
            &argument,
        )?;
        Ok(if constructor.data().is_list() { self.model.roll_list(&self.context, &injected)? } else { injected })
    }

    /// Interprets `match scrutinee with branches`.
    pub(super) fn interpret_match(
        &mut self,
        data: &DataType,
        scrutinee: &Term,
        branches: &[MatchBranch],
    ) -> Result<M::Arrow, InterpretError> {
        let parts = self.summand_objects(scrutinee.ty())?;
        let domains = match self.default_to_real(scrutinee.ty()).kind() {
            TyKind::Data(data, arguments) => data.argument_types(arguments),
            // only names for the variables of a universal model, which ignores types
            _ => vec![Ty::unknown(); branches.len()],
        };
        let mut scrutinee = self.interpret_term(scrutinee)?;
        // a list is no sum itself: branch on one layer of it, 1 + A × List A
        if data.is_list() {
            scrutinee = self.model.unroll_list(&self.context, &scrutinee)?;
        }
        let mut arrows = Vec::with_capacity(branches.len());
        for (index, (branch, domain)) in branches.iter().zip(domains).enumerate() {
            let object = self.universal.as_ref().or(parts.get(index)).cloned();
            let object = object.ok_or_else(|| self.model.unsupported_error("a type that is not known"))?;
            let arrow = self.with_variable(object, |f| f.interpret_term(&branch.body))?;
            arrows.push(bind_arrow(&branch.name, domain, arrow));
        }
        Ok(self.model.case_sum(&self.context, &parts, data, &scrutinee, &arrows)?)
    }
}
