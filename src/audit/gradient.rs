//! Audits of gradients, for functions of several variables.
//!
//! An enclosure of each coordinate decides most claims. Where it does not, the point lies on a border: then Clarke's set is looked for
//! in the [pieces](super::kinks) around the point.
//!
//! # Members of Clarke's set
//!
//! Where there are too many pieces: limits of gradients along rays.
//!
//! Consider a ray from the point that lies on no border. Near its end the function is one analytic map, on an open set
//! around each point of the ray. So its gradient tends to that of the map, which is a member of Clarke's set; and the
//! set is convex. Only some rays are tried: the set may have other members.

use super::judge::EndBounds;
use super::kinks::KinkSet;
use super::{AuditFinding, AuditSubject, Claim, ClaimTolerance, DisagreementCause, map_with_kinks};
use crate::meaning::pap::PiecewiseSemantics;
use crate::meaning::pap::beside::{BorderPlaces, FunctionSource, resolve_on_ray};
use crate::meaning::pap::local::find_borders;
use crate::meaning::pap::steps::{StepError, StraightLineProgram, StraightLineStep};
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::random::SplitMix64;
use crate::session::Session;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::syntax::constant::Constant;
use crate::syntax::library::ProgramError;
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
pub struct GradientSubject {
    source: GradientSource,
    inputs: usize,
}

#[derive(Clone)]
enum GradientSource {
    /// A program, and its gradient as a program.
    Program { function: Term, gradient: Term, domain: Ty },
    /// A list of steps, and its [map](StraightLineProgram::to_smooth_map).
    Steps { steps: StraightLineProgram, map: Map<Dyn, Dyn> },
}

/// An interval for each coordinate, or the report if they are not all known.
type ClarkeBox = Result<Vec<Enclosure>, GradientReport>;

/// The result of the audit of a gradient.
#[derive(Clone, Debug)]
pub struct GradientReport {
    /// The verdict. For programs it is one of `NotDefined`, `Inside`, `Outside` and `CoupledFunction`.
    pub finding: AuditFinding,
    /// An enclosure of Clarke's set: an interval for each coordinate. `None` unless all are known.
    pub set: Option<Vec<Enclosure>>,
    /// A coordinate of an outside claim that is outside.
    pub coordinate: Option<usize>,
    /// The positions of the guards on whose border the point lies, where its pieces were looked at.
    pub borders: BorderPlaces,
    /// Clarke's set, where it is not known by coordinates alone.
    pub(super) kinks: Option<Arc<KinkSet>>,
}

/// Returns a program that takes its arguments one after another as a function of a tuple, of the type `ty`. `None` if it does not take
/// them so, an error if it does and has another type.
fn uncurry_program(session: &Session, text: &str, ty: &Ty, inputs: usize) -> Option<Result<Term, ProgramError>> {
    let (_, found) = session.infer(text).ok()?;
    let TyKind::Function(_, result) = found.kind() else { return None };
    let TyKind::Function(..) = result.kind() else { return None };
    let curried = (0..inputs).fold(Ty::real(), |result, _| Ty::function(Ty::real(), result));
    let arguments: Vec<String> = (0..inputs).map(|index| format!("p[{index}]")).collect();
    let uncurry = format!("\\f => \\p => f {}", arguments.join(" "));
    let uncurry = session.infer_at(&uncurry, &Ty::function(curried.clone(), ty.clone())).ok()?;
    let function = session.infer_at(text, &curried);
    Some(function.map(|function| {
        let span = function.span();
        Term::apply(uncurry, function, span)
    }))
}

