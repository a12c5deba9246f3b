//! Enclosures.

use crate::exact::{accuracy, end, fraction, python_integer, rational};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString, PyTuple};
use rug::{Float, Integer};
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Accuracy, Context, Enclosure, Interval as Ends, Mpfr, Rational};
use smoothish::session::tolerance::AccuracyClass;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The precision to which an end is rounded outward that is no dyadic number.
const BITS: u32 = 256;

/// An interval that certainly contains a real number.
///
/// The ends are exact: `fractions.Fraction`, or an infinite float. `defined` says whether the number is certainly there;
/// `reached` whether the interval is defined and as narrow as was asked.
///
/// >>> import smoothish
/// >>> root = smoothish.eval('sqrt 2', eps='1e-12')
/// >>> root
/// <Interval [1.41421356237309, 1.4142135623731]>
/// >>> root.lo**2 <= 2 <= root.hi**2, root.defined, root.reached
/// (True, True, True)
/// >>> root.digits
/// '1.414213562373…'
/// >>> 1.5 in root, '1.41421356237309505' in root
/// (False, True)
/// >>> smoothish.Interval(0, 0.5)
/// <Interval [0, 0.5]>
/// >>> smoothish.eval('1/0')
/// <Interval [-inf, inf], not shown to be defined: `/` is outside of its domain, at question:1:1>
#[pyclass(frozen, module = "smoothish", skip_from_py_object)]
#[derive(Clone)]
pub struct Interval {
    pub enclosure: Enclosure,
    reached: bool,
    accuracy: Accuracy,
    /// The number itself, if the answer says it.
    exact: Option<Rational>,
    /// Why the number is not shown to be defined, if the answer says it.
    why: Option<String>,
}

/// How a value in `f64` is printed.
fn fine() -> Accuracy {
    Accuracy::within(Rational::from((1, 1_000_000_000_000_000u64)))
}

impl Interval {
    /// An answer to a question of some accuracy.
    pub fn answer(answer: &RefinedEnclosure, accuracy: &Accuracy) -> Self {
        let (enclosure, exact) = (answer.enclosure.clone(), answer.exact_value());
        Self { enclosure, reached: answer.reached, accuracy: accuracy.clone(), exact, why: None }
    }

    /// A number that was asked to some accuracy: it is reached where it is as accurate, as its printed ends say.
    pub fn asked(enclosure: &Enclosure, accuracy: &Accuracy) -> Self {
        let reached = AccuracyClass::of_number(enclosure, accuracy) == AccuracyClass::Reached;
        Self { reached, accuracy: accuracy.clone(), ..Self::known(enclosure.clone()) }
    }

    /// The same interval, which is reached only if something else is as well.
    pub fn reached_if(self, also: bool) -> Self {
        Self { reached: self.reached && also, ..self }
    }

    /// What one run in `f64` has found: as narrow as it can be.
    pub fn found(found: &Ends<f64>) -> Self {
        let float = |x: f64| Float::with_val(53, x);
        let enclosure = Enclosure::new(float(*found.lo()), float(*found.hi()), found.is_defined());
        Self::known(enclosure.unwrap_or_else(|_| Enclosure::bottom()))
    }

    /// What is known, where nothing was asked.
    pub fn known(enclosure: Enclosure) -> Self {
        Self {
            reached: enclosure.is_defined() && enclosure.is_bounded(),
            enclosure,
            accuracy: fine(),
            exact: None,
            why: None,
        }
    }

    /// Adds the reason why the number is not shown to be defined.
    pub fn because(self, why: Option<String>) -> Self {
        Self { why, ..self }
    }

    /// What is known, printed as accurately as is said.
    pub fn of(enclosure: Enclosure, accuracy: &Accuracy) -> Self {
        Self { accuracy: accuracy.clone(), ..Self::known(enclosure) }
    }

