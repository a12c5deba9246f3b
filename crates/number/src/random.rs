//! A small generator of random numbers, the same on every machine: splitmix64 (Steele, Lea and Flood 2014).

/// A stream of random numbers, fixed by its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of the `index`-th sample of a seed: independent of the streams of the other samples.
    #[must_use]
    pub fn of(seed: u64, index: u64) -> Self {
        let mut stream = Self(seed);
        let key = stream.next();
        Self(key ^ index.wrapping_mul(0xd134_2543_de82_ef95)).skipped()
    }

    fn skipped(mut self) -> Self {
        self.0 = self.next();
        self
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end, and an iterator would have to be cloned")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True in `percent` cases of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several, each as likely as the others. The list must not be empty.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    /// One of several, each as likely as its weight says. The weights must not all be 0.
    pub fn weighted<T: Copy>(&mut self, among: &[(usize, T)]) -> T {
        let total = among.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for &(weight, choice) in among {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return choice,
            }
        }
        among[among.len() - 1].1
    }
}
