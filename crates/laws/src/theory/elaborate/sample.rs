//! The elaborator of samplers: `sample T = …`.

use super::{ElaborationResult, StatementScope, can_be_drawn};
use crate::law::sampling::{ConstructorSampler, LawBinder, SampleArgument, SampleConstructor};
use crate::law::term::ParsedProgram;
use crate::syntax::parser::parse_type;
use crate::syntax::source::Span;
use crate::syntax::surface::{
    AliasDeclaration, Expression, ExpressionKind, Identifier, TypeDeclaration, TypeExpression, TypeExpressionKind,
};
use crate::syntax::ty::{Ty, TyKind};
use crate::theory::error::StatementError;
use crate::theory::format::SampleDraft;
use crate::theory::law::{TypeApplication, TypeSampler};
use std::sync::Arc;

impl StatementScope<'_> {
    /// Returns the named type written at `span`. Returns `None` if no sampler in scope is for its name.
    pub(super) fn named_type_at(&self, span: Span, parameters: &[Identifier]) -> Option<TypeApplication> {
        let text = span.text_in(&self.source.text);
        let written = parse_type(text).ok()?;
        let TypeExpressionKind::Name(_, name, arguments) = &written.kind else { return None };
        // a name without a sampler needs no sort
        self.samples.iter().find(|sample| sample.sort.name == *name)?;
        let argument = |of: &TypeExpression| {
            let text = of.span.text_in(text);
            // the library types declarations, so the argument is typed as the body of one
            let name = Identifier { name: "Sort".into(), span: Span::default() };
            let declaration = AliasDeclaration { name, parameters: parameters.to_vec(), body: parse_type(text).ok()? };
            let alias = self.library.elaborate_type(self.module, text, &TypeDeclaration::Alias(declaration)).ok()?;
            Some(alias.scheme.ty.clone())
        };
        let arguments = arguments.iter().map(argument).collect::<Option<_>>()?;
        Some(TypeApplication { name: name.clone(), arguments })
    }

    /// Types a sampler. Its constructors may take values of the type itself.
    pub(in crate::theory) fn elaborate_sampler(&self, draft: SampleDraft) -> ElaborationResult<TypeSampler> {
        let text = &self.source.text;
        let TypeExpressionKind::Name(_, name, _) = &draft.ty.kind else {
            return Err(StatementError::NotNamed { span: draft.ty.span });
        };
        let body = parse_type(draft.ty.span.text_in(text))?;
        let alias = AliasDeclaration {
            name: Identifier { name: "Sort".into(), span: draft.ty.span },
            parameters: Vec::new(),
            body,
        };
        let ty = self.library.elaborate_type(self.module, text, &TypeDeclaration::Alias(alias))?.scheme.ty.clone();
        let sampler = Arc::new(ConstructorSampler::default());
        // the name alone, so that `named_type_at` finds it before its arguments are known
        let own = TypeSampler {
            sort: TypeApplication { name: name.clone(), arguments: Vec::new() },
            sampler: sampler.clone(),
        };
        let mut seen = self.samples.to_vec();
        seen.push(own);
        let inside = StatementScope { samples: &seen, ..*self };
        let Some(sort) = inside.named_type_at(draft.ty.span, &[]) else {
            return Err(StatementError::NotNamed { span: draft.ty.span });
        };
        let mut constructors = Vec::new();
        for alternative in &draft.alternatives {
            constructors.push(inside.elaborate_constructor(alternative, &sort, &ty)?);
        }
        // without a constructor that takes no value of the type, no draw would end
        if !constructors.iter().any(|c| !c.arguments.iter().any(|a| matches!(a, SampleArgument::SampledType))) {
            return Err(StatementError::NoLeaf { span: draft.ty.span });
        }
        // The sampler was made above and is not shared yet, so the cell is empty.
        let _ = sampler.constructors.set(constructors);
        Ok(TypeSampler { sort, sampler })
    }

    /// Types one constructor: a value of the type, or a lambda whose body is one.
    fn elaborate_constructor(
        &self,
        alternative: &Expression,
        sort: &TypeApplication,
        ty: &Ty,
    ) -> ElaborationResult<SampleConstructor> {
        let text = alternative.span.text_in(&self.source.text);
        let (term, found) = self.library.infer_in_module(self.module, &self.source.text, alternative)?;
        // a lambda that has the type already is a value; otherwise its parameters are drawn
        let binders = match &alternative.kind {
            ExpressionKind::Lambda(binders, _) if found != *ty => &binders[..],
            _ => &[],
        };
        let mut rest = found.clone();
        let mut arguments = Vec::new();
        for binder in binders {
            let TyKind::Function(domain, codomain) = rest.kind() else { break };
            let written = binder.ty.as_ref().and_then(|ty| self.named_type_at(ty.span, &[]));
            arguments.push(match written {
                Some(written) if written == *sort => SampleArgument::SampledType,
                written => {
                    if !can_be_drawn(domain) {
                        return Err(StatementError::NoSamples { ty: domain.clone(), span: binder.pattern.span });
                    }
                    SampleArgument::Other(LawBinder {
                        sampler: written.and_then(|sort| TypeSampler::find_sampler(self.samples, &sort)),
                        ..domain.clone().into()
                    })
                }
            });
            rest = codomain.clone();
        }
        if rest != *ty {
            return Err(StatementError::Constructor { expected: ty.clone(), found: rest, span: alternative.span });
        }
        Ok(SampleConstructor { closed: Arc::new(ParsedProgram { text: text.into(), term }), ty: found, arguments })
    }
}
