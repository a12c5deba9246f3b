//! Germs of analytic maps on one side of a point: their expansions in fractional powers.
//!
//! A map that is made of analytic functions, quotients and roots, and is analytic on an interval beside a point u, is there the sum
//! of a convergent series (Puiseux)
//!
//! `f(u ± t) = c₀·t^(e/m) + c₁·t^((e+1)/m) + c₂·t^((e+2)/m) + …`, for small t > 0,
//!
//! unless a logarithm or an exponential function is led to infinity there. Its first term that is not 0 decides the sign of f beside
//! the point; the limit of f, and that of f′, whose series is that of f differentiated term by term, are read off.
//!
//! Of a map that is smooth at the point itself, value and slope there are enough. The coefficients are numbers as closed graphs, so each of them can be asked, and is 0 only where that is
//! [decided](super::sign). A series of which all terms that were computed are 0 is not taken for 0.
//!
//! | module | what it holds |
//! |---|---|
//! | `series` | the series, their sums, products, derivatives and integrals |
//! | `elementary` | powers, elementary functions |

mod elementary;
mod series;

use super::fraction::Normaliser;
use super::sign::sign;
use crate::number::Magnitude;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::{Approximation, Tier};
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::reverse::without_derivatives;
use crate::stack::deep;
use rustc_hash::FxHashMap;
pub use series::Germ;
use std::cmp::Ordering;
use std::fmt;

/// How many terms to a whole power are computed at first…
const FEWEST: usize = 4;
/// …and at most, after as many doublings as it takes.
const MOST: usize = 16;

/// Why nothing is known of a germ.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// All terms that were computed are 0.
    Terms,
    /// Whether a coefficient is 0 was not decided.
    Sign,
    /// An operation that has no expansion in powers there, or none that is computed.
    Operation(String),
    /// The time was up.
    Time,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terms => f.write_str("all terms of an expansion that were computed are 0"),
            Self::Sign => f.write_str("the sign of a coefficient of an expansion was not decided"),
            Self::Operation(name) => write!(f, "{name} has no expansion in powers there"),
            Self::Time => f.write_str("the time was up"),
        }
    }
}

/// What a number that moves tends to.
#[derive(Clone, Debug)]
pub enum Limit {
    /// A number, as a closed graph.
    Finite(Graph),
    /// Infinity, above all numbers or below.
    Infinite(Ordering),
}

/// The first term of a series that is not 0.
#[derive(Clone, Debug)]
pub struct Leading {
    /// How its exponent compares to 0: the map tends to 0 where it is greater.
    pub exponent: Ordering,
    /// The sign of the coefficient, hence of the map beside the point.
    pub sign: Ordering,
}

/// A side of a point on the line of a variable.
#[derive(Clone, Debug)]
pub struct Side {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// Where the side lies: `Greater` for the numbers above the point, `Less` for those below.
    pub towards: Ordering,
}

/// The germs of maps of one variable on a side.
#[derive(Debug)]
pub struct Germs<'b> {
    side: Side,
    budget: &'b Budget,
    terms: usize,
    forms: Normaliser,
    /// Graphs are kept, so that no address is used again.
    done: FxHashMap<usize, (Graph, Result<Germ, Obstacle>)>,
}

impl<'b> Germs<'b> {
    /// None is computed yet.
    #[must_use]
    pub fn new(side: Side, budget: &'b Budget) -> Self {
        Self { side, budget, terms: FEWEST, forms: Normaliser::default(), done: FxHashMap::default() }
    }

