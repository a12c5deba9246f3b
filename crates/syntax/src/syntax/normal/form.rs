//! The storage of normal forms: a hash-consed list of nodes.
//!
//! A finished form is numbered in the order in which its parts are first met from the root. So two finished forms are
//! equal as lists exactly if they are α-equivalent terms.
//!
//! # Conversion of normal forms to terms and texts
//!
//! There are five texts, from one without types to one with all types. The first is taken from which inference
//! gives the term again. That is tested on the term, with everything open that the text leaves open: literals,
//! overloaded operators, types of variables.

use super::types::{TypeKey, TypeShape, TypeTable};
use super::{BetaEtaNormalForm, NormalError};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::error;
use crate::syntax::infer::core::{TypingError, is_read_back};
use crate::syntax::library::{Library, Lookup};
use crate::syntax::name::Name;
use crate::syntax::printer::{AnnotatedTerm, TypePosition};
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

/// The index of a node. Nodes come after their parts.
pub(super) type FormNode = u32;

/// A node of a normal form. Variables are de Bruijn levels: the number of binders outside their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum FormShape {
    Variable(u32),
    /// A constant, with its type if that does not follow from the constant.
    Constant(Constant, Option<TypeKey>),
    Real(Rational),
    Nat(u64),
    Bool(bool),
    Unit,
    Lambda(TypeKey, FormNode),
    /// `let rec f = value in f`
    LetRec(TypeKey, FormNode),
    Apply(FormNode, FormNode),
    Tuple(Box<[FormNode]>),
    Project(FormNode, u32),
    If(FormNode, FormNode, FormNode),
    To(FormNode),
    From(FormNode),
    Inject(Constructor, TypeKey, FormNode),
    /// A `match`: the scrutinee, and one body for each constructor, each under one variable.
    Match(DataType, FormNode, Box<[FormNode]>),
}

/// A list of nodes, without duplicates.
#[derive(Debug, Default)]
pub(super) struct NormalGraph {
    pub(super) nodes: Vec<FormShape>,
    /// The name of the variable that the node binds; `None` for other nodes.
    pub(super) names: Vec<Option<Name>>,
    depths: Vec<u32>,
    by_shape: FxHashMap<FormShape, FormNode>,
    components: usize,
}

impl NormalGraph {
    /// Returns the node of a shape, which is added if it is new. The first name of its variable is kept.
    pub(super) fn intern_shape(&mut self, shape: FormShape, name: Option<&Name>) -> FormNode {
        if let Some(&known) = self.by_shape.get(&shape) {
            return known;
        }
        let mut depth = 0;
        shape.for_each_part(|part| depth = depth.max(self.depths[part as usize]));
        let node = self.nodes.len() as FormNode;
        if let FormShape::Tuple(parts) | FormShape::Match(_, _, parts) = &shape {
            self.components += parts.len();
        }
        self.by_shape.insert(shape.clone(), node);
        self.nodes.push(shape);
        self.names.push(name.cloned());
        // Stored for the check of the depth, which then needs no recursion over the form.
        self.depths.push(depth + 1);
        node
    }

    pub(super) fn depth_of(&self, node: FormNode) -> u32 {
        self.depths[node as usize]
    }

    /// Returns the number of nodes, plus that of the components of tuples and branches of `match`.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.components
    }

    /// Renumbers the nodes that belong to a root in the order in which they are met, and their types likewise. The root
    /// comes last.
    pub(super) fn renumber_from(&self, root: FormNode, types: &TypeTable) -> (NormalGraph, Vec<TypeShape>) {
        let (mut form, mut met) =
            (NormalGraph::default(), TypeRenumbering { types, known: FxHashMap::default(), shapes: Vec::new() });
        let mut numbers: FxHashMap<FormNode, FormNode> = FxHashMap::default();
        let mut pending = vec![(root, false)];
        while let Some((node, parts_done)) = pending.pop() {
            if numbers.contains_key(&node) {
                continue;
            }
            let shape = &self.nodes[node as usize];
            // First visit: the parts are numbered before the node.
            if !parts_done {
                pending.push((node, true));
                let first = pending.len();
                shape.for_each_part(|part| pending.push((part, false)));
                // Reversed on the stack, so that the leftmost part is met first.
                pending[first..].reverse();
                continue;
            }
            let shape = shape.renumber_parts(|part| numbers[&part], |key| met.renumber_key(key));
            let number = form.intern_shape(shape, self.names[node as usize].as_ref());
            numbers.insert(node, number);
        }
        (form, met.shapes)
    }
}

