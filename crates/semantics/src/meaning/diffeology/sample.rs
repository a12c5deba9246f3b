//! Random elements of a type at a stage of n coordinates, and the numbers observed in elements.
//!
//! A random function A → B is a random element of B at a stage with one coordinate more. A number observed in the argument is
//! substituted for that coordinate. All numbers are smooth functions of the coordinates.

use crate::diffeology::DiffeologyError;
use crate::diffeology::reparametrisation::number;
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::untyped::variables;
use crate::stack::deep;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Nested;
use crate::value::Sequence;
use crate::value::Truth;
use crate::value::ValueError;

/// The greatest length of a random list; a choice.
const LONGEST: usize = 2;
/// The most parts of a random element; a choice.
const MOST_PARTS: usize = 2_000;

/// Fails unless a type has a space whose elements can be drawn. Such a type is made of `Real`, `Nat`, `Bool`, `unit`, tuples,
/// functions and types with constructors, and its elements are not too large to draw.
///
/// # Errors
/// [`DiffeologyError::Shape`], with the part at fault.
pub fn inhabited(ty: &Ty) -> Result<(), DiffeologyError> {
    let mut size = 0;
    counted(ty, &mut size)
}

/// Adds to `size` the parts that a random element of a type may have.
fn counted(ty: &Ty, size: &mut usize) -> Result<(), DiffeologyError> {
    *size += 1;
    if *size > MOST_PARTS {
        let expected = format!("a type whose elements have at most {MOST_PARTS} parts");
        return Err(DiffeologyError::Shape { expected, found: "a larger one".to_owned() });
    }
    let mut all = |parts: &[Ty]| parts.iter().try_for_each(|part| deep(|| counted(part, size)));
    match ty.kind() {
        TyKind::Real | TyKind::Nat | TyKind::Bool | TyKind::Unit => Ok(()),
        TyKind::Tuple(parts) => all(parts),
        TyKind::Function(a, b) => all(&[a.clone(), b.clone()]),
        TyKind::Data(data, arguments) if data.is_list() => (0..LONGEST).try_for_each(|_| all(arguments)),
        TyKind::Data(data, arguments) => all(&data.domains(arguments)),
        _ => {
            let expected = "a type of numbers, tuples, functions and constructors".to_owned();
            Err(DiffeologyError::Shape { expected, found: ty.to_string() })
        }
    }
}

/// Draws a random element at the stage of n coordinates.
#[must_use]
pub fn element(ty: &Ty, dimension: usize, random: &mut Random) -> Element {
    match ty.kind() {
        TyKind::Nat => Element::Natural(random.below(4) as u64),
        TyKind::Bool => Element::truth(random.chance(50)),
        TyKind::Unit => Element::Unit,
        TyKind::Tuple(parts) => Element::tuple(parts.iter().map(|part| deep(|| element(part, dimension, random)))),
        TyKind::Data(data, arguments) if data.is_list() => {
            let mut one = || deep(|| element(&arguments[0], dimension, random));
            // all elements are drawn, whatever the length: later draws do not depend on it
            let list: Vec<Element> = (0..LONGEST).map(|_| one()).collect();
            let length = random.below(LONGEST + 1);
            Element::List(list.into_iter().take(length).collect::<Sequence<_>>())
        }
        TyKind::Data(data, arguments) if data.width() > 0 => {
            let index = random.below(data.width());
            let argument = deep(|| element(&data.domains(arguments)[index], dimension, random));
            Element::Variant(index, Nested::new(argument))
        }
        TyKind::Function(from, to) => {
            let body = deep(|| element(to, dimension + 1, random));
            // the last coordinate is the hole for the number observed in the argument
            let (from, which, hole) = (from.clone(), random.next(), variables(dimension + 1)[dimension]);
            Element::function(move |argument| Ok(body.restrict(&[(hole, observed(&from, argument, which)?)])))
        }
        _ => Element::Real(number(random, dimension)),
    }
}

fn plus(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns a number that depends smoothly on an element. `which` selects the arguments at which functions are observed.
///
/// # Errors
/// [`ValueError`] of a function that is applied.
pub fn observed(ty: &Ty, x: &Element, which: u64) -> Result<Graph, ValueError> {
    Ok(match (ty.kind(), x) {
        (TyKind::Real, Element::Real(g)) => g.clone(),
        (_, Element::Natural(n)) => Graph::rational((*n).into()),
        (_, Element::Boolean(b)) => Graph::integer(i64::from(b.known() == Some(true))),
        (TyKind::Tuple(types), Element::Tuple(parts)) => {
            let mut sum = Graph::integer(0);
            for (ty, part) in types.iter().zip(parts.iter()) {
                sum = plus(&sum, &deep(|| observed(ty, part, which))?);
            }
            sum
        }
        (TyKind::Data(data, arguments), Element::Variant(index, argument)) if *index < data.width() => {
            let inner = deep(|| observed(&data.domains(arguments)[*index], argument, which))?;
            plus(&inner, &Graph::integer(*index as i64))
        }
        (TyKind::Data(data, arguments), Element::List(list)) if data.is_list() => {
            let mut sum = Graph::integer(0);
            for part in list.iter() {
                sum = plus(&sum, &deep(|| observed(&arguments[0], part, which))?);
            }
            sum
        }
        (TyKind::Function(from, to), Element::Function(f)) => {
            let argument = element(from, 0, &mut Random::new(which));
            deep(|| observed(to, &f.apply(&argument)?, which.rotate_left(7)))?
        }
        _ => Graph::integer(0),
    })
}
