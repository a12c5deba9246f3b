//! Resolution of names, and suggestions for unknown ones.

use super::Inference;
use super::finish::type_hole;
use super::store::{ArenaNode, TypeRef};
use super::types::BASIC_TYPES;
use crate::syntax::constant::{self, Constant};
use crate::syntax::lexer::message_excerpt;
use crate::syntax::library::{Lookup, Module, TRACE};
use crate::syntax::name::{Name, is_capital, nearest_name};
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::type_error::TypeError;
use std::sync::Arc;

impl Inference<'_> {
    /// Infers the term of a name, and its type at this use.
    pub(super) fn infer_name(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        expected: TypeRef,
        span: Span,
    ) -> Result<(Term, TypeRef), TypeError> {
        if let Some(module) = module {
            let found = self.find_module(module, span)?;
            return match found.find_definition(name).cloned() {
                Some(definition) => self.instantiate_definition(definition, span),
                None => {
                    let candidates = found.definitions().iter().map(|definition| &*definition.name);
                    let suggestion = nearest_name(name, candidates).map(|near| format!("`{module}.{near}`"));
                    Err(TypeError::Unknown { name: format!("{module}.{name}"), is_type: false, suggestion, span })
                }
            };
        }
        if let Some(&position) = self.by_name.get(name).and_then(|positions| positions.last()) {
            let index = self.locals.len() - 1 - position;
            let local = &self.locals[position];
            // Each use of a bound literal is a new literal: one may be a `Nat` where another is a `Real`.
            if let Some(value) = local.exact.clone().filter(|_| local.is_literal) {
                let ty = self.literal_type(span.start, expected);
                return Ok((Term::new(TermKind::Real(value), span), ty));
            }
            let (ty, polymorphic) = (local.ty, local.polymorphic);
            let ty = if polymorphic {
                let result = self.types.instantiate(ty, self.level);
                self.within_limits(result, span)?
            } else {
                ty
            };
            return Ok((Term::variable(index, name.clone(), type_hole(ty), span), ty));
        }
        let samples = self.in_do || self.is_sampling_type(expected);
        match self.library.resolve_definition(self.current, name, samples) {
            Lookup::Found(definition) => self.instantiate_definition(definition, span),
            Lookup::Ambiguous(modules) => Err(TypeError::Ambiguous { name: name.to_string(), modules, span }),
            // Constants come last, so that a library may define a name of its own in their place.
            Lookup::Missing => match Constant::from_name(name) {
                Some(constant) => self.instantiate_constant(constant, span),
                None => Err(self.unknown_name_error(name, span)),
            },
        }
    }

    /// Returns `true` if a type is declared in the module of sampling programs.
    pub(super) fn is_sampling_type(&mut self, ty: TypeRef) -> bool {
        matches!(self.types.node_of(ty), ArenaNode::Data(data, _) if &**data.module() == TRACE)
    }

    /// Instantiates a constant: its term, and its type at this use.
    pub(super) fn instantiate_constant(
        &mut self,
        constant: Constant,
        span: Span,
    ) -> Result<(Term, TypeRef), TypeError> {
        let result = self.types.import_scheme(constant.scheme(), self.level);
        let ty = self.within_limits(result, span)?;
        Ok((Term::with_type(TermKind::Constant(constant), type_hole(ty), span), ty))
    }

    fn instantiate_definition(
        &mut self,
        definition: Arc<Definition>,
        span: Span,
    ) -> Result<(Term, TypeRef), TypeError> {
        if let Some(constructor) = &definition.constructor {
            return self.instantiate_constructor(constructor, span);
        }
        let result = self.types.import_scheme(&definition.scheme, self.level);
        let ty = self.within_limits(result, span)?;
        Ok((Term::with_type(TermKind::Global(definition), type_hole(ty), span), ty))
    }

    /// Returns the module of a name, or the error with a suggestion.
    pub(super) fn find_module(&self, name: &Name, span: Span) -> Result<&Module, TypeError> {
        self.library.module(name).ok_or_else(|| {
            let candidates = self.library.modules().iter().map(|module| &**module.name());
            let suggestion = nearest_name(name, candidates).map(|near| format!("`{near}`"));
            TypeError::UnknownModule { module: message_excerpt(name), suggestion, span }
        })
    }

    /// Makes the error for a type name that nothing in scope has.
    pub(super) fn unknown_type_error(&self, name: &Name, span: Span) -> TypeError {
        let parameters = self.parameters.iter().filter(|(_, ids)| !ids.is_empty()).map(|(name, _)| &**name);
        let suggestion = nearest_name(name, BASIC_TYPES.into_iter().chain(parameters).chain(self.type_names()));
        let suggestion = match suggestion {
            Some(near) => Some(format!("`{near}`")),
            // A short unknown name is probably meant as a type parameter, which must be declared. A choice of length.
            None if name.chars().count() <= 2 => {
                Some(format!("a type parameter, as in `let f {name} (x : {name}) = x`"))
            }
            None => None,
        };
        // Inside a `type`, a name unlike all others has a message of its own.
        if self.data_in_progress.is_some() && suggestion.is_none() {
            return TypeError::UndeclaredType { name: message_excerpt(name), span };
        }
        TypeError::Unknown { name: message_excerpt(name), is_type: true, suggestion, span }
    }

    fn type_names(&self) -> impl Iterator<Item = &str> {
        self.library.modules().iter().flat_map(|module| module.named_types().iter().map(|alias| &*alias.name))
    }

    fn is_type_name(&self, name: &str) -> bool {
        BASIC_TYPES.contains(&name)
            || self.parameters.get(name).is_some_and(|ids| !ids.is_empty())
            || self.type_names().any(|alias| alias == name)
    }

    fn unknown_name_error(&self, name: &Name, span: Span) -> TypeError {
        // A type where a value belongs is no misspelling.
        if is_capital(name) && self.is_type_name(name) {
            return TypeError::TypeAsValue { name: name.to_string(), span };
        }
        let elsewhere = constant::foreign_counterpart(name).map(str::to_owned);
        let mut names: Vec<&str> = constant::constant_names().chain(["tt", "ff"]).collect();
        names.extend(self.locals.iter().map(|local| &*local.name));
        for module in self.library.modules() {
            names.extend(module.definitions().iter().map(|definition| &*definition.name));
        }
        // The exact name in another language explains more than a similar name here; a similar one explains less.
        let suggestion = elsewhere.or_else(|| nearest_name(name, names.into_iter()).map(|near| format!("`{near}`")));
        let suggestion = suggestion.or_else(|| constant::nearest_foreign_counterpart(name).map(str::to_owned));
        TypeError::Unknown { name: message_excerpt(name), is_type: false, suggestion, span }
    }
}
