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

use super::fraction::RationalNormalForm;
use super::sign::decide_sign;
use crate::number::Magnitude;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::{ComputableReal, Precision};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::reverse::without_derivatives;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
pub use series::Germ;
use std::cmp::Ordering;
use std::fmt;

/// The number of terms per integer power at first …
const FIRST_TERMS: usize = 4;
/// … and at most: two doublings. A choice: the cost of products grows with the square.
const MAX_TERMS: usize = 16;

/// The reason why a germ is unknown.
#[derive(Clone, Debug)]
pub enum GermError {
    /// All computed terms are 0.
    AllTermsZero,
    /// A coefficient was not decided to be 0 or not.
    UndecidedSign,
    /// An operation that has no expansion in powers there, or none that is implemented. Its name.
    NoExpansion(String),
    /// The budget ran out.
    BudgetExhausted,
}

impl fmt::Display for GermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllTermsZero => f.write_str("all terms of an expansion that were computed are 0"),
            Self::UndecidedSign => f.write_str("the sign of a coefficient of an expansion was not decided"),
            Self::NoExpansion(name) => write!(f, "{name} has no expansion in powers there"),
            Self::BudgetExhausted => f.write_str("the time was up"),
        }
    }
}

/// The limit of a map at a point.
#[derive(Clone, Debug)]
pub enum GermLimit {
    /// A number, as a closed graph.
    Finite(Graph),
    /// Infinity: `Greater` for +∞, `Less` for -∞.
    Infinite(Ordering),
}

/// The first nonzero term of a series.
#[derive(Clone, Debug)]
pub struct LeadingTerm {
    /// The sign of the exponent: the map tends to 0 if it is positive, and is unbounded if it is negative.
    pub exponent: Ordering,
    /// The sign of the coefficient, hence of the map next to the point.
    pub sign: Ordering,
}

/// A side of a point on the real line.
#[derive(Clone, Debug)]
pub struct OneSidedPoint {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// The direction: `Greater` for numbers above the point, `Less` for numbers below.
    pub direction: Ordering,
}

/// The germs of maps of one variable on one side of a point.
#[derive(Debug)]
pub struct OneSidedGerms<'b> {
    side: OneSidedPoint,
    budget: &'b Budget,
    terms: usize,
    forms: RationalNormalForm,
    /// Finished series by node address. The graphs are kept alive, so that no address is reused.
    done: FxHashMap<usize, (Graph, Result<Germ, GermError>)>,
}

impl<'b> OneSidedGerms<'b> {
    /// Creates the collection. Nothing is computed yet.
    #[must_use]
    pub fn new(side: OneSidedPoint, budget: &'b Budget) -> Self {
        Self { side, budget, terms: FIRST_TERMS, forms: RationalNormalForm::default(), done: FxHashMap::default() }
    }

