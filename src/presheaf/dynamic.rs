//! `Dynamic`: the presheaf whose elements are the values of the language (S §5, Figs 5 and 6).
//!
//! | element at stage Γ | of the presheaf | S |
//! |---|---|---|
//! | [`Element::Real`] | representable: Γ ⇝ ℝ | §5.1 |
//! | [`Element::Natural`], [`Element::Boolean`], [`Element::Unit`] | constant: stages are connected | §8.1 |
//! | [`Element::Tuple`] | product, componentwise | Fig. 6 |
//! | [`Element::Variant`], [`Element::List`] | sums: stages are connected, so the constructor is constant | H §5.1 |
//! | [`Element::Function`] | exponential: `∫_Δ (Δ ⇝ Γ) × A(Δ) → B(Δ)` | Fig. 6 |
//! | [`Element::Tangent`] | Tan, a coend | §5.3 |
//! | [`Element::Isomorphism`] | a pair of functions `{to, from}` | Fig. 2 |
//!
//! A function is applied at any later stage: since weakening is the identity, [`Function::apply`] takes an argument from
//! whatever stage extends its own. Restriction along a substitution is lazy at functions, which is right because
//! application is natural.

use super::error::PresheafError;
use super::nested::Nested;
use super::sequence::Sequence;
use super::tangent::Tangent;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::deep;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::Arc;

/// A value of the language at some stage; see the [module](self).
#[derive(Clone, Debug, Default)]
pub enum Element {
    /// A map Γ ⇝ ℝ.
    Real(Graph),
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Boolean(bool),
    /// The only value of type unit.
    #[default]
    Unit,
    /// A tuple.
    Tuple(Arc<[Element]>),
    /// An element of a sum: the number of the summand, and an element of it.
    Variant(usize, Nested<Element>),
    /// A list.
    List(Sequence<Element>),
    /// A function.
    Function(Function),
    /// A tangent.
    Tangent(Arc<Tangent>),
    /// A pair of functions back and forth.
    Isomorphism(Function, Function),
}

/// What a function does. It is natural: an implementation treats the variables of its argument as it finds them. With the
/// presheaves in its type it is a [`Natural`](super::exponential::Natural).
pub trait Rule: Send + Sync {
    /// The function at an argument from any later stage.
    ///
    /// # Errors
    /// [`PresheafError`]: an argument of the wrong type, a computation that does not end.
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError>;
}

impl<F: Fn(&Element) -> Result<Element, PresheafError> + Send + Sync> Rule for F {
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
        self(argument)
    }
}

/// An element of an exponential. Safe to apply and to drop however many restrictions lie over one another.
#[derive(Clone)]
pub struct Function(Option<Arc<dyn Rule>>);

impl Drop for Function {
    fn drop(&mut self) {
        let rule = self.0.take();
        if rule.as_ref().is_some_and(|rule| Arc::strong_count(rule) == 1) {
            deep(|| drop(rule));
        }
    }
}

impl Function {
    /// The function that does this.
    pub fn new(f: impl Rule + 'static) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// The function at an argument from any later stage.
    ///
    /// # Errors
    /// Those of [`Rule::apply`].
    pub fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
        match &self.0 {
            Some(rule) => deep(|| rule.apply(argument)),
            // only while it is dropped
            None => Err(PresheafError::Mismatch { expected: "a function", found: "none" }),
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<function>")
    }
}

/// A function restricted along a substitution ρ.
///
/// Application is natural, so `(f·ρ)(x) = (f(x))·ρ` where x does not mention the variables that ρ replaces. An argument
/// that may do so (the stage at which it is given may have coordinates of the same name) is moved out of the way first:
/// with t fresh, `(f·ρ)(x) = (f(x[v := t]))·(ρ, t := v)`.
struct Restricted {
    function: Function,
    bindings: Vec<(Variable, Graph)>,
}

impl Rule for Restricted {
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
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

/// The identity of an element with parts: where the parts are, and of a variant the number of the summand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Address(usize, usize);

impl Element {
    /// A tuple.
    #[must_use]
    pub fn tuple(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Tuple(parts.into_iter().collect())
    }

    /// A function.
    pub fn function(f: impl Fn(&Self) -> Result<Self, PresheafError> + Send + Sync + 'static) -> Self {
        Self::Function(Function::new(f))
    }

    /// The restriction of the element along a substitution of graphs for variables.
    #[must_use]
    pub fn restrict(&self, bindings: &[(Variable, Graph)]) -> Self {
        self.restrict_along(&mut Restriction { along: Substitution::new(bindings), done: FxHashMap::default() })
    }

