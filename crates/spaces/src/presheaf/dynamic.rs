//! `Dynamic`: the presheaf whose elements are the values of the language (S §5, Figs 5 and 6).
//!
//! | element at stage Γ | of the presheaf | S |
//! |---|---|---|
//! | [`Element::Real`] | representable: Γ ⇝ ℝ | §5.1 |
//! | [`Element::Natural`], [`Element::Unit`] | constant: stages are connected | §8.1 |
//! | [`Element::Boolean`] | constant, or a [guard](super::dynamic) | §8.1, extended |
//! | [`Element::Tuple`] | product, componentwise | Fig. 6 |
//! | [`Element::Variant`], [`Element::List`] | sums: stages are connected, so the constructor is constant | H §5.1 |
//! | [`Element::Function`] | exponential: `∫_Δ (Δ ⇝ Γ) × A(Δ) → B(Δ)` | Fig. 6 |
//! | [`Element::Tangent`] | Tan, a coend | §5.3 |
//! | [`Element::Isomorphism`] | a pair of functions `{to, from}` | Fig. 2 |
//!
//! A function can be applied at any later stage. Weakening is the identity on graphs, so [`StageFunction::apply`] accepts an
//! argument from any stage that extends the stage of the function. Restriction along a substitution is lazy at
//! functions; this is correct because application is natural.
//!
//! # The values of the language as one presheaf
//!
//! The values of the language as one presheaf, [`Dynamic`] (S §5.1, Fig. 6).
//!
//! A stage is a list of coordinates here, and restriction along a map substitutes its components for them. Functions
//! and tangents restrict lazily, as in [`dynamic`](super::dynamic). The laws of presheaves therefore apply to the
//! values of the language.
//!
//! Coordinates are named, not numbered, so weakening costs nothing. Nodes that bind are those of graphs:
//! [`Graph::functional`](crate::diffeology::map) for integrals, roots and optima, and the
//! derivative of a graph for tangents.
//!
//! # Tangents of values of the language
//!
//! `Tan(F)(Γ) = ∫^Δ (Γ ⇝ Δ²) × F(Δ)` (S §5.3).
//!
//! A representative is a stage Δ, a map `Γ ⇝ Δ²` (a point `at` and a direction `along`), and an element over Δ. Here
//! the element may also mention the variables of Γ, which are constant. It abbreviates the representative over Γ × Δ
//! with the map `⟨⟨id, at⟩, ⟨0, along⟩⟩`, which is equal to it in the coend.
//!
//! | here | S |
//! |---|---|
//! | [`tangent_map`] | `tangent_map f`, the action of Tan on maps |
//! | [`tangent_value`] | `tangentValue` |
//! | [`real_to`], [`real_from`] | Prop. 5.2, `tangent_R` |
//! | [`product_to`], [`product_from`] | Prop. 5.1 (E10), `tangentProd` |
//! | [`function_to`], [`function_from`] | Prop. 5.3 (E9), `tangentTo_R` |
//!
//! Prop. 5.3 is an isomorphism only on functions with defined values and derivatives: `x + 0·⊥ = ⊥` (S52).
//!
//! # Truth values at a stage
//!
//! Truth values at a stage, and case distinctions by them (S §8.1, extended).
//!
//! In S §8.1, truth values are constant: stages are connected, so no continuous quantity decides. Here a truth value
//! may also be a [`Guard`]: comparisons of real numbers decide it off a border, and it is ⊥ on the border. Only values
//! with a ⊥ for the border can be selected by a guard: numbers, truth values, tuples of these, and functions into
//! these.
//!
//! The type of the `if` decides whether a choice by a guard is possible. The values do not, so no branch is run to
//! find out. `if g then e else e` is ⊥ on the border and never simplified. A recursion under a guard is refused:
//! both sides are run, so it would not end.
//!
//! # Derivatives of maps of vectors
//!
//! Derivatives of maps of vectors, forward and in reverse.
//!
//! A function from vectors to vectors is applied to fresh coordinates, and the result is a map ℝⁿ ⇝ ℝᵐ of these. So
//! `jvp f x v = J(x)·v` is the derivative of that map, and `rd f x w = J(x)ᵗ·w` its [adjoint](crate::smooth::reverse),
//! the construct of [Abadi and Plotkin 2020](crate::refs::ABADI_PLOTKIN_2020). Coordinates are fresh for every use, so
//! nested derivatives cannot be confused.
//!
//! # Functions of values as arrows
//!
//! The bicartesian closed structure, with lists, on the values of the language (S Fig.
//! 6, H §5.1).
//!
//! Presheaves, diffeological spaces and both sides of the gluing category share this structure. They differ in the
//! equality of arrows, and in the functions that are arrows at all.

