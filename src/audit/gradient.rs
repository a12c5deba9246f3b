//! Audits of gradients, for functions of several variables.

use super::judge::{Ends, explains};
use super::members::{members, spans};
use super::{Cause, Claim, Finding, Subject, Tolerance};
use crate::meaning::float::FloatingPoint;
use crate::meaning::pap::InPieces;
use crate::meaning::pap::beside::{Given, around};
use crate::meaning::pap::steps::{StepError, Steps};
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::{self, Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::session::Session;
use crate::smooth::dimension::Hidden;
use crate::smooth::map::Map;
use crate::smooth::map::untyped::Untyped;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// The reason of a verdict without an enclosure of Clarke's set.
const NOT_ENCLOSED: &str = "no enclosure of Clarke's set was found";
/// The number of axes on which a failure is looked for. A choice: each costs an audit in one variable.
const MOST_AXES: usize = 16;

/// A function ℝⁿ → ℝ, n > 1, to audit.
#[derive(Clone)]
pub struct Gradient {
    source: Source,
    inputs: usize,
}

#[derive(Clone)]
enum Source {
    /// A program, and its gradient as a program.
    Program { function: Term, gradient: Term, domain: Ty },
    /// A list of steps, and its [map](Steps::smooth).
    Steps { steps: Steps, map: Map<Hidden, Hidden> },
}

/// An interval for each coordinate, or the report if they are not all known.
type Outer = Result<Vec<Enclosure>, GradientReport>;

/// The result of the audit of a gradient.
#[derive(Clone, Debug)]
pub struct GradientReport {
    /// The verdict. For programs it is one of `NotDefined`, `Inside`, `Outside` and `Unknown`.
    pub finding: Finding,
    /// An enclosure of Clarke's set: an interval for each coordinate. `None` unless all are known.
    pub set: Option<Vec<Enclosure>>,
    /// A coordinate of an outside claim that is outside.
    pub coordinate: Option<usize>,
}

impl Gradient {
    /// Parses a program of type `Real * … * Real -> Real` with `inputs` arguments, at least two.
    ///
    /// # Errors
    /// Errors of parsing and typing.
    pub fn new(session: &Session, text: &str, inputs: usize) -> Result<Self, ProgramError> {
        let domain = Ty::new(TyKind::Tuple(vec![Ty::real(); inputs]));
        let ty = Ty::function(domain.clone(), Ty::real());
        let function = session.infer_at(text, &ty)?;
        let of = Ty::function(ty, Ty::function(domain.clone(), domain.clone()));
        let gradient =
            Term::apply(session.infer_at("\\f => \\x => gradient f x", &of)?, function.clone(), function.span());
        Ok(Self { source: Source::Program { function, gradient, domain }, inputs })
    }

    /// Uses a list of steps in `inputs` variables, at least two.
    ///
    /// # Errors
    /// [`StepError`] if the last step is not a number, or there are more variables.
    pub fn of_steps(steps: Steps, inputs: usize) -> Result<Self, StepError> {
        let wrong = |reason: String| StepError { step: steps.len().saturating_sub(1), reason };
        let (variables, graph) = steps.smooth(inputs).map_err(|error| wrong(error.to_string()))?;
        let map = Untyped::of_graphs(&variables, &[graph]).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { source: Source::Steps { steps, map: Map::hidden(map) }, inputs })
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Judges a claim about the gradient at a point. Both have a number for each variable.
    ///
    /// # Errors
    /// A construct that the presheaf semantics lacks.
    pub fn audit(
        &self,
        at: &[Rational],
        claim: &[Claim],
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> Result<GradientReport, MeaningError> {
        if at.len() != self.inputs || claim.len() != self.inputs {
            return Ok(unknown(&format!(
                "a function of {} variables was given {} and {}",
                self.inputs,
                at.len(),
                claim.len()
            )));
        }
        // An absolute width: a set that is not one number has no small relative width. A quarter leaves room for the
        // comparison.
        let mut eps = tolerance.at(&Rational::from(1)) / 4;
        let mut coarse: Option<Vec<Enclosure>> = None;
        let set = loop {
            let outer = match &self.source {
                Source::Program { function, gradient, domain } => {
                    of_program(function, gradient, domain, at, &eps, budget)?
                }
                Source::Steps { steps, map } => of_map(steps, map, at, &eps, tolerance, budget)?,
            };
            let set = match (outer, coarse.take()) {
                (Ok(set), Some(before)) => both(set, &before),
                (Ok(set), None) => set,
                (Err(_), Some(before)) => break before,
                (Err(report), None) => return Ok(report),
            };
            // A second pass if the width is too coarse for a small coordinate, and no verdict is proved yet.
            let is_open = matches!(judged(&set, claim, tolerance).0, Finding::Unknown(_)) && !budget.is_exhausted();
            match finer(&set, claim, tolerance, &eps).filter(|_| is_open) {
                Some(finer) => (eps, coarse) = (finer, Some(set)),
                None => break set,
            }
        };
        // The cause is looked for only after the verdict: it explains an outside claim, and never makes one.
        let (finding, coordinate) = judged(&set, claim, tolerance);
        let finding = match (finding, coordinate) {
            (Finding::Outside(Cause::Rule), Some(place))
                if self.is_rounding(at, place, (&claim[place], &set[place]), tolerance, budget) =>
            {
                Finding::Outside(Cause::Rounding)
            }
            (Finding::Outside(Cause::Rule), Some(_)) if self.is_on_border(at, budget) => {
                Finding::Outside(Cause::Border)
            }
            (other, _) => other,
        };
        // Members are found last: they cost many runs, and can only turn an unknown verdict into `Inside`.
        let finding = match finding {
            Finding::Unknown(_) if self.is_spanned(at, &set, claim, tolerance, budget) => Finding::Inside,
            other => other,
        };
        Ok(GradientReport { finding, set: Some(set), coordinate })
    }

    /// Returns `true` if the claim is a convex combination of members of Clarke's set, up to the tolerance.
    fn is_spanned(
        &self,
        at: &[Rational],
        set: &[Enclosure],
        claim: &[Claim],
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> bool {
        let given = match &self.source {
            Source::Program { function, .. } => Given::Program(function),
            Source::Steps { steps, .. } => Given::Steps(steps),
        };
        let members = members(given, at, tolerance, budget);
        // Allowed is what the members' own sizes allow: the box may reach beyond the set, and its size would allow
        // more.
        let sizes = |place: usize| members.iter().filter_map(move |member| Some(Ends::of(&member[place])?.magnitude()));
        let allowed: Vec<_> =
            (0..set.len()).map(|place| tolerance.at(&sizes(place).max().unwrap_or_default())).collect();
        !set.is_empty() && spans(&members, claim, &allowed)
    }

    /// Returns `true` if the point of a list of steps is seen to lie on a border, though its gradient there may be one
    /// number. Tested on one line.
    fn is_on_border(&self, at: &[Rational], budget: &Arc<Budget>) -> bool {
        let Source::Steps { steps, .. } = &self.source else { return false };
        // Distinct slopes: the line follows neither an axis nor a diagonal, which borders often do.
        let along: Vec<_> = (0..at.len()).map(|i| Rational::from((2 * i as u64 + 3, 7))).collect();
        let Ok(line) = steps.along(at, &along) else { return false };
        around(Given::Steps(&line), &Rational::new(), budget).is_ok_and(|around| !around.borders.is_empty())
    }

    /// Returns `true` if floating-point arithmetic explains the claim for one coordinate.
    fn is_rounding(
        &self,
        at: &[Rational],
        place: usize,
        (claim, set): (&Claim, &Enclosure),
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> bool {
        let to = Accuracy::within(Rational::from(1));
        let (Claim::Number(claimed), Some(set)) = (claim, Ends::of(set)) else { return false };
        let Source::Program { gradient, domain, .. } = &self.source else {
            // Lists of steps are not run in floating-point numbers here: only the digits are compared.
            let off = Rational::from(&set.lo - claimed).max(Rational::from(claimed - &set.hi));
            return off <= tolerance.rough(&set.magnitude());
        };
        let Ok(answer) = FloatingPoint.answer_to(&applied(gradient, at), domain, &to, budget) else { return false };
        answer.value.coordinates().is_ok_and(|numbers| match numbers.get(place) {
            Some(Number::Float { value, .. }) => explains(*value, claimed, [&set.lo, &set.hi], tolerance),
            _ => false,
        })
    }
}

/// Returns the report without a verdict.
fn unknown(why: &str) -> GradientReport {
    GradientReport { finding: Finding::Unknown(why.to_owned()), set: None, coordinate: None }
}

/// Applies a program to a point.
fn applied(f: &Term, at: &[Rational]) -> Term {
    let numbers = at.iter().map(|q| Term::new(TermKind::Real(q.clone()), Span::default())).collect();
    Term::apply(f.clone(), Term::new(TermKind::Tuple(numbers), Span::default()), Span::default())
}

/// Encloses the gradient of a program by the presheaf semantics.
fn of_program(
    function: &Term,
    gradient: &Term,
    domain: &Ty,
    at: &[Rational],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Outer, MeaningError> {
    let to = Accuracy::within(eps.clone());
    let answer = match Presheaf.answer_to(&applied(gradient, at), domain, &to, budget) {
        Ok(answer) => answer,
        Err(error) => {
            return match error.lacks() {
                Some(lacking) => Ok(Err(unknown(&lacking.to_string()))),
                None => Err(error),
            };
        }
    };
    let coordinates = answer.value.coordinates().map_err(MeaningError::from)?;
    let enclosed = |number: &&Number| match number {
        Number::Enclosure(found) => known(&found.enclosure),
        _ => None,
    };
    let Some(set) = coordinates.iter().map(enclosed).collect::<Option<Vec<_>>>() else {
        // The pieces say whether there is a value at all; their semantics decides borders that the presheaves leave
        // open.
        let has_none = InPieces::default().answer_to(&applied(function, at), &Ty::real(), &to, budget);
        return Ok(Err(match has_none {
            Err(MeaningError::Undefined(found)) if found.cause == answer::Cause::Domain => {
                GradientReport { finding: Finding::NotDefined(found.message), ..unknown("") }
            }
            _ => unknown(NOT_ENCLOSED),
        }));
    };
    if !answer.assumed.is_empty() {
        let why = "an enclosure of Clarke's set rests on the promise of a cutRoot; with firstRoot there is none";
        return Ok(Err(unknown(why)));
    }
    Ok(Ok(set))
}

/// Encloses the gradient of a list of steps by its map. If that fails, looks at the lines along the axes. A function
/// without a value, not continuous, or not Lipschitz on a line is not so in the plane either.
fn of_map(
    steps: &Steps,
    map: &Map<Hidden, Hidden>,
    at: &[Rational],
    eps: &Rational,
    tolerance: &Tolerance,
    budget: &Arc<Budget>,
) -> Result<Outer, MeaningError> {
    if let Ok(found) = map.vjp_at(at, &[Rational::from(1)], eps, budget)
        && let Some(set) = found.components.iter().map(|e| known(&e.enclosure)).collect::<Option<Vec<_>>>()
    {
        return Ok(Ok(set));
    }
    for place in 0..at.len().min(MOST_AXES) {
        let axis: Vec<_> = (0..at.len()).map(|i| Rational::from(u32::from(i == place))).collect();
        let Ok(line) = steps.along(at, &axis).and_then(Subject::of_steps) else { break };
        let found = line.audit(&Rational::new(), &Claim::Number(Rational::new()), tolerance, budget)?.finding;
        let on_axis = |why: String| format!("along coordinate {}, {why}", place + 1);
        let finding = match found {
            Finding::OneSided(without, why) => Finding::OneSided(without, on_axis(why)),
            Finding::NotContinuous(how) => Finding::NotContinuous(on_axis(how)),
            Finding::NotDefined(_) | Finding::NotLipschitz(_) => found,
            _ => continue,
        };
        return Ok(Err(GradientReport { finding, ..unknown("") }));
    }
    let advice =
        ": the point may lie on the border of a choice; say along which direction, and that derivative is judged";
    Ok(Err(unknown(&format!("{NOT_ENCLOSED}{advice}"))))
}

/// Intersects two enclosures of one vector, coordinate by coordinate.
fn both(new: Vec<Enclosure>, before: &[Enclosure]) -> Vec<Enclosure> {
    new.into_iter().zip(before).map(|(new, before)| new.intersection(before).unwrap_or(new)).collect()
}

/// Returns the enclosure if it is defined and bounded.
fn known(found: &Enclosure) -> Option<Enclosure> {
    Some(found.clone()).filter(|found| found.is_defined() && found.is_bounded())
}

/// Compares a claim with a box that contains the set. Returns the verdict, and a coordinate that is outside.
fn judged(set: &[Enclosure], claim: &[Claim], tolerance: &Tolerance) -> (Finding, Option<usize>) {
    if let Some(place) = claim.iter().position(|claim| *claim == Claim::NotFinite) {
        return (Finding::Outside(Cause::NotFinite), Some(place));
    }
    let Some(ends) = set.iter().map(Ends::of).collect::<Option<Vec<_>>>() else {
        return (Finding::Unknown("the gradient may be unbounded".to_owned()), None);
    };
    let distances = |(end, claim): (&Ends, &Claim)| {
        let Claim::Number(q) = claim else { return None };
        // The allowed distance for the least and for the greatest number that the coordinate may have.
        let size = end.lo.clone().abs().max(end.hi.clone().abs());
        let allowed = [tolerance.at(&end.magnitude()), tolerance.at(&size)];
        // The least and the greatest distance of a number of the interval.
        let (below, above) = (Rational::from(&end.lo - q), Rational::from(q - &end.hi));
        let most = Rational::from(&end.hi - q).max(Rational::from(q - &end.lo));
        Some(([below.max(above), most], allowed))
    };
    let distances: Vec<_> = ends.iter().zip(claim).filter_map(distances).collect();
    if let Some(place) = distances.iter().position(|([least, _], [_, large])| least > large) {
        let is_wide = Rational::from(&ends[place].hi - &ends[place].lo) > distances[place].1[1];
        return (Finding::Outside(if is_wide { Cause::Border } else { Cause::Rule }), Some(place));
    }
    match distances.iter().all(|([_, most], [small, _])| most <= small) {
        true => (Finding::Inside, None),
        false => (Finding::Unknown("some of an enclosure of Clarke's set is as claimed, some is not".to_owned()), None),
    }
}

/// Returns a finer width if some coordinate is too coarse for its own tolerance, though it is as narrow as requested.
/// Returns `None` if no finer pass helps.
fn finer(set: &[Enclosure], claim: &[Claim], tolerance: &Tolerance, eps: &Rational) -> Option<Rational> {
    let wanted = |(e, claim): (&Enclosure, &Claim)| {
        let end = Ends::of(e)?;
        let size = match claim {
            Claim::Number(q) if end.magnitude() == 0 => q.clone().abs(),
            _ => end.magnitude(),
        };
        let (width, allowed) = (Rational::from(&end.hi - &end.lo), tolerance.at(&size) / 4);
        (width > allowed && width <= *eps && size > 0).then_some(allowed)
    };
    set.iter().zip(claim).filter_map(wanted).min().filter(|finer| finer < eps)
}
