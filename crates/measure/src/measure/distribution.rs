//! Distributions as the integrals see them: where their draws lie, and how likely these are.
//!
//! The theory `Trace` gives the same densities in the language. Neither place knows of the other: they check each other
//! (`tests/meanings/measure`).

use super::draws::Span;
use crate::function::Function;
use crate::number::Rational;
use crate::pieces::Test;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::value::{Value, ValueError};

/// Up to which number a factorial is multiplied out.
const MOST_FACTORS: u64 = 20;

/// A distribution, its parameters maps of what was drawn before.
#[derive(Clone, Debug)]
pub enum Distribution {
    /// By mean and standard deviation.
    Normal(Graph, Graph),
    /// Between two numbers.
    UniformOn(Graph, Graph),
    /// By its rate.
    Exponential(Graph),
    /// By shape and rate.
    Gamma(Graph, Graph),
    /// On [0, 1].
    Beta(Graph, Graph),
    /// By the chance of tt.
    Bernoulli(Graph),
    /// By its mean.
    Poisson(Graph),
    /// By the chance of success, from 1 on.
    Geometric(Graph),
}

/// What a parameter of a distribution has to be.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The parameter and the distribution, in words.
    pub what: &'static str,
    /// What it has to be, in words.
    pub has_to_be: &'static str,
    /// A map of what was drawn before…
    pub graph: Graph,
    /// …which has to pass this.
    pub test: Test,
}

/// What kind of values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Real numbers.
    Real,
    /// Natural numbers, from the first that has a chance.
    Natural(u64),
    /// Truth values.
    Truth,
}

pub(crate) fn add(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(q), _) if *q == 0 => b.clone(),
        (_, Some(q)) if *q == 0 => a.clone(),
        _ => Graph::binary(Binary::Add, a, b),
    }
}
pub(crate) fn subtract(a: &Graph, b: &Graph) -> Graph {
    match b.as_rational() {
        Some(q) if *q == 0 => a.clone(),
        _ => Graph::binary(Binary::Subtract, a, b),
    }
}
#[doc(hidden)]
pub fn multiply(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(q), _) if *q == 1 => b.clone(),
        (_, Some(q)) if *q == 1 => a.clone(),
        _ => Graph::binary(Binary::Multiply, a, b),
    }
}
pub(crate) fn divide(a: &Graph, b: &Graph) -> Graph {
    match b.as_rational() {
        Some(q) if *q == 1 => a.clone(),
        _ => Graph::binary(Binary::Divide, a, b),
    }
}
pub(crate) fn negate(a: &Graph) -> Graph {
    Graph::unary(Unary::Negate, a)
}

/// aⁿ, as a power where graphs have that one, and as exp (n · log a) elsewhere.
#[must_use]
pub fn power(a: &Graph, n: &Rational) -> Graph {
    let exponential = || Graph::function(Function::Exp, &multiply(&Graph::rational(n.clone()), &log(a)));
    Graph::power(a, n).unwrap_or_else(exponential)
}
fn exp(a: &Graph) -> Graph {
    Graph::function(Function::Exp, a)
}
fn log(a: &Graph) -> Graph {
    Graph::function(Function::Log, a)
}
fn lgamma(a: &Graph) -> Graph {
    Graph::function(Function::LogGamma, a)
}

/// x^(a - 1), as a power where a is rational.
fn less_one(x: &Graph, a: &Graph) -> Graph {
    match a.as_rational() {
        Some(q) if *q == 1 => Graph::integer(1),
        Some(q) => power(x, &Rational::from(q - 1)),
        None => exp(&multiply(&subtract(a, &Graph::integer(1)), &log(x))),
    }
}

/// b - a, as a number where it is one: of x + 1 and x.
pub(crate) fn width(a: &Graph, b: &Graph) -> Graph {
    let width = subtract(b, a);
    let form = Normaliser::default().fraction(&width);
    form.and_then(|form| form.as_rational()).map_or(width, Graph::rational)
}

