//! Inference of expressions.
//!
//! # Applications
//!
//! The function with all its arguments at once, so that messages can count them.
//!
//! # Binders
//!
//! Parameters, patterns, definitions.
//!
//! A tuple pattern becomes one unnamed variable for the tuple, and one `let` for each part.
//!
//! # `match`
//!
//! `match`, constructors and lists.
//!
//! # Resolution of names
//!
//! Resolution of names, and suggestions for unknown ones.
//!
//! # Operators
//!
//! Overloaded arithmetic, comparisons of numbers, and logic.
//!
//! The inference decides once, by types, which constant an operator is, so no reduction can change it. An exponent
//! that is arithmetic of literals makes a constant power. Any other real exponent means exp (y log x), and a
//! natural exponent a product.
//!
//! A difference of natural numbers is 0 below 0 only where the type `Nat` is written. Elsewhere nobody meant the
//! number to be natural, and a 0 would hide a mistake. So it is another constant there, which is refused below 0.
//!
//! # Conversion of written types to types under construction

use super::core::{hole_id, type_hole};
use super::store::{ArenaNode, TypeArena, TypeRef};
use super::{DeferredConstraint, Inference, LocalVariable};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::lexer::message_excerpt;
use crate::syntax::library::{EVERYDAY, Library, Lookup, Module, TRACE, is_standard};
use crate::syntax::name::{Name, is_capital, nearest_name};
use crate::syntax::source::Span;
use crate::syntax::surface::{
    BinaryOperator, Binder, Case, CasePattern, Declaration, Expression, ExpressionKind, Identifier, Member, Pattern,
    PatternKind, TypeExpression, TypeExpressionKind,
};
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use crate::syntax::type_error::{ArgumentOf, TypeError};
use crate::syntax::{constant, error, exact, parser};
use std::rc::Rc;
use std::sync::Arc;

impl Inference<'_> {
    /// Infers the term of an expression, which must have the expected type.
    pub(super) fn check_expression(&mut self, expression: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        if self.types.is_exhausted() {
            return Err(TypeError::TooLarge { span: expression.span });
        }
        with_stack(|| self.check_expression_kind(expression, expected))
    }

    fn check_expression_kind(&mut self, expression: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        let span = expression.span;
        let kind = match &expression.kind {
            ExpressionKind::Name(module, name) => {
                let (term, ty) = self.infer_name(module.as_ref(), name, expected, span)?;
                self.unify(expected, ty, span)?;
                return Ok(term);
            }
            ExpressionKind::Number(value, decimal) => {
                let ty = if *decimal { TypeArena::REAL } else { self.literal_type(span.start, expected) };
                self.unify(expected, ty, span)?;
                TermKind::Real((**value).clone())
            }
            ExpressionKind::Bool(value) => {
                self.unify(expected, TypeArena::BOOL, span)?;
                TermKind::Bool(*value)
            }
            ExpressionKind::Unit => {
                self.unify(expected, TypeArena::UNIT, span)?;
                TermKind::Unit
            }
            ExpressionKind::Lambda(binders, body) => {
                let count = self.locals.len();
                let mut frames = Vec::new();
                // `bind_parameters` splits the expected function type, so that the body is checked against its result.
                let result = self.bind_parameters(binders, expected, span, &mut frames)?;
                let body = self.check_expression(body, result)?;
                self.pop_to(count);
                return Ok(wrap_binders(frames, body));
            }
            ExpressionKind::Apply(..) => return self.infer_application(expression, expected),
            ExpressionKind::Binary(BinaryOperator::Cons, head, tail) => {
                return self.infer_cons(head, tail, expected, span);
            }
            ExpressionKind::Binary(operator, left, right) => {
                return self.infer_binary(*operator, left, right, expected, span);
            }
            ExpressionKind::Negate(operand) => return self.infer_negation(operand, expected, span),
            ExpressionKind::Section(operator) => return self.infer_section(*operator, expected, span),
            ExpressionKind::Let(declaration, body) => {
                return self.infer_let(declaration, body, expected, span);
            }
            ExpressionKind::LetPattern(binder, value, body) => {
                return self.infer_let_pattern(binder, value, body, expected);
            }
            ExpressionKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.check_expression(condition, TypeArena::BOOL)?;
                // Both branches get the expected type: a mismatch is reported inside the branch.
                let then = self.check_expression(then, expected)?;
                let otherwise = self.check_expression(otherwise, expected)?;
                TermKind::If { condition, then, otherwise }
            }
            ExpressionKind::SameTypePair(sides) => {
                let [left, right] = &**sides;
                let ty = self.fresh_unknown(Class::ANY);
                let parts = vec![self.check_expression(left, ty)?, self.check_expression(right, ty)?];
                let pair = self.types.add_node(ArenaNode::Tuple(vec![ty, ty].into()));
                self.unify(expected, pair, span)?;
                TermKind::Tuple(parts)
            }
            ExpressionKind::List(parts) => return self.infer_list(parts, expected, span),
            ExpressionKind::Match(scrutinee, cases) => return self.infer_match(scrutinee, cases, expected, span),
            ExpressionKind::Tuple(parts) => return self.check_tuple(parts, expected, expression),
            ExpressionKind::Index(tuple, index) => {
                let (written, index) = (tuple.span, *index);
                let ty = self.fresh_unknown(Class::ANY);
                let tuple = self.check_expression(tuple, ty)?;
                self.resolve_component(DeferredConstraint { tuple: ty, index, component: expected, written, span })?;
                TermKind::Project { tuple, index }
            }
            ExpressionKind::Member(record, member) => {
                let ty = self.fresh_unknown(Class::ANY);
                let iso = self.check_expression(record, ty)?;
                let (left, right) = self.iso_sides(ty, record)?;
                let (domain, codomain) = if *member == Member::To { (left, right) } else { (right, left) };
                let function = self.types.add_node(ArenaNode::Function(domain, codomain));
                self.unify(expected, function, span)?;
                if *member == Member::To { TermKind::To(iso) } else { TermKind::From(iso) }
            }
            ExpressionKind::Do(inner) => {
                let outside = std::mem::replace(&mut self.in_do, true);
                let term = self.check_expression(inner, expected);
                self.in_do = outside;
                return term;
            }
            ExpressionKind::Ascription(inner, ty) => {
                // The ascribed type first meets the expected one, so that its own mismatch is reported at the whole.
                let ty = self.convert_type(ty)?;
                self.unify(expected, ty, span)?;
                return self.check_expression(inner, ty);
            }
        };
        Ok(Term::new(kind, span))
    }

    /// Returns the type of a literal without a point: `Real` if expected, otherwise a number type that its use decides.
    pub(super) fn literal_type(&mut self, start: u32, expected: TypeRef) -> TypeRef {
        if matches!(self.types.node_of(expected), ArenaNode::Real) {
            return TypeArena::REAL;
        }
        let ty = self.fresh_unknown(Class::NUMERIC);
        self.literals.push((start, ty));
        ty
    }

    fn check_tuple(&mut self, parts: &[Expression], expected: TypeRef, whole: &Expression) -> Result<Term, TypeError> {
        // With a tuple expected, each component is checked against its own type, and mismatches are small.
        let known = match self.types.node_of(expected) {
            ArenaNode::Tuple(types) if types.len() == parts.len() => Some(types),
            ArenaNode::Unknown { class: Class::ANY, .. } => {
                let types: Rc<[TypeRef]> = parts.iter().map(|_| self.fresh_unknown(Class::ANY)).collect();
                let tuple = self.types.add_node(ArenaNode::Tuple(types.clone()));
                self.unify(expected, tuple, whole.span)?;
                Some(types)
            }
            // Any other expected type is no tuple, or has a class: the whole tuple is unified with it below.
            _ => None,
        };
        let mut types = Vec::new();
        let mut terms = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let ty = match &known {
                Some(types) => types[number],
                None => self.fresh_unknown(Class::ANY),
            };
            terms.push(self.check_expression(part, ty)?);
            if known.is_none() {
                types.push(ty);
            }
        }
        if known.is_none() {
            let tuple = self.types.add_node(ArenaNode::Tuple(types.into()));
            self.unify(expected, tuple, whole.span)?;
        }
        Ok(Term::new(TermKind::Tuple(terms), whole.span))
    }

    fn iso_sides(&mut self, ty: TypeRef, record: &Expression) -> Result<(TypeRef, TypeRef), TypeError> {
        match self.types.node_of(ty) {
            ArenaNode::Iso(left, right) => Ok((left, right)),
            ArenaNode::Unknown { class: Class::ANY, .. } => {
                let (left, right) = (self.fresh_unknown(Class::ANY), self.fresh_unknown(Class::ANY));
                let iso = self.types.add_node(ArenaNode::Iso(left, right));
                self.unify(ty, iso, record.span)?;
                Ok((left, right))
            }
            _ => Err(TypeError::NotAnIsomorphism { ty: self.types.export_for_message(ty), span: record.span }),
        }
    }
}

