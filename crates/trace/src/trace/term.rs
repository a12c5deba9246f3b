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

use super::operation::{OperationSymbol, PredicateSymbol};
use super::ty::CoreTy;
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::name::Name;
/// The position of a term in the source: an index into the list of positions that its [embedding](super::embed)
/// returns.
pub use crate::value::SourceId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An ordinary variable x, or a function variable f. The two are never confused, since they occur in different
/// positions.
#[derive(Clone)]
pub struct CoreVariable {
    number: u64,
    name: Name,
}

impl CoreVariable {
    /// Makes a variable that is different from all others. The name is for printing.
    #[must_use]
    pub fn fresh(name: &Name) -> CoreVariable {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        CoreVariable { number: NEXT.fetch_add(1, Ordering::Relaxed), name: name.clone() }
    }

    /// Returns the name for printing; other variables may have the same one.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Makes a new variable with the name of this one.
    #[must_use]
    pub fn renamed(&self) -> CoreVariable {
        CoreVariable::fresh(&self.name)
    }
}

impl PartialEq for CoreVariable {
    fn eq(&self, other: &CoreVariable) -> bool {
        self.number == other.number
    }
}

impl Eq for CoreVariable {}

impl Hash for CoreVariable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Debug for CoreVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.name, self.number)
    }
}

/// A definition `f(x : T) : U = M`.
#[derive(Clone, Debug)]
pub struct CoreDefinition {
    /// f
    pub function: CoreVariable,
    /// x
    pub parameter: CoreVariable,
    /// T
    pub domain: CoreTy,
    /// U
    pub codomain: CoreTy,
    /// M. Free variables of M are x, f and functions that are defined outside.
    pub body: CoreTerm,
    /// n, in a *limited* recursion `letrecₙ` (A §6.2); `None` for `letrec`.
    pub limit: Option<u64>,
}

/// A term M, L, N or P. Terms are cheap to clone, and safe to drop at any depth.
#[derive(Clone)]
pub struct CoreTerm(Arc<CoreTermNode>);

struct CoreTermNode {
    kind: CoreTermKind,
    site: SourceId,
    size: u64,
    depth: u32,
}

/// The shape of a term.
#[derive(Clone, Debug)]
pub enum CoreTermKind {
    /// `x`
    Variable(CoreVariable),
    /// `r`
    Number(Rational),
    /// `M + N`
    Add(CoreTerm, CoreTerm),
    /// `op(M)`
    Operation(OperationSymbol, CoreTerm),
    /// `let x : T = M in N`
    Let(CoreVariable, CoreTy, CoreTerm, CoreTerm),
    /// `∗`
    Unit,
    /// `⟨M, N⟩` at `T × U`
    Pair(CoreTy, CoreTy, CoreTerm, CoreTerm),
    /// `fst(M)` of `T × U`
    First(CoreTy, CoreTy, CoreTerm),
    /// `snd(M)` of `T × U`
    Second(CoreTy, CoreTy, CoreTerm),
    /// `if B then M else N`
    If(BooleanTerm, CoreTerm, CoreTerm),
    /// `letrec f(x : T) : U = M in N`
    LetRec(Arc<CoreDefinition>, CoreTerm),
    /// `f(M)`
    Call(CoreVariable, CoreTerm),
    /// `M.rd_L(x : T. N)`
    Reverse {
        /// M
        cotangent: CoreTerm,
        /// L
        point: CoreTerm,
        /// x
        variable: CoreVariable,
        /// T
        ty: CoreTy,
        /// N
        body: CoreTerm,
    },
}

/// A boolean term B.
#[derive(Clone, Debug)]
pub enum BooleanTerm {
    /// `true` or `false`
    Value(bool),
    /// `pred(M)`
    Predicate(PredicateSymbol, CoreTerm),
}

impl From<CoreTermKind> for CoreTerm {
    fn from(kind: CoreTermKind) -> CoreTerm {
        let (mut size, mut depth) = (1u64, 0);
        kind.for_each_child(|child| {
            size = size.saturating_add(child.size());
            depth = depth.max(child.0.depth);
        });
        CoreTerm(Arc::new(CoreTermNode { kind, site: SourceId::NOWHERE, size, depth: depth.saturating_add(1) }))
    }
}