impl GradientSubject {
    /// Parses a program of type `Real * … * Real -> Real` or `Real -> … -> Real -> Real` with `inputs` arguments, at least two.
    ///
    /// # Errors
    /// Errors of parsing and typing.
    pub fn new(session: &Session, text: &str, inputs: usize) -> Result<Self, ProgramError> {
        let domain = Ty::new(TyKind::Tuple(vec![Ty::real(); inputs]));
        let ty = Ty::function(domain.clone(), Ty::real());
        let function = match session.infer_at(text, &ty) {
            Ok(function) => function,
            Err(error) => uncurry_program(session, text, &ty, inputs).unwrap_or(Err(error))?,
        };
        let of = Ty::function(ty, Ty::function(domain.clone(), domain.clone()));
        let gradient =
            Term::apply(session.infer_at("\\f => \\x => gradient f x", &of)?, function.clone(), function.span());
        Ok(Self { source: GradientSource::Program { function, gradient, domain }, inputs })
    }

    /// Uses a list of steps in `inputs` variables, at least two.
    ///
    /// # Errors
    /// [`StepError`] if the last step is not a number, or there are more variables.
    pub fn of_steps(steps: StraightLineProgram, inputs: usize) -> Result<Self, StepError> {
        let wrong = |reason: String| StepError { step: steps.len().saturating_sub(1), reason };
        let (variables, graph) = steps.to_smooth_map(inputs).map_err(|error| wrong(error.to_string()))?;
        let map = DynMap::of_graphs(&variables, &[graph]).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { source: GradientSource::Steps { steps, map: Map::from_dyn(map) }, inputs })
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
    pub fn judge_claims(
        &self,
        at: &[Rational],
        claim: &[Claim],
        tolerance: &ClaimTolerance,
        budget: &Arc<Budget>,
    ) -> Result<GradientReport, SemanticsError> {
        if at.len() != self.inputs || claim.len() != self.inputs {
            return Ok(undecided_report(&format!(
                "a function of {} variables was given {} and {}",
                self.inputs,
                at.len(),
                claim.len()
            )));
        }
        // An absolute width: a set that is not one number has no small relative width. A quarter leaves room for the
        // comparison.
        let mut eps = tolerance.allowed_distance(&Rational::from(1)) / 4;
        let mut coarse: Option<Vec<Enclosure>> = None;
        let set = loop {
            let outer = match &self.source {
                GradientSource::Program { function, gradient, domain } => {
                    enclose_program_gradient(function, gradient, domain, at, &eps, budget)?
                }
                GradientSource::Steps { steps, map } => enclose_map_gradient(steps, map, at, &eps, tolerance, budget)?,
            };
            let outer = match outer {
                Err(report) if matches!(report.finding, AuditFinding::Unknown(_)) && coarse.is_none() => {
                    let kinks = self.find_kinks(at, tolerance, budget);
                    if let Some(report) = kinks.and_then(|kinks| judge_kinks(kinks, None, claim, tolerance)) {
                        return Ok(report);
                    }
                    match self.find_undefined_claim(at, claim, tolerance, budget)? {
                        Some(found) => return Ok(found),
                        None => Err(report),
                    }
                }
                other => other,
            };
            let set = match (outer, coarse.take()) {
                (Ok(set), Some(before)) => intersect_boxes(set, &before),
                (Ok(set), None) => set,
                (Err(_), Some(before)) => break before,
                (Err(report), None) => return Ok(report),
            };
            // A second pass if the width is too coarse for a small coordinate, and no verdict is proved yet.
            let is_open = matches!(compare_with_box(&set, claim, tolerance, &[]).0, AuditFinding::Unknown(_))
                && !budget.is_exhausted();
            match finer_width(&set, claim, tolerance, &eps).filter(|_| is_open) {
                Some(finer) => (eps, coarse) = (finer, Some(set)),
                None => break set,
            }
        };
        // The cause is looked for only after the verdict: it explains an outside claim, and never makes one.
        let (finding, coordinate) = compare_with_box(&set, claim, tolerance, &[]);
        let finding = match (finding, coordinate) {
            // as narrow as it was asked for, and wide only for the unit of a coordinate that may be 0
            (AuditFinding::Outside(DisagreementCause::Border), Some(place)) if set[place].has_width_at_most(&eps) => {
                AuditFinding::Outside(DisagreementCause::Unexplained)
            }
            (other, _) => other,
        };
        if let (AuditFinding::Outside(cause), Some(place)) = (&finding, coordinate)
            && *cause != DisagreementCause::NotFinite
            && let Some(local) = find_borders(self.as_given(), at, budget)
            // a coordinate that no border depends on is not explained by it
            && (*cause == DisagreementCause::Border || local.has_border_in(place))
        {
            let finding = AuditFinding::Outside(DisagreementCause::Border);
            return Ok(GradientReport { set: Some(set), coordinate, borders: local.places, ..report_of(finding) });
        }
        // Pieces are looked for last: they cost many runs.
        if matches!(finding, AuditFinding::Unknown(_))
            && let Some(kinks) = self.find_kinks(at, tolerance, budget)
            && let Some(report) = judge_kinks(kinks, Some(&set), claim, tolerance)
        {
            return Ok(report);
        }
        Ok(GradientReport { set: Some(set), coordinate, ..report_of(finding) })
    }

