//! Sessions: programs as text, with definitions.

use crate::exact::{
    argument, duration, goal, limits, order, point, rational, seconds, tolerance, whole, whole_or_none, wholes,
};
use crate::function::Function;
use crate::plot::Plot;
use crate::real::Real;
use crate::signals::{AskedLimits, Signals, ask, working};
use crate::value::python;
use crate::words::in_python;
use crate::{answer, error, foreign, plot, sampled, traced};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smoothish::measure::change::Multiplicity;
use smoothish::model::answer::AnswerNumber;
use smoothish::session;
use smoothish::session::compile::DefinitionKind;
use smoothish::session::tolerance::DEFAULT_WIDTH_EXPONENT;
use smoothish::session::{
    AccuracyGoal, Answer, Diagnostic, Estimators, Evaluate, Evidence, Expectation, ListPieces, PlotDensity,
    PlotEnvelopes, Pushforward, QUESTION_NAME, RunTape, Trace,
};
use smoothish::syntax::source::SourceText;
use smoothish::value::Value;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Programs of λ_S, one after another, with definitions.
///
/// >>> session = smoothish.Session()
/// >>> session.define('let brightness c = integral01 (\\x => max 0 (x - c))')
/// 'brightness : Real -> Real'
/// >>> session.eval('deriv brightness 0.6', eps='1e-9')
/// <Interval [-0.40000000001, -0.39999999999]>
/// >>> session.definitions
/// ['let brightness c = integral01 (\\x => max 0 (x - c))']
/// >>> session.type_of('brightness')
/// 'Real -> Real'
#[pyclass(frozen, module = "smoothish")]
pub struct Session {
    session: Mutex<session::Session>,
}

impl Session {
    /// The session as it is now. Cheap: it shares its theories.
    pub fn now(&self) -> session::Session {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The value of a program, and the answer that it is from.
    fn evaluated<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        goal: AccuracyGoal,
        model: Option<&str>,
        limits: AskedLimits,
    ) -> PyResult<(Bound<'py, PyAny>, Answer<Value<AnswerNumber>>)> {
        let accuracy = goal.or_default(DEFAULT_WIDTH_EXPONENT).accuracy();
        let mut question = Evaluate::new(text).with_goal(goal);
        if let Some(model) = model {
            question = question.with_model(model);
        }
        let answer = ask(py, &self.now(), &question, limits)?;
        let wrong = || PyTypeError::new_err("the value shows no number");
        let mut undefined = answer.undefined().map(|found| match &found.place {
            Some(place) => format!("{}, at {place}", in_python(&found.message)),
            None => in_python(&found.message),
        });
        let value = match answer.ty() {
            Some(ty) => python(py, answer.value(), ty, &accuracy, &mut undefined)?,
            None => None,
        };
        Ok((value.ok_or_else(wrong)?, answer))
    }
}

/// A question about a mass or a mean, with the parameter of its program and a bound of weights.
macro_rules! asked {
    ($question:expr, $at:ident, $deriv:ident, $weight_at_most:ident) => {{
        let mut question = $question;
        let order = $deriv.map_or(Ok(0), order)?;
        match $at {
            Some(at) => question = question.at_point(argument("at", at, point)?).derivative(order),
            None if order > 0 => {
                let message =
                    format!("deriv={order} is a derivative in the parameter of the program: say where it is, as at=");
                return Err(PyValueError::new_err(message));
            }
            None => {}
        }
        if let Some(most) = $weight_at_most {
            question = question.weight_at_most(tolerance("weight_at_most", most)?);
        }
        question
    }};
}

/// The answer of a question; for the first derivative in several numbers a tuple of answers, the gradient.
macro_rules! gradient_or_integral {
    ($self:ident, $py:ident, $question:ident, $at:ident, $deriv:ident, $limits:expr) => {{
        let (session, limits) = ($self.now(), $limits);
        let count = $at.map_or(Ok(0), |at| argument("at", at, point).map(|point| point.len()))?;
        if count > 1 && $deriv.map_or(Ok(0), order)? == 1 {
            let partials = $question.gradient();
            let answers = partials
                .iter()
                .map(|partial| sampled::integral($py, &ask($py, &session, partial, limits.clone())?))
                .collect::<PyResult<Vec<_>>>()?;
            return Ok(PyTuple::new($py, answers)?.into_any());
        }
        sampled::integral($py, &ask($py, &session, &$question, limits)?)
    }};
}

