//! Paths: the decisions that lead to a part of the domain. Paths share their common beginning.

use super::super::oracle::GuardQuery;
use crate::pieces::{Frontier, GuardCondition, IntervalUnion, SignGuard, StopReason};
use crate::value::SourceId;
use std::cmp::Ordering;
use std::sync::Arc;

/// A set of signs that a number may have, one bit for each.
pub(super) type SignSet = u8;

/// The set of all signs.
const ANY_SIGN: SignSet = 7;

fn sign_bit(sign: Ordering) -> SignSet {
    match sign {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 4,
    }
}

/// A decision that had an alternative, linked to the decisions before it.
#[derive(Debug)]
pub(super) struct DecisionLink {
    above: Option<Arc<DecisionLink>>,
    decided: GuardCondition,
    /// The signs still possible for the number of the guard, by the key of its normal form up to a factor.
    signs: Option<(String, SignSet)>,
}

impl Drop for DecisionLink {
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
pub(super) struct DecisionPath {
    /// The answers to all guards that depend on the variables.
    pub decisions: Vec<bool>,
    /// The part of the line; `None` for several variables.
    pub region: Option<IntervalUnion>,
    /// The last decision that had an alternative.
    pub last: Option<Arc<DecisionLink>>,
    /// The number of times that a run on the path was ended because it took long. Paths with fewer delays go first.
    pub delays: u32,
    /// The site of the program at the last such end.
    pub suspended_at: Option<SourceId>,
}

impl DecisionPath {
    /// Returns the path to the whole of a part of the line.
    pub fn whole_region(region: Option<IntervalUnion>) -> Self {
        Self { region, ..Self::default() }
    }

    fn iter_links(&self) -> impl Iterator<Item = &DecisionLink> {
        std::iter::successors(self.last.as_deref(), |link| link.above.as_deref())
    }

    /// Returns the path with one more decision that had an alternative.
    pub fn with_decision(
        &self,
        asked: &GuardQuery,
        holds: bool,
        signs: Option<(String, SignSet)>,
        region: Option<IntervalUnion>,
    ) -> Self {
        let mut next = Self { decisions: self.decisions.clone(), region, ..Self::default() };
        next.decisions.push(holds);
        let decided = GuardCondition { guard: asked.guard.clone(), holds, is_condition: asked.is_condition };
        next.last = Some(Arc::new(DecisionLink { above: self.last.clone(), decided, signs }));
        next
    }

    /// Returns the signs of a number for which a guard holds, and those for which it fails, among the signs still possible.
    ///
    /// `key` is the normal form of the number up to a factor, which is negative if `turned`.
    pub fn signs_by_answer(&self, key: &str, turned: bool, guard: &SignGuard) -> [SignSet; 2] {
        // from the last link on: a later entry for the same number is the narrower one
        let known = self.iter_links().filter_map(|link| link.signs.as_ref()).find(|(other, _)| other == key);
        let left = known.map_or(ANY_SIGN, |(_, signs)| *signs);
        let mut sides = [0; 2];
        for sign in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            if left & sign_bit(sign) != 0 {
                let own = if turned { sign.reverse() } else { sign };
                sides[usize::from(!guard.test.is_satisfied_by(own))] |= sign_bit(sign);
            }
        }
        sides
    }

    /// Returns the decisions that had an alternative, from the first on.
    pub fn decided_guards(&self) -> Vec<GuardCondition> {
        let mut guards: Vec<_> = self.iter_links().map(|link| link.decided.clone()).collect();
        guards.reverse();
        guards
    }

    /// Returns the number of these decisions.
    pub fn fork_count(&self) -> usize {
        self.iter_links().count()
    }

    /// Converts to a part that is not unfolded. Without a better site it gets that of the last guard with an alternative.
    pub fn into_frontier(self, why: StopReason, site: Option<SourceId>) -> Frontier {
        let last = self.last.as_ref().map_or(SourceId::NOWHERE, |link| link.decided.guard.site);
        Frontier {
            guards: self.decided_guards(),
            region: self.region,
            reason: why,
            site: site.or(self.suspended_at).unwrap_or(last),
        }
    }
}