use super::Presheaf;
use super::coend::{CoendTangent, LanElement, LanRepresentative, OnStages};
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Binary, Graph, Guard, NodeOperation, Variable};
use crate::smooth::map::{Map, Space, coordinate_graphs, coordinate_variables};
use crate::smooth::reverse::{ReverseHooks, StandardReverseHooks};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use crate::value;
use crate::value::{Apply, Carrier, SharedBox, SharedList, StorageAddress, TruthType, Value, ValueError};
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

/// Returns a function and the substitution that restricts it; `None` for a function that is not restricted.
pub(super) fn peel_restriction(f: &StageFunction) -> Option<(&StageFunction, &[(Variable, Graph)])> {
    f.downcast_action::<RestrictedFunction>().map(|restricted| (&restricted.function, &*restricted.bindings))
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

/// The presheaf of all values of the language. An element at a stage mentions no free variables but the coordinates of
/// the stage.
#[derive(Clone, Copy, Debug)]
pub enum Dynamic {}

impl Presheaf for Dynamic {
    type At<G: MapEnd> = Element;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Element) -> Element {
        let moved = |(v, g): &(Variable, Graph)| !is_variable(g, *v);
        let bindings: Vec<_> = coordinate_variables(along.codomain().size())
            .into_iter()
            .zip(along.components().iter().cloned())
            .filter(moved)
            .collect();
        // A weakening replaces nothing, and must not copy the element.
        if bindings.is_empty() { x.clone() } else { x.restrict(&bindings) }
    }
}

/// Returns `true` if a graph is just the variable `v`.
fn is_variable(g: &Graph, v: Variable) -> bool {
    matches!(g.operation(), NodeOperation::Variable(w) if *w == v)
}

/// Converts a tangent to values of the language to a value of the language.
#[must_use]
pub fn as_value<G: MapEnd>(v: &CoendTangent<Dynamic, G>) -> Element {
    v.with_representative(|v| {
        let bound = coordinate_variables(v.stage().size());
        // The coordinates of Δ and of Γ have the same names, so those of Δ are renamed.
        Element::Tangent(Arc::new(
            TangentElement {
                variables: bound,
                at: v.point().components().to_vec(),
                along: v.velocity().components().to_vec(),
                element: v.element,
            }
            .rename_variables(),
        ))
    })
}

/// Converts a tangent of the language at the stage Γ to a tangent over Γ × Δ, along `⟨⟨id, at⟩, ⟨0, along⟩⟩`. Its
/// element may mention coordinates of Γ, which are constant.
#[must_use]
pub fn as_tangent<G: MapEnd>(space: &Space<G>, v: &TangentElement) -> CoendTangent<Dynamic, G> {
    super::with_stage(v.variables.len(), |stage| {
        let point = space.tuple(stage, |i| space.component_map(&v.at[i]));
        let velocity = space.tuple(stage, |i| space.component_map(&v.along[i]));
        let direction = space.id().pair(&point).pair(&space.zero(space).pair(&velocity));
        let own = coordinate_graphs(space.size() + stage.size()).split_off(space.size());
        let naming: Vec<_> = v.variables.iter().copied().zip(own).collect();
        CoendTangent::new(&direction, &v.element.restrict(&naming))
    })
}

