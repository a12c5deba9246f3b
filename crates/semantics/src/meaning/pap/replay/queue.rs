//! The paths that wait.

use super::path::Path;
use crate::number::Rational;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// One in so many paths that go on is the one that was waited for longest.
const FAIR: usize = 4;

/// What goes first is greater: what was delayed less often, and of these what leads to a longer part, and to an earlier one.
type Rank = (Reverse<u32>, Rational, Reverse<u64>);

/// Paths that wait, in two orders at once. What was delayed less often goes first, and of these what is longer; but every fourth is the
/// oldest, so that each goes on some time.
#[derive(Debug, Default)]
pub(super) struct Queue {
    paths: BTreeMap<u64, (Rank, Path)>,
    ranks: BTreeSet<Rank>,
    next: u64,
    taken: usize,
}

impl Queue {
    /// How many wait.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// One more.
    pub fn push(&mut self, path: Path) {
        let length = path.region.as_ref().map_or_else(Rational::new, |region| region.length()[1].clone());
        let rank = (Reverse(path.delays), length, Reverse(self.next));
        self.ranks.insert(rank.clone());
        self.paths.insert(self.next, (rank, path));
        self.next += 1;
    }

    /// The one that goes on.
    pub fn next(&mut self) -> Option<Path> {
        self.taken += 1;
        if self.taken.is_multiple_of(FAIR) {
            let (_, (rank, path)) = self.paths.pop_first()?;
            self.ranks.remove(&rank);
            return Some(path);
        }
        let (_, _, Reverse(number)) = self.ranks.pop_last()?;
        self.paths.remove(&number).map(|(_, path)| path)
    }

    /// All that still wait, what would go first at first.
    pub fn into_paths(mut self) -> impl Iterator<Item = Path> {
        let ranks = std::mem::take(&mut self.ranks);
        ranks.into_iter().rev().filter_map(move |(_, _, Reverse(number))| Some(self.paths.remove(&number)?.1))
    }
}
