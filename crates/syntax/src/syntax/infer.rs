//! Type inference: Hindley–Milner with overloaded arithmetic (S Fig. 5, polymorphism as in S §3).
//!
//! The algorithm pushes the expected type down and reports the smallest expression that does not fit.
//!
//! - `let` is polymorphic: the free variables of its type are instantiated at every use.
//! - Overloading is small: `+ -` work on numbers and tuples of numbers, `*` and literals without a point on `Real` and
//!   `Nat`. An unresolved type becomes `Real` at the end of the enclosing definition, or `Nat` if `==` compares it.
//! - A component `x[i]` of an expression of unknown type is deferred until the enclosing definition ends.
//!
//! The result is a [`Term`], in which every part has its type.

mod apply;
mod bind;
mod cases;
pub(super) mod core;
mod expression;
mod finish;
mod names;
mod operator;
mod quantify;
pub(super) mod store;
mod types;

pub(crate) use cases::constructor_term;
pub(crate) use types::{constant_scheme, is_basic_type};

use super::data::Data;
use super::inductive;
use super::lexer::excerpt;
use super::library::Library;
use super::name::Name;
use super::source::Span;
use super::surface::{AliasDeclaration, DataDeclaration, Declaration, Expression};
use super::term::{Term, TermKind};
use super::ty::{Class, Scheme, Ty, TyKind};
use super::type_error::TypeError;
use crate::number::Rational;
use crate::stack::deep;
use finish::{Finish, Overloaded, hole};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use store::{Clash, Id, Node, Store};

/// Infers the term and the type of an expression, in a module or at the prompt. `expected` is a type without
/// parameters.
pub(crate) fn infer(
    library: &Library,
    current: Option<&str>,
    text: &str,
    expression: &Expression,
    expected: Option<&Ty>,
) -> Result<(Term, Ty), TypeError> {
    let mut inference = Inference::new(library, current, text);
    inference.level = 1;
    let ty = match expected {
        None => inference.unknown(Class::ANY),
        Some(expected) => {
            let imported = inference.types.import(expected, &[]);
            inference.fits(imported, expression.span)?
        }
    };
    let term = inference.expression(expression, ty)?;
    let (term, scheme) = inference.finish(term, ty, expression.span)?;
    Ok((term, scheme.ty))
}

/// Infers the term and the type scheme of a definition in a module.
pub(crate) fn infer_declaration(
    library: &Library,
    module: &str,
    text: &str,
    declaration: &Declaration,
) -> Result<(Term, Scheme), TypeError> {
    let mut inference = Inference::new(library, Some(module), text);
    inference.level = 1;
    let (value, ty) = inference.declared(declaration)?;
    let span = declaration.name.span;
    let term = if declaration.recursive {
        // A definition has no body: the recursive function itself is the value, in the scope of its own name.
        let name = declaration.name.name.clone();
        let body = Term::variable(0, name.clone(), hole(ty), span);
        Term::new(TermKind::LetRec { name, value, body }, span)
    } else {
        value
    };
    inference.finish(term, ty, span)
}

/// Infers the type that a synonym stands for.
pub(crate) fn infer_alias(
    library: &Library,
    module: &str,
    text: &str,
    declaration: &AliasDeclaration,
) -> Result<Scheme, TypeError> {
    let mut inference = Inference::new(library, Some(module), text);
    inference.level = 1;
    let parameters = inference.open_parameters(&declaration.parameters);
    let ty = inference.convert(&declaration.body)?;
    inference.level = 0;
    inference.generalise(ty, declaration.name.span)?;
    Ok(inference.types.export(ty, &parameters))
}

/// Makes the data type of a declaration.
pub(crate) fn infer_data(
    library: &Library,
    module: &str,
    text: &str,
    declaration: &DataDeclaration,
) -> Result<Data, TypeError> {
    let mut inference = Inference::new(library, Some(module), text);
    inference.level = 1;
    let name = declaration.name.name.clone();
    let mut order = inference.open_parameters(&declaration.parameters);
    // The type does not exist yet: a parameter stands for it, which becomes the variable after the last parameter.
    let itself = inference.types.make(Node::Parameter { level: 1, name: name.clone(), class: Class::ANY });
    inference.declared = Some(Declared { name: name.clone(), parameters: order.clone(), itself });
    order.push(itself);
    let mut constructors = Vec::with_capacity(declaration.constructors.len());
    for (name, argument) in &declaration.constructors {
        let ty = argument.as_ref().map(|argument| inference.convert(argument)).transpose()?;
        constructors.push((name, ty));
    }
    // One tuple of all arguments is generalised, since the constructors share the parameters.
    let parts: Rc<[Id]> = constructors.iter().filter_map(|(_, ty)| *ty).collect();
    let whole = inference.types.make(Node::Tuple(parts));
    inference.level = 0;
    inference.generalise(whole, declaration.name.span)?;
    let exported = inference.types.export(whole, &order).ty;
    let mut types = match exported.kind() {
        TyKind::Tuple(parts) => parts.clone(),
        _ => Vec::new(),
    }
    .into_iter();
    let constructors = constructors.into_iter().map(|(name, ty)| (name.name.clone(), ty.and_then(|_| types.next())));
    let parameters = declaration.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let data = Data::new(module.into(), name, parameters, constructors.collect());
    is_inductive(&data, declaration).map(|()| data)
}

