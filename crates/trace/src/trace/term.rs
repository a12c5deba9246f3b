//! Terms and boolean terms, the core language literally (A §2).
//!
//! ```text
//! M ::= x | r | M + N | op(M) | let x:T = M in N | ∗ | ⟨M, N⟩ | fst(M) | snd(M)
//!     | if B then M else N | letrec f(x:T):U = M in N | f(M) | M.rd_L(x:T. N)
//! B ::= pred(M) | true | false
//! ```
//!
//! Pairs and projections carry their types, as in the paper, because symbolic differentiation needs them. A number r is
//! rational. Variables are equal if their numbers are, whatever their names. α-equivalent terms are made by
//! [`Renaming`](super::renaming::Renaming).

use super::operation::{Operation, Predicate};
use super::ty::Ty;
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::name::Name;
/// The position of a term in the source: an index into the list of positions that its [embedding](super::embed)
/// returns.
pub use crate::value::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An ordinary variable x, or a function variable f. The two are never confused, since they occur in different
/// positions.
#[derive(Clone)]
pub struct Variable {
    number: u64,
    name: Name,
}

impl Variable {
    /// Makes a variable that is different from all others. The name is for printing.
    #[must_use]
    pub fn fresh(name: &Name) -> Variable {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Variable { number: NEXT.fetch_add(1, Ordering::Relaxed), name: name.clone() }
    }

    /// Returns the name for printing; other variables may have the same one.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Makes a new variable with the name of this one.
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

/// A definition `f(x : T) : U = M`.
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
    /// M. Free variables of M are x, f and functions that are defined outside.
    pub body: Term,
    /// n, in a *limited* recursion `letrecₙ` (A §6.2); `None` for `letrec`.
    pub limit: Option<u64>,
}

/// A term M, L, N or P. Terms are cheap to clone, and safe to drop at any depth.
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

/// A boolean term B.
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
    /// Makes `x`.
    #[must_use]
    pub fn variable(x: &Variable) -> Term {
        TermKind::Variable(x.clone()).into()
    }

    /// Makes the number `r`.
    #[must_use]
    pub fn number(r: impl Into<Rational>) -> Term {
        TermKind::Number(r.into()).into()
    }

    /// Makes `∗`.
    #[must_use]
    pub fn unit() -> Term {
        TermKind::Unit.into()
    }

    /// Makes `op(M)`.
    #[must_use]
    pub fn operation(operation: Operation, argument: Term) -> Term {
        TermKind::Operation(operation, argument).into()
    }

    /// Makes `op(⟨M, N⟩)` for an operation of two reals.
    #[must_use]
    pub fn binary(operation: Operation, left: Term, right: Term) -> Term {
        Term::operation(operation, Term::pair(Ty::Real, Ty::Real, left, right))
    }

    /// Makes `M + N`.
    #[must_use]
    pub fn sum(left: Term, right: Term) -> Term {
        TermKind::Add(left, right).into()
    }

    /// Makes `let x : T = M in N`.
    #[must_use]
    pub fn bind(x: &Variable, ty: Ty, value: Term, body: Term) -> Term {
        TermKind::Let(x.clone(), ty, value, body).into()
    }

    /// Makes `⟨M, N⟩`.
    #[must_use]
    pub fn pair(left_ty: Ty, right_ty: Ty, left: Term, right: Term) -> Term {
        TermKind::Pair(left_ty, right_ty, left, right).into()
    }

    /// Makes `if M < N then P else Q`.
    #[must_use]
    pub fn if_less(left: Term, right: Term, then: Term, otherwise: Term) -> Term {
        let pair = Term::pair(Ty::Real, Ty::Real, left, right);
        TermKind::If(Boolean::Predicate(Predicate::Less, pair), then, otherwise).into()
    }

    /// Sets the position of the term.
    #[must_use]
    pub fn at(self, site: Site) -> Term {
        if self.0.site == site {
            return self;
        }
        Term(Arc::new(Node { kind: self.0.kind.clone(), site, size: self.0.size, depth: self.0.depth }))
    }

    /// Returns the shape of the term.
    #[must_use]
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// Returns the position of the term in the source.
    #[must_use]
    pub fn site(&self) -> Site {
        self.0.site
    }

    /// Returns the number of nodes of the term as a tree. Shared parts count each time; saturates at `u64::MAX`.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Returns `true` for a value: `V ::= x | r | ∗ | ⟨V, W⟩` (A §3). Values may have free variables.
    #[must_use]
    pub fn is_value(&self) -> bool {
        match self.kind() {
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit => true,
            TermKind::Pair(_, _, left, right) => deep(|| left.is_value() && right.is_value()),
            _ => false,
        }
    }

    /// Returns `true` for a trace term (A §3): one without conditionals, function definitions, calls and derivatives.
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

    /// Returns FV(M), the free ordinary variables.
    #[must_use]
    pub fn free_variables(&self) -> FxHashSet<Variable> {
        let mut free = FxHashSet::default();
        self.collect_free(&mut FxHashMap::default(), &mut free);
        free
    }

    /// Collects the free variables of M that are not in `bound`, which counts the binders of each variable around M.
    fn collect_free(&self, bound: &mut FxHashMap<Variable, usize>, free: &mut FxHashSet<Variable>) {
        // Binders are counted, since the same variable may be bound again inside of its scope.
        let mut under = |x: &Variable, body: &Term, bound: &mut FxHashMap<Variable, usize>| {
            *bound.entry(x.clone()).or_default() += 1;
            deep(|| body.collect_free(bound, free));
            if let Some(binders) = bound.get_mut(x) {
                *binders -= 1;
            }
        };
        match self.kind() {
            // Function variables have no occurrences of this kind: `f(M)` holds its function apart from its parts.
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
    /// Calls `each` with the immediate parts, from left to right.
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

    /// Replaces the immediate parts by their images under `of`, which is called from left to right.
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
        // Parts are dropped recursively. A choice: shallow terms are dropped without a check for room on the stack.
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, TermKind::Unit);
            deep(|| drop(kind));
        }
    }
}
