//! Piecewise analytic functions, given by their pieces.

use super::fraction::Normaliser;
use super::guard::Decided;
use super::line::Region;
use super::sign::sign;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::{Graph, Variable};
use crate::undefined::{Site, Undefined};

/// The value of a function on a piece.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An analytic map, defined on an open set around the piece.
    Value(Graph),
    /// Undefined: the program has no value there. The reason.
    Undefined(Undefined),
}

/// An analytic set, with the value of a function on it.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The guard conditions that cut the set out.
    pub guards: Vec<Decided>,
    /// The set as intervals, for a function of one variable.
    pub region: Option<Region>,
    /// The value of the function on the set.
    pub outcome: Outcome,
}

/// The reason why a part of the domain was not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
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
    pub guards: Vec<Decided>,
    /// The part as intervals, for a function of one variable.
    pub region: Option<Region>,
    /// The reason why it was not explored.
    pub why: Rest,
    /// The position in the program, in the caller's table: the guard that was evaluated last, or the recursion that did
    /// not end.
    pub site: Site,
}

/// A piecewise analytic function, as far as it was explored.
#[derive(Clone, Debug)]
pub struct Pap {
    /// The variables of the guards and maps.
    pub variables: Vec<Variable>,
    /// The pieces that were found. They are disjoint.
    pub pieces: Vec<Piece>,
    /// The unexplored parts. Together with the pieces they cover the domain.
    pub frontier: Vec<Frontier>,
}

/// The piece of a function that contains a point.
#[derive(Clone, Debug)]
pub enum At<'p> {
    /// The point lies on this piece.
    Piece(&'p Piece),
    /// The point lies on none of the pieces that were found.
    Frontier,
    /// Not decided.
    Undecided,
}

impl Pap {
    fn bindings(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// Returns the pieces that contain `point`, and `true` if every piece was decided. For a partition there is at most
    /// one.
    #[must_use]
    pub fn all_at(&self, point: &[Rational], budget: &Budget) -> (Vec<&Piece>, bool) {
        let (bindings, mut decided) = (self.bindings(point), true);
        let mut contains = |piece: &&Piece| {
            let passes = holds_at(&piece.guards, &bindings, budget);
            decided &= passes.is_some();
            passes == Some(true)
        };
        (self.pieces.iter().filter(|piece| contains(piece)).collect(), decided)
    }

    /// Returns the piece that contains `point`.
    #[must_use]
    pub fn at(&self, point: &[Rational], budget: &Budget) -> At<'_> {
        match self.all_at(point, budget) {
            // pieces are disjoint, so an undecided one cannot contain the point as well
            (found, _) if !found.is_empty() => At::Piece(found[0]),
            (_, true) => At::Frontier,
            (_, false) => At::Undecided,
        }
    }

    /// Returns a lower and an upper bound of the length of the unexplored part. Returns `None` for functions of two or
    /// more variables.
    #[must_use]
    pub fn rest(&self) -> Option<[Rational; 2]> {
        let lengths: Option<Vec<_>> =
            self.frontier.iter().map(|part| part.region.as_ref().map(Region::length)).collect();
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
        let mut forms = Normaliser::default();
        let mut composite = Self { variables: vec![*v], pieces: Vec::new(), frontier: self.frontier.clone() };
        for piece in &self.pieces {
            let Outcome::Value(value) = &piece.outcome else {
                composite.pieces.push(piece.clone());
                continue;
            };
            let along = [(*w, value.clone())];
            let mut open: Vec<Frontier> = Vec::new();
            // conditions of `next` restrict the piece one after another
            let mut pulled = |guards: &[Decided]| {
                let mut region = piece.region.clone()?;
                let mut all = piece.guards.clone();
                for decided in guards {
                    let guard = decided.guard.along(&along);
                    let [holds, fails, rest] = region.split(*v, &guard, &mut forms, finest, budget);
                    // an undecided guard belongs to several pieces of `next`: its part is recorded once
                    if !rest.is_empty() && !open.iter().any(|part| part.region.as_ref() == Some(&rest)) {
                        let (guards, site) = (all.clone(), guard.site);
                        open.push(Frontier { guards, region: Some(rest), why: Rest::Undecided, site });
                    }
                    region = if decided.holds { holds } else { fails };
                    all.push(Decided { guard, ..decided.clone() });
                }
                Some((all, region))
            };
            for onto in &next.pieces {
                let (guards, region) = pulled(&onto.guards)?;
                if !region.is_empty() {
                    let outcome = match &onto.outcome {
                        Outcome::Value(next) => Outcome::Value(next.substitute(&along)),
                        other => other.clone(),
                    };
                    composite.pieces.push(Piece { guards, region: Some(region), outcome });
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
pub fn holds_at(guards: &[Decided], bindings: &[(Variable, Graph)], budget: &Budget) -> Option<bool> {
    let mut all = Some(true);
    for Decided { guard, holds, .. } in guards {
        match sign(&guard.graph.substitute(bindings), budget) {
            Ok(sign) if guard.test.holds(sign) != *holds => return Some(false),
            Ok(_) => {}
            Err(_) => all = None,
        }
    }
    all
}
