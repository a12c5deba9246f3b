//! First-order types are disjoint unions of Euclidean spaces, ⊎ᵢ ℝ^{dᵢ} (H Prop. 6, H34).
//!
//! The union may be infinite: `List Real` is ⊎ₙ ℝⁿ, and `Nat` a countable union of points. Summands are therefore counted by
//! *weight*, the number of constructors in a value plus its natural numbers. There are finitely many of each weight.
//!
//! | type | summands |
//! |---|---|
//! | `Real` | ℝ¹, of weight 0 |
//! | `unit`, `Bool` | one point, two points, of weight 0 |
//! | `Nat` | a point of each weight |
//! | tuples | products: dimensions and weights are added |
//! | a type with constructors | those of the arguments, of a weight greater by 1 |
//!
//! [`element_coordinates`] is the isomorphism on a summand: it maps an element to its real numbers.

use crate::diffeology::DiffeologyError;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::Graph;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::SharedBox;
use std::collections::BTreeMap;

/// The number of summands of each dimension.
pub type SummandCounts = BTreeMap<usize, u128>;

/// The highest dimension, and the highest weight, that are counted; a choice.
pub const MAX_WEIGHT: usize = 512;
/// The most products of two counts in one count; a choice.
const MAX_COUNT_PRODUCTS: u64 = 4_000_000;
/// The most different types that one type may contain; a choice.
const MAX_PART_TYPES: usize = 256;

/// The summands of a first-order type, counted on demand.
#[derive(Clone, Debug)]
pub struct Dimensions {
    ty: Ty,
    /// The types met so far, with the counts of the weights computed so far.
    known: Vec<(Ty, BTreeMap<usize, SummandCounts>)>,
    /// The products of counts computed so far.
    work: u64,
}

/// Returns the error for a type or number out of range.
fn shape_error(expected: impl Into<String>, found: impl Into<String>) -> DiffeologyError {
    DiffeologyError::Shape { expected: expected.into(), found: found.into() }
}

/// Adds a count to those of a dimension.
fn add_count(into: &mut SummandCounts, dimension: usize, count: u128) -> Result<(), DiffeologyError> {
    let sum = into.entry(dimension).or_default();
    *sum = sum.checked_add(count).ok_or_else(|| shape_error("fewer than 2¹²⁸ summands of one dimension", "more"))?;
    if dimension > MAX_WEIGHT {
        Err(shape_error(format!("dimensions up to {MAX_WEIGHT}"), dimension.to_string()))
    } else {
        Ok(())
    }
}

impl Dimensions {
    /// Builds the counter of a type's summands.
    ///
    /// ```
    /// use smoothish_semantics::meaning::diffeology::dimension::Dimensions;
    /// use smoothish_semantics::syntax::ty::Ty;
    /// // List Real = ⊎ ℝⁿ: n elements are n + 1 constructors
    /// let mut list = Dimensions::of_type(&Ty::list(Ty::real()));
    /// assert_eq!(list.of_weight(4)?, [(3, 1)].into());
    /// assert!(Dimensions::of_type(&Ty::function(Ty::real(), Ty::real())).of_weight(0).is_err());
    /// # Ok::<(), smoothish_semantics::diffeology::DiffeologyError>(())
    /// ```
    #[must_use]
    pub fn of_type(ty: &Ty) -> Self {
        Self { ty: ty.clone(), known: Vec::new(), work: 0 }
    }

    /// Returns the number of summands of a weight, by dimension.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] for a type that is not first-order, beyond [`MAX_WEIGHT`], and if counting takes too long.
    pub fn of_weight(&mut self, weight: usize) -> Result<SummandCounts, DiffeologyError> {
        if weight > MAX_WEIGHT {
            return Err(shape_error(format!("weights up to {MAX_WEIGHT}"), weight.to_string()));
        }
        self.cached_counts(&self.ty.clone(), weight)
    }

    /// Returns the number of summands up to a weight, by dimension.
    ///
    /// # Errors
    /// As for [`Dimensions::of_weight`].
    pub fn up_to(&mut self, weight: usize) -> Result<SummandCounts, DiffeologyError> {
        let mut all = SummandCounts::new();
        for w in 0..=weight {
            for (dimension, count) in self.of_weight(w)? {
                add_count(&mut all, dimension, count)?;
            }
        }
        Ok(all)
    }

    /// Adds to `into` the summands of a product: dimensions are added, counts multiplied.
    fn add_product(
        &mut self,
        left: &SummandCounts,
        right: &SummandCounts,
        into: &mut SummandCounts,
    ) -> Result<(), DiffeologyError> {
        self.work += 1 + (left.len() * right.len()) as u64;
        if self.work > MAX_COUNT_PRODUCTS {
            return Err(shape_error("a smaller type, or a smaller weight", "one with too many summands to count"));
        }
        for (d, m) in left {
            for (e, n) in right {
                let both = m
                    .checked_mul(*n)
                    .ok_or_else(|| shape_error("fewer than 2¹²⁸ summands of one dimension", "more"))?;
                add_count(into, d + e, both)?;
            }
        }
        Ok(())
    }