    pub(super) fn as_given(&self) -> FunctionSource<'_> {
        match &self.source {
            GradientSource::Program { function, .. } => FunctionSource::Program(function),
            GradientSource::Steps { steps, .. } => FunctionSource::Steps(steps),
        }
    }

    /// Finds Clarke's set by the pieces around a point, or some of its members along rays. `None` if nothing is found.
    fn find_kinks(&self, at: &[Rational], tolerance: &ClaimTolerance, budget: &Arc<Budget>) -> Option<KinkSet> {
        let found = KinkSet::resolve(self.as_given(), at, tolerance, budget).ok();
        // Limits along rays say something of a continuous function only.
        let rays = || {
            let GradientSource::Steps { steps, .. } = &self.source else { return None };
            let members =
                if has_choices(steps) { Vec::new() } else { enclose_members(self.as_given(), at, tolerance, budget) };
            (!members.is_empty()).then(|| KinkSet::of_members(members, budget))
        };
        found.or_else(rays)
    }

    /// Judges a claim that is not finite by the axis of such a coordinate: if the slopes there are a finite set, no derivative is so.
    fn find_undefined_claim(
        &self,
        at: &[Rational],
        claim: &[Claim],
        tolerance: &ClaimTolerance,
        budget: &Arc<Budget>,
    ) -> Result<Option<GradientReport>, SemanticsError> {
        let GradientSource::Steps { steps, .. } = &self.source else { return Ok(None) };
        let places = claim.iter().enumerate().filter(|(_, claim)| **claim == Claim::NotFinite);
        for (place, claim) in places.take(MOST_AXES) {
            let axis: Vec<_> = (0..at.len()).map(|i| Rational::from(u32::from(i == place))).collect();
            let Ok(line) = steps.restrict_to_line(at, &axis).and_then(AuditSubject::of_steps) else { continue };
            let found = line.judge_claim(&Rational::new(), claim, tolerance, budget)?;
            if matches!(found.finding, AuditFinding::Outside(_)) && found.set.is_some() {
                return Ok(Some(GradientReport { coordinate: Some(place), ..report_of(found.finding) }));
            }
        }
        Ok(None)
    }

    /// Returns the map of a program with its kinks. `None` for a list of steps, and if it is no map.
    pub(super) fn find_whole_map(&self, budget: &Arc<Budget>) -> Option<(Vec<Variable>, Graph)> {
        let GradientSource::Program { function, domain, .. } = &self.source else { return None };
        map_with_kinks(function, domain, self.inputs, budget)
    }

    /// Returns the one smooth map that the function is near a point. `None` if the point lies on a border, as far as one line shows,
    /// and if the map was not found.
    pub(super) fn find_map_near(&self, at: &[Rational], budget: &Arc<Budget>) -> Option<(Vec<Variable>, Graph)> {
        if find_borders(self.as_given(), at, budget).is_some() {
            return None;
        }
        // Distinct slopes, as for borders.
        let along: Vec<_> = (0..at.len()).map(|i| Rational::from((2 * i as u64 + 3, 7))).collect();
        resolve_on_ray(self.as_given(), at, &along, budget).ok()?
    }
}

