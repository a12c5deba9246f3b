//! Terms: programs after parsing, name resolution and type inference, ready to be interpreted.
//!
//! Variables are de Bruijn indices, operators are applied [`Constant`]s, several arguments are several applications,
//! tuple patterns have become projections. Every part carries its type: those of binders and of the uses of definitions,
//! constants and constructors are written down by whoever makes the term, and all others follow from them. In the value of a
//! polymorphic `let` the types have variables of their own, which each use of it instantiates. A term may be as deep as [`limit::DEPTH`](super::limit::DEPTH) times a small number: walk it
//! under [`deep`].

use super::constant::Constant;
use super::data::{Constructor, Data};
use super::name::Name;
use super::source::Span;
use super::substitution::instantiated;
use super::ty::{Scheme, Ty, TyKind};
use crate::function::Function;
use crate::number::Rational;
use crate::stack::deep;
use std::fmt;
use std::sync::Arc;

/// A program. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    kind: TermKind,
    ty: Ty,
    span: Span,
    depth: u32,
}

/// The shape of a term.
#[derive(Clone)]
pub enum TermKind {
    /// The variable bound by the `index`-th enclosing binder, the innermost being number 0.
    Variable {
        /// How many binders lie between the variable and its own.
        index: usize,
        /// The name it had in the source.
        name: Name,
    },
    /// A definition of a module.
    Global(Arc<Definition>),
    /// A constant of the language.
    Constant(Constant),
    /// A literal of type `Real`.
    Real(Rational),
    /// A literal of type `Nat`.
    Nat(u64),
    /// `tt` or `ff`.
    Bool(bool),
    /// `()`
    Unit,
    /// `\name => body`
    Lambda {
        /// The variable bound in `body`.
        name: Name,
        /// What the function answers.
        body: Term,
    },
    /// `function argument`
    Apply {
        /// What is applied.
        function: Term,
        /// What it is applied to.
        argument: Term,
    },
    /// `let name = value in body`
    Let {
        /// The variable bound in `body`.
        name: Name,
        /// Its value, outside the binder.
        value: Term,
        /// The scope of the variable.
        body: Term,
    },
    /// `let rec name = value in body`; `value` is a `Lambda`.
    LetRec {
        /// The variable bound in `value` and in `body`.
        name: Name,
        /// Its value, under the binder.
        value: Term,
        /// The scope of the variable.
        body: Term,
    },
    /// Two or more components.
    Tuple(Vec<Term>),
    /// `tuple[index]`
    Project {
        /// A term of a tuple type.
        tuple: Term,
        /// Which component, from 0.
        index: usize,
    },
    /// `if condition then then else otherwise`
    If {
        /// A term of type `Bool`.
        condition: Term,
        /// The answer for `tt`.
        then: Term,
        /// The answer for `ff`.
        otherwise: Term,
    },
    /// `iso.to`, a function.
    To(Term),
    /// `iso.from`, a function.
    From(Term),
    /// A constructor applied: `Just argument`, `head :: tail`, where the argument is the pair of both. The argument is `()`
    /// for a constructor without one, such as `[]`.
    Inject {
        /// Which.
        constructor: Constructor,
        /// Its argument.
        argument: Term,
    },
    /// `match scrutinee with branches`
    Match {
        /// The type of the scrutinee, up to its parameters.
        data: Data,
        /// What is looked at.
        scrutinee: Term,
        /// One branch for each constructor, in the order of the declaration.
        branches: Vec<Branch>,
    },
}

/// What a `match` answers in one case.
#[derive(Clone)]
pub struct Branch {
    /// The variable bound in `body`: the argument of the constructor.
    pub name: Name,
    /// The answer.
    pub body: Term,
}

/// A named term of a module, with its type.
pub struct Definition {
    /// The module that defines it.
    pub module: Name,
    /// Its name in the module.
    pub name: Name,
    /// Its type.
    pub scheme: Scheme,
    /// Its value: closed, apart from other definitions and constants.
    pub term: Term,
    /// The comment that stands just before it in the source, without the comment signs; often empty.
    pub doc: String,
    /// The place of its name in the module's source.
    pub span: Span,
    /// The constructor that the name means, if it means one.
    pub constructor: Option<Constructor>,
}

