//! Of `number::budget`.

use smoothish_number::number::Enclosure;
use smoothish_number::number::budget::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

#[test]
fn long_work_is_not_begun_without_the_time() {
    let hour = Budget::with_time_limit(Duration::from_secs(3600));
    assert!(hour.spend(LONG_WORK) && !hour.spend(u64::MAX / 2) && hour.is_exhausted());
    // work without a clock has its limit alone
    let budget = Budget::new(u64::MAX, None, None);
    assert!(budget.spend(u64::MAX / 2) && budget.work_done() == u64::MAX / 2);
    assert!(!Budget::new(LONG_WORK, None, None).spend(LONG_WORK + 1));
}

/// Counts what it is told.
#[derive(Debug, Default)]
struct Counting {
    working: AtomicUsize,
    improved: AtomicUsize,
}

impl BudgetObserver for Counting {
    fn on_work(&self) {
        self.working.fetch_add(1, Ordering::Relaxed);
    }

    fn on_improvement(&self, _: &Enclosure) {
        self.improved.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_part_is_watched_and_interrupted_as_the_whole() {
    let (interrupt, observer) = (Arc::new(AtomicBool::new(false)), Arc::new(Counting::default()));
    let whole = Budget::new(u64::MAX, None, Some(interrupt.clone())).with_observer(observer.clone());
    let part = whole.for_part(1_000, None).for_part(500, Some(Duration::from_secs(3600)));
    assert!(part.spend(10) && observer.working.load(Ordering::Relaxed) > 0);
    // what a part finds is not what the whole has found
    part.report_improvement(&Enclosure::bottom());
    assert_eq!(observer.improved.load(Ordering::Relaxed), 0);
    // its work is its own
    assert!(!part.spend(1_000) && whole.spend(1) && whole.work_done() == 1);
    interrupt.store(true, Ordering::Relaxed);
    assert!(whole.is_exhausted() && whole.for_part(u64::MAX, None).is_exhausted());
}
