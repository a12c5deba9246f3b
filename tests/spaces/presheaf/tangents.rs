//! Tangents and the isomorphisms of S §5.3 (S49 to S54, E9, E10).

use smoothish::law::presheaf::SampleSettings;
use smoothish::law::{presheaf, presheaf as law};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::presheaf::coend::{
    CoendTangent, TanPresheaf, TangentFunctor, flatten_lan, functional_derivative, lan_constant, lan_representable,
    lan_sum, lan_transformation, lan_unit, scale_tangent, tangent_map, tangent_prod, tangent_r, tangent_to_r,
    tangent_value,
};
use smoothish::presheaf::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, PresheafTransformation,
};
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{Naturals, ProductPresheaf, RealPresheaf, Representable};
use smoothish::smooth::map::{Map, Space, coordinates};
use smoothish::verdict::Verdict;
use typenum::{U0, U1, U2};

type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;
type Functionals = ExponentialPresheaf<Functions, RealPresheaf>;

#[track_caller]
fn holds(verdict: smoothish::law::presheaf::PresheafVerdict) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

fn samples() -> SampleSettings {
    SampleSettings { seed: 50, ..SampleSettings::default() }
}

/// A number, to 10⁻¹².
#[track_caller]
fn number(x: &Map<U0, U1>) -> Enclosure {
    let answers = x.at([]).enclose(&Rational::from((1, 1_000_000_000_000_i64)), &Budget::unlimited()).unwrap();
    assert!(answers.all_reached(), "{x}");
    answers.enclosures().remove(0)
}

/// S49: the vector (0, 1) moving in the direction (1, 0), over ℝ² and over ℝ, is one tangent.
#[test]
fn representatives_of_one_tangent_agree() {
    let (point, plane) = (Space::<U0>::new(), Space::<U2>::new());
    let at = |x: i64, y: i64| Map::<U0, U2>::constant([x.into(), y.into()]);
    let over_plane = CoendTangent::<Representable<U2>, U0>::new(&at(0, 1).pair(&at(1, 0)), &plane.id());
    let [t] = coordinates::<U1, 1>();
    let line = |v: i64| Map::<U1, U2>::tuple(&[&t * v, Space::<U1>::new().constant(1)]).unwrap();
    let number = |n: i64| point.constant(n);
    let over_line = |v| CoendTangent::<Representable<U2>, U0>::new(&number(0).pair(&number(1)), &line(v));
    let trial = samples().trial;
    type Moving = CoendTangent<Representable<U2>, U0>;
    let agree =
        |v: &Moving, w: &Moving| TanPresheaf::<Representable<U2>>::compare_elements(&point, v, w, &trial).unwrap();
    assert_eq!(agree(&over_plane, &over_line(1)), Verdict::Survived);
    assert!(agree(&over_plane, &over_line(2)).is_refuted());
    let other_point = CoendTangent::<Representable<U2>, U0>::new(&at(0, 2).pair(&at(1, 0)), &plane.id());
    assert!(agree(&over_plane, &other_point).is_refuted());
    // both are ((0, 1), (1, 0))
    let iso = lan_representable::<TangentFunctor, U2>();
    for v in [&over_plane, &over_line(1)] {
        assert_eq!(
            Representable::compare_elements(&point, &iso.to.component_at(&point, v), &at(0, 1).pair(&at(1, 0)), &trial)
                .unwrap(),
            Verdict::Survived
        );
    }
}

/// S50: Prop. 5.2, and `tangentValue ∘ tangent_R.from = fst`.
#[test]
fn proposition_5_2() {
    holds(presheaf::check_isomorphism(&samples(), &tangent_r()));
    holds(presheaf::check_isomorphism(&samples(), &tangent_r().inverse()));
    holds(samples().check_at_stages(move |random, space, trial| {
        let v = TanPresheaf::<Representable<U2>>::draw_element(random, space);
        let m = smoothish::presheaf::observe::draw_map(random, space, &Space::<(U2, U2)>::new());
        law::isomorphism(&lan_representable::<TangentFunctor, U2>(), space, &v, &m, trial)
    }));
    holds(samples().check_at_stages(move |random, space, trial| {
        let (x, dx) = ProductPresheaf::<RealPresheaf, RealPresheaf>::draw_element(random, space);
        let v = tangent_r().from.component_at(space, &(x.clone(), dx));
        RealPresheaf::compare_elements(space, &tangent_value(&v), &x, trial)
    }));
}

