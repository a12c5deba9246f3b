//! `smoothish agree --at`: a function at a point, with all its derivatives, in every model; the same by the derived program, run with exact
//! reals and with floating-point numbers (H Thm 3); and both compiled.

use super::{Comparison, Row, rows};
use crate::cli::ask::{Limits, Refusal, Value};
use crate::cli::derive::coordinates;
use crate::cli::evaluator::Workbench;
use crate::law::agreement::derivatives::{Derivatives, DerivativesError, derivatives};
use crate::law::agreement::{Testimony, compiled};
use crate::meaning;
use crate::meaning::taylor::derive::DeriveError;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::number::real::Refined;
use crate::number::{Accuracy, Rational};
use crate::syntax::source::Source;
use crate::value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The derived program in a meaning: how its row is called.
const DERIVED: [(&str, &str); 2] = [("presheaf", "taylor"), ("float", "taylor, float")];
/// What is compiled: how its row is called, and that by whose estimate it is judged.
const COMPILED: [[&str; 2]; 2] = [["float, compiled", "float"], ["taylor, compiled", "taylor, float"]];

/// What the models say of the derivatives of one function, as a tuple; and the names of its components.
pub(super) fn compare(
    library: &Workbench,
    source: &Source,
    point: &[Rational],
    order: usize,
    to: &Accuracy,
    limits: &Limits,
) -> Result<(Comparison, Vec<String>), Refusal> {
    let (term, shown) = library.infer(source)?;
    let Derivatives { basis, function, places, ty, nested, derived } = derivatives(&term, &shown, point, order)
        .map_err(|e: DerivativesError| Refusal::wrong(format!("error: {e}")))?;
    let state = |name: &'static str, meaning: &dyn Meaning, term| {
        let start = Instant::now();
        let outcome = library.state(meaning, term, &ty, to, limits);
        Testimony { name, encloses: meaning.encloses(), outcome, elapsed: start.elapsed() }
    };
    let mut statements: Vec<Testimony> =
        meaning::all().iter().map(|meaning| state(meaning.name(), *meaning, &nested)).collect();
    for (meaning, name) in DERIVED {
        let Some(meaning) = meaning::named(meaning) else { continue };
        statements.push(match &derived {
            Ok((_, value)) => state(name, meaning, value),
            Err(error) => Testimony {
                name,
                encloses: meaning.encloses(),
                outcome: Err(not_derived(error)),
                elapsed: Duration::ZERO,
            },
        });
    }
    let budget = Arc::new(limits.budget());
    let start = Instant::now();
    let numbers = compiled::function(&term, &function, point, &basis, &budget);
    statements.push(beside(&statements, COMPILED[0], numbers, start));
    let start = Instant::now();
    let numbers = match &derived {
        Ok((derived, _)) => compiled::derived(derived, point, &basis, &budget),
        Err(error) => Err(not_derived(error)),
    };
    statements.push(beside(&statements, COMPILED[1], numbers, start));
    for statement in &mut statements {
        if let Ok(answer) = &mut statement.outcome {
            without_derivatives(&mut answer.value, basis.len());
        }
    }
    let (rows, status) = rows(library, source, statements, &ty, to)?;
    let names = places.iter().flat_map(|place| {
        let of: String = place.iter().map(|index| format!("[{index}]")).collect();
        let named = move |name: String| if of.is_empty() { name } else { format!("{name} of {of}") };
        coordinates(&basis).into_iter().map(named)
    });
    let names = names.collect();
    Ok((Comparison { ty: shown.to_string(), rows, status }, names))
}

/// A function without a value at the point has no derivatives there, whatever is computed for them. In an answer the value of each number
/// stands before its derivatives, so many numbers in all.
fn without_derivatives(answer: &mut value::Value<Number>, length: usize) {
    let value::Value::Tuple(parts) = answer else { return };
    let mut numbers: Vec<_> = parts.iter().cloned().collect();
    for derivatives in numbers.chunks_mut(length.max(1)) {
        let Some((value, derivatives)) = derivatives.split_first_mut() else { continue };
        let nothing = match value {
            value::Value::Real(Number::Enclosure(found)) if !found.enclosure.is_defined() => {
                Number::Enclosure(Box::new(Refined::unknown()))
            }
            value::Value::Real(Number::Float { value, .. }) if value.is_nan() => {
                Number::Float { value: f64::NAN, error: f64::INFINITY }
            }
            _ => continue,
        };
        derivatives.fill(value::Value::Real(nothing));
    }
    *answer = value::Value::tuple(numbers);
}

/// What a compiled program says, with the estimate of another.
fn beside(
    statements: &[Testimony],
    [name, beside]: [&'static str; 2],
    numbers: Result<Vec<f64>, MeaningError>,
    start: Instant,
) -> Testimony {
    let elapsed = start.elapsed();
    let beside = statements.iter().find(|statement| statement.name == beside);
    let beside = beside.and_then(|statement| statement.outcome.as_ref().ok());
    Testimony { name, encloses: false, outcome: numbers.map(|numbers| compiled::answer(numbers, beside)), elapsed }
}

fn not_derived(error: &DeriveError) -> MeaningError {
    match error {
        DeriveError::Interpretation(error) => MeaningError::Interpretation(error.clone()),
        error => MeaningError::other(error.to_string()),
    }
}

/// The rows of one component.
pub(super) fn component(comparison: &Comparison, index: usize) -> Comparison {
    let rows = comparison.rows.iter().map(|row| Row {
        name: row.name,
        answer: row.answer.as_ref().map_err(String::clone).map(|value| match value {
            Value::Tuple(parts) if index < parts.len() => parts[index].clone(),
            whole => whole.clone(),
        }),
        judgements: row.judgements.get(index).cloned().into_iter().collect(),
        elapsed: row.elapsed,
    });
    Comparison { ty: comparison.ty.clone(), rows: rows.collect(), status: comparison.status }
}