/// The words for an infinite end of an integral.
const INFINITY: [&str; 2] = ["infinity", "∞"];

impl Inference<'_> {
    /// Infers `head a b c`.
    pub(super) fn infer_application(&mut self, whole: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        let mut head = whole;
        let mut arguments = Vec::new();
        while let ExpressionKind::Apply(function, argument) = &head.kind {
            arguments.push((&**argument, head.span));
            head = function;
        }
        arguments.reverse();
        let improper = self.find_improper_integral(head, &mut arguments)?;
        let head = improper.as_ref().unwrap_or(head);
        let head_type = self.fresh_unknown(Class::ANY);
        let outside = self.in_do;
        // A name at the head of a sampling program resolves as in a `do`; its arguments do not.
        self.in_do |= self.is_sampling_type(expected);
        let head_term = self.check_expression(head, head_type);
        self.in_do = outside;
        let head_term = head_term?;
        let mut term = head_term.clone();
        let mut ty = head_type;
        for (number, &(argument, span)) in arguments.iter().enumerate() {
            let (domain, codomain) = match self.types.node_of(ty) {
                ArenaNode::Function(domain, codomain) => (domain, codomain),
                // The function's type is unknown: a parameter, for example. It becomes a function type of unknown
                // sides.
                ArenaNode::Unknown { class, .. } if class.is_open() => self.function_sides(ty, span)?,
                _ => return Err(self.not_applicable_error(head, head_type, ty, number, &arguments)),
            };
            let value = match self.check_expression(argument, domain) {
                Ok(value) => value,
                Err(error) => {
                    return Err(self
                        .locate_in_argument(error, argument, number, head, head_type)
                        .in_application(&head_term));
                }
            };
            let injected = if number == 0 { apply_constructor(head, &term, &value, span) } else { None };
            term = injected.unwrap_or_else(|| Term::apply(term, value, span));
            ty = codomain;
        }
        self.unify(expected, ty, whole.span).map_err(|error| error.in_application(&head_term))?;
        Ok(term)
    }

    /// Returns the function that an integral with an infinite end stands for, and removes the infinite ends from the
    /// arguments. Returns `None` for any other application.
    ///
    /// Infinity is no number, so it has no type and no value. It is a word of this one form, unless the program binds it.
    fn find_improper_integral(
        &self,
        head: &Expression,
        arguments: &mut Vec<(&Expression, Span)>,
    ) -> Result<Option<Expression>, TypeError> {
        let (ExpressionKind::Name(None, name), [(from, _), (to, _), ..]) = (&head.kind, &arguments[..]) else {
            return Ok(None);
        };
        let ends = [self.infinite_sign(from), self.infinite_sign(to)];
        if &**name != "integral" || ends == [None, None] || !self.is_library_integral(name) {
            return Ok(None);
        }
        let (module, function) = match ends {
            [None, Some(1)] => ("Integral", "beyond"),
            [Some(-1), None] => (EVERYDAY, "upTo"),
            [Some(-1), Some(1)] => ("Distributions", "line"),
            _ => return Err(TypeError::InfiniteEnds { span: from.span.to(to.span) }),
        };
        let mut signs = ends.into_iter();
        arguments.retain(|_| signs.next().flatten().is_none());
        let name = ExpressionKind::Name(Some(module.into()), function.into());
        // One name cannot be too deep.
        Expression::new(name, head.span).map(Some).map_err(|_| TypeError::TooLarge { span: head.span })
    }

    /// Returns the sign of an infinite end, `infinity` or `-infinity`. Returns `None` for any other expression.
    fn infinite_sign(&self, end: &Expression) -> Option<i8> {
        match &end.kind {
            ExpressionKind::Negate(operand) => self.infinite_sign(operand).map(|sign| -sign),
            ExpressionKind::Name(None, name) if INFINITY.contains(&&**name) && self.is_unbound(name) => Some(1),
            _ => None,
        }
    }

    /// Returns `true` if the program and the library define no such name.
    fn is_unbound(&self, name: &Name) -> bool {
        self.by_name.get(name).is_none_or(Vec::is_empty)
            && matches!(self.library.resolve_definition(self.current, name, false), Lookup::Missing)
    }

    /// Returns `true` if the name is that of the standard library's integral between two ends.
    fn is_library_integral(&self, name: &Name) -> bool {
        self.by_name.get(name).is_none_or(Vec::is_empty)
            && matches!(self.library.resolve_definition(self.current, name, false),
                Lookup::Found(definition) if is_standard(&definition.module))
    }

    fn not_applicable_error(
        &mut self,
        head: &Expression,
        head_type: TypeRef,
        ty: TypeRef,
        number: usize,
        arguments: &[(&Expression, crate::syntax::source::Span)],
    ) -> TypeError {
        let function = self.source_excerpt(head.span);
        // No argument fitted: the head is no function. After some did, there are too many of them.
        if number == 0 {
            return TypeError::NotAFunction { function, ty: self.types.export_for_message(ty), span: head.span };
        }
        TypeError::TooManyArguments {
            function,
            ty: self.types.export_for_message(head_type),
            takes: number,
            given: arguments.len(),
            span: arguments[number].0.span,
        }
    }

    /// Adds the argument position to a mismatch at the argument itself. Other errors stay as they are.
    fn locate_in_argument(
        &mut self,
        mut error: TypeError,
        at: &Expression,
        number: usize,
        head: &Expression,
        head_type: TypeRef,
    ) -> TypeError {
        if let TypeError::Mismatch { argument: argument @ None, span, .. } = &mut error
            && *span == at.span
        {
            *argument = Some(ArgumentOf {
                number: number + 1,
                function: self.source_excerpt(head.span),
                ty: self.types.export_for_message(head_type),
            });
        }
        error
    }
}

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

