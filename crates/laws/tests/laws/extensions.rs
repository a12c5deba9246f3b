//! Extensions of functors on stages to presheaves: tangents, jets, tangents of tangents, and functors of one's own (S §5.3).

use smoothish_laws::category::{Functor, ObjectName};
use smoothish_laws::law::presheaf::{
    self as law, ExtensionVerdict, SampleSettings, check_jets, check_lan, explain_vacuous_tangents,
    jets_in_second_tangents, stage_functor,
};
use smoothish_laws::number::Rational;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::presheaf::coend::{
    After, JetFunctor, JetPresheaf, JetSpace, LanElement, OnStages, TangentFunctor, lan_functions, lan_product,
    lan_transformation,
};
use smoothish_laws::presheaf::exponential::{ExponentialPresheaf, PresheafTransformation};
use smoothish_laws::presheaf::observe::{Observe, SampleElements};
use smoothish_laws::presheaf::{Presheaf, ProductPresheaf, RealPresheaf, Representable, SumPresheaf, observe};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::dimension::MapEnd;
use smoothish_laws::smooth::map::category::{jets_agree, map_on_objects};
use smoothish_laws::smooth::map::{Ad, Map, MapError, MapTestConfig, Space};
use smoothish_laws::verdict::Verdict;
use typenum::{U0, U1, U2};

type Second = After<TangentFunctor, TangentFunctor>;
type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;

fn samples(seed: u64) -> SampleSettings {
    let default = SampleSettings::default();
    SampleSettings { seed, drawn: crate::drawn(default.drawn), least: crate::drawn(default.least), ..default }
}

#[track_caller]
fn all_survive(verdicts: Result<Vec<ExtensionVerdict>, MapError>) {
    for verdict in verdicts.unwrap() {
        assert_eq!(verdict.verdict, Verdict::Survived, "{verdict}");
    }
}

/// The numbers of a map at a point, each to 10⁻¹².
#[track_caller]
fn numbers_at<N: MapEnd, M: MapEnd>(f: &Map<N, M>, point: &[Rational], expected: &[&str]) {
    let eps = Rational::from((1, 1_000_000_000_000_i64));
    let answers = f.at_slice(point).unwrap().enclose(&eps, &Budget::unlimited()).unwrap();
    assert!(answers.all_reached());
    let found = answers.enclosures();
    assert_eq!(found.len(), expected.len());
    for (enclosure, expected) in found.iter().zip(expected) {
        // the printed value is rounded: the true one lies within a unit of its last place
        let digits = expected.len() - expected.find('.').map_or(expected.len(), |dot| dot + 1);
        let ulp = Rational::from((1, 10_u64.pow(digits as u32)));
        let whole: i64 = expected.replace('.', "").parse().unwrap();
        let value = Rational::from(whole) * &ulp;
        let (below, above) = (value.clone() - &ulp, value + &ulp);
        assert!(*enclosure.lo() <= above && *enclosure.hi() >= below, "{expected}: {enclosure}");
    }
}

/// J^(1,2) sin at (1/2, 2, 3) is `sin ½`, `2 cos ½`, `3 cos ½ − 4 sin ½`: the values are of mpmath at 40 digits.
#[test]
fn jets_of_the_sine() {
    let sine = Space::<U1>::new().id().sin();
    let point = [(1, 2).into(), 2.into(), 3.into()];
    let expected = ["0.4794255386042030", "1.755165123780745", "0.7150455312543061"];
    numbers_at(&JetFunctor::<1, 2>::map_at(&sine), &point, &expected);
    numbers_at(&JetFunctor::<1, 2>::map::<U1, U1>(&sine), &point, &expected);
}

