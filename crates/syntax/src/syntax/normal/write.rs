//! Conversion of normal forms to terms and texts.

use super::form::{Node, Shape};
use super::types::Key;
use super::{Normal, NormalError};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::Constructor;
use crate::syntax::infer::core::{TypingError, is_read_back};
use crate::syntax::library::{Library, Lookup};
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::printer::{Annotated, Of};
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

// Normal forms come from no source.
const SPAN: Span = Span { start: 0, end: 0 };

/// Converts a normal form to a term. Returns also the total size of the types of its binders.
pub(super) fn term(normal: &Normal) -> Result<(Term, usize), NormalError> {
    let root = normal.nodes.len() as Node - 1;
    let mut writer = Writer {
        normal,
        known: FxHashMap::default(),
        scope: Vec::new(),
        around: Vec::new(),
        scopes: FxHashMap::default(),
        count: 0,
        written: 0,
    };
    Ok((writer.term(root)?, writer.written))
}

/// The binders whose types are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    None,
    /// The binders with a type other than `Real`.
    NotReal,
    All,
}

/// Returns the first text, in order of increasing types, that parses as the term. `None` if there is none. Without
/// `short`, types are too long to be written.
pub(super) fn text(term: &Term, short: bool) -> Result<Option<String>, TypingError> {
    let can_be_told = |ty: &Ty| short && ty.is_closed();
    for (most, whole) in
        [(Told::None, false), (Told::NotReal, false), (Told::None, true), (Told::All, false), (Told::All, true)]
    {
        let told = |ty: &Ty| {
            most != Told::None && can_be_told(ty) && (most == Told::All || !matches!(ty.kind(), TyKind::Real))
        };
        if (!whole || can_be_told(term.ty())) && is_read_back(term, &told, whole)? {
            let told = |ty: &Ty, of| of != Of::Constructor && told(ty);
            let text = Annotated(term, &told);
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
        let found = library.definition(module, constructor.name(), false);
        constructor.data().is_list()
            || matches!(found, Lookup::Found(found) if found.constructor.as_ref() == Some(&constructor))
    };
    let own = match term.kind() {
        TermKind::Constant(constant) if constant.operator().is_none() && *constant != Constant::Negate => {
            matches!(library.definition(module, constant.name(), false), Lookup::Missing)
        }
        TermKind::Inject { constructor, .. } => is_own(constructor.clone()),
        TermKind::Match { data, .. } => data.constructors().all(is_own),
        _ => true,
    };
    own && term.kind().children().all(|part| deep(|| is_visible(part, library, module)))
}

/// A conversion of nodes to terms, and of levels to indices.
struct Writer<'n> {
    normal: &'n Normal,
    /// The terms made so far, by node and scope: in different scopes a node has different indices.
    known: FxHashMap<(Node, u32), Term>,
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

impl Writer<'_> {
    fn term(&mut self, node: Node) -> Result<Term, NormalError> {
        let key = (node, self.around.last().copied().unwrap_or(0));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() > 4 * limit::SYNTAX_NODES as usize {
            return Err(NormalError::Size { limit: 4 * limit::SYNTAX_NODES as usize });
        }
        let term = deep(|| self.term_of(node))?;
        self.known.insert(key, term.clone());
        Ok(term)
    }

    fn ty(&self, key: Key) -> Ty {
        self.normal.written[key as usize].clone()
    }

    fn under(&mut self, name: &Name, ty: &Ty, node: Node) -> Result<Term, NormalError> {
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
        let body = self.term(node);
        self.scope.pop();
        self.around.pop();
        body
    }

    fn term_of(&mut self, node: Node) -> Result<Term, NormalError> {
        let normal = self.normal;
        let name = || normal.names[node as usize].clone().unwrap_or_else(|| "x".into());
        let kind = match &normal.nodes[node as usize] {
            Shape::Variable(level) => {
                let (name, ty) = self.scope[*level as usize].clone();
                return Ok(Term::variable(self.scope.len() - 1 - *level as usize, name, ty, SPAN));
            }
            Shape::Constant(constant, None) => TermKind::Constant(*constant),
            Shape::Constant(constant, Some(ty)) => {
                return Ok(Term::typed(TermKind::Constant(*constant), self.ty(*ty), SPAN));
            }
            Shape::Real(value) => TermKind::Real(value.clone()),
            Shape::Nat(value) => TermKind::Nat(*value),
            Shape::Bool(value) => TermKind::Bool(*value),
            Shape::Unit => TermKind::Unit,
            Shape::Lambda(ty, body) => {
                let domain = self.ty(*ty);
                self.written = self.written.saturating_add(domain.size());
                let body = self.under(&name(), &domain, *body)?;
                return Ok(Term::lambda(name(), domain, body, SPAN));
            }
            Shape::LetRec(ty, value) => {
                let ty = self.ty(*ty);
                self.written = self.written.saturating_add(ty.size());
                let value = self.under(&name(), &ty, *value)?;
                let body = Term::variable(0, name(), ty, SPAN);
                TermKind::LetRec { name: name(), value, body }
            }
            Shape::Apply(function, argument) => {
                TermKind::Apply { function: self.term(*function)?, argument: self.term(*argument)? }
            }
            Shape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|part| self.term(*part)).collect::<Result<_, _>>()?)
            }
            Shape::Project(tuple, index) => TermKind::Project { tuple: self.term(*tuple)?, index: *index as usize },
            Shape::If(condition, then, otherwise) => TermKind::If {
                condition: self.term(*condition)?,
                then: self.term(*then)?,
                otherwise: self.term(*otherwise)?,
            },
            Shape::Inject(constructor, ty, argument) => {
                let (ty, argument) = (self.ty(*ty), self.term(*argument)?);
                return Ok(Term::inject(constructor.clone(), argument, ty, SPAN));
            }
            Shape::Match(data, scrutinee, bodies) => {
                let scrutinee = self.term(*scrutinee)?;
                let arguments =
                    if let TyKind::Data(_, arguments) = scrutinee.ty().kind() { arguments } else { &Vec::new() };
                let mut branches = Vec::with_capacity(bodies.len());
                for ((constructor, domain), body) in data.constructors().zip(data.domains(arguments)).zip(bodies) {
                    // The variable of a constructor without argument stands for `()`.
                    let name = if constructor.layer().is_some() { name() } else { "_".into() };
                    branches.push(Branch { body: self.under(&name, &domain, *body)?, name });
                }
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
            Shape::To(iso) => TermKind::To(self.term(*iso)?),
            Shape::From(iso) => TermKind::From(self.term(*iso)?),
        };
        Ok(Term::new(kind, SPAN))
    }
}
