//! Distributions as the integrals see them: where their draws lie, and how likely these are.
//!
//! A distribution is a [`Family`] with its parameters, which are maps of what was drawn before. All that is known of a family stands in its
//! file. The theory `Trace` gives the same densities in the language. Neither place knows of the other: they check each other
//! (`tests/meanings/measure`).

mod bernoulli;
mod beta;
pub mod draw;
mod exponential;
pub mod family;
mod gamma;
mod geometric;
mod log_normal;
mod normal;
mod poisson;
mod student_t;
mod uniform_on;

use super::draws::NaturalRange;
use super::majorant::Majorant;
use crate::function::Function;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::{Value, ValueError};
pub use bernoulli::Bernoulli;
pub use beta::Beta;
pub use exponential::Exponential;
pub use family::{ClosedForm, Demand, Family, Tilted};
pub use gamma::Gamma;
pub use geometric::Geometric;
pub use log_normal::LogNormal;
pub use normal::Normal;
pub use poisson::Poisson;
pub use student_t::StudentT;
pub use uniform_on::UniformOn;

/// All families, by whose names the constructors of the theory `Trace` are read.
pub const FAMILIES: &[&dyn Family] =
    &[&Normal, &UniformOn, &Exponential, &Gamma, &Beta, &Bernoulli, &Poisson, &Geometric, &StudentT, &LogNormal];

/// A family with its parameters, which are maps of what was drawn before.
#[derive(Clone, Debug)]
pub struct Distribution {
    family: &'static dyn Family,
    parameters: Vec<Graph>,
}

/// The type of the values of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Real numbers.
    Real,
    /// Natural numbers, from the first that has a chance.
    Natural(u64),
    /// Truth values.
    Truth,
}

pub(crate) fn lgamma(a: &Graph) -> Graph {
    Graph::function(Function::LOG_GAMMA, a)
}

/// 1/a.
fn inverse(a: &Graph) -> Graph {
    1 / a
}

/// x^(a - 1), as a power where a is rational.
fn less_one(x: &Graph, a: &Graph) -> Graph {
    match a.as_rational() {
        Some(q) if *q == 1 => Graph::integer(1),
        Some(q) => x.pow(&Rational::from(q - 1)),
        None => ((a - 1) * x.log()).exp(),
    }
}

/// b - a, as a number where it is one: of x + 1 and x.
pub(crate) fn width(a: &Graph, b: &Graph) -> Graph {
    let width = b - a;
    let form = RationalNormalForm::default().normal_form(&width);
    form.and_then(|form| form.as_rational()).map_or(width, Graph::rational)
}

fn binomial(n: u32, k: u32) -> Magnitude {
    let exact = (0..k).fold(Rational::from(1), |product, j| product * (n - j) / (j + 1));
    Magnitude::from_rational(&exact)
}

/// j!
pub(crate) fn factorial(j: u32) -> Magnitude {
    (1..=j).fold(Magnitude::ONE, |product, i| product * Magnitude::from(i))
}

/// (j - 1)!!, at least E |z|ʲ for a standard normal z.
fn double_factorial(j: u32) -> Magnitude {
    (1..j).rev().step_by(2).fold(Magnitude::ONE, |product, i| product * Magnitude::from(i))
}

pub(crate) fn powered(base: Magnitude, k: u32) -> Magnitude {
    (0..k).fold(Magnitude::ONE, |product, _| product * base)
}

impl Distribution {
    /// The distribution of a family with these parameters; `None` for another number of them.
    #[must_use]
    pub fn new(family: &'static dyn Family, parameters: impl Into<Vec<Graph>>) -> Option<Self> {
        let parameters = parameters.into();
        (parameters.len() == family.arity()).then_some(Self { family, parameters })
    }

    /// Finds the distribution that the theory `Trace` calls a source of this name. Returns `None` for an unknown name.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for parameters of another type.
    pub fn named(name: &str, parameters: &Value<Graph>) -> Result<Option<Self>, ValueError> {
        let Some(family) = FAMILIES.iter().find(|family| family.name() == name) else { return Ok(None) };
        let parts = match family.arity() {
            1 => std::slice::from_ref(parameters),
            _ => parameters.as_tuple()?,
        };
        let found = parts.iter().map(|part| part.as_real().cloned()).collect::<Result<Vec<_>, _>>()?;
        let wrong = || parameters.kind_mismatch("a number for each parameter of a distribution");
        Self::new(*family, found).map(Some).ok_or_else(wrong)
    }

    /// The normal distribution of a mean and a standard deviation.
    #[must_use]
    pub fn normal(mean: Graph, deviation: Graph) -> Self {
        Self { family: &Normal, parameters: vec![mean, deviation] }
    }

