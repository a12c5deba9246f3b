//! Truth values at a stage, and choices by them (S §8.1, extended).
//!
//! S §8.1 has truth values that are constant: stages are connected, so nothing that varies continuously decides. Here a truth
//! value may also be a [`Guard`]: one that comparisons of real numbers decide off a border, and that is ⊥ on it. What is
//! chosen by a guard has to have a ⊥ for the border: numbers, truth values, tuples of such, and functions into such.

use super::dynamic::Element;
use crate::smooth::graph::{Graph, Guard, Variable};
use crate::smooth::substitution::Substitution;
use crate::value::{Truth, ValueError};

/// A truth value at a stage.
#[derive(Clone, Debug)]
pub enum Condition {
    /// One that does not vary.
    Constant(bool),
    /// One that real numbers decide. Also where they are known: that a program has a value does not depend on its inputs.
    Guard(Guard),
    /// Whether two numbers differ, or are equal: known where they do, and ⊥ where they are equal.
    Apart {
        /// The guard that one is the smaller, whose border is where they are equal.
        difference: Guard,
        /// What it is where they differ.
        holds: bool,
    },
}

impl From<bool> for Condition {
    fn from(value: bool) -> Self {
        Self::Constant(value)
    }
}

impl Truth for Condition {
    fn known(&self) -> Option<bool> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Guard(_) | Self::Apart { .. } => None,
        }
    }
    fn negated(&self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Guard(guard) => Self::Guard(guard.not()),
            Self::Apart { difference, holds } => Self::Apart { difference: difference.clone(), holds: !holds },
        }
    }
}

impl Condition {
    /// The condition as a guard.
    #[must_use]
    pub fn guard(&self) -> Guard {
        match self {
            Self::Constant(value) => Guard::constant(*value),
            Self::Guard(guard) => guard.clone(),
            Self::Apart { difference, holds } => {
                let known = Guard::constant(*holds);
                difference.choose(&known, &known)
            }
        }
    }

    /// The restriction along a substitution.
    pub(super) fn restricted(&self, along: &mut Substitution<'_>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Guard(guard) => Self::Guard(Guard::positive(&along.apply(guard.number()))),
            Self::Apart { difference, holds } => {
                Self::Apart { difference: Guard::positive(&along.apply(difference.number())), holds: *holds }
            }
        }
    }

    /// Whether it may depend on a coordinate.
    pub(super) fn depends_on(&self, v: Variable) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Guard(guard) | Self::Apart { difference: guard, .. } => guard.number().depends_on(v),
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Guard(_) | Self::Apart { .. } => f.write_str("a condition on real numbers"),
        }
    }
}

/// One of two elements where a guard holds, the other where it fails, ⊥ on its border.
///
/// # Errors
/// [`ValueError::Lacks`] for elements that have no ⊥: natural numbers, variants, lists, tangents, isomorphisms.
pub fn chosen(guard: &Guard, then: &Element, otherwise: &Element) -> Result<Element, ValueError> {
    Ok(match (then, otherwise) {
        (Element::Real(a), Element::Real(b)) => Element::Real(Graph::select(guard, a, b)),
        (Element::Boolean(a), Element::Boolean(b)) => {
            Element::Boolean(Condition::Guard(guard.choose(&a.guard(), &b.guard())))
        }
        (Element::Unit, Element::Unit) => Element::Unit,
        (Element::Tuple(a), Element::Tuple(b)) if a.len() == b.len() => {
            let parts = a.iter().zip(b.iter()).map(|(a, b)| chosen(guard, a, b));
            Element::Tuple(parts.collect::<Result<_, _>>()?)
        }
        (Element::Function(f), Element::Function(g)) => {
            let (guard, f, g) = (guard.clone(), f.clone(), g.clone());
            Element::function(move |x| chosen(&guard, &f.apply(x)?, &g.apply(x)?))
        }
        _ => {
            let construct =
                format!("a condition on real numbers that chooses {}: there is nothing for the border", then.kind());
            return Err(ValueError::Lacks { model: "presheaf", construct });
        }
    })
}
