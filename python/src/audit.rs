//! Whether a number is the derivative of a function at a point: the library's question [`Audit`], of a program or of a list of steps.

use crate::error;
use crate::exact::{duration, fraction, rational, seconds};
use crate::function::Function;
use crate::interval::Interval;
use crate::signals::ask;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};
use smoothish::audit::file::{parse_program, parse_steps};
use smoothish::audit::noise::RoundedProgram;
use smoothish::audit::{
    AllowanceLevel, Audit, AuditFinding, AuditSubject, Claim, ClaimTolerance, FloatFormat, GradientSubject, RuleFinding,
};
use smoothish::meaning::pap::steps::{StepError, StraightLineProgram};
use smoothish::number::{Accuracy, Enclosure, Rational};
use smoothish::session::Session;
use smoothish::session::compile::DefinitionKind;
use smoothish::syntax::source::SourceText;

/// What is found: the verdict, in words, its cause, the limits of the derivative from both sides and Clarke's set where they are known,
/// the places of borders, (line, column) in a program and numbers of steps, and what was judged.
type Found<'py> = (
    &'static str,
    String,
    Option<&'static str>,
    [Option<Interval>; 2],
    Option<Vec<Interval>>,
    Vec<(usize, usize)>,
    Vec<usize>,
    Vec<Bound<'py, PyAny>>,
    Allowed<'py>,
);

