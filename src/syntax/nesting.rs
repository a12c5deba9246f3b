//! How scopes lie in each other: a tree that grows at its leaves, in which the meet of two scopes is found in logarithmic
//! time.
//!
//! Every node has, besides its parent, an ancestor to jump to; its distance depends on the depth alone, in the skew binary
//! numbers (Myers 1983, *An applicative random-access stack*).

/// The tree. Its nodes are numbers, and each is its own parent until it is put somewhere.
pub(crate) struct Nesting {
    around: Vec<usize>,
    jumps: Vec<usize>,
    depths: Vec<u32>,
}

impl Nesting {
    /// So many nodes, each by itself.
    pub(crate) fn new(count: usize) -> Self {
        Self { around: (0..count).collect(), jumps: (0..count).collect(), depths: vec![0; count] }
    }

    /// Puts a node that has nothing in it under another, which stays where it is.
    pub(crate) fn put(&mut self, inner: usize, outer: usize) {
        let jump = self.jumps[outer];
        let even = self.depths[outer] - self.depths[jump] == self.depths[jump] - self.depths[self.jumps[jump]];
        self.around[inner] = outer;
        self.jumps[inner] = if even { self.jumps[jump] } else { outer };
        self.depths[inner] = self.depths[outer] + 1;
    }

    /// The innermost node around both of two nodes of one tree.
    pub(crate) fn meet(&self, mut left: usize, mut right: usize) -> usize {
        if self.depths[left] < self.depths[right] {
            (left, right) = (right, left);
        }
        while self.depths[left] > self.depths[right] {
            let jump = self.jumps[left];
            left = if self.depths[jump] < self.depths[right] { self.around[left] } else { jump };
        }
        while left != right {
            let jumps = (self.jumps[left], self.jumps[right]);
            (left, right) = if jumps.0 == jumps.1 { (self.around[left], self.around[right]) } else { jumps };
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Against climbing one by one, on random trees, deep ones among them.
    #[test]
    fn meets_are_those_found_by_climbing() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(400);
            let mut nesting = Nesting::new(count);
            let mut parents = vec![0];
            for node in 1..count {
                let back = 1 + random.below(if seed % 2 == 0 { 2 } else { node });
                parents.push(node - back.min(node));
                nesting.put(node, parents[node]);
            }
            for _ in 0..200 {
                let (left, right) = (random.below(count), random.below(count));
                let (mut a, mut b) = (left, right);
                while a != b {
                    let inner = if a > b { &mut a } else { &mut b };
                    *inner = parents[*inner];
                }
                assert_eq!(nesting.meet(left, right), a, "{seed}: {left} and {right} of {parents:?}");
            }
        }
    }
}
