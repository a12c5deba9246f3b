//! Terms and boolean terms, the core language literally (A §2).
//!
//! ```text
//! M ::= x | r | M + N | op(M) | let x:T = M in N | ∗ | ⟨M, N⟩ | fst(M) | snd(M)
//!     | if B then M else N | letrec f(x:T):U = M in N | f(M) | M.rd_L(x:T. N)
//! B ::= pred(M) | true | false
//! ```
//!
//! Pairs and projections carry their types, as in the paper, because symbolic differentiation needs them. A number r is
//! rational. Variables are the same when their numbers are, whatever their names: terms that differ in bound variables
//! alone are made from one another by [`Renaming`](super::renaming::Renaming).

use super::operation::{Operation, Predicate};
use super::ty::Ty;
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::name::Name;
/// Where a part of a program was written: a number in the list of places that its [embedding](super::embed) gives.
pub use crate::value::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An ordinary variable x, or a function variable f. The two are never confused, since they stand in different places.
#[derive(Clone)]
pub struct Variable {
    number: u64,
    name: Name,
}

impl Variable {
    /// A variable that is no other, with a name to print it under.
    #[must_use]
    pub fn fresh(name: &Name) -> Variable {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Variable { number: NEXT.fetch_add(1, Ordering::Relaxed), name: name.clone() }
    }

    /// The name that it is printed under, if no other variable has it.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Another variable of the same name.
    #[must_use]
    pub fn renamed(&self) -> Variable {
        Variable::fresh(&self.name)
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Variable) -> bool {
        self.number == other.number
    }
}

impl Eq for Variable {}

impl Hash for Variable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.name, self.number)
    }
}

/// `f(x : T) : U = M`
#[derive(Clone, Debug)]
pub struct Definition {
    /// f
    pub function: Variable,
    /// x
    pub parameter: Variable,
    /// T
    pub domain: Ty,
    /// U
    pub codomain: Ty,
    /// M, in which x and f may occur, and functions defined outside; no other variable.
    pub body: Term,
    /// n, in a *limited* recursion `letrecₙ` (A §6.2); `None` for `letrec`.
    pub limit: Option<u64>,
}

/// M, L, N, P. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    kind: TermKind,
    site: Site,
    size: u64,
    depth: u32,
}

/// The shape of a term.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `x`
    Variable(Variable),
    /// `r`
    Number(Rational),
    /// `M + N`
    Add(Term, Term),
    /// `op(M)`
    Operation(Operation, Term),
    /// `let x : T = M in N`
    Let(Variable, Ty, Term, Term),
    /// `∗`
    Unit,
    /// `⟨M, N⟩` at `T × U`
    Pair(Ty, Ty, Term, Term),
    /// `fst(M)` of `T × U`
    First(Ty, Ty, Term),
    /// `snd(M)` of `T × U`
    Second(Ty, Ty, Term),
    /// `if B then M else N`
    If(Boolean, Term, Term),
    /// `letrec f(x : T) : U = M in N`
    LetRec(Arc<Definition>, Term),
    /// `f(M)`
    Call(Variable, Term),
    /// `M.rd_L(x : T. N)`
    Reverse {
        /// M
        cotangent: Term,
        /// L
        point: Term,
        /// x
        variable: Variable,
        /// T
        ty: Ty,
        /// N
        body: Term,
    },
}

/// B
#[derive(Clone, Debug)]
pub enum Boolean {
    /// `true` or `false`
    Value(bool),
    /// `pred(M)`
    Predicate(Predicate, Term),
}

impl From<TermKind> for Term {
    fn from(kind: TermKind) -> Term {
        let (mut size, mut depth) = (1u64, 0);
        kind.children(|child| {
            size = size.saturating_add(child.size());
            depth = depth.max(child.0.depth);
        });
        Term(Arc::new(Node { kind, site: Site::NOWHERE, size, depth: depth.saturating_add(1) }))
    }
}

impl Term {
    /// `x`
    #[must_use]
    pub fn variable(x: &Variable) -> Term {
        TermKind::Variable(x.clone()).into()
    }

    /// `r`
    #[must_use]
    pub fn number(r: impl Into<Rational>) -> Term {
        TermKind::Number(r.into()).into()
    }

    /// `∗`
    #[must_use]
    pub fn unit() -> Term {
        TermKind::Unit.into()
    }

    /// `op(M)`
    #[must_use]
    pub fn operation(operation: Operation, argument: Term) -> Term {
        TermKind::Operation(operation, argument).into()
    }

    /// `op(⟨M, N⟩)` for an operation of two reals.
    #[must_use]
    pub fn binary(operation: Operation, left: Term, right: Term) -> Term {
        Term::operation(operation, Term::pair(Ty::Real, Ty::Real, left, right))
    }

    /// `M + N`
    #[must_use]
    pub fn sum(left: Term, right: Term) -> Term {
        TermKind::Add(left, right).into()
    }

    /// `let x : T = M in N`
    #[must_use]
    pub fn bind(x: &Variable, ty: Ty, value: Term, body: Term) -> Term {
        TermKind::Let(x.clone(), ty, value, body).into()
    }

    /// `⟨M, N⟩`
    #[must_use]
    pub fn pair(left_ty: Ty, right_ty: Ty, left: Term, right: Term) -> Term {
        TermKind::Pair(left_ty, right_ty, left, right).into()
    }

    /// `if M < N then P else Q`
    #[must_use]
    pub fn if_less(left: Term, right: Term, then: Term, otherwise: Term) -> Term {
        let pair = Term::pair(Ty::Real, Ty::Real, left, right);
        TermKind::If(Boolean::Predicate(Predicate::Less, pair), then, otherwise).into()
    }

