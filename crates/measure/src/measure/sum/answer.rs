//! Answers from sums: normalising constants, and quotients of sums by them.

use super::{MAX_STALLED_ROUNDS, PathSum, REFINEMENT_BITS, SumKind, SumNumber};
use crate::measure::evidence::{meets_accuracy, next_width};
use crate::measure::range::{enclose_rational, half_line};
use crate::measure::{MeasureAnswer, MeasureError, MeasureQuestion};
use crate::number::context::Context;
use crate::number::{Accuracy, Enclosure, Magnitude, Rational};

/// The greatest number of refinements of a normalising constant. A choice.
const MAX_CONSTANT_ROUNDS: u32 = 16;

impl PathSum {
    /// Encloses the normalising constant, or a derivative of it: first to the width of the question, then refined until
    /// `accuracy` is met.
    ///
    /// # Errors
    /// [`MeasureError::NegativeScore`] if the integral of the weights over a path is negative.
    pub fn normalising_constant(
        mut self,
        question: &MeasureQuestion,
        accuracy: &Accuracy,
    ) -> Result<MeasureAnswer, MeasureError> {
        self.unexplored_probability = self.bound_unexplored(&question.eps);
        let mut eps = question.eps.clone();
        let order = self.derivative_order();
        let terms = self.path_terms(true, false, order);
        let beyond = self.enclose_unintegrated(true, false, order);
        let mut best = self.context.bottom();
        for _ in 0..MAX_CONSTANT_ROUNDS {
            let half = Rational::from(&eps / 2);
            let known = self.sum_terms(
                &terms,
                &half,
                if order == 0 { SumKind::NormalisingConstant } else { SumKind::Derivative },
                1,
            );
            if self.has_negative_score {
                return Err(MeasureError::NegativeScore);
            }
            let mut sum = self.context.add(&known, &beyond);
            // weights between 0 and their bound have an integral between 0 and that bound
            if order == 0
                && self.weight_bound.is_some()
                && let Some(both) = self.weight_share(Magnitude::ONE).and_then(|all| self.context.intersect(&sum, &all))
            {
                sum = self.context.mark_defined(both);
            }
            // an undefined result after a defined one: more refinement finds nothing
            if !self.context.is_defined(&sum) && self.context.is_defined(&best) {
                break;
            }
            let both = self.context.intersect(&sum, &best).filter(|_| self.context.is_defined(&sum));
            best = both.map_or(sum, |both| self.context.mark_defined(both));
            let found = self.context.to_enclosure(&best);
            // a width beyond the tolerance comes from unexplored paths, which integrals cannot narrow
            if meets_accuracy(accuracy, &found) || !found.has_width_at_most(&eps) || self.budget.is_exhausted() {
                break;
            }
            eps = next_width(accuracy, &found, &eps);
        }
        Ok(self.into_answer(&best))
    }