/// The program that a point is: a text as it is, a number or several as what they are exactly.
fn written(name: &str, x: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = x.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    let all: Vec<String> = argument(name, x, point)?.iter().map(|q| format!("({q})")).collect();
    Ok(format!("({})", all.join(", ")))
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (definitions = Vec::new()))]
    fn new(py: Python<'_>, definitions: Vec<String>) -> PyResult<Self> {
        let own = Self { session: Mutex::new(session::Session::new()) };
        for text in definitions {
            own.define(py, text)?;
        }
        Ok(own)
    }

    /// Keeps a definition, `let f x = e` or `type A = T`, and says its type. A later one may hide it.
    fn define(&self, py: Python<'_>, text: String) -> PyResult<String> {
        let source = SourceText::new("definition", &*text).into();
        // the lock is given back before Python runs, which may let another thread come here
        let defined = {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            session.define(source).map(|entry| match &entry.content {
                DefinitionKind::Value(definition)
                | DefinitionKind::Answer(definition)
                | DefinitionKind::Foreign(definition) => {
                    format!("{} : {}", definition.name, definition.scheme)
                }
                DefinitionKind::Type(alias) => format!("type {}", alias.name),
            })
        };
        defined.map_err(|error| error::of_program(py, &self.now(), &text, error))
    }

    /// Makes a function of one's own a constant of type Real -> Real, and says its type.
    ///
    /// `enclose(lo, hi)` takes Fractions and returns the ends of an interval that contains every value of the function on [lo, hi]: exact
    /// numbers, or None where nothing is known. `slope` is the derivative as a program, which may use the constant, so that derivatives of
    /// every order follow. Both are tested on `boxes`, pairs of numbers; what is left is trusted, and each Answer says so. `analytic` says
    /// that the function is analytic on the whole line, for the model `pap`. The tests end after `timeout` seconds.
    ///
    /// A function that raises, returns what is no enclosure, or does not return makes the question fail, with the name of the constant.
    ///
    /// >>> def cubic(lo, hi):
    /// ...     return lo**3, hi**3
    /// >>> session = smoothish.Session()
    /// >>> session.constant('cubic', enclose=cubic, slope='\\x => 3 * x^2', boxes=[(-2, 2)])
    /// 'cubic : Real -> Real'
    /// >>> session.eval('deriv (\\x => cubic (sin x)) 0', eps='1e-9')
    /// <Interval 0>
    /// >>> answer = session.ask('deriv cubic 2')
    /// >>> answer.value, answer.trusted
    /// (<Interval 12>, ('cubic',))
    /// >>> session.constant('wrong', enclose=cubic, slope='\\x => 2 * x', boxes=[(0, 1)])
    /// Traceback (most recent call last):
    ///     ...
    /// smoothish._errors.ArgumentError: tested on [0, 1], the derivative of `wrong` is not its derivative: ...
    #[pyo3(signature = (name, *, enclose, slope, boxes, about = "", analytic = false, timeout = 60.0))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn constant(
        &self,
        py: Python<'_>,
        name: &str,
        enclose: Bound<'_, PyAny>,
        slope: &str,
        boxes: &Bound<'_, PyAny>,
        about: &str,
        analytic: bool,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<String> {
        if !enclose.is_callable() {
            let kind = enclose.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "enclose: expected a function (lo, hi) -> (lo, hi), found {kind}"
            )));
        }
        let boxes = argument("boxes", boxes, foreign::boxes)?;
        foreign::wait_at_exit(py)?;
        let extension = foreign::extension(enclose.unbind());
        // tested on a copy, without any lock: the function may ask this session itself
        let (mut session, signals) = (self.now(), Signals::new());
        let time = duration(timeout)?.unwrap_or(Duration::MAX);
        let defined = py.detach(|| {
            let builder = session.define_constant(name, extension).slope(slope).about(about).boxes(boxes);
            let builder = if analytic { builder.analytic_everywhere() } else { builder };
            builder.trial_time(time).interrupted_by(|| signals.is_stopped()).add().cloned()
        });
        signals.check()?;
        let adopted = defined.and_then(|entry| {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            session.adopt_constant(&entry).cloned()
        });
        let entry = adopted.map_err(|error| error::of_diagnostic(py, &Diagnostic::from(error)))?;
        let definition = entry.definition().ok_or_else(|| PyValueError::new_err("the constant has no value"))?;
        Ok(format!("{} : {}", definition.name, definition.scheme))
    }

    /// The definitions, in order.
    #[getter]
    fn definitions(&self) -> Vec<String> {
        self.now().definitions().entries().iter().map(|entry| entry.source.text.clone()).collect()
    }

    /// The type of a program.
    fn type_of(&self, py: Python<'_>, text: String) -> PyResult<String> {
        let session = self.now();
        let found = session.infer(&text);
        found.map(|(_, ty)| ty.to_string()).map_err(|error| error::of_program(py, &session, &text, error))
    }

    /// The Answer to a program: its value, as `eval` gives it, and what there is to say beside it.
    ///
    /// The accuracy is that of `eval`. `model` is the name of a meaning, as `pap` or `float`; presheaves, where nothing is said.
    ///
    /// >>> answer = smoothish.Session().ask('firstRoot (\\x => x - 1/2)', eps='1e-9')
    /// >>> answer.value, answer.type, answer.reached
    /// (<Interval 0>, 'Real', True)
    /// >>> answer.notes[0].kind, str(answer.notes[0])
    /// ('remark', 'firstRoot (1:1) is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function')
    /// >>> smoothish.ask('deriv abs 0', timeout=10).notes[0].id
    /// 'set'
    ///
    /// `tuning` changes limits of the searches by their names, which `smoothish tuning` prints, and `effort` multiplies those on pieces.
    /// Neither makes an answer wrong: they change how narrow it is, and what it costs.
    ///
    /// >>> smoothish.ask('integral01 (\\x => max 0 (sin (20*x)))', tuning={'panels': 2}).reached
    /// False
    /// >>> smoothish.ask('1', tuning={'pannels': 2})
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: unknown key "pannels"; did you mean "panels"?
    #[pyo3(signature = (text, eps = None, *, rel = None, digits = None, model = None, timeout = Some(60.0), effort = None, tuning = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        model: Option<&str>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
        effort: Option<f64>,
        tuning: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (value, answer) =
            self.evaluated(py, text, goal(eps, rel, digits)?, model, limits(timeout, effort, tuning)?)?;
        answer::answer(py, "Answer", value, &answer::told(py, &answer)?)
    }

    /// The value of a program, every real number in it as an Interval: within `eps`, within `rel` of its size, or with so many
    /// `digits`; within 10⁻⁶, or with 16 digits, where nothing is said. Natural numbers are ints, truth values are bools, or None on a
    /// border. It is the value of `ask`, without its notes.
    ///
    /// >>> session = smoothish.Session()
    /// >>> session.eval('(sqrt 2, [1, 1/3], 2 < 3)', eps=0.01)
    /// (<Interval [1.4142, 1.4143]>, [<Interval 1>, <Interval [0.3333, 0.3334]>], True)
    /// >>> session.eval('exp (-1000)', digits=12).digits
    /// '5.075958897549…e-435'
    /// >>> session.eval('sin', eps=0.01)
    /// Traceback (most recent call last):
    ///     ...
    /// smoothish._errors.NoNumberError: the value is a function, of type Real -> Real: apply it to an argument of type Real to see a number
    #[pyo3(signature = (text, eps = None, *, rel = None, digits = None, model = None, timeout = Some(60.0), effort = None, tuning = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn eval<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        model: Option<&str>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
        effort: Option<f64>,
        tuning: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.evaluated(py, text, goal(eps, rel, digits)?, model, limits(timeout, effort, tuning)?)?.0)
    }

    /// The mean of a function `A -> Real` of what a program of type `P A` gives, in the distribution proportional to its weights; with
    /// `deriv`, its derivative in the parameter of a program of type `Real -> P A`, at `at`.
    ///
    /// With several numbers as `at`, for a program of type `Real * Real -> P A`, `deriv=1` returns a tuple: the gradient.
    ///
    /// >>> [g.value for g in smoothish.expect('\\(m, s) => sample (normal m s)', '\\x => x^2', at=(1, '1/2'), deriv=1, eps='1e-6')]
    /// [<Interval [1.99999999, 2.00000001]>, <Interval [0.99999999, 1.00000001]>]
    ///
    /// The value of the Integral that is returned is an Interval. `weight_at_most` assumes a bound of the weights of paths that are left.
    /// `bound` is a polynomial of the arguments of the loop's calls that bounds what is left of the mean; it is checked.
    ///
    /// >>> smoothish.expect('do { p <- sample (uniformOn 0 1); score (p^7*(1-p)^3); return p }', '\\p => p', eps='1e-9').value
    /// <Interval [0.66666666666, 0.66666666668]>
    /// >>> smoothish.expect('\\t => sample (normal t 1)', '\\x => x^2', at='1/2', deriv=1).value
    /// <Interval [0.99999999, 1.00000001]>
    #[pyo3(signature = (model, f, at = None, deriv = None, *, eps = None, rel = None, digits = None, weight_at_most = None, bound = None, timeout = Some(60.0), effort = None, tuning = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn expect<'py>(
        &self,
        py: Python<'py>,
        model: &str,
        f: &str,
        at: Option<&Bound<'py, PyAny>>,
        deriv: Option<&Bound<'py, PyAny>>,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        weight_at_most: Option<&Bound<'py, PyAny>>,
        bound: Option<&str>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
        effort: Option<f64>,
        tuning: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = bound.into_iter().fold(Expectation::new(model, f), Expectation::bound);
        let question = asked!(question.goal(goal(eps, rel, digits)?), at, deriv, weight_at_most);
        gradient_or_integral!(self, py, question, at, deriv, limits(timeout, effort, tuning)?)
    }

    /// The mass of a program of type `P A`, the mean of the product of its weights: its evidence; with `log`, the logarithm of it; with
    /// `deriv`, its derivative in the parameter of a program of type `Real -> P A`, at `at`. To 10⁻⁶ of the mass where nothing is said.
    ///
    /// >>> mass = smoothish.evidence('do { p <- sample (uniformOn 0 1); score (p^7*(1-p)^3); return p }', eps='1e-12')
    /// >>> '1/1320' in mass.value, mass.paths, mass.open
    /// (True, 1, 0)
    #[pyo3(signature = (model, log = false, at = None, deriv = None, *, eps = None, rel = None, digits = None, weight_at_most = None, timeout = Some(60.0), effort = None, tuning = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn evidence<'py>(
        &self,
        py: Python<'py>,
        model: &str,
        log: bool,
        at: Option<&Bound<'py, PyAny>>,
        deriv: Option<&Bound<'py, PyAny>>,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        weight_at_most: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
        effort: Option<f64>,
        tuning: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Evidence::new(model).with_log(log).goal(goal(eps, rel, digits)?);
        let question = asked!(question, at, deriv, weight_at_most);
        gradient_or_integral!(self, py, question, at, deriv, limits(timeout, effort, tuning)?)
    }

    /// The density of what a function `map` makes of the values of a program, at a point: a change of variables. The point is a program,
    /// a number, or several numbers.
    ///
    /// The densities are with respect to the Hausdorff measures of their dimensions; there are none where the point lies on no image.
    /// The density is the sum over all preimages of the point. `injective` refuses a map with several; `assume_injective` does, and assumes
    /// that the map is injective where that is not proved.
    ///
    /// >>> found = smoothish.pushforward('exp', 'sample (normal 0 1)', 1, injective=True)
    /// >>> found.densities
    /// {1: <Interval [0.39894228, 0.39894229]>}
    /// >>> found.parts[0].value, found.parts[0].factor, found.injective
    /// ((<Interval 0>,), <Interval 1>, 'it is monotone on each chart')
    #[pyo3(signature = (map, model, point, eps = None, *, injective = false, assume_injective = false, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn pushforward<'py>(
        &self,
        py: Python<'py>,
        map: &str,
        model: &str,
        point: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        injective: bool,
        assume_injective: bool,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let eps = eps.map(|eps| tolerance("eps", eps)).transpose()?;
        let accuracy = AccuracyGoal::of_width(eps.as_ref(), DEFAULT_WIDTH_EXPONENT).accuracy();
        let multiplicity = if injective { Multiplicity::One } else { Multiplicity::Any };
        let question = Pushforward::new(map, model, &written("point", point)?).with_multiplicity(multiplicity);
        let mut question = question.assuming_injective(assume_injective);
        if let Some(eps) = eps {
            question = question.with_width(eps);
        }
        sampled::pushforward(py, &ask(py, &self.now(), &question, duration(timeout)?)?, &accuracy)
    }

    /// The gradient of the mean of a function of what a program of type `Real -> P A` draws, at `at`, and for each estimator of it what it
    /// is in the mean.
    ///
    /// >>> found = smoothish.estimators('\\t => sample (normal t 1)', '\\z => if z > 0 then 5 else z', 0.3)
    /// >>> found.gradient
    /// <Interval [2.28902765, 2.28902766]>
    /// >>> [(e.name, e.bias) for e in found.estimators if e.misses]
    /// [('reparametrisation', <Interval [-1.90693908, -1.90693907]>)]
    /// >>> str(found.estimators[0].misses[0])
    /// 'a guard `z > 0` (function:1:10)'
    #[pyo3(signature = (model, f, at, eps = None, *, timeout = Some(60.0)))]
    fn estimators<'py>(
        &self,
        py: Python<'py>,
        model: &str,
        f: &str,
        at: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let eps = eps.map(|eps| tolerance("eps", eps)).transpose()?;
        let accuracy = AccuracyGoal::of_width(eps.as_ref(), DEFAULT_WIDTH_EXPONENT).accuracy();
        let point = argument("at", at, point)?;
        let count = point.len();
        let mut question = Estimators::new(model, f, "0").at_point(point);
        if let Some(eps) = eps {
            question = question.with_width(eps);
        }
        let session = self.now();
        if count > 1 {
            let partial = |index| {
                let found = ask(py, &session, &question.clone().partial(index), duration(timeout)?)?;
                sampled::comparison(py, &session, [model, f], &found, &accuracy)
            };
            return Ok(PyTuple::new(py, (0..count).map(partial).collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let found = ask(py, &session, &question, duration(timeout)?)?;
        sampled::comparison(py, &session, [model, f], &found, &accuracy)
    }

    /// The Trace of a program: the straight program, without branches, loops and derivatives, that it is at a point; and on which box
    /// round the point it stays that.
    ///
    /// A function is traced `at` a point: a number, several, or an expression. With `reverse` the program is the transposed derivative,
    /// a function of the point and of a cotangent, which a function whose values are reals does not take. `literal` takes derivatives by
    /// the clauses of the paper, which copy the trace at every let; `steps` keeps the rules that are applied; `unfoldings` is how many
    /// levels deep a recursive function is unfolded at most.
    ///
    /// >>> relu = smoothish.trace('\\x => if x > 0 then x else 0', at=2)
    /// >>> relu.value.text, relu.value.value, relu.value.guards
    /// ('\\(x : Real) => x', <Interval 2>, (TraceGuard(predicate='>', holds=True, position='question:1:10'),))
    /// >>> print(smoothish.trace('\\x => x * x', at=3, reverse=True))
    /// \(x : Real) => x + x
    #[pyo3(signature = (text, at = None, *, reverse = false, literal = false, steps = false, unfoldings = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn trace<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        at: Option<&Bound<'py, PyAny>>,
        reverse: bool,
        literal: bool,
        steps: bool,
        #[pyo3(from_py_with = whole_or_none)] unfoldings: Option<u64>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut question =
            Trace::new(text).reverse(reverse).unfoldings(unfoldings).with_literal_rules(literal).with_steps(steps);
        if let Some(at) = at {
            question = question.at(&written("at", at)?);
        }
        let session = self.now();
        traced::trace(py, &session, text, &ask(py, &session, &question, duration(timeout)?)?)
    }

    /// The Sweep of a program at a point: its value, and with `reverse` the derivatives of its numbers, by a tape; no trace is written down.
    ///
    /// The other arguments are those of `trace`. In `doubles` numbers are floats, and `errors` has a bound of the error of each.
    ///
    /// >>> found = smoothish.sweep('\\(x, y) => x * y', at=(3, 4), reverse=True)
    /// >>> found.value, found.rows
    /// (<Interval 12>, ((<Interval 4>, <Interval 3>),))
    /// >>> smoothish.sweep('\\x => x * x', at=3, reverse=True, doubles=True).rows
    /// (6.0,)
    #[pyo3(signature = (text, at = None, *, reverse = false, doubles = false, unfoldings = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        at: Option<&Bound<'py, PyAny>>,
        reverse: bool,
        doubles: bool,
        #[pyo3(from_py_with = whole_or_none)] unfoldings: Option<u64>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut question = RunTape::new(text).reverse(reverse).unfoldings(unfoldings).in_doubles(doubles);
        if let Some(at) = at {
            question = question.at(&written("at", at)?);
        }
        traced::sweep(py, &ask(py, &self.now(), &question, duration(timeout)?)?)
    }

    /// The Pieces of a function of real numbers from `lo` to `hi`, with derivatives up to the order `deriv`.
    ///
    /// For a function of several numbers, `lo` and `hi` are opposite corners of a box. Its pieces have a `sample`, a `dimension` and a
    /// volume, to the width `eps`, and their derivatives are gradients. `limit` is how many pieces are unfolded at most; what was not unfolded is in the `rest` of the value.
    ///
    /// >>> relu = smoothish.pieces('\\x => if x > 0 then x else 0', -1, 1)
    /// >>> print(relu)
    /// [-1, 0]: 0, 0 where x <= 0
    /// (0, 1]: x, 1 where x > 0
    /// >>> relu.reached, relu.value.rest
    /// (True, ())
    /// >>> below = smoothish.pieces('\\x y => if x < y then x else y', (0, 0), (1, 1)).value.pieces[1]
    /// >>> below.guards, below.maps, below.dimension
    /// (('x < y',), ('x', '(1, 0)'), (2, 2))
    #[pyo3(signature = (text, lo, hi, *, deriv = 1, limit = 100, eps = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn pieces<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        lo: &Bound<'py, PyAny>,
        hi: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = whole)] deriv: u32,
        #[pyo3(from_py_with = whole)] limit: usize,
        eps: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (lo, hi) = (argument("lo", lo, point)?, argument("hi", hi, point)?);
        let mut question = ListPieces::on_box(SourceText::new(QUESTION_NAME, text).into(), lo, hi)
            .with_derivatives(deriv)
            .with_limit(limit);
        if let Some(eps) = eps {
            question = question.with_width(argument("eps", eps, rational)?);
        }
        traced::pieces(py, &ask(py, &self.now(), &question, duration(timeout)?)?)
    }

    /// The Function that a program is: of type `A -> B -> … -> C`, all of them vectors.
    ///
    /// >>> f = smoothish.Session().compile('\\x y => (x * y, x / y)')
    /// >>> f.inputs, f.outputs
    /// (2, 2)
    #[pyo3(signature = (text, *, timeout = Some(60.0)))]
    fn compile(
        &self,
        py: Python<'_>,
        text: String,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Function> {
        let session = self.now();
        let found = working(py, duration(timeout)?, |budget| session.compile_within(&text, budget))?;
        let map = found.map_err(|error| error::of_session(py, &session, &text, &error))?;
        Ok(Function::of_program(map, text, session))
    }

    /// The Real that a program is.
    #[pyo3(signature = (text, *, timeout = Some(60.0)))]
    fn real(
        &self,
        py: Python<'_>,
        text: String,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Real> {
        Real::of(py, &self.now(), text, timeout)
    }

    /// The certified Plot of a function from x = `lo` to x = `hi`, and of its derivatives of some `orders`.
    ///
    /// >>> picture = smoothish.Session().plot('\\x => abs x', -1, 1, orders=[0, 1], columns=5)
    /// >>> picture.columns(1)[2]
    /// (Fraction(-1, 5), Fraction(1, 5), <Interval [-1, 1]>)
    /// >>> picture.svg.startswith('<svg')
    /// True
    #[pyo3(signature = (text, lo, hi, *, orders = vec![0], columns = None, width = 640, height = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn plot(
        &self,
        py: Python<'_>,
        text: &str,
        lo: &Bound<'_, PyAny>,
        hi: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = wholes)] orders: Vec<i64>,
        #[pyo3(from_py_with = whole_or_none)] columns: Option<u32>,
        #[pyo3(from_py_with = whole)] width: u32,
        #[pyo3(from_py_with = whole_or_none)] height: Option<u32>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Plot> {
        let (request, size) = plot::request(lo, hi, &orders, columns, width, height)?;
        Plot::of(py, &self.now(), &PlotEnvelopes::new(text, request), size, duration(timeout)?)
    }

    /// The certified Plot of the density of a program of type `P Real`, from x = `lo` to x = `hi`: over each column its mean there, which
    /// is the probability of the column over its width.
    ///
    /// >>> picture = smoothish.density('sample (uniformOn 0 1)', 0, 2, columns=4)
    /// >>> picture.columns()[0]
    /// (Fraction(0, 1), Fraction(1, 2), <Interval 1>)
    #[pyo3(signature = (model, lo, hi, *, columns = None, width = 640, height = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn density(
        &self,
        py: Python<'_>,
        model: &str,
        lo: &Bound<'_, PyAny>,
        hi: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole_or_none)] columns: Option<u32>,
        #[pyo3(from_py_with = whole)] width: u32,
        #[pyo3(from_py_with = whole_or_none)] height: Option<u32>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Plot> {
        let (request, size) = plot::request(lo, hi, &[0], columns, width, height)?;
        Plot::of(py, &self.now(), &PlotDensity::new(model, request), size, duration(timeout)?)
    }

    fn __repr__(&self) -> String {
        format!("<Session with {} definitions>", self.now().definitions().entries().len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let definitions = slf.get().definitions();
        Ok((slf.get_type().into_any(), (definitions,).into_pyobject(slf.py())?))
    }
}
