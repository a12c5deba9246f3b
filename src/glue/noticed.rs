//! Which statement notices which wrong rule of the macro, and after how many samples.

use super::error::GlueError;
use super::lemma::Setting;
use super::theorems::Theorem;
use super::trial::Trials;
use crate::meaning::taylor::rules::Rules;

/// The statements that are about the macro. Most wrong macros are functors, which is what `initiality` asks.
pub const ABOUT_THE_MACRO: [&str; 6] =
    ["theorem-3", "fundamental-lemma", "diagram-4", "theorem-8", "uniqueness", "nested"];

/// How many seeds in a row may pass before a statement is taken not to notice a rule.
const SILENT: usize = 2;

/// What one statement says of one wrong macro: for each seed, the number of samples up to the one that refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// For each seed, if it was refuted.
    pub needed: Vec<Option<u64>>,
}

impl Noticed {
    /// Tries a statement on a wrong macro, with the seeds 0, 1, …. After two seeds that refute nothing no other is asked.
    ///
    /// # Errors
    /// [`GlueError::Basis`]
    pub fn by(
        theorem: &Theorem,
        rules: &'static dyn Rules,
        samples: u64,
        seeds: u64,
        trials: &Trials,
    ) -> Result<Self, GlueError> {
        let statement = theorem.statement(Setting { rules: Some(rules), ..Setting::default() });
        let mut needed = Vec::new();
        for seed in 0..seeds {
            let trials = Trials { samples, seed, ..trials.clone() };
            needed.push(statement.refuted_at(&trials)?.map(|index| index + 1));
            if needed.len() == SILENT && needed.iter().all(Option::is_none) {
                needed.resize(seeds as usize, None);
                break;
            }
        }
        Ok(Self { needed })
    }

    /// Whether it was refuted with every seed.
    #[must_use]
    pub fn always(&self) -> bool {
        self.needed.iter().all(Option::is_some)
    }

    /// The median of the numbers of samples; nothing where half of the seeds do not refute.
    #[must_use]
    pub fn median(&self) -> Option<u64> {
        let mut sorted: Vec<u64> = self.needed.iter().map(|n| n.unwrap_or(u64::MAX)).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().filter(|n| *n < u64::MAX)
    }
}