    /// Poisson's distribution of a mean.
    #[must_use]
    pub fn poisson(mean: Graph) -> Self {
        Self { family: &Poisson, parameters: vec![mean] }
    }

    /// Its family.
    #[must_use]
    pub fn family(&self) -> &'static dyn Family {
        self.family
    }

    /// Its parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Graph] {
        &self.parameters
    }

    /// Its parameters, if it is of this family.
    #[must_use]
    pub fn parameters_of(&self, family: &'static dyn Family) -> Option<&[Graph]> {
        (self.family == family).then_some(&self.parameters[..])
    }

    /// Maps the parameters; the family stays.
    #[must_use]
    pub fn map(&self, f: &dyn Fn(&Graph) -> Graph) -> Self {
        Self { family: self.family, parameters: self.parameters.iter().map(f).collect() }
    }

    /// Returns `true` if a parameter depends on the variable.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        self.parameters.iter().any(|parameter| parameter.depends_on(v))
    }

    /// Returns the type of the values.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.family.kind()
    }

    /// Lists the constraints on the parameters.
    #[must_use]
    pub fn demands(&self) -> Vec<Demand> {
        self.family.demands(&self.parameters)
    }

    /// Returns the ends of the support of real draws; `None` for an infinite end.
    #[must_use]
    pub fn ends(&self) -> [Option<Graph>; 2] {
        self.family.ends(&self.parameters)
    }

    /// Returns, for each end, `true` if it belongs to the support.
    #[must_use]
    pub fn has_ends(&self) -> [bool; 2] {
        self.family.has_ends(&self.parameters)
    }

    /// A place where the bulk of it lies, and how wide that is.
    #[must_use]
    pub fn bulk(&self) -> Option<[Graph; 2]> {
        self.family.bulk(&self.parameters)
    }

    /// The density of a real draw, inside of its ends.
    #[must_use]
    pub fn density(&self, x: &Graph) -> Graph {
        self.family.density(&self.parameters, x)
    }

    /// The chance of a truth value.
    #[must_use]
    pub fn truth(&self, holds: bool) -> Graph {
        self.family.truth(&self.parameters, holds)
    }

    /// The chance of a natural number.
    #[must_use]
    pub fn natural(&self, n: u64) -> Graph {
        self.family.natural(&self.parameters, n)
    }

    /// At least the chance of natural numbers, where it is defined and positive.
    #[must_use]
    pub fn tail(&self, span: NaturalRange) -> Graph {
        self.family.tail(&self.parameters, span)
    }

    /// The terms of the logarithm of the density, or of the chance, at x.
    #[must_use]
    pub fn log_density(&self, x: &Graph) -> Vec<Graph> {
        self.family.log_density(&self.parameters, x)
    }

    /// The derivative in a parameter of the logarithm of the density, or of the chance, at x.
    #[must_use]
    pub fn score(&self, x: &Graph, parameter: Variable) -> Graph {
        self.log_density(x).iter().map(|term| term.slope(parameter)).sum()
    }

    /// At least E |x|ᵏ, by bounds of maps of what was drawn before.
    pub fn moment(&self, k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        if k == 0 {
            return Some(Majorant::constant(Magnitude::ONE));
        }
        self.family.moment(&self.parameters, k, of)
    }

    /// About where the likeliest natural number is; `None` if it is the first.
    #[must_use]
    pub fn mode(&self) -> Option<Graph> {
        self.family.mode(&self.parameters)
    }

    /// The distribution of natural numbers n that takes up a factor e^(hn), given eʰ.
    #[must_use]
    pub fn tilted(&self, growth: &Graph) -> Option<Tilted> {
        self.family.tilted(&self.parameters, growth)
    }

    /// At least P(|z| > r), of a standard draw.
    #[must_use]
    pub fn chance_beyond(&self, r: u32) -> Option<Graph> {
        self.family.chance_beyond(&self.parameters, r)
    }

    /// The distribution of the logarithm of a draw, if integrals draw that.
    #[must_use]
    pub fn logarithm(&self) -> Option<Self> {
        self.family.logarithm(&self.parameters)
    }

    /// The draw as a map of one by fewer parameters, with the distribution of that.
    #[must_use]
    pub fn standard(&self, z: &Graph) -> (Self, Graph) {
        if let Some(logarithm) = self.logarithm() {
            let (standard, map) = logarithm.standard(z);
            return (standard, map.exp());
        }
        let (parameters, map) = self.family.standard(&self.parameters, z);
        (Self { family: self.family, parameters }, map)
    }
}
