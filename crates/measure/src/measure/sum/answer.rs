//! Answers from sums: normalising constants, and quotients of sums by them.

use super::{FINER, Num, ROUNDS, Sum, Total};
use crate::measure::evidence::{finer, is_enough};
use crate::measure::range::{half_line, number};
use crate::measure::{Answer, Fault, Question};
use crate::number::context::Context;
use crate::number::{Accuracy, Enclosure, Magnitude, Rational};

/// The greatest number of refinements of a normalising constant. A choice.
const ROUNDS_OF_MASS: u32 = 16;

impl Sum {
    /// Encloses the normalising constant, or a derivative of it: first to the width of the question, then refined until
    /// `accuracy` is met.
    ///
    /// # Errors
    /// [`Fault::NegativeScore`] if the integral of the weights over a path is negative.
    pub fn mass(mut self, question: &Question, accuracy: &Accuracy) -> Result<Answer, Fault> {
        self.rest = self.at_most_the_rest(&question.eps);
        let mut eps = question.eps.clone();
        let order = self.order();
        let terms = self.terms(true, false, order);
        let beyond = self.beyond(true, false, order);
        let mut best = self.context.bottom();
        for _ in 0..ROUNDS_OF_MASS {
            let half = Rational::from(&eps / 2);
            let known = self.total(&terms, &half, if order == 0 { Total::Mass } else { Total::Derivative }, 1);
            if self.negative {
                return Err(Fault::NegativeScore);
            }
            let mut sum = self.context.add(&known, &beyond);
            // weights between 0 and their bound have an integral between 0 and that bound
            if order == 0
                && self.most.is_some()
                && let Some(both) = self.share(Magnitude::ONE).and_then(|all| self.context.intersect(&sum, &all))
            {
                sum = self.context.assert_defined(both);
            }
            // an undefined result after a defined one: more refinement finds nothing
            if !self.context.is_defined(&sum) && self.context.is_defined(&best) {
                break;
            }
            let both = self.context.intersect(&sum, &best).filter(|_| self.context.is_defined(&sum));
            best = both.map_or(sum, |both| self.context.assert_defined(both));
            let found = self.context.to_enclosure(&best);
            // a width beyond the tolerance comes from unexplored paths, which integrals cannot narrow
            if is_enough(accuracy, &found) || !found.is_within(&eps) || self.budget.is_exhausted() {
                break;
            }
            eps = finer(accuracy, &found, &eps);
        }
        Ok(self.answer(&best))
    }

    /// Encloses the mean of the function of the values, or a derivative of it.
    ///
    /// # Errors
    /// [`Fault::NoMass`] if the normalising constant is 0, [`Fault::NegativeScore`] if the integral of the weights over
    /// a path is negative.
    pub fn mean(mut self, question: &Question, accuracy: &Accuracy) -> Result<Answer, Fault> {
        self.rest = self.at_most_the_rest(&question.eps);
        let order = self.order();
        let [masses, sums] = [false, true].map(|of| (0..=order).map(|k| self.terms(true, of, k)).collect::<Vec<_>>());
        // an eighth: numerator, denominator and quotient share the tolerance
        let eps_asked = Rational::from(&question.eps / 8);
        let (mut eps, mut least) = (eps_asked.clone(), half_line().hi().clone());
        let mut best = self.context.bottom();
        let mut unknown_mass = None;
        let beyond = |of| (0..=order).map(|k| self.beyond(true, of, k)).collect::<Vec<_>>();
        let [beyond_masses, beyond_sums] = [false, true].map(beyond);
        for round in 0.. {
            let mut coefficients: Vec<[Num; 2]> = Vec::new();
            let mut factorial = 1u64;
            for k in 0..=order {
                factorial = factorial.saturating_mul(u64::from(k.max(1)));
                let [mass, value] = if k == 0 { [Total::Mass, Total::Sum] } else { [Total::Derivative; 2] };
                // each sum gets an equal part of the time that remains for those after it
                let known = self.total(&masses[k as usize], &eps, mass, 2 * (order + 1 - k));
                let mass = self.context.add(&known, &beyond_masses[k as usize]);
                let known = self.total(&sums[k as usize], &eps, value, 2 * (order + 1 - k) - 1);
                let sum = self.context.add(&known, &beyond_sums[k as usize]);
                // Taylor coefficients of numerator and denominator, for the quotient of power series
                coefficients.push([sum, mass].map(|c| self.context.divide(&c, factorial)));
            }
            if self.negative {
                return Err(Fault::NegativeScore);
            }
            // with an unproved assumption on scores, 0 need not be the normalising constant
            let mass = self.context.to_enclosure(&coefficients[0][1]);
            if mass.is_defined() && *mass.hi() <= 0 && !self.unproved {
                return Err(Fault::NoMass);
            }
            if *mass.lo() <= 0 {
                unknown_mass = Some("the mass is not shown to be positive");
            } else {
                unknown_mass = None;
            }
            // only the wrong rule of a mutant leaves the mean unnormalised
            if !self.hooks.divides_by_the_mass() {
                coefficients
                    .iter_mut()
                    .enumerate()
                    .for_each(|(k, [_, mass])| *mass = self.context.integer(i64::from(k == 0)));
            }
            best = self.quotient(&coefficients, factorial);
            if order == 0 {
                best = self.within_asked(best);
            }
            let found = self.context.to_enclosure(&best);
            // further rounds cannot help: the quotient is unbounded although its denominator is positive, or it is
            // narrow enough
            let is_found = found.is_within(&question.eps) || is_enough(accuracy, &found);
            if !found.is_bounded() && *mass.lo() > 0 || is_found || self.budget.is_exhausted() {
                break;
            }
            // for a small normalising constant, the numerator and the denominator need a smaller width
            let scale = mass.hi().to_rational().filter(|most| *most > 0 && *most < 1);
            eps = (eps >> FINER).min(scale.map_or_else(|| eps_asked.clone(), |most| most * &eps_asked));
            // a constant that no longer falls is known well enough: other causes keep the quotient wide
            if round >= ROUNDS && mass.hi() >= &least {
                break;
            }
            least = mass.hi().clone();
        }
        if let Some(why) = unknown_mass {
            self.explain(|| why.to_owned());
        }
        Ok(self.answer(&best))
    }

    /// Returns the last Taylor coefficient of a quotient of power series, times `factorial`.
    fn quotient(&self, coefficients: &[[Num; 2]], factorial: u64) -> Num {
        let context = &self.context;
        let mut found: Vec<Num> = Vec::new();
        // eₖ = (sₖ - Σ eⱼ mₖ₋ⱼ)/m₀
        for k in 0..coefficients.len() {
            let mut rest = coefficients[k][0].clone();
            for (j, e) in found.iter().enumerate() {
                rest = context.sub(&rest, &context.mul(e, &coefficients[k - j][1]));
            }
            found.push(context.div(&rest, &coefficients[0][1]));
        }
        let last = found.pop().unwrap_or_else(|| context.bottom());
        context.scale(&last, factorial as i64)
    }

    /// Makes the answer from an enclosure of the number.
    fn answer(self, found: &Num) -> Answer {
        // with a meaning on one side only there is no derivative
        let enclosure = match self.context.is_defined(found) && !self.one_sided {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        };
        let rest = match self.chance_beyond().to_rational() {
            Some(most) => number(&Rational::new()).hull(&number(&most)),
            None => half_line(),
        };
        let paths = self.leaves.len();
        Answer {
            enclosure,
            paths,
            open: self.open,
            rest,
            assumed: self.assumed,
            unproved: self.unproved,
            why: self.why,
        }
    }
}
