//! Bounds for paths that are not integrated: by moments, and by the range of the function of the values.

use super::{Num, Sum, Summand};
use crate::measure::distribution::multiply;
use crate::measure::explore::Ended;
use crate::measure::majorant::magnitude;
use crate::measure::moment::bound;
use crate::measure::range::range;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude};
use crate::smooth::graph::Graph;

/// A path or a tail that is not integrated.
pub(super) struct Beyond {
    /// The path.
    pub ended: Ended,
    /// `true` if all scores on the path are shown to be nonnegative.
    pub scores: bool,
    /// `true` if the function of the values is shown to be nonnegative on the path.
    pub positive: bool,
}

impl Sum {
    /// Returns an upper bound on the absolute value of the contribution of such a path to a derivative of a sum.
    /// Returns `None` if there is none.
    fn bound(&self, beyond: &Beyond, weighted: bool, of_value: bool, order: u32) -> Option<Magnitude> {
        let Ended { path, scores, value, chance } = &beyond.ended;
        let mut factors = if weighted { scores.clone() } else { Vec::new() };
        factors.extend(value.iter().filter(|_| of_value).cloned());
        let by_moments = bound(path, &factors, self.parameter.as_ref(), order, &self.budget);
        // a range bounds no derivative
        if order > 0 {
            return by_moments;
        }
        let least = |a: Option<Magnitude>, b: Magnitude| Some(a.map_or(b, |a| a.min(b))).filter(|m| m.is_finite());
        let within = path.within(self.parameter.as_ref());
        let largest = |graph: &Graph| magnitude(&range(graph, &within, &self.budget));
        // three bounds of the weight: the assumed one, the range, and below the moments
        let by_range = || scores.iter().map(largest).fold(Magnitude::ONE, |product, own| product * own);
        let weight = match self.most {
            _ if !weighted => Magnitude::ONE,
            Some(most) => most.min(by_range()),
            None => by_range(),
        };
        let value = match value.as_ref().filter(|_| of_value) {
            Some(value) => largest(value).min(magnitude(&self.asked)),
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
        let ended =
            self.leaves.iter().map(|summand| &summand.ended).chain(self.beyond.iter().map(|beyond| &beyond.ended));
        let ranges = ended.map(|Ended { path, value, .. }| {
            let found = range(value.as_ref()?, &path.within(self.parameter.as_ref()), &self.budget);
            found.is_defined().then_some(found)
        });
        let ranges: Option<Vec<Enclosure>> = ranges.collect();
        ranges?.into_iter().reduce(|hull, next| hull.hull(&next))
    }

    /// Encloses the contribution of all paths that are not integrated, unexplored ones included, to a derivative of a
    /// sum.
    pub(super) fn beyond(&mut self, weighted: bool, of_value: bool, order: u32) -> Num {
        let context = self.context;
        let mut sum = context.integer(0);
        for index in 0..self.beyond.len() {
            let beyond = &self.beyond[index];
            let bound = self.bound(beyond, weighted, of_value, order);
            // weights are nonnegative by assumption, so that the sign is that of the values
            let positive = order == 0 && (!of_value || beyond.positive || *self.asked.lo() >= 0);
            if bound.is_none() {
                self.explain(|| {
                    "no bound is proven of what is asked, or of the weights, where the draws lie far out".to_owned()
                });
            }
            let up = self.half(bound);
            let part = match (positive, order) {
                (true, _) => up,
                (false, _) => context.hull(&context.neg(&up), &up),
            };
            // a derivative without a bound need not exist
            let part = if bound.is_none() && order > 0 { context.bottom() } else { part };
            sum = context.add(&sum, &part);
        }
        if self.rest.is_zero() {
            return sum;
        }
        if order > 0 {
            self.explain(|| "nothing is known of the derivative of what is left".to_owned());
            return context.bottom();
        }
        // without weights the sum is a probability
        let weight = if weighted { self.most } else { Some(Magnitude::ONE) };
        if weight.is_none() {
            let advice =
                if self.may_have_bounded_weights() { "; --weight-at-most M assumes that M is one" } else { "" };
            self.why = Some(format!("no bound is known of the weights of what is left{advice}"));
        }
        let share = self.half(weight.map(|weight| weight * self.rest));
        if of_value && !self.asked.is_bounded() {
            self.explain(|| "what is asked of the values has no bound on the paths that are left".to_owned());
        }
        let share = match of_value {
            true => self.valued(&share).unwrap_or_else(|| context.bottom()),
            false => share,
        };
        context.add(&sum, &context.assert_defined(share))
    }

    /// Returns `true` if assuming a bound on weights may help: those on known paths are bounded, and so is the function
    /// of the values.
    fn may_have_bounded_weights(&self) -> bool {
        let is_bounded = |Summand { ended, .. }: &Summand| {
            let within = ended.path.within(self.parameter.as_ref());
            let weight = ended.scores.iter().fold(Graph::integer(1), |product, score| multiply(&product, score));
            let found = range(&weight, &within, &self.budget);
            found.is_defined() && found.is_bounded()
        };
        (!self.asks_values || self.asked.is_bounded()) && self.leaves.iter().all(is_bounded)
    }

    /// Encloses the function of the values times a weight in `weight`. Returns `None` if neither its range nor its sign
    /// is known.
    pub(super) fn valued(&self, weight: &Num) -> Option<Num> {
        let context = &self.context;
        let all = || context.assert_defined(context.enclosure(&super::half_line()));
        match (self.asked.is_bounded(), *self.asked.lo() >= 0, *self.asked.hi() <= 0) {
            (true, ..) => {
                // the hull with 0 includes paths of any smaller weight
                Some(context.mul(weight, &context.hull(&context.integer(0), &context.enclosure(&self.asked))))
            }
            (_, true, _) => Some(all()),
            (_, _, true) => Some(context.neg(&all())),
            _ => None,
        }
    }

    /// Returns the interval from 0 to a bound, or [0, ∞) without one.
    fn half(&self, bound: Option<Magnitude>) -> Num {
        let context = &self.context;
        match bound.and_then(Magnitude::to_rational) {
            Some(most) => context.hull(&context.integer(0), &context.rational(&most)),
            None => context.assert_defined(context.enclosure(&super::half_line())),
        }
    }

    /// Returns an upper bound on the probability of all paths that are not integrated.
    pub(super) fn chance_beyond(&self) -> Magnitude {
        self.beyond.iter().fold(self.rest, |sum, beyond| sum + beyond.ended.chance).min(Magnitude::ONE)
    }

    /// Intersects a mean with the range of the function.
    pub(super) fn within_asked(&self, mean: Num) -> Num {
        let asked: &Enclosure = &self.asked;
        match self.context.intersect(&mean, &self.context.assert_defined(self.context.enclosure(asked))) {
            // an undefined mean stays undefined: the range proves nothing about its existence
            Some(both) if self.context.is_defined(&mean) => self.context.assert_defined(both),
            _ => mean,
        }
    }
}
