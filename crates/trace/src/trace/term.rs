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
//! [`Renaming`].
//!
//! # Types
//!
//! Types (A §2): `T ::= real | unit | T × U`.
//!
//! An iterated product `T₀ × … × Tₙ₋₁` is nested to the left: `unit` for n = 0, `T₀` for n = 1, `(T₀ × … ) × Tₙ₋₁` beyond.
//!
//! # Closed values
//!
//! Closed values (A §3), the results of evaluation.
//!
//! # Capture-avoiding substitution
//!
//! Capture-avoiding substitution, and renaming of bound variables: terms up to α (A §2).
//!
//! # Abbreviations of the core language
//!
//! Abbreviations of the core language (A §2): `0_T`, `+_T`, `let ⟨x₁, x₂⟩`, `grad` and `fd`.
//!
//! # Limited recursion
//!
//! Limited recursion (A §6.2): `letrecₙ`, and the n-th approximant `M⁽ⁿ⁾` of a term.
//!
//! A closure `cloₙ` may be unfolded n times within itself (Fig. 8); there is no rule for `clo₀`. So a program of
//! limited recursions always terminates, and its undefinedness is decidable.

use super::operation::{OperationSymbol, PredicateSymbol};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The position of a term in the source: an index into the list of positions that its [embedding](super::embed)
/// returns.
pub use crate::value::SourceId;

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
    #[doc(alias("trace term", "trace terms"))]
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

/// A type of the core language.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum CoreTy {
    /// The real numbers.
    Real,
    /// The type of `∗`.
    Unit,
    /// `T × U`
    Product(Arc<(CoreTy, CoreTy)>),
}

impl CoreTy {
    /// Makes `T × U`.
    #[must_use]
    pub fn product(left: CoreTy, right: CoreTy) -> CoreTy {
        CoreTy::Product(Arc::new((left, right)))
    }

    /// Makes `T₀ × … × Tₙ₋₁`, nested to the left.
    #[must_use]
    pub fn nested_product(parts: impl IntoIterator<Item = CoreTy>) -> CoreTy {
        parts.into_iter().reduce(CoreTy::product).unwrap_or(CoreTy::Unit)
    }

    /// Makes realⁿ, nested to the left.
    #[must_use]
    pub fn real_vector(n: usize) -> CoreTy {
        CoreTy::nested_product(std::iter::repeat_n(CoreTy::Real, n))
    }

    /// Returns the number of reals in a value of the type.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            CoreTy::Real => 1,
            CoreTy::Unit => 0,
            CoreTy::Product(parts) => parts.0.dimension() + parts.1.dimension(),
        }
    }
}

impl fmt::Display for CoreTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreTy::Real => f.write_str("real"),
            CoreTy::Unit => f.write_str("unit"),
            CoreTy::Product(parts) => match &parts.1 {
                CoreTy::Product(_) => write!(f, "{} × ({})", parts.0, parts.1),
                _ => write!(f, "{} × {}", parts.0, parts.1),
            },
        }
    }
}

impl fmt::Debug for CoreTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A closed value. `R` is the representation of real numbers.
#[derive(Clone, PartialEq)]
pub enum CoreValue<R> {
    /// A real number.
    Real(R),
    /// `∗`
    Unit,
    /// `⟨V, W⟩`
    Pair(Arc<(CoreValue<R>, CoreValue<R>)>),
}

impl<R> CoreValue<R> {
    /// Makes `⟨V, W⟩`.
    #[must_use]
    pub fn pair(left: CoreValue<R>, right: CoreValue<R>) -> CoreValue<R> {
        CoreValue::Pair(Arc::new((left, right)))
    }

    /// Returns the real numbers of the value, from left to right.
    #[must_use]
    pub fn real_components(&self) -> Vec<&R> {
        match self {
            CoreValue::Real(x) => vec![x],
            CoreValue::Unit => Vec::new(),
            CoreValue::Pair(parts) => {
                let mut reals = parts.0.real_components();
                reals.extend(parts.1.real_components());
                reals
            }
        }
    }