impl CoreTerm {
    /// Makes `x`.
    #[must_use]
    pub fn variable(x: &CoreVariable) -> CoreTerm {
        CoreTermKind::Variable(x.clone()).into()
    }

    /// Makes the number `r`.
    #[must_use]
    pub fn number(r: impl Into<Rational>) -> CoreTerm {
        CoreTermKind::Number(r.into()).into()
    }

    /// Makes `∗`.
    #[must_use]
    pub fn unit() -> CoreTerm {
        CoreTermKind::Unit.into()
    }

    /// Makes `op(M)`.
    #[must_use]
    pub fn operation(operation: OperationSymbol, argument: CoreTerm) -> CoreTerm {
        CoreTermKind::Operation(operation, argument).into()
    }

    /// Makes `op(⟨M, N⟩)` for an operation of two reals.
    #[must_use]
    pub fn binary_operation(operation: OperationSymbol, left: CoreTerm, right: CoreTerm) -> CoreTerm {
        CoreTerm::operation(operation, CoreTerm::pair(CoreTy::Real, CoreTy::Real, left, right))
    }

    /// Makes `M + N`.
    #[must_use]
    pub fn sum(left: CoreTerm, right: CoreTerm) -> CoreTerm {
        CoreTermKind::Add(left, right).into()
    }

    /// Makes `let x : T = M in N`.
    #[must_use]
    pub fn bind(x: &CoreVariable, ty: CoreTy, value: CoreTerm, body: CoreTerm) -> CoreTerm {
        CoreTermKind::Let(x.clone(), ty, value, body).into()
    }

    /// Makes `⟨M, N⟩`.
    #[must_use]
    pub fn pair(left_ty: CoreTy, right_ty: CoreTy, left: CoreTerm, right: CoreTerm) -> CoreTerm {
        CoreTermKind::Pair(left_ty, right_ty, left, right).into()
    }

    /// Makes `if M < N then P else Q`.
    #[must_use]
    pub fn if_less(left: CoreTerm, right: CoreTerm, then: CoreTerm, otherwise: CoreTerm) -> CoreTerm {
        let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, left, right);
        CoreTermKind::If(BooleanTerm::Predicate(PredicateSymbol::Less, pair), then, otherwise).into()
    }

    /// Sets the position of the term.
    #[must_use]
    pub fn with_site(self, site: SourceId) -> CoreTerm {
        if self.0.site == site {
            return self;
        }
        CoreTerm(Arc::new(CoreTermNode { kind: self.0.kind.clone(), site, size: self.0.size, depth: self.0.depth }))
    }

    /// Returns the shape of the term.
    #[must_use]
    pub fn kind(&self) -> &CoreTermKind {
        &self.0.kind
    }

    /// Returns the position of the term in the source.
    #[must_use]
    pub fn site(&self) -> SourceId {
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
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit => true,
            CoreTermKind::Pair(_, _, left, right) => with_stack(|| left.is_value() && right.is_value()),
            _ => false,
        }
    }

    /// Returns `true` for a trace term (A §3): one without conditionals, function definitions, calls and derivatives.
    #[must_use]
    pub fn is_trace(&self) -> bool {
        match self.kind() {
            CoreTermKind::If(..) | CoreTermKind::LetRec(..) | CoreTermKind::Call(..) | CoreTermKind::Reverse { .. } => {
                false
            }
            kind => {
                let mut all = true;
                kind.for_each_child(|child| all = all && with_stack(|| child.is_trace()));
                all
            }
        }
    }

    /// Returns FV(M), the free ordinary variables.
    #[must_use]
    pub fn free_variables(&self) -> FxHashSet<CoreVariable> {
        let mut free = FxHashSet::default();
        self.collect_free(&mut FxHashMap::default(), &mut free);
        free
    }

    /// Collects the free variables of M that are not in `bound`, which counts the binders of each variable around M.
    fn collect_free(&self, bound: &mut FxHashMap<CoreVariable, usize>, free: &mut FxHashSet<CoreVariable>) {
        // Binders are counted, since the same variable may be bound again inside of its scope.
        let mut under = |x: &CoreVariable, body: &CoreTerm, bound: &mut FxHashMap<CoreVariable, usize>| {
            *bound.entry(x.clone()).or_default() += 1;
            with_stack(|| body.collect_free(bound, free));
            if let Some(binders) = bound.get_mut(x) {
                *binders -= 1;
            }
        };
        match self.kind() {
            // Function variables have no occurrences of this kind: `f(M)` holds its function apart from its parts.
            CoreTermKind::Variable(x) if bound.get(x).is_some_and(|binders| *binders > 0) => {}
            CoreTermKind::Variable(x) => drop(free.insert(x.clone())),
            CoreTermKind::Let(x, _, value, body) => {
                under(x, body, bound);
                with_stack(|| value.collect_free(bound, free));
            }
            CoreTermKind::LetRec(definition, rest) => {
                under(&definition.parameter, &definition.body, bound);
                with_stack(|| rest.collect_free(bound, free));
            }
            CoreTermKind::Reverse { cotangent, point, variable, body, .. } => {
                under(variable, body, bound);
                with_stack(|| cotangent.collect_free(bound, free));
                with_stack(|| point.collect_free(bound, free));
            }
            kind => kind.for_each_child(|child| with_stack(|| child.collect_free(bound, free))),
        }
    }
}