impl Distribution {
    /// What the theory `Trace` calls a source of this name, with its parameters; `None` for a name that is not known here.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for parameters of another type.
    pub fn named(name: &str, parameters: &Value<Graph>) -> Result<Option<Self>, ValueError> {
        let pair = || {
            let (a, b) = parameters.as_pair()?;
            Ok::<_, ValueError>((a.as_real()?.clone(), b.as_real()?.clone()))
        };
        let one = || parameters.as_real().cloned();
        Ok(Some(match name {
            "Normal" => pair().map(|(m, s)| Self::Normal(m, s))?,
            "UniformOn" => pair().map(|(a, b)| Self::UniformOn(a, b))?,
            "Exponential" => Self::Exponential(one()?),
            "Gamma" => pair().map(|(a, b)| Self::Gamma(a, b))?,
            "Beta" => pair().map(|(a, b)| Self::Beta(a, b))?,
            "Bernoulli" => Self::Bernoulli(one()?),
            "Poisson" => Self::Poisson(one()?),
            "Geometric" => Self::Geometric(one()?),
            _ => return Ok(None),
        }))
    }

    /// The same with other parameters.
    #[must_use]
    pub fn map(&self, f: &dyn Fn(&Graph) -> Graph) -> Self {
        match self {
            Self::Normal(m, s) => Self::Normal(f(m), f(s)),
            Self::UniformOn(a, b) => Self::UniformOn(f(a), f(b)),
            Self::Exponential(r) => Self::Exponential(f(r)),
            Self::Gamma(a, r) => Self::Gamma(f(a), f(r)),
            Self::Beta(a, b) => Self::Beta(f(a), f(b)),
            Self::Bernoulli(p) => Self::Bernoulli(f(p)),
            Self::Poisson(r) => Self::Poisson(f(r)),
            Self::Geometric(p) => Self::Geometric(f(p)),
        }
    }

