//! A small pseudo-random generator with the same numbers on every machine: SplitMix64 (Steele, Lea and Flood 2014).
//!
//! The generator is that of `rand_xoshiro`. The choices below are our own: those of `rand` may change between its versions, and a
//! seed that is written down must give the same sample for ever.

use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of pseudo-random numbers, determined by its seed.
#[derive(Clone, Debug)]
pub struct SplitMix64(rand_xoshiro::SplitMix64);

impl SplitMix64 {
    /// Creates the stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(rand_xoshiro::SplitMix64::seed_from_u64(seed))
    }

    /// Creates the stream of the `index`-th sample of a seed, independent of the streams of the other samples.
    #[must_use]
    pub fn for_sample(seed: u64, index: u64) -> Self {
        let key = Self::new(seed).next();
        // The multiplier is odd, so that different indices give different states.
        let mut stream = Self::new(key ^ index.wrapping_mul(0xd134_2543_de82_ef95));
        // An output is the state, so that streams with neighbouring keys do not run close to each other.
        Self::new(stream.next())
    }

    /// Returns the next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end, and an iterator would have to be cloned")]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn next_below(&mut self, bound: usize) -> usize {
        // The high half of a 128-bit product instead of a remainder: the bias is at most bound/2⁶⁴ and no division is needed.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns `true` with a probability of `percent` in a hundred.
    pub fn random_bool(&mut self, percent: usize) -> bool {
        self.next_below(100) < percent
    }

    /// Returns an item chosen uniformly. The list must not be empty.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.next_below(among.len())]
    }

    /// Returns an item chosen with a probability in proportion to its weight. The weights must not all be 0.
    pub fn pick_weighted<T: Copy>(&mut self, among: &[(usize, T)]) -> T {
        let total = among.iter().map(|(weight, _)| weight).sum();
        let mut left = self.next_below(total);
        for &(weight, choice) in among {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return choice,
            }
        }
        among[among.len() - 1].1
    }
}
