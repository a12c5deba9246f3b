//! How scopes lie in each other: a tree that grows at its leaves, in which the meet of two scopes is found in logarithmic
//! time.
//!
//! Every node has, besides its parent, an ancestor to jump to; its distance depends on the depth alone, in the skew binary
//! numbers (Myers 1983, *An applicative random-access stack*).

/// The tree. Its nodes are numbers, and each is its own parent until it is put somewhere.
pub struct Nesting {
    around: Vec<usize>,
    jumps: Vec<usize>,
    depths: Vec<u32>,
}

impl Nesting {
    /// So many nodes, each by itself.
    pub fn new(count: usize) -> Self {
        Self { around: (0..count).collect(), jumps: (0..count).collect(), depths: vec![0; count] }
    }

    /// Puts a node that has nothing in it under another, which stays where it is.
    pub fn put(&mut self, inner: usize, outer: usize) {
        let jump = self.jumps[outer];
        let even = self.depths[outer] - self.depths[jump] == self.depths[jump] - self.depths[self.jumps[jump]];
        self.around[inner] = outer;
        self.jumps[inner] = if even { self.jumps[jump] } else { outer };
        self.depths[inner] = self.depths[outer] + 1;
    }

    /// The innermost node around both of two nodes of one tree.
    pub fn meet(&self, mut left: usize, mut right: usize) -> usize {
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
