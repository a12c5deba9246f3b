//! Trusted primitives: the primitives from outside that a map mentions, whose enclosures are assumed.

use super::Map;
use super::untyped::DynMap;
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Graph, NodeOperation};
use crate::smooth::primitive::Primitive;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the operands of an operation, and the body of a binder.
pub(super) fn operands_and_body(operation: &NodeOperation) -> Vec<&Graph> {
    operation.operands().into_iter().chain(operation.binder().map(|(_, body)| body)).collect()
}

/// Names for the primitives from outside of one map. Of several with one name the second registered is called `name'2`,
/// the third `name'3`. No primitive can be registered under such a name.
#[derive(Clone, Debug, Default)]
pub(super) struct PrimitiveNames(FxHashMap<u64, String>);

impl PrimitiveNames {
    /// Collects the primitives that graphs mention.
    pub(super) fn of_graphs(graphs: &[Graph]) -> Self {
        let mut found: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<&Graph> = graphs.iter().collect();
        while let Some(g) = open.pop() {
            if !seen.insert(g.address()) {
                continue;
            }
            if let NodeOperation::Primitive(p, _) = g.operation() {
                found.entry(&p.name).or_default().insert(p.serial);
            }
            open.extend(operands_and_body(g.operation()));
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
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.values().any(|taken| taken == name)
    }
}

impl DynMap {
    /// Returns the names of the primitives from outside that the map mentions, in alphabetical order. Of several
    /// registered under one name, the second is `name'2`, the third `name'3`.
    #[must_use]
    pub fn trusted_primitives(&self) -> Vec<String> {
        let mut names: Vec<_> = PrimitiveNames::of_graphs(self.outputs()).0.into_values().collect();
        names.sort();
        names
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the names of the primitives from outside that the map mentions. Its answers assume their enclosures and
    /// derivatives. Of several with one name, in the order of registration, the second is `name'2`, the third `name'3`,
    /// as in print. Empty for a map made of the library's own operations.
    #[must_use]
    pub fn trusted_primitives(&self) -> Vec<String> {
        self.as_dyn.trusted_primitives()
    }
}
