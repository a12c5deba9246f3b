//! Compilation of double integrals in the other order.

use super::{CompiledBinder, ProgramCompiler};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::program::Block;
use crate::smooth::program::fubini::{self, CapturingBlock, SwappedIntegral};
use rustc_hash::FxHashMap;

/// The depth of the deepest integrand that gets another order. A choice: nested binders are compiled in either order once,
/// and not anew at each of their levels.
const DEEPEST: u32 = 3;

impl ProgramCompiler {
    /// Compiles the integrand of an integral, with the other order if it has one.
    pub(super) fn compile_integrand(&mut self, v: Variable, body: &Graph) -> CompiledBinder<Block> {
        self.compile_body_with(&[v], body, |compiler, block, captures| {
            let is_possible =
                (2..=DEEPEST).contains(&block.depth) && !compiler.is_for_variables && !compiler.is_swapping;
            if is_possible { compiler.compile_swapped(v, body, captures) } else { None }
        })
    }

    /// Compiles the other order of the integral of `body` over v. Returns `None` if `body` is no integral, or a capture is new.
    fn compile_swapped(&mut self, v: Variable, body: &Graph, captures: &[Graph]) -> Option<Box<SwappedIntegral>> {
        let graphs = fubini::swap_order(v, body, &mut self.binding)?;
        // The end and the length of the part stand behind all captures of the first order.
        let places: FxHashMap<_, _> = captures.iter().chain(&graphs.part).map(Graph::address).zip(0..).collect();
        self.is_swapping = true;
        let mut part = |(parameters, graph): &(Vec<Variable>, Graph)| {
            let (block, captured) = self.compile_block(parameters, std::slice::from_ref(graph), false);
            let places = captured.iter().map(|g| places.get(&g.address()).copied());
            // A capture that the first order does not have could not be supplied.
            places.collect::<Option<_>>().map(|captures| CapturingBlock { block, captures })
        };
        let (integral, integrand) = (part(&graphs.integral), part(&graphs.integrand));
        self.is_swapping = false;
        // The tables go by address, so these nodes must not be freed while compiling.
        self.kept.extend([graphs.integral.1, graphs.integrand.1].into_iter().chain(graphs.part));
        Some(Box::new(SwappedIntegral { integral: integral?, integrand: integrand? }))
    }
}