/// Makes the term of a constructor at a type: a function if the constructor has an argument, of type `domain`.
pub(crate) fn constructor_term(constructor: &Constructor, domain: Option<Ty>, ty: Ty, span: Span) -> Term {
    let Some(domain) = domain else {
        return Term::inject(constructor.clone(), Term::new(TermKind::Unit, span), ty, span);
    };
    let name = Name::from("x");
    let argument = Term::variable(0, name.clone(), domain.clone(), span);
    Term::lambda(name, domain, Term::inject(constructor.clone(), argument, ty, span), span)
}

/// Applies a constructor to its argument `value` directly. `None` if the head is no constructor.
pub(super) fn apply_constructor(head: &Expression, function: &Term, value: &Term, span: Span) -> Option<Term> {
    // A name becomes a `\` only if it is that of a constructor.
    match (&head.kind, function.kind()) {
        (ExpressionKind::Name(..), TermKind::Lambda { body, .. }) => match body.kind() {
            TermKind::Inject { constructor, .. } => {
                Some(Term::inject(constructor.clone(), value.clone(), body.ty().clone(), span))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Inference<'_> {
    /// Instantiates a constructor: its term, and its type at this use.
    pub(super) fn instantiate_constructor(
        &mut self,
        constructor: &Constructor,
        span: Span,
    ) -> Result<(Term, TypeRef), TypeError> {
        let (ty, arguments) = self.types.fresh_data_type(constructor.data(), self.level);
        let Some(argument) = constructor.argument() else {
            return Ok((constructor_term(constructor, None, type_hole(ty), span), ty));
        };
        let result = self.types.import_type(&argument, &arguments);
        let domain = self.within_limits(result, span)?;
        let function = self.types.add_node(ArenaNode::Function(domain, ty));
        Ok((constructor_term(constructor, Some(type_hole(domain)), type_hole(ty), span), function))
    }

    /// Makes a list type with an unknown element type. Returns both.
    pub(super) fn list_type(&mut self) -> (TypeRef, TypeRef) {
        let (ty, arguments) = self.types.fresh_data_type(DataType::list(), self.level);
        (ty, arguments[0])
    }

    /// Returns the element type of the list that is expected here.
    fn element_type(&mut self, expected: TypeRef, span: Span) -> Result<TypeRef, TypeError> {
        if let ArenaNode::Data(data, arguments) = self.types.node_of(expected)
            && data.is_list()
        {
            return Ok(arguments[0]);
        }
        let (ty, of) = self.list_type();
        self.unify(expected, ty, span)?;
        Ok(of)
    }

    /// Infers `[a, b]`.
    pub(super) fn infer_list(
        &mut self,
        parts: &[Expression],
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let of = self.element_type(expected, span)?;
        let mut terms = Vec::with_capacity(parts.len());
        for part in parts {
            terms.push(self.check_expression(part, of)?);
        }
        let ty = type_hole(expected);
        let nil = Term::nil(ty.clone(), span);
        Ok(terms.into_iter().rev().fold(nil, |rest, part| Term::cons(part, rest, ty.clone(), span)))
    }

    /// Infers `head :: tail`.
    pub(super) fn infer_cons(
        &mut self,
        head: &Expression,
        tail: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let of = self.element_type(expected, span)?;
        let head = self.check_expression(head, of)?;
        let tail = self.check_expression(tail, expected)?;
        Ok(Term::cons(head, tail, type_hole(expected), span))
    }

    /// Infers `match scrutinee with cases`.
    pub(super) fn infer_match(
        &mut self,
        scrutinee: &Expression,
        cases: &[Case],
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        // The scrutinee is inferred before the cases, whose errors can then name its type.
        let matched = self.fresh_unknown(Class::ANY);
        let (scrutinee_span, scrutinee) = (scrutinee.span, self.check_expression(scrutinee, matched)?);
        if let Some(rest) = cases.iter().find(|case| matches!(case.pattern, CasePattern::CatchAll)) {
            return Err(self.catch_all_error(rest, cases, matched));
        }
        let mut found: Vec<(Constructor, &Case)> = Vec::with_capacity(cases.len());
        for case in cases {
            found.push((self.case_constructor(case)?, case));
        }
        // An unknown scrutinee takes its type from the first case.
        let data = match self.types.node_of(matched) {
            ArenaNode::Data(data, _) => data,
            _ => found[0].0.data().clone(),
        };
        let (ty, arguments) = self.types.fresh_data_type(&data, self.level);
        for (constructor, case) in &found {
            if *constructor.data() != data || self.types.unify(matched, ty).is_err() {
                let ty = self.types.export_for_message(matched);
                let its_own = self.is_redefined(constructor.data()).then(|| constructor.data().name().clone());
                return Err(TypeError::CaseOfAnotherType {
                    constructor: constructor.name().to_string(),
                    data: constructor.data().name().to_string(),
                    before_data: its_own,
                    before: self.redefined_name(&ty),
                    ty,
                    scrutinee: self.source_excerpt(scrutinee_span),
                    span: case.span,
                });
            }
        }
        let mut branches: Vec<Option<MatchBranch>> = vec![None; data.constructor_count()];
        // Branches are stored in the order of the declaration, whatever the order of the cases.
        for (constructor, case) in found {
            let place = constructor.index();
            if branches[place].is_some() {
                let constructor = constructor.name().to_string();
                return Err(TypeError::CaseTwice { constructor, span: case.span });
            }
            branches[place] = Some(self.infer_branch(&constructor, case, &arguments, expected)?);
        }
        let missing = data.constructors().zip(&branches).filter(|(_, branch)| branch.is_none());
        let missing: Vec<String> = missing.map(|(constructor, _)| example_pattern(&constructor)).collect();
        if !missing.is_empty() {
            return Err(TypeError::MissingCases { missing, ty: self.types.export_for_message(ty), span });
        }
        Ok(Term::new(TermKind::Match { data, scrutinee, branches: branches.into_iter().flatten().collect() }, span))
    }

    /// Makes the error for a catch-all pattern, with the constructors that are missing.
    fn catch_all_error(&mut self, rest: &Case, cases: &[Case], matched: TypeRef) -> TypeError {
        let named: Vec<_> = cases.iter().filter_map(|case| self.case_constructor(case).ok()).collect();
        let data = match self.types.node_of(matched) {
            ArenaNode::Data(data, _) => Some(data),
            _ => named.first().map(|constructor| constructor.data().clone()),
        };
        let is_missing = |constructor: &Constructor| named.iter().all(|other| other.name() != constructor.name());
        let missing =
            data.iter().flat_map(DataType::constructors).filter(is_missing).map(|c| example_pattern(&c)).collect();
        TypeError::CatchAll { pattern: self.source_excerpt(rest.span), missing, span: rest.span }
    }

    fn infer_branch(
        &mut self,
        constructor: &Constructor,
        case: &Case,
        arguments: &[TypeRef],
        expected: TypeRef,
    ) -> Result<MatchBranch, TypeError> {
        let result = self.types.import_type(&constructor.argument_or_unit(), arguments);
        let domain = self.within_limits(result, case.span)?;
        let count = self.locals.len();
        // A constructor without argument still binds a variable, for `()`.
        let none = Pattern { kind: PatternKind::Ignore, span: case.span, depth: 1 };
        let pattern = case.pattern.argument().unwrap_or(&none);
        let mut frames = Vec::new();
        with_stack(|| self.bind_pattern(pattern, domain, &mut frames))?;
        let body = self.check_expression(&case.body, expected)?;
        self.pop_to(count);
        Ok(MatchBranch { name: variable_name(pattern), body: wrap_binders(frames, body) })
    }

    /// Returns the constructor of a case, whose pattern must have an argument exactly if the constructor does.
    fn case_constructor(&mut self, case: &Case) -> Result<Constructor, TypeError> {
        let (module, name, argument) = match &case.pattern {
            CasePattern::Nil => return Ok(Constructor::nil()),
            CasePattern::Cons(_) => return Ok(Constructor::cons()),
            CasePattern::Constructor(module, name, argument) => (module, name, argument),
            CasePattern::CatchAll => {
                let pattern = self.source_excerpt(case.span);
                return Err(TypeError::CatchAll { pattern, missing: Vec::new(), span: case.span });
            }
        };
        let span = case.span;
        let found = match module {
            Some(module) => match self.find_module(module, span)?.find_definition(name) {
                Some(definition) => Lookup::Found(definition.clone()),
                None => Lookup::Missing,
            },
            None => self.library.resolve_definition(self.current, name, self.in_do),
        };
        let definition = match found {
            Lookup::Found(definition) => Some(definition),
            Lookup::Ambiguous(modules) => {
                return Err(TypeError::Ambiguous { name: name.to_string(), modules, span });
            }
            Lookup::Missing => None,
        };
        let Some(constructor) = definition.and_then(|definition| definition.constructor.clone()) else {
            let written = module.as_ref().map_or_else(|| name.to_string(), |module| format!("{module}.{name}"));
            let suggestion = self.nearest_constructor(name).map(|near| format!("`{near}`"));
            return Err(TypeError::UnknownConstructor { name: written, suggestion, span });
        };
        let takes = constructor.layer_type().is_some();
        if takes != argument.is_some() {
            return Err(TypeError::ConstructorArgument { case: example_pattern(&constructor), takes, span });
        }
        Ok(constructor)
    }

    fn nearest_constructor(&self, name: &str) -> Option<&str> {
        let definitions = self.library.modules().iter().flat_map(|module| module.definitions());
        let constructors = definitions.filter(|definition| definition.constructor.is_some());
        nearest_name(name, constructors.map(|definition| &*definition.name))
    }
}

/// Returns an example of a case for a constructor.
fn example_pattern(constructor: &Constructor) -> String {
    match constructor.layer_type() {
        _ if constructor.is_cons() => "x :: rest".to_owned(),
        None => constructor.name().to_string(),
        Some(argument) => match argument.kind() {
            TyKind::Tuple(parts) if parts.len() <= 3 => {
                let names = ["x", "y", "z"];
                format!("{} ({})", constructor.name(), names[..parts.len()].join(", "))
            }
            _ => format!("{} x", constructor.name()),
        },
    }
}

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
        if INFINITY.contains(&&**name) {
            return TypeError::Infinity { span };
        }
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

/// The largest number of parts of an operand that `own_types` visits. A choice: bounds the time for nested differences.
const MOST_PARTS: usize = 64;

/// Returns the constant of an operator. `None` for `&&` and `||`, which are conditionals, and for `::`, a constructor.
fn operator_constant(operator: BinaryOperator) -> Option<Constant> {
    Some(match operator {
        BinaryOperator::Add => Constant::Add,
        BinaryOperator::Subtract => Constant::Subtract,
        BinaryOperator::Multiply => Constant::Multiply,
        BinaryOperator::Divide => Constant::Divide,
        BinaryOperator::Power => Constant::Power,
        BinaryOperator::Equal => Constant::Equal,
        BinaryOperator::NotEqual => Constant::NotEqual,
        BinaryOperator::Less => Constant::Less,
        BinaryOperator::LessEqual => Constant::LessEqual,
        BinaryOperator::Greater => Constant::Greater,
        BinaryOperator::GreaterEqual => Constant::GreaterEqual,
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Cons => return None,
    })
}

impl Inference<'_> {
    /// Infers `left operator right`.
    pub(super) fn infer_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let Some(constant) = operator_constant(operator) else {
            let left = self.check_expression(left, TypeArena::BOOL)?;
            let right = self.check_expression(right, TypeArena::BOOL)?;
            self.unify(expected, TypeArena::BOOL, span)?;
            return Ok(short_circuit(operator, left, right, span));
        };
        let sign = constant.operator_sign().unwrap_or_default();
        let (operand, result, left, right) = match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                let class = if operator == BinaryOperator::Multiply { Class::NUMERIC } else { Class::ADDITIVE };
                let ty = match self.operand_type(class, expected, span) {
                    Ok(ty) => ty,
                    // An unknown name in an operand is the likelier mistake, so it is reported in place of the result
                    // type.
                    Err(error) => return Err(self.find_unknown_name(&[left, right]).unwrap_or(error)),
                };
                if operator == BinaryOperator::Multiply {
                    self.products.push((span, ty));
                }
                let (left, right) =
                    (self.check_operand(left, ty, sign, class)?, self.check_operand(right, ty, sign, class)?);
                if operator == BinaryOperator::Subtract {
                    // The operands' own types, whatever is expected of them: a `Nat` written there decides how to
                    // subtract.
                    let mut operands = Vec::new();
                    for operand in [&left, &right] {
                        self.own_types(operand, &mut operands, &mut { MOST_PARTS });
                    }
                    self.differences.push((span, ty, operands));
                }
                (type_hole(ty), type_hole(ty), left, right)
            }
            BinaryOperator::Divide => {
                self.unify(expected, TypeArena::REAL, span)?;
                let left = self.check_operand(left, TypeArena::REAL, sign, Class::REAL)?;
                (Ty::real(), Ty::real(), left, self.check_operand(right, TypeArena::REAL, sign, Class::REAL)?)
            }
            BinaryOperator::Power => return self.infer_power(left, right, expected, span),
            BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual => {
                // Literals alone are natural numbers, unless a subtraction could leave them: `1 < 2 - 3` compares
                // reals.
                let counts = is_literal_arithmetic(left)
                    && is_literal_arithmetic(right)
                    && !has_subtraction(left)
                    && !has_subtraction(right);
                let ty = if counts { TypeArena::NAT } else { self.fresh_unknown(Class::ORDERED) };
                self.comparisons.push((span, ty));
                let left = self.check_operand(left, ty, sign, Class::ORDERED)?;
                let right = self.check_operand(right, ty, sign, Class::ORDERED)?;
                self.unify(expected, TypeArena::BOOL, span)?;
                (type_hole(ty), Ty::bool(), left, right)
            }
            _ => {
                let name = [left, right].into_iter().find_map(|side| match &side.kind {
                    ExpressionKind::Name(None, name) => Some(name.clone()),
                    _ => None,
                });
                let (ty, left, right, known) = self.infer_equality(left, right)?;
                self.unify(expected, TypeArena::BOOL, span)?;
                // Arithmetic of literals is compared now and exactly; at run time equality of reals is not decidable.
                if let Some(equal) = known {
                    return Ok(Term::new(TermKind::Bool(equal == (operator == BinaryOperator::Equal)), span));
                }
                self.comparisons.push((span, ty));
                self.equated.push((ty, name));
                (type_hole(ty), Ty::bool(), left, right)
            }
        };
        let ty = Ty::function(operand.clone(), Ty::function(operand, result));
        let function = Term::with_type(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, left, span), right, span))
    }

    /// Infers `-operand`.
    pub(super) fn infer_negation(
        &mut self,
        operand: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let ty = match self.operand_type(Class::VECTOR, expected, span) {
            Ok(ty) => ty,
            Err(error) => return Err(self.find_unknown_name(&[operand]).unwrap_or(error)),
        };
        let operand = self.check_operand(operand, ty, "-", Class::VECTOR)?;
        let function =
            Term::with_type(TermKind::Constant(Constant::Negate), Ty::function(type_hole(ty), type_hole(ty)), span);
        Ok(Term::apply(function, operand, span))
    }

    /// Infers an operator as a function, `(+)`.
    pub(super) fn infer_section(
        &mut self,
        operator: BinaryOperator,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        if operator == BinaryOperator::Cons {
            let (ty, of) = self.list_type();
            let inner = self.types.add_node(ArenaNode::Function(ty, ty));
            let function = self.types.add_node(ArenaNode::Function(of, inner));
            self.unify(expected, function, span)?;
            return Ok(binary_lambda(type_hole(of), type_hole(ty), span, |head, tail| {
                Term::cons(head, tail, type_hole(ty), span)
            }));
        }
        // `&&` and `||` have no constant: their sections are functions around the conditional.
        let Some(constant) = operator_constant(operator) else {
            let inner = self.types.add_node(ArenaNode::Function(TypeArena::BOOL, TypeArena::BOOL));
            let ty = self.types.add_node(ArenaNode::Function(TypeArena::BOOL, inner));
            self.unify(expected, ty, span)?;
            return Ok(binary_lambda(Ty::bool(), Ty::bool(), span, |left, right| {
                short_circuit(operator, left, right, span)
            }));
        };
        if constant.real_comparison().is_some() {
            let side = self.fresh_unknown(Class::ORDERED);
            self.comparisons.push((span, side));
            if constant.equates_naturals() {
                self.equated.push((side, None));
            }
            let inner = self.types.add_node(ArenaNode::Function(side, TypeArena::BOOL));
            let ty = self.types.add_node(ArenaNode::Function(side, inner));
            self.unify(expected, ty, span)?;
            return Ok(Term::with_type(TermKind::Constant(constant), type_hole(ty), span));
        }
        // The exponent is no literal here, so this is the power of a positive base, or of a natural exponent.
        if constant == Constant::Power {
            let exponent = self.fresh_unknown(Class::NUMERIC);
            let inner = self.types.add_node(ArenaNode::Function(exponent, TypeArena::REAL));
            let ty = self.types.add_node(ArenaNode::Function(TypeArena::REAL, inner));
            self.unify(expected, ty, span)?;
            self.powers.push((span, exponent));
            return Ok(Term::with_type(TermKind::Constant(Constant::RealPower), type_hole(ty), span));
        }
        let (term, ty) = self.instantiate_constant(constant, span)?;
        if let (Constant::Subtract, ArenaNode::Function(side, _)) = (constant, self.types.node_of(ty)) {
            self.differences.push((span, side, Vec::new()));
        }
        if let (Constant::Multiply, ArenaNode::Function(factor, _)) = (constant, self.types.node_of(ty)) {
            self.products.push((span, factor));
        }
        self.unify(expected, ty, span)?;
        Ok(term)
    }

    /// Returns the type of the operands and of the result of an overloaded operator, unified with the expected type.
    fn operand_type(&mut self, class: Class, expected: TypeRef, span: Span) -> Result<TypeRef, TypeError> {
        if matches!(self.types.node_of(expected), ArenaNode::Real) {
            return Ok(TypeArena::REAL);
        }
        let ty = self.fresh_unknown(class);
        self.unify(expected, ty, span)?;
        Ok(ty)
    }

    /// Returns the error of an unknown name in operands of a type that does not fit anyway. A type written for the name
    /// may mend both. `None` if all names are known.
    fn find_unknown_name(&mut self, operands: &[&Expression]) -> Option<TypeError> {
        operands.iter().find_map(|operand| {
            let ty = self.fresh_unknown(Class::ANY);
            self.check_expression(operand, ty).err().filter(|error| matches!(error, TypeError::Unknown { .. }))
        })
    }

    /// Infers an operand of an arithmetic operator. A mismatch of the operand becomes an error of the operator.
    fn check_operand(
        &mut self,
        operand: &Expression,
        ty: TypeRef,
        operator: &'static str,
        class: Class,
    ) -> Result<Term, TypeError> {
        let undecided = matches!(self.types.node_of(ty), ArenaNode::Unknown { .. });
        self.check_expression(operand, ty).map_err(|error| match error {
            TypeError::Mismatch { found, span, .. }
                if span == operand.span
                    && (undecided && !class.admits(&found)
                        || matches!(found.kind(), TyKind::Function(..))
                        || (matches!(class, Class::NUMERIC | Class::REAL)
                            && matches!(found.kind(), TyKind::Tuple(_)))) =>
            {
                TypeError::Operator { operator, class, found, span }
            }
            TypeError::NoVector { construct: None, found, span } if !class.admits(&found) => {
                TypeError::Operator { operator, class, found, span }
            }
            other => other,
        })
    }

    /// Infers `left ^ right`. The power has a constant exponent if it is arithmetic of literals, else a real or a
    /// natural one by its type.
    fn infer_power(
        &mut self,
        left: &Expression,
        right: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        self.unify(expected, TypeArena::REAL, span)?;
        let base = self.check_operand(left, TypeArena::REAL, "^", Class::REAL)?;
        let ty = self.fresh_unknown(Class::NUMERIC);
        let mut exponent = self.check_operand(right, ty, "^", Class::NUMERIC)?;
        let is_natural = matches!(self.types.node_of(ty), ArenaNode::Nat);
        // The parser refuses large exponents that are written in place. A larger computed one makes the power `exp (n * log x)`,
        // whose work does not grow with n.
        let literal = self
            .exact_value(&exponent)
            .filter(|value| !is_natural && (exact::is_literal_form(&exponent) || *value.as_abs() <= error::POWER));
        let constant = match literal {
            Some(value) => {
                self.unify(TypeArena::REAL, ty, right.span)?;
                if !exact::is_literal_form(&exponent) {
                    exponent = Term::new(TermKind::Real(value), right.span);
                }
                Constant::Power
            }
            None => {
                self.powers.push((span, ty));
                Constant::RealPower
            }
        };
        let ty = Ty::function(Ty::real(), Ty::function(type_hole(ty), Ty::real()));
        let function = Term::with_type(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, base, span), exponent, span))
    }

    /// Collects the types that an operand has by itself, whatever is expected of it: of variables, and of results of
    /// functions. Visits at most `parts` parts.
    fn own_types(&mut self, term: &Term, found: &mut Vec<TypeRef>, parts: &mut usize) {
        let Some(left) = parts.checked_sub(1) else { return };
        *parts = left;
        with_stack(|| match term.kind() {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) => {
                found.extend(held_type(term.ty()))
            }
            TermKind::Apply { function, argument } => match function.kind() {
                TermKind::Apply { function, argument: left } if is_arithmetic(function) => {
                    self.own_types(left, found, parts);
                    self.own_types(argument, found, parts);
                }
                _ => {
                    let mut functions = Vec::new();
                    self.own_types(function, &mut functions, parts);
                    found.extend(functions.into_iter().filter_map(|function| match self.types.node_of(function) {
                        ArenaNode::Function(_, codomain) => Some(codomain),
                        _ => None,
                    }));
                }
            },
            TermKind::Project { tuple, index } => {
                let mut tuples = Vec::new();
                self.own_types(tuple, &mut tuples, parts);
                found.extend(tuples.into_iter().filter_map(|tuple| match self.types.node_of(tuple) {
                    ArenaNode::Tuple(parts) => parts.get(*index).copied(),
                    _ => None,
                }));
            }
            TermKind::If { then, otherwise, .. } => {
                self.own_types(then, found, parts);
                self.own_types(otherwise, found, parts);
            }
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => self.own_types(body, found, parts),
            TermKind::Match { branches, .. } => {
                branches.iter().for_each(|branch| self.own_types(&branch.body, found, parts));
            }
            _ => {}
        });
    }

    /// Infers the sides of `==` or `/=`. Returns their type, their terms, and the answer if both are real arithmetic of
    /// literals.
    ///
    /// The type is `Real` if a side is known to be real, or if literals alone are subtracted. Otherwise it defaults to
    /// `Nat` at the end of the definition.
    fn infer_equality(
        &mut self,
        left: &Expression,
        right: &Expression,
    ) -> Result<(TypeRef, Term, Term, Option<bool>), TypeError> {
        let types = [self.fresh_unknown(Class::ANY), self.fresh_unknown(Class::ANY)];
        let terms = (self.check_expression(left, types[0])?, self.check_expression(right, types[1])?);
        let is_real = |node: ArenaNode| match node {
            ArenaNode::Real => true,
            ArenaNode::Unknown { class, .. } => !class.has_naturals(),
            _ => false,
        };
        let shapes = types.map(|ty| self.types.node_of(ty));
        let exact = self.exact_value(&terms.0).zip(self.exact_value(&terms.1));
        let subtracts_literals =
            exact.is_some() && (exact::contains_subtraction(&terms.0) || exact::contains_subtraction(&terms.1));
        let ty = match shapes.iter().all(|shape| matches!(shape, ArenaNode::Unknown { .. })) {
            // The order matters: a real side decides, even if the other side is not known yet.
            _ if shapes.into_iter().any(is_real) => TypeArena::REAL,
            true if subtracts_literals => TypeArena::REAL,
            true if is_literal_arithmetic(left)
                && is_literal_arithmetic(right)
                && (has_subtraction(left) || has_subtraction(right)) =>
            {
                TypeArena::REAL
            }
            true => self.fresh_unknown(Class::NUMERIC),
            // A known type other than `Real` must be `Nat`, the only other type with equality.
            false => TypeArena::NAT,
        };
        self.unify(ty, types[0], left.span)?;
        self.unify(ty, types[1], right.span)?;
        let known = exact.filter(|_| ty == TypeArena::REAL).map(|(left, right)| left == right);
        Ok((ty, terms.0, terms.1, known))
    }
}