/// Converts a class of values of the language, such as a tangent, by the isomorphisms of Props. 5.1 and 5.2, and that of
/// sums. A number becomes the tuple of the coordinates of T ℝ. Shared parts stay shared. Returns `None` if the element
/// contains a function, a tangent or an isomorphism.
pub(super) fn apply_lan_isos<T: OnStages, G: MapEnd>(v: &LanElement<T, Dynamic, G>) -> Option<Element> {
    v.with_representative(|v| convert_part(&v, &v.element, &mut FxHashMap::default()))
}

/// The results by address of the part.
type ClassMemo = FxHashMap<StorageAddress, Option<Element>>;

/// Converts a part of the element, with the memo.
fn convert_part<T: OnStages, G: MapEnd>(
    v: &LanRepresentative<'_, T, Dynamic, G>,
    x: &Element,
    done: &mut ClassMemo,
) -> Option<Element> {
    let Some(address) = x.storage_address() else { return convert_constructor(v, x, done) };
    if let Some(known) = done.get(&address) {
        return known.clone();
    }
    let result = with_stack(|| convert_constructor(v, x, done));
    done.insert(address, result.clone());
    result
}

/// Converts the outermost constructor of a part, and its parts.
fn convert_constructor<T: OnStages, G: MapEnd>(
    v: &LanRepresentative<'_, T, Dynamic, G>,
    x: &Element,
    done: &mut ClassMemo,
) -> Option<Element> {
    match x {
        Element::Real(g) => {
            // Prop. 5.2: for a tangent, the value and the derivative along the direction.
            let both = v.along.then(&T::map_at(&v.stage().component_map(g)));
            Some(Element::tuple_of(both.components().iter().cloned().map(Element::Real)))
        }
        // Discrete values have zero tangents only.
        Element::Natural(_) | Element::Boolean(_) | Element::Unit => Some(x.clone()),
        Element::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| convert_part(v, part, done)).collect();
            parts.map(Element::tuple_of)
        }
        Element::Variant(index, argument) => {
            Some(Element::Variant(*index, SharedBox::new(convert_part(v, argument, done)?)))
        }
        Element::List(list) => {
            let parts: Option<SharedList<_>> = list.iter().map(|part| convert_part(v, part, done)).collect();
            parts.map(Element::List)
        }
        _ => None,
    }
}

/// A representative of an element of `Tan(F)(Γ)`; see the [module](self). [`TangentElement`](super::coend::CoendTangent) is its
/// counterpart with F in its type.
#[derive(Clone, Debug)]
pub struct TangentElement {
    /// The coordinates of Δ, bound in `element`.
    pub variables: Vec<Variable>,
    /// The point, a map Γ ⇝ Δ.
    pub at: Vec<Graph>,
    /// The direction, a map Γ ⇝ Δ.
    pub along: Vec<Graph>,
    /// The element over Δ.
    pub element: Element,
}

impl TangentElement {
    /// Pairs the coordinates of Δ with the point.
    fn point_bindings(&self) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(self.at.iter().cloned()).collect()
    }

    /// Renames the coordinates of Δ to fresh ones; the tangent stays the same. This is necessary whenever the element
    /// is used as an element over Δ: the current stage may already have the old coordinates, if a tangent is used
    /// within a use of itself.
    #[must_use]
    pub fn rename_variables(&self) -> Self {
        let variables: Vec<_> = self.variables.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> =
            self.variables.iter().copied().zip(variables.iter().map(|v| Graph::variable(*v))).collect();
        let element = self.element.restrict(&renaming);
        Self { variables, at: self.at.clone(), along: self.along.clone(), element }
    }

    /// Returns the tangent with another element over the same point and direction.
    fn with_element(&self, element: Element) -> Element {
        Element::Tangent(Arc::new(Self { element, ..self.clone() }))
    }

    /// Evaluates a graph over Δ at the point.
    fn value_of(&self, g: &Graph) -> Graph {
        g.substitute(&self.point_bindings())
    }

    /// Differentiates a graph over Δ at the point along the direction.
    fn slope_of(&self, g: &Graph) -> Graph {
        Graph::derivative(self.variables.clone(), g.clone(), self.at.clone(), self.along.clone())
    }
}

