//! The degree of a compiled block on given sides of its kinks.

use smoothish_ad::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish_ad::smooth::jet::KinkBranch;
use smoothish_ad::smooth::machine::switch::BranchPoint;
use smoothish_ad::smooth::program::CompiledMap;
use smoothish_ad::smooth::solve::analytic::polynomial_degree;

/// |t| has the degree 1 on either side, and none where the side is open; so has the maximum of t and -t.
#[test]
fn a_kink_has_a_degree_on_a_side_only() {
    let t = Variable::fresh();
    let x = Graph::variable(t);
    for kink in [Graph::unary(Unary::Abs, &x), Graph::binary(Binary::Maximum, &x, &Graph::unary(Unary::Negate, &x))] {
        let program = CompiledMap::compile(&[t], &[kink]);
        let of = |side| {
            let index = program.root.instructions.len() - 1;
            polynomial_degree(&program.root, 0, &[(BranchPoint::of_instruction(index), side)])
        };
        assert_eq!([KinkBranch::Left, KinkBranch::Right].map(of), [Some(1); 2]);
        assert_eq!(of(KinkBranch::Undecided), None);
    }
}
