//! Of `model::universe::depth`.

use smoothish_laws::model::universe::*;

#[test]
fn what_is_refused_is_not_entered() {
    let depth = RecursionDepth::default();
    assert!(depth.enter_levels(RecursionDepth::MAX_LEVELS) && !depth.enter_levels(1));
    depth.leave_levels(RecursionDepth::MAX_LEVELS);
    assert!(!depth.enter_levels(RecursionDepth::MAX_LEVELS + 1) && depth.enter_levels(RecursionDepth::MAX_LEVELS));
}