/// Returns `tangent f : Tan A → Tan B` at `v`.
///
/// # Errors
/// The errors of `f`.
pub fn tangent_map(f: &StageFunction, v: &TangentElement) -> Result<Element, ValueError> {
    let v = v.rename_variables();
    let element = f.apply(&v.element)?;
    Ok(v.with_element(element))
}

/// Returns the base point, `tangentValue : Tan A → A`.
#[must_use]
pub fn tangent_value(v: &TangentElement) -> Element {
    v.element.restrict(&v.point_bindings())
}

/// Returns the value and the derivative, `tangent_R.to : Tan ℜ → ℜ * ℜ`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no real number.
pub fn real_to(v: &TangentElement) -> Result<Element, ValueError> {
    let g = v.element.as_real()?;
    Ok(Element::tuple_of([Element::Real(v.value_of(g)), Element::Real(v.slope_of(g))]))
}

/// Returns `tangent_R.from : ℜ * ℜ → Tan ℜ`, with Δ = ℝ.
#[must_use]
pub fn real_from(value: &Graph, derivative: &Graph) -> Element {
    let variable = Variable::fresh();
    Element::Tangent(Arc::new(TangentElement {
        variables: vec![variable],
        at: vec![value.clone()],
        along: vec![derivative.clone()],
        element: Element::Real(Graph::variable(variable)),
    }))
}

/// Splits a tangent by the projections, `tangentProd.to : Tan (A * B) → Tan A * Tan B`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no tuple.
pub fn product_to(v: &TangentElement) -> Result<Element, ValueError> {
    let parts = v.element.as_tuple()?;
    Ok(Element::tuple_of(parts.iter().map(|p| v.with_element(p.clone()))))
}

/// Joins tangents over Δ₁ × Δ₂, `tangentProd.from : Tan A * Tan B → Tan (A * B)`.
#[must_use]
pub fn product_from(parts: &[Arc<TangentElement>]) -> Element {
    // Both may be the same tangent, and their coordinates must not be confused.
    let parts: Vec<_> = parts.iter().map(|p| p.rename_variables()).collect();
    Element::Tangent(Arc::new(TangentElement {
        variables: parts.iter().flat_map(|p| p.variables.clone()).collect(),
        at: parts.iter().flat_map(|p| p.at.clone()).collect(),
        along: parts.iter().flat_map(|p| p.along.clone()).collect(),
        element: Element::tuple_of(parts.iter().map(|p| p.element.clone())),
    }))
}

