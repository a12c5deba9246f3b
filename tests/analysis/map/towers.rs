//! The literal towers of S §4 as a category, and against the jets.

use super::support::{q, random_map, vector};
use smoothish::category::{Arrow, Setoid};
use smoothish::law::category as law;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::smooth::dimension::Dim;
use smoothish::smooth::map::category::JetTowerFunctor;
use smoothish::smooth::map::{Map, MapError, MapTestConfig, TowerCategory, TypedTower, coordinates};
use smoothish::smooth::tower::{LinearMap, Tower};
use smoothish::verdict::Verdict;
use typenum::{Const, ToUInt, U1, U2, U3};

fn trial() -> MapTestConfig {
    MapTestConfig { sample_points: 5, precisions: vec![128], ..MapTestConfig::default() }
}

fn arrow<A: smoothish::category::ObjectName<TowerCategory>, B: smoothish::category::ObjectName<TowerCategory>>(
    f: TypedTower<A, B>,
) -> Arrow<TowerCategory, A, B> {
    Arrow(f)
}

fn tower<const K: usize, N: Dim>(random: &mut SplitMix64, kinks: bool) -> TypedTower<N, U1>
where
    Const<K>: ToUInt<Output = N>,
{
    random_map::<N, K>(random, kinks).tower().unwrap()
}

#[test]
fn towers_are_a_cartesian_category_up_to_overlap() {
    let trial = trial();
    for seed in 0..6 {
        let kinks = seed % 2 == 1;
        let mut random = SplitMix64::new(seed);
        let f = random_map::<U2, 2>(&mut random, kinks).pair(&random_map::<U2, 2>(&mut random, kinks));
        let f: Arrow<TowerCategory, U2, (U1, U1)> = arrow(f.tower().unwrap());
        let g = arrow(random_map::<U2, 2>(&mut random, kinks).reshape::<(U1, U1), U1>().tower().unwrap());
        let h: Arrow<TowerCategory, U1, U1> = arrow(tower::<1, U1>(&mut random, kinks));
        let e: Arrow<TowerCategory, U2, U1> = arrow(tower::<2, U2>(&mut random, kinks));
        let verdicts = [
            law::identity(&f, &trial),
            law::associativity(&f, &g, &h, &trial),
            law::product_beta(&f, &e, &trial),
            law::product_eta::<TowerCategory, U2, U1, U1>(&f, &trial),
            law::product_fusion(&e, &h, &h, &trial),
        ];
        for verdict in verdicts {
            let verdict = verdict.unwrap();
            assert!(verdict == Verdict::Survived || (kinks && verdict == Verdict::Vacuous), "{seed}: {verdict}");
        }
    }
}

/// E43: relu; ⟨id, id⟩; (-) at 0. One bracketing says [-1, 1]; the other composes the linear parts first, exactly, and says
/// {0}: not equal, and not disjoint.
#[test]
fn composition_of_towers_is_associative_only_up_to_overlap() {
    let x = Map::<U1, U1>::id();
    let [a, b] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let twice: Arrow<TowerCategory, U1, (U1, U1)> = arrow(x.pair(&x).tower().unwrap());
    let minus: Arrow<TowerCategory, (U1, U1), U1> = arrow((&a - &b).tower().unwrap());
    let relu: Arrow<TowerCategory, U1, U1> = arrow(x.relu().tower().unwrap());
    let inner = LinearMap::select(1, [0, 0]).then(&LinearMap::difference(1)).unwrap();
    let inner: Arrow<TowerCategory, U1, U1> = arrow(Map::linear(&inner).unwrap().tower().unwrap());
    assert_eq!(twice.then(&minus).agrees(&inner, &trial()).unwrap(), Verdict::Survived);
    let (left, right) = (relu.then(&twice).then(&minus).0, relu.then(&inner).0);
    let slope = |t: &TypedTower<U1, U1>| t.derivative_at(&vector(&[0]), &[vector(&[1])], 64).unwrap().remove(0);
    assert_eq!((slope(&left).to_string(), slope(&right).to_string()), ("[-1, 1]".into(), "0".into()));
    let trial = trial();
    assert!(!TowerCategory::agree::<U1, U1>(&left, &right, &trial).unwrap().is_refuted());
    // the graphs are the same graph, however they are bracketed
    let maps =
        [Map::<U1, U1>::id().relu().then(&x.pair(&x)).then(&(&a - &b)), x.relu().then(&x.pair(&x).then(&(&a - &b)))];
    assert_eq!(maps[0].to_string(), maps[1].to_string());
}

