//! Piecewise analytic functions, given by their pieces.
//!
//! # Sign conditions on a map
//!
//! # The sign of a number
//!
//! The sign of a number, decided as far as possible.

use super::line::IntervalUnion;
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::{RationalFunction, RationalNormalForm};
use crate::undefined::{SourceId, UndefinedValue};
use std::cmp::Ordering;
use std::fmt;

/// The value of a function on a piece.
#[derive(Clone, Debug)]
pub enum PieceValue {
    /// An analytic map, defined on an open set around the piece.
    Value(Graph),
    /// Undefined: the program has no value there. The reason.
    Undefined(UndefinedValue),
}

/// An analytic set, with the value of a function on it.
#[derive(Clone, Debug)]
pub struct AnalyticPiece {
    /// The guard conditions that cut the set out.
    pub guards: Vec<GuardCondition>,
    /// The set as intervals, for a function of one variable.
    pub region: Option<IntervalUnion>,
    /// The value of the function on the set.
    pub outcome: PieceValue,
}

/// The reason why a part of the domain was not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The limit on pieces or on paths was reached.
    Limit,
    /// The limit on steps of the program was reached, or the time was up.
    Fuel,
    /// A guard was not decided.
    Undecided,
}

/// An unexplored part of the domain. The function may be anything there.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// The guard conditions on the path to this part.
    pub guards: Vec<GuardCondition>,
    /// The part as intervals, for a function of one variable.
    pub region: Option<IntervalUnion>,
    /// The reason why it was not explored.
    pub reason: StopReason,
    /// The position in the program, in the caller's table: the guard that was evaluated last, or the recursion that did
    /// not end.
    pub site: SourceId,
}

/// A piecewise analytic function, as far as it was explored.
#[derive(Clone, Debug)]
#[doc(alias("PAP", "PAP function"))]
pub struct PiecewiseMap {
    /// The variables of the guards and maps.
    pub variables: Vec<Variable>,
    /// The pieces that were found. They are disjoint.
    pub pieces: Vec<AnalyticPiece>,
    /// The unexplored parts. Together with the pieces they cover the domain.
    pub frontier: Vec<Frontier>,
}

/// The piece of a function that contains a point.
#[derive(Clone, Debug)]
pub enum PointLocation<'p> {
    /// The point lies on this piece.
    Piece(&'p AnalyticPiece),
    /// The point lies on none of the pieces that were found.
    Frontier,
    /// Not decided.
    Undecided,
}

impl PiecewiseMap {
    fn point_bindings(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// Returns the pieces that contain `point`, and `true` if every piece was decided. For a partition there is at most
    /// one.
    #[must_use]
    pub fn pieces_at(&self, point: &[Rational], budget: &Budget) -> (Vec<&AnalyticPiece>, bool) {
        let (bindings, mut decided) = (self.point_bindings(point), true);
        let mut contains = |piece: &&AnalyticPiece| {
            let passes = conditions_hold_at(&piece.guards, &bindings, budget);
            decided &= passes.is_some();
            passes == Some(true)
        };
        (self.pieces.iter().filter(|piece| contains(piece)).collect(), decided)
    }

    /// Returns the piece that contains `point`.
    #[must_use]
    pub fn locate_point(&self, point: &[Rational], budget: &Budget) -> PointLocation<'_> {
        match self.pieces_at(point, budget) {
            // pieces are disjoint, so an undecided one cannot contain the point as well
            (found, _) if !found.is_empty() => PointLocation::Piece(found[0]),
            (_, true) => PointLocation::Frontier,
            (_, false) => PointLocation::Undecided,
        }
    }

    /// Returns a lower and an upper bound of the length of the unexplored part. Returns `None` for functions of two or
    /// more variables.
    #[must_use]
    pub fn unexplored_length(&self) -> Option<[Rational; 2]> {
        let lengths: Option<Vec<_>> =
            self.frontier.iter().map(|part| part.region.as_ref().map(IntervalUnion::length_bounds)).collect();
        Some(
            lengths?
                .into_iter()
                .fold([Rational::new(), Rational::new()], |[least, most], [a, b]| [least + a, most + b]),
        )
    }

