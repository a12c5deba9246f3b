//! Gradients of functions of several variables.

use super::judge::{Ends, explains};
use super::members::{members, spans};
use super::{Cause, Claim, Finding, Tolerance};
use crate::meaning::float::FloatingPoint;
use crate::meaning::pap::InPieces;
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::{self, Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::session::Session;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// A function ℝⁿ → ℝ, n > 1, and its gradient as a program.
#[derive(Clone)]
pub struct Gradient {
    function: Term,
    gradient: Term,
    domain: Ty,
    inputs: usize,
}

/// What was found of a claim about a gradient.
#[derive(Clone, Debug)]
pub struct GradientReport {
    /// The outcome: one of `NotDefined`, `Inside`, `Outside` and `Unknown`.
    pub finding: Finding,
    /// An interval for each coordinate, the product of which contains Clarke's set; none where they are not all known.
    pub set: Option<Vec<Enclosure>>,
    /// Of an outside claim, a coordinate that is.
    pub coordinate: Option<usize>,
}

impl Gradient {
    /// A program of type `Real * … * Real -> Real`, of so many numbers, at least two.
    ///
    /// # Errors
    /// Those of parsing and typing.
    pub fn new(session: &Session, text: &str, inputs: usize) -> Result<Self, ProgramError> {
        let domain = Ty::new(TyKind::Tuple(vec![Ty::real(); inputs]));
        let ty = Ty::function(domain.clone(), Ty::real());
        let function = session.infer_at(text, &ty)?;
        let of = Ty::function(ty, Ty::function(domain.clone(), domain.clone()));
        let gradient =
            Term::apply(session.infer_at("\\f => \\x => gradient f x", &of)?, function.clone(), function.span());
        Ok(Self { function, gradient, domain, inputs })
    }

    /// How many variables the function has.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What is true of a claim about the gradient at a point. Both have a number for each variable.
    ///
    /// # Errors
    /// What the presheaf meaning lacks.
    pub fn audit(
        &self,
        at: &[Rational],
        claim: &[Claim],
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> Result<GradientReport, MeaningError> {
        let unknown =
            |why: &str| GradientReport { finding: Finding::Unknown(why.to_owned()), set: None, coordinate: None };
        if at.len() != self.inputs || claim.len() != self.inputs {
            return Ok(unknown(&format!(
                "a function of {} variables was given {} and {}",
                self.inputs,
                at.len(),
                claim.len()
            )));
        }
        let numbers = at.iter().map(|q| Term::new(TermKind::Real(q.clone()), Span::default())).collect();
        let point = Term::new(TermKind::Tuple(numbers), Span::default());
        let ask = |f: &Term| Term::apply(f.clone(), point.clone(), Span::default());
        // one width for all: of a set that is no number no relative one is reached
        let to = Accuracy::within(tolerance.at(&Rational::from(1)) / 4);
        let answer = match Presheaf.answer_to(&ask(&self.gradient), &self.domain, &to, budget) {
            Ok(answer) => answer,
            Err(error) => {
                return match error.lacks() {
                    Some(lacking) => Ok(unknown(&lacking.to_string())),
                    None => Err(error),
                };
            }
        };
        let coordinates = answer.value.coordinates().map_err(MeaningError::from)?;
        let defined = |number: &&Number| match number {
            Number::Enclosure(found) if found.enclosure.is_defined() && found.enclosure.is_bounded() => {
                Some(found.enclosure.clone())
            }
            _ => None,
        };
        let Some(set) = coordinates.iter().map(defined).collect::<Option<Vec<_>>>() else {
            let has_none = InPieces::default().answer_to(&ask(&self.function), &Ty::real(), &to, budget);
            return Ok(match has_none {
                Err(MeaningError::Undefined(found)) if found.cause == answer::Cause::Domain => {
                    GradientReport { finding: Finding::NotDefined(found.message), ..unknown("") }
                }
                _ => unknown("no enclosure of Clarke's set was found"),
            });
        };
        if !answer.assumed.is_empty() {
            return Ok(unknown(
                "an enclosure of Clarke's set rests on the promise of a cutRoot; with firstRoot there is none",
            ));
        }
        let (finding, coordinate) = judged(&set, claim, tolerance);
        let finding = match (finding, coordinate) {
            (Finding::Outside(Cause::Rule), Some(place))
                if self.is_rounding(&ask(&self.gradient), place, (&claim[place], &set[place]), tolerance, budget) =>
            {
                Finding::Outside(Cause::Rounding)
            }
            (other, _) => other,
        };
        let finding = match finding {
            Finding::Unknown(_) if self.is_spanned(at, &set, claim, tolerance, budget) => Finding::Inside,
            other => other,
        };
        Ok(GradientReport { finding, set: Some(set), coordinate })
    }

    /// Whether a claim lies between vectors of the set, but for the tolerance.
    fn is_spanned(
        &self,
        at: &[Rational],
        set: &[Enclosure],
        claim: &[Claim],
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> bool {
        let members = members(&self.function, at, tolerance, budget);
        // what is allowed for the largest coordinate of the set is more than for that of a member
        let sizes = members.iter().flatten().filter_map(Ends::of).map(|end| end.magnitude());
        let allowed = tolerance.at(&sizes.max().unwrap_or_default());
        !set.is_empty() && spans(&members, claim, &allowed)
    }

    /// Whether floating-point arithmetic explains what is claimed of a coordinate.
    fn is_rounding(
        &self,
        gradient: &Term,
        place: usize,
        (claim, set): (&Claim, &Enclosure),
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> bool {
        let to = Accuracy::within(Rational::from(1));
        let (Claim::Number(claimed), Some(set)) = (claim, Ends::of(set)) else { return false };
        let Ok(answer) = FloatingPoint.answer_to(gradient, &self.domain, &to, budget) else { return false };
        answer.value.coordinates().is_ok_and(|numbers| match numbers.get(place) {
            Some(Number::Float { value, .. }) => explains(*value, claimed, [&set.lo, &set.hi], tolerance),
            _ => false,
        })
    }
}

/// Where a claim lies, given an interval for each coordinate that contains the set; and the coordinate that is outside.
fn judged(set: &[Enclosure], claim: &[Claim], tolerance: &Tolerance) -> (Finding, Option<usize>) {
    if let Some(place) = claim.iter().position(|claim| *claim == Claim::NotFinite) {
        return (Finding::Outside(Cause::NotFinite), Some(place));
    }
    let Some(ends) = set.iter().map(Ends::of).collect::<Option<Vec<_>>>() else {
        return (Finding::Unknown("the gradient may be unbounded".to_owned()), None);
    };
    // what is allowed, for the largest coordinate of the set
    let small = tolerance.at(&ends.iter().map(Ends::magnitude).max().unwrap_or_default());
    let size = |e: &Ends| e.lo.clone().abs().max(e.hi.clone().abs());
    let large = tolerance.at(&ends.iter().map(size).max().unwrap_or_default());
    let distances = |(end, claim): (&Ends, &Claim)| match claim {
        // the least and the greatest distance of a number of the interval
        Claim::Number(q) => {
            let (below, above) = (Rational::from(&end.lo - q), Rational::from(q - &end.hi));
            Some([below.max(above), Rational::from(&end.hi - q).max(Rational::from(q - &end.lo))])
        }
        Claim::NotFinite => None,
    };
    let distances: Vec<_> = ends.iter().zip(claim).filter_map(distances).collect();
    if let Some(place) = distances.iter().position(|[least, _]| *least > large) {
        let is_wide = Rational::from(&ends[place].hi - &ends[place].lo) > large;
        return (Finding::Outside(if is_wide { Cause::Border } else { Cause::Rule }), Some(place));
    }
    match distances.iter().all(|[_, most]| *most <= small) {
        true => (Finding::Inside, None),
        false => (Finding::Unknown("some of an enclosure of Clarke's set is as claimed, some is not".to_owned()), None),
    }
}
