//! Of `syntax::name`.

use smoothish::syntax::name::*;

#[test]
fn near_misses_are_found_and_far_ones_are_not() {
    let names = ["relu", "deriv", "integral01", "tangent_R", "twice", "x"];
    let near = |name: &str| nearest(name, names.into_iter());
    assert_eq!(near("rleu"), Some("relu"));
    assert_eq!(near("dervi"), Some("deriv"));
    assert_eq!(near("integral"), Some("integral01"));
    assert_eq!(near("tangentR"), Some("tangent_R"));
    assert_eq!(near("Twice"), Some("twice"));
    assert_eq!(near("X"), Some("x"));
    assert_eq!(near("y"), None);
    assert_eq!(near("hausdorff"), None);
    assert_eq!(near(&"a".repeat(1000)), None);
}