    /// The numbers between two ends, and no others: an end that is no dyadic number is rounded inward. `None` is an infinite one.
    pub fn between(lo: Option<&Rational>, hi: Option<&Rational>) -> Self {
        let end = |q: Option<&Rational>, infinite: f64, up: bool| {
            q.map_or_else(|| Float::with_val(53, infinite), |q| rounded(q, up))
        };
        let enclosure = Enclosure::new(end(lo, f64::NEG_INFINITY, true), end(hi, f64::INFINITY, false), true);
        Self { reached: true, ..Self::known(enclosure.unwrap_or_else(|_| Enclosure::bottom())) }
    }

    /// A number between two, of which it may be one.
    pub fn around(least: &Rational, most: &Rational) -> Self {
        let enclosure = Enclosure::new(rounded(least, false), rounded(most, true), true);
        Self::known(enclosure.unwrap_or_else(|_| Enclosure::bottom()))
    }

    /// The image under an operation that loses nothing but the last digits.
    fn image(&self, operation: impl Fn(&Mpfr, &Number) -> Number, exactly: impl Fn(Rational) -> Rational) -> Self {
        let context = Mpfr::new(precision([&self.enclosure]));
        let found = context.to_enclosure(&operation(&context, &context.round_enclosure(&self.enclosure)));
        let exact = self.exact.clone().map(exactly);
        Self { reached: self.reached && found.is_bounded(), exact, ..Self::known(found) }
    }

    /// Applies an operation to this and another number. Returns `NotImplemented` if the other is no number.
    fn combined<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operation: impl Fn(&Mpfr, &Number, &Number) -> Number,
        exactly: impl Fn(Rational, Rational) -> Option<Rational>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let none = || Ok(py.NotImplemented().into_bound(py));
        let other = match other.cast::<Self>() {
            Ok(other) => other.get().clone(),
            // a text is a number elsewhere, but no operand; nor is what has numbers in it, as an array has
            Err(_) if other.is_instance_of::<PyString>() || other.hasattr("__len__")? => return none(),
            Err(_) => match rational(other) {
                Ok(number) => Self { exact: Some(number.clone()), ..Self::around(&number, &number) },
                // NaN and infinities are numbers of Python, and none here
                Err(error) if other.is_instance_of::<PyFloat>() => return Err(error),
                Err(_) => return none(),
            },
        };
        let context = Mpfr::new(precision([&self.enclosure, &other.enclosure]));
        let [a, b] = [&self.enclosure, &other.enclosure].map(|e| context.round_enclosure(e));
        let found = context.to_enclosure(&operation(&context, &a, &b));
        let exact = match (&self.exact, &other.exact) {
            (Some(a), Some(b)) if found.is_defined() => exactly(a.clone(), b.clone()).filter(is_short),
            _ => None,
        };
        let found = match &exact {
            Some(exact) => Self::around(exact, exact).enclosure,
            None => found,
        };
        let reached = self.reached && other.reached && found.is_defined() && found.is_bounded();
        Self { reached, exact, ..Self::known(found) }.into_bound_py_any(py)
    }

    /// The interval, and its certain digits in bold.
    pub fn html(&self) -> String {
        let digits = self.digits().map(|digits| format!("<b>{digits}</b> &nbsp;")).unwrap_or_default();
        let notes = self.notes().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<span class=\"smoothish\">{digits}<code>{}</code>{notes}</span>", self.written())
    }

    fn written(&self) -> String {
        self.plain().unwrap_or_else(|| self.accuracy.print_decimals(&self.enclosure).to_string())
    }

    /// The number, if it is known to be a decimal that is short enough for the accuracy.
    fn plain(&self) -> Option<String> {
        self.exact.as_ref().and_then(|exact| self.accuracy.print_exact(exact))
    }

    fn notes(&self) -> String {
        match (self.enclosure.is_defined(), self.reached, &self.why) {
            (false, _, Some(why)) => format!(", not shown to be defined: {why}"),
            (false, _, None) => ", not shown to be defined".to_owned(),
            (true, false, _) => ", not as narrow as asked".to_owned(),
            (true, true, _) => String::new(),
        }
    }
}

/// The numbers that are computed with.
type Number = <Mpfr as Context>::Num;