/// A renumbering of types in the order in which they are met, parts first.
struct TypeRenumbering<'t> {
    types: &'t TypeTable,
    known: FxHashMap<TypeKey, TypeKey>,
    shapes: Vec<TypeShape>,
}

impl TypeRenumbering<'_> {
    fn renumber_key(&mut self, key: TypeKey) -> TypeKey {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let shape = with_stack(|| self.types.shape(key).map_parts(|part| self.renumber_key(part)));
        let number = self.shapes.len() as TypeKey;
        self.shapes.push(shape);
        self.known.insert(key, number);
        number
    }
}

/// Returns the number of nodes with shared ones repeated; at most `u64::MAX`.
pub(super) fn written_size(nodes: &[FormShape]) -> u64 {
    // One pass suffices, since nodes come after their parts.
    let mut sizes: Vec<u64> = Vec::with_capacity(nodes.len());
    for shape in nodes {
        let mut size = 1u64;
        shape.for_each_part(|part| size = size.saturating_add(sizes[part as usize]));
        sizes.push(size);
    }
    sizes.last().copied().unwrap_or(0)
}

impl FormShape {
    /// Visits the immediate parts, from left to right.
    pub(super) fn for_each_part(&self, mut each: impl FnMut(FormNode)) {
        match self {
            FormShape::Lambda(_, a)
            | FormShape::LetRec(_, a)
            | FormShape::Project(a, _)
            | FormShape::To(a)
            | FormShape::From(a)
            | FormShape::Inject(_, _, a) => each(*a),
            FormShape::Match(_, a, parts) => [a].into_iter().chain(parts.iter()).copied().for_each(each),
            FormShape::Apply(a, b) => [*a, *b].into_iter().for_each(each),
            FormShape::If(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
            FormShape::Tuple(parts) => parts.iter().copied().for_each(each),
            _ => {}
        }
    }

    fn renumber_parts(&self, of: impl Fn(FormNode) -> FormNode, mut key: impl FnMut(TypeKey) -> TypeKey) -> FormShape {
        match self {
            FormShape::Constant(constant, ty) => FormShape::Constant(*constant, ty.map(key)),
            FormShape::Lambda(ty, a) => FormShape::Lambda(key(*ty), of(*a)),
            FormShape::LetRec(ty, a) => FormShape::LetRec(key(*ty), of(*a)),
            FormShape::Apply(a, b) => FormShape::Apply(of(*a), of(*b)),
            FormShape::Tuple(parts) => FormShape::Tuple(parts.iter().map(|part| of(*part)).collect()),
            FormShape::Project(a, index) => FormShape::Project(of(*a), *index),
            FormShape::If(a, b, c) => FormShape::If(of(*a), of(*b), of(*c)),
            FormShape::To(a) => FormShape::To(of(*a)),
            FormShape::From(a) => FormShape::From(of(*a)),
            FormShape::Inject(constructor, ty, a) => FormShape::Inject(constructor.clone(), key(*ty), of(*a)),
            FormShape::Match(data, a, parts) => {
                FormShape::Match(data.clone(), of(*a), parts.iter().map(|part| of(*part)).collect())
            }
            other => other.clone(),
        }
    }
}

// Normal forms come from no source.
const SPAN: Span = Span { start: 0, end: 0 };

/// Converts a normal form to a term. Returns also the total size of the types of its binders.
pub(super) fn write_term(normal: &BetaEtaNormalForm) -> Result<(Term, usize), NormalError> {
    let root = normal.nodes.len() as FormNode - 1;
    let mut writer = TermWriter {
        normal,
        known: FxHashMap::default(),
        scope: Vec::new(),
        around: Vec::new(),
        scopes: FxHashMap::default(),
        count: 0,
        written: 0,
    };
    Ok((writer.write_node(root)?, writer.written))
}

/// The binders whose types are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnnotationLevel {
    None,
    /// The binders with a type other than `Real`.
    NotReal,
    All,
}

