//! The laws of presheaves and exponentials hold in the library (S34, S35).

use smoothish::law::presheaf::{LibraryPushforward, SampleSettings};
use smoothish::law::{presheaf, presheaf as law};
use smoothish::presheaf::coend::TanPresheaf;
use smoothish::presheaf::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, PresheafTransformation,
};
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{
    Booleans, ConstantPresheaf, Naturals, ProductPresheaf, RealPresheaf, Representable, SumElement, SumPresheaf,
    Terminal, case_sum, exponential, observe,
};
use smoothish::smooth::map::{Map, MapTestConfig, Space};
use smoothish::verdict::Verdict;
use typenum::{U1, U2};

type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;
type Functionals = ExponentialPresheaf<Functions, RealPresheaf>;

#[track_caller]
fn holds(verdict: law::PresheafVerdict) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

fn samples() -> SampleSettings {
    SampleSettings { seed: 34, ..SampleSettings::default() }
}

/// Restriction is functorial in every presheaf of the library.
#[test]
fn restriction_is_functorial() {
    let samples = samples();
    holds(presheaf::check_presheaf::<Representable<U2>>(&samples));
    holds(presheaf::check_presheaf::<ProductPresheaf<RealPresheaf, Representable<U2>>>(&samples));
    holds(presheaf::check_presheaf::<ProductPresheaf<Terminal, Booleans>>(&samples));
    holds(presheaf::check_presheaf::<SumPresheaf<RealPresheaf, Naturals>>(&samples));
    holds(presheaf::check_presheaf::<Functions>(&samples));
    holds(presheaf::check_presheaf::<ExponentialPresheaf<RealPresheaf, Functions>>(&samples));
    holds(presheaf::check_presheaf::<Functionals>(&samples));
    holds(presheaf::check_presheaf::<TanPresheaf<ProductPresheaf<RealPresheaf, Functions>>>(&samples));
}

/// β, η and Kripke naturality, at ground arguments and at functions.
#[test]
fn exponentials() {
    // (c, x) ↦ sin (c·x) + c
    let body = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        (c * x).sin() + c
    });
    holds(presheaf::check_exponential::<Functions, RealPresheaf, RealPresheaf, RealPresheaf>(&samples(), &body));
    // ((c, g), f) ↦ f(c·f(c)) + ∫ f(g(t)) dt
    type Context = ProductPresheaf<RealPresheaf, Functions>;
    let body =
        PresheafTransformation::<ProductPresheaf<Context, Functions>, RealPresheaf>::new(|space, ((c, g), f)| {
            let id = space.id();
            let integral = NaturalFamily::apply_at(&Functional::Integral, &g.then(f));
            f.apply(&id, &(c * f.apply(&id, c))) + integral
        });
    holds(presheaf::check_exponential::<Functionals, Context, Functions, RealPresheaf>(&samples(), &body));
    // (f, x) ↦ (y ↦ f(x + y))
    let body = PresheafTransformation::<ProductPresheaf<Functions, RealPresheaf>, Functions>::new(|space, context| {
        ExponentialElement::curry::<ProductPresheaf<Functions, RealPresheaf>>(space, context, |space, (f, x), y| {
            f.apply(&space.id(), &(x + y))
        })
    });
    holds(presheaf::check_exponential::<
        ExponentialPresheaf<RealPresheaf, Functions>,
        Functions,
        RealPresheaf,
        Functions,
    >(&samples(), &body));
}

/// S35: maps and natural transformations of representables are the same; elements are natural transformations.
#[test]
fn yoneda_embeds_fully_and_faithfully() {
    let verdict = samples().check_statement(move |random, trial| {
        let f: Map<U2, U2> = observe::draw_map(random, &Space::new(), &Space::new());
        let g: Map<U2, U2> = observe::draw_map(random, &Space::new(), &Space::new());
        let swap = Map::<U2, U2>::matrix([[0.into(), 1.into()], [1.into(), 0.into()]]);
        // a transformation that was not made from a map
        let t =
            PresheafTransformation::<Representable<U2>, Representable<U2>>::new(move |_, x| x.then(&g) + x.then(&swap));
        law::full_embedding(&f, &t, trial)
    });
    holds(verdict);
    let verdict = samples().check_statement(move |random, trial| {
        let f = Functions::draw_element(random, &Space::<U1>::new());
        let t = PresheafTransformation::<RealPresheaf, Functions>::new(|space, x| {
            ExponentialElement::curry::<RealPresheaf>(space, x, |_, x, y| x.sin() * y)
        });
        law::yoneda::<Functions, U1>(&f, &t, trial)
    });
    holds(verdict);
    // (y N ⇒ F)(Γ) ≅ F(Γ × N)
    let verdict = samples().check_at_stages(move |random, space, trial| {
        let f = Functions::draw_element(random, space);
        let back =
            exponential::curry_representable::<U1, RealPresheaf, _>(space, &exponential::uncurry_representable(&f));
        Functions::compare_elements(space, &back, &f, trial)
    });
    holds(verdict);
}