impl CoreTermKind {
    /// Calls `each` with the immediate parts, from left to right.
    pub fn for_each_child<'t>(&'t self, mut each: impl FnMut(&'t CoreTerm)) {
        match self {
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit => {}
            CoreTermKind::Operation(_, a)
            | CoreTermKind::First(_, _, a)
            | CoreTermKind::Second(_, _, a)
            | CoreTermKind::Call(_, a) => {
                each(a);
            }
            CoreTermKind::Add(a, b) | CoreTermKind::Let(_, _, a, b) | CoreTermKind::Pair(_, _, a, b) => {
                each(a);
                each(b);
            }
            CoreTermKind::If(condition, a, b) => {
                if let BooleanTerm::Predicate(_, argument) = condition {
                    each(argument);
                }
                each(a);
                each(b);
            }
            CoreTermKind::LetRec(definition, rest) => {
                each(&definition.body);
                each(rest);
            }
            CoreTermKind::Reverse { cotangent, point, body, .. } => {
                each(cotangent);
                each(point);
                each(body);
            }
        }
    }

    /// Replaces the immediate parts by their images under `of`, which is called from left to right.
    pub fn map_children(&self, of: &mut dyn FnMut(&CoreTerm) -> CoreTerm) -> CoreTermKind {
        match self {
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit => self.clone(),
            CoreTermKind::Add(a, b) => CoreTermKind::Add(of(a), of(b)),
            CoreTermKind::Operation(op, a) => CoreTermKind::Operation(op.clone(), of(a)),
            CoreTermKind::Let(x, ty, value, body) => CoreTermKind::Let(x.clone(), ty.clone(), of(value), of(body)),
            CoreTermKind::Pair(t, u, a, b) => CoreTermKind::Pair(t.clone(), u.clone(), of(a), of(b)),
            CoreTermKind::First(t, u, a) => CoreTermKind::First(t.clone(), u.clone(), of(a)),
            CoreTermKind::Second(t, u, a) => CoreTermKind::Second(t.clone(), u.clone(), of(a)),
            CoreTermKind::If(condition, a, b) => {
                let condition = match condition {
                    BooleanTerm::Value(b) => BooleanTerm::Value(*b),
                    BooleanTerm::Predicate(pred, argument) => BooleanTerm::Predicate(*pred, of(argument)),
                };
                CoreTermKind::If(condition, of(a), of(b))
            }
            CoreTermKind::LetRec(definition, rest) => {
                let definition = CoreDefinition { body: of(&definition.body), ..(**definition).clone() };
                CoreTermKind::LetRec(Arc::new(definition), of(rest))
            }
            CoreTermKind::Call(f, a) => CoreTermKind::Call(f.clone(), of(a)),
            CoreTermKind::Reverse { cotangent, point, variable, ty, body } => CoreTermKind::Reverse {
                cotangent: of(cotangent),
                point: of(point),
                variable: variable.clone(),
                ty: ty.clone(),
                body: of(body),
            },
        }
    }
}

impl fmt::Debug for CoreTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.kind(), f)
    }
}

impl Drop for CoreTermNode {
    fn drop(&mut self) {
        // Parts are dropped recursively. A choice: shallow terms are dropped without a check for room on the stack.
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, CoreTermKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}
