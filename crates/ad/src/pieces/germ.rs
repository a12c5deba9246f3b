//! Germs of analytic maps on one side of a point, as expansions in fractional powers.
//!
//! A map made of analytic functions, quotients and roots that is analytic on an interval next to u is the sum of a
//! convergent series there (Puiseux)
//!
//! `f(u ± t) = c₀·t^(e/m) + c₁·t^((e+1)/m) + c₂·t^((e+2)/m) + …`, for small t > 0,
//!
//! unless the argument of a logarithm or an exponential function tends to infinity there. The first nonzero term
//! decides the sign of f next to the point. It also decides the limits of f, and of f′, whose series is that of f
//! differentiated term by term.
//!
//! For a map that is smooth at the point itself, value and slope there are enough. The coefficients are closed graphs.
//! One is 0 only if that is [decided](super::sign): a series whose computed terms are all 0 is not taken for 0.
//!
//! | module | contents |
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

/// The number of terms per integer power at first …
const FEWEST: usize = 4;
/// … and at most: two doublings. A choice: the cost of products grows with the square.
const MOST: usize = 16;

/// The reason why a germ is unknown.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// All computed terms are 0.
    Terms,
    /// A coefficient was not decided to be 0 or not.
    Sign,
    /// An operation that has no expansion in powers there, or none that is implemented. Its name.
    Operation(String),
    /// The budget ran out.
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

/// The limit of a map at a point.
#[derive(Clone, Debug)]
pub enum Limit {
    /// A number, as a closed graph.
    Finite(Graph),
    /// Infinity: `Greater` for +∞, `Less` for -∞.
    Infinite(Ordering),
}

/// The first nonzero term of a series.
#[derive(Clone, Debug)]
pub struct Leading {
    /// The sign of the exponent: the map tends to 0 if it is positive, and is unbounded if it is negative.
    pub exponent: Ordering,
    /// The sign of the coefficient, hence of the map next to the point.
    pub sign: Ordering,
}

/// A side of a point on the real line.
#[derive(Clone, Debug)]
pub struct Side {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// The direction: `Greater` for numbers above the point, `Less` for numbers below.
    pub towards: Ordering,
}

/// The germs of maps of one variable on one side of a point.
#[derive(Debug)]
pub struct Germs<'b> {
    side: Side,
    budget: &'b Budget,
    terms: usize,
    forms: Normaliser,
    /// Finished series by node address. The graphs are kept alive, so that no address is reused.
    done: FxHashMap<usize, (Graph, Result<Germ, Obstacle>)>,
}

impl<'b> Germs<'b> {
    /// Creates the collection. Nothing is computed yet.
    #[must_use]
    pub fn new(side: Side, budget: &'b Budget) -> Self {
        Self { side, budget, terms: FEWEST, forms: Normaliser::default(), done: FxHashMap::default() }
    }

    /// Returns the first nonzero term of a map. Returns `None` if the map is 0 on the whole side.
    ///
    /// # Errors
    /// [`Obstacle`], if neither is decided.
    pub fn leading(&mut self, g: &Graph) -> Result<Option<Leading>, Obstacle> {
        if self.forms.fraction(g).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(None);
        }
        // a value at the point that is not 0 needs no expansion
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

    /// Returns the limit of a map at the point, by one formula or by two: they are equal numbers.
    ///
    /// # Errors
    /// [`Obstacle`], if neither formula is known.
    pub fn limits(&mut self, g: &Graph) -> Result<Vec<Limit>, Obstacle> {
        let there = self.regular(g).map(|[value, _]| Limit::Finite(value));
        let expanded = self.with_more_terms(g, Self::limit_of);
        match (there, expanded) {
            (None, Err(obstacle)) => Err(obstacle),
            (there, expanded) => Ok(there.into_iter().chain(expanded.ok()).collect()),
        }
    }

    /// Returns the limit of the derivative of a map at the point.
    ///
    /// # Errors
    /// [`Obstacle`], if it is unknown.
    pub fn slope(&mut self, g: &Graph) -> Result<Limit, Obstacle> {
        if let Some([_, slope]) = self.regular(g) {
            return Ok(Limit::Finite(slope));
        }
        let towards = self.side.towards;
        let limit = self.with_more_terms(g, |germs, germ| germs.limit_of(&germ.derivative()))?;
        // the series is in t, and x = u - t on the left: the slope changes its sign
        Ok(match (limit, towards) {
            (Limit::Finite(slope), Ordering::Less) => Limit::Finite(Graph::unary(Unary::Negate, &slope)),
            (Limit::Infinite(sign), Ordering::Less) => Limit::Infinite(sign.reverse()),
            (limit, _) => limit,
        })
    }

    /// Returns value and slope at the point itself, if both are certainly defined and bounded there. At a kink the slope is
    /// Clarke's set.
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
        // two precisions: doubles are enough for most maps
        [Tier::Double, Tier::Mpfr(128)].into_iter().any(is_defined).then(|| [g.substitute(&[(v, at)]), slope])
    }

    /// Runs `find` on the series of `g`, with twice as many terms whenever those computed are all 0.
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

    /// Returns the sign of a coefficient.
    fn sign(&self, c: &Graph) -> Result<Ordering, Obstacle> {
        sign(c, self.budget).map_err(|_| if self.budget.is_exhausted() { Obstacle::Time } else { Obstacle::Sign })
    }

    /// Drops the leading zeros of a series, and returns the sign of the first coefficient. Returns `None` for 0.
    fn trimmed(&self, germ: &Germ) -> Result<Option<(Germ, Ordering)>, Obstacle> {
        for (index, c) in germ.coefficients().iter().enumerate() {
            match self.sign(c)? {
                Ordering::Equal => {}
                sign => return Ok(Some((germ.without(index), sign))),
            }
        }
        if germ.is_finite() { Ok(None) } else { Err(Obstacle::Terms) }
    }

    /// Returns the series of a map, and charges the budget for it.
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
