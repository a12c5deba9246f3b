//! The values of the language as one presheaf, [`Dynamic`] (S §5.1, Fig. 6).
//!
//! A stage is a list of coordinates here, and restriction along a map substitutes its components for them. Functions
//! and tangents restrict lazily, as in [`dynamic`](super::dynamic). The laws of presheaves therefore apply to the
//! values of the language.

use super::Presheaf;
use super::coend::{Opened, Tangent};
use super::dynamic::Element;
use crate::smooth::dimension::Shape;
use crate::smooth::graph::{Graph, Operation, Variable};
use crate::smooth::map::untyped::{coordinates, variables};
use crate::smooth::map::{Map, Space};
use crate::stack::deep;
use crate::value::Nested;
use crate::value::{Address, Sequence};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The presheaf of all values of the language. An element at a stage mentions no free variables but the coordinates of
/// the stage.
#[derive(Clone, Copy, Debug)]
pub enum Dynamic {}

impl Presheaf for Dynamic {
    type At<G: Shape> = Element;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, x: &Element) -> Element {
        let moved = |(v, g): &(Variable, Graph)| !is(g, *v);
        let bindings: Vec<_> = variables(along.codomain().size())
            .into_iter()
            .zip(along.components().iter().cloned())
            .filter(moved)
            .collect();
        // A weakening replaces nothing, and must not copy the element.
        if bindings.is_empty() { x.clone() } else { x.restrict(&bindings) }
    }
}

/// Returns `true` if a graph is just the variable `v`.
fn is(g: &Graph, v: Variable) -> bool {
    matches!(g.operation(), Operation::Variable(w) if *w == v)
}

/// Converts a tangent to values of the language to a value of the language.
#[must_use]
pub fn as_value<G: Shape>(v: &Tangent<Dynamic, G>) -> Element {
    v.open(|v| {
        let bound = variables(v.stage().size());
        // The coordinates of Δ and of Γ have the same names, so those of Δ are renamed.
        Element::Tangent(Arc::new(
            super::tangent::Tangent {
                variables: bound,
                at: v.point().components().to_vec(),
                along: v.velocity().components().to_vec(),
                element: v.element,
            }
            .renamed(),
        ))
    })
}

/// Converts a tangent of the language at the stage Γ to a tangent over Γ × Δ, along `⟨⟨id, at⟩, ⟨0, along⟩⟩`. Its
/// element may mention coordinates of Γ, which are constant.
#[must_use]
pub fn as_tangent<G: Shape>(space: &Space<G>, v: &super::tangent::Tangent) -> Tangent<Dynamic, G> {
    super::stage::at_a_stage(v.variables.len(), |stage| {
        let point = space.tuple(stage, |i| space.component(&v.at[i]));
        let velocity = space.tuple(stage, |i| space.component(&v.along[i]));
        let direction = space.id().pair(&point).pair(&space.zero(space).pair(&velocity));
        let own = coordinates(space.size() + stage.size()).split_off(space.size());
        let naming: Vec<_> = v.variables.iter().copied().zip(own).collect();
        Tangent::new(&direction, &v.element.restrict(&naming))
    })
}

/// Converts a tangent to values of the language by the isomorphisms of Props. 5.1 and 5.2, and Tan (A + B) ≅ Tan A +
/// Tan B. Shared parts stay shared. Returns `None` if the element contains a function, a tangent or an isomorphism.
pub(super) fn shown<G: Shape>(v: &Tangent<Dynamic, G>) -> Option<Element> {
    v.open(|v| moved(&v, &v.element, &mut FxHashMap::default()))
}

/// The results by address of the part.
type Moved = FxHashMap<Address, Option<Element>>;

/// Converts a part of the element, with the memo.
fn moved<G: Shape>(v: &Opened<'_, Dynamic, G>, x: &Element, done: &mut Moved) -> Option<Element> {
    let Some(address) = x.address() else { return moved_here(v, x, done) };
    if let Some(known) = done.get(&address) {
        return known.clone();
    }
    let result = deep(|| moved_here(v, x, done));
    done.insert(address, result.clone());
    result
}

/// Converts the outermost constructor of a part, and its parts.
fn moved_here<G: Shape>(v: &Opened<'_, Dynamic, G>, x: &Element, done: &mut Moved) -> Option<Element> {
    match x {
        Element::Real(g) => {
            // Prop. 5.2: the value and the derivative along the direction.
            let both = v.direction.then(&v.stage().component(g).with_derivative());
            Some(Element::tuple(both.components().iter().cloned().map(Element::Real)))
        }
        // Discrete values have zero tangents only.
        Element::Natural(_) | Element::Boolean(_) | Element::Unit => Some(x.clone()),
        Element::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| moved(v, part, done)).collect();
            parts.map(Element::tuple)
        }
        Element::Variant(index, argument) => Some(Element::Variant(*index, Nested::new(moved(v, argument, done)?))),
        Element::List(list) => {
            let parts: Option<Sequence<_>> = list.iter().map(|part| moved(v, part, done)).collect();
            parts.map(Element::List)
        }
        _ => None,
    }
}