/// Jets compose by Faà di Bruno's formula: the functor law, to order 3.
#[test]
fn jets_compose_like_towers() {
    let trial = MapTestConfig { order: 3, ..trial() };
    for seed in 40..46 {
        let mut random = SplitMix64::new(seed);
        let f = Arrow(random_map::<U2, 2>(&mut random, false).pair(&random_map::<U2, 2>(&mut random, false)));
        let g = Arrow(random_map::<U2, 2>(&mut random, false).reshape::<(U1, U1), U1>());
        let verdict = law::functor_composition::<JetTowerFunctor, _, _, _>(&f, &g, &trial).unwrap();
        assert_eq!(verdict, Verdict::Survived, "{seed}");
    }
}

/// f⁽ᵏ⁾(x; v₁, …, v_k) by towers and by jets overlap to order 6, and are narrow where nothing kinks.
fn to_order_six<const K: usize, N: Dim>(seeds: std::ops::Range<u64>, kinks: bool)
where
    Const<K>: ToUInt<Output = N>,
{
    let mut narrow = 0;
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let f = random_map::<N, K>(&mut random, kinks);
        let tower = f.tower().unwrap();
        let mut vector = |d: i64| (0..K).map(|_| q(random.next_below(9) as i64 - 4, d)).collect::<Vec<_>>();
        let x = vector(4);
        let directions: Vec<_> = (0..6).map(|_| vector(2)).collect();
        for order in 0..=6 {
            let literal = tower.derivative_at(&x, &directions[..order], 200).unwrap().remove(0);
            let jets = f.derivative_at(&x, &directions[..order]).unwrap();
            let jets = jets.enclose(&q(1, 1 << 30), &Budget::unlimited()).unwrap().enclosures().remove(0);
            assert!(literal.overlaps(&jets), "{f}, order {order} at {x:?}: {literal} and {jets}");
            narrow +=
                usize::from([&literal, &jets].iter().all(|e| e.is_defined() && e.has_width_at_most(&q(1, 1 << 29))));
        }
    }
    assert!(narrow >= if kinks { 15 } else { 7 * 6 }, "only {narrow}");
}

/// ∫₀¹ max(0, t − c) dt has the value (1 − c)²/2 and the slope c − 1, by the printed clause and by jets.
#[test]
fn integrals_have_towers() {
    let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let ramp = (&t - &c).relu().integral01().tower().unwrap();
    let half = [q(1, 2)];
    for (directions, expected) in [(vec![], q(1, 8)), (vec![vector(&[1])], q(-1, 2))] {
        let found = ramp.derivative_at(&half, &directions, 53).unwrap().remove(0);
        assert!(found.contains(&expected) && found.has_width_at_most(&q(1, 50)), "{found}");
    }
}

#[test]
fn what_has_no_tower_says_so() {
    let wrong = TypedTower::<U2, U1>::new(Tower::linear(&LinearMap::zero(3, 1)));
    assert!(matches!(wrong, Err(MapError::Length { expected: 2, found: 3, .. })));
    let [x, y] = coordinates::<U2, 2>();
    let tower = (x * y).tower().unwrap();
    assert!(tower.derivative_at(&vector(&[1]), &[], 64).is_err());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn towers_and_jets_agree_to_order_six_in_three_variables() {
        to_order_six::<3, U3>(300..306, false);
        to_order_six::<3, U3>(400..406, true);
    }

    #[test]
    fn towers_and_jets_agree_to_order_six_in_two_variables() {
        to_order_six::<2, U2>(100..106, false);
        to_order_six::<2, U2>(200..206, true);
    }
}
