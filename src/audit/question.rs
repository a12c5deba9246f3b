//! The question `Audit`: whether a claimed derivative, gradient or directional derivative is right at a point.

use super::gradient::compare_with_box;
use super::judge::{ClaimJudge, EndBounds};
use super::kinks::KinkSet;
use super::noise::{
    DerivativeValues, ErrorBound, ProgramErrors, ReverseSweepBounds, RoundedProgram, is_explained_by_sides,
    program_of_graphs, reverse_program,
};
use super::{
    AllowanceLevel, AuditFinding, AuditReport, AuditSubject, Claim, ClaimTolerance, DisagreementCause, FloatFormat,
    GradientReport, GradientSubject, RoundedClaim, RuleFinding,
};
use crate::failure::ErrorKind;
use crate::meaning::pap::beside::{BorderPlaces, FunctionSource};
use crate::meaning::pap::local::resolve_pieces;
use crate::meaning::pap::steps::{StepError, StraightLineProgram};
use crate::model::answer::SemanticsError;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::session::{
    Diagnostic, Note, NoteKind, QUESTION_NAME, Question, QuestionContext, ReachedLimit, Session, SessionError,
};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::without_derivatives;
use crate::syntax::source::SourceText;
use std::sync::Arc;

/// The reason for a directional claim that is right only within the rounding of terms that cancel.
const CANCELLATION_REASON: &str =
    "the terms of the claim cancel, and whether they are as large as they should be is not known";

/// A question whether a claim about a derivative is right.
///
/// | function | claim |
/// |---|---|
/// | of one variable | one number |
/// | of several variables | one number for each |
/// | either, [`of_second_order`](Self::of_second_order) | the second derivative; the Hessian, row by row |
/// | a list of steps, [`along`](Self::along_direction) a direction | the derivative in it; or the gradient, which is summed in it |
///
/// # Examples
/// ```
/// use smoothish::audit::{Audit, AuditFinding};
/// use smoothish::session::{Limits, Session};
/// let session = Session::new();
/// let claim = |slope: f64| session.ask(&Audit::new(r"\x => max 0 x", [0.into()], [slope.into()]), &Limits::seconds(60));
/// assert!(matches!(claim(0.5)?.value().finding, AuditFinding::Inside));
/// assert!(matches!(claim(2.0)?.value().finding, AuditFinding::Outside(_)));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit {
    source: Arc<SourceText>,
    steps: Option<Result<StraightLineProgram, StepError>>,
    at: Vec<Rational>,
    along_direction: Option<Vec<Rational>>,
    claims: Vec<Claim>,
    /// `true` if a single claimed number is a gradient, not the derivative along the direction.
    is_gradient: bool,
    /// `true` if the claim is a second derivative, or a Hessian.
    is_second_order: bool,
    tolerance: ClaimTolerance,
    /// The program that computed the claims.
    rules: Option<Arc<RoundedProgram>>,
    /// The function with its stopped values held constant.
    stopped: Option<Arc<StraightLineProgram>>,
}

/// The result of an audit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuditResult {
    /// The verdict.
    pub finding: AuditFinding,
    /// The limits of the derivative from the left and from the right, if known. A gradient has none.
    pub limits: [Option<Enclosure>; 2],
    /// An enclosure of Clarke's set: an interval for each coordinate. `None` unless all are known.
    pub set: Option<Vec<Enclosure>>,
    /// A coordinate of a gradient that is outside, from 0.
    pub coordinate: Option<usize>,
    /// The positions of the guards on whose border the point lies.
    pub borders: BorderPlaces,
    /// The judged claim; along a direction, the sum.
    pub claim: Vec<Claim>,
    /// The widest allowance that the claim needs, if it is inside, or rounded.
    pub level: Option<AllowanceLevel>,
    /// The finding on the program that computed the claims. `None` without one.
    pub rules: Option<RuleFinding>,
    /// For each coordinate how far the claim may be from the set, where that was asked beyond the tolerance.
    pub allowed: Option<Vec<Rational>>,
    /// Clarke's set of a gradient, where it is not known by coordinates alone.
    kinks: Option<Arc<KinkSet>>,
}

/// A program of a gradient, the bounds of what rounding does to its outputs, and for each coordinate the allowance for sums.
type ProgramBounds<'a> = (&'a RoundedProgram, &'a [Option<ErrorBound>], &'a [Option<Rational>]);

/// A map over some variables.
type MapOfVariables = (Vec<Variable>, Graph);

/// The maps of a function, computed where they are asked for.
struct Maps<'a> {
    /// The smooth maps that it is near the point: one, except on borders.
    near: &'a dyn Fn() -> Vec<MapOfVariables>,
    /// The map with its borders. `None` for a list of steps, and if it is no map.
    whole: &'a dyn Fn() -> Option<MapOfVariables>,
}

