//! Set partitions: H(S) of S §4.4.
//!
//! A partition of {0, …, n-1} is a *restricted growth string*: element i goes into block a_i, with a₀ = 0 and
//! a_i ≤ 1 + max(a₀, …, a_{i-1}). In lexicographic order the strings run from 00…0 (one block) to 012…(n-1) (singletons).
//! Their number is Bell's: 1, 1, 2, 5, 15, 52, 203, 877, … (S28).
//!
//! Source: Knuth, *The Art of Computer Programming* 4A, §7.2.1.5, Algorithm H.

/// A set partition: its blocks ordered by their least elements, each block in increasing order.
pub type Partition = Vec<Vec<usize>>;

/// An iterator over all partitions of {0, …, n-1}, each once. The empty set has one, the empty partition.
///
/// # Examples
/// ```
/// use smoothish_ad::smooth::tower::partitions::SetPartitions;
///
/// let three: Vec<_> = SetPartitions::new(3).collect();
/// assert_eq!(three, [
///     vec![vec![0, 1, 2]],
///     vec![vec![0, 1], vec![2]],
///     vec![vec![0, 2], vec![1]],
///     vec![vec![0], vec![1, 2]],
///     vec![vec![0], vec![1], vec![2]],
/// ]);
/// assert_eq!(SetPartitions::new(0).collect::<Vec<_>>(), [Vec::<Vec<usize>>::new()]);
/// ```
#[derive(Clone, Debug)]
pub struct SetPartitions {
    /// The restricted growth string of the next partition; `None` at the end.
    growth: Option<Vec<usize>>,
}

impl SetPartitions {
    /// Returns the partitions of a set of n elements.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { growth: Some(vec![0; n]) }
    }
}

impl Iterator for SetPartitions {
    type Item = Partition;

    fn next(&mut self) -> Option<Partition> {
        let growth = self.growth.take()?;
        let count = growth.iter().max().map_or(0, |block| block + 1);
        let mut partition = vec![Vec::new(); count];
        for (element, block) in growth.iter().enumerate() {
            partition[*block].push(element);
        }
        self.growth = next_growth_string(growth);
        Some(partition)
    }
}

/// Returns the next restricted growth string in lexicographic order. Returns `None` after the last, 012…(n-1).
fn next_growth_string(mut growth: Vec<usize>) -> Option<Vec<usize>> {
    // Element 0 is always in block 0; the last element that can move to a later block moves by one.
    let grows = |i: &usize| growth[..*i].iter().max().is_some_and(|most| growth[*i] <= *most);
    let last = (1..growth.len()).rev().find(grows)?;
    growth[last] += 1;
    growth[last + 1..].fill(0);
    Some(growth)
}