impl Definition {
    /// The definition at the types of a use: one of its own, without parameters as far as these are known.
    #[doc(hidden)]
    pub fn at(&self, used: &Ty) -> Arc<Definition> {
        Arc::new(Definition {
            module: self.module.clone(),
            name: self.name.clone(),
            scheme: Scheme { parameters: Vec::new(), ty: used.clone() },
            term: instantiated(&self.term, &self.scheme.instance(used)),
            doc: self.doc.clone(),
            span: self.span,
            constructor: self.constructor.clone(),
        })
    }
}

impl Term {
    /// A term of this shape, from this place of the source. Its type follows from its parts; that of a variable, of a `\\`,
    /// and of an instance of something polymorphic does not, and is [unknown](Ty::unknown): see [`Term::typed`].
    pub fn new(kind: TermKind, span: Span) -> Term {
        let ty = kind.ty();
        Term::typed(kind, ty, span)
    }

    /// A term of this shape and type.
    pub fn typed(kind: TermKind, ty: Ty, span: Span) -> Term {
        let depth = kind.children().map(Term::depth).max().unwrap_or(0).saturating_add(1);
        Term(Arc::new(Node { kind, ty, span, depth }))
    }

    /// The variable of an index.
    pub fn variable(index: usize, name: Name, ty: Ty, span: Span) -> Term {
        Term::typed(TermKind::Variable { index, name }, ty, span)
    }

    /// `\(name : domain) => body`
    pub fn lambda(name: Name, domain: Ty, body: Term, span: Span) -> Term {
        let ty = Ty::function(domain, body.ty().clone());
        Term::typed(TermKind::Lambda { name, body }, ty, span)
    }

    /// A constant. A polygamma function is the constant of that name at its order.
    pub fn constant(constant: Constant) -> Term {
        let term = |kind| Term::new(kind, Span::default());
        match constant {
            Constant::Elementary(Function::Polygamma(order)) => {
                let order = term(TermKind::Nat(order.get().into()));
                Term::apply(term(TermKind::Constant(Constant::Polygamma)), order, Span::default())
            }
            _ => term(TermKind::Constant(constant)),
        }
    }

    /// `function argument`
    pub fn apply(function: Term, argument: Term, span: Span) -> Term {
        Term::new(TermKind::Apply { function, argument }, span)
    }

    /// A constructor applied, at a type.
    pub fn inject(constructor: Constructor, argument: Term, ty: Ty, span: Span) -> Term {
        Term::typed(TermKind::Inject { constructor, argument }, ty, span)
    }

    /// `[]`, at a type of lists.
    pub fn nil(ty: Ty, span: Span) -> Term {
        Term::inject(Constructor::nil(), Term::new(TermKind::Unit, span), ty, span)
    }

    /// `head :: tail`, at a type of lists.
    pub fn cons(head: Term, tail: Term, ty: Ty, span: Span) -> Term {
        Term::inject(Constructor::cons(), Term::new(TermKind::Tuple(vec![head, tail]), span), ty, span)
    }

