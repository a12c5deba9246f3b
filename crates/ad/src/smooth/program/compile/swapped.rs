//! The other order of an integral of an integral, compiled beside it.

use super::{Compiled, Compiler};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::program::Block;
use crate::smooth::program::fubini::{self, Part, Swapped};
use rustc_hash::FxHashMap;

/// The deepest integrand of which there is another order: binders within each other are compiled in either order once, and not at each of
/// their levels anew.
const DEEPEST: u32 = 3;

impl Compiler {
    /// The block of the integrand of an integral.
    pub(super) fn integrand(&mut self, v: Variable, body: &Graph) -> Compiled<Block> {
        self.body_with(&[v], body, |compiler, block, captures| {
            let is_possible =
                (2..=DEEPEST).contains(&block.depth) && !compiler.is_for_variables && !compiler.is_swapping;
            if is_possible { compiler.swapped(v, body, captures) } else { None }
        })
    }

    /// The other order of an integral over a variable, if its integrand is one too, by the captures of that.
    fn swapped(&mut self, v: Variable, body: &Graph, captures: &[Graph]) -> Option<Box<Swapped>> {
        let graphs = fubini::graphs(v, body, &mut self.binding)?;
        let places: FxHashMap<_, _> = captures.iter().chain(&graphs.part).map(Graph::address).zip(0..).collect();
        self.is_swapping = true;
        let mut part = |(parameters, graph): &(Vec<Variable>, Graph)| {
            let (block, captured) = self.block(parameters, std::slice::from_ref(graph), false);
            let places = captured.iter().map(|g| places.get(&g.address()).copied());
            places.collect::<Option<_>>().map(|captures| Part { block, captures })
        };
        let (integral, integrand) = (part(&graphs.integral), part(&graphs.integrand));
        self.is_swapping = false;
        // the addresses of nodes that are made here must not be used again
        self.kept.extend([graphs.integral.1, graphs.integrand.1].into_iter().chain(graphs.part));
        Some(Box::new(Swapped { integral: integral?, integrand: integrand? }))
    }
}
