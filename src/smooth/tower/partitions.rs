//! The partitions of a finite set, H(S) of S §4.4.
//!
//! A partition of {0, …, n-1} is a *restricted growth string*: element i goes into block a_i, with a₀ = 0 and
//! a_i ≤ 1 + max(a₀, …, a_{i-1}). In lexicographic order the strings run from 00…0 (one block) to 012…(n-1) (singletons).
//! Their number is Bell's: 1, 1, 2, 5, 15, 52, 203, 877, … (S28).
//!
//! Source: Knuth, *The Art of Computer Programming* 4A, §7.2.1.5, Algorithm H.

/// A partition: its blocks by their least elements, each block in increasing order.
pub type Partition = Vec<Vec<usize>>;

/// All partitions of {0, …, n-1}, each once; the empty set has one, the empty partition.
///
/// # Examples
/// ```
/// use smoothish::smooth::tower::partitions::SetPartitions;
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
    growth: Option<Vec<usize>>,
}

impl SetPartitions {
    /// The partitions of a set of n elements.
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
        self.growth = successor(growth);
        Some(partition)
    }
}

/// The next restricted growth string.
fn successor(mut growth: Vec<usize>) -> Option<Vec<usize>> {
    let grows = |i: &usize| growth[..*i].iter().max().is_some_and(|most| growth[*i] <= *most);
    let last = (1..growth.len()).rev().find(grows)?;
    growth[last] += 1;
    growth[last + 1..].fill(0);
    Some(growth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_as_many_as_bell_says() {
        let counts: Vec<_> = (0..8).map(|n| SetPartitions::new(n).count()).collect();
        assert_eq!(counts, [1, 1, 2, 5, 15, 52, 203, 877]);
        // Bell's own recurrence: B(n+1) = Σ binomial(n, j) B(j)
        let mut bell = vec![1u64];
        for n in 0..10u64 {
            let mut binomial = 1;
            let mut sum = 0;
            for j in 0..=n {
                sum += binomial * bell[j as usize];
                binomial = binomial * (n - j) / (j + 1);
            }
            bell.push(sum);
        }
        assert_eq!(SetPartitions::new(10).count() as u64, bell[10]);
    }

    #[test]
    fn each_is_a_partition_and_occurs_once() {
        for n in 0..7 {
            let mut seen = BTreeSet::new();
            for partition in SetPartitions::new(n) {
                assert!(partition.iter().all(|block| !block.is_empty()));
                let mut elements = partition.concat();
                elements.sort_unstable();
                assert_eq!(elements, (0..n).collect::<Vec<_>>());
                assert!(seen.insert(partition));
            }
        }
    }

    /// A partition and a partition of its blocks, against a coarser partition and a partition of each of its blocks: the
    /// bijection behind the associativity of composition (S Prop. 4.5).
    #[test]
    fn partitions_of_partitions_are_associative() {
        type Nested = BTreeSet<BTreeSet<BTreeSet<usize>>>;
        fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
            items.into_iter().collect()
        }
        for n in 0..6 {
            let fine_first: Vec<Nested> = SetPartitions::new(n)
                .flat_map(|fine| {
                    let blocks: Vec<_> = fine.into_iter().map(set).collect();
                    SetPartitions::new(blocks.len())
                        .map(move |coarse| set(coarse.iter().map(|c| set(c.iter().map(|b| blocks[*b].clone())))))
                })
                .collect();
            let coarse_first: Vec<Nested> = SetPartitions::new(n)
                .flat_map(|coarse| {
                    coarse.iter().fold(vec![Nested::new()], |chosen, block| {
                        let refined = |done: &Nested| {
                            let done = done.clone();
                            SetPartitions::new(block.len()).map(move |fine| {
                                let parts = set(fine.iter().map(|b| set(b.iter().map(|i| block[*i]))));
                                let mut done = done.clone();
                                done.insert(parts);
                                done
                            })
                        };
                        chosen.iter().flat_map(refined).collect()
                    })
                })
                .collect();
            let (left, right): (BTreeSet<_>, BTreeSet<_>) = (set(fine_first.clone()), set(coarse_first.clone()));
            assert_eq!((left.len(), right.len()), (fine_first.len(), coarse_first.len()));
            assert_eq!(left, right);
        }
    }
}
