//! Of `smooth::tower::partitions`.

use smoothish_ad::smooth::tower::graph::*;
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
