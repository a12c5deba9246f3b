//! Primitives from outside: an interval extension, and a derivative given as a map.
//!
//! The supplier of an extension is responsible for it. No test can prove that it encloses, or that the derivative is
//! its derivative, so every answer that depends on such a primitive [names it](super::Map::trusted_primitives). Tests that can refute it
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
//!
//! # Errors in building or evaluating a map
//!
//! Errors in building or evaluating a map. An undefined value is not an error: it is the answer ⊥.
//!
//! # Errors in registering a primitive from outside
//!
//! # Names of primitives
//!
//! A printed map is a program of the language, so the name of a primitive must have no other meaning there. This layer
//! does not depend on the language; a test compares the list with it.
//!
//! # Trusted primitives
//!
//! The primitives from outside that a map mentions, whose enclosures are assumed.

use super::DynMap;
use super::range::{EvalRequest, InputInterval, point_intervals};
use crate::function::{Function, Planar, SpecialId};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::MOST_MONOMIALS;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::map;
use crate::smooth::primitive::Primitive;
use crate::smooth::tower::consistency::{CheckOutcome, Consistency, Discrepancy, TowerRefutation};
use crate::smooth::tower::{Tower, TowerError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
pub(crate) fn check_enclosing(candidate: &PrimitiveBuilder, ranges: &[InputInterval]) -> Result<bool, PrimitiveError> {
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
pub(crate) fn check_linearity(candidate: &PrimitiveBuilder, ranges: &[InputInterval]) -> Result<bool, PrimitiveError> {
    let n = candidate.input_count();
    let all = map::coordinate_graphs(3 * n);
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
pub(crate) fn check_consistency(
    candidate: &PrimitiveBuilder,
    ranges: &[InputInterval],
) -> Result<bool, PrimitiveError> {
    let evaluation = |error: TowerError| match error {
        TowerError::Jets(error) => PrimitiveError::Evaluation { name: candidate.name.clone(), error },
        error => PrimitiveError::Tower { name: candidate.name.clone(), error: Box::new(error) },
    };
    let tower = Tower::by_jets(candidate.map.outputs(), &map::coordinate_variables(candidate.input_count()))
        .map_err(evaluation)?;
    let how = Consistency { orders: 1, samples: 40, seed: 0 };
    match how.refute_within(&tower, &Mpfr::new(100), ranges).map_err(evaluation)? {
        CheckOutcome::Survived { asked } => Ok(asked > 0),
        CheckOutcome::Refuted(why) => Err(PrimitiveError::Inconsistent { name: candidate.name.clone(), why }),
        CheckOutcome::Doubtful(why) => Err(PrimitiveError::Doubtful { name: candidate.name.clone(), why }),
    }
}

/// An error of a smoothish map.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A slice of the wrong length. Arrays of the wrong length do not compile.
    #[error("{what} has {found} {unit}{}, but {expected} {} needed here", plural_suffix(*found), if *expected == 1 { "is" } else { "are" })]
    Length {
        /// The argument.
        what: &'static str,
        /// The unit that is counted.
        unit: &'static str,
        /// The required number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// There is no such coordinate.
    #[error("there is no coordinate {index} in a space of dimension {dimension}: they are counted from 0")]
    Coordinate {
        /// The requested coordinate.
        index: usize,
        /// The dimension.
        dimension: usize,
    },
    /// A graph mentions a variable that is not among the inputs.
    #[error("the graph mentions {variable:?}, which is not among the inputs of the map")]
    Unbound {
        /// The variable.
        variable: Variable,
    },
    /// An input that is not a real number.
    #[error("coordinate {index} (counted from 0) of {what} is {value}, which is no real number")]
    NotFinite {
        /// The argument: the point, or the direction.
        what: &'static str,
        /// The index of the coordinate.
        index: usize,
        /// The value.
        value: f64,
    },
    /// An interval with its endpoints in the wrong order.
    #[error("coordinate {index} of the box is [{lo}, {hi}], with its ends in the wrong order")]
    ReversedInterval {
        /// The index of the coordinate.
        index: usize,
        /// The lower endpoint as given.
        lo: Box<Rational>,
        /// The upper endpoint as given.
        hi: Box<Rational>,
    },
    /// A tolerance that is not positive.
    #[error("the tolerance is {eps}, but it must be greater than 0")]
    Tolerance {
        /// The tolerance as given.
        eps: Box<Rational>,
    },
    /// More directions than a jet can hold.
    #[error(
        "{found} directions are too many: a jet has at most {MOST_MONOMIALS} monomials, and each direction doubles them, so \
         at most {most} fit; along one direction, `taylor_at` goes further"
    )]
    Directions {
        /// The actual number.
        found: usize,
        /// The largest number that fits.
        most: u32,
    },
    /// An order that is higher than a jet can hold.
    #[error(
        "the order {found} is too high: a jet has at most {MOST_MONOMIALS} monomials, enough for order {most} along one \
         direction"
    )]
    Order {
        /// The requested order.
        found: u32,
        /// The highest order that fits.
        most: u32,
    },
    /// An exponent that is too large.
    #[error("the exponent {exponent} is too large: numerator and denominator are at most 1000000")]
    Exponent {
        /// The exponent.
        exponent: Box<Rational>,
    },
    /// The evaluation failed.
    #[error(transparent)]
    Smooth(#[from] SmoothError),
    /// The reference tower failed.
    #[error(transparent)]
    Tower(#[from] TowerError),
}

fn plural_suffix(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Fails unless `found` is `expected`.
pub(super) fn check_length(
    what: &'static str,
    unit: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), MapError> {
    // checked at run time only for slices: arrays are checked by their types
    if expected == found { Ok(()) } else { Err(MapError::Length { what, unit, expected, found }) }
}

/// The reason why a primitive was rejected.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrimitiveError {
    /// The name cannot be the name of a function.
    #[error("`{name}` is no name for a function: a lower-case letter is expected, then letters, digits and `_`")]
    Name {
        /// The name as given.
        name: String,
    },
    /// The name is a word of the language.
    #[error("`{name}` is a word of the language, and a printed map would mean that: give another name")]
    Reserved {
        /// The name as given.
        name: String,
    },
    /// The derivative has the wrong shape.
    #[error(
        "the derivative of `{name}` is a map ℝ^{inputs} ⇝ ℝ^{outputs}, but a point and a direction with {arity} components \
         each, and one result, are needed: ℝ^{} ⇝ ℝ^1", 2 * arity
    )]
    Dimension {
        /// The primitive.
        name: String,
        /// The dimension of its domain.
        arity: usize,
        /// The dimension of the domain of the derivative.
        inputs: usize,
        /// The dimension of the codomain of the derivative.
        outputs: usize,
    },
    /// Two enclosures of one value are disjoint.
    #[error("the extension of `{name}` does not enclose: at {narrow_at} it gives {narrow}, but on {wide_at}, {wide}")]
    NotEnclosing {
        /// The primitive.
        name: String,
        /// A box.
        narrow_at: String,
        /// The value there.
        narrow: Box<Enclosure>,
        /// A box that contains it.
        wide_at: String,
        /// The values there.
        wide: Box<Enclosure>,
    },
    /// The derivative is not linear in its direction.
    #[error(
        "the derivative of `{name}` is not linear in its direction: at {at}, g(x, 2v - 3w) is {found}, but \
         2·g(x, v) - 3·g(x, w) is {expected}"
    )]
    NotLinear {
        /// The primitive.
        name: String,
        /// The point and the directions v and w.
        at: String,
        /// The left side.
        found: Box<Enclosure>,
        /// The right side.
        expected: Box<Enclosure>,
    },
    /// The derivative is not that of the value.
    #[error("the derivative of `{name}` is not its derivative: {why}")]
    Inconsistent {
        /// The primitive.
        name: String,
        /// The smallest counterexample that was found.
        why: Box<TowerRefutation>,
    },
    /// The derivative does not seem to be that of the value, by evidence at a single point.
    #[error("the derivative of `{name}` does not seem to be its derivative: {why}")]
    Doubtful {
        /// The primitive.
        name: String,
        /// The evidence.
        why: Box<Discrepancy>,
    },
    /// The primitive has no tower of derivatives to be tested.
    #[error("trying `{name}`: {error}")]
    Tower {
        /// The primitive.
        name: String,
        /// The error.
        error: Box<TowerError>,
    },
    /// Every box is a point in some coordinate, so the partial derivative cannot be tested.
    #[error(
        "every box to try `{name}` on is a point in coordinate {coordinate} (counted from 0), so its \
         derivative cannot be tested: give an interval with an interior"
    )]
    Point {
        /// The primitive.
        name: String,
        /// The coordinate.
        coordinate: usize,
    },
    /// No test saw a defined value, or none in some coordinate.
    #[error(
        "`{name}` or its derivative is not shown to be defined on the boxes, or not along every coordinate: give boxes \
         inside its domain"
    )]
    Untested {
        /// The primitive.
        name: String,
    },
    /// A box with a wrong number of intervals, or with endpoints in the wrong order.
    #[error("a box to try `{name}` on: {error}")]
    Box {
        /// The primitive.
        name: String,
        /// The error of the box.
        error: MapError,
    },
    /// The evaluation failed.
    #[error("trying `{name}`: {error}")]
    Evaluation {
        /// The primitive.
        name: String,
        /// The error.
        error: SmoothError,
    },
}

