//! Mutants of piecewise programs (W).

use crate::meaning::pap::hooks::Hooks;
use crate::pieces::Test;
use crate::smooth::graph::{Graph, Variable};
use crate::value::{Cause, Undefined};

rules! {
    /// Programs in pieces.
    Pap {
        TestBorder "test_border", "x < y is false for x = y (W §2.1)" => "true";
        BranchByTangent "branch_by_tangent", "a derivative branches as the primal point does (W §3.3)" => "as the tangent does";
        ReplayForgets "replay_forgets", "both answers to a guard are followed (W §2.1)" => "one of them";
        FrontierDropped "frontier_dropped", "what was not unfolded is told (W §3.2)" => "nothing of it";
        DomainConditionLost "domain_condition_lost", "a map is defined around its piece (W §2.1)" => "what an operation needs is not asked";
        AbsSmooth "abs_smooth", "abs is two pieces (W §2.1)" => "one map, of which a piece may have a kink inside";
        FuelIsUndefined "fuel_is_undefined", "that fuel is used up says nothing (W §3.2)" => "there is no value";
    }
}

impl Hooks for Pap {
    fn test(&self, test: Test) -> Test {
        // borders belong to the other side
        match (self, test) {
            (Self::TestBorder, Test::Positive) => Test::NonNegative,
            _ => test,
        }
    }
    fn at_the_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
        match self {
            // branching by the derivative of the guard along the line, in place of its value
            Self::BranchByTangent => {
                Graph::derivative(vec![v], graph.clone(), vec![at.clone()], vec![Graph::integer(1)])
            }
            _ => graph.substitute(&[(v, at.clone())]),
        }
    }
    fn keeps_conditions(&self) -> bool {
        *self != Self::DomainConditionLost
    }
    fn forks_at_kinks(&self) -> bool {
        *self != Self::AbsSmooth
    }
    fn follows_both(&self) -> bool {
        *self != Self::ReplayForgets
    }
    fn tells_the_rest(&self) -> bool {
        *self != Self::FrontierDropped
    }
    fn fuel(&self, found: Undefined) -> Undefined {
        match self {
            Self::FuelIsUndefined => {
                Undefined { operation: found.operation, ..Undefined::of(Cause::Domain, "a recursion") }
            }
            _ => found,
        }
    }
}
