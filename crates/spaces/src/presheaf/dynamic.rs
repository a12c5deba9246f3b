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
//! A function is applied at any later stage: since weakening is the identity, [`Function::apply`] takes an argument from
//! whatever stage extends its own. Restriction along a substitution is lazy at functions, which is right because
//! application is natural.

use super::condition::Condition;
use super::tangent::Tangent;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::deep;
use crate::value::{self, Address, Carrier, Rule, Value, ValueError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A map Γ ⇝ ℝ stands for a real number, and a guard for a truth value that is not constant.
impl Carrier for Graph {
    type Truth = Condition;
    type Tangent = Tangent;
}

/// A value of the language at some stage; see the [module](self).
pub type Element = Value<Graph>;

/// An element of an exponential: it is natural. With the presheaves in its type it is a
/// [`Natural`](super::exponential::Natural).
pub type Function = value::Function<Graph>;

/// A function restricted along a substitution ρ.
///
/// Application is natural, so `(f·ρ)(x) = (f(x))·ρ` where x does not mention the variables that ρ replaces. An argument
/// that may do so (the stage at which it is given may have coordinates of the same name) is moved out of the way first:
/// with t fresh, `(f·ρ)(x) = (f(x[v := t]))·(ρ, t := v)`.
struct Restricted {
    function: Function,
    bindings: Vec<(Variable, Graph)>,
}

impl Rule<Graph> for Restricted {
    fn apply(&self, argument: &Element) -> Result<Element, ValueError> {
        let clashing: Vec<_> = self.bindings.iter().map(|(v, _)| *v).filter(|v| argument.may_mention(*v)).collect();
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

/// A restriction along a substitution, with its memo: what elements share stays shared.
struct Restriction<'a> {
    along: Substitution<'a>,
    done: FxHashMap<Address, (Element, Element)>,
}

impl Element {
    /// The restriction of the element along a substitution of graphs for variables.
    #[must_use]
    pub fn restrict(&self, bindings: &[(Variable, Graph)]) -> Self {
        self.restrict_along(&mut Restriction { along: Substitution::new(bindings), done: FxHashMap::default() })
    }

    fn restrict_along(&self, restriction: &mut Restriction) -> Self {
        let Some(address) = self.address() else { return self.restrict_here(restriction) };
        if let Some((_, done)) = restriction.done.get(&address) {
            return done.clone();
        }
        let result = deep(|| self.restrict_here(restriction));
        // the key is kept, so that its address is not used again
        restriction.done.insert(address, (self.clone(), result.clone()));
        result
    }

    fn restrict_here(&self, restriction: &mut Restriction) -> Self {
        let along = &mut restriction.along;
        match self {
            Self::Real(g) => Self::Real(along.apply(g)),
            Self::Boolean(b) => Self::Boolean(b.restricted(along)),
            Self::Natural(_) | Self::Unit => self.clone(),
            Self::Tuple(parts) => Self::tuple(parts.iter().map(|p| p.restrict_along(restriction))),
            Self::Variant(index, argument) => Self::variant(*index, argument.restrict_along(restriction)),
            Self::List(list) => Self::List(list.iter().map(|p| p.restrict_along(restriction)).collect()),
            Self::Function(f) => Self::Function(restricted(f, along.bindings())),
            Self::Tangent(t) => {
                let t = if t.variables.iter().any(|v| along.clashes(*v)) { Arc::new(t.renamed()) } else { t.clone() };
                Self::Tangent(Arc::new(Tangent {
                    variables: t.variables.clone(),
                    at: t.at.iter().map(|g| along.apply(g)).collect(),
                    along: t.along.iter().map(|g| along.apply(g)).collect(),
                    element: t.element.restrict_along(restriction),
                }))
            }
            Self::Isomorphism(to, from) => {
                Self::Isomorphism(restricted(to, along.bindings()), restricted(from, along.bindings()))
            }
        }
    }

    /// Whether the element may depend on a coordinate; of a function that is not known.
    fn may_mention(&self, v: Variable) -> bool {
        let (mut waiting, mut seen) = (vec![self], FxHashSet::default());
        while let Some(element) = waiting.pop() {
            match element {
                Self::Real(g) if g.depends_on(v) => return true,
                Self::Boolean(b) if b.depends_on(v) => return true,
                Self::Function(_) | Self::Tangent(_) | Self::Isomorphism(..) => return true,
                _ if element.address().is_some_and(|address| seen.insert(address)) => waiting.extend(element.parts()),
                _ => {}
            }
        }
        false
    }
}

fn restricted(f: &Function, bindings: &[(Variable, Graph)]) -> Function {
    Function::new(Restricted { function: f.clone(), bindings: bindings.to_vec() })
}