/// The family f_s = sin (· + s) at x_s = s², as one class of pairs that evaluation maps: `sin (s² + s)` has the derivatives
/// 0, 1, 2 at 0.
#[test]
fn jets_of_a_family_at_a_moving_point() {
    type Jet = JetFunctor<1, 2>;
    let (point, line) = (Space::<U0>::new(), Space::<U1>::new());
    let s = line.id();
    let generic: Map<U0, JetSpace<U1, 1, 2>> = {
        let entries = [0, 1, 0].map(|n| point.constant(n));
        point.tuple(&Jet::image_space(&line), |i| entries[i].clone())
    };
    let family = smoothish_laws::presheaf::exponential::ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<
        RealPresheaf,
    >(&line, &s, |_, s, x| (x + s).sin());
    let f = LanElement::<Jet, Functions, U0>::new::<U1>(&generic, &family);
    let x = LanElement::<Jet, RealPresheaf, U0>::new::<U1>(&generic, &s.powi(2));
    let evaluate =
        PresheafTransformation::<ProductPresheaf<Functions, RealPresheaf>, RealPresheaf>::new(|space, (f, x)| {
            f.apply(&space.id(), x)
        });
    let both = lan_product::<Jet, Functions, RealPresheaf>().from.component_at(&point, &(f.clone(), x));
    let image = lan_transformation::<Jet, _, _>(&evaluate).component_at(&point, &both);
    numbers_at(&image.to_map(), &[], &["0.0", "1.0", "2.0"]);
    // Prop. 5.3: the family is the function into jets `x ↦ (sin x, cos x, −sin x)`, at ½
    let jets = lan_functions::<Jet, RealPresheaf, U1>().to.component_at(&point, &f);
    let at_half = jets.component_at(&point, &point.constant((1, 2)));
    numbers_at(&at_half, &[], &["0.4794255386042030", "0.8775825618903728", "-0.4794255386042030"]);
    type Back = JetPresheaf<Functions, 1, 2>;
    let back = lan_functions::<Jet, RealPresheaf, U1>().from.component_at(&point, &jets);
    assert_eq!(Back::compare_elements(&point, &back, &f, &samples(1).trial).unwrap(), Verdict::Survived);
}

/// A functor that keeps no products: T X = X × ℝ, with T f = f × id.
enum WithNumber {}

impl Functor for WithNumber {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = (A, U1);

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<(A, U1), (B, U1)> {
        map_on_objects::<Self, A, B>(f)
    }
}

impl OnStages for WithNumber {
    type At<G: MapEnd> = (G, U1);

    fn image_size(n: usize) -> usize {
        n + 1
    }

    fn map_at<A: MapEnd, B: MapEnd>(f: &Map<A, B>) -> Map<(A, U1), (B, U1)> {
        f.tensor_product(&Space::<U1>::new().id())
    }
}

/// Declares a functor on stages that is wrong at one place.
macro_rules! wrong_functor {
    ($name:ident $size:literal ($G:ident, $A:ident, $B:ident): $at:ty, $on:ty; |$f:ident| $map:expr) => {
        enum $name {}

        impl Functor for $name {
            type From = Ad;
            type To = Ad;
            type On<$A: ObjectName<Ad>> = $on;

            fn map<$A: ObjectName<Ad>, $B: ObjectName<Ad>>(f: &Map<$A, $B>) -> Map<Self::On<$A>, Self::On<$B>> {
                map_on_objects::<Self, $A, $B>(f)
            }
        }

        impl OnStages for $name {
            type At<$G: MapEnd> = $at;

            fn image_size(n: usize) -> usize {
                $size * n
            }

            fn map_at<$A: MapEnd, $B: MapEnd>($f: &Map<$A, $B>) -> Map<Self::At<$A>, Self::At<$B>> {
                $map
            }
        }
    };
}

wrong_functor! { DoubledSlopes 2 (G, A, B): (G, G), (A, A); |f| {
    let both = f.with_derivative();
    let b = f.codomain();
    both.then(&b.first(&b)).pair(&(both.then(&b.second(&b)) * 2))
} }

