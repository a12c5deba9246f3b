//! The question `Audit`: whether a claimed derivative, gradient or directional derivative is right at a point.

use super::{
    AuditFinding, AuditReport, AuditSubject, Claim, ClaimTolerance, FloatFormat, GradientReport, GradientSubject,
};
use crate::failure::ErrorKind;
use crate::meaning::pap::beside::BorderPlaces;
use crate::meaning::pap::steps::{StepError, StraightLineProgram};
use crate::model::answer::SemanticsError;
use crate::number::{Enclosure, Rational};
use crate::session::{Diagnostic, Note, NoteKind, QUESTION_NAME, Question, QuestionContext, Session, SessionError};
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
    tolerance: ClaimTolerance,
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
            tolerance: ClaimTolerance::default(),
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

    /// Sets the floating-point format of the claim, and its tolerance in units in the last place. `None` is the default
    /// of the format.
    #[must_use]
    pub fn with_rounding(self, format: FloatFormat, units: Option<u32>) -> Self {
        let usual = ClaimTolerance::for_format(format);
        Self { tolerance: ClaimTolerance { units: units.unwrap_or(usual.units), ..usual }, ..self }
    }
}

impl Question for Audit {
    type Output = AuditResult;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<AuditResult, Diagnostic> {
        let audited = self.judge_question(session, on)?;
        // Both verdicts are proved; every other outcome leaves the question of the claim open.
        if !matches!(audited.finding, AuditFinding::Inside | AuditFinding::Outside(_)) {
            on.record_wide();
            if on.budget().is_exhausted() {
                on.record_limit();
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
        match (&self.along_direction, steps) {
            (Some(direction), Some(steps)) => self.judge_along_line(steps, direction, session, on),
            (Some(_), None) => {
                let advice = "write the function on the line, as \\t => f (1 + t, 2 - t), and ask --at 0";
                Err(Diagnostic::invalid_input(format!("error: --along is for lists of steps; of a program, {advice}")))
            }
            (None, steps) => {
                self.check_claim_count(self.at.len())?;
                match (&self.at[..], steps) {
                    ([x], Some(steps)) => {
                        let subject =
                            AuditSubject::of_steps(steps.clone()).map_err(|error| self.steps_diagnostic(&error))?;
                        self.judge_one(&subject, x, &self.claims[0], &self.tolerance, session, on)
                    }
                    ([x], None) => {
                        let subject = AuditSubject::new(session, &self.source.text)
                            .map_err(|e| self.program_diagnostic(session, e))?;
                        self.judge_one(&subject, x, &self.claims[0], &self.tolerance, session, on)
                    }
                    (_, steps) => self.judge_gradient(steps, session, on),
                }
            }
        }
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
        let [point, claim] =
            [count, self.claims.len()].map(|n| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") });
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
        Ok(AuditResult { finding, limits, set, coordinate: None, borders, claim: vec![claim.clone()] })
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
        let GradientReport { finding, set, coordinate } =
            report.map_err(|error| self.semantics_diagnostic(session, error))?;
        let borders = BorderPlaces::default();
        Ok(AuditResult { finding, limits: [None, None], set, coordinate, borders, claim: self.claims.clone() })
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
        let line = steps.restrict_to_line(&self.at, direction).and_then(AuditSubject::of_steps);
        let line = line.map_err(|error| self.steps_diagnostic(&error))?;
        let zero = Rational::new();
        let judge =
            |claim: &Claim, tolerance: &ClaimTolerance| self.judge_one(&line, &zero, claim, tolerance, session, on);
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
        if size == 0 || matches!(found.finding, AuditFinding::Inside) {
            return Ok(found);
        }
        let wider = judge(&claim, &ClaimTolerance { terms: size, ..self.tolerance.clone() })?;
        if !matches!(wider.finding, AuditFinding::Inside) {
            return Ok(found);
        }
        match self.judge_gradient(Some(steps), session, on)?.finding {
            // The sum may be off by rounding alone, if each term is right; if that is unknown, so is the verdict.
            AuditFinding::Inside => Ok(wider),
            AuditFinding::Unknown(_) => {
                Ok(AuditResult { finding: AuditFinding::Unknown(CANCELLATION_REASON.into()), ..wider })
            }
            _ => Ok(found),
        }
    }
}