/// Returns the values and derivatives at constant arguments, `tangentTo_R.to : Tan (A → ℜ) → (A → ℜ) * (A → ℜ)`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no function.
pub fn function_to(v: &Arc<TangentElement>) -> Result<Element, ValueError> {
    v.element.as_function()?;
    // The functions are applied later, so both keep the tangent.
    let (base, direction) = (v.clone(), v.clone());
    let value = Element::from_closure(move |a| {
        // The argument may mention the old coordinates of Δ, as if they were its own.
        let v = base.rename_variables();
        Ok(Element::Real(v.value_of(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    let slope = Element::from_closure(move |a| {
        let v = direction.rename_variables();
        Ok(Element::Real(v.slope_of(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    Ok(Element::tuple_of([value, slope]))
}

/// Returns the curve `s ↦ f + s·df` at s = 0, over Δ = ℝ: `tangentTo_R.from : (A → ℜ) * (A → ℜ) → Tan (A → ℜ)`.
#[must_use]
pub fn function_from(f: &StageFunction, df: &StageFunction) -> Element {
    let variable = Variable::fresh();
    let (f, df) = (f.clone(), df.clone());
    // `variable` is fresh, so neither function can mention it.
    let element = Element::from_closure(move |a| {
        let step = Graph::binary(Binary::Multiply, &Graph::variable(variable), df.apply(a)?.as_real()?);
        Ok(Element::Real(Graph::binary(Binary::Add, f.apply(a)?.as_real()?, &step)))
    });
    Element::Tangent(Arc::new(TangentElement {
        variables: vec![variable],
        at: vec![Graph::integer(0)],
        along: vec![Graph::integer(1)],
        element,
    }))
}

/// A truth value at a stage.
#[derive(Clone, Debug)]
pub enum StageCondition {
    /// A constant truth value.
    Constant(bool),
    /// A comparison of real numbers. It stays a guard even if the numbers are constant, so that definedness does not
    /// depend on the inputs.
    Guard(Guard),
    /// The answer to "are two numbers different?" or "are they equal?". It is known if they differ, and ⊥ if they are
    /// equal.
    Distinct {
        /// The guard "one number is less than the other". Its border is the set where they are equal.
        difference: Guard,
        /// The truth value if the numbers differ.
        holds: bool,
    },
}

impl From<bool> for StageCondition {
    fn from(value: bool) -> Self {
        Self::Constant(value)
    }
}

impl TruthType for StageCondition {
    fn decided_value(&self) -> Option<bool> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Guard(_) | Self::Distinct { .. } => None,
        }
    }
    fn negate(&self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Guard(guard) => Self::Guard(guard.not()),
            Self::Distinct { difference, holds } => Self::Distinct { difference: difference.clone(), holds: !holds },
        }
    }
}

impl StageCondition {
    /// Converts the condition to a guard.
    #[must_use]
    pub fn to_guard(&self) -> Guard {
        match self {
            Self::Constant(value) => Guard::constant(*value),
            Self::Guard(guard) => guard.clone(),
            // Both sides of the border have the same value, and the border itself is ⊥.
            Self::Distinct { difference, holds } => {
                let known = Guard::constant(*holds);
                difference.choose(&known, &known)
            }
        }
    }

    /// Restricts the condition along a substitution.
    pub(super) fn restrict_along(&self, along: &mut Substitution<'_>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            // A guard is the sign of a number, so substituting in the number is enough.
            Self::Guard(guard) => Self::Guard(Guard::positive(&along.apply(guard.number()))),
            Self::Distinct { difference, holds } => {
                Self::Distinct { difference: Guard::positive(&along.apply(difference.number())), holds: *holds }
            }
        }
    }

    /// Returns `true` if the condition may depend on a coordinate.
    pub(super) fn depends_on(&self, v: Variable) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Guard(guard) | Self::Distinct { difference: guard, .. } => guard.number().depends_on(v),
        }
    }
}

impl std::fmt::Display for StageCondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Guard(_) | Self::Distinct { .. } => f.write_str("a condition on real numbers"),
        }
    }
}

/// Selects `then` where a guard holds and `otherwise` where it fails. The result is ⊥ on the border of the guard.
///
/// # Errors
/// [`ValueError::Unsupported`] for elements without ⊥: natural numbers, variants, lists, tangents, isomorphisms, and elements
/// of different kinds.
pub fn select_element(guard: &Guard, then: &Element, otherwise: &Element) -> Result<Element, ValueError> {
    Ok(match (then, otherwise) {
        (Element::Real(a), Element::Real(b)) => Element::Real(Graph::select(guard, a, b)),
        (Element::Boolean(a), Element::Boolean(b)) => {
            Element::Boolean(StageCondition::Guard(guard.choose(&a.to_guard(), &b.to_guard())))
        }
        (Element::Unit, Element::Unit) => Element::Unit,
        (Element::Tuple(a), Element::Tuple(b)) if a.len() == b.len() => {
            let parts = a.iter().zip(b.iter()).map(|(a, b)| select_element(guard, a, b));
            Element::Tuple(parts.collect::<Result<_, _>>()?)
        }
        // Functions are selected pointwise; a value without ⊥ is reported when they are applied.
        (Element::Function(f), Element::Function(g)) => {
            let (guard, f, g) = (guard.clone(), f.clone(), g.clone());
            Element::from_closure(move |x| select_element(&guard, &f.apply(x)?, &g.apply(x)?))
        }
        _ => {
            let construct =
                format!("a condition on real numbers that chooses {}: there is no value for the border", then.kind());
            return Err(ValueError::Unsupported { model: "presheaf", construct });
        }
    })
}

/// A function of vectors as a map of fresh coordinates.
struct FreshCoordinateMap {
    /// The fresh coordinates, n of them.
    variables: Vec<Variable>,
    /// The n coordinates of the point of differentiation.
    at: Vec<Graph>,
    /// The value of the function at the fresh coordinates.
    value: Element,
}

impl FreshCoordinateMap {
    /// Applies a function to fresh coordinates in the shape of `x`.
    fn from_function(f: &StageFunction, x: &Element) -> Result<Self, ValueError> {
        let at: Vec<_> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let value = f.apply(&x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v))))?;
        Ok(Self { variables, at, value })
    }
}

