//! Of `smooth::algebra`.

use smoothish_ad::smooth::algebra::*;
use std::sync::Arc;

fn adjoin(a: &Algebra, g: AlgebraGenerator) -> Arc<Algebra> {
    a.adjoin(g).expect("a small algebra")
}

#[test]
fn an_algebra_that_would_fill_the_memory_is_refused() {
    let mut algebra = Algebra::real();
    let mut generators = 0;
    while let Some(next) = algebra.adjoin(AlgebraGenerator::Direction(1)) {
        algebra = next;
        generators += 1;
    }
    assert_eq!((generators, algebra.len()), (11, 2048));
    assert!(Algebra::real().adjoin(AlgebraGenerator::Taylor(u32::MAX)).is_none());
}

#[test]
fn an_algebra_that_takes_long_to_build_is_built_once() {
    let a = adjoin(&Algebra::real(), AlgebraGenerator::Taylor(41));
    let b = adjoin(&a, AlgebraGenerator::Taylor(41));
    assert!(b.len() > MOST_KEPT);
    assert!(Arc::ptr_eq(&b, &adjoin(&a, AlgebraGenerator::Taylor(41))));
}

#[test]
fn products_of_a_univariate_algebra_are_the_convolution() {
    let a = adjoin(&Algebra::real(), AlgebraGenerator::Taylor(4));
    assert_eq!(a.len(), 5);
    assert_eq!(
        a.factor_pairs(3).iter().map(|t| (t.left, t.right)).collect::<Vec<_>>(),
        [(0, 3), (1, 2), (2, 1), (3, 0)]
    );
}

#[test]
fn the_smaller_algebra_is_a_prefix() {
    let a = adjoin(&Algebra::real(), AlgebraGenerator::Direction(1));
    let b = adjoin(&a, AlgebraGenerator::Taylor(3));
    assert_eq!(b.power_slice(0), [(0, 0), (1, 1)]);
    assert_eq!(b.power_slice(3), [(0, 6), (1, 7)]);
    assert_eq!(b.factor_pairs(3).len(), 4); // εt = 1·εt = ε·t = t·ε = εt·1
}

#[test]
fn taylor_generators_share_their_degrees() {
    let a = adjoin(&adjoin(&Algebra::real(), AlgebraGenerator::Taylor(3)), AlgebraGenerator::Taylor(3));
    assert_eq!(a.len(), 10); // monomials of total degree ≤ 3 in two variables
    let c = adjoin(&a, AlgebraGenerator::Direction(1));
    assert_eq!(c.len(), 20);
    assert_eq!(c.taylor_generator_count(), 2);
}
