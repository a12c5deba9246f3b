//! HAD: every presheaf is an object of one category, those of one's own included (S §5.1, Figs. 5 and 6).

use smoothish_laws::category::{Arrow, Cartesian, Cocartesian, Functor, Iso, ObjectName};
use smoothish_laws::law::category::{
    self as law, DrawArrow, arrow_naturality, check_bicartesian_closed, erased_restriction, full_and_faithful,
};
use smoothish_laws::law::presheaf::{SampleSettings, check_presheaf};
use smoothish_laws::meaning::had::{
    ErasedMap, ErasedStage, Had, HadArrow, HadElement, LanFunctor, LanOf, Language, LanguageValues, Means, Of, Y,
    Yoneda, arrow_to_map, lan_of_representable,
};
use smoothish_laws::presheaf::coend::{JetFunctor, OnStages, TangentFunctor};
use smoothish_laws::presheaf::dynamic::{Element, StageFunction};
use smoothish_laws::presheaf::exponential::PresheafTransformation;
use smoothish_laws::presheaf::observe::{self, Observe, SampleElements};
use smoothish_laws::presheaf::{Presheaf, ProductPresheaf, RealPresheaf};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::simple::{ListOf, One, Plus, RealLine, Times, To};
use smoothish_laws::smooth::dimension::MapEnd;
use smoothish_laws::smooth::map::{Ad, Map, MapError, MapTestConfig, Space};
use smoothish_laws::verdict::Verdict;
use std::sync::Arc;
use typenum::{U1, U2};

/// Sums of squares of linear forms: pairs (a, b), read as Σ (a x + b)².
#[derive(Debug)]
enum SumsOfSquares {}

/// The linear forms of an element.
struct Forms<G>(Vec<[Map<G, U1>; 2]>);

impl<G> Clone for Forms<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: MapEnd> Forms<G> {
    /// The value of the polynomial.
    fn at(&self, space: &Space<G>, x: &Map<G, U1>) -> Map<G, U1> {
        self.0.iter().map(|[a, b]| (a * x + b).powi(2)).fold(space.constant(0), |sum, square| sum + square)
    }
}

impl Presheaf for SumsOfSquares {
    type At<G: MapEnd> = Forms<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Forms<G>) -> Forms<D> {
        Forms(x.0.iter().map(|[a, b]| [along.then(a), along.then(b)]).collect())
    }
}

/// A polynomial of degree two is its values at three points.
impl Observe for SumsOfSquares {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        x: &Forms<G>,
        y: &Forms<G>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        Verdict::all_samples((0..3).map(|at| {
            let at = space.constant(at);
            RealPresheaf::compare_elements(space, &x.at(space, &at), &y.at(space, &at), trial)
        }))
    }

    fn observe_number<G: MapEnd>(space: &Space<G>, x: &Forms<G>, which: u64) -> Option<Map<G, U1>> {
        Some(x.at(space, &space.constant((which % 3) as i64)))
    }
}

impl SampleElements for SumsOfSquares {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Forms<G> {
        let mut number = || observe::draw_real_map(random, space) / 2;
        Forms(vec![[number(), number()]])
    }
}

/// The same, with the coefficients exchanged by every restriction.
enum Exchanging {}

impl Presheaf for Exchanging {
    type At<G: MapEnd> = Forms<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Forms<G>) -> Forms<D> {
        Forms(x.0.iter().map(|[a, b]| [along.then(b), along.then(a)]).collect())
    }
}

impl Observe for Exchanging {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        x: &Forms<G>,
        y: &Forms<G>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        SumsOfSquares::compare_elements(space, x, y, trial)
    }

    fn observe_number<G: MapEnd>(space: &Space<G>, x: &Forms<G>, which: u64) -> Option<Map<G, U1>> {
        SumsOfSquares::observe_number(space, x, which)
    }
}

impl SampleElements for Exchanging {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Forms<G> {
        SumsOfSquares::draw_element(random, space)
    }
}

type Own = Of<SumsOfSquares>;
type Pair = Times<RealLine, Own>;
type Functions = To<RealLine, Own>;

/// Few points: a law is tried on many arrows.
fn few(seed: u64) -> MapTestConfig {
    MapTestConfig { seed, sample_points: 3, precisions: vec![53, 96], ..MapTestConfig::default() }
}

fn draw<A: ObjectName<Had>, B: ObjectName<Had>>(random: &mut SplitMix64) -> Arrow<Had, A, B> {
    Arrow(Had::draw_hom::<A, B>(random))
}