/// S51 (E10): Prop. 5.1, of different factors, and nested.
#[test]
fn proposition_5_1() {
    holds(presheaf::check_isomorphism(&samples(), &tangent_prod::<RealPresheaf, Representable<U2>>()));
    holds(presheaf::check_isomorphism(&samples(), &tangent_prod::<Functions, RealPresheaf>()));
    holds(presheaf::check_isomorphism(
        &samples(),
        &tangent_prod::<ProductPresheaf<RealPresheaf, RealPresheaf>, Functions>(),
    ));
    // (f(x), g(y)), not (f(x), g(x)): the components move independently
    let point = Space::<U0>::new();
    let n = |k: i64| point.constant(k);
    let moving = |x, dx| tangent_r().from.component_at(&point, &(n(x), n(dx)));
    let v = tangent_prod::<RealPresheaf, RealPresheaf>().from.component_at(&point, &(moving(2, 3), moving(5, 7)));
    let product =
        PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (x, y)| x * y);
    let (value, slope) = tangent_r().to.component_at(&point, &tangent_map(&product, &v));
    assert!(number(&value).contains(&Rational::from(10)));
    assert!(number(&slope).contains(&Rational::from(2 * 7 + 3 * 5)));
}

/// S52: it is no isomorphism on functions whose values may be ⊥. There and back, `(x, ⊥)` is `(⊥, ⊥)`: `x + 0·⊥ = ⊥`.
#[test]
fn proposition_5_3_is_false_of_undefined_functions() {
    let point = Space::<U0>::new();
    let f = PresheafTransformation::<RealPresheaf, RealPresheaf>::identity();
    let nowhere = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|space, _| space.constant(-1).log());
    let iso = tangent_to_r::<RealPresheaf, U1>();
    let (value, _) = iso.to.component_at(&point, &iso.from.component_at(&point, &(f.clone(), nowhere.clone())));
    let one = point.constant(1);
    assert!(number(&f.component_at(&point, &one)).contains(&Rational::from(1)));
    let there_and_back = value.component_at(&point, &one);
    let answer = there_and_back.at([]).enclose(&Rational::from((1, 100)), &Budget::unlimited()).unwrap();
    assert!(!answer.all_reached() && answer.components[0].enclosure.is_bottom());
    // so the law says nothing here
    let pair = (f, nowhere);
    let verdict = ProductPresheaf::<Functions, Functions>::compare_elements(
        &point,
        &iso.to.component_at(&point, &iso.from.component_at(&point, &pair)),
        &pair,
        &samples().trial,
    );
    assert_eq!(verdict.unwrap(), Verdict::Vacuous);
}

/// Tangents to discrete types and to sums.
#[test]
fn tangents_to_discrete_types_and_sums() {
    holds(presheaf::check_isomorphism(&samples(), &lan_constant::<TangentFunctor, u64>()));
    holds(presheaf::check_isomorphism(&samples(), &lan_sum::<TangentFunctor, RealPresheaf, Functions>()));
}

/// A tangent to tangents is a class of T²: those that differ are told apart, and each is itself.
#[test]
fn tangents_to_tangents_are_compared() {
    let space = Space::<U1>::new();
    let v = |n: i64| {
        lan_unit::<TangentFunctor, TanPresheaf<RealPresheaf>, U1>(
            &space,
            &tangent_r().from.component_at(&space, &(space.constant(n), space.id())),
        )
    };
    type Twice = CoendTangent<TanPresheaf<RealPresheaf>, U1>;
    let compared = |v: &Twice, w: &Twice| {
        TanPresheaf::<TanPresheaf<RealPresheaf>>::compare_elements(&space, v, w, &samples().trial).unwrap()
    };
    assert!(compared(&v(1), &v(2)).is_refuted());
    assert_eq!(compared(&v(1), &v(1)), Verdict::Survived);
    // the other zero: the tangent of the zero section at (1, x), which moves in the other direction
    let zero = PresheafTransformation::<RealPresheaf, TanPresheaf<RealPresheaf>>::new(|space, x| lan_unit(space, x));
    let moving = tangent_r().from.component_at(&space, &(space.constant(1), space.id()));
    let other = lan_transformation::<TangentFunctor, _, _>(&zero).component_at(&space, &moving);
    assert!(compared(&v(1), &other).is_refuted());
    // at the stage x = 3, (x, x′, ẋ, ẋ′) is (1, 3, 0, 0); with the two directions exchanged it is the other
    let numbers = |v: &Twice| {
        let point = flatten_lan(v).to_map().at([3.into()]);
        point.enclose(&Rational::from((1, 1_000_000)), &Budget::unlimited()).unwrap().enclosures()
    };
    for (expected, v) in [([1, 3, 0, 0], v(1)), ([1, 0, 3, 0], other)] {
        for (number, enclosure) in expected.into_iter().zip(numbers(&v)) {
            assert!(enclosure.contains(&Rational::from(number)), "{expected:?}: {enclosure}");
        }
    }
}

