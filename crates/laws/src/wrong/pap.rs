//! Mutants of piecewise programs (W).

use crate::meaning::pap::hooks::PiecewiseHooks;
use crate::pieces::SignTest;
use crate::smooth::graph::{Graph, Variable};
use crate::value::{UndefinedCause, UndefinedValue};

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

impl PiecewiseHooks for Pap {
    fn test_to_ask(&self, test: SignTest) -> SignTest {
        // borders belong to the other side
        match (self, test) {
            (Self::TestBorder, SignTest::Positive) => SignTest::NonNegative,
            _ => test,
        }
    }
    fn substitute_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
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
    fn follows_both_answers(&self) -> bool {
        *self != Self::ReplayForgets
    }
    fn reports_frontier(&self) -> bool {
        *self != Self::FrontierDropped
    }
    fn fuel_error(&self, found: UndefinedValue) -> UndefinedValue {
        match self {
            Self::FuelIsUndefined => UndefinedValue {
                operation: found.operation,
                ..UndefinedValue::of_operation(UndefinedCause::Domain, "a recursion")
            },
            _ => found,
        }
    }
}
