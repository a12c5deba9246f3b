//! The question `Audit`: whether a claimed derivative, gradient or directional derivative is right at a point.

use super::{Claim, Finding, Format, Gradient, GradientReport, Report, Subject, Tolerance};
use crate::failure::ErrorKind;
use crate::meaning::pap::beside::Borders;
use crate::meaning::pap::steps::{StepError, Steps};
use crate::model::answer::MeaningError;
use crate::number::{Enclosure, Rational};
use crate::session::{Diagnostic, Note, NoteKind, QUESTION, Question, Scope, Session, SessionError};
use crate::syntax::source::Source;
use std::sync::Arc;

/// The reason for a directional claim that is right only within the rounding of terms that cancel.
const CANCELS: &str = "the terms of the claim cancel, and whether they are as large as they should be is not known";

/// A question whether a claim about a derivative is right.
///
/// | function | claim |
/// |---|---|
/// | of one variable | one number |
/// | of several variables | one number for each |
/// | a list of steps, [`along`](Self::along) a direction | the derivative in it; or the gradient, which is summed in it |
///
/// # Examples
/// ```
/// use smoothish::audit::{Audit, Finding};
/// use smoothish::session::{Limits, Session};
/// let session = Session::new();
/// let claim = |slope: f64| session.ask(&Audit::new(r"\x => max 0 x", [0.into()], [slope.into()]), &Limits::seconds(60));
/// assert!(matches!(claim(0.5)?.value().finding, Finding::Inside));
/// assert!(matches!(claim(2.0)?.value().finding, Finding::Outside(_)));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit {
    source: Arc<Source>,
    steps: Option<Result<Steps, StepError>>,
    at: Vec<Rational>,
    along: Option<Vec<Rational>>,
    claims: Vec<Claim>,
    /// `true` if a single claimed number is a gradient, not the derivative along the direction.
    is_gradient: bool,
    tolerance: Tolerance,
}

/// The result of an audit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Audited {
    /// The verdict.
    pub finding: Finding,
    /// The limits of the derivative from the left and from the right, if known. A gradient has none.
    pub limits: [Option<Enclosure>; 2],
    /// An enclosure of Clarke's set: an interval for each coordinate. `None` unless all are known.
    pub set: Option<Vec<Enclosure>>,
    /// A coordinate of a gradient that is outside, from 0.
    pub coordinate: Option<usize>,
    /// The positions of the guards on whose border the point lies.
    pub borders: Borders,
    /// The judged claim; along a direction, the sum.
    pub claim: Vec<Claim>,
}

impl Audit {
    /// Creates the question for a program of type `Real -> Real`, or of as many real arguments as the point has
    /// coordinates.
    #[must_use]
    pub fn new(text: &str, at: impl IntoIterator<Item = Rational>, claims: impl IntoIterator<Item = Claim>) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)), at, claims)
    }

    /// Creates the question for a named text; messages show the name. A text that begins with a brace is a list of
    /// steps as JSON.
    #[must_use]
    pub fn of(
        source: Arc<Source>,
        at: impl IntoIterator<Item = Rational>,
        claims: impl IntoIterator<Item = Claim>,
    ) -> Self {
        #[cfg(feature = "json")]
        let steps = source.text.trim_start().starts_with('{').then(|| super::file::read(&source.text));
        #[cfg(not(feature = "json"))]
        let steps = None;
        let (at, claims) = (at.into_iter().collect(), claims.into_iter().collect());
        Self { source, steps, at, along: None, claims, is_gradient: false, tolerance: Tolerance::default() }
    }

    /// Creates the question for a list of steps.
    #[must_use]
    pub fn of_steps(
        steps: Steps,
        at: impl IntoIterator<Item = Rational>,
        claims: impl IntoIterator<Item = Claim>,
    ) -> Self {
        let source = Arc::new(Source::new("steps", ""));
        Self { steps: Some(Ok(steps)), ..Self::of(source, at, claims) }
    }

    /// Judges the derivative along a direction; for lists of steps only.
    #[must_use]
    pub fn along(self, direction: impl IntoIterator<Item = Rational>) -> Self {
        Self { along: Some(direction.into_iter().collect()), ..self }
    }

    /// Declares the claim to be a gradient. Along a direction its sum is then judged, also if it has one number only.
    ///
    /// # Examples
    /// ```
    /// use smoothish::audit::{Audit, Finding};
    /// use smoothish::meaning::pap::steps::{Step, Steps};
    /// use smoothish::session::{Limits, Session};
    /// let mut identity = Steps::default();
    /// identity.push(Step::Input(0)).expect("a variable");
    /// let audit = Audit::of_steps(identity, [5.into()], [1.0.into()]).along([2.into()]);
    /// let judged = |audit: &Audit| Session::new().ask(audit, &Limits::seconds(60)).map(|answer| answer.into_value().finding);
    /// // the derivative along 2 is 2
    /// assert!(matches!(judged(&audit)?, Finding::Outside(_)));
    /// assert!(matches!(judged(&audit.claiming_gradient())?, Finding::Inside));
    /// # Ok::<(), smoothish::session::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn claiming_gradient(self) -> Self {
        Self { is_gradient: true, ..self }
    }

    /// Sets the floating-point format of the claim, and its tolerance in units in the last place. `None` is the default
    /// of the format.
    #[must_use]
    pub fn rounded(self, format: Format, units: Option<u32>) -> Self {
        let usual = Tolerance::of(format);
        Self { tolerance: Tolerance { units: units.unwrap_or(usual.units), ..usual }, ..self }
    }
}

