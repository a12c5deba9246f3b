//! The language in diffeological spaces (H §4.1, §5.2; H16, H18, H21).
//!
//! A type denotes a space, [`TypeSpace`], and a closed term of function type a smooth map between two of these, [`smooth_map`].
//! Elements are those of the presheaf semantics: on an open of ℝⁿ, an element at the stage ℝⁿ. So a term acts on plots through
//! the presheaf interpreter. That this action is by smooth maps is a statement that can be refuted. It is refuted for programs
//! with `abs` and the like, which λ_S has and H lacks, where a plot hits a kink.
//!
//! | module | H |
//! |---|---|
//! | [`space`] | ⟦τ⟧ as a diffeological space, §4.1, §5.2; random elements of a type; values of the language as categories: presheaves, spaces |
//! | this module | a first-order type is ⊎ ℝ^{dᵢ}, Prop. 6 (H34); no Euclidean space is ℝ^ℝ, App. A (H17) |
//!
//! # First-order types are disjoint unions of Euclidean spaces
//!
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
//!
//! # No Euclidean space is the space of functions ℝ → ℝ
//!
//! No Euclidean space is the space of functions ℝ → ℝ (H §4, App. A; H17, E39).
//!
//! The polynomials `tₙ(c)(x) = c₀ + c₁x + … + cₙxⁿ` are a smooth map ℝⁿ⁺¹ → Diff(ℝ, ℝ), and evaluation at n + 1 points is a
//! smooth linear map back to ℝⁿ⁺¹. If the matrix of the composite has rank n + 1, the composite is invertible. If Diff(ℝ, ℝ) were
//! isomorphic to ℝᵐ, the derivative of the composite would factor through ℝᵐ, so n + 1 ≤ m. This for all n is a contradiction.
//! Types whose denotations are manifolds are therefore not closed under functions.

pub mod space;

use crate::diffeology::DiffeologyError;
use crate::diffeology::map::SmoothMap;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::Graph;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::library::Library;
use crate::syntax::substitution::find_constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, ValueError};
pub use space::TypeSpace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Interprets a closed term of type A → B as a smooth map ⟦t⟧ : ⟦A⟧ → ⟦B⟧ (H21).
///
/// The map acts on each piece of a piecewise plot.
///
/// # Errors
/// [`DiffeologyError::Shape`] for a type that is no function type or has no space, [`DiffeologyError::Presheaf`] for a term
/// that cannot be interpreted.
///
/// # Examples
/// ```
/// use smoothish_semantics::diffeology::smoothness::default_smoothness_test;
/// use smoothish_semantics::meaning::diffeology::smooth_map;
/// use smoothish_semantics::number::budget::Budget;
/// use smoothish_semantics::syntax::library::Library;
/// use smoothish_semantics::verdict::Verdict;
/// use std::sync::Arc;
/// let library = Library::default();
/// let tried = |program: &str| {
///     let (term, ty) = library.infer_expression(program).expect("it has a type");
///     smooth_map(&term, &ty, &Arc::new(Budget::unlimited()))?.test_smoothness(&default_smoothness_test())
/// };
/// assert_eq!(tried(r"\(f : Real -> Real) => \x => f (f x) * sin x")?, Verdict::Survived);
/// assert!(tried(r"\(x : Real) => abs x")?.is_refuted());
/// # Ok::<(), smoothish_semantics::diffeology::DiffeologyError>(())
/// ```
pub fn smooth_map(
    term: &Term,
    ty: &Ty,
    budget: &Arc<Budget>,
) -> Result<SmoothMap<TypeSpace, TypeSpace>, DiffeologyError> {
    let TyKind::Function(domain, codomain) = ty.kind() else {
        return Err(DiffeologyError::Shape { expected: "a term of function type".into(), found: ty.to_string() });
    };
    // a comparison of reals is undefined on its border, so the term would denote a partial map
    if let Some(constant) = find_constant(term, Constant::compares_reals) {
        return Err(ValueError::Unsupported { model: "diffeology", construct: constant.describe_missing() }.into());
    }
    let (from, to) = (TypeSpace::new(domain.clone())?, TypeSpace::new(codomain.clone())?);
    let function = PresheafInterpreter::new(budget.clone()).interpret_program(term)?;
    let function = function.as_function()?.clone();
    Ok(SmoothMap::new(&from, &to, move |p| p.try_map_pieces(|element: &Element| Ok(function.apply(element)?))))
}

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
#[doc(alias = "first-order types")]
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
    /// use smoothish_semantics::meaning::diffeology::Dimensions;
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

/// The largest n; a choice.
pub const MAX_POLYNOMIAL_DEGREE: usize = 60;

/// Returns the program of tₙ: a function of n + 1 coefficients and of x.
#[must_use]
pub fn polynomial_program(n: usize) -> String {
    let names: Vec<String> = (0..=n).map(|k| format!("c{k}")).collect();
    // Horner's scheme
    let body = names
        .iter()
        .rev()
        .fold(String::new(), |rest, c| if rest.is_empty() { c.clone() } else { format!("({c} + x * {rest})") });
    let binders: String = names.iter().map(|c| format!("\\({c} : Real) => ")).collect();
    format!("{binders}\\(x : Real) => {body}")
}

/// Returns the matrix of evaluation after tₙ, computed by the interpreter: row i is tₙ of each unit vector at the point xᵢ.
///
/// # Errors
/// [`DiffeologyError::Shape`] for n beyond [`MAX_POLYNOMIAL_DEGREE`], and for a value that is not rational;
/// [`DiffeologyError::Presheaf`] of the interpreter.
pub fn evaluation_matrix(n: usize, points: &[Rational]) -> Result<Vec<Vec<Rational>>, DiffeologyError> {
    let shape = |expected: &str, found: String| DiffeologyError::Shape { expected: expected.to_owned(), found };
    if n > MAX_POLYNOMIAL_DEGREE {
        return Err(shape(&format!("a degree of at most {MAX_POLYNOMIAL_DEGREE}"), n.to_string()));
    }
    let library = Library::default();
    let (term, _) = library.infer_expression(&polynomial_program(n)).map_err(|e| shape("a program", e.to_string()))?;
    let family = PresheafInterpreter::new(Arc::new(Budget::unlimited())).interpret_program(&term)?;
    let at = |unit: usize, x: &Rational| {
        let mut function = family.clone();
        for k in 0..=n {
            function = function.as_function()?.apply(&Element::Real(Graph::integer(i64::from(k == unit))))?;
        }
        let value = function.as_function()?.apply(&Element::Real(Graph::rational(x.clone())))?;
        // at rational arguments the graph folds to a constant
        let exact = value.as_real()?.as_rational().cloned();
        exact.ok_or_else(|| shape("a rational number", "another".to_owned()))
    };
    points.iter().map(|x| (0..=n).map(|unit| at(unit, x)).collect()).collect()
}

/// Returns the rank of a matrix of rational numbers, by Gaussian elimination.
#[must_use]
pub fn matrix_rank(mut rows: Vec<Vec<Rational>>) -> usize {
    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
    let mut rank = 0;
    for column in 0..width {
        let Some(pivot) = (rank..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(rank, pivot);
        let (done, below) = rows.split_at_mut(rank + 1);
        for row in below {
            let factor = Rational::from(&row[column] / &done[rank][column]);
            for k in column..width {
                let change = Rational::from(&factor * &done[rank][k]);
                row[k] -= change;
            }
        }
        rank += 1;
    }
    rank
}