/// The bits of a result: those of the ends of the operands, and some more.
fn precision<const N: usize>(operands: [&Enclosure; N]) -> u32 {
    let bits = operands.iter().flat_map(|e| [e.lo().prec(), e.hi().prec()]).max().unwrap_or(BITS);
    (bits + 64).clamp(BITS, 1 << 16)
}

/// Whether an exact number is kept: others would grow without end.
fn is_short(q: &Rational) -> bool {
    q.numer().significant_bits() + q.denom().significant_bits() <= 4096
}

/// An end as it is written down: its mantissa and its exponent, or an infinity.
fn state<'py>(py: Python<'py>, x: &Float) -> PyResult<Bound<'py, PyAny>> {
    match x.to_integer_exp() {
        Some((mantissa, exponent)) => Ok((python_integer(py, &mantissa)?, exponent).into_pyobject(py)?.into_any()),
        None => Ok(x.to_f64().into_pyobject(py)?.into_any()),
    }
}

/// An end as an odd number and an exponent: the same for equal ends, whatever their precision.
fn canonical(x: &Float) -> Option<(Integer, i64)> {
    let (mantissa, exponent) = x.to_integer_exp()?;
    let zeros = mantissa.find_one(0).unwrap_or(0);
    Some((mantissa >> zeros, i64::from(exponent) + i64::from(zeros)))
}