wrong_functor! { LinearSecond 3 (G, A, B): (G, (G, G)), (A, (A, A)); |f| {
    // f″(x′, 1) in place of f″(x′, x′), by the second derivative along x′ and 1
    let (a, b) = (f.domain(), f.codomain());
    let pair = a.product_with(&a);
    let (x, rest) = (a.first(&pair), a.second(&pair));
    let (v, w) = (rest.then(&a.first(&a)), rest.then(&a.second(&a)));
    let all = a.product_with(&pair);
    let ones = all.tuple(&a, |_| all.constant(1));
    let second = x.pair(&v).pair(&ones.pair(&w)).then(&Second::map_at(f));
    let blocks = b.product_with(&b);
    let (first, last) = (second.then(&blocks.first(&blocks)), second.then(&blocks.second(&blocks)));
    first.then(&b.first(&b)).pair(&first.then(&b.second(&b)).pair(&last.then(&b.second(&b))))
} }

/// Vectors of any length, of which nothing says what their tangents are.
enum Vectors {}

impl Presheaf for Vectors {
    type At<G: MapEnd> = Vec<Map<G, U1>>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, v: &Vec<Map<G, U1>>) -> Vec<Map<D, U1>> {
        v.iter().map(|x| along.then(x)).collect()
    }
}

impl Observe for Vectors {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        v: &Vec<Map<G, U1>>,
        w: &Vec<Map<G, U1>>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        if v.len() != w.len() {
            return Ok(Verdict::refuted("every stage", v.len(), w.len()));
        }
        Verdict::all_samples(v.iter().zip(w).map(|(x, y)| RealPresheaf::compare_elements(space, x, y, trial)))
    }
}

impl SampleElements for Vectors {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Vec<Map<G, U1>> {
        (0..1 + random.next_below(3)).map(|_| observe::draw_real_map(random, space)).collect()
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// J^(1,1) is the tangent functor.
    #[test]
    fn jets_of_order_one_are_tangents() {
        for seed in 0..8 {
            let mut random = SplitMix64::new(seed);
            let f: Map<U2, U2> = observe::draw_map(&mut random, &Space::new(), &Space::new());
            let (jet, tangent) = (JetFunctor::<1, 1>::map_at(&f), TangentFunctor::map_at(&f));
            let trial = MapTestConfig { seed, ..samples(0).trial };
            assert_eq!(jets_agree(jet.as_dyn(), tangent.as_dyn(), &trial).unwrap(), Verdict::Survived);
        }
    }

    /// Tangents, jets and tangents of tangents, of pairs with functions.
    #[test]
    fn the_extensions_of_the_library_survive() {
        type Pair = ProductPresheaf<RealPresheaf, Functions>;
        all_survive(check_jets::<TangentFunctor, Pair>(&samples(1)));
        all_survive(check_jets::<JetFunctor<1, 2>, SumPresheaf<RealPresheaf, Functions>>(&samples(2)));
        assert_eq!(jets_in_second_tangents::<JetFunctor<1, 2>>(&samples(3)).unwrap(), Verdict::Survived);
    }

    #[test]
    fn a_functor_of_ones_own_has_an_extension() {
        all_survive(check_lan::<WithNumber, ProductPresheaf<RealPresheaf, Representable<U2>>>(&samples(4)));
    }

