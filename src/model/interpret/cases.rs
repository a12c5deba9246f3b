//! Variants and lists (H §5.1): injections and cases.

use super::typed::Instance;
use super::{Functor, InterpretError, Model, Typed, bound};
use crate::syntax::data::{Constructor, Data};
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term};
use crate::syntax::ty::{Ty, TyKind};

impl<M: Model> Functor<'_, M> {
    /// A constructor applied. Its type is the one that is expected, or follows from its argument.
    pub(super) fn injection(
        &mut self,
        constructor: &Constructor,
        argument: &Term,
        span: Span,
        expected: Option<&Ty>,
    ) -> Result<Typed<M>, InterpretError> {
        let data = constructor.data();
        let (mut parts, mut ty) = (Vec::new(), None);
        let argument = if self.universal.is_some() {
            self.arrow(argument, None)?.0
        } else {
            let mut known = Instance::new(data.parameters().len());
            if let Some(expected) = expected {
                known.learn(&data.generic(), expected);
            }
            let domain = constructor.domain();
            let (argument, found) = self.arrow(argument, known.applied(&domain).as_ref())?;
            if let Some(found) = found {
                known.learn(&domain, &found);
            }
            let whole = known.applied(&data.generic()).ok_or(InterpretError::Untyped { span })?;
            // a model without variants, or without lists, says so
            self.model.object(&whole)?;
            if let TyKind::Data(data, arguments) = whole.kind() {
                parts = self.model.summands(data, arguments)?;
            }
            ty = Some(whole);
            argument
        };
        let injected = self.model.inject(&self.context, &parts, constructor, &argument)?;
        Ok((if data.is_list() { self.model.roll(&self.context, &injected)? } else { injected }, ty))
    }

    /// `match scrutinee with branches`
    pub(super) fn cases(
        &mut self,
        data: &Data,
        scrutinee: &Term,
        branches: &[Branch],
        span: Span,
        expected: Option<&Ty>,
    ) -> Result<Typed<M>, InterpretError> {
        let (mut scrutinee, found) = self.arrow(scrutinee, None)?;
        let (parts, domains) = match (&self.universal, found.as_ref().map(Ty::kind)) {
            (Some(_), _) => (Vec::new(), vec![None; branches.len()]),
            (None, Some(TyKind::Data(data, arguments))) => {
                let domains = data.domains(arguments).into_iter().map(Some).collect();
                (self.model.summands(data, arguments)?, domains)
            }
            (None, _) => return Err(InterpretError::Untyped { span }),
        };
        if data.is_list() {
            scrutinee = self.model.unroll(&self.context, &scrutinee)?;
        }
        let (mut arrows, mut result) = (Vec::with_capacity(branches.len()), expected.cloned());
        for (branch, domain) in branches.iter().zip(domains) {
            let object = self.object(domain.as_ref())?;
            let wanted = result.clone();
            let (arrow, found) = self.under(object, domain, |f| f.arrow(&branch.body, wanted.as_ref()))?;
            arrows.push(bound(&branch.name, arrow));
            result = result.or(found);
        }
        Ok((self.model.cases(&self.context, &parts, data, &scrutinee, &arrows)?, result))
    }
}
