//! Binders: parameters, patterns, definitions.
//!
//! A tuple pattern becomes one unnamed variable for the tuple, and one `let` for each part.

use super::finish::type_hole;
use super::store::{ArenaNode, TypeArena, TypeRef};
use super::{DeferredConstraint, Inference, LocalVariable};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::exact;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::surface::{Binder, Declaration, Expression, Pattern, PatternKind};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Class;
use crate::syntax::type_error::TypeError;

/// A binder of a term whose body is not built yet. Lists of them go from the outside in.
pub(super) enum BinderFrame {
    Lambda(Name, TypeRef, Span),
    Let(Name, Term, Span),
}

/// Wraps the binders around a body.
pub(super) fn wrap_binders(frames: Vec<BinderFrame>, body: Term) -> Term {
    frames.into_iter().rev().fold(body, |body, frame| {
        let end = body.span();
        match frame {
            BinderFrame::Lambda(name, domain, span) => Term::lambda(name, type_hole(domain), body, span.to(end)),
            BinderFrame::Let(name, value, span) => Term::new(TermKind::Let { name, value, body }, span.to(end)),
        }
    })
}

impl Inference<'_> {
    /// Brings a variable into scope. Without a name it only occupies a de Bruijn index.
    fn push_local(&mut self, name: Option<&Name>, ty: TypeRef, polymorphic: bool) {
        let position = self.locals.len();
        if let Some(name) = name {
            self.by_name.entry(name.clone()).or_default().push(position);
        }
        let name = name.cloned().unwrap_or_else(|| Name::from(""));
        self.locals.push(LocalVariable { name, ty, polymorphic, exact: None, is_literal: false });
    }

    /// Takes variables out of scope until `count` are left.
    pub(super) fn pop_to(&mut self, count: usize) {
        while self.locals.len() > count {
            if let Some(local) = self.locals.pop()
                // An unnamed variable has the name `""`, which `laws_by_name` never contains.
                && let Some(positions) = self.by_name.get_mut(&local.name)
            {
                positions.pop();
            }
        }
    }

    /// Returns the domain and the codomain of a type, which becomes a function type if it is unknown.
    pub(super) fn function_sides(&mut self, ty: TypeRef, span: Span) -> Result<(TypeRef, TypeRef), TypeError> {
        if let ArenaNode::Function(domain, codomain) = self.types.node_of(ty) {
            return Ok((domain, codomain));
        }
        let (domain, codomain) = (self.fresh_unknown(Class::ANY), self.fresh_unknown(Class::ANY));
        let function = self.types.add_node(ArenaNode::Function(domain, codomain));
        self.unify(ty, function, span)?;
        Ok((domain, codomain))
    }

    /// Brings parameters into scope, for a function of type `function`. Returns the type of its result.
    pub(super) fn bind_parameters(
        &mut self,
        binders: &[Binder],
        function: TypeRef,
        span: Span,
        frames: &mut Vec<BinderFrame>,
    ) -> Result<TypeRef, TypeError> {
        let mut ty = function;
        for binder in binders {
            let (domain, codomain) = self.function_sides(ty, span)?;
            frames.push(BinderFrame::Lambda(variable_name(&binder.pattern), domain, binder.pattern.span));
            self.bind_parameter(binder, domain, frames)?;
            ty = codomain;
        }
        Ok(ty)
    }

    /// Brings the names of a binder into scope, for a value of type `ty`.
    fn bind_parameter(&mut self, binder: &Binder, ty: TypeRef, frames: &mut Vec<BinderFrame>) -> Result<(), TypeError> {
        if let Some(written) = &binder.ty {
            let written = self.convert_type(written)?;
            self.unify(ty, written, binder.pattern.span)?;
        }
        self.bind_pattern(&binder.pattern, ty, frames)
    }

    pub(super) fn bind_pattern(
        &mut self,
        pattern: &Pattern,
        ty: TypeRef,
        frames: &mut Vec<BinderFrame>,
    ) -> Result<(), TypeError> {
        let parts = match &pattern.kind {
            PatternKind::Name(name) => {
                self.push_local(Some(name), ty, false);
                return Ok(());
            }
            PatternKind::Ignore => {
                self.push_local(None, ty, false);
                return Ok(());
            }
            PatternKind::Unit => {
                self.push_local(None, ty, false);
                return self.unify(ty, TypeArena::UNIT, pattern.span);
            }
            PatternKind::Tuple(parts) => parts,
        };
        let types: Vec<TypeRef> = parts.iter().map(|_| self.fresh_unknown(Class::ANY)).collect();
        let tuple = self.types.add_node(ArenaNode::Tuple(types.clone().into()));
        // The tuple is unified before its parts are bound: a wrong width is reported for the whole pattern.
        self.unify(ty, tuple, pattern.span)?;
        let position = self.locals.len();
        self.push_local(None, tuple, false);
        for (number, (part, ty)) in parts.iter().zip(types).enumerate() {
            match part.kind {
                PatternKind::Ignore => continue,
                PatternKind::Unit => {
                    self.unify(ty, TypeArena::UNIT, part.span)?;
                    continue;
                }
                _ => {}
            }
            // Every `let` of an earlier part adds a binder: the tuple moves away by as many indices.
            let index = self.locals.len() - 1 - position;
            let whole = Term::variable(index, variable_name(pattern), type_hole(tuple), part.span);
            let value = Term::new(TermKind::Project { tuple: whole, index: number }, part.span);
            frames.push(BinderFrame::Let(variable_name(part), value, part.span));
            with_stack(|| self.bind_pattern(part, ty, frames))?;
        }
        Ok(())
    }

    /// Infers the value of a definition and its type, not generalised. A recursive value is in the scope of its own
    /// name.
    pub(super) fn infer_definition_value(&mut self, declaration: &Declaration) -> Result<(Term, TypeRef), TypeError> {
        let count = self.locals.len();
        self.open_parameters(&declaration.type_parameters);
        let ty = self.fresh_unknown(Class::ANY);
        // Monomorphic inside its own value, as in Hindley–Milner.
        if declaration.recursive {
            self.push_local(Some(&declaration.name.name), ty, false);
        }
        let mut frames = Vec::new();
        let result = self.bind_parameters(&declaration.parameters, ty, declaration.name.span, &mut frames)?;
        if let Some(written) = &declaration.result {
            let id = self.convert_type(written)?;
            self.unify(result, id, written.span)?;
        }
        let value = self.check_expression(&declaration.value, result)?;
        self.pop_to(count);
        self.close_parameters(&declaration.type_parameters);
        Ok((wrap_binders(frames, value), ty))
    }

    /// Infers `let declaration in body`.
    pub(super) fn infer_let(
        &mut self,
        declaration: &Declaration,
        body: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let waiting = self.pending.len();
        // A level deeper: what arises in the value, and nothing else, can be quantified.
        self.level += 1;
        let result = self.infer_definition_value(declaration);
        self.level -= 1;
        let (value, ty) = result?;
        self.resolve_components(waiting)?;
        let (exact, is_literal) = self.literal_value(&value, ty);
        let polymorphic = self.generalise(ty, declaration.name.span)?;
        let name = declaration.name.name.clone();
        self.push_local(Some(&name), ty, polymorphic);
        if let Some(local) = self.locals.last_mut() {
            (local.exact, local.is_literal) = (exact, is_literal);
        }
        let body = self.check_expression(body, expected)?;
        self.pop_to(self.locals.len() - 1);
        Ok(Term::new(
            if declaration.recursive {
                TermKind::LetRec { name, value, body }
            } else {
                TermKind::Let { name, value, body }
            },
            span,
        ))
    }

    /// Returns the exact value of a `let`, if it is real arithmetic of literals, and whether it is a literal that may
    /// still be a natural number.
    fn literal_value(&mut self, value: &Term, ty: TypeRef) -> (Option<Rational>, bool) {
        let is_open = match self.types.node_of(ty) {
            ArenaNode::Unknown { class, .. } => class.has_naturals(),
            ArenaNode::Real => false,
            _ => return (None, false),
        };
        (self.exact_value(value), is_open && matches!(value.kind(), TermKind::Real(_)))
    }

    /// Returns the exact value of a term of literals and of names of such. `None` for any other term.
    pub(super) fn exact_value(&self, term: &Term) -> Option<Rational> {
        let count = self.locals.len();
        exact::exact_value(term, &|index| self.locals.get(count.checked_sub(index + 1)?)?.exact.clone())
    }

    /// Infers `let pattern = value in body`. The names of a pattern are monomorphic.
    pub(super) fn infer_let_pattern(
        &mut self,
        binder: &Binder,
        value: &Expression,
        body: &Expression,
        expected: TypeRef,
    ) -> Result<Term, TypeError> {
        let ty = self.fresh_unknown(Class::ANY);
        if let Some(written) = &binder.ty {
            let written = self.convert_type(written)?;
            self.unify(ty, written, binder.pattern.span)?;
        }
        let value = self.check_expression(value, ty)?;
        let count = self.locals.len();
        let mut frames = vec![BinderFrame::Let(variable_name(&binder.pattern), value, binder.pattern.span)];
        self.bind_pattern(&binder.pattern, ty, &mut frames)?;
        let body = self.check_expression(body, expected)?;
        self.pop_to(count);
        Ok(wrap_binders(frames, body))
    }

    /// Unifies `tuple[index]` with its type. Deferred to the end of the definition while the type of the tuple is
    /// unknown.
    pub(super) fn resolve_component(&mut self, pending: DeferredConstraint) -> Result<(), TypeError> {
        match self.types.node_of(pending.tuple) {
            ArenaNode::Unknown { .. } => {
                self.pending.push(pending);
                Ok(())
            }
            ArenaNode::Tuple(parts) => match parts.get(pending.index) {
                Some(&part) => self.unify(pending.component, part, pending.span),
                None => Err(TypeError::NoComponent {
                    index: pending.index,
                    width: parts.len(),
                    ty: self.types.export_for_message(pending.tuple),
                    span: pending.span,
                }),
            },
            _ => Err(TypeError::NotATuple {
                index: pending.index,
                ty: self.types.export_for_message(pending.tuple),
                span: pending.written,
            }),
        }
    }

    /// Resolves the components deferred since the index `since`. Tuples that arose in the definition that ends here
    /// must be known now.
    pub(super) fn resolve_components(&mut self, since: usize) -> Result<(), TypeError> {
        loop {
            let waiting = self.pending.split_off(since);
            let count = waiting.len();
            for pending in waiting {
                let result = self.types.count_steps(1);
                self.within_limits(result, pending.span)?;
                self.resolve_component(pending)?;
            }
            // As many wait as before: a further round would change nothing.
            if self.pending.len() - since == count {
                break;
            }
        }
        for position in since..self.pending.len() {
            let DeferredConstraint { tuple, index, written, span, .. } = self.pending[position];
            // A tuple from outside, a parameter of an outer function, may still become known there.
            if matches!(self.types.node_of(tuple), ArenaNode::Unknown { level, .. } if level > self.level) {
                return Err(TypeError::UnknownTuple { index, tuple: self.source_excerpt(written), span });
            }
        }
        Ok(())
    }
}

/// Returns the name of the term's variable for the value that a pattern matches.
pub(super) fn variable_name(pattern: &Pattern) -> Name {
    match &pattern.kind {
        PatternKind::Name(name) => name.clone(),
        PatternKind::Tuple(parts) if parts.len() == 2 => "pair".into(),
        PatternKind::Tuple(_) => "tuple".into(),
        PatternKind::Ignore | PatternKind::Unit => "_".into(),
    }
}
