//! Of `number::budget`.

use smoothish_number::number::budget::*;
use std::time::Duration;

#[test]
fn long_work_is_not_begun_without_the_time() {
    let hour = Budget::within(Duration::from_secs(3600));
    assert!(hour.spend(LONG) && !hour.spend(u64::MAX / 2) && hour.is_exhausted());
    // work without a clock has its limit alone
    let budget = Budget::new(u64::MAX, None, None);
    assert!(budget.spend(u64::MAX / 2) && budget.work_done() == u64::MAX / 2);
    assert!(!Budget::new(LONG, None, None).spend(LONG + 1));
}