const RESERVED: &str = "abs argmax01 argmin01 cutRoot deriv det dot e else ff firstRoot fold foldDer fst if in integral01 jvp let linearSolve \
    match max max01 min min01 naturalDifference negate not pi rd rec scale sigmoid signum snd tangent tangentProd tangentTo_R tangentValue \
    tangent_R then toReal trace tt with zeros π";

/// Returns the words that no primitive may have as its name: keywords, constants of the language, and `foldDer`, the
/// printed name of a map made of value and derivative.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    let functions = Function::ALL.iter().map(|f| f.name()).chain(Planar::ALL.iter().map(|f| f.name()));
    // of special functions the derivatives have names as well
    let derivatives = SpecialId::ALL.iter().map(|id| id.family().name);
    RESERVED.split_whitespace().chain(functions).chain(derivatives)
}

/// Checks the name of a primitive.
///
/// # Errors
/// [`PrimitiveError::Name`] and [`PrimitiveError::Reserved`].
pub(crate) fn check_name(name: &str) -> Result<(), PrimitiveError> {
    // λ begins a function wherever it stands, and raised digits are a power
    let may_follow = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_lowercase() && c != 'λ') && name.chars().all(may_follow);
    if !is_name {
        return Err(PrimitiveError::Name { name: name.to_owned() });
    }
    if reserved_words().any(|word| word == name) {
        return Err(PrimitiveError::Reserved { name: name.to_owned() });
    }
    Ok(())
}