    /// Twice the slope: T(id) is not the identity. f″·x′ for f″·x′²: the image of x² at (1, 2, 0) has 4 in place of 8.
    #[test]
    fn wrong_functors_are_refuted_with_every_seed() {
        let square = Space::<U1>::new().id().powi(2);
        numbers_at(&LinearSecond::map_at(&square), &[1.into(), 2.into(), 0.into()], &["1.0", "4.0", "4.0"]);
        numbers_at(&JetFunctor::<1, 2>::map_at(&square), &[1.into(), 2.into(), 0.into()], &["1.0", "4.0", "8.0"]);
        for seed in crate::seeds() {
            let samples = samples(seed);
            assert!(stage_functor::<DoubledSlopes>(&samples).unwrap().is_refuted(), "{seed}");
            assert!(stage_functor::<LinearSecond>(&samples).unwrap().is_refuted(), "{seed}");
            assert!(law::lan_representatives::<DoubledSlopes, RealPresheaf>(&samples).unwrap().is_refuted(), "{seed}");
            assert!(law::lan_representatives::<LinearSecond, RealPresheaf>(&samples).unwrap().is_refuted(), "{seed}");
            assert!(jets_in_second_tangents::<LinearSecond>(&samples).unwrap().is_refuted(), "{seed}");
        }
        // the functor that is right is refuted by none of these
        let right = law::lan_representatives::<JetFunctor<1, 2>, RealPresheaf>(&samples(20)).unwrap();
        assert_eq!(right, Verdict::Survived);
    }

    /// A presheaf that is right, with a number that is observed of the stage in place of the element.
    enum OfTheStage {}

    impl Presheaf for OfTheStage {
        type At<G: MapEnd> = Map<G, U1>;

        fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Map<G, U1>) -> Map<D, U1> {
            along.then(x)
        }
    }

    impl Observe for OfTheStage {
        fn compare_elements<G: MapEnd>(
            space: &Space<G>,
            x: &Map<G, U1>,
            y: &Map<G, U1>,
            trial: &MapTestConfig,
        ) -> Result<Verdict, MapError> {
            RealPresheaf::compare_elements(space, x, y, trial)
        }

        fn observe_number<G: MapEnd>(space: &Space<G>, x: &Map<G, U1>, _: u64) -> Option<Map<G, U1>> {
            Some(space.coordinates().swap_remove(0) + x)
        }
    }

    impl SampleElements for OfTheStage {
        fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Map<G, U1> {
            observe::draw_real_map(random, space)
        }
    }

    #[test]
    fn observed_numbers_that_are_not_natural_are_refuted_with_every_seed() {
        for seed in crate::seeds() {
            assert!(law::check_presheaf::<OfTheStage>(&samples(seed)).unwrap().is_refuted(), "{seed}");
        }
        assert_eq!(law::check_presheaf::<RealPresheaf>(&samples(1)).unwrap(), Verdict::Survived);
    }

    #[test]
    fn a_vacuous_verdict_has_a_reason() {
        let samples = samples(5);
        assert_eq!(explain_vacuous_tangents::<ProductPresheaf<RealPresheaf, Functions>>(&samples).unwrap(), None);
        let reason = explain_vacuous_tangents::<Vectors>(&samples).unwrap().unwrap();
        assert!(reason.contains("Vectors` does not say what its tangents are"), "{reason}");
        for verdict in check_lan::<TangentFunctor, Vectors>(&samples).unwrap() {
            // laws of the functor alone are tested; what is said of elements of F is not
            let is_of_the_functor = ["T is a functor", "representables"].contains(&verdict.law);
            let expected = if is_of_the_functor { Verdict::Survived } else { Verdict::Vacuous };
            assert_eq!(verdict.verdict, expected, "{verdict}");
            assert_eq!(verdict.because.is_some(), !is_of_the_functor, "{verdict}");
        }
    }

    /// Second tangents, and jets of two parameters: their derivatives nest, so few samples are drawn.
    #[test]
    fn jets_of_more_parameters_survive() {
        let few = |seed| SampleSettings { drawn: 3, least: 2, ..samples(seed) };
        all_survive(check_jets::<Second, ProductPresheaf<RealPresheaf, Functions>>(&few(6)));
        all_survive(check_jets::<JetFunctor<2, 1>, Functions>(&few(7)));
        all_survive(check_lan::<JetFunctor<2, 2>, RealPresheaf>(&few(8)));
        all_survive(check_lan::<JetFunctor<1, 3>, RealPresheaf>(&few(9)));
    }
}
