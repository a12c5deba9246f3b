//! Second-order primitives as natural families (S §5.2, S47, E43).

use smoothish::law::path::{EvaluationPath, PathResult};
use smoothish::law::presheaf::{SampleSettings, natural_family};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::presheaf::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, PresheafTransformation,
};
use smoothish::presheaf::observe::SampleElements;
use smoothish::presheaf::{Presheaf, ProductPresheaf, RealPresheaf, observe, with_stage};
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::map::{Map, Space};
use smoothish::verdict::Verdict;
use std::time::Duration;
use typenum::{U0, U1};

type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;

/// A function that keeps what the primitive promises or asks for, from a random one: with `g = sin f(t)/2`, so that
/// |g| ≤ ½, a falling function for the roots, and a function with one top or one bottom inside of [0, 1] for the optima.
pub fn fit<G: MapEnd>(
    primitive: Functional,
    f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
    c: &Map<G, U1>,
) -> ExponentialElement<RealPresheaf, RealPresheaf, G> {
    ExponentialElement::curry::<ProductPresheaf<Functions, RealPresheaf>>(
        &f.stage(),
        &(f.clone(), c.clone()),
        move |space, (f, c), t| {
            let id = space.id();
            // a number between ¼ and ¾ that varies with the stage, a little
            let c = c.sin() / 4 + Rational::from((1, 2));
            let size = f.apply(&id, &space.constant((1, 3))).powi(2) + 1;
            match primitive {
                Functional::Integral => f.apply(&id, t),
                Functional::CutRoot => c - t.powi(3) * &size - t,
                Functional::FirstRoot => c - t * (t.powi(2) / 4 + Rational::from((3, 4))),
                Functional::Maximum | Functional::Maximiser => size - (t - c).powi(2) - t.powi(4) / 64,
                Functional::Minimum | Functional::Minimiser => size + (t - c).powi(2) + t.powi(4) / 64,
            }
        },
    )
}

/// Every primitive is natural in the stage, values and derivatives to order 2.
#[test]
fn every_primitive_is_natural() {
    for &primitive in Functional::ALL {
        let samples = SampleSettings { drawn: 8, least: 6, seed: 47, ..SampleSettings::default() };
        let verdict = samples.check_at_stages(move |random, space, trial| {
            let f = fit(primitive, &Functions::draw_element(random, space), &observe::draw_real_map(random, space));
            with_stage(1 + random.next_below(2), |later| {
                natural_family(&primitive, &f, &observe::draw_map(random, later, space), trial)
            })
        });
        assert_eq!(verdict.unwrap(), Verdict::Survived, "{primitive:?}");
    }
}

/// Kinks that move with the stage: nothing is refuted, and off the kinks there are numbers that agree.
#[test]
fn primitives_are_natural_up_to_overlap_at_kinks() {
    for primitive in [Functional::Integral, Functional::CutRoot, Functional::Maximum, Functional::Minimiser] {
        let samples = SampleSettings { drawn: 8, least: 4, seed: 43, ..SampleSettings::default() };
        let verdict = samples.check_at_stages(move |random, space, trial| {
            let c = observe::draw_real_map(random, space).relu();
            let f = ExponentialElement::<RealPresheaf, RealPresheaf, _>::curry::<RealPresheaf>(
                space,
                &c,
                move |_, c, t| match primitive {
                    Functional::CutRoot => c - t - t.relu(),
                    Functional::Maximum => c * t - (t * 2 - 1).abs(),
                    Functional::Minimiser => (t * 2 - 1).abs() + (t - c).powi(2),
                    _ => (t - c).relu(),
                },
            );
            with_stage(1, |later| {
                let e = observe::draw_map(random, later, space);
                natural_family(&primitive, &f, &e.then(&e.codomain().id().relu()), trial)
            })
        });
        assert_eq!(verdict.unwrap(), Verdict::Survived, "{primitive:?}");
    }
}

fn best(x: &Map<U0, U1>) -> Enclosure {
    x.at([]).enclose(&Rational::from((1, 1_000_000_000)), &Budget::unlimited()).unwrap().enclosures().remove(0)
}

