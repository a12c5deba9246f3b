//! `match`, constructors and lists.

use super::Inference;
use super::bind::{variable_name, wrap};
use super::finish::hole;
use super::store::{Id, Node};
use crate::stack::deep;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::library::Lookup;
use crate::syntax::name::{Name, nearest};
use crate::syntax::source::Span;
use crate::syntax::surface::{Case, CasePattern, Expression, ExpressionKind, Pattern, PatternKind};
use crate::syntax::term::{Branch, Term, TermKind};
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
pub(super) fn injected(head: &Expression, function: &Term, value: &Term, span: Span) -> Option<Term> {
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
    pub(super) fn constructor(&mut self, constructor: &Constructor, span: Span) -> Result<(Term, Id), TypeError> {
        let (ty, arguments) = self.types.data(constructor.data(), self.level);
        let Some(argument) = constructor.argument() else {
            return Ok((constructor_term(constructor, None, hole(ty), span), ty));
        };
        let result = self.types.import(&argument, &arguments);
        let domain = self.fits(result, span)?;
        let function = self.types.make(Node::Function(domain, ty));
        Ok((constructor_term(constructor, Some(hole(domain)), hole(ty), span), function))
    }

    /// Makes a list type with an unknown element type. Returns both.
    pub(super) fn list_type(&mut self) -> (Id, Id) {
        let (ty, arguments) = self.types.data(Data::list(), self.level);
        (ty, arguments[0])
    }

    /// Returns the element type of the list that is expected here.
    fn elements(&mut self, expected: Id, span: Span) -> Result<Id, TypeError> {
        if let Node::Data(data, arguments) = self.types.shape(expected)
            && data.is_list()
        {
            return Ok(arguments[0]);
        }
        let (ty, of) = self.list_type();
        self.unify(expected, ty, span)?;
        Ok(of)
    }

    /// Infers `[a, b]`.
    pub(super) fn list(&mut self, parts: &[Expression], expected: Id, span: Span) -> Result<Term, TypeError> {
        let of = self.elements(expected, span)?;
        let mut terms = Vec::with_capacity(parts.len());
        for part in parts {
            terms.push(self.expression(part, of)?);
        }
        let ty = hole(expected);
        let nil = Term::nil(ty.clone(), span);
        Ok(terms.into_iter().rev().fold(nil, |rest, part| Term::cons(part, rest, ty.clone(), span)))
    }

    /// Infers `head :: tail`.
    pub(super) fn cons(
        &mut self,
        head: &Expression,
        tail: &Expression,
        expected: Id,
        span: Span,
    ) -> Result<Term, TypeError> {
        let of = self.elements(expected, span)?;
        let head = self.expression(head, of)?;
        let tail = self.expression(tail, expected)?;
        Ok(Term::cons(head, tail, hole(expected), span))
    }

    /// Infers `match scrutinee with cases`.
    pub(super) fn match_with(
        &mut self,
        scrutinee: &Expression,
        cases: &[Case],
        expected: Id,
        span: Span,
    ) -> Result<Term, TypeError> {
        // The scrutinee is inferred before the cases, whose errors can then name its type.
        let matched = self.unknown(Class::ANY);
        let (scrutinee_span, scrutinee) = (scrutinee.span, self.expression(scrutinee, matched)?);
        if let Some(rest) = cases.iter().find(|case| matches!(case.pattern, CasePattern::CatchAll)) {
            return Err(self.catch_all(rest, cases, matched));
        }
        let mut found: Vec<(Constructor, &Case)> = Vec::with_capacity(cases.len());
        for case in cases {
            found.push((self.case_constructor(case)?, case));
        }
        // An unknown scrutinee takes its type from the first case.
        let data = match self.types.shape(matched) {
            Node::Data(data, _) => data,
            _ => found[0].0.data().clone(),
        };
        let (ty, arguments) = self.types.data(&data, self.level);
        for (constructor, case) in &found {
            if *constructor.data() != data || self.types.unify(matched, ty).is_err() {
                let ty = self.types.show(matched);
                let its_own = self.is_redefined(constructor.data()).then(|| constructor.data().name().clone());
                return Err(TypeError::CaseOfAnotherType {
                    constructor: constructor.name().to_string(),
                    data: constructor.data().name().to_string(),
                    before_data: its_own,
                    before: self.redefined(&ty),
                    ty,
                    scrutinee: self.written(scrutinee_span),
                    span: case.span,
                });
            }
        }
        let mut branches: Vec<Option<Branch>> = vec![None; data.width()];
        // Branches are stored in the order of the declaration, whatever the order of the cases.
        for (constructor, case) in found {
            let place = constructor.index();
            if branches[place].is_some() {
                let constructor = constructor.name().to_string();
                return Err(TypeError::CaseTwice { constructor, span: case.span });
            }
            branches[place] = Some(self.branch(&constructor, case, &arguments, expected)?);
        }
        let missing = data.constructors().zip(&branches).filter(|(_, branch)| branch.is_none());
        let missing: Vec<String> = missing.map(|(constructor, _)| example(&constructor)).collect();
        if !missing.is_empty() {
            return Err(TypeError::MissingCases { missing, ty: self.types.show(ty), span });
        }
        Ok(Term::new(TermKind::Match { data, scrutinee, branches: branches.into_iter().flatten().collect() }, span))
    }

    /// Makes the error for a catch-all pattern, with the constructors that are missing.
    fn catch_all(&mut self, rest: &Case, cases: &[Case], matched: Id) -> TypeError {
        let named: Vec<_> = cases.iter().filter_map(|case| self.case_constructor(case).ok()).collect();
        let data = match self.types.shape(matched) {
            Node::Data(data, _) => Some(data),
            _ => named.first().map(|constructor| constructor.data().clone()),
        };
        let is_missing = |constructor: &Constructor| named.iter().all(|other| other.name() != constructor.name());
        let missing = data.iter().flat_map(Data::constructors).filter(is_missing).map(|c| example(&c)).collect();
        TypeError::CatchAll { pattern: self.written(rest.span), missing, span: rest.span }
    }

    fn branch(
        &mut self,
        constructor: &Constructor,
        case: &Case,
        arguments: &[Id],
        expected: Id,
    ) -> Result<Branch, TypeError> {
        let result = self.types.import(&constructor.domain(), arguments);
        let domain = self.fits(result, case.span)?;
        let count = self.locals.len();
        // A constructor without argument still binds a variable, for `()`.
        let none = Pattern { kind: PatternKind::Ignore, span: case.span, depth: 1 };
        let pattern = case.pattern.argument().unwrap_or(&none);
        let mut frames = Vec::new();
        deep(|| self.bind_pattern(pattern, domain, &mut frames))?;
        let body = self.expression(&case.body, expected)?;
        self.pop_to(count);
        Ok(Branch { name: variable_name(pattern), body: wrap(frames, body) })
    }

    /// Returns the constructor of a case, whose pattern must have an argument exactly if the constructor does.
    fn case_constructor(&mut self, case: &Case) -> Result<Constructor, TypeError> {
        let (module, name, argument) = match &case.pattern {
            CasePattern::Nil => return Ok(Constructor::nil()),
            CasePattern::Cons(_) => return Ok(Constructor::cons()),
            CasePattern::Constructor(module, name, argument) => (module, name, argument),
            CasePattern::CatchAll => {
                let pattern = self.written(case.span);
                return Err(TypeError::CatchAll { pattern, missing: Vec::new(), span: case.span });
            }
        };
        let span = case.span;
        let found = match module {
            Some(module) => match self.module(module, span)?.definition(name) {
                Some(definition) => Lookup::Found(definition.clone()),
                None => Lookup::Missing,
            },
            None => self.library.definition(self.current, name, self.in_do),
        };
        let definition = match found {
            Lookup::Found(definition) => Some(definition),
            Lookup::Several(modules) => {
                return Err(TypeError::Ambiguous { name: name.to_string(), modules, span });
            }
            Lookup::Missing => None,
        };
        let Some(constructor) = definition.and_then(|definition| definition.constructor.clone()) else {
            let written = module.as_ref().map_or_else(|| name.to_string(), |module| format!("{module}.{name}"));
            let suggestion = self.nearest_constructor(name).map(|near| format!("`{near}`"));
            return Err(TypeError::UnknownConstructor { name: written, suggestion, span });
        };
        let takes = constructor.layer().is_some();
        if takes != argument.is_some() {
            return Err(TypeError::ConstructorArgument { case: example(&constructor), takes, span });
        }
        Ok(constructor)
    }

    fn nearest_constructor(&self, name: &str) -> Option<&str> {
        let definitions = self.library.modules().iter().flat_map(|module| module.definitions());
        let constructors = definitions.filter(|definition| definition.constructor.is_some());
        nearest(name, constructors.map(|definition| &*definition.name))
    }
}

/// Returns an example of a case for a constructor.
fn example(constructor: &Constructor) -> String {
    match constructor.layer() {
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