impl Audit {
    /// Creates the question for a program of type `Real -> Real`, or of as many real arguments as the point has
    /// coordinates.
    #[must_use]
    pub fn new(text: &str, at: impl IntoIterator<Item = Rational>, claims: impl IntoIterator<Item = Claim>) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)), at, claims)
    }

    /// Creates the question for a named text; messages show the name. A text that begins with a brace is a list of
    /// steps as JSON.
    #[must_use]
    pub fn from_source(
        source: Arc<SourceText>,
        at: impl IntoIterator<Item = Rational>,
        claims: impl IntoIterator<Item = Claim>,
    ) -> Self {
        #[cfg(feature = "json")]
        let steps = source.text.trim_start().starts_with('{').then(|| super::file::parse_steps(&source.text));
        #[cfg(not(feature = "json"))]
        let steps = None;
        let (at, claims) = (at.into_iter().collect(), claims.into_iter().collect());
        Self {
            source,
            steps,
            at,
            along_direction: None,
            claims,
            is_gradient: false,
            is_second_order: false,
            tolerance: ClaimTolerance::default(),
            rules: None,
            stopped: None,
        }
    }

    /// Creates the question for a list of steps.
    #[must_use]
    pub fn of_steps(
        steps: StraightLineProgram,
        at: impl IntoIterator<Item = Rational>,
        claims: impl IntoIterator<Item = Claim>,
    ) -> Self {
        let source = Arc::new(SourceText::new("steps", ""));
        Self { steps: Some(Ok(steps)), ..Self::from_source(source, at, claims) }
    }

    /// Judges the derivative along a direction; for lists of steps only.
    #[must_use]
    pub fn along_direction(self, direction: impl IntoIterator<Item = Rational>) -> Self {
        Self { along_direction: Some(direction.into_iter().collect()), ..self }
    }

    /// Declares the claim to be a gradient. Along a direction its sum is then judged, also if it has one number only.
    ///
    /// # Examples
    /// ```
    /// use smoothish::audit::{Audit, AuditFinding};
    /// use smoothish::meaning::pap::steps::{StraightLineStep, StraightLineProgram};
    /// use smoothish::session::{Limits, Session};
    /// let mut identity = StraightLineProgram::default();
    /// identity.push(StraightLineStep::Input(0)).expect("a variable");
    /// let audit = Audit::of_steps(identity, [5.into()], [1.0.into()]).along_direction([2.into()]);
    /// let judged = |audit: &Audit| Session::new().ask(audit, &Limits::seconds(60)).map(|answer| answer.into_value().finding);
    /// // the derivative along 2 is 2
    /// assert!(matches!(judged(&audit)?, AuditFinding::Outside(_)));
    /// assert!(matches!(judged(&audit.claiming_gradient())?, AuditFinding::Inside));
    /// # Ok::<(), smoothish::session::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn claiming_gradient(self) -> Self {
        Self { is_gradient: true, ..self }
    }

    /// Declares the claim to be the second derivative of a function of one variable, or the Hessian of one of several, row by row.
    ///
    /// # Examples
    /// ```
    /// use smoothish::audit::{Audit, AuditFinding};
    /// use smoothish::session::{Limits, Session};
    /// let hessian = |claims: [f64; 4]| {
    ///     let audit = Audit::new(r"\(x, y) => x^2 * y", [3.into(), 5.into()], claims.map(Into::into)).of_second_order();
    ///     Session::new().ask(&audit, &Limits::seconds(60)).map(|answer| answer.into_value())
    /// };
    /// assert!(matches!(hessian([10.0, 6.0, 6.0, 0.0])?.finding, AuditFinding::Inside));
    /// assert_eq!(hessian([10.0, 6.0, 5.0, 0.0])?.coordinate, Some(2));
    /// # Ok::<(), smoothish::session::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn of_second_order(self) -> Self {
        Self { is_second_order: true, ..self }
    }

    /// Sets the floating-point format of the claim, and its tolerance in units in the last place. `None` is the default
    /// of the format.
    #[must_use]
    pub fn with_rounding(self, format: FloatFormat, units: Option<u32>) -> Self {
        let usual = ClaimTolerance::for_format(format);
        let ClaimTolerance { absolute, relative, .. } = self.tolerance;
        Self { tolerance: ClaimTolerance { units: units.unwrap_or(usual.units), absolute, relative, ..usual }, ..self }
    }

    /// Allows an absolute error beside the units, and an error relative to the derivative in their place if it is more.
    #[must_use]
    pub fn with_errors(self, absolute: Rational, relative: Rational) -> Self {
        Self { tolerance: ClaimTolerance { absolute, relative, ..self.tolerance }, ..self }
    }

    /// Gives the program that computed the claims. Its outputs are the coordinates of the gradient. It shows whether the rules of
    /// differentiation are right, and how far its rounding moves the claims.
    #[must_use]
    pub fn computed_by(self, rules: RoundedProgram) -> Self {
        Self { rules: Some(Arc::new(rules)), ..self }
    }

    /// Gives the function with its stopped values held constant, which may explain a claim.
    #[must_use]
    pub fn with_stopped_values(self, stopped: StraightLineProgram) -> Self {
        Self { stopped: Some(Arc::new(stopped)), ..self }
    }
}

/// The absolute error 2⁻ⁿ that sums may have by underflow. A choice: some thousand least normal doubles, which all enclosures resolve.
const UNDERFLOW_EXPONENT: u32 = 1010;
/// The reason of a verdict on a claim that is beyond all allowances that are known.
const NO_BOUND_REASON: &str = "the claim is not as near as its unit allows, and no bound of its rounding was found: rounding may turn a comparison";
/// The reason of a verdict on a claim that rounding explains, by rules that may be wrong.
const UNKNOWN_RULES_REASON: &str =
    "rounding explains the claim, and whether the rules of its program are right over the real numbers is not known";
/// Numbers are equal that differ by 2⁻ⁿ of the size of their terms. A choice: far below all formats, far above the width of enclosures.
const EQUAL_BITS: u32 = 120;
/// The reason of a verdict on a claim of which the effects of rounding were not found in time.
const LATE_REASON: &str = "what rounding does to the claim is not known";
/// The reason of a verdict on a claim at the end of what is allowed.
const NEAR_BOUND_REASON: &str = "the claim lies too near the end of what rounding explains";

/// Returns the words for a limit that was reached before the verdict.
fn limit_reason(limit: ReachedLimit) -> &'static str {
    match limit {
        ReachedLimit::Time => "the time was up",
        ReachedLimit::Work => "the limit of work was reached",
        ReachedLimit::Memory => "memory was short",
        ReachedLimit::Interrupt => "it was interrupted",
    }
}

fn count_numbers(n: usize) -> String {
    if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") }
}

fn power_of_ten(exponent: u32) -> Rational {
    (0..exponent).fold(Rational::from(1), |power, _| power * 10)
}

/// Returns `true` if a number certainly lies between the limits of the derivative from both sides, up to a distance.
fn is_between(limits: &[Option<Enclosure>; 2], value: &EndBounds, distance: &Rational) -> bool {
    let [Some(left), Some(right)] = limits.each_ref().map(|limit| EndBounds::of_enclosure(limit.as_ref()?)) else {
        return false;
    };
    let (least, most) = (left.hi.min(right.hi), left.lo.max(right.lo));
    value.lo >= Rational::from(&least - distance) && value.hi <= Rational::from(&most + distance)
}

/// Returns the result of a verdict, without borders and limits.
fn result_of(finding: AuditFinding, set: Option<Vec<Enclosure>>, claim: Vec<Claim>) -> AuditResult {
    let (limits, borders) = ([None, None], BorderPlaces::default());
    let (level, rules, allowed) = (None, None, None);
    AuditResult { finding, limits, set, coordinate: None, borders, claim, level, rules, allowed, kinks: None }
}

