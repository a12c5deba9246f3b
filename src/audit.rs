//! Is a derivative right? What is true of a function of one variable at a point, and what that says of a number that claims to be its
//! derivative there.
//!
//! The function is a program, run in [pieces](crate::meaning::pap): at the point, and [beside it](crate::meaning::pap::beside) on either
//! side, where it is one analytic map with a convergent expansion in fractional powers. Of the verdicts that are proven it is the first:
//!
//! | verdict | what is proven |
//! |---|---|
//! | [`NotDefined`](Finding::NotDefined) | the function has no value at the point |
//! | [`OneSided`](Finding::OneSided) | it has one, and none on one side of the point, or on both |
//! | [`NotContinuous`](Finding::NotContinuous) | it tends to infinity, or two of its limits and its value differ |
//! | [`NotLipschitz`](Finding::NotLipschitz) | its slopes on one side are not bounded |
//! | [`Inside`](Finding::Inside) | the claim is in Clarke's set, but for the tolerance |
//! | [`Outside`](Finding::Outside) | it is farther from Clarke's set than the tolerance |
//! | [`Unknown`](Finding::Unknown) | nothing: whether a number is 0 cannot be decided in general |
//!
//! Clarke's set at x is the hull of the limits of f′ from both sides, where f is continuous and these exist (Clarke 1983, Thm. 2.5.1, on
//! the line). It is not the hull of the one-sided derivatives: those of x²·sin(1/x) at 0 are 0, and its set is [-1, 1]; there is no
//! expansion in powers there, and no verdict.
//!
//! A [`Gradient`] is that of a function of several variables. Clarke's set is then one of vectors, and what is known of it is an
//! interval for each coordinate, which contains all of it: a claim is inside where all of that is, or where it
//! lies between vectors that are members of the set, limits of gradients along rays; outside where some coordinate is; and else it is not
//! known.
//!
//! What the pieces lack (integrals, roots, optima) is judged by the enclosure of Clarke's set that the
//! [presheaf meaning](crate::meaning::presheaf) gives: inside where all of it is, outside where none of it is.

mod claim;
#[cfg(feature = "json")]
pub mod file;
mod finding;
mod gradient;
mod judge;
mod members;
mod question;

pub use claim::{Claim, Format, Tolerance};
pub use finding::{Cause, Finding, Report};
pub use gradient::{Gradient, GradientReport};
pub use question::{Audit, Audited};

use crate::meaning::pap::beside::{Given, around};
use crate::meaning::pap::steps::{StepError, Steps};
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::session::Session;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::value::Value;
use judge::Judge;
use std::sync::Arc;

/// A function of one variable.
#[derive(Clone)]
pub struct Subject(Source);

#[derive(Clone)]
enum Source {
    /// A program, and its derivative as a program.
    Program {
        function: Term,
        derivative: Term,
    },
    Steps(Steps),
}

impl Subject {
    /// A program of type `Real -> Real`.
    ///
    /// # Errors
    /// Those of parsing and typing.
    pub fn new(session: &Session, text: &str) -> Result<Self, ProgramError> {
        let ty = Ty::function(Ty::real(), Ty::real());
        let function = session.infer_at(text, &ty)?;
        let operator = session.infer_at("\\f => \\x => deriv f x", &Ty::function(ty.clone(), ty))?;
        let derivative = Term::apply(operator, function.clone(), function.span());
        Ok(Self(Source::Program { function, derivative }))
    }

    /// A list of steps, of one variable; of several it is one [along](Steps::along) a line.
    ///
    /// # Errors
    /// [`StepError`], where the last step is no number, or there are several variables.
    pub fn of_steps(steps: Steps) -> Result<Self, StepError> {
        if steps.is_of_several() {
            let reason = format!("a function of {} variables; along a line it is one of one", steps.inputs());
            return Err(StepError { step: 0, reason });
        }
        if steps.has_value() {
            return Ok(Self(Source::Steps(steps)));
        }
        let reason = "expected a number as the last step: the value of the function".to_owned();
        Err(StepError { step: steps.len().saturating_sub(1), reason })
    }

    fn given(&self) -> Given<'_> {
        match &self.0 {
            Source::Program { function, .. } => Given::Program(function),
            Source::Steps(steps) => Given::Steps(steps),
        }
    }

    /// What is true of a claim about the derivative at a point.
    ///
    /// # Errors
    /// What no meaning has that is asked.
    pub fn audit(
        &self,
        at: &Rational,
        claim: &Claim,
        tolerance: &Tolerance,
        budget: &Arc<Budget>,
    ) -> Result<Report, MeaningError> {
        let judge = Judge { claim, tolerance, budget };
        let report = match around(self.given(), at, budget) {
            Ok(around) => judge.around(&around),
            Err(error) if error.lacks().is_some() => Report::default(),
            Err(error) => return Err(error),
        };
        let report = match report.finding {
            Finding::Unknown(_) => judge.by_enclosure(report, self.enclosed(at, tolerance, budget)),
            _ => report,
        };
        Ok(report)
    }

    fn slope_at(&self, at: &Rational) -> Option<Term> {
        let Source::Program { derivative, .. } = &self.0 else { return None };
        let point = Term::new(TermKind::Real(at.clone()), Span::default());
        Some(Term::apply(derivative.clone(), point, Span::default()))
    }

    /// An enclosure of Clarke's set by the presheaf meaning; or why there is none.
    fn enclosed(&self, at: &Rational, tolerance: &Tolerance, budget: &Arc<Budget>) -> Result<Enclosure, String> {
        // one width for all: of a set that is no number no relative one is reached
        let to = Accuracy::within(tolerance.at(&Rational::from(1)) / 4);
        let slope = self.slope_at(at).ok_or("no expansion was found")?;
        let answer = Presheaf.answer_to(&slope, &Ty::real(), &to, budget);
        let answer = answer.map_err(|error| error.to_string())?;
        match answer.value {
            Value::Real(Number::Enclosure(_)) if !answer.assumed.is_empty() => {
                Err("an enclosure of Clarke's set rests on the promise of a cutRoot; with firstRoot there is none"
                    .to_owned())
            }
            Value::Real(Number::Enclosure(found)) if found.enclosure.is_defined() => Ok(found.enclosure),
            _ => Err("neither an expansion nor an enclosure of Clarke's set was found".to_owned()),
        }
    }
}
