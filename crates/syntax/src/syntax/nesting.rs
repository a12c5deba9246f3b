//! A tree of scopes that grows at its leaves, with lowest common ancestors in logarithmic time.
//!
//! Every node stores its parent and an ancestor to jump to. The length of the jump depends on the depth alone, in skew
//! binary numbers (Myers 1983, *An applicative random-access stack*).

/// A forest of scopes. Its nodes are numbers, and each is a root until [`ScopeTree::attach_child`] attaches it.
pub struct ScopeTree {
    parents: Vec<usize>,
    jumps: Vec<usize>,
    depths: Vec<u32>,
}

impl ScopeTree {
    /// Makes `count` nodes, each of them a root.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), jumps: (0..count).collect(), depths: vec![0; count] }
    }

    /// Attaches the root `inner`, which has no children yet, as a child of `outer`.
    pub fn attach_child(&mut self, inner: usize, outer: usize) {
        let jump = self.jumps[outer];
        // Skew binary addition: two jumps of equal length merge into one of twice the length plus one.
        let even = self.depths[outer] - self.depths[jump] == self.depths[jump] - self.depths[self.jumps[jump]];
        self.parents[inner] = outer;
        self.jumps[inner] = if even { self.jumps[jump] } else { outer };
        self.depths[inner] = self.depths[outer] + 1;
    }

    /// Returns the lowest common ancestor of two nodes. Both must lie in one tree; otherwise the search does not end.
    pub fn lowest_common_ancestor(&self, mut left: usize, mut right: usize) -> usize {
        if self.depths[left] < self.depths[right] {
            (left, right) = (right, left);
        }
        // First bring the deeper node to the depth of the other. A jump that passes this depth is too long.
        while self.depths[left] > self.depths[right] {
            let jump = self.jumps[left];
            left = if self.depths[jump] < self.depths[right] { self.parents[left] } else { jump };
        }
        // At equal depths both jumps are equally long. Equal targets may lie above the answer, so only one step is
        // safe.
        while left != right {
            let jumps = (self.jumps[left], self.jumps[right]);
            (left, right) = if jumps.0 == jumps.1 { (self.parents[left], self.parents[right]) } else { jumps };
        }
        left
    }
}
