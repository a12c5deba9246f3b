//! Primitives from outside: an interval extension, and a derivative given as a map.
//!
//! The supplier of an extension is responsible for it. No test can prove that it encloses, or that the derivative is
//! its derivative, so every answer that depends on such a primitive [names it](Map::trusted_primitives). Tests that can refute it
//! run when the primitive is registered, on boxes of its domain:
//!
//! | test | error |
//! |---|---|
//! | the derivative is a map `(N, N) ⇝ ℝ`, for N the domain | [`PrimitiveError::Dimension`] |
//! | the enclosures of a box and of its parts, in both precisions, overlap as they must | [`PrimitiveError::NotEnclosing`] |
//! | the derivative is linear in its direction | [`PrimitiveError::NotLinear`] |
//! | the derivative, and its own, are consistent with the value ([`Consistency`]) | [`PrimitiveError::Inconsistent`], [`PrimitiveError::Doubtful`] |
//!
//! A derivative is tested along steps inside the boxes, so a box that is a point shows nothing about it: each
//! coordinate needs a box with an interior in it ([`PrimitiveError::Point`]). Boxes should be as wide as the domain
//! allows, and several, since an error is found only if a sample meets it. The module
//! [`consistency`](crate::smooth::tower::consistency) says how small an error is found. At the ends and in the middle
//! of a box: an error larger than the variation of the slope in a millionth of its width. Elsewhere: in about a
//! four-thousandth.

mod error;
mod name;

pub use error::PrimitiveError;
pub use name::reserved_words;

use super::probe::{EvalRequest, InputInterval};
use super::untyped::{self, DynMap};
use super::{Map, value::point_intervals};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::extension::Extension;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::dimension::Dim;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::smooth::tower::consistency::{CheckOutcome, Consistency};
use crate::smooth::tower::{Tower, TowerError};
use std::sync::Arc;
use typenum::U1;

/// The budget of one evaluation in a test, in work units. A choice.
const WORK: u64 = 2_000_000;
/// The precisions of the tests: doubles, and one that escalation reaches.
const TIERS: [Precision; 2] = [Precision::Double, Precision::Mpfr(100)];

/// A primitive under test.
#[derive(Clone, Debug)]
pub struct PrimitiveBuilder {
    /// The name.
    pub name: String,
    /// The primitive as a map ℝⁿ ⇝ ℝ.
    pub map: Arc<DynMap>,
    /// The derivative, a map ℝ²ⁿ ⇝ ℝ.
    pub derivative: Arc<DynMap>,
}

impl PrimitiveBuilder {
    /// Encloses a map on a box.
    ///
    /// # Errors
    /// [`PrimitiveError::Evaluation`].
    pub fn enclose_on(
        &self,
        map: &Arc<DynMap>,
        ranges: &[InputInterval],
        tier: Precision,
    ) -> Result<Enclosure, PrimitiveError> {
        let budget = Budget::new(WORK, None, None);
        // solvers need not be accurate: the tests look for disjoint enclosures
        let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
        let found = EvalRequest::for_value(map, ranges.to_vec()).enclose_results(tier, &effort);
        let found = found.map_err(|error| PrimitiveError::Evaluation { name: self.name.clone(), error })?;
        Ok(found.into_iter().next().unwrap_or_else(Enclosure::bottom))
    }

    fn input_count(&self) -> usize {
        self.map.input_count()
    }
}

/// Formats a box.
#[must_use]
pub fn format_box(ranges: &[InputInterval]) -> String {
    let range = |[lo, hi]: &InputInterval| if lo == hi { lo.to_string() } else { format!("[{lo}, {hi}]") };
    format!("({})", ranges.iter().map(range).collect::<Vec<_>>().join(", "))
}

/// Returns the corners with all lower and all upper endpoints, the middle, and the two halves along the first
/// coordinate.
fn sub_boxes(ranges: &[InputInterval]) -> Vec<Vec<InputInterval>> {
    let middle: Vec<_> = ranges.iter().map(|[lo, hi]| Rational::from(lo + hi) / 2).collect();
    let mut parts: Vec<Vec<InputInterval>> = vec![
        point_intervals(&ranges.iter().map(|r| r[0].clone()).collect::<Vec<_>>()),
        point_intervals(&ranges.iter().map(|r| r[1].clone()).collect::<Vec<_>>()),
        point_intervals(&middle),
    ];
    if let (Some([lo, hi]), Some(m)) = (ranges.first(), middle.first()) {
        for half in [[lo.clone(), m.clone()], [m.clone(), hi.clone()]] {
            parts.push([&[half], &ranges[1..]].concat());
        }
    }
    parts
}