/// Returns the type under construction that a hole stands for. `None` for a finished type.
fn held_type(ty: &Ty) -> Option<TypeRef> {
    match ty.kind() {
        TyKind::Variable(index, _) => hole_id(*index),
        _ => None,
    }
}

/// Returns `true` for a sum, a difference or a product, whose type is that of its operands.
fn is_arithmetic(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Constant(Constant::Add | Constant::Subtract | Constant::Multiply))
}

/// Makes `\(a : first) => \(b : second) => body`.
fn binary_lambda(first: Ty, second: Ty, span: Span, body: impl FnOnce(Term, Term) -> Term) -> Term {
    let variable = |index, name: &str, ty: &Ty| Term::variable(index, name.into(), ty.clone(), span);
    let body = body(variable(1, "a", &first), variable(0, "b", &second));
    Term::lambda("a".into(), first, Term::lambda("b".into(), second, body, span), span)
}

/// Returns `true` for literals without a point and their sums, differences, products and conditionals. They are
/// compared as natural numbers, unless one is subtracted: `2 - 3` does not mean 0.
fn is_literal_arithmetic(expression: &Expression) -> bool {
    with_stack(|| match &expression.kind {
        ExpressionKind::Number(_, decimal) => !decimal,
        ExpressionKind::Binary(
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
            left,
            right,
        ) => is_literal_arithmetic(left) && is_literal_arithmetic(right),
        ExpressionKind::If(parts) => is_literal_arithmetic(&parts[1]) && is_literal_arithmetic(&parts[2]),
        _ => false,
    })
}