/// The allowances beyond units in the last place: the level, what is shown of the rules, digits that are right, and for each
/// coordinate how much.
type Allowed<'py> =
    (Option<&'static str>, Option<&'static str>, Option<u32>, Option<Vec<Bound<'py, PyAny>>>, Option<usize>);

fn claim(x: &Bound<'_, PyAny>) -> PyResult<Claim> {
    match x.cast::<PyFloat>() {
        Ok(float) => Ok(Claim::from(float.value())),
        Err(_) => Ok(Claim::Number(rational(x)?)),
    }
}

/// A function: a program, or a list of steps as JSON. Both may have several variables.
#[pyclass(frozen, module = "smoothish._smoothish")]
pub struct Audited {
    session: Session,
    text: String,
    inputs: usize,
    /// The steps, where it is no program.
    steps: Option<StraightLineProgram>,
    /// The program that computed the claims, and the function with its stopped values constant, as JSON and as steps.
    rules: Option<(String, RoundedProgram)>,
    stopped: Option<(String, StraightLineProgram)>,
}

impl Audited {
    /// A program, of which is told what is wrong with it before a claim is judged.
    fn of_program(py: Python<'_>, session: Session, text: String, inputs: usize) -> PyResult<Self> {
        let checked = match inputs {
            0 | 1 => AuditSubject::new(&session, &text).map(drop),
            _ => GradientSubject::new(&session, &text, inputs).map(drop),
        };
        checked.map_err(|error| error::of_program(py, &session, &text, error))?;
        Ok(Self { session, text, inputs, steps: None, rules: None, stopped: None })
    }
}

#[pymethods]
impl Audited {
    /// A program of so many variables, with definitions before it.
    #[staticmethod]
    fn program(py: Python<'_>, text: String, inputs: usize, definitions: Vec<String>) -> PyResult<Self> {
        let mut session = Session::new();
        for definition in definitions {
            let source = SourceText::new("definition", &*definition).into();
            session.define(source).map_err(|error| error::of_program(py, &Session::new(), &definition, error))?;
        }
        Self::of_program(py, session, text, inputs)
    }

    /// The program that a function was compiled from.
    #[staticmethod]
    fn function(py: Python<'_>, function: &Function) -> PyResult<Self> {
        let Some((text, session)) = function.program() else {
            let message =
                "this Function is no program that was compiled here: audit the function of JAX itself, or the text";
            return Err(PyTypeError::new_err(message));
        };
        Self::of_program(py, session.clone(), text.to_owned(), function.map().as_dyn().input_count())
    }

    /// Steps, as JSON; the program that computed the claims; and the steps with stopped values constant.
    #[staticmethod]
    #[pyo3(signature = (text, rules = None, stopped = None))]
    fn straight_line(text: String, rules: Option<String>, stopped: Option<String>) -> PyResult<Self> {
        let wrong = |error: StepError| PyValueError::new_err(error.to_string());
        let steps = parse_steps(&text).map_err(wrong)?;
        let rules = rules.map(|text| parse_program(&text).map(|rules| (text, rules))).transpose().map_err(wrong)?;
        let stopped = stopped.map(|text| parse_steps(&text).map(|steps| (text, steps))).transpose().map_err(wrong)?;
        Ok(Self { session: Session::new(), text, inputs: steps.input_count(), steps: Some(steps), rules, stopped })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        if self.steps.is_some() {
            let rules = self.rules.as_ref().map(|(text, _)| text);
            let stopped = self.stopped.as_ref().map(|(text, _)| text);
            return Ok((class.getattr("straight_line")?, (&self.text, rules, stopped).into_pyobject(py)?));
        }
        let mut definitions = Vec::new();
        for entry in self.session.definitions().entries() {
            if let DefinitionKind::Foreign(definition) = &entry.content {
                let message = format!("`{}` is a function of Python, which is not written down", definition.name);
                return Err(PyTypeError::new_err(message));
            }
            definitions.push(entry.source.text.clone());
        }
        Ok((class.getattr("program")?, (&self.text, self.inputs, definitions).into_pyobject(py)?))
    }

    /// What is true of the claim that `grad` is the gradient at a point; or, in a direction, of what it says of the derivative along it.
    #[pyo3(signature = (x, direction, grad, dtype, ulps, timeout, atol = None, rtol = None, order = 1))]
    #[expect(clippy::too_many_arguments, reason = "the package calls it, and names them")]
    fn audited<'py>(
        &self,
        py: Python<'py>,
        x: Vec<Bound<'py, PyAny>>,
        direction: Option<Vec<Bound<'py, PyAny>>>,
        grad: Vec<Bound<'py, PyAny>>,
        dtype: &str,
        ulps: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
        atol: Option<Bound<'py, PyAny>>,
        rtol: Option<Bound<'py, PyAny>>,
        order: u8,
    ) -> PyResult<Found<'py>> {
        let numbers = |all: Vec<Bound<'py, PyAny>>| all.iter().map(rational).collect::<PyResult<Vec<_>>>();
        let (point, direction) = (numbers(x)?, direction.map(numbers).transpose()?);
        let claims = grad.iter().map(claim).collect::<PyResult<Vec<_>>>()?;
        let format: FloatFormat = dtype.parse().map_err(|message: String| PyValueError::new_err(message))?;
        let units = units(ulps)?;
        let mut question = match &self.steps {
            Some(steps) => Audit::of_steps(steps.clone(), point, claims),
            None => Audit::new(&self.text, point, claims),
        };
        if let Some(direction) = direction {
            question = question.along_direction(direction).claiming_gradient();
        }
        let [absolute, relative] =
            [("atol", atol), ("rtol", rtol)].map(|(name, error)| error_bound(name, error.as_ref()));
        question = question.with_rounding(format, units).with_errors(absolute?, relative?);
        if order == 2 {
            question = question.of_second_order();
        }
        if let Some((_, rules)) = &self.rules {
            question = question.computed_by(rules.clone());
        }
        if let Some((_, stopped)) = &self.stopped {
            question = question.with_stopped_values(stopped.clone());
        }
        let found = ask(py, &self.session, &question, duration(timeout)?)?;
        let found = found.value();
        let usual = ClaimTolerance::for_format(format);
        let tolerance = ClaimTolerance { units: units.unwrap_or(usual.units), ..usual };
        let accuracy = tolerance.accuracy();
        let interval = |found: &Enclosure| {
            // a set is written with as many digits as the numbers of the type have
            let size =
                [found.lo(), found.hi()].map(|end| end.to_rational().unwrap_or_default().abs()).into_iter().max();
            let [allowed, unit] = [tolerance.units, 1].map(|units| {
                ClaimTolerance { units, ..tolerance.clone() }
                    .allowed_distance(size.as_ref().unwrap_or(&Rational::new()))
            });
            let is_wide = found.is_bounded() && !found.has_width_at_most(&allowed);
            let written = if is_wide { Accuracy::within(unit) } else { accuracy.clone() };
            Interval::of(found.clone(), &written)
        };
        let source = SourceText::new("program", self.text.as_str());
        let in_program = found.borders.places.iter().filter(|place| place.definition.is_none());
        let places = in_program.map(|place| source.line_and_column(place.span.start)).collect();
        let words = found.finding.to_string();
        let cause = match &found.finding {
            AuditFinding::Outside(cause) => Some(cause.name()),
            AuditFinding::Rounded(rounded) => Some(rounded.cause()),
            _ => None,
        };
        let judged = |claim: &Claim| match claim {
            Claim::Number(slope) => fraction(py, slope),
            Claim::NotFinite => f64::NAN.into_bound_py_any(py),
        };
        Ok((
            found.finding.name(),
            words,
            cause,
            found.limits.each_ref().map(|limit| limit.as_ref().map(interval)),
            found.set.as_ref().map(|set| set.iter().map(interval).collect()),
            places,
            found.borders.steps.clone(),
            found.claim.iter().map(judged).collect::<PyResult<_>>()?,
            (
                found.level.map(AllowanceLevel::name),
                found.rules.map(RuleFinding::name),
                match &found.finding {
                    AuditFinding::Rounded(rounded) => Some(rounded.digits),
                    _ => None,
                },
                found.allowed.as_ref().map(|all| all.iter().map(|q| fraction(py, q)).collect()).transpose()?,
                found.coordinate,
            ),
        ))
    }
}

/// An error that is allowed, an exact number that is not negative; 0 where nothing is said.
fn error_bound(name: &str, error: Option<&Bound<'_, PyAny>>) -> PyResult<Rational> {
    let Some(error) = error.filter(|error| !error.is_none()) else { return Ok(Rational::new()) };
    let bound = rational(error)?;
    if bound < 0 {
        return Err(PyValueError::new_err(format!("{name} is an error that is allowed, 0 or more; not {error}")));
    }
    Ok(bound)
}

/// How many units in the last place a claim may be off, where it is said.
fn units(ulps: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    if ulps.is_none() {
        return Ok(None);
    }
    let wrong = |_| {
        PyValueError::new_err(format!(
            "ulps is how many units in the last place a claim may be off, 0 or more; not {ulps}"
        ))
    };
    ulps.extract().map(Some).map_err(wrong)
}
