//! Trusted primitives: the primitives from outside that a map mentions, whose enclosures are assumed.

use super::Map;
use super::untyped::Untyped;
use crate::smooth::dimension::Shape;
use crate::smooth::graph::{Graph, Operation};
use crate::smooth::primitive::Primitive;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the operands of an operation, and the body of a binder.
pub(super) fn parts(operation: &Operation) -> Vec<&Graph> {
    operation.parts().into_iter().chain(operation.binder().map(|(_, body)| body)).collect()
}

/// Names for the primitives from outside of one map. Of several with one name the second registered is called `name'2`,
/// the third `name'3`. No primitive can be registered under such a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(FxHashMap<u64, String>);

impl Names {
    /// Collects the primitives that graphs mention.
    pub(super) fn of(graphs: &[Graph]) -> Self {
        let mut found: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<&Graph> = graphs.iter().collect();
        while let Some(g) = open.pop() {
            if !seen.insert(g.address()) {
                continue;
            }
            if let Operation::Primitive(p, _) = g.operation() {
                found.entry(&p.name).or_default().insert(p.serial);
            }
            open.extend(parts(g.operation()));
        }
        // serials are sorted, so the numbers follow the order of registration
        let numbered = |name: &str, i: usize| if i == 0 { name.to_owned() } else { format!("{name}'{}", i + 1) };
        let each = found.into_iter().flat_map(|(name, serials)| {
            serials.into_iter().enumerate().map(move |(i, serial)| (serial, numbered(name, i)))
        });
        Self(each.collect())
    }

    /// Returns the name of a primitive.
    pub(super) fn get<'a>(&'a self, p: &'a Primitive) -> &'a str {
        self.0.get(&p.serial).unwrap_or(&p.name)
    }

    /// Returns `true` if `name` is the name of a primitive.
    pub(super) fn contain(&self, name: &str) -> bool {
        self.0.values().any(|taken| taken == name)
    }
}

impl Untyped {
    /// Returns the names of the primitives from outside that the map mentions, in alphabetical order. Of several
    /// registered under one name, the second is `name'2`, the third `name'3`.
    #[must_use]
    pub fn trusted(&self) -> Vec<String> {
        let mut names: Vec<_> = Names::of(self.outputs()).0.into_values().collect();
        names.sort();
        names
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// Returns the names of the primitives from outside that the map mentions. Its answers assume their enclosures and
    /// derivatives. Of several with one name, in the order of registration, the second is `name'2`, the third `name'3`,
    /// as in print. Empty for a map made of the library's own operations.
    #[must_use]
    pub fn trusted(&self) -> Vec<String> {
        self.untyped.trusted()
    }
}