/// Tests that the enclosures of a box and of its parts overlap, in both precisions. Returns `true` if any of them was
/// defined.
fn check_enclosing(candidate: &PrimitiveBuilder, ranges: &[InputInterval]) -> Result<bool, PrimitiveError> {
    let mut tried = false;
    for wide_tier in TIERS {
        let wide = candidate.enclose_on(&candidate.map, ranges, wide_tier)?;
        for part in sub_boxes(ranges) {
            for tier in TIERS {
                let narrow = candidate.enclose_on(&candidate.map, &part, tier)?;
                if !wide.overlaps(&narrow) {
                    return Err(PrimitiveError::NotEnclosing {
                        name: candidate.name.clone(),
                        narrow_at: format_box(&part),
                        narrow: Box::new(narrow),
                        wide_at: format_box(ranges),
                        wide: Box::new(wide),
                    });
                }
                tried |= narrow.is_defined();
            }
        }
    }
    Ok(tried)
}

/// Tests that `g(x, 2v - 3w)` overlaps `2·g(x, v) - 3·g(x, w)` on the box and its parts. Returns `true` if any of them
/// was defined.
fn check_linearity(candidate: &PrimitiveBuilder, ranges: &[InputInterval]) -> Result<bool, PrimitiveError> {
    let n = candidate.input_count();
    let all = untyped::coordinate_graphs(3 * n);
    let (x, v, w) = (&all[..n], &all[n..2 * n], &all[2 * n..]);
    let times = |c: i64, g: &Graph| Graph::binary(Binary::Multiply, &Graph::integer(c), g);
    let combination = |a: &Graph, b: &Graph| Graph::binary(Binary::Subtract, &times(2, a), &times(3, b));
    let slope = |v: &[Graph]| candidate.derivative.outputs_at(&[x, v].concat());
    let mixed: Vec<_> = v.iter().zip(w).map(|(v, w)| combination(v, w)).collect();
    let left = Arc::new(DynMap::new(3 * n, slope(&mixed)));
    let right = slope(v).iter().zip(&slope(w)).map(|(a, b)| combination(a, b)).collect();
    let right = Arc::new(DynMap::new(3 * n, right));
    let mut tried = false;
    // small integers, zeros included, that differ between coordinates
    let directions = |seed: i64| (0..n as i64).map(move |i| Rational::from((seed * (i + 2)) % 7 - 3));
    for part in sub_boxes(ranges).into_iter().chain([ranges.to_vec()]) {
        for seed in [1, 4, 5] {
            let pair: Vec<_> = directions(seed).chain(directions(seed + 1)).collect();
            let at = [part.clone(), point_intervals(&pair)].concat();
            for tier in TIERS {
                let (found, expected) =
                    (candidate.enclose_on(&left, &at, tier)?, candidate.enclose_on(&right, &at, tier)?);
                if !found.overlaps(&expected) {
                    return Err(PrimitiveError::NotLinear {
                        name: candidate.name.clone(),
                        at: format_box(&at),
                        found: Box::new(found),
                        expected: Box::new(expected),
                    });
                }
                tried |= found.is_defined() && expected.is_defined();
            }
        }
    }
    Ok(tried)
}

/// Tests that nothing [refutes](Consistency) the derivative on a box. Returns `true` if anything was tested.
fn check_consistency(candidate: &PrimitiveBuilder, ranges: &[InputInterval]) -> Result<bool, PrimitiveError> {
    let evaluation = |error: TowerError| match error {
        TowerError::Jets(error) => PrimitiveError::Evaluation { name: candidate.name.clone(), error },
        error => PrimitiveError::Tower { name: candidate.name.clone(), error: Box::new(error) },
    };
    let tower = Tower::by_jets(candidate.map.outputs(), &untyped::coordinate_variables(candidate.input_count()))
        .map_err(evaluation)?;
    let how = Consistency { orders: 1, samples: 40, seed: 0 };
    match how.refute_within(&tower, &Mpfr::new(100), ranges).map_err(evaluation)? {
        CheckOutcome::Survived { asked } => Ok(asked > 0),
        CheckOutcome::Refuted(why) => Err(PrimitiveError::Inconsistent { name: candidate.name.clone(), why }),
        CheckOutcome::Doubtful(why) => Err(PrimitiveError::Doubtful { name: candidate.name.clone(), why }),
    }
}

