//! The values of the language as one presheaf, [`Dynamic`] (S §5.1, Fig. 6).
//!
//! A stage is a list of coordinates here, and restriction along a map substitutes its components for them. Functions
//! and tangents restrict lazily, as in [`dynamic`](super::dynamic). The laws of presheaves therefore apply to the
//! values of the language.
//!
//! Coordinates are named, not numbered, so weakening costs nothing. Nodes that bind are those of graphs:
//! [`Graph::functional`](crate::smooth::graph::Graph::functional) for integrals, roots and optima, and the
//! derivative of a graph for tangents.

use super::Presheaf;
use super::coend::{CoendTangent, TangentRepresentative};
use super::dynamic::Element;
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::map::untyped::{coordinate_graphs, coordinate_variables};
use crate::smooth::map::{Map, Space};
use crate::stack::with_stack;
use crate::value::SharedBox;
use crate::value::{SharedList, StorageAddress};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
            super::tangent::TangentElement {
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
pub fn as_tangent<G: MapEnd>(space: &Space<G>, v: &super::tangent::TangentElement) -> CoendTangent<Dynamic, G> {
    super::stage::with_stage(v.variables.len(), |stage| {
        let point = space.tuple(stage, |i| space.component_map(&v.at[i]));
        let velocity = space.tuple(stage, |i| space.component_map(&v.along[i]));
        let direction = space.id().pair(&point).pair(&space.zero(space).pair(&velocity));
        let own = coordinate_graphs(space.size() + stage.size()).split_off(space.size());
        let naming: Vec<_> = v.variables.iter().copied().zip(own).collect();
        CoendTangent::new(&direction, &v.element.restrict(&naming))
    })
}

/// Converts a tangent to values of the language by the isomorphisms of Props. 5.1 and 5.2, and Tan (A + B) ≅ Tan A +
/// Tan B. Shared parts stay shared. Returns `None` if the element contains a function, a tangent or an isomorphism.
pub(super) fn apply_tangent_isos<G: MapEnd>(v: &CoendTangent<Dynamic, G>) -> Option<Element> {
    v.with_representative(|v| convert_part(&v, &v.element, &mut FxHashMap::default()))
}

/// The results by address of the part.
type TangentMemo = FxHashMap<StorageAddress, Option<Element>>;

/// Converts a part of the element, with the memo.
fn convert_part<G: MapEnd>(
    v: &TangentRepresentative<'_, Dynamic, G>,
    x: &Element,
    done: &mut TangentMemo,
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
fn convert_constructor<G: MapEnd>(
    v: &TangentRepresentative<'_, Dynamic, G>,
    x: &Element,
    done: &mut TangentMemo,
) -> Option<Element> {
    match x {
        Element::Real(g) => {
            // Prop. 5.2: the value and the derivative along the direction.
            let both = v.direction.then(&v.stage().component_map(g).with_derivative());
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
