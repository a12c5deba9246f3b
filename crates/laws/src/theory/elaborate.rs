//! The elaborator: from statements as written to typed statements.
//!
//! Both sides of a law, and the terms of its conditions, are typed together as parts of one function of all
//! variables. So all of them determine the type of a binder without one. A type that nothing determines is
//! refused. Then the function is taken apart: a side at a sample is an application, which every model interprets.
//!
//! # The elaborator of samplers
//!
//! `sample T = …`.

use super::error::StatementError;
use super::format::{ClaimDraft, ConditionDraft, LawDraft, RelatedDraft, StatementDraft};
use super::law::{LawCondition, LawVariable, RelatedTerms, RightSide, TheoryLaw, TypeSampler};
use super::{ClaimStatement, StatementRelation, Theory, TheoryClaim};
use crate::law::property::{ConstructorSampler, LawBinder, SampleArgument, SampleCondition, SampleConstructor};
use crate::law::term::ParsedProgram;
use crate::meaning::taylor::jet::Basis;
use crate::syntax::error::SyntaxError;
use crate::syntax::library::Library;
use crate::syntax::name::Name;
use crate::syntax::parser::parse_type;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::surface;
use crate::syntax::surface::{
    AliasDeclaration, Declaration, Expression, ExpressionKind, Identifier, PatternKind, TypeDeclaration,
    TypeExpression, TypeExpressionKind,
};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::theory::format::SampleDraft;
use crate::theory::law::TypeApplication;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The scope in which the statements of a theory are typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementScope<'t> {
    /// The library of all definitions.
    pub(super) library: &'t Library,
    /// The module whose names are in scope.
    pub(super) module: &'t Name,
    /// The source of the theory.
    pub(super) source: &'t SourceText,
    /// The samplers in scope.
    pub(super) samples: &'t [TypeSampler],
}

/// A requirement of a condition.
enum ConditionRequirement {
    /// A demand on the values of the variable of this index.
    VariableDemand(usize, SampleCondition),
    /// A number that must be above 0.
    Positive,
    /// Two numbers that must be different.
    Apart,
}

type ElaborationResult<T> = std::result::Result<T, StatementError>;

impl<'t> StatementScope<'t> {
    /// Returns the scope of a theory, as far as it is typed.
    pub(super) fn of_theory(library: &'t Library, theory: &'t Theory) -> Self {
        let Theory { name, source, samples, .. } = theory;
        Self { library, module: name, source, samples }
    }
}