/// Returns the result without a verdict, with the reason that is known already or this one.
fn unknown_result(why: &str, found: AuditResult) -> AuditResult {
    match found.finding {
        // what is known of the set is the better reason
        AuditFinding::Unknown(_) => found,
        _ => AuditResult { finding: AuditFinding::Unknown(why.to_owned()), coordinate: None, ..found },
    }
}

impl Question for Audit {
    type Output = AuditResult;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<AuditResult, Diagnostic> {
        let mut audited = self.judge_question(session, on)?;
        // Both verdicts are proved; every other outcome leaves the question of the claim open.
        if !matches!(audited.finding, AuditFinding::Inside | AuditFinding::Outside(_) | AuditFinding::Rounded(_)) {
            on.record_wide();
            if on.budget().is_exhausted() {
                let limit = on.record_limit();
                if let AuditFinding::Unknown(why) = &mut audited.finding {
                    *why = format!("{}; {why}", limit_reason(limit));
                }
            }
        }
        let found = &audited.finding;
        on.record_note(Note::new(found.name(), NoteKind::Outcome, found.to_string()));
        Ok(audited)
    }
}

impl Audit {
    fn judge_question(&self, session: &Session, on: &QuestionContext<'_>) -> Result<AuditResult, Diagnostic> {
        let steps = match &self.steps {
            None => None,
            Some(steps) => Some(steps.as_ref().map_err(|error| self.steps_diagnostic(error))?),
        };
        if self.is_second_order {
            return self.judge_second_order(steps, session, on);
        }
        match (&self.along_direction, steps) {
            (Some(direction), Some(steps)) => self.judge_along_line(steps, direction, session, on),
            (Some(_), None) => {
                let advice = "write the function on the line, as \\t => f (1 + t, 2 - t), and ask --at 0";
                Err(Diagnostic::invalid_input(format!("error: --along is for lists of steps; of a program, {advice}")))
            }
            (None, steps) => {
                self.check_claim_count(self.at.len())?;
                match (&self.at[..], steps) {
                    ([_], Some(steps)) => {
                        let subject =
                            AuditSubject::of_steps(steps.clone()).map_err(|error| self.steps_diagnostic(&error))?;
                        self.judge_derivative(&subject, Some(steps), session, on)
                    }
                    ([_], None) => {
                        let subject = AuditSubject::new(session, &self.source.text)
                            .map_err(|e| self.program_diagnostic(session, e))?;
                        self.judge_derivative(&subject, None, session, on)
                    }
                    (_, steps) => self.judge_gradient(steps, session, on),
                }
            }
        }
    }

