//! Lazy towers.

use smoothish_ad::number::{Context, Double};
use smoothish_ad::smooth::tower::Tower;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic of a primitive within a lazy tower leaves nothing behind: later towers of the thread have their whole depth.
#[test]
fn a_panic_leaves_the_depth_as_it_was() {
    let panics = Tower::<Double>::lazy(1, 1, || panic!("a primitive"));
    for _ in 0..3000 {
        let found = catch_unwind(AssertUnwindSafe(|| panics.value_at(&[Double.enclose_integer(1)], &Double)));
        assert!(found.is_err(), "{found:?}");
    }
    let works = Tower::lazy(1, 1, || Ok(Tower::zero(1, 1)));
    assert!(works.value_at(&[Double.enclose_integer(1)], &Double).is_ok());
}