/// Returns `true` if a list of steps has an operation that may jump.
fn has_choices(steps: &StraightLineProgram) -> bool {
    steps.steps().iter().any(|step| match step {
        StraightLineStep::Constant(constant, _) => matches!(
            constant,
            Constant::Signum
                | Constant::Planar(_)
                | Constant::RealLess
                | Constant::RealLessEqual
                | Constant::RealGreater
                | Constant::RealGreaterEqual
                | Constant::RealEqual
                | Constant::RealNotEqual
        ),
        StraightLineStep::Choose(..)
        | StraightLineStep::Floor(_)
        | StraightLineStep::Modulo(..)
        | StraightLineStep::Remainder(..) => true,
        _ => false,
    })
}

/// Returns the report of a verdict alone.
fn report_of(finding: AuditFinding) -> GradientReport {
    GradientReport { finding, set: None, coordinate: None, borders: BorderPlaces::default(), kinks: None }
}

/// Returns the report without a verdict.
fn undecided_report(why: &str) -> GradientReport {
    report_of(AuditFinding::Unknown(why.to_owned()))
}

/// Judges a claim by Clarke's set at a kink, and a box around it that may be known. `None` if that says nothing.
fn judge_kinks(
    kinks: KinkSet,
    known: Option<&[Enclosure]>,
    claim: &[Claim],
    tolerance: &ClaimTolerance,
) -> Option<GradientReport> {
    let finding = kinks.compare_claim(claim, tolerance, &[]);
    let enclosed = kinks.enclosing_box();
    let set = match (enclosed, known) {
        (Some(found), Some(known)) => Some(intersect_boxes(found, known)),
        (found, known) => found.or_else(|| known.map(<[_]>::to_vec)),
    };
    let why = "the claim lies between what is known of Clarke's set from inside and from outside";
    let finding = match (finding, &set) {
        (Some(finding), _) => finding,
        (None, Some(_)) => AuditFinding::Unknown(why.to_owned()),
        (None, None) => return None,
    };
    let place = claim.iter().position(|claim| *claim == Claim::NotFinite);
    let coordinate = match (&set, &finding) {
        (Some(set), AuditFinding::Outside(_)) => place.or_else(|| compare_with_box(set, claim, tolerance, &[]).1),
        _ => None,
    };
    let borders = kinks.borders.clone();
    Some(GradientReport { finding, set, coordinate, borders, kinks: Some(Arc::new(kinks)) })
}

/// Applies a program to a point.
fn apply_to_point(f: &Term, at: &[Rational]) -> Term {
    let numbers = at.iter().map(|q| Term::new(TermKind::Real(q.clone()), Span::default())).collect();
    Term::apply(f.clone(), Term::new(TermKind::Tuple(numbers), Span::default()), Span::default())
}

