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

use super::dynamic::Element;
use crate::smooth::graph::{Graph, Guard, Variable};
use crate::smooth::substitution::Substitution;
use crate::value::{TruthType, ValueError};

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
                format!("a condition on real numbers that chooses {}: there is nothing for the border", then.kind());
            return Err(ValueError::Unsupported { model: "presheaf", construct });
        }
    })
}
