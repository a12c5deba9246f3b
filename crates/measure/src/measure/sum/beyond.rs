//! What is known of paths that are not integrated: bounds by moments, and what the values of a function are at most.

use super::{Num, Sum, Summand};
use crate::measure::distribution::multiply;
use crate::measure::explore::Ended;
use crate::measure::majorant::magnitude;
use crate::measure::moment::bound;
use crate::measure::range::range;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude};
use crate::smooth::graph::Graph;

/// A path, or a tail of paths, that is not integrated.
pub(super) struct Beyond {
    pub ended: Ended,
    /// Whether no score on it is shown to be negative anywhere.
    pub scores: bool,
    /// Whether what is asked of the value is nowhere negative.
    pub positive: bool,
}

impl Sum {
    /// At least the absolute value of what such a path contributes to a derivative of a sum.
    fn bound(&self, beyond: &Beyond, weighted: bool, of_value: bool, order: u32) -> Option<Magnitude> {
        let Ended { path, scores, value, chance } = &beyond.ended;
        let mut factors = if weighted { scores.clone() } else { Vec::new() };
        factors.extend(value.iter().filter(|_| of_value).cloned());
        let by_moments = bound(path, &factors, self.parameter.as_ref(), order, &self.budget);
        if order > 0 {
            return by_moments;
        }
        let least = |a: Option<Magnitude>, b: Magnitude| Some(a.map_or(b, |a| a.min(b))).filter(|m| m.is_finite());
        let within = path.within(self.parameter.as_ref());
        let largest = |graph: &Graph| magnitude(&range(graph, &within, &self.budget));
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

    /// Where what is asked of the values lies on all paths; `None` where it is not known of one, or nothing is asked.
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

    /// What all such paths contribute to a derivative of a sum, those of which nothing but the chance is known included.
    pub(super) fn beyond(&mut self, weighted: bool, of_value: bool, order: u32) -> Num {
        let context = self.context;
        let mut sum = context.integer(0);
        for index in 0..self.beyond.len() {
            let beyond = &self.beyond[index];
            let bound = self.bound(beyond, weighted, of_value, order);
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
            // nothing is known of a derivative that need not exist
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

    /// Whether to assume that weights have a bound may help: those of the paths that are known have one, and so has what is asked.
    fn may_have_bounded_weights(&self) -> bool {
        let is_bounded = |Summand { ended, .. }: &Summand| {
            let within = ended.path.within(self.parameter.as_ref());
            let weight = ended.scores.iter().fold(Graph::integer(1), |product, score| multiply(&product, score));
            let found = range(&weight, &within, &self.budget);
            found.is_defined() && found.is_bounded()
        };
        (!self.asks_values || self.asked.is_bounded()) && self.leaves.iter().all(is_bounded)
    }

    /// What is asked of the values times a weight, where the signs or the sizes of the values say something.
    pub(super) fn valued(&self, weight: &Num) -> Option<Num> {
        let context = &self.context;
        let all = || context.assert_defined(context.enclosure(&super::half_line()));
        match (self.asked.is_bounded(), *self.asked.lo() >= 0, *self.asked.hi() <= 0) {
            (true, ..) => {
                Some(context.mul(weight, &context.hull(&context.integer(0), &context.enclosure(&self.asked))))
            }
            (_, true, _) => Some(all()),
            (_, _, true) => Some(context.neg(&all())),
            _ => None,
        }
    }

    /// The numbers from 0 to a bound, or all.
    fn half(&self, bound: Option<Magnitude>) -> Num {
        let context = &self.context;
        match bound.and_then(Magnitude::to_rational) {
            Some(most) => context.hull(&context.integer(0), &context.rational(&most)),
            None => context.assert_defined(context.enclosure(&super::half_line())),
        }
    }

    /// At most the chance of all that is not integrated.
    pub(super) fn chance_beyond(&self) -> Magnitude {
        self.beyond.iter().fold(self.rest, |sum, beyond| sum + beyond.ended.chance).min(Magnitude::ONE)
    }

    /// A mean lies where the function does.
    pub(super) fn within_asked(&self, mean: Num) -> Num {
        let asked: &Enclosure = &self.asked;
        match self.context.intersect(&mean, &self.context.assert_defined(self.context.enclosure(asked))) {
            Some(both) if self.context.is_defined(&mean) => self.context.assert_defined(both),
            _ => mean,
        }
    }
}
