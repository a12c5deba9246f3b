//! Of `value::nested`.

use smoothish_laws::value::*;

#[derive(Default)]
enum Chain {
    #[default]
    End,
    Link(SharedBox<Chain>),
}

#[test]
fn deep_values_are_dropped() {
    let chain = (0..1_000_000).fold(Chain::End, |rest, _| Chain::Link(SharedBox::new(rest)));
    let Chain::Link(inner) = &chain else { panic!("no link") };
    let kept = inner.clone();
    assert_eq!(kept.storage_address(), inner.storage_address());
    drop(chain);
    assert!(matches!(*kept, Chain::Link(_)));
}