impl StatementScope<'_> {
    /// Types a claim.
    pub(super) fn elaborate_claim(&self, draft: ClaimDraft) -> ElaborationResult<TheoryClaim> {
        let ClaimDraft { name, statement, because, span } = draft;
        let program = statement.program_span();
        let statement = match statement {
            StatementDraft::Within { expression, tolerance, low, high, reached } => {
                ClaimStatement::Within { term: self.elaborate_real(&expression)?, tolerance, low, high, reached }
            }
            StatementDraft::Undefined(expression) => ClaimStatement::Undefined(self.elaborate_real(&expression)?),
            StatementDraft::Rejects(expression, part) => {
                let refused = match self.library.infer_in_module(self.module, &self.source.text, &expression) {
                    // a program that has a type makes the claim false, which is reported when the claim is tested
                    Ok((_, ty)) => Err(ty),
                    Err(error) => {
                        // the note and the help belong to the message that a claim may quote
                        let more = [error.note(), error.help()].into_iter().flatten();
                        Ok([error.to_string()].into_iter().chain(more).collect::<Vec<_>>().join("; "))
                    }
                };
                ClaimStatement::Rejects { refused, part }
            }
            StatementDraft::Related(related) => ClaimStatement::Related(
                self.elaborate_relation(&name, Vec::new(), Vec::new(), related, Vec::new())?.statement,
            ),
        };
        Ok(TheoryClaim { name: name.name, statement, because, span, program })
    }

    /// Types a program that must have type `Real`.
    fn elaborate_real(&self, expression: &Expression) -> ElaborationResult<Term> {
        let (term, ty) = self.library.infer_in_module(self.module, &self.source.text, expression)?;
        if ty == Ty::real() { Ok(term) } else { Err(StatementError::NotReal { found: ty, span: expression.span }) }
    }

    /// Types a law.
    pub(super) fn elaborate_law(&self, draft: LawDraft) -> ElaborationResult<TheoryLaw> {
        let LawDraft { name, type_parameters, binders, statement, conditions, refuted, because, span } = draft;
        let law = self.elaborate_relation(&name, type_parameters, binders, statement, conditions)?;
        Ok(TheoryLaw { refuted, because, span, ..law })
    }

    /// Types a relation with its variables and conditions. Both sides and the arguments of the conditions become one
    /// tuple, the body of one function of the variables, so that inference types them together. The tuple is then taken
    /// apart again.
    fn elaborate_relation(
        &self,
        name: &Identifier,
        type_parameters: Vec<Identifier>,
        binders: Vec<surface::Binder>,
        statement: RelatedDraft,
        conditions: Vec<ConditionDraft>,
    ) -> ElaborationResult<TheoryLaw> {
        let text = &self.source.text;
        let mut variables: Vec<LawVariable> = binders
            .iter()
            .map(|binder| LawVariable {
                pattern: binder.pattern.span.text_in(text).into(),
                ty: Ty::real(),
                sort: None,
                demand: SampleCondition::Total,
            })
            .collect();
        let written: Vec<Option<Span>> = binders.iter().map(|binder| binder.ty.as_ref().map(|ty| ty.span)).collect();
        let RelatedDraft { relation, left, right, interval } = statement;
        let (left_span, right_span) = (left.span, right.as_ref().map_or(left.span, |right| right.span));
        let whole = left_span.to(right_span);
        // `SameTypePair` gives both sides one type; an interval or `derives` leaves one side alone
        let sides = match right {
            Some(right) => Expression::new(ExpressionKind::SameTypePair(Box::new([left, right])), whole)?,
            None => left,
        };
        // the unit makes it a tuple also if there are no conditions
        let mut parts = vec![sides, Expression::new(ExpressionKind::Unit, whole)?];
        let mut wanted = Vec::new();
        for ConditionDraft { word, arguments } in conditions {
            let given = arguments.len();
            match (&*word.name, given) {
                ("smooth" | "increasing", 1) => {
                    let (index, demand) = self.demanded_variable(&word, &arguments[0], &binders)?;
                    wanted.push((ConditionRequirement::VariableDemand(index, demand), arguments[0].span));
                }
                ("positive", 1) => {
                    // A plain variable is drawn positive by construction. The condition is checked as well, since
                    // shrinking may break it.
                    if let Ok((index, demand)) = self.demanded_variable(&word, &arguments[0], &binders) {
                        wanted.push((ConditionRequirement::VariableDemand(index, demand), arguments[0].span));
                    }
                    wanted.push((ConditionRequirement::Positive, word.span.to(arguments[0].span)));
                    parts.extend(arguments);
                }
                ("apart", 2) => {
                    wanted.push((ConditionRequirement::Apart, word.span.to(arguments[1].span)));
                    parts.extend(arguments);
                }
                ("smooth" | "increasing" | "positive" | "apart", _) => {
                    return Err(StatementError::ConditionArguments { word: word.name, given, span: word.span });
                }
                _ => return Err(StatementError::Condition { word: word.name, span: word.span }),
            }
        }
        let declaration = Declaration {
            recursive: false,
            name: name.clone(),
            type_parameters,
            parameters: binders,
            result: None,
            value: Expression::new(ExpressionKind::Tuple(parts), whole)?,
        };
        let definition = self.library.elaborate(self.module, text, &declaration, "")?;
        let parameters = declaration.type_parameters.len();
        let mut ty = definition.scheme.ty.clone();
        // the binders whose type was not written have their types from inference
        for (variable, written) in variables.iter_mut().zip(&written) {
            if let TyKind::Function(domain, codomain) = ty.kind() {
                variable.ty = domain.clone();
                variable.sort = written.and_then(|span| self.named_type_at(span, &declaration.type_parameters));
                ty = codomain.clone();
            }
        }
        // a type variable beyond the declared parameters was left open by inference
        if definition.scheme.parameters.len() > parameters {
            return Err(self.undetermined_type_error(&declaration, &variables, whole));
        }
        let TyKind::Tuple(types) = ty.kind() else { return Err(StatementError::Incomparable { ty, span: whole }) };
        if let Some(other) = types[2..].iter().find(|ty| **ty != Ty::real()) {
            return Err(StatementError::NotReal { found: other.clone(), span: whole });
        }
        // then the first component is the left side itself, and no pair of sides
        let is_alone = interval.is_some() || matches!(relation, StatementRelation::Derives(_));
        let side = match types[0].kind() {
            TyKind::Tuple(sides) if !is_alone => sides[0].clone(),
            _ => types[0].clone(),
        };
        if let StatementRelation::Derives(order) = relation {
            check_derivable(&side, &variables, order, whole)?;
        }
        // functions are compared at random arguments, so only their final codomain must be comparable
        let mut compared = side.clone();
        while let TyKind::Function(_, codomain) = compared.kind() {
            compared = codomain.clone();
        }
        if relation != StatementRelation::NormalForm && !is_comparable(&compared) {
            return Err(StatementError::Incomparable { ty: side, span: whole });
        }
        for (index, (variable, span)) in variables.iter().zip(&written).enumerate() {
            if !can_be_drawn(&variable.ty) {
                let span = span.unwrap_or(declaration.parameters[index].pattern.span);
                return Err(StatementError::NoSamples { ty: variable.ty.clone(), span });
            }
        }
        let part = |index: usize, choose: &dyn Fn(&Term) -> Term| {
            map_body(&definition.term, &|tuple| match tuple.kind() {
                TermKind::Tuple(parts) => choose(&parts[index]),
                _ => tuple.clone(),
            })
        };
        let own = |term: &Term| term.clone();
        let side_of = |index: usize| {
            move |term: &Term| match term.kind() {
                TermKind::Tuple(sides) => sides[index].clone(),
                _ => term.clone(),
            }
        };
        let (left, right) = match interval {
            Some((low, high)) => (part(0, &own), RightSide::Interval(low, high)),
            None if is_alone => (part(0, &own), RightSide::Derived),
            None => (part(0, &side_of(0)), RightSide::Term(part(0, &side_of(1)))),
        };
        // components 0 and 1 are the sides and the unit
        let mut conditions = Vec::new();
        let mut next = 2;
        for (wanted, span) in wanted {
            match wanted {
                ConditionRequirement::VariableDemand(index, demand) => {
                    let variable = &mut variables[index];
                    self.check_demand(demand, variable, span)?;
                    variable.demand = variable.demand.combined_with(demand);
                }
                ConditionRequirement::Apart => {
                    conditions.push(LawCondition::Apart(part(next, &own), part(next + 1, &own), span));
                    next += 2;
                }
                ConditionRequirement::Positive => {
                    // in the order in which the arguments were appended above
                    conditions.push(LawCondition::Positive(part(next, &own), span));
                    next += 1;
                }
            }
        }
        Ok(TheoryLaw {
            name: name.name.clone(),
            parameters: definition.scheme.parameters.clone(),
            variables,
            statement: RelatedTerms { relation, left, right, ty: side, left_span, right_span },
            conditions,
            refuted: false,
            because: None,
            span: whole,
        })
    }

    /// Returns the index of the variable `of` and the demand that `word` makes of it. Fails if `of` is no variable.
    fn demanded_variable(
        &self,
        word: &Identifier,
        of: &Expression,
        binders: &[surface::Binder],
    ) -> ElaborationResult<(usize, SampleCondition)> {
        let demand = match &*word.name {
            "smooth" => SampleCondition::Smooth,
            "increasing" => SampleCondition::Increasing,
            _ => SampleCondition::Positive,
        };
        let named = |binder: &surface::Binder| match (&binder.pattern.kind, &of.kind) {
            (PatternKind::Name(bound), ExpressionKind::Name(None, name)) => bound == name,
            _ => false,
        };
        match binders.iter().position(named) {
            Some(index) => Ok((index, demand)),
            None => Err(StatementError::NotAVariable { word: word.name.clone(), span: of.span }),
        }
    }

    /// Checks that values of the variable's type can meet the demand.
    fn check_demand(&self, demand: SampleCondition, variable: &LawVariable, span: Span) -> ElaborationResult<()> {
        let ty = &variable.ty;
        let fits = match demand {
            SampleCondition::Total => true,
            SampleCondition::Positive => *ty == Ty::real(),
            SampleCondition::Increasing | SampleCondition::SmoothIncreasing => {
                *ty == Ty::function(Ty::real(), Ty::real())
            }
            SampleCondition::Smooth => matches!(ty.kind(), TyKind::Function(..)),
        };
        match &variable.sort {
            _ if !fits => Err(StatementError::Demand { demand, ty: ty.clone(), span }),
            // constructors of a theory need not make values that meet it
            Some(sort) => Err(StatementError::Sampled { name: sort.name.clone(), span }),
            None => Ok(()),
        }
    }

    /// Makes the error for an undetermined type, at the first variable whose type mentions it.
    fn undetermined_type_error(
        &self,
        declaration: &Declaration,
        variables: &[LawVariable],
        whole: Span,
    ) -> StatementError {
        let is_free = |variable: &&LawVariable| mentions_beyond(&variable.ty, declaration.type_parameters.len());
        let found = variables.iter().zip(&declaration.parameters).find(|(variable, _)| is_free(variable));
        match found {
            Some((variable, binder)) => StatementError::UndeterminedType {
                variable: Some(variable.pattern.to_string()),
                ty: variable.ty.clone(),
                span: binder.pattern.span,
            },
            None => StatementError::UndeterminedType { variable: None, ty: Ty::real(), span: whole },
        }
    }
}

