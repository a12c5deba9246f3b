//! Audits: a claimed derivative of a function of one variable at a point, tested against Clarke's derivative.
//!
//! The function is a program, resolved into [pieces](crate::meaning::pap) at the point, and [on either side of
//! it](crate::meaning::pap::beside). There it is one analytic map with a convergent expansion in fractional powers. The
//! verdict is the first of these that is proved:
//!
//! | verdict | proved |
//! |---|---|
//! | [`NotDefined`](AuditFinding::NotDefined) | the function has no value at the point |
//! | [`OneSided`](AuditFinding::OneSided) | it has a value at the point, and none on one or both sides of it |
//! | [`NotContinuous`](AuditFinding::NotContinuous) | a limit is infinite, or two of its one-sided limits and its value differ |
//! | [`NotLipschitz`](AuditFinding::NotLipschitz) | its slopes on one side are unbounded |
//! | [`Inside`](AuditFinding::Inside) | the claim is in Clarke's set, up to the tolerance |
//! | [`Outside`](AuditFinding::Outside) | the claim is farther from Clarke's set than the tolerance |
//! | [`Rounded`](AuditFinding::Rounded) | it is so too, and as near as [rounding](noise) lets a program with right rules come |
//! | [`CoupledFunction`](AuditFinding::Unknown) | none: whether a number is 0 is undecidable in general |
//!
//! Clarke's set at x is the hull of the limits of f′ from both sides, if f is continuous and they exist (Clarke 1983,
//! Thm. 2.5.1, on the line). It is not the hull of the one-sided derivatives. Those of x²·sin(1/x) at 0 are 0, but its
//! set is [-1, 1]. This function has no expansion in powers at 0, so it gets no verdict.
//!
//! A [`GradientSubject`] audits a function of several variables. Clarke's set is then a set of vectors, enclosed by a box: an
//! interval for each coordinate. A claim is inside if the whole box agrees with it, and outside if some coordinate is. Otherwise
//! the point lies on a border, and the pieces around it bound the set from inside and from outside, norms included.
//!
//! Integrals, roots and optima have no pieces. For them the [presheaf semantics](crate::meaning::presheaf) encloses
//! Clarke's set. A claim is inside if all of the enclosure agrees with it, and outside if none of it does.

#[cfg(feature = "json")]
pub mod file;
mod gradient;
mod judge;
mod kinks;
pub mod noise;
mod question;

use crate::meaning::pap::beside::{FunctionSource, SideResult, resolve_around};
use crate::meaning::pap::steps::{StepError, StraightLineProgram};
use crate::meaning::presheaf::{PresheafSemantics, map_of_program};
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::session::Session;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::syntax::library::ProgramError;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::value::Value;
pub use gradient::{GradientReport, GradientSubject};
use judge::ClaimJudge;
pub use judge::{
    AcceptedLevel, AllowanceLevel, AuditFinding, AuditReport, Claim, ClaimTolerance, DisagreementCause, FloatFormat,
    RoundedClaim, RuleFinding,
};
pub use question::{Audit, AuditResult};
use std::sync::Arc;

/// Returns the map of a program with so many coordinates of its domain, with its kinks.
fn map_with_kinks(function: &Term, domain: &Ty, count: usize, budget: &Arc<Budget>) -> Option<(Vec<Variable>, Graph)> {
    let map = map_of_program(function, &Ty::function(domain.clone(), Ty::real()), budget).ok()??;
    let variables: Vec<_> = (0..count).map(|_| Variable::fresh()).collect();
    let point: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    Some((variables, map.as_dyn().outputs_at(&point).into_iter().next()?))
}

/// A function of one variable to audit.
#[derive(Clone)]
pub struct AuditSubject(AuditedFunction);

#[derive(Clone)]
enum AuditedFunction {
    /// A program, and its derivative as a program.
    Program {
        function: Term,
        derivative: Term,
    },
    Steps(StraightLineProgram),
}

impl AuditSubject {
    /// Parses a program of type `Real -> Real`.
    ///
    /// # Errors
    /// Errors of parsing and typing.
    pub fn new(session: &Session, text: &str) -> Result<Self, ProgramError> {
        let ty = Ty::function(Ty::real(), Ty::real());
        let function = session.infer_at(text, &ty)?;
        let operator = session.infer_at("\\f => \\x => deriv f x", &Ty::function(ty.clone(), ty))?;
        let derivative = Term::apply(operator, function.clone(), function.span());
        Ok(Self(AuditedFunction::Program { function, derivative }))
    }

    /// Uses a list of steps in one variable. One in several variables must be restricted to a line first, by
    /// [`StraightLineProgram::restrict_to_line`].
    ///
    /// # Errors
    /// [`StepError`] if the last step is not a number, or there are several variables.
    pub fn of_steps(steps: StraightLineProgram) -> Result<Self, StepError> {
        if steps.is_of_several() {
            let reason = format!("a function of {} variables; along a line it is one of one", steps.input_count());
            return Err(StepError { step: 0, reason });
        }
        if steps.has_value() {
            return Ok(Self(AuditedFunction::Steps(steps)));
        }
        let reason = "expected a number as the last step: the value of the function".to_owned();
        Err(StepError { step: steps.len().saturating_sub(1), reason })
    }