    /// The first element and the rest, of `head :: tail`.
    pub fn as_cons(&self) -> Option<(&Term, &Term)> {
        match self.kind() {
            TermKind::Inject { constructor, argument } if constructor.is_cons() => match argument.kind() {
                TermKind::Tuple(parts) => Some((parts.first()?, parts.get(1)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The shape of the term.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// The type of the term.
    pub fn ty(&self) -> &Ty {
        &self.0.ty
    }

    /// The type of the variable of a `\\`.
    pub fn domain(&self) -> Ty {
        match self.ty().kind() {
            TyKind::Function(domain, _) => domain.clone(),
            _ => Ty::unknown(),
        }
    }

    /// The place in the source that the term comes from.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// The number of levels of the term; definitions count as leaves.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// A number that two handles share exactly when they are the same node.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Whether there are other handles to the node.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// The shape and the type of the term, to be changed: in place, if no other handle to the node exists.
    #[doc(hidden)]
    pub fn parts_mut(&mut self) -> (&mut TermKind, &mut Ty) {
        let node = Arc::make_mut(&mut self.0);
        (&mut node.kind, &mut node.ty)
    }
}

impl Clone for Node {
    fn clone(&self) -> Self {
        Self { kind: self.kind.clone(), ty: self.ty.clone(), span: self.span, depth: self.depth }
    }
}

impl TermKind {
    /// The type, as far as it follows from the parts.
    pub(crate) fn ty(&self) -> Ty {
        let of = |scheme: &Scheme| if scheme.parameters.is_empty() { scheme.ty.clone() } else { Ty::unknown() };
        match self {
            TermKind::Variable { .. } => Ty::unknown(),
            TermKind::Global(definition) => of(&definition.scheme),
            TermKind::Constant(constant) => of(constant.scheme()),
            TermKind::Real(_) => Ty::real(),
            TermKind::Nat(_) => Ty::nat(),
            TermKind::Bool(_) => Ty::bool(),
            TermKind::Unit => Ty::unit(),
            TermKind::Lambda { body, .. } => Ty::function(Ty::unknown(), body.ty().clone()),
            TermKind::Apply { function, .. } => match function.ty().kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => Ty::unknown(),
            },
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => body.ty().clone(),
            TermKind::Tuple(parts) => Ty::new(TyKind::Tuple(parts.iter().map(|part| part.ty().clone()).collect())),
            TermKind::Project { tuple, index } => match tuple.ty().kind() {
                TyKind::Tuple(parts) => parts.get(*index).cloned().unwrap_or_else(Ty::unknown),
                _ => Ty::unknown(),
            },
            TermKind::If { then, .. } => then.ty().clone(),
            TermKind::To(iso) | TermKind::From(iso) => match iso.ty().kind() {
                TyKind::Iso(a, b) if matches!(self, TermKind::To(_)) => Ty::function(a.clone(), b.clone()),
                TyKind::Iso(a, b) => Ty::function(b.clone(), a.clone()),
                _ => Ty::unknown(),
            },
            TermKind::Inject { constructor, .. } => of(&constructor.data().named()),
            TermKind::Match { branches, .. } => {
                branches.first().map_or_else(Ty::unknown, |branch| branch.body.ty().clone())
            }
        }
    }

    /// The immediate parts, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Term> {
        let mut branches: &[Branch] = &[];
        let (few, many): ([Option<&Term>; 3], &[Term]) = match self {
            TermKind::Tuple(parts) => ([None; 3], parts),
            TermKind::Match { scrutinee, branches: all, .. } => {
                branches = all;
                ([Some(scrutinee), None, None], &[])
            }
            TermKind::Lambda { body: term, .. }
            | TermKind::Project { tuple: term, .. }
            | TermKind::To(term)
            | TermKind::From(term)
            | TermKind::Inject { argument: term, .. } => ([Some(term), None, None], &[]),
            TermKind::Apply { function: left, argument: right }
            | TermKind::Let { value: left, body: right, .. }
            | TermKind::LetRec { value: left, body: right, .. } => ([Some(left), Some(right), None], &[]),
            TermKind::If { condition, then, otherwise } => ([Some(condition), Some(then), Some(otherwise)], &[]),
            _ => ([None; 3], &[]),
        };
        few.into_iter().flatten().chain(many).chain(branches.iter().map(|branch| &branch.body))
    }

    /// The immediate parts, to be changed in place.
    #[doc(hidden)]
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        let mut branches: &mut [Branch] = &mut [];
        let (few, many): ([Option<&mut Term>; 3], &mut [Term]) = match self {
            TermKind::Tuple(parts) => ([None, None, None], parts),
            TermKind::Match { scrutinee, branches: all, .. } => {
                branches = all;
                ([Some(scrutinee), None, None], &mut [])
            }
            TermKind::Lambda { body: term, .. }
            | TermKind::Project { tuple: term, .. }
            | TermKind::To(term)
            | TermKind::From(term)
            | TermKind::Inject { argument: term, .. } => ([Some(term), None, None], &mut []),
            TermKind::Apply { function: left, argument: right }
            | TermKind::Let { value: left, body: right, .. }
            | TermKind::LetRec { value: left, body: right, .. } => ([Some(left), Some(right), None], &mut []),
            TermKind::If { condition, then, otherwise } => ([Some(condition), Some(then), Some(otherwise)], &mut []),
            _ => ([None, None, None], &mut []),
        };
        few.into_iter().flatten().chain(many).chain(branches.iter_mut().map(|branch| &mut branch.body))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // A definition may hold the last handle to another, and so on: its own depth says nothing of theirs.
        if self.depth > 64 || matches!(self.kind, TermKind::Global(_)) {
            let kind = std::mem::replace(&mut self.kind, TermKind::Unit);
            deep(|| drop(kind));
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} : {}", self.module, self.name, self.scheme)
    }
}
