//! Is a derivative right? What is true of a function of one variable at a point, and what that says of a number that claims to be its
//! derivative there.
//!
//! The function is a program, run in [pieces](crate::meaning::pap): at the point, and [beside it](crate::meaning::pap::beside) on either
//! side, where it is one analytic map with a convergent expansion in fractional powers. Verdicts are tried in this order:
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
//! What the pieces lack (integrals, roots, optima) is judged by the enclosure of Clarke's set that the
//! [presheaf meaning](crate::meaning::presheaf) gives: inside where all of it is, outside where none of it is.

mod claim;
#[cfg(feature = "json")]
pub mod file;

pub use claim::{Claim, Format, Tolerance};

use crate::meaning::pap::beside::{Around, Borders, Found, Given, around};
use crate::meaning::pap::steps::{StepError, Steps};
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::pieces::germ::Limit;
use crate::pieces::sign::sign;
use crate::session::Session;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::tape::Tape;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::cmp::Ordering;
use std::fmt;
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

/// Why a claim is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is no number, or infinite.
    NotFinite,
    /// The point lies on a border, where rules for derivatives choose one side, or none.
    Border,
    /// The rules of floating-point arithmetic give what is claimed: it is rounding.
    Rounding,
    /// The point lies on no border: the rule by which it was found is not that of the function.
    Rule,
}

impl Cause {
    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "nan",
            Self::Border => "kink",
            Self::Rounding => "rounding",
            Self::Rule => "rule",
        }
    }
}

/// The outcome. By default nothing is known, nor why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The function has no value at the point, and why.
    NotDefined(String),
    /// It has a value at the point, and none on some sides, the left one and the right one; why.
    OneSided([bool; 2], String),
    /// It is not continuous at the point, and how that is seen.
    NotContinuous(String),
    /// Its slopes near the point are not bounded: those on the left, those on the right.
    NotLipschitz([bool; 2]),
    /// The claim is in Clarke's set.
    Inside,
    /// It is not.
    Outside(Cause),
    /// Neither was proven, and why not.
    Unknown(String),
}

impl Default for Finding {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Finding {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotDefined(_) => "NOT_DEFINED",
            Self::OneSided(..) => "ONE_SIDED",
            Self::NotContinuous(_) => "NOT_CONTINUOUS",
            Self::NotLipschitz(_) => "NOT_LIPSCHITZ",
            Self::Inside => "CERTIFIED_IN",
            Self::Outside(_) => "CERTIFIED_OUT",
            Self::Unknown(_) => "UNKNOWN",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = |sides: &[bool; 2]| match sides {
            [true, true] => "on both sides",
            [true, false] => "on the left",
            _ => "on the right",
        };
        match self {
            Self::NotDefined(why) => write!(f, "the function has no value there: {why}"),
            Self::OneSided(without, why) => write!(f, "it has a value there, and none {}: {why}", sides(without)),
            Self::NotContinuous(how) => write!(f, "it is not continuous there: {how}"),
            Self::NotLipschitz(where_) => write!(f, "its slopes are not bounded {}", sides(where_)),
            Self::Inside => f.write_str("it is the derivative, or where that is a set, one of its numbers"),
            Self::Outside(cause) => {
                f.write_str("it is not the derivative: ")?;
                f.write_str(match cause {
                    Cause::NotFinite => "it is no finite number",
                    Cause::Border => {
                        "the point lies on a border, where the rule of one side, or of neither, is not the derivative"
                    }
                    Cause::Rounding => {
                        "floating-point arithmetic by the rules for derivatives gives that number; it is rounding"
                    }
                    Cause::Rule => "the point lies on no border, and neither rounding nor a kink explains it",
                })
            }
            Self::Unknown(why) => write!(f, "not decided: {why}"),
        }
    }
}

/// What was found of a claim.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The outcome.
    pub finding: Finding,
    /// What the derivative tends to on the left and on the right, where it is known to converge.
    pub limits: [Option<Enclosure>; 2],
    /// Clarke's set, where it is known or enclosed: any number of the set lies in the enclosure.
    pub set: Option<Enclosure>,
    /// Where guards stand on whose border the point lies.
    pub borders: Borders,
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

    /// A list of steps.
    ///
    /// # Errors
    /// [`StepError`], where the last step is no number.
    pub fn of_steps(steps: Steps) -> Result<Self, StepError> {
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

struct Judge<'a> {
    claim: &'a Claim,
    tolerance: &'a Tolerance,
    budget: &'a Budget,
}

