//! The queue of paths that wait for a run.

use super::path::DecisionPath;
use crate::number::Rational;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// One in this many runs takes the oldest path; a choice.
const OLDEST_EVERY: usize = 4;

/// The priority of a path, greatest first: fewer delays, then a longer part, then an earlier arrival.
type PathRank = (Reverse<u32>, Rational, Reverse<u64>);

/// A queue of paths in two orders at once: by priority, and by age.
///
/// Paths with fewer delays go first, and among these the longer parts. Every fourth is the oldest, so that each is taken some
/// time.
#[derive(Debug, Default)]
pub(super) struct PathQueue {
    paths: BTreeMap<u64, (PathRank, DecisionPath)>,
    ranks: BTreeSet<PathRank>,
    next: u64,
    taken: usize,
}

impl PathQueue {
    /// Returns the number of waiting paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Adds a path.
    pub fn push(&mut self, path: DecisionPath) {
        let length = path.region.as_ref().map_or_else(Rational::new, |region| region.length_bounds()[1].clone());
        let rank = (Reverse(path.delays), length, Reverse(self.next));
        self.ranks.insert(rank.clone());
        self.paths.insert(self.next, (rank, path));
        self.next += 1;
    }

    /// Removes and returns the path for the next run.
    pub fn next(&mut self) -> Option<DecisionPath> {
        self.taken += 1;
        // fairness: by priority alone a part that forks without end would keep all others waiting
        if self.taken.is_multiple_of(OLDEST_EVERY) {
            let (_, (rank, path)) = self.paths.pop_first()?;
            self.ranks.remove(&rank);
            return Some(path);
        }
        let (_, _, Reverse(number)) = self.ranks.pop_last()?;
        self.paths.remove(&number).map(|(_, path)| path)
    }

    /// Returns all waiting paths, by priority.
    pub fn into_paths(mut self) -> impl Iterator<Item = DecisionPath> {
        let ranks = std::mem::take(&mut self.ranks);
        ranks.into_iter().rev().filter_map(move |(_, _, Reverse(number))| Some(self.paths.remove(&number)?.1))
    }
}
