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

pub(super) mod core;
mod expression;
pub(super) mod store;

use super::data;
use super::data::DataType;
use super::lexer::message_excerpt;
use super::library::Library;
use super::name::Name;
use super::source::Span;
use super::surface::{AliasDeclaration, DataDeclaration, Declaration, Expression};
use super::term::{Term, TermKind};
use super::ty::{Class, Scheme, Ty, TyKind};
use super::type_error::TypeError;
use crate::number::Rational;
use crate::stack::with_stack;
use core::{OverloadResolution, Zonk, type_hole};
pub(crate) use expression::{constant_scheme, constructor_term, is_basic_type};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use store::{ArenaNode, TypeArena, TypeRef, UnificationError};

/// Infers the term and the type of an expression, in a module or at the prompt. `expected` is a type without
/// parameters.
pub(crate) fn infer_expression(
    library: &Library,
    current: Option<&str>,
    text: &str,
    expression: &Expression,
    expected: Option<&Ty>,
) -> Result<(Term, Ty), TypeError> {
    let mut inference = Inference::new(library, current, text);
    inference.level = 1;
    let ty = match expected {
        None => inference.fresh_unknown(Class::ANY),
        Some(expected) => {
            let imported = inference.types.import_type(expected, &[]);
            inference.within_limits(imported, expression.span)?
        }
    };
    let term = inference.check_expression(expression, ty)?;
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
    let (value, ty) = inference.infer_definition_value(declaration)?;
    let span = declaration.name.span;
    let term = if declaration.recursive {
        // A definition has no body: the recursive function itself is the value, in the scope of its own name.
        let name = declaration.name.name.clone();
        let body = Term::variable(0, name.clone(), type_hole(ty), span);
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
    let ty = inference.convert_type(&declaration.body)?;
    inference.level = 0;
    inference.generalise(ty, declaration.name.span)?;
    Ok(inference.types.export_scheme(ty, &parameters))
}

/// Makes the data type of a declaration.
pub(crate) fn infer_data(
    library: &Library,
    module: &str,
    text: &str,
    declaration: &DataDeclaration,
) -> Result<DataType, TypeError> {
    let mut inference = Inference::new(library, Some(module), text);
    inference.level = 1;
    let name = declaration.name.name.clone();
    let mut order = inference.open_parameters(&declaration.parameters);
    // The type does not exist yet: a parameter stands for it, which becomes the variable after the last parameter.
    let itself = inference.types.add_node(ArenaNode::Parameter { level: 1, name: name.clone(), class: Class::ANY });
    inference.data_in_progress = Some(DataInProgress { name: name.clone(), parameters: order.clone(), itself });
    order.push(itself);
    let mut constructors = Vec::with_capacity(declaration.constructors.len());
    for (name, argument) in &declaration.constructors {
        let ty = argument.as_ref().map(|argument| inference.convert_type(argument)).transpose()?;
        constructors.push((name, ty));
    }
    // One tuple of all arguments is generalised, since the constructors share the parameters.
    let parts: Rc<[TypeRef]> = constructors.iter().filter_map(|(_, ty)| *ty).collect();
    let whole = inference.types.add_node(ArenaNode::Tuple(parts));
    inference.level = 0;
    inference.generalise(whole, declaration.name.span)?;
    let exported = inference.types.export_scheme(whole, &order).ty;
    let mut types = match exported.kind() {
        TyKind::Tuple(parts) => parts.clone(),
        _ => Vec::new(),
    }
    .into_iter();
    let constructors = constructors.into_iter().map(|(name, ty)| (name.name.clone(), ty.and_then(|_| types.next())));
    let parameters = declaration.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let data = DataType::new(module.into(), name, parameters, constructors.collect());
    check_inductive(&data, declaration).map(|()| data)
}

/// Checks that a type occurs in its own constructors only where it may, and that it has a value.
fn check_inductive(data: &DataType, declaration: &DataDeclaration) -> Result<(), TypeError> {
    let name = data.name();
    for (constructor, (written, argument)) in data.constructors().zip(&declaration.constructors) {
        let itself = data.parameters().len();
        if let Some(found) = constructor.layer_type().and_then(|layer| data::find_nonpolynomial_part(layer, itself)) {
            let span = argument.as_ref().map_or(written.span, |argument| argument.span);
            let found = found.with_arguments(&data.with_itself(&data.parameter_types()));
            return Err(TypeError::NotPolynomial { name: name.to_string(), found, span });
        }
    }
    if data::is_inhabited(data) {
        return Ok(());
    }
    let constructors = data.constructors().map(|constructor| constructor.name().to_string()).collect();
    Err(TypeError::NoValue { name: name.to_string(), constructors, span: declaration.name.span })
}

/// A variable in scope, bound by a parameter, a pattern or a `let`.
struct LocalVariable {
    name: Name,
    ty: TypeRef,
    polymorphic: bool,
    /// The exact value, if a `let` binds the variable to real arithmetic of literals.
    exact: Option<Rational>,
    /// `true` if the value is a literal that may be a natural number: each use then counts as a further literal.
    is_literal: bool,
}

/// A deferred component of an expression, whose type was unknown when the component was met.
struct DeferredConstraint {
    tuple: TypeRef,
    index: usize,
    component: TypeRef,
    written: Span,
    span: Span,
}

struct Inference<'l> {
    library: &'l Library,
    current: Option<&'l str>,
    text: &'l str,
    types: TypeArena,
    level: u32,
    locals: Vec<LocalVariable>,
    by_name: FxHashMap<Name, Vec<usize>>,
    parameters: FxHashMap<Name, Vec<TypeRef>>,
    pending: Vec<DeferredConstraint>,
    literals: Vec<(u32, TypeRef)>,
    /// The products, by span, with their types.
    products: Vec<(Span, TypeRef)>,
    /// The comparisons with an operator of natural numbers, by span, with the type of the operands.
    comparisons: Vec<(Span, TypeRef)>,
    /// The differences, by span, with their types and those of their operands.
    differences: Vec<(Span, TypeRef, Vec<TypeRef>)>,
    /// The powers with exponents that are no literals, by span, with the type of the exponent.
    powers: Vec<(Span, TypeRef)>,
    /// The types of operands of `==` and `/=`, with the name of an operand. They default to natural numbers.
    equated: Vec<(TypeRef, Option<Name>)>,
    /// The types that this default made natural numbers, with the names.
    counted: Vec<(TypeRef, Option<Name>)>,
    /// The data type whose constructors are being converted.
    data_in_progress: Option<DataInProgress>,
    /// `true` inside a `do`.
    in_do: bool,
}

