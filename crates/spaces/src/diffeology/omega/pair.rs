//! Products as ordered spaces: order and bounds are componentwise.

use super::{OrderedDiffeology, PlotChain};
use crate::diffeology::DiffeologyVerdict;
use crate::diffeology::analytic::CAnalyticSet;
use crate::diffeology::product::ProductDiffeology;
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use std::sync::Arc;

impl<X: OrderedDiffeology, Y: OrderedDiffeology> OrderedDiffeology for ProductDiffeology<X, Y> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(self.0.test_below(&x.0, &y.0, trial)?.and_part(self.1.test_below(&x.1, &y.1, trial)?))
    }
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        // Each component takes the chain apart for itself.
        let other = chain.clone();
        (
            self.0.least_upper_bound(domain, Arc::new(move |n| chain(n).0)),
            self.1.least_upper_bound(domain, Arc::new(move |n| other(n).1)),
        )
    }
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let (first, second) = (self.0.draw_chain(domain, random), self.1.draw_chain(domain, random));
        Arc::new(move |n| (first(n), second(n)))
    }
}