/// The end that was written down.
fn restored(x: &Bound<'_, PyAny>) -> PyResult<Float> {
    if let Ok(infinite) = x.cast::<PyFloat>() {
        return Ok(Float::with_val(53, infinite.value()));
    }
    let (mantissa, exponent): (Bound<'_, PyAny>, i32) = x.extract()?;
    let mantissa = rational(&mantissa)?.into_numer_denom().0;
    let exact = Float::with_val(mantissa.significant_bits().max(1), &mantissa);
    Ok(exact << exponent)
}

/// An end that a caller gives: exactly where it is dyadic, otherwise rounded outward.
fn given(x: &Bound<'_, PyAny>, up: bool) -> PyResult<Float> {
    if let Ok(float) = x.cast::<PyFloat>() {
        return Ok(Float::with_val(53, float.value()));
    }
    Ok(rounded(&rational(x)?, up))
}

/// A number exactly where it is dyadic, otherwise rounded.
fn rounded(q: &Rational, up: bool) -> Float {
    let is_dyadic = q.denom().is_power_of_two();
    let bits = if is_dyadic { q.numer().significant_bits().max(1) } else { BITS };
    let round = if up { rug::float::Round::Up } else { rug::float::Round::Down };
    Float::with_val_round(bits, q, round).0
}

#[pymethods]
impl Interval {
    #[new]
    #[pyo3(signature = (lo, hi, defined = true, reached = true))]
    fn new(lo: &Bound<'_, PyAny>, hi: &Bound<'_, PyAny>, defined: bool, reached: bool) -> PyResult<Self> {
        let enclosure = Enclosure::new(given(lo, false)?, given(hi, true)?, defined);
        let enclosure = enclosure.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { reached, ..Self::known(enclosure) })
    }

    /// The lower end, exactly: a Fraction, or -inf.
    #[getter]
    fn lo<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        end(py, self.enclosure.lo())
    }

    /// The upper end, exactly: a Fraction, or inf.
    #[getter]
    fn hi<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        end(py, self.enclosure.hi())
    }

    /// Whether the number certainly exists.
    #[getter]
    fn defined(&self) -> bool {
        self.enclosure.is_defined()
    }

    /// Whether the interval is defined and as narrow as was asked.
    #[getter]
    fn reached(&self) -> bool {
        self.reached
    }

    /// hi - lo, exactly: a Fraction, or inf.
    ///
    /// >>> smoothish.Interval(0.25, 1).width
    /// Fraction(3, 4)
    #[getter]
    fn width<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.enclosure.is_bounded() {
            return Ok(f64::INFINITY.into_pyobject(py)?.into_any());
        }
        self.hi(py)?.sub(self.lo(py)?)
    }

    /// The number itself, a Fraction, if the answer to a question is known to be rational; None says nothing.
    ///
    /// >>> smoothish.eval('1/3').exact
    /// Fraction(1, 3)
    /// >>> smoothish.eval('deriv (\\x => x^3) 0.1').exact
    /// Fraction(3, 100)
    /// >>> smoothish.eval('sin 1').exact
    #[getter]
    fn exact<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.exact.as_ref().map(|exact| fraction(py, exact)).transpose()
    }

    /// Why the number is not shown to be defined, if an answer says it; None says nothing.
    ///
    /// >>> smoothish.eval('log (-1)').why
    /// '`log` is outside of its domain, at question:1:1'
    #[getter]
    fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// The middle, exactly: a Fraction; None for an interval without bounds.
    ///
    /// >>> smoothish.Interval(0, 0.5).mid
    /// Fraction(1, 4)
    #[getter]
    fn mid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.enclosure.is_bounded() {
            return Ok(None);
        }
        let (lo, hi) = (self.lo(py)?, self.hi(py)?);
        Ok(Some(lo.add(hi)?.div(fraction(py, &Rational::from(2))?)?))
    }

    /// The digits with which every number in the interval begins; None where there are none.
    #[getter]
    fn digits(&self) -> Option<String> {
        self.plain().or_else(|| self.accuracy.print_decimals(&self.enclosure).certain_digits())
    }

    /// Whether another interval has a number in common with this one. That is all that there is of equality of real numbers.
    ///
    /// >>> smoothish.Interval(0, 1).overlaps(smoothish.Interval(1, 2))
    /// True
    fn overlaps(&self, other: &Self) -> bool {
        self.enclosure.overlaps(&other.enclosure)
    }

    fn __contains__(&self, x: &Bound<'_, PyAny>) -> PyResult<bool> {
        match x.cast::<Self>() {
            Ok(other) => Ok(self.enclosure.contains_enclosure(&other.get().enclosure)),
            Err(_) => Ok(self.enclosure.contains(&rational(x)?)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.enclosure == other.enclosure && self.reached == other.reached
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for end in [self.enclosure.lo(), self.enclosure.hi()] {
            canonical(end).hash(&mut hasher);
        }
        (self.enclosure.is_defined(), self.reached).hash(&mut hasher);
        hasher.finish()
    }

    /// An interval that contains the sum of every two numbers of the two.
    ///
    /// >>> smoothish.Interval(0, 1) + smoothish.eval('1/3')
    /// <Interval [0.333333328366279, 1.333333335816861]>
    /// >>> 2 - smoothish.Interval(0, 1)
    /// <Interval [1, 2]>
    /// >>> smoothish.eval('1/3') * 3
    /// <Interval 1>
    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.add(a, b), |a, b| Some(a + b))
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.sub(a, b), |a, b| Some(a - b))
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.sub(b, a), |a, b| Some(b - a))
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.mul(a, b), |a, b| Some(a * b))
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    /// The quotient. It is not shown to be defined where the divisor may be 0.
    ///
    /// >>> 1 / smoothish.Interval(2, 4)
    /// <Interval [0.25, 0.5]>
    /// >>> 1 / smoothish.Interval(-1, 1)
    /// <Interval [-inf, inf], not shown to be defined>
    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.div(a, b), |a, b| (b != 0).then(|| a / b))
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(other, |context, a, b| context.div(b, a), |a, b| (a != 0).then(|| b / a))
    }

    fn __neg__(&self) -> Self {
        self.image(|context, a| context.neg(a), |a| -a)
    }

    fn __pos__(&self) -> Self {
        self.clone()
    }

    fn __abs__(&self) -> Self {
        self.image(|context, a| context.abs(a), Rational::abs)
    }

    /// The float that the number is nearest to, where it is known: where both ends round to it.
    ///
    /// >>> float(smoothish.eval('sqrt 2', eps='1e-20'))
    /// 1.4142135623730951
    /// >>> float(smoothish.Interval(0, 1))
    /// Traceback (most recent call last):
    ///     ...
    /// TypeError: [0, 1] is 1 wide, and its ends are different floats: take .mid, .lo or .hi, or ask for more digits
    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<f64> {
        if let Some(exact) = &self.exact {
            return fraction(py, exact)?.call_method0("__float__")?.extract();
        }
        let none =
            |why: &str| PyTypeError::new_err(format!("{} is no number that a float stands for: {why}", self.written()));
        if !self.enclosure.is_defined() {
            return Err(none("it is not shown to be defined"));
        }
        if !self.enclosure.is_bounded() {
            return Err(none("it has no bounds"));
        }
        let float = |end: Bound<'py, PyAny>| end.call_method0("__float__")?.extract::<f64>();
        let (lo, hi) = (float(self.lo(py)?)?, float(self.hi(py)?)?);
        if lo == hi {
            return Ok(lo);
        }
        let width = self.accuracy.print_decimals(&self.enclosure).width();
        Err(PyTypeError::new_err(format!(
            "{} is {width} wide, and its ends are different floats: take .mid, .lo or .hi, or ask for more digits",
            self.written()
        )))
    }

    fn __str__(&self) -> String {
        self.written()
    }

    fn __repr__(&self) -> String {
        format!("<Interval {}{}>", self.written(), self.notes())
    }

    /// The interval, and its certain digits in bold.
    fn _repr_html_(&self) -> String {
        self.html()
    }

    /// The interval as a formula.
    ///
    /// >>> smoothish.Interval(0.5, 2)._repr_latex_(), smoothish.eval('1/0')._repr_latex_()
    /// ('$[0.5, 2]$', '$\\bot$')
    fn _repr_latex_(&self) -> String {
        if self.enclosure.is_bottom() || !self.enclosure.is_defined() {
            return "$\\bot$".to_owned();
        }
        let power = |text: &str| match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{mantissa} \\cdot 10^{{{exponent}}}"),
            None => text.replace("inf", "\\infty"),
        };
        let ends = self.accuracy.print_decimals(&self.enclosure);
        match self.plain() {
            Some(plain) => format!("${}$", power(&plain)),
            None if ends.lo() == ends.hi() => format!("${}$", power(ends.lo())),
            None => format!("$[{}, {}]$", power(ends.lo()), power(ends.hi())),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, own) = (slf.py(), slf.get());
        let restore = slf.get_type().getattr("_restored")?;
        let relative = own.accuracy.is_relative().then(|| own.accuracy.smallest_tolerance().to_string());
        let eps = own.accuracy.eps().map(|eps| eps.to_string());
        let state = (
            state(py, own.enclosure.lo())?,
            state(py, own.enclosure.hi())?,
            own.enclosure.is_defined(),
            own.reached,
            eps,
            relative,
            own.exact.as_ref().map(|exact| exact.to_string()),
            own.why.as_deref(),
        );
        Ok((restore, state.into_pyobject(py)?))
    }

    #[staticmethod]
    #[pyo3(signature = (lo, hi, defined, reached, eps, rel, exact = None, why = None))]
    #[expect(clippy::too_many_arguments, reason = "what was written down")]
    fn _restored(
        lo: &Bound<'_, PyAny>,
        hi: &Bound<'_, PyAny>,
        defined: bool,
        reached: bool,
        eps: Option<&Bound<'_, PyAny>>,
        rel: Option<&Bound<'_, PyAny>>,
        exact: Option<&Bound<'_, PyAny>>,
        why: Option<String>,
    ) -> PyResult<Self> {
        let enclosure = Enclosure::new(restored(lo)?, restored(hi)?, defined);
        let enclosure = enclosure.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let (accuracy, exact) = (accuracy(eps, rel, None)?, exact.map(rational).transpose()?);
        Ok(Self { reached, accuracy, exact, why, ..Self::known(enclosure) })
    }

    fn __dask_tokenize__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (_, state) = Self::__reduce__(slf)?;
        Ok(("smoothish.Interval", state).into_pyobject(slf.py())?.into_any())
    }
}