    /// Makes the value of a type with these numbers, from left to right. Returns `None` if they are too few.
    pub fn from_reals(ty: &CoreTy, reals: &mut impl Iterator<Item = R>) -> Option<CoreValue<R>> {
        Some(match ty {
            CoreTy::Real => CoreValue::Real(reals.next()?),
            CoreTy::Unit => CoreValue::Unit,
            CoreTy::Product(parts) => {
                let left = CoreValue::from_reals(&parts.0, reals)?;
                CoreValue::pair(left, CoreValue::from_reals(&parts.1, reals)?)
            }
        })
    }

    /// Replaces each real number by its image under `of`, from left to right.
    #[must_use]
    pub fn map<S>(&self, of: &mut impl FnMut(&R) -> S) -> CoreValue<S> {
        match self {
            CoreValue::Real(x) => CoreValue::Real(of(x)),
            CoreValue::Unit => CoreValue::Unit,
            CoreValue::Pair(parts) => {
                let left = parts.0.map(of);
                CoreValue::pair(left, parts.1.map(of))
            }
        }
    }
}

impl<R: fmt::Display> fmt::Display for CoreValue<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreValue::Real(x) => write!(f, "{x}"),
            CoreValue::Unit => f.write_str("()"),
            CoreValue::Pair(parts) => write!(f, "({}, {})", parts.0, parts.1),
        }
    }
}

impl<R: fmt::Debug> fmt::Debug for CoreValue<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreValue::Real(x) => write!(f, "{x:?}"),
            CoreValue::Unit => f.write_str("∗"),
            CoreValue::Pair(parts) => write!(f, "⟨{:?}, {:?}⟩", parts.0, parts.1),
        }
    }
}

/// A substitution of values for free variables. Every binder in its way gets a new variable, so that no free variable
/// of a value is captured.
#[derive(Debug, Default)]
pub struct Renaming(FxHashMap<CoreVariable, CoreTerm>);

impl Renaming {
    /// Renames all bound variables of a term to new ones.
    #[must_use]
    pub fn rename_apart(term: &CoreTerm) -> CoreTerm {
        Renaming::default().apply_to(term)
    }

    /// Returns `M[V/x]`.
    #[must_use]
    pub fn substitute(term: &CoreTerm, x: &CoreVariable, value: CoreTerm) -> CoreTerm {
        let mut renaming = Renaming::default();
        renaming.insert(x, value);
        renaming.apply_to(term)
    }

    /// Adds the substitution of a value for x.
    pub fn insert(&mut self, x: &CoreVariable, value: CoreTerm) {
        self.0.insert(x.clone(), value);
    }

    /// Returns `true` if no variable is substituted.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value for a variable; the variable itself if it is not substituted.
    #[must_use]
    pub fn get(&self, x: &CoreVariable) -> CoreTerm {
        self.0.get(x).cloned().unwrap_or_else(|| CoreTerm::variable(x))
    }

    /// Runs `run` with a value for x, and restores the substitution afterwards.
    // Bindings of the same variable nest, so the outer one must be restored.
    pub fn with_binding<A>(&mut self, x: &CoreVariable, value: CoreTerm, run: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.0.insert(x.clone(), value);
        let found = run(self);
        match before {
            Some(before) => self.0.insert(x.clone(), before),
            None => self.0.remove(x),
        };
        found
    }

    /// Renames a binder x, and applies the substitution to its scope.
    fn rename_binder(&mut self, x: &CoreVariable, body: &CoreTerm) -> (CoreVariable, CoreTerm) {
        let fresh = x.renamed();
        let body = self.with_binding(x, CoreTerm::variable(&fresh), |names| names.apply_to(body));
        (fresh, body)
    }

