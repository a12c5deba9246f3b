//! The types of the theory `Trace` as the integrals read its values: constructors by their names.
//!
//! A value of such a type holds the number of its constructor alone. Which name that number has is in the type of the program.

use super::Fault;
use super::distribution::Distribution;
use crate::model::answer::MeaningError;
use crate::smooth::graph::Graph;
use crate::syntax::data::Data;
use crate::syntax::library::TRACE;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};

/// The names of the constructors that are read.
#[derive(Debug)]
pub struct Vocabulary {
    outcomes: Vec<Name>,
    sources: Vec<Name>,
    factors: Vec<Name>,
    draws: DrawKinds,
}

/// The numbers of the constructors of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawKinds {
    /// Of real draws.
    pub real: usize,
    /// Of natural numbers.
    pub natural: usize,
    /// Of truth values.
    pub truth: usize,
}

/// How a run of a program ended.
#[derive(Debug)]
pub enum Ending<'v> {
    /// It wants a draw from this.
    Wanted(Distribution),
    /// It gives this value.
    Given(&'v Value<Graph>),
}

/// What a run was weighed by.
#[derive(Debug)]
pub enum Factor<'v> {
    /// The density of a draw.
    Prior,
    /// What was seen of a distribution: the density of that, as a function of nothing.
    Seen(Distribution, &'v Value<Graph>),
    /// A score.
    Score(&'v Graph),
}

impl Vocabulary {
    /// That of the type of a program, `P A` or `Real -> P A`.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for a program of another type.
    pub fn of(program: &Term) -> Result<Self, Fault> {
        let mut found = Vec::new();
        collect(program.ty(), &mut found);
        let names = |name: &str| {
            let data = found.iter().find(|data| &**data.name() == name);
            data.map(|data| data.constructors().map(|constructor| constructor.name().clone()).collect::<Vec<_>>())
        };
        let draws = names("Draw").and_then(|names| {
            let at = |wanted: &str| names.iter().position(|name| &**name == wanted);
            Some(DrawKinds { real: at("RealDraw")?, natural: at("NaturalDraw")?, truth: at("TruthDraw")? })
        });
        match (names("Outcome"), names("Source"), names("Factor"), draws) {
            (Some(outcomes), Some(sources), Some(factors), Some(draws)) => {
                Ok(Self { outcomes, sources, factors, draws })
            }
            _ => {
                let expected = "a program that samples, with the types of the theory `Trace`";
                Err(MeaningError::from(ValueError::Mismatch { expected, found: "one with other types" }).into())
            }
        }
    }

    /// The numbers of the constructors of draws.
    #[must_use]
    pub fn draws(&self) -> DrawKinds {
        self.draws
    }

    /// How a run ended.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for what is no outcome, [`ValueError::Lacks`] for one or for a source that is not known here.
    pub fn ending<'v>(&self, outcome: &'v Value<Graph>) -> Result<Ending<'v>, ValueError> {
        let (name, argument) = named(&self.outcomes, outcome)?;
        match name {
            "Wanted" => self.source(argument).map(Ending::Wanted),
            "Given" => Ok(Ending::Given(argument)),
            other => Err(unknown("outcome", other)),
        }
    }

    /// What a run was weighed by.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for what is no factor, [`ValueError::Lacks`] for one or for a source that is not known here.
    pub fn factor<'v>(&self, factor: &'v Value<Graph>) -> Result<Factor<'v>, ValueError> {
        let (name, argument) = named(&self.factors, factor)?;
        match name {
            "Prior" => Ok(Factor::Prior),
            "Seen" => {
                let (source, density) = argument.as_pair()?;
                Ok(Factor::Seen(self.source(source)?, density))
            }
            "Score" => Ok(Factor::Score(argument.as_real()?)),
            other => Err(unknown("factor", other)),
        }
    }

    fn source(&self, source: &Value<Graph>) -> Result<Distribution, ValueError> {
        let (name, argument) = named(&self.sources, source)?;
        Distribution::named(name, argument)?.ok_or_else(|| unknown("source of draws", name))
    }
}

/// The density of what was seen.
///
/// # Errors
/// What it is undefined for.
pub fn density(of_nothing: &Value<Graph>) -> Result<Graph, ValueError> {
    Ok(of_nothing.as_function()?.apply(&Value::Unit)?.as_real()?.clone())
}

fn named<'n, 'v>(names: &'n [Name], value: &'v Value<Graph>) -> Result<(&'n str, &'v Value<Graph>), ValueError> {
    let (index, argument) = value.as_variant()?;
    let name = names.get(index).ok_or_else(|| value.mismatch("a constructor of the theory `Trace`"))?;
    Ok((name, argument))
}

fn unknown(what: &str, name: &str) -> ValueError {
    ValueError::Lacks { model: "measure", construct: format!("the {what} `{name}`") }
}

/// The types of the theory in a type, and in the arguments of their constructors.
fn collect(ty: &Ty, found: &mut Vec<Data>) {
    match ty.kind() {
        TyKind::Data(data, arguments) => {
            arguments.iter().for_each(|argument| collect(argument, found));
            if &**data.module() == TRACE && !found.contains(data) {
                found.push(data.clone());
                data.domains(arguments).iter().for_each(|domain| collect(domain, found));
            }
        }
        TyKind::Function(from, to) => [from, to].into_iter().for_each(|part| collect(part, found)),
        TyKind::Tuple(parts) => parts.iter().for_each(|part| collect(part, found)),
        _ => {}
    }
}