/// Returns `true` if an expression of literals contains a subtraction.
fn has_subtraction(expression: &Expression) -> bool {
    with_stack(|| match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::Subtract, ..) => true,
        ExpressionKind::Binary(_, left, right) => has_subtraction(left) || has_subtraction(right),
        ExpressionKind::If(parts) => has_subtraction(&parts[1]) || has_subtraction(&parts[2]),
        _ => false,
    })
}

/// Makes `left && right` or `left || right` as a conditional: the right side is evaluated only if the left does not
/// decide.
fn short_circuit(operator: BinaryOperator, left: Term, right: Term, span: Span) -> Term {
    let decided = Term::new(TermKind::Bool(operator == BinaryOperator::Or), span);
    let (then, otherwise) = if operator == BinaryOperator::Or { (decided, right) } else { (right, decided) };
    Term::new(TermKind::If { condition: left, then, otherwise }, span)
}

/// The names of the basic types.
pub(super) const BASIC_TYPES: [&str; 12] =
    ["Real", "Nat", "Bool", "Unit", "unit", "List", "Tan", "ℜ", "ℝ", "ℕ", "𝔅", "𝔹"];

/// Returns `true` if a name is that of a basic type.
pub(crate) fn is_basic_type(name: &str) -> bool {
    BASIC_TYPES.contains(&name)
}

