//! Of `law::graphs`.

use smoothish_laws::law::graphs::*;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Binary, Graph, NodeOperation, Variable};

#[test]
fn maps_shrink_to_what_makes_them_fail() {
    let [x, y] = [Variable::fresh(), Variable::fresh()];
    let graphs = GraphGenerator { derivative_depth: 1, has_kinks: true };
    let uses = |g: &Graph, f: Binary| {
        graph_nodes(g).iter().any(|node| matches!(node.operation(), NodeOperation::Binary(g, ..) if *g == f))
    };
    let mut shrunk = 0;
    for seed in 0..200 {
        let graph = graphs.draw_graph(&mut SplitMix64::new(seed), &[x, y], 8);
        assert!(graph.free_variables().iter().all(|v| [x, y].contains(v)));
        assert!(graph_neighbours(&graph).iter().all(|g| g.free_variables().iter().all(|v| [x, y].contains(v))));
        if uses(&graph, Binary::Maximum) {
            shrunk += 1;
            // max of two leaves, of which one may be the other
            let least = shrink_graph(graph, |g| uses(g, Binary::Maximum));
            assert!(graph_nodes(&least).len() <= 3, "{seed}");
        }
    }
    assert!(shrunk > 30, "{shrunk}");
}