/// Encloses the gradient of a program by the presheaf semantics.
fn enclose_program_gradient(
    function: &Term,
    gradient: &Term,
    domain: &Ty,
    at: &[Rational],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<ClarkeBox, SemanticsError> {
    let to = Accuracy::within(eps.clone());
    let answer = match PresheafSemantics.evaluate_to(&apply_to_point(gradient, at), domain, &to, budget) {
        Ok(answer) => answer,
        Err(error) => {
            return match error.unsupported_construct() {
                Some(lacking) => Ok(Err(undecided_report(&lacking.to_string()))),
                None => Err(error),
            };
        }
    };
    let coordinates = answer.value.coordinates().map_err(SemanticsError::from)?;
    let enclosed = |number: &&AnswerNumber| match number {
        AnswerNumber::Enclosure(found) => bounded_enclosure(&found.enclosure),
        _ => None,
    };
    let Some(set) = coordinates.iter().map(enclosed).collect::<Option<Vec<_>>>() else {
        // The pieces say whether there is a value at all; their semantics decides borders that the presheaves leave
        // open.
        let has_none =
            PiecewiseSemantics::default().evaluate_to(&apply_to_point(function, at), &Ty::real(), &to, budget);
        return Ok(Err(match has_none {
            Err(SemanticsError::Undefined(found)) if found.cause == answer::UndefinedCause::Domain => {
                report_of(AuditFinding::NotDefined(found.message))
            }
            _ => undecided_report(NOT_ENCLOSED),
        }));
    };
    if !answer.promises.is_empty() {
        let why = "an enclosure of Clarke's set rests on the promise of a cutRoot; with firstRoot there is none";
        return Ok(Err(undecided_report(why)));
    }
    Ok(Ok(set))
}

/// Encloses the gradient of a list of steps by its map. If that fails, looks at the lines along the axes. A function
/// without a value, not continuous, or not Lipschitz on a line is not so in the plane either.
fn enclose_map_gradient(
    steps: &StraightLineProgram,
    map: &Map<Dyn, Dyn>,
    at: &[Rational],
    eps: &Rational,
    tolerance: &ClaimTolerance,
    budget: &Arc<Budget>,
) -> Result<ClarkeBox, SemanticsError> {
    if let Ok(found) = map.vjp_at(at, &[Rational::from(1)], eps, budget)
        && let Some(set) = found.components.iter().map(|e| bounded_enclosure(&e.enclosure)).collect::<Option<Vec<_>>>()
    {
        return Ok(Ok(set));
    }
    for place in 0..at.len().min(MOST_AXES) {
        let axis: Vec<_> = (0..at.len()).map(|i| Rational::from(u32::from(i == place))).collect();
        let Ok(line) = steps.restrict_to_line(at, &axis).and_then(AuditSubject::of_steps) else { break };
        let found = line.judge_claim(&Rational::new(), &Claim::Number(Rational::new()), tolerance, budget)?.finding;
        let on_axis = |why: String| format!("along coordinate {}, {why}", place + 1);
        let finding = match found {
            AuditFinding::OneSided(without, why) => AuditFinding::OneSided(without, on_axis(why)),
            AuditFinding::NotContinuous(how) => AuditFinding::NotContinuous(on_axis(how)),
            AuditFinding::NotDefined(_) | AuditFinding::NotLipschitz(_) => found,
            _ => continue,
        };
        return Ok(Err(report_of(finding)));
    }
    let advice =
        ": the point may lie on the border of a choice; say along which direction, and that derivative is judged";
    Ok(Err(undecided_report(&format!("{NOT_ENCLOSED}{advice}"))))
}

/// Intersects two enclosures of one vector, coordinate by coordinate.
fn intersect_boxes(new: Vec<Enclosure>, before: &[Enclosure]) -> Vec<Enclosure> {
    new.into_iter().zip(before).map(|(new, before)| new.intersection(before).unwrap_or(new)).collect()
}

/// Returns the enclosure if it is defined and bounded.
fn bounded_enclosure(found: &Enclosure) -> Option<Enclosure> {
    Some(found.clone()).filter(|found| found.is_defined() && found.is_bounded())
}

/// Compares a claim with a box that contains the set. Returns the verdict, and a coordinate that is outside. The tolerance grows
/// by `extra` for each coordinate, if there are such numbers.
pub(super) fn compare_with_box(
    set: &[Enclosure],
    claim: &[Claim],
    tolerance: &ClaimTolerance,
    extra: &[Rational],
) -> (AuditFinding, Option<usize>) {
    if let Some(place) = claim.iter().position(|claim| *claim == Claim::NotFinite) {
        return (AuditFinding::Outside(DisagreementCause::NotFinite), Some(place));
    }
    let Some(ends) = set.iter().map(EndBounds::of_enclosure).collect::<Option<Vec<_>>>() else {
        return (AuditFinding::Unknown("the gradient may be unbounded".to_owned()), None);
    };
    let distances = |(place, (end, claim)): (usize, (&EndBounds, &Claim))| {
        let Claim::Number(q) = claim else { return None };
        let extra = extra.get(place).cloned().unwrap_or_default();
        // The allowed distance for the least and for the greatest number that the coordinate may have.
        let size = end.lo.clone().abs().max(end.hi.clone().abs());
        let allowed = [&end.magnitude(), &size].map(|size| tolerance.allowed_distance(size) + &extra);
        // The least and the greatest distance of a number of the interval.
        let (below, above) = (Rational::from(&end.lo - q), Rational::from(q - &end.hi));
        let most = Rational::from(&end.hi - q).max(Rational::from(q - &end.lo));
        Some(([below.max(above), most], allowed))
    };
    let distances: Vec<_> = ends.iter().zip(claim).enumerate().filter_map(distances).collect();
    if let Some(place) = distances.iter().position(|([least, _], [_, large])| least > large) {
        let is_wide = Rational::from(&ends[place].hi - &ends[place].lo) > distances[place].1[1];
        return (
            AuditFinding::Outside(if is_wide { DisagreementCause::Border } else { DisagreementCause::Unexplained }),
            Some(place),
        );
    }
    match distances.iter().all(|([_, most], [small, _])| most <= small) {
        true => (AuditFinding::Inside, None),
        false => {
            (AuditFinding::Unknown("some of an enclosure of Clarke's set is as claimed, some is not".to_owned()), None)
        }
    }
}

/// Returns a finer width if some coordinate is too coarse for its own tolerance, though it is as narrow as requested.
/// Returns `None` if no finer pass helps.
fn finer_width(set: &[Enclosure], claim: &[Claim], tolerance: &ClaimTolerance, eps: &Rational) -> Option<Rational> {
    let wanted = |(e, claim): (&Enclosure, &Claim)| {
        let end = EndBounds::of_enclosure(e)?;
        let size = match claim {
            Claim::Number(q) if end.magnitude() == 0 => q.clone().abs(),
            _ => end.magnitude(),
        };
        let (width, allowed) = (Rational::from(&end.hi - &end.lo), tolerance.allowed_distance(&size) / 4);
        (width > allowed && width <= *eps && size > 0).then_some(allowed)
    };
    set.iter().zip(claim).filter_map(wanted).min().filter(|finer| finer < eps)
}

/// The number of rays tried for each variable. A choice: more rays find more members, and each costs one run.
const RAYS: usize = 16;
/// The greatest number of rays. A choice, as above.
const MOST_RAYS: usize = 64;

/// Encloses gradients of a function along rays from a point: members of Clarke's set.
fn enclose_members(
    function: FunctionSource<'_>,
    at: &[Rational],
    tolerance: &ClaimTolerance,
    budget: &Arc<Budget>,
) -> Vec<Vec<EndBounds>> {
    // A fixed seed: the same question gets the same answer.
    let mut random = SplitMix64::new(at.len() as u64);
    let mut found: Vec<Vec<EndBounds>> = Vec::new();
    for _ in 0..(RAYS * at.len()).min(MOST_RAYS) {
        if budget.is_exhausted() {
            break;
        }
        // A choice: coordinates with a large prime denominator lie on few borders of programs with small constants.
        let along: Vec<_> = at.iter().map(|_| Rational::from((random.next_below(199) as i32 - 99, 97))).collect();
        let Ok(Some((variables, map))) = resolve_on_ray(function, at, &along, budget) else { continue };
        let point: Vec<_> = at.iter().map(|x| Graph::rational(x.clone())).collect();
        let gradient = Graph::reverse_mode(&variables, &[map], &point, &[Graph::integer(1)]);
        let enclosed = |slope: &Graph| {
            if budget.is_exhausted() {
                return None;
            }
            let enclosure = slope.to_real().ok()?.enclose_to(&tolerance.accuracy(), budget).ok()?.enclosure;
            EndBounds::of_enclosure(&Some(enclosure).filter(Enclosure::is_defined)?)
        };
        // A map that is not smooth at the point may have another limit there: such a ray is skipped.
        let Some(member) = gradient.iter().map(enclosed).collect::<Option<Vec<_>>>() else { continue };
        // Rays into the same piece give the same gradient.
        if !found.contains(&member) {
            found.push(member);
        }
    }
    found
}