/// Returns the first text, in order of increasing types, that parses as the term. `None` if there is none. Without
/// `short`, types are too long to be written.
pub(super) fn write_text(term: &Term, short: bool) -> Result<Option<String>, TypingError> {
    let can_be_told = |ty: &Ty| short && ty.is_closed();
    for (most, whole) in [
        (AnnotationLevel::None, false),
        (AnnotationLevel::NotReal, false),
        (AnnotationLevel::None, true),
        (AnnotationLevel::All, false),
        (AnnotationLevel::All, true),
    ] {
        let told = |ty: &Ty| {
            most != AnnotationLevel::None
                && can_be_told(ty)
                && (most == AnnotationLevel::All || !matches!(ty.kind(), TyKind::Real))
        };
        if (!whole || can_be_told(term.ty())) && is_read_back(term, &told, whole)? {
            let told = |ty: &Ty, of| of != TypePosition::Constructor && told(ty);
            let text = AnnotatedTerm(term, &told);
            return Ok(Some(if whole { format!("({text} : {})", term.ty()) } else { text.to_string() }));
        }
    }
    Ok(None)
}

/// Returns `true` if the names of a term mean the same in a module of a library, or without one: those of constants and
/// constructors.
pub(super) fn is_visible(term: &Term, library: &Library, module: Option<&str>) -> bool {
    let is_own = |constructor: Constructor| {
        // The constructors of lists have syntax of their own, which nothing can hide.
        let found = library.resolve_definition(module, constructor.name(), false);
        constructor.data().is_list()
            || matches!(found, Lookup::Found(found) if found.constructor.as_ref() == Some(&constructor))
    };
    let own = match term.kind() {
        TermKind::Constant(constant) if constant.operator_sign().is_none() && *constant != Constant::Negate => {
            matches!(library.resolve_definition(module, constant.name(), false), Lookup::Missing)
        }
        TermKind::Inject { constructor, .. } => is_own(constructor.clone()),
        TermKind::Match { data, .. } => data.constructors().all(is_own),
        _ => true,
    };
    own && term.kind().children().all(|part| with_stack(|| is_visible(part, library, module)))
}

/// A conversion of nodes to terms, and of levels to indices.
struct TermWriter<'n> {
    normal: &'n BetaEtaNormalForm,
    /// The terms made so far, by node and scope: in different scopes a node has different indices.
    known: FxHashMap<(FormNode, u32), Term>,
    /// The names and types of the variables in scope.
    scope: Vec<(Name, Ty)>,
    /// The numbers of the current scope, last, and of those around it.
    around: Vec<u32>,
    /// The scopes that extend a scope by a variable, with their numbers.
    scopes: FxHashMap<(u32, Name), Vec<(Ty, u32)>>,
    /// The number of scopes made.
    count: u32,
    /// The total size of the types of all binders.
    written: usize,
}