/// Checks that the side is a number, that some variable is made of numbers, and that the Taylor basis of this order
/// exists.
fn check_derivable(side: &Ty, variables: &[LawVariable], order: usize, span: Span) -> ElaborationResult<()> {
    if *side != Ty::real() {
        return Err(StatementError::NotReal { found: side.clone(), span });
    }
    let numbers: usize = variables.iter().filter_map(|variable| variable.ty.real_dimension()).sum();
    if numbers == 0 {
        return Err(StatementError::NoDirection { span });
    }
    Basis::new(numbers, order).map(drop).map_err(|error| StatementError::Basis { error, span })
}

/// Returns the function with its body, under all parameters and `let`s, replaced by `change` of it.
fn map_body(function: &Term, change: &dyn Fn(&Term) -> Term) -> Term {
    let span = function.span();
    crate::stack::with_stack(|| match function.kind() {
        TermKind::Lambda { name, body } => Term::lambda(name.clone(), function.domain(), map_body(body, change), span),
        TermKind::Let { name, value, body } => {
            let body = map_body(body, change);
            Term::new(TermKind::Let { name: name.clone(), value: value.clone(), body }, span)
        }
        _ => change(function),
    })
}

/// Returns `true` if the values of the type can be compared as printed: no functions, tangents or isomorphisms inside.
fn is_comparable(ty: &Ty) -> bool {
    all_parts_satisfy(ty, &mut FxHashSet::default(), &|kind| {
        !matches!(kind, TyKind::Function(..) | TyKind::Tangent(_) | TyKind::Iso(..))
    })
}