/// Checks that a type occurs in its own constructors only where it may, and that it has a value.
fn is_inductive(data: &Data, declaration: &DataDeclaration) -> Result<(), TypeError> {
    let name = data.name();
    for (constructor, (written, argument)) in data.constructors().zip(&declaration.constructors) {
        let itself = data.parameters().len();
        if let Some(found) = constructor.layer().and_then(|layer| inductive::obstacle(layer, itself)) {
            let span = argument.as_ref().map_or(written.span, |argument| argument.span);
            let found = found.with(&data.with_itself(&data.variables()));
            return Err(TypeError::NotPolynomial { name: name.to_string(), found, span });
        }
    }
    if inductive::is_inhabited(data) {
        return Ok(());
    }
    let constructors = data.constructors().map(|constructor| constructor.name().to_string()).collect();
    Err(TypeError::NoValue { name: name.to_string(), constructors, span: declaration.name.span })
}

/// A variable in scope, bound by a parameter, a pattern or a `let`.
struct Local {
    name: Name,
    ty: Id,
    polymorphic: bool,
    /// The exact value, if a `let` binds the variable to real arithmetic of literals.
    exact: Option<Rational>,
    /// `true` if the value is a literal that may be a natural number: each use then counts as a further literal.
    is_literal: bool,
}

/// A deferred component of an expression, whose type was unknown when the component was met.
struct Pending {
    tuple: Id,
    index: usize,
    component: Id,
    written: Span,
    span: Span,
}

struct Inference<'l> {
    library: &'l Library,
    current: Option<&'l str>,
    text: &'l str,
    types: Store,
    level: u32,
    locals: Vec<Local>,
    by_name: FxHashMap<Name, Vec<usize>>,
    parameters: FxHashMap<Name, Vec<Id>>,
    pending: Vec<Pending>,
    literals: Vec<(u32, Id)>,
    /// The products, by span, with their types.
    products: Vec<(Span, Id)>,
    /// The comparisons with an operator of natural numbers, by span, with the type of the operands.
    comparisons: Vec<(Span, Id)>,
    /// The differences, by span, with their types and those of their operands.
    differences: Vec<(Span, Id, Vec<Id>)>,
    /// The powers with exponents that are no literals, by span, with the type of the exponent.
    powers: Vec<(Span, Id)>,
    /// The types of operands of `==` and `/=`, with the name of an operand. They default to natural numbers.
    equated: Vec<(Id, Option<Name>)>,
    /// The types that this default made natural numbers, with the names.
    counted: Vec<(Id, Option<Name>)>,
    /// The data type whose constructors are being converted.
    declared: Option<Declared>,
    /// `true` inside a `do`.
    in_do: bool,
}

/// A data type whose constructors are being converted.
struct Declared {
    name: Name,
    parameters: Vec<Id>,
    /// The parameter that stands for the type meanwhile.
    itself: Id,
}

