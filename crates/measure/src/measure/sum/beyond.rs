//! Bounds for paths that are not integrated: by moments, and by the range of the function of the values.

use super::{IntegratedPath, PathSum, SumNumber};
use crate::measure::distribution::multiply;
use crate::measure::explore::EndedPath;
use crate::measure::majorant::max_abs_of;
use crate::measure::moment::bound_contribution;
use crate::measure::range::enclose_range;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude};
use crate::smooth::graph::Graph;

/// A path or a tail that is not integrated.
pub(super) struct UnexploredMass {
    /// The path.
    pub ended: EndedPath,
    /// `true` if all scores on the path are shown to be nonnegative.
    pub nonnegative_scores: bool,
    /// `true` if the function of the values is shown to be nonnegative on the path.
    pub nonnegative_value: bool,
}

impl PathSum {
    /// Returns an upper bound on the absolute value of the contribution of such a path to a derivative of a sum.
    /// Returns `None` if there is none.
    fn bound_path(&self, beyond: &UnexploredMass, weighted: bool, of_value: bool, order: u32) -> Option<Magnitude> {
        let EndedPath { path, scores, value, probability_bound: chance } = &beyond.ended;
        let mut factors = if weighted { scores.clone() } else { Vec::new() };
        factors.extend(value.iter().filter(|_| of_value).cloned());
        let by_moments = bound_contribution(path, &factors, self.parameter.as_ref(), order, &self.budget);
        // a range bounds no derivative
        if order > 0 {
            return by_moments;
        }
        let least = |a: Option<Magnitude>, b: Magnitude| Some(a.map_or(b, |a| a.min(b))).filter(|m| m.is_finite());
        let within = path.coordinate_ranges(self.parameter.as_ref());
        let largest = |graph: &Graph| max_abs_of(&enclose_range(graph, &within, &self.budget));
        // three bounds of the weight: the assumed one, the range, and below the moments
        let by_range = || scores.iter().map(largest).fold(Magnitude::ONE, |product, own| product * own);
        let weight = match self.weight_bound {
            _ if !weighted => Magnitude::ONE,
            Some(most) => most.min(by_range()),
            None => by_range(),
        };
        let value = match value.as_ref().filter(|_| of_value) {
            Some(value) => largest(value).min(max_abs_of(&self.mean_range)),
            None => Magnitude::ONE,
        };
        match weight.is_finite() && value.is_finite() {
            true => least(by_moments, weight * value * *chance),
            false => by_moments,
        }
    }

    /// Encloses the function of the values on all paths. Returns `None` if it is unknown on one, or if there is no
    /// function.
    pub(super) fn values_on_paths(&self) -> Option<Enclosure> {
        let ended = self
            .integrated
            .iter()
            .map(|summand| &summand.path)
            .chain(self.unintegrated.iter().map(|beyond| &beyond.ended));
        let ranges = ended.map(|EndedPath { path, value, .. }| {
            let found = enclose_range(value.as_ref()?, &path.coordinate_ranges(self.parameter.as_ref()), &self.budget);
            found.is_defined().then_some(found)
        });
        let ranges: Option<Vec<Enclosure>> = ranges.collect();
        ranges?.into_iter().reduce(|hull, next| hull.hull(&next))
    }