impl TermWriter<'_> {
    fn write_node(&mut self, node: FormNode) -> Result<Term, NormalError> {
        let key = (node, self.around.last().copied().unwrap_or(0));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() > 4 * error::SYNTAX_NODES as usize {
            return Err(NormalError::Size { limit: 4 * error::SYNTAX_NODES as usize });
        }
        let term = with_stack(|| self.write_node_uncached(node))?;
        self.known.insert(key, term.clone());
        Ok(term)
    }

    fn type_of_key(&self, key: TypeKey) -> Ty {
        self.normal.syntax_types[key as usize].clone()
    }

    fn write_under(&mut self, name: &Name, ty: &Ty, node: FormNode) -> Result<Term, NormalError> {
        let outside = self.around.last().copied().unwrap_or(0);
        // Scopes with the same variables get the same number, so that terms in them are shared.
        let same = self.scopes.entry((outside, name.clone())).or_default();
        let number = match same.iter().find(|(known, _)| known == ty) {
            Some((_, number)) => *number,
            None => {
                self.count += 1;
                same.push((ty.clone(), self.count));
                self.count
            }
        };
        self.scope.push((name.clone(), ty.clone()));
        self.around.push(number);
        let body = self.write_node(node);
        self.scope.pop();
        self.around.pop();
        body
    }

    fn write_node_uncached(&mut self, node: FormNode) -> Result<Term, NormalError> {
        let normal = self.normal;
        let name = || normal.names[node as usize].clone().unwrap_or_else(|| "x".into());
        let kind = match &normal.nodes[node as usize] {
            FormShape::Variable(level) => {
                let (name, ty) = self.scope[*level as usize].clone();
                return Ok(Term::variable(self.scope.len() - 1 - *level as usize, name, ty, SPAN));
            }
            FormShape::Constant(constant, None) => TermKind::Constant(*constant),
            FormShape::Constant(constant, Some(ty)) => {
                return Ok(Term::with_type(TermKind::Constant(*constant), self.type_of_key(*ty), SPAN));
            }
            FormShape::Real(value) => TermKind::Real(value.clone()),
            FormShape::Nat(value) => TermKind::Nat(*value),
            FormShape::Bool(value) => TermKind::Bool(*value),
            FormShape::Unit => TermKind::Unit,
            FormShape::Lambda(ty, body) => {
                let domain = self.type_of_key(*ty);
                self.written = self.written.saturating_add(domain.size());
                let body = self.write_under(&name(), &domain, *body)?;
                return Ok(Term::lambda(name(), domain, body, SPAN));
            }
            FormShape::LetRec(ty, value) => {
                let ty = self.type_of_key(*ty);
                self.written = self.written.saturating_add(ty.size());
                let value = self.write_under(&name(), &ty, *value)?;
                let body = Term::variable(0, name(), ty, SPAN);
                TermKind::LetRec { name: name(), value, body }
            }
            FormShape::Apply(function, argument) => {
                TermKind::Apply { function: self.write_node(*function)?, argument: self.write_node(*argument)? }
            }
            FormShape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|part| self.write_node(*part)).collect::<Result<_, _>>()?)
            }
            FormShape::Project(tuple, index) => {
                TermKind::Project { tuple: self.write_node(*tuple)?, index: *index as usize }
            }
            FormShape::If(condition, then, otherwise) => TermKind::If {
                condition: self.write_node(*condition)?,
                then: self.write_node(*then)?,
                otherwise: self.write_node(*otherwise)?,
            },
            FormShape::Inject(constructor, ty, argument) => {
                let (ty, argument) = (self.type_of_key(*ty), self.write_node(*argument)?);
                return Ok(Term::inject(constructor.clone(), argument, ty, SPAN));
            }
            FormShape::Match(data, scrutinee, bodies) => {
                let scrutinee = self.write_node(*scrutinee)?;
                let arguments =
                    if let TyKind::Data(_, arguments) = scrutinee.ty().kind() { arguments } else { &Vec::new() };
                let mut branches = Vec::with_capacity(bodies.len());
                for ((constructor, domain), body) in data.constructors().zip(data.argument_types(arguments)).zip(bodies)
                {
                    // The variable of a constructor without argument stands for `()`.
                    let name = if constructor.layer_type().is_some() { name() } else { "_".into() };
                    branches.push(MatchBranch { body: self.write_under(&name, &domain, *body)?, name });
                }
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
            FormShape::To(iso) => TermKind::To(self.write_node(*iso)?),
            FormShape::From(iso) => TermKind::From(self.write_node(*iso)?),
        };
        Ok(Term::new(kind, SPAN))
    }
}
