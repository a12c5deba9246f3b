//! A small pseudo-random generator with the same numbers on every machine: SplitMix64 (Steele, Lea and Flood 2014).

/// A stream of pseudo-random numbers, determined by its seed.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates the stream of the `index`-th sample of a seed, independent of the streams of the other samples.
    #[must_use]
    pub fn for_sample(seed: u64, index: u64) -> Self {
        let mut stream = Self(seed);
        let key = stream.next();
        // The multiplier is odd, so that different indices give different states.
        Self(key ^ index.wrapping_mul(0xd134_2543_de82_ef95)).skip_one()
    }

    /// Takes the next output as the state, so that streams with neighbouring keys do not run close to each other.
    fn skip_one(mut self) -> Self {
        self.0 = self.next();
        self
    }

    /// Returns the next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end, and an iterator would have to be cloned")]
    pub fn next(&mut self) -> u64 {
        // The increment and both multipliers are those of SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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
