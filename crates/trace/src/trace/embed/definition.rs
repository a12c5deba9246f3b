//! First-order functions as definitions of the core language.

use super::{Embedder, FragmentError, Pending, Setting, Static, component};
use crate::syntax::name::Name;
use crate::syntax::term::{Term as SourceTerm, TermKind as Source};
use crate::trace::term::{Definition, Term, Variable};
use crate::trace::ty::Ty;
use std::sync::Arc;

/// A definition, with the types of its arguments.
pub(super) type Defined = (Arc<Definition>, Vec<Ty>);

impl Embedder {
    /// Translates a function to a definition, with the types of its arguments. Returns `None` if the value is no
    /// function. Also returns `None` if it is not recursive, and mentions a variable from outside or is not
    /// first-order; such a function is inlined.
    pub(super) fn definition(
        &mut self,
        name: &Name,
        value: &SourceTerm,
        setting: &Setting,
        is_recursive: bool,
    ) -> Result<Option<Defined>, FragmentError> {
        let (mut names, mut domains, mut body) = (Vec::new(), Vec::new(), value);
        while let Source::Lambda { name, body: inner } = body.kind() {
            match self.first_order(&body.domain(), setting, value.span()) {
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
        let codomain = match self.first_order(body.ty(), setting, value.span()) {
            Ok(codomain) => codomain,
            Err(error) if is_recursive => return Err(error),
            Err(_) => return Ok(None),
        };
        let function = Variable::fresh(name);
        // Several parameters become one tuple, whose components are bound in front of the body.
        let several = names.len() > 1;
        let parameter = Variable::fresh(&if several { "p".into() } else { names[0].clone() });
        let domain = Ty::iterated(domains.iter().cloned());
        let mut inside = setting.clone();
        if is_recursive {
            let (function, codomain) = (function.clone(), codomain.clone());
            let arguments = Vec::new();
            inside = inside.with(Static::Defined { function, domains: domains.clone(), codomain, arguments });
        }
        let (term, _) = self.within(|e| {
            for (index, name) in names.iter().enumerate() {
                let whole = Term::variable(&parameter);
                let argument = component(whole, domain.clone(), index, names.len());
                let argument = match argument {
                    Static::Core(term, ty) if several => {
                        let x = Variable::fresh(name);
                        e.pending.push(Pending::Let(x.clone(), ty.clone(), term));
                        Static::Core(Term::variable(&x), ty)
                    }
                    other => other,
                };
                inside = inside.with(argument);
            }
            e.term(body, &inside)
        })?;
        // The bodies of definitions see their parameter and functions alone (A Fig. 1).
        let free = term.free_variables().into_iter().find(|x| *x != parameter);
        match free {
            None => {}
            Some(_) if !is_recursive => return Ok(None),
            Some(x) => {
                let (function, variable) = (name.to_string(), x.name().to_string());
                let place = Self::place(setting, value.span());
                return Err(FragmentError::FreeVariable { function, variable, place });
            }
        }
        let definition = Definition { function, parameter, domain, codomain, body: term, limit: None };
        Ok(Some((Arc::new(definition), domains)))
    }
}
