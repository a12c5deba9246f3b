//! The category of partial maps: a reverse differential restriction category with joins, and with chains of approximants.
//!
//! It is no instance of [`Cartesian`](crate::category::Cartesian), since a pair is undefined where one of its parts is. Smoothish
//! maps, which are composed by substitution, are no instance of the restriction structure here.

use super::PartialUniverse;
use super::hooks::{self, PartialHooks};
use super::map::PartialMap;
use crate::category::chain::Chains;
use crate::category::restriction::{
    DifferentialRestriction, Joins, LeftAdditive, RestrictionCategory, RestrictionProducts, ReverseDifferential,
};
use crate::category::{Category, ObjectName, Setoid};
use crate::number::budget::Budget;
use crate::number::{Exact, Rational};
use crate::random::SplitMix64;
use crate::smooth::dimension::{EuclideanObject, ZeroSpace};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The category of partial maps: objects are [dimensions](crate::smooth::dimension), arrows are [`PartialMap`]s.
#[derive(Clone, Copy, Debug)]
pub enum PartialMapCategory {}

crate::smooth::map::category::objects!(PartialMapCategory);

/// Returns the dimension of an object.
fn dimension_of<A: ObjectName<PartialMapCategory>>() -> usize {
    <A as ObjectName<PartialMapCategory>>::object().size()
}

impl Category for PartialMapCategory {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = PartialMap<A, B>;

    fn identity<A: ObjectName<Self>>() -> PartialMap<A, A> {
        PartialMap::select_range(0, dimension_of::<A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &PartialMap<A, B>,
        g: &PartialMap<B, C>,
    ) -> PartialMap<A, C> {
        f.then(g)
    }
}

impl RestrictionCategory for PartialMapCategory {
    fn restriction<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<A, A> {
        f.restriction()
    }
}

impl RestrictionProducts for PartialMapCategory {
    type Terminal = ZeroSpace;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> PartialMap<A, ZeroSpace> {
        PartialMap::select_range(0, 0)
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &PartialMap<X, A>,
        g: &PartialMap<X, B>,
    ) -> PartialMap<X, (A, B)> {
        f.pair(g)
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<(A, B), A> {
        PartialMap::select_range(0, dimension_of::<A>())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<(A, B), B> {
        PartialMap::select_range(dimension_of::<A>(), dimension_of::<A>() + dimension_of::<B>())
    }
}

impl Joins for PartialMapCategory {
    fn join<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.join(g)
    }
}

impl LeftAdditive for PartialMapCategory {
    fn zero<A: ObjectName<Self>, B: ObjectName<Self>>() -> PartialMap<A, B> {
        PartialMap::zero_map(dimension_of::<B>())
    }

    fn add<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.add(g)
    }
}

impl DifferentialRestriction for PartialMapCategory {
    fn forward_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, A), B> {
        f.forward_from(dimension_of::<A>())
    }
}

impl ReverseDifferential for PartialMapCategory {
    fn reverse_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, B), A> {
        f.reverse_from(dimension_of::<A>())
    }
}

impl Chains for PartialMapCategory {
    /// The chain of a map made of recursive programs, represented by the map itself.
    type Chain<A: ObjectName<Self>, B: ObjectName<Self>> = PartialMap<A, B>;

    fn approximant<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &PartialMap<A, B>, n: u64) -> PartialMap<A, B> {
        chain.with_unfolding_limit(n)
    }

    fn supremum<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &PartialMap<A, B>) -> PartialMap<A, B> {
        chain.clone()
    }
}

/// The configuration of a comparison of two maps, at points over the rational numbers, where everything is decided.
#[derive(Clone, Debug)]
pub struct PartialTestConfig {
    /// The seed of the samples: the same seed gives the same samples.
    pub seed: u64,
    /// The number of points.
    pub samples: u32,
    /// Numbers from which coordinates are often taken, such as those at which a guard changes.
    pub borders: Vec<Rational>,
    /// The budget of each run, in work units.
    pub budget_units: u64,
    /// The clauses of the semantics.
    pub hooks: Arc<dyn PartialHooks>,
}

impl Default for PartialTestConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            samples: 12,
            borders: Vec::new(),
            budget_units: 400_000,
            hooks: Arc::new(hooks::DefaultPartialHooks),
        }
    }
}

/// The most bits of rational numbers in a comparison; a choice.
const MAX_RATIONAL_BITS: u32 = 2_000;

impl PartialTestConfig {
    fn draw_coordinate(&self, random: &mut SplitMix64) -> Rational {
        // the borders are where two maps differ if anywhere: 60 % of the coordinates, a choice
        if !self.borders.is_empty() && random.random_bool(60) {
            return random.pick(&self.borders).clone();
        }
        Rational::from((random.next_below(13) as i64 - 6, 1 + random.next_below(3) as i64))
    }
}

impl Setoid for PartialMapCategory {
    type Trial = PartialTestConfig;
    type Error = ValueError;

    /// Compares by Kleene equality at points: each map is defined where the other is, with the same value. A point is skipped if
    /// it is not certain that a value is missing there.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &PartialMap<A, B>,
        right: &PartialMap<A, B>,
        trial: &PartialTestConfig,
    ) -> Result<Verdict, ValueError> {
        let mut random = SplitMix64::new(trial.seed);
        let mut all = Verdict::Vacuous;
        let universe = || {
            let budget = Arc::new(Budget::new(trial.budget_units, None, None));
            PartialUniverse::new(Exact { bits: MAX_RATIONAL_BITS }, budget).with_hooks(trial.hooks.clone())
        };
        for _ in 0..trial.samples {
            let point: Vec<_> = (0..dimension_of::<A>()).map(|_| Some(trial.draw_coordinate(&mut random))).collect();
            let of = |f: &PartialMap<A, B>| match f.evaluate_in(universe(), &point) {
                Ok(found) => Ok(found.into_iter().collect::<Option<Vec<Rational>>>().map(Some)),
                Err(ValueError::Undefined(undefined)) => Ok(undefined.certain.then_some(None)),
                // derivatives nested too deeply
                Err(ValueError::Unsupported { .. }) => Ok(None),
                Err(other) => Err(other),
            };
            // a point at which either side is unknown proves nothing
            let (Some(a), Some(b)) = (of(left)?, of(right)?) else { continue };
            all = all.and(match a == b {
                true => Verdict::Survived,
                false => Verdict::refuted(format!("{point:?}"), format!("{a:?}"), format!("{b:?}")),
            });
        }
        Ok(all)
    }
}