    /// Encloses the contribution of all paths that are not integrated, unexplored ones included, to a derivative of a
    /// sum.
    pub(super) fn enclose_unintegrated(&mut self, weighted: bool, of_value: bool, order: u32) -> SumNumber {
        let context = self.context;
        let mut sum = context.enclose_integer(0);
        for index in 0..self.unintegrated.len() {
            let beyond = &self.unintegrated[index];
            let bound = self.bound_path(beyond, weighted, of_value, order);
            // weights are nonnegative by assumption, so that the sign is that of the values
            let positive = order == 0 && (!of_value || beyond.nonnegative_value || *self.mean_range.lo() >= 0);
            if bound.is_none() {
                self.set_reason(|| {
                    "no bound is proven of what is asked, or of the weights, where the draws lie far out".to_owned()
                });
            }
            let up = self.zero_to_bound(bound);
            let part = match (positive, order) {
                (true, _) => up,
                (false, _) => context.hull(&context.neg(&up), &up),
            };
            // a derivative without a bound need not exist
            let part = if bound.is_none() && order > 0 { context.bottom() } else { part };
            sum = context.add(&sum, &part);
        }
        if self.unexplored_probability.is_zero() {
            return sum;
        }
        if order > 0 {
            self.set_reason(|| "nothing is known of the derivative of what is left".to_owned());
            return context.bottom();
        }
        // without weights the sum is a probability
        let weight = if weighted { self.weight_bound } else { Some(Magnitude::ONE) };
        if weight.is_none() {
            let advice =
                if self.may_have_bounded_weights() { "; --weight-at-most M assumes that M is one" } else { "" };
            self.width_reason = Some(format!("no bound is known of the weights of what is left{advice}"));
        }
        let share = self.zero_to_bound(weight.map(|weight| weight * self.unexplored_probability));
        if of_value && !self.mean_range.is_bounded() {
            self.set_reason(|| "what is asked of the values has no bound on the paths that are left".to_owned());
        }
        let share = match of_value {
            true => self.times_mean_range(&share).unwrap_or_else(|| context.bottom()),
            false => share,
        };
        context.add(&sum, &context.mark_defined(share))
    }

    /// Returns `true` if assuming a bound on weights may help: those on known paths are bounded, and so is the function
    /// of the values.
    fn may_have_bounded_weights(&self) -> bool {
        let is_bounded = |IntegratedPath { path: ended, .. }: &IntegratedPath| {
            let within = ended.path.coordinate_ranges(self.parameter.as_ref());
            let weight = ended.scores.iter().fold(Graph::integer(1), |product, score| multiply(&product, score));
            let found = enclose_range(&weight, &within, &self.budget);
            found.is_defined() && found.is_bounded()
        };
        (!self.has_mean_function || self.mean_range.is_bounded()) && self.integrated.iter().all(is_bounded)
    }

    /// Encloses the function of the values times a weight in `weight`. Returns `None` if neither its range nor its sign
    /// is known.
    pub(super) fn times_mean_range(&self, weight: &SumNumber) -> Option<SumNumber> {
        let context = &self.context;
        let all = || context.mark_defined(context.round_enclosure(&super::half_line()));
        match (self.mean_range.is_bounded(), *self.mean_range.lo() >= 0, *self.mean_range.hi() <= 0) {
            (true, ..) => {
                // the hull with 0 includes paths of any smaller weight
                Some(context.mul(
                    weight,
                    &context.hull(&context.enclose_integer(0), &context.round_enclosure(&self.mean_range)),
                ))
            }
            (_, true, _) => Some(all()),
            (_, _, true) => Some(context.neg(&all())),
            _ => None,
        }
    }

    /// Returns the interval from 0 to a bound, or [0, ∞) without one.
    fn zero_to_bound(&self, bound: Option<Magnitude>) -> SumNumber {
        let context = &self.context;
        match bound.and_then(Magnitude::to_rational) {
            Some(most) => context.hull(&context.enclose_integer(0), &context.enclose_rational(&most)),
            None => context.mark_defined(context.round_enclosure(&super::half_line())),
        }
    }

    /// Returns an upper bound on the probability of all paths that are not integrated.
    pub(super) fn unintegrated_probability(&self) -> Magnitude {
        self.unintegrated
            .iter()
            .fold(self.unexplored_probability, |sum, beyond| sum + beyond.ended.probability_bound)
            .min(Magnitude::ONE)
    }

    /// Intersects a mean with the range of the function.
    pub(super) fn intersect_mean_range(&self, mean: SumNumber) -> SumNumber {
        let asked: &Enclosure = &self.mean_range;
        match self.context.intersect(&mean, &self.context.mark_defined(self.context.round_enclosure(asked))) {
            // an undefined mean stays undefined: the range proves nothing about its existence
            Some(both) if self.context.is_defined(&mean) => self.context.mark_defined(both),
            _ => mean,
        }
    }
}
