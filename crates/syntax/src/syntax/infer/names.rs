//! Resolution of names, and suggestions for unknown ones.

use super::Inference;
use super::finish::hole;
use super::store::{Id, Node};
use super::types::BASIC;
use crate::syntax::constant::{self, Constant};
use crate::syntax::lexer::excerpt;
use crate::syntax::library::{Lookup, Module, TRACE};
use crate::syntax::name::{Name, is_capital, nearest};
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::type_error::TypeError;
use std::sync::Arc;

impl Inference<'_> {
    /// Infers the term of a name, and its type at this use.
    pub(super) fn named(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        expected: Id,
        span: Span,
    ) -> Result<(Term, Id), TypeError> {
        if let Some(module) = module {
            let found = self.module(module, span)?;
            return match found.definition(name).cloned() {
                Some(definition) => self.global(definition, span),
                None => {
                    let candidates = found.definitions().iter().map(|definition| &*definition.name);
                    let suggestion = nearest(name, candidates).map(|near| format!("`{module}.{near}`"));
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
                let result = self.types.instance(ty, self.level);
                self.fits(result, span)?
            } else {
                ty
            };
            return Ok((Term::variable(index, name.clone(), hole(ty), span), ty));
        }
        let samples = self.in_do || self.samples(expected);
        match self.library.definition(self.current, name, samples) {
            Lookup::Found(definition) => self.global(definition, span),
            Lookup::Several(modules) => Err(TypeError::Ambiguous { name: name.to_string(), modules, span }),
            // Constants come last, so that a library may define a name of its own in their place.
            Lookup::Missing => match Constant::named(name) {
                Some(constant) => self.constant(constant, span),
                None => Err(self.unknown_name(name, span)),
            },
        }
    }

    /// Returns `true` if a type is declared in the module of sampling programs.
    pub(super) fn samples(&mut self, ty: Id) -> bool {
        matches!(self.types.shape(ty), Node::Data(data, _) if &**data.module() == TRACE)
    }

    /// Instantiates a constant: its term, and its type at this use.
    pub(super) fn constant(&mut self, constant: Constant, span: Span) -> Result<(Term, Id), TypeError> {
        let result = self.types.import_scheme(constant.scheme(), self.level);
        let ty = self.fits(result, span)?;
        Ok((Term::typed(TermKind::Constant(constant), hole(ty), span), ty))
    }

    fn global(&mut self, definition: Arc<Definition>, span: Span) -> Result<(Term, Id), TypeError> {
        if let Some(constructor) = &definition.constructor {
            return self.constructor(constructor, span);
        }
        let result = self.types.import_scheme(&definition.scheme, self.level);
        let ty = self.fits(result, span)?;
        Ok((Term::typed(TermKind::Global(definition), hole(ty), span), ty))
    }

    /// Returns the module of a name, or the error with a suggestion.
    pub(super) fn module(&self, name: &Name, span: Span) -> Result<&Module, TypeError> {
        self.library.module(name).ok_or_else(|| {
            let candidates = self.library.modules().iter().map(|module| &**module.name());
            let suggestion = nearest(name, candidates).map(|near| format!("`{near}`"));
            TypeError::UnknownModule { module: excerpt(name), suggestion, span }
        })
    }

    /// Makes the error for a type name that nothing in scope has.
    pub(super) fn unknown_type(&self, name: &Name, span: Span) -> TypeError {
        let parameters = self.parameters.iter().filter(|(_, ids)| !ids.is_empty()).map(|(name, _)| &**name);
        let suggestion = nearest(name, BASIC.into_iter().chain(parameters).chain(self.aliases()));
        let suggestion = match suggestion {
            Some(near) => Some(format!("`{near}`")),
            // A short unknown name is probably meant as a type parameter, which must be declared. A choice of length.
            None if name.chars().count() <= 2 => {
                Some(format!("a type parameter, as in `let f {name} (x : {name}) = x`"))
            }
            None => None,
        };
        // Inside a `type`, a name unlike all others has a message of its own.
        if self.declared.is_some() && suggestion.is_none() {
            return TypeError::UndeclaredType { name: excerpt(name), span };
        }
        TypeError::Unknown { name: excerpt(name), is_type: true, suggestion, span }
    }

    fn aliases(&self) -> impl Iterator<Item = &str> {
        self.library.modules().iter().flat_map(|module| module.aliases().iter().map(|alias| &*alias.name))
    }

    fn is_type(&self, name: &str) -> bool {
        BASIC.contains(&name)
            || self.parameters.get(name).is_some_and(|ids| !ids.is_empty())
            || self.aliases().any(|alias| alias == name)
    }

    fn unknown_name(&self, name: &Name, span: Span) -> TypeError {
        // A type where a value belongs is no misspelling.
        if is_capital(name) && self.is_type(name) {
            return TypeError::TypeAsValue { name: name.to_string(), span };
        }
        let elsewhere = constant::elsewhere(name).map(str::to_owned);
        let mut names: Vec<&str> = constant::names().chain(["tt", "ff"]).collect();
        names.extend(self.locals.iter().map(|local| &*local.name));
        for module in self.library.modules() {
            names.extend(module.definitions().iter().map(|definition| &*definition.name));
        }
        // The exact name in another language explains more than a similar name here; a similar one explains less.
        let suggestion = elsewhere.or_else(|| nearest(name, names.into_iter()).map(|near| format!("`{near}`")));
        let suggestion = suggestion.or_else(|| constant::nearest_elsewhere(name).map(str::to_owned));
        TypeError::Unknown { name: excerpt(name), is_type: false, suggestion, span }
    }
}