    fn as_given(&self) -> FunctionSource<'_> {
        match &self.0 {
            AuditedFunction::Program { function, .. } => FunctionSource::Program(function),
            AuditedFunction::Steps(steps) => FunctionSource::Steps(steps),
        }
    }

    /// Judges a claim about the derivative at a point.
    ///
    /// # Errors
    /// A construct that no semantics of the audit supports.
    pub fn judge_claim(
        &self,
        at: &Rational,
        claim: &Claim,
        tolerance: &ClaimTolerance,
        budget: &Arc<Budget>,
    ) -> Result<AuditReport, SemanticsError> {
        let judge = ClaimJudge { claim, tolerance, budget };
        let report = match resolve_around(self.as_given(), at, budget) {
            Ok(around) => judge.judge_pieces(&around),
            Err(error) if error.unsupported_construct().is_some() => AuditReport::default(),
            Err(error) => return Err(error),
        };
        // The pieces are tried first: their expansions give Clarke's set exactly, an enclosure only contains it.
        let report = match report.finding {
            AuditFinding::Unknown(_) => judge.judge_enclosure(report, self.enclose_clarke_set(at, tolerance, budget)),
            _ => report,
        };
        Ok(report)
    }

    /// Returns the derivative at `at` as a program. `None` for a list of steps.
    fn slope_at(&self, at: &Rational) -> Option<Term> {
        let AuditedFunction::Program { derivative, .. } = &self.0 else { return None };
        let point = Term::new(TermKind::Real(at.clone()), Span::default());
        Some(Term::apply(derivative.clone(), point, Span::default()))
    }

    /// Returns the one smooth map that the function is near a point. `None` on borders, and if it was not found.
    fn find_map_near(&self, at: &Rational, budget: &Arc<Budget>) -> Option<(Vec<Variable>, Graph)> {
        let around = resolve_around(self.as_given(), at, budget).ok().filter(|around| around.borders.is_empty())?;
        match &around.sides[1] {
            SideResult::Value(map) => Some((vec![around.variable], map.clone())),
            _ => None,
        }
    }

    /// Returns the map of a program with its kinks. `None` for a list of steps, and if it is no map.
    fn find_whole_map(&self, budget: &Arc<Budget>) -> Option<(Vec<Variable>, Graph)> {
        let AuditedFunction::Program { function, .. } = &self.0 else { return None };
        map_with_kinks(function, &Ty::real(), 1, budget)
    }

    /// Encloses Clarke's set of a list of steps by its map.
    fn enclose_steps(
        steps: &StraightLineProgram,
        at: &Rational,
        to: &Rational,
        budget: &Arc<Budget>,
    ) -> Result<Enclosure, String> {
        let (variable, graph) = steps.to_smooth_line().map_err(|error| error.to_string())?;
        let map = DynMap::of_graphs(&[variable], &[graph]).map_err(|error| error.to_string())?;
        let map: Map<Dyn, Dyn> = Map::from_dyn(map);
        let found = map.vjp_at(std::slice::from_ref(at), &[Rational::from(1)], to, budget);
        let found = found.map_err(|error| error.to_string())?;
        let enclosed = found.components.into_iter().next().map(|slope| slope.enclosure);
        let known = enclosed.filter(|found| found.is_defined() && found.is_bounded());
        known.ok_or_else(|| "neither an expansion nor an enclosure of Clarke's set was found".to_owned())
    }

    /// Encloses Clarke's set by the presheaf semantics, or returns the reason why that fails.
    fn enclose_clarke_set(
        &self,
        at: &Rational,
        tolerance: &ClaimTolerance,
        budget: &Arc<Budget>,
    ) -> Result<Enclosure, String> {
        // An absolute width: a set that is not one number has no small relative width. A quarter leaves room for the
        // comparison.
        let width = tolerance.allowed_distance(&Rational::from(1)) / 4;
        if let AuditedFunction::Steps(steps) = &self.0 {
            return Self::enclose_steps(steps, at, &width, budget);
        }
        let to = Accuracy::within(width);
        let slope = self.slope_at(at).ok_or("no expansion was found")?;
        let answer = PresheafSemantics.evaluate_to(&slope, &Ty::real(), &to, budget);
        let answer = answer.map_err(|error| error.to_string())?;
        match answer.value {
            // A broken promise could make the enclosure wrong, and an audit must not be.
            Value::Real(AnswerNumber::Enclosure(_)) if !answer.promises.is_empty() => {
                Err("an enclosure of Clarke's set rests on the promise of a cutRoot; with firstRoot there is none"
                    .to_owned())
            }
            Value::Real(AnswerNumber::Enclosure(found)) if found.enclosure.is_defined() => Ok(found.enclosure),
            _ => Err("neither an expansion nor an enclosure of Clarke's set was found".to_owned()),
        }
    }
}
