//! What samples contain: how many of the programs that are drawn use what they bind.
//!
//! A theorem that holds of programs without functions says nothing about functions. What a program [uses](super::change::Use)
//! is found by running it [changed](super::change), over (1, 1), where that costs little.

use super::change::{Use, changes};
use super::trial::{Experiment, Range, Sample};
use crate::meaning::taylor::basis::Basis;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

/// How many changes of one program are tried.
const MOST_CHANGES: usize = 16;
/// How many of the first samples are looked into.
pub const LOOKED_INTO: u64 = 100;

/// What one program uses.
pub type Uses = [bool; Use::ALL.len()];

/// How many of the programs use what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many programs there are.
    pub programs: u64,
    /// How many of them use what, in the order of [`Use::ALL`].
    pub uses: [u64; Use::ALL.len()],
}

impl Contents {
    /// One program more.
    pub fn count(&mut self, uses: Uses) {
        self.programs += 1;
        self.uses.iter_mut().zip(uses).for_each(|(count, uses)| *count += u64::from(uses));
    }

    /// How many of a hundred programs use something.
    #[must_use]
    pub fn percent(&self, of: Use) -> f64 {
        self.uses[of as usize] as f64 * 100.0 / self.programs.max(1) as f64
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<String> =
            Use::ALL.iter().map(|of| format!("{} {:.0} %", of.name(), self.percent(*of))).collect();
        f.write_str(&shares.join(", "))
    }
}

impl Experiment<'_> {
    /// A sample over (1, 1), where the statement is made there.
    fn small(&self, sample: &Sample) -> Option<Sample> {
        match self.range {
            Range::UpTo(..) | Range::Levels(_) => {
                Some(Sample { basis: Arc::new(Basis::new(1, 1).ok()?), ..sample.clone() })
            }
            Range::Only(..) => Some(sample.clone()),
        }
    }

    /// Whether a derivative at a sample is not 0. What is refuted says something as well.
    pub(super) fn moves(&self, sample: &Sample) -> bool {
        let judged = self.small(sample).and_then(|small| (self.judge)(&small).ok());
        judged
            .is_some_and(|judged| judged.verdict != Verdict::Vacuous && (judged.verdict.is_refuted() || judged.moves()))
    }

    /// What the first program of a sample uses; nothing where there is none, or it cannot be run.
    #[must_use]
    pub fn uses(&self, sample: &Sample) -> Option<Uses> {
        let program = sample.terms.first()?;
        let mut uses = Uses::default();
        let Some(small) = self.small(sample) else { return Some(uses) };
        let Ok(before) = (self.judge)(&small) else { return Some(uses) };
        for change in changes(program).take(MOST_CHANGES) {
            if uses[change.of as usize] {
                continue;
            }
            uses[change.of as usize] = change.programs.into_iter().all(|program| {
                let mut changed = small.clone();
                changed.terms[0] = program;
                let after = (self.judge)(&changed);
                after.is_ok_and(|after| {
                    if change.of.is_of_slopes() { before.slopes_differ(&after) } else { before.differs(&after) }
                })
            });
        }
        Some(uses)
    }
}
