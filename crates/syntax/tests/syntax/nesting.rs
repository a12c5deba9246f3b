//! Of `syntax::nesting`.

use smoothish_syntax::random::SplitMix64;
use smoothish_syntax::syntax::term::*;

/// Against climbing one by one, on random trees, deep ones among them.
#[test]
fn meets_are_those_found_by_climbing() {
    for seed in 0..40 {
        let mut random = SplitMix64::new(seed);
        let count = 2 + random.next_below(400);
        let mut nesting = ScopeTree::new(count);
        let mut parents = vec![0];
        for node in 1..count {
            let back = 1 + random.next_below(if seed % 2 == 0 { 2 } else { node });
            parents.push(node - back.min(node));
            nesting.attach_child(node, parents[node]);
        }
        for _ in 0..200 {
            let (left, right) = (random.next_below(count), random.next_below(count));
            let (mut a, mut b) = (left, right);
            while a != b {
                let inner = if a > b { &mut a } else { &mut b };
                *inner = parents[*inner];
            }
            assert_eq!(nesting.lowest_common_ancestor(left, right), a, "{seed}: {left} and {right} of {parents:?}");
        }
    }
}
