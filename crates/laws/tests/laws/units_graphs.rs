//! Of `law::graphs`.

use smoothish_laws::law::graphs::*;
use smoothish_laws::random::Random;
use smoothish_laws::smooth::graph::{Binary, Graph, Operation, Variable};

#[test]
fn maps_shrink_to_what_makes_them_fail() {
    let [x, y] = [Variable::fresh(), Variable::fresh()];
    let graphs = Graphs { derivatives: 1, edges: true };
    let uses = |g: &Graph, f: Binary| {
        nodes(g).iter().any(|node| matches!(node.operation(), Operation::Binary(g, ..) if *g == f))
    };
    let mut shrunk = 0;
    for seed in 0..200 {
        let graph = graphs.draw(&mut Random::new(seed), &[x, y], 8);
        assert!(graph.free().iter().all(|v| [x, y].contains(v)));
        assert!(neighbours(&graph).iter().all(|g| g.free().iter().all(|v| [x, y].contains(v))));
        if uses(&graph, Binary::Maximum) {
            shrunk += 1;
            // max of two leaves, of which one may be the other
            let least = smallest(graph, |g| uses(g, Binary::Maximum));
            assert!(nodes(&least).len() <= 3, "{seed}");
        }
    }
    assert!(shrunk > 30, "{shrunk}");
}
