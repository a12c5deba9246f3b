//! The laws of presheaves and exponentials hold in the library (S34, S35).

use smoothish::law::presheaf as law;
use smoothish::law::presheaf::suite::{self, Samples};
use smoothish::law::presheaf::tangent::Pushforward;
use smoothish::presheaf::coend::Tan;
use smoothish::presheaf::discrete::{Booleans, Discrete, Naturals, Terminal};
use smoothish::presheaf::exponential::{Exponential, Natural, Transformation};
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::product::Product;
use smoothish::presheaf::representable::{Real, Representable};
use smoothish::presheaf::sample::{self, Sample};
use smoothish::presheaf::second_order::{Functional, NaturalFamily};
use smoothish::presheaf::sum::{Either, Sum, case};
use smoothish::presheaf::yoneda;
use smoothish::smooth::map::{Map, Space, Trial};
use smoothish::verdict::Verdict;
use typenum::{U1, U2};

type Functions = Exponential<Real, Real>;
type Functionals = Exponential<Functions, Real>;

#[track_caller]
fn holds(verdict: law::Tried) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

fn samples() -> Samples {
    Samples { seed: 34, ..Samples::default() }
}

/// Restriction is functorial in every presheaf of the library.
#[test]
fn restriction_is_functorial() {
    let samples = samples();
    holds(suite::presheaf::<Representable<U2>>(&samples));
    holds(suite::presheaf::<Product<Real, Representable<U2>>>(&samples));
    holds(suite::presheaf::<Product<Terminal, Booleans>>(&samples));
    holds(suite::presheaf::<Sum<Real, Naturals>>(&samples));
    holds(suite::presheaf::<Functions>(&samples));
    holds(suite::presheaf::<Exponential<Real, Functions>>(&samples));
    holds(suite::presheaf::<Functionals>(&samples));
    holds(suite::presheaf::<Tan<Product<Real, Functions>>>(&samples));
}

/// β, η and Kripke naturality, at ground arguments and at functions.
#[test]
fn exponentials() {
    // (c, x) ↦ sin (c·x) + c
    let body = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| (c * x).sin() + c);
    holds(suite::exponential::<Functions, Real, Real, Real>(&samples(), &body));
    // ((c, g), f) ↦ f(c·f(c)) + ∫ f(g(t)) dt
    type Context = Product<Real, Functions>;
    let body = Transformation::<Product<Context, Functions>, Real>::new(|space, ((c, g), f)| {
        let id = space.id();
        let integral = NaturalFamily::at(&Functional::Integral, &g.then(f));
        f.apply(&id, &(c * f.apply(&id, c))) + integral
    });
    holds(suite::exponential::<Functionals, Context, Functions, Real>(&samples(), &body));
    // (f, x) ↦ (y ↦ f(x + y))
    let body = Transformation::<Product<Functions, Real>, Functions>::new(|space, context| {
        Natural::curry::<Product<Functions, Real>>(space, context, |space, (f, x), y| f.apply(&space.id(), &(x + y)))
    });
    holds(suite::exponential::<Exponential<Real, Functions>, Functions, Real, Functions>(&samples(), &body));
}

/// S35: maps and natural transformations of representables are the same; elements are natural transformations.
#[test]
fn yoneda_embeds_fully_and_faithfully() {
    let verdict = samples().tried(|random, trial| {
        let f: Map<U2, U2> = sample::map(random, &Space::new(), &Space::new());
        let g: Map<U2, U2> = sample::map(random, &Space::new(), &Space::new());
        let swap = Map::<U2, U2>::matrix([[0.into(), 1.into()], [1.into(), 0.into()]]);
        // a transformation that was not made from a map
        let t = Transformation::<Representable<U2>, Representable<U2>>::new(move |_, x| x.then(&g) + x.then(&swap));
        law::embedding(&f, &t, trial)
    });
    holds(verdict);
    let verdict = samples().tried(|random, trial| {
        let f = Functions::draw(random, &Space::<U1>::new());
        let t =
            Transformation::<Real, Functions>::new(|space, x| Natural::curry::<Real>(space, x, |_, x, y| x.sin() * y));
        law::yoneda::<Functions, U1>(&f, &t, trial)
    });
    holds(verdict);
    // (y N ⇒ F)(Γ) ≅ F(Γ × N)
    let verdict = samples().at_stages(|random, space, trial| {
        let f = Functions::draw(random, space);
        let back = yoneda::curried::<U1, Real, _>(space, &yoneda::uncurried(&f));
        Functions::agree(space, &back, &f, trial)
    });
    holds(verdict);
}