    /// What two elements with parts share only when they are the same.
    pub(super) fn address(&self) -> Option<Address> {
        match self {
            Self::Tuple(parts) => Some(Address(0, Arc::as_ptr(parts) as *const Self as usize)),
            Self::Variant(index, argument) => Some(Address(*index, argument.address())),
            Self::List(list) => Some(Address(0, list.address())),
            _ => None,
        }
    }

    /// The parts of a tuple, of a variant or of a list.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Tuple(parts) => Box::new(parts.iter()),
            Self::Variant(_, argument) => Box::new(std::iter::once(&**argument)),
            Self::List(list) => Box::new(list.iter()),
            _ => Box::new(std::iter::empty()),
        }
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
            Self::Natural(_) | Self::Boolean(_) | Self::Unit => self.clone(),
            Self::Tuple(parts) => Self::tuple(parts.iter().map(|p| p.restrict_along(restriction))),
            Self::Variant(index, argument) => Self::Variant(*index, Nested::new(argument.restrict_along(restriction))),
            Self::List(list) => Self::List(list.iter().map(|p| p.restrict_along(restriction)).collect()),
            Self::Function(f) => Self::Function(restricted(f, along.bindings())),
            Self::Tangent(t) => {
                let clash = |v: &Variable| along.bindings().iter().any(|(w, g)| w == v || g.depends_on(*v));
                let t = if t.variables.iter().any(clash) { Arc::new(t.renamed()) } else { t.clone() };
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
                Self::Function(_) | Self::Tangent(_) | Self::Isomorphism(..) => return true,
                _ if element.address().is_some_and(|address| seen.insert(address)) => waiting.extend(element.parts()),
                _ => {}
            }
        }
        false
    }

    /// The kind of the element, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Real(_) => "a real number",
            Self::Natural(_) => "a natural number",
            Self::Boolean(_) => "a truth value",
            Self::Unit => "the unit value",
            Self::Tuple(_) => "a tuple",
            Self::Variant(..) => "a variant",
            Self::List(_) => "a list",
            Self::Function(_) => "a function",
            Self::Tangent(_) => "a tangent",
            Self::Isomorphism(..) => "an isomorphism",
        }
    }

    fn mismatch(&self, expected: &'static str) -> PresheafError {
        PresheafError::Mismatch { expected, found: self.kind() }
    }

    /// The graph of a real number.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_real(&self) -> Result<&Graph, PresheafError> {
        match self {
            Self::Real(g) => Ok(g),
            _ => Err(self.mismatch("a real number")),
        }
    }

    /// The natural number.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_natural(&self) -> Result<u64, PresheafError> {
        match self {
            Self::Natural(n) => Ok(*n),
            _ => Err(self.mismatch("a natural number")),
        }
    }

    /// The truth value.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_boolean(&self) -> Result<bool, PresheafError> {
        match self {
            Self::Boolean(b) => Ok(*b),
            _ => Err(self.mismatch("a truth value")),
        }
    }

    /// The components of a tuple.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_tuple(&self) -> Result<&[Self], PresheafError> {
        match self {
            Self::Tuple(parts) => Ok(parts),
            _ => Err(self.mismatch("a tuple")),
        }
    }

    /// The two components of a pair.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_pair(&self) -> Result<(&Self, &Self), PresheafError> {
        match self.as_tuple()? {
            [a, b] => Ok((a, b)),
            _ => Err(self.mismatch("a pair")),
        }
    }

    /// The number of the summand, and the element of it.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_variant(&self) -> Result<(usize, &Self), PresheafError> {
        match self {
            Self::Variant(index, argument) => Ok((*index, argument)),
            _ => Err(self.mismatch("a variant")),
        }
    }

    /// The list.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_list(&self) -> Result<&Sequence<Self>, PresheafError> {
        match self {
            Self::List(list) => Ok(list),
            _ => Err(self.mismatch("a list")),
        }
    }

    /// The function.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_function(&self) -> Result<&Function, PresheafError> {
        match self {
            Self::Function(f) => Ok(f),
            _ => Err(self.mismatch("a function")),
        }
    }

    /// The tangent.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_tangent(&self) -> Result<&Arc<Tangent>, PresheafError> {
        match self {
            Self::Tangent(t) => Ok(t),
            _ => Err(self.mismatch("a tangent")),
        }
    }
}

fn restricted(f: &Function, bindings: &[(Variable, Graph)]) -> Function {
    Function::new(Restricted { function: f.clone(), bindings: bindings.to_vec() })
}
