//! Maps made of very many nodes within each other: built, compiled, printed, drawn, copied and dropped on a small stack.

use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::smooth::error::SmoothError;
use smoothish::smooth::graph::{Binary, Graph, SecondOrder, Unary, Variable};
use smoothish::smooth::map::{Map, MapError, coordinates};
use smoothish::smooth::program::{Block, CompiledMap};
use typenum::U1;

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

/// `body` under so many binders, each of which uses the variable of the one outside.
fn nested(levels: u32, binder: fn(Variable, Graph, &Graph) -> Graph, point: &Graph) -> Graph {
    (0..levels).fold(Graph::unary(Unary::Abs, point), |body, _| {
        let v = Variable::fresh();
        let at = Graph::variable(v);
        let body = Graph::binary(Binary::Multiply, &at, &body);
        binder(v, body, point)
    })
}

fn derivative(v: Variable, body: Graph, at: &Graph) -> Graph {
    Graph::derivative(vec![v], body, vec![at.clone()], vec![Graph::integer(1)])
}

fn integral(v: Variable, body: Graph, _: &Graph) -> Graph {
    Graph::second_order(SecondOrder::Integral, v, body)
}

/// What lies too deep to be run says so, and how deep; one level less is run.
#[test]
fn blocks_deeper_than_any_algebra_are_refused() {
    on_a_small_stack(|| {
        let value = |levels: u32| {
            // each derivative varies with the one outside, as in the derivatives of order n of one function
            let mut v = Variable::fresh();
            let mut graph = Graph::binary(Binary::Multiply, &Graph::variable(v), &Graph::variable(v));
            for level in (0..levels).rev() {
                let outer = Variable::fresh();
                let at = if level == 0 { Graph::integer(3) } else { Graph::variable(outer) };
                graph = Graph::derivative(vec![v], graph, vec![at], vec![Graph::integer(1)]);
                v = outer;
            }
            graph.to_real().unwrap().enclose(&Rational::from((1, 1000)), &Budget::unlimited())
        };
        let most = Block::DEEPEST;
        assert!(value(most - 1).unwrap().enclosure.contains(&Rational::new()));
        let refused = value(most).unwrap_err();
        assert!(
            matches!(refused, SmoothError::Nesting { depth, most: m } if depth == most + 1 && m == most),
            "{refused}"
        );
    });
}

#[test]
fn deep_maps_are_printed_drawn_and_asked() {
    on_a_small_stack(|| {
        let [x]: [Map<U1, U1>; 1] = coordinates();
        let mut map = x.sin();
        for _ in 0..5_000 {
            map = map.sin() + &map;
        }
        assert!(map.to_string().len() > 5_000 && map.picture().len() == 2 * 5_000 + 3);
        drop(map);
        let mut deep = x.exp();
        for _ in 0..Block::DEEPEST {
            deep = deep.derivative();
        }
        assert!(deep.to_string().contains('…'));
        let refused = deep.at([Rational::from(1)]).enclose(&Rational::from((1, 9)), &Budget::unlimited());
        assert!(matches!(refused, Err(MapError::Smooth(SmoothError::Nesting { .. }))), "{refused:?}");
    });
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn binders_lie_in_each_other_to_any_depth() {
        on_a_small_stack(|| {
            for binder in [derivative, integral] {
                // with a variable from outside nothing is known before the map is run
                let x = Variable::fresh();
                let graph = nested(50_000, binder, &Graph::variable(x));
                let other = graph.substitute(&[(x, Graph::integer(2))]);
                drop(graph.clone());
                let program = CompiledMap::compile(&[x], std::slice::from_ref(&graph));
                drop(graph);
                drop(program);
                assert!(other.free_variables().is_empty());
                drop(other.to_real());
            }
        });
    }
}