/// Returns the operands of an operation, and the body of a binder.
pub(super) fn operands_and_body(operation: &NodeOperation) -> Vec<&Graph> {
    operation.operands().into_iter().chain(operation.binder().map(|(_, body)| body)).collect()
}

/// Names for the primitives from outside of one map. Of several with one name the second registered is called `name'2`,
/// the third `name'3`. No primitive can be registered under such a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrimitiveNames(pub(crate) FxHashMap<u64, String>);

impl PrimitiveNames {
    /// Collects the primitives that graphs mention.
    pub(super) fn of_graphs(graphs: &[Graph]) -> Self {
        let mut found: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<&Graph> = graphs.iter().collect();
        while let Some(g) = open.pop() {
            if !seen.insert(g.address()) {
                continue;
            }
            if let NodeOperation::Primitive(p, _) = g.operation() {
                found.entry(&p.name).or_default().insert(p.serial);
            }
            open.extend(operands_and_body(g.operation()));
        }
        // serials are sorted, so the numbers follow the order of registration
        let numbered = |name: &str, i: usize| if i == 0 { name.to_owned() } else { format!("{name}'{}", i + 1) };
        let each = found.into_iter().flat_map(|(name, serials)| {
            serials.into_iter().enumerate().map(move |(i, serial)| (serial, numbered(name, i)))
        });
        Self(each.collect())
    }

    /// Returns the name of a primitive.
    pub(super) fn get<'a>(&'a self, p: &'a Primitive) -> &'a str {
        self.0.get(&p.serial).unwrap_or(&p.name)
    }

    /// Returns `true` if `name` is the name of a primitive.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.values().any(|taken| taken == name)
    }
}