/// Sums: the two β rules of `case`, at a later stage; and Tan keeps them.
#[test]
fn sums() {
    let verdict = samples().at_stages(|random, space, trial| {
        let (f, g) = (Functions::draw(random, space), Functions::draw(random, space));
        let e = sample::map(random, &Space::<U2>::new(), space);
        let x = sample::real(random, &Space::<U2>::new());
        let left = case::<Real, Real, Real, _, _>(&f, &g, &e, &Either::Left(x.clone()));
        let right = case::<Real, Real, Real, _, _>(&f, &g, &e, &Either::Right(x.clone()));
        let plane = Space::<U2>::new();
        let first = Real::agree(&plane, &left, &f.apply(&e, &x), trial)?;
        Ok(first.and(Real::agree(&plane, &right, &g.apply(&e, &x), trial)?))
    });
    holds(verdict);
    let plane = Space::<U2>::new();
    let [x, y] = [0, 1].map(|i| plane.coordinates()[i].clone());
    let trial = samples().trial;
    type Point = Either<Map<U2, U1>, Map<U2, U1>>;
    let agree = |l: &Point, r: &Point| Sum::<Real, Real>::agree(&plane, l, r, &trial).unwrap();
    assert!(agree(&Either::Left(x.clone()), &Either::Right(x.clone())).is_refuted());
    assert!(agree(&Either::Left(x.clone()), &Either::Left(y)).is_refuted());
    assert_eq!(agree(&Either::Left(x.clone()), &Either::Left(x)), Verdict::Survived);
    let discrete = |l: &u8, r: &u8| Discrete::<u8>::agree(&plane, l, r, &trial).unwrap();
    assert!(discrete(&1, &2).is_refuted() && discrete(&1, &1) == Verdict::Survived);
}

/// Tan is a functor, with base points, zeros and multiples; also at functionals.
#[test]
fn tan_is_a_functor() {
    let f = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| (c * x).sin());
    let g = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| x.powi(2) + c * x);
    holds(suite::functor::<Pushforward, Real, Real, Real, Real>(&samples(), &f, &g));
    // x ↦ (t ↦ sin (c·x + t)), and f ↦ c·f(f(c))
    let curve = Transformation::<Product<Real, Real>, Functions>::new(|space, context| {
        Natural::curry::<Product<Real, Real>>(space, context, |_, (c, x), t| (c * x + t).sin())
    });
    let functional = Transformation::<Product<Real, Functions>, Real>::new(|space, (c, f)| {
        let id = space.id();
        c * f.apply(&id, &f.apply(&id, c))
    });
    holds(suite::functor::<Pushforward, Real, Real, Functions, Real>(&samples(), &curve, &functional));
    holds(suite::functor::<Pushforward, Real, Functions, Real, Functions>(&samples(), &functional, &curve));
}

/// Many curries inside one another are applied, restricted and dropped without running out of stack.
#[test]
fn towers_of_functions_are_safe() {
    let space = Space::<U1>::new();
    let mut f = Natural::<Real, Real, U1>::curry::<Real>(&space, &Map::id(), |_, c, x| c * x);
    for _ in 0..20_000 {
        f = Natural::curry::<Functions>(&space, &f, |space, f, x| f.apply(&space.id(), x));
    }
    assert_eq!(f.apply(&space.id(), &space.id()).to_string(), "\\x => x * x");
}

/// Functions of what has few elements are tried at all of them: one that differs at a single one is always found.
#[test]
fn functions_of_finite_presheaves_are_tried_in_full() {
    type Domain = Product<Booleans, Sum<Terminal, Product<Booleans, Terminal>>>;
    let same = Transformation::<Domain, Real>::new(|space, _| space.constant(1));
    let other = Transformation::<Domain, Real>::new(|space, (b, s)| {
        space.constant(if *b && matches!(s, Either::Right((true, ()))) { 2 } else { 1 })
    });
    for seed in 0..32 {
        let trial = Trial { seed, ..Trial::default() };
        let agree = |l, r| Exponential::<Domain, Real>::agree(&Space::new(), l, r, &trial).unwrap();
        assert!(agree(&same, &other).is_refuted(), "{seed}");
        assert_eq!(agree(&other, &other), Verdict::Survived, "{seed}");
    }
}
