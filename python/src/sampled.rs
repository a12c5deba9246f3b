//! Answers of questions about programs that sample: means, masses, densities of images, estimators of gradients.

use crate::answer::{answer, class, told};
use crate::interval::Interval;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smoothish::measure::change::{Changed, Part};
use smoothish::measure::estimator::{Comparison, Culprit, Estimate};
use smoothish::number::{Accuracy, Enclosure, Rational};
use smoothish::session::{Answer, Integral, Session};
use smoothish::syntax::source::Source;
use std::sync::Arc;

/// The answer of a question about a mass or a mean.
pub fn integral<'py>(py: Python<'py>, found: &Answer<Integral>) -> PyResult<Bound<'py, PyAny>> {
    let integral = found.value();
    let accuracy = integral.goal.accuracy();
    let told = told(py, found)?;
    told.set_item("paths", integral.paths)?;
    told.set_item("open", integral.open)?;
    told.set_item("rest", Interval::of(integral.rest.clone(), &usual()))?;
    told.set_item("assumed", PyTuple::new(py, &integral.assumed)?)?;
    let value = Interval::asked(&integral.enclosure, &accuracy).reached_if(found.is_reached());
    answer(py, "Integral", value, &told)
}

/// How accurately something is printed where nothing was asked.
fn usual() -> Accuracy {
    Accuracy::within(Rational::from((1, 1_000_000)))
}

/// The answer of a question for the density of an image, asked to some accuracy.
pub fn pushforward<'py>(py: Python<'py>, found: &Answer<Changed>, accuracy: &Accuracy) -> PyResult<Bound<'py, PyAny>> {
    let changed = found.value();
    let densities = PyDict::new(py);
    for (dimension, density) in &changed.densities {
        densities.set_item(dimension, Interval::asked(density, accuracy).reached_if(found.is_reached()))?;
    }
    let kind = class(py, "DensityPart")?;
    let part = |Part { dimension, from, before, factor, density }: &Part| {
        let number = |found: &Enclosure| Interval::asked(found, accuracy);
        let from = from.as_ref().map(|from| PyTuple::new(py, from.iter().map(number))).transpose()?;
        kind.call1((*dimension, number(density), from, before.as_ref().map(number), factor.as_ref().map(number)))
    };
    let told = told(py, found)?;
    told.set_item("parts", PyTuple::new(py, changed.parts.iter().map(part).collect::<PyResult<Vec<_>>>()?)?)?;
    told.set_item("charts", changed.charts)?;
    told.set_item("injective", changed.proved)?;
    told.set_item("but_for", changed.but_for)?;
    told.set_item("assumed", PyTuple::new(py, &changed.assumed)?)?;
    answer(py, "Pushforward", densities, &told)
}

/// The answer of a question for estimators of a gradient, asked to some accuracy of a program and of a function of its values.
pub fn comparison<'py>(
    py: Python<'py>,
    session: &Session,
    [model, of]: [&str; 2],
    found: &Answer<Comparison>,
    accuracy: &Accuracy,
) -> PyResult<Bound<'py, PyAny>> {
    let sources = [("model", model), ("function", of)].map(|(name, text)| Arc::new(Source::new(name, text)));
    let number = |found: &Enclosure| Interval::asked(found, accuracy);
    let (of_miss, of_estimator) = (class(py, "MissedTerm")?, class(py, "Estimator")?);
    let miss = |Culprit { place, in_function, what, share }: &Culprit| {
        let source = &sources[usize::from(*in_function)];
        let place = place.as_ref().and_then(|place| session.locate(source, place));
        let (written, position) = place.map(|place| (place.text().to_owned(), place.to_string())).unzip();
        of_miss.call1((*what, number(share), written, position))
    };
    let mut estimators = Vec::new();
    for (name, estimate) in &found.value().estimates {
        estimators.push(match estimate {
            Ok(Estimate { mean, bias, variance, wrong }) => {
                let misses = PyTuple::new(py, wrong.iter().map(miss).collect::<PyResult<Vec<_>>>()?)?;
                let numbers = (number(mean), number(bias), variance.as_ref().map(number));
                of_estimator.call1((name.text(), true, numbers.0, numbers.1, numbers.2, misses, None::<&str>))?
            }
            Err(why) => {
                let none = None::<Interval>;
                of_estimator.call1((name.text(), false, none.clone(), none.clone(), none, PyTuple::empty(py), *why))?
            }
        });
    }
    let told = told(py, found)?;
    told.set_item("estimators", PyTuple::new(py, estimators)?)?;
    told.set_item("paths", found.value().paths)?;
    answer(py, "EstimatorComparison", number(&found.value().gradient), &told)
}