    /// Returns the summands of a type and weight, from the table if they were counted before.
    fn cached_counts(&mut self, ty: &Ty, weight: usize) -> Result<SummandCounts, DiffeologyError> {
        let place = self.known.iter().position(|(known, _)| known == ty);
        if let Some(counts) = place.and_then(|place| self.known[place].1.get(&weight)) {
            return Ok(counts.clone());
        }
        let counts = with_stack(|| self.count_summands(ty, weight))?;
        let place = match self.known.iter().position(|(known, _)| known == ty) {
            Some(place) => place,
            None if self.known.len() >= MAX_PART_TYPES => {
                return Err(shape_error(format!("a type made of at most {MAX_PART_TYPES}"), "more"));
            }
            None => {
                self.known.push((ty.clone(), BTreeMap::new()));
                self.known.len() - 1
            }
        };
        self.known[place].1.insert(weight, counts.clone());
        Ok(counts)
    }

    /// Counts the summands of a type and weight.
    fn count_summands(&mut self, ty: &Ty, weight: usize) -> Result<SummandCounts, DiffeologyError> {
        let light = |counts: SummandCounts| if weight == 0 { counts } else { SummandCounts::new() };
        Ok(match ty.kind() {
            TyKind::Real => light([(1, 1)].into()),
            TyKind::Unit => light([(0, 1)].into()),
            TyKind::Bool => light([(0, 2)].into()),
            TyKind::Nat => [(0, 1)].into(),
            TyKind::Tuple(parts) => {
                // the summands of the first few components, by weight: a convolution over the components
                let mut so_far = vec![SummandCounts::new(); weight + 1];
                so_far[0] = [(0, 1)].into();
                for part in parts {
                    let of_part = (0..=weight).map(|w| self.cached_counts(part, w)).collect::<Result<Vec<_>, _>>()?;
                    let mut next = vec![SummandCounts::new(); weight + 1];
                    for (w, left) in so_far.iter().enumerate() {
                        for (v, right) in of_part.iter().enumerate().take(weight + 1 - w) {
                            self.add_product(left, right, &mut next[w + v])?;
                        }
                    }
                    so_far = next;
                }
                so_far.pop().unwrap_or_default()
            }
            TyKind::Data(data, arguments) => {
                let mut all = SummandCounts::new();
                // a constructor has weight 1, which also makes the recursion of a recursive type end
                if let Some(rest) = weight.checked_sub(1) {
                    for domain in data.argument_types(arguments) {
                        for (dimension, count) in self.cached_counts(&domain, rest)? {
                            add_count(&mut all, dimension, count)?;
                        }
                    }
                }
                all
            }
            _ => return Err(shape_error("a first-order type", ty.to_string())),
        })
    }
}

/// Returns the real numbers in an element, in order: its coordinates in ℝ^d, where d is the dimension of its summand.
///
/// # Errors
/// [`DiffeologyError::Shape`] for an element that contains a function or a tangent; [`DiffeologyError::Presheaf`] for one
/// that is too large.
pub fn element_coordinates(element: &Element) -> Result<Vec<Graph>, DiffeologyError> {
    element.check_size()?;
    let (mut waiting, mut found) = (vec![element], Vec::new());
    while let Some(element) = waiting.pop() {
        match element {
            Element::Real(g) => found.push(g.clone()),
            Element::Function(_) | Element::Tangent(_) | Element::Isomorphism(..) => {
                return Err(shape_error("an element of first-order type", element.kind().noun_phrase()));
            }
            _ => {
                let parts: Vec<_> = element.direct_parts().collect();
                waiting.extend(parts.into_iter().rev());
            }
        }
    }
    Ok(found)
}

/// Returns the element of the same summand with other coordinates.
///
/// # Errors
/// Those of [`element_coordinates`]; [`DiffeologyError::Dimension`] for another number of coordinates.
pub fn with_coordinates(element: &Element, graphs: &[Graph]) -> Result<Element, DiffeologyError> {
    DiffeologyError::check_dimension("the list of coordinates", element_coordinates(element)?.len(), graphs.len())?;
    let mut next = graphs.iter();
    Ok(replace_coordinates(element, &mut next))
}

fn replace_coordinates(element: &Element, next: &mut std::slice::Iter<Graph>) -> Element {
    let mut of = |part: &Element| with_stack(|| replace_coordinates(part, next));
    match element {
        Element::Real(g) => Element::Real(next.next().unwrap_or(g).clone()),
        Element::Tuple(parts) => Element::tuple_of(parts.iter().map(of)),
        Element::Variant(index, argument) => Element::Variant(*index, SharedBox::new(of(argument))),
        Element::List(list) => Element::List(list.iter().map(of).collect()),
        other => other.clone(),
    }
}