/// Returns `true` if random terms of the type can be drawn: no isomorphisms inside.
fn can_be_drawn(ty: &Ty) -> bool {
    all_parts_satisfy(ty, &mut FxHashSet::default(), &|kind| !matches!(kind, TyKind::Iso(..)))
}

/// Returns `true` if `good` holds for the type and all its parts, the domains of constructors included.
fn all_parts_satisfy(ty: &Ty, seen: &mut FxHashSet<String>, good: &dyn Fn(&TyKind) -> bool) -> bool {
    good(ty.kind())
        && match ty.kind() {
            // a recursive type occurs among its own parts, so each data type is visited once
            TyKind::Data(data, arguments) => {
                !seen.insert(ty.to_string())
                    || data.argument_types(arguments).iter().all(|part| all_parts_satisfy(part, seen, good))
            }
            kind => kind.parts().all(|part| all_parts_satisfy(part, seen, good)),
        }
}

/// Returns `true` if the type mentions a type variable of index `bound` or above.
fn mentions_beyond(ty: &Ty, bound: usize) -> bool {
    let bound_by = move |kind: &TyKind| !matches!(kind, TyKind::Variable(index, _) if *index >= bound);
    !all_parts_satisfy(ty, &mut FxHashSet::default(), &bound_by)
}

impl From<SyntaxError> for StatementError {
    fn from(error: SyntaxError) -> Self {
        Self::Program(error.into())
    }
}

impl StatementScope<'_> {
    /// Returns the named type written at `span`. Returns `None` if no sampler in scope is for its name.
    fn named_type_at(&self, span: Span, parameters: &[Identifier]) -> Option<TypeApplication> {
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
