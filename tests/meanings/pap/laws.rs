//! The laws, and what they notice.

use smoothish::law::adequacy::{MAX_CATCH_SAMPLES, PIECES_MUTANTS};
use smoothish::law::pap::generate::draw_sample;
use smoothish::law::pap::{LAWS, PiecesLaw, claims_compose};
use smoothish::meaning::pap::{DefaultPiecewiseHooks, PiecewiseHooks};
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::verdict::Verdict;
use smoothish::wrong::Pap;
use std::sync::Arc;

fn law(name: &str) -> PiecesLaw {
    LAWS.iter().find(|(law, _)| *law == name).unwrap_or_else(|| panic!("{name}")).1
}

/// Every wrong clause is refuted by the laws of its row, and stands in one.
#[test]
fn every_wrong_clause_is_noticed() {
    assert_eq!(Pap::ALL.len(), PIECES_MUTANTS.len());
    for (rule, laws) in PIECES_MUTANTS {
        let rules: Arc<dyn PiecewiseHooks> = Arc::new(*rule);
        for name in *laws {
            let refuted =
                (0..MAX_CATCH_SAMPLES).find(|index| law(name)(SplitMix64::for_sample(3, *index), &rules).is_refuted());
            assert!(refuted.is_some(), "{} is not refuted by {name}", rule.name());
        }
    }
}

/// What `deriv` does is held to what the program does: a derivative that branches as its tangent does is refused.
#[test]
fn derivatives_of_other_pieces_are_refused() {
    let rules: Arc<dyn PiecewiseHooks> = Arc::new(Pap::BranchByTangent);
    let refuted = (0..MAX_CATCH_SAMPLES)
        .find(|index| law("derivatives_are_intensional")(SplitMix64::for_sample(3, *index), &rules).is_refuted());
    assert!(refuted.is_some());
}

/// Programs have borders, recursions and slopes, and half of the points of those with borders lie on one.
#[test]
fn programs_have_what_is_tried() {
    let samples: Vec<_> = (0..500).map(|index| draw_sample(SplitMix64::for_sample(5, index))).collect();
    let count = |what: &dyn Fn(&smoothish::law::pap::generate::PiecewiseSample) -> bool| {
        samples.iter().filter(|s| what(s)).count()
    };
    let moves = |s: &smoothish::law::pap::generate::PiecewiseSample| {
        s.points.iter().any(|x| s.program.eval_dual(x).is_some_and(|dual| dual.slope != 0))
    };
    let found = [count(&|s| s.has_guard), count(&|s| s.has_recursion), count(&moves)];
    assert!(found[0] > 350 && found[1] > 60 && found[2] > 350, "{found:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// X1–X3 of programs with borders: no meaning is refuted, most have borders, recursions and slopes, and near half of the points lie on a
    /// border.
    #[test]
    fn campaigns_have_what_is_tried() {
        use smoothish::law::pap::PiecesTally;
        let mut tally = PiecesTally::default();
        (0..200).for_each(|index| tally.add_program(1, index));
        assert!(tally.refuted.is_empty(), "{:?}", tally.refuted);
        assert!(tally.survived >= 190 && tally.programs == 200, "{tally:?}");
        assert!(tally.branching >= 180 && tally.recursive >= 80 && tally.nonconstant >= 180, "{tally:?}");
        assert!(tally.points == 800 && tally.on_borders >= 280, "{tally:?}");
        // a set that holds the number of the piece, as at the kink of `abs`
        assert!(tally.set_derivatives >= 20 && tally.set_derivatives < tally.on_borders, "{tally:?}");
    }

    /// Claims compose by the chain rule, and by no other: not without a factor, and not by a sum.
    #[test]
    fn other_chain_rules_are_refused() {
        let right: Arc<dyn PiecewiseHooks> = Arc::new(DefaultPiecewiseHooks);
        let refuted = |rule: &dyn Fn(&Graph, &Graph) -> Graph| {
            (0..MAX_CATCH_SAMPLES)
                .find(|index| claims_compose(SplitMix64::for_sample(3, *index), &right, rule).is_refuted())
        };
        let soon =
            |name: &str, refuted: Option<u64>| assert!(refuted.is_some_and(|index| index < 50), "{name}: {refuted:?}");
        soon("dg(f x)", refuted(&|outer, _| outer.clone()));
        soon("df x", refuted(&|_, inner| inner.clone()));
        soon("dg(f x) + df x", refuted(&|outer, inner| Graph::binary(Binary::Add, outer, inner)));
    }

    /// No law is refuted, and each claims something of many programs.
    #[test]
    fn laws_hold() {
        let rules: Arc<dyn PiecewiseHooks> = Arc::new(DefaultPiecewiseHooks);
        for (name, law) in LAWS {
            let mut survived = 0;
            for index in 0..150 {
                let verdict = law(SplitMix64::for_sample(11, index), &rules);
                assert!(!verdict.is_refuted(), "{name} {index}: {verdict}");
                survived += u32::from(verdict == Verdict::Survived);
            }
            assert!(survived >= 60, "{name}: {survived} of 150");
        }
    }
}
