//! Mutants of partial maps (A §4, §5).

use crate::meaning::partial::hooks::PartialHooks;

rules! {
    /// The denotational meaning of partial maps.
    Partial {
        Diagonal "partial_diagonal", "a comparison of equal numbers is undefined (A §2)" => "it is true";
        ClosedDomain "partial_closed_domain", "an operation is defined on an open set (A §4)" => "at its edges too";
        LazyLet "partial_lazy_let", "`let x = M in N` is undefined where M is (A Fig. 7)" => "where M is used";
        LazyPair "partial_lazy_pair", "a pair is undefined where one of its parts is (A Fig. 7)" => "a part is where it is used";
        BothBranches "partial_both_branches", "of a conditional one branch has to be defined (A §4)" => "both";
        LevelsOff "partial_levels_off", "µⁿ⁺¹ = F(µⁿ) (A §4)" => "µ⁰ = F(⊥)";
        BottomAnswers "partial_bottom_answers", "µ⁰ is ⊥ (A §4)" => "0";
        OneDirection "partial_one_direction", "each derivative has a direction of its own (A §3)" => "the one that is there";
        Untransposed "partial_untransposed", "`rd f x w` is Jᵗ w (A (4))" => "J w, where J is a square";
        Unrestricted "partial_unrestricted", "f̄ is undefined where f is (A Prop. 4.1)" => "nowhere";
        JoinLeft "partial_join_left", "f ∨ g is whichever is defined (A Prop. 4.2)" => "f";
        NothingForNothing "partial_nothing_for_nothing", "`rd f x 0` is defined where f is (A §4.1)" => "everywhere";
    }
}

impl PartialHooks for Partial {
    fn comparison_on_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn closes_domains(&self) -> bool {
        *self == Self::ClosedDomain
    }
    fn binds_lazily(&self) -> bool {
        *self == Self::LazyLet
    }
    fn pairs_lazily(&self) -> bool {
        *self == Self::LazyPair
    }
    fn runs_both_branches(&self) -> bool {
        *self == Self::BothBranches
    }
    fn approximant_levels(&self, n: u64) -> u64 {
        n + u64::from(*self == Self::LevelsOff)
    }
    fn bottom_value(&self) -> Option<i64> {
        (*self == Self::BottomAnswers).then_some(0)
    }
    fn separates_directions(&self) -> bool {
        *self != Self::OneDirection
    }
    fn transposes_reverse(&self) -> bool {
        *self != Self::Untransposed
    }
    fn restricts_domain(&self) -> bool {
        *self != Self::Unrestricted
    }
    fn joins_both_sides(&self) -> bool {
        *self != Self::JoinLeft
    }
    fn runs_for_zero_cotangent(&self) -> bool {
        *self != Self::NothingForNothing
    }
}