    /// Applies the substitution to a term.
    pub fn apply_to(&mut self, term: &CoreTerm) -> CoreTerm {
        let kind = with_stack(|| match term.kind() {
            CoreTermKind::Variable(x) => self.0.get(x).map(|value| value.kind().clone()),
            CoreTermKind::Number(_) | CoreTermKind::Unit => None,
            CoreTermKind::Let(x, ty, value, body) => {
                let value = self.apply_to(value);
                let (x, body) = self.rename_binder(x, body);
                Some(CoreTermKind::Let(x, ty.clone(), value, body))
            }
            CoreTermKind::LetRec(definition, rest) => {
                // The function f keeps its name: closures are found by scope, and no value contains function variables.
                let (parameter, body) = self.rename_binder(&definition.parameter, &definition.body);
                let definition = CoreDefinition { parameter, body, ..(**definition).clone() };
                Some(CoreTermKind::LetRec(Arc::new(definition), self.apply_to(rest)))
            }
            CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                let (cotangent, point) = (self.apply_to(cotangent), self.apply_to(point));
                let (variable, body) = self.rename_binder(variable, body);
                Some(CoreTermKind::Reverse { cotangent, point, variable, ty: ty.clone(), body })
            }
            kind => Some(kind.map_children(&mut |part| self.apply_to(part))),
        });
        match kind {
            Some(kind) => CoreTerm::from(kind).with_site(term.site()),
            None => term.clone(),
        }
    }
}

/// Renames functions by `names`, and every definition to a new name: then no definition shadows another one.
#[must_use]
pub fn separate_functions(term: &CoreTerm, names: &FxHashMap<CoreVariable, CoreVariable>) -> CoreTerm {
    let kind = with_stack(|| match term.kind() {
        CoreTermKind::Call(f, argument) => {
            let f = names.get(f).unwrap_or(f).clone();
            CoreTermKind::Call(f, separate_functions(argument, names))
        }
        CoreTermKind::LetRec(definition, rest) => {
            let function = definition.function.renamed();
            let mut inside = names.clone();
            // The new name is in scope in the body as well, since definitions are recursive.
            inside.insert(definition.function.clone(), function.clone());
            let body = separate_functions(&definition.body, &inside);
            let definition = CoreDefinition { function, body, ..(**definition).clone() };
            CoreTermKind::LetRec(Arc::new(definition), separate_functions(rest, &inside))
        }
        kind => kind.map_children(&mut |part| separate_functions(part, names)),
    });
    CoreTerm::from(kind).with_site(term.site())
}

/// Returns the value `0_T`: `0`, `∗` or `⟨0_T, 0_U⟩`.
#[must_use]
pub fn zero_of_type(ty: &CoreTy) -> CoreTerm {
    match ty {
        CoreTy::Real => CoreTerm::number(0),
        CoreTy::Unit => CoreTerm::unit(),
        CoreTy::Product(parts) => {
            CoreTerm::pair(parts.0.clone(), parts.1.clone(), zero_of_type(&parts.0), zero_of_type(&parts.1))
        }
    }
}

/// Makes `let ⟨x : T, y : U⟩ = M in N`.
#[must_use]
pub fn let_pair([x, y]: [&CoreVariable; 2], [t, u]: [&CoreTy; 2], value: CoreTerm, body: CoreTerm) -> CoreTerm {
    // M is evaluated once, under a variable of its own.
    let z = CoreVariable::fresh(&"z".into());
    let whole = || CoreTerm::variable(&z);
    let second = CoreTermKind::Second(t.clone(), u.clone(), whole()).into();
    let first = CoreTermKind::First(t.clone(), u.clone(), whole()).into();
    let body = CoreTerm::bind(x, t.clone(), first, CoreTerm::bind(y, u.clone(), second, body));
    CoreTerm::bind(&z, CoreTy::product(t.clone(), u.clone()), value, body)
}