    /// Judges second derivatives: each row of a Hessian is the gradient of a partial derivative.
    fn judge_second_order(
        &self,
        steps: Option<&StraightLineProgram>,
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<AuditResult, Diagnostic> {
        let count = self.at.len();
        if self.along_direction.is_some() {
            return Err(Diagnostic::invalid_input("error: --along is for derivatives of first order".to_owned()));
        }
        if self.claims.len() != count * count || count == 0 {
            let text = format!(
                "error: of second order, at a point of {}, a claim has {}, row by row, and this one has {}",
                count_numbers(count),
                count_numbers(count * count),
                self.claims.len()
            );
            return Err(Diagnostic::invalid_input(text));
        }
        let unknown = |why: &str| Ok(result_of(AuditFinding::Unknown(why.to_owned()), None, self.claims.clone()));
        let rows = match self.partial_derivatives(steps, session, on)? {
            Ok(rows) => rows,
            Err(why) => return unknown(&why),
        };
        let mut found = Vec::with_capacity(count);
        for (row, claims) in rows.into_iter().zip(self.claims.chunks(count)) {
            let (tolerance, claims) = (self.tolerance.clone(), claims.to_vec());
            found.push(Self { claims, tolerance, ..row }.judge_question(session, on)?);
        }
        Ok(self.join_rows(found))
    }

    /// Returns the questions about the gradients of the partial derivatives, or the reason why there are none.
    fn partial_derivatives(
        &self,
        steps: Option<&StraightLineProgram>,
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<Result<Vec<Self>, String>, Diagnostic> {
        let single;
        let subject;
        let given = match (steps, self.at.len()) {
            (Some(steps), _) => FunctionSource::Steps(steps),
            (None, 1) => {
                single =
                    AuditSubject::new(session, &self.source.text).map_err(|e| self.program_diagnostic(session, e))?;
                single.as_given()
            }
            (None, count) => {
                subject = GradientSubject::new(session, &self.source.text, count)
                    .map_err(|e| self.program_diagnostic(session, e))?;
                subject.as_given()
            }
        };
        let local = match resolve_pieces(given, &self.at, on.budget()) {
            Ok(local) => local,
            // An integral, a root or an optimum: its derivative is a program.
            Err(_) if steps.is_none() && self.at.len() == 1 => {
                let derivative = format!("\\x => deriv ({}) x", self.source.text);
                return Ok(Ok(vec![Self::new(&derivative, self.at.clone(), [])]));
            }
            Err(why) => return Ok(Err(why)),
        };
        let Some(map) = local.smooth_map() else {
            return Ok(Err("the point lies on a border, where no second derivatives are known".to_owned()));
        };
        let program = reverse_program(&local.variables, map, self.tolerance.format);
        let rows = program.as_ref().map(|program| {
            let row =
                |output: &usize| Ok(Self::of_steps(program.steps.clone().with_value(*output)?, self.at.clone(), []));
            program.outputs.iter().map(row).collect::<Result<Vec<_>, StepError>>()
        });
        Ok(match rows {
            Some(Ok(rows)) => Ok(rows),
            _ => Err("the derivative is not a list of steps".to_owned()),
        })
    }

    /// Joins the verdicts on the rows of a Hessian: the worst of them is that on the whole.
    fn join_rows(&self, rows: Vec<AuditResult>) -> AuditResult {
        let severity = |finding: &AuditFinding| match finding {
            AuditFinding::Outside(_) => 4,
            AuditFinding::Inside => 0,
            AuditFinding::Rounded(_) => 1,
            AuditFinding::Unknown(_) => 2,
            _ => 3,
        };
        let count = self.at.len();
        let set: Option<Vec<Enclosure>> =
            rows.iter().map(|row| row.set.clone()).collect::<Option<Vec<_>>>().map(|all| all.concat());
        let level = rows.iter().map(|row| row.level).max().flatten();
        let limits = match &rows[..] {
            [only] => only.limits.clone(),
            _ => [None, None],
        };
        // the first of the worst
        let worst = rows.into_iter().enumerate().rev().max_by_key(|(_, row)| severity(&row.finding));
        let Some((place, worst)) = worst else { return result_of(AuditFinding::default(), None, self.claims.clone()) };
        let coordinate = match &worst.finding {
            AuditFinding::Outside(_) if count > 1 => Some(place * count + worst.coordinate.unwrap_or(0)),
            _ => None,
        };
        let level = level.filter(|_| matches!(worst.finding, AuditFinding::Inside | AuditFinding::Rounded(_)));
        AuditResult { coordinate, level, limits, ..result_of(worst.finding, set, self.claims.clone()) }
    }

    fn program_diagnostic(&self, session: &Session, error: crate::syntax::library::ProgramError) -> Diagnostic {
        session.diagnose(&self.source, &SessionError::Program(error))
    }

    fn semantics_diagnostic(&self, session: &Session, error: SemanticsError) -> Diagnostic {
        session.diagnose(&self.source, &SessionError::Semantics(error))
    }

    fn steps_diagnostic(&self, error: &StepError) -> Diagnostic {
        Diagnostic::rendered("steps", ErrorKind::InvalidInput, format!("error: {}: {error}", self.source.name))
    }

    /// Checks that there is one claimed number for each of the `count` coordinates of the point.
    fn check_claim_count(&self, count: usize) -> Result<(), Diagnostic> {
        if self.claims.len() == count && count > 0 {
            return Ok(());
        }
        let [point, claim] = [count, self.claims.len()].map(count_numbers);
        Err(Diagnostic::invalid_input(format!("error: the point has {point}, and a claim has {claim}")))
    }

    fn judge_one(
        &self,
        subject: &AuditSubject,
        at: &Rational,
        claim: &Claim,
        tolerance: &ClaimTolerance,
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<AuditResult, Diagnostic> {
        let report = subject.judge_claim(at, claim, tolerance, on.budget());
        let AuditReport { finding, limits, set, borders } =
            report.map_err(|error| self.semantics_diagnostic(session, error))?;
        let set = set.map(|set| vec![set]);
        Ok(AuditResult { limits, borders, ..result_of(finding, set, vec![claim.clone()]) })
    }

    /// Judges the derivative of a function of one variable, with what rounding does to the claim.
    fn judge_derivative(
        &self,
        subject: &AuditSubject,
        steps: Option<&StraightLineProgram>,
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<AuditResult, Diagnostic> {
        let found = self.judge_one(subject, &self.at[0], &self.claims[0], &self.tolerance, session, on)?;
        let near = || -> Vec<MapOfVariables> { subject.find_map_near(&self.at[0], on.budget()).into_iter().collect() };
        let whole = || subject.find_whole_map(on.budget());
        Ok(self.judge_rounding(found, steps, &Maps { near: &near, whole: &whole }, on.budget()))
    }

    /// Judges the whole gradient.
    fn judge_gradient(
        &self,
        steps: Option<&StraightLineProgram>,
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<AuditResult, Diagnostic> {
        let count = self.at.len();
        let subject = match steps {
            Some(steps) => {
                GradientSubject::of_steps(steps.clone(), count).map_err(|error| self.steps_diagnostic(&error))?
            }
            None => GradientSubject::new(session, &self.source.text, count)
                .map_err(|e| self.program_diagnostic(session, e))?,
        };
        let report = subject.judge_claims(&self.at, &self.claims, &self.tolerance, on.budget());
        let GradientReport { finding, set, coordinate, borders, kinks } =
            report.map_err(|error| self.semantics_diagnostic(session, error))?;
        let found = AuditResult { coordinate, borders, kinks, ..result_of(finding, set, self.claims.clone()) };
        let kinks = found.kinks.clone();
        let near = || -> Vec<MapOfVariables> {
            match &kinks {
                Some(kinks) => kinks.maps().to_vec(),
                None => subject.find_map_near(&self.at, on.budget()).into_iter().collect(),
            }
        };
        let whole = || subject.find_whole_map(on.budget());
        Ok(self.judge_rounding(found, steps, &Maps { near: &near, whole: &whole }, on.budget()))
    }

    /// Judges a verdict by the tolerance again: by the rules of the program over the real numbers, and by what rounding does to it.
    /// A verdict that the budget cuts short proves nothing, and is not decided.
    fn judge_rounding(
        &self,
        found: AuditResult,
        steps: Option<&StraightLineProgram>,
        maps: &Maps<'_>,
        budget: &Budget,
    ) -> AuditResult {
        let judged = self.judge_rounding_in_time(found, steps, maps, budget);
        let is_open = match &judged.finding {
            AuditFinding::Outside(cause) => *cause != DisagreementCause::NotFinite,
            AuditFinding::Rounded(_) => true,
            _ => false,
        };
        if is_open && budget.was_exhausted() { unknown_result(LATE_REASON, judged) } else { judged }
    }

    /// Returns a verdict with the cause that is shown. A border explains a claim where a rule gives it that takes one side of each
    /// border, or the mean of both.
    fn settle_cause(
        &self,
        found: AuditResult,
        steps: Option<&StraightLineProgram>,
        maps: &Maps<'_>,
        budget: &Budget,
    ) -> AuditResult {
        if found.finding != AuditFinding::Outside(DisagreementCause::Border) {
            return found;
        }
        let format = self.tolerance.format;
        let whole = match steps {
            Some(steps) => Some(RoundedProgram::of_steps(steps.clone(), format)),
            None => (maps.whole)().and_then(|(variables, map)| {
                program_of_graphs(&variables, &without_derivatives(std::slice::from_ref(&map)), format)
            }),
        };
        let explains = |bounds: &ReverseSweepBounds| self.is_claim_of(bounds, true);
        match whole {
            Some(whole) if is_explained_by_sides(&whole, &self.at, budget, explains) => found,
            _ => AuditResult { finding: AuditFinding::Outside(DisagreementCause::Unexplained), ..found },
        }
    }

    fn judge_rounding_in_time(
        &self,
        found: AuditResult,
        steps: Option<&StraightLineProgram>,
        maps: &Maps<'_>,
        budget: &Budget,
    ) -> AuditResult {
        let is_inside = matches!(found.finding, AuditFinding::Inside);
        let is_open = match &found.finding {
            AuditFinding::Inside => self.rules.is_some(),
            AuditFinding::Outside(cause) => *cause != DisagreementCause::NotFinite,
            AuditFinding::Unknown(_) => found.set.is_some(),
            _ => false,
        };
        let level = Some(AllowanceLevel::Units).filter(|_| is_inside);
        let found = AuditResult { level, ..found };
        if !is_open {
            return found;
        }
        let format = self.tolerance.format;
        let functions = match steps {
            Some(steps) => vec![RoundedProgram::of_steps(steps.clone(), format)],
            None => (maps.near)()
                .iter()
                .filter_map(|(variables, map)| {
                    program_of_graphs(variables, &without_derivatives(std::slice::from_ref(map)), format)
                })
                .collect(),
        };
        let swept: Vec<_> = functions.iter().map(|of| ReverseSweepBounds::of_function(of, &self.at, budget)).collect();
        let (Some(function), Some(bounds)) = (functions.first(), swept.first()) else {
            return self.settle_cause(found, steps, maps, budget);
        };
        let of_sums = bounds.allowances(format);
        let rules = self.rules.as_ref().map(|rules| {
            let half = self.half_of_digits(&found, &swept, &of_sums);
            self.judge_rules(rules, (function, bounds), &found, &half, budget)
        });
        let mut found = AuditResult { rules, ..found };
        if is_inside {
            return found;
        }
        // on a border the claim may come from any of the maps
        let larger = |a: Vec<Option<Rational>>, b: Vec<Option<Rational>>| {
            a.into_iter().zip(b).map(|(a, b)| Some(a?.max(b?))).collect()
        };
        let sums = swept.iter().map(|bounds| bounds.allowances(format)).reduce(larger).unwrap_or_default();
        // Products underflow, and so do the ends of an enclosure of 0, which is a coordinate that no unit of the least number tells from 0.
        let sums: Vec<Option<Rational>> =
            sums.into_iter().map(|sum| Some(sum? + (Rational::from(1) >> UNDERFLOW_EXPONENT))).collect();
        let extra: Vec<Rational> = sums.iter().map(|sum| sum.clone().unwrap_or_default()).collect();
        let by_sums = self.compare_again(&found, &extra);
        if let AuditFinding::Outside(cause) = &found.finding {
            // What a right program loses by rounding may be near what it would be with stopped values, which often have no part in it.
            let may_be_stopped = match rules {
                Some(RuleFinding::Right) => false,
                Some(RuleFinding::Refuted) => self.is_claim_of_stopped(true, budget),
                _ => matches!(by_sums, Some(AuditFinding::Outside(_))) && self.is_claim_of_stopped(false, budget),
            };
            let is_beyond_slopes = || steps.is_some() && self.is_beyond_slopes(&found, bounds, &extra);
            let is_refuted = rules == Some(RuleFinding::Refuted);
            let is_of_border = *cause == DisagreementCause::Border
                && match is_refuted {
                    // the values of the program are none of the derivative, on a border
                    true => !is_beyond_slopes(),
                    false => {
                        let settled = self.settle_cause(found.clone(), steps, maps, budget);
                        settled.finding == AuditFinding::Outside(DisagreementCause::Border)
                    }
                };
            let cause = match rules {
                _ if is_of_border => DisagreementCause::Border,
                _ if may_be_stopped => DisagreementCause::StopGradient,
                Some(RuleFinding::Refuted) => DisagreementCause::Rule,
                _ => DisagreementCause::Unexplained,
            };
            let is_settled = is_refuted || cause == DisagreementCause::StopGradient;
            found.finding = AuditFinding::Outside(cause);
            if is_settled {
                return found;
            }
        } else if rules == Some(RuleFinding::Refuted) {
            // too near to be outside, and no rounding of the right rules
            return found;
        }
        let half = self.half_of_digits(&found, &swept, &sums);
        // only what is not inside by its unit needs the allowance; of a set that is no box, coordinates do not tell
        let needs = |place: usize| {
            found.kinks.is_some()
                || self.compare_coordinate(&found, place, &Rational::new()) != Some(AuditFinding::Inside)
        };
        let is_fine = (0..extra.len()).all(|place| extra[place] <= half || !needs(place));
        if by_sums == Some(AuditFinding::Inside) && is_fine {
            let (finding, level, allowed) = (AuditFinding::Inside, Some(AllowanceLevel::Sums), Some(extra));
            return AuditResult { finding, level, allowed, coordinate: None, ..found };
        }
        let is_explained = by_sums == Some(AuditFinding::Inside);
        let judged = match &self.rules {
            Some(rules) => self.judge_program(&found, rules, &sums, &half, budget),
            // reverse mode of our own, where no other program is known
            None => match &(maps.near)()[..] {
                [(variables, map)] => reverse_program(variables, map, format)
                    .and_then(|program| self.judge_program(&found, &program, &sums, &half, budget)),
                _ => None,
            },
        };
        match judged {
            Some(judged) => judged,
            // sums alone explain it, and by more than half of its digits
            None if is_explained => {
                self.report_rounded(AuditResult { allowed: Some(extra), ..found }, AllowanceLevel::Sums, None)
            }
            None => found,
        }
    }

    /// Returns half of the digits of the largest coordinate of the derivative: what rounding may take from a claim that is right.
    ///
    /// Where all coordinates are 0 by cancellation, they have no size: then it is half of the digits of |f(x)| / max(1, |x|), which has
    /// the unit of a derivative and does not change if f is scaled; a value that may be 0 has no size either, and 1 stands for it.
    fn half_of_digits(&self, found: &AuditResult, swept: &[ReverseSweepBounds], sums: &[Option<Rational>]) -> Rational {
        let precision = self.tolerance.format.precision_and_exponent().0;
        let [first, others @ ..] = swept else { return Rational::new() };
        let mut size = Rational::new();
        let mut is_zero = true;
        for place in 0..self.at.len() {
            let known = found.set.as_ref().and_then(|set| EndBounds::of_enclosure(set.get(place)?));
            // on a border each map has its own
            let swept = first.derivative[place].as_ref().filter(|_| others.is_empty() || known.is_none());
            let swept = swept.and_then(EndBounds::of_enclosure);
            let most = [known, swept]
                .into_iter()
                .flatten()
                .map(|end| end.absolute())
                .reduce(|a, b| EndBounds { lo: a.lo.max(b.lo), hi: a.hi.min(b.hi) });
            let Some(most) = most else { return Rational::new() };
            // what is far below the rounding of its terms is not told from 0
            let noise = sums.get(place).cloned().flatten().unwrap_or_default() >> precision;
            is_zero &= most.lo == 0 && most.hi <= noise;
            size = size.max(most.hi);
        }
        if is_zero {
            let furthest = self.at.iter().map(|x| x.clone().abs()).fold(Rational::from(1), Rational::max);
            let value = swept.iter().filter_map(|bounds| bounds.value.clone()).min();
            size =
                value.map_or_else(Rational::new, |value| if value == 0 { Rational::from(1) } else { value }) / furthest;
        }
        size >> (precision / 2)
    }

    /// Judges a claim that sums do not explain, or explain by more than `half` of its digits, by the rounding of the program that
    /// computed it. `None` if the program has other outputs.
    fn judge_program(
        &self,
        found: &AuditResult,
        program: &RoundedProgram,
        sums: &[Option<Rational>],
        half: &Rational,
        budget: &Budget,
    ) -> Option<AuditResult> {
        let count = found.set.as_ref().map(Vec::len).filter(|count| *count == program.outputs.len())?;
        let found = found.clone();
        let errors = ProgramErrors::new(program, &self.at, self.tolerance.format, budget);
        let sum = |place: usize| sums[place].clone().unwrap_or_default();
        let is_inside = |place: usize, extra: &Rational| {
            self.compare_coordinate(&found, place, extra) == Some(AuditFinding::Inside)
        };
        // all that rounding explains, and what of it leaves half of the digits
        let mut extra: Vec<Rational> = (0..count).map(sum).collect();
        let mut fine: Vec<Rational> =
            extra.iter().map(|sum| Some(sum).filter(|sum| *sum <= half).cloned().unwrap_or_default()).collect();
        let (mut bounds, mut is_bounded, mut is_fine) = (vec![None; count], true, true);
        // that which is known to be outside first: if it is so beyond its rounding too, no other is looked at
        let first = found.coordinate.unwrap_or(0);
        for place in std::iter::once(first).chain((0..count).filter(|place| *place != first)) {
            // only for what is open: each costs a sweep back
            if is_inside(place, &fine[place]) {
                continue;
            }
            let Some(bound) = errors.bound_output(program.outputs[place]).filter(|_| !budget.is_exhausted()) else {
                is_fine = false;
                is_bounded &= is_inside(place, &extra[place]);
                continue;
            };
            extra[place] = bound.bound.clone().max(sum(place));
            match [&extra[place], &bound.bound].into_iter().find(|extra| *extra <= half) {
                Some(extra) => fine[place] = extra.clone(),
                None => is_fine = false,
            }
            bounds[place] = Some(bound);
            if let Some(AuditFinding::Outside(_)) = self.compare_coordinate(&found, place, &extra[place]) {
                let finding = match found.finding {
                    finding @ AuditFinding::Outside(_) => finding,
                    _ => AuditFinding::Outside(DisagreementCause::Unexplained),
                };
                let coordinate = Some(place).filter(|_| count > 1);
                return Some(AuditResult { finding, coordinate, allowed: Some(extra), ..found });
            }
        }
        let level = Some(AllowanceLevel::Program);
        if is_fine && self.compare_again(&found, &fine) == Some(AuditFinding::Inside) {
            let allowed = Some(fine);
            return Some(AuditResult { finding: AuditFinding::Inside, level, allowed, coordinate: None, ..found });
        }
        let by_program = self.compare_again(&found, &extra);
        let found = AuditResult { allowed: Some(extra), ..found };
        Some(match by_program {
            _ if budget.was_exhausted() => unknown_result(LATE_REASON, found),
            _ if !is_bounded => unknown_result(NO_BOUND_REASON, found),
            Some(AuditFinding::Inside) => {
                self.report_rounded(found, AllowanceLevel::Program, Some((program, &bounds, sums)))
            }
            // apart from a set that no coordinate alone tells from it
            Some(AuditFinding::Outside(_)) => found,
            _ => unknown_result(NEAR_BOUND_REASON, found),
        })
    }

    /// Returns the result for a claim that rounding explains, and that has less than half of its digits: it is rounded, unless the rules of
    /// its program may be wrong.
    fn report_rounded(
        &self,
        found: AuditResult,
        level: AllowanceLevel,
        by_program: Option<ProgramBounds<'_>>,
    ) -> AuditResult {
        if found.rules == Some(RuleFinding::Unknown) {
            return unknown_result(UNKNOWN_RULES_REASON, found);
        }
        let coarse_format = by_program.and_then(|(program, bounds, sums)| {
            let is_explained = |place: usize, bound: &ErrorBound| {
                let own = bound.in_own_format.clone().max(sums[place].clone().unwrap_or_default());
                !matches!(self.compare_coordinate(&found, place, &own), Some(AuditFinding::Outside(_)))
            };
            bounds.iter().enumerate().find_map(|(place, bound)| {
                let bound = bound.as_ref().filter(|bound| !is_explained(place, bound))?;
                let step = bound.coarse_step?;
                let format = program.roundings.get(step)?.as_ref()?.format;
                Some((format, program.place_of(step).map_or_else(String::new, |place| format!(" at {place}"))))
            })
        });
        let zero = Rational::new();
        let is_off = |place: &usize| self.compare_coordinate(&found, *place, &zero) != Some(AuditFinding::Inside);
        let places = (0..self.claims.len()).filter(is_off);
        let digits = places.filter_map(|place| self.count_digits(&found, place)).min().unwrap_or(0);
        let has_right_rules = found.rules == Some(RuleFinding::Right);
        let finding = AuditFinding::Rounded(RoundedClaim { digits, coarse_format, has_right_rules });
        AuditResult { finding, level: Some(level), coordinate: None, ..found }
    }

    /// Counts the decimal digits of a coordinate of a claim that are certainly right.
    fn count_digits(&self, found: &AuditResult, place: usize) -> Option<u32> {
        let Claim::Number(claimed) = &self.claims[place] else { return None };
        let end = EndBounds::of_enclosure(found.set.as_ref()?.get(place)?)?;
        let off = Rational::from(&end.hi - claimed).max(Rational::from(claimed - &end.lo));
        let size = end.magnitude();
        if size == 0 {
            return Some(0);
        }
        if off <= 0 {
            return None;
        }
        let quotient = Rational::from(&size / &off);
        let digits = (0..400_u32).take_while(|k| power_of_ten(k + 1) <= quotient).count();
        u32::try_from(digits).ok()
    }

    /// Compares a claim with the known set again, with more allowed for each coordinate. `None` if that does not decide.
    fn compare_again(&self, found: &AuditResult, extra: &[Rational]) -> Option<AuditFinding> {
        if let Some(kinks) = &found.kinks {
            return kinks.compare_claim(&self.claims, &self.tolerance, extra);
        }
        let set = found.set.as_ref()?;
        match (&self.claims[..], &set[..]) {
            ([claim], [only]) => self.compare_single(found, claim, only, &extra[0]),
            _ => match compare_with_box(set, &self.claims, &self.tolerance, extra).0 {
                AuditFinding::Unknown(_) => None,
                decided => Some(decided),
            },
        }
    }

    fn compare_coordinate(&self, found: &AuditResult, place: usize, extra: &Rational) -> Option<AuditFinding> {
        let (claim, only) = (self.claims.get(place)?, found.set.as_ref()?.get(place)?);
        self.compare_single(found, claim, only, extra)
    }

    fn compare_single(
        &self,
        found: &AuditResult,
        claim: &Claim,
        only: &Enclosure,
        extra: &Rational,
    ) -> Option<AuditFinding> {
        let absolute = Rational::from(&self.tolerance.absolute + extra);
        let tolerance = &ClaimTolerance { absolute, ..self.tolerance.clone() };
        let (limits, borders) = (found.limits.clone(), found.borders.clone());
        let report = AuditReport { limits, set: Some(only.clone()), borders, ..AuditReport::default() };
        ClaimJudge { claim, tolerance, budget: &Budget::unlimited() }.compare_with_report(&report)
    }

    /// Returns `true` if the claim is the derivative of the function whose stopped values are constant, with the allowance for sums if
    /// `by_sums`.
    fn is_claim_of_stopped(&self, by_sums: bool, budget: &Budget) -> bool {
        let Some(stopped) = &self.stopped else { return false };
        let stopped = RoundedProgram::of_steps((**stopped).clone(), self.tolerance.format);
        self.is_claim_of(&ReverseSweepBounds::of_function(&stopped, &self.at, budget), by_sums)
    }

    /// Returns `true` if the claim is the derivative of a sweep, with the allowance for sums if `by_sums`.
    fn is_claim_of(&self, bounds: &ReverseSweepBounds, by_sums: bool) -> bool {
        let Some(set) = bounds.derivative.iter().cloned().collect::<Option<Vec<_>>>() else { return false };
        let sums = bounds.allowances(self.tolerance.format).into_iter().filter(|_| by_sums);
        let extra: Vec<_> = sums.map(Option::unwrap_or_default).collect();
        compare_with_box(&set, &self.claims, &self.tolerance, &extra).0 == AuditFinding::Inside
    }

    /// Returns `true` if the derivative is one number for each variable, and the claim is none that the slopes beside borders make: no rule
    /// that takes one side of them, or a mean of both, explains it.
    fn is_beyond_slopes(&self, found: &AuditResult, bounds: &ReverseSweepBounds, extra: &[Rational]) -> bool {
        let is_narrow = |known: &Enclosure| {
            EndBounds::of_enclosure(known)
                .is_some_and(|end| known.has_width_at_most(&self.tolerance.allowed_distance(&end.magnitude())))
        };
        let is_single = found.set.as_ref().is_some_and(|set| set.iter().all(is_narrow));
        let Some(slopes) = bounds.derivative.iter().cloned().collect::<Option<Vec<_>>>() else { return false };
        is_single
            && matches!(compare_with_box(&slopes, &self.claims, &self.tolerance, extra).0, AuditFinding::Outside(_))
    }

    /// Compares the program that computed the claims with the derivative, over the real numbers. It is right by less than `half` of the
    /// digits of the derivative only: where terms cancel that are far larger, the rounding of constants may hide any rule.
    fn judge_rules(
        &self,
        rules: &RoundedProgram,
        (function, bounds): (&RoundedProgram, &ReverseSweepBounds),
        found: &AuditResult,
        half: &Rational,
        budget: &Budget,
    ) -> RuleFinding {
        if rules.outputs.len() != self.at.len() {
            return RuleFinding::Unknown;
        }
        let derivative = DerivativeValues::new(rules, &self.at, budget);
        let format = self.tolerance.format;
        // constants of a short format are rounded more coarsely than they are written
        let slack = if format.precision_and_exponent().0 < 24 { 16 } else { 2 };
        let mut finding = RuleFinding::Right;
        for (place, value) in derivative.values().iter().enumerate() {
            if budget.was_exhausted() {
                return RuleFinding::Unknown;
            }
            let Some(value) = value.as_ref().and_then(EndBounds::of_enclosure) else {
                finding = RuleFinding::Unknown;
                continue;
            };
            let Some(size) = &bounds.sizes[place] else {
                // on the border of a choice there is no sweep: only what lies between known limits is right
                if !is_between(&found.limits, &value, &Rational::new()) {
                    finding = RuleFinding::Unknown;
                }
                continue;
            };
            let limit: Rational = size * format.unit_roundoff() * slack;
            let most_of_right = half.clone().max(size.clone() >> EQUAL_BITS);
            let known = found.set.as_ref().and_then(|set| EndBounds::of_enclosure(set.get(place)?));
            let swept = bounds.derivative[place].as_ref().and_then(EndBounds::of_enclosure);
            let sets: Vec<_> = [known, swept].into_iter().flatten().collect();
            // outside of one enclosure is outside of the set
            let least = |set: &EndBounds| Rational::from(&set.lo - &value.hi).max(Rational::from(&value.lo - &set.hi));
            let most = |set: &EndBounds| Rational::from(&set.hi - &value.lo).max(Rational::from(&value.hi - &set.lo));
            let (Some(least), Some(most)) = (sets.iter().map(least).max(), sets.iter().map(most).min()) else {
                finding = RuleFinding::Unknown;
                continue;
            };
            let right = limit.clone().min(most_of_right.clone());
            if most <= right || is_between(&found.limits, &value, &right) {
                continue;
            }
            let constants = derivative.bound_constant_errors(function, rules.outputs[place]);
            let limit = constants.map(|constants| constants + limit);
            match limit {
                Some(limit) if least > limit => return RuleFinding::Refuted,
                Some(limit) if most <= limit.clone().min(most_of_right) => {}
                _ => finding = RuleFinding::Unknown,
            }
        }
        finding
    }

    /// Judges the derivative along a direction. A claimed gradient is summed, and its sum is rounded like its terms,
    /// which may cancel. The wider tolerance of the terms is used only if the whole gradient is right. Otherwise the
    /// more wrong a gradient is, the more would be allowed.
    fn judge_along_line(
        &self,
        steps: &StraightLineProgram,
        direction: &[Rational],
        session: &Session,
        on: &QuestionContext<'_>,
    ) -> Result<AuditResult, Diagnostic> {
        let on_line = steps.restrict_to_line(&self.at, direction);
        let on_line = on_line.map_err(|error| self.steps_diagnostic(&error))?;
        let line = AuditSubject::of_steps(on_line.clone()).map_err(|error| self.steps_diagnostic(&error))?;
        let zero = Rational::new();
        let judge = |claim: &Claim, tolerance: &ClaimTolerance| {
            let found = self.judge_one(&line, &zero, claim, tolerance, session, on)?;
            let along = Self::of_steps(on_line.clone(), [zero.clone()], [claim.clone()]);
            let along = Self { tolerance: tolerance.clone(), ..along };
            let maps = Maps { near: &Vec::new, whole: &|| None };
            let found = along.settle_cause(found, Some(&on_line), &maps, on.budget());
            let is_late = matches!(found.finding, AuditFinding::Outside(DisagreementCause::Unexplained));
            Ok(if is_late && on.budget().was_exhausted() { unknown_result(LATE_REASON, found) } else { found })
        };
        if let ([claim], false) = (&self.claims[..], self.is_gradient) {
            return judge(claim, &self.tolerance);
        }
        if self.claims.len() != direction.len() {
            let found = self.claims.len();
            let text = format!("error: a derivative in a direction is one number, and a claim has {found}");
            return Err(Diagnostic::invalid_input(text));
        }
        // A coordinate across the direction has no part in the sum: even an infinite one is not judged here.
        let terms = self.claims.iter().zip(direction).filter(|(_, weight)| **weight != 0);
        let terms: Option<Vec<Rational>> = terms
            .map(|(claim, weight)| match claim {
                Claim::Number(slope) => Some(Rational::from(slope * weight)),
                Claim::NotFinite => None,
            })
            .collect();
        let Some(terms) = terms else { return judge(&Claim::NotFinite, &self.tolerance) };
        let claim = Claim::Number(terms.iter().sum());
        let size: Rational = terms.into_iter().map(Rational::abs).sum();
        let found = judge(&claim, &self.tolerance)?;
        // The strict tolerance decides first; the wider one is needed only for a claim that it rejects.
        if matches!(found.finding, AuditFinding::Inside) || size == 0 && self.rules.is_none() {
            return Ok(found);
        }
        if !matches!(found.finding, AuditFinding::Outside(_) | AuditFinding::Unknown(_)) {
            return Ok(found);
        }
        // without the program of the claims, only a sum that may be right by the rounding of its terms is looked at further
        let by_terms = judge(&claim, &ClaimTolerance { terms: size.clone(), ..self.tolerance.clone() })?;
        if self.rules.is_none() && !matches!(by_terms.finding, AuditFinding::Inside) {
            return Ok(found);
        }
        let whole = self.judge_gradient(Some(steps), session, on)?;
        // what is allowed for the terms is allowed for their sum
        let allowed = |(extra, weight): (&Rational, &Rational)| Rational::from(extra * weight).abs();
        let absolute: Rational = whole.allowed.iter().flatten().zip(direction).map(allowed).sum();
        let absolute = absolute + &self.tolerance.absolute;
        let wider = judge(&claim, &ClaimTolerance { terms: size, absolute, ..self.tolerance.clone() })?;
        let cause = match &whole.finding {
            AuditFinding::Outside(cause @ (DisagreementCause::Rule | DisagreementCause::StopGradient)) => Some(*cause),
            _ => None,
        };
        let found = match (cause, &found.finding) {
            (Some(cause), AuditFinding::Outside(DisagreementCause::Unexplained)) => {
                AuditResult { finding: AuditFinding::Outside(cause), ..found }
            }
            _ => found,
        };
        let is_wide_enough = matches!(wider.finding, AuditFinding::Inside);
        let is_unexplained = matches!(found.finding, AuditFinding::Outside(DisagreementCause::Unexplained));
        let unknown =
            |found: AuditResult| AuditResult { finding: AuditFinding::Unknown(CANCELLATION_REASON.into()), ..found };
        Ok(match whole.finding {
            // The sum may be off by rounding alone, if each term is right or rounded; if that is unknown, so is the verdict.
            AuditFinding::Inside if is_wide_enough => AuditResult { level: whole.level, rules: whole.rules, ..wider },
            AuditFinding::Rounded(_) if is_wide_enough => {
                AuditResult { finding: whole.finding, level: whole.level, rules: whole.rules, ..wider }
            }
            AuditFinding::Unknown(_) if is_wide_enough || self.rules.is_some() && is_unexplained => unknown(wider),
            _ => AuditResult { rules: whole.rules, ..found },
        })
    }
}