    /// The same term, from a place.
    #[must_use]
    pub fn at(self, site: Site) -> Term {
        if self.0.site == site {
            return self;
        }
        Term(Arc::new(Node { kind: self.0.kind.clone(), site, size: self.0.size, depth: self.0.depth }))
    }

    /// Its shape.
    #[must_use]
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// Where it was written.
    #[must_use]
    pub fn site(&self) -> Site {
        self.0.site
    }

    /// The number of its nodes, written out as a tree.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Whether it is a value: `V ::= x | r | ∗ | ⟨V, W⟩` (A §3). Values may have free variables.
    #[must_use]
    pub fn is_value(&self) -> bool {
        match self.kind() {
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => true,
            TermKind::Pair(_, _, left, right) => deep(|| left.is_value() && right.is_value()),
            _ => false,
        }
    }

    /// Whether it is a trace term (A §3): one without conditionals, function definitions and applications, and
    /// differentiations.
    #[must_use]
    pub fn is_trace(&self) -> bool {
        match self.kind() {
            TermKind::If(..) | TermKind::LetRec(..) | TermKind::Call(..) | TermKind::Reverse { .. } => false,
            kind => {
                let mut all = true;
                kind.children(|child| all = all && deep(|| child.is_trace()));
                all
            }
        }
    }

    /// FV(M)
    #[must_use]
    pub fn free_variables(&self) -> FxHashSet<Variable> {
        let mut free = FxHashSet::default();
        self.collect_free(&mut FxHashMap::default(), &mut free);
        free
    }

    /// Collects FV(M) but for the variables that are bound around M, each with the number of its binders.
    fn collect_free(&self, bound: &mut FxHashMap<Variable, usize>, free: &mut FxHashSet<Variable>) {
        let mut under = |x: &Variable, body: &Term, bound: &mut FxHashMap<Variable, usize>| {
            *bound.entry(x.clone()).or_default() += 1;
            deep(|| body.collect_free(bound, free));
            if let Some(binders) = bound.get_mut(x) {
                *binders -= 1;
            }
        };
        match self.kind() {
            TermKind::Variable(x) if bound.get(x).is_some_and(|binders| *binders > 0) => {}
            TermKind::Variable(x) => drop(free.insert(x.clone())),
            TermKind::Let(x, _, value, body) => {
                under(x, body, bound);
                deep(|| value.collect_free(bound, free));
            }
            TermKind::LetRec(definition, rest) => {
                under(&definition.parameter, &definition.body, bound);
                deep(|| rest.collect_free(bound, free));
            }
            TermKind::Reverse { cotangent, point, variable, body, .. } => {
                under(variable, body, bound);
                deep(|| cotangent.collect_free(bound, free));
                deep(|| point.collect_free(bound, free));
            }
            kind => kind.children(|child| deep(|| child.collect_free(bound, free))),
        }
    }
}

impl TermKind {
    /// The immediate parts, from left to right.
    pub fn children<'t>(&'t self, mut each: impl FnMut(&'t Term)) {
        match self {
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => {}
            TermKind::Operation(_, a) | TermKind::First(_, _, a) | TermKind::Second(_, _, a) | TermKind::Call(_, a) => {
                each(a);
            }
            TermKind::Add(a, b) | TermKind::Let(_, _, a, b) | TermKind::Pair(_, _, a, b) => {
                each(a);
                each(b);
            }
            TermKind::If(condition, a, b) => {
                if let Boolean::Predicate(_, argument) = condition {
                    each(argument);
                }
                each(a);
                each(b);
            }
            TermKind::LetRec(definition, rest) => {
                each(&definition.body);
                each(rest);
            }
            TermKind::Reverse { cotangent, point, body, .. } => {
                each(cotangent);
                each(point);
                each(body);
            }
        }
    }

    /// The same shape with other immediate parts, made from left to right.
    pub fn map(&self, of: &mut dyn FnMut(&Term) -> Term) -> TermKind {
        match self {
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => self.clone(),
            TermKind::Add(a, b) => TermKind::Add(of(a), of(b)),
            TermKind::Operation(op, a) => TermKind::Operation(op.clone(), of(a)),
            TermKind::Let(x, ty, value, body) => TermKind::Let(x.clone(), ty.clone(), of(value), of(body)),
            TermKind::Pair(t, u, a, b) => TermKind::Pair(t.clone(), u.clone(), of(a), of(b)),
            TermKind::First(t, u, a) => TermKind::First(t.clone(), u.clone(), of(a)),
            TermKind::Second(t, u, a) => TermKind::Second(t.clone(), u.clone(), of(a)),
            TermKind::If(condition, a, b) => {
                let condition = match condition {
                    Boolean::Value(b) => Boolean::Value(*b),
                    Boolean::Predicate(pred, argument) => Boolean::Predicate(*pred, of(argument)),
                };
                TermKind::If(condition, of(a), of(b))
            }
            TermKind::LetRec(definition, rest) => {
                let definition = Definition { body: of(&definition.body), ..(**definition).clone() };
                TermKind::LetRec(Arc::new(definition), of(rest))
            }
            TermKind::Call(f, a) => TermKind::Call(f.clone(), of(a)),
            TermKind::Reverse { cotangent, point, variable, ty, body } => TermKind::Reverse {
                cotangent: of(cotangent),
                point: of(point),
                variable: variable.clone(),
                ty: ty.clone(),
                body: of(body),
            },
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.kind(), f)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, TermKind::Unit);
            deep(|| drop(kind));
        }
    }
}
