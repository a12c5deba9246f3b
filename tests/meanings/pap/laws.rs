//! The kinds of programs that the laws draw.

use smoothish::law::generate::program::{DrawnProgram, draw_pieces_sample};
use smoothish::random::SplitMix64;

/// Programs have borders, recursions and slopes, and half of the points of those with borders lie on one.
#[test]
fn programs_have_what_is_tried() {
    let samples: Vec<_> = (0..500).map(|index| draw_pieces_sample(SplitMix64::for_sample(5, index))).collect();
    let count = |what: &dyn Fn(&DrawnProgram) -> bool| samples.iter().filter(|s| what(s)).count();
    let moves = |s: &DrawnProgram| s.points.iter().any(|x| s.program.observe(x).moves());
    let found = [count(&|s| s.program.features().guard), count(&|s| s.program.features().recursion), count(&moves)];
    assert!(found[0] > 350 && found[1] > 60 && found[2] > 350, "{found:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    /// X1–X3 of programs with borders: no meaning is refuted, most have borders, recursions and slopes, and near half of the points lie on a
    /// border.
    #[test]
    fn campaigns_have_what_is_tried() {
        use smoothish::law::pap::PiecesTally;
        let mut tally = PiecesTally::default();
        (0..crate::drawn(200)).for_each(|index| tally.add_program(1, index));
        assert!(tally.refuted.is_empty(), "{:?}", tally.refuted);
        let share = crate::drawn;
        assert!(tally.survived >= share(190) && tally.programs == share(200), "{tally:?}");
        assert!(
            tally.branching >= share(180) && tally.recursive >= share(80) && tally.nonconstant >= share(180),
            "{tally:?}"
        );
        assert!(tally.points == share(800) && tally.on_borders >= share(280), "{tally:?}");
        // a set that holds the number of the piece, as at the kink of `abs`
        assert!(tally.set_derivatives >= share(20) && tally.set_derivatives < tally.on_borders, "{tally:?}");
    }
}