/// Applies an operation of two reals in each component, as `M +_T N` does for the sum. At type unit both sides are
/// still evaluated, for their definedness.
#[must_use]
pub fn apply_componentwise(
    ty: &CoreTy,
    left: CoreTerm,
    right: CoreTerm,
    of_reals: &dyn Fn(CoreTerm, CoreTerm) -> CoreTerm,
) -> CoreTerm {
    let fresh = || [(); 2].map(|()| CoreVariable::fresh(&"v".into()));
    match ty {
        CoreTy::Real => of_reals(left, right),
        CoreTy::Unit => {
            let [x, y] = fresh();
            CoreTerm::bind(&x, CoreTy::Unit, left, CoreTerm::bind(&y, CoreTy::Unit, right, CoreTerm::unit()))
        }
        CoreTy::Product(parts) => {
            let (t, u) = &**parts;
            let ([x1, x2], [y1, y2]) = (fresh(), fresh());
            let part = |ty: &CoreTy, x: &CoreVariable, y: &CoreVariable| {
                apply_componentwise(ty, CoreTerm::variable(x), CoreTerm::variable(y), of_reals)
            };
            let pair = CoreTerm::pair(t.clone(), u.clone(), part(t, &x1, &y1), part(u, &x2, &y2));
            let_pair([&x1, &x2], [t, u], left, let_pair([&y1, &y2], [t, u], right, pair))
        }
    }
}

/// Makes `M +_T N`.
#[must_use]
pub fn sum_of_type(ty: &CoreTy, left: CoreTerm, right: CoreTerm) -> CoreTerm {
    apply_componentwise(ty, left, right, &CoreTerm::sum)
}

/// Makes `M.rd_L(x : T. N)`.
#[must_use]
pub fn reverse_derivative(
    cotangent: CoreTerm,
    point: CoreTerm,
    x: &CoreVariable,
    ty: &CoreTy,
    body: CoreTerm,
) -> CoreTerm {
    CoreTermKind::Reverse { cotangent, point, variable: x.clone(), ty: ty.clone(), body }.into()
}

/// Makes `grad_L(x : T. N) = 1.rd_L(x : T. N)`.
#[must_use]
pub fn gradient(point: CoreTerm, x: &CoreVariable, ty: &CoreTy, body: CoreTerm) -> CoreTerm {
    reverse_derivative(CoreTerm::number(1), point, x, ty, body)
}

/// Makes `M.fd_{U,L}(x : T. N) = M.rd_{0_U}(y : U. y.rd_L(x : T. N))`: forward mode is reverse mode of reverse mode,
/// since the inner `rd` is linear in y. The point L is evaluated once, outside.
#[must_use]
#[doc(alias = "fd")]
pub fn forward_derivative(
    direction: CoreTerm,
    point: CoreTerm,
    x: &CoreVariable,
    [t, u]: [&CoreTy; 2],
    body: CoreTerm,
) -> CoreTerm {
    let (y, at) = (CoreVariable::fresh(&"w".into()), CoreVariable::fresh(x.name()));
    let inner = reverse_derivative(CoreTerm::variable(&y), CoreTerm::variable(&at), x, t, body);
    CoreTerm::bind(&at, t.clone(), point, reverse_derivative(direction, zero_of_type(u), &y, u, inner))
}

/// Returns `M⁽ⁿ⁾`: every `letrec` becomes `letrecₙ`.
#[must_use]
#[doc(alias("letrec_n", "M⁽ⁿ⁾"))]
pub fn approximant(term: &CoreTerm, n: u64) -> CoreTerm {
    let mut kind = term.kind().map_children(&mut |part| with_stack(|| approximant(part, n)));
    if let CoreTermKind::LetRec(definition, _) = &mut kind {
        *definition = Arc::new(CoreDefinition { limit: Some(n), ..(**definition).clone() });
    }
    CoreTerm::from(kind).with_site(term.site())
}