impl Question for Audit {
    type Output = Audited;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Audited, Diagnostic> {
        let audited = self.judged(session, on)?;
        // Both verdicts are proved; every other outcome leaves the question of the claim open.
        if !matches!(audited.finding, Finding::Inside | Finding::Outside(_)) {
            on.is_wide();
            if on.budget().is_exhausted() {
                on.is_cut_short();
            }
        }
        let found = &audited.finding;
        on.note(Note::new(found.name(), NoteKind::Outcome, found.to_string()));
        Ok(audited)
    }
}

impl Audit {
    fn judged(&self, session: &Session, on: &Scope<'_>) -> Result<Audited, Diagnostic> {
        let steps = match &self.steps {
            None => None,
            Some(steps) => Some(steps.as_ref().map_err(|error| self.unfit(error))?),
        };
        match (&self.along, steps) {
            (Some(direction), Some(steps)) => self.along_line(steps, direction, session, on),
            (Some(_), None) => {
                let advice = "write the function on the line, as \\t => f (1 + t, 2 - t), and ask --at 0";
                Err(Diagnostic::wrong(format!("error: --along is for lists of steps; of a program, {advice}")))
            }
            (None, steps) => {
                self.has_claims(self.at.len())?;
                match (&self.at[..], steps) {
                    ([x], Some(steps)) => {
                        let subject = Subject::of_steps(steps.clone()).map_err(|error| self.unfit(&error))?;
                        self.of_one(&subject, x, &self.claims[0], &self.tolerance, session, on)
                    }
                    ([x], None) => {
                        let subject = Subject::new(session, &self.source.text).map_err(|e| self.wrong(session, e))?;
                        self.of_one(&subject, x, &self.claims[0], &self.tolerance, session, on)
                    }
                    (_, steps) => self.whole(steps, session, on),
                }
            }
        }
    }

    fn wrong(&self, session: &Session, error: crate::syntax::library::Error) -> Diagnostic {
        session.diagnose(&self.source, &SessionError::Program(error))
    }

    fn refused(&self, session: &Session, error: MeaningError) -> Diagnostic {
        session.diagnose(&self.source, &SessionError::Meaning(error))
    }

    fn unfit(&self, error: &StepError) -> Diagnostic {
        Diagnostic::shown("steps", ErrorKind::Wrong, format!("error: {}: {error}", self.source.name))
    }

    /// Checks that there is one claimed number for each of the `count` coordinates of the point.
    fn has_claims(&self, count: usize) -> Result<(), Diagnostic> {
        if self.claims.len() == count && count > 0 {
            return Ok(());
        }
        let [point, claim] =
            [count, self.claims.len()].map(|n| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") });
        Err(Diagnostic::wrong(format!("error: the point has {point}, and a claim has {claim}")))
    }

    fn of_one(
        &self,
        subject: &Subject,
        at: &Rational,
        claim: &Claim,
        tolerance: &Tolerance,
        session: &Session,
        on: &Scope<'_>,
    ) -> Result<Audited, Diagnostic> {
        let report = subject.audit(at, claim, tolerance, on.budget());
        let Report { finding, limits, set, borders } = report.map_err(|error| self.refused(session, error))?;
        let set = set.map(|set| vec![set]);
        Ok(Audited { finding, limits, set, coordinate: None, borders, claim: vec![claim.clone()] })
    }

    /// Judges the whole gradient.
    fn whole(&self, steps: Option<&Steps>, session: &Session, on: &Scope<'_>) -> Result<Audited, Diagnostic> {
        let count = self.at.len();
        let subject = match steps {
            Some(steps) => Gradient::of_steps(steps.clone(), count).map_err(|error| self.unfit(&error))?,
            None => Gradient::new(session, &self.source.text, count).map_err(|e| self.wrong(session, e))?,
        };
        let report = subject.audit(&self.at, &self.claims, &self.tolerance, on.budget());
        let GradientReport { finding, set, coordinate } = report.map_err(|error| self.refused(session, error))?;
        let borders = Borders::default();
        Ok(Audited { finding, limits: [None, None], set, coordinate, borders, claim: self.claims.clone() })
    }

    /// Judges the derivative along a direction. A claimed gradient is summed, and its sum is rounded like its terms,
    /// which may cancel. The wider tolerance of the terms is used only if the whole gradient is right. Otherwise the
    /// more wrong a gradient is, the more would be allowed.
    fn along_line(
        &self,
        steps: &Steps,
        direction: &[Rational],
        session: &Session,
        on: &Scope<'_>,
    ) -> Result<Audited, Diagnostic> {
        let line = steps.along(&self.at, direction).and_then(Subject::of_steps);
        let line = line.map_err(|error| self.unfit(&error))?;
        let zero = Rational::new();
        let judge = |claim: &Claim, tolerance: &Tolerance| self.of_one(&line, &zero, claim, tolerance, session, on);
        if let ([claim], false) = (&self.claims[..], self.is_gradient) {
            return judge(claim, &self.tolerance);
        }
        if self.claims.len() != direction.len() {
            let found = self.claims.len();
            let text = format!("error: a derivative in a direction is one number, and a claim has {found}");
            return Err(Diagnostic::wrong(text));
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
        if size == 0 || matches!(found.finding, Finding::Inside) {
            return Ok(found);
        }
        let wider = judge(&claim, &Tolerance { terms: size, ..self.tolerance.clone() })?;
        if !matches!(wider.finding, Finding::Inside) {
            return Ok(found);
        }
        match self.whole(Some(steps), session, on)?.finding {
            // The sum may be off by rounding alone, if each term is right; if that is unknown, so is the verdict.
            Finding::Inside => Ok(wider),
            Finding::Unknown(_) => Ok(Audited { finding: Finding::Unknown(CANCELS.into()), ..wider }),
            _ => Ok(found),
        }
    }
}
