//! Of `model::universe::depth`.

use smoothish_laws::model::universe::depth::*;

#[test]
fn what_is_refused_is_not_entered() {
    let depth = Depth::default();
    assert!(depth.enter(Depth::MOST) && !depth.enter(1));
    depth.leave(Depth::MOST);
    assert!(!depth.enter(Depth::MOST + 1) && depth.enter(Depth::MOST));
}