    /// Returns the first nonzero term of a map. Returns `None` if the map is 0 on the whole side.
    ///
    /// # Errors
    /// [`GermError`], if neither is decided.
    pub fn leading_term(&mut self, g: &Graph) -> Result<Option<LeadingTerm>, GermError> {
        if self.forms.normal_form(g).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(None);
        }
        // a value at the point that is not 0 needs no expansion
        if let Some([value, _]) = self.value_and_slope(g)
            && let Ok(sign @ (Ordering::Less | Ordering::Greater)) = self.coefficient_sign(&value)
        {
            return Ok(Some(LeadingTerm { exponent: Ordering::Equal, sign }));
        }
        self.with_more_terms(g, |germs, germ| {
            let Some((germ, sign)) = germs.trim_zeros(germ)? else { return Ok(None) };
            Ok(Some(LeadingTerm { exponent: germ.first_power().cmp(&0), sign }))
        })
    }

    /// Returns the limit of a map at the point, by one formula or by two: they are equal numbers.
    ///
    /// # Errors
    /// [`GermError`], if neither formula is known.
    pub fn limit_formulas(&mut self, g: &Graph) -> Result<Vec<GermLimit>, GermError> {
        let there = self.value_and_slope(g).map(|[value, _]| GermLimit::Finite(value));
        let expanded = self.with_more_terms(g, Self::limit_of);
        match (there, expanded) {
            (None, Err(obstacle)) => Err(obstacle),
            (there, expanded) => Ok(there.into_iter().chain(expanded.ok()).collect()),
        }
    }

    /// Returns the limit of the derivative of a map at the point.
    ///
    /// # Errors
    /// [`GermError`], if it is unknown.
    pub fn limit_of_slope(&mut self, g: &Graph) -> Result<GermLimit, GermError> {
        if let Some([_, slope]) = self.value_and_slope(g) {
            return Ok(GermLimit::Finite(slope));
        }
        let towards = self.side.direction;
        let limit = self.with_more_terms(g, |germs, germ| germs.limit_of(&germ.derivative()))?;
        // the series is in t, and x = u - t on the left: the slope changes its sign
        Ok(match (limit, towards) {
            (GermLimit::Finite(slope), Ordering::Less) => GermLimit::Finite(Graph::unary(Unary::Negate, &slope)),
            (GermLimit::Infinite(sign), Ordering::Less) => GermLimit::Infinite(sign.reverse()),
            (limit, _) => limit,
        })
    }

    /// Returns value and slope at the point itself, if both are certainly defined and bounded there. At a kink the slope is
    /// Clarke's set.
    fn value_and_slope(&self, g: &Graph) -> Option<[Graph; 2]> {
        let (v, at) = (self.side.variable, Graph::rational(self.side.at.clone()));
        if !g.depends_on(v) {
            return None;
        }
        let slope = Graph::derivative(vec![v], g.clone(), vec![at.clone()], vec![Graph::integer(1)]);
        let evaluation = slope.compile_evaluation().ok()?;
        let is_defined = |tier: Precision| {
            let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
            evaluation.enclose_in_pass(tier, &effort).is_ok_and(|found| found.is_defined() && found.is_bounded())
        };
        // two precisions: doubles are enough for most maps
        [Precision::Double, Precision::Mpfr(128)].into_iter().any(is_defined).then(|| [g.substitute(&[(v, at)]), slope])
    }

    /// Runs `find` on the series of `g`, with twice as many terms whenever those computed are all 0.
    fn with_more_terms<T>(
        &mut self,
        g: &Graph,
        find: impl Fn(&mut Self, &Germ) -> Result<T, GermError>,
    ) -> Result<T, GermError> {
        loop {
            let found = self.expand_graph(g).and_then(|germ| find(self, &germ));
            match found {
                Err(GermError::AllTermsZero) if self.terms < MAX_TERMS => {
                    self.terms *= 2;
                    self.done.clear();
                }
                found => return found,
            }
        }
    }

    fn limit_of(&mut self, germ: &Germ) -> Result<GermLimit, GermError> {
        for power in germ.first_power()..0 {
            match self.coefficient_sign(&germ.coefficient(power).ok_or(GermError::AllTermsZero)?)? {
                Ordering::Equal => {}
                sign => return Ok(GermLimit::Infinite(sign)),
            }
        }
        germ.coefficient(0).map(GermLimit::Finite).ok_or(GermError::AllTermsZero)
    }

    /// Returns the sign of a coefficient.
    fn coefficient_sign(&self, c: &Graph) -> Result<Ordering, GermError> {
        decide_sign(c, self.budget)
            .map_err(|_| if self.budget.is_exhausted() { GermError::BudgetExhausted } else { GermError::UndecidedSign })
    }

    /// Drops the leading zeros of a series, and returns the sign of the first coefficient. Returns `None` for 0.
    fn trim_zeros(&self, germ: &Germ) -> Result<Option<(Germ, Ordering)>, GermError> {
        for (index, c) in germ.coefficients().iter().enumerate() {
            match self.coefficient_sign(c)? {
                Ordering::Equal => {}
                sign => return Ok(Some((germ.drop_leading(index), sign))),
            }
        }
        if germ.is_finite() { Ok(None) } else { Err(GermError::AllTermsZero) }
    }

    /// Returns the series of a map, and charges the budget for it.
    fn expand_graph(&mut self, g: &Graph) -> Result<Germ, GermError> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return done.clone();
        }
        let found = with_stack(|| self.expand_node(g)).map(|germ| germ.truncate_terms(self.terms));
        // a product costs the square of a length
        let cost = found.as_ref().map_or(1, |germ| 1 + germ.coefficients().len().pow(2) as u64);
        if !self.budget.spend(cost) {
            return Err(GermError::BudgetExhausted);
        }
        self.done.insert(g.address(), (g.clone(), found.clone()));
        found
    }

    fn expand_node(&mut self, g: &Graph) -> Result<Germ, GermError> {
        Ok(match g.operation() {
            NodeOperation::Variable(v) if *v == self.side.variable => {
                let step = if self.side.direction == Ordering::Less { -1 } else { 1 };
                Germ::affine_germ(Graph::rational(self.side.at.clone()), Graph::integer(step))
            }
            NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => Germ::constant(g.clone()),
            NodeOperation::Unary(Unary::Negate, a) => {
                self.expand_graph(a)?.times(&Germ::constant(Graph::integer(-1)))?
            }
            NodeOperation::Unary(Unary::Function(f), a) => {
                let a = self.expand_graph(a)?;
                self.apply_function(*f, &a)?
            }
            NodeOperation::Binary(operation, a, b) => {
                let (x, y) = (self.expand_graph(a)?, self.expand_graph(b)?);
                match operation {
                    Binary::Add => x.add_signed(&y, 1)?,
                    Binary::Subtract => x.add_signed(&y, -1)?,
                    Binary::Multiply => x.times(&y)?,
                    Binary::Divide => x.times(&self.invert_series(&y)?)?,
                    Binary::Planar(f) => self.apply_binary(*f, &x, &y)?,
                    Binary::Maximum | Binary::Minimum => return Err(no_expansion("a maximum of two")),
                }
            }
            NodeOperation::Power(a, exponent) => {
                let a = self.expand_graph(a)?;
                self.power_of_series(&a, &Rational::from((exponent.numerator, exponent.denominator)))?
            }
            NodeOperation::Derivative(_) => match &without_derivatives(std::slice::from_ref(g))[..] {
                [written] if !written.occurrences().has_derivative() => self.expand_graph(written)?,
                _ => return Err(no_expansion("a derivative")),
            },
            NodeOperation::Unary(Unary::Abs, _) => return Err(no_expansion("abs")),
            NodeOperation::Unary(Unary::Signum, _) => return Err(no_expansion("signum")),
            NodeOperation::Variable(_) => return Err(no_expansion("another variable")),
            NodeOperation::Primitive(p, _) => return Err(no_expansion(&p.name)),
            NodeOperation::Second(p, ..) => return Err(no_expansion(p.functional().name())),
            NodeOperation::Select(..) => return Err(no_expansion("a choice by a guard")),
        })
    }
}

fn no_expansion(what: impl fmt::Display) -> GermError {
    GermError::NoExpansion(what.to_string())
}