/// Returns the coordinates of a vector as owned graphs.
fn owned_coordinates(vector: &Element) -> Result<Vec<Graph>, ValueError> {
    Ok(vector.coordinates()?.into_iter().cloned().collect())
}

/// Returns `jvp f x v`, the derivative of f at x along v.
///
/// # Errors
/// The errors of `f`. [`ValueError::Mismatch`] for an argument or value that is no vector.
pub fn forward_derivative(f: &StageFunction, x: &Element, v: &Element) -> Result<Element, ValueError> {
    let (local, along) = (FreshCoordinateMap::from_function(f, x)?, owned_coordinates(v)?);
    let outputs = owned_coordinates(&local.value)?;
    // One derivative for each output, in the shape of the value.
    let mut slopes = outputs
        .into_iter()
        .map(|output| Graph::derivative(local.variables.clone(), output, local.at.clone(), along.clone()));
    Ok(local.value.with_coordinates(&mut slopes))
}

/// Returns `rd f x w`, the transposed derivative of f at x, applied to w.
///
/// # Errors
/// The errors of `f`. [`ValueError::Mismatch`] for an argument or value that is no vector, or if w and the value have
/// different numbers of coordinates.
pub fn reverse_derivative(f: &StageFunction, x: &Element, w: &Element) -> Result<Element, ValueError> {
    reverse_derivative_with(&StandardReverseHooks, f, x, w)
}

/// Like [`reverse_derivative`], with the given hooks of the reverse sweep.
///
/// # Errors
/// The errors of [`reverse_derivative`].
pub fn reverse_derivative_with(
    hooks: &dyn ReverseHooks,
    f: &StageFunction,
    x: &Element,
    w: &Element,
) -> Result<Element, ValueError> {
    let (local, seeds) = (FreshCoordinateMap::from_function(f, x)?, owned_coordinates(w)?);
    let outputs = owned_coordinates(&local.value)?;
    if outputs.len() != seeds.len() {
        return Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function"));
    }
    // One sweep for all outputs: the work does not grow with n.
    let adjoint = Graph::reverse_mode_with(hooks, &local.variables, &outputs, &local.at, &seeds);
    Ok(x.with_coordinates(&mut adjoint.into_iter()))
}

type ValueResult = Result<Element, ValueError>;

/// Returns an arrow with the given action.
fn arrow_from(f: impl Fn(&Element) -> ValueResult + Send + Sync + 'static) -> StageFunction {
    StageFunction::new(f)
}

/// Returns the identity.
#[must_use]
pub fn identity_arrow() -> StageFunction {
    arrow_from(|x| Ok(x.clone()))
}

/// Returns the composite g ∘ f.
#[must_use]
pub fn compose_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let (f, g) = (f.clone(), g.clone());
    arrow_from(move |x| g.apply(&f.apply(x)?))
}

/// Returns the unique arrow ! : A → 1.
#[must_use]
pub fn terminal_arrow() -> StageFunction {
    arrow_from(|_| Ok(Element::Unit))
}

/// Returns ⟨f, g⟩ : X → A × B.
#[must_use]
pub fn pair_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let (f, g) = (f.clone(), g.clone());
    arrow_from(move |x| Ok(Element::tuple_of([f.apply(x)?, g.apply(x)?])))
}