/// S54: `der F f df` at the functionals of the paper. `F f = ∫f²`, at x along x²: 2∫x³ = ½. Evaluation at x: df x.
#[test]
fn derivatives_of_functionals() {
    let point = Space::<U0>::new();
    let energy = PresheafTransformation::<Functions, RealPresheaf>::new(|_, f| {
        let square =
            f.then(&PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.powi(2)).weaken_to(&f.stage()));
        Functional::Integral.apply_at(&square)
    });
    let f = PresheafTransformation::<RealPresheaf, RealPresheaf>::identity();
    let df = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.powi(2));
    let half = number(&functional_derivative(&energy, &f, &df));
    assert!(half.contains(&Rational::from((1, 2))), "{half}");
    let evaluation =
        PresheafTransformation::<Functions, RealPresheaf>::new(|space, f| f.apply(&space.id(), &space.constant(3)));
    assert!(number(&functional_derivative(&evaluation, &f, &df)).contains(&Rational::from(9)));
    // twice as fast, twice the slope
    let v = tangent_to_r::<RealPresheaf, U1>().from.component_at(&point, &(f, df));
    let (_, slope) = tangent_r().to.component_at(&point, &tangent_map(&energy, &scale_tangent(&v, &point.constant(2))));
    assert!(number(&slope).contains(&Rational::from(1)));
}

/// X5, on the side of S: for random functionals and random curves of functions, the derivative of the functional along the
/// velocity of the curve is the derivative along the curve.
#[test]
fn functionals_along_random_curves() {
    let samples = SampleSettings { drawn: 40, least: 30, ..samples() };
    holds(samples.check_at_stages(move |random, space, trial| {
        let functional = Functionals::draw_element(random, space);
        let curve = ExponentialPresheaf::<RealPresheaf, Functions>::draw_element(random, space);
        let c = TanPresheaf::<RealPresheaf>::draw_element(random, space);
        law::along_curves(&tangent_to_r(), &functional, &curve, &c, trial)
    }));
}

/// `y ↦ d/du g(y + u)` at u = 0, through the tangent of `u ↦ g(y + u)`.
fn shift(g: &PresheafTransformation<RealPresheaf, RealPresheaf>) -> PresheafTransformation<RealPresheaf, RealPresheaf> {
    PresheafTransformation::<RealPresheaf, RealPresheaf>::curry::<Functions>(&Space::new(), g, |space, g, y| {
        let context = (g.clone(), y.clone());
        let moved = ExponentialElement::<RealPresheaf, RealPresheaf, _>::curry::<
            ProductPresheaf<Functions, RealPresheaf>,
        >(space, &context, |space, (g, y), u| g.apply(&space.id(), &(y + u)));
        let v = tangent_r().from.component_at(space, &(space.constant(0), space.constant(1)));
        tangent_r().to.component_at(space, &tangent_map(&moved, &v)).1
    })
}

/// Perturbations are not confused: the derivative of `u ↦ (p ↦ p.0 (p.1 + u))` at 0, twice, is exp″.
#[test]
fn perturbations_of_functions_are_not_confused() {
    let point = Space::<U0>::new();
    let exp = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.exp());
    let second = shift(&shift(&exp)).component_at(&point, &point.constant(0));
    assert!(number(&second).contains(&Rational::from(1)));
    let sin = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.sin());
    let second = shift(&shift(&sin)).component_at(&point, &(Map::<U0, U1>::pi() / 2));
    assert!(number(&second).contains(&Rational::from(-1)));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The coend, at ground types, products, sums, discrete types and functions.
    #[test]
    fn tangents_do_not_depend_on_their_stage() {
        holds(presheaf::check_tangents::<Representable<U2>>(&samples()));
        holds(presheaf::check_tangents::<ProductPresheaf<RealPresheaf, Functions>>(&samples()));
        holds(presheaf::check_tangents::<smoothish::presheaf::SumPresheaf<RealPresheaf, Naturals>>(&samples()));
        holds(presheaf::check_tangents::<Functionals>(&samples()));
    }

    /// S52 (E9): Prop. 5.3, at numbers, at vectors and at functions as arguments, on defined functions.
    #[test]
    fn proposition_5_3() {
        holds(presheaf::check_isomorphism(&samples(), &tangent_to_r::<RealPresheaf, U1>()));
        holds(presheaf::check_isomorphism(&samples(), &tangent_to_r::<Representable<U2>, U1>()));
        holds(presheaf::check_isomorphism(&samples(), &tangent_to_r::<Functions, U1>()));
        // for every representable in the place of ℜ
        holds(samples().check_at_stages(move |random, space, trial| {
            type Plane = ExponentialPresheaf<RealPresheaf, Representable<U2>>;
            let v = TanPresheaf::<Plane>::draw_element(random, space);
            let pair = ProductPresheaf::<Plane, Plane>::draw_element(random, space);
            law::isomorphism(&tangent_to_r::<RealPresheaf, U2>(), space, &v, &pair, trial)
        }));
    }
}