impl DynMap {
    /// Registers a primitive ℝⁿ ⇝ ℝ, n = `arity`: an interval extension with a derivative ℝ²ⁿ ⇝ ℝ. The derivative is
    /// built from the primitive itself, which it may mention. See the [module](self) for the tests.
    ///
    /// # Errors
    /// Every [`PrimitiveError`].
    pub fn primitive(
        name: &str,
        arity: usize,
        extension: impl Extension + 'static,
        derivative: impl Fn(&DynMap) -> DynMap + Send + Sync + 'static,
        boxes: &[Vec<InputInterval>],
    ) -> Result<Self, PrimitiveError> {
        name::check_name(name)?;
        let apply =
            move |p: &Arc<Primitive>| Self::new(arity, vec![Graph::primitive(p, untyped::coordinate_graphs(arity))]);
        let derivative = Arc::new(derivative);
        let rule = derivative.clone();
        let value = ValueRule::Extension(Arc::new(extension));
        let primitive = Primitive::with_self(name, arity, value, move |p, x, v| {
            let derivative = rule(&apply(p));
            // a derivative that changes its shape after registration is ⊥
            let fits = (derivative.input_count(), derivative.outputs().len()) == (2 * arity, 1);
            let slope = if fits { derivative.outputs_at(&[x, v].concat()).pop() } else { None };
            slope.unwrap_or_else(|| Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0)))
        });
        let (map, derivative) = (Arc::new(apply(&primitive)), Arc::new(derivative(&apply(&primitive))));
        let (inputs, outputs) = (derivative.input_count(), derivative.outputs().len());
        if (inputs, outputs) != (2 * arity, 1) {
            return Err(PrimitiveError::Dimension { name: name.to_owned(), arity, inputs, outputs });
        }
        let candidate = PrimitiveBuilder { name: name.to_owned(), map, derivative };
        let checked = boxes.iter().map(|ranges| super::range::check_box(arity, ranges)).collect::<Result<Vec<_>, _>>();
        let boxes = checked.map_err(|error| PrimitiveError::Box { name: name.to_owned(), error })?;
        let has_interior = |ranges: &Vec<InputInterval>, i: usize| ranges[i][0] != ranges[i][1];
        let mut coordinates = 0..arity;
        if let Some(coordinate) = coordinates.find(|i| !boxes.is_empty() && !boxes.iter().any(|b| has_interior(b, *i)))
        {
            return Err(PrimitiveError::Point { name: name.to_owned(), coordinate });
        }
        let (mut enclosed, mut is_linear, mut moved) = (false, false, vec![false; arity]);
        for ranges in &boxes {
            enclosed |= check_enclosing(&candidate, ranges)?;
            is_linear |= check_linearity(&candidate, ranges)?;
            if check_consistency(&candidate, ranges)? {
                (0..arity).for_each(|i| moved[i] |= has_interior(ranges, i));
            }
        }
        // every test must have seen something, in every coordinate
        if !enclosed || !is_linear || moved.contains(&false) {
            return Err(PrimitiveError::Untested { name: name.to_owned() });
        }
        Ok(apply(&primitive))
    }
}

impl<N: Dim> Map<N, U1> {
    /// Registers a primitive from outside: an interval extension, and a derivative `(N, N) ⇝ ℝ`. The derivative is
    /// built on demand from the primitive, so that it may mention it.
    ///
    /// It is tested on `boxes`, which lie in its domain and should be wide; see the [module](self) for the tests, and
    /// for the size of errors that they find. The example `own_primitive` registers Lambert's W.
    ///
    /// # Errors
    /// Every [`PrimitiveError`].
    pub fn primitive(
        name: &str,
        extension: impl Extension + 'static,
        derivative: impl Fn(&Self) -> Map<(N, N), U1> + Send + Sync + 'static,
        boxes: &[Vec<InputInterval>],
    ) -> Result<Self, PrimitiveError> {
        let rule = move |own: &DynMap| DynMap::clone(&derivative(&Self::new(own.clone())).as_dyn);
        Ok(Self::new(DynMap::primitive(name, N::SIZE, extension, rule, boxes)?))
    }
}