/// Returns the type scheme of a constant, parsed from the table of constants. Its parameters `A` and `B` get this
/// class.
pub(crate) fn constant_scheme(text: &str, class: Class) -> Scheme {
    let library = Library::new();
    let mut inference = Inference::new(&library, None, text);
    inference.level = 1;
    let names = ["A", "B"].map(|name| Identifier { name: name.into(), span: Span::default() });
    inference.open_parameters(&names);
    let ty = parser::parse_type(text).ok().and_then(|ty| inference.convert_type(&ty).ok());
    // An entry that does not parse would be a mistake in the table, which tests find; the unit type keeps this total.
    let Some(ty) = ty else {
        return Scheme { parameters: Vec::new(), ty: Ty::new(TyKind::Unit) };
    };
    let mut scheme = inference.types.export_scheme(ty, &[]);
    for (_, of) in &mut scheme.parameters {
        *of = class;
    }
    scheme
}

impl Inference<'_> {
    /// Brings type parameters into scope. An inner one hides an outer one of the same name.
    pub(super) fn open_parameters(&mut self, parameters: &[Identifier]) -> Vec<TypeRef> {
        let level = self.level;
        let mut ids = Vec::new();
        for Identifier { name, .. } in parameters {
            let id = self.types.add_node(ArenaNode::Parameter { level, name: name.clone(), class: Class::ANY });
            self.parameters.entry(name.clone()).or_default().push(id);
            ids.push(id);
        }
        ids
    }

    /// Takes type parameters out of scope.
    pub(super) fn close_parameters(&mut self, parameters: &[Identifier]) {
        for Identifier { name, .. } in parameters {
            if let Some(ids) = self.parameters.get_mut(name) {
                ids.pop();
            }
        }
    }

    /// Converts a written type, and checks its size.
    pub(super) fn convert_type(&mut self, ty: &TypeExpression) -> Result<TypeRef, TypeError> {
        let id = self.convert_part(ty)?;
        // A single name makes no new nodes but those of an alias, which was measured when it was declared.
        if !matches!(ty.kind, TypeExpressionKind::Name(_, _, ref arguments) if arguments.is_empty()) {
            let result = self.types.check_size(id);
            self.within_limits(result, ty.span)?;
        }
        Ok(id)
    }

    fn convert_part(&mut self, ty: &TypeExpression) -> Result<TypeRef, TypeError> {
        with_stack(|| {
            if self.types.is_exhausted() {
                return Err(TypeError::TooLarge { span: ty.span });
            }
            Ok(match &ty.kind {
                TypeExpressionKind::Unit => TypeArena::UNIT,
                TypeExpressionKind::Name(module, name, arguments) => {
                    let mut ids = Vec::with_capacity(arguments.len());
                    for argument in arguments {
                        ids.push(self.convert_part(argument)?);
                    }
                    self.resolve_type_name(module.as_ref(), name, &ids, ty.span)?
                }
                TypeExpressionKind::Product(parts) => {
                    let mut ids = Vec::with_capacity(parts.len());
                    for part in parts {
                        ids.push(self.convert_part(part)?);
                    }
                    self.types.add_node(ArenaNode::Tuple(ids.into()))
                }
                TypeExpressionKind::Power(of, width) => {
                    let of = self.convert_part(of)?;
                    match width {
                        0 => TypeArena::UNIT,
                        1 => of,
                        // The components share one node, so `Real^10000` costs one.
                        _ => self.types.add_node(ArenaNode::Tuple(vec![of; *width].into())),
                    }
                }
                TypeExpressionKind::Function(domain, codomain) => {
                    let (domain, codomain) = (self.convert_part(domain)?, self.convert_part(codomain)?);
                    self.types.add_node(ArenaNode::Function(domain, codomain))
                }
                TypeExpressionKind::Iso(left, right) => {
                    let (left, right) = (self.convert_part(left)?, self.convert_part(right)?);
                    self.types.add_node(ArenaNode::Iso(left, right))
                }
            })
        })
    }

    fn resolve_type_name(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        arguments: &[TypeRef],
        span: Span,
    ) -> Result<TypeRef, TypeError> {
        let takes = |takes: usize| {
            let given = arguments.len();
            let name = name.to_string();
            if takes == given { Ok(()) } else { Err(TypeError::TypeArguments { name, takes, given, span }) }
        };
        if module.is_none() {
            let is_parameter = self.parameters.get(name).is_some_and(|ids| !ids.is_empty());
            // The type that is being declared hides any other of its name, and occurs only with its own parameters.
            if let Some(declared) =
                self.data_in_progress.as_ref().filter(|declared| declared.name == *name && !is_parameter)
            {
                takes(declared.parameters.len())?;
                let (parameters, itself) = (declared.parameters.clone(), declared.itself);
                let is_own = |(&given, parameter): (&TypeRef, TypeRef)| self.types.find(given) == parameter;
                if arguments.iter().zip(parameters.iter().copied()).all(is_own) {
                    return Ok(itself);
                }
                let parameters: String =
                    parameters.iter().map(|&id| format!(" {}", self.types.export_for_message(id))).collect();
                let (expected, found) = (format!("{name}{parameters}"), self.source_excerpt(span));
                return Err(TypeError::Irregular { expected, found, span });
            }
            if let Some(&parameter) = self.parameters.get(name).and_then(|ids| ids.last()) {
                return takes(0).map(|()| parameter);
            }
            let basic = match &**name {
                "Real" | "ℜ" | "ℝ" => Some(TypeArena::REAL),
                // A node of its own, so that a written `Nat` can be told from an inferred one.
                "Nat" | "ℕ" => Some(TypeArena::WRITTEN_NAT),
                "Bool" | "𝔅" | "𝔹" => Some(TypeArena::BOOL),
                "Unit" | "unit" => Some(TypeArena::UNIT),
                _ => None,
            };
            if let Some(basic) = basic {
                return takes(0).map(|()| basic);
            }
            if &**name == "List" {
                takes(1)?;
                return Ok(self.types.add_node(ArenaNode::Data(DataType::list().clone(), arguments.into())));
            }
            if &**name == "Tan" {
                takes(1)?;
                return Ok(self.types.add_node(ArenaNode::Tangent(arguments[0])));
            }
        }
        let alias = match module {
            Some(module) => match self.find_module(module, span)?.find_named_type(name) {
                Some(alias) => Lookup::Found(alias.clone()),
                None => Lookup::Missing,
            },
            None => self.library.resolve_named_type(self.current, name),
        };
        match alias {
            Lookup::Found(alias) => {
                takes(alias.scheme.parameters.len())?;
                let result = self.types.import_written(&alias.scheme.ty, arguments);
                self.within_limits(result, span)
            }
            Lookup::Ambiguous(modules) => Err(TypeError::Ambiguous { name: name.to_string(), modules, span }),
            Lookup::Missing => Err(self.unknown_type_error(name, span)),
        }
    }
}
