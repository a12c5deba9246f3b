//! The category of partial maps: a reverse differential restriction category with joins, and with chains of approximants.
//!
//! It is no instance of [`Cartesian`](crate::category::Cartesian), since a pair is undefined where one of its parts is. Smoothish
//! maps, which are composed by substitution, are no instance of the restriction structure here.

use super::Partial;
use super::hooks::{self, Hooks};
use super::map::PartialMap;
use crate::category::chain::Chains;
use crate::category::restriction::{Additive, Differential, Joins, Paired, Restriction, Reverse};
use crate::category::{Category, Names, Setoid};
use crate::number::budget::Budget;
use crate::number::{Exact, Rational};
use crate::random::Random;
use crate::smooth::dimension::{Object, Point};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The category of partial maps: objects are [dimensions](crate::smooth::dimension), arrows are [`PartialMap`]s.
#[derive(Clone, Copy, Debug)]
pub enum Maps {}

crate::smooth::map::category::objects!(Maps);

/// Returns the dimension of an object.
fn size<A: Names<Maps>>() -> usize {
    <A as Names<Maps>>::object().size()
}

impl Category for Maps {
    type Object = Object;
    type Hom<A: Names<Self>, B: Names<Self>> = PartialMap<A, B>;

    fn identity<A: Names<Self>>() -> PartialMap<A, A> {
        PartialMap::select(0, size::<A>())
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(
        f: &PartialMap<A, B>,
        g: &PartialMap<B, C>,
    ) -> PartialMap<A, C> {
        f.then(g)
    }
}

impl Restriction for Maps {
    fn restriction<A: Names<Self>, B: Names<Self>>(f: &PartialMap<A, B>) -> PartialMap<A, A> {
        f.restriction()
    }
}

impl Paired for Maps {
    type Terminal = Point;
    type Product<A: Names<Self>, B: Names<Self>> = (A, B);

    fn terminal<A: Names<Self>>() -> PartialMap<A, Point> {
        PartialMap::select(0, 0)
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(
        f: &PartialMap<X, A>,
        g: &PartialMap<X, B>,
    ) -> PartialMap<X, (A, B)> {
        f.pair(g)
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> PartialMap<(A, B), A> {
        PartialMap::select(0, size::<A>())
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> PartialMap<(A, B), B> {
        PartialMap::select(size::<A>(), size::<A>() + size::<B>())
    }
}

impl Joins for Maps {
    fn join<A: Names<Self>, B: Names<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.join(g)
    }
}

impl Additive for Maps {
    fn zero<A: Names<Self>, B: Names<Self>>() -> PartialMap<A, B> {
        PartialMap::zeros(size::<B>())
    }

    fn add<A: Names<Self>, B: Names<Self>>(f: &PartialMap<A, B>, g: &PartialMap<A, B>) -> PartialMap<A, B> {
        f.add(g)
    }
}

impl Differential for Maps {
    fn forward<A: Names<Self>, B: Names<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, A), B> {
        f.forward_from(size::<A>())
    }
}

impl Reverse for Maps {
    fn reverse<A: Names<Self>, B: Names<Self>>(f: &PartialMap<A, B>) -> PartialMap<(A, B), A> {
        f.reverse_from(size::<A>())
    }
}

impl Chains for Maps {
    /// The chain of a map made of recursive programs, represented by the map itself.
    type Chain<A: Names<Self>, B: Names<Self>> = PartialMap<A, B>;

    fn approximant<A: Names<Self>, B: Names<Self>>(chain: &PartialMap<A, B>, n: u64) -> PartialMap<A, B> {
        chain.limited(n)
    }

    fn supremum<A: Names<Self>, B: Names<Self>>(chain: &PartialMap<A, B>) -> PartialMap<A, B> {
        chain.clone()
    }
}

/// The configuration of a comparison of two maps, at points over the rational numbers, where everything is decided.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The seed of the samples: the same seed gives the same samples.
    pub seed: u64,
    /// The number of points.
    pub samples: u32,
    /// Numbers from which coordinates are often taken, such as those at which a guard changes.
    pub borders: Vec<Rational>,
    /// The budget of each run, in work units.
    pub work: u64,
    /// The clauses of the semantics.
    pub hooks: Arc<dyn Hooks>,
}

impl Default for Trial {
    fn default() -> Self {
        Self { seed: 1, samples: 12, borders: Vec::new(), work: 400_000, hooks: Arc::new(hooks::Library) }
    }
}

/// The most bits of rational numbers in a comparison; a choice.
const BITS: u32 = 2_000;

impl Trial {
    fn coordinate(&self, random: &mut Random) -> Rational {
        // the borders are where two maps differ if anywhere: 60 % of the coordinates, a choice
        if !self.borders.is_empty() && random.chance(60) {
            return random.pick(&self.borders).clone();
        }
        Rational::from((random.below(13) as i64 - 6, 1 + random.below(3) as i64))
    }
}

impl Setoid for Maps {
    type Trial = Trial;
    type Error = ValueError;

    /// Compares by Kleene equality at points: each map is defined where the other is, with the same value. A point is skipped if
    /// it is not certain that a value is missing there.
    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &PartialMap<A, B>,
        right: &PartialMap<A, B>,
        trial: &Trial,
    ) -> Result<Verdict, ValueError> {
        let mut random = Random::new(trial.seed);
        let mut all = Verdict::Vacuous;
        let universe = || {
            let budget = Arc::new(Budget::new(trial.work, None, None));
            Partial::new(Exact { bits: BITS }, budget).under(trial.hooks.clone())
        };
        for _ in 0..trial.samples {
            let point: Vec<_> = (0..size::<A>()).map(|_| Some(trial.coordinate(&mut random))).collect();
            let of = |f: &PartialMap<A, B>| match f.run_in(universe(), &point) {
                Ok(found) => Ok(found.into_iter().collect::<Option<Vec<Rational>>>().map(Some)),
                Err(ValueError::Undefined(undefined)) => Ok(undefined.certain.then_some(None)),
                // derivatives nested too deeply
                Err(ValueError::Lacks { .. }) => Ok(None),
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
