//! Paths: the decisions that lead to a part of the domain. Paths share their common beginning.

use super::super::oracle::Asked;
use crate::pieces::{Decided, Frontier, Guard, Region, Rest};
use crate::value::Site;
use std::cmp::Ordering;
use std::sync::Arc;

/// A set of signs that a number may have, one bit for each.
pub(super) type Signs = u8;

/// The set of all signs.
const ANY: Signs = 7;

fn bit(sign: Ordering) -> Signs {
    match sign {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 4,
    }
}

/// A decision that had an alternative, linked to the decisions before it.
#[derive(Debug)]
pub(super) struct Link {
    above: Option<Arc<Link>>,
    decided: Decided,
    /// The signs still possible for the number of the guard, by the key of its normal form up to a factor.
    signs: Option<(String, Signs)>,
}

impl Drop for Link {
    /// Drops the chain in a loop: paths are long, and a recursive drop would need as much stack.
    fn drop(&mut self) {
        let mut next = self.above.take();
        // ends at the first link that another path shares
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.above.take();
        }
    }
}

/// The path to a part of the domain.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The answers to all guards that depend on the variables.
    pub decisions: Vec<bool>,
    /// The part of the line; `None` for several variables.
    pub region: Option<Region>,
    /// The last decision that had an alternative.
    pub last: Option<Arc<Link>>,
    /// The number of times that a run on the path was ended because it took long. Paths with fewer delays go first.
    pub delays: u32,
    /// The site of the program at the last such end.
    pub stands: Option<Site>,
}

impl Path {
    /// Returns the path to the whole of a part of the line.
    pub fn to(region: Option<Region>) -> Self {
        Self { region, ..Self::default() }
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.above.as_deref())
    }

    /// Returns the path with one more decision that had an alternative.
    pub fn with(&self, asked: &Asked, holds: bool, signs: Option<(String, Signs)>, region: Option<Region>) -> Self {
        let mut next = Self { decisions: self.decisions.clone(), region, ..Self::default() };
        next.decisions.push(holds);
        let decided = Decided { guard: asked.guard.clone(), holds, is_condition: asked.is_condition };
        next.last = Some(Arc::new(Link { above: self.last.clone(), decided, signs }));
        next
    }

    /// Returns the signs of a number for which a guard holds, and those for which it fails, among the signs still possible.
    ///
    /// `key` is the normal form of the number up to a factor, which is negative if `turned`.
    pub fn signs(&self, key: &str, turned: bool, guard: &Guard) -> [Signs; 2] {
        // from the last link on: a later entry for the same number is the narrower one
        let known = self.links().filter_map(|link| link.signs.as_ref()).find(|(other, _)| other == key);
        let left = known.map_or(ANY, |(_, signs)| *signs);
        let mut sides = [0; 2];
        for sign in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            if left & bit(sign) != 0 {
                let own = if turned { sign.reverse() } else { sign };
                sides[usize::from(!guard.test.holds(own))] |= bit(sign);
            }
        }
        sides
    }

    /// Returns the decisions that had an alternative, from the first on.
    pub fn guards(&self) -> Vec<Decided> {
        let mut guards: Vec<_> = self.links().map(|link| link.decided.clone()).collect();
        guards.reverse();
        guards
    }

    /// Returns the number of these decisions.
    pub fn forks(&self) -> usize {
        self.links().count()
    }

    /// Converts to a part that is not unfolded. Without a better site it gets that of the last guard with an alternative.
    pub fn rest(self, why: Rest, site: Option<Site>) -> Frontier {
        let last = self.last.as_ref().map_or(Site::NOWHERE, |link| link.decided.guard.site);
        Frontier { guards: self.guards(), region: self.region, why, site: site.or(self.stands).unwrap_or(last) }
    }
}