/// A data type whose constructors are being converted.
struct DataInProgress {
    name: Name,
    parameters: Vec<TypeRef>,
    /// The parameter that stands for the type meanwhile.
    itself: TypeRef,
}

impl<'l> Inference<'l> {
    fn new(library: &'l Library, current: Option<&'l str>, text: &'l str) -> Inference<'l> {
        Inference {
            library,
            current,
            text,
            types: TypeArena::new(),
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
            data_in_progress: None,
            in_do: false,
        }
    }

    fn fresh_unknown(&mut self, class: Class) -> TypeRef {
        self.types.add_unknown(self.level, class)
    }

    /// Returns the source text of a span, shortened for messages.
    fn source_excerpt(&self, span: Span) -> String {
        message_excerpt(span.text_in(self.text))
    }

    /// Converts a failure to the type error for a limit that was passed. The operations that it is used for fail in no
    /// other way.
    fn within_limits<T>(&self, result: Result<T, UnificationError>, span: Span) -> Result<T, TypeError> {
        result.map_err(|_| TypeError::TooLarge { span })
    }

    /// Unifies the type found at a span with the expected one.
    fn unify(&mut self, expected: TypeRef, found: TypeRef, span: Span) -> Result<(), TypeError> {
        self.types.unify(expected, found).map_err(|clash| match clash {
            UnificationError::Infinite => TypeError::Infinite { span },
            UnificationError::Escape(name) => TypeError::Escape { name, span },
            UnificationError::TooLarge => TypeError::TooLarge { span },
            UnificationError::NoVector(found) => {
                TypeError::NoVector { construct: None, found: self.types.export_for_message(found), span }
            }
            UnificationError::Different => {
                let counted = self.find_counted_name(expected, found);
                let (expected, found) = (self.types.export_for_message(expected), self.types.export_for_message(found));
                let [before_expected, before_found] = [&expected, &found].map(|ty| self.redefined_name(ty));
                TypeError::Mismatch { expected, found, before_expected, before_found, argument: None, counted, span }
            }
        })
    }

    /// Returns the name of an operand of `==`, if this alone made a part of one type natural that is real in the other.
    fn find_counted_name(&mut self, expected: TypeRef, found: TypeRef) -> Option<Box<Name>> {
        let mut pending = vec![(expected, found)];
        while let Some((one, other)) = pending.pop() {
            match (self.types.node_of(one), self.types.node_of(other)) {
                // Domains are compared before codomains: the last pair pushed is the first popped.
                (ArenaNode::Function(a, b), ArenaNode::Function(c, d)) => pending.extend([(b, d), (a, c)]),
                (ArenaNode::Tuple(a), ArenaNode::Tuple(b)) => pending.extend(a.iter().copied().zip(b.iter().copied())),
                (ArenaNode::Real, ArenaNode::Nat) | (ArenaNode::Nat, ArenaNode::Real) => {
                    let both = [one, other].map(|ty| self.types.find(ty));
                    let is_it = |(ty, _): &&(TypeRef, Option<Name>)| both.contains(ty);
                    return self.counted.iter().find(is_it)?.1.clone().map(Box::new);
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the name of a data type in `ty` that a later declaration has taken. `None` if there is none.
    fn redefined_name(&self, ty: &Ty) -> Option<Name> {
        with_stack(|| match ty.kind() {
            TyKind::Data(data, _) if self.is_redefined(data) => Some(data.name().clone()),
            kind => kind.parts().find_map(|part| self.redefined_name(part)),
        })
    }

    fn is_redefined(&self, data: &DataType) -> bool {
        let latest = self.library.module(data.module()).and_then(|module| module.find_named_type(data.name()));
        latest.is_some_and(|latest| !matches!(latest.scheme.ty.kind(), TyKind::Data(other, _) if other == data))
    }

    /// Ends a definition: resolves overloading, and quantifies the free variables of its type. Returns `true` if any
    /// was quantified.
    fn generalise(&mut self, ty: TypeRef, span: Span) -> Result<bool, TypeError> {
        let level = self.level;
        // Before the type is generalised, where what is still open would become `Real` instead of `Nat`.
        for (equated, name) in std::mem::take(&mut self.equated) {
            let was_open = matches!(self.types.node_of(equated), ArenaNode::Unknown { .. });
            match self.types.default_to_nat(equated, level) {
                true if was_open => self.counted.push((self.types.find(equated), name)),
                true => {}
                false => self.equated.push((equated, name)),
            }
        }
        let result = self.types.generalise(ty, level);
        self.within_limits(result, span)
    }

    /// Ends the inference: resolves all that is open, and puts the types into the term.
    fn finish(mut self, mut term: Term, ty: TypeRef, span: Span) -> Result<(Term, Scheme), TypeError> {
        self.level = 0;
        self.resolve_components(0)?;
        self.generalise(ty, span)?;
        let mut overloaded = OverloadResolution::default();
        // Literals are parsed as reals. Those whose type came out as `Nat` are found again by the start of their span.
        for (start, literal) in std::mem::take(&mut self.literals) {
            if matches!(self.types.node_of(literal), ArenaNode::Nat) {
                overloaded.literals.insert(start);
            }
        }
        for (span, product) in std::mem::take(&mut self.products) {
            if matches!(self.types.node_of(product), ArenaNode::Nat) {
                overloaded.products.insert((span.start, span.end));
            }
        }
        for (span, compared) in std::mem::take(&mut self.comparisons) {
            if !matches!(self.types.node_of(compared), ArenaNode::Nat) {
                overloaded.comparisons.insert((span.start, span.end));
            }
        }
        for (span, ty, operands) in std::mem::take(&mut self.differences) {
            // A written `Nat` means subtraction that stops at 0. Inferred natural numbers are refused below 0 instead.
            let mut is_written = |ty| self.types.find_naturals(ty).1;
            if !is_written(ty) && !operands.into_iter().any(is_written) && self.types.find_naturals(ty).0 {
                overloaded.differences.insert((span.start, span.end));
            }
        }
        for (span, exponent) in std::mem::take(&mut self.powers) {
            if matches!(self.types.node_of(exponent), ArenaNode::Nat) {
                overloaded.powers.insert((span.start, span.end));
            }
        }
        let mut finish = Zonk::new(&mut self.types, ty, &[], overloaded);
        finish.zonk_term(&mut term)?;
        let scheme = finish.final_scheme(ty);
        Ok((term, scheme))
    }
}
