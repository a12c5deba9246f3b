//! Readers of the types of the theory `Trace`: constructors are found by their names.
//!
//! A value of such a type holds the index of its constructor. The type of the program maps the index to a name.

use super::MeasureError;
use super::distribution::Distribution;
use crate::model::answer::SemanticsError;
use crate::smooth::graph::Graph;
use crate::syntax::data::DataType;
use crate::syntax::library::TRACE;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};

/// The constructors of the theory `Trace` in the type of a program.
#[derive(Debug)]
pub struct TraceVocabulary {
    /// The names of the constructors of `Outcome`, in order.
    outcomes: Vec<Name>,
    /// The names of the constructors of `Source`, in order.
    sources: Vec<Name>,
    /// The names of the constructors of `WeightFactor`, in order.
    factors: Vec<Name>,
    /// The indices of the constructors of `Draw`.
    draw_kinds: DrawKinds,
}

/// The indices of the constructors of `Draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawKinds {
    /// The index of real draws.
    pub real: usize,
    /// The index of natural numbers.
    pub natural: usize,
    /// The index of truth values.
    pub truth: usize,
}

/// The end of a run of a program.
#[derive(Debug)]
pub enum TraceOutcome<'v> {
    /// The run stops at a draw from the distribution.
    Wanted(Distribution),
    /// The run returns the value.
    Given(&'v Value<Graph>),
}

/// A factor of the weight of a run.
#[derive(Debug)]
pub enum WeightFactor<'v> {
    /// The density of a draw.
    Prior,
    /// An observation of a distribution, with its density as a function of unit.
    Seen(Distribution, &'v Value<Graph>),
    /// The weight of a score.
    Score(&'v Graph),
}

impl TraceVocabulary {
    /// Finds the constructors in the type of a program, `P A` or `Real -> P A`.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the program has another type.
    pub fn from_program(program: &Term) -> Result<Self, MeasureError> {
        let mut found = Vec::new();
        collect_trace_types(program.ty(), &mut found);
        let names = |name: &str| {
            let data = found.iter().find(|data| &**data.name() == name);
            data.map(|data| data.constructors().map(|constructor| constructor.name().clone()).collect::<Vec<_>>())
        };
        let draws = names("Draw").and_then(|names| {
            let at = |wanted: &str| names.iter().position(|name| &**name == wanted);
            Some(DrawKinds { real: at("RealDraw")?, natural: at("NaturalDraw")?, truth: at("TruthDraw")? })
        });
        // the type `P A` mentions all four, whether a program uses them or not
        match (names("Outcome"), names("Source"), names("Factor"), draws) {
            (Some(outcomes), Some(sources), Some(factors), Some(draws)) => {
                Ok(Self { outcomes, sources, factors, draw_kinds: draws })
            }
            _ => {
                let expected = "a program that samples, with the types of the theory `Trace`";
                Err(SemanticsError::from(ValueError::Mismatch { expected, found: "one with other types" }).into())
            }
        }
    }

    /// Returns the indices of the constructors of draws.
    #[must_use]
    pub fn draw_kinds(&self) -> DrawKinds {
        self.draw_kinds
    }

    /// Returns the index of the constructor of outcomes with a value. Returns `None` if the type has none.
    #[must_use]
    pub fn given(&self) -> Option<usize> {
        self.outcomes.iter().position(|name| &**name == "Given")
    }

    /// Reads the end of a run.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the value is no outcome, [`ValueError::Unsupported`] if its constructor or its source is
    /// unknown.
    pub fn read_outcome<'v>(&self, outcome: &'v Value<Graph>) -> Result<TraceOutcome<'v>, ValueError> {
        let (name, argument) = split_constructor(&self.outcomes, outcome)?;
        match name {
            "Wanted" => self.read_distribution(argument).map(TraceOutcome::Wanted),
            "Given" => Ok(TraceOutcome::Given(argument)),
            other => Err(unknown_constructor("outcome", other)),
        }
    }

    /// Reads a factor of the weight of a run.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the value is no factor, [`ValueError::Unsupported`] if its constructor or its source is
    /// unknown.
    pub fn read_factor<'v>(&self, factor: &'v Value<Graph>) -> Result<WeightFactor<'v>, ValueError> {
        let (name, argument) = split_constructor(&self.factors, factor)?;
        match name {
            "Prior" => Ok(WeightFactor::Prior),
            "Seen" => {
                let (source, density) = argument.as_pair()?;
                Ok(WeightFactor::Seen(self.read_distribution(source)?, density))
            }
            "Score" => Ok(WeightFactor::Score(argument.as_real()?)),
            other => Err(unknown_constructor("factor", other)),
        }
    }

    /// Reads a source of draws.
    fn read_distribution(&self, source: &Value<Graph>) -> Result<Distribution, ValueError> {
        let (name, argument) = split_constructor(&self.sources, source)?;
        Distribution::named(name, argument)?.ok_or_else(|| unknown_constructor("source of draws", name))
    }
}

/// Evaluates the density of an observation.
///
/// # Errors
/// Errors of evaluating the density.
pub fn observed_density(of_nothing: &Value<Graph>) -> Result<Graph, ValueError> {
    Ok(of_nothing.as_function()?.apply(&Value::Unit)?.as_real()?.clone())
}

/// Splits a value of a constructor into the constructor's name and its argument.
fn split_constructor<'n, 'v>(
    names: &'n [Name],
    value: &'v Value<Graph>,
) -> Result<(&'n str, &'v Value<Graph>), ValueError> {
    let (index, argument) = value.as_variant()?;
    let name = names.get(index).ok_or_else(|| value.kind_mismatch("a constructor of the theory `Trace`"))?;
    Ok((name, argument))
}

/// Makes the error for a constructor of the theory that is not read here.
fn unknown_constructor(what: &str, name: &str) -> ValueError {
    ValueError::Unsupported { model: "measure", construct: format!("the {what} `{name}`") }
}

/// Collects the types of the theory in a type, and in the arguments of their constructors.
fn collect_trace_types(ty: &Ty, found: &mut Vec<DataType>) {
    match ty.kind() {
        TyKind::Data(data, arguments) => {
            arguments.iter().for_each(|argument| collect_trace_types(argument, found));
            // the test for `found` ends the recursion on recursive types
            if &**data.module() == TRACE && !found.contains(data) {
                found.push(data.clone());
                data.argument_types(arguments).iter().for_each(|domain| collect_trace_types(domain, found));
            }
        }
        TyKind::Function(from, to) => [from, to].into_iter().for_each(|part| collect_trace_types(part, found)),
        TyKind::Tuple(parts) => parts.iter().for_each(|part| collect_trace_types(part, found)),
        _ => {}
    }
}
