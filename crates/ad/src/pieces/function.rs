//! Functions by their pieces.

use super::fraction::Normaliser;
use super::guard::Decided;
use super::line::Region;
use super::sign::sign;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::{Graph, Variable};
use crate::undefined::{Site, Undefined};

/// What a function is on a piece.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An analytic map, defined on an open set around the piece.
    Value(Graph),
    /// Nothing: the program has no value there, and why.
    Undefined(Undefined),
}

/// An analytic set, and what a function is on it.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The answers that cut the set out.
    pub guards: Vec<Decided>,
    /// Where it lies, for a function of one variable.
    pub region: Option<Region>,
    /// What the function is there.
    pub outcome: Outcome,
}

/// Why a part was not unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// As many pieces were found as were wanted, or as many paths begun as may be.
    Limit,
    /// The program took more steps than it may, or all time was used up.
    Fuel,
    /// It was not told apart whether a guard holds.
    Undecided,
}

/// A part of the domain that was not unfolded. Nothing is said of the function there.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// The answers that lead there.
    pub guards: Vec<Decided>,
    /// Where it lies, for a function of one variable.
    pub region: Option<Region>,
    /// Why it was not unfolded.
    pub why: Rest,
    /// Where the program stood, in the table of whoever unfolds: at the guard that was asked last, or at the recursion that did not end.
    pub site: Site,
}

/// A piecewise analytic function, as far as it was unfolded.
#[derive(Clone, Debug)]
pub struct Pap {
    /// The variables of its guards and maps.
    pub variables: Vec<Variable>,
    /// The pieces that were found. No two have a common point.
    pub pieces: Vec<Piece>,
    /// The others. Together with the pieces they are the whole domain.
    pub frontier: Vec<Frontier>,
}

/// What a function is at a point.
#[derive(Clone, Debug)]
pub enum At<'p> {
    /// The point lies on this piece.
    Piece(&'p Piece),
    /// It lies on none that was found.
    Frontier,
    /// It was not told apart on which.
    Undecided,
}

impl Pap {
    fn bindings(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// The pieces on which a point lies: it is one, where the pieces are a partition.
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

    /// The piece on which a point lies.
    #[must_use]
    pub fn at(&self, point: &[Rational], budget: &Budget) -> At<'_> {
        match self.all_at(point, budget) {
            (found, _) if !found.is_empty() => At::Piece(found[0]),
            (_, true) => At::Frontier,
            (_, false) => At::Undecided,
        }
    }

    /// The length of what was not unfolded: at least, and at most. Nothing for functions of more variables.
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

    /// The composite of two functions of one variable, by preimages: the pieces of the second, pulled back along each piece of the
    /// first. Nothing for functions of more variables.
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
            let mut pulled = |guards: &[Decided]| {
                let mut region = piece.region.clone()?;
                let mut all = piece.guards.clone();
                for decided in guards {
                    let guard = decided.guard.along(&along);
                    let [holds, fails, rest] = region.split(*v, &guard, &mut forms, finest, budget);
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

/// Whether all answers are right at a point; nothing where one is not decided and none is wrong.
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
