//! The way to a part of the domain. What two ways have in common is kept once.

use super::super::oracle::Asked;
use crate::pieces::{Decided, Frontier, Guard, Region, Rest};
use crate::value::Site;
use std::cmp::Ordering;
use std::sync::Arc;

/// Which signs a number may have: one bit for each.
pub(super) type Signs = u8;

/// All of them.
const ANY: Signs = 7;

fn bit(sign: Ordering) -> Signs {
    match sign {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 4,
    }
}

/// An answer that was not the only possible one, after others.
#[derive(Debug)]
pub(super) struct Link {
    above: Option<Arc<Link>>,
    decided: Decided,
    /// The signs of a map that are left, by its normal form up to a factor.
    signs: Option<(String, Signs)>,
}

impl Drop for Link {
    /// Ways are long.
    fn drop(&mut self) {
        let mut next = self.above.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.above.take();
        }
    }
}

/// The way to a part of the domain.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// What was answered, to every guard that varies.
    pub decisions: Vec<bool>,
    /// The part of the line.
    pub region: Option<Region>,
    pub last: Option<Arc<Link>>,
    /// How often a run on it was ended because it took long: the others go first.
    pub delays: u32,
    /// Where the program stood then.
    pub stands: Option<Site>,
}

impl Path {
    /// To the whole of a part of the line.
    pub fn to(region: Option<Region>) -> Self {
        Self { region, ..Self::default() }
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.above.as_deref())
    }

    /// The way with one more answer.
    pub fn with(&self, asked: &Asked, holds: bool, signs: Option<(String, Signs)>, region: Option<Region>) -> Self {
        let mut next = Self { decisions: self.decisions.clone(), region, ..Self::default() };
        next.decisions.push(holds);
        let decided = Decided { guard: asked.guard.clone(), holds, is_condition: asked.is_condition };
        next.last = Some(Arc::new(Link { above: self.last.clone(), decided, signs }));
        next
    }

    /// The signs that a map may have for a guard to hold, and for it to fail, by the key of its normal form, with which the map is
    /// multiplied by a negative number where it is `turned`.
    pub fn signs(&self, key: &str, turned: bool, guard: &Guard) -> [Signs; 2] {
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

    /// The answers that were not the only possible ones.
    pub fn guards(&self) -> Vec<Decided> {
        let mut guards: Vec<_> = self.links().map(|link| link.decided.clone()).collect();
        guards.reverse();
        guards
    }

    /// How many these are.
    pub fn forks(&self) -> usize {
        self.links().count()
    }

    /// What is not unfolded. Where nothing better is known, the program stood at the last guard with two answers.
    pub fn rest(self, why: Rest, site: Option<Site>) -> Frontier {
        let last = self.last.as_ref().map_or(Site::NOWHERE, |link| link.decided.guard.site);
        Frontier { guards: self.guards(), region: self.region, why, site: site.or(self.stands).unwrap_or(last) }
    }
}
