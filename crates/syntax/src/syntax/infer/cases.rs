//! `match`, constructors and lists.

use super::Inference;
use super::bind::{variable_name, wrap_binders};
use super::finish::type_hole;
use super::store::{ArenaNode, TypeRef};
use crate::stack::with_stack;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::library::Lookup;
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::source::Span;
use crate::syntax::surface::{Case, CasePattern, Expression, ExpressionKind, Pattern, PatternKind};
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Class, Ty, TyKind};
use crate::syntax::type_error::TypeError;

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