    /// The first term of a map that is not 0; none for what is 0 on the whole side.
    ///
    /// # Errors
    /// That neither is known.
    pub fn leading(&mut self, g: &Graph) -> Result<Option<Leading>, Obstacle> {
        if self.forms.fraction(g).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(None);
        }
        if let Some([value, _]) = self.regular(g)
            && let Ok(sign @ (Ordering::Less | Ordering::Greater)) = self.sign(&value)
        {
            return Ok(Some(Leading { exponent: Ordering::Equal, sign }));
        }
        self.with_more_terms(g, |germs, germ| {
            let Some((germ, sign)) = germs.trimmed(germ)? else { return Ok(None) };
            Ok(Some(Leading { exponent: germ.first().cmp(&0), sign }))
        })
    }

    /// What a map tends to at the point: numbers that are the same, by one formula or more.
    ///
    /// # Errors
    /// That it is not known.
    pub fn limits(&mut self, g: &Graph) -> Result<Vec<Limit>, Obstacle> {
        let there = self.regular(g).map(|[value, _]| Limit::Finite(value));
        let expanded = self.with_more_terms(g, Self::limit_of);
        match (there, expanded) {
            (None, Err(obstacle)) => Err(obstacle),
            (there, expanded) => Ok(there.into_iter().chain(expanded.ok()).collect()),
        }
    }

    /// What the derivative of a map tends to at the point.
    ///
    /// # Errors
    /// That it is not known.
    pub fn slope(&mut self, g: &Graph) -> Result<Limit, Obstacle> {
        if let Some([_, slope]) = self.regular(g) {
            return Ok(Limit::Finite(slope));
        }
        let towards = self.side.towards;
        let limit = self.with_more_terms(g, |germs, germ| germs.limit_of(&germ.derivative()))?;
        Ok(match (limit, towards) {
            (Limit::Finite(slope), Ordering::Less) => Limit::Finite(Graph::unary(Unary::Negate, &slope)),
            (Limit::Infinite(sign), Ordering::Less) => Limit::Infinite(sign.reverse()),
            (limit, _) => limit,
        })
    }

    /// The value and the slope at the point itself, of a map that is smooth there: then it tends to them.
    fn regular(&self, g: &Graph) -> Option<[Graph; 2]> {
        let (v, at) = (self.side.variable, Graph::rational(self.side.at.clone()));
        if !g.depends_on(v) {
            return None;
        }
        let slope = Graph::derivative(vec![v], g.clone(), vec![at.clone()], vec![Graph::integer(1)]);
        let evaluation = slope.evaluation().ok()?;
        let is_defined = |tier: Tier| {
            let effort = Effort::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
            evaluation.approximate(tier, &effort).is_ok_and(|found| found.is_defined() && found.is_bounded())
        };
        [Tier::Double, Tier::Mpfr(128)].into_iter().any(is_defined).then(|| [g.substitute(&[(v, at)]), slope])
    }

    /// What is found with as many terms as it takes.
    fn with_more_terms<T>(
        &mut self,
        g: &Graph,
        find: impl Fn(&mut Self, &Germ) -> Result<T, Obstacle>,
    ) -> Result<T, Obstacle> {
        loop {
            let found = self.germ(g).and_then(|germ| find(self, &germ));
            match found {
                Err(Obstacle::Terms) if self.terms < MOST => {
                    self.terms *= 2;
                    self.done.clear();
                }
                found => return found,
            }
        }
    }

    fn limit_of(&mut self, germ: &Germ) -> Result<Limit, Obstacle> {
        for power in germ.first()..0 {
            match self.sign(&germ.coefficient(power).ok_or(Obstacle::Terms)?)? {
                Ordering::Equal => {}
                sign => return Ok(Limit::Infinite(sign)),
            }
        }
        germ.coefficient(0).map(Limit::Finite).ok_or(Obstacle::Terms)
    }

    /// The sign of a coefficient.
    fn sign(&self, c: &Graph) -> Result<Ordering, Obstacle> {
        sign(c, self.budget).map_err(|_| if self.budget.is_exhausted() { Obstacle::Time } else { Obstacle::Sign })
    }

    /// The series from its first term on that is not 0, with the sign of that; none for what is 0.
    fn trimmed(&self, germ: &Germ) -> Result<Option<(Germ, Ordering)>, Obstacle> {
        for (index, c) in germ.coefficients().iter().enumerate() {
            match self.sign(c)? {
                Ordering::Equal => {}
                sign => return Ok(Some((germ.without(index), sign))),
            }
        }
        if germ.is_finite() { Ok(None) } else { Err(Obstacle::Terms) }
    }

    /// The series of a map.
    fn germ(&mut self, g: &Graph) -> Result<Germ, Obstacle> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return done.clone();
        }
        let found = deep(|| self.of(g)).map(|germ| germ.cut(self.terms));
        // a product costs the square of a length
        let cost = found.as_ref().map_or(1, |germ| 1 + germ.coefficients().len().pow(2) as u64);
        if !self.budget.spend(cost) {
            return Err(Obstacle::Time);
        }
        self.done.insert(g.address(), (g.clone(), found.clone()));
        found
    }

    fn of(&mut self, g: &Graph) -> Result<Germ, Obstacle> {
        Ok(match g.operation() {
            Operation::Variable(v) if *v == self.side.variable => {
                let step = if self.side.towards == Ordering::Less { -1 } else { 1 };
                Germ::line(Graph::rational(self.side.at.clone()), Graph::integer(step))
            }
            Operation::Rational(_) | Operation::Pi | Operation::Euler => Germ::constant(g.clone()),
            Operation::Unary(Unary::Negate, a) => self.germ(a)?.times(&Germ::constant(Graph::integer(-1)))?,
            Operation::Unary(Unary::Function(f), a) => {
                let a = self.germ(a)?;
                self.function(*f, &a)?
            }
            Operation::Binary(operation, a, b) => {
                let (x, y) = (self.germ(a)?, self.germ(b)?);
                match operation {
                    Binary::Add => x.plus(&y, 1)?,
                    Binary::Subtract => x.plus(&y, -1)?,
                    Binary::Multiply => x.times(&y)?,
                    Binary::Divide => x.times(&self.inverse(&y)?)?,
                    Binary::Planar(f) => self.planar(*f, &x, &y)?,
                    Binary::Maximum | Binary::Minimum => return Err(unknown("a maximum of two")),
                }
            }
            Operation::Power(a, exponent) => {
                let a = self.germ(a)?;
                self.power(&a, &Rational::from((exponent.numerator, exponent.denominator)))?
            }
            Operation::Derivative(_) => match &without_derivatives(std::slice::from_ref(g))[..] {
                [written] if !written.occurrences().has_derivative() => self.germ(written)?,
                _ => return Err(unknown("a derivative")),
            },
            Operation::Unary(Unary::Abs, _) => return Err(unknown("abs")),
            Operation::Unary(Unary::Signum, _) => return Err(unknown("signum")),
            Operation::Variable(_) => return Err(unknown("another variable")),
            Operation::Primitive(p, _) => return Err(unknown(&p.name)),
            Operation::Second(p, ..) => return Err(unknown(p.functional().name())),
            Operation::Select(..) => return Err(unknown("a choice by a guard")),
        })
    }
}

fn unknown(what: impl fmt::Display) -> Obstacle {
    Obstacle::Operation(what.to_string())
}
