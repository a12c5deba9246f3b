//! Piecewise analytic functions, given by their pieces.

use super::fraction::RationalNormalForm;
use super::guard::GuardCondition;
use super::line::IntervalUnion;
use super::sign::decide_sign;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::{Graph, Variable};
use crate::undefined::{SourceId, UndefinedValue};

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