/// Of the given verdicts, none is a refutation, and most survive.
#[track_caller]
fn survive(verdicts: Vec<Verdict>) {
    let survived = verdicts.iter().filter(|verdict| **verdict == Verdict::Survived).count();
    for verdict in &verdicts {
        assert!(!verdict.is_refuted(), "{verdict}");
    }
    assert!(4 * survived >= 3 * verdicts.len(), "{survived} of {}", verdicts.len());
}

/// An element of another presheaf is an error, which names the presheaf.
#[test]
fn elements_of_another_presheaf_are_refused() {
    let stage = ErasedStage::of_size(1);
    let number: HadElement = Arc::new(stage.id());
    let error = Had::first::<RealLine, RealLine>().apply_at(&stage, &number).unwrap_err();
    assert_eq!(error.to_string(), "expected an element of a product, found one of another presheaf");
    let own = <Own as ObjectName<Had>>::object();
    let error = own.restrict_element(&stage.id(), &number).unwrap_err();
    assert!(error.to_string().contains("SumsOfSquares, found one of another presheaf"), "{error}");
    assert!(Had::initial::<Own>().apply_at(&stage, &number).is_err());
}

/// A transformation with types is an arrow, and an arrow between presheaves with types applies to their elements.
#[test]
fn typed_transformations_are_arrows() {
    let value =
        PresheafTransformation::<ProductPresheaf<SumsOfSquares, RealPresheaf>, RealPresheaf>::new(|space, (q, x)| {
            q.at(space, x)
        });
    let arrow = HadArrow::from_transformation(&value);
    let line = Space::<U1>::new();
    let (s, one) = (line.id(), line.constant(1));
    let element = (Forms(vec![[s.sin(), one.clone()]]), one.clone());
    let erased =
        arrow.apply_typed::<ProductPresheaf<SumsOfSquares, RealPresheaf>, RealPresheaf, U1>(&line, &element).unwrap();
    assert_eq!(erased.to_string(), value.component_at(&line, &element).to_string());
    // asked for an element of another presheaf, it says which was expected
    let wrong = arrow.apply_typed::<RealPresheaf, RealPresheaf, U1>(&line, &one).unwrap_err();
    assert!(wrong.to_string().starts_with("expected an element of "), "{wrong}");
}

/// y(f) of the sine is composition, and back.
#[test]
fn the_embedding_of_the_sine() {
    let sine = Space::<U1>::new().id().sin();
    let back: Map<U1, U1> = arrow_to_map(&Yoneda::map::<U1, U1>(&sine)).unwrap();
    assert_eq!(back.to_string(), "\\x => sin x");
}

/// The embedding with twice the values.
enum DoubledYoneda {}

impl Functor for DoubledYoneda {
    type From = Ad;
    type To = Had;
    type On<A: ObjectName<Ad>> = Y<A>;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> HadArrow {
        let f: ErasedMap = f.cast_types();
        Yoneda::map::<A, B>(&(f * 2).cast_types())
    }
}

/// The embedding at the origin of the stage, which is no natural choice.
fn frozen(f: &ErasedMap) -> HadArrow {
    let f = f.clone();
    HadArrow::new(move |space, x| {
        let x = x.downcast_ref::<ErasedMap>().unwrap();
        Ok(Arc::new(space.zero(space).then(x).then(&f)))
    })
}

/// T_! with twice the directions and points of the classes.
enum DoubledLan {}

impl Functor for DoubledLan {
    type From = Had;
    type To = Had;
    type On<A: ObjectName<Had>> = LanOf<TangentFunctor, A>;

    fn map<A: ObjectName<Had>, B: ObjectName<Had>>(f: &HadArrow) -> HadArrow {
        let image = LanFunctor::<TangentFunctor>::map::<A, B>(f);
        // along the doubled map of the stage, a class has another point
        let object = <LanOf<TangentFunctor, B> as ObjectName<Had>>::object();
        HadArrow::new(move |space, x| object.restrict_element(&(space.id() * 2), &image.apply_at(space, x)?))
    }
}

/// The language with the first component for the second.
fn second_is_first<A: ObjectName<LanguageValues>>() -> StageFunction {
    LanguageValues::first::<A, A>()
}

/// ⟦A⟧ × ⟦B⟧
type MeansBoth<A, B> = Times<Means<A>, Means<B>>;

