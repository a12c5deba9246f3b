//! `Dynamic`: the presheaf whose elements are the values of the language (S §5, Figs 5 and 6).
//!
//! | element at stage Γ | of the presheaf | S |
//! |---|---|---|
//! | [`Element::Real`] | representable: Γ ⇝ ℝ | §5.1 |
//! | [`Element::Natural`], [`Element::Unit`] | constant: stages are connected | §8.1 |
//! | [`Element::Boolean`] | constant, or a [guard](super::condition) | §8.1, extended |
//! | [`Element::Tuple`] | product, componentwise | Fig. 6 |
//! | [`Element::Variant`], [`Element::List`] | sums: stages are connected, so the constructor is constant | H §5.1 |
//! | [`Element::Function`] | exponential: `∫_Δ (Δ ⇝ Γ) × A(Δ) → B(Δ)` | Fig. 6 |
//! | [`Element::Tangent`] | Tan, a coend | §5.3 |
//! | [`Element::Isomorphism`] | a pair of functions `{to, from}` | Fig. 2 |
//!
//! A function can be applied at any later stage. Weakening is the identity on graphs, so [`StageFunction::apply`] accepts an
//! argument from any stage that extends the stage of the function. Restriction along a substitution is lazy at
//! functions; this is correct because application is natural.

use super::condition::StageCondition;
use super::tangent::TangentElement;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use crate::value::{self, Apply, Carrier, StorageAddress, Value, ValueError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Graphs as the real numbers at a stage: a map Γ ⇝ ℝ is a number, and a guard is a truth value that may vary.
impl Carrier for Graph {
    type Truth = StageCondition;
    type Tangent = TangentElement;
}

/// A value of the language at some stage; see the [module](self).
pub type Element = Value<Graph>;

/// An element of an exponential, which is natural. [`ExponentialElement`](super::exponential::ExponentialElement) is its counterpart with the
/// presheaves in its type. [`ExponentialElement`](super::exponential::ExponentialElement).
pub type StageFunction = value::ValueFunction<Graph>;

/// The restriction of a function along a substitution ρ.
///
/// Application is natural, so `(f·ρ)(x) = (f(x))·ρ` if x does not mention the variables that ρ replaces. An argument
/// may mention them: its stage may have coordinates with the same names. Then these are renamed first, to fresh t:
/// `(f·ρ)(x) = (f(x[v := t]))·(ρ, t := v)`.
struct RestrictedFunction {
    function: StageFunction,
    bindings: Vec<(Variable, Graph)>,
}

impl Apply<Graph> for RestrictedFunction {
    fn apply(&self, argument: &Element) -> Result<Element, ValueError> {
        let clashing: Vec<_> = self.bindings.iter().map(|(v, _)| *v).filter(|v| argument.may_mention(*v)).collect();
        // No renaming is needed, which is the common case.
        if clashing.is_empty() {
            return Ok(self.function.apply(argument)?.restrict(&self.bindings));
        }
        let fresh: Vec<_> = clashing.iter().map(|v| (*v, Variable::fresh())).collect();
        let away: Vec<_> = fresh.iter().map(|(v, t)| (*v, Graph::variable(*t))).collect();
        let back = fresh.iter().map(|(v, t)| (*t, Graph::variable(*v)));
        let bindings: Vec<_> = self.bindings.iter().cloned().chain(back).collect();
        Ok(self.function.apply(&argument.restrict(&away))?.restrict(&bindings))
    }
}

/// A restriction along a substitution, with a memo, so that shared parts stay shared.
struct ElementRestriction<'a> {
    along: Substitution<'a>,
    done: FxHashMap<StorageAddress, (Element, Element)>,
}

impl Element {
    /// Restricts the element along a substitution of graphs for variables.
    #[must_use]
    pub fn restrict(&self, bindings: &[(Variable, Graph)]) -> Self {
        self.restrict_along(&mut ElementRestriction { along: Substitution::new(bindings), done: FxHashMap::default() })
    }

    /// Restricts a part, with the memo.
    fn restrict_along(&self, restriction: &mut ElementRestriction) -> Self {
        let Some(address) = self.storage_address() else { return self.restrict_constructor(restriction) };
        if let Some((_, done)) = restriction.done.get(&address) {
            return done.clone();
        }
        let result = with_stack(|| self.restrict_constructor(restriction));
        // The key is kept alive, so that its address is not reused.
        restriction.done.insert(address, (self.clone(), result.clone()));
        result
    }

    /// Restricts the outermost constructor, and its parts.
    fn restrict_constructor(&self, restriction: &mut ElementRestriction) -> Self {
        let along = &mut restriction.along;
        match self {
            Self::Real(g) => Self::Real(along.apply(g)),
            Self::Boolean(b) => Self::Boolean(b.restrict_along(along)),
            Self::Natural(_) | Self::Unit => self.clone(),
            Self::Tuple(parts) => Self::tuple_of(parts.iter().map(|p| p.restrict_along(restriction))),
            Self::Variant(index, argument) => Self::variant_of(*index, argument.restrict_along(restriction)),
            Self::List(list) => Self::List(list.iter().map(|p| p.restrict_along(restriction)).collect()),
            // A closure cannot be opened: the substitution waits until the function is applied.
            Self::Function(f) => Self::Function(restrict_lazily(f, along.bindings())),
            Self::Tangent(t) => {
                // The tangent binds its variables, and must not capture a replacement.
                let t = if t.variables.iter().any(|v| along.needs_renaming(*v)) {
                    Arc::new(t.rename_variables())
                } else {
                    t.clone()
                };
                Self::Tangent(Arc::new(TangentElement {
                    variables: t.variables.clone(),
                    at: t.at.iter().map(|g| along.apply(g)).collect(),
                    along: t.along.iter().map(|g| along.apply(g)).collect(),
                    element: t.element.restrict_along(restriction),
                }))
            }
            Self::Isomorphism(to, from) => {
                Self::Isomorphism(restrict_lazily(to, along.bindings()), restrict_lazily(from, along.bindings()))
            }
        }
    }

    /// Returns `true` if the element may depend on a coordinate. Functions, tangents and isomorphisms always may.
    fn may_mention(&self, v: Variable) -> bool {
        let (mut waiting, mut seen) = (vec![self], FxHashSet::default());
        while let Some(element) = waiting.pop() {
            match element {
                Self::Real(g) if g.depends_on(v) => return true,
                Self::Boolean(b) if b.depends_on(v) => return true,
                // Their bodies are not searched: an unnecessary renaming is harmless.
                Self::Function(_) | Self::Tangent(_) | Self::Isomorphism(..) => return true,
                _ if element.storage_address().is_some_and(|address| seen.insert(address)) => {
                    waiting.extend(element.direct_parts())
                }
                _ => {}
            }
        }
        false
    }
}

/// Returns the lazy restriction of a function.
fn restrict_lazily(f: &StageFunction, bindings: &[(Variable, Graph)]) -> StageFunction {
    StageFunction::new(RestrictedFunction { function: f.clone(), bindings: bindings.to_vec() })
}