    /// Composes two functions of one variable: each piece of `next` is pulled back along each piece of `self`. Returns
    /// `None` for functions of two or more variables.
    #[must_use]
    pub fn then(&self, next: &Self, finest: &Rational, budget: &Budget) -> Option<Self> {
        let ([v], [w]) = (&self.variables[..], &next.variables[..]) else { return None };
        let mut forms = RationalNormalForm::default();
        let mut composite = Self { variables: vec![*v], pieces: Vec::new(), frontier: self.frontier.clone() };
        for piece in &self.pieces {
            let PieceValue::Value(value) = &piece.outcome else {
                composite.pieces.push(piece.clone());
                continue;
            };
            let along = [(*w, value.clone())];
            let mut open: Vec<Frontier> = Vec::new();
            // conditions of `next` restrict the piece one after another
            let mut pulled = |guards: &[GuardCondition]| {
                let mut region = piece.region.clone()?;
                let mut all = piece.guards.clone();
                for decided in guards {
                    let guard = decided.guard.preimage_under(&along);
                    let [holds, fails, rest] = region.split_by_guard(*v, &guard, &mut forms, finest, budget);
                    // an undecided guard belongs to several pieces of `next`: its part is recorded once
                    if !rest.is_empty() && !open.iter().any(|part| part.region.as_ref() == Some(&rest)) {
                        let (guards, site) = (all.clone(), guard.site);
                        open.push(Frontier { guards, region: Some(rest), reason: StopReason::Undecided, site });
                    }
                    region = if decided.holds { holds } else { fails };
                    all.push(GuardCondition { guard, ..decided.clone() });
                }
                Some((all, region))
            };
            for onto in &next.pieces {
                let (guards, region) = pulled(&onto.guards)?;
                if !region.is_empty() {
                    let outcome = match &onto.outcome {
                        PieceValue::Value(next) => PieceValue::Value(next.substitute(&along)),
                        other => other.clone(),
                    };
                    composite.pieces.push(AnalyticPiece { guards, region: Some(region), outcome });
                }
            }
            for part in &next.frontier {
                let (guards, region) = pulled(&part.guards)?;
                if !region.is_empty() {
                    composite.frontier.push(Frontier { guards, region: Some(region), ..part.clone() });
                }
            }
            composite.frontier.extend(open);
        }
        Some(composite)
    }
}

/// Returns `true` if all conditions hold at a point, `false` if one fails. Returns `None` if one is undecided and none
/// fails.
#[must_use]
pub fn conditions_hold_at(guards: &[GuardCondition], bindings: &[(Variable, Graph)], budget: &Budget) -> Option<bool> {
    let mut all = Some(true);
    for GuardCondition { guard, holds, .. } in guards {
        match decide_sign(&guard.graph.substitute(bindings), budget) {
            Ok(sign) if guard.test.is_satisfied_by(sign) != *holds => return Some(false),
            Ok(_) => {}
            Err(_) => all = None,
        }
    }
    all
}

/// A condition on the sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignTest {
    /// g > 0
    Positive,
    /// g ≥ 0
    NonNegative,
    /// g = 0
    Zero,
}

impl SignTest {
    /// Returns `true` if a number of this sign satisfies the condition.
    #[must_use]
    pub fn is_satisfied_by(self, sign: Ordering) -> bool {
        match self {
            Self::Positive => sign == Ordering::Greater,
            Self::NonNegative => sign != Ordering::Less,
            Self::Zero => sign == Ordering::Equal,
        }
    }
}

/// A condition on an analytic map: it is positive, nonnegative, or 0. The zero set belongs to one of the two sides.
#[derive(Clone, Debug)]
pub struct SignGuard {
    /// The map.
    pub graph: Graph,
    /// The condition on its value.
    pub test: SignTest,
    /// The position in the source, in the caller's table.
    pub site: SourceId,
}

impl SignGuard {
    /// Creates the condition `test` on `graph`.
    #[must_use]
    pub fn new(graph: &Graph, test: SignTest, site: SourceId) -> Self {
        Self { graph: graph.clone(), test, site }
    }

