//! The laws of S Prop. 4.5, of the tangent functor and of S Prop. 5.1, on random maps.

use super::support::{q, random_map};
use smoothish::category::{Arrow, Setoid};
use smoothish::law::category as law;
use smoothish::random::SplitMix64;
use smoothish::smooth::map::category::{BasePoint, TangentFunctor, ZeroSection, tangent_of_product};
use smoothish::smooth::map::{Ad, Map, MapTestConfig, coordinates};
use smoothish::verdict::Verdict;
use typenum::{U1, U2, U3};

fn trial() -> MapTestConfig {
    MapTestConfig { sample_points: 8, ..MapTestConfig::default() }
}

struct Maps {
    f: Arrow<Ad, U2, (U1, U2)>,
    g: Arrow<Ad, (U1, U2), U2>,
    h: Arrow<Ad, U2, U1>,
}

fn maps(seed: u64, kinks: bool) -> Maps {
    let mut random = SplitMix64::new(seed);
    let mut two = || random_map::<U2, 2>(&mut random, kinks);
    let f: Map<U2, (U1, U2)> = two().pair(&Map::tuple(&[two(), two()]).unwrap());
    let h = two();
    let mut three = || random_map::<U3, 3>(&mut random, kinks).reshape::<(U1, U2), U1>();
    let g = Map::tuple(&[three(), three()]).unwrap();
    Maps { f: Arrow(f), g: Arrow(g), h: Arrow(h) }
}

/// No law is refuted, and on smooth maps none is vacuous.
#[track_caller]
fn holds(verdict: Verdict, kinks: bool) {
    assert!(verdict == Verdict::Survived || (kinks && verdict == Verdict::Vacuous), "{verdict}");
}

#[test]
fn smoothish_maps_are_a_cartesian_category() {
    let trial = trial();
    for seed in 0..12 {
        let kinks = seed % 2 == 1;
        let Maps { f, g, h } = maps(seed, kinks);
        holds(law::identity(&f, &trial).unwrap(), kinks);
        holds(law::associativity(&f, &g, &h, &trial).unwrap(), kinks);
        holds(law::product_beta(&f, &h, &trial).unwrap(), kinks);
        holds(law::product_eta::<Ad, U2, U1, U2>(&f, &trial).unwrap(), kinks);
        holds(law::product_fusion(&g, &f, &h, &trial).unwrap(), kinks);
    }
}

/// The composition law of the tangent functor is the chain rule.
#[test]
fn the_tangent_functor_is_one_and_has_a_base_point() {
    let trial = trial();
    holds(law::functor_identity::<TangentFunctor, (U1, U2)>(&trial).unwrap(), false);
    for seed in 20..28 {
        let kinks = seed % 2 == 1;
        let Maps { f, g, .. } = maps(seed, kinks);
        holds(law::functor_composition::<TangentFunctor, _, _, _>(&f, &g, &trial).unwrap(), kinks);
        holds(law::naturality::<BasePoint, _, _>(&f, &trial).unwrap(), kinks);
        holds(law::naturality::<ZeroSection, _, _>(&f, &trial).unwrap(), kinks);
    }
}

#[test]
fn the_tangents_of_a_product_are_pairs_of_tangents() {
    let iso = tangent_of_product::<U2, U1>();
    holds(law::isomorphism(&iso, &trial()).unwrap(), false);
    assert_eq!(iso.to.to_string(), "\\x0 x1 x2 x3 x4 x5 => (x0, x1, x3, x4, x2, x5)");
    holds(law::isomorphism(&iso.inverse(), &trial()).unwrap(), false);
}

/// The comparison has teeth: a difference of 2⁻³⁰·x is told apart, with both sides.
#[test]
fn maps_that_differ_are_refuted_with_both_sides() {
    let [x, y] = coordinates::<U2, 2>();
    let product = &x * &y;
    let verdict = Ad::agree::<U2, U1>(&product, &(&product + &x * q(1, 1 << 30)), &trial()).unwrap();
    let Verdict::Refuted { witness, left, right } = &verdict else { panic!("{verdict}") };
    assert!(witness.contains("x = (") && left != right, "{verdict}");
    // |x| in two ways; and x, which differs on one side only
    let half = x.max(&(-&x));
    assert_eq!(Ad::agree::<U2, U1>(&half, &x.abs(), &trial()).unwrap(), Verdict::Survived);
    assert!(Ad::agree::<U2, U1>(&half, &x, &trial()).unwrap().is_refuted());
}

/// ⊥ agrees with everything, and is not counted as agreement.
#[test]
fn nowhere_defined_maps_agree_vacuously() {
    let [x, y] = coordinates::<U2, 2>();
    let nowhere = (&x / (&x - &x)) + &y;
    assert_eq!(Ad::agree::<U2, U1>(&nowhere, &x, &trial()).unwrap(), Verdict::Vacuous);
}
