//! Products as ordered spaces: order and bounds are componentwise.

use super::{Chain, Ordered};
use crate::diffeology::Tried;
use crate::diffeology::analytic::Analytic;
use crate::diffeology::product::Product;
use crate::random::Random;
use crate::smooth::map::Trial;
use std::sync::Arc;

impl<X: Ordered, Y: Ordered> Ordered for Product<X, Y> {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(self.0.below(&x.0, &y.0, trial)?.both(self.1.below(&x.1, &y.1, trial)?))
    }
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        // Each component takes the chain apart for itself.
        let other = chain.clone();
        (self.0.lub(domain, Arc::new(move |n| chain(n).0)), self.1.lub(domain, Arc::new(move |n| other(n).1)))
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let (first, second) = (self.0.draw_chain(domain, random), self.1.draw_chain(domain, random));
        Arc::new(move |n| (first(n), second(n)))
    }
}
