//! Of `value::sequence`.

use smoothish_laws::value::*;

#[test]
fn ends_are_shared() {
    let end: SharedList<i32> = (2..4).collect();
    let (left, right) = (end.with_head(1), end.with_head(0));
    assert_eq!(left.iter().copied().collect::<Vec<_>>(), [1, 2, 3]);
    drop(left);
    assert_eq!(right.iter().copied().collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(right.split_first().map(|(head, rest)| (*head, rest.iter().count())), Some((0, 2)));
}

#[test]
fn folds_begin_at_the_end() {
    let list: SharedList<i32> = [10, 3, 2].into_iter().collect();
    assert_eq!(list.try_fold_right(1, |x, rest| Ok::<_, ()>(x - rest)), Ok(10 - (3 - (2 - 1))));
    assert_eq!(list.try_fold_right(1, |x, _| if *x == 3 { Err("three") } else { Ok(0) }), Err("three"));
}

#[test]
fn long_lists_are_dropped() {
    let list: SharedList<u64> = (0..2_000_000).collect();
    assert_eq!(list.try_fold_right(0, |x, sum| Ok::<_, ()>(x + sum)), Ok(1_999_999 * 1_000_000));
}