/// `⟨⟦fst⟧, ⟦snd⟧⟩ : ⟦A × B⟧ → ⟦A⟧ × ⟦B⟧`, and back by pairing values.
fn language_products<A: ObjectName<LanguageValues>, B: ObjectName<LanguageValues>>(
    second: &StageFunction,
) -> Iso<Had, Means<Times<A, B>>, MeansBoth<A, B>> {
    let first = Language::map::<Times<A, B>, A>(&LanguageValues::first::<A, B>());
    let second = Language::map::<Times<A, B>, B>(second);
    let to = Had::pair::<Means<Times<A, B>>, Means<A>, Means<B>>(&first, &second);
    let from = HadArrow::new(|_, x| {
        let (a, b) = x.downcast_ref::<(HadElement, HadElement)>().unwrap();
        let [a, b] = [a, b].map(|part| part.downcast_ref::<Element>().unwrap().clone());
        Ok(Arc::new(Element::tuple_of([a, b])))
    });
    Iso { to, from }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Restriction is functorial at every kind of object, and arrows that are drawn are natural.
    #[test]
    fn objects_are_presheaves_and_arrows_are_natural() {
        assert_eq!(check_presheaf::<SumsOfSquares>(&SampleSettings::default()).unwrap(), Verdict::Survived);
        let mut found = Vec::new();
        for round in 0..4 {
            let (random, trial) = (&mut SplitMix64::for_sample(1, round), &few(round));
            found.push(erased_restriction::<Own>(random, trial).unwrap());
            found.push(erased_restriction::<Y<U2>>(random, trial).unwrap());
            found.push(erased_restriction::<Plus<One, Pair>>(random, trial).unwrap());
            found.push(erased_restriction::<ListOf<Own>>(random, trial).unwrap());
            found.push(erased_restriction::<Functions>(random, trial).unwrap());
            found.push(erased_restriction::<LanOf<TangentFunctor, Pair>>(random, trial).unwrap());
            found.push(erased_restriction::<Means<Times<RealLine, To<RealLine, RealLine>>>>(random, trial).unwrap());
            let f: Arrow<Had, Pair, Functions> = draw(random);
            found.push(arrow_naturality(&f, random, trial).unwrap());
            let f: Arrow<Had, LanOf<JetFunctor<1, 2>, Own>, Means<ListOf<RealLine>>> = draw(random);
            found.push(arrow_naturality(&f, random, trial).unwrap());
        }
        survive(found);
    }

    /// A presheaf of one's own, beside ℜ and its own tangents, in the suite of bicartesian closed categories.
    #[test]
    fn a_presheaf_of_ones_own_runs_the_closed_suite() {
        let mut verdicts = Vec::new();
        for round in 0..3 {
            let (random, trial) = (&mut SplitMix64::for_sample(2, round), &few(round));
            verdicts.extend(check_bicartesian_closed::<Had, Own, RealLine, Own>(random, trial).unwrap());
            type Tangents = LanOf<TangentFunctor, Own>;
            verdicts.extend(check_bicartesian_closed::<Had, Own, Tangents, Means<RealLine>>(random, trial).unwrap());
        }
        for (name, verdict) in &verdicts {
            assert!(!verdict.is_refuted(), "{name}: {verdict}");
        }
        survive(verdicts.into_iter().map(|(_, verdict)| verdict).collect());
    }

    /// One that is no presheaf is refuted with every seed.
    #[test]
    fn a_wrong_presheaf_is_refuted_with_every_seed() {
        for seed in crate::seeds() {
            let random = &mut SplitMix64::for_sample(3, seed);
            assert!(erased_restriction::<Of<Exchanging>>(random, &few(seed)).unwrap().is_refuted(), "{seed}");
        }
    }

    #[test]
    fn the_yoneda_embedding_is_full_and_faithful() {
        let mut found = Vec::new();
        for seed in 0..8 {
            let (random, trial) = (&mut SplitMix64::for_sample(4, seed), few(seed));
            let f: Map<U2, U1> = observe::draw_map(random, &Space::new(), &Space::new());
            let g: Map<U1, U2> = observe::draw_map(random, &Space::new(), &Space::new());
            let t: Arrow<Had, Y<U2>, Y<U1>> = draw(random);
            found.push(full_and_faithful::<Yoneda, U2, U1>(&f, &t, &trial).unwrap());
            found.push(law::functor_identity::<Yoneda, U2>(&trial).unwrap());
            found.push(law::functor_composition::<Yoneda, U2, U1, U2>(&Arrow(f), &Arrow(g), &trial).unwrap());
        }
        survive(found);
    }

    /// Twice the values: the identity is lost. A choice at the origin: not natural, and not given back.
    #[test]
    fn wrong_embeddings_are_refuted_with_every_seed() {
        for seed in crate::seeds() {
            let (random, trial) = (&mut SplitMix64::for_sample(5, seed), few(seed));
            // a drawn map may be constant, and a constant is the same at every choice: with 5·x it is none
            let line = Space::<U1>::new();
            let f: Map<U1, U1> = observe::draw_map(random, &line, &line) + line.id() * 5;
            let t: Arrow<Had, Y<U1>, Y<U1>> = draw(random);
            assert!(full_and_faithful::<DoubledYoneda, U1, U1>(&f, &t, &trial).unwrap().is_refuted(), "{seed}");
            assert!(law::functor_identity::<DoubledYoneda, U1>(&trial).unwrap().is_refuted(), "{seed}");
            let frozen: Arrow<Had, Y<U1>, Y<U1>> = Arrow(frozen(&f.cast_types()));
            // an element that does not vary shows nothing: among eight, some do
            let trial = MapTestConfig { sample_points: 8, ..trial };
            assert!(arrow_naturality(&frozen, random, &trial).unwrap().is_refuted(), "{seed}");
            assert!(full_and_faithful::<Yoneda, U1, U1>(&f, &frozen, &trial).unwrap().is_refuted(), "{seed}");
        }
    }

    /// T_! is a functor on HAD, and `T_! ∘ y ≅ y ∘ T`, naturally.
    fn extends<T: OnStages>(seed: u64) -> Vec<Verdict> {
        let (random, trial) = (&mut SplitMix64::for_sample(6, seed), few(seed));
        let (f, g): (Arrow<Had, Pair, Own>, Arrow<Had, Own, RealLine>) = (draw(random), draw(random));
        let m: Map<U2, U1> = observe::draw_map(random, &Space::new(), &Space::new());
        let [from, to] = [lan_of_representable::<T, U2>().to, lan_of_representable::<T, U1>().to];
        let image = LanFunctor::<T>::map::<Y<U2>, Y<U1>>(&Yoneda::map::<U2, U1>(&m));
        type Source<T> = LanOf<T, Y<U2>>;
        let over = Arrow::<Had, Source<T>, LanOf<T, Y<U1>>>(image).then::<Y<T::On<U1>>>(&Arrow(to));
        let under = Arrow::<Had, Source<T>, Y<T::On<U2>>>(from)
            .then(&Arrow(Yoneda::map::<T::On<U2>, T::On<U1>>(&T::map::<U2, U1>(&m))));
        vec![
            law::functor_identity::<LanFunctor<T>, Pair>(&trial).unwrap(),
            law::functor_composition::<LanFunctor<T>, Pair, Own, RealLine>(&f, &g, &trial).unwrap(),
            law::isomorphism(&lan_of_representable::<T, U2>(), &trial).unwrap(),
            over.agrees(&under, &trial).unwrap(),
        ]
    }

    #[test]
    fn extensions_are_functors_of_presheaves() {
        survive((0..4).flat_map(extends::<TangentFunctor>).collect());
        survive((0..3).flat_map(extends::<JetFunctor<1, 2>>).collect());
    }

    #[test]
    fn a_wrong_extension_is_refuted_with_every_seed() {
        for seed in crate::seeds() {
            assert!(law::functor_identity::<DoubledLan, RealLine>(&few(seed)).unwrap().is_refuted(), "{seed}");
        }
    }

    /// The language maps to HAD by a functor that keeps products; with the first component for the second it does not.
    #[test]
    fn the_language_is_a_functor_into_presheaves() {
        type A = Times<RealLine, To<RealLine, RealLine>>;
        type B = ListOf<RealLine>;
        let mut found = Vec::new();
        for seed in 0..20 {
            let (random, trial) = (&mut SplitMix64::for_sample(7, seed), few(seed));
            let f: Arrow<LanguageValues, A, B> = Arrow(LanguageValues::draw_hom::<A, B>(random));
            let g: Arrow<LanguageValues, B, A> = Arrow(LanguageValues::draw_hom::<B, A>(random));
            found.push(law::functor_identity::<Language, A>(&trial).unwrap());
            found.push(law::functor_composition::<Language, A, B, A>(&f, &g, &trial).unwrap());
            let right = language_products::<A, B>(&LanguageValues::second::<A, B>());
            found.push(law::isomorphism(&right, &trial).unwrap());
            let wrong = language_products::<RealLine, RealLine>(&second_is_first::<RealLine>());
            assert!(law::isomorphism(&wrong, &trial).unwrap().is_refuted(), "{seed}");
        }
        survive(found);
    }
}