impl<'l> Inference<'l> {
    fn new(library: &'l Library, current: Option<&'l str>, text: &'l str) -> Inference<'l> {
        Inference {
            library,
            current,
            text,
            types: Store::new(),
            level: 0,
            locals: Vec::new(),
            by_name: FxHashMap::default(),
            parameters: FxHashMap::default(),
            pending: Vec::new(),
            literals: Vec::new(),
            products: Vec::new(),
            comparisons: Vec::new(),
            differences: Vec::new(),
            powers: Vec::new(),
            equated: Vec::new(),
            counted: Vec::new(),
            declared: None,
            in_do: false,
        }
    }

    fn unknown(&mut self, class: Class) -> Id {
        self.types.unknown(self.level, class)
    }

    /// Returns the source text of a span, shortened for messages.
    fn written(&self, span: Span) -> String {
        excerpt(span.of(self.text))
    }

    /// Converts a failure to the type error for a limit that was passed. The operations that it is used for fail in no
    /// other way.
    fn fits<T>(&self, result: Result<T, Clash>, span: Span) -> Result<T, TypeError> {
        result.map_err(|_| TypeError::TooLarge { span })
    }

    /// Unifies the type found at a span with the expected one.
    fn unify(&mut self, expected: Id, found: Id, span: Span) -> Result<(), TypeError> {
        self.types.unify(expected, found).map_err(|clash| match clash {
            Clash::Infinite => TypeError::Infinite { span },
            Clash::Escape(name) => TypeError::Escape { name, span },
            Clash::TooLarge => TypeError::TooLarge { span },
            Clash::NoVector(found) => TypeError::NoVector { construct: None, found: self.types.show(found), span },
            Clash::Different => {
                let counted = self.counted_in(expected, found);
                let (expected, found) = (self.types.show(expected), self.types.show(found));
                let [before_expected, before_found] = [&expected, &found].map(|ty| self.redefined(ty));
                TypeError::Mismatch { expected, found, before_expected, before_found, argument: None, counted, span }
            }
        })
    }

    /// Returns the name of an operand of `==`, if this alone made a part of one type natural that is real in the other.
    fn counted_in(&mut self, expected: Id, found: Id) -> Option<Box<Name>> {
        let mut pending = vec![(expected, found)];
        while let Some((one, other)) = pending.pop() {
            match (self.types.shape(one), self.types.shape(other)) {
                // Domains are compared before codomains: the last pair pushed is the first popped.
                (Node::Function(a, b), Node::Function(c, d)) => pending.extend([(b, d), (a, c)]),
                (Node::Tuple(a), Node::Tuple(b)) => pending.extend(a.iter().copied().zip(b.iter().copied())),
                (Node::Real, Node::Nat) | (Node::Nat, Node::Real) => {
                    let both = [one, other].map(|ty| self.types.find(ty));
                    let is_it = |(ty, _): &&(Id, Option<Name>)| both.contains(ty);
                    return self.counted.iter().find(is_it)?.1.clone().map(Box::new);
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the name of a data type in `ty` that a later declaration has taken. `None` if there is none.
    fn redefined(&self, ty: &Ty) -> Option<Name> {
        deep(|| match ty.kind() {
            TyKind::Data(data, _) if self.is_redefined(data) => Some(data.name().clone()),
            kind => kind.parts().find_map(|part| self.redefined(part)),
        })
    }

    fn is_redefined(&self, data: &Data) -> bool {
        let latest = self.library.module(data.module()).and_then(|module| module.alias(data.name()));
        latest.is_some_and(|latest| !matches!(latest.scheme.ty.kind(), TyKind::Data(other, _) if other == data))
    }

    /// Ends a definition: resolves overloading, and quantifies the free variables of its type. Returns `true` if any
    /// was quantified.
    fn generalise(&mut self, ty: Id, span: Span) -> Result<bool, TypeError> {
        let level = self.level;
        // Before the type is generalised, where what is still open would become `Real` instead of `Nat`.
        for (equated, name) in std::mem::take(&mut self.equated) {
            let was_open = matches!(self.types.shape(equated), Node::Unknown { .. });
            match self.types.counts(equated, level) {
                true if was_open => self.counted.push((self.types.find(equated), name)),
                true => {}
                false => self.equated.push((equated, name)),
            }
        }
        let result = self.types.generalise(ty, level);
        self.fits(result, span)
    }

    /// Ends the inference: resolves all that is open, and puts the types into the term.
    fn finish(mut self, mut term: Term, ty: Id, span: Span) -> Result<(Term, Scheme), TypeError> {
        self.level = 0;
        self.settle_components(0)?;
        self.generalise(ty, span)?;
        let mut overloaded = Overloaded::default();
        // Literals are parsed as reals. Those whose type came out as `Nat` are found again by the start of their span.
        for (start, literal) in std::mem::take(&mut self.literals) {
            if matches!(self.types.shape(literal), Node::Nat) {
                overloaded.literals.insert(start);
            }
        }
        for (span, product) in std::mem::take(&mut self.products) {
            if matches!(self.types.shape(product), Node::Nat) {
                overloaded.products.insert((span.start, span.end));
            }
        }
        for (span, compared) in std::mem::take(&mut self.comparisons) {
            if !matches!(self.types.shape(compared), Node::Nat) {
                overloaded.comparisons.insert((span.start, span.end));
            }
        }
        for (span, ty, operands) in std::mem::take(&mut self.differences) {
            // A written `Nat` means subtraction that stops at 0. Inferred natural numbers are refused below 0 instead.
            let mut is_written = |ty| self.types.naturals(ty).1;
            if !is_written(ty) && !operands.into_iter().any(is_written) && self.types.naturals(ty).0 {
                overloaded.differences.insert((span.start, span.end));
            }
        }
        for (span, exponent) in std::mem::take(&mut self.powers) {
            if matches!(self.types.shape(exponent), Node::Nat) {
                overloaded.powers.insert((span.start, span.end));
            }
        }
        let mut finish = Finish::new(&mut self.types, ty, &[], overloaded);
        finish.term(&mut term)?;
        let scheme = finish.scheme(ty);
        Ok((term, scheme))
    }
}