    /// Whether a parameter depends on a variable.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        match self {
            Self::Normal(a, b) | Self::UniformOn(a, b) | Self::Gamma(a, b) | Self::Beta(a, b) => {
                a.depends_on(v) || b.depends_on(v)
            }
            Self::Exponential(a) | Self::Bernoulli(a) | Self::Poisson(a) | Self::Geometric(a) => a.depends_on(v),
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Bernoulli(_) => Kind::Truth,
            Self::Poisson(_) => Kind::Natural(0),
            Self::Geometric(_) => Kind::Natural(1),
            _ => Kind::Real,
        }
    }

    /// What its parameters have to be: the one table of that, for draws and for what is seen, in integrals and in samplers.
    ///
    /// The theory `Trace` demands the same by where its densities have values, with words of its own.
    #[must_use]
    pub fn demands(&self) -> Vec<Demand> {
        let positive =
            |what, graph: &Graph| Demand { what, has_to_be: "> 0", graph: graph.clone(), test: Test::Positive };
        let less_than_one = |p: &Graph| subtract(&Graph::integer(1), p);
        match self {
            Self::Normal(_, s) => vec![positive("the standard deviation of normal", s)],
            Self::UniformOn(a, b) => vec![positive("the width b - a of uniformOn a b", &width(a, b))],
            Self::Exponential(r) => vec![positive("the rate of exponential", r)],
            Self::Gamma(a, r) => vec![positive("the shape of gamma", a), positive("the rate of gamma", r)],
            Self::Beta(a, b) => {
                vec![positive("the first parameter of beta", a), positive("the second parameter of beta", b)]
            }
            Self::Bernoulli(p) => {
                let what = "the probability of bernoulli";
                let (test, graph) = (Test::NonNegative, p.clone());
                vec![
                    Demand { what, has_to_be: ">= 0", graph, test },
                    Demand { what, has_to_be: "<= 1", graph: less_than_one(p), test },
                ]
            }
            Self::Poisson(r) => vec![positive("the rate of poisson", r)],
            Self::Geometric(p) => {
                let what = "the probability of geometric";
                vec![positive(what, p), Demand { has_to_be: "< 1", ..positive(what, &less_than_one(p)) }]
            }
        }
    }

    /// The ends of the interval on which real draws lie; nothing for an infinite one.
    #[must_use]
    pub fn ends(&self) -> [Option<Graph>; 2] {
        match self {
            Self::UniformOn(a, b) => [Some(a.clone()), Some(b.clone())],
            Self::Exponential(_) | Self::Gamma(..) => [Some(Graph::integer(0)), None],
            Self::Beta(..) => [Some(Graph::integer(0)), Some(Graph::integer(1))],
            _ => [None, None],
        }
    }

    /// A place where the bulk of it lies, and how wide that is.
    #[must_use]
    pub fn bulk(&self) -> Option<[Graph; 2]> {
        let inverse = |r: &Graph| divide(&Graph::integer(1), r);
        match self {
            Self::Normal(m, s) => Some([m.clone(), s.clone()]),
            Self::Exponential(r) => Some([inverse(r), inverse(r)]),
            Self::Gamma(a, r) => Some([divide(a, r), divide(&power(a, &Rational::from((1, 2))), r)]),
            _ => None,
        }
    }

    /// The density of a real draw, inside of its ends.
    #[must_use]
    pub fn density(&self, x: &Graph) -> Graph {
        let one = Graph::integer(1);
        match self {
            Self::Normal(m, s) => {
                let square = power(&divide(&subtract(x, m), s), &Rational::from(2));
                let bell = exp(&negate(&divide(&square, &Graph::integer(2))));
                let root = power(&multiply(&Graph::integer(2), &Graph::pi()), &Rational::from((1, 2)));
                divide(&bell, &multiply(s, &root))
            }
            Self::UniformOn(a, b) => divide(&one, &width(a, b)),
            Self::Exponential(r) => multiply(r, &exp(&negate(&multiply(r, x)))),
            Self::Gamma(a, r) => {
                let constant = match a.as_rational() {
                    Some(q) => multiply(&power(r, q), &exp(&negate(&lgamma(a)))),
                    None => exp(&subtract(&multiply(a, &log(r)), &lgamma(a))),
                };
                multiply(&constant, &multiply(&less_one(x, a), &exp(&negate(&multiply(r, x)))))
            }
            Self::Beta(a, b) => {
                let constant = exp(&subtract(&lgamma(&add(a, b)), &add(&lgamma(a), &lgamma(b))));
                multiply(&constant, &multiply(&less_one(x, a), &less_one(&subtract(&one, x), b)))
            }
            Self::Bernoulli(_) | Self::Poisson(_) | Self::Geometric(_) => one,
        }
    }

    /// The chance of a truth value.
    #[must_use]
    pub fn truth(&self, holds: bool) -> Graph {
        match self {
            Self::Bernoulli(p) if holds => p.clone(),
            Self::Bernoulli(p) => subtract(&Graph::integer(1), p),
            _ => Graph::integer(0),
        }
    }

    /// The chance of a natural number.
    #[must_use]
    pub fn natural(&self, n: u64) -> Graph {
        let exponent = |n: u64| Rational::from(n);
        match self {
            // in one exponential, so that large rates stay in range
            Self::Poisson(r) if n > MOST_FACTORS => {
                let factorial = lgamma(&Graph::rational(Rational::from(n) + 1));
                let power = multiply(&Graph::rational(exponent(n)), &log(r));
                exp(&subtract(&subtract(&power, r), &factorial))
            }
            Self::Poisson(r) => {
                let factorial = (1..=n).fold(Rational::from(1), |product, k| product * k);
                let weight = multiply(&power(r, &exponent(n)), &exp(&negate(r)));
                divide(&weight, &Graph::rational(factorial))
            }
            Self::Geometric(p) if n > 0 => multiply(p, &power(&subtract(&Graph::integer(1), p), &exponent(n - 1))),
            _ => Graph::integer(0),
        }
    }

    /// At least the chance of natural numbers, where it is defined and positive.
    ///
    /// For Poisson's: the terms from n on fall at least as fast as a geometric series with the ratio r/(n + 1), and those from n downwards as
    /// one with the ratio n/r.
    #[must_use]
    pub fn over(&self, span: Span) -> Graph {
        let one = Graph::integer(1);
        match (self, span) {
            (Self::Geometric(p), Span { first: n, .. }) if n > 0 => power(&subtract(&one, p), &Rational::from(n - 1)),
            (Self::Poisson(r), Span { first: n, last: None }) => {
                let ratio = divide(r, &Graph::rational(Rational::from(n) + 1));
                divide(&self.natural(n), &subtract(&one, &ratio))
            }
            (Self::Poisson(r), Span { last: Some(n), .. }) => {
                let ratio = divide(&Graph::rational(Rational::from(n)), r);
                divide(&self.natural(n), &subtract(&one, &ratio))
            }
            _ => one,
        }
    }
}

/// The sum of two maps, as a number where both are.
#[must_use]
pub fn plus(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(p), Some(q)) => Graph::rational(Rational::from(p + q)),
        _ => add(a, b),
    }
}

/// The product of two maps, as a number where both are.
#[must_use]
pub fn times(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(p), Some(q)) => Graph::rational(Rational::from(p * q)),
        _ => multiply(a, b),
    }
}
