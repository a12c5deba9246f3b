//! Random elements of a type at a stage of n coordinates, and the numbers observed in elements.
//!
//! A random function A → B is a random element of B at a stage with one coordinate more. A number observed in the argument is
//! substituted for that coordinate. All numbers are smooth functions of the coordinates.

use crate::diffeology::DiffeologyError;
use crate::diffeology::reparametrisation::draw_smooth_graph;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::untyped::coordinate_variables;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::SharedBox;
use crate::value::SharedList;
use crate::value::TruthType;
use crate::value::ValueError;

/// The greatest length of a random list; a choice.
const MAX_LIST_LENGTH: usize = 2;
/// The most parts of a random element; a choice.
const MAX_ELEMENT_PARTS: usize = 2_000;

/// Fails unless a type has a space whose elements can be drawn. Such a type is made of `Real`, `Nat`, `Bool`, `unit`, tuples,
/// functions and types with constructors, and its elements are not too large to draw.
///
/// # Errors
/// [`DiffeologyError::Shape`], with the part at fault.
pub fn check_drawable(ty: &Ty) -> Result<(), DiffeologyError> {
    let mut size = 0;
    add_parts(ty, &mut size)
}

/// Adds to `size` the parts that a random element of a type may have.
fn add_parts(ty: &Ty, size: &mut usize) -> Result<(), DiffeologyError> {
    *size += 1;
    if *size > MAX_ELEMENT_PARTS {
        let expected = format!("a type whose elements have at most {MAX_ELEMENT_PARTS} parts");
        return Err(DiffeologyError::Shape { expected, found: "a larger one".to_owned() });
    }
    let mut all = |parts: &[Ty]| parts.iter().try_for_each(|part| with_stack(|| add_parts(part, size)));
    match ty.kind() {
        TyKind::Real | TyKind::Nat | TyKind::Bool | TyKind::Unit => Ok(()),
        TyKind::Tuple(parts) => all(parts),
        TyKind::Function(a, b) => all(&[a.clone(), b.clone()]),
        TyKind::Data(data, arguments) if data.is_list() => (0..MAX_LIST_LENGTH).try_for_each(|_| all(arguments)),
        TyKind::Data(data, arguments) => all(&data.argument_types(arguments)),
        _ => {
            let expected = "a type of numbers, tuples, functions and constructors".to_owned();
            Err(DiffeologyError::Shape { expected, found: ty.to_string() })
        }
    }
}

/// Draws a random element at the stage of n coordinates.
#[must_use]
pub fn draw_element(ty: &Ty, dimension: usize, random: &mut SplitMix64) -> Element {
    match ty.kind() {
        TyKind::Nat => Element::Natural(random.next_below(4) as u64),
        TyKind::Bool => Element::from_bool(random.random_bool(50)),
        TyKind::Unit => Element::Unit,
        TyKind::Tuple(parts) => {
            Element::tuple_of(parts.iter().map(|part| with_stack(|| draw_element(part, dimension, random))))
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let mut one = || with_stack(|| draw_element(&arguments[0], dimension, random));
            // all elements are drawn, whatever the length: later draws do not depend on it
            let list: Vec<Element> = (0..MAX_LIST_LENGTH).map(|_| one()).collect();
            let length = random.next_below(MAX_LIST_LENGTH + 1);
            Element::List(list.into_iter().take(length).collect::<SharedList<_>>())
        }
        TyKind::Data(data, arguments) if data.constructor_count() > 0 => {
            let index = random.next_below(data.constructor_count());
            let argument = with_stack(|| draw_element(&data.argument_types(arguments)[index], dimension, random));
            Element::Variant(index, SharedBox::new(argument))
        }
        TyKind::Function(from, to) => {
            let body = with_stack(|| draw_element(to, dimension + 1, random));
            // the last coordinate is the hole for the number observed in the argument
            let (from, which, hole) = (from.clone(), random.next(), coordinate_variables(dimension + 1)[dimension]);
            Element::from_closure(move |argument| Ok(body.restrict(&[(hole, observe_number(&from, argument, which)?)])))
        }
        _ => Element::Real(draw_smooth_graph(random, dimension)),
    }
}

fn add_graphs(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns a number that depends smoothly on an element. `which` selects the arguments at which functions are observed.
///
/// # Errors
/// [`ValueError`] of a function that is applied.
pub fn observe_number(ty: &Ty, x: &Element, which: u64) -> Result<Graph, ValueError> {
    Ok(match (ty.kind(), x) {
        (TyKind::Real, Element::Real(g)) => g.clone(),
        (_, Element::Natural(n)) => Graph::rational((*n).into()),
        (_, Element::Boolean(b)) => Graph::integer(i64::from(b.decided_value() == Some(true))),
        (TyKind::Tuple(types), Element::Tuple(parts)) => {
            let mut sum = Graph::integer(0);
            for (ty, part) in types.iter().zip(parts.iter()) {
                sum = add_graphs(&sum, &with_stack(|| observe_number(ty, part, which))?);
            }
            sum
        }
        (TyKind::Data(data, arguments), Element::Variant(index, argument)) if *index < data.constructor_count() => {
            let inner = with_stack(|| observe_number(&data.argument_types(arguments)[*index], argument, which))?;
            add_graphs(&inner, &Graph::integer(*index as i64))
        }
        (TyKind::Data(data, arguments), Element::List(list)) if data.is_list() => {
            let mut sum = Graph::integer(0);
            for part in list.iter() {
                sum = add_graphs(&sum, &with_stack(|| observe_number(&arguments[0], part, which))?);
            }
            sum
        }
        (TyKind::Function(from, to), Element::Function(f)) => {
            let argument = draw_element(from, 0, &mut SplitMix64::new(which));
            with_stack(|| observe_number(to, &f.apply(&argument)?, which.rotate_left(7)))?
        }
        _ => Graph::integer(0),
    })
}
