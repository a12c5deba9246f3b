//! Statistics of the samples: the share of the random programs that use what they bind.
//!
//! A theorem tested on programs without functions says nothing about functions. The constructs that a program
//! [uses](super::change::UsedConstruct) are found by comparing it with [changed](super::change) programs, over (1, 1), where that
//! costs little.

use super::change::{UsedConstruct, list_changes};
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::meaning::taylor::basis::Basis;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

/// The number of changes of one program that are tested. A choice: it bounds the cost of the statistics.
const MOST_CHANGES: usize = 16;
/// The number of samples, from the first on, that enter the statistics. A choice.
pub const SAMPLES_COUNTED: u64 = 100;

/// For each construct, whether one program uses it, in the order of [`UsedConstruct::ALL`].
pub type ConstructUses = [bool; UsedConstruct::ALL.len()];

/// The number of programs that use each construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UseCounts {
    /// The number of programs.
    pub programs: u64,
    /// The number of programs that use each construct, in the order of [`UsedConstruct::ALL`].
    pub uses: [u64; UsedConstruct::ALL.len()],
}

impl UseCounts {
    /// Counts one more program.
    pub fn add_program(&mut self, uses: ConstructUses) {
        self.programs += 1;
        self.uses.iter_mut().zip(uses).for_each(|(count, uses)| *count += u64::from(uses));
    }

    /// Returns the share of the programs that use `of`, in percent; 0 without programs.
    #[must_use]
    pub fn percent_using(&self, of: UsedConstruct) -> f64 {
        self.uses[of as usize] as f64 * 100.0 / self.programs.max(1) as f64
    }
}

impl fmt::Display for UseCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<String> =
            UsedConstruct::ALL.iter().map(|of| format!("{} {:.0} %", of.name(), self.percent_using(*of))).collect();
        f.write_str(&shares.join(", "))
    }
}

impl TheoremTest<'_> {
    /// Returns the sample over (1, 1), if the statement is made for several k and R; otherwise the sample itself.
    fn smallest_basis_sample(&self, sample: &TheoremSample) -> Option<TheoremSample> {
        match self.range {
            BasisRange::UpTo(..) | BasisRange::Levels(_) => {
                Some(TheoremSample { basis: Arc::new(Basis::new(1, 1).ok()?), ..sample.clone() })
            }
            BasisRange::Only(..) => Some(sample.clone()),
        }
    }

    /// Returns `true` if a derivative at the sample is certainly not 0, or the sample refutes.
    pub(super) fn has_nonzero_derivative(&self, sample: &TheoremSample) -> bool {
        let judged = self.smallest_basis_sample(sample).and_then(|small| (self.judge)(&small).ok());
        judged.is_some_and(|judged| {
            judged.verdict != Verdict::Vacuous && (judged.verdict.is_refuted() || judged.has_nonzero_slope())
        })
    }

    /// Returns the constructs that the first program of the sample uses. Returns `None` if there is no program.
    #[must_use]
    pub fn used_constructs(&self, sample: &TheoremSample) -> Option<ConstructUses> {
        let program = sample.terms.first()?;
        let mut uses = ConstructUses::default();
        // a program that cannot be judged counts as using nothing
        let Some(small) = self.smallest_basis_sample(sample) else { return Some(uses) };
        let Ok(before) = (self.judge)(&small) else { return Some(uses) };
        for change in list_changes(program).take(MOST_CHANGES) {
            // one change that shows is enough for a construct
            if uses[change.of as usize] {
                continue;
            }
            uses[change.of as usize] = change.programs.into_iter().all(|program| {
                let mut changed = small.clone();
                // each of its changed programs must differ, such as both parts of a fold
                changed.terms[0] = program;
                let after = (self.judge)(&changed);
                after.is_ok_and(|after| {
                    if change.of.is_of_slopes() { before.slopes_differ(&after) } else { before.numbers_differ(&after) }
                })
            });
        }
        Some(uses)
    }
}