    /// Encloses the mean of the function of the values, or a derivative of it.
    ///
    /// # Errors
    /// [`MeasureError::ZeroNormalisingConstant`] if the normalising constant is 0, [`MeasureError::NegativeScore`] if the integral of the weights over
    /// a path is negative.
    pub fn normalised_mean(
        mut self,
        question: &MeasureQuestion,
        accuracy: &Accuracy,
    ) -> Result<MeasureAnswer, MeasureError> {
        self.unexplored_probability = self.bound_unexplored(&question.eps);
        let order = self.derivative_order();
        let [masses, sums] =
            [false, true].map(|of| (0..=order).map(|k| self.path_terms(true, of, k)).collect::<Vec<_>>());
        // an eighth: numerator, denominator and quotient share the tolerance
        let eps_asked = Rational::from(&question.eps / 8);
        let (mut eps, mut least) = (eps_asked.clone(), half_line().hi().clone());
        let mut best = self.context.bottom();
        let mut unknown_mass = None;
        let beyond = |of| (0..=order).map(|k| self.enclose_unintegrated(true, of, k)).collect::<Vec<_>>();
        let [beyond_masses, beyond_sums] = [false, true].map(beyond);
        for round in 0.. {
            let mut coefficients: Vec<[SumNumber; 2]> = Vec::new();
            let mut factorial = 1u64;
            for k in 0..=order {
                factorial = factorial.saturating_mul(u64::from(k.max(1)));
                let [mass, value] = if k == 0 {
                    [SumKind::NormalisingConstant, SumKind::WeightedMean]
                } else {
                    [SumKind::Derivative; 2]
                };
                // each sum gets an equal part of the time that remains for those after it
                let known = self.sum_terms(&masses[k as usize], &eps, mass, 2 * (order + 1 - k));
                let mass = self.context.add(&known, &beyond_masses[k as usize]);
                let known = self.sum_terms(&sums[k as usize], &eps, value, 2 * (order + 1 - k) - 1);
                let sum = self.context.add(&known, &beyond_sums[k as usize]);
                // Taylor coefficients of numerator and denominator, for the quotient of power series
                coefficients.push([sum, mass].map(|c| self.context.div_integer(&c, factorial)));
            }
            if self.has_negative_score {
                return Err(MeasureError::NegativeScore);
            }
            // with an unproved assumption on scores, 0 need not be the normalising constant
            let mass = self.context.to_enclosure(&coefficients[0][1]);
            if mass.is_defined() && *mass.hi() <= 0 && !self.has_unproved_assumption {
                return Err(MeasureError::ZeroNormalisingConstant);
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
                    .for_each(|(k, [_, mass])| *mass = self.context.enclose_integer(i64::from(k == 0)));
            }
            best = self.quotient_coefficient(&coefficients, factorial);
            if order == 0 {
                best = self.intersect_mean_range(best);
            }
            let found = self.context.to_enclosure(&best);
            // further rounds cannot help: the quotient is unbounded although its denominator is positive, or it is
            // narrow enough
            let is_found = found.has_width_at_most(&question.eps) || meets_accuracy(accuracy, &found);
            if !found.is_bounded() && *mass.lo() > 0 || is_found || self.budget.is_exhausted() {
                break;
            }
            // for a small normalising constant, the numerator and the denominator need a smaller width
            let scale = mass.hi().to_rational().filter(|most| *most > 0 && *most < 1);
            eps = (eps >> REFINEMENT_BITS).min(scale.map_or_else(|| eps_asked.clone(), |most| most * &eps_asked));
            // a constant that no longer falls is known well enough: other causes keep the quotient wide
            if round >= MAX_STALLED_ROUNDS && mass.hi() >= &least {
                break;
            }
            least = mass.hi().clone();
        }
        if let Some(why) = unknown_mass {
            self.set_reason(|| why.to_owned());
        }
        Ok(self.into_answer(&best))
    }

    /// Returns the last Taylor coefficient of a quotient of power series, times `factorial`.
    fn quotient_coefficient(&self, coefficients: &[[SumNumber; 2]], factorial: u64) -> SumNumber {
        let context = &self.context;
        let mut found: Vec<SumNumber> = Vec::new();
        // eₖ = (sₖ - Σ eⱼ mₖ₋ⱼ)/m₀
        for k in 0..coefficients.len() {
            let mut rest = coefficients[k][0].clone();
            for (j, e) in found.iter().enumerate() {
                rest = context.sub(&rest, &context.mul(e, &coefficients[k - j][1]));
            }
            found.push(context.div(&rest, &coefficients[0][1]));
        }
        let last = found.pop().unwrap_or_else(|| context.bottom());
        context.mul_integer(&last, factorial as i64)
    }

    /// Makes the answer from an enclosure of the number.
    fn into_answer(self, found: &SumNumber) -> MeasureAnswer {
        // with a meaning on one side only there is no derivative
        let enclosure = match self.context.is_defined(found) && !self.one_sided {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        };
        let rest = match self.unintegrated_probability().to_rational() {
            Some(most) => enclose_rational(&Rational::new()).hull(&enclose_rational(&most)),
            None => half_line(),
        };
        let paths = self.integrated.len();
        MeasureAnswer {
            enclosure,
            paths,
            open_paths: self.open_paths,
            unexplored_probability: rest,
            assumptions: self.assumptions,
            has_unproved_assumption: self.has_unproved_assumption,
            width_reason: self.width_reason,
        }
    }
}
