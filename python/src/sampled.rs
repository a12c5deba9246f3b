//! Answers of questions about programs that sample: means, masses, densities of images, estimators of gradients.

use crate::answer::{answer, class, told};
use crate::interval::Interval;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smoothish::measure::change::{PreimageContribution, PushforwardDensity};
use smoothish::measure::estimator::{BiasSource, EstimatorComparison, EstimatorMoments};
use smoothish::number::{Accuracy, Enclosure, Rational};
use smoothish::session::{Answer, Session, WeightedPathSum};
use smoothish::syntax::source::SourceText;
use std::sync::Arc;

/// The answer of a question about a mass or a mean.
pub fn integral<'py>(py: Python<'py>, found: &Answer<WeightedPathSum>) -> PyResult<Bound<'py, PyAny>> {
    let integral = found.value();
    let accuracy = integral.goal.accuracy();
    let told = told(py, found)?;
    told.set_item("paths", integral.paths)?;
    told.set_item("open", integral.unexplored_paths)?;
    told.set_item("rest", Interval::of(integral.unexplored_mass.clone(), &usual()))?;
    told.set_item("assumed", PyTuple::new(py, &integral.assumed)?)?;
    let value = Interval::asked(&integral.enclosure, &accuracy).reached_if(found.is_reached());
    answer(py, "Integral", value, &told)
}

/// How accurately something is printed where nothing was asked.
fn usual() -> Accuracy {
    Accuracy::within(Rational::from((1, 1_000_000)))
}

/// The answer of a question for the density of an image, asked to some accuracy.
pub fn pushforward<'py>(
    py: Python<'py>,
    found: &Answer<PushforwardDensity>,
    accuracy: &Accuracy,
) -> PyResult<Bound<'py, PyAny>> {
    let changed = found.value();
    let densities = PyDict::new(py);
    for (dimension, density) in &changed.densities {
        densities.set_item(dimension, Interval::asked(density, accuracy).reached_if(found.is_reached()))?;
    }
    let kind = class(py, "DensityPart")?;
    let part = |PreimageContribution { dimension, preimage: from, density_before: before, factor, density }: &PreimageContribution| {
        let number = |found: &Enclosure| Interval::asked(found, accuracy);
        let from = from.as_ref().map(|from| PyTuple::new(py, from.iter().map(number))).transpose()?;
        kind.call1((*dimension, number(density), from, before.as_ref().map(number), factor.as_ref().map(number)))
    };
    let told = told(py, found)?;
    told.set_item("parts", PyTuple::new(py, changed.parts.iter().map(part).collect::<PyResult<Vec<_>>>()?)?)?;
    told.set_item("charts", changed.charts)?;
    told.set_item("injective", changed.injectivity_proof)?;
    told.set_item("but_for", changed.injectivity_exception)?;
    told.set_item("assumed", PyTuple::new(py, &changed.assumptions)?)?;
    answer(py, "Pushforward", densities, &told)
}

/// The answer of a question for estimators of a gradient, asked to some accuracy of a program and of a function of its values.
pub fn comparison<'py>(
    py: Python<'py>,
    session: &Session,
    [model, of]: [&str; 2],
    found: &Answer<EstimatorComparison>,
    accuracy: &Accuracy,
) -> PyResult<Bound<'py, PyAny>> {
    let sources = [("model", model), ("function", of)].map(|(name, text)| Arc::new(SourceText::new(name, text)));
    let number = |found: &Enclosure| Interval::asked(found, accuracy);
    let (of_miss, of_estimator) = (class(py, "MissedTerm")?, class(py, "Estimator")?);
    let miss = |BiasSource { place, in_function, kind: what, share }: &BiasSource| {
        let source = &sources[usize::from(*in_function)];
        let place = place.as_ref().and_then(|place| session.locate(source, place));
        let (written, position) = place.map(|place| (place.text().to_owned(), place.to_string())).unzip();
        of_miss.call1((*what, number(share), written, position))
    };
    let mut estimators = Vec::new();
    for (name, estimate) in &found.value().estimates {
        estimators.push(match estimate {
            Ok(EstimatorMoments { mean, bias, variance, bias_sources: wrong }) => {
                let misses = PyTuple::new(py, wrong.iter().map(miss).collect::<PyResult<Vec<_>>>()?)?;
                let numbers = (number(mean), number(bias), variance.as_ref().map(number));
                of_estimator.call1((
                    name.estimator_name(),
                    true,
                    numbers.0,
                    numbers.1,
                    numbers.2,
                    misses,
                    None::<&str>,
                ))?
            }
            Err(why) => {
                let none = None::<Interval>;
                of_estimator.call1((
                    name.estimator_name(),
                    false,
                    none.clone(),
                    none.clone(),
                    none,
                    PyTuple::empty(py),
                    *why,
                ))?
            }
        });
    }
    let told = told(py, found)?;
    told.set_item("estimators", PyTuple::new(py, estimators)?)?;
    told.set_item("paths", found.value().paths)?;
    answer(py, "EstimatorComparison", number(&found.value().gradient), &told)
}