/// Returns the projection πᵢ : A₀ × A₁ → Aᵢ, with i = `index`.
#[must_use]
pub fn projection_arrow(index: usize) -> StageFunction {
    arrow_from(move |x| {
        let (a, b) = x.as_pair()?;
        // Only 0 and 1 occur: the category has binary products.
        Ok(if index == 0 { a } else { b }.clone())
    })
}

/// Returns the curried arrow X → (A ⇒ B) of f : X × A → B.
#[must_use]
pub fn curry_arrow([f]: [&StageFunction; 1]) -> StageFunction {
    let f = f.clone();
    arrow_from(move |x| {
        let (f, x) = (f.clone(), x.clone());
        Ok(Element::from_closure(move |y| f.apply(&Element::tuple_of([x.clone(), y.clone()]))))
    })
}

/// Returns the evaluation (A ⇒ B) × A → B.
#[must_use]
pub fn evaluation_arrow() -> StageFunction {
    arrow_from(|x| {
        let (f, x) = x.as_pair()?;
        f.as_function()?.apply(x)
    })
}

/// Returns the injection inᵢ : Aᵢ → A₀ + A₁, with i = `index`.
#[must_use]
pub fn injection_arrow(index: usize) -> StageFunction {
    arrow_from(move |x| Ok(Element::variant_of(index, x.clone())))
}

/// Returns the copairing [f, g] : A + B → X.
#[must_use]
pub fn copair_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let branches = [f.clone(), g.clone()];
    arrow_from(move |x| {
        let (index, argument) = x.as_variant()?;
        branches[index.min(1)].apply(argument)
    })
}

/// Returns the unique arrow 0 → A. It fails on every argument, because 0 has no elements.
#[must_use]
pub fn initial_arrow() -> StageFunction {
    arrow_from(|x| {
        x.as_variant()?;
        // A placeholder reports the error of an impossible application.
        StageFunction::placeholder().apply(x)
    })
}

/// Returns the arrow 1 → List A of the empty list.
#[must_use]
pub fn nil_arrow() -> StageFunction {
    arrow_from(|_| Ok(Element::List(SharedList::default())))
}

/// Returns the arrow A × List A → List A that prepends an element.
#[must_use]
pub fn cons_arrow() -> StageFunction {
    arrow_from(|x| {
        let (head, rest) = x.as_pair()?;
        Ok(Element::List(rest.as_list()?.with_head(head.clone())))
    })
}

/// Returns the right fold List A → B of z : 1 → B and s : A × B → B.
#[must_use]
pub fn fold_list([start, step]: [&StageFunction; 2]) -> StageFunction {
    let (start, step) = (start.clone(), step.clone());
    arrow_from(move |list| {
        let start = start.apply(&Element::Unit)?;
        list.as_list()?.try_fold_right(start, |x, rest| step.apply(&Element::tuple_of([x.clone(), rest])))
    })
}

/// Returns the fold Tree A → B of z : 1 → B and s : B × A × B → B. The first constructor of a tree is a leaf, the
/// second a node.
#[must_use]
pub fn fold_tree([leaf, node]: [&StageFunction; 2]) -> StageFunction {
    let (leaf, node) = (leaf.clone(), node.clone());
    arrow_from(move |tree| fold_tree_value(&leaf, &node, tree))
}

/// Folds a tree.
fn fold_tree_value(leaf: &StageFunction, node: &StageFunction, tree: &Element) -> Result<Element, ValueError> {
    let (index, argument) = tree.as_variant()?;
    if index == 0 {
        return leaf.apply(&Element::Unit);
    }
    let [left, x, right] = argument.as_tuple()? else {
        return Err(ValueError::Mismatch { expected: "a node with two trees", found: "another" });
    };
    // The depth of a tree is not bounded by its type.
    let [left, right] = [left, right].map(|part| with_stack(|| fold_tree_value(leaf, node, part)));
    node.apply(&Element::tuple_of([left?, x.clone(), right?]))
}