/// Sums: the two β rules of `case`, at a later stage; and Tan keeps them.
#[test]
fn sums() {
    let verdict = samples().check_at_stages(move |random, space, trial| {
        let (f, g) = (Functions::draw_element(random, space), Functions::draw_element(random, space));
        let e = observe::draw_map(random, &Space::<U2>::new(), space);
        let x = observe::draw_real_map(random, &Space::<U2>::new());
        let left = case_sum::<RealPresheaf, RealPresheaf, RealPresheaf, _, _>(&f, &g, &e, &SumElement::Left(x.clone()));
        let right =
            case_sum::<RealPresheaf, RealPresheaf, RealPresheaf, _, _>(&f, &g, &e, &SumElement::Right(x.clone()));
        let plane = Space::<U2>::new();
        let first = RealPresheaf::compare_elements(&plane, &left, &f.apply(&e, &x), trial)?;
        Ok(first.and(RealPresheaf::compare_elements(&plane, &right, &g.apply(&e, &x), trial)?))
    });
    holds(verdict);
    let plane = Space::<U2>::new();
    let [x, y] = [0, 1].map(|i| plane.coordinates()[i].clone());
    let trial = samples().trial;
    type Point = SumElement<Map<U2, U1>, Map<U2, U1>>;
    let agree = |l: &Point, r: &Point| {
        SumPresheaf::<RealPresheaf, RealPresheaf>::compare_elements(&plane, l, r, &trial).unwrap()
    };
    assert!(agree(&SumElement::Left(x.clone()), &SumElement::Right(x.clone())).is_refuted());
    assert!(agree(&SumElement::Left(x.clone()), &SumElement::Left(y)).is_refuted());
    assert_eq!(agree(&SumElement::Left(x.clone()), &SumElement::Left(x)), Verdict::Survived);
    let discrete = |l: &u8, r: &u8| ConstantPresheaf::<u8>::compare_elements(&plane, l, r, &trial).unwrap();
    assert!(discrete(&1, &2).is_refuted() && discrete(&1, &1) == Verdict::Survived);
}

/// Tan is a functor, with base points, zeros and multiples; also at functionals.
#[test]
fn tan_is_a_functor() {
    let f = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        (c * x).sin()
    });
    let g = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        x.powi(2) + c * x
    });
    holds(
        presheaf::check_tangent_functor::<LibraryPushforward, RealPresheaf, RealPresheaf, RealPresheaf, RealPresheaf>(
            &samples(),
            &f,
            &g,
        ),
    );
    // x ↦ (t ↦ sin (c·x + t)), and f ↦ c·f(f(c))
    let curve =
        PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, Functions>::new(|space, context| {
            ExponentialElement::curry::<ProductPresheaf<RealPresheaf, RealPresheaf>>(space, context, |_, (c, x), t| {
                (c * x + t).sin()
            })
        });
    let functional =
        PresheafTransformation::<ProductPresheaf<RealPresheaf, Functions>, RealPresheaf>::new(|space, (c, f)| {
            let id = space.id();
            c * f.apply(&id, &f.apply(&id, c))
        });
    holds(presheaf::check_tangent_functor::<LibraryPushforward, RealPresheaf, RealPresheaf, Functions, RealPresheaf>(
        &samples(),
        &curve,
        &functional,
    ));
    holds(presheaf::check_tangent_functor::<LibraryPushforward, RealPresheaf, Functions, RealPresheaf, Functions>(
        &samples(),
        &functional,
        &curve,
    ));
}

/// Many curries inside one another are applied, restricted and dropped without running out of stack.
#[test]
fn towers_of_functions_are_safe() {
    let space = Space::<U1>::new();
    let mut f =
        ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<RealPresheaf>(&space, &Map::id(), |_, c, x| {
            c * x
        });
    for _ in 0..20_000 {
        f = ExponentialElement::curry::<Functions>(&space, &f, |space, f, x| f.apply(&space.id(), x));
    }
    assert_eq!(f.apply(&space.id(), &space.id()).to_string(), "\\x => x * x");
}

/// Functions of what has few elements are tried at all of them: one that differs at a single one is always found.
#[test]
fn functions_of_finite_presheaves_are_tried_in_full() {
    type Domain = ProductPresheaf<Booleans, SumPresheaf<Terminal, ProductPresheaf<Booleans, Terminal>>>;
    let same = PresheafTransformation::<Domain, RealPresheaf>::new(|space, _| space.constant(1));
    let other = PresheafTransformation::<Domain, RealPresheaf>::new(|space, (b, s)| {
        space.constant(if *b && matches!(s, SumElement::Right((true, ()))) { 2 } else { 1 })
    });
    for seed in 0..32 {
        let trial = MapTestConfig { seed, ..MapTestConfig::default() };
        let agree =
            |l, r| ExponentialPresheaf::<Domain, RealPresheaf>::compare_elements(&Space::new(), l, r, &trial).unwrap();
        assert!(agree(&same, &other).is_refuted(), "{seed}");
        assert_eq!(agree(&other, &other), Verdict::Survived, "{seed}");
    }
}