    /// Creates a condition on the difference x - y, without a node for a side that is 0.
    #[must_use]
    pub fn of_difference(x: &Graph, y: &Graph, test: SignTest, site: SourceId) -> Self {
        // the common guard `x > 0` stays x, without a subtraction
        Self { graph: x - y, test, site }
    }

    /// Returns the preimage: the condition with other maps substituted for variables.
    #[must_use]
    pub fn preimage_under(&self, bindings: &[(Variable, Graph)]) -> Self {
        Self { graph: self.graph.substitute(bindings), ..self.clone() }
    }
}

/// A guard with the side that was taken: an analytic set.
#[derive(Clone, Debug)]
pub struct GuardCondition {
    /// The guard.
    pub guard: SignGuard,
    /// `true` if the set is where the guard holds, `false` if where it fails.
    pub holds: bool,
    /// `true` if the guard is the domain condition of an operation, and not a branch of the program.
    pub is_condition: bool,
}

impl GuardCondition {
    /// Returns `false` for g = 0, a set without interior unless g is 0 everywhere. The other sets are open, or closed
    /// with an interior in general.
    #[must_use]
    pub fn is_open_or_closed(&self) -> bool {
        self.guard.test != SignTest::Zero || !self.holds
    }

    /// Returns the comparison with 0 as the language writes it: `>` for `g > 0`.
    #[must_use]
    pub fn comparison_symbol(&self) -> &'static str {
        match (self.guard.test, self.holds) {
            (SignTest::Positive, true) => ">",
            (SignTest::Positive, false) => "<=",
            (SignTest::NonNegative, true) => ">=",
            (SignTest::NonNegative, false) => "<",
            (SignTest::Zero, true) => "==",
            (SignTest::Zero, false) => "/=",
        }
    }
}

impl fmt::Display for SignTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "> 0",
            Self::NonNegative => ">= 0",
            Self::Zero => "== 0",
        })
    }
}

/// The precisions, in bits, of the enclosures after normal forms did not decide. A choice: each takes four times as
/// many bits.
const PRECISIONS: [u32; 3] = [128, 512, 2048];

/// Returns the sign of a closed graph: by an enclosure, then exactly by its [normal form](crate::smooth::normal_form), then by
/// narrower enclosures. A returned sign is certain.
///
/// # Errors
/// `Err(Some(e))` if the number is certainly at most 2^e in absolute value, but undecided. `Err(None)` if no enclosure
/// is known, as outside a domain.
pub fn decide_sign(g: &Graph, budget: &Budget) -> Result<Ordering, Option<i64>> {
    let of = |q: &Rational| q.cmp0();
    if let Some(q) = g.as_rational() {
        return Ok(of(q));
    }
    let Ok(evaluation) = g.compile_evaluation() else { return Err(None) };
    let at = |tier: Precision| -> Result<Ordering, Option<i64>> {
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), budget);
        let found = evaluation.enclose_in_pass(tier, &effort).ok().filter(|found| found.is_defined()).ok_or(None)?;
        match (*found.lo() > 0, *found.hi() < 0, found.is_point()) {
            (true, ..) => Ok(Ordering::Greater),
            (_, true, _) => Ok(Ordering::Less),
            (_, _, true) => Ok(Ordering::Equal),
            // the enclosure contains 0: its larger end bounds the absolute value
            _ => Err(found.lo().clone().abs().max(&found.hi().clone().abs()).get_exp().map(i64::from)),
        }
    };
    let mut agreement = match at(Precision::Double) {
        Ok(sign) => return Ok(sign),
        Err(found) => found,
    };
    let fraction = RationalNormalForm::default().normal_form(g);
    if let Some(q) = fraction.as_ref().and_then(RationalFunction::as_rational) {
        return Ok(of(&q));
    }
    let is_zero = fraction.is_some_and(|fraction| fraction.is_zero());
    for bits in PRECISIONS {
        // equal to 0 wherever it has a value; `agreement` shows that it has one
        if is_zero && agreement.is_some() {
            return Ok(Ordering::Equal);
        }
        if budget.is_exhausted() {
            break;
        }
        match at(Precision::Mpfr(bits)) {
            Ok(sign) => return Ok(sign),
            Err(found) => agreement = found.or(agreement),
        }
    }
    Err(agreement)
}