impl Judge<'_> {
    fn around(&self, around: &Around) -> Report {
        let mut report = Report { borders: around.borders.clone(), ..Report::default() };
        report.finding = self.finding(around, &mut report).unwrap_or_else(Finding::Unknown);
        report
    }

    /// The finding; or why there is none.
    fn finding(&self, around: &Around, report: &mut Report) -> Result<Finding, String> {
        let here = match &around.here {
            Found::Undefined(why) => return Ok(Finding::NotDefined(why.clone())),
            Found::Unknown(why) => return Err(format!("at the point, {why}")),
            Found::Value(here) => here,
        };
        let without = [0, 1].map(|side| matches!(around.sides[side], Found::Undefined(_)));
        if let Some(Found::Undefined(why)) = around.sides.iter().find(|side| matches!(side, Found::Undefined(_))) {
            return Ok(Finding::OneSided(without, why.clone()));
        }
        let name = |side: usize| ["left", "right"][side];
        let mut maps = Vec::new();
        for (side, found) in around.sides.iter().enumerate() {
            match found {
                Found::Value(map) => maps.push(map),
                Found::Unknown(why) | Found::Undefined(why) => return Err(format!("on the {}, {why}", name(side))),
            }
        }
        let mut doubt = self.is_continuous(around, here, &maps)?;
        if let Continuity::No(how) = doubt {
            return Ok(Finding::NotContinuous(how));
        }
        let (mut slopes, mut unbounded) = (Vec::new(), [false, false]);
        for (side, map) in maps.iter().enumerate() {
            match around.germs(side == 1, self.budget).slope(map) {
                Ok(Limit::Finite(slope)) => slopes.push(slope),
                Ok(Limit::Infinite(_)) => unbounded[side] = true,
                Err(why) => {
                    doubt = Continuity::Unknown(format!("the slopes on the {} are not known: {why}", name(side)));
                }
            }
        }
        if unbounded.contains(&true) {
            return Ok(Finding::NotLipschitz(unbounded));
        }
        if let Continuity::Unknown(why) = doubt {
            return Err(why);
        }
        let limits: Vec<_> = slopes.iter().map(|slope| self.enclosure(slope)).collect();
        report.limits = [limits[0].clone(), limits[1].clone()];
        let [Some(left), Some(right)] = &report.limits else {
            return Err("the limits of the derivative were not enclosed in time".to_owned());
        };
        report.set = Some(left.hull(right));
        let [least, most] = [Ends::least(left, right), Ends::most(left, right)];
        let on_border = !report.borders.is_empty();
        let finding = self.compare(&least, &most, on_border);
        if finding == Some(Finding::Outside(Cause::Rule)) && self.is_rounding(around, maps[0]) {
            return Ok(Finding::Outside(Cause::Rounding));
        }
        finding.ok_or_else(|| "the claim lies too near an end of Clarke's set".to_owned())
    }

    /// Whether floating-point arithmetic gives what is claimed, by the rules for derivatives of the map that the function is.
    fn is_rounding(&self, around: &Around, map: &Graph) -> bool {
        let Claim::Number(claimed) = self.claim else { return false };
        let Ok(mut tape) = Tape::of(&[around.variable], std::slice::from_ref(map)) else { return false };
        let mut slope = [0.0];
        tape.gradient(&[around.at.to_f64()], &mut slope);
        // to within a tenth: another order of the operations rounds differently
        Rational::from_f64(slope[0]).is_some_and(|float| Rational::from(&float - claimed).abs() <= float.abs() / 10)
    }

    /// Whether value and limits are the same.
    fn is_continuous(&self, around: &Around, here: &Graph, maps: &[&Graph]) -> Result<Continuity, String> {
        let mut doubt = Continuity::Yes;
        // each number by one formula or more
        let mut values = vec![("its value", vec![here.clone()])];
        for (side, map) in maps.iter().enumerate() {
            let name = ["its limit from the left", "its limit from the right"][side];
            let limits = match around.germs(side == 1, self.budget).limits(map) {
                Ok(limits) => limits,
                Err(why) => {
                    doubt = Continuity::Unknown(format!("{name} is not known: {why}"));
                    continue;
                }
            };
            let mut formulas = Vec::new();
            for limit in limits {
                match limit {
                    Limit::Finite(limit) => formulas.push(limit),
                    Limit::Infinite(sign) => {
                        let infinity = if sign == Ordering::Less { "-∞" } else { "+∞" };
                        return Ok(Continuity::No(format!("{name} is {infinity}")));
                    }
                }
            }
            values.push((name, formulas));
        }
        for (i, (name, value)) in values.iter().enumerate() {
            for (other_name, other) in &values[..i] {
                match self.are_equal(value, other) {
                    Ok(true) => {}
                    Ok(false) => {
                        let told = |g: &[Graph]| {
                            let digits = |e: Enclosure| format!(" {}", e.decimals(&Rational::from((1, 1_000_000))));
                            g.iter().find_map(|g| self.enclosure(g)).map_or_else(String::new, digits)
                        };
                        return Ok(Continuity::No(format!("{other_name}{} is not {name}{}", told(other), told(value))));
                    }
                    Err(near) => {
                        let near = near.map_or_else(String::new, |power| format!(", and less than 2^{power} apart"));
                        doubt = Continuity::Unknown(format!("{other_name} and {name} are not told apart{near}"));
                    }
                }
            }
        }
        Ok(doubt)
    }

    /// Whether two numbers are equal, by any two of their formulas; how near they are where that is not decided.
    fn are_equal(&self, a: &[Graph], b: &[Graph]) -> Result<bool, Option<i64>> {
        let mut near = None;
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            match sign(&Graph::binary(Binary::Subtract, a, b), self.budget) {
                Ok(sign) => return Ok(sign == Ordering::Equal),
                Err(found) => near = found.or(near),
            }
        }
        Err(near)
    }

    fn enclosure(&self, g: &Graph) -> Option<Enclosure> {
        let found = g.real().ok()?.enclose_to(&self.tolerance.accuracy(), self.budget).ok()?;
        Some(found.enclosure).filter(|e| e.is_defined() && e.is_bounded())
    }

    /// A report that knows nothing, or its reason, with what an enclosure of Clarke's set says.
    fn by_enclosure(&self, report: Report, enclosed: Result<Enclosure, String>) -> Report {
        let unknown = |why: String| Report { finding: Finding::Unknown(why), ..report.clone() };
        let set = match enclosed {
            Ok(set) => set,
            Err(why) => {
                let is_told = matches!(&report.finding, Finding::Unknown(why) if !why.is_empty());
                return if is_told { report } else { unknown(why) };
            }
        };
        let Some(ends) = Ends::of(&set) else { return unknown("the derivative may be unbounded".to_owned()) };
        // neither end need be one of the set
        let is_wide = Rational::from(&ends.hi - &ends.lo) > self.tolerance.at(&ends.hi.clone().abs());
        let finding = self.compare(&ends, &ends, is_wide);
        let finding = finding.unwrap_or_else(|| {
            Finding::Unknown("some of an enclosure of Clarke's set is as claimed, some is not".to_owned())
        });
        Report { finding, set: Some(set), ..report }
    }

    /// Where the claim lies, given what is known of both ends of the set.
    fn compare(&self, least: &Ends, most: &Ends, on_border: bool) -> Option<Finding> {
        let Claim::Number(claimed) = self.claim else { return Some(Finding::Outside(Cause::NotFinite)) };
        let zero = Rational::new();
        let distance = |least: &Rational, most: &Rational| {
            Rational::from(least - claimed).max(Rational::from(claimed - most)).max(zero.clone())
        };
        let sizes = [&least.lo, &least.hi, &most.lo, &most.hi].map(|q| q.clone().abs());
        // what is allowed for the largest number of the set, at least and at most
        let small = least.magnitude().max(most.magnitude());
        let large = sizes.into_iter().max().unwrap_or_default();
        if distance(&least.hi, &most.lo) <= self.tolerance.at(&small) {
            Some(Finding::Inside)
        } else if distance(&least.lo, &most.hi) > self.tolerance.at(&large) {
            Some(Finding::Outside(if on_border { Cause::Border } else { Cause::Rule }))
        } else {
            None
        }
    }
}

enum Continuity {
    Yes,
    No(String),
    Unknown(String),
}

/// Where an end of a set lies.
struct Ends {
    lo: Rational,
    hi: Rational,
}

impl Ends {
    fn of(e: &Enclosure) -> Option<Self> {
        Some(Self { lo: e.lo().to_rational()?, hi: e.hi().to_rational()? })
    }

    /// The smaller of two numbers.
    fn least(a: &Enclosure, b: &Enclosure) -> Self {
        let of = |e| Self::of(e).unwrap_or(Self { lo: Rational::new(), hi: Rational::new() });
        let (a, b) = (of(a), of(b));
        Self { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }
    }

    /// The greater of two numbers.
    fn most(a: &Enclosure, b: &Enclosure) -> Self {
        let of = |e| Self::of(e).unwrap_or(Self { lo: Rational::new(), hi: Rational::new() });
        let (a, b) = (of(a), of(b));
        Self { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }
    }

    /// The least absolute value.
    fn magnitude(&self) -> Rational {
        if self.lo <= 0 && self.hi >= 0 { Rational::new() } else { self.lo.clone().abs().min(self.hi.clone().abs()) }
    }
}