/// Their values, each at a function with a closed form.
#[test]
fn values() {
    let point = Space::<U0>::new();
    let at = |p: Functional, f: &PresheafTransformation<RealPresheaf, RealPresheaf>| {
        best(&p.to_transformation().component_at(&point, f))
    };
    let quarter = Rational::from((1, 4));
    let parabola = PresheafTransformation::new(|_, t: &Map<_, U1>| (t - Rational::from((1, 4))).powi(2));
    let cubic = PresheafTransformation::new(|_, t: &Map<_, U1>| -(t.powi(3) - 8));
    let falling = PresheafTransformation::new(|_, t: &Map<_, U1>| -(t.powi(2) - Rational::from((1, 16))));
    assert!(at(Functional::Integral, &parabola).contains(&Rational::from((7, 48)))); // (27/64 + 1/64)/3
    assert!(at(Functional::Maximum, &parabola).contains(&Rational::from((9, 16))));
    assert!(at(Functional::Maximiser, &parabola).contains(&Rational::from(1)));
    assert!(at(Functional::Minimum, &parabola).contains(&Rational::from(0)));
    assert!(at(Functional::Minimiser, &parabola).contains(&quarter));
    assert!(at(Functional::CutRoot, &cubic).contains(&Rational::from(2)));
    assert!(at(Functional::FirstRoot, &falling).contains(&quarter));
}

/// E43: naturality is equality only where both sides are maximal. With integrals as S computes them, by sums of range times
/// length, `γ ↦ ∫₀¹ (x − ½)γ dx` has along relu the slope [−⅛, ⅛] at 0, where the integral of the substituted body is
/// taken, and {0}, where the chain rule multiplies the slope 0 of the integral by relu′(0) = [0, 1]. They overlap, and are
/// not equal; both enclose Clarke's {0}. The library substitutes on both sides, and its expansions find {0}.
#[test]
fn naturality_is_overlap_at_a_kink() {
    let line = Space::<U1>::new();
    let f =
        ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<RealPresheaf>(&line, &Map::id(), |_, c, x| {
            (x - Rational::from((1, 2))) * c
        });
    let relu = Map::<U1, U1>::id().relu();
    let inside = Functional::Integral.apply_at(&Functions::restrict(&relu, &f));
    let outside = Functional::Integral.apply_at(&f);
    let at_zero = |m: &Map<U1, U1>| Map::<U0, U1>::constant([0.into()]).then(&m.derivative());
    let sums = |m: &Map<U1, U1>| match EvaluationPath::Sums
        .evaluate_subject(&at_zero(m).components()[0].clone().into(), Duration::from_secs(10))
        .unwrap()
    {
        PathResult::Enclosure { enclosure, .. } => enclosure,
        other => panic!("{other:?}"),
    };
    let eighth = Rational::from((1, 8));
    let less = -eighth.clone();
    // {0} by the chain rule: the slope of the integral is 0 up to 1/100, and relu′(0) lies in [0, 1]
    let small = Rational::from((1, 100));
    let (integral, kink) = (sums(&outside), best(&at_zero(&relu)));
    assert!(integral.contains(&Rational::new()) && integral.has_width_at_most(&small), "{integral}");
    assert!(kink.contains(&Rational::new()) && kink.contains(&Rational::from(1)));
    assert!(!kink.contains(&Rational::from((-1, 100))) && !kink.contains(&Rational::from((101, 100))), "{kink}");
    // [−⅛, ⅛] by substitution: equality is refuted, overlap is not
    let substituted = sums(&inside);
    assert!(substituted.contains(&eighth) && substituted.contains(&less), "{substituted}");
    assert!(!integral.contains(&eighth) && substituted.contains(&Rational::new()));
    // what the library answers
    let answer = best(&at_zero(&inside));
    assert!(answer.contains(&Rational::new()) && answer.has_width_at_most(&small), "{answer}");
    let trial = SampleSettings::default().trial;
    assert!(!natural_family(&Functional::Integral, &f, &relu, &trial).unwrap().is_refuted());
}
