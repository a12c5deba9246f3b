//! First-order functions as definitions of the core language.

use super::{Embedder, EmbeddingScope, FragmentError, PendingBinding, StaticValue, tuple_component};
use crate::syntax::name::Name;
use crate::syntax::term::{Term as SourceTerm, TermKind as Source};
use crate::trace::term::{CoreDefinition, CoreTerm, CoreVariable};
use crate::trace::ty::CoreTy;
use std::sync::Arc;

/// A definition, with the types of its arguments.
pub(super) type TypedDefinition = (Arc<CoreDefinition>, Vec<CoreTy>);

impl Embedder {
    /// Translates a function to a definition, with the types of its arguments. Returns `None` if the value is no
    /// function. Also returns `None` if it is not recursive, and mentions a variable from outside or is not
    /// first-order; such a function is inlined.
    pub(super) fn embed_definition(
        &mut self,
        name: &Name,
        value: &SourceTerm,
        setting: &EmbeddingScope,
        is_recursive: bool,
    ) -> Result<Option<TypedDefinition>, FragmentError> {
        let (mut names, mut domains, mut body) = (Vec::new(), Vec::new(), value);
        while let Source::Lambda { name, body: inner } = body.kind() {
            match self.embed_type(&body.domain(), setting, value.span()) {
                Ok(domain) => domains.push(domain),
                Err(error) if is_recursive => return Err(error),
                Err(_) => return Ok(None),
            }
            names.push(name.clone());
            body = inner;
        }
        if names.is_empty() {
            return Ok(None);
        }
        let codomain = match self.embed_type(body.ty(), setting, value.span()) {
            Ok(codomain) => codomain,
            Err(error) if is_recursive => return Err(error),
            Err(_) => return Ok(None),
        };
        let function = CoreVariable::fresh(name);
        // Several parameters become one tuple, whose components are bound in front of the body.
        let several = names.len() > 1;
        let parameter = CoreVariable::fresh(&if several { "p".into() } else { names[0].clone() });
        let domain = CoreTy::nested_product(domains.iter().cloned());
        let mut inside = setting.clone();
        if is_recursive {
            let (function, codomain) = (function.clone(), codomain.clone());
            let arguments = Vec::new();
            inside =
                inside.with_innermost(StaticValue::Defined { function, domains: domains.clone(), codomain, arguments });
        }
        let (term, _) = self.wrap_pending(|e| {
            for (index, name) in names.iter().enumerate() {
                let whole = CoreTerm::variable(&parameter);
                let argument = tuple_component(whole, domain.clone(), index, names.len());
                let argument = match argument {
                    StaticValue::FirstOrder(term, ty) if several => {
                        let x = CoreVariable::fresh(name);
                        e.pending.push(PendingBinding::Let(x.clone(), ty.clone(), term));
                        StaticValue::FirstOrder(CoreTerm::variable(&x), ty)
                    }
                    other => other,
                };
                inside = inside.with_innermost(argument);
            }
            e.embed_first_order(body, &inside)
        })?;
        // The bodies of definitions see their parameter and functions alone (A Fig. 1).
        let free = term.free_variables().into_iter().find(|x| *x != parameter);
        match free {
            None => {}
            Some(_) if !is_recursive => return Ok(None),
            Some(x) => {
                let (function, variable) = (name.to_string(), x.name().to_string());
                let place = Self::position_of(setting, value.span());
                return Err(FragmentError::FreeVariable { function, variable, place });
            }
        }
        let definition = CoreDefinition { function, parameter, domain, codomain, body: term, limit: None };
        Ok(Some((Arc::new(definition), domains)))
    }
}
